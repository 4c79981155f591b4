"""The state machine under the protocols: whose turn it is, what is played, what the clocks show."""

import threading
import time
from types import SimpleNamespace
from typing import cast

import pytest

from banqi import Engine, FenError, Limit, Move, MoveError, Position, Rules, Side
from banqi.protocol import session as module
from banqi.protocol.session import Session, SessionError

# Red's general beside a soldier in the corner does not take it: it can only step down.
CORNER = "Kp2/4/4/4/4/4/4/4 {} - - 0"
# Each side has a chariot at its end of the board, and two men lie face down.
OPEN = "R3/4/4/xx2/4/4/4/3r {} Pp - 0"


class Puppet:
    """An engine that answers what it is told, after `seconds` by a clock of its own, which others may push on too."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.seconds = 0.0
        self.move = "a1"
        self.limits: list[Limit] = []
        self.searched: list[Position] = []

    def play(self, position: Position, limit: Limit) -> SimpleNamespace:
        self.limits.append(limit)
        self.searched.append(position)
        self.now += self.seconds
        return SimpleNamespace(move=Move.from_text(self.move))


@pytest.fixture
def puppet(monkeypatch: pytest.MonkeyPatch) -> Puppet:
    puppet = Puppet()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: puppet.now))
    return puppet


@pytest.fixture
def session(puppet: Puppet) -> Session:
    return Session(cast(Engine, puppet), limit=Limit(time=3, nodes=100))


def at(fen: str, side: str = "r") -> Position:
    return Position.from_fen(fen.format(side))


def either(fen: str) -> list[Position]:
    return [at(fen, side) for side in "rb"]


def played(session: Session) -> list[str]:
    return [str(move) for move in session.position.move_stack]


# ---- moves ---------------------------------------------------------------------------------------------------------


def test_a_session_begins_at_the_start(session: Session) -> None:
    assert session.position == Position("taiwan")
    assert session.side is None


def test_what_think_answers_is_not_played(session: Session) -> None:
    session.set_up(at(CORNER))
    for _ in range(3):
        assert session.think(Side.RED) == Move.from_text("a8-a7")
        assert session.position == at(CORNER)


def test_the_only_move_needs_no_search(session: Session, puppet: Puppet) -> None:
    session.set_up(at(CORNER))
    session.think()
    assert puppet.searched == []


def test_an_echo_is_played_once(session: Session) -> None:
    session.set_up(at(CORNER))
    session.play(session.think(Side.RED))
    assert session.position.fen() == "1p2/K3/4/4/4/4/4/4 b - - 1"
    with pytest.raises(MoveError):
        session.play("a8-a7")
    assert played(session) == ["a8-a7"]


def test_the_echo_of_a_flip_brings_its_reveal(session: Session, puppet: Puppet) -> None:
    puppet.move = "c8"
    assert session.think() == Move.from_text("c8")
    session.play("c8(c)")
    assert played(session) == ["c8(c)"]
    assert session.side is Side.RED


def test_another_move_than_the_answer_is_played_instead_of_it(session: Session, puppet: Puppet) -> None:
    session.set_up(at(OPEN))
    puppet.move = "a8-a7"
    session.think()
    session.play("a8-b8")
    assert played(session) == ["a8-b8"]


def test_an_answer_that_nobody_echoes_is_made_up_for(session: Session, puppet: Puppet) -> None:
    session.set_up(at(OPEN))
    puppet.move = "a8-a7"
    session.think(Side.RED)
    session.play("d1-d2")
    assert played(session) == ["a8-a7", "d1-d2"]
    assert session.side is Side.RED


@pytest.mark.parametrize(
    ("side", "moves"), [(Side.BLACK, ["a5(p)"]), (Side.RED, ["a8-a7", "a5(p)"])], ids=["red flipped", "black flipped"]
)
def test_a_flip_after_an_untold_answer_leaves_the_turn_open(
    session: Session, puppet: Puppet, side: Side, moves: list[str]
) -> None:
    """Either red has flipped in place of its answer, or black after it. Who is asked next tells."""
    session.set_up(at(OPEN))
    puppet.move = "a8-a7"
    session.think(Side.RED)
    session.play("a5(p)")
    assert session.side is None
    puppet.move = "b5"
    session.think(side)
    assert played(session) == moves


def test_a_move_settles_whose_turn_it_was(session: Session, puppet: Puppet) -> None:
    session.set_up(at(OPEN))
    puppet.move = "a8-a7"
    session.think(Side.RED)
    session.play("a5(p)")
    session.play("a7-b7")
    assert played(session) == ["a8-a7", "a5(p)", "a7-b7"]


@pytest.mark.parametrize("move", ["a8-c8", "d1-d2", "a5-a6", "a5(K)", "a5", "b2"])
def test_an_illegal_move_changes_nothing(session: Session, move: str) -> None:
    session.set_up(at(OPEN))
    with pytest.raises(MoveError):
        session.play(move)
    assert session.position == at(OPEN)


def test_the_other_side_is_not_asked(session: Session) -> None:
    session.set_up(at(OPEN))
    with pytest.raises(SessionError, match="the other side's turn"):
        session.think(Side.BLACK)
    assert session.position == at(OPEN)


@pytest.mark.parametrize("asked", [Side.RED, Side.BLACK, None])
def test_before_the_first_flip_anybody_may_be_asked(session: Session, asked: Side | None) -> None:
    assert session.think(asked) == Move.from_text("a1")


@pytest.mark.parametrize(("shown", "following"), [("K", Side.BLACK), ("k", Side.RED)])
def test_the_first_flip_gives_its_flipper_the_colour_shown(session: Session, shown: str, following: Side) -> None:
    session.play(f"a1({shown})")
    assert session.side is following
    with pytest.raises(SessionError):
        session.think(following.other)


# ---- set up without a side -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", list(Side))
def test_the_side_that_is_asked_settles_a_set_up(session: Session, puppet: Puppet, side: Side) -> None:
    session.set_up(*either(OPEN))
    assert session.side is None
    with pytest.raises(SessionError, match="whose turn"):
        session.think()
    puppet.move = "a5"
    session.think(side)
    assert session.side is side
    assert puppet.searched == [at(OPEN, side)]


@pytest.mark.parametrize(("move", "following"), [("a8-a7", Side.BLACK), ("d1-d2", Side.RED)])
def test_a_move_settles_a_set_up(session: Session, move: str, following: Side) -> None:
    session.set_up(*either(OPEN))
    session.play(move)
    assert session.side is following


def test_flips_leave_a_set_up_open(session: Session) -> None:
    # Red has flipped, then black, so red's chariot steps; or the other way round, then it could not.
    session.set_up(*either(OPEN))
    session.play("a5(p)")
    session.play("b5(P)")
    assert session.side is None
    session.play("a8-a7")
    assert session.side is Side.BLACK


def test_a_set_up_needs_a_position(session: Session) -> None:
    with pytest.raises(SessionError):
        session.set_up()


def test_a_set_up_is_copied(session: Session) -> None:
    position = at(OPEN)
    session.set_up(position)
    session.play("a8-a7")
    assert position == at(OPEN)


# ---- the end -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "reason"), [("K3/4/4/4/4/4/4/4 b - - 0", "all_captured"), ("Kp2/p3/4/4/4/4/4/4 r - - 0", "no_moves")]
)
def test_a_side_that_cannot_move_is_told_the_end(session: Session, fen: str, reason: str) -> None:
    session.set_up(Position.from_fen(fen))
    with pytest.raises(SessionError, match=rf"the game is over: .*\({reason}\)"):
        session.think()


def test_a_finished_game_is_over_until_the_next(session: Session, puppet: Puppet) -> None:
    session.finish()
    with pytest.raises(SessionError, match="the game is over"):
        session.think()
    session.new_game()
    assert session.think() == Move.from_text("a1")


def test_who_asks_on_after_a_draw_gets_a_move(session: Session, puppet: Puppet) -> None:
    session.set_rules(Rules.parse("taiwan(quiet_limit=2)"))
    session.set_up(Position.from_fen(OPEN.format("r"), rules=session.rules))
    session.play("a8-a7")
    session.play("d1-d2")
    assert str(session.position.outcome()) == "draw (quiet_limit)"
    puppet.move = "a7-a8"
    assert session.think(Side.RED) == Move.from_text("a7-a8")
    # The engine searches nothing that is over.
    assert puppet.searched[0].outcome() is None
    assert puppet.searched[0].fen() == "4/R3/4/xx2/4/4/3r/4 r Pp - 0"
    assert played(session) == ["a8-a7", "d1-d2"]


# ---- rules ---------------------------------------------------------------------------------------------------------


def test_rules_count_what_was_played_before_them(session: Session) -> None:
    session.set_up(at(OPEN))
    for move in ("a8-a7", "d1-d2", "a7-a8", "d2-d1"):
        session.play(move)
    # The position that was set up stands for the second time, after four quiet plies.
    assert session.position.outcome() is None
    session.set_rules(Rules.parse("taiwan(repetition=2)"))
    assert str(session.position.outcome()) == "draw (repetition)"
    session.set_rules(Rules.parse("taiwan(repetition=none, quiet_limit=4)"))
    assert str(session.position.outcome()) == "draw (quiet_limit)"
    session.set_rules(Rules.parse("taiwan(repetition=none, quiet_limit=5)"))
    assert session.position.outcome() is None


def test_rules_stay_for_the_next_game(session: Session) -> None:
    rules = Rules.parse("hongkong(quiet_limit=60)")
    session.set_rules(rules)
    session.new_game()
    assert session.position.rules == rules


def test_rules_that_forbid_the_position_change_nothing(session: Session) -> None:
    position = Position.from_fen(OPEN.format("r").replace("- 0", "- 100"))
    session.set_up(position)
    with pytest.raises(FenError):
        session.set_rules(Rules.parse("taiwan(quiet_limit=60)"))
    assert session.position == position


# ---- clocks --------------------------------------------------------------------------------------------------------


def test_without_a_clock_the_limit_is_as_it_was_given(session: Session, puppet: Puppet) -> None:
    session.think()
    assert puppet.limits == [Limit(time=3, nodes=100)]
    assert session.clock(None) is session.clock(Side.RED) is None


def test_a_clock_takes_the_place_of_the_time_and_nodes_still_count(session: Session, puppet: Puppet) -> None:
    session.set_time(900)
    session.think()
    assert puppet.limits == [Limit(clocks=(900, 900), nodes=100)]


def test_thinking_is_charged_to_the_side_that_moves(session: Session, puppet: Puppet) -> None:
    session.set_time(60)
    session.set_up(at(OPEN))
    puppet.move, puppet.seconds = "a8-a7", 1.5
    session.think(Side.RED)
    assert (session.clock(Side.RED), session.clock(Side.BLACK)) == (58.5, 60)
    session.think(Side.RED)
    assert session.clock(Side.RED) == 57


def test_the_opponents_thinking_is_not_charged(session: Session, puppet: Puppet) -> None:
    session.set_time(60)
    session.set_up(at(OPEN))
    puppet.move = "a8-a7"
    session.play(session.think(Side.RED))
    puppet.now += 50
    session.play("d1-d2")
    session.think(Side.RED)
    assert session.clock(Side.RED) == 60
    assert puppet.limits[-1].clocks == (60, 60)


def test_what_is_told_about_a_clock_holds(session: Session, puppet: Puppet) -> None:
    session.set_time(60)
    session.set_up(at(OPEN))
    session.set_clock(Side.RED, 0.05)
    session.set_clock(Side.BLACK, 30)
    puppet.move = "a8-a7"
    session.think(Side.RED)
    assert puppet.limits[-1].clocks == (0.05, 0.05)
    assert session.clock(Side.BLACK) == 30


@pytest.mark.parametrize(("shown", "flipper"), [("K", Side.RED), ("k", Side.BLACK)])
def test_the_flippers_clock_follows_it_to_its_colour(
    session: Session, puppet: Puppet, shown: str, flipper: Side
) -> None:
    session.set_time(60)
    puppet.seconds = 2
    session.think()
    session.play(f"a1({shown})")
    assert session.clock(flipper) == 58
    assert session.clock(flipper.other) == 60


def test_each_game_begins_with_full_clocks(session: Session, puppet: Puppet) -> None:
    session.set_time(60)
    session.set_clock(Side.RED, 1)
    session.new_game()
    assert session.clock(Side.RED) == 60
    session.set_clock(Side.RED, 1)
    session.set_up(at(OPEN))
    assert session.clock(Side.RED) == 60


def test_time_is_charged_though_the_search_fails(session: Session, puppet: Puppet) -> None:
    session.set_time(60)
    puppet.seconds, puppet.move = 2, "no move"
    with pytest.raises(MoveError):
        session.think()
    assert session.clock(None) == 58


@pytest.mark.parametrize("left", [0, -1, -1e6])
def test_with_nothing_left_a_move_is_asked_for_all_the_same(session: Session, puppet: Puppet, left: float) -> None:
    session.set_clock(None, left)
    session.think()
    assert puppet.limits[-1].clocks == (0, 0)


# ---- with the engine -----------------------------------------------------------------------------------------------


def test_fifty_milliseconds_are_enough_for_ten_moves() -> None:
    # Another program may hold the processor up, hardly three times.
    with Engine(hash_mb=1) as engine:
        session = Session(engine)
        used = []
        for _ in range(3):
            session.set_time(0.05)
            session.new_game()
            started = time.monotonic()
            for _ in range(10):
                session.think()
            used.append(time.monotonic() - started)
            assert session.clock(None) == pytest.approx(0.05 - used[-1], abs=0.005)
        assert min(used) < 0.05


def test_stop_ends_thinking() -> None:
    with Engine(hash_mb=1) as engine:
        session = Session(engine, limit=Limit(time=600))
        timer = threading.Timer(0.3, session.stop)
        timer.start()
        assert session.position.is_legal(session.think())
        timer.join()
