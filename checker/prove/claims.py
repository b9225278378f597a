"""What is claimed of the state after a step: every law that one of its parts may break."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import cast

from checker.search.model import Parts, Step, StepLaw
from checker.world.binding import clause_cited
from checker.world.sharing.parts import Answered, Copies, Fence, Reading, Sent, segment_of
from checker.world.sharing.sight import closing_in, listing_of, seen_by, stored_in
from reference.frontend import Frontend
from reference.vnodes import View
from spec.laws import producing, ranges, rolling, supporting
from spec.premises import Judgement
from spec.replies import Appended, Sealed
from spec.truth import Acknowledged, Listing, Stored
from spec.vocabulary import ByteSize, Offset

_CLAUSES: dict[Judgement, str] = {}


@dataclass(frozen=True, slots=True)
class Claim:
    """That a law holds of something."""

    law: str
    clause: str
    holds: Callable[[], bool]


LISTING_LAWS: tuple[Judgement, ...] = (
    ranges.the_segments_of_a_range_tile_its_offsets,
    ranges.a_range_has_at_most_one_head,
    supporting.segments_are_numbered_without_a_gap,
    supporting.no_segment_ends_before_it_begins,
)
FRONT_LAWS: tuple[Judgement, ...] = (
    supporting.a_frontend_names_segments_where_they_begin,
    supporting.a_frontend_skips_no_sequence,
    supporting.nobody_counts_before_the_first_segment,
    supporting.a_view_lists_what_the_control_plane_does,
)


def clause_of(law: Judgement) -> str:
    """The clause of a law."""
    if law not in _CLAUSES:
        _CLAUSES[law] = clause_cited(law)
    return _CLAUSES[law]


def claim(law: Judgement, *shown: object) -> Claim:
    """That a law holds of these."""
    return Claim(law.__name__, clause_of(law), lambda: law(*shown))


def step_claims(
    step: Step, laws: tuple[StepLaw, ...], before: Parts, after: Parts
) -> Iterator[Claim]:
    """What holds of the step itself."""
    for law in laws:
        if step.rule_name in law.rule_names:
            yield Claim(law.name, law.clause, _held_to(law, step, before, after))


def number_claims(step: Step, before: Parts, after: Parts, size: ByteSize) -> Iterator[Claim]:
    """What holds of the numbers that a step hands on: places, tallies and bytes."""
    match step.rule_name:
        case "plan" | "open" if isinstance(sent := after[step.writes[1]], Sent):
            name = step.writes[0]
            was, now = cast("Frontend", before[name]), cast("Frontend", after[name])
            seen = seen_by(now)
            yield claim(supporting.a_plan_tallies_what_it_sends, seen_by(was), size, seen)
            yield claim(supporting.a_full_head_owes_a_roll, now.options.segment_max_bytes, seen)
            yield claim(supporting.a_batch_is_planned_below_the_counter, sent.dispatch, seen)
        case "record" | "record unheard":
            fence = cast("Fence", before[step.reads[1]])
            listings = (listing_of(cast("View", parts["control"])) for parts in (before, after))
            known, listed = listings
            yield claim(
                supporting.a_recorded_seal_has_the_bytes_of_the_answer,
                known,
                closing_in(fence),
                listed,
            )
        case _:
            pass


def state_claims(step: Step, before: Parts, after: Parts) -> Iterator[Claim]:
    """What holds in the state after it, of the parts that it wrote."""
    listed = listing_of(cast("View", after["control"]))
    if "control" in step.writes:
        known = listing_of(cast("View", before["control"]))
        yield claim(supporting.a_listing_only_grows, known, listed)
        for law in LISTING_LAWS:
            yield claim(law, listed)
    for name in step.writes:
        yield from _part_claims(after[name], listed)
    for name, value in after.items():
        if isinstance(value, Copies):
            yield from _copies_claims(int(name[1:]), value, listed)
    yield from _message_claims(after)


def claims_of(parts: Parts) -> Iterator[Claim]:
    """What holds of a state, or of some parts of one."""
    listed = listing_of(cast("View", parts["control"]))
    for law in LISTING_LAWS:
        yield claim(law, listed)
    for name, value in parts.items():
        yield from _part_claims(value, listed)
        if isinstance(value, Copies):
            yield from _copies_claims(int(name[1:]), value, listed)
        if batch := placed_by(value):
            yield claim(producing.acknowledged_records_lie_below_the_edge, listed, batch)
    yield from _message_claims(parts)


def is_kept(law: str, parts: Parts) -> bool:
    """Whether a law of states holds of some parts."""
    return all(each.holds() for each in claims_of(parts) if each.law == law)


def excluding(parts: Parts) -> tuple[str, ...]:
    """The laws, by name, that do not hold of some parts: each excludes a state with them."""
    if "control" not in parts:
        return ()
    return tuple(sorted({each.law for each in claims_of(parts) if not each.holds()}))


def _held_to(law: StepLaw, step: Step, before: Parts, after: Parts) -> Callable[[], bool]:
    return lambda: law.holds(step, before, after)


def _part_claims(value: object, listed: Listing) -> Iterator[Claim]:
    match value:
        case Frontend():
            yield from front_claims(value, listed)
        case Sent(dispatch) | Answered(dispatch):
            yield claim(
                supporting.a_message_names_its_segment_where_it_begins,
                dispatch.segment_id,
                dispatch.base_offset,
                listed,
            )
        case Fence(roll):
            yield claim(
                supporting.a_message_names_its_segment_where_it_begins,
                roll.segment_id,
                roll.start_offset,
                listed,
            )
        case Reading(_, View() as view):
            yield from view_claims(view)
            yield refuse_made_up(view, listed)
        case _:
            pass


def front_claims(front: Frontend, listed: Listing) -> Iterator[Claim]:
    """What holds of a frontend beside the listing of its control plane."""
    for law in FRONT_LAWS:
        yield Claim(law.__name__, clause_of(law), _of_front(law, front, listed))
    yield from view_claims(front.view)


def _of_front(law: Judgement, front: Frontend, listed: Listing) -> Callable[[], bool]:
    return lambda: law(seen_by(front), listed)


def view_claims(view: View) -> Iterator[Claim]:
    """What holds of a view, wherever it is."""
    law = supporting.a_view_is_a_listing_of_its_time
    yield Claim(law.__name__, clause_of(law), lambda: law(listing_of(view)))


def refuse_made_up(view: View, listed: Listing) -> Claim:
    """What holds of a view that was read, beside the listing of its control plane."""
    law = supporting.a_view_lists_what_the_control_plane_does
    return Claim(law.__name__, clause_of(law), lambda: supporting.is_of(listing_of(view), listed))


def _copies_claims(place: int, copies: Copies, listed: Listing) -> Iterator[Claim]:
    stored, segment_id = stored_in(copies), segment_of(place)
    yield claim(supporting.a_copy_begins_where_its_segment_is_listed, segment_id, stored, listed)
    yield claim(rolling.a_sealed_length_is_what_closing_answered, listed, segment_id, stored)
    for copy in stored:
        yield claim(supporting.a_latch_names_the_end_of_its_log, copy)


def _message_claims(after: Parts) -> Iterator[Claim]:
    """What holds of each message beside the copies of its segment, and beside another batch."""
    placed = {name: batch for name, value in after.items() if (batch := placed_by(value))}
    for name, value in after.items():
        if isinstance(value, Fence) and value.closed is not None:
            yield claim(
                supporting.an_answered_fence_tells_the_latch_of_its_primary,
                closing_in(value),
                _stored(after, value.roll.segment_id.seq),
            )
        if (batch := placed.get(name)) and _knows_copies(after, batch):
            yield claim(
                supporting.an_answered_batch_lies_in_every_copy_that_counts,
                batch,
                _stored(after, batch.segment_id.seq),
            )
        if (
            isinstance(value, Answered)
            and isinstance(value.reply, Sealed)
            and f"s{value.dispatch.segment_id.seq}" in after
        ):
            yield claim(
                supporting.a_refusal_names_the_end_of_its_primary,
                value.reply.end_offset,
                _stored(after, value.dispatch.segment_id.seq),
            )
    for pair in combinations(placed.values(), 2):
        yield claim(supporting.no_offset_is_acknowledged_twice, *pair)


def placed_by(value: object) -> Acknowledged | None:
    """Where a batch stands, once its primary has answered; none before and for others."""
    match value:
        case Answered(dispatch, Appended(last)):
            first = Offset(last - dispatch.count + 1)
            return Acknowledged(dispatch.segment_id, first, last, dispatch.records)
        case Acknowledged():
            return value
        case _:
            return None


def _knows_copies(parts: Parts, batch: Acknowledged) -> bool:
    return f"s{batch.segment_id.seq}" in parts


def _stored(parts: Parts, place: int) -> Stored | None:
    copies = parts.get(f"s{place}")
    return stored_in(copies) if isinstance(copies, Copies) else None
