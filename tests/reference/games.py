"""The one door to both games: the rule set of a text, and the positions that go with it."""

from __future__ import annotations

from reference import banqi_rules
from reference.banqi import BanqiPosition
from reference.junqi import JunqiPosition
from reference.junqi_rules import JunqiRules
from reference.position import Position
from reference.rules import Rules

NAMED: dict[str, Rules] = {**banqi_rules.NAMED, "junqi": JunqiRules()}


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
    return NAMED[name].with_options(given)


def position(
    rules: Rules, board: dict[str, str], pool: dict[str, int], side: str, chain: str = "-", quiet: int = 0
) -> Position:
    """A position of the game that a rule set belongs to."""
    if isinstance(rules, JunqiRules):
        return JunqiPosition(rules, board, pool, side, chain, quiet)
    assert isinstance(rules, banqi_rules.BanqiRules)
    return BanqiPosition(rules, board, pool, side, chain, quiet)
