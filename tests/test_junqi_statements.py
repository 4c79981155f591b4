"""Hand-made cases for Junqi, J1 to J8 of the rules page: what is expected was worked out by hand from the page."""

import pytest

from banqi import Counting, Fault, FenError, MoveError, Outcome, Position, Rules, RulesError, Side, Termination
from junqi_texts import ALONE, REFUSED, START, TWOFOLD, UNTOUCHED, WHOLE_SET, text
from statements import QUIET_LIMIT, REPETITION, legal, legal_from, played, requests

JUNQI = "junqi"

# The page calls the second colour blue; it is the side that is written b.
RED, BLUE = Side("r"), Side("b")
RED_HAS_THE_FLAG = Outcome(RED, Termination.FLAG)
BLUE_HAS_THE_FLAG = Outcome(BLUE, Termination.FLAG)
RED_SHUTS_IN = Outcome(RED, Termination.NO_MOVES)
BLUE_SHUTS_IN = Outcome(BLUE, Termination.NO_MOVES)

RANKED = "MGDBRTCPE"
MOVING = f"{RANKED}O"
ALL_BUT_ENGINEERS = MOVING.replace("E", "")
KINDS = "MGDBRTCPEOLF"

CAMPS = ("b3", "d3", "c4", "b5", "d5", "b8", "d8", "c9", "b10", "d10")
HEADQUARTERS = ("b1", "d1", "b12", "d12")
POSTS = {f"{file}{row}" for file in "abcde" for row in range(1, 13)} - set(CAMPS)
RAILWAY_NODES = {f"{file}{row}" for file in "abcde" for row in (2, 6, 7, 11)} | {
    f"{file}{row}" for file in "ae" for row in range(2, 12)
}

FLAG_PIECES = {"F": "d1=F", "f": "b12=f"}

# Two marshals far apart, on two outer files, and four plies that bring them back.
MARSHALS = text("a1=M e12=m")
CYCLE = "a1-b1 e12-d12 b1-a1 d12-e12 "


def targets(square: str, fen: str) -> set[str]:
    """Where the piece on a square may move."""
    return {move.removeprefix(f"{square}-") for move in legal_from(square, fen, JUNQI)}


def after(fen: str, moves: str, rules: str = JUNQI) -> str:
    """The text of the position after these moves."""
    return played(fen, moves, rules).fen()


# ---- the board and the set -------------------------------------------------------------------------------------------


def test_the_start() -> None:
    position = Position(JUNQI)
    assert position.fen() == START
    assert Position.from_fen(START, rules=JUNQI) == position
    assert position.side is None
    assert position.outcome() is None
    assert requests(position) == POSTS
    assert position.legal_moves.count() == 50
    assert set(position.captured().values()) == {0}
    assert all(position.piece_at(camp) is None for camp in CAMPS)


def test_the_set() -> None:
    rules = Rules.parse(JUNQI)
    assert (rules.geometry.files, rules.geometry.ranks, rules.geometry.squares) == (5, 12, 60)
    assert rules.letters == "MGDBRTCPEOLFmgdbrtcpeolf"
    counts = {"M": 1, "G": 1, "D": 2, "B": 2, "R": 2, "T": 2, "C": 3, "P": 3, "E": 3, "O": 2, "L": 3, "F": 1}
    assert dict(rules.set_counts) == counts
    assert sum(counts.values()) == 25


@pytest.mark.parametrize(("node", "index"), [("a1", 0), ("e1", 4), ("a2", 5), ("c6", 27), ("a10", 45), ("e12", 59)])
def test_a_node_has_the_number_that_the_page_gives_it(node: str, index: int) -> None:
    assert Rules.parse(JUNQI).geometry.index(node) == index
    assert str(Position.from_fen(text(f"{node}=M"), rules=JUNQI).piece_at(index)) == "M"


@pytest.mark.parametrize("square", ["a1", "e1", "c3", "a10", "c10", "e12"])
def test_nodes_are_where_the_text_says(square: str) -> None:
    position = Position(JUNQI)
    position.push(f"{square}(M)")
    ranks = UNTOUCHED.replace("1", ".").split("/")
    row = list(ranks[12 - int(square[1:])])
    row["abcde".index(square[0])] = "M"
    ranks[12 - int(square[1:])] = "".join(row)
    assert position.fen() == f"{'/'.join(ranks).replace('.', '1')} b {WHOLE_SET[1:]} - 0"
    assert str(position.piece_at(square)) == "M"


# What lies ahead on an empty board, roads and straight railway, of at least one node of every kind.
REACHED = {
    # Headquarters and corners lie on no railway.
    "b1": "a1 c1 b2",
    "a1": "b1 a2",
    "c1": "b1 d1 c2",
    "e12": "d12 e11",
    # Rows 2 and 11: the row, the outer files, a road, and the camps at a slant.
    "a2": "b2 c2 d2 e2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a1 b3",
    "b2": "a2 c2 d2 e2 b1 b3",
    "c2": "a2 b2 d2 e2 c1 c3 b3 d3",
    "e11": "a11 b11 c11 d11 e2 e3 e4 e5 e6 e7 e8 e9 e10 e12 d10",
    # Camps have eight neighbours.
    "b3": "a2 b2 c2 a3 c3 a4 b4 c4",
    "c4": "b3 c3 d3 b4 d4 b5 c5 d5",
    "b5": "a4 b4 c4 a5 c5 a6 b6 c6",
    "d8": "c7 d7 e7 c8 e8 c9 d9 e9",
    "d10": "c9 d9 e9 c10 e10 c11 d11 e11",
    # Nodes of roads only.
    "c3": "c2 c4 b3 d3",
    "b4": "a4 c4 b3 b5",
    "c5": "b5 d5 c4 c6",
    # The outer files.
    "a3": "a2 a4 a5 a6 a7 a8 a9 a10 a11 b3",
    "a4": "a2 a3 a5 a6 a7 a8 a9 a10 a11 b4 b3 b5",
    "a6": "a2 a3 a4 a5 a7 a8 a9 a10 a11 b6 c6 d6 e6 b5",
    # Rows 6 and 7 with the mountains b6-b7 and d6-d7, and with the railway c6-c7 between them.
    "b6": "a6 c6 d6 e6 b5",
    "d6": "a6 b6 c6 e6 d5",
    "b7": "a7 c7 d7 e7 b8",
    "d7": "a7 b7 c7 e7 d8",
    "c6": "a6 b6 d6 e6 c7 c5 b5 d5",
    "c7": "a7 b7 d7 e7 c6 c8 b8 d8",
}


@pytest.mark.parametrize("kind", ALL_BUT_ENGINEERS)
@pytest.mark.parametrize("node", REACHED)
def test_what_is_reached_from_a_node(node: str, kind: str) -> None:
    # The flags are out of reach from all of these nodes.
    flags = "a12=F b12=f"
    assert targets(node, text(f"{node}={kind}", flags=flags)) == set(REACHED[node].split())
    assert targets(node, text(f"{node}={kind.lower()}", "b", flags=flags)) == set(REACHED[node].split())


# ---- J1: a flip of any face-down piece, or a move of an own face-up piece --------------------------------------------


def test_j1_a_ply_is_a_flip_or_a_move_of_an_own_piece() -> None:
    pieces = "a1=R c1=x e12=r c12=x"
    assert legal(text(pieces, "r", "Mm"), JUNQI) == {"c1", "c12", "a1-a2", "a1-b1"}
    assert legal(text(pieces, "b", "Mm"), JUNQI) == {"c1", "c12", "e12-e11", "e12-d12"}


@pytest.mark.parametrize("nothing", ["end", "0000"])
def test_j1_there_is_no_pass(nothing: str) -> None:
    position = Position.from_fen(MARSHALS, rules=JUNQI)
    assert not position.is_legal(nothing)
    with pytest.raises(MoveError):
        position.push(nothing)


@pytest.mark.parametrize(
    "move",
    [
        pytest.param("e12-e11", id="a move of the enemy"),
        pytest.param("a1(M)", id="a flip of what is face up"),
        pytest.param("b4(R)", id="a flip of an empty node"),
        pytest.param("b4-b5", id="a move from an empty node"),
        pytest.param("c12-c11", id="a move of a face-down piece"),
        pytest.param("c12(M)", id="a reveal that the pool does not hold"),
        pytest.param("c12", id="a flip without its reveal"),
        pytest.param("a1-a2(r)", id="a move with a reveal"),
        pytest.param("a1a1", id="a move to the same node"),
        pytest.param("a1-a13", id="a move off the board"),
        pytest.param("a1-f1", id="a move to a file that does not exist"),
        pytest.param("c12(K)", id="a reveal of no kind"),
    ],
)
def test_j1_nothing_else_is_a_ply(move: str) -> None:
    fen = text("a1=M e12=m c12=x", pool="R")
    position = Position.from_fen(fen, rules=JUNQI)
    with pytest.raises(MoveError):
        position.push(move)
    assert position.fen() == fen


def test_j1_before_the_first_flip_only_flips_exist() -> None:
    position = Position(JUNQI)
    assert requests(position) == POSTS
    with pytest.raises(MoveError):
        position.push("a1-a2")


def test_j1_the_first_reveal_is_drawn_from_the_whole_set() -> None:
    outcomes = Position(JUNQI).outcomes("c10")
    assert {str(outcome.move): outcome.weight for outcome in outcomes} == {
        f"c10({letter})": WHOLE_SET.count(letter) for letter in KINDS + KINDS.lower()
    }
    assert [outcome.probability for outcome in outcomes] == [outcome.weight / 50 for outcome in outcomes]


@pytest.mark.parametrize("shown", KINDS + KINDS.lower())
def test_j1_the_first_flip_decides_colours_and_the_turn_passes(shown: str) -> None:
    # If red was shown, the flipper is red, and blue is to move. A mine, a bomb or a flag decides as well.
    position = Position(JUNQI)
    position.push(f"e12({shown})")
    assert position.side is (BLUE if shown in KINDS else RED)
    pool = WHOLE_SET.replace(shown, "", 1)
    assert position.fen() == f"xxxx{shown}{UNTOUCHED[5:]} {'b' if shown in KINDS else 'r'} {pool} - 0"
    assert position.outcome() is None
    # The other player has nothing face up yet.
    assert requests(position) == POSTS - {"e12"}


@pytest.mark.parametrize(("first", "second", "side"), [("M", "m", RED), ("M", "G", RED), ("l", "F", BLUE)])
def test_j1_later_flips_change_no_colours(first: str, second: str, side: Side) -> None:
    position = Position(JUNQI)
    position.push(f"a1({first})")
    position.push(f"a12({second})")
    assert position.side is side


@pytest.mark.parametrize("side", "rb")
@pytest.mark.parametrize("shown", "LOFlof")
def test_j1_flipping_a_mine_a_bomb_or_a_flag_has_no_other_effect(shown: str, side: str) -> None:
    # Marshals stand on both sides of what is flipped. The flag that is not on the board is hidden with it.
    flags = "".join(f"{node}={flag} " for node, flag in (("a12", "F"), ("e12", "f")) if flag != shown)
    pieces = "b2=M d2=m c2={}"
    fen = text(pieces.format("x"), side, shown, 7, flags=flags)
    position = played(fen, f"c2({shown})", JUNQI)
    assert position.fen() == text(pieces.format(shown), "b" if side == "r" else "r", flags=flags)
    assert position.outcome() is None


def test_j1_a_flip_reveals_what_the_pool_holds() -> None:
    position = Position.from_fen(text("a1=x a2=x a3=x", pool="DDl"), rules=JUNQI)
    found = {str(outcome.move): (outcome.weight, outcome.probability) for outcome in position.outcomes("a2")}
    assert found == {"a2(D)": (2, 2 / 3), "a2(l)": (1, 1 / 3)}


# ---- J2: mines and flags never move, everything else does ------------------------------------------------------------


@pytest.mark.parametrize("node", ["a2", "c3", "c6", "b1", "d12", "e7"])
def test_j2_mines_and_flags_never_move(node: str) -> None:
    # A marshal somewhere else shows that it is not the position in which nobody moves.
    assert legal_from(node, text(f"{node}=L a12=M", flags="a1=F e12=f"), JUNQI) == set()
    assert legal_from(node, text(f"{node}=l a12=m", "b", flags="a1=F e12=f"), JUNQI) == set()
    assert legal_from(node, text("a12=M", flags=f"{node}=F e12=f"), JUNQI) == set()
    assert legal_from(node, text("a12=m", "b", flags=f"{node}=f a1=F"), JUNQI) == set()


def test_j2_mines_and_flags_attack_nobody() -> None:
    assert legal(text("a2=L a3=e b2=p a12=M", flags="a1=F b1=f"), JUNQI) == {"a12-a11", "a12-b12"}


@pytest.mark.parametrize("kind", MOVING)
def test_j2_everything_else_moves(kind: str) -> None:
    assert targets("a1", text(f"a1={kind}")) == {"b1", "a2"}
    assert targets("a1", text(f"a1={kind.lower()}", "b")) == {"b1", "a2"}


# ---- J3: one edge to a joined node -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", MOVING)
def test_j3_every_kind_moves_one_edge_by_road(kind: str) -> None:
    # From a camp in all eight directions, an engineer too, since no camp is on the railway.
    assert targets("c4", text(f"c4={kind}")) == {"b3", "c3", "d3", "b4", "d4", "b5", "c5", "d5"}
    assert targets("c4", text(f"c4={kind.lower()}", "b")) == {"b3", "c3", "d3", "b4", "d4", "b5", "c5", "d5"}
    assert targets("c3", text(f"c3={kind}")) == {"c2", "c4", "b3", "d3"}


@pytest.mark.parametrize("kind", MOVING)
@pytest.mark.parametrize(("south", "north"), [("b6", "b7"), ("d6", "d7")])
def test_j3_no_edge_crosses_a_mountain(kind: str, south: str, north: str) -> None:
    # Walled in by own mines, a piece beside a mountain can reach only the camp behind it.
    left, right = chr(ord(south[0]) - 1), chr(ord(south[0]) + 1)
    walls = f"{left}6=L {right}6=L"
    assert targets(south, text(f"{south}={kind} {walls} {north}=m")) == {f"{south[0]}5"}
    walls = f"{left}7=L {right}7=L"
    assert targets(north, text(f"{north}={kind} {walls} {south}=m")) == {f"{north[0]}8"}


@pytest.mark.parametrize("kind", MOVING)
def test_j3_no_slanting_edge_without_a_camp(kind: str) -> None:
    # Enemies stand at a slant of b1, c3 and c12, and none of them is in a camp.
    assert targets("b1", text(f"b1={kind} a2=m c2=g")) == {"a1", "c1", "b2"}
    assert targets("c3", text(f"c3={kind} b2=m d2=g b4=d d4=d")) == {"c2", "c4", "b3", "d3"}
    assert targets("c12", text(f"c12={kind} b11=m d11=g", flags="d1=F a1=f")) == {"b12", "d12", "c11"}


@pytest.mark.parametrize("kind", MOVING)
@pytest.mark.parametrize("move", ["a6-a7", "a6-b6", "c6-c7", "c2-d2", "e11-e10"])
def test_j3_an_edge_of_the_railway_is_a_step_too(kind: str, move: str) -> None:
    start, target = move.split("-")
    assert after(text(f"{start}={kind}", quiet=3), move) == text(f"{target}={kind}", "b", quiet=4)


@pytest.mark.parametrize("headquarters", HEADQUARTERS)
@pytest.mark.parametrize("kind", MOVING)
def test_headquarters_are_ordinary_posts(headquarters: str, kind: str) -> None:
    # Enter, leave, attack, be attacked. Beside it stands a marshal, who takes and is taken as anywhere.
    beside = f"c{headquarters[1:]}"
    flags = "a6=F e6=f"
    assert f"{beside}-{headquarters}" in legal(text(f"{beside}={kind}", flags=flags), JUNQI)
    assert len(targets(headquarters, text(f"{headquarters}={kind}", flags=flags))) == 3
    assert f"{headquarters}-{beside}" in legal(text(f"{headquarters}={kind} {beside}=m", flags=flags), JUNQI)
    assert f"{beside}-{headquarters}" in legal(text(f"{headquarters}={kind} {beside}=m", "b", flags=flags), JUNQI)


# ---- J4: any distance along one straight line of railway, all between empty; no turning ------------------------------


@pytest.mark.parametrize("kind", ALL_BUT_ENGINEERS)
def test_j4_a_slide_goes_up_to_the_first_piece(kind: str) -> None:
    # Along row 6 an enemy on d6, along file a an own piece on a9 and a face-down piece on a4; b5 is a camp.
    fen = text(f"a6={kind} d6=m e6=g a9=P a4=x", pool="c")
    assert targets("a6", fen) == {"b6", "c6", "d6", "a7", "a8", "a5", "b5"}


@pytest.mark.parametrize("kind", ALL_BUT_ENGINEERS)
@pytest.mark.parametrize("move", ["a2-a11", "a11-a2", "a7-e7", "e6-a6", "b11-d11", "e3-e10", "c6-c7"])
def test_j4_a_slide_goes_any_distance(kind: str, move: str) -> None:
    start, target = move.split("-")
    assert after(text(f"{start}={kind}", quiet=5), move) == text(f"{target}={kind}", "b", quiet=6)


@pytest.mark.parametrize("kind", ALL_BUT_ENGINEERS)
def test_j4_a_slide_attacks_far_away(kind: str) -> None:
    # The bomb makes every attack end alike: both go.
    assert after(text(f"a2={kind} a11=o", quiet=5), "a2-a11") == text("", "b")
    assert after(text(f"e7={kind} a7=o", quiet=5), "e7-a7") == text("", "b")


@pytest.mark.parametrize("kind", ALL_BUT_ENGINEERS)
def test_j4_no_slide_turns(kind: str) -> None:
    # From b2 the corners a2 and e2 are reached, nothing on the outer files; from c6 the link to c7, not row 7.
    assert targets("b2", text(f"b2={kind}")) == {"a2", "c2", "d2", "e2", "b1", "b3"}
    assert targets("c6", text(f"c6={kind}")) == {"a6", "b6", "d6", "e6", "c7", "c5", "b5", "d5"}
    # An enemy stands round the corner.
    assert targets("b2", text(f"b2={kind} a3=m e3=g")) == {"a2", "c2", "d2", "e2", "b1", "b3"}


@pytest.mark.parametrize("kind", MOVING)
def test_j4_no_slide_along_roads(kind: str) -> None:
    # The outer railways stop at rows 2 and 11, the middle one is the edge c6-c7 alone.
    assert targets("a1", text(f"a1={kind}")) == {"b1", "a2"}
    assert targets("e12", text(f"e12={kind}")) == {"d12", "e11"}
    assert targets("c5", text(f"c5={kind}")) == {"c4", "c6", "b5", "d5"}
    assert targets("c8", text(f"c8={kind}")) == {"c9", "c7", "b8", "d8"}
    assert targets("a12", text(f"a12={kind}", flags="d1=F e1=f")) == {"b12", "a11"}


@pytest.mark.parametrize("kind", ALL_BUT_ENGINEERS)
def test_j4_a_slide_ends_where_the_railway_does(kind: str) -> None:
    found = targets("a7", text(f"a7={kind}"))
    assert found == {"a2", "a3", "a4", "a5", "a6", "a8", "a9", "a10", "a11", "b7", "c7", "d7", "e7", "b8"}


# ---- J5: an engineer turns freely on the railway ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("node", "roads"),
    [
        ("a2", "a1 b3"),
        ("c2", "c1 c3 b3 d3"),
        ("b6", "b5"),
        ("c6", "c5 b5 d5"),
        ("d7", "d8"),
        ("e9", "d9 d8 d10"),
        ("a11", "a12 b10"),
    ],
)
def test_j5_an_engineer_reaches_every_node_of_the_railway(node: str, roads: str) -> None:
    assert len(RAILWAY_NODES) == 32
    assert targets(node, text(f"{node}=E")) == RAILWAY_NODES - {node} | set(roads.split())
    assert targets(node, text(f"{node}=e", "b")) == RAILWAY_NODES - {node} | set(roads.split())


@pytest.mark.parametrize(("node", "reached"), [("c3", "c2 c4 b3 d3"), ("a1", "b1 a2"), ("b5", REACHED["b5"])])
def test_j5_an_engineer_off_the_railway_has_roads_only(node: str, reached: str) -> None:
    assert targets(node, text(f"{node}=E")) == set(reached.split())


def test_j5_own_and_face_down_pieces_block_a_route() -> None:
    # Both ways up are shut, by an own mine on a4 and a face-down piece on e3; row 2, a3 and the roads are left.
    assert targets("a2", text("a2=E a4=L e3=x", pool="c")) == {"b2", "c2", "d2", "e2", "a3", "a1", "b3"}


def test_j5_a_route_ends_on_an_enemy_and_never_passes_one() -> None:
    # The same with enemies: they may be attacked, what lies behind them is out of reach.
    assert targets("a2", text("a2=E a4=m e3=l")) == {"b2", "c2", "d2", "e2", "a3", "a4", "e3", "a1", "b3"}


def test_j5_a_route_attacks_round_corners() -> None:
    # From c2 to b11, where a mine stands: along row 2, up file e, along row 11; file a is shut.
    assert after(text("c2=E a3=L b11=l", quiet=9), "c2-b11") == text("a3=L b11=E", "b")


def test_j5_a_route_uses_the_link_in_the_middle() -> None:
    # Out of b6 leads only c6, since a6 and d6 are own; over c7 every other node of the railway is reached.
    fen = "b6=E a6=L d6=L"
    assert targets("b6", text(fen)) == RAILWAY_NODES - {"b6", "a6", "d6"} | {"b5"}
    # If the link is shut, c6 is all.
    assert targets("b6", text(f"{fen} c7=x", pool="c")) == {"c6", "b5"}


def test_j5_a_route_never_leaves_the_railway() -> None:
    # Over the camp b5 a road leads from c6 to a6, over c5 one to c4.
    assert targets("c6", text("c6=E b6=L d6=L c7=L")) == {"c5", "b5", "d5"}


def test_j5_returning_to_the_start_is_no_move() -> None:
    fen = text("a6=E")
    assert "a6" not in legal(fen, JUNQI)
    position = Position.from_fen(fen, rules=JUNQI)
    for move in ("a6-a6", "a6a6", "a6(E)"):
        with pytest.raises(MoveError):
            position.push(move)


def test_j5_a_node_that_several_ways_reach_is_one_move() -> None:
    # The 31 other nodes of the railway, of which a5, a7 and b6 are joined to a6 as well, and the camp b5.
    position = Position.from_fen(text("a6=E"), rules=JUNQI)
    assert position.legal_moves.count() == len(requests(position)) == 32


@pytest.mark.parametrize("quiet", [0, 40])
def test_j5_a_route_without_an_attack_is_quiet(quiet: int) -> None:
    assert after(text("a2=E", quiet=quiet), "a2-c7") == text("c7=E", "b", quiet=quiet + 1)


# ---- J6: the destination is empty or holds a face-up enemy that is not in a camp -------------------------------------


@pytest.mark.parametrize("kind", MOVING)
def test_j6_own_and_face_down_pieces_block(kind: str) -> None:
    # Round c4: own on b3 and c3, face down on c5 and b4, the rest is free.
    fen = text(f"c4={kind} b3=P c3=L c5=x b4=x", pool="ct")
    assert targets("c4", fen) == {"d3", "d4", "b5", "d5"}


@pytest.mark.parametrize("kind", MOVING)
@pytest.mark.parametrize("camp", CAMPS)
def test_j6_a_piece_in_a_camp_cannot_be_attacked(camp: str, kind: str) -> None:
    # From each of its eight neighbours; if it is empty it may be entered.
    file, row = camp[0], int(camp[1:])
    for side in (-1, 0, 1):
        for up in (-1, 0, 1):
            node = f"{chr(ord(file) + side)}{row + up}"
            if node == camp:
                continue
            assert f"{node}-{camp}" in legal(text(f"{node}={kind}"), JUNQI)
            assert f"{node}-{camp}" not in legal(text(f"{node}={kind} {camp}=p"), JUNQI)
            assert f"{node}-{camp}" not in legal(text(f"{node}={kind.lower()} {camp}=P", "b"), JUNQI)


@pytest.mark.parametrize("kind", MOVING)
def test_j6_a_piece_in_a_camp_attacks_out_of_it(kind: str) -> None:
    # Enemies on b4, d4 and c5 are no camps; those on d3 and b5 are in one.
    fen = text(f"c4={kind} b4=m d4=o c5=l d3=p b5=p")
    assert targets("c4", fen) == {"b4", "d4", "c5", "b3", "c3", "d5"}
    assert after(text("c4=M b4=g"), "c4-b4") == text("b4=M", "b")


@pytest.mark.parametrize("kind", MOVING)
def test_j6_a_piece_moves_from_camp_to_camp(kind: str) -> None:
    assert after(text(f"c4={kind}"), "c4-b3") == text(f"b3={kind}", "b", quiet=1)


@pytest.mark.parametrize("victim", KINDS)
def test_j6_every_kind_of_enemy_may_be_attacked(victim: str) -> None:
    flags = "d1=F" if victim == "F" else "d1=F b12=f"
    assert "a2-a5" in legal(text(f"a2=P a5={victim.lower()}", flags=flags), JUNQI)


# ---- J7: the attack, line by line ------------------------------------------------------------------------------------
# The attacker goes from a2 to a5, red against blue and blue against red. A platoon of each side stands by, so that a
# game in which no flag falls goes on.


def attack(attacker: str, defender: str, side: str = "r") -> Position:
    """The position after an attack along the railway by a piece of `side`."""
    if side == "b":
        attacker, defender = attacker.lower(), defender.upper()
    else:
        attacker, defender = attacker.upper(), defender.lower()
    flags = " ".join(flag for flag in FLAG_PIECES.values() if flag[-1] != defender)
    fen = text(f"a2={attacker} a5={defender} c3=P c10=p", side, quiet=33, flags=flags)
    position = Position.from_fen(fen, rules=JUNQI)
    assert "a2-a5" in requests(position)
    position.push("a2-a5")
    return position


def check_attack(attacker: str, defender: str, left: str) -> None:
    """Check who is left on a5 and that a2 is empty, for both sides. `left` is the attacker, the defender or nobody."""
    for side in "rb":
        position = attack(attacker, defender, side)
        own, enemy = (str.upper, str.lower) if side == "r" else (str.lower, str.upper)
        expected = {"attacker": own(attacker), "defender": enemy(defender), "nobody": None}[left]
        there = position.piece_at("a5")
        assert (None if there is None else str(there)) == expected
        assert position.piece_at("a2") is None
        assert position.quiet == 0
        assert position.side is (BLUE if side == "r" else RED)
        # What is gone: everything but the platoons, who is left, and the flags if none of them was attacked.
        gone = WHOLE_SET
        for letter in ("P", "p", expected, *{"F", "f"} - {enemy(defender)}):
            gone = gone.replace(letter, "", 1) if letter else gone
        assert dict(position.captured()) == {letter: gone.count(letter) for letter in KINDS + KINDS.lower()}
        assert (position.outcome() is None) == (defender != "F")


# Strongest first: each takes those behind it.
HIGHER = [(high, low) for number, high in enumerate(RANKED) for low in RANKED[number + 1 :]]


@pytest.mark.parametrize(("attacker", "defender"), HIGHER)
def test_j7_a_higher_attacker_takes_and_moves_in(attacker: str, defender: str) -> None:
    check_attack(attacker, defender, "attacker")


@pytest.mark.parametrize(("defender", "attacker"), HIGHER)
def test_j7_a_lower_attacker_is_lost_and_the_defender_stays(attacker: str, defender: str) -> None:
    check_attack(attacker, defender, "defender")


@pytest.mark.parametrize("kind", RANKED)
def test_j7_equal_ranks_both_go(kind: str) -> None:
    check_attack(kind, kind, "nobody")


@pytest.mark.parametrize("defender", RANKED)
def test_j7_an_attacking_bomb_and_its_victim_both_go(defender: str) -> None:
    check_attack("O", defender, "nobody")


@pytest.mark.parametrize("attacker", RANKED)
def test_j7_who_attacks_a_bomb_goes_with_it(attacker: str) -> None:
    check_attack(attacker, "O", "nobody")


def test_j7_a_bomb_on_a_bomb_both_go() -> None:
    check_attack("O", "O", "nobody")


def test_j7_a_bomb_on_a_mine_both_go() -> None:
    check_attack("O", "L", "nobody")


def test_j7_an_engineer_removes_a_mine_and_stands_there() -> None:
    check_attack("E", "L", "attacker")


@pytest.mark.parametrize("attacker", RANKED.replace("E", ""))
def test_j7_anything_else_is_lost_on_a_mine_and_the_mine_stays(attacker: str) -> None:
    check_attack(attacker, "L", "defender")


@pytest.mark.parametrize("attacker", RANKED)
def test_j7_every_rank_takes_the_flag_and_wins(attacker: str) -> None:
    check_attack(attacker, "F", "attacker")
    assert attack(attacker, "F").outcome() == RED_HAS_THE_FLAG
    assert attack(attacker, "F", "b").outcome() == BLUE_HAS_THE_FLAG


def test_j7_a_bomb_takes_the_flag_and_wins_and_goes_too() -> None:
    check_attack("O", "F", "nobody")
    assert attack("O", "F").outcome() == RED_HAS_THE_FLAG
    assert attack("O", "F", "b").outcome() == BLUE_HAS_THE_FLAG


def test_j7_a_mine_survives_whoever_dies_on_it() -> None:
    # Two after each other, then an engineer.
    position = played(text("a2=M b5=P e5=E c3=p a5=l"), "a2-a5 c3-c4 b5-a5 c4-c3 e5-a5", JUNQI)
    assert position.fen() == text("a5=E c3=p", "b")


@pytest.mark.parametrize(
    ("attacker", "defender"), [("M", "g"), ("P", "m"), ("C", "c"), ("O", "m"), ("T", "l"), ("E", "l"), ("B", "o")]
)
def test_j7_every_attack_resets_quiet(attacker: str, defender: str) -> None:
    # Won, lost and exchanged; on the 79th quiet ply too, so that there is no draw.
    position = played(text(f"c3={attacker} c2={defender} a1=P e12=p", quiet=79), "c3-c2", JUNQI)
    assert position.quiet == 0
    assert position.outcome() is None


@pytest.mark.parametrize("pair", ["Mm", "Pm", "Ml", "Mo", "Om", "Gp", "El", "Oo", "Po"])
def test_j7_attacks_are_the_same_by_road_and_by_railway(pair: str) -> None:
    attacker, defender = pair
    by_road = played(text(f"c4={attacker} c3={defender} a1=P e12=p"), "c4-c3", JUNQI)
    by_railway = played(text(f"a2={attacker} a9={defender} a1=P e12=p"), "a2-a9", JUNQI)
    assert str(by_road.piece_at("c3")) == str(by_railway.piece_at("a9"))
    assert by_road.piece_at("c4") is by_railway.piece_at("a2") is None
    assert by_road.captured() == by_railway.captured()


# ---- J8: the end, in this order: flag, no_moves, repetition, quiet_limit ---------------------------------------------


def test_j8_no_action_follows_the_flag_not_even_a_flip() -> None:
    position = played(text("c3=P c12=m a1=x c2=f", pool="R", flags="d1=F"), "c3-c2", JUNQI)
    assert position.outcome() == RED_HAS_THE_FLAG
    assert not position.legal_moves
    assert not position.is_legal("a1")
    assert not position.is_legal("c12-c11")


@pytest.mark.parametrize("side", "rb")
def test_j8_a_missing_flag_is_a_lost_game_that_may_be_set_up(side: str) -> None:
    red_has_won = Position.from_fen(text("a2=M a11=m c1=x", side, "R", flags="d1=F"), rules=JUNQI)
    assert red_has_won.outcome() == RED_HAS_THE_FLAG
    assert not red_has_won.legal_moves
    blue_has_won = Position.from_fen(text("a2=M a11=m c1=x", side, "R", flags="d1=f"), rules=JUNQI)
    assert blue_has_won.outcome() == BLUE_HAS_THE_FLAG
    assert not blue_has_won.legal_moves


def test_j8_a_flag_that_lies_face_down_is_not_lost() -> None:
    position = Position.from_fen(text("a2=M a11=m c1=x", pool="f", flags="d1=F"), rules=JUNQI)
    assert position.outcome() is None
    position.push("c1(f)")
    assert position.outcome() is None


def test_j8_who_cannot_move_loses() -> None:
    # Red's platoon steps into the camp b3. Blue's regiment stands between its own mines: b3 was its last way out.
    pieces = "a2=l a3=r a4=l {}=P"
    assert legal_from("a3", text(pieces.format("c3"), "b"), JUNQI) == {"a3-b3"}
    position = played(text(pieces.format("c3")), "c3-b3", JUNQI)
    assert position.fen() == text(pieces.format("b3"), "b", quiet=1)
    assert position.outcome() == RED_SHUTS_IN
    assert not position.legal_moves
    swapped = text("a2=L a3=R a4=L c3=p", "b")
    assert played(swapped, "c3-b3", JUNQI).outcome() == BLUE_SHUTS_IN


def test_j8_who_can_only_lose_a_piece_can_move() -> None:
    # The same with an enemy on a4: the attack is lost, but legal.
    position = played(text("a2=l a3=r a4=M c3=P"), "c3-b3", JUNQI)
    assert position.outcome() is None
    assert requests(position) == {"a3-a4"}


def test_j8_who_can_flip_can_move() -> None:
    position = played(text("a2=l a3=r a4=l c3=P e12=x", pool="R"), "c3-b3", JUNQI)
    assert position.outcome() is None
    assert requests(position) == {"e12"}


@pytest.mark.parametrize(("side", "end"), [("r", BLUE_SHUTS_IN), ("b", RED_SHUTS_IN)])
def test_j8_the_side_to_move_loses_also_if_the_other_could_not_move(side: str, end: Outcome) -> None:
    for fen in (text("", side), text("a2=L a5=l", side)):
        position = Position.from_fen(fen, rules=JUNQI)
        assert position.outcome() == end
        assert not position.legal_moves


def test_j8_the_exchange_of_the_last_pieces_is_lost_for_who_is_to_move() -> None:
    assert played(text("a2=R a5=r"), "a2-a5", JUNQI).outcome() == RED_SHUTS_IN
    assert played(text("a2=R a5=r", "b"), "a5-a2", JUNQI).outcome() == BLUE_SHUTS_IN
    # The last attacker lost on a mine leaves a side without a move, but it is the other that must move first.
    assert played(text("a2=R a5=l"), "a2-a5", JUNQI).outcome() == RED_SHUTS_IN


def test_j8_flag_is_tested_before_no_moves() -> None:
    # Blue has lost its flag and has nothing else; the bomb that took it was all that red could move.
    position = played(text("a2=O a5=f", flags="d1=F"), "a2-a5", JUNQI)
    assert position.outcome() == RED_HAS_THE_FLAG
    # Set up, with the side to move without a move: it has won.
    assert Position.from_fen(text("", "r", flags="d1=F"), rules=JUNQI).outcome() == RED_HAS_THE_FLAG


@pytest.mark.parametrize("hidden", ["f", "L", "Ff", "rf"])
def test_j8_there_is_no_all_captured(hidden: str) -> None:
    # Blue's last piece that is face up falls, its flag apart; it still flips what lies face down.
    flags = " ".join(flag for letter, flag in FLAG_PIECES.items() if letter not in hidden)
    nodes = ("c1", "e12")[: len(hidden)]
    cells = " ".join(f"{node}=x" for node in nodes)
    position = played(text(f"a2=M a5=r {cells}", pool=hidden, flags=flags), "a2-a5", JUNQI)
    assert position.outcome() is None
    assert requests(position) == set(nodes)


def test_j8_repetition_is_off_by_default() -> None:
    position = played(MARSHALS, CYCLE * 19, JUNQI)
    assert position.repetitions() == 20
    assert position.quiet == 76
    assert position.outcome() is None


@pytest.mark.parametrize(("repetition", "cycles"), [(2, 1), (3, 2), (4, 3), (7, 6)])
def test_j8_with_repetition_the_nth_occurrence_is_a_draw(repetition: int, cycles: int) -> None:
    rules = f"junqi(repetition={repetition})"
    assert played(MARSHALS, (CYCLE * cycles).rsplit(maxsplit=1)[0], rules).outcome() is None
    position = played(MARSHALS, CYCLE * cycles, rules)
    assert position.repetitions() == repetition
    assert position.outcome() == REPETITION


def test_j8_a_reveal_and_an_attack_let_nothing_repeat_from_before() -> None:
    rules = "junqi(repetition=3)"
    blue_first = "e12-d12 a1-b1 d12-e12 b1-a1 "
    for fen, loud in ((text("a1=M e12=m c7=x", pool="D"), "c7(D) "), (text("a1=M e12=m c4=R c5=r"), "c4-c5 ")):
        assert played(fen, CYCLE + loud, rules).repetitions() == 1
        assert played(fen, CYCLE + loud + blue_first, rules).repetitions() == 2
        assert played(fen, CYCLE + loud + blue_first * 2, rules).outcome() == REPETITION


def test_j8_80_quiet_plies_are_a_draw() -> None:
    assert played(text("a1=M e12=m", quiet=78), "a1-b1", JUNQI).outcome() is None
    position = played(text("a1=M e12=m", quiet=78), "a1-b1 e12-d12", JUNQI)
    assert position.quiet == 80
    assert position.outcome() == QUIET_LIMIT


def test_j8_the_quiet_plies_of_both_sides_count() -> None:
    # 40 by each side.
    position = played(MARSHALS, CYCLE * 20, JUNQI)
    assert (position.quiet, len(position.move_stack)) == (80, 80)
    assert position.outcome() == QUIET_LIMIT


def test_j8_a_reveal_resets_quiet() -> None:
    position = played(text("a1=M e12=m c12=x", pool="R", quiet=79), "c12(R)", JUNQI)
    assert (position.quiet, position.outcome()) == (0, None)


@pytest.mark.parametrize("limit", [1, 20, 40, 120])
def test_j8_the_quiet_limit_is_a_parameter(limit: int) -> None:
    rules = f"junqi(quiet_limit={limit})"
    assert played(text("a1=M e12=m", quiet=limit - 1), "a1-b1", rules).outcome() == QUIET_LIMIT
    if limit > 1:
        assert played(text("a1=M e12=m", quiet=limit - 2), "a1-b1", rules).outcome() is None


def test_j8_no_moves_is_tested_before_the_quiet_limit() -> None:
    position = played(text("a2=l a3=r a4=l c3=P", quiet=79), "c3-b3", JUNQI)
    assert position.quiet == 80
    assert position.outcome() == RED_SHUTS_IN


def test_j8_the_flag_is_tested_before_the_quiet_limit() -> None:
    position = played(text("a2=P a5=f", quiet=79, flags="d1=F"), "a2-a5", JUNQI)
    assert position.outcome() == RED_HAS_THE_FLAG


def test_j8_repetition_is_tested_before_the_quiet_limit() -> None:
    position = played(MARSHALS, CYCLE * 2, "junqi(repetition=3, quiet_limit=8)")
    assert position.quiet == 8
    assert position.outcome() == REPETITION


def test_j8_who_has_only_mines_and_a_flag_loses_at_his_turn() -> None:
    position = played(text("a1=M e12=l"), "a1-a2", JUNQI)
    assert position.outcome() == RED_SHUTS_IN


def test_j8_and_b9_the_ends_have_names() -> None:
    names = {"flag", "no_moves", "repetition", "quiet_limit", "resign", "agreement", "time"}
    assert names <= {termination.value for termination in Termination}


# ---- options: sections 4 and 7 ---------------------------------------------------------------------------------------


def test_the_options_of_junqi() -> None:
    rules = Rules.parse(JUNQI)
    assert (rules.repetition, rules.quiet_limit) == (None, 80)
    assert Rules.parse("junqi(repetition=none, quiet_limit=80)") == rules
    rules = Rules.parse("junqi(repetition=3, quiet_limit=40)")
    assert (rules.repetition, rules.quiet_limit) == (3, 40)
    assert str(Rules.parse("junqi(quiet_limit=80)")) == "junqi"
    assert str(rules) == "junqi(repetition=3, quiet_limit=40)"


@pytest.mark.parametrize(
    "option",
    [
        "cannon=jump",
        "cannon_adjacent",
        "dark_capture",
        "chain=any",
        "screens=faceup",
        "perpetual=loses",
        "ranking=taiwan",
        "repetition=1",
        "quiet_limit=0",
        "flag=open",
        "quiet_limit=40, quiet_limit=40",
    ],
)
def test_what_is_no_option_of_junqi(option: str) -> None:
    with pytest.raises(RulesError):
        Rules.parse(f"junqi({option})")


# ---- position texts: section 8 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REFUSED)
def test_a_position_is_refused_for_one_fault(name: str) -> None:
    wrong, right = REFUSED[name]
    with pytest.raises(FenError) as error:
        Position.from_fen(wrong, rules=JUNQI)
    assert len(error.value.faults) == (2 if name == TWOFOLD else 1)
    assert Position.faults(wrong, rules=JUNQI) == list(error.value.faults)
    assert (Fault.IN_CAMP in error.value.faults) == ("camp" in name)
    assert (Fault.NO_FLAGS in error.value.faults) == (name in ("both flags missing", TWOFOLD))
    assert (Fault.CHAIN_NOT_ALLOWED in error.value.faults) == (name == "a chain")
    Position.from_fen(right, rules=JUNQI)
    assert Position.faults(right, rules=JUNQI) == []


@pytest.mark.parametrize("pieces", ["a1=M e12=m", "c4=E b5=o d10=r", "a1=x b2=D e6=x c9=g e12=L"])
@pytest.mark.parametrize("side", "rb")
def test_a_text_comes_back_as_it_was_read(pieces: str, side: str) -> None:
    fen = text(pieces, side, "Rl" if "x" in pieces else "-", 17)
    assert Position.from_fen(fen, rules=JUNQI).fen() == fen


def test_the_last_two_fields_may_be_left_out() -> None:
    assert Position.from_fen(f"{ALONE} b -", rules=JUNQI).fen() == f"{ALONE} b - - 0"


def test_readers_take_the_pool_in_any_order() -> None:
    backwards = START.replace(WHOLE_SET, WHOLE_SET[::-1])
    assert Position.from_fen(backwards, rules=JUNQI).fen() == START


def test_the_pool_counts_what_lies_face_down() -> None:
    position = Position.from_fen(text("a1=x b1=x c1=x", pool="lEE"), rules=JUNQI)
    assert position.fen().split()[2] == "EEl"
    assert {letter: count for letter, count in position.pool.items() if count} == {"E": 2, "l": 1}


def test_a_text_of_another_board_is_refused() -> None:
    with pytest.raises(FenError):
        Position.from_fen("4/4/4/4/4/4/4/K2k r - - 0", rules=JUNQI)
    with pytest.raises(FenError):
        Position.from_fen(f"{ALONE} r - - 0")


# ---- actions as text: section 9 --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "people", "wire"),
    [
        (START, "a1(M)", "a1a1M"),
        (START, "e12(e)", "e12e12e"),
        (START, "a10(b)", "a10a10b"),
        (text("a1=R"), "a1-a2", "a1a2"),
        (text("a9=R"), "a9-a11", "a9a11"),
        (text("a11=R"), "a11-a2", "a11a2"),
        (text("a12=R"), "a12-a11", "a12a11"),
        (text("a12=R a11=r"), "a12-a11", "a12a11"),
    ],
)
def test_both_ways_to_write_an_action(fen: str, people: str, wire: str) -> None:
    results = []
    for written in (people, wire):
        position = Position.from_fen(fen, rules=JUNQI)
        position.push(written)
        assert str(position.peek()) == people
        assert position.peek().wire() == wire
        results.append(position.fen())
    assert results[0] == results[1] != fen


# ---- perft: section 10 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("counting", Counting)
@pytest.mark.parametrize(
    ("fen", "leaves"),
    [
        # a1 to b1 and a2, then e12 to d12 and e11.
        (text("a1=M e12=m"), {0: 1, 1: 2, 2: 4}),
        # A flip counts once for each identity, however many of it lie face down; then blue's marshal has two moves
        # beside the flip that is left.
        (text("a1=x c1=x e12=m", pool="LL"), {1: 2, 2: 2 * (2 + 1)}),
        (text("a1=x c1=x e12=m", pool="Ll"), {1: 4, 2: 4 * (2 + 1)}),
        # To b1, after which blue cannot move, and onto the flag.
        (text("a1=P a2=f", flags="d1=F"), {1: 2, 2: 0}),
        # A lost flag, and a side to move that cannot.
        (text("a2=M a11=m", flags="d1=F"), {0: 1, 1: 0, 4: 0}),
        (text("a2=L a11=m"), {0: 1, 1: 0, 4: 0}),
        # The quiet limit ends nothing.
        (text("a1=M e12=m", quiet=80), {1: 2, 2: 4}),
    ],
)
def test_counts_by_hand(fen: str, leaves: dict[int, int], counting: Counting) -> None:
    position = Position.from_fen(fen, rules=JUNQI)
    assert {depth: position.perft(depth, counting=counting) for depth in leaves} == leaves
