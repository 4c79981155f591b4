"""The weights of a learned evaluation: one file for each rule set, which the package carries."""

import os
import zipfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from banqi.errors import EvaluationError
from banqi.rules import Rules

if TYPE_CHECKING:
    from banqi.core.face import Weights

LEARNED: Final = "learned"
HANDWRITTEN: Final = "handwritten"
_DATA: Final = Path(__file__).with_name("data")
# The arrays of a file; all int16.
ARRAYS: Final = ("alone", "own", "enemy", "features")


def weights_of(evaluation: str | os.PathLike[str], rules: Rules) -> "Weights | None":
    """Return the weights that a search under some rules uses, None for the evaluation written by hand.

    evaluation: LEARNED for those that come with the package, if there are any for the rules; HANDWRITTEN; or a file.

    Raises:
        EvaluationError: the file cannot be read, or belongs to another board.
    """
    if evaluation == HANDWRITTEN:
        return None
    if evaluation == LEARNED:
        return _shipped(rules)
    return _read(os.fspath(evaluation), rules)


@cache
def _shipped(rules: Rules) -> "Weights | None":
    # When a game is drawn changes little of what a position is worth.
    path = _DATA / f"{replace(rules, repetition=3, quiet_limit=180, perpetual='draw')}.npz"
    if not path.exists():
        return None
    return _read(str(path), rules)


@cache
def _read(path: str, rules: Rules) -> "Weights":
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = [np.ascontiguousarray(file[name]) for name in ARRAYS]
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise EvaluationError(f"{path} holds no weights of an evaluation: {error}") from None
    core = rules.core
    return core.Weights(*arrays)
