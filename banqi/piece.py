"""Sides and pieces, as people hold them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from banqi.notation import BLACK, FACE_DOWN, RED

KIND_NAMES: Final = {
    "K": "general",
    "G": "advisor",
    "M": "elephant",
    "R": "chariot",
    "N": "horse",
    "C": "cannon",
    "P": "soldier",
}


class Side(StrEnum):
    """A colour. Before the first flip nobody has one, which the API writes as None."""

    RED = RED
    BLACK = BLACK

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side.BLACK if self is Side.RED else Side.RED


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands on a square: `letter` is an identity, upper case for red, or x for a piece that lies face down.

    >>> Piece("p").side, Piece("p").kind, Piece("p").name, Piece("x").name
    (<Side.BLACK: 'b'>, 'P', 'black soldier', 'face-down piece')
    """

    letter: str

    def __str__(self) -> str:
        return self.letter

    @property
    def is_face_down(self) -> bool:
        """Whether nobody knows what it is."""
        return self.letter == FACE_DOWN

    @property
    def side(self) -> Side | None:
        """The colour, None face down."""
        if self.is_face_down:
            return None
        return Side.RED if self.letter.isupper() else Side.BLACK

    @property
    def kind(self) -> str | None:
        """The upper-case letter of the kind, None face down."""
        return None if self.is_face_down else self.letter.upper()

    @property
    def name(self) -> str:
        """The piece in words."""
        if self.is_face_down:
            return "face-down piece"
        return f"{'red' if self.side is Side.RED else 'black'} {KIND_NAMES[self.letter.upper()]}"
