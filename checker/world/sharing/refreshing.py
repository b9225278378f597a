"""The steps of refreshing: begin a read of the control plane, install it later, recover."""

from collections.abc import Sequence as ManyOf
from dataclasses import dataclass

from checker.search.model import Outcome, Step
from checker.world.sharing import guards
from checker.world.sharing.bounds import Bounds, Fault
from checker.world.sharing.parts import RANGE, Copies, Reading
from checker.world.sharing.rules import Rules
from checker.world.sharing.sight import listing_of
from reference.frontend import Frontend
from reference.vnodes import View
from spec.truth import edge_of
from spec.vocabulary import Offset, Sequence

Outcomes = ManyOf[Outcome]


def refreshing_steps(bounds: Bounds, rules: Rules) -> list[Step]:
    """Every step of every refresh."""
    steps: list[Step] = []
    places = tuple(f"s{seq}" for seq in range(bounds.segments))
    for name in bounds.readers:
        refresh, slot = _Refreshing(rules, name), f"{name}.read"
        both = (name, slot)
        steps += [
            Step(f"{name} begins to read", "read", (slot, "control"), (slot,), refresh.read),
            Step(
                f"{name} refreshes",
                "install",
                both,
                both,
                refresh.install,
                guards.read_taken(slot),
            ),
            Step(
                f"{name} recovers",
                "recover",
                (*both, *places),
                both,
                refresh.recover,
                guards.recovering(slot),
            ),
        ]
        if bounds.may(Fault.MUTENESS):
            parts, mute = (*both, "faults"), refresh.hear_nothing
            guard = guards.recovering(slot, "faults")
            steps.append(Step(f"{name} hears nothing", "recover mute", parts, parts, mute, guard))
    return steps


@dataclass(frozen=True, slots=True)
class _Refreshing:
    """[RFR-4] One frontend's refresh. With one read under way, none is installed out of turn."""

    rules: Rules
    name: str

    def read(self, reading: Reading, view: View) -> Outcomes:
        """Take a view that may be old when it is installed."""
        if reading.view is not None or reading.is_recovering or not reading.left:
            return ()
        label = f"{self.name} reads the control plane"
        return [Outcome(label, (Reading(reading.left - 1, view),))]

    def install(self, front: Frontend, reading: Reading) -> Outcomes:
        """Install what was read."""
        if reading.view is None:
            return ()
        label = f"{self.name} installs what it read"
        installed = self.rules.install(front, reading.view)
        is_recovering = bool(listing_of(installed.view))
        return [Outcome(label, (installed, Reading(reading.left, is_recovering=is_recovering)))]

    def recover(self, front: Frontend, reading: Reading, *stores: Copies | None) -> Outcomes:
        """[RFR-29] Learn the end of the range from its last segment, or from that one's primary."""
        if not reading.is_recovering:
            return ()
        segment_id, segment = listing_of(front.view)[-1]
        end = edge_of(segment)
        if end is None:
            copies = stores[segment_id.seq] if segment_id.seq < len(stores) else None
            end = segment.start_offset if copies is None else Offset(copies.primary.end)
        floor = Sequence(segment_id.seq + 1)
        recovered = self.rules.seed_range_state(front, RANGE, end, floor)
        label = f"{self.name} recovers that the range ends at {end}"
        return [Outcome(label, (recovered, Reading(reading.left)))]

    def hear_nothing(self, front: Frontend, reading: Reading, faults: int) -> Outcomes:
        """[RFR-29] Find the primary of the last segment mute."""
        if not faults or not reading.is_recovering:
            return ()
        segment_id, segment = listing_of(front.view)[-1]
        if edge_of(segment) is not None:
            return ()
        floor = Sequence(segment_id.seq + 1)
        waiting = self.rules.seed_unrecovered_range(front, RANGE, floor)
        label = f"{self.name} finds the primary of s{segment_id.seq} mute"
        return [Outcome(label, (waiting, Reading(reading.left), faults - 1))]
