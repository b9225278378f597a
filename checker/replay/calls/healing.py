"""Healing, and the coordinators' decisions, as a recording calls them."""

from checker.replay import decoding, encoding
from checker.replay.machine import FAULT, Entry, Turn
from checker.replay.terms import Term, count, fields, items, only, text, whole
from reference import coordinating, healing
from reference.controlplane import Metadata
from reference.coordinating import FenceAnswer, RetentionPolicy
from reference.vnodes import merged
from spec.vocabulary import Broker, ByteSize, Millis, Offset, SegmentId


def apply_heal(turn: Turn) -> Term:
    """Ok, whatever the commands were answered."""
    commands = turn.args.many("commands", decoding.command)
    turn.front = healing.apply_heal(turn.front, commands, turn.effects.command)
    return "ok"


def apply_heal_reply(turn: Turn) -> Term:
    """Ok, or the first error."""
    commands = turn.args.many("commands", decoding.command)
    turn.front, reply = healing.apply_heal_reply(turn.front, commands, turn.effects.command)
    return encoding.answer(reply)


def failover_candidates(turn: Turn) -> Term:
    """Segments, each with the replicas to fence."""
    found = coordinating.failover_candidates(
        control_plane(turn), turn.args.brokers("live"), turn.args.many("failed", copy)
    )
    return [[encoding.segment_id(one), list(replicas)] for one, replicas in found]


def failover_plan(turn: Turn) -> Term:
    """Commands."""
    plan = coordinating.failover_plan(
        control_plane(turn),
        turn.args.brokers("live"),
        dict(turn.args.many("probes", probe)),
        Millis(turn.args.whole("now")),
        turn.args.many("failed", copy),
    )
    return [encoding.command(one) for one in plan]


def orphaned_fence_candidates(turn: Turn) -> Term:
    """Per primary, the segments to ask it about, each with its start."""
    found = coordinating.orphaned_fence_candidates(control_plane(turn), turn.args.brokers("live"))
    return [
        [broker, [[encoding.segment_id(one), start] for one, start in asked]]
        for broker, asked in found
    ]


def orphaned_fence_plan(turn: Turn) -> Term:
    """Commands."""
    plan = coordinating.orphaned_fence_plan(
        control_plane(turn), turn.args.many("answers", fenced), Millis(turn.args.whole("now"))
    )
    return [encoding.command(one) for one in plan]


def retention_expired(turn: Turn) -> Term:
    """Segments."""
    policy = turn.args.get("policy", retention_policy)
    now = Millis(turn.args.whole("now"))
    expired = coordinating.retention_expired(control_plane(turn), policy, now)
    return [encoding.segment_id(one) for one in expired]


def control_plane(turn: Turn) -> Metadata:
    """What a coordinator decides over: everything that the control plane knows."""
    return merged(turn.machine.world.authority)


def copy(term: Term, name: str) -> tuple[SegmentId, Broker]:
    """One replica of a segment."""
    one, broker = items(term, name, 2)
    return decoding.segment_id(one, name), Broker(text(broker, name))


def probe(term: Term, name: str) -> tuple[SegmentId, tuple[FenceAnswer, ...]]:
    """A segment, and what its replicas answered to a fence."""
    one, answers = items(term, name, 2)
    return decoding.segment_id(one, name), tuple(
        FenceAnswer(
            Broker(text(broker, name)), Offset(whole(end, name)), ByteSize(whole(size, name))
        )
        for broker, end, size in (items(answer, name, 3) for answer in items(answers, name))
    )


def fenced(term: Term, name: str) -> tuple[SegmentId, Offset, ByteSize]:
    """A segment whose primary says that it is fenced, with end and bytes."""
    one, end, size = items(term, name, 3)
    return decoding.segment_id(one, name), Offset(whole(end, name)), ByteSize(whole(size, name))


def retention_policy(term: Term, name: str) -> RetentionPolicy:
    """What is too old, and what is too much."""
    limits = fields(term, name)
    only(limits, frozenset({"max_age_ms", "max_bytes"}), name)
    age, size = (
        None if (limit := limits.get(key)) is None else count(limit, f"{name}.{key}")
        for key in ("max_age_ms", "max_bytes")
    )
    return RetentionPolicy(
        max_age_ms=None if age is None else Millis(age),
        max_bytes=None if size is None else ByteSize(size),
    )


CALLS = {
    "apply_heal": Entry(apply_heal, ("commands",), FAULT),
    "apply_heal_reply": Entry(apply_heal_reply, ("commands",), FAULT),
    "failover_candidates": Entry(failover_candidates, ("live",), ("failed",)),
    "failover_plan": Entry(failover_plan, ("live", "now", "probes"), ("failed",)),
    "orphaned_fence_candidates": Entry(orphaned_fence_candidates, ("live",)),
    "orphaned_fence_plan": Entry(orphaned_fence_plan, ("answers", "now")),
    "retention_expired": Entry(retention_expired, ("policy", "now")),
}
