"""Boards to look at: as text and as SVG."""

from enum import Enum
from typing import Final

from banqi.geometry import Geometry
from banqi.notation import BLACK, EMPTY, UNKNOWN, Setup
from banqi.piece import Piece, Side
from banqi.piece_set import PIECE_SETS
from banqi.rules import Rules


class Glyphs(Enum):
    """What an SVG board writes on the discs. Letters show everywhere, Chinese where a font for them is installed."""

    LETTERS = "letters"
    CHINESE = "chinese"


# What only a display tells apart: the rules know headquarters as ordinary posts, and mountains as missing edges.
HEADQUARTERS: Final = ("b1", "d1", "b12", "d12")
MOUNTAINS: Final = (("b6", "b7"), ("d6", "d7"))

_CELL: Final = 48
_MARGIN: Final = 24
# Every rule begins with the drawing's own class: a notebook puts the drawing into its page.
_STYLE: Final = (
    ".banqi .board{fill:#f3e3c3;stroke:#5b4636}"
    ".banqi .line{stroke:#5b4636}"
    ".banqi .road{stroke:#5b4636}"
    ".banqi .railway{stroke:#5b4636;stroke-width:5}"
    ".banqi .sleepers{stroke:#f3e3c3;stroke-width:3;stroke-dasharray:5 5}"
    ".banqi .camp{fill:#f3e3c3;stroke:#5b4636}"
    ".banqi .headquarters{fill:#d9c09a;stroke:#5b4636}"
    ".banqi .mountain{fill:#a08561;stroke:none}"
    ".banqi .name{font:12px sans-serif;fill:#5b4636;text-anchor:middle;dominant-baseline:central}"
    ".banqi .disc{fill:#fffaf0;stroke-width:3}"
    ".banqi .glyph{font:bold 22px serif;text-anchor:middle;dominant-baseline:central}"
    ".banqi .red .disc{stroke:#b3261e}.banqi .red .glyph{fill:#b3261e}"
    ".banqi .black .disc{stroke:#1d1b20;stroke-dasharray:9 4}.banqi .black .glyph{fill:#1d1b20}"
    ".banqi .blue .disc{stroke:#1f4e9c;stroke-dasharray:9 4}.banqi .blue .glyph{fill:#1f4e9c}"
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
    colour = rules.pieces.colours[setup.side == BLACK]
    mover = "nobody has a colour yet" if setup.side == UNKNOWN else f"{colour} to move"
    if setup.chain is not None:
        mover += f", the chain goes on from {geometry.name(setup.chain)} or ends"
    lines += [f"{mover}, quiet {setup.quiet}", f"face down: {setup.pool or '-'}", f"captured: {captured or '-'}"]
    return "\n".join(lines)


def svg_board(setup: Setup, rules: Rules, *, glyphs: Glyphs = Glyphs.LETTERS) -> str:
    """Return an SVG document that needs nothing from outside.

    Red discs have a full ring and the other side's a broken ring, so that they differ without hue. Each disc has its
    square and its piece as a title. Junqi's men stand where roads meet: railways are dashed, camps round, headquarters
    square.
    """
    geometry = rules.geometry
    width, height = geometry.files * _CELL, geometry.ranks * _CELL
    parts = [
        f'<svg class="banqi" xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {width + 2 * _MARGIN} {height + 2 * _MARGIN}" '
        f'width="{width + 2 * _MARGIN}" height="{height + 2 * _MARGIN}" role="img" '
        f'aria-label="{rules.game.capitalize()} board">',
        f"<style>{_STYLE}</style>",
        '<defs><pattern id="banqi-lattice" width="8" height="8" patternUnits="userSpaceOnUse">'
        '<rect width="8" height="8" fill="#c8a97e"/><path d="M0 0L8 8M8 0L0 8" stroke="#8a6d4b"/></pattern></defs>',
        f'<rect class="board" x="{_MARGIN}" y="{_MARGIN}" width="{width}" height="{height}"/>',
    ]
    for column in range(geometry.files):
        x = _MARGIN + column * _CELL
        name = chr(ord("a") + column)
        parts.append(f'<text class="name" x="{x + _CELL // 2}" y="{_MARGIN + height + _MARGIN // 2}">{name}</text>')
    for row in range(geometry.ranks):
        y = _MARGIN + (geometry.ranks - 1 - row) * _CELL
        parts.append(f'<text class="name" x="{_MARGIN // 2}" y="{y + _CELL // 2}">{row + 1}</text>')
    parts += _junqi_lines(rules) if rules.game == "junqi" else _banqi_lines(geometry)
    if setup.chain is not None:
        x, y = (place - _CELL // 2 + 1 for place in _centre(setup.chain, geometry))
        parts.append(
            f'<rect class="chain" x="{x}" y="{y}" width="{_CELL - 2}" height="{_CELL - 2}">'
            f"<title>the chain goes on from {geometry.name(setup.chain)} or ends</title></rect>"
        )
    for square, letter in enumerate(setup.cells):
        if letter != EMPTY:
            parts.append(_disc(Piece(letter, rules.game), geometry.name(square), *_centre(square, geometry), glyphs))
    parts.append("</svg>")
    return "\n".join(parts)


def _centre(square: int, geometry: Geometry) -> tuple[int, int]:
    """Where a square's middle is drawn."""
    row, column = divmod(square, geometry.files)
    return _MARGIN + column * _CELL + _CELL // 2, _MARGIN + (geometry.ranks - 1 - row) * _CELL + _CELL // 2


def _banqi_lines(geometry: Geometry) -> list[str]:
    """The lines between the squares."""
    width, height = geometry.files * _CELL, geometry.ranks * _CELL
    upright = [f'<path class="line" d="M{_MARGIN + n * _CELL} {_MARGIN}v{height}"/>' for n in range(1, geometry.files)]
    across = [f'<path class="line" d="M{_MARGIN} {_MARGIN + n * _CELL}h{width}"/>' for n in range(1, geometry.ranks)]
    return upright + across


def _junqi_lines(rules: Rules) -> list[str]:
    """Roads and railways, then camps, headquarters and mountains on top of them."""
    from banqi.core._junqi import edges

    geometry = rules.geometry
    lines: dict[str, list[str]] = {"road": [], "railway": []}
    for one, other, is_railway in edges():
        (x, y), (to_x, to_y) = _centre(one, geometry), _centre(other, geometry)
        lines["railway" if is_railway else "road"].append(f"M{x} {y}L{to_x} {to_y}")
    parts = [f'<path class="{kind}" d="{"".join(lines[kind])}"/>' for kind in ("road", "railway")]
    parts.append(f'<path class="sleepers" d="{"".join(lines["railway"])}"/>')
    for square in rules.camps:
        x, y = _centre(square, geometry)
        parts.append(f'<circle class="camp" cx="{x}" cy="{y}" r="15"/>')
    for name in HEADQUARTERS:
        x, y = _centre(geometry.index(name), geometry)
        parts.append(f'<rect class="headquarters" x="{x - 12}" y="{y - 12}" width="24" height="24"/>')
    for south, north in MOUNTAINS:
        x, y = _centre(geometry.index(south), geometry)
        y = (y + _centre(geometry.index(north), geometry)[1]) // 2
        parts.append(f'<path class="mountain" d="M{x - 14} {y + 6}l10 -12l6 7l4 -4l8 9z"/>')
    return parts


def _disc(piece: Piece, square: str, x: int, y: int, glyphs: Glyphs) -> str:
    pieces = PIECE_SETS[piece.game]
    look = "down" if piece.side is None else pieces.colours[piece.side is Side.BLACK]
    # Roads and railways are seen between men.
    radius = _CELL // 2 - (6 if piece.game == "junqi" else 4)
    glyph = ""
    if piece.kind is not None:
        signs = pieces.kinds[piece.kind].signs
        sign = signs[piece.side is Side.BLACK] if glyphs is Glyphs.CHINESE else piece.letter
        glyph = f'<text class="glyph" x="{x}" y="{y}">{sign}</text>'
    return (
        f'<g class="{look}"><title>{square}: {piece.name}</title>'
        f'<circle class="disc" cx="{x}" cy="{y}" r="{radius}"/>{glyph}</g>'
    )
