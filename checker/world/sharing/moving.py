"""The laws of `spec.laws` that hold of every step, bound to the parts of the world.

A step of a frontend reads the frontend first and the message second; a step of a store reads the
message or the control plane first and the copies second.
"""

from typing import TYPE_CHECKING, cast

from checker.search.model import Parts, Step, StepLaw
from checker.world.binding import of_steps
from checker.world.sharing.parts import Held
from checker.world.sharing.rules import NOW, WINDOW
from checker.world.sharing.sight import (
    closing_in,
    copy_of,
    heard_in,
    listing_of,
    seen_by,
    stored_in,
)
from spec.laws import producing, ranges, recovering, refreshing, rolling
from spec.premises import Judgement
from spec.replies import Appended, Sealed
from spec.truth import Acknowledged, Closing, Copy, Heard, Listing, Seen
from spec.vocabulary import Count

if TYPE_CHECKING:
    from checker.world.sharing.parts import Answered, Copies, Fence, Reading, Sent
    from reference.frontend import Frontend
    from reference.vnodes import View

TOLD = {"open", "open unheard", "record", "record unheard"}
"""The rules that send a command."""
CAUSELESS = {
    "fence",
    "fail fence",
    "sweep",
    "wait",
    "delay",
    "settle",
}
"""The rules of frontends that have no cause to move a counter."""


def step_laws() -> tuple[StepLaw, ...]:
    """What holds of every step."""
    return (
        *_telling(),
        *_planning(),
        *_staying(),
        *_hearing(),
        *_storing(),
        *_recording(),
        *_pacing(),
        *_refreshing(),
    )


def tempting_step_laws() -> tuple[StepLaw, ...]:
    """What looks as if it held of every step, and does not."""
    return (
        of_steps(refreshing.a_refresh_never_takes_the_view_back, {"install"}, _on_seen),
        of_steps(
            refreshing.a_recovered_frontend_stands_at_the_edge,
            {"recover"},
            lambda law, step, _, after: law(_seen(step, after)),
        ),
    )


def _telling() -> tuple[StepLaw, ...]:
    return (
        of_steps(
            refreshing.a_command_brings_the_control_planes_own_view,
            TOLD,
            lambda law, step, before, after: law(
                _seen(step, before), _seen(step, after), _listed(after)
            ),
        ),
        of_steps(
            ranges.a_recorded_length_is_final,
            {*TOLD, "fail over"},
            lambda law, _, before, after: law(_listed(before), _listed(after)),
        ),
        of_steps(
            ranges.a_seal_that_comes_second_moves_nothing,
            {"record", "record unheard"},
            lambda law, step, before, after: law(
                _listed(before), _closing(step, before).segment_id, _listed(after)
            ),
        ),
    )


def _planning() -> tuple[StepLaw, ...]:
    plans = {"plan", "open"}
    return (
        of_steps(rolling.a_range_stays_writable_while_it_owes_a_roll, plans, _if_planned),
        of_steps(
            producing.a_plan_raises_the_counter_by_its_batch,
            plans,
            lambda law, step, before, after: (
                _is_unplanned(step, before, after)
                or law(_seen(step, before), _count(step, after), _seen(step, after))
            ),
        ),
        of_steps(rolling.an_owed_roll_is_kept, {*plans, "sweep"}, _on_seen),
        of_steps(
            producing.a_plan_that_fails_changes_nothing,
            {"open", "open unheard"},
            lambda law, step, before, after: (
                not _is_unplanned(step, before, after) or _on_seen(law, step, before, after)
            ),
        ),
        of_steps(
            producing.a_failed_batch_gives_no_offsets_back,
            {"lose", "hear"},
            lambda law, step, before, after: (
                _is_answered(step, before) or _on_seen(law, step, before, after)
            ),
        ),
    )


def _staying() -> tuple[StepLaw, ...]:
    return (
        of_steps(rolling.a_step_without_a_cause_moves_no_counter, CAUSELESS, _on_seen),
        of_steps(
            rolling.a_refresh_moves_the_counter_only_behind_a_sealed_head, {"install"}, _on_seen
        ),
    )


def _hearing() -> tuple[StepLaw, ...]:
    return (
        of_steps(producing.an_answer_only_raises_the_counter, {"hear"}, _on_hearing),
        of_steps(producing.an_adopted_answer_ends_the_wait, {"hear"}, _on_hearing),
        of_steps(producing.an_answer_for_another_segment_changes_nothing, {"hear"}, _on_hearing),
        of_steps(
            producing.an_answered_batch_is_acknowledged_where_it_stands,
            {"hear"},
            lambda law, step, before, after: law(_heard(step, before), _acknowledged(step, after)),
        ),
        of_steps(rolling.a_refusal_for_another_segment_changes_nothing, {"hear"}, _on_hearing),
        of_steps(rolling.a_refusal_drops_only_what_it_names, {"hear"}, _on_hearing),
        of_steps(rolling.a_refusal_sets_the_counter_to_the_end_it_names, {"hear"}, _on_hearing),
        of_steps(rolling.a_refusal_leaves_what_is_awaited, {"hear"}, _on_seen),
        of_steps(recovering.a_seal_leaves_a_recovery_due, {"hear", "record"}, _unless_appended),
        of_steps(
            producing.a_refused_batch_is_held_once_behind_an_own_fence,
            {"hear"},
            lambda law, step, before, after: law(
                _seen(step, before),
                _heard(step, before),
                NOW,
                WINDOW,
                is_again=cast("Answered", before[step.reads[1]]).is_again,
                is_held=isinstance(after[step.reads[1]], Held),
            ),
        ),
    )


def _storing() -> tuple[StepLaw, ...]:
    stores = {"append", "append short", "close", "fail over"}
    return (
        of_steps(rolling.a_fenced_copy_never_changes, stores, _on_copies),
        of_steps(
            rolling.a_fence_answers_where_the_log_ends,
            {"close"},
            lambda law, step, _, after: law(
                closing_in(cast("Fence", after[step.reads[0]])),
                copy_of(cast("Copies", after[step.reads[1]]).primary),
            ),
        ),
        of_steps(
            rolling.a_fence_of_a_closed_log_answers_as_the_first,
            {"close"},
            lambda law, step, before, after: law(
                _primary(step, before), closing_in(cast("Fence", after[step.reads[0]]))
            ),
        ),
    )


def _recording() -> tuple[StepLaw, ...]:
    records = {"record", "settle"}
    return (
        of_steps(rolling.an_answer_for_a_sealed_segment_only_clears, records, _on_closing),
        of_steps(
            rolling.an_answer_is_recorded_unless_the_view_says_sealed,
            records,
            lambda law, step, before, after: law(
                _seen(step, before),
                _closing(step, before),
                _listed(after) if "control" in after else None,
            ),
        ),
        of_steps(
            rolling.a_conflict_takes_the_length_on_record,
            {"record"},
            lambda law, step, before, after: law(
                _listed(before), _closing(step, before), _seen(step, before), _seen(step, after)
            ),
        ),
        of_steps(rolling.a_recorded_seal_sets_the_counter_to_the_edge, {"record"}, _on_closing),
        of_steps(rolling.a_seal_without_an_answer_changes_nothing, {"record unheard"}, _on_seen),
    )


def _pacing() -> tuple[StepLaw, ...]:
    return (
        of_steps(
            rolling.a_fence_is_sent_at_once_and_again_only_past_the_window,
            {"fence"},
            lambda law, step, before, _: law(_seen(step, before), NOW, WINDOW),
        ),
        of_steps(
            rolling.a_sent_fence_is_marked,
            {"fence"},
            lambda law, step, _, after: law(_seen(step, after), NOW),
        ),
        of_steps(
            rolling.a_failed_fence_stays_owed_and_is_awaited_no_longer,
            {"fail fence"},
            lambda law, step, before, after: law(
                _seen(step, before),
                cast("Fence", before[step.reads[1]]).roll.segment_id,
                _seen(step, after),
            ),
        ),
        of_steps(
            rolling.a_requested_roll_is_owed,
            {"sweep"},
            lambda law, step, _, after: law(_seen(step, after)),
        ),
        of_steps(
            rolling.the_sequence_passes_a_rolled_segment,
            {"sweep"},
            lambda law, step, before, after: law(_listed(before)[-1][0], _seen(step, after)),
        ),
    )


def _refreshing() -> tuple[StepLaw, ...]:
    return (
        of_steps(
            refreshing.a_refresh_replays_what_was_commanded_since_the_read,
            {"install"},
            lambda law, step, before, after: law(
                _read(step, before), _seen(step, before), _seen(step, after)
            ),
        ),
        of_steps(refreshing.no_sealed_head_survives_a_refresh, {"install"}, _on_seen),
        of_steps(refreshing.a_roll_is_dropped_exactly_when_it_is_superseded, {"install"}, _on_seen),
        of_steps(refreshing.a_recovery_only_raises, {"recover", "recover mute"}, _on_seen),
        of_steps(
            refreshing.a_recovery_that_learns_the_end_ends_the_wait,
            {"recover"},
            lambda law, step, _, after: law(_seen(step, after)),
        ),
        of_steps(refreshing.a_known_end_survives_a_mute_primary, {"recover mute"}, _on_seen),
        of_steps(refreshing.an_unknown_end_is_admitted, {"recover mute"}, _on_seen),
    )


def _seen(step: Step, parts: Parts) -> Seen:
    return seen_by(cast("Frontend", parts[step.reads[0]]))


def _listed(parts: Parts) -> Listing:
    return listing_of(cast("View", parts["control"]))


def _primary(step: Step, before: Parts) -> Copy | None:
    copies = cast("Copies | None", before[step.reads[1]])
    return None if copies is None else copy_of(copies.primary)


def _read(step: Step, before: Parts) -> Listing:
    return listing_of(cast("View", cast("Reading", before[step.reads[1]]).view))


def _heard(step: Step, before: Parts) -> Heard:
    return heard_in(cast("Answered", before[step.reads[1]]))


def _closing(step: Step, before: Parts) -> Closing:
    return closing_in(cast("Fence", before[step.reads[1]]))


def _count(step: Step, after: Parts) -> Count:
    return cast("Sent", after[step.reads[1]]).dispatch.count


def _acknowledged(step: Step, after: Parts) -> Acknowledged | None:
    slot = after[step.reads[1]]
    return slot if isinstance(slot, Acknowledged) else None


def _is_unplanned(step: Step, before: Parts, after: Parts) -> bool:
    return before[step.reads[1]] is after[step.reads[1]]


def _is_answered(step: Step, before: Parts) -> bool:
    """Whether the answer to a batch said more than that it failed."""
    return step.rule_name == "hear" and isinstance(_heard(step, before).reply, Appended | Sealed)


def _unless_appended(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
    is_heard = step.rule_name == "hear" and isinstance(_heard(step, before).reply, Appended)
    return is_heard or _on_seen(law, step, before, after)


def _on_seen(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
    return law(_seen(step, before), _seen(step, after))


def _if_planned(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
    return _is_unplanned(step, before, after) or _on_seen(law, step, before, after)


def _on_hearing(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
    return law(_seen(step, before), _heard(step, before), _seen(step, after))


def _on_closing(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
    return law(_seen(step, before), _closing(step, before), _seen(step, after))


def _on_copies(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
    held, now = before[step.reads[1]], after[step.reads[1]]
    if held is None:
        return True
    pairs = zip(stored_in(cast("Copies", held)), stored_in(cast("Copies", now)), strict=True)
    return all(law(one, other) for one, other in pairs)
