"""What the tests of the rules' statements share: short ways to ask what is legal and what a line of moves leads to."""

from banqi import Outcome, Position, Side, Termination

RED_WINS = Outcome(Side.RED, Termination.ALL_CAPTURED)
BLACK_WINS = Outcome(Side.BLACK, Termination.ALL_CAPTURED)
REPETITION = Outcome(None, Termination.REPETITION)
QUIET_LIMIT = Outcome(None, Termination.QUIET_LIMIT)

WHOLE_SET = "KGGMMRRNNCCPPPPPkggmmrrnnccppppp"

# Two generals far apart, and four plies that bring them back.
GENERALS = "3k/4/4/4/4/4/4/K3 r - - 0"
CYCLE = "a1-a2 d8-d7 a2-a1 d7-d8 "


def legal(fen: str, rules: str = "taiwan") -> set[str]:
    """The legal requests of a position text, as people write them."""
    return requests(Position.from_fen(fen, rules=rules))


def legal_from(square: str, fen: str, rules: str = "taiwan") -> set[str]:
    """The same for the piece on one square."""
    return {move for move in legal(fen, rules) if move.startswith(f"{square}-")}


def requests(position: Position) -> set[str]:
    """The legal requests of a position, as people write them."""
    return {str(move) for move in position.legal_moves}


def played(fen: str, moves: str, rules: str = "taiwan") -> Position:
    """The position after moves of which none but the last may end the game."""
    position = Position.from_fen(fen, rules=rules)
    for number, move in enumerate(moves.split(), 1):
        assert position.outcome() is None, f"over before move {number}, {move}"
        position.push(move)
    return position


def after(fen: str, moves: str, rules: str = "taiwan") -> str:
    """The text of the position after these moves."""
    return played(fen, moves, rules).fen()
