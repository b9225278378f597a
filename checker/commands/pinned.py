"""Searches whose outcome is pinned: a law that breaks, after a known number of steps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from checker.cases.kinds import World
from checker.commands.exits import Exit, unknown_name
from checker.commands.keeping import Kept, keep
from checker.commands.output import complain, progress_line, say
from checker.commands.reports import shown_by, told, trace_json
from checker.commands.sideways import side_by_side, watched
from checker.search.explore import search
from checker.search.model import Model
from checker.search.report import Trace
from checker.search.stopping import REQUEST
from checker.world.kinds import Scope
from checker.world.scopes import scope_named


class Titled(Protocol):
    """What has a name and a title."""

    @property
    def name(self) -> str:
        """`D09`, `F5`."""

    @property
    def title(self) -> str:
        """The same in words."""


Named = TypeVar("Named", bound=Titled)


@dataclass(frozen=True, slots=True)
class Pin:
    """What is searched, and what has to come of it."""

    kind: str
    """`defect` or `finding`."""
    name: str
    title: str
    words: str
    """What it is, in a sentence."""
    law: str
    """The law that has to break."""
    steps: int
    scope: str
    build: Callable[[], Model]
    more: tuple[str, ...] = ()
    """What else is told of it, a line each."""


@dataclass(frozen=True, slots=True)
class Caught:
    """What came of one of them."""

    pin: Pin
    caught_by: str | None
    """The law that broke."""
    steps: int | None
    """The length of the shortest trace."""
    trace: Trace | None = None
    """The trace itself, where it was kept."""

    @property
    def problem(self) -> str | None:
        """What is not as it is pinned."""
        pin = self.pin
        if self.caught_by is None:
            return f"{pin.name} is not caught: no law of {pin.scope} breaks"
        if (self.caught_by, self.steps) == (pin.law, pin.steps):
            return None
        return (
            f"{pin.name} is pinned to {pin.law} after {pin.steps} steps, and was caught by "
            f"{self.caught_by} after {self.steps}"
        )


@dataclass(frozen=True, slots=True)
class Searched:
    """What came of those that were searched, and which were not before an interrupt."""

    caught: tuple[Caught, ...]
    unsearched: tuple[str, ...]

    @property
    def missed(self) -> list[str]:
        """The names of those that no law caught."""
        return [each.pin.name for each in self.caught if each.caught_by is None]

    @property
    def exit(self) -> Exit:
        """What it means for the exit code."""
        if any(each.problem for each in self.caught):
            return Exit.BROKEN
        return Exit.UNFINISHED if self.unsearched else Exit.OK


def search_pinned(pins: Sequence[Pin]) -> Searched:
    """Search each of them, until somebody interrupts."""
    caught: list[Caught] = []
    with progress_line() as show, REQUEST:
        for pin in pins:
            if show is not None:
                show(f"{pin.name} {pin.title}")
            report = search(pin.build())
            if report.stopped_by is not None:
                break
            caught.append(caught_in(pin, report.trace))
    unsearched = tuple(pin.name for pin in pins[len(caught) :])
    if unsearched:
        complain(f"interrupted: {', '.join(unsearched)} not searched")
    return Searched(tuple(caught), unsearched)


def caught_in(pin: Pin, trace: Trace | None) -> Caught:
    """What a search came to, with its trace."""
    if trace is None:
        return Caught(pin, None, None)
    return Caught(pin, trace.law.name, len(trace.moves), trace)


def settle_pinned(pins: Sequence[Pin]) -> Searched:
    """Search each of them on two cores, and keep no trace, until somebody interrupts."""
    found: dict[int, Caught] = {}
    with REQUEST:
        for index, end in watched(side_by_side(_outcome, pins, workers=2), len(pins)):
            if end is not None:
                found[index] = Caught(pins[index], *end)
    unsearched = tuple(pin.name for index, pin in enumerate(pins) if index not in found)
    if unsearched:
        complain(f"interrupted: {', '.join(unsearched)} not searched")
    return Searched(tuple(found[index] for index in sorted(found)), unsearched)


def _outcome(pin: Pin) -> tuple[str | None, int | None] | None:
    """The law that breaks and after how many steps; none where somebody interrupted."""
    report = search(pin.build())
    if report.stopped_by is not None:
        return None
    caught = caught_in(pin, report.trace)
    return caught.caught_by, caught.steps


def named(
    kind: str, names: Sequence[str], known: Sequence[Named], find: Callable[[str], Named | None]
) -> tuple[Named, ...]:
    """Those of the known ones that are named by name or title, each once; all for no names."""
    chosen: dict[str, Named] = {}
    for name in names:
        found = find(name)
        if found is None:
            words = [word for each in known for word in (each.name, each.title)]
            raise unknown_name(kind, name.upper(), words, f"malachi-model {kind}s")
        chosen[found.name] = found
    return tuple(chosen.values()) if names else tuple(known)


def write_text(caught: Sequence[Caught], *, is_told: bool) -> None:
    """A row for each; where they are told, what it is and its counterexample too."""
    width = max((len(each.pin.title) for each in caught), default=0)
    for each in caught:
        pin = each.pin
        end = "NOT CAUGHT" if each.caught_by is None else f"{each.steps:>2} steps  {each.caught_by}"
        say(f"{pin.name} {pin.title:<{width}}  {end}")
        if is_told:
            say(pin.words)
        if is_told and each.trace is not None:
            again = f"malachi-model {pin.kind}s {pin.name}"
            say(told(scope_of(pin), each.trace, again))
        for line in pin.more if is_told else ():
            say(line)
        if each.problem is not None:
            say(f"  {each.problem}")


def keep_all(caught: Sequence[Caught], folder: Path | None) -> None:
    """Write what was caught into a folder, if one is named."""
    for each in caught if folder is not None else ():
        if folder is not None and each.trace is not None:
            pin = each.pin
            world = World(pin.scope, **{pin.kind: pin.name})
            name = f"{pin.name} {pin.title}"
            keep(folder, Kept(name, pin.words, world, pin.build(), scope_of(pin), each.trace))


def scope_of(pin: Pin) -> Scope:
    """The scope in whose world it is searched."""
    scope = scope_named(pin.scope)
    if scope is None:
        raise LookupError(f"{pin.name} is searched in {pin.scope}, which is no scope")
    return scope


def row(caught: Caught) -> dict[str, object]:
    """One of them in a JSON report."""
    pin, trace = caught.pin, caught.trace
    return {
        "name": pin.name,
        "title": pin.title,
        "words": pin.words,
        "scope": pin.scope,
        "caught_by": caught.caught_by,
        "steps": caught.steps,
        "problem": caught.problem,
        "trace": None if trace is None else trace_json(shown_by(scope_of(pin), trace)),
    }
