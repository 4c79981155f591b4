"""Builds endgame tables on the rules of the 4 x 8 board."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from banqi.core._tablebase import Numbering, Tables
from banqi.core.face import RuleTable as RuleTable

def memory_needed(men: int) -> int: ...
def build(
    table: RuleTable,
    tables: Tables,
    numbering: Numbering,
    *,
    kinds: Sequence[Sequence[int]],
    colours: Sequence[int],
    pool: Sequence[int],
    results: npt.NDArray[np.uint16],
    exits: npt.NDArray[np.uint16],
) -> None: ...
