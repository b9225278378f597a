"""All shortest counterexamples of a law, not only the first."""

from collections.abc import Iterator, Mapping

from checker.search.model import Law, Model, StepLaw
from checker.search.recording import Recorded, record
from checker.search.report import Trace
from checker.search.traces import replay, trace_by

Ways = Mapping[int, list[int]]
"""By state: the edges that a shortest way to the broken law takes from it."""


def all_shortest(model: Model, trace: Trace, most: int) -> tuple[Trace, ...]:
    """Answer the shortest ways to break the law that a shortest trace breaks, `most` at most.

    They differ in what they tell, and come in the order of the steps; `trace` is one of them
    unless there are more than `most`. A trace of a progress goal or a dead end stays alone.
    """
    laws: list[Law | StepLaw] = [*model.laws, *model.step_laws]
    law = next((law for law in laws if law.name == trace.law.name), None)
    depth = len(trace.moves)
    if law is None or not depth:
        return (trace,)
    graph = record(model, max_depth=depth)
    ways = _ways(graph, depth, _last_edges(graph, depth, law))
    found: dict[tuple[tuple[str, str], ...], Trace] = {}
    for way in _walk(graph, ways, depth):
        told = trace_by(model, [(graph.steps[e], graph.outcomes[e]) for e in way], trace.law)
        phrases = tuple((move.step, move.label) for move in told.moves)
        if phrases not in found:
            replay(model, told, law)
            found[phrases] = told
        if len(found) == most:
            break
    return tuple(found.values())


def _layer(graph: Recorded, depth: int) -> range:
    ends = [*graph.layers[1:], len(graph.rows)]
    return range(graph.layers[depth], ends[depth])


def _last_edges(graph: Recorded, depth: int, law: Law | StepLaw) -> dict[int, list[int]]:
    """Answer by state, one step before the end, the edges that break the law."""
    if isinstance(law, Law):
        holds = graph.where(f"the law {law.name}", law.holds, law.reads)
        ends = {state for state in _layer(graph, depth) if not holds[state]}
        return _edges_into(graph, depth - 1, ends)
    tables = graph.tables
    breaches = {
        (breach.step, breach.read_ids, breach.outcome)
        for breach in tables.breaches
        if tables.model.step_laws[breach.law] is law
    }

    def breaks(state: int, edge: int) -> bool:
        step, row = graph.steps[edge], graph.rows[state]
        read_ids = tuple(row[part] for part in tables.step_reads[step])
        return (step, read_ids, graph.outcomes[edge]) in breaches

    return {
        state: edges
        for state in _layer(graph, depth - 1)
        if (edges := [edge for edge in graph.edges_from(state) if breaks(state, edge)])
    }


def _edges_into(graph: Recorded, depth: int, ends: set[int]) -> dict[int, list[int]]:
    return {
        state: edges
        for state in _layer(graph, depth)
        if (edges := [edge for edge in graph.edges_from(state) if graph.targets[edge] in ends])
    }


def _ways(graph: Recorded, depth: int, last: dict[int, list[int]]) -> Ways:
    ways, ends = dict(last), set(last)
    for layer in range(depth - 2, -1, -1):
        before = _edges_into(graph, layer, ends)
        ways |= before
        ends = set(before)
    return ways


def _walk(graph: Recorded, ways: Ways, depth: int) -> Iterator[list[int]]:
    """Answer each way of so many edges, in their order."""
    stack: list[tuple[int, list[int]]] = [(0, [])]
    while stack:
        state, way = stack.pop()
        if len(way) == depth:
            yield way
        else:
            edges = ways.get(state, ())
            stack += [(graph.targets[edge], [*way, edge]) for edge in reversed(edges)]
