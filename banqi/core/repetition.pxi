# Perpetual attack: what a repetition says of the plies since the position stood before.

# Who attacks one and the same man after each of its plies between two occurrences of a position.
cdef struct Pursuit:
    # The men that have been attacked so far: of the side to move at both occurrences, and of the other.
    bb_t[2] pursued
    int plies


cdef inline void begin_pursuit(Pursuit* pursuit, const Board* b) noexcept nogil:
    pursuit.pursued[0] = b.mine
    pursuit.pursued[1] = b.theirs
    pursuit.plies = 0


cdef void pursue(const RuleSet* rules, Pursuit* pursuit, Action step, const Board* after) noexcept nogil:
    """Takes the next step into account; `after` is the board after it."""
    cdef int mover = pursuit.plies & 1
    cdef bb_t start = square_bit(origin_of(step))
    if pursuit.pursued[mover] & start:
        pursuit.pursued[mover] ^= start | square_bit(target_of(step))
    pursuit.pursued[mover ^ 1] &= attacked(rules, after, after.theirs, after.mine)
    pursuit.plies += 1


cdef inline int loser_of(const Pursuit* pursuit) noexcept nogil:
    """1 if the side to move is the only perpetual attacker, -1 if the other side is, 0 for a draw."""
    return <int>(pursuit.pursued[1] != 0) - <int>(pursuit.pursued[0] != 0)
