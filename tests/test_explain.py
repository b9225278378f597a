"""`explain`: every law, defect and finding from its sentence to its story and diagram."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from checker.citing import keeping, place_of_law
from checker.commands import explain as explain_command
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.schema import schema_text
from checker.commands.telling import Row, Told, markdown, plain
from checker.explaining import changes_of, explanation_of, known_names, laws, proved_alone
from checker.mermaid import safe, sequence_diagram
from checker.models.toys import diners, relay
from checker.prove.known import law_names
from checker.scene import Event, scene_of
from checker.search.explore import search
from checker.search.model import Model, Outcome, Step
from checker.search.report import Move, Trace
from checker.world.defects import DEFECTS
from checker.world.findings import FINDINGS
from checker.world.kinds import Defect
from tests.cases_taken import taken
from tests.diagrams import faults_of

ROOT = Path(__file__).resolve().parent.parent


def explained(name: str, form: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command writes."""
    code = run(["explain", name, "--format", form])

    shown = capsys.readouterr()
    assert code == Exit.OK
    assert not shown.err
    return shown.out


def trace_of(model: Model) -> Trace:
    """The counterexample of a model."""
    trace = search(model).trace
    assert trace is not None
    return trace


def test_a_defect_is_told_from_its_clause_to_its_diagram(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = explained("seal-keeps-max", "text", capsys)

    assert said.startswith("D09 SEAL-KEEPS-MAX\n")
    for words in (
        "the change    a seal raises the counter in place of setting it",
        "the clause    ROL-6 ",
        "follows from  S9: A counter is raised or set only",
        "record_seal: Record a seal at what the fence answered",
        "seal_keeps_max: Raise the counter at a seal in place of setting it.",
        "3. f1's fence closes s0 at 0\n     s0 at its primary  nothing  ->  no record from 0",
        "This breaks a_recorded_seal_sets_the_counter_to_the_edge [ROL-6]",
        "See it again: malachi-model defects D09",
        "\nsequenceDiagram\n",
    ):
        assert words in said or words in " ".join(said.split())


def test_a_law_is_told_by_the_shortest_change_that_breaks_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = explained("no_sealed_head_survives_a_refresh", "text", capsys)

    assert "judges        roll, age, recovery" in said
    assert "broken by     D04 STALE-HEAD-ONLY-ON-HEAL-NODE" in said
    assert "D04 STALE-HEAD-ONLY-ON-HEAL-NODE, in the scope roll:" in said
    assert "spec/laws/refreshing.py:" in said


def test_a_finding_is_told_with_what_permits_it(capsys: pytest.CaptureFixture[str]) -> None:
    said = explained("F6", "text", capsys)

    assert "in the mode raft a refused registration is applied" in said
    assert "kept by" in said
    assert "See it again: malachi-model findings F6" in said


def test_a_law_that_no_named_change_breaks_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    unbroken = [
        name for name in laws() if (found := explanation_of(name)) and found.shown_by is None
    ]

    said = explained(unbroken[0], "text", capsys)

    assert "No named defect or finding breaks it" in said


@pytest.mark.parametrize("name", ["D41", "F6", "no_sealed_head_survives_a_refresh"])
def test_the_json_of_an_explanation_keeps_to_its_schema(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    content = json.loads(explained(name, "json", capsys))

    jsonschema.validate(content, json.loads(schema_text("explain")))
    assert faults_of(content["diagram"]) == []
    assert content["trace"]["law"]["name"] == content["law"]["name"]


def test_the_diagram_alone_is_valid(capsys: pytest.CaptureFixture[str]) -> None:
    diagram = explained("D02", "mermaid", capsys)

    assert faults_of(diagram) == []
    assert 'Note over p2: 2. f1 takes 1 for the "end" of s0' in diagram


def test_the_page_holds_tables_and_the_diagram(capsys: pytest.CaptureFixture[str]) -> None:
    page = explained("D41", "markdown", capsys)

    assert page.startswith("# D41 PLAN-LEAKS\n")
    assert "    | f1 counter | none | 1 |" in page
    assert faults_of(page.split("```mermaid\n")[1].split("```")[0]) == []


def test_a_terminal_is_shown_tables(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explain_command, "is_watched", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")

    said = explained("D41", "text", capsys)

    assert "┃" in said
    assert "│ f1 counter" in said
    assert "sequenceDiagram" in said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("D410", "there is no law, defect or finding 'D410': did you mean D41"),
        ("no_sealed_head_survives_a_refersh", "did you mean no_sealed_head_survives_a_refresh"),
        ("a_sealed_length", "did you mean a_sealed_length_is_what_closing_answered"),
        ("SEAL-KEEPS-MIN", "did you mean SEAL-KEEPS-MAX"),
        ("xyzzy", "`malachi-model explain CLAUSE` names the laws"),
        ("plc-15", "PLC-15 is judged by laws, so name one: a_new_segment_is_placed_on"),
        ("S9", "S9 is judged by laws, so name one: a_"),
        ("hea-27", "no law is about HEA-27: `malachi-model spec HEA-27` shows its text, and "),
    ],
)
def test_an_unknown_name_gets_one_line_with_the_nearest(
    name: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["explain", name])

    (line,) = capsys.readouterr().err.splitlines()
    assert code == Exit.USAGE
    assert said in line


def test_a_clause_that_one_law_is_about_is_explained_by_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert explained("rol-6", "text", capsys) == explained(
        "a_recorded_seal_sets_the_counter_to_the_edge", "text", capsys
    )


def test_a_law_is_told_with_whether_it_is_proved() -> None:
    facts = {
        name: dict(found.facts)
        for name in ("a_requested_roll_is_owed", "what_the_membership_says_is_taken_over")
        if (found := explanation_of(name)) is not None
    }

    assert facts["a_requested_roll_is_owed"]["proved"].endswith("prove a_requested_roll_is_owed")
    assert "not proved" in facts["what_the_membership_says_is_taken_over"]


def test_every_name_can_be_explained_and_its_law_is_known() -> None:
    found = [explanation_of(name) for name in known_names()]

    assert None not in found
    known = {*laws(), *proved_alone()}
    assert all(each.law.name in known for each in found if each is not None)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("a_page_never_goes_back", "spec/laws/reading.py:"),
        ("a_latch_names_the_end_of_its_log", "spec/laws/supporting.py:"),
    ],
)
def test_a_law_that_the_prover_alone_judges_is_explained_too(
    name: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = explained(name, "text", capsys)

    assert "no world: nothing searches it" in said
    assert f"malachi-model prove {name}" in said
    assert file in said


def test_every_law_that_is_proved_can_be_explained() -> None:
    assert [name for name in law_names() if explanation_of(name) is None] == []


def test_a_goal_of_progress_is_told_with_where_it_stands() -> None:
    """[ROL-39] A goal of progress stands beside its worlds, and not in spec/laws."""
    explanation = explanation_of("F36")

    assert explanation is not None
    assert explanation.law_at is not None
    assert explanation.law_at.file == "checker/world/copies/progress.py"
    line = (ROOT / explanation.law_at.file).read_text("utf-8").splitlines()
    assert "def " in line[explanation.law_at.line - 1]


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_the_change_of_every_defect_is_found_where_it_stands(defect: Defect) -> None:
    places = list(changes_of(defect))

    assert places
    for place in places:
        line = (ROOT / place.file).read_text("utf-8").splitlines()[place.line - 1]
        assert f"{place.function}" in line


def test_a_clause_is_kept_where_it_is_cited() -> None:
    """[ROL-6] The code that a reader is sent to."""
    (place,) = keeping("ROL-6")

    line = (ROOT / place.file).read_text("utf-8").splitlines()[place.line - 1]
    assert (place.file, place.function) == ("reference/rolling.py", "record_seal")
    assert line.startswith("def record_seal(")
    assert place_of_law("no_such_law") is None


def test_what_the_reference_leaves_to_its_callers_is_kept_by_them() -> None:
    """[PRD-18] Nothing is done with a batch that failed."""
    assert [place.file for place in keeping("PRD-18")] == ["checker/world/sharing/rules.py"]


PLANE = "control plane"
FAULTS = [
    ("f1.1 opens a segment", None),
    ("f1.1 is lost", "f1.1 is lost on its way"),
]


@pytest.mark.parametrize(
    ("steps", "events"),
    [
        (
            FAULTS,
            [
                Event("loses", "f1", "store", "2. f1.1 is lost on its way"),
                Event("answers", "f1", "client", "f1.1 failed"),
            ],
        ),
        (
            [FAULTS[0], ("f1.1 reaches s0", None), ("f1.1 is lost", None)],
            [
                Event("loses", "s0", "f1", "3. the answer to f1.1 is lost"),
                Event("answers", "f1", "client", "f1.1 failed"),
            ],
        ),
        (
            [("f1.1 opens unheard", None)],
            [
                Event("says", "f1", PLANE, "1. f1 registers a segment and gets no answer"),
                Event("loses", PLANE, "f1", "the answer is lost"),
            ],
        ),
        (
            [FAULTS[0], ("s0 fails over", None)],
            [Event("does", PLANE, "s0", "2. a failover seals s0 at 0")],
        ),
        (
            [FAULTS[0], ("f1 fences s0", None)],
            [Event("does", "f1", "f1", "2. f1 sends the fence of s0")],
        ),
        (
            [FAULTS[0], ("f1 fences s0", None), ("f1/s0 is lost", None)],
            [Event("loses", "f1", "store", "3. f1's fence of s0 is lost")],
        ),
        (
            [FAULTS[0], ("f1.1 reaches s0", None), ("f1.1 is answered", None)],
            [
                Event("answers", "s0", "f1", "3. f1 hears that f1.1 ends at 0"),
                Event("answers", "f1", "client", "f1.1 acknowledged"),
            ],
        ),
    ],
)
def test_the_last_step_of_a_trace_is_what_happens_between_participants(
    steps: list[tuple[str, str | None]], events: list[Event]
) -> None:
    model, trace = taken("faults", steps)

    scene = scene_of(model, trace)

    assert list(scene.events[-1]) == events


def test_a_world_without_participants_takes_all_steps_itself() -> None:
    model = diners()
    scene = scene_of(model, trace_of(model))

    assert scene.participants == ("diners",)
    assert {event.kind for events in scene.events for event in events} == {"does"}


def test_a_role_that_no_value_tells_is_given() -> None:
    model = relay(losses=None)

    scene = scene_of(model, trace_of(model), {"post": "store", "receiver": "coordinator"})

    assert set(scene.participants) <= {"post", "receiver", "relay"}
    assert "receiver" in scene.participants


def test_nothing_in_a_text_means_anything_in_a_diagram() -> None:
    def up(x: int) -> list[Outcome]:
        return [Outcome("the end; #1", (x + 1,))] if x < 1 else []

    model = Model("a; b # end", {"x": 0}, (Step("up", "up", ("x",), ("x",), up),))
    moves = (Move("up", "the end; #1", {"x": 1}),)
    trace = replace(trace_of(diners()), initial={"x": 0}, moves=moves)

    diagram = sequence_diagram(scene_of(model, trace), ["the end; #2"])

    assert faults_of(diagram) == []
    assert safe("end; #1\nEnd") == '"end"#59; #35;1 "End"'


def test_a_story_that_goes_round_says_from_where() -> None:
    found = explanation_of("D41")
    assert found is not None
    steps = (("one", (Row("x", "0", "1"),)), ("two", ()))

    told = Told("In a toy", steps, loop=1, remark="It may stay so.", diagram="sequenceDiagram\n")

    lines = list(plain(found, told))
    assert lines.index("And for ever:") == lines.index("2. two") - 1
    assert "     nothing changes" in lines
    page = markdown(found, told)
    assert "And for ever:\n\n2. two" in page
    assert "It may stay so." in page


def test_all_findings_have_a_law_that_is_known() -> None:
    assert {finding.law for finding in FINDINGS} <= set(laws())
