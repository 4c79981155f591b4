"""The transposition table's memory, which an engine keeps while it searches on one board or another."""

cimport cython
from libc.stdint cimport uint64_t

from banqi.core.ttable cimport tt_allocate, tt_clear, tt_free


@cython.final
cdef class Table:
    def __init__(self, uint64_t size):
        if tt_allocate(&self.memory, size) != 0:
            raise MemoryError

    def __dealloc__(self):
        tt_free(&self.memory)

    def clear(self):
        """Forgets everything."""
        tt_clear(&self.memory)
