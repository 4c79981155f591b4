"""Builds endgame tables on the rules of the 4 x 8 board."""

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.math cimport INFINITY
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport abs, calloc, free
from libc.string cimport memcpy, memmove, memset

from banqi.core._tablebase cimport Numbering, Tables
from banqi.core.banqi32 cimport *
from banqi.core.bits cimport *
from banqi.core.tablebase cimport *
from banqi.core.ttable cimport *
from banqi.core.types cimport *

import threading
from math import sqrt

from banqi.errors import TablebaseError

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
include "tablebase_build.pxi"

cdef enum:
    BYTES_PER_POSITION = 1 + 1 + 2 + 2 + 1


def memory_needed(int men):
    """The bytes that build() takes for a class of so many men, besides its arguments."""
    return 2 * BYTES_PER_POSITION * 8 * 32 ** (men - 1)


def build(RuleTable table not None, Tables tables not None, Numbering numbering not None, *, kinds, colours, pool,
          uint16_t[::1] results not None, uint16_t[::1] exits not None):
    """Solves a class and writes its entries, in the order of their numbers: results, and plies to the next exit.

    tables: those of all classes that play can lead to, each result in memory. numbering: the class's groups, the
    face-down men last if there are any. kinds: for each face-up group the kinds 0..6 (KGMRNCP) of its men. colours: and
    its colour, 0 for the first side. pool: 14 counts, KGMRNCPkgmrncp.
    """
    cdef Kernel k
    cdef Shape shape = numbering.shape
    cdef int[MAX_GROUPS] first_lane
    cdef int i, lane, group
    cdef uint64_t entries = results.shape[0]
    cdef bint done = False
    memset(&k, 0, sizeof(Kernel))
    k.rules = &table.rules
    k.tables = &tables.set
    order = sorted(range(shape.groups), key=lambda g: g != shape.lead)
    lane = 0
    for group in order:
        first_lane[group] = lane
        for i in range(shape.size[group]):
            k.code[lane] = 0
            k.colour[lane] = NOBODY
            if group < len(kinds):
                k.code[lane] = table.rules.code_of_kind[kinds[group][i]]
                k.colour[lane] = colours[group]
            k.first[lane] = first_lane[group]
            k.last[lane] = first_lane[group] + shape.size[group] - 1
            if group == shape.lead:
                k.first[lane] = 0 if lane == 0 else 1
                k.last[lane] = 0 if lane == 0 else k.last[lane]
            lane += 1
    k.lanes = lane
    if any(pool):
        k.denominator = 1
        for i in range(2, sum(pool) + 1):
            k.denominator *= i
        for i in range(IDENTITIES):
            k.pool += pool[i] * one_of(i // KINDS * KINDS + table.rules.code_of_kind[i % KINDS])
    k.half = <uint64_t>8 << 5 * (k.lanes - 1)
    try:
        k.steps = <uint8_t*>calloc(2 * k.half, sizeof(uint8_t))
        k.payoff = <int8_t*>calloc(2 * k.half, sizeof(int8_t))
        k.payoff_plies = <uint16_t*>calloc(2 * k.half, sizeof(uint16_t))
        k.known = <uint16_t*>calloc(2 * k.half, sizeof(uint16_t))
        k.value = <int8_t*>calloc(2 * k.half, sizeof(int8_t))
        if k.steps == NULL or k.payoff == NULL or k.payoff_plies == NULL or k.known == NULL or k.value == NULL:
            raise MemoryError
        k.watch = new_watch()
        with nogil:
            done = prepare(&k, True) and solve(&k, k.denominator == 0)
            if done:
                number_densely(&k, &shape, first_lane, entries, True, &results[0])
                if k.denominator == 0:
                    done = prepare(&k, False) and solve(&k, False)
            if done:
                number_densely(&k, &shape, first_lane, entries, False, &exits[0])
        raise_interrupt(&k.watch)
    finally:
        free(k.steps)
        free(k.payoff)
        free(k.payoff_plies)
        free(k.known)
        free(k.value)
    if k.missing:
        raise TablebaseError("a table that is needed is missing")
    if k.broken:
        raise TablebaseError(f"{tables.fault} is broken")
    if k.too_long or not done:
        raise TablebaseError("a distance does not fit into a table")
