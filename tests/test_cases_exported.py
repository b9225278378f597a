"""Runs in other formats: every state in the Informal Trace Format, every call as a recording."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from checker.cases.exporting import Exported, export_case, export_trace
from checker.cases.itf import expression, lines, trace_in_itf
from checker.cases.kinds import WorldCase
from checker.cases.parsing import load, parse
from checker.cases.stages import Stage
from checker.cases.worlds import run_world
from checker.commands import check as check_command
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.schema import schema_text
from checker.models.fencecore import fencecore
from checker.models.toys import relay
from checker.replay.replaying import replay_paths
from checker.search.explore import search
from checker.world.kinds import Scope

DATA = Path(__file__).parent / "data" / "cases"
STORED = sorted(DATA.rglob("*.toml"))
SMALL = [path for path in STORED if path.stem in {"D09", "F6", "other-offset-is-adopted"}]
ITF = json.loads(schema_text("itf"))


def name_of(path: Path) -> str:
    """What a failing test calls a case."""
    return f"{path.parent.name}/{path.stem}"


def trace_of(exported: Exported) -> dict[str, Any]:
    """The states, if they keep to the format."""
    trace = json.loads(exported.states)
    jsonschema.validate(trace, ITF)
    assert isinstance(trace, dict)
    return trace


def calls_of(exported: Exported) -> list[dict[str, Any]]:
    """The lines of the recording."""
    return [json.loads(line) for line in (exported.calls or "").splitlines()]


@pytest.mark.parametrize("path", SMALL, ids=name_of)
def test_every_state_of_a_case_is_a_state_of_the_trace_format(path: Path) -> None:
    case = load(path)

    trace = trace_of(export_case(case))

    assert [state["#meta"]["index"] for state in trace["states"]] == [*range(len(case.steps) + 1)]
    for state in trace["states"]:
        assert list(state) == ["#meta", *trace["vars"]]


@pytest.mark.parametrize("path", STORED, ids=name_of)
def test_a_replay_agrees_with_every_call_of_a_case(path: Path, tmp_path: Path) -> None:
    exported = export_case(load(path))
    assert exported.calls is not None
    (tmp_path / "calls.jsonl").write_text(exported.calls, "utf-8")

    result = replay_paths(tmp_path / "calls.jsonl")

    assert (result.verdict, result.agree) == ("agrees", len(calls_of(exported)) - 1)


@pytest.mark.parametrize("path", STORED, ids=name_of)
def test_only_a_defect_leads_the_calls_away_from_its_case(path: Path) -> None:
    case = load(path)
    is_of_the_machine = isinstance(case, WorldCase) and path.stem in {"D09", "D41"}

    departs_at = export_case(case).departs_at

    assert departs_at == (case.breaks.step if is_of_the_machine and case.breaks else None)


def test_the_calls_of_a_finding_lead_where_the_finding_leads() -> None:
    """[RNG-43] In the mode raft a frontend believes what was refused."""
    calls = calls_of(export_case(load(DATA / "findings" / "F6.toml")))

    assert calls[0]["options"] == {"mode": "raft"}
    refused = [
        effect
        for call in calls[1:]
        for effect in call["effects"]
        if effect["reply"] != "ok" and call["reply"] != effect["reply"]
    ]
    assert [effect["request"][0] for effect in refused] == ["register_segment"]


def test_keys_fall_in_a_recording_where_they_fall_in_the_world() -> None:
    """[PRD-3] A broker hashes keys, where a world takes them by the number that they spell."""
    exported = export_case(load(DATA / "findings" / "F11.toml"))

    (planned,) = [call for call in calls_of(exported) if call.get("call") == "produce_plan"]
    assert planned["reply"]["ok"][0][0][0] == ["t", 3]
    assert exported.departs_at is None


def test_a_read_of_the_control_plane_is_remembered_until_it_is_installed() -> None:
    """[RFR-4] What is installed may be old."""
    calls = calls_of(export_case(load(DATA / "findings" / "F3.toml")))[1:]

    names = [call["call"] for call in calls]
    at = names.index("refresh")
    assert calls[at]["args"] == {"snapshot": "read 1"}
    assert "record_fence" in names[names.index("snapshot") : at]


def test_a_window_that_passes_lets_the_time_of_that_frontend_pass() -> None:
    """[ROL-17] A lost fence is sent again once its window has passed."""
    text = """
        format = "malachi-case/1"
        name = "a fence that is lost is sent again"
        world = {scope = "faults"}
        steps = [
            {step = "f1.1 opens a segment"},
            {step = "f1 fences s0"},
            {step = "f1/s0 is lost"},
            {step = "f1/s0 is late"},
            {step = "f1 fences s0", outcome = "f1 sends the fence of s0 again"},
        ]
    """

    exported = export_case(parse(text))

    sent = [call for call in calls_of(exported)[1:] if call["call"] == "fences_to_send"]
    assert [(call["args"]["now"], len(call["reply"])) for call in sent] == [(0, 1), (1, 1)]
    assert exported.departs_at is None


@pytest.mark.parametrize(
    ("outcome", "fault"),
    [("lost", {"error": "lost"}), ("unanswered", {"error": "unanswered", "applied": True})],
)
def test_a_command_that_nobody_answers_is_scripted(outcome: str, fault: dict[str, object]) -> None:
    """[ROL-5] Lost on its way, or applied and its answer lost: the frontend cannot tell."""
    text = f"""
        format = "malachi-case/1"
        name = "a seal that nobody hears"
        world = {{scope = "faults"}}
        steps = [
            {{step = "f1.1 opens a segment"}},
            {{step = "f1 fences s0"}},
            {{step = "f1/s0 closes"}},
            {{step = "f1/s0 is unheard", outcome = "f1 seals s0, and the command is {outcome}"}},
        ]
    """

    exported = export_case(parse(text))

    last = calls_of(exported)[-1]
    assert last["args"]["fault"] == {"command": {**fault, "at": 0}}
    assert exported.departs_at is None


def test_a_world_without_frontends_has_states_and_no_calls() -> None:
    trace = search(relay(losses=None)).trace
    assert trace is not None

    exported = export_trace(relay(losses=None), trace, "relay", "a letter")

    assert (exported.calls, exported.why_not) == (
        None,
        "this world has no frontends that could be called",
    )
    assert trace_of(exported)["loop"] == trace.loop


def test_a_call_with_two_answers_of_a_kind_has_no_place_in_a_recording() -> None:
    text = (DATA / "calls" / "other-offset-is-adopted.toml").read_text("utf-8")
    twice = "{offset = 7}", '["lost", "lost"]'

    exported = export_case(parse(text.replace(*twice).replace("offsets[t.0]", "offsets")))

    assert exported.calls is None
    assert "a recording scripts one answer to replicate in a call" in exported.why_not


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, True),
        (2**70, {"#bigint": str(2**70)}),
        (-1, {"#bigint": "-1"}),
        (None, {"tag": "None", "value": {"#tup": []}}),
        (b"a", {"tag": "Text", "value": "a"}),
        (b"\xff", {"tag": "Bytes", "value": "ff"}),
        (("a", 1), ["a", {"#bigint": "1"}]),
        (frozenset({"b", "a"}), {"#set": ["a", "b"]}),
        ({"b": 1, "a": 2}, {"#map": [["a", {"#bigint": "2"}], ["b", {"#bigint": "1"}]]}),
        (len, {"#unserializable": "len"}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_each_kind_of_value_has_its_expression(value: object, written: object) -> None:
    trace = json.loads(lines(trace_in_itf([{"x": value}], [], "a test", "one value")))

    jsonschema.validate(trace, ITF)
    assert expression(value) == written
    assert trace["states"][0]["x"] == written


def test_what_is_kept_of_a_search_is_a_case_states_and_calls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["findings", "F6", "--out", str(tmp_path)])

    assert code == Exit.OK
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "F6.itf.json",
        "F6.jsonl",
        "F6.toml",
    ]
    assert (tmp_path / "F6.toml").read_text() == (DATA / "findings" / "F6.toml").read_text()
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        (["check", "toy", "--all-shortest", "2"], ["toy-1.toml", "toy-2.toml"]),
        (["check", "toy"], ["toy.toml"]),
        (["simulate", "toy", "--seed", "7"], ["toy.toml"]),
    ],
    ids=["all shortest", "check", "simulate"],
)
def test_a_search_keeps_what_breaks_a_law(
    command: list[str],
    kept: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = fencecore(2, 2, 2, has_defect=True)
    scope = Scope("toy", "a toy", lambda: model)
    monkeypatch.setattr(check_command, "scope_named", lambda _: scope)

    code = run([*command, "--out", str(tmp_path)])

    assert code == Exit.BROKEN
    assert sorted(path.name for path in tmp_path.glob("*.toml")) == kept
    assert len(list(tmp_path.glob("*.itf.json"))) == len(kept)
    assert "no frontends that could be called" in capsys.readouterr().err
    for name in kept:
        case = load(tmp_path / name)
        assert isinstance(case, WorldCase)
        assert run_world(case, Stage(model, dict)).verdict == "as expected"


def test_a_case_that_is_run_can_be_kept_in_other_formats_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = DATA / "calls" / "refusal-seats-the-frontend.toml"

    assert run(["run", str(path), "--out", str(tmp_path)]) == Exit.OK

    assert run(["replay", str(tmp_path)]) == Exit.OK
    assert "13 agree" in capsys.readouterr().out
