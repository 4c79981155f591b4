"""Endgame tables: files, the numbering of positions, what is stored of one."""

from collections.abc import Sequence
from typing import final

BLOCK_BYTES: int
MAX_MEN: int

@final
class Numbering:
    """How the placements of groups of men are numbered: squares as bit masks, one for each group."""

    def __init__(self, sizes: Sequence[int]) -> None: ...
    @property
    def placements(self) -> int: ...
    def index(self, groups: Sequence[int]) -> int: ...
    def groups(self, index: int) -> tuple[int, ...]: ...

@final
class Tables:
    """Tables in files, and which materials they are for. Trusts its caller, but not the bytes of a file.

    code_of_kind: the compiled core's code of each kind. cache_bytes: for decoded blocks, taken when first needed.
    """

    def __init__(self, code_of_kind: Sequence[int], cache_bytes: int) -> None: ...
    @property
    def fault(self) -> str | None: ...
    @property
    def most_men(self) -> int: ...
    def add(
        self,
        path: object,
        *,
        sizes: Sequence[int],
        entries: int,
        widths: Sequence[int],
        directory: bytes,
        packed: bool,
        denominator: int,
        longest_exit: int,
    ) -> int: ...
    def load(self, number: int, plane: int) -> None: ...
    def add_view(
        self,
        number: int,
        up: Sequence[int],
        down: Sequence[int],
        offsets: Sequence[int],
        groups: Sequence[Sequence[int]],
    ) -> None: ...
    def probe(self, cells: bytes, pool: bytes, side: int) -> tuple[int, int, int] | None: ...
    def read(self, number: int, plane: int, index: int) -> int: ...

def compress(data: bytes, level: int) -> bytes: ...
