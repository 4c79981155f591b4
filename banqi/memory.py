"""How much memory is free: asked before much of it is taken."""

import math
import os

from banqi.errors import LimitError


def available_memory() -> float:
    """Return the bytes that can still be used; infinite where the system does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return math.inf


def check_memory(needed: int, what: str) -> None:
    """Pass what fits: the system itself would grant more and fail later.

    Raises:
        LimitError: `needed` bytes are more than are free; the line says what needs them.
    """
    available = available_memory()
    if needed > available:
        raise LimitError(f"{what} does not fit into the {available / 2**20:.0f} MB of memory that are free")
