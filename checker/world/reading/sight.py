"""How the world shows its parts to the laws: as the values of `spec.truth`."""

from collections.abc import Iterator
from functools import lru_cache

from immutables import Map

from checker.world.reading.consuming import serving
from checker.world.reading.parts import Asked, Consumer, Past, past_of
from checker.world.reading.rules import Rules
from checker.world.reshaping.parts import Logs, position_of
from checker.world.reshaping.sight import blocks_of, listing_in
from reference.frontend import Frontend
from reference.vnodes import View
from spec import ideal
from spec.replies import Refusal
from spec.truth import Passage, Passed, edge_of
from spec.vocabulary import (
    DONE,
    START,
    Count,
    HistoryCursor,
    HistoryPage,
    Offset,
    Page,
    Range,
    RangeId,
    Record,
)

MOST_KEPT = 1 << 18
MOST_PAGES = 30
"""More pages than any history of this world has."""


@lru_cache(maxsize=MOST_KEPT)
def stored_in(view: View, logs: Logs, range_id: RangeId) -> tuple[Record, ...]:
    """The records of a range that somebody lists and a store holds, below every edge."""
    return tuple(
        record
        for segment_id, segment in listing_in(view, range_id)
        if segment_id in logs
        for record in logs[segment_id].records
        if (edge := edge_of(segment)) is None or (record.offset or 0) < edge
    )


@lru_cache(maxsize=MOST_KEPT)
def end_of(view: View, logs: Logs, past: Past, range_id: RangeId) -> Offset:
    """How far the log of a range reaches, expired records included, hidden ones not."""
    listed = dict(listing_in(view, range_id))
    expired = past_of(Map({each: past[each] for each in past if each not in listed}), range_id)
    known = (*expired, *stored_in(view, logs, range_id))
    starts = [segment.start_offset for segment in listed.values()]
    return Offset(max([0, *starts, *((record.offset or 0) + 1 for record in known)]))


def sources_of(front: Frontend, range_id: RangeId) -> tuple[RangeId, ...]:
    """The sources of a range's stream, as its frontend lists them."""
    block = dict(blocks_of(front.view)).get(range_id)
    return () if block is None else (*block.parents, range_id)


def is_in_slice(block: Range, source: RangeId, range_id: RangeId, record: Record) -> bool:
    """Whether a record belongs to the range's stream."""
    position = position_of(record.key, block.keyspace_size)
    return source == range_id or block.key_start <= position < block.key_end


@lru_cache(maxsize=MOST_KEPT)
def stream_of(
    front: Frontend, view: View, logs: Logs, past: Past, range_id: RangeId
) -> tuple[Passed, ...]:
    """All that a stream holds or held, in order."""
    blocks = dict(blocks_of(front.view))
    entries: list[Passed] = []
    for place, source in enumerate(sources_of(front, range_id)):
        stored = stored_in(view, logs, source)
        lost = [record for record in past_of(past, source) if record not in stored]
        entries += [
            Passed(
                place,
                record,
                is_stored=record in stored,
                is_in_slice=is_in_slice(blocks[range_id], source, range_id, record),
                is_known=(record.offset or 0) < front.offsets.get(source, Offset(0)),
            )
            for record in (*lost, *stored)
        ]
    return tuple(sorted(entries, key=lambda each: (each.source, each.offset)))


@lru_cache(maxsize=MOST_KEPT)
def passage_of(
    front: Frontend, consumer: Consumer, asked: Asked, view: View, logs: Logs, past: Past
) -> Passage | None:
    """A page with all that it passed; none for an error."""
    if not isinstance(asked.answer, Page):
        return None
    stream = stream_of(front, view, logs, past, consumer.range_id)
    return Passage(
        sources_of(front, consumer.range_id),
        consumer.cursor,
        asked.budget,
        asked.answer,
        ideal.passed(stream, consumer.cursor, asked.answer.cursor),
    )


def listed_of(
    front: Frontend, logs: Logs, range_id: RangeId, source: RangeId
) -> tuple[Passed, ...] | None:
    """What a frontend lists of one source of a stream; none where a store has lost some of it."""
    if any(each not in logs for each, _ in listing_in(front.view, source)):
        return None
    block = dict(blocks_of(front.view))[range_id]
    counter = front.offsets.get(source, Offset(0))
    return tuple(
        Passed(
            0,
            record,
            is_stored=(is_known := (record.offset or 0) < counter),
            is_in_slice=is_in_slice(block, source, range_id, record),
            is_known=is_known,
        )
        for record in stored_in(front.view, logs, source)
    )


def history_listed(front: Frontend, logs: Logs, range_id: RangeId) -> tuple[Passed, ...] | None:
    """The same of all its sources, in order."""
    found: list[Passed] = []
    for source in sources_of(front, range_id):
        listed = listed_of(front, logs, range_id, source)
        if listed is None:
            return None
        found += listed
    return tuple(found)


def history_pages(
    rules: Rules, front: Frontend, logs: Logs, range_id: RangeId
) -> Iterator[HistoryPage]:
    """The pages of a range's history, as far as anybody would turn them."""
    cursor: HistoryCursor = START
    for _ in range(MOST_PAGES):
        page = rules.stream_history(front, range_id, cursor, Count(2), serving(logs, []))
        if isinstance(page, Refusal):
            return
        yield page
        cursor = page.cursor
        if cursor == DONE:
            return
