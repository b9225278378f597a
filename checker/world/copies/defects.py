"""The named defects of stores and coordinators, each with the law that catches it."""

from dataclasses import replace

from checker.world.copies import mutations
from checker.world.copies.rules import REFERENCE, Rules
from checker.world.copies.scopes import defective
from checker.world.kinds import Defect


def changed(
    name: str, title: str, change: str, rules: Rules, *, scope: str, caught_by: str, steps: int
) -> Defect:
    """A defect that is one rule exchanged for another."""
    return Defect(name, title, change, caught_by, scope, steps, lambda: defective(scope, rules))


DEFECTS: tuple[Defect, ...] = (
    changed(
        "D90",
        "LATCH-LOST-AT-RESTART",
        "a broker that comes back has its records, and no latch",
        replace(REFERENCE, come_back=mutations.latch_lost_at_restart),
        scope="failover",
        caught_by="a_fenced_copy_never_changes",
        steps=5,
    ),
    changed(
        "D91",
        "SEAL-BELOW-A-MAJORITY",
        "a failover seals at the end of whichever copy answers first",
        replace(REFERENCE, failover_plan=mutations.seal_below_a_majority),
        scope="failover",
        caught_by="a_failover_seals_only_what_a_majority_answered",
        steps=5,
    ),
    changed(
        "D92",
        "FAILED-COPY-COUNTS",
        "a copy that is reported as failed is asked, and its answer counts",
        replace(
            REFERENCE,
            failover_candidates=mutations.failed_copy_is_asked,
            failover_plan=mutations.failed_copy_counts,
        ),
        scope="doubts",
        caught_by="a_failover_seals_only_what_a_majority_answered",
        steps=5,
    ),
    changed(
        "D93",
        "SEAL-AT-THE-LOWEST-END",
        "a failover seals at the end that every answer reaches",
        replace(REFERENCE, failover_plan=mutations.seal_at_the_lowest_end),
        scope="doubts",
        caught_by="a_failover_seals_at_the_highest_end",
        steps=6,
    ),
    changed(
        "D08",
        "HEAL-REPLY-DISCARDED",
        "the old copy is cleared away although the command was lost that leads readers elsewhere",
        replace(REFERENCE, after_naming=mutations.clear_whatever_was_answered),
        scope="healing",
        caught_by="no_copy_goes_that_the_control_plane_names",
        steps=11,
    ),
    changed(
        "D47",
        "HEAL-SKIPS-CACHE",
        "a repair changes the view of the frontend that it goes through, and not its cached head",
        replace(REFERENCE, heal=mutations.heal_without_the_cache),
        scope="moves",
        caught_by="the_next_batch_goes_to_the_replicas_on_record",
        steps=2,
    ),
    changed(
        "D94",
        "ACTIVE-SEGMENT-EXPIRES",
        "retention counts the age of a segment from its opening, and nobody refuses",
        replace(
            REFERENCE,
            retention_expired=mutations.active_ones_expire,
            command=mutations.delete_unasked,
        ),
        scope="retention",
        caught_by="only_sealed_segments_are_removed",
        steps=4,
    ),
    changed(
        "D95",
        "MINORITY-IS-SERVED",
        "where only what a majority holds is served, a primary counts one replica too few",
        replace(REFERENCE, serve=mutations.serve_what_a_minority_holds),
        scope="served",
        caught_by="a_delivered_record_lies_below_the_edge",
        steps=8,
    ),
    changed(
        "D97",
        "HEALED-BEFORE-COPIED",
        "a new replica is named before it has copied the segment",
        replace(REFERENCE, may_name=mutations.name_before_copying),
        scope="healing",
        caught_by="a_new_replica_is_named_only_once_it_is_copied",
        steps=8,
    ),
    changed(
        "D98",
        "COPIES-BEFORE-LISTING",
        "the copies of an expired segment are removed while the control plane lists it",
        replace(REFERENCE, may_remove_copies=mutations.remove_copies_first),
        scope="retention",
        caught_by="no_copy_goes_that_the_control_plane_names",
        steps=7,
    ),
    changed(
        "D99",
        "DEAD-PRIMARY-STAYS-FIRST",
        "a failover seals a segment and leaves its dead primary at the head of the set",
        replace(REFERENCE, failover_plan=mutations.keep_the_old_head),
        scope="failover",
        caught_by="a_failover_puts_the_holder_first",
        steps=6,
    ),
)
