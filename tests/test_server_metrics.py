"""How the server is: figures for Prometheus, and whether it serves."""

from pathlib import Path

import pytest

from banqi.server.metrics import CONTENT_TYPE, Metrics
from banqi.server.store import Store, Unavailable
from served import Caller, served


def test_figures_are_counted() -> None:
    metrics = Metrics()
    metrics.count("games")
    for status in (200, 200, 404):
        metrics.count("responses", f'status="{status}"')
    metrics.gauge("rooms", lambda: 3)
    for seconds in (0.001, 0.005, 0.2, 9.0):
        metrics.observe(seconds)
    lines = metrics.text().splitlines()
    # Buckets are cumulative, and their bounds belong to them.
    for line in (
        "banqi_games_total 1",
        'banqi_responses_total{status="200"} 2',
        'banqi_responses_total{status="404"} 1',
        "banqi_rooms 3",
        'banqi_accept_seconds_bucket{le="0.005"} 2',
        'banqi_accept_seconds_bucket{le="0.1"} 2',
        'banqi_accept_seconds_bucket{le="0.25"} 3',
        'banqi_accept_seconds_bucket{le="2.5"} 3',
        'banqi_accept_seconds_bucket{le="+Inf"} 4',
        "banqi_accept_seconds_sum 9.206000",
        "banqi_accept_seconds_count 4",
    ):
        assert line in lines
    kinds = [line.split()[2:] for line in lines if line.startswith("# TYPE")]
    assert kinds == [
        ["banqi_games_total", "counter"],
        ["banqi_responses_total", "counter"],
        ["banqi_rooms", "gauge"],
        ["banqi_accept_seconds", "histogram"],
    ]


def test_figures_are_served(tmp_path: Path) -> None:
    with served(f"sqlite:///{tmp_path / 'games.db'}") as address, Caller(address) as caller:
        pair = caller.game()
        caller.move(pair)
        answer = caller.client.get("/metrics")
        assert answer.headers["content-type"] == CONTENT_TYPE
        figures = dict(line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#"))
        # Two nonces and a move.
        assert figures["banqi_accepted_total"] == figures["banqi_accept_seconds_count"] == "3"
        assert figures["banqi_games_total"] == figures["banqi_rooms"] == "1"
        assert figures["banqi_watchers"] == "0"


def test_health_tells_of_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(_: Store) -> None:
        raise Unavailable("the connection is lost")

    with served(f"sqlite:///{tmp_path / 'games.db'}") as address, Caller(address) as caller:
        assert caller.get("/health") == {"status": "ok"}
        with monkeypatch.context() as patched:
            patched.setattr(Store, "ping", away)
            assert caller.get("/health", status=503) == {"status": "database"}
        assert caller.get("/health") == {"status": "ok"}
