"""UCI: conversations for each command, every rule set, and everything that cannot be obeyed.

What positions become is computed by hand from the rules; counts of leaves are those of the rules page.
"""

import io
import random
import re
import shlex
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import banqi
from banqi import Engine, Position
from banqi.cli import main
from banqi.protocol.uci import LONGEST_LINE, Uci
from banqi.protocol.uci_options import Settings
from banqi.rules import RULE_SETS
from line_process import PATIENCE, READY
from reference.game import Game
from sizes import tenth
from uci_process import UciProcess

MANUAL = Path(banqi.__file__).parent / "protocol" / "UCI.md"
COMMANDS = [
    "uci", "isready", "setoption", "ucinewgame", "position", "go", "stop", "quit", "debug", "d", "eval", "perft",
    "bench",
]  # fmt: skip
OPTIONS = ["Variant", "Hash", "Threads", "MultiPV", "Level", "Tablebase", "Evaluation", "Clear Hash"]
GO_WORDS = [
    "depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "searchmoves", "infinite", "perft",
]  # fmt: skip
NAMES = [rule_set.name for rule_set in RULE_SETS]
OPTION_TEXTS = [
    "taiwan(quiet_limit=40)", "taiwan(perpetual=loses)", "taiwan(quiet_limit=60, repetition=cycle)",
    "hongkong(cannon=jump)", "mainland(dark_capture)", "double(ranking=hongkong, dark_capture)", "junqi(repetition=3)",
]  # fmt: skip
START = "xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0"
SQUARE = "[a-h](?:1[0-2]|[1-9])"
MOVE = rf"(?:{SQUARE}{SQUARE}[A-Za-z]?|0000)"
INFO = re.compile(
    r"info depth (?P<depth>\d+) seldepth (?P<seldepth>\d+) multipv (?P<multipv>\d+) score cp (?P<cp>-?\d+)"
    r"(?P<known> mate (?P<mate>-?[1-9]\d*) wdl (?P<wdl>1000 0 0|0 0 1000))? nodes (?P<nodes>\d+) nps (?P<nps>\d+) "
    rf"time (?P<time>\d+) hashfull (?P<hashfull>\d+) pv (?P<pv>{MOVE}(?: {MOVE})*)"
)
# The general takes the advisor, black's last piece; the same with one quiet ply left, when the win comes first.
WIN = "4/4/4/4/4/4/4/Kg2 r - - 0"
# The soldier in the corner goes to a7, where the chariot on a6 takes it, or to b8, where the one on c8 does.
LOSS = "p1R1/4/R3/4/4/4/4/4 b - - 0"


@pytest.fixture(scope="module")
def shared() -> Iterator[UciProcess]:
    with UciProcess("--hash", "1") as program:
        yield program


@pytest.fixture
def program(shared: UciProcess) -> UciProcess:
    """A program that is as if it had just begun."""
    said = shared.ask(
        "stop", "setoption name Variant value taiwan", "setoption name Hash value 1", "setoption name Threads value 1",
        "setoption name MultiPV value 1", "setoption name Level value hard", "setoption name Tablebase value <shipped>",
        "setoption name Evaluation value learned", "ucinewgame",
    )  # fmt: skip
    assert [line for line in said if "error" in line] == []
    return shared


def infos(lines: list[str]) -> list[dict[str, str]]:
    """What a search told, each line of which has to be well-formed."""
    found = []
    for line in lines[:-1]:
        match = INFO.fullmatch(line)
        assert match, line
        found.append(match.groupdict())
    assert re.fullmatch(rf"bestmove ({SQUARE}{SQUARE}|0000)", lines[-1])
    return found


# ---- the handshake -------------------------------------------------------------------------------------------------


def test_uci_tells_who_it_is_and_its_options() -> None:
    with UciProcess() as program:
        program.send("uci")
        name, author, *options, last = program.until("uciok")
        assert (name, author, last) == (f"id name banqi {banqi.__version__}", "id author the banqi authors", "uciok")
        assert options == [
            "option name Variant type combo default taiwan var taiwan var hongkong var mainland var cannon-adjacent "
            "var dark-capture var children var cannon-chain var double var junqi",
            "option name Hash type spin default 64 min 1 max 1048576",
            "option name Threads type spin default 1 min 1 max 256",
            "option name MultiPV type spin default 1 min 1 max 500",
            "option name Level type combo default hard var easy var medium var hard",
            "option name Tablebase type string default <shipped>",
            "option name Evaluation type string default learned",
            "option name Clear Hash type button",
        ]
        # They stay what they were, whatever is set.
        program.send("setoption name Hash value 2", "uci")
        assert program.until("uciok")[2:-1] == options


def test_the_command_line_says_what_options_begin_with() -> None:
    arguments = ["--rules", "taiwan(quiet_limit=40)", "--hash", "2", "--threads", "2", "--evaluation", "handwritten"]
    with UciProcess(*arguments) as program:
        said = program.ask("uci")
        assert said[2].startswith(
            "option name Variant type combo default taiwan(quiet_limit=40) var taiwan(quiet_limit=40)"
        )
        assert said[3:5] == [
            "option name Hash type spin default 2 min 1 max 1048576",
            "option name Threads type spin default 2 min 1 max 256",
        ]
        assert said[8] == "option name Evaluation type string default handwritten"
        assert program.state()["Variant"] == "taiwan(quiet_limit=40)"


def test_isready_is_answered_also_while_a_search_goes_on(program: UciProcess) -> None:
    program.send("go infinite")
    for _ in range(3):
        started = time.monotonic()
        program.send("isready")
        said = program.until("readyok")
        assert all(INFO.fullmatch(line) for line in said[:-1])
        assert time.monotonic() - started < PATIENCE / 2
    program.send("stop")
    assert program.until("bestmove")


def test_debug_and_a_stop_of_nothing_say_nothing(program: UciProcess) -> None:
    assert program.ask("debug on", "debug off", "stop", "", " \t\r") == []


# ---- the position --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "line", "fen"),
    [
        ("taiwan", "startpos", START),
        ("taiwan", "startpos moves", START),
        # Who turned up K is red; then the general takes the general.
        (
            "taiwan",
            "startpos moves a1a1K b1b1k",
            "xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/Kkxx r GGMMRRNNCCPPPPPggmmrrnnccppppp - 0",
        ),
        (
            "taiwan",
            "startpos moves a1a1K b1b1k a1b1",
            "xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/1Kxx b GGMMRRNNCCPPPPPggmmrrnnccppppp - 0",
        ),
        ("taiwan", "startpos moves a1(K) b1(k) a1-b1", None),
        ("taiwan", f"fen {WIN}", WIN),
        ("taiwan", "fen 4/4/4/4/4/4/4/K1g1 r - - 7 moves a1b1 c1d1", "4/4/4/4/4/4/4/1K1g r - - 9"),
        # Without the last two fields; in any blanks.
        ("taiwan", "\tfen  4/4/4/4/4/4/4/K1g1\tb -  moves c1d1 ", "4/4/4/4/4/4/4/K2g r - - 1"),
        # An attempt that takes, and one that finds an own piece: the attacker stays, the turn ends.
        ("dark-capture", "fen 4/4/4/4/4/4/3p/Kx2 r g - 3 moves a1b1g", "4/4/4/4/4/4/3p/1K2 b - - 0"),
        ("dark-capture", "fen 4/4/4/4/4/4/3p/Kx2 r P - 3 moves a1b1P", "4/4/4/4/4/4/3p/KP2 b - - 0"),
        # A chain: the side keeps the move, may stop, or captures on.
        ("children", "fen 4/4/4/4/4/4/3p/Kgm1 r - - 0 moves a1b1", "4/4/4/4/4/4/3p/1Km1 r - b1 0"),
        ("children", "fen 4/4/4/4/4/4/3p/Kgm1 r - - 0 moves a1b1 0000", "4/4/4/4/4/4/3p/1Km1 b - - 0"),
        ("children", "fen 4/4/4/4/4/4/3p/Kgm1 r - - 0 moves a1b1 end", "4/4/4/4/4/4/3p/1Km1 b - - 0"),
        ("children", "fen 4/4/4/4/4/3p/4/Kgm1 r - - 0 moves a1b1 b1c1", "4/4/4/4/4/3p/4/2K1 b - - 0"),
        # On the railway around the corner no chariot turns, and an engineer does.
        ("junqi", "fen " + "5/E4/" + "5/" * 9 + "f3F r - - 0 moves a11c11", "5/2E2/" + "5/" * 9 + "f3F b - - 1"),
        ("double", "startpos moves h8h8k", None),
    ],
)  # fmt: skip
def test_position(program: UciProcess, rules: str, line: str, fen: str | None) -> None:
    assert program.ask(f"setoption name Variant value {rules}", f"position {line}") == []
    if fen is not None:
        assert program.state()["Fen"] == fen


def test_both_ways_of_writing_a_move_are_read(program: UciProcess) -> None:
    program.send("position startpos moves a1a1K b1b1k a1b1")
    wire = program.state()
    program.send("position startpos moves a1(K) b1(k) a1-b1")
    assert program.state() == wire


@pytest.mark.parametrize(
    "line",
    [
        "position", "position middle", "position fen", "position fen 8/8", "position startpos a1a1K",
        "position startpos moves a1a1", "position startpos moves a1a1X", "position startpos moves a1b1",
        "position startpos moves a1a1K a1a1K", "position startpos moves a1a1K b1b1K", "position startpos moves e1e1K",
        "position startpos moves a1a1K b1b1k a1b1 Z", "position startpos moves 0000", "position moves a1a1K",
        "position fen 4/4/4/4/4/4/4/KK2 r - - 0", "position fen 4/4/4/4/4/4/4/K1g1 r - - 181",
        "position fen 4/4/4/4/4/4/4/K1g1 ? - - 0", f"position fen {START} moves a1a1K b9b9k",
        f"position fen {WIN} moves a1b1 b1a1", "position startpos moves a1a1\u212a",
        "perft", "perft x", "perft -1", "perft 101", "perft 1 1", "go perft", "go perft x", "go perft 1 depth 1",
        "go depth", "go depth x", "go depth 0", "go depth 101", "go depth -1", "go depth 1.5", "go depth 1 depth 2",
        "go nodes 0", "go nodes 99999999999999999999", "go movetime 0", "go movetime -5", "go movetime 1e3",
        "go wtime", "go wtime x btime 5", "go btime 1000", "go wtime 5 winc -1", "go movestogo 0", "go winc 100",
        "go depth 1 winc 100", "go ponder",
        "go mate 3", "go fast", "go searchmoves", "go searchmoves a1a2", "go searchmoves a1a1K", "go searchmoves z9",
        "go searchmoves depth 1", "go infinite infinite",
        "setoption", "setoption Hash", "setoption name", "setoption name Hush value 1", "setoption name value 3",
        "setoption name Hash", "setoption name Hash value", "setoption name Hash value 0",
        "setoption name Hash value -1", "setoption name Hash value 1048577", "setoption name Hash value 64MB",
        "setoption name Hash value 1048576", "setoption name Threads value 0", "setoption name Threads value 257",
        "setoption name MultiPV value 0", "setoption name MultiPV value 501", "setoption name MultiPV value 2.5",
        "setoption name Level value", "setoption name Level value godlike", "setoption name Variant value chess",
        "setoption name Variant value", "setoption name Variant value taiwan(quiet_limit=0)",
        "setoption name Variant value junqi(dark_capture)", "setoption name Tablebase value /no/such/folder",
        "setoption name Evaluation value /no/such/file", "setoption name Evaluation value",
        "UCI", "uci2", "ponderhit", "register later", "quit2", "=7 name", "\x00", "\u2028", "position\x00startpos",
    ],
)  # fmt: skip
def test_what_cannot_be_obeyed_is_one_line_and_changes_nothing(program: UciProcess, line: str) -> None:
    program.send("position startpos moves a1a1K b1b1k")
    before = program.state()
    said, *answer = program.ask(line)
    assert re.fullmatch(r"info string error: [ -~]+", said)
    # Who has asked for a move waits for an answer.
    assert answer == ["bestmove (none)"] * (line.startswith("go ") and not line.startswith("go perft"))
    assert program.state() == before
    name = re.match(r"setoption name (Hash|Threads|MultiPV|Level|Variant|Tablebase|Evaluation)\b", line)
    kept = {"Hash": "1", "Threads": "1", "MultiPV": "1", "Level": "hard", "Variant": "taiwan",
            "Tablebase": "<shipped>", "Evaluation": "learned"}  # fmt: skip
    if name:
        assert said.endswith(f"; {name[1]} stays {kept[name[1]]}")
    assert len({info["multipv"] for info in infos(program.go("go depth 1"))}) == 1


def test_a_fault_in_the_moves_says_which(program: UciProcess) -> None:
    (said,) = program.ask("position startpos moves a1a1K b1b1k a1a3")
    assert said.startswith("info string error: move 3: a1-a3 is illegal")


def test_ucinewgame_goes_back_to_the_start(program: UciProcess) -> None:
    program.send("position startpos moves a1a1K", "ucinewgame")
    assert program.state() == {
        "Variant": "taiwan", "Fen": START, "Key": f"{Position().key:016X}", "Seat": "first", "Outcome": "none",
    }  # fmt: skip


def test_d_shows_the_board_and_who_is_to_act(program: UciProcess) -> None:
    program.send("position startpos moves a1a1k b1b1K", "d")
    said = program.until("Outcome")
    assert said[8] == " 1 | k K x x |"
    # Who turned up k is black, the first seat, and to move again.
    assert said[-4:] == [
        "Fen: xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/kKxx b GGMMRRNNCCPPPPPggmmrrnnccppppp - 0",
        said[-3],
        "Seat: first",
        "Outcome: none",
    ]
    assert re.fullmatch("Key: [0-9A-F]{16}", said[-3])


# ---- searches ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [*NAMES, *OPTION_TEXTS])
def test_every_rule_set(program: UciProcess, rules: str) -> None:
    game = Game(rules)
    assert program.ask(f"setoption name Variant value {rules}", "position startpos") == []
    told = program.state()
    assert (told["Variant"], told["Fen"]) == (str(banqi.Rules.parse(rules)), game.fen())
    lines = program.go("go nodes 200")
    assert infos(lines)
    assert lines[-1].removeprefix("bestmove ") in game.legal()
    program.send("perft 1")
    # 32 squares and 14 identities, 64 and 14, 50 and 24.
    leaves = {"junqi": 1200, "double": 896}.get(rules.split("(")[0], 448)
    assert program.until("Nodes searched")[-1] == f"Nodes searched: {leaves}"


@pytest.mark.parametrize(
    ("rules", "depth", "leaves"),
    [("taiwan", 0, 1), ("taiwan", 1, 448), ("taiwan", 2, 192_448), ("junqi", 2, 1_396_500), ("double", 2, 790_272)],
)
@pytest.mark.parametrize("command", ["perft", "go perft"])
def test_perft(program: UciProcess, command: str, rules: str, depth: int, leaves: int) -> None:
    program.send(f"setoption name Variant value {rules}", f"{command} {depth}")
    *divided, total = program.until("Nodes searched")
    assert total == f"Nodes searched: {leaves}"
    if depth:
        counts = [re.fullmatch(rf"({MOVE}): (\d+)", line) for line in divided]
        assert sum(int(count[2]) for count in counts if count) == leaves
        assert len({count[1] for count in counts if count}) == len(divided)


@pytest.mark.slow
def test_a_deep_perft(program: UciProcess) -> None:
    """Deeper than what is counted in one piece."""
    program.send("position fen 4/4/4/4/4/4/1pRK/3k r - - 0", "perft 6")
    expected = sum(int(line.split(": ")[1]) for line in program.until("Nodes searched")[:-1])
    # By the core at once, whose counts tests/perft settles.
    assert expected == banqi.perft("4/4/4/4/4/4/1pRK/3k r - - 0", 6)


def test_depth_and_nodes_end_a_search(program: UciProcess) -> None:
    told = infos(program.go("go depth 3"))
    assert [info["depth"] for info in told] == ["1", "2", "3"]
    assert int(infos(program.go("go nodes 5000"))[-1]["nodes"]) in range(5000, 5500)
    # The first limit that is reached.
    assert infos(program.go("go depth 1 nodes 1000000"))[-1]["depth"] == "1"


@pytest.mark.parametrize(
    ("line", "least", "most"),
    [
        ("go movetime 300", 250, 2000),
        # A part of ten seconds, of nothing, and of what is less than nothing.
        ("go wtime 10000 btime 10000", 1, 5000),
        ("go wtime 10000 btime 10000 winc 100 binc 100 movestogo 5", 1, 5000),
        ("go wtime 0 btime 10000", 0, 1000),
        ("go wtime -30 btime 10000", 0, 1000),
        ("go wtime 10000", 1, 5000),
    ],
)
def test_clocks_end_a_search(program: UciProcess, line: str, least: int, most: int) -> None:
    told = infos(program.go(line))
    assert least <= int(told[-1]["time"]) <= most


def test_the_clock_looked_at_is_that_of_the_seat_to_act(program: UciProcess) -> None:
    program.send("position startpos moves a1a1K")
    assert int(infos(program.go("go wtime 100000 btime 100"))[-1]["time"]) < 1000
    # In a position that was set up the first seat is whose turn it is there.
    program.send(f"position fen {LOSS}")
    assert program.ask("go btime 100") == [
        "info string error: wtime is missing: the first seat is to move",
        "bestmove (none)",
    ]


def test_infinite_waits_for_stop_also_when_all_is_found(program: UciProcess) -> None:
    for line in ("go infinite", "go", "go depth 1 infinite"):
        program.send(f"position fen {WIN}", line)
        assert program.until("info depth 1 ")
        time.sleep(0.2)
        assert [said for said in program.ask() if said.startswith("bestmove")] == []
        program.send("stop")
        assert program.until("bestmove")[-1] == "bestmove a1b1"


def test_stop_ends_a_search_with_limits_too(program: UciProcess) -> None:
    program.send("go depth 100 movetime 100000000", "stop")
    lines = program.until("bestmove")
    assert infos(lines)
    assert Position().is_legal(lines[-1].removeprefix("bestmove "))


def test_searchmoves(program: UciProcess) -> None:
    # Each flip of the start alone, whatever the symmetries of the board leave out otherwise.
    for move in map(str, Position().legal_moves):
        told = program.go(f"go depth 1 searchmoves {move}")
        assert told[-1] == f"bestmove {move}{move}"
    for rules in ("double", "junqi"):
        program.send(f"setoption name Variant value {rules}")
        last = {"double": "h8h8", "junqi": "e12e12"}[rules]
        assert program.best(f"go searchmoves {last} depth 1") == last
    program.send("setoption name Variant value taiwan", "position startpos moves a1a1K b1b1k")
    assert program.best("go depth 2") == "a1b1"
    assert program.best("go depth 2 searchmoves a2a2 c1c1") in ("a2a2", "c1c1")
    assert program.best("go searchmoves c1 depth 2") == "c1c1"
    program.send("setoption name MultiPV value 9")
    told = infos(program.go("go nodes 2000 searchmoves a2a2 c1c1 a1b1"))
    assert {info["pv"][:4] for info in told} == {"a2a2", "c1c1", "a1b1"}


def test_searchmoves_may_be_what_endgame_tables_advise_against(program: UciProcess) -> None:
    program.send("position fen 3k/4/4/4/4/4/4/K1R1 r - - 0")
    for move in ("c1d1", "c1b1", "c1c2", "a1a2", "a1b1"):
        assert program.best(f"go depth 3 searchmoves {move}") == move


@pytest.mark.parametrize(
    ("fen", "best", "score"),
    [(WIN, ["a1b1"], ("100", "1", "1000 0 0")), (LOSS, ["a8a7", "a8b8"], ("-100", "-1", "0 0 1000"))],
)
def test_what_is_certain_is_told(program: UciProcess, fen: str, best: list[str], score: tuple[str, str, str]) -> None:
    program.send("setoption name Tablebase value <empty>", f"position fen {fen}")
    lines = program.go("go depth 4")
    last = infos(lines)[-1]
    assert (last["cp"], last["mate"], last["wdl"]) == score
    assert lines[-1].removeprefix("bestmove ") in best


def test_a_score_is_a_hundred_times_the_expected_result(program: UciProcess) -> None:
    """The translation: what the engine says stands in the line."""
    fen = "kCPm/gpxx/rPPr/xNxx/xKpG/Rx1x/xpmx/MPpM r GRNCPgnccp - 1"
    with Engine(hash_mb=1) as engine:
        found = engine.analyse(Position.from_fen(fen), banqi.Limit(depth=2), multipv=3)
        evaluation = engine.evaluate(Position.from_fen(fen))
    program.send(f"position fen {fen}", "setoption name MultiPV value 3")
    told = infos(program.go("go depth 2"))[-3:]
    assert [info["multipv"] for info in told] == ["1", "2", "3"]
    assert [info["cp"] for info in told] == [str(round(100 * info.score.value)) for info in found]
    assert [info["pv"] for info in told] == [" ".join(item.move.wire() for item in info.pv) for info in found]
    (said,) = program.ask("eval")
    assert said == f"Evaluation: {evaluation} (cp {round(100 * evaluation.value)}) for the side to move"


def test_the_line_assumes_reveals_and_the_best_move_asks_for_one(program: UciProcess) -> None:
    lines = program.go("go depth 2")
    flip, answer = infos(lines)[-1]["pv"].split(" ")[:2]
    assert re.fullmatch(rf"{SQUARE}{SQUARE}[A-Za-z]", flip)
    assert lines[-1] == f"bestmove {flip[:-1]}"
    # The line can be told as it stands, but for a last flip of which nothing is assumed.
    game = Game()
    game.play(flip)
    assert answer[:4] in game.legal()
    assert program.ask(f"position startpos moves {flip}") == []


@pytest.mark.parametrize(
    ("rules", "line", "outcome", "cp"),
    [
        ("taiwan", "fen 4/4/4/4/4/4/4/K3 b - - 0", "red wins (all_captured)", -100),
        ("taiwan", "fen 4/4/4/4/4/4/4/K3 r - - 0", "red wins (all_captured)", 100),
        # The soldier takes neither chariot, and has nowhere to go.
        ("taiwan", "fen pR2/R3/4/4/4/4/4/4 b - - 0", "red wins (no_moves)", -100),
        ("taiwan", "fen 4/4/4/4/4/4/4/K1g1 r - - 180", "draw (quiet_limit)", 0),
        (
            "taiwan",
            "fen R3/4/4/4/4/4/4/3r r - - 0 moves a8a7 d1d2 a7a8 d2d1 a8a7 d1d2 a7a8 d2d1",
            "draw (repetition)",
            0,
        ),
        ("junqi", "fen " + "M4/" + "5/" * 10 + "4F b - - 0", "red wins (flag)", -100),
    ],
)  # fmt: skip
def test_after_the_end_there_is_no_best_move(program: UciProcess, rules: str, line: str, outcome: str, cp: int) -> None:
    program.send(f"setoption name Variant value {rules}")
    assert program.ask(f"position {line}") == []
    assert program.state()["Outcome"] == outcome
    wdl = {100: "1000 0 0", 0: "0 1000 0", -100: "0 0 1000"}[cp]
    for command in ("go depth 3", "go infinite", "go wtime 1000 btime 1000"):
        assert program.go(command) == [
            f"info string the game is over: {outcome}",
            f"info depth 0 score cp {cp} wdl {wdl}",
            "bestmove (none)",
        ]
    assert re.fullmatch("info string error: .*", *program.ask("eval"))


def test_bench_is_that_of_the_command(program: UciProcess, capsys: pytest.CaptureFixture[str]) -> None:
    program.send("bench")
    said = program.until("Bench: ")
    assert main(["bench"]) == 0
    assert said[-1] == capsys.readouterr().out.splitlines()[-1]
    assert len(said) == len(banqi.bench.POSITIONS) + 1


# ---- options -------------------------------------------------------------------------------------------------------


def test_multipv_tells_so_many_lines(program: UciProcess) -> None:
    program.send("position startpos moves a1a1K b1b1k", "setoption name MultiPV value 4")
    told = infos(program.go("go depth 2"))
    assert [(info["depth"], info["multipv"]) for info in told] == [(d, m) for d in "12" for m in "1234"]
    assert len({info["pv"].split(" ")[0] for info in told[-4:]}) == 4


def test_names_of_options_are_read_in_any_case(program: UciProcess) -> None:
    assert (
        program.ask(
            "setoption name multipv value 2", "setoption name  CLEAR hash", "setoption\tname\tLEVEL  value\teasy"
        )
        == []
    )
    assert {info["multipv"] for info in infos(program.go("go depth 1"))} == {"1", "2"}


def test_levels(program: UciProcess) -> None:
    program.send("setoption name Level value easy", "position startpos moves a1a1K b1b1k")
    lines = program.go("go nodes 100000")
    # It looks one action ahead.
    assert {info["depth"] for info in infos(lines)} == {"1"}
    assert {info["multipv"] for info in infos(lines)} == {"1"}
    program.send("setoption name Level value medium")
    assert {info["depth"] for info in infos(program.go("go movetime 60000"))} <= {"1", "2", "3"}
    # Also without an end of its own it waits for stop.
    program.send("setoption name Level value easy", "go infinite")
    time.sleep(0.2)
    assert [line for line in program.ask() if line.startswith("bestmove")] == []
    program.send("stop")
    assert program.until("bestmove")


def test_below_hard_the_lot_decides(program: UciProcess) -> None:
    program.send("setoption name Level value easy")
    assert len({program.best("go depth 1") for _ in range(20)}) > 1


def test_the_evaluation_can_be_chosen(program: UciProcess) -> None:
    fen = "kCPm/gpxx/rPPr/xNxx/xKpG/Rx1x/xpmx/MPpM r GRNCPgnccp - 1"
    program.send(f"position fen {fen}")
    for evaluation in ("handwritten", "learned"):
        with Engine(hash_mb=1, evaluation=evaluation) as engine:
            score = engine.evaluate(Position.from_fen(fen))
        (said,) = program.ask(f"setoption name Evaluation value {evaluation}", "eval")
        assert said.startswith(f"Evaluation: {score} ")


def test_weights_for_another_board_are_refused(program: UciProcess) -> None:
    folder = Path(banqi.__file__).parent / "evaluation" / "data"
    weights = folder / "taiwan.npz"
    assert program.ask(f"setoption name Evaluation value {weights}") == []
    (said,) = program.ask("setoption name Variant value double")
    assert said.endswith("; Variant stays taiwan")
    assert program.best("go depth 1") != "(none)"


def test_the_tables_can_be_chosen(program: UciProcess, tmp_path: Path) -> None:
    program.send("position fen 3k/4/4/4/4/4/4/K1R1 r - - 0")
    with banqi.Tablebase() as tables:
        known = tables.probe(Position.from_fen("3k/4/4/4/4/4/4/K1R1 r - - 0"))
    assert known is not None
    best = {move.wire() for move in known.moves}
    assert program.best("go depth 1") in best
    folder = Path(banqi.__file__).parent / "tablebase" / "data"
    with Engine(hash_mb=1, tablebase=None) as engine:
        score = engine.play(Position.from_fen("3k/4/4/4/4/4/4/K1R1 r - - 0"), banqi.Limit(depth=2)).info.score
    assert program.ask("setoption name Tablebase value <empty>") == []
    assert infos(program.go("go depth 2"))[-1]["cp"] == str(round(100 * score.value))
    assert program.ask(f"setoption name Tablebase value {folder}") == []
    assert program.best("go depth 1") in best
    # A name with blanks is a name.
    (tmp_path / "a  b").symlink_to(folder)
    assert program.ask(f"setoption name Tablebase value {tmp_path}/a  b") == []
    assert program.best("go depth 1") in best
    (said,) = program.ask(f"setoption name Tablebase value {tmp_path}/nothing")
    assert said.endswith(f"; Tablebase stays {tmp_path}/a  b".replace("  ", " "))


def test_variant_begins_a_game_and_nothing_else_does(program: UciProcess) -> None:
    program.send("position startpos moves a1a1K")
    assert program.ask("setoption name MultiPV value 2", "setoption name Hash value 2") == []
    assert program.state()["Seat"] == "second"
    assert program.ask("setoption name Variant value hongkong") == []
    assert program.state()["Fen"] == START


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_and_hash_can_be_changed_between_searches(program: UciProcess, threads: int) -> None:
    for hash_mb in (1, 3, 2):
        assert program.ask(f"setoption name Threads value {threads}", f"setoption name Hash value {hash_mb}") == []
        assert infos(program.go("go depth 2"))


def test_clear_hash_makes_a_search_repeat(program: UciProcess) -> None:
    first = infos(program.go("go depth 3"))[-1]["nodes"]
    again = infos(program.go("go depth 3"))[-1]["nodes"]
    program.send("setoption name Clear Hash")
    cleared = infos(program.go("go depth 3"))[-1]["nodes"]
    program.send("ucinewgame")
    assert first == cleared == infos(program.go("go depth 3"))[-1]["nodes"]
    assert int(again) < int(first)


def test_the_full_level_chooses_the_first_of_several_lines(program: UciProcess) -> None:
    """Also where a search ends half-way, and a line of the iteration before seems better than its first."""
    place = next(place for place in banqi.bench.POSITIONS if place.name == "junqi, revealed")
    program.send(f"setoption name Variant value {place.rules}", f"position fen {place.fen}")
    program.send("setoption name MultiPV value 5")
    seeming_better = 0
    for nodes in range(400, 1000, 50):
        program.send("setoption name Clear Hash")
        lines = program.go(f"go nodes {nodes}")
        last = infos(lines)[-5:]
        assert [info["multipv"] for info in last] == ["1", "2", "3", "4", "5"]
        assert lines[-1] == f"bestmove {last[0]['pv'].split(' ')[0]}"
        seeming_better += any(int(info["cp"]) > int(last[0]["cp"]) for info in last)
    assert seeming_better > 0


def test_a_search_that_fails_is_told_and_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("division\nby zero")

    monkeypatch.setattr("banqi.level.Level.choose", fail)
    sink = io.BytesIO()
    Uci(Settings(hash_mb=1)).run(io.BytesIO(b"go depth 1\nucinewgame"), sink)
    *_, error, best = sink.getvalue().decode().splitlines()
    assert error == "info string error: ZeroDivisionError: division by zero"
    assert Position().is_legal(best.removeprefix("bestmove "))


# ---- while a search goes on ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    ["position startpos", "go depth 1", "setoption name Hash value 1", "ucinewgame", "perft 1", "bench", "go"],
)
def test_what_would_disturb_an_endless_search_is_refused(program: UciProcess, line: str) -> None:
    program.send("position startpos moves a1a1K", "go infinite")
    (said,) = [said for said in program.ask(line) if not INFO.fullmatch(said)]
    assert re.fullmatch(r"info string error: \w+ does not go with a search that has no end: stop it first", said)
    program.send("stop")
    assert program.until("bestmove")
    assert program.state()["Seat"] == "second"


def test_what_comes_after_a_search_with_an_end_waits_for_it(program: UciProcess) -> None:
    program.send("go depth 2", "position startpos moves a1a1K", "go depth 1", "d", "perft 1", "go depth 1")
    first = program.until("bestmove")
    assert [info["depth"] for info in infos(first)] == ["1", "2"]
    assert program.until("bestmove")
    assert "Nodes searched: 403" in program.until("bestmove")
    assert program.state()["Seat"] == "second"


def test_what_waits_does_not_keep_stop_and_isready_waiting(program: UciProcess) -> None:
    started = time.monotonic()
    program.send("go movetime 100000000", "position startpos moves a1a1K", "go infinite", "d", "isready")
    said = program.until("readyok")
    assert [line for line in said if line.startswith("bestmove")] == []
    # It ends both searches, the second in its turn.
    program.send("stop")
    assert Position().is_legal(program.until("bestmove")[-1].removeprefix("bestmove "))
    second = program.until("bestmove")
    assert "Seat: second" in second
    assert second[-1] != "bestmove a1a1"
    assert time.monotonic() - started < PATIENCE / 2


def test_quit_ends_what_waits_and_no_answer_is_missing() -> None:
    started = time.monotonic()
    with UciProcess("--hash", "1") as program:
        program.send(
            "go movetime 100000000", "perft 9", "position startpos moves a1a1K", "go", "go depth 100", "d", "quit"
        )
        status, out, err = program.end()
    assert (status, err) == (0, "")
    assert len(re.findall("^bestmove ", out, re.MULTILINE)) == 3
    assert "info string the count was stopped\n" in out
    assert "Seat: second\n" in out
    assert time.monotonic() - started < PATIENCE / 2


def test_at_the_end_of_input_what_waits_is_done() -> None:
    sent = b"go depth 3\nperft 2\nposition startpos moves a1a1K\ngo depth 2\nucinewgame\nd"
    command = [sys.executable, "-m", "banqi", "uci", "--hash", "1"]
    result = subprocess.run(command, input=sent, capture_output=True, timeout=PATIENCE, check=False, text=False)
    assert (result.returncode, result.stderr) == (0, b"")
    lines = result.stdout.decode().splitlines()
    ends = [number for number, line in enumerate(lines) if line.startswith("bestmove")]
    assert [infos(lines[: ends[0] + 1])[-1]["depth"]] == ["3"]
    count = lines.index("Nodes searched: 192448")
    assert [info["depth"] for info in infos(lines[count + 1 : ends[1] + 1])] == ["1", "2"]
    assert lines[-1] == "Outcome: none"


def test_more_lines_may_wait_than_are_kept(program: UciProcess) -> None:
    many = 2000
    program.send("go movetime 200", *["position startpos", "position startpos moves a1a1K"] * (many // 2), "d")
    assert "Seat: second" in program.until("Outcome")
    program.send("go movetime 200", *["go depth 1"] * many)
    for _ in range(many + 1):
        program.until("bestmove")
    assert program.ask() == []


def test_whatever_the_order_no_answer_is_missing() -> None:
    """Searches, stops and the rest in any order, at any pace: all that was asked for is answered, and nothing twice."""
    rng = random.Random("order")
    lines = [
        "go depth 1", "go nodes 500", "go movetime 2", "go infinite", "go", "stop", "stop", "isready", "d", "eval",
        "position startpos moves a1a1K", f"position fen {WIN}", "setoption name MultiPV value 2", "ucinewgame",
    ]  # fmt: skip
    for _ in range(tenth(200)):
        sent = rng.choices(lines, k=rng.randrange(1, 40))
        with UciProcess("--hash", "1") as program:
            for line in sent:
                program.send(line)
                if rng.random() < 0.2:
                    time.sleep(rng.choice([0.0, 0.001, 0.01]))
            if rng.random() < 0.5:
                program.send("quit")
            status, out, err = program.end()
        assert (status, err) == (0, "")
        said = Counter(re.sub(r"[ :].*", "", line) for line in out.splitlines() if not line.startswith("info "))
        refused = Counter(re.findall(r"^info string error: (\w+) does not go with", out, re.MULTILINE))
        asked = Counter(line.split()[0] for line in sent)
        assert said["bestmove"] == asked["go"] - refused["go"], sent
        assert (said["readyok"], said["Outcome"], said["Evaluation"]) == (asked["isready"], asked["d"], asked["eval"])
        assert refused.keys() <= {"go", "position", "setoption", "ucinewgame"}
        assert out.count("error") == refused.total()


def test_d_and_eval_are_answered_while_a_search_goes_on(program: UciProcess) -> None:
    program.send("position startpos moves a1a1K", "go infinite")
    assert program.state()["Seat"] == "second"
    assert any(line.startswith("Evaluation: ") for line in program.ask("eval"))
    program.send("stop")
    assert program.until("bestmove")


def test_a_search_after_stop_finds_its_position(program: UciProcess) -> None:
    """Right behind the other, as programs send it."""
    for _ in range(tenth(200)):
        program.send("position startpos", "go infinite", "stop", f"position fen {WIN}", "go depth 1")
        assert program.until("bestmove")
        assert program.until("bestmove")[-1] == "bestmove a1b1"


@pytest.mark.parametrize("work", ["go infinite", "go movetime 1000000", "go depth 100", "perft 9", "bench"])
def test_stop_and_quit_are_obeyed_at_once(work: str) -> None:
    waits = []
    with UciProcess("--hash", "1") as program:
        for _ in range(5):
            program.ask(work)
            time.sleep(0.1)
            started = time.monotonic()
            program.send("stop", "isready")
            said = program.until("readyok")
            waits.append(time.monotonic() - started)
            ends = ("bestmove", "info string the count was stopped", "info string bench was stopped", "Bench")
            assert any(line.startswith(ends) for line in said)
        program.ask(work)
        started = time.monotonic()
        program.send("quit")
        status, _, err = program.end()
        assert (status, err) == (0, "")
    # The system's own pauses are in single ones. A count looks up less often, and a sanitizer's build is slower.
    assert statistics.median(waits) < (1.0 if work.startswith("perft") else 0.1), waits


@pytest.mark.parametrize("end", [b"quit\n", b""], ids=["quit", "the end of input"])
def test_the_end_leaves_no_answer_out(end: bytes) -> None:
    command = [sys.executable, "-m", "banqi", "uci", "--hash", "1"]
    for go in (b"go", b"go infinite", b"go movetime 100000", b"go depth 100", b"go wtime 100000 btime 100000"):
        sent = b"position startpos moves a1a1K\n" + go + b"\n" + end
        result = subprocess.run(command, input=sent, capture_output=True, timeout=PATIENCE, check=False)
        assert (result.returncode, result.stderr) == (0, b"")
        lines = result.stdout.decode().splitlines()
        assert infos(lines)
        assert lines[-1].startswith("bestmove ")


def test_two_programs_at_once() -> None:
    """Neither knows of the other: they say what each says alone."""

    def talk(program: UciProcess, rules: str, nodes: int) -> list[str]:
        program.send(f"setoption name Variant value {rules}", "ucinewgame")
        return [re.sub(r" (nps|time) \d+", "", line) for line in program.go(f"go nodes {nodes}")]

    with UciProcess("--hash", "1") as one, UciProcess("--hash", "1") as other:
        alone = talk(one, "taiwan", 20_000), talk(other, "junqi", 30_000)
        one.send("ucinewgame", "position startpos", "go nodes 20000")
        other.send("ucinewgame", "position startpos", "go nodes 30000")
        together = [
            [re.sub(r" (nps|time) \d+", "", line) for line in program.until("bestmove")] for program in (other, one)
        ]
        assert (together[1], together[0]) == alone


# ---- what comes over the wire --------------------------------------------------------------------------------------

GARBAGE = [
    b"\x00", b"\xff\xfe uci", b"go\x00depth 1", b"position startpos moves \xff", b"\x1b[2J",
    b"setoption name \xff value",
    b"setoption name Tablebase value \xff\xfe", b"setoption name Evaluation value \xed\xa0\x80", b"%s%n{}", b"-",
    b"\xe2\x80\xa8", b"position startpos moves \xf0\x9f\x82\xa1", b"A" * 2**20, b"go " + b"depth " * 2**17,
    b"go depth " + b"9" * 5000, b"position fen " + b"x" * 10**5, b"x" * (2**20 + 1), b" " * 2**20 + b"uci",
    b"setoption name Hash value " + b"9" * 5000, b"position startpos moves " + b"a1a1K " * 10**4,
    b"perft " + b"1" * 400, b"setoption name Variant value " + b"(" * 1000, b"go nodes \xd9\xa3",
]  # fmt: skip


def test_garbage_is_answered_line_by_line(program: UciProcess) -> None:
    for garbage in GARBAGE:
        said, *answer = program.ask(garbage)
        assert re.fullmatch("info string error: [ -~]+", said), garbage[:40]
        assert answer == ["bestmove (none)"] * garbage.startswith(b"go "), garbage[:40]
    assert program.state()["Fen"] == START
    assert Position().is_legal(program.best("go depth 1"))


def test_the_longest_line_is_read(program: UciProcess) -> None:
    line = b"position startpos moves a1a1K"
    assert program.ask(line + b" " * (LONGEST_LINE - len(line))) == []
    assert program.state()["Seat"] == "second"
    (said,) = program.ask(b"position startpos" + b" " * LONGEST_LINE)
    assert said == f"info string error: the line is longer than {LONGEST_LINE} bytes"
    assert program.state()["Seat"] == "second"


def test_a_long_game_can_be_told(program: UciProcess) -> None:
    """To and fro under rules that end nothing: 8,000 plies in one line."""
    program.send("setoption name Variant value taiwan(repetition=none, quiet_limit=10000)")
    moves = " ".join(["a8a7", "d1d2", "a7a8", "d2d1"] * 2000)
    assert program.ask(f"position fen R3/4/4/4/4/4/4/3r r - - 0 moves {moves}") == []
    assert program.state()["Fen"] == "R3/4/4/4/4/4/4/3r r - - 8000"
    assert re.fullmatch("a8(a7|b8)", program.best("go depth 2"))


def test_line_ends_and_a_byte_order_mark() -> None:
    command = [sys.executable, "-m", "banqi", "uci", "--hash", "1"]
    sent = b"\xef\xbb\xbfisready\r\n\r\nposition startpos moves a1a1K\r\n\tgo  depth\t1 \r\nisready"
    result = subprocess.run(command, input=sent, capture_output=True, timeout=PATIENCE, check=False)
    assert (result.returncode, result.stderr) == (0, b"")
    lines = result.stdout.decode().splitlines()
    assert lines[0] == "readyok"
    assert "readyok" in lines[1:]
    assert lines[-1].startswith(("bestmove", "readyok"))
    assert "error" not in result.stdout.decode()


@pytest.mark.parametrize("sent", ["isready", "go infinite", "go depth 100", "perft 9"])
def test_ctrl_c_ends_in_one_line(sent: str) -> None:
    with UciProcess("--hash", "1", program=READY) as program:
        assert program.line() == "ready"
        program.send(sent)
        time.sleep(0.5)
        program.process.send_signal(signal.SIGINT)
        status, _, err = program.end()
        assert (status, err) == (130, "banqi: interrupted\n")


def test_ctrl_c_ends_the_wait_for_a_search() -> None:
    with UciProcess("--hash", "1", program=READY) as program:
        assert program.line() == "ready"
        program.send("go movetime 100000000", "position startpos")
        time.sleep(0.5)
        program.process.send_signal(signal.SIGINT)
        status, out, err = program.end()
        assert (status, err) == (130, "banqi: interrupted\n")
        assert "bestmove" in out


@pytest.mark.parametrize("sent", ["isready", "go infinite"])
def test_nobody_reads_on(sent: str) -> None:
    with UciProcess("--hash", "1") as program:
        assert program.ask() == []
        assert program.process.stdout is not None
        program.process.stdout.close()
        program.send(sent, "isready")
        time.sleep(0.2)
        assert program.process.stdin is not None
        program.process.stdin.close()
        program.process.stdin = None
        assert program.process.wait(timeout=PATIENCE) == 141
        assert program.process.stderr is not None
        assert program.process.stderr.read() == b""


@pytest.mark.parametrize("redirection", ["<&-", ">&-", "<&- >&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_traceback(redirection: str) -> None:
    command = f"echo quit | {shlex.quote(sys.executable)} -m banqi uci --hash 1 {redirection}"
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    "arguments",
    [["--rules", "chess"], ["--hash", "0"], ["--hash", "x"], ["--threads", "0"], ["--tablebase", "/no/such/folder"],
     ["--evaluation", "/no/such/file"], ["--time", "1"], ["extra"]],
)  # fmt: skip
def test_a_wrong_argument_is_one_line_and_status_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(["uci", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"banqi: [ -~]+\n", err)


WORDS = st.one_of(
    st.sampled_from(
        [*(set(COMMANDS) - {"bench", "perft"}), *(set(GO_WORDS) - {"movetime", "perft"}), *OPTIONS, *NAMES, "startpos",
         "fen", "moves", "name", "value", "a1a1K", "a1a1", "b1b1k", "a1b1", "0000", "1", "2", "on", "<empty>", "easy"]
    ),
    st.text(max_size=8),
)  # fmt: skip
LINES = st.one_of(st.binary(max_size=40), st.lists(WORDS, max_size=6).map(lambda words: " ".join(words).encode()))
ANSWERS = re.compile(
    rf"{INFO.pattern}|info string [ -~]+|info depth 0 score cp [^\n]+|bestmove ({SQUARE}{SQUARE}|0000|\(none\))|"
    r"readyok|uciok|id (name|author) [^\n]+|option name [^\n]+|Evaluation: [^\n]+|"
    r"[ \d]+\|[^\n]+|   [ +a-h-]+|(nobody has|red to|black to|face down|captured)[^\n]+|"
    r"(Variant|Fen|Key|Seat|Outcome): [^\n]+"
)


@example([b"go infinite", b"quit"])
@example([b"setoption name Hash value 2", b"go depth 1"])
@given(st.lists(LINES, max_size=6))
def test_whatever_is_sent_is_answered_in_good_order(lines: list[bytes]) -> None:
    sink = io.BytesIO()
    # Nothing that takes a large table or long to search.
    Uci(Settings(hash_mb=1)).run(io.BytesIO(b"\n".join(lines)), sink)
    said = sink.getvalue().decode().splitlines()
    assert [line for line in said if not ANSWERS.fullmatch(line)] == []


# ---- the manual ----------------------------------------------------------------------------------------------------


def test_the_manual_names_every_command_and_option_and_no_other() -> None:
    text = MANUAL.read_text(encoding="utf-8")
    for heading, names in (("## Commands", COMMANDS), ("## Options", OPTIONS), ("### go", GO_WORDS)):
        part = re.split(r"^##", text[text.index(f"{heading}\n") + 3 :], maxsplit=1, flags=re.MULTILINE)[0]
        rows = re.findall(r"^\| `([A-Za-z]+(?: Hash)?)[^`|]*`", part, re.MULTILINE)
        assert sorted(rows) == sorted(names), heading


def test_an_unknown_command_is_told_those_that_there_are(program: UciProcess) -> None:
    (said,) = program.ask("help")
    assert said == f"info string error: there is no command 'help'; there are {', '.join(COMMANDS)}"
