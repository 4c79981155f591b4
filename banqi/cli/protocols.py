"""Protocols by which other programs play against the engine."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import rich_click as click

from banqi.cli.options import evaluation_option, rules_option, seconds_of, tables_option, whole
from banqi.rules import Rules


@click.command()
@rules_option
@click.option("--time", "seconds", type=seconds_of, metavar="S", help="Without a clock, think for S seconds (1).")
@click.option("--nodes", type=whole, metavar="N", help="Think for N nodes at most, with or without a clock.")
@click.option("--threads", type=whole, default=1, show_default=True, metavar="N", help="Search with N threads.")
@click.option("--hash", "hash_mb", type=whole, default=64, show_default=True, metavar="MB", help="Size of the table.")
@tables_option
@evaluation_option
@click.option(
    "--dialect",
    type=click.Choice(["platform", "gtp"]),
    default="platform",
    show_default=True,
    help="What ends an answer: nothing more, or the empty line of classic GTP.",
)
def tcga(
    rules: str,
    seconds: float | None,
    nodes: int | None,
    threads: int,
    hash_mb: int,
    tables: str | None,
    evaluation: str,
    dialect: str,
) -> None:
    """Play for a tournament platform: one command a line on stdin, one answer a line on stdout.

    A command is "ID NAME [arguments]", its answer "=ID [text]" or "?ID [reason]". The commands are protocol_version,
    name, version, known_command, list_commands, quit, boardsize, reset_board, num_repetition, num_moves_to_draw, move,
    flip, genmove, game_over, ready, time_setting (or time_settings), time_left, showboard and init_board. genmove
    answers "c8 a8", or "c8 c8" for a flip, and does not play it: the platform tells every move, this program's own too.

    Platforms often do not say when a game is drawn; --rules does: "taiwan(quiet_limit=60, repetition=cycle)". Rules
    with dark captures, chains of captures or another board than 4 x 8 are refused: the protocol has no words for them.
    """
    from banqi.engine import SHIPPED_TABLES, Engine, Limit
    from banqi.protocol.session import Session
    from banqi.protocol.tcga import Dialect, Tcga

    limit = Limit(time=1.0 if nodes is seconds is None else seconds, nodes=nodes)
    meaning = Rules.of(rules)
    with Engine(
        threads=threads,
        hash_mb=hash_mb,
        tablebase=SHIPPED_TABLES if tables is None else tables,
        evaluation=evaluation,
    ) as engine:
        front = Tcga(Session(engine, meaning, limit=limit), dialect=Dialect(dialect))
        with _streams() as (source, sink):
            front.run(source, sink)


@click.command()
@rules_option
@click.option("--threads", type=whole, default=1, show_default=True, metavar="N", help="The option Threads.")
@click.option("--hash", "hash_mb", type=whole, default=64, show_default=True, metavar="MB", help="The option Hash.")
@tables_option
@evaluation_option
def uci(rules: str, threads: int, hash_mb: int, tables: str | None, evaluation: str) -> None:
    """Play for a program that speaks UCI: commands on stdin, answers on stdout, searches in the background.

    The commands are uci, isready, setoption, ucinewgame, position, go, stop, quit, debug, d, eval, perft and bench. A
    position tells what was turned up: "position startpos moves a1a1K b1b1k a1b1"; a chain of captures is several
    moves, and 0000 ends it. The best move names no reveal: a1a1 is a flip. "score cp" is 100 x the expected result for
    the side to move. What cannot be obeyed is answered by a line "info string error: ..." and changes nothing.

    The options of this command are what the protocol's options of these names begin with. There are Variant (any rule
    set), Hash, Threads, MultiPV, Level (easy, medium, hard), Tablebase, Evaluation and Clear Hash.
    """
    from banqi.protocol.uci import Uci
    from banqi.protocol.uci_options import SHIPPED, Settings

    settings = Settings(
        rules=Rules.of(rules),
        hash_mb=hash_mb,
        threads=threads,
        tablebase=SHIPPED if tables is None else tables,
        evaluation=evaluation,
    )
    front = Uci(settings)
    with _streams() as (source, sink):
        front.run(source, sink)


@contextmanager
def _streams() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """What is read and written as bytes. A stream that was closed has none."""
    with open(os.devnull, "r+b") as nothing:
        yield getattr(sys.stdin, "buffer", nothing), getattr(sys.stdout, "buffer", nothing)
