"""What comes of the remedies of findings: is the law kept, and is no other law broken for it?"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from checker.search.explore import search
from checker.search.model import Law, Model, ProgressGoal, StepLaw
from checker.search.report import Report
from checker.world.kinds import Finding


@dataclass(frozen=True, slots=True)
class Closed:
    """What came of one remedy in the world of one scope."""

    scope: str
    states: int
    """How many states were searched, and judged by every law that is not known to fall."""
    problems: tuple[str, ...]
    """What is not as it is declared, a sentence each."""


def worlds_of(finding: Finding) -> tuple[str, ...]:
    """The scopes in which a remedy is tried: the finding's own first."""
    return () if finding.remedy is None else (finding.scope, *finding.remedy.elsewhere)


def closing(finding: Finding) -> Model:
    """The world of a finding with its remedy, judged by the law of the finding alone."""
    assert finding.remedy is not None, f"{finding.name} has a remedy"
    return only(finding.remedy.build(finding.scope), {finding.law})


def try_remedy(finding: Finding, scope: str) -> Closed | None:
    """Search the world of a scope with a remedy in it; none where somebody interrupted."""
    remedy = finding.remedy
    assert remedy is not None, f"{finding.name} has a remedy"
    model, known = remedy.build(scope), remedy.falling_in(scope, finding.scope)
    kept = search(only(model, names_of(model) - known))
    if kept.stopped_by is not None:
        return None
    problems = list(_unexpected(finding, scope, kept))
    for law in sorted(known):
        report = search(only(model, {law}))
        if report.stopped_by is not None:
            return None
        if not broken_in(report):
            problems.append(f"{law} is declared to fall in {scope}, and holds there")
    problems.extend(
        f"{each.law} is declared to fall in {scope} anyway, and does not"
        for each in remedy.leaves
        if (each.scope or finding.scope) == scope
        and not broken_in(search(only(remedy.without(scope), {each.law})))
    )
    return Closed(scope, kept.states, tuple(problems))


def _unexpected(finding: Finding, scope: str, report: Report) -> Iterator[str]:
    for law in broken_in(report):
        steps = len(report.trace.moves) if report.trace is not None else 0
        if law == finding.law:
            yield f"{law} is broken in {scope} all the same, after {steps} steps"
        else:
            yield f"it breaks {law} in {scope}, after {steps} steps"
    pinned = None if finding.remedy is None else finding.remedy.states
    if scope == finding.scope and not broken_in(report) and report.states != pinned:
        yield f"{scope} is pinned to {pinned} states with it, and has {report.states}"


def broken_in(report: Report) -> tuple[str, ...]:
    """The laws that a search found broken."""
    return tuple(law.name for law in report.laws if law.verdict == "broken")


def names_of(model: Model) -> frozenset[str]:
    """The names of all that judges a world."""
    laws: list[Law | StepLaw | ProgressGoal] = [*model.laws, *model.step_laws, *model.progress]
    return frozenset(law.name for law in laws)


def only(model: Model, laws: Collection[str]) -> Model:
    """The same world, judged by these laws and by nothing else; rules may have nothing to do."""
    return replace(
        model,
        goals=(),
        laws=tuple(each for each in model.laws if each.name in laws),
        step_laws=tuple(each for each in model.step_laws if each.name in laws),
        progress=tuple(each for each in model.progress if each.name in laws),
    )
