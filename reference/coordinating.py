"""The coordinators' pure decisions over the control plane: what to ask, and what to command.

They never act themselves. What they decide is sent through `healing.apply_heal_reply`, or as
owed rolls through `rolling.request_rolls`.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from reference.controlplane import Metadata
from spec.commands import Command, SealSegment, SetSegmentReplicas
from spec.vocabulary import (
    Broker,
    ByteSize,
    Count,
    Millis,
    Offset,
    RangeId,
    Segment,
    SegmentId,
    State,
    TopicName,
)

Copy = tuple[SegmentId, Broker]
"""One replica of a segment."""
Listed = tuple[SegmentId, Segment]


@dataclass(frozen=True, slots=True)
class FenceAnswer:
    """What a replica answered when it was fenced."""

    broker: Broker
    end_offset: Offset
    byte_size: ByteSize


@dataclass(frozen=True, slots=True)
class Overrun:
    """A copy that holds more than the recorded length, and the edge it is to be cut at."""

    segment_id: SegmentId
    broker: Broker
    edge: Offset


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """How long, and how much, a range keeps of its sealed segments; none means no limit."""

    max_age_ms: Millis | None = None
    max_bytes: ByteSize | None = None


def failover_candidates(
    metadata: Metadata, live: Collection[Broker], failed: Collection[Copy] = ()
) -> tuple[tuple[SegmentId, tuple[Broker, ...]], ...]:
    """[HEA-8] Active segments that need a failover, and the replicas to fence for it.

    One whose primary is dead, or a copy of which is reported failed.
    """
    return tuple(
        (segment_id, candidates)
        for segment_id, segment in _in_state(metadata, State.ACTIVE)
        if _needs_failover(segment_id, segment, live, failed)
        and (candidates := _candidates(segment_id, segment, live, failed))
    )


def failover_plan(
    metadata: Metadata,
    live: Collection[Broker],
    answers: Mapping[SegmentId, Iterable[FenceAnswer]],
    now: Millis,
    failed: Collection[Copy] = (),
) -> tuple[Command, ...]:
    """[HEA-9, HEA-12, HEA-13] Seal at the highest end that a majority of the replicas answered.

    The replica that holds it becomes the head of the set. Below a majority nothing is decided.
    """
    plan: list[Command] = []
    for segment_id, candidates in failover_candidates(metadata, live, failed):
        segment = metadata.segments[segment_id]
        # Keeps HEA-9: a replica that answered twice is one replica.
        heard = {
            each.broker: each for each in answers.get(segment_id, ()) if each.broker in candidates
        }
        if 2 * len(heard) > len(segment.replica_set):
            plan.extend(_seal_at_highest(segment_id, segment, heard.values(), now))
    return tuple(plan)


def orphaned_fence_candidates(
    metadata: Metadata, live: Collection[Broker]
) -> tuple[tuple[Broker, tuple[tuple[SegmentId, Offset], ...]], ...]:
    """[HEA-14, HEA-16] Per live primary the active segments to ask about, each with its start."""
    asked: dict[Broker, list[tuple[SegmentId, Offset]]] = {}
    for segment_id, segment in _in_state(metadata, State.ACTIVE):
        if segment.replica_set and segment.replica_set[0] in live:
            entry = (segment_id, segment.start_offset)
            asked.setdefault(segment.replica_set[0], []).append(entry)
    return tuple((broker, tuple(entries)) for broker, entries in sorted(asked.items()))


def orphaned_fence_plan(
    metadata: Metadata, answers: Iterable[tuple[SegmentId, Offset, ByteSize]], now: Millis
) -> tuple[Command, ...]:
    """[HEA-15] Seal each active segment whose primary says that it is fenced, at that end."""
    return tuple(
        SealSegment(segment_id, Count(end - segment.start_offset), byte_size, now)
        for segment_id, end, byte_size in answers
        if (segment := metadata.segments.get(segment_id)) is not None
        and segment.state is State.ACTIVE
    )


def healing_candidates(
    metadata: Metadata, live: Collection[Broker]
) -> tuple[tuple[SegmentId, Broker, Broker], ...]:
    """[HEA-27, HEA-28] Sealed segments short of a copy, the dead replica and who takes over."""
    return tuple(
        (segment_id, dead[0], min(spare))
        for segment_id, segment in _in_state(metadata, State.SEALED)
        if (dead := [broker for broker in segment.replica_set if broker not in live])
        and (spare := set(live) - set(segment.replica_set))
    )


def sealed_overrun(
    metadata: Metadata, ends: Iterable[tuple[SegmentId, Broker, Offset]]
) -> tuple[Overrun, ...]:
    """[HEA-18] Copies of sealed segments that reach above the sealed edge."""
    return tuple(
        Overrun(segment_id, broker, edge)
        for segment_id, broker, end in ends
        if (edge := _sealed_edge(metadata, segment_id)) is not None and end > edge
    )


def retention_expired(
    metadata: Metadata, policy: RetentionPolicy, now: Millis
) -> tuple[SegmentId, ...]:
    """[HEA-19, HEA-20, HEA-22] What is too old, then what is too much, by range."""
    expired: list[SegmentId] = []
    for _, sealed in sorted(_sealed_by_range(metadata).items()):
        old = _too_old(sealed, policy.max_age_ms, now)
        expired += old
        expired += [each for each in _too_much(sealed, policy.max_bytes) if each not in old]
    return tuple(expired)


def age_rolls(
    metadata: Metadata, max_age_ms: Mapping[TopicName, Millis], now: Millis
) -> tuple[Listed, ...]:
    """[HEA-24] Active segments that were opened too long ago, or nobody knows when."""
    return tuple(
        (segment_id, segment)
        for segment_id, segment in _in_state(metadata, State.ACTIVE)
        if (limit := max_age_ms.get(segment.range_id.topic)) is not None
        and (segment.opened_at is None or now - segment.opened_at >= limit)
    )


def _in_state(metadata: Metadata, state: State) -> list[Listed]:
    return [
        pair for pair in sorted(metadata.segments.items(), key=_by_id) if pair[1].state is state
    ]


def _by_id(pair: Listed) -> SegmentId:
    return pair[0]


def _needs_failover(
    segment_id: SegmentId, segment: Segment, live: Collection[Broker], failed: Collection[Copy]
) -> bool:
    if not segment.replica_set:
        return False
    return segment.replica_set[0] not in live or any(
        (segment_id, broker) in failed for broker in segment.replica_set
    )


def _candidates(
    segment_id: SegmentId, segment: Segment, live: Collection[Broker], failed: Collection[Copy]
) -> tuple[Broker, ...]:
    return tuple(
        broker
        for broker in segment.replica_set
        if broker in live and (segment_id, broker) not in failed
    )


def _seal_at_highest(
    segment_id: SegmentId, segment: Segment, heard: Collection[FenceAnswer], now: Millis
) -> tuple[Command, Command]:
    """[HEA-10, HEA-11] Ties go to the lowest broker name."""
    highest = max(answer.end_offset for answer in heard)
    holder = min(
        (answer for answer in heard if answer.end_offset == highest), key=lambda each: each.broker
    )
    rest = tuple(broker for broker in segment.replica_set if broker != holder.broker)
    length = Count(highest - segment.start_offset)
    return (
        SealSegment(segment_id, length, holder.byte_size, now),
        SetSegmentReplicas(segment_id, (holder.broker, *rest)),
    )


def _sealed_edge(metadata: Metadata, segment_id: SegmentId) -> Offset | None:
    segment = metadata.segments.get(segment_id)
    if segment is None or segment.state is State.ACTIVE or segment.length is None:
        return None
    return Offset(segment.start_offset + segment.length)


def _sealed_by_range(metadata: Metadata) -> dict[RangeId, list[Listed]]:
    """[HEA-21] The sealed segments of each range, oldest first."""
    by_range: dict[RangeId, list[Listed]] = {}
    for pair in _in_state(metadata, State.SEALED):
        by_range.setdefault(pair[1].range_id, []).append(pair)
    for sealed in by_range.values():
        sealed.sort(key=lambda pair: pair[1].start_offset)
    return by_range


def _too_old(sealed: list[Listed], limit: Millis | None, now: Millis) -> list[SegmentId]:
    if limit is None:
        return []
    return [
        segment_id
        for segment_id, segment in sealed
        if segment.sealed_at is not None and now - segment.sealed_at > limit
    ]


def _too_much(sealed: list[Listed], limit: ByteSize | None) -> list[SegmentId]:
    """The oldest ones that have to go until the rest fits, the newest of them first."""
    if limit is None:
        return []
    kept: int = sum(segment.byte_size or 0 for _, segment in sealed)
    gone: list[SegmentId] = []
    for segment_id, segment in sealed:
        if kept <= limit:
            break
        kept -= segment.byte_size or 0
        gone.insert(0, segment_id)
    return gone
