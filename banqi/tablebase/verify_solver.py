"""Endings solved by plain forward play, for the verifier alone: no retrograde analysis, no classes, no symmetry.

All placements of a material on the board are valued together, again and again, each time by one ply of play more:

- After n sweeps from "everything is a draw" a position has the value of the game that is broken off, drawn, after n
  plies. What is forced within n plies has its value, and nothing is worth more than what can be forced. So when a sweep
  changes nothing, no later one does, and all values are those of endless play.
- The plies to the next exit, likewise, begin as "never" and become finite once they can be forced.

Values with pieces face down are whole numbers of 1 / (number of face-down pieces)!, so nothing is rounded.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from banqi.piece_set import KINDS, SET_COUNTS
from banqi.rules import Rules
from banqi.tablebase.verify_rules import SQUARES, Flags, Game, Kind, Material, Rows, Squares, actions, opponent, stepped
from banqi.tablebase.verify_values import WIN, Scores, Successors

_NEVER: Final = 1 << 40
_NONE: Final = -2 * WIN
"""Less than any score."""
_KEPT: Final = 512
"""For how many materials and sides to move values are kept, the latest: half a MB each with three pieces."""
_LETTERS: Final = KINDS + KINDS.lower()


def materials(pieces: int, hidden: int = 0) -> Iterator[Material]:
    """All materials of so many pieces, so many of them face down, in which each side has a piece."""
    for letters in itertools.combinations_with_replacement(_LETTERS, pieces):
        if letters[0].islower() or letters[-1].isupper():
            continue
        if any(letters.count(letter) > SET_COUNTS[letter.upper()] for letter in letters):
            continue
        for pool in sorted(set(itertools.combinations(letters, hidden))):
            up = list(letters)
            for letter in pool:
                up.remove(letter)
            yield Material("".join(up), "".join(pool))


def placements(pieces: int) -> Squares:
    """Every way to put pieces on squares of their own."""
    return np.array(list(itertools.permutations(range(SQUARES), pieces)), np.int64).T


@dataclass(frozen=True, slots=True)
class _Side:
    """What one side can do in every placement of a material, with its turn.

    steps: a row for each step that there may be, with the number of the placement that it makes; one past the last
    where there is none. exits: the best exit's worth, _NONE where there is none. movable: whether there
    is any action.
    """

    steps: Rows
    exits: Scores
    movable: Flags


class Solver:
    """The values of all positions of the materials that it is asked for, and of those that they lead to.

    counts_plies: whether scores tell the plies to the end; only where all is face up.
    """

    def __init__(self, rules: Rules, *, counts_plies: bool) -> None:
        self._game = Game(rules)
        self._counts_plies = counts_plies
        self._successors = Successors(self._game, self, counts_plies=counts_plies)
        self._solved: dict[tuple[Material, str], tuple[Scores, Rows]] = {}
        self._numbers: dict[int, Rows] = {}
        self._lost = -WIN if counts_plies else -1

    def look(self, material: Material, squares: Squares, mover: str) -> tuple[Scores, Rows]:
        """What positions are worth to the side to move, and the plies to the next exit."""
        order = sorted(range(len(material.up)), key=lambda row: material.up[row])
        sorted_material = Material("".join(material.up[row] for row in order), "".join(sorted(material.pool)))
        if (sorted_material, mover) not in self._solved:
            self._solve(sorted_material)
        scores, plies = self._solved[sorted_material, mover]
        numbers = self._number(squares[[*order, *range(len(order), len(squares))]])
        return scores[numbers], plies[numbers]

    def _number(self, squares: Squares) -> Rows:
        """The places of positions among `placements`."""
        pieces = len(squares)
        weights = SQUARES ** np.arange(pieces)
        if pieces not in self._numbers:
            every = placements(pieces)
            self._numbers[pieces] = np.full(SQUARES**pieces, -1, np.int64)
            self._numbers[pieces][weights @ every] = np.arange(every.shape[1])
        numbers: Rows = self._numbers[pieces][weights @ squares]
        return numbers

    def _solve(self, material: Material) -> None:
        every = placements(len(material.up) + len(material.pool))
        count = every.shape[1]
        sides = {mover: self._side(material, every, mover) for mover in "rb"}
        scores = {mover: np.zeros(count, np.int64) for mover in "rb"}
        changed = True
        while changed:
            new = {}
            for mover, side in sides.items():
                after = self._after(side, scores[opponent(mover)])
                new[mover] = np.where(side.movable, after.max(axis=0), self._lost)
            changed = any((new[mover] != scores[mover]).any() for mover in "rb")
            scores = new
        plies = {mover: np.where((scores[mover] == 0) | ~side.movable, 0, _NEVER) for mover, side in sides.items()}
        keeping = {mover: self._keeping(side, scores, mover) for mover, side in sides.items()}
        changed = True
        while changed:
            new = {}
            for mover, side in sides.items():
                later = np.append(plies[opponent(mover)] + 1, 0)[side.steps]
                steps_keep, exit_keeps = keeping[mover]
                nearest = np.where(exit_keeps, 1, np.where(steps_keep, later, _NEVER).min(axis=0, initial=_NEVER))
                farthest = np.maximum(exit_keeps, np.where(steps_keep, later, 0).max(axis=0, initial=0))
                value = scores[mover]
                new[mover] = np.minimum(np.where(value > 0, nearest, np.where(value < 0, farthest, 0)), _NEVER)
            changed = any((new[mover] != plies[mover]).any() for mover in "rb")
            plies = new
        for mover in "rb":
            self._solved[material, mover] = scores[mover], plies[mover]
        while len(self._solved) > _KEPT:
            del self._solved[next(iter(self._solved))]

    def _side(self, material: Material, every: Squares, mover: str) -> _Side:
        count = every.shape[1]
        exits = np.full(count, _NONE, np.int64)
        movable = np.zeros(count, np.bool_)
        steps = []
        for action in actions(self._game, material, every, mover):
            movable[action.rows] = True
            if action.kind is Kind.STEP:
                steps.append(np.full(count, count, np.int64))
                steps[-1][action.rows] = self._number(stepped(every, action))
            elif len(action.rows):
                worth = self._successors.worth(material, every[:, action.rows], action, mover)
                exits[action.rows] = np.maximum(exits[action.rows], worth)
        return _Side(np.array(steps, np.int64).reshape(-1, count), exits, movable)

    def _after(self, side: _Side, scores: Scores) -> Scores:
        """What the steps are worth, a row for each, _NONE where there is none; the last row is the best exit."""
        return np.vstack([np.append(self._successors.passed(scores), _NONE)[side.steps], side.exits])

    def _keeping(self, side: _Side, scores: dict[str, Scores], mover: str) -> tuple[Flags, Flags]:
        """Which steps keep the result of a position, and whether some exit does."""
        result = self._successors.result
        kept = result(scores[mover])
        after = self._after(side, scores[opponent(mover)])
        keep = (after > _NONE) & (result(after) == kept)
        return keep[:-1], keep[-1]
