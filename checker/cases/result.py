"""What came of running a case."""

from dataclasses import dataclass
from typing import Literal

from checker.cases.kinds import Breaks, Case
from spec.clauses import sentence_of

Verdict = Literal["as expected", "departs", "broken", "unbroken"]
"""All is as the case says; something is not as it says; a law breaks where it does not say so;
a law holds that it says is broken."""


@dataclass(frozen=True, slots=True)
class Departure:
    """One place where a run is not as its case says."""

    step: int
    taken: str
    """What was done."""
    path: str
    expected: str
    got: str
    clause: str | None = None
    """The clause that says so, where it is known."""

    def text(self) -> str:
        """In words."""
        said = f"step {self.step}, {self.taken}: {self.path} is {self.got}, not {self.expected}"
        return said if self.clause is None else f"{said}\n  {quoted(self.clause)}"


@dataclass(frozen=True, slots=True)
class Broken:
    """A law that a step breaks."""

    step: int
    law: str
    clause: str
    sentence: str

    def text(self) -> str:
        """In words."""
        where = f"step {self.step} breaks" if self.step else "the initial state breaks"
        return f"{where} {self.law} [{self.clause}]: {self.sentence}\n  {quoted(self.clause)}"


@dataclass(frozen=True, slots=True)
class Taken:
    """One step as it was taken."""

    said: str
    """A phrase."""
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What came of one case."""

    case: Case
    taken: tuple[Taken, ...]
    departures: tuple[Departure, ...]
    broken: tuple[Broken, ...]
    """The laws that the first step to break any breaks."""

    @property
    def breaks(self) -> Breaks | None:
        """What the case says of laws."""
        return self.case.breaks

    @property
    def is_broken_as_said(self) -> bool:
        """Whether laws hold, or break, exactly as the case says."""
        if self.breaks is None:
            return not self.broken
        said = (self.breaks.step, self.breaks.law)
        return said in {(each.step, each.law) for each in self.broken}

    @property
    def verdict(self) -> Verdict:
        """What it comes to."""
        if not self.is_broken_as_said:
            return "broken" if self.broken else "unbroken"
        return "departs" if self.departures else "as expected"


def quoted(clause: str) -> str:
    """A clause in its own words."""
    return f"{clause}: {sentence_of(clause)}"
