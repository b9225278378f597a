"""The worlds of views, and the exact size of each."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from immutables import Map

from checker.search.model import Model
from checker.world.kinds import Level, Scope, Size
from checker.world.sharing.parts import BROKERS, TOPIC, segment_of
from checker.world.sharing.rules import NOW
from checker.world.sizing import resized
from checker.world.views.bounds import Bounds, Fault
from checker.world.views.glance import glance
from checker.world.views.orders import (
    OTHER,
    Bind,
    Commit,
    Create,
    Delete,
    Heal,
    Members,
    Open,
    Racks,
    Sweep,
    racks,
)
from checker.world.views.rules import RAFT, REFERENCE, Rules
from checker.world.views.world import world
from reference.frontend import Options
from spec.commands import (
    BindTopicPolicy,
    CreateTopic,
    DeleteSegment,
    DeleteTopic,
    SealSegment,
    SetSegmentReplicas,
)
from spec.vocabulary import Broker, ByteSize, Count, Cursor, Offset, PolicyName, TopicPolicy

P, Q, R = PolicyName("p"), PolicyName("q"), PolicyName("r")


def at(offset: int) -> Commit:
    """A commit of the group at an offset of the topic."""
    return Commit(Cursor(0, Offset(offset)))


FOUR = (*BROKERS, Broker("b4"))
MOVE = SetSegmentReplicas(segment_of(0), BROKERS[1:])
SEAL = SealSegment(segment_of(0), Count(1), ByteSize(1), NOW)

BOUNDS: Mapping[str, Bounds] = {
    "journal": Bounds(
        orders=((Create(), at(1), Bind(P)), (Create(bits=2), at(2))),
        operator=(BindTopicPolicy(TOPIC, Q),),
        refreshes=(1, 0),
        faults=1,
        kinds=frozenset({Fault.LOSS, Fault.SILENCE}),
    ),
    "refresh": Bounds(
        orders=((Create(), Open(OTHER)), (Delete(segment_of(0)), Open())),
        operator=(DeleteTopic(OTHER),),
        refreshes=(1, 1),
        faults=1,
        kinds=frozenset({Fault.UNREAD}),
    ),
    "policy": Bounds(
        orders=(
            (
                Open(),
                Open(OTHER),
                Members((FOUR[0], FOUR[1], FOUR[3])),
                Racks(racks({"b1": "b", "b2": "a", "b3": "b", "b4": "b"})),
            ),
            (Bind(P), Open()),
        ),
        operator=(BindTopicPolicy(OTHER, Q),),
        before=(CreateTopic(OTHER, 1),),
        refreshes=(1, 0),
        options=Options(
            brokers=FOUR,
            replication_factor=2,
            spread_by="rack",
            broker_attributes=racks({"b1": "a", "b2": "a", "b3": "b", "b4": "b"}),
            min_domains=2,
        ),
        policies=Map({P: TopicPolicy(None), Q: TopicPolicy("zone")}),
    ),
    "heal": Bounds(
        orders=((Open(), Heal((MOVE, SEAL)), Heal((MOVE,))), (Open(), at(1))),
        operator=(SEAL,),
        refreshes=(1, 0),
        faults=1,
        kinds=frozenset({Fault.LOSS, Fault.SILENCE}),
    ),
    "overlap": Bounds(
        orders=((),),
        operator=(CreateTopic(OTHER, 1), BindTopicPolicy(TOPIC, Q)),
        refreshes=(3,),
        at_once=2,
    ),
    "unread": Bounds(
        orders=((at(1), Bind(P)), (at(2),)),
        refreshes=(2, 0),
        faults=1,
        kinds=frozenset({Fault.UNREAD}),
    ),
    "replayed": Bounds(
        orders=((Open(), Sweep()),),
        operator=(SEAL,),
        refreshes=(1,),
    ),
    "positions": Bounds(
        orders=((at(1),),),
        operator=(DeleteTopic(TOPIC), CreateTopic(TOPIC, 1)),
        refreshes=(1,),
    ),
    "lateness": Bounds(
        orders=((at(1),), (at(2),)),
        refreshes=(0, 0),
        faults=1,
        kinds=frozenset({Fault.LATENESS}),
    ),
}

FURTHER: Mapping[str, Bounds] = {
    "overlap": Bounds(((),), (BindTopicPolicy(TOPIC, P),)),
    "unread": Bounds(((at(3),), (Bind(None),)), (BindTopicPolicy(TOPIC, P),)),
    "journal": Bounds(((at(3),), (Bind(None),)), (BindTopicPolicy(TOPIC, P),)),
    "refresh": Bounds(((Open(),), (Open(OTHER),)), (CreateTopic(OTHER, 1),)),
    "policy": Bounds(((Bind(Q, OTHER),), (Open(OTHER),)), (BindTopicPolicy(OTHER, R),)),
    "heal": Bounds(((at(2),), (Delete(segment_of(0)),)), (DeleteSegment(segment_of(0)),)),
}
"""What is done beside that, where a name asks for more orders."""


def bounds_named(name: str) -> Bounds | None:
    """The bounds that a name stands for; none where it stands for no world.

    After a colon stand other numbers: `orders` and `refreshes` count for each frontend, `others`,
    `faults` and `atonce` for all, as in `journal:refreshes=2+0,faults=2`.
    """
    base, *_ = name.partition(":")
    base = base.removesuffix("-raft")
    bounds = BOUNDS.get(base)
    further = FURTHER.get(base, Bounds(((),) * 9))
    return resized(bounds, name, partial(_with_setting, further))


def _with_setting(
    further: Bounds, bounds: Bounds, name: str, numbers: tuple[int, ...]
) -> Bounds | None:
    match name, numbers:
        case "orders", _ if len(numbers) == len(bounds.orders):
            pairs = zip(bounds.orders, further.orders, numbers, strict=False)
            orders = tuple((*known, *more)[:count] for known, more, count in pairs)
            return replace(bounds, orders=orders)
        case "others", (count,):
            operator = (*bounds.operator, *further.operator)[:count]
            return replace(bounds, operator=operator)
        case "faults", (faults,):
            return replace(bounds, faults=faults)
        case "atonce", (at_once,) if at_once:
            return replace(bounds, at_once=at_once)
        case "refreshes", _ if len(numbers) == len(bounds.orders):
            return replace(bounds, refreshes=numbers)
        case _:
            return None


def is_raft(name: str) -> bool:
    """Whether a name stands for a world in the mode `raft`."""
    return name.partition(":")[0].endswith("-raft")


def built(name: str, rules: Rules | None = None) -> Model:
    """A world by its name, run by other rules where they are given."""
    bounds = bounds_named(name)
    assert bounds is not None, f"{name} names a world"
    own = RAFT if is_raft(name) else REFERENCE
    return world(name, bounds, rules or own, is_raft=is_raft(name))


def world_scope(
    name: str, sentence: str, size: Size | None = None, level: Level | None = None, **needs: str
) -> Scope:
    """A world of views: `journal`, or `journal:faults=2` with another bound."""
    return Scope(name, sentence, partial(built, name), size, level, glance, needs)


LATER = "a_command_overtakes_a_later_read: two; two_frontends_read_at_once: one of each"
UNKNOWN = "nobody_knows_of_two_commands: two"
JOURNALED = {
    "orders": "D37, D114: a commit of each; D35: two that create one topic",
    "others": "a_read_is_older_than_the_control_plane: one",
    "refreshes": "D35, D36, D37, D38, D110, D111: one",
    "reads under way": "a_command_overtakes_a_read: one",
    "faults": "D112; nobody_knows_what_was_done: one",
}
REFRESHED = {
    "orders": "D80: an open segment that is deleted; D113: one that is opened",
    "others": "a_read_is_older_than_the_control_plane: one",
    "refreshes": "two_frontends_read_at_once: one of each",
    "reads under way": "a_command_overtakes_a_read: one",
    "faults": "D33: one vnode that does not answer",
}
HEALED = {
    "orders": "F23: a seal that is lost behind a move",
    "others": "a_read_is_older_than_the_control_plane: one",
    "refreshes": "a_command_overtakes_a_read: one",
    "reads under way": "a_command_overtakes_a_read: one",
    "faults": "F23; nobody_knows_what_was_done: one",
}
PLACED = {
    "orders": "D81, D82: a change of brokers; D83: of racks; D88: a second topic",
    "others": "D84, D86: a hard policy",
    "refreshes": "a_command_overtakes_a_read: one",
    "reads under way": "a_command_overtakes_a_read: one",
}
UNANSWERED = {
    "orders": "D146: a commit of each, and a command whose answer shows the other's",
    "refreshes": "a_command_overtakes_a_later_read: two",
    "reads under way": "a_command_overtakes_a_read: one",
    "faults": "D146: one vnode that does not answer",
}

SCOPES: tuple[Scope, ...] = (
    world_scope(
        "journal",
        "two frontends create, commit and bind; one refreshes, a command is lost (RFR-6, RFR-8)",
        Size(52_779, 112_908, 8),
        Level.QUICK,
        **JOURNALED,
    ),
    world_scope(
        "journal-raft",
        "the same where a caller applies its commands to its own view (RNG-43, RFR-6)",
        Size(19_586, 48_174, 8),
        Level.QUICK,
        **JOURNALED,
    ),
    world_scope(
        "refresh",
        "a topic comes and goes, a segment is opened, and a vnode does not answer (RFR-2, PRD-5)",
        Size(21_627, 51_774, 9),
        Level.QUICK,
        **REFRESHED,
    ),
    world_scope(
        "refresh-raft",
        "the same where a caller applies its commands to its own view (RNG-43, RFR-2)",
        Size(10_619, 26_381, 9),
        Level.QUICK,
        **REFRESHED,
    ),
    world_scope(
        "policy",
        "brokers, their racks and a topic's policy change while segments open (PLC-14, PLC-15)",
        Size(27_306, 56_861, 9),
        Level.QUICK,
        **PLACED,
    ),
    world_scope(
        "heal",
        "a coordinator's commands go through a frontend, and one of them fails (HEA-6, RFR-6)",
        Size(35_004, 70_999, 8),
        Level.QUICK,
        **HEALED,
    ),
    world_scope(
        "journal:refreshes=2+1,faults=2",
        "two frontends refresh, one of them twice, and two commands fail (RFR-6, RFR-8)",
        Size(3_750_642, 11_022_788, 12),
        Level.DEEP,
        **JOURNALED | {"refreshes": LATER, "faults": UNKNOWN},
    ),
    world_scope(
        "journal-raft:refreshes=2+1,faults=2",
        "the same where a caller applies its commands to its own view (RNG-43, RFR-6)",
        Size(2_498_303, 7_427_414, 12),
        Level.DEEP,
        **JOURNALED | {"refreshes": LATER, "faults": UNKNOWN},
    ),
    world_scope(
        "journal:refreshes=2+2,faults=2",
        "two frontends refresh twice, and two commands fail (RFR-6, RFR-8)",
        Size(9_409_131, 29_252_116, 14),
        Level.EXHAUSTIVE,
        **JOURNALED | {"refreshes": LATER, "faults": UNKNOWN},
    ),
    world_scope(
        "refresh:refreshes=2+2,faults=2",
        "two frontends refresh twice, and vnodes do not answer (RFR-2, RFR-4)",
        Size(299_524, 883_296, 13),
        Level.DEEP,
        **REFRESHED | {"refreshes": LATER, "faults": "two_vnodes_are_unread: two"},
    ),
    world_scope(
        "heal:refreshes=2+0,faults=2",
        "two commands of a coordinator fail, and its frontend refreshes twice (HEA-6, RFR-6)",
        Size(202_470, 496_894, 10),
        Level.DEEP,
        **HEALED | {"refreshes": "a_command_overtakes_a_later_read: two", "faults": UNKNOWN},
    ),
    world_scope(
        "overlap",
        "a frontend reads the control plane while another read of it is under way (RFR-4)",
        Size(113, 232, 7),
        Level.QUICK,
        **{
            "others": "a_read_is_older_than_the_control_plane: one, and another behind it",
            "refreshes": "D137: two that overlap, and one more",
            "reads under way": "two: D137",
        },
    ),
    world_scope(
        "unread",
        "two frontends commit, and the vnode that keeps their positions does not answer (RFR-2)",
        Size(678, 1_154, 7),
        Level.QUICK,
        **UNANSWERED,
    ),
    world_scope(
        "unread-raft",
        "the same where a caller applies its commands to its own view (RNG-43, RFR-2)",
        Size(571, 1_018, 7),
        Level.QUICK,
        **UNANSWERED,
    ),
)
