"""The ring, the sharded view, and the three ways in which a command reaches it."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from reference.commanding import authoritative, in_memory, raft
from reference.controlplane import Metadata
from reference.hashing import phash2
from reference.vnodes import (
    View,
    begin_vnode_split,
    command,
    merged,
    metadata_of,
    retain,
    route,
    sharded,
    single,
    split_vnode,
    submit_to,
    topic_of,
    topics_moving,
)
from spec.commands import (
    BeginMigration,
    BindTopicPolicy,
    Command,
    CommitOffset,
    CreateTopic,
    DeleteSegment,
    DeleteTopic,
    EndMigration,
    ExtractTopic,
    InsertTopic,
    MergeRanges,
    OtherCommand,
    Positions,
    RegisterSegment,
    SealSegment,
    SealTopic,
    SetSegmentReplicas,
    SplitRange,
    TopicExport,
)
from spec.replies import (
    AlreadyExists,
    CommandReply,
    Created,
    DifferentTopic,
    Migrating,
    NoSuchRange,
    NoSuchTopic,
    NoVnode,
    Ok,
    RangeTopicMismatch,
    SegmentActive,
    SegmentExists,
    UnknownCommand,
)
from spec.vocabulary import (
    Broker,
    ByteSize,
    Count,
    Cursor,
    Group,
    Millis,
    Offset,
    RangeId,
    SegmentId,
    Sequence,
    Topic,
    TopicName,
    VnodeId,
)

VECTORS = Path(__file__).parent / "data" / "vectors" / "hash_ring.jsonl"
V0, V1, V2 = VnodeId("v0"), VnodeId("v1"), VnodeId("v2")
LOW, HIGH = TopicName("u"), TopicName("t")
"""Topics that the ring below gives to its first and to its second vnode."""
NAMES = [TopicName(f"topic-{number}") for number in range(12)]


def halves() -> View:
    """Two vnodes, each with half of the ring."""
    return sharded([(V1, (1 << 32) - 1), (V0, 1 << 31)])


def root(topic: TopicName) -> RangeId:
    """The root range of a topic."""
    return RangeId(topic, Sequence(0))


def after(view: View, *told: Command) -> View:
    """The view after commands that all succeed."""
    for one in told:
        view, reply = command(view, one)
        assert isinstance(reply, Ok | Created), (one, reply)
    return view


def rows() -> list[dict[str, Any]]:
    """The recorded rings, without the header."""
    return [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()[1:]]


def test_every_recorded_ring_routes_as_recorded() -> None:
    """[RNG-30] 40 rings, some with tokens at both ends and some nearly full."""
    recorded = rows()
    assert len(recorded) == 40

    for row in recorded:
        bits = row["args"]["ring_bits"]
        ring = sharded([(VnodeId(one), token) for one, token in row["args"]["vnodes"]], bits)
        for name, routed, position in row["reply"]:
            assert route(ring, TopicName(name)) == routed["ok"]
            assert phash2(name.encode(), 1 << bits) == position


@given(st.sets(st.integers(0, 255), min_size=1, max_size=6), st.sampled_from(NAMES))
def test_a_topic_belongs_to_the_first_token_at_or_after_its_hash(
    tokens: set[int], topic: TopicName
) -> None:
    """[RNG-30] Past the last token the ring begins again."""
    ring = sharded([(VnodeId(f"v{token}"), token) for token in tokens], 8)

    ahead = sorted((token - phash2(topic, 256)) % 256 for token in tokens)
    assert route(ring, topic) == f"v{(phash2(topic, 256) + ahead[0]) % 256}"


def test_one_vnode_owns_everything() -> None:
    """[PLC-3] Its name and its token are fixed."""
    assert single() == sharded([(VnodeId("vnode_0"), 0)])
    assert {route(single(), topic) for topic in NAMES} == {"vnode_0"}


def test_a_topic_lives_whole_on_the_vnode_that_its_name_routes_to() -> None:
    """[RNG-30, RNG-49] Commands on its ranges and segments are routed by its name as well."""
    segment = SegmentId(root(LOW), Sequence(0))
    register = RegisterSegment(root(LOW), segment, (Broker("p"),), Offset(0))
    view = after(halves(), CreateTopic(LOW, 1), CreateTopic(HIGH, 1), register)

    assert (route(view, LOW), route(view, HIGH)) == (V0, V1)
    assert set(view.vnodes[V0].topics) == {LOW}
    assert set(view.vnodes[V0].segments) == {segment}
    assert set(view.vnodes[V1].ranges) == {root(HIGH)}
    assert command(view, DeleteSegment(segment))[1] == SegmentActive()
    assert metadata_of(view, LOW) == view.vnodes[V0]


FIRST = SegmentId(root(LOW), Sequence(0))


@pytest.mark.parametrize(
    "told",
    [
        CreateTopic(LOW, 1),
        SealTopic(LOW),
        DeleteTopic(LOW),
        SplitRange(root(LOW)),
        MergeRanges(root(LOW), root(LOW)),
        MergeRanges(root(LOW), root(HIGH)),
        RegisterSegment(root(LOW), FIRST, (Broker("p"),), Offset(0)),
        RegisterSegment(root(LOW), SegmentId(root(HIGH), Sequence(0)), (Broker("p"),), Offset(0)),
        SealSegment(FIRST, Count(0), ByteSize(0), Millis(0)),
        DeleteSegment(FIRST),
        SetSegmentReplicas(FIRST, (Broker("p"),)),
        CommitOffset(Group("g"), LOW, Map()),
        BindTopicPolicy(LOW, None),
    ],
    ids=lambda told: told.tag,
)
def test_a_command_is_routed_by_the_topic_that_it_names_first(told: Command) -> None:
    """[RNG-32, RNG-49] That of its range or segment where it names no topic; the second waits."""
    assert topic_of(told) == LOW


def test_one_flat_view_has_what_all_vnodes_hold() -> None:
    """[RNG-37] Marks of topics on the move included."""
    commit = CommitOffset(Group("g"), HIGH, Map())
    view = after(halves(), CreateTopic(LOW, 1), CreateTopic(HIGH, 1), commit)
    view, _ = submit_to(view, V1, BeginMigration(HIGH))

    flat = merged(view)

    assert set(flat.topics) == {LOW, HIGH}
    assert set(flat.ranges) == {root(LOW), root(HIGH)}
    assert set(flat.committed) == {(Group("g"), HIGH)}
    assert flat.migrating == {HIGH}
    assert merged(single()) == merged(sharded([])) == Metadata()


def test_an_empty_ring_owns_nothing() -> None:
    """[RNG-31] Every command is refused and every question finds nothing."""
    nobody = sharded([])

    assert route(nobody, LOW) is None
    assert metadata_of(nobody, LOW) == Metadata()
    assert command(nobody, CreateTopic(LOW, 1)) == (nobody, NoVnode())
    assert submit_to(nobody, V0, CreateTopic(LOW, 1)) == (nobody, NoVnode())


@pytest.mark.parametrize(
    "told",
    [
        OtherCommand("sing"),
        BeginMigration(LOW),
        EndMigration(LOW),
        ExtractTopic(LOW),
        InsertTopic(TopicExport(LOW, Topic(2), Map(), Map(), Map())),
    ],
)
def test_a_command_without_a_routing_topic_is_not_known(told: Command) -> None:
    """[RNG-32, RNG-48] What moves topics is told to a vnode, and not to a ring."""
    view = after(halves(), CreateTopic(LOW, 1))

    assert command(view, told) == (view, UnknownCommand())


def test_a_merge_across_topics_is_refused_before_it_is_routed() -> None:
    """[RNG-33] Whether or not either range is known."""
    nobody = sharded([])

    assert command(nobody, MergeRanges(root(LOW), root(HIGH))) == (nobody, RangeTopicMismatch())


@pytest.mark.parametrize(
    ("view", "reply"), [(single(), DifferentTopic()), (halves(), NoSuchRange())]
)
def test_the_log_has_no_guard_against_a_merge_across_topics(
    view: View, reply: CommandReply
) -> None:
    """[RNG-33] The vnode of the first range finds out, or does not know the second."""
    view = after(view, CreateTopic(LOW, 1), CreateTopic(HIGH, 1))

    assert raft(view, view, MergeRanges(root(LOW), root(HIGH))) == (view, view, reply)


def test_in_memory_the_callers_view_is_the_control_plane() -> None:
    """[RNG-41] Nothing else holds what was told."""
    assert in_memory(single(), CreateTopic(LOW, 1)) == (
        after(single(), CreateTopic(LOW, 1)),
        Created((root(LOW),)),
    )


def test_an_authority_answers_with_its_own_view() -> None:
    """[RNG-42] A caller that was behind catches up, even by a refusal."""
    authority = after(single(), CreateTopic(LOW, 1), CreateTopic(HIGH, 1))

    answer = authoritative(authority, single(), CreateTopic(LOW, 1))

    assert answer == (authority, authority, AlreadyExists())


def test_a_log_leaves_the_caller_with_its_own_view_and_its_own_command() -> None:
    """[RNG-43] What the log refused may stand in a view that was behind."""
    segment = SegmentId(root(LOW), Sequence(0))
    theirs = RegisterSegment(root(LOW), segment, (Broker("p"),), Offset(0))
    mine = RegisterSegment(root(LOW), segment, (Broker("q"),), Offset(0))
    behind = after(single(), CreateTopic(LOW, 1))
    authority = after(behind, theirs, CreateTopic(HIGH, 1))

    decided, view, reply = raft(authority, behind, mine)

    assert (decided, reply) == (authority, SegmentExists())
    assert view == after(behind, mine)


def test_a_log_decides_although_the_caller_cannot_follow() -> None:
    """[RNG-43] The caller's view of a topic it never heard of stays as it was."""
    authority = after(single(), CreateTopic(LOW, 1))

    decided, view, reply = raft(authority, single(), SplitRange(root(LOW)))

    assert reply == Created((RangeId(LOW, Sequence(1)), RangeId(LOW, Sequence(2))))
    assert (decided, view) == (after(authority, SplitRange(root(LOW))), single())


def test_what_could_not_be_read_is_kept() -> None:
    """[RFR-2, S21] A vnode that was read is taken as it was read, also when it holds less."""
    old = after(halves(), CreateTopic(LOW, 1), CreateTopic(HIGH, 1))

    kept = retain(halves(), old, [V1])

    assert (kept.vnodes[V0], kept.vnodes[V1]) == (Metadata(), old.vnodes[V1])
    assert retain(halves(), old, []) == halves()
    assert retain(halves(), old, [V2]) == halves()
    assert retain(halves(), single(), [VnodeId("vnode_0")]) == halves()


def test_all_that_is_known_of_a_vnode_that_could_not_be_read_is_kept() -> None:
    """[RFR-2, S21, S31] Its positions, ranges, segments and moves too, and not its topics alone."""
    segment = SegmentId(root(HIGH), Sequence(0))
    positions: Positions = Map({root(HIGH): Cursor(0, Offset(2))})
    old = after(
        halves(),
        CreateTopic(HIGH, 1),
        RegisterSegment(root(HIGH), segment, (Broker("b1"),), Offset(0)),
        CommitOffset(Group("g"), HIGH, positions),
    )
    held = replace(old.vnodes[V1], migrating=old.vnodes[V1].migrating | {HIGH})
    old = replace(old, vnodes=old.vnodes.set(V1, held))

    kept = retain(halves(), old, [V1]).vnodes[V1]

    assert kept == held
    assert all(getattr(kept, part.name) for part in fields(kept))


@given(st.integers(0, (1 << 32) - 2).filter((1 << 31).__ne__))
def test_a_split_vnode_takes_over_exactly_what_routes_to_it(token: int) -> None:
    """[RNG-44] Nothing is lost, nothing is doubled, and nothing else moves."""
    view = after(halves(), *(CreateTopic(topic, 1) for topic in NAMES))
    moving = dict(topics_moving(view, V2, token))

    grown = split_vnode(begin_vnode_split(view, V2, token), V2, token)

    assert merged(grown) == merged(view)
    assert set(grown.vnodes[V2].topics) == set(moving)
    for topic in NAMES:
        assert topic in metadata_of(grown, topic).topics
        assert route(grown, topic) == (V2 if topic in moving else route(view, topic))


def test_a_topic_on_the_move_takes_no_command_until_it_has_arrived() -> None:
    """[RNG-44, RNG-34] A command that lands behind an extract would be lost."""
    view = after(halves(), CreateTopic(LOW, 1), CreateTopic(HIGH, 1))
    token = phash2(LOW, 1 << 32)

    held = begin_vnode_split(view, V2, token)
    grown = split_vnode(held, V2, token)

    assert command(held, SplitRange(root(LOW))) == (held, Migrating())
    assert isinstance(command(held, SplitRange(root(HIGH)))[1], Created)
    assert isinstance(command(grown, SplitRange(root(LOW)))[1], Created)
    assert submit_to(grown, V0, BeginMigration(LOW)) == (grown, NoSuchTopic())


def test_a_command_that_changes_nothing_answers_the_view_it_was_given() -> None:
    """[RNG-3] Not only an equal one, so that nobody has to compare."""
    view = after(halves(), CreateTopic(LOW, 1))

    same, _ = command(view, SetSegmentReplicas(SegmentId(root(LOW), Sequence(0)), ()))

    assert same is view
