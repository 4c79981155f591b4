"""The engine of this package as a player, in the arena's own process."""

import math
import threading
from collections.abc import Mapping
from time import monotonic
from typing import Any, Final

from banqi.arena.player import Answer, Fault, Pace, PlayerFault
from banqi.engine import Engine
from banqi.move import Move
from banqi.piece import Side
from banqi.position import Position

_POLL_SECONDS: Final = 0.1


class EnginePlayer:
    """One engine for all games; it forgets everything between them.

    patience: seconds beyond what it may take after which the engine is stopped, and has hung.

    Raises:
        BanqiError: the engine refuses its options.
    """

    def __init__(self, pace: Pace, options: Mapping[str, Any], patience: float) -> None:
        self._pace = pace
        self._patience = patience
        self._engine = Engine(**options)
        # A node limit needs no clock: its limit is the same in every move.
        self._fixed = None if pace.clock is not None else pace.limit(None)
        self._watch = _Watch(self._engine)

    def begin(self, position: Position, seed: str) -> None:
        """Begin a game."""
        self._engine.clear()

    def move(self, position: Position, left: float | None) -> Answer:
        """Return the move."""
        self._watch.deadline = monotonic() + (self._pace.allowed(left) or 0.0) + self._patience
        try:
            result = self._engine.play(position, self._fixed or self._pace.limit(left))
        except Exception as error:
            # Whatever it is, it is the engine's.
            raise PlayerFault(Fault.CRASH, f"{type(error).__name__}: {error}") from error
        finally:
            self._watch.deadline = math.inf
        if self._watch.fired:
            self._watch.fired = False
            raise PlayerFault(Fault.HANG, f"no move {self._patience:g} s after its time")
        return Answer(result.move, result.info.score.value, result.info.nodes)

    def told(self, move: Move, position: Position, left: float | None) -> None:
        """Need nothing: the position says all."""

    def ended(self, winner: Side | None) -> None:
        """Need nothing: the next game begins anew."""

    def close(self) -> None:
        """Give up the table."""
        self._watch.ended.set()
        self._engine.close()


class _Watch:
    """A thread that stops the engine after the deadline. It looks up ten times a second, which costs a move nothing."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.deadline = math.inf
        self.fired = False
        self.ended = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while not self.ended.wait(_POLL_SECONDS):
            if monotonic() > self.deadline:
                self.deadline, self.fired = math.inf, True
                self._engine.stop()
