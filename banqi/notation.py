"""Position text (FEN): reading, writing, and everything that can be wrong with it."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from banqi.errors import FenError, SquareError, shown
from banqi.rules import Rules

if TYPE_CHECKING:
    from banqi.core.face import State

FACE_DOWN: Final = "x"
EMPTY: Final = "."
RED: Final = "r"
BLACK: Final = "b"
UNKNOWN: Final = "?"
NOTHING: Final = "-"

_DIGITS: Final = "0123456789"
_DIGIT_PAIR = re.compile("[0-9]{2}")
_NUMBER = re.compile("0|[1-9][0-9]*")
_NEGATIVE = re.compile("-[1-9][0-9]*")
# A quiet counter beyond this many digits is above every limit.
_LONGEST_NUMBER = 9


class Fault(StrEnum):
    """What can be wrong with a position text. The value is the sentence that an error shows."""

    NO_TEXT = "it is no text"
    SPACING = "fields are separated by single spaces"
    FIELD_COUNT = "there are three fields or five: placement side pool, chain quiet"
    RANK_COUNT = "the placement has the wrong number of ranks"
    RANK_LENGTH = "a rank has the wrong number of squares"
    BAD_LETTER = "the placement has a character that is no piece"
    BAD_DIGIT = "a run of empty squares is 0 or longer than a rank"
    ADJACENT_DIGITS = "two digits stand side by side"
    BAD_SIDE = "the side is none of r, b and ?"
    BAD_POOL = "the pool has a character that is no piece"
    TOO_MANY = "a kind occurs more often than its set holds"
    POOL_MISMATCH = "the pool and the face-down pieces differ in number"
    UNKNOWN_SIDE_FACE_UP = "the side is ? with a piece face up"
    UNKNOWN_SIDE_CAPTURED = "the side is ? with a piece captured"
    UNKNOWN_SIDE_QUIET = "the side is ? with quiet above 0"
    NOTHING_SHOWN = "a side is to move although nothing was ever shown"
    NO_PIECES = "both sides are without pieces"
    IN_CAMP = "a flag, a landmine or a face-down piece stands in a camp"
    NO_FLAGS = "both flags are missing"
    BAD_CHAIN = "the chain is neither a square nor -"
    CHAIN_NOT_OWN = "the chain square holds no piece of the side to move"
    CHAIN_NOT_ALLOWED = "the rule set allows this piece no chain"
    CHAIN_NOTHING = "the chain square's piece has nothing to capture or to attempt"
    CHAIN_QUIET = "a chain stands with quiet above 0"
    BAD_QUIET = "quiet is no whole number"
    NEGATIVE_QUIET = "quiet is negative"
    QUIET_ABOVE_LIMIT = "quiet is above the limit"


@dataclass(frozen=True, slots=True)
class Setup:
    """What a position text says.

    cells: one character a square, a1 b1 ... first: the letter of a piece, FACE_DOWN or EMPTY. side: RED, BLACK or
    UNKNOWN. pool: the hidden identities in canonical order, "" if there are none. chain: a square or None.
    """

    cells: str
    side: str
    pool: str
    chain: int | None = None
    quiet: int = 0

    @classmethod
    def start(cls, rules: Rules) -> "Setup":
        """Return the start of a game: everything face down."""
        pool = "".join(letter * rules.set_counts[letter.upper()] for letter in rules.letters)
        occupied = set(rules.core.START)
        cells = "".join(FACE_DOWN if square in occupied else EMPTY for square in range(rules.geometry.squares))
        return cls(cells, UNKNOWN, pool)

    def state(self, rules: Rules) -> "State":
        """Return the position in the compiled core."""
        core = rules.core
        cells = {FACE_DOWN: core.HIDDEN, EMPTY: core.EMPTY} | {letter: i for i, letter in enumerate(rules.letters)}
        return core.State(
            rules.table,
            bytes(cells[letter] for letter in self.cells),
            bytes(self.pool.count(letter) for letter in rules.letters),
            (RED, BLACK, UNKNOWN).index(self.side),
            -1 if self.chain is None else self.chain,
            self.quiet,
        )

    def images(self, rules: Rules) -> "list[Setup]":
        """Return the equivalent setups: the board turned and mirrored, each also with the colours exchanged."""
        other_side = {RED: BLACK, BLACK: RED, UNKNOWN: UNKNOWN}[self.side]
        other_pool = self.pool.swapcase()
        other_pool = "".join(letter * other_pool.count(letter) for letter in rules.letters)
        images = []
        for way in rules.geometry.symmetries():
            cells = "".join(self.cells[square] for square in way)
            chain = None if self.chain is None else way.index(self.chain)
            images.append(Setup(cells, self.side, self.pool, chain, self.quiet))
            images.append(Setup(_exchanged(cells), other_side, other_pool, chain, self.quiet))
        return images

    def captured(self, rules: Rules) -> dict[str, int]:
        """Return how many of each identity have left the board, all identities in canonical order."""
        return {
            letter: rules.set_counts[letter.upper()] - self.cells.count(letter) - self.pool.count(letter)
            for letter in rules.letters
        }


def _exchanged(cells: str) -> str:
    """The cells with the colours exchanged."""
    return "".join(cell if cell == FACE_DOWN else cell.swapcase() for cell in cells)


def parse_fen(fen: str, rules: Rules) -> Setup:
    """Read a position text.

    Raises:
        FenError: something is wrong with it; the line and `faults` name everything.
    """
    setup, faults = _read(fen, rules)
    if setup is None:
        raise FenError(f"bad position text {shown(fen, 100)}: {'; '.join(faults)}", tuple(faults))
    return setup


def faults(fen: str, rules: Rules) -> list[Fault]:
    """Return everything that is wrong with a position text, in the order of Fault; an empty list if nothing is.

    >>> faults("xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xx11 ? KGGMMRRNNCCPPPPPkggmmrrnnccppp", Rules.parse("taiwan"))
    [<Fault.ADJACENT_DIGITS: 'two digits stand side by side'>, <Fault.UNKNOWN_SIDE_CAPTURED: ...>]
    """
    return _read(fen, rules)[1]


def format_fen(setup: Setup, rules: Rules) -> str:
    """Write a position text, always with five fields."""
    files = rules.geometry.files
    ranks = [setup.cells[first : first + files] for first in range(0, len(setup.cells), files)]
    placement = "/".join(re.sub(f"{re.escape(EMPTY)}+", lambda run: str(len(run[0])), rank) for rank in reversed(ranks))
    chain = NOTHING if setup.chain is None else rules.geometry.name(setup.chain)
    return f"{placement} {setup.side} {setup.pool or NOTHING} {chain} {setup.quiet}"


def _read(fen: str, rules: Rules) -> tuple[Setup | None, list[Fault]]:
    """Return what a text says and no fault, or None and all its faults."""
    found: set[Fault] = set()
    if not isinstance(fen, str):
        return None, [Fault.NO_TEXT]
    fields = fen.split(" ")
    if "" in fields and fen:
        found.add(Fault.SPACING)
        fields = [field for field in fields if field]
    if len(fields) not in (3, 5):
        found.add(Fault.FIELD_COUNT)
    # What is there is judged, whatever is missing.
    given = dict(zip(("placement", "side", "pool", "chain", "quiet"), fields, strict=False))
    cells = _read_placement(given["placement"], rules, found) if "placement" in given else None
    side = _read_side(given["side"], found) if "side" in given else None
    pool = _read_pool(given["pool"], rules, found) if "pool" in given else None
    quiet = _read_quiet(given.get("quiet", "0"), rules, found)
    if cells is not None and pool is not None:
        _judge_material(cells, side, pool, rules, found)
    if side == UNKNOWN and quiet > 0:
        found.add(Fault.UNKNOWN_SIDE_QUIET)
    chain = None
    if given.get("chain", NOTHING) != NOTHING:
        chain = _read_chain(given["chain"], cells, side, quiet, rules, found)
    if not found and cells is not None and side is not None and pool is not None:
        setup = Setup(cells, side, pool, chain, quiet)
        if chain is None or setup.state(rules).can_capture_on():
            return setup, []
        found.add(Fault.CHAIN_NOTHING)
    return None, [fault for fault in Fault if fault in found]


def _read_placement(text: str, rules: Rules, found: set[Fault]) -> str:
    """Return the cells, a1 first; of the wrong number if the text is wrong."""
    files = rules.geometry.files
    ranks = text.split("/")
    if len(ranks) != rules.geometry.ranks:
        found.add(Fault.RANK_COUNT)
    rows = []
    for rank in reversed(ranks):
        row = []
        for character in rank:
            if character in _DIGITS:
                if not 1 <= int(character) <= files:
                    found.add(Fault.BAD_DIGIT)
                row += [EMPTY] * int(character)
            else:
                if character != FACE_DOWN and character not in rules.letters:
                    found.add(Fault.BAD_LETTER)
                row.append(character)
        if len(row) != files:
            found.add(Fault.RANK_LENGTH)
        if _DIGIT_PAIR.search(rank):
            found.add(Fault.ADJACENT_DIGITS)
        rows += row
    return "".join(rows)


def _read_side(text: str, found: set[Fault]) -> str | None:
    if text in (RED, BLACK, UNKNOWN):
        return text
    found.add(Fault.BAD_SIDE)
    return None


def _read_pool(text: str, rules: Rules, found: set[Fault]) -> str:
    """Return the pool in canonical order, without what is no piece."""
    if text == NOTHING:
        return ""
    if any(letter not in rules.letters for letter in text):
        found.add(Fault.BAD_POOL)
    return "".join(letter * text.count(letter) for letter in rules.letters)


def _read_quiet(text: str, rules: Rules, found: set[Fault]) -> int:
    """Return the counter, 0 if the text is wrong."""
    if _NEGATIVE.fullmatch(text):
        found.add(Fault.NEGATIVE_QUIET)
    elif not _NUMBER.fullmatch(text):
        found.add(Fault.BAD_QUIET)
    elif len(text) > _LONGEST_NUMBER or int(text) > rules.quiet_limit:
        found.add(Fault.QUIET_ABOVE_LIMIT)
        return rules.quiet_limit
    else:
        return int(text)
    return 0


def _judge_material(cells: str, side: str | None, pool: str, rules: Rules, found: set[Fault]) -> None:
    """Find what is wrong with the pieces taken together."""
    captured = Setup(cells, UNKNOWN, pool).captured(rules)
    face_up = sum(cells.count(letter) for letter in rules.letters)
    if min(captured.values()) < 0:
        found.add(Fault.TOO_MANY)
    if cells.count(FACE_DOWN) != len(pool):
        found.add(Fault.POOL_MISMATCH)
    if side == UNKNOWN:
        if face_up:
            found.add(Fault.UNKNOWN_SIDE_FACE_UP)
        if max(captured.values()) > 0:
            found.add(Fault.UNKNOWN_SIDE_CAPTURED)
    elif side is not None and not face_up and max(captured.values()) == 0:
        found.add(Fault.NOTHING_SHOWN)
    if not face_up and not pool and FACE_DOWN not in cells:
        found.add(Fault.NO_PIECES)
    if rules.game == "junqi":
        _judge_junqi(cells, pool, rules, found)


def _judge_junqi(cells: str, pool: str, rules: Rules, found: set[Fault]) -> None:
    """Find what is wrong with where men of Junqi stand, and with their flags."""
    in_camps = {cells[square] for square in rules.camps if square < len(cells)}
    if in_camps & set(f"FfLl{FACE_DOWN}"):
        found.add(Fault.IN_CAMP)
    if not set("Ff") & set(cells + pool):
        found.add(Fault.NO_FLAGS)


def _read_chain(
    name: str, cells: str | None, side: str | None, quiet: int, rules: Rules, found: set[Fault]
) -> int | None:
    """Return the square of a chain, None if the text is wrong. Whether the chain can go on is asked of the core."""
    try:
        square = rules.geometry.index(name)
    except SquareError:
        found.add(Fault.BAD_CHAIN)
        return None
    kinds = "".join(rules.set_counts)
    own = {RED: kinds, BLACK: kinds.lower(), UNKNOWN: ""}
    piece = cells[square] if cells is not None and square < len(cells) else ""
    if side is not None and piece and piece not in own[side]:
        found.add(Fault.CHAIN_NOT_OWN)
    if rules.chain == "none" or (rules.chain == "cannon" and piece.upper() != "C"):
        found.add(Fault.CHAIN_NOT_ALLOWED)
    if quiet > 0:
        found.add(Fault.CHAIN_QUIET)
    return square
