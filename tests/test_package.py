"""The wheel and the sdist hold what they should, and work where the checkout is not."""

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
from tools import require_tool

ROOT = Path(__file__).parent.parent

pytestmark = [pytest.mark.checkout, pytest.mark.slow, pytest.mark.xdist_group("package")]


def run(*command: str | Path, folder: Path) -> str:
    """Run a program outside the checkout; its output, or a failure that shows everything."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "BANQI_"))}
    result = subprocess.run(
        [str(word) for word in command], cwd=folder, env=clean, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
    return result.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the sdist of a clean checkout and the wheel that was built out of that sdist."""
    require_tool("gcc")
    clean = tmp_path_factory.mktemp("clean")
    listing = run(require_tool("git"), "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder=ROOT)
    for name in filter(None, listing.split("\0")):
        if (ROOT / name).exists():
            (clean / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clean / name)
    target = tmp_path_factory.mktemp("archives")
    # Without isolation the build takes Cython and setuptools from this environment instead of fetching them.
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", target, clean, folder=target)
    return target


@pytest.fixture(scope="module")
def installed(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment that has the wheel and what the wheel asks for, nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", *archives.glob("*.whl"), folder=folder)
    return python


def test_sdist_holds_everything_to_build_and_test(archives: Path) -> None:
    (path,) = archives.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    kinds = ("*.pyx", "*.pxd", "*.pxi", "*.pyi", "*.py", "py.typed")
    package = {p.relative_to(ROOT).as_posix() for kind in kinds for p in (ROOT / "banqi").rglob(kind)}
    headers = {p.relative_to(ROOT).as_posix() for p in (ROOT / "csrc").glob("*.h")}
    tests = {p.relative_to(ROOT).as_posix() for p in (ROOT / "tests").rglob("*.py")}
    files = {"setup.py", "pyproject.toml", "Makefile", "README.md", "LICENSE", ".ci/variant"}
    assert package | headers | tests | files <= names
    assert [name for name in names if name.endswith((".so", ".pyc", ".c"))] == []


def test_wheel_holds_modules_and_types_and_no_source_of_the_core(archives: Path) -> None:
    (path,) = archives.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        names = {name for name in archive.namelist() if not name.split("/")[0].endswith(".dist-info")}
    kinds = ("*.py", "*.pyi", "py.typed")
    expected = {p.relative_to(ROOT).as_posix() for kind in kinds for p in (ROOT / "banqi").rglob(kind)}
    compiled = {name.split(".")[0] for name in names if name.endswith(".so")}
    assert {name for name in names if not name.endswith(".so")} == expected
    assert compiled == {f"banqi/core/{p.stem}" for p in (ROOT / "banqi" / "core").glob("_*.pyx")}


def test_installed_wheel_runs_from_another_folder(installed: Path, tmp_path: Path) -> None:
    assert banqi.__version__ in run(installed, "-m", "banqi", "--version", folder=tmp_path)
    script = installed.parent / "banqi"
    # 192,448 is the rules' perft 2 from the start.
    assert run(script, "perft", "2", folder=tmp_path).splitlines()[-1] == "nodes 192448"
    where = run(installed, "-c", "import banqi; print(banqi.__file__)", folder=tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent.parent)


def test_installed_wheel_is_typed(installed: Path, tmp_path: Path) -> None:
    start = "xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx ? KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0"
    (tmp_path / "right.py").write_text(f'import banqi\n\nnodes: int = banqi.perft("{start}", 2)\n')
    (tmp_path / "wrong.py").write_text(f'import banqi\n\nnodes: str = banqi.perft("{start}", 2)\n')
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(installed)]
    run(*mypy, "right.py", folder=tmp_path)
    wrong = subprocess.run([*mypy, "wrong.py"], cwd=tmp_path, capture_output=True, text=True)
    assert wrong.returncode == 1
    assert "Incompatible types in assignment" in wrong.stdout
