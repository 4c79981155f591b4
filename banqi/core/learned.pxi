# The learned evaluation of Banqi: a sum of weights that were fitted to the engine's own games (banqi/evaluation).
#
# What is alive, face up or face down, counts by pairs: the n-th man of a code is worth something by himself, and
# something more or less beside each other man, own or enemy. What stands on the board counts by features: each own man
# and each enemy at each distance, men by their squares, by the face-down men and the empty squares beside them, those
# that cannons aim at, and the turn. A feature has two weights, one for a board with all men and one for an empty one;
# between them the number of men on the board decides.
#
# No weight is greater than LARGEST_WEIGHT, and what a man is worth beside all living men of an identity fits into 16
# bits; banqi.evaluation sees to it. There are less than 1,600 features in any position, so that their sum times the
# number of men stays below 2^30, and what is alive below 2^25.

cdef enum:
    # Weights are in eighths of evaluate()'s score.
    FINENESS = 8
    # From here on a weight outdoes by itself whatever evaluate() tells apart.
    LARGEST_WEIGHT = FINENESS * 1023
    COPIES = 5 * SETS
    MEN = 32 * SETS
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

# A feature's two weights, or a sum of such: what counts on a board with all men times 2^32, plus what counts on an
# empty one.
ctypedef int64_t Taper


cdef struct Evaluation:
    # What a side gains by its n-th man of a code, counted from 0.
    int16_t[KINDS][COPIES] alone
    # What that man gains more by what else is alive: by identity, the own side's first, and by how many there are.
    int16_t[KINDS][COPIES][IDENTITIES][COPIES + 1] among
    Taper[FEATURES] feature


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


cdef int learned_loss(const Evaluation* learned, uint64_t alive, int identity) noexcept nogil:
    """What red's lead loses by the removal of a living man, in the weights' unit."""
    cdef int colour = identity >= KINDS
    cdef int code = identity - KINDS * colour
    cdef int copy = counted(alive, identity) - 1
    cdef int other, loss = learned.alone[code][copy]
    alive -= one_of(identity)
    if colour == BLACK:
        alive = (alive >> (4 * KINDS) | alive << (4 * KINDS)) & COUNTS
    for other in range(IDENTITIES):
        loss += learned.among[code][copy][other][counted(alive, other)]
    return -loss if colour == BLACK else loss


cdef inline Taper taper(int full, int empty) noexcept nogil:
    return full * (<int64_t>1 << 32) + empty


cdef inline int tapered(Taper sum, int men) noexcept nogil:
    """What a sum of weights counts with so many men on the board; a part of a unit is dropped."""
    cdef int empty = <int32_t>sum
    cdef int full = <int32_t>((sum - empty) / (<int64_t>1 << 32))
    return (full * men + empty * (MEN - men)) / MEN


cdef inline void add(Taper* sum, const Evaluation* learned, int8_t* counts, int feature, int count) noexcept nogil:
    sum[0] += count * learned.feature[feature]
    if counts != NULL:
        counts[feature] += count


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


cdef inline int weigh_board(
    const RuleSet* rules, const Evaluation* learned, const Board* b, int8_t* counts
) noexcept nogil:
    """The features' weights added up, for the side to move. `counts`, if not NULL, is told how often each occurs."""
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
    return expected((score + weigh_board(rules, rules.learned, &p.board, NULL)) / FINENESS)
