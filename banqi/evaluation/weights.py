"""The weights of a learned evaluation: their file, and which are used for what. FORMAT.md describes the arrays."""

import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from banqi.errors import EvaluationError, shown
from banqi.evaluation.archive import no_such, read_arrays, write_arrays
from banqi.rules import BOARDS, Rules

if TYPE_CHECKING:
    from banqi.core.face import Core, Weights

LEARNED: Final = "learned"
HANDWRITTEN: Final = "handwritten"
LARGEST_SUM: Final = 2**15 - 1
"""Of what a piece counts more by all living ones of one identity."""
_DATA: Final = Path(__file__).with_name("data")
_KIND: Final = "weights of an evaluation"
_MOST_BYTES: Final = 1 << 20
_ANY_RULES: Final = {rules.board: rules for rules in map(Rules.parse, ("taiwan", "double", "junqi"))}

Array = npt.NDArray[np.int16]


class Arrays(NamedTuple):
    """The weights of an evaluation, all int16; `copies` is how many pieces of one kind a side has at most.

    alone [kinds, copies]; own, enemy [kinds, copies, kinds, copies]; features [features, 2].
    """

    alone: Array
    own: Array
    enemy: Array
    features: Array

    @property
    def board(self) -> str:
        """The name of the board that they are for."""
        return next(name for name in BOARDS if self.alone.shape == shapes(name)[0])

    def check(self) -> None:
        """Make sure that the core can count with them.

        Raises:
            EvaluationError: a type, a shape or a size is wrong.
        """
        for name, array in self._asdict().items():
            if array.dtype != np.int16:
                raise EvaluationError(f"{name} is {array.dtype}, not int16")
        boards = [name for name in BOARDS if self.alone.shape == shapes(name)[0]]
        if not boards:
            wanted = " or ".join(str(shapes(name)[0]) for name in BOARDS)
            raise EvaluationError(f"alone has the shape {self.alone.shape}, not {wanted}")
        core = _core(boards[0])
        for (name, array), shape in zip(self._asdict().items(), shapes(boards[0]), strict=True):
            if array.shape != shape:
                raise EvaluationError(f"{name} has the shape {array.shape}, not {shape} as on {boards[0]}")
            largest = int(np.abs(array.astype(np.int32)).max())
            if largest > core.LARGEST_WEIGHT:
                raise EvaluationError(f"{name} holds a weight of {largest}; the largest is {core.LARGEST_WEIGHT}")
        for name, sums in (("own", beside(self.own)), ("enemy", against(self.enemy))):
            largest = int(np.abs(sums).max())
            if largest > LARGEST_SUM:
                raise EvaluationError(f"{name} adds up to {largest} for a piece; the most is {LARGEST_SUM}")

    def weights(self) -> "Weights":
        """Return them as the core takes them."""
        return _core(self.board).Weights(*self)


def shapes(board: str) -> tuple[tuple[int, ...], ...]:
    """Return the shapes of the arrays for a board, in their order."""
    core = _core(board)
    alone = (core.KINDS, core.COPIES)
    return alone, alone + alone, alone + alone, (core.FEATURES, 2)


def _core(board: str) -> "Core":
    return _ANY_RULES[board].core


def beside(own: Array) -> npt.NDArray[np.int32]:
    """Return what a piece counts more by so many others of its side: [kind, copy, kind, how many less 1]."""
    wide = own.astype(np.int32)
    return np.cumsum(wide + wide.transpose(2, 3, 0, 1), axis=3, dtype=np.int32)


def against(enemy: Array) -> npt.NDArray[np.int32]:
    """Return what a piece counts more by so many enemies: [kind, copy, kind, how many less 1]."""
    wide = enemy.astype(np.int32)
    return np.cumsum(wide - wide.transpose(2, 3, 0, 1), axis=3, dtype=np.int32)


class Evaluation:
    """How positions are evaluated.

    evaluation: "learned" for the weights that come with the package, where a rule set has some, else as written by
    hand; "handwritten" for the latter; or a file of weights.

    Raises:
        EvaluationError: it is none of these, or the file holds no weights.
    """

    def __init__(self, evaluation: object) -> None:
        if not isinstance(evaluation, str | os.PathLike):
            raise EvaluationError(
                f"an evaluation is {LEARNED!r}, {HANDWRITTEN!r} or a file of weights, not {shown(evaluation)}"
            )
        self._shipped = evaluation == LEARNED
        self._name = os.fspath(evaluation)
        self._board = ""
        self._weights: Weights | None = None
        if evaluation not in (LEARNED, HANDWRITTEN):
            arrays = read_weights(evaluation)
            self._board, self._weights = arrays.board, arrays.weights()

    def weights(self, rules: Rules) -> "Weights | None":
        """Return the weights for a rule set, None for the evaluation written by hand.

        Raises:
            EvaluationError: they are those of another board.
        """
        if self._shipped:
            return _shipped_weights(rules)
        if self._weights is not None and self._board != rules.board:
            raise EvaluationError(f"the weights of {shown(self._name, 200)} are for {self._board}, not {rules.board}")
        return self._weights


@cache
def _shipped_weights(rules: Rules) -> "Weights | None":
    # When a game is drawn changes little of what a position is worth.
    if rules.game == "banqi":
        usual = replace(rules, repetition=3, quiet_limit=180, perpetual="draw")
    else:
        usual = _ANY_RULES[rules.board]
    path = _DATA / f"{usual}.npz"
    return read_weights(path).weights() if path.exists() else None


def read_weights(path: str | os.PathLike[str]) -> Arrays:
    """Read a file of weights.

    Raises:
        EvaluationError: there is no such file, or it holds no weights that can be used.
    """
    arrays = read_arrays(path, Arrays._fields, _KIND, _MOST_BYTES)
    weights = Arrays(**{name: np.ascontiguousarray(array) for name, array in arrays.items()})
    try:
        weights.check()
    except EvaluationError as error:
        raise no_such(path, _KIND, str(error)) from None
    return weights


def write_weights(path: str | os.PathLike[str], weights: Arrays) -> None:
    """Write a file of weights, which appears under its name when it is whole. The same weights give the same bytes.

    Raises:
        EvaluationError: the weights cannot be used, or the file cannot be written.
    """
    weights.check()
    write_arrays(path, weights._asdict())
