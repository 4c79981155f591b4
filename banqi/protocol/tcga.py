"""The protocol of Chinese dark chess tournaments: lines of text in, one answer for each.

A command is `ID NAME [arguments]`, its answer `=ID [text]`, or `?ID [text]` on failure. The ID is echoed, whatever it
is and also if there is none; the name tells what is meant. Squares run from a1 to d8; a board is listed from a8 on,
rank by rank, with X for a face-down piece and - for an empty square.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import BinaryIO, Final

from banqi.errors import BanqiError, FenError, RulesError, shown, whole_number
from banqi.geometry import BOARD_4X8
from banqi.move import Move
from banqi.notation import BLACK, FACE_DOWN, NOTHING, RED, UNKNOWN
from banqi.piece import Side
from banqi.position import Position
from banqi.protocol.lines import read_lines
from banqi.protocol.session import Session
from banqi.rules import LARGEST_LIMIT, Rules
from banqi.version import __version__

PROTOCOL_VERSION: Final = "1.1.0"

LONGEST_LINE: Final = 4096
"""In bytes. A longer line is answered with a failure."""

_SIDES: Final = {"red": Side.RED, "black": Side.BLACK, "unknown": None}
_RESULTS: Final = ("red", "black", "draw")
_CELL_FACE_DOWN: Final = "X"
_CELL_EMPTY: Final = "-"
_LONGEST_MILLISECONDS: Final = 10**12
_BLANKS = re.compile(r"[ \t\r]+")
_NUMBER = re.compile(r"[+-]?[0-9]+")
_WHOLE = re.compile(r"-?[0-9]{1,18}")


class TcgaError(BanqiError):
    """A line that is no command of the protocol."""


class Dialect(StrEnum):
    """What follows an answer: nothing, as tournament platforms want it, or the empty line of classic GTP."""

    PLATFORM = "platform"
    GTP = "gtp"


@dataclass(frozen=True, slots=True)
class _Command:
    """What a name does. arguments: how they are shown; where there are none, whatever follows is ignored."""

    answer: Callable[["Tcga", Sequence[str]], str]
    arguments: tuple[str, ...] = ()


class Tcga:
    """Translates between the lines of a platform and a session.

    Raises:
        RulesError: the protocol has no words for what can happen under the session's rules.
    """

    def __init__(self, session: Session, *, dialect: Dialect = Dialect.PLATFORM) -> None:
        check_rules(session.rules)
        self._session = session
        self._dialect = dialect
        self._done = False

    def run(self, source: BinaryIO, sink: BinaryIO) -> None:
        """Answer the lines of `source` in `sink`, each before the next is read, until quit or the end of input."""
        for line in read_lines(source, LONGEST_LINE):
            if answer := self.answer(line):
                sink.write(answer.encode())
                sink.flush()
            if self._done:
                break

    def answer(self, line: bytes) -> str:
        """Return the whole answer to a line, with its line ends; an empty text for a line of blanks.

        A failure has changed nothing.
        """
        number, words = _parted(line[:LONGEST_LINE].decode(errors="replace"))
        if not number and not words and len(line) <= LONGEST_LINE:
            return ""
        try:
            if len(line) > LONGEST_LINE:
                raise TcgaError(f"the line is longer than {LONGEST_LINE} bytes")
            sign, text = "=", self._execute(words)
        except BanqiError as error:
            sign, text = "?", str(error)
        first, *drawing = text.split("\n")
        lines = [f"{sign}{number}{' ' if first else ''}{first}", *drawing]
        if self._dialect is Dialect.GTP:
            lines.append("")
        return "".join(f"{line}\n" for line in lines)

    def _execute(self, words: Sequence[str]) -> str:
        if not words:
            raise TcgaError("there is a number and no command")
        name, *arguments = words
        command = _COMMANDS.get(name)
        if command is None:
            raise TcgaError(f"unknown command {shown(name)}")
        if command.arguments and len(arguments) != len(command.arguments):
            raise TcgaError(f"{name} is written {name} {' '.join(command.arguments)}")
        return command.answer(self, arguments)

    # ---- about the program -------------------------------------------------------------------------------------

    def _protocol_version(self, arguments: Sequence[str]) -> str:
        return PROTOCOL_VERSION

    def _name(self, arguments: Sequence[str]) -> str:
        return "banqi"

    def _version(self, arguments: Sequence[str]) -> str:
        return __version__

    def _known_command(self, arguments: Sequence[str]) -> str:
        return "true" if arguments[0] in _COMMANDS else "false"

    def _list_commands(self, arguments: Sequence[str]) -> str:
        return ("\n" if self._dialect is Dialect.GTP else " ").join(_COMMANDS)

    def _quit(self, arguments: Sequence[str]) -> str:
        self._done = True
        return ""

    def _ready(self, arguments: Sequence[str]) -> str:
        return ""

    # ---- the rules and the clocks ------------------------------------------------------------------------------

    def _boardsize(self, arguments: Sequence[str]) -> str:
        if tuple(arguments) != (str(BOARD_4X8.files), str(BOARD_4X8.ranks)):
            raise TcgaError(f"the board is {BOARD_4X8}")
        return ""

    def _num_repetition(self, arguments: Sequence[str]) -> str:
        number = _whole(arguments[0], "the number of repetitions", 2, LARGEST_LIMIT)
        self._session.set_rules(replace(self._session.rules, repetition=number))
        return ""

    def _num_moves_to_draw(self, arguments: Sequence[str]) -> str:
        number = _whole(arguments[0], "the number of quiet plies", 1, LARGEST_LIMIT)
        self._session.set_rules(replace(self._session.rules, quiet_limit=number))
        return ""

    def _time_setting(self, arguments: Sequence[str]) -> str:
        self._session.set_time(_whole(arguments[0], "the time in milliseconds", 1, _LONGEST_MILLISECONDS) / 1000)
        return ""

    def _time_left(self, arguments: Sequence[str]) -> str:
        side = _side(arguments[0])
        left = _whole(arguments[1], "the time in milliseconds", 0, _LONGEST_MILLISECONDS)
        self._session.set_clock(side, left / 1000)
        return ""

    # ---- the game ----------------------------------------------------------------------------------------------

    def _reset_board(self, arguments: Sequence[str]) -> str:
        self._session.new_game()
        return ""

    def _init_board(self, arguments: Sequence[str]) -> str:
        self._session.set_up(*_read_board(arguments, self._session.rules))
        return ""

    def _move(self, arguments: Sequence[str]) -> str:
        start, target = (BOARD_4X8.index(name) for name in arguments)
        if start == target:
            raise TcgaError("a flip is written flip SQUARE IDENTITY")
        self._session.play(Move(start, target))
        return ""

    def _flip(self, arguments: Sequence[str]) -> str:
        square = BOARD_4X8.index(arguments[0])
        self._session.play(Move(square, square, arguments[1]))
        return ""

    def _genmove(self, arguments: Sequence[str]) -> str:
        move = self._session.think(_side(arguments[0]))
        return f"{BOARD_4X8.name(move.from_square)} {BOARD_4X8.name(move.to_square)}"

    def _game_over(self, arguments: Sequence[str]) -> str:
        if arguments[0] not in _RESULTS:
            raise TcgaError(f"a result is one of {', '.join(_RESULTS)}, not {shown(arguments[0])}")
        self._session.finish()
        return ""

    def _showboard(self, arguments: Sequence[str]) -> str:
        position = self._session.position
        lines = [""]
        for row in reversed(range(BOARD_4X8.ranks)):
            squares = range(row * BOARD_4X8.files, (row + 1) * BOARD_4X8.files)
            lines.append(f"{row + 1} {' '.join(_cell(position, square) for square in squares)}")
        lines.append(f"  {' '.join(BOARD_4X8.name(square)[0] for square in range(BOARD_4X8.files))}")
        side = self._session.side
        lines.append(f"to move: {'unknown' if side is None else side.name.lower()}")
        return "\n".join(lines)


# In the order of the numbers that a platform gives them; both names of number 15 stand side by side.
_COMMANDS: Final[Mapping[str, _Command]] = MappingProxyType(
    {
        "protocol_version": _Command(Tcga._protocol_version),
        "name": _Command(Tcga._name),
        "version": _Command(Tcga._version),
        "known_command": _Command(Tcga._known_command, ("NAME",)),
        "list_commands": _Command(Tcga._list_commands),
        "quit": _Command(Tcga._quit),
        "boardsize": _Command(Tcga._boardsize, ("WIDTH", "HEIGHT")),
        "reset_board": _Command(Tcga._reset_board),
        "num_repetition": _Command(Tcga._num_repetition, ("N",)),
        "num_moves_to_draw": _Command(Tcga._num_moves_to_draw, ("N",)),
        "move": _Command(Tcga._move, ("FROM", "TO")),
        "flip": _Command(Tcga._flip, ("SQUARE", "IDENTITY")),
        "genmove": _Command(Tcga._genmove, ("COLOUR",)),
        "game_over": _Command(Tcga._game_over, ("RESULT",)),
        "ready": _Command(Tcga._ready),
        "time_setting": _Command(Tcga._time_setting, ("MILLISECONDS",)),
        "time_settings": _Command(Tcga._time_setting, ("MILLISECONDS",)),
        "time_left": _Command(Tcga._time_left, ("COLOUR", "MILLISECONDS")),
        "showboard": _Command(Tcga._showboard),
        # How many cells and counts there are is told apart when they are read.
        "init_board": _Command(Tcga._init_board),
    }
)


def check_rules(rules: Rules) -> None:
    """Refuse rules under which moves are made that the protocol cannot write.

    Raises:
        RulesError: these are such rules; the line says what there are no words for.
    """
    lacking = {
        f"a board of {rules.geometry}": rules.geometry != BOARD_4X8,
        "dark captures": rules.dark_capture,
        "chains of captures": rules.chain != "none",
    }
    for what, used in lacking.items():
        if used:
            raise RulesError(f"{rules} cannot be played here: the tournament protocol has no words for {what}")


def _parted(line: str) -> tuple[str, list[str]]:
    """Part a line into the id, "" if there is none, and the words after it.

    A number is an id, and so is any other word before a command's name, unless it is such a name itself.
    """
    words = [word for word in _BLANKS.split(line) if word]
    if not words or words[0] in _COMMANDS:
        return "", words
    if _NUMBER.fullmatch(words[0]) or (len(words) > 1 and words[1] in _COMMANDS):
        return words[0], words[1:]
    return "", words


def _whole(word: str, name: str, smallest: int, largest: int) -> int:
    return whole_number(int(word) if _WHOLE.fullmatch(word) else word, name, smallest, largest)


def _side(word: str) -> Side | None:
    if word not in _SIDES:
        raise TcgaError(f"a colour is one of {', '.join(_SIDES)}, not {shown(word)}")
    return _SIDES[word]


def _cell(position: Position, square: int) -> str:
    piece = position.piece_at(square)
    if piece is None:
        return _CELL_EMPTY
    return _CELL_FACE_DOWN if piece.is_face_down else piece.letter


def _read_board(words: Sequence[str], rules: Rules) -> list[Position]:
    """Return the positions that a listing of the board and the counts of face-down pieces can mean.

    The listing leaves open who is to move.
    """
    letters = rules.letters
    cells, counts = words[: -len(letters)], words[-len(letters) :]
    squares = BOARD_4X8.squares
    if len(cells) != squares:
        raise TcgaError(f"init_board takes {squares} cells and {len(letters)} numbers, not {len(words)} words")
    for cell in cells:
        if cell not in (*letters, _CELL_FACE_DOWN, _CELL_EMPTY):
            raise TcgaError(f"a cell is one of {letters}{_CELL_FACE_DOWN}{_CELL_EMPTY}, not {shown(cell)}")
    numbers = [_whole(count, "a number of face-down pieces", 0, squares) for count in counts]
    pool = "".join(letter * number for letter, number in zip(letters, numbers, strict=True))
    signs = {_CELL_FACE_DOWN: FACE_DOWN, _CELL_EMPTY: "1"}
    text = "".join(signs.get(cell, cell) for cell in cells)
    ranks = [text[first : first + BOARD_4X8.files] for first in range(0, squares, BOARD_4X8.files)]
    placement = "/".join(re.sub("1+", lambda run: str(len(run[0])), rank) for rank in ranks)
    positions = []
    for side in (UNKNOWN, RED, BLACK):
        with suppress(FenError):
            positions.append(Position.from_fen(f"{placement} {side} {pool or NOTHING} - 0", rules))
    if not positions:
        faults = Position.faults(f"{placement} {RED} {pool or NOTHING} - 0", rules)
        raise TcgaError(f"this is no position: {'; '.join(faults)}")
    return positions
