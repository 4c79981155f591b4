"""What speed is measured on: positions to search and trees to count, with the rules `taiwan` unless they say more."""

from pathlib import Path
from typing import Final, NamedTuple

from banqi.bench import POSITIONS

JUNQI_START: Final = (
    "xxxxx/xxxxx/x1x1x/xx1xx/x1x1x/xxxxx/xxxxx/x1x1x/xx1xx/x1x1x/xxxxx/xxxxx"
    " ? MGDDBBRRTTCCCPPPEEEOOLLLFmgddbbrrttcccpppeeeoolllf - 0"
)
START: Final = "xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0"

_BENCH: Final = {position.name: position.fen for position in POSITIONS}

# The engine played itself, 20,000 nodes a move, and every flip turned up what chance gave it. Those of the second group
# stood in such games too; then chance turned up all that still lay face down.
HIDDEN: Final = {
    **{name: _BENCH[name] for name in ("opening", "half open", "few hidden")},
    "20 face down": "xxxx/xkxp/Pxxx/xxxK/rxpx/xpxc/Mcxx/mxnx b GGMRRNNCCPPPPggmrnpp - 0",
    "14 face down": "xnkx/KxpM/xprx/rxxN/x1xC/mxPx/xcxp/Nxg1 b GMRRCPPPgmncpp - 0",
    "9 face down": "CxP1/x1xM/Pgx1/1xcx/N1xp/1P1r/G1Rp/1xMx r KGPkgmrpp - 0",
    "5 face down": "xpNP/nxkx/x3/Mm2/4/GP2/Rx1g/g2C b Prncp - 0",
}
REVEALED: Final = {
    **{name: _BENCH[name] for name in ("crowded", "middle game", "late middle game")},
    "22 men": "CkP1/g1KM/Pgm1/1pcp/N1rp/1P1r/G1Rp/1PMG r - - 0",
    "21 men": "2Gm/g1rP/1pMr/g1GC/1m1p/Nnp1/1P1R/N1p1 b - - 0",
}
# Few enough men that captures come down to endgame tables; none is proved before some millions of nodes.
ENDINGS: Final = {
    "10 men": _BENCH["ending"],
    "8 men": _BENCH["few men"],
    "6 men": "K2G/4/1c2/4/3g/4/2c1/P3 r - - 0",
    "5 men": "K3/2G1/1c2/4/3g/4/2c1/4 r - - 0",
}
# A capture leads to a general and an advisor against an elephant, where nothing is drawn and the next capture may be 18
# plies away. Under a lower quiet limit tables are asked as ever but say nothing: they change no node of the search.
IN_VAIN: Final = "4/4/4/m2m/4/4/4/1KG1 r - - 0"
IN_VAIN_RULES: Final = "taiwan(quiet_limit=17)"


class Tree(NamedTuple):
    """A position and the leaves of its tree at each depth."""

    name: str
    fen: str
    leaves: dict[int, int]

    def deepest(self, most_leaves: int) -> int:
        """Return the greatest depth, 7 at most, with no more leaves than that."""
        return max(depth for depth, leaves in self.leaves.items() if depth <= 7 and leaves <= most_leaves)


def _trees(name: str) -> list[Tree]:
    path = Path(__file__).parents[1] / "tests" / "perft" / f"{name}.perft"
    trees = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fen, *counts = line.split(" ;")
        leaves = {int(depth[1:]): int(count) for depth, count in map(str.split, counts)}
        trees.append(Tree("start" if fen == START else f"P{number}", fen, leaves))
    return trees


TREES: Final = _trees("taiwan-deep")

JUNQI_TREES: Final = _trees("junqi")

# One tree of each rule set that has moves or squares of its own.
OTHER_TREES: Final = [
    (rules, next(position.fen for position in POSITIONS if position.rules == rules), depth)
    for rules, depth in (("dark-capture", 2), ("children", 3), ("cannon-chain", 2), ("double", 2))
]
