"""The commands show, convert and verify: what they print and write, and what they leave alone."""

import io
import json
import os
import random
import stat
import sys
import types
from pathlib import Path

import pytest

from banqi import BanqiError, Deal, Game, Record
from banqi.cli import main
from banqi.record import write_json_records, write_records
from banqi.record.messages import Layout
from banqi.rules import RULE_SETS

GAME = Record(
    "taiwan",
    ["a1(k)", "a2(R)", "a3(p)", "a2-a3"],
    result="0-1",
    termination="resign",
    tags={"First": "安娜", "Second": "Bo"},
)
BARE = Record("hongkong", tags={"Event": "bare"})
# By hand: the chariot on a2 has taken the soldier on a3.
LAST_FEN = "xxxx/xxxx/xxxx/xxxx/xxxx/Rxxx/1xxx/kxxx b KGGMMRNNCCPPPPPggmmrrnnccpppp - 0"
# Line 13 has the fault: four lines of BARE, an empty one, five lines of tags and an empty line come before it.
BROKEN = '[Event "broken"]\n\n1. a1(K) a1(K) *\n'


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """The exit status, stdout and stderr of a command."""
    status = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def give_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.txt"
    path.write_text(write_records([BARE, GAME]), encoding="utf-8")
    return path


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A good game in lines 1 to 5, a broken one with its fault in line 9, a good one from line 11 on."""
    path = tmp_path / "mixed.txt"
    path.write_text(f"{BARE}\n{BROKEN}\n{GAME}", encoding="utf-8")
    return path


# ---- show --------------------------------------------------------------------------------------------------------


def test_show_prints_tags_last_ply_board_and_position(capsys: pytest.CaptureFixture[str], good: Path) -> None:
    status, out, err = run(capsys, "show", good, "--game", "2")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[:6] == [
        "First: 安娜", "Second: Bo", "Rules: taiwan", "FirstColour: black", "Result: 0-1", "Termination: resign",
    ]  # fmt: skip
    assert lines[6:9] == ["", "after ply 4 of 4", "last: 2... a2-a3"]
    assert " 3 | R x x x |" in lines
    assert " 2 | . x x x |" in lines
    assert lines[-1] == LAST_FEN


def test_show_prints_the_position_after_a_ply(capsys: pytest.CaptureFixture[str], good: Path) -> None:
    for ply, last in ((1, "last: 1. a1(k)"), (2, "last: 1... a2(R)"), (3, "last: 2. a3(p)")):
        status, out, _ = run(capsys, "show", good, "--game", "2", "--ply", str(ply))
        assert status == 0
        assert f"after ply {ply} of 4\n{last}\n" in out
        assert out.splitlines()[-1] == GAME.position(ply).fen()
    status, out, _ = run(capsys, "show", good, "--game", "2", "--ply", "0")
    assert (status, "last:" in out) == (0, False)
    assert out.splitlines()[-1].startswith("xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? ")


def test_show_reads_json_and_stdin(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # What a file holds tells its form.
    path = tmp_path / "game"
    for data in (GAME.to_text(), GAME.to_json(), f"[{GAME.to_json()}]", "\ufeff" + GAME.to_text()):
        path.write_text(data, encoding="utf-8")
        status, out, err = run(capsys, "show", path)
        assert (status, err) == (0, "")
        assert out.splitlines()[-1] == LAST_FEN
        give_stdin(monkeypatch, data.encode())
        assert run(capsys, "show", "-") == (0, out, "")


def test_show_prints_names_that_the_terminal_has_no_letters_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, good: Path
) -> None:
    shown = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", shown)
    assert main(["show", str(good), "--game", "2"]) == 0
    assert shown.buffer.getvalue().startswith(b"First: \\u5b89\\u5a1c\n")


def test_show_of_a_good_game_among_broken_ones(capsys: pytest.CaptureFixture[str], mixed: Path) -> None:
    status, out, _ = run(capsys, "show", mixed, "--game", "3")
    assert (status, out.splitlines()[-1]) == (0, LAST_FEN)
    status, out, err = run(capsys, "show", mixed, "--game", "2")
    assert (status, out) == (2, "")
    assert err == f"banqi: {mixed}:9:10: game 2: a1(K) is illegal: a1 is face up\n"


# ---- convert -----------------------------------------------------------------------------------------------------


def test_convert_between_all_forms(capsys: pytest.CaptureFixture[str], good: Path, tmp_path: Path) -> None:
    """The suffix tells the form; text to JSON to lines and back to text is the same text."""
    array, lines, text = tmp_path / "a.json", tmp_path / "b.jsonl", tmp_path / "c.pgn"
    for source, target in ((good, array), (array, lines), (lines, text)):
        assert run(capsys, "convert", source, target) == (0, "", "")
    assert array.read_text(encoding="utf-8") == write_json_records([BARE, GAME], Layout.ARRAY)
    assert lines.read_text(encoding="utf-8") == write_json_records([BARE, GAME])
    assert [item["result"] for item in json.loads(array.read_bytes())] == ["*", "0-1"]
    assert text.read_bytes() == good.read_bytes()
    assert sorted(listing(tmp_path)) == ["a.json", "b.jsonl", "c.pgn", "good.txt"]


def test_convert_from_stdin_to_stdout(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, good: Path
) -> None:
    for form, written in (
        ("text", write_records([BARE, GAME])),
        ("json", write_json_records([BARE, GAME], Layout.ARRAY)),
        ("jsonl", write_json_records([BARE, GAME])),
    ):
        give_stdin(monkeypatch, good.read_bytes())
        assert run(capsys, "convert", "-", "-", "--to", form) == (0, written, "")
        assert run(capsys, "convert", good, "--to", form) == (0, written, "")


def test_convert_writes_nothing_if_a_game_is_broken(
    capsys: pytest.CaptureFixture[str], mixed: Path, tmp_path: Path
) -> None:
    fault = f"banqi: {mixed}:9:10: game 2: a1(K) is illegal: a1 is face up\n"
    target = tmp_path / "target.json"
    target.write_bytes(b"as it was")
    before = listing(tmp_path)
    assert run(capsys, "convert", mixed, target) == (2, "", fault)
    assert listing(tmp_path) == before
    assert run(capsys, "convert", mixed, tmp_path / "other.json") == (2, "", fault)
    assert run(capsys, "convert", mixed, "--to", "text") == (2, "", fault)
    assert listing(tmp_path) == before
    # Asked for, the good ones are written. The exit status still tells that something is missing.
    assert run(capsys, "convert", "--skip-broken", mixed, target) == (2, "", fault)
    assert target.read_text(encoding="utf-8") == write_json_records([BARE, GAME], Layout.ARRAY)


def test_convert_tells_every_broken_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "source.jsonl"
    source.write_bytes(b'{"result": "*"}\n\n{"result": "*", "moves": [{"move": "b9"}]}\n{"moves"\n{"result": "\xff"}')
    status, out, err = run(capsys, "convert", source, "--to", "text")
    assert (status, out) == (2, "")
    # By hand: the third line ends after eight characters; the fourth has twelve before the byte that is no text.
    assert err.splitlines() == [
        f"banqi: {source}:1: game 1: object missing required field moves",
        f"banqi: {source}:3: game 2: moves[0].move: 'b9' leaves the board: 'b9' is no square of the 4 x 8 board",
        f"banqi: {source}:4:9: game 3: no JSON: input data was truncated",
        f"banqi: {source}:5:13: game 4: no JSON: invalid UTF-8 encoded string",
    ]
    source = tmp_path / "source.txt"
    source.write_bytes(b'[Event "\xff"]\n\n*\n\n[Event "\x1b[2J"]\n\n*\n')
    status, out, err = run(capsys, "convert", source, "--to", "text")
    assert (status, out) == (2, "")
    assert err.splitlines() == [
        f"banqi: {source}:1:9: game 1: '\\udcff' is a byte that is no UTF-8",
        f"banqi: {source}:5:9: game 2: '\\x1b' is a control character",
    ]


def test_convert_replaces_a_file_and_keeps_its_mode_and_its_links(
    capsys: pytest.CaptureFixture[str], good: Path, tmp_path: Path
) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    assert run(capsys, "convert", good, link) == (0, "", "")
    assert link.is_symlink()
    assert len(json.loads(target.read_bytes())) == 2
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    # A file may become its own target.
    assert run(capsys, "convert", good, good) == (0, "", "")
    assert good.read_text(encoding="utf-8") == write_records([BARE, GAME])
    # What is no file is written to, not replaced.
    assert run(capsys, "convert", good, os.devnull, "--to", "json") == (0, "", "")
    assert not Path(os.devnull).is_file()


def test_convert_with_no_good_game_leaves_the_target(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source, target = tmp_path / "source.txt", tmp_path / "target.json"
    source.write_text(BROKEN, encoding="utf-8")
    target.write_bytes(b"as it was")
    before = listing(tmp_path)
    fault = f"banqi: {source}:3:10: game 1: a1(K) is illegal: a1 is face up\n"
    for to in (target, tmp_path / "new.json", tmp_path / "new.txt"):
        assert run(capsys, "convert", "--skip-broken", source, to) == (2, "", fault)
        assert listing(tmp_path) == before
    assert run(capsys, "convert", "--skip-broken", source, "--to", "json") == (2, "", fault)


def test_convert_to_names_as_long_as_they_can_be(
    capsys: pytest.CaptureFixture[str], good: Path, tmp_path: Path
) -> None:
    longest = os.pathconf(tmp_path, "PC_NAME_MAX")
    for length in (longest - 10, longest):
        target = tmp_path / ("a" * (length - 5) + ".json")
        for _ in range(2):
            assert run(capsys, "convert", good, target) == (0, "", "")
        assert len(json.loads(target.read_bytes())) == 2
    assert len(listing(tmp_path)) == 3
    status, out, err = run(capsys, "convert", good, tmp_path / ("a" * (longest - 4) + ".json"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.endswith(": File name too long\n")
    assert len(listing(tmp_path)) == 3


def test_convert_through_links_that_lead_nowhere(
    capsys: pytest.CaptureFixture[str], good: Path, tmp_path: Path
) -> None:
    loop, there, back = tmp_path / "loop", tmp_path / "there", tmp_path / "back"
    for link, to in ((loop, loop), (there, back), (back, there)):
        link.symlink_to(to)
    for target in (loop, there, loop / "x"):
        status, out, err = run(capsys, "convert", good, target, "--to", "text")
        assert (status, out) == (2, "")
        assert err.startswith("banqi: cannot write ")
        assert err.endswith(": Too many levels of symbolic links\n")
        assert err.count("\n") == 1
    assert loop.is_symlink()
    assert there.is_symlink()
    assert len(list(tmp_path.iterdir())) == 4
    # A link to a file that is not there yet makes it.
    (tmp_path / "link").symlink_to(tmp_path / "new")
    assert run(capsys, "convert", good, tmp_path / "link", "--to", "text") == (0, "", "")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "new").read_bytes() == good.read_bytes()


@pytest.mark.parametrize(
    "text",
    [
        '{"quoted" opening remark} 1. a1(K) *',
        '{"White: to move", he said} 1. a1(K) *',
        '{"Watch": this was the plan} 1. a1(K) *',
        '{ "a" "b" }\n1. a1(K) *',
        "{} 1. a1(K) *",
        '{}{}\n{"now"} 1. a1(K) *',
        "\ufeff{}\n1. a1(K) *",
    ],
)
def test_text_may_begin_with_a_comment(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    give_stdin(monkeypatch, text.encode())
    status, out, err = run(capsys, "convert", "-", "--to", "jsonl")
    assert (status, err) == (0, "")
    assert [move["move"] for move in json.loads(out)["moves"]] == ["a1(K)"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{}", "missing required field"),
        ("{}\n{ }\n", "missing required field"),
        ('{}\n{"result": "*", "moves": []}', "missing required field"),
        ('{ "result"\n:\n', "no JSON"),
        ('{"resu\\"lt": -1}', "unknown field"),
        ('[{"quoted" x}]', "no JSON"),
    ],
)
def test_broken_json_is_taken_for_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str, fault: str
) -> None:
    give_stdin(monkeypatch, text.encode())
    status, out, err = run(capsys, "convert", "-", "--to", "jsonl")
    assert (status, out) == (2, "")
    assert fault in err.splitlines()[0]


def test_convert_to_where_nothing_can_be_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, good: Path, tmp_path: Path
) -> None:
    for target in (tmp_path / "no" / "where.json", tmp_path, "/dev/full", "/", "", "a\0b"):
        status, out, err = run(capsys, "convert", good, target, "--to", "json")
        assert (status, out) == (2, "")
        assert err.startswith("banqi: cannot write ")
        assert err.count("\n") == 1

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    before = listing(tmp_path)
    status, out, err = run(capsys, "convert", good, tmp_path / "target.json")
    assert (status, out) == (2, "")
    assert err.endswith(": No space left on device\n")
    assert listing(tmp_path) == before


# ---- verify ------------------------------------------------------------------------------------------------------


@pytest.fixture
def _deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the deal: the king of black on a1, of red on a2."""

    def opened_layout(
        rules: object, opening: str, commitment: str, *, fen: str | None = None, nonces: object = None
    ) -> dict[int, str]:
        if opening != commitment:
            raise BanqiError("the opening does not belong to the commitment")
        return {0: "k", 4: "K"}

    module = types.ModuleType("banqi.deal")
    module.opened_layout = opened_layout
    module.opened_nonces = lambda opening: ()
    monkeypatch.setitem(sys.modules, "banqi.deal", module)


def dealt(moves: list[str], commitment: str = "c", opening: str = "c") -> Record:
    return Record("taiwan", moves, tags={"Commitment": commitment, "Opening": opening})


@pytest.mark.usefixtures("_deals")
def test_verify_tells_what_was_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(write_records([GAME, dealt(["a1(k)", "a2(K)"]), BARE]), encoding="utf-8")
    assert run(capsys, "verify", path) == (
        0,
        "game 1: 4 plies, 0-1 (resign): reveals not checked, without Commitment and Opening\n"
        "game 2: 2 plies, *: the opening belongs to the commitment, 2 reveals agree with it\n"
        "  commitment: c\n"
        "  no nonces: the dealer may have chosen the layout\n"
        "game 3: 0 plies, *: reveals not checked, without Commitment and Opening\n",
        "",
    )


def test_verify_shows_and_compares_nonces(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    deal = Deal("taiwan")
    deal.add_nonce("安娜 was here")
    deal.add_nonce("and Bo")
    tags = {"Commitment": deal.commitment(), "Opening": deal.opening(), "Assisted": "yes"}
    path, bare = tmp_path / "game.txt", tmp_path / "bare.txt"
    path.write_text(str(Record("taiwan", [f"a1({deal.reveal(0)})"], tags=tags)), encoding="utf-8")
    bare.write_text(str(BARE), encoding="utf-8")
    begin, end = "game 1: 1 plies, *: the opening belongs to the commitment", '; marked [Assisted "yes"]\n'
    nonces = f"  commitment: {deal.commitment()}\n  nonce 1: 安娜 was here\n  nonce 2: and Bo\n"
    assert run(capsys, "verify", path) == (
        0,
        f"{begin}, 1 reveals agree with it{end}{nonces}"
        "  the commitment does not bind the nonces: each player compares his own, to the letter with --nonce\n",
        "",
    )
    assert run(capsys, "verify", path, "--nonce", "安娜 was here", "--nonce", "and Bo") == (
        0,
        f"{begin}, its nonces are those given, 1 reveals agree with it{end}{nonces}",
        "",
    )
    for given in (
        ["and Bo"],
        ["and Bo", "安娜 was here"],
        ["安娜 was here", "and Bo", "x"],
        ["安娜 was here", "and bo"],
    ):
        status, out, err = run(capsys, "verify", path, *(word for nonce in given for word in ("--nonce", nonce)))
        assert (status, out) == (2, "")
        assert err.startswith(f"banqi: {path}: game 1: tags.Opening: the opening holds other nonces than those given")
        assert err.count("\n") == 1
    assert run(capsys, "verify", bare, "--nonce", "and Bo") == (
        2,
        "",
        f"banqi: {bare}: game 1: tags: the nonces cannot be compared, without Commitment and Opening\n",
    )
    status, out, err = run(capsys, "verify", path, "--nonce", "")
    assert (status, out, "printable text" in err) == (2, "", True)


@pytest.mark.usefixtures("_deals")
def test_verify_finds_what_is_untrue(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(
        "\n".join(map(str, [dealt(["a1(K)"]), BROKEN, dealt([], opening="d"), dealt(["a1(k)", "a2(R)"]), BARE])),
        encoding="utf-8",
    )
    status, out, err = run(capsys, "verify", path)
    assert status == 2
    assert out == "game 5: 0 plies, *: reveals not checked, without Commitment and Opening\n"
    # The first game has eight lines: six tags, an empty one, the moves.
    assert err.splitlines() == [
        f"banqi: {path}: game 1: moves[0].move: a1(K) is untrue: k lay on a1",
        f"banqi: {path}:11:10: game 2: a1(K) is illegal: a1 is face up",
        f"banqi: {path}: game 3: tags.Opening: the opening does not belong to the commitment",
        f"banqi: {path}: game 4: moves[1].move: a2(R) is untrue: K lay on a2",
    ]


@pytest.mark.parametrize("rules", [rule_set.name for rule_set in RULE_SETS])
def test_a_whole_game_goes_through_every_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, rules: str
) -> None:
    game, rng = Game(deal=Deal(rules, seed=1)), random.Random(rules)
    while game.outcome() is None:
        game.play(rng.choice(list(game.position.legal_moves)))
    text, array = tmp_path / "game.txt", tmp_path / "game.json"
    text.write_text(game.record().to_text(), encoding="utf-8")
    assert run(capsys, "convert", text, array) == (0, "", "")
    for path in (text, array):
        status, out, err = run(capsys, "show", path)
        assert (status, err, out.splitlines()[-1]) == (0, "", game.position.fen())
        assert str(game.position) in out
        status, out, err = run(capsys, "verify", path)
        reveals = sum(move.reveal is not None for move in game.position.move_stack)
        assert (status, err) == (0, "")
        assert f": the opening belongs to the commitment, {reveals} reveals agree with it\n" in out
        assert run(capsys, "convert", path, "--to", "text") == (0, text.read_text(encoding="utf-8"), "")


# ---- one line, exit status 2 -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["show"], "Missing argument"),
        (["show", "GOOD"], "holds 2 games: choose one with --game"),
        (["show", "GOOD", "--game", "0"], "game must be a whole number from 1 to 2"),
        (["show", "GOOD", "--game", "3"], "game must be a whole number from 1 to 2"),
        (["show", "GOOD", "--game", "one"], "not a whole number"),
        (["show", "GOOD", "--game", "2", "--ply", "5"], "ply must be a whole number from 0 to 4"),
        (["show", "GOOD", "--game", "2", "--ply", "-1"], "ply must be a whole number from 0 to 4"),
        (["show", "GOOD", "--game", "2", "--ply", "9" * 30], "ply must be a whole number from 0 to 4"),
        (["show", "nowhere.txt"], "cannot read 'nowhere.txt': No such file"),
        (["show", "."], "cannot read '.': Is a directory"),
        (["show", "\x1b[2J\n"], "cannot read "),
        (["show", ""], "cannot read"),
        (["show", "-"], "stdin holds no game"),
        (["convert"], "Missing argument"),
        (["convert", "GOOD"], "--to must say which form"),
        (["convert", "GOOD", "GOOD.doc"], "--to must say which form"),
        (["convert", "GOOD", "--to", "xml"], "xml"),
        (["convert", "nowhere.txt", "there.txt"], "cannot read 'nowhere.txt': No such file"),
        (["convert", "-", "there.txt"], "stdin holds no game"),
        (["verify", "nowhere.txt"], "cannot read 'nowhere.txt': No such file"),
        (["verify", os.devnull], "holds no game"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    good: Path,
    arguments: list[str],
    reason: str,
) -> None:
    monkeypatch.chdir(good.parent)
    give_stdin(monkeypatch, b"\n")
    status, out, err = run(capsys, *(argument.replace("GOOD", str(good)) for argument in arguments))
    assert (status, out) == (2, "")
    assert err.startswith("banqi: ")
    assert err.count("\n") == 1
    assert err[:-1].isprintable()
    assert reason in err
    assert list(listing(good.parent)) == ["good.txt"]


def test_a_closed_stdin_is_an_error(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run(capsys, "verify", "-") == (2, "", "banqi: stdin is closed\n")
