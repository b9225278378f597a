"""The lives of a segment, a roll and a view: a world walked, and seen through a few words."""

from collections import deque
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

from checker.search.model import Model, Parts
from reference.controlplane import segments_of
from reference.frontend import Frontend
from reference.vnodes import View, metadata_of
from spec.vocabulary import RangeId, SegmentId, Sequence, TopicName

FIRST = SegmentId(RangeId(TopicName("t"), Sequence(0)), Sequence(0))
"""The segment that the pictures are about."""
MOST = 1_000
"""So many states are walked: enough to see the first segment sealed and left behind."""

Glance = Callable[[Parts], str]
"""What a picture shows of a state, in a few words."""


@dataclass(frozen=True, slots=True)
class Life:
    """The different glances, and the rules that lead from one to the next."""

    start: str
    arrows: Mapping[tuple[str, str], tuple[str, ...]]


def lives(model: Model, glances: Mapping[str, Glance], most: int = MOST) -> dict[str, Life]:
    """Walk the first states of a world, nearest first, and answer what each glance sees."""
    initial = dict(model.initial)
    seen: set[Hashable] = {key(initial)}
    waiting = deque([initial])
    arrows: dict[str, dict[tuple[str, str], dict[str, None]]] = {name: {} for name in glances}
    while waiting:
        parts = waiting.popleft()
        for rule, after in outcomes(model, parts):
            for name, glance in glances.items():
                ends = glance(parts), glance(after)
                if ends[0] != ends[1]:
                    arrows[name].setdefault(ends, {})[rule] = None
            if len(seen) < most and key(after) not in seen:
                seen.add(key(after))
                waiting.append(after)
    return {
        name: Life(
            glance(initial), {ends: tuple(sorted(said)) for ends, said in arrows[name].items()}
        )
        for name, glance in glances.items()
    }


def outcomes(model: Model, parts: Parts) -> list[tuple[str, dict[str, Hashable]]]:
    """Every outcome of every step, with the name of its rule."""
    found = []
    for step in model.steps:
        for outcome in step.rule(*(parts[name] for name in step.reads)):
            after = {**parts, **dict(zip(step.writes, outcome.values, strict=True))}
            found.append((step.rule_name, after))
    return found


def key(parts: Parts) -> Hashable:
    """What tells one state from another."""
    return tuple(parts[name] for name in sorted(parts))


def listed(view: View) -> str:
    """How a view lists the first segment."""
    for segment_id, segment in segments_of(metadata_of(view, FIRST.range_id.topic), FIRST.range_id):
        if segment_id == FIRST:
            return segment.state.name.lower()
    return "not listed"


def of_segment(parts: Parts) -> str:
    """The first segment, as the control plane lists it."""
    return f"control plane: {next(listed(v) for v in parts.values() if isinstance(v, View))}"


def front_of(parts: Parts) -> Frontend:
    """The first frontend."""
    values = (parts[name] for name in sorted(parts))
    return next(value for value in values if isinstance(value, Frontend))


def of_roll(parts: Parts) -> str:
    """Whether the first frontend owes the roll of the first segment, and awaits its fence."""
    front = front_of(parts)
    roll, fencing = front.rolling.get(FIRST.range_id), front.fencing.get(FIRST.range_id)
    owes = "owed" if roll is not None and roll.segment_id == FIRST else "not owed"
    awaits = "awaited" if fencing is not None and fencing.segment_id == FIRST else "not awaited"
    return f"roll {owes}, fence {awaits}, {of_segment(parts)}"


def of_view(parts: Parts) -> str:
    """The first segment, as the first frontend and the control plane list it."""
    front = front_of(parts)
    head = front.heads.get(FIRST.range_id)
    cached = "cached as head" if head is not None and head.id == FIRST else "not cached"
    return f"view: {listed(front.view)}, {cached}; {of_segment(parts)}"
