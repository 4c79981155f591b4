"""One game as the server runs it: its deal, its Game, its ledger. It decides requests; it stores and sends nothing.

A decision changes the game at once, but nobody sees it before it is stored: then `commit` makes it public. If storing
fails, the room is thrown away and made again from the store.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from banqi.deal import Deal
from banqi.errors import BanqiError
from banqi.game import Game, Seat
from banqi.move import Move as PlayedMove
from banqi.position import Position
from banqi.record import Record
from banqi.server import lobby
from banqi.server.ledger import Ledger, other
from banqi.server.messages import (
    AcceptDraw,
    AcceptTakeback,
    AnyEvent,
    AnyRequest,
    AskTakeback,
    Begun,
    DeclineDraw,
    DeclineTakeback,
    DrawDeclined,
    DrawOffered,
    Ended,
    GiveNonce,
    Move,
    Moved,
    NonceAdded,
    OfferDraw,
    OfferRematch,
    Rematch,
    RematchOffered,
    Resign,
    Seated,
    SeatNumber,
    State,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    encode,
    read_event,
)
from banqi.server.store import Entry, Marks, Numbered, Opened, Secrets
from banqi.server.view import record_of, state_of

MOST_EVENTS: Final = 10_000
"""The move that makes so many events ends the game in a draw, so that nobody loses by its length."""
MOST_TAKEBACKS: Final = 100
"""That a seat may ask for in a game."""


class Refusal(Exception):
    """A request that a player cannot have; the text is for him. Nothing has changed."""


@dataclass(slots=True)
class Decision:
    """What a request leads to: events to be stored, perhaps a game that follows; or why nothing does.

    A clock that has run out ends the game whatever was asked, so both events and a refusal may be there.
    """

    events: list[AnyEvent] = field(default_factory=list)
    refusal: str | None = None
    rematch: tuple[Opened, Secrets] | None = None


def dealt(deal: Deal, nonces: tuple[str, ...]) -> Deal:
    """Return the deal with the players' shares in it.

    Raises:
        DealError: a nonce makes no sense.
    """
    return Deal.from_secret(deal.secret(), deal.rules, fen=deal.fen, nonces=nonces)


class Room:
    """A game with its events so far; the deal has no nonces yet.

    state, events: what is stored, and therefore public.
    """

    def __init__(self, game: str, deal: Deal, stored: Sequence[Numbered]) -> None:
        self.game = game
        self._deal = deal
        self._ledger = Ledger()
        self._keys: dict[str, int] = {}
        self._game: Game | None = None
        self._time = 0
        self.follow(stored)

    # ---- what is public ----------------------------------------------------------------------------------------

    @property
    def number(self) -> int:
        """The number of the last event."""
        return self._ledger.number

    @property
    def time(self) -> int:
        """When the last event happened."""
        return self._ledger.time

    @property
    def state(self) -> State:
        """The game after its last event."""
        return self._state

    @property
    def position(self) -> Position:
        """The position after the last event, with its history."""
        return self._public_position.copy()

    def events(self, after: int) -> list[AnyEvent]:
        """The events after a number."""
        return self._ledger.events[after:]

    def record(self) -> Record:
        """The game so far."""
        return record_of(self._ledger, self._public_position)

    def computer_to_act(self) -> SeatNumber | None:
        """The computer's seat, if it is to act."""
        computer = self._ledger.computer()
        return computer if computer is not None and computer == self._state.to_act else None

    def seat_free(self) -> SeatNumber | None:
        """A seat that nobody has taken."""
        return next((seat for seat in (0, 1) if seat not in self._ledger.seats), None)

    def clocks(self) -> tuple[int, int, int] | None:
        """What both seats had left at the last event, and the increment, in milliseconds; None without clocks."""
        first, second = (seat.clock for seat in self._state.seats)
        return None if first is None or second is None else (first, second, self._ledger.created.increment)

    # ---- what is stored ----------------------------------------------------------------------------------------

    def follow(self, stored: Sequence[Numbered]) -> None:
        """Take what the store has after the last event, whoever has put it there.

        Raises:
            ValueError: it does not follow from what was there.
        """
        for item in stored:
            if item.number != self.number + 1:
                raise ValueError(f"event {item.number} of {self.game} does not follow event {self.number}")
            event = read_event(item.entry.payload)
            self._time = max(self._time, event.time)
            self._replay(event)
            self._ledger.add(event)
            if item.entry.key is not None:
                self._keys[item.entry.key] = item.number
        self._publish()

    def _replay(self, event: AnyEvent) -> None:
        """Bring the game to where it was after an event."""
        if isinstance(event, Begun):
            self._begin(event)
        if (game := self._game) is None:
            return
        match event:
            case Moved():
                asked = game.position.read_move(event.move).request
                if str(game.play(asked, seat=Seat(event.seat))) != event.move:
                    raise ValueError(f"{self.game} has another deal than its events")
            case DrawOffered():
                game.offer_draw(Seat(event.seat))
            case DrawDeclined():
                game.decline_draw(Seat(event.seat))
            case TakenBack():
                game.takeback(event.plies)
            case Ended():
                self._replay_end(game, event)

    def _replay_end(self, game: Game, event: Ended) -> None:
        if game.outcome() is None:
            if event.winner is None:
                _agree_on_draw(game)
            else:
                game.resign(Seat(other(event.winner)))
        if (outcome := game.outcome()) is None or (outcome.winner, outcome.termination) != (
            event.winner,
            event.termination,
        ):
            raise ValueError(f"{self.game} has another end than its events")

    def _begin(self, begun: Begun) -> None:
        created = self._ledger.created
        clock = created.clock
        # The unit of the game's clocks is the millisecond: whole numbers are exact, however often a clock is read.
        self._game = Game(
            deal=dealt(self._deal, self._ledger.order),
            clocks=None if clock is None else (clock, clock),
            inc=0 if clock is None else created.increment,
            now=lambda: self._time - begun.time,
        )

    def _publish(self) -> None:
        """Make what was stored visible."""
        game, created = self._game, self._ledger.created
        clocks = None if game is None else game.clocks()
        if game is None and created.clock is not None:
            clocks = (created.clock, created.clock)
        self._public_position = Position.from_fen(created.fen, created.rules) if game is None else game.position
        whole = None if clocks is None else (int(clocks[0]), int(clocks[1]))
        self._state = state_of(self._ledger, self._public_position, whole)

    def entries(self, events: Sequence[AnyEvent], key: str | None) -> list[Entry]:
        """Return events as they are stored; the first has the key."""
        return [Entry(encode(event), key if number == 0 else None) for number, event in enumerate(events)]

    def marks(self, events: Sequence[AnyEvent]) -> Marks:
        """Return what a sweep shall find when these events are stored."""
        time = events[-1].time
        over = self._ledger.ended is not None or any(isinstance(event, Ended) for event in events)
        if self._game is None or over:
            return Marks(time)
        clocks = self._game.clocks()
        flag_at = None if clocks is None else time + int(clocks[self._game.seat])
        computer = self._ledger.computer()
        return Marks(time, flag_at, computer is not None and computer == self._game.seat)

    def commit(self, events: Sequence[AnyEvent], key: str | None) -> None:
        """Take a decision's events as stored."""
        for event in events:
            self._ledger.add(event)
            if key is not None:
                self._keys[key] = self._ledger.number
                key = None
        self._publish()

    def stored_key(self, seat: SeatNumber, key: str) -> str:
        """Return a player's key as it is stored: players cannot take each other's."""
        return f"{seat}:{key}"

    def known(self, stored_key: str) -> int | None:
        """Return the number that a request with this key got, None if it is new."""
        return self._keys.get(stored_key)

    # ---- deciding ----------------------------------------------------------------------------------------------

    def seat_taken(self, seat: SeatNumber, name: str, now: int) -> list[AnyEvent]:
        """Decide that somebody takes the free seat."""
        return [Seated(time=self._read_clock(now), seat=seat, name=name, player="human")]

    def decide_flag(self, now: int) -> Decision:
        """Decide whether a clock has run out."""
        self._read_clock(now)
        if self._ledger.stage == "playing" and self._end_reached():
            return Decision([self._end()])
        return Decision()

    def decide(self, seat: SeatNumber, request: AnyRequest, now: int) -> Decision:
        """Decide a request of a seat whose key is new."""
        fallen = self.decide_flag(now)
        if fallen.events:
            fallen.refusal = "the game is over: the clock has run out"
            return fallen
        decision = Decision()
        try:
            if self.number >= MOST_EVENTS - 1 and not isinstance(request, Move | Resign | OfferRematch):
                raise Refusal("the game has become too long")
            if getattr(request, "after", 0) > self.number:
                raise Refusal("there is no such event yet")
            _DECIDERS[type(request)](self, seat, request, decision)
        except Refusal as refusal:
            return Decision(refusal=str(refusal))
        except BanqiError as error:
            return Decision(refusal=str(error))
        return decision

    def _read_clock(self, now: int) -> int:
        self._time = max(self._time, now)
        return self._time

    def _end_reached(self) -> bool:
        return self._game is not None and self._game.outcome() is not None

    def _end(self) -> Ended:
        game = self._playing()
        outcome = game.outcome()
        assert outcome is not None
        winner: SeatNumber | None = None if outcome.winner is None else 0 if outcome.winner is Seat.FIRST else 1
        return Ended(time=self._time, winner=winner, termination=str(outcome.termination), opening=game.opening())

    def _playing(self) -> Game:
        """The game, while requests about it make sense."""
        if self._game is None:
            raise Refusal("the game has not begun")
        if self._ledger.ended is not None:
            raise Refusal("the game is over")
        return self._game

    def _check_up_to_date(self, after: int) -> None:
        if after < self._ledger.turned:
            raise Refusal("the game has gone on since")

    def _give_nonce(self, seat: SeatNumber, request: GiveNonce, decision: Decision) -> None:
        if self._ledger.stage != "waiting" or seat in self._ledger.nonces:
            raise Refusal("a nonce is given once, before the game begins")
        # Only to see whether it is one.
        dealt(self._deal, (request.nonce,))
        decision.events.append(NonceAdded(time=self._time, seat=seat, nonce=request.nonce))
        ledger = self._ledger
        missing = [place for place, seated in ledger.seats.items() if seated.player == "human"]
        if len(ledger.seats) == 2 and all(place == seat or place in ledger.nonces for place in missing):
            begun = Begun(time=self._time)
            decision.events.append(begun)
            ledger.nonces[seat] = request.nonce
            self._begin(begun)

    def _move(self, seat: SeatNumber, request: Move, decision: Decision) -> None:
        game = self._playing()
        self._check_up_to_date(request.after)
        played: PlayedMove = game.play(request.move, seat=Seat(seat))
        decision.events.append(Moved(time=self._time, seat=seat, move=str(played)))
        if self.number + 1 >= MOST_EVENTS and not self._end_reached():
            _agree_on_draw(game)
        if self._end_reached():
            decision.events.append(self._end())

    def _resign(self, seat: SeatNumber, _: Resign, decision: Decision) -> None:
        self._playing().resign(Seat(seat))
        decision.events.append(self._end())

    def _offer_draw(self, seat: SeatNumber, request: OfferDraw, decision: Decision) -> None:
        game = self._playing()
        self._check_up_to_date(request.after)
        if self._ledger.draw is not None and self._ledger.draw[1] != seat and request.after < self._ledger.draw[0]:
            raise Refusal("the game has gone on since")
        if self._ledger.draw is None and seat in self._ledger.draw_offered:
            raise Refusal("a draw is offered once between two plies of one's own")
        game.offer_draw(Seat(seat))
        if self._end_reached():
            decision.events.append(self._end())
            return
        decision.events.append(DrawOffered(time=self._time, seat=seat))
        if self._ledger.computer() is not None:
            game.decline_draw(Seat(other(seat)))
            decision.events.append(DrawDeclined(time=self._time, seat=other(seat)))

    def _check_draw_offer(self, seat: SeatNumber, after: int) -> Game:
        game, offer = self._playing(), self._ledger.draw
        if offer is None or offer[1] == seat or after < offer[0]:
            raise Refusal("no offer of a draw stands")
        return game

    def _accept_draw(self, seat: SeatNumber, request: AcceptDraw, decision: Decision) -> None:
        self._check_draw_offer(seat, request.after).accept_draw(Seat(seat))
        decision.events.append(self._end())

    def _decline_draw(self, seat: SeatNumber, request: DeclineDraw, decision: Decision) -> None:
        self._check_draw_offer(seat, request.after).decline_draw(Seat(seat))
        decision.events.append(DrawDeclined(time=self._time, seat=seat))

    def _ask_takeback(self, seat: SeatNumber, request: AskTakeback, decision: Decision) -> None:
        game = self._playing()
        self._check_up_to_date(request.after)
        if self._ledger.takeback is not None:
            raise Refusal("a takeback is asked for already")
        if seat in self._ledger.takeback_asked:
            raise Refusal("a takeback is asked for once between two plies of one's own")
        if self._ledger.takebacks[seat] >= MOST_TAKEBACKS:
            raise Refusal(f"a takeback is asked for {MOST_TAKEBACKS} times in a game at most")
        plies = _plies_back(game.position, seat)
        decision.events.append(TakebackAsked(time=self._time, seat=seat, plies=plies))
        if self._ledger.computer() is not None:
            game.takeback(plies)
            decision.events.append(TakenBack(time=self._time, seat=other(seat), plies=plies))

    def _check_takeback(self, seat: SeatNumber, after: int) -> TakebackAsked:
        self._playing()
        asked = self._ledger.takeback
        if asked is None or asked[1].seat == seat or after < asked[0]:
            raise Refusal("no takeback is asked for")
        return asked[1]

    def _accept_takeback(self, seat: SeatNumber, request: AcceptTakeback, decision: Decision) -> None:
        plies = self._check_takeback(seat, request.after).plies
        self._playing().takeback(plies)
        decision.events.append(TakenBack(time=self._time, seat=seat, plies=plies))

    def _decline_takeback(self, seat: SeatNumber, request: DeclineTakeback, decision: Decision) -> None:
        self._check_takeback(seat, request.after)
        decision.events.append(TakebackDeclined(time=self._time, seat=seat))

    def _rematch(self, seat: SeatNumber, _: OfferRematch, decision: Decision) -> None:
        ledger = self._ledger
        if ledger.ended is None:
            raise Refusal("the game has not begun" if ledger.begun is None else "the game goes on")
        if ledger.rematch is not None or ledger.rematch_offer == seat:
            raise Refusal("a rematch is offered already")
        if ledger.rematch_offer is None and ledger.computer() is None:
            decision.events.append(RematchOffered(time=self._time, seat=seat))
            return
        decision.rematch = lobby.rematch(ledger, self.game, self._time)
        decision.events.append(Rematch(time=self._time, game=decision.rematch[0].game))


_DECIDERS: Final[dict[type, Callable[..., None]]] = {
    GiveNonce: Room._give_nonce,
    Move: Room._move,
    Resign: Room._resign,
    OfferDraw: Room._offer_draw,
    AcceptDraw: Room._accept_draw,
    DeclineDraw: Room._decline_draw,
    AskTakeback: Room._ask_takeback,
    AcceptTakeback: Room._accept_takeback,
    DeclineTakeback: Room._decline_takeback,
    OfferRematch: Room._rematch,
}


def _agree_on_draw(game: Game) -> None:
    if game.draw_offer is None:
        game.offer_draw(Seat.FIRST)
    offering = game.draw_offer
    assert offering is not None
    game.accept_draw(offering.other)


def _plies_back(position: Position, seat: SeatNumber) -> int:
    """How many plies are undone if a seat takes its last one back.

    Raises:
        Refusal: it has made none.
    """
    plies, mover = 0, -1
    while position.move_stack:
        position.pop()
        if position.seat != mover:
            if mover == seat:
                return plies
            plies, mover = plies + 1, position.seat
    if mover != seat:
        raise Refusal("there is nothing to take back")
    return plies
