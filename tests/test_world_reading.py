"""The world of consumers: its steps, its laws, its bounds, and what it finds."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from checker.search import naive
from checker.search.model import Model, Outcome
from checker.search.plain import search
from checker.world.findings import FINDINGS
from checker.world.kinds import Size
from checker.world.reading.bounds import Bounds
from checker.world.reading.glance import glance
from checker.world.reading.parts import Consumer, Left, Troubles
from checker.world.reading.scopes import bounds_named, rules_of
from checker.world.reading.world import world
from checker.world.scopes import scope_named
from spec.clauses import clause_of
from spec.laws import ideal as ideal_laws
from spec.laws import reading as reading_laws
from spec.replies import Refusal
from spec.vocabulary import Cursor, Offset, Page


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
        """Take steps, each in the first of its ways."""
        for name in names:
            outcome = self.outcomes(name)[0]
            self.parts.update(zip(self.steps[name].writes, outcome.values, strict=True))

    @property
    def page(self) -> Page | Refusal:
        """What the consumer has asked for."""
        consumer = self.parts["c1"]
        assert isinstance(consumer, Consumer)
        assert consumer.asked is not None
        return consumer.asked.answer

    def shown(self) -> Mapping[str, object]:
        """The state in words."""
        return glance(self.parts)


def run(scope: str) -> Run:
    """The world of a scope, at its start."""
    bounds = bounds_named(scope)
    assert bounds is not None
    return Run(world(scope, bounds, rules_of(scope)))


def test_a_page_of_a_child_reads_the_parents_records_of_its_slice_first() -> None:
    """[RDG-12, RDG-13] The key of the middle record belongs to the other child."""
    walk = run("read")
    walk.take("f2 produces", "f2 produces", "f2 reshapes", "f2 produces", "f1 refreshes")

    walk.take("c1 moves", "c1 reads 2")

    assert walk.shown()["c1 has under way"] == "2 at 0 0 at 0, then source 1, offset 1"


def test_a_page_lists_what_expired_before_it_was_read() -> None:
    """[RDG-20] One record is lost, and the one above it is delivered."""
    walk = run("read")
    walk.take("f2 produces", "f2 rolls", "f2 produces", "retention expires", "f1 refreshes")

    walk.take("c1 reads 1")

    assert walk.shown()["c1 has under way"] == "1 at 1, 1 skipped, then source 0, offset 2"


def test_a_failed_read_leaves_the_consumer_where_it_is() -> None:
    """[RDG-8] It asks again from the same cursor."""
    walk = run("read")
    walk.take("f2 produces", "f1 refreshes")

    _, failed = walk.outcomes("c1 reads 1")
    walk.parts.update(zip(walk.steps["c1 reads 1"].writes, failed.values, strict=True))
    assert isinstance(walk.page, Refusal)
    walk.take("c1 takes its page")

    assert walk.shown()["c1 reads"] == "r0 at its start"


def test_a_frontend_that_hears_of_no_end_serves_no_page() -> None:
    """[RDG-16] Its primaries are mute."""
    walk = run("read-holes")
    walk.take("f2 produces")
    _, mute = walk.outcomes("f1 restarts")
    walk.parts.update(zip(walk.steps["f1 restarts"].writes, mute.values, strict=True))

    walk.take("c1 reads 1")

    assert walk.shown()["f1 waits for"] == "the ends of r0"
    assert walk.shown()["c1 has under way"] == "an error: metadata_unavailable"


def test_a_store_that_holds_more_than_its_edge_is_not_read_above_it() -> None:
    """[RDG-6] The world begins with it."""
    walk = run("read-overrun")

    walk.take("c1 reads 2")

    assert walk.shown()["logs"] == "r0.s0: 0 short"
    assert isinstance(walk.page, Page)
    assert walk.page.cursor == Cursor(0, Offset(1))


def test_a_group_resumes_where_it_committed() -> None:
    """[RNG-26] Its consumer has forgotten everything."""
    walk = run("read-group-raft")
    walk.take("f2 produces", "f1 refreshes", "c1 reads 1", "c1 takes its page", "c1 commits")

    walk.take("c1 reads 1", "c1 takes its page", "c1 resumes")

    assert walk.shown()["c1 reads"] == "r0 at source 0, offset 1"


@pytest.mark.parametrize("name", ["read-overrun", "read-group-raft", "read-settling", "read-holes"])
def test_a_scope_has_its_pinned_size_and_all_laws_hold(name: str) -> None:
    scope = scope_named(name)
    assert scope is not None

    report = search(scope.build())

    assert report.verdict == "holds"
    assert scope.size == Size(report.states, report.transitions, report.depth)


@pytest.mark.parametrize(
    "bounds",
    [
        Bounds(Left(keys=(0,), rolls=1, shapes=((0,),), expiries=1)),
        Bounds(Left(keys=(0,)), troubles=Troubles(failures=1, restarts=1, mutes=1)),
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
    assert report.states > 50


@pytest.mark.parametrize("name", ["rea", "read:", "read:keys", "read:bits=2", "read-empty:x"])
def test_a_name_that_names_no_world_finds_none(name: str) -> None:
    assert bounds_named(name) is None


def test_another_size_of_a_world_has_a_name() -> None:
    bounds = bounds_named("read:keys=2,rolls=0,spares=1,expiries=2,failures=0,restarts=1")

    assert bounds == Bounds(
        Left(keys=(0, 1), spares=1, shapes=((0,),), expiries=2), troubles=Troubles(restarts=1)
    )


MINE = [finding for finding in FINDINGS if finding.scope.startswith("read")]


@pytest.mark.parametrize("chapter", [reading_laws, ideal_laws])
def test_each_law_cites_a_clause_that_is_written_and_the_property_it_keeps(
    chapter: object,
) -> None:
    page = Path(str(getattr(chapter, "__file__", ""))).read_text("utf-8")

    cited = re.findall(r'"""\[([A-Z]+-\d+)\] [^"]*?\(([SP]\d+[^)]*)\)', page)

    assert cited
    assert all(clause_of(clause).sentence for clause, _ in cited)
