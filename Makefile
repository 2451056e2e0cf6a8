# One word per chore. `make setup` makes .venv with everything; the others call it by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup play test lint format bench mutants requirements build clean

help:  ## say what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: $(STAMP)  ## make .venv with all that is needed

$(STAMP): pyproject.toml requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "triomino needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
		{ echo "cannot make a virtual environment; on Debian: apt-get install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/python -m uv pip install --quiet --python $(BIN)/python -r requirements/dev.txt
	$(BIN)/python -m uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

play: setup  ## play a game in this terminal
	@$(BIN)/triomino play

test: setup lint  ## all checks and tests
	$(BIN)/pytest --numprocesses=auto --dist=worksteal

lint: setup  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup  ## put the style right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup  ## speed of this machine, as rates in one run
	$(BIN)/triomino bench

mutants: setup  ## deliberate errors in the rules, one by one: every one must be caught
	$(BIN)/python tools/mutants.py

requirements: setup  ## pin the newest dependencies
	$(BIN)/python -m uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url \
		--python-version 3.11 --group dev pyproject.toml --output-file requirements/dev.txt --upgrade

build: setup  ## a wheel and an sdist in dist/
	$(BIN)/python -m build --no-isolation

clean:  ## remove what make made
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
