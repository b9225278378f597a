"""Changes of frontends that share a range that have no number, each with a law that notices it."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from immutables import Map

from checker.search.model import Model
from checker.world.alone.nameless import Nameless
from checker.world.sharing import mutations
from checker.world.sharing.parts import RANGE, TOPIC
from checker.world.sharing.rules import NOW, Rules, install
from checker.world.sharing.scopes import defective, renewing
from checker.world.sharing.sight import listing_of
from reference import producing, refreshing, rolling, store, vnodes
from reference.frontend import CommandFun, Frontend
from reference.store import Log
from reference.vnodes import View, metadata_of
from spec.commands import Command, RegisterSegment, SealSegment
from spec.replies import Appended, CommandReply, Ok, Planned, Refusal, Sealed, SegmentOverlap
from spec.truth import edge_of
from spec.vocabulary import (
    ByteSize,
    Dispatch,
    Millis,
    Offset,
    RangeId,
    Record,
    Roll,
    Segment,
    SegmentId,
    Sequence,
    TopicName,
)


def registers_anywhere(view: View, request: Command) -> tuple[View, CommandReply]:
    """A control plane that does not ask where the sealed segments end."""
    answered, reply = vnodes.command(view, request, NOW)
    if not isinstance(reply, SegmentOverlap) or not isinstance(request, RegisterSegment):
        return answered, reply
    segment = Segment(RANGE, request.replica_set, request.start_offset)
    return with_segment(view, request.segment_id, segment), Ok()


def with_segment(view: View, segment_id: SegmentId, segment: Segment) -> View:
    """A control plane that lists a segment so."""
    metadata = metadata_of(view, TOPIC)
    listed = replace(metadata, segments=metadata.segments.set(segment_id, segment))
    return replace(view, vnodes=Map(dict.fromkeys(view.vnodes, listed)))


def append_past_the_latch(log: Log, records: tuple[Record, ...]) -> tuple[Log, Appended | Sealed]:
    """A store that looks at the latch after it has stored."""
    longer = store.append_past_latch(log, records)
    return longer, Appended(Offset(longer.end - 1))


def append_elsewhere(log: Log, records: tuple[Record, ...]) -> tuple[Log, Appended | Sealed]:
    """A store that answers one offset too high."""
    stored, reply = store.append(log, records)
    return stored, Appended(Offset(reply.last + 1)) if isinstance(reply, Appended) else reply


def fence_one_short(log: Log) -> tuple[Log, Offset, ByteSize]:
    """A fence that does not count the last record."""
    closed, end, byte_size = store.fence(log)
    return closed, Offset(max(log.start, end - 1)), byte_size


def fence_forgets_bytes(log: Log) -> tuple[Log, Offset, ByteSize]:
    """A fence whose answer tells the bytes only once."""
    closed, end, byte_size = store.fence(log)
    return closed, end, ByteSize(0) if log.fenced else byte_size


def fence_always(
    front: Frontend, now: Millis, _retry_after: Millis
) -> tuple[Frontend, tuple[Roll, ...]]:
    """A frontend that knows no window."""
    return rolling.fences_to_send(front, now, Millis(0))


def plan_without_reserving(
    front: Frontend, topic: TopicName, records: tuple[Record, ...], tell: CommandFun
) -> tuple[Frontend, Planned | Refusal]:
    """A plan that leaves the counter where it was."""
    planned, reply = producing.produce_plan(front, topic, records, tell)
    return replace(planned, offsets=front.offsets), reply


def adopt_for_any_segment(
    front: Frontend, dispatch: Dispatch, last: Offset
) -> tuple[Frontend, bool]:
    """An adoption that asks for no segment, and sets."""
    return replace(front, offsets=front.offsets.set(dispatch.range_id, Offset(last + 1))), True


def recover_silently(front: Frontend, range_id: RangeId, end: Offset, floor: Sequence) -> Frontend:
    """A recovery that does not end the wait."""
    seeded = refreshing.seed_range_state(front, range_id, end, floor)
    return replace(seeded, unrecovered=front.unrecovered)


def serve_unknown_end(front: Frontend, range_id: RangeId, floor: Sequence) -> Frontend:
    """A mute primary that makes no range wait."""
    seeded = refreshing.seed_unrecovered_range(front, range_id, floor)
    return replace(seeded, unrecovered=front.unrecovered)


def second_seal_counts(
    move: Callable[[Segment], Segment], view: View, request: Command
) -> tuple[View, CommandReply]:
    """A control plane that lets an equal seal move what it recorded."""
    answered, reply = vnodes.command(view, request, NOW)
    if not isinstance(request, SealSegment) or not isinstance(reply, Ok) or answered != view:
        return answered, reply
    segment = move(metadata_of(view, TOPIC).segments[request.segment_id])
    return with_segment(view, request.segment_id, segment), reply


def forget_every_roll(
    front: Frontend, range_id: RangeId, segment_id: SegmentId, end: Offset
) -> Frontend:
    """A refusal that clears whatever roll the range owes."""
    seated = rolling.forget_sealed(front, range_id, segment_id, end)
    return seated if seated is front else replace(seated, rolling=Map())


def fences_move_the_counter(
    front: Frontend, now: Millis, retry_after: Millis
) -> tuple[Frontend, tuple[Roll, ...]]:
    """A fence that takes the offsets back of what is still under way."""
    marked, rolls = rolling.fences_to_send(front, now, retry_after)
    moved = marked.offsets.update({roll.range_id: roll.start_offset for roll in rolls})
    return replace(marked, offsets=moved), rolls


def requests_move_the_counter(
    front: Frontend, segments: Iterable[tuple[SegmentId, Segment]]
) -> Frontend:
    """A request for a roll that takes the listed start for the end."""
    listed = tuple(segments)
    moved = {segment.range_id: segment.start_offset for _, segment in listed}
    owing = rolling.request_rolls(front, listed)
    return replace(owing, offsets=owing.offsets.update(moved))


def refresh_moves_the_counter(front: Frontend, view: View) -> Frontend:
    """A refresh that raises the counter to the last edge it reads."""
    ends = [end for _, segment in listing_of(view) if (end := edge_of(segment)) is not None]
    installed = install(front, view)
    return producing.raise_counter(installed, RANGE, ends[-1]) if ends else installed


def length_one_more(
    front: Frontend, roll: Roll, end: Offset, size: ByteSize, at: Millis, tell: CommandFun
) -> tuple[Frontend, Ok | Refusal]:
    """A seal that records one offset more than the fence answered."""
    return rolling.record_fence(front, roll, Offset(end + 1), size, at, tell)


def append_repeats(log: Log, records: tuple[Record, ...]) -> tuple[Log, Appended | Sealed]:
    """A store that writes its last record once more in place of what came."""
    if log.records and not log.fenced:
        records = tuple(replace(log.records[-1], offset=None) for _ in records)
    return store.append(log, records)


def refusal_forgets_bytes(log: Log, records: tuple[Record, ...]) -> tuple[Log, Appended | Sealed]:
    """A closed store that counts the bytes of what it refuses into its latch."""
    stored, reply = store.append(log, records)
    if isinstance(reply, Sealed) and stored.latch is not None:
        stored = replace(stored, latch=replace(stored.latch, byte_size=ByteSize(7)))
    return stored, reply


def stale_refusal_counts(
    front: Frontend, range_id: RangeId, segment_id: SegmentId, end: Offset
) -> Frontend:
    """A refusal of an older segment that moves the counter up."""
    seated = rolling.forget_sealed(front, range_id, segment_id, end)
    if seated is not front:
        return seated
    return mutations.with_counter(front, max(end, Offset(mutations.counter_of(front) + 1)))


def request_owes_nothing(
    front: Frontend, segments: Iterable[tuple[SegmentId, Segment]]
) -> Frontend:
    """A request for a roll that passes the segment's id, and rolls only what is cached."""
    listed = tuple(segments)
    passed = rolling.request_rolls(front, listed).sequences
    return replace(mutations.age_roll_from_cache(front, listed), sequences=passed)


def read_thrown_away(front: Frontend, view: View) -> Frontend:
    """A refresh that is thrown away while the frontend writes to a head."""
    return front if RANGE in front.heads else install(front, view)


def built(name: str, rules: Rules) -> Model:
    """A world of frontends that share a range, or that in which they catch up."""
    return renewing(rules) if name == "renewing" else defective(name, rules)


def change(name: str, words: str, law: str, rules: Rules, scope: str = "roll") -> Nameless[Rules]:
    """A change in one of these worlds."""
    return Nameless(name, words, law, rules, scope, built)


CHANGES: tuple[Nameless[Rules], ...] = (
    change(
        "fence_one_short",
        "a fence does not count the last record",
        "a_fence_answers_where_the_log_ends",
        Rules(fence=fence_one_short),
    ),
    change(
        "fence_always",
        "a fence is sent whenever it can be",
        "a_fence_is_sent_at_once_and_again_only_past_the_window",
        Rules(fences_to_send=fence_always),
    ),
    change(
        "append_past_the_latch",
        "a store looks at the latch after it has stored",
        "a_fenced_copy_never_changes",
        Rules(append=append_past_the_latch),
    ),
    change(
        "plan_without_reserving",
        "a plan leaves the counter where it was",
        "a_plan_raises_the_counter_by_its_batch",
        Rules(produce_plan=plan_without_reserving),
    ),
    *(
        change(
            f"equal_seal_moves_the_{what}",
            f"a seal that says the same again moves the {what}",
            "a_seal_that_comes_second_moves_nothing",
            Rules(command=partial(second_seal_counts, move)),
        )
        for what, move in (
            ("bytes", lambda segment: replace(segment, byte_size=ByteSize(1))),
            ("time", lambda segment: replace(segment, sealed_at=Millis(7))),
            ("replicas", lambda segment: replace(segment, replica_set=segment.replica_set[1:])),
        )
    ),
    change(
        "fence_forgets_bytes",
        "a fence of a closed log answers no bytes",
        "a_fence_of_a_closed_log_answers_as_the_first",
        Rules(fence=fence_forgets_bytes),
    ),
    change(
        "forget_every_roll",
        "a refusal clears whatever roll the range owes",
        "a_refusal_drops_only_what_it_names",
        Rules(forget_sealed=forget_every_roll),
        "race",
    ),
    change(
        "fences_move_the_counter",
        "a fence that is sent takes the counter back to the start of its segment",
        "a_step_without_a_cause_moves_no_counter",
        Rules(fences_to_send=fences_move_the_counter),
    ),
    change(
        "requests_move_the_counter",
        "a request for a roll takes the listed start for the end",
        "a_step_without_a_cause_moves_no_counter",
        Rules(request_rolls=requests_move_the_counter),
        "race",
    ),
    change(
        "refresh_moves_the_counter",
        "a refresh raises the counter to the last edge that it reads",
        "a_refresh_moves_the_counter_only_behind_a_sealed_head",
        Rules(install=refresh_moves_the_counter),
    ),
    change(
        "recover_silently",
        "a recovery that learns the end does not end the wait",
        "a_recovery_that_learns_the_end_ends_the_wait",
        Rules(seed_range_state=recover_silently),
        "recovery",
    ),
    change(
        "append_elsewhere",
        "a store answers one offset too high",
        "an_acknowledged_record_stands_where_it_was_placed",
        Rules(append=append_elsewhere),
    ),
    change(
        "length_from_counter",
        "a seal records the counter in place of the answer",
        "acknowledged_records_lie_below_the_edge",
        Rules(record_fence=mutations.length_from_counter),
    ),
    change(
        "adopt_for_any_segment",
        "an answer sets the counter, whichever segment it names",
        "an_answer_for_another_segment_changes_nothing",
        Rules(adopt_answer=adopt_for_any_segment),
        "batches",
    ),
    change(
        "serve_unknown_end",
        "a mute primary makes no range wait",
        "an_unknown_end_is_admitted",
        Rules(seed_unrecovered_range=serve_unknown_end),
    ),
    change(
        "registers_anywhere",
        "the control plane asks no start for the edge",
        "the_segments_of_a_range_tile_its_offsets",
        Rules(command=registers_anywhere),
    ),
    change(
        "seal_keeps_max_and_nobody_refuses",
        "a seal raises the counter, and the control plane asks no start for the edge",
        "the_segments_of_a_range_tile_its_offsets",
        Rules(record_fence=mutations.seal_keeps_max, command=registers_anywhere),
    ),
    change(
        "length_one_more",
        "a seal records one offset more than the fence answered",
        "a_sealed_length_is_what_closing_answered",
        Rules(record_fence=length_one_more),
        "race",
    ),
    change(
        "append_repeats",
        "a store writes its last record once more in place of what came",
        "an_acknowledged_record_stands_where_it_was_placed",
        Rules(append=append_repeats),
        "race",
    ),
    change(
        "refusal_forgets_bytes",
        "a closed store counts what it refuses",
        "a_fenced_copy_never_changes",
        Rules(append=refusal_forgets_bytes),
        "race",
    ),
    change(
        "stale_refusal_counts",
        "a refusal of an older segment moves the counter up",
        "a_refusal_for_another_segment_changes_nothing",
        Rules(forget_sealed=stale_refusal_counts),
        "race",
    ),
    change(
        "request_owes_nothing",
        "a request for a roll passes the segment's id, and rolls only what is cached",
        "a_requested_roll_is_owed",
        Rules(request_rolls=request_owes_nothing),
        "age",
    ),
    change(
        "read_thrown_away",
        "a read is thrown away while the frontend writes to a head",
        "f2_leaves_a_stale_head_at_last",
        Rules(install=read_thrown_away),
        "renewing",
    ),
)
