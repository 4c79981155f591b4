"""Boards to look at: as text and as SVG."""

from enum import Enum
from typing import Final

from banqi.notation import EMPTY, FACE_DOWN, UNKNOWN, Setup
from banqi.piece import Piece, Side
from banqi.rules import Rules


class Glyphs(Enum):
    """What an SVG board writes on the discs. Letters show everywhere, Chinese where a font for them is installed."""

    LETTERS = "letters"
    CHINESE = "chinese"


_CHINESE: Final = dict(zip("KGMRNCPkgmrncp", "帥仕相俥傌炮兵將士象車馬包卒", strict=True))

_CELL: Final = 48
_MARGIN: Final = 24
# Every rule begins with the drawing's own class: a notebook puts the drawing into its page.
_STYLE: Final = (
    ".banqi .board{fill:#f3e3c3;stroke:#5b4636}"
    ".banqi .line{stroke:#5b4636}"
    ".banqi .name{font:12px sans-serif;fill:#5b4636;text-anchor:middle;dominant-baseline:central}"
    ".banqi .disc{fill:#fffaf0;stroke-width:3}"
    ".banqi .glyph{font:bold 22px serif;text-anchor:middle;dominant-baseline:central}"
    ".banqi .red .disc{stroke:#b3261e}.banqi .red .glyph{fill:#b3261e}"
    ".banqi .black .disc{stroke:#1d1b20;stroke-dasharray:9 4}.banqi .black .glyph{fill:#1d1b20}"
    ".banqi .down .disc{fill:url(#banqi-lattice);stroke:#5b4636}"
    ".banqi .chain{fill:none;stroke:#5b4636;stroke-width:2}"
)


def text_board(setup: Setup, rules: Rules) -> str:
    """Return a board of several lines, rank 1 at the bottom, with the side to move, the pool and what was captured."""
    geometry = rules.geometry
    edge = f"   +{'-' * (2 * geometry.files + 1)}+"
    lines = [edge]
    for row in reversed(range(geometry.ranks)):
        cells = setup.cells[row * geometry.files : (row + 1) * geometry.files]
        lines.append(f"{row + 1:2} | {' '.join(cells)} |")
    lines += [edge, f"     {' '.join(chr(ord('a') + column) for column in range(geometry.files))}"]
    captured = "".join(letter * count for letter, count in setup.captured(rules).items())
    mover = "nobody has a colour yet" if setup.side == UNKNOWN else f"{Side(setup.side).name.lower()} to move"
    if setup.chain is not None:
        mover += f", the chain goes on from {geometry.name(setup.chain)} or ends"
    lines += [f"{mover}, quiet {setup.quiet}", f"face down: {setup.pool or '-'}", f"captured: {captured or '-'}"]
    return "\n".join(lines)


def svg_board(setup: Setup, rules: Rules, *, glyphs: Glyphs = Glyphs.LETTERS) -> str:
    """Return an SVG document that needs nothing from outside.

    Red discs have a full ring and black ones a broken ring, so that they differ without hue. Each disc has its
    square and its piece as a title.
    """
    geometry = rules.geometry
    width, height = geometry.files * _CELL, geometry.ranks * _CELL
    parts = [
        f'<svg class="banqi" xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {width + 2 * _MARGIN} {height + 2 * _MARGIN}" '
        f'width="{width + 2 * _MARGIN}" height="{height + 2 * _MARGIN}" role="img" aria-label="Banqi board">',
        f"<style>{_STYLE}</style>",
        '<defs><pattern id="banqi-lattice" width="8" height="8" patternUnits="userSpaceOnUse">'
        '<rect width="8" height="8" fill="#c8a97e"/><path d="M0 0L8 8M8 0L0 8" stroke="#8a6d4b"/></pattern></defs>',
        f'<rect class="board" x="{_MARGIN}" y="{_MARGIN}" width="{width}" height="{height}"/>',
    ]
    for column in range(geometry.files):
        x = _MARGIN + column * _CELL
        if column:
            parts.append(f'<path class="line" d="M{x} {_MARGIN}v{height}"/>')
        name = chr(ord("a") + column)
        parts.append(f'<text class="name" x="{x + _CELL // 2}" y="{_MARGIN + height + _MARGIN // 2}">{name}</text>')
    for row in range(geometry.ranks):
        y = _MARGIN + (geometry.ranks - 1 - row) * _CELL
        if row:
            parts.append(f'<path class="line" d="M{_MARGIN} {y + _CELL}h{width}"/>')
        parts.append(f'<text class="name" x="{_MARGIN // 2}" y="{y + _CELL // 2}">{row + 1}</text>')
    if setup.chain is not None:
        x = _MARGIN + setup.chain % geometry.files * _CELL + 1
        y = _MARGIN + (geometry.ranks - 1 - setup.chain // geometry.files) * _CELL + 1
        parts.append(
            f'<rect class="chain" x="{x}" y="{y}" width="{_CELL - 2}" height="{_CELL - 2}">'
            f"<title>the chain goes on from {geometry.name(setup.chain)} or ends</title></rect>"
        )
    for square, letter in enumerate(setup.cells):
        if letter != EMPTY:
            x = _MARGIN + square % geometry.files * _CELL + _CELL // 2
            y = _MARGIN + (geometry.ranks - 1 - square // geometry.files) * _CELL + _CELL // 2
            parts.append(_disc(letter, geometry.name(square), x, y, glyphs))
    parts.append("</svg>")
    return "\n".join(parts)


def _disc(letter: str, square: str, x: int, y: int, glyphs: Glyphs) -> str:
    piece = Piece(letter)
    look = {None: "down", Side.RED: "red", Side.BLACK: "black"}[piece.side]
    glyph = ""
    if letter != FACE_DOWN:
        sign = _CHINESE[letter] if glyphs is Glyphs.CHINESE else letter
        glyph = f'<text class="glyph" x="{x}" y="{y}">{sign}</text>'
    return (
        f'<g class="{look}"><title>{square}: {piece.name}</title>'
        f'<circle class="disc" cx="{x}" cy="{y}" r="{_CELL // 2 - 4}"/>{glyph}</g>'
    )
