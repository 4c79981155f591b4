"""Moves and how they are written: rules page, section 9."""

import pickle
from collections.abc import Callable

import pytest

from banqi import Move, MoveError
from banqi.geometry import BOARD_4X8, BOARD_8X8, Geometry

K_ON_A1 = Move(0, 0, "K")
# The table of section 9, with the squares a1 = 0 and b1 = 1: text for people, text on a wire, the move.
ACTIONS = [
    ("a1", "a1a1", Move(0, 0)),
    ("a1(K)", "a1a1K", K_ON_A1),
    ("a1-b1", "a1b1", Move(0, 1)),
    ("a1-b1(k)", "a1b1k", Move(0, 1, "k")),
    ("end", "0000", Move.end()),
    ("d8-a8", "d8a8", Move(31, 28)),
    ("c2(p)", "c2c2p", Move(6, 6, "p")),
]


@pytest.mark.parametrize(("people", "wire", "move"), ACTIONS)
def test_both_columns(people: str, wire: str, move: Move) -> None:
    assert Move.from_text(people) == Move.from_text(wire) == move
    assert str(move) == people
    assert move.wire() == wire
    assert eval(repr(move)) == move
    assert pickle.loads(pickle.dumps(move)) == move


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is empty"),
        ("a", "is none of"),
        ("a0", "is none of"),
        ("a9", "no square"),
        ("e1", "no square"),
        ("a10", "no square"),
        ("a1-a9", "no square"),
        ("a1e1", "no square"),
        ("a01", "is none of"),
        ("A1", "upper case"),
        ("a1-B1", "upper case"),
        ("a1B1", "upper case"),
        (" a1", "blank"),
        ("a1 ", "blank"),
        ("a1\n", "blank"),
        ("a1\t-b1", "blank"),
        ("a1 - b1", "blank"),
        ("a１", "not ASCII"),
        ("а1", "not ASCII"),
        ("a1\u2011b1", "not ASCII"),
        ("a1\0", "is none of"),
        ("a1-a1", "goes nowhere"),
        ("a1-a1(K)", "goes nowhere"),
        ("a1K", "is none of"),
        ("a1-b1k", "is none of"),
        ("a1b1(k)", "is none of"),
        ("a1(K", "is none of"),
        ("a1()", "is none of"),
        ("a1(KK)", "is none of"),
        ("a1(Q)", "which is none of the pieces"),
        ("a1a1x", "which is none of the pieces"),
        ("a1xb1", "is none of"),
        ("a1-b1-c1", "is none of"),
        ("a1b1c1", "is none of"),
        ("-a1", "is none of"),
        ("End", "is none of"),
        ("END", "is none of"),
        ("000", "is none of"),
        ("00000", "is none of"),
        ("0-0", "is none of"),
        ("a1" * 100000, "is none of"),
    ],
)
def test_everything_else_is_refused_with_its_fault(text: str, fault: str) -> None:
    with pytest.raises(MoveError) as error:
        Move.from_text(text)
    message = str(error.value)
    assert fault in message
    assert len(message) < 200
    assert message.isprintable()


@pytest.mark.parametrize("value", [None, 5, b"a1", Move(0, 0)])
def test_text_is_a_text(value: object) -> None:
    with pytest.raises(MoveError, match="a move is a text"):
        Move.from_text(value)


def test_a_flip_with_its_reveal_is_another_move_than_the_request() -> None:
    assert Move.from_text("a1") != K_ON_A1
    assert K_ON_A1.request == Move.from_text("a1")
    assert Move.from_text("a1-b1(k)").request == Move.from_text("a1-b1")
    assert Move.from_text("a1-b1").request == Move.from_text("a1-b1")
    assert len({Move(0, 0), K_ON_A1, Move(0, 0, "k"), Move(0, 0)}) == 3


def test_is_flip_and_is_end() -> None:
    assert [move.is_flip for _, _, move in ACTIONS] == [True, True, False, False, False, False, True]
    assert [move for _, _, move in ACTIONS if move.is_end] == [Move.end()]


@pytest.mark.parametrize(
    ("text", "index"), [("a1", 0), ("a1(K)", 0), ("a1-b1", 1), ("b1-a1", 32), ("d8", 31 * 32 + 31)]
)
def test_action_index_is_from_times_squares_plus_to(text: str, index: int) -> None:
    move = Move.from_text(text)
    assert move.index == index
    assert Move.from_index(index) == move.request


def test_every_index_is_one_move() -> None:
    moves = [Move.from_index(index) for index in range(32 * 32)]
    assert [move.index for move in moves] == list(range(32 * 32))
    assert len(set(moves)) == 32 * 32


@pytest.mark.parametrize("index", [-1, 1025, 10**30, 1.0, True, None])
def test_no_other_index(index: object) -> None:
    with pytest.raises(MoveError):
        Move.from_index(index)


def test_the_end_of_a_chain_has_the_index_behind_all_others() -> None:
    assert Move.end().index == 32 * 32
    assert Move.from_index(32 * 32) == Move.end()
    assert Move.end(BOARD_8X8).index == 64 * 64


@pytest.mark.parametrize(
    ("from_square", "to_square", "reveal"),
    [(-1, 0, None), (0, -1, None), (0, 32, None), (32, 32, None), (-1, -1, "K"), (0, 0, ""), (0, 0, "KK"), (0, 0, "7")],
)
def test_only_moves_on_the_board_exist(from_square: int, to_square: int, reveal: str | None) -> None:
    with pytest.raises(MoveError):
        Move(from_square, to_square, reveal)


def test_moves_are_ordered() -> None:
    ordered = [Move.end(), Move(0, 0), Move(0, 0, "K"), Move(0, 0, "k"), Move(0, 1), Move(1, 0), Move(31, 31)]
    assert sorted(reversed(ordered)) == ordered
    assert Move(0, 0) <= Move(0, 0)
    with pytest.raises(TypeError):
        _ = Move(0, 0) < "a1"


def test_squares_of_another_board() -> None:
    wide = Geometry(8, 8)
    move = Move.from_text("h8-a8", geometry=wide)
    assert (move.from_square, move.to_square) == (63, 56)
    assert Move.from_text("a1", geometry=wide) != Move.from_text("a1")
    assert eval(repr(move), {"Move": Move, "Geometry": Geometry}) == move


def test_letters_of_another_set() -> None:
    assert Move.from_text("a1(f)", kinds="FL").reveal == "f"
    with pytest.raises(MoveError):
        Move.from_text("a1(K)", kinds="FL")


def test_square_names() -> None:
    """The numbering of the rules: a1 = 0, b1 = 1, a2 = 4, d8 = 31."""
    assert [BOARD_4X8.index(name) for name in ("a1", "b1", "a2", "d8")] == [0, 1, 4, 31]
    assert [BOARD_4X8.name(square) for square in range(32)] == [f"{f}{r}" for r in range(1, 9) for f in "abcd"]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Move(0.0, 0.0, "K"),
        lambda: Move(True, 1),
        lambda: Move(0, "1"),
        lambda: Move(0, 0, b"K"),
        lambda: Move(0, 1, 5),
        lambda: Move(0, 1, ["K"]),
        lambda: Move(0, 1, {"K": 1}),
        lambda: Move(0, 1, geometry=None),
        lambda: Move.end(None),
        lambda: Move.end(5),
        lambda: Move.from_index(0, None),
        lambda: Move.from_text("a1", geometry=None),
        lambda: Move.from_text("a1(K)", kinds=5),
    ],
)
def test_wrong_types_are_refused_at_once(make: Callable[[], Move]) -> None:
    with pytest.raises(MoveError):
        make()
