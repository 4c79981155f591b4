"""The scripts in bench that play games of their own: what they print, and how they go on from their file."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from banqi import Position

BENCH = Path(__file__).parents[1] / "bench"
STUDIES = {
    "conversion": ["--games=4", "--seconds=0.1", "--jobs=1"],
    "open_spiel_match": ["--games=4", "--time=0.002", "--simulations=4", "--jobs=1"],
}

pytestmark = pytest.mark.checkout


def run(name: str, record: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCH / f"{name}.py"), *STUDIES[name], *more, f"--record={record}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_goes_on_from_its_file(name: str, tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    first = run(name, record)
    assert (first.returncode, first.stderr) == (0, "")
    task, *rows = record.read_text().splitlines()
    assert sorted(json.loads(row)["number"] for row in rows) == [0, 1, 2, 3]
    # The last line half-written, another one missing.
    record.write_text("\n".join([task, *rows[1:]])[:-5])
    again = run(name, record)
    assert (again.returncode, again.stderr) == (0, "")
    assert record.read_text().splitlines()[1:3] == rows[1:3]
    assert len(record.read_text().splitlines()) == 5
    other = run(name, record, "--seed=2")
    assert other.returncode != 0
    assert "another task" in other.stderr


def test_positions_to_convert_are_what_is_asked_for(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    assert run("conversion", record, "--fewest=6", "--most=7", "--won=0.8").returncode == 0
    for line in record.read_text().splitlines()[1:]:
        row = json.loads(line)
        position = Position.from_fen(row["fen"])
        assert not any(position.pool.values())
        assert 6 <= sum(letter.isalpha() for letter in row["fen"].split()[0]) <= 7
        assert row["score"] >= 0.8
        assert position.outcome() is None
