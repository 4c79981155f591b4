"""`banqi play`: a game at the terminal."""

import secrets
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

import rich_click as click
from click.core import ParameterSource

from banqi.cli.options import fen_option, rules_option, seconds_of, whole

if TYPE_CHECKING:
    from banqi.play.session import Player

_LAST: Final = "\0"
_DEFAULT_LEVEL: Final = "medium"
_ONE_MORE: Final = ("record", "rules", "level", "two", "first", "fen", "seed", "clock")
"""What a game that is gone on with has already."""


@click.command()
@rules_option
@click.option("--level", type=click.Choice(["easy", "medium", "hard"]), help="How the computer plays (medium).")
@click.option("--two", is_flag=True, help="Two people play, in turn, without the computer.")
@click.option(
    "--first", type=click.Choice(["you", "computer", "lot"]), default="you", show_default=True, help="Who begins."
)
@fen_option
@click.option("--clock", metavar="S+INC", help="Seconds for each side, and those after each ply, such as 300+5.")
@click.option(
    "--time",
    "seconds",
    type=seconds_of,
    default=1.0,
    show_default=True,
    metavar="S",
    help="The computer thinks so long.",
)
@click.option("--glyphs", type=click.Choice(["letters", "chinese"]), default="letters", show_default=True)
@click.option("--record", metavar="FILE", help="Where the game is kept; by default in the user's data folder.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value=_LAST,
    metavar="[FILE]",
    help="Go on with the game of FILE, or with the last one that is not over.",
)
@click.option("--seed", type=whole, metavar="N", help="For study: a deal that N tells, the same each time.")
@click.pass_context
def play(
    context: click.Context,
    rules: str,
    level: str | None,
    two: bool,
    first: str,
    fen: str | None,
    clock: str | None,
    seconds: float,
    glyphs: str,
    record: str | None,
    resume: str | None,
    seed: int | None,
) -> None:
    """Play against the computer, or two at one terminal: type a square to flip, two to move, help for the rest.

    The game is kept after every ply in the file of its record, and can be gone on with after any stop. The record
    shows what both players know, and its form follows from the file's suffix: .json, .jsonl, else text. The secret of
    what lies face down stays in a file of its own in the user's data folder ($XDG_DATA_HOME/banqi, by default
    ~/.local/share/banqi) until the end; then the record tells it, and it is checked. Without a terminal, lines are
    read from stdin.
    """
    from banqi.deal import Deal
    from banqi.display import Glyphs
    from banqi.engine import Limit
    from banqi.play.keeping import TIME_CONTROL, KeptGame, time_control
    from banqi.play.session import Session

    # It refuses what is no time.
    seconds = Limit(time=seconds).time or seconds
    if resume is not None:
        for name in _ONE_MORE:
            if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
                raise click.UsageError(f"--{name} does not go with --resume: the game has its own")
        kept = KeptGame.resume(None if resume == _LAST else Path(resume))
    else:
        if two and level is not None:
            raise click.UsageError("--level does not go with --two: no computer plays")
        if two and context.get_parameter_source("first") is not ParameterSource.DEFAULT:
            raise click.UsageError("--first does not go with --two: whoever begins types first")
        tags = _names(level, first, two=two) | {"Date": date.today().strftime("%Y.%m.%d")}
        if clock is not None:
            time_control(clock)
            tags[TIME_CONTROL] = clock
        if seed is not None:
            tags["Seed"] = str(seed)
        kept = KeptGame.begin(Deal(rules, seed, fen=fen), None if record is None else Path(record), tags)
    with kept:
        Session(kept, _players(kept.tags), glyphs=Glyphs(glyphs), seconds=seconds).run()


_COMPUTER: Final = "computer"


def _names(level: str | None, first: str, *, two: bool) -> dict[str, str]:
    """Return who has which seat, as a record tells it."""
    if two:
        return {"First": "first", "Second": "second"}
    computer = f"{_COMPUTER} ({level or _DEFAULT_LEVEL})"
    if first == "computer" or (first == "lot" and secrets.randbelow(2)):
        return {"First": computer, "Second": "you"}
    return {"First": "you", "Second": computer}


def _players(tags: "dict[str, str]") -> "tuple[Player, Player]":
    """Return who has which seat; whoever is no computer of a level there is, is a person."""
    from banqi.level import LEVELS
    from banqi.play.session import YOU, Player

    names = (tags.get("First", ""), tags.get("Second", ""))
    levels = [next((level for level in LEVELS if name == f"{_COMPUTER} ({level})"), None) for name in names]
    if levels == [None, None]:
        return Player("First"), Player("Second")
    if None not in levels:
        raise click.UsageError("nobody but computers plays in this game")
    one, other = (Player(YOU) if level is None else Player(f"Computer ({level})", level) for level in levels)
    return one, other
