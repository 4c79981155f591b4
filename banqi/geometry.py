"""The squares of a board: their names and their numbers."""

import re
from dataclasses import dataclass

from banqi.errors import SquareError, shown

_NAME = re.compile("([a-z])([1-9][0-9]?)")


@dataclass(frozen=True, slots=True, order=True)
class Geometry:
    """A board of `files` columns (a, b, ...) and `ranks` rows (1, 2, ...).

    The number of a square is row * files + column, both from 0: on 4 x 8, a1 = 0, b1 = 1, a2 = 4, d8 = 31.

    >>> Geometry(4, 8).index("d8"), Geometry(4, 8).name(4)
    (31, 'a2')
    """

    files: int
    ranks: int

    def __str__(self) -> str:
        return f"{self.files} x {self.ranks}"

    @property
    def squares(self) -> int:
        """How many squares the board has."""
        return self.files * self.ranks

    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Return how the board can be turned and mirrored, the identity first: 4 ways, 8 if it is square.

        Each is a tuple that holds for every square the square that comes to lie there.
        """
        rows, files = range(self.ranks), range(self.files)
        ways = [[(row, file) for row in rs for file in fs] for rs in (rows, rows[::-1]) for fs in (files, files[::-1])]
        if self.ranks == self.files:
            ways += [[(file, row) for row, file in way] for way in ways]
        return tuple(tuple(row * self.files + file for row, file in way) for way in ways)

    def name(self, square: int) -> str:
        """Return the name of a square.

        Raises:
            SquareError: the number is no square of the board.
        """
        self.check(square)
        return f"{chr(ord('a') + square % self.files)}{square // self.files + 1}"

    def index(self, name: str) -> int:
        """Return the number of a square.

        Raises:
            SquareError: the name is no square of the board.
        """
        if isinstance(name, str):
            match = _NAME.fullmatch(name)
            column, row = (ord(match[1]) - ord("a"), int(match[2]) - 1) if match else (self.files, self.ranks)
            if column < self.files and row < self.ranks:
                return row * self.files + column
        raise SquareError(f"{shown(name)} is no square of the {self} board")

    def check(self, square: int) -> None:
        """Pass a number that is a square of the board.

        Raises:
            SquareError: it is none.
        """
        if isinstance(square, bool) or not hasattr(square, "__index__") or not 0 <= square < self.squares:
            raise SquareError(f"{shown(square)} is no square of the {self} board")


BOARD_4X8 = Geometry(4, 8)
BOARD_8X8 = Geometry(8, 8)
BOARD_5X12 = Geometry(5, 12)
