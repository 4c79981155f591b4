"""What the results of paired games say about strength: score, Elo, normalised Elo, the sequential test.

A pair of games, the same deal with the seats swapped, has one of five outcomes: 0, 1/2, 1, 3/2 or 2 points. Both games
share their luck, so the pair is what varies independently, and all errors are computed from pairs. Michel Van den Bergh
tells the mathematics: "Comments on normalized Elo", https://www.cantate.be/Fishtest/normalized_elo_practical.pdf.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from banqi.errors import ArenaError, shown

OUTCOMES: Final = 5
ELO_OF_T: Final = 800 / math.log(10)
"""Normalised Elo for one standard deviation of a game's result."""
CONFIDENCE: Final = 0.95
MOST_NELO: Final = 100.0
"""The largest bound of a sequential test, either way: far beyond, a fit may miss the likeliest distribution."""

_SCORES: Final = np.linspace(0.0, 1.0, OUTCOMES)
_PRIOR: Final = 1e-3
"""How often an outcome counts that was never seen: the likelihoods need all five."""
_ROUNDS: Final = 200
_CLOSE: Final = 1e-10


def _scipy(module: str) -> Any:
    try:
        return import_module(f"scipy.{module}")
    except ImportError:
        raise ArenaError("the arena needs scipy: pip install 'banqi[arena]'") from None


@dataclass(frozen=True, slots=True)
class Rating:
    """What pairs of games say, for the first player: each figure with half of its 95 % interval.

    score: points a game, 0 to 1. elo: logistic. nelo: normalised, which does not depend on how many games are drawn.
    los: the likelihood of superiority. Elo is infinite where every game was won or lost; a figure that the pairs do
    not tell is nan.
    """

    score: float
    score_error: float
    elo: float
    elo_error: float
    nelo: float
    nelo_error: float
    los: float


def rating(pairs: Sequence[int]) -> Rating:
    """Return what the pairs say: how many had 0, 1/2, 1, 3/2 and 2 points.

    Raises:
        ArenaError: scipy is not installed, or these are no five counts.
    """
    counts = _counts(pairs)
    number = float(counts.sum())
    if number == 0:
        return Rating(*(math.nan,) * 7)
    normal = _scipy("stats").norm
    z = float(normal.ppf((1 + CONFIDENCE) / 2))
    mean, deviation = _moments(counts / number)
    error = z * deviation / math.sqrt(number)
    if deviation > 0:
        t = (mean - 0.5) / deviation
        los = float(normal.cdf(t * math.sqrt(number)))
    else:
        t = math.copysign(math.inf, mean - 0.5) if mean != 0.5 else 0.0
        los = (1 + (mean > 0.5) - (mean < 0.5)) / 2
    return Rating(
        mean,
        error,
        elo(mean),
        math.inf if abs(mean - 0.5) == 0.5 else (elo(min(mean + error, 1.0)) - elo(max(mean - error, 0.0))) / 2,
        ELO_OF_T * t / math.sqrt(2),
        ELO_OF_T * z / math.sqrt(2 * number),
        los,
    )


def elo(score: float) -> float:
    """Return the logistic Elo difference of an expected score from 0 to 1.

    >>> round(elo(0.75))
    191
    """
    if 0 < score < 1:
        # A zero has no sign.
        return -400 * math.log10(1 / score - 1) + 0.0
    return math.copysign(math.inf, score - 0.5)


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test: is the first player's normalised Elo nelo1 rather than nelo0?

    alpha: how often a player of nelo0 may pass. beta: how often one of nelo1 may fail.

    Raises:
        ArenaError: a bound or a probability makes no sense.
    """

    nelo0: float
    nelo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for value in (self.nelo0, self.nelo1, self.alpha, self.beta):
            if not isinstance(value, int | float):
                raise ArenaError(f"a test has four numbers, and {shown(value)} is none")
        # What is not a number is neither above nor below another.
        if not -MOST_NELO <= self.nelo0 < self.nelo1 <= MOST_NELO:
            raise ArenaError(
                f"the bounds of a test are two normalised Elo, the smaller first, from {-MOST_NELO:g} to "
                f"{MOST_NELO:g}, not {shown(self.nelo0)} and {shown(self.nelo1)}"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise ArenaError(f"{name} is a probability above 0 and below 0.5, not {shown(value)}")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which the test fails."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which the test is passed."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Sequence[int]) -> float:
        """Return the log-likelihood ratio of the two hypotheses, each taken where it fits the pairs best.

        Raises:
            ArenaError: scipy is not installed, or these are no five counts.
        """
        counts = _counts(pairs)
        if not counts.any():
            return 0.0
        counts[counts == 0] = _PRIOR
        number = float(counts.sum())
        shares = counts / number
        # The deviation of a pair's mean is that of a game's result over the root of 2.
        fits = [_fit(shares, nelo / ELO_OF_T * math.sqrt(2)) for nelo in (self.nelo0, self.nelo1)]
        return number * float(shares @ (np.log(fits[1]) - np.log(fits[0])))

    def decision(self, pairs: Sequence[int]) -> bool | None:
        """Return whether the test is passed, None as long as it goes on."""
        llr = self.llr(pairs)
        return True if llr >= self.upper else False if llr <= self.lower else None


def _counts(pairs: Sequence[int]) -> npt.NDArray[np.float64]:
    try:
        counts = np.array(pairs, dtype=np.float64)
    except (TypeError, ValueError):
        counts = np.empty(0)
    if counts.shape != (OUTCOMES,) or not (counts >= 0).all():
        raise ArenaError(f"pairs are five counts, of 0, 1/2, 1, 3/2 and 2 points, not {shown(pairs)}")
    return counts


def _moments(shares: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Mean and standard deviation of a pair's mean result."""
    mean = float(shares @ _SCORES)
    return mean, math.sqrt(max(0.0, float(shares @ (_SCORES - mean) ** 2)))


def _fit(shares: npt.NDArray[np.float64], t: float) -> npt.NDArray[np.float64]:
    """The likeliest distribution of five outcomes, seen these shares, whose mean is `t` deviations above 1/2.

    Where the likelihood is greatest, its gradient is a multiple x of the condition's: each probability is its share
    over 1 + x * slope. Slopes depend on the distribution, so both are found in turn (section 4.1 of the source).
    """
    brentq = _scipy("optimize").brentq
    fitted = np.full(OUTCOMES, 1 / OUTCOMES)
    for _ in range(_ROUNDS):
        before = fitted
        mean, deviation = _moments(fitted)
        slopes = _SCORES - 0.5 - t * deviation / 2 * (1 + ((_SCORES - mean) / deviation) ** 2)
        weighted = list(zip((shares * slopes).tolist(), slopes.tolist(), strict=True))
        least, most = -1 / float(slopes.max()), -1 / float(slopes.min())
        inside = 1e-9 * (most - least)
        x = brentq(lambda x, items=weighted: sum(up / (1 + x * slope) for up, slope in items), least + inside,
                   most - inside, xtol=1e-13)  # fmt: skip
        fitted = shares / (1 + x * slopes)
        fitted /= fitted.sum()
        if float(np.abs(fitted - before).max()) < _CLOSE:
            break
    return fitted
