"""The rules of a world of views: the reference's own functions, and what callers do with a read."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from immutables import Map

from checker.world.sharing import rules as sharing
from checker.world.views.parts import Begun
from reference import healing, placing, producing, ranges, refreshing, rolling
from reference.frontend import CommandFun, Frontend, PolicyFun
from spec.commands import Command, Positions
from spec.replies import CommandReply, InvalidArgument, Planned, Refusal
from spec.vocabulary import (
    Attributes,
    Broker,
    Count,
    Group,
    PolicyName,
    Record,
    Segment,
    SegmentId,
    TopicName,
)

Called = tuple[Frontend, CommandReply]


def install(front: Frontend, begun: Begun, _tell: CommandFun) -> Frontend:
    """[RFR-3] What a caller does with a read, in one step."""
    taken, emptied = refreshing.take_journal(front)
    cached = refreshing.put_cache(emptied, begun.view, begun.unread)
    return refreshing.drop_stale_active_segments(refreshing.replay_journal(cached, taken))


def still_to_install(begun: tuple[Begun, ...], place: int) -> tuple[Begun, ...]:
    """[RFR-4] The reads that may be installed behind this one: those that began later."""
    return begun[place + 1 :]


@dataclass(frozen=True, slots=True)
class Rules:
    """Every rule that a step of the world runs."""

    create_topic: Callable[[Frontend, TopicName, int, CommandFun], Called] = ranges.create_topic
    commit_offset: Callable[[Frontend, Group, TopicName, Positions, CommandFun], Called] = (
        ranges.commit_offset
    )
    bind_topic_policy: Callable[[Frontend, TopicName, PolicyName | None, CommandFun], Called] = (
        ranges.bind_topic_policy
    )
    delete_segment: Callable[[Frontend, SegmentId, CommandFun], Called] = ranges.delete_segment
    apply_heal_reply: Callable[[Frontend, Iterable[Command], CommandFun], Called] = (
        healing.apply_heal_reply
    )
    produce_plan: Callable[
        [Frontend, TopicName, tuple[Record, ...], CommandFun, PolicyFun],
        tuple[Frontend, Planned | Refusal],
    ] = producing.produce_plan
    request_rolls: Callable[[Frontend, Iterable[tuple[SegmentId, Segment]]], Frontend] = (
        rolling.request_rolls
    )
    set_brokers: Callable[[Frontend, Iterable[Broker]], Frontend | InvalidArgument] = (
        placing.set_brokers
    )
    set_broker_attributes: Callable[[Frontend, Map[Broker, Attributes]], Frontend] = (
        placing.set_broker_attributes
    )
    domain_violations: Callable[[Frontend], Map[TopicName, Count]] = placing.domain_violations
    install: Callable[[Frontend, Begun, CommandFun], Frontend] = install
    still_to_install: Callable[[tuple[Begun, ...], int], tuple[Begun, ...]] = still_to_install
    is_told_again: bool = False
    """Whether an install sends commands to the control plane."""
    plane: sharing.Rules = sharing.REFERENCE
    """How the control plane takes a command, and what view comes back."""


REFERENCE = Rules()
"""The mode `authoritative`."""
RAFT = Rules(plane=sharing.RAFT)
"""The mode `raft`: the log decides the reply, whatever the caller's view becomes."""
