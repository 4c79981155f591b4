"""The engine's rules against the reference, ply by ply over seeded random games and positions."""

import random
from collections import Counter
from itertools import count

import pytest

from banqi import Move, Outcome, Position, Side, Termination
from reference.fen import write
from reference.game import Game
from reference.rules import parse
from reference.walks import random_action, random_enclosure, random_endgame
from sizes import tenth

# Rule sets whose games begin with everything face down.
WHOLE_GAMES = ("taiwan", "hongkong", "mainland", "cannon-adjacent", "hongkong(cannon=jump)")

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
}

WHOLE_CHUNK = 20
ENDGAME_CHUNK = 50
# Every so many plies all requests and successors are compared, not only the one that is played.
SUCCESSORS_EVERY = 32


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

    def compare(self) -> None:
        """Compare all that a position tells about itself."""
        game, position = self.game, self.position
        assert position.fen() == game.fen(), self.story()
        requests = [move.wire() for move in position.legal_moves]
        assert len(requests) == position.legal_moves.count(), self.story()
        assert sorted(requests) == sorted(game.legal()), self.story()
        assert dict(position.captured()) == game.captured(), self.story()
        assert position.repetitions() == game.occurrences(), self.story()
        end = game.end()
        outcome = None if end is None else Outcome(None if end[0] is None else Side(end[0]), Termination(end[1]))
        assert position.outcome() == outcome, self.story()

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
        """Compare what is legal over all pairs of squares, asked one by one and as a mask."""
        legal = {Move.from_text(request).index for request in self.game.legal()}
        mask = self.position.legal_mask()
        assert set(mask.nonzero()[0]) == legal, self.story()
        assert {index for index in range(len(mask)) if self.position.state.is_legal(index)} == legal, self.story()

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

    def check(self, pair: Pair) -> None:
        """A key that grew move by move equals that of the position set up afresh, and belongs to no other position."""
        identity, key = pair.game.identity(), pair.position.key
        fresh = Position.from_fen(pair.game.fen(), rules=pair.position.rules).key
        assert key == fresh, pair.story()
        assert self.key_of.setdefault(identity, key) == key, pair.story()
        twin = self.identity_of.setdefault(key, identity)
        assert twin == identity, f"has the key of {twin}: {pair.story()}"


def play_to_the_end(pair: Pair, keys: Keys, rng: random.Random, habit: float) -> str:
    """Compare at every ply of a random game; returns the reason of its end."""
    for ply in count():
        pair.compare()
        keys.check(pair)
        if ply % SUCCESSORS_EVERY == 0:
            pair.compare_every_request()
            pair.compare_successors()
        end = pair.game.end()
        if end is not None:
            return end[1]
        action = random_action(pair.game, rng, habit)
        pair.compare_outcomes(action[:4])
        pair.play(action)
    raise AssertionError


@pytest.mark.parametrize("chunk", range(tenth(2000) // WHOLE_CHUNK))
@pytest.mark.parametrize("rules", WHOLE_GAMES)
def test_generated_equals_reference_in_whole_games(rules: str, chunk: int) -> None:
    keys = Keys()
    for number in range(WHOLE_CHUNK):
        rng = random.Random(f"{rules} {chunk} {number}")
        play_to_the_end(Pair(rules), keys, rng, rng.choice((0, 0, 0, 0.5)))


@pytest.mark.parametrize("chunk", range(tenth(2000) // ENDGAME_CHUNK))
@pytest.mark.parametrize("rules", ENDGAMES)
def test_generated_equals_reference_in_endgames(rules: str, chunk: int) -> None:
    keys = Keys()
    ends: Counter[str] = Counter()
    for number in range(ENDGAME_CHUNK):
        rng = random.Random(f"{rules} {chunk} {number}")
        fen = random_endgame(parse(rules), rng)
        ends[play_to_the_end(Pair(rules, fen), keys, rng, rng.choice((0, 0, 0, 0.9)))] += 1
    assert ENDGAMES[rules] <= set(ends), f"so many games do not reach every end: {ends}"


@pytest.mark.parametrize("rules", WHOLE_GAMES)
def test_generated_equals_reference_where_a_piece_is_enclosed(rules: str) -> None:
    ends: Counter[str | None] = Counter()
    for number in range(tenth(10_000)):
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
    assert ends["no_moves"] > tenth(300), f"too few positions without a move: {ends}"


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
        *(Position.from_fen("3x/4/4/4/4/4/1p2/K3 r m - 5", rules=rules) for rules in WHOLE_GAMES if rules != "taiwan"),
    ]
    assert len({position.key for position in positions}) == len(positions)


def test_the_key_leaves_out_the_quiet_counter() -> None:
    quiet, loud = (Position.from_fen(f"3x/4/4/4/4/4/1p2/K3 r m - {plies}") for plies in (9, 0))
    assert quiet.key == loud.key
