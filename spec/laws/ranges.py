"""The laws of ranges: what the control plane lists."""

from itertools import pairwise

from spec.truth import Listing, edge_of, entry_of
from spec.vocabulary import SegmentId, State


def the_segments_of_a_range_tile_its_offsets(listing: Listing) -> bool:
    """[ROL-4] The first segment begins at 0, and each next one at the edge before it. (S1)"""
    starts = [segment.start_offset for _, segment in listing]
    edges = [edge_of(segment) for _, segment in listing]
    return all(
        segment.start_offset == 0 for segment_id, segment in listing if segment_id.seq == 0
    ) and all(edge == start for edge, start in zip(edges, starts[1:], strict=False))


def a_range_has_at_most_one_head(listing: Listing) -> bool:
    """[RNG-2] A range writes to one segment at a time, and that is its last one. (S2)"""
    return all(earlier[1].state is State.SEALED for earlier, _ in pairwise(listing))


def a_seal_that_comes_second_moves_nothing(
    before: Listing, segment_id: SegmentId, after: Listing
) -> bool:
    """[RNG-19] Neither length nor bytes, time nor replicas, also where it says the same. (S6)"""
    segment = entry_of(before, segment_id)
    return segment is None or segment.state is State.ACTIVE or before == after


def a_recorded_length_is_final(before: Listing, after: Listing) -> bool:
    """[RNG-19] No step reopens a sealed segment or changes where it ends. (S6)"""
    return all(
        segment.state is State.ACTIVE
        or (now := entry_of(after, segment_id)) is None
        or edge_of(now) == edge_of(segment)
        for segment_id, segment in before
    )
