"""Searching, on one thread with a fresh table of 64 MB, for a fixed number of nodes."""

import time
from collections.abc import Iterator

import pytest
from meter import best, store
from positions import HIDDEN, REVEALED
from pytest_benchmark.fixture import BenchmarkFixture

from banqi import Engine, Limit, Position
from banqi.bench import POSITIONS, BenchPosition

pytestmark = pytest.mark.benchmark(timer=time.thread_time, group="search")

# About what a second is good for, so that the table is as full as it is in play.
NODES = 8_000_000

JUNQI = [position for position in POSITIONS if position.rules == "junqi"]
OTHERS = [position for position in POSITIONS if position.rules not in ("taiwan", "junqi")]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(threads=1, hash_mb=64) as engine:
        yield engine


@pytest.mark.parametrize("name", REVEALED)
def test_revealed(benchmark: BenchmarkFixture, engine: Engine, name: str) -> None:
    measure(benchmark, engine, "search, revealed middle games", name, REVEALED[name])


@pytest.mark.parametrize("name", HIDDEN)
def test_face_down_men(benchmark: BenchmarkFixture, engine: Engine, name: str) -> None:
    measure(benchmark, engine, "search, face-down men", name, HIDDEN[name])


@pytest.mark.parametrize("case", OTHERS, ids=lambda case: case.name)
def test_other_rule_sets(benchmark: BenchmarkFixture, engine: Engine, case: BenchPosition) -> None:
    measure(benchmark, engine, "search, other rule sets", case.name, case.fen, case.rules)


@pytest.mark.parametrize("case", JUNQI, ids=lambda case: case.name)
def test_junqi(benchmark: BenchmarkFixture, engine: Engine, case: BenchPosition) -> None:
    measure(benchmark, engine, "Junqi: search", case.name, case.fen, case.rules)


def measure(
    benchmark: BenchmarkFixture, engine: Engine, title: str, name: str, fen: str, rules: str = "taiwan"
) -> None:
    position = Position.from_fen(fen, rules=rules)
    limit = Limit(nodes=NODES)
    nodes, seconds = best(benchmark, lambda: engine.play(position, limit).info.nodes, rounds=3, setup=engine.clear)
    assert nodes == NODES
    if benchmark.enabled:
        depth = depth_within(engine, position, round(nodes / seconds))
        store(benchmark, title, name, nodes / seconds / 1e6, depth=depth)


def depth_within(engine: Engine, position: Position, nodes: int) -> int:
    """The last depth finished within a number of nodes. A second's nodes repeat where a second itself does not."""
    engine.clear()
    with engine.analysis(position, Limit(nodes=nodes)) as analysis:
        return max(info.depth for info in analysis if info.nodes < nodes)
