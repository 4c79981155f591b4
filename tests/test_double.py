"""Hand-made cases for section 6, two sets on 8 x 8: what is expected was worked out by hand from the rules page."""

import pickle

import pytest

from banqi import FenError, Move, MoveError, Outcome, Position, Rules, RulesError, Side, Termination
from banqi.geometry import Geometry
from statements import QUIET_LIMIT, RED_WINS, REPETITION, after, legal, legal_from, played, requests

BOARD_8X8 = Geometry(8, 8)
RANKINGS = ("double", "double(ranking=hongkong)", "double(ranking=mainland)")
EVERY = (
    *RANKINGS,
    "double(cannon_adjacent)",
    "double(dark_capture, chain=any)",
    "double(screens=faceup, chain=cannon)",
    "double(ranking=hongkong, cannon=jump, dark_capture)",
)
POOL = "KKGGGGMMMMRRRRNNNNCCCCPPPPPPPPPPkkggggmmmmrrrrnnnnccccpppppppppp"
EMPTY_RANKS = "8/8/8/8/8/8/8"


def alone(rank: str) -> str:
    """The placement of pieces that all stand on rank 1."""
    return f"{EMPTY_RANKS}/{rank}"


# ---- 64 pieces, files a-h, ranks 1-8, two full sets, all face down ---------------------------------------------------


@pytest.mark.parametrize("rules", EVERY)
def test_the_start(rules: str) -> None:
    position = Position(rules)
    assert position.fen() == f"{'/'.join(['xxxxxxxx'] * 8)} ? {POOL} - 0"
    assert Position.from_fen(position.fen(), rules=rules) == position
    assert position.side is None
    assert position.outcome() is None
    assert position.legal_moves.count() == 64
    assert requests(position) == {file + rank for file in "abcdefgh" for rank in "12345678"}


@pytest.mark.parametrize("rules", EVERY)
def test_the_counts_of_a_team(rules: str) -> None:
    parsed = Rules.parse(rules)
    assert parsed.geometry == BOARD_8X8
    assert parsed.geometry.squares == 64
    assert parsed.letters == "KGMRNCPkgmrncp"
    assert dict(parsed.set_counts) == {"K": 2, "G": 4, "M": 4, "R": 4, "N": 4, "C": 4, "P": 10}
    assert 2 * sum(parsed.set_counts.values()) == 64


def test_the_first_reveal_is_drawn_from_both_sets() -> None:
    outcomes = Position("double").outcomes("h8")
    assert {str(outcome.move): outcome.weight for outcome in outcomes} == {
        **{"h8(K)": 2, "h8(G)": 4, "h8(M)": 4, "h8(R)": 4, "h8(N)": 4, "h8(C)": 4, "h8(P)": 10},
        **{"h8(k)": 2, "h8(g)": 4, "h8(m)": 4, "h8(r)": 4, "h8(n)": 4, "h8(c)": 4, "h8(p)": 10},
    }
    assert [outcome.probability for outcome in outcomes] == [outcome.weight / 64 for outcome in outcomes]


@pytest.mark.parametrize("square", ["a1", "d1", "e1", "h1", "a8", "h8", "d4", "e5", "h3", "a6"])
def test_squares_are_where_the_text_says(square: str) -> None:
    position = Position("double")
    position.push(f"{square}(K)")
    ranks = [["x"] * 8 for _ in range(8)]
    ranks[8 - int(square[1])]["abcdefgh".index(square[0])] = "K"
    assert position.fen() == f"{'/'.join(map(''.join, ranks))} b {POOL[1:]} - 0"
    assert str(position.piece_at(square)) == "K"


# ---- teams: red and green are upper case, black and blue lower case --------------------------------------------------


@pytest.mark.parametrize("shown", "KGMRNCPkgmrncp")
def test_the_first_flip_gives_its_flipper_the_team_of_the_colour_shown(shown: str) -> None:
    position = Position("double")
    position.push(f"f6({shown})")
    assert position.side is (Side.BLACK if shown.isupper() else Side.RED)
    assert position.pool[shown] == POOL.count(shown) - 1


@pytest.mark.parametrize("rules", RANKINGS)
@pytest.mark.parametrize("kind", "KGMRNCP")
def test_pieces_of_one_team_never_take_each_other(rules: str, kind: str) -> None:
    for victim in "KGMRNCP":
        fen = f"k7/8/8/4P3/4x3/8/4{victim}3/3P{kind}P2 r p - 0"
        assert legal_from("e1", fen, rules) == set()
        # Nor behind a screen.
        assert legal_from("a1", f"{alone(f'C2P2{victim}k')} r - - 0", rules) == {"a1-b1", "a1-a2"}


@pytest.mark.parametrize("rules", RANKINGS)
def test_a_team_has_two_of_what_a_colour_has_one(rules: str) -> None:
    fen = f"{alone('KK4kk')} r - - 0"
    assert Position.from_fen(fen, rules=rules).captured()["K"] == 0


# ---- steps, captures and jumps on the larger board -------------------------------------------------------------------


@pytest.mark.parametrize("rules", EVERY)
@pytest.mark.parametrize(
    ("square", "targets"),
    [
        ("d4", {"d5", "d3", "c4", "e4"}),
        ("e5", {"e6", "e4", "d5", "f5"}),
        ("h4", {"h5", "h3", "g4"}),
        ("a5", {"a6", "a4", "b5"}),
        ("a1", {"a2", "b1"}),
        ("h1", {"h2", "g1"}),
        ("h8", {"h7", "g8"}),
        ("d1", {"c1", "e1", "d2"}),
        ("e8", {"d8", "f8", "e7"}),
    ],
)
def test_a_step_goes_one_square_and_never_off_the_board(rules: str, square: str, targets: set[str]) -> None:
    column, row = "abcdefgh".index(square[0]), int(square[1])
    for kind in "KGMRNCP":
        ranks = ["8"] * 8
        ranks[8 - row] = f"{column or ''}{kind}{7 - column or ''}"
        # The enemy's soldier stands on row 3 or 7, far from the piece.
        ranks[1 if row in (3, 4) else 5] = "1p6" if column > 3 else "6p1"
        assert legal(f"{'/'.join(ranks)} r - - 0", rules) == {f"{square}-{target}" for target in targets}


@pytest.mark.parametrize("rules", RANKINGS)
def test_pieces_meet_between_the_files_d_and_e(rules: str) -> None:
    assert after(f"{alone('3Pk3')} r - - 3", "d1-e1", rules) == f"{alone('4P3')} b - - 0"
    assert after(f"{alone('3nR3')} r - - 3", "e1-d1", rules) == f"{alone('3R4')} b - - 0"


def test_a_cannon_jumps_along_eight_squares() -> None:
    assert legal_from("a1", f"{alone('C3p2k')} r - - 0", "double") == {"a1-h1", "a1-b1", "a1-a2"}
    assert legal_from("h8", "p3x2C/8/8/8/8/8/8/8 r P - 0", "double") == {"h8-a8", "h8-g8", "h8-h7"}
    assert legal_from("h1", "7k/8/7P/8/8/8/8/7C r - - 0", "double") == {"h1-h8", "h1-h2", "h1-g1"}
    assert legal_from("e8", "4C3/4x3/8/8/8/8/8/4r3 r P - 0", "double") == {"e8-e1", "e8-d8", "e8-f8"}
    # Two screens, or one and an own piece behind it.
    assert legal_from("a1", f"{alone('C2pp2k')} r - - 0", "double") == {"a1-e1", "a1-b1", "a1-a2"}
    assert legal_from("a1", f"{alone('C2Pxx1k')} r PP - 0", "double") == {"a1-b1", "a1-a2"}


def test_a_jump_never_goes_round_the_edge() -> None:
    # c2 and d2 follow on h1 only in the order of squares.
    assert legal_from("g1", "8/8/8/8/8/8/2pk4/6CP r - - 0", "double") == {"g1-f1", "g1-g2"}
    assert legal_from("h1", "8/8/8/8/8/8/pk6/7C r - - 0", "double") == {"h1-g1", "h1-h2"}


# ---- everything else as in the ranking chosen (taiwan by default) ----------------------------------------------------


def test_the_ranking_is_that_of_taiwan_by_default() -> None:
    assert Rules.parse("double") == Rules.parse("double(ranking=taiwan)")
    assert Rules.parse("double").ranking == "taiwan"
    assert Rules.parse("double").cannon_jumps
    assert Position("double").key == Position("double(ranking=taiwan)").key


@pytest.mark.parametrize(
    ("rules", "captures"),
    [
        # Round the general: an advisor above, a soldier below, a cannon left, a chariot right.
        ("double", {"e4-e5", "e4-d4", "e4-f4"}),
        ("double(ranking=hongkong)", {"e4-e5", "e4-d4", "e4-f4"}),
        ("double(ranking=mainland)", {"e4-e5", "e4-e3", "e4-d4", "e4-f4"}),
    ],
)
def test_the_general_takes_soldiers_in_mainland_only(rules: str, captures: set[str]) -> None:
    assert legal_from("e4", "8/8/8/4g3/3cKr2/4p3/8/8 r - - 0", rules) == captures


@pytest.mark.parametrize(
    ("rules", "captures"),
    [
        # Round the cannon: a soldier above, a horse below, an elephant left, a cannon right.
        ("double", set()),
        ("double(cannon_adjacent)", {"e4-e5", "e4-f4"}),
        ("double(ranking=hongkong)", {"e4-e5", "e4-d4", "e4-f4"}),
        ("double(ranking=mainland)", {"e4-e5", "e4-f4"}),
        ("double(ranking=hongkong, cannon=jump)", set()),
        ("double(ranking=mainland, cannon=jump, cannon_adjacent)", {"e4-e5", "e4-f4"}),
    ],
)
def test_a_cannon_takes_neighbours_as_its_options_say(rules: str, captures: set[str]) -> None:
    assert legal_from("e4", "8/8/8/4p3/3mCc2/4n3/8/8 r - - 0", rules) == captures


@pytest.mark.parametrize(
    ("rules", "jumps"), [("double(ranking=hongkong)", False), ("double(ranking=mainland, cannon=jump)", True)]
)
def test_the_ranking_brings_its_cannon(rules: str, jumps: bool) -> None:
    assert ("a1-h1" in legal(f"{alone('C3p2k')} r - - 0", rules)) == jumps


@pytest.mark.parametrize("rules", EVERY)
def test_the_end(rules: str) -> None:
    assert played("8/8/8/4n3/4R3/8/8/8 r - - 0", "e4-e5", rules).outcome() == RED_WINS
    # An advisor and a chariot shut the soldier in.
    shut_in = played("6Gp/8/7R/8/8/8/8/8 r - - 179", "h6-h7", rules)
    assert shut_in.outcome() == Outcome(Side.RED, Termination.NO_MOVES)
    generals = "7k/8/8/8/8/8/8/K7 r - - 0"
    assert played(generals, "a1-a2 h8-h7 a2-a1 h7-h8 " * 2, rules).outcome() == REPETITION
    assert played("7k/8/8/8/8/8/8/K7 r - - 179", "a1-a2", rules).outcome() == QUIET_LIMIT


def test_a_pool_keeps_a_side_in_the_game() -> None:
    position = played("x7/8/8/4n3/4R3/8/8/8 r p - 0", "e4-e5", "double")
    assert position.outcome() is None
    assert requests(position) == {"a8"}


# ---- all switches work there too -------------------------------------------------------------------------------------


def test_attempts() -> None:
    rules = "double(dark_capture)"
    fen = "8/8/8/4x3/3xRx2/4x3/8/7k r Pppp - 4"
    assert legal_from("e4", fen, rules) == {"e4-e5", "e4-d4", "e4-f4", "e4-e3"}
    assert after(fen, "e4-f4(p)", rules) == "8/8/8/4x3/3x1R2/4x3/8/7k b Ppp - 0"
    assert after(fen, "e4-d4(P)", rules) == "8/8/8/4x3/3PRx2/4x3/8/7k b ppp - 0"
    assert legal_from("a1", "7k/8/8/8/8/8/8/C3x2x r Gp - 0", rules) == {"a1-h1", "a1-b1", "a1-a2"}


def test_chains() -> None:
    rules = "double(dark_capture, chain=any)"
    fen = "7k/8/8/8/8/8/8/2Rnpx2 r p - 4"
    position = played(fen, "c1-d1", rules)
    assert position.fen() == "7k/8/8/8/8/8/8/3Rpx2 r p d1 0"
    assert position.chain == BOARD_8X8.index("d1") == 3
    assert requests(position) == {"d1-e1", "end"}
    position.push("d1-e1")
    assert requests(position) == {"e1-f1", "end"}
    position.push("e1-f1(p)")
    assert position.fen() == "7k/8/8/8/8/8/8/5R2 b - - 0"
    assert after(fen, "c1-d1 end", rules) == "7k/8/8/8/8/8/8/3Rpx2 b p - 0"


def test_a_chain_on_the_last_square() -> None:
    # h8 is the square with the highest number.
    position = played("6pn/6pR/8/8/8/8/8/7k r - - 0", "h7-h8", "double(chain=any)")
    assert position.fen() == "6pR/6p1/8/8/8/8/8/7k r - h8 0"
    assert position.chain == 63
    assert requests(position) == {"h8-g8", "end"}
    assert Position.from_fen(position.fen(), rules="double(chain=any)") == position


def test_face_up_screens() -> None:
    fen = f"{alone('C3x2k')} r P - 0"
    assert "a1-h1" in legal(fen, "double")
    assert "a1-h1" not in legal(fen, "double(screens=faceup)")
    assert "a1-h1" in legal(f"{alone('C3p2k')} r - - 0", "double(screens=faceup)")


def test_cannons_chain_alone() -> None:
    rules = "double(screens=faceup, chain=cannon)"
    # From c1 over d1 to f1, then over g1 to h1.
    position = played(f"{alone('2CP1nrk')} r - - 0", "c1-f1", rules)
    assert position.fen() == f"{alone('3P1Crk')} r - f1 0"
    assert requests(position) == {"f1-h1", "end"}
    assert after("8/8/8/8/8/8/8/2Rnp2k r - - 0", "c1-d1", rules) == "8/8/8/8/8/8/8/3Rp2k b - - 0"


def test_perpetual_attack() -> None:
    fen, chase = "8/8/8/8/8/8/7p/6R1 r - - 0", "g1-g2 h2-h1 g2-g1 h1-h2 "
    assert played(fen, chase * 2, "double").outcome() == REPETITION
    assert played(fen, chase * 2, "double(perpetual=loses)").outcome() == Outcome(
        Side.BLACK, Termination.PERPETUAL_ATTACK
    )


def test_the_limits_are_parameters() -> None:
    generals, cycle = "7k/8/8/8/8/8/8/K7 r - - 0", "a1-a2 h8-h7 a2-a1 h7-h8 "
    assert played(generals, cycle, "double(repetition=2)").outcome() == REPETITION
    assert played(generals, cycle * 3, "double(repetition=cycle)").outcome() == REPETITION
    assert played(generals, "a1-a2", "double(quiet_limit=1)").outcome() == QUIET_LIMIT


# ---- texts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fen",
    [
        f"{alone('K6k')} r - - 0",
        "K7/8/8/3xx3/8/8/8/7k b Pp - 179",
        "KKGGGGMM/MMRRRRNN/NNCCCCPP/PPPPPPPP/kkggggmm/mmrrrrnn/nnccccpp/pppppppp r - - 0",
        "1x1x1x1x/8/8/8/8/8/8/K6k r Gggg - 3",
    ],
)
def test_right_texts_are_kept_as_they_are(fen: str) -> None:
    assert Position.faults(fen, rules="double") == []
    assert Position.from_fen(fen, rules="double").fen() == fen


@pytest.mark.parametrize(
    "fen",
    [
        pytest.param(
            "xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0", id="another board"
        ),
        pytest.param("8/8/8/8/8/8/8/K5k r - - 0", id="a rank too short"),
        pytest.param("8/8/8/8/8/8/8/K7k r - - 0", id="a rank too long"),
        pytest.param("8/8/8/8/8/8/9/K6k r - - 0", id="a run longer than a rank"),
        pytest.param("8/8/8/8/8/8/44/K6k r - - 0", id="two digits side by side"),
        pytest.param("8/8/8/8/8/8/8/KKK4k r - - 0", id="three generals of a team"),
        pytest.param("8/8/8/8/8/8/PPPPPPPP/PPP4k r - - 0", id="eleven soldiers of a team"),
        pytest.param("8/8/8/8/8/8/8/Kx5k r - - 0", id="a face-down piece without an identity"),
        pytest.param("8/8/8/8/8/8/8/K6k r - - 181", id="quiet above the limit"),
        pytest.param("8/8/8/8/8/8/8/KR4pk r - a1 0", id="a chain without chains"),
        pytest.param("8/8/8/8/8/8/8 r - - 0", id="seven ranks"),
        pytest.param(f"{'/'.join(['xxxxxxxx'] * 8)} r {POOL} - 0", id="a side before anything was shown"),
    ],
)
def test_wrong_texts_are_refused(fen: str) -> None:
    assert Position.faults(fen, rules="double") != []
    with pytest.raises(FenError):
        Position.from_fen(fen, rules="double")


def test_moves_name_all_squares() -> None:
    move = Move.from_text("a8-h8", geometry=BOARD_8X8)
    assert (str(move), move.wire(), move.index) == ("a8-h8", "a8h8", 56 * 64 + 63)
    flip = Move.from_text("h8h8k", geometry=BOARD_8X8)
    assert (str(flip), flip.wire(), flip.index) == ("h8(k)", "h8h8k", 63 * 64 + 63)
    assert Move.from_index(56 * 64 + 63, BOARD_8X8) == move
    with pytest.raises(MoveError):
        Position("double").push("i1(K)")
    with pytest.raises(MoveError):
        Position("taiwan").push("e1(K)")


@pytest.mark.parametrize(("rules", "elements"), [("double", 64 * 64), ("double(dark_capture, chain=any)", 64 * 64 + 1)])
def test_the_mask_has_an_element_for_each_action(rules: str, elements: int) -> None:
    mask = Position(rules).legal_mask()
    assert mask.shape == (elements,)
    assert set(mask.nonzero()[0]) == {square * 65 for square in range(64)}


def test_a_position_can_be_pickled() -> None:
    position = played(f"{alone('2Rnp2k')} r - - 0", "c1-d1", "double(chain=any)")
    again = pickle.loads(pickle.dumps(position))
    assert (again.fen(), again.move_stack) == (position.fen(), position.move_stack)


@pytest.mark.parametrize(
    "text", ["double(ranking=taipei)", "double(ranking=)", "taiwan(ranking=taiwan)", "double(board=4x8)"]
)
def test_only_double_takes_a_ranking_that_exists(text: str) -> None:
    with pytest.raises(RulesError):
        Rules.parse(text)
