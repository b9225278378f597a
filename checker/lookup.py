"""What a name of the specification leads to: a chapter, a clause, a function, a word of a reply.

Options and other words that are set apart in the clauses lead to these, and a noun to its meaning.
Any other word leads to the clauses in whose titles and sentences it stands.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from checker.nearest import unknown
from spec.clauses import CHAPTERS, Clause, clauses, page

PAGES = ("index", *CHAPTERS, "properties")
"""In reading order."""
_PROPERTY = re.compile(r"^\| ([SP]\d+) \| (.+?) \|$", re.MULTILINE)

_PLAIN = re.compile(r"[a-z-]{3,}")
_NOUN = re.compile(r"\*(\w+)\*")
_ARITY = re.compile(r"/\d+$")
_WORD = re.compile(r"`([a-z]\w{2,})`")


@dataclass(frozen=True, slots=True)
class Found:
    """What a name stands for."""

    name: str
    kind: str
    """`page`, `clause`, `function`, `command`, `reply`, `property`, `noun` or `word`."""
    text: str
    """The page, the sentence of the property, or what the noun means; else empty."""
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
    plain = wanted.lower()
    if plain in nouns():
        return Found(plain, "noun", nouns()[plain], words().get(plain, ()))
    speaking = words().get(plain) or saying(plain)
    if speaking:
        return Found(plain, "word", "", speaking)
    raise UnknownNameError(unknown("name", name, names(), "malachi-model spec"))


def names() -> tuple[str, ...]:
    """Every name that leads somewhere, each once."""
    found = [*PAGES, *properties()]
    for clause in clauses():
        found += [clause.id, *clause.functions, *clause.commands, *clause.replies]
    return tuple(dict.fromkeys([*found, *nouns(), *words()]))


def nouns() -> dict[str, str]:
    """What the nouns of the first page mean."""
    told = (line.removeprefix("- ") for line in page("index").splitlines() if _NOUN.search(line))
    return {noun: line for line in told for noun in _NOUN.findall(line)}


def words() -> dict[str, tuple[Clause, ...]]:
    """The words that are set apart in clauses, in the order in which they come, with these."""
    found: dict[str, dict[str, Clause]] = {}
    for clause in clauses():
        for word in _WORD.findall(f"{clause.sentence} {clause.why}"):
            found.setdefault(word, {})[clause.id] = clause
    return {word: tuple(speaking.values()) for word, speaking in found.items()}


def saying(word: str) -> tuple[Clause, ...]:
    """The clauses in whose titles or sentences a plain word stands, or its plural."""
    if not _PLAIN.fullmatch(word):
        return ()
    stands = re.compile(rf"\b{word}s?\b", re.IGNORECASE)
    return tuple(each for each in clauses() if stands.search(f"{each.title}. {each.sentence}"))


def properties() -> dict[str, str]:
    """The properties by number: S and P."""
    return dict(_PROPERTY.findall(page("properties")))


def spellings(name: str) -> Iterator[str]:
    """The spellings under which a name may stand: the source's `awaiting_fence?/5` is an `is_`."""
    plain = _ARITY.sub("", name.lower()).removesuffix("()").removesuffix("?")
    yield plain
    if not plain.startswith("is_"):
        yield f"is_{plain}"


def _page(name: str) -> Found:
    return Found(name, "page", page(name), tuple(c for c in clauses() if c.chapter == name))


def _speaking(listed: str, name: str) -> tuple[Clause, ...]:
    return tuple(clause for clause in clauses() if name in getattr(clause, listed))
