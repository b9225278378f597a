"""Progress goals and dead ends, judged on the whole reachable graph of a model."""

from dataclasses import dataclass

from checker.search.components import backward
from checker.search.confirming import confirm_dead_end, confirm_lasso, confirm_lost
from checker.search.lassos import LARGE, FairRuns
from checker.search.model import Accepting, Model, ProgressGoal
from checker.search.recording import Recorded, record
from checker.search.report import LawReport, Trace
from checker.search.traces import trace_by

NO_DEAD_END = "no_dead_end"
"""What reports call the law that a world rests only where it may."""
LOST = "From here no way leads to it any more."
RESTS = "Nothing that may not be put off can happen here: the world may stay so for ever."
STUCK = "From here no step leads on."


@dataclass(frozen=True, slots=True)
class Finding:
    """What the graph says of one progress goal, or of dead ends."""

    law: LawReport
    trace: Trace | None


def unjudged(model: Model) -> tuple[LawReport, ...]:
    """Answer the reports of a model whose graph is not whole."""
    return tuple(
        LawReport(name, goal.clause, goal.sentence, "unfinished") for name, goal in _goals(model)
    )


def judge(model: Model) -> tuple[Finding, ...]:
    """Judge what a model declares of progress, in that order, dead ends last.

    The laws of the model must hold, for the whole graph is walked. Raises ModelError where the
    model breaks its contract, InternalError where the rules do not confirm a trace.
    """
    goals = _goals(model)
    if not goals:
        return ()
    graph = record(model)
    return tuple(_finding(graph, name, goal) for name, goal in goals)


def _goals(model: Model) -> tuple[tuple[str, ProgressGoal | Accepting], ...]:
    rest = () if model.accepting is None else ((NO_DEAD_END, model.accepting),)
    return (*((goal.name, goal) for goal in model.progress), *rest)


def _finding(graph: Recorded, name: str, goal: ProgressGoal | Accepting) -> Finding:
    law = LawReport(name, goal.clause, goal.sentence, "broken")
    if isinstance(goal, Accepting):
        trace = _dead_end(graph, goal, law)
        met = None
    else:
        owed = _owed(graph, goal)
        met = len(graph.starts) - 1 if owed is None else sum(owed)
        look = _lost if goal.kind == "possible" else _avoided
        trace = look(graph, goal, owed, law)
    if trace is None:
        law = LawReport(name, goal.clause, goal.sentence, "holds", met=met)
    return Finding(law, trace)


def _dead_end(graph: Recorded, accepting: Accepting, law: LawReport) -> Trace | None:
    accepted = graph.where("the accepting states", accepting.accepts, accepting.reads)
    for state, may_rest in enumerate(accepted):
        targets = graph.targets[graph.starts[state] : graph.starts[state + 1]]
        if not may_rest and all(target == state for target in targets):
            trace = _trace(graph, graph.way_to(state), law, remark=STUCK)
            confirm_dead_end(graph.tables.model, trace, accepting)
            return trace
    return None


def _lost(
    graph: Recorded, goal: ProgressGoal, owed: bytearray | None, law: LawReport
) -> Trace | None:
    can = _can_reach(graph, _reached(graph, goal))
    for state, is_possible in enumerate(can):
        if not is_possible and (owed is None or owed[state]):
            trace = _trace(graph, graph.way_to(state), law, remark=LOST)
            confirm_lost(graph.tables.model, trace, goal)
            return trace
    return None


def _can_reach(graph: Recorded, goals: bytearray) -> bytearray:
    if len(graph.targets) <= LARGE:
        return backward(graph.starts, graph.targets, goals)
    from checker.search.arrays import Arrays  # noqa: PLC0415 - numpy is for large graphs only

    return Arrays(graph.starts, graph.targets).backward(goals)


def _avoided(
    graph: Recorded, goal: ProgressGoal, owed: bytearray | None, law: LawReport
) -> Trace | None:
    avoiding = bytearray(not reached for reached in _reached(graph, goal))
    lasso = FairRuns(graph).lasso(avoiding, owed)
    if lasso is None:
        return None
    way = [*lasso.stem, *lasso.cycle]
    remark = f"... and so on, from {len(lasso.stem) + 1} again." if lasso.cycle else RESTS
    trace = _trace(graph, way, law, loop=len(lasso.stem), remark=remark)
    confirm_lasso(graph.tables.model, trace, goal)
    return trace


def _reached(graph: Recorded, goal: ProgressGoal) -> bytearray:
    return graph.where(f"the progress goal {goal.name}", goal.reached, goal.reads)


def _owed(graph: Recorded, goal: ProgressGoal) -> bytearray | None:
    if goal.owed is None:
        return None
    return graph.where(f"the progress goal {goal.name}", goal.owed, goal.reads)


def _trace(
    graph: Recorded, way: list[int], law: LawReport, *, loop: int | None = None, remark: str
) -> Trace:
    moves = [(graph.steps[edge], graph.outcomes[edge]) for edge in way]
    return trace_by(graph.tables.model, moves, law, loop=loop, remark=remark)
