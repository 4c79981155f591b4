"""What the public events of a game add up to, but for the position: seats, nonces, offers, the end."""

from collections import Counter
from typing import Final

from banqi.server.messages import (
    AnyEvent,
    Begun,
    Created,
    DrawDeclined,
    DrawOffered,
    Ended,
    Moved,
    NonceAdded,
    Rematch,
    RematchOffered,
    Seated,
    SeatNumber,
    Stage,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
)

SEATS: Final[tuple[SeatNumber, SeatNumber]] = (0, 1)


def other(seat: SeatNumber) -> SeatNumber:
    """The opponent's seat."""
    return 1 if seat == 0 else 0


class Ledger:
    """Events in their order, the first of which has made the game. It knows no deal and no position.

    seats, nonces: those taken and given so far. order: the nonces in the order in which the deal takes them. turned:
    the number of the last event that changed the position. draw, takeback: the number and the event of an offer that
    stands. draw_offered, takeback_asked: seats that have done so since their last ply. takebacks: how many a seat has
    asked for. rematch_offer: a seat. rematch: the game that follows.
    """

    def __init__(self) -> None:
        self.events: list[AnyEvent] = []
        self.seats: dict[SeatNumber, Seated] = {}
        self.nonces: dict[SeatNumber, str] = {}
        self.begun: Begun | None = None
        self.turned = 0
        self.draw: tuple[int, SeatNumber] | None = None
        self.takeback: tuple[int, TakebackAsked] | None = None
        self.draw_offered: set[SeatNumber] = set()
        self.takeback_asked: set[SeatNumber] = set()
        self.takebacks = Counter[SeatNumber]()
        self.assisted = False
        self.ended: Ended | None = None
        self.rematch_offer: SeatNumber | None = None
        self.rematch: str | None = None

    @property
    def created(self) -> Created:
        """The first event."""
        first = self.events[0]
        assert isinstance(first, Created)
        return first

    @property
    def number(self) -> int:
        """The number of the last event."""
        return len(self.events)

    @property
    def time(self) -> int:
        """When the last event happened."""
        return self.events[-1].time

    @property
    def order(self) -> tuple[str, ...]:
        """The nonces as they came."""
        return tuple(self.nonces.values())

    @property
    def stage(self) -> Stage:
        """How far the game has come."""
        return "over" if self.ended else "playing" if self.begun else "waiting"

    @property
    def complete(self) -> bool:
        """Whether both seats are taken and every human has given a nonce."""
        return len(self.seats) == 2 and all(
            seated.player == "computer" or seat in self.nonces for seat, seated in self.seats.items()
        )

    def computer(self) -> SeatNumber | None:
        """The computer's seat, None between humans."""
        return next((seat for seat, seated in self.seats.items() if seated.player == "computer"), None)

    def add(self, event: AnyEvent) -> None:
        """Take the next event."""
        self.events.append(event)
        match event:
            case Seated():
                self.seats[event.seat] = event
            case NonceAdded():
                self.nonces[event.seat] = event.nonce
            case Begun():
                self.begun, self.turned = event, self.number
            case Moved():
                self.turned, self.takeback = self.number, None
                self.draw_offered.discard(event.seat)
                self.takeback_asked.discard(event.seat)
                if self.draw is not None and self.draw[1] != event.seat:
                    self.draw = None
            case DrawOffered():
                self.draw = (self.number, event.seat)
                self.draw_offered.add(event.seat)
            case DrawDeclined():
                self.draw = None
            case TakebackAsked():
                self.takeback = (self.number, event)
                self.takeback_asked.add(event.seat)
                self.takebacks[event.seat] += 1
            case TakebackDeclined():
                self.takeback = None
            case TakenBack():
                self.turned, self.assisted = self.number, True
                self.draw = self.takeback = None
                self.takeback_asked.clear()
            case Ended():
                self.ended, self.turned = event, self.number
                self.draw = self.takeback = None
            case RematchOffered():
                self.rematch_offer = event.seat
            case Rematch():
                self.rematch, self.rematch_offer = event.game, None
