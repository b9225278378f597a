"""The named changes of the machine, each one rule exchanged for another."""

from dataclasses import replace

from immutables import Map

from checker.world.reading.sight import sources_of
from checker.world.reshaping.sight import blocks_of, listing_in
from checker.world.sharing.parts import TOPIC
from checker.world.sharing.rules import NOW
from reference import reading, rolling, store, vnodes
from reference.controlplane import Metadata
from reference.frontend import CommandFun, Frontend
from reference.store import Log
from reference.vnodes import View, metadata_of
from spec.commands import Command, CommitOffset
from spec.replies import Appended, CommandReply, Eof, Ok, ReadFun, ReadReply, Refusal, Sealed
from spec.truth import edge_of
from spec.vocabulary import (
    DONE,
    START,
    Broker,
    ByteSize,
    ConsumeCursor,
    Count,
    Cursor,
    HistoryCursor,
    HistoryPage,
    Millis,
    Offset,
    Page,
    Position,
    RangeId,
    Record,
    Roll,
    Segment,
    SegmentId,
)

Answer = Page | Refusal


def page_moves_the_counter(front: Frontend, range_id: RangeId, answer: Answer) -> Frontend:
    """[RDG-34] Take the end of a page for the end of the range."""
    if not isinstance(answer, Page) or not answer.records or answer.cursor == START:
        return front
    return replace(front, offsets=front.offsets.set(range_id, answer.cursor.offset))


def no_seed(_front: Frontend) -> bool:
    """[RFR-29] Recover nothing after a restart or a refresh."""
    return False


def unknown_end_served(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, most: Count, stores: ReadFun
) -> Answer:
    """[RDG-16] Serve a range whose end was never learned."""
    served = replace(front, unrecovered=frozenset())
    return reading.read_consume(served, range_id, cursor, most, stores)


def hole_wedges(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, most: Count, stores: ReadFun
) -> Answer:
    """[RDG-4] Look for nothing above a hole."""
    at = cursor if isinstance(cursor, Cursor) else Cursor(0, Offset(0))
    narrow = front
    for place, source in enumerate(sources_of(front, range_id)):
        offset = at.offset if place == at.source else Offset(0)
        narrow = _without_what_lies_beyond_a_hole(narrow, source, offset)
    return reading.read_consume(narrow, range_id, cursor, most, stores)


def zero_length_wedges(
    front: Frontend, range_id: RangeId, offset: Offset, most: Count, stores: ReadFun
) -> ReadReply:
    """[RDG-5] Among segments with one start, ask the first alone."""
    listing = listing_in(front.view, range_id)
    starts = [segment.start_offset for _, segment in listing]
    # Compared one by one, so that it runs on offsets that nobody knows.
    firsts = {
        each
        for place, (each, segment) in enumerate(listing)
        if all(start != segment.start_offset for start in starts[:place])
    }
    return reading.read(_keeping(front, range_id, firsts), range_id, offset, most, stores)


def count_from_request(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, most: Count, stores: ReadFun
) -> Answer:
    """[RDG-11] Go on at the offset asked for plus the number of records that came."""
    page = reading.read_consume(front, range_id, cursor, most, stores)
    at = cursor if isinstance(cursor, Cursor) else Cursor(0, Offset(0))
    if isinstance(page, Refusal) or not isinstance(page.cursor, Cursor) or not page.records:
        return page
    if page.cursor.source != at.source:
        return page
    return replace(page, cursor=Cursor(at.source, Offset(at.offset + len(page.records))))


def no_clamp(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, most: Count, stores: ReadFun
) -> Answer:
    """[RDG-6] Ask a sealed segment for as much as an open one."""

    def unclamped(broker: Broker, each: SegmentId, offset: Offset, _at_most: Count) -> ReadReply:
        return stores(broker, each, offset, most)

    return reading.read_consume(front, range_id, cursor, most, unclamped)


def overfull(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, most: Count, stores: ReadFun
) -> Answer:
    """[RDG-9] Ask each segment for a whole page, whatever the page holds already."""
    edges = {each: edge_of(segment) for each, segment in _segments(front)}

    def whole(broker: Broker, each: SegmentId, offset: Offset, _at_most: Count) -> ReadReply:
        edge = edges.get(each)
        room = most if edge is None else min(most, Count(edge - offset))
        return stores(broker, each, offset, room)

    return reading.read_consume(front, range_id, cursor, most, whole)


def error_is_eof(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, most: Count, stores: ReadFun
) -> Answer:
    """[RDG-8] Take a failed read for the end."""

    def hidden(broker: Broker, each: SegmentId, offset: Offset, at_most: Count) -> ReadReply:
        reply = stores(broker, each, offset, at_most)
        return Eof() if isinstance(reply, Refusal) else reply

    return reading.read_consume(front, range_id, cursor, most, hidden)


def self_source_ends(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, most: Count, stores: ReadFun
) -> Answer:
    """[RDG-18] Answer a cursor past the last source where it is caught up."""
    page = reading.read_consume(front, range_id, cursor, most, stores)
    if isinstance(page, Refusal) or len(page.records) >= most:
        return page
    return replace(page, cursor=Cursor(len(sources_of(front, range_id)), Offset(0)))


def skips_unsaid(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, most: Count, stores: ReadFun
) -> Answer:
    """[RDG-20] List no skip."""
    page = reading.read_consume(front, range_id, cursor, most, stores)
    return page if isinstance(page, Refusal) else replace(page, skips=())


def skips_too_long(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, most: Count, stores: ReadFun
) -> Answer:
    """[RDG-21] Count the record that was read as skipped."""
    page = reading.read_consume(front, range_id, cursor, most, stores)
    if isinstance(page, Refusal):
        return page
    longer = (replace(each, offsets=Count((each.offsets or 0) + 1)) for each in page.skips)
    return replace(page, skips=tuple(longer))


def skips_ahead(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, most: Count, stores: ReadFun
) -> Answer:
    """[RDG-20] List a hole on a page that stays before it, as the next page does again."""
    page = reading.read_consume(front, range_id, cursor, most, stores)
    if isinstance(page, Refusal) or len(page.records) < most:
        return page
    ahead = reading.read_consume(front, range_id, page.cursor, most, stores)
    return page if isinstance(ahead, Refusal) else replace(page, skips=(*page.skips, *ahead.skips))


def last_replica(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, most: Count, stores: ReadFun
) -> Answer:
    """[RDG-7] Ask the last replica in place of the first."""
    segments = dict(_segments(front))

    def last(_broker: Broker, each: SegmentId, offset: Offset, at_most: Count) -> ReadReply:
        return stores(segments[each].replica_set[-1], each, offset, at_most)

    return reading.read_consume(front, range_id, cursor, most, last)


def empty_page_loops(
    front: Frontend, range_id: RangeId, cursor: HistoryCursor, most: Count, stores: ReadFun
) -> HistoryPage | Refusal:
    """[RDG-27] Keep the cursor of a page without records."""
    page = reading.stream_history(front, range_id, cursor, most, stores)
    if isinstance(page, Refusal) or page.records or page.cursor == DONE:
        return page
    return replace(page, cursor=cursor)


def history_unfiltered(
    front: Frontend, range_id: RangeId, cursor: HistoryCursor, most: Count, stores: ReadFun
) -> HistoryPage | Refusal:
    """[RDG-13] Deliver an ancestor's records of all keys."""
    metadata = metadata_of(front.view, TOPIC)
    block = metadata.ranges[range_id]
    whole = replace(block, key_start=Position(0), key_end=Position(block.keyspace_size))
    ranges = metadata.ranges.set(range_id, whole)
    return reading.stream_history(
        _viewing(front, replace(metadata, ranges=ranges)), range_id, cursor, most, stores
    )


def seal_one_short(
    front: Frontend, roll: Roll, end: Offset, size: ByteSize, at: Millis, tell: CommandFun
) -> tuple[Frontend, Ok | Refusal]:
    """[ROL-3] Record a length that leaves out the last record."""
    shorter = Offset(max(roll.start_offset, end - 1))
    return rolling.record_seal(front, roll, shorter, size, at, tell)


def offset_given_twice(log: Log, records: tuple[Record, ...]) -> tuple[Log, Appended | Sealed]:
    """[ROL-31] Give a record the offset of the one before it."""
    longer, reply = store.append(log, records)
    if not log.records or not isinstance(reply, Appended):
        return longer, reply
    again = replace(longer.records[-1], offset=log.records[-1].offset)
    return replace(longer, records=(*log.records, again)), Appended(Offset(reply.last - 1))


def commit_lost(view: View, request: Command) -> tuple[View, CommandReply]:
    """[RNG-24] Answer a commit and keep nothing of it."""
    answered, reply = vnodes.command(view, request, NOW)
    return (view if isinstance(request, CommitOffset) else answered), reply


def _segments(front: Frontend) -> tuple[tuple[SegmentId, Segment], ...]:
    return tuple(
        pair for range_id, _ in blocks_of(front.view) for pair in listing_in(front.view, range_id)
    )


def _without_what_lies_beyond_a_hole(
    front: Frontend, range_id: RangeId, offset: Offset
) -> Frontend:
    kept: set[SegmentId] = set()
    at = offset
    for each, segment in listing_in(front.view, range_id):
        edge = edge_of(segment)
        if segment.start_offset <= at and (edge is None or at <= edge):
            kept.add(each)
            at = at if edge is None else edge
        elif edge is not None and edge <= offset:
            kept.add(each)
    return _keeping(front, range_id, kept)


def _keeping(front: Frontend, range_id: RangeId, kept: set[SegmentId]) -> Frontend:
    metadata = metadata_of(front.view, TOPIC)
    segments = metadata.segments
    for each, _ in listing_in(front.view, range_id):
        segments = segments if each in kept else segments.delete(each)
    return _viewing(front, replace(metadata, segments=segments))


def _viewing(front: Frontend, metadata: Metadata) -> Frontend:
    view = replace(front.view, vnodes=Map(dict.fromkeys(front.view.vnodes, metadata)))
    return replace(front, view=view)
