"""The named changes of stores and coordinators, each one rule exchanged for another."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from immutables import Map

from checker.world.copies.parts import Expiring, Healing, Pass, Scrubbing
from checker.world.copies.rules import serve_what_a_majority_holds
from checker.world.sharing import rules as sharing
from checker.world.sharing.parts import TOPIC
from reference import coordinating, healing, producing
from reference.controlplane import Metadata
from reference.coordinating import Copy, FenceAnswer, RetentionPolicy
from reference.frontend import CommandFun, Frontend
from reference.store import Log
from reference.vnodes import View, metadata_of
from spec.commands import Command, DeleteSegment, SealSegment, SetSegmentReplicas
from spec.replies import CommandReply, Ok, ReadReply
from spec.vocabulary import Broker, Count, Dispatch, Millis, Offset, SegmentId, State

Answers = Mapping[SegmentId, Iterable[FenceAnswer]]
Pick = Callable[[Iterable[Offset]], Offset]


def latch_lost_at_restart(log: Log) -> Log:
    """[ROL-34] Keep the records over a restart, and not the latch."""
    return replace(log, latch=None)


def adopted_unguarded(front: Frontend, dispatch: Dispatch, last: Offset) -> tuple[Frontend, bool]:
    """[PRD-24] Adopt an answer whichever segment it names."""
    raised = producing.raise_counter(front, dispatch.range_id, Offset(last + 1))
    return replace(raised, unrecovered=front.unrecovered - {dispatch.range_id}), True


def minority_fenced(_asked: tuple[Broker, ...], _replica_set: tuple[Broker, ...]) -> bool:
    """[HEA-25] Send the fences however few copies can be asked."""
    return True


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


def keep_the_old_head(
    metadata: Metadata,
    live: Collection[Broker],
    answers: Answers,
    now: Millis,
    failed: Collection[Copy],
) -> tuple[Command, ...]:
    """[HEA-11] Seal, and leave the set as it is."""
    plan = coordinating.failover_plan(metadata, live, answers, now, failed)
    return tuple(command for command in plan if isinstance(command, SealSegment))


def heal_without_the_cache(
    front: Frontend, commands: tuple[Command, ...], tell: CommandFun
) -> tuple[Frontend, CommandReply]:
    """[HEA-2, HEA-29] Update the view alone."""
    healed, reply = healing.apply_heal_reply(front, commands, tell)
    return replace(healed, heads=front.heads), reply


def clear_whatever_was_answered(held: Pass, _reply: CommandReply) -> Pass:
    """[HEA-7] Act as if every command took."""
    return Scrubbing(held.segment_id, held.dead) if isinstance(held, Healing) else None


def name_before_copying(_healing: Healing) -> bool:
    """[HEA-17] Name the new replica, and let the copy come when it comes."""
    return True


def remove_copies_first(_expiring: Expiring) -> bool:
    """[HEA-23] Remove copies while the segment is listed."""
    return True


def active_ones_expire(
    metadata: Metadata, _policy: RetentionPolicy, _now: Millis
) -> tuple[SegmentId, ...]:
    """[HEA-21] Count the age of a segment from its opening."""
    return tuple(sorted(metadata.segments))


def delete_unasked(view: View, request: Command) -> tuple[View, CommandReply]:
    """[RNG-20] Remove a segment without a look at its state."""
    metadata = metadata_of(view, TOPIC)
    if not isinstance(request, DeleteSegment) or request.segment_id not in metadata.segments:
        return sharing.command(view, request)
    kept = replace(metadata, segments=metadata.segments.delete(request.segment_id))
    return replace(view, vnodes=Map(dict.fromkeys(view.vnodes, kept))), Ok()


def serve_what_a_minority_holds(
    held: Map[Broker, Log],
    replica_set: tuple[Broker, ...],
    broker: Broker,
    offset: Offset,
    at_most: Count,
) -> ReadReply:
    """[RDG-37] Count one replica too few for a majority."""
    fewer = replica_set[: len(replica_set) // 2]
    return serve_what_a_majority_holds(held, fewer, broker, offset, at_most)


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
