"""A run for people."""

from collections.abc import Iterator, Sequence

from checker.conform.known import Weighed
from checker.conform.operations import PROFILES
from checker.conform.reports.summary import Summary, counted_line, profile_lines, reproduction
from checker.conform.running import Result
from checker.conform.steps import Call, Step
from checker.differences import shown
from spec.clauses import sentence_of

COMPLAINTS = 2_000
"""Bytes of the adapter's standard error that are told."""
WIDTH = 160
NAMED = 6
"""So many calls that are lacking are named; of more, their profiles."""


def lines(summary: Summary, *, is_verbose: bool = False) -> Iterator[str]:
    """What is not as expected, and then the counts and the claim.

    What the adapter lacks is no fault: it is counted, and told one by one only where all is wanted.
    """
    for weighed in summary.weighed:
        if not weighed.is_expected and (is_verbose or weighed.result.outcome != "unsupported"):
            yield from told_whole(weighed, summary.command)
    yield f"{summary.implementation}, judged at {summary.level}"
    yield counted_line(summary)
    yield from (f"  {line}" for line in profile_lines(summary))
    yield from unsupported_lines(summary)
    for one in summary.exhausted:
        yield one.line()
        if is_verbose:
            yield from (f"  left out: {each.line()}" for each in one.left_out)
    if summary.left_out:
        names = ", ".join(summary.left_out) if is_verbose else "-v names them"
        number = len(summary.left_out)
        yield f"left out, as topics are routed by another hash there: {number:,} ({names})"
    if summary.interruption:
        yield summary.interruption
    yield f"claim: {summary.claim}"


def unsupported_lines(summary: Summary) -> Iterator[str]:
    """How many scenarios need what the adapter does not have, and where to read of them."""
    results = [each.result for each in summary.weighed if each.result.outcome == "unsupported"]
    if results:
        number, lacking = len(results), lacking_of(results)
        yield f"unsupported, as the adapter does not have {lacking}: {number:,} (-v names them)"


def lacking_of(results: list[Result]) -> str:
    """What an adapter would need for what is unsupported: its calls, or their profiles."""
    calls = sorted({call for each in results for call in each.missing})
    if not calls:
        return "room for so many brokers"
    if len(calls) <= NAMED:
        return ", ".join(calls)
    names = {name for each in results for name in each.lacks}
    return f"{len(calls)} calls of {', '.join(one for one in PROFILES if one in names)}"


def told_whole(weighed: Weighed, command: str) -> Iterator[str]:
    """One result that is not as expected, and how to see it again."""
    yield from told(weighed)
    yield f"  See it again: {reproduction(command, weighed)}"


def told(weighed: Weighed) -> Iterator[str]:
    """One result that is not as expected."""
    result = weighed.result
    yield f"{result.scenario.id}: {weighed.complaint}"
    if result.note:
        yield f"  {result.note}"
    if result.finding is not None:
        yield from (f"  {line}" for line in result.finding.lines())
        yield from (f"  {line}" for line in meant(result.scenario.clauses, result.finding.clause))
        yield from (f"  {line}" for line in story(result.steps))
    if result.complaints:
        yield "  it last wrote on standard error:"
        text = result.complaints[-COMPLAINTS:].decode(errors="replace")
        yield from (f"    {line}" for line in text.expandtabs().splitlines())


def meant(clauses: Sequence[str], found: str) -> Iterator[str]:
    """What a scenario is there for, where that is not the clause that the place of a slip tells."""
    if found and found not in clauses:
        yield from (f"the scenario is of {each}: {sentence_of(each)}" for each in clauses)


def story(steps: tuple[Step, ...]) -> Iterator[str]:
    """The run that fails, a line a step."""
    width = len(str(len(steps)))
    for number, step in enumerate(steps, 1):
        yield f"{number:>{width}}. {phrase(step)}"


def phrase(step: Step) -> str:
    """A step in a line."""
    if not isinstance(step, Call):
        return f"meanwhile {cut(shown(step))}"
    args = ", ".join(f"{name}={shown(value)}" for name, value in step.args.items())
    faults = "".join(
        f"; its {fault.kind} is answered {shown(fault.answer)}"
        + (", and happens" if fault.is_applied else "")
        for fault in step.faults
    )
    return f"{step.broker} {cut(f'{step.op}({args})')}{faults}"


def cut(text: str) -> str:
    """A text that is not too long."""
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."
