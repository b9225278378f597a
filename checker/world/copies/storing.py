"""The steps of brokers: take a batch, close a log, stop and come back."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import cast

from immutables import Map

from checker.search.model import Outcome, Step
from checker.world.copies.bounds import Bounds, Fault
from checker.world.copies.outcomes import distinct
from checker.world.copies.parts import Copy, copy_named
from checker.world.copies.rules import Rules
from checker.world.sharing.parts import (
    RANGE,
    Answered,
    Batch,
    Closed,
    Failed,
    Fence,
    Sent,
    segment_of,
)
from reference.frontend import Frontend
from reference.store import Log
from spec.replies import Appended, Sealed
from spec.vocabulary import Broker, SegmentId

Outcomes = Sequence[Outcome]


def storing_steps(bounds: Bounds, rules: Rules) -> list[Step]:
    """Every step of every broker."""
    steps: list[Step] = []
    for name, number, _ in bounds.slots():
        for seq in range(bounds.segments):
            steps += _Append(bounds, rules, f"{name}.{number}", segment_of(seq)).steps()
        for broker in bounds.brokers:
            slot = f"{name}.{number}"
            bounce = _Bounce(rules, broker, slot)
            parts = (name, slot, broker)
            steps.append(Step(f"{slot} finds {broker} down", "bounce", parts, parts[:2], bounce))
    for name in bounds.frontends:
        for seq in range(bounds.segments):
            steps += _closing_steps(bounds, rules, name, seq)
    for broker in bounds.brokers if bounds.may(Fault.STOP) else ():
        steps += _stopping_steps(bounds, rules, broker)
    return steps


def _closing_steps(bounds: Bounds, rules: Rules, name: str, seq: int) -> Iterator[Step]:
    slot = f"{name}/s{seq}"
    for broker in bounds.brokers:
        close = _Close(rules, name, broker, f"s{seq}")
        copy = copy_named(broker, seq)
        yield Step(f"{slot} closes {copy}", "close", (slot, copy, broker), (slot, copy), close)
        parts = (name, slot, broker)
        down = f"{slot} finds {broker} down"
        yield Step(down, "fail fence", parts, parts[:2], close.bounce)


def _stopping_steps(bounds: Bounds, rules: Rules, broker: Broker) -> Iterator[Step]:
    stopping = _Stopping(rules, broker)
    copies = tuple(copy_named(broker, seq) for seq in range(bounds.segments))
    parts = (broker, "faults")
    yield Step(f"{broker} stops", "stop", parts, parts, stopping.stop)
    back = (broker, *copies)
    yield Step(f"{broker} comes back", "come back", back, back, stopping.come_back)
    if bounds.may(Fault.DISK):
        blank = (*back, "faults")
        yield Step(f"{broker} comes back blank", "lose disk", blank, blank, stopping.lose_disk)


@dataclass(frozen=True, slots=True)
class _Append:
    """A batch reaches the primary of one segment, and is copied.

    The copying is one step with the append, to any of the followers. A fence between the two
    would find the same logs as one before it that the follower missed.
    """

    bounds: Bounds
    rules: Rules
    slot: str
    segment_id: SegmentId

    @property
    def place(self) -> str:
        return f"s{self.segment_id.seq}"

    def steps(self) -> Iterator[Step]:
        """The step, and the one in which followers are missed."""
        slot, brokers = self.slot, self.bounds.brokers
        copies = tuple(copy_named(broker, self.segment_id.seq) for broker in brokers)
        reads, writes = (slot, *copies, *brokers), (slot, *copies)
        yield Step(f"{slot} reaches {self.place}", "append", reads, writes, self.reach)
        if self.bounds.may(Fault.SHORTAGE):
            short = f"{slot} reaches {self.place} short"
            also = (*reads, "faults"), (*writes, "faults")
            yield Step(short, "append short", *also, self.fall_short)

    def reach(self, slot: Batch, *parts: Hashable) -> Outcomes:
        """Reach the primary, and through it all followers that are up."""
        return self._outcomes(slot, parts, is_short=False)

    def fall_short(self, slot: Batch, *parts: Hashable) -> Outcomes:
        """Reach the primary, and not all followers that are up."""
        *others, last = parts
        faults = cast("int", last)
        if not faults:
            return ()
        left = faults - 1
        found = self._outcomes(slot, tuple(others), is_short=True)
        return [Outcome(label, (*values, left)) for label, values in found]

    def _outcomes(self, slot: Batch, parts: tuple[Hashable, ...], *, is_short: bool) -> Outcomes:
        if not isinstance(slot, Sent) or slot.dispatch.segment_id != self.segment_id:
            return ()
        brokers = self.bounds.brokers
        logs = cast("tuple[Copy, ...]", parts[: len(brokers)])
        ups = dict(zip(brokers, cast("tuple[bool, ...]", parts[len(brokers) :]), strict=True))
        dispatch = slot.dispatch
        if not ups[dispatch.primary]:
            return ()
        held = {broker: log for broker, log in zip(brokers, logs, strict=True) if log is not None}
        live = [each for each in dispatch.replica_set[1:] if ups[each]]
        sizes = range(len(live)) if is_short else [len(live)]
        outcomes: list[Outcome] = []
        for reached in (each for size in sizes for each in combinations(live, size)):
            copies, reply = self.rules.append_with_quorum(
                Map(held),
                dispatch.replica_set,
                dispatch.base_offset,
                dispatch.records,
                frozenset(reached),
            )
            if is_short and isinstance(reply, Sealed):
                continue
            answered = Answered(dispatch, reply, slot.is_again)
            values = (answered, *(copies.get(broker) for broker in brokers))
            refusing = [each for each in reached if copies.get(each) == held.get(each)]
            said = self._phrase((dispatch.primary, *reached), refusing, reply)
            outcomes.append(Outcome(said, values))
        return distinct(outcomes)

    def _phrase(self, reached: tuple[Broker, ...], refusing: list[Broker], reply: object) -> str:
        where = " and ".join(reached)
        match reply:
            case Sealed(end):
                return f"{reached[0]} is fenced at {end} and refuses {self.slot}"
            case Appended(last):
                taking = " and ".join(each for each in reached if each not in refusing)
                said = f"{self.slot} reaches {self.place} at {taking} and ends at {last}"
                verb = "refuses" if len(refusing) == 1 else "refuse"
                return f"{said}; {' and '.join(refusing)} {verb} it" if refusing else said
            case _:
                return f"{self.slot} reaches {self.place} at {where}, where no majority takes it"


@dataclass(frozen=True, slots=True)
class _Bounce:
    """A batch is on its way to a broker that is down."""

    rules: Rules
    broker: Broker
    slot: str

    def __call__(self, front: Frontend, slot: Batch, is_up: bool) -> Outcomes:
        """Fail the batch; what an earlier delivery of it left stays where it is."""
        if is_up or not isinstance(slot, Sent) or slot.dispatch.primary != self.broker:
            return ()
        given_up = self.rules.give_up(front, RANGE, slot.dispatch.count)
        return [Outcome(f"{self.slot} finds {self.broker} down and fails", (given_up, Failed()))]


@dataclass(frozen=True, slots=True)
class _Close:
    """A frontend's fence reaches the broker that its roll names."""

    rules: Rules
    name: str
    broker: Broker
    place: str

    def __call__(self, fence: Fence | None, copy: Copy, is_up: bool) -> Outcomes:
        """Close that copy."""
        if not is_up or not self._is_sent(fence):
            return ()
        assert fence is not None, "it was sent"
        log, end, byte_size = self.rules.fence(copy or Log(fence.roll.start_offset))
        label = f"{self.name}'s fence closes {self.place} at {self.broker} at {end}"
        return [Outcome(label, (Fence(fence.roll, Closed(end, byte_size)), log))]

    def bounce(self, front: Frontend, fence: Fence | None, is_up: bool) -> Outcomes:
        """Fail, because the broker is down."""
        if is_up or not self._is_sent(fence):
            return ()
        assert fence is not None, "it was sent"
        label = f"{self.name}'s fence of {self.place} finds {self.broker} down"
        return [Outcome(label, (self.rules.forget_fence(front, fence.roll), None))]

    def _is_sent(self, fence: Fence | None) -> bool:
        return fence is not None and fence.closed is None and fence.roll.primary == self.broker


@dataclass(frozen=True, slots=True)
class _Stopping:
    """A broker stops, with nothing half done, and comes back."""

    rules: Rules
    broker: Broker

    def stop(self, is_up: bool, faults: int) -> Outcomes:
        """Stop. What is on its way to the broker may find it down, or arrive once it is back."""
        if not is_up or not faults:
            return ()
        return [Outcome(f"{self.broker} stops", (False, faults - 1))]

    def come_back(self, is_up: bool, *copies: Copy) -> Outcomes:
        """[ROL-34] Come back with the disk."""
        if is_up:
            return ()
        kept = tuple(None if copy is None else self.rules.come_back(copy) for copy in copies)
        return [Outcome(f"{self.broker} comes back", (True, *kept))]

    def lose_disk(self, is_up: bool, *parts: Hashable) -> Outcomes:
        """Come back with nothing, as if no segment had ever been there."""
        *copies, last = parts
        faults = cast("int", last)
        if is_up or not faults or not self.rules.may_return_blank:
            return ()
        blank = (None,) * len(copies)
        return [Outcome(f"{self.broker} comes back without its disk", (True, *blank, faults - 1))]
