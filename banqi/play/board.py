"""A board in characters, for light and dark terminals, with colours and without.

A piece stands in brackets that tell its side, round for red and square for the other one; red letters are upper case,
too. In Junqi the left bracket tells the place instead: { a camp, < a headquarters. A star follows the square that was
moved to last.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from banqi.display import HEADQUARTERS, MOUNTAINS, Glyphs
from banqi.piece import Piece, Side
from banqi.position import Position

# Ink and ground are both given, so that no theme of a terminal can make them alike.
_STYLES: Final[Mapping[Side, Mapping[str, str]]] = {
    Side.RED: {"banqi": "bold bright_white on red", "junqi": "bold bright_white on red"},
    Side.BLACK: {"banqi": "bold bright_white on black", "junqi": "bold bright_white on blue"},
}


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters of a board: what lies face down, an empty square, edges of a road and of railways."""

    lattice: str
    empty: str
    road: str
    railway: str
    upright: str


UNICODE: Final = Signs("▒", "·", "─", "═", "║")
ASCII: Final = Signs(":", ".", "-", "=", "H")


def drawn_board(position: Position, *, signs: Signs = UNICODE, glyphs: Glyphs = Glyphs.LETTERS) -> Text:
    """Return the board in lines, rank 1 at the bottom."""
    return _Drawing(position, signs, glyphs).lines()


class _Drawing:
    """One board as it is drawn."""

    def __init__(self, position: Position, signs: Signs, glyphs: Glyphs) -> None:
        self._position = position
        self._signs = signs
        self._glyphs = glyphs
        self._geometry = position.rules.geometry
        # A Chinese sign takes two columns.
        self._width = 3 if glyphs is Glyphs.LETTERS else 4
        self._junqi = position.rules.game == "junqi"
        self._places = dict.fromkeys(position.rules.camps, ("{", "}"))
        if self._junqi:
            self._places |= {self._geometry.index(name): ("<", ">") for name in HEADQUARTERS}
        stack = position.move_stack
        self._last = next((move.to_square for move in reversed(stack) if not move.is_end), None)

    def lines(self) -> Text:
        lines = []
        for row in reversed(range(self._geometry.ranks)):
            lines.append(self._rank(row))
            if self._junqi and f"b{row + 1}" == MOUNTAINS[0][1]:
                lines.append(self._mountains())
        names = "".join(chr(ord("a") + file).center(self._width) + "  " for file in range(self._geometry.files))
        lines.append(Text(f"    {names}".rstrip()))
        return Text("\n").join(lines)

    def _rank(self, row: int) -> Text:
        side = self._signs.upright if self._junqi and 0 < row < self._geometry.ranks - 1 else " "
        line = Text(f"{row + 1:2} {side}")
        for file in range(self._geometry.files):
            square = row * self._geometry.files + file
            line.append_text(self._cell(square))
            line.append("*" if square == self._last else self._edge(row, file)[:1])
            if file < self._geometry.files - 1:
                line.append(self._edge(row, file)[1:])
        line.append(side.strip())
        return line

    def _edge(self, row: int, file: int) -> str:
        """What joins a square of Junqi to its right neighbour; nothing does in Banqi."""
        if not self._junqi or file == self._geometry.files - 1:
            return "  "
        square = row * self._geometry.files + file
        return 2 * (self._signs.railway if (square, square + 1) in _railways() else self._signs.road)

    def _mountains(self) -> Text:
        """What lies between the two halves of Junqi: three railways, and mountains that nothing crosses."""
        low = [int(self._geometry.index(south)) % self._geometry.files for south, _ in MOUNTAINS]
        cells = ("^^^" if file in low else self._signs.upright for file in range(self._geometry.files))
        return Text(f"    {''.join(cell.center(self._width) + '  ' for cell in cells)}".rstrip())

    def _cell(self, square: int) -> Text:
        piece = self._position.piece_at(square)
        place = self._places.get(square)
        if piece is None:
            inner = " " if place else self._signs.empty
            left, right = place or (" ", " ")
            return Text(f"{left}{inner.center(self._width - 2)}{right}")
        if piece.is_face_down:
            return Text(self._signs.lattice * self._width)
        left, right = ("(", ")") if piece.side is Side.RED else ("[", "]")
        return Text(f"{place[0] if place else left}{self._glyph(piece)}{right}", style_of(piece))

    def _glyph(self, piece: Piece) -> str:
        if self._glyphs is Glyphs.LETTERS:
            return piece.letter
        return self._position.rules.pieces.kinds[piece.kind or ""].signs[piece.side is Side.BLACK]


def style_of(piece: Piece) -> str:
    """Return how a piece that is face up is written, for rich."""
    return _STYLES[piece.side or Side.BLACK][piece.game]


def _railways() -> set[tuple[int, int]]:
    from banqi.core._junqi import edges

    return {(min(one, other), max(one, other)) for one, other, is_railway in edges() if is_railway}


def counted(letters: Mapping[str, int], side: Side) -> str:
    """Return the letters of one side with their numbers, such as `K G2 P5`; - if there are none."""
    own = {letter: count for letter, count in letters.items() if count and Piece(letter).side is side}
    return " ".join(letter if count == 1 else f"{letter}{count}" for letter, count in own.items()) or "-"
