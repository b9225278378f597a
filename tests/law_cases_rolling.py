"""Cases for the laws of producing and rolling, made by hand."""

from collections.abc import Iterator
from dataclasses import replace

from spec.laws import producing, rolling
from spec.replies import Appended, Sealed
from spec.truth import Acknowledged, Closing, Copy, Heard
from spec.vocabulary import (
    ByteSize,
    Count,
    Fencing,
    Millis,
    Offset,
    Position,
    Range,
    Sequence,
    State,
)
from tests.law_cases import (
    CLOSED,
    FIRST,
    HEAD,
    LATER,
    NEXT,
    NOW,
    OPEN,
    ROLL,
    SECOND,
    SEEN,
    Case,
    record,
    tell,
)

ONE, DONE = ((FIRST, OPEN),), ((FIRST, CLOSED),)
LOG = Copy(Offset(0), (record(0), record(1), record(2)), (Offset(3), ByteSize(30)))
OPENED = replace(LOG, answered=None)
CLOSING = Closing(FIRST, Offset(0), Offset(3), ByteSize(30))
HEARD = Heard(FIRST, (record(3), record(4)), Appended(Offset(4)))
REFUSED = replace(HEARD, reply=Sealed(Offset(3)))
WINDOW = Millis(5)
LATE = Millis(12)
BUSY = replace(SEEN, head=HEAD, listing=ONE)
TOLD = Acknowledged(FIRST, Offset(1), Offset(2), LOG.records[1:])


def of_counters() -> Iterator[Case]:
    """How plans and answers move a counter."""
    three = Count(3)
    up = replace(BUSY, counter=Offset(6))
    high = replace(SEEN, head=replace(LATER, start_offset=Offset(9)), counter=Offset(12))
    yield from tell(
        producing.a_plan_raises_the_counter_by_its_batch,
        holds=[
            (BUSY, three, up),
            (SEEN, three, high),
            (SEEN, three, replace(SEEN, counter=Offset(6))),
            (BUSY, three, replace(high, counter=Offset(6))),
        ],
        broken=[(BUSY, three, BUSY)],
    )
    raised = replace(BUSY, counter=Offset(5))
    yield from tell(
        producing.an_answer_only_raises_the_counter,
        holds=[(BUSY, HEARD, raised), (BUSY, REFUSED, BUSY), (SEEN, HEARD, SEEN)],
        broken=[(BUSY, HEARD, BUSY)],
    )
    yield from tell(
        producing.an_answer_for_another_segment_changes_nothing,
        holds=[(SEEN, HEARD, SEEN), (BUSY, HEARD, raised), (SEEN, REFUSED, BUSY)],
        broken=[(SEEN, HEARD, raised)],
    )
    waiting = replace(BUSY, is_recovered=False)
    yield from tell(
        producing.an_adopted_answer_ends_the_wait,
        holds=[
            (waiting, HEARD, raised),
            (waiting, REFUSED, waiting),
            (replace(waiting, head=None), HEARD, replace(waiting, head=None)),
        ],
        broken=[(waiting, HEARD, waiting)],
    )


def of_batches() -> Iterator[Case]:
    """What was acknowledged, and where."""
    yield from tell(
        producing.acknowledged_records_lie_below_the_edge,
        holds=[(ONE, TOLD), (DONE, TOLD)],
        broken=[((), TOLD), (DONE, replace(TOLD, last=Offset(3)))],
    )
    after = replace(TOLD, first=Offset(3), last=Offset(3))
    yield from tell(
        producing.no_two_acknowledged_records_share_an_offset,
        holds=[(TOLD, after), (after, TOLD)],
        broken=[(TOLD, replace(after, first=Offset(2)))],
    )
    block = Range(Position(1), Position(3), 4)
    retired = replace(block, state=State.SEALED)
    yield from tell(
        producing.a_retired_range_takes_no_record,
        holds=[(block, HEARD), (retired, REFUSED)],
        broken=[(retired, HEARD)],
    )
    yield from tell(
        producing.a_record_lies_in_the_range_that_owns_its_key,
        holds=[(Position(1), block)],
        broken=[(Position(1), None), (Position(0), block), (Position(3), block)],
    )


def of_fences() -> Iterator[Case]:
    """What fencing leaves, and what it answers."""
    yield from tell(
        rolling.a_fenced_copy_never_changes,
        holds=[(LOG, LOG), (OPENED, LOG)],
        broken=[(LOG, OPENED)],
    )
    yield from tell(
        rolling.a_fence_answers_where_the_log_ends,
        holds=[(CLOSING, LOG)],
        broken=[(CLOSING, OPENED), (replace(CLOSING, end=Offset(2)), LOG)],
    )
    yield from tell(
        rolling.a_fence_of_a_closed_log_answers_as_the_first,
        holds=[(None, CLOSING), (OPENED, CLOSING), (LOG, CLOSING)],
        broken=[(LOG, replace(CLOSING, byte_size=ByteSize(9)))],
    )
    yield from tell(
        rolling.a_sealed_length_is_what_closing_answered,
        holds=[((), FIRST, None), (ONE, FIRST, None), (DONE, FIRST, (OPENED, LOG))],
        broken=[
            (DONE, FIRST, None),
            (DONE, FIRST, (OPENED,)),
            (DONE, FIRST, (replace(LOG, records=()),)),
        ],
    )
    owing = replace(SEEN, owed=ROLL)
    marked = replace(SEEN, owed=replace(ROLL, fence_sent_at=NOW))
    yield from tell(
        rolling.a_fence_is_sent_at_once_and_again_only_past_the_window,
        holds=[(owing, NOW, WINDOW), (marked, LATE, WINDOW)],
        broken=[(SEEN, NOW, WINDOW), (marked, NOW, WINDOW)],
    )


def of_windows() -> Iterator[Case]:
    """When a fence is sent, due and awaited."""
    owing = replace(SEEN, owed=ROLL)
    marked = replace(SEEN, owed=replace(ROLL, fence_sent_at=NOW))
    yield from tell(
        rolling.an_owed_roll_is_due_again_past_its_window,
        holds=[
            (SEEN, False, NOW, WINDOW),
            (owing, True, NOW, WINDOW),
            (marked, False, NOW, WINDOW),
            (marked, True, LATE, WINDOW),
        ],
        broken=[(SEEN, True, NOW, WINDOW)],
    )
    awaiting = replace(SEEN, awaited=Fencing(FIRST, NOW))
    yield from tell(
        rolling.a_fence_is_awaited_only_inside_its_window,
        holds=[
            (SEEN, False, NOW, WINDOW),
            (awaiting, True, NOW, WINDOW),
            (awaiting, False, LATE, WINDOW),
        ],
        broken=[(SEEN, True, NOW, WINDOW)],
    )
    yield from tell(
        rolling.a_failed_fence_stays_owed_and_is_awaited_no_longer,
        holds=[(SEEN, FIRST, SEEN), (awaiting, FIRST, SEEN), (awaiting, SECOND, awaiting)],
        broken=[(awaiting, FIRST, awaiting), (awaiting, SECOND, SEEN)],
    )


def of_rolls() -> Iterator[Case]:
    """What a range owes."""
    owing = replace(BUSY, owed=ROLL)
    yield from tell(
        rolling.a_range_stays_writable_while_it_owes_a_roll,
        holds=[(SEEN, BUSY), (BUSY, BUSY)],
        broken=[(SEEN, SEEN), (BUSY, replace(BUSY, head=LATER))],
    )
    yield from tell(
        rolling.an_owed_roll_is_kept,
        holds=[(BUSY, owing), (owing, owing)],
        broken=[(owing, BUSY)],
    )
    yield from tell(
        rolling.the_sequence_passes_a_rolled_segment,
        holds=[(FIRST, replace(SEEN, sequence=Sequence(1)))],
        broken=[(FIRST, SEEN), (FIRST, replace(SEEN, sequence=Sequence(0)))],
    )
    bare = ((FIRST, replace(OPEN, replica_set=())),)
    yield from tell(
        rolling.the_head_to_fence_is_the_listed_one,
        holds=[(SEEN, None), (replace(SEEN, listing=bare), None), (BUSY, ROLL)],
        broken=[(BUSY, None), (BUSY, replace(ROLL, segment_id=SECOND))],
    )
    moved, done = replace(BUSY, counter=Offset(9)), replace(BUSY, listing=DONE)
    yield from tell(
        rolling.a_refresh_moves_the_counter_only_behind_a_sealed_head,
        holds=[(BUSY, BUSY), (BUSY, replace(done, counter=Offset(9))), (SEEN, SEEN)],
        broken=[(BUSY, moved), (BUSY, replace(moved, listing=())), (SEEN, moved)],
    )


def of_seals() -> Iterator[Case]:
    """What is recorded of an answer."""
    done = replace(SEEN, listing=DONE)
    away = replace(done, counter=Offset(9))
    yield from tell(
        rolling.a_recorded_seal_sets_the_counter_to_the_edge,
        holds=[
            (BUSY, CLOSING, done),
            (BUSY, CLOSING, replace(BUSY, counter=Offset(9))),
            (SEEN, CLOSING, replace(SEEN, counter=Offset(9))),
            (done, CLOSING, away),
        ],
        broken=[(BUSY, CLOSING, away)],
    )
    yield from tell(
        rolling.an_answer_is_recorded_unless_the_view_says_sealed,
        holds=[(done, CLOSING, None), (BUSY, CLOSING, ()), (BUSY, CLOSING, DONE)],
        broken=[(BUSY, CLOSING, None), (BUSY, CLOSING, ONE)],
    )
    yield from tell(
        rolling.an_answer_for_a_sealed_segment_only_clears,
        holds=[(replace(done, owed=ROLL), CLOSING, done), (BUSY, CLOSING, done)],
        broken=[(done, CLOSING, away)],
    )


def of_refusals() -> Iterator[Case]:
    """Whom a refusal closes, and what it leaves."""
    after = replace(BUSY, head=None)
    yield from tell(
        rolling.a_refusal_sets_the_counter_to_the_end_it_names,
        holds=[(BUSY, REFUSED, after), (SEEN, REFUSED, SEEN), (BUSY, HEARD, BUSY)],
        broken=[(BUSY, REFUSED, replace(after, counter=Offset(9))), (BUSY, REFUSED, BUSY)],
    )
    yield from tell(
        rolling.a_refusal_for_another_segment_changes_nothing,
        holds=[(SEEN, REFUSED, SEEN), (BUSY, REFUSED, after), (SEEN, HEARD, BUSY)],
        broken=[(SEEN, REFUSED, BUSY)],
    )
    other = replace(SEEN, head=LATER, owed=replace(ROLL, segment_id=SECOND))
    named = replace(SEEN, head=HEAD, owed=ROLL)
    yield from tell(
        rolling.a_refusal_drops_only_what_it_names,
        holds=[
            (other, REFUSED, other),
            (named, REFUSED, SEEN),
            (SEEN, REFUSED, named),
            (other, HEARD, SEEN),
        ],
        broken=[
            (other, REFUSED, replace(other, head=None)),
            (other, REFUSED, replace(other, owed=None)),
        ],
    )


def of_waits() -> Iterator[Case]:
    """When a refused batch is held."""
    law = producing.a_refused_batch_is_held_once_behind_an_own_fence
    awaiting = replace(BUSY, awaited=Fencing(FIRST, NOW))
    elsewhere = replace(BUSY, awaited=Fencing(SECOND, NOW), listing=((SECOND, NEXT),))

    def shown(before: object, heard: object, now: Millis, *, again: bool, held: bool) -> Case:
        given = {"is_again": again, "is_held": held}
        return Case(law, (before, heard, now, WINDOW), "", given)

    yield shown(awaiting, REFUSED, NOW, again=False, held=True)
    yield shown(awaiting, REFUSED, LATE, again=False, held=False)
    yield shown(awaiting, REFUSED, NOW, again=True, held=False)
    yield shown(awaiting, HEARD, NOW, again=False, held=False)
    yield shown(elsewhere, REFUSED, NOW, again=False, held=False)
    yield shown(BUSY, REFUSED, NOW, again=False, held=False)
    yield shown(SEEN, REFUSED, NOW, again=False, held=False)
    yield shown(replace(BUSY, listing=DONE), REFUSED, NOW, again=False, held=True)
    never = shown(awaiting, REFUSED, NOW, again=False, held=False)
    yield replace(never, broken="not held")


CASES = (
    *of_counters(),
    *of_batches(),
    *of_fences(),
    *of_windows(),
    *of_rolls(),
    *of_seals(),
    *of_refusals(),
    *of_waits(),
)
