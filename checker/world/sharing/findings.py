"""Where the documented protocol itself goes wrong, or is less than it seems.

Each is a law, searched in a world of the unchanged machine, with a pinned shortest trace. A
finding that no longer shows is news: the machine or the world has changed.
"""

from dataclasses import replace
from functools import partial

from checker.search.model import Model
from checker.world.kinds import Finding
from checker.world.sharing.judging import tempting_laws
from checker.world.sharing.moving import tempting_step_laws
from checker.world.sharing.roll import world
from checker.world.sharing.rules import RAFT, REFERENCE, Rules
from checker.world.sharing.scopes import bounds_named


def finding(
    name: str,
    title: str,
    meaning: str,
    *,
    law: str,
    scope: str,
    steps: int,
    rules: Rules = REFERENCE,
) -> Finding:
    """A finding in the world of a scope."""
    mode = "raft" if rules is RAFT else "authoritative"
    build = partial(judged, scope, law, rules)
    return Finding(name, title, meaning, law, scope, steps, build, mode)


def judged(scope: str, law: str, rules: Rules) -> Model:
    """The world of a scope, judged by one law alone: one that is to hold, or a tempting one."""
    bounds = bounds_named(scope)
    assert bounds is not None, f"{scope} names a world"
    model = world(scope, bounds, rules)
    return replace(
        model,
        laws=tuple(each for each in (*model.laws, *tempting_laws(bounds)) if each.name == law),
        step_laws=tuple(
            each for each in (*model.step_laws, *tempting_step_laws()) if each.name == law
        ),
    )


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
    ),
    finding(
        "F3",
        "SECOND-SEAL-REPLAYED",
        "a seal that came second is journaled with its own length; replayed on a read that began"
        " before the first, it leaves a length in the view that the control plane never recorded",
        law="a_view_holds_only_what_the_control_plane_said",
        scope="roll",
        steps=8,
    ),
    finding(
        "F4",
        "VIEW-TAKEN-BACK",
        "the reply to an own command shows what others did since a read began; installing that"
        " read forgets it, since the journal holds own commands only",
        law="a_refresh_never_takes_the_view_back",
        scope="roll",
        steps=10,
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
        rules=RAFT,
    ),
)
