"""The bench repeats exactly, and the gate lets nothing through that takes more instructions than it may."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from banqi import Engine, Limit, Position
from banqi.bench import HASH_MB, POSITIONS, run

BENCH = Path(__file__).parents[1] / "bench"


# ---- the signature -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nodes() -> list[int]:
    """What each bench position takes."""
    return [row.nodes for row in run()]


def test_same_again_in_one_process(nodes: list[int]) -> None:
    assert [row.nodes for row in run()] == nodes


def test_same_from_the_command_line(nodes: list[int]) -> None:
    command = [sys.executable, "-m", "banqi", "bench"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output.splitlines()[-1] == f"Bench: {sum(nodes)}"


def test_same_after_clear(nodes: list[int]) -> None:
    again = []
    with Engine(hash_mb=HASH_MB) as engine:
        for _, rules, fen, depth in POSITIONS:
            engine.clear()
            again.append(engine.play(Position.from_fen(fen, rules=rules), Limit(depth=depth)).info.nodes)
    assert again == nodes


def test_clear_is_what_makes_it_the_same() -> None:
    """A table that still holds the last search's values makes the next one shorter, so the test above can fail."""
    _, rules, fen, depth = max(POSITIONS, key=lambda position: position.depth)
    position = Position.from_fen(fen, rules=rules)
    with Engine(hash_mb=HASH_MB) as engine:
        first, second = [engine.play(position, Limit(depth=depth)).info.nodes for _ in range(2)]
    assert second < first


# ---- instructions per node ---------------------------------------------------------------------------------------


@pytest.fixture
def instructions(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """bench/instructions.py."""
    monkeypatch.syspath_prepend(BENCH)
    import instructions

    return instructions


Figures = dict[str, float]
Check = Callable[[Figures, dict[str, Figures]], int]


@pytest.fixture
def check(instructions: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Check:
    """Run --check: with these counts found by compiler `cc 1 v3`, and these stored for each compiler."""

    def run_check(found: Figures, stored: dict[str, Figures]) -> int:
        store = tmp_path / "instructions.json"
        store.write_text(json.dumps(stored))
        monkeypatch.setattr(instructions, "STORE", store)
        monkeypatch.setattr(instructions, "build", lambda: "cc 1 v3")
        monkeypatch.setattr(instructions, "counted", lambda: found)
        monkeypatch.setattr(instructions.shutil, "which", lambda name: f"/usr/bin/{name}")
        status: int = instructions.main(["--check"])
        assert json.loads(store.read_text()) == stored
        return status

    return run_check


@pytest.mark.checkout
def test_one_percent_more_passes(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    assert check({"perft": 101.0, "search": 500.0}, {"cc 1 v3": {"perft": 100.0, "search": 600.0}}) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.checkout
def test_three_percent_more_fails_with_one_line_for_each(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    found = {"perft": 103.0, "playouts": 50.0, "search": 618.0}
    assert check(found, {"cc 1 v3": {"perft": 100.0, "playouts": 50.0, "search": 600.0}}) == 1
    first, second, _ = capsys.readouterr().err.splitlines()
    assert first == "perft: 103.0 instructions per node, 3.0% above the stored 100.0"
    assert second == "search: 618.0 instructions per node, 3.0% above the stored 600.0"


@pytest.mark.checkout
def test_a_measure_that_is_not_stored_fails(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    assert check({"perft": 100.0, "search": 1.0}, {"cc 1 v3": {"perft": 100.0}}) == 1
    assert capsys.readouterr().err.startswith("search: ")


@pytest.mark.checkout
def test_another_compiler_says_so_and_passes(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    assert check({"perft": 200.0}, {"cc 2 v3": {"perft": 100.0}, "cc 1 v2": {"perft": 100.0}}) == 0
    assert "nothing is stored for cc 1 v3" in capsys.readouterr().out


@pytest.mark.checkout
@pytest.mark.parametrize(("required", "status"), [("0", 0), ("1", 1)])
def test_without_valgrind_it_is_left_out_or_fails(tmp_path: Path, required: str, status: int) -> None:
    environment = {**os.environ, "PATH": str(tmp_path), "BANQI_REQUIRE_ALL": required}
    command = [sys.executable, str(BENCH / "instructions.py"), "--check"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert ended.returncode == status
    assert "valgrind is not installed" in (ended.stdout if status == 0 else ended.stderr)
    assert ended.stdout.startswith("left out: ") == (status == 0)
