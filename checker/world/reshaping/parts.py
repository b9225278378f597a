"""What stands between the participants: batches, logs, and a range on its way to retire."""

from dataclasses import dataclass

from immutables import Map

from checker.world.sharing.parts import BROKERS, TOPIC, Answered, Failed, Fence, Sent
from reference.store import Log
from spec.truth import Acknowledged
from spec.vocabulary import Broker, Position, RangeId, Record, SegmentId, Sequence

Batch = None | Sent | Answered | Acknowledged | Failed
"""The life of a batch; none before it is planned."""
Logs = Map[SegmentId, Log]
"""The primary's log of each segment that a batch or a fence has reached."""
PRIMARY: tuple[Broker, ...] = BROKERS[:1]
"""One replica each: what a failover does to a retired range stands in other worlds."""


@dataclass(frozen=True, slots=True)
class Reshaping:
    """How far one frontend has come with a split or a merge."""

    left: int
    """How many more times it may begin."""
    ready: tuple[RangeId, ...] = ()
    """The parents that have no head, or whose head's seal is recorded."""
    fence: Fence | None = None
    """The fence of the next parent: the request, or the answer on its way back."""
    is_under_way: bool = False
    is_done: bool = False
    """Whether the control plane said that the children took over."""


def range_of(seq: int) -> RangeId:
    """The range of the topic with this sequence."""
    return RangeId(TOPIC, Sequence(seq))


def place(segment_id: SegmentId) -> str:
    """The short name of a segment: `r0.s1`."""
    return f"r{segment_id.range_id.seq}.s{segment_id.seq}"


def record_of(frontend: str, batch: int, key: int) -> Record:
    """A record whose value tells it from all others. Its key is its position."""
    return Record(key=str(key).encode(), value=f"{frontend}.{batch}".encode())


def position_of(key: bytes | None, _size: int) -> Position:
    """Where a key of this world falls: at the number that it spells."""
    assert key is not None, "every record of this world has a key"
    return Position(int(key))
