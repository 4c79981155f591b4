"""The board and the panels of the page: looks, hands, words, in a browser that shows nothing else."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from fontTools.ttLib import TTFont
from playwright.sync_api import Browser, Locator, Page, Route

from banqi import Position
from banqi.piece_set import PIECE_SETS
from banqi.server.page import FOLDER
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


# ---- touch ---------------------------------------------------------------------------------------------------------


def test_a_finger_flips_with_a_second_tap(phone: Page) -> None:
    board(phone, width=320)
    square(phone, "c3").tap()
    assert told(phone) == []
    assert looked(phone)[-1:] == [10]
    assert marks(phone, ".armed") == 1
    square(phone, "d3").tap()
    assert told(phone) == []
    square(phone, "d3").tap()
    assert told(phone) == [["act", "d3"]]


def test_the_second_tap_can_be_switched_off(phone: Page) -> None:
    board(phone, width=320, confirmFlip=False)
    square(phone, "c3").tap()
    assert told(phone) == [["act", "c3"]]


def test_fingers_tap_and_tap(phone: Page) -> None:
    board(phone, STAND, width=320)
    square(phone, "b2").tap()
    square(phone, "b3").tap()
    assert told(phone) == [["act", "b2-b3"]]


def test_fingers_drag(phone: Page) -> None:
    board(phone, STAND, width=320)
    boxes = [square(phone, name).bounding_box() for name in ("b2", "c2")]
    start, end = [{"x": b["x"] + b["width"] / 2, "y": b["y"] + b["height"] / 2} for b in boxes if b]
    session = phone.context.new_cdp_session(phone)
    for kind, points in (("touchStart", [start]), ("touchMove", [end]), ("touchEnd", [])):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert told(phone) == [["act", "b2-c2"]]


# ---- what cannot be taken back: attempts, the end of a chain ---------------------------------------------------------

# The red chariot on b2 may flip a2 or b3, or try to take them.
DARK = "4/4/4/4/4/1x2/xR2/4 r Gk - 0"


@pytest.mark.parametrize("target", ["a2", "b3"])
def test_an_attempt_and_a_flip_of_the_same_square_are_both_in_reach(desk: Page, target: str) -> None:
    board(desk, DARK, "dark-capture")
    square(desk, target).click()
    assert told(desk) == [["act", target]]
    board(desk, DARK, "dark-capture", last="d8")
    square(desk, "b2").click()
    assert marks(desk, ".attack.attempt") == 2
    square(desk, target).click()
    assert told(desk) == [["act", f"b2-{target}"]]


def test_an_attempt_asks_a_finger_twice(phone: Page) -> None:
    board(phone, DARK, "dark-capture", width=320)
    square(phone, "b2").tap()
    square(phone, "b3").tap()
    assert told(phone) == []
    square(phone, "b3").tap()
    assert told(phone) == [["act", "b2-b3"]]


# The chariot on b2 has taken something and may go on to b3 or stop.
CHAIN = "4/4/4/4/4/1n2/1R2/3k r - b2 0"


def test_a_chain_goes_on_or_ends(desk: Page, phone: Page) -> None:
    for page in (desk, phone):
        board(page, CHAIN, "children", width=320)
        assert (marks(page, ".selected"), marks(page, ".stop"), marks(page, ".attack.takes")) == (1, 1, 1)
    square(desk, "b3").click()
    assert told(desk) == [["act", "b2-b3"]]
    board(desk, CHAIN, "children", last="a1")
    square(desk, "b2").click()
    assert told(desk) == [["act", "end"]]
    square(phone, "b2").tap()
    assert told(phone) == []
    square(phone, "b2").tap()
    assert told(phone) == [["act", "end"]]


@pytest.mark.parametrize(
    ("fen", "rules"), [(STAND, "taiwan"), (DARK, "dark-capture"), (DARK, "children"), (CHAIN, "children")]
)
def test_every_legal_action_is_in_reach_of_the_keyboard(desk: Page, fen: str, rules: str) -> None:
    for move in (str(move) for move in Position.from_fen(fen, rules).legal_moves):
        board(desk, fen, rules, last=f"{move}" if move != "end" else "a1")
        start, _, end = ("b2", "", "b2") if move == "end" else move.partition("-")
        if end and move != "end" and "b2 0" not in fen:
            square(desk, start).focus()
            desk.keyboard.press("Enter")
        square(desk, end or start).focus()
        desk.keyboard.press("Enter")
        assert told(desk) == [["act", move]]


# ---- keyboard ------------------------------------------------------------------------------------------------------


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.getAttribute('aria-label')")).split(",")[0]


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


@pytest.mark.parametrize(
    ("lying", "walk"),
    [
        # Standing, rank 8 is above; lying, rank 1 is on the left and file a above.
        (False, {"ArrowDown": "a7", "ArrowRight": "b7", "ArrowUp": "b8", "ArrowLeft": "a8", "End": "d8", "Home": "a8"}),
        (True, {"ArrowDown": "b1", "ArrowRight": "b2", "ArrowUp": "a2", "ArrowLeft": "a1", "End": "a8", "Home": "a1"}),
    ],
)
def test_arrows_walk_as_the_board_is_seen(desk: Page, lying: bool, walk: dict[str, str]) -> None:
    board(desk, lying=lying)
    desk.locator("banqi-board [tabindex='0']").focus()
    for key, name in walk.items():
        press(desk, key)
        assert focused(desk) == name
    assert desk.locator("banqi-board [tabindex='0']").count() == 1


def test_keys_act_drop_flip_and_jump(desk: Page) -> None:
    board(desk, STAND)
    desk.locator("banqi-board [tabindex='0']").focus()
    # 4 is the chariot, 6 the cannon, 7 the soldier; 5 the horse, of which red has none here.
    for key, name in (("4", "b2"), ("6", "a1"), ("7", "d1"), ("5", "d1"), ("4", "b2")):
        press(desk, key)
        assert focused(desk) == name
    press(desk, "Enter")
    assert marks(desk, ".selected") == 1
    press(desk, "Escape")
    assert (marks(desk, ".selected"), told(desk)) == (0, [])
    press(desk, "Space", "ArrowUp", "Enter")
    assert told(desk) == [["act", "b2-b3"]]
    board(desk, STAND, last="a1")
    square(desk, "a3").focus()
    press(desk, "f")
    assert told(desk) == [["act", "a3"]]
    square(desk, "b2").focus()
    press(desk, "f")
    assert told(desk) == [["act", "a3"]]


def test_other_keys_reach_the_page(desk: Page) -> None:
    board(desk, STAND)
    desk.evaluate("window.keys = []; addEventListener('keydown', (event) => keys.push(event.key))")
    square(desk, "a3").focus()
    press(desk, "u", "h", "ArrowUp", "4")
    assert desk.evaluate("keys") == ["u", "h"]


# ---- words ---------------------------------------------------------------------------------------------------------


def label(page: Page, name: str) -> str:
    return square(page, name).get_attribute("aria-label") or ""


def test_squares_say_what_they_hold_and_what_can_be_done(desk: Page) -> None:
    board(desk, STAND)
    assert label(desk, "a3") == "a3, face down, can be flipped"
    assert label(desk, "b2") == "b2, Red chariot, can move"
    assert label(desk, "b3") == "b3, Black horse"
    assert label(desk, "c3") == "c3, empty"
    square(desk, "b2").click()
    assert label(desk, "b2") == "b2, Red chariot, selected"
    assert label(desk, "b3") == "b3, Black horse, the selected piece can take this"
    assert label(desk, "c2") == "c2, empty, the selected piece can step here"
    assert square(desk, "b2").get_attribute("aria-selected") == "true"


def test_the_grid_has_the_rows_that_are_seen(desk: Page) -> None:
    for settings, size in (({}, (8, 4)), ({"lying": True}, (4, 8)), ({"rules": "double", "shape": DOUBLE}, (8, 8))):
        board(desk, **settings)  # type: ignore[arg-type]
        rows = desk.locator('banqi-board [role="grid"] > [role="row"]')
        assert rows.count() == size[0]
        assert rows.first.locator('[role="gridcell"]').count() == size[1]


def test_other_words_are_taken(desk: Page) -> None:
    board(desk, STAND)
    desk.evaluate("document.querySelector('banqi-board').words = (key) => `<${key}>`")
    desk.wait_for_timeout(20)
    assert label(desk, "c3") == "c3, <board.empty>"


# ---- Junqi ---------------------------------------------------------------------------------------------------------

# Red's regiment commander on a6 has railways along row 6, and up and down file a. On c6 a blue company commander, on a8
# a blue marshal, on a4 a blue bomb. The camp b5 is one road away.
FIELD = "5/5/5/5/m4/5/R1c2/5/o4/5/5/1f1F1 r - - 0"


def test_junqi_marks_what_an_attack_leads_to(desk: Page) -> None:
    board(desk, FIELD, "junqi", JUNQI, width=300)
    square(desk, "a6").click()
    kinds = {"c6": "can take", "a8": "would be lost", "a4": "both pieces would go", "b5": "can step"}
    for name, words in kinds.items():
        assert words in label(desk, name)
    assert "camp" in label(desk, "b5")
    assert "headquarters" in label(desk, "b12")
    assert [marks(desk, f".attack.{kind}") for kind in ("takes", "both", "loses")] == [1, 1, 1]
    square(desk, "a8").click()
    assert told(desk) == [["act", "a6-a8"]]


def test_junqi_roads_are_those_of_the_rules(desk: Page) -> None:
    # 133 edges, 35 of them railway, 10 camps, as the rules page counts them.
    counts = desk.evaluate(
        """async () => {
          const { CAMPS, EDGES, HEADQUARTERS } = await import("/page/board/roads.js");
          return [EDGES.length, EDGES.filter(({ railway }) => railway).length, CAMPS.size, HEADQUARTERS.size];
        }"""
    )
    assert counts == [133, 35, 10, 4]


def test_an_engineer_goes_around_corners(desk: Page) -> None:
    # From a4 to c2 along the railways with a3 free: down file a, then along row 2.
    way = desk.evaluate(
        """async () => {
          const { wayBetween } = await import("/page/board/roads.js");
          return wayBetween(15, 7, () => true);
        }"""
    )
    assert way == [15, 10, 5, 6, 7]


# ---- motion --------------------------------------------------------------------------------------------------------


def running(page: Page, last: str, fen: str) -> int:
    """How many animations an action begins."""
    return int(
        page.evaluate(
            """([last, fen]) => {
              Object.assign(document.querySelector("banqi-board"), { last, fen });
              return new Promise((done) => queueMicrotask(() => done(document.getAnimations().length)));
            }""",
            [last, fen],
        )
    )


def test_flips_turn_and_captures_slide_unless_less_motion_is_wanted(desk: Page) -> None:
    turned, taken = STAND.replace("xn2", "Gn2").replace(" G ", " - "), STAND.replace("xn2/1R2", "xR2/4")
    board(desk, STAND)
    # The back and the front of one disc; the capturer and its victim.
    assert running(desk, "a3(G)", turned) == 2
    board(desk, STAND, last="a1")
    assert running(desk, "b2-b3", taken) == 2
    desk.wait_for_timeout(500)
    assert desk.locator("banqi-board .ghost").count() == 0
    # Another position altogether is shown as it is.
    assert running(desk, "d1", "4/4/4/4/4/4/4/3k b - - 0") == 0
    desk.emulate_media(reduced_motion="reduce")
    try:
        board(desk, STAND, last="a2")
        assert running(desk, "a3(G)", turned) == 0
    finally:
        desk.emulate_media(reduced_motion="no-preference")


def test_nothing_shifts(desk: Page) -> None:
    board(desk)
    before = desk.locator("banqi-board .stage").bounding_box()
    for change in ({"coordinates": False}, {"glyphs": "letters"}, {"fen": STAND}, {"mine": False}):
        desk.evaluate("change => Object.assign(document.querySelector('banqi-board'), change)", change)
        desk.wait_for_timeout(20)
        assert desk.locator("banqi-board .stage").bounding_box() == before


# ---- panels --------------------------------------------------------------------------------------------------------

MOVES = ["a1(K)", "b1(p)", "a1-a2", "b1-b2(n)", {"move": "a2-b2", "capture": True}]
REVEALS = [
    {"identity": "K", "chance": 0.25, "value": 0.5},
    {"identity": "p", "chance": 0.75, "value": -0.1},
]
PANELS: list[tuple[str, dict[str, Any]]] = [
    ("banqi-player", {"name": "Ann", "colour": "r", "clock": 61000, "turn": True, "captured": "PPn"}),
    ("banqi-player", {"name": "Bo", "colour": None}),
    ("banqi-pool", {"pool": {"K": 1, "p": 3}, "chances": True, "square": 3}),
    ("banqi-pool", {"pool": {"M": 1, "f": 1}, "junqi": True}),
    ("banqi-quiet", {"quiet": 45, "limit": 180, "repetitions": 2}),
    ("banqi-moves", {"moves": MOVES, "ply": 3}),
    ("banqi-bar", {"value": 0.25}),
    ("banqi-graph", {"values": [0, 0.1, -0.2, 0.4], "length": 5, "ply": 2}),
    ("banqi-fan", {"mean": 0.05, "reveals": REVEALS, "turned": "p"}),
    ("banqi-luck", {"report": [{"luck": [0, 0.3], "loss": [0, 0.1]}, {"luck": [0, -0.2], "loss": [0, 0.05]}]}),
]


def test_panels_say_in_words_what_they_show(desk: Page) -> None:
    show(desk, *[(name, {**settings, "width": 320}) for name, settings in PANELS])
    assert desk.locator("banqi-player .clock").first.inner_text() == "1:01"
    assert desk.locator("banqi-player [role=img]").first.get_attribute("aria-label") == (
        "Taken: Red soldier × 2, Black horse"
    )
    pool = desk.locator("banqi-pool").first.locator("tbody tr")
    assert pool.count() == 7
    # One general of four pieces, three soldiers of four.
    assert re.sub(r"\s+", " ", pool.first.inner_text()) == "general 帥 1 25 % 將 0 0 %"
    assert re.sub(r"\s+", " ", pool.last.inner_text()) == "soldier 兵 0 0 % 卒 3 75 %"
    meter = desk.locator("banqi-quiet [role=meter]")
    assert (meter.get_attribute("aria-valuenow"), meter.get_attribute("aria-valuemax")) == ("45", "180")
    assert "Position seen 2 times" in desk.locator("banqi-quiet").inner_text()
    assert desk.locator("banqi-bar [role=meter]").get_attribute("aria-valuetext") == "+0.25"
    rows = desk.locator("banqi-fan tbody tr")
    assert [re.sub(r"\s+", " ", row).strip() for row in rows.all_inner_texts()] == [
        "帥 Red general 25 % +0.50",
        "卒 Black soldier turned up 75 % −0.10",
    ]
    assert "+0.30" in desk.locator("banqi-luck tbody tr").first.inner_text()


def test_a_clock_runs_down_by_itself(desk: Page) -> None:
    show(desk, ("banqi-player", {"name": "Ann", "clock": 65000, "running": True}))
    desk.wait_for_timeout(1200)
    assert desk.locator("banqi-player .clock").inner_text() in ("1:03", "1:02")


def test_moves_are_walked_by_click_and_arrows(desk: Page) -> None:
    show(desk, ("banqi-moves", {"moves": MOVES, "ply": 3, "width": 300}))
    buttons = desk.locator("banqi-moves button")
    assert [button.split("\n")[-1].strip() for button in buttons.all_inner_texts()] != []
    assert [buttons.nth(n).locator(".sign").inner_text() for n in range(1, 6)] == ["◐", "◐", "", "?", "×"]
    assert buttons.nth(3).get_attribute("aria-current") == "step"
    buttons.nth(5).click()
    buttons.nth(3).focus()
    press(desk, "ArrowLeft", "Home", "End")
    assert desk.evaluate("told") == [["goto", 5], ["goto", 2], ["goto", 0], ["goto", 5]]


def test_a_point_of_the_graph_is_chosen_by_click_and_arrows(desk: Page) -> None:
    show(desk, ("banqi-graph", {"values": [0, 0.1, -0.2, 0.4], "length": 4, "ply": 2, "width": 300}))
    plot = desk.locator("banqi-graph [role=slider]")
    assert plot.get_attribute("aria-valuetext") == "After 2: −0.20"
    plot.focus()
    press(desk, "ArrowRight", "Home")
    box = plot.bounding_box()
    assert box is not None
    plot.click(position={"x": box["width"] * 0.75, "y": 20})
    assert desk.evaluate("told") == [["goto", 3], ["goto", 0], ["goto", 3]]


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "</span><svg onload=alert(1)>",
    "{{constructor.constructor('alert(1)')()}}",
    "\u202egnp.exe",
    "javascript:alert(1)",
]


def test_hostile_names_are_text(desk: Page) -> None:
    desk.evaluate("() => { window.alert = () => { window.alerted = true; }; }")
    show(desk, *[("banqi-player", {"name": name}) for name in HOSTILE])
    assert desk.locator("banqi-player .name").all_text_contents() == HOSTILE
    assert desk.locator("banqi-player :is(img, script)").count() == 0
    desk.wait_for_timeout(50)
    assert desk.evaluate("window.alerted") is None


# ---- looks ---------------------------------------------------------------------------------------------------------


def serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{fault['id']}: {node['html'][:120]}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_people_from_using_it(chromium: Browser, address: str, scheme: str) -> None:
    # axe-core is put into the page, which the page's own policy forbids.
    with gallery(chromium, address, **DESKTOP, color_scheme=scheme, bypass_csp=True) as page:
        board(page, STAND)
        square(page, "b2").click()
        assert serious(page) == []
        show(page, *PANELS)
        assert serious(page) == []


def tokens() -> dict[str, tuple[str, str]]:
    """Colours of page.css by name, for light and for dark."""
    text = (FOLDER / "page.css").read_text(encoding="utf-8")
    return {name: (light, dark) for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\);", text)}


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Of two colours, from 1 to 21, as WCAG 2 defines it."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


TEXT = [
    *((ink, ground) for ink in ("ink", "quiet-ink", "accent", "warning") for ground in ("ground", "panel")),
    ("on-accent", "accent"),
    *((glyph, "disc") for glyph in ("red", "black", "blue")),
]
MARKS = [
    *(("mark", ground) for ground in ("board", "camp")),
    *((line, "board") for line in ("board-line", "rail", "warning", "back-edge")),
    ("mark-on-disc", "disc"),
    ("edge", "ground"),
    ("edge", "panel"),
    *((line, ground) for line in ("series-red", "series-black", "series-blue") for ground in ("ground", "panel")),
]


def test_contrast_is_known_for_black_and_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(("pairs", "least"), [(TEXT, 4.5), (MARKS, 3.0)], ids=["text", "marks"])
def test_colours_stand_out(pairs: list[tuple[str, str]], least: float) -> None:
    colours = tokens()
    weak = {
        f"{one} on {other}, {theme}": round(contrast(colours[one][n], colours[other][n]), 2)
        for one, other in pairs
        for n, theme in enumerate(("light", "dark"))
        if contrast(colours[one][n], colours[other][n]) < least
    }
    assert weak == {}


@pytest.mark.parametrize(
    ("scheme", "theme", "index"), [("light", "", 0), ("dark", "", 1), ("light", "dark", 1), ("dark", "light", 0)]
)
def test_the_theme_overrides_the_system(desk: Page, scheme: Any, theme: str, index: int) -> None:
    desk.emulate_media(color_scheme=scheme)
    desk.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    ground = tokens()["ground"][index]
    rgb = tuple(int(ground[n : n + 2], 16) for n in (1, 3, 5))
    assert desk.evaluate("getComputedStyle(document.body).backgroundColor") == f"rgb{rgb}"
    desk.evaluate("delete document.documentElement.dataset.theme")
    desk.emulate_media(color_scheme="light")


def test_sides_differ_without_hue(desk: Page) -> None:
    board(desk, STAND)
    dashes = {
        hue: desk.locator(f"banqi-board .disc.{hue} .ring").first.get_attribute("stroke-dasharray")
        for hue in ("red", "black")
    }
    assert dashes["red"] is None
    assert dashes["black"]


# ---- signs ---------------------------------------------------------------------------------------------------------


def kinds(page: Page) -> Any:
    """The signs of every piece as pieces.js has them: by game, kind and script, red's and the other side's."""
    return page.evaluate(
        """async () => {
          const { kindsOf, countOf, signOf, shortSignOf } = await import("/page/board/pieces.js");
          const of = (game, kind, script) => ["r", "b"].map((colour) => signOf(game, kind, colour, script));
          return Object.fromEntries(["banqi", "junqi"].map((game) => [game, kindsOf(game).map((kind) => ({
            kind, count: countOf(game, kind), traditional: of(game, kind, "traditional"),
            simplified: of(game, kind, "simplified"),
            short: ["r", "b"].map((colour) => shortSignOf(game, kind, colour, "traditional")),
          }))]));
        }"""
    )


def test_kinds_are_those_of_the_package(desk: Page) -> None:
    for game, found in kinds(desk).items():
        expected = PIECE_SETS[game].kinds
        assert [(kind["kind"], kind["count"]) for kind in found] == [(k, v.count) for k, v in expected.items()]
        assert [tuple(kind["short"]) for kind in found] == [tuple(v.signs) for v in expected.values()]


@pytest.mark.parametrize("script", ["traditional", "simplified"])
def test_the_font_holds_every_sign(desk: Page, script: str) -> None:
    file = FOLDER / "fonts" / f"{script}.woff2"
    with TTFont(file) as font:
        held = {chr(code) for code in font.getBestCmap()}
    used = {sign for found in kinds(desk).values() for kind in found for sign in "".join(kind[script])}
    assert used == held
    assert file.stat().st_size < 10_000


@pytest.mark.parametrize("glyphs", GLYPHS)
def test_every_kind_has_a_glyph(desk: Page, glyphs: str) -> None:
    pool = {letter: 1 for k in PIECE_SETS["banqi"].kinds for letter in (k, k.lower())}
    men = {letter: 1 for k in PIECE_SETS["junqi"].kinds for letter in (k, k.lower())}
    show(
        desk,
        ("banqi-pool", {"pool": pool, "glyphs": glyphs}),
        ("banqi-pool", {"pool": men, "junqi": True, "glyphs": glyphs}),
    )
    drawn = desk.locator("banqi-pool .disc :is(.glyph, .pictogram)")
    assert drawn.count() == 2 * (7 + 12)
    looks = drawn.evaluate_all("drawn => drawn.map((one) => one.textContent + (one.getAttribute('d') ?? ''))")
    assert all(looks)
    if glyphs == "letters":
        assert set(looks[:14]) == set(pool)


# ---- sound ---------------------------------------------------------------------------------------------------------


def test_nothing_sounds_before_a_gesture_or_when_switched_off(desk: Page) -> None:
    desk.evaluate(
        """async () => {
          const { Sound } = await import("/page/sound.js");
          window.tones = 0;
          const start = OscillatorNode.prototype.start;
          OscillatorNode.prototype.start = function (...when) { window.tones += 1; start.apply(this, when); };
          window.sound = new Sound();
        }"""
    )
    play = "() => { sound.play('flip'); return tones; }"
    assert desk.evaluate(play) == 0
    desk.mouse.click(1200, 700)
    assert desk.evaluate(play) == 2
    desk.evaluate("sound.on = false")
    assert desk.evaluate(play) == 2
