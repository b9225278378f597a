"""The steps of refreshing: begin a read of the control plane, install it later."""

from collections.abc import Sequence
from dataclasses import dataclass

from checker.search.model import Outcome, Step
from checker.world.bounds import Bounds
from checker.world.parts import Reading
from checker.world.rules import Rules
from reference.frontend import Frontend
from reference.vnodes import View

Outcomes = Sequence[Outcome]


def refreshing_steps(bounds: Bounds, rules: Rules) -> list[Step]:
    """Every step of every refresh."""
    steps: list[Step] = []
    for name in bounds.readers:
        refresh, slot = _Refreshing(rules, name), f"{name}.read"
        steps.append(
            Step(f"{name} begins to read", "read", (slot, "control"), (slot,), refresh.read)
        )
        steps.append(
            Step(f"{name} refreshes", "install", (name, slot), (name, slot), refresh.install)
        )
    return steps


@dataclass(frozen=True, slots=True)
class _Refreshing:
    """One frontend's refresh. It has one read under way, so none is installed out of turn."""

    rules: Rules
    name: str

    def read(self, reading: Reading, view: View) -> Outcomes:
        """Take a view that may be old when it is installed."""
        if reading.view is not None or not reading.left:
            return ()
        label = f"{self.name} reads the control plane"
        return [Outcome(label, (Reading(reading.left - 1, view),))]

    def install(self, front: Frontend, reading: Reading) -> Outcomes:
        """Install what was read."""
        if reading.view is None:
            return ()
        label = f"{self.name} installs what it read"
        installed = self.rules.install(front, reading.view)
        return [Outcome(label, (installed, Reading(reading.left)))]
