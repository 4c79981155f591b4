# The Python face of a board: State, a position with its history, Searcher, and random games.
#
# Everything here trusts its caller, banqi.position and banqi.engine, which check what people give them.

cdef enum:
    HIDDEN_CELL = IDENTITIES
    EMPTY_CELL = IDENTITIES + 1
    END_NONE = 0
    END_ALL_CAPTURED = 1
    END_NO_MOVES = 2
    END_REPETITION = 3
    END_QUIET_LIMIT = 4
    END_PERPETUAL_ATTACK = 5
    END_FLAG = 6
    # The index of the end of a chain; that of any other action is from * SQUARES + to.
    CHAIN_END = SQUARES * SQUARES


cdef inline Action action_of_index(const Board* b, int index) noexcept:
    if index == CHAIN_END:
        return <Action>(chain_square(b) * 65) if in_chain(b) else NO_ACTION
    if in_chain(b) and index // SQUARES == index % SQUARES:
        # In a chain nothing can be flipped; from the chain's square to itself would be its end.
        return NO_ACTION
    return <Action>(index // SQUARES | (index % SQUARES) << 6)


cdef inline int index_of_action(const Board* b, Action action) noexcept:
    if in_chain(b) and origin_of(action) == target_of(action):
        return CHAIN_END
    return origin_of(action) * SQUARES + target_of(action)


@cython.final
cdef class State:
    cdef RuleTable table
    cdef Position now
    cdef Past* past
    cdef Py_ssize_t plies_
    cdef Py_ssize_t room

    def __init__(self, RuleTable table, bytes cells, bytes pool, int side, int chain, int quiet):
        cdef int square, identity
        cdef Board* b = &self.now.board
        cdef bb_t[2] men
        self.table = table
        memset(&self.now, 0, sizeof(Position))
        memset(men, 0, sizeof(men))
        for square in range(SQUARES):
            identity = cells[square]
            if identity == HIDDEN_CELL:
                b.hidden |= square_bit(square)
            elif identity != EMPTY_CELL:
                men[identity // KINDS] |= square_bit(square)
                set_code(b, square, table.rules.code_of_kind[identity % KINDS])
        for identity in range(IDENTITIES):
            b.pool += pool[identity] * one_of(self.internal(identity))
        if side == BLACK:
            b.pool |= BLACK_TO_MOVE
        if chain >= 0:
            begin_chain(b, chain)
        b.mine = men[side if side != UNKNOWN else RED]
        b.theirs = men[BLACK - side if side != UNKNOWN else BLACK]
        self.now.quiet = quiet
        complete(&table.rules, &self.now)

    def __dealloc__(self):
        free(self.past)

    cdef int internal(self, int identity):
        """An identity of the core (by code) from one of the outside (by kind)."""
        return identity // KINDS * KINDS + self.table.rules.code_of_kind[identity % KINDS]

    cdef int external(self, int identity):
        return identity // KINDS * KINDS + self.table.rules.kind_of_code[identity % KINDS]

    @property
    def side(self):
        return UNKNOWN if unowned(&self.now.board) else side_of(&self.now.board)

    @property
    def quiet(self):
        return self.now.quiet

    @property
    def chain(self):
        return chain_square(&self.now.board)

    @property
    def key(self):
        return self.now.key

    @property
    def plies(self):
        return self.plies_

    def fresh_key(self):
        return fresh_key(&self.table.rules, &self.now.board)

    def cells(self):
        cdef const Board* b = &self.now.board
        cdef int square, colour
        cells = bytearray(SQUARES)
        for square in range(SQUARES):
            if (b.hidden >> square) & 1:
                cells[square] = HIDDEN_CELL
            elif ((b.mine | b.theirs) >> square) & 1:
                colour = side_of(b) ^ ((b.theirs >> square) & 1)
                cells[square] = self.external(KINDS * colour + code_at(b, square))
            else:
                cells[square] = EMPTY_CELL
        return bytes(cells)

    def pool(self):
        cdef int identity
        return bytes([counted(self.now.board.pool, self.internal(identity)) for identity in range(IDENTITIES)])

    def actions(self):
        cdef ActionList list
        cdef int i
        list.count = 0
        if decided(&self.now.board) == 0:
            generate_moves(&self.table.rules, &self.now.board, &list)
            generate_reveals(&self.table.rules, &self.now.board, self.now.board.hidden, &list)
        return [index_of_action(&self.now.board, list.action[i]) for i in range(list.count)]

    def action_count(self):
        if decided(&self.now.board) != 0:
            return 0
        cdef const Board* b = &self.now.board
        cdef ActionList list
        list.count = 0
        generate_moves(&self.table.rules, b, &list)
        generate_reveals(&self.table.rules, b, b.hidden, &list)
        return list.count

    def is_legal(self, int action):
        if action < 0 or action > CHAIN_END or decided(&self.now.board) != 0:
            return False
        return is_legal(&self.table.rules, &self.now.board, action_of_index(&self.now.board, action))

    def reveals(self, int action):
        """Whether a legal action turns a hidden man up."""
        return reveals(&self.now.board, action_of_index(&self.now.board, action))

    def can_capture_on(self):
        """Whether the man on a chain's square has something to capture or to attempt."""
        cdef const Board* b = &self.now.board
        return in_chain(b) and can_capture_on(&self.table.rules, b, square_bit(chain_square(b)))

    def push(self, int action, int identity):
        cdef Past* past
        cdef Position after
        if self.plies_ == self.room:
            past = <Past*>realloc(self.past, (2 * self.room + 32) * sizeof(Past))
            if past == NULL:
                raise MemoryError
            self.past = past
            self.room = 2 * self.room + 32
        past = &self.past[self.plies_]
        past.before = self.now
        past.action = action_of_index(&past.before.board, action)
        past.identity = identity
        if identity < 0:
            make(&self.table.rules, &past.before, past.action, &after)
        else:
            make_reveal(&self.table.rules, &past.before, past.action, self.internal(identity), &after)
        self.now = after
        self.plies_ += 1

    def pop(self):
        self.plies_ -= 1
        self.now = self.past[self.plies_].before

    def occurrences(self):
        cdef int seen = 1
        cdef Py_ssize_t i = self.plies_ - 1
        while i >= 0 and self.plies_ - i <= self.now.quiet:
            seen += memcmp(&self.past[i].before.board, &self.now.board, sizeof(Board)) == 0
            i -= 1
        return seen

    cdef const Board* board_at(self, Py_ssize_t i):
        if i == self.plies_:
            return &self.now.board
        return &self.past[i].before.board

    cdef Py_ssize_t last_occurrence(self):
        """How many plies ago the position stood before, or 0."""
        cdef Py_ssize_t back = 1
        while back <= self.plies_ and back <= self.now.quiet:
            if memcmp(&self.past[self.plies_ - back].before.board, &self.now.board, sizeof(Board)) == 0:
                return back
            back += 1
        return 0

    cdef int pursuit_loser(self, Py_ssize_t length):
        """loser_of() the last `length` plies."""
        cdef Pursuit pursuit
        cdef Py_ssize_t i
        if not self.table.rules.perpetual_loses:
            return 0
        begin_pursuit(&pursuit, self.board_at(self.plies_ - length))
        for i in range(self.plies_ - length, self.plies_):
            pursue(&self.table.rules, &pursuit, self.past[i].action, self.board_at(i + 1))
        return loser_of(&pursuit)

    cdef Py_ssize_t cycle(self):
        """The length of a cycle whose three copies are the last steps, or 0."""
        cdef Py_ssize_t length, i
        cdef Py_ssize_t steps = min(self.now.quiet, self.plies_)
        for length in range(2, steps // 3 + 1, 2):
            i = self.plies_ - 1
            while i >= self.plies_ - 2 * length and self.past[i].action == self.past[i - length].action:
                i -= 1
            if i < self.plies_ - 2 * length:
                return length
        return 0

    def termination(self):
        cdef const Board* b = &self.now.board
        cdef int side = side_of(b)
        cdef int rule = self.table.rules.repetition
        cdef int loser
        cdef Py_ssize_t length = 0
        if decided(b) != 0:
            return END_FLAG if DECIDED_BY_FLAG else END_ALL_CAPTURED, side if decided(b) > 0 else side ^ 1
        if not can_move(&self.table.rules, b):
            return END_NO_MOVES, side ^ 1
        if rule == REPETITION_CYCLE:
            length = self.cycle()
        elif rule > 0 and self.occurrences() >= rule:
            length = self.last_occurrence()
        if length != 0:
            loser = self.pursuit_loser(length)
            if loser != 0:
                return END_PERPETUAL_ATTACK, side ^ 1 if loser > 0 else side
            return END_REPETITION, -1
        if self.now.quiet >= self.table.rules.quiet_limit:
            return END_QUIET_LIMIT, -1
        return END_NONE, -1

    def evaluate(self, weights=None):
        """The evaluation, in units of 1 / UNIT, for the side to move: by weights, or, if None, as written by hand."""
        cdef RuleSet rules
        cdef Position now
        if weights is None:
            return evaluate(&self.table.rules, &self.now)
        rules = self.table.rules
        use_evaluation(&rules, weights)
        now = self.now
        complete(&rules, &now)
        return evaluate(&rules, &now)

    def perft(self, int depth, bint full):
        cdef PerftWork work
        cdef uint64_t leaves
        if depth == 0:
            return 1
        work.watch = new_watch()
        work.unwatched = 0
        work.stopped = False
        work.rules = &self.table.rules
        with nogil:
            leaves = leaves_of(&work, &self.now.board, depth, not full)
        raise_interrupt(&work.watch)
        return leaves

    def playouts(self, int count, uint64_t seed, int8_t[::1] results, int32_t[::1] plies):
        """Plays random games into two arrays of `count`; game i depends on the seed and i alone."""
        cdef Watch watch
        cdef uint64_t rng
        cdef int i = 0, length
        watch = new_watch()
        with nogil:
            while i < count and not (i % 64 == 0 and interrupted(&watch, clock_now())):
                rng = rng_mix(rng_mix(seed) + i)
                results[i] = random_game(&self.table.rules, &self.now.board, self.now.quiet, &rng, &length)
                plies[i] = length
                i += 1
        raise_interrupt(&watch)

    def copy(self):
        cdef State other = State.__new__(State)
        other.table = self.table
        other.now = self.now
        if self.plies_ > 0:
            other.past = <Past*>malloc(self.plies_ * sizeof(Past))
            if other.past == NULL:
                raise MemoryError
            memcpy(other.past, self.past, self.plies_ * sizeof(Past))
            other.plies_ = other.room = self.plies_
        return other

    def same(self, State other):
        return (
            memcmp(&self.now.board, &other.now.board, sizeof(Board)) == 0
            and self.now.quiet == other.now.quiet
            and self.table.rules.tag == other.table.rules.tag
        )


@cython.final
cdef class Searcher:
    """The workers that search with a transposition table. One search at a time."""

    cdef Table table
    # Those of the search under way, with its evaluation.
    cdef RuleSet rules
    cdef Worker** workers
    cdef int threads
    cdef Shared shared
    cdef Watch watch
    cdef object report
    cdef object raised
    cdef State state

    def __init__(self, Table table not None, int threads):
        cdef int i
        self.table = table
        self.threads = threads
        self.workers = <Worker**>calloc(threads, sizeof(Worker*))
        if self.workers == NULL:
            raise MemoryError
        for i in range(threads):
            self.workers[i] = <Worker*>calloc(1, sizeof(Worker))
            if self.workers[i] == NULL:
                raise MemoryError

    def __dealloc__(self):
        cdef int i
        if self.workers != NULL:
            for i in range(self.threads):
                free(self.workers[i])
            free(self.workers)

    def stop(self):
        """Ends the search under way, if any; from any thread."""
        flag_set(&self.shared.stop, 1)

    def think(self, State state, *, int depth, uint64_t nodes, double seconds, int lines, report, cancelled=None,
              tables=None, only=(), weights=None, bint quiescence=True, bint repetition=True,
              bint same_depth_only=False):
        """Searches; returns the nodes of all threads and the seconds.

        report(depth, rank, selective depth, nodes, seconds, hashfull, value, line, reveals) is called, with the GIL,
        for each line of each finished iteration. line: list of (action index, assumed identity or -1); reveals: for a
        flip the list of IDENTITIES values (to the side to move), else None. It may return the seconds that the search
        may take in all, instead of those asked for before. nodes: 0 for no limit; seconds: may be inf.
        cancelled() is asked once, after which stop() is heard. tables: endgame tables, or None. only: the actions to
        choose among, all if there are none. weights: of the evaluation, None for the one written by hand; a table
        remembers what they found, so that other weights need a table that was cleared.
        """
        cdef int i, square
        cdef Py_ssize_t j
        cdef Worker* w
        cdef double started = clock_now()
        cdef uint64_t total = 0
        cdef const TableSet* endings = endings_of(tables)
        cdef Action[MAX_ACTIONS] chosen
        cdef int choices = 0
        for action in only:
            chosen[choices] = action_of_index(&state.now.board, action)
            choices += 1
        self.state = state
        self.rules = state.table.rules
        use_evaluation(&self.rules, weights)
        self.report = report
        self.raised = None
        self.watch = new_watch()
        memset(&self.shared, 0, sizeof(Shared))
        if cancelled is not None and cancelled():
            flag_set(&self.shared.stop, 1)
        tt_new_search(&self.table.memory)
        try:
            for i in range(self.threads):
                w = self.workers[i]
                w.rules = &self.rules
                w.table = &self.table.memory
                w.endings = endings
                w.only = chosen
                w.only_count = choices
                w.shared = &self.shared
                w.watch = &self.watch
                w.index = i
                w.threads = self.threads
                w.limits = Limits(depth=min(depth, MAX_DEPTH), nodes=nodes, deadline=started + seconds)
                w.features = Features(quiescence=quiescence, repetition=repetition, same_depth_only=same_depth_only)
                w.started = started
                w.nodes = 0
                w.stopped = False
                w.base = state.plies_
                w.keys = <uint64_t*>malloc((state.plies_ + MAX_PLY + 2) * sizeof(uint64_t))
                w.played = <Action*>malloc((state.plies_ + MAX_PLY + 2) * sizeof(Action))
                if w.keys == NULL or w.played == NULL:
                    raise MemoryError
                w.game = state.past
                for j in range(state.plies_):
                    w.keys[j] = state.past[j].before.key
                    w.played[j] = state.past[j].action
                w.stack[0] = state.now
                complete(&self.rules, &w.stack[0])
                memset(w.killer, 0xFF, sizeof(w.killer))
                memset(w.history, 0, sizeof(w.history))
                if i > 0:
                    # Helpers begin with an order of their own, or all threads would search the same tree in step.
                    for square in range(SQUARES * SQUARES):
                        w.history[0][square] = rng_mix(<uint64_t>(square * MAX_THREADS + i)) % HELPER_HISTORY
                        w.history[1][square] = rng_mix(~<uint64_t>(square * MAX_THREADS + i)) % HELPER_HISTORY
            with nogil:
                search_together(self.workers, self.threads, lines, report_line, <void*>self)
        finally:
            for i in range(self.threads):
                w = self.workers[i]
                total += w.nodes
                free(w.keys)
                free(w.played)
                w.keys = NULL
                w.played = NULL
        self.state = None
        self.report = None
        raise_interrupt(&self.watch)
        if self.raised is not None:
            error, self.raised = self.raised, None
            raise error
        return total, clock_now() - started

    cdef void tell(self, const Worker* w, int depth, int rank) noexcept:
        cdef const RootMove* move = &w.root[rank]
        cdef uint64_t nodes = 0
        cdef uint32_t item
        cdef int i
        if self.report is None or self.raised is not None:
            return
        try:
            flag_set(&self.shared.nodes[w.index], w.nodes)
            for i in range(w.threads):
                nodes += flag_get(&self.shared.nodes[i])
            line = []
            for i in range(move.line.length):
                item = move.line.item[i]
                identity = <int>(item >> ITEM_REVEAL) - 1
                if item == NO_ACTION:
                    line.append((CHAIN_END, -1))
                    continue
                line.append((
                    origin_of(item & 0xFFFF) * SQUARES + target_of(item & 0xFFFF),
                    self.state.external(identity) if identity >= 0 else -1,
                ))
            values = None
            if move.revealed and reveals(&w.stack[0].board, move.action):
                values = [
                    move.reveal[twin(&w.stack[0].board, self.state.internal(i))]
                    if counted(w.stack[0].board.pool, self.state.internal(i)) != 0 else None
                    for i in range(IDENTITIES)
                ]
            seconds = self.report(
                depth, rank, w.selective_depth, nodes, clock_now() - w.started, tt_hashfull(w.table),
                move.value, line, values,
            )
            if seconds is not None:
                self.workers[w.index].limits.deadline = w.started + <double>seconds
        except BaseException as error:
            self.raised = error
            flag_set(&self.shared.stop, 1)


cdef void report_line(void* context, const Worker* w, int depth, int rank) noexcept with gil:
    (<Searcher>context).tell(w, depth, rank)


# The constants that Python sees under their own names.
globals().update(
    SQUARES=SQUARES, IDENTITIES=IDENTITIES, HIDDEN=HIDDEN_CELL, EMPTY=EMPTY_CELL,
    UNIT=UNIT, PROVEN=PROVEN, MAX_DEPTH=MAX_DEPTH,
    START=tuple(i for i in range(SQUARES) if (POSTS >> i) & 1),
)
