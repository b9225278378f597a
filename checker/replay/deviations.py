"""The table of known deviations of a recorded broker, strict both ways.

An entry argues one kind of deviation from one clause, and fixes the calls that show it: file and
number of the call, and every place that differs with what is expected and what is observed
there. A call that differs in any other way is unexplained, and a covered call that does not
differ as it says is stale. The table also knows how many calls each recording has, so an entry
for a call that no recording has is stale whatever is replayed.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from checker.replay.comparing import Difference
from checker.replay.result import CallDifference
from checker.replay.terms import Term, count, field, fields, items, only, text


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
        return found is not None and (
            (self.kind.clause, self.case.call, self.case.places)
            == (found.clause, found.call, found.places)
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
    return load(files("checker.replay").joinpath("deviations.json").read_text(encoding="utf-8"))


def load(document: str) -> Deviations:
    """A table from its text."""
    table = fields(json.loads(document), "the table")
    only(table, frozenset({"implementation", "recordings", "deviations"}), "the table")
    return Deviations(
        implementation=text(field(table, "implementation", ""), "implementation"),
        recordings={
            name: count(calls, f"recordings.{name}")
            for name, calls in fields(field(table, "recordings", ""), "recordings").items()
        },
        kinds=tuple(
            deviation(one, f"deviations[{at}]")
            for at, one in enumerate(items(field(table, "deviations", ""), "deviations"))
        ),
    )


def deviation(term: Term, name: str) -> Deviation:
    """One kind."""
    found = fields(term, name)
    only(found, frozenset({"name", "clause", "reason", "cases"}), name)
    return Deviation(
        name=text(field(found, "name", name), f"{name}.name"),
        clause=text(field(found, "clause", name), f"{name}.clause"),
        reason=text(field(found, "reason", name), f"{name}.reason"),
        cases=tuple(
            case(one, f"{name}.cases[{at}]")
            for at, one in enumerate(items(field(found, "cases", name), f"{name}.cases"))
        ),
    )


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
