"""Paired games against OpenSpiel's MCTS bot under OpenSpiel's rules: `python bench/open_spiel_match.py --help`."""

import os
from pathlib import Path
from time import perf_counter

import click
import pyspiel
from ledger import Row, done

from banqi import Deal, Engine, Limit, Move, Position
from banqi.arena.ratings import rating

# Both without repetition; OpenSpiel's other differences only matter once a side has lost all its pieces.
RULES = "taiwan(repetition=none)"
GAME = "banqi(max_no_progress=180)"
IDENTITIES = "KGMRNCPkgmrncp"
"""Pieces in OpenSpiel's order."""
SQUARES = [file + rank for file in "abcd" for rank in "12345678"]
"""Squares in OpenSpiel's order."""
EXPLORATION = 2.0
HASH_MB = 64


def action_of(request: str) -> int:
    """OpenSpiel's number of a move or a flip: first all flips, then every pair of from and to."""
    start, target = SQUARES.index(request[:2]), SQUARES.index(request[2:4])
    return start if start == target else len(SQUARES) * (1 + start) + target


def request_of(action: int) -> str:
    """The same way back."""
    start, target = (action, action) if action < len(SQUARES) else divmod(action - len(SQUARES), len(SQUARES))
    return SQUARES[start] + SQUARES[target]


def play(task: Row, number: int) -> Row:
    """Play a game; those numbered 2n and 2n + 1 have the same deal, and the engine the other seat."""
    deal = Deal(RULES, seed=task["seed"] + number // 2)
    game = pyspiel.load_game(GAME)
    evaluator = pyspiel.RandomRolloutEvaluator(1, number)
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, task["simulations"], 1000, True, number, False)
    state, position, seat = game.new_initial_state(), Position(RULES), number % 2
    used = [0.0, 0.0]
    with Engine(hash_mb=HASH_MB, seed=number) as engine:
        while not state.is_terminal():
            mover, started = state.current_player(), perf_counter()
            if position.outcome() is not None:
                # Nothing is left of a side, but OpenSpiel wants the rest turned up.
                action = min(state.legal_actions())
            elif mover == seat:
                action = action_of(engine.play(position, Limit(time=task["time"])).move.wire())
            else:
                action = bot.step(state)
            used[mover != seat] += perf_counter() - started
            request = request_of(action)
            state.apply_action_with_legality_check(action)
            if state.is_chance_node():
                identity = deal.reveal(Move.from_text(request).to_square)
                state.apply_action_with_legality_check(IDENTITIES.index(identity))
                request += identity
            if position.outcome() is None:
                position.push(Move.from_text(request))
    return {"score": (state.returns()[seat] + 1) / 2, "plies": state.move_number(), "seconds": used}


@click.command()
@click.option("--games", default=400, show_default=True, type=click.IntRange(2), help="An even number.")
@click.option("--time", default=0.05, show_default=True, type=click.FloatRange(0.001), help="Seconds of our move.")
@click.option("--simulations", default=300, show_default=True, type=click.IntRange(2), help="Of the bot's move.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0))
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True, type=click.IntRange(1))
@click.option("--record", default="open_spiel.jsonl", show_default=True, help="The file to keep results in.")
def main(games: int, time: float, simulations: int, seed: int, jobs: int, record: str) -> None:
    """Play against pyspiel.MCTSBot with its random rollout evaluator; each deal twice, with the seats swapped."""
    if games % 2:
        raise click.BadParameter("games are played in pairs: an even number", param_hint="--games")
    task = {"time": time, "simulations": simulations, "seed": seed}
    rows = done(Path(record), task, games, play, jobs)
    scores = [row["score"] for row in rows]
    pairs = [0] * 5
    for one, other in zip(scores[::2], scores[1::2], strict=True):
        pairs[round(2 * (one + other))] += 1
    found = rating(pairs)
    click.echo(f"games {games}: {scores.count(1.0)} won, {scores.count(0.5)} drawn, {scores.count(0.0)} lost")
    click.echo(f"pairs with 0, 1/2, 1, 3/2, 2 points: {', '.join(map(str, pairs))}")
    click.echo(f"score {found.score:.1%} +- {found.score_error:.1%}, Elo {found.elo:+.0f} +- {found.elo_error:.0f}")
    ours, theirs = (sum(row["seconds"][which] for row in rows) for which in (0, 1))
    click.echo(f"seconds in all: {ours:.0f} of ours, {theirs:.0f} of the bot's")


if __name__ == "__main__":
    main()
