"""The steps that give an active segment other replicas, which no duty of the coordinator does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from checker.search.model import Outcome, Step
from checker.world.copies.bounds import Bounds, Fault
from checker.world.copies.parts import Pass
from checker.world.copies.rules import Rules
from checker.world.copies.telling import in_words
from checker.world.sharing.control import ControlPlane
from checker.world.sharing.parts import TOPIC, segment_of
from reference.frontend import Frontend
from reference.vnodes import View, metadata_of
from spec.commands import SetSegmentReplicas
from spec.vocabulary import Broker, SegmentId, State

Outcomes = Sequence[Outcome]


def replacing_steps(bounds: Bounds, rules: Rules) -> Iterator[Step]:
    """Every step that moves an active segment."""
    parts = ("coordinator", bounds.coordinator, "control", "faults")
    for seq in range(bounds.segments):
        replacing = _Replacing(bounds, rules, segment_of(seq))
        yield Step(f"s{seq} is moved", "replace", parts, parts[1:], replacing)


@dataclass(frozen=True, slots=True)
class _Replacing:
    """[RNG-21] An active segment gets another follower, or another primary."""

    bounds: Bounds
    rules: Rules
    segment_id: SegmentId

    def __call__(self, held: Pass, front: Frontend, view: View, faults: int) -> Outcomes:
        """Tell the control plane through the coordinator's frontend."""
        installed = self.rules.install(front, view)
        segment = metadata_of(installed.view, TOPIC).segments.get(self.segment_id)
        if held is not None or not faults or segment is None or segment.state is State.SEALED:
            return ()
        outcomes: list[Outcome] = []
        for replicas in self._others(segment.replica_set):
            plane, command = (
                ControlPlane(self.rules, view),
                SetSegmentReplicas(self.segment_id, replicas),
            )
            moved, _ = self.rules.heal(installed, (command,), plane.tell)
            label = f"somebody {in_words(command)}"
            outcomes.append(Outcome(label, (moved, plane.view, faults - 1)))
        return outcomes

    def _others(self, replica_set: tuple[Broker, ...]) -> Iterator[tuple[Broker, ...]]:
        first, *followers = replica_set
        if self.bounds.may(Fault.TURN):
            yield (*followers, first)
        for spare in self.bounds.brokers:
            if self.bounds.may(Fault.MOVE) and spare not in replica_set:
                yield (*replica_set[:-1], spare)
