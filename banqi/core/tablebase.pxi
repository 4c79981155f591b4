# What endgame tables say of a board, in C: the view of its material, and the entry. The files are tablebase.pxd's.


cdef inline uint64_t men_alive(const Board* b) noexcept nogil:
    """What is not captured, counted as in Board.pool."""
    cdef uint64_t alive = b.pool & COUNTS
    cdef bb_t men = b.mine | b.theirs
    cdef int square, side = side_of(b)
    while men != 0:
        square = lowest(men)
        alive += one_of(KINDS * (side ^ <int>((b.theirs >> square) & 1)) + code_at(b, square))
        men &= men - 1
    return alive


cdef inline uint64_t table_index(const TableSet* tables, const TableView* view, const Board* b) noexcept nogil:
    """The number of a position in the table of its material's view."""
    cdef const StoredTable* t = &tables.table[view.table]
    cdef bb_t[MAX_GROUPS] groups
    cdef bb_t men = b.mine | b.theirs
    cdef int square, i, side = side_of(b)
    for i in range(t.shape.groups):
        groups[i] = 0
    while men != 0:
        square = lowest(men)
        i = KINDS * (side ^ <int>((b.theirs >> square) & 1)) + code_at(b, square)
        groups[view.group[side][i]] |= square_bit(square)
        men &= men - 1
    if b.hidden != 0:
        groups[t.shape.groups - 1] = b.hidden
    return view.offset[side] + shape_index(&t.shape, groups)
