"""The laws of reading: what a page delivers, what it says it passed, and where it stops."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from spec import ideal
from spec.premises import everywhere, where
from spec.replies import Eof, ReadReply, Records, Refusal
from spec.truth import Listing, Passage, Passed, Seen, edge_of, entry_of
from spec.vocabulary import (
    DONE,
    Broker,
    ConsumeCursor,
    Count,
    Cursor,
    HistoryCursor,
    HistoryPage,
    Offset,
    Page,
    Record,
    SegmentId,
    Skip,
)

Reads = Sequence[tuple[Broker, SegmentId]]
"""The stores that a page asked, and for which segment."""


@everywhere
def a_page_leaves_the_frontend_as_it_was(before: Seen, after: Seen) -> bool:
    """[RDG-34] Who reads can share a frontend with who writes."""
    return before == after


@where(
    "the page passed or delivered a record",
    lambda passage: bool(passage.passed or passage.page.records),
)
def a_page_delivers_what_is_stored_between_its_cursors(passage: Passage) -> bool:
    """[RDG-14] Each record of the slice once and in order, and none from elsewhere. (S15, S16)

    A record that has expired may come all the same, from a copy that is not removed yet.
    """
    return ideal.is_taken_in_order(passage.passed, passage.page.records)


@where(
    "the page passed a record that is gone, and the frontend knows of it",
    lambda passage: any(each.is_known for each in lost_in(passage)),
)
def a_page_lists_what_it_passed_and_is_no_longer_stored(passage: Passage) -> bool:
    """[RDG-20] Whatever the consumer does not get, it is told of. (S17)

    As far as the frontend can know: what lies at or above its own counter of the range is not
    asked for here.
    """
    return all(is_told(passage, each) for each in lost_in(passage) if each.is_known)


@where("the page passed a record that is gone", lambda passage: any(True for _ in lost_in(passage)))
def a_page_lists_every_loss_that_it_passed(passage: Passage) -> bool:
    """[RDG-20] Whatever the consumer does not get, it is told of, whoever knows of it. (S17)

    Tempting and false: where an ancestor lists nothing and its end was never learned, a page from
    its start passes it without a word.
    """
    return all(is_told(passage, each) for each in lost_in(passage))


@where("the page lists a skip", lambda passage: bool(passage.page.skips))
def a_skip_covers_nothing_that_is_stored(passage: Passage) -> bool:
    """[RDG-20] Skips stand oldest first, are not empty, and hide nothing. (S17)"""
    skips = passage.page.skips
    places = [(passage.sources.index(skip.source_range_id), skip.from_offset) for skip in skips]
    return (
        all(earlier < later for earlier, later in pairwise(places))
        and all(skip.offsets is None or skip.offsets > 0 for skip in skips)
        and not any(
            covers(passage, skip, each)
            for skip in skips
            for each in passage.passed
            if each.is_stored
        )
    )


@where("the page lists a skip", lambda passage: bool(passage.page.skips))
def a_skip_is_behind_the_cursor(passage: Passage) -> bool:
    """[RDG-20] A page lists only what its cursor has passed; the rest, the next one lists. (S17)"""
    source, offset = cursor_of(passage.page.cursor)
    return all(
        (passage.sources.index(skip.source_range_id), skip.from_offset + (skip.offsets or 0))
        <= (source, offset)
        for skip in passage.page.skips
    )


@everywhere
def a_page_keeps_within_its_budget(passage: Passage) -> bool:
    """[RDG-9] What is left out by the slice does not count, what is delivered does. (S33)"""
    return len(passage.page.records) <= passage.budget


@where("a store was asked", lambda reads, _: bool(reads))
def a_page_asks_primaries_alone(reads: Reads, listing: Listing) -> bool:
    """[RDG-7] Each read goes to the head of the segment's replica set. (S33)"""
    return all(
        (segment := entry_of(listing, segment_id)) is not None and segment.replica_set[0] == broker
        for broker, segment_id in reads
    )


@where("a read has failed", lambda is_failed, _: is_failed)
def a_failed_read_fails_the_page(is_failed: bool, answer: Page | Refusal) -> bool:
    """[RDG-8] No record, no cursor, no skip: the consumer stays where it was. (S17, S18)"""
    return not is_failed or isinstance(answer, Refusal)


@where("the end of the range is not known", lambda seen, _: not seen.is_recovered)
def a_range_whose_end_is_unknown_serves_no_page(seen: Seen, answer: Page | Refusal) -> bool:
    """[RDG-16] An empty page would say that there is nothing. (S18)"""
    return seen.is_recovered or isinstance(answer, Refusal)


@where("the page has room left", lambda passage, _: len(passage.page.records) < passage.budget)
def a_page_with_room_has_read_to_the_known_end(passage: Passage, seen: Seen) -> bool:
    """[RDG-33] A consumer that gets less than it asked for stands at the end. (S18, S19, P5)

    At the edge of every segment of the range itself that its frontend lists with records in it,
    and at the counter where that lies in an open one.
    """
    if len(passage.page.records) >= passage.budget:
        return True
    source, offset = cursor_of(passage.page.cursor)
    ends = [
        end
        for _, segment in seen.listing
        if (end := seen.next_offset if (edge := edge_of(segment)) is None else edge)
        > segment.start_offset
    ]
    return source >= len(passage.sources) - 1 and offset >= max(ends, default=0)


@everywhere
def a_consumer_never_leaves_the_range_itself(passage: Passage) -> bool:
    """[RDG-18] Caught up, the cursor stays on the last source: more may come. (S34)"""
    return cursor_of(passage.page.cursor).source < len(passage.sources)


@everywhere
def a_consumer_stands_within_the_log(end: Offset, cursor: ConsumeCursor) -> bool:
    """[RDG-31] What it was given was in the log and stays there, so the log reaches as far. (S37)

    The end of the source that it stands in: of all that was ever acknowledged or is stored.
    """
    return cursor_of(cursor).offset <= end


@everywhere
def a_read_answers_the_next_listed_record(
    offset: Offset, budget: Count, reply: ReadReply, stretch: Sequence[Passed]
) -> bool:
    """[RDG-33] It answers `eof` only where nothing is stored of all that is known. (S19, S33)

    The stretch is what the stores hold of the segments that the frontend lists for the range.
    """
    ahead = [each for each in stretch if each.offset >= offset]
    match reply:
        case Records(records):
            expected = [each.record for each in ahead[: len(records)]]
            return 0 < len(records) <= budget and list(records) == expected
        case Eof():
            return not any(each.is_known for each in ahead)
        case _:
            return False


@where("two stretches came", lambda stretches: len(stretches) > 1)
def a_page_stands_in_order(stretches: Sequence[tuple[int, int, int]]) -> bool:
    """[RDG-14] Of each stretch of records: its source, its first offset, how many. (S15, S16)"""
    return all(
        one[0] < other[0] or (one[0] == other[0] and one[1] + one[2] <= other[1])
        for one, other in pairwise(stretches)
    )


@where(
    "no skip of unknown length reaches it",
    lambda passage, source, offset, _: all(
        skip.offsets is not None for skip in skips_before(passage, source, offset)
    ),
)
def a_skip_counts_each_offset_that_is_gone_once(
    passage: Passage, source: int, offset: Offset, is_gone: bool
) -> bool:
    """[RDG-21] Whatever the page passed and nobody stores lies in one skip, all else in none. (S17)

    Said of one offset of a source. A skip of unknown length says nothing of single offsets.
    """
    skips = list(skips_before(passage, source, offset))
    if any(skip.offsets is None for skip in skips):
        return True
    told = sum(offset < skip.from_offset + (skip.offsets or 0) for skip in skips)
    return told == (1 if is_gone else 0)


@everywhere
def a_page_never_goes_back(passage: Passage) -> bool:
    """[RDG-11] Whatever it found, its cursor is not before the one it was asked with. (S16)"""
    return cursor_of(passage.asked) <= cursor_of(passage.page.cursor)


@everywhere
def a_turn_adds_only_of_its_source(
    passage: Passage,
    stood: Cursor,
    stretches: Sequence[tuple[int, int, int]],
    skips: Sequence[Skip],
) -> bool:
    """[RDG-12] A page that stands in one source takes nothing from another. (S15, S16)

    The stretches and skips are those that came since it stood there.
    """
    return all(source == stood.source for source, _, _ in stretches) and all(
        passage.sources.index(skip.source_range_id) == stood.source for skip in skips
    )


@everywhere
def a_turn_stays_in_its_source_or_begins_the_next(stood: Cursor, page: Page) -> bool:
    """[RDG-12] No source is passed over, and none is begun behind its start. (S15, S16)"""
    now = cursor_of(page.cursor)
    return now.source == stood.source or now == Cursor(stood.source + 1, Offset(0))


@where(
    "the page lists a skip of unknown length",
    lambda passage: any(skip.offsets is None for skip in passage.page.skips),
)
def a_skip_of_unknown_length_ends_its_source(passage: Passage) -> bool:
    """[RDG-23] What nobody could count is passed with the whole source. (S17)"""
    source, _ = cursor_of(passage.page.cursor)
    return all(
        skip.offsets is not None or passage.sources.index(skip.source_range_id) < source
        for skip in passage.page.skips
    )


@everywhere
def a_read_steps_over_no_stored_record(
    offset: Offset, behind: Offset | None, came: Sequence[Record], each: Passed
) -> bool:
    """[RDG-4] What is stored from the offset to the last record that came, came, and once. (S19)

    Said of one record, and of what came at its offset; behind the last one nothing came, and no
    such place is there where the answer was `eof`, as it always is below 0.
    """
    if not each.is_stored or each.offset < offset:
        return not came
    if behind is None:
        return not came and (offset < 0 or not each.is_known)
    return list(came) == ([each.record] if each.offset < behind else [])


@everywhere
def a_page_of_a_history_is_further_on(asked: HistoryCursor, page: HistoryPage) -> bool:
    """[RDG-27] Whatever it holds, so that a loop over the pages comes to an end. (S34, P8)"""
    if asked == DONE or page.cursor == DONE:  # noqa: PLR1714 - what is unknown has no hash
        return page.cursor == DONE
    place = asked if isinstance(asked, Cursor) else Cursor(0, Offset(0))
    return isinstance(page.cursor, Cursor) and place < page.cursor


@where("the budget is empty", lambda budget, _: budget < 1)
def an_empty_budget_is_refused(budget: Count, answer: object) -> bool:
    """[RDG-10] No page of it could be filled, and none makes progress. (S33)"""
    return budget >= 1 or isinstance(answer, Refusal)


@where(
    "a record is listed or delivered",
    lambda pages, stretch: bool(stretch) or any(page.records for page in pages),
)
def a_history_holds_what_is_listed(pages: Sequence[HistoryPage], stretch: Sequence[Passed]) -> bool:
    """[RDG-12] Ancestors first, each record of the slice once, and then the range's own. (S15)

    Of the stretch only those count as stored that the frontend knows of; later ones may come.
    """
    return ideal.is_taken_in_order(stretch, [each for page in pages for each in page.records])


@everywhere
def paging_a_history_ends(pages: Sequence[HistoryPage]) -> bool:
    """[RDG-28] Whatever a page holds, the next one is further on, and one is the last. (S34, P8)"""
    return bool(pages) and pages[-1].cursor == DONE


@where("a position was promised", lambda promised, _: promised is not None)
def a_group_resumes_where_it_committed(
    promised: ConsumeCursor | None, resumed: ConsumeCursor
) -> bool:
    """[RNG-26] A commit that was answered is found again. (S31)

    None was promised where none was answered, and none is where the range was retired since.
    """
    return promised is None or resumed == promised


def skips_before(passage: Passage, source: int, offset: Offset) -> Iterator[Skip]:
    """The skips of a source that begin at an offset or before it."""
    return (
        skip
        for skip in passage.page.skips
        if skip.source_range_id == passage.sources[source] and skip.from_offset <= offset
    )


def lost_in(passage: Passage) -> Iterator[Passed]:
    """What the page passed, did not deliver, and nobody stores any more."""
    missing = ideal.missing(passage.passed, passage.page.records)
    return (each for each in missing if not each.is_stored)


def is_told(passage: Passage, lost: Passed) -> bool:
    """Whether a page lists a skip that covers a record."""
    return any(covers(passage, skip, lost) for skip in passage.page.skips)


def covers(passage: Passage, skip: Skip, each: Passed) -> bool:
    """Whether a record lies in a skip; one of unknown length reaches to the end of its source."""
    if passage.sources[each.source] != skip.source_range_id or each.offset < skip.from_offset:
        return False
    return skip.offsets is None or each.offset < skip.from_offset + skip.offsets


def cursor_of(cursor: ConsumeCursor) -> Cursor:
    """A cursor, also where it is the start."""
    return cursor if isinstance(cursor, Cursor) else Cursor(0, Offset(0))
