"""Engines of other revisions: each is built once into an environment of its own, and plays in a process of its own.

They lie in the folder banqi/builds of the user's cache ($XDG_CACHE_HOME or ~/.cache), each with its log, until somebody
deletes them.
"""

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from banqi.arena.fingerprint import PACKAGE
from banqi.arena.pipe import Pipe
from banqi.arena.player import Answer, Fault, Pace, PlayerFault
from banqi.errors import ArenaError, shown
from banqi.move import Move
from banqi.piece import Side
from banqi.position import Position

COMMIT_DIGITS: Final = 12
HERE: Final = "."
"""Stands for this build, in a process of its own, where it may crash."""
_SERVER: Final = Path(__file__).with_name("serve.py")
# What makes two builds of one revision differ.
_VARIABLES: Final = ("BANQI_ISA", "BANQI_PORTABLE", "BANQI_SANITIZE", "CC", "CFLAGS")
_READY: Final = "ready"


def commit_of(revision: str) -> str:
    """Return the first digits of the commit that a revision names, in this checkout or else in the current folder's.

    HERE names itself.

    Raises:
        ArenaError: there is no git checkout, or no such revision in it.
    """
    if revision == HERE:
        return HERE
    command = ["git", "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"]
    try:
        found = subprocess.run(command, cwd=_checkout(), capture_output=True, text=True, check=False)
    except (OSError, ValueError):
        raise ArenaError("a build of a revision needs git") from None
    if found.returncode != 0:
        raise ArenaError(f"{shown(revision, 100)} is no revision of the git checkout {shown(str(_checkout()), 200)}")
    return found.stdout.strip()[:COMMIT_DIGITS]


def _checkout() -> Path:
    return PACKAGE.parent if (PACKAGE.parent / ".git").exists() else Path.cwd()


def python_of(commit: str) -> Path:
    """Return the Python of a commit's environment, which is made if it is not there: that takes some minutes.

    Raises:
        ArenaError: it cannot be built.
    """
    variant = "\0".join((sys.version, *(os.environ.get(name, "") for name in _VARIABLES)))
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "banqi" / "builds"
    folder = cache / f"{commit}-{sha256(variant.encode()).hexdigest()[:8]}"
    python = folder / "venv" / "bin" / "python"
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with _alone(folder.with_suffix(".lock")):
            if not (folder / _READY).exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                _build(commit, folder, python)
                (folder / _READY).touch()
    except OSError as error:
        raise ArenaError(f"cannot build {commit} in {shown(str(cache), 200)}: {error.strerror or error}") from None
    return python


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Let those who want the same environment wait for the one who makes it."""
    with open(lock, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _build(commit: str, folder: Path, python: Path) -> None:
    source, archive = folder / "source", folder / "source.tar"
    source.mkdir()
    for command in (
        ["git", "-C", str(_checkout()), "archive", "--output", str(archive), commit],
        ["tar", "-xf", str(archive), "-C", str(source)],
        [sys.executable, "-m", "venv", str(folder / "venv")],
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(source)],
    ):
        _run(command, folder / "log.txt", commit)
    archive.unlink()
    shutil.rmtree(source)


def _run(command: Sequence[str], log: Path, commit: str) -> None:
    with open(log, "a+b") as file:
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, check=False)
    if ended.returncode != 0:
        said = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
        last = f": {shown(said[-1], 200)}" if said else ""
        raise ArenaError(f"{commit} cannot be built, see {shown(str(log), 300)}{last}")


def _server(commit: str) -> Pipe:
    """Start the engine of a commit.

    Raises:
        ArenaError: it cannot be started.
    """
    if commit == HERE:
        return Pipe([sys.executable, "-P", str(_SERVER)], env=os.environ | {"PYTHONPATH": str(PACKAGE.parent)})
    # Isolated, so that no other banqi than the installed one is found.
    return Pipe([str(python_of(commit)), "-I", str(_SERVER)])


class BuildPlayer:
    """The engine of a commit. It plays as that build's own does with the same arguments.

    patience: the seconds in which it has to answer, beyond its time for a move.

    Raises:
        ArenaError: the commit cannot be built.
    """

    def __init__(self, commit: str, pace: Pace, options: Mapping[str, Any], patience: float) -> None:
        self._commit = commit
        self._pace = pace
        self._options = dict(options)
        self._patience = patience
        if commit != HERE:
            python_of(commit)
        self._pipe: Pipe | None = None
        self._moves: list[str] = []

    def begin(self, position: Position, seed: str) -> None:
        """Begin a game."""
        if self._pipe is None or not self._pipe.is_running:
            self.close()
            try:
                self._pipe = _server(self._commit)
            except ArenaError as error:
                raise PlayerFault(Fault.CRASH, str(error)) from None
            self._ask({"open": self._options})
        self._moves = []
        self._ask({"begin": position.fen(), "rules": str(position.rules)})

    def move(self, position: Position, left: float | None) -> Answer:
        """Return the move."""
        limit = self._pace.limit(left)
        told = {
            "time": limit.time,
            "nodes": limit.nodes,
            "depth": limit.depth,
            "clocks": limit.clocks,
            "inc": limit.inc,
        }
        said = {"moves": self._moves, "limit": {name: value for name, value in told.items() if value}}
        self._moves = []
        result = self._ask(said, max(0.0, self._pace.allowed(left) or 0.0))
        return Answer(result["move"], result["score"], result["nodes"])

    def told(self, move: Move, position: Position, left: float | None) -> None:
        """Keep an action of either side for the next question."""
        self._moves.append(str(move))

    def ended(self, winner: Side | None) -> None:
        """Tell nothing: the next game tells it."""

    def close(self) -> None:
        """End the process."""
        if self._pipe is not None:
            self._pipe.kill()
            self._pipe = None

    def _ask(self, said: Mapping[str, Any], seconds: float = 0.0) -> Any:
        if self._pipe is None:
            raise PlayerFault(Fault.CRASH, "the program is gone")
        sign, text = self._pipe.ask(json.dumps(said), seconds + self._patience)
        if sign == "?":
            raise PlayerFault(Fault.CRASH, text)
        try:
            return json.loads(text)
        except ValueError:
            raise PlayerFault(Fault.CRASH, f"its answer is {shown(text, 100)}") from None
