"""What a name of the specification leads to: a chapter, a clause, a function, a word of a reply."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from checker.nearest import unknown
from spec.clauses import CHAPTERS, Clause, clauses, page

PAGES = ("index", *CHAPTERS, "properties")
"""In reading order."""
_PROPERTY = re.compile(r"^\| ([SP]\d+) \| (.+?) \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Found:
    """What a name stands for."""

    name: str
    kind: str
    """`page`, `clause`, `function`, `command`, `reply` or `property`."""
    text: str
    """The page, or the sentence of the property; empty where only clauses speak of it."""
    clauses: tuple[Clause, ...]
    """Those that speak of it, in reading order."""


class UnknownNameError(Exception):
    """Nothing in the specification has that name: the message says what comes near."""


def find(name: str) -> Found:
    """Answer what a name leads to. A name that nothing has raises `UnknownNameError`."""
    wanted = name.removesuffix(".md").strip(":`")
    if wanted.lower() in PAGES:
        return _page(wanted.lower())
    for clause in clauses():
        if clause.id == wanted.upper():
            return Found(clause.id, "clause", "", (clause,))
    if wanted.upper() in properties():
        number = wanted.upper()
        return Found(number, "property", properties()[number], _speaking("properties", number))
    for kind, listed in (("function", "functions"), ("command", "commands"), ("reply", "replies")):
        for spelled in spellings(wanted):
            speaking = _speaking(listed, spelled)
            if speaking:
                return Found(spelled, kind, "", speaking)
    raise UnknownNameError(unknown("name", name, names(), "malachi-model spec"))


def names() -> tuple[str, ...]:
    """Every name that leads somewhere, each once."""
    found = [*PAGES, *properties()]
    for clause in clauses():
        found += [clause.id, *clause.functions, *clause.commands, *clause.replies]
    return tuple(dict.fromkeys(found))


def properties() -> dict[str, str]:
    """The properties by number: S and P."""
    return dict(_PROPERTY.findall(page("properties")))


def spellings(name: str) -> Iterator[str]:
    """The spellings under which a name may stand: the source's `awaiting_fence?` is an `is_`."""
    plain = name.lower().removesuffix("?").removesuffix("()")
    yield plain
    if not plain.startswith("is_"):
        yield f"is_{plain}"


def _page(name: str) -> Found:
    return Found(name, "page", page(name), tuple(c for c in clauses() if c.chapter == name))


def _speaking(listed: str, name: str) -> tuple[Clause, ...]:
    return tuple(clause for clause in clauses() if name in getattr(clause, listed))
