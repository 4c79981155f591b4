# House rules: chains of captures, attempts on face-down men, face-up screens. A rule set that has none of them comes
# here at most to learn it.
#
# In a chain the side that has captured is still to move, with one man only. Its end is the action from the chain's
# square to the same square.


# ---- what men can do -------------------------------------------------------------------------------------------

cdef inline int chain_square(const Board* b) noexcept nogil:
    """The square whose man may go on capturing, or -1."""
    return <int>((b.pool & CHAIN) >> 56) - 1


cdef inline void begin_chain(Board* b, int square) noexcept nogil:
    """Leaves the turn with the side to move, for the man on a square."""
    b.pool |= <uint64_t>(square + 1) << 56


cdef inline bb_t actors(const Board* b) noexcept nogil:
    """The men of the side to move that may act."""
    return square_bit(chain_square(b)) if in_chain(b) else b.mine


cdef bb_t captures_over_faceup(const Board* b, bb_t cannons) noexcept nogil:
    """What cannons jump onto if only face-up men are screens and targets."""
    cdef bb_t taken = 0
    while cannons != 0:
        # The second man seen, whether or not face-down men are looked at.
        taken |= jumps(b, lowest(cannons)) & second_seen(b.mine | b.theirs, lowest(cannons))
        cannons &= cannons - 1
    return taken


cdef inline quad_t attempts_beside(const RuleSet* rules, const Board* b, bb_t men) noexcept nogil:
    """By direction, the face-down men that may be attempted from a neighbouring square."""
    return step_from(men & ~(cannons_of(b) & rules.jumping_only)) & (b.hidden & rules.dark)


cdef inline bb_t attempts_by_jump(const RuleSet* rules, const Board* b) noexcept nogil:
    """The face-down men onto which a jump is an attempt, if a cannon gets there."""
    return 0 if rules.faceup_screens else b.hidden & rules.dark


cdef bint can_capture_on(const RuleSet* rules, const Board* b, bb_t man) noexcept nogil:
    """Whether a man of the side to move has something to capture or to attempt."""
    if quad_any(takes(rules, b, man, b.theirs)) != 0 or quad_any(attempts_beside(rules, b, man)) != 0:
        return True
    return jump_captures(rules, b, man, b.theirs | attempts_by_jump(rules, b)) != 0


cdef void append_jumps_onto(const RuleSet* rules, const Board* b, bb_t targets, ActionList* list) noexcept nogil:
    cdef bb_t cannons = jumpers(rules, b, actors(b))
    cdef bb_t bits
    cdef int square
    while cannons != 0:
        square = lowest(cannons)
        bits = jump_captures(rules, b, square_bit(square), targets)
        while bits != 0:
            append(list, square, lowest(bits))
            bits &= bits - 1
        cannons &= cannons - 1


cdef void generate_house_captures(const RuleSet* rules, const Board* b, ActionList* list) noexcept nogil:
    append_quad(list, takes(rules, b, actors(b), b.theirs))
    append_jumps_onto(rules, b, b.theirs, list)


cdef void generate_house_moves(const RuleSet* rules, const Board* b, ActionList* list) noexcept nogil:
    if in_chain(b):
        append(list, chain_square(b), chain_square(b))
    else:
        append_quad(list, steps(b, b.mine))
    generate_house_captures(rules, b, list)


cdef void generate_attempts(const RuleSet* rules, const Board* b, ActionList* list) noexcept nogil:
    append_quad(list, attempts_beside(rules, b, actors(b)))
    append_jumps_onto(rules, b, attempts_by_jump(rules, b), list)


cdef int count_house_actions(const RuleSet* rules, const Board* b) noexcept nogil:
    """count_actions() under house rules."""
    cdef ActionList list
    list.count = 0
    generate_moves(rules, b, &list)
    cdef int n = list.count
    if b.hidden != 0:
        list.count = 0
        generate_reveals(rules, b, b.hidden, &list)
        n += list.count * kinds_hidden(b)
    return n


cdef bint is_legal_in_house(const RuleSet* rules, const Board* b, int origin, int target) noexcept nogil:
    cdef bb_t goal = square_bit(target)
    cdef bb_t man = actors(b) & square_bit(origin)
    if origin == target:
        return chain_square(b) == origin if in_chain(b) else (b.hidden & goal) != 0
    if man == 0:
        return False
    if (quad_any(takes(rules, b, man, b.theirs) | attempts_beside(rules, b, man)) & goal) != 0:
        return True
    if not in_chain(b) and (quad_any(steps(b, man)) & goal) != 0:
        return True
    return (jump_captures(rules, b, man, b.theirs | attempts_by_jump(rules, b)) & goal) != 0


cdef inline bint takes_when_shown(const RuleSet* rules, const Board* b, Action action, int identity) noexcept nogil:
    """Whether an attempt captures what it shows: by a jump any enemy, from a neighbouring square as the table says."""
    cdef int colour = identity >= KINDS
    if colour == side_of(b):
        return False
    if (quad_any(step_from(square_bit(origin_of(action)))) & square_bit(target_of(action))) == 0:
        return True
    return (rules.takes[code_at(b, origin_of(action))] >> (identity - KINDS * colour)) & 1


# ---- what a position becomes -----------------------------------------------------------------------------------

cdef inline void pass_turn(Board* b) noexcept nogil:
    """Gives the turn to the other side. A chain is over."""
    cdef bb_t men = b.mine
    b.mine = b.theirs
    b.theirs = men
    b.pool = (b.pool ^ BLACK_TO_MOVE) & ~CHAIN


cdef void keep_turn(const RuleSet* rules, Board* b, int square) noexcept nogil:
    """After a capture, by which the turn has passed: gives it back if the capturer, on `square`, may capture on."""
    if not rules.chaining[code_at(b, square)]:
        return
    pass_turn(b)
    if can_capture_on(rules, b, square_bit(square)):
        begin_chain(b, square)
    else:
        pass_turn(b)


cdef void play_in_house(const RuleSet* rules, const Board* b, Action action, Board* after) noexcept nogil:
    """An action that reveals nothing, the end of a chain included."""
    if origin_of(action) == target_of(action):
        after[0] = b[0]
        pass_turn(after)
        return
    play(b, action, after)
    after.pool &= ~CHAIN
    if captures(b, action):
        keep_turn(rules, after, target_of(action))


cdef void attempt(const RuleSet* rules, const Board* b, Action action, int identity, Board* after) noexcept nogil:
    """A flip or an attempt that shows an identity of the pool."""
    cdef Board shown
    if origin_of(action) == target_of(action) or not takes_when_shown(rules, b, action, identity):
        reveal(b, action, identity, after)
        return
    reveal(b, action, identity, &shown)
    pass_turn(&shown)
    play_in_house(rules, &shown, action, after)


cdef void make_in_house(const RuleSet* rules, const Position* p, Action action, Position* after) noexcept nogil:
    """play_in_house() with all that a Position carries along."""
    cdef const Board* b = &p.board
    if origin_of(action) == target_of(action):
        after[0] = p[0]
        pass_turn(&after.board)
        after.key ^= SIDE_KEY ^ CHAIN_KEY[chain_square(b)]
        return
    make_plain(rules, p, action, after)
    if in_chain(b):
        after.key ^= CHAIN_KEY[chain_square(b)]
    after.board.pool &= ~CHAIN
    if captures(b, action):
        keep_turn(rules, &after.board, target_of(action))
        if in_chain(&after.board):
            after.key ^= SIDE_KEY ^ CHAIN_KEY[target_of(action)]


cdef void make_attempt(
    const RuleSet* rules, const Position* p, Action action, int identity, Position* after
) noexcept nogil:
    """attempt() with all that a Position carries along."""
    cdef Position shown
    make_flip(p, action, identity, &shown)
    if in_chain(&p.board):
        shown.key ^= CHAIN_KEY[chain_square(&p.board)]
    if not takes_when_shown(rules, &p.board, action, identity):
        after[0] = shown
        return
    pass_turn(&shown.board)
    shown.key ^= SIDE_KEY
    make_in_house(rules, &shown, action, after)


cdef Value evaluate_in_chain(const RuleSet* rules, const Position* p) noexcept nogil:
    """evaluate() in a chain: what its end leads to."""
    cdef Position ended = p[0]
    pass_turn(&ended.board)
    return delayed(-evaluate(rules, &ended))


cdef inline bint has_won(const Position* p) noexcept nogil:
    """Whether the other side has nothing left, which it loses in the midst of a chain only."""
    return p.board.theirs == 0 and not unowned(&p.board) and colour_counts(p.alive, side_of(&p.board) ^ 1) == 0


# ---- trees and random games --------------------------------------------------------------------------------------

cdef uint64_t house_leaves(PerftWork* work, const Board* b, int depth, bint counting) noexcept nogil:
    """Leaves under house rules, with the last level made or only counted. 0 when interrupted."""
    cdef ActionList list
    cdef Board after
    cdef uint64_t leaves = 0
    cdef int i, identity
    if depth == 0:
        return 1
    if decided(b) != 0:
        return 0
    if depth == 1 and counting:
        return count_house_actions(work.rules, b)
    if perft_stops(work):
        return 0
    list.count = 0
    generate_moves(work.rules, b, &list)
    for i in range(list.count):
        play_in_house(work.rules, b, list.action[i], &after)
        leaves += house_leaves(work, &after, depth - 1, counting)
    list.count = 0
    generate_reveals(work.rules, b, b.hidden, &list)
    for i in range(list.count):
        for identity in range(IDENTITIES):
            if counted(b.pool, identity) != 0:
                attempt(work.rules, b, list.action[i], identity, &after)
                leaves += house_leaves(work, &after, depth - 1, counting)
    return leaves


cdef int house_playout(
    const RuleSet* rules, const Board* start, int quiet, uint64_t* rng, int* plies
) noexcept nogil:
    """playout() under house rules. A chain is one ply."""
    cdef Board[2] boards
    cdef Board* b = &boards[0]
    cdef Board* after = &boards[1]
    cdef ActionList list
    cdef Action action
    cdef int moves, choice
    # 1 while the side to move is the one that was to move at the start, else -1.
    cdef int mover = 1
    boards[0] = start[0]
    plies[0] = 0
    while decided(b) == 0:
        list.count = 0
        generate_moves(rules, b, &list)
        moves = list.count
        generate_reveals(rules, b, b.hidden, &list)
        if list.count == 0:
            return -mover
        if quiet >= rules.quiet_limit:
            return 0
        choice = <int>rng_below(rng, list.count)
        action = list.action[choice]
        if choice < moves:
            quiet = 0 if captures(b, action) or in_chain(b) else quiet + 1
            play_in_house(rules, b, action, after)
        else:
            quiet = 0
            attempt(rules, b, action, random_identity(b.pool, rng, popcount(b.hidden)), after)
        if not in_chain(after):
            mover = -mover
            plies[0] += 1
        elif decided(after) != 0:
            plies[0] += 1
        b, after = after, b
    return mover * decided(b)


cdef uint64_t leaves_of(PerftWork* work, const Board* b, int depth, bint counting) noexcept nogil:
    """The leaves after `depth` >= 1 actions, under house rules or without. 0 when interrupted."""
    if work.rules.house:
        return house_leaves(work, b, depth, counting)
    return count_leaves(work, b, depth) if counting else make_leaves(work, b, depth)


cdef int random_game(const RuleSet* rules, const Board* start, int quiet, uint64_t* rng, int* plies) noexcept nogil:
    """playout(), under house rules or without."""
    if rules.house:
        return house_playout(rules, start, quiet, rng, plies)
    return playout(rules, start, quiet, rng, plies)
