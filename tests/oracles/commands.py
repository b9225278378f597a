"""Commands for tests of the control plane, in few words, and what it is after them."""

from immutables import Map

from reference.controlplane import (
    Metadata,
    apply,
)
from spec.commands import (
    BeginMigration,
    Command,
    CommittedPosition,
    CreateTopic,
    Positions,
    RegisterSegment,
    SealSegment,
    SplitRange,
)
from spec.replies import (
    CommandReply,
    Refusal,
)
from spec.vocabulary import (
    START,
    Broker,
    ByteSize,
    Count,
    Group,
    Millis,
    Offset,
    RangeId,
    SegmentId,
    Sequence,
    TopicName,
)

T, U = TopicName("t"), TopicName("u")
P, Q = Broker("p"), Broker("q")
G = Group("g")


def r(seq: int, topic: TopicName = T) -> RangeId:
    """A range of topic t."""
    return RangeId(topic, Sequence(seq))


def s(range_seq: int, seq: int, topic: TopicName = T) -> SegmentId:
    """A segment of a range of topic t."""
    return SegmentId(r(range_seq, topic), Sequence(seq))


def create(topic: TopicName = T, bits: int = 2) -> CreateTopic:
    """Make a topic, of four positions if nothing else is said."""
    return CreateTopic(topic, bits)


def register(id_: SegmentId, start: int = 0) -> RegisterSegment:
    """Open a segment of the range that its id names."""
    return RegisterSegment(id_.range_id, id_, (P,), Offset(start))


def seal(id_: SegmentId, length: int = 1) -> SealSegment:
    """Seal a segment at a length."""
    return SealSegment(id_, Count(length), ByteSize(43), Millis(9))


def at(*ids: RangeId) -> Positions:
    """The start of each of these ranges."""
    return Map[RangeId, CommittedPosition]((one, START) for one in ids)


def after(*told: Command) -> Metadata:
    """What the control plane is after commands that all succeed."""
    metadata = Metadata()
    for command in told:
        metadata, reply = apply(metadata, command)
        assert not isinstance(reply, Refusal), (command, reply)
    return metadata


def tell(metadata: Metadata, command: Command) -> CommandReply:
    """What a command is answered; a refusal must have changed nothing."""
    changed, reply = apply(metadata, command)
    assert changed == metadata or not isinstance(reply, Refusal)
    return reply


HEAD = (create(), register(s(0, 0)))
CLOSED = (*HEAD, seal(s(0, 0), 3))
HALVES = (create(), SplitRange(r(0)))
MOVING = (*HEAD, create(U), BeginMigration(T))
