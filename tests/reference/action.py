"""Actions as text (section 9): on a wire, taken apart, and as people write them."""

from __future__ import annotations

import re
from string import ascii_letters

END = "0000"
MOVE = re.compile("([a-h][0-9]+)([a-h][0-9]+)([A-Za-z]?)")


def parts(action: str) -> tuple[str, str, str]:
    """An action on a wire other than the end of a chain: square, target, and the letter that it reveals or nothing."""
    match = MOVE.fullmatch(action)
    if match is None:
        raise ValueError(f"no action: {action}")
    return match[1], match[2], match[3]


def request_of(action: str) -> str:
    """An action on a wire without the letter that it reveals."""
    return action.rstrip(ascii_letters)


def written(action: str) -> str:
    """An action on a wire as people write it."""
    if action == END:
        return "end"
    square, to, shown = parts(action)
    return square + (f"-{to}" if to != square else "") + (f"({shown})" if shown else "")
