"""Where stores and coordinators, as documented, break a law or are less than they seem.

Looked for as well, and found sound in the worlds named: an orphaned fence that is sealed while the
fence's own answer is under way, before and after it (`failover`, `unheard`); an age roll that races
a failover, at a primary that is dead, suspected or back (`sweep`); late batches at a primary that
was passed over, and the cut of what they leave (`failover`, `doubts`); an end that a passed-over
primary refuses at, which is F2 here too; batches that arrive twice (A14).
"""

from dataclasses import replace
from functools import partial

from checker.search.model import Model
from checker.world.copies.failover import world
from checker.world.copies.judging import tempting_laws
from checker.world.copies.rules import (
    RAFT,
    REFERENCE,
    Rules,
    active_ones_stay,
    as_listed_there,
    expired_but_the_newest,
    in_set_order,
    is_shut,
    move_behind_own_seal,
    remove_but_the_latch,
    serve_what_a_majority_holds,
)
from checker.world.copies.scopes import bounds_named
from checker.world.kinds import Fallen, Finding, Remedy
from checker.world.recovering.rules import register_above_the_listed
from checker.world.views.remedies import head_moved_by_what_took


def judged(scope: str, law: str, rules: Rules = REFERENCE) -> Model:
    """The world of a scope, judged by one law alone: one that is to hold, or a tempting one."""
    model = whole(law, rules, scope)
    step_laws = tuple(each for each in model.step_laws if each.name == law)
    named = frozenset[str]().union(*(each.rule_names for each in step_laws))
    return replace(
        model,
        # Under one name where no law asks for it, so that there may be rules with nothing to do.
        steps=tuple(
            step if step.rule_name in named else replace(step, rule_name="step")
            for step in model.steps
        ),
        fair=frozenset(),
        laws=tuple(each for each in model.laws if each.name == law),
        step_laws=step_laws,
        progress=tuple(each for each in model.progress if each.name == law),
        expected_dead=frozenset(),
    )


def whole(law: str, rules: Rules, scope: str) -> Model:
    """The world of a scope under other rules, judged by all its laws and by a tempting one."""
    bounds = bounds_named(scope)
    assert bounds is not None, f"{scope} names a world"
    model = world(scope, bounds, rules)
    tempting = (each for each in tempting_laws(bounds) if each.name == law)
    return replace(model, laws=(*model.laws, *tempting), goals=())


LED = "a_sealed_segment_is_led_by_a_copy_that_holds_it"
EDGE = "acknowledged_records_lie_below_the_edge"
HEAD = "an_acknowledged_record_is_at_the_head_of_its_set"
SHARED = "no_two_acknowledged_records_share_an_offset"
READ = "a_delivered_record_lies_below_the_edge"
LENGTH = "a_sealed_length_is_what_closing_answered"
WRITABLE = "a_range_can_take_writes_again"
NAMED = "no_copy_goes_that_the_control_plane_names"

REMOVING = ("retention", "healing")
"""The scopes in which copies are removed."""


def finding(
    name: str,
    title: str,
    meaning: str,
    *,
    law: str,
    scope: str,
    steps: int,
    seen_as: str,
    permitted_by: str,
    remedy: str,
    overlay: Rules,
    states: int,
    rules: Rules = REFERENCE,
    assumes: tuple[str, ...] = (),
    amends: tuple[str, ...] = (),
    elsewhere: tuple[str, ...] = (),
    gives_up: tuple[Fallen, ...] = (),
) -> Finding:
    """A finding, and the overlay under which its law holds in the same world."""
    closed, opened = (partial(whole, law, each) for each in (overlay, rules))
    return Finding(
        name,
        title,
        meaning,
        law,
        scope,
        steps,
        lambda: judged(scope, law, rules),
        "raft" if rules.is_raft else "authoritative",
        seen_as,
        tuple(permitted_by.split(", ")),
        assumes,
        Remedy(remedy, closed, states, opened, amends, elsewhere, gives_up),
    )


CLEARED = (
    "a fence that comes to a copy that was cleared away is answered with the end that its latch"
    " keeps, as every later fence is, and the records are gone"
)
LATE_BATCH = "a batch may be under way for longer than the copy that it is for"

FINDINGS: tuple[Finding, ...] = (
    finding(
        "F30",
        "SECOND-SEAL-MOVES-THE-HEAD",
        "a failover that comes second, because a roll has sealed the segment at its primary's"
        " longer end, moves the shorter copy to the head of the set all the same; the records"
        " above that copy's end are sealed into the log, and nobody who reads finds them",
        law=LED,
        scope="failover",
        steps=11,
        seen_as="consumers stop at an offset of a sealed segment for ever: the page is empty and"
        " successful, though newer segments hold records",
        permitted_by="PRD-10, ROL-17, ROL-34, HEA-25, ROL-34, ROL-1, ROL-1, ROL-32, ROL-1, ROL-25, "
        "HEA-1",
        remedy="a failover gives a segment a new head only after its own seal took",
        overlay=replace(REFERENCE, heal=move_behind_own_seal),
        states=36_659,
        elsewhere=("failover", "doubts", "unheard"),
        amends=("HEA-1",),
    ),
    finding(
        "F31",
        "READ-THEN-CUT",
        "a primary serves what it has stored before a majority holds it; the primary dies, and the"
        " failover seals below what the consumer was given",
        law=READ,
        scope="readers",
        steps=8,
        seen_as="a consumer has acted on a record that no later read shows, and its cursor has"
        " passed another record at that offset",
        permitted_by="PRD-10, ROL-32, RDG-7, ROL-34, HEA-25, ROL-1, ROL-1, HEA-10",
        remedy="a primary serves of an active segment only what a majority of its replicas holds",
        overlay=replace(REFERENCE, serve=serve_what_a_majority_holds),
        states=808,
        elsewhere=("healing:reads=1",),
        amends=("RDG-35",),
    ),
    finding(
        "F32",
        "OLD-SET-ACKNOWLEDGES",
        "an active segment is given another follower; a batch is acknowledged by the majority of"
        " the set that its frontend cached, and a failover then asks the majority of the new one,"
        " which shares no copy with it that is alive",
        law=EDGE,
        scope="moves:batches=1+0,rollat=0,faults=3,stops=1,misses=1,fails=1",
        steps=9,
        seen_as="an acknowledged record is gone after one broker has failed",
        permitted_by="PRD-10, ROL-32, PRD-31, ROL-34, RNG-21 #1, HEA-25, ROL-1, ROL-1, HEA-10",
        remedy="the control plane gives no active segment other replicas, and a cached head follows"
        " only a command that took, as F23 asks",
        overlay=replace(REFERENCE, command=active_ones_stay, heal=head_moved_by_what_took),
        states=1_922,
        elsewhere=("failover", "moves"),
        amends=("RNG-21", "HEA-2"),
        assumes=("somebody sets the replicas of an active segment, as RNG-21 lets everybody do",),
    ),
    finding(
        "F33",
        "OFFSETS-USED-AGAIN",
        "retention removes the last segment that a range lists; a frontend that never wrote to the"
        " range registers the first id at offset 0 again, and gives out offsets that records had"
        " before",
        law=SHARED,
        scope="retention:batches=1+1",
        steps=13,
        seen_as="a consumer that was caught up before the expiry never sees the new records, since"
        " its cursor stands behind them",
        permitted_by="PRD-10, ROL-17, ROL-32, PRD-31, ROL-1, ROL-25, HEA-19, HEA-23, PRD-10, "
        "HEA-23, HEA-23, ROL-32, PRD-31",
        remedy="retention keeps the newest sealed segment of a range, and a registration has to"
        " name an id above those that the range lists",
        overlay=replace(
            REFERENCE,
            retention_expired=expired_but_the_newest,
            command=register_above_the_listed,
        ),
        states=9_557,
        elsewhere=("retention",),
        amends=("HEA-19", "HEA-20", "RNG-16"),
    ),
    finding(
        "F34",
        "EXPIRED-SEGMENT-TAKES-A-BATCH",
        "a broker that removes its copy of an expired segment forgets that it was closed; a late"
        " batch makes a new copy, finds a majority and is acknowledged in a segment that nobody"
        " lists",
        law=EDGE,
        scope="retention:batches=1+0,segments=1,late=1",
        steps=9,
        seen_as="an acknowledged record that no read ever shows",
        permitted_by="PRD-10, ROL-17, ROL-1, ROL-25, HEA-19, HEA-23, HEA-23, ROL-31 ROL-32 #1, "
        "PRD-31",
        remedy="a broker that removes a copy keeps its latch",
        overlay=replace(REFERENCE, remove=remove_but_the_latch),
        states=62,
        elsewhere=REMOVING,
        assumes=(LATE_BATCH,),
    ),
    finding(
        "F35",
        "LATCH-LOST-WITH-THE-DISK",
        "a primary loses its disk and comes back under its name; it answers a fence with the start"
        " of a segment that held acknowledged records, and the range is sealed there",
        law=EDGE,
        scope="disks",
        steps=8,
        seen_as="all that a segment held is gone after one disk has failed, though two good copies"
        " are left",
        permitted_by="PRD-10, ROL-17, ROL-32, PRD-31, ROL-34, #1, ROL-33, ROL-25",
        remedy="a broker that has lost its disk does not come back as the one that it was",
        overlay=replace(REFERENCE, may_return_blank=False),
        states=492,
        amends=("ROL-33",),
        assumes=("a disk may be lost, and the broker keeps its name",),
    ),
    finding(
        "F36",
        "FAILOVER-BROKEN-OFF",
        "a failover has fenced one follower and gives up because the other has died, the next one"
        " has it the other way round, and the primary comes back: it is alive and open, so neither"
        " a failover nor the probe for orphaned fences looks at the segment again, and no batch"
        " finds a majority",
        law=WRITABLE,
        scope="quiet:faults=3",
        steps=12,
        seen_as="every produce to the range fails with `no_quorum`, until a roll by size or by age"
        " closes the segment",
        permitted_by="PRD-10, ROL-34, HEA-25, ROL-34, ROL-1, HEA-9, ROL-34, HEA-25, ROL-34, "
        "ROL-34, ROL-1, HEA-9",
        remedy="a segment of which a follower is closed is failed over as if its primary were dead",
        overlay=replace(REFERENCE, is_shut=is_shut),
        states=1_464,
        elsewhere=("quiet", "sweep", "failover", "doubts"),
        amends=("HEA-8",),
    ),
    finding(
        "F37",
        "CLEARED-COPY-FORGETS-ITS-LATCH",
        "self-healing replaces a dead primary, and clears the primary's copy away when it comes"
        " back; a late batch finds no latch there, is copied to the followers, which nobody ever"
        " fenced, and is acknowledged above the sealed edge",
        law=EDGE,
        scope="healing:late=1",
        steps=12,
        seen_as="an acknowledged record that no read ever shows",
        permitted_by="PRD-10, ROL-17, ROL-1, ROL-25, ROL-34, HEA-17, ROL-34, HEA-17, HEA-17, "
        "HEA-7, ROL-31 ROL-32 #1, PRD-31",
        remedy="a broker that clears a copy away keeps its latch",
        overlay=replace(REFERENCE, remove=remove_but_the_latch),
        states=16_272,
        elsewhere=REMOVING,
        assumes=(LATE_BATCH,),
    ),
    finding(
        "F38",
        "SHORT-COPY-PROMOTED",
        "self-healing takes a dead primary out of the set; the follower behind it leads now, and"
        " may be the one that a batch missed",
        law=HEAD,
        scope="healing",
        steps=10,
        rules=replace(REFERENCE, healed_set=in_set_order),
        seen_as="consumers stop at an offset of a sealed segment for ever, though two brokers hold"
        " the record",
        permitted_by="PRD-10, ROL-17, ROL-32, PRD-31, ROL-1, ROL-25, ROL-34, HEA-17, HEA-17, "
        "HEA-17 #1",
        remedy="self-healing names first a replica that holds all of the segment (HEA-26)",
        overlay=REFERENCE,
        states=16_833,
        assumes=("self-healing keeps the order of the set, of which the source says nothing",),
    ),
    finding(
        "F39",
        "OVERRUN-CUT-BELOW-THE-EDGE",
        "in the mode raft a seal that came second leaves its own shorter length in the view of the"
        " coordinator's frontend; the next look for overruns takes that for the edge, and cuts"
        " sealed records off the only copy that holds them",
        law=LENGTH,
        scope="doubts-raft:cuts=1",
        steps=10,
        rules=RAFT,
        seen_as="records that were sealed into the log and read are destroyed at every replica",
        permitted_by="PRD-10, ROL-17, ROL-32, ROL-1, HEA-25, ROL-25, ROL-1, ROL-1, RNG-43, HEA-18",
        remedy="a copy is cut only at an edge that was read from the control plane itself",
        overlay=replace(RAFT, edges=as_listed_there),
        states=25_350,
        elsewhere=("failover-raft",),
        amends=("HEA-18",),
    ),
    finding(
        "F43",
        "CLEARED-COPY-TAKES-A-NEW-BATCH",
        "what F37 shows of a late batch holds of a new one: a frontend that has not refreshed since"
        " the segment was sealed and healed sends its next batch to the old set; the old primary"
        " was away when the others were fenced, the copy that was cleared away has forgotten its"
        " latch, and these two are a majority",
        law=EDGE,
        scope="healing:batches=2+0",
        steps=17,
        seen_as="an acknowledged record that no read ever shows, after two brokers were away for a"
        " while and came back with their disks",
        permitted_by="PRD-10, ROL-32, ROL-34, HEA-25, ROL-34, ROL-1, ROL-34, ROL-1, HEA-10, "
        "HEA-17, ROL-34, HEA-17, HEA-17, HEA-7, PRD-8, ROL-31 ROL-32, PRD-31",
        remedy="a broker that clears a copy away keeps its latch",
        overlay=replace(REFERENCE, remove=remove_but_the_latch),
        states=171_417,
        gives_up=(Fallen("a_fence_answers_where_the_log_ends", CLEARED),),
        elsewhere=REMOVING,
    ),
    finding(
        "F48",
        "REMOVAL-MEETS-A-LIVE-SEGMENT",
        "an expired segment is removed from the listing first and its copies go one by one behind"
        " that; a frontend that never wrote to the range registers the id again meanwhile (F33),"
        " and the copies that go then are those of the new segment, which is listed and written to",
        law=NAMED,
        scope="retention:batches=1+1",
        steps=9,
        seen_as="acknowledged records of a segment that was opened a moment ago are gone from every"
        " broker, and reads of it fail",
        permitted_by="PRD-10, ROL-17, ROL-32, ROL-1, ROL-25, HEA-19, HEA-23, PRD-10, HEA-23",
        remedy="retention keeps the newest sealed segment of a range, and a registration has to"
        " name an id above those that the range lists; the first half alone leaves ids that come"
        " again where all that was sealed is empty",
        overlay=replace(
            REFERENCE,
            retention_expired=expired_but_the_newest,
            command=register_above_the_listed,
        ),
        states=9_557,
        amends=("HEA-19", "HEA-20", "RNG-16"),
        elsewhere=("retention",),
    ),
)
