"""The page in a browser."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser

from browser import browser, opened, page_served


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with page_served(tmp_path_factory.mktemp("page")) as host:
        yield host


def test_files_are_packed_and_kept_until_they_change(address: str) -> None:
    with httpx.Client(base_url=f"http://{address}") as client:
        first = client.get("/")
        assert first.status_code == 200
        assert first.headers["content-encoding"] == "gzip"
        assert first.headers["content-type"] == "text/html; charset=utf-8"
        again = client.get("/", headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        for path in ("/page/nothing.js", "/page/../app.py", "/page/%2e%2e/app.py", "/page/", "/page/..%2fapp.py"):
            assert client.get(path).status_code == 404


def test_the_page_opens(chromium: Browser, address: str) -> None:
    with opened(chromium, address) as page:
        assert page.title() == "banqi"
