"""The examples in docstrings work."""

import doctest
import importlib
import pkgutil

import pytest

import banqi

MODULES = [
    "banqi",
    *(f"banqi.{module.name}" for module in pkgutil.iter_modules(banqi.__path__) if module.name != "__main__"),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_work(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).failed == 0
