# A rule set of Banqi as Python gives it. Trusts its caller, banqi.rules.


@cython.final
cdef class RuleTable:
    cdef RuleSet rules

    def __init__(
        self, order, takes, *, jumps, dark, chains, faceup_screens, repetition, perpetual_loses, quiet_limit, tag
    ):
        cdef int code, kind, other
        cdef RuleSet* r = &self.rules
        memset(r, 0, sizeof(RuleSet))
        for code in range(KINDS):
            kind = order[code]
            r.kind_of_code[code] = kind
            r.code_of_kind[kind] = code
        r.general = r.code_of_kind[0]
        r.cannon = r.code_of_kind[5]
        r.soldier = r.code_of_kind[6]
        for kind in range(KINDS):
            for other in range(KINDS):
                if (takes[kind] >> other) & 1:
                    r.takes[r.code_of_kind[kind]] |= 1 << r.code_of_kind[other]
        r.jumping = EVERYWHERE if jumps else 0
        r.jumping_only = EVERYWHERE if jumps and r.takes[r.cannon] == 0 else 0
        for code in range(KINDS):
            for other in range(KINDS):
                if code == r.cannon and r.jumping_only != 0:
                    continue
                if (r.takes[code] >> other) & 1 != (code >= other):
                    if r.exceptions == MAX_EXCEPTIONS:
                        raise ValueError("the capture table departs from its ranking in too many pairs")
                    plane_form(code, r.exception[r.exceptions].attacker)
                    plane_form(other, r.exception[r.exceptions].target)
                    r.exceptions += 1
        if jumps and r.cannon != JUMPER:
            raise ValueError("a jumping cannon stands just above the lowest rank")
        r.dark = EVERYWHERE if dark else 0
        r.faceup_screens = faceup_screens
        for kind in chains:
            r.chaining[r.code_of_kind[kind]] = True
            r.chains = True
        r.house = dark or faceup_screens or r.chains
        r.perpetual_loses = perpetual_loses
        r.repetition = repetition
        r.quiet_limit = quiet_limit
        r.tag = tag
        set_worth(r)
