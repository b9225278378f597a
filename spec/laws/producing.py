"""The laws of producing: what was acknowledged, and how the counter moves."""

from collections.abc import Sequence
from itertools import pairwise

from spec.premises import everywhere, where
from spec.replies import Appended, Sealed
from spec.truth import Acknowledged, Expired, Heard, Listing, Seen, Stored, edge_of, entry_of
from spec.vocabulary import Count, Millis, Position, Range, Record, State


@where(
    "the segment is sealed, or no longer listed",
    lambda listing, batch: (
        (segment := entry_of(listing, batch.segment_id)) is None or edge_of(segment) is not None
    ),
)
def acknowledged_records_lie_below_the_edge(listing: Listing, batch: Acknowledged) -> bool:
    """[ROL-35] No seal hides a record that a client was told is safe. (S5)"""
    segment = entry_of(listing, batch.segment_id)
    if segment is None:
        return False
    edge = edge_of(segment)
    return edge is None or batch.last < edge


@everywhere
def an_acknowledged_record_stands_where_it_was_placed(stored: Stored, batch: Acknowledged) -> bool:
    """[PRD-27] Its offset holds this record and no other, at the primary. (S7, S8)"""
    first = batch.first - stored.primary.start
    standing = stored.primary.records[first : first + len(batch.records)]
    return [each.value for each in standing] == [each.value for each in batch.records]


@everywhere
def no_two_acknowledged_records_share_an_offset(one: Acknowledged, other: Acknowledged) -> bool:
    """[PRD-27] Not over the whole life of a range, also where one of them has expired. (S7)"""
    return one.last < other.first or other.last < one.first


@everywhere
def an_answered_batch_is_acknowledged_where_it_stands(
    heard: Heard, acknowledged: Acknowledged | None
) -> bool:
    """[PRD-31] The primary's offsets are reported, also where they differ from the plan. (S8)"""
    match heard.reply:
        case Appended(last):
            return (
                acknowledged is not None
                and acknowledged.last == last
                and acknowledged.first == last - len(heard.records) + 1
            )
        case _:
            return acknowledged is None


@everywhere
def a_plan_raises_the_counter_by_its_batch(before: Seen, count: Count, after: Seen) -> bool:
    """[PRD-16] Offsets are reserved at the counter, or at the start of an adopted head. (S9)"""
    floor = before.next_offset
    if before.head is None and after.head is not None:
        floor = max(floor, after.head.start_offset)
    return after.counter == floor + count


@where(
    "an answer names the head", lambda before, heard, _: is_answer(heard) and is_head(before, heard)
)
def an_answer_only_raises_the_counter(before: Seen, heard: Heard, after: Seen) -> bool:
    """[PRD-23] An adopted answer moves the counter past it, and never down. (S9)"""
    if not isinstance(heard.reply, Appended) or not is_head(before, heard):
        return True
    return after.counter == max(before.next_offset, heard.reply.last + 1)


@where(
    "an answer does not name the head",
    lambda before, heard, _: is_answer(heard) and not is_head(before, heard),
)
def an_answer_for_another_segment_changes_nothing(before: Seen, heard: Heard, after: Seen) -> bool:
    """[PRD-24] An answer for a closed segment does not own the range's end. (S10)"""
    return is_head(before, heard) or not isinstance(heard.reply, Appended) or before == after


@where(
    "an answer names the head", lambda before, heard, _: is_answer(heard) and is_head(before, heard)
)
def an_adopted_answer_ends_the_wait(before: Seen, heard: Heard, after: Seen) -> bool:
    """[PRD-25] What the primary reports is the end, also where it was planned so. (S20)"""
    if not isinstance(heard.reply, Appended) or not is_head(before, heard):
        return True
    return after.is_recovered


@where(
    "a batch is refused, or held",
    lambda _, heard, *__, is_held, **___: is_held or isinstance(heard.reply, Sealed),
)
def a_refused_batch_is_held_once_behind_an_own_fence(
    before: Seen, heard: Heard, now: Millis, window: Millis, *, is_again: bool, is_held: bool
) -> bool:
    """[PRD-29] The answer to the fence opens the next segment in a moment. (P4)"""
    segment, awaited = entry_of(before.listing, heard.segment_id), before.awaited
    is_recorded = segment is not None and segment.state is State.SEALED
    is_awaited = (
        awaited is not None
        and awaited.segment_id == heard.segment_id
        and now - awaited.sent_at < window
    )
    is_own = isinstance(heard.reply, Sealed) and (is_recorded or is_awaited)
    return is_held == (is_own and not is_again)


@where("the range is retired", lambda block, _: block.state is not State.ACTIVE)
def a_retired_range_takes_no_record(block: Range, heard: Heard) -> bool:
    """[ROL-41] After its children exist, no batch is answered with success in it. (S14)"""
    return block.state is State.ACTIVE or not isinstance(heard.reply, Appended)


@everywhere
def a_record_lies_in_the_range_that_owns_its_key(position: Position, block: Range | None) -> bool:
    """[PRD-3] The range that it was acknowledged in covers the position of its key. (S36)

    No block where the control plane does not list the range.
    """
    return block is not None and block.key_start <= position < block.key_end


@where("more than one record was acknowledged", lambda acknowledged: len(acknowledged) > 1)
def no_offset_is_given_twice(acknowledged: Sequence[Record]) -> bool:
    """[PRD-27] Over the whole life of a range, also where what stood there has expired. (S7)"""
    offsets = [record.offset for record in acknowledged]
    return len(set(offsets)) == len(offsets)


@where("more than one batch was acknowledged", lambda batches: len(batches) > 1)
def no_two_acknowledged_batches_share_an_offset(
    batches: tuple[Acknowledged | Expired, ...],
) -> bool:
    """[PRD-27] Not in the whole life of a range, what has expired included. (S7)"""
    spans = sorted((batch.first, batch.last) for batch in batches)
    return all(earlier[1] < later[0] for earlier, later in pairwise(spans))


@everywhere
def a_failed_batch_gives_no_offsets_back(before: Seen, after: Seen) -> bool:
    """[PRD-18] It may stand in the log all the same, so its offsets are spent. (S9)"""
    return before == after


@everywhere
def a_plan_that_fails_changes_nothing(before: Seen, after: Seen) -> bool:
    """[PRD-17] On an error the frontend is the one that was given. (S11)"""
    return before == after


def is_answer(heard: Heard) -> bool:
    """Whether a batch is answered with where it stands."""
    return isinstance(heard.reply, Appended)


def is_head(seen: Seen, heard: Heard) -> bool:
    """Whether an answer names the segment that the frontend caches."""
    return seen.head is not None and seen.head.id == heard.segment_id
