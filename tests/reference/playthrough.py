"""Golden playthroughs: whole random games of the reference, with all that is legal on the way.

`python -m reference.playthrough`, run in the folder of the tests, writes tests/golden anew.

The first line of a file is the rule set. Then come the position at the start and one after each action, a line each:
the action as people write it (`start` for the first), the position text, the legal requests in alphabetical order,
separated by ` | `. The last line is the winner, `r`, `b` or `draw`, and the reason.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from reference.action import written
from reference.game import Game
from reference.walks import random_action

FOLDER = Path(__file__).parents[1] / "golden"


@dataclass(frozen=True)
class Playthrough:
    """A game that can be played again; `habit` is how often its players repeat themselves."""

    rules: str
    seed: int
    habit: float = 0.0

    @property
    def path(self) -> Path:
        """The file of the game."""
        return FOLDER / f"{self.rules}.txt"

    def text(self) -> str:
        """Play the game and return what its file holds."""
        rng = random.Random(self.seed)
        game = Game(self.rules)
        lines = [self.rules, line("start", game)]
        while (end := game.end()) is None:
            action = random_action(game, rng, self.habit)
            game.play(action)
            lines.append(line(written(action), game))
        winner, reason = end
        lines.append(f"{winner or 'draw'} {reason}")
        return "\n".join(lines) + "\n"


def line(action: str, game: Game) -> str:
    """What stands after an action."""
    return f"{action} | {game.fen()} | {' '.join(sorted(map(written, game.legal())))}".rstrip()


# The seeds are chosen so that the games are short and show what their rule sets have.
PLAYTHROUGHS = (
    Playthrough("taiwan", 1369),
    Playthrough("hongkong", 774),
    Playthrough("mainland", 1244),
    Playthrough("cannon-adjacent", 93),
    Playthrough("dark-capture", 1153),
    Playthrough("children", 542),
    Playthrough("cannon-chain", 1206),
    Playthrough("double", 159),
    Playthrough("junqi", 4386),
    Playthrough("taiwan(perpetual=loses)", 5290, habit=0.75),
)

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for playthrough in PLAYTHROUGHS:
        playthrough.path.write_text(playthrough.text())
