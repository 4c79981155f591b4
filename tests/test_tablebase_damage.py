"""No truncation and no changed bit of a table goes unnoticed, by the package's reader and by the verifier's."""

import os
import random
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from banqi import Engine, Limit, Position, Rules, Tablebase, TablebaseError
from banqi.cli import main
from banqi.engine import SHIPPED_TABLES
from banqi.tablebase import format as files
from banqi.tablebase.build import build_class, path_of, plan
from banqi.tablebase.verify import files_of
from banqi.tablebase.verify_reader import Table, read_contents
from banqi.tablebase.verify_rules import fen
from forged_tables import copied, forge, prefix
from sizes import VERIFY, tenth

SMALL = "Kvk"


@pytest.fixture(scope="module")
def small() -> bytes:
    return (SHIPPED_TABLES / "taiwan" / f"{SMALL}.tb").read_bytes()


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a table that is compressed, with those that it leads to."""
    root = tmp_path_factory.mktemp("packed")
    tasks = plan(Rules.parse("taiwan"), 4)
    sizes = {}
    for task in tasks:
        if task.entry.pieces < 4:
            build_class(str(root), *task.key)
    for task in [task for task in tasks if task.entry.pieces == 4 and task.entries < 80_000]:
        sizes[build_class(str(root), *task.key).size] = task.entry.name
    name = sizes[min(sizes)]
    for other in sizes.values():
        if other != name:
            (root / "taiwan" / f"{other}.tb").unlink()
    (root / "name").write_text(name)
    return root


def notice(root: Path, name: str, positions: list[str], answers: list[Fraction]) -> list[str]:
    """What a reader makes of a table: for each the error, or "right"; a wrong value fails."""
    said = []
    try:
        with Tablebase(root) as tables:
            values = []
            for text in positions:
                found = tables.probe(Position.from_fen(text))
                assert found is not None
                values.append(found.value)
        assert values == answers
        said.append("right")
    except TablebaseError as error:
        said.append("error" if "\n" not in str(error) else "lines")
    try:
        table = Table(read_contents(root / "taiwan" / f"{name}.tb"))
        assert len(table.results) == table.contents.entries
        said.append("right")
    except TablebaseError as error:
        said.append("error" if "\n" not in str(error) else "lines")
    return said


def samples(root: Path, name: str, rng: random.Random, count: int) -> tuple[list[str], list[Fraction]]:
    """Some positions of a table, and what it says of them as long as it is whole."""
    contents = read_contents(root / "taiwan" / f"{name}.tb")
    table = Table(contents)
    texts, values = [], []
    for entry in rng.sample(range(contents.entries), count):
        side = "r" if entry < table.numbering.placements else "b"
        texts.append(fen(contents.example, table.positions(np.array([entry])), side))
        result = int(table.results[entry])
        values.append(Fraction(0 if result == 0 else 1 if result % 2 == 0 else -1))
    return texts, values


@pytest.mark.slow
def test_every_truncation_of_a_small_table_is_noticed(small: bytes, tmp_path: Path) -> None:
    path = tmp_path / "taiwan" / f"{SMALL}.tb"
    path.parent.mkdir()
    path.write_bytes(small)
    texts, values = samples(tmp_path, SMALL, random.Random(1), 10)
    assert notice(tmp_path, SMALL, texts, values) == ["right", "right"]
    for length in range(len(small)):
        path.write_bytes(small[:length])
        assert notice(tmp_path, SMALL, texts, values) == ["error", "error"]
    for more in (b"\0", b" " * 100, small):
        path.write_bytes(small + more)
        assert notice(tmp_path, SMALL, texts, values) == ["error", "error"]


@pytest.mark.slow
def test_every_changed_bit_of_a_small_table_is_noticed(small: bytes, tmp_path: Path) -> None:
    path = tmp_path / "taiwan" / f"{SMALL}.tb"
    path.parent.mkdir()
    path.write_bytes(small)
    texts, values = samples(tmp_path, SMALL, random.Random(2), 10)
    for bit in range(8 * len(small)):
        spoilt = bytearray(small)
        spoilt[bit // 8] ^= 1 << bit % 8
        path.write_bytes(spoilt)
        if VERIFY or bit // 8 % 8 == bit % 8:
            assert notice(tmp_path, SMALL, texts, values) == ["error", "error"]
        else:
            with pytest.raises(TablebaseError):
                Table(read_contents(path))


@pytest.mark.slow
def test_damage_of_a_compressed_table_gives_no_wrong_value(packed: Path) -> None:
    name = (packed / "name").read_text()
    path = packed / "taiwan" / f"{name}.tb"
    right = path.read_bytes()
    rng = random.Random(3)
    texts, values = samples(packed, name, rng, 30)
    assert notice(packed, name, texts, values) == ["right", "right"]
    try:
        for _ in range(tenth(2000)):
            bit = rng.randrange(8 * len(right))
            spoilt = bytearray(right)
            spoilt[bit // 8] ^= 1 << bit % 8
            path.write_bytes(spoilt)
            # The package may open a table of which a block is broken that no position here lies in.
            assert notice(packed, name, texts, values)[1] == "error"
            path.write_bytes(right[: rng.randrange(len(right))])
            assert notice(packed, name, texts, values) == ["error", "error"]
    finally:
        path.write_bytes(right)


@pytest.mark.parametrize(
    "data",
    [b"", b"BANQITAB", b"BANQITAB" + b"\xff" * 8, b"BANQITAB" + b"\0" * 8, b"\0" * 1000, b"PK\x03\x04" + b"\0" * 2000],
)
def test_what_is_no_table_is_noticed(data: bytes, small: bytes, tmp_path: Path) -> None:
    path = tmp_path / "taiwan" / f"{SMALL}.tb"
    path.parent.mkdir()
    path.write_bytes(small)
    texts, values = samples(tmp_path, SMALL, random.Random(4), 3)
    path.write_bytes(data)
    assert notice(tmp_path, SMALL, texts, values) == ["error", "error"]


@pytest.mark.parametrize("other", ["Kvg", "Cvc", "Pvc", "KCvc"])
def test_the_table_of_another_class_is_noticed(other: str, small: bytes, tmp_path: Path) -> None:
    path = tmp_path / "taiwan" / f"{SMALL}.tb"
    path.parent.mkdir()
    path.write_bytes(small)
    texts, values = samples(tmp_path, SMALL, random.Random(5), 3)
    path.write_bytes((SHIPPED_TABLES / "taiwan" / f"{other}.tb").read_bytes())
    assert notice(tmp_path, SMALL, texts, values) == ["error", "error"]


def test_a_table_under_another_name_of_its_class_is_noticed(tmp_path: Path) -> None:
    path = copied(SHIPPED_TABLES, tmp_path / "tables") / "taiwan" / "Kvc.tb"
    table = Table(read_contents(path))
    other = path.rename(path.with_name("Gvc.tb"))
    forge(other, (table.results, table.plies), material="Gvc", groups=["G", "c"])
    with pytest.raises(TablebaseError, match="the class has the name Kvc"):
        Tablebase(tmp_path / "tables", "taiwan")


def test_the_table_of_other_rules_is_noticed(small: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "hongkong"
    folder.mkdir()
    (folder / f"{SMALL}.tb").write_bytes(small)
    with pytest.raises(TablebaseError, match="another class"), Tablebase(tmp_path) as tables:
        tables.probe(Position.from_fen("3k/4/4/4/4/4/4/K3 r - - 0", rules="hongkong"))
    with pytest.raises(TablebaseError, match="it is the table Kvk of taiwan"):
        read_contents(folder / f"{SMALL}.tb")


def refused(root: Path, rules: str = "taiwan") -> list[str]:
    """How the package's reader and the verifier's refuse a folder of tables, one line each."""
    said = []
    for read in (lambda: Tablebase(root, rules), lambda: list(map(Table, files_of(root, Rules.parse(rules))))):
        with pytest.raises(TablebaseError) as caught:
            read()
        assert "\n" not in str(caught.value)
        said.append(str(caught.value))
    return said


@pytest.mark.parametrize(
    "name", ["KGMRNCPvkgmrncp", "Kvkkkkkkkkkkkkk", "KKvk", "Kvpppppp", "KGMRv+vkgm", "KGMvkgm", "Kv", "vk+Kv"]
)
def test_a_foreign_file_is_refused_at_once(name: str, tmp_path: Path) -> None:
    """Finding out how classes of so many pieces are called would take minutes."""
    folder = tmp_path / "taiwan"
    folder.mkdir()
    (folder / f"{name}.tb").write_bytes(b"something else")
    before = time.monotonic()
    assert all(f"{name}.tb is" in line for line in refused(tmp_path))
    assert time.monotonic() - before < 2


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "taiwan"
    folder.mkdir()
    os.mkfifo(folder / "Kvk.tb")
    assert all("it is no regular file" in line for line in refused(tmp_path))
    (folder / "Kvk.tb").unlink()
    (folder / "Kvk.tb").mkdir()
    assert all("Kvk.tb" in line for line in refused(tmp_path))


@pytest.mark.parametrize(
    "fields",
    [
        {"reachable_exit": 1 << 40},
        {"reachable_exit": 1 << 70},
        {"reachable_exit": -7},
        {"blocks": 1 << 60},
        {"blocks": 1 << 70},
        {"blocks": -1},
        {"blocks": 3},
        {"values": {"x": 1}},
        {"values": {}},
        {"values": {"1": -1, "0": 497, "-1": 0}},
        {"denominator": 2},
        {"denominator": -1},
        {"hidden": -1},
        {"hidden": 1 << 70},
        {"first": -1},
        {"first": 3},
        {"groups": []},
        {"groups": ["K" * 300, "g"]},
        {"longest_win": {"plies": 18, "index": 10**9}},
        {"longest_win": {"plies": 18, "index": -5}},
        {"longest_exit": {"plies": 1 << 70, "index": 0}},
        {"longest_exit": {"plies": -1, "index": 0}},
        {"size": 1 << 70},
        {"size": -1},
        {"version": 10**4000},
        {"version": 1 << 70},
        {"rules": "tai\nwan"},
        {"material": "K\nv"},
        {"widths": [1, 1 << 70]},
    ],
    ids=lambda fields: ascii(fields)[:40],
)
def test_a_header_of_nonsense_is_refused_when_opened(fields: dict[str, object], tmp_path: Path) -> None:
    """All checksums are right, so that the fields are looked at."""
    path = tmp_path / "taiwan" / "Kvg.tb"
    path.parent.mkdir()
    path.write_bytes((SHIPPED_TABLES / "taiwan" / "Kvg.tb").read_bytes())
    table = Table(read_contents(path))
    forge(path, (table.results, table.plies), **fields)
    refused(tmp_path)


@pytest.mark.parametrize(
    "text", [b"[" * 60_000, b'{"version":' * 5000, b"\xff" * 10, b"[]", b"", b'{"version": 1e999}']
)
def test_a_header_that_is_no_object_is_refused(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "taiwan" / "Kvg.tb"
    path.parent.mkdir()
    path.write_bytes(prefix(text) + text)
    refused(tmp_path)


# ---- folders without tables --------------------------------------------------------------------------------------


def test_a_folder_without_a_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "taiwan").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "Kvk.tb").write_bytes(b"")
    for make in (Tablebase, lambda folder: Engine(hash_mb=1, tablebase=folder)):
        with pytest.raises(TablebaseError, match="holds no endgame tables"):
            make(tmp_path)


def test_no_table_of_a_rule_set_is_no_fault_of_the_folder() -> None:
    with Tablebase() as tables:
        assert tables.probe(Position.from_fen("3k/4/4/4/4/4/4/K3 r - - 0", rules="hongkong")) is None
        with pytest.raises(TablebaseError, match="holds no endgame tables of hongkong"):
            tables.headers("hongkong")


EMPTY_FOLDER = "<an empty folder>"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["stats", "--dir", EMPTY_FOLDER], "holds no endgame tables"),
        (["stats", "--rules", "hongkong"], "holds no endgame tables of hongkong"),
        (["probe", "--fen", "3k/4/4/4/4/4/4/K3 r - - 0", "--dir", EMPTY_FOLDER], "holds no endgame tables"),
        (["stats", "--dir", ""], "--dir is empty"),
        (["verify", "--dir", ""], "--dir is empty"),
        (["build", "--pieces", "2", "--dir", ""], "--dir is empty"),
        (["probe", "--fen", "3k/4/4/4/4/4/4/K3 r - - 0", "--dir", ""], "--dir is empty"),
    ],
)
def test_the_commands_want_a_folder_of_tables(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(tmp_path) if argument == EMPTY_FOLDER else argument for argument in arguments]
    assert main(["tablebase", *given]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert words in error
    assert error.count("\n") == 1


# ---- files that change while they are open -----------------------------------------------------------------------


@pytest.mark.parametrize("length", [0, 100, None])
def test_a_table_that_is_shortened_or_gone_is_an_error(
    length: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "STORED_BYTES", 0)
    path = path_of(tmp_path, Rules.parse("taiwan"), SMALL)
    assert build_class(str(tmp_path), "taiwan", SMALL).codec == "zstd"
    position = Position.from_fen("3k/4/4/4/4/4/4/K3 r - - 0")
    with Tablebase(tmp_path, "taiwan") as tables:
        if length is None:
            path.unlink()
        else:
            os.truncate(path, length)
        with pytest.raises(TablebaseError, match=r"Kvk\.tb is broken"):
            tables.probe(position)
        with Engine(hash_mb=1, tablebase=tables) as engine, pytest.raises(TablebaseError, match=r"Kvk\.tb is broken"):
            engine.play(position, Limit(depth=4))


def test_a_small_table_is_in_memory(small: bytes, tmp_path: Path) -> None:
    path = tmp_path / "taiwan" / f"{SMALL}.tb"
    path.parent.mkdir()
    path.write_bytes(small)
    texts, values = samples(tmp_path, SMALL, random.Random(6), 20)
    with Tablebase(tmp_path, "taiwan") as tables:
        os.truncate(path, 0)
        found = [tables.probe(Position.from_fen(text)) for text in texts]
    assert [result and result.value for result in found] == values
