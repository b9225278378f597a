"""Retention where ranges, sizes and ids do not go together as one would think."""

from immutables import Map

from reference.controlplane import Metadata
from reference.coordinating import RetentionPolicy, retention_expired
from spec.vocabulary import (
    ByteSize,
    Count,
    Millis,
    Offset,
    RangeId,
    Segment,
    SegmentId,
    State,
)
from tests.oracles.values import B1, LEFT, ROOT, S0, S1, segment_of

L0, L1 = segment_of(0, LEFT), segment_of(1, LEFT)
NOW = Millis(100)


def closed(range_id: RangeId, start: int, size: int | None) -> Segment:
    """A sealed segment of one record."""
    bytes_of = None if size is None else ByteSize(size)
    return Segment(range_id, (B1,), Offset(start), State.SEALED, Count(1), bytes_of)


def expired(limit: int, segments: dict[SegmentId, Segment]) -> tuple[SegmentId, ...]:
    """What retention answers where so many bytes may stay."""
    policy = RetentionPolicy(max_bytes=ByteSize(limit))
    return retention_expired(Metadata(segments=Map(segments)), policy, NOW)


def test_every_range_loses_its_oldest_segment_first_whatever_the_ids() -> None:
    """[HEA-20, HEA-21] Ids need not be in the order of starts, in no range."""
    segments = {
        S0: closed(ROOT, 5, 10),
        S1: closed(ROOT, 0, 10),
        L0: closed(LEFT, 5, 10),
        L1: closed(LEFT, 0, 10),
    }

    assert expired(10, segments) == (S1, L1)


def test_an_empty_segment_and_one_of_unknown_size_count_for_nothing() -> None:
    """[HEA-20] Neither when the bytes are added up, nor when it goes."""
    assert expired(0, {S0: closed(ROOT, 0, 0), S1: closed(ROOT, 1, None)}) == ()
    assert expired(4, {S0: closed(ROOT, 0, 0), S1: closed(ROOT, 1, 5)}) == (S1, S0)


def test_a_segment_counts_for_the_range_that_lists_it_whatever_its_id_says() -> None:
    """[HEA-20] Its id names the left range, and the root has it."""
    segments = {L0: closed(ROOT, 0, 10), S1: closed(ROOT, 1, 10)}

    assert expired(10, segments) == (L0,)
