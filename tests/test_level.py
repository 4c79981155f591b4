"""Levels: what they search, and what they choose among."""

from collections import Counter
from random import Random

import pytest

from banqi import Deal, Engine, Limit, LimitError, Position, Score
from banqi.engine import Info
from banqi.level import EASY, HARD, LEVELS, MEDIUM
from banqi.move import Move

MIDDLE_GAME = "kCPm/gpxx/rPPr/xNxx/xKpG/Rx1x/xpmx/MPpM r GRNCPgnccp - 1"
JUNQI_MIDDLE_GAME = "xxr2/1xxto/ODx1b/LlC1x/2C1M/Gx3/1dc1g/1CL1x/B2cx/LPlp1/1R1mx/1lbxt r BRTPEOFreof - 0"
# The general takes the last piece.
WIN_IN_1 = "4/4/4/4/4/K3/g3/4 r - - 0"


def line(value, proven=False, rank=1):
    move = Move(rank, rank)
    return Info(rank, move, Score(value, proven, 1 if proven else None), 1, 1, 10, 0.0, 0, ())


def test_names():
    assert list(LEVELS) == ["easy", "medium", "hard"]
    for name in ("hardest", "", None, 3, "Hard"):
        with pytest.raises(LimitError, match="there are easy, medium, hard"):
            Engine(hash_mb=1, level=name)
    for seed in (-1, 1.5, "x"):
        with pytest.raises(LimitError, match="the seed"):
            Engine(hash_mb=1, level="easy", seed=seed)


def test_only_what_is_nearly_as_good_is_chosen():
    # By hand: within 0.15 of the best are the first two of these; the nearer, the likelier.
    infos = [line(0.3, rank=1), line(0.24, rank=2), line(0.1, rank=3), line(-0.5, rank=4)]
    chosen = Counter(EASY.choose(infos, Random(i)).rank for i in range(3000))
    assert set(chosen) == {1, 2}
    # Weights 1 and 1 - 0.06 / 0.15.
    assert chosen[1] / 3000 == pytest.approx(0.625, abs=0.04)
    assert {HARD.choose(infos, Random(i)).rank for i in range(20)} == {1}


def test_a_search_that_ended_half_way_may_have_a_better_line_behind_the_first():
    infos = [line(0.3, rank=1), line(0.4, rank=2)]
    assert {HARD.choose(infos, Random(i)).rank for i in range(20)} == {1}
    assert {EASY.choose(infos, Random(i)).rank for i in range(200)} == {1, 2}


def test_a_sure_win_is_taken_and_a_sure_loss_avoided():
    assert {EASY.choose([line(1.0, True, 1), line(0.97, rank=2)], Random(i)).rank for i in range(200)} == {1}
    assert {EASY.choose([line(1.0, True, 1), line(1.0, True, 2)], Random(i)).rank for i in range(200)} == {1}
    assert {EASY.choose([line(-0.95, rank=1), line(-1.0, True, 2)], Random(i)).rank for i in range(200)} == {1}
    assert {EASY.choose([line(0.0, True, 1)], Random(i)).rank for i in range(5)} == {1}


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
@pytest.mark.parametrize("fen", [MIDDLE_GAME, JUNQI_MIDDLE_GAME])
def test_a_level_sees_so_far(level, fen):
    position = Position.from_fen(fen, rules="junqi" if fen is JUNQI_MIDDLE_GAME else "taiwan")
    with Engine(hash_mb=1, level=level, seed=1) as engine:
        result = engine.play(position, Limit(nodes=50_000)).info
        assert result.nodes <= (LEVELS[level].nodes or 50_000)
        assert result.depth <= (LEVELS[level].depth or 100)
        assert engine.play(position, Limit(nodes=20)).info.nodes <= 20
        assert engine.play(Position.from_fen(WIN_IN_1), Limit(nodes=5000)).move.wire() == "a3a2"
        # Analysis tells what the engine sees, not what the level would play.
        assert engine.analyse(position, Limit(nodes=2000))[0].nodes == 2000


def moves_of(engine, seed):
    deal, position = Deal("taiwan", seed), Position()
    played = []
    for _ in range(30):
        move = engine.play(position, Limit(nodes=50_000)).move
        played.append(str(move))
        if position.outcomes(move)[0].move.reveal is not None:
            move = position.read_move(f"{move}({deal.reveal(move.to_square)})")
        position.push(move)
    return played


def test_a_seed_repeats_its_choices_after_clear():
    with Engine(hash_mb=1, level="easy", seed=7) as engine, Engine(hash_mb=1, level="easy", seed=8) as other:
        first = moves_of(engine, 3)
        engine.clear()
        assert moves_of(engine, 3) == first
        assert moves_of(other, 3) != first
    with Engine(hash_mb=1, level="easy") as engine:
        games = []
        for _ in range(4):
            engine.clear()
            games.append(tuple(moves_of(engine, 3)))
        assert len(set(games)) > 1


def test_the_levels_are_in_order():
    assert EASY.depth < MEDIUM.depth
    assert EASY.spread > MEDIUM.spread > HARD.spread == 0
    assert HARD.nodes is HARD.depth is None
