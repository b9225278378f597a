"""From the rows of a shortest way to a trace that the rules themselves confirm."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from checker.search.contract import call
from checker.search.faults import InternalError
from checker.search.model import Law, Model, Parts, Step, StepLaw
from checker.search.report import LawReport, Move, Trace
from checker.search.tables import Row, Tables, run_rule, step_law_holds


def trace_along(
    tables: Tables, rows: Sequence[Row], broken: Law | StepLaw, last: tuple[int, int] | None
) -> Trace:
    """Rebuild the moves along a chain of rows, then replay them without any table.

    `last` names step and outcome of one further move, where a step law is what broke.
    """
    tables.watch.ask_again()
    path = [first_move(tables, before, after) for before, after in pairwise(rows)]
    states = [tables.parts_of(row) for row in rows]
    if last is not None:
        path.append(last)
        states.append(_apply(tables, rows[-1], last))
    moves = tuple(
        Move(tables.model.steps[step].name, _label(tables, before, step, outcome), after)
        for (step, outcome), before, after in zip(path, states, states[1:], strict=False)
    )
    law = LawReport(broken.name, broken.clause, broken.sentence, "broken")
    trace = Trace(states[0], moves, law)
    replay(tables.model, trace, broken)
    return trace


def trace_by(
    model: Model,
    moves: Iterable[tuple[int, int]],
    law: LawReport,
    *,
    loop: int | None = None,
    remark: str = "",
) -> Trace:
    """Answer the trace of some moves, each a step and the number of its outcome."""
    state, told = model.initial, []
    for place, number in moves:
        step = model.steps[place]
        outcome = run_rule(step, [state[name] for name in step.reads])[number]
        state = {**state, **dict(zip(step.writes, outcome.values, strict=True))}
        told.append(Move(step.name, outcome.label, state))
    return Trace(dict(model.initial), tuple(told), law, loop, remark)


def replay(model: Model, trace: Trace, broken: Law | StepLaw) -> None:
    """Run a trace through the rules alone; raise where they tell another story."""
    states = confirm_moves(model, trace)
    last = trace.moves[-1].step if trace.moves else None
    step = next((step for step in model.steps if step.name == last), None)
    if _holds_at_the_end(broken, trace, step, states[-2 if trace.moves else -1]):
        raise InternalError(f"{model.name}: the trace ends where {broken.name} holds")


def confirm_moves(model: Model, trace: Trace) -> list[Parts]:
    """Hold each move of a trace to the rules alone; answer the states, from the initial one on."""
    steps = {step.name: step for step in model.steps}
    states = [model.initial]
    if dict(trace.initial) != dict(model.initial):
        raise InternalError(f"{model.name}: the trace does not begin in the initial state")
    for number, move in enumerate(trace.moves, 1):
        step, state = steps[move.step], states[-1]
        answers = [
            {**state, **dict(zip(step.writes, outcome.values, strict=True))}
            for outcome in run_rule(step, [state[name] for name in step.reads])
            if outcome.label == move.label
        ]
        if dict(move.parts) not in answers:
            raise InternalError(f"{model.name}: step {number} of the trace, {move.step}, cannot be")
        states.append(move.parts)
    return states


def _holds_at_the_end(law: Law | StepLaw, trace: Trace, step: Step | None, before: Parts) -> bool:
    after = trace.moves[-1].parts if trace.moves else trace.initial
    if isinstance(law, Law):
        values = (after[name] for name in law.reads)
        return bool(call(f"the law {law.name}", law.holds, *values))
    if step is None:
        return True
    read = {name: before[name] for name in step.reads}
    touched = {name: after[name] for name in (*step.reads, *step.writes)}
    return step_law_holds(law, step, read, touched)


def first_move(tables: Tables, before: Row, after: Row) -> tuple[int, int]:
    """Answer the first step and outcome that lead from one row to the next."""
    for move, row in moves_from(tables, before):
        if row == after:
            return move
    raise InternalError(f"{tables.model.name}: no step leads along the trace")


def moves_from(tables: Tables, before: Row) -> Iterator[tuple[tuple[int, int], Row]]:
    """Answer every step and outcome out of a row, in order, with the row it leads to."""
    for step, reads in enumerate(tables.step_reads):
        for number, change in enumerate(tables.again(step, tuple(before[part] for part in reads))):
            row = list(before)
            for position, value in zip(change.positions, change.ids, strict=True):
                row[position] = value
            yield (step, number), tuple(row)


def _label(tables: Tables, before: Parts, step: int, outcome: int) -> str:
    reads = [before[name] for name in tables.model.steps[step].reads]
    return run_rule(tables.model.steps[step], reads)[outcome].label


def _apply(tables: Tables, row: Row, move: tuple[int, int]) -> Parts:
    step, outcome = move
    before = tables.parts_of(row)
    chosen = tables.model.steps[step]
    values = run_rule(chosen, [before[name] for name in chosen.reads])[outcome].values
    return {**before, **dict(zip(chosen.writes, values, strict=True))}
