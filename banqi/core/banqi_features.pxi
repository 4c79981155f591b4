# What stands on a board of Banqi, as the learned evaluation counts it (learned.pxi): each own man and each enemy at
# each distance, men by their squares, by the face-down men and the empty squares beside them, those that cannons aim
# at, and the turn. The stage is the number of men on the board.
#
# There are less than 1,600 features in any position, so that their sum times the number of men stays below 2^30.

cdef enum:
    COPIES = 5 * SETS
    STAGES = 32 * SETS
    DISTANCES = FILES + RANKS - 2
    # Squares that the board's symmetries do not tell apart are one.
    PLACES = FILES * RANKS / 4
    # Where each kind of feature begins. An own man, an enemy, a distance:
    PAIR = 0
    # Own less enemy: men by place, face-down men and empty squares beside them.
    PLACE = PAIR + KINDS * KINDS * DISTANCES
    BESIDE_HIDDEN = PLACE + KINDS * PLACES
    BESIDE_EMPTY = BESIDE_HIDDEN + KINDS
    # Own men, and enemies, that a jump would take.
    AIMED_AT = BESIDE_EMPTY + KINDS
    AIMING_AT = AIMED_AT + KINDS
    # Having the turn: once, and for each man face down.
    TURN = AIMING_AT + KINDS
    TURN_HIDDEN = TURN + 1
    FEATURES = TURN_HIDDEN + 1


cdef uint8_t[SQUARES][SQUARES] DISTANCE
cdef uint8_t[SQUARES] PLACE_OF
cdef bb_t[SQUARES] NEIGHBOURS


cdef void make_places() noexcept nogil:
    cdef int square, other, file, rank
    for square in range(SQUARES):
        file = min(square % FILES, FILES - 1 - square % FILES)
        rank = min(square / FILES, RANKS - 1 - square / FILES)
        PLACE_OF[square] = FILES / 2 * rank + file
        NEIGHBOURS[square] = quad_any(step_from(square_bit(square)))
        for other in range(SQUARES):
            DISTANCE[square][other] = abs(square % FILES - other % FILES) + abs(square / FILES - other / FILES)


make_places()


cdef inline void add_aims(
    Taper* sum, const Evaluation* learned, int8_t* counts, const Board* b, bb_t aimed, int feature
) noexcept nogil:
    while aimed != 0:
        add(sum, learned, counts, feature + code_at(b, lowest(aimed)), 1)
        aimed &= aimed - 1


cdef inline int add_men(
    Taper* sum, const Evaluation* learned, int8_t* counts, const Board* b, bb_t men, int sign,
    uint8_t* codes, uint8_t* squares
) noexcept nogil:
    """Adds what men count by themselves; lists them and returns how many they are."""
    cdef bb_t empty = ~(b.mine | b.theirs | b.hidden)
    cdef int square, code, count = 0
    while men != 0:
        square = lowest(men)
        men &= men - 1
        code = code_at(b, square)
        add(sum, learned, counts, PLACE + PLACES * code + PLACE_OF[square], sign)
        add(sum, learned, counts, BESIDE_HIDDEN + code, sign * popcount(NEIGHBOURS[square] & b.hidden))
        add(sum, learned, counts, BESIDE_EMPTY + code, sign * popcount(NEIGHBOURS[square] & empty))
        codes[count] = code
        squares[count] = square
        count += 1
    return count


cdef inline int stage_of(const Board* b) noexcept nogil:
    return popcount(b.mine | b.theirs | b.hidden)


cdef inline int weighted(int material, const Board* b) noexcept nogil:
    """What is alive counts the same at any stage."""
    return material


# The sum of weights, and what it was made of: each side's men, and those that an enemy's jump would take.
cdef struct Weighed:
    Taper sum
    int ours
    int others
    uint8_t[16 * SETS] mine
    uint8_t[16 * SETS] theirs
    uint8_t[16 * SETS] my_square
    uint8_t[16 * SETS] their_square
    bb_t aimed_at
    bb_t aiming_at


cdef inline void weigh_but(
    const RuleSet* rules, const Evaluation* learned, const Board* b, bb_t man, Weighed* w, int8_t* counts
) noexcept nogil:
    """Adds up the features' weights for the side to move; a man that is left out is there and of neither side."""
    cdef int i, j, pairs, distance
    w.sum = 0
    w.ours = add_men(&w.sum, learned, counts, b, b.mine & ~man, 1, w.mine, w.my_square)
    w.others = add_men(&w.sum, learned, counts, b, b.theirs & ~man, -1, w.theirs, w.their_square)
    for i in range(w.ours):
        # The least distance is 1.
        pairs = PAIR + DISTANCES * KINDS * w.mine[i] - 1
        for j in range(w.others):
            distance = DISTANCE[w.my_square[i]][w.their_square[j]]
            add(&w.sum, learned, counts, pairs + DISTANCES * w.theirs[j] + distance, 1)
    w.aimed_at = w.aiming_at = 0
    if rules.jumping != 0:
        w.aimed_at = jump_captures(rules, b, b.theirs & ~man, b.mine | man)
        w.aiming_at = jump_captures(rules, b, b.mine & ~man, b.theirs | man)
        add_aims(&w.sum, learned, counts, b, w.aimed_at & ~man, AIMED_AT)
        add_aims(&w.sum, learned, counts, b, w.aiming_at & ~man, AIMING_AT)
    add(&w.sum, learned, counts, TURN, 1)
    add(&w.sum, learned, counts, TURN_HIDDEN, popcount(b.hidden))


cdef inline Taper with_man(
    const RuleSet* rules, const Evaluation* learned, const Board* b, int square, const Weighed* w
) noexcept nogil:
    """The whole sum where the man on a square was left out."""
    cdef Taper sum = w.sum
    cdef uint8_t code, place
    cdef bb_t man = square_bit(square)
    cdef int i, pairs
    if b.mine & man:
        add_men(&sum, learned, NULL, b, man, 1, &code, &place)
        pairs = PAIR + DISTANCES * KINDS * code - 1
        for i in range(w.others):
            add(&sum, learned, NULL, pairs + DISTANCES * w.theirs[i] + DISTANCE[square][w.their_square[i]], 1)
        add_aims(&sum, learned, NULL, b, w.aimed_at & man, AIMED_AT)
        if rules.jumping != 0:
            add_aims(&sum, learned, NULL, b, jump_captures(rules, b, man, b.theirs) & ~w.aiming_at, AIMING_AT)
    else:
        add_men(&sum, learned, NULL, b, man, -1, &code, &place)
        pairs = PAIR + DISTANCES * code - 1
        for i in range(w.ours):
            add(&sum, learned, NULL, pairs + DISTANCES * KINDS * w.mine[i] + DISTANCE[square][w.my_square[i]], 1)
        add_aims(&sum, learned, NULL, b, w.aiming_at & man, AIMING_AT)
        if rules.jumping != 0:
            add_aims(&sum, learned, NULL, b, jump_captures(rules, b, man, b.mine) & ~w.aimed_at, AIMED_AT)
    return sum


cdef inline int weigh_board(
    const RuleSet* rules, const Evaluation* learned, const Position* p, int8_t* counts
) noexcept nogil:
    """The features' weights added up, for the side to move. `counts`, if not NULL, is told how often each occurs."""
    cdef Weighed w
    weigh_but(rules, learned, &p.board, 0, &w, counts)
    return tapered(w.sum, stage_of(&p.board))


cdef Value evaluate_learned(const RuleSet* rules, const Position* p) noexcept nogil:
    """evaluate() outside of a chain, by the rule set's weights."""
    cdef int score = p.material if side_of(&p.board) == RED else -p.material
    if p.board.hidden == 0 and not can_move(rules, &p.board):
        return -UNIT
    return expected((score + weigh_board(rules, rules.learned, p, NULL)) / FINENESS)


cdef Value evaluate_reveal(
    const RuleSet* rules, const Position* after, int square, Weighed* w, bint* weighed
) noexcept nogil:
    """evaluate() after the flip of a square. The flips of one square share in `w` what they have in common, if that was
    `weighed`.
    """
    cdef int score
    if rules.learned == NULL or after.board.hidden == 0:
        return evaluate(rules, after)
    if not weighed[0]:
        weighed[0] = True
        weigh_but(rules, rules.learned, &after.board, square_bit(square), w, NULL)
    score = after.material if side_of(&after.board) == RED else -after.material
    score += tapered(with_man(rules, rules.learned, &after.board, square, w), stage_of(&after.board))
    return expected(score / FINENESS)


cdef void begin(float[:, ::1] weights, float[::1] whole) noexcept nogil:
    """No feature repeats the evaluation written by hand, and none is a share of something."""
