"""`simulate`, and what `check` looks at more closely: the audit, all shortest traces, progress."""

import json
from dataclasses import replace

import jsonschema
import pytest

from checker.commands import check as check_command
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.schema import schema_text
from checker.models.fencecore import fencecore
from checker.models.toys import diners, locked_box, relay
from checker.search.model import Model, Outcome, Step
from checker.world.kinds import Scope
from tests.search_models import below, counters


def stands_for(monkeypatch: pytest.MonkeyPatch, model: Model) -> None:
    """Let every scope name stand for one model."""
    scope = Scope("toy", "a toy", lambda: model)
    monkeypatch.setattr(check_command, "scope_named", lambda _: scope)


def said_as_json(command: str, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    """What a command has written, if it keeps to its schema."""
    written = json.loads(capsys.readouterr().out)
    jsonschema.validate(written, json.loads(schema_text(command)))
    assert isinstance(written, dict)
    return written


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (relay(losses=None), "And for ever:"),
        (replace(relay(1), fair=frozenset()), "the world may stay so for ever"),
        (locked_box(), "From here no way leads to it any more."),
        (diners(), "From here no step leads on."),
    ],
    ids=["lasso", "unfair", "lost", "stuck"],
)
def test_what_is_not_reached_as_the_model_says_exits_1(
    model: Model,
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stands_for(monkeypatch, model)

    code = run(["check", "toy"])

    assert code == Exit.BROKEN
    assert said in capsys.readouterr().out


def test_a_lasso_is_shown_in_the_json_with_the_place_where_it_begins(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stands_for(monkeypatch, relay(losses=None))

    code = run(["check", "toy", "--format", "json"])

    report = said_as_json("check", capsys)
    assert code == Exit.BROKEN
    assert report["scopes"][0]["trace"]["loop"] == 0  # type: ignore[index] # the schema has it


def test_an_audit_that_finds_nothing_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["check", "fencecore-2-1-1", "--audit"])

    assert code == Exit.OK
    assert "audit: every rule and law is what the search takes it for" in capsys.readouterr().out


def counting_model() -> Model:
    """Answer a model one rule of which assigns outside of itself, and yet answers the same."""
    calls = 0

    def rule(left: int) -> list[Outcome]:
        nonlocal calls
        calls += 1
        return [Outcome("as before", (left,))]

    return counters(steps=(*counters().steps, Step("s", "r", ("left",), ("left",), rule)))


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_complaint_of_the_audit_exits_1(
    form: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stands_for(monkeypatch, counting_model())

    code = run(["check", "toy", "--audit", "--format", form])

    said = capsys.readouterr().out
    assert code == Exit.BROKEN
    assert "step s assigns to calls, which lies outside of it" in said
    if form == "json":
        jsonschema.validate(json.loads(said), json.loads(schema_text("check")))


def test_all_shortest_counterexamples_are_told_where_they_are_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    law = replace(below(9), reads=("left", "right"), holds=lambda left, right: left + right < 2)
    stands_for(monkeypatch, counters(laws=(law,)))

    text_code = run(["check", "toy", "--all-shortest", "3"])
    text = capsys.readouterr().out
    run(["check", "toy", "--all-shortest", "9", "--format", "json"])
    report = said_as_json("check", capsys)

    assert text_code == Exit.BROKEN
    assert "shortest counterexample 3 of 3:" in text
    assert text.count("This breaks below_9") == 3
    assert len(report["scopes"][0]["traces"]) == 4  # type: ignore[index] # the schema has it


def test_walks_that_break_nothing_say_that_this_proves_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run(["simulate", "roll", "--walks", "3", "--steps", "20"])

    said = capsys.readouterr()
    assert code == Exit.OK
    assert "roll: unbroken, 3 walks, " in said.out
    assert "This proves nothing" in said.out
    assert not said.err


def test_a_walk_that_breaks_a_law_exits_1_and_says_how_to_walk_it_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stands_for(monkeypatch, fencecore(2, 2, 2, has_defect=True))

    code = run(["simulate", "toy", "--seed", "7"])

    said = capsys.readouterr().out
    assert code == Exit.BROKEN
    assert "toy: broken" in said
    assert said.endswith("malachi-model simulate toy --walks 100 --steps 1000 --seed 7\n")


@pytest.mark.parametrize("model", [counters(most=9, laws=(below(5),)), counters()])
def test_walks_write_one_json_object_that_keeps_to_its_schema(
    model: Model, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stands_for(monkeypatch, model)

    code = run(["simulate", "toy", "--walks", "9", "--format", "json"])

    report = said_as_json("simulate", capsys)
    assert (code == Exit.BROKEN) == (report["verdict"] == "broken") == ("trace" in report)


def test_walks_that_the_clock_stops_are_unfinished(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["simulate", "fencecore-2-1-1", "--walks", "1000000", "--max-seconds", "0.05"])

    assert code == Exit.UNFINISHED
    assert "stopped by max_seconds" in capsys.readouterr().out


def test_a_scope_that_nobody_knows_cannot_be_walked(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["simulate", "rol"])

    assert code == Exit.USAGE
    assert "there is no scope 'rol'" in capsys.readouterr().err
