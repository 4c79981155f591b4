"""What came out of a match: counted game by game, told as one object and as a table."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from banqi.arena.duel import Spent
from banqi.arena.match import Match, Pair
from banqi.arena.player import Fault
from banqi.arena.ratings import OUTCOMES, Rating, Sprt, rating

if TYPE_CHECKING:
    from rich.table import Table

_CAUSES = {Fault.ILLEGAL: "illegal moves", Fault.TIME: "time-outs", Fault.CRASH: "crashes", Fault.HANG: "hangs"}


@dataclass(slots=True)
class Tally:
    """The games of a match so far, told from the first player's side.

    pairs: how many had 0, 1/2, 1, 3/2 and 2 points. wins, draws, losses: of games. terminations: how games ended.
    faults: for each player how often it failed in which way. spent: by player. first: the score of those who had the
    first seat, added up. words: what was seen of the first failures.
    """

    pairs: list[int] = field(default_factory=lambda: [0] * OUTCOMES)
    wins: int = 0
    draws: int = 0
    losses: int = 0
    plies: int = 0
    longest: int = 0
    first: float = 0.0
    terminations: Counter[str] = field(default_factory=Counter)
    faults: tuple[Counter[Fault], Counter[Fault]] = field(default_factory=lambda: (Counter(), Counter()))
    spent: tuple[Spent, Spent] = field(default_factory=lambda: (Spent(), Spent()))
    words: list[str] = field(default_factory=list)

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.wins + self.draws + self.losses

    def add(self, pair: Pair) -> None:
        """Count a pair."""
        self.pairs[pair.points] += 1
        for game in pair.games:
            self.wins += game.score == 1.0
            self.draws += game.score == 0.5
            self.losses += game.score == 0.0
            self.plies += game.plies
            self.longest = max(self.longest, game.plies)
            self.first += 1 - game.score if game.half else game.score
            self.terminations[game.termination if game.fault is None else game.fault] += 1
            for total, spent in zip(self.spent, game.spent, strict=True):
                total.decisions += spent.decisions
                total.nodes += spent.nodes
                total.seconds += spent.seconds
            if game.fault is not None and game.faulty is not None:
                self.faults[game.faulty][game.fault] += 1
                if len(self.words) < _MOST_WORDS:
                    self.words.append(
                        f"pair {game.number}, game {game.half + 1}, player {game.faulty + 1}: {game.words}"
                    )

    def rating(self) -> Rating:
        """Return what the pairs say."""
        return rating(self.pairs)


_MOST_WORDS = 10
"""Failures that are told in words."""


def match_object(match: Match, tally: Tally, sprt: Sprt | None, seconds: float) -> dict[str, Any]:
    """Return all that is known as one object for JSON. A figure that is not finite is None.

    seconds: how long this run took, or its part of the match.
    """
    games = max(tally.games, 1)
    return {
        "rules": str(match.rules),
        "seed": match.seed,
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "pairs": list(tally.pairs),
        **{name: value if math.isfinite(value) else None for name, value in asdict(tally.rating()).items()},
        "sprt": None if sprt is None else _sprt_object(sprt, tally),
        "first_seat_score": tally.first / games,
        "terminations": dict(sorted(tally.terminations.items())),
        "plies": tally.plies / games,
        "longest": tally.longest,
        "players": [
            {
                "player": str(spec),
                "decisions": spent.decisions,
                "nodes": spent.nodes,
                "seconds": round(spent.seconds, 6),
                "faults": {fault.value: faults[fault] for fault in Fault},
            }
            for spec, spent, faults in zip(match.players, tally.spent, tally.faults, strict=True)
        ],
        "failures": list(tally.words),
        "seconds": seconds,
    }


def _sprt_object(sprt: Sprt, tally: Tally) -> dict[str, Any]:
    return {
        **asdict(sprt),
        "llr": sprt.llr(tally.pairs),
        "lower": sprt.lower,
        "upper": sprt.upper,
        "passed": sprt.decision(tally.pairs),
    }


def result_lines(tally: Tally, sprt: Sprt | None) -> Iterator[str]:
    """Yield the result in the lines that stand in a commit message."""
    told = tally.rating()
    yield f"games {tally.games}: {tally.wins} won, {tally.draws} drawn, {tally.losses} lost"
    yield f"pairs with 0, 1/2, 1, 3/2, 2 points: {', '.join(map(str, tally.pairs))}"
    yield f"score {told.score:.1%} +- {told.score_error:.1%}"
    yield (
        f"Elo {told.elo:+.1f} +- {told.elo_error:.1f}, normalised Elo {told.nelo:+.1f} +- {told.nelo_error:.1f}, "
        f"likelihood of superiority {told.los:.1%}"
    )
    if sprt is not None:
        verdict = {True: "passed", False: "failed", None: "undecided"}[sprt.decision(tally.pairs)]
        yield (
            f"SPRT {verdict}: LLR {sprt.llr(tally.pairs):+.2f} ({sprt.lower:.2f}, {sprt.upper:.2f}), normalised Elo "
            f"{sprt.nelo0:g} against {sprt.nelo1:g}, alpha {sprt.alpha:g}, beta {sprt.beta:g}"
        )


def game_lines(tally: Tally) -> Iterator[str]:
    """Yield how the games went."""
    games = max(tally.games, 1)
    ends = ", ".join(f"{name} {count / games:.1%}" for name, count in tally.terminations.most_common())
    yield f"draws: {tally.draws / games:.1%}"
    yield f"ends: {ends}"
    yield f"plies a game: {tally.plies / games:.0f}, at most {tally.longest}"
    yield f"score of the first seat: {tally.first / games:.1%}"


def players_table(match: Match, tally: Tally) -> "Table":
    """Return what each player used and how it failed, as a table."""
    from rich.box import SIMPLE
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=SIMPLE)
    table.add_column("player")
    for name in ("nodes a move", "ms a move", "nodes a second", *_CAUSES.values()):
        table.add_column(name, justify="right")
    for spec, spent, faults in zip(match.players, tally.spent, tally.faults, strict=True):
        decisions = max(spent.decisions, 1)
        table.add_row(
            escape(str(spec)),
            f"{spent.nodes / decisions:,.0f}" if spent.nodes else "-",
            f"{1000 * spent.seconds / decisions:.3f}",
            f"{spent.nodes / spent.seconds:,.0f}" if spent.nodes and spent.seconds else "-",
            *(str(faults[fault]) for fault in _CAUSES),
        )
    return table
