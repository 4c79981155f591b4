"""One position of Banqi: what may be done and what comes of it (sections 2 to 4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from reference.action import END
from reference.banqi_rules import KINDS, BanqiRules
from reference.position import HIDDEN, Position, colour, other

SIDES = {"r": set(KINDS), "b": set(KINDS.lower())}


def lines(rules: BanqiRules) -> dict[str, list[list[str]]]:
    """For each square the squares seen from it up, down, left and right, nearest first."""
    files = rules.files
    found = {}
    for column in range(len(files)):
        for row in range(1, 9):
            up = [(column, r) for r in range(row + 1, 9)]
            down = [(column, r) for r in range(row - 1, 0, -1)]
            left = [(c, row) for c in range(column - 1, -1, -1)]
            right = [(c, row) for c in range(column + 1, len(files))]
            found[f"{files[column]}{row}"] = [
                [f"{files[c]}{r}" for c, r in line] for line in (up, down, left, right) if line
            ]
    return found


LINES = {files: lines(BanqiRules(files=files)) for files in ("abcd", "abcdefgh")}


@dataclass
class BanqiPosition(Position):
    """A position under one of the rule sets of Banqi."""

    rules: BanqiRules

    def lost(self, side: str) -> bool:
        """Whether a side has no piece left, neither face up nor hidden."""
        face_up = not SIDES[side].isdisjoint(self.board.values())
        hidden = any(self.pool[letter] > 0 for letter in SIDES[side])
        return not face_up and not hidden

    def actions_of(self, square: str) -> list[tuple[str, str]]:
        """What the face-up piece on a square could do on its turn: (`step`, `capture` or `attempt`, target)."""
        board, rules = self.board, self.rules
        piece = board[square]
        kind = piece.upper()
        jumps = kind == "C" and rules.cannon == "jump"
        found = []
        for line in LINES[rules.files][square]:
            beside = line[0]
            there = board.get(beside)
            if there is None:
                found.append(("step", beside))
            elif there == HIDDEN:
                if rules.dark_capture and (not jumps or rules.cannon_adjacent):
                    found.append(("attempt", beside))
            elif colour(there) != colour(piece) and rules.takes(kind, there.upper()):
                found.append(("capture", beside))
            if not jumps:
                continue
            pieces_ahead = [ahead for ahead in line if ahead in board]
            if len(pieces_ahead) < 2:
                continue
            screen, target = pieces_ahead[0], pieces_ahead[1]
            if rules.screens == "faceup" and board[screen] == HIDDEN:
                continue
            if board[target] == HIDDEN:
                if rules.dark_capture and rules.screens == "any":
                    found.append(("attempt", target))
            elif colour(board[target]) != colour(piece):
                found.append(("capture", target))
        return found

    def targets(self, square: str) -> set[str]:
        """Where the face-up piece on a square could act on its turn."""
        return {to for _, to in self.actions_of(square)}

    def onward(self, square: str) -> set[str]:
        """Where the piece on a square could capture or attempt."""
        return {to for what, to in self.actions_of(square) if what != "step"}

    def legal(self) -> set[str]:
        """The requests on a wire of everything that the side to move may do."""
        if self.chain == "-" or self.lost("r") or self.lost("b"):
            return super().legal()
        return {self.chain + to for to in self.onward(self.chain)} | {END}

    def outcomes(self, request: str) -> dict[str, int]:
        """For a flip or an attempt how often each identity is in the pool; empty for other actions."""
        return {} if request == END else super().outcomes(request)

    def after(self, action: str) -> Self:
        """The position that a legal action makes, its reveal included (`a1a1K`, `a1b1k`)."""
        if action == END:
            return self.passed(self.board, self.pool, other(self.side))
        return super().after(action)

    def attack(self, square: str, to: str, shown: str) -> Self:
        """The position that a capture makes, or an attempt that shows a letter."""
        board = dict(self.board)
        pool = self.without(shown) if shown else self.pool
        if shown and not self.succeeds(square, to, shown):
            board[to] = shown
            return self.passed(board, pool, other(self.side))
        board[to] = board.pop(square)
        captured = replace(self, board=board, pool=pool, chain=to, quiet=0)
        return captured if captured.goes_on() else self.passed(board, pool, other(self.side))

    def goes_on(self) -> bool:
        """Whether the piece on the chain square may go on capturing."""
        chains = self.rules.chain == "any" or (self.rules.chain == "cannon" and self.board[self.chain].upper() == "C")
        return chains and bool(self.onward(self.chain))

    def succeeds(self, square: str, to: str, shown: str) -> bool:
        """Whether an attempt captures the piece that it turned up."""
        piece = self.board[square]
        if colour(shown) == colour(piece):
            return False
        adjacent = any(line[0] == to for line in LINES[self.rules.files][square])
        return not adjacent or self.rules.takes(piece.upper(), shown.upper())

    def refuse(self) -> None:
        """Raise ValueError for a chain that cannot stand."""
        if self.chain == "-":
            return
        piece = self.board.get(self.chain, HIDDEN)
        if piece == HIDDEN or colour(piece) != self.side:
            raise ValueError("the chain square holds no piece of the side to move")
        if not self.goes_on():
            raise ValueError("the rule set allows this piece no chain, or it has nothing to capture or attempt")
        if self.quiet > 0:
            raise ValueError("a chain stands with a quiet counter above 0")
