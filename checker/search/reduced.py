"""Search with partial order reduction: of steps that do not touch each other, one order is taken.

What steps read and write tells which of them commute. In each state a stubborn set of steps is
taken, as small as can be found: nothing outside it can ever change what its enabled members do,
nor enable its other members. Only steps that no law and no goal can see are taken alone, and only
where they lead to a state never seen, so that no other step is put off for ever. Laws and goals
come out as in the whole search; counts do not, and a trace need not be a shortest one.

What it saves depends on how much a model's laws and goals leave unseen. In FenceCore and in the
worlds of this project nearly every step touches what another reads or a law sees: there nothing
is left out, as `python -m bench.agreement` shows. A search that has left nothing out so far gives
up after some states, and the whole search, which is far faster, takes its place.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from checker.search.layered import Layered, changed
from checker.search.model import Model
from checker.search.plain import Limits
from checker.search.report import BoundReport, Trace
from checker.search.tables import Change, Row, Tables
from checker.search.traces import trace_along

PATIENCE = 2_500
"""A search that left nothing out in so many states leaves it to the whole search."""

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


class Reduced(Layered):
    """A search that leaves out orders of steps."""

    how = "with reduction"
    engine = "plain, reduced"

    def __init__(self, model: Model, limits: Limits) -> None:
        super().__init__(model, limits)
        self.commuting = Commuting(self.tables)
        for place, step in enumerate(model.steps):
            # A rule may fire only in states that are left out, so none is taken for dead.
            self.tables.fired[place] |= step.rule_name not in model.expected_dead
        self.has_left_out = False
        """Whether some steps were not taken in some state."""
        self.gave_up = False
        """Whether it ended early, because the whole search is quicker."""
        self._take_in(self.tables.initial, -1)

    def _goes_on(self) -> bool:
        self.gave_up = not self.has_left_out and len(self.rows) > PATIENCE
        return not self.gave_up

    def _judge(self) -> bool:
        return self.judges.judge(self.rows, self.layers[-1])

    def _felt(self, bounds: tuple[BoundReport, ...]) -> tuple[BoundReport, ...]:
        """A state that is left out may hit a bound."""
        return tuple(
            replace(each, felt="unknown") if each.felt == "not hit" else each for each in bounds
        )

    def _expand(self, ordinal: int) -> None:
        for row in self._successors(ordinal):
            self.transitions += 1
            self._take_in(row, ordinal)

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
                self.has_left_out = True
                return few
        return _rows(row, entries)

    def _changes(self, ordinal: int, row: Row, step: int) -> tuple[Change, ...]:
        read = tuple(row[part] for part in self.tables.step_reads[step])
        changes = self._known[step].get(read)
        if changes is None:
            changes = self._known[step][read] = self._learn(ordinal, step, read)
        return changes

    def _trace(self) -> Trace | None:
        model = self.tables.model
        if self._breach is not None:
            ordinal, breach = self._breach
            law = model.step_laws[breach.law]
            move = breach.step, breach.outcome
            return trace_along(self.tables, self._ancestors(ordinal), law, move)
        found = min(((at, law) for law, at in self.judges.violations.items()), default=None)
        if found is None:
            return None
        return trace_along(self.tables, self._ancestors(found[0]), model.laws[found[1]], None)


def bits(steps: Iterable[int]) -> Steps:
    """Answer a set of steps as bits."""
    return sum(1 << step for step in steps)


def places(steps: Steps) -> list[int]:
    """Answer the steps of a set, in order."""
    return [step for step in range(steps.bit_length()) if steps >> step & 1]


def _rows(row: Row, entries: Sequence[Entry]) -> list[Row]:
    return [changed(row, change) for _, changes in entries for change in changes]
