"""What `import banqi` takes beyond the numpy that it imports."""

import os
import resource
import subprocess
import sys

import pytest
from meter import best, store
from pytest_benchmark.fixture import BenchmarkFixture


def seconds_of_children() -> float:
    """The CPU time of the processes that this one has started and waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def start_python(statement: str) -> int:
    """Run it in a new process. The first one stores the modules' byte code, as it does for everybody."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run([sys.executable, "-c", statement], env=environment, check=True).returncode


@pytest.mark.benchmark(timer=seconds_of_children, group="import")
def test_import(benchmark: BenchmarkFixture) -> None:
    numpy_alone = []

    def start_with_numpy() -> None:
        before = seconds_of_children()
        start_python("import numpy")
        numpy_alone.append(seconds_of_children() - before)

    _, seconds = best(benchmark, lambda: start_python("import numpy, banqi"), rounds=25, setup=start_with_numpy)
    store(benchmark, "import banqi, beyond numpy", "", 1e3 * (seconds - min(numpy_alone)))
