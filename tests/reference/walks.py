"""Seeded random games and positions, the food of tests that compare."""

from __future__ import annotations

import random

from reference import fen as text
from reference.game import Game
from reference.position import HIDDEN, LETTERS, Position
from reference.rules import Rules


def random_action(game: Game, rng: random.Random, habit: float = 0.0) -> str:
    """One legal action, every request alike, its reveal drawn from the pool.

    `habit` is the chance that a side goes back where it came from, or does again what it did 4 or 8 plies ago; games
    of such players repeat themselves.
    """
    legal = game.legal()
    if rng.random() < habit:
        own = [game.actions[-back] for back in (2, 4, 8) if back <= len(game.actions)]
        wishes = [action[2:] + action[:2] for action in own[:1]] + own[1:]
        usual = [action for action in wishes if action in legal and len(set(action[:2])) == 2]
        if usual:
            return rng.choice(usual)
    request = rng.choice(sorted(legal))
    outcomes = game.outcomes(request)
    if not outcomes:
        return request
    return request + rng.choices(list(outcomes), list(outcomes.values()))[0]


def random_fen(rules: Rules, rng: random.Random, *, pieces: int, hidden: int, rows: int = 8) -> str:
    """A position that is not refused, with so many pieces on the lowest rows, so many of them face down.

    Needs 2 pieces at least, and fewer face-down pieces than pieces.
    """
    everything = [letter for letter in LETTERS for _ in range(rules.count(letter.upper()))]
    squares = [f"{file}{row}" for file in rules.files for row in range(1, rows + 1)]
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


def random_endgame(rules: Rules, rng: random.Random) -> str:
    """A position with few pieces, one in three of them crowded, so that a side can be unable to move."""
    rows = rng.choice((2, 8, 8))
    pieces = rng.randint(2, 8)
    return random_fen(rules, rng, pieces=pieces, hidden=rng.randrange(pieces // 2), rows=rows)
