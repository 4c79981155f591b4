"""Matches between players, and what they say about strength.

>>> from concurrent.futures import ThreadPoolExecutor
>>> from banqi.arena import Match, PlayerSpec, Tally, run
>>> from banqi.rules import Rules
>>> players = PlayerSpec.parse("engine(nodes=50, hash=1)"), PlayerSpec.parse("random")
>>> tally = Tally()
>>> with ThreadPoolExecutor(1) as executor:
...     for pair in run(Match(players, Rules.parse("taiwan")), executor, 2, at_once=1):
...         tally.add(pair)
>>> tally.games, sum(tally.pairs)
(4, 2)
"""

from banqi.arena.journal import Journal
from banqi.arena.match import Match, Pair, Played, run
from banqi.arena.player import Fault
from banqi.arena.ratings import Rating, Sprt, rating
from banqi.arena.report import Tally
from banqi.arena.spec import PlayerSpec
from banqi.errors import ArenaError

__all__ = [
    "ArenaError", "Fault", "Journal", "Match", "Pair", "Played", "PlayerSpec", "Rating", "Sprt", "Tally", "rating",
    "run",
]  # fmt: skip
