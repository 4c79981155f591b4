# Random games: every legal action equally likely, every reveal as likely as the pool says.

cdef enum:
    # What random_ply() returns instead of a quiet counter.
    NO_PLY = -1
    DRAWN = -2


cdef inline int random_identity(uint64_t pool, uint64_t* rng, int hidden) noexcept nogil:
    """An identity of the pool, which holds `hidden` men."""
    cdef int n = <int>rng_below(rng, hidden)
    cdef int identity = 0
    while n >= counted(pool, identity):
        n -= counted(pool, identity)
        identity += 1
    return identity


cdef int playout(const RuleSet* rules, const Board* start, int quiet, uint64_t* rng, int* plies) noexcept nogil:
    """Plays to the end; returns 1, 0 or -1 for the side to move at the start and sets the game's length.

    Repetition ends nothing here; the quiet limit does.
    """
    cdef Board[2] boards
    cdef Board* b = &boards[0]
    cdef Board* after = &boards[1]
    cdef int end
    boards[0] = start[0]
    plies[0] = 0
    while True:
        end = decided(b)
        if end != 0:
            return end if plies[0] % 2 == 0 else -end
        quiet = random_ply(rules, b, quiet, rng, after)
        if quiet < 0:
            if quiet == DRAWN:
                return 0
            return -1 if plies[0] % 2 == 0 else 1
        plies[0] += 1
        b, after = after, b
