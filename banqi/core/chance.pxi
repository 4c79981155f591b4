# Chance nodes: what an action is worth that turns a hidden man up.
#
# Values here are those of what follows, to the side that acts: one ply ahead of the position that it acts in.
#
# Each reveal has bounds on its value, [-UNIT, UNIT] at first, and the node is settled as soon as the bounds of the mean
# leave the window. Star1 searches one reveal after the other, with the window outside which its value would settle the
# node whatever the others are worth. That window is wide until most reveals are known, so where the node's own window
# is empty, as nearly everywhere, something cheaper comes first, in Star2's spirit: a guess at each reveal, from the
# table or the evaluation, says how the node will fail and how far above or below its guess each reveal may turn out; a
# search with an empty window there usually ends at one good reply.


cdef struct Reveals:
    int count
    int weight
    int[IDENTITIES] identity
    int[IDENTITIES] copies
    # To the side that acts.
    Value[IDENTITIES] lowest
    Value[IDENTITIES] highest
    Value[IDENTITIES] guess
    # At depth 1: what the position after it is worth to its side to move if nothing more is played.
    Value[IDENTITIES] still
    # The node fails low when its sum is at most the one, high when it is at least the other.
    int64_t low_sum
    int64_t high_sum


cdef inline int64_t sum_of(const Reveals* r, const Value* values) noexcept nogil:
    cdef int64_t sum = 0
    cdef int i
    for i in range(r.count):
        sum += <int64_t>r.copies[i] * values[i]
    return sum


cdef inline Value look_ahead(Worker* w, int ply, int depth, Value still, Value alpha, Value beta) noexcept nogil:
    """search() of a position that a reveal led to, so that nothing repeats; at depth 0 with its evaluation at hand."""
    if depth > 0:
        return search(w, ply, depth, alpha, beta)
    w.line[ply].length = 0
    if still >= beta or w.stopped or still == -UNIT or still == UNIT - 1 or ply >= MAX_PLY or not w.features.quiescence:
        return still
    return capture_on(w, ply, 0, still, alpha, beta)


cdef Value look_into(
    Worker* w, int ply, Action action, Reveals* r, int i, int depth, Value alpha, Value beta
) noexcept nogil:
    """Searches one reveal, narrows its bounds by what that shows, and returns its value to the side that acts."""
    cdef Value value
    make_reveal(w.rules, &w.stack[ply], action, r.identity[i], &w.stack[ply + 1])
    count_node(w)
    if unusual(in_chain(&w.stack[ply + 1].board)):
        # The ply goes on, so its end is nearer by one than it seems from there.
        value = delayed(alpha)
        value = advanced(look_ahead(w, ply + 1, depth - 1, r.still[i], value, max(delayed(beta), value + 1)))
    else:
        value = -look_ahead(w, ply + 1, depth - 1, r.still[i], -beta, -alpha)
    if w.stopped:
        return 0
    if value < beta and value < r.highest[i]:
        r.highest[i] = value
    if value > alpha and value > r.lowest[i]:
        r.lowest[i] = value
    return value


cdef void guess_reveals(Worker* w, int ply, Action action, Reveals* r, int depth) noexcept nogil:
    """Guesses each reveal by what the table has on it, whatever its depth, else by the evaluation.

    At depth 1 an evaluation is also a bound, since the other side may let it stand. Where a board's evaluation tells
    few reveals apart, that settles most flips: what it is asked for then counts as a node. Where weights tell alike
    reveals apart, they count as one.
    """
    cdef Position* after = &w.stack[ply + 1]
    cdef tt_hit hit = tt_hit(0, 0, 0, 0)
    cdef Value guess
    cdef int[IDENTITIES] known
    cdef int i, like
    cdef Weighed weighed
    cdef bint is_flip = origin_of(action) == target_of(action), is_weighed = False
    if ALIKE_WHEN_STANDING and depth == 1:
        memset(known, 0xFF, sizeof(known))
    for i in range(r.count):
        if ALIKE_WHEN_STANDING and depth == 1:
            like = alike(r.identity[i])
            if known[like] < 0:
                known[like] = i
                count_node(w)
                if w.stopped:
                    return
            elif w.rules.learned == NULL:
                r.still[i] = r.still[known[like]]
                r.guess[i] = r.guess[known[like]]
                r.highest[i] = r.highest[known[like]]
                continue
        make_reveal(w.rules, &w.stack[ply], action, r.identity[i], after)
        if has_lost(after):
            guess = -UNIT
        elif unusual(in_chain(&after.board)) and has_won(after):
            guess = UNIT - 1
        elif look_up(w, table_key(w, after, depth - 1), depth - 1, &hit):
            guess = hit.value
        elif is_flip:
            guess = evaluate_reveal(w.rules, after, target_of(action), &weighed, &is_weighed)
        else:
            guess = evaluate(w.rules, after)
        r.still[i] = guess
        guess = advanced(guess) if unusual(in_chain(&after.board)) else -guess
        if ALIKE_WHEN_STANDING and depth == 1 and guess < r.highest[i]:
            r.highest[i] = guess
        r.guess[i] = max(r.lowest[i], min(r.highest[i], guess))


cdef bint prove_low(Worker* w, int ply, Action action, Reveals* r, int depth) noexcept nogil:
    """Tries to show that the node fails low: no reveal is better than its guess by more than the sum allows."""
    cdef int64_t proved = 0, ahead = sum_of(r, r.guess), spare
    cdef int i, left = r.weight
    cdef Value target, value
    for i in range(r.count):
        while True:
            spare = r.low_sum - proved - ahead
            if spare < 0:
                return False
            target = <Value>min(r.guess[i] + spare / left, UNIT)
            if r.highest[i] <= target:
                break
            value = look_into(w, ply, action, r, i, depth, target, target + 1)
            if w.stopped:
                return False
            if value <= target:
                break
            value = min(value + GUESS_SLIP, r.highest[i])
            ahead += <int64_t>r.copies[i] * (value - r.guess[i])
            r.guess[i] = value
        ahead -= <int64_t>r.copies[i] * r.guess[i]
        proved += <int64_t>r.copies[i] * r.highest[i]
        left -= r.copies[i]
    return True


cdef bint prove_high(Worker* w, int ply, Action action, Reveals* r, int depth) noexcept nogil:
    """Tries to show that the node fails high: no reveal is worse than its guess by more than the sum allows."""
    cdef int64_t proved = 0, ahead = sum_of(r, r.guess), spare
    cdef int i, left = r.weight
    cdef Value target, value
    for i in range(r.count):
        while True:
            spare = proved + ahead - r.high_sum
            if spare < 0:
                return False
            target = <Value>max(r.guess[i] - spare / left, -UNIT)
            if r.lowest[i] >= target:
                break
            value = look_into(w, ply, action, r, i, depth, target - 1, target)
            if w.stopped:
                return False
            if value >= target:
                break
            value = max(value - GUESS_SLIP, r.lowest[i])
            ahead -= <int64_t>r.copies[i] * (r.guess[i] - value)
            r.guess[i] = value
        ahead -= <int64_t>r.copies[i] * r.guess[i]
        proved += <int64_t>r.copies[i] * r.lowest[i]
        left -= r.copies[i]
    return True


cdef Value pin_down(
    Worker* w, int ply, Action action, Reveals* r, int i, int depth, Value alpha, Value beta
) noexcept nogil:
    """look_into() by a window around the guess that grows as far as it must, but never beyond alpha and beta."""
    cdef Value value = r.guess[i], margin = ASPIRATION, low, high
    while True:
        low = max(alpha, min(value - margin, beta - 1))
        high = min(beta, max(value + margin, alpha + 1))
        value = look_into(w, ply, action, r, i, depth, low, high)
        if w.stopped or (value > low or low == alpha) and (value < high or high == beta):
            return value
        margin *= 4


cdef Value chance(Worker* w, int ply, Action action, int depth, Value alpha, Value beta) noexcept nogil:
    """The value, to the side that acts, of an action that reveals.

    `depth` is that of the position acted in. Fails soft: at most alpha is an upper bound, at least beta a lower one.
    """
    cdef const Position* p = &w.stack[ply]
    cdef uint64_t key = table_key(w, p, depth) ^ reveal_key(action)
    cdef int identity, i, place, most = 0, tries, assumed
    cdef bint exact = beta - alpha > 1
    cdef Line likeliest
    cdef Reveals r
    cdef int64_t low, high
    cdef Value value, ceiling = UNIT
    cdef tt_hit hit = tt_hit(0, 0, 0, 0)
    w.revealed = False
    w.assumed[ply] = -1
    w.line[ply + 1].length = 0
    if depth == 1:
        ceiling = reveal_ceiling(w.rules, p, action)
        if ceiling <= alpha:
            return ceiling
    if ply > 0 and look_up(w, key, depth, &hit) and table_serves(w, p, &hit, depth) and table_cuts(&hit, alpha, beta):
        return hit.value
    r.count = 0
    r.weight = 0
    for identity in range(IDENTITIES):
        i = reveal_weight(&p.board, identity)
        if i != 0:
            # The commonest first: they settle the sum soonest.
            place = r.count
            while place > 0 and r.copies[place - 1] < i:
                r.identity[place] = r.identity[place - 1]
                r.copies[place] = r.copies[place - 1]
                place -= 1
            r.identity[place] = identity
            r.copies[place] = i
            r.lowest[r.count] = -UNIT
            r.highest[r.count] = ceiling
            r.weight += i
            r.count += 1
    r.low_sum = most_for(alpha, r.weight)
    r.high_sum = least_for(beta, r.weight)

    guess_reveals(w, ply, action, &r, depth)
    if w.stopped:
        return 0
    if not exact and depth >= STAR2_DEPTH:
        for tries in range(GUESS_TRIES):
            if sum_of(&r, r.guess) <= r.low_sum:
                if prove_low(w, ply, action, &r, depth):
                    break
            elif prove_high(w, ply, action, &r, depth):
                break
            if w.stopped:
                return 0

    likeliest.length = 0
    assumed = -1
    for i in range(r.count):
        low = sum_of(&r, r.lowest)
        high = sum_of(&r, r.highest)
        if high <= r.low_sum or low >= r.high_sum:
            break
        if r.lowest[i] == r.highest[i]:
            continue
        value = pin_down(
            w, ply, action, &r, i, depth,
            <Value>max(floor_div(r.low_sum - high, r.copies[i]) + r.highest[i], r.lowest[i] - 1),
            <Value>min(r.lowest[i] - floor_div(low - r.high_sum, r.copies[i]), r.highest[i] + 1),
        )
        if w.stopped:
            return 0
        if exact and r.copies[i] > most:
            most = r.copies[i]
            likeliest = w.line[ply + 1]
            assumed = r.identity[i]
    w.line[ply + 1].length = 0
    low = sum_of(&r, r.lowest)
    high = sum_of(&r, r.highest)
    if high <= r.low_sum:
        value = mean(high, r.weight)
        remember(w, key, NO_ACTION, value, depth, TT_UPPER)
    elif low >= r.high_sum:
        value = mean(low, r.weight)
        remember(w, key, NO_ACTION, value, depth, TT_LOWER)
    else:
        value = mean(low, r.weight)
        remember(w, key, NO_ACTION, value, depth, TT_EXACT)
        if exact:
            w.line[ply + 1] = likeliest
            w.assumed[ply] = assumed
        if ply == 0:
            w.revealed = True
            for i in range(r.count):
                w.reveal[r.identity[i]] = r.lowest[i]
    return value
