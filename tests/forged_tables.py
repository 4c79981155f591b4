"""Tables with values of our own choice and right checksums, written from FORMAT.md."""

import json
import shutil
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banqi.tablebase.verify_reader import Table, read_contents


def header_of(path: Path) -> dict[str, Any]:
    """The header of a file as it stands there."""
    data = path.read_bytes()
    fields: dict[str, Any] = json.loads(data[16 : 16 + int.from_bytes(data[8:12], "little")])
    return fields


def forge(path: Path, planes: tuple[NDArray[Any], NDArray[Any]], **fields: object) -> None:
    """Write a file anew with these planes, of one byte an entry, stored as they are, and these fields changed."""
    header = header_of(path) | {"codec": "stored", "widths": [1, 1]} | fields
    data = [plane.astype(np.uint8).tobytes() for plane in planes]
    blocks = [part[start : start + 32768] for part in data for start in range(0, len(part), 32768)]
    header["blocks"] = len(blocks)
    length = len(json.dumps(header)) + 32
    offset = 16 + length + 16 * len(blocks)
    directory = b""
    for block in blocks:
        directory += offset.to_bytes(8, "little") + len(block).to_bytes(4, "little")
        directory += zlib.crc32(block).to_bytes(4, "little")
        offset += len(block)
    header |= {"directory_crc": zlib.crc32(directory), "size": offset} | fields
    text = json.dumps(header).encode().ljust(length)
    path.write_bytes(prefix(text) + text + directory + b"".join(blocks))


def prefix(text: bytes) -> bytes:
    """What stands before a header, with its right checksum."""
    return b"BANQITAB" + len(text).to_bytes(4, "little") + zlib.crc32(text).to_bytes(4, "little")


def forge_entry(path: Path, entry: int, result: int, plies: int) -> None:
    """Change one entry of a table and what its header counts, so that only play can tell."""
    contents = read_contents(path)
    table = Table(contents)
    results, exits = table.results.copy(), table.plies.copy()
    results[entry], exits[entry] = result, plies
    denominator = contents.denominator
    signed = results.astype(int)
    units = signed - denominator if denominator else np.where(signed == 0, 0, 1 - 2 * (signed % 2))
    span = denominator or 1
    wins = np.where(units == 1, signed - 1, 0) * (not denominator)
    forge(
        path,
        (results, exits),
        values={str(unit): int((units == unit).sum()) for unit in range(-span, span + 1)},
        longest_win=_longest(wins),
        longest_exit=_longest(exits),
        reachable_exit=max(contents.reachable_exit, int(exits.max())),
    )


def _longest(plies: NDArray[Any]) -> dict[str, int] | None:
    index = int(plies.argmax())
    return {"plies": int(plies[index]), "index": index} if plies[index] else None


def copied(folder: Path, into: Path) -> Path:
    """A copy of a folder of tables that may be spoilt."""
    return Path(shutil.copytree(folder, into))
