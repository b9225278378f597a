"""Where stores and coordinators, as documented, break a law or are less than they seem."""

from dataclasses import replace

from checker.search.model import Model
from checker.world.copies.failover import world
from checker.world.copies.judging import tempting_laws
from checker.world.copies.rules import REFERENCE, Rules, move_behind_own_seal
from checker.world.copies.scopes import bounds_named
from checker.world.kinds import Finding, Remedy


def judged(scope: str, law: str, rules: Rules = REFERENCE) -> Model:
    """The world of a scope, judged by one law alone: one that is to hold, or a tempting one."""
    bounds = bounds_named(scope)
    assert bounds is not None, f"{scope} names a world"
    model = world(scope, bounds, rules)
    return replace(
        model,
        laws=tuple(each for each in (*model.laws, *tempting_laws(bounds)) if each.name == law),
        step_laws=tuple(each for each in model.step_laws if each.name == law),
    )


LED = "a_sealed_segment_is_led_by_a_copy_that_holds_it"


FINDINGS: tuple[Finding, ...] = (
    Finding(
        "F30",
        "SECOND-SEAL-MOVES-THE-HEAD",
        "a failover that comes second, because a roll has sealed the segment at its primary's"
        " longer end, moves the shorter copy to the head of the set all the same; the records"
        " above that copy's end are sealed into the log, and nobody who reads finds them",
        LED,
        "failover",
        11,
        lambda: judged("failover", LED),
        seen_as="consumers stop at an offset of a sealed segment for ever: the page is empty and"
        " successful, though newer segments hold records",
        permitted_by=(
            *("PRD-13", "ROL-17", "HEA-8", "HEA-25", "ROL-34", "ROL-1", "ROL-1"),
            *("ROL-32", "ROL-1", "ROL-25", "HEA-1"),
        ),
        assumes=("a broker that was taken for dead may come back while it is failed over",),
        remedy=Remedy(
            "a failover gives a segment a new head only after its own seal took",
            lambda: judged("failover", LED, replace(REFERENCE, heal=move_behind_own_seal)),
            36_659,
        ),
    ),
)
