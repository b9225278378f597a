"""The worlds of restarts and of expiry: what is forgotten, recovered, removed."""

import pytest

from checker.search import naive
from checker.search.model import Model, Outcome
from checker.search.plain import search
from checker.world.kinds import Scope
from checker.world.recovering.bounds import Bounds
from checker.world.recovering.findings import FINDINGS
from checker.world.recovering.glance import glance
from checker.world.recovering.judging import tempting_laws
from checker.world.recovering.parts import Orphan
from checker.world.recovering.rules import REFERENCE
from checker.world.recovering.scopes import SCOPES, bounds_named, built
from checker.world.recovering.world import world
from checker.world.sharing.bounds import Bounds as Shared
from checker.world.sharing.parts import RANGE, Failed, Reading
from checker.world.sharing.sight import listing_of, seen_by
from reference.frontend import Frontend
from reference.refreshing import is_unrecovered
from reference.vnodes import View
from spec.truth import Expired
from spec.vocabulary import Offset


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

    def front(self, name: str) -> Frontend:
        """A frontend as it is now."""
        front = self.parts[name]
        assert isinstance(front, Frontend)
        return front

    def control(self) -> View:
        """The control plane as it is now."""
        view = self.parts["control"]
        assert isinstance(view, View)
        return view


SEAL_S0 = ("f1 sweeps", "f1 fences s0", "f1/s0 closes", "f1/s0 is recorded")


def test_a_restart_leaves_nothing_but_the_view_that_is_read_anew() -> None:
    """[RFR-28] The counter and the head are gone, and a recovery is due."""
    walk = Run(built("recover"))
    walk.take("f2.1 opens a segment")

    walk.take("f2 restarts")

    seen = seen_by(walk.front("f2"))
    assert (seen.counter, seen.head) == (None, None)
    assert seen.listing == listing_of(walk.control())
    assert walk.parts["f2.read"] == Reading(1, is_recovering=True)


def test_a_batch_lands_although_its_frontend_has_restarted() -> None:
    """[RFR-28] Its client is told that it failed, and it stands in the log."""
    walk = Run(built("recover"))
    walk.take("f2.1 opens a segment", "f2 restarts")
    assert isinstance(walk.parts["f2.1"], Orphan)

    walk.take("f2.1 lands at s0", "f2 recovers")

    assert isinstance(walk.parts["f2.1"], Failed)
    assert walk.front("f2").offsets[RANGE] == Offset(1)


def test_a_mute_primary_leaves_the_range_unrecovered_until_a_recovery_or_an_answer() -> None:
    """[RFR-22, RFR-26] A produce is not held back."""
    walk = Run(built("recover"))
    walk.take("f1.1 opens a segment", "f2 restarts", "f2 hears nothing")
    assert is_unrecovered(walk.front("f2"), RANGE)

    walk.take("f2.1 is planned", "f2.1 reaches s0", "f2.1 is answered")

    assert not is_unrecovered(walk.front("f2"), RANGE)


def test_a_segment_expires_with_its_copies_and_what_was_acknowledged_in_it() -> None:
    """[RNG-20] Once it is sealed, and not before."""
    walk = Run(built("expire"))
    walk.take("f1.1 opens a segment", "f1.1 reaches s0", "f1.1 is answered")
    assert not walk.outcomes("s0 expires")

    walk.take(*SEAL_S0, "s0 expires")

    assert listing_of(walk.control()) == ()
    assert walk.parts["s0"] is None
    assert walk.parts["f1.1"] == Expired(Offset(0), Offset(0))


def test_something_that_remembers_keeps_the_newest_segment() -> None:
    walk = Run(built("expire-remembered"))
    walk.take("f1.1 opens a segment", "f1.1 reaches s0", "f1.1 is answered", *SEAL_S0)

    assert not walk.outcomes("s0 expires")


def test_a_state_is_shown_in_words() -> None:
    walk = Run(built("expire"))
    walk.take("f2.1 opens a segment", "f2 restarts")

    words = glance(walk.parts)

    assert words["batch f2.1"] == "on its way to s0, and nobody waits"
    assert (words["gone"], words["f2 counter"]) == ("none", None)


def test_the_search_of_a_world_of_restarts_agrees_with_a_loop_that_remembers_nothing() -> None:
    shared = Shared(batches=((1,), (1,)), segments=1, roll_at=0, refreshes=(0, 1))
    model = world("small", Bounds(shared, restarts={"f2": 1}, idle=frozenset()))

    report, counted = search(model), naive.count(model)

    assert (report.states, report.transitions, report.depth) == (
        counted.states,
        counted.transitions,
        counted.depth,
    )
    assert report.states > 300


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: scope.name)
def test_a_scope_says_what_needs_its_bounds(scope: Scope) -> None:
    assert set(scope.needs) <= set(scope.build().bounds)


@pytest.mark.parametrize(
    "name", ["recove", "recover-rft", "recover:", "recover:restarts=1+1", "recover:batches=1"]
)
def test_a_name_that_names_no_world_of_restarts_finds_none(name: str) -> None:
    assert bounds_named(name) is None


def test_every_tempting_law_of_restarts_is_a_finding() -> None:
    bounds = bounds_named("recover")
    assert bounds is not None

    tempting = {law.name for law in tempting_laws(bounds, REFERENCE)}

    assert tempting <= {finding.law for finding in FINDINGS}
