"""The house: imports point down, modules and functions stay small, nothing goes in a circle."""

import ast
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("spec", "reference", "checker")
BESIDE = ("tests", "bench")
LONGEST_MODULE = 400
LONGEST_FUNCTION = 40
WHOLE = {"checker/conform/adapters/sample.py"}
"""Files to copy, which have to hold all that they need."""
FORBIDDEN_NAMES = {"utils", "helpers", "common", "types"}


def modules() -> list[Path]:
    """Every module of the three floors."""
    return sorted(path for floor in FLOORS for path in (ROOT / floor).rglob("*.py"))


def pages() -> list[Path]:
    """Every module that people read: those of the floors, the tests and the benchmarks."""
    beside = [path for folder in BESIDE for path in (ROOT / folder).rglob("*.py")]
    return sorted([*modules(), *beside])


def dotted(path: Path) -> str:
    """The import name of a module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


KNOWN = {dotted(path) for path in modules()}


def imports(path: Path) -> Iterator[str]:
    """The modules of the three floors that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in KNOWN else node.module for name in names]
        yield from (name for name in names if name.split(".")[0] in FLOORS)


def name_of(path: Path) -> str:
    """What a failing test calls a module."""
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_a_module_imports_only_from_its_own_floor_or_below(path: Path) -> None:
    floor = FLOORS.index(dotted(path).split(".")[0])

    above = {name for name in imports(path) if FLOORS.index(name.split(".")[0]) > floor}

    assert not above


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_the_reference_knows_no_law_and_the_search_knows_no_broker(path: Path) -> None:
    banned = {"reference": ("spec.laws",), "checker.search": ("spec", "reference", "checker.world")}
    mine = next((banned[floor] for floor in banned if dotted(path).startswith(floor)), ())

    found = {name for name in imports(path) if mine and name.startswith(mine)}

    assert not found


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = nx.DiGraph((dotted(path), name) for path in modules() for name in imports(path))

    circles = [circle for circle in nx.simple_cycles(graph) if len(circle) > 1]

    assert not circles


@pytest.mark.parametrize("path", pages(), ids=name_of)
def test_a_module_is_at_most_400_lines(path: Path) -> None:
    is_whole = name_of(path) in WHOLE
    assert is_whole or len(path.read_text("utf-8").splitlines()) <= LONGEST_MODULE


@pytest.mark.parametrize("path", pages(), ids=name_of)
def test_a_function_is_at_most_40_lines(path: Path) -> None:
    spans = [
        (node.name, (node.end_lineno or node.lineno) - node.lineno + 1)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]

    assert [span for span in spans if span[1] > LONGEST_FUNCTION] == []


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_no_module_is_called_by_a_name_that_says_nothing(path: Path) -> None:
    assert path.stem not in FORBIDDEN_NAMES
