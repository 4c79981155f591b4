"""Matches between players."""

import json
import os
import sys
import time
from typing import TYPE_CHECKING

import rich_click as click

from banqi.cli.options import CLUSTER_JOBS, number, rules_option, seconds_of, whole
from banqi.cli.terminal import print_text, progress_bar, tracked
from banqi.errors import whole_number
from banqi.rules import Rules

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from banqi.arena import Journal, Match, Sprt, Tally


@click.command()
@click.argument("one", metavar="PLAYER")
@click.argument("other", metavar="OPPONENT")
@rules_option
@click.option(
    "--games", type=whole, metavar="N", help="Play N games, an even number (400; with --sprt at most 100,000)."
)
@click.option("--seed", type=whole, default=0, show_default=True, metavar="S", help="The seed of deals and lots.")
@click.option(
    "--sprt",
    type=(number, number),
    metavar="ELO0 ELO1",
    help="Stop when it is settled whether PLAYER is ELO1 or only ELO0 stronger, in normalised Elo.",
)
@click.option("--alpha", type=seconds_of, default=0.05, show_default=True, metavar="P", help="How often ELO0 may pass.")
@click.option("--beta", type=seconds_of, default=0.05, show_default=True, metavar="P", help="How often ELO1 may fail.")
@click.option("--margin", type=seconds_of, default=0.02, show_default=True, metavar="S", help="Seconds to be late.")
@click.option(
    "--patience", type=seconds_of, default=60.0, show_default=True, metavar="S", help="Seconds after which one hangs."
)
@click.option("--record", metavar="FILE", help="Keep every game in FILE; go on from it if it is there.")
@click.option(
    "--jobs",
    type=whole,
    metavar="N",
    help="Games to play at once; what the processors allow if left out, 32 with --dask.",
)
@click.option("--dask", metavar="ADDRESS", help="Play on the cluster with this dask scheduler.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def arena(
    one: str,
    other: str,
    rules: str,
    games: int | None,
    seed: int,
    sprt: tuple[float, float] | None,
    alpha: float,
    beta: float,
    margin: float,
    patience: float,
    record: str | None,
    jobs: int | None,
    dask: str | None,
    as_json: bool,
) -> None:
    """Play a match between PLAYER and OPPONENT, and say how much stronger PLAYER is.

    Each hidden layout is played twice, with the seats swapped; the pairs of games are what the figures are computed
    from. After +- stands half of a 95 % interval.

    A player is "random", "greedy" (one ply deep, material only) or "engine(...)" with nodes=N, depth=D, time=S (for a
    move; 5ms is S too) or clock=S+INC (for a game) and any of threads=N, hash=MB (16), tablebase=on|off|DIR,
    evaluation=learned|handwritten|FILE, level=easy|medium|hard; other options go to banqi.Engine by their names there.
    "build(REVISION, ...)" is the engine of a git revision with the same options; it is built once, into the user's
    cache; "build(., ...)" is this one in a process of its own, where it may crash and go on. "program(COMMAND,
    clock=S)" is a program that speaks the tournament protocol; it may have time=S, too.

    FILE holds one game a line, as `banqi convert` and `banqi verify` read them. If it holds games of this match, the
    match goes on from there; a file of another match, or one that another process plays into, is refused.

    An illegal move, a move later than --margin allows, an engine that fails and one that hangs lose the game.

    The JSON object has "rules", "seed", "games", "wins", "draws", "losses", "pairs" (with 0, 1/2, 1, 3/2 and 2 points
    for PLAYER), "score", "score_error", "elo", "elo_error", "nelo" (normalised Elo), "nelo_error", "los" (likelihood
    of superiority), all null where nothing is known, "sprt" (null, or "nelo0", "nelo1", "alpha", "beta", "llr",
    "lower", "upper", "passed": null while it is open), "first_seat_score", "terminations" (how often games ended
    how), "plies" (in the mean), "longest", "players" (two objects with "player", "decisions", "nodes", "seconds" and
    "faults"), "failures" (what was seen of the first of them) and "seconds".
    """
    from contextlib import nullcontext, suppress

    from banqi.arena import ArenaError, Journal, Match, PlayerSpec, Sprt, Tally
    from banqi.arena.report import game_lines, match_object, players_table, result_lines
    from banqi.executors import dask_pool, process_pool

    match = Match((PlayerSpec.parse(one), PlayerSpec.parse(other)), Rules.of(rules), seed, margin, patience)
    test = None if sprt is None else Sprt(*sprt, alpha, beta)
    games = whole_number((400 if test is None else 100_000) if games is None else games, "games", 2, 20_000_000)
    if games % 2:
        raise ArenaError(f"games are played in pairs: an even number, not {games}")
    # A build may take minutes.
    for spec in tracked(iter(match.players), 2, "getting the players ready", hidden=False):
        spec.check(match.rules)
    free = (os.cpu_count() or 1 if dask is None else CLUSTER_JOBS) // match.threads
    jobs = max(1, free) if jobs is None else whole_number(jobs, "jobs", 1, 1024)
    tally = Tally()
    # Without scipy it ends before anything is played.
    tally.rating()
    started = time.monotonic()
    try:
        with (
            nullcontext() if record is None else Journal(record, match) as journal,
            suppress(_Decided),
            process_pool(jobs) if dask is None else dask_pool(dask) as executor,
        ):
            _play_match(match, executor, games // 2, jobs, test, tally, journal)
    finally:
        # What was played before something went wrong is told, too.
        seconds = time.monotonic() - started
        if tally.games and as_json:
            click.echo(json.dumps(match_object(match, tally, test, seconds)))
        elif tally.games:
            from rich.console import Console

            print_text(f"{match.players[0]} against {match.players[1]}, {match.rules}, seed {match.seed}")
            for line in (*result_lines(tally, test), *game_lines(tally)):
                click.echo(line)
            Console(width=None if sys.stdout.isatty() else 200).print(players_table(match, tally))
            for words in tally.words:
                print_text(words)


class _Decided(Exception):
    """A match that goes on no more: games under way are of no use."""


def _play_match(
    match: "Match",
    executor: "Executor",
    pairs: int,
    jobs: int,
    test: "Sprt | None",
    tally: "Tally",
    journal: "Journal | None",
) -> None:
    """Play until all pairs are played or the test is decided; count them in `tally`, and show a bar meanwhile."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from banqi.arena import run

    with progress_bar(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    ) as progress:
        task = progress.add_task("playing", total=pairs)
        for pair in run(match, executor, pairs, at_once=jobs, journal=journal):
            tally.add(pair)
            if not progress.disable:
                llr = "" if test is None else f", LLR {test.llr(tally.pairs):+.2f}"
                progress.update(task, advance=1, description=f"Elo {tally.rating().elo:+.0f}{llr}")
            if test is not None and test.decision(tally.pairs) is not None:
                raise _Decided
