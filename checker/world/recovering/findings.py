"""Where the documented protocol loses what a restart, an expiry or a new topic takes with it."""

from dataclasses import replace
from functools import partial

from checker.search.model import Model
from checker.world.changing import alone
from checker.world.kinds import Fallen, Finding, Remedy
from checker.world.recovering import remedies
from checker.world.recovering.judging import tempting_laws
from checker.world.recovering.rules import (
    LATCHED,
    REFERENCE,
    REMEMBERED,
    Rules,
    keep_the_newest,
    register_above_the_listed,
)
from checker.world.recovering.scopes import bounds_named, built
from checker.world.sharing import rules as sharing


def judged(scope: str, law: str) -> Model:
    """The world of a scope, judged by one law alone: one that is to hold, or a tempting one."""
    return alone(whole(law, None, scope), law)


def whole(law: str, rules: Rules | None, scope: str) -> Model:
    """The world of a scope under other rules, judged by all its laws and by a tempting one."""
    model, bounds = built(scope, rules), bounds_named(scope)
    assert bounds is not None, f"{scope} names a world"
    tempting = tempting_laws(bounds, REFERENCE if rules is None else rules)
    own = (each for each in tempting if each.name == law)
    return replace(model, laws=(*model.laws, *own), goals=())


def finding(
    name: str,
    title: str,
    meaning: str,
    *,
    law: str,
    scope: str,
    steps: int,
    seen_as: str,
    permitted_by: tuple[str, ...],
    rule: str,
    rules: Rules,
    states: int,
    assumes: tuple[str, ...] = (),
    amends: tuple[str, ...] = (),
    elsewhere: tuple[str, ...] = (),
    leaves: tuple[Fallen, ...] = (),
) -> Finding:
    """A finding in the world of a scope, and the rules that close it there."""
    return Finding(
        name=name,
        title=title,
        meaning=meaning,
        law=law,
        scope=scope,
        steps=steps,
        build=partial(judged, scope, law),
        seen_as=seen_as,
        permitted_by=permitted_by,
        assumes=assumes,
        remedy=Remedy(
            rule,
            partial(whole, law, rules),
            states,
            partial(whole, law, None),
            amends,
            elsewhere,
            leaves=leaves,
        ),
    )


FINDINGS: tuple[Finding, ...] = (
    finding(
        "F27",
        "EXPIRED-RANGE-BEGINS-AGAIN",
        "a range whose segments have all expired takes a new one at any start; a frontend that"
        " did not see the last of them sealed opens it where it believes the range to end, and"
        " hands out offsets for the second time",
        law="no_two_acknowledged_batches_share_an_offset",
        scope="expire-latched",
        steps=15,
        seen_as="a consumer group whose cursor stands behind the old records never sees the new"
        " ones, which lie below it",
        permitted_by=(
            "PRD-10",
            "ROL-15",
            "ROL-17",
            "RFR-28",
            "RFR-29",
            "ROL-2",
            "PRD-31",
            "ROL-1",
            "ROL-5",
            "RFR-4",
            "RFR-3",
            "RNG-20 #1",
            "RNG-17 PRD-10",
            "ROL-2",
            "PRD-31",
        ),
        assumes=("retention may remove the last segment of a range",),
        rule="Retention keeps the newest sealed segment of a range until another is sealed, and a"
        " registration has to name an id above those that the range lists.",
        rules=REMEMBERED,
        states=53_237,
        amends=("HEA-19", "HEA-20", "RNG-16"),
    ),
    finding(
        "F28",
        "UNSEEDED-RANGE-READS-EMPTY",
        "between the refresh that brings a range's first segment and its recovery, or between a"
        " restart and its recovery, the frontend holds no counter and the range is not yet called"
        " unrecovered: it answers an empty page",
        law="a_range_whose_end_was_never_learned_is_not_read",
        scope="recover:restarts=0",
        steps=3,
        seen_as="a consumer that asks at this moment is told that it has caught up, and one that"
        " drains a topic stops before its first record",
        permitted_by=("PRD-10", "RFR-4", "RFR-3 RFR-29 #1"),
        assumes=("reads are answered while a recovery is under way",),
        rule="A range that lists a segment and has no counter is refused as an unrecovered one is.",
        rules=Rules(read_consume=remedies.unlearned_is_unrecovered),
        states=9_084,
        elsewhere=("recover",),
        amends=("RDG-16",),
    ),
    finding(
        "F46",
        "WRITTEN-AFTER-EXPIRY",
        "the latch of a closed segment goes with its copies; a batch that was sent before the"
        " fence, or by a frontend that still caches the head, is stored anew where they were"
        " deleted, and acknowledged",
        law="acknowledged_records_lie_below_the_edge",
        scope="expire",
        steps=8,
        seen_as="a client is told that its records are safe, and they stand in a segment that the"
        " control plane has removed",
        permitted_by=(
            "PRD-10",
            "ROL-15",
            "ROL-17",
            "ROL-1",
            "ROL-5",
            "RNG-20 #2",
            "ROL-31 #1",
            "PRD-31",
        ),
        assumes=(
            "a broker takes a batch of a segment of which it holds no copy, as it does the first",
            "a segment can expire while a batch to it is on its way",
        ),
        rule="A broker remembers of a copy that it deleted that it was closed, and where.",
        rules=LATCHED,
        states=70_365,
        leaves=(
            Fallen("an_expired_id_is_not_given_again", "F47"),
            Fallen("a_range_has_at_most_one_head", "F47"),
            Fallen("the_segments_of_a_range_tile_its_offsets", "F47"),
            Fallen("no_two_acknowledged_batches_share_an_offset", "F27"),
        ),
    ),
    finding(
        "F47",
        "EXPIRED-ID-TAKEN-AGAIN",
        "once a range lists no segment, the control plane takes any id; a frontend whose sequence"
        " was never raised registers the first one again",
        law="an_expired_id_is_not_given_again",
        scope="expire",
        steps=7,
        seen_as="a segment bears the id of an expired one: a copy that was not deleted yet, or a"
        " latch that was kept, is taken for its own",
        permitted_by=("PRD-10", "ROL-15", "ROL-17", "ROL-1", "ROL-5", "RNG-20 #1", "RNG-17 PRD-10"),
        assumes=("retention may remove the last segment of a range",),
        rule="Retention keeps the newest sealed segment of a range, and a registration has to name"
        " an id above those that the range lists.",
        rules=Rules(
            shared=sharing.Rules(command=register_above_the_listed), may_expire=keep_the_newest
        ),
        states=58_290,
        amends=("HEA-19", "HEA-20", "RNG-16"),
        leaves=(
            Fallen("acknowledged_records_lie_below_the_edge", "F46"),
            Fallen("no_two_acknowledged_batches_share_an_offset", "F46: in a copy made anew"),
        ),
    ),
)
