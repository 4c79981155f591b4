"""Position texts of Junqi for tests: written node by node, and each fault beside the same text without it."""

from collections.abc import Iterable

RANKS = range(12, 0, -1)
EMPTY_BOARD = "/".join(["5"] * 12)

WHOLE_SET = "MGDDBBRRTTCCCPPPEEEOOLLLFmgddbbrrttcccpppeeeoolllf"
UNTOUCHED = "xxxxx/xxxxx/x1x1x/xx1xx/x1x1x/xxxxx/xxxxx/x1x1x/xx1xx/x1x1x/xxxxx/xxxxx"
START = f"{UNTOUCHED} ? {WHOLE_SET} - 0"

# A flag must be somewhere: here they stand in two headquarters, where little of what is tested comes by.
FLAGS = "d1=F b12=f"


def placement(pieces: Iterable[str]) -> str:
    """The first field of a position with these pieces, each written `node=letter`."""
    board = dict(piece.split("=") for piece in pieces)
    rows = []
    for rank in RANKS:
        row = "".join(board.pop(f"{file}{rank}", ".") for file in "abcde")
        for run in range(5, 0, -1):
            row = row.replace("." * run, str(run))
        rows.append(row)
    assert not board, f"no nodes: {board}"
    return "/".join(rows)


def text(pieces: str, side: str = "r", pool: str = "-", quiet: int = 0, *, flags: str = FLAGS) -> str:
    """The text of a position with both flags and these pieces, `node=letter` and spaces between."""
    given = [*pieces.split(), *flags.split()]
    assert len(dict(piece.split("=") for piece in given)) == len(given), "two pieces on one node"
    return f"{placement(given)} {side} {pool} - {quiet}"


ALONE = "5/1f3/5/5/5/5/5/5/5/5/5/R2F1"

# What is refused, each after a name, and the text that is right because it lacks just this fault.
REFUSED = {
    "a marshal too many on the board": (text("a2=M a5=M"), text("a2=M a5=G")),
    "a bomb too many on the board": (text("a2=o a5=o e5=o"), text("a2=o a5=o e5=O")),
    "a mine too many, one of them hidden": (
        text("a2=L a5=L e5=L a12=x", pool="L"),
        text("a2=L a5=L e5=L a12=x", pool="l"),
    ),
    "a flag too many": (text("a1=f", flags="d1=F b12=f"), text("a1=f", flags="d1=F b12=M")),
    "a flag too many in the pool": (text("a1=x", pool="F"), text("a1=x", pool="R")),
    "an engineer too many in the pool": (text("a1=x a2=x a3=x a4=x", pool="eeee"), text("a1=x a2=x a3=x", pool="eee")),
    "more face down than hidden": (text("a1=x a2=x", pool="m"), text("a1=x", pool="m")),
    "more hidden than face down": (text("a1=x", pool="mg"), text("a1=x a2=x", pool="mg")),
    "hidden with nothing face down": (text("a1=M", pool="m"), text("a1=M")),
    "face down with nothing hidden": (text("a1=x"), text("a1=M")),
    "no side with a piece face up": (
        f"M{UNTOUCHED[1:]} ? {WHOLE_SET[1:]} - 0",
        f"M{UNTOUCHED[1:]} b {WHOLE_SET[1:]} - 0",
    ),
    "no side with a piece captured": (
        f"1{UNTOUCHED[1:]} ? {WHOLE_SET[1:]} - 0",
        f"1{UNTOUCHED[1:]} b {WHOLE_SET[1:]} - 0",
    ),
    "no side with a quiet ply": (f"{START[:-1]}1", START),
    "red to move before anything was shown": (START.replace("?", "r"), START),
    "blue to move before anything was shown": (START.replace("?", "b"), START),
    "a flag in a camp": (text("", flags="b3=F b12=f"), text("", flags="a3=F b12=f")),
    "the flag of blue in a camp": (text("", flags="d1=F c9=f"), text("", flags="d1=F c10=f")),
    **{
        f"a mine in the camp {camp}": (text(f"{camp}=L"), text(f"{camp}=O"))
        for camp in ("b3", "d3", "c4", "b5", "d5", "b8", "d8", "c9", "b10", "d10")
    },
    "a mine of blue in a camp": (text("c4=l"), text("c3=l")),
    **{
        f"a face-down piece in the camp {camp}": (text(f"{camp}=x", pool="R"), text(f"{camp}=R"))
        for camp in ("b3", "d3", "c4", "b5", "d5", "b8", "d8", "c9", "b10", "d10")
    },
    "both flags missing": (text("a2=M a11=m", flags=""), text("a2=M a11=m")),
    "no piece at all": (f"{EMPTY_BOARD} r - - 0", text("")),
    "a chain": (f"{ALONE} r - a1 0", f"{ALONE} r - - 0"),
    "quiet above the limit": (f"{ALONE} r - - 81", f"{ALONE} r - - 80"),
    "quiet below 0": (f"{ALONE} r - - -1", f"{ALONE} r - - 0"),
    "quiet is no number": (f"{ALONE} r - - x", f"{ALONE} r - - 0"),
    "quiet is no whole number": (f"{ALONE} r - - 1.0", f"{ALONE} r - - 1"),
    "a side of another name": (f"{ALONE} w - - 0", f"{ALONE} b - - 0"),
    "a kind of Banqi": (ALONE.replace("R", "K") + " r - - 0", f"{ALONE} r - - 0"),
    "an upper-case face-down piece": (ALONE.replace("R", "X") + " r - - 0", f"{ALONE} r - - 0"),
    "a kind of Banqi in the pool": (f"{ALONE} r N - 0", f"{ALONE} r - - 0"),
    "eleven ranks": (f"{ALONE.removeprefix('5/')} r - - 0", f"{ALONE} r - - 0"),
    "thirteen ranks": (f"5/{ALONE} r - - 0", f"{ALONE} r - - 0"),
    "a short rank": (f"4{ALONE[1:]} r - - 0", f"{ALONE} r - - 0"),
    "a long rank": (f"5M{ALONE[1:]} r - - 0", f"4M{ALONE[1:]} r - - 0"),
    "an empty rank": (f"{ALONE[1:]} r - - 0", f"{ALONE} r - - 0"),
    "two digits side by side": (f"23{ALONE[1:]} r - - 0", f"{ALONE} r - - 0"),
    "an empty run": (f"4M0{ALONE[1:]} r - - 0", f"4M{ALONE[1:]} r - - 0"),
    "two spaces": (f"{ALONE} r  - - 0", f"{ALONE} r - - 0"),
    "two fields": (f"{ALONE} r", f"{ALONE} r -"),
    "four fields": (f"{ALONE} r - -", f"{ALONE} r - - 0"),
    "six fields": (f"{ALONE} r - - 0 0", f"{ALONE} r - - 0"),
}

# Without a piece there is no flag either: the one text with two faults.
TWOFOLD = "no piece at all"
