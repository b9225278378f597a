"""Whatever a recording shows is compared: change it anywhere, and replay says where."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from checker.replay.comparing import ABSENT, Difference, differences
from checker.replay.replaying import replay_paths
from checker.replay.terms import Term
from spec.clauses import sentence_of
from tests.recordings import Line, changed, lines_of, put, written

ROLL = "189"
"""Two frontends share a head, which rolls: heads, rolls, fences, seals and a refusal."""


def drop_effect(line: Line) -> None:
    line["effects"].pop()


def add_effect(line: Line) -> None:
    line["effects"].append(deepcopy(line["effects"][-1]))


def swap_effects(line: Line) -> None:
    line["effects"].reverse()


@pytest.mark.parametrize(
    ("number", "n", "change", "path", "clause"),
    [
        (ROLL, 3, put("effects.0.request.4", 7), "effects[0].request[4]", "PRD-10"),
        (
            ROLL,
            3,
            put("effects.1.request.base_offset", 7),
            "effects[1].request.base_offset",
            "PRD-15",
        ),
        (ROLL, 3, put("effects.1.reply.ok", 7), "effects[1].reply.ok", "ROL-32"),
        (
            ROLL,
            4,
            put("effects.0.reply.error", "segment_overlap"),
            "effects[0].reply.error",
            "RNG-16",
        ),
        (ROLL, 3, drop_effect, "effects[1]", "PRD-20"),
        (ROLL, 3, add_effect, "effects[2]", "PRD-15"),
        (ROLL, 3, swap_effects, "effects[0]", "PRD-15"),
        (ROLL, 3, put("reply.ok.0.1.0", 7), "reply.ok[0][1][0]", "PRD-20"),
        (ROLL, 5, put("reply", "ok"), "reply", "ROL-14"),
        (ROLL, 3, put("state.offsets.0.1", 7), "state.offsets[t.0]", "PRD-19"),
        (ROLL, 3, put("state.segments.0.1.bytes", 7), "state.segments[t.0].bytes", "PRD-21"),
        (ROLL, 3, put("state.segments", []), "state.segments[t.0]", "PRD-21"),
        (ROLL, 3, put("state.segment_seq.0.1", 7), "state.segment_seq[t.0]", "PRD-21"),
        (ROLL, 6, put("state.rolling.0.1.primary", "q"), "state.rolling[t.0].primary", "ROL-11"),
        (ROLL, 8, put("state.fencing.0.1.sent_at", 7), "state.fencing[t.0].sent_at", "ROL-18"),
        (ROLL, 8, put("state.unrecovered", [["t", 0]]), "state.unrecovered[0]", "RFR-25"),
        (ROLL, 8, put("state.journal", []), "state.journal", "RFR-6"),
        (ROLL, 3, put("state", None), "state", "PRD-20"),
        (
            ROLL,
            1,
            put("state.metadata.topics.t.policy", "p"),
            "state.metadata.topics.t.policy",
            "RNG-42",
        ),
        (
            ROLL,
            1,
            put("state.metadata.ranges.0.1.key_end", 8),
            "state.metadata.ranges[t.0].key_end",
            "RNG-42",
        ),
        (
            ROLL,
            10,
            put("state.metadata.segments.0.1.length", 7),
            "state.metadata.segments[t.0.0].length",
            "RNG-42",
        ),
        (
            ROLL,
            10,
            put("state.metadata.committed_offsets", [["g", "t", [[["t", 0], [0, 1]]]]]),
            "state.metadata.committed_offsets[g.t]",
            "RNG-42",
        ),
        (
            ROLL,
            10,
            put("authority.segments.0.1.sealed_at", 7),
            "authority.segments[t.0.0].sealed_at",
            "RNG-19",
        ),
        (ROLL, 1, put("authority.topics", {}), "authority.topics.t", "RNG-5"),
        (ROLL, 3, put("store.0.1.end", 7), "store[t.0.0].end", "ROL-31"),
        (ROLL, 3, put("store.0.1.keys.0", "k7"), "store[t.0.0].keys[0]", "ROL-31"),
        (ROLL, 9, put("store.0.1.fence", [5, 7]), "store[t.0.0].fence[1]", "ROL-1"),
        ("183", 2, put("authority.topics", {}), "authority.topics.t", "RNG-35"),
        ("056", 7, put("reply", 1), "reply", "ROL-19"),
    ],
)
def test_a_change_of_any_kind_is_reported_at_its_place(
    tmp_path: Path, number: str, n: int, change: Callable[[Line], object], path: str, clause: str
) -> None:
    result = replay_paths([changed(tmp_path, number, n, change)])

    assert (result.verdict, result.exit_code) == ("differs", 1)
    first = result.differences[0]
    assert (first.n, first.line, first.first.path, first.clause) == (n, n + 2, path, clause)


def leaves(term: Any, place: str) -> Iterator[str]:  # noqa: ANN401 # any JSON
    """The places of all that is not a filled list or object."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(term, dict):
        inner = list(term.items())
    elif isinstance(term, list):
        inner = list(enumerate(term))
    if not inner:
        yield place
    for step, value in inner:
        yield from leaves(value, f"{place}.{step}")


def other(value: object) -> object:
    """Something else of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case "active" | "sealed":
            return {"active": "sealed", "sealed": "active"}[value]
        case str():
            return f"{value}x"
        case _:
            return 7 if value is None else [["x", 0]]


def at(line: Line, place: str) -> object:
    """What stands at a place."""
    here: Any = line
    for step in place.split("."):
        here = here[int(step) if step.isdigit() else step]
    return here


def test_no_leaf_of_a_recording_can_change_unnoticed(tmp_path: Path) -> None:
    lines = lines_of(ROLL)
    shown = ("reply", "effects", "state", "authority", "store")
    unnoticed = []

    for at_line in (4, 10, 11):
        for part in (part for part in shown if part in lines[at_line]):
            for place in leaves(lines[at_line][part], part):
                line = deepcopy(lines[at_line])
                put(place, other(at(line, place)))(line)
                result = replay_paths([written(tmp_path, [*lines[:at_line], line])])
                seen = [one.n for one in result.differences] + [
                    complaint.line - 2 for complaint in result.malformed if complaint.line
                ]
                if at_line - 1 not in seen:
                    unnoticed.append((at_line, place))

    assert unnoticed == []


def test_one_difference_does_not_hide_the_next(tmp_path: Path) -> None:
    lines = lines_of(ROLL)
    put("reply", "eof")(lines[4])
    put("effects.0.request.records.0.value", "other")(lines[7])
    put("reply.ok.0.1", 7)(lines[5])

    result = replay_paths([written(tmp_path, lines)])

    assert [(one.n, one.first.path) for one in result.differences] == [
        (3, "reply"),
        (4, "reply.ok[0][1]"),
        (6, "effects[0].request.records[0].value"),
    ]
    assert result.agree == result.calls - 3


def test_a_difference_goes_on_from_the_recorded_state(tmp_path: Path) -> None:
    lines = lines_of(ROLL)
    for line in lines[4:]:
        if line["frontend"] == "a" and line["state"]["offsets"]:
            line["state"]["unrecovered"] = [["u", 3]]

    result = replay_paths([written(tmp_path, lines)])

    assert [(one.n, one.first.path) for one in result.differences] == [(3, "state.unrecovered[0]")]


def test_an_effect_that_was_not_recorded_is_answered_all_the_same(tmp_path: Path) -> None:
    result = replay_paths([changed(tmp_path, ROLL, 3, put("effects", []))])

    [call] = result.differences
    assert [(place.path, place.observed) for place in call.places] == [
        ("effects[0]", ABSENT),
        ("effects[1]", ABSENT),
    ]


def test_a_recorded_answer_leads_the_call_even_where_it_is_another_one(tmp_path: Path) -> None:
    result = replay_paths(
        [changed(tmp_path, ROLL, 3, put("effects.1.reply", {"error": "timeout"}))]
    )

    [answer, _, reply, *_] = result.differences[0].places
    assert (answer.path, answer.expected, answer.observed) == ("effects[1].reply.ok", 1, ABSENT)
    assert (reply.path, reply.expected, reply.observed) == ("reply.error", "timeout", ABSENT)


def test_a_flag_does_not_pass_for_a_number(tmp_path: Path) -> None:
    result = replay_paths([changed(tmp_path, ROLL, 3, put("state.segment_seq.0.1", True))])

    assert result.malformed[0].reason == "state.segment_seq is true, not a whole number"


def test_a_difference_reads_as_place_values_and_clause(tmp_path: Path) -> None:
    path = changed(tmp_path, ROLL, 3, put("state.offsets.0.1", 7))

    text = replay_paths([path]).differences[0].text()

    assert text.splitlines() == [
        f"{path}:5: produce of a (call 3) differs at state.offsets[t.0]",
        "  expected 2",
        "  observed 7",
        f"  PRD-19: {sentence_of('PRD-19')}",
    ]


def test_a_state_that_is_not_shown_hides_no_call_after_it(tmp_path: Path) -> None:
    result = replay_paths([changed(tmp_path, ROLL, 3, put("state", None))])

    assert [(one.n, one.first.path) for one in result.differences] == [(3, "state")]
    assert (result.malformed, result.calls) == ((), len(lines_of(ROLL)) - 1)


def test_what_moves_a_terminal_is_escaped_in_a_difference_and_in_a_complaint(
    tmp_path: Path,
) -> None:
    lines = lines_of(ROLL)
    lines[2] |= {"frontend": "a\n\x1b[2J", "call": "fly\x1b"}
    named = written(tmp_path, lines, "b\nc\x1b")
    lines[2] = lines_of(ROLL)[2]
    put("state.offsets", [[["\x1b\n", 0], 1]])(lines[4])

    [complaint] = replay_paths([named]).malformed
    differs = replay_paths([written(tmp_path, lines, "d\ne")]).differences[0]

    assert complaint.text().isprintable()
    assert complaint.text().endswith(
        r'c\x1b.jsonl:3: call is "fly\x1b", which the format does not have'
    )
    assert len(differs.text().splitlines()) == len(differs.text().split("\n")) == 5
    assert all(line.isprintable() for line in differs.text().split("\n"))


SHOW = """
from checker.replay.replaying import replay_paths
import json, sys
print(json.dumps(replay_paths(sys.argv[1:]).as_json()))
"""


def test_a_report_is_the_same_whatever_the_hash_seed(tmp_path: Path) -> None:
    lines = lines_of(ROLL)
    for at_line in (3, 4):
        metadata = lines[at_line]["state"]["metadata"]
        metadata["topics"] |= dict.fromkeys("uvwxyz", metadata["topics"]["t"])
    put("state.metadata.topics", {})(lines[4])
    path = written(tmp_path, lines)

    shown = {
        subprocess.run(  # our own text
            [sys.executable, "-c", SHOW, str(path)],
            check=True,
            capture_output=True,
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in range(4)
    }

    assert len(shown) == 1


def listed(*rows: Term) -> list[Term]:
    """A list of terms."""
    return [*rows]


def test_rows_in_another_order_are_a_difference_of_the_whole_list() -> None:
    rows = listed([["t", 0], 1], [["t", 1], 2])

    found = list(differences("state.offsets", [*rows], rows[::-1]))

    assert found == [Difference("state.offsets", rows, rows[::-1])]


def test_rows_that_stand_twice_are_compared_by_their_places() -> None:
    once = listed([["t", 0], 1])

    found = list(differences("state.offsets", [*once], [*once, *once]))

    assert found == [Difference("state.offsets[1]", ABSENT, once[0])]
