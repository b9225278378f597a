"""What a replay found: counts, a verdict, and every call that is not as the reference says."""

import json
from dataclasses import dataclass
from typing import Literal

from checker.replay.comparing import Difference
from checker.replay.terms import Term, printable
from spec.clauses import sentence_of

SCHEMA = "malachi-model/replay/1"

Verdict = Literal["agrees", "differs", "malformed", "unfinished", "empty"]
"""Nothing is wrong; a call differs, or a deviation is stale; something could not be read; it was
interrupted; there was no call at all, or a folder held no recording. The one that counts is the
first of differs, malformed, unfinished, empty that applies."""

EXIT_CODES: dict[Verdict, int] = {
    "agrees": 0,
    "differs": 1,
    "malformed": 2,
    "unfinished": 4,
    "empty": 5,
}


@dataclass(frozen=True, slots=True)
class CallDifference:
    """A call that differs."""

    file: str
    line: int
    n: int
    frontend: str
    call: str
    clause: str
    """The clause that the first difference is about."""
    places: tuple[Difference, ...]
    """Every place that differs, the first one first."""

    @property
    def first(self) -> Difference:
        """The one to look at."""
        return self.places[0]

    def text(self) -> str:
        """In words: where, what was expected and observed, and which clause says so."""
        first = self.first
        more = len(self.places) - 1
        who = f"{self.call} of {self.frontend} (call {self.n})"
        lines = [
            f"{self.file}:{self.line}: {who} differs at {first.path}",
            f"  expected {abridged(first.expected)}",
            f"  observed {abridged(first.observed)}",
            f"  {self.clause}: {sentence_of(self.clause)}",
        ]
        lines += [f"  and at {more} more places below it"] if more else []
        return "\n".join(map(printable, lines))


@dataclass(frozen=True, slots=True)
class KnownDeviation:
    """A call that differs as the table of known deviations says."""

    file: str
    n: int
    deviation: str
    """The name of its kind."""
    clause: str
    """What the recorded broker departs from."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """Something that cannot be judged: what, where and why. `line` is none for a whole file."""

    file: str
    line: int | None
    reason: str

    def text(self) -> str:
        """One line."""
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        return printable(f"{where}: {self.reason}")


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """What came of a replay."""

    files: int
    """Files that were read, malformed ones included."""
    calls: int
    agree: int
    known_deviations: int
    """Calls that differ exactly as the table of known deviations says."""
    unexplained: int
    """Calls that differ in another way."""
    differences: tuple[CallDifference, ...] = ()
    """The unexplained ones."""
    known: tuple[KnownDeviation, ...] = ()
    stale: tuple[Complaint, ...] = ()
    """Calls that the table of known deviations covers, and that did not differ as it says."""
    malformed: tuple[Complaint, ...] = ()
    unselected: tuple[Complaint, ...] = ()
    """Folders that hold no recording."""
    interrupted: bool = False
    """Whether it was stopped from the keyboard: this is what was judged until then."""

    @property
    def verdict(self) -> Verdict:
        """What it comes to."""
        if self.unexplained or self.stale:
            return "differs"
        if self.malformed:
            return "malformed"
        if self.interrupted:
            return "unfinished"
        return "agrees" if self.calls and not self.unselected else "empty"

    @property
    def exit_code(self) -> int:
        """What the command ends with."""
        return EXIT_CODES[self.verdict]

    def as_json(self) -> dict[str, Term]:
        """The report, as one object."""
        return {
            "schema": SCHEMA,
            "files": self.files,
            "calls": self.calls,
            "agree": self.agree,
            "known_deviations": self.known_deviations,
            "unexplained": self.unexplained,
            "verdict": self.verdict,
            "interrupted": self.interrupted,
            "differences": [as_json(one) for one in self.differences],
            "known": [known_json(one) for one in self.known],
            "stale": [complaint_json(one) for one in self.stale],
            "malformed": [complaint_json(one) for one in self.malformed],
            "unselected": [complaint_json(one) for one in self.unselected],
        }


def as_json(one: CallDifference) -> dict[str, Term]:
    """A call that differs."""
    return {
        "file": one.file,
        "line": one.line,
        "n": one.n,
        "frontend": one.frontend,
        "call": one.call,
        "clause": one.clause,
        "path": one.first.path,
        "expected": one.first.expected,
        "observed": one.first.observed,
        "places": [place_json(place) for place in one.places],
    }


def known_json(one: KnownDeviation) -> Term:
    """A call that differs as the table says."""
    return {"file": one.file, "n": one.n, "deviation": one.deviation, "clause": one.clause}


def place_json(place: Difference) -> Term:
    """One place that differs."""
    return {"path": place.path, "expected": place.expected, "observed": place.observed}


def complaint_json(one: Complaint) -> Term:
    """A complaint."""
    return {"file": one.file, "line": one.line, "reason": one.reason}


def abridged(term: Term, longest: int = 400) -> str:
    """A term as JSON, cut where it is long."""
    text = json.dumps(term)
    return text if len(text) <= longest else f"{text[:longest]}... ({len(text)} characters)"
