"""Cases for the laws that the others rest on, made by hand."""

from collections.abc import Iterator
from dataclasses import replace

from spec.laws import supporting
from spec.truth import Acknowledged, Closing, Copy, Stored
from spec.vocabulary import ByteSize, Count, Dispatch, Fencing, Offset, Sequence, State
from tests.law_cases import (
    CLOSED,
    FIRST,
    HEAD,
    HERE,
    NEXT,
    NOW,
    OPEN,
    ROLL,
    SECOND,
    SEEN,
    A,
    B,
    Case,
    record,
    tell,
)

ONE, BOTH = ((FIRST, OPEN),), ((FIRST, CLOSED), (SECOND, NEXT))
LOG = Copy(Offset(0), (record(0), record(1), record(2)), (Offset(3), ByteSize(30)))
OTHER = replace(LOG, answered=None)
STORED = Stored(LOG, OTHER)
SHORT = replace(LOG, records=LOG.records[:1], answered=None)


def of_listings() -> Iterator[Case]:
    """What is listed, and what somebody holds of it."""
    aside = ((FIRST, replace(OPEN, replica_set=(B,))),)
    yield from tell(
        supporting.a_listing_only_grows,
        holds=[(ONE, ONE), (ONE, BOTH), (ONE, BOTH[:1]), (BOTH[:1], BOTH), ((), ONE), (BOTH, BOTH)],
        broken=[
            (ONE, ()),
            ((), BOTH),
            (ONE, ((SECOND, OPEN),)),
            (ONE, aside),
            (BOTH[:1], (BOTH[0], (SECOND, CLOSED))),
        ],
    )
    yield from tell(
        supporting.no_segment_ends_before_it_begins,
        holds=[(BOTH,)],
        broken=[
            (((FIRST, replace(OPEN, start_offset=Offset(-1))),),),
            (((FIRST, replace(CLOSED, length=Count(-1))),),),
            (((FIRST, replace(CLOSED, length=None)),),),
        ],
    )


def of_beginnings() -> Iterator[Case]:
    """What is listed at the beginning, and what is recorded of a seal."""
    yield from tell(
        supporting.a_view_is_a_listing_of_its_time,
        holds=[(BOTH,)],
        broken=[
            (((SECOND, NEXT),),),
            (((FIRST, replace(CLOSED, length=Count(-1))),),),
            (((FIRST, replace(CLOSED, state=State.ACTIVE)), (SECOND, NEXT)),),
            (((FIRST, OPEN), (SECOND, replace(NEXT, state=State.SEALED, length=Count(0)))),),
            ((BOTH[0], (SECOND, replace(NEXT, start_offset=Offset(4)))),),
        ],
    )
    yield from tell(
        supporting.nobody_counts_before_the_first_segment,
        holds=[(SEEN, ONE), (replace(SEEN, counter=None), ())],
        broken=[(SEEN, ())],
    )
    closing = Closing(FIRST, Offset(0), Offset(3), ByteSize(30))
    yield from tell(
        supporting.a_recorded_seal_has_the_bytes_of_the_answer,
        holds=[
            (ONE, closing, BOTH),
            ((), closing, ()),
            (ONE, closing, ()),
            (ONE, closing, ONE),
            (BOTH, replace(closing, byte_size=ByteSize(9)), BOTH),
            ((), replace(closing, byte_size=ByteSize(9)), BOTH),
        ],
        broken=[(ONE, replace(closing, byte_size=ByteSize(9)), BOTH)],
    )


def of_frontends() -> Iterator[Case]:
    """What a frontend names and plans."""
    full = replace(SEEN, head=HEAD, owed=ROLL, awaited=Fencing(FIRST, NOW))
    yield from tell(
        supporting.a_frontend_names_segments_where_they_begin,
        holds=[(SEEN, ()), (full, ONE)],
        broken=[
            (replace(SEEN, head=HEAD), ()),
            (replace(SEEN, owed=ROLL), ()),
            (replace(SEEN, awaited=full.awaited), ()),
        ],
    )
    heavy = replace(SEEN, head=replace(HEAD, bytes=ByteSize(9)))
    limit = ByteSize(5)
    yield from tell(
        supporting.a_full_head_owes_a_roll,
        holds=[
            (limit, SEEN),
            (limit, full),
            (ByteSize(10), heavy),
            (limit, replace(heavy, owed=ROLL)),
        ],
        broken=[(limit, heavy)],
    )


def of_plans() -> Iterator[Case]:
    """What a plan counts."""
    heavy = replace(SEEN, head=replace(HEAD, bytes=ByteSize(9)))
    later = replace(heavy, head=replace(HEAD, bytes=ByteSize(12)))
    fresh = replace(heavy, head=replace(HEAD, id=SECOND, bytes=ByteSize(3)))
    batch = ByteSize(3)
    yield from tell(
        supporting.a_plan_tallies_what_it_sends,
        holds=[(heavy, batch, later), (heavy, batch, fresh), (SEEN, batch, fresh)],
        broken=[(heavy, batch, SEEN), (heavy, batch, heavy)],
    )
    sent = Dispatch(
        HERE, A, FIRST, (A, B), Offset(0), (record(1), record(2)), Offset(1), Offset(2), Count(2)
    )
    yield from tell(
        supporting.a_batch_is_planned_below_the_counter,
        holds=[(sent, SEEN)],
        broken=[(replace(sent, count=Count(3)), SEEN), (sent, replace(SEEN, counter=Offset(4)))],
    )
    yield from tell(
        supporting.a_frontend_skips_no_sequence,
        holds=[(SEEN, ()), (replace(SEEN, sequence=Sequence(1)), ONE)],
        broken=[(replace(SEEN, sequence=Sequence(1)), ())],
    )


def of_stores() -> Iterator[Case]:
    """What the copies of a segment hold."""
    moved = replace(LOG, start=Offset(1))
    yield from tell(
        supporting.a_copy_begins_where_its_segment_is_listed,
        holds=[(FIRST, None, ()), (FIRST, STORED, ONE)],
        broken=[(FIRST, Stored(LOG, moved), ONE), (FIRST, Stored(moved, OTHER), ONE)],
    )
    yield from tell(
        supporting.a_latch_names_the_end_of_its_log,
        holds=[(OTHER,), (LOG,)],
        broken=[(replace(LOG, records=()),)],
    )
    closing = Closing(FIRST, Offset(0), Offset(3), ByteSize(30))
    yield from tell(
        supporting.an_answered_fence_tells_the_latch_of_its_primary,
        holds=[(closing, STORED)],
        broken=[(closing, None), (closing, Stored(OTHER, LOG))],
    )


def of_answers() -> Iterator[Case]:
    """What an answer under way says of the copies."""
    told = Acknowledged(FIRST, Offset(1), Offset(2), LOG.records[1:])
    yield from tell(
        supporting.an_answered_batch_lies_in_every_copy_that_counts,
        holds=[(told, STORED)],
        broken=[
            (told, None),
            (replace(told, first=Offset(-1)), STORED),
            (replace(told, first=Offset(3)), STORED),
            (told, Stored(SHORT, OTHER)),
            (told, Stored(LOG, SHORT)),
        ],
    )
    yield from tell(
        supporting.a_refusal_names_the_end_of_its_primary,
        holds=[(Offset(3), STORED)],
        broken=[(Offset(3), None), (Offset(3), Stored(OTHER, LOG)), (Offset(2), STORED)],
    )
    after = replace(told, first=Offset(3), last=Offset(3))
    yield from tell(
        supporting.no_offset_is_acknowledged_twice,
        holds=[(told, after), (after, told)],
        broken=[(told, replace(after, first=Offset(2)))],
    )


CASES = (
    *of_listings(),
    *of_beginnings(),
    *of_frontends(),
    *of_plans(),
    *of_stores(),
    *of_answers(),
)
