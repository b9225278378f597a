"""Random walks: the same tomorrow, as long as one likes, and shrunk where they break a law."""

import os
import subprocess
import sys

import pytest

from checker.models.fencecore import fencecore
from checker.models.toys import diners, relay
from checker.search.faults import ModelError
from checker.search.model import Goal, Law, Model, Outcome, Parts, Step, StepLaw
from checker.search.plain import search
from checker.search.sentry import Choice, Sentry
from checker.search.shrinking import Path, Shrinker
from checker.search.tables import Tables
from checker.search.walks import WalkReport, simulate
from checker.story import story
from tests.search_models import below, counters


def steps_of(report: WalkReport) -> list[str]:
    """Answer the steps of the counterexample."""
    assert report.trace is not None
    return [move.step for move in report.trace.moves]


def climbing(law: Law) -> Model:
    """Answer two counters that never swap, with a law: only one way leads to a high count."""
    return counters(most=30, steps=counters(most=30).steps[:2], laws=(law,))


def test_walks_take_as_many_steps_as_they_are_given() -> None:
    report = simulate(counters(), walks=3, steps=50)

    assert (report.verdict, report.walks, report.steps, report.rests) == ("unbroken", 3, 150, 0)
    assert report.trace is None


def test_a_walk_ends_where_no_step_can_be_taken() -> None:
    report = simulate(relay(0), walks=5, steps=50)

    assert (report.walks, report.steps, report.rests) == (5, 10, 5)


def test_a_walk_that_breaks_a_law_is_shrunk_to_a_shortest_run() -> None:
    report = simulate(climbing(below(5)), steps=10_000)

    assert report.verdict == "broken"
    assert report.walked is not None
    assert report.walked > 5
    assert steps_of(report) == ["right up"] * 5


def no_swap_of_two(_step: Step, before: Parts, _after: Parts) -> bool:
    """Answer false for two against none."""
    return dict(before) != {"left": 2, "right": 0}


def test_a_walk_that_breaks_a_step_law_is_shrunk_to_its_last_step() -> None:
    law = StepLaw("no_swap", "T-2", "Two and none stay.", frozenset({"swap"}), no_swap_of_two)

    report = simulate(counters(step_laws=(law,)))

    assert report.broken is not None
    assert report.broken.name == "no_swap"
    assert steps_of(report)[-1] == "swap"
    assert steps_of(report).count("swap") <= 2


def test_a_walk_into_a_dead_end_is_shrunk_to_the_way_there() -> None:
    report = simulate(diners())

    assert report.broken is not None
    assert report.broken.name == "no_dead_end"
    assert sorted(steps_of(report)) == ["Ada takes the left fork", "Bo takes the right fork"]
    assert simulate(diners(is_ordered=True)).verdict == "unbroken"


def test_a_long_walk_through_fencecore_finds_its_defect_in_few_steps() -> None:
    model = fencecore(2, 2, 2, has_defect=True)

    report = simulate(model, walks=200, steps=500, seed=7)

    assert report.broken is not None
    assert report.broken.clause in {"SealedLen", "AckBelowEnd"}
    assert report.walked is not None
    assert report.walked >= len(steps_of(report))
    assert len(steps_of(report)) <= 12


def test_no_single_move_of_a_shrunk_run_can_be_left_out() -> None:
    model = fencecore(2, 2, 2, has_defect=True)
    report = simulate(model, walks=200, steps=500, seed=3)
    assert report.broken is not None
    law = next(law for law in model.laws if law.name == report.broken.name)
    sentry = Sentry(Tables(model))
    names = [step.name for step in model.steps]
    run = _choices(model, sentry, report)

    again = Shrinker(sentry, law).shrink(run)

    assert [names[step] for step, _ in again] == steps_of(report)


def _choices(model: Model, sentry: Sentry, report: WalkReport) -> list[Choice]:
    assert report.trace is not None
    path, names = Path(sentry), [step.name for step in model.steps]
    for move in report.trace.moves:
        step = names.index(move.step)
        wanted = tuple(move.parts.values())
        for outcome in range(len(path.entries[step])):
            trial = Path(sentry)
            for choice in (*path.choices, (step, outcome)):
                trial.go(choice)
            if tuple(sentry.tables.parts_of(trial.row).values()) == wanted:
                path = trial
                break
    return path.choices


def test_a_path_forgets_the_ways_round() -> None:
    path = Path(Sentry(Tables(counters())))

    for choice in [(0, 0), (2, 0), (2, 0), (1, 0), (2, 0), (2, 0)]:
        path.go(choice)

    assert path.choices == [(0, 0), (1, 0)]


def test_a_walk_depends_on_the_seed() -> None:
    model = counters(most=30, laws=(below(9),))

    walked = {simulate(model, seed=seed).walked for seed in range(5)}

    assert len(walked) > 1


def test_goals_reached_and_rules_that_never_fired_are_told() -> None:
    goals = (
        Goal("far", ("left",), lambda left: left == 3),
        Goal("too_far", ("left", "right"), lambda left, right: left + right == 7),
    )
    rest = Step("rest", "rest", ("left",), ("left",), lambda _left: [])

    report = simulate(counters(goals=goals, steps=(*counters().steps, rest)))

    assert [(goal.name, goal.reached) for goal in report.goals] == [
        ("far", True),
        ("too_far", False),
    ]
    assert report.unfired_rules == ("rest",)
    assert report.verdict == "unbroken"


def test_walks_stop_when_their_time_is_used_up() -> None:
    report = simulate(counters(), walks=10, steps=10**9, max_seconds=0.05)

    assert report.stopped_by == "max_seconds"
    assert report.walks < 10


def test_walks_say_how_far_they_are() -> None:
    heard: list[tuple[int, int]] = []

    simulate(counters(), walks=2, steps=5, progress=lambda *said: heard.append(said))

    assert heard == [(1, 5), (2, 10)]


def test_walks_refuse_a_rule_that_answers_differently_for_the_same_values() -> None:
    seen: list[int] = []

    def rule(left: int) -> list[Outcome]:
        seen.append(left)
        return [Outcome(f"after {len(seen)} calls", (left,))]

    model = counters(steps=(*counters().steps, Step("s", "r", ("left",), ("left",), rule)))

    with pytest.raises(ModelError, match="step s answers differently for the same values"):
        simulate(model)


def test_a_shrunk_run_is_as_short_as_the_search_says_where_there_is_one_way() -> None:
    model = climbing(below(7))
    shortest = search(model).trace
    assert shortest is not None

    report = simulate(model, seed=1)

    assert report.trace == shortest


TOLD = """
from checker.models.fencecore import fencecore
from checker.search.walks import simulate
from checker.story import story
report = simulate(fencecore(2, 2, 2, has_defect=True), walks=50, steps=200, seed=5)
print(report.walks, report.steps, report.walked)
print(story(report.trace))
"""


def test_a_seed_walks_the_same_way_under_every_hash_seed() -> None:
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


def test_a_seed_walks_the_way_it_always_walked() -> None:
    report = simulate(counters(most=30, laws=(below(9),)), seed=11)

    assert (report.walks, report.steps, report.walked) == (1, 27, 27)
    assert report.trace is not None
    assert story(report.trace).startswith(" 1. 0 goes up\n      left: 0 -> 1\n 2.")
