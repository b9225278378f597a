"""What commands refuse, and how little they say of it."""

from pathlib import Path

import pytest

from checker.commands.exits import Exit
from checker.commands.main import run
from checker.conform import suites

LONG = "x" * 5_000
CASE = Path(suites.__file__).parent / "core-a-keyspace-has-1-to-32-bits.toml"


@pytest.mark.parametrize(
    "arguments",
    [
        ("spec", LONG),
        ("spec", "roll" + LONG),
        ("check", LONG),
        ("explain", LONG),
        ("schema", LONG),
        ("run", LONG),
        ("replay", LONG),
        ("prove", LONG),
        ("graph", LONG),
        ("simulate", LONG),
        ("defects", LONG),
        ("findings", LONG),
        ("mutants", LONG),
        ("check", "race", "--memory", LONG),
        ("check", f"--{LONG}"),
        (LONG,),
        ("conform", "run", "--reference", "--profile", LONG),
        ("conform", "run", "--reference", "--exhaustive", LONG),
        ("conform", "run", "--connect", LONG),
        ("conform", "run", "--", f"/{LONG}"),
        ("conform", "init", "--lang", LONG),
        ("conform", "init", "--lang", "python", LONG),
        ("conform", "serve", "--wrong", LONG),
        ("conform", "diff", LONG, LONG),
    ],
)
def test_a_long_name_is_not_repeated_whole(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    assert run(arguments) == Exit.USAGE
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert len(told) < 600


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "race", "--memory", "1G", "--memory", "2G"), "--memory is given 2 times"),
        (("check", "race", "--max-states", "5", "--max-states", "5"), "--max-states is given 2"),
        (("conform", "run", "--seed", "1", "--reference", "--seed=2"), "--seed is given 2 times"),
        (("conform", "run", "-j", "1", "--jobs", "2", "--reference"), "-j is given 2 times"),
        (("spec", "--format", "json", "--format", "text"), "--format is given 2 times"),
    ],
)
def test_a_setting_is_given_once(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert run(arguments) == Exit.USAGE
    assert f"malachi-model: {said}" in capsys.readouterr().err


def test_what_may_be_repeated_is_and_so_is_what_stands_behind_two_dashes() -> None:
    only = ("--only", "core-a-keyspace-*", "--only", "core-a-topic-needs-*")
    program = ("--", "/no/such/program", "--seed", "1", "--seed", "2")

    assert run(["conform", "run", *only, "--reference"]) == Exit.OK
    assert run(["conform", "run", "--tcp", "--tcp", *program]) == Exit.USAGE


def test_a_program_that_is_missing_is_told_and_not_its_repeated_settings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(["conform", "run", "--", "/no/such/program", "--seed", "1", "--seed", "2"])

    assert "'/no/such/program' cannot be started" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["0", "0.0001K", "9" * 400, "0G", "99999999999T"])
def test_a_size_that_no_memory_has_is_refused(
    capsys: pytest.CaptureFixture[str], size: str
) -> None:
    assert run(["check", "race", "--memory", size]) == Exit.USAGE
    assert "is no size: give 1 byte or more, as 800M or 1.5G" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no folder that takes no files")
def test_a_folder_that_takes_no_files_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Who may do anything is told that it may be written."""
    assert run(["check", "race", "--spill", "/proc"]) == Exit.USAGE
    assert "no file can be made in '/proc'" in capsys.readouterr().err


def test_a_case_whose_file_has_its_name_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", str(CASE)]) == Exit.OK

    said = capsys.readouterr().out.splitlines()[0]
    assert said.startswith(f"{CASE}: as expected, ")
    assert said.count(CASE.stem) == 1


def test_files_that_cannot_be_read_are_counted_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("x = ")

    assert run(["run", str(bad)]) == Exit.USAGE
    assert capsys.readouterr().out == "unreadable: 1 file\n"
    assert run(["run", str(bad), str(CASE)]) == Exit.USAGE
    assert capsys.readouterr().out.endswith("\nunreadable: 1 file, beside 1 case\n")
