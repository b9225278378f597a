"""The control plane and the stores that a harness plays, and the faults it plays them with."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

from immutables import Map

from checker.conform.effects import (
    Answer,
    Coming,
    CommandAnswer,
    CommandEffect,
    Effect,
    Installed,
    Kind,
    PolicyEffect,
    ReadEffect,
    ReplicateEffect,
)
from checker.conform.views import LoggedView
from reference import commanding, store, vnodes
from reference.store import Log
from reference.vnodes import View
from spec.commands import BeginMigration, Command, EndMigration
from spec.replies import CommandReply, Eof, NoVnode, ReadReply, ReplicateReply
from spec.vocabulary import (
    ByteSize,
    Millis,
    Offset,
    PolicyName,
    Record,
    SegmentId,
    TopicPolicy,
    VnodeId,
)

Mode = Literal["memory", "authoritative", "raft"]
MODES: tuple[Mode, ...] = get_args(Mode)
"""How a command reaches the control plane (RNG-41, RNG-42, RNG-43)."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An effect of a call that is answered otherwise than the world would."""

    kind: Kind
    at: int | None
    """Which effect of its kind within the call, from 0; none for all of them."""
    answer: CommandReply | ReplicateReply | ReadReply
    is_applied: bool = False
    """Whether it happened all the same, and only its answer was another."""
    tag: str | None = None
    """Only commands of this word."""
    view: Coming = "keep"
    """What becomes of the view of who sent a command."""

    def hits(self, number: int, tag: str) -> bool:
        """Whether the effect of this number is meant."""
        return self.at in {None, number} and self.tag in {None, tag}


@dataclass(frozen=True, slots=True)
class World:
    """All that the frontends share, as a value."""

    mode: Mode
    authority: View
    commands: tuple[tuple[Command, Millis | None], ...] = ()
    """What the control plane was told and changed by, in order."""
    logs: Map[SegmentId, Log] = Map()
    """One log a segment: its replicas hold the same."""
    policies: Map[PolicyName, TopicPolicy] = Map()

    @property
    def logged(self) -> LoggedView:
        """The control plane as the commands that led to it."""
        return LoggedView(self.authority.ring, self.commands)


def with_log(world: World, segment_id: SegmentId, log: Log) -> World:
    """A world in which the log of a segment is another."""
    logs = world.logs.set(segment_id, log)
    return World(world.mode, world.authority, world.commands, logs, world.policies)


def world_of(
    mode: Mode,
    tokens: Iterable[tuple[VnodeId, int]] = ((vnodes.DEFAULT_VNODE, 0),),
    policies: Map[PolicyName, TopicPolicy] = Map(),
) -> World:
    """A world in which nothing happened yet."""
    return World(mode, vnodes.sharded(tokens), policies=policies)


class Settled(NamedTuple):
    """What came of an effect."""

    world: World
    answer: Answer
    view: View | None = None
    """The caller's view from then on; none where the effect is no command."""


def settle(
    world: World, effect: Effect, fault: Fault | None, view: View, now: Millis | None
) -> Settled:
    """Answer an effect of a frontend that holds a view."""
    match effect:
        case CommandEffect(command):
            return _command(world, command, fault, view, now)
        case ReplicateEffect():
            return _replicate(world, effect, fault)
        case ReadEffect():
            return Settled(world, _read(world, effect) if fault is None else _read_fault(fault))
        case PolicyEffect(name):
            return Settled(world, world.policies.get(name))


def _command(
    world: World, command: Command, fault: Fault | None, view: View, now: Millis | None
) -> Settled:
    """Whether the command took, and whether a view comes back, is the fault's to say."""
    if fault is None:
        return _submit(world, command, view, now)
    after = _submit(world, command, view, now).world if fault.is_applied else world
    answer = CommandAnswer(_command_fault(fault), fault.view)
    return Settled(after, answer, came(fault.view, view, command, now))


def came(coming: Coming, view: View, command: Command, now: Millis | None) -> View:
    """The view of who sent a command, once its answer is there."""
    match coming:
        case Installed(newest):
            found: View = newest
            return found
        case "apply":
            return vnodes.command(view, command, now)[0]
        case "keep":
            return view


def _submit(world: World, command: Command, view: View, now: Millis | None) -> Settled:
    match world.mode:
        case "memory":
            view, reply = commanding.in_memory(view, command, now)
            return Settled(world, CommandAnswer(reply, "apply"), view)
        case "authoritative":
            authority, view, reply = commanding.authoritative(world.authority, view, command, now)
            after = commanded(world, authority, command, now)
            return Settled(after, CommandAnswer(reply, Installed(authority)), view)
        case "raft":
            authority, view, reply = commanding.raft(world.authority, view, command, now)
            after = commanded(world, authority, command, now)
            return Settled(after, CommandAnswer(reply, "apply"), view)


def commanded(world: World, authority: View, command: Command, now: Millis | None) -> World:
    """The world after its control plane was told a command."""
    if authority is world.authority:
        return world
    told = (*world.commands, (command, now))
    return World(world.mode, authority, told, world.logs, world.policies)


def tell(world: World, command: Command, now: Millis | None = None) -> tuple[World, CommandReply]:
    """Somebody else's command. A migration mark goes to the vnode that has the topic."""
    if not isinstance(command, BeginMigration | EndMigration):
        authority, reply = vnodes.command(world.authority, command, now)
        return commanded(world, authority, command, now), reply
    owner = vnodes.route(world.authority, command.topic)
    if owner is None:
        return world, NoVnode()
    authority, reply = vnodes.submit_to(world.authority, owner, command)
    return commanded(world, authority, command, now), reply


def _replicate(world: World, effect: ReplicateEffect, fault: Fault | None) -> Settled:
    log = world.logs.get(effect.segment) or Log(effect.base_offset)
    log, reply = store.append(log, effect.records)
    after = with_log(world, effect.segment, log)
    if fault is None:
        return Settled(after, reply)
    return Settled(after if fault.is_applied else world, _replicate_fault(fault))


def _read(world: World, effect: ReadEffect) -> ReadReply:
    log = world.logs.get(effect.segment)
    return Eof() if log is None else store.read(log, effect.offset, effect.max)


def _command_fault(fault: Fault) -> CommandReply:
    answer = fault.answer
    assert isinstance(answer, CommandReply)
    return answer


def _replicate_fault(fault: Fault) -> ReplicateReply:
    answer = fault.answer
    assert isinstance(answer, ReplicateReply)
    return answer


def _read_fault(fault: Fault) -> ReadReply:
    answer = fault.answer
    assert isinstance(answer, ReadReply)
    return answer


def append_at(
    world: World,
    segment_id: SegmentId,
    base: Offset,
    records: tuple[Record, ...],
    is_forced: bool = False,
) -> World:
    """Somebody else's batch at a store, if its latch lets it in, or is passed by."""
    log = world.logs.get(segment_id) or Log(base)
    longer = store.append_past_latch(log, records) if is_forced else store.append(log, records)[0]
    return with_log(world, segment_id, longer)


def fence_at(world: World, segment_id: SegmentId, base: Offset) -> tuple[World, Offset, ByteSize]:
    """Close a log; its end and its bytes."""
    log, end, size = store.fence(world.logs.get(segment_id) or Log(base))
    return with_log(world, segment_id, log), end, size


def drop_at(world: World, segment_id: SegmentId) -> World:
    """A log that is gone, with its latch."""
    logs = world.logs
    return replace(world, logs=logs.delete(segment_id)) if segment_id in logs else world
