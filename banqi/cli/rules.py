"""The rule sets and their options."""

import json
from collections.abc import Iterable
from typing import Any

import rich_click as click

from banqi.rules import OPTIONS, RULE_SETS, Rules


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def rules(as_json: bool) -> None:
    """List the rule sets with their tables of captures on neighbouring squares, and the options.

    The JSON object has "rules", a list. A rule set has "name", "ranking", "cannon" ("jump" or "step"),
    "cannon_adjacent", "dark_capture", "chain" ("none", "any" or "cannon"), "screens" ("any" or "faceup"), "repetition"
    (a number, "cycle" or null), "quiet_limit", "perpetual" ("draw" or "loses"), "game" ("banqi" or "junqi"), "board"
    ("files", "ranks"), "set" (how many of each kind a side has), "captures" (for each kind the kinds that it takes, as
    one text) and "losses" (the kinds that it is lost on when it attacks them).
    """
    rule_sets = [(rule_set.name, Rules.parse(rule_set.name)) for rule_set in RULE_SETS]
    if as_json:
        click.echo(json.dumps({"rules": [_rules_object(name, meaning) for name, meaning in rule_sets]}))
        return
    for name, meaning in rule_sets:
        _print_rules(name, meaning)
    options = ", ".join(
        option.name
        if option.is_flag
        else f"{option.name}={'|'.join([*option.words, *(['N'] if option.smallest is not None else [])])}"
        for option in OPTIONS
    )
    click.echo(f"Options, written name(option, option=value): {options}")


def _rules_object(name: str, rules: Rules) -> dict[str, Any]:
    return {
        "name": name,
        "ranking": rules.ranking,
        "cannon": "jump" if rules.cannon_jumps else "step",
        "cannon_adjacent": rules.cannon_adjacent,
        "dark_capture": rules.dark_capture,
        "chain": rules.chain,
        "screens": rules.screens,
        "repetition": rules.repetition,
        "quiet_limit": rules.quiet_limit,
        "perpetual": rules.perpetual,
        "game": rules.game,
        "board": {"files": rules.geometry.files, "ranks": rules.geometry.ranks},
        "set": dict(rules.set_counts),
        "captures": {kind: _in_order(targets, rules) for kind, targets in rules.captures.items()},
        "losses": {kind: _in_order(targets, rules) for kind, targets in rules.losses.items()},
    }


def _in_order(kinds: Iterable[str], rules: Rules) -> str:
    return "".join(sorted(kinds, key=rules.pieces.letters.index))


def _print_rules(name: str, rules: Rules) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    kinds = rules.pieces.letters
    table = Table("takes", *kinds, box=SIMPLE, show_edge=False, padding=(0, 1, 0, 0))
    marks = {(True, True): "x", (True, False): "=", (False, False): "-", (False, True): "."}
    for attacker in kinds:
        results = [marks[rules.takes(attacker, target), rules.survives(attacker, target)] for target in kinds]
        table.add_row(attacker, *results)
    if rules.game == "junqi":
        click.echo(f"{name}: {rules.geometry}; x takes and stays, = both go, - the attacker goes,")
    else:
        screen = "face-up piece" if rules.screens == "faceup" else "piece"
        cannon = f"jump over one {screen}" if rules.cannon_jumps else "step and capture like the others"
        click.echo(f"{name}: {rules.geometry}, ranking {rules.ranking}, cannons {cannon},")
    if rules.dark_capture:
        click.echo("face-down pieces may be attempted,")
    if rules.chain != "none":
        click.echo(f"{'cannons' if rules.chain == 'cannon' else 'all pieces'} may capture on after a capture,")
    click.echo(f"draw by repetition {rules.repetition or 'none'}, after {rules.quiet_limit} quiet plies")
    Console().print(table)
    click.echo()
