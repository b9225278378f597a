"""The frontend's calls on topics, ranges, commits and policy names.

Each sends one command to the control plane, or looks into the cached view. What the control plane
does with a command stands in `controlplane`, how it is routed in `vnodes`.
"""

from immutables import Map

from reference import vnodes
from reference.controlplane import Metadata, ranges_of
from reference.frontend import CommandFun, Frontend, keep_view
from reference.vnodes import metadata_of
from spec.commands import (
    BindTopicPolicy,
    Command,
    CommitOffset,
    CreateTopic,
    DeleteSegment,
    MergeRanges,
    Positions,
    SplitRange,
)
from spec.replies import CommandReply, Created, NoSuchTopic
from spec.vocabulary import Group, PolicyName, RangeId, SegmentId, State, TopicName


def create_topic(
    front: Frontend, topic: TopicName, bits: int, command_fun: CommandFun
) -> tuple[Frontend, CommandReply]:
    """[RNG-5, RNG-39] Create a topic of 2^bits positions and its root range."""
    return _send(front, CreateTopic(topic, bits), command_fun)


def active_range_ids(front: Frontend, topic: TopicName) -> tuple[RangeId, ...]:
    """[RNG-38] The ranges that tile the topic's keyspace now, in ascending id."""
    listed = ranges_of(metadata_of(front.view, topic), topic)
    return tuple(range_id for range_id, block in listed if block.state is State.ACTIVE)


def split_range(
    front: Frontend, range_id: RangeId, command_fun: CommandFun
) -> tuple[Frontend, CommandReply]:
    """[RNG-14, RNG-15] Retire a range, its head sealed, for its two halves."""
    return _send_or_stay(front, SplitRange(range_id), command_fun)


def merge_ranges(
    front: Frontend, first: RangeId, second: RangeId, command_fun: CommandFun
) -> tuple[Frontend, CommandReply]:
    """[RNG-14, RNG-15] Retire two buddies, their heads sealed, for one child."""
    return _send_or_stay(front, MergeRanges(first, second), command_fun)


def delete_segment(
    front: Frontend, segment_id: SegmentId, command_fun: CommandFun
) -> tuple[Frontend, CommandReply]:
    """[RNG-20, RNG-39] Remove a sealed segment from the control plane."""
    return _send(front, DeleteSegment(segment_id), command_fun)


def commit_offset(
    front: Frontend,
    group: Group,
    topic: TopicName,
    positions: Positions,
    command_fun: CommandFun,
) -> tuple[Frontend, CommandReply]:
    """[RNG-24, RNG-39] Record a consumer group's position in each of these ranges."""
    return _send(front, CommitOffset(group, topic, positions), command_fun)


def committed_offsets(front: Frontend, group: Group, topic: TopicName) -> Positions:
    """[RNG-26] A group's committed positions; none where it never committed."""
    return metadata_of(front.view, topic).committed.get((group, topic), Map())


def bind_topic_policy(
    front: Frontend, topic: TopicName, policy: PolicyName | None, command_fun: CommandFun
) -> tuple[Frontend, CommandReply]:
    """[RNG-27, RNG-39] Bind a topic to a policy name, or detach it with none."""
    return _send(front, BindTopicPolicy(topic, policy), command_fun)


def topic_policy_name(front: Frontend, topic: TopicName) -> PolicyName | NoSuchTopic | None:
    """[RNG-28] The policy name that a topic is bound to; none where it is bound to none."""
    known = metadata_of(front.view, topic).topics.get(topic)
    return NoSuchTopic() if known is None else known.policy


def topics_bound_to(front: Frontend, policy: PolicyName) -> tuple[TopicName, ...]:
    """[RNG-29] The topics bound to a policy name, over all vnodes, in ascending order."""
    topics = vnodes.merged(front.view).topics
    return tuple(sorted(name for name, topic in topics.items() if topic.policy == policy))


def metadata(front: Frontend) -> Metadata:
    """[RNG-37] The view as one: the union of its vnodes."""
    return vnodes.merged(front.view)


def _send(
    front: Frontend, command: Command, command_fun: CommandFun
) -> tuple[Frontend, CommandReply]:
    """[RNG-39] Send a command and hold the view that came with the answer, even a refusal."""
    view, reply = command_fun(front.view, command)
    return keep_view(front, view, command), reply


def _send_or_stay(
    front: Frontend, command: Command, command_fun: CommandFun
) -> tuple[Frontend, CommandReply]:
    """[RNG-15, RNG-50] Send a command; without success the frontend is what it was."""
    answered, reply = _send(front, command, command_fun)
    return (answered if isinstance(reply, Created) else front), reply
