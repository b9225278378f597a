"""`malachi-model check --data symbolic`: what it prints, what it refuses, how it exits."""

import json
from dataclasses import replace
from functools import partial

import jsonschema
import pytest

from checker.commands import check as check_command
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.schema import schema_text
from checker.world.kinds import Level, Scope
from checker.world.scopes import scope_named
from checker.world.sharing.glance import glance
from checker.world.sharing.mutations import adopt_sets
from checker.world.sharing.rules import Rules
from checker.world.sharing.scopes import defective

SMALL = "recovery:faults=0,refreshes=0+0,segments=1"
SYMBOLIC = ["check", "--data", "symbolic"]


def test_a_scope_holds_for_all_integers_and_says_how_many_states_stand_for_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run([*SYMBOLIC, SMALL])

    said = capsys.readouterr().out
    assert code == Exit.OK
    assert f"{SMALL}: holds for all batches and bytes, " in said
    assert "symbolic states" in said
    assert "the bound segments: at most 1" in said
    assert "each of any number of records from 1 on" in said


def test_the_json_keeps_to_the_schema_of_check(capsys: pytest.CaptureFixture[str]) -> None:
    code = run([*SYMBOLIC, SMALL, "--format", "json"])

    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(schema_text("check")))
    assert code == Exit.OK
    assert report["data"] == "symbolic"
    assert report["scopes"][0]["engine"] == "symbolic"
    assert report["scopes"][0]["symbolic"]["shapes"] > 0


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("settling", "graph of its plain states"),
        ("read", "made of single records"),
        ("split", "told apart by their keys"),
        ("journal", "nothing is produced in it"),
        ("fencecore-2-1-1", "a model of its own"),
    ],
)
def test_a_scope_that_is_not_offered_is_refused_with_its_reason(
    name: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run([*SYMBOLIC, name])

    said = capsys.readouterr().err
    assert code == Exit.USAGE
    assert said.count("\n") == 1
    assert f"{name} is not searched with --data symbolic: " in said
    assert reason in said


def test_a_bare_search_takes_what_is_offered_and_lists_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [scope_named(name) for name in (SMALL, "settling", "split", "merge")]
    scopes = tuple(replace(each, level=Level.QUICK) for each in found if each is not None)
    monkeypatch.setattr(check_command, "SCOPES", scopes)

    code = run(SYMBOLIC)

    said = capsys.readouterr().out
    assert code == Exit.OK
    assert "not offered: settling: what it comes to" in said
    assert "not offered: split, merge: its records" in said
    assert "holds: 1 scope" in said


def test_a_broken_law_comes_with_numbers_and_a_story(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """[PRD-23] The defect D19, told with the least numbers that show it."""
    build = partial(defective, "batches", Rules(adopt_answer=adopt_sets))
    scope = Scope("batches", "with a defect", build, show=glance)
    monkeypatch.setattr(check_command, "scope_named", lambda _: scope)

    code = run([*SYMBOLIC, "batches", "--format", "text"])

    said = capsys.readouterr().out
    assert code == Exit.BROKEN
    assert "with f1.1.bytes = 55, f1.1.records = 1, f1.2.bytes = 55," in said
    assert "s0 at its primary: nothing -> f1.1 (1 record) from 0" in said
    assert "This breaks an_answer_only_raises_the_counter [PRD-23]" in said
    assert "See it again: malachi-model check --data symbolic batches" in said


@pytest.mark.parametrize("budget", [["--max-states", "50"], ["--memory", "1M"]])
def test_a_budget_that_is_used_up_exits_4(
    budget: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = run([*SYMBOLIC, SMALL, *budget])

    assert code == Exit.UNFINISHED
    assert "what was searched holds, the rest is open" in capsys.readouterr().out


@pytest.mark.parametrize(
    "option", [["--audit"], ["--symmetry"], ["--reduction"], ["--all-shortest", "2"]]
)
def test_an_option_that_means_nothing_here_is_refused(
    option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = run([*SYMBOLIC, SMALL, *option])

    assert code == Exit.USAGE
    assert f"{option[0]} and --data symbolic do not go together" in capsys.readouterr().err
