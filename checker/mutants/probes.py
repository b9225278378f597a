"""Which statements of the reference a test or a search runs.

A probe before each statement of each function is set when the statement is reached.
"""

import ast
import sys
from collections.abc import Iterator, Sequence

from checker.mutants.page import Page, functions
from checker.mutants.planting import REFERENCE, forget_answers, plant
from checker.mutants.sites import OUTSIDE, Mutant

BODIES = ("body", "orelse", "finalbody")
HITS = "_hits"
"""The name under which a module finds its probes."""

Probe = tuple[str, int]
"""A module's name, and the line of a statement of it."""


def probes(page: Page) -> tuple[Probe, ...]:
    """The probes of a module, in the order of the text."""
    return tuple((page.name, node.lineno) for node in _statements(page.tree))


def probe_of(mutant: Mutant) -> Probe | None:
    """The innermost statement that a mutant changes; none outside of functions."""
    if mutant.name.split(":")[1] == OUTSIDE:
        return None
    page, edit = mutant.page, mutant.edit
    around = [
        node
        for node in _statements(page.tree)
        if page.start(node) <= edit.start and edit.end <= page.end(node)
    ]
    return page.name, max(around, key=page.start).lineno


class Probing:
    """The reference with all its probes in place, in a process that ends soon."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self.known = [probe for page in pages for probe in probes(page)]
        self.hits = bytearray(len(self.known))
        first = 0
        for page in pages:
            plant(page.name, compile(_with_probes(page, first), str(page.path), "exec"))
            vars(sys.modules[f"{REFERENCE}.{page.name}"])[HITS] = self.hits
            first += len(probes(page))

    def start(self) -> None:
        """Forget what was reached so far, and what was remembered on the way."""
        self.hits[:] = bytes(len(self.hits))
        forget_answers()

    def reached(self) -> list[Probe]:
        """What was reached since the start."""
        return [probe for probe, hit in zip(self.known, self.hits, strict=True) if hit]


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    for _, function in functions(tree):
        yield from _inside(function.body)


def _inside(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Every statement of a body, docstrings left out."""
    for node in body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        yield node
        for inner in _bodies(node):
            yield from _inside(inner)


def _bodies(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    yield from (getattr(node, name) for name in BODIES if getattr(node, name, []))
    yield from (case.body for case in getattr(node, "cases", []))


def _with_probes(page: Page, first: int) -> ast.Module:
    """A module's tree with its probes, numbered from the first on."""
    tree = ast.parse(page.source)
    numbers = {id(node): first + place for place, node in enumerate(_statements(tree))}
    for _, function in functions(tree):
        _put_in(function.body, numbers)
    return ast.fix_missing_locations(tree)


def _put_in(body: list[ast.stmt], numbers: dict[int, int]) -> None:
    for node in list(body):
        if id(node) in numbers:
            (probe,) = ast.parse(f"{HITS}[{numbers[id(node)]}] = 1").body
            body.insert(body.index(node), ast.copy_location(probe, node))
            for inner in _bodies(node):
                _put_in(inner, numbers)
