"""Games that are kept while they are played: each in a file of records, its deal apart from it until the end.

The record of a game holds what both players know, so it may be shown and copied at any time; it names the deal by its
commitment. What lies face down follows from the deal's secret, which stands in a file of the user's data folder that
nobody else may read, under the name of the commitment. That file is written before the first move and never changes;
it goes when the record tells the end, and the opening with it. Whoever is killed at any moment leaves both files whole.
"""

import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final, Self

from banqi.deal import SECRET_BYTES, Deal
from banqi.errors import BanqiError, GameError, RecordError, shown
from banqi.game import Game
from banqi.record import Format, Record, read_file, write_file

CLOCKS: Final = "Clocks"
"""The tag that tells the seconds left of both seats in a game that goes on."""
TIME_CONTROL: Final = "TimeControl"
"""The tag that tells the seconds at the beginning and after each ply, such as 300+5."""

_COMMITMENT = re.compile("[0-9a-f]{64}")
_OWN: Final = ("Commitment", "Opening", CLOCKS)
_NUMBER: Final = r"[0-9]{1,9}(?:\.[0-9]{1,6})?"
_TIME_CONTROL = re.compile(rf"({_NUMBER})(?:\+({_NUMBER}))?")
_CLOCKS = re.compile(rf"({_NUMBER}) ({_NUMBER})")


def data_folder() -> Path:
    """Return the folder for games and deals: `banqi` in $XDG_DATA_HOME, by default in ~/.local/share."""
    told = os.environ.get("XDG_DATA_HOME", "")
    return (Path(told) if os.path.isabs(told) else Path(os.path.expanduser("~/.local/share"))) / "banqi"


def time_control(text: str) -> tuple[float, float]:
    """Read seconds and increment, such as `300+5` or `300`.

    Raises:
        GameError: the text is neither.
    """
    match = _TIME_CONTROL.fullmatch(text)
    if match is None or not float(match[1]):
        raise GameError(f"a clock is seconds, or seconds+increment, such as 300+5, not {shown(text)}")
    return float(match[1]), float(match[2] or 0)


class KeptGame:
    """A game, the file of its record, and the tags that the record has besides the game's own.

    Only one process at a time has a game. Close it, or leave its `with` block, to give it up.
    """

    def __init__(self, game: Game, path: Path, tags: Mapping[str, str], deal_file: int) -> None:
        self.game = game
        self.path = path
        self.tags = dict(tags)
        self._deal_file = deal_file

    @classmethod
    def begin(cls, deal: Deal, path: Path | None, tags: Mapping[str, str]) -> Self:
        """Begin a game with a deal, in a new file; without a path in the data folder. TimeControl among tags counts.

        Raises:
            RecordError: the file is there already, or one cannot be written.
        """
        path = _new_path(deal) if path is None else path.absolute()
        if path.parent == _games():
            _make(path.parent)
        if os.path.lexists(path):
            raise RecordError(f"{shown(str(path), 100)} is there already: go on with --resume, or name another file")
        held = {"record": str(path), "secret": deal.secret().hex()}
        deal_path = _deal_path(deal.commitment())
        _make(deal_path.parent)
        with _writing(deal_path):
            file = os.open(deal_path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.write(file, json.dumps(held).encode())
            os.fsync(file)
        begun = False
        try:
            control = tags.get(TIME_CONTROL)
            seconds, inc = (None, 0.0) if control is None else time_control(control)
            clocks = None if seconds is None else (seconds, seconds)
            kept = cls(Game(deal=deal, clocks=clocks, inc=inc), path, tags, file)
            if (outcome := kept.game.outcome()) is not None:
                raise GameError(f"the game is over: {outcome}")
            kept.write()
            begun = True
        finally:
            if not begun:
                deal_path.unlink()
                os.close(file)
        return kept

    @classmethod
    def resume(cls, path: Path | None) -> Self:
        """Go on with the game of a file; without a path with the one that was begun last, or gone on with, and is on.

        Raises:
            RecordError: the file cannot be read, or does not hold one game.
            GameError: the game is over, or played elsewhere; its deal is not kept here, or not the record's.
        """
        path = _last_path() if path is None else path.absolute()
        name = shown(str(path), 100)
        games = list(read_file(path))
        if len(games) != 1:
            raise RecordError(f"{name} holds {len(games)} games, not one")
        record = games[0]
        if isinstance(record, RecordError):
            raise record
        if record.result != "*":
            raise GameError(f"the game in {name} is over: {record.result} ({record.termination})")
        commitment = record.tags.get("Commitment", "")
        file = _taken(commitment, name)
        resumed = False
        try:
            deal = _kept_deal(file, record, name)
            tags = {key: value for key, value in record.tags.items() if key not in _OWN}
            kept = cls(_restored(record, deal, name), path, tags, file)
            # The one that --resume finds without a name.
            os.utime(file)
            resumed = True
        finally:
            if not resumed:
                os.close(file)
        return kept

    @property
    def control(self) -> tuple[float, float] | None:
        """Seconds and increment, None in a game without clocks."""
        text = self.tags.get(TIME_CONTROL)
        return None if text is None else time_control(text)

    def record(self) -> Record:
        """Return the record as it stands, with the clocks while the game goes on."""
        clocks = self.game.clocks()
        tags = self.tags
        if clocks is not None and self.game.outcome() is None:
            tags = tags | {CLOCKS: " ".join(f"{left:.3f}" for left in clocks)}
        return self.game.record(tags)

    def write(self) -> None:
        """Write the game as it stands. After its end nothing is secret any more, and the deal's file goes.

        Raises:
            RecordError: the file cannot be written.
        """
        self.copy(self.path)
        if self.game.outcome() is not None:
            _deal_path(self.game.commitment()).unlink(missing_ok=True)

    def copy(self, path: Path) -> None:
        """Write the game as it stands to another file, in the form that the name tells, else as text.

        Raises:
            RecordError: the file cannot be written.
        """
        with _private():
            write_file(path, [self.record()], Format.of_name(path.name) or Format.TEXT)

    def forget(self) -> None:
        """Remove a game in which nothing was played."""
        for path in (self.path, _deal_path(self.game.commitment())):
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Give the game up: it can be gone on with elsewhere."""
        os.close(self._deal_file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _make(folder: Path) -> None:
    with _writing(folder), _private():
        folder.mkdir(parents=True, exist_ok=True)


def _games() -> Path:
    return data_folder() / "games"


def _deals() -> Path:
    return data_folder() / "deals"


def _deal_path(commitment: str) -> Path:
    return _deals() / f"{commitment}.json"


def _new_path(deal: Deal) -> Path:
    begun = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    return _games() / f"{begun}-{deal.commitment()[:6]}.txt"


@contextmanager
def _private() -> Iterator[None]:
    """Let nobody else read what is made."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RecordError(f"cannot write {shown(str(path), 100)}: {error.strerror or error}") from None


def _last_path() -> Path:
    """Where the game is that was begun or gone on with last and is not over."""
    with suppress(OSError):
        for deal_path in sorted(_deals().glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True):
            with suppress(OSError, ValueError, KeyError, TypeError):
                path = Path(json.loads(deal_path.read_bytes())["record"])
                if path.exists() and any(_is_on(game, deal_path.stem) for game in read_file(path)):
                    return path
    raise GameError("there is no unfinished game")


def _is_on(game: Record | RecordError, commitment: str) -> bool:
    return isinstance(game, Record) and game.result == "*" and game.tags.get("Commitment") == commitment


def _taken(commitment: str, name: str) -> int:
    """Open the file of a deal for this process alone."""
    if not _COMMITMENT.fullmatch(commitment):
        raise GameError(f"the game in {name} tells no commitment, so its deal cannot be found")
    try:
        file = os.open(_deal_path(commitment), os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        raise GameError(f"the deal of the game in {name} is not kept here, so nobody can go on with it") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise GameError(f"the game in {name} is being played elsewhere") from None
    return file


def _kept_deal(file: int, record: Record, name: str) -> Deal:
    try:
        secret = bytes.fromhex(json.loads(os.pread(file, 1 << 16, 0))["secret"])
        if len(secret) != SECRET_BYTES:
            raise ValueError
        deal = Deal.from_secret(secret, record.rules, fen=record.fen)
    except (OSError, ValueError, KeyError, TypeError):
        # The cause would show what is secret.
        raise GameError(f"the deal of the game in {name} is damaged") from None
    if deal.commitment() != record.tags["Commitment"]:
        raise GameError(f"the deal kept for the game in {name} is another one: its rules or its start were changed")
    return deal


def _restored(record: Record, deal: Deal, name: str) -> Game:
    """Play a record's requests again."""
    control, left = record.tags.get(TIME_CONTROL), record.tags.get(CLOCKS, "")
    clocks, inc = None, 0.0
    if control is not None:
        found = _CLOCKS.fullmatch(left)
        if found is None:
            raise GameError(f"the clocks of the game in {name} are lost: its tag {CLOCKS} tells no two times")
        # A clock that had come to 0 would have ended the game; it may have been rounded down to it.
        clocks, inc = (float(found[1]) or 0.001, float(found[2]) or 0.001), time_control(control)[1]
    moves = [recorded.move for recorded in record.moves]
    try:
        game = Game(deal=deal, moves=[move.request for move in moves], clocks=clocks, inc=inc)
    except BanqiError:
        game = None
    if game is None or game.position.move_stack != tuple(moves):
        raise GameError(f"the reveals of the game in {name} are not those of its deal: they were changed")
    return game
