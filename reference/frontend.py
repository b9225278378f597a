"""The frontend as a value: one broker's cached view and its own bookkeeping."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from immutables import Map

from reference import vnodes
from reference.hashing import position_of, rank_of
from reference.vnodes import View
from spec.commands import Command
from spec.replies import CommandReply
from spec.vocabulary import (
    Attributes,
    Broker,
    ByteSize,
    Fencing,
    Head,
    Offset,
    PolicyName,
    Position,
    RangeId,
    Roll,
    SegmentId,
    Sequence,
    TopicPolicy,
)

CommandFun = Callable[[View, Command], tuple[View, CommandReply]]
"""Sends a command to the control plane. Answers the reply and the view that came with it, which
is the view it was given where none came."""
PolicyFun = Callable[[PolicyName], TopicPolicy | None]
"""Looks up what a policy name stands for; none where nobody defined it."""

Key = TypeVar("Key")
Value = TypeVar("Value")

PositionFun = Callable[[bytes | None, int], Position]
"""Where a key falls in a keyspace of a given size."""
RankFun = Callable[[SegmentId, Broker], int]
"""How high a broker ranks for a segment; ties go to the higher name."""
DEFAULT_SEGMENT_MAX_BYTES = ByteSize(64 * 1024 * 1024)


def no_policy(_name: PolicyName) -> TopicPolicy | None:
    """No policy store: every name is undefined."""
    return None


@dataclass(frozen=True, slots=True)
class Options:
    """What a frontend is opened with, and what membership changes of it later."""

    brokers: tuple[Broker, ...]
    replication_factor: int = 1
    segment_max_bytes: ByteSize = DEFAULT_SEGMENT_MAX_BYTES
    spread_by: str | None = None
    broker_attributes: Map[Broker, Attributes] = field(default_factory=Map)
    min_domains: int | None = None
    placement_policy: Literal["hard", "soft"] = "hard"
    position_fun: PositionFun = position_of
    """Where a key falls in a keyspace of a given size. Another implementation may bring its own."""
    rank_fun: RankFun = rank_of
    """How brokers are ranked for a segment. Another implementation may bring its own."""


@dataclass(frozen=True, slots=True)
class Frontend:
    """One frontend. Every function of the source takes one and answers a new one."""

    options: Options
    view: View
    offsets: Map[RangeId, Offset] = field(default_factory=Map)
    """The counter: the next offset to hand out, by range."""
    heads: Map[RangeId, Head] = field(default_factory=Map)
    sequences: Map[RangeId, Sequence] = field(default_factory=Map)
    """The lowest sequence that a new segment may take, by range."""
    rolling: Map[RangeId, Roll] = field(default_factory=Map)
    """The owed rolls, at most one a range."""
    fencing: Map[RangeId, Fencing] = field(default_factory=Map)
    """The fences whose answers are awaited, at most one a range."""
    unrecovered: frozenset[RangeId] = frozenset()
    journal: tuple[Command, ...] | None = None
    """Commands that changed the view since it was last taken, oldest first; none when off."""


def open(  # noqa: A001 - the source's own name
    *,
    brokers: Iterable[Broker],
    replication_factor: int = 1,
    segment_max_bytes: ByteSize = DEFAULT_SEGMENT_MAX_BYTES,
    spread_by: str | None = None,
    broker_attributes: Map[Broker, Attributes] | None = None,
    min_domains: int | None = None,
    placement_policy: Literal["hard", "soft"] = "hard",
    view: View | None = None,
) -> Frontend:
    """[PLC-2, PLC-3, PLC-4, RFR-28] Open an empty frontend, as after every restart.

    Raises a ValueError that says why not.
    """
    brokers = tuple(brokers)
    if not brokers:
        raise ValueError("brokers is empty: a segment needs a broker to be placed on")
    if replication_factor < 1:
        raise ValueError(f"replication_factor is {replication_factor}, and must be 1 or more")
    if segment_max_bytes < 1:
        raise ValueError(f"segment_max_bytes is {segment_max_bytes}, and must be 1 or more")
    if placement_policy not in {"hard", "soft"}:
        raise ValueError(f"placement_policy is {placement_policy!r}, and must be hard or soft")
    options = Options(
        brokers=brokers,
        replication_factor=replication_factor,
        segment_max_bytes=segment_max_bytes,
        spread_by=spread_by,
        broker_attributes=Map() if broker_attributes is None else broker_attributes,
        min_domains=min_domains,
        placement_policy=placement_policy,
    )
    return Frontend(options, vnodes.single() if view is None else view)


def without(entries: Map[Key, Value], key: Key) -> Map[Key, Value]:
    """The map less one key, known or not."""
    return entries.delete(key) if key in entries else entries


def keep_view(front: Frontend, view: View, command: Command) -> Frontend:
    """[RFR-6, RNG-40] Hold the view that came with an answer, and journal what changed it.

    Where no answer came, it is the view that was sent, and nothing changes.
    """
    if view == front.view:
        return front
    if front.journal is None:
        return replace(front, view=view)
    return replace(front, view=view, journal=(*front.journal, command))
