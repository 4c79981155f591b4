"""Rule sets: the named ones, option strings such as `taiwan(quiet_limit=40)`, the capture tables they stand for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from banqi.errors import RulesError, shown
from banqi.geometry import BOARD_4X8, BOARD_5X12, BOARD_8X8, Geometry
from banqi.piece_set import KINDS, PIECE_SETS, PieceSet

if TYPE_CHECKING:
    from banqi.core.face import Core, RuleTable


@dataclass(frozen=True, slots=True)
class Board:
    """What is played on: the squares, the game, how many of its sets lie there, the compiled module."""

    geometry: Geometry
    game: Literal["banqi", "junqi"]
    sets: int
    core: str


BOARDS: Final[Mapping[str, Board]] = MappingProxyType(
    {
        "4x8": Board(BOARD_4X8, "banqi", 1, "_banqi32"),
        "8x8": Board(BOARD_8X8, "banqi", 2, "_banqi64"),
        "5x12": Board(BOARD_5X12, "junqi", 1, "_junqi"),
    }
)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Who takes whom on a neighbouring square.

    A piece takes its own rank and every lower one, then the exceptions hold. `order` is strongest first; without a
    C in it the cannon has no rank and has to jump. `takes` and `spares` are pairs, attacker first: "PK" in `takes`
    means that the soldier takes the general.
    """

    order: str
    takes: tuple[str, ...]
    spares: tuple[str, ...]
    cannon: Literal["jump", "step"]


RANKINGS: Final[Mapping[str, Ranking]] = MappingProxyType(
    {
        "taiwan": Ranking("KGMRNP", takes=("PK",), spares=("KP",), cannon="jump"),
        "hongkong": Ranking("KRNCGMP", takes=("PK",), spares=("KP",), cannon="step"),
        # Texts say that the general may take a soldier "if the general moves first". Read here as: each may take
        # the other, and the side to move uses its own capture.
        "mainland": Ranking("KGMRNCP", takes=("PK", "KP"), spares=(), cannon="step"),
    }
)

# A jumping cannon leaves its place in the ranking, whatever the ranking is.
JUMPING_CANNON_TAKEN_BY: Final = "KGMRN"
JUMPING_CANNON_TAKES: Final = ""
CANNON_ADJACENT_TAKES: Final = "PC"


Repetition = int | Literal["cycle"] | None

LARGEST_LIMIT: Final = 10_000
"""The largest number that `repetition` and `quiet_limit` accept."""


@dataclass(frozen=True, slots=True)
class Option:
    """A switch of a rule set.

    target: the field of Rules that it sets. words: what it accepts, with the meaning. smallest: the smallest number
    that it accepts, None if it takes none. With neither it is a flag.
    """

    name: str
    target: str
    words: Mapping[str, object] = field(default_factory=dict)
    smallest: int | None = None

    @property
    def is_flag(self) -> bool:
        """Whether the option stands alone, without a value."""
        return not self.words and self.smallest is None


# In the order of canonical text. A new switch is a field of Rules and a row here.
OPTIONS: Final = (
    Option("ranking", "ranking", {name: name for name in RANKINGS}),
    Option("cannon", "cannon_jumps", {"jump": True, "step": False}),
    Option("cannon_adjacent", "cannon_adjacent"),
    Option("dark_capture", "dark_capture"),
    Option("chain", "chain", {"none": "none", "any": "any", "cannon": "cannon"}),
    Option("screens", "screens", {"any": "any", "faceup": "faceup"}),
    Option("repetition", "repetition", {"cycle": "cycle", "none": None}, smallest=2),
    Option("quiet_limit", "quiet_limit", smallest=1),
    Option("perpetual", "perpetual", {"draw": "draw", "loses": "loses"}),
)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A named rule set: a ranking, the options that the name brings along, the board, and the options it may be given.

    accepts: names of options, None for all but `ranking`, which the name itself tells.
    """

    name: str
    ranking: str
    options: tuple[str, ...] = ()
    board: str = "4x8"
    accepts: tuple[str, ...] | None = None

    def takes(self, option: str) -> bool:
        """Whether the set may be given an option."""
        return option != "ranking" if self.accepts is None else option in self.accepts


RULE_SETS: Final = (
    RuleSet("taiwan", "taiwan"),
    RuleSet("hongkong", "hongkong"),
    RuleSet("mainland", "mainland"),
    RuleSet("cannon-adjacent", "taiwan", ("cannon_adjacent",)),
    RuleSet("dark-capture", "taiwan", ("dark_capture",)),
    RuleSet("children", "taiwan", ("dark_capture", "chain=any")),
    RuleSet("cannon-chain", "taiwan", ("screens=faceup", "chain=cannon")),
    RuleSet("double", "taiwan", board="8x8", accepts=tuple(option.name for option in OPTIONS)),
    RuleSet(
        "junqi",
        "junqi",
        ("repetition=none", "quiet_limit=80"),
        board="5x12",
        accepts=("repetition", "quiet_limit"),
    ),
)

_RULE_SETS_BY_NAME = {rule_set.name: rule_set for rule_set in RULE_SETS}

_OPTIONS_BY_NAME = {option.name: option for option in OPTIONS}
_TEXT = re.compile(r"([^()]*)(?:\(([^()]*)\))?")
_NUMBER = re.compile("0|[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a game is played by. Two rule sets that mean the same are equal, however they were written.

    ranking: a name in RANKINGS. cannon_jumps: cannons capture by jumping, else they step like all others.
    cannon_adjacent: a jumping cannon also takes soldiers and cannons on a neighbouring square. dark_capture: face-down
    pieces may be attempted. chain: which pieces may capture on after a capture, "none", "any" or "cannon". screens:
    what a cannon jumps over, "any" piece or only those "faceup". repetition: the occurrence of a position that ends the
    game, "cycle", or None. quiet_limit: plies without a reveal and a capture that draw. perpetual: whether a repetition
    by a perpetual attacker is a "draw" or the attacker "loses". board: a name in BOARDS.

    >>> Rules.parse("taiwan(quiet_limit=40, repetition=3)")
    Rules.parse('taiwan(quiet_limit=40)')
    >>> Rules.parse("taiwan(cannon_adjacent)") == Rules.parse("cannon-adjacent")
    True

    Raises:
        RulesError: a value is out of its range, or values do not go together.
    """

    ranking: str
    cannon_jumps: bool
    cannon_adjacent: bool = False
    dark_capture: bool = False
    chain: Literal["none", "any", "cannon"] = "none"
    screens: Literal["any", "faceup"] = "any"
    repetition: Repetition = 3
    quiet_limit: int = 180
    perpetual: Literal["draw", "loses"] = "draw"
    board: str = "4x8"

    def __post_init__(self) -> None:
        if self.board not in tuple(BOARDS):
            raise RulesError(f"unknown board {shown(self.board)}; there are {', '.join(BOARDS)}")
        for option in OPTIONS:
            value = getattr(self, option.target)
            takes_bool = option.is_flag or any(isinstance(meaning, bool) for meaning in option.words.values())
            if takes_bool and not isinstance(value, bool):
                raise RulesError(f"{option.target} is True or False, not {shown(value)}")
            if option.name == "ranking" and self.game == "junqi":
                continue
            if option.words and option.smallest is None and value not in option.words.values():
                raise RulesError(f"the option {option.name} takes {' or '.join(option.words)}, not {shown(value)}")
        if self.repetition is not None and self.repetition != "cycle":
            _check_limit("repetition", self.repetition)
        _check_limit("quiet_limit", self.quiet_limit)
        if self.game == "junqi":
            self._check_junqi()
        else:
            self._check_banqi()

    def _check_junqi(self) -> None:
        """Refuse what only Banqi has."""
        if self.ranking != "junqi":
            raise RulesError(f"the board {self.board} goes with the ranking junqi, not with {shown(self.ranking)}")
        if self.repetition == "cycle":
            raise RulesError("repetition=cycle does not go with junqi")
        plain = Rules(ranking="taiwan", cannon_jumps=True)
        for option in OPTIONS:
            name = option.target
            wanted = {"cannon_jumps": False}.get(name, getattr(plain, name))
            if name not in ("ranking", "repetition", "quiet_limit") and getattr(self, name) != wanted:
                raise RulesError(f"{name}={getattr(self, name)} does not go with junqi")

    def _check_banqi(self) -> None:
        """Refuse what does not go together."""
        if not self.cannon_jumps and "C" not in RANKINGS[self.ranking].order:
            raise RulesError(f"cannon=step does not go with the ranking {self.ranking}: the cannon has no rank there")
        if self.cannon_adjacent and not self.cannon_jumps:
            raise RulesError("cannon_adjacent does not go with a stepping cannon: it captures neighbours anyway")
        if self.screens == "faceup" and not self.cannon_jumps:
            raise RulesError("screens=faceup does not go with a stepping cannon: it needs no screen")
        if self.chain == "cannon" and not self.cannon_jumps:
            raise RulesError("chain=cannon does not go with a stepping cannon: it captures as all others do")
        if self.perpetual == "loses" and self.repetition is None:
            raise RulesError("perpetual=loses does not go with repetition=none: no repetition would be judged")

    @classmethod
    def parse(cls, text: str) -> "Rules":
        """Read `name` or `name(option, option=value, ...)`.

        Raises:
            RulesError: the text is no rule set; the line says what is wrong.
        """
        if not isinstance(text, str):
            raise RulesError(f"a rule set is a text, not {shown(text)}")
        match = _TEXT.fullmatch(text)
        if match is None:
            raise RulesError(f"{shown(text)} is not written as name or name(option, option=value)")
        name: str = match[1]
        if name not in _RULE_SETS_BY_NAME:
            raise RulesError(f"unknown rule set {shown(name)}; there are {', '.join(_RULE_SETS_BY_NAME)}")
        rule_set = _RULE_SETS_BY_NAME[name]
        fields = _read_options(match[2], rule_set)
        if ranking := fields.get("ranking"):
            rule_set = replace(rule_set, ranking=ranking)
        return cls(**_named_fields(rule_set) | fields)

    @classmethod
    def of(cls, rules: "Rules | str") -> "Rules":
        """Return rules that may be given as text."""
        return rules if isinstance(rules, Rules) else cls.parse(rules)

    def __str__(self) -> str:
        """The canonical text: the name that needs the fewest options, options in a fixed order, defaults left out."""
        texts = [
            (len(options), name, options)
            for name, options in ((rule_set.name, self._options_beyond(rule_set)) for rule_set in RULE_SETS)
            if options is not None
        ]
        # min keeps the first of equals, so the earlier row of RULE_SETS wins.
        _, name, options = min(texts, key=lambda entry: entry[0])
        return f"{name}({', '.join(options)})" if options else name

    def __repr__(self) -> str:
        return f"Rules.parse({str(self)!r})"

    def _options_beyond(self, rule_set: RuleSet) -> list[str] | None:
        """Options that make these rules from a named set, or None if none can."""
        options = []
        if rule_set.board != self.board:
            return None
        if rule_set.ranking != self.ranking:
            if not rule_set.takes("ranking"):
                return None
            options.append(f"ranking={self.ranking}")
            rule_set = replace(rule_set, ranking=self.ranking)
        named = Rules(**_named_fields(rule_set))
        for option in OPTIONS:
            value = getattr(self, option.target)
            if value == getattr(named, option.target):
                continue
            if option.is_flag and not value:
                return None
            options.append(_option_text(option, value))
        return options

    @property
    def game(self) -> Literal["banqi", "junqi"]:
        """Which of the two games it is; a key of PIECE_SETS."""
        return BOARDS[self.board].game

    @property
    def geometry(self) -> Geometry:
        """The board's squares."""
        return BOARDS[self.board].geometry

    @property
    def pieces(self) -> PieceSet:
        """The game's kinds of pieces."""
        return PIECE_SETS[self.game]

    @property
    def letters(self) -> str:
        """The identities in canonical order, 14 in Banqi and 24 in Junqi: red upper case first."""
        return self.pieces.letters + self.pieces.letters.lower()

    @property
    def camps(self) -> tuple[int, ...]:
        """The squares where nothing can be attacked; Banqi has none."""
        return _camps() if self.game == "junqi" else ()

    @property
    def set_counts(self) -> Mapping[str, int]:
        """How many of each kind a side has."""
        return _set_counts(self.board)

    @property
    def core(self) -> "Core":
        """The compiled module for the board."""
        # Imported when it is needed: naming rule sets costs nothing, and a program loads only the boards it plays on.
        return cast("Core", import_module(f"banqi.core.{BOARDS[self.board].core}"))

    @property
    def captures(self) -> dict[str, frozenset[str]]:
        """For each kind the kinds that it takes on a neighbouring square; in Junqi, that an attack of it removes."""
        return dict(_captures(self))

    @property
    def losses(self) -> dict[str, frozenset[str]]:
        """For each kind the kinds that it is lost on when it attacks them; in Banqi there are none."""
        return dict(_losses(self))

    def takes(self, attacker: str, target: str) -> bool:
        """Tell whether a kind takes another on a neighbouring square; in Junqi, whether an attack removes it.

        >>> Rules.parse("taiwan").takes("P", "K")
        True

        Raises:
            RulesError: a letter is no kind of the game.
        """
        self._check_kinds(attacker, target)
        return target in _captures(self)[attacker]

    def survives(self, attacker: str, target: str) -> bool:
        """Tell whether a kind stays on the board when it attacks another; in Banqi it always does.

        >>> junqi = Rules.parse("junqi")
        >>> junqi.takes("O", "M"), junqi.survives("O", "M")
        (True, False)

        Raises:
            RulesError: a letter is no kind of the game.
        """
        self._check_kinds(attacker, target)
        return target not in _losses(self)[attacker]

    def _check_kinds(self, *kinds: str) -> None:
        for kind in kinds:
            if kind not in tuple(self.pieces.kinds):
                raise RulesError(f"{shown(kind)} is none of the kinds {self.pieces.letters}")

    @property
    def core_order(self) -> str:
        """The kinds as the compiled core numbers them, by rank, weakest first."""
        if self.game == "junqi":
            return _JUNQI_CODES
        strongest_first = RANKINGS[self.ranking].order
        if self.cannon_jumps:
            # No rank is right for it. Just above the soldier "takes its own rank and lower" has the fewest exceptions.
            strongest_first = strongest_first.replace("C", "").replace("P", "CP")
        return strongest_first[::-1]

    @property
    def table(self) -> "RuleTable":
        """The same rules as the compiled core reads them."""
        return _table(self)

    def table_as(self, kind: "type[RuleTable]") -> "RuleTable":
        """The same table in the form of another compiled module."""
        return _banqi_table(self, kind)


def _check_limit(name: str, value: object) -> None:
    smallest = _OPTIONS_BY_NAME[name].smallest or 0
    if isinstance(value, bool) or not isinstance(value, int) or not smallest <= value <= LARGEST_LIMIT:
        words = "".join(f", {word}" for word in _OPTIONS_BY_NAME[name].words)
        raise RulesError(f"{name} is a whole number from {smallest} to {LARGEST_LIMIT}{words}, not {shown(value)}")


def _named_fields(rule_set: RuleSet) -> dict[str, Any]:
    """The fields of Rules that a name stands for, where they are not the default."""
    fields: dict[str, Any] = {
        "board": rule_set.board,
        "ranking": rule_set.ranking,
        "cannon_jumps": rule_set.ranking in RANKINGS and RANKINGS[rule_set.ranking].cannon == "jump",
    }
    for text in rule_set.options:
        fields |= _read_options(text, rule_set)
    return fields


def _read_options(text: str | None, rule_set: RuleSet) -> dict[str, Any]:
    """The fields of Rules that a list of options sets."""
    fields: dict[str, Any] = {}
    if text is None:
        return fields
    given = set()
    for number, item in enumerate(text.split(",")):
        name, equals, word = (item.removeprefix(" ") if number else item).partition("=")
        if name in given:
            raise RulesError(f"the option {name} is given twice")
        given.add(name)
        option = _OPTIONS_BY_NAME.get(name)
        if option is None:
            raise RulesError(f"unknown option {shown(name)}; there are {', '.join(_OPTIONS_BY_NAME)}")
        if not rule_set.takes(name):
            takers = [other.name for other in RULE_SETS if other.takes(name)]
            raise RulesError(f"the option {name} does not go with {rule_set.name}: it goes with {', '.join(takers)}")
        fields[option.target] = _read_value(option, word if equals else None)
    return fields


def _read_value(option: Option, word: str | None) -> object:
    """The value that an option is given."""
    if option.is_flag:
        if word is not None:
            raise RulesError(f"the option {option.name} takes no value")
        return True
    if word is not None and word in option.words:
        return option.words[word]
    if option.smallest is not None and word is not None and _NUMBER.fullmatch(word):
        _check_limit(option.name, int(word))
        return int(word)
    kinds = list(option.words)
    if option.smallest is not None:
        kinds.append(f"a whole number from {option.smallest} to {LARGEST_LIMIT}")
    given = "nothing" if word is None else shown(word)
    raise RulesError(f"the option {option.name} takes {' or '.join(kinds)}, not {given}")


def _option_text(option: Option, value: object) -> str:
    """An option as it is written."""
    if option.is_flag:
        return option.name
    for word, meaning in option.words.items():
        if meaning == value:
            return f"{option.name}={word}"
    return f"{option.name}={value}"


# The caches hold what Rules is a key of: few rule sets are ever in use, and a Rules stays a plain value.
@lru_cache(maxsize=256)
def _captures(rules: Rules) -> Mapping[str, frozenset[str]]:
    if rules.game == "junqi":
        return _junqi_attacks(_ATTACKER_WINS, _BOTH_GO)
    ranking = RANKINGS[rules.ranking]
    order = ranking.order.replace("C", "") if rules.cannon_jumps else ranking.order
    table = {kind: set(order[rank:]) for rank, kind in enumerate(order)}
    if rules.cannon_jumps:
        table["C"] = set(CANNON_ADJACENT_TAKES if rules.cannon_adjacent else JUMPING_CANNON_TAKES)
        for kind in JUMPING_CANNON_TAKEN_BY:
            table[kind].add("C")
    for pair in ranking.takes:
        table[pair[0]].add(pair[1])
    for pair in ranking.spares:
        table[pair[0]].discard(pair[1])
    return {kind: frozenset(table[kind]) for kind in KINDS}


@lru_cache(maxsize=256)
def _losses(rules: Rules) -> Mapping[str, frozenset[str]]:
    if rules.game == "junqi":
        return _junqi_attacks(_DEFENDER_WINS, _BOTH_GO)
    return dict.fromkeys(KINDS, frozenset())


# What remains of attacker and defender.
_ATTACKER_WINS: Final = (True, False)
_DEFENDER_WINS: Final = (False, True)
_BOTH_GO: Final = (False, False)


def _junqi_attacks(*results: tuple[bool, bool]) -> dict[str, frozenset[str]]:
    """For each kind of Junqi the kinds that it may attack with one of these results."""
    # The compiled rules know how an attack ends; imported here, so that naming rule sets costs nothing.
    from banqi.core._junqi import attack

    kinds = PIECE_SETS["junqi"].letters
    codes = [_JUNQI_CODES.index(kind) for kind in kinds]
    return {
        kind: frozenset(other for other, target in zip(kinds, codes, strict=True) if attack(code, target) in results)
        for kind, code in zip(kinds, codes, strict=True)
    }


@lru_cache(maxsize=1)
def _camps() -> tuple[int, ...]:
    from banqi.core._junqi import camps

    return tuple(camps())


@lru_cache(maxsize=8)
def _set_counts(board: str) -> Mapping[str, int]:
    sets, kinds = BOARDS[board].sets, PIECE_SETS[BOARDS[board].game].kinds
    return MappingProxyType({letter: sets * kind.count for letter, kind in kinds.items()})


@lru_cache(maxsize=256)
def _table(rules: Rules) -> "RuleTable":
    return _junqi_table(rules) if rules.game == "junqi" else _banqi_table(rules, rules.core.RuleTable)


def _tag(rules: Rules) -> int:
    # Imported here, so that naming rule sets costs nothing.
    from hashlib import blake2b

    return int.from_bytes(blake2b(str(rules).encode(), digest_size=8).digest(), "little")


def _banqi_table(rules: Rules, kind: "type[RuleTable]") -> "RuleTable":
    captures = _captures(rules)
    return kind(
        [KINDS.index(kind) for kind in rules.core_order],
        [sum(1 << KINDS.index(target) for target in captures[kind]) for kind in KINDS],
        jumps=rules.cannon_jumps,
        dark=rules.dark_capture,
        chains=[KINDS.index(kind) for kind in {"none": "", "any": KINDS, "cannon": "C"}[rules.chain]],
        faceup_screens=rules.screens == "faceup",
        perpetual_loses=rules.perpetual == "loses",
        repetition=-1 if rules.repetition == "cycle" else rules.repetition or 0,
        quiet_limit=rules.quiet_limit,
        tag=_tag(rules),
    )


# The kinds of Junqi as the compiled rules number them: landmine, flag, bomb, then the ranks from the engineer up.
_JUNQI_CODES: Final = "LFOEPCTRBDGM"


def _junqi_table(rules: Rules) -> "RuleTable":
    from banqi.core import _junqi

    order = [rules.pieces.letters.index(kind) for kind in rules.core_order]
    assert isinstance(rules.repetition, int | None)
    table = _junqi.RuleTable(order, repetition=rules.repetition or 0, quiet_limit=rules.quiet_limit, tag=_tag(rules))
    # Every board's State takes its own module's table; to those who hand it on they are alike.
    return cast("RuleTable", table)
