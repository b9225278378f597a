"""The audit: is a model what the search takes it for?

A search asks each rule and law once about the values it declares, and believes the answer for
ever. The audit walks the first states of a model and asks everything again: with equal values
made of other objects, and at another time in another order. It collects what it finds.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import cast

from checker.search.asking import Ask, Complaint, Complaints, Declared, Questions
from checker.search.constancy import kinds, why_mutable
from checker.search.faults import ModelError
from checker.search.holdings import Holding, holdings, outside_writes, photograph
from checker.search.model import Model, Outcome, Step, StepLaw
from checker.search.tables import check_names, judges_step, run_rule, step_law_holds, truth

MAX_STATES = 3_000
MAX_ASKED_AGAIN = 20_000

State = tuple[Hashable, ...]


def audit(model: Model, *, max_states: int = MAX_STATES, seed: int = 0) -> tuple[Complaint, ...]:
    """Answer what is wrong with a model, as far as its first states show it.

    Nothing is raised for it. The seed chooses the order in which all is asked once more.
    """
    complaints = Complaints()
    try:
        check_names(model)
    except ModelError as error:
        complaints.add("names", model.name, str(error))
        return complaints.all()
    watched = _holdings(model, complaints)
    walk = _Walk(model, complaints)
    walk.run(max_states)
    walk.questions.ask_again(seed, MAX_ASKED_AGAIN)
    for who, holding, before in watched:
        if photograph(holding.value) != before:
            text = f"{who} can reach {holding.name}, which changes while rules run"
            complaints.add("undeclared read", who, text)
    return complaints.all()


def _holdings(model: Model, complaints: Complaints) -> list[tuple[str, Holding, bytes]]:
    found = []
    for who, function in _functions(model):
        for name in outside_writes(function):
            text = f"{who} assigns to {name}, which lies outside of it"
            complaints.add("undeclared write", who, text)
        found += [(who, held, photograph(held.value)) for held in holdings(function)]
    return found


def _functions(model: Model) -> Iterator[tuple[str, object]]:
    yield from ((f"step {step.name}", step.rule) for step in model.steps)
    yield from ((f"the step law {law.name}", law.holds) for law in model.step_laws)
    yield from ((who, function) for who, function, _ in _judges(model))


def _judges(model: Model) -> Iterator[tuple[str, Callable[..., bool], Sequence[str]]]:
    yield from ((f"the law {law.name}", law.holds, law.reads) for law in model.laws)
    yield from ((f"the goal {goal.name}", goal.reached, goal.reads) for goal in model.goals)
    for goal in model.progress:
        yield f"the progress goal {goal.name}", goal.reached, goal.reads
        if goal.owed is not None:
            yield f"what is owed of {goal.name}", goal.owed, goal.reads
    if model.accepting is not None:
        yield "the accepting states", model.accepting.accepts, model.accepting.reads


class _Walk:
    """A walk through the first states, on values as they are."""

    def __init__(self, model: Model, complaints: Complaints) -> None:
        self.questions = Questions(complaints)
        self._model, self._complaints = model, complaints
        self._names = tuple(model.initial)
        self._kinds: dict[tuple[str, Hashable], object] = {}
        self._judges = [
            (who, _judging(who, function), reads) for who, function, reads in _judges(model)
        ]
        self._step_laws = [
            (step, [law for law in model.step_laws if judges_step(law, step)])
            for step in model.steps
        ]

    def run(self, max_states: int) -> None:
        initial = self._model.initial
        if not all(self._is_constant("the initial state", *each) for each in initial.items()):
            return
        first = tuple(initial.values())
        known, queue = {first}, [first]
        for state in queue:
            for after in self._afters(state):
                if after not in known and len(known) < max_states:
                    known.add(after)
                    queue.append(after)
            parts = dict(zip(self._names, state, strict=True))
            for who, ask, reads in self._judges:
                self.questions.answer(who, ask, reads, tuple(parts[name] for name in reads))

    def _afters(self, state: State) -> Iterator[State]:
        parts = dict(zip(self._names, state, strict=True))
        for step, laws in self._step_laws:
            for outcome in self._outcomes(step, laws, tuple(parts[name] for name in step.reads)):
                written = dict(zip(step.writes, outcome.values, strict=True))
                yield tuple((parts | written).values())

    def _outcomes(self, step: Step, laws: list[StepLaw], read: State) -> list[Outcome]:
        who = f"step {step.name}"
        is_new = self.questions.is_new(who, read)
        answer = self.questions.answer(who, partial(_outcomes_of, step), step.reads, read)
        outcomes = cast("Sequence[Outcome]", answer or ())
        if not is_new:
            return [each for each in outcomes if _is_hashable(each.values)]
        for outcome in outcomes:
            if type(outcome.label) is not str:
                text = f"{who} labels an outcome {outcome.label!r}, which is no text"
                self._complaints.add("wrong shape", who, text)
        fit = [each for each in outcomes if self._are_constant(who, step, each)]
        for outcome in fit:
            for law in laws:
                ask, values = _step_judging(law, step), (*read, *outcome.values)
                names = (*step.reads, *step.writes)
                asked = f"the step law {law.name}, asked of {step.name},"
                self.questions.answer(asked, ask, names, values)
        return fit

    def _are_constant(self, who: str, step: Step, outcome: Outcome) -> bool:
        pairs = zip(step.writes, outcome.values, strict=True)
        said = [self._is_constant(who, part, value) for part, value in pairs]
        return all(said)

    def _is_constant(self, who: str, part: str, value: Hashable) -> bool:
        """Complain of a value that may change; answer whether it can be part of a state."""
        why = why_mutable(value)
        if why is not None:
            self._complaints.add("not constant", who, f"{who}: the value of {part}: {why}")
        if not _is_hashable(value):
            return False
        kind = kinds(value)
        if self._kinds.setdefault((part, value), kind) != kind:
            text = f"{who}: {part} takes {value!r}, equal to a value of another kind it has taken"
            self._complaints.add("two kinds of equal", who, text)
        return True


def _is_hashable(value: Hashable) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _outcomes_of(step: Step, *values: Hashable) -> Sequence[Outcome]:
    return run_rule(step, values)


def _judging(who: str, function: Callable[..., bool]) -> Ask:
    def ask(*values: Hashable) -> bool:
        try:
            answer: object = function(*values)
        except Exception as error:
            raise ModelError(f"{who} raises {type(error).__name__}: {error}") from error
        return truth(who, answer)

    return ask


def _step_judging(law: StepLaw, step: Step) -> Ask:
    def ask(*values: Hashable) -> bool:
        before = dict(zip(step.reads, values, strict=False))
        after = before | dict(zip(step.writes, values[len(before) :], strict=True))
        return step_law_holds(law, step, Declared(before), Declared(after))

    return ask
