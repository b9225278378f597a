"""One topic, its ranges and segments, and the effects that a test injects."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from immutables import Map

from reference import frontend as frontends
from reference import vnodes
from reference.commanding import authoritative, in_memory, raft
from reference.controlplane import Metadata
from reference.frontend import CommandFun, Frontend
from reference.vnodes import View
from spec.commands import (
    Command,
    CreateTopic,
    RegisterSegment,
    SealSegment,
    SplitRange,
)
from spec.replies import CommandReply, Eof, ReadReply, Records, Refusal, ReplicateReply
from spec.vocabulary import (
    Broker,
    ByteSize,
    Count,
    Dispatch,
    Fencing,
    Head,
    Millis,
    Offset,
    RangeId,
    Record,
    Roll,
    SegmentId,
    Sequence,
    TopicName,
)

TOPIC = TopicName("t")
OTHER = TopicName("u")
ROOT = RangeId(TOPIC, Sequence(0))
LEFT = RangeId(TOPIC, Sequence(1))
RIGHT = RangeId(TOPIC, Sequence(2))
B1, B2, B3 = Broker("b1"), Broker("b2"), Broker("b3")
NOW = Millis(1000)
CREATE = CreateTopic(TOPIC, 4)
SPLIT = SplitRange(ROOT)


def segment_of(seq: int, range_id: RangeId = ROOT) -> SegmentId:
    """A segment of a range."""
    return SegmentId(range_id, Sequence(seq))


S0, S1, S2 = segment_of(0), segment_of(1), segment_of(2)


def opened(
    segment_id: SegmentId, start: int = 0, replica_set: tuple[Broker, ...] = (B1,)
) -> RegisterSegment:
    """The command that registers a segment."""
    return RegisterSegment(segment_id.range_id, segment_id, replica_set, Offset(start))


def sealed(segment_id: SegmentId, length: int) -> SealSegment:
    """The command that seals a segment."""
    return SealSegment(segment_id, Count(length), ByteSize(10 * length), NOW)


def view_after(*commands: Command, view: View | None = None) -> View:
    """The view that commands leave behind, each of which has to take."""
    view = vnodes.single() if view is None else view
    for command in commands:
        view, reply = vnodes.command(view, command, NOW)
        assert not isinstance(reply, Refusal), (command, reply)
    return view


def frontend(
    *commands: Command,
    brokers: tuple[Broker, ...] = (B1,),
    max_bytes: int = 1_000_000,
    copies: int = 1,
    min_domains: int | None = None,
) -> Frontend:
    """A frontend that has done nothing yet and sees the topic, and what came after it."""
    return frontends.open(
        brokers=brokers,
        replication_factor=copies,
        segment_max_bytes=ByteSize(max_bytes),
        min_domains=min_domains,
        view=view_after(CREATE, *commands),
    )


def head_of(segment_id: SegmentId, start: int = 0, *, tally: int = 0) -> Head:
    """A cached head on the first broker."""
    return Head(segment_id, Offset(start), ByteSize(tally), (B1,))


def roll_of(segment_id: SegmentId, start: int = 0, sent_at: int | None = None) -> Roll:
    """An owed roll whose fence goes to the first broker."""
    sent = None if sent_at is None else Millis(sent_at)
    return Roll(segment_id.range_id, segment_id, B1, Offset(start), sent)


def fencing_of(segment_id: SegmentId, sent_at: int = 0) -> Fencing:
    """A fence that was sent."""
    return Fencing(segment_id, Millis(sent_at))


def counting(offset: int, range_id: RangeId = ROOT) -> Map[RangeId, Offset]:
    """The counter of one range."""
    return Map({range_id: Offset(offset)})


def numbering(seq: int, range_id: RangeId = ROOT) -> Map[RangeId, Sequence]:
    """The sequence floor of one range."""
    return Map({range_id: Sequence(seq)})


def caching(*heads: Head) -> Map[RangeId, Head]:
    """The heads of their ranges."""
    return Map({head.id.range_id: head for head in heads})


def owing(*rolls: Roll) -> Map[RangeId, Roll]:
    """The owed rolls of their ranges."""
    return Map({roll.range_id: roll for roll in rolls})


def awaiting(*fences: Fencing) -> Map[RangeId, Fencing]:
    """The awaited fences of their ranges."""
    return Map({fence.segment_id.range_id: fence for fence in fences})


def record(value: str = "v", key: bytes | None = None, offset: int | None = None) -> Record:
    """A record, stored already where it has an offset."""
    return Record(key, value.encode(), offset=None if offset is None else Offset(offset))


def batch(count: int, key: bytes | None = None) -> tuple[Record, ...]:
    """So many records, none stored yet."""
    return tuple(record(str(place), key) for place in range(count))


def values_of(records: Iterable[Record]) -> list[str]:
    """What was written, as text."""
    return [one.value.decode() for one in records]


def nobody(_view: View, command: Command) -> tuple[View, CommandReply]:
    """A control plane that must not be asked."""
    raise AssertionError(f"sent {command}")


def unasked(*asked: object) -> ReadReply:
    """A store that must not be asked."""
    raise AssertionError(f"read {asked}")


def answering(reply: CommandReply, answered: View | None = None) -> CommandFun:
    """A control plane that gives one answer to everything, and the view that comes with it."""
    return lambda view, _command: (view if answered is None else answered, reply)


@dataclass
class ControlPlane:
    """The control plane that frontends share, reached in one of the three modes."""

    view: View = field(default_factory=lambda: view_after(CREATE))
    mode: str = "authoritative"
    clock: Millis | None = NOW
    sent: list[Command] = field(default_factory=list)
    """All that reached it, oldest first."""
    took: list[Command] = field(default_factory=list)
    """Those of them that it did not refuse."""

    @property
    def metadata(self) -> Metadata:
        """All that it knows."""
        return vnodes.merged(self.view)

    def __call__(self, view: View, command: Command) -> tuple[View, CommandReply]:
        """Judge a command, and answer the view that the mode brings back."""
        self.sent.append(command)
        if self.mode == "memory":
            return in_memory(view, command, self.clock)
        decide = authoritative if self.mode == "authoritative" else raft
        self.view, answered, reply = decide(self.view, view, command, self.clock)
        if not isinstance(reply, Refusal):
            self.took.append(command)
        return answered, reply


@dataclass
class Primary:
    """Answers dispatches in order, and keeps them."""

    answers: list[ReplicateReply]
    dispatches: list[Dispatch] = field(default_factory=list)

    def __call__(self, dispatch: Dispatch) -> ReplicateReply:
        """The next answer."""
        self.dispatches.append(dispatch)
        return self.answers[len(self.dispatches) - 1]


@dataclass
class Shelf:
    """Stored records by segment, and what was asked of them."""

    stored: Mapping[SegmentId, tuple[Record, ...]]
    asked: list[tuple[Broker, SegmentId, int, int]] = field(default_factory=list)

    def __call__(
        self, broker: Broker, segment_id: SegmentId, offset: Offset, at_most: Count
    ) -> ReadReply:
        """The records at the offset and above it, at most so many."""
        self.asked.append((broker, segment_id, offset, at_most))
        above = [one for one in self.stored.get(segment_id, ()) if (one.offset or 0) >= offset]
        return Records(tuple(above[:at_most])) if above else Eof()


def stretch(first: int, count: int, key: bytes | None = None) -> tuple[Record, ...]:
    """Stored records from an offset on, each with its offset for a value."""
    return tuple(record(str(at), key, at) for at in range(first, first + count))
