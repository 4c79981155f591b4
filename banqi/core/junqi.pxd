"""The Junqi board: 60 nodes, 10 of them camps. Square = 5 * row + column, a1 = bit 0, e12 = bit 59.

    12 | 55 56 57 58 59
    11 | 50 51 52 53 54
       |  ...
     1 |  0  1  2  3  4
          a  b  c  d  e
"""

from libc.stdint cimport uint64_t


cdef extern from "bits.h" nogil:
    ctypedef uint64_t bb_t "uint64_t"

    int popcount "bits_popcount64"(bb_t x) noexcept
    int lowest "bits_lowest64"(bb_t x) noexcept
    int select "bits_select64"(bb_t x, int n) noexcept


cdef enum:
    FILES = 5
    RANKS = 12
    SQUARES = 60
    # Room for the actions of the fullest position: of 25 men of one side 3 engineers reach at most the 31 other railway
    # nodes and 8 neighbours, 17 others 13 nodes along two lines and 8 neighbours; 50 posts can be flipped.
    MAX_ACTIONS = 544
