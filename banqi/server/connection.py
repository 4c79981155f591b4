"""A WebSocket of a game: what comes in goes to the hub, what the hub tells goes out, and nobody waits for anybody."""

import asyncio
import logging
from contextlib import suppress
from itertools import count
from typing import Any, Final, NoReturn

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from banqi.server.hub import Forbidden, Hub, Stopping, UnknownGame
from banqi.server.messages import Accepted, AnyRequest, Refused, SeatNumber, encode, read_hello, read_request
from banqi.server.rates import Rates
from banqi.server.room import Refusal
from banqi.server.store import Unavailable

HELLO_SECONDS: Final = 10
MOST_WAITING: Final = 64
"""Messages that wait for a reader; who is slower is let go, and can come again and resume."""
LONGEST_REASON: Final = 200
GONE: Final = 1000
PROTOCOL_ERROR: Final = 4400
FORBIDDEN: Final = 4403
UNKNOWN_GAME: Final = 4404
TOO_SLOW: Final = 4408
UNAVAILABLE: Final = 1013
RESTART: Final = 1012
# A server may tell by either that the client has gone while something is sent.
_LOST: Final = (WebSocketDisconnect, OSError)
_NUMBERS: Final = count()
_LOG: Final = logging.getLogger("banqi.server")


class Connection:
    """One client of one game."""

    def __init__(self, socket: WebSocket[Any, Any, Any], hub: Hub, game: str, rates: Rates, address: str) -> None:
        self._socket = socket
        self._hub = hub
        self._game = game
        self._rates = rates
        self._who = f"{address} {next(_NUMBERS)}"
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        self._closing: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def tell(self, events: bytes) -> None:
        """Take new events, as they are sent; it does not wait."""
        self._send(events)

    def end(self) -> None:
        """The server stops."""
        self._close(RESTART)

    def _send(self, message: bytes) -> None:
        try:
            self._waiting.put_nowait(message)
        except asyncio.QueueFull:
            self._close(TOO_SLOW)

    def _close(self, code: int) -> None:
        if not self._closing.done():
            self._closing.set_result(code)

    async def run(self) -> None:
        """Serve the client until one of both goes."""
        try:
            await self._socket.accept()
        except _LOST:
            return
        tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._write())]
        for task in tasks:
            task.add_done_callback(self._ended)
        try:
            code = await self._closing
        finally:
            self._hub.unwatch(self._game, self)
            tasks[0].cancel()
        if code not in (TOO_SLOW, GONE):
            # What was said last shall still arrive.
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._waiting.join()
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(TimeoutError, RuntimeError, *_LOST):
            async with asyncio.timeout(1):
                await self._socket.close(code)

    def _ended(self, task: asyncio.Task[int]) -> None:
        if task.cancelled():
            return
        if error := task.exception():
            _LOG.error("a connection failed", exc_info=error)
        self._close(UNAVAILABLE if error else task.result())

    async def _write(self) -> int:
        with suppress(*_LOST):
            while True:
                # Text frames: what is sent is JSON.
                await self._socket.send_text((await self._waiting.get()).decode())
                self._waiting.task_done()
        return GONE

    async def _read(self) -> int:
        """Read until the client goes or has to go; return the code of the closing."""
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello = read_hello(await self._socket.receive_data("text"))
        except (msgspec.DecodeError, UnicodeError, RecursionError, TimeoutError, WebSocketDisconnect):
            return PROTOCOL_ERROR
        try:
            seat = None if hello.token is None else await self._hub.seat_of(self._game, hello.token)
            await self._hub.watch(self._game, hello.after, self)
            await self._serve(seat)
        except Forbidden:
            return FORBIDDEN
        except UnknownGame:
            return UNKNOWN_GAME
        except Unavailable:
            return UNAVAILABLE
        except Stopping:
            return RESTART
        except WebSocketDisconnect:
            return GONE

    async def _serve(self, seat: SeatNumber | None) -> NoReturn:
        while True:
            text = await self._socket.receive_data("text")
            # Nothing is read meanwhile, so a flood waits on its own side of the connection.
            while not self._rates.take("message", self._who):
                await asyncio.sleep(0.05)
            try:
                request = read_request(text)
            except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
                self._send(encode(Refused(key=None, reason=_one_line(str(error)))))
                continue
            self._send(encode(await self._answer(seat, request)))

    async def _answer(self, seat: SeatNumber | None, request: AnyRequest) -> Accepted | Refused:
        if seat is None:
            return Refused(key=request.key, reason="a spectator asks for nothing")
        try:
            number = await self._hub.request(self._game, seat, request)
        except Refusal as refusal:
            return Refused(key=request.key, reason=str(refusal))
        return Accepted(key=request.key, number=number)


def _one_line(reason: str) -> str:
    """Return what was wrong with a message, which may repeat a part of it."""
    return "".join(character if character.isprintable() else " " for character in reason[:LONGEST_REASON])
