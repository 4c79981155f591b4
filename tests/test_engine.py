"""Engine: what searches return, refuse and promise. Positions with a known result were worked out by hand."""

import copy
import math
import pickle
import random
import time
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banqi import (
    Engine,
    EngineError,
    FenError,
    Info,
    Limit,
    LimitError,
    Move,
    MoveError,
    Position,
    RulesError,
    Score,
    Side,
    best_move,
)
from banqi.bench import POSITIONS
from banqi.core import _banqi32
from banqi.engine import MAX_DEPTH, LineMove
from full_width import FullWidthEngine
from reference import fen as text
from reference import games, walks
from reference.position import Position as ReferencePosition
from sizes import tenth

# 17 men face up, 11 face down.
MIDDLE_GAME = "kCPm/gpxx/rPPr/xNxx/xKpG/Rx1x/xpmx/MPpM r GRNCPgnccp - 1"
# 28 men face up, 11 face down, both flags among them.
JUNQI_MIDDLE_GAME = "2GMP/T4/P1C2/xc1E1/4L/1l2B/1d1xx/m1B1E/1D1p1/c2tC/LxoL1/lf2b b CFtl - 0"
MIDDLE_GAMES = {"taiwan": MIDDLE_GAME, "junqi": JUNQI_MIDDLE_GAME}
RULES = ("taiwan", "hongkong", "mainland", "cannon-adjacent", "hongkong(cannon=jump)", "mainland(cannon=jump)", "junqi")
# Other ways for a game to end.
LIMITS = ("taiwan(quiet_limit=9)", "taiwan(repetition=cycle)", "taiwan(repetition=none)", "taiwan(repetition=2)")
# What a value of the compiled core is rounded to; each chance level adds half of it.
UNIT = 1 / _banqi32.UNIT

WIN_IN_1 = "4/4/4/4/4/4/4/Rp2 r - - 0"
# After b3-b2 the soldier in the corner has two steps, and the chariot takes it on either square.
WIN_IN_3 = "4/4/4/4/4/1R2/4/p3 r - - 0"
# c1-b1 leaves the soldier no square; it takes no cannon, and no cannon takes it.
NO_MOVES_IN_1 = "4/4/4/4/4/4/C3/p1C1 r - - 0"
# Two generals far apart.
GENERALS = "3k/4/4/4/4/4/4/K3 r - - 0"
# a1-a2 d8-d7 a2-a1 d7-d8 brings it back.
CYCLE = ("a1-a2", "d8-d7", "a2-a1", "d7-d8")


@pytest.fixture(scope="module")
def shared():
    with Engine(hash_mb=1, tablebase=None) as engine:
        yield engine


@pytest.fixture
def engine(shared):
    shared.clear()
    return shared


@pytest.fixture(params=MIDDLE_GAMES)
def middle(request):
    """A middle game of each game."""
    return position_of(MIDDLE_GAMES[request.param], request.param)


def position_of(fen, rules="taiwan"):
    return Position.from_fen(fen, rules=rules)


def exchanged(fen):
    """The same position with the colours exchanged."""
    placement, side, pool, chain, quiet = fen.split()
    placement = placement.swapcase().replace("X", "x")
    return f"{placement} {side.translate(str.maketrans('rb', 'br'))} {pool.swapcase()} {chain} {quiet}"


def turned(fen):
    """The same position with the board turned by half a turn."""
    placement, rest = fen.split(" ", 1)
    return f"{placement[::-1]} {rest}"


def random_position(rng, rules, *, most=16):
    """A position with up to `most` men on each side, often many of them face down, that is not over."""
    switches = games.parse(rules)
    least = max(1, len(switches.vital))
    while True:
        red, black = rng.randint(least, most), rng.randint(least, most)
        hidden = rng.randrange(red + black) if rng.random() < 0.7 else 0
        position = position_of(walks.random_fen(switches, rng, red=red, black=black, hidden=hidden), rules)
        if position.outcome() is None:
            return position


def mean_of(reveals):
    """The mean over a flip's reveals, a proven end counting a unit less for each ply."""
    value = sum(reveal.weight * (reveal.score.value * (1 - UNIT * (reveal.score.plies or 0))) for reveal in reveals)
    return value / sum(reveal.weight for reveal in reveals)


def check_line(position, info):
    """Replay a line with the reveals that it assumes."""
    position = position.copy()
    assert info.pv[0].move.request == info.move
    for number, (move, chance) in enumerate(info.pv, start=1):
        if move.is_flip and move.reveal is None:
            assert (number, chance) == (len(info.pv), 1.0)
            assert position.is_legal(move)
            return
        pool = position.pool
        assert chance == (pool[move.reveal] / sum(pool.values()) if move.is_flip else 1.0)
        position.push(move)


# ---- limits ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "limits",
    [
        pytest.param({name: value}, id=f"{name}={value!r:.20}")
        for name, values in {
            "time": [
                math.nan,
                math.inf,
                -math.inf,
                0,
                0.0,
                -1,
                True,
                "1",
                2e9,
                10**400,
                1j,
                np.float64("nan"),
                np.True_,
            ],
            "nodes": [0, -1, True, "1", 1.0, math.nan, math.inf, 1 << 63, 10**400, np.float32(3), np.True_],
            "depth": [0, -1, True, "1", 1.0, math.nan, 101, np.int8(-1)],
        }.items()
        for value in values
    ]
    + [pytest.param({"time": np.timedelta64(5, "s")}, id="duration"), pytest.param({}, id="none")],
)
def test_limits_that_make_no_sense_are_refused(limits):
    with pytest.raises(LimitError) as caught:
        Limit(**limits)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)


def test_limits_may_be_numbers_of_numpy():
    limit = Limit(time=np.float32(0.5), nodes=np.int64(7), depth=np.uint8(3))
    assert limit == Limit(time=0.5, nodes=7, depth=3)
    assert [type(value) for value in (limit.time, limit.nodes, limit.depth)] == [float, int, int]
    assert Limit(time=np.int16(2)).time == 2.0


@pytest.mark.parametrize(
    "arguments",
    [
        {"threads": 0},
        {"threads": 257},
        {"threads": True},
        {"threads": 1.0},
        {"threads": "2"},
        {"hash_mb": 0},
        {"hash_mb": -1},
        {"hash_mb": math.nan},
        {"hash_mb": 0.5},
        {"hash_mb": 1 << 20},
        {"hash_mb": 1 << 70},
    ],
    ids=str,
)
def test_engines_that_make_no_sense_are_refused(arguments):
    with pytest.raises(LimitError) as caught:
        Engine(**arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("lines", [0, -1, 501, True, 1.0, "1", math.nan])
def test_numbers_of_lines_that_make_no_sense_are_refused(engine, lines):
    with pytest.raises(LimitError):
        engine.analyse(Position(), Limit(depth=1), multipv=lines)
    with pytest.raises(LimitError):
        engine.analysis(Position(), Limit(depth=1), multipv=lines)


@pytest.mark.parametrize("method", ["play", "analyse", "analysis"])
@pytest.mark.parametrize("limit", [0, 1, 0.5, "1", {}])
def test_a_limit_is_a_limit(engine, method, limit):
    with pytest.raises(LimitError, match=r"banqi\.Limit"):
        getattr(engine, method)(Position(), limit)


@pytest.mark.parametrize("method", ["play", "analyse", "analysis"])
@pytest.mark.parametrize("position", [None, WIN_IN_1, 1])
def test_a_position_is_a_position(engine, method, position):
    with pytest.raises(EngineError, match=r"banqi\.Position"):
        getattr(engine, method)(position, Limit(depth=1))


# ---- the engine's life -------------------------------------------------------------------------------------------


def test_a_closed_engine_says_so():
    with Engine(hash_mb=1) as engine:
        assert engine.threads == 1
        engine.play(Position(), Limit(nodes=10))
    engine.close()
    engine.close()
    engine.stop()
    for call in (
        lambda: engine.play(Position(), Limit(depth=1)),
        lambda: engine.analyse(Position(), Limit(depth=1)),
        lambda: engine.analysis(Position()),
        engine.clear,
        engine.__enter__,
    ):
        with pytest.raises(EngineError, match=r"^the engine is closed$"):
            call()


def test_an_engine_works_without_a_with_block():
    engine = Engine(hash_mb=1)
    assert engine.play(position_of(WIN_IN_1), Limit(depth=1)).move == Move.from_text("a1-b1")
    engine.close()


def test_an_error_in_the_with_block_closes_the_engine():
    with pytest.raises(KeyError), Engine(hash_mb=1) as engine:  # noqa: PT012 - the exit is what is tested
        analysis = engine.analysis(position_of(MIDDLE_GAME))
        raise KeyError
    analysis.wait()
    with pytest.raises(EngineError):
        engine.clear()


@pytest.mark.parametrize("limit", [Limit(depth=4), Limit(nodes=300_000)], ids=str)
def test_clear_makes_a_search_repeat_exactly(middle, limit):
    def searched():
        infos = engine.analyse(middle, limit, multipv=2)
        return [(i.move, i.score, i.depth, i.seldepth, i.nodes, i.hashfull, i.pv, i.reveals) for i in infos]

    with Engine(hash_mb=1) as engine:
        fresh = searched()
        warm = searched()
        engine.clear()
        assert searched() == fresh
    # The table of the search before makes a difference, so that clearing it can be seen.
    assert warm != fresh
    with Engine(hash_mb=1) as engine:
        assert searched() == fresh


@pytest.mark.parametrize(
    ("fen", "moves", "name"),
    [
        ("4/4/4/4/4/4/4/R3 b - - 0", (), "red wins (all_captured)"),
        ("4/4/4/4/4/4/C3/pC2 b - - 0", (), "red wins (no_moves)"),
        (GENERALS, 2 * CYCLE, "draw (repetition)"),
        ("3k/4/4/4/4/4/4/K3 r - - 180", (), "draw (quiet_limit)"),
        ("5/5/5/5/5/5/5/5/5/5/M4/4F b - - 0", (), "red wins (flag)"),
        ("5/5/5/5/5/5/5/5/5/5/M4/f3F b - - 0", (), "red wins (no_moves)"),
        ("4p/5/5/5/5/5/5/5/5/5/M4/f3F b - - 80", (), "draw (quiet_limit)"),
    ],
)
def test_a_finished_game_is_not_searched(engine, fen, moves, name):
    position = position_of(fen, "junqi" if fen.count("/") == 11 else "taiwan")
    for move in moves:
        position.push(move)
    for call in (engine.play, engine.analyse, engine.analysis):
        with pytest.raises(EngineError) as caught:
            call(position, Limit(depth=1))
        assert name in str(caught.value)


def test_a_position_stays_as_it_was(engine):
    position = position_of(MIDDLE_GAME)
    position.push("d4-c4")
    position.push("c7(g)")
    before = (position.fen(), position.move_stack, position.key, position.quiet, position.repetitions())
    engine.play(position, Limit(nodes=5000))
    engine.analyse(position, Limit(nodes=5000), multipv=3)
    with engine.analysis(position, Limit(nodes=5000)) as analysis:
        list(analysis)
    assert (position.fen(), position.move_stack, position.key, position.quiet, position.repetitions()) == before
    assert position.pop() == before[1][-1]


def test_positions_are_pickled_copied_and_changed_while_they_are_searched(engine):
    position = position_of(MIDDLE_GAME)
    with engine.analysis(position, Limit(nodes=200_000)) as analysis:
        for _ in range(20):
            assert pickle.loads(pickle.dumps(position)) == copy.copy(position) == copy.deepcopy(position) == position
        moves = set(position.legal_moves)
        position.push("d4-c4")
        assert {info.move for info in analysis} <= moves
    assert position.pop() == Move.from_text("d4-c4")


def test_what_a_search_found_is_pickled(engine):
    result = engine.play(position_of(MIDDLE_GAME), Limit(depth=2))
    assert pickle.loads(pickle.dumps(result)) == result


# ---- limits kept -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", [1, 2, 3, 100, 1023, 1024, 1025, 12_345, 100_000])
def test_one_thread_searches_as_many_nodes_as_it_may(engine, middle, nodes):
    assert engine.play(middle, Limit(nodes=nodes)).info.nodes == nodes


@pytest.mark.parametrize("rules", ["taiwan", "children", "junqi"])
def test_no_node_follows_the_last_one(engine, rules):
    """Wherever the limit falls: between reveals, behind one, among captures."""
    start = Position(rules)
    for nodes in range(1000, 3000, 37):
        engine.clear()
        assert engine.play(start, Limit(nodes=nodes)).info.nodes == nodes


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_no_search_overruns_its_nodes(engine, position):
    for nodes in (1, 2, 1000, 12_345):
        info = engine.play(Position.from_fen(position.fen, rules=position.rules), Limit(nodes=nodes)).info
        assert info.nodes <= nodes
        assert info.nodes == nodes or info.score.proven


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_limit_of_depth_is_reached(engine, middle, depth):
    info = engine.play(middle, Limit(depth=depth)).info
    assert info.depth == depth
    assert info.seldepth >= depth


def test_a_limit_of_time_is_kept(engine, middle):
    late = []
    for _ in range(5):
        started = time.perf_counter()
        info = engine.play(middle, Limit(time=0.05)).info
        late.append(time.perf_counter() - started - 0.05)
        assert info.time >= 0.05
        assert info.nps == pytest.approx(info.nodes / info.time, abs=1)
    assert 0 <= min(late) < 0.03


def test_the_first_limit_that_is_reached_counts(engine):
    position = position_of(MIDDLE_GAME)
    assert engine.play(position, Limit(time=60, nodes=500, depth=100)).info.nodes == 500
    assert engine.play(position, Limit(time=60, nodes=1 << 60, depth=1)).info.depth == 1
    started = time.perf_counter()
    engine.play(position, Limit(time=0.01, nodes=1 << 60, depth=100))
    assert time.perf_counter() - started < 1


# ---- what is found -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("swap", [str, exchanged, turned], ids=["red", "black", "turned"])
@pytest.mark.parametrize("depth", [4, 6])
@pytest.mark.parametrize(
    ("rules", "fen", "value", "plies", "move"),
    [
        ("taiwan", WIN_IN_1, 1.0, 1, "a1-b1"),
        ("taiwan", "4/4/4/4/4/4/1R2/p3 b - - 0", -1.0, 2, None),
        ("taiwan", WIN_IN_3, 1.0, 3, "b3-b2"),
        ("taiwan", NO_MOVES_IN_1, 1.0, 1, "c1-b1"),
        # A cannon that jumps over its own man, far away.
        ("taiwan", "p3/4/4/4/P3/4/4/C3 r - - 0", 1.0, 1, "a1-a8"),
        # A general cannot take a soldier, the soldier takes it.
        ("taiwan", "4/4/4/4/4/4/4/Kp2 b - - 0", 1.0, 1, "b1-a1"),
        # Junqi: the flag by road, by a bomb along the railway, and by an engineer round a corner.
        ("junqi", "4p/5/5/5/5/5/5/5/5/5/M4/f3F r - - 0", 1.0, 1, "a2-a1"),
        ("junqi", "4p/f4/5/5/5/5/5/5/5/5/O4/4F r - - 0", 1.0, 1, "a2-a11"),
        ("junqi", "4p/f4/5/5/5/5/5/5/5/5/4E/4F r - - 0", 1.0, 1, "e2-a11"),
        # Blue has but one ply, and it helps nothing; then red is to move, and gets beside the flag at a2 only.
        ("junqi", "4p/5/5/5/5/5/5/5/5/5/M4/f3F b - - 0", -1.0, 2, None),
        ("junqi", "4p/5/5/5/5/5/5/5/5/M4/5/f3F r - - 0", 1.0, 3, "a3-a2"),
        # Blue's last piece that can move is taken, and only a flag is left.
        ("junqi", "1f3/5/5/5/5/5/5/5/5/5/M1p2/4F r - - 0", 1.0, 1, "a2-c2"),
    ],
)
def test_proven_ends_are_found_with_their_plies(engine, swap, depth, rules, fen, value, plies, move):
    result = engine.play(position_of(swap(fen), rules), Limit(depth=depth))
    assert result.info.score == Score(value, True, plies)
    assert result.info.depth <= depth
    if move is not None and swap is not turned:
        assert str(result.move) == move


def test_a_flip_that_wins_says_so_for_each_reveal(engine):
    """What red flips stands beside the soldier; black has nothing but the other flip, and red takes: 3 plies."""
    position = position_of("4/4/4/4/4/4/x3/px2 r GM - 0")
    info = engine.play(position, Limit(depth=5)).info
    win = Score(1.0, True, 3)
    assert info.score == win
    assert [(reveal.identity, reveal.weight, reveal.score) for reveal in info.reveals] == [("G", 1, win), ("M", 1, win)]


def test_a_flip_that_may_win_is_worth_the_mean(engine):
    """As above, but if the general comes first, the soldier takes it."""
    position = position_of("4/4/4/4/4/4/x3/px2 r KG - 0")
    (info,) = engine.analyse(position, Limit(depth=5))
    general, advisor = info.reveals
    assert (general.identity, general.weight, general.chance) == ("K", 1, 0.5)
    assert (advisor.identity, advisor.score) == ("G", Score(1.0, True, 3))
    assert not general.score.proven
    assert general.score.value < 1
    assert info.score.value == pytest.approx((1 + general.score.value) / 2, abs=4 * UNIT)
    assert not info.score.proven


def exact(position, plies):
    """By the reference: plies to the end that best play proves within `plies`, negative for a loss; None if none is."""
    if position.lost(position.side) or not position.legal():
        return 0
    if plies == 0:
        return None
    replies = [exact(position.after(action), plies - 1) for action in sorted(position.legal())]
    wins = [1 - reply for reply in replies if reply is not None and reply <= 0]
    if wins:
        return min(wins)
    return None if None in replies else min(-1 - reply for reply in replies)


@pytest.mark.parametrize(("rules", "count"), [*((rules, 4000) for rules in RULES[:4]), ("junqi", 1000)])
def test_proven_ends_are_those_of_the_reference(rules, count):
    """A proven score within the depth is the shortest win or the longest loss, and none is missed if none is left out.

    Captures are searched beyond the depth, so ends may be proven that come later.
    """
    rng = random.Random(f"proven {rules}")
    switches = games.parse(rules)
    seen = set()
    least = len(switches.vital)
    with FullWidthEngine(hash_mb=16, tablebase=None) as engine:
        for _ in range(tenth(count)):
            red, rows = least + rng.randint(1, 3), rng.choice((2, 3))
            fen = walks.random_fen(switches, rng, red=red, black=least + 1, hidden=0, rows=rows)
            position = position_of(fen, rules)
            if position.outcome() is not None:
                continue
            score = engine.play(position, Limit(depth=3)).info.score
            found = (score.plies if score.value > 0 else -score.plies) if score.proven else None
            assert found == exact(text.read(fen, switches), max(3, score.plies or 0)), fen
            seen.add(found)
        assert seen >= {None, 1, -2, 3}


def test_a_position_is_worth_the_same_to_either_colour(engine):
    rng = random.Random("colours")
    for number in range(tenth(2000)):
        rules = rng.choice(RULES)
        position = random_position(rng, rules)
        depth = 1 if sum(position.pool.values()) > 4 else rng.choice((1, 2, 3))
        other = (exchanged, turned)[number % 2](position.fen())
        expected = engine.play(position, Limit(depth=depth)).info.score
        engine.clear()
        assert engine.play(position_of(other, rules), Limit(depth=depth)).info.score == expected, position.fen()
        engine.clear()


def test_the_mover_wants_what_is_good_for_it(engine):
    """A chariot against a soldier is good for the chariot's side, whoever is to move."""
    for side, sign in (("r", 1), ("b", -1)):
        score = engine.play(position_of(f"3p/4/4/4/4/4/4/R3 {side} - - 0"), Limit(depth=2)).info.score
        assert score.value * sign > 0


def test_scores_are_ordered_from_bad_to_good():
    scores = [
        Score(-1.0, True, 2),
        Score(-1.0, True, 40),
        Score(-0.5),
        Score(0.0),
        Score(0.25),
        Score(1.0, True, 33),
        Score(1.0, True, 1),
    ]
    assert sorted(reversed(scores)) == scores
    assert max(scores) == Score(1.0, True, 1)
    assert [str(score) for score in scores] == [
        "loss in 2",
        "loss in 40",
        "-0.5000",
        "+0.0000",
        "+0.2500",
        "win in 33",
        "win in 1",
    ]


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (_banqi32.UNIT - 1, Score(1.0, True, 1)),
        (7 - _banqi32.UNIT, Score(-1.0, True, 7)),
        (_banqi32.PROVEN, Score(1.0, True, _banqi32.UNIT - _banqi32.PROVEN)),
        (_banqi32.PROVEN - 1, Score((_banqi32.PROVEN - 1) / _banqi32.UNIT)),
        (-(_banqi32.UNIT // 4), Score(-0.25)),
        (0, Score(0.0)),
    ],
)
def test_values_of_the_core_become_scores(value, score):
    """A win in n plies is UNIT - n, everything within PROVEN of UNIT is proven, all else is a fraction of UNIT."""
    assert Score.from_core(value, _banqi32) == score


# ---- repetition and the quiet limit ------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_only_steps_before_the_quiet_limit_are_a_draw(engine, depth):
    infos = engine.analyse(position_of("3k/2g1/4/4/4/4/4/K3 r - - 179"), Limit(depth=depth), multipv=9)
    assert [info.score for info in infos] == [Score(0.0), Score(0.0)]


@pytest.mark.parametrize("quiet", [178, 179])
def test_a_win_on_the_last_quiet_ply_is_a_win(engine, quiet):
    """B7: no_moves is tested before quiet_limit."""
    fen = NO_MOVES_IN_1.replace(" 0", f" {quiet}")
    assert engine.play(position_of(fen), Limit(depth=4)).info.score == Score(1.0, True, 1)


@pytest.mark.parametrize(("quiet", "score"), [(177, Score(1.0, True, 3)), (178, Score(0.0)), (179, Score(0.0))])
def test_a_win_that_comes_after_the_quiet_limit_is_none(engine, quiet, score):
    """The win takes two quiet plies, then a capture."""
    fen = WIN_IN_3.replace(" 0", f" {quiet}")
    assert engine.play(position_of(fen), Limit(depth=5)).info.score == score


def test_a_capture_or_a_flip_puts_the_quiet_limit_off(engine):
    """The mover is far behind, and draws by a step; the leader flips or takes instead."""
    behind = position_of("2rk/3r/4/4/4/4/4/P3 r - - 179")
    assert engine.play(behind, Limit(depth=1)).info.score == Score(0.0)
    ahead = engine.play(position_of("3k/3r/4/4/4/4/4/P2x b r - 179"), Limit(depth=1))
    assert ahead.move == Move.from_text("d1")
    assert ahead.info.score.value > 0


def played(fen, moves, rules):
    position = position_of(fen, rules)
    for move in moves:
        position.push(move)
    return position


# Red's soldier stands alone against a general and a chariot.
LOSING = "2rk/4/4/4/4/4/4/P3 {} - - 0"


@pytest.mark.parametrize(
    ("rules", "cycles", "drawn"),
    [
        ("taiwan", 2, True),
        ("taiwan", 1, False),
        ("taiwan(repetition=2)", 1, True),
        ("taiwan(repetition=4)", 2, False),
        ("taiwan(repetition=4)", 3, True),
        ("taiwan(repetition=cycle)", 2, False),
        ("taiwan(repetition=cycle)", 3, True),
        ("taiwan(repetition=none)", 3, False),
    ],
)
def test_a_losing_side_takes_the_draw_by_repetition(engine, rules, cycles, drawn):
    """One ply before the cycle is complete; at depth 1 nothing but the game's own history makes a draw."""
    position = played(LOSING.format("b"), cycles * ("d8-d7", "a1-a2", "d7-d8", "a2-a1"), "taiwan(repetition=none)")
    position.pop()
    position = played(LOSING.format("b"), position.move_stack, rules)
    result = engine.play(position, Limit(depth=1))
    if drawn:
        assert (str(result.move), result.info.score) == ("a2-a1", Score(0.0))
    else:
        assert result.info.score.value < 0


@pytest.mark.parametrize(("rules", "cycles"), [("taiwan", 2), ("taiwan(repetition=cycle)", 3)])
def test_a_winning_side_avoids_the_draw_by_repetition(engine, rules, cycles):
    position = played(LOSING.format("r"), (cycles * ("a1-a2", "d8-d7", "a2-a1", "d7-d8"))[:-1], rules)
    infos = engine.analyse(position, Limit(depth=1), multipv=20)
    assert infos[0].score.value > 0
    assert [info.score for info in infos if str(info.move) == "d7-d8"] == [Score(0.0)]


# ---- lines -------------------------------------------------------------------------------------------------------


def test_lines_are_different_moves_best_first(engine):
    infos = engine.analyse(position_of(WIN_IN_1), Limit(depth=3), multipv=2)
    assert [str(info.move) for info in infos] == ["a1-b1", "a1-a2"]
    assert infos[0].score == Score(1.0, True, 1)
    assert infos[1].score < infos[0].score


def test_there_are_no_more_lines_than_moves(engine):
    (one,) = engine.analyse(position_of("4/4/4/4/4/4/3x/3x r Kk - 0"), Limit(depth=2), multipv=1)
    lines = engine.analyse(position_of("3K/4/4/4/4/4/4/k3 b - - 0"), Limit(depth=2), multipv=500)
    assert {str(info.move) for info in lines} == {"a1-a2", "a1-b1"}
    assert one.rank == 1


@pytest.mark.parametrize(("limit", "count"), [("depth", 5000), ("nodes", 30_000)])
def test_every_line_of_a_random_position_holds(engine, limit, count):
    """A search of three plies is complete, so its lines are in order; one that ends anywhere says less."""
    rng = random.Random(f"lines {limit}")
    for _ in range(tenth(count)):
        position = random_position(rng, rng.choice(RULES + LIMITS))
        hidden = sum(position.pool.values())
        bound = Limit(depth=3 if hidden == 0 else 2 if hidden < 5 else 1)
        if limit == "nodes":
            bound = Limit(nodes=int(math.exp(rng.uniform(0, 10))))
        lines = rng.choice((1, 2, 3, 500))
        infos = engine.analyse(position, bound, multipv=lines)
        where = f"{position!r} {bound} {lines}"
        assert 1 <= len(infos) <= min(lines, len(position.legal_moves)), where
        if limit == "depth":
            assert len(infos) == min(lines, len(position.legal_moves)), where
            assert [info.score for info in infos] == sorted((info.score for info in infos), reverse=True), where
        assert [info.rank for info in infos] == list(range(1, len(infos) + 1))
        assert len({info.move for info in infos}) == len(infos), where
        for info in infos:
            check_info(position, info, where)
        assert [info.depth for info in infos] == sorted((info.depth for info in infos), reverse=True)


def test_a_search_that_ends_half_way_tells_no_more_than_it_knows(engine):
    """The best flip so far stands there with the reveals and the line that are its own, or with none."""
    position = position_of("g1gk/4/2m1/pn1M/Rx1N/2CP/ppG1/rG1N b r - 4", "taiwan(quiet_limit=5)")
    for nodes in range(1, 300):
        engine.play(Position(), Limit(depth=1))
        check_info(position, engine.play(position, Limit(nodes=nodes)).info, nodes)
    fen = "xpGx/xxxx/xxxx/xxxx/xxxC/xxRx/xxxx/xxrx b KGMMRNNCPPPPPkggmmrnnccpppp - 0"
    position = position_of(fen, "hongkong(cannon=jump)")
    for nodes in range(60_000, 100_000, 500):
        engine.clear()
        check_info(position, engine.play(position, Limit(nodes=nodes)).info, nodes)


def test_lines_of_one_depth_are_in_order_however_deep(engine):
    position = position_of("1P2/4/1K2/4/4/p1k1/1G2/4 r - - 17", "cannon-adjacent")
    for nodes in range(500, 30_000, 500):
        engine.clear()
        infos = engine.analyse(position, Limit(nodes=nodes), multipv=2)
        for depth in {info.depth for info in infos}:
            scores = [info.score for info in infos if info.depth == depth]
            assert scores == sorted(scores, reverse=True), nodes


def check_info(position, info, where):
    """What holds for whatever a search says about a line."""
    assert info.move in position.legal_moves, where
    assert -1 <= info.score.value <= 1, where
    assert info.score.proven == (abs(info.score.value) == 1), where
    assert info.seldepth >= info.depth >= 0, where
    assert info.nodes >= 1
    assert 0 <= info.hashfull <= 1000
    assert info.time > 0
    check_line(position, info)
    if not info.reveals:
        return
    assert info.move.is_flip
    assert {reveal.identity: reveal.weight for reveal in info.reveals} == {k: n for k, n in position.pool.items() if n}
    assert sum(reveal.chance for reveal in info.reveals) == pytest.approx(1)
    # The mean is rounded once, and a proven end counts a unit less for each ply.
    value = info.score.value * (1 - UNIT * (info.score.plies or 0))
    assert mean_of(info.reveals) == pytest.approx(value, abs=2 * UNIT), where


def test_a_flip_has_its_reveals(engine):
    infos = engine.analyse(position_of("4/3r/4/4/4/x3/x1x1/KPxn r Pkpp - 0"), Limit(depth=2), multipv=50)
    flips = [info for info in infos if info.move.is_flip]
    assert len(flips) == 4
    for info in flips:
        assert [(r.identity, r.weight) for r in info.reveals] == [("P", 1), ("k", 1), ("p", 2)]


def test_chance_nodes_stand_in_the_line():
    assert str(LineMove(Move.from_text("a1(K)"), 0.25)) == "a1(K 25%)"
    assert str(LineMove(Move.from_text("a1"))) == "a1(?)"
    assert str(LineMove(Move.from_text("a1-b1"))) == "a1-b1"


@pytest.mark.parametrize(
    ("rules", "flips", "weights"),
    [
        ("taiwan", 8, {"K": 1, "G": 2, "M": 2, "R": 2, "N": 2, "C": 2, "P": 5}),
        # Columns a to c of rows 1 to 6, without the camps b3, c4 and b5.
        (
            "junqi",
            15,
            {"M": 1, "G": 1, "D": 2, "B": 2, "R": 2, "T": 2, "C": 3, "P": 3, "E": 3, "O": 2, "L": 3, "F": 1},
        ),
    ],
)
def test_the_start_is_searched_by_its_symmetries(engine, rules, flips, weights):
    """The board's two mirrors leave a quarter of the flips; a black man is worth to its flipper what the red one is."""
    infos = engine.analyse(Position(rules), Limit(depth=2), multipv=500)
    assert len(infos) == flips
    for info in infos:
        assert (info.move.is_flip, info.move.reveal) == (True, None)
        reveals = {reveal.identity: reveal for reveal in info.reveals}
        assert list(reveals) == [*weights, *map(str.lower, weights)]
        assert [reveal.weight for reveal in info.reveals] == 2 * list(weights.values())
        assert all(reveals[kind].score == reveals[kind.lower()].score for kind in weights)
        assert mean_of(info.reveals) == pytest.approx(info.score.value, abs=2 * UNIT)
        check_line(Position(rules), info)


# ---- analysis ----------------------------------------------------------------------------------------------------


def test_an_analysis_streams_its_iterations(engine, middle):
    with engine.analysis(middle, Limit(depth=3), multipv=2) as analysis:
        infos = list(analysis)
    assert [(info.depth, info.rank) for info in infos] == [(depth, rank) for depth in (1, 2, 3) for rank in (1, 2)]
    assert all(isinstance(info, Info) for info in infos)
    assert [info.nodes for info in infos] == sorted(info.nodes for info in infos)
    for info in infos:
        check_info(middle, info, middle.fen())
    assert [(info.move, info.score) for info in analysis.wait()] == [(info.move, info.score) for info in infos[-2:]]
    assert list(analysis) == []


def test_an_analysis_finds_what_analyse_finds(engine, middle):
    found = engine.analyse(middle, Limit(nodes=20_000), multipv=3)
    engine.clear()
    with engine.analysis(middle, Limit(nodes=20_000), multipv=3) as analysis:
        again = analysis.wait()
    assert [(i.move, i.score, i.depth, i.nodes, i.pv) for i in again] == [
        (i.move, i.score, i.depth, i.nodes, i.pv) for i in found
    ]


def test_an_analysis_without_a_limit_goes_on_until_it_is_stopped(engine):
    with engine.analysis(position_of(MIDDLE_GAME)) as analysis:
        first = next(iter(analysis))
        assert first.depth == 1
        time.sleep(0.05)
        analysis.stop()
        analysis.stop()
        rest = list(analysis)
    assert rest
    assert analysis.wait()[0].time >= 0.05


def test_an_analysis_without_a_limit_ends_when_the_result_is_proven(engine):
    with engine.analysis(position_of(WIN_IN_3)) as analysis:
        *_, last = analysis
    assert last.score == Score(1.0, True, 3)


def test_leaving_the_with_block_stops_the_analysis(engine):
    started = time.perf_counter()
    with engine.analysis(position_of(MIDDLE_GAME), Limit(time=60)) as analysis:
        next(iter(analysis))
    assert analysis.wait()
    engine.play(position_of(WIN_IN_1), Limit(depth=1))
    assert time.perf_counter() - started < 10


def test_an_error_in_the_consumer_leaves_nothing_running(engine):
    started = time.perf_counter()
    with pytest.raises(ZeroDivisionError), engine.analysis(position_of(MIDDLE_GAME), Limit(time=60)) as analysis:  # noqa: PT012 - the exit is what is tested
        for info in analysis:
            assert info.depth // 0
    assert not analysis._thread.is_alive()
    engine.play(position_of(WIN_IN_1), Limit(depth=1))
    assert time.perf_counter() - started < 10


def test_an_analysis_that_nobody_reads_is_no_harm(engine):
    analysis = engine.analysis(position_of(MIDDLE_GAME), Limit(depth=2))
    assert [info.rank for info in analysis.wait()] == [1]
    assert [info.depth for info in analysis] == [1, 2]


# ---- one-liners --------------------------------------------------------------------------------------------------


def test_best_move():
    assert best_move(WIN_IN_3, time=5) == Move.from_text("b3-b2")
    # The general takes the soldier in the ranking of mainland alone.
    assert best_move("4/4/4/4/4/4/4/Kp2 r - - 0", 5, "mainland") == Move.from_text("a1-b1")
    assert Position().is_legal(best_move(Position().fen(), time=0.01))
    assert best_move("4p/5/5/5/5/5/5/5/5/5/M4/f3F r - - 0", 5, "junqi").wire() == "a2a1"
    assert Position("junqi").is_legal(best_move(Position("junqi").fen(), 0.01, "junqi"))


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"fen": "nonsense"}, FenError),
        ({"fen": WIN_IN_1, "rules": "chess"}, RulesError),
        ({"fen": WIN_IN_1, "time": 0}, LimitError),
        ({"fen": WIN_IN_1, "time": math.nan}, LimitError),
        ({"fen": "4/4/4/4/4/4/4/R3 b - - 0"}, EngineError),
    ],
)
def test_best_move_refuses_nonsense(arguments, error):
    with pytest.raises(error):
        best_move(**arguments)


# ---- some moves only ---------------------------------------------------------------------------------------------


def test_an_analysis_chooses_among_the_moves_that_it_is_given(engine):
    for rules in ("taiwan", "double", "junqi"):
        position = Position(rules)
        # Flips that are equal by symmetry, of which a search of all looks at one.
        for move in list(position.legal_moves)[::7]:
            infos = engine.analysis(position, Limit(depth=1), multipv=3, moves=[str(move)]).wait()
            assert [info.move for info in infos] == [move]
    position = Position.from_fen(WIN_IN_1)
    moves = list(position.legal_moves)
    best = engine.play(position, Limit(depth=2)).move
    others = [move for move in moves if move != best]
    assert engine.analysis(position, Limit(depth=2), moves=others).wait()[0].move in others
    assert engine.analysis(position, Limit(depth=2), moves=(move for move in moves + moves)).wait()[0].move == best


@pytest.mark.parametrize("moves", [["a1b1"], ["a1(K)"], ["a1", "z9"], ["end"], [None], [Move(0, 0, "K")]])
def test_an_analysis_refuses_moves_that_cannot_be_chosen(engine, moves):
    with pytest.raises(MoveError) as caught:
        engine.analysis(Position(), Limit(depth=1), moves=moves)
    assert "\n" not in str(caught.value)


# ---- any position, any limit -------------------------------------------------------------------------------------


@given(
    seed=st.integers(0, 1 << 32),
    rules=st.sampled_from(RULES + LIMITS),
    limit=st.one_of(
        st.integers(1, 3000).map(lambda nodes: Limit(nodes=nodes)),
        st.just(Limit(depth=1)),
        st.sampled_from([1e-9, 1e-4, 2e-3]).map(lambda seconds: Limit(time=seconds)),
    ),
    start=st.booleans(),
)
def test_the_move_is_always_legal(shared, seed, rules, limit, start):
    position = Position(rules) if start else random_position(random.Random(seed), rules)
    move, info = shared.play(position, limit)
    assert move in position.legal_moves
    check_line(position, info)
    assert info.score.value == pytest.approx(0, abs=1)
    # It can be played, and the game goes on from there.
    for outcome in position.outcomes(move)[:2]:
        position.push(outcome.move)
        assert position.side in (Side.RED, Side.BLACK)
        if position.outcome() is None:
            assert shared.play(position, Limit(nodes=1)).move in position.legal_moves
        position.pop()


def test_the_reference_agrees_that_moves_are_legal(engine):
    """The same, judged by the reference."""
    rng = random.Random("legal")
    for _ in range(tenth(1000)):
        rules = rng.choice(RULES)
        position = random_position(rng, rules)
        move = engine.play(position, Limit(nodes=rng.choice((1, 30, 1000)))).move
        judged: ReferencePosition = text.read(position.fen(), games.parse(rules))
        assert move.wire() in judged.legal(), position.fen()


@pytest.mark.parametrize("board", ["_banqi32", "_banqi64", "_junqi"])
def test_every_board_searches_as_deep_as_a_limit_may_say(board):
    core = import_module(f"banqi.core.{board}")
    assert core.MAX_DEPTH == MAX_DEPTH
    assert (core.UNIT, core.PROVEN) == (_banqi32.UNIT, _banqi32.PROVEN)
