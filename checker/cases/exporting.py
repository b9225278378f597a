"""Runs as other tools read them: states in the Informal Trace Format, calls as a recording."""

from collections.abc import Sequence
from dataclasses import dataclass
from json import dumps

from checker.cases.calling import Called, written
from checker.cases.calls import begun
from checker.cases.itf import State, lines, trace_in_itf
from checker.cases.kinds import CallCase, Case
from checker.cases.recording import calls_of
from checker.cases.worlds import run_of
from checker.replay.terms import MalformedError
from checker.replay.trace import Header
from checker.search.model import Model
from checker.search.report import Trace

SOURCE = "malachi-model"


@dataclass(frozen=True, slots=True)
class Exported:
    """One run in other formats."""

    states: str
    """In the Informal Trace Format."""
    calls: str | None
    """A recording, line by line; none where there is none."""
    why_not: str = ""
    """Why there is no recording."""
    departs_at: int | None = None
    """The first step after which the calls lead elsewhere than the run, if any does."""


def export_trace(model: Model, trace: Trace, name: str, about: str) -> Exported:
    """A counterexample, or what there is of it."""
    breaks = f"breaks {trace.law.name} [{trace.law.clause}]"
    said = f"{about}; {breaks}" if trace.law.verdict == "broken" else about
    content = trace_in_itf(
        [trace.initial, *(move.parts for move in trace.moves)],
        [move.label for move in trace.moves],
        f"{SOURCE} {model.name}",
        f"{name}: {said}",
        trace.loop,
    )
    try:
        recorded = calls_of(model, trace, name)
        calls = recording(recorded.caller.header, recorded.caller.called)
        return Exported(lines(content), calls, departs_at=recorded.departs_at)
    except MalformedError as error:
        return Exported(lines(content), None, str(error))


def export_case(case: Case) -> Exported:
    """A case as it runs. Raises MalformedError where it cannot be run."""
    heading = case.heading
    if not isinstance(case, CallCase):
        run = run_of(case)
        run.result()
        return export_trace(run.model, run.trace(), heading.name, heading.about)
    made = begun(case)
    result = made.result()
    states: Sequence[State] = made.states
    phrases = [taken.said for taken in result.taken]
    content = trace_in_itf(states, phrases, SOURCE, f"{heading.name}: {heading.about}")
    try:
        return Exported(lines(content), recording(made.caller.header, made.caller.called))
    except MalformedError as error:
        return Exported(lines(content), None, str(error))


def recording(header: Header, called: Sequence[Called]) -> str:
    """The text of a recording."""
    return "".join(dumps(line) + "\n" for line in written(header, called))
