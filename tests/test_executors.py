"""Executors: processes, and a dask cluster of a scheduler and two workers on this machine."""

import filecmp
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from multiprocessing import active_children
from pathlib import Path
from threading import Thread

import pytest

from banqi import ExecutorError
from banqi.cli import main
from banqi.engine import SHIPPED_TABLES
from banqi.executors import dask_pool, process_pool, result_of
from tools import needs_plain_memory

SECONDS = 60
"""How long a cluster or a program is waited for."""


# ---- processes ---------------------------------------------------------------------------------------------------


def test_an_interrupted_pool_ends_its_processes() -> None:
    others = set(active_children())
    with pytest.raises(KeyboardInterrupt), process_pool(1) as executor:  # noqa: PT012  # all of it belongs together
        running = executor.submit(time.sleep, 600)
        while not running.running():
            time.sleep(0.01)
        begun = set(active_children()) - others
        raise KeyboardInterrupt
    assert len(begun) == 1
    # The pool's own thread waits for its processes too: a join that comes second returns before the end is known.
    for _ in range(600):
        if not any(child.is_alive() for child in begun):
            break
        time.sleep(0.1)
    else:
        pytest.fail("a process goes on")


def test_a_process_that_ends_is_told() -> None:
    with pytest.raises(ExecutorError, match="a process ended, and with it the work"), process_pool(1) as executor:
        result_of(executor.submit(os._exit, 3), "the work")


def test_an_error_of_a_task_is_raised_as_it_is() -> None:
    failed: Future[int] = Future()
    failed.set_exception(KeyError("mine"))
    with pytest.raises(KeyError, match="mine"):
        result_of(failed, "the work")


# ---- a dask cluster ----------------------------------------------------------------------------------------------


class Cluster:
    """A scheduler and two workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", self._file)
        self.address = self._address()
        for _ in range(2):
            self.add_worker()

    def add_worker(self) -> None:
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self.folder)]
        self._start("worker", self.address, *options)

    @property
    def _file(self) -> str:
        return str(self.folder / "scheduler.json")

    def _start(self, role: str, *options: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.dask_{role}", *options]
        with open(self.folder / f"{role}.log", "ab") as log:
            self.processes.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder))

    def _address(self) -> str:
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            try:
                return str(json.loads(Path(self._file).read_text())["address"])
            except (OSError, ValueError):
                time.sleep(0.05)
        pytest.fail("the scheduler does not start")

    def kill_scheduler(self) -> None:
        self.processes[0].kill()
        self.processes[0].wait()

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@contextmanager
def cluster_in(folder: Path) -> Iterator[Cluster]:
    cluster = Cluster(folder)
    try:
        yield cluster
    finally:
        cluster.end()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster_in(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


def building(cluster: Cluster, folder: Path, *options: str) -> list[str]:
    command = ["tablebase", "build", "--dir", str(folder), "--dask", cluster.address, *options]
    return [sys.executable, "-m", "banqi", *command]


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "taiwan").iterdir()) if (folder / "taiwan").exists() else []


def test_a_cluster_builds_the_same_files(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    # The workers have another working directory, so a relative folder must not be theirs.
    monkeypatch.chdir(tmp_path)
    assert main(["tablebase", "build", "--pieces", "3", "--dir", "t", "--dask", cluster.address]) == 0
    out, err = capfd.readouterr()
    assert out.startswith("25 of 25 classes to build: 240,064 positions, any number at once in up to ")
    assert err == ""
    names = files_in(SHIPPED_TABLES)
    assert files_in(tmp_path / "t") == names
    assert filecmp.cmpfiles(SHIPPED_TABLES / "taiwan", tmp_path / "t" / "taiwan", names, shallow=False)[0] == names


def test_both_workers_take_part(cluster: Cluster) -> None:
    workers: set[int] = set()
    until = time.monotonic() + SECONDS
    with dask_pool(cluster.address) as executor:
        while len(workers) < 2 and time.monotonic() < until:
            workers |= {result_of(task, "it") for task in [executor.submit(os.getpid) for _ in range(8)]}
    assert workers == {process.pid for process in cluster.processes[1:]}


def only_here() -> None:
    """The workers cannot import this module."""


def test_workers_that_lack_the_package_are_told(cluster: Cluster) -> None:
    with (
        pytest.raises(ExecutorError, match="have not the same version of banqi and Python"),
        dask_pool(cluster.address) as executor,
    ):
        result_of(executor.submit(only_here), "it")


def test_workers_that_die_of_a_task_are_told(tmp_path: Path) -> None:
    with cluster_in(tmp_path) as cluster, dask_pool(cluster.address) as executor:
        fatal = executor.submit(os._exit, 1)
        # A task that has taken three workers along is tried once more, then given up.
        for _ in range(4):
            cluster.add_worker()
        with pytest.raises(ExecutorError, match=r"the cluster gave up the work: .*died"):
            result_of(fatal, "the work")


def test_an_interrupted_build_leaves_whole_files(cluster: Cluster, tmp_path: Path) -> None:
    command = building(cluster, tmp_path, "--pieces", "4")
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        wait_for_files(tmp_path, 30, process)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=SECONDS)
    assert (process.returncode, error) == (130, "banqi: interrupted\n")
    # What runs on the workers goes on to its end; nothing else is begun.
    until = time.monotonic() + SECONDS
    while any(name.endswith(".part") for name in files_in(tmp_path)) and time.monotonic() < until:
        time.sleep(0.1)
    assert all(name.endswith(".tb") for name in files_in(tmp_path))


def wait_for_files(folder: Path, count: int, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + SECONDS
    while len(files_in(folder)) < count and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    assert len(files_in(folder)) >= count


def test_a_scheduler_that_dies_ends_a_build_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "cluster").mkdir()
    with cluster_in(tmp_path / "cluster") as cluster:
        command = building(cluster, tmp_path, "--pieces", "4")
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            wait_for_files(tmp_path, 30, process)
            cluster.kill_scheduler()
            _, error = process.communicate(timeout=SECONDS)
    assert process.returncode == 2
    assert error.startswith("banqi: the connection to the dask scheduler is lost, and with it the building of ")
    assert error.count("\n") == 1


@pytest.mark.parametrize("address", ["127.0.0.1:1", "tcp://127.0.0.1:1", "nowhere.invalid:8786", "", "x://y", "a b\nc"])
def test_an_address_without_a_scheduler_is_told_in_one_line(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("banqi.executors.CONNECT_SECONDS", 1)
    assert main(["tablebase", "build", "--pieces", "2", "--dir", str(tmp_path), "--dask", address]) == 2
    error = capfd.readouterr().err
    assert error.startswith("banqi: there is no dask scheduler at ")
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
    assert logging.getLogger("distributed.client").isEnabledFor(logging.CRITICAL)


@needs_plain_memory
@pytest.mark.parametrize("greeting", [b"SSH-2.0-OpenSSH_9.2\r\n", b"", bytes(64)])
def test_another_server_is_told_in_one_line(
    greeting: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("banqi.executors.CONNECT_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        connections = []

        def answer() -> None:
            with suppress(OSError):
                while True:
                    connections.append(server.accept()[0])
                    connections[-1].sendall(greeting)

        Thread(target=answer, daemon=True).start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        begun = time.monotonic()
        assert main(["tablebase", "build", "--pieces", "2", "--dir", str(tmp_path), "--dask", address]) == 2
        assert time.monotonic() - begun < 10
        server.shutdown(socket.SHUT_RDWR)
        for connection in connections:
            connection.close()
    error = capfd.readouterr().err
    assert error.startswith(f"banqi: there is no dask scheduler at '{address}'")
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_ends_the_wait_for_a_scheduler(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        command = ["tablebase", "build", "--pieces", "2", "--dir", str(tmp_path)]
        command += ["--dask", f"127.0.0.1:{server.getsockname()[1]}"]
        with subprocess.Popen(
            [sys.executable, "-m", "banqi", *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as process:
            connection, _ = server.accept()
            process.send_signal(signal.SIGINT)
            _, error = process.communicate(timeout=SECONDS)
            connection.close()
    assert (process.returncode, error) == (130, "banqi: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_a_cluster_needs_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["tablebase", "build", "--pieces", "2", "--dir", str(tmp_path), "--dask", "127.0.0.1:1"]) == 2
    expected = "banqi: a cluster needs the package distributed: pip install 'banqi[dask]'\n"
    assert capfd.readouterr().err == expected
    assert list(tmp_path.iterdir()) == []
