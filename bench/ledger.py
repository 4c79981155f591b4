"""Work in numbered parts on all processors, each part's result a line of a file from which a later run goes on."""

import json
from collections.abc import Callable
from concurrent.futures import as_completed
from pathlib import Path
from typing import Any

import click

from banqi.cli.terminal import tracked
from banqi.executors import process_pool

Row = dict[str, Any]


def done(path: Path, task: Row, count: int, work: Callable[[Row, int], Row], jobs: int) -> list[Row]:
    """Return what `work(task, number)` found for each number below count, asking only for what the file lacks.

    task: what the results depend on, the file's first line; work is a function of a module.

    Raises:
        click.ClickException: the file holds another task's results, or is none of these.
    """
    rows = _read(path, task)
    missing = [number for number in range(count) if number not in rows]
    with path.open("a", encoding="utf-8") as file, process_pool(jobs) as pool:
        if path.stat().st_size == 0:
            print(json.dumps(task), file=file, flush=True)
        futures = {pool.submit(work, task, number): number for number in missing}
        for future in tracked(as_completed(futures), len(missing), path.stem, hidden=False):
            rows[futures[future]] = future.result()
            print(json.dumps({"number": futures[future], **rows[futures[future]]}), file=file, flush=True)
    return [rows[number] for number in range(count)]


def _read(path: Path, task: Row) -> dict[int, Row]:
    if not path.exists() or path.stat().st_size == 0:
        return {}
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        # A line that was being written when the run was killed.
        path.write_text(whole, encoding="utf-8")
    try:
        first, *others = map(json.loads, whole.splitlines())
        rows = {row.pop("number"): row for row in others}
    except (ValueError, KeyError, AttributeError):
        raise click.ClickException(f"{path} is no file of results") from None
    if first != task:
        raise click.ClickException(f"{path} holds results of another task: {json.dumps(first)}")
    return rows
