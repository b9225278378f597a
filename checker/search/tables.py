"""Learned tables: no rule, law or goal runs twice on the same values.

Every distinct value of a part is interned to a small integer, and a state is a row of them. A
step's table maps the ids it reads to its outcomes. Both engines learn through this one door.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple, cast

from checker.search.contract import call, check_contract
from checker.search.faults import ModelError
from checker.search.model import Goal, Law, Limit, Model, Outcome, Parts, Step, StepLaw
from checker.search.watching import Watch, labels

Row = tuple[int, ...]
"""The ids of all parts, in the order of the model."""
MOST_MET = 1 << 9
"""A law whose premise was met so often is asked no more whether it speaks."""
Key = Hashable
"""What a getter answers: the id itself where one part is read, else a tuple of ids."""


class Change(NamedTuple):
    """One outcome as ids: which positions of a row take which values."""

    positions: tuple[int, ...]
    ids: tuple[int, ...]


def changed(row: Row, change: Change) -> Row:
    """Answer the row that an outcome makes of a row."""
    after = list(row)
    for position, value in zip(change.positions, change.ids, strict=True):
        after[position] = value
    return tuple(after)


class Known(NamedTuple):
    """What a guard has answered so far."""

    getter: Callable[[Row], Key]
    """Takes what the step reads."""
    known: dict[Key, bool]


@dataclass(frozen=True, slots=True)
class Breach:
    """A step law that an outcome breaks."""

    step: int
    read_ids: Row
    outcome: int
    law: int


def key_getter(positions: Sequence[int]) -> Callable[[Row], Key]:
    """Answer the function that reads a key out of a row."""
    if not positions:
        return lambda _row: ()
    return cast("Callable[[Row], Key]", itemgetter(*positions))


def ids_of(key: Key, reads: int) -> Row:
    """Answer the ids in a key that a getter over so many parts made."""
    return cast("Row", (key,) if reads == 1 else key)


def key_of(ids: Row) -> Key:
    """Answer the key that a getter makes of these ids."""
    return ids[0] if len(ids) == 1 else ids


class Tables:
    """The interned values of a model and what its rules, laws and goals said of them."""

    def __init__(self, model: Model) -> None:
        check_contract(model)
        self.model = model
        self.names = tuple(model.initial)
        self.position = {name: index for index, name in enumerate(self.names)}
        self.values: list[list[Hashable]] = [[] for _ in self.names]
        self.watch = Watch()
        self.rule_calls = 0
        self.fired = [False] * len(model.steps)
        self.breaches: list[Breach] = []
        self.judged = [0] * len(model.step_laws)
        """How many outcomes each step law was shown."""
        self.met = {
            **{law.name: 0 for law in model.laws if law.speaks is not None},
            **{law.name: 0 for law in model.step_laws if law.speaks is not None},
        }
        """By law that says when it speaks: how many of the cases that it judged fulfil its premise,
        `MOST_MET` at most."""
        self._ids: list[dict[Hashable, int]] = [{} for _ in self.names]
        self._same: list[dict[int, int]] = [{} for _ in self.names]
        """By part: ids by the identity of their values, which live as long as the tables."""
        self._step_laws = [_laws_of(step, model.step_laws) for step in model.steps]
        self.step_reads = [self.positions_of(step.reads) for step in model.steps]
        self._guards = [_guard_of(step) for step in model.steps]
        self.step_writes = [self.positions_of(step.writes) for step in model.steps]
        self.initial: Row = tuple(
            self.intern(index, model.initial[name], "the initial state")
            for index, name in enumerate(self.names)
        )

    def positions_of(self, names: Sequence[str]) -> tuple[int, ...]:
        """Answer where the named parts stand in a row."""
        return tuple(self.position[name] for name in names)

    def intern(self, part: int, value: Hashable, origin: str) -> int:
        """Answer the id of a part's value, a new one where it was never seen.

        A rule often answers the very object it was given: that one need not be hashed.
        """
        same = self._same[part].get(id(value))
        if same is not None:
            return same
        ids = self._ids[part]
        try:
            known = ids.get(value)
        except (KeyboardInterrupt, MemoryError):
            raise
        except BaseException as error:
            raise ModelError(
                f"{origin}: the value of {self.names[part]} cannot be hashed and compared: "
                f"{type(error).__name__}: {error}"
            ) from error
        if known is None:
            known = ids[value] = len(ids)
            self.watch.interned(self.names[part], value, len(ids), origin)
            self.values[part].append(value)
            self._same[part][id(value)] = known
        return known

    def parts_of(self, row: Row) -> Parts:
        """Answer the state that a row stands for."""
        return {
            name: values[known]
            for name, values, known in zip(self.names, self.values, row, strict=True)
        }

    def images(self, row: Row) -> list[Row]:
        """Answer a row and all that differ from it in names alone."""
        return [row]

    def standing_for(self, row: Row) -> Row:
        """Answer the row that stands for all that differ from it in names alone."""
        return row

    def readings(self, step: int, read_ids: Row) -> Iterable[tuple[int, Row]]:
        """Answer a step with what it reads, and all that differ from it in names alone."""
        return ((step, read_ids),)

    def is_shut(self, index: int, read_ids: Row) -> bool:
        """Answer whether the guard of a step says that its rule has no outcome for some values."""
        guard = self._guards[index]
        if guard is None:
            return False
        key = guard.getter(read_ids)
        is_open = guard.known.get(key)
        if is_open is None:
            is_open = guard.known[key] = self._ask_guard(index, read_ids)
        if not is_open and self.watch.is_to_be_tried(self.model.steps[index]):
            self._try_shut(index, read_ids)
        return not is_open

    def learn(self, index: int, read_ids: Row) -> tuple[Change, ...]:
        """Run a rule on values it has not seen, and judge what it answers."""
        if self.is_shut(index, read_ids):
            return ()
        arguments, outcomes = self._run(index, read_ids)
        self.rule_calls += 1
        self.watch.answered(self.model.steps[index], arguments, outcomes)
        changes = self._changes(index, outcomes)
        if self._step_laws[index]:
            for number, change in enumerate(changes):
                self._judge(index, read_ids, number, arguments, change)
        if outcomes:
            self.fired[index] = True
        return changes

    def again(self, index: int, read_ids: Row) -> tuple[Change, ...]:
        """Run a rule on values it has seen, as if for the first time."""
        return self._changes(index, self._run(index, read_ids)[1])

    def _ask_guard(self, index: int, read_ids: Row) -> bool:
        step = self.model.steps[index]
        assert step.guard is not None, "it was asked for its guard"
        ids = dict(zip(step.reads, read_ids, strict=True))
        known = tuple(ids[name] for name in step.guard.reads)
        return self.ask(f"the guard of step {step.name}", step.guard.holds, step.guard.reads, known)

    def _try_shut(self, index: int, read_ids: Row) -> None:
        outcomes = self._run(index, read_ids)[1]
        if outcomes:
            raise ModelError(shut_out(self.model.steps[index].name, outcomes))

    def _run(self, index: int, read_ids: Row) -> tuple[Sequence[Hashable], Sequence[Outcome]]:
        arguments = [
            self.values[part][known]
            for part, known in zip(self.step_reads[index], read_ids, strict=True)
        ]
        return arguments, run_rule(self.model.steps[index], arguments)

    def _changes(self, index: int, outcomes: Sequence[Outcome]) -> tuple[Change, ...]:
        writes, name = self.step_writes[index], self.model.steps[index].name
        origins = (name,) * len(writes)
        return tuple(
            Change(writes, tuple(map(self.intern, writes, outcome.values, origins)))
            for outcome in outcomes
        )

    def holds(self, law: Law, read_ids: Row) -> bool:
        """Ask a law about values it has not judged."""
        said = self.ask(f"the law {law.name}", law.holds, law.reads, read_ids)
        if law.speaks is not None and self._is_open(law, said=said):
            premise = f"the premise of {law.name}"
            self._meet(law, self.ask(premise, law.speaks, law.reads, read_ids), said=said)
        return said

    def reached(self, goal: Goal, read_ids: Row) -> bool:
        """Ask a goal about values it has not judged."""
        return self.ask(f"the goal {goal.name}", goal.reached, goal.reads, read_ids)

    def hits(self, limit: Limit, read_ids: Row) -> bool:
        """Ask about values whether the world would go on with them but for a bound."""
        return self.ask(f"the limit of {limit.bound}", limit.is_hit, limit.reads, read_ids)

    def dead_rules(self) -> tuple[str, ...]:
        """Answer the rules that never fired though they are meant to."""
        return tuple(sorted(self._rules(fired=False) - self.model.expected_dead))

    def woken_rules(self) -> tuple[str, ...]:
        """Answer the rules that fired though they are meant not to."""
        return tuple(sorted(self._rules(fired=True) & self.model.expected_dead))

    def _rules(self, *, fired: bool) -> set[str]:
        alive = {
            step.rule_name for step, seen in zip(self.model.steps, self.fired, strict=True) if seen
        }
        return alive if fired else {step.rule_name for step in self.model.steps} - alive

    def ask(
        self, who: str, question: Callable[..., bool], reads: Sequence[str], read_ids: Row
    ) -> bool:
        """Ask anything that takes the values of parts; `who` asks is named where it raises."""
        parts = self.positions_of(reads)
        arguments = [self.values[part][known] for part, known in zip(parts, read_ids, strict=True)]
        return truth(who, call(who, question, *arguments))

    def _judge(
        self,
        index: int,
        read_ids: Row,
        number: int,
        arguments: Sequence[Hashable],
        change: Change,
    ) -> None:
        step = self.model.steps[index]
        before = dict(zip(step.reads, arguments, strict=True))
        written = (self.values[part][known] for part, known in zip(*change, strict=True))
        after = before | dict(zip(step.writes, written, strict=True))
        for law in self._step_laws[index]:
            self.judged[law] += 1
            said = self._step_holds(self.model.step_laws[law], step, before, after)
            if not said:
                self.breaches.append(Breach(index, read_ids, number, law))

    def _step_holds(self, law: StepLaw, step: Step, before: Parts, after: Parts) -> bool:
        said = step_law_holds(law, step, before, after)
        if law.speaks is not None and self._is_open(law, said=said):
            who = f"the premise of {law.name}"
            speaks = truth(who, call(who, law.speaks, step, before, after, on=step.name))
            self._meet(law, speaks, said=said)
        return said

    def _is_open(self, law: Law | StepLaw, *, said: bool) -> bool:
        return not said or self.met[law.name] < MOST_MET

    def _meet(self, law: Law | StepLaw, speaks: bool, *, said: bool) -> None:
        if not speaks and not said:
            raise ModelError(f"the law {law.name} is broken where its premise is not met")
        self.met[law.name] = min(MOST_MET, self.met[law.name] + speaks)


def run_rule(step: Step, arguments: Sequence[Hashable]) -> Sequence[Outcome]:
    """Call a rule and hold it to the shape of its answer."""
    outcomes = call(f"step {step.name}", step.rule, *arguments)
    if not isinstance(outcomes, list | tuple):
        raise ModelError(
            f"step {step.name} answers a {type(outcomes).__name__}, no list and no tuple"
        )
    for outcome in outcomes:
        if not isinstance(outcome, Outcome):
            raise ModelError(f"step {step.name} answers {outcome!r}, which is no Outcome")
        values: object = outcome.values
        if not isinstance(values, tuple):
            raise ModelError(
                f"step {step.name} answers an Outcome whose values are {values!r}, no tuple"
            )
        if len(outcome.values) != len(step.writes):
            raise ModelError(
                f"step {step.name} answers {len(outcome.values)} values"
                f" for the {len(step.writes)} parts it writes"
            )
    return outcomes


def step_law_holds(law: StepLaw, step: Step, before: Parts, after: Parts) -> bool:
    """Ask a step law about one outcome."""
    who = f"the step law {law.name}"
    return truth(who, call(who, law.holds, step, before, after, on=step.name))


def judges_step(law: StepLaw, step: Step) -> bool:
    """Answer whether a step law speaks of a step."""
    return not law.rule_names or step.rule_name in law.rule_names


def truth(who: str, answer: object) -> bool:
    """Answer what was said, if it was yes or no."""
    if not isinstance(answer, bool):
        raise ModelError(f"{who} answers {answer!r}, neither True nor False")
    return answer


def shut_out(name: str, outcomes: Sequence[Outcome]) -> str:
    """Say that a guard spares a step what it would do."""
    return f"the guard of step {name} shuts out what its rule answers: {labels(outcomes)}"


def _guard_of(step: Step) -> Known | None:
    if step.guard is None:
        return None
    return Known(key_getter([step.reads.index(part) for part in step.guard.reads]), {})


def _laws_of(step: Step, laws: Sequence[StepLaw]) -> tuple[int, ...]:
    return tuple(index for index, law in enumerate(laws) if judges_step(law, step))
