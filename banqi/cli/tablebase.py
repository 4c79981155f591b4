"""Endgame tables: building, checking and asking them."""

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import rich_click as click
from click.exceptions import Exit

from banqi.cli.options import position_of, rules_option, whole
from banqi.cli.terminal import tracked
from banqi.errors import TablebaseError, whole_number
from banqi.rules import Rules

if TYPE_CHECKING:
    from banqi.tablebase.format import Header


@click.group()
def tablebase() -> None:
    """Endgame tables: build them, ask them, show what is in them."""


def _named_folder(context: click.Context, option: click.Parameter, folder: str | None) -> str | None:
    if folder == "":
        raise TablebaseError("--dir is empty: it is the name of a folder")
    return folder


_folder_option = click.option(
    "--dir",
    "folder",
    callback=_named_folder,
    metavar="DIR",
    help="The folder of the tables; those that come with the package if left out.",
)


@tablebase.command("build")
@rules_option
@click.option("--pieces", type=whole, required=True, metavar="N", help="All endings of 2 to N pieces.")
@click.option("--hidden", type=whole, default=0, show_default=True, metavar="K", help="Up to K of them face down.")
@click.option(
    "--dir", "folder", required=True, callback=_named_folder, metavar="DIR", help="The folder to put the tables in."
)
@click.option("--jobs", type=whole, metavar="N", help="Classes to build at once; as many as processors if left out.")
@click.option("--dask", metavar="ADDRESS", help="Build on the cluster with this dask scheduler; all see DIR.")
def build_tables(rules: str, pieces: int, hidden: int, folder: str, jobs: int | None, dask: str | None) -> None:
    """Build endgame tables, class by class; what is there already is left as it is.

    A file appears under its name when it is whole, so the command can be interrupted and begun again.
    """
    from pathlib import Path

    from banqi.executors import dask_pool, process_pool
    from banqi.memory import check_memory
    from banqi.tablebase.build import build_all, is_built, memory_of, plan

    jobs = jobs if jobs is None else whole_number(jobs, "jobs", 1, 1024)
    root = Path(folder)
    tasks = plan(Rules.of(rules), pieces, hidden)
    left = [task for task in tasks if not is_built(root, task)]
    # A scheduler deals out by itself all that it is given.
    at_once = jobs or (os.cpu_count() or 1 if dask is None else max(len(left), 1))
    here = dask is None
    positions = sum(task.entries for task in left)
    memory = max(map(memory_of, left), default=0)
    click.echo(
        f"{len(left)} of {len(tasks)} classes to build: {positions:,} positions, "
        f"{at_once if here else jobs or 'any number'} at once in up to "
        f"{memory * (at_once if here else 1) / 2**20:,.0f} MB of memory{'' if here else ' each'}, "
        f"up to {2 * positions / 2**20:,.0f} MB on disk and usually a third of that"
    )
    if here:
        check_memory(at_once * memory, f"building with --jobs {at_once}")
    with process_pool(at_once) if dask is None else dask_pool(dask) as executor:
        built = build_all(left, root, executor, at_once=at_once)
        for task, header in tracked(built, len(left), "building", hidden=sys.stdout.isatty() and not left):
            if not sys.stderr.isatty():
                click.echo(f"{task.rules}/{task.entry.name}: {header.size:,} bytes")


@tablebase.command("probe")
@rules_option
@click.option("--fen", required=True, metavar="FEN", help="The position.")
@_folder_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def probe_tables(rules: str, fen: str, folder: str | None, as_json: bool) -> None:
    """Say what the tables know of a position: its value for the side to move, how far the end is, the best moves.

    The quiet counter and the quiet limit play no part. The exit status is 1 if no table has the position.

    The JSON object has "rules", "fen", "known" and, else null, "value" (a text, "1/2" say), "dtm" (plies to the end),
    "dtc" (plies to the next capture, attempt or flip) and "moves" (a list of texts).
    """
    from banqi.tablebase import Tablebase

    position = position_of(fen, rules)
    with Tablebase(folder) as tables:
        result = tables.probe(position)
    if as_json:
        answer = {
            "rules": str(position.rules),
            "fen": position.fen(),
            "known": result is not None,
            "value": str(result.value) if result else None,
            "dtm": result.dtm if result else None,
            "dtc": result.dtc if result else None,
            "moves": [str(move) for move in result.moves] if result else None,
        }
        click.echo(json.dumps(answer))
    elif result is not None:
        words = {1: "win", 0: "draw", -1: "loss"}
        value = words[int(result.value)] if result.value.denominator == 1 else f"expected result {result.value}"
        click.echo(value if result.dtm is None else f"{value} in {result.dtm}")
        if result.dtc is not None:
            click.echo(f"next capture, attempt or flip in {result.dtc}")
        if result.moves:
            click.echo(f"best {' '.join(map(str, result.moves))}")
    else:
        click.echo("no table has this position")
    if result is None:
        raise Exit(1)


@tablebase.command("stats")
@rules_option
@_folder_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def table_stats(rules: str, folder: str | None, as_json: bool) -> None:
    """Show each class of the tables: its positions, their results for the side to move, and the longest win.

    Positions that the board's symmetries make equal count once, nearly (FORMAT.md). "dtc" is the most plies to
    the next capture of a win or a loss, "limit" the least quiet limit under which all results hold.

    The JSON object has "rules" and "classes", a list of objects with "rules", "class", "pieces", "hidden", "positions",
    "values" (how many positions have each result, by the result as a text), "longest_win", "longest_exit" (null or
    objects with "plies" and "fen"), "quiet_limit" and "bytes".
    """
    from banqi.tablebase import Tablebase

    with Tablebase(folder) as tables:
        classes = [_class_object(header) for _, header in tables.headers(rules)]
    if as_json:
        click.echo(json.dumps({"rules": str(Rules.of(rules)), "classes": classes}))
        return
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    table = Table("class", "positions", "results", "longest win", "dtc", "limit", "position", box=SIMPLE)
    for row in classes:
        results = ", ".join(f"{value}: {count:,}" for value, count in row["values"].items())
        longest, leaving = row["longest_win"], row["longest_exit"]
        table.add_row(
            row["class"],
            f"{row['positions']:,}",
            results,
            str(longest["plies"]) if longest else "-",
            str(leaving["plies"]) if leaving else "-",
            str(row["quiet_limit"]),
            (longest or leaving or {"fen": "-"})["fen"],
        )
    Console(width=None if sys.stdout.isatty() else 200).print(table)


@tablebase.command("verify")
@click.option("--rules", metavar="RULES", help="Only the tables of this rule set.")
@_folder_option
@click.option(
    "--positions",
    type=whole,
    default=1_000_000,
    show_default=True,
    metavar="N",
    help="Check N positions of each table, all if it has no more.",
)
@click.option("--seed", type=whole, default=0, show_default=True, metavar="S", help="The seed of the random sample.")
@click.option("--solve", is_flag=True, help="Solve all endings of 2 and 3 pieces by forward play, too, and compare.")
@click.option("--jobs", type=whole, metavar="N", help="Tables to check at once; as many as processors if left out.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def verify_tables(
    rules: str | None, folder: str | None, positions: int, seed: int, solve: bool, jobs: int | None, as_json: bool
) -> None:
    """Check endgame tables by a program that shares nothing with the one that built them.

    All checksums and counts are checked, and that each value is the one that all moves of its position give. The first
    fault ends it with status 2 and one line: the file, the position, what is wrong.

    The JSON object has "positions" and "seed", "classes", "coverage" and "solved". A class has "rules", "material",
    "pieces", "hidden", "entries", "checked" (how many positions), "denominator", "values" (how many entries have each
    result, in units of 1 / denominator), "longest_win" and "longest_exit" (null, or plies and a position) and
    "reachable_exit". Coverage has "rules", "pieces", "hidden", "materials" (how many there are) and "lacking" (how many
    of them have no table). What is solved has "rules", "pieces", "hidden", "materials" and "positions".
    """
    from dataclasses import asdict, astuple
    from pathlib import Path

    from banqi.engine import SHIPPED_TABLES
    from banqi.executors import process_pool
    from banqi.tablebase.verify import Coverage, Report, Solved, run, solver_tasks, table_tasks

    jobs = whole_number(os.cpu_count() or 1 if jobs is None else jobs, "jobs", 1, 1024)
    root = SHIPPED_TABLES if folder is None else Path(folder)
    meaning = None if rules is None else Rules.of(rules)
    tasks = table_tasks(root, meaning, positions, seed) + (solver_tasks(root, meaning) if solve else [])
    with process_pool(jobs) as executor:
        found = list(tracked(run(tasks, executor, jobs), len(tasks), "checking", hidden=False))
    reports = [item for item in found if isinstance(item, Report)]
    reports.sort(key=lambda report: (report.rules, report.pieces, report.hidden, report.material))
    coverage = sorted((item for item in found if isinstance(item, Coverage)), key=astuple)
    solved = sorted((item for item in found if isinstance(item, Solved)), key=astuple)
    if as_json:
        lists = {"classes": reports, "coverage": coverage, "solved": solved}
        click.echo(json.dumps({"positions": positions, "seed": seed, **lists}, default=asdict))
        return
    for report in reports:
        name = f"{report.rules}/{report.material}"
        click.echo(f"{name}: right, {report.checked:,} of {report.entries:,} positions checked")
    click.echo(f"{len(reports)} tables are right, {sum(report.checked for report in reports):,} positions checked")
    for item in coverage:
        if item.lacking:
            what = f"{item.rules}, {item.pieces} pieces, {item.hidden} face down"
            click.echo(f"{what}: {item.lacking:,} of {item.materials:,} materials have no table")
    if solve:
        click.echo(f"{sum(item.positions for item in solved):,} positions of 2 and 3 pieces solved, all agree")


def _class_object(header: "Header") -> dict[str, Any]:
    from fractions import Fraction

    unit = header.denominator or 1
    return {
        "rules": header.rules,
        "class": header.material,
        "pieces": sum(header.sizes),
        "hidden": header.hidden,
        "positions": header.entries,
        "values": {str(Fraction(int(value), unit)): count for value, count in header.values.items()},
        **{
            name: None if extreme is None else {"plies": extreme.plies, "fen": header.fen(extreme.index)}
            for name, extreme in (("longest_win", header.longest_win), ("longest_exit", header.longest_exit))
        },
        "quiet_limit": header.reachable_exit,
        "bytes": header.size,
    }
