"""Where the bounds of a world of restarts and of expiry are felt, beside those of its range."""

from collections.abc import Iterator

from checker.search.model import Limit
from checker.world.recovering.bounds import Bounds


def limits(bounds: Bounds) -> Iterator[Limit]:
    """Answer the limits of what befalls the frontends; those of their range stand with it."""
    for name in sorted(bounds.restarts):
        yield Limit("memory", (f"{name}.restarts",), nothing_is_left)
    if bounds.retainer is not None:
        yield Limit("expiry", ("expiries",), nothing_is_left)


def nothing_is_left(left: int) -> bool:
    """It may not happen once more."""
    return left == 0
