"""The reachable graph of a model, a slice or a view of it, for people and for other tools."""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

from checker.search.bisimulation import Arrow, classes
from checker.search.faults import ModelError
from checker.search.model import Model, Parts
from checker.search.recording import Recorded, record
from checker.search.report import Trace
from checker.search.tables import run_rule

UNSEEN = "(unseen)"
"""The label of an edge that changes nothing seen, but what can be seen from there on."""


@dataclass(frozen=True, slots=True)
class Node:
    """A state, or a class of states."""

    parts: Parts
    """What is seen of it."""
    depth: int
    """The steps of a shortest way to it."""
    states: int = 1
    """How many states it stands for."""


@dataclass(frozen=True, slots=True)
class Edge:
    """An outcome of a step."""

    source: int
    target: int
    label: str


@dataclass(frozen=True, slots=True)
class Graph:
    """Numbered nodes, the initial one first unless a slice left it out, and edges."""

    name: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    is_whole: bool
    """Whether no state and no edge was cut off by a bound of the search for them."""


def reachable(
    model: Model,
    *,
    max_states: int | None = None,
    max_depth: int | None = None,
    show: Callable[[Parts], Parts] = dict,
) -> Graph:
    """Answer the graph of a model, or its first layers, with the states as `show` shows them."""
    recorded = record(model, max_states=max_states, max_depth=max_depth)
    labels = _Labels(recorded)
    ends = [*recorded.layers[1:], len(recorded.rows)]
    nodes = [
        Node(show(recorded.parts(state)), depth)
        for depth, (first, end) in enumerate(zip(recorded.layers, ends, strict=True))
        for state in range(first, end)
    ]
    edges = dict.fromkeys(
        Edge(edge.source, edge.target, labels.label(number))
        for number, edge in enumerate(map(recorded.edge, range(len(recorded.targets))))
    )
    return Graph(model.name, tuple(nodes), tuple(edges), recorded.is_whole)


class _Labels:
    """The labels of recorded edges; a rule is run once for each combination of values."""

    def __init__(self, recorded: Recorded) -> None:
        self._recorded = recorded
        self._said: dict[tuple[int, tuple[int, ...]], tuple[str, ...]] = {}

    def label(self, number: int) -> str:
        """Answer the label of an edge."""
        tables, edge = self._recorded.tables, self._recorded.edge(number)
        row, reads = self._recorded.rows[edge.source], tables.step_reads[edge.step]
        key = edge.step, tuple(row[part] for part in reads)
        if key not in self._said:
            arguments = [tables.values[part][row[part]] for part in reads]
            outcomes = run_rule(tables.model.steps[edge.step], arguments)
            self._said[key] = tuple(outcome.label for outcome in outcomes)
        return self._said[key][edge.outcome]


def where(graph: Graph, keep: Callable[[Parts], bool]) -> Graph:
    """Answer the slice of the states that a predicate keeps, with the edges between them."""
    return _slice(graph, [place for place, node in enumerate(graph.nodes) if keep(node.parts)])


def around(graph: Graph, trace: Trace, radius: int) -> Graph:
    """Answer the slice of the states of a trace and of those so many edges away from one.

    The states of the trace must be shown as those of the graph are.
    """
    places = {_key(node.parts): place for place, node in enumerate(graph.nodes)}
    states = [trace.initial, *(move.parts for move in trace.moves)]
    near: list[list[int]] = [[] for _ in graph.nodes]
    for edge in graph.edges:
        near[edge.source].append(edge.target)
        near[edge.target].append(edge.source)
    distance = {places[key]: 0 for key in map(_key, states) if key in places}
    queue = deque(distance)
    while queue:
        place = queue.popleft()
        if distance[place] < radius:
            fresh = [each for each in dict.fromkeys(near[place]) if each not in distance]
            distance |= dict.fromkeys(fresh, distance[place] + 1)
            queue += fresh
    return _slice(graph, sorted(distance))


def projected(graph: Graph, parts: Sequence[str], *, is_minimised: bool = False) -> Graph:
    """Answer the view of one who sees only some parts.

    States of which the same is seen become one node; edges that change nothing seen are gone.
    That may show ways that no run takes. Minimised, states are one node only where nobody can
    tell them apart by anything that comes after either, and each way is one that a run can take.
    Raises ModelError where the model has no such part.
    """
    for name in parts:
        if any(name not in node.parts for node in graph.nodes):
            raise ModelError(f"{graph.name}: its states show no part {name!r}")
    seen = [tuple(node.parts[name] for name in parts) for node in graph.nodes]
    arrows = [Arrow(edge.source, edge.target, edge.label) for edge in graph.edges]
    merged = classes(seen, arrows) if is_minimised else _first_places(seen)
    nodes: dict[int, Node] = {}
    for node, number, values in zip(graph.nodes, merged, seen, strict=True):
        known = nodes.get(number, Node(dict(zip(parts, values, strict=True)), node.depth, 0))
        nodes[number] = replace(known, states=known.states + node.states)
    edges = dict.fromkeys(
        Edge(
            merged[source],
            merged[target],
            label if seen[source] != seen[target] else UNSEEN,
        )
        for source, target, label in arrows
        if merged[source] != merged[target]
    )
    return Graph(graph.name, tuple(nodes.values()), tuple(edges), graph.is_whole)


def _first_places(seen: Iterable[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(each, len(numbers)) for each in seen]


def _key(parts: Parts) -> Hashable:
    return frozenset(parts.items())


def _slice(graph: Graph, places: Sequence[int]) -> Graph:
    numbers = {place: number for number, place in enumerate(places)}
    edges = tuple(
        Edge(numbers[edge.source], numbers[edge.target], edge.label)
        for edge in graph.edges
        if edge.source in numbers and edge.target in numbers
    )
    nodes = tuple(graph.nodes[place] for place in places)
    return replace(graph, nodes=nodes, edges=edges)
