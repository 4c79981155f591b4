"""What the server refuses: other origins, floods, what is too large or too slow, names that try something."""

import json
import logging
import socket
import threading
import time
from contextlib import ExitStack, suppress
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets.sync.client as ws
from websockets.exceptions import ConnectionClosed, InvalidStatus

from banqi.errors import ServerError
from banqi.record import Record
from banqi.server import app, connection, frames, heads
from banqi.server.app import LARGEST_BODY, LARGEST_MESSAGE
from banqi.server.rates import Rates, address_of
from served import Caller, Pair, Player, new_key, served


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'games.db'}"


# ---- headers, origins ----------------------------------------------------------------------------------------------


def test_every_answer_has_a_strict_policy(database: str) -> None:
    with served(database) as address, httpx.Client(base_url=f"http://{address}") as client:
        for path in ("/health", "/metrics", "/schema", "/schema/openapi.json", "/nowhere", "/api/games/unknown"):
            headers = client.get(path).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert "*" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert "server" not in headers


def test_the_page_of_the_endpoints_needs_nothing_from_elsewhere(database: str) -> None:
    with served(database) as address, httpx.Client(base_url=f"http://{address}") as client:
        page = client.get("/schema").text
        assert "https://" not in page
        assert "<script" not in page
        for path in client.get("/schema/openapi.json").json()["paths"]:
            assert path in page


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://{host}", True),
        ("https://{host}", True),
        ("https://friend.example", True),
        ("http://evil.example", False),
        ("http://{host}.evil.example", False),
        ("null", False),
        ("", False),
    ],
)
def test_pages_of_other_origins_are_refused(database: str, origin: str | None, allowed: bool) -> None:
    with served(database, origins=["https://friend.example"]) as address, Caller(address) as caller:
        pair = caller.game(nonces=False)
        headers = {} if origin is None else {"Origin": origin.format(host=address)}
        answer = caller.client.post("/api/legal", json={}, headers=headers)
        assert answer.status_code == (200 if allowed else 403)
        url = f"ws://{address}/api/games/{pair.game}/socket"
        if allowed:
            with ws.connect(url, additional_headers=headers):
                pass
        else:
            with pytest.raises(InvalidStatus, match="403"), ws.connect(url, additional_headers=headers):
                pass


# ---- rates ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("group", "path", "body"),
    [
        ("engine", "/api/perft", {"depth": 0}),
        ("engine", "/api/bestmove", {"depth": 1}),
        ("engine", "/api/analysis", {"depth": 1}),
        ("create", "/api/games", {"name": "Ann"}),
        ("join", "/api/games/x/join", {"invitation": "x" * 43, "key": "y" * 24, "name": "Bo"}),
        ("request", "/api/games/x/requests", {"type": "resign", "key": "y" * 24}),
        ("position", "/api/legal", {}),
    ],
)
def test_who_asks_too_often_is_turned_away(database: str, group: str, path: str, body: dict[str, Any]) -> None:
    with served(database, rates={group: "3/hour"}) as address, httpx.Client(base_url=f"http://{address}") as client:
        statuses = [client.post(path, json=body).status_code for _ in range(5)]
        assert 429 not in statuses[:3]
        assert statuses[3:] == [429, 429]
        answer = client.post(path, json=body)
        assert int(answer.headers["retry-after"]) > 0
        assert answer.json() == {"status": 429, "detail": "too many requests"}


def test_reading_is_limited_too(database: str) -> None:
    with served(database, rates={"read": "3/hour"}) as address, httpx.Client(base_url=f"http://{address}") as client:
        assert [client.get("/api/rules").status_code for _ in range(4)] == [200, 200, 200, 429]


def test_files_of_the_page_are_counted_apart(database: str) -> None:
    rates = {"read": "1/hour", "page": "3/hour"}
    with served(database, rates=rates) as address, httpx.Client(base_url=f"http://{address}") as client:
        paths = ("/", "/page/main.js", "/page/page.css", "/page/main.js", "/", "/api/rules")
        assert [client.get(path).status_code for path in paths] == [200, 200, 200, 429, 429, 200]


def test_connections_are_limited(database: str, caplog: pytest.LogCaptureFixture) -> None:
    with served(database, rates={"connect": "3/hour"}) as address:
        url = f"ws://{address}/api/games/x/socket"
        for _ in range(3):
            with ws.connect(url):
                pass
        with pytest.raises(InvalidStatus, match="429"), ws.connect(url):
            pass
    with served(database, sockets=2) as address:
        url = f"ws://{address}/api/games/x/socket"
        with ws.connect(url), ws.connect(url), pytest.raises(InvalidStatus, match="429"), ws.connect(url):
            pass
        # Those that are gone count no more.
        time.sleep(0.2)
        with ws.connect(url):
            pass
    # Nobody fills the log by being refused.
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_flood_of_messages_waits_on_its_own_side(database: str) -> None:
    rates = {"message": "20/second"}
    with served(database, rates=rates) as address, Caller(address) as caller:
        pair, other = caller.game(), caller.game()
        with Player(address, pair.game, pair.tokens[0]) as flood, Player(address, other.game, other.tokens[0]) as calm:
            calm.until_number(1)
            begun = time.monotonic()
            for number in range(100):
                flood.send(type="decline_draw", key=f"flood-{number:04}", after=0)
            asked = time.monotonic()
            assert calm.ask(type="resign")["type"] == "accepted"
            assert time.monotonic() - asked < 1
            while len(flood.answers) < 100:
                flood.receive()
            # A hundred messages at twenty a second, the first twenty at once.
            assert time.monotonic() - begun > 3


@pytest.mark.parametrize("rates", [{"engine": "often"}, {"engine": ""}, {"engin": "1/second"}])
def test_rates_that_make_no_sense_are_refused(rates: dict[str, str]) -> None:
    with pytest.raises(ServerError):
        Rates(rates)


@pytest.mark.parametrize(
    ("client", "who"),
    [
        (("192.0.2.1", 1), "192.0.2.1"),
        (("::ffff:192.0.2.1", 1), "192.0.2.1"),
        (("2001:db8:1:2:3:4:5:6", 1), "2001:db8:1:2::"),
        (("a name", 1), "a name"),
        (None, "local"),
    ],
)
def test_who_is_one_client(client: tuple[str, int] | None, who: str) -> None:
    assert address_of(client) == who


FRIEND = "https://friend.example"


@pytest.mark.parametrize(
    ("origin", "allowed"), [(FRIEND, True), ("https://evil.example", False), ("null", False), (None, False)]
)
def test_pages_of_allowed_origins_may_read_answers(database: str, origin: str | None, allowed: bool) -> None:
    headers = {} if origin is None else {"Origin": origin}
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization, content-type"}
    with served(database, origins=[FRIEND]) as address, httpx.Client(base_url=f"http://{address}") as client:
        preflight = client.options("/api/games", headers={**headers, **asks})
        answers = [client.get("/api/rules", headers=headers), client.post("/api/games", headers=headers, json={})]
        for answer in (preflight, *answers):
            assert answer.headers.get("access-control-allow-origin") == (origin if allowed else None)
            assert answer.headers["cross-origin-resource-policy"] == ("cross-origin" if allowed else "same-origin")
            assert answer.headers["vary"] == "origin"
        if allowed:
            assert preflight.status_code == 204
            assert "POST" in preflight.headers["access-control-allow-methods"]
            assert "authorization" in preflight.headers["access-control-allow-headers"]
        else:
            assert "access-control-allow-methods" not in preflight.headers


def test_without_allowed_origins_nothing_is_shared(database: str) -> None:
    with served(database) as address, httpx.Client(base_url=f"http://{address}") as client:
        headers = client.get("/api/rules", headers={"Origin": FRIEND}).headers
        assert not [name for name in headers if name.startswith("access-control")]
        assert headers["cross-origin-resource-policy"] == "same-origin"


# ---- sizes ---------------------------------------------------------------------------------------------------------


def test_large_bodies_are_refused(database: str) -> None:
    with served(database) as address, httpx.Client(base_url=f"http://{address}") as client:
        body = json.dumps({"name": "x" * LARGEST_BODY}).encode()
        assert client.post("/api/games", content=body).status_code == 413

        def chunks() -> Any:
            for _ in range(20):
                yield b" " * (LARGEST_BODY // 10)

        # Without a length it is found out while it arrives.
        assert client.post("/api/games", content=chunks()).status_code == 413
        assert client.post("/api/legal", json={"moves": ["a1"] * 1001}).status_code == 400
        assert client.get("/health").status_code == 200


def test_large_frames_close_their_connection_only(database: str) -> None:
    with served(database) as address, Caller(address) as caller:
        pair = caller.game()
        with Player(address, pair.game, pair.tokens[0]) as calm:
            for parts in (["x" * (LARGEST_MESSAGE + 1)], ["x" * LARGEST_MESSAGE] * 3):
                with ws.connect(f"ws://{address}/api/games/{pair.game}/socket", compression=None) as large:
                    large.send(parts if len(parts) > 1 else parts[0])
                    with pytest.raises(ConnectionClosed) as closed:
                        large.recv(timeout=10)
                    assert closed.value.rcvd is not None
                    assert closed.value.rcvd.code == 1009
            assert calm.ask(type="resign")["type"] == "accepted"


@pytest.mark.parametrize(
    "first",
    [
        "",
        "x",
        "[]",
        '{"type":"hello","token":5}',
        '{"type":"hello","after":-1}',
        '{"type":"hello","more":1}',
        "[" * 4000,
        '{"type":"hello","token":"\\ud800"}',
        '{"type":"hello","after":' + "[" * 3900,
        b"\xff",
    ],
)
def test_what_is_no_greeting_closes_the_connection(database: str, first: str | bytes) -> None:
    with (
        served(database) as address,
        ws.connect(f"ws://{address}/api/games/x/socket", compression=None) as client,
    ):
        client.send(first)
        with pytest.raises(ConnectionClosed) as closed:
            client.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4400


@pytest.mark.parametrize(
    "message",
    [
        "",
        "null",
        "[" * 4000,
        '{"type":"move"}',
        '{"type":"move","key":"abcdefgh","move":"a1","after":1e99}',
        '{"type":"move","key":"abcdefgh","move":"a1","after":"1"}',
        '{"type":"move","key":"abc def gh","move":"a1","after":1}',
        '{"type":"resign","key":"abcdefgh","more":1}',
        '{"type":"nonce","key":"abcdefgh","nonce":"\\ud800"}',
        '{"type":"move","more":' + "[" * 3900,
        "\x00",
    ],
)
def test_what_is_no_request_is_refused_and_the_game_goes_on(database: str, message: str) -> None:
    with served(database) as address, Caller(address) as caller:
        pair = caller.game()
        with Player(address, pair.game, pair.tokens[0]) as player:
            player._socket.send(message)
            while None not in player.answers:
                player.receive()
            assert player.answers[None]["type"] == "refused"
            assert len(player.answers[None]["reason"]) < 300
            assert player.ask(type="resign")["type"] == "accepted"


def test_texts_that_are_none_close_the_connection_without_a_word(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    with served(database) as address, Caller(address) as caller:
        pair = caller.game()
        with reads_nothing(address, pair) as client:
            client.settimeout(10)
            client.sendall(frame(1, b"\xff\xfe"))
            got = b""
            while piece := client.recv(4096):
                got += piece
            assert got.endswith(frame_of_server(1007))
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_body_that_is_nested_deeply_is_refused(database: str, caplog: pytest.LogCaptureFixture) -> None:
    with served(database) as address, httpx.Client(base_url=f"http://{address}") as client:
        for body in (b"[" * 8000, b'{"a":' * 5000):
            assert client.post("/api/games", content=body).status_code == 400
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_who_does_not_say_who_he_is_has_to_go(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HELLO_SECONDS", 0.2)
    with served(database) as address, ws.connect(f"ws://{address}/api/games/x/socket") as client:
        with pytest.raises(ConnectionClosed) as closed:
            client.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4400


@pytest.mark.parametrize("sent", [b"", b"GET /health HTTP/1.1\r\nHost: here\r\nX-Slow: a"])
@pytest.mark.parametrize("first", [True, False])
def test_a_head_that_does_not_end_is_given_up(
    database: str, monkeypatch: pytest.MonkeyPatch, sent: bytes, first: bool
) -> None:
    monkeypatch.setattr(heads, "HEAD_SECONDS", 1)
    with served(database) as address:
        host, port = address.split(":")
        with socket.create_connection((host, int(port)), timeout=10) as slow:
            if not first:
                slow.sendall(b"GET /health HTTP/1.1\r\nHost: here\r\n\r\n")
                answer = b""
                while not answer.endswith(b"}"):
                    answer += slow.recv(4096)
                assert answer.startswith(b"HTTP/1.1 200 ")
            begun = time.monotonic()
            slow.sendall(sent)
            told = slow.recv(4096)
            assert time.monotonic() - begun < 8
            # A connection that only waits for its next request is closed without a word.
            assert told.startswith(b"HTTP/1.1 408 ") or (not first and not sent and not told)


def test_a_head_that_does_not_end_is_not_kept(database: str) -> None:
    with served(database) as address:
        host, port = address.split(":")
        for piece in (b"X-Large: " + b"a" * 1000 + b"\r\n", b"a" * 1000):
            with socket.create_connection((host, int(port)), timeout=10) as large:
                large.sendall(b"GET /health HTTP/1.1\r\nHost: here\r\nX-Large: ")
                answer = b""
                for _ in range(1000):
                    try:
                        large.sendall(piece)
                        time.sleep(0.001)
                        large.setblocking(False)
                        answer += large.recv(4096)
                        break
                    except BlockingIOError:
                        large.setblocking(True)
                    except OSError:
                        break
                assert answer.startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize("proxy", [None, "127.0.0.1"])
def test_idle_connections_of_an_address_are_limited(
    database: str, monkeypatch: pytest.MonkeyPatch, proxy: str | None
) -> None:
    monkeypatch.setattr(app, "MOST_WAITING", 3)
    with served(database, proxy=proxy) as address, ExitStack() as stack:
        host, port = address.split(":")

        def idle() -> socket.socket:
            return stack.enter_context(socket.create_connection((host, int(port)), timeout=1))

        def answer() -> str:
            try:
                return httpx.get(f"http://{address}/health").reason_phrase
            except httpx.TransportError:
                # It was closed before the request was sent.
                return "Too Many Requests"

        # WebSockets do not count among them.
        for _ in range(4):
            stack.enter_context(ws.connect(f"ws://{address}/api/games/x/socket"))
        first = [idle() for _ in range(3)]
        time.sleep(0.2)
        assert answer() == ("Too Many Requests" if proxy is None else "OK")
        first[0].close()
        time.sleep(0.2)
        assert answer() == "OK"


def test_a_body_that_does_not_arrive_is_given_up(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from banqi.server import guard

    monkeypatch.setattr(guard, "ARRIVAL_SECONDS", 0.3)
    with served(database) as address:
        host, port = address.split(":")
        with socket.create_connection((host, int(port)), timeout=10) as slow:
            slow.sendall(f"POST /api/legal HTTP/1.1\r\nHost: {address}\r\nContent-Length: 100\r\n\r\n{{".encode())
            assert slow.recv(4096).startswith(b"HTTP/1.1 408 ")


def frame(code: int, content: bytes = b"", *, last: bool = True) -> bytes:
    """A short frame as clients send it; the mask is zero."""
    return bytes([(0x80 if last else 0) | code, 0x80 | len(content), 0, 0, 0, 0]) + content


def frame_of_server(code: int) -> bytes:
    """The frame that closes a connection, without a reason."""
    return bytes([0x88, 2]) + code.to_bytes(2)


def reads_nothing(address: str, pair: Pair) -> socket.socket:
    """A WebSocket that has watched a game from the beginning, and whose window is small and full."""
    host, port = address.split(":")
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    slow.connect((host, int(port)))
    head = (
        f"GET /api/games/{pair.game}/socket HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    slow.sendall(head.encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += slow.recv(1)
    slow.sendall(frame(1, b'{"type":"hello"}'))
    return slow


PING, PONG, CONTINUATION = frame(9), frame(10), frame(0, last=False)


@pytest.mark.parametrize(
    ("first", "flood"), [(b"", PING), (b"", PONG), (frame(1, last=False), CONTINUATION)], ids=["ping", "pong", "part"]
)
def test_a_flood_of_frames_that_are_no_messages_is_closed(database: str, first: bytes, flood: bytes) -> None:
    with served(database) as address, Caller(address) as caller:
        pair = caller.game()
        with Player(address, pair.game, pair.tokens[0]) as calm:
            calm.until_number(6)
            with reads_nothing(address, pair) as flooding:
                flooding.sendall(first)
                sent = 0
                with suppress(OSError):
                    for _ in range(200):
                        flooding.sendall(flood * 10_000)
                        sent += 1
                # A server that takes it all would take far more than the buffers between.
                assert sent < 200
                begun = time.monotonic()
                assert calm.ask(type="resign")["type"] == "accepted"
                assert time.monotonic() - begun < 1


def test_a_flood_is_told_why_it_is_closed(database: str) -> None:
    with served(database) as address, Caller(address) as caller, Player(address, caller.game().game) as player:
        player.until_number(6)
        with suppress(ConnectionClosed):
            for _ in range(frames.MOST_FRAMES * 2):
                player._socket.send(["", "x"])
        # The code is lost where the system throws away what nobody has read.
        assert player.closed() in (1008, -1)


def test_pings_of_honest_clients_are_answered(database: str) -> None:
    with served(database) as address, Caller(address) as caller, Player(address, caller.game().game) as player:
        for _ in range(frames.MOST_FRAMES // 2):
            assert player._socket.ping().wait(10)
        # A message in parts, too.
        player._socket.send(["x"] * 20)
        while None not in player.answers:
            player.receive()


def test_a_frame_is_read_in_slices_without_a_loss(database: str) -> None:
    with served(database) as address, Caller(address) as caller:
        pair = caller.game()
        with Player(address, pair.game, pair.tokens[0]) as player:
            # Many in one piece, the last of which ends the game.
            keys = [new_key() for _ in range(300)]
            for key in keys:
                player.send(type="decline_draw", key=key, after=0)
            assert player.ask(type="resign")["type"] == "accepted"
            assert [player.answers[key]["type"] for key in keys] == ["refused"] * 300


def test_slow_readers_are_let_go_and_hold_nobody_up(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_WAITING", 8)
    with served(database, send_buffer=4096) as address, Caller(address) as caller:
        pair = caller.game(rules="double")
        with Player(address, pair.game, pair.tokens[0]) as player:
            player.until_number(6)
            slow = [reads_nothing(address, pair) for _ in range(5)]
            try:
                watchers = [0.0]
                slowest = 0.0
                for _ in range(60):
                    begun = time.monotonic()
                    # Of flips a game has many; offers and refusals of them are events, too.
                    mover, number = player.state["to_act"], player.state["number"]
                    caller.move(pair, next(move for move in player.state["legal"] if "-" not in move))
                    caller.ask(pair, mover, type="offer_draw", after=number + 1)
                    caller.ask(pair, 1 - mover, type="decline_draw", after=number + 2)
                    player.until_number(number + 3)
                    slowest = max(slowest, time.monotonic() - begun)
                    figures = dict(line.rsplit(" ", 1) for line in caller.client.get("/metrics").text.splitlines())
                    watchers.append(float(figures["banqi_watchers"]))
                    if watchers[-1] == 1:
                        break
                assert max(watchers) == 6
                assert watchers[-1] == 1
                assert slowest < 2
            finally:
                for each in slow:
                    each.close()


# ---- names and texts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        '"][Result "1-0"]',
        "'; drop table games; --",
        "\\",
        "名前" * 20,
        "{{7*7}}",
        "a%00b",
        "🀄",
    ],
)
def test_a_hostile_name_is_nothing_but_a_name(database: str, name: str) -> None:
    with served(database) as address, Caller(address) as caller:
        pair = caller.game(name=name)
        caller.ask(pair, 0, type="resign")
        answer = caller.client.get(f"/api/games/{pair.game}")
        assert answer.headers["content-type"] == "application/json"
        assert answer.json()["state"]["seats"][0]["name"] == name
        answer = caller.client.get(f"/api/games/{pair.game}/record")
        assert answer.headers["content-type"].startswith("text/plain")
        record = Record.from_text(answer.text)
        assert (record.tags["First"], record.result) == (name, "0-1")


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "x" * 41, "a\nb", "a\u202eb", "a\u0000b", "\ud800", "a" + "\u0301\u0335" * 9),
        *("\u3164", "\u115f", "a\u1160", "\ufe0f", "\u2800", "a\u034f", "banqi", "Banqi", "\uff42anqi"),
    ],
)
def test_what_is_no_name_is_refused(database: str, name: str) -> None:
    with served(database) as address, httpx.Client(base_url=f"http://{address}") as client:
        answer = client.post("/api/games", content=json.dumps({"name": name}))
        assert answer.status_code == 400
        assert answer.json()["status"] == 400


def test_small_things_are_told_well(database: str) -> None:
    with served(database) as address, Caller(address) as caller:
        client = caller.client
        assert client.post("/api/games", content=b"").json()["detail"] == "the request has no body"
        for path in ("/", "/api/rules", "/health", "/metrics", "/schema/openapi.json"):
            head, whole = client.head(path), client.get(path)
            assert (head.status_code, head.content) == (200, b"")
            assert head.headers["content-type"] == whole.headers["content-type"]
        pair = caller.game(nonces=False)
        assert caller.ask(pair, 0, status=409, type="rematch")["detail"] == "the game has not begun"
        assert caller.ask(pair, 0, status=409, type="offer_draw", after=4)["detail"] == "there is no such event yet"
        caller.ask(pair, 0, status=400, type="resign", key="aaaaaaa\n")
        for scheme, status in (("bearer", 200), ("BEARER", 409), ("Basic", 401)):
            headers = {"Authorization": f"{scheme} {pair.tokens[0]}"}
            request = {"type": "nonce", "nonce": "mine", "key": new_key()}
            answer = client.post(f"/api/games/{pair.game}/requests", json=request, headers=headers)
            assert answer.status_code == status
        with Player(address, pair.game, pair.tokens[0]) as player:
            player.send(type="resign", key="short")
            while None not in player.answers:
                player.receive()
            assert player.answers[None]["reason"] == "Expected `str` of length >= 8 - at `$.key`"


# ---- engine work ---------------------------------------------------------------------------------------------------


def test_games_stay_responsive_while_engines_are_busy(database: str) -> None:
    with served(database, engines=1, queue=2, search_seconds=2.0) as address, Caller(address) as caller:
        pair = caller.game()
        # The process starts with the first request.
        assert caller.post("/api/bestmove", depth=1)["move"]
        statuses: list[int] = []

        def search() -> None:
            with httpx.Client(base_url=f"http://{address}", timeout=30) as client:
                statuses.append(client.post("/api/bestmove", json={"time": 2}).status_code)

        searches = [threading.Thread(target=search) for _ in range(5)]
        for thread in searches:
            thread.start()
        time.sleep(0.3)
        begun = time.monotonic()
        caller.move(pair)
        assert time.monotonic() - begun < 1
        for thread in searches:
            thread.join()
        # Two fit into the queue; who comes later is told so at once.
        assert sorted(statuses) == [200, 200, 429, 429, 429]


def test_an_engine_process_that_dies_is_replaced(database: str) -> None:
    with served(database) as address, Caller(address) as caller:
        assert caller.post("/api/bestmove", depth=1)["move"]
        for child in active_children():
            child.kill()
        time.sleep(0.5)
        statuses = [caller.client.post("/api/bestmove", json={"depth": 1}).status_code for _ in range(2)]
        assert statuses[-1] == 200
        assert statuses[0] in (200, 429)


def test_settings_that_make_no_sense_are_refused() -> None:
    for wrong in ({"engines": 0}, {"queue": 0}, {"sockets": 0}):
        with pytest.raises(ValueError, match="must be a whole number"):
            app.Settings(**wrong)


@pytest.mark.parametrize(
    ("origin", "valid"),
    [
        ("https://play.example", True),
        ("http://localhost:8080", True),
        ("https://[2001:db8::1]:8443", True),
        ("https://play.example/", False),
        ("https://play.example:443", False),
        ("http://play.example:80", False),
        ("play.example", False),
        ("https://*.example", False),
        ("https://Play.example", False),
        ("null", False),
        ("https://play.example\n", False),
    ],
)
def test_origins_are_written_as_browsers_do(origin: str, valid: bool) -> None:
    if valid:
        app.Settings(origins=[origin])
    else:
        with pytest.raises(ServerError, match="an origin is written"):
            app.Settings(origins=[origin])


def test_keys_are_not_guessed(database: str) -> None:
    """A key that another seat has used is one's own."""
    with served(database) as address, Caller(address) as caller:
        pair = caller.game()
        key = new_key()
        caller.ask(pair, 0, type="offer_draw", after=caller.state(pair.game)["number"], key=key)
        assert caller.ask(pair, 1, type="resign", key=key)["number"] == caller.state(pair.game)["number"]
