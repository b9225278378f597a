"""The commands that lead to a view, for brokers whose views are made by commands alone.

What is found is tried on the control plane of the reference. Where it leads elsewhere there is
nothing to tell.
"""

from collections.abc import Iterator
from functools import lru_cache

from checker.conform.views import LoggedView, as_view
from reference.controlplane import Metadata, ranges_of, segments_of
from reference.vnodes import View, merged
from spec import commands
from spec.commands import Command
from spec.vocabulary import (
    ByteSize,
    Count,
    Millis,
    Offset,
    Range,
    RangeId,
    Segment,
    SegmentId,
    Sequence,
    State,
    TopicName,
)

Timed = tuple[Command, Millis | None]
"""A command with the clock that it is given."""
KEPT = 4096
"""So many views are remembered with their commands."""


@lru_cache(KEPT)
def log_of(view: View) -> LoggedView | None:
    """A log that leads to a view; none where no order of commands is found."""
    log = LoggedView(view.ring, tuple(commands_to(merged(view))))
    return log if as_view(log) == view else None


def commands_to(found: Metadata) -> Iterator[Timed]:
    """Topic by topic its ranges and segments, then what is said of topics as a whole."""
    for name, topic in sorted(found.topics.items()):
        yield commands.CreateTopic(name, topic.keyspace_size.bit_length() - 1), None
        yield from ranges_to(found, name)
        if topic.policy is not None:
            yield commands.BindTopicPolicy(name, topic.policy), None
    for (group, name), positions in sorted(found.committed.items()):
        yield commands.CommitOffset(group, name, positions), None
    for name, topic in sorted(found.topics.items()):
        if topic.state is State.SEALED:
            yield commands.SealTopic(name), None
    yield from ((commands.BeginMigration(name), None) for name in sorted(found.migrating))


def ranges_to(found: Metadata, topic: TopicName) -> Iterator[Timed]:
    """Each range is filled when it is there, and so before it is retired for others."""
    blocks = dict(ranges_of(found, topic))
    made = {RangeId(topic, Sequence(0))}
    for range_id, block in sorted(blocks.items()):
        if range_id not in made:
            *_, parent = block.parents
            if width(block) < width(blocks[parent]):
                made.add(RangeId(topic, Sequence(range_id.seq + 1)))
                yield commands.SplitRange(parent), None
            else:
                yield commands.MergeRanges(block.parents[-2], parent), None
        yield from segments_to(found, range_id)


def width(block: Range) -> int:
    """How many positions a range covers."""
    return block.key_end - block.key_start


def segments_to(found: Metadata, range_id: RangeId) -> Iterator[Timed]:
    """Each segment behind the end of those before. Where one is gone, another fills its place."""
    listed = segments_of(found, range_id)
    spare = SegmentId(range_id, Sequence(1 + max((one.seq for one, _ in listed), default=0)))
    end: Offset | None = None
    for segment_id, segment in sorted(listed, key=lambda pair: (pair[1].start_offset, pair[0])):
        has_gap = end is not None and end < segment.start_offset
        if end is not None and has_gap:
            gap = Count(segment.start_offset - end)
            yield commands.RegisterSegment(range_id, spare, segment.replica_set, end), None
            yield commands.SealSegment(spare, gap, ByteSize(0), Millis(0)), None
        yield from segment_to(segment_id, segment)
        if has_gap:
            yield commands.DeleteSegment(spare), None
        if segment.length is not None:
            end = Offset(max(end or 0, segment.start_offset + segment.length))


def segment_to(segment_id: SegmentId, segment: Segment) -> Iterator[Timed]:
    """One segment, closed where it is."""
    replicas, start = segment.replica_set, segment.start_offset
    opened = commands.RegisterSegment(segment.range_id, segment_id, replicas, start)
    yield opened, segment.opened_at
    if segment.length is not None:
        size, at = segment.byte_size or ByteSize(0), segment.sealed_at or Millis(0)
        yield commands.SealSegment(segment_id, segment.length, size, at), None
