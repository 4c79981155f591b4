"""The 4 x 8 board: its bitboard types and sizes. Square = 4 * rank + file, a1 = bit 0, d8 = bit 31.

    8 | 28 29 30 31
    7 | 24 25 26 27
      |  ...
    1 |  0  1  2  3
         a  b  c  d
"""

from libc.stdint cimport uint32_t


cdef extern from "bits.h" nogil:
    ctypedef uint32_t bb_t "uint32_t"
    # Four bitboards at once (csrc/bits.h). Declared as a number so that & | ^ ~ can be written.
    ctypedef unsigned long long quad_t "quad32"

    int popcount "bits_popcount32"(bb_t x) noexcept
    int lowest "bits_lowest32"(bb_t x) noexcept
    int select "bits_select32"(bb_t x, int n) noexcept
    quad_t quad_shift "quad32_shift"(bb_t x, int files) noexcept
    quad_t quad_inside "quad32_inside"(bb_t first, bb_t last) noexcept
    bb_t quad_lane "quad32_lane"(quad_t q, int direction) noexcept
    bb_t quad_any "quad32_any"(quad_t q) noexcept
    int quad_popcount "quad32_popcount"(quad_t q) noexcept
    int quad_select "quad32_select"(quad_t q, int n) noexcept


cdef extern from * nogil:
    """
    #define FIRST_FILE 0x11111111u
    #define LAST_FILE 0x88888888u
    #define EVERYWHERE 0xFFFFFFFFu
    """
    const bb_t FIRST_FILE
    const bb_t LAST_FILE
    const bb_t EVERYWHERE


cdef enum:
    FILES = 4
    RANKS = 8
    SQUARES = 32
    # Room for the actions of the fullest position: a square is flipped from, or 4 steps and 4 jumps lead from it, and
    # no more than 16 men are one side's.
    MAX_ACTIONS = 128
    SETS = 1
    MAX_JUMPERS = 2
