"""What a finding says of itself: what permits it, what closes it, and where it was looked for."""

import json
from dataclasses import replace
from functools import partial

import jsonschema
import pytest

from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.schema import schema_text
from checker.search.explore import search
from checker.search.model import Goal
from checker.world.assumptions import assumption_named
from checker.world.closing import try_remedy
from checker.world.findings import FINDINGS, finding_named
from checker.world.kinds import Fallen, Finding, Remedy
from checker.world.places import PLACES, Searched
from checker.world.scopes import SCOPES, scope_named
from checker.world.sharing.goals import every_batch_is_acknowledged
from checker.world.sharing.roll import world as shared_world
from checker.world.sharing.rules import NOW
from checker.world.sharing.rules import Rules as SharedRules
from checker.world.sharing.scopes import bounds_named
from checker.world.views.findings import whole as views_world
from checker.world.views.rules import Rules as ViewsRules
from reference import vnodes
from reference.vnodes import View
from spec.clauses import clause_of
from spec.commands import Command
from spec.replies import CommandReply, Refusal

LARGE = 45_000
"""Larger worlds are searched by `malachi-model findings --remedies` alone."""


def remedy_of(finding: Finding) -> Remedy:
    """The remedy, which every finding has."""
    assert finding.remedy is not None
    return finding.remedy


SMALL = [each for each in FINDINGS if remedy_of(each).states < LARGE]


@pytest.mark.parametrize("finding", SMALL, ids=lambda finding: finding.name)
def test_a_remedy_keeps_the_law_and_breaks_only_what_it_names(finding: Finding) -> None:
    closed = try_remedy(finding, finding.scope)

    assert closed is not None
    assert closed.problems == ()
    assert closed.states == remedy_of(finding).states


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.name)
def test_each_step_of_a_finding_rests_on_clauses_or_on_what_is_assumed(finding: Finding) -> None:
    grounds = finding.grounds()

    assert len(grounds) == finding.steps
    assert all(ground.clauses or ground.assumed for ground in grounds)
    assert all(clause_of(each).sentence for ground in grounds for each in ground.clauses)
    assert {each for ground in grounds for each in ground.assumed} == set(finding.assumes)
    assert finding.seen_as


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.name)
def test_a_remedy_is_tried_in_scopes_that_there_are(finding: Finding) -> None:
    remedy = remedy_of(finding)
    fallen = {each.scope or finding.scope for each in (*remedy.gives_up, *remedy.leaves)}

    assert all(scope_named(scope) is not None for scope in remedy.elsewhere)
    assert fallen <= {finding.scope, *remedy.elsewhere}
    assert all(each.reason for each in (*remedy.gives_up, *remedy.leaves))


def small(name: str) -> Finding:
    """A finding of a small world."""
    finding = finding_named(name)
    assert finding is not None
    return finding


def with_remedy(finding: Finding, **changed: object) -> Finding:
    """The same with something else in its remedy."""
    remedy = replace(remedy_of(finding), **changed)  # type: ignore[arg-type] # any of its fields
    return replace(finding, remedy=remedy)


def problems_of(finding: Finding) -> tuple[str, ...]:
    """What is not as it is declared of a remedy."""
    closed = try_remedy(finding, finding.scope)
    assert closed is not None
    return closed.problems


def test_a_law_that_is_declared_to_fall_and_holds_is_a_problem() -> None:
    finding = small("F29")
    held = Fallen("only_a_sealed_segment_is_removed", "a test")

    (given_up,) = problems_of(with_remedy(finding, gives_up=(held,)))
    left = problems_of(with_remedy(finding, leaves=(held,)))

    assert given_up == f"{held.law} is declared to fall in positions, and holds there"
    assert left == (given_up, f"{held.law} is declared to fall in positions anyway, and does not")


def test_a_remedy_that_does_not_close_its_finding_is_a_problem() -> None:
    finding = small("F29")
    nothing = partial(views_world, finding.law, None)

    (problem,) = problems_of(with_remedy(finding, build=nothing))

    assert problem == f"{finding.law} is broken in positions all the same, after 3 steps"


def test_a_remedy_that_breaks_another_law_is_a_problem() -> None:
    """[RFR-8] Whoever installs nothing takes no view back, and learns nothing either."""
    finding = small("F20")
    frozen = ViewsRules(install=lambda front, _begun, _tell: front)

    problems = problems_of(with_remedy(finding, build=partial(views_world, finding.law, frozen)))

    assert any(each.startswith("it breaks a_refresh_empties_the_journal") for each in problems)


def test_a_remedy_of_another_size_is_a_problem() -> None:
    (problem,) = problems_of(with_remedy(small("F25"), states=35))

    assert problem == "replayed is pinned to 35 states with it, and has 34"


def test_remedies_are_tried_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["findings", "F26", "--remedies", "--format", "json"])

    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(schema_text("remedies")))
    assert code == Exit.OK
    assert report["remedies"][0]["scope"] == "lateness"
    assert not any(each["problems"] for each in report["remedies"])


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_a_place_names_findings_assumptions_and_worlds_that_are_searched_whole(
    place: Searched,
) -> None:
    sizes = {scope.name: scope.size for scope in SCOPES}

    assert place.findings
    assert all(finding_named(each) is not None for each in place.findings)
    assert all(assumption_named(each) is not None for each in place.assumptions)
    assert place.sound
    for each in place.sound:
        if each.closed_by:
            finding = small(each.closed_by)
            closed = try_remedy(finding, each.scope)
            assert each.scope in remedy_of(finding).elsewhere
            assert closed is not None
            assert (closed.problems, closed.states) == ((), each.states)
        else:
            assert sizes[each.scope] is not None


def test_every_finding_belongs_to_a_place_or_to_none_that_was_named_before() -> None:
    placed = {name for place in PLACES for name in place.findings}

    others = {finding.name for finding in FINDINGS} - placed

    assert others == {"F2", "F4", "F12", "F24", "F25", "F28", "F36", "F39", "F41", "F42"}


def test_the_account_of_places_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["findings", "--places"])

    said = capsys.readouterr().out
    assert code == Exit.OK
    assert "reads of what a failover then cuts: a record is read from a primary before" in said
    assert "  found      F31 READ-THEN-CUT: a primary serves what it has stored" in said
    assert "  sound      served, 808 states: primaries serve what a majority holds" in said
    assert "               brokers: b1, b2, b3" in said


def test_the_account_of_places_keeps_to_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["findings", "--places", "--format", "json"])

    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(schema_text("places")))
    assert code == Exit.OK
    assert len(report["places"]) == len(PLACES)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["F2", "--places"], "--places tells all places, and takes no FINDING"),
        (["--places", "--remedies"], "--places tells all places, and takes no FINDING"),
        (["F26", "--remedies", "--out", "x"], "--remedies keeps no counterexamples"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["findings", *words])

    (line,) = capsys.readouterr().err.splitlines()
    assert code == Exit.USAGE
    assert said in line


def only_what_took(_newest: View, held: View, request: Command, reply: CommandReply) -> View:
    """Half of the rule that closes F6 to F8: a refused caller is told nothing."""
    return held if isinstance(reply, Refusal) else vnodes.command(held, request, NOW)[0]


def test_a_refused_frontend_that_is_told_nothing_cannot_write_until_it_refreshes() -> None:
    """[RNG-43] So the smaller rule is no remedy for F6 to F8, though it breaks no law."""
    found = finding_named("F6")
    assert found is not None
    world = bounds_named("batches-raft")
    assert world is not None
    slots = tuple(f"{frontend}.{number}" for frontend, number, _ in world.slots())
    goal = Goal("all", slots, every_batch_is_acknowledged)
    told = replace(remedy_of(found).build("batches-raft"), goals=(goal,), expected_dead=frozenset())
    less = shared_world("batches-raft", world, SharedRules(bring=only_what_took))

    with_it = search(told)
    without = search(replace(less, laws=(), step_laws=(), goals=(goal,)))

    assert [law.name for law in with_it.laws if law.verdict == "broken"] == []
    assert with_it.goals[0].reached
    assert not without.goals[0].reached
