"""The page that people play on: the files of `page/`, read once, sent packed, kept by browsers until they change."""

import gzip
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, HeaderParameter

from banqi.server.tables import tables_json

FOLDER: Final = Path(__file__).parent / "page"
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""What is sent; anything else in the folder is for readers of the source."""
# It tells Node, which runs the rules in tests, that the scripts are modules.
_FOR_NODE: Final = "package.json"


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent: packed with gzip, with the tag that changes with it."""

    media_type: str
    packed: bytes
    tag: str


def _file(media_type: str, content: bytes) -> File:
    # Without a time of packing, equal files have equal bytes.
    return File(media_type, gzip.compress(content, mtime=0), f'"{sha256(content).hexdigest()[:32]}"')


FILES: Final = {
    path.relative_to(FOLDER).as_posix(): _file(_TYPES[path.suffix], path.read_bytes())
    for path in sorted(FOLDER.rglob("*"))
    if path.suffix in _TYPES and path.name != _FOR_NODE
} | {"tables.json": _file(_TYPES[".json"], tables_json())}
"""Those of the folder, and the rules' tables, which are made."""

_WORKER: Final = "sw.js"


def _kept() -> dict[str, str]:
    """Return what a browser keeps to open the page without a connection: the tag of each path."""
    pages = {"/": FILES["index.html"].tag}
    return pages | {f"/page/{name}": file.tag for name, file in FILES.items() if name not in ("index.html", _WORKER)}


VERSION: Final = sha256(msgspec.json.encode(_kept())).hexdigest()[:32]
"""It changes with every file."""


def _service_worker() -> File:
    told = msgspec.json.encode({"version": VERSION, "files": _kept()})
    return _file(_TYPES[".js"], b"self.page = " + told + b";\n" + (FOLDER / _WORKER).read_bytes())


SERVICE_WORKER: Final = _service_worker()
"""The script of `page/sw.js`, told which files there are."""


def _answer(file: File | None, if_none_match: str | None) -> Response[Any]:
    if file is None:
        raise NotFoundException(detail="there is no such file")
    headers = {
        "etag": file.tag, "cache-control": "no-cache", "vary": "accept-encoding", "x-page-version": VERSION,
    }  # fmt: skip
    if if_none_match == file.tag:
        return Response(None, status_code=304, headers=headers)
    return Response(file.packed, headers={**headers, "content-encoding": "gzip", "content-type": file.media_type})


_IfNoneMatch = Annotated[str | None, HeaderParameter(name="If-None-Match")]


@get("/", include_in_schema=False, sync_to_thread=False)
def index(if_none_match: _IfNoneMatch = None) -> Response[Any]:
    """The page."""
    return _answer(FILES["index.html"], if_none_match)


@get("/sw.js", include_in_schema=False, sync_to_thread=False)
def service_worker(if_none_match: _IfNoneMatch = None) -> Response[Any]:
    """The script that opens the page without a connection; from here it may do so for the whole server."""
    return _answer(SERVICE_WORKER, if_none_match)


@get("/page/{path:path}", include_in_schema=False, sync_to_thread=False)
def page_file(path: FromPath[Path], if_none_match: _IfNoneMatch = None) -> Response[Any]:
    """A file of the page."""
    return _answer(FILES.get(str(path).lstrip("/")), if_none_match)
