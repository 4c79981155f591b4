"""What pairs of games say, against published figures, scipy's own distributions and calculations by hand."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import ttest_1samp

from banqi.arena import Sprt, rating
from banqi.arena.ratings import _fit, elo
from banqi.errors import ArenaError

# app/tests/elo_test.cpp of github.com/Disservin/fastchess, to 1 %; its third count, won and lost, and its fourth, twice
# drawn, are one here: pairs, normalised Elo and its error, Elo and its error.
FASTCHESS_ELO = [
    ([34, 54, 31 + 32, 64, 75], (57.94, 28.28, 55.58, 27.65)),
    ([332, 433, 457 + 41, 333, 334], (-9.17, 10.96, -8.64, 10.33)),
    ([7895, 8757, 5485 + 200, 568, 9999], (-19.01, 2.65, -21.04, 2.95)),
]
# app/tests/sprt_test.cpp of the same, "normalized pentanomial", to 1 %; then what fishtest printed, to its last digit,
# under github.com/official-stockfish/Stockfish/pull/5257 (STC) and pull/4403 (STC, and the retest that failed).
PUBLISHED_LLR = [
    ([365, 16618, 36029 + 200, 16974, 390], 0, 2, 2.25, 0.0225),
    ([127, 4883, 10311 + 401, 5150, 104], -1.75, 0.25, 3.01, 0.0301),
    ([914, 28467, 61458, 29126, 899], 0, 2, 2.99, 0.01),
    ([1402, 55789, 136915, 55460, 1426], -1.75, 0.25, 2.96, 0.01),
    ([44, 11252, 34531, 10903, 50], -1.75, 0.25, -2.94, 0.01),
]


@pytest.mark.parametrize(("pairs", "figures"), FASTCHESS_ELO)
def test_elo_is_what_was_published(pairs: list[int], figures: tuple[float, ...]) -> None:
    told = rating(pairs)
    assert (told.nelo, told.nelo_error, told.elo, told.elo_error) == pytest.approx(figures, rel=0.01)


def test_likelihood_of_superiority_is_what_was_published() -> None:
    assert rating(FASTCHESS_ELO[1][0]).los == pytest.approx(0.0505, abs=0.00005)


@pytest.mark.parametrize(("pairs", "nelo0", "nelo1", "llr", "within"), PUBLISHED_LLR)
def test_llr_is_what_was_published(pairs: list[int], nelo0: float, nelo1: float, llr: float, within: float) -> None:
    assert Sprt(nelo0, nelo1).llr(pairs) == pytest.approx(llr, abs=within)


@pytest.mark.parametrize(("pairs", "llr"), [(case[0], case[3]) for case in PUBLISHED_LLR[2:]])
def test_decisions_are_those_of_the_published_tests(pairs: list[int], llr: float) -> None:
    # (-2.94, 2.94) are the published bounds, rounded: log(0.95 / 0.05) is 2.944.
    test = Sprt(0, 2) if pairs[0] == 914 else Sprt(-1.75, 0.25)
    assert (test.lower, test.upper) == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    # One more pair that goes its way settles the one that was printed just short of its bound.
    decided = [pairs[0] + 40, *pairs[1:]] if llr < 0 else pairs
    assert test.decision(decided) is (llr > 0)


@pytest.mark.parametrize("pairs", [[3, 1, 4, 1, 5], [1, 20, 300, 20, 1], [0.001, 0.001, 0.001, 10, 1000]])
@pytest.mark.parametrize("t", [-0.4, -0.1, 0.0, 0.02, 0.4])
def test_the_fit_is_the_likeliest_distribution(pairs: list[float], t: float) -> None:
    """Against a general optimiser, which knows only the likelihood and the condition."""
    shares = np.array(pairs) / sum(pairs)
    scores = np.linspace(0, 1, 5)

    def above(p: np.ndarray) -> float:
        mean = p @ scores
        return float(mean - 0.5 - t * math.sqrt(p @ (scores - mean) ** 2))

    fitted = _fit(shares, t)
    assert fitted.sum() == pytest.approx(1)
    assert above(fitted) == pytest.approx(0, abs=1e-6)
    likelihood = shares @ np.log(fitted)
    conditions = [{"type": "eq", "fun": above}, {"type": "eq", "fun": lambda p: p.sum() - 1}]
    bounds = [(1e-9, 1)] * 5
    for start in (np.full(5, 0.2), fitted * 0.9 + 0.02):
        found = minimize(lambda p: -shares @ np.log(p), start, bounds=bounds, constraints=conditions, tol=1e-12)
        if found.success and abs(above(found.x)) < 1e-8:
            assert -found.fun <= likelihood + 1e-6


def test_the_interval_is_that_of_a_t_test_over_pairs() -> None:
    pairs = [100, 200, 400, 250, 150]
    told = rating(pairs)
    results = np.repeat(np.linspace(0, 1, 5), pairs)
    interval = ttest_1samp(results, 0.5).confidence_interval(0.95)
    assert told.score == pytest.approx(results.mean())
    # With 1,100 pairs Student's distribution and n - 1 are within a thousandth of the normal one and n.
    assert told.score_error == pytest.approx((interval.high - interval.low) / 2, rel=2e-3)


def test_what_cannot_be_told_is_no_number() -> None:
    assert all(math.isnan(value) for value in vars_of(rating([0] * 5)))
    assert (rating([0, 0, 0, 0, 9]).elo, rating([9, 0, 0, 0, 0]).nelo) == (math.inf, -math.inf)
    drawn = rating([0, 0, 9, 0, 0])
    assert (drawn.score, drawn.elo, drawn.nelo, drawn.los) == (0.5, 0, 0, 0.5)


def vars_of(told: object) -> list[float]:
    return [getattr(told, name) for name in type(told).__slots__]


def test_elo_of_a_score_by_hand() -> None:
    # 3 to 1 is 400 log10(3).
    assert elo(0.75) == pytest.approx(400 * math.log10(3))
    assert elo(0.25) == pytest.approx(-400 * math.log10(3))


def test_a_test_keeps_its_errors() -> None:
    """Of players as strong as each hypothesis says, few get the wrong verdict."""
    test = Sprt(-20, 60)
    rng = np.random.default_rng(1)
    for nelo, verdict in ((-20, True), (60, False)):
        probabilities = _fit(np.array([0.1, 0.2, 0.4, 0.2, 0.1]), nelo / (800 / math.log(10)) * math.sqrt(2))
        wrong = 0
        for _ in range(100):
            pairs, decided = [0] * 5, None
            while decided is None:
                for outcome in rng.choice(5, size=8, p=probabilities):
                    pairs[outcome] += 1
                decided = test.decision(pairs)
            wrong += decided is verdict
        # 5 are expected; more than 13 come once in a thousand.
        assert wrong <= 13


@pytest.mark.parametrize(
    "arguments",
    [
        (5, 0),
        (0, 0),
        (-101, 0),
        (0, 101),
        (math.nan, 5),
        (0, math.nan),
        (0, 5, 0),
        (0, 5, 0.5),
        (0, 5, 0.05, math.nan),
        ("a", 5),
    ],
)  # fmt: skip
def test_a_test_that_makes_no_sense_is_refused(arguments: tuple[float, ...]) -> None:
    with pytest.raises(ArenaError, match=r"the bounds of a test|is a probability|four numbers"):
        Sprt(*arguments)


@pytest.mark.parametrize("pairs", [[1, 2, 3], [0, 0, -1, 0, 0], [[1] * 5] * 5, [[1], [2, 3]], ["a"] * 5, None])
def test_pairs_are_five_counts(pairs: list[int]) -> None:
    for judge in (rating, Sprt(0, 5).llr):
        with pytest.raises(ArenaError, match="pairs are five counts"):
            judge(pairs)
