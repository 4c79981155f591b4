"""Matches on a dask cluster of a scheduler and two workers on this machine."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from banqi.cli import main
from test_executors import SECONDS, cluster_in

PLAYERS = ["engine(nodes=100, hash=1)", "engine(nodes=50, hash=1)"]


def told(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, object]:
    """The report of a match, without what depends on the clock."""
    assert main(["arena", *PLAYERS, "--json", *options]) == 0
    report: dict[str, object] = json.loads(capsys.readouterr().out)
    del report["seconds"]
    players = report["players"]
    assert isinstance(players, list)
    for player in players:
        del player["seconds"]
    return report


def test_a_match_is_the_same_on_a_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "m.jsonl"
    with cluster_in(tmp_path) as cluster:
        there = told(capsys, "--games", "40", "--dask", cluster.address, "--record", str(record))
        # It goes on there, and stops where the test is decided.
        tested = told(capsys, "--games", "400", "--dask", cluster.address, "--record", str(record), "--sprt", "0", "90")
    assert there == told(capsys, "--games", "40", "--jobs", "1")
    assert tested == told(capsys, "--games", "400", "--jobs", "1", "--sprt", "0", "90")
    assert len(record.read_bytes().splitlines()) >= tested["games"]


def test_a_cluster_that_goes_away_leaves_what_was_played(tmp_path: Path) -> None:
    record = tmp_path / "m.jsonl"
    with cluster_in(tmp_path) as cluster:
        command = [sys.executable, "-m", "banqi", "arena", *PLAYERS, "--games", "100000", "--record", str(record)]
        process = subprocess.Popen(
            [*command, "--dask", cluster.address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + SECONDS
        # The first pair may not be the first to end.
        while not record.exists() or b'"Round":"0.2"' not in record.read_bytes():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        for worker in cluster.processes:
            worker.send_signal(signal.SIGKILL)
        out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 2
    assert re.fullmatch(r"banqi: [ -~]+, and with it the games that it played\n", err)
    games = len(record.read_bytes().splitlines())
    # Pairs that came before their turn are not counted, but kept.
    assert 0 < int(re.findall(r"^games (\d+):", out, re.MULTILINE)[0]) <= games
