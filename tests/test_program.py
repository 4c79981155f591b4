"""Outside programs in matches: what they are told, every way in which they can fail, and engines of other builds."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from banqi import Position, Rules
from banqi.arena import Fault, Match, Pair, PlayerSpec, run
from banqi.arena.match import release
from banqi.arena.player import Answer
from banqi.cli import main
from banqi.errors import ArenaError
from inline_executor import InlineExecutor
from reference.game import Game
from tools import ROOT, leave_out, needs_plain_memory, require_tool

PROGRAM = Path(__file__).with_name("odd_program.py")
TAIWAN = Rules.parse("taiwan")
PATIENCE = 60.0


def program(oddity: str = "", log: Path | str = os.devnull, options: str = "") -> str:
    return f"program({shlex.quote(sys.executable)} {shlex.quote(str(PROGRAM))} '{oddity}' '{log}'{options})"


def played(one: str, other: str = "random", *, pairs: int = 1, patience: float = PATIENCE, margin: float = 10.0,
           rules: str = "taiwan") -> list[Pair]:  # fmt: skip
    match = Match((PlayerSpec.parse(one), PlayerSpec.parse(other)), Rules.parse(rules), 0, margin, patience)
    try:
        return list(run(match, InlineExecutor(), pairs, at_once=1))
    finally:
        release()


# ---- programs that play --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("oddity", ["", "gtp", "no numbers", "says more", "knows no other commands"])
def test_a_program_plays_whole_games(oddity: str) -> None:
    for pair in played(program(oddity), pairs=2):
        assert [(game.fault, game.words) for game in pair.games] == [(None, "")] * 2
        assert all(game.spent[0].decisions > 3 for game in pair.games)


def test_a_program_is_told_everything_in_the_order_of_the_protocol(tmp_path: Path) -> None:
    """The log of a program, read by the reference's rules: every ply, its own too, then the clock of the mover."""
    log = tmp_path / "log"
    pair = played(program("", log, ", clock=900"), "engine(nodes=20, hash=1, clock=800)")[0]
    lines = [line.split() for line in log.read_text().splitlines()]
    begins = [number for number, words in enumerate(lines) if words == ["7", "reset_board"]]
    assert len(begins) == 2
    for begin, end, game in zip(begins, [begins[1] - 2, len(lines)], pair.games, strict=True):
        assert lines[begin - 2 : begin] == [["1", "name"], ["2", "version"]]
        assert lines[begin + 1 : begin + 7] == [
            ["3", "known_command", "num_repetition"],
            ["8", "num_repetition", "3"],
            ["3", "known_command", "num_moves_to_draw"],
            ["9", "num_moves_to_draw", "180"],
            ["15", "time_setting", "900000"],
            ["14", "ready"],
        ]
        play = Game("taiwan")
        left = {}
        own = game.half
        at = begin + 7
        while play.end() is None:
            colour = {"r": "red", "b": "black", "?": "unknown"}[play.position.side]
            if len(play.actions) % 2 == own:
                assert lines[at] == ["12", "genmove", colour]
                at += 1
            number, name, *squares = lines[at]
            assert (number, name) in (("10", "move"), ("11", "flip"))
            play.play(squares[0] * 2 + squares[1] if name == "flip" else "".join(squares))
            mover = {"r": "black", "b": "red"}[play.position.side]
            assert lines[at + 1][:3] == ["16", "time_left", mover]
            left[mover] = int(lines[at + 1][3])
            at += 2
        winner, _ = play.end() or (None, "")
        assert lines[at] == ["13", "game_over", {"r": "red", "b": "black", None: "draw"}[winner]]
        # A new game begins, or the program is asked to quit.
        assert at + 1 == end or lines[at + 1 :] == [["5", "quit"]]
        # Each clock lost what its player used: the program 900 s to begin with, the engine 800.
        used = sorted(
            round(1000 * (start - spent.seconds)) for start, spent in zip((900, 800), game.spent, strict=True)
        )
        assert sorted(left.values()) == pytest.approx(used, abs=2)


def test_a_limit_by_cycles_has_no_number(tmp_path: Path) -> None:
    log = tmp_path / "log"
    played(program("", log), rules="taiwan(repetition=cycle, quiet_limit=60)")
    assert "num_repetition" not in log.read_text()
    assert "9 num_moves_to_draw 60" in log.read_text()


# ---- programs that fail --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("oddity", "fault", "words"),
    [
        ("illegal", Fault.ILLEGAL, "a1-d8 is illegal"),
        ("off the board", Fault.ILLEGAL, "the answer to genmove is '=a1 a9'"),
        ("one square", Fault.ILLEGAL, "the answer to genmove is '=a1'"),
        ("no words", Fault.ILLEGAL, "the answer to genmove is '='"),
        ("resigns", Fault.ILLEGAL, "the answer to genmove is '=resign'"),
        ("fails", Fault.ILLEGAL, "the answer to genmove is '[?]no idea'"),
        ("not decodable", Fault.ILLEGAL, r"the answer to genmove is '=\\ufffd\\ufffd'"),
        ("exits", Fault.CRASH, "the program has ended with status 3: 'out of ideas'"),
        pytest.param("dies", Fault.CRASH, "the program died of signal 11", marks=needs_plain_memory),
        ("closes its output", Fault.CRASH, "the program has closed its end"),
        ("sleeps", Fault.HANG, "the program does not answer"),
        ("chatters", Fault.HANG, "the program does not answer"),
        ("endless line", Fault.CRASH, "the program writes a line of more than 1048576 bytes"),
        ("begins nothing", Fault.CRASH, "the program refuses reset_board: 'not in the mood'"),
        ("refuses flips", Fault.CRASH, "the program refuses flip "),
    ],
)
def test_a_program_that_fails_loses_and_the_match_goes_on(oddity: str, fault: Fault, words: str) -> None:
    # Long enough for a program to start on a slow build of a busy machine, and waited for in each game.
    pairs, patience = (1, 6.0) if fault is Fault.HANG else (2, PATIENCE)
    games = [game for pair in played("random", program(oddity), pairs=pairs, patience=patience) for game in pair.games]
    assert [(game.score, game.fault, game.faulty) for game in games] == [(1.0, fault, 1)] * (2 * pairs)
    assert all(re.match(words, game.words) for game in games), games
    # At its third decision in every game: it is started again, and plays the next one.
    if "begins" not in oddity and "refuses" not in oddity:
        assert {game.spent[1].decisions for game in games} == {
            3 if fault is Fault.ILLEGAL and oddity == "illegal" else 2
        }


def test_a_program_that_is_late_loses_on_time() -> None:
    games = played("random", program("late", options=", time=0.1"), margin=0.05)[0].games
    assert [(game.score, game.fault, game.termination) for game in games] == [(1.0, Fault.TIME, "time")] * 2
    # Each of its moves takes 0.3 s: a clock of 0.8 s has it for two.
    games = played("random", program("late", options=", clock=0.8"), margin=0.0)[0].games
    assert [(game.fault, game.spent[1].decisions) for game in games] == [(Fault.TIME, 3)] * 2


@pytest.mark.parametrize(
    ("player", "fault"),
    [
        ("program(/no/such/program)", "cannot start '/no/such/program': No such file or directory"),
        ("program()", "a program needs its command"),
        ("program('')", "a program needs its command"),
        ("program(')", "is no command"),
        ("program(x, nodes=5)", "a program has the options clock and time only"),
        ("program(x, threads=5)", "a program has the options clock and time only"),
        ("program(x, clock=0)", "a clock starts above 0"),
        (f"program({shlex.quote(sys.executable)} -c 1)", "the program has ended with status 0"),
        ("build", "a build needs its revision"),
        ("build(nodes=5)", "a build needs its revision"),
        ("build(no-such-revision, nodes=5)", "is no revision of the git checkout"),
        ("build(--help, nodes=5)", "is no revision of the git checkout"),
    ],
)
def test_a_program_that_cannot_be_had_is_refused(player: str, fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    if player.startswith("build(n") and "revision," in player:
        require_tool("git")
    assert main(["arena", player, "random"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"banqi: [ -~]+\n", err)
    assert fault in err


def test_rules_that_the_protocol_has_no_words_for_are_refused() -> None:
    with pytest.raises(ArenaError, match="the tournament protocol has no words for"):
        PlayerSpec.parse(program()).check(Rules.parse("children"))


@pytest.mark.parametrize("stop", ["interrupt", "verdict"])
def test_no_program_outlives_its_match(stop: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    options = [] if stop == "interrupt" else ["--sprt", "-100", "-99", "--alpha", "0.49", "--beta", "0.49"]
    player = program("sleeps on" if stop == "interrupt" else "", log)
    process = subprocess.Popen(
        [sys.executable, "-m", "banqi", "arena", "random", player, "--jobs", "1", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    if stop == "interrupt":
        deadline = time.monotonic() + PATIENCE
        while not log.exists() or log.read_text().count("genmove") < 3:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == ((130, b"banqi: interrupted\n") if stop == "interrupt" else (0, b""))
    for _ in range(100):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGKILL)
    pytest.fail("a process goes on")


# ---- builds --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An environment of the last commit as the arena would make it, with the build at hand in place of a new one."""
    from banqi.arena import build as builds

    require_tool("git")
    if not (ROOT / ".git").exists():
        leave_out("this is no git checkout")
    cache = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))
        made: list[list[str]] = []

        def make(command: list[str], log: Path, commit: str) -> None:
            made.append(command)
            if command[1:3] == ["-m", "venv"]:
                python = Path(command[3]) / "bin" / "python"
                python.parent.mkdir(parents=True)
                path = str(Path(builds.PACKAGE).parent)
                python.write_text(f'#!/bin/sh\nPYTHONPATH={shlex.quote(path)} exec {sys.executable} "$2"\n')
                python.chmod(0o755)
            elif command[0] == "git":
                (log.parent / "source.tar").touch()

        patch.setattr(builds, "_run", make)
        commit = builds.commit_of("HEAD")
        for _ in range(2):
            builds.python_of(commit)
        assert [command[0] for command in made].count("git") == 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))
        yield "build(HEAD, nodes=60, hash=1)"


@pytest.mark.parametrize("revision", ["HEAD", "."])
def test_a_build_plays_as_the_engine_does(build: str, revision: str) -> None:
    """The same search on both sides: both games of a pair are the same, also by rules with chains."""
    for rules in ("taiwan", "children", "junqi"):
        for pair in played(build.replace("HEAD", revision), "engine(nodes=60, hash=1)", pairs=2, rules=rules):
            one, other = pair.games
            assert (one.fault, other.fault) == (None, None)
            assert one.score == 1 - other.score
            assert (one.plies, one.termination) == (other.plies, other.termination)
            assert [spent.nodes for spent in one.spent] == [spent.nodes for spent in reversed(other.spent)]


def test_the_text_of_a_build_names_its_commit(build: str) -> None:
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert str(PlayerSpec.parse(build)) == f"build({head[:12]}, nodes=60, hash=1)"


@needs_plain_memory
def test_a_build_that_crashes_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process is ended from outside in the midst of each game."""
    from banqi.arena.build import BuildPlayer

    moves = BuildPlayer.move

    def move(self: BuildPlayer, position: Position, left: float | None) -> Answer:
        if len(position.move_stack) >= 6 and self._pipe is not None:
            os.kill(self._pipe._process.pid, signal.SIGSEGV)
            self._pipe._process.wait()
        return moves(self, position, left)

    monkeypatch.setattr(BuildPlayer, "move", move)
    games = [game for pair in played("build(., nodes=20, hash=1)", pairs=2) for game in pair.games]
    assert [(game.score, game.fault, game.words) for game in games] == [
        (0.0, Fault.CRASH, "the program died of signal 11")
    ] * 4
    assert [game.plies for game in games] == [6, 7] * 2


def test_a_build_that_refuses_its_options_is_told(build: str) -> None:
    with pytest.raises(ArenaError, match="unexpected keyword argument 'wings'"):
        PlayerSpec.parse(build.replace(")", ", wings=2)")).check(TAIWAN)


def test_a_revision_that_cannot_be_built_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_tool("git")
    from banqi.arena import build as builds

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(ArenaError, match=r"0{12} cannot be built, see .*log.txt'"):
        builds.python_of("0" * 12)
    # Nothing is taken for ready.
    assert not list(tmp_path.rglob("ready"))
