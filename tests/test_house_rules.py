"""Hand-made cases for each statement of section 4: what is expected was worked out by hand from the rules page."""

import pytest

from banqi import FenError, Move, MoveError, Outcome, Position, Rules, RulesError, Side, Termination
from banqi.geometry import BOARD_4X8
from statements import RED_WINS, WHOLE_SET, after, legal, legal_from, played, requests

# Rule sets with attempts: what a cannon may attempt there, by a jump, on a neighbouring square, or both.
JUMPING = ("dark-capture", "children", "hongkong(cannon=jump, dark_capture)", "mainland(cannon=jump, dark_capture)")
STEPPING = ("hongkong(dark_capture)", "mainland(dark_capture)", "mainland(dark_capture, chain=any)")
BOTH = (
    "cannon-adjacent(dark_capture)",
    "children(cannon_adjacent)",
    "hongkong(cannon=jump, cannon_adjacent, dark_capture)",
)
DARK = (*JUMPING, *STEPPING, *BOTH)

# Rule sets in which every piece chains, and those in which only cannons do.
CHAIN_ANY = ("taiwan(chain=any)", "children", "hongkong(chain=any)", "mainland(dark_capture, chain=any)")
CHAIN_CANNON = ("taiwan(chain=cannon)", "cannon-chain", "mainland(cannon=jump, chain=cannon)")
CHAIN_NONE = ("taiwan", "hongkong", "mainland", "cannon-adjacent", "dark-capture", "taiwan(chain=none)")

IDENTITIES = "KGMRNCPkgmrncp"


# ---- how a rule set is written ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("cannon-adjacent", "taiwan(cannon_adjacent)"),
        ("dark-capture", "taiwan(dark_capture)"),
        ("children", "taiwan(dark_capture, chain=any)"),
        ("cannon-chain", "taiwan(screens=faceup, chain=cannon)"),
    ],
)
def test_a_named_set_is_its_options(name: str, options: str) -> None:
    assert Rules.parse(name) == Rules.parse(options)
    assert Position(name) == Position(options)
    assert Position(name).key == Position(options).key


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("dark-capture(chain=any)", "children"),
        ("children(chain=none)", "dark-capture"),
        ("children(chain=cannon)", "taiwan(dark_capture, chain=cannon)"),
        ("cannon-chain(screens=any)", "taiwan(chain=cannon)"),
        ("cannon-chain(chain=none)", "taiwan(screens=faceup)"),
        ("cannon-chain(dark_capture, cannon_adjacent)", "dark-capture(chain=cannon, screens=faceup, cannon_adjacent)"),
        ("cannon-adjacent(dark_capture)", "dark-capture(cannon_adjacent)"),
        ("children(quiet_limit=40, repetition=2)", "taiwan(chain=any, dark_capture, repetition=2, quiet_limit=40)"),
        ("dark-capture(perpetual=loses)", "taiwan(perpetual=loses, dark_capture)"),
        ("children(screens=any, perpetual=draw, cannon=jump)", "children"),
    ],
)
def test_a_named_set_takes_further_options(text: str, same: str) -> None:
    assert Rules.parse(text) == Rules.parse(same)


@pytest.mark.parametrize(
    "text",
    [
        f"{ranking}({option})"
        for ranking in ("taiwan", "hongkong", "mainland")
        for option in ("dark_capture", "chain=any", "chain=none", "screens=any", "perpetual=loses")
    ]
    + [
        f"{ranking}(cannon=jump, {option})"
        for ranking in ("taiwan", "hongkong", "mainland")
        for option in ("cannon_adjacent", "screens=faceup", "chain=cannon", "screens=faceup, chain=cannon")
    ],
)
def test_each_switch_goes_with_every_ranking(text: str) -> None:
    assert Position(text).perft(1) == 448


STEPPING_BASES = (
    "hongkong(",
    "mainland(",
    "hongkong(cannon=step, ",
    "mainland(cannon=step, ",
    "double(ranking=hongkong, ",
    "double(ranking=mainland, ",
)
NAMES = ("taiwan", "hongkong", "mainland", "cannon-adjacent", "dark-capture", "children", "cannon-chain", "double")
# Named sets with the ranking of taiwan in which nothing else needs a jumping cannon.
TAIWANESE = ("taiwan", "dark-capture", "children", "double")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *((f"{name}(cannon=step)", "no rank") for name in TAIWANESE),
        *((f"{name}(quiet_limit=40, cannon=step)", "no rank") for name in TAIWANESE),
        ("double(ranking=taiwan, cannon=step)", "no rank"),
        ("taiwan(cannon=step, cannon_adjacent)", "cannon"),
        ("cannon-adjacent(cannon=step)", "cannon"),
        ("cannon-chain(cannon=step)", "cannon"),
        *((f"{base}cannon_adjacent)", "cannon_adjacent") for base in STEPPING_BASES),
        *((f"{base}screens=faceup)", "screens=faceup") for base in STEPPING_BASES),
        *((f"{base}chain=cannon)", "chain=cannon") for base in STEPPING_BASES),
        *((f"{base}dark_capture, chain=cannon)", "chain=cannon") for base in STEPPING_BASES),
        *((f"{name}(perpetual=loses, repetition=none)", "repetition=none") for name in NAMES),
        ("dark_capture", "unknown rule set"),
        ("Children", "unknown rule set"),
        ("children(dark-capture)", "unknown option"),
        ("children(chains=any)", "unknown option"),
        ("taiwan(ranking=hongkong)", "ranking"),
        ("children(ranking=taiwan)", "ranking"),
        ("taiwan(dark_capture=yes)", "dark_capture"),
        ("taiwan(dark_capture=)", "dark_capture"),
        ("taiwan(chain)", "chain"),
        ("taiwan(chain=cannons)", "chain"),
        ("taiwan(screens=facedown)", "screens"),
        ("taiwan(perpetual=win)", "perpetual"),
        ("double(ranking=double)", "ranking"),
        ("double(ranking)", "ranking"),
        ("taiwan(dark_capture, dark_capture)", "twice"),
        ("children(chain=any, chain=any)", "twice"),
        ("cannon-chain(screens=any, quiet_limit=5, screens=faceup)", "twice"),
        ("double(ranking=taiwan, ranking=taiwan)", "twice"),
        ("taiwan(perpetual=loses, perpetual=loses)", "twice"),
    ],
)
def test_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(RulesError) as error:
        Rules.parse(text)
    assert reason in str(error.value)
    assert len(str(error.value).splitlines()) == 1


# ---- cannon_adjacent: a jumping cannon also takes soldiers and cannons, only these, on a neighbouring square ---------


@pytest.mark.parametrize(
    "rules", ["cannon-adjacent", "hongkong(cannon=jump, cannon_adjacent)", "cannon-chain(cannon_adjacent)"]
)
def test_cannon_adjacent_takes_soldiers_and_cannons_only(rules: str) -> None:
    for victim in "kgmrn":
        assert legal_from("b4", f"3p/4/4/1{victim}2/1C2/4/4/4 r - - 0", rules) == {"b4-b3", "b4-a4", "b4-c4"}
    for victim in "cp":
        assert legal_from("b4", f"3p/4/4/1{victim}2/1C2/4/4/4 r - - 0", rules) == {"b4-b5", "b4-b3", "b4-a4", "b4-c4"}


@pytest.mark.parametrize(
    "rules", ["cannon-adjacent", "hongkong(cannon=jump, cannon_adjacent)", "children(cannon_adjacent)"]
)
def test_cannon_adjacent_cannons_jump_all_the_same(rules: str) -> None:
    assert legal_from("a1", "3n/k3/4/4/4/4/p3/C3 r - - 0", rules) == {"a1-a2", "a1-a7", "a1-b1"}


# ---- dark_capture: where an attempt may go ---------------------------------------------------------------------------


@pytest.mark.parametrize("rules", DARK)
@pytest.mark.parametrize("kind", "KGMRNP")
def test_dark_capture_attempts_are_adjacent(rules: str, kind: str) -> None:
    fen = f"3n/4/4/1x2/x{kind}x1/1x2/4/4 r cppp - 0"
    assert legal_from("b4", fen, rules) == {"b4-b5", "b4-b3", "b4-a4", "b4-c4"}
    black = f"3N/4/4/1x2/x{kind.lower()}x1/1x2/4/4 b CPPP - 0"
    assert legal_from("b4", black, rules) == {"b4-b5", "b4-b3", "b4-a4", "b4-c4"}


@pytest.mark.parametrize(
    ("rules", "attempts"),
    [
        *((rules, set()) for rules in JUMPING),
        *((rules, {"b4-b5", "b4-b3", "b4-a4", "b4-c4"}) for rules in (*STEPPING, *BOTH)),
    ],
)
def test_dark_capture_a_purely_jumping_cannon_attempts_no_neighbour(rules: str, attempts: set[str]) -> None:
    assert legal_from("b4", "3n/4/4/1x2/xCx1/1x2/4/4 r cppp - 0", rules) == attempts


@pytest.mark.parametrize("rules", [*JUMPING, *BOTH])
@pytest.mark.parametrize(("screen", "pool"), [("P", "n"), ("p", "n"), ("x", "Nn")])
def test_dark_capture_a_jumping_cannon_attempts_by_a_jump(rules: str, screen: str, pool: str) -> None:
    assert legal_from("a1", f"3n/x3/4/4/{screen}3/4/4/C3 r {pool} - 0", rules) == {"a1-a7", "a1-a2", "a1-b1"}
    assert legal_from("d1", f"3n/4/4/4/4/4/4/x{screen}1C r {pool} - 0", rules) == {"d1-a1", "d1-c1", "d1-d2"}


@pytest.mark.parametrize("rules", BOTH)
def test_dark_capture_with_cannon_adjacent_a_cannon_attempts_both_ways(rules: str) -> None:
    assert legal_from("a1", "3n/x3/4/4/4/4/x3/C3 r Pp - 0", rules) == {"a1-a2", "a1-a7", "a1-b1"}


@pytest.mark.parametrize("rules", STEPPING)
def test_dark_capture_a_stepping_cannon_attempts_no_jump(rules: str) -> None:
    assert legal_from("a1", "3n/x3/4/4/P3/4/4/C3 r p - 0", rules) == {"a1-a2", "a1-b1"}


@pytest.mark.parametrize("rules", JUMPING)
@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        pytest.param("3n/x3/4/4/4/4/4/C3 r p - 0", {"a1-a2", "a1-b1"}, id="no screen"),
        pytest.param("3n/x3/4/p3/P3/4/4/C3 r p - 0", {"a1-a2", "a1-b1", "a1-a5"}, id="two screens"),
        pytest.param("3n/x3/4/P3/P3/4/4/C3 r p - 0", {"a1-a2", "a1-b1"}, id="behind an own piece"),
        pytest.param("3n/1x2/4/4/P3/4/4/C3 r p - 0", {"a1-a2", "a1-b1"}, id="off the line"),
    ],
)
def test_dark_capture_a_jump_attempt_needs_one_screen(rules: str, fen: str, moves: set[str]) -> None:
    assert legal_from("a1", fen, rules) == moves


@pytest.mark.parametrize("rules", [*JUMPING, *BOTH])
@pytest.mark.parametrize("kind", "KGMRNP")
def test_dark_capture_only_cannons_attempt_by_a_jump(rules: str, kind: str) -> None:
    assert legal_from("a1", f"3n/x3/4/4/P3/4/4/{kind}3 r p - 0", rules) == {"a1-a2", "a1-b1"}


@pytest.mark.parametrize(
    "rules", ["taiwan", "hongkong", "mainland", "cannon-adjacent", "cannon-chain", "taiwan(chain=any)"]
)
def test_without_dark_capture_there_are_no_attempts(rules: str) -> None:
    assert legal("3n/x3/4/4/P3/4/x3/C1Rx r ppp - 0", rules) == {
        "a7", "a2", "d1", "a1-b1", "c1-b1", "c1-c2", "a4-a3", "a4-a5", "a4-b4",
    }  # fmt: skip


# ---- dark_capture: legal whatever the hidden identity is, also when the pool shows that it must fail -----------------


@pytest.mark.parametrize("rules", DARK)
@pytest.mark.parametrize("kind", "KRNP")
@pytest.mark.parametrize("hidden", IDENTITIES)
def test_dark_capture_an_attempt_is_legal_whatever_the_pool_holds(rules: str, kind: str, hidden: str) -> None:
    if kind == hidden == "K":
        return
    position = Position.from_fen(f"3p/4/4/4/4/4/x3/{kind}3 r {hidden} - 0", rules=rules)
    assert requests(position) == {"a2", "a1-a2", "a1-b1"}
    assert [(str(reveal.move), reveal.weight) for reveal in position.outcomes("a1-a2")] == [(f"a1-a2({hidden})", 1)]


@pytest.mark.parametrize("rules", [*JUMPING, *BOTH])
@pytest.mark.parametrize("hidden", IDENTITIES)
def test_dark_capture_a_jump_attempt_is_legal_whatever_the_pool_holds(rules: str, hidden: str) -> None:
    assert legal_from("a1", f"3p/4/4/4/x3/P3/4/C3 r {hidden} - 0", rules) == {"a1-a4", "a1-a2", "a1-b1"}


@pytest.mark.parametrize("rules", DARK)
def test_dark_capture_the_order_of_moves_does_not_tell_what_is_hidden(rules: str) -> None:
    orders = {
        tuple(map(str, Position.from_fen(f"x2x/4/4/1x2/xRx1/1x2/4/p2K r {pool} - 0", rules=rules).legal_moves))
        for pool in ("GMRNPP", "gmrncc", "PPPPkg", "Gmppcn")
    }
    assert len(orders) == 1


@pytest.mark.parametrize("rules", DARK)
def test_dark_capture_an_attempt_reveals_what_the_pool_holds(rules: str) -> None:
    position = Position.from_fen("x2x/4/4/1x2/1R2/4/4/p2K r Gpp - 0", rules=rules)
    reveals = position.outcomes("b4-b5")
    assert {str(reveal.move): reveal.weight for reveal in reveals} == {"b4-b5(G)": 1, "b4-b5(p)": 2}
    assert [reveal.probability for reveal in reveals] == [1 / 3, 2 / 3]


@pytest.mark.parametrize("rules", DARK)
def test_dark_capture_there_is_no_attempt_before_the_first_flip(rules: str) -> None:
    assert requests(Position(rules)) == {file + rank for file in "abcd" for rank in "12345678"}


# ---- dark_capture: the target is revealed; an enemy that may be taken is captured, and the attacker moves there ------


@pytest.mark.parametrize("rules", DARK)
def test_dark_capture_success_captures_and_moves_the_attacker(rules: str) -> None:
    position = Position.from_fen("x2k/4/4/4/4/4/x3/R3 r pp - 7", rules=rules)
    position.push("a1-a2(p)")
    assert position.fen() == "x2k/4/4/4/4/4/R3/4 b p - 0"
    assert position.captured()["p"] == 4
    assert position.pool["p"] == 1
    assert position.piece_at("a1") is None


@pytest.mark.parametrize("rules", DARK)
def test_dark_capture_failure_leaves_the_target_face_up_and_ends_the_turn(rules: str) -> None:
    # The chariot takes neither its own soldier nor the general.
    for shown in ("P", "k"):
        position = Position.from_fen("x2g/4/4/4/4/4/x3/R3 r Pk - 7", rules=rules)
        captured = dict(position.captured())
        position.push(f"a1-a2({shown})")
        left = "k" if shown == "P" else "P"
        assert position.fen() == f"x2g/4/4/4/4/4/{shown}3/R3 b {left} - 0"
        assert dict(position.captured()) == captured


@pytest.mark.parametrize(
    ("rules", "taken"),
    [
        ("dark-capture", {"K": "kgmrnc", "P": "kp", "N": "ncp", "G": "gmrncp"}),
        ("children", {"K": "kgmrnc", "P": "kp", "M": "mrncp", "R": "rncp"}),
        ("hongkong(dark_capture)", {"K": "kgmrnc", "P": "kp", "N": "gmncp", "C": "gmcp", "G": "gmp"}),
        ("mainland(dark_capture)", {"K": "kgmrncp", "P": "kp", "C": "cp"}),
        ("hongkong(cannon=jump, dark_capture)", {"N": "gmncp", "G": "gmcp", "P": "kp"}),
        ("cannon-adjacent(dark_capture)", {"C": "cp", "P": "kp"}),
        ("cannon-chain(dark_capture, cannon_adjacent)", {"C": "cp", "K": "kgmrnc"}),
    ],
)
def test_dark_capture_the_table_decides_on_a_neighbouring_square(rules: str, taken: dict[str, str]) -> None:
    for kind, victims in taken.items():
        for shown in "kgmrncp":
            text = after(f"2pp/4/4/4/4/4/x3/{kind}3 r {shown} - 0", f"a1-a2({shown})", rules)
            if shown in victims:
                assert text == f"2pp/4/4/4/4/4/{kind}3/4 b - - 0", (kind, shown)
            else:
                assert text == f"2pp/4/4/4/4/4/{shown}3/{kind}3 b - - 0", (kind, shown)


@pytest.mark.parametrize("rules", [*JUMPING, *BOTH])
def test_dark_capture_any_enemy_is_taken_by_a_jump(rules: str) -> None:
    for shown in "kgmrncp":
        text = after(f"2pp/4/4/x3/4/P3/4/C3 r {shown} - 3", f"a1-a5({shown})", rules)
        assert text == "2pp/4/4/C3/4/P3/4/4 b - - 0", shown


@pytest.mark.parametrize("rules", [*JUMPING, *BOTH])
def test_dark_capture_a_jump_onto_an_own_piece_fails(rules: str) -> None:
    for shown in "KGMRNCP":
        text = after(f"2pp/4/4/x3/4/P3/4/C3 r {shown} - 3", f"a1-a5({shown})", rules)
        assert text == f"2pp/4/4/{shown}3/4/P3/4/C3 b - - 0", shown


@pytest.mark.parametrize("rules", DARK)
def test_dark_capture_the_attacker_never_dies(rules: str) -> None:
    # A soldier attempts a chariot: it stays beside it, and black may take it now.
    position = played("3p/4/4/4/4/4/x3/P3 r r - 0", "a1-a2(r)", rules)
    assert position.captured()["P"] == 4
    assert position.is_legal("a2-a1")


@pytest.mark.parametrize("rules", DARK)
def test_dark_capture_plain_flips_remain(rules: str) -> None:
    fen = "x2n/4/4/4/4/4/x3/R3 r Pp - 0"
    assert legal(fen, rules) == {"a8", "a2", "a1-a2", "a1-b1"}
    assert after(fen, "a2(p)", rules) == "x2n/4/4/4/4/4/p3/R3 b P - 0"


@pytest.mark.parametrize("rules", DARK)
@pytest.mark.parametrize("shown", ["p", "P"])
def test_dark_capture_an_attempt_resets_quiet(rules: str, shown: str) -> None:
    position = played("x2n/4/4/4/4/4/x3/R3 r Pp - 179", f"a1-a2({shown})", rules)
    assert position.quiet == 0
    assert position.outcome() is None


@pytest.mark.parametrize("rules", DARK)
def test_dark_capture_nothing_before_an_attempt_repeats(rules: str) -> None:
    fen = "x2k/4/4/4/4/4/4/R3 r P - 0"
    cycle = "a1-a2 d8-d7 a2-a1 d7-d8 "
    steps = "a1-a2 d8-d7 a2-a3 d7-d8 a3-a4 d8-d7 a4-a5 d7-d8 a5-a6 d8-d7 a6-a7 d7-d8 "
    assert played(fen, cycle + steps + "a7-a8(P)", rules).repetitions() == 1


@pytest.mark.parametrize("rules", DARK)
def test_dark_capture_an_attempt_may_capture_the_last_piece(rules: str) -> None:
    position = played("4/4/4/4/4/4/x3/R3 r p - 0", "a1-a2(p)", rules)
    assert position.outcome() == RED_WINS
    assert list(position.legal_moves) == []


@pytest.mark.parametrize("rules", DARK)
@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("a1-a2", "an attempt without its reveal"),
        ("a1-a2(k)", "no such identity is hidden"),
        ("a1-b1(p)", "a step with a reveal"),
        ("a1-a3(p)", "two squares far"),
        ("d8-d7(p)", "a piece of the enemy"),
        ("a2-a1(p)", "a face-down attacker"),
    ],
)
def test_dark_capture_nothing_else_is_pushed(rules: str, move: str, why: str) -> None:
    fen = "3n/4/4/4/4/x3/x3/R3 r Pp - 5"
    position = Position.from_fen(fen, rules=rules)
    with pytest.raises(MoveError):
        position.push(move)
    assert position.fen() == fen, why


@pytest.mark.parametrize("rules", DARK)
def test_dark_capture_attempts_are_written_like_captures(rules: str) -> None:
    # Section 9: a1-b1 and a1-b1(k) for people, a1b1 and a1b1k on a wire.
    position = Position.from_fen("3n/4/4/4/4/4/4/Rxx1 r Pp - 0", rules=rules)
    (attempt,) = [move for move in position.legal_moves if str(move) == "a1-b1"]
    assert attempt.wire() == "a1b1"
    assert [(str(reveal.move), reveal.move.wire()) for reveal in position.outcomes(attempt)] == [
        ("a1-b1(P)", "a1b1P"),
        ("a1-b1(p)", "a1b1p"),
    ]
    assert position.is_legal("a1b1p")
    assert not position.is_legal("a1b1k")
    position.push("a1b1p")
    assert str(position.peek()) == "a1-b1(p)"


# ---- chain=any: after a success the same piece may capture or attempt again, in any direction, or end ----------------

# The chariot b2 takes b3 and then has a soldier above, a horse left, a soldier right. Below it b2 is empty. A second
# chariot beside a soldier and a face-down piece wait elsewhere.
FORK = "x2k/4/4/4/1p2/nnp1/1R2/2pR r p - 3"


@pytest.mark.parametrize("rules", CHAIN_ANY)
def test_chain_the_same_piece_may_capture_again_in_any_direction_or_stop(rules: str) -> None:
    position = played(FORK, "b2-b3", rules)
    assert position.fen() == "x2k/4/4/4/1p2/nRp1/4/2pR r p b3 0"
    assert position.side is Side.RED
    assert position.chain == BOARD_4X8.index("b3")
    assert position.outcome() is None
    assert requests(position) == {"b3-b4", "b3-a3", "b3-c3", "end"}


@pytest.mark.parametrize("rules", CHAIN_ANY)
def test_chain_goes_up_left_down_and_right(rules: str) -> None:
    # Round a square from b2 to a2, and along a row.
    assert after("3k/4/4/4/4/np2/pR2/4 r - - 0", "b2-b3 b3-a3 a3-a2", rules) == "3k/4/4/4/4/4/R3/4 b - - 0"
    assert after("3k/4/4/4/4/4/4/Rnp1 r - - 0", "a1-b1 b1-c1", rules) == "3k/4/4/4/4/4/4/2R1 b - - 0"


@pytest.mark.parametrize("rules", CHAIN_ANY)
def test_chain_end_stops_it(rules: str) -> None:
    position = played(FORK, "b2-b3 end", rules)
    assert position.fen() == "x2k/4/4/4/1p2/nRp1/4/2pR b p - 0"
    assert position.chain is None
    assert position.side is Side.BLACK
    assert position.peek() == Move.end()
    assert position.pop().is_end
    assert position.fen() == "x2k/4/4/4/1p2/nRp1/4/2pR r p b3 0"


@pytest.mark.parametrize("rules", CHAIN_ANY)
@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("b3-b2", "a step inside a chain"),
        ("d1-c1", "a capture by another piece"),
        ("d1-d2", "a step of another piece"),
        ("a8(p)", "a flip"),
        ("d8-d7", "a move of the enemy"),
    ],
)
def test_chain_nothing_else_is_legal_inside(rules: str, move: str, why: str) -> None:
    position = played(FORK, "b2-b3", rules)
    assert not position.is_legal(move), why
    with pytest.raises(MoveError):
        position.push(move)
    assert position.fen() == "x2k/4/4/4/1p2/nRp1/4/2pR r p b3 0"


@pytest.mark.parametrize("rules", CHAIN_ANY)
def test_chain_the_turn_ends_by_itself_where_nothing_can_be_captured(rules: str) -> None:
    # After b3 the chariot has the general, which it does not take, and an own soldier beside it.
    position = played("4/4/4/4/1k2/1nP1/1R2/4 r - - 0", "b2-b3", rules)
    assert position.fen() == "4/4/4/4/1k2/1RP1/4/4 b - - 0"
    assert position.chain is None
    assert not position.is_legal("end")


@pytest.mark.parametrize("rules", CHAIN_ANY)
def test_chain_the_turn_ends_by_itself_after_the_last_link(rules: str) -> None:
    assert after("3k/4/4/4/1p2/1n2/1R2/4 r - - 0", "b2-b3 b3-b4", rules) == "3k/4/4/4/1R2/4/4/4 b - - 0"


@pytest.mark.parametrize("rules", CHAIN_ANY)
def test_chain_the_whole_of_it_is_one_ply(rules: str) -> None:
    # Three captures and the end, and still it is black's first turn; black's step is the first quiet ply.
    position = played("3k/4/4/1n2/1p2/np2/pR2/4 r - - 9", "b2-b3 b3-b4 b4-b5 d8-d7", rules)
    assert position.fen() == "4/3k/4/1R2/4/n3/p3/4 r - - 1"
    ended = played("3k/4/4/1n2/1p2/np2/pR2/4 r - - 9", "b2-b3 b3-b4 end d8-d7", rules)
    assert ended.fen() == "4/3k/4/1n2/1R2/n3/p3/4 r - - 1"


@pytest.mark.parametrize("rules", CHAIN_ANY)
def test_chain_every_kind_goes_on(rules: str) -> None:
    assert "end" in requests(played("3n/4/4/4/1p2/1k2/1P2/4 r - - 0", "b2-b3", rules))
    assert "end" in requests(played("3n/4/4/4/1n2/1c2/1K2/4 r - - 0", "b2-b3", rules))
    assert "end" in requests(played("3n/4/4/4/1m2/1m2/1G2/4 r - - 0", "b2-b3", rules))


@pytest.mark.parametrize("rules", ["taiwan(chain=any)", "children", "hongkong(cannon=jump, chain=any)", *CHAIN_CANNON])
def test_chain_a_cannon_jumps_on(rules: str) -> None:
    # From a5 over a6 to a8, over b5 to d5; down there is only the old screen.
    fen = "m3/4/r3/np1p/4/P3/4/C2k r - - 0"
    position = played(fen, "a1-a5", rules)
    assert position.fen() == "m3/4/r3/Cp1p/4/P3/4/3k r - a5 0"
    assert requests(position) == {"a5-a8", "a5-d5", "end"}
    # After d5 the cannon sees nothing behind a screen.
    assert played(fen, "a1-a5 a5-d5", rules).fen() == "m3/4/r3/1p1C/4/P3/4/3k b - - 0"


@pytest.mark.parametrize("rules", CHAIN_NONE)
def test_without_chain_a_capture_ends_the_turn(rules: str) -> None:
    assert after(FORK, "b2-b3", rules) == "x2k/4/4/4/1p2/nRp1/4/2pR b p - 0"
    assert not played(FORK, "b2-b3", rules).is_legal("end")


@pytest.mark.parametrize("rules", CHAIN_ANY)
def test_chain_a_step_or_a_flip_begins_none(rules: str) -> None:
    assert after("x2k/4/4/4/1n2/4/1R2/4 r p - 0", "b2-b3", rules) == "x2k/4/4/4/1n2/1R2/4/4 b p - 1"
    assert after("x2k/4/4/4/1n2/1R2/4/4 r P - 0", "a8(P)", rules) == "P2k/4/4/4/1n2/1R2/4/4 b - - 0"


@pytest.mark.parametrize("rules", CHAIN_ANY)
@pytest.mark.parametrize("fen", [FORK, "x2k/4/4/4/1n2/1R2/4/4 r P - 0"])
def test_chain_end_is_no_action_outside(rules: str, fen: str) -> None:
    position = Position.from_fen(fen, rules=rules)
    assert "end" not in requests(position)
    for text in ("end", "0000"):
        assert not position.is_legal(text)
        with pytest.raises(MoveError):
            position.push(text)


def test_chain_end_is_written_in_both_columns() -> None:
    for text in ("end", "0000"):
        position = played(FORK, f"b2-b3 {text}", "children")
        assert (str(position.peek()), position.peek().wire()) == ("end", "0000")


@pytest.mark.parametrize("rules", [*CHAIN_ANY, *CHAIN_CANNON])
def test_chain_end_has_the_last_action_index(rules: str) -> None:
    assert Move.end().index == 32 * 32
    outside = Position.from_fen(FORK, rules=rules).legal_mask()
    assert outside.shape == (32 * 32 + 1,)
    assert not outside[-1]
    inside = Position.from_fen("m3/4/r3/C3/4/P3/4/3k r - a5 0", rules="children").legal_mask()
    assert set(inside.nonzero()[0]) == {Move.from_text("a5-a8").index, 32 * 32}


@pytest.mark.parametrize("rules", CHAIN_NONE)
def test_without_chain_the_mask_has_no_place_for_an_end(rules: str) -> None:
    assert Position.from_fen(FORK, rules=rules).legal_mask().shape == (32 * 32,)


# ---- chains and attempts ---------------------------------------------------------------------------------------------

# Behind the horse b3 a face-down piece waits.
DARK_CHAIN = ("children", "mainland(dark_capture, chain=any)", "hongkong(dark_capture, chain=any)")


@pytest.mark.parametrize("rules", DARK_CHAIN)
def test_chain_may_go_on_with_an_attempt(rules: str) -> None:
    position = played("3k/4/4/4/1x2/1n2/1R2/4 r P - 3", "b2-b3", rules)
    assert position.fen() == "3k/4/4/4/1x2/1R2/4/4 r P b3 0"
    assert requests(position) == {"b3-b4", "end"}
    assert [str(reveal.move) for reveal in position.outcomes("b3-b4")] == ["b3-b4(P)"]


@pytest.mark.parametrize("rules", ["taiwan(chain=any)", "hongkong(chain=any)", "mainland(chain=any)"])
def test_chain_without_dark_capture_a_face_down_piece_does_not_keep_it_going(rules: str) -> None:
    assert after("3k/4/4/4/1x2/1n2/1R2/4 r p - 3", "b2-b3", rules) == "3k/4/4/4/1x2/1R2/4/4 b p - 0"


@pytest.mark.parametrize("rules", DARK_CHAIN)
@pytest.mark.parametrize("shown", ["P", "g"])
def test_chain_a_failed_attempt_ends_the_turn(rules: str, shown: str) -> None:
    # The chariot takes no own soldier, and an advisor only in hongkong; there it is the general that holds.
    shown = "k" if shown == "g" and rules.startswith("hongkong") else shown
    fen = f"3n/4/4/4/px2/1n2/1R2/4 r {shown} - 3"
    assert after(fen, f"b2-b3 b3-b4({shown})", rules) == f"3n/4/4/4/p{shown}2/1R2/4/4 b - - 0"


@pytest.mark.parametrize("rules", DARK_CHAIN)
def test_chain_a_successful_attempt_keeps_it_going(rules: str) -> None:
    position = played("3k/4/4/4/px2/1n2/1R2/4 r p - 3", "b2-b3 b3-b4(p)", rules)
    assert position.fen() == "3k/4/4/4/pR2/4/4/4 r - b4 0"
    assert requests(position) == {"b4-a4", "end"}


@pytest.mark.parametrize("rules", DARK_CHAIN)
def test_chain_an_attempt_may_begin_it(rules: str) -> None:
    fen = "3k/4/4/4/1x2/1x2/1R2/4 r Pp - 3"
    assert after(fen, "b2-b3(p)", rules) == "3k/4/4/4/1x2/1R2/4/4 r P b3 0"
    assert after(fen, "b2-b3(p) b3-b4(P)", rules) == "3k/4/4/4/1P2/1R2/4/4 b - - 0"
    assert after(fen, "b2-b3(P)", rules) == "3k/4/4/4/1x2/1P2/1R2/4 b p - 0"


@pytest.mark.parametrize(
    "rules", ["children", "taiwan(dark_capture, chain=cannon)", "hongkong(cannon=jump, dark_capture, chain=cannon)"]
)
def test_chain_a_cannon_attempts_on_by_jumps(rules: str) -> None:
    # The jump to a5 bares the lines over a6 to a8 and over b5 to d5.
    fen = "x3/4/r3/xp1x/4/P3/4/C2k r Ggp - 0"
    position = played(fen, "a1-a5(g)", rules)
    assert position.fen() == "x3/4/r3/Cp1x/4/P3/4/3k r Gp a5 0"
    assert requests(position) == {"a5-a8", "a5-d5", "end"}
    position.push("a5-a8(G)")
    assert position.fen() == "G3/4/r3/Cp1x/4/P3/4/3k b p - 0"


@pytest.mark.parametrize("rules", DARK_CHAIN)
def test_chain_all_captured_is_tested_inside(rules: str) -> None:
    # The last black piece is gone. Attempts on the two face-down soldiers would go on, but no action follows.
    position = played("4/4/4/4/1x2/1nx1/1R2/4 r PP - 0", "b2-b3", rules)
    assert position.outcome() == RED_WINS
    assert list(position.legal_moves) == []
    assert not position.is_legal("end")
    assert not position.is_legal("b3-b4")
    assert position.perft(1) == 0
    with pytest.raises(MoveError):
        position.push("end")


@pytest.mark.parametrize("rules", CHAIN_ANY)
def test_chain_all_captured_at_its_last_link(rules: str) -> None:
    assert played("4/4/4/4/1p2/1n2/1R2/4 r - - 0", "b2-b3 b3-b4", rules).outcome() == RED_WINS


@pytest.mark.parametrize("rules", DARK_CHAIN)
def test_chain_all_captured_inside_by_an_attempt(rules: str) -> None:
    position = played("4/4/4/4/1x2/1x2/1R2/4 r Pp - 0", "b2-b3(p)", rules)
    assert position.outcome() == RED_WINS
    assert not position.legal_moves


@pytest.mark.parametrize("rules", DARK_CHAIN)
def test_chain_all_captured_is_tested_on_a_chain_that_is_set_up(rules: str) -> None:
    position = Position.from_fen("4/4/4/4/1x2/1R2/4/4 r P b3 0", rules=rules)
    assert position.outcome() == RED_WINS
    assert not position.legal_moves


def test_chain_who_cannot_move_after_it_loses() -> None:
    # The general a1 is shut in by soldiers, the soldier d8 by an elephant and an advisor.
    position = played("2Gp/3n/3M/4/4/4/P3/kP2 r - - 0", "d6-d7", "taiwan(chain=any)")
    assert requests(position) == {"d7-d8", "end"}
    assert position.outcome() is None
    position.push("end")
    assert position.outcome() == Outcome(Side.RED, Termination.NO_MOVES)


# ---- chain=cannon: the same, for cannons only ------------------------------------------------------------------------


@pytest.mark.parametrize("rules", CHAIN_CANNON)
def test_chain_cannon_other_pieces_stop_after_one_capture(rules: str) -> None:
    assert after(FORK, "b2-b3", rules) == "x2k/4/4/4/1p2/nRp1/4/2pR b p - 0"
    assert not played(FORK, "b2-b3", rules).is_legal("end")


@pytest.mark.parametrize("rules", CHAIN_CANNON)
def test_chain_cannon_has_an_end_and_no_step_and_ends_by_itself(rules: str) -> None:
    fen = "m3/4/r3/n3/4/P3/4/C2k r - - 4"
    position = played(fen, "a1-a5", rules)
    assert position.fen() == "m3/4/r3/C3/4/P3/4/3k r - a5 0"
    assert requests(position) == {"a5-a8", "end"}
    assert after(fen, "a1-a5 end", rules) == "m3/4/r3/C3/4/P3/4/3k b - - 0"
    assert after(fen, "a1-a5 a5-a8", rules) == "C3/4/r3/4/4/P3/4/3k b - - 0"


@pytest.mark.parametrize("rules", ["cannon-adjacent(chain=cannon)", "cannon-chain(cannon_adjacent)"])
def test_chain_cannon_goes_on_with_neighbours(rules: str) -> None:
    position = played("3k/4/4/4/1p2/1c2/1C2/4 r - - 0", "b2-b3", rules)
    assert position.fen() == "3k/4/4/4/1p2/1C2/4/4 r - b3 0"
    assert requests(position) == {"b3-b4", "end"}


@pytest.mark.parametrize("rules", ["dark-capture(chain=cannon)", "mainland(cannon=jump, dark_capture, chain=cannon)"])
def test_chain_cannon_a_failed_attempt_ends_the_turn(rules: str) -> None:
    fen = "x3/4/P3/n3/4/P3/4/C2k r P - 4"
    assert after(fen, "a1-a5", rules) == "x3/4/P3/C3/4/P3/4/3k r P a5 0"
    assert after(fen, "a1-a5 a5-a8(P)", rules) == "P3/4/P3/C3/4/P3/4/3k b - - 0"
    # Other pieces attempt without chains.
    assert after("3k/4/4/4/4/1p2/1x2/1R2 r p - 0", "b1-b2(p)", rules) == "3k/4/4/4/4/1p2/1R2/4 b - - 0"


# ---- screens=faceup: a face-down piece is no screen ------------------------------------------------------------------

FACEUP = (
    "taiwan(screens=faceup)",
    "cannon-chain",
    "hongkong(cannon=jump, screens=faceup)",
    "cannon-adjacent(screens=faceup)",
)


@pytest.mark.parametrize("rules", FACEUP)
@pytest.mark.parametrize(
    "fen",
    [
        pytest.param("3n/r3/4/4/x3/4/4/C3 r P - 0", id="a face-down piece as the screen"),
        pytest.param("3n/r3/4/P3/4/x3/4/C3 r P - 0", id="a face-down piece first, a screen behind it"),
        pytest.param("3n/r3/4/p3/4/x3/4/C3 r P - 0", id="a face-down piece first, an enemy behind it"),
        pytest.param("3n/r3/4/x3/4/P3/4/C3 r p - 0", id="a face-down piece behind the screen"),
        pytest.param("3n/4/4/x3/4/P3/4/C3 r p - 0", id="a face-down piece as the target"),
    ],
)
def test_faceup_screens_a_face_down_piece_blocks_the_line(rules: str, fen: str) -> None:
    assert legal_from("a1", fen, rules) == {"a1-a2", "a1-b1"}


@pytest.mark.parametrize("rules", FACEUP)
@pytest.mark.parametrize("screen", ["P", "p"])
def test_faceup_screens_of_either_colour_serve(rules: str, screen: str) -> None:
    assert legal_from("a1", f"3n/r3/4/4/{screen}3/4/4/C3 r - - 0", rules) == {"a1-a7", "a1-a2", "a1-b1"}
    assert legal_from("d1", f"3n/4/4/4/4/4/4/r{screen}1C r - - 0", rules) == {"d1-a1", "d1-c1", "d1-d2"}


@pytest.mark.parametrize("rules", ["taiwan(screens=faceup, dark_capture)", "cannon-chain(dark_capture)"])
@pytest.mark.parametrize("screen", ["P", "p"])
def test_faceup_screens_there_is_no_jump_attempt(rules: str, screen: str) -> None:
    assert legal_from("a1", f"3n/x3/4/4/{screen}3/4/4/C3 r P - 0", rules) == {"a1-a2", "a1-b1"}
    # Neighbours are no targets of a purely jumping cannon either; other pieces attempt them.
    assert legal_from("a1", "3n/4/4/4/4/4/x3/C3 r P - 0", rules) == {"a1-b1"}
    assert legal_from("a1", "3n/4/4/4/4/4/x3/R3 r P - 0", rules) == {"a1-a2", "a1-b1"}


@pytest.mark.parametrize(
    "rules", ["cannon-adjacent(screens=faceup, dark_capture)", "cannon-chain(cannon_adjacent, dark_capture)"]
)
def test_faceup_screens_with_cannon_adjacent_the_adjacent_attempt_stays(rules: str) -> None:
    assert legal_from("a1", "3n/x3/4/4/4/P3/x3/C3 r Pp - 0", rules) == {"a1-a2", "a1-b1"}
    assert legal_from("a1", "3n/x3/4/4/P3/4/4/C3 r p - 0", rules) == {"a1-a2", "a1-b1"}
    assert after("3n/4/4/4/4/4/x3/C3 r p - 0", "a1-a2(p)", rules) == "3n/4/4/4/4/4/C3/4 b - - 0"
    assert after("3n/4/4/4/4/4/x3/C3 r r - 0", "a1-a2(r)", rules) == "3n/4/4/4/4/4/r3/C3 b - - 0"


def test_cannon_chain_a_face_down_screen_ends_the_chain() -> None:
    fen = "m3/4/x3/n3/4/P3/4/C2k r P - 0"
    assert after(fen, "a1-a5", "taiwan(chain=cannon)") == "m3/4/x3/C3/4/P3/4/3k r P a5 0"
    assert after(fen, "a1-a5", "cannon-chain") == "m3/4/x3/C3/4/P3/4/3k b P - 0"


def test_cannon_chain_goes_on_with_an_adjacent_attempt() -> None:
    rules = "cannon-chain(cannon_adjacent, dark_capture)"
    position = played("3k/4/4/4/1x2/1c2/1C2/4 r P - 0", "b2-b3", rules)
    assert position.fen() == "3k/4/4/4/1x2/1C2/4/4 r P b3 0"
    assert requests(position) == {"b3-b4", "end"}


# ---- section 8: the chain square -------------------------------------------------------------------------------------


def test_the_chain_square_is_read_and_written() -> None:
    fen = "3k/4/4/4/1p2/1R2/4/2pR r - b3 0"
    position = Position.from_fen(fen, rules="children")
    assert position.fen() == fen
    assert position.chain == 9
    assert requests(position) == {"b3-b4", "end"}
    position.push("end")
    assert position.fen() == "3k/4/4/4/1p2/1R2/4/2pR b - - 0"


def test_the_chain_square_makes_positions_different() -> None:
    chained = Position.from_fen("3k/4/4/4/1p2/1R2/4/4 r - b3 0", rules="children")
    free = Position.from_fen("3k/4/4/4/1p2/1R2/4/4 r - - 0", rules="children")
    assert chained != free
    assert chained.key != free.key


@pytest.mark.parametrize(
    ("fen", "rules"),
    [
        pytest.param("3k/4/4/4/1p2/1R2/4/4 r - a3 0", "children", id="an empty square"),
        pytest.param("3k/4/4/4/1p2/1R2/4/4 r - b4 0", "children", id="an enemy"),
        pytest.param("3k/4/4/4/1x2/1R2/4/4 r p b4 0", "children", id="a face-down piece"),
        pytest.param("3k/4/4/4/1p2/1R2/4/4 r - e3 0", "children", id="no square of the board"),
        pytest.param("3k/4/4/4/1p2/1R2/4/4 r - b3 0", "taiwan", id="no chains"),
        pytest.param("3k/4/4/4/1p2/1R2/4/4 r - b3 0", "dark-capture", id="no chains with attempts"),
        pytest.param("3k/4/4/4/1p2/1R2/4/4 r - b3 0", "cannon-chain", id="a chariot where cannons chain"),
        pytest.param("3k/4/4/4/4/1R2/4/4 r - b3 0", "children", id="nothing beside it"),
        pytest.param("4/4/4/4/1k2/1RP1/4/4 r - b3 0", "children", id="nothing that it takes"),
        pytest.param("3k/4/4/4/1x2/1R2/4/4 r p b3 0", "taiwan(chain=any)", id="a face-down piece without attempts"),
        pytest.param("3k/4/4/4/1x2/1C2/4/4 r p b3 0", "children", id="a neighbour of a jumping cannon"),
        pytest.param("r2k/4/x3/4/4/C3/4/4 r p a3 0", "cannon-chain", id="a face-down screen"),
        pytest.param("3k/4/4/4/1p2/1R2/4/4 r - b3 1", "children", id="quiet above 0"),
        pytest.param(f"xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? {WHOLE_SET} a1 0", "children", id="the start"),
    ],
)
def test_a_wrong_chain_square_is_refused(fen: str, rules: str) -> None:
    assert Position.faults(fen, rules=rules) != []
    with pytest.raises(FenError):
        Position.from_fen(fen, rules=rules)
    # Without the chain, and where quiet is right, nothing is wrong.
    placement, side, pool, _, _ = fen.split()
    assert Position.faults(f"{placement} {side} {pool} - 0", rules=rules) == []


def test_a_chain_shows_on_the_board() -> None:
    chain, none = (Position.from_fen(f"Rn2/4/4/4/4/4/4/3k r - {square} 0", rules="children") for square in ("a8", "-"))
    assert "the chain goes on from a8 or ends" in str(chain)
    assert "the chain goes on from a8 or ends" in chain.svg()
    assert "chain goes on" not in str(none) + none.svg()
