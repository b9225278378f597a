"""The world: its bounds, its steps, its faults, and that it counts the same every day."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping

import pytest

from checker.search import naive
from checker.search.model import Model, Outcome
from checker.search.plain import search
from checker.world.kinds import Size
from checker.world.scopes import scope_named
from checker.world.sharing.bounds import Bounds, Fault
from checker.world.sharing.glance import glance
from checker.world.sharing.parts import Answered, Failed, Held, Reading
from checker.world.sharing.roll import world
from checker.world.sharing.scopes import bounds_named
from spec.replies import Sealed
from spec.truth import Acknowledged


class Run:
    """A world that is walked by hand."""

    def __init__(self, model: Model) -> None:
        self.parts = dict(model.initial)
        self.steps = {step.name: step for step in model.steps}

    def outcomes(self, name: str) -> list[Outcome]:
        """The ways in which a step can end now."""
        step = self.steps[name]
        return list(step.rule(*(self.parts[part] for part in step.reads)))

    def take(self, *names: str) -> None:
        """Take steps, each in its only way."""
        for name in names:
            (outcome,) = self.outcomes(name)
            self.parts.update(zip(self.steps[name].writes, outcome.values, strict=True))

    def shown(self) -> Mapping[str, object]:
        """The state in words."""
        return glance(self.parts)


def run(scope: str) -> Run:
    """The world of a scope, at its start."""
    bounds = bounds_named(scope)
    assert bounds is not None
    return Run(world(scope, bounds))


def test_a_batch_that_is_planned_delivered_and_answered_is_acknowledged() -> None:
    """[PRD-34] Its frontend adopts the answer, though it is what the plan had."""
    walk = run("roll")

    walk.take("f1.1 opens a segment", "f1.1 reaches s0", "f1.1 is answered")

    assert isinstance(walk.parts["f1.1"], Acknowledged)
    assert walk.shown()["batch f1.1"] == "acknowledged in s0 at 0 to 0"
    assert walk.shown()["f1 counter"] == 1


def test_an_answered_batch_is_reported_where_it_stands_and_not_where_it_was_planned() -> None:
    """[PRD-31, S8] Two frontends plan offset 0, and the primary decides."""
    walk = run("roll")
    walk.take("f1.1 opens a segment", "f2.1 opens a segment", "f2.1 reaches s0", "f1.1 reaches s0")

    walk.take("f1.1 is answered", "f2.1 is answered")

    assert walk.shown()["batch f1.1"] == "acknowledged in s0 at 1 to 1"
    assert walk.shown()["batch f2.1"] == "acknowledged in s0 at 0 to 0"


def test_a_refusal_leaves_the_roll_of_another_segment_owed() -> None:
    """[ROL-30, S10] The frontend was asked to roll what follows its own stale head."""
    walk = run("race")
    walk.take("f1.1 opens a segment", "f2.1 opens a segment", "f1 sweeps", "f1 fences s0")
    walk.take("f1/s0 closes", "f1/s0 is recorded", "f1.1 reaches s0", "f1.1 is answered")
    walk.take("f1.1 opens a segment", "f2 sweeps", "f2.1 reaches s0")
    assert (walk.shown()["f2 head"], walk.shown()["f2 owes"]) == ("s0", "s1")

    walk.take("f2.1 is answered")

    assert (walk.shown()["f2 head"], walk.shown()["f2 owes"]) == ("none", "s1")


def test_a_refusal_is_told_to_the_frontend_that_sent_the_batch() -> None:
    """[PRD-34, S9] It sits down behind the seal, and its client is told of an error."""
    walk = run("race")
    walk.take("f1.1 opens a segment", "f2.1 opens a segment", "f1 sweeps", "f1 fences s0")
    walk.take("f1/s0 closes", "f1/s0 is recorded", "f2.1 reaches s0")
    assert (walk.shown()["f2 head"], walk.shown()["f2 counter"]) == ("s0", 1)

    walk.take("f2.1 is answered")

    assert (walk.shown()["f2 head"], walk.shown()["f2 counter"]) == ("none", 0)
    assert isinstance(walk.parts["f2.1"], Failed)


def test_the_answer_to_a_fence_is_recorded_though_a_refusal_cleared_its_roll() -> None:
    """[ROL-46, S29] Whoever sent the fence hands over every answer."""
    walk = run("roll")
    walk.take("f1.1 opens a segment", "f1 fences s0", "f1/s0 closes", "f1.1 reaches s0")
    walk.take("f1.1 is answered")
    assert (walk.shown()["f1 owes"], walk.shown()["f1 awaits"]) == ("none", "s0, just sent")

    walk.take("f1/s0 is recorded")

    assert walk.shown()["control plane lists"] == "s0 sealed from 0 to 0"
    assert walk.shown()["f1 awaits"] == "none"


def test_a_fence_that_fails_is_told_to_the_frontend_that_sent_it() -> None:
    """[ROL-46, S26] The roll stays owed, and nobody waits for the answer."""
    walk = run("faults")
    walk.take("f1.1 opens a segment", "f1 fences s0", "f1/s0 fails")

    assert (walk.shown()["f1 owes"], walk.shown()["f1 awaits"]) == ("s0, just sent", "none")


def test_a_fence_goes_out_for_a_range_that_its_frontend_does_not_write_to() -> None:
    """[ROL-47, P1] The sweep asked for the roll, and no produce of this frontend follows."""
    walk = run("age")
    walk.take("f1.1 opens a segment", "f2 sweeps")
    assert walk.shown()["f2 head"] == "none"

    walk.take("f2 fences s0")

    assert walk.shown()["f2 owes"] == "s0, just sent"


def test_a_fence_may_overtake_the_batch_that_was_sent_before_it() -> None:
    """[PRD-29] The refusal is this frontend's own doing, so the batch is held."""
    walk = run("roll")
    walk.take("f1.1 opens a segment", "f1 fences s0", "f1/s0 closes", "f1.1 reaches s0")

    assert isinstance(answered := walk.parts["f1.1"], Answered)
    assert isinstance(answered.reply, Sealed)
    walk.take("f1.1 is answered")

    assert isinstance(walk.parts["f1.1"], Held)


def test_a_held_batch_is_planned_again_once_its_fence_is_recorded() -> None:
    """[PRD-29] It goes to the successor, and is not held a second time."""
    walk = run("roll")
    walk.take("f1.1 opens a segment", "f1 fences s0", "f1/s0 closes", "f1.1 reaches s0")
    walk.take("f1.1 is answered")

    assert not walk.outcomes("f1.1 opens a segment")
    walk.take("f1/s0 is recorded", "f1.1 opens a segment")

    assert walk.shown()["batch f1.1"] == "sent again to s1 at 0"


def test_a_held_batch_fails_once_the_window_of_a_lost_fence_has_passed() -> None:
    """[ROL-42] The wait has an end, whatever became of the answer."""
    walk = run("roll")
    walk.take("f1.1 opens a segment", "f1 fences s0", "f1/s0 closes", "f1.1 reaches s0")
    walk.take("f1.1 is answered", "f1/s0 is lost")

    assert not walk.outcomes("f1.1 is held too long")
    walk.take("f1/s0 is late", "f1.1 is held too long")

    assert isinstance(walk.parts["f1.1"], Failed)


def test_a_lost_fence_is_sent_again_only_after_its_window() -> None:
    """[ROL-17] Not before, whatever else happens."""
    walk = run("roll")
    walk.take("f1.1 opens a segment", "f1 fences s0", "f1/s0 is lost")

    assert not walk.outcomes("f1 fences s0")
    walk.take("f1/s0 is late")

    assert walk.shown()["f1 owes"] == "s0, sent long ago"
    assert [outcome.label for outcome in walk.outcomes("f1 fences s0")] == [
        "f1 sends the fence of s0 again"
    ]


def test_no_more_goes_wrong_than_the_bounds_allow() -> None:
    walk = run("roll")
    walk.take("f1.1 opens a segment", "f1.1 is lost")
    walk.take("f2.1 opens a segment", "f2 fences s0")

    assert walk.shown()["faults left"] == 0
    assert not walk.outcomes("f2/s0 is lost")
    assert not walk.outcomes("s0 fails over")


def test_a_read_may_be_old_when_it_is_installed() -> None:
    """[RFR-3] What was read before the segment was opened does not show it."""
    walk = run("roll")

    walk.take("f2 begins to read", "f1.1 opens a segment", "f2 refreshes")

    assert walk.shown()["f2 lists"] == "no segment"
    assert walk.parts["f2.read"] == Reading(left=0)


def test_a_command_that_is_lost_or_unanswered_leaves_the_frontend_as_it_was() -> None:
    """[RNG-40] Only the control plane may have moved."""
    walk = run("faults")
    walk.take("f1.1 opens a segment", "f1 fences s0", "f1/s0 closes")
    step = walk.steps["f1/s0 is unheard"]

    lost, unanswered = walk.outcomes(step.name)

    place = step.writes.index("f1")
    assert lost.values[place] == unanswered.values[place] == walk.parts["f1"]
    assert lost.values[step.writes.index("control")] == walk.parts["control"]
    assert unanswered.values[step.writes.index("control")] != walk.parts["control"]


def test_a_segment_that_only_its_frontend_lists_is_recovered_like_one_without_copies() -> None:
    """[RFR-29, F1] A replay opened it; no store has heard of it, and the world has no place."""
    scope = scope_named("race:refreshes=1+0")
    assert scope is not None

    trace = search(scope.build()).trace

    assert trace is not None
    assert (trace.law.name, len(trace.moves)) == ("acknowledged_records_lie_below_the_edge", 13)


def test_a_plan_beyond_the_last_segment_is_not_made() -> None:
    walk = run("batches:segments=1")
    walk.take("f1.1 opens a segment", "f1 fences s0", "f1/s0 closes", "f1/s0 is recorded")

    assert not walk.outcomes("f1.2 opens a segment")


def test_a_scope_counts_the_same_whatever_the_hash_seed() -> None:
    command = [sys.executable, "-m", "checker", "check", "batches", "--format", "json"]

    done = subprocess.run(
        command, capture_output=True, check=False, env={**os.environ, "PYTHONHASHSEED": "4242"}
    )

    (found,) = json.loads(done.stdout)["scopes"]
    scope = scope_named("batches")
    assert scope is not None
    assert scope.size == Size(found["states"], found["transitions"], found["depth"])
    assert found["verdict"] == "holds"
    assert all(goal["reached"] and goal["states"] for goal in found["goals"])
    assert all(law["cases"] for law in found["laws"])


def test_a_counterexample_is_the_same_whatever_the_hash_seed() -> None:
    command = [sys.executable, "-m", "checker", "defects", "D11", "D21", "--format", "json"]

    here = subprocess.run(command, capture_output=True, check=False)
    there = subprocess.run(
        command, capture_output=True, check=False, env={**os.environ, "PYTHONHASHSEED": "7"}
    )

    assert here.returncode == there.returncode == 0
    assert json.loads(here.stdout) == json.loads(there.stdout)


def test_the_search_of_a_world_agrees_with_a_loop_that_remembers_nothing() -> None:
    model = world("small", Bounds())

    report, counted = search(model), naive.count(model)

    assert (report.states, report.transitions, report.depth) == (
        counted.states,
        counted.transitions,
        counted.depth,
    )
    assert report.states > 2_000


@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        ("faults:faults=0", Bounds()),
        ("batches:batches=1+2,segments=3", Bounds(batches=((1,), (1, 1)), segments=3)),
        ("faults:refreshes=1+0,rollat=2", Bounds(faults=2, refreshes=(1, 0), roll_at=2)),
    ],
)
def test_another_size_of_a_world_has_a_name(name: str, bounds: Bounds) -> None:
    assert bounds_named(name) == bounds


@pytest.mark.parametrize(
    "name", ["rol", "roll:", "roll:faults", "roll:faults=x", "roll:segments=0", "roll:batches=1"]
)
def test_a_name_that_names_no_world_finds_none(name: str) -> None:
    assert bounds_named(name) is None


def test_the_bounds_say_in_words_what_makes_a_world_finite() -> None:
    words = Bounds(refreshes=(0, 1), faults=1, kinds=frozenset({Fault.LOSS})).in_words()

    assert words["batches"] == "f1: 1 record; f2: 1 record"
    assert words["refreshes"] == "f1: 0; f2: 1"
    assert words["faults"] == "at most 1: a batch, a fence or an answer is lost"
    assert words["size roll"] == "at 1 record"
