"""Strongly connected components and backward reach, over compact arrays of edges."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate


def components(starts: Sequence[int], targets: Sequence[int], region: bytearray) -> "array[int]":
    """Answer by node the number of its strongly connected component; -1 outside the region.

    The edges of node `n` are `targets[starts[n]:starts[n + 1]]`; those that leave the region are
    not looked at. Components that others lead to have the lower numbers.
    """
    return _Tarjan(starts, targets, region).run()


def backward(starts: Sequence[int], targets: Sequence[int], goals: bytearray) -> bytearray:
    """Answer by node, as 0 or 1, whether some way leads from it to a goal."""
    first, sources = _turned(starts, targets)
    reach = bytearray(goals)
    stack = [node for node, is_goal in enumerate(goals) if is_goal]
    while stack:
        node = stack.pop()
        for source in sources[first[node] : first[node + 1]]:
            if not reach[source]:
                reach[source] = 1
                stack.append(source)
    return reach


def members(component: Iterable[int]) -> list[list[int]]:
    """Answer the nodes of each component, by its number, in ascending order."""
    found: list[list[int]] = []
    for node, number in enumerate(component):
        if number >= 0:
            found.extend([] for _ in range(number + 1 - len(found)))
            found[number].append(node)
    return found


def _turned(starts: Sequence[int], targets: Sequence[int]) -> "tuple[array[int], array[int]]":
    """Answer the same edges sorted by their targets."""
    counts = array("q", [0]) * len(starts)
    for target in targets:
        counts[target + 1] += 1
    first = array("q", accumulate(counts))
    free, sources = first[:], array("q", [0]) * len(targets)
    for source in range(len(starts) - 1):
        for target in targets[starts[source] : starts[source + 1]]:
            sources[free[target]] = source
            free[target] += 1
    return first, sources


class _Tarjan:
    """Tarjan's algorithm, with a stack of its own in place of the interpreter's."""

    def __init__(self, starts: Sequence[int], targets: Sequence[int], region: bytearray) -> None:
        self._starts, self._targets, self._region = starts, targets, region
        self._component = array("q", [-1]) * len(region)
        self._low = array("q", [0]) * len(region)
        """By node: 0 while it is unseen, else its number in order of sight or a lower one."""
        self._open: list[int] = []
        self._sight = 0
        self._closed = 0

    def run(self) -> "array[int]":
        for node, is_inside in enumerate(self._region):
            if is_inside and not self._low[node]:
                self._walk(node)
        return self._component

    def _walk(self, root: int) -> None:
        path = [(root, self._see(root), self._edges(root))]
        low, component, region = self._low, self._component, self._region
        while path:
            node, sight, edges = path[-1]
            for target in edges:
                if not region[target] or component[target] >= 0:
                    continue
                if not low[target]:
                    path.append((target, self._see(target), self._edges(target)))
                    break
                low[node] = min(low[node], low[target])
            else:
                path.pop()
                if low[node] == sight:
                    self._close(node)
                elif path:
                    above = path[-1][0]
                    low[above] = min(low[above], low[node])

    def _edges(self, node: int) -> Iterator[int]:
        return iter(self._targets[self._starts[node] : self._starts[node + 1]])

    def _see(self, node: int) -> int:
        self._sight += 1
        self._low[node] = self._sight
        self._open.append(node)
        return self._sight

    def _close(self, root: int) -> None:
        while True:
            node = self._open.pop()
            self._component[node] = self._closed
            if node == root:
                break
        self._closed += 1
