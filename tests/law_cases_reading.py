"""Cases for the laws of reading and recovering, made by hand."""

from collections.abc import Iterator
from dataclasses import replace

from immutables import Map

from spec.laws import reading, recovering
from spec.replies import Eof, MetadataUnavailable, NoBrokers, Records
from spec.truth import Copy, Passage, Passed, Stored, Viewed
from spec.vocabulary import (
    DONE,
    START,
    Count,
    Cursor,
    HistoryPage,
    Offset,
    Origin,
    Page,
    RangeId,
    Skip,
    Source,
    VnodeId,
)
from tests.law_cases import (
    CHILD,
    CLOSED,
    FIRST,
    HERE,
    OPEN,
    SEEN,
    A,
    B,
    Case,
    record,
    tell,
)

ONE, SEALED = ((FIRST, OPEN),), ((FIRST, CLOSED),)
PAGE = Page((), Cursor(1, Offset(3)), ())
SKIP = Skip(CHILD, HERE, Offset(1), Count(2), Origin.START, Source.ANCESTOR)
VNODE = VnodeId("v")
UNKNOWN = replace(SEEN, is_recovered=False)


def passage(page: Page, *passed: Passed, sources: tuple[RangeId, ...] = (HERE, CHILD)) -> Passage:
    """A page of a range with one ancestor, asked for from the start."""
    return Passage(sources, START, Count(1), page, passed)


def passed(offset: int, *, is_stored: bool = True, is_known: bool = True) -> Passed:
    """A record of the ancestor."""
    return Passed(0, record(offset), is_stored=is_stored, is_in_slice=True, is_known=is_known)


def of_pages() -> Iterator[Case]:
    """What a page reads, and how far."""
    yield from tell(
        reading.a_page_asks_primaries_alone,
        holds=[(((A, FIRST),), ONE)],
        broken=[(((B, FIRST),), ONE)],
    )
    yield from tell(
        reading.a_failed_read_fails_the_page,
        holds=[(False, PAGE), (True, NoBrokers())],
        broken=[(True, PAGE)],
    )
    yield from tell(
        reading.a_range_whose_end_is_unknown_serves_no_page,
        holds=[(SEEN, PAGE), (UNKNOWN, NoBrokers())],
        broken=[(UNKNOWN, PAGE)],
    )
    full = replace(PAGE, records=(record(0),), cursor=START)
    yield from tell(
        reading.a_page_with_room_has_read_to_the_known_end,
        holds=[
            (passage(PAGE), replace(SEEN, listing=SEALED)),
            (passage(full), replace(SEEN, listing=SEALED)),
        ],
        broken=[
            (passage(replace(PAGE, cursor=Cursor(0, Offset(3)))), replace(SEEN, listing=SEALED)),
            (passage(replace(PAGE, cursor=Cursor(1, Offset(2)))), replace(SEEN, listing=SEALED)),
        ],
    )
    yield from tell(
        reading.a_page_stands_in_order,
        holds=[([(0, 0, 3), (0, 3, 1), (1, 0, 2)],)],
        broken=[([(0, 0, 3), (0, 2, 1)],), ([(1, 0, 1), (0, 5, 1)],)],
    )
    yield from tell(
        reading.an_empty_budget_is_refused,
        holds=[(Count(1), PAGE), (Count(0), NoBrokers())],
        broken=[(Count(0), PAGE)],
    )


def of_skips() -> Iterator[Case]:
    """What is told of what is gone, and what one turn adds."""
    listed, unknown = (
        replace(PAGE, skips=(SKIP,)),
        replace(PAGE, skips=(replace(SKIP, offsets=None),)),
    )
    law = reading.a_skip_counts_each_offset_that_is_gone_once
    yield from tell(
        law,
        holds=[
            (passage(listed), 0, Offset(2), True),
            (passage(listed), 0, Offset(0), False),
            (passage(listed), 1, Offset(2), False),
            (passage(unknown), 0, Offset(2), True),
            (passage(unknown), 0, Offset(0), False),
            (passage(unknown), 1, Offset(2), False),
        ],
        broken=[
            (passage(listed), 0, Offset(2), False),
            (passage(listed), 0, Offset(0), True),
        ],
    )


def of_turns() -> Iterator[Case]:
    """What a page adds in one turn."""
    listed, unknown = (
        replace(PAGE, skips=(SKIP,)),
        replace(PAGE, skips=(replace(SKIP, offsets=None),)),
    )
    yield from tell(
        reading.a_skip_of_unknown_length_ends_its_source,
        holds=[(passage(unknown),), (passage(replace(listed, cursor=Cursor(0, Offset(3)))),)],
        broken=[(passage(replace(unknown, cursor=Cursor(0, Offset(3)))),)],
    )
    yield from tell(
        reading.a_turn_adds_only_of_its_source,
        holds=[(passage(PAGE), Cursor(0, Offset(0)), [(0, 0, 1)], [SKIP])],
        broken=[
            (passage(PAGE), Cursor(0, Offset(0)), [(1, 0, 1)], [SKIP]),
            (passage(PAGE), Cursor(1, Offset(0)), [(1, 0, 1)], [SKIP]),
        ],
    )
    yield from tell(
        reading.a_turn_stays_in_its_source_or_begins_the_next,
        holds=[
            (Cursor(1, Offset(0)), PAGE),
            (Cursor(0, Offset(2)), replace(PAGE, cursor=Cursor(1, Offset(0)))),
        ],
        broken=[(Cursor(0, Offset(2)), PAGE)],
    )


def of_reads() -> Iterator[Case]:
    """What one read answers, and where a history stands."""
    one, two = Count(1), [passed(1), passed(2)]
    vague = passed(3, is_known=False)
    law = reading.a_read_answers_the_next_listed_record
    yield from tell(
        law,
        holds=[
            (Offset(1), one, Records((record(1),)), two),
            (Offset(3), one, Eof(), [*two, vague]),
        ],
        broken=[
            (Offset(1), one, Records(()), two),
            (Offset(1), one, Records((record(1), record(2))), two),
            (Offset(1), one, Records((record(2),)), two),
            (Offset(1), one, Eof(), two),
            (Offset(1), one, NoBrokers(), two),
        ],
    )
    came, at = [record(3)], passed(3)
    yield from tell(
        reading.a_read_steps_over_no_stored_record,
        holds=[
            (Offset(1), Offset(4), came, at),
            (Offset(1), Offset(3), [], at),
            (Offset(4), Offset(5), [], at),
            (Offset(1), Offset(5), [], passed(3, is_stored=False)),
            (Offset(-1), None, [], at),
            (Offset(1), None, [], vague),
        ],
        broken=[
            (Offset(1), Offset(4), [], at),
            (Offset(4), Offset(5), came, at),
            (Offset(4), Offset(3), came, at),
            (Offset(1), Offset(4), came, passed(3, is_stored=False)),
            (Offset(-1), None, came, at),
            (Offset(1), None, [], at),
        ],
    )


def of_histories() -> Iterator[Case]:
    """Where a history and a group go on."""
    middle, next_one = Cursor(0, Offset(4)), HistoryPage((), Cursor(1, Offset(0)))
    yield from tell(
        reading.a_page_of_a_history_is_further_on,
        holds=[(middle, next_one), (middle, HistoryPage((), DONE)), (DONE, HistoryPage((), DONE))],
        broken=[
            (middle, HistoryPage((), middle)),
            (DONE, next_one),
            (START, HistoryPage((), START)),
        ],
    )
    yield from tell(
        reading.paging_a_history_ends,
        holds=[((HistoryPage((), DONE),),)],
        broken=[((),), ((next_one,),)],
    )
    yield from tell(
        reading.a_group_resumes_where_it_committed,
        holds=[(None, middle), (middle, middle)],
        broken=[(middle, START)],
    )


def of_recovering() -> Iterator[Case]:
    """What is known after a restart."""
    early, late = Viewed(Map(), frozenset(), ()), Viewed(Map(), frozenset({VNODE}), ())
    yield from tell(
        recovering.a_read_that_began_earlier_is_given_up,
        holds=[((early, late), (late,))],
        broken=[((early, late), (early, late)), ((early, late), (early,))],
    )
    yield from tell(
        recovering.a_seal_leaves_a_recovery_due,
        holds=[(SEEN, SEEN), (UNKNOWN, UNKNOWN)],
        broken=[(UNKNOWN, SEEN)],
    )
    short = replace(SEEN, counter=Offset(2), listing=SEALED)
    log = Copy(Offset(0), tuple(map(record, range(4))), None)
    yield from tell(
        recovering.a_recovery_learns_where_the_range_ends,
        holds=[
            (replace(short, listing=()), None),
            (replace(short, is_recovered=False), None),
            (replace(short, counter=Offset(3)), None),
            (replace(short, listing=ONE), None),
        ],
        broken=[(short, None), (replace(SEEN, listing=ONE), Stored(log, log))],
    )
    yield from tell(
        recovering.an_unrecovered_range_is_not_read,
        holds=[(SEEN, PAGE), (UNKNOWN, MetadataUnavailable())],
        broken=[(UNKNOWN, PAGE)],
    )
    mute = replace(SEEN, counter=None, listing=ONE)
    yield from tell(
        recovering.a_range_whose_end_was_never_learned_is_not_read,
        holds=[
            (replace(mute, counter=Offset(0)), PAGE),
            (replace(mute, listing=()), PAGE),
            (mute, MetadataUnavailable()),
        ],
        broken=[(mute, PAGE)],
    )


CASES = (
    *of_pages(),
    *of_skips(),
    *of_turns(),
    *of_reads(),
    *of_histories(),
    *of_recovering(),
)
