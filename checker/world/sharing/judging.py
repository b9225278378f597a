"""The laws of `spec.laws` that hold in every state, bound to the parts of the world."""

from collections.abc import Callable, Hashable
from typing import cast

from checker.search.model import Law
from checker.world.binding import bound
from checker.world.remembering import Remembering
from checker.world.sharing.bounds import Bounds
from checker.world.sharing.parts import RANGE, Copies, segment_of
from checker.world.sharing.rules import NOW, WINDOW, Rules
from checker.world.sharing.sight import listing_of, seen_by, stored_in
from reference.frontend import Frontend
from reference.vnodes import View
from spec.laws import producing, ranges, refreshing, rolling
from spec.premises import Judgement
from spec.truth import Acknowledged


def laws(bounds: Bounds, rules: Rules) -> tuple[Law, ...]:
    """What holds in every state."""
    names, slots = bounds.frontends, tuple(f"{name}.{number}" for name, number, _ in bounds.slots())
    places = tuple(f"s{seq}" for seq in range(bounds.segments))
    listed = ("control",)
    return (
        bound(ranges.a_range_has_at_most_one_head, listed, _on_listing),
        bound(ranges.the_segments_of_a_range_tile_its_offsets, listed, _on_listing),
        bound(rolling.a_sealed_length_is_what_closing_answered, (*listed, *places), _on_stores),
        bound(producing.acknowledged_records_lie_below_the_edge, (*listed, *slots), _on_slots),
        bound(
            producing.an_acknowledged_record_stands_where_it_was_placed,
            (*places, *slots),
            _on_places(bounds.segments),
        ),
        bound(rolling.an_owed_roll_is_due_again_past_its_window, names, _on_dues(rules)),
        bound(rolling.a_fence_is_awaited_only_inside_its_window, names, _on_waits(rules)),
    )


def tempting_laws(bounds: Bounds) -> tuple[Law, ...]:
    """What looks as if it held in every state, and does not."""
    parts = ("control", *bounds.frontends)
    return (bound(refreshing.a_view_holds_only_what_the_control_plane_said, parts, _on_views),)


def _on_listing(law: Judgement) -> Callable[..., bool]:
    return lambda view: law(listing_of(view))


def _on_stores(law: Judgement) -> Callable[..., bool]:
    def holds(view: View, *stores: Copies | None) -> bool:
        listing = listing_of(view)
        return all(
            law(listing, segment_of(seq), None if copies is None else stored_in(copies))
            for seq, copies in enumerate(stores)
        )

    return holds


def _on_slots(law: Judgement) -> Callable[..., bool]:
    def holds(view: View, *slots: Hashable) -> bool:
        listing = listing_of(view)
        return all(law(listing, slot) for slot in slots if isinstance(slot, Acknowledged))

    return holds


def _on_places(segments: int) -> Callable[[Judgement], Callable[..., bool]]:
    def show(law: Judgement) -> Callable[..., bool]:
        def holds(*parts: Hashable) -> bool:
            return all(
                (copies := parts[slot.segment_id.seq]) is not None
                and law(stored_in(cast("Copies", copies)), slot)
                for slot in parts[segments:]
                if isinstance(slot, Acknowledged)
            )

        return holds

    return show


def _on_views(law: Judgement) -> Callable[..., bool]:
    def holds(view: View, *fronts: Frontend) -> bool:
        listing = listing_of(view)
        return all(law(seen_by(front), listing) for front in fronts)

    return holds


def _on_dues(rules: Rules) -> Callable[[Judgement], Callable[..., bool]]:
    def show(law: Judgement) -> Callable[..., bool]:
        @Remembering
        def holds_of(front: Frontend) -> bool:
            is_due = bool(rules.fences_to_send(front, NOW, WINDOW)[1])
            return law(seen_by(front), is_due, NOW, WINDOW)

        return lambda *fronts: all(map(holds_of, fronts))

    return show


def _on_waits(rules: Rules) -> Callable[[Judgement], Callable[..., bool]]:
    def is_awaited(front: Frontend) -> bool:
        awaited = front.fencing.get(RANGE)
        return awaited is not None and rules.is_awaiting_fence(
            front, RANGE, awaited.segment_id, NOW, WINDOW
        )

    def show(law: Judgement) -> Callable[..., bool]:
        @Remembering
        def holds_of(front: Frontend) -> bool:
            return law(seen_by(front), is_awaited(front), NOW, WINDOW)

        return lambda *fronts: all(map(holds_of, fronts))

    return show
