"""What a frontend commanded, and what views make of it: its last word on each thing."""

from collections.abc import Hashable, Iterator

from spec.commands import (
    BindTopicPolicy,
    Command,
    CommitOffset,
    CommittedPosition,
    CreateTopic,
    DeleteSegment,
    Positions,
    RegisterSegment,
    SealSegment,
    SetSegmentReplicas,
)
from spec.truth import Known, Shard, Viewed, whole
from spec.vocabulary import START, Cursor, Group, Offset, TopicName


def last_words(commands: tuple[Command, ...]) -> tuple[Command, ...]:
    """Of the commands on one and the same thing the last, in order."""
    last = {_target(command): command for command in commands}
    return tuple(last.values())


def shows(view: Shard, command: Command) -> bool:  # noqa: PLR0911 - one case for each command
    """Whether a view shows that a command was done."""
    match command:
        case CreateTopic(topic):
            return topic in view.topics
        case BindTopicPolicy(topic, policy):
            return topic in view.topics and view.topics[topic].policy == policy
        case CommitOffset(group, topic):
            return (group, topic) in view.committed
        case RegisterSegment(_, segment_id):
            return segment_id in view.segments
        case SealSegment(segment_id):
            return segment_id in view.segments and view.segments[segment_id].length is not None
        case DeleteSegment(segment_id):
            return segment_id not in view.segments
        case SetSegmentReplicas(segment_id, replica_set):
            return (
                segment_id in view.segments and view.segments[segment_id].replica_set == replica_set
            )
        case _:
            return True


def could_take(read: Shard, since: tuple[Command, ...], command: Command) -> bool:
    """Whether a command rests on nothing but what was read and what was commanded since."""
    match command:
        case BindTopicPolicy(topic):
            return topic in read.topics or any(
                isinstance(each, CreateTopic) and each.topic == topic for each in since
            )
        case RegisterSegment(range_id):
            return range_id in read.ranges and all(
                each.range_id != range_id for each in read.segments.values()
            )
        case SealSegment(segment_id) | SetSegmentReplicas(segment_id):
            return segment_id in read.segments
        case DeleteSegment(segment_id):
            return segment_id in read.segments and read.segments[segment_id].length is not None
        case _:
            return True


def to_survive(before: Known, read: Viewed) -> Iterator[Command]:
    """The last words that a frontend journaled and that a read can take."""
    listed = whole(read.catalog)
    return (
        command
        for command in last_words(read.since)
        if command in (before.journal or ()) and could_take(listed, read.since, command)
    )


def asked_for(read: Viewed) -> list[tuple[tuple[Group, TopicName], Positions]]:
    """The positions that were read, and those that were committed since."""
    own = [
        ((command.group, command.topic), command.positions)
        for command in last_words(read.since)
        if isinstance(command, CommitOffset)
    ]
    return [*whole(read.catalog).committed.items(), *own]


def rank_of(position: CommittedPosition) -> Cursor:
    """`start` lies below every cursor."""
    return Cursor(-1, Offset(0)) if position == START else position


def _target(command: Command) -> Hashable:
    match command:
        case CommitOffset(group, topic):
            return ("commit", group, topic)
        case CreateTopic(topic) | BindTopicPolicy(topic):
            return (command.tag, topic)
        case SetSegmentReplicas(segment_id):
            return (command.tag, segment_id)
        case RegisterSegment(_, segment_id) | SealSegment(segment_id) | DeleteSegment(segment_id):
            return ("life", segment_id)
        case _:
            return command
