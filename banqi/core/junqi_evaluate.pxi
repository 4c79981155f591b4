# The evaluation of Junqi: what a position is worth to the side to move, as an expected result.
#
# While men lie face down the flags decide most games, and early: one that is turned up beside an enemy is lost. So a
# score counts, for each side, how much of what lies face down its men see, what is around a flag that is face up and
# who comes near it. The men themselves count the more, the fewer lie face down. The weights of what is seen and of the
# flags were fitted to the results of games between engines, those of the men set by hand. Hanging men, and men in camps
# beyond what they see from there, were tried too and added nothing.
#
# A rule set with weights has its positions evaluated by them instead (learned.pxi, junqi_features.pxi); what the rules
# say of men that cannot move and flags that cannot be taken holds for both.

cdef enum:
    # The score that is worth an expected result of 1 / sqrt(2).
    SCORE_SCALE = 240
    # Men are worth sixteenths of a point; a point counts (OPENNESS - men face down) / OPENED in the score.
    SIXTEENTH = 16
    OPENNESS = 60
    OPENED = 16
    # In sixteenths: what a man gains for each of his points when no enemy is left who beats him or goes with him; what
    # an enemy mine adds to an engineer, and an enemy engineer takes from a mine; what an enemy general or division adds
    # to a bomb, a marshal twice as much.
    UNRIVALLED = 8
    CLEARING = 16
    CLEARED = 8
    BLASTING = 16
    # For each node that men can move to along roads and straight railway.
    MOBILITY = 1
    # For seeing all that is face down, the enemy flag being there; for a part of it the same part.
    SIGHT = 28
    # For a flag that is face up: at all, and for each man face down anywhere.
    FLAG_UP = 120
    FLAG_AMONG = -6
    # What else counts there, and is multiplied by its FLAG_WEIGHT: empty nodes beside it; men face down that an attack
    # on it could come from; its side's mines beside it; places that an attack could come from which its side's men see;
    # men that take it in 1, 2, 3 and 4 moves if nobody stirs.
    FACT_EMPTY = 0
    FACT_HIDDEN = 1
    FACT_WALLED = 2
    FACT_GUARDED = 3
    FACT_NEAR = 4
    LAYERS = 4
    FLAG_FACTS = FACT_NEAR + LAYERS
    # For a side without a man that could ever move: it will run out of moves.
    IMMOBILE = 900
    # What a lead is divided by if the flag that it is after can be taken no more, and if neither can.
    SEALED = 4
    DEAD = 32
    # The counts of all codes but landmine and flag, for red.
    MOVABLE_COUNTS = 0xFFFFF0

# Points by code, all enemies being there: landmine, flag, bomb, engineer, platoon ... marshal. The flag decides the
# game by itself.
cdef int[KINDS] POINTS = [4, 0, 14, 8, 3, 4, 6, 8, 12, 17, 23, 30]
# The same as capture_order() counts them.
cdef int[KINDS] WORTH
# In sixteenths: what a man is worth with no enemy there, and what each enemy of a code adds to that less what he loses
# by the man being there. The first index is the man's code.
cdef int[KINDS] WITHOUT
cdef int[KINDS][KINDS] BESIDE
cdef int[FLAG_FACTS] FLAG_WEIGHT = [-40, -26, 8, 14, -300, -27, -11, -9]


cdef void make_worth() noexcept nogil:
    cdef int[KINDS] men = [3, 1, 2, 3, 3, 3, 2, 2, 2, 2, 1, 1]
    cdef int[KINDS][KINDS] against
    cdef int code, other, rivals
    memset(against, 0, sizeof(against))
    for code in range(ENGINEER, KINDS):
        rivals = men[BOMB]
        for other in range(code, KINDS):
            rivals += men[other]
        against[code][BOMB] = -UNRIVALLED * POINTS[code] / rivals
        for other in range(code, KINDS):
            against[code][other] = -UNRIVALLED * POINTS[code] / rivals
    against[ENGINEER][MINE] = CLEARING
    against[MINE][ENGINEER] = -CLEARED
    for other in range(KINDS - 3, KINDS):
        against[BOMB][other] = BLASTING * (2 if other == KINDS - 1 else 1)
    for code in range(KINDS):
        WORTH[code] = 4 * POINTS[code]
        WITHOUT[code] = SIXTEENTH * POINTS[code]
        for other in range(KINDS):
            BESIDE[code][other] = against[code][other] - against[other][code]
            WITHOUT[code] -= men[other] * BESIDE[code][other]


make_worth()


cdef inline int worth_beside(int code, uint64_t enemies) noexcept nogil:
    """By how much a man changes his side's lead, in sixteenths of a point; the enemies counted from bit 0 on."""
    cdef int worth = WITHOUT[code], other
    for other in range(KINDS):
        worth += BESIDE[code][other] * <int>((enemies >> (2 * other)) & 3)
    return worth


cdef inline int loss_of(const RuleSet* rules, uint64_t alive, int identity) noexcept nogil:
    """What red's lead loses by the removal of a living man, in sixteenths of a point or in the weights' unit."""
    if rules.learned != NULL:
        return learned_loss(rules.learned, alive, identity)
    if identity < KINDS:
        return worth_beside(identity, alive >> (2 * KINDS))
    return -worth_beside(identity - KINDS, alive & RED_COUNTS)

# ---- sets of nodes -----------------------------------------------------------------------------------------------

cdef bb_t BOARD = square_bit(SQUARES) - 1
cdef bb_t EASTERNMOST
# Nodes that mountains part from the next row.
cdef bb_t FOOTHILLS


cdef void make_sets() noexcept nogil:
    global EASTERNMOST, FOOTHILLS
    cdef int row, file
    for row in range(RANKS):
        EASTERNMOST |= square_bit(FILES * row + FILES - 1)
        for file in range(FILES):
            if row + 1 < RANKS and not is_edge(file, row, file, row + 1):
                FOOTHILLS |= square_bit(FILES * row + file)


make_sets()


cdef inline bb_t diagonally(bb_t nodes) noexcept nogil:
    """Nodes one row and one file away; wrong from the outer files, where no camp is."""
    return nodes << (FILES + 1) | nodes << (FILES - 1) | nodes >> (FILES - 1) | nodes >> (FILES + 1)


cdef inline bb_t beside(bb_t nodes) noexcept nogil:
    """What an edge joins to any of the nodes."""
    return BOARD & (
        (nodes & ~EASTERNMOST) << 1
        | (nodes >> 1) & ~EASTERNMOST
        | (nodes & ~FOOTHILLS) << FILES
        | (nodes >> FILES) & ~FOOTHILLS
        | diagonally(nodes & CAMPS)
        | diagonally(nodes) & CAMPS
    )


cdef inline bb_t slid(bb_t nodes, bb_t empty) noexcept nogil:
    """What straight lines of railway over empty nodes join to any of the nodes."""
    cdef bb_t east = nodes, west = nodes, north = nodes, south = nodes
    # Nodes that a slide in each direction passes.
    cdef bb_t over = empty & RAIL_EAST << 1
    east |= over & east << 1
    over &= over << 1
    east |= over & east << 2
    over = empty & RAIL_EAST
    west |= over & west >> 1
    over &= over >> 1
    west |= over & west >> 2
    over = empty & RAIL_NORTH << FILES
    north |= over & north << FILES
    over &= over << FILES
    north |= over & north << (2 * FILES)
    over &= over << (2 * FILES)
    north |= over & north << (4 * FILES)
    over &= over << (4 * FILES)
    north |= over & north << (8 * FILES)
    over = empty & RAIL_NORTH
    south |= over & south >> FILES
    over &= over >> FILES
    south |= over & south >> (2 * FILES)
    over &= over >> (2 * FILES)
    south |= over & south >> (4 * FILES)
    over &= over >> (4 * FILES)
    south |= over & south >> (8 * FILES)
    return (
        (east & RAIL_EAST) << 1
        | (west >> 1) & RAIL_EAST
        | (north & RAIL_NORTH) << FILES
        | (south >> FILES) & RAIL_NORTH
    )


cdef inline bb_t seen(bb_t nodes, bb_t empty) noexcept nogil:
    """Where one move leads from the nodes, engineers not turning; also from where one leads to them."""
    return beside(nodes) | (slid(nodes & RAILWAY, empty) if nodes & RAILWAY else 0)


# ---- the score -----------------------------------------------------------------------------------------------------

cdef inline void approach(bb_t flag, bb_t men, bb_t walls, bb_t empty, int* near) noexcept nogil:
    """Counts men who come for a flag by the moves that they need, less 1; walls stop them."""
    cdef bb_t front = flag, known = flag
    cdef int i
    for i in range(LAYERS):
        front = seen(front, empty) & ~(walls | known)
        known |= front
        near[i] += popcount(front & men)


cdef inline void look_at_flag(
    const Board* b, bb_t flag, bb_t own, bb_t others, bb_t guards, bb_t empty, int* facts
) noexcept nogil:
    """Tells FLAG_FACTS of a flag that is face up. own, others: men of its side and of the other; guards: what its men
    see.
    """
    cdef bb_t able = movable(b)
    cdef bb_t mines = (own | others) & ~(able | b.plane[0])
    cdef bb_t engineers = others & b.plane[0] & b.plane[1] & ~(b.plane[2] | b.plane[3])
    cdef bb_t ways = seen(flag, empty)
    cdef bb_t joined = beside(flag)
    memset(facts, 0, FLAG_FACTS * sizeof(int))
    facts[FACT_EMPTY] = popcount(joined & empty)
    facts[FACT_HIDDEN] = popcount(ways & b.hidden)
    facts[FACT_WALLED] = popcount(joined & mines & own)
    facts[FACT_GUARDED] = popcount(ways & guards & ~(mines | others & able))
    approach(flag, others & able & ~engineers, b.hidden | mines, empty, &facts[FACT_NEAR])
    if engineers:
        approach(flag, engineers, b.hidden | mines & ~own, empty, &facts[FACT_NEAR])


cdef inline int flag_score(
    const Board* b, bb_t flag, bb_t own, bb_t others, bb_t guards, bb_t empty
) noexcept nogil:
    """What a flag that is face up means to its side."""
    cdef int[FLAG_FACTS] facts
    cdef int i, score = FLAG_UP + FLAG_AMONG * popcount(b.hidden)
    look_at_flag(b, flag, own, others, guards, empty, facts)
    for i in range(FLAG_FACTS):
        score += FLAG_WEIGHT[i] * facts[i]
    return score


cdef inline bint sealed(const Board* b, bb_t flag, bb_t own, uint64_t enemies) noexcept nogil:
    """Whether a flag can be taken no more: its side's mines all around it and no engineer or bomb left to the other.

    enemies: the other side's living men, counted from bit 0 on.
    """
    cdef bb_t mines = own & ~(movable(b) | b.plane[0])
    return flag != 0 and (beside(flag) & ~mines) == 0 and (enemies & (one_of(BOMB) * 3 | one_of(ENGINEER) * 3)) == 0


cdef inline int sight(bb_t view, bb_t hidden, int count) noexcept nogil:
    return SIGHT * popcount(view & hidden) / count


cdef inline int settled(const Board* b, uint64_t mine, uint64_t theirs, int score) noexcept nogil:
    """A score with what the rules say of men that cannot move and flags that cannot be taken.

    mine, theirs: the living men of the side to move and of the other, counted from bit 0 on.
    """
    cdef bb_t flags = b.plane[0] & ~movable(b)
    cdef bint safe
    if unusual((mine & MOVABLE_COUNTS) == 0):
        # If neither can move, the side whose turn it is when all is turned up has lost.
        return IMMOBILE if (theirs & MOVABLE_COUNTS) == 0 and popcount(b.hidden) % 2 == 1 else -IMMOBILE
    if unusual((theirs & MOVABLE_COUNTS) == 0):
        return IMMOBILE
    if flags == 0:
        return score
    safe = sealed(b, b.mine & flags, b.mine, theirs)
    if unusual(sealed(b, b.theirs & flags, b.theirs, mine)):
        return score / DEAD if safe else score / SEALED if score > 0 else score
    if unusual(safe) and score < 0:
        return score / SEALED
    return score


cdef inline int score_by_hand(const Board* b, int lead, bb_t my_view, bb_t their_view, bb_t empty) noexcept nogil:
    """The score for the side to move, whose men's lead is given in sixteenths of a point."""
    cdef bb_t flags = b.plane[0] & ~movable(b)
    cdef bb_t my_flag = b.mine & flags
    cdef bb_t their_flag = b.theirs & flags
    cdef int hidden = popcount(b.hidden)
    cdef int score = lead * (OPENNESS - hidden) / (OPENED * SIXTEENTH)
    score += MOBILITY * (popcount(my_view & goals(b)) - popcount(their_view & ~(b.theirs | b.hidden | b.mine & CAMPS)))
    if my_flag:
        score += flag_score(b, my_flag, b.mine, b.theirs, my_view, empty)
    elif hidden:
        score -= sight(their_view, b.hidden, hidden)
    if their_flag:
        score -= flag_score(b, their_flag, b.theirs, b.mine, their_view, empty)
    elif hidden:
        score += sight(my_view, b.hidden, hidden)
    return score


cdef Value evaluate(const RuleSet* rules, const Position* p) noexcept nogil:
    """The expected result for the side to move, within [-ESTIMATE, ESTIMATE]; -UNIT if it has no legal action."""
    cdef const Board* b = &p.board
    cdef bb_t empty = BOARD & ~(b.mine | b.theirs | b.hidden)
    cdef bb_t able = movable(b)
    cdef bb_t my_view = seen(b.mine & able, empty)
    cdef uint64_t mine = p.alive, theirs = p.alive >> (2 * KINDS)
    cdef int score = p.material
    if b.hidden == 0 and (my_view & goals(b)) == 0:
        return -UNIT
    if side_of(b) == BLACK:
        mine, theirs = theirs, mine
        score = -score
    if rules.learned != NULL:
        score = (weighted(score, b) + weigh_board(rules, rules.learned, p, NULL)) / FINENESS
    else:
        score = score_by_hand(b, score, my_view, seen(b.theirs & able, empty), empty)
    return expected(settled(b, mine, theirs, score))


cdef Value reveal_ceiling(const RuleSet* rules, const Position* p, Action action) noexcept nogil:
    """No bound on what a flip may lead to is known."""
    return UNIT
