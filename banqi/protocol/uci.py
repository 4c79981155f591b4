"""The Universal Chess Interface for games with reveals: lines of text in, lines of text out. UCI.md is its manual.

It only translates. A search, a count of leaves or the bench goes on in a thread of its own while lines are read, and
ends with a line that says so. As every `position` tells the whole game, no session keeps it.
"""

import re
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import BinaryIO, Final

from banqi.engine import (
    MAX_DEPTH,
    MAX_NODES,
    Analysis,
    Engine,
    Info,
    Limit,
    Score,
)
from banqi.errors import BanqiError, shown
from banqi.level import Level, level_named
from banqi.move import Move
from banqi.outcome import Outcome
from banqi.position import MAX_DEPTH as MAX_PERFT
from banqi.position import Position
from banqi.protocol.lines import read_lines
from banqi.protocol.uci_options import OPTIONS, Settings, whole
from banqi.protocol.uci_work import Lines, Work, count, run_bench
from banqi.version import __version__

LONGEST_LINE: Final = 1 << 20
"""In bytes. A longer line is refused."""

_LONGEST_MILLISECONDS: Final = 10**12
_CLOCKS: Final = (("wtime", "winc"), ("btime", "binc"))
_SEATS: Final = ("first", "second")
_MOST_PENDING: Final = 256
"""So many lines may be pending while a search goes on before no further ones are read."""
_NO_MOVE: Final = "bestmove (none)"
_BLANK: Final = " \t\r\f\v"
_BLANKS = re.compile(f"[{_BLANK}]+")
_LINE = re.compile(f"[{_BLANK}]*([^{_BLANK}]*)(.*)", re.DOTALL)
_OPTION = re.compile(r"name[ \t]+(?P<name>.*?)(?:[ \t]+value(?:[ \t]+(?P<value>.*))?)?", re.DOTALL)


class UciError(BanqiError):
    """A line that cannot be obeyed."""


@dataclass(frozen=True, slots=True)
class _Go:
    """What a `go` asks for. moves: those to choose among, all if there are none."""

    numbers: Mapping[str, int]
    moves: tuple[Move, ...]
    is_infinite: bool

    def limit(self, seat: int) -> Limit | None:
        """Return what ends the search of the seat to act; None if nothing does.

        Raises:
            BanqiError: the numbers make no limit.
        """
        clock, increment = _CLOCKS[seat]
        left, inc = self.numbers.get(clock), self.numbers.get(increment, 0) / 1000
        if left is None and any(name in self.numbers for name, _ in _CLOCKS):
            raise UciError(f"{clock} is missing: the {_SEATS[seat]} seat is to move")
        seconds = None if left is None else max(left, 0) / 1000
        movetime = self.numbers.get("movetime")
        nodes, depth = self.numbers.get("nodes"), self.numbers.get("depth")
        if seconds is movetime is nodes is depth is None and not inc:
            return None
        return Limit(
            time=None if movetime is None else movetime / 1000,
            nodes=nodes,
            depth=depth,
            clocks=None if seconds is None else (seconds, seconds),
            inc=inc,
        )


# ---- the protocol ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Command:
    """What a word does. waits: until the work under way has come to its end."""

    obey: Callable[["Uci", str], None]
    waits: bool = False


class Uci:
    """Translates between the lines of another program and an engine.

    settings: those to begin with, which options may change.

    Raises:
        BanqiError: an engine refuses the settings.
    """

    def __init__(self, settings: Settings) -> None:
        settings.check()
        self._defaults = self._settings = settings
        self._position = Position(settings.rules)
        # Made when it is needed: a large table takes its time.
        self._engine: Engine | None = None
        self._rng = Random()
        self._work: Work | None = None
        # Held while lines are obeyed: by who reads them, and for those pending by the thread whose work has ended.
        self._turn = threading.RLock()
        self._pending: deque[bytes] = deque()
        self._in_a_hurry = False
        self._writing = threading.Lock()
        self._nobody_reads: OSError | None = None

    def run(self, source: BinaryIO, sink: BinaryIO) -> None:
        """Obey the lines of `source` until quit or its end, and answer in `sink`; then end what still goes on.

        Raises:
            OSError: nobody reads the answers.
        """
        self._sink = sink
        try:
            for line in read_lines(source, LONGEST_LINE):
                self._take(line)
                if self._in_a_hurry or self._nobody_reads is not None:
                    break
            self._catch_up(0)
        finally:
            with self._turn:
                self._pending.clear()
            self._stop("")
            self._close()
        if self._nobody_reads is not None:
            raise self._nobody_reads

    def _take(self, line: bytes) -> None:
        """Obey a line, or keep it for when the work under way has ended."""
        name, _ = _parted(line)
        with self._turn:
            if name == "quit":
                self._in_a_hurry = True
            if name in ("stop", "quit") and self._work is not None:
                # They hold for what goes on now, and, each in its turn, for what is still to come.
                self._work.stop()
            if name == "isready" and self._is_working:
                self._say("readyok")
                return
            self._pending.append(line)
            self._obey_pending()
        self._catch_up(_MOST_PENDING)

    def _catch_up(self, most: int) -> None:
        """Wait until at most so many lines are pending."""
        while len(self._pending) > most and self._work is not None and self._nobody_reads is None:
            self._work.ended.wait()
            with self._turn:
                self._obey_pending()

    def _obey_pending(self) -> None:
        """Obey the lines that are pending, up to one that has to wait for an end which comes by itself."""
        while self._pending and self._nobody_reads is None:
            command = _COMMANDS.get(_parted(self._pending[0])[0])
            if command is not None and command.waits and self._is_working and not self._is_endless:
                break
            self._obey(self._pending.popleft())

    def _obey(self, line: bytes) -> None:
        try:
            if len(line) > LONGEST_LINE:
                raise UciError(f"the line is longer than {LONGEST_LINE} bytes")
            name, rest = _parted(line)
            if not name:
                return
            command = _COMMANDS.get(name)
            if command is None:
                raise UciError(f"there is no command {shown(name)}; there are {', '.join(_COMMANDS)}")
            if command.waits and self._is_working:
                raise UciError(f"{name} does not go with a search that has no end: stop it first")
            command.obey(self, rest)
        except BanqiError as error:
            self._say(_error_line(error))

    def _say(self, *lines: str, ending: Work | None = None) -> None:
        """Write lines, so that they are read at once; from any thread. ending: the work that they are the last of.

        Who has read the last line finds that the work has ended.
        """
        with self._writing:
            self._sink.write("".join(f"{line}\n" for line in lines).encode(errors="backslashreplace"))
            self._sink.flush()
            if ending is not None:
                ending.ended.set()

    # ---- about the program -------------------------------------------------------------------------------------

    def _uci(self, rest: str) -> None:
        options = [option.line(self._defaults) for option in OPTIONS]
        self._say(f"id name banqi {__version__}", "id author the banqi authors", *options, "uciok")

    def _isready(self, rest: str) -> None:
        try:
            if not self._is_working:
                self._opened()
        except BanqiError as error:
            self._say(_error_line(error))
        self._say("readyok")

    def _debug(self, rest: str) -> None:
        """Do nothing: all there is to tell is always told."""

    def _quit(self, rest: str) -> None:
        """Do nothing: whoever reads it reads no further."""

    # ---- the engine and its options ----------------------------------------------------------------------------

    def _opened(self) -> Engine:
        if self._engine is None:
            self._engine = self._settings.engine(self._settings.hash_mb)
        return self._engine

    def _close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _setoption(self, rest: str) -> None:
        match = _OPTION.fullmatch(rest)
        if match is None:
            raise UciError("an option is set by setoption name NAME value VALUE")
        option = next((option for option in OPTIONS if option.name.lower() == match["name"].lower()), None)
        if option is None:
            names = ", ".join(option.name for option in OPTIONS)
            raise UciError(f"there is no option {shown(match['name'])}; there are {names}")
        if option.kind == "button":
            if self._engine is not None:
                self._engine.clear()
            return
        try:
            self._set(option.changed(self._settings, match["value"] or ""))
        except BanqiError as error:
            raise UciError(f"{error}; {option.name} stays {option.text(self._settings)}") from None

    def _set(self, settings: Settings) -> None:
        """Take other settings if an engine does. Other rules begin a game by them."""
        if settings == self._settings:
            return
        if settings.search != self._settings.search:
            # Two large tables at once may be too much.
            self._close()
        settings.check()
        if settings.rules != self._settings.rules:
            self._position = Position(settings.rules)
        self._settings = settings

    # ---- the position ------------------------------------------------------------------------------------------

    def _ucinewgame(self, rest: str) -> None:
        if self._engine is not None:
            self._engine.clear()
        self._position = Position(self._settings.rules)

    def _set_up(self, rest: str) -> None:
        words = _words(rest)
        end = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["fen"]:
            position = Position.from_fen(" ".join(words[1:end]), self._settings.rules)
        elif words[:end] == ["startpos"]:
            position = Position(self._settings.rules)
        else:
            raise UciError("a position is startpos or fen FEN, and then moves MOVE ... if there are any")
        for number, move in enumerate(words[end + 1 :], 1):
            try:
                position.push(move)
            except BanqiError as error:
                raise UciError(f"move {number}: {error}") from None
        self._position = position

    def _show(self, rest: str) -> None:
        position = self._position
        self._say(
            *str(position).split("\n"),
            f"Variant: {position.rules}",
            f"Fen: {position.fen()}",
            f"Key: {position.key:016X}",
            f"Seat: {_SEATS[position.seat]}",
            f"Outcome: {position.outcome() or 'none'}",
        )

    def _evaluate(self, rest: str) -> None:
        score = self._opened().evaluate(self._position)
        self._say(f"Evaluation: {score} (cp {_centipoints(score)}) for the side to move")

    # ---- work --------------------------------------------------------------------------------------------------

    @property
    def _is_working(self) -> bool:
        with self._writing:
            return self._work is not None and not self._work.ended.is_set()

    @property
    def _is_endless(self) -> bool:
        return self._work is not None and self._work.is_endless and not self._work.stopped.is_set()

    def _begin(self, work: Work, lines: Lines) -> None:
        self._work = work
        if self._in_a_hurry:
            work.stop()
        threading.Thread(target=self._go_on, args=(work, lines), daemon=True).start()

    def _go_on(self, work: Work, lines: Lines) -> None:
        """Do work to its end, then what is pending."""
        try:
            try:
                while True:
                    self._say(next(lines))
            except StopIteration as end:
                self._say(end.value, ending=work)
            finally:
                work.ended.set()
            with self._turn:
                self._obey_pending()
        except OSError as error:
            self._nobody_reads = error
            self._stop("")

    def _stop(self, rest: str) -> None:
        """End the work under way; when it returns the last line has been written."""
        if self._work is not None:
            self._work.stop()
            self._work.ended.wait()

    def _go(self, rest: str) -> None:
        words = _words(rest)
        if words[:1] == ["perft"]:
            self._perft(" ".join(words[1:]))
            return
        try:
            self._begin_search(words)
        except BanqiError as error:
            # Who has asked for a move waits for an answer.
            self._say(_error_line(error), _NO_MOVE)

    def _begin_search(self, words: Sequence[str]) -> None:
        position = self._position.copy()
        go = _read_go(words, position)
        limit = go.limit(position.seat)
        outcome = position.outcome()
        if outcome is not None:
            self._say(*_ended(outcome, position), _NO_MOVE)
            return
        engine, level = self._opened(), level_named(self._settings.level)
        lines = max(self._settings.multipv, level.lines)
        within = level.within(Limit(depth=MAX_DEPTH) if limit is None else limit)
        analysis = engine.analysis(position, within, multipv=lines, moves=go.moves)
        work = Work(is_endless=go.is_infinite or limit is None)
        self._begin(work, self._search(work, engine, position, go.moves, analysis, level))

    def _search(
        self,
        work: Work,
        engine: Engine,
        position: Position,
        moves: Sequence[Move],
        analysis: Analysis,
        level: Level,
    ) -> Lines:
        """Tell of a search that chooses among the moves, or among all if there are none."""
        lines = self._settings.multipv
        best = next(iter(moves or position.legal_moves))
        told = (0, 0)
        try:
            for info in work.follow(analysis):
                if info.rank == 1:
                    best = info.move
                told = info.nodes, info.rank
                if info.rank <= lines:
                    yield _info_line(info)
            # One that was stopped before it began has found nothing.
            infos = analysis.wait() or engine.analysis(position, Limit(nodes=1), moves=moves).wait()
            best = level.choose(infos[: level.lines], self._rng).move
            if told != (infos[0].nodes, len(infos)):
                for info in infos[:lines]:
                    yield _info_line(info)
        except Exception as error:
            # Whatever it is, who has asked for a move gets one.
            yield _error_line(error)
        if work.is_endless:
            work.stopped.wait()
        return f"bestmove {best.wire()}"

    def _perft(self, rest: str) -> None:
        depth = whole(rest, "the depth", 0, MAX_PERFT)
        self._begin(work := Work(), count(work, self._position.copy(), depth))

    def _bench(self, rest: str) -> None:
        self._begin(work := Work(), run_bench(work))


_COMMANDS: Final[Mapping[str, _Command]] = MappingProxyType(
    {
        "uci": _Command(Uci._uci),
        "isready": _Command(Uci._isready),
        "setoption": _Command(Uci._setoption, waits=True),
        "ucinewgame": _Command(Uci._ucinewgame, waits=True),
        "position": _Command(Uci._set_up, waits=True),
        "go": _Command(Uci._go, waits=True),
        "stop": _Command(Uci._stop),
        "quit": _Command(Uci._quit),
        "debug": _Command(Uci._debug),
        "d": _Command(Uci._show),
        "eval": _Command(Uci._evaluate),
        "perft": _Command(Uci._perft, waits=True),
        "bench": _Command(Uci._bench, waits=True),
    }
)

_GO_NUMBERS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "depth": (1, MAX_DEPTH),
        "nodes": (1, MAX_NODES),
        "movetime": (1, _LONGEST_MILLISECONDS),
        # A clock may be over by what it took to tell it.
        "wtime": (-_LONGEST_MILLISECONDS, _LONGEST_MILLISECONDS),
        "btime": (-_LONGEST_MILLISECONDS, _LONGEST_MILLISECONDS),
        "winc": (0, _LONGEST_MILLISECONDS),
        "binc": (0, _LONGEST_MILLISECONDS),
        # Read, and not looked at: the clock is shared out as if no time were added before the end.
        "movestogo": (1, _LONGEST_MILLISECONDS),
    }
)
_INFINITE: Final = "infinite"
_SEARCHMOVES: Final = "searchmoves"
_GO_WORDS: Final = (*_GO_NUMBERS, _SEARCHMOVES, _INFINITE)


def _read_go(words: Sequence[str], position: Position) -> _Go:
    numbers: dict[str, int] = {}
    moves: list[Move] = []
    given = set()
    left = list(reversed(words))
    while left:
        word = left.pop()
        if word not in _GO_WORDS:
            raise UciError(f"go knows no {shown(word)}; it knows {', '.join(_GO_WORDS)} and perft")
        if word in given:
            raise UciError(f"{word} is given twice")
        given.add(word)
        if word in _GO_NUMBERS:
            numbers[word] = whole(left.pop() if left else "", word, *_GO_NUMBERS[word])
        elif word == _SEARCHMOVES:
            while left and left[-1] not in _GO_WORDS:
                moves.append(position.read_move(left.pop()))
            if not moves:
                raise UciError(f"{_SEARCHMOVES} names no move")
    return _Go(numbers, tuple(moves), _INFINITE in given)


def _parted(line: bytes) -> tuple[str, str]:
    """Part a line into its first word and the rest."""
    # The names of files may be no UTF-8.
    match = _LINE.fullmatch(line.decode(errors="surrogateescape"))
    return (match[1], match[2].strip(_BLANK)) if match else ("", "")


def _words(text: str) -> list[str]:
    return [word for word in _BLANKS.split(text) if word]


# ---- lines -----------------------------------------------------------------------------------------------------


def _error_line(error: Exception) -> str:
    name = "" if isinstance(error, BanqiError) else f"{type(error).__name__}: "
    return f"info string error: {name}{' '.join(str(error).split())}"


def _ended(outcome: Outcome, position: Position) -> Iterator[str]:
    """Tell of a game that is over."""
    value = 0 if outcome.winner is None else 1 if outcome.winner == position.side else -1
    yield f"info string the game is over: {outcome}"
    yield f"info depth 0 score cp {100 * value} wdl {_known(value)}"


def _known(value: float) -> str:
    """A certain result in thousandths: won, drawn, lost."""
    return " ".join(str(1000 * (value == result)) for result in (1, 0, -1))


def _centipoints(score: Score) -> int:
    return round(100 * score.value)


def _info_line(info: Info) -> str:
    score = f"cp {_centipoints(info.score)}"
    if info.score.proven and info.score.plies is not None:
        # Full moves, as elsewhere: the mover's own ones.
        moves = (info.score.plies + 1) // 2
        score += f" mate {moves if info.score.value > 0 else -moves} wdl {_known(info.score.value)}"
    return (
        f"info depth {info.depth} seldepth {info.seldepth} multipv {info.rank} score {score} nodes {info.nodes} "
        f"nps {info.nps} time {round(1000 * info.time)} hashfull {info.hashfull} "
        f"pv {' '.join(item.move.wire() for item in info.pv)}"
    )
