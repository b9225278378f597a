"""The lives of a segment, a roll and a view: worlds walked, and seen through a few words."""

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass

from checker.search.model import Model, Parts
from checker.world.sharing.parts import Copies
from reference.controlplane import segments_of
from reference.frontend import Frontend
from reference.store import Log
from reference.vnodes import View, metadata_of
from spec.vocabulary import RangeId, SegmentId, Sequence, TopicName

FIRST = SegmentId(RangeId(TopicName("t"), Sequence(0)), Sequence(0))
"""The segment that the pictures are about."""
UNLISTED = "not listed"
MOST = 2_000
"""So many states of a world are walked: enough to see the first segment sealed and left behind."""
CALLS: Mapping[str, str] = {
    "append": "append",
    "append short": "append at a minority",
    "close": "fence",
    "delay": "retry_after passes",
    "delist": "delete_segment",
    "fail fence": "forget_fence",
    "fail over": "failover: seal_segment",
    "fence": "fences_to_send",
    "hear": "forget_sealed",
    "hold": "forget_sealed",
    "install": "refresh",
    "lose fence": "a fence is lost",
    "open": "produce_plan",
    "open unheard": "produce_plan, no answer",
    "plan": "produce_plan",
    "record": "record_fence",
    "record unheard": "record_fence, no answer",
    "remove copy": "the last copy is deleted",
    "settle": "record_fence",
}
"""What the rules that move something in these pictures are calls of."""

Glance = Callable[[Parts], str]
"""What a picture shows of a state, in a few words."""


@dataclass(frozen=True, slots=True)
class Life:
    """The different glances, and the calls that lead from one to the next."""

    start: str
    arrows: Mapping[tuple[str, str], tuple[str, ...]]


def life(models: Iterator[Model], glance: Glance, most: int = MOST) -> Life:
    """Walk the first states of some worlds, nearest first, and answer what the glance sees."""
    arrows: dict[tuple[str, str], set[str]] = {}
    start = ""
    for model in models:
        start = glance(dict(model.initial))
        for rule, before, after in walked(model, most):
            ends = glance(before), glance(after)
            if ends[0] != ends[1]:
                last = f"{start}\nagain" if ends[1] == start else ends[1]
                arrows.setdefault((ends[0], last), set()).add(CALLS[rule])
    return Life(start, {ends: tuple(sorted(said)) for ends, said in arrows.items()})


def walked(model: Model, most: int) -> Iterator[tuple[str, Parts, Parts]]:
    """The steps from the first states of a world: a rule, and the states before and after it."""
    initial = dict(model.initial)
    seen: set[Hashable] = {key(initial)}
    waiting = deque([initial])
    while waiting:
        parts = waiting.popleft()
        for rule, after in outcomes(model, parts):
            yield rule, parts, after
            if len(seen) < most and key(after) not in seen:
                seen.add(key(after))
                waiting.append(after)


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
    return UNLISTED


def plane_of(parts: Parts) -> str:
    """How the control plane lists the first segment."""
    return next(listed(value) for value in parts.values() if isinstance(value, View))


def logs_of(parts: Parts) -> list[Log]:
    """The logs of the first segment: the primary's alone where a world tells it from the others."""
    held = [parts[name] for name in sorted(parts) if name == "s0" or name.endswith(".s0")]
    logs = [each.primary if isinstance(each, Copies) else each for each in held]
    return [each for each in logs if isinstance(each, Log)]


def of_segment(parts: Parts) -> str:
    """The first segment, as the control plane lists it, and whether its log has its latch."""
    state, logs = plane_of(parts), logs_of(parts)
    if not logs:
        return f"{state}\nno log"
    if state == UNLISTED:
        return f"{state}\na log is left"
    return f"{state}\nlog {'fenced' if any(log.fenced for log in logs) else 'open'}"


def front_of(parts: Parts) -> Frontend:
    """The frontend that refreshes, or the first one where none does."""
    readers = [name.removesuffix(".read") for name in sorted(parts) if name.endswith(".read")]
    names = [*readers, *sorted(parts)]
    return next(v for name in names if isinstance(v := parts.get(name), Frontend))


def of_roll(parts: Parts) -> str:
    """Whether a frontend owes the roll of the first segment, and awaits its fence."""
    front = front_of(parts)
    roll, fencing = front.rolling.get(FIRST.range_id), front.fencing.get(FIRST.range_id)
    owes = "owed" if roll is not None and roll.segment_id == FIRST else "not owed"
    awaits = "awaited" if fencing is not None and fencing.segment_id == FIRST else "not awaited"
    return f"roll {owes}\nfence {awaits}\nsegment {plane_of(parts)}"


def of_view(parts: Parts) -> str:
    """The first segment, as a frontend that refreshes and the control plane list it."""
    front = front_of(parts)
    head = front.heads.get(FIRST.range_id)
    cached = "cached as head" if head is not None and head.id == FIRST else "not cached"
    return f"view: {listed(front.view)}\n{cached}\ncontrol plane: {plane_of(parts)}"
