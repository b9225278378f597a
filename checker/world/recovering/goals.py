"""What a world of restarts and of expiry must reach, so that no law holds idly."""

from collections.abc import Hashable

from checker.search.model import Goal
from checker.world.recovering.bounds import Bounds
from checker.world.recovering.restarting import is_orphan
from checker.world.sharing.bounds import Fault
from checker.world.sharing.parts import RANGE
from checker.world.sharing.sight import listing_of
from reference.frontend import Frontend
from reference.vnodes import View
from spec.truth import Expired
from spec.vocabulary import SegmentId


def goals(bounds: Bounds) -> tuple[Goal, ...]:
    """The goals of a world, less those that its bounds leave out."""
    restarted = tuple(sorted(bounds.restarts))
    found: list[Goal] = []
    if restarted and bounds.shared.may(Fault.MUTENESS):
        found += [
            Goal("a_range_is_unrecovered", restarted, a_range_is_unrecovered),
            Goal("an_unrecovered_range_is_written", restarted, an_unrecovered_range_is_written),
        ]
    if restarted:
        found.append(Goal("a_batch_outlives_its_frontend", bounds.slots, an_orphan_is_on_its_way))
    if bounds.retainer is not None:
        found += [
            Goal("an_acknowledged_batch_expires", bounds.slots, a_batch_expires),
            Goal("a_head_follows_what_expired", ("control", "gone"), a_head_follows),
        ]
    return tuple(found)


def a_range_is_unrecovered(*fronts: Frontend) -> bool:
    """[RFR-22] Its primary was mute after a restart."""
    return any(RANGE in front.unrecovered for front in fronts)


def an_unrecovered_range_is_written(*fronts: Frontend) -> bool:
    """[RFR-26] A head is cached, and the end is not known yet."""
    return any(RANGE in front.unrecovered and RANGE in front.heads for front in fronts)


def an_orphan_is_on_its_way(*slots: Hashable) -> bool:
    """[RFR-28] A request outlives the memory of who sent it."""
    return any(map(is_orphan, slots))


def a_batch_expires(*slots: Hashable) -> bool:
    """[HEA-20] What was acknowledged is removed in its time."""
    return any(isinstance(slot, Expired) for slot in slots)


def a_head_follows(view: View, gone: frozenset[SegmentId]) -> bool:
    """[RNG-16] A segment is opened after another has expired."""
    return bool(gone) and any(
        segment.length is None and segment_id not in gone
        for segment_id, segment in listing_of(view)
    )
