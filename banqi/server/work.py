"""The engine's work: what its processes do, and a queue before them, so that games do not wait for searches.

What is sent to them is a Position, which knows no deal.
"""

import asyncio
import contextlib
import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from contextlib import ExitStack
from functools import lru_cache, partial
from typing import Final, ParamSpec, TypeVar

from banqi.engine import Engine, Limit
from banqi.errors import LimitError
from banqi.executors import process_pool
from banqi.position import Position
from banqi.server.answers import line_of, reviewed
from banqi.server.messages import LevelName, Line, Reviewed

MOST_NODES: Final = 5_000_000
"""Positions that a count of leaves may visit: a second or so."""
REVIEW_NODES: Final = 30_000
"""Positions searched for the best moves of an action that is reviewed: some hundredths of a second."""
DEEPENING_NODES: Final = (2_000, 20_000, 100_000, 400_000, 1_600_000, 6_400_000)
"""Positions searched for each answer of a deepening; the table keeps what the ones before have found."""
HASH_MB: Final = 32
THINK_SECONDS: Final = 1.0
"""For a computer's move, if its clock allows."""
SHORTEST_SECONDS: Final = 0.05
"""For a computer's move, however many others wait."""
ATTEMPTS: Final = 3
MOVES_NICENESS: Final = 10
REQUESTS_NICENESS: Final = 15
PATIENCE: Final = 80
"""How often a part of a long request looks for a place in the queue, four times a second."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Busy(Exception):
    """Too much work waits already."""


class Work:
    """Processes that search: some for the moves of games, as many for requests. A context manager.

    processes: how many of each kind, which start when they are first needed. queue: how many requests may wait or run
    at a time. Neither kind waits for the other; of its own kind, what came first is done first.
    """

    def __init__(self, processes: int, queue: int) -> None:
        self._processes = processes
        self._queue = queue
        self._moves = _Pool(processes)
        self._requests = _Pool(processes)

    @property
    def waiting(self) -> int:
        """Requests that wait or run."""
        return self._requests.waiting

    @property
    def full(self) -> bool:
        """Whether a request would be turned away now."""
        return self.waiting >= self._queue

    async def ask(self, task: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
        """Do a request's work.

        Raises:
            Busy: the queue is full, or a process died over it.
        """
        if self.full:
            raise Busy
        return await self._requests.run(lambda: partial(task, *arguments, **named))

    async def ask_patiently(self, task: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
        """Do a part of a long request's work, whose first part was not turned away: wait while the queue is full.

        Raises:
            Busy: it stays full for long, or a process died over it.
        """
        for _ in range(PATIENCE):
            if not self.full:
                break
            await asyncio.sleep(0.25)
        return await self.ask(task, *arguments, **named)

    async def move(self, position: Position, level: LevelName, seconds: Callable[[], float]) -> str:
        """Return the move, a request, that a level plays in a game. It is never turned away.

        seconds: how long it may think, asked when its turn has come; it is less if many wait, so that all have a move
        in about the time of one.

        Raises:
            Busy: processes died over it, time and again.
        """

        def search() -> Callable[[], str]:
            share = THINK_SECONDS * self._processes / self._moves.waiting
            return partial(choose, position, level, Limit(time=min(seconds(), max(SHORTEST_SECONDS, share))))

        for _ in range(ATTEMPTS):
            with contextlib.suppress(Busy):
                return await self._moves.run(search)
        raise Busy

    def close(self) -> None:
        """End the processes, whatever they do."""
        self._moves.close()
        self._requests.close()


class _Pool:
    """Processes that do what comes first first. waiting: what waits or runs."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._free = asyncio.Semaphore(processes)
        self._stack = ExitStack()
        self._pool: Executor | None = None
        self.waiting = 0

    async def run(self, made: Callable[[], Callable[[], _T]]) -> _T:
        """Do what `made` returns when a process is free.

        Raises:
            Busy: a process died over it.
        """
        self.waiting += 1
        try:
            async with self._free:
                return await self._run(made())
        finally:
            self.waiting -= 1

    async def _run(self, task: Callable[[], _T]) -> _T:
        if self._pool is None:
            self._pool = self._stack.enter_context(process_pool(self._processes))
        pool = self._pool
        try:
            return await asyncio.wrap_future(pool.submit(task))
        except BrokenExecutor:
            if pool is self._pool:
                self.close()
            raise Busy from None

    def close(self) -> None:
        """End the processes, whatever they do."""
        self._pool = None
        dropped = _Dropped()
        with contextlib.suppress(_Dropped):
            self._stack.__exit__(_Dropped, dropped, None)
        self._stack = ExitStack()


class _Dropped(Exception):
    """Makes the pool's context end its processes at once."""


# ---- in the processes ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _give_way(niceness: int) -> None:
    """Let others go first that want the processor: the server before all searches, moves before requests."""
    os.nice(niceness)


@lru_cache(maxsize=3)
def _engine(level: LevelName) -> Engine:
    return Engine(hash_mb=HASH_MB, level=level)


def choose(position: Position, level: LevelName, limit: Limit) -> str:
    """Return the move, a request, that a level plays."""
    _give_way(MOVES_NICENESS)
    return str(_engine(level).play(position, limit).move)


def analyse(position: Position, limit: Limit, lines: int) -> list[Line]:
    """Return the best lines of a position, best first."""
    _give_way(REQUESTS_NICENESS)
    return [line_of(info) for info in _engine("hard").analyse(position, limit, multipv=lines)]


def review(position: Position, number: int, move: str, lines: int) -> Reviewed:
    """Return what a short search finds of the action `move`, with its reveal, in a position."""
    _give_way(REQUESTS_NICENESS)
    engine, read = _engine("hard"), position.read_move(move)
    request = read.request
    infos = engine.analyse(position, Limit(nodes=REVIEW_NODES), multipv=lines)
    depth = infos[0].depth
    played = next((info for info in infos if info.move == request and info.depth == depth), None)
    if played is None:
        # As deep as the best move was searched, or the two could not be compared.
        limit = Limit(depth=max(1, depth), nodes=8 * REVIEW_NODES)
        with engine.analysis(position, limit, moves=[request]) as analysis:
            played = analysis.wait()[0]
    return reviewed(number, position, infos, played, read.reveal)


def count_leaves(position: Position, depth: int) -> int:
    """Return the leaves after `depth` actions.

    Raises:
        LimitError: that would visit more than MOST_NODES positions.
    """
    _give_way(REQUESTS_NICENESS)
    leaves = 1
    for reached in range(1, depth + 1):
        # The last level is added up without being made, so the one before it is what costs.
        if leaves > MOST_NODES:
            raise LimitError(f"depth {depth} is too deep: {leaves} positions lie {reached - 1} actions away")
        if leaves == 0:
            break
        leaves = position.perft(reached)
    return leaves
