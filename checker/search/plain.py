"""Breadth-first search in plain Python, over interned rows and learned tables."""

import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from checker.search.judging import Judges
from checker.search.model import Model
from checker.search.pausing import collector_paused
from checker.search.report import Progress, ProgressFun, Report, Trace
from checker.search.results import Tally, report_of
from checker.search.stopping import REQUEST
from checker.search.tables import Breach, Change, Key, Row, Tables, ids_of, key_getter
from checker.search.traces import first_move, trace_along

STATES_BETWEEN_LOOKS = 256
"""How many states are expanded between two looks at the clock."""
SECONDS_BETWEEN_WORDS = 0.2


@dataclass(slots=True)
class Limits:
    """When a search stops unfinished, and who hears how it goes."""

    max_states: int | None = None
    max_seconds: float | None = None
    progress: ProgressFun | None = None
    started: float = field(default_factory=time.perf_counter)
    said: float = 0.0

    def seconds(self) -> float:
        """Answer the time since the search began."""
        return time.perf_counter() - self.started

    def passed(self, states: int) -> str | None:
        """Answer the limit that the search has passed, or that somebody asked it to stop."""
        if REQUEST.is_made:
            return "interrupt"
        if self.max_states is not None and states > self.max_states:
            return "max_states"
        if self.max_seconds is not None and self.seconds() > self.max_seconds:
            return "max_seconds"
        return None

    def speak(self, say: Callable[[float], Progress]) -> None:
        """Tell whoever listens how far the search is, but not too often."""
        seconds = self.seconds()
        if self.progress is not None and seconds - self.said >= SECONDS_BETWEEN_WORDS:
            self.said = seconds
            self.progress(say(seconds))


Entry = tuple[int, tuple[Change, ...]]
"""A step with its outcomes for some values."""
Entries = list[Entry | None]
"""By step: its entry for one state, and None where the step is not enabled."""
UNKNOWN: Entry = (-1, ())


class Look(NamedTuple):
    """What it takes to look up one step."""

    step: int
    reads: int
    getter: Callable[[Row], Key]
    table: dict[Key, Entry | None]


class Search:
    """A search that is under way.

    A state takes over the table entries of the state it was first reached from; only steps that
    read what the step between them wrote are looked up again.
    """

    engine = "plain"
    is_reduced = False
    """Whether some states stand for others."""

    def __init__(self, model: Model, limits: Limits, judges: Judges | None = None) -> None:
        self.limits = limits
        self.judges = judges or Judges(Tables(model))
        self.tables = self.judges.tables
        self.rows: list[Row] = [self.tables.initial]
        self.seen = {self.tables.initial}
        self.parents = array("q", [-1])
        self.transitions = 0
        self.lookups = 0
        """How often a table was asked."""
        self.layers = [0]
        """Where each layer starts among the rows."""
        self.breach: tuple[int, Breach] | None = None
        self.stopped_by: str | None = None
        self.looks = tuple(
            Look(index, len(reads), key_getter(reads), {})
            for index, reads in enumerate(self.tables.step_reads)
        )
        self._affected = [
            tuple(
                look
                for look in self.looks
                if not written.isdisjoint(self.tables.step_reads[look.step])
            )
            for written in map(frozenset, self.tables.step_writes)
        ]
        self._affected.append(self.looks)
        self._unknown: tuple[Entries, int] = [None] * len(self.looks), len(self.looks)
        """What a state of which nothing is known takes over: all is to be looked up."""
        self._origins = [self._unknown]

    def run(self, most: int | None = None) -> bool:
        """Search layer by layer until a law breaks, a limit is passed or nothing is left.

        Answer whether the search is over; it is not where a layer ends with more states than
        `most`, and the layer behind it is not judged then.
        """
        try:
            return self._run(most)
        except MemoryError:
            self.run_out_of_memory()
            return True

    def run_out_of_memory(self) -> None:
        """Stop unfinished, and let go of what only a search that goes on would need."""
        self.stopped_by = "memory"
        self.seen.clear()
        self._origins.clear()

    def _run(self, most: int | None) -> bool:
        while not self.judges.judge(self.rows, self.layers[-1]) and self.breach is None:
            layer_end = len(self.rows)
            if self.layers[-1] == layer_end or not self._expand_layer(layer_end):
                return True
            self.layers.append(layer_end)
            if most is not None and len(self.rows) > most:
                return False
        return True

    @property
    def depth(self) -> int:
        """The last layer that holds a state."""
        return len(self.layers) - 1 - (self.layers[-1] == len(self.rows))

    def _expand_layer(self, layer_end: int) -> bool:
        origins, self._origins = self._origins, []
        for start in range(self.layers[-1], layer_end, STATES_BETWEEN_LOOKS):
            self.stopped_by = self.limits.passed(len(self.rows))
            if self.stopped_by is not None:
                return False
            self._speak(layer_end)
            for ordinal in range(start, min(start + STATES_BETWEEN_LOOKS, layer_end)):
                self._expand(ordinal, *origins[ordinal - self.layers[-1]])
        return True

    def _entries(self, ordinal: int, inherited: Entries, origin: int) -> Entries:
        """Look up what a step from another state to this one touched."""
        row, entries = self.rows[ordinal], inherited.copy()
        looks = self._affected[origin]
        self.lookups += len(looks)
        for step, reads, getter, table in looks:
            key = getter(row)
            entry = table.get(key, UNKNOWN)
            if entry is UNKNOWN:
                entry = table[key] = self._learn(ordinal, step, ids_of(key, reads))
            entries[step] = entry
        return entries

    def _expand(self, ordinal: int, inherited: Entries, origin: int) -> None:
        row, seen = self.rows[ordinal], self.seen
        entries = self._entries(ordinal, inherited, origin)
        for step, changes in filter(None, entries):
            self.transitions += len(changes)
            for positions, ids in changes:
                fresh = list(row)
                for position, value in zip(positions, ids):  # noqa: B905 - of one length; hot
                    fresh[position] = value
                after = tuple(fresh)
                if after not in seen:
                    seen.add(after)
                    self.rows.append(after)
                    self.parents.append(ordinal)
                    self._origins.append((entries, step))

    def _learn(self, ordinal: int, step: int, read_ids: Row) -> Entry | None:
        known = len(self.tables.breaches)
        changes = self.tables.learn(step, read_ids)
        if self.breach is None and len(self.tables.breaches) > known:
            self.breach = ordinal, self.tables.breaches[known]
        return (step, changes) if changes else None

    def _speak(self, layer_end: int) -> None:
        self.limits.speak(
            lambda seconds: Progress(
                model=self.tables.model.name,
                layer=self.depth,
                states=len(self.rows),
                transitions=self.transitions,
                frontier=layer_end - self.layers[-1],
                rule_calls=self.tables.rule_calls,
                lookups=self.lookups,
                misses=self.tables.rule_calls,
                seconds=seconds,
            )
        )

    def trace(self) -> Trace | None:
        """Answer the shortest way to a broken law that comes first in the order of the steps."""
        model = self.tables.model
        found = min(
            ((ordinal, law) for law, ordinal in self.judges.violations.items()), default=None
        )
        if self.breach is not None:
            source, breach = self.breach
            move = breach.step, breach.outcome
            if found is None or (source, move) <= self._arrival(found[0]):
                law = model.step_laws[breach.law]
                return trace_along(self.tables, self.way_to(source), law, move)
        if found is None:
            return None
        return trace_along(self.tables, self.way_to(found[0]), model.laws[found[1]], None)

    def _arrival(self, ordinal: int) -> tuple[int, tuple[int, int]]:
        source = self.parents[ordinal]
        return source, first_move(self.tables, self.rows[source], self.rows[ordinal])

    def report(self) -> Report:
        """Put together what was found."""
        report = report_of(
            self.tables,
            self.judges,
            Tally(len(self.rows), self.transitions, self.depth),
            engine=self.engine,
            seconds=self.limits.seconds(),
            stopped_by=self.stopped_by,
            trace=self.trace(),
        )
        return replace(report, is_reduced=self.is_reduced)

    def way_to(self, ordinal: int) -> list[Row]:
        """Answer the rows from the initial state to a state, along first parents."""
        way = []
        while ordinal >= 0:
            way.append(self.rows[ordinal])
            ordinal = self.parents[ordinal]
        return way[::-1]


def search(
    model: Model,
    *,
    max_states: int | None = None,
    max_seconds: float | None = None,
    progress: ProgressFun | None = None,
) -> Report:
    """Search every reachable state of a model, breadth first.

    Ends with `holds`, with `broken` and a shortest trace at the first layer where a law breaks,
    or with `unfinished` where a limit is passed or the memory used up. States are counted between
    rounds, so a search ends with somewhat more than `max_states`. Raises ModelError where the
    model breaks its contract, InternalError where the replay of a trace does not confirm it.
    """
    run = Search(model, Limits(max_states, max_seconds, progress))
    with collector_paused():
        run.run()
    return run.report()
