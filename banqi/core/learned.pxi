# The learned evaluation: a sum of weights that were fitted to the engine's own games (banqi/evaluation). Written once,
# against the names that a board's features file defines.
#
# What is alive, face up or face down, counts by pairs: the n-th man of a code is worth something by himself, and
# something more or less beside each other man, own or enemy. What stands on the board counts by the board's features. A
# feature has two weights, for the first and for the last of the game's STAGES; between them the stage decides.
#
# No weight is greater than LARGEST_WEIGHT, and what a man is worth beside all living men of an identity fits into 16
# bits; banqi.evaluation sees to it. So what is alive counts less than 2^25.

cdef enum:
    # Weights are in eighths of evaluate()'s score.
    FINENESS = 8
    # From here on a weight outdoes by itself whatever evaluate() tells apart.
    LARGEST_WEIGHT = FINENESS * 1023


cdef struct Evaluation:
    # What a side gains by its n-th man of a code, counted from 0.
    int16_t[KINDS][COPIES] alone
    # What that man gains more by what else is alive: by identity, the own side's first, and by how many there are.
    int16_t[KINDS][COPIES][IDENTITIES][COPIES + 1] among
    Taper[FEATURES] feature


cdef int learned_loss(const Evaluation* learned, uint64_t alive, int identity) noexcept nogil:
    """What red's lead loses by the removal of a living man, in the weights' unit."""
    cdef int colour = identity >= KINDS
    cdef int code = identity - KINDS * colour
    cdef int copy = counted(alive, identity) - 1
    cdef int other, loss = learned.alone[code][copy]
    alive -= one_of(identity)
    if colour == BLACK:
        alive = exchanged(alive)
    for other in range(IDENTITIES):
        loss += learned.among[code][copy][other][counted(alive, other)]
    return -loss if colour == BLACK else loss


cdef int lead(const RuleSet* rules, uint64_t alive) noexcept nogil:
    """Red's men against black's: what is lost when all are removed, one after the other."""
    cdef int identity, sum = 0
    for identity in range(IDENTITIES):
        while counted(alive, identity) != 0:
            sum += loss_of(rules, alive, identity)
            alive -= one_of(identity)
    return sum


cdef inline Taper taper(int first, int last) noexcept nogil:
    return first * (<int64_t>1 << 32) + last


cdef inline int tapered(Taper sum, int stage) noexcept nogil:
    """What a sum of weights counts at a stage, STAGES being the first; a part of a unit is dropped."""
    cdef int last = <int32_t>sum
    cdef int first = <int32_t>((sum - last) / (<int64_t>1 << 32))
    return (first * stage + last * (STAGES - stage)) / STAGES


cdef inline void add(Taper* sum, const Evaluation* learned, int8_t* counts, int feature, int count) noexcept nogil:
    sum[0] += count * learned.feature[feature]
    if counts != NULL:
        counts[feature] += count
