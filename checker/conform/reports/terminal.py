"""A run for people."""

from collections.abc import Iterator

from checker.conform.known import Weighed
from checker.conform.reports.summary import Summary, counted_line, reproduction
from checker.conform.steps import Call, Step
from checker.differences import shown

COMPLAINTS = 2_000
"""Bytes of the adapter's standard error that are told."""
WIDTH = 160


def lines(summary: Summary) -> Iterator[str]:
    """What is not as expected, and then the counts and the claim."""
    for weighed in summary.weighed:
        if not weighed.is_expected:
            yield from told_whole(weighed, summary.command)
    yield f"{summary.implementation}, judged at {summary.level}"
    yield counted_line(summary)
    yield from summary.exhausted
    if summary.left_out:
        names = ", ".join(summary.left_out)
        yield f"left out, as topics are routed by another hash there: {names}"
    yield f"claim: {summary.claim}"


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
        yield from (f"  {line}" for line in story(result.steps))
    if result.complaints:
        yield "  it last wrote on standard error:"
        text = result.complaints[-COMPLAINTS:].decode(errors="replace")
        yield from (f"    {line}" for line in text.splitlines())


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
