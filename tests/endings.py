"""Endings for tests: positions of a material, at random or all."""

import random
from collections.abc import Iterator
from itertools import permutations

from banqi import Position
from banqi.notation import Setup, format_fen
from banqi.rules import Rules
from banqi.tablebase.build import classes_of
from banqi.tablebase.classes import Material

SQUARES = 32


def position(rules: str, pieces: dict[int, str], side: str, pool: str = "") -> Position:
    """The position with these letters on these squares."""
    board = "".join(pieces.get(square, ".") for square in range(SQUARES))
    parsed = Rules.parse(rules)
    return Position.from_fen(format_fen(Setup(board, side, pool, None, 0), parsed), rules=parsed)


def letters(material: Material) -> str:
    """The face-up pieces, then x for each that lies face down."""
    up = "".join(letter * n for letter, n in zip("KGMRNCPkgmrncp", material.up, strict=True))
    return up + "x" * material.hidden


def pool(material: Material) -> str:
    return "".join(letter * n for letter, n in zip("KGMRNCPkgmrncp", material.down, strict=True))


def at_random(rules: str, pieces: int, hidden: int, seed: int, count: int) -> Iterator[Position]:
    """Positions of all classes in turn, of a random material and with random squares."""
    rng = random.Random(seed)
    classes = classes_of(Rules.parse(rules))
    entries = classes.of_size(pieces, hidden)
    for number in range(count):
        material = rng.choice(classes.members(entries[number % len(entries)])).material
        squares = rng.sample(range(SQUARES), pieces)
        placed = dict(zip(squares, letters(material), strict=True))
        yield position(rules, placed, rng.choice("rb"), pool(material))


def at_random_of(material: Material, seed: int, count: int) -> Iterator[Position]:
    """Positions of one material under the rules `taiwan` that are not over, with random squares."""
    rng = random.Random(seed)
    while count:
        squares = rng.sample(range(SQUARES), material.pieces)
        placed = position(
            "taiwan", dict(zip(squares, letters(material), strict=True)), rng.choice("rb"), pool(material)
        )
        if placed.outcome() is None:
            yield placed
            count -= 1


def all_of(rules: str, material: str) -> Iterator[Position]:
    """All positions of a material, several times where pieces are equal."""
    parsed = Material.parse(material)
    for squares in permutations(range(SQUARES), parsed.pieces):
        for side in "rb":
            yield position(rules, dict(zip(squares, letters(parsed), strict=True)), side, pool(parsed))
