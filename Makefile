# malachi-model: every target sets up what it needs, and is safe to repeat.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help setup check test lint format bench clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## make .venv with the pinned packages and the command malachi-model in it

$(READY): requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $(READY)

check: $(READY) ## search the default scopes: the main job
	$(BIN)/malachi-model check

test: $(READY) ## run the tests on two cores
	$(BIN)/python -m pytest --numprocesses 2

lint: $(READY) ## ruff, mypy, codespell
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell

format: $(READY) ## let ruff write the layout
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY) ## time replay and search, then race FenceCore against TLC, SPIN, Rumur and others
	$(BIN)/python -m bench.speed
	$(BIN)/python -m bench.race $(RACE)

clean: ## remove what setup and the tools made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
