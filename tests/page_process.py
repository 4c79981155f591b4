"""A Node process that answers questions about the page's rules (page_rules.mjs)."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from banqi.server.tables import tables_json
from tools import ROOT, require_tool


class PageRules:
    """The rules as the page has them, fed with the tables as the server sends them."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._send(tables_json().decode())

    def ask(self, name: str, *given: object) -> Any:
        """The answer to a question of page_rules.mjs; {"error": message} if it was refused."""
        self._send(json.dumps([name, *given]))
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the page's rules have crashed"
        return json.loads(line)

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()


@contextmanager
def page_rules() -> Iterator[PageRules]:
    """The page's rules in a process; without Node the test is left out."""
    command = [require_tool("node"), "tests/page_rules.mjs"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        try:
            yield PageRules(process)
        finally:
            process.kill()
