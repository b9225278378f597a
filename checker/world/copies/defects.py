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
)
