"""An outside program as a player: the platform's side of the tournament protocol (see banqi.protocol.tcga)."""

import re
import shlex
from contextlib import suppress
from typing import Final

from banqi.arena.pipe import Pipe
from banqi.arena.player import Answer, Fault, Pace, PlayerFault
from banqi.errors import ArenaError, shown
from banqi.move import Move
from banqi.piece import Side
from banqi.position import Position
from banqi.protocol.tcga import check_rules

_NUMBERS: Final = {
    "name": 1, "version": 2, "known_command": 3, "quit": 5, "reset_board": 7, "num_repetition": 8,
    "num_moves_to_draw": 9, "move": 10, "flip": 11, "genmove": 12, "game_over": 13, "ready": 14, "time_setting": 15,
    "time_left": 16,
}  # fmt: skip
_COLOURS: Final = {Side.RED: "red", Side.BLACK: "black", None: "unknown"}
_ANSWER: Final = re.compile(r"[0-9]*(?:[ \t]+(.*))?")
_MOVE: Final = re.compile(r"([a-d][1-8])[ \t]+([a-d][1-8])[ \t]*")
_QUIT_SECONDS: Final = 1.0


class ProgramPlayer:
    """A program that speaks the tournament protocol on its standard input and output.

    It is started for the first game, and again where it has ended or was ended. command: words as a shell would part
    them; no shell is involved. patience: the seconds in which it has to answer, beyond its time for a move.

    Raises:
        ArenaError: the command is none.
    """

    def __init__(self, command: str, pace: Pace, patience: float) -> None:
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise ArenaError(f"{shown(command, 200)} is no command: {error}") from None
        if not self._command or not self._command[0]:
            raise ArenaError("a program needs its command: program(./some --flags)")
        self._pace = pace
        self._patience = patience
        self._pipe: Pipe | None = None

    def begin(self, position: Position, seed: str) -> None:
        """Begin a game from the start.

        Raises:
            RulesError: the protocol has no words for these rules.
        """
        check_rules(position.rules)
        if self._pipe is None or not self._pipe.is_running:
            self.close()
            try:
                self._pipe = Pipe(self._command)
            except ArenaError as error:
                raise PlayerFault(Fault.CRASH, str(error)) from None
        for name in ("name", "version"):
            self._tell(name)
        self._order("reset_board")
        rules = position.rules
        if isinstance(rules.repetition, int):
            self._tell_limit("num_repetition", rules.repetition)
        self._tell_limit("num_moves_to_draw", rules.quiet_limit)
        if self._pace.clock is not None:
            self._tell("time_setting", str(round(1000 * self._pace.clock)))
        self._tell("ready")

    def _tell_limit(self, name: str, value: int) -> None:
        """Say what ends games, to those who listen: platforms often do not."""
        sign, text = self._tell("known_command", name)
        if (sign, text) == ("=", "true"):
            self._tell(name, str(value))

    def move(self, position: Position, left: float | None) -> Answer:
        """Return the move."""
        allowed = self._pace.allowed(left) or 0.0
        sign, text = self._tell("genmove", _COLOURS[position.side], seconds=max(0.0, allowed) + self._patience)
        squares = _MOVE.fullmatch(text) if sign == "=" else None
        if squares is None:
            raise PlayerFault(Fault.ILLEGAL, f"the answer to genmove is {shown(sign + text, 100)}")
        start, target = squares.groups()
        return Answer(start if start == target else f"{start}-{target}")

    def told(self, move: Move, position: Position, left: float | None) -> None:
        """Tell the program of a ply, and of the clock of the side that made it."""
        name = move.geometry.name
        if move.is_flip:
            self._order("flip", name(move.to_square), move.reveal or "")
        else:
            self._order("move", name(move.from_square), name(move.to_square))
        # After a ply its mover has a colour.
        if left is not None and position.side is not None:
            self._tell("time_left", _COLOURS[position.side.other], str(max(0, round(1000 * left))))

    def ended(self, winner: Side | None) -> None:
        """Tell the program how the game ended."""
        self._tell("game_over", "draw" if winner is None else _COLOURS[winner])

    def close(self) -> None:
        """Ask the program to quit, and end it if it does not."""
        if self._pipe is not None:
            if self._pipe.is_running:
                with suppress(PlayerFault):
                    self._tell("quit", seconds=_QUIT_SECONDS)
            self._pipe.kill()
            self._pipe = None

    def _order(self, name: str, *arguments: str) -> None:
        """Send what a program has to take."""
        sign, text = self._tell(name, *arguments)
        if sign != "=":
            raise PlayerFault(Fault.CRASH, f"the program refuses {' '.join((name, *arguments))}: {shown(text, 100)}")

    def _tell(self, name: str, *arguments: str, seconds: float | None = None) -> tuple[str, str]:
        """Send a command; return = or ?, and the text of the answer."""
        if self._pipe is None:
            raise PlayerFault(Fault.CRASH, "the program is gone")
        line = " ".join((str(_NUMBERS[name]), name, *arguments))
        sign, answer = self._pipe.ask(line, self._patience if seconds is None else seconds)
        # Some leave the number out, and the blank after it.
        parted = _ANSWER.fullmatch(answer)
        return sign, (answer if parted is None else parted[1] or "").strip()
