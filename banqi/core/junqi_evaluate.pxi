# The evaluation of Junqi: what a position is worth to the side to move, as an expected result.

cdef enum:
    POINT = 4
    # The score that is worth an expected result of 1 / sqrt(2).
    SCORE_SCALE = 60 * POINT
    # For each node that a man can move to.
    MOBILITY = 1

# Points by code: landmine, flag, bomb, engineer, platoon ... marshal. The flag decides the game by itself.
cdef int[KINDS] POINTS = [4, 0, 14, 8, 3, 4, 6, 8, 12, 17, 23, 30]
cdef int[KINDS] WORTH


cdef void make_worth() noexcept nogil:
    cdef int code
    for code in range(KINDS):
        WORTH[code] = POINTS[code] * POINT


make_worth()


cdef inline int mobility(const Board* b) noexcept nogil:
    """The nodes that men of the side to move reach by one edge."""
    cdef bb_t men = b.mine & movable(b)
    cdef bb_t open = goals(b)
    cdef int n = 0
    while men != 0:
        n += popcount(ROADS[lowest(men)] & open)
        men &= men - 1
    return n


cdef Value evaluate(const RuleSet* rules, const Position* p) noexcept nogil:
    """The expected result for the side to move, within [-ESTIMATE, ESTIMATE]; -UNIT if it has no legal action."""
    cdef const Board* b = &p.board
    cdef int free = mobility(b)
    if free == 0 and b.hidden == 0:
        return -UNIT
    return expected((p.material if side_of(b) == RED else -p.material) + MOBILITY * free)


cdef Value reveal_ceiling(const RuleSet* rules, const Position* p, Action action) noexcept nogil:
    """No bound on what a flip may lead to is known."""
    return UNIT
