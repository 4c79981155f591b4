"""The board and the panels of the page: looks, hands, words, in a browser that shows nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route

from banqi import Position
from browser import DESKTOP, PHONE, browser, opened, page_served

HERE = Path(__file__).parent
BANQI = {"files": 4, "ranks": 8, "junqi": False}
DOUBLE = {"files": 8, "ranks": 8, "junqi": False}
JUNQI = {"files": 5, "ranks": 12, "junqi": True}
GLYPHS = ("traditional", "simplified", "letters", "pictograms")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with page_served(tmp_path_factory.mktemp("board")) as host:
        yield host


def _fulfil(name: str, media_type: str, policy: str, route: Route) -> None:
    route.fulfill(path=HERE / name, content_type=media_type, headers={"content-security-policy": policy})


@contextmanager
def gallery(chromium: Browser, address: str, **options: Any) -> Iterator[Page]:
    """An empty page on the server's origin, with its policy, that shows elements."""
    with opened(chromium, address, "about:blank", **options) as page:
        policy = page.request.get("/page/page.css").headers["content-security-policy"]
        for name, kind in (("page_gallery.html", "text/html"), ("page_gallery.js", "text/javascript")):
            page.route(f"**/page/{name}", partial(_fulfil, name, f"{kind}; charset=utf-8", policy))
        page.goto("/page/page_gallery.html")
        page.locator("body[data-ready]").wait_for(state="attached")
        yield page


@pytest.fixture(scope="module")
def desk(chromium: Browser, address: str) -> Iterator[Page]:
    with gallery(chromium, address, **DESKTOP) as page:
        yield page


@pytest.fixture(scope="module")
def phone(chromium: Browser, address: str) -> Iterator[Page]:
    with gallery(chromium, address, **PHONE) as page:
        yield page


def show(page: Page, *elements: tuple[str, dict[str, Any]]) -> None:
    page.evaluate("elements => show(elements)", [list(element) for element in elements])
    page.wait_for_timeout(20)


def board(
    page: Page, fen: str | None = None, rules: str = "taiwan", shape: dict[str, Any] | None = None, **more: Any
) -> None:
    """Show a board with the moves that are legal by the package's own rules."""
    position = Position(rules) if fen is None else Position.from_fen(fen, rules)
    settings = {"shape": shape or BANQI, "fen": position.fen(), "legal": [str(m) for m in position.legal_moves]}
    show(page, ("banqi-board", {**settings, "mine": True, "width": 340, **more}))


def told(page: Page) -> list[list[Any]]:
    """The actions that were asked for since the board is shown."""
    return [event for event in page.evaluate("told") if event[0] == "act"]


def looked(page: Page) -> list[Any]:
    return [event[1] for event in page.evaluate("told") if event[0] == "look" and event[1] is not None]


def square(page: Page, name: str) -> Locator:
    return page.locator(f'banqi-board [role="gridcell"][aria-label^="{name},"]')


def drag(page: Page, start: str, end: str) -> None:
    boxes = [square(page, name).bounding_box() for name in (start, end)]
    (x, y), (to_x, to_y) = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to_x) / 2, (y + to_y) / 2)
    page.mouse.move(to_x, to_y)
    page.mouse.up()


def marks(page: Page, kind: str) -> int:
    return page.locator(f"banqi-board .marks {kind}").count()


# Rank 8 first. The red chariot on b2 steps to b1, a2 and c2 and takes the horse on b3; the cannon on a1 jumps over a3
# to the horse on a5. What is face down is the advisor on a3.
STAND = "4/4/4/n3/4/xn2/1R2/C2P r G - 0"


# ---- mouse ---------------------------------------------------------------------------------------------------------


def test_a_click_flips(desk: Page) -> None:
    board(desk)
    square(desk, "c3").click()
    assert told(desk) == [["act", "c3"]]


def test_two_clicks_move_and_marks_show_what_is_legal(desk: Page) -> None:
    board(desk, STAND)
    square(desk, "b2").click()
    assert (marks(desk, ".selected"), marks(desk, ".step"), marks(desk, ".attack.takes")) == (1, 3, 1)
    assert told(desk) == []
    square(desk, "b3").click()
    assert told(desk) == [["act", "b2-b3"]]
    assert marks(desk, ".selected") == 0


def test_a_jump_shows_its_screen(desk: Page) -> None:
    board(desk, STAND)
    square(desk, "a1").click()
    # a1 over a3 to a5.
    assert marks(desk, ".bridge") == 1
    square(desk, "a5").click()
    assert told(desk) == [["act", "a1-a5"]]


def test_a_second_click_or_another_square_puts_the_piece_down(desk: Page) -> None:
    board(desk, STAND)
    for other in ("b2", "d7"):
        square(desk, "b2").click()
        assert marks(desk, ".selected") == 1
        desk.wait_for_timeout(300)
        square(desk, other).click()
        assert marks(desk, ".selected") == 0
    assert told(desk) == []


def test_a_face_down_square_is_not_flipped_with_a_piece_in_hand(desk: Page) -> None:
    board(desk, STAND)
    square(desk, "b2").click()
    square(desk, "a3").click()
    assert (told(desk), marks(desk, ".selected")) == ([], 0)
    square(desk, "a3").click()
    assert told(desk) == [["act", "a3"]]


def test_dragging_moves_and_dropping_elsewhere_does_not(desk: Page) -> None:
    board(desk, STAND)
    drag(desk, "b2", "c2")
    assert told(desk) == [["act", "b2-c2"]]
    board(desk, STAND)
    drag(desk, "b2", "d8")
    assert told(desk) == []
    assert marks(desk, ".selected") == 0


def test_nobody_else_acts(desk: Page) -> None:
    board(desk, STAND, mine=False)
    square(desk, "b2").click()
    square(desk, "a3").click()
    assert told(desk) == []
    assert set(looked(desk)) == {8}
