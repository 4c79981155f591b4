"""The store of online games, on both databases."""

import hashlib
import os
import threading
import time
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sql

from banqi import Deal
from banqi.errors import ServerError
from banqi.server.store import Conflict, Entry, Marks, Opened, Secrets, Store, Unavailable

SECRET = bytes(range(32))
SALT = b"s" * 32


def opened(game: str = "game") -> Opened:
    return Opened(game, "taiwan", Deal("taiwan").fen, (Entry(b"one"), Entry(b"two", "0:key")), Marks(100))


def secrets(first: bytes | None = b"first", second: bytes | None = None) -> Secrets:
    return Secrets(SECRET, SALT, b"invitation", (first, second))


def payloads(store: Store, game: str = "game", after: int = 0) -> list[tuple[int, bytes, str | None]]:
    return [(item.number, bytes(item.entry.payload), item.entry.key) for item in store.events(game, after)]


def test_what_is_stored_comes_back(database: str) -> None:
    with Store(database) as store:
        store.create(opened(), secrets())
        store.append("game", 3, [Entry(b"three"), Entry(b"four", "1:key")], Marks(200))
    with Store(database) as store:
        everything = [(1, b"one", None), (2, b"two", "0:key"), (3, b"three", None), (4, b"four", "1:key")]
        assert payloads(store) == everything
        assert payloads(store, after=2) == everything[2:]
        assert payloads(store, "other") == []
        digests = store.digests("game")
        assert digests is not None
        assert (digests.salt, digests.invitation, digests.tokens) == (SALT, b"invitation", (b"first", None))
        assert store.digests("other") is None
        assert store.deal("game", ("a nonce",)).opening() == Deal.from_secret(SECRET, nonces=["a nonce"]).opening()
        with pytest.raises(ServerError, match="there is no game 'other'"):
            store.deal("other", ())


@pytest.mark.parametrize(
    ("first", "entries"),
    [
        pytest.param(2, [Entry(b"again")], id="a number again"),
        pytest.param(3, [Entry(b"new"), Entry(b"again", "0:key")], id="a key again"),
    ],
)
def test_what_conflicts_changes_nothing(database: str, first: int, entries: list[Entry]) -> None:
    with Store(database) as store:
        store.create(opened(), secrets())
        with pytest.raises(Conflict):
            store.append("game", first, entries, Marks(200, flag_at=1))
        assert len(payloads(store)) == 2
        assert store.due(1 << 40, computers_since=1 << 40) == []


def test_events_of_no_game_are_refused(database: str) -> None:
    with Store(database) as store, pytest.raises(Conflict):
        store.append("nothing", 1, [Entry(b"one")], Marks(1))


def test_of_two_that_append_at_once_one_is_refused(database: str) -> None:
    # Threads of one process for SQLite, as two stores, which are two processes, share no SQLite file.
    with Store(database) as store:
        store.create(opened(), secrets())
        barrier, outcomes = threading.Barrier(8), []

        def append(number: int) -> None:
            barrier.wait()
            try:
                store.append("game", 3, [Entry(str(number).encode())], Marks(200))
                outcomes.append(number)
            except (Conflict, Unavailable):
                pass

        threads = [threading.Thread(target=append, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(outcomes) == 1
        assert payloads(store, after=2) == [(3, str(outcomes[0]).encode(), None)]


def test_those_who_wait_for_sqlite_are_written_together(tmp_path: Path) -> None:
    games, commits = [f"game {number}" for number in range(6)], []
    with Store(f"sqlite:///{tmp_path / 'games.db'}") as store:
        for game in games:
            store.create(opened(game), secrets())
        sql.event.listen(store._engine, "commit", commits.append)
        outcomes: dict[str, str] = {}

        def append(game: str, number: int) -> None:
            try:
                store.append(game, number, [Entry(b"new")], Marks(200))
                outcomes[game] = "stored"
            except Conflict:
                outcomes[game] = "conflict"

        # One of them comes with a number that is there already; it alone is left out.
        threads = [threading.Thread(target=append, args=(game, 2 if game == games[3] else 3)) for game in games]
        with store._writing:
            for thread in threads:
                thread.start()
            while len(store._pending) < len(games):
                time.sleep(0.01)
        for thread in threads:
            thread.join()
        assert len(commits) == 1
        assert outcomes == {game: "conflict" if game == games[3] else "stored" for game in games}
        assert [len(payloads(store, game)) for game in games] == [3, 3, 3, 2, 3, 3]


def test_a_seat_is_taken_once(database: str) -> None:
    with Store(database) as store:
        store.create(opened(), secrets())
        store.append_join("game", 3, [Entry(b"joined")], Marks(200), seat=1, token=b"second")
        with pytest.raises(Conflict):
            store.append_join("game", 4, [Entry(b"joined")], Marks(200), seat=1, token=b"third")
        digests = store.digests("game")
        assert digests is not None
        assert digests.tokens == (b"first", b"second")
        assert len(payloads(store)) == 3


def test_a_rematch_swaps_the_tokens(database: str) -> None:
    with Store(database) as store:
        store.create(opened(), secrets(b"first", b"second"))
        with pytest.raises(Conflict):
            store.append_rematch("game", 2, [Entry(b"x")], Marks(9), rematch=opened("next"), secrets=secrets(None))
        assert store.digests("next") is None
        store.append_rematch("game", 3, [Entry(b"x")], Marks(9), rematch=opened("next"), secrets=secrets(None))
        digests = store.digests("next")
        assert digests is not None
        assert digests.tokens == (b"second", b"first")
        assert len(payloads(store, "next")) == 2


def test_a_sweep_finds_what_is_due(database: str) -> None:
    with Store(database) as store:
        for game in ("clock", "computer", "neither"):
            store.create(opened(game), secrets())
        store.append("clock", 3, [Entry(b"x")], Marks(1000, flag_at=5000))
        store.append("computer", 3, [Entry(b"x")], Marks(2000, computer_due=True))
        assert store.due(4999, computers_since=1999) == []
        assert store.due(5000, computers_since=1999) == ["clock"]
        assert store.due(4999, computers_since=2000) == ["computer"]
        store.append("clock", 4, [Entry(b"x")], Marks(6000))
        store.append("computer", 4, [Entry(b"x")], Marks(6000))
        assert store.due(9000, computers_since=9000) == []


def test_errors_tell_no_secret(database: str) -> None:
    with Store(database) as store:
        store.create(opened(), secrets())
        # A statement that the database cannot run, with a secret among its parameters.
        with store._engine.begin() as connection:
            connection.execute(sql.text("drop table events"))
        with pytest.raises(Unavailable) as caught:
            store.create(opened("other"), secrets())
        told = repr(caught.value) + str(caught.value) + str(caught.value.__cause__)
        assert "no such table" in told or "does not exist" in told
        for hidden in (SECRET, SALT, b"first"):
            assert hidden.hex() not in told
            assert repr(hidden)[2:-1] not in told
        assert SECRET.hex() not in repr(secrets())
        assert repr(SECRET)[2:-1] not in repr(secrets())


def test_another_layout_of_the_tables_is_refused(database: str) -> None:
    with Store(database) as store, store._engine.begin() as connection:
        connection.execute(sql.text("update banqi_schema set version = 7"))
    with pytest.raises(ServerError, match="the database has layout 7 of the tables, not 1"):
        Store(database)


def test_sqlite_is_durable(tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path / 'games.db'}") as store, store._engine.connect() as connection:
        assert connection.scalar(sql.text("pragma journal_mode")) == "wal"
        # 2 is FULL: the log is on the disk before a commit returns.
        assert connection.scalar(sql.text("pragma synchronous")) == 2


def test_postgresql_is_durable_whatever_its_settings(postgresql: str) -> None:
    name = sql.make_url(postgresql).database
    with psycopg.connect(postgresql, autocommit=True) as connection:
        connection.execute(f'alter database "{name}" set synchronous_commit = off'.encode())
    with Store(postgresql) as store, store._engine.connect() as connection:
        assert connection.scalar(sql.text("show synchronous_commit")) == "on"


def test_a_sqlite_file_serves_one_store(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    with Store(url), pytest.raises(ServerError, match="another server uses this SQLite database"):
        Store(url)
    (tmp_path / "link.db").symlink_to("games.db")
    with Store(url), pytest.raises(ServerError, match="another server uses this SQLite database"):
        Store(f"sqlite:///{tmp_path / 'link.db'}")
    Store(url).close()


@pytest.mark.parametrize(
    "url",
    ["games.db", "", "sqlite://", "sqlite:///:memory:", "sqlite:///file:x?mode=memory&uri=true", "mysql://x/y", "://"],
)
def test_other_databases_are_refused(url: str) -> None:
    with pytest.raises(ServerError, match="a database is written sqlite:///FILE or postgresql://USER@HOST/NAME"):
        Store(url)


def test_a_database_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    for url in (f"sqlite:///{tmp_path}/no/games.db", f"postgresql://banqi@/x?host={tmp_path}"):
        with pytest.raises(ServerError, match="the database cannot be used: ") as caught:
            Store(url)
        assert "\n" not in str(caught.value)
    file = tmp_path / "no-database"
    file.write_bytes(hashlib.sha256(b"").digest() * 100)
    with pytest.raises(ServerError, match=r"the database cannot be used: '?file is not a database"):
        Store(f"sqlite:///{file}")


def test_other_processes_are_told_of_events(postgresql: str) -> None:
    with Store(postgresql) as store, Store(postgresql) as other:
        told: list[str | None] = []
        begun, heard = threading.Event(), threading.Event()
        stop, stopping = os.pipe()

        def tell(game: str | None) -> None:
            told.append(game)
            (begun if game is None else heard).set()

        thread = threading.Thread(target=store.listen, args=(tell, stop))
        thread.start()
        assert begun.wait(20)
        other.create(opened(), secrets())
        assert heard.wait(20)
        os.write(stopping, b".")
        thread.join(20)
        assert not thread.is_alive()
        os.close(stop)
        os.close(stopping)
        assert told == [None, "game"]


@pytest.mark.parametrize("before", [None, 0o644])
def test_a_file_with_secrets_is_its_owners_alone(tmp_path: Path, before: int | None) -> None:
    path = tmp_path / "games.db"
    if before is not None:
        path.touch()
        path.chmod(before)
    with Store(f"sqlite:///{path}") as store:
        store.create(opened(), secrets())
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert modes == dict.fromkeys(("games.db", "games.db-wal", "games.db-shm", "games.db.lock"), 0o600)
