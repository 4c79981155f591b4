"""The page's rules, which are written in JavaScript, against the leaf counts and against the package's own."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from banqi import Position, Rules, RulesError
from banqi.move import Move
from banqi.rules import OPTIONS, RULE_SETS
from banqi.server.tables import tables
from page_process import PageRules, page_rules
from sizes import VERIFY, tenth
from test_perft import ENGINE, Entry, entries

# Larger counts wait for `make verify`.
CAP = 30_000_000
GAMES = tenth(200)
NAMES = tuple(rule_set.name for rule_set in RULE_SETS)
# Every switch in every value, alone and together, on each board.
SWITCHES = (
    "taiwan(perpetual=loses)",
    "taiwan(perpetual=loses, repetition=cycle)",
    "cannon-adjacent(repetition=2, perpetual=loses)",
    "hongkong(cannon=jump)",
    "hongkong(cannon=jump, cannon_adjacent, dark_capture, chain=any, repetition=none)",
    "mainland(dark_capture, chain=any, quiet_limit=12)",
    "mainland(cannon=jump, chain=cannon, screens=faceup, repetition=4)",
    "children(cannon_adjacent, screens=faceup, repetition=cycle, quiet_limit=60)",
    "cannon-chain(dark_capture, cannon_adjacent)",
    "double(ranking=hongkong, dark_capture)",
    "double(ranking=mainland, chain=any, perpetual=loses)",
    "double(cannon_adjacent, chain=cannon)",
    "junqi(repetition=3, quiet_limit=200)",
    "junqi(repetition=2)",
)


@pytest.fixture(scope="module")
def page() -> Iterator[PageRules]:
    with page_rules() as process:
        yield process


# ---- tables ----------------------------------------------------------------------------------------------------------


def test_tables_hold_what_the_rules_page_says_of_junqi() -> None:
    # Section 7: masks and numbers of edges.
    board = tables()["boards"]["5x12"]
    railway = {square for low, high, is_railway in board["edges"] if is_railway for square in (low, high)}
    masks = {name: sum(1 << square for square in board[name]) for name in ("camps", "headquarters", "start")}
    assert masks == {"camps": 0x0001445000A22800, "headquarters": 0x050000000000000A, "start": 0x0FFEBBAFFF5DD7FF}
    assert sum(1 << square for square in railway) == 0x007E318FFF18C7E0
    assert len(board["edges"]) == 133
    assert sum(is_railway for _, _, is_railway in board["edges"]) == 35


@pytest.mark.parametrize(("name", "edges"), [("4x8", 3 * 8 + 4 * 7), ("8x8", 2 * 7 * 8)])
def test_tables_join_neighbours(name: str, edges: int) -> None:
    board = tables()["boards"][name]
    places = [divmod(square, board["files"]) for square in range(board["files"] * board["ranks"])]
    joined = {(low, high) for low, high, _ in board["edges"]}
    assert len(joined) == len(board["edges"]) == edges
    for low, high in joined:
        assert sum(abs(a - b) for a, b in zip(places[low], places[high], strict=True)) == 1


def test_tables_refuse_the_pairs_of_the_rules_page() -> None:
    # Section 4: the taiwan ranking with a stepping cannon; three switches of jumping cannons with one; and
    # perpetual=loses without repetitions. Section 7: Junqi has repetition=N only.
    pairs = {frozenset(map(tuple, refusal["pair"])) for refusal in tables()["refusals"]}
    stepping = ("cannon_jumps", False)
    assert pairs == {
        frozenset({("ranking", "taiwan"), stepping}),
        frozenset({("cannon_adjacent", True), stepping}),
        frozenset({("screens", "faceup"), stepping}),
        frozenset({("chain", "cannon"), stepping}),
        frozenset({("perpetual", "loses"), ("repetition", None)}),
        frozenset({("board", "5x12"), ("repetition", "cycle")}),
    }


# ---- rule sets -------------------------------------------------------------------------------------------------------


def written_values(name: str) -> list[str]:
    """The ways to write a switch, and to leave it out."""
    option = next(option for option in OPTIONS if option.name == name)
    values = [f"{name}={word}" for word in option.words]
    return ["", *([name] if option.is_flag else values), *([f"{name}=7"] if option.smallest is not None else [])]


def test_rule_sets_mean_the_same(page: PageRules) -> None:
    texts = []
    for rule_set in RULE_SETS:
        for given in product(*(written_values(option.name) for option in OPTIONS)):
            options = ", ".join(text for text in given if text)
            texts.append(f"{rule_set.name}({options})" if options else rule_set.name)
    for text in Random(1).sample(texts, tenth(20_000)):
        try:
            expected: Any = str(Rules.parse(text))
        except RulesError:
            expected = None
        answer = page.ask("rules", text)
        assert (None if isinstance(answer, dict) else answer) == expected, text


@pytest.mark.parametrize(
    "text",
    [
        "", "chess", "taiwan()", "taiwan(", "taiwan )", "Taiwan", "taiwan(quiet_limit)", "taiwan(quiet_limit=0)",
        "taiwan(quiet_limit=10001)", "taiwan(quiet_limit=07)", "taiwan(repetition=1)", "taiwan(chain=any, chain=any)",
        "taiwan(dark_capture=1)", "taiwan(dark_capture,,)", "junqi(chain=any)", "junqi(repetition=cycle)",
        "taiwan(ranking=hongkong)", "double(ranking=junqi)", "taiwan(chain=x=y)", "taiwan(  chain=any)", "constructor",
        "taiwan(chain=constructor)",
    ],
)  # fmt: skip
def test_what_is_no_rule_set_is_refused(page: PageRules, text: str) -> None:
    try:
        Rules.parse(text)
    except RulesError:
        assert "error" in page.ask("rules", text)
    else:
        assert page.ask("rules", text) == str(Rules.parse(text))


def test_captures_are_those_of_every_ranking(page: PageRules) -> None:
    rows = {(row["ranking"], row["cannon_jumps"], row["cannon_adjacent"]): row for row in tables()["captures"]}
    for text in (*NAMES, *SWITCHES):
        rules = Rules.parse(text)
        row = rows[rules.ranking, rules.cannon_jumps, rules.cannon_adjacent]
        assert {kind: frozenset(takes) for kind, takes in row["takes"].items()} == rules.captures
        assert {kind: frozenset(losses) for kind, losses in row["losses"].items()} == rules.losses


# ---- positions -------------------------------------------------------------------------------------------------------


def counts() -> list[Any]:
    names = (*ENGINE, "taiwan-deep")
    return [pytest.param(entry, id=f"{name}-{n}") for name in names for n, entry in enumerate(entries(name), 1)]


@pytest.mark.parametrize("entry", counts())
def test_leaves_are_those_of_the_file(page: PageRules, entry: Entry) -> None:
    for depth, leaves in entry.leaves.items():
        if leaves <= CAP or VERIFY:
            assert page.ask("perft", entry.rules, entry.fen, depth) == leaves, depth


def snapshot(position: Position) -> dict[str, Any]:
    """What page_rules.mjs tells of a position."""
    outcome = position.outcome()
    return {
        "fen": position.fen(),
        "legal": sorted(map(str, position.legal_moves)),
        "outcome": outcome and {"winner": outcome.winner, "termination": outcome.termination},
        "quiet": position.quiet,
        "repetitions": position.repetitions(),
        "seat": position.seat,
        "side": position.side,
        "last": str(position.peek()) if position.move_stack else None,
        "captured": dict(position.captured()),
    }


def turned_back(move: Move) -> Move:
    return Move(move.to_square, move.from_square, None, move.geometry)


def played(rules: str, fen: str | None, rng: Random, plies: int) -> Position:
    """A random game, in which sides like to go back where they came from, so that positions come again."""
    position = Position(rules) if fen is None else Position.from_fen(fen, rules=rules)
    going_back = rng.choice((0.0, 0.4, 0.9))
    while len(position.move_stack) < plies and (requests := list(position.legal_moves)):
        request = rng.choice(requests)
        if len(position.move_stack) > 1 and rng.random() < going_back:
            last = position.move_stack[-2]
            if not last.is_flip and not last.is_end and turned_back(last) in requests:
                request = turned_back(last)
        position.push(rng.choice(position.outcomes(request)).move)
        outcome = position.outcome()
        if outcome is not None and rng.random() < 0.5:
            break
    return position


def check_replay(page: PageRules, rules: str, fen: str | None, rng: Random, plies: int) -> None:
    position = played(rules, fen, rng, plies)
    answer = page.ask("game", rules, fen, [move.wire() for move in position.move_stack])
    assert "error" not in answer, answer
    assert answer["moves"] == [move.wire() for move in position.move_stack]
    replayed = Position(rules) if fen is None else Position.from_fen(fen, rules=rules)
    for ply, seen in enumerate(answer["seen"]):
        assert seen == snapshot(replayed), (rules, fen, [str(move) for move in position.move_stack[:ply]])
        if ply < len(position.move_stack):
            replayed.push(position.move_stack[ply])


@pytest.mark.parametrize("rules", [*NAMES, *SWITCHES])
def test_games_are_the_same_at_every_ply(page: PageRules, rules: str) -> None:
    rng = Random(rules)
    for _ in range(GAMES):
        check_replay(page, rules, None, rng, rng.choice((40, 150, 400)))


# Few pieces that cannot take each other soon: these games repeat, are drawn, and hunt.
ENDINGS = {
    "taiwan(perpetual=loses)": "3k/4/4/2p1/4/1R2/4/K3 r - - 0",
    "taiwan(perpetual=loses, repetition=cycle)": "3k/4/4/2p1/4/1R2/4/K3 r - - 0",
    "taiwan(perpetual=loses, repetition=2)": "k3/4/3g/4/4/3P/4/K2C r - - 0",
    "mainland(repetition=2, perpetual=loses)": "3k/4/1n2/4/4/1C2/4/R3 b - - 3",
    "hongkong(quiet_limit=20)": "3c/4/1n2/4/4/1R2/4/x2x r Pp - 7",
    "children(repetition=4)": "x2k/4/4/1p2/2n1/1R2/4/4 r P - 0",
    "double(perpetual=loses, chain=any)": "7k/8/1n6/8/8/8/2R5/K7 b - - 0",
    "taiwan(quiet_limit=10)": "3k/4/4/2p1/4/1R2/4/K3 r - - 3",
    "junqi(repetition=3)": "f4/5/5/5/5/2m2/2E2/5/5/5/5/F4 r - - 0",
    "junqi(quiet_limit=30)": "fE3/T4/5/5/5/5/5/5/5/5/ce3/F4 r - - 0",
    "junqi(repetition=2, quiet_limit=9)": "xf3/5/2O2/5/5/2mc1/2E2/5/5/5/5/FL3 b p - 2",
}


@pytest.mark.parametrize("rules", ENDINGS)
def test_endings_are_the_same_at_every_ply(page: PageRules, rules: str) -> None:
    rng = Random(rules)
    for _ in range(tenth(400)):
        check_replay(page, rules, ENDINGS[rules], rng, 60)


def test_these_endings_end_in_every_way() -> None:
    ends = set()
    for rules, fen in ENDINGS.items():
        rng = Random(rules)
        for _ in range(tenth(400)):
            outcome = played(rules, fen, rng, 60).outcome()
            ends.add(outcome and str(outcome.termination))
    assert ends >= {"all_captured", "no_moves", "repetition", "perpetual_attack", "quiet_limit", "flag", None}


@pytest.mark.parametrize("rules", ["taiwan", "children", "double", "junqi"])
def test_texts_of_positions_are_refused_alike(page: PageRules, rules: str) -> None:
    rng = Random(rules)
    letters = "x.KGMRNCPkgmrncpMDBTEOLFmdbteolf0123456789/ rb?-ax\U0001f600"
    for _ in range(tenth(4000)):
        text = played(rules, None, rng, rng.randrange(120)).fen()
        for _ in range(rng.randrange(4)):
            place = rng.randrange(len(text) + 1)
            text = text[:place] + rng.choice(["", rng.choice(letters)]) + text[place + rng.randrange(2) :]
        assert page.ask("faults", rules, text) == [fault.name for fault in Position.faults(text, rules)], text


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ("children", "3k/4/4/4/1p2/1R2/4/4 r - b3 0"),
        ("children", "3k/4/4/4/1p2/1R2/4/4 r - b3 1"),
        ("children", "3k/4/4/4/1p2/1R2/4/4 b - b3 0"),
        ("children", "3k/4/4/4/4/1R2/4/4 r - b3 0"),
        ("children", "3k/4/4/4/4/1R2/4/4 r - e3 0"),
        ("cannon-chain", "3k/4/4/4/1p2/1R2/4/4 r - b3 0"),
        ("cannon-chain", "3k/1p2/4/4/1p2/1C2/4/4 r - b3 0"),
        ("taiwan", "3k/4/4/4/1p2/1R2/4/4 r - b3 0"),
        ("taiwan", "3k/4/4/4/1p2/1R2/4/4 r - - 181"),
        ("junqi", "f4/5/1L3/5/5/5/5/5/5/5/5/F4 r - - 0"),
        ("junqi", "m4/5/5/5/5/5/5/5/5/5/5/M4 r - - 0"),
        ("junqi", "m4/5/5/5/5/5/5/5/5/5/5/F4 r - - 0"),
    ],
)
def test_faults_of_chains_and_of_junqi(page: PageRules, rules: str, text: str) -> None:
    assert page.ask("faults", rules, text) == [fault.name for fault in Position.faults(text, rules)]


@pytest.mark.parametrize(
    ("fen", "move", "letter"),
    [
        (None, "a1", None),
        (None, "a1", "Q"),
        (None, "a1-a2", None),
        (None, "a9", "K"),
        (None, "end", None),
        (None, "A1", "K"),
        ("3k/4/4/4/1p2/1R2/4/x3 r P - 0", "a1", "K"),
        ("3k/4/4/4/1p2/1R2/4/x3 r P - 0", "b3-b4", "P"),
        ("3k/4/4/4/1p2/1R2/4/x3 r P - 0", "b3-b5", None),
        ("3k/4/4/4/1p2/1R2/4/x3 r P - 0", "d8-d7", None),
    ],
)
def test_what_is_illegal_is_refused(page: PageRules, fen: str | None, move: str, letter: str | None) -> None:
    fen = Position("taiwan").fen() if fen is None else fen
    assert "error" in page.ask("play", "taiwan", fen, move, letter)


def test_reveals_are_the_pool(page: PageRules) -> None:
    # Two soldiers and a black horse lie there.
    fen = "3k/4/4/4/1p2/1R2/x1x1/x3 r PPn - 0"
    told = [{"letter": "P", "count": 2}, {"letter": "n", "count": 1}]
    assert page.ask("reveals", "dark-capture", fen, "a1") == told
    assert page.ask("reveals", "dark-capture", fen, "b3-b4") == []
    assert "error" in page.ask("reveals", "dark-capture", fen, "a1-a2")
