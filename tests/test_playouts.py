"""Random games: their form, and their distribution against exact enumeration and the reference's own games."""

import math
import random
from collections import Counter

import numpy as np
import pytest

from banqi import BanqiError, FenError, LimitError, Position, RulesError, playouts
from reference import fen as text
from reference import games as reference
from reference.game import Game
from reference.walks import random_action
from sizes import tenth

START = "xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0"
GENERALS = "3k/4/4/4/4/4/4/K3 r - - {}"


def frequencies(games):
    """How large a share of the games has each result and length."""
    counts = Counter(zip(games.results.tolist(), games.lengths.tolist(), strict=True))
    return {end: count / len(games.results) for end, count in counts.items()}


def distribution(fen, rules):
    """The exact probability of each result and length, by the reference: all lines of play, without repetition.

    A chain is one ply, which ends with its last action.
    """
    switches = reference.parse(rules)
    first = text.read(fen, switches)
    ends = Counter()
    at = {(text.write(first), 0): (first, 1.0)}
    for _ in range(1000):
        after = {}
        for (_, plies), (position, probability) in at.items():
            legal = position.legal()
            own = 1 if position.side == first.side else -1
            if position.lost(position.side) or (not legal and position.chain == "-"):
                ends[-own, plies] += probability
            elif not legal:
                # The last enemy has fallen in the midst of a chain.
                ends[own, plies + 1] += probability
            elif position.quiet >= switches.quiet_limit:
                ends[0, plies] += probability
            else:
                for request in legal:
                    outcomes = position.outcomes(request) or {"": 1}
                    for shown, weight in outcomes.items():
                        follower = position.after(request + shown)
                        key = text.write(follower), plies + (follower.chain == "-")
                        _, sum_so_far = after.get(key, (None, 0.0))
                        share = probability / len(legal) * weight / sum(outcomes.values())
                        after[key] = (follower, sum_so_far + share)
        if not after:
            return dict(ends)
        at = after
    raise AssertionError("the games do not end")


# ---- form --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 1000])
def test_results_and_lengths(count):
    games = playouts(START, count, seed=3)
    assert games.results.dtype == np.int8
    assert games.lengths.dtype == np.int32
    assert games.results.shape == games.lengths.shape == (count,)
    assert set(games.results.tolist()) <= {-1, 0, 1}
    assert games.lengths.min() > 0
    results, lengths = games
    assert results is games.results
    assert lengths is games.lengths


def test_the_same_seed_gives_the_same_games():
    for seed in (0, 1, 2**64 - 1):
        first, again = playouts(START, 200, seed), playouts(START, 200, seed)
        assert np.array_equal(first.results, again.results)
        assert np.array_equal(first.lengths, again.lengths)
    # A game depends on its seed and number alone, not on how many are played.
    assert np.array_equal(playouts(START, 70, 5).lengths, playouts(START, 200, 5).lengths[:70])
    # The seed is 0 if none is given.
    assert np.array_equal(playouts(START, 70).lengths, playouts(START, 70, 0).lengths)


def test_other_seeds_give_other_games():
    """No game of one seed is a game of another: lengths agree by chance only, about one time in 200.

    A seed and a game's number that are mixed alike would make game i of seed j that of number j of seed i, or near it.
    """
    lengths = np.array([playouts(START, 64, seed).lengths for seed in range(66)])
    for seed in range(65):
        assert np.mean(lengths[seed] == lengths[seed + 1]) < 0.2
        assert np.mean(lengths[seed, 1:] == lengths[seed + 1, :-1]) < 0.2
    for shift in range(3):
        square = lengths[shift : shift + 64]
        assert np.mean((square == square.T)[np.triu_indices(64, 1)]) < 0.02
        assert np.unique(np.diag(square)).size > 32


def test_rules_may_be_given_as_text_or_as_rules():
    mainland = Position("mainland").rules
    first, again = playouts(START, 50, 1, "mainland"), playouts(START, 50, 1, mainland)
    assert np.array_equal(first.lengths, again.lengths)
    assert not np.array_equal(first.lengths, playouts(START, 50, 1).lengths)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"fen": "nonsense", "n": 1}, FenError),
        ({"n": 1, "rules": "chess"}, RulesError),
        ({"n": 0}, LimitError),
        ({"n": -1}, LimitError),
        ({"n": 1.0}, LimitError),
        ({"n": True}, LimitError),
        ({"n": math.nan}, LimitError),
        ({"n": 10**9 + 1}, LimitError),
        ({"n": 1 << 70}, LimitError),
        ({"n": 1, "seed": -1}, LimitError),
        ({"n": 1, "seed": 1 << 64}, LimitError),
        ({"n": 1, "seed": 0.5}, LimitError),
        ({"n": 1, "seed": None}, LimitError),
    ],
    ids=str,
)
def test_nonsense_is_refused(arguments, error):
    with pytest.raises(error) as caught:
        playouts(**{"fen": START, **arguments})
    assert isinstance(caught.value, BanqiError)
    assert "\n" not in str(caught.value)


def test_numbers_may_be_numpys():
    assert playouts(START, np.int64(3), np.uint64(2**64 - 1)).results.shape == (3,)


# ---- ends by hand ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("4/4/4/4/4/4/4/R3 r - - 0", 1),  # all_captured, the other side
        ("4/4/4/4/4/4/4/R3 b - - 0", -1),  # all_captured, the side to move
        ("4/4/4/4/4/4/C3/pC2 b - - 0", -1),  # no_moves
        ("4/4/4/4/4/4/C3/pC2 b - - 180", -1),  # no_moves, tested before the quiet limit
        (GENERALS.format(180), 0),  # quiet_limit
    ],
)
def test_a_game_that_is_over_has_no_ply(fen, result):
    games = playouts(fen, 100)
    assert set(games.results.tolist()) == {result}
    assert set(games.lengths.tolist()) == {0}


@pytest.mark.parametrize("rules", ["taiwan", "taiwan(repetition=2)", "taiwan(repetition=cycle)"])
@pytest.mark.parametrize("quiet", [171, 175, 179])
def test_quiet_games_last_to_the_limit_whatever_repeats(quiet, rules):
    """Ten steps lie between the generals, so that neither can take the other before the tenth ply."""
    games = playouts(GENERALS.format(quiet), 300, rules=rules)
    assert set(games.results.tolist()) == {0}
    assert set(games.lengths.tolist()) == {180 - quiet}


@pytest.mark.parametrize("fen", ["4/4/4/4/4/4/4/Rp2 r - - 0", "4/4/4/4/4/4/4/rP2 b - - 0"])
def test_results_are_for_the_side_to_move_at_the_root(fen):
    """One of two legal actions takes the last enemy, after the other the quiet limit ends the game."""
    games = playouts(fen, 40_000, 1, "taiwan(quiet_limit=1)")
    assert set(games.lengths.tolist()) == {1}
    assert set(games.results.tolist()) == {0, 1}
    # 5 standard errors.
    assert games.results.mean() == pytest.approx(1 / 2, abs=5 * math.sqrt(1 / 4 / 40_000))


# ---- distribution ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "rules"),
    [
        # Steps and captures.
        ("4/4/4/4/4/4/1Rp1/2n1 r - - 0", "taiwan(quiet_limit=4)"),
        ("4/4/4/4/4/4/1Rp1/2n1 b - - 1", "hongkong(quiet_limit=5)"),
        # A cannon with five targets over one screen each, on its file and its rank.
        ("p3/4/P3/4/4/4/4/CPnp r - - 0", "taiwan(quiet_limit=3)"),
        ("p3/4/P3/4/4/4/x3/CPnp r N - 0", "taiwan(quiet_limit=2)"),
        # Cannons that take their neighbours, too.
        ("4/4/4/4/4/4/pc2/CPc1 r - - 0", "cannon-adjacent(quiet_limit=2)"),
        # Reveals of one identity more often than of another, on either side.
        ("4/4/4/4/4/4/xx2/Gx2 b rrN - 0", "taiwan(quiet_limit=2)"),
        # A general and soldiers, who both take each other in one ranking only.
        ("4/4/4/4/4/4/pp2/Kp2 r - - 0", "mainland(quiet_limit=3)"),
        ("4/4/4/4/4/4/pp2/Kp2 r - - 0", "taiwan(quiet_limit=3)"),
        # Attempts beside and by a jump, of which some capture.
        ("4/4/4/4/4/4/x3/RPx1 r nP - 0", "dark-capture(quiet_limit=2)"),
        ("4/4/4/4/4/x3/P3/C1n1 r n - 0", "dark-capture(quiet_limit=2)"),
        # Chains that end by themselves, that are ended, and that end the game.
        ("4/4/4/4/4/4/pp2/Kp2 b - - 0", "children(quiet_limit=2)"),
        ("4/4/4/4/4/2xn/2pR/4 r p - 0", "children(quiet_limit=2)"),
        ("4/4/4/4/4/4/2pn/3R r - d1 0", "children(quiet_limit=2)"),
        # A face-down piece is no screen.
        ("4/4/4/4/n3/x3/P2p/C1Pn r p - 0", "cannon-chain(quiet_limit=2)"),
        # The large board.
        ("7p/8/8/8/8/8/6nx/5RpC r k - 0", "double(quiet_limit=2)"),
        ("8/8/8/8/8/8/6nx/5Rpx b Rk - 0", "double(quiet_limit=2, dark_capture, chain=any)"),
        # Junqi: roads and camps, attacks that win, lose and remove both, and the flag.
        ("5/5/5/5/5/5/5/5/5/1p3/1T3/f2F1 r - - 0", "junqi(quiet_limit=3)"),
        ("5/5/5/5/5/5/5/5/5/5/1bL2/fO1RF b - - 0", "junqi(quiet_limit=2)"),
        # Slides, an engineer's routes, and a mine that it alone removes.
        ("f4/M3e/5/5/5/5/5/5/5/5/L4/4F b - - 1", "junqi(quiet_limit=3)"),
        ("f4/M3e/5/5/5/5/5/5/5/5/L4/4F r - - 0", "junqi(quiet_limit=2)"),
        # Flips of mines, flags and what moves; then often nobody can.
        ("5/5/5/5/5/5/5/5/5/5/x4/xLmx1 r FLf - 0", "junqi(quiet_limit=2)"),
        ("5/5/5/5/5/5/5/5/5/5/xl3/xLx1F r fPp - 0", "junqi(quiet_limit=2)"),
    ],
)
def test_games_are_distributed_as_enumeration_says(fen, rules):
    """Every result and length within 5 standard errors, and none that cannot be."""
    count = 10 * tenth(200_000)
    expected = distribution(fen, rules)
    assert sum(expected.values()) == pytest.approx(1)
    found = frequencies(playouts(fen, count, 7, rules))
    assert set(found) <= set(expected)
    for end, probability in expected.items():
        error = math.sqrt(probability * (1 - probability) / count)
        assert found.get(end, 0) == pytest.approx(probability, abs=5 * error + 2 / count), end


def test_random_games_from_the_start():
    """Random games of this game take 364 plies on average, as other programs have measured; neither side is ahead."""
    games = playouts(START, 10 * tenth(30_000), 11)
    # The deviation of a length is about 120, so that 30,000 games give the mean to within 1.
    assert games.lengths.mean() == pytest.approx(364, abs=2)
    assert abs(games.results.mean()) < 0.05


def reference_games(fen, rules, count):
    """Results and lengths of the reference's random games; repetition ends nothing."""
    rng = random.Random(f"random games {fen} {rules}")
    results, lengths = [], []
    for _ in range(count):
        game = Game(rules, fen)
        first = None
        plies = 0
        while (end := game.end()) is None:
            game.play(random_action(game, rng))
            if first is None:
                # The start's first action is a flip, so the turn has passed.
                first = {"r": "b", "b": "r"}[game.position.side]
            plies += game.position.chain == "-" or game.end() is not None
        results.append(0 if end[0] is None else 1 if end[0] == first else -1)
        lengths.append(plies)
    return np.array(results), np.array(lengths)


@pytest.mark.parametrize(
    ("fen", "rules", "count"),
    [
        (START, "taiwan(repetition=none)", 600),
        (START, "mainland(repetition=none, quiet_limit=40)", 600),
        ("x1xp/3G/xx2/2R1/cx1N/4/1xPx/k2x r GPnrmpKC - 5", "taiwan(repetition=none, quiet_limit=60)", 1000),
        (START, "dark-capture(repetition=none, quiet_limit=40)", 600),
        (START, "children(repetition=none, quiet_limit=40)", 600),
        (START, "cannon-chain(repetition=none, quiet_limit=40)", 600),
        (Position("junqi").fen(), "junqi", 600),
        (Position("junqi").fen(), "junqi(quiet_limit=20)", 600),
    ],
)
def test_games_are_distributed_as_the_reference_plays_them(fen, rules, count):
    """Wins, draws, losses and the mean length within 4 standard errors of the reference's own games."""
    count = tenth(count)
    results, lengths = reference_games(fen, rules, count)
    games = playouts(fen, 20_000, 1, rules)
    for result in (1, 0, -1):
        share = np.mean(games.results == result)
        assert np.mean(results == result) == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / count) + 1e-9)
    assert lengths.mean() == pytest.approx(games.lengths.mean(), abs=4 * games.lengths.std() / math.sqrt(count))
