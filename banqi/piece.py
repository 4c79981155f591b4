"""Sides and pieces, as people hold them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from banqi.notation import BLACK, FACE_DOWN, RED
from banqi.piece_set import PIECE_SETS


class Side(StrEnum):
    """A colour; the second is called blue in Junqi. Before the first flip nobody has one: the API writes None."""

    RED = RED
    BLACK = BLACK

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side.BLACK if self is Side.RED else Side.RED


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands on a square: `letter` is an identity, upper case for red, or x for a piece that lies face down.

    game: "banqi" or "junqi", which mean different things by the same letters.

    >>> Piece("p").side, Piece("p").kind, Piece("p").name, Piece("x").name
    (<Side.BLACK: 'b'>, 'P', 'black soldier', 'face-down piece')
    >>> Piece("p", "junqi").name
    'blue platoon commander'
    """

    letter: str
    game: Literal["banqi", "junqi"] = "banqi"

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
        pieces = PIECE_SETS[self.game]
        return f"{pieces.colours[self.side is Side.BLACK]} {pieces.kinds[self.letter.upper()].name}"
