"""What a world of copies comes to in the end, once faults stop."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import cast

from checker.search.model import Model, ProgressGoal
from checker.world.copies.bounds import Bounds
from checker.world.copies.parts import Copy, copy_named
from checker.world.sharing.parts import RANGE, TOPIC
from checker.world.sharing.progress import owes_nothing
from reference.controlplane import active_segment
from reference.vnodes import View, metadata_of

FAIR = frozenset(
    {
        *("fence", "close", "record", "settle", "wait", "fail fence"),
        *(
            "come back",
            "find dead",
            "find shut",
            "ask",
            "decide",
            "give up",
            "probe",
            "adopt",
            "leave",
        ),
    }
)
"""What is not put off for ever: messages arrive, brokers come back, the coordinator looks. Losing,
stopping and breaking off is never owed to anybody."""


def with_progress(model: Model, bounds: Bounds) -> Model:
    """Answer a world that is also judged on what it comes to in the end."""
    copies = tuple(
        copy_named(broker, seq) for seq in range(bounds.segments) for broker in bounds.brokers
    )
    writable = ProgressGoal(
        "a_range_can_take_writes_again",
        "ROL-39",
        "Whatever was fenced, some way leads to where a majority of the head's copies is open.",
        "possible",
        ("control", *bounds.brokers, *copies),
        is_writable(bounds),
    )
    comes = replace(
        writable,
        name="a_range_takes_writes_again",
        sentence="A range is never closed for good.",
        kind="inevitable",
    )
    goals = (writable, comes, *(_settled(name) for name in bounds.sweepers))
    fair = FAIR & {step.rule_name for step in model.steps}
    return replace(model, progress=(*model.progress, *goals), fair=model.fair | fair)


def is_writable(bounds: Bounds) -> Callable[..., bool]:
    """[ROL-39] The range has no head, or one whose primary and majority are up and open. (P2)"""
    brokers = bounds.brokers

    def reached(view: View, *parts: Hashable) -> bool:
        head = active_segment(metadata_of(view, TOPIC), RANGE)
        if head is None:
            return True
        segment_id, segment = head
        ups = dict(zip(brokers, cast("tuple[bool, ...]", parts[: len(brokers)]), strict=True))
        first = len(brokers) * (1 + segment_id.seq)
        logs = cast("tuple[Copy, ...]", parts[first : first + len(brokers)])
        copies = dict(zip(brokers, logs, strict=True))
        closed = [each for each in brokers if (log := copies[each]) is not None and log.fenced]
        able = [each for each in segment.replica_set if ups[each] and each not in closed]
        return segment.replica_set[0] in able and 2 * len(able) > len(segment.replica_set)

    return reached


def _settled(name: str) -> ProgressGoal:
    return ProgressGoal(
        f"an_unanswered_roll_of_{name}_is_settled_at_last",
        "RFR-15",
        f"{name} owes no roll for ever, whatever became of the primary that it names. (P10)",
        "inevitable",
        (name,),
        owes_nothing,
    )
