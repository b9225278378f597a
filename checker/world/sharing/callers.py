"""The named defects of those who call frontends that share a range: what they tell, and when."""

from checker.world.changing import changed
from checker.world.kinds import Defect
from checker.world.sharing import mutations
from checker.world.sharing.rules import Rules
from checker.world.sharing.scopes import defective, holding


def held_for_ever(_is_waiting: bool, _is_recorded: bool) -> bool:
    """Wait on for the answer to a fence whose window has passed."""
    return False


DEFECTS: tuple[Defect, ...] = (
    changed(
        defective,
        "D06",
        "OFFSET-MISMATCH-FAILS",
        "an answer that differs from the plan fails the batch",
        Rules(adopt_answer=mutations.offset_mismatch_fails),
        scope="roll",
        caught_by="an_answered_batch_is_acknowledged_where_it_stands",
        steps=5,
    ),
    changed(
        defective,
        "D42",
        "OFFSETS-GIVEN-BACK",
        "a batch that failed lowers the counter",
        Rules(give_up=mutations.offsets_given_back),
        scope="roll",
        caught_by="a_failed_batch_gives_no_offsets_back",
        steps=2,
    ),
    changed(
        defective,
        "D131",
        "OWN-REFUSAL-HANDED-ON",
        "a batch that the frontend's own fence refused fails at once",
        Rules(is_planned_again=mutations.own_refusal_handed_on),
        scope="roll",
        caught_by="a_refused_batch_is_held_once_behind_an_own_fence",
        steps=5,
    ),
    changed(
        defective,
        "D134",
        "JOURNAL-REPLAYED-FIRST",
        "a refresh replays the journal before it installs the read",
        Rules(install=mutations.journal_replayed_first),
        scope="roll",
        caught_by="a_refresh_replays_what_was_commanded_since_the_read",
        steps=3,
    ),
    changed(
        defective,
        "D144",
        "FENCE-NEEDS-A-PRODUCE",
        "fences go out behind produces alone, and none for a range that is not written to here",
        Rules(fences_to_send=mutations.fence_needs_a_produce),
        scope="age",
        caught_by="an_owed_roll_is_due_again_past_its_window",
        steps=2,
    ),
    changed(
        defective,
        "D145",
        "REFUSAL-NOT-TOLD",
        "a client is told that its batch was refused, and the frontend is not",
        Rules(forget_sealed=mutations.refusal_not_told),
        scope="roll",
        caught_by="a_refusal_sets_the_counter_to_the_end_it_names",
        steps=5,
    ),
    changed(
        holding,
        "D139",
        "HELD-FOR-EVER",
        "a caller holds a refused batch until the answer to its fence comes, and no window ends it",
        Rules(is_let_go=held_for_ever),
        scope="holding",
        caught_by="no_batch_is_held_for_ever",
        steps=8,
    ),
)
