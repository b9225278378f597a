"""What the world must reach, so that no law holds idly."""

from collections.abc import Hashable, Iterator
from typing import cast

from checker.search.model import Goal
from checker.world.sharing.bounds import Bounds, Fault
from checker.world.sharing.parts import RANGE, TOPIC, Copies, Fence, Held
from checker.world.sharing.rules import PAST
from checker.world.sharing.sight import listing_of, seen_by
from reference.controlplane import active_segment
from reference.frontend import Frontend
from reference.vnodes import View, metadata_of
from spec.commands import RegisterSegment, SealSegment
from spec.truth import Acknowledged
from spec.vocabulary import State

CROWD = 2
"""More frontends than these can differ in what they take for the head, all at once."""


def goals(bounds: Bounds) -> tuple[Goal, ...]:
    """The goals of a world, less those that its bounds leave out."""
    names, readers = bounds.frontends, bounds.readers
    slots = tuple(f"{name}.{number}" for name, number, _ in bounds.slots())
    fences = tuple(f"{name}/s0" for name in names)
    found = [
        Goal("every_batch_is_acknowledged", slots, every_batch_is_acknowledged),
        Goal("every_segment_is_opened", ("control",), _Opened(bounds.segments)),
        Goal("a_cached_head_is_sealed", ("control", *names), a_cached_head_is_sealed),
    ]
    if bounds.roll_at:
        found += [
            Goal("a_batch_waits_behind_its_own_fence", slots, a_batch_waits),
            Goal("an_answer_comes_to_a_cleared_roll", (*names, *fences), an_answer_comes_late),
        ]
    if bounds.roll_at and readers:
        found.append(Goal("another_frontends_successor_is_adopted", readers, a_head_is_adopted))
    if len(bounds.sweepers) > 1:
        found.append(Goal("a_roll_is_owed_behind_a_stale_head", names, a_head_is_stale))
    if len(bounds.sweepers) > CROWD:
        found.append(Goal("two_rolls_are_owed_behind_stale_heads", names, two_heads_are_stale))
    if len(names) > CROWD and bounds.roll_at and bounds.segments > CROWD:
        found.append(Goal("three_heads_are_cached", names, three_heads_are_cached))
    if bounds.may(Fault.LOSS):
        found.append(Goal("a_lost_fence_is_owed_again", (*names, *fences), a_fence_is_lost))
    if bounds.may(Fault.FAILOVER) and bounds.roll_at and readers:
        found.append(Goal("a_conflict_converges", readers, a_conflict_converges))
    if bounds.may(Fault.FAILOVER):
        found.append(Goal("a_store_holds_more_than_its_edge", ("control", "s0"), a_store_overruns))
    if bounds.may(Fault.SILENCE):
        found.append(Goal("nobody_knows_an_open_segment", ("control", *names), nobody_knows))
    return tuple(found)


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


def _is_stale(front: Frontend) -> bool:
    head, roll = front.heads.get(RANGE), front.rolling.get(RANGE)
    return head is not None and roll is not None and roll.segment_id != head.id


def a_fence_is_lost(*parts: Hashable) -> bool:
    """[ROL-17] Nothing is under way, and the roll is owed again."""
    return any(
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
