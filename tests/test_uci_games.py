"""Whole games between two programs that speak UCI, under every rule set, run by a driver that deals and judges.

The driver turns pieces up, tells both programs the whole game, takes the time, and lets nobody off: an illegal move, a
missing answer, a line that is none, a late move or an end that the programs see otherwise fails the test.
"""

import re
import time
from collections import Counter
from typing import NamedTuple

import pytest

import banqi
from banqi import Deal, Game, GameError, MoveError
from banqi.rules import RULE_SETS
from sizes import tenth
from uci_process import UciProcess

GAMES = 500
RULES = [
    *(rule_set.name for rule_set in RULE_SETS),
    "taiwan(quiet_limit=60, repetition=cycle)",
    "taiwan(perpetual=loses, chain=any)",
    "taiwan(cannon_adjacent, dark_capture, chain=cannon)",
    "hongkong(cannon=jump, quiet_limit=40)",
    "mainland(dark_capture)",
    "double(ranking=hongkong, dark_capture, quiet_limit=60)",
    "double(screens=faceup, chain=any, quiet_limit=60)",
    "junqi(repetition=3, quiet_limit=31)",
]
# What a seat asks for, game by game; "clock" is what its clock shows.
PACES = ["nodes 40", "depth 1", "movetime 2", "clock", "nodes 150", "depth 2 nodes 100", "searchmoves", "infinite"]
# In seconds. A program is told a clock that runs out by so much before its game is lost: other programs run beside it.
CLOCK, INC, MARGIN = 3.0, 0.01, 10.0
INFO = re.compile(
    r"info depth \d+ seldepth \d+ multipv [12] score cp (-?\d+)(?: mate -?[1-9]\d* wdl (?:1000 0 0|0 0 1000))? "
    r"nodes \d+ nps \d+ time \d+ hashfull \d+ pv \S.*"
)


class Finished(NamedTuple):
    """A game that was played to its end: its rule set, how it ended, its actions."""

    rules: str
    end: str
    actions: int


def play(players: tuple[UciProcess, UciProcess], number: int) -> Finished:
    """Play the game of this number; the seats, the rule set and what is asked for follow from it."""
    rules = RULES[number % len(RULES)]
    seats = players if number % 2 else (players[1], players[0])
    paces = [PACES[(number + seat * (1 + number // len(PACES))) % len(PACES)] for seat in (0, 1)]
    for program, lines in zip(seats, (1 + number % 2, 1), strict=True):
        assert program.ask(
            f"setoption name Variant value {rules}",
            f"setoption name MultiPV value {lines}",
            f"setoption name Level value {('hard', 'hard', 'medium', 'easy')[number % 4]}",
            "ucinewgame",
        ) == []  # fmt: skip
    game = Game(deal=Deal(rules, seed=number), clocks=(CLOCK + MARGIN, CLOCK + MARGIN), inc=INC)
    while game.outcome() is None:
        seat = game.seat
        told = " ".join(move.wire() for move in game.position.move_stack)
        seats[seat].send(f"position startpos moves {told}" if told else "position startpos")
        best = answer(seats[seat], game, paces[seat])
        try:
            game.play(best, seat=seat)
        except (MoveError, GameError) as error:
            raise AssertionError(f"game {number}, {rules}, after {told}: {best}: {error}") from None
    told = " ".join(move.wire() for move in game.position.move_stack)
    for program in seats:
        program.send(f"position startpos moves {told}")
        state = program.state()
        assert (state["Fen"], state["Outcome"]) == (game.position.fen(), str(game.position.outcome()))
        assert program.best("go depth 1") == "(none)"
    return Finished(rules, str(game.position.outcome()), len(game.position.move_stack))


def answer(program: UciProcess, game: Game, pace: str) -> str:
    """Let a program think about its move, as its pace has it; the move."""
    if pace == "clock":
        first, second = (round(1000 * (left - MARGIN)) for left in game.clocks() or ())
        go = f"go wtime {first} btime {second} winc {1000 * INC:.0f} binc {1000 * INC:.0f}"
    elif pace == "searchmoves":
        moves = [move.wire() for move in list(game.position.legal_moves)[:3]]
        go = f"go nodes 20 searchmoves {' '.join(moves)}"
    else:
        go = f"go {pace}"
    program.send(go)
    if pace == "infinite":
        time.sleep(0.001)
        program.send("stop")
    *lines, last = program.until("bestmove")
    for line in lines:
        match = INFO.fullmatch(line)
        assert match, line
        assert -100 <= int(match[1]) <= 100
    assert lines, "nothing was told of the search"
    best = re.fullmatch(r"bestmove ((?:[a-h]\d+){2}|0000)", last)
    assert best, last
    if pace == "searchmoves":
        assert best[1] in moves
    return best[1]


@pytest.mark.slow
def test_whole_games_between_two_programs() -> None:
    """Fifty in every run, five hundred where all counts are whole."""
    with UciProcess("--hash", "1") as one, UciProcess("--hash", "2", "--evaluation", "handwritten") as other:
        games = [play((one, other), number) for number in range(tenth(GAMES))]
        for program in (one, other):
            program.send("quit")
            assert program.end() == (0, "", "")
    assert Counter(game.rules for game in games).keys() == set(RULES)
    # Chains and attempts were played, and games ended by more than the limits.
    ends = Counter(game.end for game in games)
    print(f"{len(games)} games, {sum(game.actions for game in games)} actions: {dict(ends)}, banqi {banqi.__version__}")
    assert any("captured" in end or "flag" in end for end in ends)
