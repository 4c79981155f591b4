"""`banqi serve`: the game server."""

import re

import rich_click as click

from banqi.errors import ServerError


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, metavar="HOST", help="The address to listen on.")
@click.option("--port", type=int, default=8000, show_default=True, metavar="N", help="The port; 0 for any free one.")
@click.option(
    "--database",
    default="sqlite:///banqi-games.db",
    show_default=True,
    metavar="URL",
    help="Where games are kept: sqlite:///FILE, or postgresql://USER@HOST/NAME, which several servers may share.",
)
@click.option(
    "--engines",
    type=int,
    default=1,
    show_default=True,
    metavar="N",
    help="Processes that search for games; as many for requests.",
)
@click.option(
    "--rate", "rates", multiple=True, metavar="GROUP=RATE", help="How often a client may ask, such as engine=60/minute."
)
@click.option("--origin", "origins", multiple=True, metavar="URL", help="Pages of this origin may use the server too.")
@click.option("--proxy", metavar="ADDRESS", help="A proxy in front, whose X-Forwarded-For is believed.")
def serve(
    host: str,
    port: int,
    database: str,
    engines: int,
    rates: tuple[str, ...],
    origins: tuple[str, ...],
    proxy: str | None,
) -> None:
    """Serve games and the engine over HTTP and WebSocket until SIGTERM or Ctrl-C; /schema describes the endpoints.

    People play by link, programs by HTTP or WebSocket, against each other or the computer. The hidden layout of a game
    never leaves the server before its end. What was accepted is stored, and a stop or a crash loses none of it. It
    prints the address that it serves on when it can be reached. It needs more packages: pip install 'banqi[server]'.

    The groups of rates are engine, position, create, join, read, page, request, connect (per client address) and
    message (per connection).
    """
    try:
        from banqi.server import app
    except ImportError as error:
        raise ServerError(f"the server needs the package {error.name}: pip install 'banqi[server]'") from None

    pairs = [re.fullmatch("([a-z]+)=(.+)", rate) for rate in rates]
    if None in pairs:
        raise click.UsageError("a rate is written GROUP=RATE, such as engine=60/minute")
    settings = app.Settings(
        database=database,
        engines=engines,
        rates={pair[1]: pair[2] for pair in pairs if pair},
        origins=origins,
        proxy=proxy,
    )
    listener = app.bound(host, port)
    with listener:
        address, bound_port = listener.getsockname()[:2]
        shown_address = f"[{address}]" if ":" in address else address
        app.serve(listener, settings, lambda: click.echo(f"serving on http://{shown_address}:{bound_port}"))
