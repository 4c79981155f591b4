"""The rules of Junqi that are no move: the set, the ranks and the two options (sections 7 and 8)."""

from __future__ import annotations

from dataclasses import dataclass

from reference.junqi_board import CAMPS, FILES, ROWS
from reference.rules import Rules

# Marshal, general, division, brigade, regiment, battalion, company, platoon, engineer, bomb, landmine, flag.
SET = {"M": 1, "G": 1, "D": 2, "B": 2, "R": 2, "T": 2, "C": 3, "P": 3, "E": 3, "O": 2, "L": 3, "F": 1}
RANKS = "MGDBRTCPE"


@dataclass(frozen=True)
class JunqiRules(Rules):
    """The options, `repetition` and `quiet_limit`."""

    files: str = FILES
    rows: int = len(ROWS)
    repetition: int | str = "none"
    quiet_limit: int = 80

    kinds = "".join(SET)
    vital = "F"
    lost_by = "flag"
    camps = frozenset(CAMPS)
    camp_shy = "LF"

    def count(self, kind: str) -> int:
        """How many pieces of a kind each side starts with."""
        return SET[kind]
