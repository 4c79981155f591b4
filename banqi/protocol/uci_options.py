"""The options of UCI: what they set, how they are announced, how their values are read."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from banqi.engine import DEFAULT_HASH_MB, MAX_HASH_MB, MAX_LINES, MAX_THREADS, SHIPPED_TABLES, Engine
from banqi.errors import whole_number
from banqi.evaluation import LEARNED
from banqi.level import HARD, LEVELS, level_named
from banqi.memory import check_memory
from banqi.position import Position
from banqi.rules import RULE_SETS, Rules

DEFAULT_RULES: Final = Rules.parse("taiwan")

SHIPPED: Final = "<shipped>"
"""The endgame tables that come with the package, as a value of the option Tablebase."""
_EMPTY: Final = "<empty>"
_WHOLE = re.compile(r"-?[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Settings:
    """What options have set. tablebase: SHIPPED, a folder, or an empty text for none."""

    rules: Rules = DEFAULT_RULES
    hash_mb: int = DEFAULT_HASH_MB
    threads: int = 1
    multipv: int = 1
    level: str = HARD.name
    tablebase: str = SHIPPED
    evaluation: str = LEARNED

    @property
    def search(self) -> tuple[object, ...]:
        """What cannot be changed without another engine."""
        return self.hash_mb, self.threads, self.tablebase, self.evaluation

    def engine(self, hash_mb: int) -> Engine:
        """Return an engine with these settings but for the size of its table.

        Raises:
            BanqiError: they make no sense.
        """
        tablebase = SHIPPED_TABLES if self.tablebase == SHIPPED else self.tablebase or None
        return Engine(self.threads, hash_mb, tablebase=tablebase, evaluation=self.evaluation)

    def check(self) -> None:
        """Find out what an engine would refuse, without the time that a large table takes.

        Raises:
            BanqiError: it would refuse this; the line says what.
        """
        whole_number(self.multipv, "multipv", 1, MAX_LINES)
        level_named(self.level)
        whole_number(self.hash_mb, "hash_mb", 1, MAX_HASH_MB)
        check_memory(self.hash_mb << 20, f"a table of {self.hash_mb} MB")
        with self.engine(1) as engine:
            engine.evaluate(Position(self.rules))


@dataclass(frozen=True, slots=True)
class Option:
    """An option: which field of Settings it sets, none if it is a button, and how its value is read."""

    name: str
    kind: Literal["spin", "combo", "string", "button"]
    field: str = ""
    read: Callable[[str], object] = str
    range: tuple[int, int] = (0, 0)
    words: tuple[str, ...] = ()

    def line(self, settings: Settings) -> str:
        """Return how it is announced by a program that was started with these settings."""
        parts = [f"option name {self.name} type {self.kind}"]
        if self.field:
            default = self.text(settings)
            parts.append(f"default {default}")
            words = self.words if not self.words or default in self.words else (default, *self.words)
            parts += [f"var {word}" for word in words]
        if self.kind == "spin":
            parts.append("min {} max {}".format(*self.range))
        return " ".join(parts)

    def text(self, settings: Settings) -> str:
        """Return its value."""
        return str(getattr(settings, self.field)) or _EMPTY

    def changed(self, settings: Settings, text: str) -> Settings:
        """Return the settings with another value.

        Raises:
            BanqiError: it is no value.
        """
        value: Any = whole(text, self.name, *self.range) if self.kind == "spin" else self.read(text)
        return replace(settings, **{self.field: value})


def _level_name(text: str) -> str:
    return level_named(text).name


def _path(text: str) -> str:
    return "" if text == _EMPTY else text


OPTIONS: Final = (
    Option("Variant", "combo", "rules", Rules.parse, words=tuple(rule_set.name for rule_set in RULE_SETS)),
    Option("Hash", "spin", "hash_mb", range=(1, MAX_HASH_MB)),
    Option("Threads", "spin", "threads", range=(1, MAX_THREADS)),
    Option("MultiPV", "spin", "multipv", range=(1, MAX_LINES)),
    Option("Level", "combo", "level", _level_name, words=tuple(LEVELS)),
    Option("Tablebase", "string", "tablebase", _path),
    Option("Evaluation", "string", "evaluation"),
    Option("Clear Hash", "button"),
)


def whole(word: str, name: str, smallest: int, largest: int) -> int:
    """Return the whole number that a word is.

    Raises:
        LimitError: it is none, or outside of the range.
    """
    return whole_number(int(word) if _WHOLE.fullmatch(word) else word, name, smallest, largest)
