"""A program for the tournament protocol that plays right, but for the one oddity that it is started with.

    python odd_program.py ODDITY [LOG]

What it was sent is added to the file LOG.
"""

import os
import signal
import sys
import time

from banqi import Engine, Limit
from banqi.protocol.session import Session
from banqi.protocol.tcga import Dialect, Tcga

ODDITY = sys.argv[1] if len(sys.argv) > 1 else ""
LOG = sys.argv[2] if len(sys.argv) > 2 else os.devnull
# At which of its decisions an oddity shows.
TURN = 3
# What is answered in place of a move.
WORDS = {
    "illegal": "=12 a1 d8",
    "off the board": "=12 a1 a9",
    "one square": "=12 a1",
    "no words": "=12",
    "resigns": "=12 resign",
    "fails": "?12 no idea",
    "not decodable": "=12 \udcff\udcfe",
}


def say(text: str) -> None:
    sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()


def misbehave() -> None:
    if ODDITY in WORDS:
        say(WORDS[ODDITY])
    elif ODDITY == "exits":
        print("out of ideas", file=sys.stderr)
        sys.exit(3)
    elif ODDITY == "dies":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif ODDITY == "closes its output":
        os.close(1)
        time.sleep(600)
    elif ODDITY in ("sleeps", "sleeps on"):
        time.sleep(600)
    elif ODDITY == "chatters":
        while True:
            say("thinking")
    elif ODDITY == "endless line":
        while True:
            sys.stdout.buffer.write(b"x" * 65536)


def main() -> None:
    if ODDITY == "sleeps on":
        # Neither the end of its input nor a signal of the terminal ends it.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    dialect = Dialect.GTP if ODDITY == "gtp" else Dialect.PLATFORM
    front = Tcga(Session(Engine(hash_mb=1), limit=Limit(nodes=30)), dialect=dialect)
    decisions = 0
    with open(LOG, "a", encoding="utf-8") as log:
        while line := sys.stdin.readline():
            log.write(line)
            log.flush()
            if ODDITY == "says more":
                say("hello = ?")
                print("x" * 3000, file=sys.stderr, flush=True)
            words = line.split()
            decisions += "genmove" in words
            if "reset_board" in words:
                decisions = 0
            if ODDITY == "begins nothing" and "reset_board" in words:
                say("?7 not in the mood")
            elif ODDITY == "refuses flips" and "flip" in words:
                say("?11 never")
            elif ODDITY == "knows no other commands" and words[1] not in ("reset_board", "genmove", "move", "flip"):
                say("?")
            elif "genmove" in words and decisions == TURN and ODDITY in UNFIT:
                misbehave()
            elif "genmove" in words and ODDITY == "late":
                answer = front.answer(line.rstrip().encode())
                time.sleep(0.3)
                say(answer.rstrip("\n"))
            else:
                answer = front.answer(line.rstrip().encode())
                if ODDITY == "no numbers":
                    answer = answer[0] + " " + answer.partition(" ")[2] if " " in answer else answer[0] + "\n"
                say(answer[:-1])
            if "quit" in words and ODDITY != "sleeps on":
                return


UNFIT = (*WORDS, "exits", "dies", "closes its output", "sleeps", "sleeps on", "chatters", "endless line")

if __name__ == "__main__":
    main()
