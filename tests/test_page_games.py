"""Whole games on the page, in a browser: against the computer, two at one device, with a friend by link."""

import random
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, WebSocket, expect

import first_view
from banqi import Rules
from browser import DESKTOP, PHONE, browser, opened, page_served
from served import Caller, Pair, new_key, served, spawned
from sizes import tenth
from test_server_secrets import Transcript, shuffled, swapped, under

SECONDS = 60_000
"""In milliseconds: how long a game against the computer may take."""

# Plays on as a person who types: flips before captures before steps, so that games come to an end, and to none at once.
PLAY = """async (actions) => {
  const table = document.querySelector("#table");
  const board = table.querySelector("banqi-board");
  const form = table.querySelector("[data-part=typed]");
  const pause = () => new Promise((resolve) => { setTimeout(resolve, 5); });
  const value = (move) => (move.length < 4 && move !== "end" ? 3 : move.includes("-") ? worth(move) : 0);
  const cells = () => board.fen.split(" ")[0].split("/").reverse().join("").replace(/[0-9]+/g, (n) => ".".repeat(n));
  const files = () => board.shape.files;
  const worth = (move) => {
    const [, file, rank] = /-([a-h])([0-9]+)/.exec(move);
    return cells()[(rank - 1) * files() + file.charCodeAt(0) - 97] === "." ? 0 : 2;
  };
  let played = 0;
  for (let idle = 0; played < actions && idle < 3000; idle += 1) {
    if (table.dataset.stage === "over") break;
    if (!board.mine || board.legal.length === 0) { await pause(); continue; }
    const fen = board.fen;
    const best = Math.max(...board.legal.map(value));
    const moves = board.legal.filter((move) => value(move) === best);
    form.elements.move.value = moves[Math.floor(Math.random() * moves.length)];
    form.requestSubmit();
    played += 1;
    idle = 0;
    for (let wait = 0; wait < 600 && board.fen === fen && table.dataset.stage !== "over"; wait += 1) await pause();
  }
  return played;
}"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with page_served(tmp_path_factory.mktemp("games"), search_seconds=0.3) as host:
        yield host


def until(page: Page, condition: str, arg: Any = None, timeout: int = 20_000) -> None:
    """Wait for a condition in the page. Playwright's own way would need `eval`, which the page's policy forbids."""
    end = time.monotonic() + timeout / 1000
    while not page.evaluate(condition, arg):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(20)


def ready(page: Page) -> None:
    """Wait until the page can be played on."""
    until(page, "document.querySelector('banqi-board')?.fen && document.querySelector('#table').dataset.stage")


def choose(page: Page, **fields: str) -> None:
    """Set fields of the choice of a game, as a person would."""
    page.locator("[data-part=begin]").evaluate("(fold) => { fold.open = true; }")
    for name, value in fields.items():
        if name in ("mode", "game"):
            page.locator(f"#chooser input[name={name}][value={value}]").check(force=True)
        else:
            if name not in ("rules", "level", "seat", "clock"):
                page.locator("[data-part=house]").evaluate("(fold) => { fold.open = true; }")
            page.locator(f"#chooser select[name={name}]").select_option(value)


def start(page: Page) -> None:
    page.locator("[data-part=start]").click()


def stage(page: Page) -> str:
    return str(page.evaluate("document.querySelector('#table').dataset.stage"))


def message(page: Page) -> str:
    return page.locator("#table [data-part=message]").inner_text()


def play(page: Page, actions: int = 1000) -> int:
    """Let this page's player play on until the end, or so many actions."""
    return int(page.evaluate(PLAY, actions))


def games_of(address: str) -> int:
    """How many games there are on the server."""
    with Caller(address) as caller:
        for line in caller.client.get("/metrics").text.splitlines():
            if line.startswith("banqi_games_total"):
                return int(float(line.split()[1]))
    return 0


# ---- each mode -----------------------------------------------------------------------------------------------------


def test_the_first_view_is_a_board_and_makes_no_game(chromium: Browser, address: str) -> None:
    before = games_of(address)
    with opened(chromium, address, **DESKTOP) as page:
        ready(page)
        assert page.evaluate("document.querySelector('banqi-board').legal.length") == 32
        assert games_of(address) == before
        assert "turn up any piece" in message(page)


def test_a_whole_game_against_the_computer(chromium: Browser, address: str) -> None:
    with opened(chromium, address, **DESKTOP) as page:
        ready(page)
        choose(page, mode="computer", level="easy", quiet_limit="40")
        assert play(page) > 10
        until(page, "document.querySelector('#table').dataset.stage === 'over'", timeout=SECONDS)
        assert "wins" in message(page) or "Draw" in message(page)
        with page.expect_download() as download:
            page.locator("[data-action=export]").click()
        assert '[Rules "taiwan(quiet_limit=40)"]' in Path(download.value.path()).read_text()
        page.locator("[data-action=rematch]").click()
        until(page, "document.querySelector('#table').dataset.stage === 'playing'")
        # The seats are swapped: the computer has begun.
        until(page, "document.querySelector('banqi-board').mine")
        assert page.evaluate("document.querySelector('banqi-board').fen").count("x") < 32


@pytest.mark.parametrize(("game", "squares"), [("banqi", 32), ("double", 64), ("junqi", 50)])
def test_a_whole_game_of_two_here(chromium: Browser, address: str, game: str, squares: int) -> None:
    before = games_of(address)
    with opened(chromium, address, **DESKTOP) as page:
        ready(page)
        choose(page, mode="two", game=game, quiet_limit="40")
        start(page)
        assert page.evaluate("document.querySelector('banqi-board').legal.length") == squares
        assert play(page, 10) == 10
        fen = page.evaluate("document.querySelector('banqi-board').fen")
        page.reload()
        ready(page)
        assert page.evaluate("document.querySelector('banqi-board').fen") == fen
        play(page)
        assert stage(page) == "over"
    assert games_of(address) == before


def test_a_whole_game_with_a_friend_and_a_reload(chromium: Browser, address: str) -> None:
    with opened(chromium, address, **DESKTOP) as page:
        ready(page)
        choose(page, mode="friend", quiet_limit="40")
        start(page)
        link = page.locator("[data-part=invitation]")
        expect(link).not_to_have_value("")
        assert "#" in link.input_value()
        with opened(chromium, address, "/" + link.input_value().split("/")[-1], **PHONE) as friend:
            until(friend, "document.querySelector('#table').dataset.stage === 'playing'")
            until(page, "document.querySelector('#table').dataset.stage === 'playing'")
            for turn in range(1000):
                if stage(page) == "over":
                    break
                play(page, 1)
                if turn == 5:
                    friend.reload()
                    ready(friend)
                if turn == 7:
                    page.reload()
                    ready(page)
                play(friend, 1)
            until(friend, "document.querySelector('#table').dataset.stage === 'over'")
            assert message(friend) == message(page)
            friend.locator("[data-action=rematch]").click()
            page.locator("[data-part=offer] button").click()
            for one in (page, friend):
                until(one, "document.querySelector('#table').dataset.stage === 'playing'")
            assert page.url == friend.url
            assert page.evaluate("document.querySelector('banqi-board').mine") != friend.evaluate(
                "document.querySelector('banqi-board').mine"
            )


# ---- what players may ask for --------------------------------------------------------------------------------------


@pytest.fixture
def pair(chromium: Browser, address: str) -> Iterator[tuple[Page, Page]]:
    """Two pages that play with each other; the first one is to act, and may lose its connection."""
    with opened(chromium, address, expected="net::ERR_INTERNET_DISCONNECTED", **DESKTOP) as page:
        ready(page)
        choose(page, mode="friend")
        start(page)
        link = page.locator("[data-part=invitation]")
        expect(link).not_to_have_value("")
        with opened(chromium, address, "/" + link.input_value().split("/")[-1], **PHONE) as friend:
            for one in (page, friend):
                until(one, "document.querySelector('#table').dataset.stage === 'playing'")
            yield page, friend


def test_a_draw_is_offered_declined_and_accepted(pair: tuple[Page, Page]) -> None:
    page, friend = pair
    page.locator("[data-action=draw]").click()
    friend.locator("[data-part=offer] button").nth(1).click()
    expect(page.locator("[data-part=offer]")).to_be_hidden()
    # Who was declined may offer again after a move of his own.
    play(page, 1)
    play(friend, 1)
    page.locator("[data-action=draw]").click()
    friend.locator("[data-part=offer] button").first.click()
    for one in (page, friend):
        expect(one.locator("[data-part=message]")).to_have_text("Draw by agreement.")


def test_a_move_is_taken_back_if_the_other_allows_it(pair: tuple[Page, Page]) -> None:
    page, friend = pair
    play(page, 1)
    shown = page.evaluate("document.querySelector('banqi-board').fen")
    page.locator("[data-action=undo]").click()
    friend.locator("[data-part=offer] button").first.click()
    until(page, "document.querySelector('banqi-board').mine")
    assert page.evaluate("document.querySelector('banqi-board').fen") != shown


def test_resigning_asks_first(pair: tuple[Page, Page]) -> None:
    page, friend = pair
    page.locator("[data-action=resign]").click()
    page.locator("dialog.question button[value=no]").click()
    assert stage(page) == "playing"
    page.locator("[data-action=resign]").click()
    page.locator("dialog.question button[value=yes]").click()
    expect(friend.locator("[data-part=message]")).to_contain_text("resigned")


def test_undo_against_the_computer_shows_the_same_piece_again(chromium: Browser, address: str) -> None:
    with opened(chromium, address, **DESKTOP) as page:
        ready(page)
        first = page.locator("[data-part=typed] input")
        first.fill("a1")
        first.press("Enter")
        until(page, "document.querySelector('banqi-board').fen.split(' ')[0].match(/x/g).length <= 30")
        corner = "document.querySelector('banqi-board').fen.split(' ')[0].split('/').at(-1)[0]"
        piece = page.evaluate(corner)
        until(page, "document.querySelector('banqi-board').mine")
        page.locator("[data-action=undo]").click()
        until(page, "document.querySelector('banqi-board').fen.startsWith('xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx')")
        first.fill("a1")
        first.press("Enter")
        until(page, f"{corner} !== 'x'")
        assert page.evaluate(corner) == piece


def test_two_pages_of_one_player_keep_in_step(chromium: Browser, address: str) -> None:
    with opened(chromium, address, **DESKTOP) as page:
        ready(page)
        play(page, 1)
        until(page, "location.hash.startsWith('#game=')")
        other = page.context.new_page()
        other.goto(page.url)
        ready(other)
        until(page, "document.querySelector('banqi-board').mine")
        play(other, 1)
        until(other, "document.querySelector('banqi-board').mine")
        fen = other.evaluate("document.querySelector('banqi-board').fen")
        until(page, "(fen) => document.querySelector('banqi-board').fen === fen", arg=fen)


def test_spectators_see_and_ask_nothing(pair: tuple[Page, Page], chromium: Browser, address: str) -> None:
    page, _ = pair
    with opened(chromium, address, "/#" + page.url.split("#")[1]) as watcher:
        ready(watcher)
        play(page, 1)
        fen = page.evaluate("document.querySelector('banqi-board').fen")
        until(watcher, "(fen) => document.querySelector('banqi-board').fen === fen", arg=fen)
        assert watcher.locator("[data-action=resign]").is_hidden()
        assert watcher.evaluate("document.querySelector('banqi-board').legal") == []


def test_a_lost_connection_is_told_and_found_again(pair: tuple[Page, Page]) -> None:
    page, friend = pair
    page.context.set_offline(offline=True)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("[data-part=message]")).to_contain_text("Connection lost")
    play(page, 0)
    page.context.set_offline(offline=False)
    expect(page.locator("[data-part=message]")).to_contain_text("Connection found again", timeout=SECONDS)
    play(page, 1)
    fen = page.evaluate("document.querySelector('banqi-board').fen")
    until(friend, "(fen) => document.querySelector('banqi-board').fen === fen", arg=fen)


def test_a_game_goes_on_when_its_server_was_killed(chromium: Browser, tmp_path: Path) -> None:
    with (
        spawned(f"sqlite:///{tmp_path / 'games.db'}", tmp_path) as server,
        opened(chromium, server.address, expected="net::ERR_", service_workers="block", **DESKTOP) as page,
    ):
        ready(page)
        choose(page, level="easy")
        play(page, 2)
        until(page, "document.querySelector('banqi-board').mine")
        fen = page.evaluate("document.querySelector('banqi-board').fen")
        server.kill()
        expect(page.locator("[data-part=message]")).to_contain_text("Connection lost")
        # It is asked for while nobody is there, and answered when somebody is.
        page.locator("[data-part=typed] input").fill(page.evaluate("document.querySelector('banqi-board').legal[0]"))
        page.locator("[data-part=typed] input").press("Enter")
        server.start()
        until(page, "(fen) => document.querySelector('banqi-board').fen !== fen", fen, timeout=SECONDS)
        play(page, 2)


def test_chances_are_agreed_when_the_game_is_made(chromium: Browser, address: str) -> None:
    with opened(chromium, address, **DESKTOP) as page:
        ready(page)
        choose(page, mode="friend")
        page.locator("#chooser input[name=chances]").check()
        start(page)
        expect(page.locator("[data-part=facts]")).to_contain_text("chances shown to both")


def test_without_a_server_the_computer_is_missed_and_two_play_on(chromium: Browser, address: str) -> None:
    with opened(chromium, address, expected="net::ERR_FAILED", **DESKTOP) as page:
        ready(page)
        page.route("**/api/games", lambda route: route.abort())
        play(page, 0)
        page.locator("[data-part=typed] input").fill("a1")
        page.locator("[data-part=typed] input").press("Enter")
        expect(page.locator("[data-part=message]")).to_contain_text("does not answer")
        choose(page, mode="two")
        start(page)
        assert play(page, 4) == 4
        page.unroute("**/api/games")


# ---- names ---------------------------------------------------------------------------------------------------------

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "'\"><svg onload=alert(1)>",
    "javascript:alert(1)",
    "{{7*7}}${7*7}",
    "<iframe srcdoc='<p>'>",
    "&lt;b&gt;&amp;",
    "</p><style>*{display:none}",
    "</script><script>alert(1)</script>",
    "<a href='//x.example'>x",
]


def test_hostile_names_are_nothing_but_names(chromium: Browser, address: str) -> None:
    names = [f"{n}{HOSTILE[n % len(HOSTILE)]}"[:40] for n in range(100)]
    with opened(chromium, address, **DESKTOP) as page, Caller(address) as caller:
        dialogs: list[str] = []
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        elements = None
        for name in names:
            made = caller.post("/api/games", status=201, name=name)
            page.goto(f"/#game={made['game']}")
            until(
                page,
                "(name) => [...document.querySelectorAll('banqi-player')].some((one) => one.name === name)",
                arg=name,
            )
            count = page.locator("#table script, #table img, #table iframe, #table style, #table a").count()
            elements = count if elements is None else elements
            assert count == elements
        assert dialogs == []


# ---- eyes, hands, networks -----------------------------------------------------------------------------------------

SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!entry.hadRecentInput) window.shifts.push(entry.value);
    }
  }).observe({ type: "layout-shift", buffered: true });
}"""


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_first_board_is_there_within_a_second_and_nothing_moves(
    chromium: Browser, address: str, device: dict[str, Any]
) -> None:
    """On a phone-class network and processor: 1.6 Mbit/s, 150 ms, a quarter of the speed; the best of three visits."""
    context = chromium.new_context(base_url=f"http://{address}", service_workers="block", **device)
    try:
        page = context.new_page()
        page.add_init_script(f"({SHIFTS})()")
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        network.send("Network.setCacheDisabled", {"cacheDisabled": True})
        network.send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000},
        )
        network.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        painted = []
        for _ in range(3):
            page.goto("/", wait_until="commit")
            until(page, "document.querySelector('banqi-board')?.fen", timeout=SECONDS)
            page.wait_for_timeout(500)
            painted.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            assert page.evaluate("window.shifts.reduce((sum, value) => sum + value, 0)") < 0.01
            if painted[-1] < 1000:
                break
        assert min(painted) < 1000
    finally:
        context.close()


def test_what_stands_in_the_page_is_what_its_scripts_draw(chromium: Browser, address: str) -> None:
    """Else `python tests/first_view.py` has to write index.html anew."""
    index = first_view.INDEX.read_text(encoding="utf-8")
    with opened(chromium, address) as page:
        assert first_view.written(index, page) == index


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_view_has_serious_faults_of_accessibility(chromium: Browser, address: str, scheme: str) -> None:
    axe = Axe()

    def check(view: str) -> None:
        page.wait_for_timeout(300)
        found = axe.run(page, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
        serious = [
            (view, fault["id"], [node["html"][:200] for node in fault["nodes"]][:3])
            for fault in found
            if fault["impact"] in ("serious", "critical")
        ]
        assert serious == []

    with opened(chromium, address, color_scheme=scheme, bypass_csp=True, **DESKTOP) as page:
        ready(page)
        check("first")
        page.locator("#settings").click()
        check("settings")
        page.locator("#dialog .primary").click()
        for game in ("double", "junqi"):
            choose(page, mode="two", game=game)
            start(page)
            play(page, 4)
            choose(page)
            check(game)
            page.locator("[data-action=resign]").click()
            check("question")
            page.locator("dialog.question button[value=yes]").click()
        choose(page, mode="friend")
        start(page)
        expect(page.locator("[data-part=invite]")).to_be_visible()
        check("waiting")
        choose(page, mode="computer", game="banqi", level="easy", quiet_limit="40")
        start(page)
        play(page)
        until(page, "document.querySelector('#table').dataset.stage === 'over'", timeout=SECONDS)
        page.locator("[data-action=review]").click()
        expect(page.locator("banqi-luck table")).to_be_visible(timeout=SECONDS)
        page.locator("banqi-moves button").nth(3).click()
        check("review")
        page.locator("[data-action=verify]").click()
        check("verification")
        page.locator("#dialog .primary").click()
        page.locator("[data-action=analyse]").click()
        expect(page.locator("#analysis .lines li")).not_to_have_count(0)
        check("analysis")
        page.goto("/#learn")
        expect(page.locator("banqi-tutorial banqi-board")).to_be_visible()
        check("tutorial")


def test_a_game_is_played_by_keys_alone(chromium: Browser, address: str) -> None:
    with opened(chromium, address, **DESKTOP) as page:
        ready(page)
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.getAttribute('role') === 'gridcell'"):
                break
        else:
            pytest.fail("the board is not reached")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("f")
        until(page, "document.querySelector('banqi-moves').moves.length >= 2")
        until(page, "document.querySelector('banqi-board').mine")
        page.keyboard.press("u")
        until(page, "document.querySelector('banqi-moves').moves.length === 0")
        page.keyboard.press("h")
        expect(page.locator("[data-part=message]")).to_contain_text("Hint:")
        page.keyboard.press("f")
        until(page, "document.querySelector('banqi-moves').moves.length >= 2")
        page.keyboard.press("Escape")


def test_a_finger_turns_up_with_a_second_tap(chromium: Browser, address: str) -> None:
    with opened(chromium, address, **PHONE) as page:
        ready(page)
        choose(page, mode="two")
        start(page)
        cell = page.locator("#board [role=gridcell]").nth(5)
        cell.tap()
        assert page.evaluate("document.querySelector('banqi-moves').moves.length") == 0
        cell.tap()
        until(page, "document.querySelector('banqi-moves').moves.length === 1")
        page.locator("[data-action=undo]").click()
        until(page, "document.querySelector('banqi-moves').moves.length === 0")
        page.locator("#settings").click()
        page.locator("#dialog input[name=confirmFlip]").uncheck()
        page.locator("#dialog .primary").click()
        cell.tap()
        until(page, "document.querySelector('banqi-moves').moves.length === 1")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_two_play_on_without_a_connection(chromium: Browser, address: str) -> None:
    with opened(chromium, address, **PHONE) as page:
        ready(page)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        until(page, "navigator.serviceWorker.controller !== null")
        page.context.set_offline(offline=True)
        page.goto("/#two")
        page.reload()
        ready(page)
        assert play(page, 20) == 20
        choose(page, mode="two", game="junqi")
        start(page)
        page.locator("dialog.question button[value=yes]").click()
        until(page, "document.querySelector('banqi-board').shape.junqi")
        assert play(page, 4) == 4


def test_a_browser_that_keeps_nothing_can_play(chromium: Browser, address: str) -> None:
    context = chromium.new_context(base_url=f"http://{address}", service_workers="block")
    try:
        page = context.new_page()
        page.add_init_script(
            "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } });"
        )
        page.goto("/")
        ready(page)
        assert play(page, 4) == 4
        page.locator("#settings").click()
        page.locator("#dialog select[name=glyphs]").select_option("letters")
        page.locator("#dialog .primary").click()
        assert page.evaluate("document.querySelector('banqi-board').glyphs") == "letters"
    finally:
        context.close()


def test_another_language_is_spoken_everywhere_at_once(chromium: Browser, address: str) -> None:
    english = ["New game", "Computer", "Hint", "Still face down", "Until a draw", "Your turn", "Settings", "Rules"]
    with opened(chromium, address, locale="en-GB", **DESKTOP) as page:
        ready(page)
        play(page, 2)
        until(page, "document.querySelector('banqi-board').mine")
        page.locator("[data-part=begin]").evaluate("(fold) => { fold.open = true; }")
        told = page.locator("body").inner_text()
        assert [text for text in english if text not in told] == []
        page.locator("#settings").click()
        page.locator("#dialog select[name=language]").select_option("ru")
        expect(page.locator("#dialog h2")).not_to_have_text("Settings")
        page.locator("#dialog .primary").click()
        told = page.locator("body").inner_text()
        assert [text for text in english if text in told] == []
        page.reload()
        ready(page)
        assert page.evaluate("document.documentElement.lang") == "ru"


# ---- after the end -------------------------------------------------------------------------------------------------


def finished(page: Page, address: str) -> None:
    """A game against the computer that is over."""
    ready(page)
    choose(page, level="easy", quiet_limit="40")
    play(page)
    until(page, "document.querySelector('#table').dataset.stage === 'over'", timeout=SECONDS)


def test_a_review_tells_values_lines_and_luck(chromium: Browser, address: str) -> None:
    with opened(chromium, address, **DESKTOP) as page:
        finished(page, address)
        page.locator("[data-action=review]").click()
        expect(page.locator("banqi-luck table")).to_be_visible(timeout=SECONDS)
        moves = page.evaluate("document.querySelector('banqi-moves').moves.length")
        values = page.evaluate("document.querySelector('banqi-graph').values")
        assert len(values) == moves + 1
        assert all(-1 <= value <= 1 for value in values)
        page.locator("banqi-moves button").nth(2).click()
        expect(page.locator("[data-part=looking]")).to_be_visible()
        expect(page.locator("[data-part=review] .lines li").first).to_be_visible()
        page.keyboard.press("ArrowLeft")
        page.locator("[data-part=back]").click()
        expect(page.locator("[data-part=looking]")).to_be_hidden()


def test_a_deal_is_verified_in_the_page(chromium: Browser, address: str) -> None:
    with opened(chromium, address, **DESKTOP) as page:
        finished(page, address)
        page.locator("[data-action=verify]").click()
        expect(page.locator("#dialog .verdict")).to_have_class("verdict good")
        page.locator("#dialog .primary").click()
        # Had the server shown another commitment before the game, the browser would remember it.
        page.evaluate(
            """() => {
              const games = JSON.parse(localStorage.getItem("banqi.games"));
              for (const game of Object.values(games)) game.commitment = "0".repeat(64);
              localStorage.setItem("banqi.games", JSON.stringify(games));
            }"""
        )
        page.locator("[data-action=verify]").click()
        expect(page.locator("#dialog .verdict")).to_have_class("verdict bad")


def test_a_position_is_set_up_and_analysed(chromium: Browser, address: str) -> None:
    with opened(chromium, address, "/#analysis", **DESKTOP) as page:
        board = page.locator("#analysis banqi-board")
        expect(page.locator("#analysis .lines li")).not_to_have_count(0)
        page.locator("#analysis .analysis-controls button").nth(2).click()
        page.locator("#analysis button[title='Red chariot' i]").click()
        board.locator("[role=gridcell]").first.click()
        page.locator("#analysis button[title='Black soldier' i]").click()
        board.locator("[role=gridcell]").nth(1).click()
        fen = page.locator("#analysis input[name=fen]").input_value()
        assert {fen.split(" ")[0].count(letter) for letter in "Rp"} == {1}
        expect(page.locator("#analysis .lines")).to_contain_text("wins")
        page.locator("#analysis input[name=fen]").fill("9/4/4/4/4/4/4/4 r - - 0")
        page.locator("#analysis input[name=fen]").press("Enter")
        expect(page.locator("#analysis .fault")).to_be_visible()


# ---- secrets -------------------------------------------------------------------------------------------------------


def seen_by_page(address: str, chromium: Browser, rules: str, seed: int) -> tuple[list[str], set[int]]:
    """Play by the page as a seed says against a program; return all that the page got and showed, and what was seen."""
    rng = random.Random(seed)
    transcript = Transcript()
    seen: set[int] = set()
    geometry = Rules.of(rules).geometry
    with (
        Caller(address) as caller,
        opened(chromium, address, reduced_motion="reduce", service_workers="block", **DESKTOP) as page,
    ):
        ready(page)
        made = caller.post("/api/games", status=201, name="Ann", rules=rules, chances=True)
        joined = caller.post(f"/api/games/{made['game']}/join", invitation=made["invitation"], key=new_key(), name="Bo")
        pair = Pair(made["game"], {0: made["token"], 1: joined["token"]})
        for value, name in ((made["game"], "GAME"), (made["commitment"], "COMMITMENT"), (made["token"], "TOKEN")):
            transcript.hide(value, name)
        for seat in (0, 1):
            caller.ask(pair, seat, type="nonce", nonce=f"nonce {seat}", key=f"nonce-of-{seat}")

        def framed(socket: WebSocket) -> None:
            socket.on("framereceived", lambda data: transcript.take("frame", str(data)))

        page.on("websocket", framed)
        page.on("response", lambda answer: bodies.append(answer) if "/api/" in answer.url else None)
        bodies: list[Any] = []
        page.evaluate(
            """([game, token]) => localStorage.setItem("banqi.games", JSON.stringify({
              [game]: { token, seat: 0, nonce: "nonce 0", nonceKey: "nonce-of-0", used: Date.now() },
            }))""",
            [made["game"], made["token"]],
        )
        page.goto(f"/#game={made['game']}")
        until(page, "document.querySelector('#table').dataset.stage === 'playing'")
        for played in range(30):
            state = caller.state(made["game"])
            if state["stage"] != "playing":
                break
            move = rng.choice(state["legal"])
            if state["to_act"] == 0:
                until(page, "document.querySelector('banqi-board').mine")
                page.locator("[data-part=typed] input").fill(move)
                page.locator("[data-part=typed] input").press("Enter")
            else:
                caller.ask(pair, 1, type="move", move=move, after=state["number"])
            until(page, "(number) => document.querySelector('banqi-moves').moves.length > number", played)
            state = caller.state(made["game"])
            until(page, "(mine) => document.querySelector('banqi-board').mine === mine", state["to_act"] == 0)
            last = state["last"]
            if match := re.fullmatch(r"([a-h][0-9]+)\(.\)|[a-h][0-9]+-([a-h][0-9]+)\(.\)", last):
                seen.add(geometry.index(match[1] or match[2]))
            transcript.take("text", page.locator("body").inner_text())
            transcript.take("page", page.locator("body").inner_html())
        for answer in bodies:
            transcript.take("http", f"{answer.status} {answer.text()}")
    # Keys are random; in what order a frame and a drawing come is chance.
    parts = [re.sub(r'"key":"[0-9a-f]+"', '"key":0', part) for part in transcript.parts]
    return sorted(parts), seen


@pytest.mark.parametrize("rules", ["taiwan", "junqi"])
def test_the_page_learns_nothing_of_what_lies_face_down(
    chromium: Browser, rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two deals that differ in what nobody has seen, the same hands: every frame and all of the page are equal."""
    for seed in range(tenth(10)):
        rng = random.Random(f"page {rules} {seed}")
        layout = shuffled(rules, rng)
        found = []
        for turn in range(2):
            with under(layout, monkeypatch), served(f"sqlite:///{tmp_path}/{seed}-{turn}.db") as address:
                parts, seen = seen_by_page(address, chromium, rules, seed)
            found.append(parts)
            layout = swapped(layout, seen, rng)
        assert len(found[0]) > 60
        assert found[0] == found[1]
