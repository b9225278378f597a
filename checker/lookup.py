"""What a name of the specification leads to: a chapter, a clause, a function, a word of a reply.

Options and other words that are set apart in the clauses lead to these, and a noun to its meaning.
Any other word leads to the clauses in whose titles and sentences it stands in any form: those that
have it in the title come first. Several words are looked for together, also in the reasons.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from snowballstemmer import stemmer  # type: ignore[import-untyped] # it has no types

from checker.nearest import unknown
from spec.clauses import CHAPTERS, Clause, clauses, page

PAGES = ("index", *CHAPTERS, "properties")
"""In reading order."""
_PROPERTY = re.compile(r"^\| ([SP]\d+) \| (.+?) \|$", re.MULTILINE)

_PLAIN = re.compile(r"[a-z-]{3,}")
_SHORT = re.compile(r"[a-z]{1,2}")
_NOUN = re.compile(r"\*(\w+)\*")
_ARITY = re.compile(r"/\d+$")
_WORD = re.compile(r"`([a-z]\w{2,})`")
SEVERAL = 2
"""So many words are looked for together."""
WEIGHTS = (4, 2, 1)
"""Of a word in the title, in the sentence and in the reasons."""
ENGLISH = stemmer("english")


@dataclass(frozen=True, slots=True)
class Found:
    """What a name stands for."""

    name: str
    kind: str
    """`page`, `clause`, `function`, `command`, `reply`, `property`, `noun`, `word` or `words`."""
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


def find_all(wanted: Sequence[str]) -> tuple[Found, ...]:
    """Answer what some names lead to; where one of them is a mere word, plain ones are one search.

    A name that nothing has raises `UnknownNameError`.
    """
    parts = [part for each in wanted for part in each.split()]
    plain = [part.lower() for part in parts if _PLAIN.fullmatch(part.lower())]
    if len(plain) < SEVERAL or not any(_is_mere(each) for each in plain):
        return tuple(find(each) for each in wanted)
    named = (each for each in parts if each.lower() not in plain and not _SHORT.fullmatch(each))
    return (*map(find, named), together(tuple(dict.fromkeys(plain))))


def together(plain: Sequence[str]) -> Found:
    """The clauses that have all of some words, or as many as any has, the nearest first."""
    found = {word: dict(weighed(word, with_reasons=True)) for word in plain}
    for word, where in found.items():
        if not where:
            raise UnknownNameError(unknown("name", word, names(), "malachi-model spec"))
    counts = {c.id: sum(c.id in where for where in found.values()) for c in clauses()}
    most = max(counts.values())

    def far(clause: Clause) -> int:
        return -sum(where.get(clause.id, 0) for where in found.values())

    best = sorted((each for each in clauses() if counts[each.id] == most), key=far)
    return Found(" ".join(plain), "words", "", tuple(best))


def _is_mere(word: str) -> bool:
    """Whether a word is no name of its own."""
    try:
        return find(word).kind in {"noun", "word"}
    except UnknownNameError:
        return True


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
    """The clauses in whose titles or sentences a plain word stands in any form, titles first."""
    weights = dict(weighed(word))
    said = (each for each in clauses() if each.id in weights)
    return tuple(sorted(said, key=lambda each: -weights[each.id]))


def weighed(word: str, *, with_reasons: bool = False) -> Iterator[tuple[str, int]]:
    """Each clause in which a plain word stands in any form, with how much it is about it."""
    stem = stem_of(word)
    for clause in clauses() if _PLAIN.fullmatch(word) else ():
        weights = [
            weight
            for weight, stems in zip(WEIGHTS, stems_in(clause), strict=True)
            if stem in stems and (weight > 1 or with_reasons)
        ]
        if weights:
            yield clause.id, sum(weights)


@cache
def stems_in(clause: Clause) -> tuple[frozenset[str], ...]:
    """The stems of the words of a clause: of its title, its sentence and its reasons."""
    texts = (clause.title, clause.sentence, clause.why)
    return tuple(frozenset(map(stem_of, re.findall(r"[a-z-]+", text.lower()))) for text in texts)


@cache
def stem_of(word: str) -> str:
    """What the forms of an English word share: `seal` for seals, sealed and sealing."""
    stem: str = ENGLISH.stemWord(word)
    return stem


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
