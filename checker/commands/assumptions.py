"""`malachi-model assumptions`: what is taken for granted, and the law that falls without it."""

from collections.abc import Sequence
from dataclasses import dataclass

import click

from checker.commands.exits import Exit
from checker.commands.output import (
    Format,
    complain,
    counted,
    format_option,
    progress_line,
    say,
    write_json,
)
from checker.commands.pinned import named
from checker.commands.reports import shown_by, told, trace_json
from checker.search.explore import search
from checker.search.report import Trace
from checker.search.stopping import REQUEST
from checker.world.assumptions import ASSUMPTIONS, Assumption, assumption_named
from checker.world.kinds import Scope
from checker.world.scopes import scope_named


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of the world without an assumption."""

    assumption: Assumption
    trace: Trace | None
    states: int

    @property
    def law(self) -> str | None:
        """The law that fell."""
        return None if self.trace is None else self.trace.law.name

    @property
    def steps(self) -> int | None:
        """The length of the shortest trace to its fall."""
        return None if self.trace is None else len(self.trace.moves)

    @property
    def result(self) -> str:
        """The law that fell and how soon, or how far none did."""
        if self.trace is None:
            return f"no law falls in {counted(self.states, 'state')}"
        return f"{counted(len(self.trace.moves), 'step')}  {self.law}"

    @property
    def problem(self) -> str | None:
        """What is not as it is pinned."""
        pinned = self.assumption
        if pinned.law is None:
            is_kept = self.trace is None and self.states == pinned.states
            what = f"no law falling in {pinned.states:,} states"
        else:
            is_kept = (self.law, self.steps) == (pinned.law, pinned.steps)
            what = f"{pinned.law} falling after {pinned.steps} steps"
        return None if is_kept else f"{pinned.name} is pinned to {what}"


@click.command()
@click.argument("names", nargs=-1, metavar="[ASSUMPTION...]")
@format_option
def assumptions(names: tuple[str, ...], form: Format) -> int:
    """Search the world without each ASSUMPTION, or every one: which law rests on it?

    One that is named is told with its shortest trace. Where no law falls, the size of the world
    that was searched says how far that is known.
    """
    chosen = named("assumption", names, ASSUMPTIONS, assumption_named)
    tried = try_each(chosen)
    unsearched = [each.name for each in chosen[len(tried) :]]
    if unsearched:
        complain(f"interrupted: {', '.join(unsearched)} not searched")
    if form == "json":
        rows = [row(each) for each in tried]
        write_json("assumptions", {"assumptions": rows, "unsearched": unsearched})
    else:
        write_text(tried, is_told=bool(names))
    if any(each.problem for each in tried):
        return Exit.BROKEN
    return Exit.UNFINISHED if unsearched else Exit.OK


def try_each(chosen: Sequence[Assumption]) -> list[Tried]:
    """Search the worlds without them, until somebody interrupts."""
    tried: list[Tried] = []
    with progress_line() as show, REQUEST:
        for assumption in chosen:
            if show is not None:
                show(f"{assumption.name} {assumption.title}")
            report = search(assumption.build())
            if report.stopped_by is not None:
                break
            tried.append(Tried(assumption, report.trace, report.states))
    return tried


def write_text(tried: Sequence[Tried], *, is_told: bool) -> None:
    """A row for each; where they are told, what is assumed and what comes without it."""
    width = max((len(each.assumption.title) for each in tried), default=0)
    for each in tried:
        assumption = each.assumption
        say(f"{assumption.name:<3} {assumption.title:<{width}}  {each.result}")
        if is_told:
            say(f"Assumed: {assumption.sentence} ({assumption.clause})")
            say(f"Without it: {assumption.without}")
            say(f"A user sees: {assumption.clients_see}")
        if is_told and each.trace is not None:
            again = f"malachi-model assumptions {assumption.name}"
            say(told(scope_of(assumption), each.trace, again))
        if each.problem is not None:
            say(f"  {each.problem}")
    fallen = sum(each.trace is not None for each in tried)
    say(f"{counted(len(tried), 'assumption')}, {fallen} that a law rests on")


def scope_of(assumption: Assumption) -> Scope:
    """The scope in whose world it is searched."""
    scope = scope_named(assumption.scope)
    if scope is None:
        raise LookupError(f"{assumption.name} is searched in {assumption.scope}, which is no scope")
    return scope


def row(tried: Tried) -> dict[str, object]:
    """One of them in a JSON report."""
    assumption, trace = tried.assumption, tried.trace
    return {
        "name": assumption.name,
        "title": assumption.title,
        "sentence": assumption.sentence,
        "clause": assumption.clause,
        "without": assumption.without,
        "clients_see": assumption.clients_see,
        "scope": assumption.scope,
        "law": tried.law,
        "steps": tried.steps,
        "states": tried.states if trace is None else None,
        "problem": tried.problem,
        "trace": None if trace is None else trace_json(shown_by(scope_of(assumption), trace)),
    }
