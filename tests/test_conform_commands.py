"""`malachi-model conform`: exit codes, reports, known failures, configuration."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from checker.commands.conform.selection import may_draw
from checker.commands.exits import Exit
from checker.commands.main import run
from checker.conform.known import KnownError, read_known, weigh
from checker.conform.outcomes import Finding
from checker.conform.reports.markdown import annotations
from checker.conform.reports.summary import Summary
from checker.conform.running import Result, claim
from checker.conform.suite import shipped
from checker.conform.walks import walk
from tests.conforming import SERVE

HOSTILE = Path(__file__).parent / "hostile_adapter.py"
WRONG = [*SERVE, "--wrong", "D09"]
THERE = ["--", *WRONG]
ONE = "roll-the-counter-is-set-back"
SIGNATURE = "fail/state record_seal state.offsets"


def listed(tmp_path: Path, **changed: str) -> str:
    """A list with one known failure."""
    given = {
        "id": f'"{ONE}"',
        "signature": f'"{SIGNATURE}"',
        "reason": '"raises"',
        "issue": '"12"',
        "until": "2999-01-01",
        **changed,
    }
    path = tmp_path / "known.toml"
    lines = "\n".join(f"{name} = {value}" for name, value in given.items())
    path.write_text(f"[[known]]\n{lines}\n")
    return str(path)


def conform(*arguments: str) -> int:
    """Run the command; a machine that is busy may take its time."""
    patient = (
        {"--start-ms": "120000", "--turn-ms": "60000"}.items() if arguments[0] == "run" else ()
    )
    given = [part for each in patient if each[0] not in arguments for part in each]
    return run(["conform", arguments[0], *given, *arguments[1:]])


def test_the_reference_over_standard_streams_has_a_full_claim(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = conform("run", "--walks", "0", "--", *SERVE)

    said = capsys.readouterr().out
    assert code == Exit.OK
    assert f"{len(shipped())} scenarios" in said
    assert "claim: L3 core+plan+roll+reshape+history+heal+recover+cache+policy" in said


def test_the_reference_over_a_socket_passes(capsys: pytest.CaptureFixture[str]) -> None:
    code = conform("run", "--only", "plan-*", "--tcp", "--", *SERVE, "--tcp")

    assert code == Exit.OK
    assert "claim: L3 plan" in capsys.readouterr().out


def test_a_wrong_broker_is_named_with_every_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds = ("events", "junit", "markdown", "sarif", "html")
    reports = [part for kind in kinds for part in (f"--{kind}", str(tmp_path / kind))]

    code = conform("run", "--only", ONE, *reports, "--save", str(tmp_path / "s"), "--", *WRONG)

    said = capsys.readouterr().out
    assert code == Exit.BROKEN
    assert f"{ONE}: fail/state" in said
    assert "ROL-6: `record_seal` sets the range's counter to the end that was recorded" in said
    assert "state.offsets[RangeId(topic=t, seq=0)]: 0 is allowed, 1 came" in said
    events = [json.loads(line) for line in (tmp_path / "events").read_text().splitlines()]
    assert [event["event"] for event in events] == ["header", "result", "footer"]
    assert events[1]["signature"] == SIGNATURE
    assert events[2]["exit"] == Exit.BROKEN
    suite = ET.parse(tmp_path / "junit").getroot()  # noqa: S314 # our own file
    assert [case.attrib["name"] for case in suite.iter("testcase")] == [ONE]
    assert len(list(suite.iter("failure"))) == 1
    assert f"| {ONE} | fail/state | ROL-6 |" in (tmp_path / "markdown").read_text()
    sarif = json.loads((tmp_path / "sarif").read_text())
    assert sarif["runs"][0]["results"][0]["ruleId"] == "ROL-6"
    html = (tmp_path / "html").read_text()
    assert "0</td>" in html
    assert "adapter</span>" in html
    assert conform("run", "--scenarios", str(tmp_path / "s"), "--reference") == Exit.OK


def test_a_known_failure_is_as_expected_and_strict_both_ways(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def judged(*program: str, **changed: str) -> int:
        known = ["--known", listed(tmp_path, **changed)]
        return conform("run", "--only", ONE, *known, "--no-shrink", *program)

    assert judged(*THERE) == Exit.OK
    assert "1 fail/state, 1 known" in capsys.readouterr().out
    assert judged("--reference") == Exit.BROKEN
    assert "passes, and is listed as a known failure" in capsys.readouterr().out
    assert judged(*THERE, until="2020-01-01") == Exit.BROKEN
    assert "was to be put up with until 2020-01-01 only" in capsys.readouterr().out
    assert judged(*THERE, signature='"fail/reply read"') == Exit.BROKEN
    assert judged(*THERE, id='"no-such-scenario"') == Exit.USAGE


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[[known]]\nid = 1", "known failure 1 needs exactly id, signature, reason, issue, until"),
        ("x = 1", "may hold nothing but [[known]]"),
        ("[[known", "cannot be read"),
    ],
)
def test_a_list_that_cannot_be_used_says_why(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "known.toml"
    path.write_text(content)

    with pytest.raises(KnownError) as raised:
        read_known(path)

    assert said in str(raised.value)


def test_a_list_names_no_scenario_twice_and_dates_its_entries(tmp_path: Path) -> None:
    once = Path(listed(tmp_path)).read_text()
    twice = tmp_path / "twice.toml"
    twice.write_text(once + once)

    with pytest.raises(KnownError, match="names roll-the-counter-is-set-back twice"):
        read_known(twice)
    with pytest.raises(KnownError, match="until is no date"):
        read_known(Path(listed(tmp_path, until='"soon"')))
    with pytest.raises(KnownError, match="reason is no text"):
        read_known(Path(listed(tmp_path, reason='""')))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("run", "--reference", "--only", "nothing-is-called-so"), Exit.NOTHING),
        (("run",), Exit.USAGE),
        (("run", "--reference", "--connect", "localhost:1"), Exit.USAGE),
        (("run", "--connect", "nowhere"), Exit.USAGE),
        (("run", "--", "/no/such/program"), Exit.USAGE),
        (("run", "--reference", "--profile", "cor"), Exit.USAGE),
        (("run", "--reference", "--known", "/no/such/file"), Exit.USAGE),
        (("smoke", "--", "/no/such/program"), Exit.USAGE),
        (("smoke", "--start-ms", "-1", "--", "true"), Exit.USAGE),
        (("serve", "--wrong", "D99"), Exit.USAGE),
        (("diff", "/no/such", "/no/such"), Exit.USAGE),
        (("known", "/no/such"), Exit.USAGE),
    ],
)
def test_what_cannot_be_run_ends_with_its_code(arguments: tuple[str, ...], code: Exit) -> None:
    assert conform(*arguments) == code


def test_a_call_that_an_adapter_lacks_is_untestable(capsys: pytest.CaptureFixture[str]) -> None:
    program = [sys.executable, str(HOSTILE), "wrong_id"]

    code = conform("run", "--only", "core-a-read-outside", "--", *program)

    assert code == Exit.UNDETERMINED
    assert "the adapter does not have produce, read: 1 (-v names them)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        ("wrong_id", "error/protocol at step 1, open: the id is 999"),
        ("leave", "error/exit at step 1, open: ended with exit code 3"),
        ("crash", "fail/crash at step 1, open: crashed (KeyError): no such thing"),
    ],
)
def test_a_hostile_adapter_ends_a_run_with_1(
    behaviour: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = conform(
        "run", "--only", "core-a-keyspace*", "--", sys.executable, str(HOSTILE), behaviour
    )

    assert code == Exit.BROKEN
    assert said in capsys.readouterr().out


def test_transcripts_are_the_same_however_many_adapters_play(tmp_path: Path) -> None:
    def played(jobs: int, seed: str) -> bytes:
        path = tmp_path / f"{jobs}-{seed}"
        only = ("--only", "roll-*", "--only", "walk-mixed-*", "--exhaustive", "split-again")
        arguments = ("run", *only, "-j", str(jobs), "--transcript", str(path), "--reference")
        subprocess.run(
            [sys.executable, "-m", "checker", "conform", *arguments],
            cwd=Path(__file__).parent.parent,
            env={"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        )
        return path.read_bytes()

    assert played(1, "1") == played(3, "2")


def test_several_adapters_need_a_program_to_start_and_fail_as_one_would() -> None:
    assert conform("run", "-j", "2", "--connect", "localhost:1") == Exit.USAGE
    assert conform("run", "-j", "0", "--reference") == Exit.USAGE
    assert conform("run", "--only", ONE, "--only", "core-*", "-j", "2", *THERE) == Exit.BROKEN


def test_what_is_unsupported_speaks_against_the_calls_that_are_lacking_alone() -> None:
    roll = next(each for each in shipped() if each.id == ONE)
    mixed = walk("mixed", 0)
    passed = Result(roll, "pass", "L3", 1)
    unsupported = Result(mixed, "unsupported", None, 0, lacks=("cache",))
    assert "roll" in mixed.spoken_for

    assert claim([passed, unsupported]) == "L3 roll"


def test_smoke_tells_whether_a_program_speaks_the_protocol(
    capsys: pytest.CaptureFixture[str],
) -> None:
    installed = [sys.executable, "-m", "checker", "conform", "serve"]

    assert conform("smoke", "--", *installed) == Exit.OK
    assert capsys.readouterr().out == (
        "malachi-model reference: 43 of 43 calls\nit speaks protocol 1: 2 calls answered\n"
    )
    assert conform("smoke", "--", sys.executable, str(HOSTILE), "silence_of_none") == Exit.BROKEN
    assert conform("smoke", "--", sys.executable, str(HOSTILE), "unknown_type") == Exit.BROKEN


def test_two_runs_are_compared_by_their_events(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, cut = (tmp_path / name for name in ("good", "bad", "cut"))
    conform("run", "--only", ONE, "--events", str(good), "--reference")
    conform("run", "--only", ONE, "--events", str(bad), "--", *WRONG)
    cut.write_text("\n".join(good.read_text().splitlines()[:-1]) + "\n")

    assert conform("diff", str(good), str(good)) == Exit.OK
    assert conform("diff", str(good), str(bad)) == Exit.BROKEN
    assert f"{ONE}: pass -> {SIGNATURE}" in capsys.readouterr().out
    assert conform("diff", str(cut), str(good)) == Exit.USAGE
    assert "was cut off" in capsys.readouterr().err


def test_a_configuration_file_stands_behind_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "malachi-conform.toml"
    config.write_text(
        f'program = {json.dumps(SERVE)}\nonly = ["plan-*"]\nwalks = 0\nlevel = "L2"\n'
    )
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))

    assert conform("run") == Exit.OK
    assert "judged at L2" in capsys.readouterr().out
    assert conform("run", "--reference", "--only", ONE) == Exit.OK
    assert "1 scenarios" in capsys.readouterr().out
    config.write_text("colour = 1\n")
    assert conform("run") == Exit.USAGE
    config.write_text('walks = "many"\n')
    assert conform("run") == Exit.USAGE


def test_lists_name_what_there_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert conform("list") == Exit.OK
    assert conform("list", "--wrong") == Exit.OK
    assert conform("known", listed(tmp_path)) == Exit.OK

    said = capsys.readouterr().out
    assert "roll: active_roll, due_rolls, request_rolls" in said
    assert "D09   SEAL-KEEPS-MAX (record_fence, record_seal)" in said
    assert f"{ONE}: {SIGNATURE} until 2999-01-01, 12: raises" in said


def test_a_walk_is_found_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert conform("run", "--reference", "--only", "walk-heal-77") == Exit.OK
    assert "1 scenarios" in capsys.readouterr().out


def test_at_most_ten_annotations_of_a_kind_are_written() -> None:
    scenario = shipped()[0]
    finding = Finding("fail/reply", 0, "f1", "read", "says 100%,\nnot: 99", "RDG-3")
    result = Result(scenario, "fail/reply", "L0", 1, finding)
    weighed = tuple(weigh(result, {}, date(2026, 1, 1)) for _ in range(12))

    lines = list(annotations(Summary("it", "L3", "", weighed)))

    assert len(lines) == 10
    assert lines[0] == (f"::error title={scenario.id}%3A fail/reply::read: says 100%25,%0Anot: 99")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--scenarios", "{}/no.txt"), Exit.USAGE, "no.txt: no case or recording"),
        (("--scenarios", "{}"), Exit.NOTHING, "no scenario is selected by --scenarios"),
        (("--only", "nope", "--walks", "1000000"), Exit.NOTHING, "is selected by --only nope"),
        (("--walks", "-1"), Exit.USAGE, "-1 is not in the range"),
        (("--start-ms", "-1"), Exit.USAGE, "-1 is not in the range"),
        (("--turn-ms", "-1"), Exit.USAGE, "-1 is not in the range"),
        (("--effects", "-1"), Exit.USAGE, "-1 is not in the range"),
        (("--known", "/no/such"), Exit.USAGE, "/no/such cannot be read: No such file or directory"),
    ],
)
def test_a_selection_or_a_number_that_is_of_no_use_is_refused_in_a_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    code: Exit,
    said: str,
) -> None:
    (tmp_path / "no.txt").write_text("root:x:0:0")
    given = [each.replace("{}", str(tmp_path)) for each in arguments]

    assert conform("run", "--reference", *given) == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (f"x = {'[' * 5_000}", "cannot be read: its values are nested too deep"),
        ("nosuch = 1", ": there is no setting 'nosuch'"),
        ("walks = -1", ": walks is -1, and not from 0 to 1000000"),
        ('level = "L9"', ": level is 'L9', and not one of L0, L1, L2, L3"),
        ("only = [1]", ": only is [1], and not all of it is text"),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_named_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, said: str
) -> None:
    path = tmp_path / "mine.toml"
    if content is not None:
        path.write_text(content)

    assert conform("run", "--config", str(path)) == Exit.USAGE
    told = capsys.readouterr().err
    assert said in told
    assert told.count(str(path)) == told.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file that is always full")
def test_a_report_that_cannot_be_written_is_named_after_all_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = tmp_path / "page.html"
    full = ("events", "junit", "markdown", "sarif", "transcript")
    reports = [part for kind in full for part in (f"--{kind}", "/dev/full")]
    only = ("--only", "core-a-keyspace-*")

    code = conform("run", *only, *reports, "--html", str(html), "--reference")

    told = capsys.readouterr()
    assert code == Exit.USAGE
    assert told.out.endswith("claim: L3 core (of a selection: 1 of the 61 scenarios that ship)\n")
    assert told.err.count("/dev/full cannot be written: No space left on device") == len(full)
    assert html.exists()
    assert conform("run", "--only", ONE, "--html", "/dev/full", *THERE) == Exit.BROKEN


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("hi", "the adapter sent what is no message: not JSON: Expecting value, column 1: hi"),
        ('{"type":"hello"}', 'the adapter sent a wrong welcome: type is "hello", not welcome'),
    ],
)
def test_what_answers_hello_wrongly_is_told_in_a_sentence(
    capsys: pytest.CaptureFixture[str], printed: str, said: str
) -> None:
    program = (sys.executable, "-c", f"print({printed!r})")

    assert conform("run", "--only", ONE, "--", *program) == Exit.BROKEN
    assert said in capsys.readouterr().err


def test_walks_are_drawn_only_where_one_may_be_meant() -> None:
    assert may_draw(())
    assert may_draw(("walk-*",))
    assert may_draw(("w[a]lk-core-1",))
    assert may_draw(("*",))
    assert not may_draw(("core-*", "walk-core-1", "walk"))
