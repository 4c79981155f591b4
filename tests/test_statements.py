"""Hand-made cases for each rule statement, B1 to B9: what is expected was worked out by hand from the rules page.

The switches of section 4: test_house_rules.py; section 5: test_perpetual.py; section 6: test_double.py.
"""

import pytest

from banqi import MoveError, Outcome, Piece, Position, Side, Termination
from statements import CYCLE, GENERALS, QUIET_LIMIT, REPETITION, WHOLE_SET, legal, legal_from, played

ALL_RULES = (
    "taiwan",
    "hongkong",
    "mainland",
    "cannon-adjacent",
    "cannon-chain",
    "hongkong(cannon=jump)",
    "mainland(cannon=jump)",
    "hongkong(chain=any)",
    "taiwan(perpetual=loses)",
)
JUMPING = ("taiwan", "cannon-adjacent", "hongkong(cannon=jump)", "mainland(cannon=jump)")
STEPPING = ("hongkong", "mainland")

# ---- B1: a flip of any face-down piece, or an action of one of the mover's own face-up pieces; no pass ---------------


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b1_a_ply_is_a_flip_or_an_action_of_an_own_piece(rules: str) -> None:
    assert legal("3x/4/4/4/4/4/1x2/K2n r Pp - 0", rules) == {"b2", "d8", "a1-a2", "a1-b1"}
    assert legal("3x/4/4/4/4/4/1x2/K2n b Pp - 0", rules) == {"b2", "d8", "d1-d2", "d1-c1"}


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b1_a_face_down_piece_of_the_enemy_may_be_flipped(rules: str) -> None:
    position = Position.from_fen("3x/4/4/4/4/4/4/K2n r p - 0", rules=rules)
    assert [(str(outcome.move), outcome.weight) for outcome in position.outcomes("d8")] == [("d8(p)", 1)]
    position.push("d8(p)")
    assert position.fen() == "3p/4/4/4/4/4/4/K2n b - - 0"


@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("nothing", ["end", "0000"])
def test_b1_there_is_no_pass(rules: str, nothing: str) -> None:
    position = Position.from_fen("4/4/4/4/4/4/4/K2n r - - 0", rules=rules)
    assert not position.is_legal(nothing)
    with pytest.raises(MoveError):
        position.push(nothing)


@pytest.mark.parametrize(
    "move",
    [
        pytest.param("d1-d2", id="a step of the enemy"),
        pytest.param("a1(K)", id="a flip of what is face up"),
        pytest.param("b1(p)", id="a flip of an empty square"),
        pytest.param("c1-c2", id="a step from an empty square"),
        pytest.param("d8-d7", id="a step of a face-down piece"),
        pytest.param("d8(P)", id="a reveal that the pool does not hold"),
        pytest.param("a1-a2(p)", id="a step with a reveal"),
        pytest.param("a1a1", id="a step to the same square"),
    ],
)
def test_b1_nothing_else_is_a_ply(move: str) -> None:
    position = Position.from_fen("3x/4/4/4/4/4/4/K2n r p - 0")
    with pytest.raises(MoveError):
        position.push(move)
    assert position.fen() == "3x/4/4/4/4/4/4/K2n r p - 0"


# ---- B2: the first flip decides colours: its flipper plays the colour shown; before it only flips exist --------------


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b2_before_the_first_flip_only_flips_exist(rules: str) -> None:
    position = Position(rules)
    assert position.side is None
    assert {str(move) for move in position.legal_moves} == {file + rank for file in "abcd" for rank in "12345678"}
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
    # If red was shown, the flipper is red, and black is to move.
    side = "b" if shown in "KGMRNCP" else "r"
    pool = WHOLE_SET.replace(shown, "", 1)
    assert position.fen() == f"xxxx/xxxx/xxxx/xxxx/xxxx/x{shown}xx/xxxx/xxxx {side} {pool} - 0"


@pytest.mark.parametrize(
    ("first", "second", "side"),
    [
        ("K", "k", Side.RED),
        ("K", "G", Side.RED),
        ("p", "p", Side.BLACK),
        ("p", "P", Side.BLACK),
    ],
)
def test_b2_later_flips_change_no_colours(first: str, second: str, side: Side) -> None:
    position = Position()
    position.push(f"a1({first})")
    position.push(f"a2({second})")
    # The first flipper is to move again, with the colour that he showed.
    assert position.side is side


def test_b2_the_second_player_moves_the_other_colour() -> None:
    # Red was shown first, so the second player is black: his soldier takes the general that the first one showed.
    position = Position()
    for move in ("a1(K)", "a2(p)", "b1(p)", "a2-a1"):
        position.push(move)
    assert position.captured()["K"] == 1
    assert position.side is Side.RED


# ---- B3: one square up, down, left or right to an empty square; every piece steps alike, cannons too -----------------


@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("kind", "KGMRNCP")
def test_b3_every_kind_steps_one_square_in_four_directions(rules: str, kind: str) -> None:
    assert legal(f"3n/4/4/4/1{kind}2/4/4/4 r - - 0", rules) == {"b4-b5", "b4-b3", "b4-a4", "b4-c4"}
    assert legal(f"3N/4/4/4/1{kind.lower()}2/4/4/4 b - - 0", rules) == {"b4-b5", "b4-b3", "b4-a4", "b4-c4"}


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b3_a_step_needs_an_empty_square(rules: str) -> None:
    # Round the red horse: an own advisor above, a face-down piece below, a general, which it never takes, to the left.
    fen = "4/4/4/1G2/kN2/1x2/4/4 r P - 0"
    assert legal_from("b4", fen, rules) == {"b4-c4"}
    assert played(fen, "b4-c4", rules).fen() == "4/4/4/1G2/k1N1/1x2/4/4 b P - 1"


def test_b3_no_step_leaves_the_board() -> None:
    assert legal("4/4/4/4/4/4/4/K2n r - - 0") == {"a1-a2", "a1-b1"}
    assert legal("2K1/4/4/4/4/4/4/n3 r - - 0") == {"c8-b8", "c8-d8", "c8-c7"}
    assert legal("4/4/4/4/K3/4/4/3n r - - 0") == {"a4-a5", "a4-a3", "a4-b4"}
    assert legal("4/4/4/3K/4/4/4/n3 r - - 0") == {"d5-d6", "d5-d4", "d5-c5"}


# ---- B4: one square orthogonally onto a face-up enemy that the mover's kind may take ---------------------------------


@pytest.mark.parametrize(
    ("rules", "captures"),
    [
        ("taiwan", {"b4-b5"}),
        ("hongkong", {"b4-b5"}),
        ("mainland", {"b4-b5", "b4-b3"}),
        ("cannon-adjacent", {"b4-b5"}),
    ],
)
def test_b4_the_general_takes_soldiers_only_in_mainland(rules: str, captures: set[str]) -> None:
    # Round the red general: an advisor above, a soldier below, a face-down piece left, an own soldier right.
    assert legal_from("b4", "4/4/4/1g2/xKP1/1p2/4/4 r n - 0", rules) == captures


@pytest.mark.parametrize(
    ("move", "ranks"),
    [("b4-b5", "1k2/1P2/4"), ("b4-b3", "4/1P2/1k2"), ("b4-a4", "4/kP2/4"), ("b4-c4", "4/1Pk1/4")],
)
@pytest.mark.parametrize("rules", ALL_RULES)
def test_b4_a_soldier_takes_the_general_in_each_direction(rules: str, move: str, ranks: str) -> None:
    assert played(f"3n/4/4/{ranks}/4/4 r - - 0", move, rules).captured()["k"] == 1
    assert played(f"3N/4/4/{ranks.swapcase()}/4/4 b - - 0", move, rules).captured()["K"] == 1


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b4_no_capture_is_slanting_or_far(rules: str) -> None:
    # Five soldiers that the chariot takes everywhere, on a5, c5, a3, c3 and b6: none is a neighbour.
    assert legal("4/4/1p2/p1p1/1R2/p1p1/4/4 r - - 0", rules) == {"b4-b5", "b4-b3", "b4-a4", "b4-c4"}


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b4_nobody_takes_his_own_piece(rules: str) -> None:
    assert legal_from("b4", "3n/4/4/1P2/NRC1/1M2/4/4 r - - 0", rules) == set()


@pytest.mark.parametrize(
    ("rules", "captures"),
    [
        ("taiwan", set()),
        ("hongkong(cannon=jump)", set()),
        ("hongkong", {"b4-b5", "b4-a4", "b4-c4"}),
        ("mainland", {"b4-b5", "b4-c4"}),
        ("cannon-adjacent", {"b4-b5", "b4-c4"}),
    ],
)
def test_b4_a_cannon_takes_neighbours_as_its_rule_set_says(rules: str, captures: set[str]) -> None:
    # Round the red cannon: a soldier above, an elephant left, a cannon right, a horse below.
    assert legal_from("b4", "4/4/4/1p2/mCc1/1n2/4/4 r - - 0", rules) == captures


def test_b4_hongkong_ranks_chariot_horse_and_cannon_above_the_advisor() -> None:
    assert legal("4/4/4/1g2/gCn1/1r2/4/4 r - - 0", "hongkong") == {"b4-b5", "b4-a4"}
    assert legal("4/4/4/1g2/gRn1/1k2/4/4 r - - 0", "hongkong") == {"b4-b5", "b4-a4", "b4-c4"}
    assert legal("4/4/4/1m2/cGr1/1n2/4/4 r - - 0", "hongkong") == {"b4-b5"}


# ---- B5: a jump over exactly one piece, of either colour or face down, onto a face-up enemy of any kind --------------


@pytest.mark.parametrize("rules", JUMPING)
@pytest.mark.parametrize(("screen", "pool"), [("P", "-"), ("p", "-"), ("x", "N")])
@pytest.mark.parametrize("victim", "kgmrncp")
def test_b5_a_cannon_jumps_over_any_screen_onto_any_kind(rules: str, screen: str, pool: str, victim: str) -> None:
    # Up a column, over a4 from a1 to a7, and along a row, over c1 from d1 to a1.
    column = played(f"3n/{victim}3/4/4/{screen}3/4/4/C3 r {pool} - 5", "a1-a7", rules)
    assert column.fen() == f"3n/C3/4/4/{screen}3/4/4/4 b {pool} - 0"
    row = played(f"3n/4/4/4/4/4/4/{victim}1{screen}C r {pool} - 5", "d1-a1", rules)
    assert row.fen() == f"3n/4/4/4/4/4/4/C1{screen}1 b {pool} - 0"


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        pytest.param("3n/4/4/4/p3/4/4/C3 r - - 0", {"a1-a2", "a1-b1"}, id="no screen"),
        pytest.param("3n/4/4/4/4/4/p3/C3 r - - 0", {"a1-b1"}, id="no screen before a neighbour"),
        pytest.param("3n/n3/4/x3/4/P3/4/C3 r N - 0", {"a1-a2", "a1-b1"}, id="two screens"),
        pytest.param("3n/4/4/4/P3/4/4/C3 r - - 0", {"a1-a2", "a1-b1"}, id="nothing behind the screen"),
        pytest.param("3n/4/R3/4/P3/4/4/C3 r - - 0", {"a1-a2", "a1-b1"}, id="an own piece behind"),
        pytest.param("3n/4/x3/4/P3/4/4/C3 r p - 0", {"a1-a2", "a1-b1"}, id="a face-down piece behind"),
        pytest.param("3n/4/1r2/4/P3/4/4/C3 r - - 0", {"a1-a2", "a1-b1"}, id="an enemy off the line"),
    ],
)
@pytest.mark.parametrize("rules", ["taiwan", "hongkong(cannon=jump)", "mainland(cannon=jump)"])
def test_b5_no_jump_without_one_screen_and_an_enemy_behind_it(rules: str, fen: str, moves: set[str]) -> None:
    assert legal_from("a1", fen, rules) == moves


def test_b5_a_jump_takes_only_the_first_piece_behind_the_screen() -> None:
    # a2 is the screen and a3 the target; a5 and a8 stand behind it.
    assert legal("p3/4/4/r3/4/m3/x3/C2n r P - 0") == {"a2", "a1-a3", "a1-b1"}


def test_b5_a_cannon_jumps_up_down_left_and_right() -> None:
    to_the_left = {"c4-c8", "c4-c1", "c4-a4", "c4-c5", "c4-d4"}
    assert legal_from("c4", "2k1/4/2x1/4/gnC1/2P1/4/2p1 r N - 0") == to_the_left
    to_the_right = {"b4-b8", "b4-b1", "b4-d4", "b4-b5", "b4-a4"}
    assert legal_from("b4", "1k2/4/1x2/4/1Cng/1P2/4/1p2 r N - 0") == to_the_right


@pytest.mark.parametrize("rules", STEPPING)
def test_b5_a_stepping_cannon_never_jumps(rules: str) -> None:
    assert legal_from("a1", "3n/p3/4/4/P3/4/4/C3 r - - 0", rules) == {"a1-a2", "a1-b1"}


@pytest.mark.parametrize("rules", JUMPING)
@pytest.mark.parametrize("kind", "KGMRNP")
def test_b5_only_cannons_jump(rules: str, kind: str) -> None:
    assert legal_from("a1", f"3n/p3/4/4/x3/4/4/{kind}3 r N - 0", rules) == {"a1-a2", "a1-b1"}


# ---- B6: the captured piece leaves the board, the capturer takes its square; face-down pieces cannot be captured -----


def test_b6_the_capturer_takes_the_square_of_the_captured_piece() -> None:
    position = Position.from_fen("x3/4/4/1n2/1R2/4/4/3k r p - 7")
    before = dict(position.captured())
    position.push("b4-b5")
    assert position.fen() == "x3/4/4/1R2/4/4/4/3k b p - 0"
    assert position.piece_at("b5") == Piece("R")
    assert position.piece_at("b4") is None
    assert dict(position.captured()) == before | {"n": before["n"] + 1}


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b6_face_down_pieces_cannot_be_captured(rules: str) -> None:
    # All that is hidden is black. The chariot stands amid face-down pieces; a8 lies behind the cannon's screen a6.
    fen = "x2n/4/x3/C3/1x2/xRx1/1x2/4 r mppppp - 0"
    assert legal(fen, rules) == {"a8", "a6", "b4", "a3", "c3", "b2", "a5-a4", "a5-b5"}


# ---- B7: the end, tested in this order: all_captured, no_moves, repetition, quiet_limit ------------------------------


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b7_who_has_no_piece_left_has_lost(rules: str) -> None:
    red = played("4/4/4/1n2/1R2/4/4/4 r - - 0", "b4-b5", rules)
    assert red.outcome() == Outcome(Side.RED, Termination.ALL_CAPTURED)
    black = played("4/4/4/1N2/1r2/4/4/4 b - - 0", "b4-b5", rules)
    assert black.outcome() == Outcome(Side.BLACK, Termination.ALL_CAPTURED)


def test_b7_no_action_follows_all_captured_not_even_a_flip() -> None:
    position = played("x3/4/4/1n2/1R2/4/4/4 r P - 0", "b4-b5")
    assert position.outcome() == Outcome(Side.RED, Termination.ALL_CAPTURED)
    assert list(position.legal_moves) == []
    assert not position.is_legal("a8")


def test_b7_a_side_with_a_piece_in_the_pool_has_not_lost() -> None:
    position = played("x3/4/4/1n2/1R2/4/4/4 r p - 0", "b4-b5")
    assert position.outcome() is None
    assert [str(move) for move in position.legal_moves] == ["a8"]


@pytest.mark.parametrize("side", "rb")
def test_b7_all_captured_is_tested_on_a_position_that_is_set_up(side: str) -> None:
    red_is_left = Position.from_fen(f"x3/4/4/4/1R2/4/4/4 {side} P - 0")
    assert red_is_left.outcome() == Outcome(Side.RED, Termination.ALL_CAPTURED)
    assert not red_is_left.legal_moves
    black_is_hidden = Position.from_fen(f"x3/4/4/4/4/4/4/4 {side} p - 0")
    assert black_is_hidden.outcome() == Outcome(Side.BLACK, Termination.ALL_CAPTURED)
    assert not black_is_hidden.legal_moves


def test_b7_who_cannot_move_loses() -> None:
    # The black general does not take soldiers, and soldiers stand on both squares beside it.
    position = played("4/4/4/4/4/P3/4/kP2 r - - 0", "a3-a2")
    assert position.outcome() == Outcome(Side.RED, Termination.NO_MOVES)
    assert not position.legal_moves
    # The red chariot takes neither the general nor the advisor.
    position = played("4/4/4/4/4/k3/4/Rg2 b - - 0", "a3-a2")
    assert position.outcome() == Outcome(Side.BLACK, Termination.NO_MOVES)


def test_b7_who_can_capture_can_move() -> None:
    assert played("4/4/4/4/4/P3/4/kP2 r - - 0", "a3-a2", "mainland").outcome() is None


def test_b7_who_can_flip_can_move() -> None:
    position = played("3x/4/4/4/4/P3/4/kP2 r P - 0", "a3-a2")
    assert position.outcome() is None
    assert [str(move) for move in position.legal_moves] == ["d8"]


def test_b7_a_win_on_the_last_quiet_ply_is_a_win() -> None:
    position = played("4/4/4/4/4/P3/4/kP2 r - - 179", "a3-a2")
    assert position.quiet == 180
    assert position.outcome() == Outcome(Side.RED, Termination.NO_MOVES)


@pytest.mark.parametrize("rules", ALL_RULES)
def test_b7_the_third_occurrence_is_a_draw_and_the_start_counts(rules: str) -> None:
    position = played(GENERALS, CYCLE, rules)
    assert position.repetitions() == 2
    position = played(GENERALS, CYCLE * 2, rules)
    assert position.repetitions() == 3
    assert position.outcome() == REPETITION


def test_b7_a_later_position_repeats_as_well() -> None:
    position = played(GENERALS, "a1-b1 d8-c8" + " b1-b2 c8-c7 b2-b1 c7-c8" * 2)
    assert position.outcome() == REPETITION


@pytest.mark.parametrize(("repetition", "cycles"), [(2, 1), (3, 2), (4, 3), (7, 6)])
def test_b7_the_deciding_occurrence_is_a_parameter(repetition: int, cycles: int) -> None:
    position = played(GENERALS, CYCLE * cycles, f"taiwan(repetition={repetition})")
    assert position.repetitions() == repetition
    assert position.outcome() == REPETITION


def test_b7_without_a_repetition_rule_nothing_repeats() -> None:
    position = played(GENERALS, CYCLE * 20, "taiwan(repetition=none)")
    assert position.repetitions() == 21
    assert position.outcome() is None


# Two soldiers go round a square and change places, first one way, then the other: no move is played twice.
SOLDIERS = "3k/4/4/4/4/4/1P2/P3 r - - 0"
SWAP = "a1-a2 d8-d7 b2-b1 d7-d8 a2-b2 d8-d7 b1-a1 d7-d8 "
SWAP_BACK = "b2-a2 d8-d7 a1-b1 d7-d8 b1-b2 d8-d7 a2-a1 d7-d8 "


def test_b7_positions_repeat_not_moves() -> None:
    assert played(SOLDIERS, SWAP).repetitions() == 2
    assert played(SOLDIERS, SWAP + SWAP_BACK).outcome() == REPETITION


def test_b7_nothing_before_a_reveal_repeats() -> None:
    cycle_of_black = "d8-d7 a1-a2 d7-d8 a2-a1 "
    fen = "3k/4/x3/4/4/4/4/K3 r m - 0"
    assert played(fen, CYCLE + "a6(m)").repetitions() == 1
    assert played(fen, CYCLE + "a6(m) " + cycle_of_black).repetitions() == 2
    assert played(fen, CYCLE + "a6(m) " + cycle_of_black * 2).outcome() == REPETITION


def test_b7_nothing_before_a_capture_repeats() -> None:
    cycle_of_black = "d7-d8 b2-b3 d8-d7 b3-b2 "
    fen = "3k/4/4/4/4/4/1n2/K3 r - - 0"
    assert played(fen, CYCLE + "a1-b1 d8-d7 b1-b2").repetitions() == 1
    assert played(fen, CYCLE + "a1-b1 d8-d7 b1-b2 " + cycle_of_black).repetitions() == 2
    assert played(fen, CYCLE + "a1-b1 d8-d7 b1-b2 " + cycle_of_black * 2).outcome() == REPETITION


def test_b7_a_cycle_needs_three_copies() -> None:
    # The third occurrence comes with the second copy, and decides nothing.
    assert played(GENERALS, CYCLE * 2, "taiwan(repetition=cycle)").outcome() is None
    assert played(GENERALS, CYCLE * 3, "taiwan(repetition=cycle)").outcome() == REPETITION


def test_b7_a_cycle_may_begin_after_other_steps() -> None:
    moves = "a1-b1 d8-c8" + " b1-b2 c8-c7 b2-b1 c7-c8" * 3
    assert played(GENERALS, moves, "taiwan(repetition=cycle)").outcome() == REPETITION


def test_b7_a_cycle_may_be_eight_steps_long() -> None:
    square = "a1-a2 d8-d7 a2-b2 d7-c7 b2-b1 c7-c8 b1-a1 c8-d8 "
    assert played(GENERALS, square * 3, "taiwan(repetition=cycle)").outcome() == REPETITION


def test_b7_copies_of_other_steps_are_no_cycle() -> None:
    # The same position comes back again and again, on different ways.
    moves = CYCLE + "a1-b1 d8-d7 b1-a1 d7-d8 " + CYCLE + "a1-a2 d8-c8 a2-a1 c8-d8 " + CYCLE * 2
    assert played(GENERALS, moves, "taiwan(repetition=cycle)").outcome() is None


def test_b7_a_reveal_begins_a_cycle_anew() -> None:
    fen = "3k/4/x3/4/4/4/4/K3 r m - 0"
    moves = CYCLE * 2 + "a6(m) " + "d8-d7 a1-a2 d7-d8 a2-a1 " * 3
    assert played(fen, moves, "taiwan(repetition=cycle)").outcome() == REPETITION


def test_b7_180_quiet_plies_are_a_draw() -> None:
    assert played("3k/4/4/4/4/4/4/K3 r - - 178", "a1-a2").outcome() is None
    position = played("3k/4/4/4/4/4/4/K3 r - - 178", "a1-a2 d8-d7")
    assert position.quiet == 180
    assert position.outcome() == QUIET_LIMIT


def test_b7_the_quiet_plies_of_both_sides_count() -> None:
    position = played(GENERALS, "a1-a2 d8-d7 a2-a3 d7-d6 a3-a4 d6-d5 a4-b4 d5-c5", "taiwan(quiet_limit=8)")
    assert position.quiet == 8
    assert position.outcome() == QUIET_LIMIT


def test_b7_a_reveal_and_a_capture_are_not_quiet() -> None:
    flipped = played("3k/x3/4/4/4/4/4/K3 r m - 179", "a7(m)")
    assert (flipped.quiet, flipped.outcome()) == (0, None)
    captured = played("3k/4/4/4/4/4/p3/R3 r - - 179", "a1-a2")
    assert (captured.quiet, captured.outcome()) == (0, None)


@pytest.mark.parametrize("limit", [1, 40, 50, 60])
def test_b7_the_quiet_limit_is_a_parameter(limit: int) -> None:
    position = played(f"3k/4/4/4/4/4/4/K3 r - - {limit - 1}", "a1-a2", f"taiwan(quiet_limit={limit})")
    assert position.outcome() == QUIET_LIMIT


def test_b7_repetition_is_tested_before_the_quiet_limit() -> None:
    position = played(GENERALS, CYCLE * 2, "taiwan(quiet_limit=8)")
    assert position.quiet == 8
    assert position.outcome() == REPETITION


# ---- B8: there is no check; a general is just the highest piece ------------------------------------------------------


def test_b8_an_attacked_general_need_not_be_saved() -> None:
    # The soldier on a2 attacks the general, which cannot take it; the horse may move all the same.
    assert legal("4/4/4/4/4/4/p3/K2N r - - 0") == {"a1-b1", "d1-d2", "d1-c1"}


def test_b8_a_general_may_step_beside_a_soldier_or_face_the_other_general() -> None:
    assert legal("4/4/4/4/4/p3/4/K3 r - - 0") == {"a1-a2", "a1-b1"}
    assert legal("1k2/4/4/4/4/4/4/K3 r - - 0") == {"a1-a2", "a1-b1"}


def test_b8_the_game_goes_on_without_a_general() -> None:
    position = played("4/4/4/4/4/4/p3/K2N b - - 0", "a2-a1")
    assert position.captured()["K"] == 1
    assert position.outcome() is None
    assert position.side is Side.RED


# ---- B9: resignation, agreement and time -----------------------------------------------------------------------------


def test_b9_the_ends_that_people_decide_have_names() -> None:
    assert {"resign", "agreement", "time"} <= {termination.value for termination in Termination}
