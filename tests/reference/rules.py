"""What the rules of both games have: a board, a set, and the options that all rule sets take."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self


@dataclass(frozen=True)
class Rules(ABC):
    """The switches of one rule set. `repetition` is the occurrence that ends a game, `cycle` or `none`."""

    files: str
    rows: int
    repetition: int | str
    quiet_limit: int
    perpetual: str = "draw"
    dark_capture: bool = False
    chain: str = "none"

    # The kinds in the order of a position text; the kind without which a side has lost, if it is one; what that end is
    # called; where nothing lies at the start, and the kinds that never get there.
    kinds: ClassVar[str]
    vital: ClassVar[str] = ""
    lost_by: ClassVar[str]
    camps: ClassVar[frozenset[str]] = frozenset()
    camp_shy: ClassVar[str] = ""

    @property
    def letters(self) -> str:
        """The identities in the order of a position text, red first."""
        return self.kinds + self.kinds.lower()

    @property
    def squares(self) -> list[str]:
        """The names of all squares, a1 first, row by row."""
        return [f"{file}{row}" for row in range(1, self.rows + 1) for file in self.files]

    @abstractmethod
    def count(self, kind: str) -> int:
        """How many pieces of a kind each side starts with."""

    def with_options(self, given: Mapping[str, str | None]) -> Self:
        """The rule set with more options, by name; the value is None for one that stands alone."""
        rules = self
        for key, value in given.items():
            rules = rules.with_option(key, value)
        return rules

    def with_option(self, key: str, value: str | None) -> Self:
        """The rule set with one more option."""
        if value is not None and value.isdecimal():
            if key == "repetition" and int(value) >= 2:
                return replace(self, repetition=int(value))
            if key == "quiet_limit" and int(value) >= 1:
                return replace(self, quiet_limit=int(value))
        if key == "repetition" and value == "none":
            return replace(self, repetition=value)
        raise ValueError(f"unknown option or value: {key}={value}")
