"""What stands in a world of copies beside what frontends share: logs, brokers, a coordinator.

A broker is a part that says whether it is up. A copy is a log, or none where a broker never saw
the segment. The coordinator is what its pass has heard so far, or none between two passes.
"""

from dataclasses import dataclass, replace

from reference.coordinating import FenceAnswer
from reference.store import Log
from spec.vocabulary import Broker, ByteSize, Offset, SegmentId


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


Pass = None | FailingOver | Probed
Copy = Log | None


def copy_named(broker: Broker, segment: int) -> str:
    """The part that holds a broker's copy of a segment: `b1.s0`."""
    return f"{broker}.s{segment}"
