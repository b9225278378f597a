"""The world in which every replica is a store of its own, and its coordinator."""

from collections.abc import Mapping

import pytest

from checker.search import naive
from checker.search.explore import search
from checker.search.model import Outcome
from checker.world.copies.bounds import Bounds, Duty, Fault
from checker.world.copies.failover import world
from checker.world.copies.findings import FINDINGS
from checker.world.copies.glance import glance
from checker.world.copies.judging import tempting_laws
from checker.world.copies.scopes import BOUNDS, bounds_named, defective


class Run:
    """A world that is walked by hand."""

    def __init__(self, scope: str) -> None:
        model = defective(scope)
        self.parts = dict(model.initial)
        self.steps = {step.name: step for step in model.steps}

    def outcomes(self, name: str) -> list[Outcome]:
        """The ways in which a step can end now."""
        step = self.steps[name]
        return list(step.rule(*(self.parts[part] for part in step.reads)))

    def take(self, *names: str) -> None:
        """Take steps, each in its first way."""
        for name in names:
            outcome = self.outcomes(name)[0]
            self.parts.update(zip(self.steps[name].writes, outcome.values, strict=True))

    def shown(self) -> Mapping[str, object]:
        """The state in words."""
        return glance(self.parts)


def test_a_batch_is_copied_to_the_followers_that_are_up() -> None:
    """[ROL-32] And acknowledged, since two of three hold it."""
    walk = Run("failover")

    walk.take("f1.1 opens a segment", "b2 stops", "f1.1 reaches s0", "f1.1 is answered")

    assert walk.shown()["s0 at b1"] == walk.shown()["s0 at b3"] == "f1.1.1 from 0"
    assert walk.shown()["s0 at b2"] == "nothing"
    assert walk.shown()["batch f1.1"] == "acknowledged in s0 at 0 to 0"


def test_a_batch_that_finds_its_primary_down_fails() -> None:
    """[ROL-34] Nobody else takes it."""
    walk = Run("failover")

    walk.take("f1.1 opens a segment", "b3 stops", "f1.1 finds b3 down")

    assert walk.shown()["batch f1.1"] == "failed"


def test_a_failover_seals_what_a_majority_answers_and_moves_the_head() -> None:
    """[HEA-9, HEA-10, HEA-11] The dead primary goes behind the copy that holds the end."""
    walk = Run("failover")
    walk.take("f1.1 opens a segment", "f1.1 reaches s0", "b3 stops", "s0 is to fail over")

    walk.take("b1.s0 is fenced")
    assert not walk.outcomes("s0: decide")
    walk.take("b2.s0 is fenced", "s0: decide")

    assert walk.shown()["control plane lists"] == "s0 sealed from 0 to 1"
    assert walk.shown()["control plane leads to"] == "s0: b1 b3 b2"


def test_a_broker_comes_back_with_its_records_and_its_latch() -> None:
    """[ROL-34] What was closed stays closed."""
    walk = Run("failover")
    walk.take("f1.1 opens a segment", "f1.1 reaches s0", "f1 fences s0", "f1/s0 closes b3.s0")

    walk.take("b3 stops", "b3 comes back")

    assert walk.shown()["s0 at b3"] == "f1.1.1 from 0, fenced"


def test_a_late_batch_lands_above_the_edge_and_is_cut_there() -> None:
    """[HEA-18] A primary that was passed over holds what nobody acknowledges."""
    walk = Run("failover")
    walk.take("f1.1 opens a segment", "b3 stops", "s0 is to fail over", "b1.s0 is fenced")
    walk.take("b2.s0 is fenced", "s0: decide", "b3 comes back", "f1.1 reaches s0")
    assert walk.shown()["s0 at b3"] == "f1.1.1 from 0"
    assert walk.shown()["batch f1.1"] == "answered: failed"

    walk.take("b3.s0 is cut")

    assert walk.shown()["s0 at b3"] == "no record from 0, fenced"


def test_an_orphaned_fence_is_found_and_sealed() -> None:
    """[HEA-15] Whoever sent the fence need not be heard of again."""
    walk = Run("failover")
    walk.take("f1.1 opens a segment", "f1 fences s0", "f1/s0 closes b3.s0")

    walk.take("s0 is probed", "s0: adopt")

    assert walk.shown()["control plane lists"] == "s0 sealed from 0 to 0"


def test_a_new_replica_is_named_behind_one_that_holds_the_segment() -> None:
    """[HEA-17, HEA-26, HEA-27, HEA-28] It copies first; the dead primary's copy is cleared away."""
    walk = Run("healing")
    walk.take("f1.1 opens a segment", "f1 fences s0", "f1.1 reaches s0", "f1/s0 closes b3.s0")
    walk.take("f1/s0 is recorded", "b3 stops", "s0 is short")
    assert not walk.outcomes("s0: name")

    walk.take("s0 is copied", "s0: name", "b3 comes back", "b3.s0 is scrubbed")

    assert walk.shown()["control plane leads to"] == "s0: b1 b2 b4"
    assert walk.shown()["s0 at b4"] == "f1.1.1 from 0, fenced"
    assert walk.shown()["s0 at b3"] == "nothing"


def test_a_command_that_is_lost_leads_to_no_removal() -> None:
    """[HEA-7] The old copy stays, since readers are still sent to it."""
    walk = Run("healing")
    walk.take("f1.1 opens a segment", "f1 fences s0", "f1/s0 closes b3.s0", "f1/s0 is recorded")
    walk.take("b3 stops", "s0 is short", "s0 is copied", "s0: name unheard")

    assert walk.parts["coordinator"] is None


def test_a_repair_reaches_the_head_of_the_frontend_that_it_goes_through() -> None:
    """[HEA-29] The coordinator's own frontend routes to what it has just sealed no longer."""
    walk = Run("unheard")
    walk.take("f2.1 opens a segment", "b3 stops", "s0 is to fail over")
    assert walk.shown()["f2 head"] == "s0"

    walk.take("b1.s0 is fenced", "b2.s0 is fenced", "s0: decide")

    assert walk.shown()["f2 head"] == "none"


def test_retention_removes_the_listing_and_then_the_copies() -> None:
    """[HEA-23] A reader meets a hole, and no error."""
    walk = Run("retention")
    walk.take("f1.1 opens a segment", "f1 fences s0", "f1.1 reaches s0", "f1/s0 closes b3.s0")
    walk.take("f1/s0 is recorded", "s0 expires")
    assert not walk.outcomes("b1.s0 is removed")

    walk.take("s0 is delisted", "b1.s0 is removed", "b2.s0 is removed", "b3.s0 is removed")

    assert walk.shown()["control plane lists"] == "no segment"
    assert walk.shown()["s0 at b3"] == "nothing"
    assert walk.shown()["expired"] == "f1.1"
    assert walk.parts["coordinator"] is None


def test_a_segment_whose_removal_is_refused_keeps_its_copies() -> None:
    """[HEA-23] No run of one coordinator is refused: somebody else has to remove the listing."""
    walk = Run("retention")
    empty = walk.parts["control"]
    walk.take("f1.1 opens a segment", "f1 fences s0", "f1.1 reaches s0", "f1/s0 closes b3.s0")
    walk.take("f1/s0 is recorded", "s0 expires")
    walk.parts["control"] = empty

    (refused,) = walk.outcomes("s0 is delisted")
    walk.take("s0 is delisted")

    assert refused.label == "the coordinator is refused to remove s0"
    assert walk.parts["coordinator"] is None
    assert walk.parts["control"] == empty
    assert walk.shown()["expired"] == "nothing"
    assert not any(walk.outcomes(f"{broker}.s0 is removed") for broker in ("b1", "b2", "b3"))


def test_a_segment_that_a_batch_is_under_way_to_does_not_expire() -> None:
    """[HEA-19] But where the bounds say that it may."""
    names = ("f1.1 opens a segment", "f1 fences s0", "f1/s0 closes b3.s0", "f1/s0 is recorded")
    punctual, late = Run("retention"), Run("retention:late=1")
    punctual.take(*names)
    late.take(*names)

    assert not punctual.outcomes("s0 expires")
    assert late.outcomes("s0 expires")


def test_a_broken_failover_leaves_a_range_that_nobody_looks_at() -> None:
    """[HEA-15, P2] A9: no step of the coordinator is left, and no batch finds a majority."""
    walk = Run("quiet:breaks=1")
    walk.take("f1.1 opens a segment", "b3 stops", "s0 is to fail over", "b3 comes back")
    walk.take("b1.s0 is fenced", "b2.s0 is fenced", "s0 breaks off")

    assert not walk.outcomes("s0 is to fail over")
    assert not walk.outcomes("s0 is probed")
    assert [each.label for each in walk.outcomes("f1.1 reaches s0")] == [
        "f1.1 reaches s0 at b3 and b1 and b2, where no majority takes it"
    ]


def test_a_consumer_is_given_what_stands_at_the_primary_alone() -> None:
    """[RDG-37] Not where only what a majority holds is served."""
    short = ("f1.1 opens a segment", "f1.1 reaches s0 short")
    today, served = Run("readers"), Run("served")
    today.take(*short)
    served.take(*short)

    assert today.outcomes("the consumer reads s0")
    assert not served.outcomes("the consumer reads s0")


def test_the_search_agrees_with_a_loop_that_remembers_nothing() -> None:
    bounds = Bounds(batches=((1,), ()), segments=1, kinds=frozenset({Fault.STOP}))
    model = world("small", bounds)

    report, counted = search(model), naive.count(model)

    assert (report.states, report.transitions, report.depth) == (
        counted.states,
        counted.transitions,
        counted.depth,
    )
    assert report.states > 600


def test_a_range_that_is_judged_on_its_end_is_writable_or_healed() -> None:
    """[HEA-15, RFR-15, P2, P10] Inevitably, once faults stop."""
    reports = [search(defective(name)) for name in ("quiet", "sweep")]

    assert [report.verdict for report in reports] == ["holds", "holds"]
    judged_in_the_end = {law.name for report in reports for law in report.laws}
    assert "a_range_takes_writes_again" in judged_in_the_end
    assert "an_unanswered_roll_of_f2_is_settled_at_last" in judged_in_the_end


def test_every_tempting_law_is_a_finding() -> None:
    tempting = {law.name for law in tempting_laws(BOUNDS["readers"])}

    assert len(tempting) == 2
    assert tempting <= {finding.law for finding in FINDINGS}


def test_another_size_of_a_world_has_a_name() -> None:
    bounds = bounds_named("failover:batches=2+0,segments=2,faults=0")

    assert bounds is not None
    assert bounds.batches == ((1, 1), ())
    assert (bounds.segments, bounds.faults) == (2, 0)


def test_a_name_may_add_a_fault_or_a_duty() -> None:
    bounds = bounds_named("quiet:breaks=1,cuts=1,late=1")

    assert bounds is not None
    assert bounds.may(Fault.BREAK)
    assert Duty.OVERRUNS in bounds.duties
    assert bounds.is_late


@pytest.mark.parametrize(
    "name",
    [
        "fail",
        "quiet:brakes=1",
        "quiet:breaks=2",
        "failover:",
        "failover:faults=x",
        "failover:segments=0",
    ],
)
def test_a_name_that_names_no_world_finds_none(name: str) -> None:
    assert bounds_named(name) is None
