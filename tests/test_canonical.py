"""The canonical position: one for all images of a position under the board's symmetries and colour exchange."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banqi import FenError, Move, Position
from reference.game import Game
from reference.games import NAMED, parse
from reference.walks import random_action, random_fen
from sizes import tenth

RULES = (
    *NAMED,
    "hongkong(cannon=jump)",
    "double(dark_capture, chain=any)",
    "taiwan(quiet_limit=40, perpetual=loses)",
    "junqi(repetition=2, quiet_limit=30)",
)


def grid(placement: str) -> list[str]:
    """The ranks of a placement, the highest first, a dot for each empty square."""
    return ["".join("." * int(sign) if sign.isdecimal() else sign for sign in rank) for rank in placement.split("/")]


def placement_of(ranks: list[str]) -> str:
    """The text of such ranks."""
    texts = []
    for rank in ranks:
        for run in range(len(rank), 0, -1):
            rank = rank.replace("." * run, str(run))
        texts.append(rank)
    return "/".join(texts)


def mirrored(ranks: list[str]) -> list[str]:
    """The file a becomes the last file."""
    return [rank[::-1] for rank in ranks]


def upside_down(ranks: list[str]) -> list[str]:
    """The rank 1 becomes the last rank."""
    return ranks[::-1]


def flipped_over(ranks: list[str]) -> list[str]:
    """Files and ranks exchanged, on a square board: a1 stays, h1 becomes a8."""
    return ["".join(column) for column in zip(*ranks[::-1], strict=True)][::-1]


def exchanged(letters: str) -> str:
    """The same pieces of the other colours."""
    return letters.swapcase().replace("X", "x")


def images(fen: str, rules: str = "taiwan") -> list[str]:
    """The texts of a position's images, itself among them: 8 on the small board and on Junqi's, 16 on the large one."""
    letters = parse(rules).letters
    placement, side, pool, chain, quiet = fen.split()
    ranks = grid(placement)
    # A board with a mark where the chain square is turns along with the pieces.
    marks = [
        "".join("*" if chain == f"{'abcdefgh'[column]}{len(ranks) - row}" else "." for column in range(len(rank)))
        for row, rank in enumerate(ranks)
    ]
    boards = [(ranks, marks)]
    for symmetry in (mirrored, upside_down, *([flipped_over] if len(ranks[0]) == len(ranks) else [])):
        boards += [(symmetry(ranks), symmetry(marks)) for ranks, marks in boards]
    found = []
    for ranks, marks in boards:
        square = "-"
        for row, rank in enumerate(marks):
            if "*" in rank:
                square = f"{'abcdefgh'[rank.index('*')]}{len(marks) - row}"
        text = placement_of(ranks)
        found.append(f"{text} {side} {pool} {square} {quiet}")
        other = {"r": "b", "b": "r", "?": "?"}[side]
        exchanged_pool = "".join(sorted(exchanged(pool), key=letters.find))
        found.append(f"{exchanged(text)} {other} {exchanged_pool} {square} {quiet}")
    return found


def a_position(rules: str, rng: random.Random) -> str:
    """The text of a position that a random game comes through, often in a chain where there are chains."""
    switches = parse(rules)
    # Up to almost the whole set of each side.
    most = sum(map(switches.count, switches.kinds)) - 2
    red, black = rng.randint(1, most), rng.randint(1, most)
    start = random_fen(switches, rng, red=red, black=black, hidden=rng.randint(0, (red + black) // 2))
    game = Game(rules, rng.choice((start, start, None)))
    for _ in range(rng.choice((0, 1, 5, 30))):
        if game.end() is not None:
            break
        game.play(random_action(game, rng))
    for request in sorted(game.legal()):
        for shown in game.outcomes(request) or ("",):
            after = Game(rules, game.fen())
            after.play(request + shown)
            if after.position.chain != "-":
                return after.fen()
    return game.fen()


POSITIONS = [(rules, chunk) for rules in RULES for chunk in range(5)]


def texts(rules: str, chunk: int) -> list[str]:
    """Some positions of a rule set."""
    return [a_position(rules, random.Random(f"canonical {rules} {chunk} {n}")) for n in range(tenth(100))]


def test_images_are_what_they_should_be() -> None:
    """Worked out by hand: what the test makes of a position by itself."""
    assert sorted(images("4/4/4/4/4/4/4/xK1p b g - 7")) == sorted(
        [
            "4/4/4/4/4/4/4/xK1p b g - 7", "4/4/4/4/4/4/4/p1Kx b g - 7",
            "xK1p/4/4/4/4/4/4/4 b g - 7", "p1Kx/4/4/4/4/4/4/4 b g - 7",
            "4/4/4/4/4/4/4/xk1P r G - 7", "4/4/4/4/4/4/4/P1kx r G - 7",
            "xk1P/4/4/4/4/4/4/4 r G - 7", "P1kx/4/4/4/4/4/4/4 r G - 7",
        ]
    )  # fmt: skip


def test_images_of_junqi_are_what_they_should_be() -> None:
    """Worked out by hand: rows and files turn over, and rank and file do not change places."""
    board = "/5/5/5/5/5/5/5/5/5/5/"
    assert sorted(images(f"2f2{board}E3F b - - 7", "junqi")) == sorted(
        [
            f"2f2{board}E3F b - - 7", f"2f2{board}F3E b - - 7",
            f"E3F{board}2f2 b - - 7", f"F3E{board}2f2 b - - 7",
            f"2F2{board}e3f r - - 7", f"2F2{board}f3e r - - 7",
            f"e3f{board}2F2 r - - 7", f"f3e{board}2F2 r - - 7",
        ]
    )  # fmt: skip
    # The pool keeps the order of the letters.
    assert "x4/1F3/5/5/5/5/5/5/5/5/5/f3x r Ol - 0" in images("x4/1f3/5/5/5/5/5/5/5/5/5/F3x b Lo - 0", "junqi")


def test_the_chain_square_goes_along() -> None:
    fen = "3k/4/4/4/1p2/1R2/4/4 r - b3 0"
    assert images(fen)[:4] == [
        "3k/4/4/4/1p2/1R2/4/4 r - b3 0",
        "3K/4/4/4/1P2/1r2/4/4 b - b3 0",
        "k3/4/4/4/2p1/2R1/4/4 r - c3 0",
        "K3/4/4/4/2P1/2r1/4/4 b - c3 0",
    ]
    assert "4/4/1R2/1p2/4/4/4/3k r - b6 0" in images(fen)
    large = images("8/8/8/8/8/7p/7R/6k1 r - h2 0")
    assert len(set(large)) == 16
    # Files and ranks exchanged: h2 becomes b8, h3 becomes c8, g1 becomes a7.
    assert "1Rp5/k7/8/8/8/8/8/8 r - b8 0" in large


@pytest.mark.parametrize(
    ("fen", "rules", "expected"),
    [
        # The smallest by hand: digits come before upper case, that before lower case, and b before r.
        ("k3/4/4/4/4/4/4/4 r - - 0", "taiwan", "3K/4/4/4/4/4/4/4 b - - 0"),
        ("4/4/4/4/4/4/4/K2k b - - 9", "taiwan", "4/4/4/4/4/4/4/K2k b - - 9"),
        ("4/4/4/4/4/4/4/K2k r - - 9", "taiwan", "4/4/4/4/4/4/4/K2k b - - 9"),
        ("4/4/4/4/1p2/1R2/4/3k r - b3 0", "children", "3K/4/1r2/1P2/4/4/4/4 b - b6 0"),
        ("8/8/8/8/8/8/8/kK6 r - - 2", "double", "6Kk/8/8/8/8/8/8/8 r - - 2"),
        # The rank of the flags comes on top, the red flag first: with the regiment as r4, or red and as 4R.
        ("5/5/5/5/5/5/5/5/5/5/4r/1f1F1 r - - 4", "junqi", "1F1f1/4R/5/5/5/5/5/5/5/5/5/5 b - - 4"),
    ],
)
def test_the_smallest_text_is_chosen(fen: str, rules: str, expected: str) -> None:
    assert min(images(fen, rules)) == expected
    assert Position.from_fen(fen, rules=rules).canonical().fen() == expected


@pytest.mark.parametrize("rules", RULES)
def test_the_start_maps_to_itself(rules: str) -> None:
    assert Position(rules).canonical().fen() == Position(rules).fen()


@pytest.mark.parametrize(("rules", "chunk"), POSITIONS)
def test_all_images_have_one_canonical_position_and_it_is_the_smallest(rules: str, chunk: int) -> None:
    for fen in texts(rules, chunk):
        every = images(fen, rules)
        for image in every:
            assert Position.from_fen(image, rules=rules).canonical().fen() == min(every), (rules, fen, image)


@pytest.mark.parametrize(("rules", "chunk"), POSITIONS)
def test_canonical_is_idempotent(rules: str, chunk: int) -> None:
    for fen in texts(rules, chunk):
        canonical = Position.from_fen(fen, rules=rules).canonical()
        assert canonical.canonical() == canonical
        assert Position.from_fen(canonical.fen(), rules=rules) == canonical


@pytest.mark.parametrize(("rules", "chunk"), POSITIONS)
def test_a_canonical_position_has_as_many_leaves(rules: str, chunk: int) -> None:
    for fen in texts(rules, chunk):
        position = Position.from_fen(fen, rules=rules)
        canonical = position.canonical()
        assert canonical.legal_moves.count() == position.legal_moves.count(), fen
        assert canonical.perft(2) == position.perft(2), fen


@given(st.sampled_from(RULES), st.integers())
def test_a_canonical_position_has_no_history_and_leaves_the_first_as_it_is(rules: str, seed: int) -> None:
    rng = random.Random(seed)
    position = Position(rules)
    for _ in range(rng.randrange(20)):
        if position.outcome() is None:
            move = rng.choice(list(position.legal_moves))
            position.push(rng.choice(position.outcomes(move)).move)
    before = (position.fen(), position.move_stack, position.key)
    canonical = position.canonical()
    assert canonical.move_stack == ()
    assert canonical.repetitions() == 1
    assert canonical.quiet == position.quiet
    assert canonical.rules == position.rules
    assert (canonical.chain is None) == (position.chain is None)
    assert (position.fen(), position.move_stack, position.key) == before


def test_a_canonical_position_is_one_of_its_own() -> None:
    position = Position()
    canonical = position.canonical()
    canonical.push(Move.from_text("a1(K)"))
    assert position.move_stack == ()


def test_beyond_the_quiet_limit_there_is_none() -> None:
    position = Position.from_fen("n3/1R2/4/4/4/4/4/3k r - - 0", "taiwan(quiet_limit=2, repetition=none)")
    for move in ("b7-a7", "a8-b8", "a7-b7"):
        position.push(move)
    with pytest.raises(FenError, match="3 quiet plies: the limit is 2"):
        position.canonical()
