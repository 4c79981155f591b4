"""Files of endgame tables as FORMAT.md describes them, read for the verifier alone, with none of the package's reader.

A file is read whole and checked whole: what is not as the format says is one TablebaseError, before any value is used.
"""

import ctypes
import itertools
import json
import os
import stat
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, factorial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from banqi.errors import TablebaseError
from banqi.piece_set import SET_COUNTS
from banqi.tablebase.verify_rules import SQUARES, Material, Rows, Squares

Plane = NDArray[np.uint8] | NDArray[np.uint16]

_MAGIC: Final = b"BANQITAB"
_BLOCK_BYTES: Final = 32768
_STORED_BYTES: Final = 65536
_LONGEST_HEADER: Final = 1 << 16
_MOST_PIECES: Final = 8
_MOST_PLIES: Final = 65535
_MIRRORS: Final = (0, 3, 28, 31)
_FIELDS: Final[Mapping[str, tuple[type, ...]]] = {
    "version": (int,),
    "rules": (str,),
    "material": (str,),
    "groups": (list,),
    "first": (int,),
    "hidden": (int,),
    "symmetric": (bool,),
    "entries": (int,),
    "denominator": (int,),
    "values": (dict,),
    "longest_win": (dict, type(None)),
    "longest_exit": (dict, type(None)),
    "reachable_exit": (int,),
    "codec": (str,),
    "widths": (list,),
    "block_bytes": (int,),
    "blocks": (int,),
    "directory_crc": (int,),
    "size": (int,),
}


@dataclass(frozen=True, slots=True)
class Longest:
    """The most plies that something takes, and the first entry that takes them."""

    plies: int
    index: int


@dataclass(frozen=True, slots=True)
class Contents:
    """What a file says of itself: the fields of its header that are of use to a reader, as FORMAT.md names them."""

    path: Path
    rules: str
    material: str
    groups: tuple[str, ...]
    first: int
    hidden: int
    symmetric: bool
    entries: int
    denominator: int
    values: Mapping[str, int]
    longest_win: Longest | None
    longest_exit: Longest | None
    reachable_exit: int
    codec: str
    widths: tuple[int, int]
    blocks: int
    directory_crc: int
    size: int
    start: int

    @property
    def up(self) -> str:
        """The face-up pieces, group by group."""
        return "".join(self.groups)

    @property
    def pool(self) -> str:
        """The face-down pieces."""
        return "".join(half.partition("v")[side] for half in self.material.split("+")[1:] for side in (0, 2))

    @property
    def pieces(self) -> int:
        """How many pieces a position has."""
        return len(self.up) + self.hidden

    @property
    def example(self) -> Material:
        """The material that the file is named after, its face-up pieces in the order of the groups."""
        return Material(self.up, self.pool)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many pieces each group has, the face-down ones last."""
        return (*map(len, self.groups), *([self.hidden] if self.hidden else []))


def read_contents(path: Path) -> Contents:
    """Read and check a file's header.

    Raises:
        TablebaseError: it cannot be read, or its header is not what the format says.
    """
    return _contents(path, _read(path, 16 + _LONGEST_HEADER))


def read_planes(contents: Contents) -> tuple[Plane, Plane]:
    """Read all values of a file: the results and the plies to the next exit, as stored.

    Raises:
        TablebaseError: it cannot be read; it is not as its header says; a checksum differs.
    """
    path = contents.path
    data = _read(path, -1)
    if _contents(path, data) != contents:
        raise _broken(path, "it has changed")
    if len(data) != contents.size:
        raise _broken(path, f"it has {len(data)} bytes, not {contents.size}")
    lengths = [
        min(_BLOCK_BYTES, contents.entries * width - begin)
        for width in contents.widths
        for begin in range(0, contents.entries * width, _BLOCK_BYTES)
    ]
    if len(lengths) != contents.blocks:
        raise _broken(path, f"it has {contents.blocks} blocks, not {len(lengths)}")
    directory = data[contents.start : contents.start + 16 * contents.blocks]
    if zlib.crc32(directory) != contents.directory_crc:
        raise _broken(path, "the directory's checksum differs")
    decoded = []
    place = contents.start + 16 * contents.blocks
    for number, length in enumerate(lengths):
        row = directory[16 * number : 16 * number + 16]
        offset, stored, crc = (int.from_bytes(row[a:b], "little") for a, b in ((0, 8), (8, 12), (12, 16)))
        if offset != place:
            raise _broken(path, f"block {number} begins at {offset}, not at {place}")
        block = data[offset : offset + stored]
        if len(block) != stored or zlib.crc32(block) != crc:
            raise _broken(path, f"the checksum of block {number} differs")
        if contents.codec == "zstd":
            block = _unpack(path, number, block, length)
        if len(block) != length:
            raise _broken(path, f"block {number} holds {len(block)} bytes, not {length}")
        decoded.append(block)
        place += stored
    if place != contents.size:
        raise _broken(path, f"the blocks end at {place}, the file at {contents.size}")
    plain = b"".join(decoded)
    cut = contents.entries * contents.widths[0]
    one, two = (
        np.frombuffer(part, np.dtype(f"<u{width}"))
        for part, width in zip((plain[:cut], plain[cut:]), contents.widths, strict=True)
    )
    return one, two


def _read(path: Path, size: int) -> bytes:
    """The first bytes of a file, all of them if `size` is negative."""
    try:
        # A pipe is opened without waiting for somebody who writes into it, and left alone.
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(handle, "rb") as file:
            if stat.S_ISREG(os.fstat(handle).st_mode):
                return file.read(size)
    except OSError as error:
        raise TablebaseError(f"{path} cannot be read: {error.strerror}") from error
    raise _broken(path, "it is no regular file")


def _broken(path: Path, why: str) -> TablebaseError:
    # What a header says may be anything, and an error is one line.
    return TablebaseError(f"{path} is broken: {why if why.isprintable() else ascii(why)}")


def _contents(path: Path, data: bytes) -> Contents:
    if data[:8] != _MAGIC:
        raise _broken(path, "it is no endgame table")
    length = int.from_bytes(data[8:12], "little")
    text = data[16 : 16 + length]
    if len(data) < 16 or length > _LONGEST_HEADER or len(text) != length:
        raise _broken(path, "its header is cut off")
    if zlib.crc32(text) != int.from_bytes(data[12:16], "little"):
        raise _broken(path, "the header's checksum differs")
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _broken(path, "its header is no JSON") from error
    if not isinstance(fields, dict) or set(fields) != set(_FIELDS):
        raise _broken(path, "its header lacks fields, or has others")
    for name, kinds in _FIELDS.items():
        if type(fields[name]) not in kinds:
            raise _broken(path, f"the field {name} is a {type(fields[name]).__name__}")
    if fields["version"] != 1 or fields["block_bytes"] != _BLOCK_BYTES:
        raise _broken(path, "it has another version or other blocks")
    return _checked(path, fields, 16 + length)


def _checked(path: Path, fields: dict[str, Any], start: int) -> Contents:
    groups, widths = fields["groups"], fields["widths"]
    if not all(isinstance(group, str) and group for group in groups):
        raise _broken(path, "a group has no letters")
    if len(widths) != 2 or not all(width in (1, 2) for width in widths):
        raise _broken(path, "an entry has numbers of another width")
    longest = []
    for name in ("longest_win", "longest_exit"):
        value = fields[name]
        if value is not None and {key: type(number) for key, number in value.items()} != {"plies": int, "index": int}:
            raise _broken(path, f"the field {name} has another form")
        longest.append(None if value is None else Longest(**value))
    contents = Contents(
        path=path,
        **{name: fields[name] for name in ("rules", "material", "first", "hidden", "symmetric", "entries")},
        **{name: fields[name] for name in ("denominator", "values", "reachable_exit", "codec", "blocks")},
        directory_crc=fields["directory_crc"],
        size=fields["size"],
        groups=tuple(groups),
        widths=(widths[0], widths[1]),
        longest_win=longest[0],
        longest_exit=longest[1],
        start=start,
    )
    _check_class(contents)
    return contents


def _check_class(contents: Contents) -> None:
    """Whether the fields go together, and with the place of the file."""
    path, groups, first = contents.path, contents.groups, contents.first
    if (path.parent.name, path.name) != (contents.rules, f"{contents.material}.tb"):
        raise _broken(path, f"it is the table {contents.material} of {contents.rules}")
    if not 0 <= first <= len(groups) or not 0 <= contents.hidden <= _MOST_PIECES:
        raise _broken(path, "its groups make no sense")
    up = contents.material.partition("+")[0].replace("v", "")
    sides_told_apart = "".join(groups[:first]).isupper() or first == 0
    sides_told_apart &= "".join(groups[first:]).islower() or first == len(groups)
    if sorted(up) != sorted(contents.up) or not sides_told_apart:
        raise _broken(path, "its groups are not its material")
    everything = contents.up + contents.pool
    kinds_known = all(letter.upper() in SET_COUNTS for letter in everything)
    if len(contents.pool) != contents.hidden or not kinds_known or len(everything) > _MOST_PIECES:
        raise _broken(path, "its material makes no sense")
    if not any(map(str.isupper, everything)) or not any(map(str.islower, everything)):
        raise _broken(path, "a side has no piece")
    if contents.denominator != (factorial(contents.hidden) if contents.hidden else 0):
        raise _broken(path, "its denominator is another one")
    if contents.entries != Numbering(contents.sizes).placements * (1 if contents.symmetric else 2):
        raise _broken(path, "it has another number of entries")
    _check_figures(contents)
    small = contents.entries * sum(contents.widths) <= _STORED_BYTES
    if contents.codec != ("stored" if small else "zstd"):
        raise _broken(path, f"the codec is {contents.codec}")


def _check_figures(contents: Contents) -> None:
    """Whether a table of this size can have such counts and plies; its values tell whether they are right."""
    path, span = contents.path, contents.denominator or 1
    if set(contents.values) != {str(unit) for unit in range(-span, span + 1)}:
        raise _broken(path, "its counts are of other results")
    if not all(type(count) is int and count >= 0 for count in contents.values.values()):
        raise _broken(path, "its counts are no numbers")
    if not 0 <= contents.reachable_exit <= _MOST_PLIES:
        raise _broken(path, "reachable_exit is out of range")
    for longest in (contents.longest_win, contents.longest_exit):
        if longest and not (0 < longest.plies <= _MOST_PLIES and 0 <= longest.index < contents.entries):
            raise _broken(path, "its longest plies are out of range")
    if not 0 <= contents.blocks <= contents.entries:
        raise _broken(path, "its number of blocks is out of range")


@lru_cache(maxsize=1)
def _zstd() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL("libzstd.so.1")
    except OSError as error:
        raise TablebaseError("the library libzstd.so.1 is missing") from error
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    library.ZSTD_isError.restype = ctypes.c_uint
    library.ZSTD_isError.argtypes = [ctypes.c_size_t]
    return library


def _unpack(path: Path, number: int, block: bytes, length: int) -> bytes:
    library = _zstd()
    # One byte more than fits, so that a longer block is told from one of the right length.
    buffer = ctypes.create_string_buffer(length + 1)
    written = library.ZSTD_decompress(buffer, length + 1, block, len(block))
    if library.ZSTD_isError(written):
        raise _broken(path, f"block {number} is no zstd frame of its length")
    return buffer.raw[:written]


class Numbering:
    """How the positions of groups of equal pieces are numbered, the face-down group last, one side to move.

    >>> Numbering((1, 1)).placements
    248
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = tuple(sizes)
        self._lead = self.sizes.index(min(self.sizes))
        self._others = [group for group in range(len(self.sizes)) if group != self._lead]
        lead_size = self.sizes[self._lead]
        self._leads = _leading(lead_size)
        self._counts = []
        left = SQUARES - lead_size
        for group in self._others:
            self._counts.append(comb(left, self.sizes[group]))
            left -= self.sizes[group]
        self.placements = len(self._leads.representatives)
        for count in self._counts:
            self.placements *= count

    def number(self, squares: Squares) -> Rows:
        """The numbers of positions. The rows of `squares` are in the order of the groups."""
        rows = self._rows()
        lead = squares[rows[self._lead]]
        sets = _set_number(lead)
        mirrored = squares ^ self._leads.mirror[sets]
        index = self._leads.number[sets]
        taken = [mirrored[row] for row in rows[self._lead]]
        for group, count in zip(self._others, self._counts, strict=True):
            here = mirrored[rows[group]]
            relative = here.copy()
            for square in taken:
                relative -= here > square
            index = index * count + _set_number(relative)
            taken += list(here)
        return index

    def squares(self, numbers: Rows) -> Squares:
        """The positions with given numbers, as `number` takes them."""
        rows = self._rows()
        found = np.zeros((sum(self.sizes), len(numbers)), np.int64)
        rest = numbers
        digits = []
        for count in reversed(self._counts):
            digits.append(rest % count)
            rest = rest // count
        found[rows[self._lead]] = self._leads.representatives[rest].T
        taken = list(found[rows[self._lead]])
        left = SQUARES - self.sizes[self._lead]
        for group, digit in zip(self._others, reversed(digits), strict=True):
            here = _sets(left, self.sizes[group])[digit].T.copy()
            # Counting only free squares, from the lowest: each taken one that is not higher moves the rest up by one.
            for square in np.sort(np.array(taken), axis=0):
                here += here >= square
            found[rows[group]] = here
            taken += list(here)
            left -= self.sizes[group]
        return found

    def _rows(self) -> list[list[int]]:
        ends = list(itertools.accumulate(self.sizes))
        return [list(range(end - size, end)) for size, end in zip(self.sizes, ends, strict=True)]


@dataclass(frozen=True, slots=True)
class _Leading:
    """The placements of the leading group.

    representatives: a row for each number, squares ascending. number, mirror: for the number of every set of squares
    the number of its placement, and the mirroring that leads there.
    """

    representatives: Squares
    number: Rows
    mirror: Rows


@lru_cache(maxsize=8)
def _leading(size: int) -> _Leading:
    sets = _sets(SQUARES, size)
    images = np.array([_set_number((sets ^ mirror).T) for mirror in _MIRRORS])
    stands_for = images[0] == images.min(axis=0)
    numbers = np.cumsum(stands_for) - 1
    best = np.argmax(stands_for[images], axis=0)
    reached = images[best, np.arange(len(sets))]
    return _Leading(sets[stands_for], numbers[reached], np.array(_MIRRORS)[best])


@lru_cache(maxsize=64)
def _sets(squares: int, size: int) -> Squares:
    """All sets of `size` of the first `squares` squares, ascending within a row, the rows by the sets' numbers."""
    sets = np.array(list(itertools.combinations(range(squares), size)), np.int64).reshape(-1, size)
    # By the highest square, then the next: that is the order of the numbers.
    return sets[np.lexsort(sets.T)]


_CHOOSE: Final = np.array([[comb(n, k) for n in range(SQUARES + 1)] for k in range(_MOST_PIECES + 1)], np.int64)


def _set_number(squares: Squares) -> Rows:
    """The numbers of sets; each column is one, in any order."""
    ascending = np.sort(squares, axis=0) if len(squares) > 1 else squares
    number = np.zeros(squares.shape[1], np.int64)
    for k, row in enumerate(ascending, 1):
        number += _CHOOSE[k][row]
    return number


class Table:
    """A file's values, and what they mean. Results and plies are those of FORMAT.md, for the side to move."""

    def __init__(self, contents: Contents) -> None:
        self.contents = contents
        self.numbering = Numbering(contents.sizes)
        self.results, self.plies = read_planes(contents)

    def entries(self, squares: Squares, *, first_to_move: bool) -> Rows:
        """The entries of positions. The rows of `squares` are in the order of the groups."""
        return self.numbering.number(squares) + (0 if first_to_move else self.numbering.placements)

    def positions(self, entries: Rows) -> Squares:
        """The positions of entries; the rows are in the order of the groups."""
        return self.numbering.squares(entries % self.numbering.placements)
