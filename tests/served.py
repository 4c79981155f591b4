"""A game server to test: in a thread of this process, or in a process of its own that can be killed."""

import json
import random
import re
import select
import signal
import socket
import string
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from banqi.server import app
from banqi.server.rates import DEFAULTS
from banqi.server.store import Store

WIDE = dict.fromkeys(DEFAULTS, "1000000/second")
"""Rates that nobody reaches."""
SECONDS = 20


@contextmanager
def served(database: str, *, send_buffer: int | None = None, **settings: Any) -> Iterator[str]:
    """A server in a thread; yields its host and port. settings: those of app.Settings.

    send_buffer: bytes that the system takes for a client that does not read; else as many as it likes.
    """
    with app.bound("127.0.0.1", 0) as listener, Store(database) as store:
        if send_buffer is not None:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        ready = threading.Event()
        made = app.Settings(**{"database": database, "rates": WIDE, **settings})
        server = app.make_server(store, made, ready.set)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        assert ready.wait(SECONDS)
        try:
            yield "{}:{}".format(*listener.getsockname())
        finally:
            server.should_exit = True
            thread.join(SECONDS)
            assert not thread.is_alive()


class Process:
    """`banqi serve` in a process of its own, on a port that stays the same when it is started again."""

    def __init__(self, database: str, folder: Path, *, limits: Sequence[str] = ()) -> None:
        self._limits = limits
        self._database = database
        self._folder = folder
        self.port = 0
        self.log = b""
        self.start()

    def start(self) -> None:
        """Start it, and wait until it can be reached."""
        rates = [f"--rate={group}={rate}" for group, rate in WIDE.items()]
        command = ["-m", "banqi", "serve", f"--port={self.port}", f"--database={self._database}", *rates, *self._limits]
        self._process = subprocess.Popen(
            [sys.executable, *command], cwd=self._folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert self._process.stdout is not None
        assert select.select([self._process.stdout], [], [], SECONDS)[0], "the server says nothing"
        line = self._process.stdout.readline().decode()
        found = re.fullmatch(r"serving on http://127\.0\.0\.1:([0-9]+)\n", line)
        assert found, line
        self.port = int(found[1])

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it without any warning."""
        self._process.kill()
        self._gone()

    def stop(self) -> int:
        """Ask it to stop, and return its status."""
        self._process.send_signal(signal.SIGTERM)
        return self._gone()

    def _gone(self) -> int:
        assert self._process.stdout is not None
        status = self._process.wait(SECONDS)
        self.log += self._process.stdout.read()
        self._process.stdout.close()
        return status


@contextmanager
def spawned(database: str, folder: Path, *, limits: Sequence[str] = ()) -> Iterator[Process]:
    """A server in a process of its own. limits: further arguments, such as narrower rates."""
    process = Process(database, folder, limits=limits)
    try:
        yield process
    finally:
        with suppress(AssertionError):
            process.kill()


def new_key() -> str:
    """A key that nobody has used."""
    return "".join(random.choices(string.ascii_letters, k=24))


class Caller:
    """HTTP as a program uses it."""

    def __init__(self, address: str) -> None:
        self.client = httpx.Client(base_url=f"http://{address}", timeout=SECONDS)

    def __enter__(self) -> "Caller":
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def post(self, path: str, *, status: int = 200, token: str | None = None, **body: Any) -> Any:
        """Send a message and return the answer, which must have this status."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = self.client.post(path, json=body, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    def get(self, path: str, *, status: int = 200) -> Any:
        """Ask and return the answer, which must have this status."""
        answer = self.client.get(path)
        assert answer.status_code == status, answer.text
        return answer.json()

    def game(self, *, nonces: bool = True, **wanted: Any) -> "Pair":
        """Make a game between two humans, and by default let it begin."""
        made = self.post("/api/games", status=201, **{"name": "Ann", **wanted})
        joined = self.post(f"/api/games/{made['game']}/join", invitation=made["invitation"], key=new_key(), name="Bo")
        pair = Pair(made["game"], {made["seat"]: made["token"], joined["seat"]: joined["token"]})
        if nonces:
            for seat in (0, 1):
                self.ask(pair, seat, type="nonce", nonce=f"words of seat {seat}")
        return pair

    def ask(self, pair: "Pair", seat: int, *, status: int = 200, key: str | None = None, **request: Any) -> Any:
        """Send a request of a seat by HTTP."""
        path = f"/api/games/{pair.game}/requests"
        return self.post(path, status=status, token=pair.tokens[seat], key=key or new_key(), **request)

    def state(self, game: str) -> Any:
        """How a game stands."""
        return self.get(f"/api/games/{game}")["state"]

    def move(self, pair: "Pair", move: str | None = None) -> Any:
        """Let the seat to act make a move, the first legal one by default."""
        state = self.state(pair.game)
        chosen = state["legal"][0] if move is None else move
        return self.ask(pair, state["to_act"], type="move", move=chosen, after=state["number"])


class Pair:
    """A game and the tokens of its seats."""

    def __init__(self, game: str, tokens: dict[int, str]) -> None:
        self.game = game
        self.tokens = tokens


class Player:
    """A WebSocket of a game. raw: every message as it came. events: those of all messages, by their numbers."""

    def __init__(self, address: str, game: str, token: str | None = None, *, after: int = 0) -> None:
        self._stack = ExitStack()
        url = f"ws://{address}/api/games/{game}/socket"
        self._socket: ClientConnection = self._stack.enter_context(
            connect(url, open_timeout=SECONDS, close_timeout=2, compression=None)
        )
        self.raw: list[str] = []
        self.events: dict[int, Any] = {}
        self.state: Any = None
        self.answers: dict[str | None, Any] = {}
        self.send(type="hello", token=token, after=after)

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._stack.close()

    def send(self, **message: Any) -> None:
        """Send a message."""
        self._socket.send(json.dumps(message))

    def receive(self, seconds: float = SECONDS) -> Any:
        """Wait for the next message."""
        text = self._socket.recv(timeout=seconds)
        assert isinstance(text, str)
        self.raw.append(text)
        message = json.loads(text)
        if message["type"] == "events":
            for number, event in enumerate(message["events"], message["first"]):
                assert self.events.setdefault(number, event) == event
            self.state = message["state"]
        else:
            self.answers[message["key"]] = message
        return message

    def until_number(self, number: int) -> None:
        """Wait for an event."""
        while self.state is None or self.state["number"] < number:
            self.receive()

    def ask(self, *, key: str | None = None, **request: Any) -> Any:
        """Send a request, and wait for its answer."""
        key = key or new_key()
        self.send(key=key, **request)
        while key not in self.answers:
            self.receive()
        return self.answers[key]

    def closed(self) -> int:
        """Wait until the server closes the connection, and return the code."""
        try:
            while True:
                self.receive()
        except ConnectionClosed as error:
            return error.rcvd.code if error.rcvd else -1


def sqlite(folder: Path) -> str:
    """The URL of a new database in a folder."""
    return f"sqlite:///{folder / 'games.db'}"
