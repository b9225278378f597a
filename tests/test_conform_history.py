"""Client histories: what no queue for each key explains, and what stays open."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from checker.commands.exits import Exit
from checker.commands.main import run
from checker.commands.schema import schema_text
from checker.conform.histories.events import read
from checker.conform.histories.judging import Verdict, judge
from tests.client_histories import (
    Line,
    Simulated,
    consume,
    is_explained,
    page,
    produce,
    rec,
    whole,
)

SCHEMA = Draft202012Validator(json.loads(schema_text("history")))


def judged(*lines: Line) -> Verdict:
    """What comes of events."""
    texts = [json.dumps(line) + "\n" for line in whole(*lines)]
    return judge(read(enumerate(texts, 1)))


def kinds(*lines: Line) -> list[str]:
    """The anomalies of events by kind."""
    return [each.kind for each in judged(*lines).anomalies]


def sent(*values: str) -> list[Line]:
    """Produces that were acknowledged, one after the other."""
    return [
        line
        for number, value in enumerate(values)
        for line in (produce(number, value), {"ok": number})
    ]


def test_what_queues_explain_is_a_pass() -> None:
    verdict = judged(*sent("1", "2"), consume(9), page(9, 2, "1", "2"), consume(10, 2), page(10, 2))

    assert verdict.anomalies == []
    assert (verdict.produced, verdict.delivered, verdict.unread) == (2, 2, 0)


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ([*sent("1", "2"), consume(9), page(9, 1, "2")], "lost"),
        ([*sent("1"), consume(9, final=True), page(9, 0)], "lost"),
        (
            [*sent("1", "2"), consume(9), page(9, 1, "1"), consume(10, 1, final=True), page(10, 1)],
            "lost",
        ),
        ([produce(0, "1", "2"), {"ok": 0}, consume(9), page(9, 1, "2")], "lost"),
        ([*sent("1", "2"), consume(8), page(8, 2, "1", "2"), consume(9), page(9, 2, "2")], "lost"),
        (
            [
                *sent("1"),
                consume(8),
                page(8, 1, "1"),
                consume(9, "start", "1", final=True),
                page(9, 0),
            ],
            "lost",
        ),
        ([*sent("1"), consume(9), page(9, 2, "1", "1")], "duplicated"),
        ([*sent("1"), consume(8), page(8, 1, "1"), consume(9, 1), page(9, 2, "1")], "duplicated"),
        ([*sent("1", "2"), consume(9), page(9, 2, "2", "1")], "reordered"),
        ([produce(0, "1", "2"), {"ok": 0}, consume(9), page(9, 2, "2", "1")], "reordered"),
        (
            [
                produce(0, "1"),
                produce(1, "2"),
                consume(8),
                page(8, 2, "1", "2"),
                consume(9, "start", "1"),
                page(9, 2, "2", "1"),
            ],
            "reordered",
        ),
        ([*sent("1"), consume(9), page(9, 2, "1", "x")], "phantom"),
        ([*sent("1"), consume(9), page(9, 1, "1", key="other")], "phantom"),
        ([produce(0, "1"), {"fail": 0}, consume(9), page(9, 1, "1")], "phantom"),
        ([produce(0, "1"), consume(9), page(9, 1, "1"), {"fail": 0}], "phantom"),
        ([consume(0), page(0, 1, "1"), produce(1, "1"), {"ok": 1}], "phantom"),
    ],
)
def test_each_kind_of_anomaly_is_seen(lines: list[Line], kind: str) -> None:
    assert kind in kinds(*lines)


def test_a_cursor_that_points_before_the_end_of_its_page_is_a_duplicate() -> None:
    read_on = [consume(8), page(8, 2, "1", "2"), consume(9), page(9, 2, "1")]

    assert kinds(*sent("1", "2"), *read_on) == ["lost"]
    assert kinds(
        *sent("1", "2"), consume(7), page(7, 1, "1"), *read_on[:1], page(8, 1, "1", "2")
    ) == ["duplicated"]


def test_a_lost_produce_may_be_stored_or_not_or_later_and_once_an_attempt() -> None:
    lost = [produce(0, "1"), {"lost": 0}]
    end = [consume(8, 0, final=True), page(8, 0)]

    assert kinds(*lost, consume(7), page(7, 0), *end) == []
    assert kinds(*lost, consume(7), page(7, 0), consume(8, 0), page(8, 1, "1")) == []
    assert kinds(*lost, produce(1, "1"), {"ok": 1}, consume(7), page(7, 2, "1", "1")) == []
    assert kinds(*lost, produce(1, "1"), {"ok": 1}, consume(7), page(7, 3, "1", "1", "1")) == [
        "duplicated"
    ]
    again = [consume(7), page(7, 2, "1", "1"), {"fail": 1}]
    assert kinds(*lost, produce(1, "1"), *again) == ["duplicated"]


def test_two_acknowledged_attempts_stand_twice() -> None:
    twice = [produce(0, "1"), {"ok": 0}, produce(1, "1"), {"ok": 1}]

    assert (
        kinds(*twice, consume(7), page(7, 2, "1", "1"), consume(8, 2, final=True), page(8, 2)) == []
    )
    assert kinds(*twice, consume(7), page(7, 1, "1"), consume(8, 1, final=True), page(8, 1)) == [
        "lost"
    ]


def test_what_was_told_as_passed_excuses_so_many_records() -> None:
    def passed(count: object) -> list[str]:
        return kinds(*sent("1", "2", "3"), consume(9), page(9, 3, "3", skipped=count))

    assert passed(2) == passed("unknown") == []
    assert passed(1) == ["lost"]
    assert passed(0) == ["lost", "lost"]


def test_a_reader_who_comes_later_may_have_less_where_that_is_told() -> None:
    early = [*sent("1", "2", "3"), consume(7), page(7, 3, "1", "2", "3")]

    assert kinds(*early, consume(8), page(8, 3, "3", skipped=2)) == []
    assert kinds(*early, consume(8), page(8, 2, skipped=2), consume(9, 2), page(9, 3, "3")) == []
    assert kinds(*early, consume(8), page(8, 3, "3", skipped=1)) == ["lost", "lost"]


def test_a_reader_who_went_out_early_and_comes_back_late_may_have_more() -> None:
    late = [consume(8), consume(9), page(9, 3, "3", skipped=2), page(8, 3, "1", "2", "3")]

    assert kinds(*sent("1", "2", "3"), *late) == []


def test_streams_with_gaps_that_were_told_are_compared_by_order_alone() -> None:
    open_ones = [produce(0, "1"), produce(1, "2"), produce(2, "3")]
    first = [consume(7), page(7, 3, "1", "2", "3")]

    assert kinds(*open_ones, *first, consume(8, "start", "1"), page(8, 3, "3", skipped=2)) == []
    swapped = page(8, 3, "3", "2", skipped=1)
    assert kinds(*open_ones, *first, consume(8, "start", "1"), swapped) == ["reordered"]


def test_a_cursor_from_before_the_history_is_a_place_of_its_own() -> None:
    verdict = judged(*sent("1", "2"), consume(9, [4, 4]), page(9, [4, 5], "2"))

    assert (verdict.anomalies, verdict.unplaced, verdict.unread) == ([], 1, 1)
    assert kinds(*sent("1", "2"), consume(9, [4, 4]), page(9, 5, "2", "1")) == ["reordered"]


def committed(number: int, cursor: int, frontend: str, outcome: str = "ok") -> list[Line]:
    """A commit, and its end."""
    call = {"invoke": number, "client": "c", "op": "commit", "group": "g", "topic": "t"}
    return [{**call, "stream": "0", "cursor": cursor, "frontend": frontend}, {outcome: number}]


def asked(number: int, cursor: int | None, frontend: str) -> list[Line]:
    """A group asks for its position, and is answered this."""
    call = {"invoke": number, "client": "c", "op": "committed", "group": "g", "topic": "t"}
    return [{**call, "stream": "0", "frontend": frontend}, {"ok": number, "cursor": cursor}]


def test_a_position_is_one_that_was_committed_and_not_behind_the_own_one() -> None:
    two = [*committed(1, 3, "f1"), *committed(2, 5, "f1")]

    assert kinds(*two, *asked(3, 5, "f1"), *asked(4, 3, "f2"), *asked(5, None, "f2")) == []
    assert kinds(*two, *asked(3, 3, "f1")) == ["position"]
    assert kinds(*two, *asked(3, 4, "f2")) == ["position"]
    assert kinds(*committed(1, 3, "f1", "fail"), *asked(3, 3, "f1")) == ["position"]
    assert kinds(*two, *committed(3, 3, "f2", "lost"), *asked(4, 3, "f1")) == []


@settings(max_examples=400)
@given(st.integers(0, 10**9), st.integers(0, 3))
def test_an_anomaly_is_seen_where_no_queue_explains_a_history_and_only_there(
    seed: int, mistakes: int
) -> None:
    lines = Simulated(Random(seed), mistakes=mistakes).history(12)

    assert bool(kinds(*lines)) is not is_explained(lines)


@settings(max_examples=200)
@given(st.integers(0, 10**9), st.integers(0, 2))
def test_nothing_that_attempts_with_one_value_explain_is_called_an_anomaly(
    seed: int, mistakes: int
) -> None:
    lines = Simulated(Random(seed), mistakes=mistakes, retries=True).history(12)

    if is_explained(lines):
        assert kinds(*lines) == []


def written(path: Path, *lines: object) -> str:
    """A file of lines."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([*sent("1"), consume(9), page(9, 1, "1")], Exit.OK),
        ([*sent("1"), consume(9), page(9, 1, "x")], Exit.BROKEN),
        ([*sent("1"), consume(9), page(9, 0)], Exit.UNDETERMINED),
        ([produce(0, "1"), {"lost": 0}, consume(9), page(9, 0)], Exit.OK),
        ([], Exit.NOTHING),
    ],
)
def test_a_history_ends_with_its_code(tmp_path: Path, lines: list[Line], code: Exit) -> None:
    assert run(["conform", "history", written(tmp_path / "h", *whole(*lines))]) == code


def test_an_anomaly_is_told_with_its_line_and_clause_and_at_most_ten_times(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    strangers = page(9, 12, *(f"x{number}" for number in range(12)))

    run(["conform", "history", written(tmp_path / "h", *whole(consume(9), strangers))])

    said = capsys.readouterr().out.splitlines()
    assert said[0] == "line 3: phantom: 'x0' of key 'k' is delivered in t: nobody had sent it"
    assert len([each for each in said if each.startswith("line")]) == 10
    assert said[10] == "and 2 more phantom"
    assert said[11].startswith("phantom breaks RDG-35: A log answers its records from the given")
    assert said[-1] == "2 events: 0 records sent, 12 delivered; 12 phantom"


def test_a_history_that_was_cut_off_never_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = whole(*sent("1"), consume(9), page(9, 1, "1"))
    bad = whole(*sent("1"), consume(9), page(9, 1, "x"))

    assert run(["conform", "history", written(tmp_path / "h", *good[:-1])]) == Exit.USAGE
    assert "h was cut off: it has no footer after 4 events" in capsys.readouterr().err
    assert run(["conform", "history", written(tmp_path / "h", *bad[:-1])]) == Exit.BROKEN
    text = "".join(json.dumps(line) + "\n" for line in good)
    (tmp_path / "h").write_text(text[:-40])
    assert run(["conform", "history", str(tmp_path / "h")]) == Exit.USAGE
    assert "was cut off: line 5 ends in the middle" in capsys.readouterr().err
    (tmp_path / "h").write_text("")
    assert run(["conform", "history", str(tmp_path / "h")]) == Exit.USAGE
    missing = [good[0], *good[2:]]
    assert run(["conform", "history", written(tmp_path / "h", *missing)]) == Exit.USAGE


HEAD: Callable[..., list[Any]] = lambda *lines: [{"format": "malachi-history/1"}, *lines]  # noqa: E731 # short, and used in a table


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([{"format": "other/1"}], "line 1: it is no header of malachi-history/1"),
        (HEAD([1]), "line 2: it is no object"),
        (HEAD({"op": "produce"}), "line 2: it has none of invoke, ok, fail, lost, footer"),
        (HEAD({**produce(0, "1"), "op": "send"}), 'line 2: op is "send", and not one of produce,'),
        (HEAD({"invoke": 0, "op": "consume"}), "line 2: client is missing"),
        (HEAD({"invoke": 0, "opp": "consume"}), 'line 2: op is missing, and "opp" is unknown'),
        (HEAD({"okay": 0}), 'footer: it has "okay"'),
        (HEAD({**produce(0, "1"), "colour": 1}), 'line 2: "colour" is unknown'),
        (HEAD({**produce(0, "1"), "records": 1}), "line 2: records is 1, and no list"),
        (HEAD({**produce(0), "records": [{"key": 1, "value": "1"}]}), "a value is text, a key"),
        (HEAD({**produce(0), "records": [{"value": "1"}]}), "has not just key and value"),
        (HEAD(produce(0, "1"), produce(0, "2")), "line 3: invoke 0 comes after 0: they ascend"),
        (HEAD({"ok": 4}), "h, line 2: ok 4 ends what is not open"),
        (HEAD({"ok": -1}), "line 2: ok is -1, and no whole number from 0"),
        (HEAD({"fail": 1, "records": []}), 'line 2: "records" is unknown'),
        (HEAD(consume(0, 1.5)), "a cursor is text, a number or a list of numbers"),
        (HEAD(consume(0, "start", final=1)), "final is 1, and neither true nor false"),
        (HEAD({"ok": 0, "skipped": "many"}), "and neither a count nor 'unknown'"),
        (HEAD({**produce(0, "1"), "topic": 1}), "line 2: topic is 1, and no text"),
        (HEAD({"footer": 1}), "line 2: a footer is"),
        (HEAD({"footer": {"events": 0}}, {}), "line 2: something stands behind the footer"),
    ],
)
def test_a_file_that_is_no_history_is_refused_in_one_line(
    tmp_path: Path, lines: list[Any], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["conform", "history", written(tmp_path / "h", *lines)]) == Exit.USAGE

    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\n", "is not written in UTF-8"),
        (b"{\n", "line 1: it is no JSON"),
        (b"[1\n", "line 1: it is no JSON"),
        (b"[" * 100_000 + b"\n", "line 1: it is nested too deeply"),
        (b"\xef\xbb\xbf{}\n", "line 1: it begins with a byte order mark"),
        (b'{"ok": ' + b"1" * 5_000 + b"}\n", "line 1: a number has too many digits"),
        (b'{"format": 1, "format": 2}\n', 'line 1: "format" stands in it twice'),
    ],
)
def test_a_file_that_is_no_text_or_no_json_is_refused_in_one_line(
    tmp_path: Path, content: bytes, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "h").write_bytes(content)

    assert run(["conform", "history", str(tmp_path / "h")]) == Exit.USAGE
    error = capsys.readouterr().err
    assert f"{tmp_path / 'h'}" in error
    assert said in error
    assert error.count("\n") == 1


def test_what_a_terminal_would_obey_is_told_escaped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    strange = {**consume(9), "topic": "\x1b[2J"}

    run(["conform", "history", written(tmp_path / "h", *whole(strange, page(9, 1, "x")))])

    out = capsys.readouterr().out
    assert "in \\x1b[2J" in out
    assert "\x1b" not in out


def test_one_record_that_was_not_read_is_told_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["conform", "history", written(tmp_path / "h", *whole(*sent("1"), consume(9), page(9, 0)))])

    assert "1 acknowledged record was never read" in capsys.readouterr().out


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert run(["conform", "history", str(tmp_path / "none")]) == Exit.USAGE


def test_every_line_of_a_history_fits_the_published_schema() -> None:
    lines = whole(
        *sent("1"),
        {"lost": 1},
        {"fail": 1},
        consume(9, [0, 1], final=True),
        page(9, "x", "1", skipped="unknown"),
        page(9, None, skipped=3),
        *committed(1, 3, "f1"),
        *asked(2, 3, "f1"),
        {"invoke": 1, "client": "p", "op": "produce", "topic": "t", "records": [rec("1", None)]},
    )

    for line in lines:
        SCHEMA.validate(line)
    for line in ({"ok": -1}, {**produce(0, "1"), "colour": 1}, {"fail": 1, "records": []}, {}):
        assert not SCHEMA.is_valid(line)


def test_the_page_about_histories_shows_one_that_passes(tmp_path: Path) -> None:
    page_path = Path(__file__).parent.parent / "checker" / "conform" / "histories" / "README.md"
    shown = page_path.read_text("utf-8").split("```json\n")[1].split("```")[0]
    (tmp_path / "h").write_text(shown)

    assert run(["conform", "history", str(tmp_path / "h")]) == Exit.OK
    for line in shown.splitlines():
        SCHEMA.validate(json.loads(line))
