"""The steps of refreshing: begin a read of the control plane, install it later, recover."""

from collections.abc import Sequence as ManyOf
from dataclasses import dataclass

from checker.search.model import Outcome, Step
from checker.world.reshaping.bounds import Bounds
from checker.world.reshaping.parts import Logs
from checker.world.reshaping.rules import Rules
from checker.world.reshaping.sight import blocks_of
from checker.world.sharing.guards import read_taken
from checker.world.sharing.parts import TOPIC, Reading
from reference.controlplane import segments_of
from reference.frontend import Frontend
from reference.vnodes import View, metadata_of
from spec.truth import edge_of
from spec.vocabulary import Offset, Sequence

Outcomes = ManyOf[Outcome]


def refreshing_steps(bounds: Bounds, rules: Rules) -> list[Step]:
    """Every step of every refresh."""
    steps: list[Step] = []
    for name in bounds.readers:
        refresh, slot = _Refreshing(rules, name), f"{name}.read"
        both = (name, slot)
        steps += [
            Step(f"{name} begins to read", "read", (slot, "control"), (slot,), refresh.read),
            Step(
                f"{name} refreshes",
                "install",
                (*both, "logs"),
                both,
                refresh.install,
                read_taken(slot),
            ),
        ]
    return steps


@dataclass(frozen=True, slots=True)
class _Refreshing:
    """[RFR-4] One frontend's refresh. With one read under way, none is installed out of turn."""

    rules: Rules
    name: str

    def read(self, reading: Reading, view: View) -> Outcomes:
        """Take a view that may be old when it is installed."""
        if reading.view is not None or not reading.left:
            return ()
        return [Outcome(f"{self.name} reads the control plane", (Reading(reading.left - 1, view),))]

    def install(self, front: Frontend, reading: Reading, logs: Logs) -> Outcomes:
        """Install what was read, and recover each range; every primary answers."""
        if reading.view is None:
            return ()
        installed = self.rules.install(front, reading.view)
        recovered = recover(self.rules, installed, logs)
        label = f"{self.name} installs what it read"
        return [Outcome(label, (recovered, Reading(reading.left)))]


def recover(rules: Rules, front: Frontend, logs: Logs) -> Frontend:
    """[RFR-29] Learn the end of each range from its last segment, or from that one's primary."""
    for range_id, _ in blocks_of(front.view):
        listed = segments_of(metadata_of(front.view, TOPIC), range_id)
        if not listed:
            continue
        segment_id, segment = listed[-1]
        end = edge_of(segment)
        if end is None:
            log = logs.get(segment_id)
            end = segment.start_offset if log is None else Offset(log.end)
        front = rules.seed_range_state(front, range_id, end, Sequence(segment_id.seq + 1))
    return front
