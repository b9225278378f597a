"""The steps of refreshing: begin a read of the control plane, install it later; and a restart."""

from collections.abc import Sequence as ManyOf
from dataclasses import dataclass, replace

from checker.search.model import Outcome, Step
from checker.world.sharing.control import ControlPlane, Delivery
from checker.world.views.bounds import Bounds, Fault
from checker.world.views.parts import Begun, Reads
from checker.world.views.rules import Rules
from reference import refreshing
from reference.controlplane import Metadata
from reference.frontend import Frontend
from reference.vnodes import View
from spec.vocabulary import VnodeId

Outcomes = ManyOf[Outcome]


def refreshing_steps(bounds: Bounds, rules: Rules) -> list[Step]:
    """Every step of every refresh."""
    steps: list[Step] = []
    for name in bounds.readers:
        refresh, reads = _Refreshing(bounds, rules, name), f"{name}.reads"
        told = (name, reads, "control") if rules.is_told_again else (name, reads)
        steps += [
            Step(f"{name} begins to read", "read", (reads, "control"), (reads,), refresh.read),
            Step(f"{name} refreshes", "install", told, told, refresh.install),
        ]
        left = (reads, "faults")
        if bounds.may(Fault.UNREAD):
            parts = (reads, "control", "faults")
            steps.append(Step(f"{name} reads a part", "read part", parts, left, refresh.part))
        if bounds.may(Fault.RESTART):
            all_read, own = (name, reads, "control", "faults"), (name, *left)
            steps.append(Step(f"{name} restarts", "restart", all_read, own, refresh.restart))
    return steps


@dataclass(frozen=True, slots=True)
class _Refreshing:
    """One frontend's refresh."""

    bounds: Bounds
    rules: Rules
    name: str

    def read(self, reads: Reads, view: View) -> Outcomes:
        """Take a view that may be old when it is installed."""
        if not self._may_begin(reads):
            return ()
        return [Outcome(f"{self.name} reads the control plane", (_begin(reads, Begun(view)),))]

    def part(self, reads: Reads, view: View, faults: int) -> Outcomes:
        """Read all vnodes but one."""
        if not self._may_begin(reads) or not faults:
            return ()
        return [
            Outcome(
                f"{self.name} reads the control plane, and {vnode} does not answer",
                (_begin(reads, _less(view, vnode)), faults - 1),
            )
            for _, vnode in view.ring
        ]

    def install(self, front: Frontend, reads: Reads, view: View | None = None) -> Outcomes:
        """[RFR-2, RFR-3] Install one of the reads under way."""
        outcomes = []
        for place, begun in enumerate(reads.begun):
            plane = ControlPlane(
                self.rules.plane,
                front.view if view is None else view,
                Delivery.LOST if view is None else Delivery.ANSWERED,
            )
            installed = self.rules.install(front, begun, plane.tell)
            left = replace(reads, begun=self.rules.still_to_install(reads.begun, place))
            later = " that it began last" if len(reads.begun) > 1 and place else ""
            label = f"{self.name} installs the read{later}"
            told = () if view is None else (plane.view,)
            outcomes.append(Outcome(label, (installed, left, *told)))
        return outcomes

    def restart(self, front: Frontend, reads: Reads, view: View, faults: int) -> Outcomes:
        """[RFR-28] Forget everything but the options, and read anew."""
        if not faults:
            return ()
        fresh = refreshing.journal(Frontend(front.options, view))
        return [Outcome(f"{self.name} restarts", (fresh, Reads(reads.left), faults - 1))]

    def _may_begin(self, reads: Reads) -> bool:
        return reads.left > 0 and len(reads.begun) < self.bounds.at_once


def _begin(reads: Reads, begun: Begun) -> Reads:
    return Reads(reads.left - 1, (*reads.begun, begun))


def _less(view: View, vnode: VnodeId) -> Begun:
    return Begun(
        replace(view, vnodes=view.vnodes.set(vnode, Metadata())), unread=frozenset({vnode})
    )
