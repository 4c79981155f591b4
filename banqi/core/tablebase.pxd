"""Endgame tables as they are read: classes of positions, numbered densely, in files of blocks (tablebase/FORMAT.md).

A position of a class is given by one bitboard for each group of men that nothing tells apart, face-down men being the
last group. The index functions know nothing of men but that.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t

from banqi.core.banqi32 cimport bb_t, lowest, popcount, select


cdef extern from "blocks.h" nogil:
    enum:
        BLOCK_BYTES
        BLOCK_ROOM

    ctypedef struct zstd_library:
        size_t (*compress)(void* target, size_t room, const void* source, size_t size, int level) noexcept nogil
        size_t (*bound)(size_t size) noexcept nogil
        unsigned (*is_error)(size_t code) noexcept nogil

    ctypedef struct blocks_entry:
        uint64_t offset
        uint32_t length
        uint32_t crc

    ctypedef struct blocks_file:
        uint64_t size
        blocks_entry* entry
        uint8_t* whole
        uint32_t count
        uint32_t number

    ctypedef struct blocks_cache:
        zstd_library zstd
        uint32_t slots

    int zstd_open(zstd_library* z) noexcept
    uint32_t blocks_crc(const uint8_t* bytes, uint64_t size) noexcept
    int blocks_open(blocks_file* f, const char* path) noexcept
    void blocks_close(blocks_file* f) noexcept
    int blocks_fetch(const blocks_file* f, uint32_t block, uint8_t* target) noexcept
    int blocks_decode(
        const zstd_library* z, const blocks_file* f, uint32_t block, uint8_t* target, uint64_t size
    ) noexcept
    int blocks_allocate(blocks_cache* c, uint64_t bytes) noexcept
    void blocks_free(blocks_cache* c) noexcept
    int32_t blocks_read(
        const blocks_cache* c, const blocks_file* f, uint32_t block, uint64_t size, uint32_t place, int width
    ) noexcept


cdef extern from "flag.h" nogil:
    uint64_t flag_get(const uint64_t* flag) noexcept
    void flag_set(uint64_t* flag, uint64_t x) noexcept


cdef enum:
    MAX_GROUPS = 8
    # Men of one group, and men in all.
    MAX_MEN = 8
    PLANES = 2
    # A file's first plane: the distance to the end, or, with men face down, the expected result.
    PLANE_RESULT = 0
    # Its second: the distance to the next capture, attempt or flip.
    PLANE_EXIT = 1
    IDENTITY_COUNT = 14


# How the positions of a class are numbered.
cdef struct Shape:
    int groups
    int[MAX_GROUPS] size
    # The group that stands on one of the placements that symmetry leaves, and how many those are.
    int lead
    uint64_t lead_count
    # If it has several men: for each set of squares, by its number, 4 * placement + symmetry. Else NULL.
    const uint32_t* lead_numbers
    # The placements themselves.
    const bb_t* lead_sets
    # Binomial coefficients, n * (MAX_MEN + 1) + k.
    const uint64_t* choose
    # With one side to move.
    uint64_t placements


cdef struct Plane:
    int width
    uint32_t first_block
    # All its entries, if they are in memory, else NULL.
    const uint8_t* plain


cdef struct StoredTable:
    blocks_file file
    Shape shape
    uint64_t entries
    Plane[PLANES] plane
    # What expected results are counted in; 0 where everything is face up and results are wins and losses.
    int denominator
    # The most plies to the next exit of a result that is no draw, in this class or one that play can lead to.
    int longest_exit


# A material: which class it is, and what its men are there.
cdef struct TableView:
    # Men counted as in Board.pool: face up and down, and face down alone. 0 and 0 where the place is empty.
    uint64_t alive
    uint64_t pool
    uint32_t table
    # By the colour to move: where its positions begin, and the group of each identity.
    uint64_t[2] offset
    int8_t[2][IDENTITY_COUNT] group


cdef struct TableSet:
    StoredTable* table
    uint32_t tables
    # A hash table of a power of two places, `view_mask` + 1.
    TableView* view
    uint64_t view_mask
    uint64_t views
    # No table has more men.
    int most_men
    blocks_cache cache
    # 1 + the number of a table that a broken block was found in, else 0.
    uint64_t fault


cdef inline uint64_t view_place(uint64_t alive, uint64_t pool) noexcept nogil:
    cdef uint64_t x = (alive ^ pool * <uint64_t>0x9E3779B97F4A7C15) * <uint64_t>0xD6E8FEB86659FD93
    return x ^ x >> 32


cdef inline const TableView* find_view(const TableSet* tables, uint64_t alive, uint64_t pool) noexcept nogil:
    """The view of a material, NULL if no table has it."""
    cdef uint64_t place = view_place(alive, pool) & tables.view_mask
    while tables.view[place].alive != 0:
        if tables.view[place].alive == alive and tables.view[place].pool == pool:
            return &tables.view[place]
        place = (place + 1) & tables.view_mask
    return NULL


cdef inline bb_t turned(bb_t x, int symmetry) noexcept nogil:
    """A bitboard mirrored: bit 0 of the symmetry exchanges the files a and d, b and c, bit 1 the ranks 1 and 8, ..."""
    if symmetry & 1:
        x = ((x & <bb_t>0x11111111) << 3) | ((x & <bb_t>0x22222222) << 1) | ((x >> 1) & <bb_t>0x22222222) | (
            (x >> 3) & <bb_t>0x11111111
        )
    if symmetry & 2:
        x = (x & <bb_t>0x0F0F0F0F) << 4 | (x >> 4) & <bb_t>0x0F0F0F0F
        x = (x & <bb_t>0x00FF00FF) << 8 | (x >> 8) & <bb_t>0x00FF00FF
        x = x << 16 | x >> 16
    return x


cdef inline uint64_t set_number(const uint64_t* choose, bb_t men, bb_t occupied) noexcept nogil:
    """The number of a set of squares among those of its size that avoid the occupied ones."""
    cdef uint64_t number = 0
    cdef int k = 0
    while men != 0:
        k += 1
        number += choose[popcount(~occupied & ((men & (0 - men)) - 1)) * (MAX_MEN + 1) + k]
        men &= men - 1
    return number


cdef inline bb_t numbered_set(const uint64_t* choose, uint64_t number, int k, bb_t occupied) noexcept nogil:
    """The set of k squares that avoids the occupied ones and has a number."""
    cdef bb_t men = 0
    cdef int n = 32
    while k > 0:
        n -= 1
        while choose[n * (MAX_MEN + 1) + k] > number:
            n -= 1
        number -= choose[n * (MAX_MEN + 1) + k]
        men |= <bb_t>1 << select(~occupied, n)
        k -= 1
    return men


cdef inline uint64_t shape_index(const Shape* shape, const bb_t* men) noexcept nogil:
    """The number of a placement, one bitboard for each group; less than shape.placements."""
    cdef int square, symmetry, i, free = 32
    cdef bb_t occupied, group
    cdef uint64_t index, number
    if shape.lead_numbers == NULL:
        square = lowest(men[shape.lead])
        symmetry = (square >> 1) & 1 | (square >> 3) & 2
        if symmetry & 1:
            square ^= 3
        if symmetry & 2:
            square ^= 28
        index = (square & 1) | (square >> 2) << 1
    else:
        number = shape.lead_numbers[set_number(shape.choose, men[shape.lead], 0)]
        symmetry = number & 3
        index = number >> 2
    occupied = turned(men[shape.lead], symmetry)
    free -= shape.size[shape.lead]
    for i in range(shape.groups):
        if i != shape.lead:
            group = turned(men[i], symmetry)
            index = index * shape.choose[free * (MAX_MEN + 1) + shape.size[i]] + set_number(
                shape.choose, group, occupied
            )
            occupied |= group
            free -= shape.size[i]
    return index


cdef inline void shape_men(const Shape* shape, uint64_t index, bb_t* men) noexcept nogil:
    """The placement that has a number: one bitboard for each group."""
    cdef uint64_t[MAX_GROUPS] number, radix
    cdef int i, free = 32 - shape.size[shape.lead]
    cdef bb_t occupied
    for i in range(shape.groups):
        if i != shape.lead:
            radix[i] = shape.choose[free * (MAX_MEN + 1) + shape.size[i]]
            free -= shape.size[i]
    for i in range(shape.groups - 1, -1, -1):
        if i != shape.lead:
            number[i] = index % radix[i]
            index /= radix[i]
    men[shape.lead] = shape.lead_sets[index]
    occupied = men[shape.lead]
    for i in range(shape.groups):
        if i != shape.lead:
            men[i] = numbered_set(shape.choose, number[i], shape.size[i], occupied)
            occupied |= men[i]


cdef inline int32_t read_plane(const TableSet* tables, const StoredTable* t, int plane, uint64_t index) noexcept nogil:
    """An entry of a plane; -1 if its block is broken, which the set then knows."""
    cdef const Plane* p = &t.plane[plane]
    cdef uint64_t place = index * p.width, block, size
    cdef int32_t value
    if p.plain != NULL:
        return p.plain[place] if p.width == 1 else p.plain[place] | p.plain[place + 1] << 8
    block = place / BLOCK_BYTES
    size = min(t.entries * p.width - block * BLOCK_BYTES, <uint64_t>BLOCK_BYTES)
    value = blocks_read(
        &tables.cache, &t.file, <uint32_t>(p.first_block + block), size, <uint32_t>(place % BLOCK_BYTES), p.width
    )
    if value < 0:
        flag_set(<uint64_t*>&tables.fault, t.file.number + 1)
    return value
