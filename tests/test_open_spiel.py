"""The rules of `taiwan` against OpenSpiel's `banqi`, written by others.

Compared: legal moves, what they lead to, and how likely each reveal is; not the ends, for there OpenSpiel has its own
order and its own idea of a side without pieces, and no repetition.
"""

import random

import pyspiel
import pytest

from banqi import Move, Position, Termination
from sizes import tenth

CHUNK = 50
SUCCESSORS_EVERY = 32

# OpenSpiel's board lies: its rows are files, its columns are ranks. It writes A E H S for advisor, elephant, horse and
# soldier, G for the general, and numbers identities and squares in that order.
IDENTITIES = "KGMRNCPkgmrncp"
LETTERS = str.maketrans("GAERHCSgaerhcs?", IDENTITIES + "x")
SQUARES = [file + rank for file in "abcd" for rank in "12345678"]
FLIPS = len(SQUARES)

GAME = pyspiel.load_game("banqi(max_no_progress=180)")


def request_of(action: int) -> str:
    """A decision of OpenSpiel as on a wire: first the flips, then every pair of from and to."""
    start, target = (action, action) if action < FLIPS else divmod(action - FLIPS, len(SQUARES))
    return SQUARES[start] + SQUARES[target]


def action_of(request: str) -> int:
    """The same way back."""
    start, target = SQUARES.index(request[:2]), SQUARES.index(request[2:4])
    return start if start == target else FLIPS + start * len(SQUARES) + target


def placement_of(state: pyspiel.State) -> str:
    """The first field of a position text, from the board that OpenSpiel draws."""
    files = [line.split() for line in str(state).splitlines()[:4]]
    ranks = ["".join(cells) for cells in zip(*files, strict=True)]
    text = "/".join(reversed(ranks)).translate(LETTERS)
    for run in (4, 3, 2, 1):
        text = text.replace("." * run, str(run))
    return text


def placement(position: Position) -> str:
    """The first field of a position text."""
    return position.fen().split(" ")[0]


def apply(state: pyspiel.State, move: Move) -> None:
    """Play a move, with its reveal, refused if OpenSpiel finds it illegal."""
    state.apply_action_with_legality_check(action_of(move.request.wire()))
    if move.reveal is not None:
        state.apply_action_with_legality_check(IDENTITIES.index(move.reveal))


def story(position: Position) -> str:
    """What it takes to see a difference again."""
    return f"after {' '.join(map(str, position.move_stack)) or 'nothing'}"


class Players:
    """Who is who: OpenSpiel counts players, and the first flip gives them their colours."""

    def __init__(self) -> None:
        self.colours: tuple[str, str] | None = None

    def check(self, state: pyspiel.State, position: Position) -> None:
        """The side to move belongs to the player to move."""
        if position.side is None:
            assert state.current_player() == 0, story(position)
            return
        if self.colours is None:
            # The second player is to move after the first flip.
            self.colours = (position.side.other.value, position.side.value)
        assert position.side.value == self.colours[state.current_player()], story(position)


def compare_reveals(state: pyspiel.State, position: Position, request: str) -> None:
    """Compare the chance node of a flip: weights over the number of face-down pieces."""
    flipped = state.clone()
    flipped.apply_action_with_legality_check(action_of(request))
    assert flipped.is_chance_node(), story(position)
    hidden = sum(position.pool.values())
    weights = {IDENTITIES[outcome]: chance * hidden for outcome, chance in flipped.chance_outcomes() if chance > 0}
    found = {reveal.move.reveal: reveal.weight for reveal in position.outcomes(request)}
    assert found == pytest.approx(weights, abs=1e-9), story(position)


def compare_successors(state: pyspiel.State, position: Position) -> None:
    """Compare the board after each legal move and each reveal."""
    for request in list(position.legal_moves):
        if request.is_flip:
            compare_reveals(state, position, request.wire())
        for reveal in position.outcomes(request):
            after = state.clone()
            apply(after, reveal.move)
            position.push(reveal.move)
            assert placement(position) == placement_of(after), f"{reveal.move} {story(position)}"
            position.pop()


@pytest.mark.parametrize("chunk", range(tenth(5000) // CHUNK))
def test_legal_moves_and_successors_equal_those_of_open_spiel(chunk: int) -> None:
    for number in range(CHUNK):
        rng = random.Random(f"open_spiel {chunk} {number}")
        position, state, players = Position(), GAME.new_initial_state(), Players()
        while not state.is_terminal():
            outcome = position.outcome()
            if outcome is not None and outcome.termination is Termination.ALL_CAPTURED:
                break
            players.check(state, position)
            requests = [move.wire() for move in position.legal_moves]
            assert sorted(requests) == sorted(map(request_of, state.legal_actions())), story(position)
            if len(position.move_stack) % SUCCESSORS_EVERY == 0:
                compare_successors(state, position)
            move = Move.from_text(rng.choice(sorted(requests)))
            if move.is_flip:
                compare_reveals(state, position, move.wire())
                reveals = position.outcomes(move)
                move = rng.choices(reveals, [reveal.weight for reveal in reveals])[0].move
            position.push(move)
            apply(state, move)
            assert placement(position) == placement_of(state), f"{move} {story(position)}"
        assert position.outcome() is not None, f"over for OpenSpiel only: {position!r}"
