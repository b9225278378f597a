"""`malachi-model prove`: whether each step keeps the laws, for every integer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from checker.commands.exits import CommandError, Exit, unknown_name, worst
from checker.commands.output import (
    Format,
    counted,
    format_option,
    progress_line,
    say,
    write_json,
)
from checker.commands.searching import Seconds
from checker.prove import keeping
from checker.prove.known import law_names
from checker.prove.named import has_rules
from checker.prove.obligations import CUT, obligations
from checker.prove.running import run_all
from checker.prove.tasks import Asked, Plain
from checker.world.defects import defect_named
from checker.world.sharing.rules import REFERENCE


@click.command()
@click.argument("names", nargs=-1, metavar="[LAW...]")
@click.option(
    "--segments",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="How many segments a range lists at most. Frontends and messages are any number.",
)
@click.option("--defect", metavar="DEFECT", help="Put a named defect into the machine first.")
@click.option(
    "--timeout",
    type=Seconds(),
    default=300,
    show_default=True,
    help="Seconds of a processor for each step; what is not decided by then is unknown.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="How many processes work at once.",
)
@click.option("--fresh", is_flag=True, help="Prove anew what was proved before.")
@format_option
def prove(
    names: tuple[str, ...],
    segments: int,
    defect: str | None,
    timeout: float,
    jobs: int,
    fresh: bool,
    form: Format,
) -> int:
    """Prove that every step keeps each LAW, or all of them, whatever the integers are.

    A step that does not is shown on a state with numbers. What the solver could not decide is
    unknown, and no proof.
    """
    laws = laws_named(names)
    asked = Asked(segments, timeout)
    changed = None if defect is None else rules_named(defect)
    results = worked(asked, changed, jobs, is_fresh=fresh)
    outcome = Outcome([limited(result, laws) for result in results])
    if form == "json":
        write_json("prove", {**outcome.as_json(), "segments": segments, "defect": changed})
    else:
        write_text(outcome, asked, changed, is_long=bool(names))
    return outcome.exit


def laws_named(names: Sequence[str]) -> frozenset[str] | None:
    """The laws that were asked for; none where that is all of them."""
    known = law_names()
    for name in names:
        if name not in known:
            raise unknown_name("law", name, known, "malachi-model prove")
    return frozenset(names) or None


def rules_named(defect: str) -> str:
    """The name of a defect that changes a rule which is proved."""
    found = defect_named(defect)
    if found is None:
        raise unknown_name("defect", defect.upper(), [], "malachi-model defects")
    if not has_rules(found.name):
        raise CommandError(
            f"{found.name} changes nothing that is proved: see its world with"
            f" malachi-model defects {found.name}"
        )
    return found.name


def worked(asked: Asked, defect: str | None, jobs: int, *, is_fresh: bool) -> list[Plain]:
    """What came of every obligation, in their order: kept from before, or worked on now."""
    names = list(obligations(REFERENCE, asked.segments))
    results: dict[str, Plain] = {}
    for name in names:
        found = None if is_fresh else keeping.kept(name, asked, defect)
        if found is not None:
            results[name] = found
    left = [name for name in names if name not in results]
    with progress_line() as show:

        def done(result: Plain) -> None:
            name = str(result["step"])
            results[name] = result
            keeping.keep(name, asked, defect, result)
            if show is not None:
                show(f"{len(results)} of {len(names)} steps, last: {name}")

        run_all(left, asked, defect, jobs, done)
    return [results[name] for name in names]


def limited(result: Plain, laws: frozenset[str] | None) -> Plain:
    """What came of an obligation for these laws; all are worked on, and kept, at once."""
    found: Any = result["laws"]
    return {**result, "laws": [law for law in found if laws is None or law["law"] in laws]}


@dataclass(slots=True)
class Row:
    """One law, over all steps."""

    law: str
    clause: str
    steps: int = 0
    paths: int = 0
    seconds: float = 0.0
    verdicts: set[str] = field(default_factory=set)

    @property
    def verdict(self) -> str:
        """The worst of the verdicts of its steps."""
        order = ("refuted", "unknown", "proved")
        return next(each for each in order if each in self.verdicts)


class Outcome:
    """What came of all obligations together."""

    def __init__(self, results: Sequence[Plain]) -> None:
        self.results = results
        self.rows: dict[str, Row] = {}
        self.refuted: list[tuple[str, Mapping[str, Any]]] = []
        self.unknown: list[tuple[str, str]] = []
        for result in results:
            self._take(result)

    def _take(self, result: Mapping[str, Any]) -> None:
        if result["unknown"] is not None:
            self.unknown.append((result["step"], result["unknown"]))
        for law in result["laws"]:
            row = self.rows.setdefault(law["law"], Row(law["law"], law["clause"]))
            row.steps += 1
            row.paths += law["paths"]
            row.seconds += law["seconds"]
            row.verdicts.add(law["verdict"])
            if law["refuted"] is not None:
                self.refuted.append((result["step"], law))
            elif law["verdict"] == "unknown" and result["unknown"] is None:
                self.unknown.append((f"{law['law']}, {result['step']}", law["unknown"]))

    @property
    def exit(self) -> Exit:
        """What it means for the exit code."""
        exits = [Exit.BROKEN] if self.refuted else []
        exits += [Exit.UNDETERMINED] if self.unknown else []
        exits += [] if self.rows or exits else [Exit.NOTHING]
        return worst(exits)

    @property
    def verdict(self) -> str:
        """`proved`, `refuted` or `unknown`."""
        if self.refuted:
            return "refuted"
        return "unknown" if self.unknown or not self.rows else "proved"

    def as_json(self) -> dict[str, object]:
        """The same, for machines."""
        return {
            "verdict": self.verdict,
            "steps": list(self.results),
            "cut": [{"step": step, "why": why} for step, why in CUT.items()],
        }


def write_text(outcome: Outcome, asked: Asked, defect: str | None, *, is_long: bool) -> None:
    """The table, for people."""
    rows = sorted(outcome.rows.values(), key=lambda row: row.law)
    width = max((len(row.law) for row in rows), default=0)
    for row in rows:
        say(
            f"{row.law:<{width}}  {row.clause:<7}{row.verdict:<8} {counted(row.steps, 'step'):>8}"
            f" {row.paths:>8,} paths {row.seconds:>7.1f} s"
        )
        if is_long:
            write_steps(outcome, row.law)
    for step, law in outcome.refuted:
        write_refuted(step, law, defect)
    for what, why in outcome.unknown:
        say(f"UNKNOWN {what}: {why}")
    say(
        f"bound: at most {counted(asked.segments, 'segment')}; any number of frontends, batches,"
        " fences and reads; every integer"
    )
    for what, why in CUT.items():
        say(f"CUT: {what}: {why}")
    shapes = sum(int(str(each["shapes"])) for each in outcome.results)
    say(
        f"{outcome.verdict}: {counted(len(rows), 'law')}, {counted(len(outcome.results), 'step')},"
        f" {counted(shapes, 'shape')}"
    )


def write_steps(outcome: Outcome, law: str) -> None:
    """What came of one law at each step."""
    for result in outcome.results:
        found: Any = result["laws"]
        for each in found:
            if each["law"] == law:
                say(
                    f"  {result['step']:<24} {result['shapes']:>7,} shapes"
                    f" {each['paths']:>7,} paths  {each['verdict']:<8} {each['seconds']:>7.1f} s"
                )


def write_refuted(step: str, law: Mapping[str, Any], defect: str | None) -> None:
    """One refuted step: two states with numbers."""
    told = law["refuted"]
    say(f"REFUTED {law['law']} [{law['clause']}] at {step}")
    say("  before:")
    for line in told["before"]:
        say(f"    {line}")
    say(f"  {told['label']}:")
    for line in told["changes"] or ["nothing changes"]:
        say(f"    {line}")
    found = None if defect is None else defect_named(defect)
    if found is not None:
        say(
            f"  a run from the start comes to harm in {found.steps} steps:"
            f" malachi-model defects {found.name}"
        )
    else:
        say(
            "  whether a run comes to the state before is for `malachi-model check` to find;"
            " where none does, a supporting law is missing that rules it out"
        )
