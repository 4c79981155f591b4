"""What is asked about one position: its best move, the count of its leaves."""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import rich_click as click

from banqi.cli.options import evaluation_option, fen_option, position_of, rules_option, seconds_of, tables_option, whole
from banqi.cli.terminal import progress_bar, tracked
from banqi.position import Counting, Position
from banqi.rules import Rules

if TYPE_CHECKING:
    from banqi.engine import Info, Limit, Score
    from banqi.outcome import Outcome


@click.command()
@rules_option
@fen_option
@click.option("--time", "seconds", type=seconds_of, metavar="S", help="Think for S seconds (1 if no limit is given).")
@click.option("--nodes", type=whole, metavar="N", help="Think for N nodes.")
@click.option("--depth", type=whole, metavar="D", help="Think D actions deep.")
@click.option("--multipv", type=whole, default=1, show_default=True, metavar="K", help="Show the K best moves.")
@click.option("--threads", type=whole, default=1, show_default=True, metavar="N", help="Search with N threads.")
@click.option("--hash", "hash_mb", type=whole, default=64, show_default=True, metavar="MB", help="Size of the table.")
@tables_option
@evaluation_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def bestmove(
    rules: str,
    fen: str | None,
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
    multipv: int,
    threads: int,
    hash_mb: int,
    tables: str | None,
    evaluation: str,
    as_json: bool,
) -> None:
    """Find the best move of a position and its expected result, from 1 (sure win) to -1, for the side to move.

    Where a line turns a piece up, it goes on with the likeliest result; its chance stands beside it.

    The JSON object has "rules", "fen", "outcome" (null, or the end of a finished game: "winner" is "r", "b" or null,
    "termination" a word), "move" and "wire" (the move as people and as programs write it, null after the end) and
    "lines", best first. A line has "move", "wire", "value", "proven", "plies" (to a proven result, else null), "depth",
    "seldepth", "nodes", "nps", "time" in seconds, "hashfull" in thousandths, "pv" (a list of texts) and "reveals" (for
    a flip or an attempt a list of "identity", "weight", "chance", "value", "proven", "plies", else empty).
    """
    from banqi.engine import SHIPPED_TABLES, Engine, Limit

    if sum(limit is not None for limit in (seconds, nodes, depth)) > 1:
        raise click.UsageError("only one of --time, --nodes and --depth can be given")
    position = position_of(fen, rules)
    limit = Limit(time=1.0 if nodes is depth is seconds is None else seconds, nodes=nodes, depth=depth)
    with Engine(
        threads=threads, hash_mb=hash_mb, tablebase=SHIPPED_TABLES if tables is None else tables, evaluation=evaluation
    ) as engine:
        infos = []
        outcome = position.outcome()
        if outcome is None:
            with _thinking(limit):
                infos = engine.analyse(position, limit, multipv=multipv)
    if as_json:
        click.echo(json.dumps(_best_move_object(position, outcome, infos)))
    elif outcome is not None:
        click.echo(f"the game is over: {outcome}")
    else:
        for info in infos:
            _print_line(info, position.rules)


def _best_move_object(position: Position, outcome: "Outcome | None", infos: "Sequence[Info]") -> dict[str, Any]:
    return {
        "rules": str(position.rules),
        "fen": position.fen(),
        "outcome": None if outcome is None else {"winner": outcome.winner, "termination": outcome.termination},
        "move": str(infos[0].move) if infos else None,
        "wire": infos[0].move.wire() if infos else None,
        "lines": [
            {
                "move": str(info.move),
                "wire": info.move.wire(),
                **_score_object(info.score),
                "depth": info.depth,
                "seldepth": info.seldepth,
                "nodes": info.nodes,
                "nps": info.nps,
                "time": info.time,
                "hashfull": info.hashfull,
                "pv": [str(item) for item in info.pv],
                "reveals": [
                    {"identity": identity, "weight": weight, "chance": chance, **_score_object(score)}
                    for identity, weight, chance, score in info.reveals
                ],
            }
            for info in infos
        ],
    }


def _score_object(score: "Score") -> dict[str, Any]:
    return {"value": score.value, "proven": score.proven, "plies": score.plies}


def _print_line(info: "Info", rules: Rules) -> None:
    """Show a move to people, and for a flip what each reveal means."""
    click.echo(f"{info.rank}. {info.move}  expected result {info.score}")
    click.echo(
        f"   depth {info.depth} (to {info.seldepth}), {info.nodes:,} nodes in {info.time:.2f} s, "
        f"{info.nps:,} nodes a second, table {info.hashfull / 10:.1f} % full"
    )
    click.echo(f"   line  {' '.join(map(str, info.pv))}")
    if info.reveals:
        from rich.box import SIMPLE
        from rich.console import Console
        from rich.table import Table

        from banqi.piece import Piece

        table = Table(box=SIMPLE)
        table.add_column("turned up")
        table.add_column("chance", justify="right")
        table.add_column("expected result", justify="right")
        for identity, _, chance, score in info.reveals:
            table.add_row(f"{identity} {Piece(identity, rules.game).name}", f"{chance:.1%}", str(score))
        Console().print(table)


@contextmanager
def _thinking(limit: "Limit") -> Iterator[None]:
    """Show a bar on a terminal while the engine thinks: of the time, or, for other limits, one that only moves."""
    from rich.progress import BarColumn, Task, TextColumn, TimeElapsedColumn
    from rich.progress_bar import ProgressBar

    class Thinking(BarColumn):
        """The part of the time that is over."""

        def render(self, task: Task) -> ProgressBar:
            """Draw the bar from the clock, since nobody reports progress."""
            task.completed = task.elapsed or 0.0
            return super().render(task)

    with progress_bar(TextColumn("thinking"), Thinking(), TimeElapsedColumn()) as progress:
        progress.add_task("thinking", total=limit.time)
        yield


@click.command()
@rules_option
@fen_option
@click.option("--divide", is_flag=True, help="Print the count after each move, flips with their reveals.")
@click.option("--full", is_flag=True, help="Make every leaf instead of adding up the last level.")
@click.argument("depth", type=whole)
def perft(rules: str, fen: str | None, depth: int, divide: bool, full: bool) -> None:
    """Count the leaves after DEPTH actions; a flip counts once for every different piece it can turn up."""
    position = position_of(fen, rules)
    counting = Counting.FULL if full else Counting.BULK
    started = time.perf_counter()
    if divide or (depth > 0 and sys.stderr.isatty()):
        moves = sum(len(position.outcomes(move)) for move in position.legal_moves)
        nodes = 0
        counts = position.iter_divide(depth, counting=counting)
        for move, count in tracked(counts, moves, "counting", hidden=divide and sys.stdout.isatty()):
            nodes += count
            if divide:
                click.echo(f"{move} {count}")
    else:
        nodes = position.perft(depth, counting=counting)
    click.echo(f"{time.perf_counter() - started:.3f} s")
    click.echo(f"nodes {nodes}")
