"""Reading: one read, a page of a consumer's stream, a page of a history, a whole history.

A range's stream is what its ancestors hold for its slice of the keyspace, oldest first, and then
its own records. A cursor is an index into these sources and an offset there.

A read changes nothing, so no function here answers a frontend (RDG-34).
"""

from dataclasses import dataclass, replace

from reference.controlplane import segments_of
from reference.frontend import Frontend
from reference.vnodes import metadata_of
from spec.replies import (
    Eof,
    InvalidArgument,
    MetadataUnavailable,
    NoReplicas,
    NoSuchRange,
    ReadFun,
    ReadReply,
    Records,
    Refusal,
)
from spec.vocabulary import (
    DONE,
    ConsumeCursor,
    Count,
    Cursor,
    HistoryCursor,
    HistoryPage,
    Offset,
    Origin,
    Page,
    Range,
    RangeId,
    Record,
    Segment,
    SegmentId,
    Skip,
    Source,
    State,
)

HISTORY_PAGE = Count(1000)
"""How many records read_history asks for at a time."""


@dataclass(frozen=True, slots=True)
class _Walk:
    """A consumer's page so far, and where it stands."""

    cursor: Cursor
    origin: Origin
    records: tuple[Record, ...] = ()
    skips: tuple[Skip, ...] = ()


def read(
    front: Frontend, range_id: RangeId, offset: Offset, max_records: Count, read_fun: ReadFun
) -> ReadReply:
    """[RDG-1, RDG-3] Records of one segment, from an offset or the next one stored."""
    if max_records < 1:
        return _too_few(max_records)
    return _read_source(front, range_id, offset, max_records, read_fun)


def read_consume(
    front: Frontend,
    range_id: RangeId,
    cursor: ConsumeCursor,
    max_records: Count,
    read_fun: ReadFun,
) -> Page | Refusal:
    """[RDG-17, RDG-18, RDG-39] The next page of a range's stream; empty where it is caught up."""
    block = metadata_of(front.view, range_id.topic).ranges.get(range_id)
    if max_records < 1:
        return _too_few(max_records)
    if block is None:
        # Keeps RDG-15: a range that nobody knows has no empty stream.
        return NoSuchRange()
    if range_id in front.unrecovered:
        # Keeps RDG-16: an end that is not known is not taken for the end.
        return MetadataUnavailable()
    if isinstance(cursor, Cursor):
        walk = _Walk(cursor, Origin.CURSOR)
    else:
        walk = _Walk(Cursor(0, Offset(0)), Origin.START)
    return _consume(front, (*block.parents, range_id), block, walk, max_records, read_fun)


def stream_history(
    front: Frontend,
    range_id: RangeId,
    cursor: HistoryCursor,
    max_records: Count,
    read_fun: ReadFun,
) -> HistoryPage | Refusal:
    """[RDG-26, RDG-27, RDG-28, RDG-30, RDG-39] The next page of a history; DONE ends it."""
    if cursor == DONE:
        return HistoryPage((), DONE)
    if max_records < 1:
        return _too_few(max_records)
    block = metadata_of(front.view, range_id.topic).ranges.get(range_id)
    if block is None:
        return NoSuchRange()
    # Keeps RDG-12: ancestors first, as they are listed, and then the range itself.
    sources = (*block.parents, range_id)
    index, offset = cursor if isinstance(cursor, Cursor) else Cursor(0, Offset(0))
    while index < len(sources):
        reply = _read_source(front, sources[index], offset, max_records, read_fun)
        if isinstance(reply, Refusal):
            return reply
        if isinstance(reply, Records) and reply.records:
            kept = _in_slice(front, sources[index], range_id, block, reply.records)
            return HistoryPage(kept, Cursor(index, _after(reply.records)))
        index, offset = index + 1, Offset(0)
    return HistoryPage((), DONE)


def read_history(front: Frontend, range_id: RangeId, read_fun: ReadFun) -> Records | Refusal:
    """[RDG-29] A range's whole history in one list."""
    records: tuple[Record, ...] = ()
    cursor: HistoryCursor = "start"
    while cursor != DONE:
        page = stream_history(front, range_id, cursor, HISTORY_PAGE, read_fun)
        if isinstance(page, Refusal):
            return page
        records, cursor = records + page.records, page.cursor
    return Records(records)


def _consume(
    front: Frontend,
    sources: tuple[RangeId, ...],
    block: Range,
    walk: _Walk,
    max_records: Count,
    read_fun: ReadFun,
) -> Page | Refusal:
    """[RDG-8, RDG-17, RDG-30] Read on until the page is full, nothing is left or a read fails."""
    range_id = sources[-1]
    while walk.cursor.source < len(sources) and len(walk.records) < max_records:
        source = sources[walk.cursor.source]
        # Keeps RDG-9: what the page holds already counts against its budget.
        budget = Count(max_records - len(walk.records))
        reply = _read_source(front, source, walk.cursor.offset, budget, read_fun)
        if isinstance(reply, Refusal):
            return reply
        if isinstance(reply, Records) and reply.records:
            kept = _in_slice(front, source, range_id, block, reply.records)
            walk = _delivered(walk, range_id, source, reply.records, kept)
        elif source == range_id:
            walk = _caught_up(front, range_id, walk)
            break
        else:
            walk = _next_source(front, range_id, source, walk)
    return Page(walk.records, walk.cursor, walk.skips)


def _delivered(
    walk: _Walk,
    range_id: RangeId,
    source: RangeId,
    found: tuple[Record, ...],
    kept: tuple[Record, ...],
) -> _Walk:
    """[RDG-11, RDG-14, RDG-21] Move behind what came, and list the hole stepped over."""
    first = Offset(found[0].offset or 0)
    passed = Count(first - walk.cursor.offset)
    skips = _with_skip(walk, range_id, source, walk.cursor.offset, passed)
    cursor = Cursor(walk.cursor.source, _after(found))
    return replace(walk, cursor=cursor, records=walk.records + kept, skips=skips)


def _caught_up(front: Frontend, range_id: RangeId, walk: _Walk) -> _Walk:
    """[RDG-19, RDG-38] Stay on the range itself, not below what it still lists."""
    at = walk.cursor.offset
    listed = [segment.start_offset for _, segment in _listed(front, range_id)]
    floor = max(at, min(listed)) if listed else at
    skips = _with_skip(walk, range_id, range_id, at, Count(floor - at))
    return replace(walk, cursor=Cursor(walk.cursor.source, floor), skips=skips)


def _next_source(front: Frontend, range_id: RangeId, source: RangeId, walk: _Walk) -> _Walk:
    """[RDG-22, RDG-23, RDG-40] Leave an ancestor, and list what of its end is no longer stored."""
    at = walk.cursor.offset
    listed = _listed(front, source)
    if not listed and not _is_end_known(front, source):
        passed = None if at > 0 else Count(0)
    else:
        edge = max((_edge(segment) for _, segment in listed), default=Offset(0))
        at = max(at, edge)
        passed = Count(front.offsets.get(source, Offset(0)) - at)
    skips = _with_skip(walk, range_id, source, at, passed)
    return replace(walk, cursor=Cursor(walk.cursor.source + 1, Offset(0)), skips=skips)


def _with_skip(
    walk: _Walk, range_id: RangeId, source: RangeId, at: Offset, passed: Count | None
) -> tuple[Skip, ...]:
    """[RDG-20, RDG-24, RDG-25] The page's skips with one more, if it passed anything."""
    if passed is not None and passed <= 0:
        return walk.skips
    kind = Source.SELF if source == range_id else Source.ANCESTOR
    return (*walk.skips, Skip(range_id, source, at, passed, walk.origin, kind))


def _read_source(
    front: Frontend, source: RangeId, offset: Offset, max_records: Count, read_fun: ReadFun
) -> ReadReply:
    """[RDG-7, RDG-33, RDG-37] Ask the primary of the serving segment, up to its edge.

    Below the edge nothing is ever cut, so what was read there is read again.
    """
    served = _serving(front, source, offset)
    if served is None:
        return Eof()
    segment_id, segment, at = served
    if not segment.replica_set:
        # Keeps RDG-36: records that nobody can be asked for are not missing.
        return NoReplicas()
    asked = max_records
    if segment.state is State.SEALED:
        # Keeps RDG-6: what a store holds above the edge is not part of the log.
        asked = min(max_records, Count(_edge(segment) - at))
    return read_fun(segment.replica_set[0], segment_id, at, asked)


def _serving(
    front: Frontend, source: RangeId, offset: Offset
) -> tuple[SegmentId, Segment, Offset] | None:
    """[RDG-1, RDG-2, RDG-4, RDG-32] The segment that serves an offset, else the next above."""
    if not 0 <= offset < front.offsets.get(source, Offset(0)):
        return None
    listed = _listed(front, source)
    below = [pair for pair in listed if pair[1].start_offset <= offset and _serves(pair[1], offset)]
    if below:
        latest = max(segment.start_offset for _, segment in below)
        segment_id, segment = next(pair for pair in below if pair[1].start_offset == latest)
        return segment_id, segment, offset
    above = [
        pair
        for pair in listed
        if offset < pair[1].start_offset and _serves(pair[1], pair[1].start_offset)
    ]
    if not above:
        return None
    nearest = min(segment.start_offset for _, segment in above)
    segment_id, segment = next(pair for pair in above if pair[1].start_offset == nearest)
    return segment_id, segment, segment.start_offset


def _serves(segment: Segment, offset: Offset) -> bool:
    """[RDG-5] Whether an offset that is not below its start lies in a segment."""
    return segment.state is State.ACTIVE or offset < _edge(segment)


def _edge(segment: Segment) -> Offset:
    return Offset(segment.start_offset + (segment.length or 0))


def _listed(front: Frontend, range_id: RangeId) -> tuple[tuple[SegmentId, Segment], ...]:
    return segments_of(metadata_of(front.view, range_id.topic), range_id)


def _is_end_known(front: Frontend, range_id: RangeId) -> bool:
    """[RFR-35] Whether this frontend has learned where a range ends."""
    return range_id in front.offsets and range_id not in front.unrecovered


def _in_slice(
    front: Frontend,
    source: RangeId,
    range_id: RangeId,
    block: Range,
    records: tuple[Record, ...],
) -> tuple[Record, ...]:
    """[RDG-13] An ancestor's records in the range's slice; its own are all its own."""
    if source == range_id:
        return records
    position_fun = front.options.position_fun
    return tuple(
        record
        for record in records
        if block.key_start <= position_fun(record.key, block.keyspace_size) < block.key_end
    )


def _after(records: tuple[Record, ...]) -> Offset:
    """[RDG-11] The offset behind the last record: its own word, not a count of what was asked."""
    return Offset((records[-1].offset or 0) + 1)


def _too_few(max_records: Count) -> InvalidArgument:
    """[RDG-10] The refusal of a budget that holds no record."""
    return InvalidArgument("max_records", f"is {max_records}, and must be 1 or more")
