"""The slow reference of Junqi against the figures of the rules page: the board, the counts, and what it refuses."""

import random
from collections.abc import Iterable

import pytest

from junqi_texts import REFUSED, START, text
from reference.fen import read, start, write
from reference.game import Game
from reference.games import parse
from reference.junqi import JunqiPosition, survivors
from reference.junqi_board import CAMPS, FILES, HEADQUARTERS, LINES, NODES, POSTS, RAILWAY, ROADS
from reference.junqi_rules import SET, JunqiRules
from reference.perft import actions, perft
from reference.walks import random_fen
from sizes import VERIFY

RULES = JunqiRules()


def mask(nodes: Iterable[str]) -> int:
    """The nodes as a number, bit (row - 1) * 5 + column for each."""
    return sum(1 << (int(node[1:]) - 1) * 5 + FILES.index(node[0]) for node in nodes)


def edges(nodes_beside: dict[str, list[str]]) -> set[frozenset[str]]:
    """The edges of lists of neighbours, each once."""
    return {frozenset((node, to)) for node, beside in nodes_beside.items() for to in beside}


def is_orthogonal(edge: frozenset[str]) -> bool:
    """Whether the two ends share a row or a column."""
    (file, row), (other_file, other_row) = ((node[0], node[1:]) for node in edge)
    return file == other_file or row == other_row


# ---- the board: section 7 --------------------------------------------------------------------------------------------


def test_the_nodes() -> None:
    assert len(NODES) == len(set(NODES)) == 60
    assert [mask([node]) for node in NODES] == [1 << index for index in range(60)]
    assert (len(CAMPS), len(POSTS)) == (10, 50)
    assert mask(CAMPS) == 0x0001445000A22800
    assert mask(POSTS) == 0x0FFEBBAFFF5DD7FF
    assert mask(HEADQUARTERS) == 0x050000000000000A
    assert mask(node for node in NODES if RAILWAY[node]) == 0x007E318FFF18C7E0
    assert sum(1 for node in NODES if RAILWAY[node]) == 32


def test_the_edges() -> None:
    every = edges(ROADS)
    orthogonal = {edge for edge in every if is_orthogonal(edge)}
    assert (len(every), len(orthogonal), len(every - orthogonal)) == (133, 101, 32)
    assert len(edges(RAILWAY)) == 35
    assert edges(RAILWAY) <= orthogonal
    assert all(edge & CAMPS for edge in every - orthogonal)
    assert all(len(ROADS[camp]) == 8 for camp in CAMPS)
    assert not {frozenset(("b6", "b7")), frozenset(("d6", "d7"))} & every
    assert all(node in ROADS[to] for node in NODES for to in ROADS[node])
    assert all(node in RAILWAY[to] for node in NODES for to in RAILWAY[node])


def test_the_board_has_four_symmetries() -> None:
    turned = {node: f"{node[0]}{13 - int(node[1:])}" for node in NODES}
    mirrored = {node: f"{FILES[4 - FILES.index(node[0])]}{node[1:]}" for node in NODES}
    for image in (turned, mirrored, {node: turned[mirrored[node]] for node in NODES}):
        for graph in (ROADS, RAILWAY):
            assert all({image[to] for to in graph[node]} == set(graph[image[node]]) for node in NODES)


def test_lines_are_straight_railway() -> None:
    assert sorted(LINES["c6"]) == sorted([["c7"], ["b6", "a6"], ["d6", "e6"]])
    assert [f"a{row}" for row in range(3, 12)] in LINES["a2"]
    assert not LINES["a1"]
    assert not LINES["a12"]
    assert not LINES["b3"]


@pytest.mark.parametrize(("piece", "pairs"), [("R", 458), ("O", 458), ("E", 1188), ("L", 0), ("F", 0)])
def test_the_moves_on_an_empty_board(piece: str, pairs: int) -> None:
    # A mine or a flag gets into no camp, and does not move anyway.
    nodes = NODES if pairs else POSTS
    assert sum(len(JunqiPosition(RULES, {node: piece}, {}, "r").targets(node)) for node in nodes) == pairs


# ---- the counts: section 10 ------------------------------------------------------------------------------------------


def test_the_counts_of_the_start() -> None:
    position = read(START, RULES)
    assert perft(START, 0, "junqi") == 1
    assert perft(START, 1, "junqi") == 1200
    # At depth 2 every action is counted; only `make verify` makes what it leads to.
    assert sum(len(actions(position.after(first))) for first in actions(position)) == 1_396_500
    if VERIFY:
        assert perft(START, 2, "junqi") == 1_396_500


def test_lost_positions_have_no_children_and_draws_do() -> None:
    assert perft(text("a2=M a11=m", flags="d1=F"), 0, "junqi") == 1
    assert perft(text("a2=M a11=m", flags="d1=F"), 1, "junqi") == 0
    assert perft(text("a2=L a11=m", "r"), 1, "junqi") == 0
    # From a1 to b1 and a2, whatever the limit and the repetition say.
    assert perft(text("a1=R a11=m", "r", quiet=1), 1, "junqi(repetition=2, quiet_limit=1)") == 2


# ---- the set and the combat: section 7 -------------------------------------------------------------------------------


def test_the_set() -> None:
    assert "".join(SET) == "MGDBRTCPEOLF" == RULES.kinds
    assert list(SET.values()) == [1, 1, 2, 2, 2, 2, 3, 3, 3, 2, 3, 1]
    assert start(RULES) == START


# For each attacker what happens to the defenders M G D B R T C P E O L F, written out: `+` the attacker stays, `-` the
# defender stays, `0` neither does.
COMBAT = {
    "M": "0++++++++0-+",
    "G": "-0+++++++0-+",
    "D": "--0++++++0-+",
    "B": "---0+++++0-+",
    "R": "----0++++0-+",
    "T": "-----0+++0-+",
    "C": "------0++0-+",
    "P": "-------0+0-+",
    "E": "--------00++",
    "O": "000000000000",
}


def test_the_whole_table_of_combat() -> None:
    sign = {(True, False): "+", (False, True): "-", (False, False): "0"}
    found = {attacker: "".join(sign[survivors(attacker, defender)] for defender in RULES.kinds) for attacker in COMBAT}
    assert found == COMBAT


# ---- position texts and options: section 8 ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    wrong, right = REFUSED[name]
    with pytest.raises(ValueError, match=r"\w"):
        read(wrong, RULES)
    read(right, RULES)


@pytest.mark.parametrize(
    "rules",
    [
        "junqis",
        "junqi(",
        "junqi(repetition=1)",
        "junqi(repetition=cycle)",
        "junqi(quiet_limit=0)",
        "junqi(chain=any)",
        "junqi(perpetual=loses)",
        "junqi(quiet_limit=40, quiet_limit=40)",
    ],
)
def test_what_is_no_rule_set(rules: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        parse(rules)


def test_options() -> None:
    assert parse("junqi") == JunqiRules(repetition="none", quiet_limit=80)
    assert parse("junqi(repetition=3, quiet_limit=40)") == JunqiRules(repetition=3, quiet_limit=40)
    assert parse("junqi(repetition=none)") == JunqiRules()


# ---- random positions and games --------------------------------------------------------------------------------------


def test_random_positions_are_never_refused() -> None:
    for pieces in range(2, 51):
        for hidden in (0, pieces // 2, pieces - 1):
            rng = random.Random(f"{pieces} {hidden}")
            red = pieces // 2
            fen = random_fen(RULES, rng, red=red, black=pieces - red, hidden=hidden)
            position = read(fen, RULES)
            assert write(position) == fen
            assert len(position.board) == pieces
            assert [side for side in "rb" if position.lost(side)] == []
            assert list(position.board.values()).count("x") == sum(position.pool.values()) == hidden


def test_the_first_seat_acts_first() -> None:
    for shown in RULES.letters:
        game = Game("junqi")
        assert game.seat() == 0
        game.play(f"a12a12{shown}")
        assert game.seat() == 1
        assert game.position.side == ("b" if shown.isupper() else "r")
