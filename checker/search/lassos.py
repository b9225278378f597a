"""Fair lassos: runs that go round for ever in a region, though no fair step is put off for ever.

Fairness is weak, and as in temporal logics that allow stuttering: a fair step counts as enabled
where some outcome of it changes the state. A run may rest in a state in which none is enabled.
A component of the region holds a fair run exactly when each fair step is somewhere in it either
not enabled or taken; more states or edges never undo that, so whole components are enough.
"""

import heapq
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from checker.search.components import components, members
from checker.search.recording import Edge, Recorded

LARGE = 50_000
"""Graphs with more edges than this are looked at as a whole, edge arrays at once."""


class Edges(Protocol):
    """By state: the last edge of a way to it."""

    def __getitem__(self, state: int, /) -> int:
        """Answer the edge; a negative number where the way begins."""


class Lasso(NamedTuple):
    """A run as the numbers of edges: a stem, then a cycle that is walked for ever."""

    stem: list[int]
    cycle: list[int]
    """Empty where the run rests."""


class FairRuns:
    """Looks for fair runs in the graph of a model."""

    def __init__(self, graph: Recorded) -> None:
        self._graph = graph
        model = graph.tables.model
        self._fair = frozenset(
            place
            for place, step in enumerate(model.steps)
            if step.name in model.fair or step.rule_name in model.fair
        )

    def lasso(self, avoiding: bytearray, owed: bytearray | None) -> Lasso | None:
        """Answer a fair run that ends in the region `avoiding` and never leaves it again.

        With `owed`, the run is in a state that owes something when it enters the region for good.
        """
        if len(self._graph.targets) > LARGE:
            return self._large_lasso(avoiding, owed)
        ways = None if owed is None else self._ways(avoiding, owed)
        region = avoiding if ways is None else bytearray(len(avoiding))
        for state in ways or ():
            region[state] = 1
        component = components(self._graph.starts, self._graph.targets, region)
        entries = [
            min((ways[state][0] if ways else 0, state) for state in states)
            for states in members(component)
            if self._is_fair(states, component)
        ]
        if not entries:
            return None
        entry = min(entries)[1]
        inside = {state for state in range(len(region)) if component[state] == component[entry]}
        edges = None if ways is None else {state: edge for state, (_, edge) in ways.items()}
        return Lasso(self._stem(entry, edges), self._cycle(entry, inside))

    def _large_lasso(self, avoiding: bytearray, owed: bytearray | None) -> Lasso | None:
        """Answer the same of a large graph."""
        from checker.search import arrays  # noqa: PLC0415 - numpy is for large graphs only

        graph = self._graph
        edges = arrays.Arrays(graph.starts, graph.targets)
        ways = None if owed is None else edges.ways(avoiding, owed, graph.layers)
        region = avoiding if ways is None else ways.region()
        component = edges.components(region)
        entry = arrays.first_fair(component, edges.fair(component, graph.steps, self._fair), ways)
        if entry is None:
            return None
        inside = set(arrays.members_with(component, entry))
        stem = self._stem(entry, None if ways is None else ways.edge)
        return Lasso(stem, self._cycle(entry, inside))

    def _moves(self, state: int) -> Iterator[tuple[int, Edge]]:
        graph = self._graph
        for number in graph.edges_from(state):
            target = graph.targets[number]
            if target != state:
                yield number, Edge(state, graph.steps[number], graph.outcomes[number], target)

    def _enabled(self, state: int) -> set[int]:
        return {edge.step for _, edge in self._moves(state)} & self._fair

    def _is_fair(self, states: list[int], component: Sequence[int]) -> bool:
        enabled, taken = Counter[int](), set[int]()
        for state in states:
            enabled.update(self._enabled(state))
            taken |= {
                edge.step
                for _, edge in self._moves(state)
                if component[edge.target] == component[state]
            }
        return all(step in taken for step, count in enabled.items() if count == len(states))

    def _ways(self, avoiding: bytearray, owed: bytearray) -> dict[int, tuple[int, int]]:
        """Answer the states a run that owes can come to, with their distance and last edge.

        The edge is -1 where the run begins to owe.
        """
        layers = self._graph.layers
        heap = [
            (bisect_right(layers, state), state, -1)
            for state in range(len(owed))
            if owed[state] and avoiding[state]
        ]
        heapq.heapify(heap)
        ways: dict[int, tuple[int, int]] = {}
        while heap:
            distance, state, edge = heapq.heappop(heap)
            if state in ways:
                continue
            ways[state] = distance, edge
            for number, move in self._moves(state):
                if avoiding[move.target] and move.target not in ways:
                    heapq.heappush(heap, (distance + 1, move.target, number))
        return ways

    def _stem(self, entry: int, edges: "Edges | None") -> list[int]:
        """Answer a way to a state: by the last edges of ways that owe, where there are any."""
        within: list[int] = []
        while edges is not None and edges[entry] >= 0:
            within.append(int(edges[entry]))
            entry = self._graph.edge(within[-1]).source
        return self._graph.way_to(entry) + within[::-1]

    def _cycle(self, entry: int, inside: set[int]) -> list[int]:
        """Answer a closed walk that gives every fair step its chance, or nothing to rest."""
        cycle: list[int] = []
        here, put_off = entry, self._enabled(entry)
        while put_off:
            way = self._way(here, inside, step=min(put_off))
            for edge in map(self._graph.edge, way):
                put_off = (put_off & self._enabled(edge.target)) - {edge.step}
                here = edge.target
            cycle += way
        return cycle + self._way(here, inside, goal=entry)

    def _way(
        self, start: int, inside: set[int], *, step: int | None = None, goal: int | None = None
    ) -> list[int]:
        """Answer a shortest way to a state, or to where a step is taken or not enabled."""
        came: dict[int, int] = {start: -1}
        queue = deque([start])
        while goal != start and queue:
            state = queue.popleft()
            for number, edge in self._moves(state):
                if edge.target not in inside:
                    continue
                is_chance = step is not None and (
                    edge.step == step or step not in self._enabled(edge.target)
                )
                if is_chance or edge.target == goal:
                    return [*self._back(state, came), number]
                if edge.target not in came:
                    came[edge.target] = number
                    queue.append(edge.target)
        return []

    def _back(self, state: int, came: dict[int, int]) -> list[int]:
        way: list[int] = []
        while came[state] >= 0:
            way.append(came[state])
            state = self._graph.edge(way[-1]).source
        return way[::-1]
