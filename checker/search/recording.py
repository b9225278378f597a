"""The reachable graph of a model, written down in arrays: every state and every edge."""

import sys
from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from checker.search.model import Model, Parts
from checker.search.pausing import collector_paused
from checker.search.tables import Change, Key, Row, Tables, ids_of, key_getter

Entries = list[tuple[Change, ...]]
"""By step: its outcomes in one state."""


class Edge(NamedTuple):
    """One outcome of one step, out of one state."""

    source: int
    step: int
    outcome: int
    target: int


class Expander:
    """Answers the outcomes of all steps in a state, out of learned tables."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        reads = tables.step_reads
        self._looks = [(step, len(read), key_getter(read)) for step, read in enumerate(reads)]
        self._learned: list[dict[Key, tuple[Change, ...]]] = [{} for _ in reads]
        self._affected = [
            [self._looks[step] for step, read in enumerate(reads) if written & set(read)]
            for written in map(set, tables.step_writes)
        ]

    def entries(self, row: Row, before: Entries | None = None, moved: int = -1) -> Entries:
        """Answer what each step does in a state.

        With the entries of the state before it and the step between them, only the steps that
        read what that one wrote are looked up.
        """
        entries: Entries = [()] * len(self._looks) if before is None else before.copy()
        for step, reads, getter in self._looks if before is None else self._affected[moved]:
            key = getter(row)
            changes = self._learned[step].get(key)
            if changes is None:
                changes = self.tables.learn(step, ids_of(key, reads))
                self._learned[step][key] = changes
            entries[step] = changes
        return entries


class Recorded:
    """A graph whose states are counted in the order of a breadth-first search."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.rows: list[Row] = [tables.initial]
        self.parents = array("q", [-1])
        """By state: the edge that first led to it; -1 for the initial state."""
        self.layers = [0]
        """Where each layer begins, by its depth."""
        self.starts = array("q", [0])
        """By state: where its edges begin; one more entry ends the last. A state of a cut graph
        that was not expanded has none."""
        self.steps = array("l")
        self.outcomes = array("l")
        self.targets = array("q")
        self.is_whole = True
        """Whether every reachable state and edge is in it."""

    def edge(self, number: int) -> Edge:
        """Answer an edge by its number."""
        source = bisect_right(self.starts, number) - 1
        return Edge(source, self.steps[number], self.outcomes[number], self.targets[number])

    def edges_from(self, state: int) -> range:
        """Answer the numbers of the edges that leave a state."""
        return range(self.starts[state], self.starts[state + 1])

    def parts(self, state: int) -> Parts:
        """Answer the values of a state."""
        return self.tables.parts_of(self.rows[state])

    def way_to(self, state: int) -> list[int]:
        """Answer the edges of a shortest way from the initial state."""
        way = []
        while self.parents[state] >= 0:
            way.append(self.parents[state])
            state = self.edge(way[-1]).source
        return way[::-1]

    def where(self, who: str, question: Callable[..., bool], reads: Sequence[str]) -> bytearray:
        """Answer by state, as 0 or 1, what a question over some parts says of it."""
        getter, said = key_getter(self.tables.positions_of(reads)), dict[Key, bool]()
        answers = bytearray(len(self.rows))
        for state, row in enumerate(self.rows):
            key = getter(row)
            if key not in said:
                said[key] = self.tables.ask(who, question, reads, ids_of(key, len(reads)))
            answers[state] = said[key]
        return answers


def record(
    model: Model, *, max_states: int | None = None, max_depth: int | None = None
) -> Recorded:
    """Write down the graph of a model, or its first layers.

    Ends early, with `is_whole` false, after the layer in which the states become too many, or
    before the states at `max_depth` are expanded. Raises ModelError where the model is broken.
    """
    recorder = _Recorder(Recorded(Tables(model)))
    graph = recorder.graph
    with collector_paused():
        while recorder.frontier:
            if len(graph.layers) - 1 == max_depth or len(graph.rows) > (max_states or sys.maxsize):
                graph.is_whole = False
                break
            behind = len(graph.rows)
            recorder.expand_layer()
            if recorder.frontier:
                graph.layers.append(behind)
    unexpanded = len(graph.rows) + 1 - len(graph.starts)
    graph.starts.extend([len(graph.targets)] * unexpanded)
    return graph


class _Recorder:
    def __init__(self, graph: Recorded) -> None:
        self.graph = graph
        self.frontier: list[tuple[Entries | None, int]] = [(None, -1)]
        """The last layer: the entries of the state before each, and the step between."""
        self._expander = Expander(graph.tables)
        self._index = {graph.tables.initial: 0}

    def expand_layer(self) -> None:
        """Write down what leaves each state of the last layer."""
        layer, self.frontier = self.frontier, []
        for state, (before, moved) in enumerate(layer, self.graph.layers[-1]):
            self._expand(state, self._expander.entries(self.graph.rows[state], before, moved))

    def _expand(self, state: int, entries: Entries) -> None:
        graph, index, row = self.graph, self._index, self.graph.rows[state]
        for step, changes in enumerate(entries):
            for outcome, (positions, ids) in enumerate(changes):
                fresh = list(row)
                for position, value in zip(positions, ids):  # noqa: B905 - of one length; hot
                    fresh[position] = value
                after = tuple(fresh)
                target = index.get(after)
                if target is None:
                    target = index[after] = len(graph.rows)
                    graph.rows.append(after)
                    graph.parents.append(len(graph.targets))
                    self.frontier.append((entries, step))
                graph.steps.append(step)
                graph.outcomes.append(outcome)
                graph.targets.append(target)
        graph.starts.append(len(graph.targets))
