"""Cases: they run as they say, and say where they do not."""

import json
import re
import tomllib
from pathlib import Path

import jsonschema
import pytest

from checker.cases import parsing
from checker.cases.counterexamples import case_of
from checker.cases.kinds import World as NamedWorld
from checker.cases.kinds import WorldCase
from checker.cases.parsing import load, parse
from checker.cases.recorded import case_of_recording
from checker.cases.running import run_case
from checker.cases.stages import Stage
from checker.cases.worlds import run_world
from checker.cases.writing import written
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.schema import schema_text
from checker.conform import suites
from checker.models.toys import diners, locked_box, relay
from checker.replay.deviations import known_deviations
from checker.replay.terms import MalformedError
from checker.search.explore import search
from checker.search.model import Model

DATA = Path(__file__).parent / "data" / "cases"
STORED = sorted(DATA.rglob("*.toml"))
WORLDS = [path for path in STORED if path.parent.name != "calls"]
RECORDINGS = sorted((DATA.parent / "traces").rglob("*.jsonl"))
PAGE = Path(parsing.__file__).parent / "README.md"
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


def name_of(path: Path) -> str:
    """What a failing test calls a case."""
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", STORED, ids=name_of)
def test_a_stored_case_runs_as_it_says(path: Path) -> None:
    result = run_case(load(path))

    hint = f"; after a change of a world: malachi-model {path.parent.name} --out {path.parent}"
    departures = [each.text() for each in result.departures]
    assert (result.verdict, departures) == ("as expected", []), hint


@pytest.mark.parametrize("path", RECORDINGS[::16], ids=name_of)
def test_a_recording_is_a_case_that_departs_only_where_the_recorded_broker_does(path: Path) -> None:
    known = {n for (stem, n), _ in known_deviations().covered() if stem == path.stem}

    case = case_of_recording(path)

    assert parse(written(case)) == case
    result = run_case(case)
    assert {departure.step - 1 for departure in result.departures} == known
    assert result.broken == ()


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_cases_on_the_page_run_as_they_say(text: str) -> None:
    assert run_case(parse(text)).verdict == "as expected"


@pytest.mark.parametrize("path", STORED, ids=name_of)
def test_a_case_that_is_written_reads_back_as_itself(path: Path) -> None:
    case = load(path)

    assert parse(written(case)) == case


@pytest.mark.parametrize("path", WORLDS, ids=name_of)
def test_a_counterexample_is_stored_as_it_is_written(path: Path) -> None:
    assert written(load(path)) == path.read_text("utf-8")


@pytest.mark.parametrize(
    "text", [*(path.read_text("utf-8") for path in STORED), *EXAMPLES], ids=lambda _: ""
)
def test_the_parsed_form_keeps_to_its_schema(text: str) -> None:
    jsonschema.validate(tomllib.loads(text), json.loads(schema_text("case")))


def test_parser_and_schema_know_the_same_keys() -> None:
    world, calls = json.loads(schema_text("case"))["oneOf"]
    call, message = calls["properties"]["steps"]["items"]["anyOf"]

    assert set(parsing.CASE) == {*world["properties"], *calls["properties"]}
    assert set(parsing.WORLD) == set(world["properties"]["world"]["properties"])
    assert set(parsing.PLANE) == set(calls["properties"]["plane"]["properties"])
    assert set(parsing.BREAKS) == set(world["properties"]["breaks"]["properties"])
    assert set(parsing.WORLD_STEP) == set(world["properties"]["steps"]["items"]["properties"])
    assert set(parsing.CALL_STEP) == set(call["properties"])
    assert set(parsing.MESSAGE_STEP) == set(message["properties"])


@pytest.mark.parametrize(
    "model", [relay(losses=None), locked_box(), diners()], ids=["lasso", "lost", "stuck"]
)
def test_what_never_comes_about_runs_as_a_case_too(model: Model) -> None:
    trace = search(model).trace
    assert trace is not None

    case = case_of(trace, NamedWorld("toy"), dict, "toy")

    assert parse(written(case)) == case
    result = run_world(case, Stage(model, dict))
    assert (result.verdict, len(result.taken)) == ("as expected", len(trace.moves))


def test_a_run_that_comes_to_its_goal_after_all_is_not_broken() -> None:
    trace = search(relay(losses=None)).trace
    assert trace is not None
    case = case_of(trace, NamedWorld("toy"), dict, "toy")

    assert run_world(case, Stage(relay(losses=1), dict)).verdict == "unbroken"


def changed(path: str, old: str, new: str, folder: Path) -> str:
    """A stored case with something else in it."""
    text = (DATA / path).read_text("utf-8")
    assert old in text
    file = folder / "case.toml"
    file.write_text(text.replace(old, new, 1), "utf-8")
    return str(file)


D09 = "defects/D09.toml"
SEATS = "calls/refusal-seats-the-frontend.toml"
SEAL = "calls/seal-answered-to-nobody.toml"


@pytest.mark.parametrize(
    ("path", "old", "new", "said"),
    [
        (D09, '"f1 counter" = 1', '"f1 counter" = 2', "step 1, f1 opens s0"),
        (D09, '"f1 counter" = 1', '"f1 counter" = 2', "f1 counter is 1, not 2"),
        (D09, "closes s0 at 0", "closes s0 at 5", "outcome is f1's fence closes s0 at 0, not"),
        (D09, "step = 4", "step = 3", "step 4 breaks a_recorded_seal_sets_the_counter"),
        (D09, "step = 4", "step = 3", "expected step 3 to break"),
        (D09, 'defect = "D09"', "", "unbroken, 4 steps"),
        (
            D09,
            "a_recorded_seal_sets_the_counter_to_the_edge",
            "a_range_has_at_most_one_head",
            "broken, 4 steps",
        ),
        (SEATS, '"offsets[t.0]" = 2', '"offsets[t.0]" = 3', "state.offsets[t.0] is 2, not 3"),
        (SEATS, '"offsets[t.0]" = 2', '"offsets[t.1]" = 2', 'offsets[t.1] is "(absent)", not 2'),
        (SEATS, '"offsets[t.0]" = 2', '"offsets[t.0]" = 3', "PRD-16: "),
        (SEATS, "reply = {ok = 0}", "reply = {ok = 1}", "reply.ok is 0, not 1"),
        (SEATS, "effects = []", 'effects = [{kind = "read"}]', 'effects is [], not ["read"]'),
        (SEATS, 'reply = "ok"}]', 'reply = "no"}]', 'effects[0].reply is "ok", not "no"'),
        (SEATS, '"[t.0.0].fence" = [1, 42]', '"[t.0.0].end" = 2', "store[t.0.0].end is 1, not 2"),
        ("calls/start-above-nothing.toml", "step = 3", "step = 2", "step 3 breaks the_segments"),
    ],
)
def test_a_run_that_is_not_as_its_case_says_exits_1_and_says_where(
    path: str,
    old: str,
    new: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run(["run", changed(path, old, new, tmp_path)])

    shown = capsys.readouterr()
    assert code == Exit.BROKEN
    assert said in shown.out
    assert not shown.err


@pytest.mark.parametrize(
    ("path", "old", "new", "said"),
    [
        (D09, "malachi-case/1", "malachi-case/2", 'format is "malachi-case/2"'),
        (D09, "[world]", "[word]", "there is no key of the case called 'word': did you mean"),
        (D09, "scope =", "scop =", "there is no key of world called 'scop': did you mean scope?"),
        (D09, '"roll"', '"rol"', "there is no scope 'rol': did you mean roll"),
        (D09, '"D09"', '"D8"', "there is no defect 'D8'"),
        (D09, 'defect = "D09"', 'finding = "FX"', "there is no finding 'FX'"),
        (D09, '"roll"', '"age"', "D09 is searched in the scope 'roll', not in 'age'"),
        (D09, 'defect = "D09"', 'defect = "D09"\nfinding = "F1"', "one of defect, finding and"),
        (D09, "ROL-6", "ROLL-6", "there is no clause 'ROLL-6': did you mean ROL-"),
        (D09, "law = ", "lax = ", "there is no key of breaks called 'lax': did you mean law?"),
        (D09, "a_recorded_seal", "a_recorded_zeal", "did you mean a_recorded_seal_sets"),
        (D09, "step = 4", "step = 5", "breaks.step is 5, and the last step is 4"),
        (D09, "step = 4", "step = 4\nloop = 9", "breaks.loop is 9, and the last step is 4"),
        (D09, "step = 4", "step = 4\nloop = 1", "breaks.loop is of what has to come about"),
        (D09, '"roll"', '"roll:faults=12"', "behind roll: may stand, with commas between them, ba"),
        (D09, '"roll"', '"settling:faults=1"', "settling has one size, and nothing stands"),
        (D09, "outcome", "outcom", "case.toml:14: step 1: there is no key of the step called"),
        (D09, "f1 fences s0", "f1 fence s0", "step 2: there is no step of roll called"),
        (D09, "f1 fences s0", "f2 fences s0", "step 2: 'f2 fences s0' cannot be taken here"),
        (D09, '"f1 counter"', '"f1 county"', "step 1: there is no part called 'f1 county': did"),
        (D09, "= 1\n", "= 1.5\n", "steps[0].state.f1 counter is 1.5: a case has no fractions"),
        (D09, "[world]", "[world", "not TOML: "),
        (SEATS, '"authoritative"', '"quorum"', "plane.mode is"),
        (SEATS, '"produce_plan"', '"produce_plans"', "there is no call 'produce_plans': did you"),
        (SEATS, "bits = 1", "bit = 1", "there is no argument of create_topic called 'bit': did"),
        (SEATS, ", bits = 1", "", "step 2: args.bits is missing"),
        (SEATS, 'frontend = "b"', 'frontend = "c"', "step 7: frontend "),
        (SEATS, 'deliver = "first"', 'deliver = "fist"', "no message called 'fist': did you"),
        (SEATS, 'deliver = "first"', 'hear = "first"', "cannot hear 'first': it is sent"),
        (SEATS, 'deliver = "first"', 'deliver = "first"\nitem = 1', "has 1 messages, counted"),
        (SEATS, 'deliver = "first"', 'lose = "first"\nhear = "first"', "a step does one thing"),
        (SEATS, '"offsets[t.0]"', '"offset[t.0]"', "no part of state called 'offset': did you"),
        (SEATS, 'frontend = "b"', 'frontend = "plane"', "step 3: no frontend is called plane"),
        (D09, 'defect = "D09"', 'remedy = "F0"', "there is no finding 'F0'"),
        (SEATS, 'keep = "second"', 'keep = "first"', "an earlier step has that name"),
        (SEAL, '"unanswered"', '"unanswerd"', "there is no answer to command called 'unanswerd'"),
        (SEAL, "answers = {command", "answers = {comnd", "no kind of effect called 'comnd'"),
        (SEAL, 'from = "fences"', 'from = "fence"', "there is no kept reply called 'fence': did"),
        (SEAL, 'at = "[0]"', 'at = "[1]"', "the reply 'fences' has nothing at '[1]'"),
        (D09, "f1's fence closes s0 at 0", "nonsense", "step 3: there is no outcome of 'f1/s0"),
        (D09, "step = 4", "step = 0", "breaks.step is 0, and the first step is 1"),
        (SEATS, "reply = {ok = 0}", 'reply = {error = "timeoot"}', "'timeoot': did you mean time"),
        (SEAL, '"unanswered"', "{done = true}", "answers.command needs one of error, sealed"),
    ],
)
def test_what_cannot_be_run_gets_one_line_with_the_file_and_exit_2(
    path: str,
    old: str,
    new: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = changed(path, old, new, tmp_path)

    code = run(["run", file])

    (line,) = capsys.readouterr().err.splitlines()
    assert code == Exit.USAGE
    assert line.startswith(f"malachi-model: {file}:")
    assert said in line


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file or directory"),
        (b"\xff", "not UTF-8 at byte 0"),
        (b"x = " + b"[" * 3000, "not TOML: |nested too deep"),
        (b"x = 1" + b"0" * 5000, "a number has too many digits"),
        (b"#" * (parsing.MOST_BYTES + 1), "longer than 4 MiB"),
        (b'format = "malachi-case/1"', "either a .world. or a .plane."),
        (b'format = "malachi-case/1"\nname = "x"\n[world]\n', "steps is missing"),
        (
            b'format = "malachi-case/1"\nname = "x"\nsteps = []\n[world]\nscope = "roll"',
            "steps is empty",
        ),
    ],
)
def test_a_file_that_is_no_case_gets_one_line(
    content: bytes | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "no case.toml"
    if content is not None:
        file.write_bytes(content)

    code = run(["run", str(file)])

    (line,) = capsys.readouterr().err.splitlines()
    assert code == Exit.USAGE
    assert re.search(said, line)


def test_the_worst_of_several_cases_counts_and_the_others_are_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = str(DATA / D09), changed(D09, "step = 4", "step = 3", tmp_path)

    code = run(["run", "no/case.toml", bad, good, "--format", "json"])

    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(schema_text("run")))
    assert code == Exit.BROKEN
    assert [file["verdict"] for file in report["files"]] == ["broken", "as expected"]
    assert len(report["unreadable"]) == 1


def test_the_scenarios_that_ship_run_as_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    """A scenario that breaks a law on purpose says which, and where."""
    code = run(["run", str(Path(suites.__file__).parent)])

    assert code == Exit.OK
    assert capsys.readouterr().out.splitlines()[-1].startswith("as expected: ")


@pytest.mark.parametrize("brokers", ['"p"', "5"])
def test_an_open_without_a_list_of_brokers_has_to_say_what_comes_of_it(brokers: str) -> None:
    """[PLC-15] A slip of the pen is no refused open, unless its case says so."""
    case = (DATA / SEAL).read_text("utf-8").split('\n[[steps]]\nfrontend = "a"\ncall = "create')[0]
    case = case.replace('["p"]', brokers)

    with pytest.raises(MalformedError, match=r"step 1: args.brokers is .*, not a list"):
        parse(case)
    said = 'reply = {raise = "ArgumentError"}'
    assert run_case(parse(case + said)).verdict == "as expected"


def test_an_error_that_a_case_has_an_effect_answer_may_be_expected() -> None:
    """[PRD-28] A reason of an effect's own is none that is misspelt."""
    text = (DATA / SEAL).read_text("utf-8").replace('"unanswered"', '{error = "odd"}')
    text = text.replace('reply = "ok"', 'reply = {error = "odd"}')

    assert run_case(parse(text)).verdict == "departs"
    with pytest.raises(MalformedError, match="step 7: there is no error called 'odder': did you"):
        run_case(parse(text.replace('reply = {error = "odd"}', 'reply = {error = "odder"}')))


def test_a_folder_without_a_case_is_nothing_selected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["run", str(tmp_path)])

    assert code == Exit.NOTHING
    assert "no .toml file in this folder" in capsys.readouterr().err


def test_a_step_that_can_end_in_two_ways_needs_an_outcome() -> None:
    text = """
        format = "malachi-case/1"
        name = "a seal that nobody hears"
        world = {scope = "faults"}
        steps = [
            {step = "f1.1 opens a segment"},
            {step = "f1 fences s0"},
            {step = "f1/s0 closes"},
            {step = "f1/s0 is unheard"},
        ]
    """

    with pytest.raises(MalformedError, match=r"step 4: .* needs an outcome: .* or .*unanswered"):
        run_case(parse(text))


def test_a_finding_does_not_come_about_where_its_remedy_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["run", changed("findings/F11.toml", "finding =", "remedy =", tmp_path)])

    assert code == Exit.BROKEN
    assert "unbroken, 4 of 7 steps" in capsys.readouterr().out


def test_the_story_of_a_case_shows_what_each_step_changed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run(["run", str(DATA / D09), str(DATA / SEATS), "--story"])

    said = capsys.readouterr().out
    assert code == Exit.OK
    assert "3. f1's fence closes s0 at 0\n     s0 at its primary: nothing -> no record" in said
    assert "10. deliver fence: a calls store_fence" in said
    assert "store[t.0.0].fence: null -> [1, 42]" in said


@pytest.mark.parametrize(
    ("command", "name"), [("defects", "D09"), ("findings", "F6")], ids=["defect", "finding"]
)
def test_a_counterexample_that_was_kept_runs_as_its_case_says(
    command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run([command, name, "--out", str(tmp_path / "kept")])

    code = run(["run", str(tmp_path / "kept" / f"{name}.toml")])

    assert code == Exit.OK
    assert "as expected: 1 case" in capsys.readouterr().out


def test_what_cannot_be_kept_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")

    code = run(["defects", "D41", "--out", str(tmp_path / "file" / "below")])

    assert code == Exit.USAGE
    assert "cannot be written" in capsys.readouterr().err


def test_an_expected_step_and_a_stored_case_stay_apart() -> None:
    case = load(DATA / D09)

    assert isinstance(case, WorldCase)
    assert case.breaks is not None
    assert case.breaks.step == len(case.steps)
