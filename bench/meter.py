"""How a benchmark is timed."""

import math
from collections.abc import Callable

from pytest_benchmark.fixture import BenchmarkFixture


def best(
    benchmark: BenchmarkFixture,
    work: Callable[[], int],
    *,
    rounds: int = 5,
    setup: Callable[[], None] | None = None,
) -> tuple[int, float]:
    """Run `work`, once to warm up and then `rounds` times, `setup` before each.

    Returns what the last round returned and the seconds of the fastest, NaN if benchmarks are disabled.
    """
    result: int = benchmark.pedantic(  # type: ignore[no-untyped-call]  # it has no types
        work, setup=setup, rounds=rounds, warmup_rounds=1
    )
    return result, math.nan if benchmark.stats is None else benchmark.stats.stats.min


def store(benchmark: BenchmarkFixture, measure: str, case: str, value: float, *, depth: int | None = None) -> None:
    """Add to the benchmark's record what the report reads: see report.Figure."""
    benchmark.extra_info.update(measure=measure, case=case, value=value, depth=depth)
