"""Files of records: which form they have, reading, and writing that never leaves half a file."""

import errno
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final

from banqi.errors import RecordError, shown
from banqi.record.messages import Layout, read_json_records, write_json_records
from banqi.record.record import Record
from banqi.record.text import read_records, write_records


class Format(StrEnum):
    """The forms of a file: TEXT like PGN, JSON as one array of games, JSONL with one game a line."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"

    @classmethod
    def of_name(cls, name: str) -> "Format | None":
        """Return what a file's name says: .json, .jsonl, .pgn, .txt; None for any other."""
        return _SUFFIXES.get(os.path.splitext(name)[1].lower())


_SUFFIXES: Final = {
    ".json": Format.JSON, ".jsonl": Format.JSONL, ".pgn": Format.TEXT, ".txt": Format.TEXT,
}  # fmt: skip
# How JSON begins: an array, or an object with a key, a colon and the beginning of a value, after any empty objects, or
# nothing but these, the last perhaps cut off. Text never does, unless a comment is written just so.
_JSON = re.compile(
    rb"""(?:\xef\xbb\xbf)?\s*(?:
        \[\s*[{\]]
        | (?:\{\s*\}\s*)*+ \{\s*"(?:[^"\\]|\\.)*+"\s*: \s*(?:["{\[0-9-]|null|true|false|\Z)
        | (?=\{) (?:\{\s*\}\s*)*+ (?:\{\s*)? \Z
    )""",
    re.VERBOSE | re.DOTALL,
)


def read_bytes(data: bytes) -> Iterator[Record | RecordError]:
    """Read games in any form; how they begin tells which. See `read_records` and `read_json_records`."""
    if _JSON.match(data):
        return read_json_records(data)
    return read_records(data.decode("utf-8-sig", "surrogateescape"))


def read_file(path: str | os.PathLike[str]) -> Iterator[Record | RecordError]:
    """Read the games of a file, as text or JSON.

    Raises:
        RecordError: the file cannot be read.
    """
    name = _name(path)
    try:
        data = Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise RecordError(f"cannot read {shown(name)}: {_reason(error)}") from None
    return read_bytes(data)


def format_records(records: Iterable[Record], form: Format) -> bytes:
    """Return the games as they stand in a file, in UTF-8.

    Raises:
        RecordError: what is to be written is no Record, or the form none.
    """
    if not isinstance(form, Format):
        raise RecordError(f"a form is one of {', '.join(Format)}, not {shown(form)}")
    if form is Format.TEXT:
        text = write_records(records)
    else:
        text = write_json_records(records, Layout.ARRAY if form is Format.JSON else Layout.LINES)
    return text.encode()


def write_file(path: str | os.PathLike[str], records: Iterable[Record], form: Format) -> None:
    """Write games to a file, which is replaced when all is written. What is no plain file is written to as it is.

    Raises:
        RecordError: the file cannot be written; what was there before is still there. Or see `format_records`.
    """
    name = _name(path)
    data = format_records(records, form)
    try:
        # Through a link, so that the link stays.
        target = Path(os.path.realpath(name))
        if target.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        # The target's own name may be as long as a name can be.
        temporary = target.with_name(f".{secrets.token_hex(8)}")
        try:
            with open(temporary, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
    except (OSError, ValueError) as error:
        raise RecordError(f"cannot write {shown(name)}: {_reason(error)}") from None


def _name(path: object) -> str:
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(name, str):
        raise RecordError(f"the name of a file is a text or a Path, not {shown(path)}")
    return name


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
