"""The page without a connection, in a browser."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest
from playwright.sync_api import Browser, Page

from banqi import Position
from banqi.server import page as served_page
from banqi.server.tables import tables_json
from browser import browser, opened, page_served

REGISTER = """async () => {
    await navigator.serviceWorker.register("/sw.js");
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) {
        await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
    }
}"""
FLIP = """async () => {
    const { loadTables, LocalGame } = await import("/page/rules/index.js");
    await loadTables();
    const game = new LocalGame();
    await game.act("a1");
    return game.state.moves;
}"""
KEPT = """async () => {
    const kept = {};
    for (const name of await caches.keys()) {
        kept[name] = (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname).sort();
    }
    return kept;
}"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


def check_it_plays(page: Page) -> None:
    assert page.title() == "banqi"
    (move,) = page.evaluate(FLIP)
    assert move[:4] == "a1a1"
    assert Position("taiwan").pool[move[4]] > 0


def test_the_page_opens_offline(chromium: Browser, tmp_path: Path) -> None:
    with page_served(tmp_path) as address, opened(chromium, address) as page:
        page.evaluate(REGISTER)
        page.context.set_offline(True)
        page.reload()
        check_it_plays(page)


def test_the_page_opens_without_a_server(chromium: Browser, tmp_path: Path) -> None:
    with ExitStack() as serving:
        address = serving.enter_context(page_served(tmp_path))
        with opened(chromium, address) as page:
            page.evaluate(REGISTER)
            serving.close()
            with pytest.raises(httpx.ConnectError):
                httpx.get(f"http://{address}/")
            page.goto("/#anything")
            page.reload()
            check_it_plays(page)


def test_nothing_but_files_is_kept(chromium: Browser, tmp_path: Path) -> None:
    with page_served(tmp_path) as address, opened(chromium, address) as page:
        page.evaluate(REGISTER)
        page.evaluate("() => fetch('/api/rules').then((answer) => answer.json())")
        page.reload()
        (kept,) = page.evaluate(KEPT).values()
        names = {"/" if name == "index.html" else f"/page/{name}" for name in served_page.FILES if name != "sw.js"}
        assert set(kept) == names


def test_a_page_has_its_files_from_one_version(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with page_served(tmp_path) as address, opened(chromium, address) as page:
        page.evaluate(REGISTER)
        # The server begins to send another file.
        icon = "/page/icon.svg"
        monkeypatch.setitem(served_page.FILES, "icon.svg", served_page._file("image/svg+xml", b"<svg>new</svg>"))
        monkeypatch.setattr(served_page, "VERSION", "new")
        monkeypatch.setattr(served_page, "SERVICE_WORKER", served_page._service_worker())
        read = "(path) => fetch(path).then((answer) => answer.text())"
        assert page.evaluate(read, icon) != "<svg>new</svg>"
        page.reload()
        assert page.evaluate(read, icon) == "<svg>new</svg>"
        deadline = monotonic() + 20
        while set(page.evaluate(KEPT)) != {"page new"}:
            assert monotonic() < deadline
            sleep(0.05)
        page.context.set_offline(True)
        page.reload()
        assert page.evaluate(read, icon) == "<svg>new</svg>"
        page.context.set_offline(False)


def test_the_script_is_sent_for_the_whole_server(tmp_path: Path) -> None:
    with page_served(tmp_path) as address, httpx.Client(base_url=f"http://{address}") as client:
        script = client.get("/sw.js")
        assert script.status_code == 200
        assert script.headers["content-type"] == "text/javascript; charset=utf-8"
        assert script.headers["cache-control"] == "no-cache"
        assert client.get("/sw.js", headers={"if-none-match": script.headers["etag"]}).status_code == 304
        assert client.get("/").headers["x-page-version"] in script.text


def test_tables_are_sent_as_a_file(tmp_path: Path) -> None:
    with page_served(tmp_path) as address, httpx.Client(base_url=f"http://{address}") as client:
        answer = client.get("/page/tables.json")
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.content == tables_json()
        assert client.get("/page/tables.json", headers={"if-none-match": answer.headers["etag"]}).status_code == 304
