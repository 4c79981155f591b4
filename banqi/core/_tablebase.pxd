"""Endgame tables as a Python object, which a search reads without Python."""

from libc.stdint cimport uint64_t

from banqi.core.tablebase cimport Shape, TableSet


cdef class Numbering:
    cdef Shape shape


cdef class Tables:
    cdef TableSet set
    cdef object paths
    # Whole planes in memory.
    cdef object keep
    cdef object code_of_kind
    cdef uint64_t cache_bytes
