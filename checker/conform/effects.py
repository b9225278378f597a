"""What an implementation asks of the world, and what it is answered, as messages say it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from checker.conform.codecs import Codec, record_of
from checker.conform.nouns import (
    BOOK,
    broker,
    brokers,
    command,
    count,
    offset,
    policy_name,
    records,
    segment_id,
)
from checker.conform.replying import command_reply, policy_answer, read_reply, replicate_reply
from checker.conform.variants import bare, single, variant
from checker.conform.views import view
from spec.commands import Command
from spec.replies import CommandReply, ReadReply, ReplicateReply
from spec.vocabulary import (
    Broker,
    Count,
    Dispatch,
    Offset,
    PolicyName,
    Record,
    SegmentId,
    TopicPolicy,
)

Kind = Literal["command", "replicate", "read", "policy"]


@dataclass(frozen=True, slots=True)
class CommandEffect:
    """A command for the control plane."""

    command: Command


@dataclass(frozen=True, slots=True)
class ReplicateEffect:
    """A batch for the primary of a segment."""

    primary: Broker
    segment: SegmentId
    replica_set: tuple[Broker, ...]
    base_offset: Offset
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class ReadEffect:
    """A read of a log."""

    primary: Broker
    segment: SegmentId
    offset: Offset
    max: Count


@dataclass(frozen=True, slots=True)
class PolicyEffect:
    """A look at the policy store. It changes nothing, and may come at any time."""

    name: PolicyName


Effect = CommandEffect | ReplicateEffect | ReadEffect | PolicyEffect

EFFECTS: Mapping[Kind, Codec[Any]] = MappingProxyType(
    {
        "command": record_of(CommandEffect, command=command),
        "replicate": record_of(
            ReplicateEffect,
            primary=broker,
            segment=segment_id,
            replica_set=brokers,
            base_offset=offset,
            records=records,
        ),
        "read": record_of(ReadEffect, primary=broker, segment=segment_id, offset=offset, max=count),
        "policy": record_of(PolicyEffect, name=policy_name),
    }
)
KINDS: Mapping[type, Kind] = MappingProxyType(
    {
        CommandEffect: "command",
        ReplicateEffect: "replicate",
        ReadEffect: "read",
        PolicyEffect: "policy",
    }
)


@dataclass(frozen=True, slots=True)
class Installed:
    """The view that comes with an answer, to be held in place of the own one."""

    view: Any
    """A view, or the log that leads to it."""


Coming = Installed | Literal["keep", "apply"]
"""What becomes of the caller's view: as it was; the command is applied to it; replaced."""


@dataclass(frozen=True, slots=True)
class CommandAnswer:
    """What the control plane answered, and what becomes of the caller's view."""

    reply: CommandReply
    view: Coming


ANSWERS: Mapping[Kind, Codec[Any]] = MappingProxyType(
    {
        "command": record_of(
            CommandAnswer,
            reply=command_reply,
            view=variant(
                bare("keep", "keep"), bare("apply", "apply"), single("set", Installed, "view", view)
            ),
        ),
        "replicate": replicate_reply,
        "read": read_reply,
        "policy": policy_answer,
    }
)
BOOK.update({f"Effect.{kind}": codec.schema for kind, codec in EFFECTS.items()})
BOOK.update({f"Answer.{kind}": codec.schema for kind, codec in ANSWERS.items()})

Answer = CommandAnswer | ReplicateReply | ReadReply | TopicPolicy | None


def replicating(dispatch: Dispatch) -> ReplicateEffect:
    """What of a dispatch travels to the primary."""
    return ReplicateEffect(
        dispatch.primary,
        dispatch.segment_id,
        dispatch.replica_set,
        dispatch.base_offset,
        dispatch.records,
    )
