"""Hand-made cases for each rule statement, B1 to B9: what is expected was worked out by hand from the rules page."""

from collections.abc import Iterable

import pytest

from banqi import MoveError, Outcome, Piece, Position, Side, Termination

START_POOL = "KGGMMRRNNCCPPPPPkggmmrrnnccppppp"
ALL_RULES = ("taiwan", "hongkong", "mainland", "cannon-adjacent", "hongkong(cannon=jump)", "mainland(cannon=jump)")
RED_WINS_ALL = Outcome(Side.RED, Termination.ALL_CAPTURED)
BLACK_WINS_ALL = Outcome(Side.BLACK, Termination.ALL_CAPTURED)
REPETITION = Outcome(None, Termination.REPETITION)
QUIET_LIMIT = Outcome(None, Termination.QUIET_LIMIT)


def legal(position: Position) -> set[str]:
    """The legal requests as people write them."""
    return {str(move) for move in position.legal_moves}


def from_fen(fen: str, rules: str = "taiwan") -> set[str]:
    """The legal requests of a position text."""
    return legal(Position.from_fen(fen, rules=rules))


def play(position: Position, moves: str | Iterable[str]) -> None:
    """Play moves none of which but the last may end the game."""
    for move in moves.split() if isinstance(moves, str) else moves:
        assert position.outcome() is None
        position.push(move)


# ---- B1: a ply is a flip of any face-down piece, or an action of one of the mover's own face-up pieces; no pass --------


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b1_a_ply_is_a_flip_or_an_action_of_an_own_piece(rules: str) -> None:
    assert from_fen("3x/4/4/4/4/4/1x2/K2n r Pp - 0", rules) == {"b2", "d8", "a1-a2", "a1-b1"}
    assert from_fen("3x/4/4/4/4/4/1x2/K2n b Pp - 0", rules) == {"b2", "d8", "d1-d2", "d1-c1"}


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b1_pieces_of_either_colour_are_flipped(rules: str) -> None:
    only_black_is_hidden = Position.from_fen("3x/4/4/4/4/4/4/K2n r p - 0", rules=rules)
    assert only_black_is_hidden.is_legal("d8")
    assert [(str(outcome.move), outcome.weight) for outcome in only_black_is_hidden.outcomes("d8")] == [("d8(p)", 1)]


@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("nothing", ["end", "0000"])
def test_b1_there_is_no_pass(rules: str, nothing: str) -> None:
    position = Position.from_fen("4/4/4/4/4/4/4/K2n r - - 0", rules=rules)
    assert not position.is_legal(nothing)
    with pytest.raises(MoveError):
        position.push(nothing)


@pytest.mark.parametrize("move", ["d1-d2", "d1-c1", "a1", "b1", "a1-a1", "a1-c1", "a1-b2", "d8-d7", "d8(P)", "d8-c8"])
def test_b1_nothing_else_is_a_ply(move: str) -> None:
    # An enemy's steps, flips of what is face up or empty, no move at all, far and slanting steps, a face-down piece
    # that steps, and an identity that is not in the pool.
    position = Position.from_fen("3x/4/4/4/4/4/4/K2n r p - 0")
    before = position.fen()
    with pytest.raises(MoveError):
        position.push(move)
    assert position.fen() == before


# ---- B2: the first flip decides colours: its flipper plays the colour shown; before it only flips exist -----------------


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b2_before_the_first_flip_only_flips_exist(rules: str) -> None:
    position = Position(rules)
    assert position.side is None
    assert legal(position) == {file + rank for file in "abcd" for rank in "12345678"}
    assert position.outcome() is None


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b2_the_first_reveal_is_drawn_from_the_whole_set(rules: str) -> None:
    outcomes = Position(rules).outcomes("c5")
    assert {str(outcome.move): outcome.weight for outcome in outcomes} == {
        **{"c5(K)": 1, "c5(G)": 2, "c5(M)": 2, "c5(R)": 2, "c5(N)": 2, "c5(C)": 2, "c5(P)": 5},
        **{"c5(k)": 1, "c5(g)": 2, "c5(m)": 2, "c5(r)": 2, "c5(n)": 2, "c5(c)": 2, "c5(p)": 5},
    }
    assert [outcome.probability for outcome in outcomes] == [outcome.weight / 32 for outcome in outcomes]


@pytest.mark.parametrize("shown", "KGMRNCPkgmrncp")
def test_b2_the_flipper_plays_the_colour_shown_and_the_turn_passes(shown: str) -> None:
    position = Position()
    position.push(f"b3({shown})")
    pool = START_POOL.replace(shown, "", 1)
    # Red was shown: the flipper plays red, so black is to move.
    side = "b" if shown.isupper() else "r"
    assert position.fen() == f"xxxx/xxxx/xxxx/xxxx/xxxx/x{shown}xx/xxxx/xxxx {side} {pool} - 0"


@pytest.mark.parametrize(("first", "second"), [("K", "k"), ("K", "G"), ("p", "p"), ("p", "P")])
def test_b2_later_flips_decide_no_colours(first: str, second: str) -> None:
    position = Position()
    position.push(f"a1({first})")
    position.push(f"d8({second})")
    # The first flipper is to move again, and plays the colour that he showed first.
    assert position.side is (Side.RED if first.isupper() else Side.BLACK)
    assert "a1" not in position.legal_moves
    assert "d8" not in position.legal_moves


def test_b2_the_flipper_of_the_other_colour_moves_that_colour_later() -> None:
    position = Position()
    play(position, "a1(k) d8(g)")
    # Black flipped first, red turned up a black piece: black is to move and has both, but face-down pieces all round.
    assert position.side is Side.BLACK
    assert all(move.is_flip for move in position.legal_moves)


# ---- B3: a step goes one square up, down, left or right to an empty square; every piece steps alike, cannons too --------


@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("kind", "KGMRNCP")
def test_b3_every_kind_steps_one_square_orthogonally(rules: str, kind: str) -> None:
    assert from_fen(f"3n/4/4/4/1{kind}2/4/4/4 r - - 0", rules) == {"b4-b5", "b4-b3", "b4-a4", "b4-c4"}
    assert from_fen(f"3N/4/4/4/4/4/4/{kind.lower()}3 b - - 0", rules) == {"a1-a2", "a1-b1"}


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b3_a_step_needs_an_empty_square(rules: str) -> None:
    # b4 has an own piece above, a face-down one below, a stronger enemy to the left: only c4 is left.
    assert "b4-c4" in from_fen("4/4/4/1K2/gN2/1x2/4/4 r P - 0", rules)
    assert not from_fen("4/4/4/1K2/gN2/1x2/4/4 r P - 0", rules) & {"b4-b5", "b4-b3"}
    position = Position.from_fen("4/4/4/1K2/gN2/1x2/4/4 r P - 0", rules=rules)
    position.push("b4-c4")
    assert position.fen() == "4/4/4/1K2/g1N1/1x2/4/4 b P - 1"


def test_b3_no_step_runs_over_the_edge() -> None:
    assert from_fen("4/4/4/4/4/4/4/1K1n r - - 0") == {"b1-a1", "b1-c1", "b1-b2"}
    assert from_fen("3n/4/4/4/3K/4/4/4 r - - 0") == {"d4-d5", "d4-d3", "d4-c4"}
    assert from_fen("K3/4/4/4/4/4/4/3n r - - 0") == {"a8-a7", "a8-b8"}
    assert from_fen("3n/4/4/4/4/K3/4/4 r - - 0") == {"a3-a4", "a3-a2", "a3-b3"}


# ---- B4: an adjacent capture goes one square orthogonally onto a face-up enemy that the mover's kind may take -----------


@pytest.mark.parametrize(
    ("rules", "captures"),
    [
        ("taiwan", {"b4-b5"}),
        ("hongkong", {"b4-b5"}),
        ("mainland", {"b4-b5", "b4-b3"}),
        ("cannon-adjacent", {"b4-b5"}),
    ],
)
def test_b4_the_general_takes_what_its_ranking_says(rules: str, captures: set[str]) -> None:
    # Round the red general: an enemy advisor above, an enemy soldier below, a face-down piece, an own soldier.
    position = Position.from_fen("4/4/4/1g2/xKP1/1p2/4/4 r n - 0", rules=rules)
    assert {move for move in legal(position) if move.startswith("b4-")} == captures


@pytest.mark.parametrize("direction", ["b4-b5", "b4-b3", "b4-a4", "b4-c4"])
@pytest.mark.parametrize("rules", ALL_RULES)
def test_b4_a_soldier_takes_the_general_in_each_direction(rules: str, direction: str) -> None:
    position = Position.from_fen("3x/4/4/1k2/kPk1/1k2/4/4 r p - 0".replace("k", "1").replace("111", "3"), rules=rules)
    assert direction in position.legal_moves
    ranks = {"b4-b5": "1k2/1P2/4", "b4-b3": "4/1P2/1k2", "b4-a4": "4/kP2/4", "b4-c4": "4/1Pk1/4"}
    position = Position.from_fen(f"3x/4/4/{ranks[direction]}/4/4 r p - 0", rules=rules)
    position.push(direction)
    assert position.captured()["k"] == 1
    assert position.side is Side.BLACK


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b4_no_capture_is_slanting_or_far(rules: str) -> None:
    # The red chariot at b4 has enemy soldiers at a5, c5, a3, c3 and b6: none is a neighbour.
    moves = from_fen("4/4/1p2/p1p1/1R2/p1p1/4/4 r - - 0", rules)
    assert moves == {"b4-b5", "b4-b3", "b4-a4", "b4-c4"}


@pytest.mark.parametrize(
    ("rules", "takes"),
    [("taiwan", False), ("hongkong", True), ("mainland", True), ("cannon-adjacent", True)],
)
def test_b4_a_cannon_takes_its_neighbour_only_where_the_rule_set_says(rules: str, takes: bool) -> None:
    # A soldier is below the cannon in both stepping rankings, and cannon-adjacent names it.
    assert ("b4-b5" in from_fen("4/4/4/1p2/1C2/4/4/3n r - - 0", rules)) == takes


def test_b4_hongkong_ranks_chariot_horse_and_cannon_above_the_advisor() -> None:
    moves = from_fen("4/4/4/1g2/gCn1/1r2/4/4 r - - 0", "hongkong")
    assert moves == {"b4-b5", "b4-a4"}
    assert from_fen("4/4/4/1g2/gRn1/1k2/4/4 r - - 0", "hongkong") == {"b4-b5", "b4-a4", "b4-c4"}


# ---- B5: a jump goes over exactly one piece onto a face-up enemy of any kind --------------------------------------------


@pytest.mark.parametrize("rules", ["taiwan", "cannon-adjacent", "hongkong(cannon=jump)", "mainland(cannon=jump)"])
@pytest.mark.parametrize("screen", ["P", "p", "x"])
@pytest.mark.parametrize("victim", "kgmrncp")
def test_b5_a_cannon_jumps_over_a_screen_of_any_sort_onto_any_kind(rules: str, screen: str, victim: str) -> None:
    pool = "N" if screen == "x" else "-"
    # Up the a file: cannon a1, screen a4, victim a7. The distances are 3 and 3.
    position = Position.from_fen(f"3n/{victim}3/4/4/{screen}3/4/4/C3 r {pool} - 0", rules=rules)
    assert "a1-a7" in position.legal_moves
    position.push("a1-a7")
    assert position.fen() == f"3n/C3/4/4/{screen}3/4/4/4 b {pool} - 0"
    # Along a row: cannon d1, screen c1, victim a1.
    assert "d1-a1" in from_fen(f"3n/4/4/4/4/4/4/{victim}1{screen}C r {pool} - 0", rules)


JUMPS_NOWHERE = {
    "no screen": "3n/4/4/4/p3/4/4/C3 r - - 0",
    "no screen to the neighbour": "3n/4/4/4/4/4/p3/C3 r - - 0",
    "two screens": "3n/4/P3/4/r3/4/P3/C3 r - - 0".replace("P3/4/r3/4/P3", "r3/4/P3/4/N3"),
    "a screen but nothing behind": "3n/4/4/4/P3/4/4/C3 r - - 0",
    "an own target": "3n/4/R3/4/P3/4/4/C3 r - - 0",
    "a face-down target": "3n/4/x3/4/P3/4/4/C3 r p - 0",
    "a target off the line": "3n/4/1r2/4/P3/4/4/C3 r - - 0",
}


@pytest.mark.parametrize("case", JUMPS_NOWHERE)
def test_b5_no_jump_without_exactly_one_screen_and_an_enemy_behind(case: str) -> None:
    moves = from_fen(JUMPS_NOWHERE[case])
    assert {move for move in moves if move.startswith("a1")} <= {"a1-a2", "a1-b1"}


def test_b5_a_jump_takes_the_first_piece_behind_the_screen_only() -> None:
    # a2 is the screen, a3 the only target; a5 and a8 stand behind it.
    assert from_fen("p3/4/4/r3/4/m3/x3/C2n r P - 0") == {"a2", "a1-a3", "a1-b1"}


def test_b5_a_cannon_jumps_in_all_four_directions_from_the_middle() -> None:
    moves = from_fen("4/1k2/4/1x2/pPCx/1x2/4/4 r Pnn - 0".replace("1k2", "2k1").replace("1x2", "2x1"))
    # From c4: up over c5 onto c7, left over b4 onto a4; nothing right of d4, nothing below c3.
    assert {move for move in moves if move.startswith("c4-")} == {"c4-c7", "c4-a4"}


@pytest.mark.parametrize("rules", ["hongkong", "mainland"])
def test_b5_a_stepping_cannon_never_jumps(rules: str) -> None:
    assert from_fen("3n/p3/4/4/P3/4/4/C3 r - - 0", rules) == {"a1-a2", "a1-b1", "a4-a5", "a4-a3", "a4-b4"}


@pytest.mark.parametrize("rules", ["taiwan", "cannon-adjacent"])
def test_b5_only_a_cannon_jumps(rules: str) -> None:
    for kind in "KGMRNP":
        assert "a1-a7" not in from_fen(f"3n/p3/4/4/x3/4/4/{kind}3 r N - 0", rules)


# ---- B6: the captured piece leaves the board, the capturer takes its square; face-down pieces cannot be captured -------


def test_b6_the_capturer_takes_the_square_of_the_captured_piece() -> None:
    position = Position.from_fen("x3/4/4/1n2/1R2/4/4/3k r Pp - 7")
    before = dict(position.captured())
    position.push("b4-b5")
    assert position.fen() == "x3/4/4/1R2/4/4/4/3k b Pp - 0".replace("x3", "x3")
    assert position.piece_at("b5") == Piece("R")
    assert position.piece_at("b4") is None
    assert position.captured() == before | {"n": before["n"] + 1}


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b6_face_down_pieces_cannot_be_captured(rules: str) -> None:
    # Every hidden piece is a black soldier, which the chariot would take and the cannon would jump onto.
    position = Position.from_fen("x2n/4/x3/C3/1x2/xRx1/1x2/4 r pppppp - 0".replace("x2n", "3n").replace("pppppp", "ppppp"), rules=rules)
    assert legal(position) == {"a6", "b4", "a3", "c3", "b2", "a5-a4", "a5-b5"}
