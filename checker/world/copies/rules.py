"""The rules of the world: those of frontends, those of stores, and the coordinator's decisions."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from immutables import Map

from checker.world.copies.parts import Expiring, Healing, Pass, Scrubbing
from checker.world.sharing import rules as sharing
from checker.world.sharing.parts import TOPIC
from reference import coordinating, healing, store
from reference.controlplane import Metadata
from reference.coordinating import Copy, FenceAnswer, Overrun, RetentionPolicy
from reference.frontend import CommandFun, Frontend
from reference.store import Log
from reference.vnodes import View, metadata_of
from spec.commands import Command, SetSegmentReplicas
from spec.replies import Appended, CommandReply, Failed, Ok, ReadReply, Sealed, SegmentActive
from spec.vocabulary import Broker, ByteSize, Count, Millis, Offset, Record, SegmentId, State

LATER = Millis(1)
"""When retention looks: everything that is sealed by then is older than no time at all."""
Asked = tuple[tuple[SegmentId, tuple[Broker, ...]], ...]
Appending = tuple[Map[Broker, Log], Appended | Sealed | Failed]


def may_fence(asked: tuple[Broker, ...], replica_set: tuple[Broker, ...]) -> bool:
    """[HEA-25] Whether enough copies can be asked for the fences of a failover to be sent."""
    return 2 * len(asked) > len(replica_set)


def come_back(log: Log) -> Log:
    """[ROL-34] What a broker that comes back has of a log: the records, and the latch."""
    return log


def probe(log: Log | None) -> tuple[Log, Offset, ByteSize] | None:
    """[HEA-16] What a primary answers that is asked whether it is fenced; none where it is not."""
    if log is None or log.latch is None:
        return None
    return log, log.latch.end, log.latch.byte_size


def move_behind_own_seal(
    front: Frontend, commands: tuple[Command, ...], tell: CommandFun
) -> tuple[Frontend, CommandReply]:
    """[HEA-26] An overlay: send a plan's later commands only where the ones before it took."""
    reply: CommandReply = Ok()
    for command in commands:
        front, reply = healing.apply_heal_reply(front, (command,), tell)
        if not isinstance(reply, Ok):
            break
    return front, reply


def serve(
    held: Map[Broker, Log],
    _replica_set: tuple[Broker, ...],
    broker: Broker,
    offset: Offset,
    at_most: Count,
) -> ReadReply:
    """[RDG-35] What a broker answers to a read: what its own copy holds."""
    return store.read(held[broker], offset, at_most)


def serve_what_a_majority_holds(
    held: Map[Broker, Log],
    replica_set: tuple[Broker, ...],
    broker: Broker,
    offset: Offset,
    at_most: Count,
) -> ReadReply:
    """[RDG-37] An overlay: serve nothing that no majority of the replicas holds."""
    log = held[broker]
    ends = [_shared_end(log, held.get(each)) for each in replica_set]
    sure = sorted(ends, reverse=True)[len(replica_set) // 2]
    return store.read(replace(log, records=log.records[: sure - log.start]), offset, at_most)


def _shared_end(log: Log, other: Log | None) -> Offset:
    """Up to where another copy holds the same."""
    shared = log.start
    for one, same in zip(log.records, () if other is None else other.records, strict=False):
        if one != same:
            break
        shared = Offset(shared + 1)
    return shared


def may_remove_copies(expiring: Expiring) -> bool:
    """[HEA-23] Whether the copies of an expired segment may go: not before its listing."""
    return not expiring.is_listed


def expired_but_the_newest(
    metadata: Metadata, policy: RetentionPolicy, now: Millis
) -> tuple[SegmentId, ...]:
    """[PRD-27] An overlay: keep the newest sealed segment of a range, however old it is."""
    newest = {
        segment_id.range_id: segment_id
        for segment_id, segment in sorted(metadata.segments.items())
        if segment.state is State.SEALED
    }
    expired = coordinating.retention_expired(metadata, policy, now)
    return tuple(each for each in expired if each not in newest.values())


def remove(_copy: Log | None) -> Log | None:
    """What a broker keeps of a copy that it removes: nothing, and no latch either."""
    return None


def remove_but_the_latch(copy: Log | None) -> Log | None:
    """[ROL-34] An overlay: keep of a removed copy that it is closed."""
    return None if copy is None else store.fence(replace(copy, records=()))[0]


def active_ones_stay(view: View, request: Command) -> tuple[View, CommandReply]:
    """[ROL-32] An overlay: the control plane gives no active segment other replicas."""
    if isinstance(request, SetSegmentReplicas):
        segment = metadata_of(view, TOPIC).segments.get(request.segment_id)
        if segment is not None and segment.state is State.ACTIVE:
            return view, SegmentActive()
    return sharing.command(view, request)


def as_listed_here(front: Frontend, _newest: View) -> Metadata:
    """What the coordinator takes the sealed edges from: the frontend that it runs on."""
    return metadata_of(front.view, TOPIC)


def as_listed_there(_front: Frontend, newest: View) -> Metadata:
    """[HEA-18] An overlay: take the sealed edges from the control plane itself."""
    return metadata_of(newest, TOPIC)


def is_not_looked_at(_replica_set: tuple[Broker, ...], _held: Map[Broker, Log]) -> bool:
    """[HEA-14] Whether a closed follower is a cause for a failover: nobody looks."""
    return False


def is_shut(replica_set: tuple[Broker, ...], held: Map[Broker, Log]) -> bool:
    """[HEA-14] An overlay: a closed follower is a cause for a failover."""
    return any(each in held and held[each].fenced for each in replica_set[1:])


def may_name(healing: Healing) -> bool:
    """[HEA-17] Whether a new replica may be named: once it is copied."""
    return bool(healing.holders)


def in_set_order(healed: Healing) -> tuple[Broker, ...]:
    """The set less the dead replica, in its order, and the new one behind it."""
    kept = tuple(each for each in healed.replica_set if each != healed.dead)
    return (*kept, healed.spare)


def holders_first(healed: Healing) -> tuple[Broker, ...]:
    """[HEA-26] Those first that hold all of the segment, the new replica behind them."""
    rest = tuple(each for each in in_set_order(healed) if each not in healed.holders)
    return (*healed.holders, *rest)


def after_naming(held: Pass, reply: CommandReply) -> Pass:
    """[HEA-7] Clear the old copy away only if the command took that leads readers elsewhere."""
    if isinstance(held, Healing) and isinstance(reply, Ok):
        return Scrubbing(held.segment_id, held.dead)
    return None


@dataclass(frozen=True, slots=True)
class Rules(sharing.Rules):
    """Every rule that a step of the world runs."""

    append_with_quorum: Callable[
        [Map[Broker, Log], tuple[Broker, ...], Offset, tuple[Record, ...], frozenset[Broker]],
        Appending,
    ] = store.append_with_quorum
    come_back: Callable[[Log], Log] = come_back
    failover_candidates: Callable[[Metadata, Collection[Broker], Collection[Copy]], Asked] = (
        coordinating.failover_candidates
    )
    may_fence: Callable[[tuple[Broker, ...], tuple[Broker, ...]], bool] = may_fence
    failover_plan: Callable[
        [
            Metadata,
            Collection[Broker],
            Mapping[SegmentId, Iterable[FenceAnswer]],
            Millis,
            Collection[Copy],
        ],
        tuple[Command, ...],
    ] = coordinating.failover_plan
    probe: Callable[[Log | None], tuple[Log, Offset, ByteSize] | None] = probe
    orphaned_fence_plan: Callable[
        [Metadata, Iterable[tuple[SegmentId, Offset, ByteSize]], Millis], tuple[Command, ...]
    ] = coordinating.orphaned_fence_plan
    heal: Callable[[Frontend, tuple[Command, ...], CommandFun], tuple[Frontend, CommandReply]] = (
        healing.apply_heal_reply
    )
    sealed_overrun: Callable[
        [Metadata, Iterable[tuple[SegmentId, Broker, Offset]]], tuple[Overrun, ...]
    ] = coordinating.sealed_overrun
    edges: Callable[[Frontend, View], Metadata] = as_listed_here
    cut: Callable[[Log, Offset], Log] = store.cut
    serve: Callable[[Map[Broker, Log], tuple[Broker, ...], Broker, Offset, Count], ReadReply] = (
        serve
    )
    retention_expired: Callable[[Metadata, RetentionPolicy, Millis], tuple[SegmentId, ...]] = (
        coordinating.retention_expired
    )
    may_remove_copies: Callable[[Expiring], bool] = may_remove_copies
    is_shut: Callable[[tuple[Broker, ...], Map[Broker, Log]], bool] = is_not_looked_at
    may_return_blank: bool = True
    """Whether a broker that has lost its disk comes back as the one that it was."""
    is_raft: bool = False
    remove: Callable[[Log | None], Log | None] = remove
    may_name: Callable[[Healing], bool] = may_name
    healed_set: Callable[[Healing], tuple[Broker, ...]] = holders_first
    after_naming: Callable[[Pass, CommandReply], Pass] = after_naming


REFERENCE = Rules()
"""The mode `authoritative`."""
RAFT = replace(REFERENCE, bring=sharing.bring_own, is_raft=True)
"""The mode `raft`."""
