"""`malachi-model simulate`: walk through a world at random, with the same laws."""

from pathlib import Path

import click

from checker.cases.kinds import World
from checker.commands.check import scopes_named
from checker.commands.exits import Exit
from checker.commands.keeping import Kept, keep, out_option
from checker.commands.output import (
    Format,
    counted,
    format_option,
    progress_line,
    say,
    write_json,
)
from checker.commands.reports import shown_by, told, trace_json
from checker.commands.searching import Seconds
from checker.search.walks import WalkReport, simulate
from checker.world.kinds import Scope


@click.command("simulate")
@click.argument("name", metavar="SCOPE")
@click.option("--walks", type=click.IntRange(min=1), default=100, show_default=True)
@click.option(
    "--steps",
    type=click.IntRange(min=1),
    default=1_000,
    show_default=True,
    help="The most steps of a walk.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The same seed walks the same way, on any machine.",
)
@click.option("--max-seconds", type=Seconds(), help="Stop after so many seconds.")
@out_option
@format_option
def simulate_command(
    name: str,
    walks: int,
    steps: int,
    seed: int,
    max_seconds: float | None,
    folder: Path | None,
    form: Format,
) -> int:
    """Walk through SCOPE at random, and judge its laws on the way.

    The walk that breaks a law is shrunk until no step can be left out. Walks that break nothing
    prove nothing: `check` does.
    """
    (scope,) = scopes_named([name])
    with progress_line() as show:

        def shown(begun: int, taken: int) -> None:
            if show is not None:
                show(f"{scope.name}: walk {begun:,} of {walks:,}, {counted(taken, 'step')}")

        report = simulate(
            scope.build(),
            walks=walks,
            steps=steps,
            seed=seed,
            max_seconds=max_seconds,
            progress=shown,
        )
    if folder is not None and report.trace is not None:
        named = (scope.name, scope.sentence, World(scope.name))
        keep(folder, Kept(*named, scope.build(), scope, report.trace))
    again = f"malachi-model simulate {scope.name} --walks {walks} --steps {steps} --seed {seed}"
    if form == "json":
        write_json("simulate", as_json(scope, report))
    else:
        write_text(scope, report, again)
    if report.verdict == "broken":
        return Exit.BROKEN
    return Exit.OK if report.stopped_by is None else Exit.UNFINISHED


def write_text(scope: Scope, report: WalkReport, again: str) -> None:
    """What the walks came to, for people."""
    say(
        f"{scope.name}: {report.verdict}, {counted(report.walks, 'walk')}, "
        f"{counted(report.steps, 'step')}, seed {report.seed}, {report.seconds:.1f} s"
    )
    for goal in report.goals:
        say(f"  {'reached' if goal.reached else 'not reached':<11} {goal.name}")
    for name in report.unfired_rules:
        say(f"  not fired   {name}")
    if report.stopped_by is not None:
        say(f"  stopped by {report.stopped_by}")
    if report.trace is None:
        say(f"No walk broke a law. This proves nothing: see `check {scope.name}`.")
        return
    kept = counted(len(report.trace.moves), "step")
    say(f"  a walk of {counted(report.walked or 0, 'step')} broke a law; {kept} are enough:")
    say(told(scope, report.trace, again))


def as_json(scope: Scope, report: WalkReport) -> dict[str, object]:
    """What the walks came to, as one JSON object."""
    content: dict[str, object] = {
        "scope": scope.name,
        "verdict": report.verdict,
        "seed": report.seed,
        "walks": report.walks,
        "steps": report.steps,
        "rests": report.rests,
        "seconds": round(report.seconds, 3),
        "goals": [{"name": goal.name, "reached": goal.reached} for goal in report.goals],
        "unfired_rules": list(report.unfired_rules),
        "stopped_by": report.stopped_by,
    }
    if report.trace is not None:
        content["walked"] = report.walked
        content["trace"] = trace_json(shown_by(scope, report.trace))
    return content
