"""Random games from the start to their end, 180 quiet plies at most: in the core, and move by move from Python."""

import random
import time

import pyspiel  # type: ignore[import-not-found]  # it has no types
import pytest
from meter import best, store
from positions import JUNQI_START, START
from pytest_benchmark.fixture import BenchmarkFixture

import banqi

pytestmark = pytest.mark.benchmark(timer=time.thread_time, group="playouts")

GAMES = 20_000
GAMES_FROM_PYTHON = 100


def test_core(benchmark: BenchmarkFixture) -> None:
    plies, seconds = best(benchmark, lambda: int(banqi.playouts(START, GAMES, seed=1).lengths.sum()))
    check(plies, GAMES)
    store(benchmark, "random games to their end", "start", GAMES / seconds)


def test_junqi(benchmark: BenchmarkFixture) -> None:
    games, seconds = best(benchmark, lambda: len(banqi.playouts(JUNQI_START, GAMES, seed=1, rules="junqi").lengths))
    assert games == GAMES
    store(benchmark, "Junqi: random games to their end", "start", GAMES / seconds)


def test_banqi_from_python(benchmark: BenchmarkFixture) -> None:
    plies, seconds = best(benchmark, lambda: sum(map(banqi_game, range(GAMES_FROM_PYTHON))), rounds=3)
    check(plies, GAMES_FROM_PYTHON)
    store(benchmark, "random games from Python, banqi", "start", GAMES_FROM_PYTHON / seconds)


def test_open_spiel_from_python(benchmark: BenchmarkFixture) -> None:
    game = pyspiel.load_game("banqi(max_no_progress=180)")
    plies, seconds = best(benchmark, lambda: sum(open_spiel_game(game, i) for i in range(GAMES_FROM_PYTHON)), rounds=3)
    check(plies, GAMES_FROM_PYTHON)
    store(benchmark, "random games from Python, OpenSpiel", "start", GAMES_FROM_PYTHON / seconds)


def check(plies: int, games: int) -> None:
    """All play the same game: 364 plies in the mean, with a deviation of 120."""
    assert 364 - 600 / games**0.5 < plies / games < 364 + 600 / games**0.5


def banqi_game(seed: int) -> int:
    """Play a game; return its plies."""
    rng = random.Random(seed)
    position = banqi.Position("taiwan(repetition=none)")
    while position.outcome() is None:
        reveals = position.outcomes(rng.choice(list(position.legal_moves)))
        (reveal,) = rng.choices(reveals, [reveal.weight for reveal in reveals])
        position.push(reveal.move)
    return len(position.move_stack)


def open_spiel_game(game: pyspiel.Game, seed: int) -> int:
    """Play a game; return its plies."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    plies = 0
    while not state.is_terminal():
        if state.is_chance_node():
            identities, chances = zip(*state.chance_outcomes(), strict=True)
            (identity,) = rng.choices(identities, chances)
            state.apply_action(identity)
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
    return plies
