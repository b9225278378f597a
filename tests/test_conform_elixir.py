"""The adapter in Elixir, against a small broker in Elixir that was written from the clauses."""

import shutil
import subprocess
from pathlib import Path

import pytest

import checker.conform.adapters
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.conform.calls.table import OPERATIONS
from checker.conform.suite import shipped

ADAPTER = Path(checker.conform.adapters.__file__).parent / "malachi.exs"
BROKER = Path(__file__).parent / "elixir" / "malachi"
WHOLE = "L3 core+plan+roll+reshape+history+heal+recover+cache+policy"
ELIXIRC = shutil.which("elixirc")
MIX = shutil.which("mix") or "mix"
PATIENT = ("--start-ms", "120000", "--turn-ms", "60000")

pytestmark = pytest.mark.skipif(
    ELIXIRC is None, reason="elixir is not installed: apt-get install elixir"
)


def compiled(into: Path, *sources: Path) -> Path:
    """A folder with the modules of sources, beside those that are there already."""
    into.mkdir(exist_ok=True)
    command = [ELIXIRC or "elixirc", "--ignore-module-conflict", "-pa", str(into), "-o", str(into)]
    subprocess.run([*command, *map(str, sources)], check=True, timeout=300)
    return into


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled broker."""
    return compiled(tmp_path_factory.mktemp("ebin"), *sorted(BROKER.glob("*.ex")))


@pytest.fixture(scope="module")
def faulty(modules: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with a seal that only raises the counter, and with less to see.

    It has no record_fence, and its merged view leaves out which topics are being moved.
    """
    folder = tmp_path_factory.mktemp("faulty")
    rolling = folder / "rolling.ex"
    put, raised = "Map.put(broker.offsets", "Producing.raise_to(broker.offsets"
    rolling.write_text(changed("rolling.ex", put, raised), "utf-8")
    broker = folder / "broker.ex"
    line = "  defdelegate record_fence(broker, roll, end_offset, size, at), to: Rolling\n"
    broker.write_text(changed("broker.ex", line, ""), "utf-8")
    views = folder / "dsrsm.ex"
    marks = "MapSet.union(all.migrating, one.migrating)"
    views.write_text(changed("dsrsm.ex", marks, "all.migrating"), "utf-8")
    shutil.copytree(modules, folder / "ebin")
    return compiled(folder / "ebin", rolling, broker, views)


def changed(file: str, before: str, after: str) -> str:
    """A file of the broker with one place written otherwise."""
    text = (BROKER / file).read_text("utf-8")
    assert text.count(before) == 1
    return text.replace(before, after)


def program_of(modules: Path) -> list[str]:
    """The adapter on these modules."""
    return ["elixir", "--erl", "-noinput", "-pa", str(modules), str(ADAPTER)]


def judged(modules: Path, *options: str) -> int:
    """Run scenarios against the adapter on these modules."""
    program = program_of(modules)
    return run(["conform", "run", *PATIENT, *options, "--", *program])


def test_a_broker_in_elixir_conforms_in_every_profile(
    modules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An implementation that shares no code with the reference, behind the adapter that ships."""
    code = judged(modules, "--walks", "0")

    said = capsys.readouterr().out
    assert code == Exit.OK, said
    assert f"{len(OPERATIONS)} of {len(OPERATIONS)} functions of the document" in said
    assert f"claim: {WHOLE}" in said
    assert f"{len(shipped())} scenarios" in said


def test_a_broker_in_elixir_that_only_raises_its_counter_is_red_with_the_clause(
    faulty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """[ROL-6] A seal sets the counter, down as well as up."""
    code = judged(faulty, "--only", "roll-the-counter-is-set-back")

    said = capsys.readouterr().out
    assert code == Exit.BROKEN
    assert "roll-the-counter-is-set-back: fail/state" in said
    assert "ROL-6: " in said
    assert "state.offsets" in said


def test_a_checkout_that_lacks_functions_or_parts_is_told_which(
    faulty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = judged(faulty, "--only", "roll-an-answer-is-recorded")

    said = capsys.readouterr().out
    assert code == Exit.UNDETERMINED
    assert "42 of 43 functions" in said
    assert "without record_fence/5; not compared: migrating" in said
    assert "unsupported, as the adapter does not have record_fence: 1 (-v names them)" in said


def test_a_broker_in_elixir_is_reached_over_a_socket(
    modules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = judged(modules, "--only", "plan-*", "--walks", "0", "--tcp")

    assert code == Exit.OK
    assert "claim: L3 plan\n" in capsys.readouterr().out


def test_a_broker_in_elixir_is_put_into_every_state_of_a_scope(
    modules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = judged(modules, "--only", "local-*", "--exhaustive", "race", "--exhaustive", "overlap")

    said = capsys.readouterr().out
    assert code == Exit.OK, said
    assert "race (4173c3ad1cb6): 641 of 641 transitions\n" in said
    assert "overlap (90db99450db2): 25 of 25 transitions\n" in said


def test_a_checkout_that_hides_a_part_is_brought_into_a_state_from_open(
    faulty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = judged(faulty, "--only", "local-*", "--exhaustive", "overlap")

    said = capsys.readouterr().out
    assert code == Exit.OK, said
    assert "25 scenarios" in said
    assert "overlap (90db99450db2): 25 of 25 transitions\n" in said


def test_no_checkout_at_all_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = judged(tmp_path, "--only", "core-*")

    assert code == Exit.BROKEN
    assert "there is no module Malachi.Broker on the code path" in capsys.readouterr().err


def test_the_elixir_files_are_laid_out_as_its_formatter_does() -> None:
    files = [*ADAPTER.parent.glob("*.exs"), *BROKER.glob("*.ex")]

    subprocess.run([MIX, "format", "--check-formatted", *map(str, files)], check=True, timeout=300)
