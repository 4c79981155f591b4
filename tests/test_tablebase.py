"""What endgame tables say: solved by hand, the same under every symmetry, and consistent move by move."""

import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from banqi import Engine, Limit, LimitError, Move, Position, ProbeResult, Rules, Tablebase, TablebaseError
from banqi.tablebase import format as files
from banqi.tablebase.build import build_all, build_class, plan
from banqi.tablebase.classes import table_rules
from banqi.tablebase.probe import MAX_CACHE_MB
from endings import all_of, at_random, position
from full_width import FullWidthEngine
from inline_executor import InlineExecutor
from sizes import tenth


@pytest.fixture(scope="module")
def shipped() -> Iterator[Tablebase]:
    with Tablebase() as tables:
        yield tables


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of up to 3 pieces, up to 2 of them face down, under several rule sets."""
    root = tmp_path_factory.mktemp("tables")
    for rules in HOUSE:
        for _ in build_all(plan(Rules.parse(rules), 3, 2), root, InlineExecutor(), at_once=1):
            pass
    return root


EMPTY_CELL = 15

HOUSE = ("taiwan", "hongkong", "children", "cannon-chain", "mainland(dark_capture, chain=any)")


def probed(tables: Tablebase, fen: str, rules: str = "taiwan") -> ProbeResult:
    result = tables.probe(Position.from_fen(fen, rules=rules))
    assert result is not None
    return result


def distance(one: int, other: int) -> int:
    """Steps from square to square on an empty board."""
    return abs(one // 4 - other // 4) + abs(one % 4 - other % 4)


# ---- solved by hand ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("material", ["Kvk", "Pvp", "Mvm"])
def test_of_two_equal_pieces_the_one_takes_that_moves_at_an_odd_distance(shipped: Tablebase, material: str) -> None:
    """Each step changes the distance by one, so only one side ever moves next to the other with the other to move.

    That side loses if it has to: the other has the opposition, and the board is too small to run.
    """
    for p in all_of("taiwan", material):
        one, other = (square for square in range(32) if p.piece_at(square))
        result = shipped.probe(p)
        assert result is not None
        assert result.value == (1 if distance(one, other) % 2 else -1), p.fen()


def general_against_soldier(general: int, soldier: int, *, soldier_moves: bool) -> int:
    """By hand, for the side to move: the soldier takes if it moves at an odd distance; the general takes nothing."""
    if distance(general, soldier) % 2 == soldier_moves:
        return 1 if soldier_moves else -1
    return 0


def test_a_soldier_catches_a_general_by_opposition(shipped: Tablebase) -> None:
    for p in all_of("taiwan", "Kvp"):
        general, soldier = (next(s for s in range(32) if str(p.piece_at(s)) == letter) for letter in "Kp")
        result = shipped.probe(p)
        assert result is not None
        assert result.value == general_against_soldier(general, soldier, soldier_moves=p.side == "b"), p.fen()


def test_a_cannon_alone_never_wins_against_a_soldier(shipped: Tablebase) -> None:
    """It takes nothing beside it, and there is no screen; the soldier does not take it either."""
    for p in all_of("taiwan", "Cvp"):
        result = shipped.probe(p)
        assert result is not None
        assert (result.value, result.dtm, result.dtc) == (0, None, None), p.fen()


def test_a_side_without_a_legal_action_has_lost(shipped: Tablebase) -> None:
    corner = probed(shipped, "4/4/4/4/4/4/N3/pN2 b - - 0")
    assert (corner.value, corner.dtm, corner.dtc, corner.moves) == (-1, 0, 0, ())
    # The horse steps in; a soldier takes no horse.
    before = probed(shipped, "4/4/4/4/4/N3/4/pN2 r - - 0")
    assert (before.value, before.dtm) == (1, 1)
    assert [str(move) for move in before.moves] == ["a3-a2", "b1-a1"]


def test_a_side_without_pieces_has_lost(shipped: Tablebase) -> None:
    result = probed(shipped, "4/4/4/4/4/4/4/K3 b - - 0")
    assert (result.value, result.dtm, result.moves) == (-1, 0, ())


def test_a_face_down_soldier_against_a_general(folder: Path) -> None:
    """Black has only flips, and then the pieces are face up, so whoever moves there is known to win or draw by hand."""
    with Tablebase(folder, "taiwan") as tables:
        for general in range(32):
            for soldier in range(32):
                if general == soldier:
                    continue
                pieces = {general: "K", soldier: "x"}
                black = -general_against_soldier(general, soldier, soldier_moves=False)
                flipping = -general_against_soldier(general, soldier, soldier_moves=True)
                stepping = [
                    general_against_soldier(to, soldier, soldier_moves=False)
                    for to in range(32)
                    if distance(general, to) == 1 and to != soldier
                ]
                for side, value in (("r", max(flipping, *stepping)), ("b", black)):
                    result = tables.probe(position("taiwan", pieces, side, "p"))
                    assert result is not None
                    assert result.value == value, (pieces, side)


@pytest.mark.parametrize(
    ("fen", "rules", "best"),
    [
        # By hand: who takes the last enemy wins at once, by an exit, and so do all other exits that win.
        ("4/4/4/4/4/1Cg1/1x2/4 b g - 0", "children", {"c3-b3", "b2"}),
        ("3x/2gP/4/4/4/4/4/4 b g - 0", "children", {"c7-d7", "d8"}),
        ("3c/2xP/4/4/4/4/4/4 b m - 0", "mainland(dark_capture, chain=any)", {"c7"}),
    ],
)
def test_taking_the_last_enemy_in_a_chain_is_one_ply(folder: Path, fen: str, rules: str, best: set[str]) -> None:
    with Tablebase(folder, rules) as tables:
        result = probed(tables, fen, rules)
        assert (result.value, result.dtm, result.dtc) == (1, None, 1)
        assert {str(move) for move in result.moves} >= best


@pytest.mark.parametrize("rules", ["children", "cannon-chain", "mainland(dark_capture, chain=any)"])
@pytest.mark.parametrize("hidden", [1, 2])
def test_all_exits_that_keep_a_value_are_best(folder: Path, rules: str, hidden: int) -> None:
    """By the meaning of dtc: where the end, a capture, an attempt or a flip is best, all such that are worth it are."""
    with Tablebase(folder, rules) as tables:
        opened = tables._tables(Rules.of(rules))
        for p in at_random(rules, 3, hidden, seed=hidden, count=tenth(3000)):
            result = tables.probe(p)
            assert result is not None
            if result.value > 0 and result.dtc == 1:
                exits = {move for move in p.legal_moves if _leaves(p, move)}
                kept = {move for move in exits if opened.after(p, move).value == result.value}
                assert set(result.moves) == kept, p.fen()


def _leaves(p: Position, move: Move) -> bool:
    """Whether a move is a capture, an attempt or a flip: not a step to an empty square."""
    return p.state.cells()[move.to_square] != EMPTY_CELL


# ---- consistent move by move -------------------------------------------------------------------------------------


def check(tables: Tablebase, p: Position) -> None:
    """A position's value is that of its best move; the distances follow from those behind the best moves."""
    opened = tables._tables(p.rules)
    result = tables.probe(p)
    assert result is not None
    if not p.legal_moves:
        assert (result.value, result.dtm, result.dtc) == (-1, 0, 0)
        return
    after = [opened.after(p, move) for move in p.legal_moves]
    best = [worth for worth in after if worth.value == max(worth.value for worth in after)]
    assert result.value == best[0].value, p.fen()
    if result.value == 0:
        assert (result.dtm, result.dtc) == (None, None)
        return
    choose = min if result.value > 0 else max
    assert result.dtc == choose(worth.dtc or 0 for worth in best), p.fen()
    if p.state.cells().count(14) == 0:
        assert result.dtm == choose(worth.dtm or 0 for worth in best), p.fen()


@pytest.mark.parametrize("rules", HOUSE)
@pytest.mark.parametrize("hidden", [0, 1, 2])
def test_a_value_follows_from_those_of_all_moves(folder: Path, rules: str, hidden: int) -> None:
    with Tablebase(folder, rules) as tables:
        for pieces in (2, 3):
            for p in at_random(rules, pieces, hidden, seed=pieces, count=tenth(5000)):
                check(tables, p)


def test_search_without_tables_proves_nothing_else(shipped: Tablebase) -> None:
    proved = 0
    with FullWidthEngine(hash_mb=16, tablebase=None) as engine:
        for p in at_random("taiwan", 3, 0, seed=7, count=tenth(10_000)):
            if p.outcome() is not None:
                continue
            score = engine.play(p, Limit(depth=7)).info.score
            result = shipped.probe(p)
            assert result is not None
            if score.proven:
                proved += 1
                assert (score.value, score.plies) == (result.value, result.dtm), p.fen()
            else:
                assert result.dtm is None or result.dtm > 7, p.fen()
    assert proved > tenth(1000)


# ---- symmetry and classes ----------------------------------------------------------------------------------------


def test_symmetric_positions_have_one_result(folder: Path) -> None:
    with Tablebase(folder) as tables:
        for hidden in (0, 1, 2):
            for p in at_random("taiwan", 3, hidden, seed=hidden, count=tenth(2000)):
                one, other = tables.probe(p), tables.probe(p.canonical())
                assert one is not None
                assert other is not None
                assert (one.value, one.dtm, one.dtc) == (other.value, other.dtm, other.dtc), p.fen()


def test_all_materials_of_a_class_have_one_result(shipped: Tablebase) -> None:
    """Which piece stands for which is read off the table of captures by hand."""
    rng = random.Random(3)
    for one, other in (("KGM", "MRN"), ("RPC", "GPC"), ("KGP", "GPK")):
        (red, *black), (red_too, *black_too) = one, other
        for _ in range(200):
            squares = rng.sample(range(32), 3)
            found = []
            for first, second in ((red, black), (red_too, black_too)):
                pieces = dict(zip(squares, first + "".join(second).lower(), strict=True))
                result = shipped.probe(position("taiwan", pieces, "r"))
                assert result is not None
                found.append((result.value, result.dtm, result.dtc, result.moves))
            assert found[0] == found[1]


# ---- what is refused ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "words"),
    [("taiwan(perpetual=loses)", "endless play for a draw"), ("double", "4 x 8 board")],
)
def test_other_rules_are_refused(rules: str, words: str) -> None:
    with pytest.raises(TablebaseError, match=words):
        Tablebase(rules=rules)


def test_rules_that_do_not_matter_share_tables() -> None:
    assert str(table_rules(Rules.parse("dark-capture(quiet_limit=20, repetition=cycle)"), 0)) == "taiwan"
    assert str(table_rules(Rules.parse("children(quiet_limit=20)"), 1)) == "children"
    assert str(table_rules(Rules.parse("cannon-chain"), 0)) == "taiwan(chain=cannon)"


def test_no_table_is_no_error(shipped: Tablebase) -> None:
    assert shipped.probe(Position()) is None
    assert shipped.probe(Position.from_fen("3k/4/4/4/4/4/4/KRR1 r - - 0")) is None
    assert shipped.probe(Position.from_fen("3k/4/4/4/4/4/4/K1R1 r - - 0", rules="hongkong")) is None


def test_a_closed_base_refuses() -> None:
    tables = Tablebase()
    tables.close()
    with pytest.raises(TablebaseError, match="closed"):
        tables.probe(Position())


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TablebaseError, match="no folder"):
        Tablebase(tmp_path / "nothing")
    with pytest.raises(TablebaseError, match="no folder"):
        Engine(tablebase=tmp_path / "nothing")


@pytest.mark.parametrize("folder", [5, [], 1.5, True, b"/tmp", ""])
def test_what_is_no_folder_is_refused(folder: object) -> None:
    with pytest.raises(TablebaseError, match="folder"):
        Tablebase(folder)  # type: ignore[arg-type]  # the wrong type is what is tested


@pytest.mark.parametrize("value", ["text", None, 3])
def test_what_is_no_position_is_refused(shipped: Tablebase, value: object) -> None:
    for ask in (shipped.probe, shipped.advise):
        with pytest.raises(TablebaseError, match=r"a position is a banqi\.Position"):
            ask(value)  # type: ignore[arg-type]  # the wrong type is what is tested


def test_after_the_end_there_is_no_advice(shipped: Tablebase) -> None:
    # A general takes no soldier, and two of them shut it into the corner: red has no action, and has lost.
    for fen in ("4/4/4/4/4/4/p3/Kp2 r - - 0", "4/4/4/4/4/4/4/K3 b - - 0"):
        advice = shipped.advise(Position.from_fen(fen))
        assert advice is not None
        assert (advice.value, advice.moves) == (-1, ())


def test_a_cache_that_does_not_fit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "STORED_BYTES", 0)
    build_class(str(tmp_path), "taiwan", "Kvk")
    with pytest.raises(LimitError, match="a cache of 1048576 MB does not fit"):
        Tablebase(tmp_path, "taiwan", cache_mb=MAX_CACHE_MB)


def test_a_missing_smaller_table_is_named(shipped: Tablebase, tmp_path: Path) -> None:
    (tmp_path / "taiwan").mkdir()
    name = "Kvgg.tb"
    (tmp_path / "taiwan" / name).write_bytes((shipped.directory / "taiwan" / name).read_bytes())
    with Tablebase(tmp_path) as tables, pytest.raises(TablebaseError, match="no table for"):
        tables.probe(Position.from_fen("4/4/4/4/4/4/4/Kgg1 r - - 0"))


def test_values_are_fractions(shipped: Tablebase) -> None:
    assert isinstance(probed(shipped, "3k/4/4/4/4/4/4/K3 r - - 0").value, Fraction)
