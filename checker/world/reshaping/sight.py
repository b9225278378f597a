"""How the world shows its parts to the laws: as the values of `spec.truth`."""

from collections.abc import Mapping
from functools import lru_cache

from checker.world.reshaping.parts import Logs
from checker.world.sharing.parts import TOPIC
from checker.world.sharing.sight import copy_of
from reference.controlplane import segments_of
from reference.frontend import Frontend
from reference.vnodes import View, metadata_of
from spec import ideal
from spec.ideal import Queue
from spec.truth import Blocks, Copy, Listing, Seen, Stored
from spec.vocabulary import Position, RangeId, SegmentId

MOST_KEPT = 1 << 18


@lru_cache(maxsize=MOST_KEPT)
def blocks_of(view: View) -> Blocks:
    """The ranges that a view, or the control plane, lists."""
    return tuple(sorted(metadata_of(view, TOPIC).ranges.items()))


@lru_cache(maxsize=MOST_KEPT)
def listing_of(view: View) -> Listing:
    """The segments that it lists, of all ranges."""
    return tuple(sorted(metadata_of(view, TOPIC).segments.items()))


@lru_cache(maxsize=MOST_KEPT)
def listing_in(view: View, range_id: RangeId) -> Listing:
    """The segments that it lists for one range."""
    return segments_of(metadata_of(view, TOPIC), range_id)


@lru_cache(maxsize=MOST_KEPT)
def seen_by(front: Frontend, range_id: RangeId) -> Seen:
    """What a frontend remembers of one range."""
    return Seen(
        counter=front.offsets.get(range_id),
        sequence=front.sequences.get(range_id),
        head=front.heads.get(range_id),
        owed=front.rolling.get(range_id),
        awaited=front.fencing.get(range_id),
        listing=listing_in(front.view, range_id),
        journal=front.journal or (),
        is_recovered=range_id not in front.unrecovered,
    )


@lru_cache(maxsize=MOST_KEPT)
def copies_in(logs: Logs) -> Mapping[SegmentId, Copy]:
    """The primary's copy of each segment."""
    return {segment_id: copy_of(log) for segment_id, log in logs.items()}


def stored_in(logs: Logs, segment_id: SegmentId) -> Stored | None:
    """The copies of a segment: there is one."""
    copy = copies_in(logs).get(segment_id)
    return None if copy is None else Stored(copy, copy)


@lru_cache(maxsize=MOST_KEPT)
def queue_at(view: View, logs: Logs, position: Position) -> Queue:
    """The queue that the control plane and the logs stand for at a position."""
    return ideal.queue(blocks_of(view), listing_of(view), copies_in(logs), position)
