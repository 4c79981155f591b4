# What the search asks of endgame tables, on a board that has none.

cdef struct TableSet:
    int most_men


cdef inline Value ending_value(const RuleSet* rules, const TableSet* tables, const Position* p) noexcept nogil:
    return NO_VALUE
