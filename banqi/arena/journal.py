"""The record file of a match: one game a line, as JSON, from which a match that was stopped goes on.

A line is a game's record (see banqi.record), with these tags beside First, Second, Commitment and Opening: Event is
"arena"; Round is the pair, from 0, and the game, 1 or 2, as in "17.2"; Seed, Margin, Patience and Build belong to the
match; Plies, Decisions, Nodes and Seconds say what was used, the last three for the first seat and the second; Fault
and Failure say how a player failed, if one did. Both games of a pair are written at once, in whatever order pairs end.
"""

import fcntl
import os
import re
import stat
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

import msgspec

from banqi.arena.duel import Ended, Spent
from banqi.arena.match import Match, Pair, Played
from banqi.arena.player import Fault
from banqi.deal import Deal
from banqi.errors import ArenaError, RecordError, shown
from banqi.outcome import Termination
from banqi.record import Record, RecordedMove
from banqi.record.record import RESULTS

SCORE_DIGITS: Final = 4
"""Of what the players see in their moves, as it is written."""

_EVENT: Final = "arena"
_ROUND: Final = re.compile(r"([0-9]{1,9})\.([12])")
_SCORES: Final = dict(zip(RESULTS, (1.0, 0.0, 0.5), strict=False))
_LONGEST_WORDS: Final = 200
_UNPRINTABLE: Final = re.compile(r"[^ -~]+")


class _Game(msgspec.Struct):
    """What is read of a line. The moves are not replayed: `banqi verify` does that."""

    rules: str
    result: str
    termination: Termination
    tags: dict[str, str]
    moves: list[msgspec.Raw]


def record_text(match: Match, deal: Deal, ended: Ended, number: int, half: int) -> str:
    """Return the line of a game, with its end."""
    spent = ended.spent
    tags = {
        **_match_tags(match, half),
        "Round": f"{number}.{half + 1}",
        "Commitment": deal.commitment(),
        "Opening": deal.opening(),
        "Plies": str(ended.plies),
        "Decisions": f"{spent[0].decisions} {spent[1].decisions}",
        "Nodes": f"{spent[0].nodes} {spent[1].nodes}",
        "Seconds": f"{spent[0].seconds!r} {spent[1].seconds!r}",
    }
    if ended.fault is not None:
        tags |= {"Fault": ended.fault.value, "Failure": _UNPRINTABLE.sub(" ", ended.words)[:_LONGEST_WORDS]}
    result = RESULTS[2] if ended.winner is None else RESULTS[ended.winner]
    moves = [
        RecordedMove(action.move, score=None if action.score is None else round(action.score, SCORE_DIGITS))
        for action in ended.actions
    ]
    record = Record(match.rules, moves, result=result, termination=ended.termination, tags=tags)
    return f"{record.to_json()}\n"


def _match_tags(match: Match, half: int) -> dict[str, str]:
    """The tags that tell the games of this match from those of others."""
    return {
        "Event": _EVENT,
        "First": str(match.players[half]),
        "Second": str(match.players[1 - half]),
        "Seed": str(match.seed),
        "Margin": repr(match.margin),
        "Patience": repr(match.patience),
        "Build": match.build,
    }


class Journal:
    """A record file of a match, opened to go on with it, or new. A context manager.

    pairs: those that the file holds, by number. A line that was cut off at the end, and a pair of which only one game
    was written, are gone from the file; they are to be played again.

    Raises:
        ArenaError: the file cannot be opened or read, another process has it open, it holds games of another match, or
            it is damaged before its end.
    """

    def __init__(self, path: str | os.PathLike[str], match: Match) -> None:
        self._name = os.fspath(path)
        self._match = match
        try:
            self._file = os.open(self._name, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except (OSError, ValueError) as error:
            raise self._refusal("cannot open", error) from None
        try:
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise ArenaError(f"{shown(self._name, 200)} is no plain file")
            self._lock()
            self.pairs: Mapping[int, Pair] = self._read()
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ArenaError(f"another process plays a match into {shown(self._name, 200)}") from None
        except OSError as error:
            raise self._refusal("cannot lock", error) from None

    def write(self, pairs: tuple[Pair, ...]) -> None:
        """Add pairs at the end.

        Raises:
            ArenaError: the file cannot be written.
        """
        data = "".join(game.record for pair in pairs for game in pair.games).encode()
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError as error:
            raise self._refusal("cannot write", error) from None

    def close(self) -> None:
        """Let others have the file."""
        with suppress(OSError):
            os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _refusal(self, what: str, error: OSError | ValueError) -> ArenaError:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return ArenaError(f"{what} {shown(self._name, 200)}: {reason}")

    def _read(self) -> dict[int, Pair]:
        """Read the pairs, and cut off what is not whole at the end."""
        try:
            with open(self._file, "rb", closefd=False) as file:
                data = file.read()
        except OSError as error:
            raise self._refusal("cannot read", error) from None
        pairs: dict[int, Pair] = {}
        lines = data.split(b"\n")
        # What follows the last line end was cut off, and so was, perhaps, the line before.
        whole, torn = lines[:-1], lines[-1]
        games: list[Played] = []
        kept = 0
        for number, line in enumerate(whole, 1):
            try:
                games.append(self._game(line))
            except RecordError as error:
                if number == len(whole) and not torn:
                    break
                raise ArenaError(f"{shown(self._name, 200)}, line {number}: {error}") from None
            if len(games) == 2:
                first, second = games
                if (first.number, first.half, second.half) != (second.number, 0, 1) or first.number in pairs:
                    raise ArenaError(f"{shown(self._name, 200)}, line {number}: these are not the two games of a pair")
                pairs[first.number] = Pair(first.number, (first, second))
                kept = number
                games = []
        end = sum(len(line) + 1 for line in whole[:kept])
        if end < len(data):
            try:
                os.ftruncate(self._file, end)
            except OSError as error:
                raise self._refusal("cannot write", error) from None
        return pairs

    def _game(self, line: bytes) -> Played:
        """Read a line.

        Raises:
            RecordError: it is no game of this kind.
            ArenaError: it belongs to another match.
        """
        try:
            game = msgspec.json.decode(line, type=_Game)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RecordError(f"this is no game of a match: {error}") from None
        tags = game.tags
        place = _ROUND.fullmatch(tags.get("Round", ""))
        if place is None or game.result not in _SCORES:
            raise RecordError("this is no game of a match")
        number, half = int(place[1]), int(place[2]) - 1
        for name, value in {"Rules": str(self._match.rules), **_match_tags(self._match, half)}.items():
            told = game.rules if name == "Rules" else tags.get(name)
            if told != value:
                raise ArenaError(
                    f"{shown(self._name, 200)} holds another match: {name} is {shown(told, 200)} there, "
                    f"and {shown(value, 200)} here"
                )
        score = _SCORES[game.result]
        score = 1 - score if half else score
        try:
            fault = Fault(tags["Fault"]) if "Fault" in tags else None
            spent = _spent(tags, half)
            plies = int(tags["Plies"])
        except (KeyError, ValueError):
            raise RecordError("its tags do not tell what was used") from None
        return Played(
            number,
            half,
            score,
            game.termination,
            plies,
            spent,
            fault,
            None if fault is None else int(score == 1.0),
            tags.get("Failure", ""),
        )


def _spent(tags: Mapping[str, str], half: int) -> tuple[Spent, Spent]:
    columns: list[tuple[Any, ...]] = [
        tuple(kind(word) for word in tags[name].split(" "))
        for name, kind in (("Decisions", int), ("Nodes", int), ("Seconds", float))
    ]
    seats = [Spent(*row) for row in zip(*columns, strict=True)]
    return seats[half], seats[1 - half]
