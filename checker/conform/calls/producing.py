"""Produces and plans."""

from dataclasses import replace

from checker.conform.calls.answers import nothing
from checker.conform.nouns import offset, range_id, records, segment_id, topic_name
from checker.conform.operations import Answered, Arguments, Effects, Grouped, Operation
from checker.conform.replying import planned, produced
from reference import producing
from reference.frontend import Frontend
from reference.producing import Groups
from spec.replies import Ok, Planned, Produced, Refusal


def route(front: Frontend, args: Arguments) -> Groups | Refusal:
    """The records by range."""
    return producing.route(front, args["topic"], args["records"])


def produce_groups(front: Frontend, groups: Groups, effects: Effects) -> Answered:
    """Replicate group after group."""
    front, reply = producing.produce_groups(
        front, groups, effects.replicate, effects.command, effects.policy
    )
    return front, in_range_order(reply)


def plan_groups(front: Frontend, groups: Groups, effects: Effects) -> Answered:
    """Reserve group after group."""
    front, reply = producing.plan_groups(front, groups, effects.command, effects.policy)
    return front, in_range_order(reply)


def produce(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """Replicate records."""
    groups = route(front, args)
    if isinstance(groups, Refusal):
        return front, groups
    return produce_groups(front, groups, effects)


def produce_plan(front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """Plan to replicate records."""
    groups = route(front, args)
    if isinstance(groups, Refusal):
        return front, groups
    return plan_groups(front, groups, effects)


def adopt_offsets(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """Take the primary's word."""
    return producing.adopt_offsets(front, args["range"], args["segment"], args["last"]), Ok()


def in_range_order(reply: object) -> object:
    """Placements and dispatches by range: the order in which a reply lists them says nothing."""
    match reply:
        case Produced((_,)) | Planned((_,), (_,)):
            return reply
        case Produced(placements):
            return Produced(tuple(sorted(placements, key=lambda each: each.range_id)))
        case Planned(placements, dispatches):
            return replace(
                reply,
                placements=tuple(sorted(placements, key=lambda each: each.range_id)),
                dispatches=tuple(sorted(dispatches, key=lambda each: each.range_id)),
            )
        case _:
            return reply


OPERATIONS = (
    Operation(
        "produce",
        "core",
        produce,
        produced,
        {"topic": topic_name, "records": records},
        Grouped(route, produce_groups),
        settle=in_range_order,
    ),
    Operation(
        "produce_plan",
        "plan",
        produce_plan,
        planned,
        {"topic": topic_name, "records": records},
        Grouped(route, plan_groups),
        settle=in_range_order,
    ),
    Operation(
        "adopt_offsets",
        "plan",
        adopt_offsets,
        nothing,
        {"range": range_id, "segment": segment_id, "last": offset},
    ),
)
