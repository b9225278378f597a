"""Where the documented protocol itself goes wrong, or is less than it seems, for who reads."""

from collections.abc import Callable
from dataclasses import replace

from checker.search.model import Model
from checker.world.changing import alone
from checker.world.kinds import Fallen, Finding, Remedy
from checker.world.reading import remedies
from checker.world.reading.bounds import Bounds
from checker.world.reading.judging import tempting_step_laws
from checker.world.reading.rules import RAFT, REFERENCE, Rules
from checker.world.reading.scopes import bounds_named
from checker.world.reading.world import world

DELIVERS = "a_page_delivers_what_is_stored_between_its_cursors"
LISTS = "a_page_lists_what_it_passed_and_is_no_longer_stored"
EVERY_LOSS = "a_page_lists_every_loss_that_it_passed"
WITHIN = "a_consumer_stands_within_the_log"
BELOW = "acknowledged_records_lie_below_the_edge"
ONE_OFFSET = "no_offset_is_given_twice"


def judged(scope: str, law: str, rules: Rules = REFERENCE) -> Callable[[], Model]:
    """The world of a scope, judged by one law alone: one that is to hold, or a tempting one."""
    return lambda: alone(closed(law, rules)(scope), law)


def as_bounded(bounds: Bounds) -> Bounds:
    """The bounds of the scope itself."""
    return bounds


def oldest_first(bounds: Bounds) -> Bounds:
    """The same, where retention removes the oldest segment first."""
    return replace(bounds, is_retention_orderly=True)


def absence_told(bounds: Bounds) -> Bounds:
    """The same, where a store says of a segment that it holds nothing of it."""
    return replace(bounds, is_absence_eof=False)


def closed(
    law: str, rules: Rules, change: Callable[[Bounds], Bounds] = as_bounded
) -> Callable[[str], Model]:
    """The world of a scope under other rules, judged by all its laws and by a tempting one."""

    def build(scope: str) -> Model:
        bounds = bounds_named(scope)
        assert bounds is not None, f"{scope} names a world"
        model = world(scope, change(bounds), rules)
        tempting = tuple(each for each in tempting_step_laws() if each.name == law)
        return replace(model, step_laws=(*model.step_laws, *tempting), goals=())

    return build


ELSEWHERE = ("read-overrun", "read", "read-holes")

FINDINGS: tuple[Finding, ...] = (
    Finding(
        name="F12",
        title="VIEW-BEFORE-ENDS",
        meaning=(
            "the reply to a split, as to any command, brings a view that lists segments which the"
            " frontend never heard of, and no ends: a page of a child takes the parent's counter"
            " for the parent's end, and passes records that are stored without a word"
        ),
        law=DELIVERS,
        scope="read-own",
        steps=5,
        build=judged("read-own", DELIVERS),
        seen_as=(
            "a consumer of a child, on the node that ran the split, never gets the parent's"
            " records, and no skip is reported"
        ),
        permitted_by=("PRD-10 PRD-31", "ROL-25", "RNG-10 RNG-42", "RDG-12", "RDG-1 RDG-22"),
        remedy=Remedy(
            rule="a source is read up to its highest listed edge where that is above the counter",
            build=closed(DELIVERS, Rules(read_consume=remedies.read_to_the_listed_edge)),
            states=1_877,
            without=closed(DELIVERS, REFERENCE),
            amends=("RDG-1",),
            elsewhere=ELSEWHERE,
        ),
    ),
    Finding(
        name="F13",
        title="EMPTY-SEAL-HIDES-A-LOSS",
        meaning=(
            "what an ancestor has lost is counted from its highest sealed edge; a segment of"
            " length 0 that is still listed has the edge of the one before it, so that nothing"
            " seems to be missing when that one has expired"
        ),
        law=LISTS,
        scope="read-empty",
        steps=8,
        build=judged("read-empty", LISTS),
        seen_as="records expired before they were read, and the consumer is told of no skip",
        permitted_by=(
            "PRD-10 PRD-31",
            "ROL-25",
            "PRD-10 PRD-28",
            "ROL-40 RNG-10",
            "RNG-20 HEA-23",
            "RFR-3 RFR-29",
            "RDG-12",
            "RDG-5 RDG-22",
        ),
        remedy=Remedy(
            rule="a segment of length 0 is not looked at: it ends nothing",
            build=closed(LISTS, Rules(read_consume=remedies.no_edge_of_nothing)),
            states=10_822,
            without=closed(LISTS, REFERENCE),
            amends=("RDG-22",),
            elsewhere=ELSEWHERE,
        ),
    ),
    Finding(
        name="F14",
        title="EOF-ENDS-AN-ANCESTOR",
        meaning=(
            "one `eof` below a sealed edge ends an ancestor, however many segments of it follow:"
            " a frontend whose view is older than retention asks for a segment whose copies are"
            " gone, and leaves the whole ancestor"
        ),
        law=DELIVERS,
        scope="read-eof",
        steps=8,
        build=judged("read-eof", DELIVERS),
        seen_as="a consumer loses what lies behind an expired segment, and no skip is reported",
        permitted_by=(
            "PRD-10 PRD-31",
            "ROL-25",
            "PRD-10 PRD-31",
            "ROL-40 RNG-10",
            "RFR-3 RFR-29",
            "RNG-20 HEA-23",
            "RDG-12",
            "RDG-35 RDG-22 #1",
        ),
        assumes=("a store that holds nothing of a segment answers `eof`, and not an error",),
        remedy=Remedy(
            rule="a store that holds nothing of a segment answers a read of it with an error",
            build=closed(DELIVERS, REFERENCE, absence_told),
            states=8_340,
            without=closed(DELIVERS, REFERENCE),
            amends=("RDG-33",),
            elsewhere=ELSEWHERE,
        ),
    ),
    Finding(
        name="F15",
        title="EXPIRED-RANGE-STARTS-AGAIN",
        meaning=(
            "a range whose segments have all expired lists nothing that a restarted frontend could"
            " learn its end from; the next segment starts at 0 again, under an id that was used"
            " before, and consumers that stand higher up pass the new records by"
        ),
        law=ONE_OFFSET,
        scope="read-reborn",
        steps=5,
        build=judged("read-reborn", ONE_OFFSET),
        seen_as=(
            "after a quiet time and a restart, a topic takes records that consumers which had"
            " caught up never get"
        ),
        permitted_by=("PRD-10 PRD-31", "ROL-25", "RNG-20 HEA-23", "RFR-28 RFR-29", "RNG-17 PRD-10"),
        remedy=Remedy(
            rule="retention keeps the newest sealed segment of a range",
            build=closed(ONE_OFFSET, Rules(expirable=remedies.keep_the_newest)),
            states=2_672,
            without=closed(ONE_OFFSET, REFERENCE),
            amends=("HEA-19", "HEA-20"),
            elsewhere=ELSEWHERE,
        ),
    ),
    Finding(
        name="F16",
        title="NEWEST-EXPIRES-FIRST",
        meaning=(
            "where all sealed segments of a range are too many bytes they are removed newest"
            " first; stopped half way, the range's edge lies lower than before, a frontend that"
            " knows the end overlaps with each registration, and one that restarts gives offsets"
            " out again"
        ),
        law=ONE_OFFSET,
        scope="read-newest",
        steps=8,
        build=judged("read-newest", ONE_OFFSET),
        seen_as="writes to a range are refused, or consumers get other records under old offsets",
        permitted_by=(
            "PRD-10 PRD-31",
            "ROL-25",
            "PRD-10 PRD-31",
            "ROL-25",
            "HEA-22 HEA-23 #1",
            "RFR-28",
            "RFR-29",
            "RNG-16 PRD-10",
        ),
        assumes=("the run of retention ends between two of its removals",),
        remedy=Remedy(
            rule=(
                "retention removes oldest first and keeps the newest sealed segment of a range, and"
                " a registration has to name an id above those that the range lists"
            ),
            build=closed(
                ONE_OFFSET,
                Rules(
                    expirable=remedies.keep_the_newest, command=remedies.register_above_the_listed
                ),
                oldest_first,
            ),
            states=12_448,
            without=closed(ONE_OFFSET, REFERENCE),
            amends=("HEA-22", "RNG-16"),
            elsewhere=ELSEWHERE,
        ),
    ),
    Finding(
        name="F17",
        title="READ-BEFORE-MAJORITY",
        meaning=(
            "a primary shows what it has stored, acknowledged or not; a consumer gets a record"
            " that no majority holds, a failover seals below it, and another record takes its"
            " offset"
        ),
        law=WITHIN,
        scope="read-short",
        steps=5,
        build=judged("read-short", WITHIN),
        seen_as=(
            "a consumer has seen a record that is not in the log any more, and misses the one"
            " that stands at its offset now"
        ),
        permitted_by=("ROL-32", "RFR-3 RFR-29", "HEA-10", "RDG-7 RDG-35", "RDG-11"),
        remedy=Remedy(
            rule="a store shows of a log what a majority is known to hold",
            build=closed(WITHIN, Rules(visible=remedies.acknowledged_alone)),
            states=423,
            without=closed(WITHIN, REFERENCE),
            amends=("RDG-35",),
            elsewhere=ELSEWHERE,
            gives_up=(
                Fallen(
                    "a_page_with_room_has_read_to_the_known_end",
                    "a recovery learns the end of the primary's own log, and a page stops below it"
                    " until the rest is acknowledged or cut",
                ),
            ),
        ),
    ),
    Finding(
        name="F18",
        title="TOPIC-MADE-AGAIN",
        meaning=(
            "a topic that is deleted and created again has the range ids of the old one, and"
            " cursors and committed positions of the old one count in it: a group resumes behind"
            " the end of the new log, and the records that come there are passed by"
        ),
        law=WITHIN,
        scope="read-remade",
        steps=5,
        build=judged("read-remade", WITHIN),
        seen_as="after a topic is created anew, its groups do not get its first records",
        permitted_by=("PRD-10 PRD-31", "RFR-3 RFR-29", "RDG-7 RDG-35", "RNG-23 RNG-8", "RDG-11"),
        remedy=Remedy(
            rule="a topic that is created again is given no range id that it had before",
            build=closed(WITHIN, Rules(remake=remedies.ids_go_on)),
            states=2_214,
            without=closed(WITHIN, REFERENCE),
            amends=("RNG-8",),
            elsewhere=ELSEWHERE,
        ),
    ),
    Finding(
        name="F19",
        title="EXPIRED-ANCESTOR-UNSAID",
        meaning=(
            "an ancestor that lists nothing any more, and whose end the frontend never learned, is"
            " passed without a word by a consumer that comes from its start"
        ),
        law=EVERY_LOSS,
        scope="read-expired",
        steps=6,
        build=judged("read-expired", EVERY_LOSS),
        seen_as="a consumer begins behind what has expired and takes it for the whole history",
        permitted_by=(
            "PRD-10 PRD-31",
            "ROL-40 RNG-10",
            "RNG-20 HEA-23",
            "RFR-3 RFR-29",
            "RDG-12",
            "RDG-22 RDG-23",
        ),
        remedy=Remedy(
            rule="retention keeps the newest sealed segment of a range",
            build=closed(EVERY_LOSS, Rules(expirable=remedies.keep_the_newest)),
            states=145,
            without=closed(EVERY_LOSS, REFERENCE),
            amends=("HEA-19", "HEA-20"),
            elsewhere=ELSEWHERE,
        ),
    ),
    Finding(
        name="F40",
        title="HEAD-OF-A-DELETED-TOPIC",
        meaning=(
            "a topic that is deleted and created again has a range of the same id, and a frontend"
            " that caches the old head goes on writing to it: no refresh drops a head that the"
            " view does not know, and the control plane lists no such segment"
        ),
        law=BELOW,
        scope="read-remade",
        steps=3,
        build=judged("read-remade", BELOW),
        seen_as="records are acknowledged after a topic was created anew, and nobody can read them",
        permitted_by=("PRD-10 PRD-31", "RNG-23 RNG-8", "PRD-8 ROL-31 #1"),
        assumes=("a store takes a batch for a segment whatever the control plane lists",),
        remedy=Remedy(
            rule="a topic that is created again is given no range id that it had before",
            build=closed(BELOW, Rules(remake=remedies.ids_go_on)),
            states=2_214,
            without=closed(BELOW, REFERENCE),
            amends=("RNG-8",),
            elsewhere=ELSEWHERE,
        ),
    ),
    Finding(
        name="F41",
        title="SPLIT-IN-A-VIEW-WITHOUT-SEGMENTS",
        meaning=(
            "in the mode raft a split is applied to the caller's own view, however old: the"
            " children appear there and the parent's newer segments do not, so that a page of a"
            " child passes them without a word"
        ),
        law=DELIVERS,
        scope="read-own-raft",
        steps=5,
        build=judged("read-own-raft", DELIVERS, RAFT),
        mode="raft",
        seen_as=(
            "a consumer of a child, on the node that ran the split, never gets the parent's"
            " records, and no skip is reported"
        ),
        permitted_by=("PRD-10 PRD-31", "ROL-25", "RNG-10 RNG-43", "RDG-12", "RDG-1 RDG-23"),
        remedy=Remedy(
            rule="the caller's own view takes no split and no merge: a refresh brings it",
            build=closed(DELIVERS, replace(RAFT, bring=remedies.reshapes_by_refresh)),
            states=1_904,
            without=closed(DELIVERS, RAFT),
            amends=("RNG-43",),
            elsewhere=("read-group-raft",),
        ),
    ),
    Finding(
        name="F42",
        title="PAGE-BEFORE-RECOVERY",
        meaning=(
            "between the steps of a refresh a view shows a split whose parent's end is not learned"
            " yet; a page of a child that is asked for there passes the parent without a word"
        ),
        law=DELIVERS,
        scope="read-apart",
        steps=5,
        build=judged("read-apart", DELIVERS),
        seen_as=(
            "a consumer that moves to a child right after a split never gets records of the"
            " parent that are still stored, and no skip is reported"
        ),
        permitted_by=("PRD-10 PRD-31", "ROL-40 RNG-10", "RFR-3", "RDG-12", "RDG-1 RDG-22 #1"),
        assumes=("a page can be asked for between the installation of a read and the recovery",),
        remedy=Remedy(
            rule="a source is read up to its highest listed edge where that is above the counter",
            build=closed(DELIVERS, Rules(read_consume=remedies.read_to_the_listed_edge)),
            states=727,
            without=closed(DELIVERS, REFERENCE),
            amends=("RDG-1",),
            elsewhere=ELSEWHERE,
        ),
    ),
)
