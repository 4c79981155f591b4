"""Luck and skill as the page counts them; what is expected was worked out by hand from the definition in its README."""

from collections.abc import Iterator
from typing import Any

import pytest

import banqi
from page_process import PageRules, page_rules


@pytest.fixture(scope="module")
def page() -> Iterator[PageRules]:
    with page_rules() as process:
        yield process


def action(seat: int, best: float | None, played: float | None, mean: float | None, after: float | None) -> Any:
    return {"seat": seat, "best": best, "played": played, "mean": mean, "after": after}


def test_luck_and_loss_are_summed_for_who_acted(page: PageRules) -> None:
    report = page.ask(
        "luckAndSkill",
        [
            action(0, 0.25, 0.25, 0.25, 0.75),  # A good flip, and luck.
            action(1, -0.5, -0.75, None, None),  # A step that gives away a quarter.
            action(0, 0.75, 0.5, 0.5, -0.5),  # A flip that gives away a quarter, and bad luck.
            action(1, 0.5, 0.5, 0.5, 0.75),
            action(0, None, None, None, None),  # Nobody has looked.
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
    assert report["missing"] == 1


def test_a_game_without_actions(page: PageRules) -> None:
    report = page.ask("luckAndSkill", [])
    assert report == {
        "plies": [], "luck": [0, 0], "loss": [0, 0], "series": {"luck": [[], []], "loss": [[], []]}, "missing": 0,
    }  # fmt: skip


LINES = [
    {"move": "a1-a2", "value": 0.5, "reveals": []},
    {
        "move": "b1",
        "value": 0.25,
        "reveals": [
            {"identity": "K", "chance": 0.25, "value": 1.0},
            {"identity": "p", "chance": 0.75, "value": 0.0},
        ],
    },
]


@pytest.mark.parametrize(
    ("move", "letter", "expected"),
    [
        ("a1-a2", None, action(1, 0.5, 0.5, None, None)),
        ("b1", "K", action(1, 0.5, 0.25, 0.25, 1.0)),
        ("b1", "p", action(1, 0.5, 0.25, 0.25, 0.0)),
        ("c1", "p", action(1, None, None, None, None)),
    ],
)
def test_a_search_weighs_an_action(page: PageRules, move: str, letter: str | None, expected: Any) -> None:
    assert page.ask("weighed", 1, LINES, move, letter) == expected


def test_luck_of_all_that_can_be_turned_up_is_nothing(page: PageRules) -> None:
    """The mean luck of a flip, over what it may turn up, is 0, whatever the engine thinks."""
    position = banqi.Position.from_fen("kCPm/gpxx/rPPr/xNxx/xKpG/Rx1x/xpmx/MPpM r GRNCPgnccp - 1")
    with banqi.Engine(threads=1, hash_mb=16) as engine:
        infos = engine.analyse(position, banqi.Limit(depth=1), multipv=40)
    lines = [
        {
            "move": str(info.move),
            "value": info.score.value,
            "reveals": [
                {"identity": reveal.identity, "chance": reveal.chance, "value": reveal.score.value}
                for reveal in info.reveals
            ],
        }
        for info in infos
    ]
    flip = next(line for line in lines if line["reveals"])
    mean = 0.0
    for reveal in flip["reveals"]:
        entry = page.ask("weighed", 0, lines, flip["move"], reveal["identity"])
        mean += reveal["chance"] * page.ask("luckAndSkill", [entry])["luck"][0]
    assert mean == pytest.approx(0, abs=1e-9)
