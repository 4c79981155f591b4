"""Records of games: shown, converted, verified."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import rich_click as click
from click.exceptions import Exit

from banqi.cli.options import whole
from banqi.cli.terminal import ERROR, complain, print_text
from banqi.errors import RecordError, whole_number

if TYPE_CHECKING:
    from banqi.record import Record, Verification


_STANDARD: Final = "-"


def _read_games(name: str) -> "list[Record | RecordError]":
    """The games of a file, or of stdin for -; the broken ones as errors."""
    from banqi.record.files import read_bytes, read_file

    if name == _STANDARD and sys.stdin is None:
        raise RecordError("stdin is closed")
    games = list(read_bytes(sys.stdin.buffer.read()) if name == _STANDARD else read_file(name))
    if not games:
        raise RecordError(f"{_shown_name(name)} holds no game")
    return games


def _shown_name(name: str) -> str:
    return "stdin" if name == _STANDARD else name


def _complain_of(name: str, error: RecordError) -> None:
    """Tell of a broken game as compilers do: file:line:column."""
    place = ":".join(str(part) for part in (_shown_name(name), error.line, error.column) if part is not None)
    key = f"{error.key}: " if error.key and error.column is None else ""
    complain(f"{place}: game {error.game}: {key}{error.fault}" if error.game else f"{place}: {key}{error.fault}", ERROR)


@click.command()
@click.argument("record")
@click.option("--ply", type=whole, metavar="N", help="Show the position after N plies; the last one if left out.")
@click.option("--game", "number", type=whole, metavar="K", help="Show the game K of several.")
def show(record: str, ply: int | None, number: int | None) -> None:
    """Show a game of the file RECORD (text or JSON, - for stdin): what is told about it, and a position.

    A ply is one player's whole turn, all captures of a chain included.
    """
    games = _read_games(record)
    if number is None and len(games) > 1:
        raise RecordError(f"{_shown_name(record)} holds {len(games)} games: choose one with --game")
    game = games[whole_number(1 if number is None else number, "game", 1, len(games)) - 1]
    if isinstance(game, RecordError):
        _complain_of(record, game)
        raise Exit(ERROR)
    print_text(_shown_game(game, ply))


def _shown_game(game: "Record", ply: int | None) -> str:
    from banqi.record.text import move_text, written_tags

    position = game.position(ply)
    plies = game.plies()
    ply = len(plies) if ply is None else ply
    lines = [f"{name}: {value}" for name, value in written_tags(game).items()]
    lines += ["", f"after ply {ply} of {len(plies)}"]
    if ply:
        # Numbered as in the text: both seats' plies make one move.
        number = f"{(ply - 1) // 2 + 1}{'.' if ply % 2 else '...'}"
        lines.append(f"last: {number} {' '.join(map(move_text, plies[ply - 1]))}")
    elif game.comment:
        lines.append(game.comment)
    return "\n".join([*lines, "", str(position), "", position.fen()])


@click.command()
@click.argument("source")
@click.argument("target", default=_STANDARD)
@click.option(
    "--to", "form", type=click.Choice(["text", "json", "jsonl"]), help="The form; else TARGET's suffix says it."
)
@click.option("--skip-broken", is_flag=True, help="Write the games that hold, even if others do not.")
def convert(source: str, target: str, form: str | None, skip_broken: bool) -> None:
    """Write the games of SOURCE to TARGET as text, as a JSON array or as one JSON object a line (jsonl).

    Either may be -, for stdin and stdout. Without --to the suffix of TARGET tells the form: .txt and .pgn are text,
    .json and .jsonl what they say. SOURCE may have any form. If a game is broken, each fault is told on stderr, the
    exit status is 2, and TARGET is left as it is, unless --skip-broken is given and some game holds. TARGET appears
    when it is whole.

    An object has "rules", "fen" (null for the start), "first_colour" ("red", "black", null), "result", "termination"
    (a word or null), "comment", "tags" (an object) and "moves", a list of objects with "move" and, if they are told,
    "comment" and "score".
    """
    from banqi.record.files import Format, format_records, write_file
    from banqi.record.record import Record

    chosen = Format.of_name(target) if form is None else Format(form)
    if chosen is None:
        raise click.UsageError("--to must say which form is written, since the name of the target does not")
    games = _read_games(source)
    broken = [game for game in games if isinstance(game, RecordError)]
    for error in broken:
        _complain_of(source, error)
    records = [game for game in games if isinstance(game, Record)]
    if records and (skip_broken or not broken):
        if target == _STANDARD:
            click.echo(format_records(records, chosen), nl=False)
        else:
            write_file(target, records, chosen)
    if broken:
        raise Exit(ERROR)


@click.command()
@click.argument("record")
@click.option(
    "--nonce", "nonces", multiple=True, metavar="TEXT", help="A nonce that a player gave: all, in their order."
)
def verify(record: str, nonces: tuple[str, ...]) -> None:
    """Replay every game of the file RECORD (text or JSON, - for stdin), and check what it shows of the deal.

    If a game has its commitment and its opening, the opening must belong to the commitment, and every reveal of the
    game must be what lay there. The exit status is 0 if everything is true that could be checked, else 2.

    The commitment does not bind the nonces. They are printed: every player compares his own, and the commitment with
    the one that he was shown. Given with --nonce, once for each and in their order, they must be exactly those of
    every game of RECORD; a game that does not show its own is then an error.
    """
    from banqi.record import verify as verify_record

    untrue = False
    for number, game in enumerate(_read_games(record), 1):
        try:
            if isinstance(game, RecordError):
                raise game
            verification = verify_record(game, nonces or None)
            ending = game.result if game.termination is None else f"{game.result} ({game.termination})"
            print_text(f"game {number}: {len(game.plies())} plies, {ending}: {verification}")
            if verification.reveals is not None:
                print_text("\n".join(f"  {line}" for line in _deal_lines(game, verification)))
        except RecordError as error:
            untrue = True
            _complain_of(record, error.at(game=error.game or number))
    if untrue:
        raise Exit(ERROR)


def _deal_lines(game: "Record", verification: "Verification") -> Iterator[str]:
    """What a player compares with what he remembers."""
    yield f"commitment: {game.tags['Commitment']}"
    for number, nonce in enumerate(verification.nonces, 1):
        yield f"nonce {number}: {nonce}"
    if not verification.nonces:
        yield "no nonces: the dealer may have chosen the layout"
    elif not verification.nonces_compared:
        yield "the commitment does not bind the nonces: each player compares his own, to the letter with --nonce"
