"""The assumption ledger: each promise, and what the world is worth without it."""

import json
from collections.abc import Hashable
from dataclasses import replace

import jsonschema
import pytest

from checker.commands import assumptions as command
from checker.commands.assumptions import scope_of
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.reports import told
from checker.commands.schema import schema_text
from checker.search.explore import search
from checker.search.model import Goal
from checker.world.assumptions import ASSUMPTIONS, Assumption, assumption_named
from checker.world.copies.mischief import with_duplicates
from checker.world.copies.scopes import defective
from checker.world.scopes import scope_named
from reference.store import Log
from spec.clauses import clause_of
from spec.truth import Acknowledged

RESTED_ON = [each for each in ASSUMPTIONS if each.law is not None]
HELD_ALL_THE_SAME = [each for each in ASSUMPTIONS if each.law is None]
SMALL = 40_000
"""Larger worlds are searched by the command, and not by a test."""


@pytest.mark.parametrize("assumption", RESTED_ON, ids=lambda each: each.name)
def test_a_law_falls_without_an_assumption(assumption: Assumption) -> None:
    trace = search(assumption.build()).trace

    assert trace is not None
    assert (trace.law.name, len(trace.moves)) == (assumption.law, assumption.steps)
    assert trace.moves[-1].label in told(scope_of(assumption), trace, "again")


@pytest.mark.parametrize(
    "assumption",
    [each for each in HELD_ALL_THE_SAME if (each.states or 0) < SMALL],
    ids=lambda each: each.name,
)
def test_no_law_falls_in_a_world_of_the_pinned_size(assumption: Assumption) -> None:
    report = search(assumption.build())

    assert report.trace is None
    assert report.stopped_by is None
    assert report.states == assumption.states


@pytest.mark.parametrize("assumption", ASSUMPTIONS, ids=lambda each: each.name)
def test_an_assumption_rests_on_a_clause_and_names_a_scope(assumption: Assumption) -> None:
    assert clause_of(assumption.clause).sentence
    assert scope_named(assumption.scope) is not None
    assert (assumption.law is None) == (assumption.states is not None)
    assert (assumption.law is None) == (assumption.steps is None)
    assert assumption.clients_see


def test_an_assumption_is_found_by_its_name_and_by_its_title() -> None:
    found = [assumption_named(name) for name in ("a1", "latch-is-durable", "A0")]

    assert [each and each.name for each in found] == ["A1", "A1", None]


def test_the_ledger_is_reported_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["assumptions", "A2", "a3", "--format", "json"])

    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(schema_text("assumptions")))
    assert code == Exit.OK
    assert [(each["name"], each["problem"]) for each in report["assumptions"]] == [
        ("A2", None),
        ("A3", None),
    ]


def test_a_named_assumption_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["assumptions", "PRIMARY-STORES-FIRST"])

    said = capsys.readouterr().out
    assert code == Exit.OK
    assert "Assumed: what a majority holds, the primary holds too (ROL-32)" in said
    assert "Without it: followers that hold a batch count" in said
    assert "3. f1 hears that f1.1 ends at 0" in said
    assert said.splitlines()[-1] == "1 assumption, 1 that a law rests on"


def test_copies_that_refuse_a_batch_are_told_as_refusing_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """[ROL-32] A4: the primary alone has the batch, and its followers are fenced."""
    run(["assumptions", "A4"])

    (line,) = [each for each in capsys.readouterr().out.splitlines() if "reaches s0 at" in each]
    assert "f1.1 reaches s0 at b3 and ends at 0; b1 and b2 refuse it" in line


def test_an_assumption_that_is_worth_something_else_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned = next(each for each in ASSUMPTIONS if each.name == "A3")
    moved = replace(pinned, steps=4)
    monkeypatch.setattr(command, "ASSUMPTIONS", (moved,))

    code = run(["assumptions"])

    assert code == Exit.BROKEN
    assert "A3 is pinned to" in capsys.readouterr().out


def test_an_unknown_assumption_gets_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["assumptions", "A99"])

    assert code == Exit.USAGE
    assert "there is no assumption 'A99'" in capsys.readouterr().err


@pytest.mark.parametrize("is_heard", [True, False])
def test_a_batch_that_comes_twice_is_stored_twice_whichever_answer_is_heard(
    *, is_heard: bool
) -> None:
    """[ROL-31] A14 hears the first answer before the second batch comes, or the second alone."""

    def reached(slot: Hashable, copy: Hashable) -> bool:
        stored = copy.records if isinstance(copy, Log) else ()
        first = isinstance(slot, Acknowledged) and slot.first == 0
        return len(stored) > 1 and isinstance(slot, Acknowledged) and first == is_heard

    model = with_duplicates(defective("failover:batches=1+0,faults=0"))
    goal = Goal("twice", ("f1.1", "b1.s0"), reached)

    report = search(replace(model, goals=(goal,), expected_dead=frozenset()))

    assert report.trace is None
    assert report.goals[0].reached
