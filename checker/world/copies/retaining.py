"""The steps of retention: find what expired, remove its listing, then its copies."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from checker.search.model import Outcome, Step
from checker.world.copies.bounds import Bounds
from checker.world.copies.parts import Copy, Expiring, Pass, copy_named
from checker.world.copies.rules import LATER, Rules
from checker.world.sharing.control import ControlPlane
from checker.world.sharing.parts import TOPIC, Answered, Sent, segment_of
from reference import ranges
from reference.frontend import Frontend
from reference.vnodes import View, metadata_of
from spec.replies import Appended, Ok
from spec.truth import Acknowledged
from spec.vocabulary import Broker, SegmentId

Outcomes = Sequence[Outcome]


def retaining_steps(bounds: Bounds, rules: Rules) -> Iterator[Step]:
    """Every step of retention."""
    slots = slots_of(bounds)
    both = ("coordinator", bounds.coordinator)
    for seq in range(bounds.segments):
        retaining = _Retaining(bounds, rules, segment_of(seq))
        place, three = f"s{seq}", (*both, "control")
        yield Step(f"{place} expires", "expire", (*three, *slots), both, retaining.find)
        parts = (*three, "expired")
        yield Step(f"{place} is delisted", "delist", (*parts, *slots), parts, retaining.delist)
        for broker in bounds.brokers:
            copy = copy_named(broker, seq)
            removing = _Removing(rules, segment_of(seq), broker)
            reads = ("coordinator", copy, broker)
            yield Step(
                f"{copy} is removed", "remove copy", (*reads, "control"), reads[:2], removing
            )
            yield Step(f"{copy} stays", "leave copy", reads[::2], reads[:1], removing.leave)


def slots_of(bounds: Bounds) -> tuple[str, ...]:
    """The parts that are batches."""
    return tuple(f"{name}.{number}" for name, number, _ in bounds.slots())


def is_under_way(segment_id: SegmentId, slots: Iterable[Hashable]) -> bool:
    """Whether a batch is on its way to a segment."""
    return any(isinstance(slot, Sent) and slot.dispatch.segment_id == segment_id for slot in slots)


@dataclass(frozen=True, slots=True)
class _Retaining:
    """What retention does for one segment."""

    bounds: Bounds
    rules: Rules
    segment_id: SegmentId

    @property
    def place(self) -> str:
        return f"s{self.segment_id.seq}"

    def find(self, held: Pass, front: Frontend, view: View, *slots: Hashable) -> Outcomes:
        """[HEA-19, HEA-20] Read the control plane, and find the segment among what expired."""
        if held is not None or self.bounds.policy is None:
            return ()
        if not self.bounds.is_late and is_under_way(self.segment_id, slots):
            return ()
        installed = self.rules.install(front, view)
        metadata = metadata_of(installed.view, TOPIC)
        expired = self.rules.retention_expired(metadata, self.bounds.policy, LATER)
        if self.segment_id not in expired:
            return ()
        replicas = tuple(sorted(metadata.segments[self.segment_id].replica_set))
        label = f"the coordinator finds that {self.place} has expired"
        return [Outcome(label, (Expiring(self.segment_id, replicas), installed))]

    def delist(
        self, held: Pass, front: Frontend, view: View, expired: frozenset[str], *slots: Hashable
    ) -> Outcomes:
        """[HEA-23, HEA-29] Remove it from the control plane."""
        if not isinstance(held, Expiring) or held.segment_id != self.segment_id:
            return ()
        if not held.is_listed:
            return ()
        plane = ControlPlane(self.rules, view)
        removed, reply = ranges.delete_segment(front, self.segment_id, plane.tell)
        if not isinstance(reply, Ok):
            label = f"the coordinator is refused to remove {self.place}"
            return [Outcome(label, (None, removed, plane.view, expired))]
        label = f"the coordinator removes {self.place}"
        names = zip(slots_of(self.bounds), slots, strict=True)
        gone = expired | {name for name, slot in names if self._is_in_it(slot)}
        left = replace(held, is_listed=False) if held.brokers else None
        return [Outcome(label, (left, removed, plane.view, gone))]

    def _is_in_it(self, slot: Hashable) -> bool:
        """Whether a batch was stored in the segment, and its answer heard or under way."""
        match slot:
            case Acknowledged(segment_id):
                return segment_id == self.segment_id
            case Answered(dispatch, Appended()):
                return dispatch.segment_id == self.segment_id
            case _:
                return False


@dataclass(frozen=True, slots=True)
class _Removing:
    """A broker is told to remove its copy."""

    rules: Rules
    segment_id: SegmentId
    broker: Broker

    def __call__(self, held: Pass, copy: Copy, is_up: bool, _view: View) -> Outcomes:
        """[HEA-23] Remove it, once the control plane does not list it any more."""
        if not is_up or not self._is_next(held):
            return ()
        assert isinstance(held, Expiring), "it is next"
        label = f"{self.broker} removes its copy of s{self.segment_id.seq}"
        return [Outcome(label, (held.without(self.broker), self.rules.remove(copy)))]

    def leave(self, held: Pass, is_up: bool) -> Outcomes:
        """Leave the copy of a broker that is down where it is."""
        if is_up or not self._is_next(held):
            return ()
        assert isinstance(held, Expiring), "it is next"
        label = f"{self.broker} is down and keeps its copy of s{self.segment_id.seq}"
        return [Outcome(label, (held.without(self.broker),))]

    def _is_next(self, held: Pass) -> bool:
        return (
            isinstance(held, Expiring)
            and held.segment_id == self.segment_id
            and self.broker in held.brokers
            and self.rules.may_remove_copies(held)
        )
