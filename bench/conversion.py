"""Are won positions won? Random endings that a long search sees as won, played out: see `--help`."""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import click
from ledger import Row, done

from banqi import Engine, Limit, Position
from banqi.notation import Setup, format_fen
from banqi.rules import Rules

HASH_MB = 64
GLANCE_NODES = 20_000
GLANCE = 0.75
"""What a short search has to see before the long one is asked."""
SHORT = 0.05
LONG = 0.5
"""Seconds a move: of the side that should win, and of its opponent."""


def endings(rules: Rules, rng: random.Random, men: tuple[int, int]) -> Iterator[Position]:
    """Positions that are not over: so many pieces, drawn from a whole set, all face up on random squares."""
    everyone = "".join(letter * rules.set_counts[letter.upper()] for letter in rules.letters)
    while True:
        chosen = rng.sample(everyone, rng.randint(*men))
        squares = rng.sample(range(rules.geometry.squares), len(chosen))
        placed = dict(zip(squares, chosen, strict=True))
        board = "".join(placed.get(square, ".") for square in range(rules.geometry.squares))
        position = Position.from_fen(format_fen(Setup(board, rng.choice("rb"), "", None, 0), rules), rules)
        if position.outcome() is None:
            yield position


def play(task: Row, number: int) -> Row:
    """Find the position of a number and play it out."""
    rng = random.Random(f"{task['seed']} {number}")
    rules, looked_at = Rules.parse(task["rules"]), 0
    with Engine(hash_mb=HASH_MB) as winner, Engine(hash_mb=HASH_MB) as loser:
        for position in endings(rules, rng, (task["fewest"], task["most"])):
            looked_at += 1
            winner.clear()
            if winner.play(position, Limit(nodes=GLANCE_NODES)).info.score.value < GLANCE:
                continue
            score = winner.play(position, Limit(time=task["seconds"])).info.score
            if score.value >= task["won"]:
                break
        winner.clear()
        fen, side = position.fen(), position.side
        while (outcome := position.outcome()) is None:
            engine, seconds = (winner, SHORT) if position.side == side else (loser, LONG)
            position.push(engine.play(position, Limit(time=seconds)).move)
    return {
        "fen": fen,
        "score": score.value,
        "proven": score.proven,
        "looked_at": looked_at,
        "won": outcome.winner == side,
        "termination": str(outcome.termination),
        "plies": len(position.move_stack),
    }


@click.command()
@click.option("--games", default=200, show_default=True, type=click.IntRange(1))
@click.option("--rules", default="taiwan", show_default=True)
@click.option("--fewest", default=6, show_default=True, type=click.IntRange(3, 32), help="Pieces on the board.")
@click.option("--most", default=10, show_default=True, type=click.IntRange(3, 32))
@click.option("--seconds", default=5.0, show_default=True, type=click.FloatRange(0.01), help="Of the long search.")
@click.option("--won", default=0.9, show_default=True, type=click.FloatRange(0, 1), help="What it has to see.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0))
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True, type=click.IntRange(1))
@click.option("--record", default="conversion.jsonl", show_default=True, help="The file to keep results in.")
def main(
    games: int, rules: str, fewest: int, most: int, seconds: float, won: float, seed: int, jobs: int, record: str
) -> None:
    """Play random endings that a long search sees as won, at 50 ms a move against the same engine at 500 ms."""
    if fewest > most:
        raise click.BadParameter("more than --most", param_hint="--fewest")
    task = {"rules": rules, "fewest": fewest, "most": most, "seconds": seconds, "won": won, "seed": seed}
    rows = done(Path(record), task, games, play, jobs)
    count = sum(row["won"] for row in rows)
    open_ = [row["won"] for row in rows if not row["proven"]]
    click.echo(f"{count} of {games} won ({count / games:.1%}); of {len(open_)} not proven at the start {sum(open_)}")
    for row in rows:
        if not row["won"]:
            click.echo(f"{row['termination']} after {row['plies']} plies, {row['score']:.3f}: {row['fen']}")


if __name__ == "__main__":
    main()
