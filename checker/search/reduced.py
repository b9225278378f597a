"""Search with partial order reduction: of steps that do not touch each other, one order is taken.

What steps read and write tells which of them commute. In each state a stubborn set of steps is
taken, as small as can be found: nothing outside it can ever change what its enabled members do,
nor enable its other members. Only steps that no law and no goal can see are taken alone, and only
where they lead to a state never seen, so that no other step is put off for ever. Laws and goals
come out as in the whole search; counts do not, and a trace need not be a shortest one.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from checker.search.faults import ModelError
from checker.search.judging import Judges
from checker.search.model import Model
from checker.search.plain import Limits
from checker.search.report import Report, Trace
from checker.search.results import Tally, report_of
from checker.search.tables import Breach, Change, Row, Tables
from checker.search.traces import trace_along

Steps = int
"""A set of steps, as bits."""
Entry = tuple[int, tuple[Change, ...]]


class Commuting:
    """What the parts that steps read and write tell about their order."""

    def __init__(self, tables: Tables) -> None:
        model = tables.model
        reads = [set(parts) for parts in tables.step_reads]
        writes = [set(parts) for parts in tables.step_writes]
        steps = range(len(model.steps))
        read = [*(law.reads for law in model.laws), *(goal.reads for goal in model.goals)]
        seen = set(chain.from_iterable(read))
        seen_parts = set(tables.positions_of(sorted(seen)))
        judged = [
            any(not law.rule_names or step.rule_name in law.rule_names for law in model.step_laws)
            for step in model.steps
        ]
        self.touching = [
            bits(
                other
                for other in steps
                if other != step
                and (writes[step] & (reads[other] | writes[other]) or writes[other] & reads[step])
            )
            for step in steps
        ]
        """By step: those that do not commute with it."""
        self.enabling = [
            bits(other for other in steps if other != step and writes[other] & reads[step])
            for step in steps
        ]
        """By step: those that may enable it."""
        self.visible = bits(step for step in steps if judged[step] or writes[step] & seen_parts)
        """The steps that a law or a goal may see."""

    def stubborn(self, first: int, enabled: Steps) -> Steps:
        """Answer the enabled steps of the least stubborn set that holds one enabled step."""
        found, waiting = 1 << first, [first]
        while waiting:
            step = waiting.pop()
            needed = self.touching[step] if enabled >> step & 1 else self.enabling[step]
            fresh = needed & ~found
            found |= fresh
            waiting += places(fresh)
        return found & enabled


class Reduced:
    """A search that leaves out orders of steps."""

    def __init__(self, model: Model, limits: Limits) -> None:
        if model.progress or model.accepting is not None:
            raise ModelError(
                f"{model.name}: progress goals and dead ends are not judged with reduction;"
                " search without it"
            )
        self.limits = limits
        self.tables = Tables(model)
        self.judges = Judges(self.tables)
        self.commuting = Commuting(self.tables)
        self.rows = [self.tables.initial]
        self.layers = [0]
        self.transitions = 0
        self.stopped_by: str | None = None
        self._seen = set(self.rows)
        self._parents = array("q", [-1])
        self._known: list[dict[Row, tuple[Change, ...]]] = [{} for _ in model.steps]
        self._breach: tuple[int, Breach] | None = None

    def run(self) -> Report:
        """Search layer by layer; answer what was found."""
        while not self.judges.judge(self.rows, self.layers[-1]) and self._breach is None:
            end = len(self.rows)
            if self.layers[-1] == end or not self._expand_layer(end):
                break
            self.layers.append(end)
        depth = len(self.layers) - 1 - (self.layers[-1] == len(self.rows))
        self._overlook_dead_rules()
        report = report_of(
            self.tables,
            self.judges,
            Tally(len(self.rows), self.transitions, depth),
            engine="plain, reduced",
            seconds=self.limits.seconds(),
            stopped_by=self.stopped_by,
            trace=self._trace(),
        )
        return replace(report, is_reduced=True)

    def _overlook_dead_rules(self) -> None:
        """Take rules for alive: one may fire only in states that are left out."""
        for place, step in enumerate(self.tables.model.steps):
            if step.rule_name not in self.tables.model.expected_dead:
                self.tables.fired[place] = True

    def _expand_layer(self, end: int) -> bool:
        for ordinal in range(self.layers[-1], end):
            self.stopped_by = self.limits.passed(len(self.rows))
            if self.stopped_by is not None:
                return False
            for row in self._successors(ordinal):
                self.transitions += 1
                if row not in self._seen:
                    self._seen.add(row)
                    self.rows.append(row)
                    self._parents.append(ordinal)
        return True

    def _successors(self, ordinal: int) -> list[Row]:
        """Answer the rows that a few steps lead to, or all of them."""
        row = self.rows[ordinal]
        entries = [(step, self._changes(ordinal, row, step)) for step in range(len(self._known))]
        enabled = bits(step for step, changes in entries if changes)
        best = None
        for step in places(enabled & ~self.commuting.visible):
            chosen = self.commuting.stubborn(step, enabled)
            if chosen & self.commuting.visible or chosen == enabled:
                continue
            if best is None or chosen.bit_count() < best.bit_count():
                best = chosen
        if best is not None:
            few = _rows(row, [entries[step] for step in places(best)])
            if any(after not in self._seen for after in few):
                return few
        return _rows(row, entries)

    def _changes(self, ordinal: int, row: Row, step: int) -> tuple[Change, ...]:
        read = tuple(row[part] for part in self.tables.step_reads[step])
        changes = self._known[step].get(read)
        if changes is None:
            breaches = len(self.tables.breaches)
            changes = self._known[step][read] = self.tables.learn(step, read)
            if self._breach is None and len(self.tables.breaches) > breaches:
                self._breach = ordinal, self.tables.breaches[breaches]
        return changes

    def _trace(self) -> Trace | None:
        model = self.tables.model
        if self._breach is not None:
            ordinal, breach = self._breach
            law = model.step_laws[breach.law]
            move = breach.step, breach.outcome
            return trace_along(self.tables, self._way(ordinal), law, move)
        found = min(((at, law) for law, at in self.judges.violations.items()), default=None)
        if found is None:
            return None
        return trace_along(self.tables, self._way(found[0]), model.laws[found[1]], None)

    def _way(self, ordinal: int) -> list[Row]:
        way = []
        while ordinal >= 0:
            way.append(self.rows[ordinal])
            ordinal = self._parents[ordinal]
        return way[::-1]


def bits(steps: Iterable[int]) -> Steps:
    """Answer a set of steps as bits."""
    return sum(1 << step for step in steps)


def places(steps: Steps) -> list[int]:
    """Answer the steps of a set, in order."""
    return [step for step in range(steps.bit_length()) if steps >> step & 1]


def _rows(row: Row, entries: Sequence[Entry]) -> list[Row]:
    made = []
    for _, changes in entries:
        for change in changes:
            after = list(row)
            for position, value in zip(change.positions, change.ids, strict=True):
                after[position] = value
            made.append(tuple(after))
    return made
