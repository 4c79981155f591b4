"""Banqi, Chinese dark chess: rules, search and analysis.

>>> import banqi
>>> position = banqi.Position()
>>> position.push("b4(k)")
>>> position.side
<Side.RED: 'r'>
>>> banqi.perft(position.fen(), 1)
403
"""

from importlib import import_module
from typing import TYPE_CHECKING

from banqi.engine import Engine, Info, Limit, PlayResult, Score, best_move, playouts
from banqi.errors import (
    ArenaError,
    BanqiError,
    DealError,
    EmptyHistoryError,
    EngineError,
    EvaluationError,
    ExecutorError,
    FenError,
    GameError,
    LimitError,
    MoveError,
    RecordError,
    RulesError,
    SquareError,
    TablebaseError,
)
from banqi.move import Move, Reveal
from banqi.notation import Fault
from banqi.outcome import Outcome, Termination
from banqi.piece import Piece, Side
from banqi.position import Counting, LegalMoves, Position
from banqi.rules import Rules
from banqi.version import __version__

if TYPE_CHECKING:
    from banqi.deal import Deal, opened_layout, opened_nonces
    from banqi.game import Game, GameOutcome, Seat
    from banqi.record import Record, RecordedMove, read_json_records, read_records, write_json_records, write_records
    from banqi.tablebase import ProbeResult, Tablebase

__all__ = [
    "ArenaError",
    "BanqiError",
    "Counting",
    "Deal",
    "DealError",
    "EmptyHistoryError",
    "Engine",
    "EngineError",
    "EvaluationError",
    "ExecutorError",
    "Fault",
    "FenError",
    "Game",
    "GameError",
    "GameOutcome",
    "Info",
    "LegalMoves",
    "Limit",
    "LimitError",
    "Move",
    "MoveError",
    "Outcome",
    "Piece",
    "PlayResult",
    "Position",
    "ProbeResult",
    "Record",
    "RecordError",
    "RecordedMove",
    "Reveal",
    "Rules",
    "RulesError",
    "Score",
    "Seat",
    "Side",
    "SquareError",
    "Tablebase",
    "TablebaseError",
    "Termination",
    "__version__",
    "best_move",
    "opened_layout",
    "opened_nonces",
    "perft",
    "playouts",
    "read_json_records",
    "read_records",
    "write_json_records",
    "write_records",
]


# What a program that only searches does without: these names import their modules, which take as long as the rest.
_LATER = {
    "banqi.deal": ("Deal", "opened_layout", "opened_nonces"),
    "banqi.game": ("Game", "GameOutcome", "Seat"),
    "banqi.record": (
        "Record", "RecordedMove", "read_json_records", "read_records", "write_json_records", "write_records",
    ),
    "banqi.tablebase": ("ProbeResult", "Tablebase"),
}  # fmt: skip
_LATER_BY_NAME = {name: module for module, names in _LATER.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _LATER_BY_NAME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_LATER_BY_NAME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def perft(fen: str, depth: int, rules: Rules | str = "taiwan") -> int:
    """Count the leaves after `depth` actions from a position text.

    Raises:
        FenError, RulesError, LimitError: an argument makes no sense; the line says which.
    """
    return Position.from_fen(fen, rules=rules).perft(depth)
