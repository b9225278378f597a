"""The steps of rolling: ask, send a fence, close, record, lose; and the failover coordinator."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from checker.search.model import Outcome, Step
from checker.world.sharing import guards
from checker.world.sharing.bounds import Bounds, Fault
from checker.world.sharing.control import ControlPlane, Delivery, out_of_reach
from checker.world.sharing.parts import RANGE, TOPIC, Closed, Copies, Fence, segment_of
from checker.world.sharing.producing import empty
from checker.world.sharing.rules import NOW, PAST, WINDOW, Rules
from reference.controlplane import active_segment
from reference.coordinating import FenceAnswer, failover_plan
from reference.frontend import Frontend
from reference.vnodes import View, metadata_of
from spec.vocabulary import Fencing, Roll, SegmentId, State

Outcomes = Sequence[Outcome]


def rolling_steps(bounds: Bounds, rules: Rules) -> list[Step]:
    """Every step of every roll."""
    steps: list[Step] = []
    for name in bounds.frontends:
        for seq in range(bounds.segments):
            steps += _Fencing(bounds, rules, name, segment_of(seq)).steps()
    for name in bounds.sweepers:
        sweep = _Sweep(rules, name)
        steps.append(Step(f"{name} sweeps", "sweep", (name, "control"), (name,), sweep))
    if bounds.may(Fault.FAILOVER):
        for seq in range(bounds.segments):
            parts = ("control", f"s{seq}", "faults")
            failover = _Failover(rules, segment_of(seq))
            guard = guards.may_fail("faults")
            steps.append(Step(f"s{seq} fails over", "fail over", parts, parts, failover, guard))
    return steps


@dataclass(frozen=True, slots=True)
class _Fencing:
    """One frontend's fence of one segment."""

    bounds: Bounds
    rules: Rules
    name: str
    segment_id: SegmentId

    @property
    def place(self) -> str:
        return f"s{self.segment_id.seq}"

    def steps(self) -> list[Step]:
        """The steps of the fence, in the order of its life."""
        name, place, slot = self.name, self.place, f"{self.name}/{self.place}"
        front, both = (name, slot), (name, slot, "control")
        steps = [
            Step(f"{name} fences {place}", "fence", front, front, self.send, guards.no_fence(slot)),
            Step(
                f"{slot} closes",
                "close",
                (slot, place),
                (slot, place),
                self.close,
                guards.asked(slot),
            ),
            Step(f"{slot} is recorded", "record", both, both, self.record, guards.closed(slot)),
            Step(f"{slot} is settled", "settle", front, front, self.settle, guards.closed(slot)),
            Step(f"{slot} is late", "wait", front, (name,), self.wait, guards.no_fence(slot)),
        ]
        if self.bounds.may(Fault.DELAY):
            late, parts = (*front, "faults"), (name, "faults")
            guard = guards.fenced(slot, "faults")
            steps.append(Step(f"{slot} is slow", "delay", late, parts, self.delay, guard))
        if self.bounds.may(Fault.LOSS):
            lost = (slot, "faults")
            steps.append(Step(f"{slot} is lost", "lose fence", lost, lost, self.lose))
        if self.bounds.may(Fault.SILENCE):
            sealed = (*both, "faults")
            guard = guards.closed(slot, "faults")
            rule = self.record_unheard
            steps.append(Step(f"{slot} is unheard", "record unheard", sealed, sealed, rule, guard))
        if self.bounds.may(Fault.FAILURE):
            failed = (*front, "faults")
            guard = guards.asked(slot, "faults")
            steps.append(Step(f"{slot} fails", "fail fence", failed, failed, self.fail, guard))
        return steps

    def send(self, front: Frontend, fence: Fence | None) -> Outcomes:
        """[ROL-47] Send the owed fence, or send it again past its window."""
        marked, rolls = self.rules.fences_to_send(front, NOW, WINDOW)
        if fence is not None or not rolls or rolls[0].segment_id != self.segment_id:
            return ()
        roll = replace(rolls[0], fence_sent_at=None)
        guess = self.rules.end_without_fence(front, roll)
        if guess is not None:
            label = f"{self.name} takes {guess[0]} for the end of {self.place}"
            return [Outcome(label, (marked, Fence(roll, Closed(*guess))))]
        was_sent = front.rolling[RANGE].fence_sent_at is not None
        label = f"{self.name} sends the fence of {self.place}{' again' if was_sent else ''}"
        return [Outcome(label, (marked, Fence(roll)))]

    def close(self, fence: Fence | None, copies: Copies | None) -> Outcomes:
        """Close the log at its primary."""
        if fence is None or fence.closed is not None:
            return ()
        held = copies or empty(fence.roll.start_offset)
        primary, end, byte_size = self.rules.fence(held.primary)
        answered = Fence(fence.roll, Closed(end, byte_size))
        label = f"{self.name}'s fence closes {self.place} at {end}"
        return [Outcome(label, (answered, Copies(primary, held.majority)))]

    def record(self, front: Frontend, fence: Fence | None, view: View) -> Outcomes:
        """[ROL-46] Record what closing answered at the control plane."""
        if fence is None or fence.closed is None:
            return ()
        plane = ControlPlane(self.rules, view)
        recorded = self._record(front, fence.roll, fence.closed, plane)
        if not plane.was_asked:
            return ()
        label = f"{self.name} records that {self.place} ends at {fence.closed.end}"
        return [Outcome(label, (recorded, None, plane.view))]

    def record_unheard(
        self, front: Frontend, fence: Fence | None, view: View, faults: int
    ) -> Outcomes:
        """Record it, and hear nothing: the command or its answer is lost."""
        if not faults or fence is None or fence.closed is None:
            return ()
        outcomes: list[Outcome] = []
        views: list[View] = []
        for delivery in (Delivery.LOST, Delivery.UNANSWERED):
            plane = ControlPlane(self.rules, view, delivery)
            recorded = self._record(front, fence.roll, fence.closed, plane)
            if plane.was_asked and plane.view not in views:
                label = f"{self.name} seals {self.place}, and the command is {delivery.value}"
                values = (recorded, None, plane.view, faults - 1)
                views.append(plane.view)
                outcomes.append(Outcome(label, values))
        return outcomes

    def settle(self, front: Frontend, fence: Fence | None) -> Outcomes:
        """[ROL-46] Take an answer that the control plane need not hear."""
        if fence is None or fence.closed is None:
            return ()
        plane = out_of_reach(self.rules, front.view)
        settled = self._record(front, fence.roll, fence.closed, plane)
        if plane.was_asked:
            return ()
        label = f"{self.name} hears of its fence of {self.place}, which it knows is sealed"
        return [Outcome(label, (settled, None))]

    def lose(self, fence: Fence | None, faults: int) -> Outcomes:
        """Lose the request or the answer."""
        if not faults or fence is None:
            return ()
        what = "the answer to " if fence.closed else ""
        label = f"{what}{self.name}'s fence of {self.place} is lost"
        return [Outcome(label, (None, faults - 1))]

    def fail(self, front: Frontend, fence: Fence | None, faults: int) -> Outcomes:
        """[ROL-46] Answer the request with an error: the primary was never reached."""
        if not faults or fence is None or fence.closed is not None:
            return ()
        label = f"{self.name}'s fence of {self.place} fails"
        return [Outcome(label, (self.rules.forget_fence(front, fence.roll), None, faults - 1))]

    def wait(self, front: Frontend, fence: Fence | None) -> Outcomes:
        """Let the window of a fence pass of which nothing is under way any more."""
        if fence is not None:
            return ()
        return [Outcome(label, (later,)) for label, later in self._later(front)]

    def delay(self, front: Frontend, fence: Fence | None, faults: int) -> Outcomes:
        """Let the window pass while the fence or its answer is under way."""
        if not faults or fence is None:
            return ()
        return [Outcome(label, (later, faults - 1)) for label, later in self._later(front)]

    def _later(self, front: Frontend) -> Iterator[tuple[str, Frontend]]:
        """Move the marks of a fence that was just sent past its window."""
        roll, fencing = front.rolling.get(RANGE), front.fencing.get(RANGE)
        rolling, awaited = front.rolling, front.fencing
        if roll and roll.segment_id == self.segment_id and roll.fence_sent_at == NOW:
            rolling = rolling.set(RANGE, replace(roll, fence_sent_at=PAST))
        if fencing and fencing.segment_id == self.segment_id and fencing.sent_at == NOW:
            awaited = awaited.set(RANGE, Fencing(self.segment_id, PAST))
        if rolling is not front.rolling or awaited is not front.fencing:
            label = f"the window of {self.name}'s fence of {self.place} passes"
            yield label, replace(front, rolling=rolling, fencing=awaited)

    def _record(self, front: Frontend, roll: Roll, closed: Closed, plane: ControlPlane) -> Frontend:
        return self.rules.record_fence(front, roll, closed.end, closed.byte_size, NOW, plane.tell)[
            0
        ]


@dataclass(frozen=True, slots=True)
class _Sweep:
    """The retention sweep asks for the roll of what the control plane lists as active."""

    rules: Rules
    name: str

    def __call__(self, front: Frontend, view: View) -> Outcomes:
        """Owe the roll of the range's head."""
        listed = active_segment(metadata_of(view, TOPIC), RANGE)
        if listed is None:
            return ()
        label = f"{self.name} is asked to roll s{listed[0].seq}"
        return [Outcome(label, (self.rules.request_rolls(front, (listed,)),))]


@dataclass(frozen=True, slots=True)
class _Failover:
    """The coordinator takes a primary for dead, right or wrong."""

    rules: Rules
    segment_id: SegmentId

    def __call__(self, view: View, copies: Copies | None, faults: int) -> Outcomes:
        """[HEA-8, HEA-9, HEA-10, HEA-11] Fence the other replicas and seal at their end."""
        metadata = metadata_of(view, TOPIC)
        segment = metadata.segments.get(self.segment_id)
        if not faults or segment is None or segment.state is not State.ACTIVE:
            return ()
        held = copies or empty(segment.start_offset)
        majority, end, byte_size = self.rules.fence(held.majority)
        _, *live = segment.replica_set
        answers = {self.segment_id: [FenceAnswer(broker, end, byte_size) for broker in live]}
        after = view
        for command in failover_plan(metadata, live, answers, NOW):
            after, _ = self.rules.command(after, command)
        label = f"a failover seals s{self.segment_id.seq} at {end}"
        return [Outcome(label, (after, Copies(held.primary, majority), faults - 1))]
