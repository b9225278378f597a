"""By what kind of check each property is kept: laws of some world, or replies pinned by tests."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

from checker.explaining import judging
from checker.lookup import properties
from checker.search.model import Law, ProgressGoal
from checker.ties.gathering import ROOT, needs_checkout, pages_of
from checker.world.scopes import SCOPES
from spec.clauses import clauses

Kind = Literal["always", "step", "possible", "inevitable", "pinned"]
KINDS: tuple[Kind, ...] = ("always", "step", "possible", "inevitable", "pinned")
"""A law of every state, a law of every step, what stays possible, what comes in the end, and what
tests pin."""
NAMED = re.compile(r"\b[SP]\d+\b")


@dataclass(frozen=True, slots=True)
class Kept:
    """A property, and what keeps it."""

    name: str
    """`S6`."""
    sentence: str
    by: Mapping[Kind, tuple[str, ...]] = field(default_factory=dict)
    """For each kind of check the laws, goals or tests, by name."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds that there are, in order."""
        return tuple(kind for kind in KINDS if self.by.get(kind))

    def holes(self) -> Iterator[str]:
        """What is missing: any check, or for what comes in the end one that looks so far."""
        if not self.kinds:
            yield f"{self.name}: nothing checks it"
        elif self.name.startswith("P") and self.kinds == ("pinned",):
            yield f"{self.name}: no law and no goal looks at a run, and only tests pin it"


def table(root: Path = ROOT) -> tuple[Kept, ...]:
    """A row for each property, in order. Raises `NoCheckoutError` where tests are missing."""
    needs_checkout("spec --properties", root)
    pinned = by_tests(pages_of(root, "tests"))
    return tuple(
        Kept(name, sentence, {**by_laws().get(name, {}), "pinned": pinned.get(name, ())})
        for name, sentence in properties().items()
    )


@cache
def by_laws() -> Mapping[str, Mapping[Kind, tuple[str, ...]]]:
    """For each property the laws of all scopes that speak of it.

    A law speaks of the properties that its sentence names, and where it names none, of those that
    its clause follows from.
    """
    follows = {each.id: each.properties for each in clauses()}
    found: defaultdict[str, defaultdict[Kind, list[str]]] = defaultdict(lambda: defaultdict(list))
    for scope in SCOPES:
        for law in judging(scope.build()):
            for name in NAMED.findall(law.sentence) or follows.get(law.clause, ()):
                known = found[name][kind_of(law)]
                known += [] if law.name in known else [law.name]
    return {
        name: {kind: tuple(sorted(laws)) for kind, laws in kinds.items()}
        for name, kinds in found.items()
    }


def kind_of(law: object) -> Kind:
    """What kind of check a law is."""
    if isinstance(law, ProgressGoal):
        return law.kind
    return "always" if isinstance(law, Law) else "step"


def by_tests(pages: Iterable[Path]) -> Mapping[str, tuple[str, ...]]:
    """For each property the tests that name it."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for page in pages:
        for node in ast.walk(ast.parse(page.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for name in dict.fromkeys(NAMED.findall(ast.get_docstring(node) or "")):
                    found[name].append(f"{page.name}::{node.name}")
    return {name: tuple(tests) for name, tests in found.items()}


def as_text(kept: Iterable[Kept]) -> str:
    """Lines for a terminal: a property, and below it what keeps it."""
    lines: list[str] = []
    for each in kept:
        lines.append(f"{each.name} {each.sentence}")
        lines += [f"  {kind:<11}{name}" for kind in each.kinds for name in shown(each, kind)]
    return "\n".join(lines)


def shown(kept: Kept, kind: Kind) -> tuple[str, ...]:
    """The checks of a kind; of tests only how many, and the first, where laws judge it too."""
    checks = kept.by[kind]
    if kind != "pinned" or len(checks) == 1:
        return checks
    return (f"{checks[0]} and {len(checks) - 1} more",)
