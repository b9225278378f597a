"""The worlds of views: what is commanded, journaled, read late, replayed and placed."""

import pytest
from immutables import Map

from checker.search import naive
from checker.search.model import Model, Outcome
from checker.search.plain import search
from checker.world.kinds import Level, Scope
from checker.world.sharing.parts import TOPIC
from checker.world.views.bounds import Bounds, Fault
from checker.world.views.findings import FINDINGS
from checker.world.views.glance import glance
from checker.world.views.judging import tempting_step_laws
from checker.world.views.orders import OTHER, Bind, Commit, Create, Open
from checker.world.views.parts import Reads, Told
from checker.world.views.scopes import SCOPES, bounds_named, built
from checker.world.views.world import world
from reference.frontend import Frontend
from reference.ranges import committed_offsets
from reference.vnodes import View, metadata_of, route
from spec.commands import CreateTopic
from spec.replies import Failed, Ok
from spec.vocabulary import Cursor, Group, Offset, PolicyName, VnodeId

QUICK = [scope for scope in SCOPES if scope.level is Level.QUICK]


class Run:
    """A world that is walked by hand."""

    def __init__(self, model: Model) -> None:
        self.parts = dict(model.initial)
        self.steps = {step.name: step for step in model.steps}

    def outcomes(self, name: str) -> list[Outcome]:
        """The ways in which a step can end now."""
        step = self.steps[name]
        return list(step.rule(*(self.parts[part] for part in step.reads)))

    def take(self, *names: str, way: int = 0) -> None:
        """Take steps, each in one of its ways."""
        for name in names:
            outcome = self.outcomes(name)[way]
            self.parts.update(zip(self.steps[name].writes, outcome.values, strict=True))

    def front(self, name: str = "f1") -> Frontend:
        """A frontend as it is now."""
        front = self.parts[name]
        assert isinstance(front, Frontend)
        return front

    def control(self) -> View:
        """The control plane as it is now."""
        view = self.parts["control"]
        assert isinstance(view, View)
        return view


def run(bounds: Bounds) -> Run:
    """A world with these bounds, at its start."""
    return Run(world("by hand", bounds))


def test_the_two_topics_live_on_two_vnodes() -> None:
    """[RNG-30] So one of them can be read while the other cannot."""
    view = run(Bounds(orders=((),), refreshes=(1,))).control()

    assert [route(view, topic) for topic in (TOPIC, OTHER)] == [VnodeId("v2"), VnodeId("v1")]


def test_a_read_is_as_old_as_its_beginning_when_it_is_installed() -> None:
    """[RFR-3] What others did meanwhile it does not show."""
    walk = run(Bounds(orders=((),), operator=(CreateTopic(OTHER, 1),), refreshes=(1,)))

    walk.take("f1 begins to read", "o.1 is done", "f1 refreshes")

    assert OTHER in metadata_of(walk.control(), OTHER).topics
    assert OTHER not in metadata_of(walk.front().view, OTHER).topics


def test_an_own_command_survives_a_read_that_began_before_it() -> None:
    """[RFR-8] It is replayed on what was read."""
    walk = run(Bounds(orders=((Create(),),), refreshes=(1,)))

    walk.take("f1 begins to read", "f1.1 is called", "f1 refreshes")

    assert OTHER in metadata_of(walk.front().view, OTHER).topics
    assert walk.front().journal == ()


def test_a_read_without_a_vnode_takes_nothing_from_what_is_held() -> None:
    """[RFR-2] The topic on the silent vnode is still there."""
    kinds = frozenset({Fault.UNREAD})
    walk = run(Bounds(orders=((),), refreshes=(1,), faults=1, kinds=kinds))

    walk.take("f1 reads a part", way=1)
    walk.take("f1 refreshes")

    assert TOPIC in metadata_of(walk.front().view, TOPIC).topics
    assert walk.parts["faults"] == 0


def test_a_command_is_lost_or_done_without_an_answer_and_its_caller_cannot_tell() -> None:
    """[RNG-40] Both leave the frontend as it was, and only one the control plane."""
    kinds = frozenset({Fault.LOSS, Fault.SILENCE})
    walk = run(Bounds(orders=((Create(),),), refreshes=(1,), faults=1, kinds=kinds))

    lost, silent = walk.outcomes("f1.1 is unheard")

    assert lost.values[0] == silent.values[0] == walk.front()
    assert lost.values[2] == walk.control() != silent.values[2]
    assert isinstance(told := silent.values[1], Told)
    assert isinstance(told.reply, Failed)


def test_a_command_that_was_given_up_may_land_later() -> None:
    """[RNG-40] Behind one that was sent after it."""
    orders = ((Commit(Cursor(0, Offset(1))),), (Commit(Cursor(0, Offset(2))),))
    kinds = frozenset({Fault.LATENESS})
    walk = run(Bounds(orders=orders, refreshes=(0, 0), faults=1, kinds=kinds))

    walk.take("f1.1 is late", "f2.1 is called", "a command lands late")

    (kept,) = committed_offsets(
        Frontend(walk.front().options, walk.control()), Group("g"), TOPIC
    ).values()
    assert kept == Cursor(0, Offset(1))


def test_a_restart_forgets_the_journal_and_reads_anew() -> None:
    """[RFR-28] Only the options and the view that is read are there."""
    kinds = frozenset({Fault.RESTART})
    walk = run(Bounds(orders=((Open(),),), refreshes=(1,), faults=1, kinds=kinds))

    walk.take("f1.1 is called", "f1 begins to read", "f1 restarts")

    assert walk.front() == Frontend(walk.front().options, walk.control(), journal=())
    assert walk.parts["f1.reads"] == Reads(0)


def test_no_read_is_installed_once_a_later_one_was() -> None:
    """[RFR-4] Of two that overlap, the older is gone with the newer."""
    walk = run(Bounds(orders=((),), refreshes=(2,), at_once=2))
    walk.take("f1 begins to read", "f1 begins to read")

    walk.take("f1 refreshes", way=1)

    assert walk.parts["f1.reads"] == Reads(0)


def test_a_call_is_made_once() -> None:
    walk = run(Bounds(orders=((Bind(PolicyName("p")),),), refreshes=(1,)))

    walk.take("f1.1 is called")

    assert not walk.outcomes("f1.1 is called")
    assert isinstance(told := walk.parts["f1.1"], Told)
    assert told.reply == Ok()


def test_the_search_of_a_world_of_views_agrees_with_a_loop_that_remembers_nothing() -> None:
    bounds = Bounds(
        orders=((Create(), Open(OTHER)), (Open(),)),
        refreshes=(1, 0),
        faults=1,
        policies=Map(),
    )
    model = world("small", bounds)

    report, counted = search(model), naive.count(model)

    assert (report.states, report.transitions, report.depth) == (
        counted.states,
        counted.transitions,
        counted.depth,
    )
    assert report.states > 600


@pytest.mark.parametrize("scope", QUICK, ids=lambda scope: scope.name)
def test_a_scope_says_what_needs_its_bounds(scope: Scope) -> None:
    assert set(scope.needs) <= set(scope.build().bounds)


@pytest.mark.parametrize(
    "name", ["journa", "journal:", "journal:atonce=0", "journal:refreshes=1", "journal:x=1"]
)
def test_a_name_that_names_no_world_of_views_finds_none(name: str) -> None:
    assert bounds_named(name) is None


def test_a_state_is_shown_in_words() -> None:
    walk = Run(built("journal"))
    walk.take("f1.1 is called", "f1 begins to read", "f1.2 is unheard")

    words = glance(walk.parts)

    assert words["f1 journal"] == "creates u with 2 positions"
    assert words["f1.reads"] == "under way: t of 2; u of 2"
    assert (words["f1.1"], words["f1.2"], words["f1.3"]) == ("done", "failed", "not done")


def test_every_tempting_law_of_views_is_a_finding() -> None:
    tempting = {law.name for law in tempting_step_laws()}

    assert tempting <= {finding.law for finding in FINDINGS}
