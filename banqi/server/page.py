"""The page that people play on: the files of `page/`, read once, sent packed, kept by browsers until they change."""

import gzip
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final

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
    if path.suffix in _TYPES
} | {"tables.json": _file(_TYPES[".json"], tables_json())}
"""Those of the folder, and the rules' tables, which are made."""


def _answer(name: str, if_none_match: str | None) -> Response[Any]:
    file = FILES.get(name)
    if file is None:
        raise NotFoundException(detail="there is no such file")
    headers = {"etag": file.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if if_none_match == file.tag:
        return Response(None, status_code=304, headers=headers)
    return Response(file.packed, headers={**headers, "content-encoding": "gzip", "content-type": file.media_type})


_IfNoneMatch = Annotated[str | None, HeaderParameter(name="If-None-Match")]


@get("/", include_in_schema=False, sync_to_thread=False)
def index(if_none_match: _IfNoneMatch = None) -> Response[Any]:
    """The page."""
    return _answer("index.html", if_none_match)


@get("/page/{path:path}", include_in_schema=False, sync_to_thread=False)
def page_file(path: FromPath[Path], if_none_match: _IfNoneMatch = None) -> Response[Any]:
    """A file of the page."""
    return _answer(str(path).lstrip("/"), if_none_match)
