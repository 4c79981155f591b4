# From an evaluation's score to an expected result. The score that is worth 1 / sqrt(2) is the evaluation's SCORE_SCALE.

cdef enum:
    SCORE_LIMIT = 1023

cdef Value[2 * SCORE_LIMIT + 1] EXPECTED


def _make_expected():
    """x / sqrt(x^2 + scale^2): a sigmoid that needs only operations which IEEE 754 rounds exactly."""
    cdef int score
    for score in range(-SCORE_LIMIT, SCORE_LIMIT + 1):
        value = <double>ESTIMATE * score / sqrt(score * score + SCORE_SCALE * SCORE_SCALE)
        EXPECTED[score + SCORE_LIMIT] = round(value)


_make_expected()


cdef inline Value expected(int score) noexcept nogil:
    if score > SCORE_LIMIT:
        score = SCORE_LIMIT
    elif score < -SCORE_LIMIT:
        score = -SCORE_LIMIT
    return EXPECTED[score + SCORE_LIMIT]
