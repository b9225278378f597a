"""What the control plane can be told: one class a command, as values.

`tag` is the source's word for the command. `ranges` and `vnodes` judge and route them.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from immutables import Map

from spec.vocabulary import (
    Broker,
    ByteSize,
    Count,
    Cursor,
    Group,
    Millis,
    Offset,
    PolicyName,
    Range,
    RangeId,
    Segment,
    SegmentId,
    Topic,
    TopicName,
)

CommittedPosition = Cursor | Literal["start"]
Positions = Map[RangeId, CommittedPosition]
"""A consumer group's position in each range of a topic."""


@dataclass(frozen=True, slots=True)
class TopicExport:
    """A topic with all that belongs to it, on its way to another vnode."""

    name: TopicName
    topic: Topic
    ranges: Map[RangeId, Range]
    segments: Map[SegmentId, Segment]
    committed: Map[Group, Positions]


@dataclass(frozen=True, slots=True)
class CreateTopic:
    """Make a topic of 2^bits positions with its root range."""

    tag: ClassVar[str] = "create_topic"

    topic: TopicName
    bits: int


@dataclass(frozen=True, slots=True)
class SealTopic:
    """Retire a topic and all its ranges."""

    tag: ClassVar[str] = "seal_topic"

    topic: TopicName


@dataclass(frozen=True, slots=True)
class DeleteTopic:
    """Remove a topic, its ranges and its segments."""

    tag: ClassVar[str] = "delete_topic"

    topic: TopicName


@dataclass(frozen=True, slots=True)
class SplitRange:
    """Retire a range and create its two halves."""

    tag: ClassVar[str] = "split_range"

    range_id: RangeId


@dataclass(frozen=True, slots=True)
class MergeRanges:
    """Retire two buddies and create the range that covers both."""

    tag: ClassVar[str] = "merge_ranges"

    first: RangeId
    second: RangeId


@dataclass(frozen=True, slots=True)
class RegisterSegment:
    """Open a segment as the write head of a range."""

    tag: ClassVar[str] = "register_segment"

    range_id: RangeId
    segment_id: SegmentId
    replica_set: tuple[Broker, ...]
    start_offset: Offset


@dataclass(frozen=True, slots=True)
class SealSegment:
    """Record the length that closing a segment answered."""

    tag: ClassVar[str] = "seal_segment"

    segment_id: SegmentId
    length: Count
    byte_size: ByteSize
    sealed_at: Millis


@dataclass(frozen=True, slots=True)
class DeleteSegment:
    """Remove a sealed segment."""

    tag: ClassVar[str] = "delete_segment"

    segment_id: SegmentId


@dataclass(frozen=True, slots=True)
class SetSegmentReplicas:
    """Replace the replica set of a segment."""

    tag: ClassVar[str] = "set_segment_replicas"

    segment_id: SegmentId
    replica_set: tuple[Broker, ...]


@dataclass(frozen=True, slots=True)
class CommitOffset:
    """Move a consumer group to these positions."""

    tag: ClassVar[str] = "commit_offset"

    group: Group
    topic: TopicName
    positions: Positions


@dataclass(frozen=True, slots=True)
class BindTopicPolicy:
    """Bind a topic to a policy name, or to none."""

    tag: ClassVar[str] = "bind_topic_policy"

    topic: TopicName
    policy: PolicyName | None


@dataclass(frozen=True, slots=True)
class BeginMigration:
    """Mark a topic: it is about to move to another vnode."""

    tag: ClassVar[str] = "begin_migration"

    topic: TopicName


@dataclass(frozen=True, slots=True)
class EndMigration:
    """Clear the mark."""

    tag: ClassVar[str] = "end_migration"

    topic: TopicName


@dataclass(frozen=True, slots=True)
class ExtractTopic:
    """Take a topic out whole."""

    tag: ClassVar[str] = "extract_topic"

    topic: TopicName


@dataclass(frozen=True, slots=True)
class InsertTopic:
    """Put a topic in that was taken out elsewhere."""

    tag: ClassVar[str] = "insert_topic"

    export: TopicExport


@dataclass(frozen=True, slots=True)
class OtherCommand:
    """Anything else that was sent."""

    tag: ClassVar[str] = "unknown"

    text: str


Command = (
    CreateTopic
    | SealTopic
    | DeleteTopic
    | SplitRange
    | MergeRanges
    | RegisterSegment
    | SealSegment
    | DeleteSegment
    | SetSegmentReplicas
    | CommitOffset
    | BindTopicPolicy
    | BeginMigration
    | EndMigration
    | ExtractTopic
    | InsertTopic
    | OtherCommand
)
