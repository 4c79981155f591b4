"""A game's record: what was played, by which rules, and how it ended."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, TypeVar

from banqi.errors import BanqiError, RecordError, shown, whole_number
from banqi.geometry import Geometry
from banqi.move import Move
from banqi.outcome import Outcome, Termination
from banqi.piece import Side
from banqi.position import Position
from banqi.rules import Rules

FIRST_WINS: Final = "1-0"
SECOND_WINS: Final = "0-1"
DRAW: Final = "1/2-1/2"
UNFINISHED: Final = "*"
RESULTS: Final = (FIRST_WINS, SECOND_WINS, DRAW, UNFINISHED)
"""How a game ended, for the first seat."""

COLOURS: Final[Mapping[Side, str]] = MappingProxyType({Side.RED: "red", Side.BLACK: "black"})
"""How records name the colours."""

FIELD_TAGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Rules": "rules",
        "FEN": "fen",
        "FirstColour": "first_colour",
        "Result": "result",
        "Termination": "termination",
    }
)
"""The tags that are fields of Record, each with the field's name. They never stand in `Record.tags`."""

UNPRINTABLE: Final = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""What a record never holds: control characters, line breaks of any kind, and what is no text at all."""

# What people end a game with; the results that go with each. The rules say everything else.
_AGREED: Final[Mapping[Termination, tuple[str, ...]]] = MappingProxyType(
    {
        Termination.RESIGN: (FIRST_WINS, SECOND_WINS),
        Termination.TIME: (FIRST_WINS, SECOND_WINS),
        Termination.AGREEMENT: (DRAW,),
    }
)
_T = TypeVar("_T")
_G = TypeVar("_G")
_TAG_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_BLANKS = re.compile("[ \t\r\n]+")


@dataclass(frozen=True)
class RecordedMove:
    """An action as a record holds it.

    score: the expected result in [-1, 1] for the side that moved. comment: words about it; white space in it counts
    as one blank, and none at its ends.

    Raises:
        RecordError: the move is no Move, the score is out of its range, the comment holds a control character.
    """

    move: Move
    comment: str = ""
    score: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.move, Move):
            raise RecordError(f"a recorded move is a Move, not {shown(self.move)}", key="move")
        object.__setattr__(self, "comment", _checked_comment(self.comment))
        if self.score is not None:
            object.__setattr__(self, "score", _checked_score(self.score))


@dataclass(frozen=True, init=False)
class Record:
    """A game: rules, moves, result, and tags about it. It is checked by replay, so a Record that exists holds.

    A ply is one player's whole turn: one action, or all actions of a chain of captures. `moves` are actions.

    rules: the rule set. moves: what was played, flips and attempts with their reveals. fen: the position that was
    set up, None for the start. result: one of RESULTS, for the first seat, which is to move in that position.
    termination: why the game is over, None while it goes on. first_colour: the colour of the first seat, None before
    it has one. tags: everything else that is told (Event, Date, First, Second, Commitment, Opening, ...), without
    FIELD_TAGS. comment: words before the first move.

    What the rules say is filled in: result and termination where they end the game, and the first seat's colour. If
    it is given and differs, the record is refused.

    Raises:
        RecordError: something does not hold; `key` says what.
    """

    rules: Rules
    moves: tuple[RecordedMove, ...]
    fen: str | None
    result: str
    termination: Termination | None
    first_colour: Side | None
    tags: Mapping[str, str] = field(hash=False)
    comment: str
    # Where in `moves` each ply begins, then the number of moves.
    _bounds: tuple[int, ...] = field(repr=False, compare=False)

    def __init__(
        self,
        rules: Rules | str = "taiwan",
        moves: Iterable[RecordedMove | Move | str] = (),
        *,
        fen: str | None = None,
        result: str | None = None,
        termination: Termination | str | None = None,
        first_colour: Side | None = None,
        tags: Mapping[str, str] | None = None,
        comment: str = "",
    ) -> None:
        rules = _under("rules", Rules.of, rules)
        position = Position(rules)
        if fen is not None:
            position = _under("fen", partial(Position.from_fen, rules=rules), fen)
            fen = None if position == Position(rules) else position.fen()
        first = position.side
        put = partial(object.__setattr__, self)
        put("rules", rules)
        put("fen", fen)
        put("tags", MappingProxyType(checked_tags({} if tags is None else tags)))
        put("comment", _checked_comment(comment))
        if not isinstance(moves, Iterable):
            raise RecordError(f"moves are a list of moves, not {shown(moves)}", key="moves")
        played, bounds = _replay(position, moves)
        put("moves", played)
        put("_bounds", bounds)
        if first is None and played:
            # The first seat flipped, and plays what it turned up.
            first = Side.RED if (played[0].move.reveal or "").isupper() else Side.BLACK
        if first_colour is not None and (first is None or not _is_among(first_colour, [first])):
            known = "has no colour yet" if first is None else f"plays {COLOURS[first]}"
            raise RecordError(f"the first seat {known}", key="first_colour")
        put("first_colour", first)
        result, ended = _checked_ending(position.outcome(), first, result, termination)
        put("result", result)
        put("termination", ended)

    @classmethod
    def from_position(cls, position: Position, **details: Any) -> "Record":
        """Return the record of a position's moves. `details` are the constructor's, but for rules, moves and fen.

        Raises:
            RecordError: a detail does not hold.
        """
        if not isinstance(position, Position):
            raise RecordError(f"a position is a Position, not {shown(position)}")
        root = position.copy()
        while root.move_stack:
            root.pop()
        return cls(position.rules, position.move_stack, fen=root.fen(), **details)

    @classmethod
    def from_text(cls, text: str) -> "Record":
        """Read one game that is written as text.

        Raises:
            RecordError: it does not hold, or it is not one game.
        """
        from banqi.record.text import read_records

        return _only(list(read_records(text)))

    @classmethod
    def from_json(cls, text: str | bytes) -> "Record":
        """Read one game that is written as JSON.

        Raises:
            RecordError: it does not hold, or it is not one game.
        """
        from banqi.record.messages import read_json_records

        return _only(list(read_json_records(text)))

    def to_text(self) -> str:
        """Return the game as text, which `from_text` reads back as an equal record."""
        from banqi.record.text import write_records

        return write_records([self])

    def to_json(self) -> str:
        """Return the game as one JSON object in one line, which `from_json` reads back as an equal record."""
        from banqi.record.messages import write_json_records

        return write_json_records([self]).removesuffix("\n")

    __str__ = to_text

    def __reduce__(self) -> tuple[partial["Record"], tuple[()]]:
        again = partial(
            type(self),
            self.rules,
            self.moves,
            fen=self.fen,
            result=self.result,
            termination=self.termination,
            first_colour=self.first_colour,
            tags=dict(self.tags),
            comment=self.comment,
        )
        return again, ()

    # ---- replay ------------------------------------------------------------------------------------------------

    def plies(self) -> list[tuple[RecordedMove, ...]]:
        """Return the actions of each ply, of the first seat and the second in turn. The last may stop in a chain."""
        return [self.moves[begun:ended] for begun, ended in pairwise(self._bounds)]

    def position(self, ply: int | None = None) -> Position:
        """Return the position after `ply` plies, with its history; the last one if it is left out.

        Raises:
            LimitError: the game has no such ply.
        """
        plies = len(self._bounds) - 1
        ply = plies if ply is None else whole_number(ply, "ply", 0, plies)
        position = self._set_up()
        for recorded in self.moves[: self._bounds[ply]]:
            position.push(recorded.move)
        return position

    def positions(self) -> Iterator[Position]:
        """Yield the position that was set up, then the one after each action: one more than there are moves."""
        position = self._set_up()
        yield position.copy()
        for recorded in self.moves:
            position.push(recorded.move)
            yield position.copy()

    def _set_up(self) -> Position:
        return Position(self.rules) if self.fen is None else Position.from_fen(self.fen, rules=self.rules)


def recorded_moves(rules: str, written: Iterable[tuple[str, str, float | None]]) -> Iterator[RecordedMove]:
    """Read moves as they are asked for, each a text, a comment and a score. Errors have the keys of a Record's moves.

    Raises:
        RulesError, RecordError: the text is no rule set, or what is written is no recorded move.
    """
    meaning = Rules.of(rules)
    read = partial(_read_move, geometry=meaning.geometry, kinds="".join(meaning.set_counts))
    for number, (text, comment, score) in enumerate(written):
        key = f"moves[{number}]"
        move = _under(f"{key}.move", read, text)
        yield _under(key, partial(RecordedMove, comment=comment, score=score), move)


# Games share their moves, and a file of them is read in two thirds of the time.
@lru_cache(maxsize=1 << 14)
def _read_move(text: str, geometry: Geometry, kinds: str) -> Move:
    return Move.from_text(text, geometry=geometry, kinds=kinds)


def _only(games: list[Record | RecordError]) -> Record:
    if len(games) != 1:
        raise RecordError(f"one game is expected, not {len(games)}")
    if isinstance(games[0], RecordError):
        raise games[0]
    return games[0]


def _under(key: str, read: Callable[[_G], _T], given: _G) -> _T:
    """Read what is given for a key; an error becomes a RecordError that names the key."""
    try:
        return read(given)
    except BanqiError as error:
        inner = error.key if isinstance(error, RecordError) else None
        fault = error.fault if isinstance(error, RecordError) else str(error)
        raise RecordError(fault, key=f"{key}.{inner}" if inner else key) from None


def _replay(
    position: Position, moves: Iterable[RecordedMove | Move | str]
) -> tuple[tuple[RecordedMove, ...], tuple[int, ...]]:
    """Make the moves one after the other; return them, and where the plies begin and end.

    A move is asked for when those before it have been made, so of several faults the first is found.
    """
    played: list[RecordedMove] = []
    bounds: list[int] = []
    mover: Side | None = None
    for number, given in enumerate(moves):
        key = f"moves[{number}].move"
        recorded = given
        if not isinstance(recorded, RecordedMove):
            recorded = RecordedMove(_under(key, position.read_move, recorded))
        if (outcome := position.outcome()) is not None:
            raise RecordError(f"{recorded.move} comes after the end of the game: {outcome}", key=key)
        if not bounds or position.side != mover:
            bounds.append(number)
            mover = position.side
        _under(key, position.push, recorded.move)
        played.append(recorded)
    return tuple(played), (*bounds, len(played))


def _is_among(given: object, words: Iterable[str]) -> bool:
    # An array would be compared item by item.
    return isinstance(given, str) and given in words


def _checked_ending(
    outcome: Outcome | None, first: Side | None, result: str | None, termination: str | None
) -> tuple[str, Termination | None]:
    """Return result and termination, from the rules where they end the game, else as they are told."""
    if result is not None and not _is_among(result, RESULTS):
        raise RecordError(f"a result is one of {', '.join(RESULTS)}, not {shown(result)}", key="result")
    if termination is not None:
        try:
            termination = Termination(termination)
        except ValueError:
            words = ", ".join(Termination)
            raise RecordError(f"a termination is one of {words}, not {shown(termination)}", key="termination") from None
    if outcome is not None:
        due = DRAW if outcome.winner is None else FIRST_WINS if outcome.winner == first else SECOND_WINS
        if result not in (None, due):
            raise RecordError(f"the game ends with {due} ({outcome.termination}), not with {result}", key="result")
        if termination not in (None, outcome.termination):
            raise RecordError(f"the game ends by {outcome.termination}, not by {termination}", key="termination")
        return due, outcome.termination
    if termination is None:
        if result in (None, UNFINISHED):
            return UNFINISHED, None
        raise RecordError(
            f"the rules do not end the game here, and no termination ({', '.join(_AGREED)}) tells why it is {result}",
            key="result",
        )
    if termination not in _AGREED:
        raise RecordError(f"the rules do not end the game by {termination} here", key="termination")
    if result is None or result not in _AGREED[termination]:
        given = "no result" if result is None else result
        raise RecordError(
            f"{termination} goes with {' or '.join(_AGREED[termination])}, not with {given}", key="result"
        )
    return result, termination


def checked_tags(tags: object) -> dict[str, str]:
    """Return a copy of what a record may have as its tags.

    Raises:
        RecordError: it is no mapping, one of its names no tag's or a field's, or a value no text.
    """
    if not isinstance(tags, Mapping):
        raise RecordError(f"tags are a mapping of names to texts, not {shown(tags)}", key="tags")
    for name, value in tags.items():
        if not isinstance(name, str) or not _TAG_NAME.fullmatch(name):
            raise RecordError(
                f"the name of a tag is a letter, then letters, digits and _, not {shown(name)}", key="tags"
            )
        if name in FIELD_TAGS:
            raise RecordError(f"{name} is a field of the record, not one of its tags", key=f"tags.{name}")
        _check_text(value, f"tags.{name}")
    return dict(tags)


def checked_records(records: object) -> Iterator[Record]:
    """Yield what is to be written.

    Raises:
        RecordError: these are no Records; if one of them is none, with its number.
    """
    if not isinstance(records, Iterable):
        raise RecordError(f"Records are written, such as a list of them, not {shown(records)}")
    for number, record in enumerate(records, 1):
        if not isinstance(record, Record):
            raise RecordError(f"a Record is written, not {shown(record)}", game=number)
        yield record


def _checked_comment(comment: object) -> str:
    return _check_text(_BLANKS.sub(" ", comment).strip(" ") if isinstance(comment, str) else comment, "comment")


def _check_text(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise RecordError(f"{shown(value)} is no text", key=key)
    if found := UNPRINTABLE.search(value):
        raise RecordError(f"{shown(found[0])} is a control character", key=key)
    return value


def _checked_score(score: object) -> float:
    # An array may turn into a number, but is none.
    if not isinstance(score, bool) and hasattr(score, "__float__") and not hasattr(score, "__len__"):
        with suppress(TypeError, ValueError, OverflowError):
            number = float(score)
            if -1 <= number <= 1:
                # A zero has no sign.
                return number + 0.0
    raise RecordError(f"a score is a number from -1 to 1, not {shown(score)}", key="score")
