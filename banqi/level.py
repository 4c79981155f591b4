"""Levels of play: how far an engine looks, and how freely it chooses among moves that are nearly as good."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Final

from banqi.errors import LimitError, shown

if TYPE_CHECKING:
    from banqi.engine import Info, Limit


@dataclass(frozen=True, slots=True)
class Level:
    """A level.

    nodes, depth: the most that is searched for a move, None for what the limit allows. lines: best moves that it
    chooses among. spread: by how much the expected result of what it plays may be lower than that of the best move.
    It knows nothing that the full engine does not know, and sees the position only.
    """

    name: str
    nodes: int | None
    depth: int | None
    lines: int
    spread: float

    def within(self, limit: "Limit") -> "Limit":
        """Return a limit that is no wider than the level's."""
        nodes = [n for n in (self.nodes, limit.nodes) if n is not None]
        depths = [n for n in (self.depth, limit.depth) if n is not None]
        return replace(limit, nodes=min(nodes, default=None), depth=min(depths, default=None))

    def choose(self, infos: "Sequence[Info]", rng: Random) -> "Info":
        """Return one of the lines, best first, that are good enough; the better, the likelier.

        A sure win is taken the shortest way; a hope is not passed over for a sure loss.
        """
        best = infos[0].score
        if best.proven and best.value > 0:
            return infos[0]
        # Below 0 where a search ended half-way.
        gaps = [max(0.0, best.value - info.score.value) for info in infos]
        weights = [
            1 - gap / self.spread if gap < self.spread and info.score.proven == best.proven else 0.0
            for gap, info in zip(gaps, infos, strict=True)
        ]
        weights[0] = 1.0
        return rng.choices(infos, weights)[0]


HARD: Final = Level("hard", None, None, 1, 0.0)
MEDIUM: Final = Level("medium", 20_000, 3, 4, 0.04)
EASY: Final = Level("easy", 20_000, 1, 6, 0.15)
LEVELS: Final = {level.name: level for level in (EASY, MEDIUM, HARD)}


def level_named(name: object) -> Level:
    """Return a level.

    Raises:
        LimitError: there is none of this name.
    """
    if not isinstance(name, str) or name not in LEVELS:
        raise LimitError(f"there is no level {shown(name)}; there are {', '.join(LEVELS)}")
    return LEVELS[name]
