"""The players that bench/matches.py measures the engine against, and its command line."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from banqi import Move, Position
from junqi_texts import text

# What is tested is Python that stands in the checkout.
pytestmark = pytest.mark.checkout

BENCH = Path(__file__).parents[1] / "bench"


@pytest.fixture
def players(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """bench/players.py."""
    monkeypatch.syspath_prepend(BENCH)
    import players

    return players


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
    players: ModuleType, rules: str, fen: str, move: str, won: str, lost: str
) -> None:
    position = Position.from_fen(fen, rules=rules)
    values = players.VALUES[position.rules.game]
    expected = (values[won] if won else 0) - (values[lost] if lost else 0)
    assert players.gain(position, position.read_move(move)) == expected


def test_the_greedy_player_plays_what_wins_most(players: ModuleType) -> None:
    # The marshal could take the general, go under on the mine, or step; the flag is out of reach.
    position = Position.from_fen(text("a2=M a3=g b2=l"), rules="junqi")
    assert {players.GreedyPlayer(str(n)).move(position) for n in range(20)} == {
        Move.from_text("a2-a3", geometry=position.rules.geometry)
    }


@pytest.mark.parametrize("arguments", [["--games", "3"], ["--nodes", "0"], ["--rules", "chess"], ["--jobs", "0"]])
def test_matches_refuse_what_makes_no_sense(arguments: list[str]) -> None:
    command = [sys.executable, BENCH / "matches.py", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "Traceback" not in ended.stderr


def test_a_match_is_reported() -> None:
    command = [sys.executable, BENCH / "matches.py", "--games", "2", "--nodes", "50", "--opponent", "random"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "junqi, 50 nodes a move against random" in ended.stdout
    assert "games 2: " in ended.stdout
