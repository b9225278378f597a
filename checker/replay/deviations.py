"""The table of known deviations of a recorded broker, strict both ways.

An entry argues one kind of deviation from one clause, and fixes the calls that show it: file and
number of the call, and every place that differs with what is expected and what is observed
there. A call that differs in any other way is unexplained, and a covered call that does not
differ as it says is stale. The table also knows how many calls each recording has, so an entry
for a call that no recording has is stale whatever is replayed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from checker.replay.comparing import Difference, is_same
from checker.replay.lines import parse
from checker.replay.result import CallDifference
from checker.replay.terms import (
    MalformedError,
    Term,
    count,
    field,
    fields,
    items,
    only,
    printable,
    shown,
    text,
    wrong,
)
from spec.clauses import clause_of


class DeviationsError(MalformedError):
    """The table that ships cannot be read. The text is one line that names its file."""


@dataclass(frozen=True, slots=True)
class Case:
    """Calls that differ alike."""

    call: str
    places: tuple[Difference, ...]
    """The first is the one that is shown; the others follow from it."""
    covers: tuple[tuple[str, int], ...]
    """File, without its ending, and number of the call."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """One kind of deviation."""

    name: str
    clause: str
    reason: str
    """Why the broker, and not the reference, departs from its source."""
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Covering:
    """What covers one call."""

    kind: Deviation
    case: Case

    def explains(self, found: CallDifference | None) -> bool:
        """Whether the call differs exactly as the table says."""
        return (
            found is not None
            and (self.kind.clause, self.case.call) == (found.clause, found.call)
            and len(self.case.places) == len(found.places)
            and all(
                one.path == other.path
                and is_same(one.expected, other.expected)
                and is_same(one.observed, other.observed)
                for one, other in zip(self.case.places, found.places, strict=True)
            )
        )


@dataclass(frozen=True, slots=True)
class Deviations:
    """The table for one implementation."""

    implementation: str
    """Which recordings it is about, by what their headers say."""
    recordings: Mapping[str, int]
    """The recordings it was made over, with the number of calls in each."""
    kinds: tuple[Deviation, ...]

    def covered(self) -> Iterator[tuple[tuple[str, int], Covering]]:
        """Every call that is covered, with what covers it."""
        for kind in self.kinds:
            for each in kind.cases:
                for call in each.covers:
                    yield call, Covering(kind, each)

    def by_call(self) -> dict[tuple[str, int], Covering]:
        """What covers a call."""
        return dict(self.covered())

    def faults(self) -> Iterator[tuple[str, str]]:
        """What is wrong with the table itself: a file, and why its entry can never match."""
        seen: set[tuple[str, int]] = set()
        for call, covering in self.covered():
            file, n = call
            kind = covering.kind
            if file not in self.recordings:
                yield file, f"deviation {kind.name} covers call {n} of it, and it is no recording"
            elif n >= self.recordings[file]:
                yield file, f"deviation {kind.name} covers call {n}, and it has no such call"
            elif call in seen:
                yield file, f"deviation {kind.name} covers call {n}, and so does another entry"
            seen.add(call)
        for kind in self.kinds:
            if not kind.cases or not all(each.covers and each.places for each in kind.cases):
                yield kind.name, "this deviation covers no call"


@cache
def known_deviations() -> Deviations:
    """The table that ships with the checker."""
    file = files("checker.replay").joinpath("deviations.json")
    try:
        return load(file.read_bytes())
    except OSError as error:
        raise DeviationsError(printable(f"{file}: {error.strerror or error}")) from None
    except MalformedError as error:
        raise DeviationsError(printable(f"{file}: {error}")) from None


def load(document: bytes) -> Deviations:
    """A table from its text. Raises MalformedError for any other text."""
    if not document.strip():
        raise MalformedError("the table of known deviations is empty")
    table = fields(parse(document), "the table")
    only(table, frozenset({"implementation", "recordings", "deviations"}), "the table")
    return Deviations(
        implementation=text(field(table, "implementation", ""), "implementation"),
        recordings={
            name: count(calls, f"recordings.{name}")
            for name, calls in fields(field(table, "recordings", ""), "recordings").items()
        },
        kinds=kinds(field(table, "deviations", "")),
    )


def kinds(term: Term) -> tuple[Deviation, ...]:
    """All kinds, each of its own name."""
    found: dict[str, Deviation] = {}
    for at, one in enumerate(items(term, "deviations")):
        kind = deviation(one, f"deviations[{at}]")
        if kind.name in found:
            raise MalformedError(f"deviations[{at}].name is {shown(kind.name)} once more")
        found[kind.name] = kind
    return tuple(found.values())


def deviation(term: Term, name: str) -> Deviation:
    """One kind."""
    found = fields(term, name)
    only(found, frozenset({"name", "clause", "reason", "cases"}), name)
    return Deviation(
        name=said(found, "name", name),
        clause=clause(found, name),
        reason=said(found, "reason", name),
        cases=tuple(
            case(one, f"{name}.cases[{at}]")
            for at, one in enumerate(items(field(found, "cases", name), f"{name}.cases"))
        ),
    )


def said(found: dict[str, Term], key: str, name: str) -> str:
    """A field in words, not left blank."""
    words = text(field(found, key, name), f"{name}.{key}")
    if not words.strip():
        raise MalformedError(f"{name}.{key} is blank")
    return words


def clause(found: dict[str, Term], name: str) -> str:
    """The id of a clause that is written."""
    named = said(found, "clause", name)
    try:
        return clause_of(named).id
    except KeyError:
        raise wrong(f"{name}.clause", "a clause of the specification", named) from None


def case(term: Term, name: str) -> Case:
    """Calls that differ alike."""
    found = fields(term, name)
    only(found, frozenset({"call", "places", "covers"}), name)
    return Case(
        call=text(field(found, "call", name), f"{name}.call"),
        places=tuple(
            place(one, f"{name}.places")
            for one in items(field(found, "places", name), f"{name}.places")
        ),
        covers=tuple(
            cover(one, f"{name}.covers")
            for one in items(field(found, "covers", name), f"{name}.covers")
        ),
    )


def place(term: Term, name: str) -> Difference:
    """One place."""
    found = fields(term, name)
    only(found, frozenset({"path", "expected", "observed"}), name)
    return Difference(
        text(field(found, "path", name), name),
        field(found, "expected", name),
        field(found, "observed", name),
    )


def cover(term: Term, name: str) -> tuple[str, int]:
    """File and number of a call."""
    file, n = items(term, name, 2)
    return text(file, name), count(n, name)
