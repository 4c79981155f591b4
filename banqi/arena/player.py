"""What the arena asks of a player, and how a player can fail."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from banqi.engine import Limit
from banqi.move import Move
from banqi.piece import Side
from banqi.position import Position


class Fault(StrEnum):
    """Why a player has lost a game other than by its moves."""

    ILLEGAL = "illegal"
    TIME = "time"
    CRASH = "crash"
    HANG = "hang"


class PlayerFault(Exception):
    """A player that did not come up with a move; `fault` says how, the text what was seen of it."""

    def __init__(self, fault: Fault, text: str) -> None:
        super().__init__(text)
        self.fault = fault


class Answer(NamedTuple):
    """A move as a request, the expected result that the player sees for itself (None if it tells none), and nodes."""

    move: Move | str
    score: float | None = None
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class Pace:
    """What a player has for its moves: nodes, actions of depth, seconds for a move, seconds for a game and `inc`."""

    nodes: int | None = None
    depth: int | None = None
    time: float | None = None
    clock: float | None = None
    inc: float = 0.0

    def limit(self, left: float | None) -> Limit:
        """Return the limit of a search; `left` is what the player's own clock shows, None without one.

        Raises:
            LimitError: a figure makes no sense.
        """
        clocks = None if left is None else (max(0.0, left),) * 2
        return Limit(time=self.time, nodes=self.nodes, depth=self.depth, clocks=clocks, inc=self.inc)

    def allowed(self, left: float | None) -> float | None:
        """Return the seconds that the next move may take, None if nothing limits them."""
        return min((seconds for seconds in (self.time, left) if seconds is not None), default=None)


class Player(Protocol):
    """Chooses moves in one game after the other. What depends on a game is forgotten at the next one's beginning."""

    def begin(self, position: Position, seed: str) -> None:
        """Begin a game. `seed` is the source of whatever the player decides by lot.

        Raises:
            PlayerFault: it does not.
        """
        ...

    def move(self, position: Position, left: float | None) -> Answer:
        """Return a move in a position that is not over. `left` is what the player's clock shows, None without one.

        The position is the arena's own, not to be changed.

        Raises:
            PlayerFault: there is no answer.
        """
        ...

    def told(self, move: Move, position: Position, left: float | None) -> None:
        """Hear of an action of either side, with its reveal, after which the position is this one.

        `left` is what the clock of the side that moved shows then, None without one.

        Raises:
            PlayerFault: the player is gone.
        """
        ...

    def ended(self, winner: Side | None) -> None:
        """Hear that the game is over, and which side has won, None for a draw or before the first flip.

        Raises:
            PlayerFault: the player is gone, which matters no more.
        """
        ...

    def close(self) -> None:
        """Give up what the player holds."""
        ...
