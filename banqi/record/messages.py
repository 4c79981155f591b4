"""Records as JSON: one object a game, in a file one object a line, an array of them, or a single one in any lines.

An object has "rules", "fen" (null for the start), "first_colour" ("red", "black" or null), "result", "termination" (a
word or null), "comment" (before the first move), "tags" (an object of texts) and "moves", a list of objects with
"move" and, where they are told, "comment" and "score". All mean what they mean in Record. Readers need "moves" and
"result" only, and take the rules for `taiwan`; they refuse names that are not in this list.
"""

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final, NamedTuple, TypeVar

import msgspec

from banqi.errors import RecordError, shown
from banqi.record.record import COLOURS, Record, checked_records, recorded_moves


class Layout(Enum):
    """How several games stand in one JSON file: LINES has one object a line, ARRAY is one array of objects."""

    LINES = "lines"
    ARRAY = "array"


class _Move(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A move of a game."""

    move: str
    comment: str = ""
    score: float | None = None


class _Game(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A game, in the order in which it is written."""

    rules: str = "taiwan"
    fen: str | None = None
    first_colour: str | None = None
    result: str
    termination: str | None = None
    comment: str = ""
    tags: dict[str, str] = {}
    moves: list[_Move]


# Faults whose place the decoder counts from 1, all others from 0.
_COUNTED_FROM_1: Final = ("trailing characters",)
_T = TypeVar("_T")
_SIDES: Final = {None: None} | {name: side for side, name in COLOURS.items()}
# How the decoder tells where an error is.
_VALIDATION = re.compile(r"(.*?)(?: - at `\$\.?(.*)`)?", re.DOTALL)
_MALFORMED = re.compile(r"(?:JSON is malformed: )?(.*?)(?: \(byte ([0-9]+)\))?", re.DOTALL)


def write_json_records(records: Iterable[Record], layout: Layout = Layout.LINES) -> str:
    """Return the games as JSON: each in a line of its own, in an array or without one.

    Raises:
        RecordError: what is to be written is no Record, or the layout none.
    """
    if not isinstance(layout, Layout):
        raise RecordError(f"a layout is Layout.LINES or Layout.ARRAY, not {shown(layout)}")
    games = [msgspec.json.encode(_message(record)).decode() for record in checked_records(records)]
    if layout is Layout.LINES:
        return "".join(f"{game}\n" for game in games)
    return "[\n" + ",\n".join(games) + "\n]\n" if games else "[]\n"


def _message(record: Record) -> _Game:
    return _Game(
        rules=str(record.rules),
        fen=record.fen,
        first_colour=record.first_colour and COLOURS[record.first_colour],
        result=record.result,
        termination=record.termination,
        comment=record.comment,
        tags=dict(record.tags),
        moves=[_Move(str(item.move), item.comment, item.score) for item in record.moves],
    )


def read_json_records(source: str | bytes) -> Iterator[Record | RecordError]:
    """Read games from JSON: one object a line, one array of objects, or a single object in any lines.

    Each game comes as it is read: a Record, or what is wrong with it, with the number of the game and the key, or the
    line and column where the text is no JSON. A game that is no JSON ends an array; after any other error reading
    goes on.

    Raises:
        RecordError: the source is no text.
    """
    if isinstance(source, str):
        source = source.encode("utf-8", "surrogatepass")
    elif not isinstance(source, bytes):
        raise RecordError(f"JSON is read from a text or bytes, not from {shown(source)}")
    return _read(source.removeprefix(b"\xef\xbb\xbf"))


class _Place(NamedTuple):
    line: int = 1
    column: int = 1

    def after(self, text: bytes) -> "_Place":
        """Where a text ends that begins here."""
        last_line = text[text.rfind(b"\n") + 1 :]
        lines, columns = text.count(b"\n"), len(last_line.decode(errors="replace"))
        return _Place(self.line + lines, columns + (1 if lines else self.column))


def _read(source: bytes) -> Iterator[Record | RecordError]:
    number = 0
    try:
        for number, (game, place) in enumerate(_games(source), 1):
            try:
                yield _record(_decode(game, place, _Game))
            except RecordError as error:
                # What has no column is no fault of JSON, and has a key: the game's first line is where to look for it.
                yield error.at(game=number, line=error.line or place.line)
    except RecordError as error:
        yield error


def _games(source: bytes) -> Iterator[tuple[bytes, _Place]]:
    """Yield each game with where it begins."""
    if source.lstrip()[:1] == b"[":
        place, ended = _Place(), 0
        for raw in _decode(source, place, list[msgspec.Raw]):
            game = bytes(raw)
            # A comma or the bracket stands before it.
            begun = source.index(game, ended + 1)
            place = place.after(source[ended:begun])
            yield game, place
            place, ended = place.after(game), begun + len(game)
    elif _is_one_object(source):
        yield source, _Place()
    else:
        for number, line in enumerate(source.split(b"\n"), 1):
            if line.strip():
                yield line, _Place(number)


def _is_one_object(source: bytes) -> bool:
    """Tell one object in several lines from objects in a line each, the first of which may be cut off."""
    first, _, rest = source.strip().partition(b"\n")
    if not first.startswith(b"{") or _is_json(first):
        return False
    return not rest.lstrip().startswith(b"{") or _is_json(source)


def _is_json(text: bytes) -> bool:
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _decode(part: bytes, place: _Place, form: type[_T]) -> _T:
    """Decode what stands at a place. An error has a line and a column, or the key of what is not as it should be."""
    try:
        return msgspec.json.decode(part, type=form)
    except msgspec.ValidationError as error:
        if found := _VALIDATION.fullmatch(str(error)):
            raise RecordError(_plain(found[1]), key=found[2] or None) from None
        raise RecordError(_plain(str(error))) from None
    except msgspec.DecodeError as error:
        found = _MALFORMED.fullmatch(str(error))
        fault, at = (found[1], found[2]) if found else (str(error), None)
        offset = _end_of_text(part) if at is None else int(at) - (fault in _COUNTED_FROM_1)
        raise RecordError(f"no JSON: {_plain(fault)}", **place.after(part[:offset])._asdict()) from None
    except RecursionError:
        raise RecordError("it is nested too deeply", **place._asdict()) from None


def _end_of_text(part: bytes) -> int:
    """Where a text stops, or stops being UTF-8."""
    try:
        part.decode()
    except UnicodeDecodeError as error:
        return error.start
    return len(part.rstrip())


def _plain(fault: str) -> str:
    return fault[:1].lower() + fault[1:].replace("`", "")


def _record(game: _Game) -> Record:
    if game.first_colour not in _SIDES:
        raise RecordError(
            f"a colour is {' or '.join(COLOURS.values())}, not {shown(game.first_colour)}", key="first_colour"
        )
    return Record(
        game.rules,
        recorded_moves(game.rules, ((move.move, move.comment, move.score) for move in game.moves)),
        fen=game.fen,
        result=game.result,
        termination=game.termination,
        first_colour=_SIDES[game.first_colour],
        tags=game.tags,
        comment=game.comment,
    )
