"""A trace as a story: numbered phrases, and what changed at each of them."""

from collections.abc import Iterator
from itertools import pairwise

from checker.differences import differences, shown
from checker.search.model import Parts
from checker.search.report import Trace


def story(trace: Trace, command: str | None = None) -> str:
    """Answer a trace as text that ends with the law, its clause and the way to see it again."""
    return "\n".join(_lines(trace, command))


def changes(before: Parts, after: Parts) -> tuple[str, ...]:
    """Answer what changed between two states, a line for each place."""
    return tuple(
        f"{each.path}: {shown(each.before)} -> {shown(each.after)}"
        for name in before
        for each in differences(before[name], after[name], name)
    )


def _lines(trace: Trace, command: str | None) -> Iterator[str]:
    states = [trace.initial, *(move.parts for move in trace.moves)]
    width = len(str(len(trace.moves)))
    for number, (move, (before, after)) in enumerate(
        zip(trace.moves, pairwise(states), strict=True), 1
    ):
        if trace.loop == number - 1:
            yield "And for ever:"
        yield f"{number:>{width}}. {move.label}"
        for line in changes(before, after) or ("nothing changes",):
            yield f"{'':>{width}}    {line}"
    if trace.remark:
        yield trace.remark
    where = "This breaks" if trace.moves else "The initial state breaks"
    yield f"{where} {trace.law.name} [{trace.law.clause}]: {trace.law.sentence}"
    if command is not None:
        yield f"See it again: {command}"
