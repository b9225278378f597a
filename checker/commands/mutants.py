"""`malachi-model mutants`: generic wrong changes of the reference, and whether anybody notices."""

from collections.abc import Callable
from pathlib import Path

import click

from checker.commands.exits import CommandError, Exit, unknown_name
from checker.commands.output import (
    Format,
    complain,
    counted,
    format_option,
    progress_line,
    say,
    write_json,
)
from checker.commands.searching import Seconds
from checker.mutants.journal import Journal, JournalError
from checker.mutants.pool import PoolError
from checker.mutants.running import (
    ROOT,
    By,
    NoTestsError,
    Plan,
    Run,
    is_named,
    judging_files,
    sources,
)
from checker.mutants.sites import Mutant, mutants_of, sampled
from checker.mutants.survivors import survivors
from checker.mutants.typed import NoTypesError
from checker.mutants.verdicts import Result, as_json


@click.command()
@click.argument("names", nargs=-1, metavar="[MUTANT...]")
@click.option("--sample", type=click.IntRange(min=1), help="Try so many of them, spread by --seed.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Which of them a sample takes."
)
@click.option(
    "--by",
    type=click.Choice(["both", "tests", "check"]),
    default="both",
    show_default=True,
    help="Who judges. A survivor is one only where both do.",
)
@click.option(
    "--journal",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep what is found in this file, line by line.",
)
@click.option("--resume", is_flag=True, help="Go on from that file.")
@click.option("--max-seconds", type=Seconds(), help="Begin no other mutant after so many seconds.")
@click.option(
    "--workers",
    type=click.IntRange(1, 8),
    default=2,
    show_default=True,
    help="Processes that try mutants.",
)
@click.option("--list", "is_listed", is_flag=True, help="Only list them, tried or not.")
@format_option
def mutants(
    names: tuple[str, ...],
    sample: int | None,
    seed: int,
    by: By,
    path: Path | None,
    resume: bool,
    max_seconds: float | None,
    workers: int,
    is_listed: bool,
    form: Format,
) -> int:
    """Change the reference in one place after the other, and see that a law or a test notices.

    MUTANT is the name of one, or how names begin: `rolling`, `rolling:record_seal`. All are tried
    where none is named; a whole run takes about 30 minutes on two cores. What mypy refuses is no
    mutant. One that is noticed only because something raises or never ends counts apart.

    A survivor that is not listed with a reason fails the run, and so does a listed one that is
    noticed.
    """
    if resume and path is None:
        raise CommandError("--resume goes on from a journal: name its file by --journal")
    plan = Plan(names, sample, seed, by, workers, max_seconds)
    if is_listed:
        for mutant in sampled(named(plan), sample, seed):
            say(f"{mutant.name}  {mutant.change}")
        return Exit.OK
    with progress_line() as show:
        run = opened(plan, path, show, resume=resume)
        is_interrupted = not finished(run)
    result = Result(run.sites, run.found, survivors(), is_whole=by == "both", has_share=not names)
    if form == "json":
        write_json("mutants", as_json(result, seed, result.problems()))
    else:
        write_text(result)
    if is_interrupted:
        complain(f"interrupted: {counted(len(result.untried), 'mutant')} not tried")
    return exit_of(result)


def opened(
    plan: Plan, path: Path | None, show: Callable[[str], None] | None, *, resume: bool
) -> Run:
    """A run of what was asked for, where it can be run at all."""
    mutants = found(plan)
    try:
        return Run(plan, mutants, Journal(path, sources(ROOT), resume=resume), show)
    except (NoTypesError, JournalError) as error:
        raise CommandError(str(error)) from None


def found(plan: Plan) -> tuple[Mutant, ...]:
    """Every mutant there is, where there are tests to judge them and those named are known."""
    try:
        judging_files(ROOT)
    except NoTestsError as error:
        raise CommandError(str(error)) from None
    mutants = mutants_of(ROOT / "reference")
    for name in plan.names:
        if not any(is_named(mutant, [name]) for mutant in mutants):
            known = {":".join(mutant.name.split(":")[:2]) for mutant in mutants}
            raise unknown_name("mutant", name, sorted(known), "malachi-model mutants --list")
    return mutants


def named(plan: Plan) -> list[Mutant]:
    """Those that were asked for."""
    return [mutant for mutant in found(plan) if is_named(mutant, plan.names)]


def finished(run: Run) -> bool:
    """Whether the run came to its end, and was not interrupted."""
    try:
        run.go()
    except KeyboardInterrupt:
        return False
    except PoolError as error:
        raise CommandError(str(error)) from None
    return True


def exit_of(result: Result) -> Exit:
    """What a run means for the exit code."""
    if result.problems():
        return Exit.BROKEN
    if result.untried:
        return Exit.UNFINISHED
    return Exit.OK if result.sites.chosen else Exit.NOTHING


def write_text(result: Result) -> None:
    """Survivors first, then a row for each module, then the totals."""
    reasons = result.reasons()
    for mutant in result.of("survived"):
        say(f"{mutant.name}  reference/{mutant.page.name}.py:{mutant.line}")
        say(f"  {mutant.change}")
        say(f"  {reasons.get(mutant.name, 'SURVIVES, and is not listed')}")
    say(f"{'module':<14}{'killed':>8}{'survived':>10}{'raised':>8}{'share':>8}")
    for module in result.modules():
        say(row(module, result, module))
    say(row("all", result, None))
    ways = ", ".join(f"{count} by {how}" for how, count in result.ways())
    say(f"killed: {ways}" if ways else "killed: none")
    sites = result.sites
    say(
        f"{counted(len(sites.mutants), 'site')}, {len(sites.refused):,} refused by mypy or import,"
        f" {len(sites.chosen):,} chosen, {len(result.untried):,} not tried"
    )
    for problem in result.problems():
        say(problem)


def row(title: str, result: Result, module: str | None) -> str:
    """One line of the table."""
    counts = [len(result.of(each, module)) for each in ("killed", "survived", "raised")]
    share = result.share(module)
    said = "-" if share is None else f"{share:.1%}"
    return f"{title:<14}{counts[0]:>8,}{counts[1]:>10,}{counts[2]:>8,}{said:>8}"
