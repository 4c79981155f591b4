"""The command line: one sub-command per front-end, which imports what it needs when it runs.

An error is one line on stderr, `banqi: ...`, with exit status 2. Ctrl-C ends with status 130.
"""

import io
import json
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

import rich_click as click
from click.exceptions import Exit
from click.shell_completion import get_completion_class, shell_complete

from banqi.cli_serve import serve
from banqi.errors import BanqiError, RecordError, TablebaseError, whole_number
from banqi.position import Counting, Position
from banqi.rules import OPTIONS, RULE_SETS, Rules
from banqi.version import __version__

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rich.progress import Progress

    from banqi.arena import Journal, Match, Sprt, Tally
    from banqi.engine import Info, Limit, Score
    from banqi.outcome import Outcome
    from banqi.record import Record, Verification
    from banqi.tablebase.format import Header

_COMPLETION_REQUEST = "_BANQI_COMPLETE"
_ERROR = 2
_INTERRUPTED = 130
# What a shell reports for a program that ends because its reader is gone.
_NO_READER = 141
_T = TypeVar("_T")


class _Nowhere(io.TextIOBase):
    """A text stream that forgets what is written to it."""

    def write(self, text: str) -> int:
        return len(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status. `arguments` are those of the process by default."""
    if sys.stdout is None or sys.stderr is None:
        # Started with one of them closed: what is written goes nowhere.
        sys.stdout, sys.stderr = sys.stdout or _Nowhere(), sys.stderr or _Nowhere()
    try:
        if request := os.environ.get(_COMPLETION_REQUEST):
            return shell_complete(cli, {}, "banqi", _COMPLETION_REQUEST, request)
        with cli.make_context("banqi", list(sys.argv[1:] if arguments is None else arguments)) as context:
            cli.invoke(context)
        sys.stdout.flush()
    except Exit as exit_request:
        return exit_request.exit_code
    except click.ClickException as error:
        return _complain(error.format_message(), _ERROR)
    except BanqiError as error:
        return _complain(str(error), _ERROR)
    except MemoryError:
        return _complain("there is not enough memory", _ERROR)
    except (KeyboardInterrupt, click.Abort):
        return _complain("interrupted", _INTERRUPTED)
    except OSError as error:
        # Nobody reads on, or the disk is full. At its exit Python must not try to write the rest once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _NO_READER if isinstance(error, BrokenPipeError) else _complain(str(error), _ERROR)
    return 0


def _complain(message: str, status: int) -> int:
    line = " ".join(message.split())
    print(f"banqi: {''.join(c if c.isprintable() else ascii(c)[1:-1] for c in line)}", file=sys.stderr)
    return status


def _whole(value: object) -> int:
    """Read a whole number in plain digits. Whoever uses it judges its size."""
    if not re.fullmatch("-?[0-9]{1,1000}", str(value)):
        raise click.BadParameter(f"{value!r} is not a whole number")
    return int(str(value))


def _seconds(value: object) -> float:
    """Read a number of seconds. Whoever uses it judges its size."""
    if not re.fullmatch(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|nan|-?inf", str(value)):
        raise click.BadParameter(f"{value!r} is not a number of seconds")
    return float(str(value))


def _nelo(value: object) -> float:
    """Read a number. Whoever uses it judges its size."""
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)", str(value)):
        raise click.BadParameter(f"{value!r} is not a number")
    return float(str(value))


_rules_option = click.option("--rules", default="taiwan", show_default=True, metavar="RULES", help="The rule set.")
_fen_option = click.option("--fen", metavar="FEN", help="The position; the start if left out.")


_tables_option = click.option(
    "--tablebase", "tables", metavar="DIR", help="Folder of endgame tables; else those that come with the package."
)
_evaluation_option = click.option(
    "--evaluation",
    default="learned",
    show_default=True,
    metavar="E",
    help="What positions are worth: learned, handwritten or a file of weights.",
)


@click.group(invoke_without_command=True)
@click.version_option(__version__, prog_name="banqi", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Banqi, Chinese dark chess: the best move, perft, the rule sets."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


cli.add_command(serve)


# ---- bestmove --------------------------------------------------------------------------------------------------


@cli.command()
@_rules_option
@_fen_option
@click.option("--time", "seconds", type=_seconds, metavar="S", help="Think for S seconds (1 if no limit is given).")
@click.option("--nodes", type=_whole, metavar="N", help="Think for N nodes.")
@click.option("--depth", type=_whole, metavar="D", help="Think D actions deep.")
@click.option("--multipv", type=_whole, default=1, show_default=True, metavar="K", help="Show the K best moves.")
@click.option("--threads", type=_whole, default=1, show_default=True, metavar="N", help="Search with N threads.")
@click.option("--hash", "hash_mb", type=_whole, default=64, show_default=True, metavar="MB", help="Size of the table.")
@_tables_option
@_evaluation_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def bestmove(
    rules: str,
    fen: str | None,
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
    multipv: int,
    threads: int,
    hash_mb: int,
    tables: str | None,
    evaluation: str,
    as_json: bool,
) -> None:
    """Find the best move of a position and its expected result, from 1 (sure win) to -1, for the side to move.

    Where a line turns a piece up, it goes on with the likeliest result; its chance stands beside it.

    The JSON object has "rules", "fen", "outcome" (null, or the end of a finished game: "winner" is "r", "b" or null,
    "termination" a word), "move" and "wire" (the move as people and as programs write it, null after the end) and
    "lines", best first. A line has "move", "wire", "value", "proven", "plies" (to a proven result, else null), "depth",
    "seldepth", "nodes", "nps", "time" in seconds, "hashfull" in thousandths, "pv" (a list of texts) and "reveals" (for
    a flip or an attempt a list of "identity", "weight", "chance", "value", "proven", "plies", else empty).
    """
    from banqi.engine import SHIPPED_TABLES, Engine, Limit

    if sum(limit is not None for limit in (seconds, nodes, depth)) > 1:
        raise click.UsageError("only one of --time, --nodes and --depth can be given")
    position = _position(fen, rules)
    limit = Limit(time=1.0 if nodes is depth is seconds is None else seconds, nodes=nodes, depth=depth)
    with Engine(
        threads=threads, hash_mb=hash_mb, tablebase=SHIPPED_TABLES if tables is None else tables, evaluation=evaluation
    ) as engine:
        infos = []
        outcome = position.outcome()
        if outcome is None:
            with _thinking(limit):
                infos = engine.analyse(position, limit, multipv=multipv)
    if as_json:
        click.echo(json.dumps(_best_move_object(position, outcome, infos)))
    elif outcome is not None:
        click.echo(f"the game is over: {outcome}")
    else:
        for info in infos:
            _print_line(info, position.rules)


def _position(fen: str | None, rules: str) -> Position:
    return Position(rules) if fen is None else Position.from_fen(fen, rules=rules)


def _best_move_object(position: Position, outcome: "Outcome | None", infos: "Sequence[Info]") -> dict[str, Any]:
    return {
        "rules": str(position.rules),
        "fen": position.fen(),
        "outcome": None if outcome is None else {"winner": outcome.winner, "termination": outcome.termination},
        "move": str(infos[0].move) if infos else None,
        "wire": infos[0].move.wire() if infos else None,
        "lines": [
            {
                "move": str(info.move),
                "wire": info.move.wire(),
                **_score_object(info.score),
                "depth": info.depth,
                "seldepth": info.seldepth,
                "nodes": info.nodes,
                "nps": info.nps,
                "time": info.time,
                "hashfull": info.hashfull,
                "pv": [str(item) for item in info.pv],
                "reveals": [
                    {"identity": identity, "weight": weight, "chance": chance, **_score_object(score)}
                    for identity, weight, chance, score in info.reveals
                ],
            }
            for info in infos
        ],
    }


def _score_object(score: "Score") -> dict[str, Any]:
    return {"value": score.value, "proven": score.proven, "plies": score.plies}


def _print_line(info: "Info", rules: Rules) -> None:
    """Show a move to people, and for a flip what each reveal means."""
    click.echo(f"{info.rank}. {info.move}  expected result {info.score}")
    click.echo(
        f"   depth {info.depth} (to {info.seldepth}), {info.nodes:,} nodes in {info.time:.2f} s, "
        f"{info.nps:,} nodes a second, table {info.hashfull / 10:.1f} % full"
    )
    click.echo(f"   line  {' '.join(map(str, info.pv))}")
    if info.reveals:
        from rich.box import SIMPLE
        from rich.console import Console
        from rich.table import Table

        from banqi.piece import Piece

        table = Table(box=SIMPLE)
        table.add_column("turned up")
        table.add_column("chance", justify="right")
        table.add_column("expected result", justify="right")
        for identity, _, chance, score in info.reveals:
            table.add_row(f"{identity} {Piece(identity, rules.game).name}", f"{chance:.1%}", str(score))
        Console().print(table)


@contextmanager
def _thinking(limit: "Limit") -> Iterator[None]:
    """Show a bar on a terminal while the engine thinks: of the time, or, for other limits, one that only moves."""
    from rich.progress import BarColumn, Task, TextColumn, TimeElapsedColumn
    from rich.progress_bar import ProgressBar

    class Thinking(BarColumn):
        """The part of the time that is over."""

        def render(self, task: Task) -> ProgressBar:
            """Draw the bar from the clock, since nobody reports progress."""
            task.completed = task.elapsed or 0.0
            return super().render(task)

    with _progress(TextColumn("thinking"), Thinking(), TimeElapsedColumn()) as progress:
        progress.add_task("thinking", total=limit.time)
        yield


def _progress(*columns: Any, hidden: bool = False) -> "Progress":
    """A bar on stderr that is there only on a terminal and leaves nothing behind. What is printed goes its own way."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        disable=hidden or not sys.stderr.isatty(),
    )


# ---- perft -----------------------------------------------------------------------------------------------------


@cli.command()
@_rules_option
@_fen_option
@click.option("--divide", is_flag=True, help="Print the count after each move, flips with their reveals.")
@click.option("--full", is_flag=True, help="Make every leaf instead of adding up the last level.")
@click.argument("depth", type=_whole)
def perft(rules: str, fen: str | None, depth: int, divide: bool, full: bool) -> None:
    """Count the leaves after DEPTH actions; a flip counts once for every different piece it can turn up."""
    position = _position(fen, rules)
    counting = Counting.FULL if full else Counting.BULK
    started = time.perf_counter()
    if divide or (depth > 0 and sys.stderr.isatty()):
        moves = sum(len(position.outcomes(move)) for move in position.legal_moves)
        nodes = 0
        counts = position.iter_divide(depth, counting=counting)
        for move, count in _tracked(counts, moves, "counting", hidden=divide and sys.stdout.isatty()):
            nodes += count
            if divide:
                click.echo(f"{move} {count}")
    else:
        nodes = position.perft(depth, counting=counting)
    click.echo(f"{time.perf_counter() - started:.3f} s")
    click.echo(f"nodes {nodes}")


def _tracked(items: Iterator[_T], total: int, text: str, *, hidden: bool) -> Iterator[_T]:
    """The same items, with a bar on a terminal. It is better hidden where lines are printed on the same terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    with _progress(
        TextColumn(text),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        hidden=hidden,
    ) as progress:
        yield from progress.track(items, total=total)


# ---- bench -----------------------------------------------------------------------------------------------------


@cli.command()
def bench() -> None:
    """Search the bench positions; the sum of the nodes is the signature of this version's behaviour."""
    from collections import Counter

    from banqi.bench import POSITIONS, run

    nodes: Counter[str] = Counter()
    for row in _tracked(run(), len(POSITIONS), "searching", hidden=sys.stdout.isatty()):
        nodes[row.rules] += row.nodes
        click.echo(f"{row.name}: depth {row.depth}, {row.nodes:,} nodes, {row.seconds:.2f} s")
    click.echo()
    for rules, count in nodes.items():
        click.echo(f"{rules}: {count:,} nodes")
    click.echo(f"Bench: {nodes.total()}")


# ---- rules -----------------------------------------------------------------------------------------------------


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def rules(as_json: bool) -> None:
    """List the rule sets with their tables of captures on neighbouring squares, and the options.

    The JSON object has "rules", a list. A rule set has "name", "ranking", "cannon" ("jump" or "step"),
    "cannon_adjacent", "dark_capture", "chain" ("none", "any" or "cannon"), "screens" ("any" or "faceup"), "repetition"
    (a number, "cycle" or null), "quiet_limit", "perpetual" ("draw" or "loses"), "game" ("banqi" or "junqi"), "board"
    ("files", "ranks"), "set" (how many of each kind a side has), "captures" (for each kind the kinds that it takes, as
    one text) and "losses" (the kinds that it is lost on when it attacks them).
    """
    rule_sets = [(rule_set.name, Rules.parse(rule_set.name)) for rule_set in RULE_SETS]
    if as_json:
        click.echo(json.dumps({"rules": [_rules_object(name, meaning) for name, meaning in rule_sets]}))
        return
    for name, meaning in rule_sets:
        _print_rules(name, meaning)
    options = ", ".join(
        option.name
        if option.is_flag
        else f"{option.name}={'|'.join([*option.words, *(['N'] if option.smallest is not None else [])])}"
        for option in OPTIONS
    )
    click.echo(f"Options, written name(option, option=value): {options}")


def _rules_object(name: str, rules: Rules) -> dict[str, Any]:
    return {
        "name": name,
        "ranking": rules.ranking,
        "cannon": "jump" if rules.cannon_jumps else "step",
        "cannon_adjacent": rules.cannon_adjacent,
        "dark_capture": rules.dark_capture,
        "chain": rules.chain,
        "screens": rules.screens,
        "repetition": rules.repetition,
        "quiet_limit": rules.quiet_limit,
        "perpetual": rules.perpetual,
        "game": rules.game,
        "board": {"files": rules.geometry.files, "ranks": rules.geometry.ranks},
        "set": dict(rules.set_counts),
        "captures": {kind: _in_order(targets, rules) for kind, targets in rules.captures.items()},
        "losses": {kind: _in_order(targets, rules) for kind, targets in rules.losses.items()},
    }


def _in_order(kinds: Iterable[str], rules: Rules) -> str:
    return "".join(sorted(kinds, key=rules.pieces.letters.index))


def _print_rules(name: str, rules: Rules) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    kinds = rules.pieces.letters
    table = Table("takes", *kinds, box=SIMPLE, show_edge=False, padding=(0, 1, 0, 0))
    marks = {(True, True): "x", (True, False): "=", (False, False): "-", (False, True): "."}
    for attacker in kinds:
        results = [marks[rules.takes(attacker, target), rules.survives(attacker, target)] for target in kinds]
        table.add_row(attacker, *results)
    if rules.game == "junqi":
        click.echo(f"{name}: {rules.geometry}; x takes and stays, = both go, - the attacker goes,")
    else:
        screen = "face-up piece" if rules.screens == "faceup" else "piece"
        cannon = f"jump over one {screen}" if rules.cannon_jumps else "step and capture like the others"
        click.echo(f"{name}: {rules.geometry}, ranking {rules.ranking}, cannons {cannon},")
    if rules.dark_capture:
        click.echo("face-down pieces may be attempted,")
    if rules.chain != "none":
        click.echo(f"{'cannons' if rules.chain == 'cannon' else 'all pieces'} may capture on after a capture,")
    click.echo(f"draw by repetition {rules.repetition or 'none'}, after {rules.quiet_limit} quiet plies")
    Console().print(table)
    click.echo()


# ---- completion ------------------------------------------------------------------------------------------------


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="SHELL")
def completion(shell: str) -> None:
    """Print the script that completes this command in SHELL (bash, zsh or fish): eval "$(banqi completion bash)"."""
    completer = get_completion_class(shell)
    if completer is None:
        raise click.UsageError(f"there is no completion for {shell}")
    click.echo(completer(cli, {}, "banqi", _COMPLETION_REQUEST).source())


# ---- tcga ------------------------------------------------------------------------------------------------------


@cli.command()
@_rules_option
@click.option("--time", "seconds", type=_seconds, metavar="S", help="Without a clock, think for S seconds (1).")
@click.option("--nodes", type=_whole, metavar="N", help="Think for N nodes at most, with or without a clock.")
@click.option("--threads", type=_whole, default=1, show_default=True, metavar="N", help="Search with N threads.")
@click.option("--hash", "hash_mb", type=_whole, default=64, show_default=True, metavar="MB", help="Size of the table.")
@_tables_option
@_evaluation_option
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


# ---- arena -----------------------------------------------------------------------------------------------------


@cli.command()
@click.argument("one", metavar="PLAYER")
@click.argument("other", metavar="OPPONENT")
@_rules_option
@click.option(
    "--games", type=_whole, metavar="N", help="Play N games, an even number (400; with --sprt at most 100,000)."
)
@click.option("--seed", type=_whole, default=0, show_default=True, metavar="S", help="The seed of deals and lots.")
@click.option(
    "--sprt",
    type=(_nelo, _nelo),
    metavar="ELO0 ELO1",
    help="Stop when it is settled whether PLAYER is ELO1 or only ELO0 stronger, in normalised Elo.",
)
@click.option("--alpha", type=_seconds, default=0.05, show_default=True, metavar="P", help="How often ELO0 may pass.")
@click.option("--beta", type=_seconds, default=0.05, show_default=True, metavar="P", help="How often ELO1 may fail.")
@click.option("--margin", type=_seconds, default=0.02, show_default=True, metavar="S", help="Seconds to be late.")
@click.option(
    "--patience", type=_seconds, default=60.0, show_default=True, metavar="S", help="Seconds after which one hangs."
)
@click.option("--record", metavar="FILE", help="Keep every game in FILE; go on from it if it is there.")
@click.option(
    "--jobs",
    type=_whole,
    metavar="N",
    help="Games to play at once; what the processors allow if left out, 32 with --dask.",
)
@click.option("--dask", metavar="ADDRESS", help="Play on the cluster with this dask scheduler.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def arena(
    one: str,
    other: str,
    rules: str,
    games: int | None,
    seed: int,
    sprt: tuple[float, float] | None,
    alpha: float,
    beta: float,
    margin: float,
    patience: float,
    record: str | None,
    jobs: int | None,
    dask: str | None,
    as_json: bool,
) -> None:
    """Play a match between PLAYER and OPPONENT, and say how much stronger PLAYER is.

    Each hidden layout is played twice, with the seats swapped; the pairs of games are what the figures are computed
    from. After +- stands half of a 95 % interval.

    A player is "random", "greedy" (one ply deep, material only) or "engine(...)" with nodes=N, depth=D, time=S (for a
    move; 5ms is S too) or clock=S+INC (for a game) and any of threads=N, hash=MB (16), tablebase=on|off|DIR,
    evaluation=learned|handwritten|FILE, level=easy|medium|hard; other options go to banqi.Engine by their names there.
    "build(REVISION, ...)" is the engine of a git revision with the same options; it is built once, into the user's
    cache; "build(., ...)" is this one in a process of its own, where it may crash and go on. "program(COMMAND,
    clock=S)" is a program that speaks the tournament protocol; it may have time=S, too.

    FILE holds one game a line, as `banqi convert` and `banqi verify` read them. If it holds games of this match, the
    match goes on from there; a file of another match, or one that another process plays into, is refused.

    An illegal move, a move later than --margin allows, an engine that fails and one that hangs lose the game.

    The JSON object has "rules", "seed", "games", "wins", "draws", "losses", "pairs" (with 0, 1/2, 1, 3/2 and 2 points
    for PLAYER), "score", "score_error", "elo", "elo_error", "nelo" (normalised Elo), "nelo_error", "los" (likelihood
    of superiority), all null where nothing is known, "sprt" (null, or "nelo0", "nelo1", "alpha", "beta", "llr",
    "lower", "upper", "passed": null while it is open), "first_seat_score", "terminations" (how often games ended
    how), "plies" (in the mean), "longest", "players" (two objects with "player", "decisions", "nodes", "seconds" and
    "faults"), "failures" (what was seen of the first of them) and "seconds".
    """
    from contextlib import nullcontext, suppress

    from banqi.arena import ArenaError, Journal, Match, PlayerSpec, Sprt, Tally
    from banqi.arena.report import game_lines, match_object, players_table, result_lines
    from banqi.executors import dask_pool, process_pool

    match = Match((PlayerSpec.parse(one), PlayerSpec.parse(other)), Rules.of(rules), seed, margin, patience)
    test = None if sprt is None else Sprt(*sprt, alpha, beta)
    games = whole_number((400 if test is None else 100_000) if games is None else games, "games", 2, 20_000_000)
    if games % 2:
        raise ArenaError(f"games are played in pairs: an even number, not {games}")
    # A build may take minutes.
    for spec in _tracked(iter(match.players), 2, "getting the players ready", hidden=False):
        spec.check(match.rules)
    free = (os.cpu_count() or 1 if dask is None else _CLUSTER_JOBS) // match.threads
    jobs = max(1, free) if jobs is None else whole_number(jobs, "jobs", 1, 1024)
    tally = Tally()
    # Without scipy it ends before anything is played.
    tally.rating()
    started = time.monotonic()
    try:
        with (
            nullcontext() if record is None else Journal(record, match) as journal,
            suppress(_Decided),
            process_pool(jobs) if dask is None else dask_pool(dask) as executor,
        ):
            _play_match(match, executor, games // 2, jobs, test, tally, journal)
    finally:
        # What was played before something went wrong is told, too.
        seconds = time.monotonic() - started
        if tally.games and as_json:
            click.echo(json.dumps(match_object(match, tally, test, seconds)))
        elif tally.games:
            from rich.console import Console

            _print_text(f"{match.players[0]} against {match.players[1]}, {match.rules}, seed {match.seed}")
            for line in (*result_lines(tally, test), *game_lines(tally)):
                click.echo(line)
            Console(width=None if sys.stdout.isatty() else 200).print(players_table(match, tally))
            for words in tally.words:
                _print_text(words)


_CLUSTER_JOBS: Final = 32
"""How many places for games a cluster is taken to have."""


class _Decided(Exception):
    """A match that goes on no more: games under way are of no use."""


def _play_match(
    match: "Match",
    executor: "Executor",
    pairs: int,
    jobs: int,
    test: "Sprt | None",
    tally: "Tally",
    journal: "Journal | None",
) -> None:
    """Play until all pairs are played or the test is decided; count them in `tally`, and show a bar meanwhile."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from banqi.arena import run

    with _progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    ) as progress:
        task = progress.add_task("playing", total=pairs)
        for pair in run(match, executor, pairs, at_once=jobs, journal=journal):
            tally.add(pair)
            if not progress.disable:
                llr = "" if test is None else f", LLR {test.llr(tally.pairs):+.2f}"
                progress.update(task, advance=1, description=f"Elo {tally.rating().elo:+.0f}{llr}")
            if test is not None and test.decision(tally.pairs) is not None:
                raise _Decided


# ---- selfplay --------------------------------------------------------------------------------------------------


@cli.command()
@_rules_option
@click.option("--games", type=_whole, required=True, metavar="N", help="Play the games 0 to N - 1.")
@click.option("--nodes", type=_whole, required=True, metavar="N", help="Search N nodes for each move.")
@click.option("--seed", type=_whole, default=0, show_default=True, metavar="S", help="The seed of deals and lots.")
@click.option("--dir", "path", required=True, metavar="DIR", help="The folder to put the games in.")
@click.option("--lots", type=_seconds, default=0.04, show_default=True, metavar="P", help="Share of moves by lot.")
@_evaluation_option
@click.option("--jobs", type=_whole, metavar="N", help="Batches to play at once; as many as processors if left out.")
@click.option("--dask", metavar="ADDRESS", help="Play on the cluster with this dask scheduler.")
def selfplay(
    rules: str,
    games: int,
    nodes: int,
    seed: int,
    path: str,
    lots: float,
    evaluation: str,
    jobs: int | None,
    dask: str | None,
) -> None:
    """Let the engine play against itself, and keep the positions that the evaluation learns from.

    Each game depends on the seed and its number alone. DIR gets a file for every hundred games, as soon as they are
    played; the command can be interrupted, and goes on from what is there when it is begun again, also with more games.
    A folder with games of other settings is refused.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from banqi.arena.selfplay import MOST_GAMES, Folder, SelfPlay, run
    from banqi.executors import dask_pool, process_pool

    games = whole_number(games, "games", 1, MOST_GAMES)
    free = os.cpu_count() or 1 if dask is None else _CLUSTER_JOBS
    jobs = free if jobs is None else whole_number(jobs, "jobs", 1, 1024)
    settings = SelfPlay(Rules.of(rules), nodes, seed, lots, evaluation)
    folder = Folder(path, settings)
    played = positions = 0
    with (
        process_pool(jobs) if dask is None else dask_pool(dask) as executor,
        _progress(
            TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
        ) as progress,
    ):
        task = progress.add_task("playing", total=sum(map(len, folder.missing(games))))
        for batch in run(settings, executor, folder, games, at_once=jobs):
            played += len(batch.numbers)
            positions += len(batch.shard.side)
            progress.update(task, completed=played)
    click.echo(f"{played:,} games played, {positions:,} positions; {path} has all of {games:,} games")


# ---- tablebase ------------------------------------------------------------------------------------------------


@cli.group()
def tablebase() -> None:
    """Endgame tables: build them, ask them, show what is in them."""


def _named_folder(context: click.Context, option: click.Parameter, folder: str | None) -> str | None:
    if folder == "":
        raise TablebaseError("--dir is empty: it is the name of a folder")
    return folder


_folder_option = click.option(
    "--dir",
    "folder",
    callback=_named_folder,
    metavar="DIR",
    help="The folder of the tables; those that come with the package if left out.",
)


@tablebase.command("build")
@_rules_option
@click.option("--pieces", type=_whole, required=True, metavar="N", help="All endings of 2 to N pieces.")
@click.option("--hidden", type=_whole, default=0, show_default=True, metavar="K", help="Up to K of them face down.")
@click.option(
    "--dir", "folder", required=True, callback=_named_folder, metavar="DIR", help="The folder to put the tables in."
)
@click.option("--jobs", type=_whole, metavar="N", help="Classes to build at once; as many as processors if left out.")
@click.option("--dask", metavar="ADDRESS", help="Build on the cluster with this dask scheduler; all see DIR.")
def build_tables(rules: str, pieces: int, hidden: int, folder: str, jobs: int | None, dask: str | None) -> None:
    """Build endgame tables, class by class; what is there already is left as it is.

    A file appears under its name when it is whole, so the command can be interrupted and begun again.
    """
    from pathlib import Path

    from banqi.executors import dask_pool, process_pool
    from banqi.memory import check_memory
    from banqi.tablebase.build import build_all, is_built, memory_of, plan

    jobs = jobs if jobs is None else whole_number(jobs, "jobs", 1, 1024)
    root = Path(folder)
    tasks = plan(Rules.of(rules), pieces, hidden)
    left = [task for task in tasks if not is_built(root, task)]
    # A scheduler deals out by itself all that it is given.
    at_once = jobs or (os.cpu_count() or 1 if dask is None else max(len(left), 1))
    here = dask is None
    positions = sum(task.entries for task in left)
    memory = max(map(memory_of, left), default=0)
    click.echo(
        f"{len(left)} of {len(tasks)} classes to build: {positions:,} positions, "
        f"{at_once if here else jobs or 'any number'} at once in up to "
        f"{memory * (at_once if here else 1) / 2**20:,.0f} MB of memory{'' if here else ' each'}, "
        f"up to {2 * positions / 2**20:,.0f} MB on disk and usually a third of that"
    )
    if here:
        check_memory(at_once * memory, f"building with --jobs {at_once}")
    with process_pool(at_once) if dask is None else dask_pool(dask) as executor:
        built = build_all(left, root, executor, at_once=at_once)
        for task, header in _tracked(built, len(left), "building", hidden=sys.stdout.isatty() and not left):
            if not sys.stderr.isatty():
                click.echo(f"{task.rules}/{task.entry.name}: {header.size:,} bytes")


@tablebase.command("probe")
@_rules_option
@click.option("--fen", required=True, metavar="FEN", help="The position.")
@_folder_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def probe_tables(rules: str, fen: str, folder: str | None, as_json: bool) -> None:
    """Say what the tables know of a position: its value for the side to move, how far the end is, the best moves.

    The quiet counter and the quiet limit play no part. The exit status is 1 if no table has the position.

    The JSON object has "rules", "fen", "known" and, else null, "value" (a text, "1/2" say), "dtm" (plies to the end),
    "dtc" (plies to the next capture, attempt or flip) and "moves" (a list of texts).
    """
    from banqi.tablebase import Tablebase

    position = _position(fen, rules)
    with Tablebase(folder) as tables:
        result = tables.probe(position)
    if as_json:
        answer = {
            "rules": str(position.rules),
            "fen": position.fen(),
            "known": result is not None,
            "value": str(result.value) if result else None,
            "dtm": result.dtm if result else None,
            "dtc": result.dtc if result else None,
            "moves": [str(move) for move in result.moves] if result else None,
        }
        click.echo(json.dumps(answer))
    elif result is not None:
        words = {1: "win", 0: "draw", -1: "loss"}
        value = words[int(result.value)] if result.value.denominator == 1 else f"expected result {result.value}"
        click.echo(value if result.dtm is None else f"{value} in {result.dtm}")
        if result.dtc is not None:
            click.echo(f"next capture, attempt or flip in {result.dtc}")
        if result.moves:
            click.echo(f"best {' '.join(map(str, result.moves))}")
    else:
        click.echo("no table has this position")
    if result is None:
        raise Exit(1)


@tablebase.command("stats")
@_rules_option
@_folder_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def table_stats(rules: str, folder: str | None, as_json: bool) -> None:
    """Show each class of the tables: its positions, their results for the side to move, and the longest win.

    Positions that the board's symmetries make equal count once, nearly (FORMAT.md). "dtc" is the most plies to
    the next capture of a win or a loss, "limit" the least quiet limit under which all results hold.

    The JSON object has "rules" and "classes", a list of objects with "rules", "class", "pieces", "hidden", "positions",
    "values" (how many positions have each result, by the result as a text), "longest_win", "longest_exit" (null or
    objects with "plies" and "fen"), "quiet_limit" and "bytes".
    """
    from banqi.tablebase import Tablebase

    with Tablebase(folder) as tables:
        classes = [_class_object(header) for _, header in tables.headers(rules)]
    if as_json:
        click.echo(json.dumps({"rules": str(Rules.of(rules)), "classes": classes}))
        return
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    table = Table("class", "positions", "results", "longest win", "dtc", "limit", "position", box=SIMPLE)
    for row in classes:
        results = ", ".join(f"{value}: {count:,}" for value, count in row["values"].items())
        longest, leaving = row["longest_win"], row["longest_exit"]
        table.add_row(
            row["class"],
            f"{row['positions']:,}",
            results,
            str(longest["plies"]) if longest else "-",
            str(leaving["plies"]) if leaving else "-",
            str(row["quiet_limit"]),
            (longest or leaving or {"fen": "-"})["fen"],
        )
    Console(width=None if sys.stdout.isatty() else 200).print(table)


@tablebase.command("verify")
@click.option("--rules", metavar="RULES", help="Only the tables of this rule set.")
@_folder_option
@click.option(
    "--positions",
    type=_whole,
    default=1_000_000,
    show_default=True,
    metavar="N",
    help="Check N positions of each table, all if it has no more.",
)
@click.option("--seed", type=_whole, default=0, show_default=True, metavar="S", help="The seed of the random sample.")
@click.option("--solve", is_flag=True, help="Solve all endings of 2 and 3 pieces by forward play, too, and compare.")
@click.option("--jobs", type=_whole, metavar="N", help="Tables to check at once; as many as processors if left out.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def verify_tables(
    rules: str | None, folder: str | None, positions: int, seed: int, solve: bool, jobs: int | None, as_json: bool
) -> None:
    """Check endgame tables by a program that shares nothing with the one that built them.

    All checksums and counts are checked, and that each value is the one that all moves of its position give. The first
    fault ends it with status 2 and one line: the file, the position, what is wrong.

    The JSON object has "positions" and "seed", "classes", "coverage" and "solved". A class has "rules", "material",
    "pieces", "hidden", "entries", "checked" (how many positions), "denominator", "values" (how many entries have each
    result, in units of 1 / denominator), "longest_win" and "longest_exit" (null, or plies and a position) and
    "reachable_exit". Coverage has "rules", "pieces", "hidden", "materials" (how many there are) and "lacking" (how many
    of them have no table). What is solved has "rules", "pieces", "hidden", "materials" and "positions".
    """
    from dataclasses import asdict, astuple
    from pathlib import Path

    from banqi.engine import SHIPPED_TABLES
    from banqi.executors import process_pool
    from banqi.tablebase.verify import Coverage, Report, Solved, run, solver_tasks, table_tasks

    jobs = whole_number(os.cpu_count() or 1 if jobs is None else jobs, "jobs", 1, 1024)
    root = SHIPPED_TABLES if folder is None else Path(folder)
    meaning = None if rules is None else Rules.of(rules)
    tasks = table_tasks(root, meaning, positions, seed) + (solver_tasks(root, meaning) if solve else [])
    with process_pool(jobs) as executor:
        found = list(_tracked(run(tasks, executor, jobs), len(tasks), "checking", hidden=False))
    reports = [item for item in found if isinstance(item, Report)]
    reports.sort(key=lambda report: (report.rules, report.pieces, report.hidden, report.material))
    coverage = sorted((item for item in found if isinstance(item, Coverage)), key=astuple)
    solved = sorted((item for item in found if isinstance(item, Solved)), key=astuple)
    if as_json:
        lists = {"classes": reports, "coverage": coverage, "solved": solved}
        click.echo(json.dumps({"positions": positions, "seed": seed, **lists}, default=asdict))
        return
    for report in reports:
        name = f"{report.rules}/{report.material}"
        click.echo(f"{name}: right, {report.checked:,} of {report.entries:,} positions checked")
    click.echo(f"{len(reports)} tables are right, {sum(report.checked for report in reports):,} positions checked")
    for item in coverage:
        if item.lacking:
            what = f"{item.rules}, {item.pieces} pieces, {item.hidden} face down"
            click.echo(f"{what}: {item.lacking:,} of {item.materials:,} materials have no table")
    if solve:
        click.echo(f"{sum(item.positions for item in solved):,} positions of 2 and 3 pieces solved, all agree")


def _class_object(header: "Header") -> dict[str, Any]:
    from fractions import Fraction

    unit = header.denominator or 1
    return {
        "rules": header.rules,
        "class": header.material,
        "pieces": sum(header.sizes),
        "hidden": header.hidden,
        "positions": header.entries,
        "values": {str(Fraction(int(value), unit)): count for value, count in header.values.items()},
        **{
            name: None if extreme is None else {"plies": extreme.plies, "fen": header.fen(extreme.index)}
            for name, extreme in (("longest_win", header.longest_win), ("longest_exit", header.longest_exit))
        },
        "quiet_limit": header.reachable_exit,
        "bytes": header.size,
    }


# ---- show, convert, verify -------------------------------------------------------------------------------------

_STANDARD: Final = "-"


def _read_games(name: str) -> "list[Record | RecordError]":
    """The games of a file, or of stdin for -; the broken ones as errors."""
    from banqi.record.files import read_bytes, read_file

    if name == _STANDARD and sys.stdin is None:
        raise RecordError("stdin is closed")
    games = list(read_bytes(sys.stdin.buffer.read()) if name == _STANDARD else read_file(name))
    if not games:
        raise RecordError(f"{_shown_name(name)} holds no game")
    return games


def _shown_name(name: str) -> str:
    return "stdin" if name == _STANDARD else name


def _complain_of(name: str, error: RecordError) -> None:
    """Tell of a broken game as compilers do: file:line:column."""
    place = ":".join(str(part) for part in (_shown_name(name), error.line, error.column) if part is not None)
    key = f"{error.key}: " if error.key and error.column is None else ""
    _complain(
        f"{place}: game {error.game}: {key}{error.fault}" if error.game else f"{place}: {key}{error.fault}", _ERROR
    )


def _print_text(text: str) -> None:
    """Print what may hold any letter, also where the terminal has not all of them."""
    click.echo(text.encode(sys.stdout.encoding or "ascii", "backslashreplace"))


@cli.command()
@click.argument("record")
@click.option("--ply", type=_whole, metavar="N", help="Show the position after N plies; the last one if left out.")
@click.option("--game", "number", type=_whole, metavar="K", help="Show the game K of several.")
def show(record: str, ply: int | None, number: int | None) -> None:
    """Show a game of the file RECORD (text or JSON, - for stdin): what is told about it, and a position.

    A ply is one player's whole turn, all captures of a chain included.
    """
    games = _read_games(record)
    if number is None and len(games) > 1:
        raise RecordError(f"{_shown_name(record)} holds {len(games)} games: choose one with --game")
    game = games[whole_number(1 if number is None else number, "game", 1, len(games)) - 1]
    if isinstance(game, RecordError):
        _complain_of(record, game)
        raise Exit(_ERROR)
    _print_text(_shown_game(game, ply))


def _shown_game(game: "Record", ply: int | None) -> str:
    from banqi.record.text import move_text, written_tags

    position = game.position(ply)
    plies = game.plies()
    ply = len(plies) if ply is None else ply
    lines = [f"{name}: {value}" for name, value in written_tags(game).items()]
    lines += ["", f"after ply {ply} of {len(plies)}"]
    if ply:
        # Numbered as in the text: both seats' plies make one move.
        number = f"{(ply - 1) // 2 + 1}{'.' if ply % 2 else '...'}"
        lines.append(f"last: {number} {' '.join(map(move_text, plies[ply - 1]))}")
    elif game.comment:
        lines.append(game.comment)
    return "\n".join([*lines, "", str(position), "", position.fen()])


@cli.command()
@click.argument("source")
@click.argument("target", default=_STANDARD)
@click.option(
    "--to", "form", type=click.Choice(["text", "json", "jsonl"]), help="The form; else TARGET's suffix says it."
)
@click.option("--skip-broken", is_flag=True, help="Write the games that hold, even if others do not.")
def convert(source: str, target: str, form: str | None, skip_broken: bool) -> None:
    """Write the games of SOURCE to TARGET as text, as a JSON array or as one JSON object a line (jsonl).

    Either may be -, for stdin and stdout. Without --to the suffix of TARGET tells the form: .txt and .pgn are text,
    .json and .jsonl what they say. SOURCE may have any form. If a game is broken, each fault is told on stderr, the
    exit status is 2, and TARGET is left as it is, unless --skip-broken is given and some game holds. TARGET appears
    when it is whole.

    An object has "rules", "fen" (null for the start), "first_colour" ("red", "black", null), "result", "termination"
    (a word or null), "comment", "tags" (an object) and "moves", a list of objects with "move" and, if they are told,
    "comment" and "score".
    """
    from banqi.record.files import Format, format_records, write_file
    from banqi.record.record import Record

    chosen = Format.of_name(target) if form is None else Format(form)
    if chosen is None:
        raise click.UsageError("--to must say which form is written, since the name of the target does not")
    games = _read_games(source)
    broken = [game for game in games if isinstance(game, RecordError)]
    for error in broken:
        _complain_of(source, error)
    records = [game for game in games if isinstance(game, Record)]
    if records and (skip_broken or not broken):
        if target == _STANDARD:
            click.echo(format_records(records, chosen), nl=False)
        else:
            write_file(target, records, chosen)
    if broken:
        raise Exit(_ERROR)


@cli.command()
@click.argument("record")
@click.option(
    "--nonce", "nonces", multiple=True, metavar="TEXT", help="A nonce that a player gave: all, in their order."
)
def verify(record: str, nonces: tuple[str, ...]) -> None:
    """Replay every game of the file RECORD (text or JSON, - for stdin), and check what it shows of the deal.

    If a game has its commitment and its opening, the opening must belong to the commitment, and every reveal of the
    game must be what lay there. The exit status is 0 if everything is true that could be checked, else 2.

    The commitment does not bind the nonces. They are printed: every player compares his own, and the commitment with
    the one that he was shown. Given with --nonce, once for each and in their order, they must be exactly those of
    every game of RECORD; a game that does not show its own is then an error.
    """
    from banqi.record import verify as verify_record

    untrue = False
    for number, game in enumerate(_read_games(record), 1):
        try:
            if isinstance(game, RecordError):
                raise game
            verification = verify_record(game, nonces or None)
            ending = game.result if game.termination is None else f"{game.result} ({game.termination})"
            _print_text(f"game {number}: {len(game.plies())} plies, {ending}: {verification}")
            if verification.reveals is not None:
                _print_text("\n".join(f"  {line}" for line in _deal_lines(game, verification)))
        except RecordError as error:
            untrue = True
            _complain_of(record, error.at(game=error.game or number))
    if untrue:
        raise Exit(_ERROR)


def _deal_lines(game: "Record", verification: "Verification") -> Iterator[str]:
    """What a player compares with what he remembers."""
    yield f"commitment: {game.tags['Commitment']}"
    for number, nonce in enumerate(verification.nonces, 1):
        yield f"nonce {number}: {nonce}"
    if not verification.nonces:
        yield "no nonces: the dealer may have chosen the layout"
    elif not verification.nonces_compared:
        yield "the commitment does not bind the nonces: each player compares his own, to the letter with --nonce"
