"""One game as an engine lives through it: the state machine under every protocol.

It knows positions, moves, clocks and the engine, and no text format: a protocol translates.
"""

import time
from dataclasses import replace
from typing import Final

from banqi.engine import Engine, Limit
from banqi.errors import BanqiError, MoveError
from banqi.move import Move
from banqi.piece import Side
from banqi.position import Position
from banqi.rules import Rules

DEFAULT_LIMIT: Final = Limit(time=1.0)


class SessionError(BanqiError):
    """What a session cannot do in the state that it is in."""


class Session:
    """A game in progress, and an engine that moves for whichever side it is asked to.

    What `think` answers is not played: whoever leads the game tells every move with `play`, the engine's own too. If he
    leaves those out, the next move that makes sense only after the answer brings the answer along.

    What was said may leave open whose turn it is: after a set-up without a side, or if a flip follows an answer that
    was not told. All readings are then kept until a move or the side that `think` is asked for settles it.

    limit: of each search. Its time holds for a side without a clock only.

    Raises:
        RulesError: the text is no rule set.
    """

    def __init__(self, engine: Engine, rules: Rules | str = "taiwan", *, limit: Limit = DEFAULT_LIMIT) -> None:
        self._engine = engine
        self._limit = limit
        self._time: float | None = None
        self._begin(Position(rules))

    def _begin(self, *readings: Position) -> None:
        self._readings = list(readings)
        self._answer: Move | None = None
        self._finished = False
        self._clocks: dict[Side | None, float] = {}
        if self._time is not None:
            self._clocks = dict.fromkeys((None, *Side), self._time)

    # ---- the game ----------------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._readings[0].rules

    @property
    def position(self) -> Position:
        """A copy of the position; where the side to move is open, one that fits."""
        return self._readings[0].copy()

    @property
    def side(self) -> Side | None:
        """The side to move, None before the first flip and while it is open."""
        return self._readings[0].side if len(self._readings) == 1 else None

    def new_game(self) -> None:
        """Begin from the start, with full clocks."""
        self._begin(Position(self.rules))

    def set_up(self, *positions: Position) -> None:
        """Begin from a position, with full clocks; from several, equal but for the side to move, if that is open.

        Raises:
            SessionError: no position is given.
        """
        if not positions:
            raise SessionError("a session needs a position")
        self._begin(*(position.copy() for position in positions))

    def set_rules(self, rules: Rules) -> None:
        """Go on by other rules, as if the game had been played by them from its beginning.

        Raises:
            FenError, MoveError: they do not allow what was played; nothing has changed.
        """
        self._readings = [_replayed(position, rules) for position in self._readings]

    def play(self, move: Move | str) -> None:
        """Make a move that either side has made, a flip with its reveal.

        Raises:
            MoveError: the move is illegal; nothing has changed.
        """
        readings: list[Position] = []
        refusals: list[MoveError] = []
        for position in [position.copy() for position in self._readings] + self._answered(move):
            try:
                position.push(move)
                readings.append(position)
            except MoveError as refusal:
                refusals.append(refusal)
        if not readings:
            raise refusals[0]
        if self._readings[0].side is None and (next_side := readings[0].side) is not None:
            self._name_clocks(flipper=next_side.other)
        self._readings = readings
        self._answer = None

    def _answered(self, move: Move | str) -> list[Position]:
        """The position after the engine's own answer, which was not told before this move."""
        position, answer = self._readings[0], self._answer
        if answer is None or position.read_move(move).request == answer:
            return []
        if position.outcomes(answer)[0].move.reveal is not None:
            # Nobody has said what it turned up.
            return []
        after = position.copy()
        after.push(answer)
        return [after]

    def finish(self) -> None:
        """Take the game as over, whatever the position says."""
        self._finished = True

    # ---- the clocks --------------------------------------------------------------------------------------------

    def set_time(self, seconds: float) -> None:
        """Give each side a clock for its whole game, in this game and later ones."""
        self._time = seconds
        self._clocks = dict.fromkeys((None, *Side), seconds)

    def set_clock(self, side: Side | None, seconds: float) -> None:
        """Say how much time a side has left for its game; None is who makes the first flip."""
        self._clocks[side] = seconds

    def clock(self, side: Side | None) -> float | None:
        """Return the seconds that a side has left, as far as they were told or used by `think`; None without clock."""
        return self._clocks.get(side)

    def _name_clocks(self, *, flipper: Side) -> None:
        """Hand the clock that ran before the first flip to the colour that the flipper has got."""
        seconds = self._clocks.pop(None, None)
        if seconds is not None:
            self._clocks[flipper] = min(seconds, self._clocks.get(flipper, seconds))

    # ---- the engine --------------------------------------------------------------------------------------------

    def think(self, side: Side | None = None) -> Move:
        """Return the move, a request, that the engine would make, and charge the time to the clock of the side to move.

        side: who is to move, None for whoever it is. A draw by repetition or by the quiet limit ends nothing here: who
        asks on plays by laxer rules.

        Raises:
            SessionError: it is not that side's turn, the game is over, or nobody knows whose turn it is; nothing has
                changed.
        """
        started = time.monotonic()
        position = self._reading(side)
        moves = list(position.legal_moves)
        if self._finished or not moves:
            outcome = position.outcome()
            raise SessionError("the game is over" if outcome is None else f"the game is over: {outcome}")
        try:
            if len(moves) > 1:
                moves = [self._engine.play(_undrawn(position), self._limit_of(position.side)).move]
        finally:
            if position.side in self._clocks:
                self._clocks[position.side] -= time.monotonic() - started
        self._readings, self._answer = [position], moves[0]
        return moves[0]

    def stop(self) -> None:
        """Let `think` answer at once; from any thread or signal handler."""
        self._engine.stop()

    def _reading(self, side: Side | None) -> Position:
        """The position, if this side is to move in it."""
        fitting = [position for position in self._readings if side is None or position.side in (None, side)]
        if not fitting:
            raise SessionError("it is the other side's turn")
        if len(fitting) > 1:
            raise SessionError("nobody has said whose turn it is")
        return fitting[0]

    def _limit_of(self, side: Side | None) -> Limit:
        """What ends a search for this side."""
        seconds = self.clock(side)
        if seconds is None:
            return self._limit
        # Only the clock of the seat to act is looked at, and that is this side's.
        seconds = max(seconds, 0.0)
        return replace(self._limit, time=None, clocks=(seconds, seconds))


def _replayed(position: Position, rules: Rules) -> Position:
    """The same game by other rules."""
    root = position.copy()
    for _ in position.move_stack:
        root.pop()
    replayed = Position.from_fen(root.fen(), rules)
    for move in position.move_stack:
        replayed.push(move)
    return replayed


def _undrawn(position: Position) -> Position:
    """The position itself or, after a draw or a loss that counting brought about, the same with nothing counted."""
    if position.outcome() is None:
        return position
    placement, side, pool, chain, _ = position.fen().split(" ")
    return Position.from_fen(f"{placement} {side} {pool} {chain} 0", position.rules)
