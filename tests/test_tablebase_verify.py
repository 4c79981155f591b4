"""The verifier of endgame tables: it passes right ones, and names what is wrong with others."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from banqi import Rules, TablebaseError
from banqi.cli import main
from banqi.engine import SHIPPED_TABLES
from banqi.tablebase.build import build_class, plan
from banqi.tablebase.verify import Collection, TableValues, check_table, faults, files_of
from banqi.tablebase.verify_reader import Numbering, Table, read_contents
from banqi.tablebase.verify_rules import Game
from banqi.tablebase.verify_solver import materials
from forged_tables import copied, forge, forge_entry, header_of
from sizes import VERIFY, tenth

# Rule sets that differ in what tables depend on: rankings, cannons, chains, attempts, screens.
RULES = (
    "taiwan",
    "hongkong",
    "mainland",
    "cannon-adjacent",
    "children",
    "cannon-chain",
    "hongkong(cannon=jump, dark_capture)",
    "cannon-adjacent(dark_capture, chain=cannon)",
)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of 2 pieces, up to 2 face down, of 3 pieces, up to 1 face down, for every rule set above."""
    root = tmp_path_factory.mktemp("tables")
    for rules in RULES:
        for task in plan(Rules.parse(rules), 3, 2):
            if task.entry.pieces + task.entry.hidden <= 4:
                build_class(str(root), *task.key)
    return root


# ---- right tables ------------------------------------------------------------------------------------------------


def test_the_tables_of_the_package_are_right() -> None:
    collection = Collection(SHIPPED_TABLES)
    reports = [check_table(collection, contents.path, 1 << 20, 0) for contents in files_of(SHIPPED_TABLES, None)]
    assert all(report.checked == report.entries for report in reports)
    game = Game(Rules.parse("taiwan"))
    assert not any(collection.lacks(game, material) for pieces in (2, 3) for material in materials(pieces))
    assert all(collection.lacks(game, material) for material in materials(4))


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_built_tables_are_right(tables: Path, rules: str) -> None:
    collection = Collection(tables)
    for contents in files_of(tables, Rules.parse(rules)):
        report = check_table(collection, contents.path, tenth(1 << 20), 1)
        assert report.checked == report.entries


@pytest.mark.slow
def test_tables_of_four_pieces_are_right(tmp_path: Path) -> None:
    tasks = plan(Rules.parse("taiwan"), 4)
    for task in tasks:
        if task.entry.pieces < 4:
            build_class(str(tmp_path), *task.key)
    four = [task for task in tasks if task.entry.pieces == 4]
    chosen = four if VERIFY else random.Random(5).sample(four, 6)
    for task in chosen:
        build_class(str(tmp_path), *task.key)
        path = tmp_path / "taiwan" / f"{task.entry.name}.tb"
        assert check_table(Collection(tmp_path), path, tenth(1_000_000), 2).checked >= min(100_000, task.entries)


# ---- wrong values --------------------------------------------------------------------------------------------------


def wrong(path: Path, entries: NDArray[np.int64]) -> dict[int, str]:
    """Which of some entries of a file are wrong, and how."""
    contents = read_contents(path)
    game = Game(Rules.parse(contents.rules))
    values = TableValues(game, Collection(path.parent.parent), counts_plies=not contents.hidden)
    return dict(faults(contents, values, entries))


def spoilt(tables: Path, tmp_path: Path, name: str) -> Path:
    return copied(tables, tmp_path / "spoilt") / name


@pytest.mark.parametrize("name", ["taiwan/Kvgp.tb", "taiwan/Cvcc.tb", "mainland/Kvk.tb", "taiwan(chain=any)/Kvkp.tb"])
def test_any_other_value_is_found_at_its_entry(tables: Path, tmp_path: Path, name: str) -> None:
    path = spoilt(tables, tmp_path, name)
    right = path.read_bytes()
    table = Table(read_contents(path))
    rng = random.Random(name)
    for _ in range(tenth(100)):
        entry = rng.randrange(table.contents.entries)
        result, plies = int(table.results[entry]), int(table.plies[entry])
        others = [(0, 0), (result + 1, plies), (result + 2, plies), (max(result - 1, 0), plies), (result, plies + 1)]
        for other in set(others) - {(result, plies)}:
            forge_entry(path, entry, *other)
            found = wrong(path, np.arange(table.contents.entries))
            # Others whose play leads there may be named as well, and a twin of the same position.
            assert entry in found
            with pytest.raises(TablebaseError, match=r"is wrong: .* is stored as .*, by its moves it is "):
                check_table(Collection(path.parent.parent), path, 1 << 20, 0)
            path.write_bytes(right)


@pytest.mark.parametrize("name", ["taiwan/Kvg+vc.tb", "taiwan/v+Kvg.tb", "children/Pvk+vc.tb"])
def test_any_other_expected_result_is_found_at_its_entry(tables: Path, tmp_path: Path, name: str) -> None:
    path = spoilt(tables, tmp_path, name)
    right = path.read_bytes()
    table = Table(read_contents(path))
    rng = random.Random(name)
    for _ in range(tenth(100)):
        entry = rng.randrange(table.contents.entries)
        result, plies = int(table.results[entry]), int(table.plies[entry])
        best = 2 * table.contents.denominator
        for other in {(value, plies) for value in range(best + 1)} | {(result, plies + 1)}:
            if other != (result, plies):
                forge_entry(path, entry, *other)
                assert entry in wrong(path, np.array([entry]))
                path.write_bytes(right)


def test_a_draw_that_is_won_by_a_quiet_move_is_found(tmp_path: Path) -> None:
    # The field's fault: what is won only by a quiet move is called a draw, and so is all that hangs on it. A general
    # against an advisor is won at an odd distance (test of the opposition), at distance 1 by taking.
    path = copied(SHIPPED_TABLES, tmp_path / "tables") / "taiwan" / "Kvg.tb"
    contents = read_contents(path)
    table = Table(contents)
    at_once = table.results == 2
    results = np.where(at_once, table.results, 0)
    plies = np.where(at_once, table.plies, 0)
    values = {"1": int(at_once.sum()), "0": int((~at_once).sum()), "-1": 0}
    first = {"plies": 1, "index": int(at_once.argmax())}
    forge(path, (results, plies), values=values, longest_win=first, longest_exit=first, reachable_exit=1)
    with pytest.raises(TablebaseError, match=r"is stored as a draw .*, by its moves it is a loss in 2"):
        check_table(Collection(path.parent.parent), path, 1000, 0)


def test_no_legal_move_called_a_draw_is_found(tmp_path: Path) -> None:
    # Two cannons hold a third in the corner: it has no action, and has lost.
    path = copied(SHIPPED_TABLES, tmp_path / "tables") / "taiwan" / "Cvcc.tb"
    entry = int(np.flatnonzero(Table(read_contents(path)).results == 1)[0])
    forge_entry(path, entry, 0, 0)
    fault = wrong(path, np.array([entry]))[entry]
    assert "is stored as a draw" in fault
    assert "by its moves it is a loss in 0" in fault


# ---- wrong files -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"values": {"1": 128, "0": 249, "-1": 119}}, "the counts of results are"),
        ({"longest_win": None}, "the longest win is"),
        ({"longest_win": {"plies": 17, "index": 0}}, "the longest win is"),
        ({"longest_exit": {"plies": 16, "index": 0}}, "the longest exit is"),
        ({"reachable_exit": 17}, "reachable_exit is 18, not 17"),
        ({"reachable_exit": 19}, "reachable_exit is 18, not 19"),
        ({"symmetric": True}, "another number of entries"),
        ({"entries": 495}, "another number of entries"),
        ({"groups": ["K", "m"]}, "its groups are not its material"),
        ({"groups": ["g", "K"]}, "its groups are not its material"),
        ({"first": 2}, "its groups are not its material"),
        ({"first": -1}, "its groups make no sense"),
        ({"hidden": 1}, "its material makes no sense"),
        ({"material": "Kvm"}, "it is the table Kvm of taiwan"),
        ({"rules": "mainland"}, "it is the table Kvg of mainland"),
        ({"denominator": 1}, "its denominator is another one"),
        ({"codec": "zstd"}, "the codec is zstd"),
        ({"version": 2}, "another version"),
        ({"block_bytes": 16384}, "another version or other blocks"),
        ({"widths": [1, 4]}, "numbers of another width"),
        ({"widths": [2, 1]}, "block 0 holds 496 bytes, not 992"),
        ({"entries": "496"}, "the field entries is a str"),
        ({"more": 1}, "has others"),
    ],
)
def test_a_header_that_lies_is_found(tmp_path: Path, fields: dict[str, object], words: str) -> None:
    path = copied(SHIPPED_TABLES, tmp_path / "tables") / "taiwan" / "Kvg.tb"
    table = Table(read_contents(path))
    forge(path, (table.results, table.plies), **fields)
    with pytest.raises(TablebaseError, match=words):
        check_table(Collection(path.parent.parent), path, 1000, 0)


def test_forging_nothing_changes_nothing(tmp_path: Path) -> None:
    path = copied(SHIPPED_TABLES, tmp_path / "tables") / "taiwan" / "Kvg.tb"
    header = header_of(path)
    table = Table(read_contents(path))
    forge(path, (table.results, table.plies))
    assert check_table(Collection(path.parent.parent), path, 1000, 0).entries == header["entries"]


def test_a_table_for_other_pieces_is_found(tmp_path: Path) -> None:
    # Right in itself, but under the name of another class.
    path = copied(SHIPPED_TABLES, tmp_path / "tables") / "taiwan" / "Kvg.tb"
    table = Table(read_contents(path))
    path.unlink()
    other = path.with_name("Kvk.tb")
    both = np.arange(248)
    forge(other, (table.results[both], table.plies[both]))
    with pytest.raises(TablebaseError, match=r"is broken|is wrong"):
        check_table(Collection(path.parent.parent), other, 1000, 0)


def test_two_tables_for_one_material_are_found(tmp_path: Path) -> None:
    path = copied(SHIPPED_TABLES, tmp_path / "tables") / "taiwan" / "Kvg.tb"
    table = Table(read_contents(path))
    other = path.with_name("Kvm.tb")
    other.write_bytes(path.read_bytes())
    forge(other, (table.results, table.plies), material="Kvm", groups=["K", "m"])
    with pytest.raises(TablebaseError, match="more than one table for Kg with b to move: Kvg and Kvm"):
        check_table(Collection(path.parent.parent), path, 1000, 0)


def test_a_table_that_lacks_is_named(tmp_path: Path) -> None:
    root = copied(SHIPPED_TABLES, tmp_path / "tables")
    (root / "taiwan" / "Kvg.tb").unlink()
    with pytest.raises(TablebaseError, match=r"lacks a table for .* to move"):
        check_table(Collection(root), root / "taiwan" / "Kvgg.tb", 1 << 20, 0)


# ---- numbering ---------------------------------------------------------------------------------------------------


SIZES = [(1, 1), (2,), (1, 2), (2, 1), (3,), (2, 2), (1, 1, 1), (1, 1, 1, 1), (2, 3), (3, 2), (1, 1, 1, 2)]


@pytest.mark.parametrize("sizes", SIZES)
def test_positions_and_numbers_are_inverse(sizes: tuple[int, ...]) -> None:
    numbering = Numbering(sizes)
    numbers = np.arange(0, numbering.placements, max(1, numbering.placements // 300_000))
    squares = numbering.squares(numbers)
    assert all(len(set(column)) == sum(sizes) for column in squares[:, :1000].T.tolist())
    again = numbering.number(squares)
    if min(sizes) == 1:
        assert (again == numbers).all()
        for mirror in (3, 28, 31):
            assert (numbering.number(squares ^ mirror) == numbers).all()
    # A set of squares that a mirroring leaves where it is: some positions have two numbers, of which one is found.
    assert (numbering.number(numbering.squares(again)) == again).all()
    assert (again == numbers).mean() > 0.9


def test_numbers_by_hand() -> None:
    # One against one. K on b2 (file 1, rank 1: placement 3), g on c5 = 18; below c5 the K takes one square: 17.
    assert Numbering((1, 1)).number(np.array([[5], [18]])) == 3 * 31 + 17
    # K on d8 is mirrored to a1, placement 0, and g from d7 = 27 to a2 = 4, of which one square below is taken: 3.
    assert Numbering((1, 1)).number(np.array([[31], [27]])) == 3
    # K on d8, two alike on c1 = 2 and a1 = 0: mirrored to a1, b8 = 29 and d8 = 31; without a1 these count as 28 and 30,
    # so the set's number is C(28, 1) + C(30, 2) = 28 + 435.
    assert Numbering((1, 2)).number(np.array([[31], [2], [0]])) == 463


# ---- the command -------------------------------------------------------------------------------------------------


def test_the_command_says_what_it_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tablebase", "verify", "--jobs", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "taiwan/Cvc: right, 248 of 248 positions checked"
    assert lines[-1] == "25 tables are right, 240,064 positions checked"


def test_the_command_says_which_materials_lack_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = copied(SHIPPED_TABLES, tmp_path / "tables")
    # One cannon against another: the one material of its class, to which no play of two other pieces leads.
    for path in (root / "taiwan").glob("*.tb"):
        if path.name not in ("Kvg.tb", "Kvk.tb", "Kvc.tb", "Pvc.tb"):
            path.unlink()
    assert main(["tablebase", "verify", "--dir", str(root), "--jobs", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "taiwan, 2 pieces, 0 face down: 1 of 49 materials have no table"


def test_the_command_speaks_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tablebase", "verify", "--json", "--positions", "100", "--seed", "7", "--rules", "taiwan"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["positions"], answer["seed"], answer["solved"]) == (100, 7, [])
    # 7 kinds against 7; 1 piece against 2, of which no two are generals, either side having the 2.
    assert answer["coverage"] == [
        {"rules": "taiwan", "pieces": 2, "hidden": 0, "materials": 7 * 7, "lacking": 0},
        {"rules": "taiwan", "pieces": 3, "hidden": 0, "materials": 2 * 7 * 27, "lacking": 0},
    ]
    assert [row["checked"] for row in answer["classes"]] == [100] * 25
    assert answer["classes"][0] == {
        "rules": "taiwan",
        "material": "Cvc",
        "pieces": 2,
        "hidden": 0,
        "entries": 248,
        "checked": 100,
        "denominator": 1,
        # A cannon needs a screen: two of them cannot hurt each other.
        "values": {"1": 0, "0": 248, "-1": 0},
        "longest_win": None,
        "longest_exit": None,
        "reachable_exit": 0,
    }


def test_the_command_names_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = copied(SHIPPED_TABLES, tmp_path / "tables")
    forge_entry(root / "taiwan" / "Kvg.tb", 5, 0, 0)
    assert main(["tablebase", "verify", "--dir", str(root), "--jobs", "1"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"banqi: {root / 'taiwan' / 'Kvg.tb'} is wrong: ")
    assert "is stored as" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--positions", "0"], "positions must be"),
        (["--seed", "-1"], "seed must be"),
        (["--jobs", "0"], "jobs must be"),
        (["--rules", "hongkong"], "holds no endgame tables of hongkong"),
        (["--dir", "nowhere"], "there is no folder 'nowhere'"),
    ],
)
def test_the_command_refuses_nonsense(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tablebase", "verify", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_the_command_can_be_interrupted() -> None:
    command = [sys.executable, "-m", "banqi", "tablebase", "verify", "--solve", "--jobs", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=60)
    assert (out, error, process.returncode) == ("", "banqi: interrupted\n", 130)
