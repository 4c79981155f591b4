# The 8 x 8 board's lines, for cannons.


cdef inline int rank_index(bb_t occupied, int rank) noexcept nogil:
    """The occupied squares of a rank as a number, file a in bit 0."""
    return <int>((occupied >> (FILES * rank)) & 0xFF)


cdef inline int file_index(bb_t occupied, int file) noexcept nogil:
    """The occupied squares of a file as 8 bits, in the order that file_bit() gives."""
    cdef bb_t x = (occupied >> file) & <bb_t>FIRST_FILE
    # Each product of two bits has a place of its own; those of the top byte are one for each rank.
    return <int>((x * <bb_t>0x0102040810204080) >> 56)


cdef inline int file_bit(int rank) noexcept nogil:
    """Which bit of file_index() stands for a rank."""
    return file_index(<bb_t>1 << (FILES * rank), 0)
