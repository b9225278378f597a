"""The store: one replica of a segment on one broker, and a batch that goes to all of them.

A log keeps a contiguous run of records and a latch that has no inverse.
"""

from dataclasses import dataclass, replace

from immutables import Map

from reference.producing import encoded_size
from spec.replies import Appended, Eof, Failed, Records, Sealed
from spec.vocabulary import Broker, ByteSize, Count, Offset, Record

NO_QUORUM = Failed("no_quorum")
"""The batch may stand at the primary and at a minority all the same."""


@dataclass(frozen=True, slots=True)
class Latch:
    """What the first fence of a log answered, and every later one answers again."""

    end: Offset
    byte_size: ByteSize


@dataclass(frozen=True, slots=True)
class Log:
    """[ROL-34, ROL-35, RDG-31] What one broker keeps of a segment, also over its own restarts.

    It only grows, and what the latch says lies above every record that it acknowledged.
    """

    start: Offset
    records: tuple[Record, ...] = ()
    latch: Latch | None = None

    @property
    def fenced(self) -> bool:
        """Whether the log was closed."""
        return self.latch is not None

    @property
    def end(self) -> Offset:
        """The offset after the last record."""
        return Offset(self.start + len(self.records))


def append(log: Log, records: tuple[Record, ...]) -> tuple[Log, Appended | Sealed]:
    """[ROL-2, ROL-31, PRD-27] Store a batch at the end, unless the latch is set.

    The look at the latch and the storing are one step, so nothing lands behind a fence.
    """
    if log.latch is not None:
        return log, Sealed(log.latch.end)
    longer = append_past_latch(log, records)
    return longer, Appended(Offset(longer.end - 1))


def append_past_latch(log: Log, records: tuple[Record, ...]) -> Log:
    """Store a batch at the end, latch or not: what a faulty or a resurrected copy holds."""
    stored = tuple(
        replace(record, offset=Offset(log.end + place)) for place, record in enumerate(records)
    )
    return replace(log, records=log.records + stored)


def fence(log: Log) -> tuple[Log, Offset, ByteSize]:
    """[ROL-1, ROL-33, ROL-43] Close the log; its end and its bytes are final from then on."""
    latch = log.latch or Latch(log.end, byte_size(log))
    return replace(log, latch=latch), latch.end, latch.byte_size


def byte_size(log: Log) -> ByteSize:
    """[PRD-1] The encoded bytes of all the records."""
    return ByteSize(sum(encoded_size(record) for record in log.records))


def read(log: Log, offset: Offset, at_most: Count) -> Records | Eof:
    """[RDG-35] The records from an offset on, each with its own."""
    found: list[Record] = []
    for record in log.records:
        if len(found) >= at_most:
            break
        if record.offset is not None and record.offset >= offset:
            found.append(record)
    return Records(tuple(found)) if found else Eof()


def cut(log: Log, edge: Offset) -> Log:
    """[HEA-18] Drop what lies above a sealed edge, and close the log there."""
    below = tuple(
        record for record in log.records if record.offset is not None and record.offset < edge
    )
    kept = replace(log, records=below)
    return replace(kept, latch=Latch(kept.end, byte_size(kept)))


def append_with_quorum(
    copies: Map[Broker, Log],
    replica_set: tuple[Broker, ...],
    base: Offset,
    records: tuple[Record, ...],
    reached: frozenset[Broker],
) -> tuple[Map[Broker, Log], Appended | Sealed | Failed]:
    """[ROL-32] The primary stores a batch, copies it to the followers it reaches, and counts.

    A copy starts where the follower ends, so a follower that missed batches gets them too.
    """
    primary, *followers = replica_set
    stored, answer = append(copies.get(primary, Log(base)), records)
    if isinstance(answer, Sealed):
        return copies, answer
    copies = copies.set(primary, stored)
    for broker in followers:
        if broker in reached:
            copies = copies.set(broker, _level(copies.get(broker, Log(base)), stored))
    holders = [broker for broker in replica_set if _holds(copies.get(broker), stored)]
    return copies, answer if 2 * len(holders) > len(replica_set) else NO_QUORUM


def _level(follower: Log, primary: Log) -> Log:
    """The follower with what it lacks of the primary, if nothing bars it."""
    held = len(follower.records)
    if follower.fenced or follower.records != primary.records[:held]:
        return follower
    return replace(follower, records=primary.records)


def _holds(copy: Log | None, primary: Log) -> bool:
    return copy is not None and copy.records == primary.records
