"""Writes RESULTS.md from what `banqi tablebase verify --json` says: run it with the files of one or more such reports.

banqi tablebase verify --dir tables --rules taiwan --solve --json > report.json
python -m banqi.tablebase.verify_results report.json > banqi/tablebase/RESULTS.md
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from banqi.rules import Rules

_HEAD = """# Endings with few pieces: the results

This file is made by `python -m banqi.tablebase.verify_results` from the reports of `banqi tablebase verify --json`.
Nothing in it is copied from elsewhere.

- A *class* stands for all materials that play alike: who takes whom is the same, cannons correspond to cannons, sides
  may be exchanged (FORMAT.md). It is named after one of them, red's pieces before the `v`, those face down behind `+`.
- *Positions* are counted once for the four images that mirroring the board makes of them. A class that is its own with
  the sides exchanged has only those with the first side to move.
- Results are those of the side to move, with best play by both sides and endless play a draw.
- The *longest win* is in plies, the winner hurrying and the loser delaying; beside it stands a position that takes so
  many. *Capture* is the most plies that a win or a loss takes to the next capture, or to the end, by play that only
  keeps it. *Limit* is the greatest such number in the class and in all that play leads to: under a quiet limit of so
  many plies or more every result of the class holds.
- With pieces face down, the result is the expected one; *exit* is the most plies to the next flip, attempt or capture.
"""

_HOW = """## How they were obtained and checked

The tables were built by `banqi tablebase build`: retrograde analysis, class by class. A program that shares no rules,
no numbering and no file reader with the builder then checked them, with no fault found:

- each value that was checked is the one that the values of all positions that its moves lead to give, and all checksums
  and counts are right. `verify.py` shows why that proves values if all of a table's are checked; of a table of which a
  sample was checked, a fault in one of every 100,000 positions would have escaped a sample of a million with a
  probability of 1 in 22,000;
"""


def written(reports: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The lines of RESULTS.md. Each report is an object as `banqi tablebase verify --json` prints it.

    Of a class that several reports have, the one counts that checked the most.
    """
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in sorted((row for report in reports for row in report["classes"]), key=lambda row: row["checked"]):
        found[row["rules"], row["material"]] = row
    classes = sorted(
        found.values(),
        key=lambda row: (row["rules"], row["hidden"] > 0, row["pieces"], row["hidden"], row["material"]),
    )
    yield _HEAD
    yield _HOW.rstrip("\n")
    solved: Counter[tuple[str, int, int]] = Counter()
    for report in reports:
        own: Counter[tuple[str, int, int]] = Counter()
        for row in report["solved"]:
            own[row["rules"], row["pieces"], row["hidden"]] += row["positions"]
        solved |= own
    positions = solved.total()
    if solved:
        names = [f"`{rules}` {pieces} pieces, {hidden} face down" for rules, pieces, hidden in sorted(solved)]
        yield f"- {positions:,} positions of 2 and 3 pieces were solved by plain forward play, without retrograde"
        yield "  analysis, classes or symmetry, and all agree: every placement of every material, identical pieces in"
        yield f"  every order, either side to move; {'; '.join(names)};"
    parts: dict[tuple[str, bool], list[dict[str, Any]]] = {}
    for row in classes:
        parts.setdefault((row["rules"], row["hidden"] > 0), []).append(row)
    for (rules, face_down), part in parts.items():
        checked, entries = (sum(row[name] for row in part) for name in ("checked", "entries"))
        what = "some face down" if face_down else "all face up"
        yield f"- `{rules}`, {what}: {checked:,} of {entries:,} positions of {len(part)} tables checked."
    for (rules, face_down), part in parts.items():
        for pieces in sorted({row["pieces"] for row in part}):
            group = [row for row in part if row["pieces"] == pieces]
            yield ""
            yield f"## `{rules}`, {pieces} pieces{', some face down' if face_down else ''}"
            yield ""
            yield from _face_down(group) if face_down else _face_up(group)


def _face_up(rows: list[dict[str, Any]]) -> Iterator[str]:
    longest = max((row["longest_win"][0] for row in rows if row["longest_win"]), default=0)
    total = sum(row["entries"] for row in rows)
    won, drawn, lost = (sum(row["values"][result] for row in rows) for result in ("1", "0", "-1"))
    yield f"{len(rows)} classes, {total:,} positions: {won:,} won, {drawn:,} drawn, {lost:,} lost."
    yield f"The longest win takes {longest} plies."
    limit = Rules.parse(rows[0]["rules"]).quiet_limit
    late = [row["material"] for row in rows if row["reachable_exit"] > limit]
    if late:
        yield f"Under a quiet limit of {limit} plies some results of {', '.join(late)} come too late; all others hold."
    else:
        yield f"Under a quiet limit of {limit} plies they all hold."
    yield ""
    yield "| class | positions | won | drawn | lost | longest win | capture | limit | a longest win |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|---|"
    for row in rows:
        values = row["values"]
        counts = " | ".join(f"{count:,}" for count in (row["entries"], values["1"], values["0"], values["-1"]))
        win, leaving = row["longest_win"] or ("-", ""), row["longest_exit"] or ("-", "")
        place = f"`{win[1]}`" if win[1] else ""
        yield f"| {row['material']} | {counts} | {win[0]} | {leaving[0]} | {row['reachable_exit']} | {place} |"


def _face_down(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield f"{len(rows)} classes, {sum(row['entries'] for row in rows):,} positions. `banqi tablebase stats` lists them."
    yield ""
    yield "| face down | classes | positions | expected results | exit | limit | a position that takes so long |"
    yield "|--:|--:|--:|---|--:|--:|---|"
    for hidden in sorted({row["hidden"] for row in rows}):
        part = [row for row in rows if row["hidden"] == hidden]
        results: Counter[Fraction] = Counter()
        for row in part:
            for key, count in row["values"].items():
                results[Fraction(int(key), row["denominator"])] += count
        told = ", ".join(f"{value}: {results[value]:,}" for value in sorted(results, reverse=True) if results[value])
        plies, place = max((row["longest_exit"] for row in part if row["longest_exit"]), default=("-", ""))
        limit = max(row["reachable_exit"] for row in part)
        counts = f"{len(part)} | {sum(row['entries'] for row in part):,}"
        yield f"| {hidden} | {counts} | {told} | {plies} | {limit} | {f'`{place}`' if place else ''} |"


if __name__ == "__main__":
    for line in written([json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]):
        sys.stdout.write(line + "\n")
