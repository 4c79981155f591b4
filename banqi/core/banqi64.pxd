"""The 8 x 8 board: its bitboard types and sizes. Square = 8 * rank + file, a1 = bit 0, h8 = bit 63.

    8 | 56 57 58 59 60 61 62 63
    7 | 48 49 50 51 52 53 54 55
      |  ...
    1 |  0  1  2  3  4  5  6  7
         a  b  c  d  e  f  g  h
"""

from libc.stdint cimport uint64_t


cdef extern from "bits.h" nogil:
    ctypedef uint64_t bb_t "uint64_t"
    # Four bitboards at once (csrc/bits.h). Declared as a number so that & | ^ ~ can be written.
    ctypedef unsigned long long quad_t "quad64"

    int popcount "bits_popcount64"(bb_t x) noexcept
    int lowest "bits_lowest64"(bb_t x) noexcept
    int select "bits_select64"(bb_t x, int n) noexcept
    quad_t quad_shift "quad64_shift"(bb_t x, int files) noexcept
    quad_t quad_inside "quad64_inside"(bb_t first, bb_t last) noexcept
    bb_t quad_lane "quad64_lane"(quad_t q, int direction) noexcept
    bb_t quad_any "quad64_any"(quad_t q) noexcept
    int quad_popcount "quad64_popcount"(quad_t q) noexcept
    int quad_select "quad64_select"(quad_t q, int n) noexcept


cdef extern from * nogil:
    """
    #define FIRST_FILE 0x0101010101010101u
    #define LAST_FILE 0x8080808080808080u
    #define EVERYWHERE 0xFFFFFFFFFFFFFFFFu
    """
    const bb_t FIRST_FILE
    const bb_t LAST_FILE
    const bb_t EVERYWHERE


cdef enum:
    FILES = 8
    RANKS = 8
    SQUARES = 64
    # Room for the actions of the fullest position: a square is flipped from, or 4 steps and 4 jumps lead from it, and
    # no more than 32 men are one side's.
    MAX_ACTIONS = 192
    SETS = 2
    MAX_JUMPERS = 4
