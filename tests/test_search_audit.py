"""Each way in which a model can deceive the search, and the complaint that it gets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import count
from typing import Any

import immutables
import pytest

from checker.models.fencecore import fencecore
from checker.models.toys import diners, locked_box, relay
from checker.search.audit import audit
from checker.search.constancy import fresh, kinds, why_mutable
from checker.search.faults import ModelError
from checker.search.model import (
    Accepting,
    Goal,
    Law,
    Model,
    Outcome,
    Parts,
    ProgressGoal,
    Step,
    StepLaw,
)
from checker.search.plain import search
from tests.search_models import counters


@dataclass
class Loose:
    """A value that can change, though it hashes."""

    inside: int

    def __hash__(self) -> int:
        return hash(self.inside)


@dataclass(frozen=True, slots=True)
class Fixed:
    """A value that holds another."""

    inside: object


@cache
def cached() -> int:
    """Answer a number that is remembered."""
    return 1


def type_name(value: object) -> str:
    """Answer what a test calls a value: no address, no order of a set."""
    return value if isinstance(value, str) else type(value).__name__


def with_rule(rule: Callable[..., Sequence[Outcome]]) -> Model:
    """Answer two counters and a step `s` over the left one, by a rule."""
    steps = (*counters().steps, Step("s", "r", ("left",), ("left",), rule))
    return counters(steps=steps)


def complaints(model: Model) -> set[tuple[str, str]]:
    """Answer the kinds of complaint, with whom they are about."""
    return {(kind, who) for kind, who, _ in audit(model)}


def texts(model: Model) -> str:
    """Answer all that the audit says."""
    return "\n".join(text for _, _, text in audit(model))


@pytest.mark.parametrize(
    "model",
    [counters(), fencecore(2, 1, 1), relay(2), locked_box(), diners()],
    ids=lambda model: model.name,
)
def test_a_model_that_keeps_the_contract_gets_no_complaint(model: Model) -> None:
    assert audit(model) == ()


def spying() -> Model:
    """Answer a model in which one rule reads what another has left outside of the state."""
    last = {"right": 0}

    def write(right: int) -> list[Outcome]:
        last["right"] = right
        return []

    def read(left: int) -> list[Outcome]:
        return [Outcome(f"it sees {last['right']}", (left,))]

    leaving = Step("leave", "leave", ("right",), ("right",), write)
    return replace(with_rule(read), steps=(*with_rule(read).steps, leaving))


def test_a_rule_that_reads_what_it_does_not_declare_is_named() -> None:
    found = complaints(spying())

    assert ("undeclared read", "step s") in found
    assert "step s answers 'it sees " in texts(spying())
    assert "step leave can reach last, which changes while rules run" in texts(spying())


def test_a_search_refuses_an_undeclared_read_without_any_audit() -> None:
    with pytest.raises(ModelError, match="step s answers differently for the same values"):
        search(spying())


def test_a_rule_that_assigns_outside_of_itself_is_named() -> None:
    calls = 0

    def rule(left: int) -> list[Outcome]:
        nonlocal calls
        calls += 1
        return [Outcome("as before", (left,))]

    assert ("undeclared write", "step s") in complaints(with_rule(rule))
    assert "step s assigns to calls, which lies outside of it" in texts(with_rule(rule))


CALLS = 0


def calling(left: int) -> list[Outcome]:
    """Assign to a global, by way of another function."""
    counting()
    return [Outcome("as before", (left,))]


def counting() -> None:
    """Count the calls."""
    global CALLS  # noqa: PLW0603 - what the test is about
    CALLS += 1


def test_an_assignment_by_a_function_that_the_rule_calls_is_found_too() -> None:
    assert "step s assigns to CALLS, which lies outside of it" in texts(with_rule(calling))


def test_a_rule_that_changes_a_value_it_is_given_is_named() -> None:
    def rule(box: Loose) -> list[Outcome]:
        box.inside += 1
        return []

    step = Step("s", "r", ("box",), (), rule)
    model = counters(
        initial={"left": 0, "right": 0, "box": Loose(0)}, steps=(*counters().steps, step)
    )

    assert ("undeclared write", "step s") in complaints(model)
    assert "step s changes the value of box that it is given" in texts(model)


def test_a_rule_that_draws_or_counts_answers_differently() -> None:
    numbers = count()

    def rule(left: int) -> list[Outcome]:
        return [Outcome(f"number {next(numbers)}", (left,))]

    first, later = audit(with_rule(rule))

    assert (first.kind, first.who) == ("answers differently", "step s")
    assert first.text == "step s answers 'number 0', and for equal values 'number 1'"
    assert (later.kind, later.who) == ("undeclared read", "step s")


def test_a_rule_that_asks_whether_values_are_one_object_answers_differently() -> None:
    token = ("a", "b")

    def rule(held: tuple[str, str]) -> list[Outcome]:
        return [Outcome("mine" if held is token else "another's", (held,))]

    step = Step("s", "r", ("left",), ("left",), rule)
    model = counters(initial={"left": token, "right": 0}, steps=(step,))

    assert "step s answers 'mine', and for equal values \"another's\"" in texts(model)


def unordered(held: frozenset[str]) -> list[Outcome]:
    """Answer an outcome for each member, in whatever order the set has."""
    return [Outcome(f"{name} goes", (held - {name},)) for name in held]


def test_a_rule_that_answers_in_the_order_of_a_set_answers_differently() -> None:
    step = Step("s", "r", ("left",), ("left",), unordered)
    model = counters(initial={"left": frozenset("abc"), "right": 0}, steps=(step,))

    assert ("answers differently", "step s") in complaints(model)
    with pytest.raises(ModelError, match="step s answers differently"):
        search(model)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ([1], "a list can change"),
        ((1, {2}), "a set can change"),
        (Fixed(bytearray()), "a bytearray can change"),
        (Loose(1), "Loose is a dataclass that is not frozen"),
        (Fixed(object()), "a object is equal only to itself"),
        ((float("nan"),), "nan is not equal to itself"),
        (lambda: 0, "a function is equal only to itself"),
        (immutables.Map({1: Loose(1)}), "Loose is a dataclass that is not frozen"),
        (immutables.Map({Loose(1): 1}), "Loose is a dataclass that is not frozen"),
    ],
    ids=type_name,
)
def test_a_value_that_can_change_is_told_from_one_that_cannot(value: object, why: str) -> None:
    assert why_mutable(value) == why


@pytest.mark.parametrize(
    "value",
    [
        None,
        0,
        "a",
        b"a",
        int,
        counters,
        cached,
        (),
        Fixed((1, "a")),
        frozenset({1}),
        immutables.Map({"a": (1,)}),
    ],
    ids=type_name,
)
def test_a_constant_value_is_equal_to_a_fresh_one(value: object) -> None:
    assert why_mutable(value) is None
    assert fresh(value) == value
    assert kinds(fresh(value)) == kinds(value)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ([1], "a list can change"),
        (Loose(1), "Loose is a dataclass that is not frozen"),
        (object(), "a object is equal only to itself"),
    ],
    ids=["unhashable", "loose", "single"],
)
def test_a_part_value_that_can_change_is_named_with_its_step(value: object, why: str) -> None:
    def rule(left: int) -> list[Outcome]:
        return [Outcome("changeable", (value,))] if left == 0 else []

    assert ("not constant", "step s") in complaints(with_rule(rule))
    assert why in texts(with_rule(rule))
    with pytest.raises(ModelError, match="s: the value of left"):
        search(with_rule(rule))


def test_an_initial_value_that_can_change_is_named() -> None:
    model = counters(initial={"left": 0, "right": Loose(0)}, steps=counters().steps[:1])

    assert complaints(model) == {("not constant", "the initial state")}
    with pytest.raises(ModelError, match="the initial state: the value of right is not constant"):
        search(model)


def test_equal_values_of_two_kinds_are_told() -> None:
    def rule(left: int) -> list[Outcome]:
        return [Outcome("truth", (left == left,))] if left > 0 else []  # noqa: PLR0124 - any truth

    assert ("two kinds of equal", "step s") in complaints(with_rule(rule))
    assert "left takes True, equal to a value of another kind" in texts(with_rule(rule))


def answering(answer: object, left: int) -> object:
    """Answer anything."""
    return answer if left == 0 else []


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ([Outcome("two", (1, 2))], "step s answers 2 values for the 1 parts it writes"),
        (None, "step s answers a NoneType, no list and no tuple"),
        (iter(()), "step s answers a tuple_iterator, no list and no tuple"),
        ([("bare", (1,))], r"step s answers \('bare', \(1,\)\), which is no Outcome"),
    ],
    ids=["values", "none", "iterator", "tuple"],
)
def test_an_answer_of_the_wrong_shape_is_told(answer: object, text: str) -> None:
    model = with_rule(partial(answering, answer))  # type: ignore[arg-type] # on purpose

    assert ("wrong shape", "step s") in complaints(model)
    assert text.replace("\\", "") in texts(model)
    with pytest.raises(ModelError, match=text):
        search(model)


def test_a_label_that_is_no_text_is_told() -> None:
    model = with_rule(lambda left: [Outcome(left, (left,))])

    assert "step s labels an outcome 0, which is no text" in texts(model)


def failing(*_values: object) -> bool:
    """Raise."""
    raise LookupError("nowhere")


def silent(*_values: object) -> bool:
    """Answer neither yes nor no."""
    return None  # type: ignore[return-value] # its point


def judged(holds: Callable[..., bool]) -> dict[str, dict[str, Any]]:
    """Answer models' fields in which each kind of judge is the given one."""
    progress = ProgressGoal("p", "T-1", "It comes.", "possible", ("left",), holds)
    owed = replace(progress, reached=lambda _left: True, owed=holds)
    return {
        "the law l": {"laws": (Law("l", "T-1", "It holds.", ("left",), holds),)},
        "the goal g": {"goals": (Goal("g", ("left",), holds),)},
        "the progress goal p": {"progress": (progress,)},
        "what is owed of p": {"progress": (owed,)},
        "the accepting states": {"accepting": Accepting("T-1", "It rests.", ("left",), holds)},
        "the step law k, asked of swap,": {
            "step_laws": (StepLaw("k", "T-1", "It holds.", frozenset({"swap"}), holds),)
        },
    }


@pytest.mark.parametrize("who", list(judged(failing)))
def test_a_judge_that_raises_is_told_by_name(who: str) -> None:
    model = replace(counters(), **judged(failing)[who])

    assert ("fails", who) in complaints(model)
    assert "raises LookupError" in texts(model)
    with pytest.raises(ModelError, match="raises LookupError"):
        search(model)


@pytest.mark.parametrize("who", list(judged(silent)))
def test_a_judge_that_says_neither_yes_nor_no_is_told_by_name(who: str) -> None:
    model = replace(counters(), **judged(silent)[who])

    assert ("wrong shape", who) in complaints(model)
    with pytest.raises(ModelError, match="answers None, neither True nor False"):
        search(model)


def test_a_judge_that_answers_by_something_else_is_told() -> None:
    turns = count()
    law = Law("l", "T-1", "It holds.", ("left",), lambda _left: next(turns) % 2 == 0)

    assert ("answers differently", "the law l") in complaints(counters(laws=(law,)))


def failing_rule(_left: int) -> list[Outcome]:
    """Raise."""
    raise LookupError("nowhere")


def test_a_rule_that_raises_is_told_by_the_name_of_its_step() -> None:
    assert ("fails", "step s") in complaints(with_rule(failing_rule))


def test_a_step_law_that_looks_at_an_undeclared_part_is_told() -> None:
    def holds(_step: Step, before: Parts, _after: Parts) -> bool:
        return before["right"] is not None

    found = audit(counters(step_laws=(StepLaw("k", "T-1", "It holds.", frozenset(), holds),)))

    assert [each.kind for each in found] == ["undeclared read"]
    assert found[0].who == "the step law k, asked of left up,"
    assert found[0].text == "the step law k, asked of left up, reads right, undeclared"


def test_a_name_that_the_model_does_not_have_ends_the_audit() -> None:
    model = counters(laws=(Law("l", "T-1", "It holds.", ("middle",), failing),))

    assert [each.kind for each in audit(model)] == ["names"]
