"""Every property is kept by a check of some kind, and the table says which."""

from dataclasses import replace

import pytest

from checker.commands.exits import Exit
from checker.commands.main import run
from checker.lookup import properties
from checker.ties.keeping import Kept, as_text, table


@pytest.fixture(scope="module")
def kept() -> tuple[Kept, ...]:
    """The whole table."""
    return table()


def test_every_property_is_kept(kept: tuple[Kept, ...]) -> None:
    assert [each.name for each in kept] == list(properties())
    assert [hole for each in kept for hole in each.holes()] == []


def test_what_comes_about_in_the_end_is_judged_on_whole_runs(kept: tuple[Kept, ...]) -> None:
    """[ROL-38, ROL-39, RFR-30, RDG-32, RFR-32, ROL-42, RFR-15] However long, once faults stop."""
    inevitable = [each.name for each in kept if "inevitable" in each.kinds]

    assert inevitable == ["P1", "P2", "P3", "P4", "P5", "P6", "P9", "P10"]


def test_a_property_that_loses_its_checks_is_named(kept: tuple[Kept, ...]) -> None:
    first, progress = kept[0], kept[-1]

    assert list(replace(first, by={}).holes()) == ["S1: nothing checks it"]
    assert list(replace(progress, by={"pinned": ("a test",)}).holes()) == [
        "P10: no law and no goal looks at a run, and only tests pin it"
    ]


def test_the_table_names_each_check(kept: tuple[Kept, ...]) -> None:
    """[RDG-4] A hole is stepped over: its replies are pinned by tests alone."""
    (holes,) = (each for each in kept if each.name == "S19")

    assert holes.kinds == ("pinned",)
    assert holes.by["pinned"][0] in as_text([holes])


def test_the_command_shows_what_keeps_a_property(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["spec", "--properties", "p3"]) == Exit.OK
    assert "inevitable f2_leaves_a_stale_head_at_last" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["S99"], "S99 is no property"), (["--format", "json"], "no other form than text")],
)
def test_a_wrong_call_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["spec", "--properties", *arguments]) == Exit.USAGE
    assert said in capsys.readouterr().err
