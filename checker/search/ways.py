"""The shortest ways to a broken law, in the order of the steps, along marked rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from checker.search.faults import InternalError
from checker.search.model import Law, StepLaw
from checker.search.report import Trace
from checker.search.tables import Breach, Row, Tables
from checker.search.traces import moves_from, trace_along

Move = tuple[int, int]
"""A step and the number of its outcome."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What leads to a broken law in as few steps as can be."""

    layers: Sequence[Callable[[], frozenset[Row]]]
    """Each answers the rows of a layer that lead on; those of the last one break a law. Where rows
    stand for others, some of these do."""
    breaches: Sequence[Breach]
    """The outcomes, out of the last layer but one, that break a step law."""
    blind: set[tuple[int, Row]] = field(default_factory=set)
    """Rows, with their layers, that lead on only where names are exchanged."""


@dataclass(frozen=True, slots=True)
class Way:
    """Rows from the initial state on, and the law that breaks at their end."""

    rows: tuple[Row, ...]
    law: Law | StepLaw
    last: Move | None
    """The move behind the last row, where it breaks a step law."""


def first_trace(tables: Tables, marks: Marks) -> Trace:
    """Answer the shortest trace that is first in the order of the steps."""
    for way in _ways(tables, marks, (tables.initial,)):
        return trace_along(tables, way.rows, way.law, way.last)
    raise InternalError(f"{tables.model.name}: a law is broken, but no way leads there")


def _ways(tables: Tables, marks: Marks, rows: tuple[Row, ...]) -> Iterator[Way]:
    """Answer all ways that begin with these rows."""
    if len(rows) == len(marks.layers):
        law = _broken_law(tables, rows[-1])
        if law is not None:
            yield Way(rows, law, None)
        return
    following = marks.layers[len(rows)]()
    breaches = marks.breaches if len(rows) == len(marks.layers) - 1 else ()
    for move, row in moves_from(tables, rows[-1]):
        read = tuple(rows[-1][part] for part in tables.step_reads[move[0]])
        for breach in breaches:
            if (breach.step, breach.outcome, breach.read_ids) == (*move, read):
                yield Way(rows, tables.model.step_laws[breach.law], move)
        if tables.standing_for(row) in following and (len(rows), row) not in marks.blind:
            ways = _ways(tables, marks, (*rows, row))
            first = next(ways, None)
            if first is None:
                marks.blind.add((len(rows), row))
            else:
                yield first
                yield from ways


def _broken_law(tables: Tables, row: Row) -> Law | None:
    for law in tables.model.laws:
        if not tables.holds(law, tuple(row[part] for part in tables.positions_of(law.reads))):
            return law
    return None
