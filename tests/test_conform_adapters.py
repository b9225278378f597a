"""The adapters that ship: a sample broker with a hash of its own, and skeletons to fill in."""

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import checker.conform.adapters
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.conform.messages import Limits
from checker.conform.operations import Profile
from checker.conform.running import Bench, Result, claim, is_out_of_reach, run_all, run_one
from checker.conform.skeletons import SKELETONS
from checker.conform.suite import shipped, walks
from checker.conform.transports.stdio import Stdio

SAMPLE = Path(checker.conform.adapters.__file__).parent / "sample.py"
PATIENT = ("--start-ms", "120000")
PACKAGES = {"node": "nodejs", "go": "golang-go", "elixir": "elixir", "python3": "python3"}
PROFILES: tuple[Profile, ...] = ("core", "plan", "roll", "reshape")


def test_the_sample_broker_conforms_with_its_own_hash_in_four_profiles() -> None:
    """An implementation that shares no code with the reference, and neither hash nor ranking."""
    limits = Limits(start_ms=120_000, turn_ms=60_000)
    bench = Bench(lambda: Stdio([sys.executable, str(SAMPLE)], limits), limits)
    scenarios = [
        one
        for one in (*shipped(), *walks(PROFILES, 2, 0))
        if set(one.spoken_for) <= set(PROFILES) and not is_out_of_reach(bench.welcome(), one)
    ]

    results = list(run_all(bench, scenarios, "L3", shrink=False))
    bench.close()

    assert [each.scenario.id for each in results if each.outcome != "pass"] == []
    assert claim(results) == "L3 core+plan+roll+reshape"


def changed(text: str, before: str, after: str) -> str:
    """A text with one place written otherwise."""
    assert text.count(before) == 1
    return text.replace(before, after)


def played(sample: str, name: str, folder: Path) -> Result:
    """What becomes of a scenario that ships before a changed sample."""
    adapter = folder / "adapter.py"
    adapter.write_text(sample, "utf-8")
    limits = Limits(start_ms=120_000, turn_ms=60_000)
    bench = Bench(lambda: Stdio([sys.executable, str(adapter)], limits), limits)
    result = run_one(bench, next(each for each in shipped() if each.id == name), "L3", shrink=False)
    bench.close()
    return result


@pytest.mark.parametrize("produce", ["tally", "plan"])
def test_a_sample_that_owes_no_roll_at_the_very_threshold_fails_in_roll(
    produce: str, tmp_path: Path
) -> None:
    """[ROL-11] The tally reaches the threshold where it is equal to it."""
    limit = 'broker.options["segment_max_bytes"]'
    sample = changed(SAMPLE.read_text("utf-8"), f"total < {limit}", f"total <= {limit}")

    result = played(sample, f"roll-a-{produce}-that-reaches-the-threshold", tmp_path)

    assert result.outcome == "fail/state"
    assert result.finding is not None
    assert result.finding.clause == "ROL-11"


def test_a_sample_that_refuses_to_open_by_a_reply_shows_no_state_with_it(tmp_path: Path) -> None:
    raised = "raise ValueError("
    words = '"brokers, replication_factor and segment_max_bytes must not be empty")'
    sample = changed(
        SAMPLE.read_text("utf-8"), f"{raised}{words}", 'return None, error("invalid_argument")'
    )

    assert played(sample, "core-options-outside-their-domain", tmp_path).outcome == "pass"


REFUSING = {
    "python": ('return {"options": args}, OK', 'return None, error("invalid_argument")'),
    "javascript": (
        "[{ options: args }, OK]",
        '[undefined, { tag: "error", value: { tag: "invalid_argument", value: { "#tup": [] } } }]',
    ),
    "go": (
        "return &Broker{options: args}, ok",
        'return nil, tag("error", tag("invalid_argument", Message{"#tup": []any{}}))',
    ),
    "elixir-port": (
        '{%{options: args}, {:tag, "ok", {}}}',
        'args && {nil, {:tag, "error", {:tag, "invalid_argument", {}}}}',
    ),
}
"""How a skeleton opens a broker, and how it refuses to."""
REFUSED = {"tag": "error", "value": {"tag": "invalid_argument", "value": {"#tup": []}}}


@pytest.mark.parametrize("language", REFUSING)
def test_a_skeleton_that_refuses_to_open_by_a_reply_shows_no_state_with_it(
    language: str, tmp_path: Path
) -> None:
    skeleton = SKELETONS[language]
    program, *arguments, name = skeleton.program
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed: apt-get install {PACKAGES[program]}")
    (tmp_path / name).write_text(changed(skeleton.text(), *REFUSING[language]), "utf-8")
    call = {"type": "call", "id": 1, "broker": "a", "op": "open", "args": {}, "now": 0}
    lines = [{**call, "show": True}, {"type": "bye"}]

    done = subprocess.run(
        [program, *arguments, name],
        cwd=tmp_path,
        input="".join(json.dumps(line) + "\n" for line in lines).encode(),
        check=True,
        capture_output=True,
        timeout=120,
    )

    assert json.loads(done.stdout) == {"type": "reply", "id": 1, "value": REFUSED}


@pytest.mark.parametrize("language", ["python", "javascript", "go", "elixir-port"])
def test_a_skeleton_speaks_the_protocol_before_anything_is_filled_in(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, *arguments = SKELETONS[language].program
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed: apt-get install {PACKAGES[program]}")

    written = run(["conform", "init", "--lang", language, str(tmp_path / "new")])
    adapter = tmp_path / "new" / arguments.pop()
    code = run(["conform", "smoke", *PATIENT, "--", program, *arguments, str(adapter)])

    assert (written, code) == (Exit.OK, Exit.OK)
    assert "it speaks protocol 1: 2 calls answered" in capsys.readouterr().out
    assert "FILL IN" in adapter.read_text()


def test_the_skeleton_in_go_is_laid_out_as_its_formatter_does() -> None:
    gofmt = shutil.which("gofmt")
    if gofmt is None:
        pytest.skip("go is not installed: apt-get install golang-go")
    skeleton = Path(checker.conform.adapters.__file__).parent / "skeleton.go.txt"

    done = subprocess.run([gofmt, "-d", str(skeleton)], check=True, capture_output=True, timeout=60)

    assert done.stdout == b""


def test_init_for_elixir_writes_the_adapter_of_a_checkout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its one marked place is where the modules lie, and that has the usual place written in."""
    code = run(["conform", "init", "--lang", "elixir", str(tmp_path)])

    assert code == Exit.OK
    assert "-pa '_build/dev/lib/*/ebin' adapter.exs" in capsys.readouterr().out
    assert "defmodule Conform.Checkout" in (tmp_path / "adapter.exs").read_text("utf-8")
    text = (tmp_path / "malachi-conform.toml").read_text("utf-8")
    settings = tomllib.loads(text)
    assert "FILL IN" in text
    assert settings["program"] == list(SKELETONS["elixir"].program)


def test_init_writes_over_nothing_and_knows_its_languages(tmp_path: Path) -> None:
    first = run(["conform", "init", "--lang", "python", str(tmp_path)])

    assert first == Exit.OK
    assert run(["conform", "init", "--lang", "python", str(tmp_path)]) == Exit.USAGE
    assert run(["conform", "init", "--lang", "cobol", str(tmp_path / "x")]) == Exit.USAGE
