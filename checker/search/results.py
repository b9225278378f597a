"""What both engines end with: a report out of tables, judges and counts."""

from dataclasses import dataclass, replace

from checker.search.judging import Judges
from checker.search.model import Law, Model, StepLaw
from checker.search.progress import Finding, judge, unjudged
from checker.search.report import BoundReport, Felt, GoalReport, LawReport, Report, Trace, Verdict
from checker.search.tables import MOST_MET, Tables


@dataclass(frozen=True, slots=True)
class Tally:
    """How much was searched."""

    states: int
    transitions: int
    depth: int


def report_of(
    tables: Tables,
    judges: Judges,
    tally: Tally,
    *,
    engine: str,
    seconds: float,
    stopped_by: str | None,
    trace: Trace | None,
) -> Report:
    """Put together what a search found."""
    model = tables.model
    findings = _findings(tables, whole=stopped_by is None and trace is None)
    if findings is None:
        stopped_by, findings = stopped_by or "memory", ()
    whole = stopped_by is None and trace is None
    report = Report(
        model=model.name,
        verdict="holds" if stopped_by is None else "unfinished",
        states=tally.states,
        transitions=tally.transitions,
        depth=tally.depth,
        seconds=seconds,
        laws=(
            *_law_reports(tables, judges, whole=whole),
            *(tuple(each.law for each in findings) if whole else unjudged(model)),
        ),
        goals=tuple(
            GoalReport(goal.name, place in judges.reached, *judges.counted(place))
            for place, goal in enumerate(model.goals)
        ),
        dead_rules=tables.dead_rules() if whole else (),
        woken_rules=tables.woken_rules(),
        bounds=_bound_reports(model, judges, whole=whole),
        rule_calls=tables.rule_calls,
        engine=engine,
        stopped_by=stopped_by,
        trace=trace or next((each.trace for each in findings if each.trace), None),
    )
    return with_verdict(report)


def _findings(tables: Tables, *, whole: bool) -> tuple[Finding, ...] | None:
    """Answer what is found when the search is over; None where memory is used up by it."""
    try:
        tables.watch.ask_again()
        return judge(tables.model) if whole else ()
    except MemoryError:
        return None


def with_verdict(report: Report) -> Report:
    """Say `broken` of a report in which anything fails."""
    return replace(report, verdict="broken") if report.failures else report


def _bound_reports(model: Model, judges: Judges, *, whole: bool) -> tuple[BoundReport, ...]:
    limited = {limit.bound for limit in model.limits}

    def felt(bound: str) -> Felt:
        if bound not in limited:
            return "always"
        if judges.is_hit(bound):
            return "hit"
        return "not hit" if whole else "unknown"

    return tuple(BoundReport(name, text, felt(name)) for name, text in model.bounds.items())


def _law_reports(tables: Tables, judges: Judges, *, whole: bool) -> tuple[LawReport, ...]:
    model = tables.model
    broken_steps = {breach.law for breach in tables.breaches}
    laws = [
        _law_report(law, judges.cases(place), broken=place in judges.violations, whole=whole)
        for place, law in enumerate(model.laws)
    ]
    laws += [
        _law_report(law, tables.judged[place], broken=place in broken_steps, whole=whole)
        for place, law in enumerate(model.step_laws)
    ]
    if not judges.counts_states or judges.violations or tables.breaches:
        # Whoever looks for a trace asks again.
        return tuple(laws)
    return tuple(
        law
        if (met := tables.met.get(law.name)) is None
        else replace(law, met=met, is_all=met < MOST_MET)
        for law in laws
    )


def _law_report(law: Law | StepLaw, cases: int | None, *, broken: bool, whole: bool) -> LawReport:
    verdict: Verdict = "broken" if broken else "holds" if whole else "unfinished"
    return LawReport(law.name, law.clause, law.sentence, verdict, cases)
