"""The rules of Banqi once more, for the verifier alone: many positions at a time, in plain array arithmetic.

A second set of rules is what makes a verifier worth having: nothing here comes from the compiled core, the builder, or
the capture tables that they are made from. It is written from the rules page, and tests hold it against the slow
reference. Speed comes from looking at many positions of one material together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from banqi.rules import Rules

Squares = NDArray[np.int64]
"""One row for each piece, one column for each position: where the pieces stand. a1 = 0, b1 = 1, ..., d8 = 31."""
Rows = NDArray[np.int64]
"""Numbers of positions, that is of columns."""
Flags = NDArray[np.bool_]

SQUARES: Final = 32
_FILES: Final = 4
_OUTSIDE: Final = SQUARES

_ORDERS: Final = {"taiwan": "KGMRNP", "hongkong": "KRNCGMP", "mainland": "KGMRNCP"}


def opponent(side: str) -> str:
    """The other of "r" and "b"."""
    return "b" if side == "r" else "r"


def colour(letter: str) -> str:
    """The side that a piece belongs to."""
    return "r" if letter.isupper() else "b"


@dataclass(frozen=True, slots=True)
class Game:
    """What the rules page says of a rule set: its switches are read from `rules`, all else is told here."""

    rules: Rules

    def takes(self, attacker: str, victim: str) -> bool:
        """Whether a piece may take another on a neighbouring square, by their kinds alone (section 3)."""
        one, two = attacker.upper(), victim.upper()
        if self.jumps(one):
            return self.rules.cannon_adjacent and two in "PC"
        if self.jumps(two):
            return one in "KGMRN"
        if one + two == "PK":
            return True
        if one + two == "KP":
            return self.rules.ranking == "mainland"
        order = _ORDERS[self.rules.ranking]
        return order.index(one) <= order.index(two)

    def jumps(self, letter: str) -> bool:
        """Whether a piece is a cannon that captures by jumping."""
        return letter in "Cc" and self.rules.cannon_jumps

    def chains(self, letter: str) -> bool:
        """Whether a piece may go on capturing in the same ply."""
        return self.rules.chain == "any" or (self.rules.chain == "cannon" and letter in "Cc")


@dataclass(frozen=True, slots=True)
class Material:
    """The pieces of a position: letters of those face up, then how many lie face down and what they are together.

    `up` is in the order of the rows of Squares; the face-down pieces' squares are the rows behind, in any order.
    """

    up: str
    pool: str = ""

    def has_lost(self, side: str) -> bool:
        """Whether a side has no piece left, neither face up nor face down."""
        return all(colour(letter) != side for letter in self.up + self.pool)

    def without(self, row: int) -> "Material":
        """The material when the face-up piece of a row is gone."""
        return Material(self.up[:row] + self.up[row + 1 :], self.pool)

    def revealing(self, identity: str) -> "Material":
        """The material when one of the face-down pieces turned up; it is the last of those face up."""
        return Material(self.up + identity, self.pool.replace(identity, "", 1))


class Kind(Enum):
    """What an action is; attempts are told apart by their geometry."""

    STEP = "step"
    CAPTURE = "capture"
    FLIP = "flip"
    ATTEMPT_BESIDE = "attempt beside"
    ATTEMPT_JUMPING = "attempt jumping"


@dataclass(frozen=True, slots=True)
class Action:
    """What one piece can do in some of the positions.

    rows: in which. piece: the row of the piece that moves, or is flipped. other: the row of the piece that is captured
    or attempted, -1 if none is. targets: for a step where it leads, for each of `rows`; else empty.
    """

    kind: Kind
    rows: Rows
    piece: int
    other: int
    targets: Rows


def _lines() -> tuple[Squares, NDArray[np.uint64], Flags]:
    """For each square and direction the neighbour; for two squares those between them, and whether they are in line."""
    steps = np.full((4, SQUARES), _OUTSIDE, np.int64)
    between = np.zeros((SQUARES, SQUARES), np.uint64)
    in_line = np.zeros((SQUARES, SQUARES), np.bool_)
    for square in range(SQUARES):
        for direction, (right, up) in enumerate(((0, 1), (0, -1), (-1, 0), (1, 0))):
            file, rank, passed = square % _FILES + right, square // _FILES + up, 0
            if 0 <= file < _FILES and 0 <= rank < SQUARES // _FILES:
                steps[direction, square] = rank * _FILES + file
            while 0 <= file < _FILES and 0 <= rank < SQUARES // _FILES:
                target = rank * _FILES + file
                in_line[square, target] = True
                between[square, target] = passed
                passed |= 1 << target
                file, rank = file + right, rank + up
    return steps, between, in_line


_STEPS, _BETWEEN, _IN_LINE = _lines()
_BESIDE: Final = _IN_LINE & (_BETWEEN == 0)
_NO_TARGETS: Final = np.zeros(0, np.int64)


def actions(game: Game, material: Material, squares: Squares, side: str) -> Iterator[Action]:
    """All that `side` can do in positions in which neither side has lost all its pieces, in no order."""
    bits = np.uint64(1) << squares.astype(np.uint64)
    occupied = np.bitwise_or.reduce(bits, axis=0)
    # A step must neither meet a piece nor leave the board.
    barred = occupied | np.uint64(1 << _OUTSIDE)
    for piece, letter in enumerate(material.up):
        if colour(letter) != side:
            continue
        for direction in range(4):
            targets = _STEPS[direction][squares[piece]]
            rows = np.flatnonzero(~(barred >> targets.astype(np.uint64)) & np.uint64(1))
            yield Action(Kind.STEP, rows, piece, -1, targets[rows])
        yield from captures(game, material, squares, piece)
    for row in range(len(material.up), len(squares)):
        yield Action(Kind.FLIP, np.arange(squares.shape[1]), row, -1, _NO_TARGETS)


def captures(game: Game, material: Material, squares: Squares, piece: int) -> Iterator[Action]:
    """The captures and attempts of one piece: all that may follow in a chain."""
    letter = material.up[piece]
    face_down = range(len(material.up), len(squares))
    for other in range(len(squares)):
        if other in face_down:
            if game.rules.dark_capture:
                if not game.jumps(letter) or game.rules.cannon_adjacent:
                    rows = np.flatnonzero(_BESIDE[squares[piece], squares[other]])
                    yield Action(Kind.ATTEMPT_BESIDE, rows, piece, other, _NO_TARGETS)
                # Where a face-down piece is no screen it is no target of a jump either.
                if game.jumps(letter) and game.rules.screens == "any":
                    rows = np.flatnonzero(_over_one(game, material, squares, piece, other))
                    yield Action(Kind.ATTEMPT_JUMPING, rows, piece, other, _NO_TARGETS)
        elif colour(material.up[other]) != colour(letter):
            possible = np.zeros(squares.shape[1], np.bool_)
            if game.takes(letter, material.up[other]):
                possible |= _BESIDE[squares[piece], squares[other]]
            if game.jumps(letter):
                possible |= _over_one(game, material, squares, piece, other)
            yield Action(Kind.CAPTURE, np.flatnonzero(possible), piece, other, _NO_TARGETS)


def _over_one(game: Game, material: Material, squares: Squares, piece: int, other: int) -> Flags:
    """Where exactly one piece stands between two that are in line, one that may be a screen."""
    start, target = squares[piece], squares[other]
    between = _BETWEEN[start, target]
    passed = np.zeros(squares.shape[1], np.int64)
    blocked = np.zeros(squares.shape[1], np.bool_)
    for row in range(len(squares)):
        there = (between >> squares[row].astype(np.uint64)) & np.uint64(1) == 1
        passed += there
        if row >= len(material.up) and game.rules.screens == "faceup":
            blocked |= there
    possible: Flags = _IN_LINE[start, target] & (passed == 1) & ~blocked
    return possible


def succeeds(game: Game, attacker: str, identity: str, kind: Kind) -> bool:
    """Whether an attempt captures what it turned up."""
    if colour(attacker) == colour(identity):
        return False
    return kind is Kind.ATTEMPT_JUMPING or game.takes(attacker, identity)


# What an action makes of positions of which it is possible in all: the new material where that changes, and squares.


def stepped(squares: Squares, action: Action) -> Squares:
    """The squares after a step; the columns are the action's rows."""
    after = squares[:, action.rows]
    after[action.piece] = action.targets
    return after


def captured(material: Material, squares: Squares, piece: int, other: int) -> tuple[Material, Squares, int]:
    """The positions after one face-up piece took another, and the row that the capturer now has."""
    after = squares.copy()
    after[piece] = squares[other]
    return material.without(other), np.delete(after, other, axis=0), piece - (other < piece)


def revealed(material: Material, squares: Squares, row: int, identity: str) -> tuple[Material, Squares, int]:
    """The positions after the face-down piece of a row turned up, and the row that it now has."""
    order = [*range(len(material.up)), row, *(r for r in range(len(material.up), len(squares)) if r != row)]
    return material.revealing(identity), squares[order], len(material.up)


def fen(material: Material, squares: Squares, side: str) -> str:
    """The text of one position, that of column 0 (section 8)."""
    board = dict(zip((int(square) for square in squares[:, 0]), material.up + "x" * len(material.pool), strict=True))
    ranks = []
    for rank in reversed(range(SQUARES // _FILES)):
        text, empty = "", 0
        for square in range(rank * _FILES, (rank + 1) * _FILES):
            if square in board:
                text += (str(empty) if empty else "") + board[square]
                empty = 0
            else:
                empty += 1
        ranks.append(text + (str(empty) if empty else ""))
    pool = "".join(sorted(material.pool, key="KGMRNCPkgmrncp".index))
    return f"{'/'.join(ranks)} {side} {pool or '-'} - 0"
