"""Topics, ranges, commits and policy names, as a recording calls them."""

from checker.replay import decoding, encoding
from checker.replay.machine import FAULT, Entry, Turn
from checker.replay.terms import Term, text
from reference import ranges
from spec.replies import NoSuchTopic
from spec.vocabulary import Group, PolicyName


def create_topic(turn: Turn) -> Term:
    """Its arguments are named `name` and `bits`."""
    turn.front, reply = ranges.create_topic(
        turn.front, turn.args.topic("name"), turn.args.whole("bits"), turn.effects.command
    )
    return encoding.answer(reply)


def active_range_ids(turn: Turn) -> Term:
    """Range ids."""
    return [
        encoding.range_id(one) for one in ranges.active_range_ids(turn.front, turn.args.topic())
    ]


def split_range(turn: Turn) -> Term:
    """Two ids, or an error."""
    turn.front, reply = ranges.split_range(turn.front, turn.args.range_id(), turn.effects.command)
    return encoding.answer(reply)


def merge_ranges(turn: Turn) -> Term:
    """One id, or an error."""
    turn.front, reply = ranges.merge_ranges(
        turn.front, turn.args.range_id("a"), turn.args.range_id("b"), turn.effects.command
    )
    return encoding.answer(reply)


def delete_segment(turn: Turn) -> Term:
    """Ok, or an error."""
    turn.front, reply = ranges.delete_segment(
        turn.front, turn.args.segment_id(), turn.effects.command
    )
    return encoding.answer(reply)


def commit_offset(turn: Turn) -> Term:
    """Ok, or an error."""
    turn.front, reply = ranges.commit_offset(
        turn.front,
        Group(turn.args.get("group", text)),
        turn.args.topic(),
        turn.args.get("offsets", decoding.positions),
        turn.effects.command,
    )
    return encoding.answer(reply)


def committed_offsets(turn: Turn) -> Term:
    """Positions by range."""
    group = Group(turn.args.get("group", text))
    return encoding.positions(ranges.committed_offsets(turn.front, group, turn.args.topic()))


def bind_topic_policy(turn: Turn) -> Term:
    """Ok, or an error."""
    turn.front, reply = ranges.bind_topic_policy(
        turn.front,
        turn.args.topic(),
        turn.args.get("policy", decoding.policy_name),
        turn.effects.command,
    )
    return encoding.answer(reply)


def topic_policy_name(turn: Turn) -> Term:
    """A name, none, or an error."""
    found = ranges.topic_policy_name(turn.front, turn.args.topic())
    return encoding.refusal(found) if isinstance(found, NoSuchTopic) else {"ok": found}


def topics_bound_to(turn: Turn) -> Term:
    """Names of topics."""
    return list(ranges.topics_bound_to(turn.front, PolicyName(turn.args.get("policy", text))))


def metadata(turn: Turn) -> Term:
    """The whole view."""
    return turn.machine.shown.metadata(ranges.metadata(turn.front))


CALLS = {
    "create_topic": Entry(
        create_topic,
        (
            "name",
            "bits",
        ),
        FAULT,
    ),
    "active_range_ids": Entry(active_range_ids, ("topic",)),
    "split_range": Entry(split_range, ("range",), FAULT),
    "merge_ranges": Entry(
        merge_ranges,
        (
            "a",
            "b",
        ),
        FAULT,
    ),
    "delete_segment": Entry(delete_segment, ("segment",), FAULT),
    "commit_offset": Entry(
        commit_offset,
        (
            "group",
            "topic",
            "offsets",
        ),
        FAULT,
    ),
    "committed_offsets": Entry(
        committed_offsets,
        (
            "group",
            "topic",
        ),
    ),
    "bind_topic_policy": Entry(
        bind_topic_policy,
        (
            "topic",
            "policy",
        ),
        FAULT,
    ),
    "topic_policy_name": Entry(topic_policy_name, ("topic",)),
    "topics_bound_to": Entry(topics_bound_to, ("policy",)),
    "metadata": Entry(metadata),
}
