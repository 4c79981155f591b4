"""What stands before the application: origins, rates, the time that a request may take to arrive, headers."""

import asyncio
from collections import Counter
from collections.abc import Collection
from typing import Final, cast

from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, HTTPReceiveMessage, HTTPScope, Message, Receive, Scope, Send, WebSocketScope

from banqi.server.messages import Problem, encode
from banqi.server.metrics import Metrics
from banqi.server.rates import Rates, address_of

ARRIVAL_SECONDS: Final = 15
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
_ALLOWED: Final = b"access-control-allow-origin"
_PREFLIGHT: Final = (
    (b"access-control-allow-methods", b"GET, HEAD, POST"),
    (b"access-control-allow-headers", b"authorization, content-type"),
    (b"access-control-max-age", b"600"),
)
"""What a page of another origin may send, and for how many seconds a browser need not ask again."""
# The last part of a path, or the whole, tells what is asked for.
_GROUPS: Final = {
    "bestmove": "engine",
    "analysis": "engine",
    "deepening": "engine",
    "review": "engine",
    "perft": "engine",
    "legal": "position",
    "games": "create",
    "join": "join",
    "requests": "request",
}


class Guard:
    """An ASGI application before another one.

    origins: those that browsers may come from besides the server's own. most_sockets: of one address.
    """

    def __init__(
        self, app: ASGIApp, rates: Rates, metrics: Metrics, *, origins: Collection[str], most_sockets: int
    ) -> None:
        self._app = app
        self._sockets: Counter[str] = Counter()
        self._most_sockets = most_sockets
        self._rates = rates
        self._metrics = metrics
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] == ScopeType.HTTP:
            await self._http(scope, receive, send)
        elif scope["type"] == ScopeType.WEBSOCKET:
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        sharing = self._sharing(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS, *sharing]
                self._metrics.count("responses", f'status="{message["status"]}"')
            await send(message)

        group = "page" if scope["path"] == "/" or scope["path"].startswith("/page/") else "read"
        if scope["method"] not in ("GET", "HEAD"):
            group = _GROUPS.get(scope["path"].rstrip("/").rpartition("/")[2], group)
        refusal = self._refusal(scope, group)
        if refusal is None and scope["method"] == "OPTIONS" and _ALLOWED in dict(sharing):
            refusal = 204, list(_PREFLIGHT), b""
        if refusal is None:
            if scope["method"] == "HEAD":
                # It is answered like GET; the server sends no body to who has asked for none.
                scope = cast(HTTPScope, {**scope, "method": "GET"})
            await self._app(scope, _arriving(receive), send_with_headers)
        else:
            status, headers, body = refusal
            await send_with_headers({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body, "more_body": False})

    async def _websocket(self, scope: WebSocketScope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope, "connect")
        who = address_of(scope["client"])
        if refusal is None and self._sockets[who] >= self._most_sockets:
            refusal = _problem(429, "too many connections")
        if refusal is None:
            self._sockets[who] += 1
            try:
                await self._app(scope, receive, send)
            finally:
                self._sockets[who] -= 1
                if not self._sockets[who]:
                    del self._sockets[who]
            return
        status, headers, body = refusal
        self._metrics.count("responses", f'status="{status}"')
        await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
        await send({"type": "websocket.http.response.body", "body": body, "more_body": False})

    def _refusal(
        self, scope: HTTPScope | WebSocketScope, group: str
    ) -> tuple[int, list[tuple[bytes, bytes]], bytes] | None:
        """Return why a request is turned away: the status, headers and the body; None if it may pass."""
        if not self._rates.take(group, address_of(scope["client"])):
            wait = str(self._rates.seconds(group)).encode()
            return _problem(429, "too many requests", (b"retry-after", wait))
        if not self._comes_from_here(scope):
            return _problem(403, "this origin may not use the server")
        return None

    def _sharing(self, scope: HTTPScope) -> tuple[tuple[bytes, bytes], ...]:
        """Return the headers that tell a browser which other origin's page may read an answer."""
        policy: tuple[tuple[bytes, bytes], ...] = ()
        if self._origins:
            # Caches must not give one origin what was answered to another.
            policy = ((b"vary", b"origin"),)
        origins = [value for name, value in scope["headers"] if name == b"origin"]
        if len(origins) == 1 and origins[0].decode("latin-1") in self._origins:
            return (
                *policy,
                (_ALLOWED, origins[0]),
                (b"access-control-expose-headers", b"retry-after"),
                (b"cross-origin-resource-policy", b"cross-origin"),
            )
        return *policy, (b"cross-origin-resource-policy", b"same-origin")

    def _comes_from_here(self, scope: HTTPScope | WebSocketScope) -> bool:
        """Tell whether a browser's page is the server's own; who tells no origin is no browser."""
        origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
        if not origins or (scope["type"] == ScopeType.HTTP and scope["method"] in ("GET", "HEAD")):
            return True
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(origins) > 1 or len(hosts) != 1:
            return False
        return origins[0] in self._origins or origins[0] in (f"http://{hosts[0]}", f"https://{hosts[0]}")


def _problem(status: int, detail: str, *headers: tuple[bytes, bytes]) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    body = encode(Problem(status=status, detail=detail))
    length = (b"content-length", str(len(body)).encode())
    return status, [(b"content-type", b"application/json"), length, *headers], body


def _arriving(receive: Receive) -> Receive:
    """Give up a body that does not arrive in time."""
    arrived = False
    deadline = asyncio.get_running_loop().time() + ARRIVAL_SECONDS

    async def received() -> HTTPReceiveMessage:
        nonlocal arrived
        if arrived:
            return cast(HTTPReceiveMessage, await receive())
        try:
            async with asyncio.timeout_at(deadline):
                message = cast(HTTPReceiveMessage, await receive())
        except TimeoutError:
            raise HTTPException(status_code=408, detail="the request took too long to arrive") from None
        arrived = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    return cast(Receive, received)
