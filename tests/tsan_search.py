"""Four threads search one position through one table: a program to run on a ThreadSanitizer build.

`make tsan` runs it. A race ends it with status 66 and a report.
"""

import banqi

MIDDLE_GAME = "kCPm/gpxx/rPPr/xNxx/xKpG/Rx1x/xpmx/MPpM r GRNCPgnccp - 1"
# All pieces face up, so that the table is written and read as often as can be.
REVEALED = "kCPm/gp1p/rPPr/1N1n/1KpG/R1Mc/GpmN/CPpM r - - 1"

with banqi.Engine(threads=4, hash_mb=16) as engine:
    for fen in (MIDDLE_GAME, REVEALED):
        result = engine.play(banqi.Position.from_fen(fen), banqi.Limit(nodes=2_000_000))
        print(fen, "->", result.move)
