"""Shards: the positions of some games that the engine played against itself. FORMAT.md describes the file."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from banqi.errors import EvaluationError, shown
from banqi.evaluation.archive import no_such, read_arrays, write_arrays

_NAME: Final = re.compile(r"games-([0-9]{1,9})-([0-9]{1,9})\.npz")
_MOST_BYTES: Final = 1 << 30
_SETTINGS: Final = "settings"
_KIND: Final = "games"


class Shard(NamedTuple):
    """The N positions of some games, one for each decision, in the order they were played.

    cells: uint8 [N, squares], identities in their order, then face down, then empty. pool: uint8 [N, identities].
    side: uint8 [N], 0 red to move, 1 black, 2 before the first flip. chain: int8 [N], a square or -1. quiet: uint16
    [N]. score: float32 [N], what the search found for the side to move, 1 and -1 if it is proven. result: int8 [N], how
    the game ended for the side to move. capture: bool [N], whether the move played took something. game: int32 [N].
    """

    cells: npt.NDArray[np.uint8]
    pool: npt.NDArray[np.uint8]
    side: npt.NDArray[np.uint8]
    chain: npt.NDArray[np.int8]
    quiet: npt.NDArray[np.uint16]
    score: npt.NDArray[np.float32]
    result: npt.NDArray[np.int8]
    capture: npt.NDArray[np.bool_]
    game: npt.NDArray[np.int32]


TYPES: Final = (np.uint8, np.uint8, np.uint8, np.int8, np.uint16, np.float32, np.int8, np.bool_, np.int32)


def together(shards: Sequence[Shard]) -> Shard:
    """Return the positions of several shards, at least one, in a row."""
    arrays: list[Any] = [np.concatenate(parts) for parts in zip(*shards, strict=True)]
    return Shard(*arrays)


def chosen(shard: Shard, which: npt.NDArray[np.bool_]) -> Shard:
    """Return some of a shard's positions."""
    arrays: list[Any] = [array[which] for array in shard]
    return Shard(*arrays)


def write_shard(folder: Path, numbers: range, shard: Shard, settings: str) -> None:
    """Write the positions of some games, whose numbers follow each other; the file appears when it is whole.

    settings: what the games follow from, as a text.

    Raises:
        EvaluationError: the file cannot be written.
    """
    path = folder / f"games-{numbers.start}-{numbers.stop - 1}.npz"
    write_arrays(path, {**shard._asdict(), _SETTINGS: np.array(settings)})


def shards_in(folder: Path) -> list[tuple[range, Path]]:
    """Return the shards of a folder, in the order of their games, with the games' numbers.

    Raises:
        EvaluationError: the folder cannot be read.
    """
    try:
        names = sorted(os.listdir(folder))
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise EvaluationError(f"cannot read {shown(str(folder), 200)}: {reason}") from None
    found = [
        (range(int(match[1]), int(match[2]) + 1), folder / name) for name in names if (match := _NAME.fullmatch(name))
    ]
    return sorted(found, key=lambda item: item[0].start)


def read_settings(path: Path) -> str:
    """Return what the games of a shard follow from.

    Raises:
        EvaluationError: the file is no shard.
    """
    return str(read_arrays(path, (_SETTINGS,), _KIND, _MOST_BYTES)[_SETTINGS])


def read_shard(path: Path) -> Shard:
    """Read a shard.

    Raises:
        EvaluationError: the file is no shard.
    """
    shard = Shard(**read_arrays(path, Shard._fields, _KIND, _MOST_BYTES))
    for (name, array), kind in zip(shard._asdict().items(), TYPES, strict=True):
        wide = 2 if name in ("cells", "pool") else 1
        if array.dtype != kind or array.ndim != wide or array.shape[:1] != shard.side.shape[:1]:
            raise no_such(path, _KIND, f"{name} is {array.dtype} with the shape {array.shape}")
    return shard
