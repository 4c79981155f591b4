"""The endpoints: positions for programs, games for players, how the server is, and the page that describes them."""

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from html import escape
from typing import Annotated, Any, Final

import msgspec
from litestar import MediaType, Request, Response, WebSocket, get, post, websocket
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import OpenAPIRenderPlugin
from litestar.params import FromPath, HeaderParameter, JSONBody, QueryParameter
from litestar.response import Stream

from banqi.engine import Limit
from banqi.errors import BanqiError
from banqi.position import Position
from banqi.record import write_records
from banqi.server import answers
from banqi.server.connection import Connection
from banqi.server.hub import Forbidden, Hub, Stopping, UnknownGame
from banqi.server.messages import (
    Accepted,
    AnalysisQuery,
    AnyRequest,
    BestMove,
    BestMoveQuery,
    DeepeningQuery,
    Events,
    Health,
    Join,
    Joined,
    Leaves,
    LegalMoves,
    Lines,
    MadeGame,
    NewGame,
    PerftQuery,
    PositionSpec,
    Problem,
    ReviewQuery,
    RuleSets,
    encode,
)
from banqi.server.metrics import CONTENT_TYPE, Metrics
from banqi.server.page import index, page_file, service_worker
from banqi.server.rates import Rates, address_of
from banqi.server.room import Refusal
from banqi.server.store import Unavailable
from banqi.server.work import DEEPENING_NODES, Busy, Work, analyse, count_leaves, review

_BEARER: Final = "bearer"
"""In any case, as schemes are."""
_LOG: Final = logging.getLogger("banqi.server")
_RETRY: Final = {"retry-after": "1"}
_JSON_LINES: Final = "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class Services:
    """What the endpoints use. search_seconds: the longest search for a request."""

    hub: Hub
    work: Work
    rates: Rates
    metrics: Metrics
    search_seconds: float


def _problems(*statuses: int) -> dict[int, ResponseSpec]:
    words = {
        400: "the request makes no sense; the detail says why",
        401: "a token is missing",
        403: "the token or the invitation opens nothing here, or the origin is another's",
        404: "there is no such game",
        409: "it is not possible now; the detail says why",
        413: "the request is too large",
        415: "the request is no JSON",
        429: "too many requests, or too much work waits already",
        503: "the database does not answer, or the server stops; try again",
    }
    return {
        status: ResponseSpec(Problem, description=words[status], generate_examples=False)
        for status in sorted({*statuses, 400, 413, 429, 503})
    }


def _json_lines(name: str) -> ResponseSpec:
    return ResponseSpec(
        str, description=f"{name}, one a line, as they come", media_type=_JSON_LINES, generate_examples=False
    )


# ---- positions -----------------------------------------------------------------------------------------------------


@get("/api/rules", responses=_problems(), sync_to_thread=False)
def rules() -> RuleSets:
    """The named rule sets and their switches."""
    return answers.rule_sets()


@post("/api/legal", status_code=200, responses=_problems(403), sync_to_thread=False)
def legal(data: JSONBody[PositionSpec]) -> LegalMoves:
    """The legal moves of a position."""
    return answers.legal_moves_of(answers.position_of(data))


@post("/api/bestmove", status_code=200, responses=_problems(403))
async def bestmove(data: JSONBody[BestMoveQuery], services: NamedDependency[Services]) -> BestMove:
    """The best move of a position."""
    lines = await _lines(data, 1, services)
    line = lines.lines[0] if lines.lines else None
    return BestMove(fen=lines.fen, outcome=lines.outcome, move=None if line is None else line.move, line=line)


@post("/api/analysis", status_code=200, responses=_problems(403))
async def analysis(data: JSONBody[AnalysisQuery], services: NamedDependency[Services]) -> Lines:
    """The best moves of a position, best first."""
    return await _lines(data, data.lines, services)


async def _lines(query: BestMoveQuery, lines: int, services: Services) -> Lines:
    position = answers.position_of(query)
    end = answers.end_of(position.outcome())
    found = []
    if end is None:
        limit = answers.limit_of(query, services.search_seconds)
        found = await services.work.ask(analyse, position, limit, lines)
    return Lines(fen=position.fen(), outcome=end, lines=found)


@post(
    "/api/deepening", status_code=200, media_type=_JSON_LINES, responses={200: _json_lines("Lines"), **_problems(403)}
)
async def deepening(data: JSONBody[DeepeningQuery], services: NamedDependency[Services]) -> Stream:
    """The best moves of a position as searches find them, each deeper than the one before: Lines, one a line.

    It ends with the time that the server grants, or when everything is proven. Whoever wants no more closes it.
    """
    position = answers.position_of(data)
    if services.work.full:
        raise Busy
    return Stream(_deeper_and_deeper(position, data.lines, services), media_type=_JSON_LINES)


async def _deeper_and_deeper(position: Position, lines: int, services: Services) -> AsyncIterator[bytes]:
    fen, end = position.fen(), answers.end_of(position.outcome())
    if end is not None:
        yield encode(Lines(fen=fen, outcome=end, lines=[])) + b"\n"
        return
    for nodes in DEEPENING_NODES:
        limit = Limit(time=services.search_seconds, nodes=nodes)
        try:
            found = await services.work.ask_patiently(analyse, position, limit, lines)
        except Busy:
            return
        yield encode(Lines(fen=fen, outcome=None, lines=found)) + b"\n"
        if all(line.proven for line in found):
            return


@post(
    "/api/review", status_code=200, media_type=_JSON_LINES, responses={200: _json_lines("Reviewed"), **_problems(403)}
)
async def review_game(data: JSONBody[ReviewQuery], services: NamedDependency[Services]) -> Stream:
    """What short searches find of each action of a game: Reviewed, one a line, in the order of the actions.

    If the stream ends early, the rest may be asked for with `first`.
    """
    position = answers.position_of(data)
    if services.work.full:
        raise Busy
    return Stream(_action_by_action(position, data, services), media_type=_JSON_LINES)


async def _action_by_action(position: Position, query: ReviewQuery, services: Services) -> AsyncIterator[bytes]:
    """position: after the last action."""
    before = position.copy()
    moves = list(before.move_stack)
    for _ in moves[query.first :]:
        before.pop()
    for number, move in enumerate(moves[query.first :], query.first):
        if before.outcome() is not None:
            # It may have gone on after a draw by counting; no search does.
            return
        try:
            found = await services.work.ask_patiently(review, before, number, str(move), query.lines)
        except Busy:
            return
        yield encode(found) + b"\n"
        before.push(move)


@post("/api/perft", status_code=200, responses=_problems(403))
async def perft(data: JSONBody[PerftQuery], services: NamedDependency[Services]) -> Leaves:
    """The number of leaves after so many actions; what would count too much is refused."""
    position = answers.position_of(data)
    return Leaves(depth=data.depth, leaves=await services.work.ask(count_leaves, position, data.depth))


# ---- games ---------------------------------------------------------------------------------------------------------


@post("/api/games", responses=_problems(403))
async def create(data: JSONBody[NewGame], services: NamedDependency[Services]) -> MadeGame:
    """Make a game, and take a seat in it. The opponent comes by the invitation, or is the computer."""
    return await services.hub.create(data)


@post("/api/games/{game:str}/join", status_code=200, responses=_problems(403, 404, 409))
async def join(game: FromPath[str], data: JSONBody[Join], services: NamedDependency[Services]) -> Joined:
    """Take the free seat of a game."""
    return await services.hub.join(game, data)


@get("/api/games/{game:str}", responses=_problems(404))
async def read(
    game: FromPath[str],
    services: NamedDependency[Services],
    after: Annotated[int, QueryParameter(ge=0, le=1_000_000)] = 0,
) -> Events:
    """The events of a game after a number, and how it stands: what everybody may see."""
    return await services.hub.events(game, after)


@post("/api/games/{game:str}/requests", status_code=200, responses=_problems(401, 403, 404, 409))
async def ask(
    game: FromPath[str],
    data: JSONBody[AnyRequest],
    services: NamedDependency[Services],
    authorization: Annotated[str | None, HeaderParameter(name="Authorization")] = None,
) -> Accepted:
    """Do what a seat asks for: a move, an offer, a nonce. The token goes into the header: `Authorization: Bearer T`."""
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != _BEARER:
        raise HTTPException(status_code=401, detail="a seat's token is missing: Authorization: Bearer TOKEN")
    seat = await services.hub.seat_of(game, token)
    return Accepted(key=data.key, number=await services.hub.request(game, seat, data))


@get("/api/games/{game:str}/record", media_type=MediaType.TEXT, responses=_problems(404))
async def record(game: FromPath[str], services: NamedDependency[Services]) -> str:
    """The record of a game so far: with the commitment, and after the end with the opening of the deal."""
    return write_records([await services.hub.record(game)])


@get("/api/games/{game:str}/record.json", responses=_problems(404))
async def record_as_json(game: FromPath[str], services: NamedDependency[Services]) -> dict[str, Any]:
    """The same record as JSON."""
    found: dict[str, Any] = msgspec.json.decode((await services.hub.record(game)).to_json())
    return found


@websocket("/api/games/{game:str}/socket")
async def socket(socket: WebSocket[Any, Any, Any], game: FromPath[str], services: NamedDependency[Services]) -> None:
    """The events of a game as they come, and the requests of who sends a seat's token in his first message."""
    address = address_of(socket.scope["client"])
    connection = Connection(socket, services.hub, game, services.rates, address)
    await connection.run()


# ---- the server ----------------------------------------------------------------------------------------------------


@get("/health", responses={503: ResponseSpec(Health, description="it does not serve", generate_examples=False)})
async def health(services: NamedDependency[Services]) -> Response[Health]:
    """Whether the server serves: 200 if it does."""
    if services.hub.stopping:
        return Response(Health(status="stopping"), status_code=503)
    if not await services.hub.healthy():
        return Response(Health(status="database"), status_code=503)
    return Response(Health(status="ok"))


@get("/metrics", media_type=MediaType.TEXT, sync_to_thread=False)
def metrics(services: NamedDependency[Services]) -> Response[str]:
    """Figures, as Prometheus reads them."""
    return Response(services.metrics.text(), headers={"content-type": CONTENT_TYPE})


HANDLERS: Final = (
    *(rules, legal, bestmove, analysis, deepening, review_game, perft),
    *(create, join, read, ask, record, record_as_json, socket),
    *(health, metrics),
    *(index, page_file, service_worker),
)


# ---- errors --------------------------------------------------------------------------------------------------------


def _answer(status: int, detail: str, headers: dict[str, str] | None = None) -> Response[Problem]:
    return Response(Problem(status=status, detail=detail), status_code=status, headers=headers)


def _http_problem(_: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    detail = error.detail
    if isinstance(error.extra, list):
        told = [f"{item.get('key', 'it')}: {item.get('message', '')}" for item in error.extra if isinstance(item, dict)]
        # Of a body that is not there, only the name of its parameter is told.
        detail = "the request has no body" if told == ["data: 'data'"] else "; ".join(told) or detail
    return _answer(error.status_code, detail, error.headers)


def _fault(_: Request[Any, Any, Any], error: BanqiError) -> Response[Problem]:
    return _answer(400, str(error))


def _refused(_: Request[Any, Any, Any], error: Refusal) -> Response[Problem]:
    return _answer(409, str(error))


def _unknown(_: Request[Any, Any, Any], error: UnknownGame) -> Response[Problem]:
    return _answer(404, "there is no such game")


def _forbidden(_: Request[Any, Any, Any], error: Forbidden) -> Response[Problem]:
    return _answer(403, "this opens no seat of the game")


def _busy(_: Request[Any, Any, Any], error: Busy) -> Response[Problem]:
    return _answer(429, "too much work waits already", _RETRY)


def _unavailable(_: Request[Any, Any, Any], error: Unavailable) -> Response[Problem]:
    return _answer(503, "the database does not answer", _RETRY)


def _stopping(_: Request[Any, Any, Any], error: Stopping) -> Response[Problem]:
    return _answer(503, "the server stops", _RETRY)


def _nested(_: Request[Any, Any, Any], error: RecursionError) -> Response[Problem]:
    return _answer(400, "the request is nested too deeply")


def _failed(_: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    _LOG.error("a request failed", exc_info=error)
    return _answer(500, "the server failed")


EXCEPTION_HANDLERS: Final[dict[int | type[Exception], Any]] = {
    HTTPException: _http_problem,
    BanqiError: _fault,
    Refusal: _refused,
    UnknownGame: _unknown,
    Forbidden: _forbidden,
    Busy: _busy,
    Unavailable: _unavailable,
    Stopping: _stopping,
    RecursionError: _nested,
    Exception: _failed,
}


# ---- the description -----------------------------------------------------------------------------------------------


class PlainPage(OpenAPIRenderPlugin):
    """The endpoints as a page of plain HTML: ready-made ones load scripts from elsewhere."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the page."""
        parts = []
        for path, methods in openapi_schema["paths"].items():
            for method, told in methods.items():
                parts.append(
                    f"<h2>{escape(method.upper())} {escape(path)}</h2><p>{escape(told.get('description', ''))}</p>"
                )
                body = told.get("requestBody", {}).get("content", {})
                parts += [f"<p>Body: {_schema_text(content['schema'])}</p>" for content in body.values()]
                rows = "".join(_answer_row(status, answer) for status, answer in told["responses"].items())
                parts.append(f"<table>{rows}</table>")
        parts.append("<h2>Messages</h2>")
        for name, schema in openapi_schema.get("components", {}).get("schemas", {}).items():
            rows = "".join(
                f"<tr><td>{escape(field)}</td><td>{_schema_text(meaning)}</td></tr>"
                for field, meaning in schema.get("properties", {}).items()
            )
            told = escape(schema.get("description", ""))
            parts.append(f"<h3 id='{escape(name)}'>{escape(name)}</h3><p>{told}</p><table>{rows}</table>")
        title = escape(openapi_schema["info"]["title"])
        page = (
            f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{title}</title></head><body>"
            f"<h1>{title}</h1><p><a href='/schema/openapi.json'>openapi.json</a></p>{''.join(parts)}</body></html>"
        )
        return page.encode()


def _answer_row(status: str, answer: dict[str, Any]) -> str:
    forms = " ".join(_schema_text(content["schema"]) for content in answer.get("content", {}).values())
    return f"<tr><td>{escape(status)}</td><td>{escape(answer.get('description', ''))}</td><td>{forms}</td></tr>"


def _schema_text(schema: dict[str, Any]) -> str:
    """A schema in a few words, as HTML."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f"<a href='#{name}'>{name}</a>"
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return " or ".join(map(_schema_text, schema[word]))
    if schema.get("type") == "array":
        return f"list of {_schema_text(schema.get('items', {}))}"
    if "enum" in schema or "const" in schema:
        return escape(", ".join(map(str, schema.get("enum", [schema.get("const")]))))
    return escape(str(schema.get("type", "anything")))
