"""The search against plain expectimax: every pruning switched off by being absent, the same rounding."""

import math
import random
import sys
from fractions import Fraction

import numpy as np
import pytest

from banqi import Move, Position
from banqi.core import _banqi32
from banqi.core._table import Table
from banqi.evaluation import Arrays
from banqi.evaluation.weights import shapes
from reference import games
from reference.walks import random_fen
from sizes import tenth

UNIT = _banqi32.UNIT
PROVEN = _banqi32.PROVEN
CHUNKS = 8
PLAIN = (
    "taiwan",
    "hongkong",
    "mainland",
    "cannon-adjacent",
    "taiwan(quiet_limit=3, repetition=none)",
    "mainland(cannon=jump)",
)
# Rule sets with attempts, with chains, with both, and the large board.
HOUSE = (
    "dark-capture",
    "children",
    "children",
    "cannon-chain",
    "taiwan(chain=any)",
    "mainland(dark_capture, chain=any)",
    "hongkong(cannon=jump, cannon_adjacent, dark_capture, chain=cannon)",
    "cannon-chain(cannon_adjacent, dark_capture)",
    "children(quiet_limit=3, repetition=none)",
    "double",
    "double(ranking=hongkong)",
    "double(dark_capture, chain=any)",
    "double(cannon_adjacent, screens=faceup, chain=cannon)",
)
# Junqi with each way to a draw that the search can see by itself.
JUNQI = ("junqi", "junqi", "junqi(quiet_limit=3)")


def small_position(rng, rules):
    """A random position of 2 to 8 men besides flags, 0 to 3 of them face down, both sides alive; often in a chain."""
    switches = games.parse(rules)
    least = len(switches.vital)
    red, black = least + rng.randint(1, 4), least + rng.randint(1, 4)
    hidden = min(rng.choice((0, 1, 1, 2, 2, 3)), red + black - 1)
    # Often crowded together, so that the men meet, and closer yet where they may go on capturing.
    room = rng.choice((16, 16, 32) if switches.chain == "none" else (8, 12, 16, 32))
    rows = math.ceil(room / len(switches.files))
    fen = random_fen(switches, rng, red=red, black=black, hidden=hidden, rows=rows)
    position = Position.from_fen(f"{fen.rsplit(' ', 1)[0]} {rng.choice((0, 0, 1, 2))}", rules=rules)
    return chained(position) if rng.random() < 0.7 else position


def chained(position):
    """The first position in the middle of a chain that one action leads to, the position itself if there is none."""
    for move in position.legal_moves if position.rules.chain != "none" else ():
        for reveal in position.outcomes(move):
            position.push(reveal.move)
            text, found = position.fen(), position.chain is not None and position.outcome() is None
            position.pop()
            if found:
                return Position.from_fen(text, rules=position.rules)
    return position


def delayed(value):
    """A value one ply earlier: a proven end is a ply farther away."""
    return value - 1 if value >= PROVEN else value + 1 if value <= -PROVEN else value


def hastened(value):
    """A value one ply later: what delayed() makes of it is the value again."""
    return value + 1 if value >= PROVEN else value - 1 if value <= -PROVEN else value


def unchanged(value):
    """A value that does not tell how far away an end is, or how it is rounded."""
    return value


def rounded(mean):
    """To the nearest whole number, halves away from zero."""
    return int(abs(mean) + Fraction(1, 2)) * (1 if mean >= 0 else -1)


def random_weights(board):
    """Weights of a learned evaluation that tell positions apart."""
    rng = np.random.default_rng(1)
    return Arrays(*(rng.integers(-300, 301, shape, dtype=np.int16) for shape in shapes(board))).weights()


WEIGHTS = {board: random_weights(board) for board in ("4x8", "8x8")}


def expectimax(position, depth, rounding=rounded, later=hastened, earlier=delayed, weights=None):
    """The value of a position and of each of its moves: the definition, without a bound or a table.

    Depth counts actions, values count plies. What passes the turn is seen from the other side and one ply later; what
    goes on with a chain is still the same side's ply, so it is brought to one ply later to be averaged with the rest.
    """
    outcome = position.outcome()
    if outcome is not None and outcome.termination == "quiet_limit":
        return 0, {}
    if outcome is not None and outcome.winner is not None:
        # Who has lost is to move, but for a chain that took the last piece: there the ply that wins goes on.
        return (earlier(UNIT) if outcome.winner is position.side else -UNIT), {}
    if depth == 0:
        return position.state.evaluate(weights), {}
    values = {}
    side = position.side
    for move in position.legal_moves:
        total, weight = 0, 0
        for reveal in position.outcomes(move):
            position.push(reveal.move)
            value = expectimax(position, depth - 1, rounding, later, earlier, weights)[0]
            total += reveal.weight * (later(value) if position.side is side else -value)
            weight += reveal.weight
            position.pop()
        values[move] = earlier(rounding(Fraction(total, weight)))
    return max(values.values()), values


def searched(position, depth, *, searcher=None, weights=None):
    """The search's value and move, without quiescence and repetition."""
    searcher = searcher or searcher_for(position, 1 << 16)
    reports = []
    searcher.think(
        position.state,
        depth=depth,
        nodes=0,
        seconds=float("inf"),
        lines=1,
        weights=weights,
        report=lambda *report: reports.append(report),
        quiescence=False,
        repetition=False,
        same_depth_only=True,
    )
    at_depth, *_, value, line, _ = reports[-1]
    action, geometry = line[0][0], position.rules.geometry
    move = Move.end(geometry) if action == geometry.squares**2 else Move.from_index(action, geometry)
    return value, move, at_depth


def searcher_for(position, hash_bytes):
    """A searcher of the compiled board that the position stands on."""
    return sys.modules[type(position.state).__module__].Searcher(Table(hash_bytes), 1)


def positions(chunk, rule_sets=PLAIN):
    rng = random.Random(f"search {chunk}")
    done = 0
    while done < tenth(2000) // CHUNKS:
        position = small_position(rng, rng.choice(rule_sets))
        if position.outcome() is None:
            done += 1
            yield position, rng.choice(depths(position))


def depths(position):
    """As deep as plain expectimax gets in a fraction of a second, the last three of them."""
    return [depth for depth in range(1, 6) if depth == 1 or position.perft(depth) <= 3000][-3:]


@pytest.mark.parametrize("rule_sets", [PLAIN, HOUSE, JUNQI], ids=["plain", "house", "junqi"])
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_search_equals_plain_expectimax(chunk, rule_sets):
    for position, depth in positions(chunk, rule_sets):
        value, values = expectimax(position, depth)
        # A proven end within the depth ends the deepening early; the answer is the same.
        found, move, _ = searched(position, depth)
        assert (found, values[move]) == (value, value), (position.fen(), str(position.rules), depth)


@pytest.mark.parametrize("rule_sets", [PLAIN, HOUSE], ids=["plain", "house"])
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_search_by_weights_equals_plain_expectimax(chunk, rule_sets):
    """Whatever is played, the search's leaves are worth what their positions are when they are set up."""
    for position, depth in positions(chunk, rule_sets):
        weights = WEIGHTS[position.rules.board]
        value, values = expectimax(position, depth, weights=weights)
        found, move, _ = searched(position, depth, weights=weights)
        assert (found, values[move]) == (value, value), (position.fen(), str(position.rules), depth)


@pytest.mark.parametrize("rule_sets", [PLAIN, HOUSE, JUNQI], ids=["plain", "house", "junqi"])
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_search_stays_within_its_bound_of_exact_fractions(chunk, rule_sets):
    """Each chance level rounds by half a unit at most, and a proven end counts a unit less for each ply to it."""
    for position, depth in positions(chunk, rule_sets):
        value, values = expectimax(position, depth, rounding=unchanged, later=unchanged, earlier=unchanged)
        found, move, _ = searched(position, depth)
        bound = Fraction(3 * depth, 2)
        assert abs(found - value) <= bound, (position.fen(), str(position.rules), depth)
        assert value - values[move] <= 2 * bound, (position.fen(), str(position.rules), depth)


def test_the_positions_hold_what_they_are_for():
    """Chains begun and gone on with, their ends, and attempts stand among the positions and their moves."""
    seen = {"chain": 0, "end": 0, "attempt": 0, "attempt in a chain": 0, "large board": 0, "flag": 0, "engineer": 0}
    for chunk in range(CHUNKS):
        for position, _ in positions(chunk, JUNQI):
            tried = [reveal.move for move in position.legal_moves for reveal in position.outcomes(move)]
            ends = [position.copy() for _ in tried]
            for end, move in zip(ends, tried, strict=True):
                end.push(move)
            seen["flag"] += any(end.outcome() and end.outcome().termination == "flag" for end in ends)
            seen["engineer"] += any(position.piece_at(move.from_square).kind == "E" for move in tried)
        for position, _ in positions(chunk, HOUSE):
            chain = position.chain is not None
            attempts = [
                move
                for move in position.legal_moves
                if not (move.is_flip or move.is_end) and position.outcomes(move)[0].move.reveal is not None
            ]
            seen["chain"] += chain
            seen["end"] += Move.end(position.rules.geometry) in position.legal_moves
            seen["attempt"] += bool(attempts)
            seen["attempt in a chain"] += chain and bool(attempts)
            seen["large board"] += position.rules.geometry.files == 8
    assert min(seen.values()) >= tenth(2000) // 100, seen


# Worked out by hand.
@pytest.mark.parametrize(
    ("fen", "rules", "depth", "value", "best"),
    [
        # Both captures are one ply.
        ("4/4/4/4/1p2/1n2/1R2/4 r - - 0", "taiwan(chain=any)", 2, UNIT - 1, "b2-b3"),
        ("4/4/4/4/1p2/1R2/4/4 r - b3 0", "taiwan(chain=any)", 1, UNIT - 1, "b3-b4"),
        # No black piece is left, so nobody asks what b4 is.
        ("4/4/4/4/1x2/1n2/1R2/4 r P - 0", "children", 1, UNIT - 1, "b2-b3"),
        # The chain takes the last piece although it could go on with an attempt.
        ("4/4/4/4/xn2/1p2/1R2/4 r P - 0", "children", 2, UNIT - 1, "b2-b3"),
        # Whatever a1-a2 shows, it is the last black piece and the chariot takes it.
        ("4/4/4/4/4/4/x3/R3 r p - 0", "dark-capture", 1, UNIT - 1, "a1-a2"),
    ],
)
def test_a_chain_is_one_ply(fen, rules, depth, value, best):
    position = Position.from_fen(fen, rules=rules)
    plain, values = expectimax(position, depth)
    assert (plain, values[Move.from_text(best)]) == (value, value)
    found, move, _ = searched(position, depth)
    assert (found, str(move)) == (value, best)


@pytest.mark.parametrize(
    ("rules", "rule_sets"),
    [
        ("children(quiet_limit=6, repetition=none)", PLAIN),
        ("taiwan(quiet_limit=6, repetition=none)", PLAIN),
        ("junqi(quiet_limit=6)", JUNQI),
    ],
)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_one_table_serves_every_quiet_count_and_depth(chunk, rules, rule_sets):
    """What a table remembers of a position far from the quiet limit, or of another depth, does not leak into it."""
    searcher = searcher_for(Position(rules), 1 << 20)
    for position, depth in positions(chunk, rule_sets):
        text = position.fen().rsplit(" ", 1)[0]
        for quiet in (0, 5, 3, 4):
            again = Position.from_fen(f"{text} {quiet}", rules=rules)
            if again.outcome() is None:
                value, values = expectimax(again, min(depth, 3))
                found, move, _ = searched(again, min(depth, 3), searcher=searcher)
                assert (found, values[move]) == (value, value), (again.fen(), depth)
