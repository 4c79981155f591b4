# The weights of a learned evaluation as Python gives them, and the features that they belong to.


@cython.final
cdef class Weights:
    """The weights of a learned evaluation.

    alone, own, enemy: what is alive, in eighths of the score's unit: of each code's each copy; beside each copy of its
    own side, those listed before it only; beside each of the enemy. features: for a full and for an empty board.
    """
    cdef Evaluation learned

    def __init__(
        self, const int16_t[:, ::1] alone, const int16_t[:, :, :, ::1] own, const int16_t[:, :, :, ::1] enemy,
        const int16_t[:, ::1] features
    ):
        cdef Evaluation* e = &self.learned
        cdef int code, copy, other, n, i
        for code in range(KINDS):
            for copy in range(COPIES):
                e.alone[code][copy] = alone[code, copy]
                for other in range(KINDS):
                    e.among[code][copy][other][0] = e.among[code][copy][KINDS + other][0] = 0
                    for n in range(COPIES):
                        e.among[code][copy][other][n + 1] = (
                            e.among[code][copy][other][n] + own[code, copy, other, n] + own[other, n, code, copy]
                        )
                        e.among[code][copy][KINDS + other][n + 1] = (
                            e.among[code][copy][KINDS + other][n] + enemy[code, copy, other, n]
                            - enemy[other, n, code, copy]
                        )
        for i in range(FEATURES):
            e.feature[i].full = features[i, 0]
            e.feature[i].empty = features[i, 1]


cdef void use_evaluation(RuleSet* rules, weights):
    """Makes a rule set's evaluation the learned one, or that written by hand if there are no weights."""
    rules.learned = NULL if weights is None else &(<Weights?>weights).learned


def features(State state, int8_t[::1] counts):
    """Counts each feature of a position in an array of FEATURES."""
    cdef int i
    if counts.shape[0] != FEATURES:
        raise ValueError(f"there are {FEATURES} features")
    for i in range(FEATURES):
        counts[i] = 0
    weigh_board(&state.table.rules, &NO_WEIGHTS, &state.now.board, &counts[0])


cdef Evaluation NO_WEIGHTS

globals().update(FEATURES=FEATURES, COPIES=COPIES)
