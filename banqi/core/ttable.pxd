"""The transposition table of csrc/ttable.h."""

from libc.stdint cimport uint64_t


cdef extern from "ttable.h" nogil:
    enum:
        TT_UPPER
        TT_LOWER
        TT_EXACT

    ctypedef struct tt_table:
        uint64_t count

    ctypedef struct tt_hit:
        int action
        int value
        int depth
        int bound

    int tt_allocate(tt_table* t, uint64_t bytes) noexcept
    void tt_free(tt_table* t) noexcept
    void tt_clear(tt_table* t) noexcept
    void tt_new_search(tt_table* t) noexcept
    void tt_prefetch(const tt_table* t, uint64_t key) noexcept
    bint tt_probe(const tt_table* t, uint64_t key, tt_hit* hit) noexcept
    void tt_store(tt_table* t, uint64_t key, int action, int value, int depth, int bound) noexcept
    int tt_hashfull(const tt_table* t) noexcept
