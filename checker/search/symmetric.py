"""Search up to symmetry: of all states that differ only in names, one is searched.

That a model's symmetries are none is found out before harm is done: whenever a rule has answered
for a state, its counterparts are asked about the renamed states, and must answer the same with
the names exchanged. Laws and goals are judged on every renamed state, and a broken law is shown
by the very trace that the whole search shows.
"""

from collections.abc import Iterator
from functools import partial

from checker.search.closed import ClosedTables, Reading
from checker.search.faults import ModelError
from checker.search.imaging import JudgesOfImages
from checker.search.model import Model
from checker.search.plain import UNKNOWN, Entries, Limits, Search
from checker.search.report import Trace
from checker.search.tables import Row, changed
from checker.search.ways import Marks, first_trace


class Symmetric(Search):
    """A search of one state among those that differ only in names."""

    engine = "plain, up to symmetry"
    is_reduced = True

    def __init__(self, model: Model, limits: Limits) -> None:
        if not model.symmetries:
            raise ModelError(f"{model.name} declares no symmetries; search it without them")
        if model.progress or model.accepting is not None:
            raise ModelError(
                f"{model.name}: progress goals and dead ends are not judged up to symmetry;"
                " search without it"
            )
        self.closed = ClosedTables(model)
        self._images = JudgesOfImages(self.closed)
        super().__init__(model, limits, self._images)
        self._standing: dict[Row, Row] = {}
        """By row that stands for nothing: the row that stands for it."""

    def _expand(self, ordinal: int, inherited: Entries, origin: int) -> None:
        row, seen, standing = self.rows[ordinal], self.seen, self._standing
        entries = self._entries(ordinal, inherited, origin)
        for step, changes in filter(None, entries):
            self.transitions += len(changes)
            for change in changes:
                after = changed(row, change)
                if after in seen or after in standing:
                    continue
                least = self.tables.standing_for(after)
                if least != after:
                    standing[after] = least
                if least not in seen:
                    seen.add(least)
                    self.rows.append(least)
                    self.parents.append(ordinal)
                    # The tables know a renamed row as another one.
                    self._origins.append((entries, step) if least == after else self._unknown)

    def trace(self) -> Trace | None:
        """Answer the shortest trace that comes first in the order of the steps."""
        starts = [*self._starts(), len(self.rows)]
        if self.judges.violations:
            first = min(self.judges.violations.values())
            depth = max(layer for layer, start in enumerate(starts) if start <= first)
        elif self.breach is not None:
            depth = 1 + max(layer for layer, start in enumerate(starts) if start <= self.breach[0])
        else:
            return None
        starts += [len(self.rows)] * 2
        last = self.rows[starts[depth] : starts[depth + 1]]
        marked = [frozenset(row for row in last if self._images.breaks(row))]
        readings: frozenset[Reading] = frozenset(
            reading
            for breach in self.tables.breaches
            for reading in self.tables.readings(breach.step, breach.read_ids)
        )
        for layer in range(depth - 1, -1, -1):
            rows = self.rows[starts[layer] : starts[layer + 1]]
            leading = frozenset(
                row for row in rows if self._leads_to(row, marked[-1]) or self._reads(row, readings)
            )
            marked.append(leading)
            readings = frozenset()
        layers = [partial(frozenset[Row], rows) for rows in reversed(marked)]
        return first_trace(self.tables, Marks(layers, self.tables.breaches))

    def _starts(self) -> Iterator[int]:
        """Answer where each layer starts, one that is not yet whole included."""
        start = -1
        for ordinal, parent in enumerate(self.parents):
            if parent >= start:
                start = ordinal
                yield start

    def _leads_to(self, row: Row, targets: frozenset[Row]) -> bool:
        for look in self.looks:
            _, changes = look.table.get(look.getter(row)) or UNKNOWN
            for change in changes:
                after = changed(row, change)
                if self._standing.get(after, after) in targets:
                    return True
        return False

    def _reads(self, row: Row, readings: frozenset[Reading]) -> bool:
        reads = self.tables.step_reads
        steps = {step for step, _ in readings}
        return any((step, tuple(row[part] for part in reads[step])) in readings for step in steps)
