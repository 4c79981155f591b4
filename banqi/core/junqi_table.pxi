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
