"""Settings of the whole suite: what is imported, how hypothesis draws, what was left out."""

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import hypothesis
import pytest

import banqi
import postgres
from banqi.core import _cpu
from sizes import VERIFY
from tools import LEFT_OUT, REQUIRE_ALL

ROOT = Path(__file__).parent.parent
VARIANT = os.environ.get("BANQI_VARIANT", "")
PACKAGE = Path(banqi.__file__).parent

# Time says nothing on a machine that others use too, so there are no deadlines.
hypothesis.settings.register_profile("default", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.register_profile("verify", deadline=None, derandomize=True, print_blob=True, max_examples=1000)
hypothesis.settings.load_profile("verify" if VERIFY else "ci" if REQUIRE_ALL else "default")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to test another build than the one asked for."""
    expected = ROOT / "build" / VARIANT / "lib" / "banqi" if VARIANT else ROOT / "banqi"
    if expected != PACKAGE:
        raise pytest.UsageError(f"banqi is imported from {PACKAGE}, not from {expected}")


def pytest_report_header(config: pytest.Config) -> str:
    """One line that says which build is tested, and how large the counts are."""
    level = f"x86-64-v{_cpu.needed}" if _cpu.needed else "base instruction set"
    counts = "whole counts" if VERIFY else "a tenth of the large counts"
    return f"banqi {banqi.__version__}: {VARIANT or 'normal'} build, {level}, {counts}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what could not run here."""
    reasons = {
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple)
    }
    for reason in sorted(reason for reason in reasons if reason.startswith(LEFT_OUT)):
        terminalreporter.write_line(reason, yellow=True)


_NUMBERS = count()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Path]:
    """A PostgreSQL of this session."""
    with postgres.cluster() as folder:
        yield folder


@pytest.fixture
def postgresql(cluster: Path) -> str:
    """The URL of a new database."""
    return postgres.new_database(cluster, f"games{next(_NUMBERS)}")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new database, of each kind in turn."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgresql"))
    return f"sqlite:///{tmp_path / 'games.db'}"
