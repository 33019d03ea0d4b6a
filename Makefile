# Needs Python 3.11 or newer, make and a shell. Everything else goes into .venv.
.DEFAULT_GOAL := help
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# One more than there are processors: much of the suite waits for processes and browsers that it started.
WORKERS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1); echo $$((n + 1)))

.PHONY: help setup run test lint check bench torture screenshots clean

help:
	@echo "make run          start on http://127.0.0.1:7860 with the sandbox airline and demo people"
	@echo "make test         run the whole test suite"
	@echo "make check        lint, types, import rules, tests"
	@echo "make setup        only install; bench, torture, screenshots, clean: see CONTRIBUTING.md"

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; install it or say which: make $(MAKECMDGOALS) PYTHON=/path/to/python3" >&2; exit 1; }
	@test -x $(BIN)/python && $(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV) || { \
		echo "$(PYTHON) cannot make a virtual environment; on Debian and Ubuntu install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(STAMP)

run: setup
	LAYOVER_DEMO=1 $(BIN)/layover serve

test: setup
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

check: lint test

bench: setup
	$(BIN)/python -m benchmarks

torture: setup
	$(BIN)/python -m tests.crashes.torture $(TORTURE)

screenshots: setup
	$(BIN)/python -m tests.ui.screenshots

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .hypothesis .import_linter_cache screenshots
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
