"""Moves: what one action does, and how it is written."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache, total_ordering

from banqi.errors import MoveError, SquareError, shown
from banqi.geometry import BOARD_4X8, Geometry
from banqi.piece_set import KINDS

_NOWHERE = -1
_SQUARE = "([a-z])([1-9][0-9]?)"
_PEOPLE = re.compile(rf"({_SQUARE})(?:-({_SQUARE}))?(?:\(([A-Za-z])\))?")
_WIRE = re.compile(rf"({_SQUARE})({_SQUARE})([A-Za-z])?")


@total_ordering
@dataclass(frozen=True, slots=True)
class Move:
    """An action: a flip (`from_square` equals `to_square`), or a step, a capture or an attempt between two squares.

    `reveal` is the letter of the identity that a flip or an attempt turned up, None in the bare request; the two are
    different moves. The end of a chain, which stands on no square, is `Move.end()`.

    >>> str(Move.from_text("a1a1K")), Move.from_text("a1(K)").wire()
    ('a1(K)', 'a1a1K')
    >>> Move.from_text("a1(K)").request == Move.from_text("a1")
    True

    Raises:
        MoveError: a square is not on the board, or the reveal is no letter.
    """

    from_square: int
    to_square: int
    reveal: str | None = None
    geometry: Geometry = BOARD_4X8

    def __post_init__(self) -> None:
        squares = range(_checked_geometry(self.geometry).squares)
        for square in (self.from_square, self.to_square):
            _check_number(square)
        if self.from_square in squares and self.to_square in squares:
            if self.reveal is None or _is_letter(self.reveal):
                return
            raise MoveError(f"a reveal is one letter, not {shown(self.reveal)}")
        if not (self.from_square == self.to_square == _NOWHERE and self.reveal is None):
            raise MoveError(
                f"{shown(self.from_square)} to {shown(self.to_square)} is no move on the {self.geometry} board"
            )

    @classmethod
    def end(cls, geometry: Geometry = BOARD_4X8) -> "Move":
        """Return the action that stops a chain of captures."""
        return cls(_NOWHERE, _NOWHERE, None, geometry)

    @classmethod
    def from_index(cls, index: int, geometry: Geometry = BOARD_4X8) -> "Move":
        """Return the request with the action index from * squares + to; a flip has from == to, the end squares**2.

        Raises:
            MoveError: no action has this index.
        """
        squares = _checked_geometry(geometry).squares
        if isinstance(index, bool) or not hasattr(index, "__index__") or not 0 <= index <= squares**2:
            raise MoveError(f"{shown(index)} is no action index of the {geometry} board")
        return _requests(geometry)[index]

    @classmethod
    def from_text(cls, text: str, *, geometry: Geometry = BOARD_4X8, kinds: str = KINDS) -> "Move":
        """Read a move in either of its two forms; `kinds` are the letters that a reveal may have, in either case.

        People write `a1`, `a1(K)`, `a1-b1`, `a1-b1(k)`, `end`; on a wire that is `a1a1`, `a1a1K`, `a1b1`, `a1b1k`,
        `0000`.

        Raises:
            MoveError: the text is no move; the line says what is wrong. Nothing is repaired.
        """
        if not isinstance(text, str):
            raise MoveError(f"a move is a text, not {shown(text)}")
        if not isinstance(kinds, str):
            raise MoveError(f"the kinds are letters in a text, not {shown(kinds)}")
        _checked_geometry(geometry)
        if text in ("end", "0000"):
            return cls.end(geometry)
        if people := _PEOPLE.fullmatch(text):
            start, _, _, target, _, _, reveal = people.groups()
            if target == start:
                raise MoveError(f"{shown(text)} goes nowhere: a flip is written {start}")
        elif wire := _WIRE.fullmatch(text):
            start, _, _, target, _, _, reveal = wire.groups()
        else:
            raise MoveError(f"{shown(text)} {_fault(text)}")
        if reveal is not None and reveal.upper() not in kinds:
            raise MoveError(f"{shown(text)} reveals {reveal}, which is none of the pieces {kinds}{kinds.lower()}")
        try:
            return cls(geometry.index(start), geometry.index(target or start), reveal, geometry)
        except SquareError as error:
            raise MoveError(f"{shown(text)} leaves the board: {error}") from None

    def __str__(self) -> str:
        if self.is_end:
            return "end"
        target = "" if self.is_flip else f"-{self.geometry.name(self.to_square)}"
        reveal = f"({self.reveal})" if self.reveal else ""
        return f"{self.geometry.name(self.from_square)}{target}{reveal}"

    def __repr__(self) -> str:
        geometry = "" if self.geometry == BOARD_4X8 else f", geometry={self.geometry!r}"
        return f"Move.from_text({str(self)!r}{geometry})"

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self._sort_key() < other._sort_key()

    def _sort_key(self) -> tuple[Geometry, int, int, str]:
        return self.geometry, self.from_square, self.to_square, self.reveal or ""

    def wire(self) -> str:
        """Return the move as it goes over a wire."""
        if self.is_end:
            return "0000"
        return f"{self.geometry.name(self.from_square)}{self.geometry.name(self.to_square)}{self.reveal or ''}"

    @property
    def request(self) -> "Move":
        """The move without its reveal: what a player decides."""
        return self if self.reveal is None else replace(self, reveal=None)

    @property
    def index(self) -> int:
        """The action index from * squares + to, with or without a reveal; squares**2 for the end of a chain."""
        if self.is_end:
            return self.geometry.squares**2
        return self.from_square * self.geometry.squares + self.to_square

    @property
    def is_flip(self) -> bool:
        """Whether a face-down piece is turned up where it lies. An attempt, which also reveals, is none."""
        return self.from_square == self.to_square != _NOWHERE

    @property
    def is_end(self) -> bool:
        """Whether this stops a chain of captures."""
        return self.from_square == _NOWHERE


@dataclass(frozen=True, slots=True)
class Reveal:
    """What a move can become: `move` as it can be pushed, how many hidden pieces make it so, and the chance."""

    move: Move
    weight: int
    probability: float

    @property
    def identity(self) -> str | None:
        """The letter that is turned up, None if the move reveals nothing."""
        return self.move.reveal


@lru_cache(maxsize=8)
def _requests(geometry: Geometry) -> tuple[Move, ...]:
    """Every request of a board, by action index."""
    squares = range(geometry.squares)
    moves = [Move(start, target, None, geometry) for start in squares for target in squares]
    return (*moves, Move.end(geometry))


def _checked_geometry(geometry: object) -> Geometry:
    if not isinstance(geometry, Geometry):
        raise MoveError(f"a move needs a banqi.geometry.Geometry, not {shown(geometry)}")
    return geometry


def _check_number(square: object) -> None:
    if isinstance(square, bool) or not hasattr(square, "__index__"):
        raise MoveError(f"{shown(square)} is no number of a square")


def _is_letter(reveal: object) -> bool:
    return isinstance(reveal, str) and len(reveal) == 1 and reveal.isascii() and reveal.isalpha()


def _fault(text: str) -> str:
    """What is wrong with a text that is written in neither way."""
    if not text:
        return "is empty"
    if not text.isascii():
        return "holds a character that is not ASCII"
    if any(character.isspace() for character in text):
        return "holds a blank"
    if re.fullmatch(r"[A-Z][1-9].*|[a-z][1-9]-?[A-Z][1-9].*", text):
        return "names a square in upper case"
    return "is none of a1, a1(K), a1-b1, a1-b1(k), end, a1a1, a1a1K, a1b1, a1b1k, 0000"
