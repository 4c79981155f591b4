"""One position under one rule set: what may be done and what comes of it (sections 2 to 4)."""

from __future__ import annotations

from dataclasses import dataclass

from reference.rules import KINDS, Rules

LETTERS = KINDS + KINDS.lower()
SIDES = {"r": set(KINDS), "b": set(KINDS.lower())}
HIDDEN = "x"
END = "0000"


def colour(letter: str) -> str:
    """The side that a face-up piece belongs to."""
    return "r" if letter.isupper() else "b"


def other(side: str) -> str:
    """The opponent."""
    return "b" if side == "r" else "r"


def lines(rules: Rules) -> dict[str, list[list[str]]]:
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


LINES = {files: lines(Rules(files=files)) for files in ("abcd", "abcdefgh")}


@dataclass
class Position:
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

    def legal(self) -> set[str]:
        """The requests on a wire of everything that the side to move may do."""
        if self.lost("r") or self.lost("b"):
            return set()
        if self.chain != "-":
            onward = {self.chain + to for what, to in self.actions_of(self.chain) if what != "step"}
            return onward | {END}
        found = set()
        for square, letter in self.board.items():
            if letter == HIDDEN:
                found.add(square + square)
            elif colour(letter) == self.side:
                found.update(square + to for _, to in self.actions_of(square))
        return found

    def outcomes(self, request: str) -> dict[str, int]:
        """For a flip or an attempt how often each identity is in the pool; empty for other actions."""
        if self.board.get(request[2:]) != HIDDEN:
            return {}
        return {letter: count for letter, count in self.pool.items() if count > 0}

    def after(self, action: str) -> Position:
        """The position that a legal action makes, its reveal included (`a1a1K`, `a1b1k`)."""
        if action == END:
            return Position(self.rules, dict(self.board), dict(self.pool), other(self.side))
        square, to, shown = action[:2], action[2:4], action[4:]
        board, pool = dict(self.board), dict(self.pool)
        if shown:
            pool[shown] -= 1
            board[to] = shown
        if square == to:
            flipper = colour(shown) if self.side == "?" else self.side
            return Position(self.rules, board, pool, other(flipper))
        if to not in board:
            board[to] = board.pop(square)
            return Position(self.rules, board, pool, other(self.side), quiet=self.quiet + 1)
        if shown and not self.succeeds(square, to, shown):
            return Position(self.rules, board, pool, other(self.side))
        piece = board[to] = board.pop(square)
        captured = Position(self.rules, board, pool, self.side, chain=to)
        chains = self.rules.chain == "any" or (self.rules.chain == "cannon" and piece.upper() == "C")
        if chains and any(what != "step" for what, _ in captured.actions_of(to)):
            return captured
        return Position(self.rules, board, pool, other(self.side))

    def succeeds(self, square: str, to: str, shown: str) -> bool:
        """Whether an attempt captures the piece that it turned up."""
        piece = self.board[square]
        if colour(shown) == colour(piece):
            return False
        adjacent = any(line[0] == to for line in LINES[self.rules.files][square])
        return not adjacent or self.rules.takes(piece.upper(), shown.upper())
