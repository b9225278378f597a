"""What a search with unknown integers answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from checker.search.faults import ModelError
from checker.search.model import Law, Model, StepLaw
from checker.search.pausing import collector_paused
from checker.search.plain import Limits
from checker.search.report import BoundReport, Felt, GoalReport, LawReport, Report, Trace, Verdict
from checker.search.results import with_verdict
from checker.symbolic.regions import Regions
from checker.symbolic.retelling import retold
from checker.symbolic.running import on_unknowns
from checker.symbolic.search import Search
from checker.symbolic.worlds import world_of


@dataclass(frozen=True, slots=True)
class Result:
    """A report, and what is said beside it."""

    report: Report
    shapes: int
    """How many states differ in more than in what was decided of the integers."""
    covered: int
    """How many states were dropped, as part of one that was met before."""
    regions: int
    """How many sets of integers were told apart."""
    questions: int
    """How often the solver was asked."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """The integers that a counterexample is told with."""


def search_all_integers(
    model: Model, limits: Limits | None = None, memory: int | None = None
) -> Result:
    """Search every reachable state of a world, whatever its batches and bytes are.

    Breadth first, so that a counterexample is a shortest one. Memory is in bytes; where it is
    passed, the search ends unfinished.
    """
    if model.progress or model.accepting is not None:
        raise ModelError(f"{model.name} is judged on what it comes to, and not with any integers")
    world = world_of(model)
    regions = Regions(world.unknowns.domain())
    with on_unknowns(), collector_paused():
        search = Search(world.unknown(), regions, limits or Limits(), memory)
        search.run()
    if search.found is None:
        return _result(search, None, {})
    return _result(search, *retold(search, world, search.found))


def _result(search: Search, trace: Trace | None, numbers: Mapping[str, int]) -> Result:
    regions = search.regions
    return Result(
        _report(search, trace),
        search.shapes,
        search.covered,
        len(regions.atoms),
        regions.calls,
        numbers,
    )


def _report(search: Search, trace: Trace | None) -> Report:
    model = search.tables.model
    is_whole = search.stopped_by is None and trace is None
    alive = {step.rule_name for step, fired in zip(model.steps, search.fired, strict=True) if fired}
    dead = {step.rule_name for step in model.steps} - alive - model.expected_dead
    report = Report(
        model=model.name,
        verdict="holds" if search.stopped_by is None else "unfinished",
        states=len(search.rows),
        transitions=search.transitions,
        depth=search.depth,
        seconds=search.limits.seconds(),
        laws=tuple(_laws(search, trace, is_whole=is_whole)),
        goals=tuple(
            GoalReport(goal.name, place not in search.goals)
            for place, goal in enumerate(model.goals)
        ),
        dead_rules=tuple(sorted(dead)) if is_whole else (),
        woken_rules=tuple(sorted(alive & model.expected_dead)),
        bounds=tuple(_bounds(search, is_whole=is_whole)),
        rule_calls=search.tables.rule_calls,
        engine="symbolic",
        stopped_by=search.stopped_by,
        trace=trace,
    )
    return with_verdict(report)


def _laws(search: Search, trace: Trace | None, *, is_whole: bool) -> Iterator[LawReport]:
    laws: tuple[Law | StepLaw, ...] = (*search.tables.model.laws, *search.tables.model.step_laws)
    for law in laws:
        verdict: Verdict = "holds" if is_whole else "unfinished"
        if trace is not None and trace.law.name == law.name:
            verdict = "broken"
        yield LawReport(law.name, law.clause, law.sentence, verdict)


def _bounds(search: Search, *, is_whole: bool) -> Iterator[BoundReport]:
    model = search.tables.model
    limited = {limit.bound for limit in model.limits}
    for name, text in model.bounds.items():
        felt: Felt = "hit" if name in search.hit else "not hit" if is_whole else "unknown"
        yield BoundReport(name, text, felt if name in limited else "always")
