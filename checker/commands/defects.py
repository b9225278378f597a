"""`malachi-model defects`: small changes of the machine, each of which a law has to notice."""

from collections.abc import Sequence
from dataclasses import dataclass

import click

from checker.commands.exits import CommandError, Exit, unknown_name
from checker.commands.output import Format, counted, format_option, progress_line, write_json
from checker.commands.reports import shown_by, told, trace_json
from checker.search.plain import search
from checker.search.report import Trace
from checker.world.defects import DEFECTS, Defect, defect_named
from checker.world.scopes import Scope, scope_named


@dataclass(frozen=True, slots=True)
class Finding:
    """What the search of one defect came to."""

    defect: Defect
    trace: Trace | None

    @property
    def caught_by(self) -> str | None:
        """The law that noticed it."""
        return None if self.trace is None else self.trace.law.name

    @property
    def steps(self) -> int | None:
        """The length of the shortest trace."""
        return None if self.trace is None else len(self.trace.moves)

    @property
    def problem(self) -> str | None:
        """What is not as it is pinned."""
        defect = self.defect
        if self.trace is None:
            return f"{defect.name} survives: no law of {defect.scope} notices it"
        if (self.caught_by, self.steps) == (defect.caught_by, defect.steps):
            return None
        return (
            f"{defect.name} is pinned to {defect.caught_by} after {defect.steps} steps, and was "
            f"caught by {self.caught_by} after {self.steps}"
        )


@click.command()
@click.argument("names", nargs=-1, metavar="[DEFECT...]")
@format_option
def defects(names: tuple[str, ...], form: Format) -> int:
    """Put each DEFECT, or every one, into the machine, and see which law catches it.

    A defect that is named shows its shortest counterexample.
    """
    chosen = defects_named(names)
    found = []
    with progress_line() as say:
        for defect in chosen:
            if say is not None:
                say(f"{defect.name} {defect.title}")
            found.append(Finding(defect, search(defect.build()).trace))
    if form == "json":
        write_json("defects", as_json(found))
    else:
        write_text(found, is_told=bool(names))
    return Exit.BROKEN if any(each.problem for each in found) else Exit.OK


def defects_named(names: Sequence[str]) -> tuple[Defect, ...]:
    """The defects that were asked for, each once, or all."""
    if not names:
        if not DEFECTS:
            raise CommandError("there is no defect to search", Exit.NOTHING)
        return DEFECTS
    chosen: dict[str, Defect] = {}
    for name in names:
        defect = defect_named(name)
        if defect is None:
            known = [each.name for each in DEFECTS] + [each.title for each in DEFECTS]
            raise unknown_name("defect", name, known, "malachi-model defects")
        chosen[defect.name] = defect
    return tuple(chosen.values())


def write_text(found: Sequence[Finding], *, is_told: bool) -> None:
    """A row a defect; for those that were named, the change and the counterexample too."""
    width = max(len(each.defect.title) for each in found)
    for each in found:
        defect = each.defect
        caught = "SURVIVES" if each.trace is None else f"{each.steps:>2} steps  {each.caught_by}"
        click.echo(f"{defect.name} {defect.title:<{width}}  {caught}")
        if is_told:
            click.echo(f"The change: {defect.change}")
        if is_told and each.trace is not None:
            click.echo(told(scope_of(defect), each.trace, f"malachi-model defects {defect.name}"))
        if each.problem is not None:
            click.echo(f"  {each.problem}")
    survivors = sum(each.trace is None for each in found)
    click.echo(f"{counted(len(found), 'defect')}, {counted(survivors, 'survivor')}")


def scope_of(defect: Defect) -> Scope:
    """The scope whose world a defect is searched in."""
    scope = scope_named(defect.scope)
    assert scope is not None, f"{defect.name} is searched in a scope that exists"
    return scope


def as_json(found: Sequence[Finding]) -> dict[str, object]:
    """The JSON report."""
    rows = [row(each) for each in found]
    return {
        "defects": rows,
        "survivors": [each.defect.name for each in found if each.trace is None],
    }


def row(found: Finding) -> dict[str, object]:
    """One defect of the JSON report."""
    defect, trace = found.defect, found.trace
    return {
        "name": defect.name,
        "title": defect.title,
        "scope": defect.scope,
        "caught_by": found.caught_by,
        "steps": found.steps,
        "problem": found.problem,
        "trace": None if trace is None else trace_json(shown_by(scope_of(defect), trace)),
    }
