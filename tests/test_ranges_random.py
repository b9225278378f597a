"""The control plane under commands in any order."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from reference.controlplane import (
    Metadata,
    apply,
    ranges_of,
    segments_of,
)
from spec.commands import (
    BeginMigration,
    BindTopicPolicy,
    Command,
    CommitOffset,
    CommittedPosition,
    CreateTopic,
    DeleteSegment,
    DeleteTopic,
    EndMigration,
    MergeRanges,
    OtherCommand,
    Positions,
    RegisterSegment,
    SealTopic,
    SetSegmentReplicas,
    SplitRange,
)
from spec.replies import (
    ActiveSegmentExists,
    Created,
    Ok,
    Refusal,
    SegmentOverlap,
)
from spec.vocabulary import (
    Cursor,
    Position,
    RangeId,
    SegmentId,
    Sequence,
    State,
    TopicName,
)
from tests.oracles.commands import G, P, Q, T, U, r, register, s, seal


def blocks(metadata: Metadata, topic: TopicName) -> list[tuple[Position, Position]]:
    """The blocks of the active ranges of a topic, in order."""
    active = (one for _, one in ranges_of(metadata, topic) if one.state is State.ACTIVE)
    return sorted((one.key_start, one.key_end) for one in active)


def tiles(spans: Iterable[tuple[int, int]], size: int) -> bool:
    """Whether spans in order cover 0 to the size without a gap or an overlap."""
    ends = [0]
    for start, end in spans:
        if start != ends[-1] or end <= start:
            return False
        ends.append(end)
    return ends[-1] == size


@given(st.integers(1, 5), st.lists(st.tuples(st.booleans(), st.integers(0, 99)), max_size=30))
def test_active_ranges_tile_the_keyspace_after_any_splits_and_merges(
    bits: int, choices: list[tuple[bool, int]]
) -> None:
    """[RNG-1, RNG-45, S36] Blocks stay powers of two, aligned to their size."""
    metadata = apply(Metadata(), CreateTopic(T, bits))[0]
    for is_split, pick in choices:
        active = [one for one, known in ranges_of(metadata, T) if known.state is State.ACTIVE]
        first, second = active[pick % len(active)], active[pick * 7 % len(active)]
        command = SplitRange(first) if is_split else MergeRanges(first, second)
        metadata, _ = apply(metadata, command)

    assert tiles(blocks(metadata, T), 1 << bits)
    sizes = [(start, end - start) for start, end in blocks(metadata, T)]
    assert all(size & (size - 1) == 0 and start % size == 0 for start, size in sizes)
    assert metadata.topics[T].next_range_seq == len(metadata.ranges)


@given(st.integers(1, 4), st.lists(st.integers(0, 99), max_size=12))
def test_every_split_can_be_merged_back(bits: int, picks: list[int]) -> None:
    """[RNG-13] The halves of a block are buddies, and only they."""
    metadata = apply(Metadata(), CreateTopic(T, bits))[0]
    for pick in picks:
        active = [one for one, known in ranges_of(metadata, T) if known.state is State.ACTIVE]
        split, reply = apply(metadata, SplitRange(active[pick % len(active)]))
        if isinstance(reply, Created):
            right_first = MergeRanges(*reversed(reply.range_ids))
            assert isinstance(apply(split, right_first)[1], Created)
        metadata = split


@given(st.lists(st.tuples(st.integers(-1, 1), st.integers(0, 3)), max_size=20))
def test_registered_segments_tile_the_offsets_of_their_range(
    choices: list[tuple[int, int]],
) -> None:
    """[RNG-16, RNG-2, S1, S2] Only the start at the edge is taken, whatever is tried."""
    metadata = apply(Metadata(), CreateTopic(T, 2))[0]
    edge: int | None = None
    for seq, (slip, length) in enumerate(choices):
        start = (0 if edge is None else edge) + slip
        metadata, reply = apply(metadata, register(s(0, seq), start))
        assert reply == (Ok() if edge is None or slip == 0 else SegmentOverlap())
        if isinstance(reply, Ok):
            assert apply(metadata, register(s(0, 99), start))[1] == ActiveSegmentExists()
            metadata, _ = apply(metadata, seal(s(0, seq), length))
            edge = start + length

    listed = [one for _, one in segments_of(metadata, r(0))]
    edges = [one.start_offset + (one.length or 0) for one in listed]
    assert [one.start_offset for one in listed[1:]] == edges[:-1]


topics = st.sampled_from([T, U, TopicName("..")])
range_ids = st.builds(RangeId, topics, st.integers(0, 4).map(Sequence))
segment_ids = st.builds(SegmentId, range_ids, st.integers(0, 2).map(Sequence))
offsets = st.integers(0, 3)
positions: st.SearchStrategy[Positions] = st.dictionaries(
    range_ids, st.builds(Cursor, offsets, offsets), max_size=2
).map(Map[RangeId, CommittedPosition])
any_command = st.one_of(
    st.builds(CreateTopic, topics, st.integers(0, 3)),
    st.builds(SealTopic, topics),
    st.builds(DeleteTopic, topics),
    st.builds(SplitRange, range_ids),
    st.builds(MergeRanges, range_ids, range_ids),
    st.builds(register, segment_ids, offsets),
    st.builds(RegisterSegment, range_ids, segment_ids, st.just((Q,)), offsets),
    st.builds(seal, segment_ids, offsets),
    st.builds(DeleteSegment, segment_ids),
    st.builds(SetSegmentReplicas, segment_ids, st.just((Q, P))),
    st.builds(CommitOffset, st.just(G), topics, positions),
    st.builds(BindTopicPolicy, topics, st.sampled_from([None, "", "fast"])),
    st.builds(BeginMigration, topics),
    st.builds(EndMigration, topics),
    st.builds(OtherCommand, st.just("sing")),
)


@given(st.lists(any_command, max_size=40))
def test_no_sequence_of_commands_breaks_what_the_control_plane_promises(
    told: list[Command],
) -> None:
    """[RNG-1, RNG-2, RNG-3] A refusal changes nothing, a topic tiles, a range has one head."""
    metadata = Metadata()
    for command in [CreateTopic(T, 2), CreateTopic(U, 1), *told]:
        before = metadata
        metadata, reply = apply(metadata, command)
        assert metadata is before or not isinstance(reply, Refusal)

    for name, topic in metadata.topics.items():
        assert tiles(blocks(metadata, name), topic.keyspace_size) == (topic.state is State.ACTIVE)
    heads = [one.range_id for one in metadata.segments.values() if one.state is State.ACTIVE]
    assert len(heads) == len(set(heads))
    assert metadata.migrating <= set(metadata.topics)
    assert {one.topic for one in metadata.ranges} <= set(metadata.topics)
