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


cdef inline int weigh_board(
    const RuleSet* rules, const Evaluation* learned, const Position* p, int8_t* counts
) noexcept nogil:
    """The features' weights added up, for the side to move. `counts`, if not NULL, is told how often each occurs."""
    cdef const Board* b = &p.board
    cdef uint8_t[16 * SETS] mine, theirs, my_square, their_square
    cdef int i, j, pairs, ours, others
    cdef int hidden = popcount(b.hidden)
    cdef Taper sum = 0
    ours = add_men(&sum, learned, counts, b, b.mine, 1, mine, my_square)
    others = add_men(&sum, learned, counts, b, b.theirs, -1, theirs, their_square)
    for i in range(ours):
        # The least distance is 1.
        pairs = PAIR + DISTANCES * KINDS * mine[i] - 1
        for j in range(others):
            add(&sum, learned, counts, pairs + DISTANCES * theirs[j] + DISTANCE[my_square[i]][their_square[j]], 1)
    if rules.jumping != 0:
        add_aims(&sum, learned, counts, b, jump_captures(rules, b, b.theirs, b.mine), AIMED_AT)
        add_aims(&sum, learned, counts, b, jump_captures(rules, b, b.mine, b.theirs), AIMING_AT)
    add(&sum, learned, counts, TURN, 1)
    add(&sum, learned, counts, TURN_HIDDEN, hidden)
    return tapered(sum, ours + others + hidden)


cdef Value evaluate_learned(const RuleSet* rules, const Position* p) noexcept nogil:
    """evaluate() outside of a chain, by the rule set's weights."""
    cdef int score = p.material if side_of(&p.board) == RED else -p.material
    if p.board.hidden == 0 and not can_move(rules, &p.board):
        return -UNIT
    return expected((score + weigh_board(rules, rules.learned, p, NULL)) / FINENESS)


cdef void begin(float[:, ::1] weights, float[::1] whole) noexcept nogil:
    """No feature repeats the evaluation written by hand, and none is a share of something."""
