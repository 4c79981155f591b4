"""The verifier's rules against the slow reference, and its solver against what the package's tables say."""

import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from banqi import Position, Rules, Tablebase
from banqi.engine import SHIPPED_TABLES
from banqi.geometry import BOARD_4X8
from banqi.tablebase.build import build_class, plan
from banqi.tablebase.verify import Collection, check_solved
from banqi.tablebase.verify_rules import (
    Action,
    Game,
    Kind,
    Material,
    Squares,
    actions,
    captured,
    captures,
    fen,
    opponent,
    revealed,
    stepped,
    succeeds,
)
from banqi.tablebase.verify_solver import Solver, materials, placements
from banqi.tablebase.verify_values import WIN
from reference import fen as text
from reference import games
from reference.action import END
from reference.banqi_rules import KINDS
from sizes import VERIFY, tenth

NAMES = (
    "taiwan",
    "hongkong",
    "mainland",
    "cannon-adjacent",
    "dark-capture",
    "children",
    "cannon-chain",
    "hongkong(cannon=jump)",
    "mainland(cannon=jump, dark_capture, screens=faceup)",
    "cannon-adjacent(dark_capture, screens=faceup, chain=any)",
    "mainland(dark_capture, chain=any)",
)
_name = BOARD_4X8.name


# ---- the rules -----------------------------------------------------------------------------------------------------


def test_who_takes_whom_is_what_the_reference_says() -> None:
    for name in NAMES:
        game, reference = Game(Rules.parse(name)), games.parse(name)
        for one in KINDS:
            for other in KINDS:
                assert game.takes(one, other.lower()) == reference.takes(one, other), (name, one, other)


def random_material(rng: random.Random, pieces: int, hidden: int) -> Material:
    """At least one red and one black piece face up."""
    kinds = "KGMRNPPCCC"
    up = [rng.choice(kinds), rng.choice(kinds).lower()]
    up += [rng.choice(kinds + kinds.lower()) for _ in range(pieces - hidden - 2)]
    return Material("".join(up), "".join(rng.choice(kinds + kinds.lower()) for _ in range(hidden)))


def random_squares(rng: random.Random, pieces: int, count: int) -> Squares:
    """Columns of different squares, every second in a corner of the board, where pieces meet."""
    boards = (range(32), (0, 1, 2, 3, 4, 5, 6, 8, 9, 12))
    return np.array([rng.sample(boards[number % 2], pieces) for number in range(count)], np.int64).T


def request(squares: Squares, action: Action, row: int) -> str:
    """An action as programs write it; `row` is the place of the position among the action's."""
    column = int(action.rows[row])
    start = _name(int(squares[action.piece, column]))
    if action.kind is Kind.FLIP:
        return start * 2
    if action.kind is Kind.STEP:
        return start + _name(int(action.targets[row]))
    return start + _name(int(squares[action.other, column]))


def made(game: Game, material: Material, squares: Squares, action: Action) -> list[tuple[str, Material, Squares, int]]:
    """For each identity that an action may turn up, "" if none, the positions that it makes, and the capturer's row."""
    if action.kind is Kind.STEP:
        return [("", material, stepped(squares, action), -1)]
    chosen = squares[:, action.rows]
    if action.kind is Kind.CAPTURE:
        return [("", *captured(material, chosen, action.piece, action.other))]
    results = []
    for identity in sorted(set(material.pool)):
        row = action.piece if action.kind is Kind.FLIP else action.other
        after, places, shown = revealed(material, chosen, row, identity)
        if action.kind is not Kind.FLIP and succeeds(game, material.up[action.piece], identity, action.kind):
            results.append((identity, *captured(after, places, action.piece, shown)))
        else:
            results.append((identity, after, places, -1))
    return results


@pytest.mark.parametrize("name", NAMES)
def test_actions_and_what_they_make_are_those_of_the_reference(name: str) -> None:
    rng = random.Random(name)
    game, reference = Game(Rules.parse(name)), games.parse(name)
    chains_seen = 0
    for _ in range(tenth(400)):
        pieces = rng.randint(2, 8)
        material = random_material(rng, pieces, rng.randint(0, min(2, pieces - 2)))
        squares = random_squares(rng, pieces, 24)
        mover = rng.choice("rb")
        positions = [reference_position(material, squares[:, [c]], mover, name) for c in range(squares.shape[1])]
        found: list[set[str]] = [set() for _ in positions]
        for action in actions(game, material, squares, mover):
            for identity, after, places, capturer in made(game, material, squares, action):
                for row, column in enumerate(action.rows):
                    wire = request(squares, action, row)
                    assert identity or wire not in found[column]
                    found[column].add(wire)
                    expected = positions[column].after(wire + identity)
                    side = opponent(mover) if expected.chain == "-" else mover
                    assert fen(after, places[:, [row]], side).split()[:3] == text.write(expected).split()[:3]
                    onward = set()
                    if capturer >= 0 and game.chains(after.up[capturer]) and not after.has_lost(opponent(mover)):
                        for more in captures(game, after, places[:, [row]], capturer):
                            onward |= {request(places[:, [row]], more, 0)} if len(more.rows) else set()
                    lost = expected.lost("r") or expected.lost("b")
                    assert onward == (expected.legal() - {END} if expected.chain != "-" and not lost else set())
                    chains_seen += bool(onward)
        assert found == [position.legal() for position in positions]
    assert bool(chains_seen) == (reference.chain != "none")


def reference_position(material: Material, squares: Squares, mover: str, name: str):
    rules = games.parse(name)
    board = {_name(int(square)): letter for square, letter in zip(squares[:, 0], material.up, strict=False)}
    board |= {_name(int(square)): "x" for square in squares[len(material.up) :, 0]}
    pool = {letter: material.pool.count(letter) for letter in KINDS + KINDS.lower()}
    return games.position(rules, board, pool, mover)


def test_materials_are_as_many_as_published() -> None:
    # Equivalence Classes in Chinese Dark Chess Endgames (2015): 144,158 with 3 to 8 pieces.
    assert sum(1 for pieces in range(3, 9) for _ in materials(pieces)) == 144_158


# ---- the solver ----------------------------------------------------------------------------------------------------


def test_equal_pieces_alone_by_hand() -> None:
    # Each takes the other. The distance's parity changes with every step, so who is to move at an odd distance always
    # is, and at distance 1 he takes. The other can only run, and a board has an end: opposition decides.
    solver = Solver(Rules.parse("taiwan"), counts_plies=True)
    every = placements(2)
    one, two = every
    odd = (one % 4 + one // 4 + two % 4 + two // 4) % 2 == 1
    for material in (Material("Kk"), Material("Gg"), Material("Pp")):
        for mover in "rb":
            scores, plies = solver.look(material, every, mover)
            assert ((scores > 0) == odd).all()
            assert ((scores < 0) == ~odd).all()
            assert (plies == WIN - abs(scores)).all()


def test_an_impotent_cannon_by_hand() -> None:
    # Without a third piece a cannon takes nothing, and a soldier takes no cannon.
    solver = Solver(Rules.parse("taiwan"), counts_plies=True)
    for material in (Material("Cp"), Material("Cc")):
        for mover in "rb":
            scores, plies = solver.look(material, placements(2), mover)
            assert not scores.any()
            assert not plies.any()


def test_a_side_without_an_action_has_lost_by_hand() -> None:
    # C on a1, c on b1 and a2: the red cannon cannot step, has no screen with an enemy behind, and takes no neighbour.
    solver = Solver(Rules.parse("taiwan"), counts_plies=True)
    scores, plies = solver.look(Material("Ccc"), np.array([[0], [1], [4]]), "r")
    assert (int(scores[0]), int(plies[0])) == (-WIN, 0)


def test_two_face_down_pieces_by_hand() -> None:
    # K on a1, face down on c1 and d1 lie p and g; black, to move, has nothing face up, so it flips one of the two.
    # Either turns up as often, and the flip is worth the mean, which is the sum in halves.
    solver = Solver(Rules.parse("taiwan"), counts_plies=False)
    value, plies = solver.look(Material("K", "gp"), np.array([[0], [2], [3]]), "b")
    flips = []
    for first, second in ((2, 3), (3, 2)):
        shown = [
            solver.look(Material("K" + a, b), np.array([[0], [first], [second]]), "r")[0][0] for a, b in ("gp", "pg")
        ]
        flips.append(-int(sum(shown)))
    assert int(value[0]) == max(flips)
    assert int(plies[0]) == (1 if value[0] else 0)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tables")
    for rules, hidden in (("hongkong", 0), ("mainland", 0), ("cannon-adjacent", 0), ("taiwan(chain=any)", 0)):
        build(root, rules, hidden)
    for rules in ("taiwan", "children"):
        build(root, rules, 2)
    return root


def build(root: Path, rules: str, hidden: int) -> None:
    for task in plan(Rules.parse(rules), 3, hidden):
        if task.entry.pieces + task.entry.hidden <= (6 if VERIFY else 4):
            build_class(str(root), *task.key)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["taiwan", "hongkong", "mainland", "cannon-adjacent", "taiwan(chain=any)"])
def test_all_of_two_and_three_pieces_agree_with_forward_play(tables: Path, rules: str) -> None:
    check(tables, rules, 2, 0, 1)
    check(tables, rules, 3, 0, 1 if VERIFY else 24)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["taiwan", "children"])
def test_pieces_face_down_agree_with_forward_play(tables: Path, rules: str) -> None:
    check(tables, rules, 2, 1, 1)
    check(tables, rules, 2, 2, 1)
    check(tables, rules, 3, 1, 1 if VERIFY else 150)
    if VERIFY:
        check(tables, rules, 3, 2, 10)


def check(tables: Path, rules: str, pieces: int, hidden: int, part: int) -> None:
    """Compare one in `part` of the materials, every placement."""
    meaning = Rules.parse(rules)
    solver, collection = Solver(meaning, counts_plies=not hidden), Collection(tables)
    chosen = list(materials(pieces, hidden))[::part]
    for material in chosen:
        assert check_solved(collection, solver, meaning, material) == 2 * placements(pieces).shape[1]


@pytest.mark.slow
def test_probing_says_what_forward_play_finds() -> None:
    # Every position of two pieces, and of three pieces a random sample, with its images and the colours exchanged.
    solver = Solver(Rules.parse("taiwan"), counts_plies=True)
    rng = random.Random(11)
    two = list(materials(2))
    three = rng.sample(list(materials(3)), tenth(100))
    with Tablebase(SHIPPED_TABLES) as tables:
        for material in two if VERIFY else rng.sample(two, 5):
            for mover in "rb":
                compare(tables, solver, material, placements(2), mover)
        for material in three:
            sample = placements(3)[:, rng.sample(range(29760), 20)]
            for mover in "rb":
                scores = compare(tables, solver, material, sample, mover)
                exchanged = Material(material.up.swapcase())
                for mirror in (3, 28, 31):
                    assert (compare(tables, solver, exchanged, sample ^ mirror, opponent(mover)) == scores).all()


def compare(tables: Tablebase, solver: Solver, material: Material, squares: Squares, mover: str):
    scores, plies = solver.look(material, squares, mover)
    for column in range(squares.shape[1]):
        score = int(scores[column])
        expected = (Fraction((score > 0) - (score < 0)), WIN - abs(score), int(plies[column]))
        found = tables.probe(Position.from_fen(fen(material, squares[:, [column]], mover)))
        assert found is not None
        assert (found.value, found.dtm, found.dtc) == (expected if score else (Fraction(0), None, None))
    return scores
