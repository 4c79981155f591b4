"""Banqi, Chinese dark chess: rules, search and analysis.

>>> import banqi
>>> position = banqi.Position()
>>> position.push("b4(k)")
>>> position.side
<Side.RED: 'r'>
>>> banqi.perft(position.fen(), 1)
403
"""

from banqi.deal import Deal, opened_layout, opened_nonces
from banqi.engine import Engine, Info, Limit, PlayResult, Score, best_move, playouts
from banqi.errors import (
    BanqiError,
    DealError,
    EmptyHistoryError,
    EngineError,
    FenError,
    GameError,
    LimitError,
    MoveError,
    RecordError,
    RulesError,
    SquareError,
)
from banqi.game import Game, GameOutcome, Seat
from banqi.move import Move, Reveal
from banqi.notation import Fault
from banqi.outcome import Outcome, Termination
from banqi.piece import Piece, Side
from banqi.position import Counting, LegalMoves, Position
from banqi.record import Record, RecordedMove, read_json_records, read_records, write_json_records, write_records
from banqi.rules import Rules
from banqi.version import __version__

__all__ = [
    "BanqiError",
    "Counting",
    "Deal",
    "DealError",
    "EmptyHistoryError",
    "Engine",
    "EngineError",
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


def perft(fen: str, depth: int, rules: Rules | str = "taiwan") -> int:
    """Count the leaves after `depth` actions from a position text.

    Raises:
        FenError, RulesError, LimitError: an argument makes no sense; the line says which.
    """
    return Position.from_fen(fen, rules=rules).perft(depth)
