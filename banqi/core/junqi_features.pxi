# What stands on a board of Junqi, as the learned evaluation counts it (learned.pxi): each own man and each enemy by the
# edges between them and by whether one of them sees the other, men by their squares and by what they see, how much of
# what lies face down is seen as long as a flag may lie there, and what is around a flag that is face up. The stage is
# the number of men face down.
#
# A man sees where one move leads him if nothing there keeps him off. In any position the features without shares add up
# to less than 3,000, since of 25 men of a side only 3 are engineers, who see at most 39 nodes; shares add at most
# 8 * SHARE. So their sum times STAGES stays below 2^31.

cdef enum:
    COPIES = 3
    STAGES = 50
    # Edges between two men; what is further away counts as this.
    DISTANCES = 6
    # Squares that the board's symmetries do not tell apart are one.
    PLACE_FILES = (FILES + 1) / 2
    PLACES = PLACE_FILES * RANKS / 2
    # All that lies face down, where a part of it is a feature.
    SHARE = 60
    # Where each kind of feature begins. An own man, an enemy, the edges between them:
    PAIR = 0
    # Own less enemy: men by place, living men, face-down men and empty nodes that a man sees.
    PLACE = PAIR + KINDS * KINDS * DISTANCES
    LIVING = PLACE + KINDS * PLACES
    SEES_HIDDEN = LIVING + KINDS
    SEES_EMPTY = SEES_HIDDEN + KINDS
    # An own man who sees an enemy outside a camp, then one whom an enemy sees: own man, enemy, and whether the side of
    # the man who is seen sees him, too.
    ATTACKS = SEES_EMPTY + KINDS
    ATTACKED = ATTACKS + KINDS * KINDS * 2
    # The own flag, then the enemy's.
    OWN_FLAG = ATTACKED + KINDS * KINDS * 2
    # Of a flag: that it lies face down, and how much of what does the enemy sees, in SHARE: alone, together with the
    # flag's side, by two men, by men in camps.
    FLAG_DOWN = 0
    SEEN_ALONE = 1
    SEEN_BY_BOTH = 2
    SEEN_TWICE = 3
    SEEN_FROM_CAMPS = 4
    # Or its place, face up, its FLAG_FACTS, and enemies who see it whom its side does not see or who are in a camp.
    FLAG_PLACE = 5
    FLAG_FACT = FLAG_PLACE + PLACES
    FLAG_LOST = FLAG_FACT + FLAG_FACTS
    FLAG_FEATURES = FLAG_LOST + 1
    THEIR_FLAG = OWN_FLAG + FLAG_FEATURES
    # Having the turn.
    TURN = THEIR_FLAG + FLAG_FEATURES
    FEATURES = TURN + 1
    # Men of a side.
    PARTY = 25

# The men of a side that are face up, and what they see.
cdef struct Party:
    int count
    uint8_t[PARTY] code
    uint8_t[PARTY] square
    bb_t[PARTY] reach
    bb_t view
    # By at least two men, and by men in camps.
    bb_t twice
    bb_t from_camps


cdef uint8_t[SQUARES][SQUARES] EDGES_BETWEEN
cdef uint8_t[SQUARES] PLACE_OF


cdef void make_places() noexcept nogil:
    cdef int square, other, file, rank, edges
    cdef bb_t front, known
    for square in range(SQUARES):
        file = min(square % FILES, FILES - 1 - square % FILES)
        rank = min(square / FILES, RANKS - 1 - square / FILES)
        PLACE_OF[square] = PLACE_FILES * rank + file
        front = known = square_bit(square)
        for edges in range(1, DISTANCES + 1):
            front = beside(front) & ~known
            known |= front
            for other in range(SQUARES):
                if (front >> other) & 1 or edges == DISTANCES and not (known >> other) & 1:
                    EDGES_BETWEEN[square][other] = edges


make_places()


cdef inline void assemble(const Board* b, bb_t men, Party* party) noexcept nogil:
    """Lists the men of a side."""
    cdef bb_t able = movable(b)
    cdef bb_t reached
    cdef int square
    party.count = 0
    party.view = party.twice = party.from_camps = 0
    while men != 0:
        square = lowest(men)
        men &= men - 1
        reached = reach(b, square) if (able >> square) & 1 else 0
        party.code[party.count] = code_at(b, square)
        party.square[party.count] = square
        party.reach[party.count] = reached
        party.count += 1
        party.twice |= party.view & reached
        party.view |= reached
        if (CAMPS >> square) & 1:
            party.from_camps |= reached


cdef inline void add_party(
    Taper* sum, const Evaluation* learned, int8_t* counts, const Board* b, const Party* party, int sign
) noexcept nogil:
    """Adds what men count by themselves."""
    cdef bb_t empty = BOARD & ~(b.mine | b.theirs | b.hidden)
    cdef int i, code
    for i in range(party.count):
        code = party.code[i]
        add(sum, learned, counts, PLACE + PLACES * code + PLACE_OF[party.square[i]], sign)
        add(sum, learned, counts, SEES_HIDDEN + code, sign * popcount(party.reach[i] & b.hidden))
        add(sum, learned, counts, SEES_EMPTY + code, sign * popcount(party.reach[i] & empty))


cdef inline void add_attacks(
    Taper* sum, const Evaluation* learned, int8_t* counts, const Board* b, const Party* party, bb_t victims,
    bb_t guards, int feature, int by_attacker, int by_victim
) noexcept nogil:
    """Adds whom the men of a side see outside camps. guards: what the victims' side sees."""
    cdef bb_t met
    cdef int i, square, pair
    for i in range(party.count):
        met = party.reach[i] & victims & ~CAMPS
        while met != 0:
            square = lowest(met)
            met &= met - 1
            pair = feature + by_attacker * party.code[i] + by_victim * code_at(b, square)
            add(sum, learned, counts, pair + <int>((guards >> square) & 1), 1)


cdef inline int share(bb_t nodes, bb_t hidden) noexcept nogil:
    """How much of what lies face down is on some nodes, in SHARE."""
    return SHARE * popcount(nodes & hidden) / popcount(hidden)


cdef inline void add_flag(
    Taper* sum, const Evaluation* learned, int8_t* counts, const Board* b, bb_t own, bb_t others,
    const Party* side, const Party* enemy, int feature
) noexcept nogil:
    """Adds what a flag counts. own, others: men of its side and of the other."""
    cdef bb_t flag = own & b.plane[0] & ~movable(b)
    cdef bb_t empty = BOARD & ~(b.mine | b.theirs | b.hidden)
    cdef int[FLAG_FACTS] facts
    cdef int i, lost = 0
    if flag != 0:
        add(sum, learned, counts, feature + FLAG_PLACE + PLACE_OF[lowest(flag)], 1)
        look_at_flag(b, flag, own, others, side.view, empty, facts)
        for i in range(FLAG_FACTS):
            add(sum, learned, counts, feature + FLAG_FACT + i, facts[i])
        for i in range(enemy.count):
            if enemy.reach[i] & flag:
                lost += (side.view & ~CAMPS & square_bit(enemy.square[i])) == 0
        add(sum, learned, counts, feature + FLAG_LOST, lost)
    elif b.hidden != 0:
        add(sum, learned, counts, feature + FLAG_DOWN, 1)
        add(sum, learned, counts, feature + SEEN_ALONE, share(enemy.view & ~side.view, b.hidden))
        add(sum, learned, counts, feature + SEEN_BY_BOTH, share(enemy.view & side.view, b.hidden))
        add(sum, learned, counts, feature + SEEN_TWICE, share(enemy.twice, b.hidden))
        add(sum, learned, counts, feature + SEEN_FROM_CAMPS, share(enemy.from_camps, b.hidden))


cdef inline int stage_of(const Board* b) noexcept nogil:
    return popcount(b.hidden)


cdef inline int weighted(int material, const Board* b) noexcept nogil:
    """What is alive counts the more, the less lies face down."""
    return material * (OPENNESS - popcount(b.hidden)) / OPENNESS


cdef int weigh_board(
    const RuleSet* rules, const Evaluation* learned, const Position* p, int8_t* counts
) noexcept nogil:
    """The features' weights added up, for the side to move. `counts`, if not NULL, is told how often each occurs."""
    cdef const Board* b = &p.board
    cdef Party own, others
    cdef int i, j, pairs, code
    cdef uint64_t alive = exchanged(p.alive) if side_of(b) == BLACK else p.alive
    cdef Taper sum = 0
    assemble(b, b.mine, &own)
    assemble(b, b.theirs, &others)
    for i in range(own.count):
        # The fewest edges are 1.
        pairs = PAIR + DISTANCES * KINDS * own.code[i] - 1
        for j in range(others.count):
            add(
                &sum, learned, counts,
                pairs + DISTANCES * others.code[j] + EDGES_BETWEEN[own.square[i]][others.square[j]], 1
            )
    add_party(&sum, learned, counts, b, &own, 1)
    add_party(&sum, learned, counts, b, &others, -1)
    for code in range(KINDS):
        add(&sum, learned, counts, LIVING + code, counted(alive, code) - counted(alive, KINDS + code))
    add_attacks(&sum, learned, counts, b, &own, b.theirs, others.view, ATTACKS, 2 * KINDS, 2)
    add_attacks(&sum, learned, counts, b, &others, b.mine, own.view, ATTACKED, 2, 2 * KINDS)
    add_flag(&sum, learned, counts, b, b.mine, b.theirs, &own, &others, OWN_FLAG)
    add_flag(&sum, learned, counts, b, b.theirs, b.mine, &others, &own, THEIR_FLAG)
    add(&sum, learned, counts, TURN, 1)
    return tapered(sum, stage_of(b))


# Nothing: most of what flips of one node lead to depends on what turns up.
cdef struct Weighed:
    int sum


cdef inline Value evaluate_reveal(
    const RuleSet* rules, const Position* after, int square, Weighed* w, bint* weighed
) noexcept nogil:
    """evaluate() after the flip of a node."""
    return evaluate(rules, after)


cdef void begin_flag(float[:, ::1] weights, float[::1] whole, int flag, int sign) noexcept nogil:
    cdef int i
    for i in range(SEEN_ALONE, SEEN_FROM_CAMPS + 1):
        whole[flag + i] = SHARE
    for i in range(SEEN_ALONE, SEEN_BY_BOTH + 1):
        weights[flag + i, 0] = weights[flag + i, 1] = -sign * <float>SIGHT / SHARE
    for i in range(PLACES):
        weights[flag + FLAG_PLACE + i, 0] = sign * (FLAG_UP + STAGES * FLAG_AMONG)
        weights[flag + FLAG_PLACE + i, 1] = sign * FLAG_UP
    for i in range(FLAG_FACTS):
        weights[flag + FLAG_FACT + i, 0] = weights[flag + FLAG_FACT + i, 1] = sign * FLAG_WEIGHT[i]


cdef void begin(float[:, ::1] weights, float[::1] whole) noexcept nogil:
    """What begin_features() tells (weights.pxi)."""
    cdef int i
    for i in range(KINDS):
        weights[SEES_EMPTY + i, 0] = weights[SEES_EMPTY + i, 1] = MOBILITY
    begin_flag(weights, whole, OWN_FLAG, 1)
    begin_flag(weights, whole, THEIR_FLAG, -1)
