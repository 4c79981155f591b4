"""The compiled Junqi board."""

from collections.abc import Sequence
from typing import final

from banqi.core.face import COPIES as COPIES
from banqi.core.face import EMPTY as EMPTY
from banqi.core.face import FEATURES as FEATURES
from banqi.core.face import HIDDEN as HIDDEN
from banqi.core.face import IDENTITIES as IDENTITIES
from banqi.core.face import KINDS as KINDS
from banqi.core.face import LARGEST_WEIGHT as LARGEST_WEIGHT
from banqi.core.face import MAX_DEPTH as MAX_DEPTH
from banqi.core.face import PROVEN as PROVEN
from banqi.core.face import SQUARES as SQUARES
from banqi.core.face import START as START
from banqi.core.face import UNIT as UNIT
from banqi.core.face import Searcher as Searcher
from banqi.core.face import State as State
from banqi.core.face import Weights as Weights
from banqi.core.face import begin_features as begin_features
from banqi.core.face import features as features

@final
class RuleTable:
    """One rule set of Junqi as the compiled core reads it.

    order: the 12 kinds (0..11 for M G D B R T C P E O L F): landmine, flag, bomb, then from the engineer up.
    repetition: N >= 2, 0 for none. quiet_limit: plies. tag: 64 bits that tell rule sets apart in a position's key.
    """

    def __init__(self, order: Sequence[int], *, repetition: int, quiet_limit: int, tag: int) -> None: ...

def attack(attacker: int, defender: int) -> tuple[bool, bool] | None:
    """Tell whether two kinds, given by code, stay on the board when one attacks the other; None if it never moves."""

def edges() -> list[tuple[int, int, bool]]:
    """Return the board's edges as (square, square, whether it is railway), the lower square first."""

def camps() -> list[int]:
    """Return the squares of the camps."""
