"""What the documents tell people to type works.

In every fenced block of a document, `sh` and `console` blocks are commands, `python` blocks are programs or, with
`>>>`, sessions. Commands run in an empty folder with the environment's programs first. A make target is looked up
only: .ci/run runs those that the README opens with.
"""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "banqi/README.md", "bench/README.md"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.checkout


def blocks(document: str, *languages: str) -> list[str]:
    path = ROOT / document
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [body for language, body in BLOCK.findall(text) if language in languages]


def commands(block: str) -> list[str]:
    """The commands of a block: the lines that begin with `$ ` if there are any, else all. A backslash joins lines."""
    lines = block.replace("\\\n", " ").splitlines()
    if any(line.startswith("$ ") for line in lines):
        lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [line for line in lines if line.strip() and not line.startswith("#")]


COMMANDS = [
    pytest.param(command, id=f"{document}: {command}")
    for document in DOCUMENTS
    for block in blocks(document, "sh", "console")
    for command in commands(block)
]


def test_readme_opens_with_the_two_commands() -> None:
    first = blocks("README.md", "sh", "console")[0]
    assert [command.split("#")[0].strip() for command in commands(first)] == ["make run", "make test"]


@pytest.mark.parametrize("command", COMMANDS)
def test_command_runs(command: str, tmp_path: Path) -> None:
    folder = tmp_path
    if re.match(r"(\w+=\S+ )*make\b", command):
        command, folder = command.replace("make", "make --dry-run", 1), ROOT
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env=os.environ
        | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            # Games are kept in the user's folders.
            "XDG_DATA_HOME": str(tmp_path / "data"),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("document", DOCUMENTS)
def test_python_examples_work(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of one document build on each other, as they do for a reader."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for number, block in enumerate(blocks(document, "python", "pycon")):
        name = f"{document}, python block {number + 1}"
        if ">>> " in block:
            examples = doctest.DocTestParser().get_doctest(block, names, name, document, 0)
            report: list[str] = []
            assert runner.run(examples, out=report.append, clear_globs=False).failed == 0, "".join(report)
            names = examples.globs
        else:
            exec(compile(block, name, "exec"), names)
