"""What csrc/bits.h, clock.h, flag.h and rng.h offer to every board. A board's own .pxd binds names of its size."""

from libc.stdint cimport uint32_t, uint64_t


cdef extern from "bits.h" nogil:
    int popcount64 "bits_popcount64"(uint64_t x) noexcept
    void prefetch "bits_prefetch"(const void* address) noexcept


cdef extern from "clock.h" nogil:
    double clock_now() noexcept
    double clock_thread() noexcept


cdef extern from "rng.h" nogil:
    uint64_t rng_mix(uint64_t x) noexcept
    uint64_t rng_next(uint64_t* state) noexcept
    uint32_t rng_below(uint64_t* state, uint32_t n) noexcept


cdef extern from "flag.h" nogil:
    uint64_t flag_get(const uint64_t* flag) noexcept
    void flag_set(uint64_t* flag, uint64_t x) noexcept
