"""Who takes whom: every pair of every ranking on every pair of neighbouring squares, and every jump of a cannon."""

import random
from collections.abc import Iterator
from itertools import combinations, product

import pytest

from banqi import Position
from reference.banqi import LINES
from reference.banqi_rules import KINDS
from reference.fen import read
from reference.games import parse

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
    "dark-capture": TAIWAN,
    "children": TAIWAN,
    "cannon-chain": TAIWAN,
    "mainland(chain=any)": MAINLAND,
    "double": TAIWAN,
    "double(ranking=hongkong)": HONGKONG,
    "double(ranking=mainland)": MAINLAND,
}
# The same tables decide whether an attempt on a neighbouring square succeeds.
ATTEMPTS = {
    "dark-capture": TAIWAN,
    "children": TAIWAN,
    "hongkong(dark_capture)": HONGKONG,
    "mainland(dark_capture, chain=any)": MAINLAND,
    "cannon-adjacent(dark_capture)": CANNON_ADJACENT,
    "hongkong(cannon=jump, dark_capture)": HONGKONG_JUMP,
    "double(dark_capture)": TAIWAN,
    "double(ranking=hongkong, dark_capture)": HONGKONG,
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


def fen_of(board: dict[str, str], side: str, pool: str = "-", files: str = "abcd") -> str:
    """The text of a position with these pieces."""
    ranks = []
    for row in "87654321":
        cells = "".join(board.get(file + row, ".") for file in files)
        for run in range(len(files), 0, -1):
            cells = cells.replace("." * run, str(run))
        ranks.append(cells)
    return f"{'/'.join(ranks)} {side} {pool} - 0"


def files_of(rules: str) -> str:
    """The columns of a rule set's board."""
    return "abcdefgh" if rules.startswith("double") else "abcd"


def neighbours(direction: str, files: str) -> list[tuple[str, str]]:
    """Every (square, its neighbour in that direction) of a board."""
    right, up = DIRECTIONS[direction]
    found = []
    for column in range(len(files)):
        for row in range(1, 9):
            if 0 <= column + right < len(files) and 1 <= row + up <= 8:
                found.append((f"{files[column]}{row}", f"{files[column + right]}{row + up}"))
    return found


@pytest.mark.parametrize("rules", GRIDS)
def test_a_grid_names_all_49_pairs(rules: str) -> None:
    assert set(pairs(GRIDS[rules])) == {(attacker, victim) for attacker in KINDS for victim in KINDS}


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("rules", GRIDS)
def test_adjacent_captures_are_those_of_the_grid(rules: str, direction: str) -> None:
    files = files_of(rules)
    wrong = []
    for (attacker, victim), takes in pairs(GRIDS[rules]).items():
        for square, beside in neighbours(direction, files):
            red = fen_of({square: attacker, beside: victim.lower()}, "r", files=files)
            black = fen_of({square: attacker.lower(), beside: victim}, "b", files=files)
            for fen in (red, black):
                if (square + beside in Position.from_fen(fen, rules=rules).legal_moves) != takes:
                    wrong.append(f"{attacker}x{victim} {fen}")
    assert not wrong


@pytest.mark.parametrize("rules", GRIDS)
def test_an_adjacent_capture_moves_the_capturer_onto_the_victim(rules: str) -> None:
    files = files_of(rules)
    for (attacker, victim), takes in pairs(GRIDS[rules]).items():
        if takes:
            # A third piece, so that the game goes on.
            before = fen_of({"b4": attacker, "b5": victim.lower(), "d8": "n"}, "r", files=files)
            position = Position.from_fen(before, rules=rules)
            position.push("b4b5")
            assert position.fen() == fen_of({"b5": attacker, "d8": "n"}, "b", files=files)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("rules", ATTEMPTS)
def test_an_adjacent_attempt_succeeds_where_the_grid_takes(rules: str, direction: str) -> None:
    files = files_of(rules)
    square = "b4"
    beside = dict(neighbours(direction, files))[square]
    jumping = "C" not in "".join(attacker for (attacker, _), takes in pairs(ATTEMPTS[rules]).items() if takes)
    for (attacker, victim), takes in pairs(ATTEMPTS[rules]).items():
        for shown in (victim, victim.lower()):
            # A general of its own colour would be the second.
            if attacker == shown == "K" and files == "abcd":
                continue
            before = fen_of({square: attacker, beside: "x", "d8": "n"}, "r", shown, files=files)
            position = Position.from_fen(before, rules=rules)
            if attacker == "C" and jumping:
                assert square + beside not in position.legal_moves
                continue
            position.push(square + beside + shown)
            if takes and shown.islower():
                assert position.fen() == fen_of({beside: attacker, "d8": "n"}, "b", files=files)
            else:
                assert position.fen() == fen_of({square: attacker, beside: shown, "d8": "n"}, "b", files=files)


def jump_boards(square: str, files: str, rng: random.Random) -> Iterator[tuple[dict[str, str], str, str, str]]:
    """Every target on every line of a cannon's square, with 0, 1 and 2 pieces in between, all of every sort.

    On the large board there is 1 in between at most. Yields the pieces by square, the side to move, the pool, and the
    target's square.
    """
    for line in LINES[files][square]:
        for distance, target in enumerate(line):
            between = line[:distance]
            two = combinations(between, 2) if files == "abcd" else ()
            for screens in [(), *combinations(between, 1), *two]:
                for sorts in product(("own", "enemy", "hidden"), repeat=len(screens) + 1):
                    side = rng.choice("rb")
                    # A far piece keeps the enemy in the game. Soldiers are many enough for every other need.
                    *enemies, bystander = rng.sample("kgmrncp", 4)
                    pieces = {"own": "P", "hidden": "x"}
                    board = {
                        at: pieces.get(sort) or enemies.pop()
                        for at, sort in zip((*screens, target), sorts, strict=True)
                    }
                    board |= {square: "C", aside(square): bystander}
                    if side == "b":
                        board = {at: letter if letter == "x" else letter.swapcase() for at, letter in board.items()}
                    yield board, side, "".join(rng.choice("Pp") for sort in sorts if sort == "hidden") or "-", target


def aside(square: str) -> str:
    """A square that shares no line with this one and is not beside it."""
    return ("c" if square[0] in "ab" else "b") + ("8" if square[1] in "1234" else "1")


@pytest.mark.parametrize(
    ("rules", "jumps"),
    [
        # From all squares there are 64 pairs of a screen and a farther target in rows and 448 in columns; each pair is
        # one jump for each of the three sorts of screen, onto an enemy or, as an attempt, onto a face-down piece.
        ("taiwan", 3 * (64 + 448)),
        ("cannon-adjacent", 3 * (64 + 448)),
        ("hongkong(cannon=jump)", 3 * (64 + 448)),
        ("mainland", 0),
        ("dark-capture", 2 * 3 * (64 + 448)),
        ("children(cannon_adjacent)", 2 * 3 * (64 + 448)),
        ("mainland(dark_capture)", 0),
        # A face-down piece is neither screen nor target.
        ("cannon-chain", 2 * (64 + 448)),
        ("cannon-adjacent(screens=faceup, dark_capture)", 2 * (64 + 448)),
        # There are 896 such pairs in rows of eight, and as many in columns.
        ("double", 3 * (896 + 896)),
        ("double(screens=faceup)", 2 * (896 + 896)),
        ("double(dark_capture)", 2 * 3 * (896 + 896)),
    ],
)
def test_a_cannon_jumps_over_one_screen_of_any_sort(rules: str, jumps: int) -> None:
    rng = random.Random(rules)
    switches = parse(rules)
    found = 0
    wrong = []
    files = files_of(rules)
    for square in LINES[files]:
        for board, side, pool, target in jump_boards(square, files, rng):
            fen = fen_of(board, side, pool, files)
            legal = {move.wire() for move in Position.from_fen(fen, rules=rules).legal_moves}
            if legal != read(fen, switches).legal():
                wrong.append(fen)
            beside = any(line[0] == target for line in LINES[files][square])
            found += square + target in legal and not beside
    assert not wrong
    assert found == jumps
