"""The smallest rules that close the findings, each an overlay on the reference, off by default."""

from dataclasses import replace

from immutables import Map

from checker.world.reading import rules
from checker.world.reading.sight import sources_of
from checker.world.reshaping.sight import listing_in
from checker.world.sharing.parts import TOPIC
from checker.world.sharing.rules import NOW
from reference import producing, reading, vnodes
from reference.frontend import Frontend
from reference.store import Log
from reference.vnodes import View, metadata_of
from spec.commands import Command, MergeRanges, RegisterSegment, SplitRange
from spec.replies import CommandReply, ReadFun, Refusal, SegmentExists
from spec.truth import edge_of
from spec.vocabulary import (
    ConsumeCursor,
    Count,
    Offset,
    Page,
    RangeId,
    SegmentId,
    Sequence,
)


def read_to_the_listed_edge(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, most: Count, stores: ReadFun
) -> Page | Refusal:
    """[RDG-1] Read each source up to its highest listed edge, if that is above the counter."""
    for source in sources_of(front, range_id):
        for _, segment in listing_in(front.view, source):
            edge = edge_of(segment)
            if edge is not None:
                front = producing.raise_counter(front, source, edge)
    return reading.read_consume(front, range_id, cursor, most, stores)


def no_edge_of_nothing(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, most: Count, stores: ReadFun
) -> Page | Refusal:
    """[RDG-22] Look at no segment of length 0, which ends nothing."""
    metadata = metadata_of(front.view, TOPIC)
    for each, segment in metadata.segments.items():
        if segment.length == 0:
            metadata = replace(metadata, segments=metadata.segments.delete(each))
    view = replace(front.view, vnodes=Map(dict.fromkeys(front.view.vnodes, metadata)))
    return reading.read_consume(replace(front, view=view), range_id, cursor, most, stores)


def reshapes_by_refresh(_newest: View, held: View, request: Command, _reply: CommandReply) -> View:
    """[RNG-43] In the mode raft: show a split or a merge with the next refresh, with all else."""
    if isinstance(request, SplitRange | MergeRanges):
        return held
    return vnodes.command(held, request, NOW)[0]


def keep_the_newest(sealed: tuple[SegmentId, ...]) -> tuple[SegmentId, ...]:
    """[HEA-22] Keep the newest sealed segment of a range, however old it is."""
    return sealed[:1] if len(sealed) > 1 else ()


def register_above_the_listed(view: View, request: Command) -> tuple[View, CommandReply]:
    """[RNG-16] Refuse a registration whose id is not above those that its range lists."""
    if isinstance(request, RegisterSegment):
        listing = listing_in(view, request.range_id)
        if listing and request.segment_id <= listing[-1][0]:
            return view, SegmentExists()
    return vnodes.command(view, request, NOW)


def acknowledged_alone(log: Log, acknowledged: Offset) -> Log:
    """[RDG-35] Show of a log what a majority is known to hold."""
    known = tuple(each for each in log.records if (each.offset or 0) < acknowledged)
    return replace(log, records=known)


def ids_go_on(view: View, bits: int) -> View:
    """[RNG-8] Give a topic that is made again no range id that it had before."""
    following = metadata_of(view, TOPIC).topics[TOPIC].next_range_seq
    made = rules.remake(view, bits)
    metadata = metadata_of(made, TOPIC)
    ((_, root),) = metadata.ranges.items()
    topic = replace(metadata.topics[TOPIC], next_range_seq=Sequence(following + 1))
    renamed = replace(
        metadata,
        topics=metadata.topics.set(TOPIC, topic),
        ranges=Map({RangeId(TOPIC, following): root}),
    )
    return replace(made, vnodes=Map(dict.fromkeys(made.vnodes, renamed)))
