"""The search against plain expectimax: every pruning switched off by being absent, the same rounding."""

import random
from fractions import Fraction

import pytest

from banqi import Move, Position
from banqi.core import _banqi32
from banqi.core._table import Table
from sizes import tenth

UNIT = _banqi32.UNIT
PROVEN = _banqi32.PROVEN
CHUNKS = 8
RULES = (
    "taiwan",
    "hongkong",
    "mainland",
    "cannon-adjacent",
    "taiwan(quiet_limit=3, repetition=none)",
    "mainland(cannon=jump)",
)


def small_position(rng, rules):
    """A random position of 2 to 8 men with 0 to 3 of them face down, both sides alive."""
    letters = list("KGGMMRRNNCCPPPPPkggmmrrnnccppppp")
    while True:
        men = rng.sample(letters, rng.randint(2, 8))
        if any(map(str.isupper, men)) and any(map(str.islower, men)):
            break
    hidden = min(rng.choice((0, 1, 1, 2, 2, 3)), len(men) - 1)
    # Often crowded into one half, so that the men meet.
    places = rng.sample(range(rng.choice((16, 16, 32))), len(men))
    squares = dict(zip(places, ["x"] * hidden + men[hidden:], strict=True))
    ranks = []
    for rank in range(7, -1, -1):
        text = "".join(squares.get(4 * rank + file, " ") for file in range(4))
        for run in range(4, 0, -1):
            text = text.replace(" " * run, str(run))
        ranks.append(text)
    pool = "".join(sorted(men[:hidden], key="KGMRNCPkgmrncp".index)) or "-"
    quiet = rng.choice((0, 0, 1, 2))
    return Position.from_fen(f"{'/'.join(ranks)} {rng.choice('rb')} {pool} - {quiet}", rules=rules)


def delayed(value):
    """A value one ply earlier: a proven end is a ply farther away."""
    return value - 1 if value >= PROVEN else value + 1 if value <= -PROVEN else value


def rounded(mean):
    """To the nearest whole number, halves away from zero."""
    return int(abs(mean) + Fraction(1, 2)) * (1 if mean >= 0 else -1)


def expectimax(position, depth, rounding=rounded, step=delayed, loss=-UNIT):
    """The value of a position and of each of its moves: the definition, without a bound or a table."""
    outcome = position.outcome()
    if outcome is not None and outcome.termination == "quiet_limit":
        return 0, {}
    if outcome is not None and outcome.winner is not None:
        return loss, {}
    if depth == 0:
        return position.state.evaluate(), {}
    values = {}
    for move in position.legal_moves:
        total, weight = 0, 0
        for reveal in position.outcomes(move):
            position.push(reveal.move)
            total -= reveal.weight * expectimax(position, depth - 1, rounding, step, loss)[0]
            weight += reveal.weight
            position.pop()
        values[move] = step(rounding(Fraction(total, weight)))
    return max(values.values()), values


def searched(position, depth, *, searcher=None):
    """The search's value and move, without quiescence and repetition."""
    searcher = searcher or _banqi32.Searcher(Table(1 << 16), 1)
    reports = []
    searcher.think(
        position.state,
        depth=depth,
        nodes=0,
        seconds=float("inf"),
        lines=1,
        report=lambda *report: reports.append(report),
        quiescence=False,
        repetition=False,
        same_depth_only=True,
    )
    at_depth, *_, value, line, _ = reports[-1]
    return value, Move.from_index(line[0][0]), at_depth


def positions(chunk):
    rng = random.Random(f"search {chunk}")
    done = 0
    while done < tenth(2000) // CHUNKS:
        position = small_position(rng, rng.choice(RULES))
        if position.outcome() is None:
            done += 1
            yield position, rng.choice(depths(position))


def depths(position):
    """As deep as plain expectimax gets in a fraction of a second."""
    hidden = sum(position.pool.values())
    men = sum(position.piece_at(square) is not None for square in range(32))
    if hidden == 0 and men <= 4:
        return (2, 3, 4, 5)
    return (1, 2, 2, 3, 3, 3) if hidden < 3 else (1, 2, 2)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_search_equals_plain_expectimax(chunk):
    for position, depth in positions(chunk):
        value, values = expectimax(position, depth)
        # A proven end within the depth ends the deepening early; the answer is the same.
        found, move, _ = searched(position, depth)
        assert (found, values[move]) == (value, value), (position.fen(), str(position.rules), depth)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_search_stays_within_its_bound_of_exact_fractions(chunk):
    """Each chance level rounds by half a unit at most, and a proven end counts a unit less for each ply to it."""
    for position, depth in positions(chunk):
        value, values = expectimax(position, depth, rounding=lambda mean: mean, step=lambda value: value)
        found, move, _ = searched(position, depth)
        bound = Fraction(3 * depth, 2)
        assert abs(found - value) <= bound, (position.fen(), str(position.rules), depth)
        assert value - values[move] <= 2 * bound, (position.fen(), str(position.rules), depth)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_one_table_serves_every_quiet_count_and_depth(chunk):
    """What a table remembers of a position far from the quiet limit, or of another depth, does not leak into it."""
    searcher = _banqi32.Searcher(Table(1 << 20), 1)
    for position, depth in positions(chunk):
        text = position.fen().rsplit(" ", 1)[0]
        for quiet in (0, 5, 3, 4):
            again = Position.from_fen(f"{text} {quiet}", rules="taiwan(quiet_limit=6, repetition=none)")
            if again.outcome() is None:
                value, values = expectimax(again, min(depth, 3))
                found, move, _ = searched(again, min(depth, 3), searcher=searcher)
                assert (found, values[move]) == (value, value), (again.fen(), depth)
