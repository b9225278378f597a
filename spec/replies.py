"""Every reply, and every refusal with its facts.

A refusal says whether the thing certainly did not happen (`is_definite`). Its `name` is the
word that the source uses, so that a log of the broker and a trace of the model read alike.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from spec.commands import TopicExport
from spec.vocabulary import Broker, Count, Dispatch, Offset, Placement, RangeId, Record, SegmentId


@dataclass(frozen=True, slots=True)
class Ok:
    """It happened, and there is nothing more to say."""


@dataclass(frozen=True, slots=True)
class Created:
    """Ranges that a command created, in key order."""

    range_ids: tuple[RangeId, ...]


@dataclass(frozen=True, slots=True)
class Appended:
    """A quorum holds the batch; its last record has this offset."""

    last: Offset


@dataclass(frozen=True, slots=True)
class Records:
    """What a read found, each record with its offset; perhaps none."""

    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Eof:
    """Nothing is stored at that offset or above it."""


@dataclass(frozen=True, slots=True)
class Unexpected:
    """An answer outside the protocol."""

    answer: str


@dataclass(frozen=True, slots=True)
class Exported:
    """A topic taken out of a vnode whole, or none where it was not known."""

    topic: TopicExport | None


@dataclass(frozen=True, slots=True)
class Produced:
    """Where the records of a produce were placed, in ascending range id."""

    placements: tuple[Placement, ...]


@dataclass(frozen=True, slots=True)
class Planned:
    """Where the records of a produce were planned, and what has to be sent for it."""

    placements: tuple[Placement, ...]
    dispatches: tuple[Dispatch, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something was asked for and is not answered with success."""

    name: ClassVar[str] = "refusal"
    is_definite: ClassVar[bool] = True
    """Whether what was asked for certainly did not happen, and will not.

    Of a produce over several ranges it speaks of the group that was refused: those before it stay
    (PRD-20).
    """


@dataclass(frozen=True, slots=True)
class InvalidTopicName(Refusal):
    """A topic is named by letters, digits, dot, underscore and hyphen, and not `.` or `..`."""

    name: ClassVar[str] = "invalid_topic_name"


@dataclass(frozen=True, slots=True)
class AlreadyExists(Refusal):
    """The topic is known."""

    name: ClassVar[str] = "already_exists"


@dataclass(frozen=True, slots=True)
class InvalidKeyspaceBits(Refusal):
    """A keyspace has 1 to 32 bits."""

    name: ClassVar[str] = "invalid_keyspace_bits"


@dataclass(frozen=True, slots=True)
class NoSuchTopic(Refusal):
    """The topic is not known."""

    name: ClassVar[str] = "no_such_topic"


@dataclass(frozen=True, slots=True)
class NoSuchRange(Refusal):
    """The range is not known."""

    name: ClassVar[str] = "no_such_range"


@dataclass(frozen=True, slots=True)
class RangeSealed(Refusal):
    """The range is retired."""

    name: ClassVar[str] = "sealed"


@dataclass(frozen=True, slots=True)
class ActiveSegmentExists(Refusal):
    """The range still has a write head."""

    name: ClassVar[str] = "active_segment_exists"


@dataclass(frozen=True, slots=True)
class CannotSplit(Refusal):
    """The range holds a single position."""

    name: ClassVar[str] = "cannot_split"


@dataclass(frozen=True, slots=True)
class DifferentTopic(Refusal):
    """The two ranges belong to different topics."""

    name: ClassVar[str] = "different_topic"


@dataclass(frozen=True, slots=True)
class RangeTopicMismatch(Refusal):
    """The two ranges route by different topics."""

    name: ClassVar[str] = "range_topic_mismatch"


@dataclass(frozen=True, slots=True)
class NotBuddies(Refusal):
    """The two ranges are not the halves of one block."""

    name: ClassVar[str] = "not_buddies"


@dataclass(frozen=True, slots=True)
class SegmentExists(Refusal):
    """The segment id is taken."""

    name: ClassVar[str] = "segment_exists"


@dataclass(frozen=True, slots=True)
class SegmentOverlap(Refusal):
    """The start is not the end of what the range lists."""

    name: ClassVar[str] = "segment_overlap"


@dataclass(frozen=True, slots=True)
class NoSuchSegment(Refusal):
    """The segment is not known."""

    name: ClassVar[str] = "no_such_segment"


@dataclass(frozen=True, slots=True)
class AlreadySealed(Refusal):
    """The segment is sealed with another length."""

    name: ClassVar[str] = "already_sealed"

    existing: Count
    """The length on record."""


@dataclass(frozen=True, slots=True)
class SegmentActive(Refusal):
    """An active segment cannot be removed."""

    name: ClassVar[str] = "segment_active"


@dataclass(frozen=True, slots=True)
class InvalidPolicy(Refusal):
    """A policy is named by a string that is not empty."""

    name: ClassVar[str] = "invalid_policy"


@dataclass(frozen=True, slots=True)
class Migrating(Refusal):
    """The topic is on its way to another vnode."""

    name: ClassVar[str] = "migrating"


@dataclass(frozen=True, slots=True)
class NoVnode(Refusal):
    """The ring is empty: nobody owns the topic."""

    name: ClassVar[str] = "no_vnode"


@dataclass(frozen=True, slots=True)
class UnknownCommand(Refusal):
    """The control plane does not know the command."""

    name: ClassVar[str] = "unknown_command"


@dataclass(frozen=True, slots=True)
class Sealed(Refusal):
    """The segment is fenced at its primary; nothing was stored."""

    name: ClassVar[str] = "sealed"

    end_offset: Offset


@dataclass(frozen=True, slots=True)
class InsufficientDomains(Refusal):
    """Too few failure domains for a hard policy."""

    name: ClassVar[str] = "insufficient_domains"

    covered: int
    required: int


@dataclass(frozen=True, slots=True)
class NoBrokers(Refusal):
    """There is nobody to place a segment on."""

    name: ClassVar[str] = "no_brokers"


@dataclass(frozen=True, slots=True)
class InvalidReplicationFactor(Refusal):
    """A replica set has at least one replica."""

    name: ClassVar[str] = "invalid_replication_factor"


@dataclass(frozen=True, slots=True)
class InvalidArgument(Refusal):
    """An argument is outside the domain of the function."""

    name: ClassVar[str] = "invalid_argument"

    argument: str
    reason: str


@dataclass(frozen=True, slots=True)
class Unroutable(Refusal):
    """No active range owns the key."""

    name: ClassVar[str] = "unroutable"

    key: bytes | None


@dataclass(frozen=True, slots=True)
class NoReplicas(Refusal):
    """The segment lists no replica: there is nobody to ask."""

    name: ClassVar[str] = "no_replicas"


@dataclass(frozen=True, slots=True)
class MetadataUnavailable(Refusal):
    """The end of the range has not been learned since the restart."""

    name: ClassVar[str] = "metadata_unavailable"


@dataclass(frozen=True, slots=True)
class UnexpectedRegisterReply(Refusal):
    """The control plane answered a registration with something else."""

    name: ClassVar[str] = "unexpected_register_reply"
    is_definite: ClassVar[bool] = False

    answer: str


@dataclass(frozen=True, slots=True)
class UnexpectedSealReply(Refusal):
    """The control plane answered a seal with something else."""

    name: ClassVar[str] = "unexpected_seal_reply"
    is_definite: ClassVar[bool] = False

    answer: str


@dataclass(frozen=True, slots=True)
class Failed(Refusal):
    """[PRD-28] An effect failed for a reason of its own: it may have happened, or may yet."""

    name: ClassVar[str] = "failed"
    is_definite: ClassVar[bool] = False

    reason: str


CommandReply = Ok | Created | Exported | Refusal | Unexpected
"""What a command is answered."""
ReplicateReply = Appended | Refusal
ReadReply = Records | Eof | Refusal
ReplicateFun = Callable[[Dispatch], ReplicateReply]
"""Sends one batch to its primary and waits for the answer."""
ReadFun = Callable[[Broker, SegmentId, Offset, Count], ReadReply]
"""Reads at most a count of records from an offset of a segment at a broker."""
