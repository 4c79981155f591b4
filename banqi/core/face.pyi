"""The Python face of a compiled board. Types only: there is no such module, every board has this face (binding.pxi)."""

from collections.abc import Callable, Sequence
from typing import Protocol, final

import numpy as np
import numpy.typing as npt

from banqi.core._table import Table
from banqi.core._tablebase import Tables

SQUARES: int
IDENTITIES: int
HIDDEN: int
EMPTY: int
UNIT: int
PROVEN: int
MAX_DEPTH: int
START: tuple[int, ...]
"""The squares that hold a piece at the start of a game."""

@final
class RuleTable:
    """One rule set as the compiled core reads it.

    order: the 7 kinds (0..6 for K G M R N C P) from the weakest rank to the strongest.
    takes: for each kind 0..6 the bit mask of kinds that it takes on a neighbouring square.
    jumps: whether cannons capture by jumping. dark: whether face-down men may be attempted. chains: the kinds that may
    capture on after a capture. faceup_screens: whether only face-up men are screens. repetition: N >= 2, 0 for none, -1
    for cycle. quiet_limit: plies. tag: 64 bits that tell rule sets apart in a position's key.
    """

    def __init__(
        self,
        order: Sequence[int],
        takes: Sequence[int],
        *,
        jumps: bool,
        dark: bool,
        chains: Sequence[int],
        faceup_screens: bool,
        repetition: int,
        perpetual_loses: bool,
        quiet_limit: int,
        tag: int,
    ) -> None: ...

@final
class State:
    """A position with the actions that led to it. Trusts its input: callers validate.

    cells: a value for each square, a1 b1 ... first: an identity, HIDDEN or EMPTY. The identities are 0..13
    (KGMRNCPkgmrncp), in Junqi 0..23 (MGDBRTCPEOLF and lower case).
    pool: a count for each identity, in their order. side: 0 red, 1 black, 2 unknown. chain: a square or -1.
    Actions are given as from * SQUARES + to, a flip with from == to, the end of a chain as SQUARES * SQUARES.
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
    def reveals(self, action: int) -> bool: ...
    def can_capture_on(self) -> bool: ...
    def push(self, action: int, identity: int) -> None: ...
    def pop(self) -> None: ...
    def occurrences(self) -> int: ...
    def termination(self) -> tuple[int, int]: ...
    def evaluate(self, weights: Weights | None = None) -> int: ...
    def perft(self, depth: int, full: bool) -> int: ...
    def copy(self) -> State: ...
    def same(self, other: State) -> bool: ...
    def playouts(self, count: int, seed: int, results: npt.NDArray[np.int8], plies: npt.NDArray[np.int32]) -> None: ...

@final
class Searcher:
    """The workers that search with a transposition table. One search at a time."""

    def __init__(self, table: Table, threads: int) -> None: ...
    def stop(self) -> None: ...
    def think(
        self,
        state: State,
        *,
        depth: int,
        nodes: int,
        seconds: float,
        lines: int,
        report: Callable[
            [int, int, int, int, float, int, int, list[tuple[int, int]], list[int | None] | None], float | None
        ]
        | None,
        cancelled: Callable[[], bool] | None = None,
        tables: Tables | None = None,
        only: Sequence[int] = (),
        weights: Weights | None = None,
        quiescence: bool = True,
        repetition: bool = True,
        same_depth_only: bool = False,
    ) -> tuple[int, float]: ...

KINDS: int
FEATURES: int
COPIES: int
LARGEST_WEIGHT: int

@final
class Weights:
    """The weights of a learned evaluation. Trusts its input: banqi.evaluation, which describes the arrays, validates.

    alone: int16 [KINDS, COPIES]. own, enemy: int16 [KINDS, COPIES, KINDS, COPIES]. features: int16 [FEATURES, 2].
    """

    def __init__(
        self,
        alone: npt.NDArray[np.int16],
        own: npt.NDArray[np.int16],
        enemy: npt.NDArray[np.int16],
        features: npt.NDArray[np.int16],
    ) -> None: ...

def features(state: State, counts: npt.NDArray[np.int8]) -> tuple[float, float]:
    """Count how often each feature occurs in a position, in an array of FEATURES.

    Return the share that features' first weights have in the score, and the factor of what is alive.
    """

def begin_features(weights: npt.NDArray[np.float32], whole: npt.NDArray[np.float32]) -> None:
    """Tell where learning begins, in arrays of [FEATURES, 2] and [FEATURES].

    weights: of the features that repeat the evaluation written by hand, in its score's unit, the rest left as it is.
    whole: the count of a feature that is a share of something if it is all of it, else left as it is.
    """

_Beginning = Callable[[npt.NDArray[np.float32], npt.NDArray[np.float32]], None]
_Counting = Callable[[State, npt.NDArray[np.int8]], tuple[float, float]]

class Core(Protocol):
    """The compiled module of a board."""

    __name__: str
    SQUARES: int
    IDENTITIES: int
    HIDDEN: int
    EMPTY: int
    UNIT: int
    PROVEN: int
    MAX_DEPTH: int
    START: tuple[int, ...]
    KINDS: int
    RuleTable: type[RuleTable]
    State: type[State]
    Searcher: type[Searcher]
    FEATURES: int
    COPIES: int
    LARGEST_WEIGHT: int
    Weights: type[Weights]
    features: _Counting
    begin_features: _Beginning
