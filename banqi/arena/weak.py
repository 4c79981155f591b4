"""Players of known weakness, to measure others against."""

import random
from collections.abc import Mapping
from typing import Final

from banqi.arena.player import Answer
from banqi.move import Move
from banqi.piece import Piece, Side
from banqi.position import Position

# Plain values of material, without regard to the position. A flag that is taken ends the game.
VALUES: Final[Mapping[str, Mapping[str, float]]] = {
    "banqi": {"K": 30, "G": 14, "M": 11, "R": 9, "N": 7, "C": 16, "P": 4},
    "junqi": {"M": 30, "G": 24, "D": 18, "B": 14, "R": 11, "T": 8, "C": 6, "P": 4, "E": 8, "O": 14, "L": 6, "F": 1000},
}


class RandomPlayer:
    """Every legal move alike."""

    def begin(self, position: Position, seed: str) -> None:
        """Begin a game."""
        self._rng = random.Random(seed)

    def move(self, position: Position, left: float | None) -> Answer:
        """Return the move."""
        return Answer(self._choose(position, list(position.legal_moves)))

    def _choose(self, position: Position, moves: list[Move]) -> Move:
        return self._rng.choice(moves)

    def told(self, move: Move, position: Position, left: float | None) -> None:
        """Need nothing: the position says all."""

    def ended(self, winner: Side | None) -> None:
        """Need nothing: the next game begins anew."""

    def close(self) -> None:
        """Hold nothing."""


class GreedyPlayer(RandomPlayer):
    """Looks one ply ahead at material: the move that wins most on balance, one of those that win as much by lot.

    What an attack costs counts: in Junqi the attacker may be lost. A flip and a step change nothing. An attempt on a
    face-down piece counts what it takes in the mean.
    """

    def _choose(self, position: Position, moves: list[Move]) -> Move:
        gains = [gain(position, move) for move in moves]
        most = max(gains)
        return self._rng.choice([move for move, won in zip(moves, gains, strict=True) if won == most])


def gain(position: Position, move: Move) -> float:
    """Return the material that a move wins less what it loses."""
    target = None if move.is_end or move.is_flip else position.piece_at(move.to_square)
    mover = None if target is None else position.piece_at(move.from_square)
    if mover is None or target is None:
        return 0.0
    if target.is_face_down:
        return _found(position, move, mover)
    values, rules = VALUES[position.rules.game], position.rules
    attacker, defender = mover.kind or "", target.kind or ""
    # A cannon's jump takes what its steps do not.
    taken = rules.game == "banqi" or rules.takes(attacker, defender)
    lost = not rules.survives(attacker, defender) and defender != "F"
    return values[defender] * taken - values[attacker] * lost


def _found(position: Position, move: Move, mover: Piece) -> float:
    """What an attempt takes in the mean."""
    values, rules = VALUES[position.rules.game], position.rules
    found = ((reveal.move.reveal or "", reveal.probability) for reveal in position.outcomes(move))
    enemies = [(letter.upper(), chance) for letter, chance in found if letter.isupper() != mover.letter.isupper()]
    # Only a cannon's jump goes beyond the next square, and it takes whatever it finds.
    apart = abs(move.from_square - move.to_square)
    jump = rules.cannon_jumps and apart not in (1, rules.geometry.files)
    return sum(values[kind] * chance for kind, chance in enemies if jump or rules.takes(mover.kind or "", kind))
