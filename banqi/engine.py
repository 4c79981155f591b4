"""The engine: searches positions for their best move and says what they are worth.

Every score is the expected result in [-1, 1] for the side to move at the root: 1 a win, 0 a draw, -1 a loss.

>>> with Engine(hash_mb=16) as engine:
...     result = engine.play(Position.from_fen("3k/4/4/4/4/4/1pRK/4 r - - 0"), Limit(depth=4))
>>> print(result.move)
c2-b2
"""

import math
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from queue import SimpleQueue
from types import TracebackType
from typing import Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from banqi.core import _banqi32
from banqi.errors import EngineError, LimitError, shown, whole_number
from banqi.move import Move
from banqi.position import Position
from banqi.rules import Rules

MAX_THREADS: Final = 256
MAX_HASH_MB: Final = 1 << 20
MAX_NODES: Final = 1 << 62
MAX_SECONDS: Final = 1e9
MAX_LINES: Final = 500
MAX_PLAYOUTS: Final = 1_000_000_000
DEFAULT_HASH_MB: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """When a search ends: at the first limit that is reached. At least one is given.

    time: seconds. nodes: positions searched, over all threads. depth: plies, up to 100.

    Raises:
        LimitError: no limit is given, or one makes no sense.
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.time is None and self.nodes is None and self.depth is None:
            raise LimitError("a limit needs a time, a number of nodes or a depth")
        if self.time is not None:
            object.__setattr__(self, "time", _seconds(self.time))
        if self.nodes is not None:
            object.__setattr__(self, "nodes", whole_number(self.nodes, "nodes", 1, MAX_NODES))
        if self.depth is not None:
            object.__setattr__(self, "depth", whole_number(self.depth, "depth", 1, _banqi32.MAX_DEPTH))


def _seconds(value: object) -> float:
    if not isinstance(value, bool) and isinstance(value, int | float) and 0 < value <= MAX_SECONDS:
        return float(value)
    raise LimitError(f"time must be a number of seconds above 0, at most {MAX_SECONDS:.0e}, not {shown(value)}")


@dataclass(frozen=True, slots=True, order=True)
class Score:
    """The expected result for the side to move at the root, in [-1, 1].

    proven: the result is certain with best play, 1.0 or -1.0; `plies` is then the number of plies to the end that the
    search found, a mean over the reveals if there are any on the way.
    """

    value: float
    proven: bool = False
    plies: int | None = None

    def __str__(self) -> str:
        if not self.proven:
            return f"{self.value:+.4f}"
        return f"{'win' if self.value > 0 else 'loss'} in {self.plies}"

    @classmethod
    def from_core(cls, value: int) -> Self:
        """Return the score that a value of the compiled core stands for."""
        if abs(value) >= _banqi32.PROVEN:
            return cls(math.copysign(1.0, value), True, _banqi32.UNIT - abs(value))
        return cls(value / _banqi32.UNIT)


class LineMove(NamedTuple):
    """A move of a line. A flip carries the reveal that the line goes on with, the likeliest, and its chance.

    Where the search knows no line behind a flip, the flip stands without a reveal and the chance is 1.
    """

    move: Move
    chance: float = 1.0

    def __str__(self) -> str:
        if not self.move.is_flip:
            return str(self.move)
        if self.move.reveal is None:
            return f"{self.move}(?)"
        return f"{self.move.request}({self.move.reveal} {self.chance:.0%})"


class RevealScore(NamedTuple):
    """What a flip is worth if it turns up one identity: `weight` of the hidden pieces are one."""

    identity: str
    weight: int
    chance: float
    score: Score


@dataclass(frozen=True, slots=True)
class Info:
    """What a search knows at the end of an iteration about one of its lines.

    rank: 1 for the best line. seldepth: the deepest ply reached. nodes: positions searched by all threads. time: in
    seconds. nps: nodes a second. hashfull: thousandths of the table that this search has filled. pv: the line. reveals:
    for a flip the score of each identity that it can turn up, else empty. depth 0: no iteration was finished, and
    the score is the evaluation of the position alone.
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
    """A search with its transposition table. A context manager; may be used from several Python threads.

    threads: search threads that share the table (lazy SMP). With one thread and a limit of nodes or depth a search
    repeats exactly after clear(). hash_mb: the table's size in MiB, allocated at once.

    Raises:
        LimitError: threads or hash_mb makes no sense, or the memory is not there.
    """

    def __init__(self, threads: int = 1, hash_mb: int = DEFAULT_HASH_MB) -> None:
        self._threads = whole_number(threads, "threads", 1, MAX_THREADS)
        hash_bytes = whole_number(hash_mb, "hash_mb", 1, MAX_HASH_MB) << 20
        _check_memory(hash_bytes, f"a table of {hash_mb} MB")
        try:
            self._searcher: _banqi32.Searcher | None = _banqi32.Searcher(hash_bytes, self._threads)
        except MemoryError:
            raise LimitError(f"a table of {hash_mb} MB does not fit into memory") from None
        self._lock = threading.Lock()
        # Which analysis is searching, so that stopping one cannot end another's search.
        self._current: threading.Event | None = None
        self._current_lock = threading.Lock()

    @property
    def threads(self) -> int:
        """The number of search threads."""
        return self._threads

    def play(self, position: Position, limit: Limit) -> PlayResult:
        """Return the best move found within the limit. The position stays as it is.

        Raises:
            EngineError: the game is over, or the engine is closed.
        """
        infos = self._search(position, limit, 1)
        return PlayResult(infos[0].move, infos[0])

    def analyse(self, position: Position, limit: Limit, *, multipv: int = 1) -> list[Info]:
        """Return the best `multipv` lines, best first; fewer if there are fewer moves.

        Flips that the symmetry of the start makes equal count as one.

        Raises:
            EngineError: the game is over, or the engine is closed.
            LimitError: multipv is no number from 1 to 500.
        """
        return self._search(position, limit, whole_number(multipv, "multipv", 1, MAX_LINES))

    def analysis(self, position: Position, limit: Limit | None = None, *, multipv: int = 1) -> "Analysis":
        """Start a search in the background; iterate over what it returns to see each `Info` as it comes.

        Without a limit it goes on until it is stopped or proves the result.

        Raises:
            EngineError: the game is over, or the engine is closed.
            LimitError: multipv is no number from 1 to 500.
        """
        return Analysis(self, position, limit, whole_number(multipv, "multipv", 1, MAX_LINES))

    def stop(self) -> None:
        """End the search under way, if any, as if its limit were reached; from any thread."""
        if (searcher := self._searcher) is not None:
            searcher.stop()

    def _stop_if_current(self, cancelled: threading.Event) -> None:
        with self._current_lock:
            if self._current is cancelled:
                self.stop()

    def clear(self) -> None:
        """Forget everything: the next search is the same as a new engine's."""
        with self._lock:
            self._opened().clear()

    def close(self) -> None:
        """Stop and give the memory back. A closed engine refuses to search; closing twice is fine."""
        self.stop()
        with self._lock:
            self._searcher = None

    def __enter__(self) -> Self:
        self._opened()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _opened(self) -> _banqi32.Searcher:
        if self._searcher is None:
            raise EngineError("the engine is closed")
        return self._searcher

    def _search(
        self,
        position: Position,
        limit: Limit,
        lines: int,
        told: Callable[[Info], None] = lambda info: None,
        cancelled: threading.Event | None = None,
    ) -> list[Info]:
        """Search a copy of the position; return the lines of the last iteration, best first."""
        if not isinstance(limit, Limit):
            raise LimitError(f"a limit is a banqi.Limit, not {shown(limit)}")
        position = position.copy()
        _check_unfinished(position)
        reader = _Reader(position, told)
        with self._lock:
            searcher = self._opened()
            with self._current_lock:
                self._current = cancelled
            try:
                nodes, seconds = searcher.think(
                    position.state,
                    depth=limit.depth or _banqi32.MAX_DEPTH,
                    nodes=limit.nodes or 0,
                    seconds=limit.time or math.inf,
                    lines=lines,
                    report=reader.read,
                    cancelled=cancelled.is_set if cancelled is not None else None,
                )
            finally:
                with self._current_lock:
                    self._current = None
        return [replace(info, nodes=nodes, time=seconds) for info in reader.latest()]


class Analysis:
    """A search in the background: a context manager that yields `Info` after each iteration, line by line.

    >>> with Engine() as engine, engine.analysis(Position(), Limit(depth=2)) as analysis:
    ...     depths = [info.depth for info in analysis]
    >>> depths
    [1, 2]
    """

    def __init__(self, engine: Engine, position: Position, limit: Limit | None, lines: int) -> None:
        engine._opened()
        _check_unfinished(position)
        self._engine = engine
        self._queue: SimpleQueue[Info | None] = SimpleQueue()
        self._cancelled = threading.Event()
        self._infos: list[Info] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(
            target=self._run,
            args=(position.copy(), limit or Limit(depth=_banqi32.MAX_DEPTH), lines),
            daemon=True,
        )
        self._thread.start()

    def _run(self, position: Position, limit: Limit, lines: int) -> None:
        try:
            self._infos = self._engine._search(position, limit, lines, self._queue.put, self._cancelled)
        except BaseException as error:
            self._error = error
        finally:
            self._queue.put(None)

    def __iter__(self) -> Iterator[Info]:
        while (info := self._queue.get()) is not None:
            yield info
        self._queue.put(None)

    def stop(self) -> None:
        """End the search; the iteration ends too. From any thread."""
        self._cancelled.set()
        self._engine._stop_if_current(self._cancelled)

    def wait(self) -> list[Info]:
        """Wait for the end of the search and return its lines, best first.

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
    """Turns the compiled core's reports into Info, and keeps the latest of each rank."""

    def __init__(self, position: Position, told: Callable[[Info], None]) -> None:
        self._geometry = position.rules.geometry
        self._letters = position.rules.letters
        self._pool = position.pool
        self._told = told
        self._lines: dict[int, Info] = {}

    def latest(self) -> list[Info]:
        return [self._lines[rank] for rank in sorted(self._lines)]

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
    ) -> None:
        pv = self._line(line)
        info = Info(
            rank=rank + 1,
            move=pv[0].move.request,
            score=Score.from_core(value),
            depth=depth,
            seldepth=seldepth,
            nodes=nodes,
            time=seconds,
            hashfull=hashfull,
            pv=pv,
            reveals=self._reveals(reveals or []),
        )
        self._lines[rank] = info
        if depth > 0:
            self._told(info)

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
            RevealScore(letter, self._pool[letter], self._pool[letter] / hidden, Score.from_core(value))
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
    _check_memory(5 * n, f"the result of {n} games")
    games = Playouts(np.zeros(n, dtype=np.int8), np.zeros(n, dtype=np.int32))
    position.state.playouts(n, seed, games.results, games.lengths)
    return games


def _check_unfinished(position: Position) -> None:
    if (outcome := position.outcome()) is not None:
        raise EngineError(f"the game is over: {outcome}")


def _available_memory() -> float:
    """Return the bytes that can still be used; infinite where the system does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return math.inf


def _check_memory(needed: int, what: str) -> None:
    """Refuse what does not fit: the system itself would grant it and fail later."""
    available = _available_memory()
    if needed > available:
        raise LimitError(f"{what} does not fit into the {available / 2**20:.0f} MB of memory that are free")
