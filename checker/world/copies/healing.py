"""The steps of self-healing: find a sealed segment short of replicas, copy, name, clear away."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard, cast

from checker.search.model import Outcome, Step
from checker.world.copies.bounds import Bounds
from checker.world.copies.parts import Copy, Healing, Pass, Scrubbing, copy_named
from checker.world.copies.retaining import is_under_way, slots_of
from checker.world.copies.rules import Rules
from checker.world.copies.telling import Telling
from checker.world.sharing.parts import TOPIC, segment_of
from reference.coordinating import healing_candidates
from reference.frontend import Frontend
from reference.store import Log
from reference.vnodes import View, metadata_of
from spec.commands import Command, SetSegmentReplicas
from spec.truth import edge_of
from spec.vocabulary import Broker, Segment, SegmentId

Outcomes = Sequence[Outcome]


def healing_steps(bounds: Bounds, rules: Rules) -> Iterator[Step]:
    """Every step of self-healing."""
    both = ("coordinator", bounds.coordinator)
    for seq in range(bounds.segments):
        healing = _Healing(bounds, rules, segment_of(seq))
        copies = tuple(copy_named(broker, seq) for broker in bounds.brokers)
        brokers = bounds.brokers
        reads = (*both, "control", *brokers)
        yield Step(f"s{seq} is short", "find short", reads, both, healing.find)
        parts = ("coordinator", *copies)
        yield Step(f"s{seq} is copied", "copy", (*parts, *brokers), parts, healing.copy)
        yield Step(
            f"s{seq} cannot be copied", "leave short", (*parts, *brokers), parts[:1], healing.leave
        )
        yield from Telling(
            bounds, rules, "name", f"s{seq}", healing.name_replicas, rules.after_naming
        ).steps()
        for broker in brokers:
            copy, scrub = copy_named(broker, seq), _Scrub(bounds, rules, segment_of(seq), broker)
            seen = ("coordinator", copy, broker)
            reads = (*seen, "control", *slots_of(bounds))
            yield Step(f"{copy} is scrubbed", "scrub", reads, seen[:2], scrub)
            yield Step(f"{copy} is not there", "leave copy", seen[::2], seen[:1], scrub.leave)


@dataclass(frozen=True, slots=True)
class _Healing:
    """What self-healing does for one segment."""

    bounds: Bounds
    rules: Rules
    segment_id: SegmentId

    @property
    def place(self) -> str:
        return f"s{self.segment_id.seq}"

    def find(self, held: Pass, front: Frontend, view: View, *ups: bool) -> Outcomes:
        """[HEA-27, HEA-28] Read the control plane, and find that a replica of it is dead."""
        if held is not None:
            return ()
        installed = self.rules.install(front, view)
        metadata = metadata_of(installed.view, TOPIC)
        live = [each for each, is_up in zip(self.bounds.brokers, ups, strict=True) if is_up]
        return [
            self._begun(metadata.segments[segment_id], dead, spare, installed)
            for segment_id, dead, spare in healing_candidates(metadata, live)
            if segment_id == self.segment_id
        ]

    def _begun(self, segment: Segment, dead: Broker, spare: Broker, front: Frontend) -> Outcome:
        edge = edge_of(segment)
        assert edge is not None, "it is sealed"
        start = segment.start_offset
        healing = Healing(self.segment_id, segment.replica_set, dead, spare, start, edge)
        label = f"the coordinator finds {dead} dead, and copies {self.place} to {spare}"
        return Outcome(label, (healing, front))

    def copy(self, held: Pass, *parts: Hashable) -> Outcomes:
        """[HEA-17] Copy the segment up to its edge from a live replica that holds it."""
        if not self._is_mine(held) or held.holders:
            return ()
        brokers, copies, ups = self._split(parts)
        holders = self._holders(held, copies, ups)
        if not holders or not ups[held.spare]:
            return ()
        source = copies[holders[0]] or Log(held.start)
        copied = dict(copies) | {held.spare: self.rules.cut(source, held.edge)}
        label = f"{held.spare} copies {self.place} from {holders[0]}"
        after = replace(held, holders=(*holders, held.spare))
        return [Outcome(label, (after, *(copied[broker] for broker in brokers)))]

    def leave(self, held: Pass, *parts: Hashable) -> Outcomes:
        """Find nobody to copy from, or nobody to copy to."""
        if not self._is_mine(held) or held.holders:
            return ()
        _, copies, ups = self._split(parts)
        if self._holders(held, copies, ups) and ups[held.spare]:
            return ()
        return [Outcome(f"the coordinator cannot copy {self.place}", (None,))]

    def name_replicas(self, held: Pass, _front: Frontend) -> tuple[Command, ...]:
        """[HEA-17] Give the segment its new replica in the place of the dead one."""
        if not self._is_mine(held) or not self.rules.may_name(held):
            return ()
        return (SetSegmentReplicas(self.segment_id, self.rules.healed_set(held)),)

    def _is_mine(self, held: Pass) -> TypeGuard[Healing]:
        return isinstance(held, Healing) and held.segment_id == self.segment_id

    def _split(
        self, parts: tuple[Hashable, ...]
    ) -> tuple[tuple[Broker, ...], dict[Broker, Copy], dict[Broker, bool]]:
        brokers = self.bounds.brokers
        copies = cast("tuple[Copy, ...]", parts[: len(brokers)])
        ups = cast("tuple[bool, ...]", parts[len(brokers) :])
        return (
            brokers,
            dict(zip(brokers, copies, strict=True)),
            dict(zip(brokers, ups, strict=True)),
        )

    def _holders(
        self, held: Healing, copies: dict[Broker, Copy], ups: dict[Broker, bool]
    ) -> tuple[Broker, ...]:
        """The live replicas that hold all of the segment, in set order."""
        return tuple(
            broker
            for broker in held.replica_set
            if ups[broker]
            and broker != held.dead
            and (copies[broker] or Log(held.start)).end >= held.edge
        )


@dataclass(frozen=True, slots=True)
class _Scrub:
    """The copy of a broker that is a replica no longer is cleared away."""

    bounds: Bounds
    rules: Rules
    segment_id: SegmentId
    broker: Broker

    def __call__(
        self, held: Pass, copy: Copy, is_up: bool, _view: View, *slots: Hashable
    ) -> Outcomes:
        """[HEA-7] Clear it away."""
        if not is_up or not self._is_next(held):
            return ()
        if not self.bounds.is_late and is_under_way(self.segment_id, slots):
            return ()
        found = "its copy" if copy else "nothing"
        label = f"{self.broker} clears {found} of s{self.segment_id.seq} away"
        return [Outcome(label, (None, self.rules.remove(copy)))]

    def leave(self, held: Pass, is_up: bool) -> Outcomes:
        """Leave the copy of a broker that is down where it is."""
        if is_up or not self._is_next(held):
            return ()
        label = f"{self.broker} is down and keeps its copy of s{self.segment_id.seq}"
        return [Outcome(label, (None,))]

    def _is_next(self, held: Pass) -> bool:
        return held == Scrubbing(self.segment_id, self.broker)
