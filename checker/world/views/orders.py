"""What a frontend is told to do, once each: the calls of a world in which nothing is stored."""

from collections.abc import Mapping
from dataclasses import dataclass

from immutables import Map

from checker.world.sharing.parts import RANGE, TOPIC
from spec.commands import (
    BindTopicPolicy,
    Command,
    CommitOffset,
    CommittedPosition,
    CreateTopic,
    DeleteSegment,
    DeleteTopic,
    RegisterSegment,
    SealSegment,
    SetSegmentReplicas,
)
from spec.vocabulary import (
    Attributes,
    Broker,
    Group,
    PolicyName,
    RangeId,
    SegmentId,
    Sequence,
    TopicName,
)

GROUP = Group("g")
OTHER = TopicName("u")
"""A topic that another vnode owns than the one of `t`."""


@dataclass(frozen=True, slots=True)
class Create:
    """Create a topic."""

    topic: TopicName = OTHER
    bits: int = 1


@dataclass(frozen=True, slots=True)
class Commit:
    """Commit a group's position in the root range of a topic."""

    position: CommittedPosition
    topic: TopicName = TOPIC


@dataclass(frozen=True, slots=True)
class Bind:
    """Bind a topic to a policy name."""

    policy: PolicyName | None
    topic: TopicName = TOPIC


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove a segment."""

    segment_id: SegmentId


@dataclass(frozen=True, slots=True)
class Heal:
    """Send the commands of a coordinator."""

    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class Open:
    """Plan a batch of one record, and open a segment for it where none is cached or listed."""

    topic: TopicName = TOPIC


@dataclass(frozen=True, slots=True)
class Sweep:
    """Owe a roll of what the view shows to be too old."""


@dataclass(frozen=True, slots=True)
class Members:
    """Hear from the membership which brokers there are."""

    brokers: tuple[Broker, ...]


@dataclass(frozen=True, slots=True)
class Racks:
    """Hear from the membership where brokers stand."""

    attributes: Map[Broker, Attributes]


Order = Create | Commit | Bind | Delete | Heal | Open | Sweep | Members | Racks


def root_of(topic: TopicName) -> RangeId:
    """The first range of a topic."""
    return RangeId(topic, Sequence(0))


def racks(places: Mapping[str, str]) -> Map[Broker, Attributes]:
    """Where brokers stand, as what is known of each."""
    return Map({Broker(name): Map({"rack": rack}) for name, rack in places.items()})


def in_words(order: Order | Command) -> str:  # noqa: C901, PLR0911, PLR0912 # one case for each
    """What a participant does, as the end of a sentence that begins with its name."""
    match order:
        case Create(topic, bits) | CreateTopic(topic, bits):
            return f"creates {topic} with {1 << bits} positions"
        case Commit(position, topic):
            return f"commits {_at(position)} in {topic}"
        case CommitOffset(_, topic, positions):
            return f"commits {_at(positions[root_of(topic)])} in {topic}"
        case Bind(policy, topic) | BindTopicPolicy(topic, policy):
            return f"binds {topic} to {policy or 'no policy'}"
        case Delete(segment_id) | DeleteSegment(segment_id):
            return f"deletes {place(segment_id)}"
        case SetSegmentReplicas(segment_id, brokers):
            return f"moves {place(segment_id)} to {' '.join(brokers)}"
        case SealSegment(segment_id, length):
            return f"seals {place(segment_id)} with length {length}"
        case RegisterSegment(_, segment_id, _, start):
            return f"registers {place(segment_id)} at {start}"
        case DeleteTopic(topic):
            return f"deletes {topic}"
        case Heal(commands):
            return " and ".join(map(in_words, commands))
        case Open(topic):
            return f"plans a batch for {topic}"
        case Sweep():
            return "looks for segments that are too old"
        case Members(brokers):
            return f"hears that the brokers are {' '.join(brokers)}"
        case Racks(attributes):
            known = (f"{broker} in {where['rack']}" for broker, where in attributes.items())
            return f"hears that {', '.join(sorted(known))}"
        case _:
            return order.tag


def place(segment_id: SegmentId) -> str:
    """The short name of a segment."""
    short = f"s{segment_id.seq}"
    return short if segment_id.range_id == RANGE else f"{short} of {segment_id.range_id.topic}"


def _at(position: CommittedPosition) -> str:
    return position if isinstance(position, str) else f"{position.offset}"
