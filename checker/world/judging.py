"""The laws of `spec.laws`, bound to the parts of the world."""

import re
from collections.abc import Callable, Hashable
from typing import cast

from checker.search.model import Law, Parts, Step, StepLaw
from checker.world.bounds import Bounds
from checker.world.parts import RANGE, Answered, Copies, Fence, Reading, Sent, segment_of
from checker.world.rules import NOW, WINDOW, Rules
from checker.world.sight import closing_in, copy_of, heard_in, listing_of, seen_by, stored_in
from reference.frontend import Frontend
from reference.vnodes import View
from spec.laws import producing, ranges, refreshing, rolling
from spec.truth import Acknowledged, Listing, Seen
from spec.vocabulary import Count

_CLAUSE = re.compile(r"\[([A-Z]+-\d+)\]")


def laws(bounds: Bounds, rules: Rules) -> tuple[Law, ...]:
    """What holds in every state."""
    names, slots = bounds.frontends, tuple(f"{name}.{number}" for name, number, _ in bounds.slots())
    places = tuple(f"s{seq}" for seq in range(bounds.segments))
    listed = ("control",)
    return (
        _law(ranges.a_range_has_at_most_one_head, listed, _on_listing),
        _law(ranges.the_segments_of_a_range_tile_its_offsets, listed, _on_listing),
        _law(rolling.a_sealed_length_is_what_closing_answered, (*listed, *places), _on_stores),
        _law(producing.acknowledged_records_lie_below_the_edge, (*listed, *slots), _on_slots),
        _law(
            producing.an_acknowledged_record_stands_where_it_was_placed,
            (*places, *slots),
            _on_stores_and_slots(bounds.segments),
        ),
        _law(rolling.an_owed_roll_is_due_again_past_its_window, names, _on_dues(rules)),
        _law(rolling.a_fence_is_awaited_only_inside_its_window, names, _on_waits(rules)),
    )


def step_laws() -> tuple[StepLaw, ...]:
    """What holds of every step."""
    return (*_control_laws(), *_producing_laws(), *_rolling_laws(), *_refreshing_laws())


def _control_laws() -> tuple[StepLaw, ...]:
    return (
        _step_law(
            refreshing.a_command_brings_the_control_planes_own_view,
            {"open", "open unheard", "record", "record unheard"},
            lambda law, step, before, after: law(
                _seen(step, before), _seen(step, after), _listed(after)
            ),
        ),
        _step_law(
            ranges.a_recorded_length_is_final,
            {"open", "open unheard", "record", "record unheard", "fail over"},
            lambda law, _, before, after: law(_listed(before), _listed(after)),
        ),
    )


def _producing_laws() -> tuple[StepLaw, ...]:
    return (
        _step_law(
            rolling.a_range_stays_writable_while_it_owes_a_roll, {"plan", "open"}, _if_planned
        ),
        _step_law(
            producing.a_plan_raises_the_counter_by_its_batch,
            {"plan", "open"},
            lambda law, step, before, after: (
                _is_unplanned(step, before, after)
                or law(_seen(step, before), _count(step, after), _seen(step, after))
            ),
        ),
        _step_law(rolling.an_owed_roll_is_kept, {"plan", "open", "sweep"}, _on_seen),
        _step_law(
            producing.a_plan_that_fails_changes_nothing,
            {"open", "open unheard"},
            lambda law, step, before, after: (
                not _is_unplanned(step, before, after)
                or law(_seen(step, before), _seen(step, after))
            ),
        ),
        _step_law(producing.an_answer_only_raises_the_counter, {"hear"}, _on_hearing),
        _step_law(producing.an_answer_for_another_segment_changes_nothing, {"hear"}, _on_hearing),
        _step_law(
            producing.an_answered_batch_is_acknowledged_where_it_stands,
            {"hear"},
            lambda law, step, before, after: law(
                heard_in(cast("Answered", before[step.reads[1]])), _acknowledged(step, after)
            ),
        ),
        _step_law(producing.a_failed_batch_gives_no_offsets_back, {"lose"}, _on_seen),
        _step_law(rolling.a_refusal_for_another_segment_changes_nothing, {"hear"}, _on_hearing),
        _step_law(rolling.a_refusal_sets_the_counter_to_the_end_it_names, {"hear"}, _on_hearing),
    )


def _rolling_laws() -> tuple[StepLaw, ...]:
    stores = {"append", "close", "fail over"}
    records = {"record", "settle"}
    return (
        _step_law(rolling.a_fenced_copy_never_changes, stores, _on_copies),
        _step_law(
            rolling.a_fence_answers_where_the_log_ends,
            {"close"},
            lambda law, step, _, after: law(
                closing_in(cast("Fence", after[step.reads[0]])),
                copy_of(cast("Copies", after[step.reads[1]]).primary),
            ),
        ),
        _step_law(rolling.an_answer_for_a_sealed_segment_only_clears, records, _on_closing),
        _step_law(
            rolling.an_answer_is_recorded_unless_the_view_says_sealed,
            records,
            lambda law, step, before, after: law(
                _seen(step, before),
                closing_in(cast("Fence", before[step.reads[1]])),
                _listed(after) if "control" in after else None,
            ),
        ),
        _step_law(
            rolling.a_conflict_takes_the_length_on_record,
            {"record"},
            lambda law, step, before, after: law(
                _listed(before),
                closing_in(cast("Fence", before[step.reads[1]])),
                _seen(step, before),
                _seen(step, after),
            ),
        ),
        _step_law(rolling.a_recorded_seal_sets_the_counter_to_the_edge, {"record"}, _on_closing),
        _step_law(rolling.a_seal_without_an_answer_changes_nothing, {"record unheard"}, _on_seen),
        _step_law(
            rolling.a_fence_is_sent_at_once_and_again_only_past_the_window,
            {"fence"},
            lambda law, step, before, _: law(_seen(step, before), NOW, WINDOW),
        ),
        _step_law(
            rolling.a_sent_fence_is_marked,
            {"fence"},
            lambda law, step, _, after: law(_seen(step, after), NOW),
        ),
        _step_law(
            rolling.a_failed_fence_stays_owed_and_is_awaited_no_longer,
            {"fail fence"},
            lambda law, step, before, after: law(
                _seen(step, before),
                cast("Fence", before[step.reads[1]]).roll.segment_id,
                _seen(step, after),
            ),
        ),
        _step_law(
            rolling.a_requested_roll_is_owed,
            {"sweep"},
            lambda law, step, _, after: law(_seen(step, after)),
        ),
        _step_law(
            rolling.the_sequence_passes_a_rolled_segment,
            {"sweep"},
            lambda law, step, before, after: law(_listed(before)[-1][0], _seen(step, after)),
        ),
    )


def _refreshing_laws() -> tuple[StepLaw, ...]:
    return (
        _step_law(
            refreshing.a_refresh_replays_what_was_commanded_since_the_read,
            {"install"},
            lambda law, step, before, after: law(
                listing_of(cast("Reading", before[step.reads[1]]).view),
                _seen(step, before),
                _seen(step, after),
            ),
        ),
        _step_law(refreshing.no_sealed_head_survives_a_refresh, {"install"}, _on_seen),
        _step_law(
            refreshing.a_roll_is_dropped_exactly_when_it_is_superseded, {"install"}, _on_seen
        ),
    )


Judge = Callable[[Callable[..., bool], Step, Parts, Parts], bool]


def _law(
    law: Callable[..., bool],
    reads: tuple[str, ...],
    show: Callable[[Callable[..., bool]], Callable[..., bool]],
) -> Law:
    return Law(law.__name__, clause_cited(law), in_words(law), reads, show(law))


def _step_law(law: Callable[..., bool], rule_names: set[str], judge: Judge) -> StepLaw:
    def holds(step: Step, before: Parts, after: Parts) -> bool:
        return judge(law, step, before, after)

    return StepLaw(law.__name__, clause_cited(law), in_words(law), frozenset(rule_names), holds)


def clause_cited(law: Callable[..., bool]) -> str:
    """The clause that a law's docstring begins with."""
    found = _CLAUSE.match(law.__doc__ or "")
    assert found is not None, f"the law {law.__name__} cites no clause"
    return found[1]


def in_words(law: Callable[..., bool]) -> str:
    """The sentence that is the name of a law."""
    words = law.__name__.replace("_", " ")
    return f"{words[0].upper()}{words[1:]}."


def _on_listing(law: Callable[..., bool]) -> Callable[..., bool]:
    return lambda view: law(listing_of(view))


def _on_stores(law: Callable[..., bool]) -> Callable[..., bool]:
    def holds(view: View, *stores: Copies | None) -> bool:
        listing = listing_of(view)
        return all(
            law(listing, segment_of(seq), None if copies is None else stored_in(copies))
            for seq, copies in enumerate(stores)
        )

    return holds


def _on_slots(law: Callable[..., bool]) -> Callable[..., bool]:
    def holds(view: View, *slots: Hashable) -> bool:
        listing = listing_of(view)
        return all(law(listing, slot) for slot in slots if isinstance(slot, Acknowledged))

    return holds


def _on_stores_and_slots(segments: int) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    def show(law: Callable[..., bool]) -> Callable[..., bool]:
        def holds(*parts: Hashable) -> bool:
            return all(
                (copies := parts[slot.segment_id.seq]) is not None
                and law(stored_in(cast("Copies", copies)), slot)
                for slot in parts[segments:]
                if isinstance(slot, Acknowledged)
            )

        return holds

    return show


def _on_views(law: Callable[..., bool]) -> Callable[..., bool]:
    def holds(view: View, *fronts: Frontend) -> bool:
        listing = listing_of(view)
        return all(law(seen_by(front), listing) for front in fronts)

    return holds


def _on_dues(rules: Rules) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    def show(law: Callable[..., bool]) -> Callable[..., bool]:
        def holds(*fronts: Frontend) -> bool:
            return all(
                law(seen_by(each), bool(rules.fences_to_send(each, NOW, WINDOW)[1]), NOW, WINDOW)
                for each in fronts
            )

        return holds

    return show


def _on_waits(rules: Rules) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    def show(law: Callable[..., bool]) -> Callable[..., bool]:
        def holds(*fronts: Frontend) -> bool:
            return all(
                law(
                    seen_by(each),
                    (awaited := each.fencing.get(RANGE)) is not None
                    and rules.is_awaiting_fence(each, RANGE, awaited.segment_id, NOW, WINDOW),
                    NOW,
                    WINDOW,
                )
                for each in fronts
            )

        return holds

    return show


def _seen(step: Step, parts: Parts) -> Seen:
    return seen_by(cast("Frontend", parts[step.reads[0]]))


def _listed(parts: Parts) -> Listing:
    return listing_of(cast("View", parts["control"]))


def _on_seen(law: Callable[..., bool], step: Step, before: Parts, after: Parts) -> bool:
    return law(_seen(step, before), _seen(step, after))


def _is_unplanned(step: Step, before: Parts, after: Parts) -> bool:
    return before[step.reads[1]] is after[step.reads[1]]


def _if_planned(law: Callable[..., bool], step: Step, before: Parts, after: Parts) -> bool:
    return _is_unplanned(step, before, after) or _on_seen(law, step, before, after)


def _count(step: Step, after: Parts) -> Count:
    return cast("Sent", after[step.reads[1]]).dispatch.count


def _acknowledged(step: Step, after: Parts) -> Acknowledged | None:
    slot = after[step.reads[1]]
    return slot if isinstance(slot, Acknowledged) else None


def _on_hearing(law: Callable[..., bool], step: Step, before: Parts, after: Parts) -> bool:
    heard = heard_in(cast("Answered", before[step.reads[1]]))
    return law(_seen(step, before), heard, _seen(step, after))


def _on_closing(law: Callable[..., bool], step: Step, before: Parts, after: Parts) -> bool:
    closing = closing_in(cast("Fence", before[step.reads[1]]))
    return law(_seen(step, before), closing, _seen(step, after))


def _on_copies(law: Callable[..., bool], step: Step, before: Parts, after: Parts) -> bool:
    held, now = before[step.reads[1]], after[step.reads[1]]
    if held is None:
        return True
    pairs = zip(stored_in(cast("Copies", held)), stored_in(cast("Copies", now)), strict=True)
    return all(law(one, other) for one, other in pairs)
