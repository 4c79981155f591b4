"""The wheel and the sdist hold what they should, and work where the checkout is not.

One test, since all its parts need the build, which no two workers of a run should repeat.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import banqi
from tools import ROOT, checkout_files, require_tool

START = "xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0"


@pytest.mark.checkout
@pytest.mark.slow
def test_package_works_where_the_checkout_is_not(tmp_path: Path) -> None:
    sdist, wheel = build(tmp_path)
    sdist_holds_everything_to_build_and_test(sdist)
    wheel_holds_modules_and_types_and_no_source_of_the_core(wheel)
    python = install(wheel, tmp_path / "environment")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    wheel_runs(python, elsewhere)
    wheel_is_typed(python, elsewhere)


def run(*command: str | Path, folder: Path, status: int = 0) -> str:
    """Run a program as outside the checkout's environment; its output, or a failure that shows everything."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "BANQI_"))}
    result = subprocess.run(
        [str(word) for word in command], cwd=folder, env=clean, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert result.returncode == status, f"{command}\n{result.stdout}{result.stderr}"
    return result.stdout


def build(folder: Path) -> tuple[Path, Path]:
    """An sdist out of a clean checkout, and the wheel that is built out of that sdist."""
    require_tool("cc")
    clean, target = folder / "clean", folder / "archives"
    target.mkdir()
    for name in checkout_files():
        (clean / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, clean / name)
    # Without isolation the build takes Cython and setuptools from this environment instead of fetching them.
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", target, clean, folder=target)
    (sdist,), (wheel,) = target.glob("*.tar.gz"), target.glob("*.whl")
    return sdist, wheel


def install(wheel: Path, folder: Path) -> Path:
    """The Python of a new environment that has the wheel and what the wheel asks for, nothing else."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel, folder=folder)
    return python


def names(folder: str, *patterns: str) -> set[str]:
    return {p.relative_to(ROOT).as_posix() for pattern in patterns for p in (ROOT / folder).rglob(pattern)}


def sdist_holds_everything_to_build_and_test(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    package = names("banqi", "*.py", "*.pyx", "*.pxd", "*.pxi", "*.pyi", "py.typed", "*.tb", "*.npz")
    files = {"setup.py", "pyproject.toml", "Makefile", "README.md", "LICENSE", ".ci/variant"}
    assert package | names("csrc", "*.h") | names("tests", "*.py") | names("bench", "*.py") | files <= held
    assert [name for name in held if name.endswith((".so", ".pyc", ".c"))] == []


def wheel_holds_modules_and_types_and_no_source_of_the_core(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if not name.split("/")[0].endswith(".dist-info")}
    compiled = {name.split(".")[0] for name in held if name.endswith(".so")}
    assert compiled == {f"banqi/core/{p.stem}" for p in (ROOT / "banqi" / "core").glob("_*.pyx")}
    data = names("banqi", "*.py", "*.pyi", "py.typed", "*.tb", "*.npz", "FORMAT.md", "UCI.md")
    page = {p.relative_to(ROOT).as_posix() for p in (ROOT / "banqi/server/page").rglob("*") if p.is_file()}
    assert {name for name in held if not name.endswith(".so")} == data | page


def wheel_runs(python: Path, folder: Path) -> None:
    assert banqi.__version__ in run(python, "-m", "banqi", "--version", folder=folder)
    # 192,448: section 10 of the rules page.
    assert run(python.parent / "banqi", "perft", "2", folder=folder).splitlines()[-1] == "nodes 192448"
    where = run(python, "-c", "import banqi; print(banqi.__file__)", folder=folder)
    assert Path(where.strip()).is_relative_to(python.parent.parent)


def wheel_is_typed(python: Path, folder: Path) -> None:
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python)]
    for kind, status in (("int", 0), ("str", 1)):
        (folder / f"{kind}.py").write_text(f'import banqi\n\nnodes: {kind} = banqi.perft("{START}", 2)\n')
        told = run(*mypy, f"{kind}.py", folder=folder, status=status)
        assert ("Incompatible types in assignment" in told) == bool(status)
