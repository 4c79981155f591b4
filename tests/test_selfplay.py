"""Games of the engine against itself, and the shards that they are kept in."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from banqi import EvaluationError, Position, Rules
from banqi.arena import ArenaError
from banqi.arena import selfplay as module
from banqi.arena.selfplay import Folder, SelfPlay, play_batch, run
from banqi.cli import main
from banqi.evaluation.shard import Shard, read_settings, read_shard, shards_in, together
from inline_executor import InlineExecutor

IDENTITIES = "KGMRNCPkgmrncp"


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    monkeypatch.setattr(module, "GAMES_IN_A_SHARD", 4)


def settings(rules="taiwan", nodes=60, **more):
    return SelfPlay(Rules.parse(rules), nodes, **more)


def play(folder, games, what=None):
    what = what or settings()
    return list(run(what, InlineExecutor(), Folder(folder, what), games, at_once=1))


def everything(folder):
    """The positions of a folder, in the order of their games."""
    shards = together([read_shard(path) for _, path in shards_in(folder)])
    order = np.argsort(shards.game, kind="stable")
    return [array[order].tolist() for array in shards]


def fen_of(shard, row, rules):
    """A position as text, from its arrays as FORMAT.md describes them."""
    files = rules.geometry.files
    cells = shard.cells[row].reshape(-1, files)[::-1]
    ranks = ["".join((IDENTITIES + "x1")[cell] for cell in rank) for rank in cells.tolist()]
    for empty in range(files, 1, -1):
        ranks = [rank.replace("1" * empty, str(empty)) for rank in ranks]
    pool = "".join(letter * count for letter, count in zip(IDENTITIES, shard.pool[row].tolist(), strict=True)) or "-"
    chain = "-" if shard.chain[row] < 0 else rules.geometry.name(int(shard.chain[row]))
    return f"{'/'.join(ranks)} {'rb?'[shard.side[row]]} {pool} {chain} {shard.quiet[row]}"


# --- games ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["taiwan", "children", "double"])
def test_each_position_follows_from_the_one_before(rules):
    what = settings(rules, nodes=40, seed=3, lots=0.1)
    shard = play_batch(what, range(2)).shard
    captures = chains = 0
    for row in range(len(shard.side)):
        # What could follow is tried out, which takes long on the large board.
        if rules == "double" and row % 8 and not shard.capture[row]:
            continue
        position = Position.from_fen(fen_of(shard, row, what.rules), rules=what.rules)
        assert position.outcome() is None
        if row == 0 or shard.game[row - 1] != shard.game[row]:
            assert position.side is None
        chains += shard.chain[row] >= 0
        if row + 1 == len(shard.side) or shard.game[row + 1] != shard.game[row]:
            continue
        found = set()
        for move in position.legal_moves:
            for reveal in position.outcomes(move):
                before = sum(position.captured().values())
                position.push(reveal.move)
                found.add((position.fen(), sum(position.captured().values()) > before))
                position.pop()
        assert (fen_of(shard, row + 1, what.rules), bool(shard.capture[row])) in found
        captures += bool(shard.capture[row])
    assert captures > 5
    assert (chains > 0) == (rules == "children")


def test_results_are_those_of_the_side_to_move():
    what = settings(nodes=200, seed=1)
    shard = play_batch(what, range(12)).shard
    decided = 0
    for game in range(12):
        rows = np.flatnonzero(shard.game == game)
        # Before the first flip nobody has a colour; the second mover is the other side of it.
        sides, results = shard.side[rows][1:], shard.result[rows]
        assert len(set(results[1:][sides == 0].tolist())) <= 1
        assert set((results[1:][sides == 0]).tolist()) == set((-results[1:][sides == 1]).tolist())
        assert results[0] == -results[1]
        decided += results[0] != 0
        last = rows[-1]
        position = Position.from_fen(fen_of(shard, last, what.rules))
        # The end is there after one of the moves: the winner's, if it is decided.
        ends = []
        for move in position.legal_moves:
            for reveal in position.outcomes(move):
                position.push(reveal.move)
                outcome = position.outcome()
                ends.append(outcome and outcome.winner and (1 if outcome.winner is not position.side else -1))
                position.pop()
        if shard.result[last] != 0:
            assert shard.result[last] in ends
    assert decided > 0


def test_scores_are_those_of_the_search():
    from banqi import Engine, Limit

    what = settings(nodes=100, seed=2, lots=0.3)
    shard = play_batch(what, range(1)).shard
    with Engine(hash_mb=16) as engine:
        first = engine.play(Position(), Limit(nodes=100)).info
    assert shard.score[0] == pytest.approx(first.score.value, abs=1e-4)
    assert np.abs(shard.score).max() <= 1


def test_a_game_depends_on_seed_and_number_alone():
    what = settings()
    whole = play_batch(what, range(6)).shard
    parts = together([play_batch(what, range(2)).shard, play_batch(what, range(2, 6)).shard])
    assert [array.tolist() for array in whole] == [array.tolist() for array in parts]
    other = play_batch(settings(seed=1), range(2)).shard
    assert other.cells.tolist() != whole.cells[whole.game < 2].tolist()


def test_moves_by_lot_make_other_games():
    shards = [play_batch(settings(lots=lots), range(1)).shard for lots in (0.0, 0.5)]
    assert shards[0].cells.tolist() != shards[1].cells.tolist()


# --- folders --------------------------------------------------------------------------------------------------------


def test_a_stopped_run_goes_on_where_it_was(tmp_path):
    what = settings()
    folder = Folder(tmp_path / "part", what)
    begun = run(what, InlineExecutor(), folder, 10, at_once=1)
    next(begun)
    begun.close()
    held = {path: path.stat().st_mtime_ns for _, path in shards_in(tmp_path / "part")}
    assert len(held) == 1
    batches = play(tmp_path / "part", 10)
    assert sum(len(batch.numbers) for batch in batches) == 6
    assert all(path.stat().st_mtime_ns == when for path, when in held.items())
    play(tmp_path / "whole", 10)
    assert everything(tmp_path / "part") == everything(tmp_path / "whole")
    # More games can be added, none is played twice.
    assert play(tmp_path / "part", 10) == []
    assert [batch.numbers for batch in play(tmp_path / "part", 13)] == [range(10, 13)]


def test_what_is_missing_is_played_wherever_it_is(tmp_path):
    play(tmp_path, 12)
    (tmp_path / "games-4-7.npz").unlink()
    (tmp_path / ".games-8-11.npz.1").write_text("left by a run that was killed")
    assert {batch.numbers for batch in play(tmp_path, 14)} == {range(4, 8), range(12, 14)}


@pytest.mark.parametrize("more", [{"seed": 1}, {"nodes": 61}, {"lots": 0.05}, {"evaluation": "handwritten"}])
def test_a_folder_of_other_settings_is_refused(tmp_path, more):
    play(tmp_path, 1)
    with pytest.raises(ArenaError, match="holds games of other settings"):
        Folder(tmp_path, settings(**more))
    with pytest.raises(ArenaError, match="holds games of other settings"):
        Folder(tmp_path, settings("hongkong"))


def test_settings_tell_what_the_games_follow_from(tmp_path):
    play(tmp_path, 1)
    told = json.loads(read_settings(tmp_path / "games-0-0.npz"))
    build = told.pop("build")
    assert told == {"rules": "taiwan", "nodes": 60, "seed": 0, "lots": 0.04, "evaluation": "learned"}
    assert len(build) == 16


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"nodes": 0}, "nodes must be a whole number"),
        ({"seed": -1}, "the seed must be"),
        ({"lots": 1.5}, "from 0 to 1"),
        ({"lots": float("nan")}, "from 0 to 1"),
        ({"evaluation": "none.npz"}, "cannot read"),
    ],
)
def test_senseless_settings_are_refused(more, words):
    with pytest.raises(ValueError, match=words):
        settings(**more)


def test_another_build_is_refused():
    with pytest.raises(ArenaError, match="another build"):
        play_batch(settings(build="0" * 16), range(1))


def test_a_damaged_shard_is_refused_or_holds_the_same(tmp_path):
    play(tmp_path, 1)
    path = tmp_path / "games-0-0.npz"
    data, whole = path.read_bytes(), [array.tolist() for array in read_shard(path)]
    rng = random.Random("damage")
    for _ in range(200):
        broken = bytearray(data)
        broken[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(broken if rng.random() < 0.8 else broken[: rng.randrange(len(data))])
        try:
            again = read_shard(path)
        except EvaluationError:
            continue
        assert [array.tolist() for array in again] == whole


def test_a_shard_of_other_arrays_is_refused(tmp_path):
    shard = play_batch(settings(), range(1)).shard
    for name in Shard._fields:
        arrays = shard._asdict()
        arrays[name] = arrays[name][:-1] if name != "side" else arrays[name].astype(np.int64)
        np.savez(tmp_path / "games-0-0.npz", **arrays)
        with pytest.raises(EvaluationError, match="holds no games"):
            read_shard(tmp_path / "games-0-0.npz")


# --- the command ----------------------------------------------------------------------------------------------------


def selfplay(folder, games, *more):
    return ["selfplay", "--games", str(games), "--nodes", "60", "--dir", str(folder), *more]


def test_the_command_plays_what_the_function_plays(tmp_path, capsys):
    assert main(selfplay(tmp_path / "command", 6, "--jobs", "2")) == 0
    told = capsys.readouterr()
    folder = tmp_path / "command"
    count = len(everything(folder)[0])
    assert told.out == f"6 games played, {count:,} positions; {folder} has all of 6 games\n"
    play(tmp_path / "function", 6)
    assert everything(tmp_path / "command") == everything(tmp_path / "function")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--evaluation", "none.npz"], "cannot read 'none.npz'"),
        (["--jobs", "0"], "jobs must be"),
        (["--lots", "2"], "from 0 to 1"),
        (["--games", "0"], "games must be"),
    ],
)
def test_a_wrong_argument_is_one_line_and_status_2(tmp_path, capsys, more, words):
    assert main(selfplay(tmp_path / "d", 1, *more)) == 2
    told = capsys.readouterr()
    assert words in told.err
    assert told.err.count("\n") == 1
    assert list(tmp_path.rglob("*.npz")) == []


def test_ctrl_c_keeps_what_was_played(tmp_path):
    """The process is ended with a batch under way; its shards are whole, and it goes on from them."""
    command = [sys.executable, "-m", "banqi", *selfplay(tmp_path, 100_000, "--jobs", "1")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 120
    while not shards_in(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "banqi: interrupted\n")
    held = shards_in(tmp_path)
    assert held
    for numbers, path in held:
        assert np.unique(read_shard(path).game).tolist() == list(numbers)
    assert [path.name for path in Path(tmp_path).iterdir() if path.name.startswith(".")] == []
    assert Folder(tmp_path, settings()).missing(held[-1][0].stop) == []
