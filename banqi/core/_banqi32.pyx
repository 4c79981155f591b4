"""Banqi on 4 x 8, compiled: the board's rules, then what is written once for every board."""

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.math cimport INFINITY
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memmove, memset

from banqi.core._table cimport Table
from banqi.core._tablebase cimport Tables
from banqi.core.banqi32 cimport *
from banqi.core.bits cimport *
from banqi.core.tablebase cimport *
from banqi.core.ttable cimport *
from banqi.core.types cimport *

import threading
from math import sqrt

include "interrupt.pxi"
include "banqi32.pxi"
include "banqi.pxi"
include "perft.pxi"
include "playout.pxi"
include "house.pxi"
include "evaluate.pxi"
include "banqi_features.pxi"
include "learned.pxi"
include "expected.pxi"
include "repetition.pxi"
include "tablebase.pxi"
include "search.pxi"
include "chance.pxi"
include "banqi_table.pxi"
include "binding.pxi"
include "weights.pxi"


cdef const TableSet* endings_of(tables):
    """Endgame tables, which may be None, as the search reads them."""
    return NULL if tables is None else &(<Tables?>tables).set
