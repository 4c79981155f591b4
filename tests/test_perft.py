"""Leaf counts: the positions of tests/perft, section 10 of the rules page, and the reference on the same positions."""

from dataclasses import dataclass
from pathlib import Path

import pytest

import banqi
from banqi import Counting, Position
from reference.perft import perft as reference_perft
from sizes import VERIFY

FOLDER = Path(__file__).parent / "perft"

# The rule sets that the engine plays, and those that the reference plays: a name here is a file in tests/perft.
ENGINE = ("taiwan", "hongkong", "mainland", "cannon-adjacent")
REFERENCE = (*ENGINE, "dark-capture", "children", "cannon-chain", "double")

# Larger counts than these wait for `make verify`.
BULK_CAP = 50_000_000
FULL_CAP = 5_000_000
REFERENCE_CAP = 200_000 if VERIFY else 20_000


@dataclass(frozen=True)
class Entry:
    """A line of a file: a position and its leaf counts by depth."""

    rules: str
    fen: str
    leaves: dict[int, int]


def entries(name: str) -> list[Entry]:
    """The lines of a file. What follows `-deep` in a file's name is no part of the rule set's."""
    found = []
    for line in (FOLDER / f"{name}.perft").read_text().splitlines():
        fen, *counts = line.split(" ;")
        leaves = {int(depth): int(count) for depth, count in (text.removeprefix("D").split() for text in counts)}
        found.append(Entry(name.removesuffix("-deep"), fen, leaves))
    return found


def params(names: tuple[str, ...]) -> list[object]:
    """Every line of some files, each named after its file and its number there."""
    return [
        pytest.param(entry, id=f"{name}-{number}") for name in names for number, entry in enumerate(entries(name), 1)
    ]


def check(entry: Entry, counting: Counting, cap: int) -> None:
    """Compare the counts up to a cap; the message of a failure holds the divide table."""
    position = Position.from_fen(entry.fen, rules=entry.rules)
    for depth, leaves in entry.leaves.items():
        if leaves > cap and not VERIFY:
            continue
        counted = position.perft(depth, counting=counting)
        assert counted == leaves, f"{counting.value} perft {depth} of {entry}\n{table(position, depth, counting)}"


def table(position: Position, depth: int, counting: Counting) -> str:
    """The leaves after each move, one a line."""
    return "\n".join(f"{move} {leaves}" for move, leaves in position.divide(depth, counting=counting).items())


@pytest.mark.parametrize("entry", params((*ENGINE, "taiwan-deep")))
def test_bulk_counts_are_those_of_the_file(entry: Entry) -> None:
    check(entry, Counting.BULK, BULK_CAP)


@pytest.mark.parametrize("entry", params((*ENGINE, "taiwan-deep")))
def test_full_counts_are_those_of_the_file(entry: Entry) -> None:
    check(entry, Counting.FULL, FULL_CAP)


@pytest.mark.parametrize("entry", params(REFERENCE))
def test_the_reference_counts_those_of_the_file(entry: Entry) -> None:
    for depth, leaves in entry.leaves.items():
        if leaves <= REFERENCE_CAP:
            assert reference_perft(entry.fen, depth, entry.rules) == leaves, depth


# Section 10 of the rules page.
START = "xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0"


@pytest.mark.parametrize("counting", Counting)
@pytest.mark.parametrize("rules", ENGINE)
@pytest.mark.parametrize(("depth", "leaves"), [(0, 1), (1, 448), (2, 192_448)])
def test_the_start_of_every_rule_set(rules: str, depth: int, leaves: int, counting: Counting) -> None:
    assert Position(rules).perft(depth, counting=counting) == leaves
    assert banqi.perft(START, depth, rules=rules) == leaves


@pytest.mark.parametrize("counting", Counting)
def test_the_start_to_depth_3(counting: Counting) -> None:
    assert Position().perft(3, counting=counting) == 78_989_568


def test_the_start_to_depth_4() -> None:
    assert Position().perft(4) == 30_871_352_640


@pytest.mark.parametrize("rules", ENGINE)
@pytest.mark.parametrize("counting", Counting)
def test_divide_adds_up(rules: str, counting: Counting) -> None:
    for entry in entries(rules):
        depth = max(depth for depth, leaves in entry.leaves.items() if leaves <= BULK_CAP // 100)
        parts = Position.from_fen(entry.fen, rules=rules).divide(depth, counting=counting)
        assert sum(parts.values()) == entry.leaves[depth]


@pytest.mark.parametrize("fen", ["x3/4/4/4/1R2/4/4/4 r P - 0", "4/4/4/4/4/4/P3/kP2 b - - 0"])
@pytest.mark.parametrize("counting", Counting)
def test_a_lost_position_has_no_children(fen: str, counting: Counting) -> None:
    # All of black is captured; black, to move, has no move.
    position = Position.from_fen(fen)
    assert position.perft(0, counting=counting) == 1
    assert position.perft(1, counting=counting) == 0
    assert position.perft(5, counting=counting) == 0


@pytest.mark.parametrize("counting", Counting)
def test_repetition_and_the_quiet_limit_end_nothing(counting: Counting) -> None:
    # The generals are 10 steps apart, so in 8 plies they never meet; but their positions repeat, and none is loud.
    position = Position.from_fen("3k/4/4/4/4/4/4/K3 r - - 0", rules="taiwan(repetition=2, quiet_limit=1)")
    assert position.perft(8, counting=counting) == walks_from_a_corner(4) ** 2


def walks_from_a_corner(steps: int) -> int:
    """How many ways of so many steps lead from a corner of an empty board."""
    ways = {(0, 0): 1}
    for _ in range(steps):
        after: dict[tuple[int, int], int] = {}
        for (column, row), count in ways.items():
            for to in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
                if 0 <= to[0] < 4 and 0 <= to[1] < 8:
                    after[to] = after.get(to, 0) + count
        ways = after
    return sum(ways.values())
