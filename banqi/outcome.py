"""How games end."""

from dataclasses import dataclass
from enum import StrEnum

from banqi.piece import Side


class Termination(StrEnum):
    """The reason why a game is over."""

    ALL_CAPTURED = "all_captured"
    NO_MOVES = "no_moves"
    REPETITION = "repetition"
    QUIET_LIMIT = "quiet_limit"
    PERPETUAL_ATTACK = "perpetual_attack"
    FLAG = "flag"
    RESIGN = "resign"
    AGREEMENT = "agreement"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: who won, None for a draw, and why.

    >>> str(Outcome(Side.RED, Termination.NO_MOVES))
    'red wins (no_moves)'
    """

    winner: Side | None
    termination: Termination

    def __str__(self) -> str:
        result = "draw" if self.winner is None else f"{self.winner.name.lower()} wins"
        return f"{result} ({self.termination})"
