"""Types of the compiled 4 x 8 board. The same face is compiled for every board (binding.pxi)."""

from collections.abc import Callable, Sequence
from typing import final

import numpy as np
import numpy.typing as npt

SQUARES: int
IDENTITIES: int
HIDDEN: int
EMPTY: int
UNIT: int
PROVEN: int
MAX_DEPTH: int

@final
class RuleTable:
    """One rule set as the compiled core reads it.

    order: the 7 kinds (0..6 for K G M R N C P) from the weakest rank to the strongest.
    takes: for each kind 0..6 the bit mask of kinds that it takes on a neighbouring square.
    jumps: whether cannons capture by jumping. repetition: N >= 2, 0 for none, -1 for cycle.
    quiet_limit: plies. tag: 64 bits that tell rule sets apart in a position's key.
    """

    def __init__(
        self,
        order: Sequence[int],
        takes: Sequence[int],
        *,
        jumps: bool,
        repetition: int,
        quiet_limit: int,
        tag: int,
    ) -> None: ...

@final
class State:
    """A position with the actions that led to it. Trusts its input: callers validate.

    cells: 32 values, a1 b1 c1 d1 a2 ..., each an identity 0..13 (KGMRNCPkgmrncp), HIDDEN or EMPTY.
    pool: 14 counts in identity order. side: 0 red, 1 black, 2 unknown. chain: a square or -1.
    """

    def __init__(self, table: RuleTable, cells: bytes, pool: bytes, side: int, chain: int, quiet: int) -> None: ...
    @property
    def side(self) -> int: ...
    @property
    def quiet(self) -> int: ...
    @property
    def chain(self) -> int: ...
    @property
    def key(self) -> int: ...
    @property
    def plies(self) -> int: ...
    def fresh_key(self) -> int: ...
    def cells(self) -> bytes: ...
    def pool(self) -> bytes: ...
    def actions(self) -> list[int]: ...
    def action_count(self) -> int: ...
    def is_legal(self, action: int) -> bool: ...
    def push(self, action: int, identity: int) -> None: ...
    def pop(self) -> None: ...
    def occurrences(self) -> int: ...
    def termination(self) -> tuple[int, int]: ...
    def evaluate(self) -> int: ...
    def perft(self, depth: int, full: bool) -> int: ...
    def copy(self) -> State: ...
    def same(self, other: State) -> bool: ...
    def playouts(self, count: int, seed: int, results: npt.NDArray[np.int8], plies: npt.NDArray[np.int32]) -> None: ...

@final
class Searcher:
    """A transposition table and the workers that search with it. One search at a time."""

    def __init__(self, hash_bytes: int, threads: int) -> None: ...
    def clear(self) -> None: ...
    def stop(self) -> None: ...
    def think(
        self,
        state: State,
        *,
        depth: int,
        nodes: int,
        seconds: float,
        lines: int,
        report: Callable[[int, int, int, int, float, int, int, list[tuple[int, int]], list[int | None] | None], None]
        | None,
        cancelled: Callable[[], bool] | None = None,
        quiescence: bool = True,
        repetition: bool = True,
        same_depth_only: bool = False,
    ) -> tuple[int, float]: ...
