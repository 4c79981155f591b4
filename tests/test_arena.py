"""Matches: players, judging, the order of games, statistics of games, the command line."""

import json
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from banqi import BanqiError, Engine, Limit, Move, PlayResult, Position, Rules, Side
from banqi.arena import Fault, Match, Pair, PlayerSpec, Sprt, Tally, run
from banqi.arena.duel import Contestant, Ended, play
from banqi.arena.match import release, told
from banqi.arena.player import Answer, Pace, PlayerFault
from banqi.arena.weak import VALUES, GreedyPlayer, RandomPlayer, gain
from banqi.cli import main
from banqi.deal import Deal
from banqi.errors import ArenaError
from inline_executor import InlineExecutor
from junqi_texts import text

# ---- weak players --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "fen", "move", "won", "lost"),
    [
        ("junqi", text("a2=M a3=g"), "a2-a3", "G", ""),
        ("junqi", text("a2=M a3=l"), "a2-a3", "", "M"),
        ("junqi", text("a2=E a3=l"), "a2-a3", "L", ""),
        ("junqi", text("a2=O a3=m"), "a2-a3", "M", "O"),
        ("junqi", text("a2=R a3=r"), "a2-a3", "R", "R"),
        ("junqi", text("a2=M"), "a2-a3", "", ""),
        ("junqi", text("a2=M a3=x", pool="g"), "a3", "", ""),
        ("junqi", text("a2=O a3=f", flags="d1=F"), "a2-a3", "F", ""),
        ("taiwan", "4/4/4/4/4/4/k3/P3 r - - 0", "a1-a2", "K", ""),
        # The one hidden piece is an enemy: a chariot takes it next to itself, a cannon by a jump.
        ("dark-capture", "3k/4/4/4/4/4/x3/R3 r n - 0", "a1-a2", "N", ""),
        ("dark-capture", "3k/4/4/4/4/x3/P3/C3 r n - 0", "a1-a3", "N", ""),
        ("dark-capture", "3k/4/4/4/4/4/x3/P3 r n - 0", "a1-a2", "", ""),
    ],
)
def test_the_greedy_player_counts_what_a_move_wins_and_costs(
    rules: str, fen: str, move: str, won: str, lost: str
) -> None:
    position = Position.from_fen(fen, rules=rules)
    values = VALUES[position.rules.game]
    expected = (values[won] if won else 0) - (values[lost] if lost else 0)
    assert gain(position, position.read_move(move)) == expected


def test_the_greedy_player_plays_what_wins_most() -> None:
    # The marshal could take the general, go under on the mine, or step; the flag is out of reach.
    position = Position.from_fen(text("a2=M a3=g b2=l"), rules="junqi")
    player, chosen = GreedyPlayer(), set()
    for seed in range(20):
        player.begin(position, str(seed))
        chosen.add(player.move(position, None).move)
    assert chosen == {Move.from_text("a2-a3", geometry=position.rules.geometry)}


def test_the_random_player_plays_every_move() -> None:
    position = Position.from_fen("4/4/4/4/4/1P2/4/3k r - - 0")
    player, chosen = RandomPlayer(), set()
    for seed in range(100):
        player.begin(position, str(seed))
        chosen.add(player.move(position, None).move)
    # Of 4 moves one is left out once in 10^12.
    assert chosen == set(position.legal_moves)


# ---- one game ------------------------------------------------------------------------------------------------------

Act = Callable[[Position], Move | str]


@dataclass
class Scripted:
    """Plays what a function says, and remembers what it was told."""

    act: Act
    heard: list[str] = field(default_factory=list)
    clocks: list[float | None] = field(default_factory=list)

    def begin(self, position: Position, seed: str) -> None:
        self.heard = [seed]

    def move(self, position: Position, left: float | None) -> Answer:
        self.clocks.append(left)
        return Answer(self.act(position), 0.25, 3)

    def told(self, move: Move, position: Position, left: float | None) -> None:
        self.heard.append(str(move))

    def ended(self, winner: Side | None) -> None:
        self.winner = winner

    def close(self) -> None:
        pass


def first(position: Position) -> Move:
    return next(iter(position.legal_moves))


def fall(fault: Fault) -> Act:
    def act(position: Position) -> Move:
        raise PlayerFault(fault, "fallen")

    return act


def slow(seconds: float) -> Act:
    def act(position: Position) -> Move:
        time.sleep(seconds)
        return first(position)

    return act


def duel(one: Act, other: Act, *, fen: str | None = None, rules: str = "taiwan", margin: float = 0.02,
         paces: tuple[Pace, Pace] = (Pace(), Pace())) -> tuple[Ended, tuple[Scripted, Scripted]]:  # fmt: skip
    players = Scripted(one), Scripted(other)
    contestants = tuple(Contestant(*item) for item in zip(players, paces, ("x", "y"), strict=True))
    return play(Deal(rules, 1, fen=fen), (contestants[0], contestants[1]), margin), players


def test_both_players_hear_every_action_with_its_reveal() -> None:
    ended, (one, other) = duel(first, first)
    deal = Deal("taiwan", 1)
    position = Position()
    for move, _ in ended.actions:
        assert move.reveal == (deal.reveal(move.to_square) if position.outcomes(move.request)[0].identity else None)
        position.push(move)
    assert one.heard == ["x", *(str(move) for move, _ in ended.actions)]
    assert other.heard == ["y", *(str(move) for move, _ in ended.actions)]
    outcome = position.outcome()
    assert outcome is not None
    assert ended.termination == outcome.termination
    assert ended.plies == len(ended.actions) == ended.spent[0].decisions + ended.spent[1].decisions
    assert ended.spent[0].nodes == 3 * ended.spent[0].decisions


@pytest.mark.parametrize("seat", [0, 1])
def test_the_winner_is_a_seat(seat: int) -> None:
    # Red's chariot takes the last black piece; where black begins, it has to step beside it.
    fen = "p3/R3/4/4/4/4/4/4 r - - 0" if seat == 0 else "1p2/R3/4/4/4/4/4/4 b - - 0"
    moves = iter(["a7-a8"] if seat == 0 else ["b8-a8", "a7-a8"])
    ended, _ = duel(lambda position: next(moves), lambda position: next(moves), fen=fen)
    assert (ended.winner, ended.termination, ended.plies) == (seat, "all_captured", seat + 1)
    # From the side of the player who has that seat in the first game, and in the second.
    assert [told(ended, 0, half).score for half in (0, 1)] == [1.0 - seat, float(seat)]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("act", "fault"),
    [
        (lambda position: "a1-a3", Fault.ILLEGAL),
        (lambda position: "a9", Fault.ILLEGAL),
        (lambda position: "a1(K)", Fault.ILLEGAL),
        (lambda position: 7, Fault.ILLEGAL),
        (fall(Fault.CRASH), Fault.CRASH),
        (fall(Fault.HANG), Fault.HANG),
        (fall(Fault.TIME), Fault.TIME),
    ],
)
def test_who_fails_loses(seat: int, act: Act, fault: Fault) -> None:
    acts = (act, first) if seat == 0 else (first, act)
    ended, _ = duel(*acts)
    assert (ended.winner, ended.fault, ended.plies) == (1 - seat, fault, seat)
    assert ended.termination == ("time" if fault is Fault.TIME else "resign")
    assert ended.words
    # The first player's side of it, in both games of a pair.
    for half in (0, 1):
        game = told(ended, 5, half)
        assert game.faulty == (seat if half == 0 else 1 - seat)
        assert game.score == (0.0 if game.faulty == 0 else 1.0)


def test_a_move_may_be_late_by_the_margin_only() -> None:
    pace = Pace(time=0.01)
    late, _ = duel(slow(0.05), first, paces=(pace, Pace()))
    assert (late.winner, late.termination, late.fault, late.plies) == (1, "time", Fault.TIME, 0)
    in_time, _ = duel(slow(0.05), first, paces=(pace, Pace()), margin=10.0, fen="4/4/4/4/4/4/4/kK2 r - - 0")
    assert in_time.fault is None


def test_a_clock_runs_down_and_gains_its_increment() -> None:
    fen, rules = "k3/4/4/4/4/4/4/3K r - - 0", "taiwan(quiet_limit=6)"
    ended, (one, other) = duel(slow(0.1), slow(0.01), fen=fen, rules=rules, paces=(Pace(clock=5.0, inc=2.0), Pace()))
    assert (ended.termination, ended.fault) == ("quiet_limit", None)
    first_left, second_left, third_left = (left or 0.0 for left in one.clocks)
    assert first_left == 5.0
    # A tenth of a second used and two gained; a sleep may take longer, and on a busy machine much longer.
    assert 5.0 < second_left <= 6.9
    assert third_left == pytest.approx(5.0 + 4.0 - ended.spent[0].seconds + 0.1, abs=0.5)
    assert other.clocks == [None] * 3


def test_a_clock_that_has_run_out_loses() -> None:
    ended, _ = duel(slow(0.06), first, paces=(Pace(clock=0.1), Pace()))
    assert (ended.winner, ended.termination, ended.fault) == (1, "time", Fault.TIME)
    assert ended.spent[0].decisions == 2


class Stuck:
    """An engine that thinks until it is stopped, or fails."""

    def __init__(self, **options: object) -> None:
        self.stopped = threading.Event()
        self.fails = "fails" in options

    def clear(self) -> None:
        self.stopped.clear()

    def play(self, position: Position, limit: Limit) -> PlayResult:
        if self.fails:
            raise ZeroDivisionError("no depth")
        self.stopped.wait()
        with Engine(hash_mb=1) as engine:
            return engine.play(position, Limit(nodes=1))

    def stop(self) -> None:
        self.stopped.set()

    def close(self) -> None:
        self.stopped.set()


@pytest.mark.parametrize(
    ("options", "fault", "words"),
    [("", Fault.HANG, "no move 0.3 s after its time"), (", fails=1", Fault.CRASH, "ZeroDivisionError: no depth")],
)
def test_an_engine_that_hangs_or_fails_loses(
    monkeypatch: pytest.MonkeyPatch, options: str, fault: Fault, words: str
) -> None:
    monkeypatch.setattr("banqi.arena.own.Engine", Stuck)
    settings = replace(match(f"engine(nodes=5{options})"), patience=0.3)
    try:
        games = [game for pair in run(settings, InlineExecutor(), 2, at_once=1) for game in pair.games]
    finally:
        release()
    assert [(game.score, game.fault, game.faulty, game.words) for game in games] == [(0.0, fault, 0, words)] * 4


# ---- players in words ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("random", "random"),
        (" greedy ( ) ", "greedy"),
        ("engine(nodes=2000)", "engine(nodes=2000)"),
        ("engine( time = 5ms , nodes=7)", "engine(nodes=7, time=0.005)"),
        ("engine(threads=2,clock=10+0.1,hash=32)", "engine(clock=10.0+0.1, hash=32, threads=2)"),
        ("engine(depth=3,tablebase=off)", "engine(depth=3, tablebase=off)"),
    ],
)
def test_a_player_is_one_text(given: str, canonical: str) -> None:
    spec = PlayerSpec.parse(given)
    assert str(spec) == canonical
    assert PlayerSpec.parse(canonical) == spec


@pytest.mark.parametrize(
    "given",
    [
        "", "chess", "engine", "engine()", "engine(nodes)", "engine(nodes=)", "engine(nodes=0)", "engine(nodes=1.5)",
        "engine(nodes=1,nodes=2)", "engine(nodes=1,)", "engine(depth=101)", "engine(time=0)", "engine(time=-1)",
        "engine(time=nan)", "engine(clock=0)", "engine(clock=1+)", "engine(clock=1+-1)", "engine(nodes=1",
        "random(a=1)", "greedy(nodes=1)", "engine(5)", "random, greedy", "program(a\tb)", "program(a\nb)",
    ],
)  # fmt: skip
def test_a_text_that_is_no_player_is_refused_in_one_line(given: str) -> None:
    with pytest.raises(ArenaError) as refusal:
        PlayerSpec.parse(given)
    assert re.fullmatch("[ -~]+", str(refusal.value))


@pytest.mark.parametrize(
    "given",
    [
        "engine(nodes=1, wings=2)",
        "engine(nodes=1, hash=0)",
        "engine(nodes=1, threads=x)",
        "engine(nodes=1, tablebase=/no)",
    ],
)
def test_what_the_engine_refuses_is_told_before_the_match(given: str) -> None:
    with pytest.raises(ArenaError, match=r"^engine\("):
        PlayerSpec.parse(given).check(Rules.parse("taiwan"))


# ---- matches -------------------------------------------------------------------------------------------------------


def match(one: str, other: str = "random", rules: str = "taiwan", seed: int = 0) -> Match:
    return Match((PlayerSpec.parse(one), PlayerSpec.parse(other)), Rules.parse(rules), seed)


@pytest.mark.parametrize(
    "arguments",
    [
        ((PlayerSpec("random"),), Rules.parse("taiwan")),
        (("random", "random"), Rules.parse("taiwan")),
        ((PlayerSpec("random"),) * 2, "taiwan"),
        ((PlayerSpec("random"),) * 2, Rules.parse("taiwan"), -1),
        ((PlayerSpec("random"),) * 2, Rules.parse("taiwan"), 0, -1.0),
        ((PlayerSpec("random"),) * 2, Rules.parse("taiwan"), 0, 1.0, "x"),
    ],
)
def test_a_match_that_makes_no_sense_is_refused(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(BanqiError) as refusal:
        Match(*arguments)
    assert re.fullmatch("[ -~]+", str(refusal.value))


def outcome_of(pair: Pair) -> list[tuple[object, ...]]:
    """What of a pair does not depend on the clock."""
    return [
        (
            game.number,
            game.half,
            game.score,
            game.termination,
            game.plies,
            *((s.decisions, s.nodes) for s in game.spent),
        )
        for game in pair.games
    ]


@pytest.mark.parametrize("rules", ["taiwan", "children", "double", "junqi"])
def test_a_game_depends_on_its_number_alone(rules: str) -> None:
    settings = match("engine(nodes=60, hash=1)", rules=rules)
    pairs = 3
    alone = [outcome_of(pair) for pair in run(settings, InlineExecutor(), pairs, at_once=1)]
    with ThreadPoolExecutor(2) as executor:
        beside = [outcome_of(pair) for pair in run(settings, executor, pairs, at_once=2)]
    assert alone == beside
    assert [outcome[0][0] for outcome in alone] == list(range(pairs))
    other = [outcome_of(pair) for pair in run(match("engine(nodes=60, hash=1)", rules=rules, seed=1),
                                              InlineExecutor(), pairs, at_once=1)]  # fmt: skip
    assert other != alone


def test_equal_players_mirror_each_other() -> None:
    """The same engine on both sides of one layout plays the same game twice: one point for each, in every pair."""
    tally = Tally()
    player = "engine(nodes=60, hash=1)"
    for pair in run(match(player, player), InlineExecutor(), 5, at_once=1):
        tally.add(pair)
        assert pair.games[0].plies == pair.games[1].plies
    assert tally.pairs == [0, 0, 5, 0, 0]


def test_the_deal_of_a_pair_is_its_own() -> None:
    layouts = {
        tuple(match("random", seed=seed).deal(n).reveal(s) for s in range(32)) for seed in (0, 1) for n in (0, 1)
    }
    assert len(layouts) == 4


def test_a_strong_player_is_told_from_a_weak_one() -> None:
    tally = Tally()
    test = Sprt(0, 50)
    for pair in run(match("engine(nodes=300, hash=1)"), InlineExecutor(), 100, at_once=1):
        tally.add(pair)
        if test.decision(tally.pairs) is not None:
            break
    assert test.decision(tally.pairs) is True
    assert tally.games < 100
    assert tally.wins > tally.losses


# ---- the command line ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["random"], ["random", "greedy", "greedy"], ["random", "chess"], ["engine", "random"],
        ["random", "greedy", "--games", "3"], ["random", "greedy", "--games", "0"],
        ["random", "greedy", "--rules", "chess"], ["random", "greedy", "--jobs", "0"],
        ["random", "greedy", "--seed", "-1"], ["random", "greedy", "--sprt", "5", "0"],
        ["random", "greedy", "--sprt", "0"], ["random", "greedy", "--sprt", "0", "5", "--alpha", "0.7"],
        ["random", "greedy", "--sprt", "0", "x"], ["random", "greedy", "--margin", "-1"],
        ["random", "greedy", "--patience", "nan"], ["engine(nodes=1, wings=2)", "random"],
    ],
)  # fmt: skip
def test_a_wrong_argument_is_one_line_and_status_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(["arena", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"banqi: [ -~]+\n", err)


def test_a_match_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "greedy", "random", "--games", "6", "--jobs", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("greedy against random, taiwan, seed 0\ngames 6: ")


def test_a_match_that_stands_in_brackets_is_reported_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    player = "program(env -u [red] sh -c 'read line; exit 3')"
    with pytest.MonkeyPatch.context() as patch:
        # It could not begin a game: the match goes on, and each of its games is lost.
        patch.setattr(PlayerSpec, "check", lambda self, rules: None)
        assert main(["arena", "random", player, "--games", "2", "--jobs", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.count(player) == 2
    assert "games 2: 2 won, 0 drawn, 0 lost" in out
    assert "the program has ended with status 3" in out


def test_a_match_is_reported_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["arena", "greedy", "random", "--games", "200", "--jobs", "1", "--json", "--sprt", "0", "100"]
    assert main(command) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == told["wins"] + told["draws"] + told["losses"] == 2 * sum(told["pairs"])
    assert told["score"] == pytest.approx((told["wins"] + told["draws"] / 2) / told["games"])
    assert sum(told["terminations"].values()) == told["games"]
    assert told["sprt"]["passed"] is True
    # It stops where the test is decided.
    assert told["games"] < 200
    assert Sprt(0, 100).llr(told["pairs"]) == told["sprt"]["llr"] >= told["sprt"]["upper"]
    assert [player["player"] for player in told["players"]] == ["greedy", "random"]
