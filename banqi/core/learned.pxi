# The learned evaluation of Banqi: a sum of weights that were fitted to the results of games (banqi/training).
#
# What is alive counts by pairs: the n-th man of a kind is worth something by himself, and something more or less beside
# each other man that is alive, own or enemy. What stands on the board counts by features: each own man and each enemy
# at each distance, men by their squares, by the face-down men and the empty squares beside them, those that cannons aim
# at, and the turn. A feature has two weights, one for a full board and one for an empty one; between them counts the
# number of men.

cdef enum:
    # Weights are in eighths of evaluate()'s score.
    FINENESS = 8
    COPIES = 5 * SETS
    MEN = 32 * SETS
    DISTANCES = FILES + RANKS - 2
    # Squares that the board's symmetries do not tell apart are one.
    PLACES = FILES * RANKS / 4
    # Where each kind of feature begins. Own man, enemy, distance:
    PAIR = 0
    # Own less enemy: men by square; face-down men and empty squares beside them.
    PLACE = PAIR + KINDS * KINDS * DISTANCES
    BESIDE_HIDDEN = PLACE + KINDS * PLACES
    BESIDE_EMPTY = BESIDE_HIDDEN + KINDS
    # Own men, and enemies, that a jump would take.
    AIMED_AT = BESIDE_EMPTY + KINDS
    AIMING_AT = AIMED_AT + KINDS
    # Having the turn, and for each man face down.
    TURN = AIMING_AT + KINDS
    TURN_HIDDEN = TURN + 1
    FEATURES = TURN_HIDDEN + 1


cdef struct Taper:
    # For a board with all men, and for an empty one.
    int16_t full
    int16_t empty


cdef struct Evaluation:
    # What a side gains by its n-th man of a code, counting from 0, and what it gains more by what else is alive: its
    # own men first, then the enemy's, each by his number.
    int16_t[KINDS][COPIES] alone
    int16_t[KINDS][COPIES][IDENTITIES][COPIES + 1] among
    Taper[FEATURES] feature


cdef uint8_t[SQUARES][SQUARES] DISTANCE
cdef uint8_t[SQUARES] PLACE_OF
cdef bb_t[SQUARES] NEIGHBOURS


cdef void make_distances() noexcept nogil:
    cdef int square, other, file, rank
    for square in range(SQUARES):
        file = min(square % FILES, FILES - 1 - square % FILES)
        rank = min(square / FILES, RANKS - 1 - square / FILES)
        PLACE_OF[square] = FILES / 2 * rank + file
        NEIGHBOURS[square] = quad_any(step_from(square_bit(square)))
        for other in range(SQUARES):
            DISTANCE[square][other] = abs(square % FILES - other % FILES) + abs(square / FILES - other / FILES)


make_distances()


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


cdef struct Tally:
    int full
    int empty
    # NULL, or how often each feature occurs.
    int8_t* counts


cdef inline void add(Tally* t, const Evaluation* learned, int feature, int count) noexcept nogil:
    t.full += count * learned.feature[feature].full
    t.empty += count * learned.feature[feature].empty
    if t.counts != NULL:
        t.counts[feature] += count


cdef inline void add_aims(
    Tally* t, const Evaluation* learned, const RuleSet* rules, const Board* b, bb_t cannons, bb_t targets, int feature
) noexcept nogil:
    cdef bb_t aimed = jump_captures(rules, b, cannons, targets)
    while aimed != 0:
        add(t, learned, feature + code_at(b, lowest(aimed)), 1)
        aimed &= aimed - 1


cdef inline int add_men(
    Tally* t, const Evaluation* learned, const Board* b, bb_t men, int sign, uint8_t* codes, uint8_t* squares
) noexcept nogil:
    """Adds what men count by themselves, and lists them."""
    cdef bb_t empty = ~(b.mine | b.theirs | b.hidden)
    cdef int square, code, count = 0
    while men != 0:
        square = lowest(men)
        men &= men - 1
        code = code_at(b, square)
        add(t, learned, PLACE + PLACES * code + PLACE_OF[square], sign)
        add(t, learned, BESIDE_HIDDEN + code, sign * popcount(NEIGHBOURS[square] & b.hidden))
        add(t, learned, BESIDE_EMPTY + code, sign * popcount(NEIGHBOURS[square] & empty))
        codes[count] = code
        squares[count] = square
        count += 1
    return count


cdef inline int weigh_board(
    const RuleSet* rules, const Evaluation* learned, const Board* b, int8_t* counts
) noexcept nogil:
    """The sum of the features' weights, for the side to move; `counts`, if not NULL, is told which they are."""
    cdef uint8_t[16 * SETS] mine, theirs, my_square, their_square
    cdef int i, j, pairs, men, ours, others
    cdef Tally t = Tally(0, 0, counts)
    ours = add_men(&t, learned, b, b.mine, 1, mine, my_square)
    others = add_men(&t, learned, b, b.theirs, -1, theirs, their_square)
    for i in range(ours):
        pairs = PAIR + DISTANCES * KINDS * mine[i] - 1
        for j in range(others):
            add(&t, learned, pairs + DISTANCES * theirs[j] + DISTANCE[my_square[i]][their_square[j]], 1)
    if rules.jumping != 0:
        add_aims(&t, learned, rules, b, b.theirs, b.mine, AIMED_AT)
        add_aims(&t, learned, rules, b, b.mine, b.theirs, AIMING_AT)
    men = popcount(b.hidden)
    add(&t, learned, TURN, 1)
    add(&t, learned, TURN_HIDDEN, men)
    men += ours + others
    return (t.full * men + t.empty * (MEN - men)) / MEN


cdef Value evaluate_learned(const RuleSet* rules, const Position* p) noexcept nogil:
    cdef int score = p.material if side_of(&p.board) == RED else -p.material
    if p.board.hidden == 0 and not can_move(rules, &p.board):
        return -UNIT
    return expected((score + weigh_board(rules, rules.learned, &p.board, NULL)) / FINENESS)
