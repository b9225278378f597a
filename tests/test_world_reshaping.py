"""The world of splits and merges: its steps, its bounds, and what it finds."""

from collections.abc import Mapping

import pytest

from checker.search import naive
from checker.search.model import Model, Outcome
from checker.search.plain import search
from checker.world.changing import alone
from checker.world.findings import FINDINGS
from checker.world.kinds import Size
from checker.world.reshaping.bounds import Bounds
from checker.world.reshaping.glance import glance
from checker.world.reshaping.mutations import roll_of_the_cache
from checker.world.reshaping.parts import Reshaping
from checker.world.reshaping.rules import Rules
from checker.world.reshaping.scopes import again, bounds_named, rules_of
from checker.world.reshaping.world import world
from checker.world.scopes import scope_named
from checker.world.sharing.parts import Failed


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
    return Run(world(scope, bounds, rules_of(scope)))


NO_LAW = "none: the world is judged on what it comes to"
SPLITTING = ("f2 begins to read", "f2 refreshes", "f2 looks for a head", "f2's fence arrives")


def test_a_split_closes_the_head_that_another_frontend_opened() -> None:
    """[ROL-23, ROL-40] Whoever runs the split never wrote to the range."""
    walk = run("split")
    walk.take("f1.1 is sent", "f1.1 arrives", "f1.1 is answered", *SPLITTING)

    walk.take("f2 records a seal", "f2 reshapes")

    assert walk.parts["f2.work"] == Reshaping(0, is_done=True)
    assert walk.shown()["control plane lists"] == (
        "r0 sealed [0, 2) with s0 from 0 to 1; r1 active [0, 1); r2 active [1, 2)"
    )


def test_a_stale_frontend_writes_nothing_into_a_retired_range() -> None:
    """[ROL-41] Its primary refuses, whatever the frontend believes."""
    walk = run("split")
    walk.take("f1.1 is sent", *SPLITTING, "f2 records a seal", "f2 reshapes")

    walk.take("f1.1 arrives", "f1.1 is answered")

    assert isinstance(walk.parts["f1.1"], Failed)


def test_a_split_whose_seal_was_lost_leaves_an_orphaned_fence_that_a_coordinator_heals() -> None:
    """[HEA-15, RNG-15] The next try finds no head any more."""
    walk = run("split-lost")
    walk.take("f1.1 is sent", *SPLITTING, "f2's fence is lost")
    assert walk.shown()["logs"] == "r0.s0: nothing, fenced"

    walk.take("a coordinator heals", "f2.1 is sent", "f2 looks for a head")

    assert walk.shown()["control plane lists"] == "r0 active [0, 2) with s0 from 0 to 0"


@pytest.mark.parametrize("delivery", [0, 1], ids=["lost", "unanswered"])
def test_a_split_whose_seal_got_no_answer_is_not_sent(delivery: int) -> None:
    """[ROL-48, S13, P9] The range stays whole, and the split can be tried again."""
    walk = run("split-lost")
    walk.take("f1.1 is sent", *SPLITTING)
    outcome = walk.outcomes("f2 records unheard")[delivery]
    walk.parts.update(zip(walk.steps["f2 records unheard"].writes, outcome.values, strict=True))

    assert not walk.outcomes("f2 reshapes")
    assert walk.outcomes("f2 looks for a head")


def test_a_split_whose_head_has_expired_meanwhile_is_not_sent() -> None:
    """[ROL-48, S13] Nothing is left to seal, and the view that named the head is old."""
    walk = run("split")
    walk.take("f1.1 is sent", *SPLITTING)
    walk.parts["control"] = run("split").parts["control"]

    walk.take("f2 records a seal")

    assert walk.parts["f2.work"] == Reshaping(0)
    assert not walk.outcomes("f2 reshapes")


def test_a_merge_closes_one_parent_after_the_other() -> None:
    walk = run("merge")
    walk.take("f1.1 is sent", "f1.2 is sent", *SPLITTING, "f2 records a seal")
    assert walk.shown()["f2.work"] == "heads closed: r1"

    walk.take("f2 looks for a head", "f2's fence arrives", "f2 records a seal", "f2 reshapes")

    assert str(walk.shown()["control plane lists"]).endswith("r3 active [0, 2)")


def test_a_split_without_a_fence_is_refused() -> None:
    """[RNG-9] Who has an old view finds no head, and the control plane does."""
    walk = run("split")
    walk.take("f1.1 is sent", "f2 looks for a head", "f2 reshapes")

    assert walk.parts["f2.work"] == Reshaping(0)
    assert walk.shown()["f2 lists"] == "r0 active [0, 2)"


@pytest.mark.parametrize(
    "bounds",
    [
        Bounds(batches=((0,), (1,))),
        Bounds(batches=((0,), (1,)), splits=(0,), reshapes=((), (1, 2))),
        Bounds(batches=((0,), ()), tries=2, faults=1, is_healed=True),
    ],
)
def test_the_search_of_a_world_agrees_with_a_loop_that_remembers_nothing(bounds: Bounds) -> None:
    model = world("small", bounds)

    report, counted = search(model), naive.count(model)

    assert (report.states, report.transitions, report.depth) == (
        counted.states,
        counted.transitions,
        counted.depth,
    )
    assert report.states > 100


def test_without_a_coordinator_an_orphaned_fence_stays() -> None:
    """[ROL-39, P2] The range takes no writes for ever, unless somebody splits it."""
    report = search(again(is_healed=False))

    assert report.trace is not None
    assert report.trace.law.name == "a_closed_head_is_recorded_at_last"


def test_a_split_that_asks_the_cache_alone_cannot_be_tried_again() -> None:
    """[RNG-15, P9] Its frontend never opened the head, and is refused each time."""
    report = search(alone(again(Rules(active_roll=roll_of_the_cache)), NO_LAW))

    assert report.trace is not None
    assert report.trace.law.name == "a_refused_reshape_can_be_tried_again"


@pytest.mark.parametrize("name", ["split-again", "merge-raft"])
def test_a_scope_has_its_pinned_size_and_all_laws_hold(name: str) -> None:
    scope = scope_named(name)
    assert scope is not None

    report = search(scope.build())

    assert report.verdict == "holds"
    assert scope.size == Size(report.states, report.transitions, report.depth)


@pytest.mark.parametrize("name", ["spl", "split:", "split:tries", "split:tries=0", "merge:bits=2"])
def test_a_name_that_names_no_world_finds_none(name: str) -> None:
    assert bounds_named(name) is None


def test_another_size_of_a_world_has_a_name() -> None:
    bounds = bounds_named("split:faults=2,tries=3,segments=1,refreshes=0+1")

    assert bounds == Bounds(faults=2, tries=3, segments=1)


MINE = [finding for finding in FINDINGS if finding.name in {"F10", "F11"}]
