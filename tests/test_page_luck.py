"""Luck and skill as the page counts them; what is expected was worked out by hand from the definition in its README."""

from collections.abc import Iterator
from typing import Any

import pytest

from page_process import PageRules, page_rules


@pytest.fixture(scope="module")
def page() -> Iterator[PageRules]:
    with page_rules() as process:
        yield process


def action(seat: int, best: float, played: float, mean: float | None, after: float | None) -> Any:
    return {"seat": seat, "best": best, "played": played, "mean": mean, "after": after}


def test_luck_and_loss_are_summed_for_who_acted(page: PageRules) -> None:
    report = page.ask(
        "luckAndSkill",
        [
            action(0, 0.25, 0.25, 0.25, 0.75),  # A good flip, and luck.
            action(1, -0.5, -0.75, None, None),  # A step that gives away a quarter.
            action(0, 0.75, 0.5, 0.5, -0.5),  # A flip that gives away a quarter, and bad luck.
            action(1, 0.5, 0.5, 0.5, 0.75),
            action(0, -1, -1, None, None),
            action(1, 0.5, 0.625, None, None),  # What was played is found better than the best.
        ],
    )
    assert [(ply["seat"], ply["luck"], ply["loss"]) for ply in report["plies"]] == [
        (0, 0.5, 0), (1, 0, 0.25), (0, -1, 0.25), (1, 0.25, 0), (0, 0, 0), (1, 0, 0),
    ]  # fmt: skip
    assert report["luck"] == [-0.5, 0.25]
    assert report["loss"] == [0.25, 0.25]
    assert report["series"] == {
        "luck": [[0.5, 0.5, -0.5, -0.5, -0.5, -0.5], [0, 0, 0, 0.25, 0.25, 0.25]],
        "loss": [[0, 0, 0.25, 0.25, 0.25, 0.25], [0, 0.25, 0.25, 0.25, 0.25, 0.25]],
    }


def test_a_game_without_actions(page: PageRules) -> None:
    report = page.ask("luckAndSkill", [])
    assert report == {
        "plies": [], "luck": [0, 0], "loss": [0, 0], "series": {"luck": [[], []], "loss": [[], []]},
    }  # fmt: skip
