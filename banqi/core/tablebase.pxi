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


cdef Value stored_value(const RuleSet* rules, const TableSet* tables, const Position* p) noexcept nogil:
    """ending_value() of a position with no more men than the tables know."""
    cdef const TableView* view = find_view(tables, p.alive, p.board.pool & COUNTS)
    cdef const StoredTable* t
    cdef uint64_t index
    cdef int32_t result, plies
    if view == NULL or in_chain(&p.board) or rules.perpetual_loses:
        return NO_VALUE
    t = &tables.table[view.table]
    index = table_index(tables, view, &p.board)
    result = read_plane(tables, t, PLANE_RESULT, index)
    if result < 0:
        return NO_VALUE
    result -= t.denominator
    if result == 0:
        return 0
    if t.longest_exit > rules.quiet_limit:
        return NO_VALUE
    plies = 0
    if p.quiet + t.longest_exit > rules.quiet_limit or t.denominator != 0:
        plies = read_plane(tables, t, PLANE_EXIT, index)
        if plies < 0 or p.quiet + plies > rules.quiet_limit:
            return NO_VALUE
    if t.denominator != 0:
        # A certain result is no more than an estimate's best: how far the end is, no table says.
        if result > 0:
            return ESTIMATE - plies if result == t.denominator else result * (UNIT / t.denominator)
        return plies - ESTIMATE if result == -t.denominator else result * (UNIT / t.denominator)
    result -= 1
    return max(UNIT - result, <Value>PROVEN) if result & 1 else min(result - UNIT, -<Value>PROVEN)


cdef inline Value ending_value(const RuleSet* rules, const TableSet* tables, const Position* p) noexcept nogil:
    """What tables know a position to be worth to its side to move under the quiet limit, else NO_VALUE.

    A win keeps clear of the limit if the next exit comes before it, and all that can come later do: they begin anew.
    """
    if popcount(p.board.mine | p.board.theirs | p.board.hidden) > tables.most_men:
        return NO_VALUE
    return stored_value(rules, tables, p)
