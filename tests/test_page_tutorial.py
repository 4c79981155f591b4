"""The lessons of the page: each can be done, what is no way to do it is explained, and the rules agree."""

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from banqi import Position
from banqi.geometry import Geometry
from browser import DESKTOP, PHONE, browser, opened, page_served
from page_words import page_words


@pytest.fixture(scope="module")
def words() -> Any:
    return page_words()


# What each task is about, by the rules: the only moves that do it, None for any that is legal.
GOALS = {
    "first_flip": None,
    "first_step": {"b2-b1", "b2-a2", "b2-c2", "b2-b3"},
    "lower": {"b2-b3", "b2-c2"},
    "soldier": {"b2-b3"},
    "general": {"b2-a2"},
    "jump": {"b1-b4"},
    "last_piece": {"b2-b3"},
    "stuck": {"a3-a2"},
    "flag": {"a3-e9"},
}


def test_lessons_are_flip_step_ladder_cannon_end_and_junqi(words: Any) -> None:
    assert list(dict.fromkeys(task["lesson"] for task in words["tasks"])) == [
        *("flip", "step", "ladder", "cannon", "end", "junqi")
    ]
    assert [task["name"] for task in words["tasks"]] == list(GOALS)


def test_every_task_is_done_by_the_moves_it_is_about_and_by_no_other(words: Any) -> None:
    for task in words["tasks"]:
        done = {move for move, answer in task["answers"].items() if answer["done"]}
        goals = GOALS[task["name"]]
        assert done == (set(task["answers"]) - set(task["tries"]) if goals is None else goals), task["name"]


def test_what_is_offered_is_legal_or_a_try_that_the_rules_forbid(words: Any) -> None:
    for task in words["tasks"]:
        position = Position.from_fen(task["fen"], rules=task["rules"])
        for move, answer in task["answers"].items():
            assert (move in position.legal_moves) is not (move in task["tries"]), (task["name"], move)
            if answer["done"]:
                position.push(next(one.move for one in position.outcomes(move) if one.identity == answer["letter"]))
                assert answer["after"] == position.fen()
                assert answer["offered"] == []
                if answer["key"] in ("tutorial.last_piece.done", "tutorial.stuck.done", "tutorial.flag.done"):
                    outcome = position.outcome()
                    assert outcome is not None
                    assert outcome.winner == "r"
                position.pop()
            else:
                assert answer["after"] == task["fen"]


def test_every_answer_has_its_text(words: Any) -> None:
    texts = words["texts"]["en"]
    for task in words["tasks"]:
        assert f"tutorial.{task['lesson']}.title" in texts
        assert f"tutorial.{task['name']}.text" in texts
        assert {answer["key"] for answer in task["answers"].values()} <= set(texts)
    # And there is no answer that nobody can get.
    given = {answer["key"] for task in words["tasks"] for answer in task["answers"].values()}
    assert {key for key in texts if key.startswith("tutorial.wrong.")} <= given


def test_small_boards_show_all_that_stands_there(words: Any) -> None:
    for task in words["tasks"]:
        shown, whole = task["shown"].split(" "), task["fen"].split(" ")
        assert shown[1:] == whole[1:]
        hidden = whole[0].removesuffix(shown[0])
        assert set(hidden) <= set("4/")


# ---- in a browser --------------------------------------------------------------------------------------------------

MOUNT = """async (code) => {
    await (await import("/page/languages/index.js")).choose(code);
    await import("/page/board/board.js");
    const root = document.createElement("main");
    document.body.replaceChildren(root);
    window.left = 0;
    root.addEventListener("leave", () => { window.left += 1; });
    const { showTutorial } = await import("/page/tutorial/index.js");
    showTutorial(root);
}"""
BACK, AGAIN, NEXT = range(3)


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_lessons_are_played_from_the_first_to_the_last(screen: dict[str, Any], words: Any, tmp_path: Path) -> None:
    texts = words["texts"]["en"]
    with page_served(tmp_path) as address, browser() as made, opened(made, address, **screen) as page:
        page.evaluate(MOUNT, "en")
        lessons = page.locator("banqi-tutorial")
        for task in words["tasks"]:
            lessons.get_by_text(texts[f"tutorial.{task['name']}.text"], exact=True).wait_for()
            geometry = Position.from_fen(task["fen"], rules=task["rules"]).rules.geometry

            def touch(name: str, geometry: Geometry = geometry) -> None:
                square = lessons.locator(f'[data-square="{geometry.index(name)}"]')
                square.tap() if screen.get("has_touch") else square.click()

            def act(move: str, touch: Any = touch) -> None:
                for name in move.split("-"):
                    touch(name)
                    # The board takes two clicks at one instant for one.
                    page.wait_for_timeout(50)

            told = lessons.get_by_role("status")
            for move, reason in task["tries"].items():
                act(move)
                told.get_by_text(texts[f"tutorial.wrong.{reason}"], exact=True).wait_for()
            move = next(move for move, answer in task["answers"].items() if answer["done"])
            act(move)
            done = texts[f"tutorial.{task['name']}.done"].partition("{")[0]
            told.get_by_text(done).wait_for()
            lessons.get_by_role("button").nth(NEXT).click()
        assert page.evaluate("window.left") == 1


@pytest.mark.slow
def test_lessons_fit_on_a_phone_in_every_language_and_keep_nobody_out(words: Any, tmp_path: Path) -> None:
    with page_served(tmp_path) as address, browser() as made:
        for number, language in enumerate(words["languages"]):
            scheme = ("light", "dark")[number % 2]
            # What looks for faults of accessibility writes styles of its own.
            with opened(made, address, **PHONE, color_scheme=scheme, bypass_csp=True) as page:
                page.evaluate(MOUNT, language["code"])
                buttons = page.locator("banqi-tutorial").get_by_role("button")
                for task in words["tasks"]:
                    text = words["texts"][language["code"]][f"tutorial.{task['name']}.text"]
                    page.get_by_text(text, exact=True).wait_for()
                    assert page.evaluate("document.documentElement.scrollWidth") <= 360
                    box = buttons.nth(NEXT).bounding_box()
                    assert box is not None
                    # Seen without scrolling, but for long texts on this small screen.
                    assert box["y"] + box["height"] <= 1.2 * 740, (language["code"], task["name"], box)
                    buttons.nth(NEXT).click()
                buttons.nth(BACK).click()
                found = Axe().run(page, options={"preload": False}).response["violations"]
                assert [fault["id"] for fault in found if fault["impact"] in ("serious", "critical")] == []
