"""Games that the evaluation learns from."""

import os

import rich_click as click

from banqi.cli.options import CLUSTER_JOBS, evaluation_option, rules_option, seconds_of, whole
from banqi.cli.terminal import progress_bar
from banqi.errors import whole_number
from banqi.rules import Rules


@click.command()
@rules_option
@click.option("--games", type=whole, required=True, metavar="N", help="Play the games 0 to N - 1.")
@click.option("--nodes", type=whole, required=True, metavar="N", help="Search N nodes for each move.")
@click.option("--seed", type=whole, default=0, show_default=True, metavar="S", help="The seed of deals and lots.")
@click.option("--dir", "path", required=True, metavar="DIR", help="The folder to put the games in.")
@click.option("--lots", type=seconds_of, default=0.04, show_default=True, metavar="P", help="Share of moves by lot.")
@evaluation_option
@click.option("--jobs", type=whole, metavar="N", help="Batches to play at once; as many as processors if left out.")
@click.option("--dask", metavar="ADDRESS", help="Play on the cluster with this dask scheduler.")
def selfplay(
    rules: str,
    games: int,
    nodes: int,
    seed: int,
    path: str,
    lots: float,
    evaluation: str,
    jobs: int | None,
    dask: str | None,
) -> None:
    """Let the engine play against itself, and keep the positions that the evaluation learns from.

    Each game depends on the seed and its number alone. DIR gets a file for every hundred games, as soon as they are
    played; the command can be interrupted, and goes on from what is there when it is begun again, also with more games.
    A folder with games of other settings is refused.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from banqi.arena.selfplay import MOST_GAMES, Folder, SelfPlay, run
    from banqi.executors import dask_pool, process_pool

    games = whole_number(games, "games", 1, MOST_GAMES)
    free = os.cpu_count() or 1 if dask is None else CLUSTER_JOBS
    jobs = free if jobs is None else whole_number(jobs, "jobs", 1, 1024)
    settings = SelfPlay(Rules.of(rules), nodes, seed, lots, evaluation)
    folder = Folder(path, settings)
    played = positions = 0
    with (
        process_pool(jobs) if dask is None else dask_pool(dask) as executor,
        progress_bar(
            TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
        ) as progress,
    ):
        task = progress.add_task("playing", total=sum(map(len, folder.missing(games))))
        for batch in run(settings, executor, folder, games, at_once=jobs):
            played += len(batch.numbers)
            positions += len(batch.shard.side)
            progress.update(task, completed=played)
    click.echo(f"{played:,} games played, {positions:,} positions; {path} has all of {games:,} games")
