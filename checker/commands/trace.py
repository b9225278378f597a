"""`malachi-model spec --trace`: what each clause is tied to, and what is tied to nothing."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from checker.commands.exits import CommandError, Exit
from checker.commands.output import counted, progress_line, say, write_json
from checker.lookup import UnknownNameError, find
from checker.mutants.pool import PoolError
from checker.ties import breaking, keeping
from checker.ties.gathering import ROOT, NoCheckoutError, needs_checkout
from checker.ties.table import Row, holes, rows
from checker.ties.writing import as_html, as_json, as_markdown, as_text

Form = Literal["text", "json", "markdown", "html"]


def trace_clauses(wanted: Sequence[str], form: Form) -> Exit:
    """Show the table of the clauses that the names lead to, or of all. A hole fails the run."""
    table = table_of(wanted)
    missing = holes(table) if not wanted else tuple(h for row in table for h in row.holes())
    match form:
        case "text":
            say(as_text(table, missing))
        case "json":
            write_json("trace", as_json(table, missing))
        case "markdown":
            say(as_markdown(table, missing))
        case "html":
            say(as_html(table, missing))
    return Exit.BROKEN if missing else Exit.OK


def keep_properties(wanted: Sequence[str], form: Form) -> Exit:
    """Show what keeps each property that is named, or all of them. A hole fails the run."""
    if form != "text":
        raise CommandError("--properties has no other form than text")
    try:
        kept = keeping.table()
    except NoCheckoutError as error:
        raise CommandError(str(error)) from None
    names = {name.upper() for name in wanted}
    unknown = sorted(names - {each.name for each in kept})
    if unknown:
        raise CommandError(f"{unknown[0]} is no property: they are S1 to S38 and P1 to P10")
    chosen = [each for each in kept if not names or each.name in names]
    missing = [hole for each in chosen for hole in each.holes()]
    say("\n".join([keeping.as_text(chosen), *missing]))
    return Exit.BROKEN if missing else Exit.OK


def table_of(wanted: Sequence[str]) -> tuple[Row, ...]:
    """The rows of the clauses that the names lead to, or all of them."""
    try:
        table = rows()
        ids = {each.id for name in wanted for each in find(name).clauses}
    except (NoCheckoutError, UnknownNameError) as error:
        raise CommandError(str(error)) from None
    return tuple(row for row in table if not wanted or row.clause.id in ids)


def break_clauses(wanted: Sequence[str]) -> Exit:
    """Find a mutant for each clause that nothing breaks, and write the list anew."""
    try:
        needs_checkout("spec --break")
    except NoCheckoutError as error:
        raise CommandError(str(error)) from None
    table = table_of(wanted)
    stale = {problem.partition(":")[0] for problem in breaking.problems()}
    broken = {r.clause.id for r in table if r.defects or (r.mutant and r.clause.id not in stale)}
    lacking = [row.clause.id for row in table if row.clause.id not in broken]
    kept = {each.clause: each for each in breaking.listed() if each.clause not in stale}
    missed: list[str] = []
    try:
        with progress_line() as show:
            for clause, found in breaking.look_for(lacking):
                if show is not None:
                    show(clause)
                if found is None:
                    missed.append(clause)
                else:
                    kept[clause] = found
    except PoolError as error:
        raise CommandError(str(error)) from None
    page(ROOT).write_text(breaking.written(kept[each] for each in sorted(kept)), "utf-8")
    say(f"{counted(len(kept), 'mutant')} listed; none found for {', '.join(missed) or 'no clause'}")
    return Exit.BROKEN if missed else Exit.OK


def page(root: Path) -> Path:
    """Where the list lies."""
    return root / "checker" / "ties" / "breaking.toml"
