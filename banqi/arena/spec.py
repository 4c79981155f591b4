"""A player as one text.

random, greedy                          see banqi.arena.weak
engine(nodes=2000, hash=32)             the engine of this build
build(HEAD~3, nodes=2000)               the engine of a git revision (banqi.arena.build), with the same options
build(., nodes=2000)                    the engine of this build in a process of its own
program(./some --flags, clock=900)      a program that speaks the tournament protocol (banqi.arena.program)
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Self

from banqi.arena.build import BuildPlayer, commit_of
from banqi.arena.own import EnginePlayer
from banqi.arena.player import Pace, Player, PlayerFault
from banqi.arena.program import ProgramPlayer
from banqi.arena.weak import GreedyPlayer, RandomPlayer
from banqi.errors import ArenaError, BanqiError, RulesError, shown
from banqi.position import Position
from banqi.rules import Rules

KINDS: Final = ("random", "greedy", "engine", "build", "program")
DEFAULT_HASH_MB: Final = 16
"""Of an engine in a match: many run at once, and most of them are given little time."""

CHECK_SECONDS: Final = 10.0
"""How long a program may take to begin a game, when it is looked at before a match."""
_WITHOUT_OPTIONS: Final = ("random", "greedy")

_SPEC: Final = re.compile(r"\s*([a-z]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_OPTION: Final = re.compile(r"([a-z][a-z0-9_]*)\s*=\s*(.*)", re.DOTALL)
_WHOLE: Final = re.compile(r"-?[0-9]{1,18}")
_NUMBER: Final = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?")
_SECONDS: Final = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)(ms|s)?")
_WORDS: Final[Mapping[str, Any]] = {"on": True, "off": False, "none": None}


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """What a player is: its kind, what it has for its moves, and the options of its engine, by their names there.

    argument: the commit of a build, the command of a program.

    >>> print(PlayerSpec.parse(" engine( hash=32,nodes = 2000 )"))
    engine(nodes=2000, hash=32)

    Raises:
        ArenaError: the text is no player; or, when it is made, it cannot be.
    """

    kind: str
    argument: str = ""
    pace: Pace = field(default_factory=Pace)
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a player's text."""
        match = _SPEC.fullmatch(str(text)) if str(text).isprintable() else None
        if match is None or match[1] not in KINDS:
            raise ArenaError(f"a player is one of {', '.join(KINDS)}, with options in parentheses, not {shown(text)}")
        kind, arguments = match[1], _arguments(match[2] or "")
        argument = _argument(kind, arguments)
        options: dict[str, str] = {}
        for text in arguments:
            option = _OPTION.fullmatch(text)
            if option is None:
                raise ArenaError(f"an option of a player is written name=value, not {shown(text)}")
            if option[1] in options:
                raise ArenaError(f"the option {option[1]} of {kind} is given twice")
            options[option[1]] = option[2]
        if kind in _WITHOUT_OPTIONS and options:
            raise ArenaError(f"{kind} has no options")
        pace = _pace(options)
        if kind == "program" and (options or pace.nodes or pace.depth):
            raise ArenaError("a program has the options clock and time only: its others go into its command")
        if kind in ("engine", "build") and pace == Pace():
            raise ArenaError(f"{kind} needs nodes, depth, time or clock, such as engine(nodes=2000)")
        return cls(kind, argument, pace, tuple(sorted(options.items())))

    def __str__(self) -> str:
        values = {item.name: getattr(self.pace, item.name) for item in fields(self.pace)}
        inc = values.pop("inc")
        told = [self.argument] if self.argument else []
        told += [f"{name}={value!r}" for name, value in values.items() if value is not None]
        if inc:
            told[-1] += f"+{inc!r}"
        told += [f"{name}={value}" for name, value in self.options]
        return f"{self.kind}({', '.join(told)})" if told else self.kind

    @property
    def threads(self) -> int:
        """How many processors the player keeps busy."""
        threads = _value(dict(self.options).get("threads", "1"))
        return threads if isinstance(threads, int) else 1

    def make(self, patience: float) -> Player:
        """Return a player that plays any number of games.

        patience: the seconds beyond its time in which it has to answer.

        Raises:
            ArenaError: the engine does not take these options, or the build or the program is not to be had.
        """
        if self.kind == "random":
            return RandomPlayer()
        if self.kind == "greedy":
            return GreedyPlayer()
        try:
            if self.kind == "program":
                return ProgramPlayer(self.argument, self.pace, patience)
            if self.kind == "build":
                return BuildPlayer(self.argument, self.pace, engine_options(self.options), patience)
            return EnginePlayer(self.pace, engine_options(self.options), patience)
        except BanqiError as error:
            raise ArenaError(f"{self}: {error}") from None
        except TypeError as error:
            # Python tells the name of an argument that is not there.
            raise ArenaError(f"{self}: {str(error).removeprefix('Engine.__init__() ')}") from None

    def check(self, rules: Rules) -> None:
        """Make sure that the player can be made here, and begins a game. What has to be built is built.

        Raises:
            ArenaError: it cannot.
        """
        player = self.make(CHECK_SECONDS)
        try:
            player.begin(Position(rules), "")
        except (PlayerFault, RulesError) as error:
            raise ArenaError(f"{self}: {error}") from None
        finally:
            player.close()


def engine_options(options: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """Return the arguments of Engine that a player's options stand for; those unknown here are passed on as they are.

    `hash` is in MiB. `tablebase` is on, off or a folder. A value is a number, on, off or none where it looks like one,
    else a text.
    """
    arguments: dict[str, Any] = {"hash_mb": DEFAULT_HASH_MB}
    for name, text in options:
        value = _value(text)
        if name == "hash":
            arguments["hash_mb"] = value
        elif name == "tablebase":
            # Those that come with the package are the engine's own default.
            if value is not True:
                arguments["tablebase"] = None if value is False else value
        else:
            arguments[name] = value
    return arguments


def _value(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text


def _argument(kind: str, arguments: list[str]) -> str:
    """Take out of the arguments what a build or a program begins with.

    Raises:
        ArenaError: it is not there, or names no revision.
    """
    if kind == "build":
        if not arguments or _OPTION.fullmatch(arguments[0]):
            raise ArenaError("a build needs its revision: build(HEAD~3, nodes=2000)")
        return commit_of(arguments.pop(0))
    if kind == "program":
        if not arguments:
            raise ArenaError("a program needs its command: program(./some --flags)")
        return arguments.pop(0)
    return ""


def _arguments(text: str) -> list[str]:
    """Split at commas that stand outside of parentheses and quotes; blanks around an argument do not count."""
    parts, depth, quote = [""], 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "," and depth == 0:
            parts.append("")
            continue
        depth += 0 if quote else (character == "(") - (character == ")")
        parts[-1] += character
    arguments = [part.strip() for part in parts]
    if arguments == [""]:
        return []
    if "" in arguments:
        raise ArenaError(f"an argument is missing in {shown(text)}")
    return arguments


def _pace(options: dict[str, str]) -> Pace:
    """Take out of the options what limits a player's moves.

    Raises:
        ArenaError: a figure makes no sense.
    """
    clock, plus, inc = options.pop("clock", "").partition("+")
    try:
        pace = Pace(
            nodes=_whole("nodes", options.pop("nodes", None)),
            depth=_whole("depth", options.pop("depth", None)),
            time=_seconds("time", options.pop("time", None)),
            clock=_seconds("clock", clock or None),
            inc=_seconds("the increment", inc if plus else None) or 0.0,
        )
        if pace != Pace():
            pace.limit(pace.clock)
    except BanqiError as error:
        raise error if isinstance(error, ArenaError) else ArenaError(str(error)) from None
    if pace.clock == 0:
        raise ArenaError("a clock starts above 0")
    return pace


def _whole(name: str, text: str | None) -> int | None:
    if text is None or _WHOLE.fullmatch(text):
        return None if text is None else int(text)
    raise ArenaError(f"{name} is a whole number, not {shown(text)}")


def _seconds(name: str, text: str | None) -> float | None:
    if text is None:
        return None
    match = _SECONDS.fullmatch(text.strip())
    if match is None:
        raise ArenaError(f"{name} is a number of seconds, such as 0.5 or 5ms, not {shown(text)}")
    # Divided, so that 5ms is what 0.005 is.
    return float(match[1]) / 1000 if match[2] == "ms" else float(match[1])
