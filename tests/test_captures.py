"""Who takes whom: every pair of every ranking on every pair of neighbouring squares, and every jump of a cannon."""

import random
from collections.abc import Iterator

import pytest

from banqi import Move, Position
from reference.fen import read, write
from reference.position import END, LETTERS, LINES
from reference.position import Position as ReferencePosition
from reference.rules import KINDS, parse

# Section 3 of the rules page, typed by hand: attackers down, victims across, x where the one takes the other.
TAIWAN = """
  K G M R N C P
K x x x x x x .
G . x x x x x x
M . . x x x x x
R . . . x x x x
N . . . . x x x
C . . . . . . .
P x . . . . . x
"""
HONGKONG = """
  K R N C G M P
K x x x x x x .
R . x x x x x x
N . . x x x x x
C . . . x x x x
G . . . . x x x
M . . . . . x x
P x . . . . . x
"""
MAINLAND = """
  K G M R N C P
K x x x x x x x
G . x x x x x x
M . . x x x x x
R . . . x x x x
N . . . . x x x
C . . . . . x x
P x . . . . . x
"""
CANNON_ADJACENT = """
  K G M R N C P
K x x x x x x .
G . x x x x x x
M . . x x x x x
R . . . x x x x
N . . . . x x x
C . . . . . x x
P x . . . . . x
"""
HONGKONG_JUMP = """
  K R N G M P C
K x x x x x . x
R . x x x x x x
N . . x x x x x
G . . . x x x x
M . . . . x x x
P x . . . . x .
C . . . . . . .
"""
MAINLAND_JUMP = """
  K G M R N P C
K x x x x x x x
G . x x x x x x
M . . x x x x x
R . . . x x x x
N . . . . x x x
P x . . . . x .
C . . . . . . .
"""
GRIDS = {
    "taiwan": TAIWAN,
    "hongkong": HONGKONG,
    "mainland": MAINLAND,
    "cannon-adjacent": CANNON_ADJACENT,
    "hongkong(cannon=jump)": HONGKONG_JUMP,
    "mainland(cannon=jump)": MAINLAND_JUMP,
}
DIRECTIONS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}


def pairs(grid: str) -> dict[tuple[str, str], bool]:
    """The 49 pairs of a grid: (attacker, victim) and whether the attacker takes."""
    header, *rows = grid.strip().splitlines()
    found = {}
    for row in rows:
        attacker, *marks = row.split()
        found.update({(attacker, victim): mark == "x" for victim, mark in zip(header.split(), marks, strict=True)})
    return found


def fen_of(board: dict[str, str], side: str, pool: str = "-") -> str:
    """The text of a 4 x 8 position with these pieces."""
    ranks = []
    for row in "87654321":
        cells = "".join(board.get(file + row, ".") for file in "abcd")
        for run in (4, 3, 2, 1):
            cells = cells.replace("." * run, str(run))
        ranks.append(cells)
    return f"{'/'.join(ranks)} {side} {pool} - 0"


def neighbours(direction: str) -> list[tuple[str, str]]:
    """Every (square, its neighbour in that direction) of the 4 x 8 board."""
    right, up = DIRECTIONS[direction]
    found = []
    for column in range(4):
        for row in range(1, 9):
            if 0 <= column + right < 4 and 1 <= row + up <= 8:
                found.append((f"{'abcd'[column]}{row}", f"{'abcd'[column + right]}{row + up}"))
    return found


@pytest.mark.parametrize("rules", GRIDS)
def test_a_grid_names_all_49_pairs(rules: str) -> None:
    assert set(pairs(GRIDS[rules])) == {(attacker, victim) for attacker in KINDS for victim in KINDS}


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("rules", GRIDS)
def test_adjacent_captures_are_those_of_the_grid(rules: str, direction: str) -> None:
    wrong = []
    for (attacker, victim), takes in pairs(GRIDS[rules]).items():
        for square, beside in neighbours(direction):
            red = Position.from_fen(fen_of({square: attacker, beside: victim.lower()}, "r"), rules=rules)
            black = Position.from_fen(fen_of({square: attacker.lower(), beside: victim}, "b"), rules=rules)
            for position in (red, black):
                if (Move.from_text(square + beside) in position.legal_moves) != takes:
                    wrong.append(f"{attacker}x{victim} {position.fen()}")
    assert not wrong


@pytest.mark.parametrize("rules", GRIDS)
def test_an_adjacent_capture_moves_the_capturer_onto_the_victim(rules: str) -> None:
    for (attacker, victim), takes in pairs(GRIDS[rules]).items():
        if takes:
            # A third piece, so that the game goes on.
            position = Position.from_fen(fen_of({"b4": attacker, "b5": victim.lower(), "d8": "n"}, "r"), rules=rules)
            position.push(Move.from_text("b4b5"))
            assert position.fen() == fen_of({"b5": attacker, "d8": "n"}, "b")


def jump_boards(square: str, rng: random.Random) -> Iterator[tuple[dict[str, str], str]]:
    """Boards with a cannon on a square, and the mover: every target, with 0, 1 and 2 pieces of every sort between."""
    for line in LINES["abcd"][square]:
        for distance, target in enumerate(line):
            between = line[:distance]
            one = [[screen] for screen in between]
            two = [[first, second] for first in between for second in between if between.index(first) < between.index(second)]
            for screens in [[], *one, *two]:
                for sorts in words("own enemy hidden".split(), len(screens)):
                    for victim in ("own", "enemy", "hidden"):
                        side = rng.choice("rb")
                        letters = [letter_of(sort, side, rng) for sort in [*sorts, victim]]
                        board = dict(zip([*screens, target], letters, strict=True))
                        yield board | {square: "C" if side == "r" else "c"}, side


def words(letters: list[str], length: int) -> list[list[str]]:
    """All words of that length."""
    if length == 0:
        return [[]]
    return [[letter, *word] for letter in letters for word in words(letters, length - 1)]


def letter_of(sort: str, side: str, rng: random.Random) -> str:
    """A piece of a sort, seen from a side. Soldiers and cannons only, which occur often enough."""
    if sort == "hidden":
        return "x"
    red = (sort == "own") == (side == "r")
    # The line holds three pieces at most besides the cannon: four soldiers are never too many, two cannons could be.
    return "P" if red else rng.choice("kgmrnp")


def with_pool(board: dict[str, str], rng: random.Random) -> str:
    """Identities for the face-down pieces of a board."""
    free = [letter for letter in LETTERS if letter not in board.values()]
    return "".join(rng.sample(free, list(board.values()).count("x"))) or "-"


@pytest.mark.parametrize("file", "abcd")
@pytest.mark.parametrize("rules", ["taiwan", "cannon-adjacent", "hongkong(cannon=jump)", "mainland"])
def test_jumps_are_those_of_the_reference(rules: str, file: str) -> None:
    rng = random.Random(f"{rules} {file}")
    switches = parse(rules)
    jumps = 0
    for row in "12345678":
        for board, side in jump_boards(file + row, rng):
            expected = reference_of(board, side, rng, rules)
    assert jumps
