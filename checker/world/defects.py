"""The named defects: small changes of the machine, each caught by a law, with a pinned trace."""

from collections.abc import Callable
from dataclasses import dataclass

from checker.search.model import Model
from checker.world import mutations
from checker.world.rules import Rules
from checker.world.scopes import defective


@dataclass(frozen=True, slots=True)
class Defect:
    """One small change, and the law that notices it."""

    name: str
    """`D09`."""
    title: str
    """`SEAL-KEEPS-MAX`."""
    change: str
    """What is changed, in words."""
    caught_by: str
    """The name of the law."""
    scope: str
    """The scope whose world it is searched in."""
    steps: int
    """The length of the shortest trace."""
    build: Callable[[], Model]
    """The world with the change in it."""


def changed(
    name: str, title: str, change: str, rules: Rules, *, scope: str, caught_by: str, steps: int
) -> Defect:
    """A defect that is one rule exchanged for another."""
    return Defect(name, title, change, caught_by, scope, steps, lambda: defective(scope, rules))


DEFECTS: tuple[Defect, ...] = (
    changed(
        "D02",
        "ROLL-WITHOUT-FENCE",
        "a due roll is sealed at the frontend's counter, and no fence is sent",
        Rules(end_without_fence=mutations.roll_without_fence),
        scope="roll",
        caught_by="a_sealed_length_is_what_closing_answered",
        steps=3,
    ),
    changed(
        "D03",
        "LENGTH-FROM-COUNTER",
        "a seal records the frontend's counter in place of the fence's answer",
        Rules(record_fence=mutations.length_from_counter),
        scope="roll",
        caught_by="a_sealed_length_is_what_closing_answered",
        steps=4,
    ),
    changed(
        "D04",
        "STALE-HEAD-ONLY-ON-HEAL-NODE",
        "a refresh drops no head that the control plane has sealed",
        Rules(install=mutations.stale_head_kept),
        scope="roll",
        caught_by="no_sealed_head_survives_a_refresh",
        steps=4,
    ),
    changed(
        "D06",
        "OFFSET-MISMATCH-FAILS",
        "an answer that differs from the plan fails the batch",
        Rules(adopt_answer=mutations.offset_mismatch_fails),
        scope="roll",
        caught_by="an_answered_batch_is_acknowledged_where_it_stands",
        steps=5,
    ),
    changed(
        "D07",
        "ROLL-DROPPED-FOR-ANY-OTHER-HEAD",
        "a refresh drops an owed roll because the listed head is another, though an earlier one",
        Rules(install=mutations.roll_dropped_for_any_other_head),
        scope="age",
        caught_by="a_roll_is_dropped_exactly_when_it_is_superseded",
        steps=8,
    ),
    changed(
        "D09",
        "SEAL-KEEPS-MAX",
        "a seal raises the counter in place of setting it",
        Rules(record_fence=mutations.seal_keeps_max),
        scope="roll",
        caught_by="a_recorded_seal_sets_the_counter_to_the_edge",
        steps=4,
    ),
    changed(
        "D10",
        "REFUSAL-KEEPS-MAX",
        "a refusal raises the counter in place of setting it",
        Rules(forget_sealed=mutations.refusal_keeps_max),
        scope="roll",
        caught_by="a_refusal_sets_the_counter_to_the_end_it_names",
        steps=5,
    ),
    changed(
        "D11",
        "CONFLICT-IS-ERROR",
        "a seal that comes second is an error, and its frontend adopts nothing",
        Rules(record_fence=mutations.conflict_is_error),
        scope="roll",
        caught_by="a_conflict_takes_the_length_on_record",
        steps=6,
    ),
    changed(
        "D12",
        "CONFLICT-OVERWRITES",
        "the control plane takes the later of two lengths",
        Rules(command=mutations.conflict_overwrites),
        scope="roll",
        caught_by="a_recorded_length_is_final",
        steps=6,
    ),
    changed(
        "D13",
        "SEAL-HALF-DONE",
        "a seal that got no answer drops the head and the roll all the same",
        Rules(record_fence=mutations.seal_half_done),
        scope="faults",
        caught_by="a_seal_without_an_answer_changes_nothing",
        steps=4,
    ),
    changed(
        "D14",
        "ANSWER-NEEDS-OWED-ROLL",
        "the answer to a fence is ignored once a refusal has cleared its roll",
        Rules(record_fence=mutations.answer_needs_owed_roll),
        scope="roll",
        caught_by="an_answer_is_recorded_unless_the_view_says_sealed",
        steps=6,
    ),
    changed(
        "D15",
        "ANSWER-NEEDS-VIEW",
        "the answer to a fence is ignored where the view lacks the segment",
        Rules(record_fence=mutations.answer_needs_view),
        scope="age",
        caught_by="an_answer_is_recorded_unless_the_view_says_sealed",
        steps=5,
    ),
    changed(
        "D16",
        "LATE-ANSWER-SEALS",
        "a late answer seals a segment that the view calls sealed",
        Rules(record_fence=mutations.late_answer_seals),
        scope="roll",
        caught_by="an_answer_for_a_sealed_segment_only_clears",
        steps=11,
    ),
    changed(
        "D19",
        "ADOPT-SETS",
        "an answer sets the counter in place of raising it",
        Rules(adopt_answer=mutations.adopt_sets),
        scope="batches",
        caught_by="an_answer_only_raises_the_counter",
        steps=4,
    ),
    changed(
        "D21",
        "REFUSAL-UNGUARDED",
        "a refusal closes whatever head is open, whichever segment it names",
        Rules(forget_sealed=mutations.refusal_unguarded),
        scope="batches",
        caught_by="a_refusal_for_another_segment_changes_nothing",
        steps=7,
    ),
    changed(
        "D23",
        "ROLL-KEPT-FOREVER",
        "a refresh never drops an owed roll whose segment is not cached",
        Rules(install=mutations.roll_kept_forever),
        scope="age",
        caught_by="a_roll_is_dropped_exactly_when_it_is_superseded",
        steps=5,
    ),
    changed(
        "D24",
        "ROLL-DROPPED-IF-UNSEEN",
        "a refresh drops an owed roll whose segment the view lacks",
        Rules(install=mutations.roll_dropped_if_unseen),
        scope="age",
        caught_by="a_roll_is_dropped_exactly_when_it_is_superseded",
        steps=4,
    ),
    changed(
        "D25",
        "AGE-ROLL-FROM-CACHE",
        "the sweep rolls only what its own frontend caches",
        Rules(request_rolls=mutations.age_roll_from_cache),
        scope="age",
        caught_by="a_requested_roll_is_owed",
        steps=2,
    ),
    changed(
        "D26",
        "AGE-ROLL-KEEPS-SEQ",
        "the sweep does not raise the sequence past the segment that it rolls",
        Rules(request_rolls=mutations.age_roll_keeps_sequence),
        scope="age",
        caught_by="the_sequence_passes_a_rolled_segment",
        steps=2,
    ),
    changed(
        "D27",
        "ROLL-REPLACED",
        "a second request takes the place of the owed roll and of its mark",
        Rules(request_rolls=mutations.roll_replaced),
        scope="age",
        caught_by="an_owed_roll_is_kept",
        steps=4,
    ),
    changed(
        "D28",
        "ROLL-IS-A-BARRIER",
        "a head is closed as soon as its roll is owed",
        Rules(produce_plan=mutations.roll_is_a_barrier),
        scope="roll",
        caught_by="a_range_stays_writable_while_it_owes_a_roll",
        steps=1,
    ),
    changed(
        "D29",
        "SEED-SETS",
        "a recovery sets the counter to the end that it learned, down as well as up",
        Rules(seed_range_state=mutations.seed_sets),
        scope="roll",
        caught_by="a_recovery_only_raises",
        steps=4,
    ),
    changed(
        "D31",
        "PROBE-FAILURE-TAKES-RANGE",
        "a mute primary makes a range unrecovered whose end is known",
        Rules(seed_unrecovered_range=mutations.probe_failure_takes_range),
        scope="roll",
        caught_by="a_known_end_survives_a_mute_primary",
        steps=4,
    ),
    changed(
        "D32",
        "UNRECOVERED-BLOCKS-WRITES",
        "an adopted answer does not end the wait for a recovery",
        Rules(adopt_answer=mutations.answer_leaves_unrecovered),
        scope="roll",
        caught_by="an_adopted_answer_ends_the_wait",
        steps=7,
    ),
    changed(
        "D34",
        "NO-REPLAY",
        "a read is installed without the commands that were sent since it began",
        Rules(install=mutations.no_replay),
        scope="roll",
        caught_by="a_refresh_replays_what_was_commanded_since_the_read",
        steps=3,
    ),
    changed(
        "D40",
        "REFUSED-APPLIED-LOCALLY",
        "a command that the control plane refused is applied to the frontend's view",
        Rules(bring=mutations.refused_applied_locally),
        scope="roll",
        caught_by="a_command_brings_the_control_planes_own_view",
        steps=3,
    ),
    changed(
        "D41",
        "PLAN-LEAKS",
        "a plan that fails keeps its reservation",
        Rules(produce_plan=mutations.plan_leaks),
        scope="faults",
        caught_by="a_plan_that_fails_changes_nothing",
        steps=1,
    ),
    changed(
        "D42",
        "OFFSETS-GIVEN-BACK",
        "a batch that failed lowers the counter",
        Rules(give_up=mutations.offsets_given_back),
        scope="roll",
        caught_by="a_failed_batch_gives_no_offsets_back",
        steps=2,
    ),
    changed(
        "D43",
        "FENCE-PER-PRODUCE",
        "a fence that was sent leaves no mark",
        Rules(fences_to_send=mutations.fence_per_produce),
        scope="roll",
        caught_by="a_sent_fence_is_marked",
        steps=2,
    ),
    changed(
        "D44",
        "FENCE-NEVER-RESENT",
        "a fence that was sent is never due again",
        Rules(fences_to_send=mutations.fence_never_resent),
        scope="roll",
        caught_by="an_owed_roll_is_due_again_past_its_window",
        steps=4,
    ),
    changed(
        "D45",
        "WAIT-UNBOUNDED",
        "a fence is awaited however long it takes",
        Rules(is_awaiting_fence=mutations.wait_unbounded),
        scope="roll",
        caught_by="a_fence_is_awaited_only_inside_its_window",
        steps=4,
    ),
    changed(
        "D46",
        "FAILED-FENCE-STILL-AWAITED",
        "a fence that failed is awaited all the same",
        Rules(forget_fence=mutations.failed_fence_still_awaited),
        scope="faults",
        caught_by="a_failed_fence_stays_owed_and_is_awaited_no_longer",
        steps=3,
    ),
)


def defect_named(name: str) -> Defect | None:
    """The defect of that name or title."""
    return next((each for each in DEFECTS if name.upper() in {each.name, each.title}), None)
