"""Endgame tables: files, the numbering of positions, what is stored of one.

Trusts its caller, banqi.tablebase, but not the bytes of a file.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from banqi.core.banqi32 cimport bb_t
from banqi.core.tablebase cimport *

import os

from banqi.errors import LimitError, TablebaseError
from banqi.memory import check_memory

cdef enum:
    KINDS = 7
    SQUARES = 32
    HIDDEN_CELL = 14
    EMPTY_CELL = 15

cdef uint64_t[(SQUARES + 1) * (MAX_MEN + 1)] CHOOSE


def _make_choose():
    cdef int n, k
    for n in range(SQUARES + 1):
        CHOOSE[n * (MAX_MEN + 1)] = 1
        for k in range(1, MAX_MEN + 1):
            if n > 0:
                CHOOSE[n * (MAX_MEN + 1) + k] = (
                    CHOOSE[(n - 1) * (MAX_MEN + 1) + k - 1] + CHOOSE[(n - 1) * (MAX_MEN + 1) + k]
                )


_make_choose()

# For each size of a leading group of several men: its numbers, and its placements. Made when first needed, then kept.
ctypedef uint32_t* Numbers
ctypedef bb_t* Sets
cdef Numbers[MAX_MEN + 1] LEAD_NUMBERS
cdef Sets[MAX_MEN + 1] LEAD_SETS
cdef uint64_t[MAX_MEN + 1] LEAD_COUNT


cdef int make_lead(int size) except -1:
    """Numbers the sets of squares that stand for all their images: of those the one with the least number."""
    cdef uint64_t sets = CHOOSE[SQUARES * (MAX_MEN + 1) + size], number, image, count = 0
    cdef int symmetry
    cdef bb_t men
    if LEAD_SETS[size] != NULL:
        return 0
    cdef uint32_t* numbers = <uint32_t*>malloc(sets * sizeof(uint32_t))
    cdef bb_t* placements = <bb_t*>malloc(sets * sizeof(bb_t))
    if numbers == NULL or placements == NULL:
        free(numbers)
        free(placements)
        raise MemoryError
    for number in range(sets):
        men = numbered_set(CHOOSE, number, size, 0)
        for symmetry in range(4):
            image = set_number(CHOOSE, turned(men, symmetry), 0)
            if image < number:
                numbers[number] = numbers[image] & ~<uint32_t>3 | symmetry
                break
        else:
            numbers[number] = <uint32_t>(count << 2)
            placements[count] = men
            count += 1
    # An image that is not the least itself stands for another: symmetries are taken to the least at once.
    for number in range(sets):
        men = numbered_set(CHOOSE, number, size, 0)
        for symmetry in range(4):
            if turned(men, symmetry) == placements[numbers[number] >> 2]:
                numbers[number] = numbers[number] & ~<uint32_t>3 | symmetry
                break
    LEAD_NUMBERS[size] = numbers
    LEAD_COUNT[size] = count
    LEAD_SETS[size] = placements
    return 0


cdef int make_shape(Shape* shape, sizes) except -1:
    """The numbering for groups of these sizes, the smallest leading, of equals the first."""
    cdef int i, used
    memset(shape, 0, sizeof(Shape))
    shape.groups = len(sizes)
    shape.lead = sizes.index(min(sizes))
    shape.choose = CHOOSE
    for i in range(shape.groups):
        shape.size[i] = sizes[i]
    used = shape.size[shape.lead]
    make_lead(used)
    if used > 1:
        shape.lead_numbers = LEAD_NUMBERS[used]
    shape.lead_sets = LEAD_SETS[used]
    shape.lead_count = LEAD_COUNT[used]
    shape.placements = shape.lead_count
    for i in range(shape.groups):
        if i != shape.lead:
            shape.placements *= CHOOSE[(SQUARES - used) * (MAX_MEN + 1) + shape.size[i]]
            used += shape.size[i]
    return 0


@cython.final
cdef class Numbering:
    def __init__(self, sizes):
        make_shape(&self.shape, sizes)

    @property
    def placements(self):
        return self.shape.placements

    def index(self, groups):
        cdef bb_t[MAX_GROUPS] men
        cdef int i
        for i in range(self.shape.groups):
            men[i] = groups[i]
        return shape_index(&self.shape, men)

    def groups(self, uint64_t index):
        cdef bb_t[MAX_GROUPS] men
        shape_men(&self.shape, index, men)
        return tuple([men[i] for i in range(self.shape.groups)])


@cython.final
cdef class Tables:
    def __init__(self, code_of_kind, uint64_t cache_bytes):
        self.paths = []
        self.keep = {}
        self.code_of_kind = code_of_kind
        self.cache_bytes = cache_bytes
        self.set.view = <TableView*>calloc(64, sizeof(TableView))
        if self.set.view == NULL:
            raise MemoryError
        self.set.view_mask = 63

    def __dealloc__(self):
        cdef uint32_t i
        for i in range(self.set.tables):
            blocks_close(&self.set.table[i].file)
        free(self.set.table)
        free(self.set.view)
        blocks_free(&self.set.cache)

    @property
    def fault(self):
        """The file in which a broken block was found, or None."""
        cdef uint64_t number = flag_get(&self.set.fault)
        return None if number == 0 else self.paths[number - 1]

    @property
    def most_men(self):
        return self.set.most_men

    def add(self, path, *, sizes, uint64_t entries, widths, bytes directory, bint packed, int denominator,
            int longest_exit):
        """Opens a file whose header was checked, and returns its number."""
        cdef StoredTable* t
        cdef uint32_t i, blocks = 0
        cdef uint64_t size, left, place
        cdef uint8_t* begin
        cdef int plane
        cdef const uint8_t* entry = <const uint8_t*>PyBytes_AS_STRING(directory)
        t = <StoredTable*>realloc(self.set.table, (self.set.tables + 1) * sizeof(StoredTable))
        if t == NULL:
            raise MemoryError
        self.set.table = t
        t = &self.set.table[self.set.tables]
        memset(t, 0, sizeof(StoredTable))
        make_shape(&t.shape, sizes)
        name = os.fsencode(os.path.abspath(path))
        if blocks_open(&t.file, name) != 0:
            raise TablebaseError(f"{path} cannot be opened")
        self.set.tables += 1
        self.paths.append(str(path))
        t.file.number = self.set.tables - 1
        t.file.count = len(directory) // 16
        t.file.entry = <blocks_entry*>malloc(max(t.file.count, 1) * sizeof(blocks_entry))
        if t.file.entry == NULL:
            raise MemoryError
        for i in range(t.file.count):
            t.file.entry[i].offset = little(&entry[16 * i], 8)
            t.file.entry[i].length = <uint32_t>little(&entry[16 * i + 8], 4)
            t.file.entry[i].crc = <uint32_t>little(&entry[16 * i + 12], 4)
            if t.file.entry[i].offset > t.file.size or t.file.size - t.file.entry[i].offset < t.file.entry[i].length:
                raise TablebaseError(f"{path} is broken: a block lies outside the file")
            if t.file.entry[i].length > BLOCK_ROOM:
                raise TablebaseError(f"{path} is broken: a block has too many bytes")
        t.entries = entries
        t.denominator = denominator
        t.longest_exit = longest_exit
        self.set.most_men = max(self.set.most_men, sum(sizes))
        for plane in range(PLANES):
            t.plane[plane].width = widths[plane]
            t.plane[plane].first_block = blocks
            blocks += <uint32_t>((entries * t.plane[plane].width + BLOCK_BYTES - 1) // BLOCK_BYTES)
        if blocks != t.file.count:
            raise TablebaseError(f"{path} is broken: it has {t.file.count} blocks, not {blocks}")
        if packed:
            ready_cache(self)
            return self.set.tables - 1
        t.file.whole = <uint8_t*>malloc(entries * (t.plane[0].width + t.plane[1].width))
        if t.file.whole == NULL:
            raise MemoryError
        begin = t.file.whole
        for plane in range(PLANES):
            left = entries * t.plane[plane].width
            i = t.plane[plane].first_block
            place = t.file.entry[i].offset
            t.plane[plane].plain = begin
            while left > 0:
                size = min(left, <uint64_t>BLOCK_BYTES)
                if t.file.entry[i].offset != place or t.file.entry[i].length != size:
                    raise TablebaseError(f"{path} is broken: its blocks are not in their places")
                if blocks_fetch(&t.file, i, begin) != 0:
                    raise broken_block(path, i)
                begin += size
                left -= size
                place += size
                i += 1
        return self.set.tables - 1

    def load(self, uint32_t number, int plane):
        """Decodes a whole plane into memory; afterwards it is read from there."""
        cdef StoredTable* t = &self.set.table[number]
        cdef uint64_t size = t.entries * t.plane[plane].width, place = 0
        cdef uint32_t i = t.plane[plane].first_block
        if t.plane[plane].plain != NULL:
            return
        whole = PyBytes_FromStringAndSize(NULL, size)
        cdef uint8_t* target = <uint8_t*>PyBytes_AS_STRING(whole)
        while place < size:
            if blocks_decode(
                &self.set.cache.zstd, &t.file, i, target + place, min(size - place, <uint64_t>BLOCK_BYTES)
            ) != 0:
                raise broken_block(self.paths[number], i)
            place += BLOCK_BYTES
            i += 1
        self.keep[number, plane] = whole
        t.plane[plane].plain = target

    def add_view(self, uint32_t number, up, down, offsets, groups):
        """Tells that a material is of a table's class.

        offsets, groups: for red and for black to move, where positions begin, and the group of each identity.
        """
        cdef TableView view
        cdef int side, i
        memset(&view, 0, sizeof(TableView))
        view.pool = counts_of(self, down)
        view.alive = counts_of(self, up) + view.pool
        view.table = number
        for side in range(2):
            view.offset[side] = offsets[side]
            for i in range(IDENTITY_COUNT):
                view.group[side][i // KINDS * KINDS + <int>self.code_of_kind[i % KINDS]] = groups[side][i]
        if 2 * (self.set.views + 1) > self.set.view_mask:
            grow(self)
        put_view(&self.set, &view)
        self.set.views += 1

    def probe(self, bytes cells, bytes pool, int side):
        """What is stored of a position: the table's number and an entry of each plane; None if there is no table.

        cells: for each square an identity in the order KGMRNCPkgmrncp, 14 for a face-down man, 15 for nothing. pool: 14
        counts. side: the colour to move.
        """
        cdef bb_t[MAX_GROUPS] men
        cdef const TableView* view
        cdef const StoredTable* t
        cdef int square, cell, group
        cdef uint64_t index
        cdef int32_t result, leaving
        up = [0] * IDENTITY_COUNT
        for cell in cells:
            if cell < HIDDEN_CELL:
                up[cell] += 1
        cdef uint64_t hidden = counts_of(self, pool)
        if max(up) > 15:
            return None
        view = find_view(&self.set, counts_of(self, up) + hidden, hidden)
        if view == NULL:
            return None
        t = &self.set.table[view.table]
        memset(men, 0, sizeof(men))
        for square in range(SQUARES):
            cell = cells[square]
            if cell != EMPTY_CELL:
                group = t.shape.groups - 1
                if cell < HIDDEN_CELL:
                    group = view.group[side][cell // KINDS * KINDS + <int>self.code_of_kind[cell % KINDS]]
                men[group] |= <bb_t>1 << square
        index = view.offset[side] + shape_index(&t.shape, men)
        result = read_plane(&self.set, t, PLANE_RESULT, index)
        leaving = read_plane(&self.set, t, PLANE_EXIT, index)
        if result < 0 or leaving < 0:
            raise broken_block(self.paths[view.table], -1)
        return view.table, result, leaving

    def read(self, uint32_t number, int plane, uint64_t index):
        """An entry of a plane."""
        cdef int32_t value = read_plane(&self.set, &self.set.table[number], plane, index)
        if value < 0:
            raise broken_block(self.paths[number], -1)
        return value


cdef uint64_t counts_of(Tables tables, counts_by_kind):
    """Fourteen counts in the order KGMRNCPkgmrncp as Board.pool has them."""
    cdef uint64_t counts = 0
    cdef int i
    for i in range(IDENTITY_COUNT):
        counts += <uint64_t>counts_by_kind[i] << 4 * (i // KINDS * KINDS + <int>tables.code_of_kind[i % KINDS])
    return counts


cdef int ready_cache(Tables tables) except -1:
    """Finds zstd and takes the cache's memory, the first time that they are needed."""
    if tables.set.cache.slots != 0:
        return 0
    find_zstd(&tables.set.cache.zstd)
    check_memory(tables.cache_bytes, f"a cache of {tables.cache_bytes >> 20} MB")
    if blocks_allocate(&tables.set.cache, tables.cache_bytes) != 0:
        blocks_free(&tables.set.cache)
        raise LimitError(f"a cache of {tables.cache_bytes >> 20} MB does not fit into memory")
    return 0


cdef int grow(Tables tables) except -1:
    """Doubles the places for views."""
    cdef TableView* before = tables.set.view
    cdef uint64_t i, places = tables.set.view_mask + 1
    cdef TableView* view = <TableView*>calloc(2 * places, sizeof(TableView))
    if view == NULL:
        raise MemoryError
    tables.set.view = view
    tables.set.view_mask = 2 * places - 1
    for i in range(places):
        if before[i].alive != 0:
            put_view(&tables.set, &before[i])
    free(before)
    return 0


cdef uint64_t little(const uint8_t* bytes, int count) noexcept:
    """An unsigned number, lowest byte first."""
    cdef uint64_t x = 0
    cdef int i
    for i in range(count):
        x |= <uint64_t>bytes[i] << 8 * i
    return x


cdef void put_view(TableSet* tables, const TableView* view) noexcept:
    cdef uint64_t place = view_place(view.alive, view.pool) & tables.view_mask
    while tables.view[place].alive != 0:
        place = (place + 1) & tables.view_mask
    tables.view[place] = view[0]


cdef broken_block(path, block):
    where = "a block" if block < 0 else f"block {block}"
    return TablebaseError(f"{path} is broken: {where} is not what was written")


cdef int find_zstd(zstd_library* library) except -1:
    if zstd_open(library) != 0:
        raise TablebaseError("these tables need the zstd library, libzstd.so.1, which is not installed")
    return 0


def compress(const uint8_t[::1] data not None, int level):
    """The bytes as one zstd frame."""
    cdef zstd_library library
    memset(&library, 0, sizeof(zstd_library))
    find_zstd(&library)
    cdef size_t room = library.bound(data.shape[0])
    packed = PyBytes_FromStringAndSize(NULL, room)
    cdef size_t size = library.compress(PyBytes_AS_STRING(packed), room, &data[0], data.shape[0], level)
    if library.is_error(size):
        raise TablebaseError("zstd cannot compress a block")
    return packed[:size]


globals().update(BLOCK_BYTES=BLOCK_BYTES, MAX_MEN=MAX_MEN)
