"""The pytest plugin: scenarios as items, and nothing at all for whoever does not ask."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from checker.commands.main import run
from checker.conform.plugin import judging
from tests.conforming import SERVE

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parent.parent
HOSTILE = Path(__file__).parent / "hostile_adapter.py"
WRONG = [*SERVE, "--wrong", "D09"]
CONFIG = "malachi-conform.toml"
PLUGIN = ("-p", "checker.conform.plugin", "-p", "no:cacheprovider")
LOADED = judging.__name__
"""Loaded before any run, so that the runs share what it imports."""
ONE, OTHER = "roll-the-counter-is-set-back", "roll-a-range-owes-one-roll"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adapters find the package, and a report is not coloured."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("NO_COLOR", "1")


def configured(pytester: pytest.Pytester, program: list[str], *only: str, more: str = "") -> None:
    """A configuration file; a machine that is busy may take its time."""
    lines = (
        f"program = {json.dumps(program)}",
        f"only = {json.dumps(only)}",
        "walks = 0\nstart_ms = 120000\nturn_ms = 60000",
        more,
    )
    (pytester.path / CONFIG).write_text("\n".join(lines))


def asked(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest in this process."""
    return pytester.runpytest_inprocess(*PLUGIN, *arguments)


def test_whoever_names_no_adapter_gets_no_items_and_loads_nothing(
    pytester: pytest.Pytester,
) -> None:
    configured(pytester, ["/no/such/program"], ONE)
    pytester.makepyfile(
        "import sys\ndef test_it(request):\n"
        "    manager = request.config.pluginmanager\n"
        "    assert manager.hasplugin('checker.conform.plugin')\n"
        f"    assert not manager.hasplugin('{LOADED}')\n"
    )

    asked(pytester).assert_outcomes(passed=1)

    program = "import sys, checker.conform.plugin\nprint([*sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert b"checker.conform.plugin'" in loaded.stdout
    assert not {b"'reference'", b"'spec'", b"'click'", b"'checker.conform.running'"} & {
        each.strip(b" []\n") for each in loaded.stdout.split(b",")
    }


def test_the_scenarios_of_a_file_are_items_with_their_claim(pytester: pytest.Pytester) -> None:
    configured(pytester, SERVE, "plan-*", ONE)

    whole = asked(pytester, CONFIG)

    whole.assert_outcomes(passed=10)
    whole.stdout.fnmatch_lines(
        ["malachi-model reference, judged at L3; claim: L3 plan+roll (of a selection: 10 of *)"]
    )
    some = asked(pytester, CONFIG, "-k", "ROL-6 or gap", "--collect-only", "-q")
    assert some.outlines[:2] == [f"{CONFIG}::{each}" for each in ("plan-a-plan-over-a-gap", ONE)]
    one = asked(pytester, f"{CONFIG}::{ONE}", "--collect-only", "-q")
    assert one.outlines[0] == f"{CONFIG}::{ONE}"
    listed = asked(pytester, "--conform-config", CONFIG, "--collect-only", "-q")
    assert len([each for each in listed.outlines if each.startswith(f"{CONFIG}::")]) == 10


def test_a_failure_is_told_as_the_terminal_report_tells_it(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    configured(pytester, WRONG, ONE)

    failed = asked(pytester, CONFIG)

    failed.assert_outcomes(failed=1)
    capsys.readouterr()
    run(["conform", "run", "--config", CONFIG])
    report = capsys.readouterr().out.split("\nwrong broker")[0]
    assert f"{ONE}: fail/state" in report
    assert "See it again: malachi-model conform run --only" in report
    assert report in failed.stdout.str()


def test_a_run_stops_at_the_first_failure_and_runs_the_last_ones_again(
    pytester: pytest.Pytester,
) -> None:
    configured(pytester, WRONG, OTHER, ONE, "roll-a-conflict-converges")
    keeping = ("-p", "checker.conform.plugin", CONFIG)

    stopped = pytester.runpytest_inprocess(*keeping, "-x")
    again = pytester.runpytest_inprocess(*keeping, "--lf")

    assert stopped.parseoutcomes()["failed"] == 1
    assert sum(stopped.parseoutcomes().values()) < 3
    assert again.parseoutcomes()["failed"] == 1
    assert "passed" not in again.parseoutcomes()


def test_several_processes_share_the_scenarios(pytester: pytest.Pytester) -> None:
    configured(pytester, WRONG, OTHER, ONE)

    shared = pytester.runpytest_subprocess("-p", "checker.conform.plugin", "-n", "2", CONFIG)

    shared.assert_outcomes(passed=1, failed=1)
    shared.stdout.fnmatch_lines(["wrong broker D09*; claim: L0 roll (of a selection: 2 of *)"])


def test_an_adapter_of_the_ini_file_needs_no_configuration(pytester: pytest.Pytester) -> None:
    pytester.makeini(f"[pytest]\nconform_adapter = {shlex.join(SERVE)}\n")
    pytester.makepyfile("def test_mine(): pass")

    found = asked(pytester, "-k", f"{OTHER} or mine", "-v")

    assert found.parseoutcomes()["passed"] == 2
    found.stdout.fnmatch_lines([f"conform::{OTHER} PASSED*"])


def test_an_adapter_that_is_named_stands_before_the_one_of_the_file(
    pytester: pytest.Pytester,
) -> None:
    configured(pytester, WRONG, ONE)

    asked(pytester, "--conform-adapter", shlex.join(SERVE)).assert_outcomes(passed=1)


KNOWN = """
[[known]]
id = "{id}"
signature = "{signature}"
reason = "raises"
issue = "12"
until = {until}
"""


def test_a_known_failure_is_expected_to_fail_and_strict_both_ways(
    pytester: pytest.Pytester,
) -> None:
    signature = "fail/state record_seal state.offsets"
    entries = (
        {"id": ONE, "signature": signature, "until": "2999-01-01"},
        {"id": "roll-a-conflict-converges", "signature": signature, "until": "2020-01-01"},
        {"id": "roll-what-a-seal-moves", "signature": "fail/reply read", "until": "2999-01-01"},
        {"id": OTHER, "signature": signature, "until": "2999-01-01"},
    )
    (pytester.path / "known.toml").write_text("".join(KNOWN.format(**each) for each in entries))
    configured(pytester, WRONG, *(each["id"] for each in entries), more='known = "known.toml"')

    found = asked(pytester, CONFIG, "-rx")

    assert found.parseoutcomes() == {"xfailed": 1, "failed": 3}
    said = found.stdout.str()
    assert f"XFAIL {CONFIG}::{ONE} - known: raises (12)" in said
    assert "was to be put up with until 2020-01-01 only" in said
    assert f"fails otherwise than known: {signature}" in said
    assert f"{OTHER}: passes, and is listed as a known failure" in said


@pytest.mark.parametrize(
    ("arguments", "more", "said"),
    [
        ((CONFIG,), "", "'/no/such/program' cannot be started: there is no such program"),
        (("--conform-adapter", "'"), "", "the adapter's command \"'\" cannot be read"),
        (("--conform-config", "none.toml"), "", "none.toml cannot be read: "),
        ((CONFIG,), "colour = 1", "there is no setting 'colour'"),
        (
            (CONFIG,),
            f"x = {'[' * 5_000}",
            f"{CONFIG} cannot be read: its values are nested too deep",
        ),
        ((CONFIG,), 'level = "L9"', "level is 'L9', and not one of L0, L1, L2, L3"),
        ((CONFIG,), 'connect = "localhost:1"', "name a program to start, or --connect"),
        ((CONFIG,), 'profiles = ["heal"]', f"no scenario is selected by heal, {ONE}"),
        ((CONFIG,), 'known = "none.toml"', "none.toml cannot be read: "),
    ],
)
def test_what_cannot_be_judged_is_a_usage_error_before_anything_runs(
    pytester: pytest.Pytester, arguments: tuple[str, ...], more: str, said: str
) -> None:
    configured(pytester, ["/no/such/program"], ONE, more=more)

    ended = asked(pytester, *arguments)

    assert ended.ret == pytest.ExitCode.USAGE_ERROR
    assert said in ended.stderr.str().partition("ERROR: conform: ")[2]


def test_nothing_left_to_run_ends_as_pytest_ends_it(pytester: pytest.Pytester) -> None:
    configured(pytester, SERVE, ONE)

    assert asked(pytester, CONFIG, "-k", "nothing").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_program_that_is_no_adapter_fails_each_item_in_one_line(
    pytester: pytest.Pytester,
) -> None:
    configured(pytester, [sys.executable, "-c", "exit('not me')"], ONE, OTHER)

    failed = asked(pytester, CONFIG)

    failed.assert_outcomes(failed=2)
    said = "error/exit: the adapter ended with exit code 1, after it wrote 'not me'"
    assert failed.stdout.str().count(f"\n{said}\n") == 2


def test_what_an_adapter_lacks_is_no_pass(pytester: pytest.Pytester) -> None:
    configured(pytester, [sys.executable, str(HOSTILE), "wrong_id"], "core-a-read-outside")

    failed = asked(pytester, CONFIG)

    failed.assert_outcomes(failed=1)
    failed.stdout.fnmatch_lines(["  it does not have produce, read"])
