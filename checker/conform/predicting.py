"""What the reference would do: every way in which a call may go on from a state.

A call is run ahead on the reference, in the world as it is. What it asks there, in order, and how
it ends are what an implementation may do. Ranges inside one produce may come in any order, and
each order is a way of its own.
"""

from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

from checker.conform.calls.answers import on_the_wire
from checker.conform.effects import (
    Answer,
    CommandAnswer,
    CommandEffect,
    Effect,
    Kind,
    ReadEffect,
    ReplicateEffect,
    replicating,
)
from checker.conform.operations import Arguments, Operation
from checker.conform.recalling import Recalled
from checker.conform.world import Fault, World, settle
from reference.frontend import Frontend
from reference.vnodes import View
from spec.commands import Command
from spec.replies import CommandReply, ReadReply, Refusal, ReplicateReply
from spec.vocabulary import (
    Broker,
    Count,
    Dispatch,
    Millis,
    Offset,
    PolicyName,
    SegmentId,
    TopicPolicy,
)

ORDERS = 120
"""So many orders of ranges are tried at most: all of five."""


class Exchange(NamedTuple):
    """One effect, its answer, and the world after it."""

    effect: Effect
    answer: Answer
    world: World


class Way(NamedTuple):
    """One way in which a call may go."""

    exchanges: tuple[Exchange, ...]
    reply: object
    front: Frontend


class Ahead:
    """The effects of a call that is run ahead."""

    def __init__(self, world: World, faults: tuple[Fault, ...], now: Millis) -> None:
        self.exchanges: list[Exchange] = []
        self._world = world
        self._script = Script(faults)
        self._now = now

    def command(self, view: View, command: Command) -> tuple[View, CommandReply]:
        """Tell the control plane."""
        effect = CommandEffect(command)
        settled = settle(self._world, effect, self._script.next("command", effect), view, self._now)
        self._world = settled.world
        self.exchanges.append(Exchange(effect, settled.answer, settled.world))
        answer, after = settled.answer, settled.view
        assert isinstance(answer, CommandAnswer)
        assert after is not None
        return after, answer.reply

    def replicate(self, dispatch: Dispatch) -> ReplicateReply:
        """Send a batch."""
        answer = self._settled(replicating(dispatch), "replicate")
        assert isinstance(answer, ReplicateReply)
        return answer

    def read(
        self, broker: Broker, segment_id: SegmentId, offset: Offset, max_records: Count
    ) -> ReadReply:
        """Read from a log."""
        answer = self._settled(ReadEffect(broker, segment_id, offset, max_records), "read")
        assert isinstance(answer, ReadReply)
        return answer

    def policy(self, name: PolicyName) -> TopicPolicy | None:
        """Look up a policy. Nobody counts how often."""
        return self._world.policies.get(name)

    def way(self, operation: Operation, front: Frontend, reply: object) -> Way:
        """The way that came of a call, once it ended."""
        return Way(tuple(self.exchanges), operation.settle(on_the_wire(reply)), front)

    def _settled(self, effect: ReplicateEffect | ReadEffect, kind: Kind) -> Answer:
        fault = self._script.next(kind, effect)
        settled = settle(self._world, effect, fault, self._world.authority, self._now)
        self._world = settled.world
        self.exchanges.append(Exchange(effect, settled.answer, settled.world))
        return settled.answer


class Script:
    """The faults of one call, handed out as effects come."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self._faults = faults
        self._counts: dict[Kind, int] = {}

    def next(self, kind: Kind, effect: Effect) -> Fault | None:
        """The fault that hits the next effect of a kind."""
        if not self._faults:
            return None
        number = self._counts.get(kind, 0)
        self._counts[kind] = number + 1
        tag = effect.command.tag if isinstance(effect, CommandEffect) else ""
        hit = (each for each in self._faults if each.kind == kind and each.hits(number, tag))
        return next(hit, None)


class Asked(NamedTuple):
    """A call, ready to be run ahead."""

    operation: Operation
    args: Arguments
    faults: tuple[Fault, ...]
    now: Millis


def way(asked: Asked, front: Frontend, world: World) -> Way:
    """The way in which the reference itself goes."""
    return way_of(*asked, front, world)


def way_of(
    operation: Operation,
    args: Arguments,
    faults: tuple[Fault, ...],
    now: Millis,
    front: Frontend,
    world: World,
) -> Way:
    """The same, of the parts of a call."""
    ahead = Ahead(world, faults, now)
    return ahead.way(operation, *operation.run(front, args, ahead))


WAYS: Recalled[Way] = Recalled(way_of)
"""A way that was gone before, from the same state in the same world, is known."""


def foreseen(asked: Asked, front: Frontend, world: World) -> Way:
    """The way of the reference, of now or of before."""
    return WAYS(*asked, front, world)


def other_ways(asked: Asked, front: Frontend, world: World) -> Iterator[Way]:
    """The ways that handle the ranges of a produce in another order."""
    grouped = asked.operation.grouped
    if grouped is None:
        return
    groups = grouped.route(front, asked.args)
    if isinstance(groups, Refusal):
        return
    for tried, order in enumerate(permutations(groups)):
        if tried >= ORDERS:
            return
        if tried > 0:
            ahead = Ahead(world, asked.faults, asked.now)
            yield ahead.way(asked.operation, *grouped.run(front, order, ahead))
