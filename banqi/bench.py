"""The bench: a fixed search of fixed positions, whose node count is the signature of the search's behaviour."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from banqi.engine import Engine, Limit
from banqi.position import Position

HASH_MB: Final = 16


class BenchPosition(NamedTuple):
    """A position and the depth that it is searched to."""

    name: str
    rules: str
    fen: str
    depth: int


POSITIONS: Final = (
    BenchPosition(
        "start",
        "taiwan",
        "xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0",
        3,
    ),
    BenchPosition("opening", "taiwan", "xxPx/xxpN/xPgx/xnxc/xxxx/pxxC/CRGr/Kxpc b GMMRNPPPkgmmrnpp - 0", 4),
    BenchPosition("half open", "taiwan", "kCPm/gpxx/rPPr/xNxx/xKpG/Rx1x/xpmx/MPpM r GRNCPgnccp - 1", 4),
    BenchPosition("few hidden", "taiwan", "PmRc/2nx/x1CM/xcRp/1GM1/G2K/Pn1p/x1P1 r NPgm - 0", 6),
    BenchPosition("crowded", "taiwan", "PNKP/GCnn/cgGr/Cppp/pmMc/mpRg/rMRP/PPkN r - - 0", 8),
    BenchPosition("middle game", "taiwan", "PRMr/n1N1/mrCP/1NmC/Pn1G/Kgk1/2pp/1GMc r - - 0", 8),
    BenchPosition("late middle game", "taiwan", "2p1/RC1M/2K1/c2G/g1M1/r2P/ncm1/pmnC r - - 0", 9),
    BenchPosition("ending", "taiwan", "1RM1/3g/4/m2m/1r1C/1pGg/1r2/3n r - - 0", 10),
    BenchPosition("few men", "taiwan", "2G1/1g2/2n1/4/3R/4/4/pNPm b - - 0", 12),
    BenchPosition("near the quiet limit", "taiwan", "2G1/1g2/2n1/4/3R/4/4/pNPm b - - 172", 12),
    BenchPosition("hongkong", "hongkong", "xM1N/pNxx/RGxx/xRG1/xCpK/xgPx/Mmpr/PxgC b PPPkmrnncp - 0", 4),
    BenchPosition("mainland", "mainland", "PmRc/xxnx/x1CM/xcRp/xGMx/Gx1K/Pnxp/x1Px r NNPkggmrrpp - 0", 4),
    BenchPosition("cannon-adjacent", "cannon-adjacent", "xPrx/1gpx/xKxn/Pxpp/nMcx/gx1x/Rxcx/NpGP r GMRNCPkmmrp - 1", 4),
)


class BenchRow(NamedTuple):
    """What the search of one bench position took."""

    name: str
    depth: int
    nodes: int
    seconds: float


def run() -> Iterator[BenchRow]:
    """Search each bench position with a fresh table on one thread; yield each row as it is done."""
    for name, rules, fen, depth in POSITIONS:
        with Engine(hash_mb=HASH_MB) as engine:
            info = engine.play(Position.from_fen(fen, rules=rules), Limit(depth=depth)).info
        yield BenchRow(name, info.depth, info.nodes, info.time)
