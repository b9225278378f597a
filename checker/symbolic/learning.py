"""What rules, laws and goals said of values with unknown integers in them, each asked once.

As in a search on plain integers, every distinct value of a part is a small integer and a state a
row of them; two values are one where their sums are written alike. What a question comes to is
kept with the regions in which it comes to that.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from checker.prove.integers import Spelling, deciding
from checker.search.model import Model, Outcome, Step, StepLaw
from checker.search.tables import (
    Key,
    Row,
    ids_of,
    judges_step,
    key_getter,
    run_rule,
    step_law_holds,
)
from checker.symbolic.regions import NOWHERE, Regions
from checker.symbolic.ways import Raised, Ways

SPELLING = Spelling()


class Change(NamedTuple):
    """One outcome of a step, and the region in which it is one."""

    region: int
    ids: Row
    """What it writes."""


class Breach(NamedTuple):
    """A region in which an outcome breaks a step law."""

    region: int
    step: int
    number: int
    law: int


class Entry(NamedTuple):
    """All that a step can come to."""

    step: int
    writes: tuple[int, ...]
    changes: tuple[Change, ...]
    breaches: tuple[Breach, ...]
    raised: tuple[tuple[int, Exception], ...]


class Tables:
    """The interned values of a model and what its functions said of them."""

    def __init__(self, model: Model, regions: Regions) -> None:
        self.model = model
        self.regions = regions
        self.ways = Ways(regions)
        self.names = tuple(model.initial)
        self.position = {name: place for place, name in enumerate(self.names)}
        self.values: list[list[Hashable]] = [[] for _ in self.names]
        self._ids: list[dict[Hashable, int]] = [{} for _ in self.names]
        self._same: list[dict[int, int]] = [{} for _ in self.names]
        self.reads = [self.positions_of(step.reads) for step in model.steps]
        self.writes = [self.positions_of(step.writes) for step in model.steps]
        self._laws = [_laws_of(step, model.step_laws) for step in model.steps]
        self.rule_calls = 0
        with deciding(SPELLING):
            self.initial: Row = tuple(
                self._intern(place, model.initial[name]) for place, name in enumerate(self.names)
            )

    def positions_of(self, names: Sequence[str]) -> tuple[int, ...]:
        """Where the named parts stand in a row."""
        return tuple(self.position[name] for name in names)

    def values_of(self, positions: Sequence[int], ids: Sequence[int]) -> list[Hashable]:
        """The values that some ids stand for."""
        return [self.values[place][known] for place, known in zip(positions, ids, strict=True)]

    def learn(self, index: int, ids: Row) -> Entry | None:
        """Run a rule on values it has not seen, on every way through it."""
        step = self.model.steps[index]
        arguments = self.values_of(self.reads[index], ids)
        if self._is_shut(step, arguments):
            return None
        self.rule_calls += 1
        changes: list[Change] = []
        breaches: list[Breach] = []
        raised: list[tuple[int, Exception]] = []
        for way in self.ways.through(lambda: self._written(index, run_rule(step, arguments))):
            if isinstance(way.outcome, Raised):
                raised.append((way.region, way.outcome.error))
                continue
            for number, written in enumerate(way.outcome):
                changes.append(Change(way.region, written))
                if self._laws[index]:
                    breaches += self._breaches(index, arguments, way.region, number, written)
        if not changes and not raised:
            return None
        return Entry(index, self.writes[index], tuple(changes), tuple(breaches), tuple(raised))

    def said(
        self, question: Callable[..., bool], positions: Sequence[int], ids: Row, *, answer: bool
    ) -> tuple[int, ...]:
        """The regions in which a question about values is answered so."""
        arguments = self.values_of(positions, ids)
        found: list[int] = []
        for way in self.ways.through(lambda: question(*arguments)):
            if isinstance(way.outcome, Raised):
                raise way.outcome.error
            if way.outcome is answer:
                found.append(way.region)
        return tuple(found)

    def _is_shut(self, step: Step, arguments: Sequence[Hashable]) -> bool:
        if step.guard is None:
            return False
        given = dict(zip(step.reads, arguments, strict=True))
        return not step.guard.holds(*(given[name] for name in step.guard.reads))

    def _written(self, index: int, outcomes: Sequence[Outcome]) -> tuple[Row, ...]:
        writes = self.writes[index]
        with deciding(SPELLING):
            return tuple(tuple(map(self._intern, writes, each.values)) for each in outcomes)

    def _breaches(
        self, index: int, arguments: Sequence[Hashable], region: int, number: int, written: Row
    ) -> list[Breach]:
        step = self.model.steps[index]
        before = dict(zip(step.reads, arguments, strict=True))
        values = self.values_of(self.writes[index], written)
        after = before | dict(zip(step.writes, values, strict=True))
        found: list[Breach] = []
        for place in self._laws[index]:
            law = self.model.step_laws[place]
            for way in self.ways.through(
                lambda law=law: step_law_holds(law, step, before, after),  # type: ignore[misc] # mypy takes the default for no law
                region,
            ):
                if isinstance(way.outcome, Raised):
                    raise way.outcome.error
                if not way.outcome:
                    found.append(Breach(way.region, index, number, place))
        return found

    def _intern(self, place: int, value: Hashable) -> int:
        same = self._same[place].get(id(value))
        if same is not None:
            return same
        ids = self._ids[place]
        known = ids.get(value)
        if known is None:
            known = ids[value] = len(ids)
            self.values[place].append(value)
            self._same[place][id(value)] = known
        return known


class Question:
    """A law, a goal or a limit, and what it said of the values that it was asked about."""

    def __init__(
        self, tables: Tables, reads: Sequence[str], holds: Callable[..., bool], *, wanted: bool
    ) -> None:
        self.tables = tables
        self.positions = tables.positions_of(reads)
        self.getter = key_getter(self.positions)
        self.holds = holds
        self.wanted = wanted
        self._said: dict[Key, tuple[int, ...]] = {}

    def first(self, rows: Sequence[Row], regions: Sequence[int]) -> tuple[int, int] | None:
        """The first of some states of which it says what is wanted, and the region in which."""
        said, getter = self._said, self.getter
        for place, row in enumerate(rows):
            key = getter(row)
            answer = said.get(key)
            if answer is None:
                answer = said[key] = self._ask(key)
            for region in answer:
                met = self.tables.regions.met(regions[place], region)
                if met != NOWHERE:
                    return place, met
        return None

    def _ask(self, key: Key) -> tuple[int, ...]:
        ids = ids_of(key, len(self.positions))
        return self.tables.said(self.holds, self.positions, ids, answer=self.wanted)


def _laws_of(step: Step, laws: Sequence[StepLaw]) -> tuple[int, ...]:
    return tuple(place for place, law in enumerate(laws) if judges_step(law, step))
