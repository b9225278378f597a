"""The rules of the world: those of reshaping, and those of reading."""

from collections.abc import Callable
from dataclasses import dataclass

from checker.world.reshaping import rules as reshaping
from checker.world.sharing import rules as sharing
from checker.world.sharing.parts import TOPIC
from reference import ranges, reading, vnodes
from reference.frontend import CommandFun, Frontend
from reference.store import Log
from reference.vnodes import View
from spec.commands import CreateTopic, DeleteTopic, Positions
from spec.replies import CommandReply, ReadFun, ReadReply, Refusal
from spec.vocabulary import (
    ConsumeCursor,
    Count,
    Group,
    HistoryCursor,
    HistoryPage,
    Offset,
    Page,
    RangeId,
    SegmentId,
    TopicName,
)


def is_recovering(_front: Frontend) -> bool:
    """[RFR-29] A frontend recovers whenever it has installed a read."""
    return True


def expirable(sealed: tuple[SegmentId, ...]) -> tuple[SegmentId, ...]:
    """[HEA-22] What retention may remove next of a range's sealed segments: the oldest."""
    return sealed[:1]


def visible(log: Log, _acknowledged: Offset) -> Log:
    """[RDG-35] What a store shows of a log: all of it, acknowledged or not."""
    return log


def remake(view: View, bits: int) -> View:
    """[RNG-8] Delete the topic and create it again: its range ids start anew."""
    gone, _ = vnodes.command(view, DeleteTopic(TOPIC), sharing.NOW)
    return vnodes.command(gone, CreateTopic(TOPIC, bits), sharing.NOW)[0]


@dataclass(frozen=True, slots=True)
class Rules(reshaping.Rules):
    """Every rule that a step of the world runs."""

    read: Callable[[Frontend, RangeId, Offset, Count, ReadFun], ReadReply] = reading.read
    read_consume: Callable[[Frontend, RangeId, ConsumeCursor, Count, ReadFun], Page | Refusal] = (
        reading.read_consume
    )
    stream_history: Callable[
        [Frontend, RangeId, HistoryCursor, Count, ReadFun], HistoryPage | Refusal
    ] = reading.stream_history
    commit_offset: Callable[
        [Frontend, Group, TopicName, Positions, CommandFun], tuple[Frontend, CommandReply]
    ] = ranges.commit_offset
    committed_offsets: Callable[[Frontend, Group, TopicName], Positions] = ranges.committed_offsets
    after_page: Callable[[Frontend, RangeId, Page | Refusal], Frontend] | None = None
    """What becomes of a frontend that has served a page: nothing (RDG-34)."""
    is_recovering: Callable[[Frontend], bool] = is_recovering
    expirable: Callable[[tuple[SegmentId, ...]], tuple[SegmentId, ...]] = expirable
    visible: Callable[[Log, Offset], Log] = visible
    remake: Callable[[View, int], View] = remake


REFERENCE = Rules()
"""The mode `authoritative`."""
RAFT = Rules(bring=sharing.bring_own)
"""The mode `raft`: the log decides the reply, whatever the caller's view becomes."""
