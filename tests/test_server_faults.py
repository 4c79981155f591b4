"""Games on bad days: the server is killed and stopped at random times, messages are lost, repeated and out of order."""

import asyncio
import json
import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidMessage, WebSocketException

import postgres
from banqi.server.store import Store
from served import Caller, Pair, Player, Process, new_key, served, spawned
from sizes import tenth


class Acknowledged:
    """What a seat's client knows: events by number, what was acknowledged by key, and what waits for an answer."""

    def __init__(self, address: str, pair: Pair, seat: int, rng: random.Random) -> None:
        self.address = address
        self.pair = pair
        self.seat = seat
        self.rng = rng
        self.events: dict[int, Any] = {}
        self.accepted: dict[str, int] = {}
        self.moves: dict[str, str] = {}
        self.state: Any = None
        self.waiting: dict[str, Any] = {}

    def take(self, text: str | bytes) -> None:
        """Take a message of the server."""
        message = json.loads(text)
        if message["type"] == "events":
            for number, event in enumerate(message["events"], message["first"]):
                # What was told once never becomes something else.
                assert self.events.setdefault(number, event) == event
            if self.state is None or message["state"]["number"] >= self.state["number"]:
                self.state = message["state"]
        elif message["type"] == "accepted":
            assert self.accepted.setdefault(message["key"], message["number"]) == message["number"]
            self.waiting.pop(message["key"], None)
        elif message["key"] is not None:
            self.waiting.pop(message["key"], None)

    def wants(self) -> Any:
        """The next request, None while it is the other's turn or an answer is missing."""
        state = self.state
        if self.waiting or state is None or state["to_act"] != self.seat:
            return None
        key = new_key()
        move = self.rng.choice(state["legal"])
        self.moves[key] = move
        self.waiting[key] = {"type": "move", "move": move, "after": state["number"], "key": key}
        return self.waiting[key]

    def known(self) -> int:
        """The last number before which nothing is missing."""
        number = 0
        while number + 1 in self.events:
            number += 1
        return number

    def check(self, events: list[Any]) -> None:
        """Compare with what the server holds in the end: all that was seen, and each acknowledged move once."""
        for number, event in self.events.items():
            assert events[number - 1] == event
        moved = {number: event for number, event in enumerate(events, 1) if event["event"] == "moved"}
        own = {number for number, event in moved.items() if event["seat"] == self.seat}
        for key, number in self.accepted.items():
            if key in self.moves:
                assert moved[number]["seat"] == self.seat
                assert moved[number]["move"].split("(")[0] == self.moves[key]
        assert len(set(self.accepted.values())) == len(self.accepted)
        # No move is there that was not asked for.
        assert len(own) <= len(self.moves)


# ---- kill -9 -------------------------------------------------------------------------------------------------------


async def play_on(client: Acknowledged, until: float, pause: float) -> None:
    """Play, connect again whenever the connection is lost, and send again what was not answered."""
    while time.monotonic() < until:
        with suppress(OSError, WebSocketException, InvalidMessage, TimeoutError, EOFError):
            url = f"ws://{client.address}/api/games/{client.pair.game}/socket"
            async with connect(url, open_timeout=5, close_timeout=1, compression=None) as socket:
                token = client.pair.tokens[client.seat]
                await socket.send(json.dumps({"type": "hello", "token": token, "after": client.known()}))
                client.take(await asyncio.wait_for(socket.recv(), 5))
                for request in list(client.waiting.values()):
                    await socket.send(json.dumps(request))
                while time.monotonic() < until:
                    if request := client.wants():
                        await socket.send(json.dumps(request))
                    with suppress(TimeoutError):
                        client.take(await asyncio.wait_for(socket.recv(), pause))
        await asyncio.sleep(0.05)


async def while_ended(
    process: Process, clients: list[Acknowledged], rng: random.Random, runs: int, end: Callable[[], object]
) -> None:
    """Let clients play while the server is ended and started again, so many times."""
    until = time.monotonic() + 3 + 4 * runs
    playing = [asyncio.create_task(play_on(client, until, 0.3)) for client in clients]
    for _ in range(runs):
        await asyncio.sleep(rng.uniform(0.5, 2))
        await asyncio.to_thread(end)
        await asyncio.to_thread(process.start)
    await asyncio.gather(*playing)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["kill", "stop"])
def test_no_acknowledged_ply_is_lost_or_doubled(database: str, way: str, tmp_path: Path) -> None:
    rng = random.Random(1)
    runs, games = tenth(20), tenth(50)
    with spawned(database, tmp_path) as process:

        def end() -> None:
            if way == "kill":
                process.kill()
            else:
                assert process.stop() == 0

        with Caller(process.address) as caller:
            pairs = [caller.game() for _ in range(games)]
        clients = [
            Acknowledged(process.address, pair, seat, random.Random(rng.random())) for pair in pairs for seat in (0, 1)
        ]
        asyncio.run(while_ended(process, clients, rng, runs, end))
        with Caller(process.address) as caller:
            for pair in pairs:
                events = caller.get(f"/api/games/{pair.game}")["events"]
                for client in clients:
                    if client.pair is pair:
                        client.check(events)
                        assert client.accepted, "nothing was played"
    assert b"Traceback" not in process.log


@pytest.mark.slow
def test_processes_share_games_while_one_is_killed(postgresql: str, tmp_path: Path) -> None:
    """Each seat is connected to another process; one of them is killed again and again."""
    rng = random.Random(3)
    with spawned(postgresql, tmp_path) as killed, spawned(postgresql, tmp_path) as other:
        with Caller(other.address) as caller:
            pairs = [caller.game() for _ in range(tenth(20))]
        clients = [
            Acknowledged(process.address, pair, seat, random.Random(rng.random()))
            for pair in pairs
            for seat, process in enumerate((killed, other))
        ]
        asyncio.run(while_ended(killed, clients, rng, tenth(20), killed.kill))
        with Caller(killed.address) as one, Caller(other.address) as two:
            for pair in pairs:
                events = one.get(f"/api/games/{pair.game}")["events"]
                assert events == two.get(f"/api/games/{pair.game}")["events"]
                for client in clients:
                    if client.pair is pair:
                        client.check(events)
                        assert client.accepted, "nothing was played"
    assert b"Traceback" not in killed.log + other.log


def test_processes_hear_of_each_other_after_a_restart_of_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = iter([RuntimeError("anything")])
    listen = Store.listen

    def faulty(*arguments: Any) -> None:
        if fault := next(faults, None):
            raise fault
        listen(*arguments)

    # What nobody has thought of does not end it, either.
    monkeypatch.setattr(Store, "listen", faulty)
    with postgres.own_cluster("-c", "fsync=off") as cluster:
        database = postgres.new_database(cluster.folder, "games")
        with served(database) as one, served(database) as two, Caller(one) as caller, Caller(two) as other:
            pair = caller.game()
            with Player(one, pair.game) as first, Player(two, pair.game) as second:
                first.until_number(6)
                second.until_number(6)
                cluster.stop()
                # Long enough for an attempt that finds nobody there.
                time.sleep(1)
                cluster.start()
                for number in range(7, 11):
                    (caller, other)[number % 2].move(pair)
                    first.until_number(number)
                    second.until_number(number)


# ---- lost, repeated and late messages -------------------------------------------------------------------------------


class Lossy:
    """A connection that loses, repeats and holds back a tenth of the messages each, in both directions."""

    def __init__(self, socket: ClientConnection, rng: random.Random) -> None:
        self._socket = socket
        self._rng = rng
        self._late: dict[str, list[str]] = {"out": [], "in": []}

    def disturbed(self, way: str, message: str) -> list[str]:
        """What arrives when a message is sent."""
        late, self._late[way] = self._late[way], []
        chance = self._rng.random()
        if chance < 0.1:
            return late
        if chance < 0.2:
            return [message, *late, message]
        if chance < 0.3:
            self._late[way] = [message]
            return late
        return [message, *late]

    async def send(self, message: Any) -> None:
        """Send a message, perhaps."""
        for text in self.disturbed("out", json.dumps(message)):
            await self._socket.send(text)

    async def receive(self, seconds: float) -> list[str]:
        """What has arrived; nothing after so many seconds."""
        with suppress(TimeoutError):
            message = await asyncio.wait_for(self._socket.recv(), seconds)
            assert isinstance(message, str)
            return self.disturbed("in", message)
        return []


async def play_over_a_bad_line(client: Acknowledged, moves: int) -> None:
    """Play so many moves; what gets no answer is sent again, and what is missing is asked for by connecting again."""
    url = f"ws://{client.address}/api/games/{client.pair.game}/socket"
    for _ in range(200):
        async with connect(url, open_timeout=20, close_timeout=1, compression=None) as socket:
            token = client.pair.tokens[client.seat]
            await socket.send(json.dumps({"type": "hello", "token": token, "after": client.known()}))
            client.take(await asyncio.wait_for(socket.recv(), 20))
            line, silent = Lossy(socket, client.rng), 0
            while silent < 4:
                if client.state["number"] >= moves or client.state["stage"] == "over":
                    return
                client.wants()
                for request in list(client.waiting.values()):
                    await line.send(request)
                arrived = await line.receive(0.05)
                silent = 0 if arrived else silent + 1
                for message in arrived:
                    client.take(message)
    raise AssertionError("the game does not get on")


@pytest.mark.slow
def test_views_are_equal_over_bad_lines(tmp_path: Path) -> None:
    rng = random.Random(2)
    with served(f"sqlite:///{tmp_path / 'games.db'}") as address, Caller(address) as caller:
        pairs = [caller.game() for _ in range(tenth(200))]
        clients = [Acknowledged(address, pair, seat, random.Random(rng.random())) for pair in pairs for seat in (0, 1)]

        async def play_some(some: list[Acknowledged]) -> None:
            await asyncio.gather(*(play_over_a_bad_line(client, 26) for client in some))

        # More at a time would wait for the processor, and take that for losses.
        for first in range(0, len(clients), 40):
            asyncio.run(play_some(clients[first : first + 40]))
        for pair in pairs:
            final = caller.get(f"/api/games/{pair.game}")
            for client in clients:
                if client.pair is pair:
                    client.check(final["events"])
                    with_rest = caller.get(f"/api/games/{pair.game}?after={client.known()}")
                    missing = dict(enumerate(with_rest["events"], with_rest["first"]))
                    view = {**client.events, **missing}
                    assert [view[number] for number in sorted(view)] == final["events"]


def test_a_client_that_vanishes_leaves_nothing_half_done(tmp_path: Path) -> None:
    """Connections are cut right after a request: it is done whole or not at all, and the server goes on."""
    with served(f"sqlite:///{tmp_path / 'games.db'}") as address, Caller(address) as caller:
        pair = caller.game()
        for _ in range(20):
            state = caller.state(pair.game)
            if state["stage"] == "over":
                break
            request = {"type": "move", "move": state["legal"][0], "after": state["number"], "key": new_key()}

            async def send_and_go(message: Any, token: str) -> None:
                url = f"ws://{address}/api/games/{pair.game}/socket"
                async with connect(url, compression=None) as socket:
                    await socket.send(json.dumps({"type": "hello", "token": token, "after": 0}))
                    await socket.send(json.dumps(message))
                    socket.transport.abort()

            with suppress(WebSocketException, OSError):
                asyncio.run(send_and_go(request, pair.tokens[state["to_act"]]))
            # Asked again with the same key it is done once.
            number = caller.ask(pair, state["to_act"], **request)["number"]
            assert number == state["number"] + 1
            assert caller.state(pair.game)["number"] in (number, number + 1)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_database_that_fails_is_told_and_then_used_again(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from banqi.server.store import Store, Unavailable

    with served(database) as address, Caller(address) as caller:
        pair = caller.game()
        state = caller.state(pair.game)
        request = {"type": "move", "move": "a1", "after": state["number"], "key": new_key()}
        append = Store.append

        def lost(*arguments: Any) -> None:
            # It is committed, and the answer does not arrive.
            append(*arguments)
            raise Unavailable("the connection is lost")

        def broken(*arguments: Any) -> None:
            raise Unavailable("the disk is full")

        with monkeypatch.context() as patched:
            patched.setattr(Store, "append", broken)
            assert caller.ask(pair, 0, status=503, **request)["detail"] == "the database does not answer"
            assert caller.state(pair.game) == state
            patched.setattr(Store, "append", lost)
            assert caller.ask(pair, 0, **request)["number"] == state["number"] + 1
        assert caller.ask(pair, 0, **request)["number"] == state["number"] + 1
        assert caller.state(pair.game)["number"] == state["number"] + 1
