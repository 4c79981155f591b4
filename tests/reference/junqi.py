"""One position of Junqi: what may be done and what comes of it (section 7)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reference.junqi_board import CAMPS, LINES, RAILWAY, ROADS
from reference.junqi_rules import RANKS, Rules
from reference.position import HIDDEN, colour, other

ACTION = re.compile("([a-e][0-9]+)([a-e][0-9]+)([A-Za-z]?)")


def parts(action: str) -> tuple[str, str, str]:
    """An action on a wire taken apart: square, target, and the letter that it reveals or nothing."""
    match = ACTION.fullmatch(action)
    if match is None:
        raise ValueError(f"no action: {action}")
    return match[1], match[2], match[3]


def survivors(attacker: str, defender: str) -> tuple[bool, bool]:
    """Whether the attacking and the attacked kind stay on the board (J7)."""
    if defender == "F":
        return attacker != "O", False
    if "O" in (attacker, defender):
        return False, False
    if defender == "L":
        return attacker == "E", attacker != "E"
    # The highest rank has the smallest number.
    ranks = RANKS.index(attacker), RANKS.index(defender)
    return ranks[0] < ranks[1], ranks[0] > ranks[1]


@dataclass
class Position:
    """Who stands where, what is still hidden, whose turn it is.

    `board` maps occupied nodes to a letter or `x`; `pool` counts the hidden identities. `side` is `r`, `b` or `?`;
    `chain` is `-` always: no turn is longer than one action.
    """

    rules: Rules
    board: dict[str, str]
    pool: dict[str, int]
    side: str
    quiet: int = 0
    chain: str = "-"

    def lost(self, side: str) -> bool:
        """Whether the flag of a side is gone: neither face up nor hidden."""
        flag = "F" if side == "r" else "f"
        return flag not in self.board.values() and self.pool[flag] == 0

    def targets(self, square: str) -> set[str]:
        """Where the face-up piece on a square could move on its turn, whom it would attack there included."""
        piece = self.board[square]
        if piece.upper() in "LF":
            return set()
        reached = set(ROADS[square])
        reached |= self.engineer_routes(square) if piece.upper() == "E" else self.straight_routes(square)
        return {to for to in reached if self.may_enter(piece, to)}

    def may_enter(self, piece: str, to: str) -> bool:
        """Whether a piece may stand or attack on a node, once it gets there (J6)."""
        there = self.board.get(to)
        if there is None:
            return True
        return there != HIDDEN and colour(there) != colour(piece) and to not in CAMPS

    def straight_routes(self, square: str) -> set[str]:
        """The nodes along straight railway up to the first piece, that included (J4)."""
        reached = set()
        for line in LINES[square]:
            for to in line:
                reached.add(to)
                if to in self.board:
                    break
        return reached

    def engineer_routes(self, square: str) -> set[str]:
        """The nodes along railway with any turns up to the first pieces, these included (J5)."""
        reached: set[str] = set()
        waiting = [square]
        while waiting:
            for to in RAILWAY[waiting.pop()]:
                if to != square and to not in reached:
                    reached.add(to)
                    if to not in self.board:
                        waiting.append(to)
        return reached

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

    def outcomes(self, request: str) -> dict[str, int]:
        """For a flip how often each identity is in the pool; empty for a move."""
        if self.board.get(parts(request)[1]) != HIDDEN:
            return {}
        return {letter: count for letter, count in self.pool.items() if count > 0}

    def after(self, action: str) -> Position:
        """The position that a legal action makes, its reveal included (`a10a10M`)."""
        square, to, shown = parts(action)
        board, pool = dict(self.board), dict(self.pool)
        if shown:
            pool[shown] -= 1
            board[to] = shown
            flipper = colour(shown) if self.side == "?" else self.side
            return Position(self.rules, board, pool, other(flipper))
        attacker = board.pop(square)
        if to not in board:
            board[to] = attacker
            return Position(self.rules, board, pool, other(self.side), self.quiet + 1)
        defender = board.pop(to)
        attacker_stays, defender_stays = survivors(attacker.upper(), defender.upper())
        if attacker_stays:
            board[to] = attacker
        if defender_stays:
            board[to] = defender
        return Position(self.rules, board, pool, other(self.side))
