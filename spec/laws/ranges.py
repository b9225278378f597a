"""The laws of ranges: what the control plane lists."""

from collections.abc import Iterator
from itertools import pairwise

from spec.commands import CommitOffset
from spec.premises import everywhere, where
from spec.replies import Ok
from spec.truth import Asked, Blocks, Catalog, Listing, Seen, edge_of, entry_of, is_sealed_in, whole
from spec.vocabulary import Range, RangeId, SegmentId, State


@where(
    "the first segment is listed, or two are",
    lambda listing: len(listing) > 1 or any(each.seq == 0 for each, _ in listing),
)
def the_segments_of_a_range_tile_its_offsets(listing: Listing) -> bool:
    """[ROL-4] The first segment begins at 0, and each next one at the edge before it. (S1)"""
    starts = [segment.start_offset for _, segment in listing]
    edges = [edge_of(segment) for _, segment in listing]
    return all(
        segment.start_offset == 0 for segment_id, segment in listing if segment_id.seq == 0
    ) and all(edge == start for edge, start in zip(edges, starts[1:], strict=False))


@where(
    "a segment is new, and a sealed one is listed",
    lambda before, after: (
        any(edge_of(segment) is not None for _, segment in before)
        and bool({each for each, _ in after} - {each for each, _ in before})
    ),
)
def a_new_segment_begins_where_the_sealed_ones_end(before: Listing, after: Listing) -> bool:
    """[RNG-16] Where none is listed any more, any start will do. (S1)"""
    edges = [edge for _, segment in before if (edge := edge_of(segment)) is not None]
    return all(
        not edges or segment.start_offset == max(edges)
        for segment_id, segment in after
        if entry_of(before, segment_id) is None
    )


@where("two segments are listed", lambda listing: len(listing) > 1)
def a_range_has_at_most_one_head(listing: Listing) -> bool:
    """[RNG-2] A range writes to one segment at a time, and that is its last one. (S2)"""
    return all(earlier[1].state is State.SEALED for earlier, _ in pairwise(listing))


@where(
    "the segment was listed as sealed before",
    lambda before, segment_id, _: is_sealed_in(before, segment_id),
)
def a_seal_that_comes_second_moves_nothing(
    before: Listing, segment_id: SegmentId, after: Listing
) -> bool:
    """[RNG-19] Neither length nor bytes, time nor replicas, also where it says the same. (S6)"""
    segment = entry_of(before, segment_id)
    return segment is None or segment.state is State.ACTIVE or before == after


@where(
    "a segment was sealed, and is still listed",
    lambda before, after: any(is_sealed_in(before, segment_id) for segment_id, _ in after),
)
def a_recorded_length_is_final(before: Listing, after: Listing) -> bool:
    """[RNG-19] No step reopens a sealed segment or changes where it ends. (S6)"""
    return all(
        segment.state is State.ACTIVE
        or (now := entry_of(after, segment_id)) is None
        or edge_of(now) == edge_of(segment)
        for segment_id, segment in before
    )


@everywhere
def the_active_ranges_tile_the_keyspace(blocks: Blocks) -> bool:
    """[RNG-1] Every position belongs to one active range, and to no more than one. (S36)"""
    active = sorted(
        (block.key_start, block.key_end) for _, block in blocks if block.state is State.ACTIVE
    )
    meets = [0, *(end for _, end in active)]
    begins = [*(start for start, _ in active), blocks[0][1].keyspace_size]
    return meets == begins


@where(
    "a retired range lists a segment",
    lambda block, listing: block.state is not State.ACTIVE and bool(listing),
)
def a_retired_range_has_no_head(block: Range, listing: Listing) -> bool:
    """[ROL-40] While a range has a head it has no successor: its last segment is sealed. (S2, S13)

    The listing is that of the range alone.
    """
    return block.state is State.ACTIVE or all(
        segment.state is State.SEALED for _, segment in listing
    )


@where("a range has ancestors", lambda blocks: any(block.parents for _, block in blocks))
def an_ancestor_is_listed_once_and_after_its_own(blocks: Blocks) -> bool:
    """[RNG-12] A child reads each of them once, in the order in which they were written. (S15)"""
    known = dict(blocks)
    return all(
        len(set(block.parents)) == len(block.parents)
        and all(
            set(known[parent].parents) <= set(block.parents[:place])
            for place, parent in enumerate(block.parents)
        )
        for _, block in blocks
    )


@everywhere
def a_reshape_moves_no_segment(before: Listing, after: Listing) -> bool:
    """[RNG-47] The parents' segments stay theirs, at their offsets and their lengths. (S15)"""
    return before == after


@everywhere
def a_refused_reshape_changes_nothing(
    before: tuple[Blocks, Listing, Seen], after: tuple[Blocks, Listing, Seen]
) -> bool:
    """[RNG-15] Neither the control plane nor the frontend, so it can be tried again. (P9)"""
    return before == after


@where("a range was listed", lambda before, _: bool(before))
def a_range_that_was_listed_keeps_its_block(before: Blocks, after: Blocks) -> bool:
    """[RNG-8] Its id stands for the same keys and the same ancestors for good, and never opens
    again. (S15, S36)
    """
    now = dict(after)
    return all(
        (other := now.get(range_id)) is not None
        and (other.key_start, other.key_end) == (block.key_start, block.key_end)
        and other.parents == block.parents
        and (block.state is State.ACTIVE or other.state is State.SEALED)
        for range_id, block in before
    )


@where(
    "a segment is removed",
    lambda before, after: bool(set(whole(before).segments) - set(whole(after).segments)),
)
def only_a_sealed_segment_is_removed(before: Catalog, after: Catalog) -> bool:
    """[RNG-20] A head leaves the listing only with its whole topic. (S30)"""
    held, now = whole(before), whole(after)
    return all(
        segment_id in now.segments
        or segment.state is State.SEALED
        or segment.range_id not in now.ranges
        for segment_id, segment in held.segments.items()
    )


@where(
    "a commit of a position is answered",
    lambda asked, after: any(True for _ in _answered(asked, after)),
)
def a_commit_that_is_answered_stands(asked: Asked, after: Catalog) -> bool:
    """[RNG-24] In each range that is active, at the position that it brought. (S31)"""
    committed = whole(after).committed
    return all(
        committed[command.group, command.topic].get(range_id) == command.positions[range_id]
        for command, range_id in _answered(asked, after)
    )


@where(
    "a segment has expired, and one is listed", lambda listing, gone: bool(listing) and bool(gone)
)
def an_expired_id_is_not_given_again(listing: Listing, gone: frozenset[SegmentId]) -> bool:
    """[PRD-10] The next segment has another id than all that were there before it. (S27)"""
    return all(segment_id not in gone for segment_id, _ in listing)


def _answered(asked: Asked, after: Catalog) -> Iterator[tuple[CommitOffset, RangeId]]:
    """Each commit that was answered, with each of its ranges that is active."""
    now = whole(after)
    return (
        (command, range_id)
        for command, reply in asked.heard
        if isinstance(command, CommitOffset) and isinstance(reply, Ok)
        for range_id in command.positions
        if command.topic not in now.topics
        or (range_id in now.ranges and now.ranges[range_id].state is State.ACTIVE)
    )
