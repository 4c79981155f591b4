"""Which build of the package this is, as far as it decides how an engine plays."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parents[1]
# What only asks the engine or shows what it says, and what it was compiled from.
_ELSEWHERE: Final = (
    "__main__.py", "__pycache__", "arena", "bench.py", "cli", "display.py", "executors.py", "protocol", "record",
    "server",
)  # fmt: skip
_SOURCES: Final = (".pyx", ".pxd", ".pxi", ".pyi", ".md", ".svg")
_DIGITS: Final = 16


@cache
def own_build() -> str:
    """Return 16 hex digits that differ between builds which may play differently."""
    digest = sha256()
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE)
        if path.is_file() and path.suffix not in _SOURCES and not set(inside.parts) & set(_ELSEWHERE):
            digest.update(f"{inside.as_posix()}\0".encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:_DIGITS]
