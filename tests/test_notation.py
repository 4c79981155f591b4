"""Position text: rules page, section 8."""

import pickle

import pytest

from banqi import Fault, FenError, Position

FULL_POOL = "KGGMMRRNNCCPPPPPkggmmrrnnccppppp"
START = f"xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? {FULL_POOL} - 0"
# The rules page's own middle game for taiwan (perft/taiwan.perft), and a few more that are right by section 8.
RIGHT = [
    START,
    "xxMm/PKxx/xxxx/xxxP/xxxx/xxxx/xxxx/pxMN r GGRRNCCPPPkggmrrnnccpppp - 0",
    "2p1/RC1M/2K1/c2G/g1M1/r2P/ncm1/pmnC r - - 0",
    "4/4/4/4/4/4/4/K2k b - - 179",
    "4/4/4/4/4/4/4/K2k r - - 180",
    "1xx1/4/4/4/4/4/4/K3 r Pp - 3",
    "x3/4/4/4/4/4/4/4 b p - 0",
]


@pytest.mark.parametrize("fen", RIGHT)
def test_right_texts_are_kept_as_they_are(fen: str) -> None:
    assert Position.faults(fen) == []
    position = Position.from_fen(fen)
    assert position.fen() == fen
    assert position.status() == []


def test_the_start() -> None:
    assert Position().fen() == START


def test_squares_are_where_the_text_says() -> None:
    """The first rank of the text is rank 8, the first letter of a rank stands on file a."""
    position = Position.from_fen("K3/4/4/4/4/4/3c/1xr1 r P - 0")
    where = {square: str(position.piece_at(square)) for square in ("a8", "d2", "b1", "c1")}
    assert where == {"a8": "K", "d2": "c", "b1": "x", "c1": "r"}
    assert position.piece_at("a1") is None


def test_the_last_two_fields_may_be_left_out_together() -> None:
    fen = "4/4/4/4/4/4/4/K2k r -"
    assert Position.from_fen(fen).fen() == f"{fen} - 0"
    assert Position.faults(f"{fen} -") == [Fault.FIELD_COUNT]


def test_the_pool_is_read_in_any_order_and_written_in_one() -> None:
    shuffled = Position.from_fen("xxxx/4/4/4/4/4/4/K2k r pGPM - 0")
    assert shuffled.fen() == "xxxx/4/4/4/4/4/4/K2k r GMPp - 0"
    assert Position.from_fen(f"xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? {FULL_POOL[::-1]}").fen() == START


@pytest.mark.parametrize(("fen", "winner"), [("4/4/4/4/4/4/4/K3 b -", "r"), ("4/4/4/4/4/4/4/kx2 b p - 4", "b")])
def test_a_side_without_pieces_is_a_finished_game(fen: str, winner: str) -> None:
    """Section 8: accepted as a finished game that it has lost by all_captured."""
    outcome = Position.from_fen(fen).outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.termination) == (winner, "all_captured")


# Every fault alone. K and k on the last rank make the rest right where nothing else is tested.
FAULTS = [
    ("4/4/4/4/4/4/4/K2k  r - - 0", Fault.SPACING),
    (" 4/4/4/4/4/4/4/K2k r - - 0", Fault.SPACING),
    ("4/4/4/4/4/4/4/K2k r - - 0 ", Fault.SPACING),
    ("4/4/4/4/4/4/4/K2k r", Fault.FIELD_COUNT),
    ("4/4/4/4/4/4/4/K2k r - -", Fault.FIELD_COUNT),
    ("4/4/4/4/4/4/4/K2k r - - 0 0", Fault.FIELD_COUNT),
    ("4/4/4/4/4/4/K2k r - - 0", Fault.RANK_COUNT),
    ("4/4/4/4/4/4/4/4/K2k r - - 0", Fault.RANK_COUNT),
    ("4/4/4/4/4/4/3/K2k r - - 0", Fault.RANK_LENGTH),
    ("4/4/4/4/4/4//K2k r - - 0", Fault.RANK_LENGTH),
    ("4/4/4/4/4/4/3P1/K2k r - - 0", Fault.RANK_LENGTH),
    ("4/4/4/4/4/4/3q/K2k r - - 0", Fault.BAD_LETTER),
    ("4/4/4/4/4/4/3X/K2k r - - 0", Fault.BAD_LETTER),
    ("4/4/4/4/4/4/3?/K2k r - - 0", Fault.BAD_LETTER),
    ("4/4/4/4/4/4/3К/K2k r - - 0", Fault.BAD_LETTER),
    ("PPP٤/4/4/4/4/4/4/K2k r - - 0", Fault.BAD_LETTER),
    ("4/4/4/4/4/4/PPPP0/K2k r - - 0", Fault.BAD_DIGIT),
    ("4/4/4/4/4/4/13/K2k r - - 0", Fault.ADJACENT_DIGITS),
    ("4/4/4/4/4/4/1111/K2k r - - 0", Fault.ADJACENT_DIGITS),
    ("4/4/4/4/4/4/4/K2k w - - 0", Fault.BAD_SIDE),
    ("4/4/4/4/4/4/4/K2k R - - 0", Fault.BAD_SIDE),
    ("4/4/4/4/4/4/4/K2k rb - - 0", Fault.BAD_SIDE),
    ("4/4/4/4/4/4/4/K2k r Q - 0", Fault.BAD_POOL),
    ("4/4/4/4/4/4/x3/K2k r P- - 0", Fault.BAD_POOL),
    ("4/4/4/4/4/4/4/K2k r 0 - 0", Fault.BAD_POOL),
    ("4/4/4/4/4/4/4/KK1k r - - 0", Fault.TOO_MANY),
    ("4/4/4/4/4/4/x3/K2k r k - 0", Fault.TOO_MANY),
    ("4/4/4/4/pppp/pp2/4/K3 r - - 0", Fault.TOO_MANY),
    ("4/4/4/4/4/4/x3/K2k r - - 0", Fault.POOL_MISMATCH),
    ("4/4/4/4/4/4/4/K2k r P - 0", Fault.POOL_MISMATCH),
    (f"Kxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? {FULL_POOL[1:]} - 0", Fault.UNKNOWN_SIDE_FACE_UP),
    (f"1xxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? {FULL_POOL[1:]} - 0", Fault.UNKNOWN_SIDE_CAPTURED),
    (START.replace(" 0", " 1"), Fault.UNKNOWN_SIDE_QUIET),
    (START.replace("?", "r"), Fault.NOTHING_SHOWN),
    (START.replace("?", "b"), Fault.NOTHING_SHOWN),
    ("4/4/4/4/4/4/4/4 r - - 0", Fault.NO_PIECES),
    ("4/4/4/4/4/4/4/K2k r - - 181", Fault.QUIET_ABOVE_LIMIT),
    (f"4/4/4/4/4/4/4/K2k r - - 1{'0' * 5000}", Fault.QUIET_ABOVE_LIMIT),
    ("4/4/4/4/4/4/4/K2k r - - -1", Fault.NEGATIVE_QUIET),
    ("4/4/4/4/4/4/4/K2k r - - x", Fault.BAD_QUIET),
    ("4/4/4/4/4/4/4/K2k r - - 1.0", Fault.BAD_QUIET),
    ("4/4/4/4/4/4/4/K2k r - - 00", Fault.BAD_QUIET),
    ("4/4/4/4/4/4/4/K2k r - - 07", Fault.BAD_QUIET),
    ("4/4/4/4/4/4/4/K2k r - - +7", Fault.BAD_QUIET),
    ("4/4/4/4/4/4/4/K2k r - - -0", Fault.BAD_QUIET),
    ("4/4/4/4/4/4/4/K2k r - - 1_0", Fault.BAD_QUIET),
    ("4/4/4/4/4/4/4/K2k r - - ٧", Fault.BAD_QUIET),
    ("4/4/4/4/4/4/4/K2k r - - 0\n", Fault.BAD_QUIET),
    ("4/4/4/4/4/4/4/K2k r - a9 0", Fault.BAD_CHAIN),
    ("4/4/4/4/4/4/4/K2k r - A1 0", Fault.BAD_CHAIN),
    ("4/4/4/4/4/4/4/K2k r - 0 0", Fault.BAD_CHAIN),
    ("4/4/4/4/4/4/4/K2k r - a1 0", Fault.CHAIN_NOT_ALLOWED),
]


@pytest.mark.parametrize(("fen", "fault"), FAULTS)
def test_each_fault_is_named(fen: str, fault: Fault) -> None:
    assert Position.faults(fen) == [fault]
    with pytest.raises(FenError) as error:
        Position.from_fen(fen)
    assert error.value.faults == (fault,)
    assert fault.value in str(error.value)
    assert str(error.value).isprintable()


# Faults that bring another one along, or that only come together: all of them are named, in one order.
TOGETHER = [
    ("", [Fault.FIELD_COUNT, Fault.RANK_COUNT, Fault.RANK_LENGTH]),
    (" ", [Fault.SPACING, Fault.FIELD_COUNT]),
    ("4/4/4/4/4/4/5/K2k r - - 0", [Fault.RANK_LENGTH, Fault.BAD_DIGIT]),
    (
        # With a tab in place of a space every later field stands one place too early.
        "4/4/4/4/4/4/4/K2k\tr - - 0",
        [Fault.FIELD_COUNT, Fault.RANK_LENGTH, Fault.BAD_LETTER, Fault.BAD_SIDE, Fault.BAD_CHAIN],
    ),
    ("4/4/4/4/4/4/4/K2k r - d1 0", [Fault.CHAIN_NOT_OWN, Fault.CHAIN_NOT_ALLOWED]),
    ("4/4/4/4/4/4/4/K2k r - b1 0", [Fault.CHAIN_NOT_OWN, Fault.CHAIN_NOT_ALLOWED]),
    ("4/4/4/4/4/4/4/K2k b - d1 5", [Fault.CHAIN_NOT_ALLOWED, Fault.CHAIN_QUIET]),
    (START.replace("- 0", "a1 0"), [Fault.CHAIN_NOT_OWN, Fault.CHAIN_NOT_ALLOWED]),
    (
        "xxxx/xxxx/12x/Qxxx/xxxx/xxxx/xxxx/KKxx ?  KK! a9 -7",
        [
            Fault.SPACING,
            Fault.BAD_LETTER,
            Fault.ADJACENT_DIGITS,
            Fault.BAD_POOL,
            Fault.TOO_MANY,
            Fault.POOL_MISMATCH,
            Fault.UNKNOWN_SIDE_FACE_UP,
            Fault.UNKNOWN_SIDE_CAPTURED,
            Fault.BAD_CHAIN,
            Fault.NEGATIVE_QUIET,
        ],
    ),
]


@pytest.mark.parametrize(("fen", "faults"), TOGETHER)
def test_every_fault_is_named(fen: str, faults: list[Fault]) -> None:
    assert Position.faults(fen) == faults
    with pytest.raises(FenError) as error:
        Position.from_fen(fen)
    assert error.value.faults == tuple(faults)
    assert len(str(error.value).splitlines()) == 1


# Chain squares: the text, the rule set, and all that is wrong. Red's chariot b3 may take the soldier b4.
CHAINS = [
    ("3k/4/4/4/1p2/1R2/4/4 r - b3 0", "children", []),
    ("3k/4/4/4/1p2/1R2/4/4 r - b3 0", "taiwan(chain=any)", []),
    ("3k/4/4/4/1x2/1R2/4/4 r K b3 0", "children", []),
    ("3n/c3/4/P3/C3/4/4/4 r - a4 0", "cannon-chain", []),
    ("4/4/4/4/1x2/1R2/4/4 r K b3 0", "children", []),
    ("3k/4/4/4/1p2/1R2/4/4 b - b4 0", "children", [Fault.CHAIN_NOTHING]),
    ("3k/4/4/4/4/1R2/4/4 r - b3 0", "children", [Fault.CHAIN_NOTHING]),
    ("3k/4/4/4/1x2/1R2/4/4 r p b3 0", "taiwan(chain=any)", [Fault.CHAIN_NOTHING]),
    ("3k/4/4/4/1x2/1C2/4/4 r p b3 0", "children", [Fault.CHAIN_NOTHING]),
    ("3k/4/4/4/1p2/1R2/4/4 r - b3 0", "taiwan", [Fault.CHAIN_NOT_ALLOWED]),
    ("3k/4/4/4/1p2/1R2/4/4 r - b3 0", "dark-capture", [Fault.CHAIN_NOT_ALLOWED]),
    ("3k/4/4/4/1p2/1R2/4/4 r - b3 0", "cannon-chain", [Fault.CHAIN_NOT_ALLOWED]),
    ("3k/4/4/4/1p2/1R2/4/4 r - b3 7", "children", [Fault.CHAIN_QUIET]),
    ("3k/4/4/4/1p2/1R2/4/4 r - b4 0", "children", [Fault.CHAIN_NOT_OWN]),
    ("3k/4/4/4/1p2/1R2/4/4 r - a1 0", "children", [Fault.CHAIN_NOT_OWN]),
    ("3k/4/4/4/1x2/1R2/4/4 r p b4 0", "children", [Fault.CHAIN_NOT_OWN]),
    ("3k/4/4/4/1p2/1R2/4/4 r - b9 0", "children", [Fault.BAD_CHAIN]),
    ("3k/4/4/4/1p2/1R2/4/4 r - e1 0", "children", [Fault.BAD_CHAIN]),
    ("7k/8/8/8/6p1/6R1/8/8 r - g3 0", "double(chain=any)", []),
    ("7k/8/8/8/6p1/6R1/8/8 r - g3 0", "double", [Fault.CHAIN_NOT_ALLOWED]),
]


@pytest.mark.parametrize(("fen", "rules", "faults"), CHAINS)
def test_chain_squares_are_judged(fen: str, rules: str, faults: list[Fault]) -> None:
    assert Position.faults(fen, rules=rules) == faults
    if faults:
        with pytest.raises(FenError) as error:
            Position.from_fen(fen, rules=rules)
        assert error.value.faults == tuple(faults)
    else:
        assert Position.from_fen(fen, rules=rules).fen() == fen


@pytest.mark.parametrize("value", [None, 5, START.encode()])
def test_a_position_text_is_a_text(value: object) -> None:
    with pytest.raises(FenError, match="it is no text"):
        Position.from_fen(value)


def test_no_fault_is_without_a_test() -> None:
    seen = {fault for _, fault in FAULTS} | {fault for _, faults in TOGETHER for fault in faults} | {Fault.NO_TEXT}
    # Those of Junqi alone: tests/test_junqi_statements.py.
    seen |= {Fault.IN_CAMP, Fault.NO_FLAGS}
    assert seen | {fault for *_, faults in CHAINS for fault in faults} == set(Fault)


def test_the_limit_is_that_of_the_rule_set() -> None:
    fen = "4/4/4/4/4/4/4/K2k r - - 41"
    assert Position.faults(fen, rules="taiwan(quiet_limit=41)") == []
    assert Position.faults(fen, rules="taiwan(quiet_limit=40)") == [Fault.QUIET_ABOVE_LIMIT]


def test_long_texts_end_in_short_lines() -> None:
    with pytest.raises(FenError) as error:
        Position.from_fen("9" * 1_000_000)
    assert len(str(error.value)) < 1000


def test_the_error_can_be_pickled() -> None:
    """Executors send errors from process to process."""
    with pytest.raises(FenError) as error:
        Position.from_fen("")
    again = pickle.loads(pickle.dumps(error.value))
    assert (str(again), again.faults) == (str(error.value), error.value.faults)
