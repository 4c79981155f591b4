# The weights of the learned evaluation as Python gives them, and the features that they belong to. Trusts its caller,
# banqi.evaluation, which looks at shapes and sizes.


@cython.final
cdef class Weights:
    cdef Evaluation learned

    def __init__(
        self, const int16_t[:, ::1] alone, const int16_t[:, :, :, ::1] own, const int16_t[:, :, :, ::1] enemy,
        const int16_t[:, ::1] features
    ):
        cdef Evaluation* e = &self.learned
        cdef int code, copy, other, n, i
        cdef int16_t* beside
        cdef int16_t* against
        for code in range(KINDS):
            for copy in range(COPIES):
                e.alone[code][copy] = alone[code, copy]
                for other in range(KINDS):
                    beside = e.among[code][copy][other]
                    against = e.among[code][copy][KINDS + other]
                    beside[0] = against[0] = 0
                    for n in range(COPIES):
                        beside[n + 1] = beside[n] + own[code, copy, other, n] + own[other, n, code, copy]
                        against[n + 1] = against[n] + enemy[code, copy, other, n] - enemy[other, n, code, copy]
        for i in range(FEATURES):
            e.feature[i] = taper(features[i, 0], features[i, 1])


cdef use_evaluation(RuleSet* rules, weights):
    """Evaluates by weights from now on, or, if they are None, as it was written by hand."""
    rules.learned = NULL if weights is None else &(<Weights?>weights).learned


def features(State state, int8_t[::1] counts):
    """Counts how often each feature occurs, in an array of FEATURES.

    Returns the share that features' first weights have in the score, and the factor of what is alive.
    """
    memset(&counts[0], 0, FEATURES)
    weigh_board(&state.table.rules, &NO_WEIGHTS, &state.now, &counts[0])
    return stage_of(&state.now.board) / <double>STAGES, weighted(UNIT, &state.now.board) / <double>UNIT


def begin_features(float[:, ::1] weights, float[::1] whole):
    """Tells where learning begins, in arrays of [FEATURES, 2] and [FEATURES].

    weights: of the features that repeat the evaluation written by hand, in its score's unit, the rest left as it is.
    whole: the count of a feature that is a share of something if it is all of it, else left as it is.
    """
    begin(weights, whole)


cdef Evaluation NO_WEIGHTS

globals().update(KINDS=KINDS, FEATURES=FEATURES, COPIES=COPIES, LARGEST_WEIGHT=LARGEST_WEIGHT)
