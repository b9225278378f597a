"""An explanation as lines for a pipe, and as a page in Markdown."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import NamedTuple

from checker.explaining import Explanation

UNBROKEN = "No named defect or finding breaks it: the tests of the laws do (tests/test_laws.py)."

FOREVER = "And for ever:"

WIDTH = 110
"""Where the lines of facts end, in characters."""


class Row(NamedTuple):
    """A place that a step changed."""

    place: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Told:
    """A counterexample, told in two ways."""

    words: str = ""
    """Whose it is, and where."""
    steps: tuple[tuple[str, tuple[Row, ...]], ...] = ()
    loop: int | None = None
    """How many steps lead to where the others go round for ever."""
    remark: str = ""
    """How it goes on, where the law alone does not say it."""
    diagram: str = ""
    again: str = ""
    trace: Mapping[str, object] | None = None


def heading(found: Explanation) -> str:
    """What is explained."""
    return f"{found.name} {found.title}".strip()


def facts(found: Explanation) -> Iterator[tuple[str, str]]:
    """All but the story: by a word each, in the order in which it is read."""
    law, clause = found.law, found.clause
    yield f"the {'change' if found.kind == 'defect' else found.kind}", found.words
    yield from found.facts
    where = "" if found.law_at is None else f" ({found.law_at.file}:{found.law_at.line})"
    yield "the law", f"{law.name} [{law.clause}]{where}"
    if clause is not None:
        yield "the clause", f"{clause.id} {clause.title}: {clause.sentence}"
    for name, sentence in found.properties:
        yield "follows from", f"{name}: {sentence}"
    for place in found.code:
        yield "kept by", f"{place.text()}: {place.said}"
    if not found.code:
        yield "kept by", "no function alone: it is what the others come to"
    for place in found.changed:
        yield "broken by", f"{place.text()}: {place.said}"


def plain(found: Explanation, told: Told) -> Iterator[str]:
    """Lines with columns made of blanks."""
    said = list(facts(found))
    yield heading(found)
    width = max(len(what) for what, _ in said)
    for what, text in said:
        first, *more = wrapped(text, WIDTH - width)
        yield f"  {what:<{width}}  {first}"
        yield from (f"  {'':<{width}}  {line}" for line in more)
    yield ""
    if not told.steps:
        yield UNBROKEN
        return
    yield f"{told.words}:"
    for number, (phrase, rows) in enumerate(told.steps, 1):
        if told.loop == number - 1:
            yield FOREVER
        yield f"{number}. {phrase}"
        yield from columns(rows)
    if told.remark:
        yield told.remark
    yield f"This breaks {found.law.name} [{found.law.clause}]: {found.law.sentence}"
    yield f"See it again: {told.again}"
    yield ""
    yield told.diagram.rstrip("\n")


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines that break between words alone."""
    return wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def columns(rows: tuple[Row, ...]) -> Iterator[str]:
    """A table of what a step changed."""
    if not rows:
        yield "     nothing changes"
        return
    place, before = (max(len(row[at]) for row in rows) for at in (0, 1))
    for row in rows:
        yield f"     {row.place:<{place}}  {row.before:<{before}}  ->  {row.after}"


def markdown(found: Explanation, told: Told) -> str:
    """A page."""
    return "\n".join(_page(found, told)) + "\n"


def _page(found: Explanation, told: Told) -> Iterator[str]:
    yield f"# {cell(heading(found))}"
    yield ""
    yield "| | |"
    yield "| --- | --- |"
    for what, text in facts(found):
        yield f"| {what} | {cell(text)} |"
    yield ""
    if not told.steps:
        yield UNBROKEN
        return
    yield f"{told.words}:"
    for number, (phrase, rows) in enumerate(told.steps, 1):
        yield ""
        if told.loop == number - 1:
            yield FOREVER
            yield ""
        yield f"{number}. {cell(phrase)}"
        if rows:
            yield ""
            yield "    | place | before | after |"
            yield "    | --- | --- | --- |"
        for row in rows:
            yield f"    | {' | '.join(map(cell, row))} |"
    yield ""
    if told.remark:
        yield told.remark
        yield ""
    yield f"This breaks `{found.law.name}` [{found.law.clause}]: {cell(found.law.sentence)}"
    yield ""
    yield "```mermaid"
    yield told.diagram.rstrip("\n")
    yield "```"
    yield ""
    yield f"See it again: `{told.again}`"


def cell(text: str) -> str:
    """A text in which no character means a table, a tag or emphasis."""
    plain_text = text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
    return plain_text.replace("*", "\\*").replace("_", "\\_")
