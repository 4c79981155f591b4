"""Seeded random games and positions, the food of tests that compare."""

from __future__ import annotations

import random

from reference import fen as text
from reference.game import Game
from reference.position import HIDDEN, LETTERS, Position
from reference.rules import KINDS, NAMED, Rules, parse

# What a random combination of switches may hold of each option beside what its name brings.
OPTIONS = {
    "cannon": ("jump", "step"),
    "chain": ("none", "any", "any", "cannon"),
    "screens": ("any", "faceup"),
    "repetition": ("2", "3", "4", "cycle", "none"),
    "perpetual": ("draw", "loses", "loses"),
}
FLAGS = ("cannon_adjacent", "dark_capture")
QUIET_LIMITS = (5, 8, 20, 40)


def random_rules(rng: random.Random) -> str:
    """A legal combination of switches, every third on the large board, most with a small quiet limit."""
    while True:
        name = rng.choice([*NAMED, "double", "double", "double"])
        options = [f"{option}={rng.choice(words)}" for option, words in OPTIONS.items() if rng.random() < 0.4]
        options += [flag for flag in FLAGS if rng.random() < 0.4]
        if name == "double" and rng.random() < 0.7:
            options.append(f"ranking={rng.choice(('taiwan', 'hongkong', 'mainland'))}")
        if rng.random() < 0.8:
            options.append(f"quiet_limit={rng.choice(QUIET_LIMITS)}")
        rng.shuffle(options)
        text = f"{name}({', '.join(options)})" if options else name
        try:
            parse(text)
        except ValueError:
            continue
        return text


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


def random_fen(rules: Rules, rng: random.Random, *, red: int, black: int, hidden: int, rows: int = 8) -> str:
    """A position with so many pieces of each side on the lowest rows, so many of all of them face down.

    It is never refused: each side needs 1 piece at least, and 1 piece at least is face up.
    """
    chosen = [
        letter
        for pieces, kinds in ((red, KINDS), (black, KINDS.lower()))
        for letter in rng.sample([kind for kind in kinds for _ in range(rules.count(kind.upper()))], pieces)
    ]
    squares = [f"{file}{row}" for file in rules.files for row in range(1, rows + 1)]
    board = dict(zip(rng.sample(squares, len(chosen)), chosen, strict=True))
    pool = dict.fromkeys(LETTERS, 0)
    for square in rng.sample(sorted(board), hidden):
        pool[board[square]] += 1
        board[square] = HIDDEN
    quiet = rng.randrange(min(rules.quiet_limit, 8))
    return text.write(Position(rules, board, pool, rng.choice("rb"), quiet=quiet))


def random_endgame(rules: Rules, rng: random.Random) -> str:
    """A position with few pieces, one in three of them crowded; where there are attempts more of them are face down."""
    red, black = rng.randint(1, 4), rng.randint(1, 4)
    hidden = rng.randrange(min(5, red + black) if rules.dark_capture else 2)
    return random_fen(rules, rng, red=red, black=black, hidden=hidden, rows=rng.choice((2, 8, 8)))


def random_enclosure(rules: Rules, rng: random.Random) -> str:
    """A position in which one side has a single piece, crowded by others, so that it is often unable to move."""
    many = rng.randint(4, 6)
    red, black = rng.choice(((1, many), (many, 1)))
    return random_fen(rules, rng, red=red, black=black, hidden=rng.choice((0, 0, 0, 1)), rows=2)
