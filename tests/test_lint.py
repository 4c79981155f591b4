"""Rules for the checkout's files that no ready-made linter knows."""

import re
from pathlib import Path

import pytest

from tools import ROOT, checkout_files

CORE = ROOT / "banqi" / "core"

pytestmark = pytest.mark.checkout

FOLDERS = {".ci", "banqi", "bench", "csrc", "tests"}
FILES = {
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "MANIFEST.in",
    "Makefile",
    "README.md",
    "pyproject.toml",
    "setup.py",
}


# --- the compiled core: noexcept nogil -------------------------------------------------------------------------------

# A function's head: a return type, a name (perhaps with its C name), parameters, and what follows them.
HEAD = re.compile(
    r"""^(?P<returns>[\w\s*.\[\],:]*?)      # empty if the function returns a Python object
        \b(?P<name>\w+) \s* (?:"[^"]*"\s*)?
        \( (?P<parameters>.*) \)
        (?P<suffix>[\w\s?*+-]*) (?: : .* )? $""",
    re.VERBOSE | re.DOTALL,
)
PYTHON_RETURNS = {"", "object", "bytes", "str", "list", "dict", "tuple", "set", "frozenset"}
NO_FUNCTION = re.compile(r"(class|struct|union|enum|packed|extern|cppclass|fused)\b")


def logical_lines(text: str) -> list[tuple[int, int, str]]:
    """Line number, indentation and text of each statement, with brackets joined, comments and doc strings dropped."""
    text = re.sub(r'("""|\'\'\').*?\1', lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    lines: list[tuple[int, int, str]] = []
    depth = 0
    for number, line in enumerate(text.split("\n"), 1):
        code = re.sub(r"#.*", "", line).rstrip()
        if not code:
            continue
        if depth or (lines and lines[-1][2].endswith("\\")):
            first, indent, begun = lines[-1]
            lines[-1] = (first, indent, begun.removesuffix("\\") + " " + code.strip())
        else:
            lines.append((number, len(code) - len(code.lstrip()), code.strip()))
        depth += sum(code.count(c) for c in "([{") - sum(code.count(c) for c in ")]}")
    return lines


def careless_functions(text: str) -> list[str]:
    """The heads of C functions that could take the GIL: `line: head`.

    A C function is noexcept and nogil, unless it returns a Python object. Cython assumes noexcept for what an
    `extern` block declares, but the block says it all the same, and is nogil itself.
    """
    careless = []
    # The `cdef:` and `cdef extern` blocks around the current line: indentation, what it hands to its lines.
    blocks: list[tuple[int, bool, str]] = []
    for number, indent, code in logical_lines(text):
        while blocks and indent <= blocks[-1][0]:
            blocks.pop()
        declares = bool(re.match(r"(cdef|cpdef)\b", code))
        code = re.sub(r"^(cdef|cpdef|ctypedef)\s*", "", code)
        code = re.sub(r"^(inline\s+)?\([^()]*\)", "ctuple", code)
        if declares and re.match(r"extern\b.*:$", code):
            blocks.append((indent, True, " nogil" if re.search(r"\bnogil\s*:$", code) else ""))
            continue
        if declares and (code == ":" or code in ("nogil:", "inline:")):
            blocks.append((indent, True, " nogil" if "nogil" in code else ""))
            continue
        if NO_FUNCTION.match(code) or re.match(r"(struct|union|enum)\b", code):
            # Fields and constants hold no functions; methods of a class begin with their own cdef.
            blocks.append((indent, False, ""))
            continue
        inside = bool(blocks) and blocks[-1][1]
        head = HEAD.match(code) if (declares or inside) and "=" not in code.split("(")[0] else None
        if head is None or not code.split("(")[0].strip():
            continue
        returns = re.sub(r"\b(inline|public|api|readonly)\b", "", head["returns"]).strip()
        suffix = head["suffix"] + (blocks[-1][2] if inside else "")
        if returns not in PYTHON_RETURNS and not {"noexcept", "nogil"} <= set(suffix.split()):
            careless.append(f"{number}: {code}")
    return careless


@pytest.mark.parametrize(
    "text",
    [
        "cdef int f(int x) nogil: return x",
        "cdef int f(int x) noexcept: return x",
        "cdef inline void f(Pos* p) except *:\n    pass",
        "cdef uint32_t* f() except NULL nogil:\n    pass",
        "cdef (int, int) f(int x) nogil",
        "cdef int f(\n    int x,  # one (\n    int y,\n) nogil:\n    return x",
        "cdef class A:\n    cdef int f(self) noexcept:\n        return 1",
        'cdef extern from "x.h":\n    int f(int x) noexcept',
        'cdef extern from "x.h" nogil:\n    int f "c_f"(int x)',
        'cdef extern from "x.h" nogil:\n    ctypedef struct s:\n        int a\n    int f(int x)',
        "cdef unsigned long long f(int[4] x) nogil",
        "cpdef int f(int x) noexcept",
    ],
)
def test_lint_finds_functions_that_may_take_the_gil(text: str) -> None:
    assert len(careless_functions(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "cdef int f(int x) noexcept nogil: return x",
        "cdef inline int f(int x) noexcept nogil:\n    cdef int y = g(x)\n    return y",
        "cdef object f(int x):\n    return x",
        "cdef f(int x):\n    return x",
        "cdef bytes f(int x):\n    cdef int[3] a = [1, 2, 3]\n    return a",
        "cdef int x = f(3)\ncdef int[32] TABLE",
        "cdef enum:\n    A = (1 << 3)\n    B = 2",
        "cdef struct s:\n    int (*call)(int)\n    int x",
        'cdef extern from "x.h" nogil:\n    int f "c_f"(int x) noexcept\n    int A\n    ctypedef int t "c_t"',
        '"""cdef int f(int x): no\n"""\n# cdef int f(int x)\ndef f(int x):\n    return x',
        "cdef int f(\n    int x,\n) noexcept nogil:\n    return x",
    ],
)
def test_lint_accepts_functions_that_cannot_take_the_gil(text: str) -> None:
    assert careless_functions(text) == []


# The Python face of a board, and Python's signals: their functions hold the GIL and raise.
RAISING = {"banqi_table.pxi", "binding.pxi", "interrupt.pxi", "junqi_table.pxi"}


@pytest.mark.parametrize(
    "path",
    [p for p in sorted(CORE.iterdir()) if p.suffix in (".pxd", ".pxi") and p.name not in RAISING],
    ids=lambda p: p.name,
)
def test_core_functions_are_noexcept_nogil(path: Path) -> None:
    assert careless_functions(path.read_text(encoding="utf-8")) == []


# --- the files ------------------------------------------------------------------------------------------------------


def test_nothing_strays_at_the_top() -> None:
    paths = checkout_files()
    assert {p.parts[0] for p in paths if len(p.parts) > 1} <= FOLDERS
    assert {p.name for p in paths if len(p.parts) == 1} <= FILES


# Spelt in pieces, so that this file does not hold what it forbids.
FORBIDDEN = {
    "a path of one machine": r"(?<![\w.~$}])/(?:home|root|Users|work|tmp)/",
    "a package registry's host": r"\b(?:pypi|pythonhosted|npmjs|crates|anaconda|debian)\." r"(?:org|com|io)\b",
    "a note of unfinished work": r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b",
    "a conflict's marker": r"^(?:<{7}|>{7}) ",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_holds(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what], re.MULTILINE)
    found = []
    for path in checkout_files():
        text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
        found += [f"{path}: {match[0]}" for match in pattern.finditer(text)]
    assert found == []


def test_every_text_file_ends_with_one_newline_and_has_no_trailing_blanks() -> None:
    faulty = []
    for path in checkout_files():
        data = (ROOT / path).read_bytes()
        if b"\0" in data or not data:
            continue
        if not data.endswith(b"\n") or data.endswith(b"\n\n") or re.search(rb"[ \t\r]\n", data):
            faulty.append(str(path))
    assert faulty == []


def test_every_extension_module_has_a_stub() -> None:
    assert [p.name for p in sorted(CORE.glob("_*.pyx")) if not p.with_suffix(".pyi").exists()] == []
