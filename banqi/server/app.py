"""The server as a whole: settings, the application, running it until it is told to stop."""

import logging
import re
import resource
import signal
import socket
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final

import uvicorn
from litestar import Litestar
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from banqi.errors import ServerError, shown, whole_number
from banqi.server.api import EXCEPTION_HANDLERS, HANDLERS, PlainPage, Services
from banqi.server.frames import BoundedFrames
from banqi.server.guard import Guard
from banqi.server.heads import bounded_heads
from banqi.server.hub import Hub
from banqi.server.metrics import Metrics
from banqi.server.rates import Rates, address_of
from banqi.server.store import Store
from banqi.server.work import Work
from banqi.version import __version__

LARGEST_BODY: Final = 64 * 1024
LARGEST_MESSAGE: Final = 4 * 1024
"""Of a WebSocket, in bytes."""
MOST_CONNECTIONS: Final = 4000
MOST_WAITING: Final = 400
"""Connections of one address that are no WebSockets. A browser has six; many people may share an address."""
SILENT_SECONDS: Final = 60
STOP_SECONDS: Final = 10
# As browsers write it: small letters, and no port where it is the scheme's own.
_ORIGIN: Final = re.compile(
    r"(http(?!.*:80$)|https(?!.*:443$))://([a-z0-9_]([a-z0-9_-]|\.(?=[a-z0-9_]))*|\[[0-9a-f:.]+\])(:[0-9]{1,5})?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a server is run.

    database: a URL (see Store). engines: processes for searches. queue: requests for them that may wait or run.
    search_seconds: the longest search for a request. rates: those that differ from the usual (see Rates). sockets: how
    many WebSockets one address may have open. origins: of pages elsewhere that may use it. proxy: the address of a
    proxy whose word on the client's address counts.
    """

    database: str = "sqlite:///banqi-games.db"
    engines: int = 1
    queue: int = 16
    search_seconds: float = 5.0
    rates: Mapping[str, str] = field(default_factory=dict)
    sockets: int = 400
    origins: Collection[str] = ()
    proxy: str | None = None

    def __post_init__(self) -> None:
        whole_number(self.engines, "engines", 1, 256)
        whole_number(self.queue, "the queue", 1, 10_000)
        whole_number(self.sockets, "sockets", 1, MOST_CONNECTIONS)
        # Refused before a database is made.
        Rates(self.rates)
        for origin in self.origins:
            if _ORIGIN.fullmatch(origin) is None:
                raise ServerError(f"an origin is written https://HOST or https://HOST:PORT, not {shown(origin)}")
        if self.proxy is not None:
            try:
                ip_address(self.proxy)
            except ValueError:
                raise ServerError(f"a proxy is an address such as 192.0.2.1, not {shown(self.proxy)}") from None


def make_app(store: Store, settings: Settings) -> Guard:
    """Return the application on a store; its searches end with it.

    Raises:
        ServerError: a rate makes no sense.
    """
    metrics, rates = Metrics(), Rates(settings.rates)
    work = Work(settings.engines, settings.queue)
    hub = Hub(store, work, metrics)
    services = Services(hub, work, rates, metrics, settings.search_seconds)

    @asynccontextmanager
    async def life(_: Litestar) -> AsyncIterator[None]:
        await hub.start()
        try:
            yield
        finally:
            await hub.stop()
            work.close()

    app = Litestar(
        HANDLERS,
        lifespan=[life],
        dependencies={"services": Provide(lambda: services, sync_to_thread=False)},
        exception_handlers=EXCEPTION_HANDLERS,
        request_max_body_size=LARGEST_BODY,
        logging_config=None,
        debug=False,
        openapi_config=OpenAPIConfig(
            title="banqi",
            version=__version__,
            path="/schema",
            use_handler_docstrings=True,
            render_plugins=[PlainPage(path="/"), JsonRenderPlugin()],
        ),
    )
    return Guard(app, rates, metrics, origins=settings.origins, most_sockets=settings.sockets)


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address; with port 0 the system chooses one.

    Raises:
        ServerError: it cannot be had.
    """
    port = whole_number(port, "the port", 0, 65535)
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ServerError(f"there is no address {shown(host)}: {error.strerror}") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Connections have it from the listener: who acknowledges nothing for so long is cut off by the system.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * SILENT_SECONDS)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise ServerError(f"{shown(host)} port {port} cannot be listened on: {error.strerror}") from None
    return listener


class Server(uvicorn.Server):
    """A server that tells when it can be reached."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        await super().startup(sockets)
        if self.started:
            self._ready()


def make_server(store: Store, settings: Settings, ready: Callable[[], None]) -> Server:
    """Return the server of a store, to be run on sockets. ready: called when it can be reached.

    Raises:
        ServerError: a setting makes no sense.
    """
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    return Server(
        uvicorn.Config(
            make_app(store, settings),
            ws=BoundedFrames,
            ws_max_size=LARGEST_MESSAGE,
            ws_per_message_deflate=False,
            limit_concurrency=MOST_CONNECTIONS,
            http=bounded_heads(MOST_WAITING, None if settings.proxy is None else address_of((settings.proxy, 0))),
            # What is logged of a request is chosen here: nothing that a client has sent.
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=settings.proxy is not None,
            forwarded_allow_ips=settings.proxy,
            timeout_graceful_shutdown=STOP_SECONDS,
            lifespan="on",
        ),
        ready,
    )


def _is_news(record: logging.LogRecord) -> bool:
    """Leave out what uvicorn says of clients' mistakes: they are told of them, and nobody fills the log."""
    return record.msg not in (
        "ASGI callable returned without completing handshake.",
        "Invalid UTF-8 sequence received from client.",
    )


def serve(listener: socket.socket, settings: Settings, ready: Callable[[], None]) -> None:
    """Serve until SIGTERM, after which it returns, or Ctrl-C. ready: called when it can be reached.

    Raises:
        ServerError: the database or a setting makes no sense.
        KeyboardInterrupt: Ctrl-C; what was accepted is finished all the same.
    """
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.WARNING)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * MOST_CONNECTIONS)), hard))
    # The server raises again, when it has stopped, the signal that stopped it.
    signal.signal(signal.SIGTERM, lambda *_: None)
    with Store(settings.database) as store:
        make_server(store, settings, ready).run(sockets=[listener])
