"""Records: what is written, what is read back, what is refused and where."""

import io
import json
import os
import pickle
import random
import sys
import time
import types
from collections.abc import Callable, Iterable
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from banqi import (
    BanqiError,
    Deal,
    Game,
    LimitError,
    Move,
    Position,
    Record,
    RecordedMove,
    RecordError,
    Rules,
    Side,
    Termination,
    read_json_records,
    read_records,
    write_json_records,
    write_records,
)
from banqi.record import Format, read_file, verify, write_file
from banqi.record.messages import Layout
from banqi.rules import RULE_SETS
from sizes import tenth
from tools import TOURNAMENT_RULES, needs_tournament_games, stored_termination, tournament_games

START = Position().fen()
# Endgames; black or red is to move as they say.
ALL_CAPTURED = "4/4/4/4/4/4/4/Rp2 r - - 0"
NO_MOVES = "4/4/4/4/4/4/p3/Kp2 r - - 0"
TWO_GENERALS = "3k/4/4/4/4/4/4/K3 b - - 0"


def said(text: str, comment: str = "", score: float | None = None) -> RecordedMove:
    return RecordedMove(Move.from_text(text), comment, score)


def one_error(games: Iterable[Record | RecordError]) -> RecordError:
    (error,) = games
    assert isinstance(error, RecordError)
    return error


# ---- text: by hand ---------------------------------------------------------------------------------------------

# Numbers, the order of the tags and the break of the line by hand, from the description of the format: the first line
# of moves has 78 characters, and `2... a2-a3` is kept together.
WRITTEN = r"""[Event "A \"friendly\" \\ game"]
[First "Анна 安娜"]
[Rules "taiwan(quiet_limit=60)"]
[FirstColour "black"]
[Result "0-1"]
[Termination "resign"]
[Round "3"]
[Assisted "first"]

{before it} 1. a1(k) {+0.1250 a \{good\} one} 1... a2(R) 2. a3(p) {-0.5000 or}
2... a2-a3 0-1
"""
RECORD = Record(
    "taiwan(quiet_limit=60)",
    [said("a1(k)", "a {good} one", 0.125), "a2(R)", said("a3(p)", "or", -0.5), Move.from_text("a2a3")],
    result="0-1",
    termination="resign",
    tags={"Round": "3", "First": "Анна 安娜", "Event": 'A "friendly" \\ game', "Assisted": "first"},
    comment="before it",
)


def test_a_record_is_written_as_described() -> None:
    assert RECORD.to_text() == str(RECORD) == write_records([RECORD]) == WRITTEN


def test_what_is_written_reads_back_as_the_same_record() -> None:
    assert Record.from_text(WRITTEN) == RECORD
    assert RECORD.first_colour is Side.BLACK
    assert RECORD.termination is Termination.RESIGN
    assert RECORD.moves[1] == RecordedMove(Move.from_text("a2(R)"))


def test_several_games_have_an_empty_line_between_them() -> None:
    bare = Record("taiwan")
    assert write_records([]) == ""
    assert bare.to_text() == '[Rules "taiwan"]\n[Result "*"]\n\n*\n'
    assert write_records([bare, RECORD, bare]) == f"{bare}\n{WRITTEN}\n{bare}"
    assert list(read_records(write_records([bare, RECORD, bare]))) == [bare, RECORD, bare]


@pytest.mark.parametrize(
    "text",
    [
        '[Rules "taiwan"]\n\n1. a1(K) b1(k) 2. c1(P) *\n',
        # No rules, no numbers, the wire's column, no blanks that are not needed, no line break at the end.
        "a1a1K b1b1k c1c1P *",
        "1.a1(K){}b1(k) 2.c1(P) *",
        # Numbers are for people, whatever they say. Any white space separates.
        "7... a1(K)\t99.\n\n  b1(k)\r\n\r\n5.c1(P)\t*  \n\n\n",
        '\ufeff\n\n \t[ Rules\t"taiwan" ] \n1. a1(K) b1(k) 2. c1(P) *\n',
        '[Rules "taiwan"]\r[FirstColour "red"]\r\r1. a1(K) b1(k) 2. c1(P) *\r',
        f'[Result "*"]\n[FEN "{START}"]\n\n1. a1(K) b1(k) 2. c1(P) *\n',
    ],
)
def test_readers_take_what_people_write(text: str) -> None:
    assert Record.from_text(text) == Record("taiwan", ["a1(K)", "b1(k)", "c1(P)"])
    assert list(read_records(io.StringIO(text, newline=None))) == list(read_records(text))


def test_lines_are_read_one_by_one() -> None:
    def lines() -> Iterable[str]:
        yield from ('[Event "one"]\n', "\n", "*\n", "\n", '[Event "two"]\n')
        raise AssertionError("asked for more than the first game needs")

    first = next(iter(read_records(lines())))
    assert isinstance(first, Record)
    assert first.tags == {"Event": "one"}


def test_nothing_holds_no_game() -> None:
    for text in ("", "\n\n \t\n", "\ufeff"):
        assert list(read_records(text)) == []
    for text in ("", f"{RECORD}\n{RECORD}"):
        with pytest.raises(RecordError, match="one game is expected"):
            Record.from_text(text)


@pytest.mark.parametrize(
    ("written", "comment", "score"),
    [
        ("{}", "", None),
        ("{ \t\n }", "", None),
        ("{two  blanks\n and a line}", "two blanks and a line", None),
        ("{one} {two}\n{three}", "one two three", None),
        ("{+0.1250}", "", 0.125),
        ("{+0.1250 some words}", "some words", 0.125),
        ("{ -1.0\n+1.0 words}", "+1.0 words", -1.0),
        ("{-0.0000}", "", 0.0),
        ("{+0.30000000000000004}", "", 0.1 + 0.2),
        ("{} {+0.5 split} {here}", "split here", 0.5),
        # A number is a score with its sign, its point, and nothing that follows at once.
        ("{0.5000}", "0.5000", None),
        ("{+1}", "+1", None),
        ("{+2 soldiers}", "+2 soldiers", None),
        ("{+0.5, he says}", "+0.5, he says", None),
        ("{words +0.5}", "words +0.5", None),
        (r"{\+0.5 is what he says}", "+0.5 is what he says", None),
        (r"{\{\}\\ \- [x] ; $1 (1-0)}", r"{}\ - [x] ; $1 (1-0)", None),
    ],
)
def test_comments_and_scores(written: str, comment: str, score: float | None) -> None:
    record = Record.from_text(f"a1(K) {written} b1(k) *")
    assert record.moves[0] == said("a1(K)", comment, score)
    assert record.moves[1] == said("b1(k)")
    assert Record.from_text(record.to_text()) == record


def test_a_comment_before_the_first_move_has_no_score() -> None:
    record = Record.from_text("{+0.5 up} 1. a1(K) *")
    assert record.comment == "+0.5 up"
    assert record.moves == (said("a1(K)"),)
    assert Record.from_text(record.to_text()) == record


def test_lines_are_short_and_none_but_tags_begin_with_a_bracket() -> None:
    # Words of two characters and a blank: without care every line after the first would begin with one.
    record = Record("taiwan", [said("a1(K)", "[x " * 200), said("b1(k)", "word " * 200)])
    _, moves = record.to_text().split("\n\n")
    assert not any(line.startswith("[") for line in moves.splitlines())
    words = moves[moves.index("word") :].splitlines()
    # 16 words fill 79 characters.
    assert max(map(len, words)) == 79
    assert Record.from_text(record.to_text()) == record


# ---- text: what is wrong, and where ----------------------------------------------------------------------------

# Three lines, so that the moves stand in line 4.
HEAD = '[Event "x"]\n[Rules "taiwan"]\n\n'


# Lines and columns are counted by hand. Columns count characters from 1.
@pytest.mark.parametrize(
    ("text", "line", "column", "fault"),
    [
        # Moves.
        (HEAD + "1. a1(K) b1(k) 2. a1-c1 *", 4, 19, "a1-c1 is illegal: c1 lies face down"),
        (HEAD + "1. a1(K)\n   b1(k) xyzzy *", 5, 10, "'xyzzy' is none of"),
        (HEAD + "1.a1 *", 4, 3, "a1 is a flip without its reveal"),
        (HEAD + "1. a1(K) b1(K) *", 4, 10, "no K lies face down"),
        (HEAD + "1. a1(K) $1 *", 4, 10, "'$1' is none of"),
        (HEAD + "{安} 1. a1(K) a1(K) *", 4, 14, "a1 is face up"),
        # The first of two faults is told, although the second cannot even be read.
        (HEAD + "1. a1(K) a1(K) 2. xyzzy *", 4, 10, "a1 is face up"),
        (f'[FEN "{ALL_CAPTURED}"]\n\na1-b1 b1-b2 1-0', 3, 7, "b1-b2 comes after the end of the game: red wins"),
        # The result at the end.
        (HEAD + "1. a1(K)\n\n", 4, 9, "the game ends without a result"),
        (HEAD, 3, 1, "the game ends without a result"),
        ('[Event "x"]', 1, 12, "the game ends without a result"),
        (HEAD + "1. a1(K) * b1(k)", 4, 12, "the game goes on after its result *"),
        (HEAD + "1. a1(K) * *", 4, 12, "the game goes on after its result *"),
        (HEAD + "1. a1(K) * {words}", 4, 12, "the game goes on after its result *"),
        (HEAD + "1. a1(K) 1-0", 4, 10, "the rules do not end the game here"),
        ('[Result "1-0"]\n\n1. a1(K) *', 3, 10, "the result is *, but the tag Result says '1-0'"),
        # Comments.
        (HEAD + "1. a1(K) {never\nends *", 4, 10, "the comment that begins here does not end"),
        (HEAD + "1. a1(K) {one {two} *", 4, 10, "the comment that begins here does not end"),
        (HEAD + "1. a1(K) words} *", 4, 15, "no comment ends here"),
        (HEAD + "1. a1(K) {a\n \\n} *", 5, 2, "in a comment a \\ stands before"),
        (HEAD + "1. a1(K) {a \\\n} *", 4, 13, "in a comment a \\ stands before"),
        (HEAD + "1. a1(K) {} {+1.0001} *", 4, 10, "a score is a number from -1 to 1"),
        (HEAD + "1. a1(K) {-99999.0 loses} *", 4, 10, "a score is a number from -1 to 1"),
        # Tags.
        ("[]\n\n*", 1, 2, "the name of a tag is"),
        ('[1st "x"]\n\n*', 1, 2, "the name of a tag is"),
        ('[Event x"]\n\n*', 1, 7, 'come a blank and a "'),
        ('[Event"x"]\n\n*', 1, 7, 'come a blank and a "'),
        ('[Event "x]\n\n*', 1, 11, 'ends with a "'),
        ('[Event "a\\nb"]\n\n*', 1, 10, 'stands only before " and \\'),
        ('[Event "x"\n\n*', 1, 11, "a tag ends with ]"),
        ('[Event "x" y]\n\n*', 1, 12, "a tag ends with ]"),
        ('[Event "x"] [Date "y"]\n\n*', 1, 13, "a line holds one tag only"),
        ('[Event "x"]\n[Event "y"]\n\n*', 2, 2, "the tag Event is given twice"),
        ('[Event "x"]\nDate "y"]\n[Round "z"]\n\n*', 2, 1, "a tag begins with ["),
        ('[Event "x"]\n[Rules "chess"]\n\n*', 2, 8, "unknown rule set 'chess'"),
        ('[Rules ""]\n\n*', 1, 8, "unknown rule set ''"),
        ('[FEN "4/4 r - - 0"]\n\n*', 1, 6, "bad position text"),
        ('[FirstColour "red"]\n\n1. a1(k) *', 1, 14, "the first seat plays black"),
        ('[FirstColour "red"]\n\n*', 1, 14, "the first seat has no colour yet"),
        ('[FirstColour "green"]\n\n1. a1(k) *', 1, 14, "a colour is red or black, not 'green'"),
        ('[Result "2-0"]\n\n2-0', 3, 1, "'2-0' is none of"),
        ('[Result "1-0"]\n[FEN "4/4/4/4/4/4/4/Rp2 b - - 0"]\n\n1. b1-b2 1-0', 1, 9, "the rules do not end"),
        (f'[FEN "{ALL_CAPTURED}"]\n[Result "0-1"]\n\na1-b1 0-1', 2, 9, "the game ends with 1-0 (all_captured)"),
        (f'[FEN "{ALL_CAPTURED}"]\n[Termination "resign"]\n\na1-b1 1-0', 2, 14, "the game ends by all_captured"),
        ('[Termination "no_moves"]\n\n1. a1(k) 1-0', 1, 14, "the rules do not end the game by no_moves here"),
        ('[Termination "boredom"]\n\n1. a1(k) 1-0', 1, 14, "a termination is one of all_captured, "),
        ('[Termination "time"]\n\n1. a1(k) *', 3, 10, "time goes with 1-0 or 0-1, not with *"),
        # Characters.
        ('[Event "a\x07"]\n\n*', 1, 10, "'\\x07' is a control character"),
        ('[Event "a\tb"]\n\n*', 1, 8, "'\\t' is a control character"),
        ('[Event "a\u2028b"]\n\n*', 1, 10, "'\\u2028' is a control character"),
        (HEAD + "1. a1(K) {\x1b[2J} *", 4, 11, "'\\x1b' is a control character"),
        (HEAD + "1. a1(K) {\udcff} *", 4, 11, "'\\udcff' is a byte that is no UTF-8"),
        ("hello", 1, 1, "'hello' is none of"),
    ],
)  # fmt: skip
def test_an_error_tells_line_and_column(text: str, line: int, column: int, fault: str) -> None:
    error = one_error(read_records(text))
    assert (error.game, error.line, error.column) == (1, line, column), error
    assert fault in error.fault
    assert str(error) == f"game 1, line {line}, column {column}: {error.fault}"
    assert str(error).isprintable()
    with pytest.raises(RecordError, match=r"^game 1, line"):
        Record.from_text(text)


def game(name: str, moves: str = "1. a1(K) *") -> str:
    """Four lines: two tags, an empty one, the moves."""
    return f'[Event "{name}"]\n[Rules "taiwan"]\n\n{moves}\n'


# Broken games between good ones, a, b and c: their text, and how many lines and columns into them the error is.
BROKEN = [
    (game("x", "1. a1(K) a1(K) *"), 4, 10),
    # A comment that does not end, and would swallow the next game; one that holds what looks like a tag.
    (game("x", "1. a1(K) {words *"), 4, 10),
    (game("x", '1. a1(K) {words\nand [Event "y"] *'), 4, 10),
    # Cut off in the moves, after the tags, within the tags.
    (game("x", "1. a1(K)"), 4, 9),
    ('[Event "x"]\n[Rules "taiwan"]\n', 3, 1),
    ('[Event "x"]\n[Rules "tai\n', 2, 12),
    # A tag without its bracket makes no game of the tags after it.
    ('[Event "x"]\nDate "y"]\n[Rules "taiwan"]\n\n1. a1(K) *\n', 2, 1),
    # Moves and result twice.
    (game("x", "1. a1(K) *\n\n1. a1(K) *"), 6, 1),
    (game("x", "\x00\x01\x02"), 4, 1),
]


@pytest.mark.parametrize(("broken", "line", "column"), BROKEN)
def test_reading_goes_on_with_the_next_game(broken: str, line: int, column: int) -> None:
    text = f"{game('a')}\n{broken}\n{game('b')}\n{broken}\n{broken}\n{game('c')}"
    games = list(read_records(text))
    assert [item.tags["Event"] for item in games if isinstance(item, Record)] == ["a", "b", "c"]
    errors = [item for item in games if isinstance(item, RecordError)]
    length = broken.count("\n") + 1
    # Games of five lines with the empty one between: a begins in line 1, the broken ones in 6, ...
    begins = [6, 6 + length + 5, 6 + 2 * length + 5]
    assert [(error.line, error.column) for error in errors] == [(begin + line - 1, column) for begin in begins]
    assert [error.game for error in errors] == [2, 4, 5]


def test_many_broken_games_among_good_ones() -> None:
    text = "\n".join(part for broken, _, _ in BROKEN for part in (game("good"), broken))
    games = list(read_records(text))
    assert [type(item) for item in games] == [Record, RecordError] * len(BROKEN)


def test_games_without_an_empty_line_between_them() -> None:
    """A tag after a result begins a game, if the moves before it were set off from their own tags."""
    games = list(read_records(game("a") + game("b") + game("c", "1. a1(K)") + game("d")))
    assert [getattr(item, "line", None) for item in games] == [None, None, 12, None]


def test_a_line_of_a_megabyte() -> None:
    length = 1_000_000
    for line in (
        *(text * (length // len(text)) for text in ("x", "{", "[", "1.", "1", "a1(K) ", "\\", "{} ", "a1(K) {x} ")),
        *(begin + text * length for begin in ("{", '[Event "', "{+0.") for text in ("x", "\\", "9")),
        f"a1(K) {{+{'9' * length}.0}} *",
        f"a1(K) {{+{'9' * length}}} * x",
    ):
        games = list(read_records(f"{game('a')}\n{game('x', line)}\n{game('b')}"))
        assert isinstance(games[0], Record)
        assert all(isinstance(item, RecordError) for item in games[1:-1])
        assert isinstance(games[-1], Record)
        assert all(len(str(item)) < 300 for item in games[1:-1])
    words = Record("taiwan", [said("a1(K)", "x" * length), said("b1(k)", "x " * length)], tags={"Event": "x" * length})
    assert Record.from_text(words.to_text()) == words
    score = Record.from_text(f"a1(K) {{+0.{'9' * length} words}} *")
    assert score.moves[0].score == 1.0


# ---- a record is what its replay says --------------------------------------------------------------------------

ROUND = ["d8-d7", "a1-a2", "d7-d8", "a2-a1"]


@pytest.mark.parametrize(
    ("rules", "fen", "moves", "result", "termination", "colour"),
    [
        ("taiwan", ALL_CAPTURED, ["a1-b1"], "1-0", "all_captured", Side.RED),
        # The second seat plays red and takes the last soldier.
        ("taiwan", "4/4/4/4/4/4/2p1/R3 b - - 0", ["c2-b2", "a1-b1", "b2-a2", "b1-a1", "a2-b2"], "*", None, Side.BLACK),
        ("taiwan", "4/4/4/4/4/4/4/R1p1 b - - 0", ["c1-b1", "a1-b1"], "0-1", "all_captured", Side.BLACK),
        # The general cannot take soldiers: red, to move, is the first seat and has lost.
        ("taiwan", NO_MOVES, [], "0-1", "no_moves", Side.RED),
        ("taiwan", TWO_GENERALS, ROUND * 2, "1/2-1/2", "repetition", Side.BLACK),
        ("taiwan(quiet_limit=2)", TWO_GENERALS, ROUND[:2], "1/2-1/2", "quiet_limit", Side.BLACK),
        ("taiwan", TWO_GENERALS, ROUND, "*", None, Side.BLACK),
        ("taiwan", None, [], "*", None, None),
        ("taiwan", None, ["a1(K)"], "*", None, Side.RED),
        ("taiwan", None, ["a1(k)", "b1(K)"], "*", None, Side.BLACK),
    ],
)
def test_the_rules_tell_result_termination_and_colour(
    rules: str, fen: str | None, moves: list[str], result: str, termination: str | None, colour: Side | None
) -> None:
    record = Record(rules, moves, fen=fen)
    assert (record.result, record.termination, record.first_colour) == (result, termination, colour)
    assert Record(rules, moves, fen=fen, result=result, termination=termination, first_colour=colour) == record
    assert Record.from_text(record.to_text()) == record
    for other in {"1-0", "0-1", "1/2-1/2", "*", "draw", ""} - {result}:
        with pytest.raises(RecordError):
            Record(rules, moves, fen=fen, result=other)
    for wrong in {*Termination, "boredom"} - {termination, "resign", "time", "agreement"}:
        with pytest.raises(RecordError):
            Record(rules, moves, fen=fen, result=result, termination=wrong)
    for side in {Side.RED, Side.BLACK} - {colour}:
        with pytest.raises(RecordError, match="first_colour: the first seat"):
            Record(rules, moves, fen=fen, first_colour=side)
    if termination is not None:
        with pytest.raises(RecordError, match="comes after the end of the game"):
            Record(rules, [*moves, "end"], fen=fen)


@pytest.mark.parametrize(
    ("termination", "results"),
    [("resign", {"1-0", "0-1"}), ("time", {"1-0", "0-1"}), ("agreement", {"1/2-1/2"})],
)
def test_what_people_end_a_game_with_stands_as_told(termination: str, results: set[str]) -> None:
    for result in ("1-0", "0-1", "1/2-1/2", "*", None):
        if result in results:
            record = Record("taiwan", ["a1(K)"], result=result, termination=termination)
            assert (record.result, record.termination) == (result, Termination(termination))
        else:
            with pytest.raises(RecordError, match=f"{termination} goes with"):
                Record("taiwan", ["a1(K)"], result=result, termination=termination)
    # Where the rules end the game nobody can resign.
    with pytest.raises(RecordError, match="termination: the game ends by all_captured"):
        Record("taiwan", ["a1-b1"], fen=ALL_CAPTURED, termination=termination)


@pytest.mark.parametrize(
    ("make", "key", "fault"),
    [
        (lambda: Record("chess"), "rules", "unknown rule set"),
        (lambda: Record("taiwan", fen="x"), "fen", "bad position text"),
        (lambda: Record("taiwan", ["a1(K)", "a9(K)"]), "moves[1].move", "leaves the board"),
        (lambda: Record("taiwan", ["a1(K)", "a1-a2"]), "moves[1].move", "belongs to the other side"),
        (lambda: Record("taiwan", [3]), "moves[0].move", "a move is a text"),
        (lambda: Record("taiwan", comment="a\x00"), "comment", "control character"),
        (lambda: Record("taiwan", comment=3), "comment", "no text"),
        (lambda: Record("taiwan", tags={"Event": "a\nb"}), "tags.Event", "control character"),
        (lambda: Record("taiwan", tags={"Event": "\ud800"}), "tags.Event", "control character"),
        (lambda: Record("taiwan", tags={"Event": 3}), "tags.Event", "no text"),
        (lambda: Record("taiwan", tags={"Result": "1-0"}), "tags.Result", "is a field of the record"),
        (lambda: Record("taiwan", tags={"a b": ""}), "tags", "the name of a tag"),
        (lambda: Record("taiwan", tags={"": ""}), "tags", "the name of a tag"),
        (lambda: Record("taiwan", tags={5: "a"}), "tags", "the name of a tag"),
        (lambda: Record("taiwan", tags=5), "tags", "tags are a mapping"),
        (lambda: Record("taiwan", tags=[("a", "b")]), "tags", "tags are a mapping"),
        (lambda: Record("taiwan", 5), "moves", "moves are a list"),
        (lambda: Record("taiwan", None), "moves", "moves are a list"),
        (lambda: Record(5), "rules", ""),
        (lambda: Record("taiwan", fen=5), "fen", ""),
        (lambda: Record("taiwan", result=np.array([1, 2])), "result", "a result is one of"),
        (lambda: Record("taiwan", termination=np.array([1, 2])), "termination", "a termination is one of"),
        (lambda: Record("taiwan", first_colour=np.array([1, 2])), "first_colour", "has no colour yet"),
        (lambda: RecordedMove("a1(K)"), "move", "is a Move, not"),
        (lambda: said("a1(K)", "a\x7f"), "comment", "control character"),
        (lambda: said("a1(K)", score=1.5), "score", "from -1 to 1"),
        (lambda: said("a1(K)", score=float("nan")), "score", "from -1 to 1"),
        (lambda: said("a1(K)", score=True), "score", "from -1 to 1"),
        (lambda: said("a1(K)", score="0.5"), "score", "from -1 to 1"),
        (lambda: said("a1(K)", score=np.array([1, 2])), "score", "from -1 to 1"),
        (lambda: said("a1(K)", score=np.array([1])), "score", "from -1 to 1"),
        (lambda: said("a1(K)", score=10**400), "score", "from -1 to 1"),
        (lambda: said("a1(K)", score=Decimal("sNaN")), "score", "from -1 to 1"),
    ],
)
def test_a_record_that_does_not_hold_is_refused(make: Callable[[], object], key: str, fault: str) -> None:
    with pytest.raises(RecordError) as caught:
        make()
    assert caught.value.key == key
    assert fault in caught.value.fault
    assert str(caught.value) == f"{key}: {caught.value.fault}"


def test_an_error_can_be_sent() -> None:
    for error in (
        RecordError("a"),
        RecordError("a", key="b", game=1, line=2, column=3),
        RecordError("a", key="b", game=1),
    ):
        copy = pickle.loads(pickle.dumps(error))
        assert type(copy) is RecordError
        assert (str(copy), copy.__dict__) == (str(error), error.__dict__)
    assert str(RecordError("a", key="b", game=1)) == "game 1, b: a"


def test_a_record_can_be_sent_compared_and_hashed() -> None:
    copy = pickle.loads(pickle.dumps(RECORD))
    assert copy == RECORD
    assert copy.plies() == RECORD.plies()
    assert len({copy, RECORD, Record()}) == 2
    assert copy != Record.from_text(WRITTEN.replace("Round", "Board"))
    with pytest.raises(TypeError):
        RECORD.tags["Event"] = "other"


def test_a_record_of_a_position() -> None:
    position = Position.from_fen(TWO_GENERALS)
    for move in ROUND:
        position.push(move)
    record = Record.from_position(position, tags={"Event": "x"})
    assert record == Record("taiwan", ROUND, fen=TWO_GENERALS, tags={"Event": "x"})
    assert Record.from_position(Position("hongkong")) == Record("hongkong")


# ---- replay ----------------------------------------------------------------------------------------------------


def test_positions_of_a_record() -> None:
    record = Record("taiwan", ROUND, fen=TWO_GENERALS)
    # By hand: each general goes to the next square and back.
    fens = [TWO_GENERALS, "4/3k/4/4/4/4/4/K3 r - - 1", "4/3k/4/4/4/4/K3/4 b - - 2", "3k/4/4/4/4/4/K3/4 r - - 3",
            "3k/4/4/4/4/4/4/K3 b - - 4"]  # fmt: skip
    assert [position.fen() for position in record.positions()] == fens
    assert [record.position(ply).fen() for ply in range(5)] == fens
    assert record.position() == record.position(4)
    # The second occurrence, so the history is there.
    assert record.position().repetitions() == 2
    assert [[str(item.move) for item in ply] for ply in record.plies()] == [[move] for move in ROUND]
    for ply in (-1, 5, 10**30, 1.5, "1", True):
        with pytest.raises(LimitError, match="ply must be a whole number from 0 to 4"):
            record.position(ply)


def test_a_chain_is_one_ply() -> None:
    """By hand: the chariot takes two soldiers in one turn and stops; the third soldier moves; the chariot takes it."""
    fen = "4/4/4/4/4/4/2p1/Rpp1 r - - 0"
    record = Record("children", ["a1-b1", "b1-c1", "end", "c2-b2", said("c1-c2", "near"), "b2-b1", "c2-b2"], fen=fen)
    assert [len(ply) for ply in record.plies()] == [3, 1, 1, 1, 1]
    assert "\n1. a1-b1 b1-c1 end c2-b2 2. c1-c2 {near} 2... b2-b1 3. c2-b2 *\n" in record.to_text()
    assert record.position(1).fen() == "4/4/4/4/4/4/2p1/2R1 b - - 0"
    assert len(list(record.positions())) == 8
    assert Record.from_text(record.to_text()) == record
    assert Record.from_json(record.to_json()) == record


@needs_tournament_games
def test_tournament_games_are_written_read_and_replayed_to_their_stored_result() -> None:
    stored = tournament_games()
    results = {"first": "1-0", "second": "0-1", "draw": "1/2-1/2"}
    records = [
        Record(
            TOURNAMENT_RULES,
            game["moves"].split(),
            result=results[game["result"]],
            termination=stored_termination(game),
            first_colour=Side[game["first_colour"].upper()],
            tags={"Event": "Tournament", "Round": str(game["id"])},
        )
        for game in stored
    ]
    assert len(records) == 244
    assert list(read_records(write_records(records))) == records
    assert list(read_json_records(write_json_records(records))) == records
    assert list(read_json_records(write_json_records(records, Layout.ARRAY))) == records
    # Without what is told about the end, the replay tells it, but for the clock.
    for game, record in zip(stored, records, strict=True):
        if game["end"] != "time":
            again = Record(TOURNAMENT_RULES, game["moves"].split())
            assert (again.result, again.termination) == (record.result, record.termination)
            assert again.first_colour == record.first_colour
        assert [str(item.move) for item in record.moves] == game["moves"].split()


# ---- JSON ------------------------------------------------------------------------------------------------------

OBJECT = {
    "rules": "taiwan(quiet_limit=60)",
    "fen": None,
    "first_colour": "black",
    "result": "0-1",
    "termination": "resign",
    "comment": "before it",
    "tags": {"Round": "3", "First": "Анна 安娜", "Event": 'A "friendly" \\ game', "Assisted": "first"},
    "moves": [
        {"move": "a1(k)", "comment": "a {good} one", "score": 0.125},
        {"move": "a2(R)"},
        {"move": "a3(p)", "comment": "or", "score": -0.5},
        {"move": "a2-a3"},
    ],
}


def test_a_record_as_json() -> None:
    assert json.loads(RECORD.to_json()) == OBJECT
    assert list(json.loads(RECORD.to_json())) == list(OBJECT)
    assert "\n" not in RECORD.to_json()
    assert Record.from_json(RECORD.to_json()) == RECORD


def test_json_is_read_in_lines_in_an_array_and_as_one_object() -> None:
    bare = Record()
    records = [RECORD, bare, RECORD]
    lines, array = write_json_records(records), write_json_records(records, Layout.ARRAY)
    assert lines == f"{RECORD.to_json()}\n{bare.to_json()}\n{RECORD.to_json()}\n"
    assert json.loads(array) == [OBJECT, json.loads(bare.to_json()), OBJECT]
    for text in (
        lines,
        array,
        "\ufeff" + lines,
        lines.replace("\n", "\r\n\n"),
        json.dumps(json.loads(array), indent=2),
    ):
        assert list(read_json_records(text)) == records
        assert list(read_json_records(text.encode())) == records
    for text in (json.dumps(OBJECT, indent=1), json.dumps(OBJECT), json.dumps([OBJECT])):
        assert Record.from_json(text) == RECORD
    for text in (
        '{ "result": "*",\n "moves": [] }\n',
        '\n{"result":\n"*", "moves": []}',
        '{"result": "*", "moves": [\n\r\n]}',
    ):
        assert list(read_json_records(text)) == [bare]
    # A move at the beginning of the second line, as the next game of lines would stand.
    text = '{"result": "*", "moves": [\n{"move": "a1(K)"},\n{"move": "b1(k)"}\n]}\n'
    assert list(read_json_records(text)) == [Record("taiwan", ["a1(K)", "b1(k)"])]
    for nothing in ("", "\n \n", "[]", " [\n] "):
        assert list(read_json_records(nothing)) == []
    assert write_json_records([]) == ""
    assert list(read_json_records(write_json_records([], Layout.ARRAY))) == []
    assert Record.from_json('{"moves": [{"move": "a1a1K"}], "result": "*"}') == Record("taiwan", ["a1(K)"])


GOOD = '{"result": "*", "moves": []}'


# Columns are counted by hand.
@pytest.mark.parametrize(
    ("line", "key", "column", "fault"),
    [
        ('{"result": "*", "moves": [{"move": "a1(K)"}, {"move": "a1(K)"}]}', "moves[1].move", None, "a1 is face up"),
        ('{"result": "*", "moves": [{"move": "a1(K)"}, {"move": "?"}]}', "moves[1].move", None, "is none of"),
        ('{"result": "*", "moves": [{"move": 3}]}', "moves[0].move", None, "expected str, got int"),
        ('{"result": "*", "moves": [{"move": "a1(K)", "score": 2}]}', "moves[0].score", None, "from -1 to 1"),
        ('{"result": "*", "moves": [{"move": "a1(K)", "score": 1e999}]}', "moves[0].score", None, "out of range"),
        ('{"result": "*", "moves": [{"move": "a1(K)", "comment": "\\u0000"}]}', "moves[0].comment", None, "control"),
        ('{"result": "*", "moves": [{"move": "a1(K)", "coment": ""}]}', "moves[0]", None, "unknown field coment"),
        ('{"result": "*", "moves": {}}', "moves", None, "expected array, got object"),
        ('{"result": "*"}', None, None, "missing required field moves"),
        ('{"moves": []}', None, None, "missing required field result"),
        ('{"result": "1-0", "moves": []}', "result", None, "the rules do not end the game here"),
        ('{"result": "won", "moves": []}', "result", None, "a result is one of"),
        ('{"result": "*", "moves": [], "rules": "chess"}', "rules", None, "unknown rule set"),
        ('{"result": "*", "moves": [], "fen": "x"}', "fen", None, "bad position text"),
        ('{"result": "*", "moves": [], "first_colour": "r"}', "first_colour", None, "a colour is red or black"),
        ('{"result": "*", "moves": [], "termination": "time"}', "result", None, "time goes with"),
        ('{"result": "*", "moves": [], "tags": {"Result": "*"}}', "tags.Result", None, "is a field"),
        ('{"result": "*", "moves": [], "tags": {"Event": 1}}', "tags[...]", None, "expected str, got int"),
        ("3", None, None, "expected object, got int"),
        ('{"result": "*", "moves": [NaN]}', None, 27, "no JSON: invalid character"),
        ('{"result": "安", "moves": [NaN]}', None, 27, "no JSON: invalid character"),
        ('{"result": "*", "moves": []', None, 28, "no JSON: input data was truncated"),
        ('{"result": "*", "moves": []} x', None, 30, "no JSON: trailing characters"),
        ('{"result": "\ud800", "moves": []}', None, 13, "no JSON: invalid UTF-8"),
        ('{"moves":' + "[" * 100_000, "moves[0]", None, "expected object, got array"),
        ('{"result":' + "[" * 100_000, "result", None, "expected str, got array"),
        ("x" * 1_000_000, None, 1, "no JSON: invalid character"),
    ],
)
def test_a_json_error_tells_the_game_and_the_key(line: str, key: str | None, column: int | None, fault: str) -> None:
    games = list(read_json_records(f"{GOOD}\n\n{line}\n{GOOD}\n"))
    assert [type(item) for item in games] == [Record, RecordError, Record]
    error = games[1]
    assert isinstance(error, RecordError)
    assert (error.game, error.line, error.column) == (2, 3, column), error
    assert fault in error.fault
    assert error.key == key


def test_a_first_line_that_is_cut_off_takes_no_other_with_it() -> None:
    games = list(read_json_records(f'{{"result": "*", "mov\n{GOOD}\n\n{GOOD}\n'))
    assert [type(item) for item in games] == [RecordError, Record, Record]


# Lines and columns are counted by hand.
@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{ "result": "*",\n "moves": [x] }\n', 2, 12),
        ('\n\n{ "result": "*",\n "moves": []\n', 4, 13),
        ('{"result": "*",\n "moves": []}\n\n{', 4, 1),
    ],
)
def test_an_error_in_one_object_of_several_lines(text: str, line: int, column: int) -> None:
    error = one_error(read_json_records(text))
    assert (error.game, error.line, error.column) == (1, line, column), error


@pytest.mark.parametrize(("begin", "between", "end"), [("", "\n", ""), ("[", ",", "]"), ("[", "\n,\r\n", "]")])
def test_reading_broken_json_takes_time_by_its_length(begin: str, between: str, end: str) -> None:
    def seconds(count: int) -> float:
        source = begin + between.join(["{}"] * count) + end
        started = time.process_time()
        errors = list(read_json_records(source))
        taken = time.process_time() - started
        last = errors[-1]
        assert isinstance(last, RecordError)
        assert (len(errors), last.game, last.line) == (count, count, 1 + (count - 1) * between.count("\n"))
        return taken

    seconds(1_000)
    # Sixteen times as much; 256 times if each error looked at all that stands before it.
    assert seconds(160_000) < 64 * max(seconds(10_000), 0.02)


def test_an_error_in_a_json_array() -> None:
    bad = '{"result": "*", "moves": [{"move": "?"}]}'
    games = list(read_json_records(f"[\n{GOOD},\n\n {bad}, {GOOD},\n{bad}]"))
    assert [type(item) for item in games] == [Record, RecordError, Record, RecordError]
    places = [(item.game, item.line, item.column, item.key) for item in games if isinstance(item, RecordError)]
    assert places == [(2, 4, None, "moves[0].move"), (4, 5, None, "moves[0].move")]
    # What is no JSON ends an array: nobody can tell where the next game begins.
    error = one_error(read_json_records(f"[\n{GOOD},\n  x, {GOOD}]"))
    assert (error.game, error.line, error.column) == (None, 3, 3)
    error = one_error(read_json_records("[" * 200_000))
    assert "nested too deeply" in error.fault


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(RecordError, match="JSON is read from a text or bytes"):
        read_json_records(3)
    with pytest.raises(RecordError, match="records are read from a text or its lines"):
        read_records(3)
    with pytest.raises(RecordError, match="a line is a text"):
        list(read_records([b"x"]))


class _BytesPath(os.PathLike[bytes]):
    def __fspath__(self) -> bytes:
        return b"x"


@pytest.mark.parametrize("path", [5, True, None, b"x", _BytesPath(), "a\0b", "\ud800"])
def test_what_names_no_file_is_refused(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RecordError, match=r"cannot read|the name of a file"):
        read_file(path)
    with pytest.raises(RecordError, match=r"cannot write|the name of a file"):
        write_file(path, [], Format.TEXT)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("games", [5, None, Record(), [RecordError("x")], [Record(), "x"]])
@pytest.mark.parametrize(
    "write",
    [
        write_records,
        write_json_records,
        lambda games: write_json_records(games, Layout.ARRAY),
        lambda games: write_file("x", games, Format.TEXT),
        lambda games: write_file("x", games, Format.JSON),
    ],
)
def test_what_is_no_record_is_not_written(
    write: Callable[[object], object], games: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RecordError, match=r"Records are written|a Record is written") as caught:
        write(games)
    assert caught.value.game == (len(games) if isinstance(games, list) else None)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_form_is_refused() -> None:
    with pytest.raises(RecordError, match="a form is one of text, json, jsonl"):
        write_file("x", [], "text")
    with pytest.raises(RecordError, match="a layout is"):
        write_json_records([], "lines")
    with pytest.raises(RecordError, match="a position is a Position"):
        Record.from_position(5)


# ---- what holds for every record and every text ----------------------------------------------------------------

RULES = [
    "taiwan", "hongkong(quiet_limit=9)", "mainland(repetition=cycle)", "cannon-adjacent(repetition=none)",
    "dark-capture", "children(quiet_limit=30)", "cannon-chain", "double", "double(chain=any)",
    "taiwan(perpetual=loses, repetition=2)", "junqi", "junqi(repetition=2, quiet_limit=12)",
]  # fmt: skip
FENS = [
    None,
    "xxMm/PKxx/xxxx/xxxP/xxxx/xxxx/xxxx/pxMN r GGRRNCCPPPkggmrrnnccpppp - 0",
    "2p1/RC1M/2K1/c2G/g1M1/r2P/ncm1/pmnC b - - 0",
]

characters = st.one_of(
    st.sampled_from('{}[]\\"+-.019 aK()*/\u3000\xa0安'), st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"])
)
words = st.text(characters, max_size=60)
scores = st.none() | st.floats(-1, 1) | st.sampled_from([0.0, -0.0, 1.0, -1.0, 5e-324, 1e-7])
names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,9}", fullmatch=True).filter(
    lambda name: name not in ("Rules", "FirstColour", "Result", "Termination", "FEN")
) | st.sampled_from(["Event", "Date", "First", "Second", "Commitment", "Opening", "Assisted", "Nonce"])


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A random game with random words, until the rules end it or somebody does."""
    rules = draw(st.sampled_from(RULES))
    fen = draw(st.sampled_from(FENS)) if Rules.parse(rules).geometry.files == 4 else None
    position = Position(rules) if fen is None else Position.from_fen(fen, rules=rules)
    moves = []
    for number in draw(st.lists(st.integers(0, 2**16 - 1), max_size=80)):
        if position.outcome() is not None:
            break
        requests = list(position.legal_moves)
        reveals = position.outcomes(requests[number % len(requests)])
        move = reveals[number // len(requests) % len(reveals)].move
        position.push(move)
        moves.append(RecordedMove(move, draw(words), draw(scores)) if number % 3 == 0 else move)
    ending = {}
    if position.outcome() is None:
        ending = draw(
            st.sampled_from(
                [
                    {},
                    {"result": "1-0", "termination": "resign"},
                    {"result": "0-1", "termination": "time"},
                    {"result": "1/2-1/2", "termination": "agreement"},
                ]
            )
        )
    tags = draw(st.dictionaries(names, words, max_size=4))
    return Record(rules, moves, fen=fen, tags=tags, comment=draw(words), **ending)


@given(st.lists(records(), max_size=3))
def test_record_round_trips(games: list[Record]) -> None:
    text = write_records(games)
    assert list(read_records(text)) == games
    assert list(read_records(io.StringIO(text))) == games
    assert [Record.from_text(game.to_text()) for game in games] == games
    for layout in Layout:
        assert list(read_json_records(write_json_records(games, layout))) == games
    assert pickle.loads(pickle.dumps(games)) == games
    # What is read is written as it was.
    assert write_records(game for game in read_records(text) if isinstance(game, Record)) == text
    event(f"{sum(len(game.moves) for game in games) // 40 * 40} moves or more")


@given(records())
def test_plies_hold_all_moves_and_lead_to_the_last_position(record: Record) -> None:
    plies = record.plies()
    assert [move for ply in plies for move in ply] == list(record.moves)
    *_, last = record.positions()
    assert record.position() == record.position(len(plies)) == last
    sides = [record.position(ply).side for ply in range(len(plies))]
    # The seats take turns.
    assert all(side is None or (side == record.first_colour) == (ply % 2 == 0) for ply, side in enumerate(sides))


def only_records_and_errors(games: Iterable[object]) -> None:
    for item in games:
        assert isinstance(item, Record | RecordError)
        if isinstance(item, RecordError):
            assert str(item).isprintable() or "\n" not in str(item)
        else:
            assert Record.from_text(item.to_text()) == item


pieces = st.sampled_from(
    ["[", "]", '"', "\\", "{", "}", "\n", "\n\n", " ", "\r", "\t", "\0", "\udc80", ":", ",", "1.", "1...", "+0.5 ",
     "a1(K)", "b1(k)", "a1-b1", "a1a1K", "e12(F)", "a2-a11", "end", "*", "1-0", '[Rules "', '[FEN "', '[Result "',
     "taiwan", "junqi", START, '{"moves":', "[]"]
) | st.text(max_size=4)  # fmt: skip
garbage = st.lists(pieces, max_size=30).map("".join)


@given(garbage)
@example("[")
@example("{")
@example('[a "')
@example("\ufeff\ufeff")
def test_garbage_is_an_error_and_never_an_accident(text: str) -> None:
    only_records_and_errors(read_records(text))
    only_records_and_errors(read_records(text.splitlines(keepends=True)))
    only_records_and_errors(read_json_records(text))


@given(records(), st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 12), garbage), min_size=1, max_size=4))
def test_a_changed_record_is_a_record_or_an_error(record: Record, changes: list[tuple[int, int, str]]) -> None:
    for text, read in (
        (record.to_text(), read_records),
        (record.to_json(), read_json_records),
        (write_json_records([record, record], Layout.ARRAY), read_json_records),
    ):
        for at, length, inserted in changes:
            at %= len(text) + 1
            text = text[:at] + inserted + text[at + length :]
        only_records_and_errors(read(text))


# ---- the opening of a deal -------------------------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """A stand-in for the deal: every square holds a soldier of the second set but a1; what it was asked."""
    asked: list[tuple[object, ...]] = []

    def opened_layout(
        rules: Rules, opening: str, commitment: str, *, fen: str | None = None, nonces: Iterable[str] | None = None
    ) -> dict[int, str]:
        asked.append((rules, opening, commitment, fen))
        if opening != f"opening-of-{commitment}":
            raise BanqiError("the opening does not belong to the commitment")
        return {0: "K"} | dict.fromkeys(range(1, 32), "p")

    module = types.ModuleType("banqi.deal")
    module.opened_layout = opened_layout
    module.opened_nonces = lambda opening: ()
    monkeypatch.setitem(sys.modules, "banqi.deal", module)
    return asked


def test_every_reveal_is_compared_with_the_opened_layout(opened: list[tuple[object, ...]]) -> None:
    tags = {"Commitment": "c", "Opening": "opening-of-c"}
    record = Record("taiwan", ["a1(K)", "b1(p)", "c1(p)"], tags=tags)
    assert verify(record).reveals == 3
    assert opened == [(Rules.parse("taiwan"), "opening-of-c", "c", None)]
    for moves, key in ((["a1(k)"], "moves[0].move"), (["b1(p)", "a1(K)", "d8(P)"], "moves[2].move")):
        with pytest.raises(RecordError, match="is untrue") as caught:
            verify(Record("taiwan", moves, tags=tags))
        assert caught.value.key == key
    with pytest.raises(RecordError, match=r"tags\.Opening: the opening does not belong"):
        verify(Record("taiwan", ["a1(K)"], tags=tags | {"Commitment": "d"}))


def test_a_record_without_an_opening_says_so() -> None:
    for tags in ({}, {"Commitment": "c"}, {"Opening": "o"}):
        verification = verify(Record("taiwan", ["a1(K)"], tags=tags))
        assert verification.reveals is None
        assert verification.missing == tuple(name for name in ("Commitment", "Opening") if name not in tags)
        assert "not checked" in str(verification)


def test_a_dealer_who_makes_up_nonces_is_found_by_who_gave_them() -> None:
    deal = Deal("taiwan")
    commitment = deal.commitment()
    deal.add_nonce("hers")
    deal.add_nonce("his")
    secret = deal.secret()

    def told(*nonces: str) -> Record:
        forged = Deal.from_secret(secret, nonces=nonces)
        return Record(
            "taiwan", [f"a1({forged.reveal(0)})"], tags={"Commitment": commitment, "Opening": forged.opening()}
        )

    true = told("hers", "his")
    for nonces in (["hers", "his"], ("hers", "his"), iter(["hers", "his"])):
        assert verify(true, nonces).nonces_compared
    assert "its nonces are those given" in str(verify(true, ["hers", "his"]))
    for forged in (
        told("hers", "his2"),
        told("hers"),
        told(),
        told("his", "hers"),
        told("hers", "his", "and one more"),
    ):
        # The commitment does not tell.
        verification = verify(forged)
        assert (verification.reveals, verification.nonces_compared) == (1, False)
        with pytest.raises(RecordError, match=r"tags\.Opening: .*other nonces") as caught:
            verify(forged, ["hers", "his"])
        assert caught.value.key == "tags.Opening"
    assert verify(true).nonces == ("hers", "his")
    assert verify(told(), []).nonces == ()
    with pytest.raises(RecordError, match="other nonces"):
        verify(true, [])
    with pytest.raises(RecordError, match="nonces are texts in their order"):
        verify(true, "hers")
    with pytest.raises(RecordError, match="the nonces cannot be compared, without Commitment and Opening"):
        verify(Record("taiwan", ["a1(K)"]), ["hers"])
    with pytest.raises(RecordError, match="a Record is verified"):
        verify(RecordError("x"))


def test_a_verification_tells_that_plies_were_taken_back() -> None:
    deal = Deal("taiwan")
    for tags in ({}, {"Commitment": deal.commitment(), "Opening": deal.opening()}):
        assert "Assisted" not in str(verify(Record("taiwan", tags=tags)))
        verification = verify(Record("taiwan", tags={**tags, "Assisted": "yes"}))
        assert verification.assisted == "yes"
        assert str(verification).endswith('; marked [Assisted "yes"]')


@pytest.mark.parametrize("rules", [rule_set.name for rule_set in RULE_SETS])
def test_a_whole_game_is_written_read_replayed_and_verified(rules: str) -> None:
    rng = random.Random(rules)
    for _ in range(tenth(50)):
        game = Game(deal=Deal(rules, seed=rng.getrandbits(64)))
        while game.outcome() is None:
            game.play(rng.choice(list(game.position.legal_moves)))
        record = game.record({"Event": rules})
        for again in (Record.from_text(record.to_text()), next(read_json_records(record.to_json()))):
            assert again == record
            assert isinstance(again, Record)
            assert again.position() == game.position
            assert [move.move for move in again.moves] == list(game.position.move_stack)
            assert (again.result, again.termination) == (game.outcome().result, game.outcome().termination)
            assert verify(again).reveals == sum(move.reveal is not None for move in game.position.move_stack)


def test_a_real_deal_is_verified() -> None:
    deal = Deal("taiwan")
    commitment = deal.commitment()
    deal.add_nonce("first")
    deal.add_nonce("second")
    moves = [f"{Move.from_index(33 * square)}({deal.reveal(square)})" for square in (0, 31, 5)]
    record = Record("taiwan", moves, tags={"Commitment": commitment, "Opening": deal.opening()})
    assert verify(Record.from_text(record.to_text())).reveals == 3
    # Another piece of the pool on the square of the last flip.
    shown = {str(item.move)[-2] for item in record.moves}
    wrong = next(letter for letter in "KGMRNCPkgmrncp" if letter not in shown)
    lie = Record("taiwan", [*moves[:2], f"{moves[2][:-2]}{wrong})"], tags=record.tags)
    with pytest.raises(RecordError, match=r"moves\[2\]\.move: .* is untrue"):
        verify(lie)
