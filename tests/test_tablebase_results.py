"""RESULTS.md is what the verifier's reports say."""

import json

import pytest

from banqi.cli import main
from banqi.tablebase.verify_results import written
from tools import ROOT

RESULTS = ROOT / "banqi" / "tablebase" / "RESULTS.md"


def test_the_results_name_every_class_with_its_longest_win(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tablebase", "verify", "--json", "--jobs", "1"]) == 0
    report = json.loads(capsys.readouterr().out)
    report["solved"] = [{"rules": "taiwan", "pieces": 2, "hidden": 0, "materials": 49, "positions": 97216}]
    lines = "\n".join(written([report])).split("\n")
    # One against one: by opposition, the board counted once for its 4 images.
    assert "5 classes, 1,984 positions: 384 won, 1,240 drawn, 360 lost." in lines
    assert "| Cvc | 248 | 0 | 248 | 0 | - | - | 0 |  |" in lines
    assert [line for line in lines if line.startswith("| Kvk |")] == [
        "| Kvk | 248 | 128 | 0 | 120 | 17 | 18 | 18 | `4/4/4/4/4/4/4/K2k r - - 0` |"
    ]
    assert sum(line.startswith("| ") for line in lines) == 25 + 2
    assert any("`taiwan` 2 pieces, 0 face down" in line for line in lines)


def test_the_results_name_the_classes_that_the_quiet_limit_cuts_short(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tablebase", "verify", "--json", "--jobs", "1"]) == 0
    report = json.loads(capsys.readouterr().out)
    for row in report["classes"]:
        row["reachable_exit"] = {"Kvk": 180, "Kvgg": 181, "Pvcp": 200}.get(row["material"], 0)
    lines = "\n".join(written([report])).split("\n")
    assert "Under a quiet limit of 180 plies they all hold." in lines
    assert "Under a quiet limit of 180 plies some results of Kvgg, Pvcp come too late; all others hold." in lines


def test_results_with_pieces_face_down_are_added_up() -> None:
    """By hand: 2/2 is 1, and 1/2 stays; the longer of two exits is told with its position."""
    row = {"rules": "taiwan", "pieces": 2, "hidden": 2, "denominator": 2, "reachable_exit": 3}
    one = row | {
        "material": "v+Kg",
        "entries": 5,
        "checked": 5,
        "values": {"2": 1, "1": 4, "0": 0},
        "longest_exit": [1, "one"],
    }
    other = row | {
        "material": "v+Kp",
        "entries": 7,
        "checked": 7,
        "values": {"2": 2, "0": 5},
        "longest_exit": [3, "other"],
    }
    none = row | {
        "material": "v+Cp",
        "entries": 3,
        "checked": 3,
        "values": {"0": 3},
        "longest_exit": None,
        "reachable_exit": 0,
    }
    solved = [{"rules": "taiwan", "pieces": 2, "hidden": 2, "materials": 1, "positions": n} for n in (3, 7)]
    first = {"classes": [one | {"checked": 4}, other], "solved": solved}
    # What two reports have counts once.
    lines = "\n".join(written([first, {"classes": [one, none], "solved": solved}])).split("\n")
    assert "- `taiwan`, some face down: 15 of 15 positions of 3 tables checked." in lines
    assert any(line.startswith("- 10 positions of 2 and 3 pieces were solved") for line in lines)
    assert "3 classes, 15 positions. `banqi tablebase stats` lists them." in lines
    assert lines[-1] == "| 2 | 3 | 15 | 1: 3, 1/2: 4, 0: 8 | 3 | 3 | `other` |"


@pytest.mark.checkout
def test_the_stored_results_hold_what_the_tables_of_the_package_say(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tablebase", "verify", "--json", "--jobs", "1"]) == 0
    rows = [line for line in written([json.loads(capsys.readouterr().out)]) if line.startswith("| ")]
    assert set(rows) <= set(RESULTS.read_text(encoding="utf-8").split("\n"))
