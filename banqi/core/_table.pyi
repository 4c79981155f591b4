"""The memory that searches share."""

from typing import final

@final
class Table:
    """A transposition table of at most so many bytes. It serves every board; searches that share it take turns.

    Raises:
        MemoryError: there is no such memory.
    """

    def __init__(self, size: int) -> None: ...
    def clear(self) -> None: ...
