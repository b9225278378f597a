"""Random walks: the same laws on a few long runs, where a whole search would take too long.

A walk draws a step of those that can be taken, then one of its outcomes. It depends on nothing
but the model, the seed and its own number: no version of Python and no hash changes it.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from checker.search.confirming import confirm_dead_end
from checker.search.model import Accepting, Model
from checker.search.progress import STUCK
from checker.search.recording import Entries
from checker.search.report import GoalReport, LawReport, Trace
from checker.search.sentry import NOT_MOVED, Broken, Choice, Sentry, moved, report_on
from checker.search.shrinking import Shrinker
from checker.search.tables import Row, Tables
from checker.search.traces import replay, trace_by


@dataclass(frozen=True, slots=True)
class WalkReport:
    """What some random walks came to. Walks that break nothing prove nothing."""

    model: str
    verdict: Literal["broken", "unbroken"]
    seed: int
    walks: int
    """How many walks were begun."""
    steps: int
    """How many steps they took in all."""
    rests: int
    """How many of them ended where no step can be taken."""
    seconds: float
    goals: tuple[GoalReport, ...]
    unfired_rules: tuple[str, ...]
    """Rules that no state allowed; a longer walk may."""
    stopped_by: str | None
    """`max_seconds`, where the time ended the walks."""
    broken: LawReport | None = None
    trace: Trace | None = None
    """A short run that breaks the law."""
    walked: int | None = None
    """How many steps the walk took to break it, before what it does not need was left out."""


WalkFun = Callable[[int, int], None]
"""Takes the number of walks begun and of steps taken so far."""


class Found(NamedTuple):
    """A run that breaks a law."""

    broken: Broken
    run: list[Choice]


def simulate(
    model: Model,
    *,
    walks: int = 100,
    steps: int = 1_000,
    seed: int = 0,
    max_seconds: float | None = None,
    progress: WalkFun | None = None,
) -> WalkReport:
    """Walk at random from the initial state, so often and so far, until a law is broken.

    Progress goals are not judged; a dead end is, where the model says where it may rest. The
    counterexample is shrunk and confirmed by the rules alone. Raises ModelError where the model
    breaks its contract.
    """
    walkers = _Walkers(model, steps, max_seconds)
    found = None
    for number in range(walks):
        if found is not None or walkers.is_late():
            break
        found = walkers.walk(_draws(seed, number))
        if progress is not None:
            progress(walkers.walks, walkers.steps)
    walkers.sentry.tables.watch.ask_again()
    return walkers.report(seed, found)


def _draws(seed: int, number: int) -> random.Random:
    """Answer the source of a walk's draws, a different one for each seed and number."""
    return random.Random(f"{seed}/{number}")  # noqa: S311 - a draw that nobody need not guess


def _drawn(draws: random.Random, count: int) -> int:
    """Draw a number below a count; of all its methods, `random` alone never changes."""
    return int(draws.random() * count)


class _Walkers:
    def __init__(self, model: Model, most_steps: int, max_seconds: float | None) -> None:
        self.sentry = Sentry(Tables(model))
        self.walks = self.steps = self.rests = 0
        self._model, self._most_steps, self._max_seconds = model, most_steps, max_seconds
        self._started = time.perf_counter()

    def is_late(self) -> bool:
        """Answer whether the time is used up."""
        spent = time.perf_counter() - self._started
        return self._max_seconds is not None and spent > self._max_seconds

    def walk(self, draws: random.Random) -> Found | None:
        """Walk once; answer what broke."""
        self.walks += 1
        expander, run = self.sentry.expander, list[Choice]()
        row, step = self.sentry.tables.initial, NOT_MOVED
        entries = expander.entries(row)
        while True:
            found = self._found(row, entries, step, run)
            if found is not None or len(run) == self._most_steps or self.is_late():
                return found
            choice = self._chosen(draws, entries)
            if choice is None:
                self.rests += 1
                return None
            run.append(choice)
            self.steps += 1
            step = choice[0]
            row = moved(row, entries, choice)
            entries = expander.entries(row, entries, step)

    def _chosen(self, draws: random.Random, entries: Entries) -> Choice | None:
        enabled = [step for step, changes in enumerate(entries) if changes]
        if not enabled:
            return None
        step = enabled[_drawn(draws, len(enabled))]
        return step, _drawn(draws, len(entries[step]))

    def _found(self, row: Row, entries: Entries, step: int, run: list[Choice]) -> Found | None:
        law = self.sentry.broken_in(row, step)
        if law is not None:
            return Found(law, run)
        breach = self.sentry.broken_by(row)
        if breach is not None:
            return Found(breach[0], [*run, breach[1]])
        if self._model.accepting is not None and self.sentry.is_stuck(row, entries):
            return Found(self._model.accepting, run)
        return None

    def report(self, seed: int, found: Found | None) -> WalkReport:
        """Answer what the walks came to."""
        model, tables = self._model, self.sentry.tables
        fired = {
            s.rule_name for s, has_fired in zip(model.steps, tables.fired, strict=True) if has_fired
        }
        return WalkReport(
            model=model.name,
            verdict="unbroken" if found is None else "broken",
            seed=seed,
            walks=self.walks,
            steps=self.steps,
            rests=self.rests,
            seconds=time.perf_counter() - self._started,
            goals=tuple(
                GoalReport(goal.name, goal.name in self.sentry.reached) for goal in model.goals
            ),
            unfired_rules=tuple(sorted({step.rule_name for step in model.steps} - fired)),
            stopped_by="max_seconds" if found is None and self.is_late() else None,
            broken=None if found is None else report_on(found.broken),
            trace=None if found is None else self._told(found),
            walked=None if found is None else len(found.run),
        )

    def _told(self, found: Found) -> Trace:
        run = Shrinker(self.sentry, found.broken).shrink(found.run)
        law = report_on(found.broken)
        if isinstance(found.broken, Accepting):
            trace = trace_by(self._model, run, law, remark=STUCK)
            confirm_dead_end(self._model, trace, found.broken)
        else:
            trace = trace_by(self._model, run, law)
            replay(self._model, trace, found.broken)
        return trace
