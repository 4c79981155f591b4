"""The evaluation of Junqi: what must hold of it in every position, and facts of the game that it has to know.

Positions compared differ in the one thing that the fact is about; which of them is better was worked out by hand.
"""

import random
from fractions import Fraction

import pytest

from banqi import Position
from banqi.core import _junqi
from banqi.core._table import Table
from junqi_texts import text
from reference.game import Game
from reference.games import parse
from reference.junqi_rules import JunqiRules
from reference.walks import random_action, random_endgame, random_fen
from sizes import tenth

LETTERS = JunqiRules().letters
SQUARE = {f"{file}{row}": 5 * (row - 1) + column for row in range(1, 13) for column, file in enumerate("abcde")}
UNIT = _junqi.UNIT
PROVEN = _junqi.PROVEN
ESTIMATE = UNIT - UNIT // 32
CHUNKS = 4
# The core's code for the end that a flag makes.
FLAG_TAKEN = 6


def state(fen, rules="junqi"):
    return Position.from_fen(fen, rules=rules).state


def value(pieces, side="r", pool="-", **more):
    return state(text(pieces, side, pool, **more)).evaluate()


def fens(name, count):
    """Positions of 2 to 50 pieces, up to 30 of them face down, and endgames."""
    rules = parse("junqi")
    for number in range(tenth(count)):
        rng = random.Random(f"{name} {number}")
        pieces = rng.randint(2, 50)
        red = rng.randint(max(1, pieces - 25), min(25, pieces - 1))
        hidden = rng.randint(0, min(30, pieces - 2))
        yield random_fen(rules, rng, red=red, black=pieces - red, hidden=hidden)
        yield random_endgame(rules, rng)


def with_colours_exchanged(fen):
    placement, side, pool, *rest = fen.split()
    return " ".join([placement.swapcase().replace("X", "x"), {"r": "b", "b": "r"}[side], pool.swapcase(), *rest])


def mirrored(fen, *, files, rows):
    placement, *rest = fen.split()
    ranks = placement.split("/")
    ranks = [rank[::files] for rank in ranks[::rows]]
    return " ".join(["/".join(ranks), *rest])


# --- every position -------------------------------------------------------------------------------------------------


def test_the_colours_are_equal():
    for fen in fens("colours", 2000):
        assert state(fen).evaluate() == state(with_colours_exchanged(fen)).evaluate(), fen


@pytest.mark.parametrize(("files", "rows"), [(-1, 1), (1, -1), (-1, -1)])
def test_the_symmetries_of_the_board_change_nothing(files, rows):
    for fen in fens("symmetries", 1000):
        assert state(fen).evaluate() == state(mirrored(fen, files=files, rows=rows)).evaluate(), fen


def test_only_a_side_without_a_legal_action_has_lost():
    stuck = 0
    for fen in fens("bounds", 5000):
        position = state(fen)
        if position.actions():
            assert abs(position.evaluate()) <= ESTIMATE, fen
        else:
            stuck += 1
            assert position.evaluate() == -UNIT, fen
    assert stuck > 0


def test_what_is_carried_along_equals_what_is_counted_anew():
    """Men fall one by one and two by two; what is left of them counts the same in whatever order they fell."""
    for number in range(tenth(300)):
        rng = random.Random(f"carried {number}")
        game = Game("junqi", random_endgame(parse("junqi"), rng) if number % 2 else None)
        played = Position.from_fen(game.fen(), rules="junqi")
        while game.end() is None:
            action = random_action(game, rng)
            played.push(action)
            game.play(action)
            assert played.state.evaluate() == state(game.fen()).evaluate(), game.fen()


# --- men ------------------------------------------------------------------------------------------------------------


def test_an_engineer_is_worth_more_while_an_enemy_mine_stands():
    # c4 and e12 are far from each other and from the flags. A company in the mine's place beats both men as well.
    with_mine = value("c4=E e12=l a5=b") - value("c4=P e12=l a5=b")
    without = value("c4=E e12=c a5=b") - value("c4=P e12=c a5=b")
    assert with_mine > 0
    assert with_mine > without


def test_a_marshal_is_worth_more_when_nothing_is_left_that_stops_him():
    # Blue's two men are a marshal and a bomb, or two divisions instead, which take less from him than from a general.
    beside = value("c4=M a12=m e12=o") - value("c4=D a12=m e12=o")
    alone = value("c4=M a12=b e12=b") - value("c4=D a12=b e12=b")
    assert alone > beside > 0


def test_a_mine_is_worth_more_when_no_engineer_is_left():
    beside = value("e12=L c4=B a5=b c9=e") - value("c4=B a5=b c9=e")
    alone = value("e12=L c4=B a5=b c9=p") - value("c4=B a5=b c9=p")
    assert alone > beside > 0


def test_a_bomb_is_worth_more_against_high_men():
    assert value("c4=O e12=m a5=B") - value("c4=P e12=m a5=B") > value("c4=O e12=p a5=B") - value("c4=P e12=p a5=B")


def test_men_count_more_when_little_lies_face_down():
    # Two mines more lie face down in corners that nobody sees.
    few = value("c4=B c9=t")
    more = value("c4=B c9=t a1=x e12=x", pool="Ll")
    assert few > more > 0


def test_more_places_to_go_to_are_better():
    # b1 leads to a1, c1 and b2; on the railway a straight line goes further.
    assert value("e6=B c9=b") > value("b1=B c9=b")


# --- flags ----------------------------------------------------------------------------------------------------------


def test_a_flag_that_can_be_taken_at_once_is_worse_than_one_that_cannot():
    # From c1 one edge leads to d1; from d3 two do.
    assert value("c1=b e6=B") < value("d3=b e6=B") < value("c9=b e6=B")


def test_coming_nearer_to_a_flag_is_better():
    # On roads alone, three moves and two from b12, through camps.
    assert value("b10=B a2=b") > value("c9=B a2=b")


def test_a_flag_behind_its_own_mines_is_safer():
    assert value("c1=L e6=B a7=b") > value("e1=x c1=x d2=x e6=B a7=b", pool="LLb")


def test_seeing_what_lies_face_down_is_worth_more_while_the_enemy_flag_is_there():
    # The brigade at a2 sees the man at a3, which is blue's flag or red's; elsewhere one sees nothing.
    theirs = value("a2=B a3=x c12=t", pool="f", flags="d1=F")
    out_of_sight = value("e8=B a3=x c12=t", pool="f", flags="d1=F")
    assert theirs > out_of_sight


SEALED = "c1=L e1=L d2=L a12=l c12=l b11=l"


def test_nobody_can_ever_take_a_flag():
    """All the ways to both flags are mined and no engineer or bomb is left: red's lead is worth next to nothing."""
    dead = value(f"{SEALED} c4=M b3=G d3=D a9=p")
    assert 0 < dead < UNIT // 10
    # With a battalion's place taken by an engineer red can still get in.
    assert value(f"{SEALED} c4=M b3=G d3=E a9=p") > UNIT // 2


def test_a_flag_that_is_out_of_reach_holds_a_lost_game():
    # Three mines stand around blue's flag, and red has a battalion or an engineer.
    closed = value("a12=l c12=l b11=l c4=M b3=G d3=T a9=p")
    open_way = value("a12=l c12=l b11=l c4=M b3=G d3=E a9=p")
    assert 0 < closed < open_way


def test_who_has_nothing_to_move_left_runs_out_of_moves():
    assert value("a1=x e9=p", pool="L") < -UNIT // 2
    assert value("a1=x e9=P", pool="L") > UNIT // 2


@pytest.mark.parametrize(("hidden", "pool", "result"), [("a1=x", "L", UNIT - 1), ("a1=x e1=x", "Ll", 2 - UNIT)])
def test_when_neither_side_can_ever_move_the_flips_are_counted(hidden, pool, result):
    # Red turns up the last man and blue has no action; with two men it is the other way round.
    assert (value(hidden, pool=pool) > 0) == (result > 0)
    assert searched(state(text(hidden, "r", pool)), 3)[0] == result


# --- the search -----------------------------------------------------------------------------------------------------


def searched(position, depth, **features):
    """The search's value and move."""
    reports = []
    _junqi.Searcher(Table(1 << 18), 1).think(
        position, depth=depth, nodes=0, seconds=float("inf"), lines=1, report=lambda *r: reports.append(r), **features
    )
    return reports[-1][6], reports[-1][7][0][0]


def delayed(value):
    """A value one ply earlier: a proven end is a ply farther away."""
    return value - 1 if value >= PROVEN else value + 1 if value <= -PROVEN else value


def settled(position, depth=0, last=None):
    """The value when only attacks are played on, each side free to stop; from the third on only where the last was."""
    best = position.evaluate()
    cells = position.cells()
    for action in position.actions():
        target = action % 60
        if action // 60 == target or cells[target] == _junqi.EMPTY or (depth >= 2 and target != last):
            continue
        position.push(action, -1)
        taken = position.termination()[0] == FLAG_TAKEN
        best = max(best, UNIT - 1 if taken else delayed(-settled(position, depth + 1, target)))
        position.pop()
    return best


def expectimax(position, depth, leaf):
    """The value of a position and of each of its actions: the definition, without a bound or a table."""
    code, winner = position.termination()
    if code != 0:
        return (-UNIT if winner >= 0 else 0), {}
    if depth == 0:
        return leaf(position), {}
    values = {}
    for action in position.actions():
        total, weight = 0, 0
        for identity, count in enumerate(position.pool()) if position.reveals(action) else [(-1, 1)]:
            if count:
                position.push(action, identity)
                total -= count * expectimax(position, depth - 1, leaf)[0]
                weight += count
                position.pop()
        mean = Fraction(total, weight)
        values[action] = delayed(int(abs(mean) + Fraction(1, 2)) * (1 if mean >= 0 else -1))
    return max(values.values()), values


def small_position(rng):
    """A few men crowded around the middle, up to 3 of them face down, both flags among them."""
    men = ["F", "f", *rng.sample("MGDDBBRRTTCCCPPPEEEOOLLLmgddbbrrtttcccpppeeeoolll", rng.randint(1, 5))]
    rng.shuffle(men)
    hidden = rng.choice((0, 1, 1, 2, 3))
    room = [
        f"{file}{row}" for row in (5, 6, 7, 8) for file in "abcde" if f"{file}{row}" not in ("b5", "d5", "b8", "d8")
    ]
    places = rng.sample(room, len(men))
    pieces = zip(places, ["x"] * hidden + men[hidden:], strict=True)
    pool = "".join(sorted(men[:hidden], key=LETTERS.index)) or "-"
    board = " ".join(f"{place}={man}" for place, man in pieces)
    return text(board, rng.choice("rb"), pool, rng.choice((0, 0, 1, 78)), flags="")


@pytest.mark.parametrize(("quiescence", "leaf"), [(False, _junqi.State.evaluate), (True, settled)])
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_search_equals_plain_expectimax(chunk, quiescence, leaf):
    rng = random.Random(f"junqi search {chunk}")
    done = 0
    while done < tenth(1000) // CHUNKS:
        fen = small_position(rng)
        position = state(fen)
        if position.termination()[0] != 0:
            continue
        done += 1
        depth = rng.choice((1, 2, 2, 3) if len(position.actions()) < 16 else (1, 2))
        best, values = expectimax(position, depth, leaf)
        found, action = searched(position, depth, quiescence=quiescence, repetition=False, same_depth_only=True)
        assert (found, values[action]) == (best, best), (fen, depth)


@pytest.mark.parametrize(("quiescence", "leaf"), [(False, _junqi.State.evaluate), (True, settled)])
def test_one_ply_with_many_men_face_down_equals_plain_expectimax(quiescence, leaf):
    """Where most reveals are settled by what they are worth when they are let stand."""
    for fen in fens("one ply", 300):
        position = state(fen)
        if position.termination()[0] == 0:
            best, values = expectimax(position, 1, leaf)
            found, action = searched(position, 1, quiescence=quiescence, repetition=False, same_depth_only=True)
            assert (found, values[action]) == (best, best), fen


def test_in_a_lost_position_it_plays_for_what_may_be_overlooked():
    # The platoon takes c3 out of a camp, whatever red does; from b11 the regiment would take b12.
    position = state(text("c3=F b3=p b10=R e6=D b12=f e9=b", flags=""))
    found, action = searched(position, 6)
    assert (found, action) == (2 - UNIT, 60 * SQUARE["b10"] + SQUARE["b11"])
