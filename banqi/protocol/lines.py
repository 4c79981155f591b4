"""Lines of text as other programs send them."""

from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import BinaryIO


def read_lines(source: BinaryIO, longest: int) -> Iterator[bytes]:
    """Read lines without their ends, the first without a byte order mark.

    longest: in bytes. Of a line that is longer more than that is read, so that it can be told, and the rest is skipped.
    """
    mark = BOM_UTF8
    most = longest + 1 + len(mark)
    while line := source.readline(most):
        last = line
        while not last.endswith(b"\n") and (last := source.readline(most)):
            pass
        yield line.removesuffix(b"\n").removeprefix(mark)
        mark = b""
