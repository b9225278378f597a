"""Mistakes about reads, pages and histories."""

from dataclasses import replace

from immutables import Map

from checker.conform.operations import Answered, Arguments, Effects
from checker.conform.wrong.twists import Through, right, with_metadata
from reference.controlplane import Metadata
from reference.frontend import Frontend
from spec.replies import Eof, ReadReply, Records, Refusal
from spec.vocabulary import (
    START,
    Broker,
    Count,
    Cursor,
    HistoryPage,
    Offset,
    Page,
    RangeId,
    SegmentId,
)


class HolesEnd(Through):
    """Reads nothing where the offset that was asked for is not stored."""

    def __init__(self, effects: Effects, asked: Offset) -> None:
        super().__init__(effects)
        self._asked = asked

    def read(
        self, broker: Broker, segment_id: SegmentId, offset: Offset, max_records: Count
    ) -> ReadReply:
        """Read from a log."""
        if offset > self._asked:
            return Eof()
        return self.effects.read(broker, segment_id, offset, max_records)


def hole_wedges(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RDG-4] Answer eof in a hole."""
    return right("read", front, args, HolesEnd(effects, args["offset"]))


def count_from_request(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RDG-11] Count the cursor on from where it asked."""
    front, page = right("read_consume", front, args, effects)
    if not isinstance(page, Page) or not page.records or not isinstance(page.cursor, Cursor):
        return front, page
    asked = args["cursor"]
    start = Cursor(0, Offset(0)) if asked == START else asked
    if start.source != page.cursor.source:
        return front, page
    moved = Cursor(start.source, Offset(start.offset + len(page.records)))
    return front, replace(page, cursor=moved)


def first_of_each_start(front: Frontend) -> Frontend:
    """A view in which one segment hides those that begin where it does."""

    def hidden(metadata: Metadata) -> Metadata:
        seen: set[tuple[RangeId, Offset]] = set()
        kept = []
        for segment_id, segment in sorted(metadata.segments.items(), key=lambda pair: pair[0]):
            place = segment.range_id, segment.start_offset
            if place not in seen:
                seen.add(place)
                kept.append((segment_id, segment))
        return replace(metadata, segments=Map(kept))

    return with_metadata(front, hidden)


class Greedy(Through):
    """Asks for a whole budget, whatever the edge."""

    def __init__(self, effects: Effects, budget: Count) -> None:
        super().__init__(effects)
        self._budget = budget

    def read(
        self, broker: Broker, segment_id: SegmentId, offset: Offset, max_records: Count
    ) -> ReadReply:
        """Read from a log."""
        del max_records
        return self.effects.read(broker, segment_id, offset, self._budget)


def no_clamp(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RDG-6] Read above the sealed edge."""
    return right("read", front, args, Greedy(effects, args["max"]))


class ErrorsEnd(Through):
    """Takes a failed read for the end."""

    def read(
        self, broker: Broker, segment_id: SegmentId, offset: Offset, max_records: Count
    ) -> ReadReply:
        """Read from a log."""
        reply = self.effects.read(broker, segment_id, offset, max_records)
        return Eof() if isinstance(reply, Refusal) else reply


def error_is_eof(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RDG-8] Take a failed read for the end of a source."""
    return right("read_consume", front, args, ErrorsEnd(effects))


def self_source_ends(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RDG-19] Answer a final cursor where it is caught up."""
    front, page = right("read_consume", front, args, effects)
    if not isinstance(page, Page) or page.records or not isinstance(page.cursor, Cursor):
        return front, page
    return front, replace(page, cursor=Cursor(page.cursor.source + 1, Offset(0)))


class EmptyReads(Through):
    """Notes whether a read found nothing without saying that there is nothing."""

    was_empty = False

    def read(
        self, broker: Broker, segment_id: SegmentId, offset: Offset, max_records: Count
    ) -> ReadReply:
        """Read from a log."""
        reply = self.effects.read(broker, segment_id, offset, max_records)
        self.was_empty = self.was_empty or reply == Records(())
        return reply


def empty_page_loops(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """[RDG-28] Stay where a read found nothing."""
    noting = EmptyReads(effects)
    front, page = right("stream_history", front, args, noting)
    if noting.was_empty and isinstance(page, HistoryPage):
        return front, HistoryPage((), args["cursor"])
    return front, page


def shared_ancestor_twice(front: Frontend) -> Frontend:
    """A view in which the lineages of merged parents stand one after the other."""

    def doubled(metadata: Metadata) -> Metadata:
        ranges = {}
        for range_id, block in metadata.ranges.items():
            direct = [one for one in block.parents if one in metadata.ranges][-2:]
            lines = [one for each in direct for one in (*metadata.ranges[each].parents, each)]
            if len(lines) > len(set(lines)) and set(lines) == set(block.parents):
                ranges[range_id] = replace(block, parents=tuple(lines))
        return replace(metadata, ranges=metadata.ranges.update(ranges))

    return with_metadata(front, doubled)
