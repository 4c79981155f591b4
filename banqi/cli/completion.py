"""The scripts by which shells complete the command."""

import rich_click as click
from click.shell_completion import get_completion_class

from banqi.cli import COMPLETION_REQUEST, cli


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="SHELL")
def completion(shell: str) -> None:
    """Print the script that completes this command in SHELL (bash, zsh or fish): eval "$(banqi completion bash)"."""
    completer = get_completion_class(shell)
    if completer is None:
        raise click.UsageError(f"there is no completion for {shell}")
    click.echo(completer(cli, {}, "banqi", COMPLETION_REQUEST).source())
