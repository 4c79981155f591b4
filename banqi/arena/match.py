"""A match: pairs of games, both with the same hidden layout and the seats swapped, played on an executor."""

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple

from banqi.arena.duel import MARGIN_SECONDS, Contestant, Ended, Spent, play
from banqi.arena.fingerprint import own_build
from banqi.arena.player import Fault, Player
from banqi.arena.spec import PlayerSpec
from banqi.deal import LARGEST_SEED, Deal
from banqi.errors import ArenaError, shown, whole_number
from banqi.executors import result_of
from banqi.outcome import Termination
from banqi.rules import Rules

if TYPE_CHECKING:
    from banqi.arena.journal import Journal

MOST_PAIRS: Final = 10_000_000
MOST_SECONDS: Final = 1e6
MOST_AT_ONCE: Final = 1024
PATIENCE_SECONDS: Final = 60.0
"""How long after its time a player may keep silent before it has hung."""
_BATCH_SECONDS: Final = 1.0
"""How long a batch of pairs should take: longer ones are lost when a match is stopped, shorter ones cost more."""
_LARGEST_BATCH: Final = 64


@dataclass(frozen=True, slots=True)
class Match:
    """Two players, the rules, and what all games follow from: a game depends on this and its number alone.

    seed: of the deals and the lots. margin: seconds that a player may be late. patience: seconds after its time, and
    its margin, in which a player has to answer. build: the engine's build that plays (see own_build).

    Raises:
        ArenaError, RulesError, LimitError: something makes no sense.
    """

    players: tuple[PlayerSpec, PlayerSpec]
    rules: Rules
    seed: int = 0
    margin: float = MARGIN_SECONDS
    patience: float = PATIENCE_SECONDS
    build: str = field(default_factory=own_build)

    def __post_init__(self) -> None:
        _check_players(self.players)
        _check_rules(self.rules)
        whole_number(self.seed, "the seed", 0, LARGEST_SEED)
        _check_seconds(self.margin, "margin")
        _check_seconds(self.patience, "patience")

    @property
    def threads(self) -> int:
        """How many processors a game keeps busy at once."""
        return max(spec.threads for spec in self.players)

    def deal(self, number: int) -> Deal:
        """Return the deal of a pair, the same for both of its games."""
        return Deal(self.rules, int.from_bytes(sha256(f"{self.seed} {number}".encode()).digest()[:8]))


def _check_players(players: object) -> None:
    if not isinstance(players, tuple) or [type(spec) for spec in players] != [PlayerSpec] * 2:
        raise ArenaError(f"a match has two players, each a PlayerSpec, not {shown(players)}")


def _check_rules(rules: object) -> None:
    if not isinstance(rules, Rules):
        raise ArenaError(f"a match has Rules, not {shown(rules)}")


def _check_seconds(value: object, name: str) -> None:
    if not isinstance(value, int | float) or not 0 <= value <= MOST_SECONDS:
        raise ArenaError(f"the {name} is a number of seconds from 0 to {MOST_SECONDS:.0e}, not {shown(value)}")


class Played(NamedTuple):
    """A game of a match, told from the first player's side.

    number: of the pair, from 0. half: 0, or 1 where the second player has the first seat. score: 1, 0.5 or 0.
    plies: both sides together. spent: by player. faulty: which player failed, if one did. record: the game as a line of
    a record file, "" where none is kept.
    """

    number: int
    half: int
    score: float
    termination: Termination
    plies: int
    spent: tuple[Spent, Spent]
    fault: Fault | None = None
    faulty: int | None = None
    words: str = ""
    record: str = ""


class Pair(NamedTuple):
    """Both games of a pair."""

    number: int
    games: tuple[Played, Played]

    @property
    def points(self) -> int:
        """The first player's half points, 0 to 4."""
        return round(2 * sum(game.score for game in self.games))


class Batch(NamedTuple):
    """Pairs that were played together, and how many seconds that took."""

    pairs: tuple[Pair, ...]
    seconds: float


Writer = Callable[[Match, Deal, Ended, int, int], str]
"""Tells a game of a match, by the number of its pair and its own in the pair, as a line of a record file."""


def play_batch(match: Match, numbers: Sequence[int], writer: Writer | None = None) -> Batch:
    """Play some pairs of a match, one after the other, with the players that this thread keeps.

    Raises:
        ArenaError: a player cannot be made here, or the engine is another build here.
    """
    started = perf_counter()
    if own_build() != match.build:
        raise ArenaError("a worker has another build of banqi than the match began with")
    players = _kept(match)
    pairs = []
    for number in numbers:
        one, other = (_game(match, players, number, half, writer) for half in (0, 1))
        pairs.append(Pair(number, (one, other)))
    return Batch(tuple(pairs), perf_counter() - started)


class _Kept(threading.local):
    """The players of this thread, and the match that they were made for."""

    match: Match | None = None
    players: tuple[Player, ...] = ()


_here: Final = _Kept()


def _kept(match: Match) -> tuple[Player, ...]:
    if _here.match != match:
        release()
        made: list[Player] = []
        try:
            for spec in match.players:
                made.append(spec.make(match.patience))
        except BaseException:
            for player in made:
                player.close()
            raise
        _here.match, _here.players = match, tuple(made)
    return _here.players


def release() -> None:
    """Give up the players that this thread keeps."""
    for player in _here.players:
        player.close()
    _here.match, _here.players = None, ()


def _game(match: Match, players: Sequence[Player], number: int, half: int, writer: Writer | None) -> Played:
    """Play a game; in game 1 of a pair the second player has the first seat."""
    contestants = [
        Contestant(player, spec.pace, f"{match.seed} {number} {half} {which}")
        for which, (player, spec) in enumerate(zip(players, match.players, strict=True))
    ]
    deal = match.deal(number)
    ended = play(deal, (contestants[half], contestants[1 - half]), match.margin)
    return told(ended, number, half, "" if writer is None else writer(match, deal, ended, number, half))


def told(ended: Ended, number: int, half: int, record: str = "") -> Played:
    """Tell a game that is over from the first player's side: in game `half` he has that seat."""
    score = 0.5 if ended.winner is None else float(ended.winner == half)
    return Played(
        number,
        half,
        score,
        ended.termination,
        ended.plies,
        (ended.spent[half], ended.spent[1 - half]),
        ended.fault,
        None if ended.fault is None else int(score == 1.0),
        ended.words,
        record,
    )


def run(
    match: Match, executor: Executor, pairs: int, *, at_once: int, journal: "Journal | None" = None
) -> Iterator[Pair]:
    """Play `pairs` pairs on an executor, `at_once` batches of them together; yield them in the order of their numbers.

    So whoever looks at the first pairs of a match sees the same, however it was played. Leaving the loop cancels what
    has not begun. journal: pairs that it holds are not played again, and it gets all others as soon as they are there.

    Raises:
        ArenaError: a player cannot be made, or the journal cannot be written.
        ExecutorError: a worker of the executor, or the cluster, went away.
        LimitError: a number makes no sense.
    """
    pairs = whole_number(pairs, "the number of pairs", 1, MOST_PAIRS)
    at_once = whole_number(at_once, "the number of batches at once", 1, MOST_AT_ONCE)
    ready = {} if journal is None else {number: pair for number, pair in journal.pairs.items() if number < pairs}
    remaining, size, due = pairs - len(ready), 1, 0
    left = iter([number for number in range(pairs) if number not in ready])
    # With the first number of each.
    running: dict[Future[Batch], int] = {}
    writer = None if journal is None else _record_text
    try:
        while True:
            while due in ready:
                yield ready.pop(due)
                due += 1
            if due == pairs:
                return
            # Two for each place, so that none waits for this thread.
            while remaining and len(running) < 2 * at_once:
                # Towards the end in small pieces, so that no place is idle for long.
                count = min(size, math.ceil(remaining / (2 * at_once)))
                numbers = list(islice(left, count))
                remaining -= count
                running[executor.submit(play_batch, match, numbers, writer)] = numbers[0]
            for future in sorted(wait(running, return_when=FIRST_COMPLETED).done, key=running.__getitem__):
                del running[future]
                batch = result_of(future, "the games that it played")
                if journal is not None:
                    journal.write(batch.pairs)
                ready |= {pair.number: pair for pair in batch.pairs}
                size = _batch_size(batch)
    finally:
        for future in running:
            future.cancel()


def _record_text(match: Match, deal: Deal, ended: Ended, number: int, half: int) -> str:
    from banqi.arena.journal import record_text

    return record_text(match, deal, ended, number, half)


def _batch_size(batch: Batch) -> int:
    return max(1, min(_LARGEST_BATCH, round(len(batch.pairs) * _BATCH_SECONDS / max(batch.seconds, 1e-6))))
