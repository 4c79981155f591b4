"""One position of Junqi: what may be done and what comes of it (section 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from reference.junqi_board import CAMPS, LINES, RAILWAY, ROADS
from reference.junqi_rules import RANKS, JunqiRules
from reference.position import HIDDEN, Position, colour, other


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
class JunqiPosition(Position):
    """A position of Junqi. `chain` is `-` always: no turn is longer than one action."""

    rules: JunqiRules

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

    def attack(self, square: str, to: str, shown: str) -> Self:
        """The position that an attack makes; it never shows anything."""
        board = dict(self.board)
        attacker, defender = board.pop(square), board.pop(to)
        attacker_stays, defender_stays = survivors(attacker.upper(), defender.upper())
        if attacker_stays:
            board[to] = attacker
        if defender_stays:
            board[to] = defender
        return self.passed(board, self.pool, other(self.side))

    def refuse(self) -> None:
        """Raise ValueError for a chain, and for what gets into no camp."""
        if self.chain != "-":
            raise ValueError("there are no chains")
        for camp in CAMPS:
            if self.board.get(camp, "M").upper() in (*self.rules.camp_shy, HIDDEN.upper()):
                raise ValueError(f"no flag, mine or face-down piece gets into a camp: {camp}")
