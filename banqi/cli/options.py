"""What several commands read from their arguments."""

import re
from typing import Final

import rich_click as click

from banqi.position import Position

CLUSTER_JOBS: Final = 32
"""How many places for games a cluster is taken to have."""


def whole(value: object) -> int:
    """Read a whole number in plain digits. Whoever uses it judges its size."""
    if not re.fullmatch("-?[0-9]{1,1000}", str(value)):
        raise click.BadParameter(f"{value!r} is not a whole number")
    return int(str(value))


def seconds_of(value: object) -> float:
    """Read a number of seconds. Whoever uses it judges its size."""
    if not re.fullmatch(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|nan|-?inf", str(value)):
        raise click.BadParameter(f"{value!r} is not a number of seconds")
    return float(str(value))


def number(value: object) -> float:
    """Read a number. Whoever uses it judges its size."""
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)", str(value)):
        raise click.BadParameter(f"{value!r} is not a number")
    return float(str(value))


rules_option = click.option("--rules", default="taiwan", show_default=True, metavar="RULES", help="The rule set.")
fen_option = click.option("--fen", metavar="FEN", help="The position; the start if left out.")
tables_option = click.option(
    "--tablebase", "tables", metavar="DIR", help="Folder of endgame tables; else those that come with the package."
)
evaluation_option = click.option(
    "--evaluation",
    default="learned",
    show_default=True,
    metavar="E",
    help="What positions are worth: learned, handwritten or a file of weights.",
)


def position_of(fen: str | None, rules: str) -> Position:
    """Return the position of a text, the start without one."""
    return Position(rules) if fen is None else Position.from_fen(fen, rules=rules)
