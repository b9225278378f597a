"""Changes of stores and coordinators that have no number, each with a law that notices it."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from immutables import Map

from checker.world.alone.nameless import Nameless
from checker.world.alone.sharing import registers_anywhere
from checker.world.copies.rules import REFERENCE, Appending, Rules
from checker.world.copies.scopes import defective
from checker.world.sharing.mutations import seal_keeps_max
from reference import coordinating, store
from reference.controlplane import Metadata
from reference.coordinating import Copy, FenceAnswer
from reference.store import Log
from spec.commands import Command, SealSegment, SetSegmentReplicas
from spec.replies import Appended
from spec.vocabulary import Broker, ByteSize, Count, Millis, Offset, Record, SegmentId


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


def change(
    name: str, words: str, law: str, rules: Rules, scope: str = "failover"
) -> Nameless[Rules]:
    """A change in one of these worlds."""
    return Nameless(name, words, law, rules, scope, defective)


CHANGES: tuple[Nameless[Rules], ...] = (
    change(
        "last_one_first",
        "a failover turns the set that it should have named around",
        "an_acknowledged_record_is_at_the_head_of_its_set",
        replace(REFERENCE, failover_plan=last_one_first),
        "doubts",
    ),
    change(
        "registered_anywhere",
        "a seal raises the counter, and the control plane asks no start for the edge",
        "a_new_segment_begins_where_the_sealed_ones_end",
        replace(REFERENCE, command=registers_anywhere, record_fence=seal_keeps_max),
        "retention",
    ),
    change(
        "probe_that_fences",
        "a coordinator asks whether a head is closed by closing it",
        "a_probe_fences_nothing",
        replace(REFERENCE, probe=probe_that_fences),
    ),
    change(
        "orphan_sealed_too_high",
        "an orphaned fence is sealed one offset above its answer",
        "an_orphaned_fence_is_sealed_where_it_ends",
        replace(REFERENCE, orphaned_fence_plan=orphan_sealed_too_high),
    ),
    change(
        "cut_and_leave_open",
        "a copy that is cut is not closed",
        "a_cut_copy_ends_at_the_edge",
        replace(REFERENCE, cut=cut_and_leave_open),
    ),
    change(
        "answer_the_base",
        "a primary answers every batch as if it were its first",
        "no_two_acknowledged_records_share_an_offset",
        replace(REFERENCE, append_with_quorum=answer_the_base),
    ),
)
