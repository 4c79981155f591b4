"""The engine's rules against the reference, ply by ply over seeded random games and positions."""

import random
from collections import Counter
from functools import cache
from itertools import count

import pytest

from banqi import Move, Outcome, Position, Side, Termination
from banqi.geometry import Geometry
from reference.action import request_of
from reference.fen import write
from reference.game import Game
from reference.games import parse
from reference.walks import random_action, random_enclosure, random_endgame, random_fen, random_rules
from sizes import tenth

# Rule sets whose games begin with everything face down.
SMALL = (
    "taiwan",
    "hongkong",
    "mainland",
    "cannon-adjacent",
    "dark-capture",
    "children",
    "cannon-chain",
    "hongkong(cannon=jump)",
)
WHOLE_GAMES = (*SMALL, "double", "taiwan(perpetual=loses)", "junqi")

# Rule sets whose games begin with a few pieces, and the ends that each chunk of them must reach.
ENDGAMES = {
    "taiwan": {"all_captured", "repetition"},
    "hongkong": {"all_captured", "repetition"},
    "mainland(quiet_limit=30)": {"all_captured", "repetition", "quiet_limit"},
    "cannon-adjacent(repetition=4)": {"all_captured", "repetition"},
    "mainland(cannon=jump, repetition=2, quiet_limit=50)": {"all_captured", "repetition"},
    "taiwan(quiet_limit=20)": {"all_captured", "repetition", "quiet_limit"},
    "taiwan(repetition=2)": {"all_captured", "repetition"},
    "taiwan(repetition=cycle)": {"all_captured", "repetition", "quiet_limit"},
    "hongkong(cannon=jump, repetition=cycle, quiet_limit=60)": {"all_captured", "repetition", "quiet_limit"},
    "taiwan(repetition=none, quiet_limit=40)": {"all_captured", "quiet_limit"},
    "dark-capture": {"all_captured", "repetition"},
    "children": {"all_captured", "repetition"},
    "cannon-chain(cannon_adjacent, quiet_limit=40)": {"all_captured", "repetition", "quiet_limit"},
    "mainland(dark_capture, chain=any, quiet_limit=30)": {"all_captured", "repetition", "quiet_limit"},
    "double(quiet_limit=60)": {"all_captured", "repetition", "quiet_limit"},
    "double(dark_capture, chain=any, cannon_adjacent, quiet_limit=40)": {"all_captured", "repetition", "quiet_limit"},
    "junqi": {"flag", "no_moves", "quiet_limit"},
    "junqi(repetition=3)": {"flag", "no_moves", "repetition"},
    "junqi(repetition=2, quiet_limit=30)": {"flag", "no_moves", "repetition", "quiet_limit"},
    **{
        rules: {"repetition", "perpetual_attack"}
        for rules in (
            "taiwan(perpetual=loses)",
            "taiwan(perpetual=loses, repetition=2, quiet_limit=60)",
            "mainland(perpetual=loses, repetition=cycle)",
            "children(perpetual=loses, cannon_adjacent)",
            "cannon-chain(perpetual=loses)",
            "double(perpetual=loses, ranking=hongkong)",
        )
    },
}

WHOLE_CHUNK = 20
ENDGAME_CHUNK = 100
# Every so many actions a new position is compared in every way, not only what stands and what is legal.
EVERYTHING_EVERY = 64


@cache
def index_of(request: str, geometry: Geometry) -> int:
    """The action index of a request on a wire."""
    return Move.from_text(request, geometry=geometry).index


class Pair:
    """The engine and the reference, playing the same actions."""

    def __init__(self, rules: str, fen: str | None = None) -> None:
        self.game = Game(rules, fen)
        self.position = Position(rules) if fen is None else Position.from_fen(fen, rules=rules)
        self.start = f"{rules} {self.game.fen()}"

    def story(self) -> str:
        """What it takes to see a difference again."""
        return f"{self.start} after {' '.join(self.game.actions) or 'nothing'}"

    def play(self, action: str) -> None:
        """Play an action as on a wire, with its reveal."""
        self.game.play(action)
        self.position.push(action)

    def indices(self) -> list[int]:
        """The action indices of what is legal, in order."""
        geometry = self.position.rules.geometry
        return sorted(index_of(request, geometry) for request in self.game.legal())

    def compare(self) -> None:
        """Compare what stands, whose turn it is, what is legal, and whether the game is over."""
        game, position = self.game, self.position
        assert position.fen() == game.fen(), self.story()
        assert sorted(move.index for move in position.legal_moves) == self.indices(), self.story()
        chain = None if game.position.chain == "-" else position.rules.geometry.index(game.position.chain)
        assert (position.chain, position.seat) == (chain, game.seat()), self.story()
        assert position.repetitions() == game.occurrences(), self.story()
        end = game.end()
        outcome = None if end is None else Outcome(None if end[0] is None else Side(end[0]), Termination(end[1]))
        assert position.outcome() == outcome, self.story()

    def compare_everything(self) -> None:
        """Compare what follows from it too, and each position that an action makes."""
        assert dict(self.position.captured()) == self.game.captured(), self.story()
        requests = [move.wire() for move in self.position.legal_moves]
        assert len(requests) == self.position.legal_moves.count(), self.story()
        assert sorted(requests) == sorted(self.game.legal()), self.story()
        self.compare_every_request()
        self.compare_successors()

    def compare_outcomes(self, request: str) -> None:
        """Compare what a request can reveal, and how often."""
        found = self.position.outcomes(request)
        expected = self.game.outcomes(request)
        if not expected:
            assert [(reveal.move.wire(), reveal.weight) for reveal in found] == [(request, 1)], self.story()
            return
        assert {reveal.move.wire(): reveal.weight for reveal in found} == {
            request + letter: weight for letter, weight in expected.items()
        }, self.story()

    def compare_every_request(self) -> None:
        """Compare what is legal over all pairs of squares and the end of a chain, one by one and as a mask."""
        squares = self.position.rules.geometry.squares
        mask = self.position.legal_mask()
        assert len(mask) == squares**2 + (self.game.rules.chain != "none")
        assert sorted(mask.nonzero()[0]) == self.indices(), self.story()
        is_legal = self.position.state.is_legal
        assert [index for index in range(len(mask)) if is_legal(index)] == self.indices(), self.story()

    def compare_successors(self) -> None:
        """Compare each position that an action makes."""
        for request in sorted(self.game.legal()):
            self.compare_outcomes(request)
            for shown in self.game.outcomes(request) or ("",):
                after = self.game.position.after(request + shown)
                self.position.push(request + shown)
                assert self.position.fen() == write(after), f"{request}{shown} {self.story()}"
                self.position.pop()


class Keys:
    """The keys met so far: one for each position, and none for two."""

    def __init__(self) -> None:
        self.key_of: dict[str, int] = {}
        self.identity_of: dict[int, str] = {}

    def know(self, pair: Pair) -> bool:
        """Whether a game of these has come to the position before."""
        return pair.game.identity() in self.key_of

    def check(self, pair: Pair) -> None:
        """A key that grew move by move equals one that is computed afresh, and belongs to no other position."""
        identity, key = pair.game.identity(), pair.position.key
        assert key == pair.position.state.fresh_key(), pair.story()
        assert self.key_of.setdefault(identity, key) == key, pair.story()
        twin = self.identity_of.setdefault(key, identity)
        assert twin == identity, f"has the key of {twin}: {pair.story()}"

    def check_set_up(self, pair: Pair) -> None:
        """The position set up from its text has the same key."""
        fresh = Position.from_fen(pair.game.fen(), rules=pair.position.rules).key
        assert pair.position.key == fresh, pair.story()


def play_to_the_end(pair: Pair, keys: Keys, rng: random.Random, habit: float) -> str:
    """Compare at every action of a random game; returns the reason of its end."""
    for number in count():
        pair.compare()
        known = keys.know(pair)
        keys.check(pair)
        if number % EVERYTHING_EVERY == 0 and not known:
            pair.compare_everything()
            keys.check_set_up(pair)
        end = pair.game.end()
        if end is not None:
            return end[1]
        action = random_action(pair.game, rng, habit)
        pair.compare_outcomes(request_of(action))
        pair.play(action)
    raise AssertionError


@pytest.mark.parametrize("chunk", range(tenth(1000) // WHOLE_CHUNK))
@pytest.mark.parametrize("rules", WHOLE_GAMES)
def test_generated_equals_reference_in_whole_games(rules: str, chunk: int) -> None:
    keys = Keys()
    for number in range(WHOLE_CHUNK):
        rng = random.Random(f"{rules} {chunk} {number}")
        play_to_the_end(Pair(rules), keys, rng, rng.choice((0, 0, 0, 0.5)))


@pytest.mark.parametrize("chunk", range(tenth(1000) // WHOLE_CHUNK))
def test_generated_equals_reference_under_random_combinations_of_switches(chunk: int) -> None:
    for number in range(WHOLE_CHUNK):
        rng = random.Random(f"switches {chunk} {number}")
        play_to_the_end(Pair(random_rules(rng)), Keys(), rng, rng.choice((0, 0, 0.5)))


@pytest.mark.parametrize("chunk", range(tenth(2000) // ENDGAME_CHUNK))
def test_generated_equals_reference_in_endgames_under_random_combinations(chunk: int) -> None:
    ends: Counter[str] = Counter()
    for number in range(ENDGAME_CHUNK):
        rng = random.Random(f"switches in endgames {chunk} {number}")
        rules = random_rules(rng)
        fen = random_endgame(parse(rules), rng)
        ends[play_to_the_end(Pair(rules, fen), Keys(), rng, rng.choice((0, 0, 0.9)))] += 1
    assert {"all_captured", "repetition", "quiet_limit"} <= set(ends), f"so many games do not reach every end: {ends}"


@pytest.mark.parametrize("chunk", range(tenth(1000) // ENDGAME_CHUNK))
@pytest.mark.parametrize("rules", ENDGAMES)
def test_generated_equals_reference_in_endgames(rules: str, chunk: int) -> None:
    keys = Keys()
    ends: Counter[str] = Counter()
    # Only habits repeat themselves often enough to be judged.
    habits = (0.95, 0.9, 0) if "perpetual" in rules else (0, 0, 0, 0.9)
    for number in range(ENDGAME_CHUNK):
        rng = random.Random(f"{rules} {chunk} {number}")
        fen = random_endgame(parse(rules), rng)
        ends[play_to_the_end(Pair(rules, fen), keys, rng, rng.choice(habits))] += 1
    assert ENDGAMES[rules] <= set(ends), f"so many games do not reach every end: {ends}"


@pytest.mark.parametrize("rules", [*SMALL, "junqi"])
def test_generated_equals_reference_where_a_piece_is_enclosed(rules: str) -> None:
    ends: Counter[str | None] = Counter()
    for number in range(tenth(2500)):
        fen = random_enclosure(parse(rules), random.Random(f"{rules} {number}"))
        pairs = [Pair(rules, fen)]
        for request in sorted(pairs[0].game.legal()):
            for shown in pairs[0].game.outcomes(request) or ("",):
                pairs.append(Pair(rules, fen))
                pairs[-1].play(request + shown)
        for pair in pairs:
            pair.compare()
            end = pair.game.end()
            ends[end and end[1]] += 1
    assert ends["no_moves"] > tenth(50), f"too few positions without a move: {ends}"


@pytest.mark.parametrize("pieces", range(2, 51))
def test_generated_equals_reference_in_junqi_face_up(pieces: int) -> None:
    # Both flags, and anything else: from two pieces that never move to the whole set on 60 nodes.
    keys = Keys()
    for number in range(tenth(200)):
        rng = random.Random(f"face up {pieces} {number}")
        red = rng.randint(max(1, pieces - 25), min(25, pieces - 1))
        pair = Pair("junqi", random_fen(parse("junqi"), rng, red=red, black=pieces - red, hidden=0))
        pair.compare()
        pair.compare_everything()
        keys.check(pair)


@pytest.mark.parametrize("rules", WHOLE_GAMES)
def test_a_position_beyond_a_draw_goes_on(rules: str) -> None:
    # Repetition and the quiet limit end a game, not the position: moves and their results stay as they are.
    rng = random.Random(rules)
    pair = Pair(f"{rules[:-1]}, quiet_limit=1)" if rules.endswith(")") else f"{rules}(quiet_limit=1)")
    for _ in range(200):
        if not pair.game.legal():
            break
        pair.compare()
        pair.play(random_action(pair.game, rng))
    assert pair.game.position.quiet > 1 or len(pair.game.actions) < 200


def test_the_key_tells_all_that_makes_positions_different() -> None:
    # One position, and in each of the others one thing else: a piece, its colour, its square, what lies face down, what
    # is hidden, the side, the rule set.
    positions = [
        Position.from_fen("3x/4/4/4/4/4/1p2/K3 r m - 5"),
        Position.from_fen("3x/4/4/4/4/4/1p2/G3 r m - 5"),
        Position.from_fen("3x/4/4/4/4/4/1P2/K3 r m - 5"),
        Position.from_fen("3x/4/4/4/4/4/2p1/K3 r m - 5"),
        Position.from_fen("3m/4/4/4/4/4/1p2/K3 r - - 5"),
        Position.from_fen("2x1/4/4/4/4/4/1p2/K3 r m - 5"),
        Position.from_fen("3x/4/4/4/4/4/1p2/K3 r M - 5"),
        Position.from_fen("3x/4/4/4/4/4/1p2/K3 b m - 5"),
        *(Position.from_fen("3x/4/4/4/4/4/1p2/K3 r m - 5", rules=rules) for rules in SMALL if rules != "taiwan"),
        # The chain square, and which it is.
        *(Position.from_fen(f"3x/4/4/4/4/4/np2/RR2 r m {chain} 0", rules="children") for chain in ("-", "a1", "b1")),
    ]
    assert len({position.key for position in positions}) == len(positions)


def test_the_key_tells_all_that_makes_positions_of_junqi_different() -> None:
    # As above; in the last text a mine and the flag have changed places, one of them face down.
    flags = "1f3/5/5/5/5/5/5/5/5/5"
    texts = [
        f"{flags}/3l1/E2Fx r m - 5",
        f"{flags}/3l1/P2Fx r m - 5",
        f"{flags}/3L1/E2Fx r m - 5",
        f"{flags}/2l2/E2Fx r m - 5",
        f"{flags}/3l1/E2Fm r - - 5",
        f"{flags}/3l1/E1xF1 r m - 5",
        f"{flags}/3l1/E2Fx r M - 5",
        f"{flags}/3l1/E2Fx b m - 5",
        f"{flags}/3l1/E2Fx r f - 5".replace("1f3", "1l3"),
    ]
    positions = [Position.from_fen(text, rules="junqi") for text in texts]
    positions.append(Position.from_fen(texts[0], rules="junqi(repetition=3)"))
    assert len({position.key for position in positions}) == len(positions)


def test_the_key_leaves_out_the_quiet_counter() -> None:
    quiet, loud = (Position.from_fen(f"3x/4/4/4/4/4/1p2/K3 r m - {plies}") for plies in (9, 0))
    assert quiet.key == loud.key
