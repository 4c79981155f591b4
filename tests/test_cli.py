"""The command line: what people type, what they get, and what is refused in one line."""

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import banqi
from banqi.bench import POSITIONS
from banqi.cli import main
from banqi.piece_set import KINDS
from banqi.rules import RULE_SETS, Rules

PERFT = Path(__file__).parent / "perft"

# A middle game with 17 pieces face up and 11 face down.
MIDDLE = "kCPm/gpxx/rPPr/xNxx/xKpG/Rx1x/xpmx/MPpM r GRNCPgnccp - 1"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit status, stdout and stderr of a command."""
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


MODULE = ("-m", "banqi")
# Says when it has been imported: before that no program can catch Ctrl-C.
READY = ("-c", "import sys; from banqi.cli import main; print('ready', flush=True); sys.exit(main(sys.argv[1:]))")


def start(*arguments: str, program: tuple[str, ...] = MODULE, **options: object) -> subprocess.Popen[str]:
    """A command in its own process, on the same build of banqi."""
    path = os.pathsep.join(filter(None, [str(Path(banqi.__file__).parent.parent), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, *program, *arguments],
        env=os.environ | {"PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        text=True,
        **({"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options),
    )


# ---- bestmove ----------------------------------------------------------------------------------------------------


def test_bestmove_prints_the_move_and_what_it_is_worth(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "bestmove", "--fen", MIDDLE, "--depth", "1")
    assert (status, err) == (0, "")
    assert re.match(r"1\. \S+  expected result [+-]?\S+\n   depth \d+ .* nodes in .* s", out)
    move = out.split()[1]
    assert banqi.Position.from_fen(MIDDLE).is_legal(move)
    assert f"   line  {move}" in out


@pytest.mark.parametrize(
    ("rules", "kinds", "colours", "chances"),
    [
        # One of 32, two of 32, five of 32.
        ("taiwan", "KGMRNCP", ("red", "black"), ["3.1", "6.2", "6.2", "6.2", "6.2", "6.2", "15.6"]),
        # One, two or three of 50.
        (
            "junqi",
            "MGDBRTCPEOLF",
            ("red", "blue"),
            [f"{2 * count}.0" for count in (1, 1, 2, 2, 2, 2, 3, 3, 3, 2, 3, 1)],
        ),
    ],
)
def test_bestmove_shows_what_each_reveal_means(
    capsys: pytest.CaptureFixture[str], rules: str, kinds: str, colours: tuple[str, str], chances: list[str]
) -> None:
    # At the start only flips exist, so there is a row for each identity.
    status, out, _ = run(capsys, "bestmove", "--rules", rules, "--nodes", "20000")
    assert status == 0
    rows = re.findall(r"^ *([A-Za-z]) (red|black|blue) \w+(?: commander)? +(\d+\.\d)% +\S+ *$", out, re.MULTILINE)
    assert [(identity, colour) for identity, colour, _ in rows] == [
        *((kind, colours[0]) for kind in kinds),
        *((kind.lower(), colours[1]) for kind in kinds),
    ]
    assert [chance for *_, chance in rows] == chances * 2


def test_bestmove_json_is_one_object_with_the_documented_fields(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "bestmove", "--fen", MIDDLE, "--depth", "1", "--multipv", "3", "--json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert list(answer) == ["rules", "fen", "outcome", "move", "wire", "lines"]
    assert (answer["rules"], answer["fen"], answer["outcome"]) == ("taiwan", MIDDLE, None)
    assert len(answer["lines"]) == 3
    assert answer["move"] == answer["lines"][0]["move"]
    assert len({line["move"] for line in answer["lines"]}) == 3
    position = banqi.Position.from_fen(MIDDLE)
    for line in answer["lines"]:
        assert list(line) == [
            "move", "wire", "value", "proven", "plies", "depth", "seldepth", "nodes", "nps", "time", "hashfull", "pv",
            "reveals",
        ]  # fmt: skip
        assert position.is_legal(line["move"])
        assert banqi.Move.from_text(line["wire"]) == banqi.Move.from_text(line["move"])
        assert -1 <= line["value"] <= 1
    values = [line["value"] for line in answer["lines"]]
    assert values == sorted(values, reverse=True)


def test_bestmove_json_of_a_flip_has_every_reveal(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "bestmove", "--nodes", "2000", "--json")
    reveals = json.loads(out)["lines"][0]["reveals"]
    assert [(reveal["identity"], reveal["weight"]) for reveal in reveals] == [
        *zip("KGMRNCP", (1, 2, 2, 2, 2, 2, 5), strict=True),
        *zip("kgmrncp", (1, 2, 2, 2, 2, 2, 5), strict=True),
    ]
    assert sum(reveal["chance"] for reveal in reveals) == pytest.approx(1)
    assert list(reveals[0]) == ["identity", "weight", "chance", "value", "proven", "plies"]


@pytest.mark.parametrize(
    ("rules", "fen", "winner", "result", "termination"),
    [
        ("taiwan", "4/4/4/4/4/4/4/K3 b - - 0", "r", "red wins", "all_captured"),
        ("taiwan", "4/4/4/4/4/4/p3/Kp2 r - - 0", "b", "black wins", "no_moves"),
        ("taiwan", "4/4/4/4/4/4/4/K2k r - - 180", None, "draw", "quiet_limit"),
        ("junqi", "5/5/5/5/5/5/5/5/5/5/m4/f4 r - - 0", "b", "blue wins", "flag"),
        ("junqi", "4m/5/5/5/5/5/5/5/5/5/5/f3F r - - 0", "b", "blue wins", "no_moves"),
        ("junqi", "4m/5/5/5/5/5/5/5/5/5/M4/f3F r - - 80", None, "draw", "quiet_limit"),
    ],
)
def test_bestmove_after_the_end_names_the_outcome(
    capsys: pytest.CaptureFixture[str], rules: str, fen: str, winner: str | None, result: str, termination: str
) -> None:
    status, out, err = run(capsys, "bestmove", "--rules", rules, "--fen", fen)
    assert (status, out, err) == (0, f"the game is over: {result} ({termination})\n", "")
    status, out, err = run(capsys, "bestmove", "--rules", rules, "--fen", fen, "--json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert answer["outcome"] == {"winner": winner, "termination": termination}
    assert (answer["move"], answer["wire"], answer["lines"]) == (None, None, [])


def test_bestmove_thinks_for_the_time_given(capsys: pytest.CaptureFixture[str]) -> None:
    started = time.monotonic()
    status, _, _ = run(capsys, "bestmove", "--fen", MIDDLE, "--time", "0.2", "--threads", "2", "--hash", "8")
    assert status == 0
    assert time.monotonic() - started >= 0.2


def test_bestmove_plays_by_the_rules_given(capsys: pytest.CaptureFixture[str]) -> None:
    # The red cannon takes the black general by a jump where cannons jump, and wins at once. The horse never takes it.
    fen = "4/4/4/4/4/4/4/CNk1 r - - 0"
    _, out, _ = run(capsys, "bestmove", "--rules", "hongkong(cannon=jump)", "--fen", fen, "--depth", "2", "--json")
    answer = json.loads(out)
    assert (answer["rules"], answer["move"]) == ("hongkong(cannon=jump)", "a1-c1")
    assert [answer["lines"][0][field] for field in ("value", "proven", "plies")] == [1.0, True, 1]
    _, out, _ = run(capsys, "bestmove", "--rules", "hongkong", "--fen", fen, "--depth", "2", "--json")
    assert json.loads(out)["move"] in ("a1-a2", "b1-b2")


# ---- perft -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [[], ["--full"], ["--divide"], ["--divide", "--full"]])
def test_perft_ends_with_the_count(capsys: pytest.CaptureFixture[str], options: list[str]) -> None:
    """448 and 192,448: section 10 of the rules page."""
    for depth, leaves in (("1", 448), ("2", 192_448)):
        status, out, err = run(capsys, "perft", depth, *options)
        assert (status, err) == (0, "")
        assert out.splitlines()[-1] == f"nodes {leaves}"


def test_perft_of_depth_0_is_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "perft", "0")[1].splitlines()[-1] == "nodes 1"


def test_perft_divide_lists_every_move_with_its_reveals(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "perft", "1", "--divide", "--fen", "xx2/4/4/4/4/4/4/K3 b Pp - 0")
    lines = out.splitlines()
    assert lines[:4] == ["a8(P) 1", "a8(p) 1", "b8(P) 1", "b8(p) 1"]
    assert lines[-1] == "nodes 4"


def test_perft_by_other_rules(capsys: pytest.CaptureFixture[str]) -> None:
    # By hand: the stepping cannon a1 takes the soldier b1 where it has a rank, else only steps up.
    fen = "4/4/4/4/4/4/4/Cp2 r - - 0"
    assert run(capsys, "perft", "1", "--fen", fen, "--rules", "mainland")[1].splitlines()[-1] == "nodes 2"
    assert run(capsys, "perft", "1", "--fen", fen)[1].splitlines()[-1] == "nodes 1"


# ---- the other commands ------------------------------------------------------------------------------------------


NAMES = [rule_set.name for rule_set in RULE_SETS]


@pytest.mark.parametrize("name", NAMES)
def test_perft_counts_in_every_rule_set(capsys: pytest.CaptureFixture[str], name: str) -> None:
    # Section 10 of the rules page; then the last two positions of the set's file, with their first two counts.
    leaves = {"double": 896, "junqi": 1_200}.get(name, 448)
    status, out, err = run(capsys, "perft", "--rules", name, "1")
    assert (status, err, out.splitlines()[-1]) == (0, "", f"nodes {leaves}")
    for line in (PERFT / f"{name}.perft").read_text().splitlines()[-2:]:
        fen, *counts = line.split(" ;")
        for depth, leaves in (count.removeprefix("D").split() for count in counts[:2]):
            status, out, err = run(capsys, "perft", "--rules", name, "--fen", fen, depth)
            assert (status, err, out.splitlines()[-1]) == (0, "", f"nodes {leaves}")


@pytest.mark.parametrize("name", NAMES)
def test_the_best_move_is_found_in_every_rule_set(capsys: pytest.CaptureFixture[str], name: str) -> None:
    for line in (PERFT / f"{name}.perft").read_text().splitlines()[:6]:
        fen = line.split(" ;")[0]
        arguments = ["bestmove", "--rules", name, "--fen", fen, "--nodes", "2000", "--hash", "1"]
        status, out, err = run(capsys, *arguments, "--json")
        found = json.loads(out)
        assert (status, err, found["rules"], found["fen"]) == (
            0,
            "",
            name,
            fen if fen.count(" ") == 4 else f"{fen} - 0",
        )
        assert (
            banqi.Move.from_text(found["move"], geometry=Rules.parse(name).geometry)
            in banqi.Position.from_fen(fen, rules=name).legal_moves
        )
        status, out, err = run(capsys, *arguments)
        assert (status, err, out.split()[1]) == (0, "", found["move"])


@pytest.mark.slow
def test_bench_ends_with_the_signature(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "bench")
    assert (status, err) == (0, "")
    positions, sums = out.split("\n\n")
    nodes: dict[str, int] = {}
    for row, position in zip(positions.splitlines(), POSITIONS, strict=True):
        nodes.setdefault(position.rules, 0)
        nodes[position.rules] += int(re.search(r"([\d,]+) nodes", row)[1].replace(",", ""))
    assert set(nodes) >= {rule_set.name for rule_set in RULE_SETS}
    expected = [f"{rules}: {count:,} nodes" for rules, count in nodes.items()]
    assert sums.splitlines() == [*expected, f"Bench: {sum(nodes.values())}"]


def test_rules_lists_every_rule_set_with_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "rules")
    assert (status, err) == (0, "")
    assert [line.split(":")[0] for line in out.splitlines() if re.search(": [458] x (8|12)", line)] == [
        r.name for r in RULE_SETS
    ]
    # The taiwan rows of the general and the soldier, from section 3 of the rules page.
    table = out.split("hongkong:")[0]
    assert re.search(r"^ *K +x +x +x +x +x +x +\. *$", table, re.MULTILINE)
    assert re.search(r"^ *P +x +\. +\. +\. +\. +\. +x *$", table, re.MULTILINE)
    # J7: the engineer falls to every rank but its own and takes mines; the bomb goes with whatever it meets.
    table = out.split("junqi:")[1]
    assert re.search(r"^ *E( +-){8} += += +x +x *$", table, re.MULTILINE)
    assert re.search(r"^ *O( +=){12} *$", table, re.MULTILINE)
    assert re.search(r"^ *L( +\.){12} *$", table, re.MULTILINE)


def test_rules_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "rules", "--json")
    assert (status, err) == (0, "")
    listed = json.loads(out)["rules"]
    assert [rules["name"] for rules in listed] == [
        "taiwan", "hongkong", "mainland", "cannon-adjacent", "dark-capture", "children", "cannon-chain", "double",
        "junqi",
    ]  # fmt: skip
    assert listed[0] == {
        "name": "taiwan",
        "ranking": "taiwan",
        "cannon": "jump",
        "cannon_adjacent": False,
        "dark_capture": False,
        "chain": "none",
        "screens": "any",
        "repetition": 3,
        "quiet_limit": 180,
        "perpetual": "draw",
        "game": "banqi",
        "board": {"files": 4, "ranks": 8},
        "set": {"K": 1, "G": 2, "M": 2, "R": 2, "N": 2, "C": 2, "P": 5},
        "captures": {
            "K": "KGMRNC", "G": "GMRNCP", "M": "MRNCP", "R": "RNCP", "N": "NCP", "C": "", "P": "KP",
        },
        "losses": dict.fromkeys(KINDS, ""),
    }  # fmt: skip
    assert {name: listed[5][name] for name in ("dark_capture", "chain")} == {"dark_capture": True, "chain": "any"}
    assert {name: listed[6][name] for name in ("screens", "chain")} == {"screens": "faceup", "chain": "cannon"}
    assert (listed[7]["board"], listed[7]["set"]["P"]) == ({"files": 8, "ranks": 8}, 10)
    for entry in listed:
        rules = Rules.parse(entry["name"])
        assert {kind: set(targets) for kind, targets in entry["captures"].items()} == rules.captures
        assert {kind: set(targets) for kind, targets in entry["losses"].items()} == rules.losses
    assert (listed[8]["game"], listed[8]["captures"]["E"], listed[8]["losses"]["M"]) == ("junqi", "EOLF", "MOL")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"banqi {banqi.__version__}\n", "")


def test_help_names_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["--help"]):
        status, out, err = run(capsys, *arguments)
        assert (status, err) == (0, "")
        for command in ("bestmove", "perft", "bench", "rules", "completion"):
            assert command in out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    status, out, err = run(capsys, "completion", shell)
    assert (status, err) == (0, "")
    assert f"_BANQI_COMPLETE={shell}_complete" in out


def test_completion_completes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_BANQI_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "banqi be")
    monkeypatch.setenv("COMP_CWORD", "1")
    status, out, _ = run(capsys)
    assert status == 0
    assert out.splitlines() == ["plain,bench", "plain,bestmove"]


# ---- one line, exit status 2 -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["bestmove", "--time", "nan"], "time must be"),
        (["bestmove", "--time", "inf"], "time must be"),
        (["bestmove", "--time", "-inf"], "time must be"),
        (["bestmove", "--time", "0"], "time must be"),
        (["bestmove", "--time", "-1"], "time must be"),
        (["bestmove", "--time", "1e999"], "time must be"),
        (["bestmove", "--time", "soon"], "not a number of seconds"),
        (["bestmove", "--time", "1_0"], "not a number of seconds"),
        (["bestmove", "--time", ""], "not a number of seconds"),
        (["bestmove", "--nodes", "0"], "nodes must be"),
        (["bestmove", "--nodes", "-5"], "nodes must be"),
        (["bestmove", "--nodes", "1e6"], "not a whole number"),
        (["bestmove", "--nodes", "9" * 30], "nodes must be"),
        (["bestmove", "--nodes", "9" * 5000], "not a whole number"),
        (["bestmove", "--depth", "0"], "depth must be"),
        (["bestmove", "--depth", "101"], "depth must be"),
        (["bestmove", "--depth", "٣"], "not a whole number"),
        (["bestmove", "--time", "1", "--nodes", "5"], "only one of"),
        (["bestmove", "--nodes", "1", "--depth", "5"], "only one of"),
        (["bestmove", "--multipv", "0"], "multipv must be"),
        (["bestmove", "--threads", "0"], "threads must be"),
        (["bestmove", "--threads", "257"], "threads must be"),
        (["bestmove", "--hash", "0"], "hash_mb must be"),
        (["bestmove", "--hash", "-1"], "hash_mb must be"),
        (["bestmove", "--hash", "1000000"], "does not fit"),
        (["bestmove", "--hash", "1000000000000"], "hash_mb must be"),
        (["bestmove", "--rules", "chess"], "unknown rule set"),
        (["bestmove", "--rules", "junqi(cannon=jump)"], "does not go with junqi"),
        (["bestmove", "--rules", "taiwan(cannon=step)"], "no rank"),
        (["bestmove", "--fen", "nonsense"], "bad position text"),
        (["bestmove", "--fen", "x\ny\x1b[2J"], "bad position text"),
        (["bestmove", "--fen", "4/4/4/4/4/4/4/KK2 r - - 0"], "more often than its set holds"),
        (["bestmove", "--fen"], "requires an argument"),
        (["bestmove", "a1"], "extra argument"),
        (["bestmove", "--sideways"], "No such option"),
        (["bestmove", "--\x1b[2J\n"], "No such option"),
        (["perft"], "Missing argument"),
        (["perft", "-1"], "No such option"),
        (["perft", "--", "-1"], "depth must be"),
        (["perft", "101"], "depth must be"),
        (["perft", "1.0"], "not a whole number"),
        (["perft", "0", "--divide"], "depth must be"),
        (["perft", "2", "--fen", ""], "bad position text"),
        (["completion", "tcsh"], "tcsh"),
        (["fly"], "No such command"),
        (["--fly"], "No such option"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("banqi: ")
    assert err.count("\n") == 1
    assert err.endswith("\n")
    assert err[:-1].isprintable()
    assert reason in err


# ---- processes ---------------------------------------------------------------------------------------------------


def test_python_m_banqi_is_the_command() -> None:
    process = start("perft", "2", "--rules", "mainland")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert out.splitlines()[-1] == "nodes 192448"


def test_python_m_banqi_hands_over_the_exit_status() -> None:
    process = start("perft", "x")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert err == "banqi: Invalid value for 'DEPTH': 'x' is not a whole number\n"


@pytest.mark.parametrize(
    "arguments", [["perft", "30"], ["perft", "30", "--divide"], ["bestmove", "--time", "600", "--fen", MIDDLE]]
)
def test_ctrl_c_ends_in_one_line(arguments: list[str]) -> None:
    process = start(*arguments, program=READY)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "banqi: interrupted\n")


def test_nobody_reads_on() -> None:
    with start("perft", "1", "--divide") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=60) == 141


def test_a_full_disk_is_an_error() -> None:
    with open("/dev/full", "w", encoding="ascii") as full:
        process = start("rules", "--json", stdout=full)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert re.fullmatch(r"banqi: .*No space left on device\n", err)


@pytest.mark.parametrize("arguments", [["perft", "2"], ["bestmove", "--time", "0.5", "--json"]])
def test_a_bar_shows_on_a_terminal_and_stdout_stays_clean(arguments: list[str]) -> None:
    ours, theirs = pty.openpty()
    try:
        process = start(*arguments, stderr=theirs)
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
        out, _ = process.communicate(timeout=60)
    finally:
        os.close(ours)
    assert process.returncode == 0
    assert ("counting" if arguments[0] == "perft" else "thinking") in shown.decode()
    assert "\x1b" not in out
    if "--json" in arguments:
        assert json.loads(out)["move"]
    else:
        assert out.splitlines()[-1] == "nodes 192448"


def test_a_closed_stdout_or_stderr_is_no_traceback() -> None:
    for redirection in (">&-", "2>&-", ">&- 2>&-"):
        command = f"{shlex.quote(sys.executable)} -m banqi rules {redirection}"
        result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
        assert (result.returncode, result.stderr) == (0, ""), redirection
