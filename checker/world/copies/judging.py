"""The laws of `spec.laws` that hold in every state of a world of copies."""

from collections.abc import Callable, Hashable

from checker.search.model import Law
from checker.world.binding import Judgement, bound
from checker.world.copies.bounds import Bounds
from checker.world.copies.parts import copy_named
from checker.world.copies.rules import Rules
from checker.world.copies.sight import replicas_in
from checker.world.sharing import judging as sharing
from checker.world.sharing.parts import segment_of
from checker.world.sharing.sight import listing_of
from reference.vnodes import View
from spec.laws import healing, producing, rolling
from spec.truth import Acknowledged, Replicas, entry_of

ABOUT_COPIES = {
    "a_sealed_length_is_what_closing_answered",
    "an_acknowledged_record_stands_where_it_was_placed",
}
"""Laws that the world of one range shows a primary and the others as one."""


def laws(bounds: Bounds, rules: Rules) -> tuple[Law, ...]:
    """What holds in every state."""
    copies = tuple(
        copy_named(broker, seq) for seq in range(bounds.segments) for broker in bounds.brokers
    )
    slots = tuple(f"{name}.{number}" for name, number, _ in bounds.slots())
    show = _Shown(bounds)
    kept = (law for law in sharing.laws(bounds.shared, rules) if law.name not in ABOUT_COPIES)
    return (
        *kept,
        bound(
            rolling.a_sealed_length_is_what_closing_answered,
            ("control", *copies),
            show.lengths,
        ),
        bound(
            healing.an_acknowledged_record_is_at_the_head_of_its_set,
            ("control", *copies, *slots),
            show.batches,
        ),
        bound(producing.no_two_acknowledged_records_share_an_offset, slots, on_pairs),
    )


def tempting_laws(bounds: Bounds) -> tuple[Law, ...]:
    """What looks as if it held in every state, and does not."""
    copies = tuple(
        copy_named(broker, seq) for seq in range(bounds.segments) for broker in bounds.brokers
    )
    led = healing.a_sealed_segment_is_led_by_a_copy_that_holds_it
    return (bound(led, ("control", *copies), _Shown(bounds).leaders),)


def on_pairs(law: Judgement) -> Callable[..., bool]:
    """Show every two batches that were acknowledged."""

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
                for slot in parts[count:]
                if isinstance(slot, Acknowledged)
                and (segment := entry_of(listing, slot.segment_id)) is not None
            )

        return holds

    def replicas(self, seq: int, copies: tuple[Hashable, ...]) -> Replicas:
        """The copies of one segment out of all of them."""
        count = len(self.brokers)
        return replicas_in(self.brokers, copies[seq * count : (seq + 1) * count])
