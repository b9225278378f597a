"""`scopes`: what is listed of each world, and in which words its bounds are told."""

import json
import re

import jsonschema
import pytest

from checker.commands.main import run
from checker.commands.schema import schema_text
from checker.symbolic.offered import refusal
from checker.world.kinds import Scope
from checker.world.scopes import SCOPES, scope_named


def test_a_scope_is_marked_with_the_options_that_it_goes_with(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(["scopes"])
    lines = capsys.readouterr().out.splitlines()
    run(["scopes", "--format", "json"])
    report = json.loads(capsys.readouterr().out)

    jsonschema.validate(report, json.loads(schema_text("scopes")))
    marks = {scope.name: line[:2] for scope, line in zip(SCOPES, lines, strict=False)}
    assert (marks["roll"], marks["roll:faults=2"], marks["read"]) == ("*d", "+d", "* ")
    assert marks["fencecore-2-1-1"] == " s"
    found = {scope["name"]: scope for scope in report["scopes"]}
    assert found["fencecore-2-1-1"]["symmetries"] == ["f0 and f1 change places"]
    assert [each.name for each in SCOPES if refusal(each) is None] == [
        name for name, scope in found.items() if scope["symbolic"]
    ]


OTHERS = ("fencecore-1-1-1", "fencecore-2-1-2", "split:tries=1", "read:faults=1")
BOUNDED = (*SCOPES, *filter(None, map(scope_named, OTHERS)))


@pytest.mark.parametrize("scope", BOUNDED, ids=lambda scope: scope.name)
def test_every_bound_is_told_to_its_end_and_counts_in_words_that_fit(scope: Scope) -> None:
    for text in scope.build().bounds.values():
        assert re.search(r"[\w)\]]$", text), text
        assert not re.search(r"\b(for|of|at most|with|through)$", text), text
        assert not re.search(r"(?<!or )\b1 (?:\w+s|tries)\b", text), text
