"""Position: what people hold in their hands. The rules themselves: test_statements.py and the reference."""

import copy
import pickle
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np
import pytest

from banqi import (
    Counting,
    EmptyHistoryError,
    Fault,
    LimitError,
    Move,
    MoveError,
    Outcome,
    Piece,
    Position,
    Rules,
    RulesError,
    Side,
    SquareError,
    Termination,
    perft,
)
from banqi.display import Glyphs
from banqi.geometry import Geometry

# More digits than Python turns into text.
HUGE = pytest.param(10**5000, id="huge")
PERFT = Path(__file__).parent / "perft"
# Red: cannon a1, soldier b1, general a4. Black: horse c1, soldier b4, advisor d8. Two soldiers face down, c2 and d2.
MIDDLE = "3g/4/4/4/Kp2/4/2xx/CPn1 r Pp - 7"
# Flags in headquarters, a red marshal in the camp c9, a blue engineer; a mine of each side face down, a2 and a4.
JUNQI = "1f2e/5/5/2M2/5/5/5/5/x4/5/x4/3F1 b Ll - 2"
SVG = {"svg": "http://www.w3.org/2000/svg"}


def test_the_start() -> None:
    position = Position()
    assert position.side is None
    assert position.quiet == 0
    assert position.move_stack == ()
    assert position.outcome() is None
    assert position.repetitions() == 1
    assert position.rules == Rules.parse("taiwan")
    assert sum(position.pool.values()) == 32
    assert sum(position.captured().values()) == 0
    assert [str(move) for move in position.legal_moves][:5] == ["a1", "b1", "c1", "d1", "a2"]
    assert len(position.legal_moves) == position.legal_moves.count() == 32


def test_rules_are_given_as_text_or_as_rules() -> None:
    assert Position(Rules.parse("mainland")) == Position("mainland")
    assert Position.from_fen(MIDDLE, rules="hongkong").rules == Rules.parse("hongkong")
    with pytest.raises(RulesError):
        Position("chess")


# ---- legal moves -------------------------------------------------------------------------------------------------


def test_legal_moves_are_requests() -> None:
    # By hand: a1 jumps over b1 to take c1, a1 and b1 step up; c1 is the soldier's better; the general does not take
    # b4 and steps a3 and a5; two flips.
    moves = Position.from_fen(MIDDLE).legal_moves
    assert {str(move) for move in moves} == {"a1-c1", "a1-a2", "b1-b2", "a4-a3", "a4-a5", "c2", "d2"}
    assert len(moves) == moves.count() == 7
    assert moves
    assert "a1-c1" in moves
    assert Move.from_text("c2") in moves
    assert Move.from_text("c2(P)") not in moves
    assert "b1-c1" not in moves
    assert "nonsense" not in moves
    assert 5 not in moves
    assert repr(moves).startswith("<LegalMoves (")


def test_legal_moves_follow_the_position() -> None:
    position = Position.from_fen(MIDDLE)
    moves = position.legal_moves
    position.push("a1-c1")
    # By hand: the black soldier b4 takes the general or steps to b3, b5, c4; the advisor steps to d7 and c8; flips.
    assert {str(move) for move in moves} == {"b4-a4", "b4-b3", "b4-b5", "b4-c4", "d8-d7", "d8-c8", "c2", "d2"}


def test_is_legal() -> None:
    position = Position.from_fen(MIDDLE)
    assert position.is_legal("a1c1")
    assert position.is_legal("c2")
    assert position.is_legal("c2(P)")
    assert not position.is_legal("c2(K)")
    assert not position.is_legal("a1-c1(n)")
    assert not position.is_legal("a4-b4")
    assert not position.is_legal("end")
    with pytest.raises(MoveError):
        position.is_legal("a1-z9")


def test_legal_mask_marks_the_indices_of_the_legal_moves() -> None:
    position = Position.from_fen(MIDDLE)
    mask = position.legal_mask()
    assert mask.shape == (32 * 32,)
    assert mask.dtype == np.bool_
    assert set(np.flatnonzero(mask)) == {move.index for move in position.legal_moves}
    assert Position.from_fen("4/4/4/4/4/4/4/K3 b - - 0").legal_mask().sum() == 0


# ---- outcomes of a move ------------------------------------------------------------------------------------------


def test_outcomes_of_a_flip_are_the_pool() -> None:
    position = Position.from_fen("xxxx/4/4/4/4/4/4/K2k r Rppp - 0")
    reveals = position.outcomes("a8")
    assert [(reveal.identity, reveal.weight, reveal.probability) for reveal in reveals] == [
        ("R", 1, 0.25),
        ("p", 3, 0.75),
    ]
    assert [str(reveal.move) for reveal in reveals] == ["a8(R)", "a8(p)"]
    for reveal in reveals:
        position.push(reveal.move)
        position.pop()


def test_outcomes_of_another_move_are_the_move() -> None:
    (reveal,) = Position.from_fen(MIDDLE).outcomes("a1-c1")
    assert (str(reveal.move), reveal.identity, reveal.weight, reveal.probability) == ("a1-c1", None, 1, 1.0)


def test_weights_are_whole_and_sum_to_the_face_down_squares() -> None:
    reveals = Position().outcomes("d8")
    assert [reveal.weight for reveal in reveals] == [1, 2, 2, 2, 2, 2, 5] * 2
    assert sum(reveal.probability for reveal in reveals) == pytest.approx(1)


@pytest.mark.parametrize("move", ["a4-b4", "b2", "c2(K)", "c2(P)", "end", "c9"])
def test_no_outcomes_of_an_illegal_or_known_move(move: str) -> None:
    with pytest.raises(MoveError):
        Position.from_fen(MIDDLE).outcomes(move)


# ---- push and pop ------------------------------------------------------------------------------------------------


def test_push_and_pop() -> None:
    position = Position()
    position.push("a1(k)")
    position.push("b1b1C")
    position.push(Move.from_text("d8(P)"))
    assert [str(move) for move in position.move_stack] == ["a1(k)", "b1(C)", "d8(P)"]
    assert position.peek() == Move.from_text("d8(P)")
    assert position.fen() == "xxxP/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/kCxx r KGGMMRRNNCPPPPggmmrrnnccppppp - 0"
    assert position.pop() == Move.from_text("d8(P)")
    assert position.side is Side.BLACK
    position.pop()
    position.pop()
    assert position == Position()


def test_b2_the_first_flip_decides_colours() -> None:
    position = Position()
    position.push("a1(k)")
    assert position.side is Side.RED
    position.pop()
    position.push("a1(P)")
    assert position.side is Side.BLACK


def test_pop_and_peek_without_a_move() -> None:
    position = Position.from_fen(MIDDLE)
    for action in (position.pop, position.peek):
        with pytest.raises(EmptyHistoryError, match="no move was made"):
            action()
        with pytest.raises(IndexError):
            action()
        with pytest.raises(MoveError):
            action()
    assert position.fen() == MIDDLE


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("c2", "a flip without its reveal: push what it turned up, written c2(K)"),
        ("c2(K)", "no K lies face down"),
        ("c2(n)", "no n lies face down"),
        ("a1(C)", "a1 is face up"),
        ("d4", "d4 is empty"),
        ("d4-d5", "d4 is empty"),
        ("c2-c3", "c2 lies face down and can only be flipped"),
        ("b4-b5", "b4 belongs to the other side"),
        ("a4-c4", "a step goes to a neighbouring square"),
        ("b1-c2", "c2 lies face down and cannot be captured"),
        ("a1-b1", "b1 belongs to the same side"),
        ("a4-b4", "K does not take p on a neighbouring square"),
        ("a1-d8", "a cannon jumps along a row or a column over exactly one piece"),
        ("b1-b4", "P captures on neighbouring squares only"),
        ("a1-a2(P)", "it reveals nothing"),
        ("end", "no chain of captures is going on"),
        ("a1-e1", "no square"),
        ("a1 b1", "blank"),
        (Move(0, 1, None, Geometry(8, 8)), "a move of the 8 x 8 board"),
        (None, "a move is a text"),
    ],
)
def test_an_illegal_move_says_why_and_changes_nothing(move: Move | str, reason: str) -> None:
    position = Position.from_fen(MIDDLE)
    key = position.key
    with pytest.raises(MoveError) as error:
        position.push(move)
    assert reason in str(error.value)
    assert len(str(error.value).splitlines()) == 1
    assert (position.fen(), position.key, position.move_stack) == (MIDDLE, key, ())


def test_why_a_stepping_cannon_cannot_jump() -> None:
    with pytest.raises(MoveError, match="C captures on neighbouring squares only"):
        Position.from_fen(MIDDLE, rules="hongkong").push("a1-c1")


def test_nothing_is_pushed_after_all_was_captured() -> None:
    position = Position.from_fen("4/4/4/4/4/4/4/xRn1 r P - 0")
    position.push("b1-c1")
    assert position.outcome() == Outcome(Side.RED, Termination.ALL_CAPTURED)
    assert not position.legal_moves
    assert list(position.legal_moves) == []
    with pytest.raises(MoveError, match=re.escape("the game is over, red wins (all_captured)")):
        position.push("a1(P)")


def test_nothing_is_pushed_without_a_legal_move() -> None:
    # The red general in the corner is walled in by soldiers that it cannot take.
    position = Position.from_fen("4/4/4/4/4/4/p3/Kp2 r - - 0")
    assert position.outcome() == Outcome(Side.BLACK, Termination.NO_MOVES)
    with pytest.raises(MoveError, match=re.escape("the game is over, black wins (no_moves)")):
        position.push("a1-a2")


# ---- the end -----------------------------------------------------------------------------------------------------


def shuffle(position: Position, times: int) -> None:
    """Both generals step away and back: after each time the position is the same again."""
    for _ in range(times):
        for move in ("a1-a2", "d8-d7", "a2-a1", "d7-d8"):
            position.push(move)


def test_the_position_set_up_counts_as_its_first_occurrence() -> None:
    position = Position.from_fen("3k/4/4/4/4/4/4/K3 r - - 0")
    shuffle(position, 1)
    assert (position.repetitions(), position.outcome()) == (2, None)
    shuffle(position, 1)
    assert position.repetitions() == 3
    assert position.outcome() == Outcome(None, Termination.REPETITION)
    position.pop()
    assert position.outcome() is None


def test_play_may_go_on_after_a_draw() -> None:
    position = Position.from_fen("3k/4/4/4/4/4/4/K3 r - - 178")
    shuffle(position, 1)
    assert position.outcome() == Outcome(None, Termination.QUIET_LIMIT)
    assert position.quiet == 182
    assert position.status() == [Fault.QUIET_ABOVE_LIMIT]
    assert len(position.legal_moves) == 2
    assert position.copy() == position
    assert pickle.loads(pickle.dumps(position)) == position


@pytest.mark.parametrize(("rules", "draw_after"), [("taiwan(repetition=2)", 4), ("taiwan(repetition=4)", 12)])
def test_the_deciding_occurrence_is_a_parameter(rules: str, draw_after: int) -> None:
    position = Position.from_fen("3k/4/4/4/4/4/4/K3 r - - 0", rules=rules)
    shuffle(position, 2)
    shuffle(position, 1)
    while position.outcome() is not None:
        position.pop()
    assert len(position.move_stack) == draw_after - 1


def test_a_cycle_is_three_copies_of_the_same_steps() -> None:
    position = Position.from_fen("3k/4/4/4/4/4/4/K3 r - - 0", rules="taiwan(repetition=cycle)")
    shuffle(position, 3)
    assert position.outcome() == Outcome(None, Termination.REPETITION)
    position.pop()
    assert position.outcome() is None
    position.push("d7-d6")
    assert position.outcome() is None


def test_no_repetition_rule() -> None:
    position = Position.from_fen("3k/4/4/4/4/4/4/K3 r - - 0", rules="taiwan(repetition=none)")
    shuffle(position, 40)
    assert position.repetitions() == 41
    assert position.outcome() is None


def test_outcomes_read_well() -> None:
    assert str(Outcome(Side.BLACK, Termination.FLAG)) == "black wins (flag)"
    assert str(Outcome(None, Termination.QUIET_LIMIT)) == "draw (quiet_limit)"
    assert str(Outcome(Side.BLACK, Termination.FLAG, "junqi")) == "blue wins (flag)"
    assert str(Outcome(Side.RED, Termination.FLAG, "junqi")) == "red wins (flag)"
    assert Outcome(Side.BLACK, Termination.FLAG, "junqi") == Outcome(Side.BLACK, Termination.FLAG)
    assert {str(termination) for termination in Termination} == {
        "all_captured", "no_moves", "repetition", "quiet_limit", "perpetual_attack", "flag", "resign", "agreement",
        "time",
    }  # fmt: skip


# ---- what stands where -------------------------------------------------------------------------------------------


def test_piece_at() -> None:
    position = Position.from_fen(MIDDLE)
    assert position.piece_at("a1") == position.piece_at(0) == Piece("C")
    assert position.piece_at("d8") == position.piece_at(31) == Piece("g")
    assert position.piece_at("c2") == Piece("x")
    assert position.piece_at("d4") is None
    assert position.piece_at(np.int64(31)) == Piece("g")


@pytest.mark.parametrize("square", ["a9", "e1", "A1", "a", "", "a1 ", -1, 32, HUGE, 1.0, True, None])
def test_no_piece_where_no_square_is(square: object) -> None:
    with pytest.raises(SquareError):
        Position().piece_at(square)


def test_pieces() -> None:
    assert (Piece("C").side, Piece("C").kind, Piece("C").name) == (Side.RED, "C", "red cannon")
    assert (Piece("p").side, Piece("p").kind, Piece("p").name) == (Side.BLACK, "P", "black soldier")
    assert (Piece("x").side, Piece("x").kind, Piece("x").is_face_down) == (None, None, True)
    assert Side.RED.other is Side.BLACK
    assert Side.BLACK.other is Side.RED


def test_pool_and_captured_name_all_fourteen() -> None:
    position = Position.from_fen(MIDDLE)
    assert "".join(position.pool) == "".join(position.captured()) == "KGMRNCPkgmrncp"
    assert [letter for letter, count in position.pool.items() if count] == ["P", "p"]
    # On the board and in the pool: K C P P, and n p g p.
    assert "".join(letter * count for letter, count in position.captured().items()) == "GGMMRRNNCPPPkgmmrrnccppp"
    with pytest.raises(TypeError):
        position.pool["K"] = 1
    with pytest.raises(TypeError):
        position.captured()["K"] = 1


# ---- counting ----------------------------------------------------------------------------------------------------


# Section 10 of the rules page.
@pytest.mark.parametrize(("depth", "leaves"), [(0, 1), (1, 448), (2, 192_448), (3, 78_989_568)])
def test_perft_from_the_start(depth: int, leaves: int) -> None:
    fen = Position().fen()
    assert Position().perft(depth) == leaves
    assert perft(fen, depth) == leaves
    assert perft(fen, min(depth, 2), rules="hongkong") == min(leaves, 192_448)


@pytest.mark.parametrize("rules", ["taiwan", "hongkong", "mainland", "cannon-adjacent"])
def test_divide_sums_to_the_published_counts(rules: str) -> None:
    for line in (PERFT / f"{rules}.perft").read_text(encoding="utf-8").splitlines()[:4]:
        fen, *counts = line.split(";")
        position = Position.from_fen(fen.strip(), rules=rules)
        for entry in counts[:2]:
            depth, leaves = int(entry.split()[0][1:]), int(entry.split()[1])
            for counting in Counting:
                divided = position.divide(depth, counting=counting)
                assert sum(divided.values()) == leaves
                assert position.perft(depth, counting=counting) == leaves
        assert position.move_stack == ()


def test_divide_names_flips_with_their_reveals() -> None:
    divided = Position.from_fen(MIDDLE).divide(1)
    moves = ["a1-c1", "a1-a2", "b1-b2", "a4-a3", "a4-a5", "c2(P)", "c2(p)", "d2(P)", "d2(p)"]
    assert divided == {Move.from_text(move): 1 for move in moves}


def test_divide_leaves_the_position_to_its_owner() -> None:
    position = Position.from_fen(MIDDLE)
    for move, _ in position.iter_divide(2):
        assert position.fen() == MIDDLE
        position.push(move)
        position.pop()


@pytest.mark.parametrize("depth", [-1, 101, HUGE, 1.0, float("nan"), True, "3", None])
def test_depth_is_a_whole_number_in_its_range(depth: object) -> None:
    position = Position()
    for count in (position.perft, position.divide):
        with pytest.raises(LimitError, match="depth must be a whole number from"):
            count(depth)
    with pytest.raises(LimitError):
        perft(position.fen(), depth)


def test_nothing_to_divide_at_depth_0() -> None:
    with pytest.raises(LimitError):
        Position().divide(0)


def test_no_children_after_the_end() -> None:
    for fen in ("4/4/4/4/4/4/4/K3 b - - 0", "4/4/4/4/4/4/p3/Kp2 r - - 0"):
        assert (Position.from_fen(fen).perft(0), Position.from_fen(fen).perft(3)) == (1, 0)


# ---- as a Python object ------------------------------------------------------------------------------------------


def test_copies_go_their_own_way() -> None:
    position = Position()
    position.push("a1(K)")
    for twin in (position.copy(), copy.copy(position), copy.deepcopy(position)):
        assert twin == position
        assert twin.move_stack == position.move_stack
        twin.push("b1(k)")
        assert twin != position
        assert len(position.move_stack) == 1
        twin.pop()
        twin.pop()
        assert twin == Position()


def test_equal_positions_have_the_same_rules_and_text() -> None:
    assert Position.from_fen(MIDDLE) == Position.from_fen(MIDDLE)
    assert Position.from_fen(MIDDLE) != Position.from_fen(MIDDLE.replace(" 7", " 8"))
    assert Position.from_fen(MIDDLE) != Position.from_fen(MIDDLE.replace(" r ", " b "))
    assert Position.from_fen(MIDDLE) != Position.from_fen(MIDDLE, rules="hongkong")
    assert Position.from_fen(MIDDLE) == Position.from_fen(MIDDLE, rules="taiwan(repetition=3)")
    assert Position.from_fen(MIDDLE) != MIDDLE


def test_history_does_not_count_for_equality() -> None:
    position = Position.from_fen("3k/4/4/4/4/4/4/K3 r - - 0")
    shuffle(position, 1)
    assert position == Position.from_fen("3k/4/4/4/4/4/4/K3 r - - 4")
    assert position.key == Position.from_fen("3k/4/4/4/4/4/4/K3 r - - 0").key


def test_positions_have_no_hash() -> None:
    with pytest.raises(TypeError):
        hash(Position())


def test_the_key_tells_pools_sides_and_boards_apart() -> None:
    """Equal boards with different hidden pieces are different positions."""
    fen = "x3/4/4/4/4/4/4/K2k r P - 0"
    others = [
        "x3/4/4/4/4/4/4/K2k r R - 0",
        "x3/4/4/4/4/4/4/K2k b P - 0",
        "1x2/4/4/4/4/4/4/K2k r P - 0",
        "x3/4/4/4/4/4/4/k2K r P - 0",
    ]
    for other in others:
        assert Position.from_fen(other).key != Position.from_fen(fen).key, other


def test_pickling_keeps_the_history() -> None:
    position = Position.from_fen(MIDDLE, rules="taiwan(quiet_limit=40)")
    position.push("a1-c1")
    position.push("c2(p)")
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert again.move_stack == position.move_stack
    assert again.repetitions() == position.repetitions()
    again.pop()
    again.pop()
    assert again.fen() == MIDDLE


def test_repr_is_an_expression() -> None:
    position = Position.from_fen(MIDDLE, rules="hongkong")
    assert eval(repr(position)) == position


# ---- to look at --------------------------------------------------------------------------------------------------


def test_the_board_as_text() -> None:
    assert str(Position.from_fen(MIDDLE)) == "\n".join(
        [
            "   +---------+",
            " 8 | . . . g |",
            " 7 | . . . . |",
            " 6 | . . . . |",
            " 5 | . . . . |",
            " 4 | K p . . |",
            " 3 | . . . . |",
            " 2 | . . x x |",
            " 1 | C P n . |",
            "   +---------+",
            "     a b c d",
            "red to move, quiet 7",
            "face down: Pp",
            "captured: GGMMRRNNCPPPkgmmrrnccppp",
        ]
    )
    assert "nobody has a colour yet" in str(Position())


def test_the_board_of_junqi_as_text() -> None:
    assert str(Position.from_fen(JUNQI, rules="junqi")) == "\n".join(
        [
            "   +-----------+",
            "12 | . f . . e |",
            "11 | . . . . . |",
            "10 | . . . . . |",
            " 9 | . . M . . |",
            " 8 | . . . . . |",
            " 7 | . . . . . |",
            " 6 | . . . . . |",
            " 5 | . . . . . |",
            " 4 | x . . . . |",
            " 3 | . . . . . |",
            " 2 | x . . . . |",
            " 1 | . . . F . |",
            "   +-----------+",
            "     a b c d e",
            "blue to move, quiet 2",
            "face down: Ll",
            "captured: GDDBBRRTTCCCPPPEEEOOLLmgddbbrrttcccpppeeooll",
        ]
    )


def drawn(position: Position, glyphs: Glyphs = Glyphs.LETTERS) -> tuple[Element, dict[str, Element]]:
    """A board's SVG, and the disc of each piece by its title."""
    root = ElementTree.fromstring(position.svg(glyphs=glyphs))
    return root, {str(disc.findtext("svg:title", namespaces=SVG)): disc for disc in root.iterfind("svg:g", SVG)}


def middle(disc: Element) -> tuple[int, int]:
    """Where the middle of a disc is drawn."""
    circle = disc.find("svg:circle", SVG)
    assert circle is not None
    return int(circle.get("cx", "")), int(circle.get("cy", ""))


@pytest.mark.parametrize(("glyphs", "general"), [(Glyphs.CHINESE, "帥"), (Glyphs.LETTERS, "K")])
def test_the_board_as_svg(glyphs: Glyphs, general: str) -> None:
    position = Position.from_fen(MIDDLE)
    _, discs = drawn(position, glyphs)
    assert set(discs) == {
        "a1: red cannon", "b1: red soldier", "c1: black horse", "a4: red general", "b4: black soldier",
        "d8: black advisor", "c2: face-down piece", "d2: face-down piece",
    }  # fmt: skip
    assert discs["a4: red general"].findtext("svg:text", namespaces=SVG) == general
    assert discs["c2: face-down piece"].find("svg:text", SVG) is None
    # Rank 8 is at the top, file a at the left.
    x, y = ({title: middle(disc)[axis] for title, disc in discs.items()} for axis in (0, 1))
    assert y["d8: black advisor"] < y["a4: red general"] < y["a1: red cannon"]
    assert x["a1: red cannon"] < x["b1: red soldier"] < x["c1: black horse"]


@pytest.mark.parametrize(("glyphs", "marshal"), [(Glyphs.CHINESE, "司"), (Glyphs.LETTERS, "M")])
def test_the_board_of_junqi_as_svg(glyphs: Glyphs, marshal: str) -> None:
    root, discs = drawn(Position.from_fen(JUNQI, rules="junqi"), glyphs)
    assert {title: disc.get("class") for title, disc in discs.items()} == {
        "b12: blue flag": "blue", "e12: blue engineer": "blue", "c9: red marshal": "red", "d1: red flag": "red",
        "a4: face-down piece": "down", "a2: face-down piece": "down",
    }  # fmt: skip
    assert discs["c9: red marshal"].findtext("svg:text", namespaces=SVG) == marshal
    at = {title[: title.index(":")]: middle(disc) for title, disc in discs.items()}
    assert at["b12"][1] == at["e12"][1] < at["c9"][1] < at["a4"][1] < at["a2"][1] < at["d1"][1]
    assert at["a4"][0] == at["a2"][0] < at["b12"][0] < at["c9"][0] < at["d1"][0] < at["e12"][0]
    # Where each node is drawn, from the five columns and the rows 12, 9, 4, 2 and 1.
    step = at["b12"][0] - at["a2"][0]
    node = {
        f"{file}{row}": (at["a2"][0] + step * column, at["d1"][1] - step * (row - 1))
        for column, file in enumerate("abcde")
        for row in range(1, 13)
    }
    assert {name: node[name] for name in at} == at
    # Section 7 of the rules page: 10 camps, 4 headquarters, 2 mountains, 98 roads and 35 edges of railway.
    camps = {(int(camp.get("cx", "")), int(camp.get("cy", ""))) for camp in marked(root, "circle", "camp")}
    assert camps == {node[name] for name in ("b3", "d3", "c4", "b5", "d5", "b8", "d8", "c9", "b10", "d10")}
    headquarters = {
        (
            int(post.get("x", "")) + int(post.get("width", "")) // 2,
            int(post.get("y", "")) + int(post.get("height", "")) // 2,
        )
        for post in marked(root, "rect", "headquarters")
    }
    assert headquarters == {node[name] for name in ("b1", "d1", "b12", "d12")}
    peaks = [numbers(mountain) for mountain in marked(root, "path", "mountain")]
    assert len(peaks) == 2
    for (x, y, *_), file in zip(sorted(peaks), "bd", strict=True):
        assert abs(x - node[f"{file}6"][0]) < step / 2
        assert node[f"{file}7"][1] < y < node[f"{file}6"][1]
    lines = {
        kind: {frozenset((line[:2], line[2:])) for line in edges(root, kind)}
        for kind in ("road", "railway", "sleepers")
    }
    assert (len(lines["road"]), len(lines["railway"])) == (98, 35)
    assert lines["railway"] == lines["sleepers"]
    for one, other, kind in (
        ("a2", "a3", "railway"), ("b2", "c2", "railway"), ("c6", "c7", "railway"), ("a1", "a2", "road"),
        ("b3", "c4", "road"), ("c8", "c7", "road"), ("e11", "e12", "road"),
    ):  # fmt: skip
        assert frozenset((node[one], node[other])) in lines[kind], (one, other)
    assert frozenset((node["b6"], node["b7"])) not in lines["road"] | lines["railway"]


def marked(root: Element, tag: str, word: str) -> list[Element]:
    """The elements of a drawing with a tag and a class."""
    return [element for element in root.iterfind(f"svg:{tag}", SVG) if element.get("class") == word]


def numbers(path: Element) -> list[int]:
    """The numbers of a path."""
    return [int(number) for number in re.findall("-?[0-9]+", path.get("d", ""))]


def edges(root: Element, kind: str) -> list[tuple[int, ...]]:
    """The straight lines of a kind: from where to where."""
    (path,) = marked(root, "path", kind)
    found = numbers(path)
    return [tuple(found[place : place + 4]) for place in range(0, len(found), 4)]


@pytest.mark.parametrize(("rules", "hidden"), [("taiwan", 32), ("double", 64), ("junqi", 50)])
def test_the_svg_needs_nothing_from_outside_and_tells_nothing_hidden(rules: str, hidden: int) -> None:
    text = Position(rules)._repr_svg_()
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "href" not in text
    assert text.count("face-down piece") == hidden
