# The rules of flip Junqi: what a position is, what can be done in it and what it becomes.
#
# A kind is known by its code, 0 to 11: landmine, flag, bomb, then the ranks from the engineer up. An identity is
# 12 * colour + code, red being colour 0.

cdef extern from * nogil:
    """
    #define unusual(x) __builtin_expect(!!(x), 0)
    """
    bint unusual(bint x) noexcept


cdef enum:
    KINDS = 12
    IDENTITIES = 24
    MINE = 0
    FLAG = 1
    BOMB = 2
    ENGINEER = 3
    PLANES = 4
    RED = 0
    BLACK = 1
    UNKNOWN = 2
    REPETITION_NONE = 0
    REPETITION_CYCLE = -1
    # Whether evaluate() is asked once for all reveals that are alike().
    ALIKE_WHEN_STANDING = 1
    # What decided() tells of.
    DECIDED_BY_FLAG = 1
    # The rows 2 to 11, which the outer railways run through.
    RAIL_LENGTH = 10

# Bit 63 of Board.pool: black (blue, to the players) is to move. The lower 48 bits are 24 counts of 2 bits each.
cdef uint64_t BLACK_TO_MOVE = <uint64_t>1 << 63
cdef uint64_t COUNTS = (<uint64_t>1 << 48) - 1
cdef uint64_t RED_COUNTS = (<uint64_t>1 << 24) - 1


cdef struct Board:
    # The code of each face-up man, one bit of it in each plane. A square without a face-up man has code 0 there.
    bb_t[PLANES] plane
    # Face-up men of the side to move, and of the other.
    bb_t mine
    bb_t theirs
    bb_t hidden
    # The face-down identities, counted, and the side to move. Before the first flip the side bit is 0.
    uint64_t pool


# learned.pxi
cdef struct Evaluation


cdef struct RuleSet:
    int repetition
    int quiet_limit
    uint64_t tag
    uint8_t[KINDS] kind_of_code
    uint8_t[KINDS] code_of_kind
    # The learned evaluation, or NULL for the one written by hand.
    const Evaluation* learned
    # What Banqi has and this game has not: always 0.
    bint house
    bint chains
    bint perpetual_loses


# A position as a search needs it: the board and what is cheaper to carry along than to find again.
cdef struct Position:
    Board board
    uint64_t key
    # What is not captured, counted as in Board.pool.
    uint64_t alive
    # Red's men against black's: lead() in learned.pxi.
    int material
    int quiet


# An action of a game that was played, with the position before it and the identity that it showed, or -1.
cdef struct Past:
    Position before
    Action action
    int identity


cdef struct ActionList:
    int count
    Action[MAX_ACTIONS] action


# ---- the board, put together from its description, when the module is imported -----------------------------------

cdef bb_t CAMPS
# Where the 50 men lie at the start.
cdef bb_t POSTS
cdef bb_t RAILWAY
# Neighbours by any edge.
cdef bb_t[SQUARES] ROADS
# Railway nodes whose neighbour to the east, or to the north, is joined to them by railway.
cdef bb_t RAIL_EAST
cdef bb_t RAIL_NORTH
# Along a row and along an outer file: what a man on a place reaches, the first occupied place included.
cdef uint8_t[FILES][1 << FILES] ROW_SLIDES
cdef uint16_t[RAIL_LENGTH][1 << RAIL_LENGTH] FILE_SLIDES

# Five bits, each a row further up than the last.
cdef bb_t[1 << FILES] UPWARDS

cdef uint64_t[IDENTITIES][SQUARES] MAN_KEY
cdef uint64_t[SQUARES] HIDDEN_KEY
cdef uint64_t[IDENTITIES][4] POOL_KEY
cdef uint64_t[SQUARES] FLIP_KEY
cdef uint64_t SIDE_KEY


cdef inline bb_t square_bit(int square) noexcept nogil:
    return <bb_t>1 << square


cdef inline bint on_board(int file, int row) noexcept nogil:
    return 0 <= file < FILES and 0 <= row < RANKS


cdef bint is_camp(int file, int row) noexcept nogil:
    """Five camps in each half: around c4 and c9, and on the diagonals from there."""
    cdef int middle = 3 if row < RANKS / 2 else 8
    cdef int across = file - 2 if file > 2 else 2 - file
    cdef int along = row - middle if row > middle else middle - row
    return across == 0 and along == 0 or across == 1 and along == 1


cdef bint is_railway(int file, int row, int other_file, int other_row) noexcept nogil:
    """Whether an edge between neighbours is railway: rows 2, 6, 7 and 11, files a and e in rows 2 to 11, and c6-c7."""
    if row == other_row:
        return row == 1 or row == 5 or row == 6 or row == 10
    if min(row, other_row) < 1 or max(row, other_row) > 10:
        return False
    return file == 0 or file == FILES - 1 or file == 2 and min(row, other_row) == 5


cdef bint is_edge(int file, int row, int other_file, int other_row) noexcept nogil:
    """Whether two places one step apart are joined: there are mountains at b and d, and diagonals at camps only."""
    if file != other_file and row != other_row:
        return is_camp(file, row) or is_camp(other_file, other_row)
    if file == other_file and min(row, other_row) == 5:
        return file != 1 and file != 3
    return True


cdef int slides(int place, int occupied, int length) noexcept nogil:
    """The places of a line that a man on one of them reaches, the first occupied one on each side included."""
    cdef int reached = 0, towards, other
    for towards in range(-1, 2, 2):
        other = place + towards
        while 0 <= other < length:
            reached |= 1 << other
            if (occupied >> other) & 1:
                break
            other += towards
    return reached


cdef void make_tables() noexcept nogil:
    global CAMPS, POSTS, RAILWAY, RAIL_EAST, RAIL_NORTH, SIDE_KEY
    cdef int file, row, across, along, place, occupied, square, identity, n
    cdef uint64_t seed = 0x6A756E7169
    for row in range(RANKS):
        for file in range(FILES):
            square = FILES * row + file
            if is_camp(file, row):
                CAMPS |= square_bit(square)
            for across in range(-1, 2):
                for along in range(-1, 2):
                    if (across != 0 or along != 0) and on_board(file + across, row + along):
                        if is_edge(file, row, file + across, row + along):
                            ROADS[square] |= square_bit(square + FILES * along + across)
                            if (across == 0 or along == 0) and is_railway(file, row, file + across, row + along):
                                RAILWAY |= square_bit(square)
                                if across == 1:
                                    RAIL_EAST |= square_bit(square)
                                if along == 1:
                                    RAIL_NORTH |= square_bit(square)
    POSTS = (square_bit(SQUARES) - 1) & ~CAMPS
    for place in range(FILES):
        for occupied in range(1 << FILES):
            ROW_SLIDES[place][occupied] = slides(place, occupied, FILES)
    for occupied in range(1 << FILES):
        for place in range(FILES):
            if (occupied >> place) & 1:
                UPWARDS[occupied] |= square_bit(FILES * place)
    for place in range(RAIL_LENGTH):
        for occupied in range(1 << RAIL_LENGTH):
            FILE_SLIDES[place][occupied] = slides(place, occupied, RAIL_LENGTH)
    SIDE_KEY = rng_next(&seed)
    for square in range(SQUARES):
        HIDDEN_KEY[square] = rng_next(&seed)
        FLIP_KEY[square] = rng_next(&seed)
        for identity in range(IDENTITIES):
            MAN_KEY[identity][square] = rng_next(&seed)
    for identity in range(IDENTITIES):
        for n in range(4):
            POOL_KEY[identity][n] = rng_next(&seed)


make_tables()


# ---- reading a board -------------------------------------------------------------------------------------------

cdef inline int code_at(const Board* b, int square) noexcept nogil:
    """The code of the face-up man on a square."""
    return <int>(
        (b.plane[0] >> square) & 1
        | ((b.plane[1] >> square) & 1) << 1
        | ((b.plane[2] >> square) & 1) << 2
        | ((b.plane[3] >> square) & 1) << 3
    )


cdef inline void set_code(Board* b, int square, int code) noexcept nogil:
    """Gives a square without a face-up man its code."""
    cdef int i
    for i in range(PLANES):
        b.plane[i] |= <bb_t>((code >> i) & 1) << square


cdef inline bb_t movable(const Board* b) noexcept nogil:
    """Where face-up men stand that are neither mines nor flags (J2)."""
    return b.plane[1] | b.plane[2] | b.plane[3]


cdef inline bint unowned(const Board* b) noexcept nogil:
    """Whether nothing was flipped yet, so that no side has a colour."""
    return b.hidden == POSTS


cdef inline int side_of(const Board* b) noexcept nogil:
    """The colour to move; red before the first flip."""
    return <int>(b.pool >> 63)


cdef inline uint64_t one_of(int identity) noexcept nogil:
    """A count of one man."""
    return <uint64_t>1 << (2 * identity)


cdef inline int counted(uint64_t counts, int identity) noexcept nogil:
    return <int>((counts >> (2 * identity)) & 3)


cdef inline uint64_t exchanged(uint64_t counts) noexcept nogil:
    """Counts with the colours exchanged."""
    return (counts >> (2 * KINDS) | counts << (2 * KINDS)) & COUNTS


cdef inline int kinds_hidden(const Board* b) noexcept nogil:
    """How many different identities a flip can show."""
    return popcount64((b.pool | b.pool >> 1) & <uint64_t>0x555555555555)


cdef inline bint without_flag(const Board* b, bb_t men, int colour) noexcept nogil:
    """Whether a colour's flag lies neither face up nor face down on the board."""
    return (men & b.plane[0] & ~movable(b)) == 0 and counted(b.pool, KINDS * colour + FLAG) == 0


cdef inline int decided(const Board* b) noexcept nogil:
    """-1 if the side to move has lost its flag (J8), 1 if the other side has, else 0."""
    if without_flag(b, b.mine, side_of(b)):
        return -1
    return without_flag(b, b.theirs, side_of(b) ^ 1)


# ---- what men can do -------------------------------------------------------------------------------------------

cdef inline bb_t goals(const Board* b) noexcept nogil:
    """Where a man of the side to move may arrive: empty nodes, and enemies outside camps (J6)."""
    return (square_bit(SQUARES) - 1) & ~(b.mine | b.hidden | (b.theirs & CAMPS))


cdef inline int rail_places(bb_t nodes) noexcept nogil:
    """The nodes of file a in rows 2 to 11 as 10 bits; others may be among them."""
    # Of five bits that lie 5 apart each is multiplied to its own place, 16 + k; no two products meet.
    cdef bb_t low = (nodes >> 5) & <bb_t>0x108421
    cdef bb_t high = (nodes >> 30) & <bb_t>0x108421
    return <int>(((low * <bb_t>0x11111) >> 16) & 31 | (((high * <bb_t>0x11111) >> 16) & 31) << 5)


cdef inline bb_t rail_nodes(int places) noexcept nogil:
    """The nodes of file a in rows 2 to 11 that 10 bits stand for."""
    return UPWARDS[places & 31] << 5 | UPWARDS[places >> 5] << 30


cdef inline bb_t straight(int square, bb_t occupied) noexcept nogil:
    """What a man on a railway node reaches along straight lines of it, the first man on each included (J4)."""
    cdef int file = square % FILES
    cdef int row = square / FILES
    cdef bb_t reached = 0
    if (RAIL_EAST >> (FILES * row)) & 1:
        reached = <bb_t>ROW_SLIDES[file][(occupied >> (FILES * row)) & 31] << (FILES * row)
    if file == 0 or file == FILES - 1:
        reached |= rail_nodes(FILE_SLIDES[row - 1][rail_places(occupied >> file)]) << file
    return reached


cdef inline bb_t routes(int square, bb_t occupied) noexcept nogil:
    """What an engineer on a railway node reaches on it, turning freely, the first man on each way included (J5)."""
    cdef bb_t reached = 0
    cdef bb_t front = square_bit(square)
    while front != 0:
        front = (
            (front & RAIL_EAST) << 1
            | (front >> 1) & RAIL_EAST
            | (front & RAIL_NORTH) << FILES
            | (front >> FILES) & RAIL_NORTH
        ) & ~reached
        reached |= front
        front &= ~occupied
    return reached & ~square_bit(square)


cdef inline bb_t reach(const Board* b, int square) noexcept nogil:
    """The nodes that a man on a square gets to if nothing there keeps him off."""
    cdef bb_t occupied = b.mine | b.theirs | b.hidden
    cdef bb_t reached = ROADS[square]
    if (RAILWAY >> square) & 1:
        reached |= routes(square, occupied) if code_at(b, square) == ENGINEER else straight(square, occupied)
    return reached


cdef inline int count_actions(const RuleSet* rules, const Board* b) noexcept nogil:
    """Legal actions, a flip once for every identity that it can show."""
    cdef int n = popcount(b.hidden) * kinds_hidden(b)
    cdef bb_t men = b.mine & movable(b)
    cdef bb_t open = goals(b)
    while men != 0:
        n += popcount(reach(b, lowest(men)) & open)
        men &= men - 1
    return n


cdef bint can_move(const RuleSet* rules, const Board* b) noexcept nogil:
    """Whether the side to move has a legal action, a flip included."""
    cdef bb_t men = b.mine & movable(b)
    if b.hidden != 0:
        return True
    while men != 0:
        # Every way begins with an edge.
        if ROADS[lowest(men)] & goals(b):
            return True
        men &= men - 1
    return False


cdef inline void append(ActionList* list, int origin, int target) noexcept nogil:
    list.action[list.count] = <Action>(origin | target << 6)
    list.count += 1


cdef inline void append_moves(const Board* b, bb_t targets, ActionList* list) noexcept nogil:
    cdef bb_t men = b.mine & movable(b)
    cdef bb_t bits
    cdef int square
    while men != 0:
        square = lowest(men)
        men &= men - 1
        bits = reach(b, square) & targets
        while bits != 0:
            append(list, square, lowest(bits))
            bits &= bits - 1


cdef inline void generate_captures(const RuleSet* rules, const Board* b, ActionList* list) noexcept nogil:
    """Attacks, those that lose included."""
    append_moves(b, goals(b) & b.theirs, list)


cdef inline void generate_plain_moves(const RuleSet* rules, const Board* b, ActionList* list) noexcept nogil:
    append_moves(b, goals(b), list)


cdef inline void generate_moves(const RuleSet* rules, const Board* b, ActionList* list) noexcept nogil:
    """All that reveals nothing."""
    append_moves(b, goals(b), list)


cdef inline void generate_flips(bb_t bits, ActionList* list) noexcept nogil:
    while bits != 0:
        append(list, lowest(bits), lowest(bits))
        bits &= bits - 1


cdef inline void generate_reveals(const RuleSet* rules, const Board* b, bb_t flips, ActionList* list) noexcept nogil:
    generate_flips(flips, list)


cdef inline int origin_of(Action action) noexcept nogil:
    return action & 63


cdef inline int target_of(Action action) noexcept nogil:
    return action >> 6


cdef inline bint reveals(const Board* b, Action action) noexcept nogil:
    """Whether the action turns a hidden man up, so that what follows is a matter of chance."""
    return (b.hidden >> target_of(action)) & 1


cdef inline bint captures(const Board* b, Action action) noexcept nogil:
    """Whether the action is an attack."""
    return (b.theirs >> target_of(action)) & 1


cdef bint is_legal(const RuleSet* rules, const Board* b, Action action) noexcept nogil:
    cdef int origin = origin_of(action)
    cdef int target = target_of(action)
    if action == NO_ACTION or origin >= SQUARES or target >= SQUARES:
        return False
    if origin == target:
        return (b.hidden >> origin) & 1
    if (b.mine & movable(b) & square_bit(origin)) == 0:
        return False
    return (reach(b, origin) & goals(b) & square_bit(target)) != 0


cdef inline int random_ply(
    const RuleSet* rules, const Board* b, int quiet, uint64_t* rng, Board* after
) noexcept nogil:
    """Plays a legal action, each as likely as any other. Returns the quiet counter after it, NO_PLY if there is none,
    DRAWN at the quiet limit.
    """
    cdef bb_t[SQUARES] targets
    cdef int[SQUARES] origins
    cdef bb_t men = b.mine & movable(b)
    cdef bb_t open = goals(b)
    cdef int flips = popcount(b.hidden)
    cdef int total = flips, count = 0, choice
    cdef Action action
    while men != 0:
        origins[count] = lowest(men)
        targets[count] = reach(b, origins[count]) & open
        total += popcount(targets[count])
        count += 1
        men &= men - 1
    if total == 0:
        return NO_PLY
    if quiet >= rules.quiet_limit:
        return DRAWN
    choice = <int>rng_below(rng, total)
    if choice < flips:
        choice = select(b.hidden, choice)
        reveal(b, <Action>(choice | choice << 6), random_identity(b.pool, rng, flips), after)
        return 0
    choice -= flips
    count = 0
    while choice >= popcount(targets[count]):
        choice -= popcount(targets[count])
        count += 1
    action = <Action>(origins[count] | select(targets[count], choice) << 6)
    play(b, action, after)
    return 0 if captures(b, action) else quiet + 1


# ---- what a position becomes -----------------------------------------------------------------------------------

cdef enum:
    ATTACKER_STAYS = 1
    DEFENDER_STAYS = 2


cdef inline int clash(int attacker, int defender) noexcept nogil:
    """Who is left of two men after an attack (J7)."""
    if defender == FLAG:
        return 0 if attacker == BOMB else ATTACKER_STAYS
    if attacker == BOMB or defender == BOMB:
        return 0
    if defender == MINE:
        return ATTACKER_STAYS if attacker == ENGINEER else DEFENDER_STAYS
    if attacker == defender:
        return 0
    return ATTACKER_STAYS if attacker > defender else DEFENDER_STAYS


cdef inline int survivors(const Board* b, Action action) noexcept nogil:
    """Who stands after a move: its man where it arrives, unless it is an attack that costs him."""
    if not captures(b, action):
        return ATTACKER_STAYS
    return clash(code_at(b, origin_of(action)), code_at(b, target_of(action)))


cdef inline void play(const Board* b, Action action, Board* after) noexcept nogil:
    """A move or an attack. `after` is another board than `b`."""
    cdef int origin = origin_of(action)
    cdef int target = target_of(action)
    cdef int left = survivors(b, action)
    cdef bb_t start = square_bit(origin)
    cdef bb_t goal = square_bit(target)
    cdef bb_t moved = goal if left == ATTACKER_STAYS else 0
    cdef bb_t stay = ~(start | (0 if left == DEFENDER_STAYS else goal))
    cdef int i
    for i in range(PLANES):
        after.plane[i] = (b.plane[i] & stay) | (moved if (b.plane[i] >> origin) & 1 else 0)
    after.mine = b.theirs & stay
    after.theirs = (b.mine & stay) | moved
    after.hidden = b.hidden
    after.pool = b.pool ^ BLACK_TO_MOVE


cdef inline void reveal(const Board* b, Action action, int identity, Board* after) noexcept nogil:
    """A flip that shows an identity of the pool. The first of the game decides colours."""
    cdef int square = target_of(action)
    cdef int colour = identity >= KINDS
    cdef int mover = colour if unowned(b) else side_of(b)
    cdef int i
    for i in range(PLANES):
        after.plane[i] = b.plane[i]
    set_code(after, square, identity - KINDS * colour)
    after.mine = b.theirs
    after.theirs = b.mine
    if colour == mover:
        after.theirs |= square_bit(square)
    else:
        after.mine |= square_bit(square)
    after.hidden = b.hidden ^ square_bit(square)
    after.pool = ((b.pool & COUNTS) - one_of(identity)) | <uint64_t>(mover ^ 1) << 63


cdef inline void make(const RuleSet* rules, const Position* p, Action action, Position* after) noexcept nogil:
    """play() with all that a Position carries along."""
    cdef const Board* b = &p.board
    cdef int origin = origin_of(action)
    cdef int target = target_of(action)
    cdef int side = side_of(b)
    cdef int code = code_at(b, origin)
    cdef int man = KINDS * side + code
    cdef int left = ATTACKER_STAYS, victim
    cdef uint64_t key = p.key ^ MAN_KEY[man][origin] ^ SIDE_KEY
    cdef uint64_t alive = p.alive
    cdef int material = p.material
    cdef int quiet = p.quiet + 1
    if captures(b, action):
        victim = code_at(b, target)
        left = clash(code, victim)
        quiet = 0
        if left != DEFENDER_STAYS:
            victim += KINDS * (side ^ 1)
            key ^= MAN_KEY[victim][target]
            material -= loss_of(rules, alive, victim)
            alive -= one_of(victim)
        if left != ATTACKER_STAYS:
            material -= loss_of(rules, alive, man)
            alive -= one_of(man)
    if left == ATTACKER_STAYS:
        key ^= MAN_KEY[man][target]
    play(b, action, &after.board)
    after.key = key
    after.alive = alive
    after.material = material
    after.quiet = quiet


cdef inline void make_reveal(
    const RuleSet* rules, const Position* p, Action action, int identity, Position* after
) noexcept nogil:
    """reveal() with all that a Position carries along."""
    cdef int square = target_of(action)
    cdef int left = counted(p.board.pool, identity)
    reveal(&p.board, action, identity, &after.board)
    after.key = p.key ^ HIDDEN_KEY[square] ^ MAN_KEY[identity][square]
    after.key ^= POOL_KEY[identity][left] ^ POOL_KEY[identity][left - 1]
    if side_of(&after.board) != side_of(&p.board):
        after.key ^= SIDE_KEY
    after.alive = p.alive
    after.material = p.material
    after.quiet = 0


cdef uint64_t fresh_key(const RuleSet* rules, const Board* b) noexcept nogil:
    """The key that make() and make_reveal() keep up to date: board, pool, side and rule set."""
    cdef uint64_t key = rules.tag
    cdef int square, identity, side = side_of(b)
    for square in range(SQUARES):
        if (b.hidden >> square) & 1:
            key ^= HIDDEN_KEY[square]
        elif (b.mine >> square) & 1:
            key ^= MAN_KEY[KINDS * side + code_at(b, square)][square]
        elif (b.theirs >> square) & 1:
            key ^= MAN_KEY[KINDS * (side ^ 1) + code_at(b, square)][square]
    for identity in range(IDENTITIES):
        key ^= POOL_KEY[identity][counted(b.pool, identity)]
    if side == BLACK:
        key ^= SIDE_KEY
    return key


cdef void complete(const RuleSet* rules, Position* p) noexcept nogil:
    """Fills in what a Position carries along with its board."""
    cdef const Board* b = &p.board
    cdef int square, identity, colour
    p.key = fresh_key(rules, b)
    p.alive = b.pool & COUNTS
    for square in range(SQUARES):
        if ((b.mine | b.theirs) >> square) & 1:
            colour = side_of(b) ^ ((b.theirs >> square) & 1)
            p.alive += one_of(KINDS * colour + code_at(b, square))
    p.material = lead(rules, p.alive)


cdef inline bint has_lost(const Position* p) noexcept nogil:
    """Whether the flag of the side to move is taken."""
    return counted(p.alive, KINDS * side_of(&p.board) + FLAG) == 0


cdef inline uint64_t reveal_key(Action action) noexcept nogil:
    """Tells the chance node behind a flip from the position that it is played in."""
    return FLIP_KEY[target_of(action)]


cdef inline int reveal_weight(const Board* b, int identity) noexcept nogil:
    """How many of the hidden men a search takes for this identity.

    At the start a black man leads to what its red twin leads to with the colours exchanged, so red stands for both.
    """
    if unowned(b):
        return 2 * counted(b.pool, identity) if identity < KINDS else 0
    return counted(b.pool, identity)


cdef inline int twin(const Board* b, int identity) noexcept nogil:
    """The identity that stands for this one in reveal_weight()."""
    return identity % KINDS if unowned(b) else identity


cdef inline int capture_order(const RuleSet* rules, const Board* b, Action action) noexcept nogil:
    """The more an attack wins and the less it costs, the higher; at least 0."""
    cdef int attacker = code_at(b, origin_of(action))
    cdef int defender = code_at(b, target_of(action))
    cdef int left = clash(attacker, defender)
    cdef int won = WORTH[defender] if left != DEFENDER_STAYS else 0
    cdef int lost = WORTH[attacker] if left != ATTACKER_STAYS else 0
    if defender == FLAG:
        return 1 << 20
    return (1 << 14) + 16 * (won - lost) - WORTH[attacker]


cdef inline int alike(int identity) noexcept nogil:
    """An identity that evaluate(), as written by hand, does not tell from this one when it has just been turned up."""
    cdef int code = identity % KINDS
    return identity - code + ENGINEER + 1 if code > ENGINEER or code == BOMB else identity


cdef inline bb_t distinct_flips(const Board* b) noexcept nogil:
    """The squares whose flip a search looks at: all, but at the start only those that the board's symmetries leave."""
    cdef bb_t quarter = 0
    cdef int row, file
    if not unowned(b):
        return b.hidden
    for row in range(RANKS // 2):
        for file in range((FILES + 1) // 2):
            quarter |= square_bit(FILES * row + file)
    return quarter & POSTS


# ---- what Banqi has and this game has not ------------------------------------------------------------------------

cdef inline bint in_chain(const Board* b) noexcept nogil:
    return False


cdef inline int chain_square(const Board* b) noexcept nogil:
    return -1


cdef inline void begin_chain(Board* b, int square) noexcept nogil:
    pass


cdef inline bint can_capture_on(const RuleSet* rules, const Board* b, bb_t man) noexcept nogil:
    return False


cdef inline bint has_won(const Position* p) noexcept nogil:
    return False


cdef inline bb_t attacked(const RuleSet* rules, const Board* b, bb_t attackers, bb_t victims) noexcept nogil:
    """No perpetual attack is judged."""
    return 0


cdef uint64_t leaves_of(PerftWork* work, const Board* b, int depth, bint counting) noexcept nogil:
    """The leaves after `depth` >= 1 actions. 0 when interrupted."""
    return count_leaves(work, b, depth) if counting else make_leaves(work, b, depth)


cdef int random_game(const RuleSet* rules, const Board* start, int quiet, uint64_t* rng, int* plies) noexcept nogil:
    return playout(rules, start, quiet, rng, plies)
