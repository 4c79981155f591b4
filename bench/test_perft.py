"""Counting the leaves of a tree. Every count is compared with the stored one, so no work can be left out."""

import time

import pytest
from meter import best, store
from positions import JUNQI_TREES, TREES, Tree
from pytest_benchmark.fixture import BenchmarkFixture

from banqi import Position

pytestmark = pytest.mark.benchmark(timer=time.thread_time, group="perft")

# One round of the largest tree takes about half a second.
MOST_MADE = 110_000_000
MOST_COUNTED = 450_000_000

(START,) = (tree for tree in TREES if tree.name == "start")
every_tree = pytest.mark.parametrize("tree", [tree for tree in TREES if tree is not START], ids=lambda tree: tree.name)


@every_tree
def test_every_leaf_made(benchmark: BenchmarkFixture, tree: Tree) -> None:
    depth = tree.deepest(MOST_MADE)
    state = Position.from_fen(tree.fen).state
    leaves, seconds = best(benchmark, lambda: state.perft(depth, True))
    assert leaves == tree.leaves[depth]
    store(benchmark, "perft, every leaf made", f"{tree.name}, depth {depth}", leaves / seconds / 1e6)


@every_tree
def test_bulk(benchmark: BenchmarkFixture, tree: Tree) -> None:
    depth = tree.deepest(MOST_COUNTED)
    state = Position.from_fen(tree.fen).state
    leaves, seconds = best(benchmark, lambda: state.perft(depth, False))
    assert leaves == tree.leaves[depth]
    store(benchmark, "perft, bulk", f"{tree.name}, depth {depth}", leaves / seconds / 1e6)


def test_four_plies_from_the_start(benchmark: BenchmarkFixture) -> None:
    leaves, seconds = best(benchmark, lambda: Position().perft(4), rounds=3)
    assert leaves == START.leaves[4]
    store(benchmark, "perft 4 from the start, bulk", "start", seconds)


@pytest.mark.parametrize(("name", "full"), [("every leaf made", True), ("bulk", False)])
def test_junqi(benchmark: BenchmarkFixture, name: str, full: bool) -> None:
    """Every position of the file, each to the last depth that stands there."""
    trees = [(Position.from_fen(tree.fen, rules="junqi").state, max(tree.leaves.items())) for tree in JUNQI_TREES]
    leaves, seconds = best(benchmark, lambda: sum(state.perft(depth, full) for state, (depth, _) in trees))
    assert leaves == sum(count for _, (_, count) in trees)
    store(benchmark, f"Junqi: perft, {name}", "all of junqi.perft", leaves / seconds / 1e6)
