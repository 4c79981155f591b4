"""Fits the weights of the learned evaluation to games of the engine: `python -m banqi.evaluation.train --help`.

It needs torch (the extra `train`); nothing else in the package does.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import numpy as np
import numpy.typing as npt

from banqi.errors import BanqiError, EvaluationError
from banqi.evaluation.examples import (
    SLOPE,
    Examples,
    Floats,
    arrays_of,
    examples,
    first_features,
    first_worth,
    values,
    worth_learning,
)
from banqi.evaluation.shard import Shard, chosen, read_shard, shards_in, together
from banqi.evaluation.weights import Arrays, write_weights
from banqi.rules import Rules

BATCH: Final = 8192
HELD_OUT: Final = 0.1
"""The share of the games, the last ones of each folder, that are only looked at."""
_LEARNING_RATE: Final = 8e-3
# How much weights are drawn to where they began: times the sum of the squares of what they are away from it.
_PULL: Final = {"banqi": 1e-6, "junqi": 1e-4}


class Fit(NamedTuple):
    """How weights are fitted.

    epochs: how often all positions are gone through. foresight: how much later scores of a game count in what is aimed
    at (see `banqi.evaluation.examples.foreseen`). seed: of the order. threads: of torch; the weights are the same again
    for the same seed and threads.
    """

    epochs: int = 30
    foresight: float = 0.95
    seed: int = 1
    threads: int = 1


class Errors(NamedTuple):
    """The mean squares of the differences between values, and results and scores of the same positions."""

    results: float
    scores: float

    def __str__(self) -> str:
        return f"{self.results:.5f} from the results, {self.scores:.5f} from the search's scores"


def errors_of(found: Floats, result: npt.NDArray[np.int8], score: Floats) -> Errors:
    """Compare values with what became of their positions."""
    return Errors(float(np.mean((found - result) ** 2)), float(np.mean((found - score) ** 2)))


def split(rules: Rules, folders: Sequence[Sequence[Shard]]) -> tuple[Shard, Shard]:
    """Part the positions of some folders in those to learn from and those held out; no game is in both.

    Raises:
        EvaluationError: there are too few games.
    """
    learned, held = [], []
    for shards in folders:
        if not shards:
            continue
        shard = together(list(shards))
        first = np.unique(shard.game)
        last = shard.game >= first[int(len(first) * (1 - HELD_OUT))]
        learned.append(chosen(shard, ~last))
        held.append(chosen(shard, last))
    if not learned or min(int(worth_learning(rules, together(part)).sum()) for part in (learned, held)) == 0:
        raise EvaluationError("there are too few games to learn from")
    return together(learned), together(held)


def fit(rules: Rules, given: Examples, how: Fit) -> Iterator[tuple[int, float, Arrays | None]]:
    """Fit weights to examples; yield (epoch, mean loss, None) after each epoch, the weights with the last one.

    Raises:
        EvaluationError: torch is not installed.
    """
    torch = _torch()
    torch.manual_seed(how.seed)
    torch.set_num_threads(how.threads)
    torch.use_deterministic_algorithms(True)
    count, side = len(given.score), given.alive.shape[1] // 2
    features, alive = torch.from_numpy(given.features), torch.from_numpy(given.alive)
    stage, factor = torch.from_numpy(given.stage), torch.from_numpy(given.factor)
    target = torch.from_numpy(given.foreseen)
    alone = torch.tensor(first_worth(rules), requires_grad=True)
    own, enemy = (torch.zeros(side, side, requires_grad=True) for _ in range(2))
    first, whole = (torch.from_numpy(array) for array in first_features(rules))
    begun = first * whole[:, None]
    tapers = begun.clone().requires_grad_()
    # Each pair once.
    above = torch.triu(torch.ones(side, side), 1)

    def score(rows: Any) -> Any:
        mine, theirs = alive[rows].float().split(side, dim=1)
        pairs, against = own * above, enemy - enemy.T
        sum_ = (mine - theirs) @ alone + ((mine @ pairs) * mine).sum(1) - ((theirs @ pairs) * theirs).sum(1)
        sum_ = sum_ + ((mine @ against) * theirs).sum(1)
        ends = features[rows].float() @ (tapers / whole[:, None])
        return sum_ * factor[rows] + ends[:, 0] * stage[rows] + ends[:, 1] * (1 - stage[rows])

    weights = [alone, own, enemy, tapers]
    steps = -(-count // BATCH)
    optimiser = torch.optim.Adam(weights)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, _LEARNING_RATE, total_steps=how.epochs * steps)
    for epoch in range(how.epochs):
        order = torch.randperm(count)
        total = 0.0
        for rows in order.split(BATCH):
            found = score(rows)
            loss = ((SLOPE * found / torch.sqrt(found * found + 1) - target[rows]) ** 2).mean()
            total += float(loss.detach()) * len(rows)
            optimiser.zero_grad()
            away = (own * own).sum() + (enemy * enemy).sum() + ((tapers - begun) ** 2).sum()
            (loss + _PULL[rules.game] * away).backward()
            optimiser.step()
            schedule.step()
        last = epoch == how.epochs - 1
        fitted = (weight.detach().numpy() for weight in (alone, own * above, enemy, tapers / whole[:, None]))
        yield epoch + 1, total / count, arrays_of(rules, *fitted) if last else None


def _torch() -> Any:
    try:
        return import_module("torch")
    except ImportError:
        raise EvaluationError("learning needs the package torch: pip install 'banqi[train]'") from None


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="DIR...")
@click.option("--rules", default="taiwan", show_default=True, metavar="RULES", help="The rule set of the games.")
@click.option("--out", required=True, metavar="FILE", help="The file of weights to write.")
@click.option("--epochs", type=click.IntRange(1, 10_000), default=Fit().epochs, show_default=True, metavar="N")
@click.option(
    "--foresight",
    type=click.FloatRange(0, 1),
    default=Fit().foresight,
    show_default=True,
    metavar="P",
    help="How much the next score of a game counts beside the one before it, in what is aimed at.",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=Fit().seed, show_default=True, metavar="S")
@click.option("--threads", type=click.IntRange(1, 256), default=Fit().threads, show_default=True, metavar="N")
def command(
    folders: tuple[str, ...], rules: str, out: str, epochs: int, foresight: float, seed: int, threads: int
) -> None:
    """Fit the weights of the evaluation to the games in each DIR, which `banqi selfplay` wrote.

    The last tenth of each folder's games is held out; how far values are from their results and from the search's
    scores, in the mean of squares, is printed for the search itself, the evaluation written by hand, and the weights.
    The same games, options and version of torch give the same weights. It takes about 1 kB of memory for each position.
    """
    meaning = Rules.of(rules)
    _torch()
    started = time.monotonic()
    shards = [[read_shard(path) for _, path in shards_in(Path(folder))] for folder in folders]
    learned, held = split(meaning, shards)
    given, kept = examples(meaning, learned, foresight), examples(meaning, held)
    click.echo(f"{len(given.score):,} positions to learn from, {len(kept.score):,} held out")
    click.echo(f"search: {errors_of(kept.score, kept.result, kept.score)}")
    click.echo(f"written by hand: {errors_of(kept.by_hand, kept.result, kept.score)}")
    for epoch, loss, arrays in fit(meaning, given, Fit(epochs, foresight, seed, threads)):
        click.echo(f"epoch {epoch}: {loss:.5f} while learning, {time.monotonic() - started:.0f} s")
        if arrays is not None:
            found = values(meaning, chosen(held, worth_learning(meaning, held)), arrays)
            click.echo(f"learned: {errors_of(found, kept.result, kept.score)}")
            write_weights(out, arrays)


def main() -> int:
    """Run the command; return its exit status."""
    try:
        command.main(standalone_mode=False)
    except click.ClickException as error:
        message, status = error.format_message(), 2
    except BanqiError as error:
        message, status = str(error), 2
    except (KeyboardInterrupt, click.Abort):
        message, status = "interrupted", 130
    else:
        return 0
    print(f"train: {message}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
