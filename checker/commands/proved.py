"""What the prover found, as a table for people and as data for machines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from checker.commands.exits import Exit, worst
from checker.commands.output import counted, say
from checker.prove.obligations import CUT
from checker.prove.pages import LAW_NAMES
from checker.prove.reaching import Reach
from checker.prove.tasks import Asked, Plain
from checker.search.model import Parts
from checker.search.report import Trace
from checker.story import story
from checker.symbolic.batches import named
from checker.world.sharing.glance import glance


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
        self.reach = Reach({}, ())
        """What a search found of the laws that are refuted."""
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
            "reached": [
                {
                    "law": law,
                    "moves": [move.label for move in trace.moves],
                    "numbers": dict(self.reach.numbers.get(law, {})),
                }
                for law, trace in sorted(self.reach.traces.items())
            ],
            "searched": [{"world": world, "states": states} for world, states in self.reach.worlds],
        }


def write_text(outcome: Outcome, asked: Asked, *, is_long: bool) -> None:
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
        write_refuted(step, law, outcome.reach)
    told: set[tuple[str, ...]] = set()
    for _, trace in sorted(outcome.reach.traces.items()):
        labels = tuple(move.label for move in trace.moves)
        if labels not in told:
            told.add(labels)
            write_run(outcome.reach, labels, trace)
    for what, why in outcome.unknown:
        say(f"UNKNOWN {what}: {why}")
    say(
        f"bound: at most {counted(asked.segments, 'segment')}; any number of frontends, batches,"
        " fences and reads; every integer"
    )
    if asked.without:
        say(f"not taken for granted, and not asked for: {', '.join(sorted(asked.without))}")
    for what, why in CUT.items():
        say(f"CUT: {what}: {why}")
    drawing = sum(float(str(each["drawing"])) for each in outcome.results)
    say(
        f"time: {drawing:,.1f} s to draw shapes and take steps, once for all laws;"
        f" {sum(row.seconds for row in rows):,.1f} s to judge {counted(len(rows), 'law')} on them"
        " (each when it was proved)"
    )
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


def write_refuted(step: str, law: Mapping[str, Any], reach: Reach) -> None:
    """One refuted step: two states with numbers, and whether a run comes to them."""
    told = law["refuted"]
    say(f"REFUTED {law['law']} [{law['clause']}] at {step}")
    say("  before:")
    for line in told["before"]:
        say(f"    {line}")
    say(f"  {told['label']}:")
    for line in told["changes"] or ["nothing changes"]:
        say(f"    {line}")
    if law["law"] in LAW_NAMES:
        say("  whoever reads this with that budget is answered so")
        return
    trace = reach.traces.get(law["law"])
    if trace is not None:
        steps = counted(len(trace.moves), "step")
        say(f"  reached: a run of {steps} from the start breaks this law, see below")
    else:
        states = ", ".join(f"{count:,} of {world}" for world, count in reach.worlds)
        say(f"  not reached: no run breaks this law in the states that were searched ({states})")
    if told["excluded_by"]:
        say(f"  laws that exclude the state before: {', '.join(told['excluded_by'])}")
    elif trace is None:
        say(
            "  no law that is known excludes the state before: one is missing that does, or a run"
            " comes to it in a larger world"
        )


def write_run(reach: Reach, labels: tuple[str, ...], trace: Trace) -> None:
    """A run from the start to where one law breaks, or some."""
    broken = [
        law
        for law, other in sorted(reach.traces.items())
        if tuple(move.label for move in other.moves) == labels
    ]
    numbers = reach.numbers.get(trace.law.name)
    show = glance if numbers is None else _in_batches
    moves = tuple(replace(move, parts=show(move.parts)) for move in trace.moves)
    said = "" if numbers is None else f", with {in_numbers(numbers)}"
    say(f"a run that breaks {' and '.join(broken)}{said}:")
    for line in story(replace(trace, initial=show(trace.initial), moves=moves)).splitlines():
        say(f"  {line}")


def in_numbers(numbers: Mapping[str, int]) -> str:
    """`f1.1.records = 1,000,000`, and so on."""
    return ", ".join(f"{name} = {value:,}" for name, value in numbers.items())


def _in_batches(parts: Parts) -> Parts:
    """A state with the records of each batch in a row as one."""
    return glance({name: named(value) for name, value in parts.items()})
