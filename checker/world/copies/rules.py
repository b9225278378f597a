"""The rules of the world: those of frontends, those of stores, and the coordinator's decisions."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from immutables import Map

from checker.world.sharing import rules as sharing
from reference import coordinating, healing, store
from reference.controlplane import Metadata
from reference.coordinating import Copy, FenceAnswer, Overrun
from reference.frontend import CommandFun, Frontend
from reference.store import Log
from spec.commands import Command
from spec.replies import Appended, CommandReply, Failed, Ok, Sealed
from spec.vocabulary import Broker, ByteSize, Millis, Offset, Record, SegmentId

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
    cut: Callable[[Log, Offset], Log] = store.cut


REFERENCE = Rules()
"""The mode `authoritative`."""
RAFT = replace(REFERENCE, bring=sharing.bring_own)
"""The mode `raft`."""
