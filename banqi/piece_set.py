"""The pieces of each game: their kinds in the order of every table here, how many there are, what they are called."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of piece: its name, how many of it one set has for each side, and its Chinese signs, red and black."""

    name: str
    count: int
    signs: str


@dataclass(frozen=True, slots=True)
class PieceSet:
    """The pieces of a game.

    kinds: by letter, in canonical order. colours: what people call the sides that are written r and b.
    """

    kinds: Mapping[str, Kind]
    colours: tuple[str, str]

    @property
    def letters(self) -> str:
        """The kinds' letters in canonical order."""
        return "".join(self.kinds)


PIECE_SETS: Final[Mapping[str, PieceSet]] = MappingProxyType(
    {
        "banqi": PieceSet(
            MappingProxyType(
                {
                    "K": Kind("general", 1, "帥將"),
                    "G": Kind("advisor", 2, "仕士"),
                    "M": Kind("elephant", 2, "相象"),
                    "R": Kind("chariot", 2, "俥車"),
                    "N": Kind("horse", 2, "傌馬"),
                    "C": Kind("cannon", 2, "炮包"),
                    "P": Kind("soldier", 5, "兵卒"),
                }
            ),
            ("red", "black"),
        ),
        "junqi": PieceSet(
            MappingProxyType(
                {
                    "M": Kind("marshal", 1, "司司"),
                    "G": Kind("general", 1, "軍軍"),
                    "D": Kind("division commander", 2, "師師"),
                    "B": Kind("brigade commander", 2, "旅旅"),
                    "R": Kind("regiment commander", 2, "團團"),
                    "T": Kind("battalion commander", 2, "營營"),
                    "C": Kind("company commander", 3, "連連"),
                    "P": Kind("platoon commander", 3, "排排"),
                    "E": Kind("engineer", 3, "工工"),
                    "O": Kind("bomb", 2, "炸炸"),
                    "L": Kind("landmine", 3, "雷雷"),
                    "F": Kind("flag", 1, "旗旗"),
                }
            ),
            ("red", "blue"),
        ),
    }
)

KINDS: Final = PIECE_SETS["banqi"].letters
"""General, advisor, elephant, chariot, horse, cannon, soldier."""

SET_COUNTS: Final[Mapping[str, int]] = MappingProxyType(
    {letter: kind.count for letter, kind in PIECE_SETS["banqi"].kinds.items()}
)
"""How many of each kind of Banqi one set has for each side."""
