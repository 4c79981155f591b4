"""What some tests need besides Python packages. With BANQI_REQUIRE_ALL=1 lacking it is a failure."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).parent.parent
REQUIRE_ALL = os.environ.get("BANQI_REQUIRE_ALL") == "1"
LEFT_OUT = "left out: "

# The games are no part of the project: they lie in the folder that BANQI_SHARED names, or in `shared` beside the
# checkout.
SHARED = Path(os.environ.get("BANQI_SHARED") or ROOT.parent / "shared")
_TOURNAMENT = SHARED / "games" / "tournament-2022.jsonl"
TOURNAMENT_RULES = "taiwan(quiet_limit=60, repetition=cycle)"

needs_tournament_games = pytest.mark.skipif(
    not _TOURNAMENT.exists(), reason=f"{LEFT_OUT}the tournament's games are not at hand (BANQI_SHARED)"
)


def tournament_games() -> list[dict[str, str]]:
    """The games that programs played in a tournament: moves, result, end and first_colour, as they are stored."""
    return [json.loads(line) for line in _TOURNAMENT.read_text(encoding="ascii").splitlines()]


def stored_termination(game: dict[str, str]) -> str:
    """The word for the end of a stored game; a repetition is stored with the length of its cycle."""
    return "repetition" if game["end"].startswith("repetition_cycle_") else game["end"]


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


# It ends a process that crashes before the system does, and speaks up at too large a request.
needs_plain_memory = pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""), reason=f"{LEFT_OUT}AddressSanitizer answers for the system"
)
