"""The command line: one sub-command per front-end, which imports what it needs when it runs.

An error is one line on stderr, `banqi: ...`, with exit status 2. Ctrl-C ends with status 130.
"""

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import rich_click as click
from click.exceptions import Exit
from click.shell_completion import shell_complete

from banqi.cli.terminal import ERROR, complain
from banqi.errors import BanqiError
from banqi.version import __version__

COMPLETION_REQUEST: Final = "_BANQI_COMPLETE"
"""The environment variable by which a shell asks for completions."""
_INTERRUPTED = 130
# What a shell reports for a program that ends because its reader is gone.
_NO_READER = 141
_MODULES: Final = {
    "arena": "arena",
    "bench": "bench",
    "bestmove": "position",
    "completion": "completion",
    "convert": "records",
    "perft": "position",
    "play": "play",
    "rules": "rules",
    "selfplay": "selfplay",
    "serve": "serve",
    "show": "records",
    "tablebase": "tablebase",
    "tcga": "protocols",
    "uci": "protocols",
    "verify": "records",
}
"""In which module of this package a command is."""


class _Nowhere(io.TextIOBase):
    """A text stream that forgets what is written to it."""

    def write(self, text: str) -> int:
        return len(text)


class _Commands(click.RichGroup):
    """Commands that are imported when they are asked for."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(_MODULES)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in _MODULES:
            return None
        command: click.Command = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        return command


@click.group(cls=_Commands, invoke_without_command=True)
@click.version_option(__version__, prog_name="banqi", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Banqi, Chinese dark chess: the best move, perft, the rule sets."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status. `arguments` are those of the process by default."""
    if sys.stdout is None or sys.stderr is None:
        # Started with one of them closed: what is written goes nowhere.
        sys.stdout, sys.stderr = sys.stdout or _Nowhere(), sys.stderr or _Nowhere()
    try:
        if request := os.environ.get(COMPLETION_REQUEST):
            return shell_complete(cli, {}, "banqi", COMPLETION_REQUEST, request)
        with cli.make_context("banqi", list(sys.argv[1:] if arguments is None else arguments)) as context:
            cli.invoke(context)
        sys.stdout.flush()
    except Exit as exit_request:
        return exit_request.exit_code
    except click.ClickException as error:
        return complain(error.format_message(), ERROR)
    except BanqiError as error:
        return complain(str(error), ERROR)
    except MemoryError:
        return complain("there is not enough memory", ERROR)
    except (KeyboardInterrupt, click.Abort):
        return complain("interrupted", _INTERRUPTED)
    except OSError as error:
        # Nobody reads on, or the disk is full. At its exit Python must not try to write the rest once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _NO_READER if isinstance(error, BrokenPipeError) else complain(str(error), ERROR)
    return 0
