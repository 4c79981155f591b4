"""A game: positions in a row, their repetitions and the end (B7 of section 2, section 5, J8 of section 7)."""

from __future__ import annotations

from reference import fen as text
from reference.action import END, parts, request_of
from reference.games import parse
from reference.position import Position, other
from reference.rules import Rules


class Game:
    """What was played from a start."""

    def __init__(self, rules: Rules | str = "taiwan", fen: str | None = None) -> None:
        """Set up the start of a rule set or another position; ValueError with the reason."""
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
        request = request_of(action)
        if request not in self.requests:
            raise ValueError(f"illegal: {action}")
        if action.removeprefix(request) not in (self.outcomes(request) or ("",)):
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
        for letter in self.rules.letters:
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
        position = self.position
        for side in "rb":
            if position.lost(side):
                return other(side), self.rules.lost_by
        if position.chain != "-":
            return None
        if not self.requests:
            return other(position.side), "no_moves"
        plies_back = self.repeated()
        if plies_back > 0:
            return self.judge(plies_back)
        if position.quiet >= self.rules.quiet_limit:
            return None, "quiet_limit"
        return None

    def repeated(self) -> int:
        """At the deciding occurrence the plies since the previous one, else 0."""
        if self.rules.repetition == "none":
            return 0
        if self.rules.repetition == "cycle":
            return self.cycle()
        if self.occurrences() < int(self.rules.repetition):
            return 0
        back = 1
        while self.identities[-1 - back] != self.identities[-1]:
            back += 1
        return back

    def cycle(self) -> int:
        """The length of a cycle of steps whose three copies end the list of actions, or 0."""
        steps = []
        for action, before in zip(reversed(self.actions), reversed(self.positions[:-1]), strict=True):
            if action == END or parts(action)[1] in before.board:
                break
            steps.append(action)
        for length in range(2, len(steps) // 3 + 1, 2):
            first, second, third = (steps[i * length : (i + 1) * length] for i in range(3))
            if first == second == third:
                return length
        return 0

    def judge(self, plies_back: int) -> tuple[str | None, str]:
        """The result of a repetition: a draw, or a loss for the only perpetual attacker."""
        if self.rules.perpetual == "draw":
            return None, "repetition"
        attackers = [side for side in "rb" if self.attacks_perpetually(side, plies_back)]
        if len(attackers) == 1:
            return other(attackers[0]), "perpetual_attack"
        return None, "repetition"

    def attacks_perpetually(self, side: str, plies_back: int) -> bool:
        """Whether one enemy piece could be captured right after each ply of a side since then."""
        where_now = {square: square for square in self.positions[-1 - plies_back].board}
        victims = set(where_now)
        for action, before, position in zip(
            self.actions[-plies_back:],
            self.positions[-1 - plies_back : -1],
            self.positions[-plies_back:],
            strict=True,
        ):
            start, to, _ = parts(action)
            for piece, square in where_now.items():
                if square == start:
                    where_now[piece] = to
            if before.side == side:
                attacked = position.attacked_by(side)
                victims = {piece for piece in victims if where_now[piece] in attacked}
        return len(victims) > 0
