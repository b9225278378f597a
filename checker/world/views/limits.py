"""Where the bounds of a world of views are felt: where it would go on but for them."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from checker.search.model import Limit
from checker.world.sharing.limits import no_fault_is_left
from checker.world.views.bounds import Bounds
from checker.world.views.parts import Reads


def limits(bounds: Bounds) -> Iterator[Limit]:
    """Answer the limits of a world with these bounds."""
    for name in bounds.frontends:
        yield Limit("orders", bounds.slots_of(name), every_order_was_called)
    done = tuple(f"o.{number}" for number, _ in enumerate(bounds.operator, 1))
    yield Limit("others", done, others_are_done)
    for name, reads in zip(bounds.frontends, bounds.refreshes, strict=True):
        yield Limit("refreshes", (f"{name}.reads",) if reads else (), no_read_is_left)
    for name in bounds.readers:
        yield Limit("reads under way", (f"{name}.reads",), AnotherWaits(bounds.at_once))
    if bounds.faults:
        yield Limit("faults", ("faults",), no_fault_is_left)


def every_order_was_called(*slots: Hashable) -> bool:
    """The frontend has nothing more to do."""
    return None not in slots


def others_are_done(*done: bool) -> bool:
    """Nobody else commands anything any more."""
    return all(done)


def no_read_is_left(*reads: Reads) -> bool:
    """The frontend may read the control plane no more."""
    return all(each.left == 0 and not each.begun for each in reads)


@dataclass(frozen=True, slots=True)
class AnotherWaits:
    """A read could begin, but that so many are under way."""

    at_once: int

    def __call__(self, reads: Reads) -> bool:
        """Whether the reads under way stand in the way of another."""
        return reads.left > 0 and len(reads.begun) == self.at_once
