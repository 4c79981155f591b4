"""How games end."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from banqi.piece import Side
from banqi.piece_set import PIECE_SETS


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

    game: "banqi" or "junqi", which call the second colour black or blue; ends that differ in it alone are equal.

    >>> str(Outcome(Side.RED, Termination.NO_MOVES))
    'red wins (no_moves)'
    """

    winner: Side | None
    termination: Termination
    game: Literal["banqi", "junqi"] = field(default="banqi", compare=False, repr=False)

    def __str__(self) -> str:
        colours = PIECE_SETS[self.game].colours
        result = "draw" if self.winner is None else f"{colours[self.winner is Side.BLACK]} wins"
        return f"{result} ({self.termination})"
