"""What stands in a world of copies beside what frontends share: logs, brokers, a coordinator.

A broker is a part that says whether it is up. A copy is a log, or none where a broker never saw
the segment. The coordinator is what its pass has heard so far, or none between two passes.
"""

from dataclasses import dataclass, replace

from reference.coordinating import FenceAnswer
from reference.store import Log
from spec.truth import Delivered
from spec.vocabulary import START, Broker, ByteSize, ConsumeCursor, Offset, SegmentId


@dataclass(frozen=True, slots=True)
class FailingOver:
    """A failover under way: the copies that are asked, and what they answered."""

    segment_id: SegmentId
    start: Offset
    asked: tuple[Broker, ...]
    """In set order."""
    failed: tuple[Broker, ...] = ()
    """Whose copies were reported."""
    answers: tuple[FenceAnswer, ...] = ()
    """In ascending broker name, so that the order of arrival leaves no trace."""

    def with_answer(self, answer: FenceAnswer) -> "FailingOver":
        """The same, one answer later."""
        heard = sorted((*self.answers, answer), key=lambda each: each.broker)
        return replace(self, answers=tuple(heard))

    def waits_for(self, broker: Broker) -> bool:
        """Whether a copy was asked and has not answered."""
        return broker in self.asked and all(each.broker != broker for each in self.answers)


@dataclass(frozen=True, slots=True)
class Probed:
    """A primary answered that it is fenced, under a segment that is called active."""

    segment_id: SegmentId
    end: Offset
    byte_size: ByteSize


@dataclass(frozen=True, slots=True)
class Expiring:
    """A segment that expired: whether it is listed still, and whose copies are there."""

    segment_id: SegmentId
    brokers: tuple[Broker, ...]
    """In ascending name, so that the order of removal leaves no trace."""
    is_listed: bool = True

    def without(self, broker: Broker) -> "Expiring | None":
        """The same, one copy later; none where nothing is left to do."""
        left = tuple(each for each in self.brokers if each != broker)
        return replace(self, brokers=left) if left or self.is_listed else None


@dataclass(frozen=True, slots=True)
class Healing:
    """A sealed segment that is given a new replica in the place of a dead one."""

    segment_id: SegmentId
    replica_set: tuple[Broker, ...]
    dead: Broker
    spare: Broker
    start: Offset
    edge: Offset
    holders: tuple[Broker, ...] = ()
    """Who holds all of it, once it is copied; the new replica last."""


@dataclass(frozen=True, slots=True)
class Scrubbing:
    """A copy that is a replica no longer is to be cleared away."""

    segment_id: SegmentId
    broker: Broker


Pass = None | FailingOver | Probed | Expiring | Healing | Scrubbing
Copy = Log | None


@dataclass(frozen=True, slots=True)
class Consumer:
    """A consumer: how many pages it may still read, where it stands, what it was given."""

    left: int
    cursor: ConsumeCursor = START
    delivered: tuple[Delivered, ...] = ()


def copy_named(broker: Broker, segment: int) -> str:
    """The part that holds a broker's copy of a segment: `b1.s0`."""
    return f"{broker}.s{segment}"
