"""The page's scripts as texts."""

import subprocess
from pathlib import Path

import pytest

from banqi.server.page import FOLDER
from tools import ROOT, require_tool

SCRIPTS = sorted([*FOLDER.rglob("*.js"), *(ROOT / "tests").glob("*.mjs")])

pytestmark = pytest.mark.checkout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_script_is_a_module(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    command = [require_tool("node"), "--input-type=module", "--check"]
    checked = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8")
    assert checked.returncode == 0, checked.stderr
    assert text.endswith("\n")
    for number, line in enumerate(text.splitlines(), 1):
        # A text in a language is not broken.
        assert len(line) <= 120 or script.parent.name == "languages", number
        assert line == line.rstrip(), number
        assert "\t" not in line, number


def test_a_broken_module_is_found() -> None:
    command = [require_tool("node"), "--input-type=module", "--check"]
    checked = subprocess.run(command, input="export const x = ;\n", capture_output=True, text=True)
    assert checked.returncode != 0
