"""The steps for what a broken roll or a dead primary leaves: orphaned fences, and overruns."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from checker.search.model import Outcome, Step
from checker.world.copies.bounds import Bounds
from checker.world.copies.coordinating import is_active
from checker.world.copies.parts import Copy, Pass, Probed, copy_named
from checker.world.copies.rules import Rules
from checker.world.copies.telling import Telling
from checker.world.sharing.parts import TOPIC, segment_of
from checker.world.sharing.rules import NOW
from reference.coordinating import orphaned_fence_candidates
from reference.frontend import Frontend
from reference.vnodes import View, metadata_of
from spec.commands import Command
from spec.vocabulary import Broker, SegmentId

Outcomes = Sequence[Outcome]


def orphan_steps(bounds: Bounds, rules: Rules) -> Iterator[Step]:
    """Every step for an orphaned fence."""
    for seq in range(bounds.segments):
        yield from _Orphan(bounds, rules, segment_of(seq)).steps()


def overrun_steps(bounds: Bounds, rules: Rules) -> Iterator[Step]:
    """Every step for a copy above a sealed edge."""
    for seq in range(bounds.segments):
        for broker in bounds.brokers:
            copy = copy_named(broker, seq)
            reads = ("coordinator", copy, bounds.coordinator, broker, "control")
            cut = _Cut(rules, segment_of(seq), broker)
            yield Step(f"{copy} is cut", "cut", reads, (copy,), cut)


@dataclass(frozen=True, slots=True)
class _Orphan:
    """The coordinator asks the live primary of an active segment whether it is fenced."""

    bounds: Bounds
    rules: Rules
    segment_id: SegmentId

    @property
    def place(self) -> str:
        return f"s{self.segment_id.seq}"

    def steps(self) -> Iterator[Step]:
        """Ask, seal, or find that somebody else did."""
        front, brokers = self.bounds.coordinator, self.bounds.brokers
        copies = tuple(copy_named(each, self.segment_id.seq) for each in brokers)
        both = ("coordinator", front)
        reads = (*both, "control", *brokers, *copies)
        yield Step(f"{self.place} is probed", "probe", reads, (*both, *copies), self.probe)
        yield from Telling(self.bounds, self.rules, "adopt", self.place, self.adopt).steps()
        yield Step(f"{self.place} is no orphan", "leave", both, both[:1], self.leave)

    def probe(self, held: Pass, front: Frontend, view: View, *parts: Hashable) -> Outcomes:
        """[HEA-14, HEA-16] Ask, and change nothing."""
        if held is not None:
            return ()
        brokers = self.bounds.brokers
        ups, copies = cast("tuple[bool, ...]", parts[: len(brokers)]), list(parts[len(brokers) :])
        live = [broker for broker, is_up in zip(brokers, ups, strict=True) if is_up]
        installed = self.rules.install(front, view)
        asked = orphaned_fence_candidates(metadata_of(installed.view, TOPIC), live)
        primary = next((each for each, one in asked if self.segment_id in dict(one)), None)
        if primary is None:
            return ()
        place = brokers.index(primary)
        answer = self.rules.probe(cast("Copy", copies[place]))
        if answer is None:
            return ()
        copies[place], end, byte_size = answer
        label = f"{primary} answers that {self.place} is fenced at {end}"
        probed = Probed(self.segment_id, end, byte_size)
        return [Outcome(label, (probed, installed, *copies))]

    def adopt(self, held: Pass, front: Frontend) -> tuple[Command, ...]:
        """[HEA-15] Seal at the answer of a fenced primary."""
        if not isinstance(held, Probed) or held.segment_id != self.segment_id:
            return ()
        answers = [(held.segment_id, held.end, held.byte_size)]
        return self.rules.orphaned_fence_plan(metadata_of(front.view, TOPIC), answers, NOW)

    def leave(self, held: Pass, front: Frontend) -> Outcomes:
        """Find that the segment was sealed meanwhile."""
        if not isinstance(held, Probed) or held.segment_id != self.segment_id:
            return ()
        if is_active(front, self.segment_id):
            return ()
        return [Outcome(f"the coordinator finds {self.place} sealed", (None,))]


@dataclass(frozen=True, slots=True)
class _Cut:
    """The coordinator finds a copy that reaches above a sealed edge."""

    rules: Rules
    segment_id: SegmentId
    broker: Broker

    def __call__(
        self, held: Pass, copy: Copy, front: Frontend, is_up: bool, view: View
    ) -> Outcomes:
        """[HEA-18] Cut it there, and fence it."""
        if held is not None or copy is None or not is_up:
            return ()
        ends = [(self.segment_id, self.broker, copy.end)]
        overruns = self.rules.sealed_overrun(self.rules.edges(front, view), ends)
        place = f"s{self.segment_id.seq}"
        return [
            Outcome(
                f"the coordinator cuts {place} at {self.broker} at {each.edge}",
                (self.rules.cut(copy, each.edge),),
            )
            for each in overruns
        ]
