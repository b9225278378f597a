"""Refreshing: install a newer view without losing what this frontend did meanwhile, and recover."""

from collections.abc import Iterable
from dataclasses import replace

from reference import vnodes
from reference.frontend import Frontend
from reference.producing import raise_counter
from reference.rolling import (
    drop_roll,
    due_rolls,
    evict_head,
    forget_sealed,
    is_superseded,
    raise_sequence,
)
from reference.vnodes import View, metadata_of
from spec.commands import Command, CommitOffset, CommittedPosition
from spec.vocabulary import START, Cursor, Head, Offset, RangeId, Sequence, State, VnodeId


def put_cache(front: Frontend, view: View, unreachable: Iterable[VnodeId] = ()) -> Frontend:
    """[RFR-1, RFR-2] Install a view that was read, but for vnodes that could not be."""
    return replace(front, view=vnodes.retain(view, front.view, unreachable))


def drop_stale_active_segments(front: Frontend) -> Frontend:
    """[RFR-18, RFR-30] Let go of heads and owed rolls that the view has moved past."""
    for range_id, head in sorted(front.heads.items()):
        front = _drop_stale_head(front, range_id, head)
    for roll in due_rolls(front):
        front = drop_roll(front, roll) if is_superseded(front, roll) else front
    return front


def journal(front: Frontend) -> Frontend:
    """[RFR-5] Keep a journal from now on; one that is kept already stays."""
    return replace(front, journal=()) if front.journal is None else front


def take_journal(front: Frontend) -> tuple[tuple[Command, ...], Frontend]:
    """[RFR-7] The journal, oldest first, and a frontend whose journal is empty again."""
    if front.journal is None:
        return (), front
    return front.journal, replace(front, journal=())


def replay_journal(front: Frontend, commands: Iterable[Command]) -> Frontend:
    """[RFR-8, RFR-9] Apply commands to the view alone, in order, whatever each is answered.

    The control plane has them already; a read that began before them has not.
    """
    view = front.view
    for command in commands:
        view = _replay(view, command)
    return replace(front, view=view)


def seed_range_state(
    front: Frontend, range_id: RangeId, next_offset: Offset, min_seq: Sequence
) -> Frontend:
    """[RFR-20, RFR-21, RFR-32] Raise what was recovered of a range. It is recovered from now on."""
    seeded = raise_sequence(raise_counter(front, range_id, next_offset), range_id, min_seq)
    return replace(seeded, unrecovered=front.unrecovered - {range_id})


def seed_unrecovered_range(front: Frontend, range_id: RangeId, min_seq: Sequence) -> Frontend:
    """[RFR-22, RFR-23, RFR-24, RFR-35] Raise the sequence of a range whose end was not learned.

    A range whose end this frontend has learned stays readable: that end is real, and one more
    silent primary takes nothing away from it.
    """
    is_known = range_id in front.offsets and range_id not in front.unrecovered
    raised = raise_sequence(front, range_id, min_seq)
    if is_known:
        return raised
    seeded = raise_counter(raised, range_id, Offset(0))
    return replace(seeded, unrecovered=front.unrecovered | {range_id})


def is_unrecovered(front: Frontend, range_id: RangeId) -> bool:
    """[RFR-25] Whether the range waits for a recovery that learns its end."""
    return range_id in front.unrecovered


def _drop_stale_head(front: Frontend, range_id: RangeId, head: Head) -> Frontend:
    """[RFR-12, RFR-13, RFR-14, RFR-34] Sit down behind a sealed head; let go of a retired one."""
    metadata = metadata_of(front.view, range_id.topic)
    segment = metadata.segments.get(head.id)
    if segment is not None and segment.state is State.SEALED:
        edge = Offset(segment.start_offset + (segment.length or 0))
        return forget_sealed(front, range_id, head.id, edge)
    block = metadata.ranges.get(range_id)
    if block is not None and block.state is State.SEALED:
        return evict_head(front, range_id)
    return front


def _replay(view: View, command: Command) -> View:
    if isinstance(command, CommitOffset):
        command = _never_back(view, command)
    return vnodes.command(view, command)[0]


def _never_back(view: View, command: CommitOffset) -> CommitOffset:
    """[RFR-10, RFR-33] A replayed commit moves no position of its group back."""
    held = metadata_of(view, command.topic).committed.get((command.group, command.topic))
    if held is None:
        return command
    higher = {
        range_id: max(position, held.get(range_id, position), key=_order)
        for range_id, position in command.positions.items()
    }
    return replace(command, positions=command.positions.update(higher))


def _order(position: CommittedPosition) -> Cursor:
    """[RFR-11] `start` lies below every cursor."""
    return Cursor(-1, Offset(0)) if position == START else position
