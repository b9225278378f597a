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

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

from checker.search.faults import ModelError
from checker.search.model import Model
from checker.search.plain import Entries, Entry, Limits, Search
from checker.search.report import Report
from checker.search.tables import Row, Tables, changed

PATIENCE = 500
"""A search that left nothing out in so many states leaves the model to the whole search."""

Steps = int
"""A set of steps, as bits."""


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


class Reduced(Search):
    """A search that leaves out orders of steps."""

    engine = "plain, reduced"
    is_reduced = True

    def __init__(self, model: Model, limits: Limits) -> None:
        if model.progress or model.accepting is not None:
            raise ModelError(
                f"{model.name}: progress goals and dead ends are not judged with reduction;"
                " search without it"
            )
        super().__init__(model, limits)
        self.commuting = Commuting(self.tables)
        for place, step in enumerate(model.steps):
            # A rule may fire only in states that are left out, so none is taken for dead.
            self.tables.fired[place] |= step.rule_name not in model.expected_dead
        self.has_left_out = False
        """Whether some steps were not taken in some state."""

    def run(self, most: int | None = None) -> bool:
        """Search as `Search` does, and give up after `most` states unless some were left out."""
        return super().run(most) or (self.has_left_out and super().run())

    def report(self) -> Report:
        """Put together what was found; a state that is left out may hit a bound."""
        report = super().report()
        bounds = tuple(
            replace(each, felt="unknown") if each.felt == "not hit" else each
            for each in report.bounds
        )
        goals = tuple(replace(goal, states=None) for goal in report.goals)
        return replace(report, bounds=bounds, goals=goals)

    def _expand(self, ordinal: int, inherited: Entries, origin: int) -> None:
        row = self.rows[ordinal]
        entries = self._entries(ordinal, inherited, origin)
        taken = [
            (step, changed(row, change))
            for step, changes in self._few(row, entries) or filter(None, entries)
            for change in changes
        ]
        self.transitions += len(taken)
        for step, after in taken:
            if after not in self.seen:
                self.seen.add(after)
                self.rows.append(after)
                self.parents.append(ordinal)
                self._origins.append((entries, step))

    def _few(self, row: Row, entries: Entries) -> list[Entry] | None:
        """Answer the few steps that may be taken alone, if there are any."""
        enabled = bits(entry[0] for entry in entries if entry)
        best = None
        for step in places(enabled & ~self.commuting.visible):
            chosen = self.commuting.stubborn(step, enabled)
            if chosen & self.commuting.visible or chosen == enabled:
                continue
            if best is None or chosen.bit_count() < best.bit_count():
                best = chosen
        if best is None:
            return None
        few = [entry for entry in entries if entry and best >> entry[0] & 1]
        if all(changed(row, change) in self.seen for _, changes in few for change in changes):
            return None
        self.has_left_out = True
        return few


def bits(steps: Iterable[int]) -> Steps:
    """Answer a set of steps as bits."""
    return sum(1 << step for step in steps)


def places(steps: Steps) -> list[int]:
    """Answer the steps of a set, in order."""
    return [step for step in range(steps.bit_length()) if steps >> step & 1]
