"""A program in a process of its own that answers lines: what it owes and does not give in time is noticed."""

import atexit
import os
import select
import signal
import subprocess
import threading
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import parent_process
from time import monotonic
from types import FrameType
from typing import Final

from banqi.arena.player import Fault, PlayerFault
from banqi.errors import ArenaError, shown

LONGEST_LINE: Final = 1 << 20
"""In bytes. A program that writes a longer one has crashed."""
_CHUNK: Final = 1 << 16
_LONGEST_COMPLAINT: Final = 2000
_GRACE_SECONDS: Final = 1.0
_NAP_SECONDS: Final = 0.1
"""The longest wait in one piece. A signal may come to another thread, and Python handles it in this one afterwards."""


class Pipe:
    """A running program. Every line that is sent is answered by one that begins with = or ?; other lines are skipped.

    Raises:
        ArenaError: it cannot be started.
    """

    def __init__(self, command: Sequence[str], *, env: Mapping[str, str] | None = None) -> None:
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, env=env
            )
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise ArenaError(f"cannot start {shown(command[0], 200)}: {reason}") from None
        streams = self._process.stdin, self._process.stdout, self._process.stderr
        self._stdin, self._stdout, self._stderr = (stream.fileno() for stream in streams if stream is not None)
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream, False)
        self._unread = b""
        self._complaint = b""
        # What reads from it, and is not at its end.
        self._open = [self._stdout, self._stderr]
        self._ended = False
        _running.add(self)
        _end_with_programs()

    @property
    def is_running(self) -> bool:
        """Whether the program is there to be asked."""
        return not self._ended and self._process.poll() is None

    def ask(self, line: str, seconds: float) -> tuple[str, str]:
        """Send a line and return the answer: = or ?, and what follows.

        seconds: how long the answer is waited for. After a fault the program is ended.

        Raises:
            PlayerFault: the program has ended (CRASH), or does not answer (HANG).
        """
        if self._ended:
            raise PlayerFault(Fault.CRASH, "the program is gone")
        deadline = monotonic() + seconds
        try:
            # What was said without being asked is no answer.
            self._read(0.0)
            self._unread = b""
            self._send(f"{line}\n".encode(), deadline)
            while True:
                answer = self._line(deadline)
                if answer[:1] in ("=", "?"):
                    return answer[0], answer[1:].rstrip("\r")
        except PlayerFault:
            self.kill()
            raise
        except OSError:
            # Nobody reads what is sent.
            gone = self._gone()
            self.kill()
            raise gone from None

    def _send(self, data: bytes, deadline: float) -> None:
        while data:
            left = deadline - monotonic()
            if left <= 0:
                raise PlayerFault(Fault.HANG, "the program reads nothing")
            ready = select.select(self._open, [self._stdin], [], min(left, _NAP_SECONDS))
            if ready[0]:
                self._read(0.0)
            if ready[1]:
                with suppress(BlockingIOError):
                    data = data[os.write(self._stdin, data) :]

    def _line(self, deadline: float) -> str:
        while b"\n" not in self._unread:
            if self._stdout not in self._open:
                raise self._gone()
            if len(self._unread) > LONGEST_LINE:
                raise PlayerFault(Fault.CRASH, f"the program writes a line of more than {LONGEST_LINE} bytes")
            left = deadline - monotonic()
            if left <= 0:
                raise PlayerFault(Fault.HANG, "the program does not answer")
            self._read(min(left, _NAP_SECONDS))
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode(errors="replace")

    def _read(self, seconds: float) -> None:
        """Take in what there is, waiting so long for anything."""
        ready, _, _ = select.select(self._open, [], [], seconds)
        for stream in ready:
            try:
                part = os.read(stream, _CHUNK)
            except BlockingIOError:
                continue
            if not part:
                self._open.remove(stream)
            elif stream == self._stdout:
                self._unread += part
            else:
                self._complaint = (self._complaint + part)[-_LONGEST_COMPLAINT:]

    def _gone(self) -> PlayerFault:
        """What is to be said of a program that has closed its input or its output."""
        deadline = monotonic() + _GRACE_SECONDS
        while self._open and monotonic() < deadline:
            self._read(_NAP_SECONDS)
        text = "the program has closed its end"
        with suppress(subprocess.TimeoutExpired):
            status = self._process.wait(_GRACE_SECONDS)
            text = (
                f"the program has ended with status {status}"
                if status >= 0
                else f"the program died of signal {-status}"
            )
        lines = [line.strip() for line in self._complaint.decode(errors="replace").split("\n") if line.strip()]
        return PlayerFault(Fault.CRASH, f"{text}: {shown(lines[-1], 200)}" if lines else text)

    def kill(self) -> None:
        """End the program at once. Nothing more can be asked of it."""
        self._ended = True
        with suppress(OSError):
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        _running.discard(self)


_running: weakref.WeakSet[Pipe] = weakref.WeakSet()


def _end_with_programs() -> None:
    """Let the signals that end a process which plays for another one end its programs, too."""
    if parent_process() is None or threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end_all)


def _end_all(number: int, frame: FrameType | None) -> None:
    for pipe in list(_running):
        with suppress(OSError):
            pipe._process.kill()
    os._exit(128 + number)


@atexit.register
def _kill_all() -> None:
    for pipe in list(_running):
        pipe.kill()
