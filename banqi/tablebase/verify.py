"""Verifying endgame tables: each value against those of all that play leads to, by rules of the verifier's own.

It shares nothing with the builder but the names of the rules' switches: rules (`verify_rules.py`), files and numbering
(`verify_reader.py`) and the correspondence of materials are written a second time, the latter by trying all ways.

What is checked is local: a stored value is the one that the stored values of its successors give. Why that is enough,
if it holds for every position of a table and of those that play leads to:

- All face up. A stored "win in n" has a successor stored as "loss in n - 1", and all successors of a stored "loss in
  n" are stored as "win in n - 1" or less, one of them as exactly that; a "loss in 0" has no action. By induction on n
  each is the true value: numbers that fall along play cannot go round in a circle. A stored draw has no successor that
  is lost for the opponent, and one that is drawn. So whoever is to move in a drawn position can stay among drawn
  positions, and nobody can leave them for something better. Play that stays among them is endless, a draw.
- Pieces face down. Let v be the stored value and d the stored plies to the next exit. If v > 0, some action reaches a
  position of value -v with d - 1 (or pays v at once). There no action is better for the opponent, and those that keep
  the value have d - 2 at most. An action of the opponent that does not keep it raises what the other gets; values are
  finitely many, so after finitely many plies an exit is taken that pays v or more. The opponent always has an action
  that keeps the value: nothing pays more than v, and endless play pays 0, which is less. For v < 0 exchange the sides.
  If v = 0 both sides can keep 0 or better for themselves for ever. So v is what the position is worth.
- The same induction, on the plies to the next exit, shows the second number right.

Of a larger table a random sample is checked. A fault in a part f of its entries escapes n samples with a probability of
(1 - f) ** n at most; a wrong value makes itself inconsistent, or those that lead to it.
"""

import itertools
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from banqi.errors import RulesError, TablebaseError, shown, whole_number
from banqi.executors import result_of
from banqi.rules import Rules
from banqi.tablebase.verify_reader import Contents, Table, read_contents
from banqi.tablebase.verify_rules import (
    Game,
    Material,
    Rows,
    Squares,
    colour,
    fen,
)
from banqi.tablebase.verify_solver import Solver, materials, placements
from banqi.tablebase.verify_values import WIN, Scores, Successors

DEFAULT_POSITIONS: Final = 1_000_000
MOST_POSITIONS: Final = 1 << 40
MOST_SEED: Final = (1 << 64) - 1

_SOLVED_PIECES: Final = 3
_SOLVED_TOGETHER: Final = 42
_BATCH: Final = 1 << 16
_CACHE_BYTES: Final = 1 << 30
"""Bytes of decoded tables that one process keeps."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in one table.

    checked: how many of its `entries` were held against those that play leads to. values: how many have each result,
    in units of 1 / `denominator`. longest_win, longest_exit: the most plies, with a position that takes them, or None.
    reachable_exit: the greatest longest_exit of the table and all that play leads to, as the file has it.
    """

    rules: str
    material: str
    pieces: int
    hidden: int
    entries: int
    checked: int
    denominator: int
    values: dict[str, int]
    longest_win: tuple[int, str] | None
    longest_exit: tuple[int, str] | None
    reachable_exit: int


@dataclass(frozen=True, slots=True)
class Solved:
    """How many materials of some pieces agree with the forward solver, in how many placements and sides to move."""

    rules: str
    pieces: int
    hidden: int
    materials: int
    positions: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many materials of some pieces there are, and how many of them have no table."""

    rules: str
    pieces: int
    hidden: int
    materials: int
    lacking: int


Found = Report | Solved | Coverage


class Collection:
    """The tables in a folder, found by the material of a position. Decoded tables are kept as long as there is room."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folders: dict[Rules, dict[_Profile, list[Contents]]] = {}
        self._found: dict[tuple[Rules, Material, str], tuple[Contents, list[int], bool]] = {}
        self._tables: OrderedDict[Path, Table] = OrderedDict()

    def find(self, game: Game, material: Material, mover: str) -> tuple[Contents, list[int], bool]:
        """The file for a material and a side to move, the row for each of its pieces, whether its first side moves.

        Raises:
            TablebaseError: there is none; a file is broken.
        """
        rules = meaning(game.rules, len(material.pool))
        key = rules, material, mover
        if key not in self._found:
            alike = self._files(game, rules).get(_profile(game, material), [])
            ways = [(c, *way) for c in alike if (way := _correspondence(game, c, material, mover)) is not None]
            if len(ways) != 1:
                pool = f"+{material.pool}" if material.pool else ""
                which = f"table for {material.up}{pool} with {mover} to move"
                names = " and ".join(contents.material for contents, _, _ in ways)
                folder = self._root / str(rules)
                raise TablebaseError(
                    f"{folder} has more than one {which}: {names}" if ways else f"{folder} lacks a {which}"
                )
            self._found[key] = ways[0]
        return self._found[key]

    def lacks(self, game: Game, material: Material) -> bool:
        """Whether there is no table for a material.

        Raises:
            TablebaseError: a file is broken.
        """
        files = self._files(game, meaning(game.rules, len(material.pool))).get(_profile(game, material), [])
        return all(_correspondence(game, contents, material, mover) is None for contents in files for mover in "rb")

    def table(self, contents: Contents) -> Table:
        """The values of a file.

        Raises:
            TablebaseError: it is broken.
        """
        if contents.path not in self._tables:
            self._tables[contents.path] = Table(contents)
            while len(self._tables) > 1 and sum(map(_bytes_of, self._tables.values())) > _CACHE_BYTES:
                self._tables.popitem(last=False)
        self._tables.move_to_end(contents.path)
        return self._tables[contents.path]

    def _files(self, game: Game, rules: Rules) -> "dict[_Profile, list[Contents]]":
        if rules not in self._folders:
            files = self._folders[rules] = {}
            for path in sorted((self._root / str(rules)).glob("*.tb")):
                contents = read_contents(path)
                files.setdefault(_profile(game, contents.example), []).append(contents)
        return self._folders[rules]


_Profile = tuple[tuple[tuple[bool, bool, int, int], ...], ...]


def _profile(game: Game, material: Material) -> _Profile:
    """What is the same for all materials of a class, whatever the order of pieces and sides. Others may share it."""
    pieces = material.up + material.pool
    sides: dict[str, list[tuple[bool, bool, int, int]]] = {"r": [], "b": []}
    for row, one in enumerate(pieces):
        enemies = [other for other in pieces if colour(other) != colour(one)]
        prey = sum(game.takes(one, other) for other in enemies)
        hunters = sum(game.takes(other, one) for other in enemies)
        sides[colour(one)].append((row >= len(material.up), game.jumps(one), prey, hunters))
    return tuple(sorted(tuple(sorted(side)) for side in sides.values()))


def _bytes_of(table: Table) -> int:
    return table.results.nbytes + table.plies.nbytes


def meaning(rules: Rules, hidden: int) -> Rules:
    """What of a rule set tables depend on, by FORMAT.md."""
    rules = replace(rules, repetition=3, quiet_limit=180)
    return rules if hidden else replace(rules, dark_capture=False, screens="any")


def _correspondence(game: Game, contents: Contents, material: Material, mover: str) -> tuple[list[int], bool] | None:
    """How the pieces of a material play the parts of a table's, None if they cannot.

    Returns the rows of the squares in the order of the table's groups, and whether the table's first side is to move.
    All ways are tried: sides as they are and exchanged, and every order of pieces. One is right if it keeps who takes
    whom, and which are jumping cannons.
    """
    wanted = contents.example
    if (len(wanted.up), len(wanted.pool)) != (len(material.up), len(material.pool)):
        return None
    for exchanged in (False, True):
        up, pool = (text.swapcase() if exchanged else text for text in (material.up, material.pool))
        first_to_move = (mover == "r") != exchanged
        if contents.symmetric and not first_to_move:
            continue
        for order in _orders(up, wanted.up):
            placed = [up[row] for row in order]
            for hidden in set(itertools.permutations(pool)):
                if _same_relations(game, wanted.up + wanted.pool, [*placed, *hidden]):
                    return [*order, *range(len(up), len(up) + len(pool))], first_to_move
    return None


def _orders(pieces: str, wanted: str) -> Iterator[tuple[int, ...]]:
    """All orders of pieces in which the sides are where they are in `wanted`."""
    rows, places = (
        [[i for i, x in enumerate(text) if colour(x) == side] for side in "rb"] for text in (pieces, wanted)
    )
    if list(map(len, rows)) == list(map(len, places)):
        for red, black in itertools.product(*map(itertools.permutations, rows)):
            at = dict(zip(places[0] + places[1], red + black, strict=True))
            yield tuple(at[place] for place in range(len(pieces)))


def _same_relations(game: Game, one: Sequence[str], two: Sequence[str]) -> bool:
    for a, b in zip(one, two, strict=True):
        if colour(a) != colour(b) or game.jumps(a) != game.jumps(b):
            return False
    return all(
        game.takes(one[i], one[j]) == game.takes(two[i], two[j])
        for i, j in itertools.permutations(range(len(one)), 2)
        if colour(one[i]) != colour(one[j])
    )


class TableValues:
    """What positions are worth by the tables of a folder. `asked` are the files of which values were needed."""

    def __init__(self, game: Game, collection: Collection, *, counts_plies: bool) -> None:
        self.game = game
        self.collection = collection
        self._counts_plies = counts_plies
        self.asked: dict[Path, Contents] = {}

    def look(self, material: Material, squares: Squares, mover: str) -> tuple[Scores, Rows]:
        """What positions are worth to the side to move, and the plies to the next exit.

        Raises:
            TablebaseError: there is no table for them, or it is broken.
        """
        contents, rows, first_to_move = self.collection.find(self.game, material, mover)
        self.asked[contents.path] = contents
        table = self.collection.table(contents)
        return self.entries(contents, table.entries(squares[rows], first_to_move=first_to_move))

    def entries(self, contents: Contents, entries: Rows) -> tuple[Scores, Rows]:
        """The same of entries of a table."""
        table = self.collection.table(contents)
        results = table.results[entries].astype(np.int64)
        plies = table.plies[entries].astype(np.int64)
        if contents.denominator:
            return results - contents.denominator, plies
        ended = WIN - (results - 1) if self._counts_plies else np.ones(len(results), np.int64)
        return np.where(results == 0, 0, np.where(results % 2 == 0, ended, -ended)), plies


def check_table(collection: Collection, path: Path, positions: int, seed: int) -> Report:
    """Check one file: its checksums, its header's figures, `positions` of its entries (all, if they are not more).

    Raises:
        TablebaseError: something is wrong; the line names the file and, if it is a value, the position.
    """
    contents = read_contents(path)
    rules = _rules_of(path.parent)
    if rules is None or rules != meaning(rules, contents.hidden):
        raise TablebaseError(f"{path} is broken: {contents.rules} are not the rules of a table")
    game = Game(rules)
    table = collection.table(contents)
    _check_symmetry(game, contents)
    _check_figures(contents, table)
    entries = _sample(contents, positions, seed)
    values = TableValues(game, collection, counts_plies=not contents.hidden)
    for start in range(0, len(entries), _BATCH):
        for _, fault in faults(contents, values, entries[start : start + _BATCH]):
            raise TablebaseError(f"{path} is wrong: {fault}")
    _check_reachable(contents, values, everything=len(entries) == contents.entries)
    return Report(
        rules=contents.rules,
        material=contents.material,
        pieces=contents.pieces,
        hidden=contents.hidden,
        entries=contents.entries,
        checked=len(entries),
        denominator=max(contents.denominator, 1),
        values=dict(contents.values),
        longest_win=None if (win := contents.longest_win) is None else (win.plies, fen_of(contents, table, win.index)),
        longest_exit=None
        if (way := contents.longest_exit) is None
        else (way.plies, fen_of(contents, table, way.index)),
        reachable_exit=contents.reachable_exit,
    )


def fen_of(contents: Contents, table: Table, entry: int) -> str:
    """The position of an entry as text."""
    side = "r" if entry < table.numbering.placements else "b"
    return fen(contents.example, table.positions(np.array([entry])), side)


def _sample(contents: Contents, positions: int, seed: int) -> Rows:
    if positions >= contents.entries:
        return np.arange(contents.entries)
    # Each table has its own stream, so that the sample does not depend on the order of the work.
    stream = np.random.default_rng([seed, zlib.crc32(f"{contents.rules}/{contents.material}".encode())])
    return np.sort(stream.choice(contents.entries, positions, replace=False, shuffle=False))


def _check_symmetry(game: Game, contents: Contents) -> None:
    """Whether the pieces of each group are told apart by nothing, and the sides if only one of them moves."""
    letters = list(contents.up)
    row = 0
    for group in contents.groups:
        for other in range(row + 1, row + len(group)):
            twins = letters.copy()
            twins[row], twins[other] = twins[other], twins[row]
            if not _same_relations(game, letters + list(contents.pool), twins + list(contents.pool)):
                raise TablebaseError(f"{contents.path} is broken: the group {group} is none")
        row += len(group)
    if contents.symmetric and _correspondence(game, contents, contents.example, "b") is None:
        raise TablebaseError(f"{contents.path} is broken: its sides are not alike")


def _check_figures(contents: Contents, table: Table) -> None:
    """Whether the header's counts and longest plies are those of the values."""
    results, plies = table.results.astype(np.int64), table.plies.astype(np.int64)
    if contents.denominator:
        units = results - contents.denominator
        wins = np.zeros(len(results), np.int64)
    else:
        units = np.where(results == 0, 0, 1 - 2 * (results % 2))
        wins = np.where(units == 1, results - 1, 0)
    span = max(contents.denominator, 1)
    counts = {str(unit): int((units == unit).sum()) for unit in range(-span, span + 1)}
    if sum(counts.values()) != len(results):
        raise TablebaseError(f"{contents.path} is broken: a result is beyond a win")
    if dict(contents.values) != counts:
        raise TablebaseError(f"{contents.path} is broken: the counts of results are {counts}, not {contents.values}")
    for name, stored, values in (("win", contents.longest_win, wins), ("exit", contents.longest_exit, plies)):
        index = int(values.argmax())
        found = (int(values[index]), index) if values[index] else None
        if found != (None if stored is None else (stored.plies, stored.index)):
            raise TablebaseError(f"{contents.path} is broken: the longest {name} is {found}, not {stored}")


def _check_reachable(contents: Contents, values: TableValues, *, everything: bool) -> None:
    """Whether the greatest number of plies to an exit in all that play leads to is right, or for a sample possible."""
    ahead = [other.reachable_exit for path, other in values.asked.items() if path != contents.path]
    own = contents.longest_exit.plies if contents.longest_exit else 0
    found = max([own, *ahead])
    if found > contents.reachable_exit or (everything and found != contents.reachable_exit):
        raise TablebaseError(f"{contents.path} is broken: reachable_exit is {found}, not {contents.reachable_exit}")


def faults(contents: Contents, values: TableValues, entries: Rows) -> Iterator[tuple[int, str]]:
    """Hold entries of a file against what play leads to: for each that is wrong its number, and what is wrong.

    Raises:
        TablebaseError: a file is broken, or lacks.
    """
    material = contents.example
    table = values.collection.table(contents)
    successors = Successors(values.game, values, counts_plies=not contents.hidden)
    for mover in "rb":
        first = mover == "r"
        here = entries[(entries < table.numbering.placements) == first]
        if len(here) == 0:
            continue
        squares = table.positions(here)
        stored, stored_plies = values.entries(contents, here)
        best, plies = successors.expected(material, squares, mover)
        # A position that two entries stand for has the same values in both.
        again = values.entries(contents, table.entries(squares, first_to_move=first))
        wrong = (stored != best) | (stored_plies != plies) | (again[0] != stored) | (again[1] != stored_plies)
        for at in np.flatnonzero(wrong):
            place = f"{fen(material, squares[:, [at]], mover)} (entry {here[at]})"
            says, follows = _told(contents, stored[at], stored_plies[at]), _told(contents, best[at], plies[at])
            yield int(here[at]), f"{place} is stored as {says}, by its moves it is {follows}"


def _told(contents: Contents, score: int, plies: int) -> str:
    if contents.denominator:
        return f"{score}/{contents.denominator} with an exit in {plies}"
    result = "a draw" if score == 0 else f"a {'win' if score > 0 else 'loss'} in {WIN - abs(score)}"
    return f"{result} with an exit in {plies}"


def _rules_of(folder: Path) -> Rules | None:
    """The rules that a folder of tables is named after, None if it is no such folder."""
    try:
        rules = Rules.parse(folder.name)
    except RulesError:
        return None
    return rules if str(rules) == folder.name else None


def files_of(root: Path, rules: Rules | None) -> list[Contents]:
    """The tables of a folder that have to do with a rule set, or all, in order of their pieces.

    Raises:
        TablebaseError: there are none; a header is broken.
    """
    if not root.is_dir():
        raise TablebaseError(f"there is no folder {shown(str(root))} of endgame tables")
    wanted = None if rules is None else {meaning(rules, 0), meaning(rules, 1)}
    found = []
    for folder in sorted(root.iterdir()):
        named = _rules_of(folder)
        if named is not None and (wanted is None or named in wanted):
            found += [read_contents(path) for path in sorted(folder.glob("*.tb"))]
    if wanted is not None:
        assert rules is not None
        found = [contents for contents in found if contents.rules == str(meaning(rules, contents.hidden))]
    if not found:
        raise TablebaseError(f"{shown(str(root))} holds no endgame tables{'' if rules is None else f' of {rules}'}")
    return sorted(found, key=lambda c: (c.rules, c.pieces, c.hidden, c.material))


@dataclass(frozen=True, slots=True)
class Task:
    """A part of the work that a process does: `call` with `arguments`, behind the folder."""

    call: Callable[..., "Found"]
    root: Path
    arguments: tuple[Any, ...]


def table_tasks(root: Path, rules: Rules | None, positions: int, seed: int) -> list[Task]:
    """A task for each table in a folder, all or those of a rule set, and one for each number of pieces that they have.

    positions: how many of each table's entries are checked, all if it has no more; the sample depends on the seed.

    Raises:
        TablebaseError: there are no tables; a header is broken.
        LimitError: a number is out of its range.
    """
    positions = whole_number(positions, "positions", 1, MOST_POSITIONS)
    seed = whole_number(seed, "seed", 0, MOST_SEED)
    files = files_of(root, rules)
    kinds = sorted({(contents.rules, contents.pieces, contents.hidden) for contents in files})
    return [Task(_check_table, root, (contents.path, positions, seed)) for contents in files] + [
        Task(_check_coverage, root, kind) for kind in kinds
    ]


def solver_tasks(root: Path, rules: Rules | None) -> list[Task]:
    """Tasks that solve all endings of 2 and 3 pieces for which the folder has tables, and compare every position.

    Raises:
        TablebaseError: there are no tables; a header is broken.
    """
    kinds = {(c.rules, c.pieces, c.hidden) for c in files_of(root, rules) if c.pieces <= _SOLVED_PIECES}
    tasks = []
    for name, pieces, hidden in sorted(kinds):
        count = len(list(materials(pieces, hidden)))
        for start in range(0, count, _SOLVED_TOGETHER):
            tasks.append(Task(_check_solved, root, (Rules.parse(name), pieces, hidden, start)))
    return tasks


def run(tasks: Sequence[Task], executor: Executor, at_once: int) -> Iterator["Found"]:
    """Do tasks, `at_once` of them together, and yield what each found when it is done.

    Raises:
        TablebaseError: something is wrong; the line names the file and, if it is a value, the position.
        ExecutorError: a process or the cluster of the executor has gone.
    """
    waiting = list(reversed(tasks))
    running: set[Future[Found]] = set()
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                task = waiting.pop()
                running.add(executor.submit(task.call, task.root, *task.arguments))
            done = wait(running, return_when=FIRST_COMPLETED).done
            running -= done
            for future in done:
                yield result_of(future, "a check")
    finally:
        for future in running:
            future.cancel()


@lru_cache(maxsize=1)
def _collection(root: Path) -> Collection:
    """The tables of a folder, in a process that keeps what it has decoded for its next task."""
    return Collection(root)


@lru_cache(maxsize=1)
def _solver(rules: Rules, *, counts_plies: bool) -> Solver:
    return Solver(rules, counts_plies=counts_plies)


def _check_table(root: Path, path: Path, positions: int, seed: int) -> Report:
    return check_table(_collection(root), path, positions, seed)


def _check_coverage(root: Path, name: str, pieces: int, hidden: int) -> Coverage:
    game, collection = Game(Rules.parse(name)), _collection(root)
    lacking = [collection.lacks(game, material) for material in materials(pieces, hidden)]
    return Coverage(name, pieces, hidden, len(lacking), sum(lacking))


def _check_solved(root: Path, rules: Rules, pieces: int, hidden: int, start: int) -> Solved:
    chosen = list(materials(pieces, hidden))[start : start + _SOLVED_TOGETHER]
    solver = _solver(rules, counts_plies=not hidden)
    positions = sum(check_solved(_collection(root), solver, rules, material) for material in chosen)
    return Solved(str(rules), pieces, hidden, len(chosen), positions)


def check_solved(collection: Collection, solver: Solver, rules: Rules, material: Material) -> int:
    """Compare every placement of a material on the board, both sides to move, with the solver; return how many.

    Raises:
        TablebaseError: a table says something else, lacks, or is broken.
    """
    game = Game(rules)
    values = TableValues(game, collection, counts_plies=not material.pool)
    every = placements(len(material.up) + len(material.pool))
    for mover in "rb":
        stored, stored_plies = values.look(material, every, mover)
        solved, plies = solver.look(material, every, mover)
        wrong = np.flatnonzero((stored != solved) | (stored_plies != plies))
        if len(wrong):
            at = wrong[0]
            contents, _, _ = collection.find(game, material, mover)
            says, follows = _told(contents, stored[at], stored_plies[at]), _told(contents, solved[at], plies[at])
            place = fen(material, every[:, [at]], mover)
            raise TablebaseError(f"{contents.path} is wrong: {place} is stored as {says}, solved it is {follows}")
    return 2 * int(every.shape[1])
