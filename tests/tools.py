"""What some tests need besides Python packages. With BANQI_REQUIRE_ALL=1 lacking it is a failure."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).parent.parent
REQUIRE_ALL = os.environ.get("BANQI_REQUIRE_ALL") == "1"
LEFT_OUT = "left out: "


def leave_out(reason: str) -> NoReturn:
    """End the test: as skipped, and listed when the run ends, or as failed where everything is required."""
    if REQUIRE_ALL:
        pytest.fail(f"BANQI_REQUIRE_ALL is set, but {reason}", pytrace=False)
    pytest.skip(LEFT_OUT + reason)


def require_tool(name: str) -> str:
    """The path of a program; without it the test is left out."""
    path = shutil.which(name)
    if path is None:
        leave_out(f"{name} is not installed")
    return path


def checkout_files() -> list[Path]:
    """Every file that is or would be committed, relative to ROOT; without a git checkout the test is left out."""
    if not (ROOT / ".git").exists():
        leave_out("this is no git checkout")
    command = [require_tool("git"), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [Path(name) for name in listing.split("\0") if name and (ROOT / name).exists()]
