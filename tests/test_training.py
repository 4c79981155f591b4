"""What the evaluation is fitted to, and the fit where torch is installed."""

import importlib.util
import random
import subprocess
import sys

import numpy as np
import pytest

from banqi import EvaluationError, Position, Rules
from banqi.arena.selfplay import Folder, SelfPlay, run
from banqi.evaluation import read_weights
from banqi.evaluation.examples import (
    arrays_of,
    examples,
    first_features,
    first_worth,
    foreseen,
    luck,
    pieces,
    states,
    values,
    worth_learning,
)
from banqi.evaluation.shard import TYPES, Shard, together
from banqi.evaluation.train import Fit, errors_of, fit, split
from inline_executor import InlineExecutor

UNIT = 1 << 22
TORCH = importlib.util.find_spec("torch") is not None
RULES = ("taiwan", "hongkong", "mainland", "children", "double", "junqi")


def played(rules, games=3, nodes=30, folder=None):
    """The positions of some short searches' games."""
    from banqi.arena.selfplay import play_batch

    settings = SelfPlay(Rules.parse(rules), nodes, lots=0.2)
    if folder is not None:
        list(run(settings, InlineExecutor(), Folder(folder, settings), games, at_once=1))
    return play_batch(settings, range(games)).shard


@pytest.fixture(scope="module")
def shards():
    return {rules: played(rules) for rules in RULES}


# --- examples -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES)
def test_states_are_the_positions(shards, rules):
    """They are evaluated alike, and go on alike."""
    shard, meaning = shards[rules], Rules.parse(rules)
    for row, state in enumerate(states(meaning, shard)):
        assert state.cells() == shard.cells[row].tobytes()
        assert state.pool() == shard.pool[row].tobytes()
        assert (state.side, state.chain, state.quiet) == (shard.side[row], shard.chain[row], shard.quiet[row])


def test_what_is_worth_learning():
    """A position of each kind that is left out, and one that is not."""
    count = 7
    shard = Shard(
        np.zeros((count, 32), np.uint8),
        np.zeros((count, 14), np.uint8),
        np.array([0, 1, 2, 0, 0, 0, 0], np.uint8),
        np.array([-1, -1, -1, 5, -1, -1, -1], np.int8),
        np.zeros(count, np.uint16),
        np.array([0.5, -0.96875, 0, 0, 0, 1, -0.98], np.float32),
        np.zeros(count, np.int8),
        np.array([False, False, False, False, True, False, False]),
        np.zeros(count, np.int32),
    )
    assert worth_learning(Rules.parse("taiwan"), shard).tolist() == [True, True, False, False, False, False, False]
    # In Junqi what is proven is learned from, too.
    assert worth_learning(Rules.parse("junqi"), shard).tolist() == [True, True, False, False, False, True, True]


def test_what_is_foreseen_is_the_mean_of_what_comes():
    """Two games, worked out by hand; in the second one black captures on in a chain."""
    shard = Shard(
        np.zeros((6, 32), np.uint8),
        np.zeros((6, 14), np.uint8),
        np.array([2, 0, 1, 2, 1, 1], np.uint8),
        np.array([-1, -1, -1, -1, -1, 5], np.int8),
        np.zeros(6, np.uint16),
        np.array([0.0, 0.4, -0.8, 0.0, 0.2, 0.6], np.float32),
        np.array([-1, 1, -1, 0, 0, 0], np.int8),
        np.zeros(6, bool),
        np.array([7, 7, 7, 8, 8, 8], np.int32),
    )
    # Red wins: 0.8 and 1 make 0.9 for him, and 0.4 with that 0.65. In the drawn game 0.6 and 0 make 0.3, with 0.2 0.25.
    assert foreseen(shard, 0.5)[[1, 2, 4, 5]].tolist() == pytest.approx([0.65, -0.9, 0.25, 0.3])
    assert foreseen(shard, 0.0).tolist() == shard.score.tolist()
    assert foreseen(shard, 1.0).tolist() == shard.result.tolist()
    # Red gained 0.2 by chance, then lost 0.1 by what black turned up: 0.8 and 0.9 make 0.85, 0.4 and 0.65 0.525.
    gained = np.array([0, 0.2, -0.1, 0, 0, 0], np.float32)
    assert foreseen(shard, 0.5, gained)[[1, 2, 4, 5]].tolist() == pytest.approx([0.525, -0.85, 0.25, 0.3])


def test_luck_is_what_was_turned_up_against_the_mean():
    """Red turns up a1 next to his flag; each piece that it could be is a game of its own."""
    rules = Rules.parse("junqi")
    before = Position.from_fen("5/x3f/5/5/5/5/5/5/2M2/5/5/xF1m1 r Ep - 0", rules="junqi")
    shards, values = [], {"E": 0.0, "p": 0.0}
    for number, letter in enumerate(values):
        after = before.copy()
        after.push(f"a1({letter})")
        values[letter] = -after.state.evaluate() / UNIT
        for position in (before, after):
            state = position.state
            row = (tuple(state.cells()), tuple(state.pool()), state.side, -1, 0, 0, 0, False, number)
            shards.append(Shard(*(np.array([value], kind) for value, kind in zip(row, TYPES, strict=True))))
    assert values["E"] > values["p"]
    half = (values["E"] - values["p"]) / 2
    assert luck(rules, together(shards)).tolist() == pytest.approx([half, 0, -half, 0], abs=1e-6)


@pytest.mark.parametrize("rules", RULES)
def test_examples_are_what_stands_on_the_board(shards, rules):
    meaning = Rules.parse(rules)
    given = examples(meaning, shards[rules], 0.9)
    later = foreseen(shards[rules], 0.9, luck(meaning, shards[rules]) if rules == "junqi" else None)
    kept = [row for row, worth in enumerate(worth_learning(meaning, shards[rules])) if worth]
    assert len(given.score) == len(kept) > 50
    counts = np.zeros(meaning.core.FEATURES, np.int8)
    all_states = list(states(meaning, shards[rules]))
    for row, source in enumerate(kept):
        state = all_states[source]
        assert meaning.core.features(state, counts) == pytest.approx((given.stage[row], given.factor[row]))
        assert given.features[row].tolist() == counts.tolist()
        assert given.by_hand[row] == np.float32(state.evaluate() / UNIT)
        # Who lives, from the letters: the pool and what stands face up.
        alive = [meaning.letters[cell] for cell in state.cells() if cell < meaning.core.HIDDEN]
        alive += [letter for letter, count in zip(meaning.letters, state.pool(), strict=True) for _ in range(count)]
        order = meaning.core_order
        sides = (order, order.lower()) if state.side == 0 else (order.lower(), order)
        bits = [alive.count(side[code]) > copy for side in sides for code, copy in pieces(meaning)]
        assert given.alive[row].tolist() == bits
        hidden = state.cells().count(meaning.core.HIDDEN)
        if rules == "junqi":
            assert (given.stage[row], given.factor[row]) == pytest.approx((hidden / 50, (60 - hidden) / 60), abs=1e-6)
        else:
            men = meaning.core.SQUARES - state.cells().count(meaning.core.EMPTY)
            assert (given.stage[row], given.factor[row]) == (men / len(pieces(meaning)) / 2, 1)
        assert given.foreseen[row] == later[source]
        for name in ("score", "result", "game"):
            assert getattr(given, name)[row] == getattr(shards[rules], name)[source]


def test_pieces_are_the_set_by_rank():
    # The order of ranks: section 3 of the rules. A jumping cannon stands just above the soldier.
    assert pieces(Rules.parse("hongkong")) == [
        (0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1), (4, 0), (4, 1), (5, 0),
        (5, 1), (6, 0),
    ]  # fmt: skip
    assert len(pieces(Rules.parse("double"))) == 32


@pytest.mark.parametrize("rules", RULES)
def test_fitted_numbers_are_what_the_core_counts(shards, rules):
    """The model in floating point, and its rounded weights in the core, agree to what the rounding may cost."""
    meaning = Rules.parse(rules)
    rng = np.random.default_rng(4)
    side = len(pieces(meaning))
    alone, own, enemy, tapers = (
        rng.normal(0, size, shape).astype(np.float32)
        for size, shape in (
            (0.1, side),
            (0.01, (side, side)),
            (0.01, (side, side)),
            (0.02, (meaning.core.FEATURES, 2)),
        )
    )
    own = np.triu(own, 1)
    given = examples(meaning, shards[rules])
    mine, theirs = given.alive[:, :side].astype(float), given.alive[:, side:].astype(float)
    ends = given.features @ tapers.astype(float)
    score = (mine - theirs) @ alone + np.einsum("ni,ij,nj->n", mine, own, mine)
    score += np.einsum("ni,ij,nj->n", mine, enemy - enemy.T, theirs) - np.einsum("ni,ij,nj->n", theirs, own, theirs)
    score = score * given.factor + ends[:, 0] * given.stage + ends[:, 1] * (1 - given.stage)
    kept = Shard(*(array[worth_learning(meaning, shards[rules])] for array in shards[rules]))
    found = values(meaning, kept, arrays_of(meaning, alone, own, enemy, tapers))
    # The core's scores end at 1023, a little below the largest value.
    score = np.clip(score, -1023 / 240, 1023 / 240)
    assert np.abs(found - 0.96875 * score / np.sqrt(score**2 + 1)).max() < 0.03
    assert found.std() > 0.1


def test_the_first_worth_is_that_of_the_evaluation_written_by_hand():
    # A point is 4 of 240: banqi/core/evaluate.pxi.
    assert first_worth(Rules.parse("taiwan"))[-1] == pytest.approx(30 * 4 / 240)
    assert first_worth(Rules.parse("taiwan"))[5] == pytest.approx(16 * 4 / 240)
    assert first_worth(Rules.parse("hongkong"))[5] == pytest.approx(6 * 4 / 240)
    assert first_worth(Rules.parse("junqi"))[-1] == pytest.approx(30 * 4 / 240)


def test_the_fit_begins_with_what_the_evaluation_written_by_hand_says_of_flags():
    """A flag that one man comes for and nobody guards, from banqi/core/junqi_evaluate.pxi; the rest is equal."""
    rules = Rules.parse("junqi")
    weights, whole = first_features(rules)
    counts = np.zeros(rules.core.FEATURES, np.int8)
    values = []
    for fen in ("2f2/5/5/5/5/5/5/5/5/5/4t/F3T r - - 0", "2f2/5/5/5/5/5/5/5/5/5/t4/F3T r - - 0"):
        state = Position.from_fen(fen, rules=rules).state
        rules.core.features(state, counts)
        values.append(counts @ weights[:, 1] * 240)
    # From e2 it takes one move more; and on a2 it stands on one of the two nodes beside the flag.
    assert values[1] - values[0] == pytest.approx(-300 + 27 + 40, abs=4)
    assert set(whole.tolist()) == {1, 60}
    assert not first_features(Rules.parse("taiwan"))[0].any()


def test_numbers_that_are_too_large_are_refused():
    rules = Rules.parse("taiwan")
    zero, pairs = np.zeros(16, np.float32), np.zeros((16, 16), np.float32)
    tapers = np.zeros((rules.core.FEATURES, 2), np.float32)
    with pytest.raises(EvaluationError, match="a fitted weight is above"):
        arrays_of(rules, zero + 5, pairs, pairs, tapers)
    with pytest.raises(EvaluationError, match="own adds up to"):
        arrays_of(rules, zero, pairs + 4, pairs, tapers)


def test_positions_of_another_board_are_refused(shards):
    with pytest.raises(EvaluationError, match="no positions of double"):
        examples(Rules.parse("double"), shards["taiwan"])
    with pytest.raises(EvaluationError, match="no positions of junqi"):
        examples(Rules.parse("junqi"), shards["taiwan"])
    shard = shards["taiwan"]
    broken = shard._replace(cells=np.where(shard.cells == 15, 16, shard.cells).astype(np.uint8))
    with pytest.raises(EvaluationError, match="no positions"):
        examples(Rules.parse("taiwan"), broken)


def test_no_game_is_learned_from_and_held_out():
    shard = played("taiwan", games=20)
    learned, held = split(Rules.parse("taiwan"), [[shard], [], [shard]])
    assert set(np.unique(held.game)) == {18, 19}
    assert set(np.unique(learned.game)) == set(range(18))
    assert len(learned.side) + len(held.side) == 2 * len(shard.side)
    with pytest.raises(EvaluationError, match="too few games"):
        split(Rules.parse("taiwan"), [[], []])


def test_errors_are_means_of_squares():
    found = np.array([0.5, -0.5], np.float32)
    errors = errors_of(found, np.array([1, 0], np.int8), np.array([0.5, 0.5], np.float32))
    assert errors == (0.25, 0.5)


# --- the fit --------------------------------------------------------------------------------------------------------


def test_without_torch_the_command_says_so(tmp_path):
    program = "import sys; sys.modules['torch'] = None; from banqi.evaluation.train import main; sys.exit(main())"
    command = [sys.executable, "-c", program, str(tmp_path), "--out", str(tmp_path / "w.npz")]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "train: learning needs the package torch: pip install 'banqi[train]'\n"


@pytest.mark.skipif(not TORCH, reason="torch is not installed")
def test_a_fit_finds_the_weights_that_made_the_scores():
    """Scores that known weights give are met better and better, by the same weights for the same seed."""
    rules = Rules.parse("taiwan")
    shard = together([played("taiwan", games=30)])
    rng = np.random.default_rng(5)
    truth = arrays_of(
        rules,
        first_worth(rules) * rng.uniform(0.5, 2, 16).astype(np.float32),
        np.zeros((16, 16), np.float32),
        np.zeros((16, 16), np.float32),
        np.zeros((rules.core.FEATURES, 2), np.float32),
    )
    shard = shard._replace(score=values(rules, shard, truth))
    given = examples(rules, shard)
    how = Fit(epochs=40)
    one, other = (list(fit(rules, given, how)) for _ in range(2))
    losses = [loss for _, loss, _ in one]
    assert losses[-1] < losses[0] / 20
    assert [loss for _, loss, _ in other] == losses
    assert all(np.array_equal(*arrays) for arrays in zip(one[-1][2], other[-1][2], strict=True))


@pytest.mark.skipif(not TORCH, reason="torch is not installed")
def test_the_command_writes_weights_that_can_be_used(tmp_path):
    for seed, name in enumerate(("one", "two")):
        settings = SelfPlay(Rules.parse("hongkong"), 30, seed, lots=0.1)
        list(run(settings, InlineExecutor(), Folder(tmp_path / name, settings), 12, at_once=1))
    command = [sys.executable, "-m", "banqi.evaluation.train", str(tmp_path / "one"), str(tmp_path / "two")]
    command += ["--rules", "hongkong", "--epochs", "2", "--out", str(tmp_path / "w.npz")]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [line.partition(":")[0] for line in ended.stdout.splitlines()[1:]] == [
        "search", "written by hand", "epoch 1", "epoch 2", "learned",
    ]  # fmt: skip
    weights = read_weights(tmp_path / "w.npz")
    assert weights.board == "4x8"
    random_position = Position("hongkong")
    random_position.push(random.Random(1).choice(["a1(K)", "b3(p)"]))
    assert random_position.state.evaluate(weights.weights()) != 0
    wrong = subprocess.run([*command, "--rules", "double"], capture_output=True, text=True)
    assert (wrong.returncode, wrong.stderr) == (2, "train: these are no positions of double\n")
