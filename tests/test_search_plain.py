"""The plain search, held against a loop that interns and remembers nothing."""

import os
import subprocess
import sys

import pytest

from checker.models.fencecore import fencecore
from checker.search import naive
from checker.search.faults import InternalError, ModelError
from checker.search.model import Goal, Law, Model, Outcome, Parts, Step, StepLaw
from checker.search.plain import search
from checker.search.report import Move, Progress, Trace
from checker.search.traces import replay
from checker.story import story
from tests.search_models import below, counters


def test_every_state_is_counted_once_and_every_outcome_always() -> None:
    report = search(counters())

    assert (report.states, report.transitions, report.depth) == (16, 40, 6)
    assert report.rule_calls == 4 + 4 + 16


@pytest.mark.parametrize(
    "model",
    [
        counters(),
        counters(laws=(below(2),)),
        fencecore(2, 1, 1),
        fencecore(1, 2, 2),
        fencecore(2, 2, 1, has_defect=True),
    ],
)
def test_the_plain_search_finds_what_a_naive_loop_finds(model: Model) -> None:
    report, counted = search(model), naive.count(model)

    assert (report.states, report.transitions, report.depth) == (
        counted.states,
        counted.transitions,
        counted.depth,
    )
    assert {each.name for each in report.laws if each.verdict == "broken"} == counted.broken


def test_the_trace_is_a_shortest_one_and_the_first_in_the_order_of_the_steps() -> None:
    report = search(counters(laws=(below(2), below(4))))

    assert report.verdict == "broken"
    assert [each.verdict for each in report.laws] == ["broken", "unfinished"]
    assert report.trace is not None
    assert [move.step for move in report.trace.moves] == ["right up", "right up"]


def test_a_law_that_the_initial_state_breaks_needs_no_step() -> None:
    report = search(counters(laws=(below(0),)))

    assert report.trace is not None
    assert report.trace.moves == ()
    assert report.states == 1
    assert "The initial state breaks below_0 [T-1]: Below 0." in story(report.trace)


def no_swap_of_two(_step: Step, before: Parts, _after: Parts) -> bool:
    """Answer false for two against none."""
    return dict(before) != {"left": 2, "right": 0}


def test_a_step_law_is_broken_by_the_last_step_of_its_trace() -> None:
    law = StepLaw("no_swap", "T-2", "Two and none stay.", frozenset({"swap"}), no_swap_of_two)

    report = search(counters(step_laws=(law,)))

    assert report.trace is not None
    assert [move.step for move in report.trace.moves] == ["left up", "left up", "swap"]
    assert dict(report.trace.moves[-1].parts) == {"left": 0, "right": 2}


def test_a_goal_that_no_state_reaches_fails_the_model() -> None:
    goals = (
        Goal("far", ("left",), lambda left: left == 3),
        Goal("too_far", ("left", "right"), lambda left, right: left + right == 7),
    )

    report = search(counters(goals=goals))

    assert [(goal.reached, goal.states) for goal in report.goals] == [(True, 4), (False, 0)]
    assert report.verdict == "broken"
    assert report.failures == ("the goal too_far is never reached",)


def never(_left: int) -> list[Outcome]:
    """Answer no outcome."""
    return []


def test_a_rule_that_never_fires_fails_the_model_unless_it_is_expected() -> None:
    steps = (*counters().steps, Step("rest", "rest", ("left",), ("left",), never))

    unexpected = search(counters(steps=steps))
    expected = search(counters(steps=steps, expected_dead=frozenset({"rest"})))
    woken = search(counters(expected_dead=frozenset({"swap"})))

    assert unexpected.failures == ("the rule rest never fires",)
    assert expected.verdict == "holds"
    assert woken.failures == ("the rule swap fires, and is declared dead",)


def test_a_search_that_passes_a_limit_is_unfinished() -> None:
    by_states = search(fencecore(2, 2, 1), max_states=1000)
    by_time = search(fencecore(2, 2, 1), max_seconds=0.0)

    assert (by_states.verdict, by_states.stopped_by) == ("unfinished", "max_states")
    assert 1000 < by_states.states < 5000
    assert {each.verdict for each in by_states.laws} == {"unfinished"}
    assert (by_time.verdict, by_time.stopped_by) == ("unfinished", "max_seconds")


def test_a_search_says_how_far_it_is() -> None:
    heard: list[Progress] = []

    report = search(fencecore(2, 3, 1), progress=heard.append)

    assert heard
    assert heard[-1].states <= report.states
    assert [each.layer for each in heard] == sorted(each.layer for each in heard)


def broken_rule(_left: int) -> list[Outcome]:
    """Raise."""
    raise ZeroDivisionError("no")


def short_rule(_left: int) -> list[Outcome]:
    """Answer too few values."""
    return [Outcome("short", ())]


def list_rule(_left: int) -> list[Outcome]:
    """Answer a value that cannot be hashed."""
    return [Outcome("a list", ([],))]  # type: ignore[arg-type] # what the test is about


@pytest.mark.parametrize(
    ("step", "complaint"),
    [
        (Step("s", "r", ("left",), ("left",), broken_rule), "step s raises ZeroDivisionError: no"),
        (Step("s", "r", ("left",), ("left",), short_rule), "answers 0 values for the 1 parts"),
        (Step("s", "r", ("left",), ("left",), list_rule), "s: the value of left cannot be hashed"),
        (Step("s", "r", ("middle",), (), never), "step s: the model has no part 'middle'"),
        (counters().steps[0], "two of its steps are called 'left up'"),
    ],
)
def test_a_model_that_breaks_its_contract_is_refused_by_the_name_of_the_step(
    step: Step, complaint: str
) -> None:
    model = counters(steps=(*counters().steps, step))

    with pytest.raises(ModelError, match=complaint):
        search(model)


def test_a_law_that_raises_is_named() -> None:
    law = Law("odd", "T-3", "Odd.", ("left",), lambda left: bool(1 // left))

    with pytest.raises(ModelError, match="the law odd raises ZeroDivisionError"):
        search(counters(laws=(law,)))


def test_a_trace_that_the_rules_do_not_confirm_is_an_internal_error() -> None:
    law = below(2)
    trace = search(counters(laws=(law,))).trace
    assert trace is not None
    first = trace.moves[0]
    forged = Move(first.step, first.label, {**first.parts, "left": 3})

    with pytest.raises(InternalError, match="step 1 of the trace, right up, cannot be"):
        replay(counters(), Trace(trace.initial, (forged, *trace.moves[1:]), trace.law), law)
    with pytest.raises(InternalError, match="the trace ends where below_2 holds"):
        replay(counters(), Trace(trace.initial, trace.moves[:1], trace.law), law)
    with pytest.raises(InternalError, match="does not begin in the initial state"):
        replay(counters(), Trace(first.parts, trace.moves[1:], trace.law), law)


def test_a_story_tells_what_changed_and_how_to_see_it_again() -> None:
    trace = search(counters(laws=(below(2),))).trace
    assert trace is not None

    assert story(trace, "malachi-model check counters") == (
        "1. 0 goes up\n"
        "     right: 0 -> 1\n"
        "2. 1 goes up\n"
        "     right: 1 -> 2\n"
        "This breaks below_2 [T-1]: Below 2.\n"
        "See it again: malachi-model check counters"
    )


TOLD = """
from checker.models.fencecore import fencecore
from checker.search.plain import search
from checker.story import story
report = search(fencecore(2, 2, 2, has_defect=True))
print(report.states, report.transitions, report.rule_calls)
print(story(report.trace))
"""


def test_counts_and_traces_are_the_same_under_every_hash_seed() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", TOLD],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }

    assert len(told) == 1
    assert "f0 seals s0 at 1" in told.pop()
