"""The steps of a failover: find a dead primary, fence what is left, seal. One pass at a time.

A pass begins with a read of the control plane, which the frontend that it runs on installs; what
happens meanwhile makes the pass a stale one.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from immutables import Map

from checker.search.model import Outcome, Step
from checker.world.copies.bounds import Bounds, Fault
from checker.world.copies.parts import Copy, FailingOver, Pass, copy_named
from checker.world.copies.rules import Rules, is_not_looked_at
from checker.world.copies.telling import Telling
from checker.world.sharing.parts import TOPIC, segment_of
from checker.world.sharing.rules import NOW
from reference.coordinating import FenceAnswer
from reference.frontend import Frontend
from reference.store import Log
from reference.vnodes import View, metadata_of
from spec.commands import Command
from spec.vocabulary import Broker, SegmentId, State

Outcomes = Sequence[Outcome]
Begun = tuple[str, tuple[Hashable, ...]]
"""How a pass begins, and what it leaves: the pass, and the frontend that it runs on."""


def failover_steps(bounds: Bounds, rules: Rules) -> Iterator[Step]:
    """Every step of every failover."""
    for seq in range(bounds.segments):
        failover = _Failover(bounds, rules, segment_of(seq))
        yield from failover.finding_steps()
        for broker in bounds.brokers:
            yield from _Ask(rules, failover.segment_id, broker).steps(bounds)
        yield from failover.ending_steps()


@dataclass(frozen=True, slots=True)
class _Failover:
    """What the coordinator does for one segment whose primary is dead or a copy of which failed."""

    bounds: Bounds
    rules: Rules
    segment_id: SegmentId

    @property
    def place(self) -> str:
        return f"s{self.segment_id.seq}"

    def finding_steps(self) -> Iterator[Step]:
        """The ways in which a failover begins."""
        both = ("coordinator", self.bounds.coordinator)
        reads = (*both, "control", *self.bounds.brokers)
        yield Step(f"{self.place} is to fail over", "find dead", reads, both, self.find_dead)
        if self.rules.is_shut is not is_not_looked_at:
            copies = tuple(copy_named(each, self.segment_id.seq) for each in self.bounds.brokers)
            found = f"{self.place} is shut"
            yield Step(found, "find shut", (*reads, *copies), both, self.find_shut)
        doubts = (
            ("suspect", Fault.SUSPICION, self.suspect),
            ("report", Fault.REPORT, self.report),
        )
        for name, fault, rule in doubts:
            if self.bounds.may(fault):
                reads_too, writes_too = (*reads, "faults"), (*both, "faults")
                yield Step(f"{self.place}: {name}", name, reads_too, writes_too, rule)

    def ending_steps(self) -> Iterator[Step]:
        """The ways in which it ends."""
        reads = ("coordinator", self.bounds.coordinator, *self.bounds.brokers)
        yield Step(f"{self.place} is given up", "give up", reads, reads[:1], self.give_up)
        if self.bounds.may(Fault.BREAK):
            parts = ("coordinator", "faults")
            yield Step(f"{self.place} breaks off", "break off", parts, parts, self.break_off)
        yield from Telling(self.bounds, self.rules, "decide", self.place, self.decide).steps()

    def find_dead(self, held: Pass, front: Frontend, view: View, *ups: bool) -> Outcomes:
        """Find the primary dead."""
        begun = self._begun(held, front, view, ups)
        return () if begun is None else [Outcome(*begun)]

    def find_shut(self, held: Pass, front: Frontend, view: View, *parts: Hashable) -> Outcomes:
        """Find a follower closed, and go on without the primary."""
        brokers = self.bounds.brokers
        ups = cast("tuple[bool, ...]", parts[: len(brokers)])
        copies = zip(brokers, cast("tuple[Copy, ...]", parts[len(brokers) :]), strict=True)
        segment = metadata_of(view, TOPIC).segments.get(self.segment_id)
        closed = Map({broker: log for broker, log in copies if log is not None})
        if segment is None or not self.rules.is_shut(segment.replica_set, closed):
            return ()
        first = segment.replica_set[0]
        others = tuple(up and each != first for each, up in zip(brokers, ups, strict=True))
        begun = self._begun(held, front, view, others)
        return () if begun is None else [Outcome(*begun)]

    def suspect(self, held: Pass, front: Frontend, view: View, *parts: Hashable) -> Outcomes:
        """Take one broker that is up for dead."""
        *ups, faults = cast("tuple[int, ...]", parts)
        outcomes: list[Outcome] = []
        for place, broker in enumerate(self.bounds.brokers):
            doubted = tuple(bool(up) and each != place for each, up in enumerate(ups))
            begun = self._begun(held, front, view, doubted)
            if faults and ups[place] and begun is not None:
                label, values = begun
                said = f"{broker} is taken for dead, and {label}"
                outcomes.append(Outcome(said, (*values, faults - 1)))
        return outcomes

    def report(self, held: Pass, front: Frontend, view: View, *parts: Hashable) -> Outcomes:
        """Hear that one copy has failed."""
        *ups, faults = cast("tuple[int, ...]", parts)
        outcomes: list[Outcome] = []
        for broker in self.bounds.brokers:
            begun = self._begun(held, front, view, tuple(map(bool, ups)), (broker,))
            if faults and begun is not None:
                label, values = begun
                said = f"the copy at {broker} is reported, and {label}"
                outcomes.append(Outcome(said, (*values, faults - 1)))
        return outcomes

    def give_up(self, held: Pass, front: Frontend, *ups: bool) -> Outcomes:
        """End a pass that waits for a broker that is down, or whose segment is sealed by now."""
        if not isinstance(held, FailingOver) or held.segment_id != self.segment_id:
            return ()
        live = dict(zip(self.bounds.brokers, ups, strict=True))
        is_waiting_in_vain = any(held.waits_for(each) and not live[each] for each in held.asked)
        if is_waiting_in_vain or not is_active(front, self.segment_id):
            return [Outcome(f"the failover of {self.place} is given up", (None,))]
        return ()

    def break_off(self, held: Pass, faults: int) -> Outcomes:
        """Forget the pass: the coordinator moves to another node, or waits no longer."""
        if not faults or not isinstance(held, FailingOver) or held.segment_id != self.segment_id:
            return ()
        return [Outcome(f"the failover of {self.place} breaks off", (None, faults - 1))]

    def decide(self, held: Pass, front: Frontend) -> tuple[Command, ...]:
        """[HEA-9, HEA-10, HEA-11, HEA-12] What the answers so far come to."""
        if not isinstance(held, FailingOver) or held.segment_id != self.segment_id:
            return ()
        metadata, answers = metadata_of(front.view, TOPIC), {self.segment_id: held.answers}
        failed = tuple((self.segment_id, broker) for broker in held.failed)
        return self.rules.failover_plan(metadata, held.asked, answers, NOW, failed)

    def _begun(
        self,
        held: Pass,
        front: Frontend,
        view: View,
        ups: tuple[bool, ...],
        failed: tuple[Broker, ...] = (),
    ) -> Begun | None:
        """[HEA-8, HEA-25] Read the control plane, and begin if a majority can be asked."""
        if held is not None:
            return None
        live = [broker for broker, is_up in zip(self.bounds.brokers, ups, strict=True) if is_up]
        installed = self.rules.install(front, view)
        metadata = metadata_of(installed.view, TOPIC)
        reported = tuple((self.segment_id, broker) for broker in failed)
        asked = dict(self.rules.failover_candidates(metadata, live, reported))
        candidates = asked.get(self.segment_id, ())
        segment = metadata.segments.get(self.segment_id)
        if segment is None or not self.rules.may_fence(candidates, segment.replica_set):
            return None
        begun = FailingOver(self.segment_id, segment.start_offset, candidates, failed)
        label = f"the coordinator fences {self.place} at {' and '.join(candidates)}"
        return label, (begun, installed)


@dataclass(frozen=True, slots=True)
class _Ask:
    """The fence of a failover reaches one copy."""

    rules: Rules
    segment_id: SegmentId
    broker: Broker

    def steps(self, bounds: Bounds) -> Iterator[Step]:
        """The step, and the one whose answer is lost."""
        copy = copy_named(self.broker, self.segment_id.seq)
        parts = ("coordinator", copy)
        yield Step(f"{copy} is fenced", "ask", (*parts, self.broker), parts, self.ask)
        if bounds.may(Fault.BREAK):
            reads, writes = (*parts, self.broker, "faults"), (copy, "faults")
            yield Step(f"{copy} is fenced unheard", "ask unheard", reads, writes, self.unheard)

    def ask(self, held: Pass, copy: Copy, is_up: bool) -> Outcomes:
        """Close the copy, and hear where it ends."""
        if not self._is_asked(held, is_up):
            return ()
        assert isinstance(held, FailingOver), "it asks"
        log, end, byte_size = self.rules.fence(copy or Log(held.start))
        label = f"{self.broker} is fenced and answers that s{self.segment_id.seq} ends at {end}"
        answer = FenceAnswer(self.broker, end, byte_size)
        return [Outcome(label, (held.with_answer(answer), log))]

    def unheard(self, held: Pass, copy: Copy, is_up: bool, faults: int) -> Outcomes:
        """Close the copy, and lose its answer."""
        if not faults or not self._is_asked(held, is_up):
            return ()
        assert isinstance(held, FailingOver), "it asks"
        log = self.rules.fence(copy or Log(held.start))[0]
        label = f"{self.broker} is fenced, and its answer is lost"
        return [Outcome(label, (log, faults - 1))]

    def _is_asked(self, held: Pass, is_up: bool) -> bool:
        return (
            is_up
            and isinstance(held, FailingOver)
            and held.segment_id == self.segment_id
            and held.waits_for(self.broker)
        )


def is_active(front: Frontend, segment_id: SegmentId) -> bool:
    """Whether a frontend's view calls a segment active."""
    segment = metadata_of(front.view, TOPIC).segments.get(segment_id)
    return segment is not None and segment.state is State.ACTIVE
