"""What a search found, as lines and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict, replace

from checker.commands.output import counted
from checker.search.report import GoalReport, LawReport, Report, Trace
from checker.story import changes, story
from checker.world.idling import idle_problems, why_idle
from checker.world.kinds import Scope
from spec.clauses import clauses


def size_problem(scope: Scope, report: Report) -> str | None:
    """What is wrong with the size of a world that was searched whole."""
    if scope.size is None or report.is_reduced:
        return None
    if report.trace is not None or report.stopped_by is not None:
        return None
    pinned = scope.size.states, scope.size.transitions, scope.size.depth
    counted = report.states, report.transitions, report.depth
    if counted == pinned:
        return None
    return (
        f"the size moved: {counted[0]:,} states, {counted[1]:,} transitions, depth {counted[2]}, "
        f"but the scope pins {pinned[0]:,}, {pinned[1]:,} and {pinned[2]}"
    )


def problem_of(scope: Scope, report: Report) -> str | None:
    """What is wrong with a world of whose laws none is broken: its size, or laws that are idle."""
    found = [size_problem(scope, report), *idle_problems(scope, report)]
    return "; ".join(each for each in found if each is not None) or None


def weighed(scope: Scope, report: Report) -> Report:
    """The report, where goals and dead rules fail only a scope whose size is pinned.

    Another size of a world may be too small for them: they are shown, and say nothing of a law.
    """
    fails = any(law.verdict == "broken" for law in report.laws)
    if scope.size is not None or fails or report.verdict != "broken":
        return report
    return replace(report, verdict="holds")


def law_lines(scope: Scope, report: Report) -> Iterator[str]:
    """Each law with its verdict, each goal, and what else makes the search fail."""
    for law in report.laws:
        yield (f"{law.verdict:<10} [{law.clause}] {law.name}{in_cases(law)}{when_met(scope, law)}")
    for goal in report.goals:
        yield f"{'reached' if goal.reached else 'not reached':<10} {goal.name}{in_states(goal)}"
    for name in report.dead_rules:
        yield f"dead       the rule {name} never fires"
    for name in report.woken_rules:
        yield f"woken      the rule {name} fires, and is declared dead"


def in_cases(law: LawReport) -> str:
    """How many cases a law judged, in words."""
    return "" if law.cases is None else f": {counted(law.cases, 'case')}"


def when_met(scope: Scope, law: LawReport) -> str:
    """How many of them fulfil its premise, in words; where none does, why."""
    if law.met is None:
        return ""
    if law.met == 0:
        reason = why_idle(scope.name, law.name)
        return f"; it speaks in none{reason and f': {reason}'}"
    number = f"{'' if law.is_all else 'at least '}{law.met:,}"
    return f"; it speaks in {number}" if law.cases is not None else f": due in {number} states"


def in_states(goal: GoalReport) -> str:
    """In how many states a goal is reached, in words."""
    if not goal.states:
        return ""
    return f": in {'' if goal.is_all else 'at least '}{counted(goal.states, 'state')}"


def summary_lines(scope: Scope, report: Report) -> Iterator[str]:
    """How many laws hold and goals are reached, and in full what is otherwise."""
    held = sum(law.verdict == "holds" for law in report.laws)
    reached = sum(goal.reached for goal in report.goals)
    hit = [bound.name for bound in report.bounds if bound.felt == "hit"]
    felt = f"; bounds hit: {', '.join(hit)}" if hit else ""
    yield (
        f"{held} of {counted(len(report.laws), 'law')} hold, "
        f"{reached} of {counted(len(report.goals), 'goal')} reached{felt}"
    )
    for line in law_lines(scope, report):
        if not line.startswith(("holds", "reached")):
            yield line


def bound_lines(report: Report) -> Iterator[str]:
    """Each bound, and whether some state would go on but for it."""
    for bound in report.bounds:
        yield f"{bound.felt:<10} the bound {bound.name}: {bound.text}"


def as_json(scope: Scope, report: Report) -> dict[str, object]:
    """One scope of the JSON report."""
    problem = problem_of(scope, report)
    content: dict[str, object] = {
        "name": scope.name,
        "verdict": report.verdict if problem is None else "broken",
        "states": report.states,
        "transitions": report.transitions,
        "depth": report.depth,
        "seconds": round(report.seconds, 3),
        "engine": report.engine,
        "laws": [law_json(scope, law) for law in report.laws],
        "goals": [goal_json(goal) for goal in report.goals],
        "bounds": [asdict(bound) for bound in report.bounds],
        "dead_rules": list(report.dead_rules),
        "woken_rules": list(report.woken_rules),
        "stopped_by": report.stopped_by,
        "problem": problem,
    }
    if report.trace is not None:
        content["trace"] = trace_json(shown_by(scope, report.trace))
    return content


def law_json(scope: Scope, law: LawReport) -> dict[str, object]:
    """One law of the JSON report."""
    content: dict[str, object] = {"name": law.name, "clause": law.clause, "verdict": law.verdict}
    if law.cases is not None:
        content["cases"] = law.cases
    if law.met is not None:
        content |= {"met": law.met, "is_all_met": law.is_all}
    reason = why_idle(scope.name, law.name) if law.met == 0 else ""
    return content | {"idle": reason} if reason else content


def goal_json(goal: GoalReport) -> dict[str, object]:
    """One goal of the JSON report."""
    content: dict[str, object] = {"name": goal.name, "reached": goal.reached}
    if goal.states is not None:
        content |= {"states": goal.states, "is_all": goal.is_all}
    return content


def shown_by(scope: Scope, trace: Trace) -> Trace:
    """A trace whose states are as the scope shows them."""
    moves = tuple(replace(move, parts=scope.show(move.parts)) for move in trace.moves)
    return replace(trace, initial=scope.show(trace.initial), moves=moves)


def told(scope: Scope, trace: Trace, command: str) -> str:
    """A counterexample as a story, with the words of the clause that its law keeps."""
    clause = next((each for each in clauses() if each.id == trace.law.clause), None)
    said = "" if clause is None else f"\n{clause.id}: {clause.sentence}"
    return f"{story(shown_by(scope, trace))}{said}\nSee it again: {command}"


def trace_json(trace: Trace) -> dict[str, object]:
    """A counterexample: its steps with what each changed, and the law that it breaks."""
    before = trace.initial
    steps: list[dict[str, object]] = []
    for move in trace.moves:
        changed = list(changes(before, move.parts))
        steps.append({"step": move.step, "label": move.label, "changes": changed})
        before = move.parts
    law = trace.law
    broken = {"name": law.name, "clause": law.clause, "sentence": law.sentence}
    content: dict[str, object] = {"steps": steps, "law": broken}
    if trace.loop is not None:
        content["loop"] = trace.loop
    if trace.remark:
        content["remark"] = trace.remark
    return content
