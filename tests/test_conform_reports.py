"""What reports of a conformance run hold for those who read them by machine."""

import json
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from checker.commands.exits import Exit
from checker.commands.main import run
from checker.conform.calls.table import OPERATIONS
from checker.conform.known import Known, weigh
from checker.conform.outcomes import Finding, Outcome
from checker.conform.recorder import Line
from checker.conform.reports import events, junit, markdown, page, sarif, terminal
from checker.conform.reports.summary import Summary
from checker.conform.reports.terminal import lacking_of
from checker.conform.running import Result
from checker.conform.suite import shipped

HOSTILE = "<script>alert(1)</script> ]]> & \x00\x1b[31m | `x` \n::error::"
LINES: tuple[Line, ...] = (("<", {"type": "reply", "id": 1, "value": HOSTILE}),)
DAY = date(2026, 1, 1)
VOID = {"meta", "br"}


def result(at: int, outcome: Outcome, clause: str = "ROL-6", note: str = "") -> Result:
    """A result of a scenario."""
    is_finding = outcome.startswith(("fail/", "error/"))
    finding = Finding(outcome, 0, "f1", "read", HOSTILE, clause) if is_finding else None
    return Result(shipped()[at], outcome, "L3", 2, finding, note=note, lines=LINES)


def summary(*, is_whole: bool = True) -> Summary:
    """A run in which everything happens, under a name that means harm."""
    known = {
        shipped()[5].id: Known(shipped()[5].id, "fail/reply read", "why", "12", date(2999, 1, 1)),
        shipped()[6].id: Known(shipped()[6].id, "fail/reply read", "why", "12", date(2999, 1, 1)),
    }
    found = (
        result(0, "pass"),
        result(1, "fail/reply"),
        result(2, "error/exit", ""),
        result(3, "unsupported", note=HOSTILE),
        result(4, "flaky", note="once pass"),
        result(5, "fail/reply"),
        result(6, "pass"),
    )
    weighed = tuple(weigh(each, known, DAY) for each in found)
    return Summary(HOSTILE, "L3", "-- it", weighed, is_whole, unplayed=0 if is_whole else 5)


def test_a_junit_file_counts_what_it_holds_and_every_case_has_what_readers_ask_for(
    tmp_path: Path,
) -> None:
    junit.write(summary(), tmp_path / "junit")

    suites = ET.parse(tmp_path / "junit").getroot()  # noqa: S314 # our own file
    (suite,) = suites
    assert (suites.tag, suite.tag) == ("testsuites", "testsuite")
    assert [each.tag for each in suite] == ["properties", *["testcase"] * 7]
    counted = {name: suite.attrib[name] for name in ("tests", "failures", "errors", "skipped")}
    assert counted == {"tests": "7", "failures": "3", "errors": "1", "skipped": "2"}
    for case in suite.iter("testcase"):
        assert case.attrib.keys() == {"name", "classname", "time"}
        assert len(case) <= 1
        for entry in case:
            assert entry.tag in {"failure", "error", "skipped"}
            assert entry.attrib["message"]
            assert entry.tag == "skipped" or entry.attrib["type"]
    properties = {each.attrib["name"]: each.attrib["value"] for each in suite.iter("property")}
    assert properties["claim"] == summary().claim
    assert properties["whole"] == "true"


def test_every_report_tells_that_a_run_was_interrupted_and_claims_no_more_than_a_part(
    tmp_path: Path,
) -> None:
    said = "interrupted after 7 of 12 scenarios"
    for is_whole in (False, True):
        told = summary(is_whole=is_whole)
        junit.write(told, tmp_path / "junit")
        log = json.loads(sarif.text(told))["runs"][0]
        texts = (
            "\n".join(terminal.lines(told)),
            "\n".join(markdown.lines(told)),
            page.html(told),
            (tmp_path / "junit").read_text(),
            json.dumps(log["invocations"]),
        )
        claims = (told.claim, events.footer(told)["claim"], log["properties"]["claim"])

        assert [said in text for text in texts] == [not is_whole] * len(texts)
        assert [str(each).startswith("partial (") for each in claims] == [not is_whole] * 3
        assert events.footer(told)["unplayed"] == (0 if is_whole else 5)


def test_a_sarif_file_has_what_the_standard_and_github_require() -> None:
    log = json.loads(sarif.text(summary(is_whole=False)))

    assert log["version"] == "2.1.0"
    (only,) = log["runs"]
    assert only["tool"]["driver"]["name"] == "malachi-model"
    rules = only["tool"]["driver"]["rules"]
    assert [each["id"] for each in rules] == sorted({each["id"] for each in rules})
    (invocation,) = only["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["exitCode"] == Exit.BROKEN
    assert [(each["ruleId"], each["level"]) for each in only["results"]] == [
        ("ROL-6", "error"),
        ("error/exit", "error"),
        ("unsupported", "warning"),
        ("flaky", "error"),
        ("known/passes", "error"),
    ]
    for each in only["results"]:
        assert rules[each["ruleIndex"]]["id"] == each["ruleId"]
        assert each["message"]["text"]
        (place,) = each["locations"]
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        assert uri == f"scenarios/{place['logicalLocations'][0]['fullyQualifiedName']}.toml"
        assert place["physicalLocation"]["region"]["startLine"] == 1
        assert all(isinstance(value, str) for value in each["partialFingerprints"].values())


class Page(HTMLParser):
    """Whether a page closes what it opens, what it asks of others, and which elements it has."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self.seen.add(tag)
        self.links += [value or "" for name, value in attrs if name in {"src", "href"}]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """An element ends."""
        assert self.open.pop() == tag


def test_a_page_of_html_stands_alone_and_shows_what_was_said_as_text() -> None:
    written = Page()

    written.feed(page.html(summary()))

    assert written.open == []
    assert written.links == []
    assert "script" not in written.seen


def test_the_terminal_tells_failures_whole_and_counts_what_is_unsupported() -> None:
    short = list(terminal.lines(summary()))
    whole = list(terminal.lines(summary(), is_verbose=True))

    name = shipped()[3].id
    assert not any(line.startswith(name) for line in short)
    assert any(line.startswith(f"{name}: unsupported") for line in whole)
    failed = [line for line in short if line.startswith(f"{shipped()[1].id}: fail/reply")]
    assert len(failed) == 1
    said = "unsupported, as the adapter does not have room for so many brokers: 1 (-v names them)"
    assert said in short
    assert "  cache    L3   2 pass, 2 fail/reply, 1 unsupported, 1 error/exit, 1 flaky" in short


@pytest.mark.parametrize(("found", "is_told"), [("ROL-25", True), ("ROL-26", False), ("", False)])
def test_what_a_scenario_is_of_is_told_where_the_place_tells_another_clause(
    found: str, is_told: bool
) -> None:
    at = next(
        number
        for number, each in enumerate(shipped())
        if each.id == "roll-a-late-answer-is-dropped"
    )
    assert shipped()[at].clauses == ("ROL-26",)

    told = [*terminal.told(weigh(result(at, "fail/reply", found), {}, DAY))]

    assert any(line.startswith("  the scenario is of ROL-26: ") for line in told) is is_told


def test_of_many_calls_that_are_lacking_the_profiles_are_named() -> None:
    calls = tuple(name for name, one in OPERATIONS.items() if one.profile in {"heal", "cache"})
    lacking = replace(result(0, "unsupported"), missing=calls, lacks=("cache", "heal"))

    assert lacking_of([lacking]) == "7 calls of heal, cache"
    assert lacking_of([replace(lacking, missing=calls[:2])]) == ", ".join(sorted(calls[:2]))


def test_a_page_of_markdown_keeps_its_table_whatever_was_said() -> None:
    lines = list(markdown.lines(summary()))

    rows = [line for line in lines if line.startswith("| ")]
    assert len(rows) == 2 + 5
    assert all(line.replace("\\|", "").count("|") == 5 for line in rows)
    assert not any(line.startswith("::") for line in lines)


def test_an_annotation_is_one_command_whatever_was_said() -> None:
    lines = list(markdown.annotations(summary()))

    assert [line.split()[0] for line in lines] == [
        "::error",
        "::error",
        "::warning",
        *["::error"] * 2,
    ]
    assert not any("\n" in line or "\r" in line for line in lines)


def streamed(path: Path, run: Summary) -> Path:
    """The stream of a run, whose results came in the wrong order."""
    stream = events.Writer(path, run.implementation, run.level)
    for place in reversed(range(len(run.weighed))):
        stream.add(place, run.weighed[place])
    stream.end(run)
    return path


def test_a_stream_of_events_reads_back(tmp_path: Path) -> None:
    stream = events.read(streamed(tmp_path / "events", summary()))

    assert len(stream.results) == 7
    assert stream.footer["exit"] == Exit.BROKEN


@pytest.mark.parametrize(
    ("dropped", "added", "said"),
    [
        (-1, "", "was cut off"),
        (3, "", "was cut off"),
        (None, '{"event": "result"}', "has a result without id, outcome, signature"),
        (None, "[]", "holds no events"),
        (None, "{", "cannot be read"),
    ],
)
def test_a_stream_of_events_that_is_none_is_refused_in_one_line(
    tmp_path: Path, dropped: int | None, added: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = streamed(tmp_path / "events", summary())
    lines = path.read_text().splitlines()
    if dropped is not None:
        del lines[dropped]
    if added:
        lines.insert(2, added)
    path.write_text("\n".join(lines) + "\n")

    assert run(["conform", "diff", str(path), str(path)]) == Exit.USAGE

    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_two_runs_differ_in_what_is_new_gone_or_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def saved(name: str, *results: Result) -> str:
        weighed = tuple(weigh(each, {}, DAY) for each in results)
        return str(streamed(tmp_path / name, Summary("it", "L3", "", weighed)))

    before = saved("before", result(0, "pass"), result(1, "fail/reply"), result(2, "pass"))
    after = saved("after", result(0, "pass"), result(1, "fail/state"), result(3, "pass"))

    assert run(["conform", "diff", before, after]) == Exit.BROKEN
    said = capsys.readouterr().out.splitlines()
    ids = [each.id for each in shipped()]
    assert said[:3] == [
        f"{ids[1]}: fail/reply read -> fail/state read",
        f"{ids[2]}: pass -> (absent)",
        f"{ids[3]}: (absent) -> pass",
    ]


def test_a_list_with_a_known_failure_that_has_expired_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = '[[known]]\nid = "{id}"\nsignature = "s"\nreason = "r"\nissue = "1"\nuntil = {until}\n'
    path = tmp_path / "known.toml"
    path.write_text(entry.format(id="a", until="2999-01-01"))
    assert run(["conform", "known", str(path)]) == Exit.OK

    path.write_text(path.read_text() + entry.format(id="b", until="2020-01-01"))

    assert run(["conform", "known", str(path)]) == Exit.BROKEN
    said = capsys.readouterr().out
    assert "b: s EXPIRED on 2020-01-01, 1: r" in said
    assert "2 known failures, 1 of them expired" in said
