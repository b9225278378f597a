"""What several ways through one step come to."""

from collections.abc import Iterable

from checker.search.model import Outcome


def distinct(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """The outcomes without those whose values another one had before.

    They are compared one by one: there are few, and offsets that nobody knows have no hash.
    """
    found: list[Outcome] = []
    for each in outcomes:
        if all(each.values != other.values for other in found):
            found.append(each)
    return tuple(found)
