"""What the benches record beside their times, and the table at the end."""

import re
import subprocess
from typing import Any

import pytest
from compiler import build
from report import report

DOCUMENT = pytest.StashKey[dict[str, Any]]()


def pytest_benchmark_update_machine_info(machine_info: dict[str, Any]) -> None:
    """Store the processor as lscpu names it, and which build is measured."""
    text = subprocess.run(["lscpu"], capture_output=True, text=True, check=True).stdout
    found = dict(re.findall(r"^(.+?):\s+(.+)$", text, re.MULTILINE))
    machine_info["lscpu"] = f"{found['Model name']}, family {found['CPU family']}, model {found['Model']}"
    machine_info["build"] = build()


def pytest_benchmark_update_json(config: pytest.Config, output_json: dict[str, Any]) -> None:
    """Keep for the summary what --benchmark-json writes."""
    config.stash[DOCUMENT] = output_json


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Show each measure beside its targets."""
    if DOCUMENT in config.stash:
        terminalreporter.section("measures")
        for line in report(config.stash[DOCUMENT]):
            terminalreporter.write_line(line)
