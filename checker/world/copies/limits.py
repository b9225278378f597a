"""Where the bounds of a world of copies are felt."""

from collections.abc import Iterator

from checker.search.model import Limit
from checker.world.copies.bounds import Bounds
from checker.world.copies.parts import Consumer
from checker.world.copies.rules import Rules
from checker.world.sharing import limits as sharing


def limits(bounds: Bounds, rules: Rules) -> Iterator[Limit]:
    """Answer the limits of a world with these bounds; frontends here refresh with a pass."""
    for limit in sharing.limits(bounds.shared, rules):
        if limit.bound != "refreshes":
            yield limit
    if bounds.reads:
        yield Limit("reads", ("consumer",), no_page_is_left)


def no_page_is_left(consumer: Consumer) -> bool:
    """The consumer reads no more."""
    return consumer.left == 0
