# The evaluation of Banqi: what a position is worth to the side to move, as an expected result.
#
# A score is a sum in quarters of a point, a soldier being 4 points; expected() maps it to a Value. Face-down men count
# in full, so that a flip is worth what it shows and threatens, not the man it uncovers.
#
# A rule set with weights has its positions evaluated by them instead (learned.pxi, banqi_features.pxi); the score and
# its unit are the same but for FINENESS.

cdef enum:
    POINT = 4
    # The score that is worth an expected result of 1 / sqrt(2).
    SCORE_SCALE = 60 * POINT
    # For each square that a man can step to.
    MOBILITY = 1
    # For each rank of a man that the enemy attacks, the side to move having the chance to save one.
    THREATENED = 1
    # What a general gains with every enemy soldier that is gone.
    GENERAL_FREED = 2 * POINT
    SOLDIERS = 5 * SETS

# Points by place in the ranking, from the highest, for the men that stand in it, and the jumping cannon's.
cdef int[KINDS] RANK_POINTS = [30, 14, 11, 9, 7, 6, 4]
cdef int CANNON_POINTS = 16

cdef void set_worth(RuleSet* rules) noexcept nogil:
    """Gives each code its points: by rank, the jumping cannon apart from it."""
    cdef int code, place = 0
    for code in range(KINDS - 1, -1, -1):
        if code == rules.cannon and rules.jumping != 0:
            rules.worth[code] = CANNON_POINTS * POINT
        elif code == 0:
            rules.worth[code] = RANK_POINTS[KINDS - 1] * POINT
        else:
            rules.worth[code] = RANK_POINTS[place] * POINT
            place += 1


cdef inline int loss_of(const RuleSet* rules, uint64_t alive, int identity) noexcept nogil:
    """What red's lead loses by the removal of a living man."""
    if rules.learned != NULL:
        return learned_loss(rules.learned, alive, identity)
    return rules.worth[identity] if identity < KINDS else -rules.worth[identity - KINDS]


cdef inline int freedom(const RuleSet* rules, uint64_t alive, int colour) noexcept nogil:
    """What a colour's generals have gained by the fall of enemy soldiers."""
    cdef int fallen = SOLDIERS - counted(alive, KINDS * (colour ^ 1) + rules.soldier)
    return GENERAL_FREED * fallen * counted(alive, KINDS * colour + rules.general)


cdef inline int rank_sum(const Board* b, bb_t men) noexcept nogil:
    """The ranks of men added up, the lowest counting 1."""
    return popcount(men) + popcount(men & b.plane[0]) + 2 * popcount(men & b.plane[1]) + 4 * popcount(men & b.plane[2])


cdef inline int danger(const RuleSet* rules, const Board* b, bb_t attackers, bb_t victims) noexcept nogil:
    """The ranks of the victims that the attackers could take, added up."""
    return rank_sum(b, attacked(rules, b, attackers, victims))


cdef inline int men_score(const RuleSet* rules, const Position* p) noexcept nogil:
    """The mover's men against the enemy's, those face down included."""
    cdef int score = p.material + freedom(rules, p.alive, RED) - freedom(rules, p.alive, BLACK)
    return score if side_of(&p.board) == RED else -score


cdef Value evaluate(const RuleSet* rules, const Position* p) noexcept nogil:
    """The expected result for the side to move, within [-ESTIMATE, ESTIMATE]; -UNIT if it has no legal action.

    In a chain it is what the chain's end leads to.
    """
    cdef const Board* b = &p.board
    if unusual(rules.house) and in_chain(b):
        return evaluate_in_chain(rules, p)
    if rules.learned != NULL:
        return evaluate_learned(rules, p)
    cdef int free = quad_popcount(steps(b, b.mine))
    if free == 0 and not can_move(rules, b):
        return -UNIT
    cdef int score = men_score(rules, p)
    score += MOBILITY * (free - quad_popcount(steps(b, b.theirs)))
    score -= THREATENED * danger(rules, b, b.theirs, b.mine)
    return expected(score)


cdef Value reveal_ceiling(const RuleSet* rules, const Position* p, Action action) noexcept nogil:
    """Nothing that a flip or an attempt shows leads to a position that evaluate() finds better for the side that acts.

    After a flip men stay as they are, so only what the new man sees can count: if it is ours, the empty squares beside
    it and the enemies that it may attack; if it is theirs, that we may attack it.
    """
    cdef const Board* b = &p.board
    cdef bb_t square = square_bit(target_of(action))
    cdef bb_t beside = quad_any(step_from(square))
    cdef bb_t seen = beside
    cdef int score, ours
    if (b.hidden & (b.hidden - 1)) == 0 or unowned(b) or rules.learned != NULL:
        return UNIT
    if rules.faceup_screens or origin_of(action) != target_of(action):
        # New screens open more lines than those through this square; an attempt may capture.
        return UNIT
    if rules.jumping != 0:
        seen |= jumps(b, target_of(action))
    ours = MOBILITY * popcount(beside & ~(b.mine | b.theirs | b.hidden)) + THREATENED * rank_sum(b, seen & b.theirs)
    score = men_score(rules, p)
    score += MOBILITY * (quad_popcount(steps(b, b.mine)) - quad_popcount(steps(b, b.theirs)))
    score += THREATENED * danger(rules, b, b.mine, b.theirs)
    if ours < THREATENED * KINDS and (seen & b.mine) != 0:
        ours = THREATENED * KINDS
    return expected(score + ours)
