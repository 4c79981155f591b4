# Counting the leaves of the game tree: rules page, section 10.

cdef enum:
    # Look at the clock once for so many positions that have at least two actions to come.
    PERFT_WATCH = 64


cdef struct PerftWork:
    const RuleSet* rules
    # Where leaves are made when every one is made: one place each, so that no compiler leaves them out.
    Board[MAX_ACTIONS] leaf
    Watch watch
    int unwatched
    bint stopped


cdef inline bint perft_stops(PerftWork* work) noexcept nogil:
    work.unwatched += 1
    if work.unwatched >= PERFT_WATCH and not work.stopped:
        work.unwatched = 0
        work.stopped = interrupted(&work.watch, clock_now())
    return work.stopped


cdef uint64_t count_leaves(PerftWork* work, const Board* b, int depth) noexcept nogil:
    """Leaves after `depth` >= 1 actions, the last level counted without making it. 0 when interrupted."""
    cdef ActionList list
    cdef Board after
    cdef uint64_t leaves = 0
    cdef int i, identity
    if decided(b) != 0:
        return 0
    if depth == 1:
        return count_actions(work.rules, b)
    if perft_stops(work):
        return 0
    list.count = 0
    generate_plain_moves(work.rules, b, &list)
    for i in range(list.count):
        play(b, list.action[i], &after)
        if depth > 2:
            leaves += count_leaves(work, &after, depth - 1)
        elif decided(&after) == 0:
            leaves += count_actions(work.rules, &after)
    if b.hidden == 0:
        return leaves
    list.count = 0
    generate_flips(b.hidden, &list)
    for i in range(list.count):
        for identity in range(IDENTITIES):
            if counted(b.pool, identity) != 0:
                reveal(b, list.action[i], identity, &after)
                leaves += count_leaves(work, &after, depth - 1)
    return leaves


cdef uint64_t make_leaves(PerftWork* work, const Board* b, int depth) noexcept nogil:
    """The same number with every leaf made."""
    cdef ActionList list
    cdef Board after
    cdef uint64_t leaves = 0
    cdef int i, identity
    if decided(b) != 0 or depth > 1 and perft_stops(work):
        return 0
    list.count = 0
    generate_plain_moves(work.rules, b, &list)
    if depth == 1:
        for i in range(list.count):
            play(b, list.action[i], &work.leaf[i])
        leaves = list.count
    else:
        for i in range(list.count):
            play(b, list.action[i], &after)
            leaves += make_leaves(work, &after, depth - 1)
    if b.hidden == 0:
        return leaves
    list.count = 0
    generate_flips(b.hidden, &list)
    for i in range(list.count):
        for identity in range(IDENTITIES):
            if counted(b.pool, identity) != 0:
                if depth == 1:
                    reveal(b, list.action[i], identity, &work.leaf[identity])
                    leaves += 1
                else:
                    reveal(b, list.action[i], identity, &after)
                    leaves += make_leaves(work, &after, depth - 1)
    return leaves
