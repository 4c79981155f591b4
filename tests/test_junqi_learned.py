"""What positions of Junqi are worth by weights.

What is expected is computed plainly here, from the formulas in banqi/evaluation/FORMAT.md, on positions of the slow
reference.
"""

import math
import random
from collections import Counter

import numpy as np
import pytest

from banqi import Engine, EvaluationError, Limit, Position, Rules
from banqi.core._table import Table
from banqi.evaluation import Arrays, Evaluation, read_weights, write_weights
from banqi.evaluation.weights import shapes
from plain_weights import ESTIMATE, UNIT, alive_of, divided, expected, plain_material
from reference.game import Game
from reference.games import parse
from reference.junqi_board import CAMPS, NODES, ROADS
from reference.walks import random_action, random_endgame, random_fen
from sizes import tenth

LARGEST_WEIGHT = 8184
LARGEST_SUM = 32767
# Landmine, flag, bomb, then from the engineer up: FORMAT.md.
ORDER = "LFOEPCTRBDGM"
MOST_EDGES = 6
SHARE = 60


# --- computed plainly -----------------------------------------------------------------------------------------------


def distances_from(node):
    """The fewest edges from a node to each."""
    found, front = {node: 0}, {node}
    while front:
        front = {to for at in front for to in ROADS[at]} - found.keys()
        found |= dict.fromkeys(front, max(found.values()) + 1)
    return found


EDGES = {node: distances_from(node) for node in NODES}


def place_of(node):
    column, row = "abcde".index(node[0]), int(node[1:]) - 1
    return 3 * min(row, 11 - row) + min(column, 4 - column)


def on_the_way(position, node):
    """What one move along roads or straight railway joins to a node."""
    return set(ROADS[node]) | position.straight_routes(node)


def sees(position, node):
    """Where one move leads the man on a node if nothing there keeps him off."""
    kind = position.board[node].upper()
    if kind in "LF":
        return set()
    return set(ROADS[node]) | (position.engineer_routes(node) if kind == "E" else position.straight_routes(node))


class Side:
    """The men of a side that are face up, and what they see."""

    def __init__(self, position, side):
        self.men = {
            node: letter.upper()
            for node, letter in position.board.items()
            if letter != "x" and letter.isupper() == (side == "r")
        }
        self.reach = {node: sees(position, node) for node in self.men}
        self.times = Counter(to for reached in self.reach.values() for to in reached)
        self.view = set(self.times)
        self.flag = next((node for node, kind in self.men.items() if kind == "F"), None)


def flag_features(position, own, enemy, hidden):
    """What a flag counts: 5 features of one face down, 18 places and 9 features of one face up."""
    down, places, facts = [0] * 5, [0] * 18, [0] * 9
    if own.flag is None:
        if hidden:
            seen = [
                enemy.view - own.view,
                enemy.view & own.view,
                {node for node in enemy.view if enemy.times[node] > 1},
                {to for node, reached in enemy.reach.items() if node in CAMPS for to in reached},
            ]
            down = [1, *(SHARE * len(nodes & hidden) // len(hidden) for nodes in seen)]
        return down + places + facts
    places[place_of(own.flag)] = 1
    board, ways = position.board, on_the_way(position, own.flag)
    comers = {node for node, kind in enemy.men.items() if kind not in "LF"}
    mines = {node for node, letter in board.items() if letter.upper() == "L"}
    facts[0] = sum(to not in board for to in ROADS[own.flag])
    facts[1] = len(ways & hidden)
    facts[2] = sum(own.men.get(to) == "L" for to in ROADS[own.flag])
    facts[3] = len((ways & own.view) - mines - comers)
    engineers = {node for node in comers if enemy.men[node] == "E"}
    own_mines = {node for node in mines if node in own.men}
    for men, walls in ((comers - engineers, mines), (engineers, mines - own_mines)):
        known, front = {own.flag}, {own.flag}
        for moves in range(4):
            front = {to for node in front for to in on_the_way(position, node)} - known - hidden - walls
            known |= front
            facts[4 + moves] += len(front & men)
    facts[8] = sum(
        own.flag in reached and (node in CAMPS or node not in own.view) for node, reached in enemy.reach.items()
    )
    return down + places + facts


def plain_features(position):
    """The features of FORMAT.md, in its order."""
    board, other = position.board, {"r": "b", "b": "r"}[position.side]
    own, enemy = Side(position, position.side), Side(position, other)
    hidden = {node for node, letter in board.items() if letter == "x"}
    pairs = np.zeros((12, 12, MOST_EDGES), int)
    for node, kind in own.men.items():
        for to, whom in enemy.men.items():
            pairs[ORDER.index(kind), ORDER.index(whom), min(EDGES[node][to], MOST_EDGES) - 1] += 1
    by_place, sees_hidden, sees_empty = np.zeros((12, 18), int), np.zeros(12, int), np.zeros(12, int)
    for side, sign in ((own, 1), (enemy, -1)):
        for node, kind in side.men.items():
            code = ORDER.index(kind)
            by_place[code, place_of(node)] += sign
            sees_hidden[code] += sign * len(side.reach[node] & hidden)
            sees_empty[code] += sign * sum(to not in board for to in side.reach[node])
    mine, theirs = (Counter(code for code, _ in men) for men in alive_of(position, ORDER))
    living = [mine[code] - theirs[code] for code in range(12)]
    attacks, attacked = np.zeros((12, 12, 2), int), np.zeros((12, 12, 2), int)
    for one, other_side, array in ((own, enemy, attacks), (enemy, own, attacked)):
        for node, kind in one.men.items():
            for to in one.reach[node] - CAMPS:
                if to in other_side.men:
                    codes = [ORDER.index(kind), ORDER.index(other_side.men[to])]
                    array[(*(codes if one is own else reversed(codes)), int(to in other_side.view))] += 1
    flags = flag_features(position, own, enemy, hidden) + flag_features(position, enemy, own, hidden)
    arrays = [pairs.ravel(), by_place.ravel(), living, sees_hidden, sees_empty, attacks.ravel(), attacked.ravel()]
    return np.concatenate([*arrays, flags, [1]])


def plain_evaluation(position, arrays):
    """What a position that is not over is worth by weights."""
    hidden = sum(letter == "x" for letter in position.board.values())
    first, last = (plain_features(position) @ arrays.features.astype(int)).tolist()
    score = divided(plain_material(position, ORDER, arrays) * (60 - hidden), 60)
    score = divided(score + divided(first * hidden + last * (50 - hidden), 50), 8)
    return expected(by_the_rules(position, score))


def by_the_rules(position, score):
    """A score where a side cannot move any more or a flag cannot be taken any more."""
    own, enemies = ({code for code, _ in men} for men in alive_of(position, ORDER))
    hidden = sum(letter == "x" for letter in position.board.values())
    if not own - {0, 1}:
        return 900 if not enemies - {0, 1} and hidden % 2 else -900
    if not enemies - {0, 1}:
        return 900
    other = {"r": "b", "b": "r"}[position.side]
    safe = sealed(Side(position, position.side), enemies)
    if sealed(Side(position, other), own):
        return divided(score, 32) if safe else divided(score, 4) if score > 0 else score
    return divided(score, 4) if safe and score < 0 else score


def sealed(side, enemies):
    """Whether a flag has its own mines all around it and no engineer or bomb comes for it."""
    return side.flag is not None and all(side.men.get(to) == "L" for to in ROADS[side.flag]) and not enemies & {2, 3}


# --- positions and weights ------------------------------------------------------------------------------------------


def random_weights(seed, size=150):
    rng = np.random.default_rng(seed)
    return Arrays(*(rng.integers(-size, size + 1, shape, dtype=np.int16) for shape in shapes("5x12")))


def walk(name, count):
    """Positions of random games, from the start and from endings, and random ones with men all over the board."""
    rng = random.Random(f"{name} junqi")
    rules = parse("junqi")
    while count > 0:
        kind = rng.randrange(3)
        if kind == 0:
            pieces = rng.randint(4, 50)
            red = rng.randint(max(2, pieces - 25), min(25, pieces - 2))
            hidden = rng.randint(0, min(30, pieces - 2))
            game = Game("junqi", random_fen(rules, rng, red=red, black=pieces - red, hidden=hidden))
        else:
            game = Game("junqi", random_endgame(rules, rng) if kind == 1 else None)
        ply = 0
        while game.end() is None and count > 0:
            if game.position.side != "?" and ply % 5 == 0:
                count -= 1
                yield game.position, Position.from_fen(game.fen(), rules="junqi")
            ply += 1
            game.play(random_action(game, rng))


# --- the formula ----------------------------------------------------------------------------------------------------


def test_features_are_those_of_the_description():
    core = Rules.parse("junqi").core
    counts = np.empty(core.FEATURES, np.int8)
    met = np.zeros(core.FEATURES, bool)
    for plain, position in walk("features", tenth(6000)):
        stage, factor = core.features(position.state, counts)
        assert counts.tolist() == plain_features(plain).tolist(), position.fen()
        hidden = position.fen().split()[0].count("x")
        assert (stage, factor) == pytest.approx((hidden / 50, (60 - hidden) / 60), abs=1e-6)
        met |= counts != 0
    # Mines and flags see nothing, and so on; nearly everything else occurs.
    assert met.mean() > 0.8


def test_evaluation_is_features_and_material_times_weights():
    arrays = random_weights(1)
    weights = arrays.weights()
    saturated = 0
    for plain, position in walk("formula", tenth(6000)):
        value = position.state.evaluate(weights)
        assert value == plain_evaluation(plain, arrays), position.fen()
        saturated += abs(value) >= expected(1023)
    # Most of the values tell something.
    assert saturated < tenth(6000) / 2


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_weights_do_not_overflow(sign):
    arrays = Arrays(*(np.full(shape, sign * LARGEST_WEIGHT, np.int16) for shape in shapes("5x12")))
    # As large as they may be: a piece beside all others of a kind counts LARGEST_SUM.
    arrays.own[:] = sign * (LARGEST_SUM // 6)
    arrays.enemy[:] = np.tri(3, k=-1, dtype=np.int16)[None, :, None, :] * LARGEST_WEIGHT
    weights = arrays.weights()
    arrays.check()
    for plain, position in walk("largest", tenth(1000)):
        value = position.state.evaluate(weights)
        assert value == plain_evaluation(plain, arrays), position.fen()
        assert abs(value) <= ESTIMATE or value == -UNIT


def test_what_is_alive_is_the_same_along_a_line_as_anew():
    """A search carries along what is alive; here its value is the best of positions that are set up anew."""
    arrays, rules = random_weights(2), Rules.parse("junqi")
    weights, tried = arrays.weights(), 0
    for _, position in walk("along", tenth(3000)):
        if position.state.cells().count(rules.core.HIDDEN) > 0:
            continue
        found = []
        for move in position.legal_moves:
            position.push(move)
            anew = Position.from_fen(position.fen(), rules=rules)
            found.append(UNIT - 1 if anew.outcome() is not None else -anew.state.evaluate(weights))
            position.pop()
        if not found or max(found) == UNIT - 1:
            continue
        tried += 1
        reports: list[tuple] = []
        rules.core.Searcher(Table(1 << 18), 1).think(
            Position.from_fen(position.fen(), rules=rules).state, depth=1, nodes=0, seconds=math.inf, lines=1,
            report=lambda *told, reports=reports: reports.append(told), weights=weights, quiescence=False,
            same_depth_only=True,
        )  # fmt: skip
        assert reports[-1][6] == max(found), position.fen()
    assert tried > tenth(3000) / 20


def test_colours_and_symmetries_change_nothing():
    weights = random_weights(3).weights()
    for _, position in walk("symmetries", tenth(2000)):
        placement, side, *rest = position.fen().split()
        ranks = placement.split("/")
        others = [
            " ".join([placement.swapcase().replace("X", "x"), "rb"[side == "r"], rest[0].swapcase(), *rest[1:]]),
            " ".join(["/".join(rank[::-1] for rank in ranks), side, *rest]),
            " ".join(["/".join(reversed(ranks)), side, *rest]),
        ]
        value = position.state.evaluate(weights)
        for fen in others:
            assert Position.from_fen(fen, rules="junqi").state.evaluate(weights) == value, fen


# --- files and engines ----------------------------------------------------------------------------------------------


def test_weights_are_read_as_they_were_written(tmp_path):
    arrays = random_weights(4)
    write_weights(tmp_path / "w.npz", arrays)
    again = read_weights(tmp_path / "w.npz")
    assert again.board == "5x12"
    assert all(np.array_equal(one, other) for one, other in zip(arrays, again, strict=True))


def test_faulty_weights_are_refused(tmp_path):
    arrays = random_weights(5)
    np.savez(tmp_path / "w.npz", **arrays._replace(own=np.zeros((7, 5, 7, 5), np.int16))._asdict())
    with pytest.raises(EvaluationError, match=r"own has the shape \(7, 5, 7, 5\), not \(12, 3, 12, 3\) as on 5x12"):
        read_weights(tmp_path / "w.npz")


def test_an_engine_evaluates_by_what_it_was_given(tmp_path):
    arrays = random_weights(6)
    write_weights(tmp_path / "w.npz", arrays)
    with (
        Engine(hash_mb=1, evaluation=tmp_path / "w.npz") as learned,
        Engine(hash_mb=1, evaluation="handwritten") as plain,
    ):
        differing = 0
        for reference, position in walk("engine", 20):
            assert learned.evaluate(position).value == plain_evaluation(reference, arrays) / UNIT
            assert plain.evaluate(position).value == position.state.evaluate() / UNIT
            values = [engine.play(position, Limit(depth=1)).info.score.value for engine in (learned, plain)]
            differing += values[0] != values[1]
        assert differing > 10
        with pytest.raises(EvaluationError, match="are for 5x12, not 4x8"):
            learned.evaluate(Position("taiwan"))


def test_the_evaluation_written_by_hand_can_be_asked_for():
    assert Evaluation("handwritten").weights(Rules.parse("junqi")) is None
