"""What tables say of a position: its value, how far the end is, the best moves."""

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from banqi.core import _tablebase
from banqi.engine import SHIPPED_TABLES
from banqi.errors import RulesError, TablebaseError, shown, whole_number
from banqi.move import Move
from banqi.outcome import Termination
from banqi.position import Position
from banqi.rules import Rules
from banqi.tablebase.build import MOST_HIDDEN, MOST_PIECES, classes_of, open_class, path_of, tables_for
from banqi.tablebase.classes import Material, MaterialClass, table_rules
from banqi.tablebase.format import SUFFIX, Header, read_header

DEFAULT_CACHE_MB: Final = 64
MAX_CACHE_MB: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What is known of a position, for the side to move, with best play by both sides and endless play a draw.

    value: the expected result, 1 a win, 0 a draw, -1 a loss. dtm: plies to the end, the winner hurrying and the loser
    delaying; None for a draw and where pieces lie face down. dtc: plies to the next capture, attempt or flip, or to the
    end, in play that keeps the value, the better side hurrying; None for a draw. moves: the best moves, as requests:
    those that keep the value and with it dtm, or dtc where there is no dtm; for a draw all that draw; none after the
    end.
    """

    value: Fraction
    dtm: int | None
    dtc: int | None
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """Among which moves to choose in a position, its history regarded: those that keep what it is worth, and get on.

    value: what the position is worth, None if the quiet limit may come before the tables' result. moves: for a win
    those that come nearest to the end, or, where the quiet limit could come before it, to the next exit; for a draw all
    that draw; for a loss all.
    """

    value: Fraction | None
    moves: tuple[Move, ...]


class Tablebase:
    """The endgame tables in a folder. A context manager; it may be used from several threads.

    directory: where `banqi tablebase build` has put them; the tables that come with the package by default. cache_mb:
    MiB for decoded blocks, for each rule set, taken when first needed. A rule set's tables are opened when a position
    first asks for them, or at once if `rules` are given.

    >>> with Tablebase() as tables:  # two generals: who has to move next to the other is taken
    ...     result = tables.probe(Position.from_fen("3k/4/4/4/4/4/4/K3 r - - 0"))
    >>> result.value, result.dtm
    (Fraction(-1, 1), 18)

    Raises:
        TablebaseError: there is no such folder, or no table in it; a table is broken; there are no tables for such
            rules.
        LimitError: cache_mb makes no sense, or is more memory than there is.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str] | None = None,
        rules: Rules | str | None = None,
        *,
        cache_mb: int = DEFAULT_CACHE_MB,
    ) -> None:
        self._root = SHIPPED_TABLES if directory is None else _folder(directory)
        self._cache_bytes = whole_number(cache_mb, "cache_mb", 1, MAX_CACHE_MB) << 20
        self._lock = threading.Lock()
        self._opened: dict[Rules, _Opened] = {}
        self._closed = False
        if not self._root.is_dir():
            raise TablebaseError(f"there is no folder {shown(str(self._root))} of endgame tables")
        if not any(_is_table(path) for path in self._root.glob(f"*/*{SUFFIX}")):
            raise TablebaseError(f"{shown(str(self._root))} holds no endgame tables")
        if rules is not None:
            self._tables(Rules.of(rules))

    @property
    def directory(self) -> Path:
        """The folder."""
        return self._root

    def probe(self, position: Position) -> ProbeResult | None:
        """Return what is known of a position; None if no table has it. The quiet counter and the history play no part.

        Inside a chain of captures nothing is known.

        Raises:
            TablebaseError: a table is broken, or the folder lacks one that play leads to; the base is closed; there are
                no tables for the position's rules.
        """
        opened = self._tables_of(position)
        if (over := _end(position)) is not None:
            return ProbeResult(over.value, over.dtm, over.dtc, ())
        found = opened.look_up(position) if position.side is not None and position.chain is None else None
        if found is None:
            return None
        return ProbeResult(found.value, found.dtm, found.dtc, tuple(_best_moves(opened, position.copy())))

    def advise(self, position: Position) -> Advice | None:
        """Return among which moves to choose in a position, None if no table has it; there are none after the end.

        Raises:
            TablebaseError: as `probe`.
        """
        opened = self._tables_of(position)
        if (over := _end(position)) is not None:
            return Advice(over.value, ())
        found = opened.look_up(position) if position.side is not None and position.chain is None else None
        return None if found is None else _advice(opened, position.copy(), found)

    def headers(self, rules: Rules | str = "taiwan") -> Iterator[tuple[MaterialClass, Header]]:
        """Iterate over the classes that the folder has tables of, with their files' headers, smallest first.

        Raises:
            TablebaseError: the folder has none; a table is broken; the base is closed; there are no tables for such
                rules.
        """
        rules = Rules.of(rules)
        opened = self._tables(rules)
        if not opened.headers:
            raise TablebaseError(f"{shown(str(self._root))} holds no endgame tables of {rules}")
        return iter(opened.headers)

    def tables(self, rules: Rules) -> _tablebase.Tables:
        """Return a rule set's tables as the compiled search reads them.

        Raises:
            TablebaseError: a table is broken; the base is closed; there are no tables for such rules.
        """
        return self._tables(rules).tables

    def close(self) -> None:
        """Give the memory back, once no search uses it. A closed base refuses to probe; closing twice is fine."""
        with self._lock:
            self._closed = True
            self._opened.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _tables_of(self, position: Position) -> "_Opened":
        if not isinstance(position, Position):
            raise TablebaseError(f"a position is a banqi.Position, not {shown(position)}")
        return self._tables(position.rules)

    def _tables(self, rules: Rules) -> "_Opened":
        with self._lock:
            if self._closed:
                raise TablebaseError("the tables are closed")
            # Positions with pieces face down are told apart by more of the rules than others are.
            meaning = table_rules(rules, 1)
            if meaning not in self._opened:
                self._opened[meaning] = _Opened(self._root, meaning, self._cache_bytes)
            return self._opened[meaning]


def _named(path: Path) -> Material:
    """The material that a file is named after and, as it says, a table of: only then its class is worth seeking."""
    material = Material.parse(path.name.removesuffix(SUFFIX))
    if material.pieces > MOST_PIECES or material.hidden > MOST_HIDDEN or not material.is_of_set():
        raise TablebaseError(f"{path} is no endgame table: there are none of {material}")
    if (header := read_header(path)[0]).material != str(material):
        raise TablebaseError(f"{path} is the table of another class: {shown(header.material)}")
    return material


def _is_table(path: Path) -> bool:
    """Whether a file lies where tables of some rule set do."""
    with suppress(RulesError):
        return str(Rules.parse(path.parent.name)) == path.parent.name
    return False


def _folder(directory: object) -> Path:
    name = os.fspath(directory) if isinstance(directory, str | os.PathLike) else None
    if not isinstance(name, str):
        raise TablebaseError(f"a folder of endgame tables is a path, not {shown(directory)}")
    if not name:
        raise TablebaseError("there is no folder '' of endgame tables")
    return Path(name)


@dataclass(frozen=True, slots=True)
class _Found:
    """The value, and the plies to the end and to the next exit, of a position."""

    value: Fraction
    dtm: int | None
    dtc: int | None

    def order(self) -> tuple[Fraction, Fraction]:
        """Greater for what the side to move would rather have."""
        return self.value, -self.value * ((self.dtm if self.dtm is not None else self.dtc) or 0)


class _Opened:
    """The tables of one rule set."""

    def __init__(self, root: Path, rules: Rules, cache_bytes: int) -> None:
        self.tables = tables_for(rules, cache_bytes)
        self.headers: list[tuple[MaterialClass, Header]] = []
        for folder_rules in dict.fromkeys((table_rules(rules, 0), rules)):
            for path in sorted((root / str(folder_rules)).glob(f"*{SUFFIX}")):
                material = _named(path)
                if table_rules(rules, material.hidden) == folder_rules:
                    self._open(root, rules, classes_of(rules).find(material), path)
        self._denominators = [header.denominator for _, header in self.headers]
        self._longest_exits = [header.reachable_exit for _, header in self.headers]
        self.headers.sort(key=lambda item: (item[0].pieces, item[0].hidden, item[0].name))

    def _open(self, root: Path, rules: Rules, entry: MaterialClass, path: Path) -> None:
        if path_of(root, table_rules(rules, entry.hidden), entry.name) != path:
            raise TablebaseError(f"{path} is broken: the class has the name {entry.name}")
        self.headers.append((entry, open_class(self.tables, root, rules, entry)[1]))

    def look_up(self, position: Position) -> _Found | None:
        """What is stored of a position outside a chain, None if no table has it."""
        state = position.state
        stored = self.tables.probe(state.cells(), state.pool(), state.side)
        if stored is None:
            return None
        number, result, plies = stored
        denominator = self._denominators[number]
        if denominator:
            value = Fraction(result - denominator, denominator)
            return _Found(value, None, plies if value else None)
        if result == 0:
            return _Found(Fraction(0), None, None)
        return _Found(Fraction(-1 if result % 2 else 1), result - 1, plies)

    def longest_exit(self, position: Position) -> int:
        """The most plies to the next exit in the position's class and all that play can lead to."""
        state = position.state
        stored = self.tables.probe(state.cells(), state.pool(), state.side)
        return 0 if stored is None else self._longest_exits[stored[0]]

    def found(self, position: Position) -> _Found:
        """What is known of a position that play leads to, to its side to move; in a chain, with the best that it has.

        Raises:
            TablebaseError: the folder lacks its table.
        """
        if (over := _end(position)) is not None:
            return over
        if position.chain is not None:
            return max((self.after(position, move) for move in position.legal_moves), key=_Found.order)
        found = self.look_up(position)
        if found is None:
            raise TablebaseError(f"there is no table for {_material(position)}, which play leads to")
        return found

    def after(self, position: Position, move: Move) -> _Found:
        """What a move is worth to the side that makes it. The position is left as it was."""
        outcomes = position.outcomes(move)
        worth = Fraction(0)
        found = None
        for outcome in outcomes:
            position.push(outcome.move)
            found = self.found(position)
            passed = position.chain is None
            # A capture of the last enemy may leave a chain set, but the game does not go on in it.
            counted = passed or _end(position) is not None
            leaves = position.quiet == 0
            position.pop()
            if counted:
                found = _Found(-found.value if passed else found.value, _later(found.dtm), _later(found.dtc))
            worth += outcome.weight * found.value
        if found is None or len(outcomes) > 1 or move.is_flip or position.state.reveals(move.index):
            worth /= sum(outcome.weight for outcome in outcomes)
            return _Found(worth, None, 1 if worth else None)
        return _Found(found.value, found.dtm, 1 if leaves and found.value else found.dtc)


def _later(plies: int | None) -> int | None:
    return None if plies is None else plies + 1


def _end(position: Position) -> _Found | None:
    """What a game that is over is worth to the side to move; draws by history or quiet limit are not regarded."""
    outcome = position.outcome()
    if outcome is None or outcome.termination not in (Termination.ALL_CAPTURED, Termination.NO_MOVES):
        return None
    return _Found(Fraction(1 if outcome.winner is position.side else -1), 0, 0)


def _material(position: Position) -> Material:
    cells = position.state.cells()
    pool = tuple(position.state.pool())
    return Material(tuple(cells.count(identity) for identity in range(len(pool))), pool)


def _best_moves(opened: _Opened, position: Position) -> list[Move]:
    worths = {move: opened.after(position, move).order() for move in position.legal_moves}
    best = max(worths.values())
    return [move for move, worth in worths.items() if worth == best]


def _advice(opened: _Opened, position: Position, found: _Found) -> Advice:
    limit, quiet = position.rules.quiet_limit, position.quiet
    worths = {}
    for move in position.legal_moves:
        worths[move] = (
            _Found(Fraction(0), None, None) if _draws_at_once(position, move) else opened.after(position, move)
        )
    best = max(worth.value for worth in worths.values())
    kept = {move: worth for move, worth in worths.items() if worth.value == best}
    if best > 0:
        to_end = found.dtm is not None and quiet + found.dtm <= limit
        plies = {move: (worth.dtm if to_end else worth.dtc) or 0 for move, worth in kept.items()}
        kept = {move: kept[move] for move, n in plies.items() if n == min(plies.values())}
    elif best < 0:
        kept = worths
    in_time = best == 0 or (
        best == found.value and quiet + (found.dtc or 0) <= limit and opened.longest_exit(position) <= limit
    )
    return Advice(best if in_time else None, tuple(kept))


def _draws_at_once(position: Position, move: Move) -> bool:
    """Whether a move is a draw by repetition or by the quiet limit."""
    if position.outcomes(move)[0].move.reveal is not None:
        return False
    position.push(move)
    outcome = position.outcome()
    position.pop()
    return outcome is not None and outcome.winner is None
