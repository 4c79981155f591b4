"""How much of a WebSocket is read at a time, and how many frames besides messages: uvicorn asks for neither."""

import asyncio
from typing import Any, Final

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

SLICE: Final = 1024
"""Bytes that are read before others have their turn: at most some hundred frames."""
MOST_FRAMES: Final = 100
"""Pings, pongs and continuations that may come at once; honest clients send one in some seconds."""
FRAMES_PER_SECOND: Final = 10
FLOOD: Final = 1008
LINGER_SECONDS: Final = 5


class BoundedFrames(WebSocketsSansIOProtocol):
    """A WebSocket that is read in slices, and closed when frames that are no messages come too fast.

    What a client sends before its last message is dealt with stays on its own side, but for one read.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._unread = bytearray()
        self._next: asyncio.Handle | None = None
        self._pongs = b""
        self._frames_left = float(MOST_FRAMES)
        self._counted_at = self.loop.time()

    def data_received(self, data: bytes) -> None:
        """Take what has arrived."""
        self._unread += data
        if self._next is None:
            self._feed()

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next message, and read on."""
        message = await super().receive()
        self._go_on()
        return message

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message; after a closing, read on for the client's."""
        await super().send(message)
        self._go_on()

    def _feed(self) -> None:
        self._next = None
        piece = bytes(self._unread[:SLICE])
        del self._unread[:SLICE]
        super().data_received(piece)
        self._go_on()

    def _go_on(self) -> None:
        """Read the next slice after others have had their turn, and from the client only when nothing is left."""
        if self.transport.is_closing():
            self._unread.clear()
        elif not self._unread:
            if not self.read_paused:
                self.transport.resume_reading()
        else:
            self.transport.pause_reading()
            if self._next is None and not self.read_paused:
                self._next = self.loop.call_soon(self._feed)

    # ---- frames that are no messages ---------------------------------------------------------------------------

    def handle_cont(self, event: Frame) -> None:
        """Take a part of a message."""
        if self._within_rate():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping; to a client that reads nothing, the last ones when it does."""
        if self._within_rate():
            self._pongs = b"".join(self.conn.data_to_send())
            if self.writable.is_set():
                self.resume_writing()

    def handle_pong(self, event: Frame) -> None:
        """Take an answer to a ping."""
        if self._within_rate():
            super().handle_pong(event)

    def handle_text(self, event: Frame) -> None:
        """Take a message; after the closing it is only counted."""
        if not self.close_sent or self._within_rate():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """Take a message; after the closing it is only counted."""
        if not self.close_sent or self._within_rate():
            super().handle_bytes(event)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        pongs, self._pongs = self._pongs, b""
        if pongs and not self.transport.is_closing():
            self.transport.write(pongs)

    def keepalive_timeout(self) -> None:
        """Give up a client that answers no ping, unless its answer may be among what was not read yet."""
        if self.read_paused or self._unread:
            self.pong_timer = self.loop.call_later(self.ping_timeout or 0, self.keepalive_timeout)
        else:
            super().keepalive_timeout()

    def _within_rate(self) -> bool:
        """Count a frame; beyond the rate close the connection."""
        if self.transport.is_closing():
            return False
        now = self.loop.time()
        self._frames_left += FRAMES_PER_SECOND * (now - self._counted_at)
        self._frames_left = min(self._frames_left, MOST_FRAMES) - 1
        self._counted_at = now
        if self._frames_left >= 0:
            return True
        if not self.close_sent:
            self.close_sent = True
            self.queue.put_nowait({"type": "websocket.disconnect", "code": FLOOD})
        self.conn.fail(FLOOD)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()
        # What it does not read is not kept for it.
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)
        return False
