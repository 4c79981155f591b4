# A rule set of Junqi as Python gives it. Trusts its caller, banqi.rules.


@cython.final
cdef class RuleTable:
    cdef RuleSet rules

    def __init__(self, order, *, repetition, quiet_limit, tag):
        cdef int code
        memset(&self.rules, 0, sizeof(RuleSet))
        for code in range(KINDS):
            self.rules.kind_of_code[code] = order[code]
            self.rules.code_of_kind[order[code]] = code
        self.rules.repetition = repetition
        self.rules.quiet_limit = quiet_limit
        self.rules.tag = tag


def attack(int attacker, int defender):
    """Whether two kinds, given by code, stay on the board when one attacks the other; None if it never moves."""
    if attacker == MINE or attacker == FLAG:
        return None
    left = clash(attacker, defender)
    return left == ATTACKER_STAYS, left == DEFENDER_STAYS


def edges():
    """The board's edges as (square, square, whether it is railway), the lower square first."""
    cdef int square, other
    found = []
    for square in range(SQUARES):
        for other in range(square + 1, SQUARES):
            if (ROADS[square] >> other) & 1:
                railway = other == square + 1 and (RAIL_EAST >> square) & 1
                railway = railway or other == square + FILES and (RAIL_NORTH >> square) & 1
                found.append((square, other, bool(railway)))
    return found


def camps():
    """The squares of the camps."""
    cdef int square
    return [square for square in range(SQUARES) if (CAMPS >> square) & 1]
