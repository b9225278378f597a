"""The named defects of restarts and of expiry, each with the law that catches it."""

from dataclasses import replace

from checker.world.changing import changed
from checker.world.kinds import Defect
from checker.world.recovering import mutations
from checker.world.recovering.rules import REMEMBERED, Rules, expire_anything
from checker.world.recovering.scopes import built
from checker.world.sharing import rules as sharing

DEFECTS: tuple[Defect, ...] = (
    changed(
        built,
        "D119",
        "RECOVERY-NOT-KEPT",
        "what a recovery learns of a range after a restart is not kept",
        Rules(shared=sharing.Rules(seed_range_state=mutations.no_seed_at_boot)),
        scope="recover",
        caught_by="a_recovery_learns_where_the_range_ends",
        steps=4,
    ),
    changed(
        built,
        "D120",
        "UNRECOVERED-RANGE-SERVED",
        "a range that waits for its recovery is read up to its counter",
        Rules(read_consume=mutations.unknown_end_served),
        scope="recover",
        caught_by="an_unrecovered_range_is_not_read",
        steps=3,
    ),
    changed(
        built,
        "D116",
        "COUNTER-SURVIVES",
        "a frontend goes on after a restart from the counter of before",
        Rules(restart=mutations.counter_survives),
        scope="recover",
        caught_by="a_restart_keeps_nothing",
        steps=2,
    ),
    changed(
        built,
        "D117",
        "EXPIRED-ID-TAKEN",
        "the control plane takes a registration whose id is below those that the range lists",
        replace(REMEMBERED, shared=sharing.REFERENCE),
        scope="expire-remembered",
        caught_by="a_range_has_at_most_one_head",
        steps=14,
    ),
    changed(
        built,
        "D118",
        "NEWEST-EXPIRES",
        "retention removes the last segment of a range, and with it the memory of its end",
        replace(REMEMBERED, may_expire=expire_anything),
        scope="expire-remembered",
        caught_by="an_expired_id_is_not_given_again",
        steps=7,
    ),
)
