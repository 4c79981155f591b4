"""Figures about the server in the text format that Prometheus reads."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from typing import Final

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""In seconds."""


class Metrics:
    """Counters, gauges that are asked when they are read, and how long requests of games took to be stored."""

    def __init__(self) -> None:
        self._counters: Counter[tuple[str, str]] = Counter()
        self._gauges: dict[str, Callable[[], float]] = {}
        self._buckets = [0] * (len(_BOUNDS) + 1)
        self._seconds = 0.0

    def count(self, name: str, label: str = "") -> None:
        """Add one. label: such as `status="429"`; never anything that a client can choose."""
        self._counters[name, label] += 1

    def gauge(self, name: str, value: Callable[[], float]) -> None:
        """Tell a figure from now on."""
        self._gauges[name] = value

    def observe(self, seconds: float) -> None:
        """Take how long a request took until it was stored."""
        self._buckets[bisect_left(_BOUNDS, seconds)] += 1
        self._seconds += seconds

    def text(self) -> str:
        """Return all figures."""
        lines = []
        for name in sorted({name for name, _ in self._counters}):
            lines.append(f"# TYPE banqi_{name}_total counter")
            for (counted, label), number in sorted(self._counters.items()):
                if counted == name:
                    lines.append(f"banqi_{name}_total{{{label}}} {number}" if label else f"banqi_{name}_total {number}")
        for name, value in sorted(self._gauges.items()):
            lines += [f"# TYPE banqi_{name} gauge", f"banqi_{name} {value():g}"]
        lines.append("# TYPE banqi_accept_seconds histogram")
        total = 0
        for bound, number in zip((*_BOUNDS, "+Inf"), self._buckets, strict=True):
            total += number
            lines.append(f'banqi_accept_seconds_bucket{{le="{bound}"}} {total}')
        lines += [f"banqi_accept_seconds_sum {self._seconds:.6f}", f"banqi_accept_seconds_count {total}"]
        return "\n".join(lines) + "\n"
