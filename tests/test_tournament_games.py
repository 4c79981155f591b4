"""Games that programs played in a tournament end where and how they are stored."""

from banqi import Outcome, Position, Side, Termination
from tools import TOURNAMENT_RULES, needs_tournament_games, stored_termination, tournament_games


@needs_tournament_games
def test_every_game_ends_where_and_how_it_is_stored() -> None:
    games = tournament_games()
    assert len(games) == 244
    assert [fault for game in games if (fault := fault_of(game))] == []


def fault_of(game: dict[str, str]) -> str | None:
    """What differs from a stored game, None if nothing does."""
    position = Position(TOURNAMENT_RULES)
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
    return Outcome(winner, Termination(stored_termination(game)))
