"""What is told of a refuted step: two states, a run to it, and the laws that exclude it."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cvc5
import jsonschema
import pytest

from checker.commands import prove as command
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.proved import Outcome, write_text
from checker.commands.schema import schema_text
from checker.prove.claims import LISTING_LAWS, excluding, is_kept
from checker.prove.known import law_names
from checker.prove.named import rules_of
from checker.prove.obligations import obligations
from checker.prove.proving import Stage, model_for
from checker.prove.reaching import judged, reach
from checker.prove.running import Worker
from checker.prove.shapes import TAKEN_OUT
from checker.prove.strength import REFUTED
from checker.prove.tasks import Asked, Plain
from checker.prove.tasks import run as run_task
from checker.search.explore import Options, search
from checker.world.sharing.bounds import Bounds
from checker.world.sharing.rules import REFERENCE, Rules
from reference.frontend import Frontend
from spec.vocabulary import Dispatch, Offset

RESTING: Mapping[str, tuple[str, str, int]] = {
    "a_copy_begins_where_its_segment_is_listed": (
        "f1 recovers",
        "a_recovery_only_raises",
        1,
    ),
    "a_frontend_names_segments_where_they_begin": (
        "f1 fences s0",
        "a_message_names_its_segment_where_it_begins",
        1,
    ),
    "a_frontend_skips_no_sequence": (
        "f1.1 opens unheard",
        "segments_are_numbered_without_a_gap",
        1,
    ),
    "a_latch_names_the_end_of_its_log": (
        "f1/s0 closes",
        "a_fence_answers_where_the_log_ends",
        1,
    ),
    "a_message_names_its_segment_where_it_begins": (
        "f1/s0 is recorded",
        "a_conflict_takes_the_length_on_record",
        1,
    ),
    "a_sealed_length_is_what_closing_answered": (
        "overlap",
        "acknowledged_records_lie_below_the_edge",
        1,
    ),
    "a_view_lists_what_the_control_plane_does": (
        "growth",
        "a_view_is_a_listing_of_its_time",
        2,
    ),
    "an_answered_batch_lies_in_every_copy_that_counts": (
        "f1.1 reaches s0",
        "no_offset_is_acknowledged_twice",
        1,
    ),
    "an_answered_fence_tells_the_latch_of_its_primary": (
        "f1/s0 is unheard",
        "a_sealed_length_is_what_closing_answered",
        1,
    ),
    "no_segment_ends_before_it_begins": (
        "f1.1 opens a segment",
        "a_plan_raises_the_counter_by_its_batch",
        2,
    ),
    "nobody_counts_before_the_first_segment": (
        "f1.1 opens unheard",
        "the_segments_of_a_range_tile_its_offsets",
        1,
    ),
    "the_segments_of_a_range_tile_its_offsets": (
        "f1.1 opens a segment",
        "no_segment_ends_before_it_begins",
        2,
    ),
}
"""For each law that can be left out: a step, a law that it breaks then, and how many segments."""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be kept from test to test."""
    monkeypatch.setenv("MALACHI_MODEL_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let the command prove a few of its steps, so that a test is short."""

    def choose(*names: str) -> None:
        def some(rules: Rules, segments: int) -> dict[str, Stage]:
            return {name: obligations(rules, segments)[name] for name in names}

        monkeypatch.setattr(command, "obligations", some)

    return choose


def report_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, Any]:
    code = run(["prove", "--segments", "1", *arguments, "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(schema_text("prove")))
    return code, report


def test_a_step_is_known_for_each_law_that_can_be_left_out() -> None:
    assert set(RESTING) == {law.__name__ for law in TAKEN_OUT}


@pytest.mark.parametrize("law", RESTING)
def test_what_rests_on_a_law_is_refuted_without_it_and_the_law_is_named(law: str) -> None:
    """[ROL-43, PRD-10, PRD-15, RNG-42] By a state that this very law excludes."""
    step, other, segments = RESTING[law]

    result: Any = run_task(step, Asked(segments, without=frozenset({law})))

    told = {each["law"]: each["refuted"] for each in result["laws"] if each["refuted"]}
    assert law not in {each["law"] for each in result["laws"]}
    assert law in told[other]["excluded_by"]
    assert told[other]["before"] != told[other]["after"] or not told[other]["changes"]


def test_a_law_left_out_is_told_with_two_states_and_no_run(
    only: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    only("f1/s0 closes")

    code = run(
        [
            *("prove", "--segments", "1", "--max-states", "100"),
            *("--without", "a_latch_names_the_end_of_its_log"),
        ]
    )
    out = capsys.readouterr().out

    assert code == Exit.BROKEN
    assert "REFUTED a_fence_answers_where_the_log_ends [ROL-43] at f1/s0 closes" in out
    assert "s0 at its primary: no record from 0, fenced" in out
    assert "fence f1/s0: asked -> answered: ends at 1" in out
    assert re.search(r"not reached: .*\(\d+ of faults, .* \d+ of prove, \d+ of faults with", out)
    assert "laws that exclude the state before: a_latch_names_the_end_of_its_log" in out
    assert "not taken for granted, and not asked for: a_latch_names_the_end_of_its_log" in out


def test_a_law_that_cannot_be_left_out_is_answered_with_those_that_can(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run(["prove", "--without", "a_requested_roll_is_owed"])

    assert code == Exit.USAGE
    (line,) = capsys.readouterr().err.splitlines()
    assert "a_latch_names_the_end_of_its_log" in line
    assert "\\n" not in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--without", "a_latch_names_the_end"], "did you mean a_latch_names_the_end_of_its_log?"),
        (["a_recorded_seal_sets"], "did you mean a_recorded_seal_sets_the_counter_to_the_edge"),
        (["what_the_membership_says_is_taken_over"], "the search alone judges it, in policy"),
        (["nosuch"], "`malachi-model prove --list` lists them"),
    ],
)
def test_an_unknown_law_is_answered_with_those_that_are_near(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["prove", *arguments])

    assert code == Exit.USAGE
    assert said in capsys.readouterr().err


def test_questions_are_written_into_no_folder_of_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()

    code = run(["prove", "--smtlib", str(tmp_path)])

    assert code == Exit.USAGE
    assert "holds files of others" in capsys.readouterr().err


def test_a_refuted_step_that_a_run_comes_to_is_told_with_the_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """[ROL-6] The rules of D09, without its name: the search finds the run by itself."""
    law = "a_recorded_seal_sets_the_counter_to_the_edge"
    rules = rules_of("D09")
    result: Any = run_task("f1/s0 is recorded", Asked(1, laws=frozenset({law})), rules)

    outcome = Outcome([result])
    outcome.reach = reach(rules, {law}, 1)
    write_text(outcome, Asked(1), is_long=True)
    out = capsys.readouterr().out

    assert outcome.exit == Exit.BROKEN
    assert f"REFUTED {law} [ROL-6] at f1/s0 is recorded" in out
    assert "reached: a run of 4 steps from the start breaks this law" in out
    assert f"a run that breaks {law}:\n  1. f1 opens s0" in out
    assert len(outcome.reach.traces[law].moves) == 4


@pytest.mark.parametrize("change", ["False", "seen.next_offset < 1_000_000"])
def test_a_law_that_is_made_false_is_refuted_by_the_command(
    change: str,
    only: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """[ROL-44] Always, or on large numbers only: those no run of a small world comes to."""
    # The processes that prove import the law themselves, so it is changed where they start.
    place = "checker.prove.working"
    lines = [
        "import runpy, sys",
        "from checker.prove import claims",
        "from spec.laws import supporting",
        "def changed(seen, listing):",
        f"    '''[ROL-44] It is not.'''\n    return {change}",
        "changed.__name__ = 'nobody_counts_before_the_first_segment'",
        "claims.FRONT_LAWS = (changed,)",
        f"runpy.run_module({place!r}, run_name='__main__')",
    ]
    program = "\n".join(lines)
    own = Worker.command
    monkeypatch.setattr(
        Worker, "command", lambda self: [own(self)[0], "-c", program, own(self)[-1]]
    )
    only("f1.1 is answered")

    code, report = report_of(
        ["nobody_counts_before_the_first_segment", "--max-states", "50"], capsys
    )

    assert code == Exit.BROKEN
    assert report["verdict"] == "refuted"
    values = [law["refuted"]["values"] for step in report["steps"] for law in step["laws"]]
    assert change == "False" or max(values[0].values()) >= 1_000_000


def test_a_process_that_is_killed_makes_its_step_unknown_and_exits_with_3(
    only: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    only("f1 sweeps", "initially")
    own = Worker.answer

    def killed(worker: Worker, name: str) -> Plain:
        if name == "f1 sweeps":
            worker.own_process().kill()
        return own(worker, name)

    monkeypatch.setattr(Worker, "answer", killed)

    code, report = report_of([], capsys)

    assert code == Exit.UNDETERMINED
    assert report["verdict"] == "unknown"
    assert [step["step"] for step in report["steps"] if step["unknown"]] == ["f1 sweeps"]


def adopt_below_a_million(
    front: Frontend, dispatch: Dispatch, last: Offset
) -> tuple[Frontend, bool]:
    """[PRD-23] A change that no small number shows: an answer from a million on is not adopted."""
    return (front, True) if last >= 1_000_000 else REFERENCE.adopt_answer(front, dispatch, last)


def test_what_only_large_numbers_break_is_reached_with_large_numbers() -> None:
    """[PRD-23] No run of small batches breaks the law; a batch of a million records does."""
    law = "an_answer_only_raises_the_counter"

    found = reach(Rules(adopt_answer=adopt_below_a_million), {law}, 1, 200)

    assert found.traces[law].moves[-1].label.endswith("ends at 1000000")
    assert sum(found.numbers[law][f"{name}.1.records"] for name in ("f1", "f2")) > 1_000_000
    assert "faults" in dict(found.worlds)


def test_no_run_of_the_reference_breaks_a_law_that_is_proved() -> None:
    """As far as a small world goes, with every law judged in each of its states."""
    bounds = Bounds(segments=1, refreshes=(1, 0), sweepers=("f1",), faults=1)

    model = judged("small", bounds, REFERENCE, law_names())
    report = search(model, max_states=700, options=Options(engine="plain"))

    assert report.trace is None
    judging = {law.name for law in model.laws} | {law.name for law in model.step_laws}
    assert judging == set(law_names())


def test_a_state_that_breaks_a_law_is_excluded_by_it() -> None:
    parts = model_for(REFERENCE, 1).initial

    assert excluding(parts) == ()
    assert excluding({"f1": parts["f1"]}) == ()
    assert all(is_kept(law.__name__, parts) for law in LISTING_LAWS)


@pytest.mark.parametrize("defect", ["D02", "D03", "D12"])
def test_a_run_to_what_a_defect_breaks_is_found_without_its_scope(defect: str) -> None:
    law = "a_sealed_length_is_what_closing_answered"

    found = reach(rules_of(defect), {law, REFUTED[defect].law}, 2, 1000)

    assert found.traces[REFUTED[defect].law].moves


def test_another_solver_gives_the_same_answers_to_what_is_exported(
    only: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """[ROL-44, RFR-20] To every question of some proofs, in files that say what was answered."""
    only("f1 recovers", "overlap", "f1/s0 is recorded")

    code, _ = report_of(["--smtlib", str(tmp_path / "scripts")], capsys)
    found = sorted((tmp_path / "scripts").glob("*/*.smt2"))

    assert code == Exit.OK
    assert {path.parent.name for path in found} == {"f1-recovers", "overlap", "f1-s0-is-recorded"}
    answers = [path.stem.partition("-")[2] for path in found]
    assert set(answers) == {"sat", "unsat"}
    assert [second(path.read_text("utf-8")) for path in found] == answers


def second(script: str) -> str:
    """What cvc5 answers."""
    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "it")
    symbols = parser.getSymbolManager()
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said += command.invoke(solver, symbols)
    return said.strip()


def test_a_folder_that_cannot_be_made_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()

    code = run(["prove", "--smtlib", str(tmp_path / "file" / "folder")])

    assert code == Exit.USAGE
    assert "cannot be made a folder" in capsys.readouterr().err
