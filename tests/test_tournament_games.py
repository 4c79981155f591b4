"""Games that programs played in a tournament end where and how they are stored.

The games are no part of the project: they lie in the folder that BANQI_SHARED names, or in `shared` beside the
checkout.
"""

import json
import os
from pathlib import Path

import pytest

from banqi import Outcome, Position, Side, Termination
from tools import LEFT_OUT

SHARED = Path(os.environ.get("BANQI_SHARED") or Path(__file__).parents[2] / "shared")
GAMES = SHARED / "games" / "tournament-2022.jsonl"
RULES = "taiwan(quiet_limit=60, repetition=cycle)"


@pytest.mark.skipif(not GAMES.exists(), reason=f"{LEFT_OUT}the tournament's games are not at hand (BANQI_SHARED)")
def test_every_game_ends_where_and_how_it_is_stored() -> None:
    games = [json.loads(line) for line in GAMES.read_text().splitlines()]
    assert len(games) == 244
    assert [fault for game in games if (fault := fault_of(game))] == []


def fault_of(game: dict[str, str]) -> str | None:
    """What differs from a stored game, None if nothing does."""
    position = Position(RULES)
    moves = game["moves"].split()
    for number, move in enumerate(moves, 1):
        if (outcome := position.outcome()) is not None:
            return f"game {game['id']}: {outcome} before move {number} of {len(moves)}, stored: {game['end']}"
        if not position.is_legal(move):
            return f"game {game['id']}: move {number}, {move}, is illegal"
        position.push(move)
    if position.outcome() != stored_outcome(game):
        return f"game {game['id']}: {position.outcome()}, stored: {game['end']}, {game['result']}"
    return None


def stored_outcome(game: dict[str, str]) -> Outcome | None:
    """The end of a stored game, None where the clock ended it: to the rules it goes on."""
    if game["end"] == "time":
        return None
    first = Side.RED if game["first_colour"] == "red" else Side.BLACK
    winner = {"first": first, "second": first.other, "draw": None}[game["result"]]
    # A repetition is stored with the length of its cycle.
    reason = "repetition" if game["end"].startswith("repetition_cycle_") else game["end"]
    return Outcome(winner, Termination(reason))
