"""Changes of stores and coordinators that have no number, and the laws that notice them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from immutables import Map

from checker.world.copies.rules import REFERENCE, Appending, Rules
from checker.world.sharing.mutations import seal_keeps_max
from checker.world.sharing.parts import RANGE, TOPIC
from checker.world.sharing.rules import NOW
from reference import coordinating, store, vnodes
from reference.controlplane import Metadata
from reference.coordinating import Copy, FenceAnswer
from reference.store import Log
from reference.vnodes import View, metadata_of
from spec.commands import Command, RegisterSegment, SealSegment, SetSegmentReplicas
from spec.replies import Appended, CommandReply, Ok, SegmentOverlap
from spec.vocabulary import Broker, ByteSize, Count, Millis, Offset, Record, Segment, SegmentId


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change that has no number, and the law that notices it."""

    law: str
    rules: Rules
    scope: str = "failover"


def last_one_first(
    metadata: Metadata,
    live: Collection[Broker],
    answers: Mapping[SegmentId, Iterable[FenceAnswer]],
    now: Millis,
    failed: Collection[Copy],
) -> tuple[Command, ...]:
    """A failover that turns the set it should have named around."""
    return tuple(
        replace(command, replica_set=command.replica_set[::-1])
        if isinstance(command, SetSegmentReplicas)
        else command
        for command in coordinating.failover_plan(metadata, live, answers, now, failed)
    )


def probe_that_fences(log: Log | None) -> tuple[Log, Offset, ByteSize] | None:
    """A probe that asks by closing."""
    return None if log is None else store.fence(log)


def orphan_sealed_too_high(
    metadata: Metadata, answers: Iterable[tuple[SegmentId, Offset, ByteSize]], now: Millis
) -> tuple[Command, ...]:
    """An orphaned fence that is sealed one offset above its answer."""
    plan = coordinating.orphaned_fence_plan(metadata, answers, now)
    return tuple(
        replace(each, length=Count(each.length + 1)) if isinstance(each, SealSegment) else each
        for each in plan
    )


def cut_and_leave_open(log: Log, edge: Offset) -> Log:
    """A cut that closes nothing."""
    return replace(store.cut(log, edge), latch=None)


def answer_the_base(
    copies: Map[Broker, Log],
    replica_set: tuple[Broker, ...],
    base: Offset,
    records: tuple[Record, ...],
    reached: frozenset[Broker],
) -> Appending:
    """A primary that answers every batch as if it were its first."""
    stored, reply = store.append_with_quorum(copies, replica_set, base, records, reached)
    return stored, Appended(base) if isinstance(reply, Appended) else reply


def register_anywhere(view: View, request: Command) -> tuple[View, CommandReply]:
    """A control plane that does not ask where the sealed segments end."""
    answered, reply = vnodes.command(view, request, NOW)
    if not isinstance(reply, SegmentOverlap) or not isinstance(request, RegisterSegment):
        return answered, reply
    metadata = metadata_of(view, TOPIC)
    segment = Segment(RANGE, request.replica_set, request.start_offset)
    listed = replace(metadata, segments=metadata.segments.set(request.segment_id, segment))
    return replace(view, vnodes=view.vnodes.update(dict.fromkeys(view.vnodes, listed))), Ok()


MUTANTS = (
    Mutant(
        "an_acknowledged_record_is_at_the_head_of_its_set",
        replace(REFERENCE, failover_plan=last_one_first),
        "doubts",
    ),
    Mutant(
        "a_new_segment_begins_where_the_sealed_ones_end",
        replace(REFERENCE, command=register_anywhere, record_fence=seal_keeps_max),
        "retention",
    ),
    Mutant("a_probe_fences_nothing", replace(REFERENCE, probe=probe_that_fences)),
    Mutant(
        "an_orphaned_fence_is_sealed_where_it_ends",
        replace(REFERENCE, orphaned_fence_plan=orphan_sealed_too_high),
    ),
    Mutant("a_cut_copy_ends_at_the_edge", replace(REFERENCE, cut=cut_and_leave_open)),
    Mutant(
        "no_two_acknowledged_records_share_an_offset",
        replace(REFERENCE, append_with_quorum=answer_the_base),
    ),
)
