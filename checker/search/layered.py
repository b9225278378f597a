"""What the searches in plain Python that leave states out have in common: layer by layer."""

from abc import ABC, abstractmethod
from array import array
from dataclasses import replace
from typing import ClassVar

from checker.search.faults import ModelError
from checker.search.judging import Judges
from checker.search.model import Model
from checker.search.plain import Limits
from checker.search.report import BoundReport, Report, Trace
from checker.search.results import Tally, report_of
from checker.search.tables import Breach, Change, Row, Tables


class Layered(ABC):
    """A search that is breadth first and leaves states out."""

    how: ClassVar[str]
    """How it leaves them out: `with reduction`."""
    engine: ClassVar[str]

    def __init__(self, model: Model, limits: Limits) -> None:
        if model.progress or model.accepting is not None:
            raise ModelError(
                f"{model.name}: progress goals and dead ends are not judged {self.how};"
                " search without it"
            )
        self.limits = limits
        self.tables = Tables(model)
        self.judges = Judges(self.tables)
        self.rows: list[Row] = []
        self.layers = [0]
        self.transitions = 0
        self.stopped_by: str | None = None
        self._seen: set[Row] = set()
        self._parents = array("q")
        self._known: list[dict[Row, tuple[Change, ...]]] = [{} for _ in model.steps]
        self._breach: tuple[int, Breach] | None = None

    def run(self) -> Report:
        """Search layer by layer; answer what was found."""
        while not self._judge() and self._breach is None:
            end = len(self.rows)
            if self.layers[-1] == end or not self._expand_layer(end):
                break
            self.layers.append(end)
            if not self._goes_on():
                break
        depth = len(self.layers) - 1 - (self.layers[-1] == len(self.rows))
        report = report_of(
            self.tables,
            self.judges,
            Tally(len(self.rows), self.transitions, depth),
            engine=self.engine,
            seconds=self.limits.seconds(),
            stopped_by=self.stopped_by,
            trace=self._trace(),
        )
        return replace(report, is_reduced=True, bounds=self._felt(report.bounds))

    def _goes_on(self) -> bool:
        """Answer whether another layer is worth it."""
        return True

    def _felt(self, bounds: tuple[BoundReport, ...]) -> tuple[BoundReport, ...]:
        """Answer what is known of the bounds, states being left out."""
        return bounds

    @abstractmethod
    def _judge(self) -> bool:
        """Judge the last layer; answer whether a law is broken."""

    @abstractmethod
    def _expand(self, ordinal: int) -> None:
        """Take in what a state leads to."""

    @abstractmethod
    def _trace(self) -> Trace | None:
        """Answer the way to the law that broke first."""

    def _expand_layer(self, end: int) -> bool:
        for ordinal in range(self.layers[-1], end):
            self.stopped_by = self.limits.passed(len(self.rows))
            if self.stopped_by is not None:
                return False
            self._expand(ordinal)
        return True

    def _take_in(self, row: Row, parent: int) -> None:
        """Keep a row, unless it was seen."""
        if row not in self._seen:
            self._seen.add(row)
            self.rows.append(row)
            self._parents.append(parent)

    def _learn(self, ordinal: int, step: int, read: Row) -> tuple[Change, ...]:
        """Ask a rule, and remember the first state at which a step law broke."""
        known = len(self.tables.breaches)
        changes = self.tables.learn(step, read)
        if self._breach is None and len(self.tables.breaches) > known:
            self._breach = ordinal, self.tables.breaches[known]
        return changes

    def _ancestors(self, ordinal: int) -> list[Row]:
        """Answer the rows from the first one to a row, along the parents."""
        way = []
        while ordinal >= 0:
            way.append(self.rows[ordinal])
            ordinal = self._parents[ordinal]
        return way[::-1]


def changed(row: Row, change: Change) -> Row:
    """Answer the row that an outcome makes of a row."""
    after = list(row)
    for position, value in zip(change.positions, change.ids, strict=True):
        after[position] = value
    return tuple(after)
