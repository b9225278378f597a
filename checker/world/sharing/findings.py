"""Where the documented protocol itself goes wrong, or is less than it seems.

Each is a law, searched in a world of the unchanged machine, with a pinned shortest trace. A
finding that no longer shows is news: the machine or the world has changed.
"""

from dataclasses import replace
from functools import partial

from checker.search.model import Model
from checker.world.changing import alone
from checker.world.kinds import Fallen, Finding, Remedy
from checker.world.sharing import remedies
from checker.world.sharing.judging import tempting_laws
from checker.world.sharing.moving import tempting_step_laws
from checker.world.sharing.roll import world
from checker.world.sharing.rules import RAFT, REFERENCE, Rules
from checker.world.sharing.scopes import bounds_named
from reference import producing, rolling


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
    overlay: Rules,
    states: int,
    assumes: tuple[str, ...] = (),
    amends: tuple[str, ...] = (),
    rules: Rules = REFERENCE,
    gives_up: tuple[Fallen, ...] = (),
) -> Finding:
    """A finding in the world of a scope, and the rules that close it there."""
    is_raft = rules is RAFT
    closed, opened = (partial(whole, law, each, is_raft=is_raft) for each in (overlay, rules))
    return Finding(
        name,
        title,
        meaning,
        law,
        scope,
        steps,
        partial(judged, scope, law, rules),
        "raft" if is_raft else "authoritative",
        seen_as,
        permitted_by,
        assumes,
        Remedy(rule, closed, states, opened, amends, IN_RAFT if is_raft else QUICK, gives_up),
    )


def judged(scope: str, law: str, rules: Rules) -> Model:
    """The world of a scope, judged by one law alone: one that is to hold, or a tempting one."""
    return alone(whole(law, rules, scope), law)


def whole(law: str, rules: Rules, scope: str, *, is_raft: bool = False) -> Model:
    """The world of a scope under other rules, judged by all its laws and by a tempting one."""
    bounds = bounds_named(scope)
    assert bounds is not None, f"{scope} names a world"
    model = world(scope, bounds, rules)
    fired = {step.rule_name for step in model.steps}
    tempting = (each for each in tempting_step_laws() if each.rule_names <= fired)
    other = OF_THE_OTHER_MODE if is_raft else frozenset()
    return replace(
        model,
        laws=(*model.laws, *(each for each in tempting_laws(bounds) if each.name == law)),
        step_laws=tuple(
            each
            for each in (*model.step_laws, *(one for one in tempting if one.name == law))
            if each.name not in other
        ),
        goals=(),
    )


AGE = "age:batches=1+1,refreshes=0+1,faults=0"
TOOK = Rules(
    produce_plan=remedies.journaling_what_took(producing.produce_plan),
    record_fence=remedies.journaling_what_took(rolling.record_fence),
)
FRESH = Rules(install=remedies.overtaken_read_dropped)
SEATED = Rules(seed_range_state=remedies.seated_recovery)
LISTED = Rules(bring=remedies.bring_what_is_listed)
ONLY_WHAT_TOOK = "The journal keeps, and a refresh replays, only the commands that took."
NOT_OVERTAKEN = "A read is thrown away once a command was answered since the last refresh."
REFUSED_AND_TOLD = (
    "A caller applies to its own view only what the log answered with success, and a refusal brings"
    " it what the control plane lists: with the first half alone it could not write until it"
    " refreshed."
)
UNREPLICATED = "a passed-over primary holds a record that no majority has"
ONLY_DOWN = (
    "the counter is above all that the range holds, and only the listed edge says so; it may go"
    " down where no later segment is known, and nowhere else"
)
OF_THE_OTHER_MODE = frozenset({"a_command_brings_the_control_planes_own_view"})
QUICK = ("faults", "batches", "age", "race", "recovery", "crowd")
IN_RAFT = ("batches-raft", "faults-raft", "age-raft", "race-raft", "recovery-raft")

FINDINGS: tuple[Finding, ...] = (
    finding(
        "F1",
        "REFUSED-REGISTRATION-REPLAYED",
        "a refused registration that ended in an adoption is journaled; replayed on a later read,"
        " it opens a segment in the frontend's view that the control plane never listed, and"
        " records are acknowledged there",
        law="acknowledged_records_lie_below_the_edge",
        scope="age:batches=1+1,refreshes=0+1,faults=0",
        steps=13,
        seen_as="a produce of this frontend succeeds, and no consumer ever finds its records: they"
        " stand in a segment that only this frontend lists",
        permitted_by=(
            "PRD-10",
            "ROL-15",
            "PRD-12",
            "ROL-17",
            "ROL-1",
            "ROL-2",
            "PRD-29",
            "ROL-5",
            "RFR-4",
            "RFR-8",
            "PRD-9",
            "ROL-2",
            "PRD-31",
        ),
        rule=ONLY_WHAT_TOOK,
        overlay=TOOK,
        states=7_491,
        amends=("RFR-6",),
    ),
    finding(
        "F2",
        "REFUSAL-ABOVE-THE-EDGE",
        "a primary that a failover passed over refuses at an end above the sealed edge; the"
        " frontend sits there, no refresh or recovery takes it down, and each of its registrations"
        " overlaps until another frontend opens the successor",
        law="a_recovered_frontend_stands_at_the_edge",
        scope="roll",
        steps=11,
        seen_as="every produce through this frontend fails with segment_overlap until somebody"
        " else opens the next segment",
        permitted_by=(
            "PRD-10",
            "PRD-12",
            "ROL-17",
            "HEA-10",
            "ROL-32 #1",
            "ROL-1",
            "ROL-2",
            "ROL-29",
            "RFR-3",
            "RFR-12",
            "RFR-20",
        ),
        assumes=(UNREPLICATED,),
        rule="A recovery sets the counter to the edge of the last segment, where the view calls"
        " that sealed and the frontend caches no head and knows of no later segment.",
        overlay=SEATED,
        gives_up=(
            Fallen("a_recovery_only_raises", ONLY_DOWN),
            Fallen("a_recovery_only_raises", ONLY_DOWN, "age"),
        ),
        states=552_343,
        amends=("RFR-20", "ROL-44"),
    ),
    finding(
        "F3",
        "SECOND-SEAL-REPLAYED",
        "a seal that came second is journaled with its own length; replayed on a read that began"
        " before the first, it leaves a length in the view that the control plane never recorded",
        law="a_view_holds_only_what_the_control_plane_said",
        scope="roll",
        steps=8,
        seen_as="until the next refresh this frontend reads past the recorded edge of a segment,"
        " and shows consumers a record that nobody acknowledged",
        permitted_by=(
            "PRD-10",
            "ROL-17",
            "RFR-4",
            "HEA-10",
            "ROL-32 #1",
            "ROL-1",
            "ROL-8",
            "RFR-8",
        ),
        assumes=(UNREPLICATED,),
        rule=ONLY_WHAT_TOOK,
        overlay=TOOK,
        states=640_659,
        amends=("RFR-6",),
    ),
    finding(
        "F4",
        "VIEW-TAKEN-BACK",
        "the reply to an own command shows what others did since a read began; installing that"
        " read forgets it, since the journal holds own commands only",
        law="a_refresh_never_takes_the_view_back",
        scope="roll",
        steps=10,
        seen_as="a frontend that has written to a segment no longer lists it, and reads of what it"
        " wrote find nothing until the next refresh",
        permitted_by=(
            "PRD-10",
            "ROL-17",
            "ROL-1",
            "ROL-2",
            "PRD-29",
            "ROL-5",
            "RFR-4",
            "PRD-10",
            "PRD-12",
            "RFR-1",
        ),
        rule=NOT_OVERTAKEN,
        overlay=FRESH,
        states=392_985,
        amends=("RFR-3",),
    ),
    finding(
        "F5",
        "LENGTH-FROM-A-REPLAYED-START",
        "a refused registration that is replayed on an older read lists the segment at the start"
        " it was refused with; the length that a fence then records is measured from there, and"
        " the control plane lists offsets that no record has",
        law="a_sealed_length_is_what_closing_answered",
        scope="age:batches=1+1,refreshes=0+1,faults=0",
        steps=16,
        seen_as="a segment is listed as longer or shorter than what was closed, and a consumer is"
        " told of offsets that no record has",
        permitted_by=(
            "RFR-4",
            "PRD-10",
            "ROL-2",
            "ROL-15",
            "PRD-12",
            "ROL-17",
            "ROL-1",
            "ROL-2",
            "PRD-29",
            "ROL-5",
            "PRD-10",
            "ROL-15",
            "ROL-17",
            "ROL-1",
            "RFR-8",
            "ROL-9 RNG-46",
        ),
        rule=ONLY_WHAT_TOOK,
        overlay=TOOK,
        states=7_491,
        amends=("RFR-6",),
    ),
    finding(
        "F6",
        "REFUSED-REGISTRATION-BELIEVED",
        "in the mode raft a refused registration is applied to the caller's own view at once: a"
        " frontend that was asked to roll a head its view lacks registers the next id, is refused,"
        " and writes to a segment that the control plane never listed",
        law="acknowledged_records_lie_below_the_edge",
        scope="age:batches=1+1,refreshes=0+0,faults=0",
        steps=5,
        seen_as="a produce of this frontend succeeds, and no consumer ever finds its records",
        permitted_by=("PRD-10", "ROL-15", "PRD-10 RNG-43", "ROL-2", "PRD-31"),
        rule=REFUSED_AND_TOLD,
        overlay=LISTED,
        states=464,
        amends=("RNG-43",),
        rules=RAFT,
    ),
    finding(
        "F7",
        "SECOND-SEAL-BELIEVED",
        "in the mode raft a seal that came second leaves its own length in the caller's view; a"
        " recovery takes the counter there, the next registration overlaps, and is believed",
        law="acknowledged_records_lie_below_the_edge",
        scope="roll",
        steps=15,
        seen_as="after a failover this frontend's produces succeed, and no consumer ever finds"
        " their records",
        permitted_by=(
            "PRD-10",
            "PRD-12 RNG-43",
            "ROL-17",
            "RFR-4",
            "HEA-10",
            "ROL-32 #1",
            "ROL-1",
            "ROL-2",
            "PRD-29",
            "ROL-8 RNG-43",
            "RFR-8",
            "RFR-20",
            "PRD-10 RNG-43",
            "ROL-2",
            "PRD-31",
        ),
        assumes=(UNREPLICATED,),
        rule=REFUSED_AND_TOLD,
        overlay=LISTED,
        states=519_214,
        amends=("RNG-43",),
        rules=RAFT,
    ),
    finding(
        "F8",
        "VIEW-BESIDE-THE-COUNTER",
        "in the mode raft a frontend whose seal came second sits down at the edge on record, and"
        " its own view lists the length that it brought: the two disagree",
        law="a_recorded_seal_sets_the_counter_to_the_edge",
        scope="roll",
        steps=6,
        seen_as="nothing at once; what reads the end from the view, as a recovery does, takes the"
        " frontend away from the edge again (F7)",
        permitted_by=("PRD-10", "ROL-17", "HEA-10", "ROL-32 #1", "ROL-1", "ROL-8 RNG-43"),
        assumes=(UNREPLICATED,),
        rule=REFUSED_AND_TOLD,
        overlay=LISTED,
        states=519_214,
        amends=("RNG-43",),
        rules=RAFT,
    ),
)
