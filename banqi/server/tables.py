"""What the page's rules are fed with: rule sets, switches, boards, pieces and capture tables, all out of the package.

The page plays by these tables, so that no fact of the rules is written twice. `tables()` is an object of JSON:

- "text": the characters of position text: "face_down", "red", "black", "unknown", "nothing".
- "faults": for each name of a Fault the sentence that tells what is wrong with a position text.
- "largest_limit": the largest number that a switch accepts.
- "games": by name "letters" (the kinds in canonical order), "kinds" (by letter "name" and "signs", red and black) and
  "colours" (of r and b).
- "boards": by name "game", "files", "ranks", "counts" (of each kind for a side), "start" (the squares that hold a
  face-down piece then), "edges" (pairs of joined squares, each with whether it is railway, the lower square first),
  "camps" and "headquarters". Squares are numbers, a1 b1 ... a2 ... from 0.
- "rankings": by name "cannon_jumps", as the ranking has it where no switch says otherwise.
- "captures": a row for each combination of "ranking", "cannon_jumps" and "cannon_adjacent", with "takes" and "losses":
  by kind the kinds that it takes on a neighbouring square (in Junqi: that its attack removes), and that it is lost on.
- "special": the kinds that rules name: "jumper" (the cannon), "engineer", "vital" (the flag), "rooted" (they never
  move, and no way leads them into a camp).
- "options": the switches in canonical order: "name", "field", "words" (by word its meaning), "smallest" (a number, or
  null if no number is accepted).
- "rule_sets": by name "fields" (what it means, every field of Rules) and "accepts" (the switches it may be given).
- "refusals": pairs of values that do not go together: "pair", two fields with a value each, and "reason". The value
  "number" stands for every number.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from functools import lru_cache
from itertools import combinations, product
from typing import Any, Final

import msgspec

from banqi.core import _junqi
from banqi.errors import RulesError
from banqi.geometry import BOARD_5X12, Geometry
from banqi.notation import BLACK, FACE_DOWN, NOTHING, RED, UNKNOWN, Fault
from banqi.piece_set import PIECE_SETS
from banqi.rules import BOARDS, LARGEST_LIMIT, OPTIONS, RANKINGS, RULE_SETS, Option, Rules, RuleSet

# They are ordinary posts to every rule, and drawn as what they are called.
_HEADQUARTERS: Final = ("b1", "d1", "b12", "d12")
_NUMBER: Final = "number"
_FIELDS: Final = tuple(field.name for field in fields(Rules))


@lru_cache(maxsize=1)
def tables() -> Mapping[str, Any]:
    """Return all tables."""
    return {
        "text": {"face_down": FACE_DOWN, "red": RED, "black": BLACK, "unknown": UNKNOWN, "nothing": NOTHING},
        "faults": {fault.name: fault.value for fault in Fault},
        "largest_limit": LARGEST_LIMIT,
        "games": {game: _game(game) for game in PIECE_SETS},
        "boards": {board: _board(board) for board in BOARDS},
        "rankings": {name: {"cannon_jumps": ranking.cannon == "jump"} for name, ranking in RANKINGS.items()},
        "captures": list(_captures()),
        "special": _special(),
        "options": [_option(option) for option in OPTIONS],
        "rule_sets": {rule_set.name: _rule_set(rule_set) for rule_set in RULE_SETS},
        "refusals": [*_refusals(), *_junqi_refusals()],
    }


def tables_json() -> bytes:
    """Return all tables as JSON, the same bytes each time."""
    return msgspec.json.encode(tables())


def _game(game: str) -> dict[str, Any]:
    pieces = PIECE_SETS[game]
    return {
        "letters": pieces.letters,
        "kinds": {letter: {"name": kind.name, "signs": kind.signs} for letter, kind in pieces.kinds.items()},
        "colours": list(pieces.colours),
    }


def _board(name: str) -> dict[str, Any]:
    rules = next(rules for rules in map(Rules.parse, _names()) if rules.board == name)
    geometry = rules.geometry
    junqi = rules.game == "junqi"
    return {
        "game": rules.game,
        "files": geometry.files,
        "ranks": geometry.ranks,
        "counts": dict(rules.set_counts),
        "start": list(rules.core.START),
        "edges": [list(edge) for edge in (_junqi.edges() if junqi else _neighbours(geometry))],
        "camps": list(rules.camps),
        "headquarters": [BOARD_5X12.index(square) for square in _HEADQUARTERS] if junqi else [],
    }


def _neighbours(geometry: Geometry) -> Iterator[tuple[int, int, bool]]:
    for square in range(geometry.squares):
        if (square + 1) % geometry.files:
            yield square, square + 1, False
        if square + geometry.files < geometry.squares:
            yield square, square + geometry.files, False


def _special() -> dict[str, str]:
    order = Rules.parse("junqi").core_order
    # Landmine, flag, bomb, engineer: the order of Junqi's RuleTable.
    return {
        "jumper": "C",
        "vital": order[1],
        "engineer": order[3],
        "rooted": "".join(kind for code, kind in enumerate(order) if _junqi.attack(code, code) is None),
    }


def _captures() -> Iterator[dict[str, Any]]:
    for rules in (*_rankings(), Rules.parse("junqi")):
        yield {
            "ranking": rules.ranking,
            "cannon_jumps": rules.cannon_jumps,
            "cannon_adjacent": rules.cannon_adjacent,
            "takes": {kind: _in_order(targets, rules) for kind, targets in rules.captures.items()},
            "losses": {kind: _in_order(targets, rules) for kind, targets in rules.losses.items()},
        }


def _rankings() -> Iterator[Rules]:
    """Every ranking of Banqi with whatever its captures depend on."""
    for ranking, jumps, adjacent in product(RANKINGS, (True, False), (False, True)):
        with suppress(RulesError):
            yield Rules(ranking=ranking, cannon_jumps=jumps, cannon_adjacent=adjacent)


def _in_order(kinds: Iterable[str], rules: Rules) -> str:
    return "".join(sorted(kinds, key=rules.pieces.letters.index))


def _option(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "field": option.target,
        "words": dict(option.words),
        "smallest": option.smallest,
    }


def _rule_set(rule_set: RuleSet) -> dict[str, Any]:
    rules = Rules.parse(rule_set.name)
    return {
        "fields": {name: getattr(rules, name) for name in _FIELDS},
        "accepts": [option.name for option in OPTIONS if rule_set.takes(option.name)],
    }


def _names() -> list[str]:
    return [rule_set.name for rule_set in RULE_SETS]


# ---- what goes together ------------------------------------------------------------------------------------------


def _values(option: Option) -> list[Any]:
    """The values of a switch, numbers by one that stands for all."""
    if option.is_flag:
        return [False, True]
    return [*option.words.values(), *([getattr(_plain(), option.target)] if option.smallest is not None else [])]


def _plain() -> Rules:
    return Rules(ranking="taiwan", cannon_jumps=True)


def _combinations() -> Iterator[dict[str, Any]]:
    """Every combination of values on the small board."""
    for values in product(*map(_values, OPTIONS)):
        yield dict(zip((option.target for option in OPTIONS), values, strict=True))


def _pairs(given: Mapping[str, Any]) -> set[tuple[tuple[str, Any], tuple[str, Any]]]:
    return set(combinations(sorted(given.items()), 2))


def _refusals() -> Iterator[dict[str, Any]]:
    """The pairs that stand in no combination that is accepted, each with what a combination is refused for by it."""
    accepted: set[tuple[tuple[str, Any], tuple[str, Any]]] = set()
    refused: list[tuple[set[tuple[tuple[str, Any], tuple[str, Any]]], str]] = []
    for given in _combinations():
        try:
            Rules(**given)
            accepted |= _pairs(given)
        except RulesError as error:
            refused.append((_pairs(given), str(error)))
    told: set[tuple[tuple[str, Any], tuple[str, Any]]] = set()
    for pairs, reason in refused:
        faults = pairs - accepted
        if len(faults) == 1 and not faults <= told:
            told |= faults
            (pair,) = faults
            yield {"pair": [[field, _shown(field, value)] for field, value in pair], "reason": reason}


def _junqi_refusals() -> Iterator[dict[str, Any]]:
    """The words of its switches that Junqi does not know."""
    rule_set = next(rule_set for rule_set in RULE_SETS if rule_set.ranking == "junqi")
    for option in OPTIONS:
        for word, value in option.words.items() if rule_set.takes(option.name) else ():
            try:
                Rules.parse(f"{rule_set.name}({option.name}={word})")
            except RulesError as error:
                yield {"pair": [["board", rule_set.board], [option.target, value]], "reason": str(error)}


def _shown(field: str, value: Any) -> Any:
    return _NUMBER if isinstance(value, int) and not isinstance(value, bool) else value
