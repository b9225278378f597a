"""Where the bounds of the world are felt: the states in which it would go on but for them.

A bound that is missing here is what the world is made of, and is felt always.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from checker.search.model import Limit
from checker.world.sharing.bounds import Bounds
from checker.world.sharing.parts import Fence, Reading, segment_of
from checker.world.sharing.producing import overflows
from checker.world.sharing.rules import NOW, WINDOW, Rules
from reference.frontend import Frontend
from spec.vocabulary import SegmentId


def limits(bounds: Bounds, rules: Rules) -> Iterator[Limit]:
    """Answer the limits of a world with these bounds."""
    for name, counts in zip(bounds.frontends, bounds.batches, strict=True):
        slots = tuple(f"{name}.{number}" for number, _ in enumerate(counts, 1))
        yield Limit("batches", slots, every_batch_is_planned)
    yield from (Limit("segments", *each) for each in overflows(bounds, rules))
    for name, reads in zip(bounds.frontends, bounds.refreshes, strict=True):
        yield Limit("refreshes", (f"{name}.read",) if reads else (), no_read_is_left)
    for name in bounds.frontends:
        for seq in range(bounds.segments):
            slot, resent = f"{name}/s{seq}", FenceIsResent(rules, segment_of(seq))
            yield Limit("fences", (name, slot), resent)
    if bounds.faults:
        yield Limit("faults", ("faults",), no_fault_is_left)


def every_batch_is_planned(*slots: Hashable) -> bool:
    """The frontend has nothing more to produce."""
    return None not in slots


def no_read_is_left(*readings: Reading) -> bool:
    """The frontend may read the control plane no more."""
    return all(reading.left == 0 and reading.view is None for reading in readings)


def no_fault_is_left(faults: int) -> bool:
    """Whatever goes wrong has gone wrong."""
    return faults == 0


@dataclass(frozen=True, slots=True)
class FenceIsResent:
    """A frontend would send a fence again while one of its fences is still under way."""

    rules: Rules
    segment_id: SegmentId

    def __call__(self, front: Frontend, fence: Fence | None) -> bool:
        """Whether the message that is under way stands in the way of another."""
        if fence is None:
            return False
        _, rolls = self.rules.fences_to_send(front, NOW, WINDOW)
        return any(roll.segment_id == self.segment_id for roll in rolls)
