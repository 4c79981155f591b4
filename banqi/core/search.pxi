# The search: iterative deepening, principal variation search over decisions, Star1 and Star2 at chance nodes, one
# transposition table for both. Written against the names that a board's rules and evaluation define.
#
# A value is what a position is worth to its side to move, counted from that position: a win in n plies is UNIT - n
# there and UNIT - n - 1 one ply earlier (delayed()). So a value never depends on how the position was reached, and
# the table can hold it as it is.
#
# A chance node is worth the mean over the reveals, weighted by the pool's counts and rounded to the nearest whole
# number, halves away from zero: the same with and without pruning, and the same for both sides. Each chance level adds
# at most half a unit of rounding.

cdef enum:
    MAX_LINE = 48
    MAX_THREADS = 256
    RECAPTURE_DEPTH = 2
    CHECK_NODES = 1024
    # What it costs, in expected results, to let every reply win at once where all moves lose: more than the one game,
    # for the threat often stays.
    PATIENCE = 5
    HISTORY_LIMIT = 1 << 14
    # The histories that helper threads begin with stay below this.
    HELPER_HISTORY = 512
    # Below this depth the reveals of a chance node are not guessed.
    STAR2_DEPTH = 1
    # Half the first window around a value that is guessed or known from the iteration before.
    ASPIRATION = UNIT >> 6
    # How much further off than it was found a guess is taken to be.
    GUESS_SLIP = UNIT >> 7
    GUESS_TRIES = 8
    # Below this depth nothing is looked up in the table: waiting for memory takes longer than searching.
    TABLE_DEPTH = 2
    # What is left out where a window is empty, unless each depth is asked for as it is. Up to STANDING_DEPTH a position
    # whose evaluation is above the window by a margin for each ply; up to QUIET_DEPTH and REVEAL_DEPTH what captures
    # nothing, if the evaluation is below it. After the first FULL_MOVES, moves that capture nothing are searched one
    # ply less deep, and again if they turn out well.
    STANDING_DEPTH = 4
    STANDING_MARGIN = UNIT / 68
    QUIET_DEPTH = 2
    QUIET_MARGIN = UNIT / 102
    REVEAL_DEPTH = 3
    REVEAL_MARGIN = 0
    REDUCED_DEPTH = 3
    FULL_MOVES = 4
    ORDER_TABLE = 1 << 30
    ORDER_CAPTURE = 1 << 24
    ORDER_KILLER = 1 << 20
    # A line's item: an action, and above it the reveal that the line assumes, plus 1. NO_ACTION is the end of a chain.
    ITEM_REVEAL = 16


cdef struct Limits:
    int depth
    # 0 for none. Over all threads.
    uint64_t nodes
    # On clock_now(); infinite for none.
    double deadline


# For studies; a player's search has the first two on and the third off.
cdef struct Features:
    bint quiescence
    bint repetition
    # Leave nothing out, and use a table entry only when its depth is the one asked for, so that a value is that depth's
    # own.
    bint same_depth_only


cdef struct Line:
    int length
    uint32_t[MAX_LINE] item


# What the root knows of one of its actions.
cdef struct RootMove:
    Action action
    Value value
    Line line
    # For a flip: whether its value is exact, and then that of each reveal, to the side to move at the root.
    bint revealed
    Value[IDENTITIES] reveal


# What the threads of one search share.
cdef struct Shared:
    uint64_t stop
    uint64_t[MAX_THREADS] nodes


cdef struct Worker:
    const RuleSet* rules
    tt_table* table
    # Endgame tables, or NULL.
    const TableSet* endings
    Shared* shared
    int index
    int threads
    Limits limits
    Features features
    Watch* watch
    double started
    uint64_t nodes
    uint64_t next_check
    bint stopped
    int selective_depth
    # The game so far and the line under search. keys[base + ply] belongs to stack[ply]; played[i] led from keys[i] on.
    int base
    const Past* game
    uint64_t* keys
    Action* played
    Position[MAX_PLY + 2] stack
    Line[MAX_PLY + 2] line
    Action[MAX_PLY + 2][2] killer
    int32_t[2][SQUARES * SQUARES] history
    # The root's actions, best first once searched. If only_count is not 0, they are among `only`.
    const Action* only
    int only_count
    int root_count
    RootMove[MAX_ACTIONS] root
    bint revealed
    Value[IDENTITIES] reveal
    # At each ply, the reveal that the line behind the last exact chance node assumes, or -1.
    int[MAX_PLY + 2] assumed


# A callback for each line of each finished iteration: depth, rank of the line (0 best), the root move.
ctypedef void (*Reporter)(void* context, const Worker* w, int depth, int rank) noexcept nogil


# ---- values ----------------------------------------------------------------------------------------------------

cdef inline Value delayed(Value value) noexcept nogil:
    """What a value one ply ahead is worth now: a proven end is one ply farther away."""
    if value >= PROVEN:
        return value - 1
    if value <= -PROVEN:
        return value + 1
    return value


cdef inline Value advanced(Value bound) noexcept nogil:
    """The bound one ply ahead that stands for a bound now: delayed(advanced(x)) == x, and both keep order."""
    if bound >= PROVEN - 1:
        return bound + 1
    if bound <= 1 - PROVEN:
        return bound - 1
    return bound


cdef inline int64_t floor_div(int64_t a, int64_t b) noexcept nogil:
    """a / b rounded down; b > 0."""
    cdef int64_t q = a / b
    return q - 1 if q * b > a else q


cdef inline Value mean(int64_t sum, int64_t weight) noexcept nogil:
    """sum / weight, rounded to nearest, halves away from zero."""
    if sum >= 0:
        return <Value>((2 * sum + weight) / (2 * weight))
    return <Value>(-((weight - 2 * sum) / (2 * weight)))


cdef inline int64_t most_for(int64_t bound, int64_t weight) noexcept nogil:
    """The greatest sum whose mean is at most the bound."""
    cdef int64_t twice = (2 * bound + 1) * weight
    return floor_div(twice - 1, 2) if bound >= 0 else floor_div(twice, 2)


cdef inline int64_t least_for(int64_t bound, int64_t weight) noexcept nogil:
    """The smallest sum whose mean is at least the bound."""
    return -most_for(-bound, weight)


# ---- limits and ends -------------------------------------------------------------------------------------------

cdef void check_limits(Worker* w) noexcept nogil:
    cdef double now
    cdef uint64_t total = 0
    cdef int i
    flag_set(&w.shared.nodes[w.index], w.nodes)
    if w.limits.nodes != 0:
        for i in range(w.threads):
            total += flag_get(&w.shared.nodes[i])
        if total >= w.limits.nodes:
            flag_set(&w.shared.stop, 1)
    if w.index == 0:
        now = clock_now()
        if now >= w.limits.deadline or interrupted(w.watch, now):
            flag_set(&w.shared.stop, 1)
    w.stopped = flag_get(&w.shared.stop) != 0
    w.next_check = w.nodes + CHECK_NODES
    if w.limits.nodes > total and w.limits.nodes - total < CHECK_NODES:
        w.next_check = w.nodes + (w.limits.nodes - total)


cdef inline void count_node(Worker* w) noexcept nogil:
    """Call once for each position that an action or a reveal reaches."""
    w.nodes += 1
    if w.nodes >= w.next_check:
        check_limits(w)


cdef int repeats(const Worker* w, int ply) noexcept nogil:
    """How many plies ago the position at `ply` stood if its repetition ends the game, else 0.

    One that the line under search has already held counts at once: what led back to it can be done again. Those of
    the game before count as the rules say.
    """
    cdef int rule = w.rules.repetition
    cdef int quiet = w.stack[ply].quiet
    cdef int here = w.base + ply
    cdef int earlier, seen = 1, length, i, last = 0
    cdef uint64_t key = w.keys[here]
    if rule == REPETITION_NONE or not w.features.repetition or quiet < 4:
        return 0
    earlier = here - 4
    while earlier >= 0 and here - earlier <= quiet:
        if w.keys[earlier] == key:
            seen += 1
            if last == 0:
                last = here - earlier
            if earlier >= w.base or seen == rule:
                return last
        earlier -= 2
    if rule != REPETITION_CYCLE:
        return 0
    length = 4
    while 3 * length <= quiet and 3 * length <= here:
        i = here - 1
        while i >= here - 2 * length and w.played[i] == w.played[i - length]:
            i -= 1
        if i < here - 2 * length:
            return length
        length += 2
    return 0


cdef inline const Board* board_at(const Worker* w, int index) noexcept nogil:
    """The board that keys[index] belongs to."""
    if index >= w.base:
        return &w.stack[index - w.base].board
    return &w.game[index].before.board


cdef Value repetition_value(const Worker* w, int ply, int length) noexcept nogil:
    """What a repetition of the position `length` plies ago is worth to the side to move.

    A loss by perpetual attack depends on how the position was reached, so it is proven only where the game has come to
    it: deeper in the tree, the table would tell it of other ways.
    """
    cdef int last = w.base + ply, i
    cdef Pursuit pursuit
    if not w.rules.perpetual_loses:
        return 0
    begin_pursuit(&pursuit, board_at(w, last - length))
    for i in range(last - length, last):
        pursue(w.rules, &pursuit, w.played[i], board_at(w, i + 1))
    return (-UNIT if ply == 1 else -ESTIMATE) * loser_of(&pursuit)


cdef inline uint64_t table_key(const Worker* w, const Position* p, int depth) noexcept nogil:
    """The position's key, told apart by its quiet count where the limit is within reach."""
    if p.quiet + depth >= w.rules.quiet_limit:
        return p.key ^ rng_mix(p.quiet)
    return p.key


cdef inline bint look_up(const Worker* w, uint64_t key, int depth, tt_hit* hit) noexcept nogil:
    return depth >= TABLE_DEPTH and tt_probe(w.table, key, hit)


cdef inline void remember(Worker* w, uint64_t key, Action action, Value value, int depth, int bound) noexcept nogil:
    if depth >= TABLE_DEPTH:
        tt_store(w.table, key, action, value, depth, bound)


cdef inline bint table_serves(const Worker* w, const Position* p, const tt_hit* hit, int depth) noexcept nogil:
    """Whether an entry is deep enough, and its tree kept clear of the quiet limit as seen from here."""
    if hit.depth == depth:
        return True
    return hit.depth > depth and not w.features.same_depth_only and p.quiet + hit.depth < w.rules.quiet_limit


cdef inline bint table_cuts(const tt_hit* hit, Value alpha, Value beta) noexcept nogil:
    return (
        hit.bound == TT_EXACT
        or hit.bound == TT_LOWER and hit.value >= beta
        or hit.bound == TT_UPPER and hit.value <= alpha
    )


# ---- the line --------------------------------------------------------------------------------------------------

cdef inline void extend_line(Worker* w, int ply, uint32_t item) noexcept nogil:
    """Makes the line at `ply` this item followed by the line one ply further."""
    cdef const Line* tail = &w.line[ply + 1]
    cdef Line* line = &w.line[ply]
    cdef int length = tail.length if tail.length < MAX_LINE else MAX_LINE - 1
    line.item[0] = item
    memcpy(&line.item[1], &tail.item[0], length * sizeof(uint32_t))
    line.length = length + 1


# ---- quiescence ------------------------------------------------------------------------------------------------

cdef inline int64_t ranked(int order, Action action) noexcept nogil:
    """An action with how early it is searched, above its 16 bits."""
    return <int64_t>order * 65536 + action


cdef inline Action pick(int64_t* actions, int count, int i) noexcept nogil:
    """Moves the earliest of the ranked actions from i on to place i and returns it; of equals the first."""
    cdef int j, place = i
    cdef int64_t best = actions[i] | 0xFFFF
    for j in range(i + 1, count):
        if actions[j] > best:
            best = actions[j] | 0xFFFF
            place = j
    best = actions[place]
    actions[place] = actions[i]
    actions[i] = best
    return <Action>(best & 0xFFFF)


cdef inline Value quiesce(Worker* w, int ply, int depth, Value alpha, Value beta) noexcept nogil:
    """The value when only captures are played on, each side free to stop. The position is counted and not lost.

    Depth 0 and less; at -RECAPTURE_DEPTH and below only the man that captured last can be captured.
    """
    cdef Value value = evaluate(w.rules, &w.stack[ply])
    if value >= beta or w.stopped or ply >= MAX_PLY:
        return value
    return capture_on(w, ply, depth, value, alpha, beta)


cdef Value capture_on(Worker* w, int ply, int depth, Value best, Value alpha, Value beta) noexcept nogil:
    """quiesce() where to stop is worth `best`, less than beta."""
    cdef const Position* p = &w.stack[ply]
    cdef Position* after = &w.stack[ply + 1]
    cdef Value value
    cdef ActionList list
    cdef int64_t[MAX_ACTIONS] order
    cdef Action action
    cdef int i
    list.count = 0
    generate_captures(w.rules, &p.board, &list)
    if list.count == 0:
        return best
    if best > alpha:
        alpha = best
    if ply > w.selective_depth:
        w.selective_depth = ply
    for i in range(list.count):
        order[i] = ranked(capture_order(w.rules, &p.board, list.action[i]), list.action[i])
    for i in range(list.count):
        action = pick(order, list.count, i)
        if (
            depth <= -RECAPTURE_DEPTH
            and target_of(action) != target_of(w.played[w.base + ply - 1])
            and not in_chain(&p.board)
        ):
            continue
        w.played[w.base + ply] = action
        make(w.rules, p, action, after)
        count_node(w)
        if has_lost(after):
            return UNIT - 1
        if unusual(in_chain(&after.board)):
            value = UNIT - 1 if has_won(after) else quiesce(w, ply + 1, depth - 1, alpha, beta)
        else:
            value = delayed(-quiesce(w, ply + 1, depth - 1, -advanced(beta), -advanced(alpha)))
        if w.stopped:
            return 0
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                if value >= beta:
                    break
    return best


# ---- decisions -------------------------------------------------------------------------------------------------

cdef inline void reward(Worker* w, int side, Action action, int depth) noexcept nogil:
    """Raises an action's history, the less the higher it stands."""
    cdef int32_t* entry = &w.history[side][origin_of(action) * SQUARES + target_of(action)]
    cdef int bonus = min(depth * depth, 400) * 8
    entry[0] += bonus - entry[0] * bonus / HISTORY_LIMIT


cdef inline void punish(Worker* w, int side, Action action, int depth) noexcept nogil:
    cdef int32_t* entry = &w.history[side][origin_of(action) * SQUARES + target_of(action)]
    cdef int bonus = min(depth * depth, 400) * 8
    entry[0] -= bonus + entry[0] * bonus / HISTORY_LIMIT


cdef int order_of(const Worker* w, int ply, Action action, Action first) noexcept nogil:
    """How early an action is searched: the table's, captures by what they win, killers, the rest by history."""
    cdef const Board* b = &w.stack[ply].board
    if action == first:
        return ORDER_TABLE
    if captures(b, action):
        return ORDER_CAPTURE + capture_order(w.rules, b, action)
    if action == w.killer[ply][0]:
        return ORDER_KILLER + 1
    if action == w.killer[ply][1]:
        return ORDER_KILLER
    return w.history[side_of(b)][origin_of(action) * SQUARES + target_of(action)]


cdef inline Value follow(Worker* w, int ply, Action action, int depth, Value alpha, Value beta) noexcept nogil:
    """The value of an action to the side that plays it, at the depth of the position it is played in."""
    cdef Position* after = &w.stack[ply + 1]
    if reveals(&w.stack[ply].board, action):
        return delayed(chance(w, ply, action, depth, advanced(alpha), advanced(beta)))
    make(w.rules, &w.stack[ply], action, after)
    count_node(w)
    if unusual(in_chain(&after.board)):
        return search(w, ply + 1, depth - 1, alpha, beta)
    return delayed(-search(w, ply + 1, depth - 1, -advanced(beta), -advanced(alpha)))


cdef inline Value try_action(
    Worker* w, int ply, Action action, int depth, Value alpha, Value beta, bint expect_best
) noexcept nogil:
    """follow() with a null window first when the action is not expected to be the best."""
    cdef Value value
    w.played[w.base + ply] = action
    if expect_best or beta - alpha == 1:
        return follow(w, ply, action, depth, alpha, beta)
    value = follow(w, ply, action, depth, alpha, alpha + 1)
    if value > alpha and value < beta and not w.stopped:
        value = follow(w, ply, action, depth, alpha, beta)
    return value


cdef inline bint may_leave_out(const Worker* w, const Position* p, Value alpha, Value beta) noexcept nogil:
    """Whether a search in this window may take estimates for an answer."""
    return (
        beta - alpha == 1
        and -PROVEN < alpha and beta < PROVEN
        and not w.features.same_depth_only
        and not unusual(in_chain(&p.board))
    )


cdef inline Value most_of(const Position* p, Action action, int depth, Value standing) noexcept nogil:
    """What an action is taken to be worth at most at a small depth, UNIT if that is open. It captures nothing."""
    if reveals(&p.board, action):
        return min(standing + REVEAL_MARGIN * depth, ESTIMATE) if depth <= REVEAL_DEPTH else UNIT
    return min(standing + QUIET_MARGIN * depth, ESTIMATE) if depth <= QUIET_DEPTH else UNIT


cdef inline uint32_t line_item(const Worker* w, int ply, Action action) noexcept nogil:
    """An action for a line, with the reveal that the line behind it assumes."""
    if not reveals(&w.stack[ply].board, action):
        return action if origin_of(action) != target_of(action) else NO_ACTION
    return action | <uint32_t>(w.assumed[ply] + 1) << ITEM_REVEAL


cdef Value search(Worker* w, int ply, int depth, Value alpha, Value beta) noexcept nogil:
    """The value of stack[ply], which is counted, to its side to move. Fails soft. Meaningless once w.stopped."""
    cdef const Position* p = &w.stack[ply]
    cdef ActionList list
    cdef int64_t[MAX_ACTIONS] order
    cdef Value value, best = -UNIT - 1, alpha_before = alpha, standing = UNIT
    cdef Action action, best_action = NO_ACTION, first = NO_ACTION
    cdef uint64_t key
    cdef tt_hit hit = tt_hit(0, 0, 0, 0)
    cdef int i, j, side, length
    cdef bint sparing, quiet
    w.line[ply].length = 0
    w.keys[w.base + ply] = p.key
    if w.stopped:
        return 0
    if has_lost(p):
        return -UNIT
    if p.quiet >= w.rules.quiet_limit:
        return 0 if can_move(w.rules, &p.board) else -UNIT
    if unusual(w.rules.house) and in_chain(&p.board) and has_won(p):
        return UNIT - 1
    length = repeats(w, ply)
    if unusual(length != 0):
        return repetition_value(w, ply, length)
    if w.endings != NULL and (p.quiet == 0 or ply == 1):
        # Further positions with as few men were reached by steps from one that the tables do not settle.
        value = ending_value(w.rules, w.endings, p)
        if value != NO_VALUE:
            return value
    if depth <= 0 or ply >= MAX_PLY:
        if w.features.quiescence:
            return quiesce(w, ply, 0, alpha, beta)
        return evaluate(w.rules, p)

    key = table_key(w, p, depth)
    if look_up(w, key, depth, &hit):
        if beta - alpha == 1 and table_serves(w, p, &hit, depth) and table_cuts(&hit, alpha, beta):
            return hit.value
        if is_legal(w.rules, &p.board, <Action>hit.action):
            first = <Action>hit.action

    sparing = may_leave_out(w, p, alpha, beta)
    if sparing and depth <= max(STANDING_DEPTH, max(QUIET_DEPTH, REVEAL_DEPTH)):
        standing = evaluate(w.rules, p)
        if depth <= STANDING_DEPTH and standing - STANDING_MARGIN * depth >= beta:
            return standing

    list.count = 0
    generate_moves(w.rules, &p.board, &list)
    generate_reveals(w.rules, &p.board, distinct_flips(&p.board), &list)
    if list.count == 0:
        return -UNIT
    if ply > w.selective_depth:
        w.selective_depth = ply
    for i in range(list.count):
        order[i] = ranked(order_of(w, ply, list.action[i], first), list.action[i])
    w.killer[ply + 1][0] = NO_ACTION
    w.killer[ply + 1][1] = NO_ACTION
    side = side_of(&p.board)
    for i in range(list.count):
        action = pick(order, list.count, i)
        quiet = not captures(&p.board, action)
        if sparing and quiet and i > 0 and best > -PROVEN:
            value = most_of(p, action, depth, standing)
            if value <= alpha:
                best = max(best, value)
                continue
        value = alpha + 1
        if sparing and quiet and i >= FULL_MOVES and depth >= REDUCED_DEPTH and not reveals(&p.board, action):
            w.played[w.base + ply] = action
            value = follow(w, ply, action, depth - 1, alpha, beta)
        if value > alpha and not w.stopped:
            value = try_action(w, ply, action, depth, alpha, beta, i == 0)
        if w.stopped:
            return 0
        if value <= best:
            continue
        best = value
        if value <= alpha:
            continue
        best_action = action
        alpha = value
        if value < beta:
            extend_line(w, ply, line_item(w, ply, action))
            continue
        if not captures(&p.board, action):
            if w.killer[ply][0] != action:
                w.killer[ply][1] = w.killer[ply][0]
                w.killer[ply][0] = action
            reward(w, side, action, depth)
            for j in range(i):
                action = <Action>(order[j] & 0xFFFF)
                if not captures(&p.board, action):
                    punish(w, side, action, depth)
        break
    remember(
        w, key, best_action if best_action != NO_ACTION else first, best, depth,
        TT_LOWER if best >= beta else TT_EXACT if best > alpha_before else TT_UPPER,
    )
    return best


# ---- the root --------------------------------------------------------------------------------------------------

cdef void keep_actions(ActionList* list, const Action* only, int count) noexcept nogil:
    """Drops the actions that are not among `only`."""
    cdef int i, j, kept = 0
    for i in range(list.count):
        for j in range(count):
            if list.action[i] == only[j]:
                list.action[kept] = list.action[i]
                kept += 1
                break
    list.count = kept


cdef void find_root_moves(Worker* w) noexcept nogil:
    """The root's actions in the order in which a first search takes them."""
    cdef const Board* b = &w.stack[0].board
    cdef ActionList list
    cdef int64_t[MAX_ACTIONS] order
    cdef int i
    list.count = 0
    generate_moves(w.rules, b, &list)
    # Of flips that are the same by symmetry any may be among those to choose from.
    generate_reveals(w.rules, b, distinct_flips(b) if w.only_count == 0 else b.hidden, &list)
    if w.only_count != 0:
        keep_actions(&list, w.only, w.only_count)
    for i in range(list.count):
        order[i] = ranked(order_of(w, 0, list.action[i], NO_ACTION), list.action[i])
    w.root_count = list.count
    w.assumed[0] = -1
    for i in range(list.count):
        w.root[i].action = pick(order, list.count, i)
        w.root[i].value = evaluate(w.rules, &w.stack[0])
        w.root[i].revealed = False
        w.root[i].line.length = 1
        w.root[i].line.item[0] = line_item(w, 0, w.root[i].action)


cdef void promote(Worker* w, int place, int i) noexcept nogil:
    """Moves root move i forward to `place`; those between move back by one."""
    cdef RootMove move = w.root[i]
    memmove(&w.root[place + 1], &w.root[place], (i - place) * sizeof(RootMove))
    w.root[place] = move


cdef void search_root(Worker* w, int depth, int rank, Value alpha, Value beta) noexcept nogil:
    """Searches the root moves from `rank` on within a window; one that is better than alpha goes to `rank`, with its
    line and value. Ends at one that reaches beta. If stopped, it leaves there the best move that was finished.
    """
    cdef Value value
    cdef int i
    cdef Action action
    w.keys[w.base] = w.stack[0].key
    for i in range(rank, w.root_count):
        action = w.root[i].action
        value = try_action(w, 0, action, depth, alpha, beta, i == rank)
        if w.stopped:
            return
        if value <= alpha:
            if i == rank:
                w.root[i].value = value
            continue
        alpha = value
        w.line[0].length = 0
        extend_line(w, 0, line_item(w, 0, action))
        w.root[i].value = value
        w.root[i].line = w.line[0]
        w.root[i].revealed = w.revealed
        w.root[i].reveal = w.reveal
        promote(w, rank, i)
        if value >= beta:
            return


cdef void settle_root(Worker* w, int depth, int rank) noexcept nogil:
    """Finds the best root move from `rank` on, by a window around its last value that grows as far as it must."""
    cdef Value margin = ASPIRATION, alpha, beta, value = w.root[rank].value
    while True:
        alpha = max(value - margin, -UNIT - 1)
        beta = min(value + margin, UNIT + 1)
        search_root(w, depth, rank, alpha, beta)
        value = w.root[rank].value
        if w.stopped or alpha < value < beta:
            return
        margin *= 4


cdef double deadly_replies(const RuleSet* rules, const Position* p) noexcept nogil:
    """The share of the legal actions of the side to move that end the game at once in its favour. Flips never do."""
    cdef ActionList list
    cdef Position after
    cdef int i, deadly = 0
    list.count = 0
    generate_moves(rules, &p.board, &list)
    for i in range(list.count):
        if reveals(&p.board, list.action[i]):
            continue
        make(rules, p, list.action[i], &after)
        if unusual(in_chain(&after.board)):
            deadly += has_won(&after)
        else:
            deadly += has_lost(&after) or not can_move(rules, &after.board)
    i = list.count + popcount(p.board.hidden)
    return <double>deadly / i if i != 0 else 0


cdef double if_overlooked(const RuleSet* rules, const Position* p) noexcept nogil:
    """What a position is worth to the side that does not move if the other lets its turn pass: as it stands or after
    one capture, in [-1, 1].
    """
    cdef ActionList list
    cdef Position turn = p[0], after
    cdef Value value, best
    cdef int i
    turn.board.mine, turn.board.theirs = turn.board.theirs, turn.board.mine
    turn.board.pool ^= BLACK_TO_MOVE
    best = evaluate(rules, &turn)
    list.count = 0
    generate_captures(rules, &turn.board, &list)
    for i in range(list.count):
        make(rules, &turn, list.action[i], &after)
        value = UNIT if has_lost(&after) else -evaluate(rules, &after)
        if value > best:
            best = value
    return <double>best / UNIT


cdef double resistance(Worker* w, Action action) noexcept nogil:
    """The higher, the better the chances of a root action with an opponent who errs: what it is worth if the threat is
    overlooked, less what lets it be found.
    """
    cdef const Position* p = &w.stack[0]
    cdef Position* after = &w.stack[1]
    cdef double sum = 0
    cdef int identity, copies, weight = 0
    if not reveals(&p.board, action):
        make(w.rules, p, action, after)
        return if_overlooked(w.rules, after) - PATIENCE * deadly_replies(w.rules, after)
    for identity in range(IDENTITIES):
        copies = reveal_weight(&p.board, identity)
        if copies != 0:
            make_reveal(w.rules, p, action, identity, after)
            sum += copies * (if_overlooked(w.rules, after) - PATIENCE * deadly_replies(w.rules, after))
            weight += copies
    return sum / weight


cdef void hold_out(Worker* w, int lines) noexcept nogil:
    """If each root move loses to the next reply, orders them by resistance(), as far as there are lines."""
    cdef double[MAX_ACTIONS] value
    cdef double kept
    cdef int i, rank, best
    if not unusual(w.root[0].value == 2 - UNIT) or w.rules.chains:
        return
    for i in range(w.root_count):
        value[i] = resistance(w, w.root[i].action)
    for rank in range(min(lines, w.root_count)):
        best = rank
        for i in range(rank + 1, w.root_count):
            if value[i] > value[best]:
                best = i
        if best != rank:
            w.root[best].value = w.root[rank].value
            w.root[best].line.length = 1
            w.root[best].revealed = False
            kept = value[best]
            memmove(&value[rank + 1], &value[rank], (best - rank) * sizeof(double))
            value[rank] = kept
            promote(w, rank, best)


cdef void iterate(Worker* w, int lines, Reporter report, void* context) noexcept nogil:
    """Deepens until a limit is reached, reporting each line of each finished iteration; at depth 0 if none was.

    Afterwards root[0] is the move to play. Helper threads (index > 0) start one ply deeper every second one, so that
    the threads do not search the same tree.
    """
    cdef int depth, rank, place
    cdef Action answer
    cdef bint finished = False
    find_root_moves(w)
    w.next_check = 0
    for depth in range(1 + w.index % 2, w.limits.depth + 1):
        w.selective_depth = 0
        answer = w.root[0].action
        for rank in range(min(lines, w.root_count)):
            settle_root(w, depth, rank)
            place = rank
            while place > 0 and w.root[place - 1].value < w.root[rank].value and not w.stopped:
                # A later search can find more than an earlier one that the table cut short.
                place -= 1
            promote(w, place, rank)
            if w.stopped:
                # A better move found half-way is worth telling, though another might be better still.
                if rank == 0 and w.root[0].action != answer:
                    report(context, w, depth, 0)
                elif not finished:
                    hold_out(w, 1)
                    report(context, w, 0, 0)
                return
        hold_out(w, lines)
        for rank in range(min(lines, w.root_count)):
            report(context, w, depth, rank)
        finished = True
        if proven_out(w, depth, lines):
            return


cdef inline bint proven_out(const Worker* w, int depth, int lines) noexcept nogil:
    """Whether deeper search cannot change the answer: a proven end lies within the depth already searched."""
    cdef Value value = w.root[0].value
    if w.rules.chains:
        # In a ply of several actions a sooner end may lie deeper.
        return lines == 1 and value == UNIT - 1
    return lines == 1 and (value >= UNIT - depth or value <= depth - UNIT)


# ---- threads ---------------------------------------------------------------------------------------------------
#
# Threads of the system rather than Python's: nothing that a signal handler raises can come between their start and
# their end.

cdef extern from "<pthread.h>" nogil:
    ctypedef struct pthread_t:
        pass
    int pthread_create(
        pthread_t* thread, const void* attributes, void* (*start)(void*) noexcept nogil, void* argument
    ) noexcept
    int pthread_join(pthread_t thread, void** result) noexcept


cdef void ignore_line(void* context, const Worker* w, int depth, int rank) noexcept nogil:
    pass


cdef void* assist(void* worker) noexcept nogil:
    iterate(<Worker*>worker, 1, ignore_line, NULL)
    return NULL


cdef void search_together(Worker** workers, int threads, int lines, Reporter report, void* context) noexcept nogil:
    """iterate() with the first worker while the others fill the table; fewer if the system grants no more threads."""
    cdef pthread_t[MAX_THREADS] helper
    cdef int i, started = 0
    for i in range(1, threads):
        if pthread_create(&helper[started], NULL, assist, workers[i]) == 0:
            started += 1
    iterate(workers[0], lines, report, context)
    flag_set(&workers[0].shared.stop, 1)
    for i in range(started):
        pthread_join(helper[i], NULL)
