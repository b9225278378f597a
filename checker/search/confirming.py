"""What a trace of a progress goal or a dead end claims, asked of the rules alone."""

from collections.abc import Iterator

from checker.search.contract import call
from checker.search.faults import InternalError
from checker.search.model import Accepting, Model, Parts, ProgressGoal, Step
from checker.search.report import Trace
from checker.search.tables import run_rule
from checker.search.traces import confirm_moves

STATES_LOOKED_AT = 2_000
"""How many states are walked to confirm that none of them reaches a goal."""


def confirm_dead_end(model: Model, trace: Trace, accepting: Accepting) -> None:
    """Raise unless the trace ends where no step leads on and the world may not rest."""
    end = confirm_moves(model, trace)[-1]
    if any(can_change(step, end) for step in model.steps):
        raise InternalError(f"{model.name}: the trace ends where a step leads on")
    if call("the accepting states", accepting.accepts, *(end[name] for name in accepting.reads)):
        raise InternalError(f"{model.name}: the trace ends where the world may rest")


def confirm_lost(model: Model, trace: Trace, goal: ProgressGoal) -> None:
    """Raise where a walk on from the end of the trace comes to the goal."""
    end = confirm_moves(model, trace)[-1]
    if not _is_owed(goal, end):
        raise InternalError(f"{model.name}: the trace ends where {goal.name} is not owed")
    known, queue = {tuple(end.values())}, [end]
    for state in queue:
        if _is_reached(goal, state):
            raise InternalError(f"{model.name}: {goal.name} is reached after all")
        for after in _following(model, state):
            values = tuple(after.values())
            if values not in known and len(known) < STATES_LOOKED_AT:
                known.add(values)
                queue.append(after)


def confirm_lasso(model: Model, trace: Trace, goal: ProgressGoal) -> None:
    """Raise unless the trace closes, avoids the goal on its cycle and is fair."""
    states = confirm_moves(model, trace)
    loop = len(trace.moves) if trace.loop is None else trace.loop
    cycle = states[loop:]
    if dict(cycle[0]) != dict(cycle[-1]):
        raise InternalError(f"{model.name}: the cycle of the trace does not close")
    if any(_is_reached(goal, state) for state in cycle):
        raise InternalError(f"{model.name}: the cycle of the trace comes to {goal.name}")
    first = loop
    while first and not _is_reached(goal, states[first - 1]):
        first -= 1
    if not any(_is_owed(goal, state) for state in states[first:]):
        raise InternalError(f"{model.name}: {goal.name} is not owed on the trace")
    taken = {
        move.step
        for move, before in zip(trace.moves[loop:], cycle, strict=False)
        if dict(move.parts) != dict(before)
    }
    for step in model.steps:
        is_fair = step.name in model.fair or step.rule_name in model.fair
        if is_fair and step.name not in taken and all(can_change(step, at) for at in cycle):
            raise InternalError(f"{model.name}: the cycle of the trace puts off {step.name}")


def can_change(step: Step, state: Parts) -> bool:
    """Answer whether some outcome of a step leads to another state."""
    return any(dict(after) != dict(state) for after in _outcomes(step, state))


def _following(model: Model, state: Parts) -> Iterator[Parts]:
    for step in model.steps:
        yield from _outcomes(step, state)


def _outcomes(step: Step, state: Parts) -> Iterator[Parts]:
    for outcome in run_rule(step, [state[name] for name in step.reads]):
        yield {**state, **dict(zip(step.writes, outcome.values, strict=True))}


def _is_reached(goal: ProgressGoal, state: Parts) -> bool:
    values = (state[name] for name in goal.reads)
    return bool(call(f"the progress goal {goal.name}", goal.reached, *values))


def _is_owed(goal: ProgressGoal, state: Parts) -> bool:
    values = (state[name] for name in goal.reads)
    return goal.owed is None or bool(call(f"what is owed of {goal.name}", goal.owed, *values))
