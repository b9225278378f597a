"""The laws of `spec.laws` that hold in every state of a world of copies."""

from collections.abc import Callable, Hashable, Iterator
from typing import cast

from checker.search.model import Law
from checker.world.binding import bound
from checker.world.copies.bounds import SPARE, Bounds, Duty
from checker.world.copies.parts import Consumer, copy_named
from checker.world.copies.retaining import slots_of
from checker.world.copies.rules import Rules
from checker.world.copies.sight import replicas_in
from checker.world.sharing import judging as sharing
from checker.world.sharing.parts import segment_of
from checker.world.sharing.sight import listing_of
from reference.vnodes import View
from spec.laws import healing, producing, rolling
from spec.premises import Judgement
from spec.truth import Acknowledged, Replicas, entry_of

ABOUT_COPIES = {
    "a_sealed_length_is_what_closing_answered",
    "an_acknowledged_record_stands_where_it_was_placed",
    "acknowledged_records_lie_below_the_edge",
}
"""Laws that are shown copies that are there one by one, and what has expired."""


HOLED = frozenset({"the_segments_of_a_range_tile_its_offsets"})
"""Laws of segments that all are listed still."""


def laws(bounds: Bounds, rules: Rules) -> tuple[Law, ...]:
    """What holds in every state."""
    copies = tuple(
        copy_named(broker, seq) for seq in range(bounds.segments) for broker in bounds.brokers
    )
    slots = slots_of(bounds)
    alive = (*slots, "expired") if Duty.RETENTION in bounds.duties else slots
    show = _Shown(bounds)
    left_out = ABOUT_COPIES | (HOLED if Duty.RETENTION in bounds.duties else frozenset())
    kept = (law for law in sharing.laws(bounds.shared, rules) if law.name not in left_out)
    return (
        *(() if not bounds.is_sure else (_delivery_law(),)),
        *kept,
        bound(
            rolling.a_sealed_length_is_what_closing_answered,
            ("control", *copies),
            show.lengths,
        ),
        bound(
            healing.an_acknowledged_record_is_at_the_head_of_its_set,
            ("control", *copies, *alive),
            show.batches,
        ),
        bound(producing.acknowledged_records_lie_below_the_edge, ("control", *alive), show.edges),
        *(
            bound(
                healing.a_new_replica_is_named_only_once_it_is_copied,
                ("control", *(copy_named(SPARE, seq) for seq in range(bounds.segments))),
                on_spare,
            )
            for duty in bounds.duties
            if duty is Duty.HEALING
        ),
        bound(producing.no_two_acknowledged_records_share_an_offset, slots, on_pairs),
    )


def tempting_laws(bounds: Bounds) -> tuple[Law, ...]:
    """What looks as if it held in every state, and does not."""
    copies = tuple(
        copy_named(broker, seq) for seq in range(bounds.segments) for broker in bounds.brokers
    )
    led = healing.a_sealed_segment_is_led_by_a_copy_that_holds_it
    found = [bound(led, ("control", *copies), _Shown(bounds).leaders)]
    if bounds.reads and not bounds.is_sure:
        found.append(_delivery_law())
    return tuple(found)


def _delivery_law() -> Law:
    read = healing.a_delivered_record_lies_below_the_edge
    return bound(read, ("control", "consumer"), on_delivered)


def on_spare(law: Judgement) -> Callable[..., bool]:
    """Show each segment beside the copy of the spare broker."""

    def holds(view: View, *copies: Hashable) -> bool:
        listing = listing_of(view)
        return all(
            law(listing, segment_of(seq), replicas_in((SPARE,), (copy,)), SPARE)
            for seq, copy in enumerate(copies)
        )

    return holds


def on_delivered(law: Judgement) -> Callable[..., bool]:
    """Show every record that a consumer was given."""

    def holds(view: View, consumer: Consumer) -> bool:
        listing = listing_of(view)
        return all(law(listing, each) for each in consumer.delivered)

    return holds


def on_pairs(law: Judgement) -> Callable[..., bool]:
    """Show every two batches that were acknowledged, expired ones too."""

    def holds(*slots: Hashable) -> bool:
        found = [slot for slot in slots if isinstance(slot, Acknowledged)]
        return all(
            law(one, other) for place, one in enumerate(found) for other in found[place + 1 :]
        )

    return holds


class _Shown:
    """Shows the control plane and all copies to a law, one segment at a time."""

    def __init__(self, bounds: Bounds) -> None:
        self.brokers = bounds.brokers
        self.slots = slots_of(bounds)
        self.segments = bounds.segments

    def lengths(self, law: Judgement) -> Callable[..., bool]:
        """Each segment beside its copies."""

        def holds(view: View, *copies: Hashable) -> bool:
            listing = listing_of(view)
            return all(
                law(listing, segment_of(seq), [copy for _, copy in self.replicas(seq, copies)])
                for seq in range(self.segments)
            )

        return holds

    def leaders(self, law: Judgement) -> Callable[..., bool]:
        """Each segment that is listed beside its copies."""

        def holds(view: View, *copies: Hashable) -> bool:
            return all(
                law(segment, self.replicas(segment_id.seq, copies))
                for segment_id, segment in listing_of(view)
                if segment_id.seq < self.segments
            )

        return holds

    def batches(self, law: Judgement) -> Callable[..., bool]:
        """Each batch that was acknowledged in a segment that is listed."""

        def holds(view: View, *parts: Hashable) -> bool:
            listing, count = listing_of(view), len(self.brokers) * self.segments
            return all(
                law(segment, self.replicas(slot.segment_id.seq, parts[:count]), slot)
                for slot in self.alive(parts[count:])
                if (segment := entry_of(listing, slot.segment_id)) is not None
            )

        return holds

    def edges(self, law: Judgement) -> Callable[..., bool]:
        """The listing, and each batch that was acknowledged and has not expired."""

        def holds(view: View, *parts: Hashable) -> bool:
            return all(law(listing_of(view), slot) for slot in self.alive(parts))

        return holds

    def alive(self, parts: tuple[Hashable, ...]) -> Iterator[Acknowledged]:
        """The batches that were acknowledged and have not expired."""
        expired = parts[-1] if len(parts) > len(self.slots) else frozenset()
        for name, slot in zip(self.slots, parts, strict=False):
            if isinstance(slot, Acknowledged) and name not in cast("frozenset[str]", expired):
                yield slot

    def replicas(self, seq: int, copies: tuple[Hashable, ...]) -> Replicas:
        """The copies of one segment out of all of them."""
        count = len(self.brokers)
        return replicas_in(self.brokers, copies[seq * count : (seq + 1) * count])
