"""A table's file: its header, its blocks, how it is written and opened. FORMAT.md describes it byte by byte."""

import os
import stat
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from math import factorial
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
import numpy as np
import numpy.typing as npt

from banqi.core import _tablebase
from banqi.errors import TablebaseError, shown
from banqi.geometry import BOARD_4X8
from banqi.notation import EMPTY, FACE_DOWN, Setup, format_fen
from banqi.piece import Side
from banqi.rules import Rules

MAGIC: Final = b"BANQITAB"
VERSION: Final = 1
SUFFIX: Final = ".tb"
STORED_BYTES: Final = 1 << 16
"""A table whose planes have no more bytes together is stored as it is."""
LEVEL: Final = 9
"""How hard zstd tries."""

_PREFIX: Final = struct.Struct("<8sII")
_ENTRY: Final = struct.Struct("<QII")
_LARGEST_HEADER: Final = 1 << 16
_MOST_PLIES: Final = (1 << 16) - 1
"""What an entry of two bytes can say."""


class Extreme(msgspec.Struct, frozen=True):
    """The largest number of plies of its kind, and the number of the first entry that has it."""

    plies: int
    index: int


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a file says of itself, written as JSON. FORMAT.md explains the fields."""

    version: int
    rules: str
    material: str
    groups: tuple[str, ...]
    first: int
    hidden: int
    symmetric: bool
    entries: int
    denominator: int
    values: dict[str, int]
    longest_win: Extreme | None
    longest_exit: Extreme | None
    reachable_exit: int
    codec: str
    widths: tuple[int, int]
    block_bytes: int
    blocks: int
    directory_crc: int
    size: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many pieces each group has, the face-down ones last."""
        return tuple(map(len, self.groups)) + (self.hidden,) * (self.hidden > 0)

    def fen(self, index: int) -> str:
        """Return the position that an entry stands for, as text with a quiet counter of 0."""
        placements = self.entries if self.symmetric else self.entries // 2
        letters = [EMPTY] * BOARD_4X8.squares
        occupants = [*self.groups, FACE_DOWN * self.hidden]
        for group, squares in zip(occupants, _tablebase.Numbering(self.sizes).groups(index % placements), strict=False):
            pieces = iter(group)
            for square in range(BOARD_4X8.squares):
                if squares >> square & 1:
                    letters[square] = next(pieces)
        pool = self.material.partition("+")[2].replace("v", "")
        setup = Setup("".join(letters), Side.RED if index < placements else Side.BLACK, pool, None, 0)
        return format_fen(setup, Rules.parse(self.rules))


Plane = npt.NDArray[np.uint16]


def write(path: Path, header: Header, planes: Sequence[Plane]) -> Header:
    """Write a file, which appears under its name when it is whole, and return the header as it was written.

    Of the header the fields from `codec` on are filled in here.

    Raises:
        TablebaseError: it cannot be written.
    """
    first, second = (1 if int(plane.max()) < 256 else 2 for plane in planes)
    widths = first, second
    size = sum(width * len(plane) for width, plane in zip(widths, planes, strict=True))
    codec = "stored" if size <= STORED_BYTES else "zstd"
    blocks = []
    for plane, width in zip(planes, widths, strict=True):
        data = plane.astype(f"<u{width}").tobytes()
        for start in range(0, len(data), _tablebase.BLOCK_BYTES):
            block = data[start : start + _tablebase.BLOCK_BYTES]
            blocks.append(block if codec == "stored" else _tablebase.compress(block, LEVEL))
    header = msgspec.structs.replace(
        header,
        codec=codec,
        widths=widths,
        block_bytes=_tablebase.BLOCK_BYTES,
        blocks=len(blocks),
        directory_crc=0,
        size=0,
    )
    text = _with_places(header, blocks)
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _alone(part) as file:
            file.write(text)
            file.writelines(blocks)
            file.flush()
            os.fsync(file.fileno())
            os.replace(part, path)
    except OSError as error:
        raise TablebaseError(f"{path} cannot be written: {error.strerror}") from None
    return read_header(path)[0]


@contextmanager
def _alone(part: Path) -> Iterator[BinaryIO]:
    """Open a file empty, once nobody else writes it: what a cluster was told to drop may still be at work.

    Until it has its name it is locked. If that fails nothing is left of it.
    """
    while True:
        with open(part, "ab") as file:
            flock(file, LOCK_EX)
            if not _is_at(file, part):
                continue
            file.truncate(0)
            try:
                yield file
            except BaseException:
                part.unlink(missing_ok=True)
                raise
            return


def _is_at(file: BinaryIO, path: Path) -> bool:
    """Whether an open file has still the name with which it was opened."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


def _with_places(header: Header, blocks: Sequence[bytes]) -> bytes:
    """All that stands before the blocks. The header tells its own length, so it is written until that is right."""
    length = len(msgspec.json.encode(header))
    while True:
        offset = _PREFIX.size + length + _ENTRY.size * len(blocks)
        directory = b""
        for block in blocks:
            directory += _ENTRY.pack(offset, len(block), zlib.crc32(block))
            offset += len(block)
        text = msgspec.json.encode(msgspec.structs.replace(header, directory_crc=zlib.crc32(directory), size=offset))
        if len(text) <= length:
            text = text.ljust(length)
            return _PREFIX.pack(MAGIC, length, zlib.crc32(text)) + text + directory
        length = len(text)


@contextmanager
def open_regular(path: Path) -> Iterator[BinaryIO]:
    """Open a file to read it; a pipe or a device, which might never answer, is not waited for.

    Raises:
        TablebaseError: it is no regular file.
        OSError: the system refuses.
    """
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise TablebaseError(f"{path} is no endgame table: it is no regular file")
        yield file


def read_header(path: Path) -> tuple[Header, bytes]:
    """Read and check the header and the directory of a file.

    Raises:
        TablebaseError: it cannot be read, is no table, or is not as it was written.
    """
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            prefix = file.read(_PREFIX.size)
            if prefix[: len(MAGIC)] != MAGIC or len(prefix) < _PREFIX.size:
                raise TablebaseError(f"{path} is no endgame table")
            _, length, crc = _PREFIX.unpack(prefix)
            text = file.read(length) if length <= _LARGEST_HEADER else b""
            if len(text) != length or zlib.crc32(text) != crc:
                raise TablebaseError(f"{path} is broken: its header is not what was written")
            header = _read_text(path, text)
            if header.size != size:
                raise TablebaseError(f"{path} is broken: it has {size} bytes, not {header.size}")
            directory = file.read(_ENTRY.size * header.blocks)
    except OSError as error:
        raise TablebaseError(f"{path} cannot be read: {error.strerror}") from None
    if len(directory) != _ENTRY.size * header.blocks or zlib.crc32(directory) != header.directory_crc:
        raise TablebaseError(f"{path} is broken: its directory is not what was written")
    return header, directory


def _read_text(path: Path, text: bytes) -> Header:
    try:
        header = msgspec.json.decode(text, type=Header)
    except (ValueError, RecursionError):
        raise TablebaseError(f"{path} is a table of another version, or broken") from None
    if header.version != VERSION:
        version = shown(header.version)
        raise TablebaseError(f"{path} is a table of version {version}; this program reads version {VERSION}")
    if not (_has_sound_class(header) and _has_sound_blocks(header) and _has_sound_figures(header)):
        raise TablebaseError(f"{path} is broken: its header makes no sense")
    return header


def _has_sound_class(header: Header) -> bool:
    return (
        0 <= header.hidden <= _tablebase.MAX_MEN
        and 0 <= header.first <= len(header.groups)
        and 0 < sum(header.sizes) <= _tablebase.MAX_MEN
        and min(header.sizes) > 0
        and header.denominator == (factorial(header.hidden) if header.hidden else 0)
        and header.entries == entries_of(header.sizes, symmetric=header.symmetric)
    )


def _has_sound_blocks(header: Header) -> bool:
    return (
        header.block_bytes == _tablebase.BLOCK_BYTES
        and header.codec in ("stored", "zstd")
        and set(header.widths) <= {1, 2}
        and header.blocks == sum(-(-header.entries * width // _tablebase.BLOCK_BYTES) for width in header.widths)
    )


def _has_sound_figures(header: Header) -> bool:
    """Whether counts and plies are such as a table of this size can have; whether they are right, verifying tells."""
    span = header.denominator or 1
    longest = [extreme for extreme in (header.longest_win, header.longest_exit) if extreme is not None]
    return (
        set(header.values) == {str(value) for value in range(-span, span + 1)}
        and min(header.values.values()) >= 0
        and sum(header.values.values()) == header.entries
        and all(0 < extreme.plies <= _MOST_PLIES and 0 <= extreme.index < header.entries for extreme in longest)
        and 0 <= header.reachable_exit <= _MOST_PLIES
    )


def entries_of(sizes: Sequence[int], *, symmetric: bool) -> int:
    """How many entries a class has."""
    return _tablebase.Numbering(sizes).placements * (1 if symmetric else 2)


def add(tables: _tablebase.Tables, path: Path) -> tuple[int, Header]:
    """Open a file, and return its number among the tables and its header.

    Raises:
        TablebaseError: it cannot be read, is no table, or is not as it was written.
    """
    header, directory = read_header(path)
    number = tables.add(
        path,
        sizes=header.sizes,
        entries=header.entries,
        widths=header.widths,
        directory=directory,
        packed=header.codec == "zstd",
        denominator=header.denominator,
        longest_exit=header.reachable_exit,
    )
    return number, header
