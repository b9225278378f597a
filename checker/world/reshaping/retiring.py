"""The steps of a split or a merge: find the head, close it, record its seal, tell, give up.

What is told to the control plane is judged beside the logs, which no caller looks at.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from checker.search.model import Guard, Outcome, Step
from checker.world.reshaping.bounds import Bounds, Fault
from checker.world.reshaping.parts import Logs, Reshaping, place, range_of
from checker.world.reshaping.rules import RangeIds, Rules
from checker.world.sharing.control import ControlPlane, Delivery
from checker.world.sharing.parts import BROKERS, TOPIC, Closed, Fence
from checker.world.sharing.rules import NOW
from reference.controlplane import active_segment
from reference.coordinating import orphaned_fence_plan
from reference.frontend import Frontend
from reference.store import Log
from reference.vnodes import View, metadata_of
from spec.replies import CommandReply, Created, Refusal
from spec.vocabulary import RangeId

Outcomes = Sequence[Outcome]


def retiring_steps(bounds: Bounds, rules: Rules) -> list[Step]:
    """Every step of every split and merge."""
    steps: list[Step] = []
    for name, parents in bounds.reshapers:
        steps += _Retiring(bounds, rules, name, tuple(map(range_of, parents))).steps()
    if bounds.is_healed:
        heal = Step("a coordinator heals", "heal", ("control", "logs"), ("control",), _Heal(rules))
        steps.append(heal)
    return steps


@dataclass(frozen=True, slots=True)
class _Retiring:
    """One frontend's split or merge."""

    bounds: Bounds
    rules: Rules
    name: str
    parents: RangeIds

    def steps(self) -> list[Step]:
        """The steps, in the order of its life."""
        name, work = self.name, f"{self.name}.work"
        told, seen = (name, work, "control"), (name, work, "control", "logs")
        asked = Guard((work,), lambda held: held.fence is not None and held.fence.closed is None)
        closed = Guard((work,), _is_closed)
        free = Guard((work,), lambda held: held.fence is None)
        both = (work, "logs")
        steps = [
            Step(f"{name} looks for a head", "look", (name, work), (work,), self.look, free),
            Step(f"{name}'s fence arrives", "close", both, both, self.close, asked),
            Step(f"{name} records a seal", "record", seen, told, self.record, closed),
            Step(f"{name} reshapes", "reshape", seen, told, self.reshape, free),
        ]
        if self.bounds.may(Fault.LOSS):
            lost = (work, "faults")
            steps.append(Step(f"{name}'s fence is lost", "lose fence", lost, lost, self.lose))
        if self.bounds.may(Fault.SILENCE):
            reads, writes = (*seen, "faults"), (*told, "faults")
            unheard = self.seal_unheard
            steps += [
                Step(f"{name} records unheard", "record unheard", reads, writes, unheard, closed),
                Step(
                    f"{name} reshapes unheard", "reshape unheard", reads, writes, self.unheard, free
                ),
            ]
        return steps

    def look(self, front: Frontend, work: Reshaping) -> Outcomes:
        """[ROL-23] Find the head of the next parent and send its fence, if there is one."""
        parent = self._next(work)
        if parent is None or work.fence is not None or self._is_due(work):
            return ()
        if not work.is_under_way:
            if not work.left:
                return ()
            work = Reshaping(work.left - 1, is_under_way=True)
        roll = self.rules.active_roll(front, parent)
        if roll is None:
            label = f"{self.name} finds no head in r{parent.seq}"
            return [Outcome(label, (replace(work, ready=(*work.ready, parent)),))]
        label = f"{self.name} sends the fence of {place(roll.segment_id)}"
        return [Outcome(label, (replace(work, fence=Fence(roll)),))]

    def close(self, work: Reshaping, logs: Logs) -> Outcomes:
        """Close the head at its primary."""
        fence = work.fence
        if fence is None or fence.closed is not None:
            return ()
        segment_id = fence.roll.segment_id
        held = logs.get(segment_id, Log(fence.roll.start_offset))
        log, end, byte_size = self.rules.fence(held)
        closed = replace(work, fence=Fence(fence.roll, Closed(end, byte_size)))
        label = f"{self.name}'s fence closes {place(segment_id)} at {end}"
        return [Outcome(label, (closed, logs.set(segment_id, log)))]

    def record(self, front: Frontend, work: Reshaping, view: View, _logs: Logs) -> Outcomes:
        """[ROL-48] Record what closing answered; without that there is no reshape."""
        return self._record(front, work, ControlPlane(self.rules, view))

    def seal_unheard(
        self, front: Frontend, work: Reshaping, view: View, _logs: Logs, faults: int
    ) -> Outcomes:
        """Record it, and hear nothing: the command or its answer is lost."""
        return [
            Outcome(f"{outcome.label}, {delivery.value}", (*outcome.values, faults - 1))
            for delivery in (Delivery.LOST, Delivery.UNANSWERED)
            if faults
            for outcome in self._record(front, work, ControlPlane(self.rules, view, delivery))
        ]

    def reshape(self, front: Frontend, work: Reshaping, view: View, _logs: Logs) -> Outcomes:
        """Tell the control plane."""
        return self._reshape(front, work, ControlPlane(self.rules, view))

    def unheard(
        self, front: Frontend, work: Reshaping, view: View, _logs: Logs, faults: int
    ) -> Outcomes:
        """Tell it, and hear nothing."""
        return [
            Outcome(f"{outcome.label}, {delivery.value}", (*outcome.values, faults - 1))
            for delivery in (Delivery.LOST, Delivery.UNANSWERED)
            if faults
            for outcome in self._reshape(front, work, ControlPlane(self.rules, view, delivery))
        ]

    def lose(self, work: Reshaping, faults: int) -> Outcomes:
        """Lose the fence or its answer; the caller gives up."""
        if not faults or work.fence is None:
            return ()
        what = "fence" if work.fence.closed is None else "answered fence"
        label = f"{self.name}'s {what} of {place(work.fence.roll.segment_id)} is lost"
        return [Outcome(label, (Reshaping(work.left), faults - 1))]

    def _record(self, front: Frontend, work: Reshaping, plane: ControlPlane) -> Outcomes:
        fence = work.fence
        if fence is None or fence.closed is None:
            return ()
        end, byte_size = fence.closed
        recorded, reply = self.rules.record_seal(front, fence.roll, end, byte_size, NOW, plane.tell)
        label = f"{self.name} records that {place(fence.roll.segment_id)} ends at {end}"
        after = replace(work, ready=(*work.ready, fence.roll.range_id), fence=None)
        if isinstance(reply, Refusal):
            after = Reshaping(work.left)
        return [Outcome(label, (recorded, after, plane.view))]

    def _reshape(self, front: Frontend, work: Reshaping, plane: ControlPlane) -> Outcomes:
        if not self._is_due(work):
            return ()
        reshaped, reply = self.rules.reshape(front, self.parents, plane.tell)
        is_done = isinstance(reply, Created)
        after = Reshaping(0 if is_done else work.left, is_done=is_done)
        return [Outcome(f"{self._act()}: {_in_words(reply)}", (reshaped, after, plane.view))]

    def _next(self, work: Reshaping) -> RangeId | None:
        return next((each for each in self.parents if each not in work.ready), None)

    def _is_due(self, work: Reshaping) -> bool:
        is_ours = work.is_under_way and work.fence is None
        return is_ours and self.rules.is_due(self.parents, work.ready)

    def _act(self) -> str:
        names = " and ".join(f"r{parent.seq}" for parent in self.parents)
        return f"{self.name} {'splits' if len(self.parents) == 1 else 'merges'} {names}"


@dataclass(frozen=True, slots=True)
class _Heal:
    """A coordinator asks each primary whether it is fenced, and seals what nobody recorded."""

    rules: Rules

    def __call__(self, view: View, logs: Logs) -> Outcomes:
        """[HEA-15] Seal at the end that the fence answered."""
        metadata = metadata_of(view, TOPIC)
        heads = [
            head[0]
            for range_id in sorted(metadata.ranges)
            if (head := active_segment(metadata, range_id)) is not None
        ]
        fenced = [
            (head, log.latch.end, log.latch.byte_size)
            for head in heads
            if (log := logs.get(head)) is not None and log.latch is not None
        ]
        after = view
        for command in orphaned_fence_plan(metadata, fenced, NOW):
            after, _ = self.rules.command(after, command)
        if after == view:
            return ()
        names = ", ".join(place(head) for head, _, _ in fenced)
        return [Outcome(f"a coordinator at {BROKERS[0]} seals {names}", (after,))]


def _is_closed(work: Reshaping) -> bool:
    return work.fence is not None and work.fence.closed is not None


def _in_words(reply: CommandReply) -> str:
    match reply:
        case Created(range_ids):
            return f"{' and '.join(f'r{each.seq}' for each in range_ids)} take over"
        case Refusal():
            return reply.name
        case _:
            return type(reply).__name__
