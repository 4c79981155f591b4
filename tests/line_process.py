"""A process of the command line that answers by lines, as the program at its other end has it."""

import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import banqi

PATIENCE = 60.0
# Says when it has been imported: before that no program can catch Ctrl-C.
READY = ("-c", "import sys; from banqi.cli import main; print('ready', flush=True); sys.exit(main(sys.argv[1:]))")


class LineProcess:
    """`banqi COMMAND`. Whatever it owes and does not give in time is a failure."""

    def __init__(self, command: str, *arguments: str, program: tuple[str, ...] = ("-m", "banqi")) -> None:
        path = os.pathsep.join(filter(None, [str(Path(banqi.__file__).parent.parent), os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            [sys.executable, *program, command, *arguments],
            # With an empty PYTHONUNBUFFERED its output waits until it is flushed, wherever the tests run.
            env=os.environ | {"PYTHONPATH": path, "PYTHONUNBUFFERED": ""},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self._unread = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.communicate()

    def write(self, data: bytes) -> None:
        """Send bytes, all of them."""
        assert self.process.stdin is not None
        while data:
            data = data[self.process.stdin.write(data) :]

    def line(self, patience: float = PATIENCE) -> str:
        """The next line."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + patience
        while b"\n" not in self._unread:
            left = max(0.0, deadline - time.monotonic())
            assert select.select([self.process.stdout], [], [], left)[0], "no answer"
            part = self.process.stdout.read(1 << 16)
            assert part, f"the program has ended, and said {self._unread!r}"
            self._unread += part
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode()

    def rest(self) -> tuple[int, bytes, bytes]:
        """Close its input: the exit status and what else it says."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, self._unread + out, err
