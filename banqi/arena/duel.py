"""One game between two players, judged: its moves, its end, what each player used."""

from dataclasses import dataclass
from time import perf_counter
from typing import Final, NamedTuple

from banqi.arena.player import Fault, Pace, Player, PlayerFault
from banqi.deal import Deal
from banqi.errors import MoveError
from banqi.move import Move
from banqi.outcome import Termination
from banqi.position import Position
from banqi.record import RecordedMove

MARGIN_SECONDS: Final = 0.02
"""What a player may be late without losing: the machine's share."""
SCORE_DIGITS: Final = 4
"""Of what the players see, as it stands in records."""


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

    moves: tuple[RecordedMove, ...]
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
        self._moves: list[RecordedMove] = []
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
                self._moves.append(move)
                position.push(move.move)
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
                        self._seats[listener].player.told(move.move, position, left)
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

    def _ask(self, seat: int) -> RecordedMove:
        """Let a seat decide; return what it plays, with what that turns up."""
        contestant, left, position = self._seats[seat], self._left[seat], self._position
        started = perf_counter()
        answer = contestant.player.move(position, left)
        seconds = perf_counter() - started
        spent = self._spent[seat]
        spent.decisions += 1
        spent.nodes += answer.nodes
        spent.seconds += seconds
        allowed = contestant.pace.allowed(left)
        if allowed is not None and seconds > allowed + self._margin:
            raise PlayerFault(Fault.TIME, f"{seconds:.3f} s used, {max(allowed, 0):.3f} s allowed")
        if left is not None:
            self._left[seat] = left - seconds
        try:
            move = position.read_move(answer.move)
            if move.reveal is not None:
                raise MoveError(f"{move} names a reveal")
            if not position.is_legal(move):
                raise MoveError(f"{move} is illegal")
        except MoveError as error:
            raise PlayerFault(Fault.ILLEGAL, str(error)) from None
        if position.state.reveals(move.index):
            move = Move(move.from_square, move.to_square, self._deal.reveal(move.to_square), move.geometry)
        return RecordedMove(move, score=None if answer.score is None else round(answer.score, SCORE_DIGITS))

    def _ended(
        self, winner: int | None, termination: Termination, fault: Fault | None = None, words: str = ""
    ) -> Ended:
        for spent in self._spent:
            # As much of it as is written down.
            spent.seconds = round(spent.seconds, 6)
        return Ended(tuple(self._moves), self._position, winner, termination, self._spent, self._plies, fault, words)
