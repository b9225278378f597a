"""Input that is no recording: one line that says what and where, and the others are judged."""

import json
import os
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checker.replay.lines import DEPTH, LINE_BYTES, parse
from checker.replay.replaying import replay_paths
from checker.replay.result import ReplayResult
from checker.replay.terms import MalformedError
from tests.recordings import Line, changed, lines_of, path_of, put, written

NUMBER = "189"
GOOD = path_of("188")


def with_line(folder: Path, at: int, line: bytes) -> Path:
    """A recording whose line, from 1, is exchanged for other bytes."""
    lines = path_of(NUMBER).read_bytes().splitlines(keepends=True)
    lines[at - 1] = line
    path = folder / "changed.jsonl"
    path.write_bytes(b"".join(lines))
    return path


def only_complaint(result: ReplayResult) -> tuple[int | None, str]:
    """Where the one complaint is about, and what it says."""
    assert (result.verdict, result.exit_code) == ("malformed", 2)
    [complaint] = result.malformed
    assert "\n" not in complaint.text()
    assert complaint.text().startswith(complaint.file)
    return complaint.line, complaint.reason


def deep(depth: int) -> bytes:
    """Lists in one another."""
    return b"[" * depth + b"]" * depth + b"\n"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"hello\n", "not JSON: Expecting value, column 1"),
        (b"\n", "not JSON: Expecting value, column 1"),
        (b'{"n":1,\n', "not JSON: Expecting property name enclosed in double quotes"),
        (b'{"n":1} {"n":2}\n', "not JSON: Extra data, column 9"),
        (b'{"n":1,"n":1}\n', 'key "n" stands twice in one object'),
        (b'{"n":1.5}\n', "1.5 is not a whole number"),
        (b'{"n":1e3}\n', "1e3 is not a whole number"),
        (b'{"n":NaN}\n', "NaN is not a whole number"),
        (b'{"n":-Infinity}\n', "-Infinity is not a whole number"),
        (b'\xef\xbb\xbf{"n":1}\n', "begins with a byte order mark"),
        (b'{"n":"\xff"}\n', "not UTF-8 at byte 6"),
        (b'{"n":' + b"9" * 5000 + b"}\n", "a number has too many digits"),
        (deep(DEPTH + 1), f"nested more than {DEPTH} deep"),
        (deep(1_000_000), f"nested more than {DEPTH} deep"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n", f"nested more than {DEPTH} deep"),
        (b"[" * 100_000 + b"\n", f"nested more than {DEPTH} deep"),
        (deep(DEPTH), "the line is a list of 1, not an object"),
        (b"[]\n", "the line is a list of 0, not an object"),
        (b"{}\n", "args is missing"),
        (b'"\\ud800"\n', 'the line is "'),
    ],
)
def test_a_line_that_is_no_call_is_named(tmp_path: Path, line: bytes, reason: str) -> None:
    at, said = only_complaint(replay_paths([with_line(tmp_path, 3, line)]))

    assert at == 3
    assert said.startswith(reason)


@pytest.mark.parametrize("field", ["n", "frontend", "call", "args", "reply", "effects", "state"])
def test_a_field_that_is_missing_is_named(tmp_path: Path, field: str) -> None:
    path = changed(tmp_path, NUMBER, 2, lambda line: line.pop(field))

    assert only_complaint(replay_paths([path])) == (4, f"{field} is missing")


@pytest.mark.parametrize(
    ("n", "change", "reason"),
    [
        (2, put("n", 5), "n is 5, and 2 is next: a line is missing or twice"),
        (2, put("n", True), "n is true, not a whole number"),
        (2, put("n", 1 << 200), "n is a number of 201 bits, not one of at most 128 bits"),
        (2, put("n", -1), "n is -1, not a whole number from 0"),
        (2, put("note", 1), 'the line has the unknown field "note"'),
        (2, put("frontend", 1), "frontend is 1, not a string"),
        (2, put("call", "fly"), 'call is "fly", which the format does not have'),
        (2, put("args", []), "args is a list of 0, not an object"),
        (2, put("args.wings", 2), 'args has the unknown field "wings"'),
        (3, put("args", {"topic": "t"}), "args.records is missing"),
        (3, put("args.topic", 5), "args.topic is 5, not a string"),
        (3, put("args.topic", "\ud800"), "args.topic holds half a surrogate pair"),
        (3, put("args.records.0.key", 5), "args.records is 5, not a string"),
        (3, put("args.records.0.wings", 5), 'args.records has the unknown field "wings"'),
        (9, put("args.start_offset", {"x": "y"}), "args.start_offset is an object of 1, not"),
        (10, put("args.roll.wings", 5), 'args.roll has the unknown field "wings"'),
        (
            3,
            put("args.fault", {"fire": "hot"}),
            'args.fault names "fire", which is no kind of effect',
        ),
        (3, put("args.fault", {"read": {"at": 1}}), "args.fault.read needs one of error"),
        (
            3,
            put("args.fault", {"read": {"when": 1}}),
            'args.fault.read has the unknown field "when"',
        ),
        (3, put("args.fault", {"read": {"error": None}}), "args.fault.read.error is null, not a"),
        (3, put("args.fault", {"read": {"eof": {}}}), "args.fault.read.eof is an object of 0, not"),
        (3, put("args.fault", {"read": {"empty": False}}), "args.fault.read.empty is false, not"),
        (3, put("effects", {}), "effects is an object of 0, not a list"),
        (3, put("effects.0", 5), "effects[0] is 5, not an object"),
        (3, put("effects.0", {}), "effects[0].kind is missing"),
        (3, put("effects.0.kind", {}), "effects[0].kind is an object of 0, not command"),
        (3, put("effects.1.reply", {"ok": "x"}), 'effects[1].reply is "x", not a whole number'),
        (3, put("state", []), "state is a list of 0, not an object"),
        (3, put("state.offsets", "x"), 'state.offsets is "x", not a list'),
        (3, put("state.offsets.0.0", "t"), 'state.offsets is "t", not a list of 2'),
        (3, put("state.segments.0.1", {}), "state.segments.id is missing"),
        (3, put("state.metadata", {}), "state.metadata.topics is missing"),
        (3, put("state.metadata.topics.t.state", "odd"), "state.metadata.topics.t.state is"),
        (3, put("state.journal", [["split_range"]]), "state.journal is a list of 1, not a command"),
        (3, put("store.0.1.fence", [1]), "store.fence is a list of 1, not a list of 2"),
        (8, put("args.now", "soon"), 'args.now is "soon", not a whole number'),
        (10, put("authority.ranges", None), "authority.ranges is null, not a list"),
        (3, put("frontend", "c"), 'frontend "c" is not open'),
        (0, lambda line: line.pop("authority"), "authority is missing in the first call"),
        (0, lambda line: line.pop("store"), "store is missing in the first call"),
        (0, put("args.placement_policy", 5), "args.placement_policy is 5, not a string"),
    ],
)
def test_a_field_of_another_shape_is_named(
    tmp_path: Path, n: int, change: Callable[[Line], object], reason: str
) -> None:
    at, said = only_complaint(replay_paths([changed(tmp_path, NUMBER, n, change)]))

    assert at == n + 2
    assert said.startswith(reason)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (put("format", "malachi-trace/2"), 'format is "malachi-trace/2", not "malachi-trace/1"'),
        (lambda line: line.pop("format"), "format is missing"),
        (put("format", None), 'format is null, not "malachi-trace/1"'),
        (lambda line: line.pop("name"), "name is missing"),
        (lambda line: line.pop("options"), "options is missing"),
        (put("options", {}), "options.mode is missing"),
        (put("options.mode", "telepathy"), 'options.mode is "telepathy", not memory'),
        (put("options.mode", {}), "options.mode is an object of 0, not memory"),
        (put("options.wind", 1), 'options has the unknown field "wind"'),
        (put("options.vnodes", [["v0"]]), "options.vnodes[0] is a list of 1, not a list of 2"),
        (put("options.vnodes", [["v0", 1], [2, 3]]), "options.vnodes[1] is 2, not a string"),
        (put("options.vnodes", [["v", 1], ["v", 2]]), 'options.vnodes[1] names "v" once more'),
        (
            put("options.vnodes", [["v", 1 << 100]]),
            f"options.vnodes[0] is {1 << 100}, not a token below 2^32",
        ),
        (put("options.policies", {"p": 1}), "options.policies.p is 1, not an object"),
    ],
)
def test_a_header_of_another_shape_is_named(
    tmp_path: Path, change: Callable[[Line], object], reason: str
) -> None:
    at, said = only_complaint(replay_paths([changed(tmp_path, NUMBER, -1, change)]))

    assert at == 1
    assert said.startswith(reason)


def test_a_line_that_breaks_off_is_named(tmp_path: Path) -> None:
    whole = path_of(NUMBER).read_bytes()
    path = tmp_path / "torn.jsonl"
    path.write_bytes(whole[:-100])

    at, said = only_complaint(replay_paths([path]))

    assert at == whole.count(b"\n")
    assert said.endswith("the file ends in this line")


def test_a_line_of_100_mb_is_refused_in_the_memory_of_a_short_one(tmp_path: Path) -> None:
    path = tmp_path / "huge.jsonl"
    with path.open("wb") as file:
        file.write(path_of(NUMBER).read_bytes().splitlines(keepends=True)[0] + b'{"n":"')
        file.truncate(100 * 2**20)
    tracemalloc.start()

    at, said = only_complaint(replay_paths([path]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert (at, said) == (2, f"longer than {LINE_BYTES // 2**20} MiB")
    assert peak < 8 * LINE_BYTES


def test_brackets_in_strings_are_not_depth() -> None:
    term = ["[" * 200, '"' + "[" * 200, ["\\", "]" * 100]]

    assert parse(json.dumps(term).encode()) == term


def test_a_long_row_of_escapes_takes_no_long_time() -> None:
    began = time.process_time()

    with pytest.raises(MalformedError):
        parse(b"[1]," * DEPTH + b'["' + b'\\"' * 1_000_000)

    assert time.process_time() - began < 5


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_bytes_a_recording_holds_replay_comes_to_a_verdict(
    tmp_path: Path, data: st.DataObject
) -> None:
    whole = path_of(NUMBER).read_bytes()
    begin = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(begin, min(len(whole), begin + 40)))
    path = tmp_path / "torn.jsonl"
    path.write_bytes(whole[:begin] + data.draw(st.binary(max_size=8)) + whole[end:])

    result = replay_paths([path])

    assert result.files == 1
    assert len(result.malformed) <= 1
    assert result.calls == result.agree + result.unexplained


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()

    assert only_complaint(replay_paths([path])) == (1, "the file is empty")


def test_a_header_without_calls_is_empty_and_not_as_expected(tmp_path: Path) -> None:
    result = replay_paths([written(tmp_path, lines_of(NUMBER)[:1])])

    assert (result.files, result.calls, result.verdict, result.exit_code) == (1, 0, "empty", 5)


def test_a_path_that_is_missing_is_named(tmp_path: Path) -> None:
    where, said = only_complaint(replay_paths([tmp_path / "nowhere.jsonl"]))

    assert (where, said) == (None, "No such file or directory")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe.jsonl"
    os.mkfifo(path)

    assert only_complaint(replay_paths([path])) == (None, "not a regular file")


def test_what_cannot_be_read_keeps_nobody_from_judging_the_rest(tmp_path: Path) -> None:
    bad = with_line(tmp_path, 5, b"?\n")

    result = replay_paths([bad, GOOD, tmp_path / "nowhere.jsonl"])

    calls_of_good = len(lines_of("188")) - 1
    assert (result.files, result.calls, result.agree) == (3, calls_of_good + 3, calls_of_good + 3)
    assert [complaint.line for complaint in result.malformed] == [5, None]


def test_a_difference_weighs_more_than_what_cannot_be_read(tmp_path: Path) -> None:
    path = changed(tmp_path, NUMBER, 3, put("reply", "eof"))

    result = replay_paths([path, tmp_path / "nowhere.jsonl"])

    assert (result.verdict, result.exit_code) == ("differs", 1)
    assert len(result.malformed) == 1
