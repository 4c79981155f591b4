"""The compiled rules of Junqi against the reference: trees, moves, whole random games, and what the search replies."""

import math
import random
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from banqi.core import _junqi
from banqi.core._table import Table
from reference import junqi_fen
from reference.junqi import parts
from reference.junqi_board import NODES
from reference.junqi_game import Game
from reference.junqi_rules import LETTERS, parse
from reference.junqi_walks import random_action, random_endgame, random_fen
from sizes import tenth

KINDS = "MGDBRTCPEOLF"
ENDS = {1: "flag", 2: "no_moves", 3: "repetition", 4: "quiet_limit"}
# In the order of section 7's board: columns a-e, rows 1-12.
SQUARE = {f"{file}{row}": 5 * (row - 1) + column for row in range(1, 13) for column, file in enumerate("abcde")}


def table(rules="junqi"):
    switches = parse(rules)
    order = [KINDS.index(kind) for kind in "LFOEPCTRBDGM"]
    repetition = 0 if switches.repetition == "none" else int(switches.repetition)
    return _junqi.RuleTable(order, repetition=repetition, quiet_limit=switches.quiet_limit, tag=crc32(rules.encode()))


def state_of(position, rules="junqi"):
    """The reference's position in the compiled core."""
    cells = [_junqi.EMPTY] * 60
    for square, letter in position.board.items():
        cells[SQUARE[square]] = _junqi.HIDDEN if letter == "x" else LETTERS.index(letter)
    pool = bytes(position.pool[letter] for letter in LETTERS)
    return _junqi.State(table(rules), bytes(cells), pool, "rb?".index(position.side), -1, position.quiet)


def index(request):
    square, to, _ = parts(request)
    return 60 * SQUARE[square] + SQUARE[to]


def compare(state, game):
    """Compare all that a state tells about itself."""
    story = f"{game.fen()} after {' '.join(game.actions)}"
    fresh = state_of(game.position)
    assert (state.cells(), state.pool(), state.side, state.quiet) == (
        fresh.cells(), fresh.pool(), fresh.side, fresh.quiet,
    ), story  # fmt: skip
    assert state.key == state.fresh_key(), story
    legal = sorted(index(request) for request in game.legal())
    assert sorted(state.actions()) == legal, story
    assert state.action_count() == len(legal), story
    end = game.end()
    code, winner = state.termination()
    assert (ENDS.get(code), None if winner < 0 else "rb"[winner]) == (
        (None, None) if end is None else (end[1], end[0])
    ), story


PERFT = [
    pytest.param(fen, {int(depth[1:]): int(leaves) for depth, leaves in map(str.split, counts)}, id=str(number))
    for number, (fen, *counts) in enumerate(
        (line.split(" ;") for line in (Path(__file__).parent / "perft" / "junqi.perft").read_text().splitlines()), 1
    )
]


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_counts_are_those_of_the_file(fen, counts, full):
    state = state_of(junqi_fen.read(fen, parse("junqi")))
    for depth, leaves in counts.items():
        assert state.perft(depth, full) == leaves, depth


@pytest.mark.parametrize("full", [False, True])
def test_the_start_to_depth_2(full):
    # Section 10 of the rules page.
    assert state_of(Game().position).perft(2, full) == 1_396_500


@pytest.mark.parametrize("chunk", range(10))
def test_generated_equals_reference_in_whole_games(chunk):
    for number in range(tenth(1000) // 10):
        rng = random.Random(f"junqi {chunk} {number}")
        rules = rng.choice(("junqi", "junqi", "junqi(quiet_limit=12)", "junqi(repetition=2)", "junqi(repetition=3)"))
        fen = None if rng.random() < 0.5 else random_endgame(parse(rules), rng)
        game = Game(rules, fen)
        state = state_of(game.position, rules)
        habit = rng.choice((0, 0, 0.6))
        while True:
            compare(state, game)
            if game.end() is not None:
                break
            action = random_action(game, rng, habit)
            shown = parts(action)[2]
            assert state.reveals(index(action)) == bool(shown)
            state.push(index(action), LETTERS.index(shown) if shown else -1)
            game.play(action)
        for _ in game.actions:
            state.pop()
        assert (state.cells(), state.key) == (state_of(game.positions[0], rules).cells(), state.key)


@pytest.mark.parametrize("pieces", range(2, 51))
def test_generated_equals_reference_face_up(pieces):
    rules = parse("junqi")
    for number in range(tenth(200)):
        rng = random.Random(f"face up {pieces} {number}")
        game = Game("junqi", random_fen(rules, rng, pieces=pieces))
        state = state_of(game.position)
        compare(state, game)
        legal = {index(request) for request in game.legal()}
        assert {action for action in range(3600) if state.is_legal(action)} == legal
        for request in game.legal():
            state.push(index(request), -1)
            after = state_of(game.position.after(request))
            assert (state.cells(), state.side, state.quiet) == (after.cells(), after.side, after.quiet), request
            state.pop()


def test_random_games_are_distributed_as_the_reference_plays_them():
    """Wins, draws, losses and the mean length within 4 standard errors of the reference's own games."""
    count, found = tenth(2000), []
    for number in range(count):
        game, rng = Game(), random.Random(f"random games {number}")
        while game.end() is None:
            game.play(random_action(game, rng))
        winner = game.end()[0]
        # The first flip gives its flipper the colour shown.
        first = {"r": "b", "b": "r"}[game.positions[1].side]
        found.append((0 if winner is None else 1 if winner == first else -1, len(game.actions)))
    results, lengths = np.zeros(20_000, dtype=np.int8), np.zeros(20_000, dtype=np.int32)
    state_of(Game().position).playouts(20_000, 1, results, lengths)
    for result in (1, 0, -1):
        share = np.mean(results == result)
        error = math.sqrt(share * (1 - share) / count)
        assert np.mean([end == result for end, _ in found]) == pytest.approx(share, abs=4 * error + 1e-9)
    mean = np.mean([length for _, length in found])
    assert mean == pytest.approx(lengths.mean(), abs=4 * lengths.std() / math.sqrt(count))


def searched(state, depth, nodes=0):
    reports = []
    searcher = _junqi.Searcher(Table(1 << 20), 1)
    searcher.think(
        state, depth=depth, nodes=nodes, seconds=math.inf, lines=1, report=lambda *report: reports.append(report)
    )
    return reports


def test_the_search_takes_a_flag():
    # One ply along the road.
    position = junqi_fen.read("5/5/5/5/5/5/5/5/5/5/M4/f3F r - - 0", parse("junqi"))
    (*_, report) = searched(state_of(position), 3)
    assert report[6] == _junqi.UNIT - 1
    assert report[7][0][0] == 60 * SQUARE["a2"] + SQUARE["a1"]


def test_a_fixed_node_search_repeats_exactly():
    fens = [fen for fen, *_ in (line.values for line in PERFT)][2:8]
    for fen in fens:
        state = state_of(junqi_fen.read(fen, parse("junqi")))
        first, second = ([report[:4] + report[6:] for report in searched(state, 100, 20_000)] for _ in range(2))
        assert first == second
        assert state.is_legal(first[-1][5][0][0])


def test_the_reference_and_the_core_number_the_nodes_alike():
    assert [SQUARE[node] for node in NODES] == list(range(60))
