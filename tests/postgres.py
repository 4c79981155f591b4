"""A PostgreSQL of one's own: a new cluster on a Unix socket, run by an unprivileged user."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools import leave_out


def _program(name: str) -> str:
    # Debian keeps the server's programs out of PATH, a folder for each version.
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    path = str(found[-1]) if found else shutil.which(name)
    if path is None:
        leave_out("PostgreSQL is not installed")
    return path


class Cluster:
    """A cluster that runs. folder: that of its socket."""

    def __init__(self, folder: Path, command: list[str], who: dict[str, Any]) -> None:
        self.folder = folder
        self._command = command
        self._who = who
        self.start()

    def start(self) -> None:
        """Run it, and wait until it can be reached."""
        with (self.folder / "log").open("a") as log:
            self._server = subprocess.Popen(self._command, cwd=self.folder, stdout=log, stderr=log, **self._who)
        _wait(self.folder, self._server)

    def stop(self) -> None:
        """End it at once, and its connections with it."""
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait(60)


@contextmanager
def cluster() -> Iterator[Path]:
    """Run a new cluster; yields the folder of its socket. Its superuser is `banqi`, and asks for no password."""
    with own_cluster() as running:
        yield running.folder


@contextmanager
def own_cluster(*settings: str) -> Iterator[Cluster]:
    """Run a new cluster that may be stopped and started again. settings: further arguments of the server."""
    initdb, postgres = _program("initdb"), _program("postgres")
    # PostgreSQL refuses to run as root, and nobody else can look into the folders of pytest.
    who: dict[str, Any] = {}
    folder = Path(tempfile.mkdtemp(prefix="banqi"))
    if os.getuid() == 0:
        who = {"user": "nobody", "group": "nogroup", "extra_groups": []}
        shutil.chown(folder, "nobody", "nogroup")
    try:
        data = folder / "data"
        make = [initdb, "-D", str(data), "-U", "banqi", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        subprocess.run(make, cwd=folder, check=True, capture_output=True, **who)
        run = [postgres, "-D", str(data), "-k", str(folder), "-c", "listen_addresses=", *settings]
        running = Cluster(folder, run, who)
        try:
            yield running
        finally:
            # At once: nothing of it is needed again, so nothing is written.
            running.stop()
    finally:
        shutil.rmtree(folder)


def _wait(folder: Path, server: "subprocess.Popen[bytes]") -> None:
    import psycopg

    for _ in range(300):
        try:
            psycopg.connect(f"postgresql://banqi@/postgres?host={folder}").close()
            return
        except psycopg.OperationalError:
            assert server.poll() is None, (folder / "log").read_text()
            time.sleep(0.1)
    raise AssertionError((folder / "log").read_text())


def new_database(folder: Path, name: str) -> str:
    """Make a database in a cluster and return its URL."""
    import psycopg

    with psycopg.connect(f"postgresql://banqi@/postgres?host={folder}", autocommit=True) as connection:
        connection.execute(f'create database "{name}"'.encode())
    return f"postgresql://banqi@/{name}?host={folder}"
