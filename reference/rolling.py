"""Rolls, fences and seals: how a range moves from one segment to the next.

A roll is a fence that is owed. The fence closes the segment at its primary and answers where it
ends; only that answer is recorded as the sealed length.
"""

from collections.abc import Iterable
from dataclasses import replace

from reference.controlplane import active_segment
from reference.frontend import CommandFun, Frontend, keep_view, without
from reference.vnodes import metadata_of
from spec.commands import SealSegment
from spec.replies import (
    AlreadySealed,
    CommandReply,
    Created,
    Exported,
    NoSuchSegment,
    Ok,
    Refusal,
    Unexpected,
    UnexpectedSealReply,
)
from spec.vocabulary import (
    ByteSize,
    Count,
    Fencing,
    Millis,
    Offset,
    RangeId,
    Roll,
    Segment,
    SegmentId,
    Sequence,
    State,
    TopicName,
)


def active_roll(front: Frontend, range_id: RangeId) -> Roll | None:
    """[ROL-23, ROL-24, ROL-40] The roll of a range's write head, fenced before the range retires.

    The control plane names the head; the cache is asked only where the view has nothing to say,
    since a split is run by a frontend that need not have written to the range.
    """
    listed = active_segment(metadata_of(front.view, range_id.topic), range_id)
    if listed is not None:
        segment_id, segment = listed
        if not segment.replica_set:
            return None
        return Roll(range_id, segment_id, segment.replica_set[0], segment.start_offset)
    head = front.heads.get(range_id)
    if head is not None and head.replica_set:
        return Roll(range_id, head.id, head.replica_set[0], head.start_offset)
    return None


def due_rolls(front: Frontend) -> tuple[Roll, ...]:
    """[ROL-14] The rolls this frontend owes, in ascending range id."""
    return tuple(roll for _, roll in sorted(front.rolling.items()))


def request_rolls(front: Frontend, segments: Iterable[tuple[SegmentId, Segment]]) -> Frontend:
    """[ROL-15] Owe a roll for each of these active segments, as the control plane lists them."""
    for segment_id, segment in segments:
        if segment.state is State.ACTIVE and segment.replica_set:
            front = _request_roll(front, segment_id, segment)
    return front


def owe_roll(front: Frontend, roll: Roll) -> Frontend:
    """[ROL-13] Owe a range this roll, unless it owes one already."""
    if roll.range_id in front.rolling:
        return front
    return replace(front, rolling=front.rolling.set(roll.range_id, roll))


def fences_to_send(
    front: Frontend, now: Millis, retry_after: Millis
) -> tuple[Frontend, tuple[Roll, ...]]:
    """[ROL-17, ROL-18, ROL-38] The owed rolls whose fence goes out now, marked as sent."""
    sent = tuple(
        replace(roll, fence_sent_at=now)
        for roll in due_rolls(front)
        if roll.fence_sent_at is None or now - roll.fence_sent_at >= retry_after
    )
    rolling = front.rolling.update({roll.range_id: roll for roll in sent})
    fencing = front.fencing.update({roll.range_id: Fencing(roll.segment_id, now) for roll in sent})
    return replace(front, rolling=rolling, fencing=fencing), sent


def is_awaiting_fence(
    front: Frontend, range_id: RangeId, segment_id: SegmentId, now: Millis, window: Millis
) -> bool:
    """[ROL-19] Whether the answer to this frontend's own fence of the segment may still come."""
    fencing = front.fencing.get(range_id)
    return (
        fencing is not None and fencing.segment_id == segment_id and _is_open(fencing, now, window)
    )


def range_awaiting_fence(
    front: Frontend, topic: TopicName, now: Millis, window: Millis
) -> RangeId | None:
    """[ROL-21] The lowest range of the topic whose fence is still awaited."""
    awaited = (
        range_id
        for range_id, fencing in front.fencing.items()
        if range_id.topic == topic and _is_open(fencing, now, window)
    )
    return min(awaited, default=None)


def forget_fence(front: Frontend, roll: Roll) -> Frontend:
    """[ROL-22] Stop awaiting a fence that failed. The roll stays owed."""
    return _clear_fencing(front, roll.range_id, roll.segment_id)


def record_fence(
    front: Frontend,
    roll: Roll,
    end_offset: Offset,
    byte_size: ByteSize,
    sealed_at: Millis,
    command_fun: CommandFun,
) -> tuple[Frontend, Ok | Refusal]:
    """[ROL-25, ROL-26, ROL-27, ROL-28] Record the answer to a fence.

    Unless the view says that the segment is sealed: then its length is not this answer's to say.
    Owed or not: a produce refused meanwhile clears the roll, and dropping the answer would leave
    a closed store under a segment that the control plane calls active (ROL-39). A segment that
    the view does not hold is the control plane's to judge.
    """
    segment = metadata_of(front.view, roll.range_id.topic).segments.get(roll.segment_id)
    if segment is not None and segment.state is State.SEALED:
        return _clear(front, roll), Ok()
    recorded, reply = record_seal(front, roll, end_offset, byte_size, sealed_at, command_fun)
    if isinstance(reply, NoSuchSegment):
        return _clear(front, roll), Ok()
    return recorded, reply


def record_seal(
    front: Frontend,
    roll: Roll,
    end_offset: Offset,
    byte_size: ByteSize,
    sealed_at: Millis,
    command_fun: CommandFun,
) -> tuple[Frontend, Ok | Refusal]:
    """[ROL-5, ROL-3, ROL-9, ROL-48] Record a seal at what the fence answered: all, or nothing."""
    segment = metadata_of(front.view, roll.range_id.topic).segments.get(roll.segment_id)
    start = roll.start_offset if segment is None else segment.start_offset
    length = Count(end_offset - start)
    command = SealSegment(roll.segment_id, length, byte_size, sealed_at)
    view, reply = command_fun(front.view, command)
    final = _final_length(reply, length)
    if isinstance(final, Refusal):
        return front, final
    # Keeps ROL-6: set and not raised, so that the next segment begins at this edge.
    seated = _seat(
        keep_view(front, view, command), roll.range_id, roll.segment_id, Offset(start + final)
    )
    return _clear_fencing(seated, roll.range_id, roll.segment_id), Ok()


def forget_sealed(
    front: Frontend, range_id: RangeId, segment_id: SegmentId, end_offset: Offset
) -> Frontend:
    """[ROL-7, ROL-20, ROL-29] Sit down behind a seal that somebody else performed.

    Guarded by the id: a refusal that names an older segment must not close the one that is open
    now. What is awaited of an own fence stays awaited.
    """
    head = front.heads.get(range_id)
    roll = front.rolling.get(range_id)
    is_head = head is not None and head.id == segment_id
    is_owed = roll is not None and roll.segment_id == segment_id
    return _seat(front, range_id, segment_id, end_offset) if is_head or is_owed else front


def is_superseded(front: Frontend, roll: Roll) -> bool:
    """[RFR-15, RFR-16, RFR-17, RFR-31] Whether the view has moved past an owed roll."""
    metadata = metadata_of(front.view, roll.range_id.topic)
    segment = metadata.segments.get(roll.segment_id)
    if segment is not None and segment.state is State.SEALED:
        return True
    listed = active_segment(metadata, roll.range_id)
    return (
        listed is not None and bool(listed[1].replica_set) and listed[0].seq > roll.segment_id.seq
    )


def drop_roll(front: Frontend, roll: Roll) -> Frontend:
    """[RFR-15, RFR-19] Owe a roll no longer, and await no answer to its fence."""
    return _clear(front, roll)


def evict_head(front: Frontend, range_id: RangeId) -> Frontend:
    """[RFR-13] Cache no head of the range; its counter stays."""
    return replace(front, heads=without(front.heads, range_id))


def raise_sequence(front: Frontend, range_id: RangeId, floor: Sequence) -> Frontend:
    """[ROL-37] Hand out no segment sequence below the floor."""
    if front.sequences.get(range_id, Sequence(0)) >= floor and range_id in front.sequences:
        return front
    return replace(front, sequences=front.sequences.set(range_id, floor))


def _request_roll(front: Frontend, segment_id: SegmentId, segment: Segment) -> Frontend:
    range_id = segment.range_id
    # Keeps ROL-16: the next segment must not be registered under the id that this roll closes.
    raised = raise_sequence(front, range_id, Sequence(segment_id.seq + 1))
    return owe_roll(
        raised, Roll(range_id, segment_id, segment.replica_set[0], segment.start_offset)
    )


def _final_length(reply: CommandReply, length: Count) -> Count | Refusal:
    """[ROL-8, ROL-10] The length on record after a seal was answered, or why it is not known."""
    match reply:
        case Ok():
            return length
        case AlreadySealed(existing):
            return existing
        case Refusal():
            return reply
        case Created() | Exported():
            return UnexpectedSealReply(type(reply).__name__)
        case Unexpected(answer):
            return UnexpectedSealReply(answer)


def _seat(front: Frontend, range_id: RangeId, segment_id: SegmentId, end: Offset) -> Frontend:
    """[ROL-30, RFR-27] Go on behind the end of a segment; a recovery that is due stays due."""
    head = front.heads.get(range_id)
    if head is not None and head.id == segment_id:
        front = evict_head(front, range_id)
    return replace(
        _clear_roll(front, range_id, segment_id), offsets=front.offsets.set(range_id, end)
    )


def _clear(front: Frontend, roll: Roll) -> Frontend:
    cleared = _clear_roll(front, roll.range_id, roll.segment_id)
    return _clear_fencing(cleared, roll.range_id, roll.segment_id)


def _clear_roll(front: Frontend, range_id: RangeId, segment_id: SegmentId) -> Frontend:
    roll = front.rolling.get(range_id)
    if roll is None or roll.segment_id != segment_id:
        return front
    return replace(front, rolling=without(front.rolling, range_id))


def _clear_fencing(front: Frontend, range_id: RangeId, segment_id: SegmentId) -> Frontend:
    fencing = front.fencing.get(range_id)
    if fencing is None or fencing.segment_id != segment_id:
        return front
    return replace(front, fencing=without(front.fencing, range_id))


def _is_open(fencing: Fencing, now: Millis, window: Millis) -> bool:
    return now - fencing.sent_at < window
