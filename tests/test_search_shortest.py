"""All shortest counterexamples, not only the first."""

from dataclasses import replace

from checker.models.fencecore import fencecore
from checker.models.toys import diners
from checker.search.model import Parts, Step, StepLaw
from checker.search.plain import search
from checker.search.report import Trace
from checker.search.shortest import all_shortest
from tests.search_models import below, counters


def first_of(model_trace: Trace | None) -> Trace:
    """Answer a trace that is there."""
    assert model_trace is not None
    return model_trace


def steps_of(traces: tuple[Trace, ...]) -> list[list[str]]:
    """Answer the steps of each trace."""
    return [[move.step for move in trace.moves] for trace in traces]


def test_every_shortest_way_to_a_broken_law_is_found_in_the_order_of_the_steps() -> None:
    model = counters(laws=(below(2),))

    found = all_shortest(model, first_of(search(model).trace), 10)

    assert steps_of(found) == [["right up", "right up"]]


def test_ways_that_meet_are_told_one_by_one() -> None:
    law = replace(below(9), reads=("left", "right"), holds=lambda left, right: left + right < 2)
    model = counters(laws=(law,))

    found = all_shortest(model, first_of(search(model).trace), 10)

    assert steps_of(found) == [
        ["left up", "left up"],
        ["left up", "right up"],
        ["right up", "left up"],
        ["right up", "right up"],
    ]
    assert found[0] == search(model).trace


def test_no_more_are_told_than_were_asked_for() -> None:
    law = replace(below(9), reads=("left", "right"), holds=lambda left, right: left + right < 2)
    model = counters(laws=(law,))
    trace = first_of(search(model).trace)

    assert steps_of(all_shortest(model, trace, 2)) == steps_of(all_shortest(model, trace, 9))[:2]


def one_sided(_step: Step, before: Parts, _after: Parts) -> bool:
    """Answer false for a swap of one against none."""
    return {before["left"], before["right"]} != {0, 1}


def test_a_step_law_is_broken_by_each_last_step_that_breaks_it() -> None:
    law = StepLaw("even", "T-2", "Only equals swap.", frozenset({"swap"}), one_sided)
    model = counters(step_laws=(law,))

    found = all_shortest(model, first_of(search(model).trace), 10)

    assert steps_of(found) == [["left up", "swap"], ["right up", "swap"]]


def test_a_law_that_the_initial_state_breaks_has_one_counterexample() -> None:
    model = counters(laws=(below(0),))
    trace = first_of(search(model).trace)

    assert all_shortest(model, trace, 10) == (trace,)


def test_the_trace_of_a_dead_end_stays_alone() -> None:
    trace = first_of(search(diners()).trace)

    assert all_shortest(diners(), trace, 10) == (trace,)


def test_the_defect_of_fencecore_has_several_shortest_traces_of_six_steps() -> None:
    model = fencecore(2, 2, 2, has_defect=True)
    trace = first_of(search(model).trace)

    found = all_shortest(model, trace, 1_000)

    assert trace in found
    assert {len(each.moves) for each in found} == {6}
    assert len(found) == len({tuple(move.label for move in each.moves) for each in found})
