"""The rules of a game room: what a seat may ask for, when, and what becomes of it."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from banqi import Deal, Position
from banqi.deal import opened_layout
from banqi.errors import BanqiError
from banqi.record import verify
from banqi.server import lobby, room
from banqi.server.messages import (
    AcceptDraw,
    AcceptTakeback,
    AnyEvent,
    AnyRequest,
    AskTakeback,
    Begun,
    ComputerOpponent,
    DeclineDraw,
    DeclineTakeback,
    Ended,
    GiveNonce,
    Move,
    Moved,
    NewGame,
    NonceAdded,
    OfferDraw,
    OfferRematch,
    Rematch,
    RematchOffered,
    Resign,
    Seated,
    SeatNumber,
    TakenBack,
)
from banqi.server.room import Decision, Room
from banqi.server.store import Entry, Marks, Numbered
from sizes import tenth


class Table:
    """A room whose events are kept in a list, as a store would."""

    def __init__(self, *, join: bool = True, begin: bool = True, now: int = 1_000_000, **wanted: Any) -> None:
        opened, self.secrets, self.made = lobby.new_game(NewGame(name="Ann", **wanted), now)
        self.now = now
        self.stored = [Numbered(number, entry) for number, entry in enumerate(opened.entries, 1)]
        self.deal = Deal.from_secret(self.secrets.deal, opened.rules, fen=opened.fen)
        self.room = Room("game", self.deal, self.stored)
        self.keys = 0
        self.marks = opened.marks
        if join and (seat := self.room.seat_free()) is not None:
            self.take(self.room.seat_taken(seat, "Bo", now), None)
        if begin:
            for seat, taken in enumerate(self.room.state.seats):
                if taken.player == "human":
                    self.ask(self.seat(seat), GiveNonce(key=self.key(), nonce=f"seat {seat}"))

    @staticmethod
    def seat(number: int) -> SeatNumber:
        return 0 if number == 0 else 1

    def key(self) -> str:
        self.keys += 1
        return f"key-{self.keys:06}"

    def take(self, events: list[AnyEvent], key: str | None) -> None:
        """Store events and show them."""
        self.marks = self.room.marks(events)
        first = self.room.number + 1
        self.stored += [Numbered(number, entry) for number, entry in enumerate(self.room.entries(events, key), first)]
        self.room.commit(events, key)

    def ask(self, seat: SeatNumber, request: AnyRequest) -> Decision:
        """Let a seat ask; what is decided is stored."""
        decision = self.room.decide(seat, request, self.now)
        if decision.events:
            self.take(decision.events, None if decision.refusal else self.room.stored_key(seat, request.key))
        return decision

    def does(self, seat: SeatNumber, kind: type[AnyRequest], **fields: Any) -> list[str]:
        """Ask for something that is possible, up to date unless `after` is given; return the names of the events."""
        if "after" in kind.__struct_fields__:
            fields.setdefault("after", self.room.number)
        decision = self.ask(seat, kind(key=self.key(), **fields))
        assert decision.refusal is None
        return [type(event).__name__ for event in decision.events]

    def refuses(self, seat: SeatNumber, kind: type[AnyRequest], **fields: Any) -> str:
        """Ask for something that is not possible; return why. Nothing may have changed."""
        before = self.room.state, self.room.number
        if "after" in kind.__struct_fields__:
            fields.setdefault("after", self.room.number)
        decision = self.ask(seat, kind(key=self.key(), **fields))
        assert decision.refusal is not None
        assert decision.events == []
        assert (self.room.state, self.room.number) == before
        return decision.refusal

    def move(self, move: str | None = None) -> list[str]:
        """Let the seat to act move, the first legal move by default."""
        seat = self.room.state.to_act
        assert seat is not None
        return self.does(seat, Move, move=self.room.state.legal[0] if move is None else move)

    def again(self) -> Room:
        """The room as another process makes it from what is stored."""
        return Room("game", Deal.from_secret(self.secrets.deal, self.deal.rules, fen=self.deal.fen), self.stored)


# ---- before the game -----------------------------------------------------------------------------------------------


def test_a_game_begins_when_both_are_there_and_have_given_nonces() -> None:
    table = Table(join=False, begin=False)
    assert table.room.state.commitment == table.deal.commitment() == table.made.commitment
    assert table.refuses(0, Move, move="a1") == "the game has not begun"
    assert table.does(0, GiveNonce, nonce="first") == ["NonceAdded"]
    assert table.refuses(0, GiveNonce, nonce="again") == "a nonce is given once, before the game begins"
    assert table.room.state.stage == "waiting"
    assert table.room.seat_free() == 1
    table.take(table.room.seat_taken(1, "Bo", table.now), None)
    assert table.room.seat_free() is None
    assert table.does(1, GiveNonce, nonce="second") == ["NonceAdded", "Begun"]
    assert table.room.state.stage == "playing"
    assert table.refuses(1, GiveNonce, nonce="late") == "a nonce is given once, before the game begins"


def test_nonces_have_their_share_in_the_order_of_the_events() -> None:
    table = Table(begin=False)
    table.does(1, GiveNonce, nonce="came first")
    table.does(0, GiveNonce, nonce="came second")
    table.move("a1")
    table.does(0, Resign)
    state = table.room.state
    assert state.opening is not None
    nonces = ["came first", "came second"]
    layout = opened_layout("taiwan", state.opening, state.commitment, nonces=nonces)
    assert state.last == f"a1({layout[0]})"
    assert layout == opened_layout(
        "taiwan", Deal.from_secret(table.secrets.deal, nonces=nonces).opening(), state.commitment
    )


@pytest.mark.parametrize("nonce", ["a\nb", "\u202e", "é" * 33])
def test_what_is_no_nonce_is_refused(nonce: str) -> None:
    assert "a nonce is 1 to 64 bytes of printable text" in Table(begin=False).refuses(0, GiveNonce, nonce=nonce)


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"rules": "chess"}, "unknown rule set"),
        ({"fen": "4/4/4/4/4/4/4/4 r - - 0"}, "without pieces"),
        ({"fen": "3k/4/4/4/4/4/4/4 r - - 0"}, "the game would be over at once"),
        ({"increment": 5}, "an increment does not go without a clock"),
        ({"name": " Ann"}, "a name has no blanks at its ends"),
        ({"name": "A\u202enn"}, "a name is one line of printable text"),
        ({"name": "A\nnn"}, "a name is one line of printable text"),
        ({"name": "a" + "\u0335" * 3}, "a name is one line of printable text"),
    ],
)
def test_games_that_make_no_sense_are_refused(wanted: dict[str, Any], reason: str) -> None:
    with pytest.raises(BanqiError, match=reason):
        lobby.new_game(NewGame(**{"name": "Ann", **wanted}), 0)


def test_tokens_have_enough_bits_and_are_not_stored() -> None:
    table = Table(join=False)
    assert table.made.invitation is not None
    # 43 letters of 6 bits; two games' differ.
    assert len(table.made.token) == len(table.made.invitation) == 43
    assert table.made.token != Table().made.token
    kept = b"".join(item.entry.payload for item in table.stored) + repr(table.secrets).encode()
    for token in (table.made.token, table.made.invitation):
        assert token.encode() not in kept
        assert token.encode() not in (table.secrets.tokens[0] or b"") + (table.secrets.invitation or b"")


def test_a_joiners_token_follows_from_his_key() -> None:
    token = lobby.joiner_token(b"salt", 1, "key")
    assert token == lobby.joiner_token(b"salt", 1, "key")
    assert (
        len(
            {
                token,
                *(lobby.joiner_token(*other) for other in ((b"s", 1, "key"), (b"salt", 0, "key"), (b"salt", 1, "k"))),
            }
        )
        == 4
    )
    assert len(token) == 43


# ---- moves ---------------------------------------------------------------------------------------------------------


def test_moves_are_made_in_turn_and_up_to_date() -> None:
    table = Table()
    begun = table.room.number
    assert table.refuses(1, Move, move="a1") == "it is the turn of the first seat"
    assert table.refuses(0, Move, move="a1", after=begun - 1) == "the game has gone on since"
    assert table.refuses(0, Move, move="z9").startswith("'z9'")
    assert table.refuses(0, Move, move="a1-a2") == "a1-a2 is illegal: a1 lies face down and can only be flipped"
    assert "names a reveal" in table.refuses(0, Move, move="a1(K)")
    assert table.move("a1") == ["Moved"]
    # It was meant for the position before.
    assert table.refuses(1, Move, move="b1", after=begun) == "the game has gone on since"


def test_offers_do_not_outdate_a_move() -> None:
    table = Table()
    before = table.room.number
    table.does(1, OfferDraw)
    assert table.does(0, Move, move="a1", after=before) == ["Moved"]


def test_the_rules_end_a_game_in_the_same_breath() -> None:
    # The rook takes the last piece; the general is the first seat's, since red is to move.
    table = Table(fen="4/4/4/4/4/4/4/Rp2 r - - 0")
    assert table.move("a1-b1") == ["Moved", "Ended"]
    state = table.room.state
    assert (state.stage, state.winner, state.termination) == ("over", 0, "all_captured")
    assert (state.legal, state.to_act) == ([], None)
    assert table.refuses(1, Move, move="a1") == "the game is over"


def test_a_record_is_true() -> None:
    table = Table()
    for square in ("a1", "c3", "d8", "b2"):
        table.move(square)
    table.does(1, Resign)
    verification = verify(table.room.record(), ["seat 0", "seat 1"])
    assert verification.nonces_compared
    assert table.room.record().tags["First"] == "Ann"
    assert table.room.record().tags["Second"] == "Bo"


# ---- offers --------------------------------------------------------------------------------------------------------


def test_a_draw_is_agreed() -> None:
    table = Table()
    assert table.does(0, OfferDraw) == ["DrawOffered"]
    assert table.room.state.draw_offer == 0
    assert table.refuses(0, AcceptDraw) == "no offer of a draw stands"
    assert table.refuses(0, OfferDraw) == "the first seat offers a draw already"
    assert table.does(1, DeclineDraw) == ["DrawDeclined"]
    assert table.refuses(1, AcceptDraw) == "no offer of a draw stands"
    assert table.refuses(0, OfferDraw) == "a draw is offered once between two plies of one's own"
    table.move()
    table.does(0, OfferDraw)
    offer = table.room.number
    assert table.refuses(1, AcceptDraw, after=offer - 1) == "no offer of a draw stands"
    assert table.refuses(1, OfferDraw, after=offer - 1) == "the game has gone on since"
    assert table.does(1, AcceptDraw) == ["Ended"]
    assert (table.room.state.winner, table.room.state.termination) == (None, "agreement")


def test_two_offers_are_an_agreement() -> None:
    table = Table()
    table.does(1, OfferDraw)
    assert table.does(0, OfferDraw) == ["Ended"]
    assert table.room.state.termination == "agreement"


def test_an_offer_lapses_when_the_other_seat_moves() -> None:
    table = Table()
    table.does(0, OfferDraw)
    table.move()
    assert table.room.state.draw_offer == 0
    table.move()
    assert table.room.state.draw_offer is None


def test_a_takeback_undoes_the_askers_ply_and_the_answer() -> None:
    table = Table()
    assert table.refuses(0, AskTakeback) == "there is nothing to take back"
    table.move("a1")
    flipped = table.room.state.last
    assert table.refuses(1, AskTakeback) == "there is nothing to take back"
    assert table.does(0, AskTakeback) == ["TakebackAsked"]
    assert table.room.state.takeback == 0
    assert table.refuses(1, AskTakeback) == "a takeback is asked for already"
    assert table.refuses(0, AcceptTakeback) == "no takeback is asked for"
    assert table.does(1, DeclineTakeback) == ["TakebackDeclined"]
    assert table.refuses(0, AskTakeback) == "a takeback is asked for once between two plies of one's own"
    table.move("b1")
    # One ply of the asker's and the other's answer.
    table.does(1, AskTakeback)
    table.does(0, AcceptTakeback)
    # Where something was taken back, more may be asked for.
    table.move("b1")
    table.does(0, AskTakeback)
    asked = table.room.number
    assert table.refuses(1, AcceptTakeback, after=asked - 1) == "no takeback is asked for"
    assert table.does(1, AcceptTakeback) == ["TakenBack"]
    assert table.room.state.fen == Position().fen()
    assert table.room.state.assisted
    # What lies there is the same as before.
    table.move("a1")
    assert table.room.state.last == flipped


def test_takebacks_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_TAKEBACKS", 3)
    table = Table(computer=ComputerOpponent(level="easy"))
    for _ in range(3):
        table.move("a1")
        assert table.does(0, AskTakeback) == ["TakebackAsked", "TakenBack"]
    table.move("a1")
    assert table.refuses(0, AskTakeback) == "a takeback is asked for 3 times in a game at most"


def test_a_question_for_a_takeback_lapses_when_somebody_moves() -> None:
    table = Table()
    table.move()
    table.does(0, AskTakeback)
    table.move()
    assert table.refuses(0, AcceptTakeback) == "no takeback is asked for"


def test_the_computer_declines_draws_and_allows_takebacks() -> None:
    table = Table(computer=ComputerOpponent(level="easy"))
    assert table.room.computer_to_act() is None
    assert table.does(0, OfferDraw) == ["DrawOffered", "DrawDeclined"]
    table.move()
    assert table.room.computer_to_act() == 1
    assert table.marks.computer_due
    assert table.does(0, AskTakeback) == ["TakebackAsked", "TakenBack"]
    assert not table.marks.computer_due
    table.does(0, Resign)
    assert table.room.computer_to_act() is None
    assert table.does(0, OfferRematch) == ["Rematch"]


def test_a_rematch_swaps_the_seats() -> None:
    table = Table(rules="hongkong", clock=60_000, increment=1000)
    assert table.refuses(0, OfferRematch) == "the game goes on"
    table.does(0, Resign)
    assert table.does(1, OfferRematch) == ["RematchOffered"]
    assert table.refuses(1, OfferRematch) == "a rematch is offered already"
    decision = table.ask(0, OfferRematch(key=table.key()))
    assert decision.rematch is not None
    opened, kept = decision.rematch
    assert table.room.state.rematch == opened.game
    assert table.refuses(0, OfferRematch) == "a rematch is offered already"
    stored = [Numbered(number, entry) for number, entry in enumerate(opened.entries, 1)]
    following = Room(opened.game, Deal.from_secret(kept.deal, "hongkong"), stored)
    assert [seat.name for seat in following.state.seats] == ["Bo", "Ann"]
    assert following.state.rules == "hongkong"
    assert following.state.commitment != table.room.state.commitment
    assert following.clocks() == (60_000, 60_000, 1000)


def test_chances_are_agreed_by_joining_and_stay_in_rematches() -> None:
    assert not Table().room.state.chances
    table = Table(chances=True)
    assert table.room.state.chances
    table.does(0, Resign)
    table.does(0, OfferRematch)
    decision = table.ask(1, OfferRematch(key=table.key()))
    assert decision.rematch is not None
    stored = [Numbered(number, entry) for number, entry in enumerate(decision.rematch[0].entries, 1)]
    assert Room("next", Deal.from_secret(decision.rematch[1].deal, "taiwan"), stored).state.chances


def test_the_state_counts_how_often_the_position_has_stood() -> None:
    table = Table(fen="k3/4/4/4/4/4/4/3R r - - 0")
    seen = []
    for move in ("d1-c1", "a8-b8", "c1-d1", "b8-a8", "d1-c1"):
        table.ask(table.seat(table.room.state.to_act or 0), Move(key=table.key(), move=move, after=table.room.number))
        seen.append(table.room.state.repetitions)
    assert seen == [1, 1, 1, 2, 2]


# ---- clocks --------------------------------------------------------------------------------------------------------


def test_clocks_run_from_the_beginning_on() -> None:
    table = Table(clock=10_000, increment=500, now=5_000_000)
    assert table.room.clocks() == (10_000, 10_000, 500)
    assert table.marks == Marks(5_000_000, 5_010_000)
    table.now += 3000
    table.move()
    # Three seconds used, half a second given.
    assert table.room.clocks() == (7500, 10_000, 500)
    assert table.marks == Marks(5_003_000, 5_013_000)
    table.now += 1
    table.move()
    assert table.room.clocks() == (7500, 10_499, 500)


def test_a_flag_falls_at_the_millisecond() -> None:
    for late, events in ((9_999, []), (10_000, ["Ended"])):
        table = Table(clock=10_000)
        decision = table.room.decide_flag(table.now + late)
        assert [type(event).__name__ for event in decision.events] == events
    table = Table(clock=10_000)
    table.now += 10_000
    decision = table.ask(0, Move(key=table.key(), move="a1", after=table.room.number))
    assert decision.refusal == "the game is over: the clock has run out"
    assert (table.room.state.winner, table.room.state.termination) == (1, "time")
    assert table.marks.flag_at is None


def test_a_clock_that_is_set_back_changes_nothing() -> None:
    table = Table(clock=10_000)
    table.now += 4000
    table.room.decide_flag(table.now)
    table.now -= 3000
    table.move()
    assert table.room.clocks() == (6000, 10_000, 0)
    assert table.again().state == table.room.state


# ---- what is stored ------------------------------------------------------------------------------------------------


def test_a_key_is_a_seats_own() -> None:
    table = Table()
    table.move()
    key = f"key-{table.keys:06}"
    assert table.room.known(table.room.stored_key(0, key)) == table.room.number
    assert table.room.known(table.room.stored_key(1, key)) is None
    assert table.again().known(table.room.stored_key(0, key)) == table.room.number


def test_a_game_that_was_tampered_with_is_refused() -> None:
    table = Table()
    table.move("a1")
    good = table.stored[-1]
    letter = good.entry.payload.split(b"a1(")[1][:1]
    payload = good.entry.payload.replace(b"a1(" + letter, b"a1(" + (b"K" if letter != b"K" else b"k"))
    table.stored[-1] = Numbered(good.number, Entry(payload))
    with pytest.raises(ValueError, match="another deal than its events"):
        table.again()
    del table.stored[-2]
    with pytest.raises(ValueError, match="does not follow"):
        table.again()


def random_requests(rng: random.Random, table: Table) -> Iterator[tuple[SeatNumber, AnyRequest]]:
    """What players could ask for, sensible or not."""
    for _ in range(120):
        state, key = table.room.state, table.key()
        seat: SeatNumber = rng.choice((0, 1))
        after = state.number - rng.choice((0, 0, 0, 1, 3))
        if rng.random() < 0.6 and state.legal and state.to_act is not None:
            yield state.to_act, Move(key=key, move=rng.choice(state.legal), after=state.number)
        else:
            kinds: list[Any] = [OfferDraw, AcceptDraw, DeclineDraw, AskTakeback, AcceptTakeback, DeclineTakeback]
            if rng.random() < 0.03:
                yield seat, rng.choice((Resign, OfferRematch))(key=key)
            elif rng.random() < 0.1:
                yield seat, Move(key=key, move=rng.choice(("a1", "a1-b1", "end", "d8")), after=after)
            else:
                yield seat, rng.choice(kinds)(key=key, after=max(0, after))


RULES = ("taiwan", "hongkong", "mainland", "children", "cannon-chain", "double", "junqi", "taiwan(quiet_limit=6)")


@pytest.mark.parametrize("rules", RULES)
def test_replay_is_identity(rules: str) -> None:
    """However a game went, a room that is made from its events is the same."""
    for seed in range(tenth(100)):
        rng = random.Random(f"{rules} {seed}")
        computer = rng.choice((None, None, ComputerOpponent()))
        clock = rng.choice((None, 20_000))
        table = Table(
            rules=rules, computer=computer, clock=clock, increment=0 if clock is None else rng.choice((0, 777))
        )
        for seat, request in random_requests(rng, table):
            table.now += rng.choice((0, 1, 333, -50))
            table.ask(seat, request)
        again = table.again()
        assert again.state == table.room.state
        assert again.events(0) == table.room.events(0)
        assert again.position == table.room.position
        assert again.clocks() == table.room.clocks()
        if table.room.state.stage == "over":
            verify(table.room.record())


def test_every_kind_of_event_occurs_in_random_games() -> None:
    seen = set()
    for seed in range(60):
        rng = random.Random(seed)
        table = Table()
        for seat, request in random_requests(rng, table):
            table.ask(seat, request)
        seen |= {type(event) for event in table.room.events(0)}
    assert seen >= {Seated, NonceAdded, Begun, Moved, TakenBack, Ended, RematchOffered, Rematch}
