"""The engine: searches positions for their best move and says what they are worth.

Every score is the expected result in [-1, 1] for the side to move at the root: 1 a win, 0 a draw, -1 a loss.

>>> with Engine(hash_mb=16) as engine:
...     result = engine.play(Position.from_fen("3k/4/4/4/4/4/1pRK/4 r - - 0"), Limit(depth=4))
>>> print(result.move)
c2-b2
"""

import atexit
import math
import os
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import total_ordering
from pathlib import Path
from queue import SimpleQueue
from random import Random
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from banqi.core._table import Table
from banqi.errors import EngineError, LimitError, TablebaseError, shown, whole_number
from banqi.evaluation import LEARNED, Evaluation
from banqi.level import level_named
from banqi.memory import check_memory
from banqi.move import Move
from banqi.position import Position
from banqi.rules import Rules
from banqi.time_control import Spending, allot, ceiling

if TYPE_CHECKING:
    from banqi.core._tablebase import Tables
    from banqi.core.face import Core, Searcher
    from banqi.tablebase import Tablebase

MAX_THREADS: Final = 256
MAX_HASH_MB: Final = 1 << 20
MAX_NODES: Final = 1 << 62
MAX_SECONDS: Final = 1e9
MAX_LINES: Final = 500
MAX_DEPTH: Final = 100
MAX_PLAYOUTS: Final = 1_000_000_000
DEFAULT_HASH_MB: Final = 64
SHIPPED_TABLES: Final = Path(__file__).parent / "tablebase" / "data"
"""The endgame tables that come with the package: up to 3 pieces, face up, under the rules `taiwan`."""
SHIPPED_REACH: Final = 11
"""With more pieces on the board no search comes down to the tables that come with the package, and none are opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """When a search ends: at the first limit that is reached. At least one is given.

    time: seconds. nodes: positions searched, over all threads. depth: actions, up to 100, which are plies where there
    are no chains. clocks: the seconds that the
    first and the second seat have left for the rest of the game, with `inc` seconds more after each of their plies;
    the search takes a part of what the seat to act has (see `allot`), and looks one ply deep if there is no choice.

    Raises:
        LimitError: no limit is given, or one makes no sense.
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clocks: tuple[float, float] | None = None
    inc: float = 0.0

    def __post_init__(self) -> None:
        if self.time is None and self.nodes is None and self.depth is None and self.clocks is None:
            raise LimitError("a limit needs a time, a number of nodes, a depth or clocks")
        if self.time is not None:
            object.__setattr__(self, "time", _seconds(self.time))
        if self.clocks is not None:
            object.__setattr__(self, "clocks", _pair(self.clocks))
        object.__setattr__(self, "inc", _seconds(self.inc, "inc", zero=True))
        if self.inc and self.clocks is None:
            raise LimitError("inc does not go without clocks")
        if self.nodes is not None:
            object.__setattr__(self, "nodes", whole_number(self.nodes, "nodes", 1, MAX_NODES))
        if self.depth is not None:
            object.__setattr__(self, "depth", whole_number(self.depth, "depth", 1, MAX_DEPTH))


def _pair(clocks: object) -> tuple[float, ...]:
    if isinstance(clocks, tuple | list) and len(clocks) == 2:
        return tuple(_seconds(left, "a clock", zero=True) for left in clocks)
    raise LimitError(f"clocks are two numbers of seconds, first and second seat, not {shown(clocks)}")


def _seconds(value: object, name: str = "time", *, zero: bool = False) -> float:
    # Booleans are integers to Python, and durations, which bring a unit of their own, are to numpy.
    if (
        isinstance(value, int | float | np.integer | np.floating)
        and not isinstance(value, bool | np.timedelta64)
        and (0 < value <= MAX_SECONDS or (zero and value == 0))
    ):
        return float(value)
    least = "from 0" if zero else "above 0"
    raise LimitError(f"{name} must be a number of seconds {least}, at most {MAX_SECONDS:.0e}, not {shown(value)}")


def _bounds(position: Position, limit: Limit, waited: float) -> tuple[int, float, Spending | None]:
    """Return the depth and the seconds of a search, `waited` seconds after it was asked for.

    If it goes by the clock, the third is how it spends them.
    """
    depth, seconds = limit.depth or MAX_DEPTH, limit.time or math.inf
    if limit.clocks is None:
        return depth, seconds, None
    hidden = sum(position.pool.values())
    men = _men(position)
    # Inside a chain another action of the same ply brings no second increment.
    inc = limit.inc if position.chain is None else 0.0
    left = max(0.0, limit.clocks[position.seat] - waited)
    forced = position.legal_moves.count() == 1
    spending = Spending(allot(left, inc, men=men, hidden=hidden), min(seconds, ceiling(left)))
    return 1 if forced else depth, spending.first, spending


@total_ordering
@dataclass(frozen=True, slots=True)
class Score:
    """The expected result for the side to move at the root, in [-1, 1].

    proven: the result is certain with best play, 1.0 or -1.0; `plies` is then the number of plies from the root to the
    end that the search found, a mean over the reveals if there are any on the way. Scores are ordered from bad to good,
    so a win is the greater the sooner it comes, a loss the later. A win by the other side's perpetual attack is proven
    where the next ply brings it; further away it scores a little less, +-0.9688, for it depends on the way there. So
    does what endgame tables know for certain while pieces lie face down: they do not know how far the end is.
    """

    value: float
    proven: bool = False
    plies: int | None = None

    def __str__(self) -> str:
        if not self.proven:
            return f"{self.value:+.4f}"
        return f"{'win' if self.value > 0 else 'loss'} in {self.plies}"

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self._sort_key() < other._sort_key()

    def _sort_key(self) -> tuple[float, float]:
        return self.value, -self.value * (self.plies or 0)

    @classmethod
    def from_core(cls, value: int, core: "Core", *, ply: int = 0) -> Self:
        """Return the score for a value of a compiled board, which counts from `ply` plies after the root."""
        if abs(value) >= core.PROVEN:
            return cls(math.copysign(1.0, value), True, core.UNIT - abs(value) + ply)
        return cls(value / core.UNIT)


class LineMove(NamedTuple):
    """A move of a line.

    A flip or an attempt carries the reveal that the line goes on with, the likeliest, and its chance. Where the search
    knows no line behind it, it stands without a reveal and the chance is 1.
    """

    move: Move
    chance: float = 1.0

    def __str__(self) -> str:
        if self.move.reveal is None:
            return f"{self.move}(?)" if self.move.is_flip else str(self.move)
        return f"{self.move.request}({self.move.reveal} {self.chance:.0%})"


class RevealScore(NamedTuple):
    """What a flip or an attempt is worth if it turns up one identity: `weight` of the hidden pieces are one."""

    identity: str
    weight: int
    chance: float
    score: Score


@dataclass(frozen=True, slots=True)
class Info:
    """What a search knows at the end of an iteration about one of its lines.

    rank: 1 for the best line. depth: the iteration, in actions; 0 if none was finished, the score then being that of
    the best move so far or, without one, the evaluation of the position. seldepth: the deepest action reached, at least
    the depth. nodes: positions searched by all threads. time: in seconds. nps: nodes a second. hashfull: thousandths of
    the table that this search has filled. pv: the line. reveals: for a flip or an attempt the score of each identity
    that it can turn up; empty for other moves, and where a search that ended half-way knows the move's score alone.
    """

    rank: int
    move: Move
    score: Score
    depth: int
    seldepth: int
    nodes: int
    time: float
    hashfull: int
    pv: tuple[LineMove, ...]
    reveals: tuple[RevealScore, ...] = ()

    @property
    def nps(self) -> int:
        """Nodes a second of wall clock."""
        return round(self.nodes / self.time) if self.time > 0 else 0


class PlayResult(NamedTuple):
    """A move to play, a request, and what the search found about it."""

    move: Move
    info: Info


class Engine:
    """A search with its transposition table. A context manager.

    It may be used from several Python threads: their searches take turns.

    threads: search threads that share the table (lazy SMP). With one thread and a limit of nodes or depth a search
    repeats exactly after clear(). hash_mb: the table's size in MiB, allocated at once. tablebase: endgame tables, or
    the folder that they are in; those that come with the package by default, None for none. Rule sets that they do not
    know are searched without. Where they know a position the engine plays what they say: a won ending is won within the
    quiet limit. evaluation: "learned", the weights that come with the package, for rule sets that have none the one
    written by hand; "handwritten", that one for all; or a file of weights (see banqi.evaluation). level: "easy",
    "medium" or "hard", the full engine: how strong play() is (banqi.level). seed: that of the choices below "hard",
    which clear() begins anew; without one each game is another.

    Raises:
        LimitError: threads, hash_mb, level or seed makes no sense, or the memory is not there.
        TablebaseError: there is no such folder of endgame tables.
        EvaluationError: there is no such evaluation. Weights for another board are refused when they are used.
    """

    def __init__(
        self,
        threads: int = 1,
        hash_mb: int = DEFAULT_HASH_MB,
        *,
        tablebase: "Tablebase | str | os.PathLike[str] | None" = SHIPPED_TABLES,
        evaluation: str | os.PathLike[str] = LEARNED,
        level: str = "hard",
        seed: int | None = None,
    ) -> None:
        self._threads = whole_number(threads, "threads", 1, MAX_THREADS)
        hash_bytes = whole_number(hash_mb, "hash_mb", 1, MAX_HASH_MB) << 20
        check_memory(hash_bytes, f"a table of {hash_mb} MB")
        try:
            self._table: Table | None = Table(hash_bytes)
        except MemoryError:
            raise LimitError(f"a table of {hash_mb} MB does not fit into memory") from None
        self._endings = _Endings(tablebase)
        self._evaluation = Evaluation(evaluation)
        self._level = level_named(level)
        self._seed = None if seed is None else whole_number(seed, "the seed", 0, 2**64 - 1)
        self._rng = Random(self._seed)
        # One for each board that was searched on, by its module's name.
        self._searchers: dict[str, Searcher] = {}
        # Each search has an event that ends it. `_current` is that of the search whose turn it is; the condition tells
        # when it changes. A signal handler that stops the search may take the lock again.
        self._lock = threading.RLock()
        self._turn = threading.Condition(self._lock)
        self._current: threading.Event | None = None
        self._searching: Searcher | None = None
        self._current_thread = 0
        _engines.add(self)

    @property
    def threads(self) -> int:
        """The number of search threads."""
        return self._threads

    def evaluate(self, position: Position) -> Score:
        """Return what the engine's evaluation says of a position without any search; the position stays as it is.

        Raises:
            EngineError: the game is over.
            EvaluationError: the engine's weights are for another board.
        """
        _check_position(position)
        value = position.state.evaluate(self._evaluation.weights(position.rules))
        return Score.from_core(value, position.rules.core)

    def play(self, position: Position, limit: Limit) -> PlayResult:
        """Return the best move found within the limit, or one that suits the level. The position stays as it is.

        Raises:
            EngineError: the game is over, or the engine is closed.
        """
        _check_search(position, limit)
        infos = self._search(position, self._level.within(limit), self._level.lines)
        info = self._level.choose(infos, self._rng)
        return PlayResult(info.move, info)

    def analyse(self, position: Position, limit: Limit, *, multipv: int = 1) -> list[Info]:
        """Return the best `multipv` lines, best first; fewer if there are fewer moves.

        Where endgame tables know what a move leads to, its line has that score. With one line the engine chooses, as
        `play` does, among the moves that get on; of several lines the first may be another of equal value.

        Flips that the symmetry of the start makes equal count as one. A search that ends before its first iteration
        does returns one line. One that ends half-way returns what it has finished of the last iteration, then the
        lines of the one before; their depths tell.

        Raises:
            EngineError: the game is over, or the engine is closed.
            LimitError: multipv is no number from 1 to 500.
        """
        return self._search(position, limit, whole_number(multipv, "multipv", 1, MAX_LINES))

    def analysis(
        self, position: Position, limit: Limit | None = None, *, multipv: int = 1, moves: Iterable[Move | str] = ()
    ) -> "Analysis":
        """Start a search in the background; iterate over what it returns to see each `Info` as it comes.

        Without a limit it goes on until it is stopped or proves the result. Leaving the loop over it does not end it:
        use it in a `with` block, or stop it. Until then other searches of this engine wait.

        moves: requests to choose among; all legal moves if there are none.

        Raises:
            EngineError: the game is over, or the engine is closed.
            LimitError: multipv is no number from 1 to 500.
            MoveError: one of the moves is illegal, or names a reveal.
        """
        return Analysis(self, position, limit, whole_number(multipv, "multipv", 1, MAX_LINES), moves)

    def stop(self) -> None:
        """End the search under way, if any, as if its limit were reached; from any thread or signal handler."""
        with self._lock:
            if self._current is not None:
                self._end(self._current)

    def _end(self, ended: threading.Event) -> None:
        """End the search that has this event, whether it is under way or waits for its turn."""
        with self._lock:
            ended.set()
            if self._current is ended and self._searching is not None:
                self._searching.stop()
            self._turn.notify_all()

    def clear(self) -> None:
        """Forget everything: the next search is the same as a new engine's. Waits for the search under way.

        Raises:
            EngineError: the engine is closed.
        """
        with self._lock:
            self._turn.wait_for(lambda: self._current is None)
            self._opened().clear()
            self._rng = Random(self._seed)

    def close(self) -> None:
        """Stop and give the memory back. A closed engine refuses to search; closing twice is fine."""
        with self._lock:
            self.stop()
            self._table = None
            self._searchers.clear()
            self._turn.notify_all()
            # A signal handler may close the engine in the midst of a search that goes on only when the handler returns.
            if self._current_thread != threading.get_ident():
                self._turn.wait_for(lambda: self._current is None)

    def __enter__(self) -> Self:
        self._opened()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _opened(self) -> Table:
        if self._table is None:
            raise EngineError("the engine is closed")
        return self._table

    def _searcher(self, core: "Core") -> "Searcher":
        """Return the searcher of a board, on the engine's one table."""
        table = self._opened()
        if core.__name__ not in self._searchers:
            self._searchers[core.__name__] = core.Searcher(table, self._threads)
        return self._searchers[core.__name__]

    def _search(
        self,
        position: Position,
        limit: Limit,
        lines: int,
        told: Callable[[Info], None] = lambda info: None,
        ended: threading.Event | None = None,
        moves: tuple[Move, ...] = (),
    ) -> list[Info]:
        """Search a copy of the position; return the best lines, best first, none if it was ended before its turn.

        moves: those to choose among, all if there are none.
        """
        _check_search(position, limit)
        asked = monotonic()
        position = position.copy()
        endings = self._endings.of(position, advised=lines == 1 and not moves)
        weights = self._evaluation.weights(position.rules)
        reader = _Reader(position, told, endings.score)
        own = ended or threading.Event()
        try:
            with self._lock:
                self._turn.wait_for(lambda: self._current is None or self._table is None or own.is_set())
                searcher = self._searcher(position.rules.core)
                if own.is_set():
                    return []
                self._searching = searcher
                self._current, self._current_thread = own, threading.get_ident()
            depth, bound, spending = _bounds(position, limit, monotonic() - asked)
            reader.spending = spending
            depth = min(depth, endings.depth)
            nodes, seconds = searcher.think(
                position.state,
                depth=depth,
                nodes=limit.nodes or 0,
                seconds=bound,
                lines=lines,
                report=reader.read,
                cancelled=own.is_set,
                tables=endings.tables,
                weights=weights,
                only=[move.index for move in moves or endings.moves],
            )
            if endings.tables is not None and endings.tables.fault is not None:
                raise TablebaseError(f"{endings.tables.fault} is broken: a block is not what was written")
        finally:
            # No call stands before this, so that a second Ctrl-C cannot leave the turn taken.
            if self._current is own:
                self._current, self._current_thread = None, 0
            with self._lock:
                self._turn.notify_all()
        return [replace(info, nodes=nodes, time=seconds) for info in reader.latest()]


class _Ending(NamedTuple):
    """What endgame tables tell a search: the tables, the moves to choose among, the score if it is known for sure.

    Without moves all are searched. depth: how deep a search is of use.
    """

    tables: "Tables | None" = None
    moves: tuple[Move, ...] = ()
    score: Score | None = None
    depth: int = MAX_DEPTH


class _Endings:
    """The endgame tables of an engine, opened when a search may come down to them."""

    def __init__(self, tablebase: "Tablebase | str | os.PathLike[str] | None") -> None:
        self._shipped = tablebase == SHIPPED_TABLES
        self._tablebase = None if tablebase is None or self._shipped else _opened_tables(tablebase)

    def of(self, position: Position, *, advised: bool) -> _Ending:
        """Return what the tables tell a search of a position. advised: they choose among its moves.

        Raises:
            TablebaseError: a table is broken.
        """
        if position.rules.board != "4x8" or position.rules.perpetual != "draw":
            return _Ending()
        if self._shipped and self._tablebase is None and _men(position) <= SHIPPED_REACH:
            self._tablebase = _opened_tables(SHIPPED_TABLES)
        if self._tablebase is None:
            return _Ending()
        tables = self._tablebase.tables(position.rules)
        advice = self._tablebase.advise(position) if advised and _men(position) <= tables.most_men else None
        if advice is None:
            return _Ending(tables)
        if advice.value == 0:
            # All moves left draw, whatever comes: the search looks for the one that is hardest to answer.
            return _Ending(None, advice.moves, Score(0.0))
        settled = advice.value is not None and not any(position.pool.values())
        return _Ending(tables, advice.moves, depth=1 if settled else MAX_DEPTH)


def _opened_tables(tablebase: "Tablebase | str | os.PathLike[str]") -> "Tablebase":
    from banqi.tablebase import Tablebase

    if isinstance(tablebase, Tablebase | str | os.PathLike):
        return tablebase if isinstance(tablebase, Tablebase) else Tablebase(tablebase)
    raise TablebaseError(f"a tablebase is a banqi.Tablebase, a folder or None, not {shown(tablebase)}")


def _men(position: Position) -> int:
    return 2 * sum(position.rules.set_counts.values()) - sum(position.captured().values())


# A thread that still searches when Python is gone would crash as it comes back to tell something. A child that was
# forked has none of its parent's threads, and must not wait for them.
_engines: weakref.WeakSet[Engine] = weakref.WeakSet()
os.register_at_fork(after_in_child=_engines.clear)


@atexit.register
def _close_all() -> None:
    for engine in list(_engines):
        engine.close()


class Analysis:
    """A search in the background: a context manager that yields `Info` after each iteration, line by line.

    It goes on, and keeps the engine busy, until its limit, `stop` or the end of the `with` block.

    Each `Info` is given once. Leaving the `with` block ends the search.

    >>> with Engine() as engine, engine.analysis(Position(), Limit(depth=2)) as analysis:
    ...     depths = [info.depth for info in analysis]
    >>> depths
    [1, 2]
    """

    def __init__(
        self, engine: Engine, position: Position, limit: Limit | None, lines: int, moves: Iterable[Move | str] = ()
    ) -> None:
        limit = Limit(depth=MAX_DEPTH) if limit is None else limit
        engine._opened()
        _check_search(position, limit)
        requests = _requests(position, moves)
        self._engine = engine
        self._queue: SimpleQueue[Info | None] = SimpleQueue()
        self._ended = threading.Event()
        self._infos: list[Info] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(position.copy(), limit, lines, requests), daemon=True)
        self._thread.start()

    def _run(self, position: Position, limit: Limit, lines: int, moves: tuple[Move, ...]) -> None:
        try:
            self._infos = self._engine._search(position, limit, lines, self._queue.put, self._ended, moves)
        except BaseException as error:
            self._error = error
        finally:
            self._queue.put(None)

    def __iter__(self) -> Iterator[Info]:
        while (info := self._queue.get()) is not None:
            yield info
        self._queue.put(None)
        self.wait()

    def stop(self) -> None:
        """End the search; the iteration ends too. From any thread."""
        self._engine._end(self._ended)

    def wait(self) -> list[Info]:
        """Wait for the end of the search and return its lines, best first; none if it was stopped before its turn.

        Raises:
            EngineError: the engine was closed before the search began.
        """
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._infos

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()
        self._thread.join()


class _Reader:
    """Turns the compiled core's reports into Info, and keeps those of the last two iterations.

    score: what every line is worth, if that is known.
    """

    def __init__(self, position: Position, told: Callable[[Info], None], score: Score | None = None) -> None:
        self._score = score
        self._core = position.rules.core
        self._geometry = position.rules.geometry
        self._letters = position.rules.letters
        self._pool = position.pool
        self._told = told
        self._lines: list[Info] = []
        self._lines_before: list[Info] = []
        self.spending: Spending | None = None

    def latest(self) -> list[Info]:
        """Return the lines of the last iteration, then, if it was not finished, those of the one before."""
        found = {info.move for info in self._lines}
        lines = self._lines + [info for info in self._lines_before if info.move not in found]
        del lines[max(len(self._lines), len(self._lines_before)) :]
        return [replace(info, rank=rank) for rank, info in enumerate(lines, start=1)]

    def read(
        self,
        depth: int,
        rank: int,
        seldepth: int,
        nodes: int,
        seconds: float,
        hashfull: int,
        value: int,
        line: list[tuple[int, int]],
        reveals: list[int | None] | None,
    ) -> float | None:
        """Take one line. Return the seconds that the search may take in all, None if they stay as they were."""
        pv = self._line(line)
        info = Info(
            rank=rank + 1,
            move=pv[0].move.request,
            score=self._score or Score.from_core(value, self._core),
            depth=depth,
            seldepth=max(depth, seldepth),
            nodes=nodes,
            time=seconds,
            hashfull=hashfull,
            pv=pv,
            reveals=self._reveals(reveals or []),
        )
        if rank == 0:
            self._lines_before, self._lines = self._lines, []
        self._lines.append(info)
        if depth > 0:
            self._told(info)
        if rank > 0 or self.spending is None:
            return None
        return self.spending.after(info.move, info.score.value)

    def _line(self, line: list[tuple[int, int]]) -> tuple[LineMove, ...]:
        pool = dict(self._pool)
        moves = []
        for action, identity in line:
            move = Move.from_index(action, self._geometry)
            chance = 1.0
            if identity >= 0:
                letter = self._letters[identity]
                chance = pool[letter] / sum(pool.values())
                pool[letter] -= 1
                move = replace(move, reveal=letter)
            moves.append(LineMove(move, chance))
        return tuple(moves)

    def _reveals(self, values: list[int | None]) -> tuple[RevealScore, ...]:
        hidden = sum(self._pool.values())
        return tuple(
            RevealScore(
                letter, self._pool[letter], self._pool[letter] / hidden, Score.from_core(value, self._core, ply=1)
            )
            for letter, value in zip(self._letters, values, strict=False)
            if value is not None
        )


class Playouts(NamedTuple):
    """Random games: `results` int8, 1, 0 or -1 for the side to move at the root; `lengths` int32, in plies."""

    results: npt.NDArray[np.int8]
    lengths: npt.NDArray[np.int32]


def best_move(fen: str, time: float = 1.0, rules: Rules | str = "taiwan") -> Move:
    """Return the best move of a position that a search of `time` seconds finds.

    Raises:
        FenError, RulesError, LimitError: an argument makes no sense.
        EngineError: the game is over.
    """
    position = Position.from_fen(fen, rules=rules)
    with Engine() as engine:
        return engine.play(position, Limit(time=time)).move


def playouts(fen: str, n: int, seed: int = 0, rules: Rules | str = "taiwan") -> Playouts:
    """Play `n` random games from a position: every legal move equally likely, every reveal as the pool has it.

    Repetition ends nothing here; the quiet limit does. The same seed gives the same games.

    Raises:
        FenError, RulesError, LimitError: an argument makes no sense.
    """
    position = Position.from_fen(fen, rules=rules)
    n = whole_number(n, "the number of games", 1, MAX_PLAYOUTS)
    seed = whole_number(seed, "the seed", 0, 2**64 - 1)
    check_memory(5 * n, f"the result of {n} games")
    games = Playouts(np.zeros(n, dtype=np.int8), np.zeros(n, dtype=np.int32))
    position.state.playouts(n, seed, games.results, games.lengths)
    return games


def _requests(position: Position, moves: Iterable[Move | str]) -> tuple[Move, ...]:
    """Return the moves that a search may choose among, each once."""
    requests = [position.read_move(move) for move in moves]
    for move in requests:
        # It refuses what is illegal, and what reveals.
        position.outcomes(move)
    return tuple(dict.fromkeys(requests))


def _check_search(position: object, limit: object) -> None:
    """Refuse what cannot be searched."""
    _check_position(position)
    if not isinstance(limit, Limit):
        raise LimitError(f"a limit is a banqi.Limit, not {shown(limit)}")


def _check_position(position: object) -> None:
    """Refuse a game that is over."""
    if not isinstance(position, Position):
        raise EngineError(f"a position is a banqi.Position, not {shown(position)}")
    if (outcome := position.outcome()) is not None:
        raise EngineError(f"the game is over: {outcome}")
