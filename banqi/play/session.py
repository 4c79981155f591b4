"""The conversation of a game at a terminal: whose turn it is, what is typed, what came of it."""

import io
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from banqi.display import Glyphs
from banqi.engine import Engine, Limit
from banqi.errors import BanqiError, GameError, MoveError, shown
from banqi.game import Seat
from banqi.move import Move
from banqi.outcome import Termination
from banqi.piece import Piece, Side
from banqi.play.board import ASCII, UNICODE, counted, drawn_board
from banqi.play.keeping import KeptGame
from banqi.play.typed import typed_move
from banqi.position import Position
from banqi.record import verify

HINT_SECONDS: Final = 1.0
_DRAW_NODES: Final = 20_000
_ENGINE_MB: Final = 32

# What ended the game: said of another, and said to the person who lost.
_REASONS: Final[Mapping[Termination, tuple[str, str]]] = {
    Termination.ALL_CAPTURED: ("{loser} has no piece left", "you have no piece left"),
    Termination.NO_MOVES: ("{loser} cannot move", "you cannot move"),
    Termination.PERPETUAL_ATTACK: ("{loser} kept attacking the same piece", "you kept attacking the same piece"),
    Termination.FLAG: ("the flag of {loser} is taken", "your flag is taken"),
    Termination.RESIGN: ("{loser} resigned", "you resigned"),
    Termination.TIME: ("{loser} ran out of time", "you ran out of time"),
    Termination.REPETITION: ("the position has repeated",) * 2,
    Termination.QUIET_LIMIT: ("{limit} turns in a row without a flip and without a capture",) * 2,
    Termination.AGREEMENT: ("both agreed",) * 2,
}
YOU: Final = "You"
"""The name of the one person at the terminal."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who has a seat; the level is the computer's."""

    name: str
    level: str | None = None


class _Quit(Exception):
    """The person wants to stop."""


class _FlagFell(Exception):
    """The clock of the person who is asked came to 0."""


class Session:
    """A game between two players, of whom each is a person here or the computer.

    seconds: how long the computer thinks at most about a move, in a game without clocks. What is typed comes from
    stdin, everything told goes to stdout.
    """

    def __init__(self, kept: KeptGame, players: tuple[Player, Player], *, glyphs: Glyphs, seconds: float) -> None:
        self._kept = kept
        self._game = kept.game
        self._players = players
        self._glyphs = glyphs
        self._seconds = seconds
        self._console = Console(highlight=False, markup=False, emoji=False)
        self._unicode = self._console.encoding.lower().startswith("utf")
        self._input: TextIO | None = sys.stdin
        if isinstance(sys.stdin, io.TextIOWrapper):
            # What is no UTF-8 is refused as any other nonsense is.
            sys.stdin.reconfigure(errors="replace")
        # One for each level that plays, and one for hints.
        self._engines: dict[str, Engine] = {}

    # ---- the game ----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play until the end, or until the person stops; the game is kept then.

        Raises:
            KeyboardInterrupt: it was stopped by Ctrl-C; the game is kept.
            RecordError: the game's file cannot be written any more.
        """
        self._greet()
        try:
            while self._game.outcome() is None:
                if self._player().level is None:
                    self._ask()
                else:
                    self._let_computer_act()
            self._finish()
        except (_Quit, EOFError):
            self._part()
        except KeyboardInterrupt:
            self._say("")
            self._part()
            raise
        finally:
            for engine in self._engines.values():
                engine.close()

    def _greet(self) -> None:
        self._say(f"Rules: {self._game.rules}")
        self._say("What lies face down is fixed. The commitment to it:")
        self._say(self._game.commitment())
        self._say('Type a square to turn a piece up, two squares to move; "help" tells the rest.')

    def _player(self) -> Player:
        return self._players[self._game.seat]

    def _let_computer_act(self) -> None:
        level = self._player().level or "hard"
        limit = Limit(time=self._seconds) if self._game.clocks() is None else self._game.limit()
        # Its flag may fall while it thinks.
        move = self._engine(level).play(self._game.position, limit).move
        with suppress(GameError):
            self._play(move)

    def _play(self, move: Move) -> None:
        """Make a move, tell what came of it, and keep the game."""
        player, before = self._player(), self._game.position
        played = self._game.play(move)
        self._kept.write()
        self._say(f"{player.name}: {described(played, before, self._game.position)}")

    def _engine(self, level: str) -> Engine:
        if level not in self._engines:
            self._engines[level] = Engine(hash_mb=_ENGINE_MB, level=level)
        return self._engines[level]

    def _finish(self) -> None:
        """Tell the end, and show that the deal was what it was said to be."""
        self._kept.write()
        self._show_board()
        outcome = self._game.outcome()
        assert outcome is not None
        winner = None if outcome.winner is None else self._players[outcome.winner].name
        loser = None if outcome.winner is None else self._players[outcome.winner.other].name
        reason = _REASONS[outcome.termination][loser == YOU].format(loser=loser, limit=self._game.rules.quiet_limit)
        result = "Draw" if winner is None else "You win" if winner == YOU else f"{winner} wins"
        self._say(f"{result}: {reason}.")
        self._say(f"Result: {outcome.result} ({outcome.termination})")
        checked = verify(self._kept.record())
        self._say(f"The deal: {checked}.")
        self._say_path("The record: ", self._kept.path)

    def _part(self) -> None:
        """Tell how to go on with a game that is not over; one in which nothing happened is not kept."""
        if self._game.outcome() is not None:
            self._finish()
        elif not self._game.position.move_stack:
            self._kept.forget()
            self._say("Nothing was played, so nothing is kept.")
        else:
            self._kept.write()
            self._say_path("The game is kept. Go on with: banqi play --resume ", self._kept.path)

    # ---- what is typed -----------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Show the board and do what the person says, until that changes the game."""
        before = self._game.position.move_stack
        self._show_board()
        self._show_choices()
        while self._game.position.move_stack == before and self._game.outcome() is None:
            try:
                with self._watched_clock():
                    line = self._read(f"{self._seat_text()}> ")
                self._obey(line.strip())
            except _FlagFell:
                self._say("")
            except BanqiError as error:
                self._say(str(error))

    def _read(self, prompt: str) -> str:
        self._console.file.flush()
        if self._input is None:
            raise EOFError
        if self._input.isatty():
            # It edits lines, and remembers them.
            import readline  # noqa: F401

            return input(prompt)
        line = self._input.readline()
        if not line:
            raise EOFError
        return line

    @contextmanager
    def _watched_clock(self) -> Iterator[None]:
        """Raise _FlagFell when the clock of the seat to act comes to 0."""
        clocks = self._game.clocks()
        if clocks is None:
            yield
            return
        before = signal.signal(signal.SIGALRM, _fall)
        # A little later, so that the clock has come to 0 for sure.
        signal.setitimer(signal.ITIMER_REAL, clocks[self._game.seat] + 0.01)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _obey(self, line: str) -> None:
        if not line:
            return
        word, _, rest = line.partition(" ")
        if word != "?" and (not word.isalpha() or word.lower() == "end"):
            self._play(typed_move(line, self._game.position))
            return
        command = _command(word.lower())
        if rest.strip() and command != "save":
            raise GameError(f"{command} stands alone, without {shown(rest.strip())}")
        if command == "save":
            self._save(rest.strip())
        else:
            _COMMANDS[command][1](self)

    def _save(self, name: str) -> None:
        if not name:
            raise GameError("save needs the name of a file: save FILE")
        path = Path(name).expanduser().absolute()
        if path.exists():
            raise GameError(f"{shown(str(path), 100)} is there already: name another file")
        self._kept.copy(path)
        self._say_path("Saved: ", path)

    def _help(self) -> None:
        for form, text in (
            ("b4", "turn up b4; or move the one piece that can go there"),
            ("b4-c4, b4c4", "move or capture; Rc4 names the kind"),
            *((("end", "stop a chain of captures"),) if self._game.rules.chain != "none" else ()),
            *((word, text) for word, (text, _) in _COMMANDS.items()),
        ):
            self._say(f"  {form:13}{text}")
        self._say("Words may be cut short, but for draw, quit and resign.")
        if self._game.rules.game == "junqi":
            self._say("{ } is a camp, < > a headquarters, ^^^ mountains that nothing crosses;")
            self._say("double lines are railways.")

    def _moves(self) -> None:
        position = self._game.position
        flips = [str(move) for move in position.legal_moves if move.is_flip]
        others = [str(move) for move in position.legal_moves if not move.is_flip]
        if others:
            self._say(f"Move: {' '.join(others)}")
        if flips:
            self._say(f"Turn up: {' '.join(flips)}")

    def _played(self) -> None:
        record = self._game.record()
        texts = (
            f"{f'{ply // 2 + 1}. ' if ply % 2 == 0 else ''}{' '.join(str(recorded.move) for recorded in actions)}"
            for ply, actions in enumerate(record.plies())
        )
        self._say(" ".join(texts) or "Nothing was played yet.")

    def _pool(self) -> None:
        """Show what lies face down, with its chances."""
        position = self._game.position
        pool = position.pool
        total = sum(pool.values())
        if not total:
            self._say("Nothing lies face down.")
            return
        colours = position.rules.pieces.colours
        self._say(f"Face down: {total}. The chance that a piece turned up is one of these:")
        for kind, piece in position.rules.pieces.kinds.items():
            counts = (pool[kind], pool[kind.lower()])
            texts = [
                f"{colour} {count:2} ({count / total:6.1%})" for colour, count in zip(colours, counts, strict=True)
            ]
            self._say(f"  {kind} {piece.name:19} {'   '.join(texts)}")

    def _hint(self) -> None:
        self._console.file.flush()
        info = self._engine("hard").analyse(self._game.position, Limit(time=HINT_SECONDS))[0]
        self._say(f"Hint: {info.move}, expected result {info.score} (1 is a sure win, -1 a sure loss).")
        if info.reveals:
            best, worst = (choose(info.reveals, key=lambda reveal: reveal.score) for choose in (max, min))
            game = self._game.rules.game
            self._say(
                f"Best, it shows the {Piece(best.identity, game).name} ({best.score}); "
                f"worst, the {Piece(worst.identity, game).name} ({worst.score})."
            )

    def _undo(self) -> None:
        """Take back the person's last ply, with the computer's answer."""
        count = 1 if self._is_two() or self._is_in_chain() else 2
        if len(self._game.record().plies()) < count:
            raise GameError("there is nothing of yours to take back")
        self._game.takeback(count)
        self._kept.write()
        self._say("Taken back; a flip shows the same piece again. The record tells that you undid.")

    def _is_in_chain(self) -> bool:
        return self._game.position.chain is not None

    def _is_two(self) -> bool:
        return all(player.level is None for player in self._players)

    def _resign(self) -> None:
        self._game.resign(self._game.seat)

    def _draw(self) -> None:
        """Accept an offer, or make one; the computer answers at once."""
        seat = self._game.seat
        if self._game.draw_offer is seat.other:
            self._game.accept_draw(seat)
            return
        self._game.offer_draw(seat)
        if self._is_two():
            self._say("A draw is offered. Make your move; then the other may accept it.")
        elif self._computer_accepts():
            self._game.accept_draw(seat.other)
        else:
            self._game.decline_draw(seat.other)
            self._say("The computer declines a draw.")

    def _computer_accepts(self) -> bool:
        """Tell whether the computer, which is not to act, expects less than a draw; with all face up, no more."""
        position = self._game.position
        value = self._engine("hard").analyse(position, Limit(nodes=_DRAW_NODES))[0].score.value
        return value > 0 or (value == 0 and not any(position.pool.values()))

    def _decline(self) -> None:
        self._game.decline_draw(self._game.seat)
        self._say("The draw is declined.")

    def _quit(self) -> None:
        raise _Quit

    # ---- what is shown -----------------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        """Print a line of any letters, also where the terminal has not all of them."""
        encoding = self._console.encoding
        self._console.print(Text(text.encode(encoding, "backslashreplace").decode(encoding)))

    def _say_path(self, words: str, path: Path) -> None:
        """Print a path whole, to be copied; the terminal breaks it if it is long."""
        text = f"{words}{path}".encode(self._console.encoding, "backslashreplace").decode(self._console.encoding)
        self._console.print(Text(text), soft_wrap=True)

    def _show_board(self) -> None:
        position = self._game.position
        board = drawn_board(position, signs=UNICODE if self._unicode else ASCII, glyphs=self._glyphs)
        panel = Text("\n").join(self._panel(position))
        grid = Table.grid(padding=(0, 3))
        width = max(line.cell_len for line in board.split())
        if self._console.width >= width + 3 + max(line.cell_len for line in panel.split()):
            grid.add_row(board, panel)
        else:
            grid.add_row(board)
            grid.add_row(panel)
        self._console.print()
        self._console.print(grid)

    def _panel(self, position: Position) -> list[Text]:
        """What stands beside the board: who plays what, what was taken, what lies face down, how near a draw is."""
        colours = position.rules.pieces.colours
        captured = position.captured()
        clocks = self._game.clocks()
        lines = []
        for seat in Seat:
            side = self._game.side(seat)
            marks = ">" if seat is self._game.seat and self._game.outcome() is None else " "
            colour = "" if side is None else f", {colours[side is Side.BLACK]}"
            clock = "" if clocks is None else f"  {_clock_text(clocks[seat])}"
            lines.append(Text(f"{marks} {self._players[seat].name}{colour}{clock}"))
            if side is not None:
                lines.append(Text(f"    lost: {counted(captured, side)}"))
        pool = position.pool
        lines.append(Text(f"  face down: {sum(pool.values()) or 'nothing'}"))
        if any(pool.values()):
            lines += [Text(f"    {colours[side is Side.BLACK]}: {counted(pool, side)}") for side in Side]
        lines.append(Text(f"  quiet turns: {position.quiet} of {position.rules.quiet_limit}"))
        if (seen := position.repetitions()) > 1:
            lines.append(Text(f"  seen {seen} times"))
        if position.move_stack:
            lines.append(Text(f"  last: {position.move_stack[-1]}"))
        return lines

    def _show_choices(self) -> None:
        offer = self._game.draw_offer
        if offer is not None and offer is self._game.seat.other:
            self._say(f"{self._players[offer].name} offers a draw: draw accepts, decline or a move declines it.")
        if self._is_in_chain():
            square = self._game.rules.geometry.name(self._game.position.chain or 0)
            self._say(f"The piece on {square} may capture on, or end.")

    def _seat_text(self) -> str:
        side = self._game.side(self._game.seat)
        colour = "" if side is None else f" ({self._game.rules.pieces.colours[side is Side.BLACK]})"
        return f"{self._player().name}{colour}"


def described(move: Move, before: Position, after: Position) -> str:
    """Return a move that was made in words: what it turned up, and what left the board."""
    game = before.rules.game
    gone = Counter(after.captured()) - Counter(before.captured())
    if move.is_end:
        return "end of the chain"
    if move.is_flip:
        return f"{move} turns up the {Piece(move.reveal or '', game).name}"
    mover = before.piece_at(move.from_square)
    assert mover is not None
    own = [letter for letter in gone if Piece(letter, game).side is mover.side]
    theirs = [letter for letter in gone if Piece(letter, game).side is not mover.side]
    names = " and ".join(Piece(letter, game).name for letter in theirs)
    if move.reveal is not None:
        found = f"{move} finds the {Piece(move.reveal, game).name}"
        return f"{found} and takes it" if theirs else f"{found} and stays"
    if own and theirs:
        return f"{move}: the {mover.name} and the {names} both go"
    if own:
        victim = before.piece_at(move.to_square)
        return f"{move}: the {mover.name} is lost on the {'' if victim is None else victim.name}"
    return f"{move} takes the {names}" if theirs else f"{move}, the {mover.name}"


_COMMANDS: Final[Mapping[str, tuple[str, Callable[[Session], None]]]] = {
    "moves": ("list what can be played", Session._moves),
    "pool": ("list what lies face down, with its chances", Session._pool),
    "hint": ("ask the engine", Session._hint),
    "undo": ("take your last move back; a flip shows the same piece again", Session._undo),
    "played": ("list what was played", Session._played),
    "board": ("show the board again", Session._show_board),
    "draw": ("offer a draw, or accept one", Session._draw),
    "decline": ("decline a draw", Session._decline),
    "resign": ("give the game up", Session._resign),
    "save": ("FILE: write the record so far to a file", Session._quit),
    "help": ("show this", Session._help),
    "quit": ("stop; the game is kept and can be gone on with", Session._quit),
}
_WHOLE: Final = ("draw", "quit", "resign")
"""Commands that are typed in full, for there is no way back."""


def _command(word: str) -> str:
    """Return the command that a word, or its beginning, names."""
    if word == "?":
        return "help"
    if word in _COMMANDS:
        return word
    names = [name for name in _COMMANDS if name.startswith(word) and name not in _WHOLE]
    if len(names) == 1:
        return names[0]
    if names:
        raise MoveError(f"{shown(word)} may be {' or '.join(names)}")
    whole = [name for name in _WHOLE if name.startswith(word)]
    if whole:
        raise MoveError(f"type {whole[0]} in full")
    raise MoveError(f"{shown(word)} is neither a move nor a command: help lists them")


def _fall(number: int, frame: FrameType | None) -> None:
    raise _FlagFell


def _clock_text(seconds: float) -> str:
    """Return a clock as minutes and seconds, with tenths in the last minute."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
