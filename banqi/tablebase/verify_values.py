"""What positions are worth by what play leads to, for the verifier alone."""

from math import factorial
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from banqi.tablebase.verify_rules import (
    Action,
    Game,
    Kind,
    Material,
    Rows,
    Squares,
    actions,
    captured,
    captures,
    opponent,
    revealed,
    stepped,
    succeeds,
)

Scores = NDArray[np.int64]
"""What positions are worth to a side: the greater the better.

Counting plies, where all is face up: WIN - n for a win in n plies, 0 for a draw, n - WIN for a loss in n plies. Not
counting: the expected result in units of 1 / (number of face-down pieces in the position)!.
"""
WIN: Final = 1 << 20


class Values(Protocol):
    """Where the values of positions come from."""

    def look(self, material: Material, squares: Squares, mover: str) -> tuple[Scores, Rows]:
        """What positions are worth to the side to move, and the plies to the next exit."""


class Successors:
    """What the positions of a class are worth by the values of those that play leads to."""

    def __init__(self, game: Game, values: Values, *, counts_plies: bool) -> None:
        self._game = game
        self._values = values
        self._counts_plies = counts_plies

    def expected(self, material: Material, squares: Squares, mover: str) -> tuple[Scores, Rows]:
        """What positions must be worth to the side to move, and the plies to the next exit."""
        count = squares.shape[1]
        best = np.full(count, -WIN, np.int64)
        # For each action: in which positions, what it is worth, how many plies until an exit, its own included.
        ways: list[tuple[Rows, Scores, Rows]] = []
        for action in actions(self._game, material, squares, mover):
            if len(action.rows) == 0:
                continue
            if action.kind is Kind.STEP:
                scores, plies = self._values.look(material, stepped(squares, action), opponent(mover))
                scores, plies = self.passed(scores), plies + 1
            else:
                scores = self.worth(material, squares[:, action.rows], action, mover)
                plies = np.ones(len(scores), np.int64)
            best[action.rows] = np.maximum(best[action.rows], scores)
            ways.append((action.rows, scores, plies))
        nearest = np.full(count, np.iinfo(np.int64).max, np.int64)
        farthest = np.zeros(count, np.int64)
        for rows, scores, plies in ways:
            keeps = self.result(scores) == self.result(best[rows])
            rows, plies = rows[keeps], plies[keeps]
            nearest[rows] = np.minimum(nearest[rows], plies)
            farthest[rows] = np.maximum(farthest[rows], plies)
        return best, np.where(best > 0, nearest, np.where(best < 0, farthest, 0))

    def passed(self, scores: Scores) -> Scores:
        """What positions are worth to the side that has just moved, one ply before."""
        return -scores + np.sign(scores) if self._counts_plies else -scores

    def result(self, scores: Scores) -> Scores:
        """The result alone, without the plies to it."""
        return np.sign(scores) if self._counts_plies else scores

    def worth(self, material: Material, squares: Squares, action: Action, mover: str) -> Scores:
        """What an exit is worth to the side that takes it; it is possible in all the positions."""
        if action.kind is Kind.CAPTURE:
            return self._captured(*captured(material, squares, action.piece, action.other), mover)
        row = action.piece if action.kind is Kind.FLIP else action.other
        total = np.zeros(squares.shape[1], np.int64)
        # The sum over all identities, in units of 1 / (n - 1)!, is the mean in units of 1 / n!.
        for identity in material.pool:
            after, places, shown_row = revealed(material, squares, row, identity)
            attacks = action.kind is not Kind.FLIP
            if attacks and succeeds(self._game, material.up[action.piece], identity, action.kind):
                total += self._captured(*captured(after, places, action.piece, shown_row), mover)
            else:
                total += self._handed_over(after, places, mover)
        return total

    def _captured(self, material: Material, squares: Squares, piece: int, mover: str) -> Scores:
        """What positions are worth to the side that has just captured: it may stop, or go on in a chain."""
        if material.has_lost(opponent(mover)):
            won = WIN - 1 if self._counts_plies else factorial(len(material.pool))
            return np.full(squares.shape[1], won, np.int64)
        best = self._handed_over(material, squares, mover)
        if self._game.chains(material.up[piece]):
            for action in captures(self._game, material, squares, piece):
                if len(action.rows):
                    onward = self.worth(material, squares[:, action.rows], action, mover)
                    best[action.rows] = np.maximum(best[action.rows], onward)
        return best

    def _handed_over(self, material: Material, squares: Squares, mover: str) -> Scores:
        return self.passed(self._values.look(material, squares, opponent(mover))[0])
