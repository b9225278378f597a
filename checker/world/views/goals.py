"""What a world of views must reach, so that no law holds idly."""

from collections.abc import Hashable, Iterator

from checker.search.model import Goal
from checker.world.views.bounds import Bounds, Fault
from checker.world.views.orders import Heal, Open
from checker.world.views.parts import Reads, Told
from checker.world.views.sight import catalog_of
from reference.frontend import Frontend
from reference.vnodes import View
from spec.replies import Refusal
from spec.truth import whole
from spec.words import shows


def goals(bounds: Bounds) -> tuple[Goal, ...]:
    """The goals of a world, less those that its bounds leave out."""
    readers = bounds.readers
    reads = tuple(f"{name}.reads" for name in readers)
    slots = tuple(slot for _, slot, _ in bounds.slots())
    found = [Goal("every_order_is_done", slots, every_order_is_done)] if slots else []
    if readers:
        found += [
            Goal("a_view_shows_less_than_was_read", (*readers, *reads), a_read_is_news),
            Goal("a_read_is_older_than_the_control_plane", ("control", *reads), a_read_is_old),
        ]
    found += overtakings(bounds, reads) if slots else []
    if len(readers) > 1:
        found.append(Goal("two_frontends_read_at_once", reads, two_read_at_once))
    if bounds.may(Fault.UNREAD):
        found.append(Goal("a_vnode_is_unread", reads, a_vnode_is_unread))
        if bounds.faults > 1:
            found.append(Goal("two_vnodes_are_unread", reads, two_vnodes_are_unread))
    if bounds.may(Fault.SILENCE) and readers:
        found.append(Goal("nobody_knows_what_was_done", ("control", *slots), nobody_knows))
        if bounds.faults > 1:
            found.append(
                Goal("nobody_knows_of_two_commands", ("control", *slots), nobody_knows_two)
            )
    if bounds.may(Fault.LATENESS):
        found.append(Goal("a_command_is_late", ("late",), lambda late: late is not None))
    kinds = {type(order) for _, _, order in bounds.slots()}
    if kinds & {Open, Heal}:
        found.append(Goal("a_call_is_refused", slots, a_call_is_refused))
    return tuple(found)


def overtakings(bounds: Bounds, reads: tuple[str, ...]) -> Iterator[Goal]:
    """The goals of own commands that take while a read is under way."""
    if reads:
        yield Goal("a_command_overtakes_a_read", reads, a_command_overtakes_a_read)
    if max(bounds.refreshes, default=0) > 1:
        yield Goal("a_command_overtakes_a_later_read", reads, _Overtaken(bounds))


def every_order_is_done(*slots: Told | None) -> bool:
    """Nothing needs to be left out."""
    return None not in slots


def a_command_overtakes_a_read(*reads: Reads) -> bool:
    """[RFR-8] An own command took while a read was under way."""
    return any(begun.since for each in reads for begun in each.begun)


class _Overtaken:
    """[RFR-8] An own command took while a read was under way that is not the first."""

    def __init__(self, bounds: Bounds) -> None:
        self.first = tuple(left - 1 for left in bounds.refreshes if left)

    def __call__(self, *reads: Reads) -> bool:
        """Whether a reader that began one read before has begun another."""
        return any(
            each.left < first and any(begun.since for begun in each.begun)
            for each, first in zip(reads, self.first, strict=True)
        )


def two_read_at_once(*reads: Reads) -> bool:
    """[RFR-4] The reads of two frontends are under way."""
    return sum(bool(each.begun) for each in reads) > 1


def a_read_is_news(*parts: Hashable) -> bool:
    """[RFR-1] A read brings what the frontend does not know."""
    half = len(parts) // 2
    return any(
        begun.view != front.view
        for front, reads in zip(parts[:half], parts[half:], strict=True)
        if isinstance(front, Frontend) and isinstance(reads, Reads)
        for begun in reads.begun
    )


def a_read_is_old(view: View, *reads: Reads) -> bool:
    """[RFR-3] The control plane has moved on since a read began."""
    return any(begun.view != view and not begun.unread for each in reads for begun in each.begun)


def a_vnode_is_unread(*reads: Reads) -> bool:
    """[RFR-2] A vnode did not answer."""
    return any(begun.unread for each in reads for begun in each.begun)


def two_vnodes_are_unread(*reads: Reads) -> bool:
    """[RFR-2] One to each of two frontends, which read at once."""
    return sum(bool(begun.unread) for each in reads for begun in each.begun) > 1


def nobody_knows(view: View, *slots: Told | None) -> bool:
    """[RNG-40] A command was done, and its caller told that it failed."""
    return _unknown(view, slots) > 0


def nobody_knows_two(view: View, *slots: Told | None) -> bool:
    """[RNG-40] Two of them were."""
    return _unknown(view, slots) > 1


def _unknown(view: View, slots: tuple[Told | None, ...]) -> int:
    listed = whole(catalog_of(view))
    return sum(
        isinstance(reply, Refusal) and not reply.is_definite and shows(listed, command)
        for slot in slots
        if slot is not None
        for command, reply in slot.heard
    )


def a_call_is_refused(*slots: Told | None) -> bool:
    """A caller is told no."""
    return any(slot is not None and isinstance(slot.reply, Refusal) for slot in slots)
