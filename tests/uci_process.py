"""A process that speaks UCI, as a driver has it."""

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import banqi

PATIENCE = 60.0
# Says when it has been imported: before that no program can catch Ctrl-C.
READY = ("-c", "import sys; from banqi.cli import main; print('ready', flush=True); sys.exit(main(sys.argv[1:]))")


class UciProcess:
    """`banqi uci`. Whatever it owes and does not give in time is a failure."""

    def __init__(self, *arguments: str, program: tuple[str, ...] = ("-m", "banqi")) -> None:
        path = os.pathsep.join(filter(None, [str(Path(banqi.__file__).parent.parent), os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            [sys.executable, *program, "uci", *arguments],
            # With an empty PYTHONUNBUFFERED its output waits until it is flushed, wherever the tests run.
            env=os.environ | {"PYTHONPATH": path, "PYTHONUNBUFFERED": ""},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self._unread = b""

    def __enter__(self) -> "UciProcess":
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.communicate()

    def send(self, *lines: str | bytes) -> None:
        """Send lines, each with its end."""
        assert self.process.stdin is not None
        data = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
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

    def until(self, last: str, patience: float = PATIENCE) -> list[str]:
        """The next lines, to the first that begins so."""
        lines = [self.line(patience)]
        while not lines[-1].startswith(last):
            lines.append(self.line(patience))
        return lines

    def ask(self, *lines: str | bytes) -> list[str]:
        """Send lines; what is said until they have been obeyed."""
        self.send(*lines, "isready")
        return self.until("readyok")[:-1]

    def go(self, line: str = "go nodes 50") -> list[str]:
        """Let it search; all that it tells of the search, the best move last."""
        self.send(line)
        return self.until("bestmove")

    def best(self, line: str = "go nodes 50") -> str:
        """Let it search; the best move."""
        return self.go(line)[-1].removeprefix("bestmove ")

    def state(self) -> dict[str, str]:
        """What `d` tells below the board, by its words."""
        self.send("d")
        return dict(line.split(": ", 1) for line in self.until("Outcome: ") if line[0].isupper() and ": " in line)

    def end(self) -> tuple[int, str, str]:
        """Close its input: the exit status and what else it says."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, (self._unread + out).decode(), err.decode()
