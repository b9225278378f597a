"""All that a law may look at: what is listed, stored, remembered and acknowledged.

A world shows its states to the laws as these values, so the laws know neither the reference nor
any other machine.
"""

from dataclasses import dataclass
from typing import NamedTuple

from immutables import Map

from spec.commands import Command, Positions
from spec.replies import CommandReply, ReplicateReply
from spec.vocabulary import (
    Attributes,
    Broker,
    ByteSize,
    ConsumeCursor,
    Count,
    Fencing,
    Group,
    Head,
    Offset,
    Page,
    Range,
    RangeId,
    Record,
    Roll,
    Segment,
    SegmentId,
    Sequence,
    State,
    Topic,
    TopicName,
    VnodeId,
)

Listing = tuple[tuple[SegmentId, Segment], ...]
"""The segments that somebody lists for the range, or for all of them, in ascending id."""
Blocks = tuple[tuple[RangeId, Range], ...]
"""The ranges that somebody lists for a topic, in ascending id."""


def edge_of(segment: Segment) -> Offset | None:
    """Where a sealed segment ends; none for one that is open or whose length is not known."""
    if segment.state is State.ACTIVE or segment.length is None:
        return None
    return Offset(segment.start_offset + segment.length)


def entry_of(listing: Listing, segment_id: SegmentId) -> Segment | None:
    """What a listing says of one segment."""
    return next((segment for each, segment in listing if each == segment_id), None)


def is_sealed_in(listing: Listing, segment_id: SegmentId) -> bool:
    """Whether a segment is listed as sealed."""
    segment = entry_of(listing, segment_id)
    return segment is not None and segment.state is State.SEALED


@dataclass(frozen=True, slots=True)
class Shard:
    """What somebody lists of one vnode, or of all of them together."""

    topics: Map[TopicName, Topic]
    ranges: Map[RangeId, Range]
    segments: Map[SegmentId, Segment]
    committed: Map[tuple[Group, TopicName], Positions]


Catalog = Map[VnodeId, Shard]
"""What somebody lists, by vnode."""


def whole(catalog: Catalog) -> Shard:
    """All vnodes of a catalog together."""
    shards = list(catalog.values())
    return Shard(
        Map(pair for shard in shards for pair in shard.topics.items()),
        Map(pair for shard in shards for pair in shard.ranges.items()),
        Map(pair for shard in shards for pair in shard.segments.items()),
        Map(pair for shard in shards for pair in shard.committed.items()),
    )


@dataclass(frozen=True, slots=True)
class Known:
    """What one frontend holds of the control plane."""

    catalog: Catalog
    heads: Map[RangeId, Head]
    journal: tuple[Command, ...] | None
    """None where it keeps none."""


@dataclass(frozen=True, slots=True)
class Viewed:
    """A read of the control plane, as it is installed."""

    catalog: Catalog
    unread: frozenset[VnodeId]
    """The vnodes that did not answer."""
    since: tuple[Command, ...]
    """What this frontend commanded of the other vnodes since the read began, and what took."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A call of one frontend: what it sent, what it heard, what the caller was answered."""

    heard: tuple[tuple[Command, CommandReply], ...]
    reply: CommandReply
    news: tuple[Command, ...] = ()
    """Those of its commands whose answer came with another view than the one held at that moment,
    where that view is to be kept."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How a frontend is to place what it registers."""

    brokers: tuple[Broker, ...]
    replication_factor: int
    spread_by: str | None
    """The attribute to spread over, a topic's own policy considered."""
    attributes: Map[Broker, Attributes]
    min_domains: int | None
    is_hard: bool


@dataclass(frozen=True, slots=True)
class Copy:
    """One replica's log of a segment."""

    start: Offset
    records: tuple[Record, ...]
    answered: tuple[Offset, ByteSize] | None
    """The end and the bytes that its first fence answered; none while it is open."""

    @property
    def is_fenced(self) -> bool:
        """Whether it was closed."""
        return self.answered is not None

    @property
    def end(self) -> Offset:
        """One past the last record."""
        return Offset(self.start + len(self.records))


class Stored(NamedTuple):
    """The copies of a segment."""

    primary: Copy
    majority: Copy
    """The other replicas, which answer as one."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one frontend remembers of the range."""

    counter: Offset | None
    sequence: Sequence | None
    head: Head | None
    owed: Roll | None
    awaited: Fencing | None
    listing: Listing
    journal: tuple[Command, ...]
    is_recovered: bool
    """Whether its end need not be learned first."""

    @property
    def next_offset(self) -> Offset:
        """The counter, or where a range begins that nothing is known of."""
        return Offset(0) if self.counter is None else self.counter


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A batch that a client was told is safe."""

    segment_id: SegmentId
    first: Offset
    last: Offset
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Expired:
    """A batch that was acknowledged, and whose segment retention has removed since."""

    first: Offset
    last: Offset


@dataclass(frozen=True, slots=True)
class Heard:
    """The answer to a batch, as it reached its frontend."""

    segment_id: SegmentId
    records: tuple[Record, ...]
    reply: ReplicateReply


@dataclass(frozen=True, slots=True)
class Closing:
    """The answer to a fence: where closing the segment found its end."""

    segment_id: SegmentId
    start: Offset
    end: Offset
    byte_size: ByteSize

    @property
    def length(self) -> Count:
        """How many offsets the segment spans."""
        return Count(self.end - self.start)


@dataclass(frozen=True, slots=True)
class Delivered:
    """A record that a consumer was given, and the segment it came from."""

    segment_id: SegmentId
    record: Record


Replicas = tuple[tuple[Broker, Copy], ...]
"""The copies of a segment, each with the broker that holds it."""


def copy_at(replicas: Replicas, broker: Broker) -> Copy | None:
    """The copy of one broker, if it has one."""
    return next((copy for each, copy in replicas if each == broker), None)


@dataclass(frozen=True, slots=True)
class Asking:
    """What a failover asked of the copies of a segment, and what it heard."""

    segment_id: SegmentId
    asked: tuple[Broker, ...]
    failed: tuple[Broker, ...]
    """Whose copies were reported as failed."""
    ends: tuple[tuple[Broker, Offset], ...]
    """Each copy that answered its fence, and where it ends."""

    @property
    def counted(self) -> tuple[tuple[Broker, Offset], ...]:
        """The answers that have a say: one for each copy, and none of a failed one."""
        return tuple(pair for pair in dict(self.ends).items() if pair[0] not in self.failed)


@dataclass(frozen=True, slots=True)
class Passed:
    """A record between the cursor that a page was asked with and the one that it answered."""

    source: int
    """The index of its range among the sources of the stream."""
    record: Record
    is_stored: bool
    """Whether the control plane lists its segment, and it lies below the edge."""
    is_in_slice: bool
    is_known: bool
    """Whether it lies below the frontend's own counter of its range."""

    @property
    def offset(self) -> Offset:
        """Where it lies in its range."""
        return Offset(self.record.offset or 0)


@dataclass(frozen=True, slots=True)
class Passage:
    """A page of a consumer's stream, with all that it passed."""

    sources: tuple[RangeId, ...]
    """The ancestors of the range, and the range itself."""
    asked: ConsumeCursor
    budget: Count
    page: Page
    passed: tuple[Passed, ...]
    """In the order of the stream."""
