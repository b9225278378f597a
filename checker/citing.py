"""Where the clauses are kept: the functions of the reference that cite them."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

CITED = re.compile(r"\[([A-Z]{3}-\d+(?:, [A-Z]{3}-\d+)*)\]")
KEEPS = re.compile(r"# Keeps ([A-Z]{3}-\d+)")
APART = frozenset(
    (
        # What is wrong on purpose, or is no part of the protocol.
        *("assumptions.py", "beyond.py", "defects.py", "findings.py", "mischief.py"),
        *("mutations.py", "remedies.py"),
        # What judges, and what chooses the worlds that are judged.
        *("goals.py", "judging.py", "moving.py", "progress.py", "scopes.py"),
    )
)
"""Pages of worlds that keep no clause, whatever they cite."""
OVERLAY = "An overlay: "
"""How a function begins that is put over the protocol to close a finding."""


@dataclass(frozen=True, slots=True)
class Place:
    """A function, and where it stands."""

    file: str
    line: int
    function: str
    said: str
    """What it says of itself, in a sentence or two."""

    def text(self) -> str:
        """In words."""
        return f"{self.file}:{self.line}: {self.function}"


def keeping(clause: str) -> tuple[Place, ...]:
    """The functions of the reference that keep a clause, in the order of their pages.

    What the reference leaves to its callers is kept by those of the searched worlds.
    """
    for packages in (("reference",), _worlds()):
        found = [
            place
            for package in packages
            for place, cited in _citations(package)
            if clause in cited and is_keeper(place)
        ]
        if found:
            return tuple(found)
    return ()


def is_keeper(place: Place) -> bool:
    """Whether a function can keep a clause: it neither judges, nor misbehaves, nor mends."""
    return place.file.rpartition("/")[2] not in APART and not place.said.startswith(OVERLAY)


def place_of_law(name: str) -> Place | None:
    """Where a law stands."""
    found = (place for place, _ in _citations("spec.laws") if place.function == name)
    return next(found, None)


def laws_written() -> tuple[str, ...]:
    """The names of all laws of `spec.laws`, whoever judges by them."""
    return tuple(place.function for place, cited in _citations("spec.laws") if cited)


@cache
def _worlds() -> tuple[str, ...]:
    found = (each.name for each in files("checker.world").iterdir() if each.is_dir())
    return tuple(f"checker.world.{name}" for name in sorted(found) if name.isidentifier())


@cache
def _citations(package: str) -> tuple[tuple[Place, frozenset[str]], ...]:
    pages = sorted(files(package).iterdir(), key=lambda page: page.name)
    return tuple(
        cited for page in pages if page.name.endswith(".py") for cited in _in_page(package, page)
    )


def _in_page(package: str, page: Traversable) -> Iterator[tuple[Place, frozenset[str]]]:
    source = page.read_text("utf-8")
    lines, file = source.splitlines(), f"{package.replace('.', '/')}/{page.name}"
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        doc = ast.get_docstring(node) or ""
        body = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        begin = CITED.match(doc)
        cited = set(begin[1].split(", ")) if begin else set()
        cited |= set(KEEPS.findall(body)) if isinstance(node, ast.FunctionDef) else set()
        yield Place(file, node.lineno, node.name, first_words(doc)), frozenset(cited)


def first_words(doc: str) -> str:
    """The first paragraph of a docstring, without the clauses that it cites."""
    said = " ".join(doc.split("\n\n", maxsplit=1)[0].split())
    return CITED.sub("", said, count=1).strip()
