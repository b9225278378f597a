"""Which steps are looked up together.

Steps that read nearly the same parts share one look-up: its key is all that any of them reads,
its entry the outcomes of all of them. Fewer look-ups a state, more entries in the table; a
sample of rows tells how many more.
"""

from collections.abc import Sequence
from operator import itemgetter

from checker.search.tables import Row

SAMPLE = 400
"""How many rows are looked at."""
MOST_KEYS = 30
"""Groups grow while they show at most so many keys in the sample."""

Group = tuple[tuple[int, ...], tuple[int, ...]]
"""The parts read, and the steps, both in order."""


def groups_for(reads: Sequence[Sequence[int]], rows: Sequence[Row]) -> list[Group]:
    """Answer groups that hold each step once, for steps that read these parts."""
    sample = rows[-SAMPLE:]
    counts: dict[frozenset[int], int] = {}

    def keys(parts: frozenset[int]) -> int:
        if parts not in counts:
            counts[parts] = len(set(map(itemgetter(*parts), sample))) if parts else 1
        return counts[parts]

    groups = _with_subsets([(frozenset(parts), (step,)) for step, parts in enumerate(reads)])
    costs = {
        (left, right): keys(left[0] | right[0]) - keys(left[0]) - keys(right[0])
        for index, left in enumerate(groups)
        for right in groups[:index]
        if left[0] & right[0]
    }
    while costs and len(sample) == SAMPLE:
        pair = min(costs, key=lambda pair: (costs[pair], pair[0][1], pair[1][1]))
        del costs[pair]
        parts = pair[0][0] | pair[1][0]
        if keys(parts) > MOST_KEYS:
            continue
        merged = parts, tuple(sorted(pair[0][1] + pair[1][1]))
        groups = [group for group in groups if group not in pair]
        costs = {other: cost for other, cost in costs.items() if not set(other) & set(pair)}
        for group in (each for each in groups if each[0] & parts):
            costs[merged, group] = keys(parts | group[0]) - keys(parts) - keys(group[0])
        groups.append(merged)
    return sorted((tuple(sorted(parts)), steps) for parts, steps in groups)


def _with_subsets(
    groups: list[tuple[frozenset[int], tuple[int, ...]]],
) -> list[tuple[frozenset[int], tuple[int, ...]]]:
    """Let a step that reads no more than another ride along with it."""
    hosts: list[tuple[frozenset[int], tuple[int, ...]]] = []
    for parts, steps in sorted(groups, key=lambda group: (-len(group[0]), group[1])):
        for index, (host, carried) in enumerate(hosts):
            if parts <= host:
                hosts[index] = host, carried + steps
                break
        else:
            hosts.append((parts, steps))
    return [(parts, tuple(sorted(steps))) for parts, steps in hosts]
