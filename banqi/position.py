"""A position with the moves that led to it: public knowledge only, never what a face-down piece is."""

from collections.abc import Collection, Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Self, TypeVar

import numpy as np
import numpy.typing as npt

from banqi import notation
from banqi.display import Glyphs, svg_board, text_board
from banqi.errors import EmptyHistoryError, FenError, MoveError, whole_number
from banqi.move import Move, Reveal
from banqi.notation import Fault, Setup
from banqi.outcome import Outcome, Termination
from banqi.piece import Piece, Side
from banqi.rules import Rules

if TYPE_CHECKING:
    from banqi.core.face import State

MAX_DEPTH: Final = 100
"""The deepest perft that is accepted; none beyond a tenth of it ever ends."""

# As the compiled core numbers them.
_SIDES: Final = (Side.RED, Side.BLACK, None)
_TERMINATIONS: Final = (
    None,
    Termination.ALL_CAPTURED,
    Termination.NO_MOVES,
    Termination.REPETITION,
    Termination.QUIET_LIMIT,
    Termination.PERPETUAL_ATTACK,
    Termination.FLAG,
)

_P = TypeVar("_P", bound="Position")


class Counting(Enum):
    """How perft counts: BULK adds up the last level without making it, FULL makes every leaf. The counts are equal."""

    BULK = "bulk"
    FULL = "full"


class LegalMoves(Collection[Move]):
    """The legal moves of a position as it is when they are asked for, as requests, without reveals."""

    def __init__(self, position: "Position") -> None:
        self._position = position

    def __iter__(self) -> Iterator[Move]:
        geometry = self._position.rules.geometry
        return iter([Move.from_index(action, geometry) for action in self._position.state.actions()])

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Move | str):
            return False
        try:
            move = self._position.read_move(move)
        except MoveError:
            return False
        return move.reveal is None and self._position.is_legal(move)

    def __len__(self) -> int:
        return self.count()

    def __bool__(self) -> bool:
        return self.count() > 0

    def __repr__(self) -> str:
        return f"<LegalMoves ({', '.join(map(str, self))})>"

    def count(self) -> int:
        """Return how many there are, a flip or an attempt counting once."""
        return self._position.state.action_count()


class Position:
    """A position of Banqi or Junqi and its history. Mutable, so it has no hash.

    Moves are given as `Move` or as text in either column of the rules. Equal positions have the same rules and the
    same text, quiet counter included, however they came about.

    >>> position = Position()
    >>> position.push("a1(K)")
    >>> position.fen()
    'xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/Kxxx b GGMMRRNNCCPPPPPkggmmrrnnccppppp - 0'
    >>> position.pop()
    Move.from_text('a1(K)')
    """

    __hash__ = None  # type: ignore[assignment]  # how Python says "unhashable"

    def __init__(self, rules: Rules | str = "taiwan") -> None:
        """Set up the start of a game.

        Raises:
            RulesError: the text is no rule set.
        """
        self._rules = Rules.of(rules)
        self._begin(Setup.start(self._rules))

    @classmethod
    def from_fen(cls, fen: str, rules: Rules | str = "taiwan") -> Self:
        """Read a position text.

        Raises:
            FenError: it is no position; the line and the error's `faults` name everything that is wrong.
            RulesError: the text is no rule set.
        """
        position = cls.__new__(cls)
        position._rules = Rules.of(rules)
        position._begin(notation.parse_fen(fen, position._rules))
        return position

    @staticmethod
    def faults(fen: str, rules: Rules | str = "taiwan") -> list[Fault]:
        """Return everything that is wrong with a position text, an empty list if nothing is.

        This is `status` for a text that `from_fen` refuses.
        """
        return notation.faults(fen, Rules.of(rules))

    def _begin(self, root: Setup) -> None:
        core = self._rules.core
        self._letters = dict(enumerate(self._rules.letters)) | {
            core.HIDDEN: notation.FACE_DOWN,
            core.EMPTY: notation.EMPTY,
        }
        self._root = root
        self._moves: list[Move] = []
        self._state = root.state(self._rules)

    def _setup(self) -> Setup:
        return Setup(
            "".join(self._letters[cell] for cell in self._state.cells()),
            self.side or notation.UNKNOWN,
            "".join(letter * count for letter, count in self.pool.items()),
            self.chain,
            self._state.quiet,
        )

    # ---- what it is --------------------------------------------------------------------------------------------

    @property
    def state(self) -> "State":
        """The same position in the compiled core, for engines to read. Only this class changes it."""
        return self._state

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._rules

    @property
    def side(self) -> Side | None:
        """The side to move, None before the first flip, when nobody has a colour yet."""
        return _SIDES[self._state.side]

    @property
    def seat(self) -> int:
        """Who is to act: 0 for the player who was to move in the position that was set up, 1 for the other."""
        if not self._moves:
            return 0
        first = self._root.side if self._root.side != notation.UNKNOWN else Piece(self._moves[0].reveal or "").side
        return 0 if self.side == first else 1

    @property
    def chain(self) -> int | None:
        """The square whose piece may go on capturing, None outside a chain."""
        return None if self._state.chain < 0 else self._state.chain

    @property
    def quiet(self) -> int:
        """Plies in a row without a reveal and without a capture."""
        return self._state.quiet

    @property
    def key(self) -> int:
        """64 bits that tell positions apart: board, pool, side, chain and rules, without quiet and the history."""
        return self._state.key

    @property
    def pool(self) -> Mapping[str, int]:
        """How many of each identity lie face down: all letters, in canonical order."""
        return MappingProxyType(dict(zip(self._rules.letters, self._state.pool(), strict=True)))

    def captured(self) -> Mapping[str, int]:
        """Return how many of each identity were captured: all letters, in canonical order."""
        return MappingProxyType(self._setup().captured(self._rules))

    def piece_at(self, square: int | str) -> Piece | None:
        """Return what stands on a square, given by number or name; None if it is empty.

        Raises:
            SquareError: there is no such square.
        """
        if isinstance(square, str):
            square = self._rules.geometry.index(square)
        self._rules.geometry.check(square)
        letter = self._letters[self._state.cells()[square]]
        return None if letter == notation.EMPTY else Piece(letter, self._rules.game)

    def fen(self) -> str:
        """Return the position text."""
        return notation.format_fen(self._setup(), self._rules)

    def canonical(self) -> Self:
        """Return the position that stands for all that are the same but for symmetry, without a history.

        The board may be turned and mirrored, and the colours may be exchanged: no rule tells them apart. Of all these
        positions it is the one with the smallest text.

        Raises:
            FenError: play has gone on past the quiet limit, so that there is no such text.
        """
        if Fault.QUIET_ABOVE_LIMIT in self.status():
            raise FenError(
                f"there is no text for {self._state.quiet} quiet plies: the limit is {self._rules.quiet_limit}"
            )
        texts = [notation.format_fen(image, self._rules) for image in self._setup().images(self._rules)]
        return type(self).from_fen(min(texts), rules=self._rules)

    def status(self) -> list[Fault]:
        """Return everything that is wrong with the position, an empty list if nothing is.

        Positions are checked when they are set up, so the one thing that can be found is QUIET_ABOVE_LIMIT, after
        play went on past a draw by the quiet limit. For a text see `faults`.
        """
        return notation.faults(self.fen(), self._rules)

    # ---- what can be done --------------------------------------------------------------------------------------

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves, as requests. A repetition and the quiet limit, which end the game, do not empty them."""
        return LegalMoves(self)

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Return a bool array of squares * squares elements: whether the move with that index is legal.

        Where the rules know chains it has one element more, the last, for the end of a chain.
        """
        mask = np.zeros(self._rules.geometry.squares**2 + (self._rules.chain != "none"), dtype=np.bool_)
        mask[self._state.actions()] = True
        return mask

    def is_legal(self, move: Move | str) -> bool:
        """Tell whether a move can be made; one with its reveal also needs the identity to be in the pool.

        Raises:
            MoveError: the text is no move.
        """
        return self._refusal(self.read_move(move)) is None

    def outcomes(self, move: Move | str) -> list[Reveal]:
        """Return what a move can become, each with its weight and probability and as a move that can be pushed.

        A flip or an attempt has an outcome for each identity in the pool. Any other move has one: itself, for sure.

        >>> Position().outcomes("a1")[0]
        Reveal(move=Move.from_text('a1(K)'), weight=1, probability=0.03125)

        Raises:
            MoveError: the move is illegal, or its reveal is known already.
        """
        move = self.read_move(move)
        if refusal := self._refusal(move):
            raise MoveError(f"{move} is illegal: {refusal}")
        if not self._state.reveals(move.index):
            return [Reveal(move, 1, 1.0)]
        if move.reveal is not None:
            raise MoveError(f"{move} has its outcome already: ask for those of {move.request}")
        total = sum(self.pool.values())
        return [
            Reveal(Move(move.from_square, move.to_square, letter, move.geometry), weight, weight / total)
            for letter, weight in self.pool.items()
            if weight
        ]

    def read_move(self, move: Move | str) -> Move:
        """Return a move that may be given as text, for this board.

        Raises:
            MoveError: the text is no move, or the move belongs to another board.
        """
        geometry = self._rules.geometry
        if not isinstance(move, Move):
            return Move.from_text(move, geometry=geometry, kinds="".join(self._rules.set_counts))
        if move.geometry != geometry:
            raise MoveError(f"{move} is a move of the {move.geometry} board, not of the {geometry} board")
        return move

    def _refusal(self, move: Move) -> str | None:
        """Why a move cannot be made, None if it can. It may be a request."""
        if not self._state.is_legal(move.index):
            return self._why_illegal(move)
        if move.reveal is None:
            return None
        if not self._state.reveals(move.index):
            return "it reveals nothing"
        return None if self.pool.get(move.reveal) else f"no {move.reveal} lies face down"

    def _why_illegal(self, move: Move) -> str:
        """What a player is told about a request that is illegal."""
        outcome = self.outcome()
        if outcome is not None and not self.legal_moves:
            return f"the game is over, {outcome}"
        if move.is_end:
            return "no chain of captures is going on"
        if self.chain is not None and move.from_square != self.chain:
            return f"the chain of captures goes on from {self._rules.geometry.name(self.chain)}, or ends"
        start, target = (self._rules.geometry.name(square) for square in (move.from_square, move.to_square))
        mover, victim = self.piece_at(start), self.piece_at(target)
        if mover is None:
            return f"{start} is empty"
        if move.is_flip:
            return f"{start} is face up"
        if mover.is_face_down:
            return f"{start} lies face down and can only be flipped"
        if mover.side != self.side:
            return f"{start} belongs to the other side"
        if self._rules.game == "junqi":
            return self._why_illegal_in_junqi(mover, target, victim)
        if victim is None:
            return "there is no step in a chain" if self.chain is not None else "a step goes to a neighbouring square"
        if victim.is_face_down and not self._rules.dark_capture:
            return f"{target} lies face down and cannot be captured"
        if victim.side == self.side:
            return f"{target} belongs to the same side"
        if victim.is_face_down:
            return f"{mover} attempts nothing there: an attempt has the geometry of a capture"
        if target in self._neighbours(move.from_square):
            return f"{mover} does not take {victim} on a neighbouring square"
        if mover.kind == "C" and self._rules.cannon_jumps:
            return "a cannon jumps along a row or a column over exactly one piece"
        return f"{mover} captures on neighbouring squares only"

    def _why_illegal_in_junqi(self, mover: Piece, target: str, victim: Piece | None) -> str:
        """The same for a man of the side to move that cannot go there."""
        if mover.kind in ("L", "F"):
            return f"a {self._rules.pieces.kinds[mover.kind].name} never moves"
        if victim is not None and victim.is_face_down:
            return f"{target} lies face down and cannot be attacked"
        if victim is not None and victim.side == self.side:
            return f"{target} belongs to the same side"
        if victim is not None and self._rules.geometry.index(target) in self._rules.camps:
            return f"{target} is a camp: what stands there cannot be attacked"
        way = "with any turns" if mover.kind == "E" else "in a straight line"
        return f"no way leads to {target}: a move goes along one edge, or {way} along free railway"

    def _neighbours(self, square: int) -> list[str]:
        geometry = self._rules.geometry
        row, column = divmod(square, geometry.files)
        around = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
        return [
            geometry.name(r * geometry.files + c)
            for r, c in around
            if 0 <= r < geometry.ranks and 0 <= c < geometry.files
        ]

    # ---- moving ------------------------------------------------------------------------------------------------

    def push(self, move: Move | str) -> None:
        """Make a move. A flip or an attempt is given with its reveal: `a1(K)`, `a1-b1(k)`.

        Play may go on after a repetition, whoever it makes win, or the quiet limit, not after another win.

        Raises:
            MoveError: the move is illegal, or lacks its reveal; nothing has changed.
        """
        move = self.read_move(move)
        if refusal := self._refusal(move):
            raise MoveError(f"{move} is illegal: {refusal}")
        if move.reveal is None and self._state.reveals(move.index):
            kind = "a flip" if move.is_flip else "an attempt"
            raise MoveError(f"{move} is {kind} without its reveal: push what it turned up, written {move}(K)")
        self._state.push(move.index, -1 if move.reveal is None else self._rules.letters.index(move.reveal))
        self._moves.append(move)

    def pop(self) -> Move:
        """Take the last move back and return it.

        Raises:
            EmptyHistoryError: no move was made; it is a MoveError and an IndexError.
        """
        move = self.peek()
        self._state.pop()
        self._moves.pop()
        return move

    def peek(self) -> Move:
        """Return the last move.

        Raises:
            EmptyHistoryError: no move was made; it is a MoveError and an IndexError.
        """
        if not self._moves:
            raise EmptyHistoryError("no move was made")
        return self._moves[-1]

    @property
    def move_stack(self) -> tuple[Move, ...]:
        """The moves made since the position was set up, with their reveals."""
        return tuple(self._moves)

    # ---- the end -----------------------------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        """Return how the game is over by the rules, None while it goes on."""
        code, winner = self._state.termination()
        termination = _TERMINATIONS[code]
        return None if termination is None else Outcome(_SIDES[winner], termination, self._rules.game)

    def repetitions(self) -> int:
        """Return how often the position has occurred so far, this time included."""
        return self._state.occurrences()

    # ---- counting ----------------------------------------------------------------------------------------------

    def perft(self, depth: int, *, counting: Counting = Counting.BULK) -> int:
        """Count the leaves after `depth` actions, one that reveals once for every different identity in the pool.

        Raises:
            LimitError: the depth is no whole number from 0 to MAX_DEPTH.
        """
        depth = whole_number(depth, "depth", 0, MAX_DEPTH)
        return self._state.perft(depth, counting is Counting.FULL)

    def divide(self, depth: int, *, counting: Counting = Counting.BULK) -> dict[Move, int]:
        """Return for each move, with its reveal, the leaves after it: `depth` actions in all.

        Raises:
            LimitError: the depth is no whole number from 1 to MAX_DEPTH.
        """
        return dict(self.iter_divide(depth, counting=counting))

    def iter_divide(self, depth: int, *, counting: Counting = Counting.BULK) -> Iterator[tuple[Move, int]]:
        """Return the items of `divide` one by one as they are counted.

        Raises:
            LimitError: the depth is no whole number from 1 to MAX_DEPTH.
        """
        depth = whole_number(depth, "depth", 1, MAX_DEPTH)
        position = self.copy()
        for request in position.legal_moves:
            for reveal in position.outcomes(request):
                position.push(reveal.move)
                yield reveal.move, position.perft(depth - 1, counting=counting)
                position.pop()

    # ---- as a Python object ------------------------------------------------------------------------------------

    def copy(self) -> Self:
        """Return an equal position with the same history."""
        copied = type(self).__new__(type(self))
        copied.__dict__.update(self.__dict__)
        copied._moves = self._moves.copy()
        copied._state = self._state.copy()
        return copied

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._rules == other._rules and self._setup() == other._setup()

    def __reduce__(self) -> tuple[object, ...]:
        root = notation.format_fen(self._root, self._rules)
        return _restore, (type(self), str(self._rules), root, tuple(map(str, self._moves)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}.from_fen({self.fen()!r}, rules={str(self._rules)!r})"

    def __str__(self) -> str:
        return text_board(self._setup(), self._rules)

    def svg(self, *, glyphs: Glyphs = Glyphs.LETTERS) -> str:
        """Return the board as an SVG document that needs nothing from outside."""
        return svg_board(self._setup(), self._rules, glyphs=glyphs)

    def _repr_svg_(self) -> str:
        return self.svg()


def _restore(kind: type[_P], rules: str, root: str, moves: tuple[str, ...]) -> _P:
    position = kind.from_fen(root, rules=rules)
    for move in moves:
        position.push(move)
    return position
