"""Paired games of the engine against players of known weakness: the same hidden layout twice, seats swapped.

    python bench/matches.py --rules junqi --opponent greedy
    python bench/matches.py --rules junqi --opponent random

Every game depends on its number and the options alone. Beside the score stands its 95 % confidence interval, by the
normal approximation over the pairs.
"""

import argparse
import math
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import mean, stdev
from typing import Final, NamedTuple

from players import EnginePlayer, GreedyPlayer, Player, RandomPlayer
from rich.progress import track

from banqi import BanqiError, Deal, Limit, Position, Rules

OPPONENTS: Final = {"greedy": GreedyPlayer, "random": RandomPlayer}


class Played(NamedTuple):
    """A game: the engine's result, 1, 0.5 or 0, why it ended, and its actions."""

    score: float
    termination: str
    actions: int


def pair(number: int, *, rules: str, opponent: str, nodes: int) -> tuple[Played, Played]:
    """Play one layout twice, the engine in the first seat and then in the second."""
    games = []
    for seat in (0, 1):
        players: list[Player] = [OPPONENTS[opponent](f"{rules} {opponent} {number} {seat}")]
        players.insert(seat, EnginePlayer(nodes))
        try:
            games.append(game(Deal(rules, number), players, seat))
        finally:
            for player in players:
                player.close()
    return games[0], games[1]


def game(deal: Deal, players: list[Player], seat: int) -> Played:
    """Play a game to its end; the score is that of the player in `seat`."""
    position = Position(deal.rules)
    while (outcome := position.outcome()) is None:
        move = players[position.seat].move(position)
        if position.outcomes(move)[0].move.reveal is not None:
            move = position.read_move(f"{move}({deal.reveal(move.to_square)})")
        position.push(move)
    score = 0.5
    if outcome.winner is not None:
        # The side to move is that of the seat to act.
        score = float((outcome.winner == position.side) == (seat == position.seat))
    return Played(score, outcome.termination.value, len(position.move_stack))


def report(pairs: list[tuple[Played, Played]]) -> Iterator[str]:
    """Yield what came out."""
    games = [played for both in pairs for played in both]
    scores = [mean(played.score for played in both) for both in pairs]
    half = 1.96 * stdev(scores) / math.sqrt(len(pairs)) if len(pairs) > 1 else math.nan
    wins, draws, losses = (sum(played.score == score for played in games) for score in (1.0, 0.5, 0.0))
    share = draws / len(games)
    yield f"games {len(games)}: {wins} won, {draws} drawn, {losses} lost"
    yield f"score {mean(scores):.1%} +- {half:.1%}"
    yield f"draws {share:.1%} +- {1.96 * math.sqrt(share * (1 - share) / len(games)):.1%}"
    for reason in sorted({played.termination for played in games}):
        yield f"{reason}: {sum(played.termination == reason for played in games)}"
    yield f"actions a game: {mean(played.actions for played in games):.0f}"


def main() -> None:
    """Play, and print the figures."""
    parser = argparse.ArgumentParser(description="Play paired games of the engine against a weak player.")
    parser.add_argument("--rules", default="junqi")
    parser.add_argument("--opponent", choices=sorted(OPPONENTS), default="greedy")
    parser.add_argument("--games", type=int, default=400, help="an even number")
    parser.add_argument("--nodes", type=int, default=2000, help="for each move of the engine")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.games < 2 or options.games % 2:
        parser.error(f"--games is an even number from 2 on, not {options.games}")
    if options.jobs < 1:
        parser.error(f"--jobs is a number from 1 on, not {options.jobs}")
    try:
        Rules.parse(options.rules)
        Limit(nodes=options.nodes)
    except BanqiError as error:
        parser.error(str(error))
    work = partial(pair, rules=options.rules, opponent=options.opponent, nodes=options.nodes)
    with ProcessPoolExecutor(options.jobs) as executor:
        pairs = list(track(executor.map(work, range(options.games // 2)), "playing", options.games // 2))
    print(f"{options.rules}, {options.nodes} nodes a move against {options.opponent}")
    for line in report(pairs):
        print(line)


if __name__ == "__main__":
    main()
