"""What a world of copies must reach, so that no law holds idly."""

from collections.abc import Hashable, Iterator
from typing import cast

from checker.search.model import Goal
from checker.world.copies.bounds import Bounds, Duty, Fault
from checker.world.copies.parts import Copy, Pass, copy_named
from checker.world.sharing.goals import every_batch_is_acknowledged
from checker.world.sharing.parts import segment_of
from checker.world.sharing.sight import listing_of
from reference.vnodes import View
from spec.truth import edge_of, entry_of
from spec.vocabulary import State


def goals(bounds: Bounds) -> Iterator[Goal]:
    """The goals of a world, less those that its bounds leave out."""
    slots = tuple(f"{name}.{number}" for name, number, _ in bounds.slots())
    copies = tuple(copy_named(broker, 0) for broker in bounds.brokers)
    listed = ("control", *copies)
    yield Goal("every_batch_is_acknowledged", slots, every_batch_is_acknowledged)
    if bounds.faults:
        yield Goal("every_batch_outlives_every_fault", ("faults", *slots), every_batch_outlives)
    if Duty.FAILOVER in bounds.duties:
        yield Goal("a_failover_moves_the_head", ("control",), a_failover_moves_the_head)
    if Duty.FAILOVER in bounds.duties and (bounds.roll_at or bounds.sweepers):
        yield Goal("a_pass_is_behind", ("coordinator", "control"), a_pass_is_behind)
    if Duty.FAILOVER in bounds.duties and bounds.may(Fault.SHORTAGE):
        yield Goal("copies_differ_below_the_edge", listed, copies_differ_below_the_edge)
    if Duty.OVERRUNS in bounds.duties:
        yield Goal("a_copy_reaches_above_the_edge", listed, a_copy_reaches_above_the_edge)


def every_batch_outlives(faults: int, *slots: Hashable) -> bool:
    """As much went wrong as may, and nothing that was sent is lost."""
    return not faults and every_batch_is_acknowledged(*slots)


def a_failover_moves_the_head(view: View) -> bool:
    """[HEA-11] A sealed segment is led by another copy than it was placed with."""
    return any(segment.state is State.SEALED for _, segment in listing_of(view)) and bool(
        _moved(view)
    )


def a_pass_is_behind(held: Pass, view: View) -> bool:
    """A segment is sealed by somebody else while the coordinator heals it."""
    if held is None:
        return False
    segment = entry_of(listing_of(view), held.segment_id)
    return segment is not None and segment.state is State.SEALED


def copies_differ_below_the_edge(view: View, *copies: Hashable) -> bool:
    """[HEA-10] Some copy lacks what the sealed segment holds."""
    return any(end < edge for end, edge in _ends(view, copies))


def a_copy_reaches_above_the_edge(view: View, *copies: Hashable) -> bool:
    """[HEA-18] Some copy holds what the sealed segment does not."""
    return any(end > edge for end, edge in _ends(view, copies))


def _moved(view: View) -> list[object]:
    """The segments whose first replica is another than the one they were placed with."""
    first = {segment_of(0): "b3", segment_of(1): "b1", segment_of(2): "b1"}
    return [each for each, segment in listing_of(view) if segment.replica_set[0] != first[each]]


def _ends(view: View, copies: tuple[Hashable, ...]) -> Iterator[tuple[int, int]]:
    """Where each copy of the first segment ends, and where the segment is sealed."""
    segment = entry_of(listing_of(view), segment_of(0))
    edge = None if segment is None else edge_of(segment)
    if edge is None:
        return
    for copy in cast("tuple[Copy, ...]", copies):
        if copy is not None:
            yield copy.end, edge
