"""One game between two players, judged: its moves, its end, what each player used."""

from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Final, NamedTuple

from banqi.arena.player import Fault, Pace, Player, PlayerFault
from banqi.deal import Deal
from banqi.errors import MoveError
from banqi.move import Move
from banqi.outcome import Termination
from banqi.position import Position

MARGIN_SECONDS: Final = 0.02
"""What a player may be late without losing: the machine's share."""


class Action(NamedTuple):
    """What was played, with its reveal, and what the player saw in it, if it tells: the expected result for itself."""

    move: Move
    score: float | None


class Contestant(NamedTuple):
    """A player as it sits at the board."""

    player: Player
    pace: Pace
    seed: str


@dataclass(slots=True)
class Spent:
    """What a seat used in a game: decisions asked of it, nodes, seconds."""

    decisions: int = 0
    nodes: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Ended:
    """A game that is over. winner: the seat, None for a draw. spent: by seat.

    fault, loser and words: how a player failed, if one did; the game is lost then, by `resign` in its record unless it
    was on time.
    """

    actions: tuple[Action, ...]
    position: Position
    winner: int | None
    termination: Termination
    spent: tuple[Spent, Spent]
    plies: int
    fault: Fault | None = None
    words: str = ""


def play(deal: Deal, seats: tuple[Contestant, Contestant], margin: float = MARGIN_SECONDS) -> Ended:
    """Play a game to its end; the first seat begins.

    margin: seconds that a player may be late.
    """
    return _Duel(deal, seats, margin).play()


class _Duel:
    def __init__(self, deal: Deal, seats: tuple[Contestant, Contestant], margin: float) -> None:
        self._deal = deal
        self._seats = seats
        self._margin = margin
        self._position = Position.from_fen(deal.fen, deal.rules)
        self._actions: list[Action] = []
        self._spent = (Spent(), Spent())
        self._left: list[float | None] = [contestant.pace.clock for contestant in seats]
        self._plies = 0

    def play(self) -> Ended:
        position = self._position
        # Whose fault it is that is raised.
        seat = 0
        try:
            for seat in (0, 1):
                self._seats[seat].player.begin(position, self._seats[seat].seed)
            seat = position.seat
            while (outcome := position.outcome()) is None:
                move = self._ask(seat)
                mover, seat = seat, position.seat
                left = self._left[mover]
                # A chain goes on where the seat does not change.
                if seat != mover:
                    self._plies += 1
                    if left is not None:
                        left += self._seats[mover].pace.inc
                        self._left[mover] = left
                for listener in (0, 1):
                    try:
                        self._seats[listener].player.told(move, position, left)
                    except PlayerFault:
                        seat = listener
                        raise
        except PlayerFault as failure:
            termination = Termination.TIME if failure.fault is Fault.TIME else Termination.RESIGN
            return self._ended(1 - seat, termination, failure.fault, str(failure))
        winner = None
        if outcome.winner is not None:
            # The side to move is that of the seat to act.
            winner = seat if outcome.winner == position.side else 1 - seat
        return self._ended(winner, outcome.termination)

    def _ask(self, seat: int) -> Move:
        """Let a seat decide; make its move, and return it with what it turned up."""
        contestant, left, position = self._seats[seat], self._left[seat], self._position
        started, busy = perf_counter(), process_time()
        answer = contestant.player.move(position, left)
        seconds, busy = perf_counter() - started, process_time() - busy
        spent = self._spent[seat]
        spent.decisions += 1
        spent.nodes += answer.nodes
        spent.seconds += seconds
        allowed = contestant.pace.allowed(left)
        if allowed is not None and seconds > allowed + self._margin:
            # Where this process worked for less than was allowed, another one had its player, or its processor.
            words = (
                f"{seconds:.3f} s used, {busy:.3f} s of them at work in this process, {max(allowed, 0):.3f} s allowed"
            )
            raise PlayerFault(Fault.TIME, words)
        if left is not None:
            self._left[seat] = left - seconds
        try:
            move = position.read_move(answer.move)
            if move.reveal is not None:
                raise MoveError(f"{move} names a reveal")
            if position.state.is_legal(move.index) and position.state.reveals(move.index):
                move = Move(move.from_square, move.to_square, self._deal.reveal(move.to_square), move.geometry)
            position.push(move)
        except MoveError as error:
            raise PlayerFault(Fault.ILLEGAL, str(error)) from None
        self._actions.append(Action(move, answer.score))
        return move

    def _ended(
        self, winner: int | None, termination: Termination, fault: Fault | None = None, words: str = ""
    ) -> Ended:
        position = self._position
        side = position.side if winner is not None else None
        if side is not None and winner != position.seat:
            side = side.other
        for contestant in self._seats:
            with suppress(PlayerFault):
                contestant.player.ended(side)
        for spent in self._spent:
            # As much of it as is written down.
            spent.seconds = round(spent.seconds, 6)
        return Ended(tuple(self._actions), self._position, winner, termination, self._spent, self._plies, fault, words)
