"""What the world must reach, so that no law holds idly."""

from collections.abc import Hashable, Iterator
from typing import cast

from checker.search.model import Goal
from checker.world.sharing.bounds import Bounds, Fault
from checker.world.sharing.parts import RANGE, TOPIC, Copies, Fence, Held, Reading
from checker.world.sharing.rules import PAST
from checker.world.sharing.sight import listing_of, seen_by
from reference.controlplane import active_segment
from reference.frontend import Frontend
from reference.vnodes import View, metadata_of
from spec.commands import RegisterSegment, SealSegment
from spec.truth import Acknowledged
from spec.vocabulary import SegmentId, State

CROWD = 2
"""More frontends than these can differ in what they take for the head, all at once."""


def goals(bounds: Bounds) -> tuple[Goal, ...]:
    """The goals of a world, less those that its bounds leave out."""
    names = bounds.frontends
    slots = tuple(f"{name}.{number}" for name, number, _ in bounds.slots())
    return (
        Goal("every_batch_is_acknowledged", slots, every_batch_is_acknowledged),
        Goal("every_segment_is_opened", ("control",), _Opened(bounds.segments)),
        Goal("a_cached_head_is_sealed", ("control", *names), a_cached_head_is_sealed),
        *(_of_size_rolls(bounds, slots) if bounds.roll_at else ()),
        *_of_age_rolls(bounds),
        *_of_faults(bounds),
        *_of_many(bounds, slots),
    )


def _of_size_rolls(bounds: Bounds, slots: tuple[str, ...]) -> Iterator[Goal]:
    names, readers = bounds.frontends, bounds.readers
    yield Goal("a_batch_waits_behind_its_own_fence", slots, a_batch_waits)
    yield Goal(
        "an_answer_comes_to_a_cleared_roll", (*names, *_fences(bounds)), an_answer_comes_late
    )
    if readers:
        yield Goal("another_frontends_successor_is_adopted", readers, a_head_is_adopted)
    if bounds.segments > CROWD:
        yield Goal("a_cached_head_is_two_behind", ("control", *names), a_head_is_two_behind)
    if bounds.segments > CROWD and len(names) > CROWD:
        yield Goal("three_heads_are_cached", names, three_heads_are_cached)
    if readers and bounds.may(Fault.FAILOVER):
        yield Goal("a_conflict_converges", readers, a_conflict_converges)


def _of_age_rolls(bounds: Bounds) -> Iterator[Goal]:
    names = bounds.frontends
    if len(bounds.sweepers) > 1:
        yield Goal("a_roll_is_owed_behind_a_stale_head", names, a_head_is_stale)
    if len(bounds.sweepers) > CROWD:
        yield Goal("two_rolls_are_owed_behind_stale_heads", names, two_heads_are_stale)


def _of_faults(bounds: Bounds) -> Iterator[Goal]:
    names = bounds.frontends
    if bounds.may(Fault.LOSS):
        waits = (*names, *_fences(bounds))
        yield Goal("a_lost_fence_is_owed_again", waits, a_fence_is_lost)
        if bounds.faults > 1 and bounds.roll_at:
            yield Goal("two_lost_fences_are_owed_again", waits, two_fences_are_lost)
    if bounds.may(Fault.FAILOVER):
        yield Goal("a_store_holds_more_than_its_edge", ("control", "s0"), a_store_overruns)
    if bounds.may(Fault.SILENCE):
        yield Goal("nobody_knows_an_open_segment", ("control", *names), nobody_knows)


def _of_many(bounds: Bounds, slots: tuple[str, ...]) -> Iterator[Goal]:
    reads = tuple(f"{name}.read" for name in bounds.readers)
    if len(reads) > 1 and bounds.roll_at:
        yield Goal("two_frontends_read_at_once", reads, two_read_at_once)
    if min(map(len, bounds.batches)) > 1:
        yield Goal("two_batches_of_each_fill_two_segments", slots, two_segments_are_filled)
    if bounds.segments > CROWD and not bounds.roll_at:
        yield Goal("a_third_segment_takes_a_batch", ("s2",), is_written)


def _fences(bounds: Bounds) -> tuple[str, ...]:
    return tuple(f"{name}/s0" for name in bounds.frontends)


def every_batch_is_acknowledged(*slots: Hashable) -> bool:
    """Nothing needs to fail."""
    return all(isinstance(slot, Acknowledged) for slot in slots)


def a_batch_waits(*slots: Hashable) -> bool:
    """[PRD-29] A refusal came from this frontend's own fence."""
    return any(isinstance(slot, Held) for slot in slots)


def a_cached_head_is_sealed(view: View, *fronts: Frontend) -> bool:
    """[RFR-12] A frontend routes to a segment that somebody else has sealed."""
    segments = metadata_of(view, TOPIC).segments
    return any(
        (head := front.heads.get(RANGE)) is not None
        and (segment := segments.get(head.id)) is not None
        and segment.state is State.SEALED
        for front in fronts
    )


def an_answer_comes_late(*parts: Hashable) -> bool:
    """[ROL-25] A refusal cleared the roll before the fence was answered."""
    return any(
        fence is not None and fence.closed is not None and RANGE not in front.rolling
        for front, fence in _fronts_and_fences(parts)
    )


def a_head_is_adopted(*fronts: Frontend) -> bool:
    """[PRD-9] A frontend writes to a segment that is not the first and that another opened."""
    return any(map(_adopts, fronts))


def _adopts(front: Frontend) -> bool:
    head = front.heads.get(RANGE)
    return (
        head is not None
        and head.id.seq > 0
        and all(
            not isinstance(command, RegisterSegment) or command.segment_id != head.id
            for command in front.journal or ()
        )
    )


def a_head_is_stale(*fronts: Frontend) -> bool:
    """[ROL-30] A frontend owes the roll of another segment than the one it writes to."""
    return any(map(_is_stale, fronts))


def two_heads_are_stale(*fronts: Frontend) -> bool:
    """[ROL-30] So do two, and a third has opened what they owe the roll of."""
    return sum(map(_is_stale, fronts)) > 1


def three_heads_are_cached(*fronts: Frontend) -> bool:
    """[RNG-2] Three frontends write to three segments of one range, each sure of its own."""
    heads = {head.id for front in fronts if (head := front.heads.get(RANGE)) is not None}
    return len(heads) > CROWD


def a_head_is_two_behind(view: View, *fronts: Frontend) -> bool:
    """[ROL-7] A frontend has yet to hear of two seals, one behind the other."""
    newest = max((segment_id.seq for segment_id, _ in listing_of(view)), default=0)
    heads = (front.heads.get(RANGE) for front in fronts)
    return any(head is not None and head.id.seq + 1 < newest for head in heads)


def two_read_at_once(*readings: Reading) -> bool:
    """[RFR-4] Two frontends have a read under way."""
    return sum(reading.view is not None for reading in readings) > 1


def two_segments_are_filled(*slots: Hashable) -> bool:
    """[PRD-23] Every batch is acknowledged, as many in one segment as in another."""
    places = [slot.segment_id for slot in slots if isinstance(slot, Acknowledged)]
    return len(places) == len(slots) and len({*places}) == CROWD and _is_even(places)


def _is_even(places: list[SegmentId]) -> bool:
    return len({places.count(place) for place in places}) == 1


def is_written(copies: Copies | None) -> bool:
    """[ROL-7] A batch has come to a segment."""
    return copies is not None and bool(copies.primary.records)


def _is_stale(front: Frontend) -> bool:
    head, roll = front.heads.get(RANGE), front.rolling.get(RANGE)
    return head is not None and roll is not None and roll.segment_id != head.id


def a_fence_is_lost(*parts: Hashable) -> bool:
    """[ROL-17] Nothing is under way, and the roll is owed again."""
    return _lost_fences(parts) > 0


def two_fences_are_lost(*parts: Hashable) -> bool:
    """[ROL-17] So it is for two frontends at once."""
    return _lost_fences(parts) > 1


def _lost_fences(parts: tuple[Hashable, ...]) -> int:
    return sum(
        fence is None
        and (roll := front.rolling.get(RANGE)) is not None
        and roll.fence_sent_at == PAST
        for front, fence in _fronts_and_fences(parts)
    )


def a_conflict_converges(*fronts: Frontend) -> bool:
    """[ROL-8] A journal holds a seal whose length is not the one on record: the loser's."""
    return any(
        isinstance(command, SealSegment)
        and any(
            segment_id == command.segment_id
            and segment.length is not None
            and segment.length != command.length
            for segment_id, segment in listing_of(front.view)
        )
        for front in fronts
        for command in front.journal or ()
    )


def a_store_overruns(view: View, copies: Copies | None) -> bool:
    """[ROL-32] A batch that found no majority stands above the edge."""
    listed = listing_of(view)
    return (
        copies is not None
        and bool(listed)
        and listed[0][1].length is not None
        and len(copies.primary.records) > listed[0][1].length
    )


def nobody_knows(view: View, *fronts: Frontend) -> bool:
    """[RNG-40] A registration was applied, and its answer lost."""
    head = active_segment(metadata_of(view, TOPIC), RANGE)
    return head is not None and all(head[0] not in dict(seen_by(front).listing) for front in fronts)


def _fronts_and_fences(
    parts: tuple[Hashable, ...],
) -> Iterator[tuple[Frontend, Fence | None]]:
    half = len(parts) // 2
    yield from zip(
        cast("tuple[Frontend, ...]", parts[:half]),
        cast("tuple[Fence | None, ...]", parts[half:]),
        strict=True,
    )


class _Opened:
    """As many segments as the bounds allow."""

    def __init__(self, segments: int) -> None:
        self.segments = segments

    def __call__(self, view: View) -> bool:
        """Whether the control plane lists them all."""
        return len(listing_of(view)) == self.segments
