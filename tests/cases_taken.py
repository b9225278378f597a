"""Traces that are taken by hand in a named world."""

from checker.cases.kinds import Heading, World, WorldCase, WorldStep
from checker.cases.worlds import run_of
from checker.search.model import Model
from checker.search.report import Trace


def taken(scope: str, steps: list[tuple[str, str | None]]) -> tuple[Model, Trace]:
    """The world, and the trace of some of its steps with their outcomes."""
    case = WorldCase(
        Heading("a trace"), World(scope), tuple(WorldStep(step, outcome) for step, outcome in steps)
    )
    run = run_of(case)
    run.result()
    return run.model, run.trace()
