"""The named changes of the machine, each one rule exchanged for another."""

from dataclasses import replace

from immutables import Map

from checker.world.reshaping import rules as reshaping
from checker.world.reshaping.rules import RangeIds
from checker.world.reshaping.sight import listing_in
from checker.world.sharing.parts import TOPIC
from checker.world.sharing.rules import NOW
from reference import producing, vnodes
from reference.controlplane import Metadata, active_segment
from reference.frontend import CommandFun, Frontend, keep_view
from reference.vnodes import View, metadata_of
from spec.commands import Command, MergeRanges, SealSegment, SplitRange
from spec.replies import ActiveSegmentExists, CommandReply, Created, Planned, Refusal
from spec.vocabulary import (
    ByteSize,
    Count,
    Offset,
    Position,
    RangeId,
    Record,
    Roll,
    TopicName,
)


def roll_of_the_cache(front: Frontend, range_id: RangeId) -> Roll | None:
    """[ROL-23] Look for the head in the cache alone."""
    head = front.heads.get(range_id)
    if head is None or not head.replica_set:
        return None
    return Roll(range_id, head.id, head.replica_set[0], head.start_offset)


def always_due(_parents: RangeIds, _ready: RangeIds) -> bool:
    """[ROL-40] Send the command first, and fence afterwards."""
    return True


def due_after_the_first(parents: RangeIds, ready: RangeIds) -> bool:
    """[ROL-40] Close the head of the first parent alone."""
    return ready[:1] == parents[:1]


def reshape_seals(
    front: Frontend, parents: RangeIds, tell: CommandFun
) -> tuple[Frontend, CommandReply]:
    """[RNG-14] Seal the parent's head at the own counter, and fence nothing."""
    for parent in parents:
        listed = active_segment(metadata_of(front.view, TOPIC), parent)
        if listed is not None:
            length = Count(front.offsets.get(parent, Offset(0)) - listed[1].start_offset)
            seal = SealSegment(listed[0], length, ByteSize(0), NOW)
            front = keep_view(front, tell(front.view, seal)[0], seal)
    return reshaping.reshape(front, parents, tell)


def reshape_keeps(
    front: Frontend, parents: RangeIds, tell: CommandFun
) -> tuple[Frontend, CommandReply]:
    """[RNG-15] Hold the view that came with a refusal too."""
    request = SplitRange(parents[0]) if len(parents) == 1 else MergeRanges(*parents)
    view, reply = tell(front.view, request)
    return keep_view(front, view, request), reply


def under_a_head(view: View, request: Command) -> tuple[View, CommandReply]:
    """[RNG-9, RNG-11] Ask for no head when a range is retired."""
    answered, reply = vnodes.command(view, request, NOW)
    if not isinstance(reply, ActiveSegmentExists) or not isinstance(
        request, SplitRange | MergeRanges
    ):
        return answered, reply
    metadata = metadata_of(view, TOPIC)
    bare = replace(metadata, segments=Map())
    retired, reply = vnodes.command(_with(view, bare), request, NOW)
    after = replace(metadata_of(retired, TOPIC), segments=metadata.segments)
    return _with(view, after), reply


def ancestors_twice(view: View, request: Command) -> tuple[View, CommandReply]:
    """[RNG-12] Put the second parent's ancestors behind the first's, shared or not."""
    answered, reply = vnodes.command(view, request, NOW)
    if not isinstance(request, MergeRanges) or not isinstance(reply, Created):
        return answered, reply
    metadata, (child,) = metadata_of(answered, TOPIC), reply.range_ids
    first, second = (metadata.ranges[each] for each in (request.first, request.second))
    parents = (*first.parents, request.first, *second.parents, request.second)
    joined = replace(metadata.ranges[child], parents=parents)
    return _with(view, replace(metadata, ranges=metadata.ranges.set(child, joined))), reply


def children_overlap(view: View, request: Command) -> tuple[View, CommandReply]:
    """[RNG-10] Leave the first child the whole block."""
    answered, reply = vnodes.command(view, request, NOW)
    if not isinstance(request, SplitRange) or not isinstance(reply, Created):
        return answered, reply
    metadata, (left, right) = metadata_of(answered, TOPIC), reply.range_ids
    whole = replace(metadata.ranges[left], key_end=metadata.ranges[right].key_end)
    return _with(view, replace(metadata, ranges=metadata.ranges.set(left, whole))), reply


def id_taken_again(view: View, request: Command) -> tuple[View, CommandReply]:
    """[RNG-8] Let the lower half go on under the parent's id."""
    answered, reply = vnodes.command(view, request, NOW)
    if not isinstance(request, SplitRange) or not isinstance(reply, Created):
        return answered, reply
    metadata, (left, _) = metadata_of(answered, TOPIC), reply.range_ids
    lower = replace(metadata.ranges[left], parents=metadata.ranges[request.range_id].parents)
    kept = metadata.ranges.delete(left).set(request.range_id, lower)
    return _with(view, replace(metadata, ranges=kept)), reply


def segments_carried(view: View, request: Command) -> tuple[View, CommandReply]:
    """[RNG-47] Give the parent's segments to the first child."""
    answered, reply = vnodes.command(view, request, NOW)
    if not isinstance(request, SplitRange) or not isinstance(reply, Created):
        return answered, reply
    metadata = metadata_of(answered, TOPIC)
    carried = metadata.segments
    for each, segment in listing_in(answered, request.range_id):
        carried = carried.set(each, replace(segment, range_id=reply.range_ids[0]))
    return _with(view, replace(metadata, segments=carried)), reply


def hashed_elsewhere(
    front: Frontend, topic: TopicName, records: tuple[Record, ...], tell: CommandFun
) -> tuple[Frontend, Planned | Refusal]:
    """[PRD-3] Place keys by another function than everybody else."""

    def mirrored(key: bytes | None, size: int) -> Position:
        return Position(size - 1 - front.options.position_fun(key, size))

    options = replace(front.options, position_fun=mirrored)
    planned, reply = producing.produce_plan(replace(front, options=options), topic, records, tell)
    return replace(planned, options=front.options), reply


def _with(view: View, metadata: Metadata) -> View:
    return replace(view, vnodes=Map(dict.fromkeys(view.vnodes, metadata)))
