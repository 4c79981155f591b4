"""The rules of Banqi that are no move: the rankings, the sets and the switches (sections 3 to 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from reference.rules import Rules

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

WORDS = {
    "cannon": ("jump", "step"),
    "chain": ("none", "any", "cannon"),
    "screens": ("any", "faceup"),
    "perpetual": ("draw", "loses"),
}


@dataclass(frozen=True)
class BanqiRules(Rules):
    """The switches of one rule set."""

    files: str = "abcd"
    rows: int = 8
    repetition: int | str = 3
    quiet_limit: int = 180
    ranking: str = "taiwan"
    cannon: str = "jump"
    cannon_adjacent: bool = False
    screens: str = "any"

    kinds = KINDS
    lost_by = "all_captured"

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

    def with_options(self, given: Mapping[str, str | None]) -> Self:
        """The rule set with more options, the ranking of the large board before those that may change its cannon."""
        rest = dict(given)
        rules = self
        if self.files == "abcdefgh" and "ranking" in rest:
            ranking = rest.pop("ranking") or ""
            if ranking not in RANKINGS:
                raise ValueError(f"unknown ranking: {ranking}")
            rules = replace(rules, ranking=ranking, cannon=CANNONS[ranking])
        rules = super(BanqiRules, rules).with_options(rest)
        rules.refuse()
        return rules

    def with_option(self, key: str, value: str | None) -> Self:
        """The rule set with one more option."""
        if key == "cannon_adjacent" and value is None:
            return replace(self, cannon_adjacent=True)
        if key == "dark_capture" and value is None:
            return replace(self, dark_capture=True)
        if key == "cannon" and value in WORDS[key]:
            return replace(self, cannon=value)
        if key == "chain" and value in WORDS[key]:
            return replace(self, chain=value)
        if key == "screens" and value in WORDS[key]:
            return replace(self, screens=value)
        if key == "perpetual" and value in WORDS[key]:
            return replace(self, perpetual=value)
        if key == "repetition" and value == "cycle":
            return replace(self, repetition=value)
        return super().with_option(key, value)

    def refuse(self) -> None:
        """Raise ValueError for options that do not go together."""
        if self.cannon == "step":
            if self.ranking == "taiwan":
                raise ValueError("cannon=step: the cannon has no rank in the ranking of taiwan")
            for option, used in (
                ("cannon_adjacent", self.cannon_adjacent),
                ("screens=faceup", self.screens == "faceup"),
                ("chain=cannon", self.chain == "cannon"),
            ):
                if used:
                    raise ValueError(f"{option} with a stepping cannon")
        if self.perpetual == "loses" and self.repetition == "none":
            raise ValueError("perpetual=loses with repetition=none")


NAMED = {
    "taiwan": BanqiRules(),
    "hongkong": BanqiRules(ranking="hongkong", cannon="step"),
    "mainland": BanqiRules(ranking="mainland", cannon="step"),
    "cannon-adjacent": BanqiRules(cannon_adjacent=True),
    "dark-capture": BanqiRules(dark_capture=True),
    "children": BanqiRules(dark_capture=True, chain="any"),
    "cannon-chain": BanqiRules(screens="faceup", chain="cannon"),
    "double": BanqiRules(files="abcdefgh"),
}
