"""The named changes of the machine, each one rule exchanged for another.

Each brings back a fault that the source tells of or warns of. A change is kept as small as the
mistake it stands for.
"""

from collections.abc import Iterable
from dataclasses import replace

from checker.world.sharing.parts import RANGE, TOPIC
from reference import producing, refreshing, rolling, vnodes
from reference.controlplane import Metadata, active_segment
from reference.frontend import CommandFun, Frontend, without
from reference.vnodes import View, metadata_of
from spec.commands import Command, RegisterSegment, SealSegment
from spec.replies import (
    ActiveSegmentExists,
    AlreadySealed,
    CommandReply,
    Ok,
    Planned,
    Refusal,
    SegmentExists,
    SegmentOverlap,
)
from spec.vocabulary import (
    ByteSize,
    Count,
    Dispatch,
    Millis,
    Offset,
    RangeId,
    Record,
    Roll,
    Segment,
    SegmentId,
    Sequence,
    State,
    TopicName,
)

Recorded = tuple[Frontend, Ok | Refusal]


def counter_of(front: Frontend) -> Offset:
    """The frontend's own idea of where the range ends."""
    return front.offsets.get(RANGE, Offset(0))


def with_counter(front: Frontend, counter: Offset) -> Frontend:
    """The frontend with another counter."""
    return replace(front, offsets=front.offsets.set(RANGE, counter))


def roll_without_fence(front: Frontend, roll: Roll) -> tuple[Offset, ByteSize]:
    """[ROL-36] Take the counter for the segment's end and ask nobody."""
    head = front.heads.get(roll.range_id)
    return counter_of(front), ByteSize(0) if head is None else head.bytes


def length_from_counter(
    front: Frontend, roll: Roll, _end: Offset, size: ByteSize, at: Millis, tell: CommandFun
) -> Recorded:
    """[ROL-3] Record the counter in place of the answer."""
    return rolling.record_fence(front, roll, counter_of(front), size, at, tell)


def stale_head_kept(front: Frontend, view: View) -> Frontend:
    """[RFR-12, RFR-30] Drop no head on a refresh."""
    taken, emptied = refreshing.take_journal(front)
    renewed = refreshing.replay_journal(refreshing.put_cache(emptied, view), taken)
    dropped = refreshing.drop_stale_active_segments(renewed)
    return replace(dropped, heads=renewed.heads, offsets=renewed.offsets)


def offset_mismatch_fails(
    front: Frontend, dispatch: Dispatch, last: Offset
) -> tuple[Frontend, bool]:
    """[PRD-31] Take an answer that differs from the plan for an error."""
    adopted = producing.adopt_offsets(front, dispatch.range_id, dispatch.segment_id, last)
    return adopted, last == dispatch.last


def roll_dropped_for_any_other_head(front: Frontend, view: View) -> Frontend:
    """[RFR-16] Drop an owed roll because the listed head is merely another."""
    installed = refreshing.drop_stale_active_segments(_renewed(front, view))
    listed = active_segment(metadata_of(installed.view, TOPIC), RANGE)
    roll = installed.rolling.get(RANGE)
    if roll is None or listed is None or listed[0] == roll.segment_id:
        return installed
    return rolling.drop_roll(installed, roll)


def seal_keeps_max(
    front: Frontend, roll: Roll, end: Offset, size: ByteSize, at: Millis, tell: CommandFun
) -> Recorded:
    """[ROL-6] Raise the counter at a seal in place of setting it."""
    recorded, reply = rolling.record_fence(front, roll, end, size, at, tell)
    return with_counter(recorded, max(counter_of(front), counter_of(recorded))), reply


def refusal_keeps_max(
    front: Frontend, range_id: RangeId, segment_id: SegmentId, end: Offset
) -> Frontend:
    """[ROL-29] Raise the counter at a refusal in place of setting it."""
    seated = rolling.forget_sealed(front, range_id, segment_id, end)
    return with_counter(seated, max(counter_of(front), counter_of(seated)))


def conflict_is_error(
    front: Frontend, roll: Roll, end: Offset, size: ByteSize, at: Millis, tell: CommandFun
) -> Recorded:
    """[ROL-8] Answer `already_sealed` as an error and adopt nothing."""
    conflicts: list[AlreadySealed] = []

    def listen(view: View, command: Command) -> tuple[View, CommandReply]:
        brought, reply = tell(view, command)
        conflicts.extend([reply] if isinstance(reply, AlreadySealed) else [])
        return brought, reply

    recorded = rolling.record_fence(front, roll, end, size, at, listen)
    return (front, conflicts[0]) if conflicts else recorded


def conflict_overwrites(view: View, request: Command) -> tuple[View, CommandReply]:
    """[RNG-19] Let a later length take the place of the recorded one."""
    answered, reply = vnodes.command(view, request, Millis(0))
    if not isinstance(reply, AlreadySealed) or not isinstance(request, SealSegment):
        return answered, reply
    return _with_length(view, request), Ok()


def second_head_registered(view: View, request: Command) -> tuple[View, CommandReply]:
    """[RNG-17] Register a segment without a look at the head that the range has."""
    answered, reply = vnodes.command(view, request, Millis(0))
    if not isinstance(reply, ActiveSegmentExists) or not isinstance(request, RegisterSegment):
        return answered, reply
    metadata = metadata_of(view, TOPIC)
    segment = Segment(RANGE, request.replica_set, request.start_offset)
    listed = replace(metadata, segments=metadata.segments.set(request.segment_id, segment))
    return replace(view, vnodes=view.vnodes.update(dict.fromkeys(view.vnodes, listed))), Ok()


def seal_half_done(
    front: Frontend, roll: Roll, end: Offset, size: ByteSize, at: Millis, tell: CommandFun
) -> Recorded:
    """[ROL-5] Drop head and roll although the seal was not answered."""
    recorded, reply = rolling.record_fence(front, roll, end, size, at, tell)
    if isinstance(reply, Ok):
        return recorded, reply
    return rolling.evict_head(rolling.drop_roll(recorded, roll), roll.range_id), reply


def answer_needs_owed_roll(
    front: Frontend, roll: Roll, end: Offset, size: ByteSize, at: Millis, tell: CommandFun
) -> Recorded:
    """[ROL-25, ROL-46] Ignore the answer to a fence whose roll is no longer owed."""
    if roll.range_id not in front.rolling:
        return rolling.forget_fence(front, roll), Ok()
    return rolling.record_fence(front, roll, end, size, at, tell)


def answer_needs_view(
    front: Frontend, roll: Roll, end: Offset, size: ByteSize, at: Millis, tell: CommandFun
) -> Recorded:
    """[ROL-27] Ignore the answer for a segment that the view does not hold."""
    if roll.segment_id not in metadata_of(front.view, TOPIC).segments:
        return rolling.drop_roll(front, roll), Ok()
    return rolling.record_fence(front, roll, end, size, at, tell)


def late_answer_seals(
    front: Frontend, roll: Roll, end: Offset, size: ByteSize, at: Millis, tell: CommandFun
) -> Recorded:
    """[ROL-26] Seal although the view says that the segment is sealed."""
    return rolling.record_seal(front, roll, end, size, at, tell)


def adopt_sets(front: Frontend, dispatch: Dispatch, last: Offset) -> tuple[Frontend, bool]:
    """[PRD-23] Set the counter to an answer in place of raising it."""
    adopted = producing.adopt_offsets(front, dispatch.range_id, dispatch.segment_id, last)
    head = front.heads.get(dispatch.range_id)
    if head is None or head.id != dispatch.segment_id:
        return adopted, True
    return with_counter(adopted, Offset(last + 1)), True


def answer_leaves_unrecovered(
    front: Frontend, dispatch: Dispatch, last: Offset
) -> tuple[Frontend, bool]:
    """[PRD-25] Let an answer not end the wait for a recovery."""
    adopted = producing.adopt_offsets(front, dispatch.range_id, dispatch.segment_id, last)
    return replace(adopted, unrecovered=front.unrecovered), True


def seed_sets(
    front: Frontend, range_id: RangeId, next_offset: Offset, min_seq: Sequence
) -> Frontend:
    """[RFR-20] Set the counter to what was recovered in place of raising it."""
    seeded = refreshing.seed_range_state(front, range_id, next_offset, min_seq)
    return with_counter(seeded, next_offset)


def probe_failure_takes_range(front: Frontend, range_id: RangeId, min_seq: Sequence) -> Frontend:
    """[RFR-23] Take a range whose end is known for one whose end is not."""
    seeded = refreshing.seed_unrecovered_range(front, range_id, min_seq)
    return replace(seeded, unrecovered=seeded.unrecovered | {range_id})


def refusal_not_told(
    front: Frontend, _range_id: RangeId, _segment_id: SegmentId, _end: Offset
) -> Frontend:
    """[PRD-34] Tell the client of a refusal, and not the frontend."""
    return front


def refusal_unguarded(
    front: Frontend, range_id: RangeId, segment_id: SegmentId, end: Offset
) -> Frontend:
    """[ROL-7] Close whatever head is open, whichever segment the refusal names."""
    seated = rolling.forget_sealed(front, range_id, segment_id, end)
    return with_counter(rolling.evict_head(seated, range_id), end)


def roll_kept_forever(front: Frontend, view: View) -> Frontend:
    """[RFR-15] Never drop an owed roll whose segment is not cached."""
    installed = refreshing.drop_stale_active_segments(_renewed(front, view))
    roll, head = front.rolling.get(RANGE), front.heads.get(RANGE)
    if roll is None or (head is not None and head.id == roll.segment_id):
        return installed
    return replace(installed, rolling=installed.rolling.set(RANGE, roll))


def roll_dropped_if_unseen(front: Frontend, view: View) -> Frontend:
    """[RFR-16] Drop an owed roll whose segment the view lacks."""
    installed = refreshing.drop_stale_active_segments(_renewed(front, view))
    roll = installed.rolling.get(RANGE)
    if roll is None or roll.segment_id in metadata_of(installed.view, TOPIC).segments:
        return installed
    return rolling.drop_roll(installed, roll)


def age_roll_from_cache(front: Frontend, segments: Iterable[tuple[SegmentId, Segment]]) -> Frontend:
    """[ROL-15] Roll by age only what this frontend caches itself."""
    head = front.heads.get(RANGE)
    cached = [each for each in segments if head is not None and each[0] == head.id]
    return rolling.request_rolls(front, cached)


def age_roll_keeps_sequence(
    front: Frontend, segments: Iterable[tuple[SegmentId, Segment]]
) -> Frontend:
    """[ROL-16] Leave the sequence below the rolled segment."""
    return replace(rolling.request_rolls(front, segments), sequences=front.sequences)


def roll_replaced(front: Frontend, segments: Iterable[tuple[SegmentId, Segment]]) -> Frontend:
    """[ROL-13] Let a second request take the place of the owed roll and its mark."""
    return rolling.request_rolls(replace(front, rolling=without(front.rolling, RANGE)), segments)


def roll_is_a_barrier(
    front: Frontend, topic: TopicName, records: tuple[Record, ...], tell: CommandFun
) -> tuple[Frontend, Planned | Refusal]:
    """[ROL-12] Close the head as soon as its roll is owed."""
    planned, reply = producing.produce_plan(front, topic, records, tell)
    if RANGE in planned.rolling:
        return rolling.evict_head(planned, RANGE), reply
    return planned, reply


def no_replay(front: Frontend, view: View) -> Frontend:
    """[RFR-8] Install what was read and forget the journal."""
    _, emptied = refreshing.take_journal(front)
    return refreshing.drop_stale_active_segments(refreshing.put_cache(emptied, view))


def refused_applied_locally(
    newest: View, held: View, request: Command, reply: CommandReply
) -> View:
    """[RNG-42] Apply to the view what the control plane refused."""
    return vnodes.command(held, request, Millis(0))[0] if isinstance(reply, Refusal) else newest


def plan_leaks(
    front: Frontend, topic: TopicName, records: tuple[Record, ...], tell: CommandFun
) -> tuple[Frontend, Planned | Refusal]:
    """[PRD-17] Keep the reservation of a plan that failed."""
    planned, reply = producing.produce_plan(front, topic, records, tell)
    if isinstance(reply, Planned):
        return planned, reply
    return with_counter(front, Offset(counter_of(front) + len(records))), reply


def offsets_given_back(front: Frontend, _range_id: RangeId, count: Count) -> Frontend:
    """[PRD-18, PRD-28] Lower the counter by a batch that failed, as if nobody had stored it."""
    return with_counter(front, Offset(counter_of(front) - count))


def fence_per_produce(
    front: Frontend, now: Millis, retry_after: Millis
) -> tuple[Frontend, tuple[Roll, ...]]:
    """[ROL-18] Send a fence and do not mark it."""
    _, rolls = rolling.fences_to_send(front, now, retry_after)
    return front, rolls


def fence_needs_a_produce(
    front: Frontend, now: Millis, retry_after: Millis
) -> tuple[Frontend, tuple[Roll, ...]]:
    """[ROL-47] Send fences behind produces alone: none for a range that is not written to here."""
    return rolling.fences_to_send(front, now, retry_after) if RANGE in front.heads else (front, ())


def fence_never_resent(
    front: Frontend, now: Millis, retry_after: Millis
) -> tuple[Frontend, tuple[Roll, ...]]:
    """[ROL-17, ROL-38] Send a marked roll never again."""
    roll = front.rolling.get(RANGE)
    if roll is not None and roll.fence_sent_at is not None:
        return front, ()
    return rolling.fences_to_send(front, now, retry_after)


def wait_unbounded(
    front: Frontend, range_id: RangeId, segment_id: SegmentId, _now: Millis, _window: Millis
) -> bool:
    """[ROL-19, ROL-42] Await a fence however long it takes."""
    fencing = front.fencing.get(range_id)
    return fencing is not None and fencing.segment_id == segment_id


def lost_race_view_kept(
    front: Frontend, topic: TopicName, records: tuple[Record, ...], tell: CommandFun
) -> tuple[Frontend, Planned | Refusal]:
    """[PRD-12] Keep the view that came with a registration that lost its race."""
    brought: list[View] = []

    def listen(view: View, command: Command) -> tuple[View, CommandReply]:
        newer, reply = tell(view, command)
        brought.append(newer)
        return newer, reply

    planned, reply = producing.produce_plan(front, topic, records, listen)
    is_lost = isinstance(reply, SegmentExists | SegmentOverlap | ActiveSegmentExists)
    return (replace(planned, view=brought[-1]) if is_lost else planned), reply


def own_refusal_handed_on(_is_own: bool, _is_again: bool) -> bool:
    """[PRD-29] Tell the client of every refusal, whoever caused it."""
    return False


def refusal_ends_the_wait(
    front: Frontend, range_id: RangeId, segment_id: SegmentId, end: Offset
) -> Frontend:
    """[ROL-20] Await the answer of a fence no longer that was taken."""
    seated = rolling.forget_sealed(front, range_id, segment_id, end)
    return replace(seated, fencing=without(seated.fencing, range_id))


def refusal_ends_a_recovery(
    front: Frontend, range_id: RangeId, segment_id: SegmentId, end: Offset
) -> Frontend:
    """[RFR-27] Take the end of a segment for the end of the range."""
    seated = rolling.forget_sealed(front, range_id, segment_id, end)
    return replace(seated, unrecovered=seated.unrecovered - {range_id})


def journal_replayed_first(front: Frontend, view: View) -> Frontend:
    """[RFR-3] Replay the journal into the view that is held, and install the read over it."""
    taken, emptied = refreshing.take_journal(front)
    cached = refreshing.put_cache(refreshing.replay_journal(emptied, taken), view)
    return refreshing.drop_stale_active_segments(cached)


def failed_fence_still_awaited(front: Frontend, _roll: Roll) -> Frontend:
    """[ROL-22, ROL-46] Keep awaiting a fence that failed."""
    return front


def _renewed(front: Frontend, view: View) -> Frontend:
    taken, emptied = refreshing.take_journal(front)
    return refreshing.replay_journal(refreshing.put_cache(emptied, view), taken)


def _with_length(view: View, request: SealSegment) -> View:
    vnode = vnodes.route(view, TOPIC)
    assert vnode is not None, "the ring of the world has a vnode"
    metadata: Metadata = view.vnodes[vnode]
    sealed = replace(
        metadata.segments[request.segment_id],
        state=State.SEALED,
        length=request.length,
        byte_size=request.byte_size,
    )
    listed = metadata.segments.set(request.segment_id, sealed)
    return replace(view, vnodes=view.vnodes.set(vnode, replace(metadata, segments=listed)))
