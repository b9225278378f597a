"""Values and terms: what a recording shows goes into values and comes out the same."""

import json
from pathlib import Path

import pytest
from immutables import Map

from checker.replay import clauses, decoding, encoding, recorded
from checker.replay.calls import table
from checker.replay.shown import Shown
from checker.replay.terms import MalformedError, Term, fields
from reference.frontend import Frontend, Options
from reference.vnodes import DEFAULT_VNODE, View, sharded, single, submit, submit_to
from spec import commands, replies
from spec.vocabulary import Millis, Offset, RangeId, SegmentId, Sequence, TopicName, VnodeId
from tests.recordings import TRACES, Line

PATHS = sorted(TRACES.rglob("*.jsonl"))[::12]
RANGE = RangeId(TopicName("t"), Sequence(0))
VNODES = [(VnodeId("v0"), 1_000_000_000), (VnodeId("v1"), 4_000_000_000)]


def calls_of(path: Path) -> list[Line]:
    """The calls of a recording."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]


@pytest.mark.parametrize("view", [single(), sharded(VNODES)], ids=["one vnode", "two vnodes"])
def test_a_recorded_state_comes_back_as_it_was_written(view: View) -> None:
    running = Frontend(Options(()), view)
    shown = Shown()

    for path in PATHS:
        for call in calls_of(path):
            if call["state"] is not None:
                assert shown.state(recorded.frontend(call["state"], running)) == call["state"]


def test_a_recorded_store_comes_back_as_it_was_written() -> None:
    stores = [call["store"] for path in PATHS for call in calls_of(path) if "store" in call]

    for store in stores:
        assert Shown().store(recorded.store(store, Map())) == store


def test_a_recorded_command_comes_back_as_it_was_written() -> None:
    requests = [
        effect["request"]
        for path in PATHS
        for call in calls_of(path)
        for effect in call["effects"]
        if effect["kind"] == "command"
    ]

    for request in requests:
        assert encoding.command(decoding.command(request, "it")) == request


@pytest.mark.parametrize(
    "term",
    [
        ["seal_topic", "t"],
        ["delete_topic", "t"],
        ["begin_migration", "t"],
        ["end_migration", "t"],
        ["bind_topic_policy", "t", None],
        ["merge_ranges", ["t", 0], ["u", 1]],
        ["set_segment_replicas", [["t", 0], 0], ["p", "q"]],
        ["dance"],
        ["dance", {"with": ["t", 0]}],
    ],
)
def test_a_command_that_nobody_recorded_comes_back_too(term: Term) -> None:
    assert encoding.command(decoding.command(term, "it")) == term


@pytest.mark.parametrize(
    "term",
    [
        "ok",
        "weird",
        {"ok": ["t", 0]},
        {"ok": [["t", 1], ["t", 2]]},
        {"error": "timeout"},
        {"error": "segment_exists"},
        {"error": ["already_sealed", 4]},
        {"error": ["sealed", 4]},
        {"error": "sealed"},
    ],
)
def test_an_answer_to_a_command_comes_back(term: Term) -> None:
    assert encoding.answer(decoding.command_reply(term, "it")) == term


def test_the_two_refusals_named_sealed_are_told_apart() -> None:
    """[ROL-2, RNG-16] One is a store's, with its end; the other a retired range's."""
    assert decoding.refusal("sealed", "it") == replies.RangeSealed()
    assert decoding.refusal(["sealed", 4], "it") == replies.Sealed(Offset(4))


def test_what_happens_to_topics_on_their_way_is_not_in_the_format() -> None:
    for term in (["extract_topic", "t"], ["insert_topic", "t", {}]):
        with pytest.raises(MalformedError, match="wrong arguments"):
            decoding.command(term, "it")  # type: ignore[arg-type]


def test_the_last_of_two_positions_in_a_range_counts() -> None:
    """[RNG-24] A commit names each range once, or means the last."""
    found = decoding.positions([[["t", 0], [0, 1]], [["t", 0], "start"]], "it")

    assert dict(found) == {RANGE: "start"}


def test_done_is_no_position_to_commit_or_to_consume_from() -> None:
    with pytest.raises(MalformedError, match='it is "done", not a position'):
        decoding.position("done", "it")


def test_a_recorded_view_keeps_what_recordings_do_not_show() -> None:
    """[RNG-18, RNG-35] Marks, opening times and keyspace sizes are carried over."""
    segment = SegmentId(RANGE, Sequence(0))
    running = single()
    for command in (
        commands.CreateTopic(RANGE.topic, 4),
        commands.RegisterSegment(RANGE, segment, (), Offset(0)),
    ):
        running, _ = submit(running, command, Millis(7))
    running, _ = submit_to(running, DEFAULT_VNODE, commands.BeginMigration(RANGE.topic))
    held = running.vnodes[DEFAULT_VNODE]
    term = fields(Shown().view(running), "it")
    fields(term["topics"], "it")["u"] = {
        "keyspace_size": 8,
        "state": "active",
        "next_range_seq": 1,
        "policy": None,
    }

    [found] = recorded.view(term, running, "it").vnodes.values()

    assert (found.ranges, found.segments) == (held.ranges, held.segments)
    assert found.migrating == {RANGE.topic}
    assert found.segments[segment].opened_at == Millis(7)
    assert "u" in found.topics


def test_every_call_of_the_format_names_its_clause() -> None:
    assert set(clauses.CALLS) == set(table.CALLS)
