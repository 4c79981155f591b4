"""`banqi serve` on the command line: bad arguments, and its end."""

import os
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

BANQI = (sys.executable, "-m", "banqi", "serve")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--port", "70000"], "the port must be a whole number from 0 to 65535, not 70000"),
        (["--port", "x"], None),
        (["--host", "no.such.host.invalid"], None),
        (["--database", "games.db"], "a database is written sqlite:///FILE or postgresql://USER@HOST/NAME"),
        (["--database", "sqlite:///no/games.db"], None),
        (["--engines", "0"], "engines must be a whole number from 1 to 256, not 0"),
        (["--rate", "engine"], "a rate is written GROUP=RATE, such as engine=60/minute"),
        (["--rate", "engine=often"], "a rate is written as 60/minute or 20/second, not 'often'"),
        (["--rate", "x=1/second"], None),
        (["--rate", "engine=0/minute"], "a rate is written as 60/minute or 20/second, not '0/minute'"),
        (
            ["--database", "postgresql://bq@127.0.0.1:abc/bq"],
            "a database is written sqlite:///FILE or postgresql://USER@HOST/NAME",
        ),
        (["--proxy", "notanip"], "a proxy is an address such as 192.0.2.1, not 'notanip'"),
        (["--origin", "*"], "an origin is written https://HOST or https://HOST:PORT, not '*'"),
    ],
)
def test_a_wrong_argument_is_one_line_and_status_2(tmp_path: Path, arguments: list[str], line: str | None) -> None:
    run = subprocess.run(
        [*BANQI, "--port=0", *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("banqi: ")
    assert run.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
    if line is not None:
        assert run.stderr == f"banqi: {line}\n"


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [*BANQI, f"--port={port}"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 2
    assert run.stderr == f"banqi: '127.0.0.1' port {port} cannot be listened on: Address already in use\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("number", "status", "told"), [(signal.SIGTERM, 0, ""), (signal.SIGINT, 130, "banqi: interrupted\n")]
)
def test_a_signal_stops_it(tmp_path: Path, number: int, status: int, told: str) -> None:
    # A shell without job control lets what it starts in the background ignore SIGINT.
    process = subprocess.Popen(
        [*BANQI, "--port=0"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None
    assert select.select([process.stdout], [], [], 60)[0]
    assert process.stdout.readline().startswith("serving on http://127.0.0.1:")
    os.kill(process.pid, number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (status, "", told)


def test_without_its_packages_it_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['litestar'] = None; from banqi.cli import main; sys.exit(main(['serve']))"
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr == "banqi: the server needs the package litestar: pip install 'banqi[server]'\n"
