"""The world in which every replica is a store of its own, and its coordinator."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from checker.search import naive
from checker.search.explore import search
from checker.search.model import Model, Outcome
from checker.world.copies.bounds import Bounds, Fault
from checker.world.copies.failover import world
from checker.world.copies.findings import FINDINGS
from checker.world.copies.glance import glance
from checker.world.copies.judging import tempting_laws
from checker.world.copies.scopes import BOUNDS, bounds_named, defective
from checker.world.kinds import Finding
from spec.clauses import clause_of
from tests.mutants_of_copies import MUTANTS, Mutant


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


def judged(model: Model, law: str) -> Model:
    """The same world, judged by one law alone."""
    return replace(
        model,
        laws=tuple(each for each in model.laws if each.name == law),
        step_laws=tuple(each for each in model.step_laws if each.name == law),
    )


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


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.law)
def test_a_law_without_a_named_defect_is_broken_by_a_mutant(mutant: Mutant) -> None:
    report = search(judged(defective(mutant.scope, mutant.rules), mutant.law))

    assert report.trace is not None
    assert report.trace.law.name == mutant.law


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.name)
def test_a_finding_has_a_remedy_under_which_its_law_holds(finding: Finding) -> None:
    assert finding.remedy is not None

    report = search(finding.remedy.build())

    assert (report.verdict, report.states) == ("holds", finding.remedy.states)


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.name)
def test_each_step_of_a_finding_is_permitted_by_a_clause(finding: Finding) -> None:
    assert len(finding.permitted_by) == finding.steps
    assert all(clause_of(each).sentence for each in finding.permitted_by)


def test_every_tempting_law_is_a_finding() -> None:
    tempting = {law.name for law in tempting_laws(BOUNDS["failover"])}

    assert tempting <= {finding.law for finding in FINDINGS}


def test_another_size_of_a_world_has_a_name() -> None:
    bounds = bounds_named("failover:batches=2+0,segments=2,faults=0")

    assert bounds is not None
    assert bounds.batches == ((1, 1), ())
    assert (bounds.segments, bounds.faults) == (2, 0)


@pytest.mark.parametrize("name", ["fail", "failover:", "failover:faults=x", "failover:segments=0"])
def test_a_name_that_names_no_world_finds_none(name: str) -> None:
    assert bounds_named(name) is None
