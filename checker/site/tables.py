"""The rows of the pages that are tables."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from checker.lookup import find, names
from checker.ties.table import Row
from checker.ties.writing import cells
from checker.world.findings import FINDINGS
from checker.world.scopes import SCOPES


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row with a heading that may lead somewhere."""

    title: str
    cells: tuple[tuple[str, ...], ...]
    id: str = ""
    link: str = ""


def ties(table: Sequence[Row]) -> Iterator[TableRow]:
    """The table of ties."""
    for row in table:
        title, *columns = cells(row)
        link = f"{row.clause.chapter}.html#{row.clause.id}"
        yield TableRow(title, tuple(columns), row.clause.id, link)


def scopes() -> Iterator[TableRow]:
    """The worlds with their sizes. A size is pinned only where a whole search found every law."""
    for scope in SCOPES:
        size = scope.size
        numbers = ("-",) * 3 if size is None else (size.states, size.transitions, size.depth)
        shown = tuple((f"{each:,}" if isinstance(each, int) else each,) for each in numbers)
        verdict = "not searched whole" if size is None else "every law that is judged there holds"
        yield TableRow(scope.name, ((scope.sentence,), *shown, (verdict,)), scope.name)


def findings(titles: dict[str, str]) -> Iterator[TableRow]:
    """The findings, each with its story where it is told."""
    for each in FINDINGS:
        link = f"{each.name}.html" if each.name in titles else ""
        closed = "nothing known" if each.remedy is None else each.remedy.rule
        columns = (each.meaning,), (each.mode,), (each.law,), (str(each.steps),), (closed,)
        yield TableRow(f"{each.name} {each.title}", columns, each.name, link)


def deviations() -> Iterator[TableRow]:
    """What is known of the recorded broker."""
    text = files("checker.replay").joinpath("deviations.json").read_text("utf-8")
    for each in json.loads(text)["deviations"]:
        count = sum(len(case["covers"]) for case in each["cases"])
        yield TableRow(each["name"], ((each["clause"],), (each["reason"],), (f"{count:,}",)))


def listed_names() -> Iterator[TableRow]:
    """Every name, with the clauses that speak of it."""
    for name in names():
        found = find(name)
        if found.kind == "page":
            yield TableRow(name, (("a page",),), name, f"{name}.html")
            continue
        first = found.clauses[0] if found.clauses else None
        link = "" if first is None else f"{first.chapter}.html#{first.id}"
        said = tuple(f"{clause.id} {clause.title}" for clause in found.clauses)
        said = (found.text.replace("*", ""), *said) if found.kind == "noun" else said
        yield TableRow(name, (said,), name, link)
