"""The laws of `spec.laws` that hold of every step, bound to the parts of the world."""

from typing import TYPE_CHECKING, cast

from checker.search.model import Parts, Step, StepLaw
from checker.world.binding import Judge, of_steps
from checker.world.reshaping.bounds import Bounds
from checker.world.reshaping.parts import Reshaping
from checker.world.reshaping.sight import (
    blocks_of,
    copies_in,
    listing_in,
    listing_of,
    queue_at,
    seen_by,
)
from checker.world.sharing.sight import closing_in, heard_in
from spec.laws import ideal, producing, ranges, rolling
from spec.premises import Judgement
from spec.truth import Blocks, Closing, Heard, Listing, Seen
from spec.vocabulary import Position, RangeId

if TYPE_CHECKING:
    from checker.world.reshaping.parts import Logs
    from checker.world.sharing.parts import Answered, Fence
    from reference.frontend import Frontend
    from reference.vnodes import View

TOLD = {"send", "record", "record unheard", "reshape", "reshape unheard", "heal"}
"""The rules that write the control plane."""
RESHAPES = {"reshape", "reshape unheard"}


def step_laws(bounds: Bounds) -> tuple[StepLaw, ...]:
    """What holds of every step."""
    return (*_telling(bounds), *_reshaping(), *_storing(), *_recording(), *_hearing())


def _telling(bounds: Bounds) -> tuple[StepLaw, ...]:
    return (
        of_steps(
            ideal.a_queue_grows_at_its_back_alone, {*TOLD, "append"}, _on_queues(1 << bounds.bits)
        ),
        of_steps(
            ranges.a_recorded_length_is_final,
            TOLD,
            lambda law, _, before, after: law(_listed(before), _listed(after)),
        ),
        of_steps(
            ranges.a_range_that_was_listed_keeps_its_block,
            TOLD,
            lambda law, _, before, after: law(_blocks(before), _blocks(after)),
        ),
    )


def _reshaping() -> tuple[StepLaw, ...]:
    return (
        of_steps(rolling.the_head_to_fence_is_the_listed_one, {"look"}, _on_look),
        of_steps(
            ranges.a_reshape_moves_no_segment,
            RESHAPES,
            lambda law, _, before, after: law(_listed(before), _listed(after)),
        ),
        of_steps(
            ranges.a_refused_reshape_changes_nothing,
            {"reshape"},
            lambda law, step, before, after: (
                _work(after).is_done
                or all(
                    law(_whole(step, before, each), _whole(step, after, each))
                    for each, _ in _blocks(before)
                )
            ),
        ),
    )


def _storing() -> tuple[StepLaw, ...]:
    return (
        of_steps(
            producing.a_retired_range_takes_no_record,
            {"append"},
            lambda law, step, before, after: law(
                dict(_blocks(before))[_heard(step, after).segment_id.range_id], _heard(step, after)
            ),
        ),
        of_steps(rolling.a_fenced_copy_never_changes, {"append", "close"}, _on_copies),
        of_steps(
            rolling.a_fence_answers_where_the_log_ends,
            {"close"},
            lambda law, _step, _, after: law(
                (closing := _closing(after)), copies_in(_logs(after))[closing.segment_id]
            ),
        ),
        of_steps(
            rolling.a_fence_of_a_closed_log_answers_as_the_first,
            {"close"},
            lambda law, _, before, after: law(
                copies_in(_logs(before)).get((closing := _closing(after)).segment_id), closing
            ),
        ),
    )


def _recording() -> tuple[StepLaw, ...]:
    return (
        of_steps(rolling.a_recorded_seal_sets_the_counter_to_the_edge, {"record"}, _on_closing),
        of_steps(
            rolling.a_conflict_takes_the_length_on_record,
            {"record"},
            lambda law, step, before, after: law(
                listing_in(_plane(before), (range_id := _retired(before))),
                _closing(before),
                _seen(step, before, range_id),
                _seen(step, after, range_id),
            ),
        ),
        of_steps(
            rolling.a_seal_without_an_answer_changes_nothing,
            {"record unheard"},
            lambda law, step, before, after: law(
                _seen(step, before, _retired(before)),
                _seen(step, after, _retired(before)),
            ),
        ),
    )


def _hearing() -> tuple[StepLaw, ...]:
    return tuple(
        of_steps(law, {"hear"}, _on_hearing)
        for law in (
            producing.an_answer_only_raises_the_counter,
            producing.an_answer_for_another_segment_changes_nothing,
            rolling.a_refusal_for_another_segment_changes_nothing,
            rolling.a_refusal_sets_the_counter_to_the_end_it_names,
        )
    )


def _plane(parts: Parts) -> "View":
    return cast("View", parts["control"])


def _logs(parts: Parts) -> "Logs":
    return cast("Logs", parts["logs"])


def _blocks(parts: Parts) -> Blocks:
    return blocks_of(_plane(parts))


def _listed(parts: Parts) -> Listing:
    return listing_of(_plane(parts))


def _seen(step: Step, parts: Parts, range_id: RangeId) -> Seen:
    return seen_by(cast("Frontend", parts[step.reads[0]]), range_id)


def _whole(step: Step, parts: Parts, range_id: RangeId) -> tuple[Blocks, Listing, Seen]:
    return _blocks(parts), _listed(parts), _seen(step, parts, range_id)


def _work(parts: Parts) -> Reshaping:
    return next(value for value in parts.values() if isinstance(value, Reshaping))


def _closing(parts: Parts) -> Closing:
    return closing_in(cast("Fence", _work(parts).fence))


def _retired(parts: Parts) -> RangeId:
    return cast("Fence", _work(parts).fence).roll.range_id


def _heard(step: Step, parts: Parts) -> Heard:
    slot = step.reads[0] if step.rule_name == "append" else step.reads[1]
    return heard_in(cast("Answered", parts[slot]))


def _on_queues(positions: int) -> Judge:
    def judge(law: Judgement, _step: Step, before: Parts, after: Parts) -> bool:
        return all(
            law(
                queue_at(_plane(before), _logs(before), Position(position)),
                queue_at(_plane(after), _logs(after), Position(position)),
            )
            for position in range(positions)
        )

    return judge


def _on_look(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
    fence, ready = _work(after).fence, _work(after).ready
    range_id = ready[-1] if fence is None else fence.roll.range_id
    return law(_seen(step, before, range_id), None if fence is None else fence.roll)


def _on_copies(law: Judgement, _step: Step, before: Parts, after: Parts) -> bool:
    held, now = copies_in(_logs(before)), copies_in(_logs(after))
    return all(law(copy, now[segment_id]) for segment_id, copy in held.items())


def _on_hearing(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
    heard = _heard(step, before)
    range_id = heard.segment_id.range_id
    return law(_seen(step, before, range_id), heard, _seen(step, after, range_id))


def _on_closing(law: Judgement, step: Step, before: Parts, after: Parts) -> bool:
    range_id = _retired(before)
    return law(_seen(step, before, range_id), _closing(before), _seen(step, after, range_id))
