"""Seeded random games and positions, the food of tests that compare."""

from __future__ import annotations

import random

from reference import fen as text
from reference import games
from reference.action import END, parts
from reference.game import Game
from reference.games import NAMED, parse
from reference.position import HIDDEN
from reference.rules import Rules

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
        if name == "junqi":
            options = [option for option in options if option.startswith("repetition")]
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
        wishes = [backwards(action) for action in own[:1]] + own[1:]
        if usual := [action for action in wishes if action in legal and action != END]:
            return rng.choice(usual)
    request = rng.choice(sorted(legal))
    outcomes = game.outcomes(request)
    if not outcomes:
        return request
    return request + rng.choices(list(outcomes), list(outcomes.values()))[0]


def backwards(action: str) -> str:
    """The action that goes the other way; none is legal that way if something was shown."""
    if action == END:
        return END
    square, to, shown = parts(action)
    return to + square + shown


def random_fen(rules: Rules, rng: random.Random, *, red: int, black: int, hidden: int, rows: int | None = None) -> str:
    """A position with so many pieces of each side on the lowest rows, so many of all of them face down.

    It is never refused: each side needs 1 piece at least, its vital one if there is one, and 1 piece at least is face
    up.
    """
    chosen: list[str] = []
    for pieces, case in ((red, str.upper), (black, str.lower)):
        others = [kind for kind in rules.kinds for _ in range(rules.count(kind)) if kind not in rules.vital]
        chosen += map(case, [*rules.vital, *rng.sample(others, pieces - len(rules.vital))])
    rng.shuffle(chosen)
    pool = {letter: chosen[:hidden].count(letter) for letter in rules.letters}
    shown = [HIDDEN] * hidden + chosen[hidden:]
    # What gets into no camp is placed first.
    squares = rules.squares[: len(rules.files) * (rows or rules.rows)]
    settled = [letter for letter in shown if letter == HIDDEN or letter.upper() in rules.camp_shy]
    posts = [square for square in squares if square not in rules.camps]
    board = dict(zip(rng.sample(posts, len(settled)), settled, strict=True))
    moving = [letter for letter in shown if letter not in settled]
    free = [square for square in squares if square not in board]
    board.update(zip(rng.sample(free, len(moving)), moving, strict=True))
    quiet = rng.randrange(min(rules.quiet_limit, 8))
    return text.write(games.position(rules, board, pool, rng.choice("rb"), quiet=quiet))


def random_endgame(rules: Rules, rng: random.Random) -> str:
    """A position with few pieces, one in three of them crowded; where there are attempts more of them are face down."""
    least = len(rules.vital)
    red, black = least + rng.randint(1, 4), least + rng.randint(1, 4)
    hidden = rng.randrange(min(5, red + black) if rules.dark_capture else 2)
    return random_fen(rules, rng, red=red, black=black, hidden=hidden, rows=rng.choice((2, None, None)))


def random_enclosure(rules: Rules, rng: random.Random) -> str:
    """A position in which one side has one piece (and a vital one), crowded, so that it is often unable to move."""
    few, many = len(rules.vital) + 1, rng.randint(4, 6)
    red, black = rng.choice(((few, many), (many, few)))
    return random_fen(rules, rng, red=red, black=black, hidden=rng.choice((0, 0, 0, 1)), rows=2)
