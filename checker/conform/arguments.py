"""How each call of a walk is given its arguments, and how often it is made."""

from collections.abc import Callable, Mapping
from typing import Any

from checker.conform.drawing import GROUPS, POLICY_NAMES, TOPICS, Walker
from checker.conform.steps import Fence, ViewOf
from spec.vocabulary import DONE, ByteSize, Count, Millis, Offset, Sequence, VnodeId

Drawn = dict[str, Any]
Draw = Callable[[Walker, str], Drawn]


def nothing(_walker: Walker, _broker: str) -> Drawn:
    """No arguments."""
    return {}


def a_topic(walker: Walker, _broker: str) -> Drawn:
    """A topic."""
    return {"topic": walker.topic()}


def a_range(walker: Walker, broker: str) -> Drawn:
    """A range, known or not."""
    return {"range": walker.range_id(broker)}


def an_active_range(walker: Walker, broker: str) -> Drawn:
    """A range that may be split."""
    return {"range": walker.active_range(broker)}


def a_new_topic(walker: Walker, _broker: str) -> Drawn:
    """A topic to create; not every name and size is taken."""
    name = walker.chance.choice((*TOPICS, TOPICS[1], "", "no spaces"))
    return {"topic": name, "bits": walker.chance.choice((0, 1, 2, 3, 33))}


def two_ranges(walker: Walker, broker: str) -> Drawn:
    """Two ranges to merge."""
    return {"first": walker.active_range(broker), "second": walker.active_range(broker)}


def a_segment(walker: Walker, broker: str) -> Drawn:
    """A segment to remove."""
    return {"segment": walker.segment_id(broker)}


def a_commit(walker: Walker, broker: str) -> Drawn:
    """What a group commits."""
    group = walker.chance.choice(GROUPS)
    return {"group": group, "topic": walker.topic(), "positions": walker.positions(broker)}


def a_group(walker: Walker, _broker: str) -> Drawn:
    """A group and a topic."""
    return {"group": walker.chance.choice(GROUPS), "topic": walker.topic()}


def a_binding(walker: Walker, _broker: str) -> Drawn:
    """A topic and a policy name, or none."""
    return {"topic": walker.topic(), "policy": walker.chance.choice((None, "", *POLICY_NAMES))}


def a_policy(walker: Walker, _broker: str) -> Drawn:
    """A policy name."""
    return {"policy": walker.chance.choice(POLICY_NAMES)}


def members(walker: Walker, _broker: str) -> Drawn:
    """Brokers; now and then none."""
    return {"brokers": () if walker.rarely() else walker.some_brokers()}


def places(walker: Walker, _broker: str) -> Drawn:
    """Where brokers stand."""
    return {"attributes": walker.attributes()}


def a_view(_walker: Walker, _broker: str) -> Drawn:
    """The control plane."""
    return {"view": ViewOf()}


def a_batch(walker: Walker, _broker: str) -> Drawn:
    """Records for a topic; now and then none."""
    records = () if walker.rarely() else walker.records()
    return {"topic": walker.topic(), "records": records}


def an_answer(walker: Walker, broker: str) -> Drawn:
    """Where a batch ended, mostly of the segment that is the head."""
    segment_id = walker.head_id(broker)
    return {"range": segment_id.range_id, "segment": segment_id, "last": walker.offset()}


def listed_segments(walker: Walker, broker: str) -> Drawn:
    """Segments that a sweep found too old."""
    return {"segments": walker.segments(broker)}


def a_time_to_send(walker: Walker, _broker: str) -> Drawn:
    """Now, and how long a fence may stay without an answer."""
    return {"now": walker.now, "retry_after": Millis(walker.chance.choice((0, 5, 20)))}


def a_wait(walker: Walker, broker: str) -> Drawn:
    """A range, its segment and a window."""
    segment_id = walker.head_id(broker)
    window = Millis(walker.chance.choice((0, 5, 20)))
    return {
        "range": segment_id.range_id,
        "segment": segment_id,
        "now": walker.now,
        "window": window,
    }


def a_wait_of_a_topic(walker: Walker, _broker: str) -> Drawn:
    """A topic and a window."""
    window = Millis(walker.chance.choice((0, 5, 20)))
    return {"topic": walker.topic(), "now": walker.now, "window": window}


def a_roll(walker: Walker, broker: str) -> Drawn:
    """A roll."""
    return {"roll": walker.roll(broker)}


def a_fence_answered(walker: Walker, broker: str) -> Drawn:
    """A roll and what its fence answered, mostly of a store that was just closed."""
    roll = walker.roll(broker)
    if walker.mostly():
        walker.take(Fence(roll.segment_id, roll.start_offset))
    end = walker.end_of(roll.segment_id, roll.start_offset)
    if walker.rarely():
        end = Offset(end + 1)
    size = ByteSize(40 * max(0, end - roll.start_offset))
    return {"roll": roll, "end_offset": end, "byte_size": size, "sealed_at": walker.now}


def a_refusal(walker: Walker, broker: str) -> Drawn:
    """A segment whose store refused a batch, and where it ends."""
    segment_id = walker.head_id(broker)
    return {
        "range": segment_id.range_id,
        "segment": segment_id,
        "end_offset": walker.offset(),
    }


def a_read_view(walker: Walker, _broker: str) -> Drawn:
    """A read of the control plane, now or a while ago, perhaps not of all vnodes."""
    names = [None, None, *sorted(walker.remembered)]
    blank = (VnodeId("vnode_1"),) if walker.rarely() else ()
    return {"view": ViewOf(walker.chance.choice(names), blank), "unreachable": blank}


def a_journal(walker: Walker, _broker: str) -> Drawn:
    """The journal that was taken last, or commands of somebody else."""
    taken, walker.taken = walker.taken, ()
    if taken and walker.mostly():
        return {"commands": taken}
    return {"commands": tuple(walker.command() for _ in range(2))}


def a_recovery(walker: Walker, broker: str) -> Drawn:
    """What was recovered of a range."""
    sequence = Sequence(walker.chance.randrange(4))
    return {
        "range": walker.range_id(broker),
        "next_offset": walker.offset(),
        "min_seq": sequence,
    }


def a_failed_recovery(walker: Walker, broker: str) -> Drawn:
    """What is known of a range whose primary did not answer."""
    return {"range": walker.range_id(broker), "min_seq": Sequence(walker.chance.randrange(4))}


def a_plan(walker: Walker, _broker: str) -> Drawn:
    """Commands of a heal coordinator."""
    several = range(walker.chance.choice((1, 1, 2)))
    return {"commands": tuple(walker.heal_command() for _ in several)}


def a_budget(walker: Walker) -> Count:
    """How many records a page may hold; now and then none."""
    return Count(walker.chance.choice((0, 1, 2, 2, 5, 50)))


def a_read(walker: Walker, broker: str) -> Drawn:
    """A range and an offset."""
    return {
        "range": walker.range_id(broker),
        "offset": walker.offset(),
        "max": a_budget(walker),
    }


def a_page(walker: Walker, broker: str) -> Drawn:
    """A range and a consumer's cursor."""
    range_id = walker.range_id(broker)
    return {"range": range_id, "cursor": walker.position(range_id), "max": a_budget(walker)}


def a_history_page(walker: Walker, broker: str) -> Drawn:
    """A range and a history's cursor."""
    drawn = a_page(walker, broker)
    return drawn | {"cursor": DONE} if walker.rarely() else drawn


DRAWN: Mapping[str, tuple[int, Draw]] = {
    "create_topic": (1, a_new_topic),
    "active_range_ids": (1, a_topic),
    "metadata": (1, nothing),
    "split_range": (2, an_active_range),
    "merge_ranges": (2, two_ranges),
    "delete_segment": (2, a_segment),
    "commit_offset": (2, a_commit),
    "committed_offsets": (1, a_group),
    "bind_topic_policy": (3, a_binding),
    "topic_policy_name": (1, a_topic),
    "topics_bound_to": (1, a_policy),
    "set_brokers": (2, members),
    "set_broker_attributes": (2, places),
    "domain_violations": (2, nothing),
    "domain_violations_over": (1, a_view),
    "produce": (10, a_batch),
    "produce_plan": (5, a_batch),
    "adopt_offsets": (3, an_answer),
    "active_roll": (1, a_range),
    "due_rolls": (1, nothing),
    "request_rolls": (2, listed_segments),
    "fences_to_send": (3, a_time_to_send),
    "awaiting_fence": (2, a_wait),
    "range_awaiting_fence": (1, a_wait_of_a_topic),
    "forget_fence": (1, a_roll),
    "record_fence": (3, a_fence_answered),
    "record_seal": (2, a_fence_answered),
    "forget_sealed": (2, a_refusal),
    "put_cache": (3, a_read_view),
    "drop_stale_active_segments": (3, nothing),
    "journal": (1, nothing),
    "take_journal": (2, nothing),
    "replay_journal": (2, a_journal),
    "seed_range_state": (3, a_recovery),
    "seed_unrecovered_range": (3, a_failed_recovery),
    "unrecovered": (1, a_range),
    "apply_heal": (3, a_plan),
    "apply_heal_reply": (3, a_plan),
    "read": (3, a_read),
    "read_consume": (4, a_page),
    "stream_history": (3, a_history_page),
    "read_history": (1, a_range),
}
"""Each call with its weight. `open` begins every walk."""
