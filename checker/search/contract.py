"""What a model must be before any rule runs, and whose fault it is when one of its functions fails.

A name that is not there is refused: a law that judges a rule by a misspelt name would hold, and
say nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, get_args, get_type_hints

from checker.search.faults import ModelError
from checker.search.model import Model, ProgressGoal, Step

KINDS = get_args(get_type_hints(ProgressGoal)["kind"])
"""The kinds of progress goal there are."""


class Fault(NamedTuple):
    """One way in which a model breaks its contract."""

    who: str
    """What has to be changed: `the step law tile`, or the model."""
    text: str


def check_contract(model: Model) -> None:
    """Raise ModelError for the first fault of a model; no rule and no law is run."""
    fault = next(faults_of(model), None)
    if fault is not None:
        raise ModelError(fault.text)


def faults_of(model: Model) -> Iterator[Fault]:
    """Answer what is wrong with the names of a model."""
    if not model.initial:
        yield Fault(model.name, f"{model.name}: the initial state has no parts")
    yield from _names_given_twice(model)
    for who, reads in _readers(model):
        yield from _unknown_parts(model, who, reads)
    for step in model.steps:
        yield from _wrong_parts(model, step)
    yield from _unknown_rules(model)
    for limit in model.limits:
        if limit.bound not in model.bounds:
            who = f"the limit of {limit.bound}"
            yield Fault(who, f"{who}: {model.name} has no such bound")
    for goal in model.progress:
        if goal.kind not in KINDS:
            who = f"progress goal {goal.name}"
            yield Fault(who, f"{who}: its kind is {goal.kind!r}, not {' or '.join(KINDS)}")


def call(who: str, function: Callable[..., object], *arguments: object, on: str = "") -> object:
    """Call a function of a model, and name whose it is where it raises anything at all.

    A user who interrupts, and a memory that is used up, are nobody's fault.
    """
    try:
        return function(*arguments)
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        where = f" on {on}" if on else ""
        raise ModelError(f"{who} raises {type(error).__name__}{where}: {error}") from error


def _names_given_twice(model: Model) -> Iterator[Fault]:
    laws = [law.name for law in model.laws]
    laws += [law.name for law in model.step_laws]
    laws += [goal.name for goal in model.progress]
    kinds = (
        ("steps", [step.name for step in model.steps]),
        ("laws", laws),
        ("goals", [goal.name for goal in model.goals]),
    )
    for what, names in kinds:
        for name in _repeated(names):
            yield Fault(model.name, f"{model.name}: two of its {what} are called {name!r}")


def _readers(model: Model) -> Iterator[tuple[str, Sequence[str]]]:
    yield from ((f"step {step.name}", step.reads) for step in model.steps)
    yield from ((f"law {law.name}", law.reads) for law in model.laws)
    yield from ((f"goal {goal.name}", goal.reads) for goal in model.goals)
    yield from ((f"the limit of {limit.bound}", limit.reads) for limit in model.limits)
    yield from ((f"progress goal {goal.name}", goal.reads) for goal in model.progress)
    if model.accepting is not None:
        yield "the accepting states", model.accepting.reads


def _wrong_parts(model: Model, step: Step) -> Iterator[Fault]:
    who = f"step {step.name}"
    yield from _unknown_parts(model, who, step.writes)
    for part in step.guard.reads if step.guard else ():
        if part not in step.reads:
            yield Fault(who, f"the guard of {who} reads {part!r}, which the step does not")
    for part in _repeated(step.writes):
        yield Fault(who, f"{who} writes the part {part!r} twice")


def _unknown_parts(model: Model, who: str, parts: Iterable[str]) -> Iterator[Fault]:
    for part in parts:
        if part not in model.initial:
            yield Fault(who, f"{who}: the model has no part {part!r}")


def _unknown_rules(model: Model) -> Iterator[Fault]:
    rules = {step.rule_name for step in model.steps}
    known = f"the rules are {', '.join(sorted(rules)) or 'none'}"
    for law in model.step_laws:
        who = f"the step law {law.name}"
        for name in sorted(set(law.rule_names) - rules):
            yield Fault(who, f"{who} judges the rule {name!r}, which is not there; {known}")
    for name in sorted(model.expected_dead - rules):
        text = f"no rule is called {name!r}, yet it is expected to be dead; {known}"
        yield Fault(model.name, f"{model.name}: {text}")
    steps = {step.name for step in model.steps}
    for name in sorted(model.fair - rules - steps):
        text = f"no step and no rule is called {name!r}, yet it is fair; {known}"
        yield Fault(model.name, f"{model.name}: {text}")


def _repeated(names: Iterable[str]) -> list[str]:
    return sorted(name for name, count in Counter(names).items() if count > 1)
