"""The ideal: a topic is a queue for each key.

Whatever frontends, segments, ranges and fences do, clients may see nothing but this. A queue grows
at its back, by records that somebody produced. It loses nothing but at its front, by retention.
A record that was acknowledged stands in the queue of its key from then on. A consumer takes the
records of a queue in order, each once, and is told of those that retention took before it came.

The machine refines it: `queue` says which queue a topic stands for, the laws of `spec.laws.ideal`
hold every step of the machine to a step of a queue.
"""

from collections.abc import Iterator, Mapping, Sequence

from spec.truth import Blocks, Copy, Listing, Passed, edge_of
from spec.vocabulary import START, ConsumeCursor, Cursor, Offset, Position, Record, SegmentId

Queue = tuple[Record, ...]
"""The records of one key, or of all keys at one position, oldest first."""


def queue(
    blocks: Blocks, listing: Listing, logs: Mapping[SegmentId, Copy], position: Position
) -> Queue:
    """Answer the queue at a position: what the ranges that own it hold, ancestors first.

    Range ids grow, so the ascending order of ids puts every ancestor before its children.
    """
    owners = {range_id for range_id, block in blocks if block.key_start <= position < block.key_end}
    return tuple(
        record
        for segment_id, segment in listing
        if segment_id.range_id in owners and segment_id in logs
        for record in logs[segment_id].records
        if record.offset is not None
        and ((edge := edge_of(segment)) is None or record.offset < edge)
    )


def grows(before: Queue, after: Queue) -> bool:
    """Whether one queue becomes another by records at its back, or stays."""
    return after[: len(before)] == before


def holds(standing: Queue, record: Record) -> bool:
    """Whether a record stands in a queue exactly once."""
    return [each.value for each in standing].count(record.value) == 1


def passed(
    stream: Sequence[Passed], asked: ConsumeCursor, answered: ConsumeCursor
) -> tuple[Passed, ...]:
    """Answer what of a stream lies behind one cursor and not behind another."""
    return tuple(
        each for each in stream if _at(asked) <= (each.source, each.offset) < _at(answered)
    )


def is_taken_in_order(stretch: Sequence[Passed], delivered: Sequence[Record]) -> bool:
    """Whether records are those of a stretch, each once, without one that is still stored."""
    waiting = iter(delivered)
    expected = next(waiting, None)
    for each in stretch:
        if not each.is_in_slice:
            continue
        if expected is not None and each.record == expected:
            expected = next(waiting, None)
        elif each.is_stored:
            return False
    return expected is None


def missing(stretch: Sequence[Passed], delivered: Sequence[Record]) -> Iterator[Passed]:
    """Answer what a consumer was to get of a stretch and did not."""
    return (each for each in stretch if each.is_in_slice and each.record not in delivered)


def _at(cursor: ConsumeCursor) -> Cursor:
    return Cursor(0, Offset(0)) if cursor == START else cursor
