"""What the machine takes for granted of stores, networks and people, and what each is worth.

For each assumption there is a world in which it does not hold. Either a law falls there, with a
pinned shortest trace; or none does, in a world of a pinned size, and nothing is known beyond it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from checker.search.model import Model
from checker.world.changing import alone
from checker.world.copies import mischief, mutations
from checker.world.copies.findings import LED, WRITABLE, judged
from checker.world.copies.rules import REFERENCE, Rules
from checker.world.copies.scopes import defective
from checker.world.findings import FINDINGS
from checker.world.sharing import mutations as sharing
from checker.world.sharing.rules import Rules as SharingRules
from checker.world.sharing.scopes import defective as sharing_world
from checker.world.views.rules import Rules as ViewsRules
from checker.world.views.scopes import built as views_world

CLIENTS = frozenset(
    {
        "acknowledged_records_lie_below_the_edge",
        "an_acknowledged_record_is_at_the_head_of_its_set",
        "an_acknowledged_record_stands_where_it_was_placed",
        "no_two_acknowledged_records_share_an_offset",
        "a_range_has_at_most_one_head",
    }
)
"""Laws of what a client was told, and of the one head that keeps it true."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """One promise of the surroundings, and the world in which it is broken."""

    name: str
    """`A1`."""
    title: str
    """`LATCH-IS-DURABLE`."""
    sentence: str
    """What is taken for granted."""
    clause: str
    """The clause that says so, or that rests on it."""
    without: str
    """What happens in the world without it."""
    scope: str
    """The scope whose world it is searched in."""
    build: Callable[[], Model]
    law: str | None
    """The law that falls; none where none does."""
    steps: int | None = None
    """The length of the shortest trace to its fall."""
    states: int | None = None
    """How many states were searched where no law falls."""
    clients_see: str = ""
    """What a user has of it."""


def as_found(finding: str) -> Callable[[], Model]:
    """The world of a finding, which is one without the assumption."""
    return next(each.build for each in FINDINGS if each.name == finding)


def judged_by_clients(build: Callable[[], Model]) -> Model:
    """A world that is judged by what clients were told alone."""
    model = build()
    return replace(
        model,
        laws=tuple(law for law in model.laws if law.name in CLIENTS),
        step_laws=(),
        progress=(),
        fair=frozenset(),
    )


def copies(scope: str, rules: Rules) -> Callable[[], Model]:
    """A world of copies under other rules, judged by what clients were told."""
    return partial(judged_by_clients, partial(defective, scope, rules))


def two_coordinators() -> Model:
    """Two coordinators, each on a frontend of its own."""
    return mischief.with_second_coordinator(judged(DOUBTS, LED), "f2", "f1")


def duplicates() -> Model:
    """A network that may deliver each batch twice."""
    return mischief.with_duplicates(defective("failover:batches=2+0"))


def old_reads() -> Model:
    """A frontend that may install a read again, after what it has done since."""
    return alone(views_world(READ_ONCE, ViewsRules(still_to_install=mischief.read_stays)), BACK)


READ_ONCE = "journal:faults=0"
BACK = "a_refresh_moves_no_position_back"
DELIVERS = "a_page_delivers_what_is_stored_between_its_cursors"
DOUBTS = "doubts:faults=2,rollat=0"
EDGE = "acknowledged_records_lie_below_the_edge"
HEAD = "an_acknowledged_record_is_at_the_head_of_its_set"

ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption(
        "A1",
        "LATCH-IS-DURABLE",
        "a closed copy is closed after a restart of its broker",
        "ROL-34",
        "a broker comes back with its records, and takes batches again",
        "failover",
        copies("failover", replace(REFERENCE, come_back=mutations.latch_lost_at_restart)),
        EDGE,
        8,
        clients_see="a record is acknowledged above the sealed edge, and no read shows it",
    ),
    Assumption(
        "A2",
        "CHECK-AND-APPEND-ARE-ONE-STEP",
        "no fence comes between a primary's look at the latch and its storing of a batch",
        "ROL-2",
        "a primary stores a batch behind a fence that came after it had looked",
        "failover",
        copies(
            "failover",
            replace(REFERENCE, append_with_quorum=mischief.append_behind_the_latch),
        ),
        EDGE,
        6,
        clients_see="a record is acknowledged above the sealed edge, and no read shows it",
    ),
    Assumption(
        "A3",
        "PRIMARY-STORES-FIRST",
        "what a majority holds, the primary holds too",
        "ROL-32",
        "followers that hold a batch count before the primary has stored it",
        "failover",
        copies(
            "failover",
            replace(REFERENCE, append_with_quorum=mischief.append_at_followers_first),
        ),
        HEAD,
        3,
        clients_see="an acknowledged record is not where reads are sent, and a roll seals below it",
    ),
    Assumption(
        "A4",
        "MAJORITY-HOLDS-IT",
        "a batch is acknowledged only once a majority of the replicas holds it",
        "ROL-32",
        "the primary acknowledges what it alone has stored",
        "failover",
        copies("failover", replace(REFERENCE, append_with_quorum=mischief.acknowledge_alone)),
        HEAD,
        9,
        clients_see="an acknowledged record is gone with its primary",
    ),
    Assumption(
        "A5",
        "QUORUM-OF-THE-SAME-SET",
        "a batch and a failover count the majority of one set of replicas",
        "HEA-9",
        "an active segment is given another follower between the two",
        "moves:batches=1+0,rollat=0,faults=3,stops=1,misses=1,fails=1",
        as_found("F32"),
        EDGE,
        9,
        clients_see="an acknowledged record is gone after one broker has failed",
    ),
    Assumption(
        "A6",
        "DISK-IS-KEPT-OR-REPORTED",
        "a broker that has lost its disk does not answer for the copies it had",
        "ROL-34",
        "a broker comes back blank, and answers a fence with the segment's start",
        "disks",
        as_found("F35"),
        EDGE,
        8,
        clients_see="all that a segment held is gone, though two good copies are left",
    ),
    Assumption(
        "A7",
        "BATCH-ENDS-BEFORE-ITS-COPY",
        "no batch is under way for longer than the copy that it is for",
        "HEA-23",
        "a late batch finds the copy of an expired segment gone, and its latch with it",
        "retention:batches=1+0,segments=1,late=1",
        as_found("F34"),
        EDGE,
        9,
        clients_see="a record is acknowledged in a segment that nobody lists",
    ),
    Assumption(
        "A8",
        "SOMETHING-STAYS-LISTED",
        "retention leaves something of a range that says where it ends",
        "PRD-27",
        "a frontend that never wrote to the range begins it again at 0",
        "retention:batches=1+1",
        as_found("F33"),
        "no_two_acknowledged_records_share_an_offset",
        13,
        clients_see="a consumer that was caught up never sees the new records",
    ),
    Assumption(
        "A9",
        "FAILOVER-IS-FINISHED",
        "a failover that has fenced a majority goes on to seal",
        "ROL-39",
        "it breaks off, and the primary is alive again",
        "quiet:breaks=1",
        partial(judged, "quiet:breaks=1", WRITABLE),
        "a_range_can_take_writes_again",
        7,
        clients_see="every produce to the range fails until somebody rolls it",
    ),
    Assumption(
        "A10",
        "HOLDER-LEADS-A-HEALED-SET",
        "self-healing puts first a replica that holds all of the segment",
        "HEA-26",
        "it keeps the order of the set, and a follower that a batch missed leads",
        "healing",
        as_found("F38"),
        HEAD,
        10,
        clients_see="consumers stop at an offset of a sealed segment",
    ),
    Assumption(
        "A11",
        "PRIMARY-LIVES-UNTIL-COPIED",
        "a primary that has served a record does not die before a majority holds it",
        "RDG-37",
        "it dies, and the failover seals below what a consumer was given",
        "readers",
        as_found("F31"),
        "a_delivered_record_lies_below_the_edge",
        8,
        clients_see="a consumer has acted on a record that no later read shows",
    ),
    Assumption(
        "A12",
        "COMMANDS-ARE-JUDGED-ON-THE-NEWEST-STATE",
        "the control plane judges one command after the other, each on what the last one left",
        "RNG-17",
        "a registration is judged as if the range had no head",
        "race",
        partial(
            judged_by_clients,
            partial(sharing_world, "race", SharingRules(command=sharing.second_head_registered)),
        ),
        "a_range_has_at_most_one_head",
        3,
        clients_see="two frontends write the same offsets to two segments",
    ),
    Assumption(
        "A13",
        "ONE-COORDINATOR-AT-A-TIME",
        "two passes of the coordinator never overlap",
        "HEA-13",
        "two of them hear of different faults, and fail the same segment over",
        DOUBTS,
        two_coordinators,
        LED,
        10,
        clients_see="consumers stop at an offset of a sealed segment",
    ),
    Assumption(
        "A14",
        "BATCH-IS-DELIVERED-ONCE",
        "the network brings a batch to its primary once",
        "ROL-31",
        "it brings it twice; the second one may be stored behind the first, and the frontend hears"
        " the first answer or the second",
        "failover:batches=2+0",
        duplicates,
        None,
        states=195_866,
        clients_see="a record twice, as after a retry; no law forbids it",
    ),
    Assumption(
        "A15",
        "INSTALLS-ARE-MONOTONE",
        "no read is installed that began before the last one that was",
        "RFR-4",
        "a read is installed again, after what the frontend has done since",
        READ_ONCE,
        old_reads,
        BACK,
        4,
        clients_see="a group that asks this frontend where it stands is sent back",
    ),
    Assumption(
        "A16",
        "COORDINATOR-LOOKS-FIRST",
        "a pass of the coordinator begins with a read of the control plane",
        "HEA-8",
        "it begins with what its own frontend happens to hold",
        "failover",
        partial(defective, "failover", replace(REFERENCE, install=mischief.act_on_the_own_view)),
        None,
        states=34_692,
        clients_see="nothing: a stale seal is refused, and the next pass knows better",
    ),
    Assumption(
        "A17",
        "COMMANDS-COME-IN-TIME-OR-NEVER",
        "a command that got no answer is not applied behind one that was sent after it",
        "RNG-24",
        "a commit that was given up arrives behind a later one",
        "lateness",
        as_found("F26"),
        "what_lands_late_moves_no_position_back",
        3,
        clients_see="a group whose consumer retried elsewhere starts again at the older position",
    ),
    Assumption(
        "A18",
        "ABSENCE-IS-AN-ERROR",
        "a store that holds nothing of a segment answers a read with an error",
        "RDG-33",
        "it answers `eof`, as an empty log does",
        "read-eof",
        as_found("F14"),
        DELIVERS,
        8,
        clients_see="a consumer loses what lies behind an expired segment, and no skip says so",
    ),
    Assumption(
        "A19",
        "RETENTION-GOES-THROUGH",
        "a run of retention removes all that it has found to be expired",
        "HEA-22",
        "it ends between two of its removals, and the newest went first",
        "read-newest",
        as_found("F16"),
        "no_offset_is_given_twice",
        8,
        clients_see="writes to a range are refused, or consumers get other records at old offsets",
    ),
    Assumption(
        "A20",
        "STORES-KNOW-WHAT-IS-LISTED",
        "a store takes batches only for segments that the control plane lists",
        "ROL-35",
        "it takes whatever a frontend sends, also for a segment that was deleted with its topic",
        "read-remade",
        as_found("F40"),
        EDGE,
        3,
        clients_see="a record is acknowledged in a segment that nobody lists",
    ),
    Assumption(
        "A21",
        "PAGES-WAIT-FOR-THE-RECOVERY",
        "no page is asked for between the installation of a read and the recovery behind it",
        "RFR-29",
        "one is, and a parent whose end is not learned yet is passed",
        "read-apart",
        as_found("F42"),
        DELIVERS,
        5,
        clients_see="a consumer never gets records that are stored, and no skip says so",
    ),
    Assumption(
        "A22",
        "READS-FOLLOW-EACH-OTHER",
        "a frontend begins a read of the control plane when none of its own is under way",
        "RFR-7",
        "two of them overlap, and the first to be installed empties the journal",
        "journal:refreshes=2+0,faults=0,atonce=2",
        as_found("F24"),
        BACK,
        5,
        clients_see="a group that asks this frontend where it stands is sent back",
    ),
)


def assumption_named(name: str) -> Assumption | None:
    """The assumption of that name or title."""
    return next((each for each in ASSUMPTIONS if name.upper() in {each.name, each.title}), None)
