"""The laws that are proved, by name."""

from functools import cache
from typing import TYPE_CHECKING

from checker.prove import pages
from checker.prove.claims import FRONT_LAWS, LISTING_LAWS, clause_of
from checker.prove.proving import model_for, steps_of
from checker.world.sharing.rules import REFERENCE
from spec.laws import producing, rolling, supporting

if TYPE_CHECKING:
    from spec.premises import Judgement

OTHERS = (
    producing.acknowledged_records_lie_below_the_edge,
    rolling.a_fence_is_awaited_only_inside_its_window,
    rolling.a_sealed_length_is_what_closing_answered,
    rolling.an_owed_roll_is_due_again_past_its_window,
    supporting.a_batch_is_planned_below_the_counter,
    supporting.a_copy_begins_where_its_segment_is_listed,
    supporting.a_full_head_owes_a_roll,
    supporting.a_latch_names_the_end_of_its_log,
    supporting.a_listing_only_grows,
    supporting.a_message_names_its_segment_where_it_begins,
    supporting.a_plan_tallies_what_it_sends,
    supporting.a_recorded_seal_has_the_bytes_of_the_answer,
    supporting.a_refusal_names_the_end_of_its_primary,
    supporting.a_view_is_a_listing_of_its_time,
    supporting.an_answered_batch_lies_in_every_copy_that_counts,
    supporting.an_answered_fence_tells_the_latch_of_its_primary,
    supporting.no_offset_is_acknowledged_twice,
)
"""Those of messages, copies, plans and time."""


def clause_of_law(name: str) -> str:
    """The clause of a law that some obligation is about."""
    every: tuple[Judgement, ...] = (*LISTING_LAWS, *FRONT_LAWS, *OTHERS, *pages.LAWS)
    laws = {law.__name__: law for law in every}
    if name in laws:
        return clause_of(laws[name])
    steps = model_for(REFERENCE, 1).step_laws
    return next(law.clause for law in steps if law.name == name)


@cache
def law_names() -> tuple[str, ...]:
    """Every law that some obligation is about, in order."""
    model = model_for(REFERENCE, 1)
    rules = {step.rule_name for step in steps_of(model)}
    names = {law.__name__ for law in (*LISTING_LAWS, *FRONT_LAWS, *OTHERS)}
    names |= {law.name for law in model.step_laws if law.rule_names & rules}
    names |= {law.__name__ for law in pages.LAWS}
    return tuple(sorted(names))
