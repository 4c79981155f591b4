"""How large the head of a request may be, and how long it may take to arrive: uvicorn asks neither of httptools."""

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD: Final = 16 * 1024
"""In bytes. What arrives in one piece may be larger: it is in memory already."""
HEAD_SECONDS: Final = 15


class BoundedHeads(HttpToolsProtocol):
    """HTTP that closes a connection whose next head is too large, or does not end in time."""

    _waiting: asyncio.TimerHandle | None = None
    _arrived = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._wait_no_longer()
        super().connection_lost(exc)

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
