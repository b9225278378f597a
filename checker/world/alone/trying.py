"""Is a change noticed by one law alone? Search its world without the law, and by the law alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from checker.search.explore import search
from checker.search.model import Model
from checker.world.alone.changes import Change, changes
from checker.world.alone.listing import Entry
from checker.world.scopes import SCOPES

MOST_STATES = 2_000_000
"""A world that has more without the law shows nothing."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of an entry of the list."""

    entry: Entry
    falls: bool
    """Whether the law breaks in the changed world."""
    others: str | None
    """The law that breaks as well; none where all others hold."""
    states: int
    is_whole: bool

    def problems(self) -> Iterator[str]:
        """What is not as it is listed."""
        entry = self.entry
        where = f"{entry.law}: {entry.change} in {entry.scope}"
        if not self.falls:
            yield f"{where} is not noticed any more"
        if self.others is not None:
            yield f"{where} is noticed by {self.others} too"
        elif not self.is_whole:
            yield f"{where} has more than {MOST_STATES:,} states"
        elif self.states != entry.states:
            yield f"{where} has {self.states:,} states, and {entry.states:,} are listed"


def without(model: Model, law: str) -> Model:
    """The same world, judged by all its laws but one; what it reaches is not asked."""
    return replace(
        model,
        goals=(),
        limits=(),
        laws=tuple(each for each in model.laws if each.name != law),
        step_laws=tuple(each for each in model.step_laws if each.name != law),
        progress=tuple(each for each in model.progress if each.name != law),
    )


def judged_by(model: Model, law: str) -> Model:
    """The same world, judged by that law and by nothing else."""
    return replace(
        model,
        goals=(),
        limits=(),
        laws=tuple(each for each in model.laws if each.name == law),
        step_laws=tuple(each for each in model.step_laws if each.name == law),
        progress=tuple(each for each in model.progress if each.name == law),
    )


def tried(entry: Entry) -> Tried:
    """Put the change of an entry into its world, and search that twice."""
    model = changes()[entry.change].build(entry.scope)
    alone = search(judged_by(model, entry.law), max_states=MOST_STATES)
    rest = search(without(model, entry.law), max_states=MOST_STATES)
    return Tried(
        entry,
        falls=alone.trace is not None,
        others=None if rest.trace is None else rest.trace.law.name,
        states=rest.states,
        is_whole=rest.stopped_by is None,
    )


def found(change: Change, scope: str) -> Entry | None:
    """The law that alone notices a change in a world; none where no law does, or several do."""
    model = change.build(scope)
    first = search(replace(model, goals=(), limits=()), max_states=MOST_STATES).trace
    if first is None:
        return None
    law = first.law.name
    rest = search(without(model, law), max_states=MOST_STATES)
    if rest.trace is not None or rest.stopped_by is not None:
        return None
    return Entry(law, change.name, scope, rest.states)


def worlds_of(change: Change) -> Iterator[str]:
    """Where a change may be put: its own world first, then the small ones of the same kind."""
    yield change.scope
    for scope in SCOPES:
        if scope.name != change.scope and scope.is_small and _is_built(change, scope.name):
            yield scope.name


def first_of_each(entries: Sequence[Entry]) -> Mapping[str, Entry]:
    """By law the smallest world in which a change shows it; defects before what has no number."""
    chosen: dict[str, Entry] = {}
    for each in sorted(entries, key=lambda one: (not _has_number(one), one.states, one.change)):
        chosen.setdefault(each.law, each)
    return chosen


def _has_number(entry: Entry) -> bool:
    return entry.change[1:].isdigit()


def _is_built(change: Change, scope: str) -> bool:
    try:
        return change.build(scope).name == scope
    except (AssertionError, AttributeError):
        return False
