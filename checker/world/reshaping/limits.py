"""Where the bounds of the world are felt: the states in which it would go on but for them."""

from collections.abc import Hashable, Iterator

from checker.search.model import Limit
from checker.world.reshaping.bounds import Bounds
from checker.world.reshaping.parts import Reshaping
from checker.world.reshaping.producing import overflows
from checker.world.reshaping.rules import Rules
from checker.world.sharing.limits import (
    every_batch_is_planned,
    no_fault_is_left,
    no_read_is_left,
)


def limits(bounds: Bounds, rules: Rules) -> Iterator[Limit]:
    """Answer the limits of a world with these bounds."""
    for name, keys in zip(bounds.frontends, bounds.batches, strict=True):
        slots = tuple(f"{name}.{number}" for number, _ in enumerate(keys, 1))
        yield Limit("batches", slots, every_batch_is_planned)
    yield from (Limit("segments", *each) for each in overflows(bounds, rules))
    for name, reads in zip(bounds.frontends, bounds.refreshes, strict=True):
        yield Limit("refreshes", (f"{name}.read",) if reads else (), no_read_is_left)
    for name, _ in bounds.reshapers:
        yield Limit("reshapes", (f"{name}.work",), no_try_is_left)
    if bounds.faults:
        yield Limit("faults", ("faults",), no_fault_is_left)


def no_try_is_left(work: Reshaping, *_parts: Hashable) -> bool:
    """The frontend gave up for good."""
    return not work.left and not work.is_under_way and not work.is_done
