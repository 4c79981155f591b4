"""Counting leaves as section 10 says, each of them made."""

from __future__ import annotations

from reference import fen as text
from reference.games import parse
from reference.position import Position


def perft(fen: str, depth: int, rules: str = "taiwan") -> int:
    """The leaves after exactly `depth` actions."""
    return count(text.read(fen, parse(rules)), depth)


def count(position: Position, depth: int) -> int:
    """The leaves below a position."""
    if depth == 0:
        return 1
    return sum(count(position.after(action), depth - 1) for action in actions(position))


def actions(position: Position) -> list[str]:
    """Every legal action with every reveal that it may have."""
    return [request + shown for request in position.legal() for shown in position.outcomes(request) or ("",)]
