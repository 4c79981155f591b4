"""Games of two on one device, as the page plays them: chance, undo, clocks, ends, records, keeping."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from banqi import Position, Record, read_records
from banqi.record import verify
from banqi.rules import RULE_SETS
from page_process import PageRules, page_rules
from sizes import tenth

NAMES = tuple(rule_set.name for rule_set in RULE_SETS)
WORDS = 2**32


@pytest.fixture(scope="module")
def page() -> Iterator[PageRules]:
    with page_rules() as process:
        yield process


def play(page: PageRules, settings: dict[str, Any], *steps: list[Any]) -> Any:
    answer = page.ask("local", settings, steps)
    assert "error" not in answer, answer
    return answer


def replayed(state: dict[str, Any], fen: str | None = None) -> Position:
    """The package's position of a state."""
    position = Position(state["rules"]) if fen is None else Position.from_fen(fen, rules=state["rules"])
    for move in state["moves"]:
        position.push(move)
    return position


def anyhow(rng: Random, count: int) -> list[list[Any]]:
    return [["actAnyhow", rng.randrange(1 << 20)] for _ in range(count)]


# ---- games and their records -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [*NAMES, "taiwan(quiet_limit=8)", "junqi(repetition=2, quiet_limit=8)"])
def test_whole_games_are_records(page: PageRules, rules: str) -> None:
    rng = Random(rules)
    for _ in range(tenth(60)):
        names = [rng.choice([None, "Ann", 'Bo "the\\rook"', "\u5c07\ud83d", "a\nb"]) for _ in range(2)]
        steps = [*anyhow(rng, rng.randrange(700)), [rng.choice(["resign", "undo", "offerDraw"])]]
        if steps[-1] == ["offerDraw"]:
            steps.append([rng.choice(["acceptDraw", "declineDraw"])])
        answer = play(page, {"rules": rules, "names": names}, *steps)
        state = next(state for state in reversed(answer["seen"]) if "error" not in state)
        record = Record.from_text(answer["record"])
        assert record.to_text() == answer["record"]
        assert [recorded.move.wire() for recorded in record.moves] == state["moves"]
        position = replayed(state)
        assert record.position() == position
        assert (state["fen"], state["quiet"]) == (position.fen(), position.quiet)
        assert state["repetitions"] == position.repetitions()
        assert state["last"] == (str(position.peek()) if position.move_stack else None)
        assert state["stage"] == ("playing" if record.termination is None else "over")
        assert sorted(state["legal"]) == sorted(map(str, position.legal_moves) if state["stage"] == "playing" else [])
        assert state["termination"] == record.termination
        assert (
            record.result
            == {None: "*" if state["stage"] == "playing" else "1/2-1/2", 0: "1-0", 1: "0-1"}[state["winner"]]
        )
        assert state["to_act"] == (position.seat if state["stage"] == "playing" else None)
        colours = [None, None] if position.side is None else [str(position.side), str(position.side.other)]
        assert [seat["colour"] for seat in state["seats"]] == (colours[::-1] if position.seat else colours)
        assert verify(record).assisted == ("yes" if state["assisted"] else None)


def test_a_game_begins_where_it_is_told_to(page: PageRules) -> None:
    fen = "3k/4/4/4/1p2/1R2/4/x3 b P - 3"
    answer = play(page, {"fen": fen, "names": ["Ann", "Bo"]}, ["act", "b4-a4"], ["act", "a1"])
    assert answer["seen"][0]["fen"] == fen
    assert answer["seen"][0]["to_act"] == 0
    assert answer["seen"][2]["moves"] == ["b4a4", "a1a1P"]
    (record,) = read_records(answer["record"])
    assert isinstance(record, Record)
    assert record.position().fen() == "3k/4/4/4/p3/1R2/4/P3 b - - 0"
    assert dict(record.tags) == {"First": "Ann", "Second": "Bo"}


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"rules": "chess"}, "rule set"),
        ({"fen": "8 r - - 0"}, "wrong number of ranks"),
        ({"clock": 0}, "clock"),
        ({"clock": 1000, "increment": -1}, "clock"),
    ],
)
def test_what_is_no_game_is_refused(page: PageRules, settings: dict[str, Any], fault: str) -> None:
    assert fault in page.ask("local", settings, [])["error"]


# ---- chance ----------------------------------------------------------------------------------------------------------


def test_flips_are_as_likely_as_the_pool_says(page: PageRules) -> None:
    count = tenth(64_000)
    seen = page.ask("flips", "taiwan", "c5", count)
    # Chi-squared over 14 identities: 13 degrees of freedom, 45 is passed once in 40,000 runs.
    pool = Position("taiwan").pool
    expected = {letter: count * held / 32 for letter, held in pool.items()}
    assert sum((seen.get(letter, 0) - mean) ** 2 / mean for letter, mean in expected.items()) < 45


def test_no_piece_is_likelier_for_what_is_left_over(page: PageRules) -> None:
    # 2**32 is 3 * 1431655765 + 1: of three hidden pieces the largest number is drawn again, the next one is the last.
    fen = "3k/4/4/4/1p2/1R2/4/xxx1 r PMn - 0"
    pieces = "MPn"  # In the order of the pool.
    for words, drawn in (([0], 0), ([1], 1), ([WORDS - 2], 2), ([WORDS - 1, 1], 1), ([WORDS - 1, WORDS - 1, 2], 2)):
        answer = play(page, {"fen": fen, "words": words}, ["act", "a1"])
        assert answer["seen"][1]["moves"] == [f"a1a1{pieces[drawn]}"]


# ---- undo ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["taiwan", "dark-capture", "children", "junqi"])
def test_undo_shows_the_same_piece_again(page: PageRules, rules: str) -> None:
    """Squares hold what they held, whatever is undone: the pool never runs out, and no square changes."""
    rng = Random(rules)
    for _ in range(tenth(100)):
        steps = []
        for _ in range(rng.randrange(1, 60)):
            steps += anyhow(rng, rng.randrange(1, 8)) + [["undo"]] * rng.randrange(6)
            steps += [["keep"]] * rng.randrange(2)
        layout: dict[str, str] = {}
        for state in play(page, {"rules": rules}, *steps)["seen"]:
            for move in state.get("moves", ()):
                if move[-1].isalpha():
                    assert layout.setdefault(target(move[:-1]), move[-1]) == move[-1]
        held = Counter(layout.values())
        assert held <= Counter(dict(Position(rules).pool))


def target(move: str) -> str:
    """The square that a move on a wire goes to."""
    return move[max(place for place, character in enumerate(move) if character.isalpha()) :]


def test_a_square_that_was_not_seen_is_none_of_those_that_were(page: PageRules) -> None:
    # Two pieces: a1 is turned up and taken back, so b1 is the other one, whatever chance says.
    fen = "3k/4/4/4/1p2/1R2/4/xx2 r Pn - 0"
    for word in (0, 1):
        answer = play(page, {"fen": fen, "words": [word, word]}, ["act", "a1"], ["undo"], ["act", "b1"])
        first, other = answer["seen"][1]["moves"][0][-1], answer["seen"][3]["moves"][0][-1]
        assert {first, other} == {"P", "n"}
        assert answer["seen"][2]["fen"] == fen
        assert [state["assisted"] for state in answer["seen"]] == [False, False, True, True]


def test_undo_takes_back_a_chain_at_once(page: PageRules) -> None:
    # A chariot takes a horse, then a soldier.
    fen = "3k/4/4/1p2/1p2/1n2/1R2/4 r - - 0"
    answer = play(
        page, {"rules": "children", "fen": fen}, ["act", "b2-b3"], ["act", "b3-b4"], ["act", "end"], ["undo"], ["undo"]
    )
    assert answer["seen"][3]["moves"] == ["b2b3", "b3b4", "0000"]
    assert answer["seen"][4]["fen"] == fen
    assert answer["seen"][5] == {"error": "There is nothing to take back."}


def test_undo_of_the_last_ply_of_a_game(page: PageRules) -> None:
    fen = "4/4/4/4/1p2/1R2/4/4 r - - 0"
    answer = play(page, {"fen": fen}, ["act", "b3-b4"], ["act", "b4-b5"], ["undo"], ["resign"], ["undo"])
    assert (answer["seen"][1]["winner"], answer["seen"][1]["termination"]) == (0, "all_captured")
    assert "error" in answer["seen"][2]
    assert answer["seen"][3]["stage"] == "playing"
    assert (answer["seen"][4]["winner"], answer["seen"][4]["termination"]) == (1, "resign")
    assert "error" in answer["seen"][5]


# ---- draws, rematch --------------------------------------------------------------------------------------------------


def test_a_draw_is_offered_declined_and_accepted(page: PageRules) -> None:
    answer = play(
        page,
        {},
        ["acceptDraw"],
        ["offerDraw"],
        ["offerDraw"],
        ["declineDraw"],
        ["offerDraw"],
        ["act", "a1"],
        ["act", "a2"],
        ["offerDraw", 1],
        ["offerDraw", 0],
        ["act", "a3"],
    )
    offers = [state.get("draw_offer", "error") for state in answer["seen"]]
    # The first seat's offer outlives its own move, and lapses at the second one's.
    assert offers == [None, "error", 0, "error", None, 0, 0, None, 1, None, "error"]
    assert answer["seen"][9]["termination"] == "agreement"
    assert answer["changes"] == 7


def test_a_rematch_swaps_the_seats(page: PageRules) -> None:
    answer = play(page, {"names": ["Ann", "Bo"]}, ["rematch"], ["act", "a1"], ["resign"], ["rematch"])
    assert "error" in answer["seen"][1]
    again = answer["seen"][4]
    assert [seat["name"] for seat in again["seats"]] == ["Bo", "Ann"]
    assert (again["moves"], again["stage"], again["assisted"]) == ([], "playing", False)


# ---- clocks ----------------------------------------------------------------------------------------------------------


def test_clocks_run_in_turn(page: PageRules) -> None:
    answer = play(
        page,
        {"clock": 10_000, "increment": 500},
        ["wait", 1000],
        ["act", "a1"],
        ["wait", 2000],
        ["keep"],
        ["wait", 1000],
        ["act", "a2"],
        ["undo"],
        ["wait", 7499],
        ["wait", 1],
        ["act", "a2"],
        ["undo"],
    )
    clocks = [[seat["clock"] for seat in state["seats"]] for state in answer["seen"] if "error" not in state]
    assert clocks == [
        [10_000, 10_000],
        [9_000, 10_000],
        [9_500, 10_000],
        [9_500, 8_000],
        [9_500, 8_000],
        [9_500, 7_000],
        [9_500, 7_500],
        [9_500, 7_500],
        [9_500, 1],
        [9_500, 0],
    ]
    assert [state.get("termination", "error") for state in answer["seen"][-3:]] == ["time", "error", "error"]
    assert Record.from_text(answer["record"]).result == "1-0"


# ---- keeping ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", NAMES)
def test_a_kept_game_is_the_same(page: PageRules, rules: str) -> None:
    rng = Random(rules)
    steps = [*anyhow(rng, 50), ["undo"], ["undo"], ["offerDraw"]]
    answer = play(page, {"rules": rules, "names": ["Ann", None]}, *steps, ["keep"])
    assert answer["seen"][-1] == answer["seen"][-2]
    over = play(page, {"rules": rules}, *steps, ["acceptDraw"], ["keep"], ["act", "a1"])
    assert over["seen"][-2] == over["seen"][-3]
    assert "error" in over["seen"][-1]


def test_what_was_changed_is_refused(page: PageRules) -> None:
    kept = play(page, {"words": [0]}, ["act", "a1"], ["undo"])["kept"]
    assert page.ask("restored", kept)["moves"] == []
    for change in (
        {"version": 2},
        {"shown": [["a1", "K"], ["a2", "K"]]},
        {"shown": [["a1", "?"]]},
        {"moves": ["a1a2"]},
        {"moves": ["a1a1"]},
        {"rules": "chess"},
    ):
        assert "error" in page.ask("restored", {**kept, **change}), change
    assert "error" in page.ask("restored", "no JSON")
    assert "error" in page.ask("restored", "null")
