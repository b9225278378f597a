"""What the world must reach, so that no law holds idly."""

from collections.abc import Hashable

from checker.search.model import Goal
from checker.world.reshaping.bounds import Bounds
from checker.world.reshaping.parts import Logs, Reshaping
from checker.world.reshaping.sight import blocks_of, listing_in, listing_of
from checker.world.sharing.parts import Answered
from reference.frontend import Frontend
from reference.vnodes import View
from spec.replies import Sealed
from spec.truth import Acknowledged
from spec.vocabulary import State

WHOLE = 2
"""More batches than these fill the parents and the children, or a parent and both children."""


def goals(bounds: Bounds) -> tuple[Goal, ...]:
    """The goals of a world, less those that its bounds leave out."""
    slots = tuple(f"{name}.{number}" for name, number, _ in bounds.slots())
    works = tuple(f"{name}.work" for name, _ in bounds.reshapers)
    found = [
        Goal("every_batch_is_acknowledged", slots, every_batch_is_acknowledged),
        Goal("a_range_retires_with_records", ("control",), a_range_retires_with_records),
        Goal("a_retired_range_refuses_a_batch", ("control", *slots), a_retired_range_refuses),
        Goal("a_head_of_a_retired_range_is_cached", ("control", *bounds.frontends), is_stale),
    ]
    if len(bounds.readers) == len(bounds.frontends):
        found.append(Goal("every_child_is_written_to", ("control",), every_child_is_written_to))
        if sum(map(len, bounds.batches)) > WHOLE:
            found.append(Goal("a_family_is_written_to", ("control",), a_family_is_written_to))
    if bounds.segments > 1 and sum(map(len, bounds.batches)) > WHOLE:
        found.append(Goal("a_range_goes_on_behind_a_seal", ("control",), a_range_goes_on))
    if bounds.tries > 1:
        found.append(Goal("a_reshape_is_done_at_the_last_try", works, is_done_at_last))
    if bounds.faults:
        found.append(Goal("a_fence_is_orphaned", ("control", "logs", *works), is_orphaned))
    return tuple(found)


def every_batch_is_acknowledged(*slots: Hashable) -> bool:
    """Nothing needs to fail."""
    return all(isinstance(slot, Acknowledged) for slot in slots)


def a_range_retires_with_records(view: View) -> bool:
    """[RNG-47] What a child has to read elsewhere."""
    return any(
        block.state is State.SEALED and any(segment.length for _, segment in listing_in(view, each))
        for each, block in blocks_of(view)
    )


def every_child_is_written_to(view: View) -> bool:
    """[PRD-3] Each range that took over has a segment."""
    children = [each for each, block in blocks_of(view) if block.parents]
    active = [each for each in children if dict(blocks_of(view))[each].state is State.ACTIVE]
    return bool(active) and all(listing_in(view, each) for each in active)


def a_family_is_written_to(view: View) -> bool:
    """[RNG-47, PRD-3] Each parent retired with records, and each child has a segment."""
    blocks = dict(blocks_of(view))
    parents = {parent for block in blocks.values() for parent in block.parents}
    youngest = [each for each, block in blocks.items() if block.parents and each not in parents]
    listed = {parent for each in youngest for parent in blocks[each].parents}
    direct = listed - {older for each in listed for older in blocks[each].parents}
    return (
        bool(youngest)
        and all(listing_in(view, each) for each in youngest)
        and all(any(segment.length for _, segment in listing_in(view, each)) for each in direct)
    )


def a_range_goes_on(view: View) -> bool:
    """[RNG-15] What a split or a merge sealed before it failed has a successor in its range."""
    return any(len(listing_in(view, each)) > 1 for each, _ in blocks_of(view))


def is_done_at_last(*works: Reshaping) -> bool:
    """[RNG-15] A split or a merge can be tried again, as often as it is given up."""
    return any(work.is_done and not work.left for work in works)


def a_retired_range_refuses(view: View, *slots: Hashable) -> bool:
    """[ROL-41] A frontend that has not seen the children sends to the parent."""
    blocks = dict(blocks_of(view))
    return any(
        isinstance(slot, Answered)
        and isinstance(slot.reply, Sealed)
        and blocks[slot.dispatch.range_id].state is State.SEALED
        for slot in slots
    )


def is_stale(view: View, *fronts: Frontend) -> bool:
    """[RFR-13] A frontend would write to a range that has children."""
    retired = [each for each, block in blocks_of(view) if block.state is State.SEALED]
    return any(each in front.heads for each in retired for front in fronts)


def is_orphaned(view: View, logs: Logs, *works: Reshaping) -> bool:
    """[ROL-39] A head is fenced, and nobody is at work to record it."""
    return not any(work.is_under_way for work in works) and any(
        segment.state is State.ACTIVE and (log := logs.get(each)) is not None and log.fenced
        for each, segment in listing_of(view)
    )
