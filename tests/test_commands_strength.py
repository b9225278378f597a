"""Which defects the search alone catches, the prover alone, or both."""

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from checker.commands import defects as command
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.pinned import Caught
from checker.commands.schema import schema_text
from checker.commands.strength import Compared
from checker.prove import strength
from checker.prove.strength import REFUTED
from checker.world.defects import DEFECTS
from checker.world.kinds import Defect

D09 = next(each for each in DEFECTS if each.name == "D09")
D34 = next(each for each in DEFECTS if each.name == "D34")
OTHER = next(each for each in DEFECTS if each.name == "D61")


def report_of(names: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, Any]:
    code = run(["defects", *names, "--strength", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(schema_text("defects")))
    return code, report


def test_what_both_catch_and_what_only_the_search_does_stand_in_one_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """[ROL-6] With the law of each, and the reason where the prover does not look."""
    code = run(["defects", "D09", "D61", "--strength"])
    out = capsys.readouterr().out

    assert code == Exit.OK
    assert f"prover: {REFUTED['D09'].law} at f1/s0 is recorded" in out
    assert "prover: it changes nothing that is proved" in out
    assert "2 defects: 1 both, 1 search only, 0 prover only, 0 neither" in out


def test_the_same_is_told_to_machines(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = report_of(["D09"], capsys)

    assert code == Exit.OK
    assert report["strength"] == [
        {
            "name": "D09",
            "caught": "both",
            "step": "f1/s0 is recorded",
            "law": REFUTED["D09"].law,
        }
    ]


def test_a_defect_of_pages_is_refuted_in_the_obligation_that_is_named() -> None:
    assert strength.refuted("D59") == strength.KNOWN["D59"]


def test_a_defect_that_is_refuted_no_more_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = REFUTED["D09"]._replace(law="a_latch_names_the_end_of_its_log")
    monkeypatch.setitem(strength.REFUTED, "D09", other)

    code = run(["defects", "D09", "--strength"])

    assert code == Exit.BROKEN
    assert "NOT REFUTED any more" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("defect", "is_caught", "is_refuted", "expected"),
    [
        (D09, True, True, "both"),
        (D09, False, True, "prover only"),
        (D34, True, False, "search only"),
        (OTHER, False, False, "neither"),
    ],
)
def test_who_catches_a_defect_is_one_of_four(
    defect: Defect, is_caught: bool, is_refuted: bool, expected: str
) -> None:
    pin = command.pin_of(defect)
    caught = Caught(pin, defect.caught_by if is_caught else None, defect.steps)

    found = Compared(caught, REFUTED["D09"] if is_refuted else None)

    assert found.strength == expected
    assert found.words
    assert replace(found, refutation=None).as_json()["step"] is None
