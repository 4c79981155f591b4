"""Banqi on 8 x 8, compiled: the board's rules, then what is written once for every board."""

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.math cimport INFINITY
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memmove, memset

from banqi.core._table cimport Table
from banqi.core.banqi64 cimport *
from banqi.core.bits cimport *
from banqi.core.ttable cimport *
from banqi.core.types cimport *

import threading
from math import sqrt

include "interrupt.pxi"
include "banqi64.pxi"
include "banqi.pxi"
include "perft.pxi"
include "playout.pxi"
include "house.pxi"
include "evaluate.pxi"
include "banqi_features.pxi"
include "learned.pxi"
include "expected.pxi"
include "repetition.pxi"
include "no_tablebase.pxi"
include "search.pxi"
include "chance.pxi"
include "banqi_table.pxi"
include "binding.pxi"
include "weights.pxi"


cdef const TableSet* endings_of(tables):
    """No board but that of 4 x 8 has endgame tables."""
    return NULL
