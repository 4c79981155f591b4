"""Players of known weakness, to measure the engine against."""

import random
from collections.abc import Mapping
from typing import Final, Protocol

from banqi import Engine, Limit, Move, Position

# Plain values of material, without regard to the position. A flag that is taken ends the game.
VALUES: Final[Mapping[str, Mapping[str, float]]] = {
    "banqi": {"K": 30, "G": 14, "M": 11, "R": 9, "N": 7, "C": 16, "P": 4},
    "junqi": {"M": 30, "G": 24, "D": 18, "B": 14, "R": 11, "T": 8, "C": 6, "P": 4, "E": 8, "O": 14, "L": 6, "F": 1000},
}


class Player(Protocol):
    """Chooses a legal move, as a request, in a position that is not over."""

    def move(self, position: Position) -> Move:
        """Return the move."""
        ...

    def close(self) -> None:
        """Give up what the player holds."""
        ...


class RandomPlayer:
    """Every legal move alike."""

    def __init__(self, seed: str) -> None:
        self._rng = random.Random(seed)

    def move(self, position: Position) -> Move:
        """Return the move."""
        return self._rng.choice(list(position.legal_moves))

    def close(self) -> None:
        """Hold nothing."""


class GreedyPlayer:
    """Looks one ply ahead at material: the move that wins most on balance, one of those that win as much by lot.

    What an attack costs counts: in Junqi the attacker may be lost. A flip and a step change nothing. An attempt on a
    face-down piece counts what it takes in the mean.
    """

    def __init__(self, seed: str) -> None:
        self._rng = random.Random(seed)

    def move(self, position: Position) -> Move:
        """Return the move."""
        moves = list(position.legal_moves)
        gains = [gain(position, move) for move in moves]
        most = max(gains)
        return self._rng.choice([move for move, won in zip(moves, gains, strict=True) if won == most])

    def close(self) -> None:
        """Hold nothing."""


def gain(position: Position, move: Move) -> float:
    """The material that a move wins less what it loses."""
    values, rules = VALUES[position.rules.game], position.rules
    mover, target = (
        None if move.is_end else position.piece_at(square) for square in (move.from_square, move.to_square)
    )
    if mover is None or target is None or move.is_flip:
        return 0.0
    if target.is_face_down:
        found = ((reveal.move.reveal or "", reveal.probability) for reveal in position.outcomes(move))
        enemies = [(letter.upper(), chance) for letter, chance in found if letter.isupper() != mover.letter.isupper()]
        # Only a cannon's jump goes beyond the next square, and it takes whatever it finds.
        apart = abs(move.from_square - move.to_square)
        jump = rules.cannon_jumps and apart not in (1, rules.geometry.files)
        return sum(values[kind] * chance for kind, chance in enemies if jump or rules.takes(mover.kind or "", kind))
    attacker, defender = mover.kind or "", target.kind or ""
    # A cannon's jump takes what its steps do not.
    taken = rules.game == "banqi" or rules.takes(attacker, defender)
    lost = not rules.survives(attacker, defender) and defender != "F"
    return values[defender] * taken - values[attacker] * lost


class EnginePlayer:
    """The engine with a number of nodes for each move, on one thread."""

    def __init__(self, nodes: int) -> None:
        self._engine = Engine(threads=1, hash_mb=16)
        self._limit = Limit(nodes=nodes)

    def move(self, position: Position) -> Move:
        """Return the move."""
        return self._engine.play(position, self._limit).move

    def close(self) -> None:
        """Give up the table."""
        self._engine.close()
