"""Which of the named defects the prover refutes, where, and by which law.

The search finds all of them, each in a world that is large enough, with a run from the start. The
prover needs no world that is large enough and finds no run; what it refutes it refutes for any
numbers. A test takes each of these steps again on plain integers.
"""

from collections import ChainMap
from collections.abc import Mapping
from typing import NamedTuple

from checker.prove.named import rules_of
from checker.prove.obligations import obligations
from checker.prove.proving import work


class Refutation(NamedTuple):
    """Where a defect shows."""

    step: str
    law: str
    segments: int = 1
    """So many segments are enough."""


REPLAYED = "a_refresh_replays_what_was_commanded_since_the_read"
"""The law of a refresh with a journal."""
REFUTED: dict[str, Refutation] = {
    "D02": Refutation("f1 fences s0", "an_answered_fence_tells_the_latch_of_its_primary"),
    "D03": Refutation("f1/s0 is recorded", "a_sealed_length_is_what_closing_answered"),
    "D04": Refutation("f1 refreshes", "no_sealed_head_survives_a_refresh"),
    "D06": Refutation("f1.1 is answered", "an_answered_batch_is_acknowledged_where_it_stands"),
    "D07": Refutation("f1 refreshes", "a_roll_is_dropped_exactly_when_it_is_superseded", 2),
    "D09": Refutation("f1/s0 is recorded", "a_recorded_seal_sets_the_counter_to_the_edge"),
    "D10": Refutation("f1.1 is answered", "a_refusal_sets_the_counter_to_the_end_it_names"),
    "D11": Refutation("f1/s0 is recorded", "a_conflict_takes_the_length_on_record"),
    "D12": Refutation("f1/s0 is recorded", "a_recorded_length_is_final"),
    "D13": Refutation("f1/s0 is unheard", "a_seal_without_an_answer_changes_nothing"),
    "D14": Refutation("f1/s0 is settled", "an_answer_is_recorded_unless_the_view_says_sealed"),
    "D15": Refutation("f1/s0 is settled", "an_answer_is_recorded_unless_the_view_says_sealed"),
    "D16": Refutation("f1/s0 is recorded", "an_answer_for_a_sealed_segment_only_clears"),
    "D19": Refutation("f1.1 is answered", "an_answer_only_raises_the_counter"),
    "D21": Refutation("f1.1 is answered", "a_refusal_for_another_segment_changes_nothing"),
    "D23": Refutation("f1 refreshes", "a_roll_is_dropped_exactly_when_it_is_superseded"),
    "D24": Refutation("f1 refreshes", "a_roll_is_dropped_exactly_when_it_is_superseded"),
    "D25": Refutation("f1 sweeps", "a_requested_roll_is_owed"),
    "D26": Refutation("f1 sweeps", "the_sequence_passes_a_rolled_segment"),
    "D27": Refutation("f1 sweeps", "an_owed_roll_is_kept"),
    "D28": Refutation("f1.1 is planned", "a_range_stays_writable_while_it_owes_a_roll"),
    "D29": Refutation("f1 recovers", "a_recovery_only_raises"),
    "D31": Refutation("f1 hears nothing", "a_known_end_survives_a_mute_primary"),
    "D32": Refutation("f1.1 is answered", "an_adopted_answer_ends_the_wait"),
    "D34": Refutation("f1 refreshes with a journal", REPLAYED),
    "D40": Refutation("f1.1 opens a segment", "a_command_brings_the_control_planes_own_view"),
    "D41": Refutation("f1.1 opens a segment", "a_plan_that_fails_changes_nothing"),
    "D42": Refutation("f1.1 is lost", "a_failed_batch_gives_no_offsets_back"),
    "D43": Refutation("pacing", "a_sent_fence_is_marked"),
    "D44": Refutation("pacing", "an_owed_roll_is_due_again_past_its_window"),
    "D45": Refutation("pacing", "a_fence_is_awaited_only_inside_its_window"),
    "D46": Refutation("f1/s0 fails", "a_failed_fence_stays_owed_and_is_awaited_no_longer"),
    "D96": Refutation("f1.1 opens a segment", "a_range_has_at_most_one_head", 2),
    "D130": Refutation("f1.1 opens a segment", "a_plan_that_fails_changes_nothing"),
    "D131": Refutation("f1.1 is answered", "a_refused_batch_is_held_once_behind_an_own_fence"),
    "D132": Refutation("f1.1 is answered", "a_refusal_leaves_what_is_awaited"),
    "D133": Refutation("f1.1 is answered", "a_seal_leaves_a_recovery_due"),
    "D134": Refutation("f1 refreshes with a journal", REPLAYED),
    "D144": Refutation("pacing", "an_owed_roll_is_due_again_past_its_window"),
    "D145": Refutation("f1.1 is answered", "a_refusal_sets_the_counter_to_the_end_it_names"),
}
REFUTED_OF_PAGES: dict[str, Refutation] = {
    "D30": Refutation("read_consume unrecovered", "a_range_whose_end_is_unknown_serves_no_page"),
    "D52": Refutation("read_consume", "a_page_with_room_has_read_to_the_known_end", 2),
    "D53": Refutation("read_consume", "a_page_delivers_what_is_stored_between_its_cursors", 2),
    "D54": Refutation("read", "a_read_steps_over_no_stored_record", 2),
    "D55": Refutation("read_consume", "a_page_delivers_what_is_stored_between_its_cursors", 2),
    "D57": Refutation("read_consume", "a_failed_read_fails_the_page", 2),
    "D58": Refutation("read_consume", "a_consumer_never_leaves_the_range_itself", 2),
    "D59": Refutation("stream_history", "a_page_of_a_history_is_further_on", 2),
    "D66": Refutation("read_consume", "a_failed_read_fails_the_page", 2),
    "D67": Refutation("read_consume", "a_page_asks_primaries_alone", 2),
    "D68": Refutation("stream_history", "a_history_holds_what_is_listed", 2),
    "D73": Refutation("read_consume", "a_page_lists_what_it_passed_and_is_no_longer_stored", 2),
    "D74": Refutation("read_consume", "a_page_keeps_within_its_budget", 2),
    "D79": Refutation("read_consume", "a_skip_counts_each_offset_that_is_gone_once", 2),
}
"""The same of the defects of pages; these obligations take seconds each."""
KNOWN: Mapping[str, Refutation] = ChainMap(REFUTED, REFUTED_OF_PAGES)
"""All of them: each defect that changes a rule which is proved."""


def refuted(defect: str) -> Refutation | None:
    """Where the prover refutes a defect now; none where it does not, or nothing is known."""
    known = KNOWN.get(defect)
    if known is None:
        return None
    stage = obligations(rules_of(defect), known.segments)[known.step]
    judged = work(known.step, stage, {known.law}.__contains__).laws.get(known.law)
    return known if judged is not None and judged.refuted is not None else None
