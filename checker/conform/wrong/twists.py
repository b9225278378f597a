"""What several wrong brokers are made of: the right call, with something twisted around it."""

from collections.abc import Callable
from dataclasses import replace

from checker.conform.calls.table import OPERATIONS
from checker.conform.operations import Answered, Arguments, Effects, Run
from reference import vnodes
from reference.controlplane import Metadata
from reference.frontend import Frontend
from reference.vnodes import View
from spec.commands import Command
from spec.replies import CommandReply, ReadReply, ReplicateReply
from spec.vocabulary import (
    Broker,
    Count,
    Dispatch,
    Offset,
    PolicyName,
    RangeId,
    SegmentId,
    TopicPolicy,
)


def right(op: str, front: Frontend, args: Arguments, effects: Effects) -> Answered:
    """What the reference does."""
    return OPERATIONS[op].run(front, args, effects)


class Through:
    """Effects that are passed on; a wrong broker changes one of them."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects

    def command(self, view: View, command: Command) -> tuple[View, CommandReply]:
        """Tell the control plane."""
        return self.effects.command(view, command)

    def replicate(self, dispatch: Dispatch) -> ReplicateReply:
        """Send a batch."""
        return self.effects.replicate(dispatch)

    def read(
        self, broker: Broker, segment_id: SegmentId, offset: Offset, max_records: Count
    ) -> ReadReply:
        """Read from a log."""
        return self.effects.read(broker, segment_id, offset, max_records)

    def policy(self, name: PolicyName) -> TopicPolicy | None:
        """Look up a policy."""
        return self.effects.policy(name)


def counter_of(front: Frontend, range_id: RangeId) -> Offset:
    """The frontend's own idea of where a range ends."""
    return front.offsets.get(range_id, Offset(0))


def with_counter(front: Frontend, range_id: RangeId, counter: Offset) -> Frontend:
    """The frontend with another counter."""
    return replace(front, offsets=front.offsets.set(range_id, counter))


def with_metadata(front: Frontend, change: Callable[[Metadata], Metadata]) -> Frontend:
    """The frontend with each vnode of its view changed."""
    changed = {vnode: change(one) for vnode, one in front.view.vnodes.items()}
    return replace(front, view=replace(front.view, vnodes=front.view.vnodes.update(changed)))


def metadata_of(front: Frontend, range_id: RangeId) -> Metadata:
    """What the view says of a range's topic."""
    return vnodes.metadata_of(front.view, range_id.topic)


def seeing(op: str, change: Callable[[Frontend], Frontend]) -> Run:
    """A call that changes nothing, made on a frontend that sees something else."""

    def run(front: Frontend, args: Arguments, effects: Effects) -> Answered:
        return front, right(op, change(front), args, effects)[1]

    return run
