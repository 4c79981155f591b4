"""A game of Junqi: positions in a row and the end (J8)."""

from __future__ import annotations

from reference import junqi_fen as text
from reference.junqi import Position, parts
from reference.junqi_rules import LETTERS, Rules, parse
from reference.position import other


class Game:
    """What was played from a start."""

    def __init__(self, rules: Rules | str = "junqi", fen: str | None = None) -> None:
        """Set up the start or another position; ValueError with the reason."""
        self.rules = parse(rules) if isinstance(rules, str) else rules
        self.position = text.read(text.start(self.rules) if fen is None else fen, self.rules)
        self.actions: list[str] = []
        self.positions: list[Position] = [self.position]
        self.identities: list[str] = [text.identity(self.position)]
        self.requests = self.position.legal()

    def fen(self) -> str:
        """The text of the position now."""
        return f"{self.identity()} {self.position.quiet}"

    def identity(self) -> str:
        """The text of the position now without the quiet counter: equal texts, same position."""
        return self.identities[-1]

    def legal(self) -> set[str]:
        """The legal requests; repetition and the quiet limit take none away."""
        return self.requests

    def outcomes(self, request: str) -> dict[str, int]:
        """How often each identity that a request may reveal is in the pool."""
        return self.position.outcomes(request)

    def play(self, action: str) -> None:
        """Play one action as on a wire, with its reveal; ValueError if it is illegal."""
        square, to, shown = parts(action)
        if square + to not in self.requests:
            raise ValueError(f"illegal: {action}")
        if shown not in (self.outcomes(square + to) or ("",)):
            raise ValueError(f"wrong reveal: {action}")
        self.position = self.position.after(action)
        self.actions.append(action)
        self.positions.append(self.position)
        self.identities.append(text.identity(self.position))
        self.requests = self.position.legal()

    def captured(self) -> dict[str, int]:
        """How many of each identity are gone from the full set."""
        on_board = list(self.position.board.values())
        gone = {}
        for letter in LETTERS:
            rest = on_board.count(letter) + self.position.pool[letter]
            gone[letter] = self.rules.count(letter.upper()) - rest
        return gone

    def seat(self) -> int:
        """Who is to act: 0 for the side to move at the start, 1 for the other."""
        first = self.positions[0].side
        if first == "?" and self.actions:
            first = other(self.positions[1].side)
        return 0 if self.position.side == first else 1

    def occurrences(self) -> int:
        """How often the position now has stood, the start or the position set up included."""
        return self.identities.count(self.identities[-1])

    def end(self) -> tuple[str | None, str] | None:
        """(Winner or None for a draw, reason), or None while the game goes on."""
        for side in "rb":
            if self.position.lost(side):
                return other(side), "flag"
        if not self.requests:
            return other(self.position.side), "no_moves"
        if self.rules.repetition != "none" and self.occurrences() >= int(self.rules.repetition):
            return None, "repetition"
        if self.position.quiet >= self.rules.quiet_limit:
            return None, "quiet_limit"
        return None
