"""Games: seats and colours, what the deal answers, clocks, offers, takebacks, and every way to the end."""

import copy
import pickle
import random
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banqi import (
    Deal,
    DealError,
    Engine,
    FenError,
    Game,
    GameError,
    GameOutcome,
    Limit,
    LimitError,
    Move,
    MoveError,
    Position,
    RecordError,
    RulesError,
    Seat,
    Side,
    Termination,
    opened_layout,
)
from banqi.rules import RULE_SETS
from sizes import tenth

FIRST, SECOND = Seat.FIRST, Seat.SECOND
NAMES = [rule_set.name for rule_set in RULE_SETS]
ATTEMPTS = [name for name in NAMES if name in ("dark-capture", "children")]
CHAINS = [name for name in NAMES if name == "children"]
# Two soldiers in a row beside a red chariot; black's general stands far away.
TWO_CAPTURES = "3k/4/4/4/4/4/4/Rpp1 r - - 0"
# Black is to move and takes the last red piece.
BLACK_WINS = "4/4/4/4/4/4/4/kG2 b - - 5"
# Black is to move; on d1, d2 and d8 lie a red general, a red cannon and a black general.
THREE_HIDDEN = "r2x/4/4/4/4/4/3x/P2x b KCk - 3"


class Watch:
    """A clock that goes when it is told to."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def timed(clocks=(100, 50), inc=0.0, **rest):
    watch = Watch()
    return Game(deal=Deal(seed=1), clocks=clocks, inc=inc, now=watch, **rest), watch


def first_letter(position):
    """What the first flip of a game from the start showed."""
    return position.move_stack[0].reveal


# ---- whole games ---------------------------------------------------------------------------------------------------


def play_out(game, rng):
    """Random moves to the end; what was played, as requests."""
    requests = []
    while game.outcome() is None:
        request = rng.choice(list(game.position.legal_moves))
        made = game.play(request, seat=game.seat)
        assert made.request == request
        assert game.position.peek() == made
        requests.append(request)
    return requests


@pytest.mark.parametrize(
    "rules", [*NAMES, "taiwan(quiet_limit=10)", "taiwan(repetition=2)", "junqi(quiet_limit=10)", "junqi(repetition=2)"]
)
def test_random_games_reach_their_end(rules):
    rng = random.Random(str(rules))
    for _ in range(tenth(200)):
        deal = Deal(rules)
        deal.add_nonce("nonce")
        game = Game(rules, deal)
        requests = play_out(game, rng)
        end, position = game.outcome(), game.position
        # By the rules, counted from the moves alone.
        judge = Position(rules)
        for move in position.move_stack:
            assert judge.outcome() is None
            judge.push(move)
        first = Side.RED if first_letter(judge).isupper() else Side.BLACK
        winner = judge.outcome().winner
        assert end.side == winner
        assert end.winner == (None if winner is None else FIRST if winner is first else SECOND)
        assert end.termination == judge.outcome().termination
        assert end.result == {None: "1/2-1/2", FIRST: "1-0", SECOND: "0-1"}[end.winner]
        assert (game.side(FIRST), game.side(SECOND)) == (first, first.other)
        # The opening proves every reveal.
        layout = opened_layout(rules, game.opening(), game.commitment(), nonces=["nonce"])
        assert {move.to_square: move.reveal for move in judge.move_stack if move.reveal}.items() <= layout.items()
        with pytest.raises(GameError, match="the game is over"):
            game.play("a1")
        # The same requests with the kept deal give the same game.
        again = Game(rules, Deal.from_secret(deal.secret(), rules, nonces=["nonce"]))
        for request in requests:
            again.play(str(request))
        assert again.outcome() == end
        assert pickle.dumps(again.position) == pickle.dumps(position)
        assert again.record() == game.record()


@pytest.mark.parametrize("rules", NAMES)
def test_random_games_from_positions_reach_their_end(rules):
    rng = random.Random(rules)
    for _ in range(tenth(100)):
        start = Position(rules)
        for _ in range(rng.randrange(1, 60)):
            if start.outcome() is None:
                request = rng.choice(list(start.legal_moves))
                start.push(rng.choice(start.outcomes(request)).move)
        fen = start.fen()
        game = Game(rules, fen=fen)
        assert game.seat is FIRST
        assert game.side(FIRST) == start.side
        play_out(game, rng)
        assert game.fen == fen
        opened_layout(rules, game.opening(), game.commitment(), fen=fen)


# ---- seats and colours ---------------------------------------------------------------------------------------------


def test_seats():
    assert (FIRST.other, SECOND.other) == (SECOND, FIRST)
    assert (str(FIRST), str(SECOND)) == ("first", "second")
    assert (FIRST, SECOND) == (0, 1)


def test_the_first_flip_gives_the_colours():
    seen = set()
    for seed in range(20):
        game = Game(deal=Deal(seed=seed))
        assert (game.seat, game.side(FIRST), game.side(SECOND)) == (FIRST, None, None)
        shown = game.play("c4").reveal
        colour = Side.RED if shown.isupper() else Side.BLACK
        assert (game.seat, game.side(FIRST), game.side(SECOND)) == (SECOND, colour, colour.other)
        game.play("c5")
        assert (game.seat, game.side(FIRST)) == (FIRST, colour)
        seen.add(colour)
    assert seen == {Side.RED, Side.BLACK}


def test_the_side_to_move_in_a_position_is_the_first_seat():
    game = Game(fen=BLACK_WINS)
    assert (game.seat, game.side(FIRST), game.side(SECOND)) == (FIRST, Side.BLACK, Side.RED)
    game.play("a1-b1")
    assert game.outcome() == GameOutcome(FIRST, Side.BLACK, Termination.ALL_CAPTURED)
    assert str(game.outcome()) == "first wins (all_captured)"
    assert game.outcome().result == "1-0"


def test_a_position_may_be_over_already():
    # Black to move has nothing left: section 7 of the rules.
    game = Game(fen="4/4/4/4/4/4/4/K3 b - - 5", clocks=(1, 1))
    assert game.outcome() == GameOutcome(SECOND, Side.RED, Termination.ALL_CAPTURED)
    with pytest.raises(GameError, match="the game is over"):
        game.play("a1-a2")


@pytest.mark.parametrize("seat", [2, -1, True, "first", None, 0.0])
def test_senseless_seats_are_refused(seat):
    game = Game()
    for call in (game.resign, game.offer_draw, game.accept_draw, game.decline_draw, game.side):
        with pytest.raises(GameError, match="a seat is"):
            call(seat)
    game.play("a1")
    with pytest.raises(GameError, match="a seat is"):
        game.side(seat)
    assert game.outcome() is None


def test_a_seat_may_be_a_number():
    game = Game()
    game.resign(0)
    assert game.outcome().winner is SECOND


# ---- playing -------------------------------------------------------------------------------------------------------


def test_a_flip_shows_what_the_deal_holds():
    deal = Deal()
    game = Game(deal=deal)
    for name, square in (("a1", 0), ("d8", 31), ("b4", 13)):
        move = game.play(name)
        assert str(move) == f"{name}({deal.reveal(square)})"
        assert game.position.piece_at(name).letter == deal.reveal(square)


@pytest.mark.parametrize("rules", ATTEMPTS)
def test_an_attempt_shows_what_the_deal_holds(rules):
    # The chariot takes or fails to take what lies beside it: every reveal of either colour.
    fen = "3k/4/4/4/4/4/4/Rx2 r {} - 0"
    for letter in "GMNPgmnp":
        game = Game(rules, fen=fen.format(letter))
        assert str(game.play("a1-b1")) == f"a1-b1({letter})"
        assert game.position.piece_at("b1").letter == (letter if letter in "GMNPgm" else "R")


def test_only_the_seat_to_act_plays():
    game = Game()
    with pytest.raises(GameError, match="it is the turn of the first seat"):
        game.play("a1", seat=SECOND)
    game.play("a1", seat=FIRST)
    with pytest.raises(GameError, match="it is the turn of the second seat"):
        game.play("b1", seat=FIRST)
    assert len(game.position.move_stack) == 1


def test_a_reveal_cannot_be_probed():
    deal = Deal()
    game = Game(deal=deal)
    told = set()
    for letter in "KGMRNCPkgmrncp":
        with pytest.raises(MoveError) as caught:
            game.play(f"a1({letter})")
        told.add(str(caught.value).replace(f"({letter})", ""))
    assert told == {"a1 names a reveal: play a1, and the deal tells"}
    deal.add_nonce("nothing was revealed")


@pytest.mark.parametrize("move", ["a9", "e1", "A1", "", "a1-a2", "end", "a1a1X", None, 3, Move.end()])
def test_illegal_moves_change_nothing(move):
    deal = Deal()
    game = Game(deal=deal, clocks=(100, 100), now=Watch())
    with pytest.raises(MoveError):
        game.play(move)
    assert (game.seat, game.position, game.clocks()) == (FIRST, Position(), (100, 100))
    deal.add_nonce("nothing was revealed")


def test_a_position_taken_from_a_game_is_a_copy():
    game = Game()
    game.position.push("a1(K)")
    assert game.position == Position()
    assert game.position.move_stack == ()


# ---- what a game is made of ----------------------------------------------------------------------------------------


def test_a_game_takes_rules_and_start_from_its_deal():
    game = Game(deal=Deal("hongkong", fen="3x/4/4/4/4/4/4/K3 r k - 9"))
    assert str(game.rules) == "hongkong"
    assert game.fen == "3x/4/4/4/4/4/4/K3 r k - 9"
    assert Game("hongkong", game._deal, fen="3x/4/4/4/4/4/4/K3 r k - 9").fen == game.fen
    assert Game().fen is None
    assert Game(fen=Position().fen()).fen is None
    assert str(Game().rules) == "taiwan"


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        ({"rules": "chess"}, RulesError, "unknown rule set"),
        ({"fen": "x"}, FenError, "bad position text"),
        ({"deal": 1}, GameError, "a deal is a banqi.Deal"),
        ({"rules": "taiwan", "deal": Deal("hongkong")}, GameError, "the deal is for hongkong, the game for taiwan"),
        ({"deal": Deal(), "fen": TWO_CAPTURES}, GameError, "another start"),
        ({"deal": Deal(fen=TWO_CAPTURES), "fen": Position().fen()}, GameError, "another start"),
        ({"clocks": (0, 1)}, GameError, "a clock starts above 0"),
        ({"clocks": (1, 0)}, GameError, "a clock starts above 0"),
        ({"clocks": (1, -1)}, LimitError, "a clock must be"),
        ({"clocks": 5}, LimitError, "clocks are two"),
        ({"clocks": (1, 1), "inc": -1}, LimitError, "inc must be"),
        ({"inc": 1}, GameError, "inc does not go without clocks"),
        ({"inc": "1"}, LimitError, "inc must be"),
        ({"inc": np.array([1, 2])}, LimitError, "inc must be"),
        ({"clocks": (5, 5), "now": None}, GameError, "now is a function"),
        ({"now": 1.0}, GameError, "now is a function"),
        ({"clocks": (5, 5), "now": lambda: None}, GameError, "now tells the time"),
        ({"clocks": (5, 5), "now": lambda: float("nan")}, GameError, "now tells the time"),
    ],
)
def test_senseless_games_are_refused(arguments, error, told):
    with pytest.raises(error, match=told) as caught:
        Game(**arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("spread", [copy.copy, copy.deepcopy, pickle.dumps, lambda game: game.__getstate__()])
def test_a_game_is_not_copied(spread):
    with pytest.raises((GameError, DealError), match="neither copied nor pickled"):
        spread(Game())


def test_a_games_repr_shows_what_players_see():
    deal = Deal()
    game = Game(deal=deal)
    for square in range(32):
        deal.reveal(square)
    assert repr(game) == f"<Game of taiwan, first to act, {Position().fen()}>"
    game.resign(FIRST)
    assert repr(game) == f"<Game of taiwan, second wins (resign), {Position().fen()}>"
    assert deal.secret().hex() not in str(vars(game))


# ---- nobody knows more than he saw ---------------------------------------------------------------------------------


def agreeing_deals(rules, alike, unlike, fen=None):
    """Two deals that hold the same on some squares, and something else on another."""
    seen = {}
    for seed in range(100_000):
        deal = Deal(rules, seed=seed, fen=fen)
        other = seen.setdefault(tuple(deal.reveal(square) for square in alike), deal)
        if other.reveal(unlike) != deal.reveal(unlike):
            return other, deal
    raise AssertionError("no such deals")


def public(game):
    """Everything that players and programs can get out of a game that is not over, but the commitment."""
    position = game.position
    with Engine(hash_mb=1) as engine:
        info = engine.play(position, Limit(nodes=20_000)).info
    record = game.record()
    tags = {name: value for name, value in record.tags.items() if name != "Commitment"}
    return (
        pickle.dumps(position),
        repr(position),
        str(position),
        position.fen(),
        position.key,
        [str(move) for move in position.legal_moves],
        position.legal_mask().tobytes(),
        [position.outcomes(move) for move in position.legal_moves],
        str(position.pool),
        position.perft(2),
        (info.move, info.score, info.depth, info.nodes, info.pv, info.reveals),
        repr(game),
        game.seat,
        (record.rules, record.moves, record.fen, record.result, record.termination, record.first_colour, tags),
    )


@pytest.mark.parametrize("rules", NAMES)
def test_deals_that_agree_on_what_was_shown_look_the_same(rules):
    one, other = (Game(rules, deal) for deal in agreeing_deals(rules, (0, 1), 2))
    for name in ("a1", "b1"):
        assert one.play(name) == other.play(name)
        assert public(one) == public(other)
    assert one.commitment() != other.commitment()


def test_deals_that_agree_over_a_position_look_the_same():
    one, other = (Game(deal=deal) for deal in agreeing_deals("taiwan", (3,), 7, fen=THREE_HIDDEN))
    assert public(one) == public(other)
    assert one.play("d1") == other.play("d1")
    assert public(one) == public(other)


def test_what_was_taken_back_shows_in_nothing_but_the_mark():
    one, other = (Game(deal=deal) for deal in agreeing_deals("taiwan", (0,), 31))
    one.play("a1")
    other.play("a1")
    assert one.play("d8") != other.play("d8")
    one.takeback()
    other.takeback()
    assert public(one) == public(other)


# ---- takeback ------------------------------------------------------------------------------------------------------


def test_an_undone_flip_shows_the_same_again():
    game = Game()
    shown = game.play("a1")
    assert not game.assisted
    game.takeback()
    assert game.assisted
    assert (game.seat, game.position, game.side(FIRST)) == (FIRST, Position(), None)
    game.play("b1")
    assert game.play("a1") == shown
    assert game.assisted


@pytest.mark.parametrize("rules", NAMES)
def test_takebacks_go_where_the_game_was(rules):
    rng = random.Random(rules)
    for seed in range(tenth(100)):
        game = Game(rules, Deal(rules, seed=seed))
        # The position at the beginning of each ply, the last one that of the ply under way.
        before = []
        for _ in range(60):
            if game.outcome() is not None:
                break
            if before and rng.random() < 0.25:
                count = rng.randint(1, min(4, len(before)))
                game.takeback(count)
                expected = before[-count]
                del before[-count:]
                assert pickle.dumps(game.position) == pickle.dumps(expected)
                continue
            position = game.position
            # Inside a chain the side stays.
            if not before or position.side != before[-1].side:
                before.append(position)
            made = game.play(rng.choice(list(position.legal_moves)))
            if made.reveal:
                assert made.reveal == Deal(rules, seed=seed).reveal(made.to_square)


@pytest.mark.parametrize("rules", CHAINS)
def test_a_takeback_undoes_a_whole_chain(rules):
    game = Game(rules, fen=TWO_CAPTURES)
    start = game.position
    game.play("a1-b1")
    assert game.seat is FIRST
    game.takeback()
    assert pickle.dumps(game.position) == pickle.dumps(start)
    game.play("a1-b1")
    game.play("b1-c1")
    assert game.seat is SECOND
    with pytest.raises(GameError, match="2 plies cannot be taken back: 1 were played"):
        game.takeback(2)
    game.takeback()
    assert pickle.dumps(game.position) == pickle.dumps(start)
    game.play("a1-b1")
    game.play("end")
    assert game.seat is SECOND
    game.play("d8-c8")
    game.takeback(2)
    assert pickle.dumps(game.position) == pickle.dumps(start)


@pytest.mark.parametrize(
    ("count", "error"), [(0, LimitError), (-1, LimitError), (True, LimitError), ("1", LimitError), (3, GameError)]
)
def test_senseless_takebacks_are_refused(count, error):
    game = Game()
    game.play("a1")
    game.play("b1")
    with pytest.raises(error):
        game.takeback(count)
    assert (len(game.position.move_stack), game.assisted) == (2, False)


def test_nothing_is_taken_back_after_the_end():
    game = Game()
    game.play("a1")
    game.resign(FIRST)
    with pytest.raises(GameError, match="the game is over"):
        game.takeback()


# ---- draws and resignations ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", list(Seat))
def test_a_seat_resigns_in_its_turn_or_not(seat):
    game = Game()
    game.play("a1")
    game.resign(seat)
    assert game.outcome() == GameOutcome(seat.other, game.side(seat.other), Termination.RESIGN)
    with pytest.raises(GameError, match=rf"the game is over: {seat.other} wins \(resign\)"):
        game.resign(seat)


def test_who_resigns_before_the_first_flip_has_no_colour():
    game = Game()
    game.resign(SECOND)
    assert game.outcome() == GameOutcome(FIRST, None, Termination.RESIGN)
    assert game.outcome().result == "1-0"


@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize("answer", ["accept_draw", "offer_draw"])
def test_a_draw_is_agreed(seat, answer):
    game = Game()
    game.offer_draw(seat)
    assert (game.draw_offer, game.outcome()) == (seat, None)
    getattr(game, answer)(seat.other)
    assert game.outcome() == GameOutcome(None, None, Termination.AGREEMENT)
    assert (str(game.outcome()), game.outcome().result, game.draw_offer) == ("draw (agreement)", "1/2-1/2", None)


def test_an_offer_stands_until_the_other_seat_moves():
    game = Game()
    game.offer_draw(FIRST)
    game.play("a1")
    assert game.draw_offer is FIRST
    game.play("b1")
    assert game.draw_offer is None
    with pytest.raises(GameError, match="the first seat offers no draw"):
        game.accept_draw(SECOND)
    # Out of one's turn the other's next move ends it.
    game.offer_draw(SECOND)
    game.play("c1")
    assert game.draw_offer is None


def test_an_offer_is_declined_and_can_be_made_again():
    game = Game()
    game.offer_draw(FIRST)
    with pytest.raises(GameError, match="the second seat offers no draw"):
        game.decline_draw(FIRST)
    game.decline_draw(SECOND)
    assert game.draw_offer is None
    with pytest.raises(GameError, match="the first seat offers no draw"):
        game.decline_draw(SECOND)
    game.offer_draw(FIRST)
    assert game.draw_offer is FIRST


def test_offers_that_make_no_sense_are_refused():
    game = Game()
    with pytest.raises(GameError, match="the second seat offers no draw"):
        game.accept_draw(FIRST)
    game.offer_draw(FIRST)
    with pytest.raises(GameError, match="the first seat offers a draw already"):
        game.offer_draw(FIRST)
    with pytest.raises(GameError, match="the second seat offers no draw"):
        game.accept_draw(FIRST)
    assert (game.draw_offer, game.outcome()) == (FIRST, None)


def test_an_offer_lapses_with_a_takeback():
    game = Game()
    game.play("a1")
    game.offer_draw(FIRST)
    game.takeback()
    assert game.draw_offer is None


def test_after_the_end_nothing_is_done():
    game = Game(clocks=(10, 10))
    game.offer_draw(FIRST)
    game.resign(FIRST)
    assert game.draw_offer is None
    calls = [
        lambda: game.play("a1"),
        lambda: game.takeback(),
        lambda: game.resign(SECOND),
        lambda: game.offer_draw(SECOND),
        lambda: game.accept_draw(SECOND),
        lambda: game.decline_draw(SECOND),
        lambda: game.limit(),
    ]
    for call in calls:
        with pytest.raises(GameError, match=r"the game is over: second wins \(resign\)"):
            call()


# ---- clocks --------------------------------------------------------------------------------------------------------


def test_a_clock_runs_for_the_seat_to_act():
    game, watch = timed(inc=2)
    assert game.clocks() == (100, 50)
    watch.now += 10
    assert game.clocks() == (90, 50)
    game.play("a1")
    assert game.clocks() == (92, 50)
    watch.now += 20
    assert game.clocks() == (92, 30)
    game.play("b1")
    watch.now += 1
    assert game.clocks() == (91, 32)


def test_a_game_without_clocks_has_none():
    game = Game()
    assert game.clocks() is None
    with pytest.raises(GameError, match="the game has no clocks"):
        game.limit()


def test_the_clock_of_the_system_runs_by_itself():
    game = Game(clocks=(1000, 1000))
    time.sleep(0.01)
    first, second = game.clocks()
    assert 900 < first < 999.995
    assert second == 1000


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: game.outcome(),
        lambda game: game.clocks() and game.outcome(),
        lambda game: game.opening() and game.outcome(),
        lambda game: game.record() and game.outcome(),
    ],
)
def test_a_seat_loses_on_time_in_its_turn(ask):
    game, watch = timed()
    game.play("a1")
    watch.now += 49.5
    assert game.outcome() is None
    watch.now += 0.5
    assert ask(game) == GameOutcome(FIRST, game.side(FIRST), Termination.TIME)
    assert game.clocks() == (100, 0)


@pytest.mark.parametrize(
    "act",
    [
        lambda game: game.play("b1"),
        lambda game: game.play("b1", seat=SECOND),
        lambda game: game.takeback(),
        lambda game: game.resign(FIRST),
        lambda game: game.offer_draw(SECOND),
        lambda game: game.accept_draw(SECOND),
        lambda game: game.limit(),
    ],
)
def test_what_comes_too_late_does_not_count(act):
    game, watch = timed()
    game.play("a1")
    game.offer_draw(FIRST)
    watch.now += 51
    with pytest.raises(GameError, match=r"the game is over: first wins \(time\)"):
        act(game)
    assert len(game.position.move_stack) == 1
    assert game.outcome().result == "1-0"


def test_clocks_stand_still_after_the_end():
    game, watch = timed()
    watch.now += 10
    game.resign(SECOND)
    watch.now += 1000
    assert game.clocks() == (90, 50)
    assert game.outcome().termination is Termination.RESIGN


def test_a_takeback_gives_no_time_back():
    game, watch = timed(inc=1)
    watch.now += 10
    game.play("a1")
    watch.now += 20
    game.takeback()
    assert game.clocks() == (91, 30)
    watch.now += 5
    assert game.clocks() == (86, 30)


def test_a_watch_that_goes_back_gives_no_time():
    game, watch = timed()
    watch.now += 10
    assert game.clocks() == (90, 50)
    watch.now -= 500
    assert game.clocks() == (90, 50)
    game.play("a1")
    assert game.clocks() == (90, 50)


@pytest.mark.parametrize("rules", CHAINS)
def test_a_chain_is_one_ply_to_the_clock(rules):
    watch = Watch()
    game = Game(rules, fen=TWO_CAPTURES, clocks=(100, 50), inc=2, now=watch)
    watch.now += 5
    game.play("a1-b1")
    assert game.clocks() == (95, 50)
    watch.now += 4
    game.play("b1-c1")
    assert game.clocks() == (93, 50)
    watch.now += 3
    assert game.clocks() == (93, 47)


@given(
    steps=st.lists(st.floats(0, 30), min_size=1, max_size=20),
    inc=st.floats(0, 10),
    clocks=st.tuples(st.floats(0.1, 100), st.floats(0.1, 100)),
)
def test_clocks_are_sums(steps, inc, clocks):
    game, watch = timed(clocks, inc)
    left, squares = list(clocks), iter(range(32))
    for number, step in enumerate(steps):
        watch.now += step
        left[number % 2] -= step
        if left[number % 2] < 1e-6:
            break
        game.play(Move(square := next(squares), square))
        left[number % 2] += inc
        assert game.clocks() == pytest.approx(tuple(left), abs=1e-6)
    assert (game.outcome() is None) == (min(left) > 0) or abs(min(left)) < 1e-6


def test_an_engine_plays_by_the_clocks():
    game = Game(deal=Deal(seed=1), clocks=(5.0, 4.0), inc=0.5, now=(watch := Watch()))
    watch.now += 1
    assert game.limit() == Limit(clocks=(4.0, 4.0), inc=0.5)
    with Engine(hash_mb=1) as engine:
        for _ in range(2):
            game.play(engine.play(game.position, game.limit()).move)
    assert game.outcome() is None


def test_a_clock_may_grow_beyond_what_a_limit_takes():
    game, _ = timed((1e9, 1e9), inc=1e9)
    game.play("a1")
    game.play("b1")
    assert game.clocks() == (2e9, 2e9)
    assert game.limit() == Limit(clocks=(1e9, 1e9), inc=1e9)


# ---- opening and record --------------------------------------------------------------------------------------------


def test_the_deal_is_opened_after_the_end_only():
    deal = Deal()
    deal.add_nonce("one")
    game = Game(deal=deal)
    assert (game.commitment(), game.nonces) == (deal.commitment(), ("one",))
    game.play("a1")
    with pytest.raises(GameError, match="opened after the end"):
        game.opening()
    game.resign(FIRST)
    assert game.opening() == deal.opening()
    assert opened_layout("taiwan", game.opening(), game.commitment())[0] == deal.reveal(0)


def test_a_record_holds_the_game():
    game = Game(deal=Deal(seed=2))
    empty = game.record()
    assert (empty.moves, empty.result, empty.termination, empty.first_colour) == ((), "*", None, None)
    assert dict(empty.tags) == {"Commitment": game.commitment()}
    game.play("a1")
    game.play("b1")
    game.takeback()
    game.play("d8")
    running = game.record({"First": "a", "Commitment": "overruled"})
    assert dict(running.tags) == {"First": "a", "Commitment": game.commitment(), "Assisted": "yes"}
    assert [played.move for played in running.moves] == list(game.position.move_stack)
    assert (running.result, running.termination, running.first_colour) == ("*", None, game.side(FIRST))
    game.resign(SECOND)
    record = game.record()
    assert (record.rules, record.fen, record.result) == (game.rules, None, "1-0")
    assert record.termination is Termination.RESIGN
    assert dict(record.tags) == {"Commitment": game.commitment(), "Opening": game.opening(), "Assisted": "yes"}


@pytest.mark.parametrize("tags", [5, 0, "", [("a", "b")], {5: "x"}, {"a b": "x"}, {"Event": 5}])
def test_senseless_tags_are_refused(tags):
    with pytest.raises(RecordError, match="tags"):
        Game().record(tags)


def test_a_record_holds_the_position_that_was_set_up():
    game = Game(fen=BLACK_WINS)
    assert (game.record().fen, game.record().first_colour) == (BLACK_WINS, Side.BLACK)


# ---- going on --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", NAMES)
def test_a_game_goes_on_from_its_requests_with_the_clocks_that_were_left(rules):
    rng = random.Random(5)
    game = Game(deal=Deal(rules, seed=9))
    while game.outcome() is None and len(game.position.move_stack) < 60:
        game.play(rng.choice(list(game.position.legal_moves)))
    moves = [move.request for move in game.position.move_stack]
    watch = Watch()
    again = Game(deal=Deal(rules, seed=9), moves=moves, clocks=(7, 5), inc=3, now=watch)
    assert again.position.move_stack == game.position.move_stack
    assert (again.seat, again.outcome(), again.assisted) == (game.seat, game.outcome(), False)
    # No ply that was played before has brought its three seconds.
    assert again.clocks() == (7, 5)


def test_a_game_goes_on_from_legal_requests_only():
    with pytest.raises(MoveError, match="a1 is face up"):
        Game(deal=Deal(seed=9), moves=["a1", "a1"])
    with pytest.raises(MoveError, match="names a reveal"):
        Game(deal=Deal(seed=9), moves=["a1(K)"])
    with pytest.raises(GameError, match="the game is over"):
        Game(fen=BLACK_WINS, moves=["a1-b1", "b1-a1"])
