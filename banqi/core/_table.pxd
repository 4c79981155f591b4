"""A transposition table as a Python object, for the boards' searches to share."""

from banqi.core.ttable cimport tt_table


cdef class Table:
    cdef tt_table memory
