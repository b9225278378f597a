"""A world of views: frontends command and refresh, others command too, and nothing is stored.

Parts, in this order: each frontend, the control plane, each order, what others do, each
frontend's reads, the command that is late, and how much may still go wrong.
"""

from collections.abc import Hashable
from dataclasses import replace

from checker.search.model import Model
from checker.world.sharing.parts import TOPIC
from checker.world.sharing.rules import NOW
from checker.world.views.bounds import Bounds, Fault
from checker.world.views.commanding import commanding_steps
from checker.world.views.goals import goals
from checker.world.views.judging import authoritative_step_laws, step_laws
from checker.world.views.limits import limits
from checker.world.views.parts import Reads
from checker.world.views.refreshing import refreshing_steps
from checker.world.views.rules import REFERENCE, Rules
from reference import refreshing, vnodes
from reference.frontend import Frontend
from reference.vnodes import View
from spec.commands import CreateTopic
from spec.vocabulary import VnodeId

RING = ((VnodeId("v1"), 1 << 31), (VnodeId("v2"), (1 << 32) - 1))
"""The topic `u` lives on v1 and the topic `t` on v2."""


def world(name: str, bounds: Bounds, rules: Rules = REFERENCE, *, is_raft: bool = False) -> Model:
    """Answer the model of a world with these bounds, run by these rules."""
    steps = (*commanding_steps(bounds, rules), *refreshing_steps(bounds, rules))
    judged = {step.rule_name for step in steps}
    own = () if is_raft else authoritative_step_laws()
    return Model(
        name=name,
        initial=initial_parts(bounds),
        steps=steps,
        step_laws=tuple(
            replace(law, rule_names=law.rule_names & judged)
            for law in (*step_laws(bounds, rules), *own)
            if law.rule_names & judged
        ),
        goals=goals(bounds),
        bounds=bounds.in_words(),
        limits=tuple(limits(bounds)),
    )


def initial_parts(bounds: Bounds) -> dict[str, Hashable]:
    """Answer every part as it is before anything happened."""
    view = first_view(bounds)
    parts: dict[str, Hashable] = {
        name: first_frontend(bounds, view, name in bounds.readers) for name in bounds.frontends
    }
    parts["control"] = view
    parts |= {slot: None for _, slot, _ in bounds.slots()}
    parts |= {f"o.{number}": False for number in range(1, len(bounds.operator) + 1)}
    reads = zip(bounds.frontends, bounds.refreshes, strict=True)
    parts |= {f"{name}.reads": Reads(left) for name, left in reads if left}
    if bounds.may(Fault.LATENESS):
        parts["late"] = None
    if bounds.faults:
        parts["faults"] = bounds.faults
    return parts


def first_view(bounds: Bounds) -> View:
    """Answer a control plane of two vnodes that lists the topic `t`."""
    view = vnodes.sharded(RING)
    for command in (CreateTopic(TOPIC, 1), *bounds.before):
        view, _ = vnodes.command(view, command, NOW)
    return view


def first_frontend(bounds: Bounds, view: View, is_reader: bool) -> Frontend:
    """Answer a frontend that has done nothing yet. Who refreshes keeps a journal."""
    front = Frontend(bounds.options, view)
    return refreshing.journal(front) if is_reader else front
