"""Counterexamples as cases: what a search found, to be run again step by step."""

from collections.abc import Callable

from checker.cases.kinds import Breaks, Heading, World, WorldCase, WorldStep
from checker.differences import differences, shown
from checker.replay.terms import Term
from checker.search.model import Parts
from checker.search.report import Trace
from spec.clauses import clauses


def case_of(
    trace: Trace, world: World, show: Callable[[Parts], Parts], name: str, about: str = ""
) -> WorldCase:
    """The case that takes the steps of a trace and expects what they came to."""
    steps, before = [], show(trace.initial)
    for move in trace.moves:
        after = show(move.parts)
        steps.append(WorldStep(move.step, move.label, changed(before, after)))
        before = after
    breaks = Breaks(trace.law.name, len(steps), trace.loop)
    cited = tuple(each.id for each in clauses() if each.id == trace.law.clause)
    return WorldCase(Heading(name, about, cited), world, tuple(steps), breaks)


def changed(before: Parts, after: Parts) -> dict[str, Term]:
    """What a step changed, by path, as it is afterwards."""
    return {
        place.path: plain(place.after)
        for name in before
        for place in differences(before[name], after[name], name)
    }


def plain(value: object) -> Term:
    """A number as it is, and everything else as the text that shows it."""
    return value if isinstance(value, int) and not isinstance(value, bool) else shown(value)
