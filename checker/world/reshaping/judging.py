"""The laws of `spec.laws` that hold in every state, bound to the parts of the world."""

from collections.abc import Callable, Hashable, Iterator

from checker.search.model import Law
from checker.world.binding import bound
from checker.world.reshaping.bounds import Bounds
from checker.world.reshaping.parts import Logs, position_of
from checker.world.reshaping.sight import (
    blocks_of,
    listing_in,
    listing_of,
    queue_at,
    stored_in,
)
from reference.vnodes import View
from spec.laws import ideal, producing, ranges, rolling
from spec.premises import Judgement
from spec.truth import Acknowledged
from spec.vocabulary import Position


def laws(bounds: Bounds) -> tuple[Law, ...]:
    """What holds in every state."""
    slots = tuple(f"{name}.{number}" for name, number, _ in bounds.slots())
    listed, stored = ("control",), ("control", "logs")
    return (
        bound(ranges.the_active_ranges_tile_the_keyspace, listed, _on_blocks),
        bound(ranges.an_ancestor_is_listed_once_and_after_its_own, listed, _on_blocks),
        bound(ranges.a_retired_range_has_no_head, listed, _on_each_block),
        bound(ranges.a_range_has_at_most_one_head, listed, _on_each_range),
        bound(ranges.the_segments_of_a_range_tile_its_offsets, listed, _on_each_range),
        bound(rolling.a_sealed_length_is_what_closing_answered, stored, _on_logs),
        bound(producing.acknowledged_records_lie_below_the_edge, (*listed, *slots), _on_slots),
        bound(producing.a_record_lies_in_the_range_that_owns_its_key, (*listed, *slots), _on_keys),
        bound(
            producing.an_acknowledged_record_stands_where_it_was_placed,
            ("logs", *slots),
            _on_places,
        ),
        bound(
            ideal.an_acknowledged_record_stands_in_the_queue_of_its_key,
            (*stored, *slots),
            _on_queues,
        ),
    )


def position_in(batch: Acknowledged) -> Position:
    """The position of a batch: of its one record's key."""
    return position_of(batch.records[0].key, 0)


def _on_blocks(law: Judgement) -> Callable[..., bool]:
    return lambda view: law(blocks_of(view))


def _on_each_block(law: Judgement) -> Callable[..., bool]:
    return lambda view: all(law(block, listing_in(view, each)) for each, block in blocks_of(view))


def _on_each_range(law: Judgement) -> Callable[..., bool]:
    return lambda view: all(law(listing_in(view, each)) for each, _ in blocks_of(view))


def _on_logs(law: Judgement) -> Callable[..., bool]:
    def holds(view: View, logs: Logs) -> bool:
        listing = listing_of(view)
        return all(law(listing, each, stored_in(logs, each)) for each, _ in listing)

    return holds


def _on_slots(law: Judgement) -> Callable[..., bool]:
    return lambda view, *slots: all(law(listing_of(view), slot) for slot in _acknowledged(slots))


def _on_keys(law: Judgement) -> Callable[..., bool]:
    def holds(view: View, *slots: Hashable) -> bool:
        blocks = dict(blocks_of(view))
        return all(
            law(position_in(slot), blocks.get(slot.segment_id.range_id))
            for slot in _acknowledged(slots)
        )

    return holds


def _on_places(law: Judgement) -> Callable[..., bool]:
    def holds(logs: Logs, *slots: Hashable) -> bool:
        return all(
            (stored := stored_in(logs, slot.segment_id)) is not None and law(stored, slot)
            for slot in _acknowledged(slots)
        )

    return holds


def _on_queues(law: Judgement) -> Callable[..., bool]:
    def holds(view: View, logs: Logs, *slots: Hashable) -> bool:
        return all(
            law(queue_at(view, logs, position_in(slot)), slot) for slot in _acknowledged(slots)
        )

    return holds


def _acknowledged(slots: tuple[Hashable, ...]) -> Iterator[Acknowledged]:
    return (slot for slot in slots if isinstance(slot, Acknowledged))
