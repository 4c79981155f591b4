"""Rule sets as the rules page names them (sections 3 to 6): a text becomes a set of switches."""

from __future__ import annotations

from dataclasses import dataclass, replace

KINDS = "KGMRNCP"

# Section 3, typed out: what each kind takes on a neighbouring square.
TAIWAN = {
    "K": "KGMRNC",
    "G": "GMRNCP",
    "M": "MRNCP",
    "R": "RNCP",
    "N": "NCP",
    "C": "",
    "P": "PK",
}
HONGKONG = {
    "K": "KRNCGM",
    "R": "RNCGMP",
    "N": "NCGMP",
    "C": "CGMP",
    "G": "GMP",
    "M": "MP",
    "P": "PK",
}
MAINLAND = {
    "K": "KGMRNCP",
    "G": "GMRNCP",
    "M": "MRNCP",
    "R": "RNCP",
    "N": "NCP",
    "C": "CP",
    "P": "PK",
}
RANKINGS = {"taiwan": TAIWAN, "hongkong": HONGKONG, "mainland": MAINLAND}
CANNONS = {"taiwan": "jump", "hongkong": "step", "mainland": "step"}

SET_4X8 = {"K": 1, "G": 2, "M": 2, "R": 2, "N": 2, "C": 2, "P": 5}
SET_8X8 = {kind: 2 * count for kind, count in SET_4X8.items()}


@dataclass(frozen=True)
class Rules:
    """The switches of one rule set."""

    ranking: str = "taiwan"
    cannon: str = "jump"
    cannon_adjacent: bool = False
    dark_capture: bool = False
    chain: str = "none"
    screens: str = "any"
    repetition: int | str = 3
    quiet_limit: int = 180
    perpetual: str = "draw"
    files: str = "abcd"

    def count(self, kind: str) -> int:
        """How many pieces of a kind each side starts with."""
        return (SET_4X8 if self.files == "abcd" else SET_8X8)[kind]

    def takes(self, attacker: str, victim: str) -> bool:
        """Whether the one kind takes the other on a neighbouring square."""
        if self.cannon == "jump" and attacker == "C":
            return self.cannon_adjacent and victim in "CP"
        if self.cannon == "jump" and victim == "C":
            return attacker in "KGMRN"
        return victim in RANKINGS[self.ranking][attacker]


NAMED = {
    "taiwan": Rules(),
    "hongkong": Rules(ranking="hongkong", cannon="step"),
    "mainland": Rules(ranking="mainland", cannon="step"),
    "cannon-adjacent": Rules(cannon_adjacent=True),
    "dark-capture": Rules(dark_capture=True),
    "children": Rules(dark_capture=True, chain="any"),
    "cannon-chain": Rules(screens="faceup", chain="cannon"),
    "double": Rules(files="abcdefgh"),
}

WORDS = {
    "cannon": ("jump", "step"),
    "chain": ("none", "any", "cannon"),
    "screens": ("any", "faceup"),
    "perpetual": ("draw", "loses"),
}


def parse(text: str) -> Rules:
    """The switches of `name` or `name(option, option=value, ...)`; ValueError with the reason."""
    name, bracket, rest = text.partition("(")
    if name not in NAMED:
        raise ValueError(f"unknown rule set: {name}")
    if bracket and not rest.endswith(")"):
        raise ValueError("the options must end with a bracket")
    given: dict[str, str | None] = {}
    for option in rest.removesuffix(")").split(",") if bracket else []:
        key, equals, value = option.strip().partition("=")
        if key in given:
            raise ValueError(f"an option is given twice: {key}")
        given[key] = value if equals else None

    rules = NAMED[name]
    if name == "double" and "ranking" in given:
        ranking = given.pop("ranking") or ""
        if ranking not in RANKINGS:
            raise ValueError(f"unknown ranking: {ranking}")
        rules = replace(rules, ranking=ranking, cannon=CANNONS[ranking])
    for key, word in given.items():
        rules = with_option(rules, key, word)

    if rules.cannon == "step":
        if rules.ranking == "taiwan":
            raise ValueError("cannon=step: the cannon has no rank in the ranking of taiwan")
        for option, used in (
            ("cannon_adjacent", rules.cannon_adjacent),
            ("screens=faceup", rules.screens == "faceup"),
            ("chain=cannon", rules.chain == "cannon"),
        ):
            if used:
                raise ValueError(f"{option} with a stepping cannon")
    if rules.perpetual == "loses" and rules.repetition == "none":
        raise ValueError("perpetual=loses with repetition=none")
    return rules


def with_option(rules: Rules, key: str, value: str | None) -> Rules:
    """The rule set with one more option; the value is None for an option that stands alone."""
    if value is None:
        if key == "cannon_adjacent":
            return replace(rules, cannon_adjacent=True)
        if key == "dark_capture":
            return replace(rules, dark_capture=True)
        raise ValueError(f"unknown option, or one without its value: {key}")
    if key == "cannon" and value in WORDS[key]:
        return replace(rules, cannon=value)
    if key == "chain" and value in WORDS[key]:
        return replace(rules, chain=value)
    if key == "screens" and value in WORDS[key]:
        return replace(rules, screens=value)
    if key == "perpetual" and value in WORDS[key]:
        return replace(rules, perpetual=value)
    if key == "repetition" and value in ("cycle", "none"):
        return replace(rules, repetition=value)
    if key == "repetition" and value.isdecimal() and int(value) >= 2:
        return replace(rules, repetition=int(value))
    if key == "quiet_limit" and value.isdecimal() and int(value) >= 1:
        return replace(rules, quiet_limit=int(value))
    raise ValueError(f"unknown option or value: {key}={value}")
