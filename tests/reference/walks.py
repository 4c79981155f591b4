"""Seeded random games and positions, the food of tests that compare."""

from __future__ import annotations

import random

from reference import fen as text
from reference.game import Game
from reference.position import HIDDEN, LETTERS, Position
from reference.rules import Rules


def random_action(game: Game, rng: random.Random) -> str:
    """One legal action, every request alike, its reveal drawn from the pool."""
    request = rng.choice(sorted(game.legal()))
    outcomes = game.outcomes(request)
    if not outcomes:
        return request
    return request + rng.choices(list(outcomes), list(outcomes.values()))[0]


def random_fen(rules: Rules, rng: random.Random, pieces: int, hidden: int) -> str:
    """A position with so many pieces on the board, some of them face down, that is not refused.

    Needs 2 pieces at least, and fewer face-down pieces than pieces.
    """
    everything = [letter for letter in LETTERS for _ in range(rules.count(letter.upper()))]
    squares = [f"{file}{row}" for file in rules.files for row in range(1, 9)]
    while True:
        chosen = rng.sample(everything, pieces)
        board = dict(zip(rng.sample(squares, pieces), chosen, strict=True))
        pool = dict.fromkeys(LETTERS, 0)
        for square in rng.sample(sorted(board), hidden):
            pool[board[square]] += 1
            board[square] = HIDDEN
        quiet = rng.randrange(min(rules.quiet_limit, 8))
        position = Position(rules, board, pool, rng.choice("rb"), quiet=quiet)
        if not position.lost("r") and not position.lost("b"):
            return text.write(position)
