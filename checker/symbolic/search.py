"""Breadth-first search over states that stand for many: a shape, and a region of integers.

The shape is the row of a state's values, in which offsets, sizes and lengths are sums of unknown
integers; the region is what was decided about these on the way. A state is dropped where the
region lies in those that were met with the same shape before.
"""

from array import array
from collections.abc import Callable
from typing import NamedTuple

from checker.search.memory import resident
from checker.search.model import Model
from checker.search.plain import STATES_BETWEEN_LOOKS, Limits
from checker.search.report import Progress
from checker.search.tables import Key, Row, ids_of, key_getter
from checker.symbolic.learning import Breach, Entry, Question, Tables
from checker.symbolic.regions import EVERYWHERE, NOWHERE, Regions

Entries = list[Entry | None]
Regioned = tuple[int, ...]


UNKNOWN = Entry(-1, (), (), (), ())
ALL: Regioned = (EVERYWHERE,)


class Look(NamedTuple):
    """What it takes to look up one step."""

    step: int
    reads: int
    getter: Callable[[Row], Key]
    table: dict[Key, Entry | None]


class Found(NamedTuple):
    """A law that breaks at the end of a way, and where."""

    ordinal: int
    """The state, or the one before the step that breaks it."""
    region: int
    law: int
    breach: Breach | None


class Search:
    """A search that is under way."""

    def __init__(
        self, model: Model, regions: Regions, limits: Limits, memory: int | None = None
    ) -> None:
        self.limits = limits
        self.memory = memory
        self.regions = regions
        self.tables = Tables(model, regions)
        self.rows: list[Row] = [self.tables.initial]
        self.inside = array("q", [EVERYWHERE])
        """The region of each state."""
        self.parents = array("q", [-1])
        self.seen: dict[Row, Regioned] = {self.tables.initial: (EVERYWHERE,)}
        self.layers = [0]
        self.transitions = 0
        self.covered = 0
        """How many states were dropped, their shape known and their region another's part."""
        self.lookups = 0
        self.fired = [False] * len(model.steps)
        self.found: Found | None = None
        self.stopped_by: str | None = None
        self._ask_of(model)
        self._look_up()

    def _ask_of(self, model: Model) -> None:
        """Make the questions that are asked of every state."""
        tables = self.tables
        self.laws = [Question(tables, law.reads, law.holds, wanted=False) for law in model.laws]
        self.goals = {
            place: Question(tables, goal.reads, goal.reached, wanted=True)
            for place, goal in enumerate(model.goals)
        }
        self.limited = [
            (limit.bound, Question(tables, limit.reads, limit.is_hit, wanted=True))
            for limit in model.limits
        ]
        self.hit: set[str] = set()
        """The bounds that some state hits."""

    def _look_up(self) -> None:
        """Make the tables of the steps, and say which of them a step affects."""
        tables = self.tables
        self.looks = tuple(
            Look(index, len(reads), key_getter(reads), {})
            for index, reads in enumerate(tables.reads)
        )
        self._affected = [
            tuple(look for look in self.looks if set(written) & set(tables.reads[look.step]))
            for written in tables.writes
        ]
        self._affected.append(self.looks)
        nothing: Entries = [None] * len(self.looks)
        self._origins: list[tuple[Entries, int]] = [(nothing, len(self.looks))]

    def run(self) -> None:
        """Search layer by layer until a law breaks, a limit is passed or nothing is left."""
        try:
            while self._judge() and self.found is None:
                end = len(self.rows)
                if self.layers[-1] == end or not self._expand_layer(end):
                    return
                self.layers.append(end)
        except MemoryError:
            self.stopped_by = "memory"
            self.seen.clear()
            self._origins.clear()

    @property
    def depth(self) -> int:
        """The last layer that holds a state."""
        return len(self.layers) - 1 - (self.layers[-1] == len(self.rows))

    @property
    def shapes(self) -> int:
        """How many states differ in more than what is decided of the integers."""
        return len(self.seen)

    def way_to(self, ordinal: int) -> list[int]:
        """The states from the initial one to this."""
        way = []
        while ordinal >= 0:
            way.append(ordinal)
            ordinal = self.parents[ordinal]
        return way[::-1]

    def _judge(self) -> bool:
        start = self.layers[-1]
        layer, inside = self.rows[start:], self.inside[start:]
        broken = [
            Found(start + answer[0], answer[1], place, None)
            for place, law in enumerate(self.laws)
            if (answer := law.first(layer, inside)) is not None
        ]
        first = min(broken, default=None, key=lambda each: each[0])
        if first is not None and (
            self.found is None or self.parents[first.ordinal] < self.found.ordinal
        ):
            self.found = first
        for place, goal in list(self.goals.items()):
            if goal.first(layer, inside) is not None:
                del self.goals[place]
        for bound, limit in self.limited:
            if bound not in self.hit and limit.first(layer, inside) is not None:
                self.hit.add(bound)
        return self.found is None

    def _expand_layer(self, end: int) -> bool:
        origins, self._origins = self._origins, []
        for start in range(self.layers[-1], end, STATES_BETWEEN_LOOKS):
            self.stopped_by = self.limits.passed(len(self.rows))
            if self.memory is not None and resident() > self.memory:
                self.stopped_by = self.stopped_by or "memory"
            if self.stopped_by is not None:
                return False
            self._speak(end)
            for ordinal in range(start, min(start + STATES_BETWEEN_LOOKS, end)):
                self._expand(ordinal, *origins[ordinal - self.layers[-1]])
        return True

    def _expand(self, ordinal: int, inherited: Entries, origin: int) -> None:
        row, inside, entries = self.rows[ordinal], self.inside[ordinal], inherited.copy()
        looks = self._affected[origin]
        self.lookups += len(looks)
        for step, reads, getter, table in looks:
            key = getter(row)
            entry = table.get(key, UNKNOWN)
            if entry is UNKNOWN:
                entry = table[key] = self.tables.learn(step, ids_of(key, reads))
            entries[step] = entry
        seen, met = self.seen, self.regions.met
        for step, writes, changes, breaches, raised in filter(None, entries):
            if breaches or raised:
                self._look_closer(ordinal, inside, breaches, raised)
            for region, ids in changes:
                behind = met(inside, region) if region else inside
                if behind == NOWHERE:
                    continue
                self.transitions += 1
                self.fired[step] = True
                fresh = list(row)
                for position, value in zip(writes, ids):  # noqa: B905 - of one length; hot
                    fresh[position] = value
                after = tuple(fresh)
                held = seen.get(after)
                if held is None:
                    seen[after] = ALL if behind == EVERYWHERE else (behind,)
                elif held is ALL or behind in held or not self._is_added(after, behind, held):
                    continue
                self.rows.append(after)
                self.inside.append(behind)
                self.parents.append(ordinal)
                self._origins.append((entries, step))

    def _is_added(self, shape: Row, region: int, held: Regioned) -> bool:
        """Whether a region of a known shape is more than what is known of it."""
        if self.regions.is_covered(region, held):
            self.covered += 1
            return False
        self.seen[shape] = ALL if region == EVERYWHERE else (*held, region)
        return True

    def _look_closer(
        self,
        ordinal: int,
        inside: int,
        breaches: tuple[Breach, ...],
        raised: tuple[tuple[int, Exception], ...],
    ) -> None:
        for region, error in raised:
            if self.regions.met(inside, region) != NOWHERE:
                raise error
        for breach in breaches:
            region = self.regions.met(inside, breach.region)
            if region != NOWHERE and self.found is None:
                self.found = Found(ordinal, region, breach.law, breach)

    def _speak(self, end: int) -> None:
        self.limits.speak(
            lambda seconds: Progress(
                model=self.tables.model.name,
                layer=self.depth,
                states=len(self.rows),
                transitions=self.transitions,
                frontier=end - self.layers[-1],
                rule_calls=self.tables.rule_calls,
                lookups=self.lookups,
                misses=self.tables.rule_calls,
                seconds=seconds,
            )
        )
