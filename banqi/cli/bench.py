"""The signature of this version's behaviour."""

import sys

import rich_click as click

from banqi.cli.terminal import tracked


@click.command()
def bench() -> None:
    """Search the bench positions; the sum of the nodes is the signature of this version's behaviour."""
    from collections import Counter

    from banqi.bench import POSITIONS, run

    nodes: Counter[str] = Counter()
    for row in tracked(run(), len(POSITIONS), "searching", hidden=sys.stdout.isatty()):
        nodes[row.rules] += row.nodes
        click.echo(f"{row.name}: depth {row.depth}, {row.nodes:,} nodes, {row.seconds:.2f} s")
    click.echo()
    for rules, count in nodes.items():
        click.echo(f"{rules}: {count:,} nodes")
    click.echo(f"Bench: {nodes.total()}")
