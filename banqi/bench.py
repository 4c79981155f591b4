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
    BenchPosition("dark-capture", "dark-capture", "xn1c/xkRP/R1xc/PxNx/2pP/Mgg1/xx1x/xxxm b GMNCPPmrrnp - 0", 3),
    BenchPosition("dark-capture, few hidden", "dark-capture", "cxx1/mPCR/gRGP/rx1k/pxnM/pg1G/M1rN/KP1C r Pmnc - 0", 6),
    BenchPosition("children", "children", "xkcG/x1Pn/p1mp/1PRx/Mgxx/xrgm/xxRM/cxxx b KGNNCCPPrpp c6 0", 4),
    BenchPosition("children, few hidden", "children", "nppg/mK1p/gPrn/3x/N2P/2xP/G2k/1Rpm b Mc - 0", 8),
    BenchPosition("cannon-chain", "cannon-chain", "PxCp/kc1n/R1xG/xrnx/r2x/K1gx/1xpx/g1xM r GRNPmcppp - 0", 4),
    BenchPosition("cannon-chain, few hidden", "cannon-chain", "ppGN/1mPG/c1K1/1Mx1/n1g1/1CR1/CP2/r1cM r n - 0", 8),
    BenchPosition(
        "double",
        "double",
        "mNxCrcgx/4mgcx/x1pMp1KC/xNPPGM2/RxN1xGxr/xprgRmG1/m1pMp1nM/1pPPgn1R b KGRPPkrcp - 1",
        3,
    ),
    BenchPosition(
        "double, revealed",
        "double",
        "mg1C1p1p/4c3/3NP1p1/1MGGc1p1/G2pNg2/1rCrPPnc/1K3P1P/2g1PMr1 b - - 0",
        6,
    ),
    BenchPosition(
        "junqi start",
        "junqi",
        "xxxxx/xxxxx/x1x1x/xx1xx/x1x1x/xxxxx/xxxxx/x1x1x/xx1xx/x1x1x/xxxxx/xxxxx"
        " ? MGDDBBRRTTCCCPPPEEEOOLLLFmgddbbrrttcccpppeeeoolllf - 0",
        2,
    ),
    BenchPosition(
        "junqi, opening",
        "junqi",
        "eexxx/xxmxx/x1x1x/Dx1xx/x1x1x/rxxxx/xxxxO/x1F1x/xo1bx/d1x1L/xxxxx/TBxcx"
        " r MGDBRRTCCCPPPEEEOLLgdbrttccpppeolllf - 0",
        2,
    ),
    BenchPosition(
        "junqi, half open",
        "junqi",
        "xxPxl/RxxBx/x1e1x/L2dr/1bb1x/Dxlxp/3Px/L2Px/xx2M/x3x/1x1xx/dxxTc b GDBRTCCCOLFmgrtcppeolf - 0",
        3,
    ),
    BenchPosition(
        "junqi, few hidden", "junqi", "2GMP/T4/P1C2/xc1E1/4L/1l2B/1d1xx/m1B1E/1D1p1/c2tC/LxoL1/lf2b b CFtl - 0", 5
    ),
    BenchPosition(
        "junqi, revealed", "junqi", "PE1gT/F1L2/C1M2/O1C1c/1R2p/5/DD1Cd/1rd2/1c1el/2e1R/1m1f1/L1GLb b - - 0", 5
    ),
    BenchPosition("perpetual attack", "taiwan(perpetual=loses)", "2G1/1g2/2n1/4/3R/4/4/pNPm b - - 0", 11),
)


class BenchRow(NamedTuple):
    """What the search of one bench position took."""

    name: str
    rules: str
    depth: int
    nodes: int
    seconds: float


def run() -> Iterator[BenchRow]:
    """Search each bench position with a fresh table on one thread; yield each row as it is done."""
    for name, rules, fen, depth in POSITIONS:
        with Engine(hash_mb=HASH_MB) as engine:
            info = engine.play(Position.from_fen(fen, rules=rules), Limit(depth=depth)).info
        yield BenchRow(name, rules, info.depth, info.nodes, info.time)
