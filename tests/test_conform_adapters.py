"""The adapters that ship: a sample broker with a hash of its own, and skeletons to fill in."""

import shutil
import sys
from pathlib import Path

import pytest

import checker.conform.adapters
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.conform.messages import Limits
from checker.conform.operations import Profile
from checker.conform.running import Bench, claim, is_out_of_reach, run_all
from checker.conform.suite import shipped, walks
from checker.conform.transports.stdio import Stdio

SAMPLE = Path(checker.conform.adapters.__file__).parent / "sample.py"
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


@pytest.mark.parametrize(
    ("language", "program"), [("python", sys.executable), ("javascript", "node")]
)
def test_a_skeleton_speaks_the_protocol_before_anything_is_filled_in(
    language: str, program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")

    written = run(["conform", "init", "--lang", language, str(tmp_path / "new")])
    adapter = next(each for each in (tmp_path / "new").iterdir() if each.stem == "adapter")
    code = run(["conform", "smoke", "--", program, str(adapter)])

    assert (written, code) == (Exit.OK, Exit.OK)
    assert "it speaks protocol 1: 2 calls answered" in capsys.readouterr().out
    assert "FILL IN" in adapter.read_text()


def test_init_writes_over_nothing_and_knows_its_languages(tmp_path: Path) -> None:
    first = run(["conform", "init", "--lang", "python", str(tmp_path)])

    assert first == Exit.OK
    assert run(["conform", "init", "--lang", "python", str(tmp_path)]) == Exit.USAGE
    assert run(["conform", "init", "--lang", "cobol", str(tmp_path / "x")]) == Exit.USAGE
