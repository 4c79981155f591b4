r"""Records as text, like PGN.

A game is a section of tags and the moves, with a blank line between the two and between games. A tag is a line
`[Name "value"]`, in whose value a backslash stands before a quote and a backslash. Then come, with white space
between them in any way:

- move numbers, `1.` or `1...`, which are for people: readers pass over them;
- moves, in either column of the rules; `a1(K)`, `a1-b1`, `a1-b1(k)` and `end` are written;
- after a move a comment in braces. A signed number with a point at its start, `{+0.1250 some words}`, is the score:
  the expected result for the side that moved. Inside, `\{ \} \\` stand for a brace and a backslash, and `\+ \-` for a
  sign that begins no score. White space counts as one blank, and comments in a row as one;
- at the end the result: `1-0`, `0-1`, `1/2-1/2` or `*`.

Without a Rules tag the rule set is `taiwan`. What the tags and the result say must be what the replay says. A line
that begins with `[` is always a tag, so no line of a comment begins with it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import accumulate, chain
from typing import Final, NamedTuple

from banqi.errors import RecordError, shown
from banqi.record.record import (
    COLOURS,
    FIELD_TAGS,
    RESULTS,
    UNPRINTABLE,
    Record,
    RecordedMove,
    checked_records,
    recorded_moves,
)

_WIDTH: Final = 80
# In this order; what is not named here follows.
_TAG_ORDER: Final = (
    "Event", "Date", "First", "Second", "Rules", "FirstColour", "Result", "Termination", "Commitment", "Opening", "FEN",
)  # fmt: skip
_SIDES: Final = {None: None} | {name: side for side, name in COLOURS.items()}

# Where the result at the end of the moves stands. No key of a record has this name.
_RESULT: Final = "result at the end"

# The parts of a tag, each with what is said where it is missing.
_TAG_PARTS: Final = (
    (re.compile(r"[ \t]*\[[ \t]*"), "a tag begins with ["),
    (re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9_]*)"), "the name of a tag is a letter, then letters, digits and _"),
    (re.compile(r'[ \t]+"'), 'after the name of a tag come a blank and a "'),
    (re.compile(r'(?P<value>(?:[^"\\]|\\["\\])*+)'), ""),
    (re.compile(r'"[ \t]*'), 'the value of a tag ends with a ", and in it \\ stands only before " and \\'),
    (re.compile(r"\][ \t]*"), "a tag ends with ]"),
    (re.compile(r"\Z"), "a line holds one tag only"),
)
_TOKEN = re.compile(r"(?P<blank>[ \t\n]+)|\{(?P<comment>(?:[^{}\\]|\\[\s\S])*+)\}|(?P<word>[^ \t\n{}]+)")
_NUMBER = re.compile(r"[0-9]+\.+")
_BRACE_FAULTS: Final = {
    "{": "the comment that begins here does not end; a brace inside one is written \\{ or \\}",
    "}": "no comment ends here",
}
_BAD_ESCAPE = re.compile(r"(?:[^\\]|\\[{}\\+-])*+(?=\\)")
_ESCAPED = re.compile(r"\\([{}\\+-])")
_MOVE_KEY = re.compile(r"moves\[([0-9]+)\]\.(\w+)")
_SCORE = re.compile(r"([+-][0-9]+\.[0-9]+)(?: |\Z)")
_BLANKS = re.compile("[ \t\n]+")


# ---- writing ---------------------------------------------------------------------------------------------------


def write_records(records: Iterable[Record]) -> str:
    """Return the games as text, an empty line between them, lines of moves up to 80 characters long.

    Raises:
        RecordError: what is to be written is no Record.
    """
    return "\n".join(f"{_tag_section(record)}\n{_movetext(record)}" for record in checked_records(records))


def written_tags(record: Record) -> dict[str, str]:
    """Return all tags that are written, those for the fields of the record among them, in their order."""
    fields = {
        "Rules": str(record.rules),
        "FirstColour": record.first_colour and COLOURS[record.first_colour],
        "Result": record.result,
        "Termination": record.termination,
        "FEN": record.fen,
    }
    tags = {**record.tags, **{name: value for name, value in fields.items() if value is not None}}
    return {name: tags[name] for name in (*(name for name in _TAG_ORDER if name in tags), *record.tags)}


def move_text(recorded: RecordedMove) -> str:
    """Return a move with its score and comment."""
    comment = _comment_text(recorded.comment, recorded.score)
    return f"{recorded.move} {comment}" if comment else str(recorded.move)


def _tag_section(record: Record) -> str:
    values = {name: re.sub(r'["\\]', r"\\\g<0>", value) for name, value in written_tags(record).items()}
    return "".join(f'[{name} "{value}"]\n' for name, value in values.items())


def _movetext(record: Record) -> str:
    """Return numbered moves, comments and result in lines."""
    text = _comment_text(record.comment, None)
    words = text.split(" ") if text else []
    after_comment = bool(words)
    for ply, actions in enumerate(record.plies()):
        number = f"{ply // 2 + 1}." if ply % 2 == 0 else f"{ply // 2 + 1}..." if after_comment else ""
        for recorded in actions:
            comment = _comment_text(recorded.comment, recorded.score)
            words.append(f"{number} {recorded.move}".lstrip(" "))
            words += comment.split(" ") if comment else []
            number, after_comment = "", bool(comment)
    return "".join(f"{line}\n" for line in _lines([*words, record.result]))


def _lines(words: list[str]) -> Iterator[str]:
    """Join words to lines. A word that begins with [ never begins a line."""
    line = words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) <= _WIDTH or word.startswith("["):
            line += f" {word}"
        else:
            yield line
            line = word
    yield line


def _comment_text(comment: str, score: float | None) -> str:
    """Return a comment in braces, "" if there is none."""
    words = re.sub(r"[{}\\]", r"\\\g<0>", comment)
    if score is None:
        words = re.sub(r"\A[+-]", r"\\\g<0>", words)
        return f"{{{words}}}" if words else ""
    return f"{{{f'{_score_text(score)} {words}'.rstrip(' ')}}}"


def _score_text(score: float) -> str:
    """Return a score so that it reads back as the same number: all its digits, but at least four."""
    whole, _, digits = format(Decimal(repr(score)), "+f").partition(".")
    return f"{whole}.{digits:0<4}"


# ---- reading ---------------------------------------------------------------------------------------------------


def read_records(source: str | Iterable[str]) -> Iterator[Record | RecordError]:
    """Read games from a text, or from its lines, such as an open file.

    Each game comes as it is read: a Record, or what is wrong with it, with its line and column. After an error
    reading goes on with the next section of tags.

    Raises:
        RecordError: the source is no text, or one of its lines is none.
    """
    if isinstance(source, str):
        source = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    elif not hasattr(source, "__iter__"):
        raise RecordError(f"records are read from a text or its lines, not from {shown(source)}")
    return (_read_game(lines, number) for number, lines in enumerate(_games(source), 1))


class _Line(NamedTuple):
    number: int
    text: str

    @property
    def is_blank(self) -> bool:
        return not self.text.strip(" \t")

    @property
    def is_tag(self) -> bool:
        return self.text.lstrip(" \t").startswith("[")

    def error(self, offset: int, fault: str) -> RecordError:
        return RecordError(fault, line=self.number, column=offset + 1)


class _Place(NamedTuple):
    line: int
    column: int


@dataclass
class _Written:
    """A move as it is written, the insides of the comments after it, and where these and the move begin."""

    text: str
    place: _Place
    comments: list[str] = field(default_factory=list)
    comment_place: _Place | None = None


def _games(source: Iterable[str]) -> Iterator[list[_Line]]:
    """Split lines into games: one begins at each tag that does not follow the tags of the same game directly."""
    game: list[_Line] = []
    among_tags = False
    for number, text in enumerate(source, 1):
        if not isinstance(text, str):
            raise RecordError(f"a line is a text, not {shown(text)}")
        text = text.removeprefix("\ufeff") if number == 1 else text
        line = _Line(number, text.removesuffix("\n").removesuffix("\r"))
        if line.is_tag and not among_tags:
            if game:
                yield game
            game = []
            among_tags = True
        elif line.is_blank:
            among_tags = False
        if game or not line.is_blank:
            game.append(line)
    if game:
        yield game


def _read_game(lines: list[_Line], number: int) -> Record | RecordError:
    try:
        return _GameReader(lines).read()
    except RecordError as error:
        return error.at(game=number)


class _GameReader:
    """Reads the lines of one game."""

    def __init__(self, lines: list[_Line]) -> None:
        self._lines = lines
        self._tags: dict[str, str] = {}
        self._comments: list[str] = []
        self._moves: list[_Written] = []
        self._result = ""
        # Where the keys of a record stand.
        self._places: dict[str, _Place] = {}

    def read(self) -> Record:
        for line in self._lines:
            if found := UNPRINTABLE.search(line.text.replace("\t", " ")):
                what = "a byte that is no UTF-8" if "\udc80" <= found[0] <= "\udcff" else "a control character"
                raise line.error(found.start(), f"{shown(found[0])} is {what}")
        tag_count = max((count for count, line in enumerate(self._lines, 1) if line.is_tag), default=0)
        for line in self._lines[:tag_count]:
            self._read_tag(line)
        self._read_movetext(self._lines[tag_count:])
        try:
            return self._record()
        except RecordError as error:
            if error.line is not None:
                raise
            raise error.at(**self._place(error.key or "")._asdict()) from None

    def _read_tag(self, line: _Line) -> None:
        offset = 0
        found: dict[str, tuple[str, int]] = {}
        for pattern, fault in _TAG_PARTS:
            match = pattern.match(line.text, offset)
            if match is None:
                raise line.error(offset, fault)
            found |= {key: (value, match.start()) for key, value in match.groupdict().items()}
            offset = match.end()
        name, begun = found["name"]
        if name in self._tags:
            raise line.error(begun, f"the tag {name} is given twice")
        value, begun = found["value"]
        self._tags[name] = re.sub(r"\\(.)", r"\1", value)
        # The quote before the value.
        self._places[FIELD_TAGS.get(name, f"tags.{name}")] = _Place(line.number, begun)

    def _read_movetext(self, lines: list[_Line]) -> None:
        text = "\n".join(line.text for line in lines)
        begins = list(accumulate((len(line.text) + 1 for line in lines), initial=0))

        def place(offset: int) -> _Place:
            index = min(bisect_right(begins, offset), len(lines)) - 1
            if index < 0:
                # A game without any text after its tags.
                return _Place(self._lines[-1].number, len(self._lines[-1].text) + 1)
            return _Place(lines[index].number, offset - begins[index] + 1)

        def error(offset: int, fault: str) -> RecordError:
            return RecordError(fault, **place(offset)._asdict())

        offset = 0
        while offset < len(text):
            token = _TOKEN.match(text, offset)
            if token is None:
                raise error(offset, _BRACE_FAULTS[text[offset]])
            begun, offset = offset, token.end()
            if token["blank"]:
                continue
            if self._result:
                raise error(begun, f"the game goes on after its result {self._result}")
            if token["comment"] is not None:
                if bad := _BAD_ESCAPE.match(token["comment"]):
                    raise error(begun + 1 + bad.end(), "in a comment a \\ stands before one of {}\\+- only")
                if self._moves:
                    self._moves[-1].comments.append(token["comment"])
                    self._moves[-1].comment_place = self._moves[-1].comment_place or place(begun)
                else:
                    self._comments.append(token["comment"])
                continue
            word = token["word"]
            if number := _NUMBER.match(word):
                begun += number.end()
                word = word[number.end() :]
            if word in RESULTS:
                self._result = word
                self._places[_RESULT] = place(begun)
            elif word:
                self._moves.append(_Written(word, place(begun)))
        if not self._result:
            self._places[_RESULT] = place(len(text.rstrip(" \t\n")))

    def _record(self) -> Record:
        tags = dict(self._tags)
        fields = {key: tags.pop(name, None) for name, key in FIELD_TAGS.items()}
        colour = fields["first_colour"]
        if colour not in _SIDES:
            words = " or ".join(COLOURS.values())
            raise RecordError(f"a colour is {words}, not {shown(colour)}", key="first_colour")
        rules = "taiwan" if fields["rules"] is None else fields["rules"]
        return Record(
            rules,
            chain(
                recorded_moves(rules, ((move.text, *_score_and_words(move.comments)) for move in self._moves)),
                self._check_result(fields["result"]),
            ),
            fen=fields["fen"],
            result=self._result,
            termination=fields["termination"],
            first_colour=_SIDES[colour],
            tags=tags,
            comment=_unescaped(" ".join(self._comments)),
        )

    def _check_result(self, told: str | None) -> Iterator[RecordedMove]:
        """Compare the result at the end with the tag when all moves have been made. Yields nothing."""
        if not self._result:
            raise RecordError(f"the game ends without a result: {', '.join(RESULTS)}", key=_RESULT)
        if told not in (None, self._result):
            raise RecordError(f"the result is {self._result}, but the tag Result says {shown(told)}", key=_RESULT)
        yield from ()

    def _place(self, key: str) -> "_Place":
        """Where the part of a record stands that has this key."""
        if in_moves := _MOVE_KEY.fullmatch(key):
            move = self._moves[int(in_moves[1])]
            return move.place if in_moves[2] == "move" else move.comment_place or move.place
        return self._places.get(key, self._places[_RESULT])


def _score_and_words(comments: list[str]) -> tuple[str, float | None]:
    if not comments:
        return "", None
    text = _BLANKS.sub(" ", " ".join(comments)).strip(" ")
    if score := _SCORE.match(text):
        return _unescaped(text[score.end() :]), float(score[1])
    return _unescaped(text), None


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(r"\1", text)
