"""Instructions per node of the compiled core, counted by callgrind, against the stored figures.

    python bench/instructions.py             show them
    python bench/instructions.py --check     fail if one is more than 2 % above the stored figure (--tolerance PERCENT)
    python bench/instructions.py --update    store them

They are stored for each compiler and instruction set, for they differ, but repeat exactly on one build.
"""

import argparse
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from compiler import build
from positions import HIDDEN, IN_VAIN, IN_VAIN_RULES, JUNQI_START, JUNQI_TREES, OTHER_TREES, REVEALED, START, TREES

from banqi.bench import POSITIONS
from banqi.core._table import Table
from banqi.core._tablebase import Tables
from banqi.evaluation import HANDWRITTEN, LEARNED, Evaluation
from banqi.position import Position
from banqi.tablebase import Tablebase

STORE: Final = Path(__file__).with_suffix(".json")


class Entry(NamedTuple):
    """A method of a compiled module."""

    core: str
    owner: str
    method: str


# The methods that are counted, whole. Those that Python calls are never inlined, and what they do around the core's own
# work is done once for tens of thousands of nodes.
ENTRIES: Final = (
    Entry("_banqi32", "State", "perft"),
    Entry("_banqi32", "State", "playouts"),
    Entry("_banqi32", "Searcher", "think"),
    Entry("_banqi64", "State", "perft"),
    Entry("_banqi64", "Searcher", "think"),
    Entry("_junqi", "State", "perft"),
    Entry("_junqi", "State", "playouts"),
    Entry("_junqi", "Searcher", "think"),
)

MOST_LEAVES: Final = 600_000
GAMES: Final = 1000
NODES: Final = 100_000
HASH_BYTES: Final = 16 << 20


class Work(NamedTuple):
    """One call into the core, by `method` of the compiled board `core`. `run` returns the nodes."""

    core: str
    method: str
    measure: str
    run: Callable[[], int]


def works() -> Iterator[Work]:
    """Yield the calls that are counted: fewer than 2 million nodes of each kind."""
    for tree in TREES:
        state, depth = Position.from_fen(tree.fen).state, tree.deepest(MOST_LEAVES)
        yield Work("_banqi32", "perft", "perft, every leaf made", partial(state.perft, depth, True))
        yield Work("_banqi32", "perft", "perft, bulk", partial(state.perft, depth, False))
    yield Work("_banqi32", "playouts", "random games", partial(random_plies, Position.from_fen(START)))
    for rules, fen, depth in OTHER_TREES:
        state = Position.from_fen(fen, rules=rules).state
        core = "_banqi64" if rules == "double" else "_banqi32"
        yield Work(core, "perft", f"perft, bulk, {rules}", partial(state.perft, depth, False))
    for tree in JUNQI_TREES:
        state, depth = Position.from_fen(tree.fen, rules="junqi").state, max(tree.leaves)
        yield Work("_junqi", "perft", "perft, every leaf made, junqi", partial(state.perft, depth, True))
        yield Work("_junqi", "perft", "perft, bulk, junqi", partial(state.perft, depth, False))
    start = Position.from_fen(JUNQI_START, rules="junqi")
    yield Work("_junqi", "playouts", "random games, junqi", partial(random_plies, start))
    searches = [("taiwan, revealed", "taiwan", fen) for fen in REVEALED.values()]
    searches += [("taiwan, face-down men", "taiwan", fen) for fen in HIDDEN.values()]
    for _, rules, fen, _ in POSITIONS:
        if rules != "taiwan":
            searches.append((rules, rules, fen))
        if rules in ("hongkong", "mainland", "cannon-adjacent"):
            searches.append((rules, rules, REVEALED["middle game"]))
    table = Table(HASH_BYTES)
    for name, rules, fen in searches:
        position = Position.from_fen(fen, rules=rules)
        core = position.rules.core.__name__.rpartition(".")[2]
        yield Work(core, "think", f"search, {name}", partial(searched_nodes, table, position))
    for fen in HIDDEN.values():
        by_hand = partial(searched_nodes, table, Position.from_fen(fen), evaluation=HANDWRITTEN)
        yield Work("_banqi32", "think", "search, evaluated as written by hand", by_hand)
    position = Position.from_fen(IN_VAIN, rules=IN_VAIN_RULES)
    yield Work("_banqi32", "think", "search, an ending", partial(searched_nodes, table, position))
    tables = Tablebase().tables(position.rules)
    asking = partial(searched_nodes, table, position, tables)
    yield Work("_banqi32", "think", "search, an ending, tables asked", asking)


def random_plies(position: Position) -> int:
    """Play random games; return their plies."""
    results, plies = np.zeros(GAMES, dtype=np.int8), np.zeros(GAMES, dtype=np.int32)
    position.state.playouts(GAMES, 1, results, plies)
    return int(plies.sum())


def searched_nodes(table: Table, position: Position, tables: Tables | None = None, evaluation: str = LEARNED) -> int:
    """Search with an empty table; return the nodes."""
    table.clear()
    searcher = position.rules.core.Searcher(table, 1)
    bounds = {"depth": 100, "nodes": NODES, "seconds": math.inf}
    weights = Evaluation(evaluation).weights(position.rules)
    return searcher.think(position.state, **bounds, lines=1, report=None, tables=tables, weights=weights)[0]


def counted() -> dict[str, float]:
    """Return the instructions per node of each measure."""
    sums: dict[str, list[int]] = {}
    for entry in ENTRIES:
        for measure, instructions, nodes in calls(entry):
            total = sums.setdefault(measure, [0, 0])
            total[0] += instructions
            total[1] += nodes
    return {measure: round(instructions / nodes, 2) for measure, (instructions, nodes) in sums.items()}


def calls(entry: Entry) -> list[tuple[str, int, int]]:
    """Run the works of one entry under callgrind; return the measure, the instructions and the nodes of each.

    One entry at a time: of several functions whose names begin alike, callgrind heeds some only.
    """
    pattern = rf"__pyx_pw_\w+{entry.owner}_\d+{entry.method}\b".encode()
    module = import_module(f"banqi.core.{entry.core}")
    (symbol,) = {name.decode() for name in re.findall(pattern, Path(module.__file__).read_bytes())}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
        command += [f"--toggle-collect={symbol}", f"--dump-after={symbol}", sys.executable, __file__]
        command += ["--run", f"{entry.core} {entry.method}"]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        ended = subprocess.run(command, env=environment, capture_output=True, text=True)
        if ended.returncode != 0:
            raise SystemExit(f"{shlex.join(command)}\n{ended.stderr}")
        # The end of each call writes one file more.
        dumps = sorted(out.parent.glob("out.*"), key=lambda path: int(path.suffix[1:]))
        totals = [int(re.findall(r"^totals: (\d+)$", path.read_text(), re.MULTILINE)[0]) for path in dumps]
    works_done = map(json.loads, ended.stdout.splitlines())
    return [(measure, total, nodes) for (measure, nodes), total in zip(works_done, totals, strict=True)]


def rises(found: dict[str, float], stored: dict[str, float], tolerance: float) -> list[str]:
    """Return a line for each measure that is more than `tolerance` percent above its stored figure, or has none."""
    lines = []
    for measure, count in found.items():
        if measure not in stored:
            lines.append(f"{measure}: {count} instructions per node, and none stored")
        elif count > stored[measure] * (1 + tolerance / 100):
            rise = count / stored[measure] - 1
            lines.append(f"{measure}: {count} instructions per node, {rise:.1%} above the stored {stored[measure]}")
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--check", action="store_true")
    modes.add_argument("--update", action="store_true")
    modes.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--tolerance", type=float, default=2.0, metavar="PERCENT")
    options = parser.parse_args(arguments)
    if options.run:
        for work in works():
            if f"{work.core} {work.method}" == options.run:
                print(json.dumps([work.measure, work.run()]))
        return 0
    if shutil.which("valgrind") is None:
        if os.environ.get("BANQI_REQUIRE_ALL") == "1":
            print("BANQI_REQUIRE_ALL is set, but valgrind is not installed", file=sys.stderr)
            return 1
        print("left out: valgrind is not installed")
        return 0
    name, found = build(), counted()
    figures = json.loads(STORE.read_text()) if STORE.exists() else {}
    stored = figures.get(name, {})
    for measure, count in found.items():
        print(f"{measure:32}{count:10.2f}   " + (f"stored {stored[measure]:10.2f}" if measure in stored else ""))
    if options.update:
        STORE.write_text(json.dumps({**figures, name: found}, indent=2, sort_keys=True) + "\n")
    elif options.check and not stored:
        print(f"nothing is stored for {name}: no check")
    elif options.check and (faults := rises(found, stored, options.tolerance)):
        print(*faults, "If it is worth it: python bench/instructions.py --update", sep="\n", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
