"""A trace as boards: the whole of each state in a table, and in it what the step has changed."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from checker.differences import shown
from checker.search.model import Parts
from checker.search.report import Trace


@dataclass(frozen=True, slots=True)
class Line:
    """A place of a state."""

    place: str
    now: str
    before: str | None = None
    """What stood there before the step; none where the step left it alone."""


@dataclass(frozen=True, slots=True)
class Boards:
    """All the states of a trace."""

    states: tuple[tuple[Line, ...], ...]
    """The initial one first. In each of them the places that some step changes, in one order."""
    still: tuple[Line, ...]
    """The places that no step changes."""


def boards_of(trace: Trace) -> Boards:
    """The boards of a trace whose states are as its scope shows them."""
    states = [texts(parts) for parts in (trace.initial, *(move.parts for move in trace.moves))]
    # In some worlds a place is there only for a while.
    places = list(dict.fromkeys(place for state in states for place in state))
    moving = [each for each in places if len({state.get(each, "") for state in states}) > 1]
    first = tuple(Line(place, states[0].get(place, "")) for place in moving)
    later = (tuple(lines(moving, *ends)) for ends in pairwise(states))
    still = (Line(place, states[0][place]) for place in places if place not in moving)
    return Boards((first, *later), tuple(still))


def texts(parts: Parts) -> dict[str, str]:
    """A state in words, place by place."""
    return {name: shown(value) for name, value in parts.items()}


def lines(places: list[str], before: dict[str, str], after: dict[str, str]) -> Iterator[Line]:
    """The places of a state, with what a step has put in the place of what."""
    for place in places:
        old, new = before.get(place, ""), after.get(place, "")
        yield Line(place, new, None if old == new else old)
