"""The engine with endgame tables: it knows what they know, and wins what is won before the quiet limit."""

import json
import random
import struct
import threading
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from banqi import Engine, Limit, Position, Rules, Score, Side, Tablebase, TablebaseError
from banqi.engine import SHIPPED_TABLES
from banqi.tablebase import format as files
from banqi.tablebase.build import build_all, build_class, classes_of, path_of, plan
from banqi.tablebase.classes import Material
from endings import at_random, at_random_of
from full_width import FullWidthEngine
from inline_executor import InlineExecutor
from sizes import tenth

# The chariot hunts the general's enemy down: 19 plies, the first capture ends it.
WON = "3k/4/4/4/4/4/4/K1R1 r - - {}"
# How deep endings of so many pieces are searched.
DEPTHS = {3: 11, 4: 11, 5: 11, 6: 10}


@pytest.fixture(scope="module")
def shipped() -> Iterator[Tablebase]:
    with Tablebase() as tables:
        yield tables


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Tables of 2 and 3 pieces, all compressed."""
    monkeypatch.setattr(files, "STORED_BYTES", 0)
    for _ in build_all(plan(Rules.parse("taiwan"), 3), tmp_path, InlineExecutor(), at_once=1):
        pass
    return tmp_path


@pytest.mark.parametrize("limit", [Limit(depth=1), Limit(nodes=1000), Limit(time=0.01)])
def test_a_won_ending_is_known_at_once(limit: Limit) -> None:
    with Engine(hash_mb=1) as engine:
        assert engine.play(Position.from_fen(WON.format(0)), limit).info.score == Score(1.0, True, 19)


def test_without_tables_it_is_searched() -> None:
    with Engine(hash_mb=1, tablebase=None) as engine:
        assert not engine.play(Position.from_fen(WON.format(0)), Limit(depth=5)).info.score.proven


@pytest.mark.parametrize(("quiet", "proven"), [(160, True), (161, True), (162, False), (170, False)])
def test_a_win_that_comes_after_the_quiet_limit_is_none(quiet: int, proven: bool) -> None:
    """The capture is the 19th ply from here, so 18 quiet ones come before it; the 180th quiet one would be a draw."""
    with Engine(hash_mb=1) as engine:
        assert engine.play(Position.from_fen(WON.format(quiet)), Limit(depth=3)).info.score.proven == proven


def test_the_quiet_limit_is_where_a_search_to_the_end_finds_it() -> None:
    """No ending of 3 pieces takes longer than 24 plies, so a search without tables finds all there is.

    What it leaves out costs it some depth, and may hide the shortest way.
    """
    rng = random.Random(8)
    proved = 0
    with Engine(hash_mb=1) as engine, Engine(hash_mb=16, tablebase=None) as searcher:
        for p in at_random("taiwan(quiet_limit=24)", 3, 0, seed=8, count=tenth(2000)):
            late = Position.from_fen(f"{p.fen().rsplit(' ', 1)[0]} {rng.randrange(24)}", rules=p.rules)
            if late.outcome() is not None:
                continue
            score, searched = (e.play(late, Limit(depth=28)).info.score for e in (engine, searcher))
            assert score.proven == searched.proven, late.fen()
            if score.proven:
                assert score.value == searched.value, late.fen()
                assert score.plies is not None
                assert searched.plies is not None
                assert score.value * (score.plies - searched.plies) <= 0, late.fen()
                proved += 1
    assert proved > tenth(500)


def test_a_capture_into_a_known_ending_is_judged_by_it(shipped: Tablebase) -> None:
    judged = 0
    with Engine(hash_mb=1) as engine:
        for p in at_random("taiwan", 4, 0, seed=5, count=tenth(3000)):
            known = {}
            for move in p.legal_moves:
                after = p.copy()
                after.push(move)
                result = shipped.probe(after) if after.quiet == 0 else None
                if result is not None and result.value:
                    known[move] = -result.value
            if p.outcome() is None and any(value == 1 for value in known.values()):
                info = engine.play(p, Limit(depth=1)).info
                assert info.score.proven, p.fen()
                assert known.get(info.move, 1) == 1
                judged += 1
    assert judged > 0


def test_each_of_several_lines_has_the_value_that_tables_know(shipped: Tablebase) -> None:
    with Engine(hash_mb=1) as engine:
        for p in at_random("taiwan", 3, 0, seed=6, count=tenth(1000)):
            if p.outcome() is not None:
                continue
            infos = engine.analyse(p, Limit(depth=2), multipv=50)
            assert {info.move for info in infos} == set(p.legal_moves)
            for info in infos:
                after = p.copy()
                after.push(info.move)
                known = shipped.probe(after)
                assert known is not None
                plies = None if known.dtm is None else known.dtm + 1
                assert info.score == Score(-float(known.value), known.value != 0, plies), (p.fen(), info.move)
            result = shipped.probe(p)
            assert result is not None
            # All draws have the same score.
            assert infos[0].move in result.moves, p.fen()


def test_a_certain_result_with_a_piece_face_down_is_proven_or_close_to_it(tmp_path: Path) -> None:
    """How far the end is, tables know only of what is face up; the search proves the rest where it can."""
    for _ in build_all(plan(Rules.parse("taiwan"), 3, 1), tmp_path, InlineExecutor(), at_once=1):
        pass
    proven = close = 0
    with Tablebase(tmp_path) as tables, Engine(hash_mb=1, tablebase=tables) as engine:
        for p in at_random("taiwan", 3, 1, seed=11, count=tenth(3000)):
            result = tables.probe(p)
            assert result is not None
            if p.outcome() is not None or abs(result.value) < 1:
                continue
            score = engine.play(p, Limit(depth=2)).info.score
            assert score.value * result.value > 0.96, p.fen()
            proven += score.proven
            close += not score.proven
    assert proven > 0
    assert close > 0


@pytest.mark.slow
@pytest.mark.parametrize("pieces", [3, 4, 5, 6])
def test_a_search_without_tables_proves_nothing_else(shipped: Tablebase, pieces: int) -> None:
    """With tables all is proved that a search of the same depth proves without, and nobody wins later than there.

    A search that leaves things out may have to go deeper for it, and may find a longer way.
    """
    proved = more = 0
    with (
        FullWidthEngine(hash_mb=16) as engine,
        FullWidthEngine(hash_mb=16, tablebase=None) as searcher,
        Engine(hash_mb=16) as player,
    ):
        for p in at_random("taiwan", pieces, 0, seed=pieces, count=tenth(2500)):
            if p.outcome() is not None:
                continue
            engine.clear()
            searcher.clear()
            score, searched = (e.play(p, Limit(depth=DEPTHS[pieces])).info.score for e in (engine, searcher))
            if searched.proven:
                proved += 1
                assert (score.proven, score.value) == (True, searched.value), p.fen()
                assert score.plies is not None
                assert searched.plies is not None
                # Nobody wins sooner than the tables have it, or loses later.
                assert searched.value * (score.plies - searched.plies) <= 0, p.fen()
                player.clear()
                played = player.play(p, Limit(nodes=20_000_000)).info.score
                assert (played.proven, played.value) == (True, searched.value), p.fen()
            more += score.proven
    assert more >= proved > tenth(50)


@pytest.mark.parametrize("quiet_limit", [180, 30, 24])
def test_won_endings_are_won_against_the_best_defence(shipped: Tablebase, quiet_limit: int) -> None:
    """No win or loss of 3 pieces is more than 24 plies from a capture, so all hold under a quiet limit of 24."""
    assert max(header.reachable_exit for _, header in shipped.headers()) <= 24
    rules = f"taiwan(quiet_limit={quiet_limit})"
    games = 0
    with Engine(hash_mb=1) as engine:
        for p in at_random(rules, 3, 0, seed=quiet_limit, count=tenth(2000)):
            result = shipped.probe(p)
            assert result is not None
            if result.value != 1:
                continue
            winner = p.side
            while p.outcome() is None:
                if p.side == winner:
                    p.push(engine.play(p, Limit(nodes=1000)).move)
                else:
                    best = shipped.probe(p)
                    assert best is not None
                    p.push(best.moves[0])
            outcome = p.outcome()
            assert outcome is not None
            assert outcome.winner == winner, p
            games += 1
    assert games > 0


@pytest.mark.slow
@pytest.mark.parametrize("names", [("KCvgc", "KPvcc", "GPvgc"), ("GGvkcc",)])
def test_hard_endings_of_four_and_five_pieces_are_won(tmp_path: Path, names: tuple[str, ...]) -> None:
    """Of all with so many pieces these are among those that take the longest: up to 166 plies without a capture."""
    classes = classes_of(Rules.parse("taiwan"))
    entries = [classes.find(Material.parse(name)) for name in names]
    needed = {entry for chosen in entries for entry in [*classes.all_successors(chosen), chosen]}
    headers = {}
    for entry in sorted(needed, key=lambda entry: entry.pieces):
        headers[entry] = build_class(str(tmp_path), "taiwan", entry.name)
    games = 0
    with Tablebase(tmp_path) as tables, Engine(hash_mb=1, tablebase=tables) as engine:
        for entry in entries:
            longest = headers[entry].longest_win
            assert longest is not None
            hardest = Position.from_fen(headers[entry].fen(longest.index))
            for p in chain([hardest], at_random_of(entry.material, seed=1, count=tenth(1200 // len(names)))):
                result = tables.probe(p)
                if result is None or result.value != 1:
                    continue
                winner = p.side
                while p.outcome() is None:
                    if p.side == winner:
                        p.push(engine.play(p, Limit(nodes=1000)).move)
                    else:
                        best = tables.probe(p)
                        assert best is not None
                        p.push(best.moves[0])
                outcome = p.outcome()
                assert outcome is not None
                assert outcome.winner == winner, p
                games += 1
    assert games > tenth(250)


def test_a_drawn_ending_is_never_lost(shipped: Tablebase) -> None:
    with Engine(hash_mb=1) as engine:
        for p in at_random("taiwan", 3, 0, seed=9, count=tenth(1000)):
            result = shipped.probe(p)
            assert result is not None
            if result.value == 0 and p.outcome() is None:
                move, info = engine.play(p, Limit(nodes=200))
                assert info.score == Score(0.0)
                assert move in result.moves


def test_a_win_is_not_thrown_away_by_repetition(shipped: Tablebase) -> None:
    """The best move leads to a position that has stood twice: another winning move is found."""
    p = Position.from_fen("3k/4/4/4/4/4/4/K2R r - - 0")
    for _ in range(2):
        for move in ("d1-d2", "d8-c8", "d2-d1", "c8-d8"):
            p.push(move)
        if p.outcome() is not None:
            p.pop()
            break
    with Engine(hash_mb=1) as engine:
        winner = Side.RED if p.side == Side.RED else p.side
        result = shipped.probe(p)
        assert result is not None
        if result.value == 1:
            while p.outcome() is None:
                best = shipped.probe(p)
                assert best is not None
                p.push(engine.play(p, Limit(nodes=1000)).move if p.side == winner else best.moves[0])
            outcome = p.outcome()
            assert outcome is not None
            assert outcome.winner == winner


def test_threads_share_compressed_tables(shipped: Tablebase, packed: Path) -> None:
    positions = list(at_random("taiwan", 3, 0, seed=4, count=300))
    expected = [shipped.probe(p) for p in positions]
    found: dict[int, list[object]] = {}
    with Tablebase(packed, cache_mb=1) as tables:
        threads = [
            threading.Thread(target=lambda n=n: found.update({n: [tables.probe(p) for p in positions]}))
            for n in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert all(found[n] == expected for n in range(4))


def test_a_broken_block_ends_a_search_with_an_error(packed: Path) -> None:
    path = path_of(packed, Rules.parse("taiwan"), "Kvgg")
    (first_block,) = struct.unpack_from("<Q", files.read_header(path)[1])
    data = bytearray(path.read_bytes())
    data[first_block] ^= 1
    path.write_bytes(data)
    # The general takes the elephant, and two advisors are left.
    with Engine(hash_mb=1, tablebase=packed) as engine, pytest.raises(TablebaseError, match=r"Kvgg\.tb is broken"):
        engine.play(Position.from_fen("4/4/4/4/4/gg2/4/Km2 r - - 0"), Limit(depth=4))


@pytest.mark.parametrize("tablebase", [3, 1.5, b"x"])
def test_what_is_no_tablebase_is_refused(tablebase: object) -> None:
    with pytest.raises(TablebaseError, match="a tablebase is"):
        Engine(tablebase=tablebase)  # type: ignore[arg-type]  # the wrong type is what is tested


def test_a_tablebase_serves_several_engines(shipped: Tablebase) -> None:
    for _ in range(2):
        with Engine(hash_mb=1, tablebase=shipped) as engine:
            assert engine.play(Position.from_fen(WON.format(0)), Limit(depth=1)).info.score.proven


@pytest.mark.parametrize("rules", ["taiwan(perpetual=loses)", "hongkong", "double"])
def test_other_rules_are_searched_without(rules: str) -> None:
    fen = "7k/8/8/8/8/8/8/K1R5 r - - 0" if rules == "double" else WON.format(0)
    with Engine(hash_mb=1) as engine:
        assert not engine.play(Position.from_fen(fen, rules=rules), Limit(depth=3)).info.score.proven


# ---- the command line --------------------------------------------------------------------------------------------


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    from banqi.cli import main

    status = main(arguments)
    output = capfd.readouterr()
    return status, output.out, output.err


def test_bestmove_takes_a_folder(capfd: pytest.CaptureFixture[str]) -> None:
    fen = WON.format(0)
    status, out, _ = run(capfd, "bestmove", "--fen", fen, "--depth", "2", "--tablebase", str(SHIPPED_TABLES), "--json")
    assert (status, json.loads(out)["lines"][0]["plies"]) == (0, 19)
    status, out, err = run(capfd, "bestmove", "--fen", fen, "--depth", "2", "--tablebase", "nowhere")
    assert (status, out, err) == (2, "", "banqi: there is no folder 'nowhere' of endgame tables\n")


def test_probe_on_the_command_line(capfd: pytest.CaptureFixture[str]) -> None:
    fen = "3k/4/4/4/4/4/4/K3 r - - 0"
    with Engine(hash_mb=1, tablebase=None) as engine:
        searched = engine.play(Position.from_fen(fen), Limit(depth=30)).info.score
    status, out, _ = run(capfd, "tablebase", "probe", "--fen", fen)
    assert (status, out.splitlines()[0]) == (0, str(searched))
    status, out, _ = run(capfd, "tablebase", "probe", "--fen", fen, "--json")
    answer = json.loads(out)
    assert (status, answer["known"], answer["value"]) == (0, True, "-1")
    assert answer["dtm"] == answer["dtc"] == searched.plies
    status, out, _ = run(capfd, "tablebase", "probe", "--fen", "3k/4/4/4/4/4/4/KRR1 r - - 0", "--json")
    assert (status, json.loads(out)["known"]) == (1, False)


def test_stats_on_the_command_line(capfd: pytest.CaptureFixture[str]) -> None:
    """Of the 31 squares beside one of 8, 16 have the other colour: whoever moves at an odd distance takes."""
    status, out, _ = run(capfd, "tablebase", "stats", "--json")
    rows = {row["class"]: row for row in json.loads(out)["classes"]}
    assert (status, len(rows)) == (0, 25)
    assert rows["Kvk"]["values"] == {"1": 8 * 16, "0": 0, "-1": 8 * 15}
    assert run(capfd, "tablebase", "stats")[0] == 0


def test_build_on_the_command_line(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = run(capfd, "tablebase", "build", "--pieces", "2", "--dir", str(tmp_path), "--jobs", "1")
    assert status == 0
    assert out.startswith("5 of 5 classes to build: 1,984 positions, 1 at once in up to ")
    assert run(capfd, "tablebase", "build", "--pieces", "2", "--dir", str(tmp_path))[1].startswith("0 of 5 classes")
    status, _, err = run(capfd, "tablebase", "build", "--pieces", "9", "--dir", str(tmp_path))
    assert (status, err) == (2, "banqi: pieces must be a whole number from 2 to 6, not 9\n")
    status, _, err = run(capfd, "tablebase", "build", "--pieces", "2", "--rules", "double", "--dir", str(tmp_path))
    assert status == 2
    assert "4 x 8 board" in err
