"""The clauses of the chapters, as values: what messages quote and what tables list."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

CHAPTERS = ("ranges", "placing", "producing", "rolling", "refreshing", "healing", "reading")
"""In reading order; each is the name of a page beside this module."""

_HEADINGS = re.compile(r"^(?=#{1,3} )", re.MULTILINE)
_TRAILER = re.compile(r"(Functions|Commands|Replies|Properties): ([^.]+)\.")


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that holds."""

    id: str
    """`ROL-7`; never given to another clause."""
    title: str
    sentence: str
    why: str
    """Paragraphs, parted by empty lines; perhaps none."""
    functions: tuple[str, ...]
    commands: tuple[str, ...]
    replies: tuple[str, ...]
    properties: tuple[str, ...]
    chapter: str


@cache
def clauses() -> tuple[Clause, ...]:
    """Answer all clauses, in reading order."""
    return tuple(clause for chapter in CHAPTERS for clause in clauses_of(chapter, page(chapter)))


def page(name: str) -> str:
    """Answer the text of a page: a chapter, or `index`."""
    return files("spec").joinpath(f"{name}.md").read_text(encoding="utf-8")


def clauses_of(chapter: str, text: str) -> tuple[Clause, ...]:
    """Answer the clauses written in the text of a chapter."""
    return tuple(
        _clause(chapter, section) for section in _HEADINGS.split(text) if section.startswith("### ")
    )


def clause_of(clause_id: str) -> Clause:
    """Answer the clause with an id; an id that is not written is a KeyError."""
    return _clause_by_id()[clause_id]


def sentence_of(clause_id: str) -> str:
    """Answer the sentence of a clause; an id that is not written is a KeyError."""
    return clause_of(clause_id).sentence


@cache
def _clause_by_id() -> Mapping[str, Clause]:
    return MappingProxyType({clause.id: clause for clause in clauses()})


def _clause(chapter: str, section: str) -> Clause:
    heading, *paragraphs = (
        " ".join(paragraph.split()) for paragraph in section.strip().split("\n\n")
    )
    clause_id, _, title = heading.removeprefix("### ").partition(" ")
    trailer = paragraphs.pop() if _TRAILER.match(paragraphs[-1]) else ""
    names = {kind: tuple(listed.split(", ")) for kind, listed in _TRAILER.findall(trailer)}
    return Clause(
        id=clause_id,
        title=title,
        sentence=paragraphs[0],
        why="\n\n".join(paragraphs[1:]),
        functions=names.get("Functions", ()),
        commands=names.get("Commands", ()),
        replies=names.get("Replies", ()),
        properties=names.get("Properties", ()),
        chapter=chapter,
    )
