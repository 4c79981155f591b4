"""The figures of the last `make bench`, as Markdown.

    python bench/report.py             show them
    python bench/report.py --update    write them into README.md

There they stand below the last heading.
"""

import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

DOCUMENT: Final = Path(__file__).parents[1] / "build" / "bench.json"
README: Final = Path(__file__).with_name("README.md")
HEADING: Final = "## Figures\n\n"


class Measure(NamedTuple):
    """What is measured, and where it should be. A benchmark names its measure in extra_info["measure"]."""

    name: str
    unit: str
    at_least: str = ""
    aim: str = ""


MEASURES: Final = (
    Measure("perft, every leaf made", "Mn/s", "115", "180"),
    Measure("perft, bulk", "Mn/s", "550", "900"),
    Measure("perft 4 from the start, bulk", "s", "under 5", "under 1"),
    Measure("random games to their end", "games/s", "75,000", "120,000"),
    Measure("search, revealed middle games", "Mn/s", "8", "15"),
    Measure("search, face-down men", "Mn/s", "8", "15"),
    Measure("search, other rule sets", "Mn/s"),
    Measure("Junqi: perft, every leaf made", "Mn/s", "30"),
    Measure("Junqi: perft, bulk", "Mn/s"),
    Measure("Junqi: random games to their end", "games/s", "40,000"),
    Measure("Junqi: search", "Mn/s", "5"),
    Measure("endgame tables, probe from Python", "probes/s"),
    Measure("endgame tables, look-up alone", "probes/s"),
    Measure("search of endings, no tables", "Mn/s"),
    Measure("search of endings, tables of 3 pieces", "Mn/s"),
    Measure("search of endings, tables of 4 pieces", "Mn/s"),
    Measure("import banqi, beyond numpy", "ms", "under 100", "under 50"),
    Measure("random games from Python, banqi", "games/s"),
    Measure("random games from Python, OpenSpiel", "games/s"),
)


class Figure(NamedTuple):
    """What one benchmark found, in the unit of its measure, and the depth that a search reached in one second."""

    measure: str
    case: str
    value: float
    depth: int | None


def figures(document: dict[str, Any]) -> list[Figure]:
    """Read what pytest-benchmark stored."""
    infos = [benchmark["extra_info"] for benchmark in document["benchmarks"]]
    return [Figure(info["measure"], info["case"], info["value"], info.get("depth")) for info in infos]


def report(document: dict[str, Any]) -> Iterator[str]:
    """Yield the lines: the machine, each measure beside its targets, each case."""
    found = figures(document)
    machine = document["machine_info"]
    yield f"{machine['lscpu']}; {machine['build']}; Python {machine['python_version']}."
    yield ""
    rows = [("measure", "reached", "at least", "aim", "unit")]
    for measure in MEASURES:
        values = [figure.value for figure in found if figure.measure == measure.name]
        if values:
            mean = math.exp(sum(map(math.log, values)) / len(values))
            rows.append((measure.name, shown(mean), measure.at_least, measure.aim, measure.unit))
    yield from table(rows)
    yield ""
    rows = [("measure", "case", "reached", "unit", "depth in 1 s")]
    for measure in MEASURES:
        cases = [figure for figure in found if figure.measure == measure.name]
        for figure in cases if len(cases) > 1 else []:
            depth = "" if figure.depth is None else str(figure.depth)
            rows.append((measure.name, figure.case, shown(figure.value), measure.unit, depth))
    if len(rows) > 1:
        yield from table(rows)


def shown(value: float) -> str:
    """Return a number with three significant digits, or all before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:#.3g}"


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a Markdown table; the first row is its head."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        if number == 0:
            yield "|" + "|".join("-" * (width + 2) for width in widths) + "|"


if __name__ == "__main__":
    text = "\n".join(report(json.loads(DOCUMENT.read_text()))) + "\n"
    if sys.argv[1:] == ["--update"]:
        README.write_text(README.read_text().partition(HEADING)[0] + HEADING + text)
    else:
        print(text, end="")
