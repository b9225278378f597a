"""Producing: route each record to its range, open a head where there is none, reserve, adopt."""

from collections.abc import Sequence as ManyOf
from dataclasses import dataclass, replace

from reference.controlplane import active_segment, ranges_of
from reference.frontend import CommandFun, Frontend, PolicyFun, keep_view, no_policy
from reference.placing import place
from reference.rolling import forget_sealed, owe_roll, raise_sequence
from reference.vnodes import metadata_of
from spec.commands import RegisterSegment
from spec.replies import (
    ActiveSegmentExists,
    Appended,
    Created,
    Exported,
    NoReplicas,
    NoSuchTopic,
    Ok,
    Planned,
    Produced,
    Refusal,
    ReplicateFun,
    Sealed,
    SegmentExists,
    SegmentOverlap,
    Unexpected,
    UnexpectedRegisterReply,
    Unroutable,
)
from spec.vocabulary import (
    Broker,
    ByteSize,
    Count,
    Dispatch,
    Head,
    Offset,
    Placement,
    Range,
    RangeId,
    Record,
    Roll,
    SegmentId,
    Sequence,
    State,
    TopicName,
)

RECORD_OVERHEAD = 39
"""Encoded bytes of a record beside its key, value and headers."""
HEADER_OVERHEAD = 8
"""Encoded bytes of a header beside its key and value."""

Batch = tuple[Record, ...]
Groups = ManyOf[tuple[RangeId, Batch]]
"""Each range's records, in the order in which the ranges are handled."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A frontend that caches a head for the range."""

    front: Frontend
    head: Head


def produce(
    front: Frontend,
    topic: TopicName,
    records: ManyOf[Record],
    replicate_fun: ReplicateFun,
    command_fun: CommandFun,
    policy_fun: PolicyFun = no_policy,
) -> tuple[Frontend, Produced | Refusal]:
    """[PRD-20] Replicate each group to its range's head, and report the offsets it was given.

    The first group that fails ends it. The groups before it stay; of the failing one nothing does
    but the registration at the control plane.
    """
    groups = route(front, topic, records)
    if isinstance(groups, Refusal):
        return front, groups
    return produce_groups(front, groups, replicate_fun, command_fun, policy_fun)


def produce_groups(
    front: Frontend,
    groups: Groups,
    replicate_fun: ReplicateFun,
    command_fun: CommandFun,
    policy_fun: PolicyFun = no_policy,
) -> tuple[Frontend, Produced | Refusal]:
    """[PRD-20] Replicate groups that were routed, one after the other."""
    placements: list[Placement] = []
    for range_id, batch in groups:
        front, placed = _produce_group(
            front, range_id, batch, replicate_fun, command_fun, policy_fun
        )
        if isinstance(placed, Refusal):
            return front, placed
        placements.append(placed)
    return front, Produced(tuple(placements))


def produce_plan(
    front: Frontend,
    topic: TopicName,
    records: ManyOf[Record],
    command_fun: CommandFun,
    policy_fun: PolicyFun = no_policy,
) -> tuple[Frontend, Planned | Refusal]:
    """[PRD-17] Reserve offsets for each group and answer the batches to send: all, or nothing.

    Nobody asks whether a range is recovered (RFR-26): its primary assigns the offsets anyway.
    """
    groups = route(front, topic, records)
    if isinstance(groups, Refusal):
        return front, groups
    return plan_groups(front, groups, command_fun, policy_fun)


def plan_groups(
    front: Frontend,
    groups: Groups,
    command_fun: CommandFun,
    policy_fun: PolicyFun = no_policy,
) -> tuple[Frontend, Planned | Refusal]:
    """[PRD-17] Reserve offsets for groups that were routed, one after the other."""
    planned = front
    dispatches: list[Dispatch] = []
    for range_id, batch in groups:
        opened = _open_head(planned, range_id, command_fun, policy_fun)
        if isinstance(opened, Refusal):
            return front, opened
        dispatch = _dispatch(opened, range_id, batch)
        planned = _tally(_reserve(opened.front, dispatch), range_id, batch)
        dispatches.append(dispatch)
    placements = tuple(Placement(each.range_id, each.first, each.last) for each in dispatches)
    return planned, Planned(placements, tuple(dispatches))


def adopt_offsets(
    front: Frontend, range_id: RangeId, segment_id: SegmentId, last: Offset
) -> Frontend:
    """[PRD-23, PRD-24, PRD-25] Take the primary's word for where a batch ended.

    Only while its segment is the head: an answer for a closed one would raise the counter past
    the sealed edge, and the next registration would overlap.
    """
    head = front.heads.get(range_id)
    if head is None or head.id != segment_id:
        return front
    raised = raise_counter(front, range_id, Offset(last + 1))
    return replace(raised, unrecovered=front.unrecovered - {range_id})


def raise_counter(front: Frontend, range_id: RangeId, floor: Offset) -> Frontend:
    """[ROL-44] Move the counter up to the floor, never down."""
    held = front.offsets.get(range_id)
    if held is not None and held >= floor:
        return front
    return replace(front, offsets=front.offsets.set(range_id, floor))


def encoded_size(record: Record) -> ByteSize:
    """[PRD-1] How many bytes a record takes in its segment."""
    headers = sum(HEADER_OVERHEAD + len(key) + len(value) for key, value in record.headers)
    return ByteSize(RECORD_OVERHEAD + len(record.key or b"") + len(record.value) + headers)


def owning_range(
    front: Frontend, ranges: ManyOf[tuple[RangeId, Range]], key: bytes | None
) -> RangeId | None:
    """[PRD-3] The one of these ranges whose block holds the key's position; none if none does."""
    if not ranges:
        return None
    size = ranges[0][1].keyspace_size
    if len(ranges) == 1 and ranges[0][1].key_start == 0 and ranges[0][1].key_end == size:
        return ranges[0][0]
    position = front.options.position_fun(key, size)
    owners = (each for each, block in ranges if block.key_start <= position < block.key_end)
    return next(owners, None)


def route(
    front: Frontend, topic: TopicName, records: ManyOf[Record]
) -> list[tuple[RangeId, Batch]] | Refusal:
    """[PRD-4, PRD-5, PRD-6, PRD-7] Each range's records, before anything opens for any of them."""
    metadata = metadata_of(front.view, topic)
    if topic not in metadata.topics:
        return NoSuchTopic()
    active = [each for each in ranges_of(metadata, topic) if each[1].state is State.ACTIVE]
    groups: dict[RangeId, list[Record]] = {}
    for record in records:
        range_id = owning_range(front, active, record.key)
        if range_id is None:
            return Unroutable(record.key)
        groups.setdefault(range_id, []).append(record)
    return [(range_id, tuple(groups[range_id])) for range_id in sorted(groups)]


def _produce_group(
    front: Frontend,
    range_id: RangeId,
    batch: Batch,
    replicate_fun: ReplicateFun,
    command_fun: CommandFun,
    policy_fun: PolicyFun,
) -> tuple[Frontend, Placement | Refusal]:
    """[PRD-19, PRD-21, PRD-22, PRD-28] Send one group. On an error nothing stays of its opening.

    An error without a seal leaves open what the primary holds, so it moves no counter.
    """
    opened = _open_head(front, range_id, command_fun, policy_fun)
    if isinstance(opened, Refusal):
        return front, opened
    match replicate_fun(_dispatch(opened, range_id, batch)):
        case Appended(last):
            adopted = adopt_offsets(opened.front, range_id, opened.head.id, last)
            first = Offset(last - len(batch) + 1)
            return _tally(adopted, range_id, batch), Placement(range_id, first, last)
        case Sealed(end_offset) as refusal:
            return forget_sealed(front, range_id, opened.head.id, end_offset), refusal
        case Refusal() as refusal:
            return front, refusal


def _dispatch(opened: _Opened, range_id: RangeId, batch: Batch) -> Dispatch:
    """[PRD-15, PRD-32] A batch for the head, at the offsets that the counter promises it."""
    head = opened.head
    first = opened.front.offsets.get(range_id, Offset(0))
    return Dispatch(
        range_id=range_id,
        primary=head.replica_set[0],
        segment_id=head.id,
        replica_set=head.replica_set,
        base_offset=head.start_offset,
        records=batch,
        first=first,
        last=Offset(first + len(batch) - 1),
        count=Count(len(batch)),
    )


def _reserve(front: Frontend, dispatch: Dispatch) -> Frontend:
    """[PRD-16] Raise the counter past what is about to be sent."""
    after = Offset(dispatch.first + dispatch.count)
    return replace(front, offsets=front.offsets.set(dispatch.range_id, after))


def _tally(front: Frontend, range_id: RangeId, batch: Batch) -> Frontend:
    """[PRD-26, ROL-11, ROL-12] Count the bytes sent to the head, and owe a roll once it is full.

    The head stays cached, so the range takes writes until the fence.
    """
    head = front.heads[range_id]
    size = ByteSize(head.bytes + sum(encoded_size(record) for record in batch))
    tallied = replace(front, heads=front.heads.set(range_id, replace(head, bytes=size)))
    if size < front.options.segment_max_bytes:
        return tallied
    return owe_roll(tallied, Roll(range_id, head.id, head.replica_set[0], head.start_offset))


def _open_head(
    front: Frontend, range_id: RangeId, command_fun: CommandFun, policy_fun: PolicyFun
) -> _Opened | Refusal:
    """[PRD-8, PRD-30] The cached head; else the listed one, adopted; else a new one, registered."""
    head = front.heads.get(range_id)
    if head is not None:
        return _Opened(front, head) if head.replica_set else NoReplicas()
    return _adopt_listed(front, range_id) or _register(front, range_id, command_fun, policy_fun)


def _adopt_listed(front: Frontend, range_id: RangeId) -> _Opened | None:
    """[PRD-9] Cache the active segment that the view lists, if it has a replica."""
    listed = active_segment(metadata_of(front.view, range_id.topic), range_id)
    if listed is None or not listed[1].replica_set:
        return None
    segment_id, segment = listed
    head = Head(segment_id, segment.start_offset, ByteSize(0), segment.replica_set)
    return _cache_head(raise_counter(front, range_id, segment.start_offset), range_id, head)


def _cache_head(front: Frontend, range_id: RangeId, head: Head) -> _Opened:
    raised = raise_sequence(front, range_id, Sequence(head.id.seq + 1))
    return _Opened(replace(raised, heads=front.heads.set(range_id, head)), head)


def _register(
    front: Frontend, range_id: RangeId, command_fun: CommandFun, policy_fun: PolicyFun
) -> _Opened | Refusal:
    """[PRD-10, PRD-13, PRD-14, PRD-32, PRD-33, PLC-17] Register the next segment at the counter."""
    segment_id = SegmentId(range_id, front.sequences.get(range_id, Sequence(0)))
    replica_set = _replicas_for(front, segment_id, policy_fun)
    if isinstance(replica_set, Refusal):
        return replica_set
    start = front.offsets.get(range_id, Offset(0))
    command = RegisterSegment(range_id, segment_id, replica_set, start)
    view, reply = command_fun(front.view, command)
    match reply:
        case Ok():
            head = Head(segment_id, start, ByteSize(0), replica_set)
            return _cache_head(keep_view(front, view, command), range_id, head)
        case SegmentExists() | SegmentOverlap() | ActiveSegmentExists():
            # Keeps PRD-11, PRD-12: the view was stale; the one that came with the answer may know.
            return _adopt_listed(keep_view(front, view, command), range_id) or reply
        case Refusal():
            return reply
        case Created() | Exported():
            return UnexpectedRegisterReply(type(reply).__name__)
        case Unexpected(answer):
            return UnexpectedRegisterReply(answer)


def _replicas_for(
    front: Frontend, segment_id: SegmentId, policy_fun: PolicyFun
) -> tuple[Broker, ...] | Refusal:
    """[PLC-14, PLC-15] Place a new segment by the options, and spread it as its topic says."""
    options = front.options
    topic = metadata_of(front.view, segment_id.range_id.topic).topics.get(segment_id.range_id.topic)
    policy = None if topic is None or topic.policy is None else policy_fun(topic.policy)
    return place(
        segment_id,
        options.brokers,
        options.replication_factor,
        options.spread_by if policy is None else policy.spread_by,
        options.broker_attributes,
        options.min_domains,
        options.placement_policy,
        options.rank_fun,
    )
