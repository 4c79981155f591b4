"""The lessons of the page: each can be done, what is no way to do it is explained, and the rules agree."""

from typing import Any

import pytest

from banqi import Position
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
