"""The named changes of stores and coordinators, each one rule exchanged for another."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from reference import coordinating
from reference.controlplane import Metadata
from reference.coordinating import Copy, FenceAnswer
from reference.store import Log
from spec.commands import Command, SealSegment, SetSegmentReplicas
from spec.vocabulary import Broker, Count, Millis, Offset, SegmentId, State

Answers = Mapping[SegmentId, Iterable[FenceAnswer]]
Pick = Callable[[Iterable[Offset]], Offset]


def latch_lost_at_restart(log: Log) -> Log:
    """[ROL-34] Keep the records over a restart, and not the latch."""
    return replace(log, latch=None)


def seal_below_a_majority(
    metadata: Metadata,
    _live: Collection[Broker],
    answers: Answers,
    now: Millis,
    failed: Collection[Copy],
) -> tuple[Command, ...]:
    """[HEA-9] Decide on whatever has answered."""
    return _planned(metadata, answers, now, failed, fewest=1)


def failed_copy_counts(
    metadata: Metadata,
    _live: Collection[Broker],
    answers: Answers,
    now: Millis,
    _failed: Collection[Copy],
) -> tuple[Command, ...]:
    """[HEA-12] Take the answer of a failed copy for one like the others."""
    return _planned(metadata, answers, now, (), fewest=2)


def failed_copy_is_asked(
    metadata: Metadata, live: Collection[Broker], failed: Collection[Copy]
) -> tuple[tuple[SegmentId, tuple[Broker, ...]], ...]:
    """[HEA-8] Ask the failed copies too."""
    found = coordinating.failover_candidates(metadata, live, failed)
    sets = {each: metadata.segments[each].replica_set for each, _ in found}
    return tuple((each, tuple(one for one in sets[each] if one in live)) for each, _ in found)


def seal_at_the_lowest_end(
    metadata: Metadata,
    live: Collection[Broker],
    answers: Answers,
    now: Millis,
    failed: Collection[Copy],
) -> tuple[Command, ...]:
    """[HEA-10] Take the end that every answer reaches for the end of the log."""
    if not coordinating.failover_plan(metadata, live, answers, now, failed):
        return ()
    return _planned(metadata, answers, now, failed, fewest=2, pick=min)


def _planned(
    metadata: Metadata,
    answers: Answers,
    now: Millis,
    failed: Collection[Copy],
    *,
    fewest: int,
    pick: Pick = max,
) -> tuple[Command, ...]:
    """A failover's plan, with a say in how many answers it takes and in which of them counts."""
    plan: list[Command] = []
    for segment_id, listed in answers.items():
        segment = metadata.segments[segment_id]
        heard = [each for each in listed if (segment_id, each.broker) not in failed]
        if len(heard) < fewest or segment.state is State.SEALED:
            continue
        end = pick([each.end_offset for each in heard])
        holder = next(each for each in heard if each.end_offset == end)
        rest = tuple(each for each in segment.replica_set if each != holder.broker)
        length = Count(end - segment.start_offset)
        plan.append(SealSegment(segment_id, length, holder.byte_size, now))
        plan.append(SetSegmentReplicas(segment_id, (holder.broker, *rest)))
    return tuple(plan)
