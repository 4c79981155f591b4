"""Files of tables: built the same in any order, whole or not there, and no changed byte goes unnoticed."""

import errno
import filecmp
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from banqi import Rules, Tablebase, TablebaseError
from banqi.engine import SHIPPED_TABLES
from banqi.tablebase import format as files
from banqi.tablebase.build import build_all, build_class, is_built, path_of, plan
from banqi.tablebase.classes import Material
from inline_executor import InlineExecutor
from sizes import VERIFY

TAIWAN = Rules.parse("taiwan")


def built(root: Path, pieces: int, hidden: int = 0) -> Path:
    for _ in build_all(plan(TAIWAN, pieces, hidden), root, InlineExecutor(), at_once=1):
        pass
    return root


def same(one: Path, other: Path) -> bool:
    names = [sorted(path.relative_to(root) for path in root.rglob("*") if path.is_file()) for root in (one, other)]
    return names[0] == names[1] and filecmp.cmpfiles(one, other, names[0], shallow=False)[0] == names[0]


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("three"), 3, 1)


# ---- building ----------------------------------------------------------------------------------------------------


def test_the_tables_of_the_package_are_what_the_builder_makes(tmp_path: Path) -> None:
    assert same(built(tmp_path, 3), SHIPPED_TABLES)


def test_the_tables_of_the_package_are_less_than_a_megabyte() -> None:
    assert sum(path.stat().st_size for path in SHIPPED_TABLES.rglob("*.tb")) < 1_000_000


def test_order_does_not_matter(three: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(3) as executor:
        for _ in build_all(plan(TAIWAN, 3, 1), tmp_path, executor, at_once=3):
            pass
    assert same(three, tmp_path)


def test_a_killed_build_leaves_whole_files_and_is_resumed(three: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "banqi", "tablebase", "build", "--pieces", "3", "--hidden", "1", "--jobs", "1"]
    command += ["--dir", str(tmp_path)]
    for kill_after in (2, 30):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        while len(list(tmp_path.rglob("*.tb"))) < kill_after and process.poll() is None:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        time.sleep(0.5)
        for path in tmp_path.rglob("*.tb"):
            files.read_header(path)
    done = len(list(tmp_path.rglob("*.tb")))
    assert done < len(plan(TAIWAN, 3, 1))
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output.startswith(f"{len(plan(TAIWAN, 3, 1)) - done} of ")
    assert same(three, tmp_path)


def test_two_that_write_the_same_file_take_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a build that was dropped still runs on a cluster when the next one begins."""
    begun, go_on = Event(), Event()

    def held_up(descriptor: int) -> None:
        begun.set()
        assert go_on.wait(60)

    monkeypatch.setattr(os, "fsync", held_up)
    with ThreadPoolExecutor(2) as executor:
        first = executor.submit(build_class, str(tmp_path), "taiwan", "Kvk")
        assert begun.wait(60)
        monkeypatch.setattr(os, "fsync", lambda descriptor: None)
        second = executor.submit(build_class, str(tmp_path), "taiwan", "Kvk")
        with pytest.raises(TimeoutError):
            second.result(1)
        go_on.set()
        assert first.result(60) == second.result(60)
    name = "taiwan/Kvk.tb"
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")] == [name]
    assert (tmp_path / name).read_bytes() == (SHIPPED_TABLES / name).read_bytes()


def test_what_a_killed_build_left_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / "taiwan").mkdir()
    (tmp_path / "taiwan" / "Kvk.tb.part").write_bytes(bytes(10_000))
    build_class(str(tmp_path), "taiwan", "Kvk")
    assert (tmp_path / "taiwan" / "Kvk.tb").read_bytes() == (SHIPPED_TABLES / "taiwan" / "Kvk.tb").read_bytes()


def test_workers_end_with_the_program_that_began_them(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "banqi", "tablebase", "build", "--pieces", "3", "--jobs", "1", "--hidden", "2"]
    process = subprocess.Popen([*command, "--dir", str(tmp_path)], stdout=subprocess.DEVNULL, start_new_session=True)
    while not list(tmp_path.rglob("*.tb")) and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    process.wait()
    for _ in range(600):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        pytest.fail("a worker goes on")


def test_what_is_there_is_not_built_again(three: Path) -> None:
    assert all(is_built(three, task) for task in plan(TAIWAN, 3, 1))
    assert not is_built(three, plan(TAIWAN, 4)[-1])


def test_a_missing_smaller_table_ends_a_build(tmp_path: Path) -> None:
    with pytest.raises(TablebaseError, match="cannot be read"):
        build_class(str(tmp_path), "taiwan", "Kvgg")


def test_classes_have_one_name() -> None:
    with pytest.raises(TablebaseError, match="belongs to the class"):
        build_class("nowhere", "taiwan", "Gvm")
    with pytest.raises(TablebaseError, match="no material of an ending"):
        build_class("nowhere", "taiwan", "KKvm")
    with pytest.raises(TablebaseError, match="is no material"):
        Material.parse("KxM")


@pytest.mark.parametrize("arguments", [(1,), (7,), (3, 3), (3, -1)])
def test_numbers_out_of_range_are_refused(arguments: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="must be a whole number"):
        plan(TAIWAN, *arguments)


# ---- broken files ------------------------------------------------------------------------------------------------


def read_all(path: Path) -> list[tuple[int, int]]:
    """Open a file and read all its entries."""
    from banqi.tablebase.build import tables_for

    tables = tables_for(TAIWAN, 1 << 20)
    number, header = files.add(tables, path)
    return [(tables.read(number, 0, i), tables.read(number, 1, i)) for i in range(header.entries)]


@pytest.fixture(params=["stored", "zstd"])
def table(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A small table, stored as it is or compressed."""
    if request.param == "zstd":
        monkeypatch.setattr(files, "STORED_BYTES", 0)
    build_class(str(tmp_path), "taiwan", "Kvc")
    path = path_of(tmp_path, TAIWAN, "Kvc")
    assert files.read_header(path)[0].codec == request.param
    return path


def test_stored_and_compressed_tables_say_the_same(table: Path) -> None:
    assert read_all(table) == read_all(path_of(SHIPPED_TABLES, TAIWAN, "Kvc"))


def test_every_truncation_is_noticed(table: Path) -> None:
    data = table.read_bytes()
    for length in range(len(data)):
        table.write_bytes(data[:length])
        with pytest.raises(TablebaseError):
            read_all(table)
    table.write_bytes(data + b"\0")
    with pytest.raises(TablebaseError):
        read_all(table)


def test_every_changed_bit_is_noticed(table: Path) -> None:
    data = bytearray(table.read_bytes())
    for bit in range(0, 8 * len(data), 1 if VERIFY else 3):
        data[bit // 8] ^= 1 << bit % 8
        table.write_bytes(data)
        with pytest.raises(TablebaseError):
            read_all(table)
        data[bit // 8] ^= 1 << bit % 8


def test_a_foreign_file_is_noticed(table: Path) -> None:
    root = table.parent.parent
    table.rename(table.with_name("Kvg.tb"))
    with pytest.raises(TablebaseError, match="another class"):
        Tablebase(root, "taiwan")
    (table.parent / "Kvg.tb").rename(table.with_name("Gvc.tb"))
    with pytest.raises(TablebaseError, match="the table of another class: 'Kvc'"):
        Tablebase(root, "taiwan")
    (table.parent / "Gvc.tb").write_text("no table")
    (table.parent / "Gvc.tb").rename(table)
    with pytest.raises(TablebaseError, match="no endgame table"):
        Tablebase(root, "taiwan")


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "taiwan").write_text("in the way")
    with pytest.raises(TablebaseError, match="cannot be written"):
        build_class(str(tmp_path), "taiwan", "Kvc")


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TablebaseError, match=r"Kvc\.tb cannot be written: No space left on device"):
        build_class(str(tmp_path), "taiwan", "Kvc")
    assert list((tmp_path / "taiwan").iterdir()) == []


# ---- without zstd ------------------------------------------------------------------------------------------------


@pytest.fixture
def without_zstd(tmp_path: Path) -> dict[str, str]:
    """An environment in which the loader finds a file in place of the zstd library that is none."""
    folder = tmp_path / "lib"
    folder.mkdir()
    (folder / "libzstd.so.1").write_text("no library")
    return os.environ | {"LD_LIBRARY_PATH": str(folder)}


def banqi(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "banqi", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


ENDING = "3k/4/4/4/4/4/4/K1R1 r - - 0"
NEEDS_ZSTD = "banqi: these tables need the zstd library, libzstd.so.1, which is not installed\n"


def test_compressed_tables_name_the_library_that_they_need(
    without_zstd: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "STORED_BYTES", 0)
    root = built(tmp_path / "packed", 2)
    for command in (["probe", "--fen", ENDING], ["stats"]):
        answer = banqi(without_zstd, "tablebase", *command, "--dir", str(root))
        assert (answer.returncode, answer.stdout, answer.stderr) == (2, "", NEEDS_ZSTD)
    answer = banqi(without_zstd, "bestmove", "--fen", ENDING, "--depth", "1", "--tablebase", str(root))
    assert (answer.returncode, answer.stdout, answer.stderr) == (2, "", NEEDS_ZSTD)
    assert banqi(dict(os.environ), "tablebase", "stats", "--dir", str(root)).returncode == 0


def test_a_build_without_zstd_says_so(without_zstd: dict[str, str], tmp_path: Path) -> None:
    root = tmp_path / "tables"
    shutil.copytree(SHIPPED_TABLES, root)
    answer = banqi(without_zstd, "tablebase", "build", "--pieces", "4", "--jobs", "1", "--dir", str(root))
    assert (answer.returncode, answer.stderr) == (2, NEEDS_ZSTD)
    assert same(root, SHIPPED_TABLES)


def test_the_tables_of_the_package_need_no_library(without_zstd: dict[str, str]) -> None:
    answer = banqi(without_zstd, "tablebase", "probe", "--fen", ENDING)
    assert (answer.returncode, answer.stdout.splitlines()[0], answer.stderr) == (0, "win in 19", "")
    answer = banqi(without_zstd, "bestmove", "--fen", ENDING, "--depth", "1")
    assert (answer.returncode, "win in 19" in answer.stdout, answer.stderr) == (0, True, "")
    answer = banqi(without_zstd, "tablebase", "verify", "--positions", "10", "--jobs", "1")
    assert (answer.returncode, answer.stderr) == (0, "")
