"""A real browser for tests of the page: Debian's Chromium, driven by Playwright, that may talk to the server alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from served import served
from tools import require_tool

_ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser; without Chromium the test is left out."""
    path = require_tool("chromium")
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path, args=list(_ARGUMENTS))
        try:
            yield made
        finally:
            made.close()


@contextmanager
def opened(where: Browser, address: str, path: str = "/", **options: Any) -> Iterator[Page]:
    """A page in a context of its own, with its storage. options: those of Browser.new_context.

    Whatever the page throws, and any request that leaves the server's origin, fails the test.
    """
    context = where.new_context(base_url=f"http://{address}", **options)
    faults: list[str] = []
    try:
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda told: faults.append(told.text) if told.type == "error" else None)
        home = (f"http://{address}/", f"ws://{address}/", "data:", "blob:")
        page.on("request", lambda asked: None if asked.url.startswith(home) else faults.append(asked.url))
        page.goto(path)
        yield page
        assert faults == [], faults
    finally:
        context.close()


@contextmanager
def page_served(folder: Path, **settings: Any) -> Iterator[str]:
    """A server on a new database in a folder; yields its host and port."""
    with served(f"sqlite:///{folder / 'games.db'}", **settings) as address:
        yield address
