"""`banqi play`: whole games typed at a terminal and through pipes, games that go on after any stop, what is refused."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pexpect
import pytest
from rich.cells import cell_len

import banqi
from banqi.cli import main
from banqi.errors import BanqiError
from banqi.piece import Side
from banqi.play.board import ASCII, drawn_board
from banqi.play.typed import typed_move
from banqi.position import Position
from banqi.record import Record, read_file, verify

COMMAND = (sys.executable, "-m", "banqi", "play")
PROMPT = r"(?:You|First|Second)(?: \(\w+\))?> "
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|[=>])")
# Colours of ink and ground; bold and the like are none.
COLOURS = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m")
# Red to move takes the last black piece.
LAST_CAPTURE = "4/4/4/4/4/4/1pR1/K3 r - - 0"


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    root = str(Path(banqi.__file__).parent.parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")])))
    monkeypatch.setenv("PYTHONUTF8", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)


@contextmanager
def typing(*arguments: str) -> Iterator[pexpect.spawn]:
    """A game on a terminal of 80 x 24, which has asked for the first line."""
    child = pexpect.spawn(COMMAND[0], [*COMMAND[1:], *arguments], dimensions=(24, 80), encoding="utf-8", timeout=30)
    child.delaybeforesend = None
    try:
        child.expect(PROMPT)
        yield child
    finally:
        child.close(force=True)


def answer(child: pexpect.spawn, line: str) -> str:
    """Type a line; what is told until the next question, or the end."""
    child.sendline(line)
    child.expect([PROMPT, pexpect.EOF])
    return child.before


def piped(lines: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], input=lines, capture_output=True, text=True, timeout=60, env=os.environ | more
    )


def only(path: Path) -> Record:
    (record,) = read_file(path)
    assert isinstance(record, Record), record
    return record


def deals(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "data" / "banqi" / "deals").iterdir())


def typed_game(path: Path, *arguments: str, choose: Callable[[Position], str]) -> str:
    """Type a whole game; all that was told. The record in `path` tells the position at each question."""
    told = ""
    with typing("--record", str(path), *arguments) as child:
        while child.isalive() and child.after is not pexpect.EOF:
            told += child.before
            answer(child, choose(only(path).position()))
        told += child.before
        child.wait()
        assert child.exitstatus == 0, told
    return told


def first_capture(rng: Random) -> Callable[[Position], str]:
    """Any legal move, but a capture where there is one, so that games end."""

    def choose(position: Position) -> str:
        moves = list(position.legal_moves)
        takes = [m for m in moves if not m.is_end and not m.is_flip and position.piece_at(m.to_square) is not None]
        return str(rng.choice(takes or moves))

    return choose


# ---- whole games ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("--level", "easy"),
        ("--two", "--rules", "taiwan(quiet_limit=40)"),
        ("--level", "easy", "--rules", "double(quiet_limit=8)", "--first", "computer"),
        ("--two", "--rules", "children(quiet_limit=30)"),
        ("--two", "--rules", "junqi(quiet_limit=12)"),
    ],
    ids=" ".join,
)
def test_whole_game_is_played_to_its_end(arguments: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    told = typed_game(path, *arguments, choose=first_capture(Random(7)))
    record = only(path)
    assert record.result != "*"
    assert record.termination is not None
    assert f"Result: {record.result} ({record.termination})" in told
    # What was told of the deal is what the record proves by itself.
    reveals = sum(recorded.move.reveal is not None for recorded in record.moves)
    assert verify(record).reveals == reveals > 0
    assert f"{reveals} reveals agree with it" in told
    assert str(path) in ESCAPES.sub("", told).replace("\r\n", "")
    assert deals(tmp_path) == []


def test_everything_fits_into_80_columns_and_24_lines(tmp_path: Path) -> None:
    for number, rules in enumerate(("taiwan", "double", "junqi")):
        with typing("--two", "--rules", rules, "--clock", "5000+5", "--record", str(tmp_path / str(number))) as child:
            shown = [child.before, *(answer(child, line) for line in ("b1", "a2", "hint", "pool", "help"))]
        for text in shown:
            lines = ESCAPES.sub("", text).replace("\r", "").split("\n")
            assert max(map(cell_len, lines)) <= 80
            # The prompt has a line, too.
            assert len(lines) < 24


# ---- going on after a stop -----------------------------------------------------------------------------------------


def test_undo_shows_the_same_piece_again(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    with typing("--level", "easy", "--record", str(path)) as child:
        answer(child, "b4")
        before = only(path)
        assert "turn" in answer(child, "undo")
        assert only(path).moves == ()
        answer(child, "b4")
    assert only(path).moves[0] == before.moves[0]
    assert only(path).tags["Assisted"] == "yes"


@pytest.mark.parametrize("named", [True, False])
def test_game_goes_on_after_a_kill_with_the_same_deal(named: bool, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    # A seed, so that the deal is known to the test.
    with typing("--two", "--record", str(path), "--seed", "11", "--clock", "600+2") as child:
        answer(child, "b4")
        answer(child, "c4")
        child.kill(signal.SIGKILL)
        child.wait()
    before = only(path)
    assert [str(recorded.move.request) for recorded in before.moves] == ["b4", "c4"]
    with typing("--resume", *([str(path)] if named else [])) as child:
        answer(child, "d8")
        answer(child, "resign")
        child.wait()
        assert child.exitstatus == 0
    after = only(path)
    assert after.moves[:2] == before.moves
    deal = banqi.Deal("taiwan", seed=11)
    assert [recorded.move.reveal for recorded in after.moves] == [
        deal.reveal(recorded.move.to_square) for recorded in after.moves
    ]
    assert (after.result, after.termination) == ("1-0", "resign")
    assert verify(after).reveals == 3
    # Clocks went on from where they stood: two seconds more after a ply, whatever was used.
    left = [float(seconds) for seconds in before.tags["Clocks"].split()]
    assert all(590 < seconds <= 602 for seconds in left)
    assert "Clocks" not in after.tags


def test_ctrl_c_leaves_a_game_that_can_be_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    with typing("--level", "easy", "--record", str(path)) as child:
        answer(child, "a1")
        child.sendintr()
        child.expect(pexpect.EOF)
        child.wait()
        assert "--resume" in child.before
        assert child.exitstatus == 130
    before = only(path)
    with typing("--resume", str(path)) as child:
        # Ctrl-D on an empty line.
        child.sendeof()
        child.expect(pexpect.EOF)
        child.wait()
        assert child.exitstatus == 0
    assert only(path) == before


def test_unfinished_record_shows_nothing_that_lies_face_down(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    result = piped("b4\nsave copy.json\nquit\n", "--level", "easy", "--record", str(path), "--seed", "3")
    assert result.returncode == 0
    (deal_file,) = deals(tmp_path)
    secret = banqi.Deal("taiwan", seed=3).secret().hex()
    assert json.loads(deal_file.read_text())["secret"] == secret
    copy = Path("copy.json")
    try:
        for text in (path.read_text(), copy.read_text(), result.stdout, result.stderr):
            assert secret not in text
            assert "Opening" not in text
        assert {file.stat().st_mode & 0o777 for file in (path, copy, deal_file)} == {0o600}
    finally:
        copy.unlink()
    assert {folder.stat().st_mode & 0o777 for folder in (deal_file.parent, deal_file.parent.parent)} == {0o700}


def test_game_is_played_in_one_place_at_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.txt"
    with typing("--two", "--record", str(path)) as child:
        answer(child, "b4")
        assert main(["play", "--resume", str(path)]) == 2
    assert "is being played elsewhere" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda text: re.sub(r"\((\w)\)", lambda found: f"({other_kind(found[1])})", text), "were changed"),
        (lambda text: text.replace('[Rules "taiwan"]', '[Rules "hongkong"]'), "another one"),
        (lambda text: re.sub("(Commitment .)[0-9a-f]", r"\1../../", text), "no commitment"),
        (lambda text: re.sub('Commitment "[0-9a-f]{9}', 'Commitment "000000000', text), "is not kept here"),
    ],
)
def test_changed_records_are_not_gone_on_with(
    change: Callable[[str], str], fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.txt"
    assert piped("b4\n", "--two", "--record", str(path)).returncode == 0
    path.write_text(change(path.read_text()))
    assert main(["play", "--resume", str(path)]) == 2
    err = capsys.readouterr().err
    assert fault in err
    assert err.count("\n") == 1


def other_kind(letter: str) -> str:
    """Another piece of the same side."""
    return {"P": "K", "p": "k"}.get(letter, "P" if letter.isupper() else "p")


def test_game_over_or_gone_is_not_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--resume"]) == 2
    assert "there is no unfinished game" in capsys.readouterr().err
    path = tmp_path / "game.txt"
    assert "0 reveals agree" in piped("b2\n", "--record", str(path), "--fen", LAST_CAPTURE).stdout
    assert main(["play", "--resume", str(path)]) == 2
    assert "is over: 1-0 (all_captured)" in capsys.readouterr().err
    assert main(["play", "--resume", str(tmp_path / "none.txt")]) == 2
    assert "cannot read" in capsys.readouterr().err


def test_nothing_played_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    assert "nothing is kept" in piped("", "--record", str(path)).stdout
    assert not path.exists()
    assert deals(tmp_path) == []


# ---- the end by people and by clocks -------------------------------------------------------------------------------


def test_two_people_agree_on_a_draw(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    lines = "b4\ndraw\ndraw\nc4\ndecline\nd4\ndraw\na1\ndraw\n"
    result = piped(lines, "--two", "--record", str(path))
    assert "offers a draw already" in result.stdout
    assert "The draw is declined" in result.stdout
    assert "Draw: both agreed.\nResult: 1/2-1/2 (agreement)" in result.stdout
    assert only(path).termination == "agreement"


def test_fallen_flag_ends_the_game_while_it_waits(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    with typing("--two", "--record", str(path), "--clock", "1") as child:
        child.expect(pexpect.EOF)
        assert "Second wins: First ran out of time." in child.before
    assert only(path).termination == "time"


def test_loser_is_told_in_his_own_words(tmp_path: Path) -> None:
    # Wherever red's soldier goes, the chariot takes it.
    fen = "4/4/4/4/4/4/1r2/P3 r - - 0"
    result = piped("b1\n", "--record", str(tmp_path / "game.txt"), "--fen", fen, "--level", "hard", "--time", "0.1")
    assert "Computer (hard): b2-b1 takes the red soldier\n" in result.stdout
    assert "Computer (hard) wins: you have no piece left.\nResult: 0-1 (all_captured)" in result.stdout


# ---- what is typed -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("zz", "'zz' is neither a move nor a command: help lists them"),
        ("h", "'h' may be hint or help"),
        ("re", "type resign in full"),
        ("e4", "'e4' is no square of the 4 x 8 board"),
        ("b4-c4", "b4-c4 is illegal: b4 lies face down and can only be flipped"),
        ("b4(K)", "b4(K) has its outcome already: ask for those of b4"),
        ("undo", "there is nothing of yours to take back"),
        ("decline", "the second seat offers no draw"),
        ("save", "save needs the name of a file: save FILE"),
        ("undo 7", "undo stands alone, without '7'"),
        ("\x00\x07\u202e9", "holds a character that is not ASCII"),
        ("9" * 5000, "is none of a1"),
        ("\xe9", "is neither a move nor a command"),
    ],
)
def test_nonsense_is_one_line_and_asks_again(line: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    result = piped(f"{line}\nb4\nquit\n", "--two", "--record", str(path))
    assert (result.returncode, result.stderr) == (0, "")
    assert told in result.stdout
    assert len(only(path).moves) == 1


@pytest.mark.parametrize(
    ("text", "fen", "move"),
    [
        ("B4", None, "b4"),
        (" b4b4 ", None, "b4"),
        # The one piece that can go there, from either side of an empty square; by its kind where there are two.
        ("c2", "4/4/4/4/4/4/1R2/k3 r - - 0", "b2-c2"),
        ("rc2", "4/4/4/4/4/4/1RxK/k3 r p - 0", None),
        ("rc2", "4/4/4/4/4/4/1R1K/k3 r - - 0", "b2-c2"),
        ("Kxc2", "4/4/4/4/4/4/1RnK/k3 r - - 0", "d2-c2"),
        ("c2", "4/4/4/4/4/4/1R1K/k3 r - - 0", None),
        ("b2 c2", "4/4/4/4/4/4/1R1K/k3 r - - 0", "b2-c2"),
        ("b2xc2", "4/4/4/4/4/4/1RnK/k3 r - - 0", "b2-c2"),
        ("b2", "4/4/4/4/4/4/1RnK/k3 r - - 0", None),
        ("end", None, None),
        ("0000", None, None),
        ("", None, None),
    ],
)
def test_typed_move_is_what_can_be_meant(text: str, fen: str | None, move: str | None) -> None:
    position = Position() if fen is None else Position.from_fen(fen)
    if move is None:
        with pytest.raises(BanqiError):
            typed_move(text, position)
    else:
        assert str(typed_move(text, position)) == move


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("--two", "--level", "easy"), "--level does not go with --two"),
        (("--two", "--first", "lot"), "--first does not go with --two"),
        (("--resume", "x", "--rules", "taiwan"), "--rules does not go with --resume"),
        (("--rules", "chess"), "unknown rule set 'chess'"),
        (("--level", "god"), "'god'"),
        (("--clock", "0"), "a clock is seconds"),
        (("--clock", "10+x"), "a clock is seconds"),
        (("--time", "0"), "time must be a number of seconds"),
        (("--seed", "-1"), "the seed must be a whole number"),
        (("--fen", "x"), "bad position text"),
        (("--fen", "4/4/4/4/4/4/4/K3 r - - 0"), "the game is over: first wins (all_captured)"),
        (("--record", "no/such/folder/game.txt"), "cannot write"),
        (("--record", __file__), "is there already"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    arguments: tuple[str, ...], fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *arguments]) == 2
    captured = capsys.readouterr()
    assert fault in captured.err
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    folder = tmp_path / "data" / "banqi" / "deals"
    assert not folder.exists() or deals(tmp_path) == []


# ---- what is shown -------------------------------------------------------------------------------------------------


def test_colours_are_for_terminals_that_want_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def board(name: str) -> str:
        with typing("--two", "--record", str(tmp_path / name)) as child:
            return answer(child, "b4")

    assert COLOURS.search(board("colours"))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not COLOURS.search(board("none"))
    plain = piped("b4\nquit\n", "--two", "--record", str(tmp_path / "pipe")).stdout
    assert "\x1b" not in plain


def test_board_tells_the_sides_apart_without_colours_and_without_unicode() -> None:
    lines = drawn_board(Position.from_fen("k3/4/4/4/4/4/4/Kx2 r p - 0"), signs=ASCII).plain.split("\n")
    assert lines[0].split() == ["8", "[k]", ".", ".", "."]
    assert lines[-2].split() == ["1", "(K)", ":::", ".", "."]
    junqi = Position.from_fen("5/5/5/5/5/5/5/5/4m/1M3/4l/F3f r - - 0", rules="junqi")
    drawn = drawn_board(junqi, signs=ASCII).plain.split("\n")
    # b3 is a camp, and its left bracket says so; nothing lies between the halves but railways and mountains.
    assert "{M)" in drawn[10]
    assert drawn[6].split() == ["H", "^^^", "H", "^^^", "H"]
    assert drawn[11].count("=") == 8
    assert drawn[12].count("-") == 8
    assert drawn_board(junqi).plain.isascii() is False


def test_output_needs_no_unicode(tmp_path: Path) -> None:
    result = piped(
        "b4\nquit\n", "--two", "--record", str(tmp_path / "g"), PYTHONUTF8="0", LC_ALL="C", PYTHONIOENCODING="ascii"
    )
    assert result.returncode == 0
    assert result.stdout.isascii()
    assert ":::" in result.stdout


def test_side_is_shown_where_both_have_a_colour(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    told = piped("b4\nquit\n", "--two", "--record", str(path), "--rules", "junqi").stdout
    colours = {Side.RED: "red", Side.BLACK: "blue"}
    first = only(path).first_colour
    assert first is not None
    assert f"First, {colours[first]}" in told
    assert f"> Second, {colours[first.other]}" in told
