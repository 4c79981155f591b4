"""Protocols by which other programs play against the engine."""

import os
import sys

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
    with (
        Engine(
            threads=threads,
            hash_mb=hash_mb,
            tablebase=SHIPPED_TABLES if tables is None else tables,
            evaluation=evaluation,
        ) as engine,
        open(os.devnull, "r+b") as nothing,
    ):
        front = Tcga(Session(engine, meaning, limit=limit), dialect=Dialect(dialect))
        # A stream that was closed has no bytes.
        front.run(getattr(sys.stdin, "buffer", nothing), getattr(sys.stdout, "buffer", nothing))
