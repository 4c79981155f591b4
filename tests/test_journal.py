"""Record files of matches: what they hold, going on from them, and everything that is none."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from banqi import Record, Rules
from banqi.arena import Journal, Match, Pair, PlayerSpec, Tally, run
from banqi.arena.player import Answer, Fault, PlayerFault
from banqi.arena.report import match_object
from banqi.arena.weak import RandomPlayer
from banqi.cli import main
from banqi.errors import ArenaError
from banqi.position import Position
from banqi.record import read_file, verify
from inline_executor import InlineExecutor

PAIRS = 4
PATIENCE = 60.0


def match(one: str = "engine(nodes=40, hash=1)", other: str = "greedy", rules: str = "taiwan", seed: int = 0) -> Match:
    return Match((PlayerSpec.parse(one), PlayerSpec.parse(other)), Rules.parse(rules), seed)


def played(path: Path, settings: Match, pairs: int = PAIRS) -> list[Pair]:
    """The pairs of a match as they come, with a record file."""
    with Journal(path, settings) as journal:
        return list(run(settings, InlineExecutor(), pairs, at_once=1, journal=journal))


def outcome_of(pair: Pair) -> list[tuple[object, ...]]:
    """What of a pair does not depend on the clock."""
    return [(g.score, g.termination, g.plies, *((s.decisions, s.nodes) for s in g.spent)) for g in pair.games]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Pair]]:
    """A whole record file, and the pairs in it."""
    path = tmp_path_factory.mktemp("whole") / "match.jsonl"
    pairs = played(path, match())
    return path.read_bytes(), pairs


@pytest.mark.parametrize("rules", ["taiwan", "children", "junqi"])
def test_every_game_is_a_record_that_holds(tmp_path: Path, rules: str) -> None:
    settings = match(rules=rules)
    pairs = played(tmp_path / "m.jsonl", settings)
    records = list(read_file(tmp_path / "m.jsonl"))
    assert len(records) == 2 * PAIRS
    for pair in pairs:
        for game in pair.games:
            record = next(r for r in records if r.tags["Round"] == f"{pair.number}.{game.half + 1}")
            assert isinstance(record, Record)
            reveals = verify(record).reveals
            assert reveals == sum(recorded.move.reveal is not None for recorded in record.moves) > 0
            first = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[record.result]
            assert game.score == (1 - first if game.half else first)
            assert (record.termination, len(record.plies())) == (game.termination, game.plies)
            assert record.tags["First"] == str(settings.players[game.half])
            # The engine sees what its moves are worth; the other player does not.
            scored = {number % 2 for number, ply in enumerate(record.plies()) if ply[0].score is not None}
            assert scored == {game.half}


def test_both_games_of_a_pair_have_one_layout(whole: tuple[bytes, list[Pair]], tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(whole[0])
    openings: dict[str, set[str]] = {}
    for record in read_file(path):
        assert isinstance(record, Record)
        openings.setdefault(record.tags["Round"].split(".")[0], set()).add(record.tags["Opening"])
    assert [len(found) for found in openings.values()] == [1] * PAIRS
    assert len(set.union(*openings.values())) == PAIRS


def test_a_match_that_was_cut_off_anywhere_goes_on(whole: tuple[bytes, list[Pair]], tmp_path: Path) -> None:
    data, pairs = whole
    lines = data.splitlines(keepends=True)
    ends = [sum(map(len, lines[:n])) for n in range(len(lines) + 1)]
    cuts = {cut for end in ends for cut in (end, end - 1, end + 1, end + 700) if 0 <= cut <= len(data)}
    for number, cut in enumerate(sorted(cuts)):
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(data[:cut])
        again = played(path, match())
        assert [outcome_of(pair) for pair in again] == [outcome_of(pair) for pair in pairs]
        # Pairs that were whole are not played again; the others are written once.
        kept = sum(end <= cut for end in ends[2::2])
        assert path.read_bytes().startswith(data[: ends[2 * kept]])
        assert again[:kept] == [without_records(pair) for pair in pairs[:kept]]
        records = list(read_file(path))
        assert len({record.tags["Round"] for record in records if isinstance(record, Record)}) == len(records) == 8


def without_records(pair: Pair) -> Pair:
    one, other = (game._replace(record="") for game in pair.games)
    return pair._replace(games=(one, other))


def test_a_report_is_the_same_after_going_on(whole: tuple[bytes, list[Pair]], tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(whole[0])
    told = []
    for pairs in (whole[1], played(path, match())):
        tally = Tally()
        for pair in pairs:
            tally.add(pair)
        told.append(match_object(match(), tally, None, 0.0))
    assert told[0] == told[1]
    assert path.read_bytes() == whole[0]


def test_pairs_in_any_order_are_read(whole: tuple[bytes, list[Pair]], tmp_path: Path) -> None:
    lines = whole[0].splitlines(keepends=True)
    path = tmp_path / "m.jsonl"
    path.write_bytes(b"".join(lines[4:6] + lines[0:2]))
    assert [outcome_of(pair) for pair in played(path, match())] == [outcome_of(pair) for pair in whole[1]]


def test_more_games_may_follow_and_fewer_are_enough(whole: tuple[bytes, list[Pair]], tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(whole[0])
    assert len(played(path, match(), 2)) == 2
    assert path.read_bytes() == whole[0]
    assert len(played(path, match(), PAIRS + 1)) == PAIRS + 1
    assert path.read_bytes().startswith(whole[0])
    assert len(list(read_file(path))) == 2 * PAIRS + 2


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (match(seed=1), "Seed"),
        (match(rules="hongkong"), "Rules"),
        (match("engine(nodes=41, hash=1)"), "First"),
        (match("greedy", "engine(nodes=40, hash=1)"), "First"),
        (match(other="random"), "Second"),
        (replace(match(), margin=0.5), "Margin"),
        (replace(match(), patience=1.0), "Patience"),
        (replace(match(), build="0" * 16), "Build"),
    ],
)
def test_a_file_of_another_match_is_refused(
    whole: tuple[bytes, list[Pair]], tmp_path: Path, other: Match, named: str
) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(whole[0])
    with pytest.raises(ArenaError, match=f"holds another match: {named} is") as refusal:
        Journal(path, other)
    assert re.fullmatch("[ -~]+", str(refusal.value))
    assert path.read_bytes() == whole[0]


def without(data: bytes, tag: str) -> bytes:
    game = json.loads(data)
    del game["tags"][tag]
    return json.dumps(game).encode() + b"\n"


def test_a_file_that_is_damaged_before_its_end_is_refused(whole: tuple[bytes, list[Pair]], tmp_path: Path) -> None:
    lines = whole[0].splitlines(keepends=True)
    path = tmp_path / "m.jsonl"
    for data in (
        b"hello\n" + whole[0],
        b"\n" + whole[0],
        lines[0][:50] + b"\n" + b"".join(lines[1:]),
        b"".join(lines[1:]),
        b"".join([lines[1], lines[0], *lines[2:]]),
        b"".join(lines[:3] + lines[4:]),
        whole[0] + b"".join(lines[:2]),
        *(without(lines[0], tag) + b"".join(lines[1:]) for tag in ("Round", "Plies", "Nodes", "Seconds", "Decisions")),
    ):
        path.write_bytes(data)
        with pytest.raises(ArenaError, match=r"line \d+: ") as refusal:
            Journal(path, match())
        assert re.fullmatch("[ -~]+", str(refusal.value))
        assert path.read_bytes() == data


def test_records_of_other_games_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    data = f"{Record('taiwan', ['a1(K)']).to_json()}\n".encode() * 2
    path.write_bytes(data)
    with pytest.raises(ArenaError, match="line 1: this is no game of a match"):
        Journal(path, match())
    assert path.read_bytes() == data


@pytest.mark.parametrize("name", ["", "no/such/folder.jsonl", ".", "/dev/null", "/dev/full", "a\0b"])
def test_what_cannot_be_a_record_file_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ArenaError, match=r"cannot open|is no plain file"):
        Journal(name, match())


def test_a_file_belongs_to_one_match_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    with Journal(path, match()), pytest.raises(ArenaError, match="another process plays a match into"):
        Journal(path, match())
    Journal(path, match()).close()


class Failing(RandomPlayer):
    """Fails at its third move."""

    def begin(self, position: Position, seed: str) -> None:
        super().begin(position, seed)
        self._moves = 0

    def move(self, position: Position, left: float | None) -> Answer:
        self._moves += 1
        if self._moves == 3:
            raise PlayerFault(Fault.CRASH, "it fell\nand lay")
        return super().move(position, left)


def test_a_failure_is_written_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = match("random", "greedy")
    monkeypatch.setattr("banqi.arena.spec.RandomPlayer", Failing)
    path = tmp_path / "m.jsonl"
    pairs = played(path, settings, 1)
    assert [(game.score, game.fault, game.faulty, game.plies) for game in pairs[0].games] == [
        (0.0, Fault.CRASH, 0, 4),
        (0.0, Fault.CRASH, 0, 5),
    ]
    again = played(path, settings, 1)
    assert [game.words for game in again[0].games] == ["it fell and lay"] * 2
    assert [game._replace(words="", record="") for game in again[0].games] == [
        game._replace(words="", record="") for game in pairs[0].games
    ]
    for record in read_file(path):
        assert isinstance(record, Record)
        assert (record.termination, record.tags["Fault"]) == ("resign", "crash")


# ---- the command line ----------------------------------------------------------------------------------------------


def arena(path: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "banqi", "arena", "engine(nodes=200, hash=1)", "greedy", "--record", str(path),
            "--jobs", "1", *arguments]  # fmt: skip


def started(path: Path) -> subprocess.Popen[bytes]:
    """A long match, as soon as it has written two pairs, so that one is counted."""
    process = subprocess.Popen(
        arena(path, "--games", "100000"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    deadline = time.monotonic() + PATIENCE
    while not path.exists() or path.read_bytes().count(b"\n") < 4:
        assert time.monotonic() < deadline, "no games are written"
        assert process.poll() is None
        time.sleep(0.05)
    return process


def ended(group: int) -> bool:
    """Whether all processes of a group end."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_an_interrupted_match_is_reported_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.jsonl"
    process = started(path)
    # As a terminal sends it: to the processes that play, too.
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, b"banqi: interrupted\n")
    assert out.decode().startswith("engine(nodes=200, hash=1) against greedy, taiwan, seed 0\ngames ")
    assert ended(process.pid)
    lines = path.read_bytes().splitlines(keepends=True)
    whole = len(lines) // 2 * 2
    assert main([*arena(path, "--games", str(whole), "--json")[3:]]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == whole
    assert path.read_bytes() == b"".join(lines[:whole])


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    with started(path) as process:
        second = subprocess.run(arena(path), capture_output=True, text=True, timeout=PATIENCE, check=False)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
    assert (second.returncode, second.stdout) == (2, "")
    assert re.fullmatch(r"banqi: another process plays a match into '.*'\n", second.stderr)
    # Whatever the first one left is gone on from.
    played_on = len(path.read_bytes().splitlines()) + 2
    command = arena(path, "--games", str(played_on // 2 * 2))
    third = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (third.returncode, third.stderr) == (0, "")
