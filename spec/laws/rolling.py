"""The laws of rolling: fences, the lengths they answer, and who is seated behind them."""

from collections.abc import Iterable
from dataclasses import replace

from spec.premises import everywhere, where
from spec.replies import Sealed
from spec.truth import Closing, Copy, Heard, Listing, Seen, edge_of, entry_of, is_sealed_in
from spec.vocabulary import Fencing, Millis, Roll, SegmentId, State


@where("the copy was closed before", lambda before, _: before.is_fenced)
def a_fenced_copy_never_changes(before: Copy, after: Copy) -> bool:
    """[ROL-1] Once closed, nothing lands any more, and fencing again answers the same. (S3)"""
    return not before.is_fenced or before == after


@everywhere
def a_fence_answers_where_the_log_ends(closing: Closing, after: Copy) -> bool:
    """[ROL-43] The answer covers everything that was appended before the fence. (S3, S4)"""
    return after.is_fenced and closing.end == after.end


@where("the log was closed before", lambda before, _: before is not None and before.is_fenced)
def a_fence_of_a_closed_log_answers_as_the_first(before: Copy | None, closing: Closing) -> bool:
    """[ROL-1] The same end and the same bytes, whoever asks again. (S3)"""
    if before is None or before.answered is None:
        return True
    return before.answered == (closing.end, closing.byte_size)


@where(
    "the segment is listed as sealed",
    lambda listing, segment_id, _: is_sealed_in(listing, segment_id),
)
def a_sealed_length_is_what_closing_answered(
    listing: Listing, segment_id: SegmentId, stored: Iterable[Copy] | None
) -> bool:
    """[ROL-3] A recorded length comes from a fence and from nobody's counter. (S4)"""
    segment = entry_of(listing, segment_id)
    if segment is None or segment.state is State.ACTIVE:
        return True
    return stored is not None and any(
        copy.is_fenced and copy.end == edge_of(segment) for copy in stored
    )


@where(
    "the view has come to say sealed",
    lambda before, closing, after: (
        not calls_sealed(before, closing) and calls_sealed(after, closing)
    ),
)
def a_recorded_seal_sets_the_counter_to_the_edge(
    before: Seen, closing: Closing, after: Seen
) -> bool:
    """[ROL-6] Set and not raised: the next segment begins exactly at the edge. (S9)"""
    segment = entry_of(after.listing, closing.segment_id)
    if segment is None or segment.state is State.ACTIVE or calls_sealed(before, closing):
        return True
    return after.counter == edge_of(segment)


@where(
    "somebody else came first, and the view does not say so",
    lambda recorded, closing, before, _: (
        is_sealed_in(recorded, closing.segment_id) and not calls_sealed(before, closing)
    ),
)
def a_conflict_takes_the_length_on_record(
    recorded: Listing, closing: Closing, before: Seen, after: Seen
) -> bool:
    """[ROL-8] Who comes second takes the winner's length and is done. (S6)"""
    segment = entry_of(recorded, closing.segment_id)
    if segment is None or segment.state is State.ACTIVE or calls_sealed(before, closing):
        return True
    return after.counter == edge_of(segment) and not names(after, closing.segment_id)


@everywhere
def a_seal_without_an_answer_changes_nothing(before: Seen, after: Seen) -> bool:
    """[ROL-5] The head stays cached and the roll stays owed until the seal is known. (S12)"""
    return before == after


@where("the view does not say sealed", lambda before, closing, _: not calls_sealed(before, closing))
def an_answer_is_recorded_unless_the_view_says_sealed(
    before: Seen, closing: Closing, recorded: Listing | None
) -> bool:
    """[ROL-25] Owed or not, seen or not: a closed store must not stay listed as active. (S29)

    `recorded` is what the control plane lists afterwards, none where it was told nothing.
    """
    if calls_sealed(before, closing):
        return True
    if recorded is None:
        return False
    segment = entry_of(recorded, closing.segment_id)
    return segment is None or segment.state is State.SEALED


@where("the view says sealed", lambda before, closing, _: calls_sealed(before, closing))
def an_answer_for_a_sealed_segment_only_clears(before: Seen, closing: Closing, after: Seen) -> bool:
    """[ROL-26] Its length is not this answer's to say: neither head nor counter moves. (S29)"""
    return not calls_sealed(before, closing) or after == cleared(before, closing.segment_id)


@where(
    "a refusal names the head, or what the owed roll is of",
    lambda before, heard, _: is_refusal(heard) and names(before, heard.segment_id),
)
def a_refusal_sets_the_counter_to_the_end_it_names(before: Seen, heard: Heard, after: Seen) -> bool:
    """[ROL-29] The retry begins where the segment closed, below burned offsets too. (S9)"""
    match heard.reply:
        case Sealed(end_offset) if names(before, heard.segment_id):
            return after.counter == end_offset and not names(after, heard.segment_id)
        case _:
            return True


@where(
    "a refusal names neither the head nor what the owed roll is of",
    lambda before, heard, _: is_refusal(heard) and not names(before, heard.segment_id),
)
def a_refusal_for_another_segment_changes_nothing(before: Seen, heard: Heard, after: Seen) -> bool:
    """[ROL-7] A refusal of an older segment does not close the one that is open now. (S10)"""
    match heard.reply:
        case Sealed():
            return names(before, heard.segment_id) or before == after
        case _:
            return True


@where(
    "a refusal does not name the head, or not what the owed roll is of",
    lambda before, heard, _: is_refusal(heard) and has_another(before, heard.segment_id),
)
def a_refusal_drops_only_what_it_names(before: Seen, heard: Heard, after: Seen) -> bool:
    """[ROL-30] A head stays open, and a roll owed, where it is another segment's. (S10)

    In no world is the owed roll's segment refused while another head is cached: who sent to a
    segment caches it until it is closed, and then no roll of it is asked for. A test of the
    chapter shows that case.
    """
    if not isinstance(heard.reply, Sealed):
        return True
    head, owed = before.head, before.owed
    is_head_kept = head is None or head.id == heard.segment_id or after.head == head
    is_roll_kept = owed is None or owed.segment_id == heard.segment_id or after.owed == owed
    return is_head_kept and is_roll_kept


@everywhere
def a_refusal_leaves_what_is_awaited(before: Seen, after: Seen) -> bool:
    """[ROL-20] The fence was taken, and its own answer is still to come. (S26)"""
    return after.awaited == before.awaited


@everywhere
def a_step_without_a_cause_moves_no_counter(before: Seen, after: Seen) -> bool:
    """[ROL-44] No fence, no request for a roll and no wait says where a range ends. (S9)"""
    return before.counter == after.counter


@where(
    "the view does not call a cached head sealed",
    lambda before, after: before.head is None or not is_sealed_in(after.listing, before.head.id),
)
def a_refresh_moves_the_counter_only_behind_a_sealed_head(before: Seen, after: Seen) -> bool:
    """[ROL-44] A read alone says nothing of where this frontend's range ends. (S9)"""
    segment = None if before.head is None else entry_of(after.listing, before.head.id)
    is_caused = segment is not None and segment.state is State.SEALED
    return is_caused or before.counter == after.counter


@everywhere
def a_fence_is_sent_at_once_and_again_only_past_the_window(
    before: Seen, now: Millis, retry_after: Millis
) -> bool:
    """[ROL-17] A fence in flight is not followed by another for each produce. (S25)"""
    return before.owed is not None and is_due(before.owed.fence_sent_at, now, retry_after)


@everywhere
def a_sent_fence_is_marked(after: Seen, now: Millis) -> bool:
    """[ROL-18] The roll and the awaited fence carry the time of the last send. (S25)"""
    roll = after.owed
    return (
        roll is not None
        and roll.fence_sent_at == now
        and after.awaited == Fencing(roll.segment_id, now)
    )


@where("a roll is owed, or taken for due", lambda seen, due, *_: due or seen.owed is not None)
def an_owed_roll_is_due_again_past_its_window(
    seen: Seen, due: bool, now: Millis, retry_after: Millis
) -> bool:
    """[ROL-17] A fence that got no answer is sent again. (S25, P7)"""
    return due == (seen.owed is not None and is_due(seen.owed.fence_sent_at, now, retry_after))


@where(
    "a fence was sent, or one is taken for awaited",
    lambda seen, is_awaited, *_: is_awaited or seen.awaited is not None,
)
def a_fence_is_awaited_only_inside_its_window(
    seen: Seen, is_awaited: bool, now: Millis, window: Millis
) -> bool:
    """[ROL-19] A refused produce is not held longer for an answer that was lost. (S26, P4)"""
    is_open = seen.awaited is not None and not is_due(seen.awaited.sent_at, now, window)
    return is_awaited == is_open


@everywhere
def a_failed_fence_stays_owed_and_is_awaited_no_longer(
    before: Seen, segment_id: SegmentId, after: Seen
) -> bool:
    """[ROL-22] Nothing is awaited of a fence that failed, and the roll is sent again. (S26)"""
    is_awaited = before.awaited is not None and before.awaited.segment_id == segment_id
    return after == (replace(before, awaited=None) if is_awaited else before)


@everywhere
def a_range_stays_writable_while_it_owes_a_roll(before: Seen, after: Seen) -> bool:
    """[ROL-12] A roll is a request: the plan that fills a segment leaves it open. (S28)"""
    return after.head is not None and (before.head is None or after.head.id == before.head.id)


@where("a roll was owed before", lambda before, _: before.owed is not None)
def an_owed_roll_is_kept(before: Seen, after: Seen) -> bool:
    """[ROL-13] A range owes one roll at a time, and keeps the one it owes. (S28)"""
    return before.owed is None or after.owed == before.owed


@everywhere
def a_requested_roll_is_owed(after: Seen) -> bool:
    """[ROL-15] Also by a frontend that never cached the segment. (S28)"""
    return after.owed is not None


@everywhere
def the_sequence_passes_a_rolled_segment(segment_id: SegmentId, after: Seen) -> bool:
    """[ROL-16] The next segment is not registered under the id that the roll closes. (S27)"""
    return after.sequence is not None and after.sequence > segment_id.seq


@where("a head with replicas is listed", lambda seen, _: bool(heads_in(seen.listing)))
def the_head_to_fence_is_the_listed_one(seen: Seen, roll: Roll | None) -> bool:
    """[ROL-23] Whoever wrote to it, and whatever the frontend that retires it caches. (S13)"""
    heads = heads_in(seen.listing)
    return not heads or (roll is not None and roll.segment_id == heads[0])


def calls_sealed(seen: Seen, closing: Closing) -> bool:
    """Whether a frontend's view says that the segment is sealed."""
    return is_sealed_in(seen.listing, closing.segment_id)


def is_refusal(heard: Heard) -> bool:
    """Whether a batch is refused because its segment is closed."""
    return isinstance(heard.reply, Sealed)


def heads_in(listing: Listing) -> list[SegmentId]:
    """The active segments that are kept somewhere."""
    return [
        segment_id
        for segment_id, segment in listing
        if segment.state is State.ACTIVE and segment.replica_set
    ]


def names(seen: Seen, segment_id: SegmentId) -> bool:
    """Whether a frontend writes to a segment or owes its roll."""
    return segment_id in {part.id for part in (seen.head,) if part} | {
        part.segment_id for part in (seen.owed,) if part
    }


def has_another(seen: Seen, segment_id: SegmentId) -> bool:
    """Whether a frontend writes to another segment, or owes the roll of another one."""
    head, owed = seen.head, seen.owed
    return (head is not None and head.id != segment_id) or (
        owed is not None and owed.segment_id != segment_id
    )


def cleared(seen: Seen, segment_id: SegmentId) -> Seen:
    """The same, with nothing owed to the segment and nothing awaited of it."""
    owed, awaited = seen.owed, seen.awaited
    return replace(
        seen,
        owed=None if owed and owed.segment_id == segment_id else owed,
        awaited=None if awaited and awaited.segment_id == segment_id else awaited,
    )


def is_due(sent_at: Millis | None, now: Millis, retry_after: Millis) -> bool:
    """Whether a mark is missing or its window has passed."""
    return sent_at is None or now - sent_at >= retry_after
