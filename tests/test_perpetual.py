"""Hand-made cases for each sentence of section 5: what is expected was worked out by hand from the rules page.

Each case is a cycle of plies that brings the start back. In most of them one side attacks with a piece that stands
still, while its general or chariot in the corner walks to and fro.
"""

import pytest

from banqi import Engine, Limit, Outcome, Rules, RulesError, Side, Termination
from statements import CYCLE, GENERALS, QUIET_LIMIT, REPETITION, played, requests

LOSES = "taiwan(perpetual=loses)"
RED_LOSES = Outcome(Side.BLACK, Termination.PERPETUAL_ATTACK)
BLACK_LOSES = Outcome(Side.RED, Termination.PERPETUAL_ATTACK)

# The chariot runs after the soldier, up and down.
CHASE = "4/4/4/4/4/4/3p/2R1 r - - 0"
CHASING = "c1-c2 d2-d1 c2-c1 d1-d2 "
# The same start, and no attack: the chariot goes away and comes back, the soldier too.
STROLLING = "c1-b1 d2-d3 b1-c1 d3-d2 "

# In the corners a8 and d8 a piece of each side walks to and fro.
SHUFFLE = "a8-a7 d8-d7 a7-a8 d7-d8 "


def judged(fen: str, cycle: str, rules: str = LOSES) -> Outcome | None:
    """What the third occurrence of a position brings."""
    return played(fen, cycle * 2, rules).outcome()


def exchanged(fen: str) -> str:
    """The position with the colours exchanged."""
    placement, side, *rest = fen.split()
    return " ".join([placement.swapcase().replace("X", "x"), "b" if side == "r" else "r", *rest])


# ---- perpetual=draw (default): the deciding occurrence is a draw -----------------------------------------------------


@pytest.mark.parametrize("rules", ["taiwan", "taiwan(perpetual=draw)", "children", "mainland", "cannon-chain"])
def test_by_default_a_perpetual_attack_is_a_draw(rules: str) -> None:
    assert judged(CHASE, CHASING, rules) == REPETITION


@pytest.mark.parametrize("rules", ["taiwan(repetition=cycle)", "taiwan(repetition=cycle, perpetual=draw)"])
def test_by_default_a_cycle_of_attacks_is_a_draw(rules: str) -> None:
    assert played(CHASE, CHASING * 3, rules).outcome() == REPETITION


def test_perpetual_loses_needs_a_repetition_rule() -> None:
    with pytest.raises(RulesError, match="repetition=none"):
        Rules.parse("taiwan(perpetual=loses, repetition=none)")


# ---- perpetual=loses: at the deciding occurrence look at the plies since the previous one ----------------------------


@pytest.mark.parametrize(
    "rules",
    [
        LOSES,
        "hongkong(perpetual=loses)",
        "mainland(perpetual=loses)",
        "children(perpetual=loses)",
        "dark-capture(perpetual=loses)",
        "cannon-chain(perpetual=loses)",
        "mainland(cannon=jump, perpetual=loses)",
    ],
)
def test_the_only_perpetual_attacker_loses(rules: str) -> None:
    assert judged(CHASE, CHASING, rules) == RED_LOSES
    assert judged(exchanged(CHASE), CHASING, rules) == BLACK_LOSES


def test_nothing_is_decided_before_the_third_occurrence() -> None:
    position = played(CHASE, CHASING + "c1-c2 d2-d1 c2-c1", LOSES)
    assert position.outcome() is None
    assert position.repetitions() == 2


@pytest.mark.parametrize(("repetition", "cycles"), [(2, 1), (3, 2), (4, 3), (6, 5)])
def test_the_deciding_occurrence_is_what_repetition_says(repetition: int, cycles: int) -> None:
    rules = f"taiwan(perpetual=loses, repetition={repetition})"
    before = played(CHASE, CHASING * cycles, rules)
    assert before.outcome() == RED_LOSES
    before.pop()
    assert before.outcome() is None


def test_only_the_plies_since_the_previous_occurrence_count() -> None:
    assert judged(CHASE, CHASING) == RED_LOSES
    assert played(CHASE, STROLLING + CHASING, LOSES).outcome() == RED_LOSES
    assert played(CHASE, CHASING + STROLLING, LOSES).outcome() == REPETITION
    assert played(CHASE, CHASING + STROLLING + CHASING, "taiwan(perpetual=loses, repetition=4)").outcome() == RED_LOSES


def test_with_cycle_the_last_copy_is_looked_at() -> None:
    rules = "taiwan(perpetual=loses, repetition=cycle)"
    # The third occurrence decides nothing; the third copy does.
    assert played(CHASE, CHASING * 2, rules).outcome() is None
    assert played(CHASE, CHASING * 3, rules).outcome() == RED_LOSES
    assert played(exchanged(CHASE), CHASING * 3, rules).outcome() == BLACK_LOSES
    assert played(CHASE, STROLLING * 3, rules).outcome() == REPETITION
    assert played(CHASE, STROLLING + CHASING * 3, rules).outcome() == RED_LOSES


def test_a_cycle_of_eight_plies_is_looked_at_whole() -> None:
    # In the first half the chariot chases, in the second it does not.
    rules = "taiwan(perpetual=loses, repetition=cycle)"
    assert played(CHASE, (CHASING + STROLLING) * 3, rules).outcome() == REPETITION


def test_a_position_after_the_start_is_judged_too() -> None:
    fen = "4/4/4/4/4/3p/4/1R2 r - - 0"
    assert played(fen, "b1-c1 d3-d2 " + CHASING * 2, LOSES).outcome() == RED_LOSES


def test_black_may_complete_the_repetition_or_red() -> None:
    # Black's soldier steps first, so red's chariot makes the third occurrence itself.
    assert judged("4/4/4/4/4/4/2Rp/4 b - - 0", "d2-d1 c2-c1 d1-d2 c1-c2 ") == RED_LOSES


# ---- one and the same enemy piece, followed as it moves --------------------------------------------------------------


def test_a_victim_is_followed_as_it_moves() -> None:
    # The soldier is attacked on d2 and on d1, and on neither square all the time.
    assert judged(CHASE, CHASING) == RED_LOSES


def test_different_victims_by_turns_are_no_perpetual_attack() -> None:
    # From c4 the chariot attacks the soldier b4, from c5 the soldier d5.
    assert judged("k3/4/4/3p/1pR1/4/4/4 r - - 0", "c4-c5 a8-a7 c5-c4 a7-a8 ") == REPETITION


def test_one_victim_among_several_is_enough() -> None:
    # The chariot b3 stands beside the soldier a3 all the time; another chariot attacks b4 and d5 by turns.
    fen = "k3/4/4/3p/1pR1/p3/R3/4 r - - 0"
    assert judged(fen, "c4-c5 a8-a7 c5-c4 a7-a8 ") == RED_LOSES


def test_a_piece_that_takes_the_place_of_another_is_not_the_same() -> None:
    # Two soldiers go round the square a5 a6 b6 b5 and change places in eight plies. The chariots a4 and c5 attack a5
    # and b5: after red's plies the first soldier, both, the second, the second.
    fen = "3K/4/1p2/p1R1/R3/4/4/4 r - - 0"
    swap = "d8-d7 b6-b5 d7-d8 a5-a6 d8-d7 b5-a5 d7-d8 a6-b6 "
    assert played(fen, swap, LOSES).repetitions() == 2
    assert judged(fen, swap) == REPETITION


# ---- could be captured, by one legal capture if that side were to move again -----------------------------------------


def test_an_attack_on_a_piece_that_the_attacker_does_not_take_is_none() -> None:
    # A horse comes up to a chariot, a soldier to an advisor.
    assert judged("4/4/4/4/4/4/3r/2N1 r - - 0", CHASING) == REPETITION
    assert judged("4/4/4/4/4/4/3g/2P1 r - - 0", CHASING) == REPETITION


def test_a_jump_is_a_legal_capture() -> None:
    # The cannon a1 aims at the horse a5 over the soldier a3.
    fen = "K2k/4/4/n3/4/P3/4/C3 r - - 0"
    assert judged(fen, SHUFFLE) == RED_LOSES
    assert judged(fen, SHUFFLE, "mainland(cannon=jump, perpetual=loses)") == RED_LOSES
    assert judged(fen, SHUFFLE, "mainland(perpetual=loses)") == REPETITION


def test_a_face_down_screen_serves_where_it_is_one() -> None:
    fen = "K2k/4/4/n3/4/x3/4/C3 r P - 0"
    assert judged(fen, SHUFFLE) == RED_LOSES
    assert judged(fen, SHUFFLE, "taiwan(perpetual=loses, screens=faceup)") == REPETITION


def test_a_cannon_beside_its_victim_attacks_where_it_takes_neighbours() -> None:
    fen = "K2k/4/4/4/4/4/p3/C3 r - - 0"
    assert judged(fen, SHUFFLE) == REPETITION
    assert judged(fen, SHUFFLE, "cannon-adjacent(perpetual=loses)") == RED_LOSES
    assert judged(fen, SHUFFLE, "mainland(perpetual=loses)") == RED_LOSES


@pytest.mark.parametrize("rules", ["dark-capture(perpetual=loses)", "children(perpetual=loses)"])
def test_an_attempt_is_no_capture(rules: str) -> None:
    # Whatever lies on a2 is an enemy that the chariot takes, but it is face down.
    assert judged("K2k/4/4/4/4/4/x3/R3 r p - 0", SHUFFLE, rules) == REPETITION


def test_a_face_down_piece_or_an_own_one_is_no_victim() -> None:
    assert judged("K2k/4/4/4/4/4/N3/Rx2 r p - 0", SHUFFLE) == REPETITION


def test_a_second_capture_of_a_chain_is_not_one_capture() -> None:
    # From c4 the cannon takes the soldier b4, and could go on over b5 to b6; from c5 the soldier c6, and then b6 too.
    fen = "3k/4/1pp1/1r2/1pC1/4/4/4 r - - 0"
    rules = "cannon-adjacent(chain=any, perpetual=loses)"
    assert requests(played(fen, "c4-b4", rules)) == {"b4-b6", "end"}
    assert requests(played(fen, "c4-c5 d8-d7 c5-c6", rules)) == {"c6-b6", "end"}
    assert judged(fen, "c4-c5 d8-d7 c5-c4 d7-d8 ", rules) == REPETITION


# ---- right after each of that side's plies ---------------------------------------------------------------------------


def test_an_attack_after_every_other_ply_is_not_perpetual() -> None:
    # The chariot attacks the soldier d2 from c2, and not from c1.
    assert judged("k3/4/4/4/4/4/3p/2R1 r - - 0", "c1-c2 a8-a7 c2-c1 a7-a8 ") == REPETITION


def test_an_attack_that_only_stands_after_the_other_side_plies_does_not_count() -> None:
    # The soldier steps beside the chariot every time, and the chariot steps out of the way.
    assert judged("4/4/4/4/4/4/3p/2R1 b - - 0", "d2-d1 c1-c2 d1-d2 c2-c1 ") == REPETITION


def test_an_attack_needs_to_stand_after_each_ply_of_a_long_cycle() -> None:
    # The black general goes round a square. The chariot stands beside the soldier b2 all the time, or leaves it once.
    fen = "K2k/4/4/4/4/4/Rp2/4 r - - 0"
    assert judged(fen, "a8-a7 d8-d7 a7-a8 d7-c7 a8-a7 c7-c8 a7-a8 c8-d8 ") == RED_LOSES
    assert judged(fen, "a8-a7 d8-d7 a7-a8 d7-c7 a2-a1 c7-c8 a1-a2 c8-d8 ") == REPETITION


# ---- exactly one loses; neither or both: draw ------------------------------------------------------------------------


def test_neither_is_a_draw() -> None:
    assert judged(GENERALS, CYCLE) == REPETITION
    assert judged(CHASE, STROLLING) == REPETITION


def test_both_are_a_draw() -> None:
    # Red's chariot stands beside the horse a2, black's beside the horse d1.
    assert judged("K2k/4/4/4/4/4/n2r/R2N r - - 0", SHUFFLE) == REPETITION
    # Two chariots attack each other.
    assert judged("K2k/4/4/4/4/4/r3/R3 r - - 0", SHUFFLE) == REPETITION


def test_one_of_two_loses_if_the_other_attacks_half_the_time() -> None:
    # Black's chariot attacks the horse d1 from d2, and not from d3.
    assert judged("K3/4/4/4/4/3r/n3/R2N r - - 0", "a8-a7 d3-d2 a7-a8 d2-d3 ") == RED_LOSES


# ---- what counts -----------------------------------------------------------------------------------------------------


def test_attacks_by_different_pieces_count() -> None:
    # The horse b4 is attacked by the chariot alone, by both, by the advisor alone, by both.
    fen = "3k/4/4/G3/1nR1/4/4/4 r - - 0"
    by_turns = "a5-a4 d8-d7 c4-c5 d7-c7 c5-c4 c7-c8 a4-a5 c8-d8 "
    assert judged(fen, by_turns) == RED_LOSES
    # Without the advisor's help there is a ply without an attack.
    assert judged(fen, "a5-a6 d8-d7 c4-c5 d7-c7 c5-c4 c7-c8 a6-a5 c8-d8 ") == REPETITION


def test_an_attack_that_stood_already_counts() -> None:
    # Neither the chariot a1 nor the horse a2 moves at all.
    assert judged("K2k/4/4/4/4/4/n3/R3 r - - 0", SHUFFLE) == RED_LOSES


def test_a_protected_victim_counts() -> None:
    # The chariot a3 would take back.
    assert judged("K2k/4/4/4/4/r3/n3/R3 r - - 0", SHUFFLE) == RED_LOSES


def test_soldiers_count_as_victims() -> None:
    assert judged("K2k/4/4/4/4/4/p3/R3 r - - 0", SHUFFLE) == RED_LOSES


def test_soldiers_count_as_attackers_and_generals_as_victims() -> None:
    # A soldier beside the general; the general takes no soldier, except in mainland, where each attacks the other.
    fen = "K2g/4/4/4/4/4/k3/P3 r - - 0"
    assert judged(fen, SHUFFLE) == RED_LOSES
    assert judged(fen, SHUFFLE, "hongkong(perpetual=loses)") == RED_LOSES
    assert judged(fen, SHUFFLE, "mainland(perpetual=loses)") == REPETITION


def test_generals_count_as_attackers() -> None:
    assert judged("R2k/4/4/4/4/4/n3/K3 r - - 0", SHUFFLE) == RED_LOSES


def test_a_general_may_be_chased_by_a_general() -> None:
    # Each takes the other, but black's is never beside red's right after its own plies.
    assert judged("4/4/4/4/4/4/3k/2K1 r - - 0", CHASING) == RED_LOSES


# ---- it judges a repetition; it bans no move -------------------------------------------------------------------------


def test_no_move_is_banned() -> None:
    # The attacker makes the third occurrence itself by c1-c2.
    fen = "4/4/4/4/4/4/2Rp/4 b - - 0"
    almost = "d2-d1 c2-c1 d1-d2 c1-c2 d2-d1 c2-c1 d1-d2"
    loses, draws = played(fen, almost, LOSES), played(fen, almost, "taiwan")
    assert requests(loses) == requests(draws) == {"c1-c2", "c1-b1", "c1-d1"}
    loses.push("c1-c2")
    assert loses.outcome() == RED_LOSES
    # Play may go on after it, as after a draw.
    assert requests(loses) == {"d2-d1", "d2-d3"}
    loses.push("d2-d3")
    assert loses.outcome() is None


def test_it_is_judged_before_the_quiet_limit() -> None:
    assert judged(CHASE, CHASING, "taiwan(perpetual=loses, quiet_limit=8)") == RED_LOSES
    assert (
        played(CHASE, CHASING + "c1-c2 d2-d1 c2-c1", "taiwan(perpetual=loses, quiet_limit=7)").outcome() == QUIET_LIMIT
    )


# ---- the search scores it the same way -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def engine():
    with Engine(threads=1, hash_mb=1) as engine:
        yield engine


@pytest.mark.parametrize("colours", ["red attacks", "black attacks"])
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_the_search_takes_the_win_that_the_attacker_gives(engine, colours: str, depth: int) -> None:
    # The attacked side, far behind, makes the third occurrence by its step.
    fen = "p2K/4/4/4/4/4/3p/2R1 r - - 0" if colours == "red attacks" else "P2k/4/4/4/4/4/3P/2r1 b - - 0"
    position = played(fen, CHASING + "c1-c2 d2-d1 c2-c1", LOSES)
    info = engine.play(position, Limit(depth=depth)).info
    assert str(info.move) == "d1-d2"
    position.push(info.move)
    assert position.outcome() == (RED_LOSES if colours == "red attacks" else BLACK_LOSES)
    assert info.score.value > 0.99


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_the_search_shuns_the_attack_that_loses(engine, depth: int) -> None:
    # The attacker is to make the third occurrence: it would be a loss, and anything else keeps its lead.
    fen = "3K/4/4/4/4/4/2Rp/4 b - - 0"
    position = played(fen, "d2-d1 c2-c1 d1-d2 c1-c2 d2-d1 c2-c1 d1-d2", LOSES)
    info = engine.play(position, Limit(depth=depth)).info
    assert str(info.move) != "c1-c2"
    assert info.score.value > 0
