"""All games that this process serves: rooms kept in memory, who watches them, the computer's moves, fallen flags.

Everything about one game happens under its lock, one thing after the other. The database is asked in threads, so the
event loop never waits for it.
"""

import asyncio
import hmac
import logging
import os
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, ParamSpec, Protocol, TypeVar

from banqi.record import Record
from banqi.server import lobby
from banqi.server.messages import (
    AnyRequest,
    Events,
    Join,
    Joined,
    MadeGame,
    Move,
    NewGame,
    Seated,
    SeatNumber,
    encode,
)
from banqi.server.metrics import Metrics
from banqi.server.room import Decision, Refusal, Room
from banqi.server.store import CONNECTIONS, Conflict, Marks, Store, Unavailable
from banqi.server.work import THINK_SECONDS, Busy, Work

_P = ParamSpec("_P")
_T = TypeVar("_T")

MOST_ROOMS: Final = 2000
"""Games kept in memory though nobody watches them."""
ATTEMPTS: Final = 5
SWEEP_SECONDS: Final = 0.5
COMPUTER_PATIENCE: Final = 15_000
"""In milliseconds: after that another process takes a computer's move over."""
LONGEST_PAUSE: Final = 8.0
"""In seconds, between attempts to listen to a database that is away."""
_ID: Final = re.compile("[A-Za-z0-9_-]{1,32}")
_LOG: Final = logging.getLogger("banqi.server")


class UnknownGame(Exception):
    """There is no such game."""


class Forbidden(Exception):
    """The token opens no seat of the game, or the invitation none."""


class Stopping(Exception):
    """The server stops and takes nothing more."""


class Watcher(Protocol):
    """Somebody who is told of a game's events."""

    def tell(self, events: bytes) -> None:
        """Take new events, as they are sent; it does not wait."""

    def end(self) -> None:
        """The server stops."""


class _Open:
    """A game in memory. room: None until it is read."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.room: Room | None = None
        self.watchers: set[Watcher] = set()
        # The number of the last event that they know of.
        self.told = 0
        # Those that wait for the lock or hold it.
        self.users = 0


class Hub:
    """The games of a store. now: tells the milliseconds since 1970."""

    def __init__(
        self,
        store: Store,
        work: Work,
        metrics: Metrics,
        *,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._store = store
        self._work = work
        self._metrics = metrics
        self._now = now
        self._open: OrderedDict[str, _Open] = OrderedDict()
        # On SQLite, which has one writer, those that wait are written together.
        self._threads = ThreadPoolExecutor(CONNECTIONS, "store")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._background: set[asyncio.Task[None]] = set()
        self._thinking: set[str] = set()
        self._stopping = False
        self._wake = os.pipe()
        metrics.gauge("rooms", lambda: len(self._open))
        metrics.gauge("watchers", lambda: sum(len(entry.watchers) for entry in self._open.values()))
        metrics.gauge("engine_requests", lambda: work.waiting)
        metrics.gauge("computers_thinking", lambda: len(self._thinking))

    # ---- the life of the server --------------------------------------------------------------------------------

    async def start(self) -> None:
        """Begin to sweep and to listen."""
        self._spawn(self._sweep())
        if self._store.shared:
            self._spawn(self._listen())

    async def stop(self) -> None:
        """Finish what was begun, take nothing more, and tell those who watch."""
        self._stopping = True
        while self._tasks:
            await asyncio.wait(self._tasks)
        os.write(self._wake[1], b".")
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        for entry in self._open.values():
            for watcher in list(entry.watchers):
                watcher.end()
        await asyncio.get_running_loop().run_in_executor(None, self._threads.shutdown)
        for descriptor in self._wake:
            os.close(descriptor)

    @property
    def stopping(self) -> bool:
        """Whether it takes nothing more."""
        return self._stopping

    async def healthy(self) -> bool:
        """Whether the database answers."""
        try:
            async with asyncio.timeout(5):
                await self._ask(self._store.ping)
        except (Unavailable, TimeoutError):
            return False
        return True

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _ask(self, question: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
        """Ask the database in a thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: question(*arguments, **named))

    async def _finished(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Do what must not end half-way when the client goes away meanwhile."""
        if self._stopping:
            work.close()
            raise Stopping
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    # ---- what is asked of it -----------------------------------------------------------------------------------

    async def create(self, wanted: NewGame) -> MadeGame:
        """Make a game.

        Raises:
            BanqiError: the rules, the position or the name make no sense.
            Stopping, Unavailable: see there.
        """
        return await self._finished(self._create(wanted))

    async def _create(self, wanted: NewGame) -> MadeGame:
        opened, kept, made = lobby.new_game(wanted, self._now())
        await self._ask(self._store.create, opened, kept)
        self._metrics.count("games")
        return made

    async def join(self, game: str, request: Join) -> Joined:
        """Give the free seat to who has the invitation; to the same joiner again if it is he who asks.

        Raises:
            UnknownGame, Forbidden, Refusal, Stopping, Unavailable: see there.
            ServerError: the name is none.
        """
        return await self._finished(self._join(game, request))

    async def _join(self, game: str, request: Join) -> Joined:
        name = lobby.checked_name(request.name)
        async with _Locked(self, game) as entry:
            for _ in range(ATTEMPTS):
                room = await self._caught_up(game, entry)
                digests = await self._ask(self._store.digests, game)
                if digests is None or not _same(lobby.digest(request.invitation), digests.invitation):
                    raise Forbidden
                # The maker's seat is the one whose `seated` event came first.
                maker = next(event.seat for event in room.events(0) if isinstance(event, Seated))
                seat: SeatNumber = 1 if maker == 0 else 0
                token = lobby.joiner_token(digests.salt, seat, request.key)
                joined = Joined(seat=seat, token=token, commitment=room.state.commitment)
                if digests.tokens[seat] is not None:
                    if _same(lobby.digest(token), digests.tokens[seat]):
                        return joined
                    raise Refusal("the seat is taken")
                events = room.seat_taken(seat, name, self._now())
                entries = room.entries(events, None)
                first, marks = room.number + 1, Marks(events[-1].time)
                digest = lobby.digest(token)
                entry.room = None
                try:
                    await self._ask(self._store.append_join, game, first, entries, marks, seat=seat, token=digest)
                except Conflict:
                    continue
                room.commit(events, None)
                entry.room = room
                self._tell(entry, room)
                return joined
        raise Unavailable("too many others write at the same time")

    async def seat_of(self, game: str, token: str) -> SeatNumber:
        """Return the seat that a token opens.

        Raises:
            UnknownGame, Forbidden, Unavailable: see there.
        """
        _check_id(game)
        digests = await self._ask(self._store.digests, game)
        if digests is None:
            raise UnknownGame
        own = lobby.digest(token)
        found = [_same(own, digest) for digest in digests.tokens]
        if not any(found):
            raise Forbidden
        return 0 if found[0] else 1

    async def request(self, game: str, seat: SeatNumber, request: AnyRequest) -> int:
        """Do what a seat asks for, and return the number of its event when that is stored.

        Raises:
            Refusal: it is not possible; the text is for the player.
            UnknownGame, Stopping, Unavailable: see there. After Unavailable, the same request may be sent again.
        """
        begun = time.monotonic()
        number = await self._finished(self._request(game, seat, request))
        self._metrics.observe(time.monotonic() - begun)
        return number

    async def _request(self, game: str, seat: SeatNumber, request: AnyRequest) -> int:
        async with _Locked(self, game) as entry:
            failures = 0
            while True:
                room = await self._caught_up(game, entry)
                key = room.stored_key(seat, request.key)
                if (number := room.known(key)) is not None:
                    return number
                decision = room.decide(seat, request, self._now())
                if not decision.events:
                    raise Refusal(decision.refusal)
                try:
                    # Of a fallen flag the event is not the request's.
                    number = await self._store_decision(entry, room, decision, None if decision.refusal else key)
                except (Conflict, Unavailable) as failure:
                    failures += 1
                    if failures == ATTEMPTS:
                        raise Unavailable("the game cannot be written now") from None
                    if isinstance(failure, Unavailable):
                        await asyncio.sleep(0.05 * 2**failures)
                    continue
                if decision.refusal:
                    raise Refusal(decision.refusal)
                self._metrics.count("accepted")
                return number

    async def _store_decision(self, entry: _Open, room: Room, decision: Decision, key: str | None) -> int:
        """Store a decision's events, then show them. If that fails the room is no longer of use."""
        first = room.number + 1
        entry.room = None
        entries, marks = room.entries(decision.events, key), room.marks(decision.events)
        if decision.rematch is None:
            await self._ask(self._store.append, room.game, first, entries, marks)
        else:
            opened, kept = decision.rematch
            await self._ask(self._store.append_rematch, room.game, first, entries, marks, rematch=opened, secrets=kept)
        room.commit(decision.events, key)
        entry.room = room
        self._tell(entry, room)
        self._let_computer_act(room)
        return first

    async def events(self, game: str, after: int) -> Events:
        """Return the events after a number.

        Raises:
            UnknownGame, Unavailable: see there.
        """
        async with _Locked(self, game) as entry:
            room = await self._caught_up(game, entry)
            return self._events(room, after)

    async def record(self, game: str) -> Record:
        """Return a game so far.

        Raises:
            UnknownGame, Unavailable: see there.
        """
        async with _Locked(self, game) as entry:
            return (await self._caught_up(game, entry)).record()

    async def watch(self, game: str, after: int, watcher: Watcher) -> None:
        """Tell somebody the events after a number, and from now on what comes.

        Raises:
            UnknownGame, Stopping, Unavailable: see there.
        """
        async with _Locked(self, game) as entry:
            room = await self._caught_up(game, entry)
            if self._stopping:
                raise Stopping
            entry.watchers.add(watcher)
            watcher.tell(encode(self._events(room, after)))

    def unwatch(self, game: str, watcher: Watcher) -> None:
        """Tell somebody no more."""
        if entry := self._open.get(game):
            entry.watchers.discard(watcher)

    def _events(self, room: Room, after: int) -> Events:
        after = min(after, room.number)
        return Events(first=after + 1, events=room.events(after), state=room.state, now=self._now())

    def _tell(self, entry: _Open, room: Room) -> None:
        """Tell those who watch what they do not know yet."""
        if entry.watchers and room.number > entry.told:
            events = encode(self._events(room, entry.told))
            for watcher in list(entry.watchers):
                watcher.tell(events)
        entry.told = room.number

    # ---- rooms in memory ---------------------------------------------------------------------------------------

    async def _caught_up(self, game: str, entry: _Open) -> Room:
        """Return a game's room with every event that is stored. The caller holds the lock.

        Raises:
            UnknownGame, Unavailable: see there.
        """
        room = entry.room
        if room is None:
            room = await self._ask(self._load, game)
            if room is None:
                raise UnknownGame
            entry.room = room
            self._tell(entry, room)
        elif self._store.shared:
            stored = await self._ask(self._store.events, game, room.number)
            if stored:
                entry.room = None
                room.follow(stored)
                entry.room = room
                self._tell(entry, room)
        return room

    def _load(self, game: str) -> Room | None:
        stored = self._store.events(game)
        return Room(game, self._store.deal(game, ()), stored) if stored else None

    def _entry(self, game: str) -> _Open:
        entry = self._open.get(game)
        if entry is None:
            entry = self._open[game] = _Open()
        self._open.move_to_end(game)
        return entry

    def _trim(self) -> None:
        """Forget games that nobody has used for the longest time."""
        if (excess := len(self._open) - MOST_ROOMS) > 0:
            idle = [game for game, entry in self._open.items() if not entry.watchers and not entry.users]
            for game in idle[:excess]:
                del self._open[game]

    # ---- what happens by itself --------------------------------------------------------------------------------

    def _let_computer_act(self, room: Room) -> None:
        if room.computer_to_act() is None or self._stopping or room.game in self._thinking:
            return
        self._thinking.add(room.game)
        self._spawn(self._act(room.game))

    async def _act(self, game: str) -> None:
        """Play for the computer as long as it is to act. What goes wrong is left to the sweep."""
        thought_at = -1
        try:
            while True:
                async with _Locked(self, game) as entry:
                    room = await self._caught_up(game, entry)
                    seat, number, position = room.computer_to_act(), room.number, room.position
                    level, seconds = room.state.seats[seat or 0].level, self._time_for(room, seat or 0)
                if seat is None:
                    break
                if number == thought_at:
                    # Nothing has changed, so the same would be refused again.
                    _LOG.error("a computer's move was refused")
                    break
                thought_at = number
                move = await self._work.move(position, level or "medium", seconds)
                # The key follows from the position: if two processes think about it, one move is played.
                with suppress(Refusal):
                    await self.request(game, seat, Move(key=f"computer-{number}", move=move, after=number))
        except (Busy, Stopping, Unavailable) as error:
            _LOG.info("a computer's move came to nothing: %s", type(error).__name__)
        except Exception:
            _LOG.exception("a computer's move failed")
        finally:
            self._thinking.discard(game)

    def _time_for(self, room: Room, seat: SeatNumber) -> Callable[[], float]:
        """Return what tells how many seconds a computer may think: few, and fewer if its clock runs out."""
        clocks, since = room.clocks(), room.time

        def seconds() -> float:
            if clocks is None:
                return THINK_SECONDS
            left, increment = (clocks[seat] - (self._now() - since)) / 1000, clocks[2] / 1000
            return max(0.01, min(THINK_SECONDS, left / 30 + increment / 2, left / 3))

        return seconds

    async def _sweep(self) -> None:
        """Look for fallen flags, and for computers' moves that nobody thinks about, from before the start too."""
        patience = 0
        while True:
            try:
                now = self._now()
                for game in await self._ask(self._store.due, now, computers_since=now - patience):
                    await self._sweep_game(game)
                patience = COMPUTER_PATIENCE
            except Unavailable:
                _LOG.warning("the database does not answer")
            except Stopping:
                return
            except Exception:
                _LOG.exception("a sweep failed")
            await asyncio.sleep(SWEEP_SECONDS)

    async def _sweep_game(self, game: str) -> None:
        """Look at one game; if it is broken, the others are looked at all the same."""
        try:
            await self._finished(self._look_at(game))
        except (Stopping, Unavailable):
            raise
        except Exception:
            _LOG.exception("a game cannot be looked at")

    async def _look_at(self, game: str) -> None:
        async with _Locked(self, game) as entry:
            room = await self._caught_up(game, entry)
            decision = room.decide_flag(self._now())
            if decision.events:
                with suppress(Conflict):
                    await self._store_decision(entry, room, decision, None)
            self._let_computer_act(room)

    async def _listen(self) -> None:
        """Follow what other processes append, for as long as the server runs, whatever happens to the database."""
        loop = asyncio.get_running_loop()
        failures = 0

        def told(game: str | None) -> None:
            nonlocal failures
            failures = 0
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._catch_up, game)

        listener = ThreadPoolExecutor(1, "listen")
        try:
            while not self._stopping:
                try:
                    await loop.run_in_executor(listener, self._store.listen, told, self._wake[0])
                except Unavailable:
                    _LOG.warning("the database does not tell what other processes do")
                except Exception:
                    _LOG.exception("listening failed")
                await asyncio.sleep(min(LONGEST_PAUSE, 0.5 * 2**failures))
                failures = min(failures + 1, 10)
        finally:
            listener.shutdown(wait=False)

    def _catch_up(self, game: str | None) -> None:
        """Read what is new in a game, or in all, for those who watch it."""
        for name in list(self._open) if game is None else [game]:
            entry = self._open.get(name)
            if entry is not None and entry.watchers and not self._stopping:
                self._spawn(self._follow(name))

    async def _follow(self, game: str) -> None:
        try:
            async with _Locked(self, game) as entry:
                await self._caught_up(game, entry)
        except (UnknownGame, Unavailable):
            return
        except Exception:
            _LOG.exception("a game cannot be followed")


class _Locked:
    """One game under its lock, in memory for as long as somebody uses it."""

    def __init__(self, hub: Hub, game: str) -> None:
        _check_id(game)
        self._hub = hub
        self._game = game

    async def __aenter__(self) -> _Open:
        self._entry = self._hub._entry(self._game)
        self._entry.users += 1
        try:
            await self._entry.lock.acquire()
        except BaseException:
            self._entry.users -= 1
            raise
        return self._entry

    async def __aexit__(self, *_: object) -> None:
        self._entry.lock.release()
        self._entry.users -= 1
        if self._entry.room is None and not self._entry.watchers and not self._entry.users:
            # Nothing is known of it: there may be no such game.
            self._hub._open.pop(self._game, None)
        self._hub._trim()


def _check_id(game: str) -> None:
    """Refuse what is no id before the database is asked: not every text can be asked for."""
    if _ID.fullmatch(game) is None:
        raise UnknownGame


def _same(digest: bytes, other: bytes | None) -> bool:
    return other is not None and hmac.compare_digest(digest, other)
