"""What stands between the participants: batches and fences on their way, copies, reads.

A part is small on purpose: what no rule reads any more is not kept, so that two states that can
do the same things are the same state.
"""

from dataclasses import dataclass
from typing import NamedTuple

from reference.store import Log
from reference.vnodes import View
from spec.replies import ReplicateReply
from spec.truth import Acknowledged
from spec.vocabulary import (
    Broker,
    ByteSize,
    Dispatch,
    Offset,
    RangeId,
    Record,
    Roll,
    SegmentId,
    Sequence,
    TopicName,
)

TOPIC = TopicName("t")
RANGE = RangeId(TOPIC, Sequence(0))
BROKERS = (Broker("b1"), Broker("b2"), Broker("b3"))


def segment_of(seq: int) -> SegmentId:
    """The segment of the range with this sequence."""
    return SegmentId(RANGE, Sequence(seq))


@dataclass(frozen=True, slots=True)
class Sent:
    """A batch on its way to the primary."""

    dispatch: Dispatch
    is_again: bool
    """Whether it was planned before, and is not held a second time."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The primary's answer on its way back."""

    dispatch: Dispatch
    reply: ReplicateReply
    is_again: bool


@dataclass(frozen=True, slots=True)
class Held:
    """A batch refused by this frontend's own fence, to be planned once more behind it."""

    segment_id: SegmentId


@dataclass(frozen=True, slots=True)
class Failed:
    """The client was told that the batch failed; it may stand in the log all the same."""


Batch = None | Sent | Answered | Held | Acknowledged | Failed
"""The whole life of a batch; none before it is planned. What was acknowledged stays visible."""


class Closed(NamedTuple):
    """What closing a segment answered."""

    end: Offset
    byte_size: ByteSize


@dataclass(frozen=True, slots=True)
class Fence:
    """One frontend's fence of one segment: the request, or the answer on its way back."""

    roll: Roll
    closed: Closed | None = None


@dataclass(frozen=True, slots=True)
class Copies:
    """The replicas of a segment: the primary, and the others, which answer as one."""

    primary: Log
    majority: Log


@dataclass(frozen=True, slots=True)
class Reading:
    """One frontend's reads of the control plane."""

    left: int
    """How many more it may begin."""
    view: View | None = None
    """What it has read and not installed yet."""
    is_recovering: bool = False
    """Whether it has installed a read, and not recovered its range since."""


def record_of(frontend: str, batch: int, record: int) -> Record:
    """A record whose value tells it from all others."""
    return Record(key=None, value=f"{frontend}.{batch}.{record}".encode())
