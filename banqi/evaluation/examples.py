"""What the evaluation is fitted to: positions of games as numbers, and the fitted numbers as weights."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from banqi.errors import EvaluationError
from banqi.evaluation.shard import Shard, chosen
from banqi.evaluation.weights import Arrays, shapes
from banqi.rules import Rules

if TYPE_CHECKING:
    from banqi.core.face import State

UNIT_SCORE: Final = 240.0
"""The score that is worth an expected result of SLOPE / sqrt(2): what fitted weights are in units of."""
SLOPE: Final = 0.96875
"""The largest expected result that is no proven end."""
FINENESS: Final = 8
"""A weight of 1 in a file is this part of the score's unit."""
_UNKNOWN_SIDE: Final = 2

Floats = npt.NDArray[np.float32]


class Examples(NamedTuple):
    """N positions to learn from; P pieces are a side's set.

    features: int8 [N, features]. alive: bool [N, 2 P], whether each own piece lives, then each enemy, as `pieces` lists
    them. stage, factor: float32 [N], the share that features' first weights have in the score, and the factor of what
    is alive. score, foreseen, by_hand: float32 [N], what the search found, there and later on in the game (see
    `foreseen`), and what the evaluation written by hand says. result: int8 [N]. game: int32 [N].
    """

    features: npt.NDArray[np.int8]
    alive: npt.NDArray[np.bool_]
    stage: Floats
    factor: Floats
    score: Floats
    foreseen: Floats
    by_hand: Floats
    result: npt.NDArray[np.int8]
    game: npt.NDArray[np.int32]


def pieces(rules: Rules) -> list[tuple[int, int]]:
    """Return a side's pieces as (kind, copy): kinds by rank, weakest first."""
    return [(code, copy) for code, kind in enumerate(rules.core_order) for copy in range(rules.set_counts[kind])]


def worth_learning(rules: Rules, shard: Shard) -> npt.NDArray[np.bool_]:
    """Tell which positions of a shard say something about what stands there.

    The start does not; nor does the midst of a chain or a position in which the best is to take something, since there
    the search goes on; nor, in Banqi, one whose end the search has seen. In Junqi it has often seen no more than that a
    flag cannot be held, which the evaluation has to know.
    """
    worth: npt.NDArray[np.bool_] = (shard.side != _UNKNOWN_SIDE) & (shard.chain < 0) & ~shard.capture
    return worth & (np.abs(shard.score) <= SLOPE) if rules.game == "banqi" else worth


def luck(rules: Rules, shard: Shard) -> Floats:
    """Return for each position what its side to move gained by chance if it flipped a piece, else 0.

    That is the evaluation, as it was written by hand, of what the flip led to, less its mean over the pool; so the mean
    of luck is 0, however good the evaluation is. The positions are those of whole games, one game after the other.
    """
    core = rules.core
    found = np.zeros(len(shard.side), np.float32)
    goes_on = np.append(shard.game[1:] == shard.game[:-1], False) & (shard.side != _UNKNOWN_SIDE)
    after = np.append(shard.cells[1:], shard.cells[-1:], axis=0)
    flipped = (shard.cells == core.HIDDEN) & (after != core.HIDDEN)
    for row, state in enumerate(states(rules, shard)):
        if not goes_on[row] or not flipped[row].any():
            continue
        square = int(flipped[row].argmax())
        counts = state.pool()
        worth = np.zeros(len(counts))
        for identity, count in enumerate(counts):
            if count:
                state.push(square * (core.SQUARES + 1), identity)
                worth[identity] = -state.evaluate() / core.UNIT
                state.pop()
        found[row] = worth[after[row, square]] - np.average(worth, weights=list(counts))
    return found


def foreseen(shard: Shard, foresight: float, gained: Floats | None = None) -> Floats:
    """Return for each position the mean of the search's scores from there on to the end of its game.

    Each score counts `foresight` times the one before it, and the result stands for all that would come after the end:
    0 gives the scores themselves, 1 the results. gained: what each side to move gained by chance (see `luck`), which is
    taken out. The positions are those of whole games, one game after the other.
    """
    # From red's side; the start, where nobody has a colour yet, comes before all others.
    sign = np.where(shard.side == 0, 1.0, -1.0)
    scores, results, games = (sign * shard.score).tolist(), (sign * shard.result).tolist(), shard.game.tolist()
    chances = [0.0] * len(scores) if gained is None else (sign * gained).tolist()
    found = np.empty(len(scores))
    ahead = 0.0
    for row in reversed(range(len(scores))):
        if row + 1 == len(scores) or games[row + 1] != games[row]:
            ahead = results[row]
        ahead = (1 - foresight) * scores[row] + foresight * (ahead - chances[row])
        found[row] = ahead
    return (sign * found).astype(np.float32)


def states(rules: Rules, shard: Shard) -> "Iterable[State]":
    """Yield the positions of a shard, without the actions that led to them."""
    core, table = rules.core, rules.table
    for cells, pool, side, chain, quiet in zip(
        shard.cells, shard.pool, shard.side.tolist(), shard.chain.tolist(), shard.quiet.tolist(), strict=True
    ):
        yield core.State(table, cells.tobytes(), pool.tobytes(), side, chain, quiet)


def examples(rules: Rules, shard: Shard, foresight: float = 0.0) -> Examples:
    """Return what is worth learning from the positions of whole games.

    In Junqi, where what is turned up decides most games, luck is taken out of what is foreseen.

    Raises:
        EvaluationError: it holds positions of another game or board.
    """
    core = rules.core
    if shard.cells.shape[1:] != (core.SQUARES,) or shard.pool.shape[1:] != (core.IDENTITIES,):
        raise EvaluationError(f"these are no positions of {rules}")
    if shard.cells.max(initial=0) > core.EMPTY or shard.side.max(initial=0) > _UNKNOWN_SIDE:
        raise EvaluationError("these are no positions")
    worth = worth_learning(rules, shard)
    later = foreseen(shard, foresight, luck(rules, shard) if rules.game == "junqi" else None)[worth]
    shard = chosen(shard, worth)
    count = len(shard.side)
    features = np.zeros((count, core.FEATURES), np.int8)
    by_hand, stage, factor = np.zeros((3, count), np.float32)
    for row, state in enumerate(states(rules, shard)):
        stage[row], factor[row] = core.features(state, features[row])
        by_hand[row] = state.evaluate() / core.UNIT
    alive, result, game = _alive(rules, shard), shard.result, shard.game
    return Examples(features, alive, stage, factor, shard.score, later, by_hand, result, game)


def _alive(rules: Rules, shard: Shard) -> npt.NDArray[np.bool_]:
    letters = rules.letters
    counts = np.stack([(shard.cells == identity).sum(axis=1) for identity in range(len(letters))], axis=1) + shard.pool
    red = [letters.index(kind) for kind in rules.core_order]
    black = [letters.index(kind.lower()) for kind in rules.core_order]
    own = np.where(shard.side[:, None] == 0, counts[:, red], counts[:, black])
    enemy = np.where(shard.side[:, None] == 0, counts[:, black], counts[:, red])
    return np.stack([side[:, code] > copy for side in (own, enemy) for code, copy in pieces(rules)], axis=1)


def arrays_of(rules: Rules, alone: Floats, own: Floats, enemy: Floats, features: Floats) -> Arrays:
    """Return fitted numbers as weights, rounded.

    alone [P], own, enemy [P, P] and features [features, 2]: in UNIT_SCORE, for the pieces as `pieces` lists them.

    Raises:
        EvaluationError: they are too large.
    """
    kinds, copies = np.array(pieces(rules)).T
    whole = [np.rint(np.asarray(array) * (UNIT_SCORE * FINENESS)) for array in (alone, own, enemy, features)]
    most = rules.core.LARGEST_WEIGHT
    if max(float(np.abs(array).max()) for array in whole) > most:
        raise EvaluationError(f"a fitted weight is above {most / (UNIT_SCORE * FINENESS):g}")
    alone_shape, own_shape, enemy_shape, _ = shapes(rules.board)
    arrays = Arrays(
        np.zeros(alone_shape, np.int16),
        np.zeros(own_shape, np.int16),
        np.zeros(enemy_shape, np.int16),
        whole[3].astype(np.int16),
    )
    arrays.alone[kinds, copies] = whole[0]
    for array, fitted in ((arrays.own, whole[1]), (arrays.enemy, whole[2])):
        array[kinds[:, None], copies[:, None], kinds, copies] = fitted
    arrays.check()
    return arrays


def values(rules: Rules, shard: Shard, arrays: Arrays) -> Floats:
    """Return what weights say of the positions of a shard, as the core counts."""
    weights, unit = arrays.weights(), rules.core.UNIT
    return np.array([state.evaluate(weights) / unit for state in states(rules, shard)], np.float32)


def first_worth(rules: Rules) -> Floats:
    """Return what the evaluation written by hand gives for a side's pieces, in UNIT_SCORE: a start for the fit."""
    if rules.game == "junqi":
        points = [4, 0, 14, 8, 3, 4, 6, 8, 12, 17, 23, 30]
    else:
        points = [4, 16, 7, 9, 11, 14, 30] if rules.cannon_jumps else [4, 6, 7, 9, 11, 14, 30]
    return np.array([4 * points[code] / UNIT_SCORE for code, _ in pieces(rules)], np.float32)


def first_features(rules: Rules) -> tuple[Floats, Floats]:
    """Return where the fit of features begins: weights [features, 2] in UNIT_SCORE, and what counts are divided by."""
    core = rules.core
    weights, whole = np.zeros((core.FEATURES, 2), np.float32), np.ones(core.FEATURES, np.float32)
    core.begin_features(weights, whole)
    return weights / np.float32(UNIT_SCORE), whole
