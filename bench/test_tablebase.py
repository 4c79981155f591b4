"""Endgame tables: how fast they are asked, and what a search that asks them makes of its time, on one thread."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from meter import best, store
from positions import ENDINGS
from pytest_benchmark.fixture import BenchmarkFixture

from banqi import Engine, Limit, Position, Rules, Tablebase
from banqi.engine import SHIPPED_TABLES
from banqi.tablebase.build import build_all, plan

pytestmark = pytest.mark.benchmark(timer=time.thread_time, group="tablebase")

PROBES = 2_000
LOOK_UPS = 100_000
# No ending of the bench is proved within so many.
NODES = 2_000_000


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of 2 to 4 pieces, those of 4 compressed."""
    root = tmp_path_factory.mktemp("tables")
    with ThreadPoolExecutor(1) as executor:
        for _ in build_all(plan(Rules.parse("taiwan"), 4), root, executor, at_once=1):
            pass
    return root


@pytest.fixture(scope="module")
def folders(four: Path) -> dict[int, Path]:
    return {3: SHIPPED_TABLES, 4: four}


def at_random(pieces: int, count: int) -> list[Position]:
    """Positions of so many pieces of any kind on any squares, either side to move."""
    rng = random.Random(pieces)
    found: list[Position] = []
    while len(found) < count:
        letters = rng.sample("KGGMMRRNNCCPPPPPkggmmrrnnccppppp", pieces)
        if "".join(letters).isupper() or "".join(letters).islower():
            continue
        squares = dict(zip(rng.sample(range(32), pieces), letters, strict=True))
        ranks = ("".join(squares.get(4 * rank + file, "1") for file in range(4)) for rank in range(7, -1, -1))
        placement = "/".join(rank.replace("1111", "4").replace("111", "3").replace("11", "2") for rank in ranks)
        position = Position.from_fen(f"{placement} {rng.choice('rb')} - - 0")
        if position.outcome() is None:
            found.append(position)
    return found


@pytest.mark.parametrize("pieces", [3, 4])
def test_probe_from_python(benchmark: BenchmarkFixture, folders: dict[int, Path], pieces: int) -> None:
    positions = at_random(pieces, PROBES)
    with Tablebase(folders[pieces]) as tables:
        known, seconds = best(benchmark, lambda: sum(tables.probe(p) is not None for p in positions), rounds=3)
    assert known == PROBES
    store(benchmark, "endgame tables, probe from Python", f"{pieces} pieces", PROBES / seconds)


@pytest.mark.parametrize("pieces", [3, 4])
def test_look_up_from_python(benchmark: BenchmarkFixture, folders: dict[int, Path], pieces: int) -> None:
    asked = [(p.state.cells(), p.state.pool(), p.state.side) for p in at_random(pieces, LOOK_UPS)]
    with Tablebase(folders[pieces]) as base:
        tables = base.tables(Rules.parse("taiwan"))
        known, seconds = best(benchmark, lambda: sum(tables.probe(*a) is not None for a in asked), rounds=3)
    assert known == LOOK_UPS
    store(benchmark, "endgame tables, look-up alone", f"{pieces} pieces", LOOK_UPS / seconds)


@pytest.mark.parametrize("pieces", [0, 3, 4])
@pytest.mark.parametrize("name", ENDINGS)
def test_search(benchmark: BenchmarkFixture, folders: dict[int, Path], name: str, pieces: int) -> None:
    measure = f"search of endings, tables of {pieces} pieces" if pieces else "search of endings, no tables"
    position, limit = Position.from_fen(ENDINGS[name]), Limit(nodes=NODES)
    with Engine(hash_mb=64, tablebase=folders.get(pieces)) as engine:
        nodes, seconds = best(benchmark, lambda: engine.play(position, limit).info.nodes, rounds=5, setup=engine.clear)
    assert nodes == NODES
    store(benchmark, measure, name, nodes / seconds / 1e6)
