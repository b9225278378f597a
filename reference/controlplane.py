"""The control plane as a value: one deterministic machine for each vnode.

`apply` judges a command. The checks of a command stand in their order, the first that fails
answers, and a refusal leaves the value as it was.
"""

from dataclasses import dataclass, replace

from immutables import Map

from reference.keyspace import are_buddies, is_splittable, middle_of
from reference.naming import is_keyspace_bits, is_policy_name, is_topic_name
from spec import commands, replies
from spec.commands import Command, Positions, TopicExport
from spec.replies import CommandReply, Created, Exported, Ok
from spec.vocabulary import (
    Group,
    Millis,
    Offset,
    Position,
    Range,
    RangeId,
    Segment,
    SegmentId,
    Sequence,
    State,
    Topic,
    TopicName,
)


@dataclass(frozen=True, slots=True)
class Metadata:
    """All that one vnode knows."""

    topics: Map[TopicName, Topic] = Map()
    ranges: Map[RangeId, Range] = Map()
    segments: Map[SegmentId, Segment] = Map()
    committed: Map[tuple[Group, TopicName], Positions] = Map()
    migrating: frozenset[TopicName] = frozenset()
    """Topics on their way to another vnode."""


Answer = tuple[Metadata, CommandReply]


def ranges_of(metadata: Metadata, topic: TopicName) -> tuple[tuple[RangeId, Range], ...]:
    """[RNG-38] All ranges of a topic, active and retired, by ascending id."""
    return tuple(sorted(pair for pair in metadata.ranges.items() if pair[0].topic == topic))


def segments_of(metadata: Metadata, range_id: RangeId) -> tuple[tuple[SegmentId, Segment], ...]:
    """The segments that a range lists, by ascending id."""
    return tuple(sorted(pair for pair in metadata.segments.items() if pair[1].range_id == range_id))


def active_segment(metadata: Metadata, range_id: RangeId) -> tuple[SegmentId, Segment] | None:
    """[RNG-2] The write head of a range, if it has one."""
    for pair in metadata.segments.items():
        if pair[1].state is State.ACTIVE and pair[1].range_id == range_id:
            return pair
    return None


def apply(  # noqa: C901, PLR0911, PLR0912 # one case for each command
    metadata: Metadata, command: Command, now: Millis | None = None
) -> Answer:
    """[RNG-3, RNG-4] Judge one command. The clock dates the segments that it opens."""
    if is_held_by_migration(metadata, command):
        return metadata, replies.Migrating()
    match command:
        case commands.CreateTopic():
            return create_topic(metadata, command)
        case commands.SealTopic():
            return seal_topic(metadata, command)
        case commands.DeleteTopic():
            return delete_topic(metadata, command)
        case commands.CommitOffset():
            return commit_offset(metadata, command)
        case commands.BindTopicPolicy():
            return bind_topic_policy(metadata, command)
        case commands.SplitRange():
            return split_range(metadata, command)
        case commands.MergeRanges():
            return merge_ranges(metadata, command)
        case commands.RegisterSegment():
            return register_segment(metadata, command, now)
        case commands.SealSegment():
            return seal_segment(metadata, command)
        case commands.DeleteSegment():
            return delete_segment(metadata, command)
        case commands.SetSegmentReplicas():
            return set_segment_replicas(metadata, command)
        case commands.BeginMigration():
            return begin_migration(metadata, command)
        case commands.EndMigration():
            return end_migration(metadata, command)
        case commands.ExtractTopic():
            return extract_topic(metadata, command)
        case commands.InsertTopic():
            return insert_topic(metadata, command)
        case commands.OtherCommand():
            return metadata, replies.UnknownCommand()


def is_held_by_migration(metadata: Metadata, command: Command) -> bool:
    """[RNG-34] Whether a command is about something known of a topic that is being moved."""
    if not metadata.migrating:
        return False
    match command:
        case (
            commands.SealTopic(topic)
            | commands.DeleteTopic(topic)
            | commands.BindTopicPolicy(topic)
            | commands.CommitOffset(_, topic)
        ):
            return topic in metadata.migrating
        case (
            commands.SplitRange(range_id)
            | commands.MergeRanges(range_id)
            | commands.RegisterSegment(range_id)
        ):
            return range_id in metadata.ranges and range_id.topic in metadata.migrating
        case (
            commands.SealSegment(segment_id)
            | commands.DeleteSegment(segment_id)
            | commands.SetSegmentReplicas(segment_id)
        ):
            segment = metadata.segments.get(segment_id)
            return segment is not None and segment.range_id.topic in metadata.migrating
        case (
            commands.CreateTopic()
            | commands.BeginMigration()
            | commands.EndMigration()
            | commands.ExtractTopic()
            | commands.InsertTopic()
            | commands.OtherCommand()
        ):
            return False


def create_topic(metadata: Metadata, command: commands.CreateTopic) -> Answer:
    """[RNG-5, RNG-6, RNG-7] Make a topic with one range over its whole keyspace."""
    if not is_topic_name(command.topic):
        return metadata, replies.InvalidTopicName()
    if command.topic in metadata.topics:
        return metadata, replies.AlreadyExists()
    if not is_keyspace_bits(command.bits):
        return metadata, replies.InvalidKeyspaceBits()
    size = 1 << command.bits
    root = RangeId(command.topic, Sequence(0))
    created = replace(
        metadata,
        topics=metadata.topics.set(command.topic, Topic(size)),
        ranges=metadata.ranges.set(root, Range(Position(0), Position(size), size)),
    )
    return created, Created((root,))


def seal_topic(metadata: Metadata, command: commands.SealTopic) -> Answer:
    """[RNG-22] Retire a topic and its ranges; its segments stay as they are."""
    topic = metadata.topics.get(command.topic)
    if topic is None:
        return metadata, replies.NoSuchTopic()
    sealed = {
        range_id: replace(one, state=State.SEALED)
        for range_id, one in ranges_of(metadata, command.topic)
    }
    topics = metadata.topics.set(command.topic, replace(topic, state=State.SEALED))
    return replace(metadata, topics=topics, ranges=metadata.ranges.update(sealed)), Ok()


def delete_topic(metadata: Metadata, command: commands.DeleteTopic) -> Answer:
    """[RNG-23] Remove a topic with its ranges and segments; what groups committed stays."""
    if command.topic not in metadata.topics:
        return metadata, replies.NoSuchTopic()
    return _without(metadata, command.topic), Ok()


def commit_offset(metadata: Metadata, command: commands.CommitOffset) -> Answer:
    """[RNG-24, RNG-25] Move a group, and keep only positions in active ranges."""
    key = (command.group, command.topic)
    positions = metadata.committed.get(key, Map()).update(command.positions)
    if command.topic in metadata.topics:
        positions = Map(
            (range_id, position)
            for range_id, position in positions.items()
            if range_id.topic == command.topic and _is_active(metadata, range_id)
        )
    return replace(metadata, committed=metadata.committed.set(key, positions)), Ok()


def bind_topic_policy(metadata: Metadata, command: commands.BindTopicPolicy) -> Answer:
    """[RNG-27] Bind a topic to a policy name or to none, defined or not."""
    topic = metadata.topics.get(command.topic)
    if topic is None:
        return metadata, replies.NoSuchTopic()
    if command.policy is not None and not is_policy_name(command.policy):
        return metadata, replies.InvalidPolicy()
    topics = metadata.topics.set(command.topic, replace(topic, policy=command.policy))
    return replace(metadata, topics=topics), Ok()


def split_range(metadata: Metadata, command: commands.SplitRange) -> Answer:
    """[RNG-9, RNG-10] Retire a range and create its lower and its upper half."""
    parent_id = command.range_id
    parent = metadata.ranges.get(parent_id)
    if parent is None:
        return metadata, replies.NoSuchRange()
    if parent.state is State.SEALED:
        return metadata, replies.RangeSealed()
    # Keeps ROL-41: nothing closes a head under a retired range, and batches would go on landing.
    if active_segment(metadata, parent_id) is not None:
        return metadata, replies.ActiveSegmentExists()
    if not is_splittable(parent):
        return metadata, replies.CannotSplit()
    middle = middle_of(parent)
    parents = (*parent.parents, parent_id)
    return _succeed(
        metadata,
        (parent_id,),
        replace(parent, key_end=middle, parents=parents),
        replace(parent, key_start=middle, parents=parents),
    )


def merge_ranges(metadata: Metadata, command: commands.MergeRanges) -> Answer:
    """[RNG-11, RNG-12] Retire two buddies and create the range that covers both."""
    ids = (command.first, command.second)
    for range_id in ids:
        if range_id not in metadata.ranges:
            return metadata, replies.NoSuchRange()
        if not _is_active(metadata, range_id):
            return metadata, replies.RangeSealed()
    if any(active_segment(metadata, range_id) is not None for range_id in ids):
        return metadata, replies.ActiveSegmentExists()
    if command.first.topic != command.second.topic:
        return metadata, replies.DifferentTopic()
    first, second = (metadata.ranges[range_id] for range_id in ids)
    if not are_buddies(first, second):
        return metadata, replies.NotBuddies()
    child = Range(
        key_start=min(first.key_start, second.key_start),
        key_end=max(first.key_end, second.key_end),
        keyspace_size=first.keyspace_size,
        parents=tuple(dict.fromkeys(first.parents + second.parents + ids)),
    )
    return _succeed(metadata, ids, child)


def register_segment(
    metadata: Metadata, command: commands.RegisterSegment, now: Millis | None = None
) -> Answer:
    """[RNG-16, RNG-17, RNG-18, ROL-4] Open a segment exactly where the range's sealed ones end."""
    owner = metadata.ranges.get(command.range_id)
    if owner is None:
        return metadata, replies.NoSuchRange()
    if owner.state is State.SEALED:
        return metadata, replies.RangeSealed()
    if command.segment_id in metadata.segments:
        return metadata, replies.SegmentExists()
    if active_segment(metadata, command.range_id) is not None:
        return metadata, replies.ActiveSegmentExists()
    edge = sealed_edge(metadata, command.range_id)
    if edge is not None and command.start_offset != edge:
        return metadata, replies.SegmentOverlap()
    segment = Segment(command.range_id, command.replica_set, command.start_offset, opened_at=now)
    return _with_segment(metadata, command.segment_id, segment), Ok()


def sealed_edge(metadata: Metadata, range_id: RangeId) -> Offset | None:
    """[RNG-16] Where the sealed segments that a range lists end; none where it lists none."""
    return max(
        (
            Offset(segment.start_offset + segment.length)
            for _, segment in segments_of(metadata, range_id)
            if segment.length is not None
        ),
        default=None,
    )


def seal_segment(metadata: Metadata, command: commands.SealSegment) -> Answer:
    """[RNG-19, RNG-46] Record a length once; whoever brings another is told the one on record."""
    segment = metadata.segments.get(command.segment_id)
    if segment is None:
        return metadata, replies.NoSuchSegment()
    if segment.length is not None:
        same = segment.length == command.length
        return metadata, Ok() if same else replies.AlreadySealed(segment.length)
    sealed = replace(
        segment,
        state=State.SEALED,
        length=command.length,
        byte_size=command.byte_size,
        sealed_at=command.sealed_at,
    )
    return _with_segment(metadata, command.segment_id, sealed), Ok()


def delete_segment(metadata: Metadata, command: commands.DeleteSegment) -> Answer:
    """[RNG-20] Remove a sealed segment."""
    segment = metadata.segments.get(command.segment_id)
    if segment is None:
        return metadata, replies.NoSuchSegment()
    if segment.state is State.ACTIVE:
        return metadata, replies.SegmentActive()
    return replace(metadata, segments=metadata.segments.delete(command.segment_id)), Ok()


def set_segment_replicas(metadata: Metadata, command: commands.SetSegmentReplicas) -> Answer:
    """[RNG-21] Replace the replica set of a segment, active or sealed."""
    segment = metadata.segments.get(command.segment_id)
    if segment is None:
        return metadata, replies.NoSuchSegment()
    moved = replace(segment, replica_set=command.replica_set)
    return _with_segment(metadata, command.segment_id, moved), Ok()


def begin_migration(metadata: Metadata, command: commands.BeginMigration) -> Answer:
    """[RNG-35] Mark a topic; from now on it takes no command until the mark is gone."""
    if command.topic not in metadata.topics:
        return metadata, replies.NoSuchTopic()
    return replace(metadata, migrating=metadata.migrating | {command.topic}), Ok()


def end_migration(metadata: Metadata, command: commands.EndMigration) -> Answer:
    """[RNG-35] Clear the mark, if there is one."""
    return replace(metadata, migrating=metadata.migrating - {command.topic}), Ok()


def extract_topic(metadata: Metadata, command: commands.ExtractTopic) -> Answer:
    """[RNG-36] Take a topic out whole, with its ranges, segments, commits and mark."""
    topic = metadata.topics.get(command.topic)
    if topic is None:
        return metadata, Exported(None)
    committed = {key: one for key, one in metadata.committed.items() if key[1] == command.topic}
    export = TopicExport(
        command.topic,
        topic,
        Map(ranges_of(metadata, command.topic)),
        Map(pair for pair in metadata.segments.items() if pair[1].range_id.topic == command.topic),
        Map({group: one for (group, _), one in committed.items()}),
    )
    kept = Map((key, one) for key, one in metadata.committed.items() if key not in committed)
    return replace(_without(metadata, command.topic), committed=kept), Exported(export)


def insert_topic(metadata: Metadata, command: commands.InsertTopic) -> Answer:
    """[RNG-36] Put a topic in that was taken out elsewhere."""
    export = command.export
    committed = {(group, export.name): one for group, one in export.committed.items()}
    inserted = replace(
        metadata,
        topics=metadata.topics.set(export.name, export.topic),
        ranges=metadata.ranges.update(export.ranges),
        segments=metadata.segments.update(export.segments),
        committed=metadata.committed.update(committed),
    )
    return inserted, Ok()


def _succeed(metadata: Metadata, retired: tuple[RangeId, ...], *children: Range) -> Answer:
    """[RNG-1, RNG-8, RNG-47] Retire ranges of a topic and number the children in their place."""
    name = retired[0].topic
    topic = metadata.topics[name]
    first = topic.next_range_seq
    ids = tuple(RangeId(name, Sequence(first + place)) for place in range(len(children)))
    ranges = metadata.ranges.update(
        {range_id: replace(metadata.ranges[range_id], state=State.SEALED) for range_id in retired}
    )
    return replace(
        metadata,
        topics=metadata.topics.set(name, replace(topic, next_range_seq=Sequence(first + len(ids)))),
        ranges=ranges.update(zip(ids, children, strict=True)),
    ), Created(ids)


def _without(metadata: Metadata, topic: TopicName) -> Metadata:
    return replace(
        metadata,
        topics=metadata.topics.delete(topic),
        ranges=Map(pair for pair in metadata.ranges.items() if pair[0].topic != topic),
        segments=Map(pair for pair in metadata.segments.items() if pair[1].range_id.topic != topic),
        migrating=metadata.migrating - {topic},
    )


def _with_segment(metadata: Metadata, segment_id: SegmentId, segment: Segment) -> Metadata:
    return replace(metadata, segments=metadata.segments.set(segment_id, segment))


def _is_active(metadata: Metadata, range_id: RangeId) -> bool:
    one = metadata.ranges.get(range_id)
    return one is not None and one.state is State.ACTIVE
