"""Limits by clocks: how much of what is left a search takes. The other limits are tested with the engine."""

import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banqi import Engine, Limit, LimitError, Position
from banqi.engine import _bounds
from banqi.time_control import Spending, allot, ceiling

MIDDLE_GAME = "kCPm/gpxx/rPPr/xNxx/xKpG/Rx1x/xpmx/MPpM r GRNCPgnccp - 1"
# The general has one step: the soldier beside it is the one piece that it does not take.
FORCED = "3r/3n/4/2m1/4/4/4/Kp2 r - - 0"


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mb=16) as engine:
        yield engine


# ---- what a limit accepts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "limits",
    [
        {"clocks": clocks}
        for clocks in (
            (),
            (1,),
            (1, 2, 3),
            5,
            "12",
            {1: 2, 3: 4},
            (-1, 1),
            (1, -1e-9),
            (True, 1),
            (1, None),
            (math.nan, 1),
            (1, math.inf),
            (2e9, 1),
            ("1", 1),
            (np.timedelta64(1, "s"), 1),
        )
    ]
    + [{"clocks": (1, 1), "inc": inc} for inc in (-1, True, None, "1", math.nan, math.inf, 2e9)]
    + [{"inc": 1}, {"time": 1, "inc": 1}],
    ids=str,
)
def test_clocks_that_make_no_sense_are_refused(limits):
    with pytest.raises(LimitError) as caught:
        Limit(**limits)
    assert "\n" not in str(caught.value)


def test_clocks_are_kept_as_numbers_of_seconds():
    limit = Limit(clocks=[np.float32(0.5), 3], inc=np.int8(2))
    assert limit == Limit(clocks=(0.5, 3.0), inc=2.0)
    assert [type(value) for value in (*limit.clocks, limit.inc)] == [float] * 3
    assert Limit(clocks=(0, 0)).clocks == (0.0, 0.0)
    assert hash(limit) == hash(Limit(clocks=(0.5, 3.0), inc=2.0))


# ---- how much is taken ---------------------------------------------------------------------------------------------

SECONDS = st.floats(0, 1e6)
MEN = st.integers(2, 64).flatmap(lambda men: st.tuples(st.just(men), st.integers(0, men)))


@given(left=SECONDS, inc=SECONDS, board=MEN)
def test_a_margin_is_left(left, inc, board):
    men, hidden = board
    taken = allot(left, inc, men=men, hidden=hidden)
    assert 0 <= taken <= left / 2
    # 50 ms, or nine tenths of a clock that holds hardly more.
    assert taken <= left - 0.05 or taken <= left / 10
    assert taken > 0 or left < 1e-300


@given(one=SECONDS, other=SECONDS, inc=SECONDS, board=MEN)
def test_more_on_the_clock_is_more_for_the_move(one, other, inc, board):
    men, hidden = board
    less, more = sorted((one, other))
    assert allot(less, inc, men=men, hidden=hidden) <= allot(more, inc, men=men, hidden=hidden)
    assert allot(more, 0, men=men, hidden=hidden) <= allot(more, inc, men=men, hidden=hidden)


@pytest.mark.parametrize("inc", [0.0, 0.1, 10.0])
@pytest.mark.parametrize(
    ("clock", "late"), [(0.3, 0.0), (0.3, 0.0003), (5.0, 0.0), (5.0, 0.004), (900.0, 0.0), (900.0, 0.05), (900.0, 0.2)]
)
def test_two_hundred_moves_never_overrun(clock, late, inc):
    # Nobody lives through lateness that adds up to a good part of the clock: 0.2 s is 40 s of 900.
    left = clock
    for number in range(200):
        left -= allot(left, inc, men=max(2, 32 - number // 4), hidden=max(0, 32 - number)) + late
        assert left > 0
        left += inc


@pytest.mark.parametrize(("left", "moves"), [(900, 500), (60, 400), (10, 300), (0.5, 150), (0.05, 30)])
def test_a_clock_lasts_though_each_move_of_an_ending_costs_a_millisecond_more(left, moves):
    for _ in range(moves):
        left -= allot(left, 0, men=2, hidden=0) + 0.001
    assert left > 0


def test_a_game_of_usual_length_uses_its_time():
    # 68 moves of one's own are the mean of tournament games between programs.
    left, taken = 900.0, []
    for number in range(68):
        taken.append(allot(left, 0, men=32 - number * 28 // 68, hidden=max(0, 32 - number)))
        left -= taken[-1]
    assert 90 < left < 300
    assert max(taken) < 2.5 * min(taken[:50])


def test_an_increment_is_used_up():
    # Where the share of the clock and 0.8 of the increment make up the increment, nothing is gained any more.
    left = 1.0
    for _ in range(1000):
        left += 2.0 - allot(left, 2.0, men=20, hidden=10)
    assert allot(left, 2.0, men=20, hidden=10) == pytest.approx(2.0, rel=1e-3)
    assert left < 30


# ---- whose clock, and which bound ----------------------------------------------------------------------------------


def bound(position, limit, waited=0.0):
    return _bounds(position, limit, waited)[1]


def test_the_clock_is_that_of_the_seat_to_act():
    limit = Limit(clocks=(900, 90))
    position = Position()
    first = allot(900, 0, men=32, hidden=32)
    assert bound(position, limit) == first
    for flip, seat in (("a1(k)", 1), ("b1(P)", 0), ("c1(p)", 1)):
        position.push(flip)
        hidden = sum(position.pool.values())
        assert bound(position, limit) == allot((900, 90)[seat], 0, men=32, hidden=hidden)


@pytest.mark.parametrize("side", ["r", "b"])
def test_in_a_position_that_was_set_up_the_side_to_move_is_the_first_seat(side):
    position = Position.from_fen(f"3r/3n/4/2m1/4/4/4/K3 {side} - - 0")
    limit = Limit(clocks=(900, 90), inc=3)
    assert bound(position, limit) == allot(900, 3, men=4, hidden=0)
    position.push(next(iter(position.legal_moves)))
    assert bound(position, limit) == allot(90, 3, men=4, hidden=0)
    position.pop()
    assert bound(position, limit) == allot(900, 3, men=4, hidden=0)


def test_the_first_limit_that_is_reached_ends_the_search(engine):
    position = Position.from_fen(MIDDLE_GAME)
    clocks = (3600, 3600)
    assert engine.play(position, Limit(clocks=clocks, nodes=500)).info.nodes == 500
    assert engine.play(position, Limit(clocks=clocks, depth=2)).info.depth == 2
    assert bound(position, Limit(clocks=clocks, time=0.25)) == 0.25
    assert bound(position, Limit(clocks=(1, 1), time=100)) == allot(1, 0, men=31, hidden=10)


def test_without_a_choice_one_ply_is_searched(engine):
    position = Position.from_fen(FORCED)
    assert [str(move) for move in position.legal_moves] == ["a1-a2"]
    begun = time.monotonic()
    result = engine.play(position, Limit(clocks=(36_000, 36_000)))
    assert (str(result.move), result.info.depth) == ("a1-a2", 1)
    assert time.monotonic() - begun < 60
    # Without clocks there is no hurry.
    assert engine.play(position, Limit(depth=3)).info.depth == 3


def test_time_spent_waiting_for_the_engine_is_gone():
    position = Position.from_fen(MIDDLE_GAME)
    assert bound(position, Limit(clocks=(90, 90)), waited=60) == allot(30, 0, men=31, hidden=10)
    assert bound(position, Limit(clocks=(90, 90)), waited=91) == 0
    assert bound(position, Limit(time=5), waited=60) == 5


def test_a_clock_that_has_run_out_still_gets_a_move(engine):
    position = Position.from_fen(MIDDLE_GAME)
    assert engine.play(position, Limit(clocks=(0, 0))).move in position.legal_moves
    assert engine.play(Position(), Limit(clocks=(1e-9, 0))).move in Position().legal_moves


def test_a_search_keeps_to_what_it_is_allotted(engine):
    position = Position.from_fen(MIDDLE_GAME)
    limit = Limit(time=bound(position, Limit(clocks=(3.0, 0.3))))
    late = []
    for _ in range(5):
        # Others use the machine too: the best of five tells what the search itself does.
        begun = time.monotonic()
        engine.play(position, limit)
        late.append(time.monotonic() - begun - bound(position, limit))
    assert -0.001 < min(late) < 0.02


def test_a_search_by_the_clock_stops_when_its_spending_says_so(engine):
    # Half the clock may go on one move, no more; and what the last iteration told is kept to.
    position = Position.from_fen(MIDDLE_GAME)
    late = []
    for _ in range(5):
        told = []
        begun = time.monotonic()
        with engine.analysis(position, Limit(clocks=(4.0, 0.3))) as analysis:
            told = list(analysis)
        taken = time.monotonic() - begun
        spending = Spending(allot(4.0, 0, men=31, hidden=10), ceiling(4.0))
        end = spending.first
        for info in told:
            end = spending.after(info.move, info.score.value)
        late.append(taken - max(end, told[-1].time))
        assert taken < 2.0 + 1.0
    assert -0.001 < min(late) < 0.02


def test_a_settled_move_takes_less_and_one_that_changes_or_falls_more():
    # By hand: a share of 10 s, the best move found again and again, then another one, then a score that falls by 0.1.
    spending = Spending(10.0, 100.0)
    assert spending.first == 10.0
    found = [spending.after("a", 0.5) for _ in range(8)]
    assert found == sorted(found, reverse=True)
    assert found[0] > 10.0 > found[-1]
    assert spending.after("b", 0.5) == found[0]
    settled = spending.after("b", 0.5)
    assert spending.after("b", 0.4) > settled
    assert Spending(10.0, 100.0).after("a", 1.0) <= 25.0
    assert Spending(10.0, 12.0).after("a", 0.0) == 12.0
    assert Spending(10.0, 3.0).first == 3.0


@pytest.mark.parametrize("clock", [0.3, 5.0, 900.0])
def test_two_hundred_moves_that_never_settle_do_not_overrun(clock):
    left = clock
    for number in range(200):
        spending = Spending(allot(left, 0, men=max(2, 32 - number // 4), hidden=max(0, 32 - number)), ceiling(left))
        spending.after("a", 1.0)
        left -= spending.after("b", -1.0)
        assert left > 0


def test_analysis_goes_by_the_clocks_too(engine):
    position = Position.from_fen(MIDDLE_GAME)
    begun = time.monotonic()
    with engine.analysis(position, Limit(clocks=(0.6, 3600))) as analysis:
        analysis.wait()
    assert engine.analyse(position, Limit(clocks=(0.6, 3600)), multipv=2)[0].move in position.legal_moves
    assert time.monotonic() - begun < 10


def test_twenty_moves_on_short_clocks_do_not_overrun(engine):
    position, left = Position(), [0.3, 0.3]
    for number in range(20):
        begun = time.monotonic()
        move = engine.play(position, Limit(clocks=tuple(left))).move
        left[number % 2] -= time.monotonic() - begun
        assert left[number % 2] > 0.02
        position.push(position.outcomes(move)[0].move)
