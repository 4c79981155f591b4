"""Whole games of every named rule set, played by the reference and kept in tests/golden: reference/playthrough.py."""

import pytest

from banqi import Outcome, Position, Side, Termination
from reference.games import NAMED
from reference.playthrough import FOLDER, PLAYTHROUGHS, Playthrough

by_rules = pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.rules)


def steps(playthrough: Playthrough) -> tuple[list[list[str]], str]:
    """The (action, position, legal requests) of a file, the start first, and its last line."""
    rules, *lines, end = playthrough.path.read_text().splitlines()
    assert rules == playthrough.rules
    return [[part.strip() for part in f"{line} ".split(" |")] for line in lines], end


@by_rules
def test_the_engine_plays_the_same_game(playthrough: Playthrough) -> None:
    position = Position(playthrough.rules)
    (start, *played), end = steps(playthrough)
    assert start[0] == "start"
    for action, fen, legal in (start, *played):
        if action != "start":
            assert position.outcome() is None
            position.push(action)
            assert str(position.peek()) == action
        assert position.fen() == fen
        assert sorted(map(str, position.legal_moves)) == legal.split()
        assert Position.from_fen(fen, rules=playthrough.rules) == position
    winner, reason = end.split()
    assert position.outcome() == Outcome(None if winner == "draw" else Side(winner), Termination(reason))


@by_rules
def test_the_reference_plays_the_same_game(playthrough: Playthrough) -> None:
    assert playthrough.path.read_text() == playthrough.text()


def test_every_named_rule_set_has_a_playthrough() -> None:
    rules = [playthrough.rules for playthrough in PLAYTHROUGHS]
    assert set(NAMED) < set(rules)
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(rules)


@pytest.mark.parametrize("rules", ["dark-capture", "children"])
def test_attempts_succeed_and_fail(rules: str) -> None:
    (playthrough,) = [each for each in PLAYTHROUGHS if each.rules == rules]
    played, _ = steps(playthrough)
    attempts = [(action, fen) for action, fen, _ in played if "-" in action and "(" in action]
    assert len(attempts) >= 6
    # A failed attempt leaves a piece on both squares, a successful one leaves the first empty.
    stayed = [occupied(fen, action[:2]) for action, fen in attempts]
    assert 2 <= sum(stayed) <= len(stayed) - 2


@pytest.mark.parametrize("rules", ["children", "cannon-chain"])
def test_chains_go_on_and_end_with_and_without_an_end(rules: str) -> None:
    (playthrough,) = [each for each in PLAYTHROUGHS if each.rules == rules]
    played, _ = steps(playthrough)
    chains = [fen.split()[3] for _, fen, _ in played]
    next_actions = [action for chain, (action, _, _) in zip(chains, played[1:], strict=False) if chain != "-"]
    assert "end" in next_actions
    assert set(next_actions) != {"end"}


def test_the_ranks_of_junqi_have_two_digits_and_a_flag_ends_the_game() -> None:
    (playthrough,) = [each for each in PLAYTHROUGHS if each.rules == "junqi"]
    played, end = steps(playthrough)
    assert end.endswith(" flag")
    moves = [action for action, _, _ in played if "-" in action]
    assert {len(action) for action in moves} == {5, 6, 7}
    # A piece gets into a camp, and one comes out of it.
    camps = {"b3", "d3", "c4", "b5", "d5", "b8", "d8", "c9", "b10", "d10"}
    assert any(action.split("-")[0] in camps for action in moves)
    assert any(action.split("-")[1] in camps for action in moves)


def test_a_perpetual_attack_ends_a_game() -> None:
    (playthrough,) = [each for each in PLAYTHROUGHS if "perpetual" in each.rules]
    assert steps(playthrough)[1].endswith(" perpetual_attack")


def occupied(fen: str, square: str) -> bool:
    """Whether something stands on a square of a position text."""
    rank = fen.split()[0].split("/")[8 - int(square[1])]
    return "".join("." * int(sign) if sign.isdecimal() else sign for sign in rank)["abcdefgh".index(square[0])] != "."
