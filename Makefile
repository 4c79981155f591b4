# Everything runs in .venv. The first target that needs it sets it up; later ones rebuild only what changed.
#
#   TESTS=...   the test files of test, asan, ubsan, tsan, portable and v2 (default: the whole suite)
#   ARGS=...    further arguments for pytest
#   PYTHON=...  the interpreter that .venv is made with (default: python3)

PYTHON ?= python3
TESTS ?=
ARGS ?=

BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTEST := pytest -n auto --dist worksteal
# A variant is a question about the compiled core: the checks of texts, packages and sources are left to `make test`.
ON_VARIANT := $(PYTEST) -m "not checkout" $(TESTS) $(ARGS)
COMPILED := $(patsubst banqi/core/%.pyx,banqi.core.%,$(wildcard banqi/core/_*.pyx))
# A middle game with 17 pieces face up and 11 face down.
MIDDLE_GAME := kCPm/gpxx/rPPr/xNxx/xKpG/Rx1x/xpmx/MPpM r GRNCPgnccp - 1

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test quick verify bench gate lint signature asan ubsan tsan portable v2 build wheel clean

help: ## list the targets
	@sed -n 's/^\([a-z0-9]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

run: build ## set up, build, and think for a second about a middle game
	$(BIN)/banqi bestmove --fen "$(MIDDLE_GAME)" --time 1

test: build ## all tests, the large counts at a tenth
	$(BIN)/$(PYTEST) $(TESTS) $(ARGS)

quick: build ## the tests that take less than ten seconds each
	$(BIN)/$(PYTEST) -m "not slow" $(TESTS) $(ARGS)

verify: build ## all tests with their whole counts
	BANQI_VERIFY=1 $(BIN)/$(PYTEST) -o faulthandler_timeout=7200 --durations=25 $(TESTS) $(ARGS)

bench: build ## seconds: perft, playouts and search
	$(BIN)/pytest bench -o pythonpath=bench --benchmark-json=build/bench.json --benchmark-columns=min,median,rounds $(ARGS)

gate: build ## instructions per node, against the stored figures
	$(BIN)/python bench/instructions.py --check

lint: build ## formatting, types, stubs, and the rules for the compiled core
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH=$(BIN):$$PATH cython-lint banqi
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest --concise --ignore-unused-allowlist --allowlist .ci/stubtest-allowlist $(COMPILED)
	$(BIN)/pytest -q tests/test_lint.py

signature: build ## the same node count from every build, the sanitized ones too
	.ci/signature v3 v2 portable asan ubsan tsan

asan: build ## the tests on a build with AddressSanitizer
	.ci/variant asan $(ON_VARIANT)

ubsan: build ## the tests on a build with UndefinedBehaviorSanitizer
	.ci/variant ubsan $(ON_VARIANT)

tsan: build ## a search with four threads, or TESTS, on a build with ThreadSanitizer
	.ci/variant tsan $(if $(TESTS),$(ON_VARIANT),python tests/tsan_search.py)

portable: build ## the tests on a build that uses no compiler builtins
	.ci/variant portable $(ON_VARIANT)

v2: build ## the tests on a build for x86-64-v2
	.ci/variant v2 $(ON_VARIANT)

build: .venv/ready ## set up .venv and compile what changed
	@$(BIN)/python setup.py --quiet build_ext --inplace

wheel: build ## a wheel and an sdist, in dist
	$(BIN)/python -m build --no-isolation --outdir dist

clean: ## remove everything that make made
	rm -rf .venv build dist *.egg-info banqi/core/*.so .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks
	find banqi bench tests -name __pycache__ -prune -exec rm -rf {} +

# Compiling comes before the editable install: it shows the compiler's messages as they are, and pip finds it done.
.venv/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "banqi needs Python 3.11 or newer: make PYTHON=...")'
	$(PYTHON) -m venv .venv
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
	    > .venv/build-requires.txt
	$(PIP) -r .venv/build-requires.txt
	@$(BIN)/python setup.py --quiet build_ext --inplace
	$(PIP) --no-build-isolation --editable '.[dev]'
	@touch $@
