"""What goes on under UCI while lines are read: how it is stopped; the counts of leaves and the bench."""

import threading
from collections.abc import Generator, Iterator
from typing import Final

from banqi.bench import HASH_MB, POSITIONS
from banqi.engine import Analysis, Engine, Limit
from banqi.move import Move
from banqi.position import Position

_AT_ONCE: Final = 3
"""How deep leaves are counted without looking whether to stop: a tenth of a second at most."""

Lines = Generator[str, None, str]
"""What work tells as it goes on; it returns the line that it ends with."""


class Work:
    """What goes on in a thread of its own while lines are read. is_endless: until it is stopped.

    ended: its last line was written.
    """

    def __init__(self, *, is_endless: bool = False) -> None:
        self.is_endless = is_endless
        self.stopped = threading.Event()
        self.ended = threading.Event()
        self._analysis: Analysis | None = None

    def follow(self, analysis: Analysis) -> Analysis:
        """Let a search end as soon as the work is stopped."""
        self._analysis = analysis
        if self.stopped.is_set():
            analysis.stop()
        return analysis

    def stop(self) -> None:
        """Let the work come to its end at once; from any thread."""
        self.stopped.set()
        if self._analysis is not None:
            self._analysis.stop()


def count(work: Work, position: Position, depth: int) -> Lines:
    """Count the leaves after each move and all of them."""
    nodes = 1 if depth == 0 else 0
    for move in _pushed(position) if depth else ():
        leaves = _leaves(work, position, depth - 1)
        if work.stopped.is_set():
            return "info string the count was stopped"
        nodes += leaves
        yield f"{move.wire()}: {leaves}"
    return f"Nodes searched: {nodes}"


def _leaves(work: Work, position: Position, depth: int) -> int:
    """Count the leaves, or what was found of them when the work is stopped."""
    if depth <= _AT_ONCE:
        return position.perft(depth)
    nodes = 0
    for _ in _pushed(position):
        nodes += _leaves(work, position, depth - 1)
        if work.stopped.is_set():
            break
    return nodes


def _pushed(position: Position) -> Iterator[Move]:
    """Make each legal move in turn, with each of its reveals, and take it back."""
    for request in position.legal_moves:
        for reveal in position.outcomes(request):
            position.push(reveal.move)
            yield reveal.move
            position.pop()


def run_bench(work: Work) -> Lines:
    """Search the bench positions as `banqi bench` does."""
    nodes = 0
    for place in POSITIONS:
        position, limit = Position.from_fen(place.fen, place.rules), Limit(depth=place.depth)
        with Engine(hash_mb=HASH_MB) as engine, engine.analysis(position, limit) as analysis:
            infos = work.follow(analysis).wait()
        if work.stopped.is_set():
            return "info string bench was stopped"
        nodes += infos[0].nodes
        yield f"{place.name}: depth {infos[0].depth}, {infos[0].nodes} nodes, {infos[0].time:.2f} s"
    return f"Bench: {nodes}"
