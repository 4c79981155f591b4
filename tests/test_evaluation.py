"""What positions are worth without a search: by weights, and as it was written by hand.

What is expected is computed plainly here, from the formulas in banqi/evaluation/FORMAT.md and banqi/core/evaluate.pxi,
on positions of the slow reference.
"""

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from banqi import Engine, EvaluationError, Limit, Position, Rules
from banqi.cli import main
from banqi.evaluation import Arrays, Evaluation, read_weights, write_weights
from banqi.evaluation.weights import shapes
from plain_weights import ESTIMATE, UNIT, divided, expected, plain_material
from reference import games
from reference.game import Game
from reference.walks import random_action, random_endgame
from sizes import tenth

SHIPPED = sorted((Path(__file__).parents[1] / "banqi" / "evaluation" / "data").glob("*.npz"))
LARGEST_WEIGHT = 8184
LARGEST_SUM = 32767
RULES = (
    "taiwan",
    "hongkong",
    "mainland",
    "mainland(cannon=jump)",
    "cannon-adjacent",
    "dark-capture",
    "children",
    "cannon-chain",
    "double",
    "double(ranking=hongkong, dark_capture, chain=any)",
)
# Weakest first, a jumping cannon just above the soldier: FORMAT.md.
ORDER = {"taiwan": "PCNRMGK", "hongkong": "PMGCNRK", "mainland": "PCNRMGK"}


# --- computed plainly -----------------------------------------------------------------------------------------------


def order_of(rules):
    """The kinds by rank; with a jumping cannon Hong Kong's order is P C M G N R K."""
    return "PCMGNRK" if rules.ranking == "hongkong" and rules.cannon == "jump" else ORDER[rules.ranking]


def seen_by(position):
    """A position's own and enemy pieces face up, (code, column, row) each, its face-down and its empty squares."""
    order = order_of(position.rules)
    files = position.rules.files
    own, enemies, hidden, empty = [], [], set(), set()
    for column, name in enumerate(files):
        for row in range(8):
            letter = position.board.get(f"{name}{row + 1}")
            if letter is None:
                empty.add((column, row))
            elif letter == "x":
                hidden.add((column, row))
            else:
                men = own if (letter.isupper()) == (position.side == "r") else enemies
                men.append((order.index(letter.upper()), column, row))
    return own, enemies, hidden, empty


def aimed_at(position, side):
    """By code, how many pieces the cannons of a side would take by a jump."""
    found = set()
    for square, letter in position.board.items():
        if letter == ("C" if side == "r" else "c") and position.rules.cannon == "jump":
            for what, to in position.actions_of(square):
                if what == "capture" and abs(ord(to[0]) - ord(square[0])) + abs(int(to[1]) - int(square[1])) > 1:
                    found.add(to)
    return Counter(order_of(position.rules).index(position.board[to].upper()) for to in found)


def plain_features(position):
    """The features of FORMAT.md, in its order."""
    files = len(position.rules.files)
    distances, places = files + 6, files * 2
    own, enemies, hidden, empty = seen_by(position)
    pairs = np.zeros((7, 7, distances), int)
    for code, column, row in own:
        for other, column2, row2 in enemies:
            pairs[code, other, abs(column - column2) + abs(row - row2) - 1] += 1
    by_place = np.zeros((7, places), int)
    beside_hidden, beside_empty = np.zeros(7, int), np.zeros(7, int)
    for men, sign in ((own, 1), (enemies, -1)):
        for code, column, row in men:
            by_place[code, min(row, 7 - row) * (files // 2) + min(column, files - 1 - column)] += sign
            beside = {(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)}
            beside_hidden[code] += sign * len(beside & hidden)
            beside_empty[code] += sign * len(beside & empty)
    side, other = (position.side, "b" if position.side == "r" else "r")
    threats = [[aimed_at(position, who)[code] for code in range(7)] for who in (other, side)]
    turn = [1, len(hidden)]
    return np.concatenate([pairs.ravel(), by_place.ravel(), beside_hidden, beside_empty, *threats, turn])


def plain_evaluation(position, arrays):
    """What a position that is not over is worth by weights; in a chain, what the chain's end leads to."""
    if position.chain != "-":
        value = plain_evaluation(position.after("0000"), arrays)
        return UNIT - 1 if value == -UNIT else -value
    if not position.legal():
        return -UNIT
    men = len(position.board)
    full, empty = (plain_features(position) @ arrays.features.astype(int)).tolist()
    most = 8 * len(position.rules.files)
    score = plain_material(position, order_of(position.rules), arrays) + divided(
        full * men + empty * (most - men), most
    )
    return expected(divided(score, 8))


POINTS = {"K": 30, "C": 16, "P": 4}


def plain_handwritten(position):
    """The evaluation written by hand, on a board without house rules."""
    rules, order = position.rules, order_of(position.rules)
    steps, danger, men = {"r": 0, "b": 0}, set(), Counter(position.pool)
    for square, letter in position.board.items():
        if letter != "x":
            men[letter] += 1
            side = "r" if letter.isupper() else "b"
            for what, to in position.actions_of(square):
                steps[side] += what == "step"
                if what == "capture" and side != position.side:
                    danger.add(to)
    # By rank, a jumping cannon apart from it, the weakest man that ranks at all like a soldier.
    ranked = [kind for kind in reversed(order) if not (kind == "C" and rules.cannon == "jump")]
    points = dict(zip(ranked, [30, 14, 11, 9, 7, 6, 4], strict=False)) | {order[0]: 4}
    if rules.cannon == "jump":
        points["C"] = 16
    score = 0
    for side, sign in (("r", 1), ("b", -1)):
        own, enemy = (str.upper, str.lower) if side == "r" else (str.lower, str.upper)
        score += sign * sum(4 * points[kind] * men[own(kind)] for kind in order)
        score += sign * 8 * men[own("K")] * (5 * (len(rules.files) // 4) - men[enemy("P")])
        score += sign * steps[side]
    score *= 1 if position.side == "r" else -1
    return expected(score - sum(order.index(position.board[to].upper()) + 1 for to in danger))


# --- positions and weights ------------------------------------------------------------------------------------------


def random_weights(rules, seed, size=300):
    rng = np.random.default_rng(seed)
    board = Rules.parse(rules).board
    return Arrays(*(rng.integers(-size, size + 1, shape, dtype=np.int16) for shape in shapes(board)))


def walk(name, rules, count):
    """Positions of random games, from the start and from endings, every fifth ply and all inside of chains."""
    rng = random.Random(f"{name} {rules}")
    while count > 0:
        game = Game(rules, random_endgame(games.parse(rules), rng) if rng.random() < 0.5 else None)
        ply = 0
        while game.end() is None and count > 0:
            ply += 1
            if game.position.side != "?" and (game.position.chain != "-" or ply % 5 == 0):
                count -= 1
                yield game.position, Position.from_fen(game.fen(), rules=rules)
            game.play(random_action(game, rng))


def with_colours_exchanged(fen):
    placement, side, pool, *rest = fen.split()
    return " ".join([placement.swapcase().replace("X", "x"), {"r": "b", "b": "r"}[side], pool.swapcase(), *rest])


def mirrored(fen, *, files, rows):
    placement, *rest = fen.split()
    return " ".join(["/".join(rank[::files] for rank in placement.split("/")[::rows]), *rest])


# --- the formula ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES)
def test_features_are_those_of_the_description(rules):
    core = Rules.parse(rules).core
    counts = np.empty(core.FEATURES, np.int8)
    for plain, position in walk("features", rules, tenth(3000)):
        core.features(position.state, counts)
        assert counts.tolist() == plain_features(plain).tolist(), position.fen()


@pytest.mark.parametrize("rules", RULES)
def test_evaluation_is_features_and_material_times_weights(rules):
    arrays = random_weights(rules, 1)
    weights = arrays.weights()
    saturated = 0
    for plain, position in walk("formula", rules, tenth(3000)):
        value = position.state.evaluate(weights)
        assert value == plain_evaluation(plain, arrays), position.fen()
        saturated += abs(value) >= expected(1023)
    # Most of the values tell something.
    assert saturated < tenth(3000) / 2


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("rules", ["taiwan", "hongkong", "double"])
def test_the_largest_weights_do_not_overflow(rules, sign):
    size = LARGEST_WEIGHT
    arrays = Arrays(*(np.full(shape, sign * size, np.int16) for shape in shapes(Rules.parse(rules).board)))
    # As large as they may be: a piece beside all others of a kind counts LARGEST_SUM.
    copies = arrays.alone.shape[1]
    arrays.own[:] = sign * (LARGEST_SUM // (2 * copies))
    arrays.enemy[:] = np.tri(copies, k=-1, dtype=np.int16)[None, :, None, :] * (LARGEST_SUM // copies)
    weights = arrays.weights()
    arrays.check()
    for plain, position in walk("largest", rules, tenth(500)):
        value = position.state.evaluate(weights)
        assert value == plain_evaluation(plain, arrays), position.fen()
        assert abs(value) <= ESTIMATE or value == -UNIT


@pytest.mark.parametrize("fen", [
    # 64 men face up, 32 of each side: the most pairs there can be.
    "PPPPPPPP/PPKKGGGG/MMMMRRRR/NNNNCCCC/pppppppp/ppkkgggg/mmmmrrrr/nnnncccc r - - 0",
    "PpPpPpPp/pPpPpPpP/PpPpkKgG/GgGgGgmM/MmMmMmrR/RrRrRrnN/NnNnNncC/CcCcCcKk b - - 0",
])  # fmt: skip
def test_a_full_board_of_the_largest_weights_does_not_overflow(fen):
    arrays = Arrays(*(np.full(shape, LARGEST_WEIGHT, np.int16) for shape in shapes("8x8")))
    arrays.own[:] = LARGEST_SUM // 20
    arrays.enemy[:] = 0
    position = Position.from_fen(fen, rules="double")
    game = Game("double", fen)
    assert position.state.evaluate(arrays.weights()) == plain_evaluation(game.position, arrays)


@pytest.mark.parametrize("rules", RULES)
def test_colours_and_symmetries_change_nothing(rules):
    weights = random_weights(rules, 2).weights()
    for _, position in walk("symmetries", rules, tenth(2000)):
        fen, value = position.fen(), position.state.evaluate(weights)
        if position.chain is not None:
            # Only the board is turned below.
            continue
        others = [with_colours_exchanged(fen), *(mirrored(fen, files=f, rows=r) for f, r in ((-1, 1), (1, -1)))]
        for other in others:
            assert Position.from_fen(other, rules=rules).state.evaluate(weights) == value, (fen, other)


@pytest.mark.parametrize("rules", ["taiwan", "hongkong", "mainland", "mainland(cannon=jump)", "double"])
def test_the_evaluation_written_by_hand_is_what_it_was(rules):
    for plain, position in walk("by hand", rules, tenth(3000)):
        if plain.legal():
            assert position.state.evaluate() == plain_handwritten(plain), position.fen()


# --- files ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["taiwan", "double"])
def test_weights_are_read_as_they_were_written(tmp_path, rules):
    arrays = random_weights(rules, 3)
    write_weights(tmp_path / "one.npz", arrays)
    write_weights(tmp_path / "two.npz", arrays)
    again = read_weights(tmp_path / "one.npz")
    assert all(np.array_equal(one, other) for one, other in zip(arrays, again, strict=True))
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.npz", "two.npz"]


@pytest.fixture
def saved(tmp_path):
    """A file with arrays that replace those of good weights; None leaves one out."""

    def save(**changes):
        arrays = random_weights("taiwan", 4)._asdict() | changes
        np.savez(tmp_path / "w.npz", **{name: array for name, array in arrays.items() if array is not None})
        return tmp_path / "w.npz"

    return save


PAIRS = (7, 5, 7, 5)
# One piece beside all five of a kind.
ONE_SIDED = np.zeros(PAIRS, np.int16)
ONE_SIDED[0, 0, 1, :] = 8000
FAULTY = {
    "there is no enemy": {"enemy": None},
    "alone is int32, not int16": {"alone": np.zeros((7, 5), np.int32)},
    "own is float64, not int16": {"own": np.zeros(PAIRS)},
    "alone has the shape (7, 4), not (7, 5) or (7, 10) or (12, 3)": {"alone": np.zeros((7, 4), np.int16)},
    "own has the shape (7, 5, 7), not (7, 5, 7, 5) as on 4x8": {"own": np.zeros((7, 5, 7), np.int16)},
    "features has the shape (576, 1), not (576, 2)": {"features": np.zeros((576, 1), np.int16)},
    "features holds a weight of 8185; the largest is 8184": {"features": np.full((576, 2), -8185, np.int16)},
    "alone holds a weight of 32768; the largest is 8184": {"alone": np.full((7, 5), -32768, np.int16)},
    "own adds up to 33000 for a piece; the most is 32767": {"own": np.full(PAIRS, 3300, np.int16)},
    "enemy adds up to 40000 for a piece": {"enemy": ONE_SIDED},
    "Object arrays cannot be loaded": {"own": np.array([{}])},
    "own is too large": {"own": np.zeros((1 << 20) + 1, np.int8)},
}


@pytest.mark.parametrize("words", FAULTY)
def test_faulty_weights_are_refused_in_one_line(saved, words):
    path = saved(**FAULTY[words])
    with pytest.raises(EvaluationError) as refusal:
        Engine(hash_mb=1, evaluation=path)
    assert words in str(refusal.value)
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_damaged_file_is_refused_or_holds_the_same(saved):
    path = saved()
    data, arrays = path.read_bytes(), read_weights(path)
    rng = random.Random("damage")
    for _ in range(tenth(3000)):
        broken = bytearray(data)
        # Most of what matters stands in the heads and at the end.
        place = rng.choice([rng.randrange(len(data)), rng.randrange(200), len(data) - 1 - rng.randrange(300)])
        if rng.random() < 0.3:
            del broken[place:]
        else:
            broken[place] ^= 1 << rng.randrange(8)
        path.write_bytes(broken)
        try:
            again = read_weights(path)
        except EvaluationError:
            continue
        assert all(np.array_equal(one, other) for one, other in zip(arrays, again, strict=True)), place


@pytest.mark.parametrize("evaluation", [None, 3, True, b"learned", ["learned"]])
def test_an_evaluation_is_a_word_or_a_file(evaluation):
    with pytest.raises(EvaluationError, match="an evaluation is 'learned', 'handwritten' or a file of weights, not"):
        Engine(hash_mb=1, evaluation=evaluation)


def test_what_is_no_file_of_weights_is_refused(tmp_path):
    (tmp_path / "text").write_text("no weights")
    for name, words in {
        "none": "cannot read .*: No such file",
        "": "Is a directory",
        "text": "holds no weights",
    }.items():
        with pytest.raises(EvaluationError, match=words):
            Engine(hash_mb=1, evaluation=tmp_path / name)
    with pytest.raises(EvaluationError, match="null"):
        Engine(hash_mb=1, evaluation="a\0b")


@pytest.mark.parametrize("rules", ["double", "junqi"])
def test_weights_of_another_board_are_refused(saved, rules):
    position = Position(rules)
    with Engine(hash_mb=1, evaluation=saved()) as engine:
        for ask in (engine.evaluate, lambda position: engine.play(position, Limit(nodes=10))):
            with pytest.raises(EvaluationError, match=f"are for 4x8, not {position.rules.board}"):
                ask(position)
        # It goes on working.
        assert engine.play(Position(), Limit(nodes=10)).move is not None


def test_weights_that_cannot_be_written_leave_nothing(tmp_path):
    with pytest.raises(EvaluationError, match="cannot write"):
        write_weights(tmp_path / "none" / "w.npz", random_weights("taiwan", 5))
    broken = random_weights("taiwan", 5)._replace(alone=np.zeros((7, 5), np.int32))
    with pytest.raises(EvaluationError, match="alone is int32"):
        write_weights(tmp_path / "w.npz", broken)
    assert list(tmp_path.iterdir()) == []


# --- engines --------------------------------------------------------------------------------------------------------


def test_an_engine_evaluates_by_what_it_was_given(saved):
    path = saved()
    for rules in ("taiwan", "children"):
        for _, position in walk("engine", rules, 20):
            if position.outcome() is None:
                with (
                    Engine(hash_mb=1, evaluation=path) as learned,
                    Engine(hash_mb=1, evaluation="handwritten") as plain,
                ):
                    weights = Evaluation(path).weights(position.rules)
                    assert learned.evaluate(position).value == position.state.evaluate(weights) / UNIT
                    assert plain.evaluate(position).value == position.state.evaluate() / UNIT
                    values = [engine.play(position, Limit(depth=2)).info.score.value for engine in (learned, plain)]
                    assert values[0] != values[1] or values[0] in (-1.0, 0.0, 1.0)


def test_a_rule_set_without_weights_is_evaluated_as_written_by_hand():
    names = {path.stem for path in SHIPPED}
    for name in RULES:
        rules = Rules.parse(name)
        assert (Evaluation("learned").weights(rules) is None) == (str(rules) not in names)
        assert Evaluation("handwritten").weights(rules) is None


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_weights_belong_to_a_rule_set(path):
    rules = Rules.parse(path.stem)
    assert str(rules) == path.stem
    weights = Evaluation("learned").weights(rules)
    assert read_weights(path).board == rules.board
    # When a game is drawn makes no difference.
    more = f"{path.stem[:-1]}, " if path.stem.endswith(")") else f"{path.stem}("
    for options in ("quiet_limit=60", "repetition=cycle", "perpetual=loses"):
        assert Evaluation("learned").weights(Rules.parse(f"{more}{options})")) is not None
    assert weights is Evaluation("learned").weights(rules)


def test_the_command_line_takes_an_evaluation(saved, capsys):
    path = saved()
    fen = "2p1/RC1M/2K1/c2G/g1M1/r2P/ncm1/pmnC r - - 0"
    values = []
    for evaluation in ("handwritten", str(path)):
        assert main(["bestmove", "--fen", fen, "--depth", "3", "--hash", "1", "--evaluation", evaluation]) == 0
        values.append(capsys.readouterr().out)
    assert values[0] != values[1]
    for command in (["bestmove", "--nodes", "10"], ["tcga"]):
        assert main([*command, "--evaluation", "none.npz"]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.startswith("banqi: cannot read 'none.npz': No such file")
        assert told.err.count("\n") == 1
    assert main(["bestmove", "--rules", "junqi", "--evaluation", str(path)]) == 2
    assert "are for 4x8, not 5x12" in capsys.readouterr().err


def test_an_engine_needs_no_torch():
    program = "import sys, banqi; banqi.Engine(hash_mb=1).evaluate(banqi.Position()); print('torch' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"
