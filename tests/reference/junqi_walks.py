"""Seeded random games and positions of Junqi, the food of tests that compare."""

from __future__ import annotations

import random

from reference import junqi_fen as text
from reference.junqi import Position, parts
from reference.junqi_board import NODES, POSTS
from reference.junqi_game import Game
from reference.junqi_rules import LETTERS, SET, Rules
from reference.position import HIDDEN


def random_action(game: Game, rng: random.Random, habit: float = 0.0) -> str:
    """One legal action, every request alike, its reveal drawn from the pool.

    `habit` is the chance that a side goes back where it came from, if it may: games of such players repeat themselves.
    """
    if rng.random() < habit and len(game.actions) > 1:
        square, to, shown = parts(game.actions[-2])
        if not shown and to + square in game.legal():
            return to + square
    request = rng.choice(sorted(game.legal()))
    outcomes = game.outcomes(request)
    if not outcomes:
        return request
    return request + rng.choices(list(outcomes), list(outcomes.values()))[0]


def random_fen(rules: Rules, rng: random.Random, *, pieces: int, hidden: int = 0) -> str:
    """A position with both flags among so many pieces, so many of all of them face down.

    It is never refused: there are 2 to 50 pieces, and 1 at least is face up.
    """
    others = [letter for letter in LETTERS for _ in range(SET[letter.upper()]) if letter not in "Ff"]
    chosen = ["F", "f", *rng.sample(others, pieces - 2)]
    rng.shuffle(chosen)
    pool = dict.fromkeys(LETTERS, 0)
    for letter in chosen[:hidden]:
        pool[letter] += 1
    shown = [HIDDEN] * hidden + chosen[hidden:]
    # What gets into no camp is placed first.
    settled = [letter for letter in shown if letter.upper() in (*"FL", HIDDEN.upper())]
    board = dict(zip(rng.sample(POSTS, len(settled)), settled, strict=True))
    moving = [letter for letter in shown if letter not in settled]
    free = [node for node in NODES if node not in board]
    board.update(zip(rng.sample(free, len(moving)), moving, strict=True))
    return text.write(Position(rules, board, pool, rng.choice("rb"), rng.randrange(min(rules.quiet_limit, 8))))


def random_endgame(rules: Rules, rng: random.Random) -> str:
    """A position with few pieces, some of them face down."""
    pieces = rng.randint(4, 12)
    return random_fen(rules, rng, pieces=pieces, hidden=rng.choice((0, 0, 1, 3)))
