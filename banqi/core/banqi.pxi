# The rules of Banqi on the board that the including module chose: what a position is, what can be done in it
# and what it becomes. Squares, bitboards and their sizes come from the board's .pxd; the line tables' indices from its
# .pxi. What only house rules know, chains and attempts, is in house.pxi.
#
# A kind is known by its code, 0 to 6: its place in the rule set's ranking, weakest first. An identity is
# 7 * colour + code, red being colour 0.

cdef extern from * nogil:
    """
    #define unusual(x) __builtin_expect(!!(x), 0)
    """
    # Tells the compiler which branch to favour: house rules must cost nothing where there are none.
    bint unusual(bint x) noexcept


cdef enum:
    KINDS = 7
    IDENTITIES = 14
    # The code of a cannon that jumps: just above the soldier.
    JUMPER = 1
    MAX_EXCEPTIONS = 16
    RED = 0
    BLACK = 1
    UNKNOWN = 2
    REPETITION_NONE = 0
    REPETITION_CYCLE = -1
    # Whether evaluate() is asked once for all reveals that are alike().
    ALIKE_WHEN_STANDING = 0
    # What decided() tells of: pieces, here, and no flag.
    DECIDED_BY_FLAG = 0

# Where the men lie at the start.
cdef bb_t POSTS = EVERYWHERE

# Bit 63 of Board.pool: black is to move. Bits 56 to 62: the chain's square plus 1, 0 for none. The lower 56 bits are 14
# counts of 4 bits each.
cdef uint64_t BLACK_TO_MOVE = <uint64_t>1 << 63
cdef uint64_t CHAIN = <uint64_t>127 << 56
cdef uint64_t COUNTS = (<uint64_t>1 << 56) - 1
cdef uint64_t RED_COUNTS = (<uint64_t>1 << 28) - 1

# How far a step goes in each direction of a quad: north, south, east, west.
cdef int[4] STEP = [FILES, -FILES, 1, -1]


cdef struct Board:
    # The code of each face-up man, one bit of it in each plane. A square without a face-up man has code 0 there.
    bb_t[3] plane
    # Face-up men of the side to move, and of the other.
    bb_t mine
    bb_t theirs
    bb_t hidden
    # The face-down identities, counted, the square of a chain, and the side to move. Before the first flip the side bit
    # is 0.
    uint64_t pool


# learned.pxi
cdef struct Evaluation


cdef struct CodePair:
    bb_t[3] attacker
    bb_t[3] target


cdef struct RuleSet:
    # takes[a] has bit t set when code a takes code t on a neighbouring square.
    uint8_t[KINDS] takes
    # Where `takes` departs from "its own rank and every lower one", as (attacker, target) codes in plane form;
    # without those of cannons that only jump.
    int exceptions
    CodePair[MAX_EXCEPTIONS] exception
    # All ones when cannons capture by jumping, else zero; and when they then take nothing on a neighbouring square.
    bb_t jumping
    bb_t jumping_only
    # Whether one of the next three is set; a rule set without them never looks at them.
    bint house
    # All ones when face-down men may be attempted.
    bb_t dark
    bint faceup_screens
    # Whether some man that has captured may capture on, and by code, which.
    bint chains
    uint8_t[KINDS] chaining
    # Whether a perpetual attacker loses.
    bint perpetual_loses
    int general
    int soldier
    int cannon
    int repetition
    int quiet_limit
    uint64_t tag
    uint8_t[KINDS] kind_of_code
    uint8_t[KINDS] code_of_kind
    # What the evaluation gives for a man, by code, in its score's unit; the general apart.
    int[KINDS] worth
    # The learned evaluation, or NULL for the one written by hand.
    const Evaluation* learned


# A position as a search needs it: the board and what is cheaper to carry along than to find again.
cdef struct Position:
    Board board
    uint64_t key
    # What is not captured, counted as in Board.pool.
    uint64_t alive
    # Red's lead in what is alive, as the evaluation counts it.
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


# ---- tables, made when the module is imported ----------------------------------------------------------------

# Where a cannon jumps along its rank and along its file, by its own place and the line's occupied squares.
cdef bb_t[FILES][1 << FILES] RANK_JUMPS
cdef bb_t[RANKS][1 << RANKS] FILE_JUMPS

cdef uint64_t[IDENTITIES][SQUARES] MAN_KEY
cdef uint64_t[SQUARES] HIDDEN_KEY
cdef uint64_t[IDENTITIES][16] POOL_KEY
cdef uint64_t[SQUARES] FLIP_KEY
cdef uint64_t SIDE_KEY
cdef uint64_t[SQUARES] CHAIN_KEY


cdef int second_man(int place, int towards, int occupied, int length) noexcept nogil:
    """The second occupied place on a line seen from a place, or -1."""
    cdef int seen = 0
    place += towards
    while 0 <= place < length:
        seen += (occupied >> place) & 1
        if seen == 2:
            return place
        place += towards
    return -1


cdef void make_tables() noexcept nogil:
    global SIDE_KEY
    cdef int place, occupied, index, towards, other, identity, square, n
    cdef uint64_t seed = 0x62616E7169
    for occupied in range(1 << FILES):
        for place in range(FILES):
            for towards in range(-1, 2, 2):
                other = second_man(place, towards, occupied, FILES)
                if other >= 0:
                    RANK_JUMPS[place][occupied] |= <bb_t>1 << other
    for occupied in range(1 << RANKS):
        index = 0
        for place in range(RANKS):
            if (occupied >> place) & 1:
                index |= file_bit(place)
        for place in range(RANKS):
            for towards in range(-1, 2, 2):
                other = second_man(place, towards, occupied, RANKS)
                if other >= 0:
                    FILE_JUMPS[place][index] |= <bb_t>1 << (FILES * other)
    SIDE_KEY = rng_next(&seed)
    for square in range(SQUARES):
        HIDDEN_KEY[square] = rng_next(&seed)
        FLIP_KEY[square] = rng_next(&seed)
        for identity in range(IDENTITIES):
            MAN_KEY[identity][square] = rng_next(&seed)
    for identity in range(IDENTITIES):
        for n in range(16):
            POOL_KEY[identity][n] = rng_next(&seed)
    for square in range(SQUARES):
        CHAIN_KEY[square] = rng_next(&seed)


make_tables()


# ---- reading a board -------------------------------------------------------------------------------------------

cdef inline bb_t square_bit(int square) noexcept nogil:
    return <bb_t>1 << square


cdef inline int code_at(const Board* b, int square) noexcept nogil:
    """The code of the face-up man on a square."""
    return <int>((b.plane[0] >> square) & 1 | ((b.plane[1] >> square) & 1) << 1 | ((b.plane[2] >> square) & 1) << 2)


cdef inline void set_code(Board* b, int square, int code) noexcept nogil:
    """Gives a square without a face-up man its code."""
    cdef int i
    for i in range(3):
        b.plane[i] |= <bb_t>((code >> i) & 1) << square


cdef inline bb_t of_code(const Board* b, const bb_t* code) noexcept nogil:
    """Squares whose plane bits are the code, given as 0 or all ones for each plane; empty ones may be among them."""
    return ~((b.plane[0] ^ code[0]) | (b.plane[1] ^ code[1]) | (b.plane[2] ^ code[2]))


cdef inline void plane_form(int code, bb_t* form) noexcept nogil:
    cdef int i
    for i in range(3):
        form[i] = EVERYWHERE if (code >> i) & 1 else 0


cdef inline bint unowned(const Board* b) noexcept nogil:
    """Whether nothing was flipped yet, so that no side has a colour."""
    return b.hidden == EVERYWHERE


cdef inline int side_of(const Board* b) noexcept nogil:
    """The colour to move; red before the first flip."""
    return <int>(b.pool >> 63)


cdef inline bint in_chain(const Board* b) noexcept nogil:
    """Whether the side to move has captured and may capture on with the same man, or end its turn."""
    return (b.pool & CHAIN) != 0


cdef inline int counted(uint64_t counts, int identity) noexcept nogil:
    return <int>((counts >> (4 * identity)) & 15)


cdef inline uint64_t exchanged(uint64_t counts) noexcept nogil:
    """Counts with the colours exchanged."""
    return (counts >> (4 * KINDS) | counts << (4 * KINDS)) & COUNTS


cdef inline uint64_t one_of(int identity) noexcept nogil:
    """A count of one man."""
    return <uint64_t>1 << (4 * identity)


cdef inline uint64_t colour_counts(uint64_t counts, int colour) noexcept nogil:
    return (counts >> (28 * colour)) & RED_COUNTS


cdef inline int kinds_hidden(const Board* b) noexcept nogil:
    """How many different identities a flip can show."""
    cdef uint64_t x = b.pool & COUNTS
    x |= x >> 1
    x |= x >> 2
    return popcount64(x & <uint64_t>0x11111111111111)


cdef inline bint extinct(uint64_t pool, bb_t men, int colour) noexcept nogil:
    """Whether a colour has neither a face-up man nor one in the pool."""
    return men == 0 and colour_counts(pool, colour) == 0


cdef inline int decided(const Board* b) noexcept nogil:
    """-1 if the side to move has nothing left and so has lost (B7.1), 1 if the other side has, else 0."""
    if not unusual(b.mine == 0 or b.theirs == 0) or unowned(b):
        return 0
    cdef int side = side_of(b)
    if extinct(b.pool, b.mine, side):
        return -1
    return extinct(b.pool, b.theirs, side ^ 1)


# ---- what men can do -------------------------------------------------------------------------------------------

cdef inline quad_t step_from(bb_t men) noexcept nogil:
    return quad_shift(men, FILES) & quad_inside(FIRST_FILE, LAST_FILE)


cdef inline quad_t steps(const Board* b, bb_t men) noexcept nogil:
    """By direction, the empty squares that a man of `men` steps to (B3)."""
    return step_from(men) & ~(b.mine | b.theirs | b.hidden)


cdef inline bb_t cannons_of(const Board* b) noexcept nogil:
    """Where cannons stand if the rule set lets them jump: their code is then JUMPER."""
    return b.plane[0] & ~(b.plane[1] | b.plane[2])


cdef inline bb_t jumpers(const RuleSet* rules, const Board* b, bb_t men) noexcept nogil:
    """The men that are jumping cannons."""
    return men & cannons_of(b) & rules.jumping


cdef inline quad_t takes(const RuleSet* rules, const Board* b, bb_t attackers, bb_t victims) noexcept nogil:
    """By direction, the victims that an attacker coming from a neighbouring square takes (B4).

    Attacker's code >= victim's code on the whole board at once, by subtraction with a borrow from plane to plane, then
    the rule set's exceptions.
    """
    cdef quad_t code = quad_shift(b.plane[0], FILES)
    cdef quad_t lower = ~code & b.plane[0]
    code = quad_shift(b.plane[1], FILES)
    lower = (~code & b.plane[1]) | (~(code ^ b.plane[1]) & lower)
    code = quad_shift(b.plane[2], FILES)
    lower = (~code & b.plane[2]) | (~(code ^ b.plane[2]) & lower)
    cdef quad_t taken = ~lower
    cdef int i
    for i in range(rules.exceptions):
        code = quad_shift(of_code(b, rules.exception[i].attacker), FILES)
        taken = taken ^ (code & of_code(b, rules.exception[i].target))
    return taken & step_from(attackers & ~(cannons_of(b) & rules.jumping_only)) & victims


cdef inline bb_t second_seen(bb_t occupied, int square) noexcept nogil:
    """The second occupied squares seen from a square, along its rank and its file."""
    cdef int file = square % FILES
    cdef int rank = square / FILES
    cdef bb_t along_rank = RANK_JUMPS[file][rank_index(occupied, rank)]
    cdef bb_t along_file = FILE_JUMPS[rank][file_index(occupied, file)]
    return along_rank << (FILES * rank) | along_file << file


cdef inline bb_t jumps(const Board* b, int square) noexcept nogil:
    """Where a cannon on a square jumps to over any screen, if something stands there that it may take (B5)."""
    return second_seen(b.mine | b.theirs | b.hidden, square)


cdef inline bb_t jump_captures(const RuleSet* rules, const Board* b, bb_t attackers, bb_t victims) noexcept nogil:
    """The victims that some attacker takes by a jump."""
    cdef bb_t cannons = jumpers(rules, b, attackers)
    cdef bb_t taken = 0
    if unusual(rules.faceup_screens):
        return captures_over_faceup(b, cannons) & victims
    while cannons != 0:
        taken |= jumps(b, lowest(cannons))
        cannons &= cannons - 1
    return taken & victims


cdef inline bb_t attacked(const RuleSet* rules, const Board* b, bb_t attackers, bb_t victims) noexcept nogil:
    """The victims that some attacker could capture."""
    return quad_any(takes(rules, b, attackers, victims)) | jump_captures(rules, b, attackers, victims)


cdef inline int count_actions(const RuleSet* rules, const Board* b) noexcept nogil:
    """Legal actions, a flip once for every identity that it can show, where there are no house rules."""
    cdef int n = quad_popcount(steps(b, b.mine) | takes(rules, b, b.mine, b.theirs))
    cdef bb_t cannons = jumpers(rules, b, b.mine)
    while cannons != 0:
        n += popcount(jumps(b, lowest(cannons)) & b.theirs)
        cannons &= cannons - 1
    if b.hidden != 0:
        n += popcount(b.hidden) * kinds_hidden(b)
    return n


cdef inline bint can_move(const RuleSet* rules, const Board* b) noexcept nogil:
    """Whether the side to move has a legal action, a flip included."""
    if b.hidden != 0 or quad_any(steps(b, b.mine)) != 0 or quad_any(takes(rules, b, b.mine, b.theirs)) != 0:
        return True
    return jump_captures(rules, b, b.mine, b.theirs) != 0


cdef inline int random_ply(
    const RuleSet* rules, const Board* b, int quiet, uint64_t* rng, Board* after
) noexcept nogil:
    """Plays a legal action, each as likely as any other. Returns the quiet counter after it, NO_PLY if there is none,
    DRAWN at the quiet limit. House rules are not regarded.
    """
    cdef quad_t targets = steps(b, b.mine) | takes(rules, b, b.mine, b.theirs)
    cdef bb_t cannons = jumpers(rules, b, b.mine)
    cdef bb_t landing
    cdef bb_t[MAX_JUMPERS] landings
    cdef int[MAX_JUMPERS] origins
    cdef int moves = quad_popcount(targets), flips = popcount(b.hidden)
    cdef int total = moves + flips, choice, origin, target, jumping = 0
    cdef Action action
    while cannons != 0:
        origin = lowest(cannons)
        cannons &= cannons - 1
        landing = jumps(b, origin) & b.theirs
        if landing != 0:
            landings[jumping] = landing
            origins[jumping] = origin
            jumping += 1
            total += popcount(landing)
    if total == 0:
        return NO_PLY
    if quiet >= rules.quiet_limit:
        return DRAWN
    choice = <int>rng_below(rng, total)
    if choice < flips:
        target = select(b.hidden, choice)
        reveal(b, <Action>(target | target << 6), random_identity(b.pool, rng, flips), after)
        return 0
    choice -= flips
    if choice < moves:
        choice = quad_select(targets, choice)
        target = choice % SQUARES
        origin = target - STEP[choice / SQUARES]
    else:
        choice -= moves
        jumping = 0
        while choice >= popcount(landings[jumping]):
            choice -= popcount(landings[jumping])
            jumping += 1
        origin = origins[jumping]
        target = select(landings[jumping], choice)
    action = <Action>(origin | target << 6)
    play(b, action, after)
    return 0 if captures(b, action) else quiet + 1


cdef inline void append(ActionList* list, int origin, int target) noexcept nogil:
    list.action[list.count] = <Action>(origin | target << 6)
    list.count += 1


cdef inline void append_quad(ActionList* list, quad_t targets) noexcept nogil:
    cdef int direction, target
    cdef bb_t bits
    for direction in range(4):
        bits = quad_lane(targets, direction)
        while bits != 0:
            target = lowest(bits)
            append(list, target - STEP[direction], target)
            bits &= bits - 1


cdef inline void append_jumps(const RuleSet* rules, const Board* b, ActionList* list) noexcept nogil:
    cdef bb_t cannons = jumpers(rules, b, b.mine)
    cdef bb_t bits
    cdef int square
    while cannons != 0:
        square = lowest(cannons)
        bits = jumps(b, square) & b.theirs
        while bits != 0:
            append(list, square, lowest(bits))
            bits &= bits - 1
        cannons &= cannons - 1


cdef inline void generate_captures(const RuleSet* rules, const Board* b, ActionList* list) noexcept nogil:
    if unusual(rules.house):
        generate_house_captures(rules, b, list)
        return
    append_quad(list, takes(rules, b, b.mine, b.theirs))
    append_jumps(rules, b, list)


cdef inline void generate_moves(const RuleSet* rules, const Board* b, ActionList* list) noexcept nogil:
    """All that reveals nothing."""
    if unusual(rules.house):
        generate_house_moves(rules, b, list)
    else:
        generate_plain_moves(rules, b, list)


cdef inline void generate_plain_moves(const RuleSet* rules, const Board* b, ActionList* list) noexcept nogil:
    append_quad(list, steps(b, b.mine) | takes(rules, b, b.mine, b.theirs))
    append_jumps(rules, b, list)


cdef inline void generate_flips(bb_t bits, ActionList* list) noexcept nogil:
    while bits != 0:
        append(list, lowest(bits), lowest(bits))
        bits &= bits - 1


cdef inline void generate_reveals(const RuleSet* rules, const Board* b, bb_t flips, ActionList* list) noexcept nogil:
    """The flips of some face-down men, and attempts."""
    if unusual(rules.house):
        generate_attempts(rules, b, list)
        if in_chain(b):
            return
    generate_flips(flips, list)


cdef inline int origin_of(Action action) noexcept nogil:
    return action & 63


cdef inline int target_of(Action action) noexcept nogil:
    return action >> 6


cdef inline bint reveals(const Board* b, Action action) noexcept nogil:
    """Whether the action turns a hidden man up, so that what follows is a matter of chance."""
    return (b.hidden >> target_of(action)) & 1


cdef inline bint captures(const Board* b, Action action) noexcept nogil:
    return (b.theirs >> target_of(action)) & 1


cdef bint is_legal(const RuleSet* rules, const Board* b, Action action) noexcept nogil:
    cdef int origin = origin_of(action)
    cdef int target = target_of(action)
    cdef bb_t start, goal
    cdef int code
    if action == NO_ACTION or origin >= SQUARES or target >= SQUARES:
        return False
    start = square_bit(origin)
    goal = square_bit(target)
    if unusual(rules.house):
        return is_legal_in_house(rules, b, origin, target)
    if origin == target:
        return (b.hidden & start) != 0
    if (b.mine & start) == 0 or ((b.mine | b.hidden) & goal) != 0:
        return False
    if quad_any(step_from(start) & goal) != 0:
        code = code_at(b, origin)
        return (b.theirs & goal) == 0 or (rules.takes[code] >> code_at(b, target)) & 1
    return jumpers(rules, b, start) != 0 and (jumps(b, origin) & b.theirs & goal) != 0


# ---- what a position becomes -----------------------------------------------------------------------------------

cdef inline void play(const Board* b, Action action, Board* after) noexcept nogil:
    """A step or a capture after which the turn passes. `after` is another board than `b`."""
    cdef int origin = origin_of(action)
    cdef int target = target_of(action)
    cdef bb_t stay = ~(square_bit(origin) | square_bit(target))
    after.plane[0] = (b.plane[0] & stay) | ((b.plane[0] >> origin) & 1) << target
    after.plane[1] = (b.plane[1] & stay) | ((b.plane[1] >> origin) & 1) << target
    after.plane[2] = (b.plane[2] & stay) | ((b.plane[2] >> origin) & 1) << target
    after.mine = b.theirs & stay
    after.theirs = (b.mine & stay) | square_bit(target)
    after.hidden = b.hidden
    after.pool = b.pool ^ BLACK_TO_MOVE


cdef inline void reveal(const Board* b, Action action, int identity, Board* after) noexcept nogil:
    """A flip that shows an identity of the pool. The first of the game decides colours (B2)."""
    cdef int square = target_of(action)
    cdef int colour = identity >= KINDS
    cdef int code = identity - KINDS * colour
    cdef int mover = colour if unowned(b) else side_of(b)
    after.plane[0] = b.plane[0] | <bb_t>(code & 1) << square
    after.plane[1] = b.plane[1] | <bb_t>((code >> 1) & 1) << square
    after.plane[2] = b.plane[2] | <bb_t>((code >> 2) & 1) << square
    after.mine = b.theirs
    after.theirs = b.mine
    if colour == mover:
        after.theirs |= square_bit(square)
    else:
        after.mine |= square_bit(square)
    after.hidden = b.hidden ^ square_bit(square)
    after.pool = ((b.pool & COUNTS) - one_of(identity)) | <uint64_t>(mover ^ 1) << 63


cdef inline void make(const RuleSet* rules, const Position* p, Action action, Position* after) noexcept nogil:
    """An action that reveals nothing, with all that a Position carries along."""
    if unusual(rules.house):
        make_in_house(rules, p, action, after)
    else:
        make_plain(rules, p, action, after)


cdef inline void make_plain(const RuleSet* rules, const Position* p, Action action, Position* after) noexcept nogil:
    """play() with all that a Position carries along."""
    cdef const Board* b = &p.board
    cdef int origin = origin_of(action)
    cdef int target = target_of(action)
    cdef int side = side_of(b)
    cdef int man = KINDS * side + code_at(b, origin)
    cdef int code, victim
    cdef uint64_t key = p.key ^ MAN_KEY[man][origin] ^ MAN_KEY[man][target] ^ SIDE_KEY
    cdef uint64_t alive = p.alive
    cdef int material = p.material
    cdef int quiet = p.quiet + 1
    if (b.theirs >> target) & 1:
        code = code_at(b, target)
        victim = KINDS * (side ^ 1) + code
        key ^= MAN_KEY[victim][target]
        material -= loss_of(rules, alive, victim)
        alive -= one_of(victim)
        quiet = 0
    play(b, action, &after.board)
    after.key = key
    after.alive = alive
    after.material = material
    after.quiet = quiet


cdef inline void make_reveal(
    const RuleSet* rules, const Position* p, Action action, int identity, Position* after
) noexcept nogil:
    """An action that shows an identity of the pool, with all that a Position carries along."""
    if unusual(rules.house) and origin_of(action) != target_of(action):
        make_attempt(rules, p, action, identity, after)
    else:
        make_flip(p, action, identity, after)


cdef inline void make_flip(const Position* p, Action action, int identity, Position* after) noexcept nogil:
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
    """The key that make() and make_reveal() keep up to date: board, pool, side, chain and rule set."""
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
    if in_chain(b):
        key ^= CHAIN_KEY[chain_square(b)]
    return key


cdef void complete(const RuleSet* rules, Position* p) noexcept nogil:
    """Fills in what a Position carries along with its board."""
    cdef const Board* b = &p.board
    cdef int square, colour
    p.key = fresh_key(rules, b)
    p.alive = b.pool & COUNTS
    for square in range(SQUARES):
        if ((b.mine | b.theirs) >> square) & 1:
            colour = side_of(b) ^ ((b.theirs >> square) & 1)
            p.alive += one_of(KINDS * colour + code_at(b, square))
    p.material = lead(rules, p.alive)


cdef inline bint has_lost(const Position* p) noexcept nogil:
    """Whether the side to move has nothing left."""
    return p.board.mine == 0 and not unowned(&p.board) and colour_counts(p.alive, side_of(&p.board)) == 0


cdef inline uint64_t reveal_key(Action action) noexcept nogil:
    """Tells the chance node behind an action from the position that it is played in."""
    if origin_of(action) == target_of(action):
        return FLIP_KEY[target_of(action)]
    return rng_mix(FLIP_KEY[target_of(action)] + origin_of(action))


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
    """The more a capture wins and the less it risks, the higher; at least 0."""
    cdef int won = rules.worth[code_at(b, target_of(action))]
    cdef int risked = rules.worth[code_at(b, origin_of(action))]
    return 16 * won + rules.worth[KINDS - 1] - risked


cdef inline int alike(int identity) noexcept nogil:
    """No two identities are alike to evaluate()."""
    return identity


cdef inline bb_t distinct_flips(const Board* b) noexcept nogil:
    """The squares whose flip a search looks at: all, but at the start only those that the board's symmetries leave."""
    cdef bb_t quarter
    cdef int rank, file
    if not unowned(b):
        return b.hidden
    quarter = 0
    for rank in range(RANKS // 2):
        for file in range(FILES // 2):
            # A square board can be mirrored in its diagonals, too.
            if FILES != RANKS or file <= rank:
                quarter |= square_bit(FILES * rank + file)
    return quarter
