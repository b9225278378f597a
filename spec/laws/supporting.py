"""What the other laws rest on: laws that hold in every state and that nobody asks for alone.

A law that holds in every reachable state need not be kept by every step from every state in
which it holds. With these beside them the laws of the chapters are: whatever state fulfils them
all, one step leads to one that fulfils them all, whatever its integers are.
"""

from spec.laws.ranges import a_range_has_at_most_one_head, the_segments_of_a_range_tile_its_offsets
from spec.truth import (
    Acknowledged,
    Closing,
    Copy,
    Listing,
    Seen,
    Stored,
    entry_of,
)
from spec.vocabulary import ByteSize, Dispatch, Offset, Segment, SegmentId, State


def segments_are_numbered_without_a_gap(listing: Listing) -> bool:
    """[PRD-10] A range whose segments do not expire lists the first one and each next one."""
    return all(segment_id.seq == place for place, (segment_id, _) in enumerate(listing))


def no_segment_ends_before_it_begins(listing: Listing) -> bool:
    """[ROL-43] A sealed segment has a length, which is 0 or more, and none begins below 0."""
    return all(
        segment.start_offset >= 0
        and (segment.state is State.ACTIVE if segment.length is None else segment.length >= 0)
        for _, segment in listing
    )


def a_listing_only_grows(before: Listing, after: Listing) -> bool:
    """[RNG-19] A step opens a segment behind all others or closes the open one."""
    if len(after) not in {len(before), len(before) + 1}:
        return False
    return all(
        old[0] == new[0] and (old[1] == new[1] or is_closed_from(old[1], new[1]))
        for old, new in zip(before, after, strict=False)
    ) and (len(after) == len(before) or after[-1][1].state is State.ACTIVE)


def a_frontend_names_segments_where_they_begin(seen: Seen, listing: Listing) -> bool:
    """[PRD-15] Its head, its roll and its fence are of listed segments, at their starts."""
    head, owed, awaited = seen.head, seen.owed, seen.awaited
    return (
        (head is None or begins_at(listing, head.id, head.start_offset))
        and (owed is None or begins_at(listing, owed.segment_id, owed.start_offset))
        and (awaited is None or entry_of(listing, awaited.segment_id) is not None)
    )


def a_frontend_skips_no_sequence(seen: Seen, listing: Listing) -> bool:
    """[PRD-10] The next sequence is at most one past the last segment that is listed."""
    return (seen.sequence or 0) <= len(listing)


def nobody_counts_before_the_first_segment(seen: Seen, listing: Listing) -> bool:
    """[ROL-44] While a range lists no segment, its counter stands at 0 with everyone."""
    return len(listing) > 0 or seen.next_offset == 0


def a_view_lists_what_the_control_plane_does(seen: Seen, listing: Listing) -> bool:
    """[RNG-42] A view may be old: then what it calls open may have been closed, and no more.

    So it is where no journal is replayed; with one, a command that was refused or came second
    leaves in a view what the control plane never said.
    """
    return is_of(seen.listing, listing)


def a_view_is_a_listing_of_its_time(view: Listing) -> bool:
    """[RNG-42] A view was the control plane's own once, so that it keeps the laws of a listing."""
    return (
        segments_are_numbered_without_a_gap(view)
        and no_segment_ends_before_it_begins(view)
        and a_range_has_at_most_one_head(view)
        and the_segments_of_a_range_tile_its_offsets(view)
    )


def a_message_names_its_segment_where_it_begins(
    segment_id: SegmentId, start: Offset, listing: Listing
) -> bool:
    """[PRD-15] A batch or a fence under way is for a listed segment, and names its start."""
    return begins_at(listing, segment_id, start)


def a_copy_begins_where_its_segment_is_listed(
    segment_id: SegmentId, stored: Stored | None, listing: Listing
) -> bool:
    """[ROL-31] Nobody writes to a segment that is not listed, nor from another start."""
    return stored is None or all(begins_at(listing, segment_id, copy.start) for copy in stored)


def a_latch_names_the_end_of_its_log(copy: Copy) -> bool:
    """[ROL-1] Nothing lands behind the latch, so that the end that was answered is the end."""
    return copy.answered is None or copy.answered[0] == copy.end


def an_answered_fence_tells_the_latch_of_its_primary(
    closing: Closing, stored: Stored | None
) -> bool:
    """[ROL-43] The answer under way is what the primary would answer again."""
    return stored is not None and stored.primary.answered == (closing.end, closing.byte_size)


def an_answered_batch_lies_in_every_copy_that_counts(
    batch: Acknowledged, stored: Stored | None
) -> bool:
    """[ROL-32] What was answered stands at the primary and at a majority, as far as its last."""
    return (
        stored is not None
        and stored.primary.start <= batch.first <= batch.last
        and batch.last < stored.primary.end
        and batch.last < stored.majority.end
    )


def a_refusal_names_the_end_of_its_primary(end: Offset, stored: Stored | None) -> bool:
    """[ROL-2] The refusal under way names where the log was closed."""
    return (
        stored is not None
        and stored.primary.answered is not None
        and stored.primary.answered[0] == end
    )


def a_plan_tallies_what_it_sends(before: Seen, batch: ByteSize, after: Seen) -> bool:
    """[PRD-26] The head's tally grows by the bytes of the batch, from 0 where the head is new."""
    if after.head is None:
        return False
    is_kept = before.head is not None and before.head.id == after.head.id
    held = before.head.bytes if before.head is not None and is_kept else 0
    return after.head.bytes == held + batch


def a_full_head_owes_a_roll(limit: ByteSize, after: Seen) -> bool:
    """[ROL-11] A tally that has reached the limit leaves a roll owed."""
    return after.head is None or after.head.bytes < limit or after.owed is not None


def a_batch_is_planned_below_the_counter(dispatch: Dispatch, after: Seen) -> bool:
    """[PRD-15] Its offsets are the last ones that the plan reserved, one for each record."""
    return (
        dispatch.last == dispatch.first + dispatch.count - 1 and after.counter == dispatch.last + 1
    )


def a_recorded_seal_has_the_bytes_of_the_answer(
    before: Listing, closing: Closing, after: Listing
) -> bool:
    """[RNG-46] The bytes that the fence answered are recorded with its end, once."""
    known, now = entry_of(before, closing.segment_id), entry_of(after, closing.segment_id)
    if known is None or now is None or known.state is State.SEALED or now.state is State.ACTIVE:
        return True
    return now.byte_size == closing.byte_size


def no_offset_is_acknowledged_twice(one: Acknowledged, other: Acknowledged) -> bool:
    """[PRD-27] Two batches of a range never share an offset, in one segment or in two. (S7)"""
    return one.last < other.first or other.last < one.first


def begins_at(listing: Listing, segment_id: SegmentId, start: Offset) -> bool:
    """Whether a segment is listed with this start."""
    segment = entry_of(listing, segment_id)
    return segment is not None and segment.start_offset == start


def is_of(view: Listing, listing: Listing) -> bool:
    """Whether each entry of a view is listed, or was until it was closed."""
    return len(view) <= len(listing) and all(
        old[0] == new[0] and (old[1] == new[1] or is_closed_from(old[1], new[1]))
        for old, new in zip(view, listing, strict=False)
    )


def is_closed_from(old: Segment, new: Segment) -> bool:
    """Whether a listed segment is another that was closed since."""
    return (
        old.state is State.ACTIVE
        and new.state is State.SEALED
        and old.start_offset == new.start_offset
    )
