"""The laws of healing: what a failover may seal, and which copies are read and removed."""

from spec.premises import everywhere, where
from spec.truth import (
    Acknowledged,
    Asking,
    Copy,
    Delivered,
    Listing,
    Replicas,
    Seen,
    copy_at,
    edge_of,
    entry_of,
    is_sealed_in,
)
from spec.vocabulary import Broker, Offset, Segment, SegmentId, State


@where(
    "the segment is listed",
    lambda listing, asking: entry_of(listing, asking.segment_id) is not None,
)
def a_failover_fences_no_minority(listing: Listing, asking: Asking) -> bool:
    """[HEA-25] A fence that cannot lead to a seal would only shut a copy that works. (S38)"""
    segment = entry_of(listing, asking.segment_id)
    return segment is None or 2 * len(asking.asked) > len(segment.replica_set)


@where(
    "the failover seals",
    lambda before, asking, after: is_sealed_between(before, asking.segment_id, after),
)
def a_failover_seals_only_what_a_majority_answered(
    before: Listing, asking: Asking, after: Listing
) -> bool:
    """[HEA-9] Below a majority nothing is sealed, and a failed copy is no answer. (S38)"""
    if not is_sealed_between(before, asking.segment_id, after):
        return True
    segment = entry_of(before, asking.segment_id)
    return segment is not None and 2 * len(asking.counted) > len(segment.replica_set)


@where(
    "the failover seals",
    lambda before, asking, after: is_sealed_between(before, asking.segment_id, after),
)
def a_failover_seals_at_the_highest_end(before: Listing, asking: Asking, after: Listing) -> bool:
    """[HEA-10] Of all that was acknowledged, the highest end misses nothing. (S38, S5)"""
    segment = entry_of(after, asking.segment_id)
    if segment is None or not is_sealed_between(before, asking.segment_id, after):
        return True
    return edge_of(segment) == max((end for _, end in asking.counted), default=None)


@where(
    "the failover seals",
    lambda before, asking, after: is_sealed_between(before, asking.segment_id, after),
)
def a_failover_puts_the_holder_first(before: Listing, asking: Asking, after: Listing) -> bool:
    """[HEA-11] Only that copy is known to hold everything below the edge. (S38)"""
    segment = entry_of(after, asking.segment_id)
    if segment is None or not is_sealed_between(before, asking.segment_id, after):
        return True
    return dict(asking.counted).get(segment.replica_set[0]) == edge_of(segment)


@where(
    "the segment is sealed and has replicas",
    lambda segment, _: edge_of(segment) is not None and bool(segment.replica_set),
)
def a_sealed_segment_is_led_by_a_copy_that_holds_it(segment: Segment, replicas: Replicas) -> bool:
    """[HEA-26] Its readers are sent to the head of its set, and find all of it there. (S5, S16)"""
    edge = edge_of(segment)
    if edge is None or not segment.replica_set:
        return True
    return end_of(segment, copy_at(replicas, segment.replica_set[0])) >= edge


@everywhere
def an_acknowledged_record_is_at_the_head_of_its_set(
    segment: Segment, replicas: Replicas, batch: Acknowledged
) -> bool:
    """[HEA-26] Who reads its offset is answered this record and no other. (S5, S7, S8)"""
    head = copy_at(replicas, segment.replica_set[0])
    if head is None:
        return False
    first = batch.first - segment.start_offset
    standing = head.records[first : first + len(batch.records)]
    return [each.value for each in standing] == [each.value for each in batch.records]


@where(
    "the segment is the cached head, and listed as active",
    lambda segment_id, after: (
        after.head is not None
        and after.head.id == segment_id
        and entry_of(after.listing, segment_id) is not None
        and not is_sealed_in(after.listing, segment_id)
    ),
)
def the_next_batch_goes_to_the_replicas_on_record(segment_id: SegmentId, after: Seen) -> bool:
    """[HEA-2] A cached head follows the set that a repair gave its segment. (S23)"""
    head, segment = after.head, entry_of(after.listing, segment_id)
    if head is None or segment is None or head.id != segment_id:
        return True
    return segment.state is State.SEALED or head.replica_set == segment.replica_set


@everywhere
def a_probe_fences_nothing(before: Replicas, after: Replicas) -> bool:
    """[HEA-16] Most of those that are asked are healthy heads. (S4)"""
    return before == after


@where(
    "the step seals the segment",
    lambda before, segment_id, _, after: is_sealed_between(before, segment_id, after),
)
def an_orphaned_fence_is_sealed_where_it_ends(
    before: Listing, segment_id: SegmentId, end: Offset, after: Listing
) -> bool:
    """[HEA-15] The latch is set, so its answer is a length already. (S4, P2)"""
    segment = entry_of(after, segment_id)
    if segment is None or not is_sealed_between(before, segment_id, after):
        return True
    return edge_of(segment) == end


@everywhere
def a_cut_copy_ends_at_the_edge(listing: Listing, segment_id: SegmentId, after: Copy) -> bool:
    """[HEA-18] What stood above was acknowledged to nobody, and nothing lands there again. (S5)"""
    segment = entry_of(listing, segment_id)
    return segment is not None and after.is_fenced and after.end == edge_of(segment)


@where(
    "a sealed segment names the broker",
    lambda listing, segment_id, _, broker: (
        is_sealed_in(listing, segment_id) and broker in listed_brokers(listing, segment_id)
    ),
)
def a_new_replica_is_named_only_once_it_is_copied(
    listing: Listing, segment_id: SegmentId, replicas: Replicas, broker: Broker
) -> bool:
    """[HEA-17] Who is named is asked, and would answer that there is nothing. (S5, S16)"""
    segment = entry_of(listing, segment_id)
    edge = None if segment is None else edge_of(segment)
    if segment is None or edge is None or broker not in segment.replica_set:
        return True
    return end_of(segment, copy_at(replicas, broker)) >= edge


@where(
    "the segment is listed",
    lambda listing, segment_id, _: entry_of(listing, segment_id) is not None,
)
def no_copy_goes_that_the_control_plane_names(
    listing: Listing, segment_id: SegmentId, broker: Broker
) -> bool:
    """[HEA-23] A reader is sent to it, and meets an error. (S18, S24)"""
    segment = entry_of(listing, segment_id)
    return segment is None or broker not in segment.replica_set


@where(
    "a segment is removed",
    lambda before, after: bool({each for each, _ in before} - {each for each, _ in after}),
)
def only_sealed_segments_are_removed(before: Listing, after: Listing) -> bool:
    """[RNG-20] An active one has no length, and somebody may be writing to it. (S30)"""
    return all(
        segment.state is State.SEALED or entry_of(after, segment_id) is not None
        for segment_id, segment in before
    )


@where(
    "the segment that it came from is sealed",
    lambda listing, delivered: is_sealed_in(listing, delivered.segment_id),
)
def a_delivered_record_lies_below_the_edge(listing: Listing, delivered: Delivered) -> bool:
    """[RDG-37] What a consumer was given is sealed into the log. (S37)

    Tempting and false: a primary serves what it holds, also before a majority does, and a failover
    seals below it.
    """
    segment = entry_of(listing, delivered.segment_id)
    edge = None if segment is None else edge_of(segment)
    offset = delivered.record.offset
    return edge is None or offset is None or offset < edge


def is_sealed_between(before: Listing, segment_id: SegmentId, after: Listing) -> bool:
    """Whether a step sealed the segment."""
    held, now = entry_of(before, segment_id), entry_of(after, segment_id)
    return (
        held is not None
        and now is not None
        and held.state is State.ACTIVE
        and now.state is State.SEALED
    )


def end_of(segment: Segment, copy: Copy | None) -> Offset:
    """Where a copy ends; one that is not there holds nothing."""
    return segment.start_offset if copy is None else copy.end


def listed_brokers(listing: Listing, segment_id: SegmentId) -> tuple[Broker, ...]:
    """The replicas that are listed for a segment; none where it is not listed."""
    segment = entry_of(listing, segment_id)
    return () if segment is None else segment.replica_set
