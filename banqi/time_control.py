"""How the time on a clock is shared out among moves, and spent while a search goes on."""

from typing import Final

SAFETY_SECONDS: Final = 0.05
"""What a search by the clock leaves on it for all that is not search."""
RESERVE_SECONDS: Final = 1.0
"""What is not shared out among the moves of a game: it pays for what the searches do not see."""
INC_SHARE: Final = 0.8
"""The part of an increment that a search by the clock reckons with."""
_SETTLED: Final = (1.5, 1.25, 1.05, 0.9, 0.75, 0.65)
"""What a share is multiplied by when so many iterations before the last one found the same best move."""
_FALLEN: Final = 5.0
"""By how much of itself a share grows when the expected result falls by 1."""
_MOST: Final = 2.5
"""No move takes more of its share than this."""


def ceiling(left: float) -> float:
    """Return how many of the `left` seconds on a clock one move may take at most.

    Half of them, and SAFETY_SECONDS are left, or nine tenths where the clock holds hardly more.
    """
    return min(left / 2, max(left - SAFETY_SECONDS, left / 10))


def allot(left: float, inc: float, *, men: int, hidden: int) -> float:
    """Return how many of the `left` seconds on a clock a move may take that ends a ply, `inc` then being added.

    men: pieces on the board, face down or not. hidden: those face down. The clock is shared among as many moves as
    programs of a tournament had before them at the start, 64 of their own, and among more than their mean later on:
    endings without a capture are long. Of RESERVE_SECONDS, or half of what is left if that is less, nothing is shared
    out, so that no number of moves uses it up. It is never more than the ceiling().

    >>> allot(961, 0, men=32, hidden=32)
    15.0
    """
    share = (left - min(RESERVE_SECONDS, left / 2)) / (40 + men / 2 + hidden / 4) + INC_SHARE * inc
    return min(share, ceiling(left))


class Spending:
    """What one search spends of its share: more when the best move changes or its score falls, less when it stands.

    share: seconds. most: seconds that it must not exceed.
    """

    def __init__(self, share: float, most: float) -> None:
        self._share = share
        self._most = most
        self._move: object = None
        self._value: float | None = None
        self._settled = 0

    @property
    def first(self) -> float:
        """The seconds until the first iteration has something to tell."""
        return min(self._share, self._most)

    def after(self, move: object, value: float) -> float:
        """Return the seconds that the whole search may take, after an iteration with this best move and its score.

        value: the expected result, from -1 to 1.
        """
        self._settled = self._settled + 1 if move == self._move else 0
        fall = max(0.0, self._value - value) if self._value is not None else 0.0
        self._move, self._value = move, value
        factor = _SETTLED[min(self._settled, len(_SETTLED) - 1)] * (1 + _FALLEN * fall)
        return min(self._share * min(factor, _MOST), self._most)
