"""What people type for a move: either form of the rules, and less where it can mean one thing only."""

import re
from collections.abc import Sequence
from typing import Final

from banqi.errors import MoveError, shown
from banqi.move import Move
from banqi.position import Position

_SQUARE: Final = "[a-z][1-9][0-9]?"
_BOTH: Final = re.compile(rf"({_SQUARE})\s*[-x]?\s*({_SQUARE})")
_TARGET: Final = re.compile(rf"([a-z])?[-x]?({_SQUARE})")


def typed_move(text: str, position: Position) -> Move:
    """Read a request: `b4-c4`, `b4c4`, `b4 c4`, `b4xc4`, `b4`, `end`, in either case.

    One square flips what lies face down there; else it is the move of the one piece that can go there. A kind before
    it, `Rc4`, leaves only the pieces of that kind.

    >>> typed_move("B4", Position())
    Move.from_text('b4')

    Raises:
        MoveError: it is no move, an illegal one, or can mean several.
    """
    plain = text.strip().lower()
    if both := _BOTH.fullmatch(plain):
        start, target = both.groups()
        move = position.read_move(start if start == target else f"{start}-{target}")
    elif (aimed := _TARGET.fullmatch(plain)) and (aimed[1] is None or aimed[1].upper() in position.rules.set_counts):
        move = _move_to(aimed[2], aimed[1], position)
    else:
        move = position.read_move(text.strip() if plain != "end" else plain)
    # It says why a move is illegal.
    position.outcomes(move)
    return move


def _move_to(target: str, kind: str | None, position: Position) -> Move:
    """Return the one move that leads to a square."""
    square = position.rules.geometry.index(target)
    legal = position.legal_moves
    if kind is None and (flip := Move(square, square, geometry=position.rules.geometry)) in legal:
        return flip
    moves = [move for move in legal if move.to_square == square and not move.is_flip]
    if kind is not None:
        moves = [move for move in moves if _kind(move, position) == kind.upper()]
    if len(moves) == 1:
        return moves[0]
    if moves:
        raise MoveError(f"{shown(target)} can be reached by {_listed(moves)}: name both squares")
    piece = position.piece_at(square)
    if kind is None and piece is not None and piece.side is not None and piece.side == position.side:
        raise MoveError(f"{target} is where your {piece.name} stands: say where it goes, such as {target}-b2")
    who = "none of your pieces" if kind is None else f"no {position.rules.pieces.kinds[kind.upper()].name} of yours"
    raise MoveError(f"{who} can go to {target}")


def _kind(move: Move, position: Position) -> str | None:
    piece = None if move.is_end else position.piece_at(move.from_square)
    return None if piece is None else piece.kind


def _listed(moves: Sequence[Move]) -> str:
    return f"{', '.join(map(str, moves[:-1]))} and {moves[-1]}"
