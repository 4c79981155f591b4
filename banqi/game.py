"""A game between two seats: a deal that answers flips, clocks, offers, and the end with its reason."""

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from numbers import Real
from typing import TYPE_CHECKING, NoReturn

from banqi.deal import Deal
from banqi.engine import MAX_SECONDS, Limit
from banqi.errors import GameError, MoveError, shown, whole_number
from banqi.move import Move
from banqi.outcome import Termination
from banqi.piece import Side
from banqi.position import Position
from banqi.rules import Rules

if TYPE_CHECKING:
    from banqi.record import Record


class Seat(IntEnum):
    """A player, who has no colour before the first flip. The first seat is to move where the game begins."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> "Seat":
        """The opponent."""
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The end of a game: the seat that won and its colour, None for a draw, and why.

    The colour is None too if the game ended before the first flip.

    >>> str(GameOutcome(Seat.SECOND, Side.RED, Termination.TIME)), GameOutcome(None, None, Termination.AGREEMENT).result
    ('second wins (time)', '1/2-1/2')
    """

    winner: Seat | None
    side: Side | None
    termination: Termination

    @property
    def result(self) -> str:
        """The result as records write it, the first seat's points first."""
        return "1/2-1/2" if self.winner is None else ("1-0", "0-1")[self.winner]

    def __str__(self) -> str:
        result = "draw" if self.winner is None else f"{self.winner} wins"
        return f"{result} ({self.termination})"


class Game:
    """A game as a dealer runs it. It asks its deal for what a move reveals and for nothing else.

    rules and fen: by default the deal's; they must be the same as the deal's if both are given. deal: a new one by
    default. Nonces are added to a deal before it is given here. The same deal may serve several games.

    clocks: seconds for the first and the second seat, None for a game without clocks. inc: seconds that a seat gets
    after each of its plies. now: tells the time in seconds. The first seat's clock starts at once. A chain is one ply:
    the clock runs on from action to action. A seat whose clock comes to 0 in its turn has lost; whatever depends on
    that, the outcome first of all, looks at the clock before it answers.

    A game can be neither copied nor pickled, as its deal cannot. To restore one, give its requests as `moves` with the
    restored deal, and as clocks what was left: they start when these are played.

    >>> game = Game(deal=Deal("taiwan", seed=1))
    >>> move = game.play("a1")
    >>> move.reveal == game.position.piece_at("a1").letter, game.seat
    (True, <Seat.SECOND: 1>)
    >>> game.resign(Seat.SECOND)
    >>> str(game.outcome())
    'first wins (resign)'

    Raises:
        RulesError, FenError, LimitError: an argument makes no sense.
        GameError: the deal is none, or for other rules or another start; a clock starts at 0; `now` tells no time; a
            move comes after the end.
        MoveError: a move is illegal, or names a reveal.
    """

    def __init__(
        self,
        rules: Rules | str | None = None,
        deal: Deal | None = None,
        *,
        fen: str | None = None,
        moves: Iterable[Move | str] = (),
        clocks: tuple[float, float] | None = None,
        inc: float = 0.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._deal = Deal("taiwan" if rules is None else rules, fen=fen) if deal is None else _checked_deal(deal)
        self._position = Position.from_fen(self._deal.fen, self._deal.rules)
        if rules is not None and Rules.of(rules) != self._deal.rules:
            raise GameError(f"the deal is for {self._deal.rules}, the game for {Rules.of(rules)}")
        if fen is not None and Position.from_fen(fen, self._deal.rules) != self._position:
            raise GameError("the deal is for another start than the game")
        self._start = None if self._position == Position(self._deal.rules) else self._deal.fen
        # How many actions had been played when each ply began, and whether the last one goes on.
        self._plies: list[int] = []
        self._in_ply = False
        self._outcome: GameOutcome | None = None
        self._offer: Seat | None = None
        self._assisted = False
        if not callable(now):
            raise GameError(f"now is a function that tells the seconds, not {shown(now)}")
        limit = Limit(clocks=(1.0, 1.0) if clocks is None else clocks, inc=inc)
        if limit.inc and clocks is None:
            raise GameError("inc does not go without clocks")
        self._clock: _Clock | None = None
        self._judge()
        for move in moves:
            self.play(move)
        if clocks is not None:
            self._clock = _Clock(limit, now)

    # ---- what it is --------------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._deal.rules

    @property
    def fen(self) -> str | None:
        """The position text that the game began from, None for the usual start."""
        return self._start

    @property
    def position(self) -> Position:
        """A copy of the position with its history: what both players see, and no more."""
        return self._position.copy()

    @property
    def seat(self) -> Seat:
        """Who is to act, or was when the game ended."""
        return Seat(self._position.seat)

    @property
    def assisted(self) -> bool:
        """Whether a ply was taken back, so that somebody may have played on what he saw too early."""
        return self._assisted

    @property
    def draw_offer(self) -> Seat | None:
        """Who offers a draw, None if nobody does."""
        return self._offer

    @property
    def nonces(self) -> tuple[str, ...]:
        """What players have added to the deal, in this order."""
        return self._deal.nonces

    def commitment(self) -> str:
        """Return what binds the dealer to the layout (see `Deal.commitment`)."""
        return self._deal.commitment()

    def side(self, seat: Seat) -> Side | None:
        """Return the colour of a seat, None before the first flip.

        Raises:
            GameError: it is no seat.
        """
        seat, to_act = _checked_seat(seat), self._position.side
        return to_act if to_act is None or seat is self.seat else to_act.other

    # ---- clocks ------------------------------------------------------------------------------------------------

    def clocks(self) -> tuple[float, float] | None:
        """Return the seconds that the first and the second seat have left, None in a game without clocks."""
        self._look_at_clock()
        return None if self._clock is None else (max(0.0, self._clock.left[0]), max(0.0, self._clock.left[1]))

    def limit(self) -> Limit:
        """Return the clocks as they stand for an engine that plays for the seat to act, as far as a Limit goes.

        Raises:
            GameError: the game has no clocks, or is over.
        """
        self._check_on()
        clocks = self.clocks()
        if self._clock is None or clocks is None:
            raise GameError("the game has no clocks")
        # Increments may have brought a clock above what a Limit takes.
        return Limit(clocks=(min(clocks[0], MAX_SECONDS), min(clocks[1], MAX_SECONDS)), inc=self._clock.inc)

    def _look_at_clock(self) -> None:
        """Let the flag fall if its time has come."""
        if self._clock is None or self._outcome is not None:
            return
        self._clock.read(self.seat)
        if self._clock.left[self.seat] <= 0:
            self._end(self.seat.other, Termination.TIME)

    # ---- playing -----------------------------------------------------------------------------------------------

    def play(self, move: Move | str, *, seat: Seat | None = None) -> Move:
        """Make a move, given as a request, and return it with what it revealed. With `seat`, only in its turn.

        A request that names a reveal is refused even if it is right: whether it is right would tell.

        Raises:
            MoveError: the move is illegal, or names a reveal.
            GameError: the game is over, or it is the other seat's turn.
        """
        self._check_on()
        mover = self.seat
        if seat is not None and _checked_seat(seat) is not mover:
            raise GameError(f"it is the turn of the {mover} seat")
        move = self._position.read_move(move)
        if move.reveal is not None:
            raise MoveError(f"{move} names a reveal: play {move.request}, and the deal tells")
        if self._position.outcomes(move)[0].move.reveal is not None:
            move = replace(move, reveal=self._deal.reveal(move.to_square))
        if not self._in_ply:
            self._plies.append(len(self._position.move_stack))
        self._position.push(move)
        self._in_ply = self.seat is mover
        if self._offer is mover.other:
            self._offer = None
        if self._clock is not None and not self._in_ply:
            self._clock.left[mover] += self._clock.inc
        self._judge()
        return move

    def takeback(self, count: int = 1) -> None:
        """Undo the last `count` plies, all actions of a chain at once, as both players agree or the teacher wants.

        A chain under way counts as a ply. A flip that is made again shows the same piece again, and the game is marked
        `assisted` for good. Clocks are not given back; an offer of a draw lapses.

        Raises:
            GameError: the game is over, or so many plies were not played.
            LimitError: the count is no whole number above 0.
        """
        self._check_on()
        count = whole_number(count, "the number of plies", 1, 1 << 62)
        if count > len(self._plies):
            raise GameError(f"{count} plies cannot be taken back: {len(self._plies)} were played")
        first = self._plies[-count]
        while len(self._position.move_stack) > first:
            self._position.pop()
        del self._plies[-count:]
        self._in_ply = False
        self._assisted = True
        self._offer = None

    # ---- the end -----------------------------------------------------------------------------------------------

    def outcome(self) -> GameOutcome | None:
        """Return how the game is over, None while it goes on."""
        self._look_at_clock()
        return self._outcome

    def resign(self, seat: Seat) -> None:
        """Let a seat lose, in its turn or not.

        Raises:
            GameError: the game is over, or it is no seat.
        """
        self._check_on()
        self._end(_checked_seat(seat).other, Termination.RESIGN)

    def offer_draw(self, seat: Seat) -> None:
        """Offer a draw, in one's turn or not. The offer lapses when the other seat moves.

        If the other seat offers one already, this accepts it.

        Raises:
            GameError: the game is over, it is no seat, or its offer stands already.
        """
        self._check_on()
        seat = _checked_seat(seat)
        if self._offer is seat:
            raise GameError(f"the {seat} seat offers a draw already")
        if self._offer is None:
            self._offer = seat
        else:
            self._end(None, Termination.AGREEMENT)

    def accept_draw(self, seat: Seat) -> None:
        """Accept the other seat's offer: the game is drawn.

        Raises:
            GameError: the game is over, it is no seat, or the other seat offers no draw.
        """
        self._check_offer_to(seat)
        self._end(None, Termination.AGREEMENT)

    def decline_draw(self, seat: Seat) -> None:
        """Decline the other seat's offer.

        Raises:
            GameError: the game is over, it is no seat, or the other seat offers no draw.
        """
        self._check_offer_to(seat)
        self._offer = None

    def _check_offer_to(self, seat: Seat) -> None:
        self._check_on()
        if self._offer is not (other := _checked_seat(seat).other):
            raise GameError(f"the {other} seat offers no draw")

    def _check_on(self) -> None:
        if (outcome := self.outcome()) is not None:
            raise GameError(f"the game is over: {outcome}")

    def _judge(self) -> None:
        """End the game if the rules do."""
        outcome = self._position.outcome()
        if outcome is None:
            return
        winner = outcome.winner
        self._end(
            None if winner is None else Seat.FIRST if winner is self.side(Seat.FIRST) else Seat.SECOND,
            outcome.termination,
        )

    def _end(self, winner: Seat | None, termination: Termination) -> None:
        self._outcome = GameOutcome(winner, None if winner is None else self.side(winner), termination)
        self._offer = None

    # ---- what remains ------------------------------------------------------------------------------------------

    def opening(self) -> str:
        """Return what lets anybody check the deal (see `opened_layout`).

        Raises:
            GameError: the game goes on.
        """
        if self.outcome() is None:
            raise GameError("the deal is opened after the end of the game")
        return self._deal.opening()

    def record(self, tags: Mapping[str, str] | None = None) -> "Record":
        """Return the game so far as a record, with the commitment, and after the end with the opening.

        tags: what else is known, such as Event, Date, First and Second.

        Raises:
            RecordError: the tags are none.
        """
        from banqi.record import Record, RecordedMove
        from banqi.record.record import checked_tags

        told = checked_tags({} if tags is None else tags)
        outcome = self.outcome()
        own = {"Commitment": self.commitment()}
        if outcome is not None:
            own["Opening"] = self.opening()
        if self._assisted:
            own["Assisted"] = "yes"
        return Record(
            rules=self.rules,
            moves=tuple(RecordedMove(move) for move in self._position.move_stack),
            fen=self._start,
            result="*" if outcome is None else outcome.result,
            termination=None if outcome is None else outcome.termination,
            first_colour=self.side(Seat.FIRST),
            tags={**told, **own},
        )

    def __repr__(self) -> str:
        return f"<Game of {self.rules}, {self._outcome or f'{self.seat} to act'}, {self._position.fen()}>"

    def _refuse(self, *_: object) -> NoReturn:
        raise GameError("a game is neither copied nor pickled; its position is")

    __copy__ = __deepcopy__ = __getstate__ = __reduce__ = __reduce_ex__ = _refuse


class _Clock:
    """`left`: the seconds of both seats, as they were when the clock was read."""

    def __init__(self, limit: Limit, now: Callable[[], float]) -> None:
        if limit.clocks is None or 0.0 in limit.clocks:
            raise GameError("a clock starts above 0")
        self.left = list(limit.clocks)
        self.inc = limit.inc
        self._now = now
        self._read = self._time()

    def read(self, running: Seat) -> None:
        """Charge the seat whose clock runs with the time since the last reading."""
        now = max(self._read, self._time())
        self.left[running] -= now - self._read
        self._read = now

    def _time(self) -> float:
        now = self._now()
        if isinstance(now, Real) and math.isfinite(now):
            return float(now)
        raise GameError(f"now tells the time in seconds, not {shown(now)}")


def _checked_deal(deal: object) -> Deal:
    if not isinstance(deal, Deal):
        raise GameError(f"a deal is a banqi.Deal, not {shown(deal)}")
    return deal


def _checked_seat(seat: object) -> Seat:
    if isinstance(seat, int) and not isinstance(seat, bool) and seat in (Seat.FIRST, Seat.SECOND):
        return Seat(seat)
    raise GameError(f"a seat is Seat.FIRST or Seat.SECOND, not {shown(seat)}")
