"""What is kept of online games, in SQLite or PostgreSQL: their secrets, and their events in order.

An event's number is part of its key, so of two processes that append the same number one is refused. A transaction
that has returned is on the disk: SQLite in WAL mode with full synchronisation, PostgreSQL with synchronous commits.
The functions wait for the database; an event loop calls them in threads.
"""

import fcntl
import os
import select
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import psycopg
import sqlalchemy as sql
from sqlalchemy import exc

from banqi.deal import Deal
from banqi.errors import ServerError, shown

SCHEMA: Final = 1
"""The number of this layout of the tables."""
CONNECTIONS: Final = 16
"""How many threads may use a store at once without waiting for each other."""
CHANNEL: Final = "banqi_events"
"""Where PostgreSQL tells the other processes which game has new events."""

SILENT_SECONDS: Final = 30
_POSTGRESQL: Final[dict[str, Any]] = {
    "options": "-c synchronous_commit=on",
    "connect_timeout": 10,
    "tcp_user_timeout": 1000 * SILENT_SECONDS,
}
_SET_UP_LOCK: Final = int.from_bytes(b"banqi")
_METADATA: Final = sql.MetaData()
# The digest of a token or an invitation is SHA-256. `secret` is the deal's, `salt` what joiners' tokens are made with.
_GAMES: Final = sql.Table(
    "games",
    _METADATA,
    sql.Column("id", sql.String(32), primary_key=True),
    sql.Column("rules", sql.Text, nullable=False),
    sql.Column("fen", sql.Text, nullable=False),
    sql.Column("secret", sql.LargeBinary, nullable=False),
    sql.Column("salt", sql.LargeBinary, nullable=False),
    sql.Column("invitation", sql.LargeBinary),
    sql.Column("created", sql.BigInteger, nullable=False),
    sql.Column("changed", sql.BigInteger, nullable=False),
    sql.Column("flag_at", sql.BigInteger, index=True),
    sql.Column("computer_due", sql.Boolean, nullable=False),
    # Few games wait for a computer, so this index is small.
    sql.Index("games_computer", "changed", postgresql_where=sql.text("computer_due")),
)
_SEATS: Final = sql.Table(
    "seats",
    _METADATA,
    sql.Column("game", sql.String(32), sql.ForeignKey("games.id"), primary_key=True),
    sql.Column("seat", sql.SmallInteger, primary_key=True),
    sql.Column("token", sql.LargeBinary),
)
_EVENTS: Final = sql.Table(
    "events",
    _METADATA,
    sql.Column("game", sql.String(32), sql.ForeignKey("games.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("key", sql.String(80)),
    sql.Column("payload", sql.LargeBinary, nullable=False),
    sql.UniqueConstraint("game", "key"),
)
_SCHEMA: Final = sql.Table("banqi_schema", _METADATA, sql.Column("version", sql.Integer, primary_key=True))


class Conflict(Exception):
    """Another process has appended these numbers, or the key; or what a statement relied on is no longer so."""


class Unavailable(Exception):
    """The database did not answer. Whether a transaction was committed is not known."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event as it is stored. key: of the request that it came from, unique in the game; None if there is none."""

    payload: bytes
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Numbered:
    """A stored event with its number."""

    number: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Marks:
    """What a sweep looks for: when the running clock comes to 0, if one runs; whether a computer is to act."""

    changed: int
    flag_at: int | None = None
    computer_due: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Secrets:
    """What of a new game only the store knows: the deal's secret, the salt, digests of invitation and seat tokens."""

    deal: bytes
    salt: bytes
    invitation: bytes | None
    tokens: tuple[bytes | None, bytes | None]


@dataclass(frozen=True, slots=True)
class Opened:
    """A game to be made with its first events."""

    game: str
    rules: str
    fen: str
    entries: tuple[Entry, ...]
    marks: Marks


@dataclass(frozen=True, slots=True, repr=False)
class SeatDigests:
    """What tells who may do what in a game."""

    salt: bytes
    invitation: bytes | None
    tokens: tuple[bytes | None, bytes | None]


@dataclass(slots=True, eq=False)
class _Pending:
    """A change that waits to be written, and what has become of it."""

    change: Callable[[sql.Connection], None]
    game: str
    done: bool = False
    error: Conflict | Unavailable | None = None


class Store:
    """The database at a URL: `sqlite:///games.db` or `postgresql://...`. A context manager.

    A SQLite file serves one server process at a time, which a lock beside it sees to; a PostgreSQL serves any number.

    Raises:
        ServerError: the URL is none of these, the file is in use, or the database cannot be reached or is another's.
    """

    def __init__(self, url: str) -> None:
        parsed = _parsed(url)
        self.shared: Final = parsed.get_backend_name() == "postgresql"
        """Whether other processes may append, too."""
        # The file itself, whatever links lead to it.
        path = os.path.realpath(str(parsed.database))
        self._lock = -1 if self.shared else _locked(f"{path}.lock")
        if not self.shared:
            _make_private(path)
        self._pending: deque[_Pending] = deque()
        self._writing = threading.Lock()
        # Parameters are secrets: an error's text must not have them.
        connect: dict[str, Any] = _POSTGRESQL if self.shared else {"timeout": 30}
        self._engine = sql.create_engine(
            parsed, hide_parameters=True, pool_pre_ping=self.shared, pool_size=CONNECTIONS, connect_args=connect
        )
        if not self.shared:
            sql.event.listen(self._engine, "connect", _make_durable)
            sql.event.listen(self._engine, "begin", _begin)
        try:
            self._set_up()
        except exc.SQLAlchemyError as error:
            self.close()
            raise ServerError(f"the database cannot be used: {shown(_reason(error), 200)}") from None
        except ServerError:
            self.close()
            raise

    def _set_up(self) -> None:
        with self._engine.begin() as connection:
            if self.shared:
                # Two processes that start at once would both make the tables.
                connection.execute(sql.select(sql.func.pg_advisory_xact_lock(_SET_UP_LOCK)))
            _METADATA.create_all(connection)
            version = connection.scalar(sql.select(_SCHEMA.c.version))
            if version is None:
                connection.execute(_SCHEMA.insert().values(version=SCHEMA))
            elif version != SCHEMA:
                raise ServerError(f"the database has layout {version} of the tables, not {SCHEMA}")

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- writing -----------------------------------------------------------------------------------------------

    def create(self, opened: Opened, secrets: Secrets) -> None:
        """Store a new game.

        Raises:
            Conflict: there is a game of this id.
            Unavailable: see there.
        """
        self._write(partial(_insert_game, opened=opened, secrets=secrets), opened.game)

    def append(self, game: str, first: int, entries: Sequence[Entry], marks: Marks) -> None:
        """Append events, the first of which has this number.

        Raises:
            Conflict: nothing is appended.
            Unavailable: see there.
        """
        self._write(partial(_append, game=game, first=first, entries=entries, marks=marks), game)

    def append_join(
        self, game: str, first: int, entries: Sequence[Entry], marks: Marks, *, seat: int, token: bytes
    ) -> None:
        """Append the events of a joining, and give the seat its token's digest, if it has none.

        Raises:
            Conflict: nothing is appended.
            Unavailable: see there.
        """

        def join(connection: sql.Connection) -> None:
            _append(connection, game=game, first=first, entries=entries, marks=marks)
            free = (_SEATS.c.game == game) & (_SEATS.c.seat == seat) & _SEATS.c.token.is_(None)
            if connection.execute(_SEATS.update().where(free).values(token=token)).rowcount != 1:
                raise Conflict

        self._write(join, game)

    def append_rematch(
        self, game: str, first: int, entries: Sequence[Entry], marks: Marks, *, rematch: Opened, secrets: Secrets
    ) -> None:
        """Append events, and make the game that follows. It has the seat tokens of this one, swapped.

        Raises:
            Conflict: nothing is appended or made.
            Unavailable: see there.
        """

        def make(connection: sql.Connection) -> None:
            _append(connection, game=game, first=first, entries=entries, marks=marks)
            _insert_game(connection, opened=rematch, secrets=secrets)
            for seat in (0, 1):
                before = sql.select(_SEATS.c.token).where(_SEATS.c.game == game, _SEATS.c.seat == 1 - seat)
                own = (_SEATS.c.game == rematch.game) & (_SEATS.c.seat == seat)
                connection.execute(_SEATS.update().where(own).values(token=before.scalar_subquery()))

        self._write(make, game)

    def _write(self, change: Callable[[sql.Connection], None], game: str) -> None:
        pending = _Pending(change, game)
        if self.shared:
            # Its connections write side by side, and it gathers commits by itself.
            self._commit([pending])
        else:
            # Whoever comes to write takes along what others want to write: one wait for the disk serves them all.
            self._pending.append(pending)
            with self._writing:
                if not pending.done:
                    batch = [self._pending.popleft() for _ in range(len(self._pending))]
                    self._commit(batch)
        if pending.error is not None:
            raise pending.error

    def _commit(self, batch: Sequence["_Pending"]) -> None:
        """Write changes in one transaction; what conflicts is left out of it."""
        try:
            with self._engine.begin() as connection:
                for pending in batch:
                    try:
                        with connection.begin_nested():
                            pending.change(connection)
                    except (exc.IntegrityError, Conflict):
                        pending.error = Conflict()
                if self.shared:
                    for pending in batch:
                        connection.execute(sql.select(sql.func.pg_notify(CHANNEL, pending.game)))
        except exc.SQLAlchemyError as error:
            for pending in batch:
                pending.error = Unavailable(_reason(error))
        except BaseException:
            # Others wait for this thread, and must not take it for a success.
            for pending in batch:
                pending.error = Unavailable("a change failed")
            raise
        finally:
            for pending in batch:
                pending.done = True

    # ---- reading -----------------------------------------------------------------------------------------------

    def events(self, game: str, after: int = 0) -> list[Numbered]:
        """Return the events after a number; none if there is no such game.

        Raises:
            Unavailable: see there.
        """
        columns = (_EVENTS.c.number, _EVENTS.c.key, _EVENTS.c.payload)
        wanted = sql.select(*columns).where(_EVENTS.c.game == game, _EVENTS.c.number > after).order_by(_EVENTS.c.number)
        return [Numbered(row.number, Entry(row.payload, row.key)) for row in self._rows(wanted)]

    def deal(self, game: str, nonces: tuple[str, ...]) -> Deal:
        """Return a game's deal with its nonces, for whoever runs the game and nobody else.

        Raises:
            ServerError: there is no such game.
            Unavailable: see there.
        """
        wanted = sql.select(_GAMES.c.rules, _GAMES.c.fen, _GAMES.c.secret).where(_GAMES.c.id == game)
        for row in self._rows(wanted):
            return restored_deal(bytes(row.secret), row.rules, row.fen, nonces)
        raise ServerError(f"there is no game {shown(game)}")

    def digests(self, game: str) -> SeatDigests | None:
        """Return what tells who may do what, None if there is no such game.

        Raises:
            Unavailable: see there.
        """
        tokens = self._rows(sql.select(_SEATS.c.token).where(_SEATS.c.game == game).order_by(_SEATS.c.seat))
        for row in self._rows(sql.select(_GAMES.c.salt, _GAMES.c.invitation).where(_GAMES.c.id == game)):
            first, second = (None if seat.token is None else bytes(seat.token) for seat in tokens)
            invitation = None if row.invitation is None else bytes(row.invitation)
            return SeatDigests(bytes(row.salt), invitation, (first, second))
        return None

    def due(self, now: int, *, computers_since: int, most: int = 100) -> list[str]:
        """Return games whose flag has fallen by now, or whose computer should have acted since the other time.

        Raises:
            Unavailable: see there.
        """
        fallen = _GAMES.c.flag_at <= now
        waiting = _GAMES.c.computer_due & (_GAMES.c.changed <= computers_since)
        wanted = sql.select(_GAMES.c.id).where(fallen | waiting).order_by(_GAMES.c.changed).limit(most)
        return [row.id for row in self._rows(wanted)]

    def ping(self) -> None:
        """Ask the database for an answer.

        Raises:
            Unavailable: see there.
        """
        self._rows(sql.select(1))

    def _rows(self, query: sql.Select[Any]) -> Sequence[sql.Row[Any]]:
        try:
            with self._engine.connect() as connection:
                return connection.execute(query).all()
        except exc.SQLAlchemyError as error:
            raise Unavailable(_reason(error)) from None

    # ---- other processes ---------------------------------------------------------------------------------------

    def listen(self, told: Callable[[str | None], None], stop: int) -> None:
        """Tell of every game to which a process has appended, until the file descriptor `stop` can be read.

        It tells None when it begins, and when it may have missed some: when the connection is there again.

        Raises:
            Unavailable: the connection is lost, or could not be made.
        """
        try:
            pooled = self._engine.raw_connection()
            connection: Any = pooled.driver_connection
            pooled.detach()
        except (exc.SQLAlchemyError, psycopg.Error, OSError) as error:
            # Where no statement is executed, errors of the driver come as they are.
            raise Unavailable(_reason(error)) from None
        try:
            connection.autocommit = True
            connection.execute(f"listen {CHANNEL}")
            told(None)
            while stop not in (heard := select.select([stop, connection.fileno()], [], [], SILENT_SECONDS)[0]):
                if not heard:
                    # A peer that has gone without a word is found out by asking.
                    connection.execute("select 1")
                for notification in connection.notifies(timeout=0):
                    told(notification.payload)
        except (psycopg.Error, OSError) as error:
            raise Unavailable(_reason(error)) from None
        finally:
            connection.close()


def restored_deal(secret: bytes, rules: str, fen: str, nonces: tuple[str, ...]) -> Deal:
    """Return the deal that belongs to what is stored."""
    return Deal.from_secret(secret, rules, fen=fen, nonces=nonces)


def _append(connection: sql.Connection, *, game: str, first: int, entries: Sequence[Entry], marks: Marks) -> None:
    rows = [
        {"game": game, "number": number, "key": entry.key, "payload": entry.payload}
        for number, entry in enumerate(entries, first)
    ]
    connection.execute(_EVENTS.insert(), rows)
    connection.execute(
        _GAMES.update()
        .where(_GAMES.c.id == game)
        .values(changed=marks.changed, flag_at=marks.flag_at, computer_due=marks.computer_due)
    )


def _insert_game(connection: sql.Connection, *, opened: Opened, secrets: Secrets) -> None:
    connection.execute(
        _GAMES.insert().values(
            id=opened.game,
            rules=opened.rules,
            fen=opened.fen,
            secret=secrets.deal,
            salt=secrets.salt,
            invitation=secrets.invitation,
            created=opened.marks.changed,
            changed=opened.marks.changed,
            computer_due=opened.marks.computer_due,
        )
    )
    rows = [{"game": opened.game, "seat": seat, "token": token} for seat, token in enumerate(secrets.tokens)]
    connection.execute(_SEATS.insert(), rows)
    _append(connection, game=opened.game, first=1, entries=opened.entries, marks=opened.marks)


def _parsed(url: str) -> sql.URL:
    try:
        parsed = sql.make_url(url)
    except (exc.ArgumentError, ValueError):
        # A port that is no number is a ValueError.
        raise ServerError("a database is written sqlite:///FILE or postgresql://USER@HOST/NAME") from None
    if parsed.drivername == "sqlite" and parsed.database and ":" not in parsed.database and not parsed.query:
        return parsed
    if parsed.drivername in ("postgresql", "postgres"):
        return parsed.set(drivername="postgresql+psycopg")
    raise ServerError("a database is written sqlite:///FILE or postgresql://USER@HOST/NAME")


def _locked(path: str) -> int:
    """Lock a file, which is made if need be, for as long as this process lives or the descriptor is open."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise ServerError(f"the database cannot be used: {path}: {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise ServerError("another server uses this SQLite database; several need a PostgreSQL") from None
    return descriptor


def _make_private(path: str) -> None:
    """Make a file that only its owner may read, and tighten one that is there: it holds the secrets of games.

    SQLite gives the files beside it the permissions of this one.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        for name in (path, f"{path}-wal", f"{path}-shm"):
            with suppress(FileNotFoundError):
                if (found := os.stat(name)).st_uid == os.geteuid() and found.st_mode & 0o077:
                    os.chmod(name, 0o600)
    except OSError:
        # SQLite says better what is wrong.
        return


def _make_durable(connection: Any, _: object) -> None:
    # Python's module would begin transactions at a time of its own choice, after a savepoint has been made.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"pragma {pragma}")


def _begin(connection: sql.Connection) -> None:
    connection.exec_driver_sql("begin")


def _reason(error: BaseException) -> str:
    """The first line of what a driver says; the statement and its parameters are no part of it."""
    cause = getattr(error, "orig", None) or error
    return (str(cause).strip().splitlines() or [type(error).__name__])[0]
