"""What several commands print: errors, texts of any letters, bars."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, TypeVar

import rich_click as click

if TYPE_CHECKING:
    from rich.progress import Progress

ERROR: Final = 2
"""The exit status after an error."""
_T = TypeVar("_T")


def complain(message: str, status: int) -> int:
    """Tell of an error in one line on stderr, whatever it holds; return the exit status that is handed in."""
    line = " ".join(message.split())
    print(f"banqi: {''.join(c if c.isprintable() else ascii(c)[1:-1] for c in line)}", file=sys.stderr)
    return status


def print_text(text: str) -> None:
    """Print what may hold any letter, also where the terminal has not all of them."""
    click.echo(text.encode(sys.stdout.encoding or "ascii", "backslashreplace"))


def progress_bar(*columns: Any, hidden: bool = False) -> "Progress":
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


def tracked(items: Iterator[_T], total: int, text: str, *, hidden: bool) -> Iterator[_T]:
    """The same items, with a bar on a terminal. It is better hidden where lines are printed on the same terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    with progress_bar(
        TextColumn(text),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        hidden=hidden,
    ) as progress:
        yield from progress.track(items, total=total)
