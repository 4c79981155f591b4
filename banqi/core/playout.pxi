# Random games: every legal action equally likely, every reveal as likely as the pool says.

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
    cdef Action action
    boards[0] = start[0]
    plies[0] = 0
    while True:
        end = decided(b)
        if end != 0:
            return end if plies[0] % 2 == 0 else -end
        action = random_action(rules, b, rng)
        if action == NO_ACTION:
            return -1 if plies[0] % 2 == 0 else 1
        if quiet >= rules.quiet_limit:
            return 0
        if reveals(b, action):
            reveal(b, action, random_identity(b.pool, rng, popcount(b.hidden)), after)
            quiet = 0
        else:
            quiet = 0 if captures(b, action) else quiet + 1
            play(b, action, after)
        plies[0] += 1
        b, after = after, b
