"""One position of either game: what is known of it, and what both let one do (B1 to B3 of section 2, J1)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Self

from reference.action import parts
from reference.rules import Rules

HIDDEN = "x"


def colour(letter: str) -> str:
    """The side that a face-up piece belongs to."""
    return "r" if letter.isupper() else "b"


def other(side: str) -> str:
    """The opponent."""
    return "b" if side == "r" else "r"


@dataclass
class Position(ABC):
    """Who stands where, what is still hidden, whose turn it is.

    `board` maps occupied squares to a letter or `x`; `pool` counts the hidden identities. `side` is `r`, `b`
    or `?`; `chain` is the square that may go on capturing, or `-`.
    """

    rules: Rules
    board: dict[str, str]
    pool: dict[str, int]
    side: str
    chain: str = "-"
    quiet: int = 0

    @abstractmethod
    def lost(self, side: str) -> bool:
        """Whether a side has lost what it cannot do without, neither face up nor hidden."""

    @abstractmethod
    def targets(self, square: str) -> set[str]:
        """Where the face-up piece on a square could step, and whom it could attack, on its turn."""

    @abstractmethod
    def attack(self, square: str, to: str, shown: str) -> Self:
        """The position that an attack makes, or an attempt that shows a letter."""

    @abstractmethod
    def refuse(self) -> None:
        """Raise ValueError for the first fault that only this game has."""

    def legal(self) -> set[str]:
        """The requests on a wire of everything that the side to move may do."""
        if self.lost("r") or self.lost("b"):
            return set()
        found = set()
        for square, letter in self.board.items():
            if letter == HIDDEN:
                found.add(square + square)
            elif colour(letter) == self.side:
                found.update(square + to for to in self.targets(square))
        return found

    def attacked_by(self, side: str) -> set[str]:
        """Where a side could capture a face-up piece if it were to move."""
        return {
            to
            for square, letter in self.board.items()
            if letter != HIDDEN and colour(letter) == side
            for to in self.targets(square)
            if self.board.get(to, HIDDEN) != HIDDEN
        }

    def outcomes(self, request: str) -> dict[str, int]:
        """For a flip or an attempt how often each identity is in the pool; empty for other actions."""
        if self.board.get(parts(request)[1]) != HIDDEN:
            return {}
        return {letter: count for letter, count in self.pool.items() if count > 0}

    def after(self, action: str) -> Self:
        """The position that a legal action makes, its reveal included (`a1a1K`, `a1b1k`)."""
        square, to, shown = parts(action)
        if square == to:
            flipper = colour(shown) if self.side == "?" else self.side
            return self.passed(self.board | {square: shown}, self.without(shown), other(flipper))
        if to not in self.board:
            board = dict(self.board)
            board[to] = board.pop(square)
            return self.passed(board, self.pool, other(self.side), quiet=self.quiet + 1)
        return self.attack(square, to, shown)

    def passed(self, board: dict[str, str], pool: dict[str, int], side: str, *, quiet: int = 0) -> Self:
        """Another position, in which it is the turn of a side."""
        return replace(self, board=board, pool=pool, side=side, chain="-", quiet=quiet)

    def without(self, shown: str) -> dict[str, int]:
        """The pool when one of its identities has been shown."""
        return self.pool | {shown: self.pool[shown] - 1}
