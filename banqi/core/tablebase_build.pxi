# Solving a class of endings by retrograde analysis, on the rules of banqi.pxi and house.pxi.
#
# While it is solved, a class is numbered loosely: five bits for each man's square, but the first man's square is one of
# the eight that the board's symmetries leave; equal men stand in ascending order. So a step changes few bits. What the
# squares are numbered like is tablebase.pxd's business at the end.
#
# Every action but a step leads out of the class, into a smaller one whose tables are known: an *exit*. In a class
# with men face down exits pay expected results. Between exits the game is deterministic, and endless play is a draw. So
# from the largest payoff down, each payoff is one problem of reaching it: who can force it, and how soon. Steps are
# taken back from each position that is solved to those that led to it: as no step has a direction, a step back is a
# step of a man of the side that has just moved.

cdef enum:
    NO_EXIT = -127
    # Worths where everything is face up: a win in n plies is DECIDED - n, a loss n - DECIDED.
    DECIDED = 1 << 20
    # Look for signals once for so many positions.
    BUILD_WATCH = 1 << 16
    NOBODY = 2
    # Bytes for the squares of MAX_MEN men: more, or compilers that do not know the number of men warn.
    LANE_ROOM = 16

# Where a man steps to on an empty board.
cdef bb_t[SQUARES] BESIDE


cdef void make_beside() noexcept nogil:
    cdef int square
    for square in range(SQUARES):
        BESIDE[square] = quad_any(step_from(square_bit(square)))


make_beside()


cdef struct Kernel:
    const RuleSet* rules
    const TableSet* tables
    # Men, those face down behind the others. Lane 0 stands on one of eight squares.
    int lanes
    int[MAX_MEN] code
    # The colour, NOBODY face down.
    int[MAX_MEN] colour
    # Each lane's first and last lane of men equal to it, itself included; lane 0 is on its own.
    int[MAX_MEN] first
    int[MAX_MEN] last
    uint64_t pool
    # What expected results are counted in: the factorial of the face-down men. 0 where everything is face up.
    int denominator
    # Positions, loosely, with one side to move.
    uint64_t half
    # For each position: steps whose results are not known as lost; the best exit's payoff, and in how many plies it
    # ends; what is known, as 2 * plies + 2 + (1 for a win), 0 for nothing; and its payoff.
    uint8_t* steps
    int8_t* payoff
    uint16_t* payoff_plies
    uint16_t* known
    int8_t* value
    # Found while working: a class that no table was given for, a broken block, a distance that is too long.
    bint missing
    bint broken
    bint too_long
    Watch watch


cdef inline uint64_t pack(const Kernel* k, uint8_t* square) noexcept nogil:
    """The number of the men's squares, lane by lane, which it mirrors and sorts."""
    cdef int lane, i, lanes = k.lanes
    cdef uint8_t mirror = (3 if square[0] & 2 else 0) | (28 if square[0] & 16 else 0)
    cdef uint8_t moving
    cdef uint64_t number
    for lane in range(lanes):
        square[lane] ^= mirror
    for lane in range(2, lanes):
        moving = square[lane]
        i = lane
        while i > k.first[lane] and square[i - 1] > moving:
            square[i] = square[i - 1]
            i -= 1
        square[i] = moving
    number = (square[0] & 1) | (square[0] >> 2) << 1
    for lane in range(1, lanes):
        number |= <uint64_t>square[lane] << (5 * lane - 2)
    return number


cdef inline bb_t unpack(const Kernel* k, uint64_t number, uint8_t* square) noexcept nogil:
    """The occupied squares of a numbered position; 0 if the number stands for none."""
    cdef int lane, lanes = k.lanes
    cdef bb_t occupied
    square[0] = <uint8_t>((number & 1) | (number >> 1 & 3) << 2)
    occupied = square_bit(square[0])
    for lane in range(1, lanes):
        square[lane] = <uint8_t>(number >> (5 * lane - 2) & 31)
        if (occupied >> square[lane]) & 1 or lane > k.first[lane] and square[lane] < square[lane - 1]:
            return 0
        occupied |= square_bit(square[lane])
    return occupied


cdef inline void set_board(const Kernel* k, const uint8_t* square, int side, Board* b) noexcept nogil:
    cdef int lane, i
    cdef bb_t[3] men
    for i in range(3):
        b.plane[i] = 0
        men[i] = 0
    for lane in range(k.lanes):
        set_code(b, square[lane], k.code[lane])
        men[k.colour[lane]] |= square_bit(square[lane])
    b.mine = men[side]
    b.theirs = men[side ^ 1]
    b.hidden = men[NOBODY]
    b.pool = k.pool | <uint64_t>side << 63


# ---- exits -----------------------------------------------------------------------------------------------------
#
# A worth is a payoff, with its plies where everything is face up, so that sooner wins and later losses are greater.

cdef inline int worth_of_end(const Kernel* k, int plies) noexcept nogil:
    """What a game that is won in so many plies is worth."""
    return k.denominator if k.denominator != 0 else DECIDED - plies


cdef inline int a_ply_later(const Kernel* k, int worth) noexcept nogil:
    if k.denominator != 0 or worth == 0:
        return worth
    return worth - 1 if worth > 0 else worth + 1


cdef int look(Kernel* k, const Board* b) noexcept nogil:
    """The worth, to the side to move, of a position of a smaller class."""
    cdef const TableView* view
    cdef const StoredTable* t
    cdef int32_t entry
    if decided(b) != 0:
        return decided(b) * worth_of_end(k, 0)
    view = find_view(k.tables, men_alive(b), b.pool & COUNTS)
    if view == NULL:
        k.missing = True
        return 0
    t = &k.tables.table[view.table]
    entry = read_plane(k.tables, t, PLANE_RESULT, table_index(k.tables, view, b))
    if entry < 0:
        k.broken = True
        return 0
    if t.denominator != 0:
        return (entry - t.denominator) * (k.denominator / t.denominator)
    if entry == 0:
        return 0
    # An even number of plies to the end: the side to move loses.
    entry -= 1
    return worth_of_end(k, entry) if entry & 1 else -worth_of_end(k, entry)


cdef int settle(Kernel* k, const Board* after) noexcept nogil:
    """The worth of what an action led to, to the side that acted; the whole of a chain is one ply."""
    cdef Board next
    cdef ActionList list
    cdef int i, best
    if not in_chain(after):
        return a_ply_later(k, -look(k, after))
    if decided(after) > 0:
        return worth_of_end(k, 1)
    next = after[0]
    pass_turn(&next)
    best = a_ply_later(k, -look(k, &next))
    list.count = 0
    generate_house_captures(k.rules, after, &list)
    for i in range(list.count):
        play_in_house(k.rules, after, list.action[i], &next)
        best = max(best, settle(k, &next))
    list.count = 0
    generate_attempts(k.rules, after, &list)
    for i in range(list.count):
        best = max(best, settle_reveal(k, after, list.action[i]))
    return best


cdef int settle_reveal(Kernel* k, const Board* b, Action action) noexcept nogil:
    """The mean worth of a flip or an attempt. It is whole: the worth counts in the factorial of the face-down men."""
    cdef Board after
    cdef int identity, sum = 0
    for identity in range(IDENTITIES):
        if counted(b.pool, identity) != 0:
            attempt(k.rules, b, action, identity, &after)
            sum += counted(b.pool, identity) * settle(k, &after)
    return sum / popcount(b.hidden)


cdef void find_exits(Kernel* k, const Board* b, uint64_t number) noexcept nogil:
    """Stores the best of all actions but steps."""
    cdef Board after
    cdef ActionList list
    cdef int i, best = -2 * DECIDED
    list.count = 0
    generate_captures(k.rules, b, &list)
    for i in range(list.count):
        play_in_house(k.rules, b, list.action[i], &after)
        best = max(best, settle(k, &after))
    if b.hidden != 0:
        list.count = 0
        generate_reveals(k.rules, b, b.hidden, &list)
        for i in range(list.count):
            best = max(best, settle_reveal(k, b, list.action[i]))
    k.payoff_plies[number] = 1
    if best == -2 * DECIDED:
        k.payoff[number] = NO_EXIT
        k.payoff_plies[number] = 0
    elif k.denominator != 0:
        k.payoff[number] = <int8_t>best
    elif best == 0:
        k.payoff[number] = 0
    else:
        k.payoff[number] = 1 if best > 0 else -1
        k.payoff_plies[number] = <uint16_t>(DECIDED - abs(best))


# ---- solving -----------------------------------------------------------------------------------------------------

cdef inline uint16_t as_known(int plies, bint won) noexcept nogil:
    return <uint16_t>(2 * plies + 2 + won)


cdef inline int plies_known(uint16_t known) noexcept nogil:
    return (known >> 1) - 1


cdef inline int side_at(const Kernel* k, uint64_t number) noexcept nogil:
    """The colour to move; the class's first side is red."""
    return number >= k.half


cdef bint prepare(Kernel* k, bint exits) noexcept nogil:
    """Counts the steps of every position, and finds the exits if asked for. False if interrupted or in vain."""
    cdef uint64_t number
    cdef uint8_t[LANE_ROOM] square
    cdef Board b
    cdef int side
    for number in range(2 * k.half):
        if number % BUILD_WATCH == 0 and interrupted(&k.watch, clock_now()):
            return False
        k.known[number] = 0
        side = side_at(k, number)
        if unpack(k, number % k.half, square) == 0:
            k.steps[number] = 255
            k.payoff[number] = 0
            continue
        set_board(k, square, side, &b)
        k.steps[number] = <uint8_t>quad_popcount(steps(&b, b.mine))
        if exits:
            find_exits(k, &b, number)
            if k.missing or k.broken:
                return False
    return True


cdef inline int exit_plies(const Kernel* k, uint64_t number, bint to_end) noexcept nogil:
    """In how many plies the best exit counts as reached: at once, or when the game ends."""
    if k.payoff[number] == NO_EXIT:
        return 0
    return k.payoff_plies[number] if to_end else 1


cdef inline bint is_forced(const Kernel* k, uint64_t number, int payoff) noexcept nogil:
    """Whether nothing is left but to pay at least a payoff."""
    return k.steps[number] == 0 and k.payoff[number] <= -payoff


cdef int begin_payoff(Kernel* k, int payoff, bint to_end) noexcept nogil:
    """Marks what exits alone decide; returns the most plies that it takes, -1 if nothing is decided."""
    cdef uint64_t number
    cdef int plies, most = -1
    for number in range(2 * k.half):
        if k.known[number] != 0:
            continue
        if k.payoff[number] >= payoff:
            plies = exit_plies(k, number, to_end)
            k.known[number] = as_known(plies, True)
            k.value[number] = payoff
        elif is_forced(k, number, payoff):
            plies = exit_plies(k, number, to_end)
            k.known[number] = as_known(plies, False)
            k.value[number] = -payoff
        else:
            continue
        most = max(most, plies)
    return most


cdef void take_back(Kernel* k, uint64_t number, int payoff, bint to_end, int* most) noexcept nogil:
    """Tells the positions from which a step led to a solved one."""
    cdef uint8_t[LANE_ROOM] square
    cdef uint8_t[LANE_ROOM] before
    cdef int plies = plies_known(k.known[number]) + 1
    cdef bint won = k.known[number] & 1
    cdef int lane, i, mover = side_at(k, number) ^ 1
    cdef uint64_t half = k.half if number < k.half else 0
    cdef uint64_t loose = number % k.half, from_
    cdef bb_t occupied = unpack(k, loose, square), origins
    for lane in range(k.lanes):
        if k.colour[lane] != mover:
            continue
        origins = BESIDE[square[lane]] & ~occupied
        while origins != 0:
            if lane != 0 and k.first[lane] == k.last[lane]:
                from_ = loose ^ <uint64_t>(square[lane] ^ lowest(origins)) << (5 * lane - 2)
            else:
                for i in range(k.lanes):
                    before[i] = square[i]
                before[lane] = <uint8_t>lowest(origins)
                from_ = pack(k, before)
            origins &= origins - 1
            from_ += half
            if not won:
                if k.known[from_] == 0 or k.value[from_] == payoff and plies_known(k.known[from_]) > plies:
                    k.known[from_] = as_known(plies, True)
                    k.value[from_] = payoff
                    most[0] = max(most[0], plies)
                continue
            k.steps[from_] -= 1
            if k.known[from_] == 0 and is_forced(k, from_, payoff):
                i = plies
                if k.payoff[from_] == -payoff:
                    i = max(plies, exit_plies(k, from_, to_end))
                k.known[from_] = as_known(i, False)
                k.value[from_] = -payoff
                most[0] = max(most[0], i)


cdef bint solve_payoff(Kernel* k, int payoff, bint to_end) noexcept nogil:
    """Finds who can force a payoff, and in how many plies. False if interrupted or a distance is too long."""
    cdef uint64_t number
    cdef int most = begin_payoff(k, payoff, to_end)
    cdef int plies = 0
    cdef uint16_t known
    while plies <= most:
        if most > 16000:
            k.too_long = True
            return False
        for number in range(2 * k.half):
            known = k.known[number]
            if plies_known(known) == plies and known != 0 and abs(k.value[number]) == payoff:
                take_back(k, number, payoff, to_end, &most)
            if number % BUILD_WATCH == 0 and interrupted(&k.watch, clock_now()):
                return False
        plies += 1
    return True


cdef bint solve(Kernel* k, bint to_end) noexcept nogil:
    """Solves the class for all payoffs: with the plies to the game's end, or to the next exit. Exits are known."""
    cdef int payoff = max(k.denominator, 1)
    while payoff > 0:
        if not solve_payoff(k, payoff, to_end):
            return False
        payoff -= 1
    return True


cdef void number_densely(
    const Kernel* k, const Shape* shape, const int* first_lane, uint64_t entries, bint results, uint16_t* target
) noexcept nogil:
    """Writes what is known of every position of a table, in its order: results, or else plies.

    A result is 1 + plies for a win or a loss, 0 for a draw; with men face down, the payoff plus the denominator. Plies
    are 0 for a draw. first_lane: for each group the first of its lanes.
    """
    cdef bb_t[MAX_GROUPS] groups
    cdef uint8_t[LANE_ROOM] square
    cdef uint64_t index, number
    cdef int i, lane
    for index in range(entries):
        shape_men(shape, index % shape.placements, groups)
        for i in range(shape.groups):
            lane = first_lane[i]
            while groups[i] != 0:
                square[lane] = <uint8_t>lowest(groups[i])
                groups[i] &= groups[i] - 1
                lane += 1
        number = pack(k, square)
        if index >= shape.placements:
            number += k.half
        if not results:
            target[index] = <uint16_t>(plies_known(k.known[number]) if k.known[number] != 0 else 0)
        elif k.denominator != 0:
            target[index] = <uint16_t>(k.denominator + (k.value[number] if k.known[number] != 0 else 0))
        else:
            target[index] = k.known[number] >> 1
