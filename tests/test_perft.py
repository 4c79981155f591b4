"""Leaf counts: the positions of tests/perft, section 10 of the rules page, and the reference on the same positions."""

from dataclasses import dataclass
from pathlib import Path

import pytest

import banqi
from banqi import Counting, Position
from reference.perft import perft as reference_perft
from sizes import VERIFY

FOLDER = Path(__file__).parent / "perft"

# The rule sets of the small board, and all: a name here is a file in tests/perft.
SMALL = ("taiwan", "hongkong", "mainland", "cannon-adjacent", "dark-capture", "children", "cannon-chain")
ENGINE = (*SMALL, "double", "junqi")

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


@pytest.mark.parametrize("entry", params(ENGINE))
def test_the_reference_counts_those_of_the_file(entry: Entry) -> None:
    for depth, leaves in entry.leaves.items():
        if leaves <= REFERENCE_CAP:
            assert reference_perft(entry.fen, depth, entry.rules) == leaves, depth


# Section 10 of the rules page: the start of each board, and its leaves at depths 0, 1 and 2.
SMALL_START = "xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0"
DOUBLE_POOL = "KKGGGGMMMMRRRRNNNNCCCCPPPPPPPPPPkkggggmmmmrrrrnnnnccccpppppppppp"
DOUBLE_START = f"{'/'.join(['xxxxxxxx'] * 8)} ? {DOUBLE_POOL} - 0"
JUNQI_HALF = "xxxxx/xxxxx/x1x1x/xx1xx/x1x1x/xxxxx"
JUNQI_START = f"{JUNQI_HALF}/{JUNQI_HALF[::-1]} ? MGDDBBRRTTCCCPPPEEEOOLLLFmgddbbrrttcccpppeeeoolllf - 0"
STARTS = {
    **dict.fromkeys(
        (*SMALL, "hongkong(cannon=jump)", "mainland(dark_capture, chain=any)", "taiwan(perpetual=loses)"),
        (SMALL_START, [1, 448, 192_448]),
    ),
    **dict.fromkeys(
        ("double", "double(ranking=hongkong)", "double(dark_capture, chain=any)"), (DOUBLE_START, [1, 896, 790_272])
    ),
    **dict.fromkeys(("junqi", "junqi(repetition=2, quiet_limit=1)"), (JUNQI_START, [1, 1_200, 1_396_500])),
}


@pytest.mark.parametrize("counting", Counting)
@pytest.mark.parametrize("rules", STARTS)
@pytest.mark.parametrize("depth", range(3))
def test_the_start_of_every_set(rules: str, depth: int, counting: Counting) -> None:
    fen, leaves = STARTS[rules]
    assert Position(rules).perft(depth, counting=counting) == leaves[depth]
    assert banqi.perft(fen, depth, rules=rules) == leaves[depth]


# Worked out by hand. A chariot takes a horse; a soldier stands behind the horse, a general out of reach.
CHAIN = "3k/4/4/4/1p2/1n2/1R2/4 r - - 0"
# The same with a face-down piece behind the horse: a soldier of either colour is hidden there and on a8.
DARK_CHAIN = "x2k/4/4/4/1x2/1n2/1R2/4 r Pp - 0"
BEFORE_END = "3k/4/4/4/1p2/1R2/4/4 r - b3 0"


@pytest.mark.parametrize("counting", Counting)
@pytest.mark.parametrize(
    ("fen", "rules", "leaves"),
    [
        # Three steps and the capture.
        (CHAIN, "taiwan(chain=any)", {1: 4}),
        # In the chain a capture that ends the turn by itself, or the end; then two steps of the general, and three of
        # the soldier if it is left.
        (BEFORE_END, "taiwan(chain=any)", {1: 2, 2: 2 + 5}),
        # Three steps, the capture, and two flips of two identities each.
        (DARK_CHAIN, "children", {1: 8}),
        # In the chain: the attempt counts once for each identity, the end once.
        ("x2k/4/4/4/1x2/1R2/4/4 r Pp b3 0", "children", {1: 3}),
        ("x2k/4/4/4/1x2/1R2/4/4 r PP b3 0", "children", {1: 2}),
        # No black piece is left: no children.
        ("4/4/4/4/1x2/1R2/4/4 r P b3 0", "children", {0: 1, 1: 0, 3: 0}),
        # An attempt without a chain, and a flip of the same square: each once for each identity.
        ("x2k/4/4/4/4/4/x3/R3 r Pp - 0", "dark-capture", {1: 2 + 2 + 2 + 1}),
    ],
)
def test_chains_attempts_and_end_are_actions(fen: str, rules: str, leaves: dict[int, int], counting: Counting) -> None:
    position = Position.from_fen(fen, rules=rules)
    assert {depth: position.perft(depth, counting=counting) for depth in leaves} == leaves


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
