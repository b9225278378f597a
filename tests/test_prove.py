"""What is proved for every integer, what is refuted with numbers, and what the command says."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from pathlib import Path
from queue import SimpleQueue
from subprocess import PIPE
from typing import TYPE_CHECKING, Any, cast

import jsonschema
import pytest

from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.schema import schema_text
from checker.prove.casting import CASTS, IDLE
from checker.prove.claims import Claim, claim
from checker.prove.drawing import Draw
from checker.prove.keeping import keep, kept
from checker.prove.known import law_names
from checker.prove.late import Glimpse
from checker.prove.named import has_rules, rules_of
from checker.prove.obligations import CUT, obligations
from checker.prove.proving import Stage, Taken, again, model_for, work
from checker.prove.running import Worker, ended, run_all
from checker.prove.strength import KNOWN, REFUTED
from checker.prove.tasks import Asked, Plain
from checker.world.defects import DEFECTS
from checker.world.sharing.rules import REFERENCE
from checker.world.sharing.sight import seen_by
from spec.truth import Seen

if TYPE_CHECKING:
    from reference.frontend import Frontend


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be kept from test to test."""
    monkeypatch.setenv("MALACHI_MODEL_CACHE", str(tmp_path))


def report_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, Any]:
    code = run(["prove", *arguments, "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(schema_text("prove")))
    return code, report


def test_every_law_is_proved_and_again_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    """[ROL-4, PRD-27, ROL-35] For a range of one segment, so that the test is short."""
    code, report = report_of(["--segments", "1"], capsys)
    started = time.perf_counter()
    _, kept = report_of(["--segments", "1"], capsys)
    run(["prove", "a_requested_roll_is_owed", "--segments", "1"])
    table = capsys.readouterr().out

    assert code == Exit.OK
    assert report["verdict"] == "proved"
    assert {law["law"] for step in report["steps"] for law in step["laws"]} == set(law_names())
    assert kept == report
    assert time.perf_counter() - started < 10
    assert "a_requested_roll_is_owed  ROL-15 proved" in table
    drawing = sum(step["drawing"] for step in report["steps"])
    assert 0 < drawing < sum(step["seconds"] for step in report["steps"])
    assert f"time: {drawing:,.1f} s to draw shapes and take steps, once for all laws; " in table
    assert "f1 sweeps" in table
    assert "bound: at most 1 segment;" in table
    assert all(f"CUT: {what}" in table for what in CUT)


def test_every_law_is_listed_with_who_judges_it(capsys: pytest.CaptureFixture[str]) -> None:
    run(["prove", "--list"])
    lines = capsys.readouterr().out.splitlines()
    run(["prove", "--list", "--format", "json"])
    report = json.loads(capsys.readouterr().out)

    jsonschema.validate(report, json.loads(schema_text("laws")))
    found = {law["law"]: law for law in report["laws"]}
    assert {name for name, law in found.items() if law["is_proved"]} == set(law_names())
    assert {name for name, law in found.items() if law["scopes"]} >= {"a_requested_roll_is_owed"}
    assert len(lines) == len(found) + 1
    said = {line.split()[0]: line for line in lines}
    assert "  ROL-15  proved, searched in " in said["a_requested_roll_is_owed"]
    assert said["no_offset_is_acknowledged_twice"].endswith("  proved")
    assert said["what_the_membership_says_is_taken_over"].endswith("  searched in 1 scope")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--list", "a_requested_roll_is_owned"], "did you mean a_requested_roll_is_owed"),
        (["a_requested_roll_is_owned"], "did you mean a_requested_roll_is_owed"),
        (["--segments", "0"], "0"),
        (["--timeout", "0"], "more than 0"),
        (["--defect", "D999"], "no defect"),
        (["--defect", "D61"], "changes nothing that is proved"),
    ],
)
def test_what_cannot_be_asked_for_is_told(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["prove", *arguments])

    assert code == Exit.USAGE
    assert message in capsys.readouterr().err


def test_every_rule_of_the_world_is_proved_or_idle_for_a_reason() -> None:
    rules = {step.rule_name for step in model_for(REFERENCE, 1).steps}

    assert rules == set(CASTS) | set(IDLE)


@pytest.mark.parametrize("defect", REFUTED)
def test_a_defect_is_refuted_by_a_step_that_can_be_taken_again(defect: str) -> None:
    """On plain integers, by the same functions."""
    step, law, segments = REFUTED[defect]
    stage = obligations(rules_of(defect), segments)[step]
    judged = work(step, stage, {law}.__contains__).laws[law]
    assert judged.refuted is not None

    taken = again(stage, judged.refuted, law)

    assert taken.label


def test_every_defect_of_what_is_proved_is_refuted() -> None:
    assert {defect.name for defect in DEFECTS if has_rules(defect.name)} == set(KNOWN)


def stage_with(stage: Stage, more: Callable[[Taken], Claim]) -> Stage:
    """The same step, with one thing claimed of it."""

    def longer(draw: Draw) -> Iterable[Taken]:
        for taken in stage(draw):
            yield replace(taken, claims=(more(taken),))

    return longer


def counter_below(bound: int) -> Callable[[Taken], Claim]:
    """A law that holds on small numbers only."""

    def claimed(taken: Taken) -> Claim:
        front = cast("Frontend", taken.after["f1"])

        def the_counter_is_small() -> bool:
            """[ROL-44] It is not."""
            return cast("Seen", Glimpse(front)).next_offset < bound

        return claim(the_counter_is_small)

    return claimed


@pytest.mark.parametrize("bound", [1, 1_000_000, 1 << 40])
def test_a_law_that_holds_on_small_numbers_only_is_refuted(bound: int) -> None:
    stage = stage_with(obligations(REFERENCE, 1)["f1.1 is answered"], counter_below(bound))

    judged = work("it", stage).laws["the_counter_is_small"]

    assert judged.refuted is not None
    assert again(stage, judged.refuted, "the_counter_is_small").label


def test_a_process_that_is_killed_leaves_its_step_unknown() -> None:
    results: SimpleQueue[Plain] = SimpleQueue()
    worker = Worker(deque(["f1.1 is planned"]), Asked(3), None, results)

    worker.start()
    while worker.process is None:
        time.sleep(0.01)
    os.kill(worker.process.pid, signal.SIGKILL)

    assert results.get(timeout=60)["unknown"] == "the process that worked on it ended"


@pytest.mark.usefixtures("as_in_the_foreground")
def test_an_interrupt_ends_all_processes_in_one_line() -> None:
    command = [sys.executable, "-m", "checker", "prove", "--fresh"]
    with subprocess.Popen(
        command, stdout=PIPE, stderr=PIPE, text=True, start_new_session=True
    ) as process:
        tasks = Path(f"/proc/{process.pid}/task")
        while not any(each.read_text("utf-8") for each in tasks.glob("*/children")):
            time.sleep(0.1)
        # As a terminal does it, to the whole group, while the processes are being started.
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)

    assert process.returncode == Exit.UNFINISHED
    assert out == ""
    assert err == "malachi-model: interrupted before there was anything to report\n"


def test_what_is_not_decided_in_time_is_no_proof(capsys: pytest.CaptureFixture[str]) -> None:
    code, report = report_of(["--segments", "1", "--timeout", "0.001"], capsys)

    assert code == Exit.UNDETERMINED
    assert report["verdict"] == "unknown"
    assert {"the time is used up"} <= {step["unknown"] for step in report["steps"]}


@pytest.mark.parametrize("text", ["", "{}", "[]", "[" * 200_000, "null", "0\n{}"])
def test_a_damaged_file_is_not_taken_for_a_proof(text: str, tmp_path: Path) -> None:
    asked = Asked(1)
    result: Plain = {"step": "x", "unknown": None, "laws": []}
    keep("x", asked, None, result)
    (file,) = tmp_path.rglob("*.json")
    assert kept("x", asked, None) == result

    file.write_text(text)

    assert kept("x", asked, None) is None


def test_a_worker_is_not_taken_from_the_folder_it_is_started_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    found: list[Plain] = []
    name = next(iter(obligations(REFERENCE, 1)))

    run_all([name], Asked(1), None, 1, found.append)

    assert [each["unknown"] for each in found] == [None]


def test_a_worker_that_cannot_be_started_leaves_its_step_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Worker, "command", lambda _worker: ["/no/such/program"])
    found: list[Plain] = []

    run_all(["a", "b"], Asked(1), None, 1, found.append)

    assert all("no process could be started for it" in str(each["unknown"]) for each in found)
    assert len(found) == 2


def test_what_is_not_decided_is_not_kept() -> None:
    asked = Asked(1)

    keep("f1 sweeps", asked, None, ended("f1 sweeps"))

    assert kept("f1 sweeps", asked, None) is None


def test_a_law_sees_the_same_field_by_field_as_at_once() -> None:
    front = cast("Frontend", model_for(REFERENCE, 1).initial["f1"])

    whole, glimpse = seen_by(front), cast("Seen", Glimpse(front))

    assert glimpse == whole
    assert replace(glimpse, counter=None) == whole
    assert all(getattr(glimpse, each.name) == getattr(whole, each.name) for each in fields(Seen))
    assert glimpse.next_offset == whole.next_offset
