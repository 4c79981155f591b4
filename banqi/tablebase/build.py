"""Building tables: which classes, in which order, one class, all of them on an executor."""

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from pathlib import Path
from typing import Final

import numpy as np

from banqi.core import _tablebase, _tablebase_build
from banqi.errors import TablebaseError, shown, whole_number
from banqi.executors import result_of
from banqi.piece_set import KINDS
from banqi.rules import Rules
from banqi.tablebase.classes import Classes, Material, MaterialClass, table_rules
from banqi.tablebase.format import SUFFIX, VERSION, Extreme, Header, Plane, add, entries_of, read_header, write

MOST_PIECES: Final = 6
MOST_HIDDEN: Final = 2


@dataclass(frozen=True, slots=True)
class Task:
    """One class to build: `rules` is what of the rule set matters, `after` the names of tasks to be done before."""

    rules: Rules
    entry: MaterialClass
    after: tuple[tuple[str, str], ...]

    @property
    def key(self) -> tuple[str, str]:
        """The folder and the name of the class."""
        return str(self.rules), self.entry.name

    @property
    def entries(self) -> int:
        """How many positions the table holds."""
        return entries_of(sizes_of(self.entry), symmetric=self.entry.symmetric)


def sizes_of(entry: MaterialClass) -> tuple[int, ...]:
    """How many pieces each group has, the face-down ones last."""
    return entry.groups + (entry.hidden,) * (entry.hidden > 0)


def path_of(root: Path, rules: Rules, name: str) -> Path:
    """Where a class's file lies."""
    return root / str(rules) / f"{name}{SUFFIX}"


def plan(rules: Rules, pieces: int, hidden: int = 0) -> list[Task]:
    """Return what has to be built for all endings of 2 to `pieces` pieces, up to `hidden` of them face down, in order.

    Raises:
        TablebaseError: there are no tables for such rules.
        LimitError: a number is out of its range.
    """
    pieces = whole_number(pieces, "pieces", 2, MOST_PIECES)
    hidden = whole_number(hidden, "hidden", 0, MOST_HIDDEN)
    classes = classes_of(table_rules(rules, hidden))
    tasks = []
    for size in range(2, pieces + 1):
        for down in range(min(hidden, size) + 1):
            for entry in classes.of_size(size, down):
                after = [(str(table_rules(rules, other.hidden)), other.name) for other in classes.successors(entry)]
                tasks.append(Task(table_rules(rules, down), entry, tuple(after)))
    return tasks


@lru_cache(maxsize=8)
def classes_of(rules: Rules) -> Classes:
    """Return the classes of a rule set, the same object each time."""
    return Classes(rules)


def open_class(tables: _tablebase.Tables, root: Path, rules: Rules, entry: MaterialClass) -> tuple[int, Header]:
    """Open the file of a class, and tell the tables which materials it is for.

    Raises:
        TablebaseError: it cannot be read, is broken, or is a table of something else.
    """
    rules = table_rules(rules, entry.hidden)
    path = path_of(root, rules, entry.name)
    number, header = add(tables, path)
    expected = str(rules), entry.name, entry.letters, entry.first, entry.symmetric, entry.hidden
    if expected != (header.rules, header.material, header.groups, header.first, header.symmetric, header.hidden):
        raise TablebaseError(f"{path} is the table of another class: {shown(header.material)} of {shown(header.rules)}")
    placements = header.entries if header.symmetric else header.entries // 2
    for member in classes_of(rules).members(entry):
        offsets = [placements * second for second in member.second]
        tables.add_view(number, member.material.up, member.material.down, offsets, member.groups)
    return number, header


def tables_for(rules: Rules, cache_bytes: int) -> _tablebase.Tables:
    """Return an empty set of tables."""
    codes = [rules.core_order.index(kind) for kind in KINDS]
    return _tablebase.Tables(codes, cache_bytes)


def build_class(root: str, rules_text: str, name: str) -> Header:
    """Build one class, from the files of those that it leads to, and return its header.

    Raises:
        TablebaseError: a file that is needed is missing or broken.
    """
    rules = Rules.parse(rules_text)
    folder = Path(root)
    classes = classes_of(rules)
    entry = classes.find(Material.parse(name))
    if entry.name != name:
        raise TablebaseError(f"{name} belongs to the class {entry.name}")
    tables = tables_for(rules, _BUILD_CACHE)
    reachable = 0
    for after in classes.all_successors(entry):
        number, header = open_class(tables, folder, rules, after)
        tables.load(number, 0)
        reachable = max(reachable, header.reachable_exit)
    sizes = sizes_of(entry)
    results, exits = (np.zeros(entries_of(sizes, symmetric=entry.symmetric), np.uint16) for _ in range(2))
    _tablebase_build.build(
        rules.table_as(_tablebase_build.RuleTable),
        tables,
        _tablebase.Numbering(sizes),
        kinds=[[KINDS.index(letter) for letter in letters.upper()] for letters in entry.letters],
        colours=[int(letters.islower()) for letters in entry.letters],
        pool=entry.material.down,
        results=results,
        exits=exits,
    )
    return write(path_of(folder, rules, name), _header(rules, entry, results, exits, reachable), (results, exits))


_BUILD_CACHE: Final = 1 << 20
"""Bytes for decoded blocks while building, where whole planes are in memory."""
_PROCESS: Final = 48 << 20
"""Bytes of a process that has not begun to build: the interpreter with NumPy."""


def _header(rules: Rules, entry: MaterialClass, results: Plane, exits: Plane, reachable: int) -> Header:
    denominator = factorial(entry.hidden) if entry.hidden else 0
    if denominator:
        counts = np.bincount(results, minlength=2 * denominator + 1)
        values = {str(value - denominator): int(n) for value, n in enumerate(counts)}
        longest_win = None
    else:
        # A distance to the end is stored plus 1, so wins are even.
        won = (results > 0) & (results % 2 == 0)
        values = {"1": int(won.sum()), "0": int((results == 0).sum())}
        values["-1"] = len(results) - sum(values.values())
        longest_win = _extreme(np.where(won, results - 1, 0))
    longest_exit = _extreme(exits)
    return Header(
        version=VERSION,
        rules=str(rules),
        material=entry.name,
        groups=entry.letters,
        first=entry.first,
        hidden=entry.hidden,
        symmetric=entry.symmetric,
        entries=len(results),
        denominator=denominator,
        values=values,
        longest_win=longest_win,
        longest_exit=longest_exit,
        reachable_exit=max(reachable, longest_exit.plies if longest_exit else 0),
        codec="",
        widths=(0, 0),
        block_bytes=0,
        blocks=0,
        directory_crc=0,
        size=0,
    )


def _extreme(plies: Plane) -> Extreme | None:
    if len(plies) == 0 or not plies.any():
        return None
    index = int(plies.argmax())
    return Extreme(int(plies[index]), index)


def is_built(root: Path, task: Task) -> bool:
    """Tell whether a task's file is there, whole as its header says, and a table of this class."""
    try:
        header, _ = read_header(path_of(root, task.rules, task.entry.name))
    except TablebaseError:
        return False
    return (header.rules, header.material) == task.key


def memory_of(task: Task) -> int:
    """Return the bytes of a process that builds a class, the tables that it needs included."""
    pieces = task.entry.pieces
    # Both planes as numpy holds them, with their copies; smaller tables as they are read.
    smaller: int = 16 * 31 ** max(pieces - 2, 1)
    return _PROCESS + _tablebase_build.memory_needed(pieces) + 16 * task.entries + pieces * smaller


def build_all(tasks: Sequence[Task], root: Path, executor: Executor, *, at_once: int) -> Iterator[tuple[Task, Header]]:
    """Build tasks on an executor, `at_once` of them together; yield each as it is done, with its file's header.

    A task that comes after one that is not among `tasks` takes it for built. If something goes wrong, no task is begun
    any more, and no file appears that is not whole.

    Raises:
        TablebaseError: a file that is needed is missing or broken, or one cannot be written.
        ExecutorError: a process or the cluster of the executor has gone.
    """
    waiting = list(tasks)
    undone = {task.key for task in tasks}
    running: dict[Future[Header], Task] = {}
    try:
        while waiting or running:
            for task in list(waiting):
                if len(running) < at_once and undone.isdisjoint(task.after):
                    waiting.remove(task)
                    running[executor.submit(build_class, str(root.absolute()), *task.key)] = task
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                task = running.pop(future)
                header = result_of(future, f"the building of {task.entry.name}")
                undone.remove(task.key)
                yield task, header
    finally:
        for future in running:
            future.cancel()
