"""Games of the engine against itself, from which the evaluation learns: played on an executor, kept in a folder.

A game depends on its settings and its number alone. The games of a batch are one file, a shard; those that a folder has
are not played again.
"""

import os
import random
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from banqi.arena.duel import Contestant, Ended, play
from banqi.arena.fingerprint import own_build
from banqi.arena.own import EnginePlayer
from banqi.arena.player import Answer, Pace
from banqi.deal import LARGEST_SEED, Deal
from banqi.errors import ArenaError, shown, whole_number
from banqi.evaluation.shard import TYPES, Shard, read_settings, shards_in, together, write_shard
from banqi.evaluation.weights import HANDWRITTEN, LEARNED, Evaluation
from banqi.executors import result_of
from banqi.position import Position
from banqi.rules import Rules

MOST_GAMES: Final = 100_000_000
GAMES_IN_A_SHARD: Final = 100
DEFAULT_LOTS: Final = 0.04
"""The share of moves that are drawn by lot: without any, all games would show what the engine does anyhow."""
_HASH_MB: Final = 16
_PATIENCE_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """What games follow from.

    nodes: of each search. lots: the share of moves that are drawn by lot, any legal one alike, instead of being
    searched for. evaluation: as an engine takes it. build: of the engine (see own_build). weights: the digest of the
    file if the evaluation is one.

    Raises:
        ArenaError, EvaluationError, LimitError: something makes no sense.
    """

    rules: Rules
    nodes: int
    seed: int = 0
    lots: float = DEFAULT_LOTS
    evaluation: str = LEARNED
    build: str = field(default_factory=own_build)
    weights: str = field(default="", init=False)

    def __post_init__(self) -> None:
        whole_number(self.seed, "the seed", 0, LARGEST_SEED)
        Pace(nodes=self.nodes).limit(None)
        if not 0 <= self.lots <= 1:
            raise ArenaError(f"the share of moves by lot is from 0 to 1, not {shown(self.lots)}")
        Evaluation(self.evaluation).weights(self.rules)
        if self.evaluation not in (LEARNED, HANDWRITTEN):
            object.__setattr__(self, "weights", sha256(Path(self.evaluation).read_bytes()).hexdigest())

    def __str__(self) -> str:
        told: dict[str, Any] = {"rules": str(self.rules), "nodes": self.nodes, "seed": self.seed, "lots": self.lots}
        told |= {"evaluation": self.weights or self.evaluation, "build": self.build}
        return msgspec.json.encode(told).decode()


class LotPlayer(EnginePlayer):
    """An engine of which some moves are drawn by lot; it searches all the same, so that every position has a score."""

    def __init__(self, settings: SelfPlay) -> None:
        options = {"hash_mb": _HASH_MB, "evaluation": settings.evaluation}
        super().__init__(Pace(nodes=settings.nodes), options, _PATIENCE_SECONDS)
        self._lots = settings.lots
        self._rng = random.Random()

    def begin(self, position: Position, seed: str) -> None:
        """Begin a game."""
        super().begin(position, seed)
        self._rng.seed(seed)

    def move(self, position: Position, left: float | None) -> Answer:
        """Return the move."""
        answer = super().move(position, left)
        if self._rng.random() >= self._lots:
            return answer
        return answer._replace(move=self._rng.choice(list(position.legal_moves)))


class Batch(NamedTuple):
    """The games of a shard: their numbers, which follow each other, and their positions."""

    numbers: range
    shard: Shard


def play_batch(settings: SelfPlay, numbers: range) -> Batch:
    """Play some games, one after the other.

    Raises:
        ArenaError: the engine is another build here, or it fails.
    """
    if own_build() != settings.build:
        raise ArenaError("a worker has another build of banqi than the games began with")
    player = LotPlayer(settings)
    try:
        return Batch(numbers, together([_game(settings, player, number) for number in numbers]))
    finally:
        player.close()


def _game(settings: SelfPlay, player: LotPlayer, number: int) -> Shard:
    lot = f"{settings.seed} {number}"
    deal = Deal(settings.rules, int.from_bytes(sha256(lot.encode()).digest()[:8]))
    seat = Contestant(player, Pace(nodes=settings.nodes), lot)
    ended = play(deal, (seat, seat))
    if ended.fault is not None:
        raise ArenaError(f"the engine fails in game {number}: {ended.words}")
    return positions_of(deal, ended, number)


def positions_of(deal: Deal, ended: Ended, number: int) -> Shard:
    """Return the positions of a game in which each decision has a score."""
    position = Position.from_fen(deal.fen, deal.rules)
    empty = deal.rules.core.EMPTY
    rows: list[tuple[Any, ...]] = []
    for action in ended.actions:
        state, winner = position.state, ended.winner
        result = 0 if winner is None else 1 if winner == position.seat else -1
        cells = state.cells()
        row = (tuple(cells), tuple(state.pool()), state.side, state.chain, state.quiet, action.score, result)
        position.push(action.move)
        # Only a capture, or an attack that costs the attacker, leaves more squares empty.
        rows.append((*row, position.state.cells().count(empty) > cells.count(empty), number))
    arrays: list[Any] = [np.array(column, kind) for column, kind in zip(zip(*rows, strict=True), TYPES, strict=True)]
    return Shard(*arrays)


class Folder:
    """A folder that shards of the same settings go into; it is made if it is not there.

    Raises:
        ArenaError: it holds shards of other settings.
        EvaluationError: it, or a shard in it, cannot be read.
    """

    def __init__(self, path: str | os.PathLike[str], settings: SelfPlay) -> None:
        self.path = Path(path)
        self._settings = settings
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise ArenaError(f"cannot make the folder {shown(str(path), 200)}: {reason}") from None
        self.shards = shards_in(self.path)
        for _, shard in self.shards:
            if read_settings(shard) != str(settings):
                raise ArenaError(f"{shown(str(shard), 200)} holds games of other settings: {read_settings(shard)}")

    def missing(self, games: int) -> list[range]:
        """Return what is to be played of the first so many games, in batches."""
        held = {number for numbers, _ in self.shards for number in numbers}
        batches: list[range] = []
        for number in range(games):
            if number in held:
                continue
            last = batches[-1] if batches else range(0)
            if last.stop == number and len(last) in range(1, GAMES_IN_A_SHARD):
                batches[-1] = range(last.start, number + 1)
            else:
                batches.append(range(number, number + 1))
        return batches

    def write(self, batch: Batch) -> None:
        """Keep a batch.

        Raises:
            EvaluationError: it cannot be written.
        """
        write_shard(self.path, batch.numbers, batch.shard, str(self._settings))


def run(settings: SelfPlay, executor: Executor, folder: Folder, games: int, *, at_once: int) -> Iterator[Batch]:
    """Play what is missing of the first `games` games on an executor, `at_once` batches together; keep and yield each.

    Leaving the loop cancels what has not begun.

    Raises:
        ArenaError: the engine fails, or is another build on a worker.
        EvaluationError: a shard cannot be written.
        ExecutorError: a worker of the executor, or the cluster, went away.
    """
    left = iter(folder.missing(games))
    running: set[Future[Batch]] = set()
    try:
        while True:
            # One more than there are places, so that none waits for this thread.
            while len(running) <= at_once and (numbers := next(left, None)) is not None:
                running.add(executor.submit(play_batch, settings, numbers))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                batch = result_of(future, "the games that it played")
                folder.write(batch)
                yield batch
    finally:
        for future in running:
            future.cancel()
