"""What `check` looks at more closely where it is asked to: the audit, all shortest traces."""

from collections.abc import Iterator
from dataclasses import dataclass

from checker.commands.reports import shown_by, told, trace_json
from checker.search.asking import Complaint
from checker.search.audit import audit
from checker.search.model import Model
from checker.search.report import Report, Trace
from checker.search.shortest import all_shortest
from checker.world.kinds import Scope


@dataclass(frozen=True, slots=True)
class Closer:
    """How closely to look."""

    is_audited: bool = False
    most_traces: int = 1
    """How many shortest counterexamples are shown at most."""

    def complaints(self, model: Model) -> tuple[Complaint, ...] | None:
        """What the audit finds; none where nobody asked for it."""
        return audit(model) if self.is_audited else None

    def traces(self, model: Model, report: Report) -> tuple[Trace, ...]:
        """The shortest counterexamples, where more than one was asked for."""
        if report.trace is None or self.most_traces == 1:
            return ()
        return all_shortest(model, report.trace, self.most_traces)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a closer look at one scope came to."""

    complaints: tuple[Complaint, ...] | None
    traces: tuple[Trace, ...]

    def as_json(self, scope: Scope) -> dict[str, object]:
        """What it adds to the JSON of the scope."""
        added: dict[str, object] = {}
        if self.complaints is not None:
            added["complaints"] = [each._asdict() for each in self.complaints]
        if self.traces:
            added["traces"] = [trace_json(shown_by(scope, trace)) for trace in self.traces]
        return added

    def lines(self, scope: Scope, command: str) -> Iterator[str]:
        """What it adds to the text."""
        for complaint in self.complaints or ():
            yield f"  audit: {complaint.kind}: {complaint.text}"
        if self.complaints == ():
            yield "  audit: every rule and law is what the search takes it for"
        for number, trace in enumerate(self.traces, 1):
            yield f"shortest counterexample {number} of {len(self.traces)}:"
            yield told(scope, trace, command)
