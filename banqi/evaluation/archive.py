"""NumPy archives (.npz), read without trust and written as a whole."""

import os
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from banqi.errors import EvaluationError, shown

_LONGEST_NAME: Final = 200


def read_arrays(
    path: str | os.PathLike[str], names: Sequence[str], kind: str, most_bytes: int
) -> dict[str, npt.NDArray[Any]]:
    """Return some arrays of an archive; nothing that it holds is run.

    kind: what it should hold, as the error may name it. most_bytes: an array that takes more is refused.

    Raises:
        EvaluationError: there is no such file, it is no archive or a damaged one, or it lacks an array.
    """
    # Imported here, so that an engine that reads none starts at once.
    from zipfile import BadZipFile, ZipFile
    from zlib import error as ZlibError

    file_name = os.fspath(path)
    arrays = {}
    try:
        with ZipFile(file_name) as file:
            for name in names:
                entry = file.getinfo(f"{name}.npy")
                if entry.file_size > most_bytes:
                    raise ValueError(f"{name} is too large")
                arrays[name] = np.lib.format.read_array(BytesIO(file.read(entry)), allow_pickle=False)
    except OSError as error:
        raise EvaluationError(f"cannot read {shown(file_name, _LONGEST_NAME)}: {error.strerror or error}") from None
    except KeyError:
        raise no_such(path, kind, f"there is no {name}") from None
    # What a damaged archive leads to, and a damaged array in it.
    except (BadZipFile, ZlibError, ValueError, EOFError, MemoryError, RuntimeError, NotImplementedError) as error:
        raise no_such(path, kind, shown(str(error), 100)[1:-1]) from None
    return arrays


def no_such(path: str | os.PathLike[str], kind: str, words: str) -> EvaluationError:
    """Return the error that a file does not hold what it should."""
    return EvaluationError(f"{shown(os.fspath(path), _LONGEST_NAME)} holds no {kind}: {words}")


def write_arrays(path: str | os.PathLike[str], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write an archive, which appears under its name when it is whole. The same arrays give the same bytes.

    Raises:
        EvaluationError: the file cannot be written; what was there before is still there.
    """
    target = Path(path)
    part = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        try:
            with open(part, "xb") as file:
                np.savez_compressed(file, allow_pickle=False, **arrays)
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise EvaluationError(f"cannot write {shown(os.fspath(path), _LONGEST_NAME)}: {reason}") from None
