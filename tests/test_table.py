"""The transposition table as it shows in answers: what one search leaves behind never changes what another finds.

A search of at most four plies has one value: a position occurs in it at one depth only, so that no entry of the table
is deeper than asked for, and no line is long enough to repeat. So a score is the same whatever the table holds.
"""

import random

import pytest

from banqi import Limit, Position, Score
from full_width import FullWidthEngine
from reference import games, walks
from sizes import tenth

MIDDLE_GAME = "kCPm/gpxx/rPPr/xNxx/xKpG/Rx1x/xpmx/MPpM r GRNCPgnccp - 1"
# Without flips a search keeps nearly all that it finds.
ALL_FACE_UP = "kCPm/gp2/rPPr/1N2/1KpG/R3/1pm1/MPpM r - - 1"
RULES = ("taiwan", "hongkong", "mainland", "cannon-adjacent", "mainland(cannon=jump)")
by_game = pytest.mark.parametrize("rules", ["taiwan", "junqi"])
WIN_IN_3 = "4/4/4/4/4/1R2/4/p3 r - - {}"


@pytest.fixture
def fresh():
    with FullWidthEngine(hash_mb=1) as engine:
        yield engine


@pytest.fixture
def warm():
    with FullWidthEngine(hash_mb=1) as engine:
        yield engine


def random_fens(seed, count, rules="taiwan", *, most=4, hidden=2, rows=(2, 4, 8)):
    """Small positions, often crowded, so that transpositions are many."""
    rng = random.Random(seed)
    switches = games.parse(rules)
    least = len(switches.vital)
    for _ in range(tenth(count)):
        red, black = least + rng.randint(1, most), least + rng.randint(1, most)
        face_down = rng.randrange(min(hidden, red + black - 1) + 1)
        yield walks.random_fen(switches, rng, red=red, black=black, hidden=face_down, rows=rng.choice(rows))


def score_of(engine, fen, depth, rules="taiwan"):
    """The score of a position, None if the game is over."""
    position = Position.from_fen(fen, rules=rules)
    return None if position.outcome() else engine.play(position, Limit(depth=depth)).info.score


def with_field(fen, number, value):
    fields = fen.split()
    fields[number] = str(value)
    return " ".join(fields)


def depth_for(fen, most=4):
    """How deep a search may go with these men face down."""
    return (most, most, 3)[fen.count("x")]


@by_game
def test_the_size_makes_no_difference(fresh, rules):
    with FullWidthEngine(hash_mb=8) as large:
        for fen in random_fens("size", 3000, rules):
            fresh.clear()
            large.clear()
            assert score_of(fresh, fen, depth_for(fen), rules) == score_of(large, fen, depth_for(fen), rules), fen


def test_the_size_makes_no_difference_in_a_middle_game(fresh):
    with FullWidthEngine(hash_mb=8) as large:
        assert score_of(fresh, MIDDLE_GAME, 3) == score_of(large, MIDDLE_GAME, 3)


def test_a_full_table_makes_no_difference(fresh, warm):
    """Hardly an entry is left where another position's search has filled the table.

    Each position has a quiet limit of its own, out of reach, so that none finds what another has left.
    """
    filled = warm.play(Position.from_fen(ALL_FACE_UP), Limit(nodes=4_000_000)).info.hashfull
    assert filled > 300
    for number, fen in enumerate(random_fens("full", 3000)):
        rules = f"taiwan(quiet_limit={20 + number})"
        fresh.clear()
        assert score_of(warm, fen, depth_for(fen), rules) == score_of(fresh, fen, depth_for(fen), rules), fen


@pytest.mark.parametrize("rules", ["taiwan(quiet_limit=6, repetition=none)", "junqi(quiet_limit=6)"])
def test_other_quiet_counts_make_no_difference(fresh, warm, rules):
    """The draw is in reach from some counts and out of reach from others."""
    rng = random.Random("quiet")
    drawn = 0
    for fen in random_fens("quiet", 4000, rules):
        warm.clear()
        for quiet in rng.sample(range(6), 6):
            text = with_field(fen, 4, quiet)
            fresh.clear()
            expected = score_of(fresh, text, depth_for(fen), rules)
            assert score_of(warm, text, depth_for(fen), rules) == expected, text
            drawn += expected == Score(0.0)
    assert drawn > tenth(1000)


def test_a_win_in_the_table_is_none_when_the_quiet_limit_comes_first(warm):
    """The win takes two quiet plies, then a capture."""
    win, draw = Score(1.0, True, 3), Score(0.0)
    for quiet, score in ((0, win), (178, draw), (179, draw), (177, win), (178, draw), (0, win)):
        assert score_of(warm, WIN_IN_3.format(quiet), 6) == score


def test_a_deeper_entry_does_not_look_beyond_the_quiet_limit(warm):
    """A win in 5: a2-b2, the soldier runs to d1 and d2, the chariot follows by c2, and takes. Four plies are quiet.

    An entry of the first search knows the win from a position whose own three plies do not reach the limit.
    """
    fen = "4/4/4/4/4/4/R3/2p1 r - - {}"
    assert score_of(warm, fen.format(0), 8) == Score(1.0, True, 5)
    assert not score_of(warm, fen.format(176), 3).proven
    assert score_of(warm, fen.format(176), 6) == Score(0.0)
    assert score_of(warm, fen.format(175), 6) == Score(1.0, True, 5)


@by_game
def test_other_pools_make_no_difference(fresh, warm, rules):
    """Boards that look the same with other men face down; what a side cannot do without stays."""
    rng = random.Random("pools")
    switches = games.parse(rules)
    for fen in random_fens("pools", 3000, rules, hidden=2):
        placement, _, pool, *_ = fen.split()
        kept = [letter for letter in pool if letter.upper() in switches.vital]
        left = [
            letter
            for letter in switches.letters
            if letter.upper() not in switches.vital
            for _ in range(switches.count(letter.upper()) - placement.count(letter))
        ]
        warm.clear()
        for _ in range(4):
            text = with_field(fen, 2, "".join([*kept, *rng.sample(left, fen.count("x") - len(kept))]) or "-")
            fresh.clear()
            expected = score_of(fresh, text, depth_for(fen, 3), rules)
            assert score_of(warm, text, depth_for(fen, 3), rules) == expected, text


def test_other_rules_make_no_difference(fresh, warm):
    rng = random.Random("rules")
    different = 0
    for fen in random_fens("rules", 3000):
        warm.clear()
        scores = set()
        for rules in rng.sample(RULES, len(RULES)):
            fresh.clear()
            expected = score_of(fresh, fen, depth_for(fen), rules)
            assert score_of(warm, fen, depth_for(fen), rules) == expected, (fen, rules)
            scores.add(expected)
        different += len(scores) > 1
    assert different > tenth(1000)


@by_game
def test_the_other_side_to_move_makes_no_difference(fresh, warm, rules):
    for fen in random_fens("side", 3000, rules):
        warm.clear()
        for side in "rbr":
            text = with_field(fen, 1, side)
            fresh.clear()
            expected = score_of(fresh, text, depth_for(fen), rules)
            assert score_of(warm, text, depth_for(fen), rules) == expected, text


@by_game
def test_a_search_that_was_stopped_leaves_nothing_wrong_behind(fresh, warm, rules):
    rng = random.Random("stopped")
    for fen in random_fens("stopped", 3000, rules):
        position = Position.from_fen(fen, rules)
        if position.outcome() is not None:
            continue
        depth = depth_for(fen)
        warm.clear()
        for _ in range(20):
            warm.play(position, Limit(nodes=rng.randint(1, 2000), depth=depth))
        fresh.clear()
        assert score_of(warm, fen, depth, rules) == score_of(fresh, fen, depth, rules), fen


def test_what_one_search_learned_serves_the_next(fresh):
    """Men that are face up, then men face down, where the reveals stand in the table."""
    for fen in (MIDDLE_GAME, "3k/1r2/2P1/4/1x2/2m1/1R2/K2x r Gg - 0"):
        position = Position.from_fen(fen)
        first = fresh.play(position, Limit(depth=4)).info
        again = fresh.play(position, Limit(depth=4)).info
        assert again.nodes < first.nodes * 3 / 4
        assert again.score == first.score
        fresh.clear()
        assert fresh.play(position, Limit(depth=4)).info.nodes == first.nodes


def test_hashfull_is_what_this_search_has_filled(fresh):
    position = Position.from_fen(MIDDLE_GAME)
    assert fresh.play(position, Limit(nodes=1)).info.hashfull == 0
    shares = [fresh.play(position, Limit(nodes=nodes)).info.hashfull for nodes in (2000, 50_000, 2_000_000)]
    assert 0 <= shares[0] < shares[1] < shares[2] <= 1000
    # As many searches later as would bring a counter of 6 bits round.
    later = [fresh.play(position, Limit(nodes=1)).info.hashfull for _ in range(70)]
    assert max(later) == 0
    fresh.clear()
    with FullWidthEngine(hash_mb=64) as large:
        small = fresh.play(position, Limit(nodes=50_000)).info.hashfull
        assert large.play(position, Limit(nodes=50_000)).info.hashfull < small
