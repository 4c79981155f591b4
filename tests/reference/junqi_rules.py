"""The rules of Junqi that are no move: the set, the ranks and the two options (sections 7 and 8)."""

from __future__ import annotations

from dataclasses import dataclass, replace

# Marshal, general, division, brigade, regiment, battalion, company, platoon, engineer, bomb, landmine, flag.
SET = {"M": 1, "G": 1, "D": 2, "B": 2, "R": 2, "T": 2, "C": 3, "P": 3, "E": 3, "O": 2, "L": 3, "F": 1}
KINDS = "".join(SET)
LETTERS = KINDS + KINDS.lower()
RANKS = "MGDBRTCPE"


@dataclass(frozen=True)
class Rules:
    """The options. `repetition` is the occurrence that draws, or `none`; `chain` is what every game has."""

    repetition: int | str = "none"
    quiet_limit: int = 80
    chain: str = "none"

    def count(self, kind: str) -> int:
        """How many pieces of a kind each side starts with."""
        return SET[kind]


def parse(text: str) -> Rules:
    """The options of `junqi` or `junqi(option=value, ...)`; ValueError with the reason."""
    name, bracket, rest = text.partition("(")
    if name != "junqi":
        raise ValueError(f"another rule set: {name}")
    if bracket and not rest.endswith(")"):
        raise ValueError("the options must end with a bracket")
    rules = Rules()
    given = set()
    for option in rest.removesuffix(")").split(",") if bracket else []:
        key, _, value = option.strip().partition("=")
        if key in given:
            raise ValueError(f"an option is given twice: {key}")
        given.add(key)
        if key == "repetition" and value == "none":
            continue
        if key == "repetition" and value.isdecimal() and int(value) >= 2:
            rules = replace(rules, repetition=int(value))
        elif key == "quiet_limit" and value.isdecimal() and int(value) >= 1:
            rules = replace(rules, quiet_limit=int(value))
        else:
            raise ValueError(f"unknown option or value: {option.strip()}")
    return rules
