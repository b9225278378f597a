"""The steps of a restart: everything in memory is gone, and what was sent may still land."""

from collections.abc import Hashable
from collections.abc import Sequence as ManyOf
from dataclasses import dataclass

from checker.search.model import Guard, Outcome, Step
from checker.world.recovering.bounds import Bounds
from checker.world.recovering.parts import Orphan
from checker.world.recovering.rules import Rules
from checker.world.sharing.parts import Answered, Copies, Failed, Held, Reading, Sent, segment_of
from checker.world.sharing.producing import empty
from checker.world.sharing.sight import listing_of
from reference.frontend import Frontend
from reference.vnodes import View
from spec.replies import Sealed
from spec.vocabulary import SegmentId

Outcomes = ManyOf[Outcome]


def restarting_steps(bounds: Bounds, rules: Rules) -> list[Step]:
    """Every step of every restart."""
    steps: list[Step] = []
    for name in sorted(bounds.restarts):
        slots = tuple(slot for slot in bounds.slots if slot.startswith(f"{name}."))
        fences = tuple(f"{name}/{place}" for place in bounds.places)
        left = f"{name}.restarts"
        own = (name, f"{name}.read", left, *slots, *fences)
        steps.append(
            Step(
                f"{name} restarts",
                "restart",
                (*own, "control"),
                own,
                _Restart(rules, name, len(slots)).restart,
                Guard((left,), bool),
            )
        )
        steps += [
            Step(
                f"{slot} lands at {place}",
                "land",
                (slot, place),
                (slot, place),
                _Landing(rules, slot, segment_of(seq)).land,
                Guard((slot,), is_orphan),
            )
            for slot in slots
            for seq, place in enumerate(bounds.places)
        ]
    return steps


def is_orphan(slot: Hashable) -> bool:
    """Whether nobody waits for the answer to a batch."""
    return isinstance(slot, Orphan)


@dataclass(frozen=True, slots=True)
class _Restart:
    """[RFR-28] One frontend's restarts."""

    rules: Rules
    name: str
    batches: int

    def restart(self, front: Frontend, reading: Reading, left: int, *rest: Hashable) -> Outcomes:
        """Forget everything but the options, and read the control plane anew."""
        if not left:
            return ()
        *own, view = rest
        assert isinstance(view, View)
        slots, fences = own[: self.batches], own[self.batches :]
        fresh = self.rules.restart(front, view)
        begun = Reading(reading.left, is_recovering=bool(listing_of(view)))
        forgotten = (*map(_orphaned, slots), *(None for _ in fences))
        return [Outcome(f"{self.name} restarts", (fresh, begun, left - 1, *forgotten))]


@dataclass(frozen=True, slots=True)
class _Landing:
    """A batch whose frontend has restarted."""

    rules: Rules
    slot: str
    segment_id: SegmentId

    def land(self, slot: Hashable, copies: Copies | None) -> Outcomes:
        """Store it or refuse it; nobody hears."""
        if not isinstance(slot, Orphan) or slot.dispatch.segment_id != self.segment_id:
            return ()
        held = copies or empty(slot.dispatch.base_offset)
        primary, reply = self.rules.shared.append(held.primary, slot.dispatch.records)
        end = "is refused" if isinstance(reply, Sealed) else f"ends at {reply.last}"
        label = f"{self.slot} reaches s{self.segment_id.seq} after the restart and {end}"
        return [Outcome(label, (Failed(), Copies(primary, held.majority)))]


def _orphaned(slot: Hashable) -> Hashable:
    match slot:
        case Sent(dispatch):
            return Orphan(dispatch)
        case Answered() | Held():
            return Failed()
        case _:
            return slot
