"""The steps of retention: the oldest segment goes, once it is sealed, and then its copies."""

from collections.abc import Hashable
from collections.abc import Sequence as ManyOf
from dataclasses import dataclass

from checker.search.model import Guard, Outcome, Step
from checker.world.recovering.bounds import Bounds
from checker.world.recovering.rules import Rules, is_oldest_sealed
from checker.world.sharing.control import ControlPlane
from checker.world.sharing.parts import Answered, Copies, segment_of
from reference.frontend import Frontend
from reference.vnodes import View
from spec.replies import Appended, Ok
from spec.truth import Acknowledged, Expired
from spec.vocabulary import SegmentId

Outcomes = ManyOf[Outcome]


def expiring_steps(bounds: Bounds, rules: Rules) -> list[Step]:
    """Every step of retention."""
    if bounds.retainer is None:
        return []
    steps: list[Step] = []
    for seq, place in enumerate(bounds.places):
        parts = (bounds.retainer, "control", place, "gone", "expiries", *bounds.slots)
        rule = _Expiring(rules, bounds.retainer, segment_of(seq)).expire
        guard = Guard(("expiries",), bool)
        steps.append(Step(f"{place} expires", "expire", parts, parts, rule, guard))
    return steps


@dataclass(frozen=True, slots=True)
class _Expiring:
    """One segment that retention removes."""

    rules: Rules
    name: str
    segment_id: SegmentId

    def expire(
        self,
        front: Frontend,
        view: View,
        copies: Copies | None,
        gone: frozenset[SegmentId],
        left: int,
        *slots: Hashable,
    ) -> Outcomes:
        """[HEA-20, RNG-20] Remove the oldest segment, and then its copies."""
        if not left or copies is None or not is_oldest_sealed(front.view, self.segment_id):
            return ()
        if not self.rules.may_expire(front, self.segment_id) or any(map(self._is_answered, slots)):
            return ()
        plane = ControlPlane(self.rules.shared, view)
        after, reply = self.rules.delete_segment(front, self.segment_id, plane.tell)
        if not isinstance(reply, Ok):
            return ()
        values = (
            after,
            plane.view,
            self.rules.remove_copies(copies),
            gone | {self.segment_id},
            left - 1,
            *map(self._expired, slots),
        )
        return [Outcome(f"s{self.segment_id.seq} expires, and {self.name} removes it", values)]

    def _is_answered(self, slot: Hashable) -> bool:
        """Whether an answer from the segment is on its way: it is waited for."""
        return (
            isinstance(slot, Answered)
            and isinstance(slot.reply, Appended)
            and slot.dispatch.segment_id == self.segment_id
        )

    def _expired(self, slot: Hashable) -> Hashable:
        match slot:
            case Acknowledged(segment_id, first, last) if segment_id == self.segment_id:
                return Expired(first, last)
            case _:
                return slot
