"""Every noun of the protocol, one class for each idea.

What the control plane is told stands in `spec.commands`, what anybody answers in
`spec.replies`. All are values: they compare and hash by content and are never changed in place.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Literal, NamedTuple, NewType

from immutables import Map

TopicName = NewType("TopicName", str)
Broker = NewType("Broker", str)
PolicyName = NewType("PolicyName", str)
Group = NewType("Group", str)
VnodeId = NewType("VnodeId", str)
Offset = NewType("Offset", int)
Position = NewType("Position", int)
"""Where a key falls in the keyspace of its topic, from 0."""
Millis = NewType("Millis", int)
ByteSize = NewType("ByteSize", int)
Count = NewType("Count", int)
Sequence = NewType("Sequence", int)

Attributes = Map[str, str]
"""What is known of one broker's place: attribute name to value, as `rack` to `a`."""


class RangeId(NamedTuple):
    """A range of a topic. The root range has sequence 0."""

    topic: TopicName
    seq: Sequence


class SegmentId(NamedTuple):
    """A segment of a range."""

    range_id: RangeId
    seq: Sequence


class State(Enum):
    """Whether a topic, a range or a segment still changes."""

    ACTIVE = "active"
    SEALED = "sealed"


@dataclass(frozen=True, slots=True)
class Record:
    """What a client writes and reads."""

    key: bytes | None
    value: bytes
    headers: tuple[tuple[bytes, bytes], ...] = ()
    timestamp: Millis = Millis(0)
    offset: Offset | None = None
    """Assigned by the primary of the segment; none before."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A named log, cut into ranges of its keyspace."""

    keyspace_size: int
    """A power of two; positions run from 0 below it."""
    state: State = State.ACTIVE
    next_range_seq: Sequence = Sequence(1)
    policy: PolicyName | None = None


@dataclass(frozen=True, slots=True)
class Range:
    """A half open block [key_start, key_end) of a topic's keyspace."""

    key_start: Position
    key_end: Position
    keyspace_size: int
    state: State = State.ACTIVE
    parents: tuple[RangeId, ...] = ()
    """All ancestors, oldest first, each once."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A contiguous run of a range's offsets, as the control plane lists it."""

    range_id: RangeId
    replica_set: tuple[Broker, ...]
    """The head is the primary."""
    start_offset: Offset
    state: State = State.ACTIVE
    length: Count | None = None
    byte_size: ByteSize | None = None
    opened_at: Millis | None = None
    sealed_at: Millis | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """The write head of a range as one frontend caches it."""

    id: SegmentId
    start_offset: Offset
    bytes: ByteSize
    """Encoded bytes that this frontend sent to it: a tally, not a length."""
    replica_set: tuple[Broker, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """A fence that a frontend owes a range."""

    range_id: RangeId
    segment_id: SegmentId
    primary: Broker
    start_offset: Offset
    fence_sent_at: Millis | None = None


@dataclass(frozen=True, slots=True)
class Fencing:
    """A fence that was sent and whose answer has not been recorded."""

    segment_id: SegmentId
    sent_at: Millis


@dataclass(frozen=True, slots=True)
class Dispatch:
    """One batch on its way to the primary of a segment."""

    range_id: RangeId
    primary: Broker
    segment_id: SegmentId
    replica_set: tuple[Broker, ...]
    base_offset: Offset
    """Where the segment starts."""
    records: tuple[Record, ...]
    first: Offset
    last: Offset
    count: Count


@dataclass(frozen=True, slots=True)
class Placement:
    """The offsets, both included, at which a batch of one range was placed."""

    range_id: RangeId
    first: Offset
    last: Offset


@dataclass(frozen=True, slots=True)
class TopicPolicy:
    """What a storage policy says of placement. It overrides the frontend's own rule."""

    spread_by: str | None
    """The attribute to spread over; none turns spreading off."""


class Cursor(NamedTuple):
    """A position in a range's stream: index into its history sources, offset there."""

    source: int
    offset: Offset


START: Literal["start"] = "start"
DONE: Literal["done"] = "done"
ConsumeCursor = Cursor | Literal["start"]
HistoryCursor = Cursor | Literal["start", "done"]


class Origin(Enum):
    """Whether the page that passed a skip was asked for from the start or from a cursor."""

    START = "start"
    CURSOR = "cursor"


class Source(Enum):
    """Whether a skip lies in the range itself or in an ancestor."""

    SELF = "self"
    ANCESTOR = "ancestor"


@dataclass(frozen=True, slots=True)
class Skip:
    """A stretch of history that a page passed because it is no longer stored."""

    range_id: RangeId
    source_range_id: RangeId
    from_offset: Offset
    offsets: Count | None
    """How many; none when that is not known."""
    origin: Origin
    source: Source


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a range's stream for a consumer."""

    records: tuple[Record, ...]
    cursor: ConsumeCursor
    skips: tuple[Skip, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """One page of a range's history; the last one carries DONE."""

    records: tuple[Record, ...]
    cursor: HistoryCursor
