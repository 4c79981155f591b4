"""What holds for every position of every game and for every text. Each test has the property's name."""

import dataclasses
import pickle
import random
import re
from collections.abc import Callable
from typing import TypeVar

from hypothesis import event, example, given
from hypothesis import strategies as st

from banqi import BanqiError, Counting, FenError, Move, MoveError, Position, Rules, RulesError
from banqi.piece_set import PIECE_SETS
from banqi.rules import BOARDS
from reference.fen import read
from reference.games import parse
from reference.walks import random_rules

T = TypeVar("T")

SMALL_RULES = [
    "taiwan",
    "hongkong",
    "mainland",
    "cannon-adjacent",
    "dark-capture",
    "children",
    "cannon-chain",
    "hongkong(cannon=jump)",
    "mainland(cannon=jump, cannon_adjacent)",
    "mainland(dark_capture, chain=any)",
    "taiwan(repetition=cycle, quiet_limit=6)",
    "taiwan(repetition=none, quiet_limit=1)",
    "taiwan(perpetual=loses, repetition=2)",
]
LARGE_RULES = ["double", "double(dark_capture, chain=any)", "double(ranking=hongkong, perpetual=loses, quiet_limit=4)"]
JUNQI_RULES = ["junqi", "junqi(repetition=3)", "junqi(repetition=2, quiet_limit=4)"]
RULES = [*SMALL_RULES, *LARGE_RULES, *JUNQI_RULES]
SMALL_STARTS = [
    Position().fen(),
    "xxMm/PKxx/xxxx/xxxP/xxxx/xxxx/xxxx/pxMN r GGRRNCCPPPkggmrrnnccpppp - 0",
    "2p1/RC1M/2K1/c2G/g1M1/r2P/ncm1/pmnC r - - 0",
    "4/1p2/1C2/4/2x1/n3/1P2/K2g b r - 0",
    # Crowded, so that captures, attempts and chains abound.
    "4/4/4/4/gnpr/CRxp/xPnC/NxpK r Pkm - 0",
    "c3/4/x3/r3/P3/pxmn/CPxr/RnCp b KGk - 0",
]
LARGE_STARTS = [
    Position("double").fen(),
    "4C3/8/2x5/4x3/nRpx4/PrRcp1x1/xGnCp3/Kpx2p1k r PPKkmp - 0",
    "7k/8/8/2nPr3/1pCxRp2/3mxc2/8/K5p1 b Gm - 1",
]
JUNQI_STARTS = [
    Position("junqi").fen(),
    "Lxxxx/mLoxx/x2ec/xx2g/x1x1r/xB2x/TxxxE/b1E1x/px1xx/x1t1x/FxCLx/Rlxxx b MGDDBRTCCPPEOddbrtcppeeollf - 1",
    # Engineers, mines, bombs and flags between roads, railways and camps.
    "1f2l/3L1/1E3/x4/1p1e1/o1E2/4m/x3x/2O2/5/L2Te/1F2x r GbLd - 0",
    "5/5/5/5/5/5/m3P/5/5/5/E3L/fF3 r - - 1",
]
STARTS = [*SMALL_STARTS, *LARGE_STARTS, *JUNQI_STARTS]

# A game is a number for each ply: which legal move, and which of its outcomes.
choices = st.lists(st.integers(0, 2**16 - 1), max_size=80)


def play(position: Position, numbers: list[int]) -> Position:
    """Push the moves that the numbers choose, until the game is won."""
    for number in numbers:
        moves = list(position.legal_moves)
        if not moves:
            break
        reveals = position.outcomes(moves[number % len(moves)])
        position.push(reveals[number // len(moves) % len(reveals)].move)
    return position


def games(rules: list[str], starts: list[str]) -> st.SearchStrategy[Position]:
    """Positions of games that begin with one of these."""
    return st.builds(
        lambda rules, fen, numbers: play(Position.from_fen(fen, rules=rules), numbers),
        st.sampled_from(rules),
        st.sampled_from(starts),
        choices,
    )


positions = games(SMALL_RULES, SMALL_STARTS) | games(LARGE_RULES, LARGE_STARTS) | games(JUNQI_RULES, JUNQI_STARTS)


def everything(position: Position) -> tuple[object, ...]:
    """All that can be asked about a position."""
    return (
        position.fen(), position.key, position.quiet, position.side, position.repetitions(), position.outcome(),
        position.move_stack, dict(position.pool), dict(position.captured()), list(position.legal_moves),
        position.chain, position.seat,
    )  # fmt: skip


@given(positions)
def test_make_unmake_is_identity(position: Position) -> None:
    before = everything(position)
    for move in position.legal_moves:
        for reveal in position.outcomes(move):
            position.push(reveal.move)
            assert position.pop() == reveal.move
            assert everything(position) == before


@given(positions)
def test_unmaking_a_game_leads_to_its_start(position: Position) -> None:
    moves = position.move_stack
    root = pickle.loads(pickle.dumps(position))
    while root.move_stack:
        root.pop()
    twin = Position.from_fen(root.fen(), rules=root.rules)
    assert everything(twin) == everything(root)
    for move in moves:
        twin.push(move)
    assert everything(twin) == everything(position)


@given(positions)
def test_incremental_key_equals_fresh_key(position: Position) -> None:
    assert position.key == position.state.fresh_key()
    if not position.status():
        assert position.key == Position.from_fen(position.fen(), rules=position.rules).key


@given(positions)
def test_fen_round_trips(position: Position) -> None:
    if position.quiet <= position.rules.quiet_limit:
        assert position.status() == []
        again = Position.from_fen(position.fen(), rules=position.rules)
        assert again == position
        assert again.fen() == position.fen()


@given(positions)
def test_pickling_round_trips(position: Position) -> None:
    assert everything(pickle.loads(pickle.dumps(position))) == everything(position)


@given(positions)
def test_legal_moves_agree_with_each_other(position: Position) -> None:
    moves = position.legal_moves
    listed = list(moves)
    assert len(listed) == len(set(listed)) == len(moves) == moves.count()
    assert bool(moves) == bool(listed)
    mask = position.legal_mask()
    assert sorted(mask.nonzero()[0]) == sorted(move.index for move in listed)
    geometry = position.rules.geometry
    # All that is legal, and a part of what is not.
    for index in {*mask.nonzero()[0], *range(position.quiet % 7, geometry.squares**2, 7)}:
        end = index == geometry.squares**2
        move = Move.end(geometry) if end else Move.from_index(int(index), geometry)
        assert mask[index] == (move in moves) == position.is_legal(move)


@given(positions)
def test_only_a_chain_keeps_the_side_and_only_there_is_an_end(position: Position) -> None:
    end = Move.end(position.rules.geometry)
    alive = position.outcome() is None or bool(position.legal_moves)
    assert (end in position.legal_moves) == (position.chain is not None and alive)
    if position.chain is not None:
        assert position.rules.chain != "none"
        assert position.quiet == 0
        assert {move.from_square for move in position.legal_moves if not move.is_end} <= {position.chain}
    for request in position.legal_moves:
        for reveal in position.outcomes(request):
            before = position.side, position.seat
            position.push(reveal.move)
            kept = position.chain is not None
            # Before the first flip nobody has a colour, but the seats are told apart.
            assert (position.seat == before[1]) == kept
            assert before[0] is None or (position.side is before[0]) == kept
            position.pop()


@given(positions)
def test_weights_sum_to_the_face_down_squares(position: Position) -> None:
    face_down = position.fen().split()[0].count("x")
    assert sum(position.pool.values()) == face_down
    for move in position.legal_moves:
        reveals = position.outcomes(move)
        revealing = not move.is_end and str(position.piece_at(move.to_square)) == "x"
        assert all((reveal.move.reveal is not None) == revealing for reveal in reveals)
        assert sum(reveal.weight for reveal in reveals) == (face_down if revealing else 1)
        assert all(reveal.weight > 0 and reveal.move.request == move for reveal in reveals)


@given(positions)
def test_board_pool_and_captured_make_whole_sets(position: Position) -> None:
    board = [position.piece_at(square) for square in range(position.rules.geometry.squares)]
    for letter, captured in position.captured().items():
        face_up = sum(piece is not None and piece.letter == letter for piece in board)
        assert face_up + position.pool[letter] + captured == position.rules.set_counts[letter.upper()]
        assert captured >= 0


@given(positions)
def test_bulk_and_full_counting_agree(position: Position) -> None:
    leaves = sum(len(position.outcomes(move)) for move in position.legal_moves)
    for counting in Counting:
        assert position.perft(1, counting=counting) == leaves
        assert position.perft(2, counting=counting) == sum(position.divide(2, counting=counting).values())


# ---- texts -------------------------------------------------------------------------------------------------------


def mangled(texts: st.SearchStrategy[str], alphabet: str) -> st.SearchStrategy[str]:
    """Right texts with a few characters replaced, dropped or put in."""

    def mangle(text: str, changes: list[tuple[int, int, str]]) -> str:
        for place, length, insertion in changes:
            place %= len(text) + 1
            text = text[:place] + insertion + text[place + length :]
        return text

    insertions = st.text(st.sampled_from(alphabet), max_size=2) | st.text(max_size=1)
    changes = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 2), insertions), min_size=0, max_size=3)
    return st.builds(mangle, texts, changes)


FEN_LETTERS = "KGMRNCPkgmrncpDBTEOLFdbteolfx0123456789/ rb?-ah"
fens = (
    st.text()
    | st.text(st.sampled_from(FEN_LETTERS))
    | mangled(st.sampled_from(STARTS) | positions.map(Position.fen), FEN_LETTERS)
)
move_texts = (
    st.text()
    | st.text(st.sampled_from("abcdeABCD0123456789-()KGMLFkgmlfend"), max_size=9)
    | mangled(
        st.sampled_from(
            [
                "a1",
                "a1(K)",
                "a1-b1",
                "a1-b1(k)",
                "end",
                "a1a1",
                "d8d8p",
                "a1b1k",
                "0000",
                "a10",
                "e12(L)",
                "a2-a11",
                "a10a10M",
                "a11a2",
            ]
        ),
        "abcde0128-()KkLf",
    )
)
rule_texts = (
    st.text()
    | st.text(st.sampled_from("taiwnhogkmjuq-()=,_ 0123456789"))
    | mangled(st.sampled_from([*RULES, "taiwan(chain=none, screens=any, perpetual=draw)"]), "(),=_ 0123456789")
    | st.integers().map(lambda seed: random_rules(random.Random(seed)))
)


def attempt(read: Callable[..., T], *arguments: object) -> T | BanqiError:
    """What a reader makes of a text. Any other exception than ours fails the test."""
    try:
        return read(*arguments)
    except BanqiError as error:
        assert str(error).isprintable()  # noqa: PT017 - said of every error, where errors are no failure
        return error


@given(fens, st.sampled_from(RULES))
def test_any_position_text_ends_in_a_position_or_a_fen_error(fen: str, rules: str) -> None:
    faults = Position.faults(fen, rules=rules)
    result = attempt(Position.from_fen, fen, rules)
    event(type(result).__name__)
    if isinstance(result, Position):
        # No silent repair: what was read is what stood there, but for the order of the pool and fields left out.
        assert faults == []
        fields, canonical = fen.split(" "), result.fen().split(" ")
        assert canonical == [*fields[:2], canonical[2], *(fields[3:] or ["-", "0"])]
        assert sorted(canonical[2]) == sorted(fields[2])
    else:
        assert isinstance(result, FenError)
        assert result.faults == tuple(faults) != ()


@example("4/1CM1/1K2/1G2/1G1M/1c2/1C1k/1m1m r  - 0", "taiwan")
@given(fens, st.sampled_from(RULES))
def test_position_texts_are_refused_like_the_reference_does(fen: str, rules: str) -> None:
    # The reference reads numbers with leading noughts.
    if re.search(" 0[0-9]+$", fen):
        return
    try:
        read(fen, parse(rules))
        accepted = True
    except ValueError:
        accepted = False
    assert accepted == (Position.faults(fen, rules=rules) == [])


@given(st.integers())
def test_rules_are_read_like_the_reference_does(seed: int) -> None:
    text = random_rules(random.Random(seed))
    rules, expected = Rules.parse(text), dataclasses.asdict(parse(text))
    told = {
        "files": "abcdefgh"[: rules.geometry.files],
        "rows": rules.geometry.ranks,
        "cannon": "jump" if rules.cannon_jumps else "step",
        "repetition": rules.repetition or "none",
    }
    assert expected == {name: told.get(name, getattr(rules, name, None)) for name in expected}
    assert {kind: parse(text).count(kind) for kind in parse(text).kinds} == rules.set_counts


@given(move_texts, st.sampled_from(list(BOARDS)))
def test_any_move_text_ends_in_a_move_or_a_move_error(text: str, board: str) -> None:
    geometry, kinds = BOARDS[board].geometry, PIECE_SETS[BOARDS[board].game].letters

    def read_move(text: str) -> Move:
        return Move.from_text(text, geometry=geometry, kinds=kinds)

    result = attempt(read_move, text)
    event(type(result).__name__)
    if isinstance(result, Move):
        assert text in (str(result), result.wire())
        assert read_move(str(result)) == read_move(result.wire()) == result
    else:
        assert isinstance(result, MoveError)


@given(rule_texts)
def test_any_rules_text_ends_in_rules_or_a_rules_error(text: str) -> None:
    result = attempt(Rules.parse, text)
    event(type(result).__name__)
    if isinstance(result, Rules):
        assert Rules.parse(str(result)) == result
        assert str(Rules.parse(str(result))) == str(result)
    else:
        assert isinstance(result, RulesError)


@given(positions, move_texts)
def test_any_pushed_text_is_made_or_refused_whole(position: Position, text: str) -> None:
    before = everything(position)
    result = attempt(position.push, text)
    event(type(result).__name__)
    if result is None:
        assert text in (str(position.peek()), position.peek().wire())
        position.pop()
    else:
        assert isinstance(result, MoveError)
    assert everything(position) == before
