"""Words that every board and the search share."""

from libc.stdint cimport int32_t, int64_t, uint16_t

# An action: from + 64 * to. A flip has from == to.
ctypedef uint16_t Action

# An expected result for the side to move: UNIT is 1.0, a sure win. Whole numbers, so that a chance node's
# mean is the same on every machine.
ctypedef int32_t Value

# The two weights of a feature of the learned evaluation, or a sum of such: what counts at the first stage times 2^32,
# plus what counts at the last one.
ctypedef int64_t Taper

cdef enum:
    NO_ACTION = 0xFFFF
    UNIT = 1 << 22
    # No value.
    NO_VALUE = 2 * UNIT
    # A win in n plies is UNIT - n, a loss in n plies n - UNIT. A mean over reveals that are not all proven
    # cannot reach the band: with an estimate of at most ESTIMATE among 64 reveals it stays below
    # UNIT - (UNIT - ESTIMATE) / 64.
    PROVEN = UNIT - 512
    ESTIMATE = UNIT - (UNIT >> 5)
    MAX_DEPTH = 100
    MAX_PLY = 250
