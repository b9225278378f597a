"""`malachi-model check`: search worlds, and judge every law on every state of them."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from checker.cases.kinds import World
from checker.commands.closer import Closer, Seen
from checker.commands.exits import CommandError, Exit, worst
from checker.commands.expected import Expected, search_expected
from checker.commands.faults import explained
from checker.commands.keeping import Kept, keep, out_option
from checker.commands.output import (
    Format,
    complain,
    counted,
    deliver,
    format_option,
    progress_line,
    say,
    write_json,
)
from checker.commands.reports import (
    as_json,
    bound_lines,
    law_lines,
    problem_of,
    summary_lines,
    told,
    weighed,
)
from checker.commands.searching import Seconds, options_for, search_options
from checker.commands.sideways import side_by_side, watched
from checker.search.explore import search
from checker.search.memory import resident
from checker.search.report import Progress, Report
from checker.search.stopping import REQUEST
from checker.world.kinds import Level, Scope
from checker.world.scopes import SCOPES, no_such_scope, scope_named


@click.command()
@click.argument("names", nargs=-1, metavar="[SCOPE...]")
@click.option(
    "--deep",
    "level",
    flag_value=Level.DEEP,
    type=Level,
    help="Search the deep scopes too: some minutes. Not together with names.",
)
@click.option(
    "--exhaustive",
    "level",
    flag_value=Level.EXHAUSTIVE,
    type=Level,
    help="Search every scope of every level, as long as it takes. Not together with names.",
)
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    help="Stop a scope when it has more states than this. A search counts them between rounds, so"
    " it ends with somewhat more.",
)
@click.option(
    "--max-seconds",
    type=Seconds(),
    help="Stop a scope after so many seconds.",
)
@click.option(
    "--data",
    type=click.Choice(["explicit", "symbolic"]),
    default="explicit",
    show_default=True,
    help="Search the sizes that a scope names, or every number of records and bytes at once: for"
    " scopes that `malachi-model scopes` marks with d.",
)
@click.option(
    "--audit",
    "is_audited",
    is_flag=True,
    help="First ask whether each rule and law is what the search takes it for.",
)
@click.option(
    "--all-shortest",
    "most_traces",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Show up to N shortest counterexamples of a broken law.",
)
@click.option(
    "-v",
    "--verbose",
    "is_verbose",
    is_flag=True,
    help="Show each law, goal and bound of every scope. A scope that is named shows them anyway.",
)
@search_options
@out_option
@format_option
def check(
    names: tuple[str, ...],
    level: Level | None,
    max_states: int | None,
    max_seconds: float | None,
    data: str,
    is_audited: bool,
    most_traces: int,
    is_verbose: bool,
    folder: Path | None,
    form: Format,
    **given: Any,  # noqa: ANN401 - the options of a search
) -> int:
    """Search each SCOPE whole, or the default ones, and judge their laws.

    A broken law ends a search with a shortest counterexample. The size of a listed scope is pinned:
    a search that counts otherwise fails, and so does one that reaches not every goal. Where no
    scope is named, every defect must be caught and every finding be there as it is pinned, too.
    """
    chosen = scopes_named(names, level or Level.QUICK)
    if level is not None and names:
        raise click.UsageError(f"--{level} chooses the scopes itself: leave out {names[0]}")
    if data == "symbolic":
        from checker.commands import symbolic  # noqa: PLC0415 - the solver is slow to import

        refuse_for_symbolic(is_audited, most_traces, folder, given)
        budget = symbolic.Budget(max_states, max_seconds, given["memory"])
        is_told = is_verbose or bool(names)
        named = bool(names)
        return symbolic.check_all_integers(chosen, budget, form, are_named=named, is_told=is_told)
    if given["symmetry"]:
        for scope in chosen:
            options_for(scope.build(), None, given)
    run = Run(form, Closer(is_audited, most_traces), given, folder)
    run.is_told = is_verbose or bool(names)
    if run.go_through(chosen, max_states, max_seconds) and not names:
        run.go_on(search_expected())
    run.finish(skipped=chosen[len(run.reports) :])
    return worst(run.exits)


def refuse_for_symbolic(
    is_audited: bool, most_traces: int, folder: Path | None, given: dict[str, Any]
) -> None:
    """Refuse options that a search with unknown integers does not have."""
    asked = {"--audit": is_audited, "--all-shortest": most_traces > 1, "--out": folder}
    names = ("spill", "checkpoint", "symmetry", "reduction", "resume")
    asked |= {f"--{name}": given[name] for name in names}
    for option, value in asked.items():
        if value:
            raise click.UsageError(f"{option} and --data symbolic do not go together")


def scopes_named(names: Sequence[str], level: Level = Level.QUICK) -> tuple[Scope, ...]:
    """The scopes that were asked for, each once, or those of a level."""
    if not names:
        return tuple(scope for scope in SCOPES if scope.is_searched_at(level))
    chosen: dict[str, Scope] = {}
    for name in names:
        scope = scope_named(name)
        if scope is None:
            raise CommandError(no_such_scope(name))
        chosen[scope.name] = scope
    return tuple(chosen.values())


class Run:
    """Searches, one after the other, and what they came to so far."""

    def __init__(
        self, form: Format, closer: Closer, given: dict[str, Any], folder: Path | None
    ) -> None:
        self.form = form
        self.folder = folder
        self.closer = closer
        self.given = given
        self.is_told = False
        """Whether each law, goal and bound is shown."""
        self.seen: dict[str, Seen] = {}
        self.expected: Expected | None = None
        self.ahead: dict[str, Report] = {}
        """What was searched side by side, by scope."""
        self.reports: list[tuple[Scope, Report]] = []
        self.exits: list[Exit] = []

    def go_through(
        self, scopes: Sequence[Scope], max_states: int | None, max_seconds: float | None
    ) -> bool:
        """Search one scope after the other, and say whether none of them said to stop there."""
        with REQUEST:
            if self.is_usual and max_states is None and max_seconds is None:
                self.look_ahead([each for each in scopes if each.is_small])
            return all(self.go(scope, max_states, max_seconds) for scope in scopes)

    @property
    def is_usual(self) -> bool:
        """Whether nothing is asked for that a search side by side with others does not give."""
        asked = any(value for name, value in self.given.items() if name != "workers")
        return self.closer == Closer() and self.folder is None and not asked

    def look_ahead(self, scopes: Sequence[Scope]) -> None:
        """Search small scopes on two cores; what does not simply hold is searched again."""
        answers = side_by_side(_quiet_report, scopes, self.given["workers"])
        for index, report in watched(answers, len(scopes)):
            if report is not None:
                self.ahead[scopes[index].name] = report

    def go(self, scope: Scope, max_states: int | None, max_seconds: float | None) -> bool:
        """Search one scope, and say whether to go on."""
        if REQUEST.is_made:
            complain(f"interrupted before {scope.name}")
            self.exits.append(Exit.UNFINISHED)
            return False
        try:
            with progress_line() as show:
                report = self.searched(scope, max_states, max_seconds, show)
        except (Exception, KeyboardInterrupt) as error:
            if not self.reports:
                raise
            # What the scopes before it came to is not lost with this one.
            line, code = explained(error)
            complain(f"{scope.name}: {line}")
            self.exits.append(code)
            return False
        self.reports.append((scope, report))
        self.keep(scope, report)
        self.exits.append(exit_of(scope, report))
        if self.form == "text":
            write_text(scope, report, self.seen[scope.name], is_told=self.is_told)
            deliver()
        if report.stopped_by == "interrupt":
            complain(f"interrupted in {scope.name}")
            return False
        return True

    def keep(self, scope: Scope, report: Report) -> None:
        """Write the counterexamples of one scope, if a folder is named."""
        if self.folder is None or report.trace is None:
            return
        traces = self.seen[scope.name].traces or (report.trace,)
        for number, trace in enumerate(traces, 1):
            name = scope.name if len(traces) == 1 else f"{scope.name}-{number}"
            named = (name, scope.sentence, World(scope.name))
            keep(self.folder, Kept(*named, scope.build(), scope, trace))

    def searched(
        self,
        scope: Scope,
        max_states: int | None,
        max_seconds: float | None,
        show: Callable[[str], None] | None,
    ) -> Report:
        """The report of one scope, looked at as closely as was asked for."""
        if scope.name in self.ahead:
            self.seen[scope.name] = Seen(None, ())
            return self.ahead[scope.name]
        model = scope.build()
        complaints = self.closer.complaints(model)
        report = search(
            model,
            max_states=max_states,
            max_seconds=max_seconds,
            progress=None if show is None else lambda each: show(progress_text(scope, each)),
            options=options_for(model, scope.size.states if scope.size else None, self.given),
        )
        self.exits.append(Exit.BROKEN if complaints else Exit.OK)
        self.seen[scope.name] = Seen(complaints, self.closer.traces(model, report))
        return weighed(scope, report)

    def go_on(self, expected: Expected) -> None:
        """Take in what came of the defects and findings."""
        self.expected = expected
        self.exits.extend(expected.exits)

    def finish(self, skipped: Sequence[Scope]) -> None:
        """Write what comes after the last search."""
        verdict = verdict_of(self.exits)
        if self.form == "json":
            scopes = [
                as_json(scope, report) | self.seen[scope.name].as_json(scope)
                for scope, report in self.reports
            ]
            unsearched = [scope.name for scope in skipped]
            content = {"scopes": scopes, "unsearched": unsearched, "verdict": verdict}
            added = {} if self.expected is None else self.expected.as_json()
            write_json("check", content | added)
            return
        for scope in skipped:
            say(f"{scope.name}: not searched")
        if self.expected is not None:
            self.expected.write_text()
        say(f"{verdict}: {', '.join(self.totals())}")

    def totals(self) -> Iterator[str]:
        """How much was searched in all."""
        yield counted(len(self.reports), "scope")
        yield counted(sum(report.states for _, report in self.reports), "state")
        if self.expected is not None:
            yield counted(len(self.expected.defects.caught), "defect")
            yield counted(len(self.expected.findings.caught), "finding")


def _quiet_report(scope: Scope) -> Report | None:
    """The report of a scope of which all holds; none where there is more to say."""
    report = search(scope.build())
    is_quiet = report.verdict == "holds" and report.stopped_by is None
    return report if is_quiet else None


def exit_of(scope: Scope, report: Report) -> Exit:
    """What one search means for the exit code."""
    if report.verdict == "broken" or problem_of(scope, report) is not None:
        return Exit.BROKEN
    return Exit.UNFINISHED if report.verdict == "unfinished" else Exit.OK


def verdict_of(exits: Sequence[Exit]) -> str:
    """The verdict of all searches together."""
    verdicts = {Exit.OK: "holds", Exit.UNFINISHED: "unfinished"}
    return verdicts.get(worst(exits), "broken")


def write_text(scope: Scope, report: Report, seen: Seen, *, is_told: bool) -> None:
    """One search, for people: all of it where it is told, else what went wrong and a summary."""
    problem = problem_of(scope, report)
    say(
        f"{scope.name}: {report.verdict if problem is None else 'broken'}, "
        f"{counted(report.states, 'state')}, {counted(report.transitions, 'transition')}, "
        f"depth {report.depth}, {report.seconds:.1f} s"
    )
    for line in law_lines(scope, report) if is_told else summary_lines(scope, report):
        say(f"  {line}")
    if problem is not None:
        say(f"  {problem}")
    if report.stopped_by is not None:
        say(f"  stopped by {report.stopped_by}: what was searched holds, the rest is open")
    for line in bound_lines(report) if is_told else ():
        say(f"  {line}")
    command = f"malachi-model check {scope.name}"
    for line in seen.lines(scope, command):
        say(line)
    if report.trace is not None and not seen.traces:
        say(told(scope, report.trace, command))


def progress_text(scope: Scope, progress: Progress) -> str:
    """One line that says how far a search has come."""
    speed = progress.states / progress.seconds if progress.seconds > 0 else 0
    return (
        f"{scope.name}: layer {progress.layer}, {progress.states:,} states, {speed:,.0f} states/s, "
        f"frontier {progress.frontier:,}, {progress.rule_calls:,} calls of rules, "
        f"{progress.hit_share:.2%} table hits, {resident() >> 20:,} MB"
    )
