"""The command line: what it prints, what it answers to bad input, its exit codes and schemas."""

import json
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType

import jsonschema
import pytest

from checker.commands import check as check_command
from checker.commands import defects as defects_command
from checker.commands import expected as expected_command
from checker.commands import findings as findings_command
from checker.commands.exits import Exit, worst
from checker.commands.main import COMMANDS, run
from checker.commands.schema import schema_names, schema_text
from checker.models.fencecore import fencecore
from checker.search import explore
from checker.search.checkpoints import VERSION
from checker.search.faults import InternalError
from checker.search.plain import search
from checker.world.defects import DEFECTS
from checker.world.findings import FINDINGS
from checker.world.kinds import Size
from checker.world.scopes import fencecore_scope, scope_named

SMALL = "fencecore-2-1-1"
RECORDINGS = Path(__file__).parent / "data" / "traces"


def one_line(text: str) -> str:
    """The only line of a text."""
    (line,) = text.splitlines()
    return line


def test_check_says_that_a_scope_holds_and_how_large_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run(["check", SMALL])

    said = capsys.readouterr()
    assert code == Exit.OK
    assert f"{SMALL}: holds, 2,857 states, 12,612 transitions" in said.out
    assert said.out.endswith("holds: 1 scope, 2,857 states\n")
    assert not said.err


def test_check_writes_one_json_object_that_keeps_to_its_schema(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run(["check", SMALL, "--format", "json"])

    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(schema_text("check")))
    assert code == Exit.OK
    assert (report["verdict"], report["scopes"][0]["states"]) == ("holds", 2857)


def test_a_search_that_counts_otherwise_than_the_scope_pins_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = fencecore_scope(2, 1, 1, Size(2_858, 12_612, 20))
    monkeypatch.setattr(check_command, "scope_named", lambda _: moved)

    code = run(["check", SMALL])

    assert code == Exit.BROKEN
    assert "the size moved: 2,857 states" in capsys.readouterr().out


def test_goals_and_dead_rules_fail_only_a_scope_of_pinned_size(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "age:batches=1+0,refreshes=0+0,faults=0"
    free = scope_named(name)
    assert free is not None

    assert run(["check", name]) == Exit.OK
    said = capsys.readouterr().out
    assert f"{name}: holds, " in said
    assert "not reached every_segment_is_opened" in said
    assert "dead       the rule plan never fires" in said
    report = search(free.build())
    pinned = replace(free, size=Size(report.states, report.transitions, report.depth))
    monkeypatch.setattr(check_command, "scope_named", lambda _: pinned)
    assert run(["check", name]) == Exit.BROKEN


def test_a_search_that_a_limit_stops_is_unfinished(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["check", SMALL, "--max-states", "100"])

    said = capsys.readouterr().out
    assert code == Exit.UNFINISHED
    assert said.endswith("unfinished: 1 scope, 143 states\n")


def test_an_interrupt_keeps_what_was_found_before_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = explore.search
    searched: list[str] = []

    def search(model: object, **limits: object) -> object:
        searched.append("one")
        if len(searched) > 1:
            raise KeyboardInterrupt
        return real(model, **limits)  # type: ignore[arg-type] # the limits are passed on

    monkeypatch.setattr(check_command, "search", search)

    code = run(["check", SMALL, "fencecore-1-1-1", "--format", "json"])

    report = json.loads(capsys.readouterr().out)
    assert code == Exit.UNFINISHED
    assert [scope["name"] for scope in report["scopes"]] == [SMALL]
    assert report["unsearched"] == ["fencecore-1-1-1"]
    assert report["verdict"] == "unfinished"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "rol"], "there is no scope 'rol'"),
        (["check", "fencecore-2-2"], "did you mean fencecore-2-"),
        (["check", "--max-states", "0"], "0 is not in the range x>=1"),
        (["check", "--format", "xml"], "'xml' is not one of 'text', 'json'"),
        (["cheek"], "No such command 'cheek'"),
        (["check", "--no-such-option"], "No such option"),
        (["replay"], "Missing argument 'PATH...'"),
        (["replay", "no/such/file.jsonl"], "no/such/file.jsonl"),
        (["defects", "D00"], "there is no defect 'D00'"),
        (["findings", "roll"], "there is no finding 'ROLL'"),
        (["schema", "cheek"], "did you mean check?"),
    ],
)
def test_bad_arguments_get_one_line_and_exit_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(arguments)

    assert code == Exit.USAGE
    assert said in one_line(capsys.readouterr().err)


def test_a_contradiction_of_the_checker_itself_exits_70(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(*_: object, **__: object) -> None:
        raise InternalError("the replay of the trace ends elsewhere")

    monkeypatch.setattr(check_command, "search", search)

    code = run(["check", SMALL])

    assert code == Exit.INTERNAL
    assert "the replay of the trace ends elsewhere" in one_line(capsys.readouterr().err)


def test_whatever_else_goes_wrong_shows_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MALACHI_MODEL_DEBUG", raising=False)

    def search(*_: object, **__: object) -> None:
        raise KeyError("lost\nin two lines")

    monkeypatch.setattr(check_command, "search", search)

    code = run(["check", SMALL])

    assert code == Exit.INTERNAL
    assert "internal error: KeyError" in one_line(capsys.readouterr().err)


def test_a_bare_check_searches_scopes_defects_and_findings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_command, "SCOPES", (scope_named("overlap"),))
    monkeypatch.setattr(expected_command, "DEFECTS", DEFECTS[:1])
    monkeypatch.setattr(expected_command, "FINDINGS", FINDINGS[2:3])

    code = run(["check", "--format", "json"])

    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(schema_text("check")))
    assert code == Exit.OK
    assert [each["name"] for each in report["defects"]] == [DEFECTS[0].name]
    assert [each["name"] for each in report["findings"]] == [FINDINGS[2].name]


def test_a_survivor_fails_a_bare_check(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    survivor = replace(DEFECTS[0], build=partial(fencecore, 1, 1, 1))
    monkeypatch.setattr(check_command, "SCOPES", ())
    monkeypatch.setattr(expected_command, "DEFECTS", (survivor,))
    monkeypatch.setattr(expected_command, "FINDINGS", ())

    code = run(["check"])

    said = capsys.readouterr().out
    assert code == Exit.BROKEN
    assert f"defects: 1 defect searched, {survivor.name} a survivor" in said
    assert said.splitlines()[-1].startswith("broken: ")


def test_scopes_lists_the_names_that_check_takes(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["scopes", "--format", "json"])

    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(schema_text("scopes")))
    assert code == Exit.OK
    assert SMALL in [scope["name"] for scope in report["scopes"]]


@pytest.mark.parametrize(("command", "name"), [("defects", "D09"), ("findings", "F5")])
def test_what_is_pinned_is_reported_as_json(
    command: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run([command, name.lower(), name, "--format", "json"])

    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(schema_text(command)))
    assert code == Exit.OK
    assert [(each["name"], each["problem"]) for each in report[command]] == [(name, None)]


@pytest.mark.parametrize(
    ("command", "table", "entry"),
    [("defects", defects_command, "DEFECTS"), ("findings", findings_command, "FINDINGS")],
)
def test_a_trace_of_another_length_than_is_pinned_fails(
    command: str,
    table: ModuleType,
    entry: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pinned = min(getattr(table, entry), key=lambda each: int(each.steps))
    monkeypatch.setattr(table, entry, (replace(pinned, steps=pinned.steps + 1),))

    code = run([command])

    assert code == Exit.BROKEN
    assert f"after {pinned.steps + 1} steps, and was caught by" in capsys.readouterr().out


def test_a_defect_that_no_law_notices_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    unnoticed = replace(DEFECTS[0], build=partial(fencecore, 1, 1, 1))
    monkeypatch.setattr(defects_command, "DEFECTS", (unnoticed,))

    code = run(["defects"])

    said = capsys.readouterr().out
    assert code == Exit.BROKEN
    assert "NOT CAUGHT" in said
    assert said.endswith("1 defect, 1 survivor\n")


def test_replay_reports_recordings_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    recording = min((RECORDINGS / "scenarios").glob("*.jsonl"))

    code = run(["replay", str(recording), "--format", "json"])

    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(schema_text("replay")))
    assert code == Exit.OK
    assert (report["files"], report["unexplained"]) == (1, 0)


def test_replay_judges_the_other_files_when_one_is_malformed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    recording = min((RECORDINGS / "scenarios").glob("*.jsonl"))
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{", "utf-8")

    code = run(["replay", str(broken), str(recording)])

    said = capsys.readouterr()
    assert code == Exit.USAGE
    assert f"{broken}:1" in one_line(said.err)
    assert "2 files, 6 calls, 6 agree" in said.out


@pytest.mark.parametrize("name", schema_names())
def test_each_published_schema_is_a_schema_that_names_itself(name: str) -> None:
    schema = json.loads(schema_text(name))

    jsonschema.Draft202012Validator.check_schema(schema)

    foreign = {
        "case": ("format", "malachi-case/1"),
        "history": ("format", "malachi-history/1"),
        "itf": ("#meta", None),
    }
    key, title = foreign.get(name, ("schema", f"malachi-model/{name}/1"))
    if name == "protocol":
        # One of many messages; who answers says which protocol it speaks.
        assert schema["$defs"]["Message.welcome"]["properties"]["protocol"] == {"const": 1}
        return
    # A history is lines, and the first of them says what they are.
    named = schema["oneOf"][0] if name == "history" else schema
    assert named["properties"][key].get("const") == title


def test_of_several_exit_codes_the_severest_counts() -> None:
    assert worst([]) is Exit.OK
    assert worst([Exit.NOTHING, Exit.UNFINISHED]) is Exit.UNFINISHED
    assert worst([Exit.UNFINISHED, Exit.USAGE, Exit.BROKEN]) is Exit.BROKEN
    assert worst([Exit.BROKEN, Exit.INTERNAL]) is Exit.INTERNAL


def test_a_reader_that_goes_away_sees_no_traceback_and_is_no_success() -> None:
    command = f"{sys.executable} -m checker scopes | true; exit ${{PIPESTATUS[0]}}"

    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)  # noqa: S607 # the shell of the machine

    assert (done.returncode, done.stderr) == (Exit.UNFINISHED, b"")


def test_a_small_check_loads_no_heavy_library() -> None:
    probe = (
        "import sys; from checker.commands.main import run; run(['check', 'fencecore-1-1-1']);"
        "sys.exit(sorted({'numba', 'numpy', 'networkx', 'rich'} & set(sys.modules)) or 0)"
    )

    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=False)

    assert (done.returncode, done.stderr) == (0, b"")


def test_a_search_up_to_symmetry_is_not_held_to_the_size_of_the_whole(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run(["check", SMALL, "--symmetry"])

    assert code == Exit.OK
    assert "holds, 1,458 states" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--memory", "much"], "'much' is no size; write it as 800M or 1.5G"),
        (["--resume"], "--resume goes on from a checkpoint: name its folder by --checkpoint"),
        (["--workers", "3"], "3 is not in the range"),
        (["--symmetry", "--reduction"], "take one of them"),
        (["roll", "--symmetry"], "roll declares no symmetries: search it without --symmetry"),
    ],
)
def test_options_of_a_search_that_make_no_sense_are_refused(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["check", SMALL, *arguments])

    assert code == Exit.USAGE
    assert said in capsys.readouterr().err


def test_a_checkpoint_of_other_rules_is_one_line_and_no_internal_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "fencecore-2-1-1"
    folder.mkdir()
    (folder / "state.json").write_text(f'{{"version": {VERSION}, "rules": "others"}}', "utf-8")

    code = run(["check", SMALL, "--checkpoint", str(tmp_path), "--resume"])

    assert code == Exit.USAGE
    assert "is of other rules than those of fencecore 2 1 1 now" in capsys.readouterr().err


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_stands_where_it_is_said_to_and_has_help(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([name, "--help"]) == Exit.OK
    assert f"malachi-model {name}" in capsys.readouterr().out


def test_a_check_loads_no_other_command() -> None:
    probe = (
        "import sys; from checker.commands.main import run; run(['check', 'fencecore-1-1-1']);"
        "sys.exit(any(f'checker.commands.{each}' in sys.modules for each in ('replay', 'prove')))"
    )

    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=False)

    assert (done.returncode, done.stderr) == (0, b"")
