"""The tournament protocol: scripted sessions, whole games between two programs, and everything that is no command."""

import codecs
import io
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import banqi
from banqi import Engine, Limit, Position, RulesError, Side
from banqi.cli import main
from banqi.protocol.session import Session
from banqi.protocol.tcga import LONGEST_LINE, Dialect, Tcga
from banqi.rules import RULE_SETS
from line_process import PATIENCE, READY, LineProcess
from reference.game import Game
from sizes import tenth
from tools import TOURNAMENT_RULES, needs_tournament_games, tournament_games

TRANSCRIPTS = sorted((Path(__file__).parent / "protocol").glob("*.txt"))
# As the protocol numbers its commands.
COMMANDS = {
    "protocol_version": 0, "name": 1, "version": 2, "known_command": 3, "list_commands": 4, "quit": 5, "boardsize": 6,
    "reset_board": 7, "num_repetition": 8, "num_moves_to_draw": 9, "move": 10, "flip": 11, "genmove": 12,
    "game_over": 13, "ready": 14, "time_setting": 15, "time_settings": 15, "time_left": 16, "showboard": 17,
    "init_board": 18,
}  # fmt: skip
SQUARES = [f"{file}{rank}" for rank in range(1, 9) for file in "abcd"]
FULL_SET = "KGGMMRRNNCCPPPPPkggmmrrnnccppppp"


class Program(LineProcess):
    """A process that speaks the protocol."""

    def __init__(self, *arguments: str, program: tuple[str, ...] = ("-m", "banqi")) -> None:
        super().__init__("tcga", *arguments, program=program)

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self.write(data)

    def ask(self, line: str) -> str:
        """Send a command; the line of its answer."""
        self.send(f"{line}\n".encode())
        return self.line()

    def end(self) -> tuple[int, bytes, bytes]:
        """Close its input: the exit status and what else it says."""
        return self.rest()


def tcga(rules: str = "taiwan", *, nodes: int = 50, dialect: Dialect = Dialect.PLATFORM) -> Tcga:
    return Tcga(Session(Engine(hash_mb=1), rules, limit=Limit(nodes=nodes)), dialect=dialect)


@pytest.fixture
def front() -> Tcga:
    return tcga()


# ---- transcripts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path) -> None:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert lines[0].startswith("$ ")
    game = Game()
    sent, square = "", ""
    with Program(*shlex.split(lines[0][2:])) as program:
        for line in lines[1:]:
            sign, text = line[:1], line[2:]
            if sign == ">":
                sent = text.format(square=square)
                program.send(f"{sent}\n".encode())
                continue
            answer = program.line()
            if text.endswith("<move>"):
                start, target = answer.removeprefix(text.removesuffix("<move>")).split(" ")
                assert start + target in game.legal(), sent
                square = start
            elif text.endswith("<text>"):
                assert re.fullmatch(rf"{re.escape(text.removesuffix('<text>'))}\S.*", answer), (sent, answer)
            else:
                assert answer == text, sent
            if answer.startswith("="):
                game = followed(game, sent)
                sent = ""
        assert program.end() == (0, b"", b"")


def followed(game: Game, sent: str) -> Game:
    """The game after a command that was carried out."""
    match sent.split():
        case [*_, "reset_board"]:
            return Game()
        case [*_, "move" | "flip", first, second]:
            # After init_board this game stands still: what is played there follows from the transcript alone.
            request = first + (second if len(second) == 2 else first + second)
            if request[:4] in game.legal():
                game.play(request)
    return game


# ---- whole games ---------------------------------------------------------------------------------------------------

Ask = Callable[[str], str]


def tell(ask: Ask, command: str, *arguments: str) -> str:
    """Send a command as a platform does, and return the text of its answer, which has to be there."""
    number = COMMANDS[command]
    answer = ask(" ".join([str(number), command, *arguments]))
    assert answer.startswith(f"={number}"), f"{command} {arguments}: {answer}"
    return answer.removeprefix(f"={number}").strip()


def play(players: tuple[Ask, Ask], seed: int, rules: str = "taiwan", seconds: float = 900.0) -> Game:
    """Be the platform for one game: deal, ask, tell both programs every ply, take the time, judge."""
    layout = dict(zip(SQUARES, random.Random(seed).sample(FULL_SET, 32), strict=True))
    game = Game(rules)
    for ask in players:
        assert tell(ask, "name") == "banqi"
        tell(ask, "version")
        tell(ask, "reset_board")
        tell(ask, "time_setting", str(round(seconds * 1000)))
        tell(ask, "ready")
    colours, left = ["unknown", "unknown"], [seconds, seconds]
    while game.end() is None:
        seat = len(game.actions) % 2
        started = time.monotonic()
        words = tell(players[seat], "genmove", colours[seat]).split(" ")
        left[seat] -= time.monotonic() - started
        assert left[seat] > 0, f"seed {seed}: the clock ran out at ply {len(game.actions) + 1}"
        start, target = words
        if start == target:
            identity = layout[start]
            game.play(start + start + identity)
            if colours[seat] == "unknown":
                colours[seat], colours[1 - seat] = ("red", "black") if identity.isupper() else ("black", "red")
        else:
            game.play(start + target)
        for ask in players:
            if start == target:
                tell(ask, "flip", start, identity)
            else:
                tell(ask, "move", start, target)
            tell(ask, "time_left", colours[seat], str(round(left[seat] * 1000)))
    winner, _ = game.end() or (None, "")
    for ask in players:
        tell(ask, "game_over", {"r": "red", "b": "black", None: "draw"}[winner])
    return game


def test_whole_games_between_two_programs() -> None:
    """A hundred in every run, a thousand where all counts are whole."""
    with Program("--nodes", "300", "--hash", "1") as one, Program("--nodes", "100", "--hash", "1") as other:
        for seed in range(tenth(1000)):
            play((one.ask, other.ask) if seed % 2 else (other.ask, one.ask), seed)
        for program in (one, other):
            assert program.ask("5 quit") == "=5"
            assert program.end() == (0, b"", b"")


@pytest.mark.slow
def test_whole_games_on_a_short_clock() -> None:
    with Program("--hash", "1") as one, Program("--hash", "1", "--threads", "2") as other:
        for seed in range(tenth(20)):
            play((one.ask, other.ask), seed, seconds=3.0)
        for program in (one, other):
            assert program.end() == (0, b"", b"")


@pytest.mark.parametrize(
    "rules",
    ["hongkong", "mainland", "cannon-adjacent", "hongkong(cannon=jump)", "taiwan(quiet_limit=60, repetition=cycle)"],
)
def test_whole_games_by_other_rules(rules: str) -> None:
    players = (in_process(tcga(rules)), in_process(tcga(rules)))
    for seed in range(tenth(20)):
        play(players, seed, rules)


def in_process(front: Tcga) -> Ask:
    def ask(line: str) -> str:
        answer = front.answer(line.encode())
        assert answer.endswith("\n")
        return answer[:-1].split("\n")[0]

    return ask


def test_a_platform_with_laxer_rules_gets_a_move_all_the_same() -> None:
    """Few quiet plies draw for the programs; the platform plays on to its own end."""
    strict = "taiwan(repetition=2, quiet_limit=2)"
    players = (in_process(tcga(strict)), in_process(tcga(strict)))
    for seed in range(tenth(20)):
        play(players, seed)


def test_the_programs_own_move_may_go_untold() -> None:
    """A platform that tells only the other's steps and captures, and the result of every flip."""
    for seed in range(tenth(20)):
        layout = dict(zip(SQUARES, random.Random(seed).sample(FULL_SET, 32), strict=True))
        fronts = (tcga(), tcga())
        game = Game()
        colours = ["unknown", "unknown"]
        while game.end() is None:
            seat = len(game.actions) % 2
            start, target = tell(in_process(fronts[seat]), "genmove", colours[seat]).split(" ")
            if start == target:
                game.play(start + start + layout[start])
                for front in fronts:
                    tell(in_process(front), "flip", start, layout[start])
                if colours[seat] == "unknown":
                    red = layout[start].isupper()
                    colours[seat], colours[1 - seat] = ("red", "black") if red else ("black", "red")
            else:
                game.play(start + target)
                tell(in_process(fronts[1 - seat]), "move", start, target)


@needs_tournament_games
def test_games_of_a_tournament_can_be_told() -> None:
    """By the default rules too, which some of them leave behind: the platform judges, and a move is always there."""
    games = [game["moves"].split() for game in tournament_games()]
    for rules in ("taiwan", TOURNAMENT_RULES):
        ask = in_process(tcga(rules, nodes=10))
        for moves in games[:: 244 // tenth(244)]:
            game = Game()
            tell(ask, "reset_board")
            for move in moves:
                colour = {"r": "red", "b": "black", "?": "unknown"}[game.position.side]
                assert tell(ask, "genmove", colour).replace(" ", "") in game.legal()
                game.play(wire(move))
                squares = re.findall("[a-d][1-8]", move)
                if len(squares) == 1:
                    tell(ask, "flip", squares[0], move[-2])
                else:
                    tell(ask, "move", *squares)


def wire(move: str) -> str:
    """A move as the reference reads it."""
    return banqi.Move.from_text(move).wire()


# ---- commands ------------------------------------------------------------------------------------------------------


def answers(front: Tcga, *lines: str) -> list[str]:
    return [front.answer(line.encode()) for line in lines]


def test_every_command_of_the_protocol_is_known(front: Tcga) -> None:
    assert answers(front, *(f"3 known_command {name}" for name in COMMANDS)) == ["=3 true\n"] * 20
    assert sorted(tell(in_process(front), "list_commands").split(" ")) == sorted(COMMANDS)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("1 name", "=1 banqi\n"),
        ("1 name\r", "=1 banqi\n"),
        ("\t1\t \tname\t", "=1 banqi\n"),
        ("name", "= banqi\n"),
        ("0099 name", "=0099 banqi\n"),
        ("名 name", "=名 banqi\n"),
        ("name name", "= banqi\n"),
        ("1 name of the program", "=1 banqi\n"),
        ("", ""),
        (" \t\r", ""),
    ],
)
def test_ids_are_echoed_and_blanks_do_not_count(front: Tcga, line: str, answer: str) -> None:
    assert front.answer(line.encode()) == answer


@pytest.mark.parametrize(
    "line",
    [
        "7", "7 7", "fly", "7 fly", "NAME", "3 known_command", "3 known_command a b", "6 boardsize 4",
        "6 boardsize 8 4", "8 num_repetition", "8 num_repetition 1", "8 num_repetition x",
        "8 num_repetition 3 3", "8 num_repetition -3", "9 num_moves_to_draw 0", "9 num_moves_to_draw 1e9",
        "9 num_moves_to_draw 99999999999999999999999", "10 move a1", "10 move a1 a1", "10 move a1 a9",
        "10 move A1 A2", "10 move a1 a2 k", "11 flip a1", "11 flip a1 x", "11 flip a1 X", "11 flip a1 KK",
        "11 flip a1 -", "11 flip e1 K", "11 flip K a1", "11 flip a1 Ｋ", "12 genmove", "12 genmove white",
        "12 genmove red black", "13 game_over", "13 game_over unknown", "15 time_setting", "15 time_setting 0",
        "15 time_setting -1", "15 time_setting 1.5", "15 time_setting nan", "15 time_settings 900 0 0",
        "16 time_left", "16 time_left red", "16 time_left red -1", "16 time_left 5 red", "16 time_left green 5",
        "16 time_left red ٣", "18 init_board", "18 init_board X",
    ],
)  # fmt: skip
@pytest.mark.parametrize("dialect", list(Dialect))
def test_what_is_no_command_fails_in_one_line(line: str, dialect: Dialect) -> None:
    front = tcga(dialect=dialect)
    number = line.split(" ")[0] if line[0].isdigit() else ""
    end = "\n\n" if dialect is Dialect.GTP else "\n"
    assert re.fullmatch(rf"\?{number} [ -~]+{end}", front.answer(line.encode()))
    # Nothing has changed: all lie face down and any colour may be asked.
    assert front.answer(b"showboard").count("X") == 32
    assert front.answer(b"12 genmove black").startswith("=12 ")


def test_the_longest_line_is_read_and_one_byte_more_is_not() -> None:
    line = b"1 name" + b" " * (LONGEST_LINE - 6)
    sink = io.BytesIO()
    tcga().run(io.BytesIO(line + b"\n" + line + b" \n2 name\n" + b" " * 10**6 + b"\n3 name"), sink)
    first, second, third, fourth, fifth = sink.getvalue().decode().splitlines()
    assert (first, third, fifth) == ("=1 banqi", "=2 banqi", "=3 banqi")
    assert re.fullmatch(r"\?1 the line is longer .*", second)
    assert re.fullmatch(r"\? the line is longer .*", fourth)


def test_a_byte_order_mark_before_the_first_line_is_none_of_it() -> None:
    def said(data: bytes) -> list[str]:
        sink = io.BytesIO()
        tcga().run(io.BytesIO(data), sink)
        return sink.getvalue().decode().splitlines()

    mark = b"\xef\xbb\xbf"
    assert said(mark + b"7 name\n8 name\n") == ["=7 banqi", "=8 banqi"]
    assert said(mark + b"name") == ["= banqi"]
    assert said(mark + b"\n1 name\n") == ["=1 banqi"]
    assert said(mark) == []
    # Only there; and it takes nothing from what a line may hold.
    assert said(b"1 name\n" + mark + b"2 name\n") == ["=1 banqi", "=\ufeff2 banqi"]
    line = b"1 name" + b" " * (LONGEST_LINE - 6)
    long, after = said(mark + line + b" \n2 name")
    assert re.fullmatch(r"\?1 the line is longer .*", long)
    assert after == "=2 banqi"
    assert said(mark + line + b"\n2 name") == ["=1 banqi", "=2 banqi"]


def test_nothing_is_read_after_quit() -> None:
    source, sink = io.BytesIO(b"5 quit\n1 name\n"), io.BytesIO()
    tcga().run(source, sink)
    assert (sink.getvalue(), source.read()) == (b"=5\n", b"1 name\n")


def test_limits_that_are_told_end_games() -> None:
    # Red's chariot goes to and fro, black's too; the position set up stands again after four plies.
    board = "R X - - - - - - - - - - - - - - - - - - - - - - - - - - - - - r 0 0 0 0 0 0 1 0 0 0 0 0 0 0"
    front = tcga()
    moves = ["10 move a8 a7", "10 move d1 d2", "10 move a7 a8", "10 move d2 d1"]
    for told, outcome in (
        (["8 num_repetition 2"], "draw (repetition)"),
        (["8 num_repetition 3", "9 num_moves_to_draw 4"], "draw (quiet_limit)"),
        (["9 num_moves_to_draw 5"], "None"),
    ):
        # Before the game and in the midst of it.
        for lines in ([*told, f"18 init_board {board}", *moves], [f"18 init_board {board}", *moves, *told]):
            assert {answer[0] for answer in answers(front, *lines)} == {"="}
            assert str(front._session.position.outcome()) == outcome


def test_init_board_lists_from_a8_to_d1() -> None:
    front = tcga()
    cells = "K X - g X X X X R - - - N - - - C - - - P - - - - - - - - - - k"
    counts = "0 1 0 0 0 0 1 0 0 0 0 0 1 2"
    assert front.answer(f"18 init_board {cells} {counts}".encode()) == "=18\n"
    assert front._session.position.fen() == "KX1g/XXXX/R3/N3/C3/P3/4/3k r GPcpp - 0".replace("X", "x")
    assert front.answer(b"12 genmove black").startswith("=12 ")
    assert front._session.position.side == "b"


def test_init_board_of_the_start_waits_for_the_first_flip() -> None:
    front = tcga()
    board = " ".join(["X"] * 32 + ["1", "2", "2", "2", "2", "2", "5"] * 2)
    assert answers(front, f"18 init_board {board}", "12 genmove unknown")[1].startswith("=12 ")
    assert front._session.position == Position()


def test_time_settings_reach_the_clocks() -> None:
    front = tcga()
    answers(front, "15 time_settings 900000", "16 time_left red 893345", "16 time_left unknown 7")
    assert [front._session.clock(side) for side in (Side.RED, Side.BLACK, None)] == [893.345, 900, 0.007]


@pytest.mark.parametrize("name", [rule_set.name for rule_set in RULE_SETS])
def test_rule_sets_that_the_protocol_can_write(name: str) -> None:
    if name in ("dark-capture", "children", "cannon-chain", "double", "junqi"):
        with pytest.raises(RulesError, match="the tournament protocol has no words for"):
            tcga(name)
    else:
        assert tcga(name).answer(b"12 genmove unknown").startswith("=12 ")


# ---- the command line ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["--rules", "double"], ["--rules", "children"], ["--rules", "dark-capture"], ["--rules", "cannon-chain"],
        ["--rules", "taiwan(chain=any)"], ["--rules", "chess"], ["--time", "0"], ["--nodes", "0"], ["--threads", "0"],
        ["--hash", "x"], ["--dialect", "uci"], ["extra"],
    ],
)  # fmt: skip
def test_a_wrong_argument_is_one_line_and_status_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(["tcga", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"banqi: [ -~]+\n", err)


def test_the_end_of_input_ends_the_program() -> None:
    with Program() as program:
        # The last line has no end of its own.
        program.send(b"7 reset_board\r\n\r\n1 name")
        assert program.end() == (0, b"=7\n=1 banqi\n", b"")


GARBAGE = [
    b"\x00", b"\xff\xfe 1 name", b"1\x00name", b"12 genmove red\x00", b"\x1b[2J", b"=12 a1 a1", b"?", b"%s%n{}", b"-",
    b"\xe2\x80\xa8", b"\xed\xa0\x80", b"18 init_board " + b"X " * 1000, b"11 flip a1 \xf0\x9f\x82\xa1",
    b"A" * 2**20, b"12 " + b"genmove " * 2**17, b"9" * 5000, b"9 num_moves_to_draw " + b"9" * 4050,
]  # fmt: skip


def test_garbage_is_answered_line_by_line() -> None:
    with Program("--nodes", "50") as program:
        for garbage in GARBAGE:
            program.send(garbage + b"\n")
            assert program.line().startswith("?")
        assert program.ask("1 name") == "=1 banqi"
        start, target = program.ask("12 genmove unknown").removeprefix("=12 ").split(" ")
        assert start == target
        assert program.end() == (0, b"", b"")


@pytest.mark.parametrize("sent", [b"1 name\n", b"12 genmove unknown\n"], ids=["waiting", "thinking"])
def test_ctrl_c_ends_in_one_line(sent: bytes) -> None:
    with Program("--time", "600", program=READY) as program:
        assert program.line() == "ready"
        program.send(sent)
        time.sleep(0.5)
        program.process.send_signal(signal.SIGINT)
        status, _, err = program.end()
        assert (status, err) == (130, b"banqi: interrupted\n")


def test_nobody_reads_on() -> None:
    with Program() as program:
        assert program.ask("1 name") == "=1 banqi"
        assert program.process.stdout is not None
        program.process.stdout.close()
        program.send(b"1 name\n")
        assert program.process.wait(timeout=PATIENCE) == 141
        assert program.process.stderr is not None
        assert program.process.stderr.read() == b""


@pytest.mark.parametrize("redirection", ["<&-", ">&-", "<&- >&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_traceback(redirection: str) -> None:
    command = f"echo 5 quit | {shlex.quote(sys.executable)} -m banqi tcga --hash 1 {redirection}"
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (result.returncode, result.stderr) == (0, "")


# ---- garbage in bulk -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Engine(hash_mb=1) as engine:
        yield Session(engine, limit=Limit(nodes=20))


WORDS = st.one_of(
    st.sampled_from([*COMMANDS, "red", "black", "unknown", "draw", "a1", "a2", "d8", "K", "p", "X", "-", "0", "3"]),
    st.integers().map(str),
    st.text(max_size=8),
)


@example(codecs.BOM_UTF8)
@example(codecs.BOM_UTF8 + b" \nname")
@given(st.one_of(st.binary(max_size=60), st.lists(WORDS, max_size=6).map(lambda words: " ".join(words).encode())))
def test_every_line_has_one_answer(session: Session, line: bytes) -> None:
    sink = io.BytesIO()
    Tcga(session).run(io.BytesIO(line), sink)
    answered = [answer for answer in sink.getvalue().split(b"\n") if answer.startswith((b"=", b"?"))]
    # Some editors put a byte order mark before the first line.
    blank = [part for part in line.removeprefix(codecs.BOM_UTF8).split(b"\n") if not part.strip(b" \t\r")]
    quits = any(re.search(rb"(^|[ \t\r])quit", part) for part in line.split(b"\n"))
    assert quits or len(answered) == line.count(b"\n") + 1 - len(blank)
    sink.getvalue().decode()


def test_random_commands_never_end_in_an_illegal_move(session: Session) -> None:
    """Among random commands, right ones and wrong ones, every move that is answered is legal then."""
    front = Tcga(session)
    rng = random.Random(1)
    answered = 0
    for _ in range(tenth(20_000)):
        name = rng.choice(["move", "move", "flip", "flip", "flip", "genmove", "genmove", rng.choice([*COMMANDS])])
        arguments = random_arguments(name, session.position, rng)
        answer = front.answer(" ".join([str(COMMANDS[name]), name, *arguments]).encode())
        assert answer.startswith((f"={COMMANDS[name]}", f"?{COMMANDS[name]}"))
        if name == "genmove" and answer.startswith("="):
            answered += 1
            start, target = answer.split()[1:]
            assert session.position.is_legal(start + target)
    assert answered > tenth(1000)


def random_arguments(name: str, position: Position, rng: random.Random) -> list[str]:
    """Arguments that are often right."""
    if name == "move":
        arguments = str(rng.choice([*position.legal_moves, "a1-a2"])).split("-")
    elif name == "flip":
        arguments = [rng.choice(SQUARES), rng.choice(FULL_SET)]
    elif name == "genmove":
        arguments = [rng.choice(["red", "black", "unknown"])]
    else:
        arguments = rng.choices(["red", "draw", "5", "4", "8", "a1"], k=rng.randrange(3))
    if rng.random() < 0.1:
        rng.shuffle(arguments)
    return arguments
