"""How large the head of a request may be, how long it may take, and how many connections wait: uvicorn does not ask."""

import asyncio
from collections import Counter
from typing import ClassVar, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from banqi.server.rates import address_of

LARGEST_HEAD: Final = 16 * 1024
"""In bytes. What arrives in one piece may be larger: it is in memory already."""
HEAD_SECONDS: Final = 15


class BoundedHeads(HttpToolsProtocol):
    """HTTP that closes a connection whose next head is too large, or does not end in time.

    most: connections of one address, WebSockets not counted. trusted: the address that may have any number.
    """

    most: ClassVar[int]
    trusted: ClassVar[str | None]
    open: ClassVar[Counter[str]]
    _waiting: asyncio.TimerHandle | None = None
    _arrived = 0
    _who: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        who = address_of(self.client)
        if who != self.trusted:
            if self.open[who] >= self.most:
                self._refuse(b"429 Too Many Requests")
                return
            self._who = who
            self.open[who] += 1
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to others, who count it for themselves."""
        self._leave()
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Take what has arrived."""
        super().data_received(data)
        if self._waiting is not None:
            self._arrived += len(data)
            if self._arrived > LARGEST_HEAD:
                self._refuse(b"431 Request Header Fields Too Large")

    def on_message_begin(self) -> None:
        """Begin to wait for a further head, if it is one."""
        super().on_message_begin()
        if self._waiting is None:
            self._wait()

    def on_headers_complete(self) -> None:
        """Have a head, whose body others wait for."""
        self._wait_no_longer()
        super().on_headers_complete()

    def _leave(self) -> None:
        self._wait_no_longer()
        if self._who is not None:
            self.open[self._who] -= 1
            if not self.open[self._who]:
                del self.open[self._who]
            self._who = None

    def _wait(self) -> None:
        self._arrived = 0
        self._waiting = self.loop.call_later(HEAD_SECONDS, self._refuse, b"408 Request Timeout")

    def _wait_no_longer(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _refuse(self, status: bytes) -> None:
        self._wait_no_longer()
        if not self.transport.is_closing():
            self.transport.write(b"HTTP/1.1 %b\r\ncontent-length: 0\r\nconnection: close\r\n\r\n" % status)
            self.transport.close()


def bounded_heads(most: int, trusted: str | None) -> type[BoundedHeads]:
    """Return the protocol of one server; most, trusted: see BoundedHeads."""
    return type("CountedHeads", (BoundedHeads,), {"most": most, "trusted": trusted, "open": Counter()})
