"""The errors that bad input ends in: each is a ValueError with one line that names the fault."""

import operator
from collections.abc import Callable
from contextlib import suppress
from functools import partial


class BanqiError(ValueError):
    """Base of every error that banqi raises about what it was given."""


class RulesError(BanqiError):
    """A rule set text, or a combination of options, that is no rule set."""


class SquareError(BanqiError):
    """A name or a number that is no square of the board."""


class MoveError(BanqiError):
    """A text that is no move, or a move that cannot be made."""


class EmptyHistoryError(MoveError, IndexError):
    """Taking back a move where none was made."""


class LimitError(BanqiError):
    """A depth, time, node count, size or other number that makes no sense."""


class EngineError(BanqiError):
    """A search that cannot be made: the game is over, or the engine is closed."""


class DealError(BanqiError):
    """A nonce, a secret, a commitment or an opening that makes no sense, or a deal that is copied."""


class GameError(BanqiError):
    """What a game does not allow: out of turn, after the end, or with seats, clocks or a deal that make no sense."""


class TablebaseError(BanqiError):
    """Endgame tables that cannot be read, built or used: a broken file, a missing one, rules that they do not know."""


class EvaluationError(BanqiError):
    """Weights of an evaluation that cannot be read or used: a broken file, a missing one, those of another board."""


class ExecutorError(BanqiError):
    """Processes or a cluster that long work cannot have, or that went away in the midst of it."""


class ArenaError(BanqiError):
    """A match that makes no sense or cannot be played: its players, its figures, its record file."""


class ServerError(BanqiError):
    """A game server that cannot be started or cannot do what it is asked: its database, its address, a request."""


class FenError(BanqiError):
    """A position text that is no position. `faults` names everything that is wrong with it."""

    def __init__(self, message: str, faults: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults

    def __reduce__(self) -> tuple[type["FenError"], tuple[str, tuple[str, ...]]]:
        return type(self), (str(self), self.faults)


class RecordError(BanqiError):
    """A game's record that does not hold, or a file that is none.

    fault: what is wrong, without where. key: the part of the record, as JSON names it: `moves[3].move`, `tags.Event`.
    game: which game of a file, from 1. line, column: where in the text, from 1, columns in characters. What is not
    known is None; the message begins with what is.
    """

    def __init__(
        self,
        fault: str,
        *,
        key: str | None = None,
        game: int | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        # A place in the text says more than a key does.
        where = (("game", game), ("line", line), ("column", column), ("", key if column is None else None))
        super().__init__(
            ": ".join(filter(None, (", ".join(f"{name} {at}".strip() for name, at in where if at is not None), fault)))
        )
        self.fault = fault
        self.key = key
        self.game = game
        self.line = line
        self.column = column

    def at(self, *, game: int | None = None, line: int | None = None, column: int | None = None) -> "RecordError":
        """Return the same error with what is known about its place in a file."""
        return type(self)(
            self.fault,
            key=self.key,
            game=self.game if game is None else game,
            line=self.line if line is None else line,
            column=self.column if column is None else column,
        )

    def __reduce__(self) -> tuple[Callable[[], "RecordError"], tuple[()]]:
        again = partial(type(self), self.fault, key=self.key, game=self.game, line=self.line, column=self.column)
        return again, ()


def shown(value: object, longest: int = 40) -> str:
    """Return `value` as it may stand in an error: in one line, ASCII only, cut after `longest` characters."""
    if isinstance(value, int) and value.bit_length() > 100:
        return "a huge number"
    text = ascii(value[:longest] if isinstance(value, str) else value)
    whole = len(value) <= longest if isinstance(value, str) else len(text) <= longest
    return text if whole else f"{text[: longest + 1]}..."


def whole_number(value: object, name: str, smallest: int, largest: int) -> int:
    """Return `value` if it is a whole number (no bool) in the range given.

    Raises:
        LimitError: it is not; the line names `name` and the range.
    """
    if not isinstance(value, bool):
        with suppress(TypeError):
            number = operator.index(value)  # type: ignore[arg-type]  # it refuses what is no number
            if smallest <= number <= largest:
                return number
    raise LimitError(f"{name} must be a whole number from {smallest} to {largest}, not {shown(value)}")
