"""Search up to symmetry: of all states that differ only in names, one is searched.

That a model's symmetries are none is found out before harm is done: whenever a rule has answered
for a state, its counterparts are asked about the renamed states, and must answer the same with
the names exchanged. Laws and goals are judged on every renamed state.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from checker.search.faults import ModelError
from checker.search.layered import Layered, changed
from checker.search.model import Model, Symmetry
from checker.search.plain import Limits
from checker.search.report import Trace
from checker.search.tables import Breach, Change, Row, Tables
from checker.search.traces import moves_from, trace_along

MOST_EXCHANGES = 5040
"""Seven interchangeable participants; more would not be quicker."""


@dataclass(slots=True)
class Exchange:
    """One of all the exchanges that a model's symmetries make together."""

    parts: tuple[int, ...]
    """By part: the part its value goes to."""
    steps: tuple[int, ...]
    made_of: tuple[Symmetry, ...]
    """What it does to values, one after the other."""
    known: list[dict[int, int]] = field(default_factory=list)
    """By part: the renamed ids."""

    def row(self, tables: Tables, row: Row) -> Row:
        """Answer the renamed row."""
        renamed = [0] * len(row)
        for part, own in enumerate(row):
            renamed[self.parts[part]] = self.renamed(tables, part, own)
        return tuple(renamed)

    def ids(self, tables: Tables, parts: Sequence[int], ids: Sequence[int]) -> dict[int, int]:
        """Answer the renamed ids of some parts, by the part they go to."""
        return {
            self.parts[part]: self.renamed(tables, part, own)
            for part, own in zip(parts, ids, strict=True)
        }

    def renamed(self, tables: Tables, part: int, own: int) -> int:
        """Answer the id that a part's id becomes at the part it goes to."""
        if not self.known:
            self.known = [{} for _ in tables.names]
        new = self.known[part].get(own)
        if new is None:
            value, name = tables.values[part][own], tables.names[part]
            for symmetry in self.made_of:
                value, name = symmetry.renamed(name, value), symmetry.parts.get(name, name)
            new = tables.intern(self.parts[part], value, f"the symmetry {self.made_of[0].name}")
            self.known[part][own] = new
        return new


def exchanges_of(tables: Tables) -> list[Exchange]:
    """Answer all exchanges but the one that changes nothing."""
    model = tables.model
    basis = [_exchange(tables, symmetry) for symmetry in model.symmetries]
    parts, steps = tuple(range(len(tables.names))), tuple(range(len(model.steps)))
    found = {(parts, steps): Exchange(parts, steps, ())}
    fresh = list(found.values())
    while fresh:
        one = fresh.pop()
        for other in basis:
            both = Exchange(
                tuple(other.parts[part] for part in one.parts),
                tuple(other.steps[step] for step in one.steps),
                (*one.made_of, *other.made_of),
            )
            if (both.parts, both.steps) not in found:
                found[both.parts, both.steps] = both
                fresh.append(both)
            if len(found) > MOST_EXCHANGES:
                raise ModelError(f"{model.name}: its symmetries make more than {MOST_EXCHANGES}")
    return [each for each in found.values() if each.made_of]


def _exchange(tables: Tables, symmetry: Symmetry) -> Exchange:
    """Answer one symmetry by places, and refuse what cannot be one."""
    model = tables.model
    steps = {step.name: place for place, step in enumerate(model.steps)}
    part_names = [symmetry.parts.get(name, name) for name in tables.names]
    step_names = [symmetry.steps.get(step.name, step.name) for step in model.steps]
    if sorted(part_names) != sorted(tables.names) or sorted(step_names) != sorted(steps):
        raise ModelError(f"the symmetry {symmetry.name} does not exchange parts and steps")
    exchange = Exchange(
        tuple(tables.position[name] for name in part_names),
        tuple(steps[name] for name in step_names),
        (symmetry,),
    )
    for step, other in enumerate(exchange.steps):
        for mine, its in (
            (tables.step_reads[step], tables.step_reads[other]),
            (tables.step_writes[step], tables.step_writes[other]),
        ):
            if {exchange.parts[part] for part in mine} != set(its):
                raise ModelError(
                    f"the symmetry {symmetry.name}: {model.steps[other].name} does not read and"
                    f" write what {model.steps[step].name} does"
                )
    if exchange.row(tables, tables.initial) != tables.initial:
        raise ModelError(f"the symmetry {symmetry.name} changes the initial state")
    return exchange


class Symmetric(Layered):
    """A search of one state among those that differ only in names."""

    how = "up to symmetry"
    engine = "plain, up to symmetry"

    def __init__(self, model: Model, limits: Limits) -> None:
        super().__init__(model, limits)
        self.exchanges = exchanges_of(self.tables)
        self._broken: Row | None = None
        self._take_in(self._standing_for(self.tables.initial), -1)

    def images(self, row: Row) -> list[Row]:
        """Answer a row and all renamed ones, some of which may be equal."""
        return [row, *(each.row(self.tables, row) for each in self.exchanges)]

    def _standing_for(self, row: Row) -> Row:
        return min(self.images(row))

    def _judge(self) -> bool:
        images = [image for row in self.rows[self.layers[-1] :] for image in self.images(row)]
        broken = self.judges.judge(images, 0)
        if broken:
            self._broken = images[min(self.judges.violations.values())]
        return broken

    def _expand(self, ordinal: int) -> None:
        row = self.rows[ordinal]
        for step in range(len(self._known)):
            for change in self._changes(ordinal, row, step):
                self.transitions += 1
                self._take_in(self._standing_for(changed(row, change)), ordinal)

    def _changes(self, ordinal: int, row: Row, step: int) -> tuple[Change, ...]:
        """Answer the outcomes of a step, and hold its counterparts to them."""
        read = tuple(row[part] for part in self.tables.step_reads[step])
        changes = self._known[step].get(read)
        if changes is None:
            changes = self._known[step][read] = self._learn(ordinal, step, read)
            for exchange in self.exchanges:
                self._compare(ordinal, exchange, step, read, changes)
        return changes

    def _compare(
        self, ordinal: int, by: Exchange, step: int, read: Row, changes: Sequence[Change]
    ) -> None:
        tables, other = self.tables, by.steps[step]
        renamed = by.ids(tables, tables.step_reads[step], read)
        its_read = tuple(renamed[part] for part in tables.step_reads[other])
        if its_read not in self._known[other]:
            self._known[other][its_read] = self._learn(ordinal, other, its_read)
        expected = [by.ids(tables, change.positions, change.ids) for change in changes]
        found = [dict(zip(*change, strict=True)) for change in self._known[other][its_read]]
        if _sorted(expected) != _sorted(found):
            raise ModelError(
                f"the symmetry {by.made_of[0].name} does not hold:"
                f" {tables.model.steps[other].name} does not do what"
                f" {tables.model.steps[step].name} does with the names exchanged"
            )

    def _trace(self) -> Trace | None:
        model = self.tables.model
        if self._breach is not None:
            ordinal, breach = self._breach
            end = self._reading(self.rows[ordinal], breach)
            law = model.step_laws[breach.law]
            return trace_along(
                self.tables, self._way(ordinal, end), law, (breach.step, breach.outcome)
            )
        if self._broken is None:
            return None
        ordinal = self.rows.index(self._standing_for(self._broken), self.layers[-1])
        way = self._way(ordinal, self._broken)
        broken = min(self.judges.violations, key=lambda law: self.judges.violations[law])
        return trace_along(self.tables, way, model.laws[broken], None)

    def _reading(self, row: Row, breach: Breach) -> Row:
        reads = self.tables.step_reads[breach.step]
        return next(
            image
            for image in self.images(row)
            if tuple(image[part] for part in reads) == breach.read_ids
        )

    def _way(self, ordinal: int, end: Row) -> list[Row]:
        """Answer rows that do follow each other, from the initial one to `end`."""
        way = [self.tables.initial]
        for row in self._ancestors(ordinal)[1:]:
            way.append(
                next(
                    after
                    for _, after in moves_from(self.tables, way[-1])
                    if self._standing_for(after) == row
                )
            )
        if way[-1] == end:
            return way
        exchange = next(each for each in self.exchanges if each.row(self.tables, way[-1]) == end)
        return [exchange.row(self.tables, row) for row in way]


def _sorted(outcomes: Sequence[dict[int, int]]) -> list[list[tuple[int, int]]]:
    return sorted(sorted(outcome.items()) for outcome in outcomes)
