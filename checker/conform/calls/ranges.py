"""Topics, ranges, commits and policy names."""

from typing import Any

from checker.conform.codecs import Codec, many
from checker.conform.nouns import (
    group,
    metadata,
    plain_integer,
    policy_name,
    positions,
    range_id,
    segment_id,
    topic_name,
)
from checker.conform.operations import Answered, Arguments, Effects, Operation, Profile, Run
from checker.conform.replying import command_reply, either
from checker.conform.variants import direct, option
from reference import ranges
from reference.frontend import Frontend
from spec.replies import Refusal


def create_topic(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """Create a topic."""
    return ranges.create_topic(front, args["topic"], args["bits"], effects.command)


def active_range_ids(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """The ranges that tile a topic."""
    return front, ranges.active_range_ids(front, args["topic"])


def split_range(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """Split a range."""
    return ranges.split_range(front, args["range"], effects.command)


def merge_ranges(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """Merge two ranges."""
    return ranges.merge_ranges(front, args["first"], args["second"], effects.command)


def delete_segment(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """Remove a sealed segment."""
    return ranges.delete_segment(front, args["segment"], effects.command)


def commit_offset(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """Move a group."""
    return ranges.commit_offset(
        front, args["group"], args["topic"], args["positions"], effects.command
    )


def committed_offsets(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """Where a group stands."""
    return front, ranges.committed_offsets(front, args["group"], args["topic"])


def bind_topic_policy(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """Bind a topic to a policy name."""
    return ranges.bind_topic_policy(front, args["topic"], args["policy"], effects.command)


def topic_policy_name(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """The policy name of a topic."""
    return front, ranges.topic_policy_name(front, args["topic"])


def topics_bound_to(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """The topics of a policy name."""
    return front, ranges.topics_bound_to(front, args["policy"])


def whole_view(front: Frontend, _args: Arguments, _effects: Effects) -> Answered:
    """The view as one."""
    return front, ranges.metadata(front)


def told(name: str, profile: Profile, run: Run, **arguments: Codec[Any]) -> Operation:
    """A call that sends one command and answers what that was answered."""
    return Operation(name, profile, run, command_reply, arguments)


def looked(
    name: str, profile: Profile, run: Run, reply: Codec[Any], **arguments: Codec[Any]
) -> Operation:
    """A call that looks into the view."""
    return Operation(name, profile, run, reply, arguments, is_query=True)


bound = either(direct("ok", lambda value: not isinstance(value, Refusal), option(policy_name)))

OPERATIONS = (
    told("create_topic", "core", create_topic, topic=topic_name, bits=plain_integer),
    looked("active_range_ids", "core", active_range_ids, many(range_id), topic=topic_name),
    looked("metadata", "core", whole_view, metadata),
    told("split_range", "reshape", split_range, range=range_id),
    told("merge_ranges", "reshape", merge_ranges, first=range_id, second=range_id),
    told("delete_segment", "reshape", delete_segment, segment=segment_id),
    told(
        "commit_offset",
        "history",
        commit_offset,
        group=group,
        topic=topic_name,
        positions=positions,
    ),
    looked(
        "committed_offsets", "history", committed_offsets, positions, group=group, topic=topic_name
    ),
    told(
        "bind_topic_policy",
        "policy",
        bind_topic_policy,
        topic=topic_name,
        policy=option(policy_name),
    ),
    looked("topic_policy_name", "policy", topic_policy_name, bound, topic=topic_name),
    looked("topics_bound_to", "policy", topics_bound_to, many(topic_name), policy=policy_name),
)
