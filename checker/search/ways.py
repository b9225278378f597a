"""The shortest ways to a broken law, in the order of the steps, along marked rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

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
    """Each answers the rows of a layer that lead on; those of the last one break a law."""
    breaches: Sequence[Breach]
    """The outcomes, out of the last layer but one, that break a step law."""


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
        yield Way(rows, _broken_law(tables, rows[-1]), None)
        return
    following = marks.layers[len(rows)]()
    breaches = marks.breaches if len(rows) == len(marks.layers) - 1 else ()
    for move, row in moves_from(tables, rows[-1]):
        read = tuple(rows[-1][part] for part in tables.step_reads[move[0]])
        for breach in breaches:
            if (breach.step, breach.outcome, breach.read_ids) == (*move, read):
                yield Way(rows, tables.model.step_laws[breach.law], move)
        if row in following:
            yield from _ways(tables, marks, (*rows, row))


def _broken_law(tables: Tables, row: Row) -> Law:
    for law in tables.model.laws:
        if not tables.holds(law, tuple(row[part] for part in tables.positions_of(law.reads))):
            return law
    raise InternalError(f"{tables.model.name}: the row at the end of a trace breaks no law")
