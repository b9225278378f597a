"""The audit: is a model what the search takes it for?

A search asks each rule and law once about the values it declares, and believes the answer for
ever. The audit walks the first states of a model and asks everything again: with equal values
made of other objects, and at another time in another order. It collects what it finds.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import cast

from checker.search.asking import Answer, Ask, Complaint, Complaints, Declared, Questions
from checker.search.constancy import kinds, why_mutable
from checker.search.contract import call, faults_of
from checker.search.faults import ModelError
from checker.search.holdings import Holding, holdings, outside_writes, photograph
from checker.search.model import Guard, Model, Outcome, Step, StepLaw
from checker.search.tables import judges_step, run_rule, shut_out, step_law_holds, truth

MAX_STATES = 3_000
MAX_ASKED_AGAIN = 20_000

State = tuple[Hashable, ...]
Numbers = tuple[int, ...]


def audit(model: Model, *, max_states: int = MAX_STATES, seed: int = 0) -> tuple[Complaint, ...]:
    """Answer what is wrong with a model, as far as its first states show it.

    Nothing is raised for it. The seed chooses the order in which all is asked once more.
    """
    complaints = Complaints()
    for who, text in faults_of(model):
        complaints.add("names", who, text)
    if complaints.all():
        return complaints.all()
    try:
        call(f"looking into {model.name}", _look, model, complaints, max_states, seed)
    except ModelError as error:
        complaints.add("fails", model.name, str(error))
    return complaints.all()


def _look(model: Model, complaints: Complaints, max_states: int, seed: int) -> None:
    watched = _holdings(model, complaints)
    walk = _Walk(model, complaints)
    walk.run(max_states)
    walk.questions.ask_again(seed, MAX_ASKED_AGAIN)
    for who, holding, before in watched:
        if photograph(holding.value) != before:
            text = f"{who} can reach {holding.name}, which changes while rules run"
            complaints.add("undeclared read", who, text)


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
    for step in model.steps:
        if step.guard is not None:
            yield f"the guard of step {step.name}", step.guard.holds
    yield from ((f"the step law {law.name}", law.holds) for law in model.step_laws)
    yield from ((who, function) for who, function, _ in _judges(model))


def _judges(model: Model) -> Iterator[tuple[str, Callable[..., bool], Sequence[str]]]:
    yield from ((f"the law {law.name}", law.holds, law.reads) for law in model.laws)
    yield from ((f"the goal {goal.name}", goal.reached, goal.reads) for goal in model.goals)
    yield from ((f"the limit of {each.bound}", each.is_hit, each.reads) for each in model.limits)
    for goal in model.progress:
        yield f"the progress goal {goal.name}", goal.reached, goal.reads
        if goal.owed is not None:
            yield f"what is owed of {goal.name}", goal.owed, goal.reads
    if model.accepting is not None:
        yield "the accepting states", model.accepting.accepts, model.accepting.reads


class _Walk:
    """A walk through the first states; every value of a part has a number."""

    def __init__(self, model: Model, complaints: Complaints) -> None:
        self.questions = Questions(complaints)
        self._model, self._complaints = model, complaints
        self._names = tuple(model.initial)
        self._numbers: dict[tuple[str, Hashable], int] = {}
        self._values: dict[str, list[Hashable]] = {name: [] for name in self._names}
        self._judges = [
            (who, _judging(who, function), reads) for who, function, reads in _judges(model)
        ]
        self._step_laws = [
            (step, [law for law in model.step_laws if judges_step(law, step)])
            for step in model.steps
        ]
        self._outcomes: dict[tuple[str, Numbers], list[Numbers]] = {}

    def run(self, max_states: int) -> None:
        found = self._numbered(
            "the initial state", self._names, tuple(self._model.initial.values())
        )
        if found is None:
            return
        known, queue = {found}, [found]
        for state in queue:
            numbers = dict(zip(self._names, state, strict=True))
            for after in self._afters(numbers):
                if after not in known and len(known) < max_states:
                    known.add(after)
                    queue.append(after)
            for who, ask, reads in self._judges:
                read = tuple(numbers[name] for name in reads)
                self.questions.answer(who, read, ask, reads, self._valued(reads, read))

    def _afters(self, numbers: dict[str, int]) -> Iterator[Numbers]:
        for step, laws in self._step_laws:
            read = tuple(numbers[name] for name in step.reads)
            outcomes = self._outcomes.get((step.name, read))
            if outcomes is None:
                outcomes = self._outcomes[step.name, read] = self._learned(step, laws, read)
            for written in outcomes:
                yield tuple((numbers | dict(zip(step.writes, written, strict=True))).values())

    def _learned(self, step: Step, laws: list[StepLaw], read: Numbers) -> list[Numbers]:
        """Ask for the outcomes of a step, look into them, and let the step laws judge them."""
        who, values = f"step {step.name}", self._valued(step.reads, read)
        answer = self.questions.answer(who, read, partial(_outcomes_of, step), step.reads, values)
        if answer and step.guard is not None:
            self._hold_guard(step, step.guard, dict(zip(step.reads, read, strict=True)), answer)
        written = []
        for outcome in cast("Sequence[Outcome]", answer or ()):
            if type(outcome.label) is not str:
                text = f"{who} labels an outcome {outcome.label!r}, which is no text"
                self._complaints.add("wrong shape", who, text)
            numbers = self._numbered(who, step.writes, outcome.values)
            if numbers is not None:
                written.append(numbers)
                for law in laws:
                    asked = f"the step law {law.name}, asked of {step.name},"
                    names, both = (*step.reads, *step.writes), (*values, *outcome.values)
                    ask = _step_judging(law, step)
                    self.questions.answer(asked, (*read, *numbers), ask, names, both)
        return written

    def _hold_guard(
        self, step: Step, guard: Guard, numbers: dict[str, int], answer: Answer
    ) -> None:
        """Complain of a guard that would have kept a step from what it does."""
        who, read = f"the guard of step {step.name}", tuple(numbers[part] for part in guard.reads)
        values = self._valued(guard.reads, read)
        said = self.questions.answer(who, read, _judging(who, guard.holds), guard.reads, values)
        if said is False:
            text = shut_out(step.name, cast("Sequence[Outcome]", answer))
            self._complaints.add("shuts out", who, text)

    def _valued(self, names: Sequence[str], numbers: Numbers) -> State:
        return tuple(
            self._values[name][number] for name, number in zip(names, numbers, strict=True)
        )

    def _numbered(self, who: str, names: Sequence[str], values: State) -> Numbers | None:
        """Answer the numbers of some values; none where one of them cannot be part of a state."""
        numbers = [
            self._number_told(who, name, value) for name, value in zip(names, values, strict=True)
        ]
        return tuple(cast("list[int]", numbers)) if None not in numbers else None

    def _number_told(self, who: str, part: str, value: Hashable) -> int | None:
        asked = f"{who}: the value of {part}"
        try:
            return cast("int | None", call(asked, self._number, who, part, value))
        except ModelError as error:
            self._complaints.add("fails", who, str(error))
            return None

    def _number(self, who: str, part: str, value: Hashable) -> int | None:
        """Complain of a value that may change, or that is equal to one of another kind."""
        why = why_mutable(value)
        if why is not None:
            self._complaints.add("not constant", who, f"{who}: the value of {part}: {why}")
        if not _is_hashable(value):
            return None
        values = self._values[part]
        number = self._numbers.setdefault((part, value), len(values))
        if number == len(values):
            values.append(value)
        elif kinds(values[number]) != kinds(value):
            text = f"{who}: {part} takes {value!r}, equal to a value of another kind it has taken"
            self._complaints.add("two kinds of equal", who, text)
        return number


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
        return truth(who, call(who, function, *values))

    return ask


def _step_judging(law: StepLaw, step: Step) -> Ask:
    def ask(*values: Hashable) -> bool:
        before = dict(zip(step.reads, values, strict=False))
        after = before | dict(zip(step.writes, values[len(before) :], strict=True))
        return step_law_holds(law, step, Declared(before), Declared(after))

    return ask
