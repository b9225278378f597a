"""The table of known deviations is strict both ways: nothing more differs, and nothing less."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from checker.commands.main import run
from checker.replay import deviations
from checker.replay.comparing import Difference
from checker.replay.deviations import (
    Case,
    Covering,
    Deviation,
    Deviations,
    known_deviations,
    load,
)
from checker.replay.replaying import replay_paths
from checker.replay.result import CallDifference, ReplayResult
from checker.replay.terms import MalformedError, fields, items
from tests.recordings import TRACES, lines_of, path_of, put, written

KINDS = known_deviations().kinds


def with_kinds(*kinds: Deviation) -> Deviations:
    """The table with other kinds in it."""
    return replace(known_deviations(), kinds=kinds)


def replayed(table: Deviations, *numbers: str) -> ReplayResult:
    """What comes of some recordings under a table."""
    return replay_paths([path_of(number) for number in numbers], deviations=table)


def table_of(field: str) -> str:
    """A table as text, sound but for one field, which comes first or besides."""
    table = {"implementation": '"x"', "recordings": "{}", "deviations": "[]"}
    fields = [f'"{key}": {value}' for key, value in table.items() if f'"{key}"' not in field]
    return f"{{{', '.join([field, *fields])}}}"


def kinds_of(*changes: dict[str, str], **change: str) -> str:
    """Kinds as text, sound but for what is changed."""
    sound: dict[str, object] = {"name": "a", "clause": "ROL-24", "reason": "so", "cases": []}
    return f'"deviations": {json.dumps([sound | one for one in changes or (change,)])}'


def covered_files(kind: Deviation) -> list[Path]:
    """The recordings that a kind is about."""
    stems = {file for case in kind.cases for file, _ in case.covers}
    return sorted(path for path in TRACES.rglob("*.jsonl") if path.stem in stems)


def only_case(table: Deviations, number: str) -> tuple[Deviation, Case]:
    """The one case that covers a recording."""
    [found] = [
        (kind, case)
        for kind in table.kinds
        for case in kind.cases
        if any(file == path_of(number).stem for file, _ in case.covers)
    ]
    return found


@pytest.mark.parametrize("gone", KINDS, ids=lambda kind: kind.name)
def test_removing_any_kind_turns_replay_red(gone: Deviation) -> None:
    table = with_kinds(*(kind for kind in KINDS if kind != gone))

    result = replay_paths(covered_files(gone), deviations=table)

    assert (result.verdict, result.exit_code) == ("differs", 1)
    assert result.unexplained == sum(len(case.covers) for case in gone.cases)
    assert {one.clause for one in result.differences} == {gone.clause}


def test_removing_any_one_covered_call_turns_replay_red() -> None:
    for kind in KINDS:
        case = kind.cases[0]
        [call, *rest] = case.covers
        less = replace(kind, cases=(replace(case, covers=tuple(rest)), *kind.cases[1:]))
        others = [each for each in KINDS if each != kind]

        result = replayed(with_kinds(*others, less), call[0])

        assert [(one.n, one.first) for one in result.differences] == [(call[1], case.places[0])]


def test_a_covered_call_that_agrees_is_stale(tmp_path: Path) -> None:
    number = "066"
    kind, case = only_case(known_deviations(), number)
    lines = lines_of(number)
    put("reply", case.places[0].expected)(lines[case.covers[0][1] + 1])

    result = replay_paths([written(tmp_path, lines, path_of(number).stem)])

    assert (result.verdict, result.unexplained) == ("differs", 0)
    [stale] = result.stale
    assert (stale.line, stale.reason) == (
        case.covers[0][1] + 2,
        f"deviation {kind.name} covers call {case.covers[0][1]}, which does not show it",
    )


@pytest.mark.parametrize("field", ["expected", "observed", "path"])
def test_a_covered_call_that_differs_otherwise_is_unexplained_and_its_entry_stale(
    field: str,
) -> None:
    kind, case = only_case(known_deviations(), "066")
    other = replace(case, places=(replace(case.places[0], **{field: "else"}),))

    result = replayed(with_kinds(replace(kind, cases=(other,))), "066")

    assert (result.unexplained, len(result.stale), result.known_deviations) == (1, 1, 0)


def test_a_covered_call_that_differs_in_one_more_place_is_unexplained(tmp_path: Path) -> None:
    _, case = only_case(known_deviations(), "066")
    lines = lines_of("066")
    put("state.unrecovered", [["t", 0]])(lines[case.covers[0][1] + 1])

    result = replay_paths([written(tmp_path, lines, path_of("066").stem)])

    assert [place.path for place in result.differences[0].places] == [
        "reply",
        "state.unrecovered[0]",
    ]


def test_an_entry_of_another_clause_or_call_explains_nothing() -> None:
    kind, case = only_case(known_deviations(), "066")
    of_clause = replace(kind, clause="ROL-23")
    of_call = replace(kind, cases=(replace(case, call="due_rolls"),))

    for entry in (of_clause, of_call):
        assert replayed(with_kinds(entry), "066").unexplained == 1


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (("nowhere", 3), "covers call 3 of it, and it is no recording"),
        (("random-001", 10_000), "covers call 10000, and it has no such call"),
    ],
)
def test_an_entry_that_can_match_no_recorded_call_is_stale_whatever_is_replayed(
    call: tuple[str, int], reason: str
) -> None:
    kind, case = only_case(known_deviations(), "066")
    bogus = replace(kind, name="bogus", cases=(replace(case, covers=(call,)),))

    result = replayed(with_kinds(*KINDS, bogus), "188")

    assert (result.verdict, result.unexplained) == ("differs", 0)
    assert [stale.reason for stale in result.stale] == [f"deviation bogus {reason}"]


def test_two_entries_for_one_call_and_an_entry_for_none_are_stale() -> None:
    kind, _ = only_case(known_deviations(), "066")
    empty = Deviation("empty", "ROL-24", "none", ())

    result = replayed(with_kinds(*KINDS, replace(kind, name="again"), empty), "188")

    reasons = [stale.reason for stale in result.stale]
    assert len(reasons) == sum(len(case.covers) for case in kind.cases) + 1
    assert reasons[0].endswith("and so does another entry")
    assert reasons[-1] == "this deviation covers no call"


def test_an_entry_for_a_recording_that_was_not_replayed_is_not_stale() -> None:
    result = replayed(known_deviations(), "188")

    assert (result.verdict, result.stale) == ("agrees", ())


@pytest.mark.parametrize("left", [0, 1, 5])
def test_a_known_recording_that_ends_at_an_earlier_line_is_malformed(
    tmp_path: Path, left: int
) -> None:
    lines = lines_of("066")

    result = replay_paths([written(tmp_path, lines[: left + 1], path_of("066").stem)])

    assert (result.verdict, result.exit_code, result.stale) == ("malformed", 2, ())
    [complaint] = result.malformed
    assert complaint.reason == f"ends after {left} of {len(lines) - 1} calls"


def test_a_known_recording_that_is_longer_than_known_is_malformed(tmp_path: Path) -> None:
    lines = lines_of("066")
    calls = len(lines) - 1
    again = {**lines[-1], "n": calls, "call": "metadata", "args": {}, "effects": []}
    again["reply"] = again["state"]["metadata"]

    result = replay_paths([written(tmp_path, [*lines, again], path_of("066").stem)])

    [complaint] = result.malformed
    assert complaint.reason.startswith(f"has {calls + 1} calls, and the table")


@pytest.mark.parametrize(("number", "flag"), [(0, False), (1, True)])
@pytest.mark.parametrize("is_expected", [True, False])
def test_a_flag_in_a_known_deviation_does_not_pass_for_a_number(
    number: int, flag: bool, is_expected: bool
) -> None:
    kind, case = only_case(known_deviations(), "066")
    place, other = (
        Difference("reply", [it], "x") if is_expected else Difference("reply", "x", [it])
        for it in (number, flag)
    )
    found = CallDifference("f", 2, 0, "a", case.call, kind.clause, (place,))

    explained = [
        Covering(kind, replace(case, places=(one,))).explains(found) for one in (place, other)
    ]

    assert explained == [True, False]


def test_the_table_is_not_about_another_implementation(tmp_path: Path) -> None:
    lines = lines_of("066")
    put("implementation", "another broker")(lines[0])

    result = replay_paths([written(tmp_path, lines, path_of("066").stem)])

    assert (result.unexplained, result.stale) == (1, ())


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ("", "the table of known deviations is empty"),
        ("no", "not JSON: Expecting value"),
        ("[]", "the table is a list of 0, not an object"),
        ("{}", "implementation is missing"),
        ('{"implementation": 1, "recordings": {}, "deviations": []}', "implementation is 1"),
        (table_of('"recordings": {"a": -1}'), "recordings.a is -1, not a whole number from 0"),
        (table_of('"recordings": {"a": 1.5}'), "1.5 is not a whole number"),
        (table_of('"recordings": {"a": 1, "a": 1}'), 'key "a" stands twice'),
        (table_of('"deviations": [{}]'), "deviations[0].name is missing"),
        (table_of('"more": 1'), 'the table has the unknown field "more"'),
        (table_of(kinds_of(name="")), "deviations[0].name is blank"),
        (table_of(kinds_of(reason=" ")), "deviations[0].reason is blank"),
        (
            table_of(kinds_of(clause="ROL-nought")),
            'deviations[0].clause is "ROL-nought", not a clause',
        ),
        (table_of(kinds_of({}, {})), 'deviations[1].name is "a" once more'),
    ],
)
def test_a_table_of_another_shape_is_refused(document: str, reason: str) -> None:
    with pytest.raises(MalformedError, match=f"^{re.escape(reason)}"):
        load(document.encode())


def test_a_damaged_table_is_one_line_that_names_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known_deviations.cache_clear()
    monkeypatch.setattr(deviations, "files", lambda _: tmp_path)

    codes = [run(["replay", str(path_of("066"))])]
    (tmp_path / "deviations.json").write_text("{")
    codes.append(run(["replay", str(path_of("066"))]))

    missing, damaged = capsys.readouterr().err.splitlines()
    assert codes == [2, 2]
    assert f"{tmp_path / 'deviations.json'}: No such file" in missing
    assert f"{tmp_path / 'deviations.json'}: not JSON: " in damaged


def test_a_report_is_one_object_of_json() -> None:
    report = replayed(with_kinds(), "066").as_json()

    assert json.loads(json.dumps(report)) == report
    differs = fields(items(report["differences"], "differences", 1)[0], "the difference")
    assert (differs["path"], differs["clause"]) == ("reply", "ROL-24")
    assert {key: report[key] for key in ("files", "calls", "known_deviations", "unexplained")} == {
        "files": 1,
        "calls": len(lines_of("066")) - 1,
        "known_deviations": 0,
        "unexplained": 1,
    }
