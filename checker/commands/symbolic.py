"""`malachi-model check --data symbolic`: search worlds for every number of records and bytes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from checker.commands.exits import CommandError, Exit, worst
from checker.commands.output import (
    Format,
    complain,
    counted,
    deliver,
    progress_line,
    say,
    write_json,
)
from checker.commands.reports import as_json, bound_lines, law_lines, summary_lines, told, weighed
from checker.search.memory import resident
from checker.search.plain import Limits
from checker.search.report import Progress
from checker.search.stopping import REQUEST
from checker.symbolic.offered import refusal, shown
from checker.symbolic.results import Result, search_all_integers
from checker.world.kinds import Scope


@dataclass(frozen=True, slots=True)
class Budget:
    """When a scope is left unfinished."""

    states: int | None
    seconds: float | None
    memory: int | None


@dataclass(slots=True)
class Run:
    """Searches, one after the other."""

    form: Format
    budget: Budget
    is_told: bool
    """Whether each law and goal is shown."""
    results: list[tuple[Scope, Result]] = field(default_factory=list)
    exits: list[Exit] = field(default_factory=list)

    def go(self, scope: Scope) -> bool:
        """Search one scope, and say whether to go on."""
        if REQUEST.is_made:
            complain(f"interrupted before {scope.name}")
            self.exits.append(Exit.UNFINISHED)
            return False
        with progress_line() as show:

            def say_how_far(each: Progress) -> None:
                if show is not None:
                    show(progress_text(scope, each))

            limits = Limits(self.budget.states, self.budget.seconds, say_how_far)
            found = search_all_integers(scope.build(), limits, self.budget.memory)
        result = replace(found, report=weighed(scope, found.report))
        self.results.append((shown(scope), result))
        verdict = result.report.verdict
        exits = {"holds": Exit.OK, "unfinished": Exit.UNFINISHED}
        self.exits.append(exits.get(verdict, Exit.BROKEN))
        if self.form == "text":
            self.write(shown(scope), result)
            deliver()
        if result.report.stopped_by == "interrupt":
            complain(f"interrupted in {scope.name}")
            return False
        return True

    def write(self, scope: Scope, result: Result) -> None:
        """One search, for people."""
        report = result.report
        say(
            f"{scope.name}: {report.verdict} for all batches and bytes,"
            f" {counted(report.states, 'symbolic state')}, {counted(report.transitions, 'step')},"
            f" depth {report.depth}, {report.seconds:.1f} s"
        )
        say(
            f"  {counted(result.shapes, 'shape')}; {counted(result.covered, 'state')} covered by"
            f" others; {counted(result.regions, 'set')} of integers told apart, by"
            f" {counted(result.questions, 'question')} to the solver"
        )
        for line in law_lines(scope, report) if self.is_told else summary_lines(scope, report):
            say(f"  {line}")
        if report.stopped_by is not None:
            say(f"  stopped by {report.stopped_by}: what was searched holds, the rest is open")
        for line in bound_lines(report):
            say(f"  {line}")
        if report.trace is not None:
            numbers = ", ".join(f"{name} = {value:,}" for name, value in result.numbers.items())
            say(f"with {numbers}:")
            say(told(scope, report.trace, f"malachi-model check --data symbolic {scope.name}"))

    def finish(self, unsearched: Sequence[Scope], refused: Mapping[str, str]) -> None:
        """Write what comes after the last search."""
        verdicts = {Exit.OK: "holds", Exit.UNFINISHED: "unfinished"}
        verdict = verdicts.get(worst(self.exits), "broken")
        if self.form == "json":
            content = {
                "data": "symbolic",
                "scopes": [
                    as_json(scope, each.report) | plain(each) for scope, each in self.results
                ],
                "unsearched": [scope.name for scope in unsearched],
                "refused": [{"name": name, "reason": why} for name, why in refused.items()],
                "verdict": verdict,
            }
            write_json("check", content)
            return
        for scope in unsearched:
            say(f"{scope.name}: not searched")
        for why in dict.fromkeys(refused.values()):
            names = ", ".join(name for name, each in refused.items() if each == why)
            say(f"not offered: {names}: {why}")
        states = counted(sum(each.report.states for _, each in self.results), "symbolic state")
        say(f"{verdict}: {counted(len(self.results), 'scope')}, {states}")


def check_all_integers(
    scopes: Sequence[Scope], budget: Budget, form: Format, *, are_named: bool, is_told: bool
) -> int:
    """Search scopes for every number of records and bytes; refuse those that were named in vain."""
    refused = {scope.name: why for scope in scopes if (why := refusal(scope)) is not None}
    if are_named:
        for name, why in refused.items():
            raise CommandError(f"{name} is not searched with --data symbolic: {why}")
    chosen = [scope for scope in scopes if scope.name not in refused]
    run = Run(form, budget, is_told)
    with REQUEST:
        all(run.go(scope) for scope in chosen)
    run.finish(chosen[len(run.results) :], refused)
    return worst(run.exits)


def plain(result: Result) -> dict[str, object]:
    """What a search with unknown integers adds to the JSON of its scope."""
    added: dict[str, object] = {
        "shapes": result.shapes,
        "covered": result.covered,
        "regions": result.regions,
        "questions": result.questions,
    }
    if result.numbers:
        added["numbers"] = dict(result.numbers)
    return {"symbolic": added}


def progress_text(scope: Scope, progress: Progress) -> str:
    """One line that says how far a search has come."""
    return (
        f"{scope.name}: layer {progress.layer}, {progress.states:,} symbolic states,"
        f" frontier {progress.frontier:,}, {progress.rule_calls:,} calls of rules,"
        f" {resident() >> 20:,} MB"
    )
