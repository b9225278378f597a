"""Healing: what a frontend takes over of the coordinators' commands."""

from collections.abc import Iterable
from dataclasses import replace

from reference.frontend import CommandFun, Frontend, keep_view
from reference.rolling import evict_head, forget_sealed
from reference.vnodes import metadata_of
from spec.commands import Command, SealSegment, SetSegmentReplicas
from spec.replies import CommandReply, Ok, Refusal, Unexpected
from spec.vocabulary import Broker, Offset, SegmentId, State


def apply_heal(front: Frontend, commands: Iterable[Command], command_fun: CommandFun) -> Frontend:
    """[HEA-1] Send each command, and let the cached head follow what it did."""
    return apply_heal_reply(front, commands, command_fun)[0]


def apply_heal_reply(
    front: Frontend, commands: Iterable[Command], command_fun: CommandFun
) -> tuple[Frontend, CommandReply]:
    """[HEA-6] As apply_heal, and answer ok only if every command took, else the first error.

    Each command is applied whatever the one before it was answered. Who acts on the answer deletes
    no copy that is still read from (HEA-7).
    """
    answer: CommandReply = Ok()
    for command in commands:
        view, reply = command_fun(front.view, command)
        front = _follow(keep_view(front, view, command), command)
        if isinstance(answer, Ok) and isinstance(reply, Refusal | Unexpected):
            answer = reply
    return front, answer


def _follow(front: Frontend, command: Command) -> Frontend:
    if isinstance(command, SetSegmentReplicas):
        return _move_head(front, command.segment_id, command.replica_set)
    if isinstance(command, SealSegment):
        return _close_head(front, command.segment_id)
    return front


def _move_head(front: Frontend, segment_id: SegmentId, replica_set: tuple[Broker, ...]) -> Frontend:
    """[HEA-2, HEA-3] The next produce goes to the new replicas; an owed roll keeps its primary."""
    range_id = segment_id.range_id
    head = front.heads.get(range_id)
    if head is None or head.id != segment_id:
        return front
    return replace(front, heads=front.heads.set(range_id, replace(head, replica_set=replica_set)))


def _close_head(front: Frontend, segment_id: SegmentId) -> Frontend:
    """[HEA-4, HEA-5] Sit down behind the listed edge, or only let go of the head."""
    range_id = segment_id.range_id
    segment = metadata_of(front.view, range_id.topic).segments.get(segment_id)
    if segment is not None and segment.state is State.SEALED and segment.length is not None:
        edge = Offset(segment.start_offset + segment.length)
        return forget_sealed(front, range_id, segment_id, edge)
    head = front.heads.get(range_id)
    return evict_head(front, range_id) if head is not None and head.id == segment_id else front
