"""Questions about a large graph, asked of all its edges at once.

They answer what the functions for small graphs answer; numpy is loaded only here.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from checker.search.components import components

if TYPE_CHECKING:
    from array import array

Numbers = npt.NDArray[np.int64]
Marks = npt.NDArray[np.bool_]
MOST_ROUNDS = 200
"""So often states on no cycle are taken away; what is left is walked."""
BEGINS, NEVER = -1, -2
"""Instead of an edge: where a way begins, and where none comes to."""


class Ways(NamedTuple):
    """Shortest ways from some states on, by state."""

    distance: Numbers
    edge: Numbers
    """The last edge of the way; BEGINS or NEVER."""

    def region(self) -> bytearray:
        """Answer by state, as 0 or 1, whether some way comes to it."""
        return bytearray((self.edge != NEVER).tobytes())


class Arrays:
    """The edges of a graph, in order of their sources."""

    def __init__(self, starts: "array[int]", targets: "array[int]") -> None:
        self.starts, self.targets = _numbers(starts), _numbers(targets)
        self._compact = starts, targets
        self.states = len(starts) - 1
        self.sources = np.repeat(np.arange(self.states), np.diff(self.starts))
        self.is_move = self.sources != self.targets
        """By edge: whether it changes the state."""

    def backward(self, goals: bytearray) -> bytearray:
        """Answer by state, as 0 or 1, whether some way leads from it to a goal."""
        order = np.argsort(self.targets, kind="stable")
        first = np.searchsorted(self.targets[order], np.arange(self.states + 1))
        reach = _marks(goals)
        front = np.flatnonzero(reach)
        while front.size:
            sources = self.sources[order[_between(first, front)]]
            front = np.unique(sources[~reach[sources]])
            reach[front] = True
        return bytearray(reach.tobytes())

    def ways(self, avoiding: bytearray, owed: bytearray, layers: Sequence[int]) -> Ways:
        """Answer the shortest ways within a region from its states that owe something on.

        A way begins as far away as its first state is from the initial one, plus one.
        """
        inside = _marks(avoiding)
        begins = np.flatnonzero(inside & _marks(owed))
        far = np.searchsorted(np.asarray(layers), begins, side="right")
        begins, far = begins[np.argsort(far, kind="stable")], np.sort(far)
        ways = Ways(np.full(self.states, -1), np.full(self.states, NEVER))
        edges, distance = np.zeros(0, np.int64), int(far.min(initial=0))
        while edges.size or distance <= far.max(initial=-1):
            own = begins[slice(*np.searchsorted(far, (distance, distance + 1)))]
            own = own[ways.edge[own] == NEVER]
            ways.edge[own] = BEGINS
            edges = edges[ways.edge[self.targets[edges]] == NEVER]
            # Of the edges to one state the last one written counts, which is the lowest.
            ways.edge[self.targets[edges[::-1]]] = edges[::-1]
            front = np.unique(np.concatenate((own, self.targets[edges])))
            ways.distance[front] = distance
            edges = _between(self.starts, front)
            edges = edges[self.is_move[edges] & inside[self.targets[edges]]]
            distance += 1
        return ways

    def components(self, region: bytearray) -> Numbers:
        """Answer by state the number of its strongly connected component; -1 outside the region.

        States on no cycle are found first, by taking away again and again what nothing leads to
        or what leads nowhere; only what is left is walked.
        """
        inside = _marks(region)
        core = self._core(inside)
        found = _numbers(components(*self._compact, bytearray(core.tobytes())))
        alone = np.flatnonzero(inside & ~core)
        found[alone] = np.arange(alone.size) + (found.max(initial=-1) + 1)
        return found

    def _core(self, inside: Marks) -> Marks:
        core = inside.copy()
        edges = np.flatnonzero(self.is_move & core[self.sources] & core[self.targets])
        for _ in range(MOST_ROUNDS):
            kept = np.zeros(self.states, np.bool_)
            kept[self.targets[edges]] = True
            lead = np.zeros(self.states, np.bool_)
            lead[self.sources[edges]] = True
            core &= kept & lead
            left = edges[core[self.sources[edges]] & core[self.targets[edges]]]
            if left.size == edges.size:
                break
            edges = left
        return core

    def fair(self, component: Numbers, steps: "array[int]", fair_steps: frozenset[int]) -> Marks:
        """Answer by component whether each fair step is somewhere in it not enabled, or taken."""
        count = int(component.max(initial=-1)) + 1
        size = np.bincount(component[component >= 0], minlength=count)
        step = np.asarray(steps)
        is_asked = self.is_move & (component[self.sources] >= 0)
        fair = np.ones(count, np.bool_)
        for each in sorted(fair_steps):
            edges = np.flatnonzero(is_asked & (step == each))
            sources = self.sources[edges]
            enabled = np.bincount(component[np.unique(sources)], minlength=count)
            taken = np.zeros(count, np.bool_)
            stays = component[sources] == component[self.targets[edges]]
            taken[component[sources[stays]]] = True
            fair &= (enabled < size) | taken
        return fair


def first_fair(component: Numbers, fair: Marks, ways: Ways | None) -> int | None:
    """Answer the state of a fair component that is nearest, of several the first."""
    states = np.flatnonzero(component >= 0)
    states = states[fair[component[states]]]
    if not states.size:
        return None
    return int(states[0] if ways is None else states[np.argmin(ways.distance[states])])


def members_with(component: Numbers, state: int) -> list[int]:
    """Answer the states of the component that a state is in."""
    found: list[int] = np.flatnonzero(component == component[state]).tolist()
    return found


def _between(starts: Numbers, states: Numbers) -> Numbers:
    """Answer the numbers of the edges that leave some states, state by state."""
    counts = starts[states + 1] - starts[states]
    total = int(counts.sum())
    shifts = np.repeat(starts[states] - np.concatenate(([0], np.cumsum(counts)[:-1])), counts)
    return np.arange(total) + shifts if total else np.zeros(0, np.int64)


def _marks(given: bytearray) -> Marks:
    return np.frombuffer(bytes(given), np.bool_).copy()


def _numbers(given: "array[int]") -> Numbers:
    return np.frombuffer(given, np.int64).copy() if len(given) else np.zeros(0, np.int64)
