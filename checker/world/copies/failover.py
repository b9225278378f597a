"""The world `failover` and its kin: frontends, brokers with their copies, and a coordinator.

Parts, in this order: each frontend, the control plane, each broker, each broker's copy of each
segment, the coordinator, each batch, each frontend's fence of each segment, the consumer.

An acknowledgement counts the set that the batch was sent with, which is the set that its frontend
cached; a failover counts the set that the control plane lists. The two are one set as long as only
sealed segments are given other replicas.
"""

from collections.abc import Hashable
from dataclasses import replace

from checker.search.model import Model
from checker.world.copies.bounds import Bounds, Duty, Fault
from checker.world.copies.consuming import consuming_steps
from checker.world.copies.coordinating import failover_steps
from checker.world.copies.goals import goals
from checker.world.copies.healing import healing_steps
from checker.world.copies.judging import laws
from checker.world.copies.limits import limits
from checker.world.copies.moving import step_laws
from checker.world.copies.orphaning import orphan_steps, overrun_steps
from checker.world.copies.parts import Consumer, copy_named
from checker.world.copies.progress import with_progress
from checker.world.copies.replacing import replacing_steps
from checker.world.copies.retaining import retaining_steps
from checker.world.copies.rules import REFERENCE, Rules
from checker.world.copies.storing import storing_steps
from checker.world.sharing.producing import producing_steps
from checker.world.sharing.roll import first_frontend, first_view
from checker.world.sharing.rolling import rolling_steps

ON_PAIRS_OF_COPIES = {"append", "append short", "close", "fail over"}
"""Rules of the world of one range that take the copies of a segment for a primary and a rest."""


FALLEN_IN_RAFT = {
    "a_command_brings_the_control_planes_own_view",
    "a_recorded_seal_sets_the_counter_to_the_edge",
}
"""What the mode `raft` does not keep, with or without copies: the first is a law of the other mode
(RNG-43), the second is the finding F8."""


def world(name: str, bounds: Bounds, rules: Rules = REFERENCE) -> Model:
    """Answer the model of a world with these bounds, run by these rules."""
    shared = (*producing_steps(bounds.shared, rules), *rolling_steps(bounds.shared, rules))
    steps = [step for step in shared if step.rule_name not in ON_PAIRS_OF_COPIES]
    steps += storing_steps(bounds, rules)
    if Duty.FAILOVER in bounds.duties:
        steps += failover_steps(bounds, rules)
    if bounds.may(Fault.MOVE) or bounds.may(Fault.TURN):
        steps += replacing_steps(bounds, rules)
    if Duty.ORPHANS in bounds.duties:
        steps += orphan_steps(bounds, rules)
    if Duty.OVERRUNS in bounds.duties:
        steps += overrun_steps(bounds, rules)
    if Duty.HEALING in bounds.duties:
        steps += healing_steps(bounds, rules)
    if Duty.RETENTION in bounds.duties:
        steps += retaining_steps(bounds, rules)
    steps += consuming_steps(bounds, rules)
    judged = {step.rule_name for step in steps}
    model = Model(
        name=name,
        initial=initial_parts(bounds),
        steps=tuple(steps),
        laws=laws(bounds, rules),
        step_laws=tuple(
            replace(law, rule_names=law.rule_names & judged)
            for law in step_laws()
            if law.rule_names & judged and not (rules.is_raft and law.name in FALLEN_IN_RAFT)
        ),
        goals=tuple(goals(bounds)),
        bounds=bounds.in_words(),
        limits=tuple(limits(bounds, rules)),
        expected_dead=bounds.idle,
    )
    return with_progress(model, bounds) if bounds.settles else model


def initial_parts(bounds: Bounds) -> dict[str, Hashable]:
    """Answer every part as it is before anything happened."""
    view, places = first_view(), range(bounds.segments)
    parts: dict[str, Hashable] = {
        name: first_frontend(bounds.shared, view, name == bounds.coordinator)
        for name in bounds.frontends
    }
    parts["control"] = view
    parts |= dict.fromkeys(bounds.brokers, True)
    parts |= dict.fromkeys(copy_named(broker, seq) for seq in places for broker in bounds.brokers)
    parts["coordinator"] = None
    parts |= dict.fromkeys(f"{name}.{number}" for name, number, _ in bounds.slots())
    parts |= dict.fromkeys(f"{name}/s{seq}" for name in bounds.frontends for seq in places)
    if Duty.RETENTION in bounds.duties:
        parts["expired"] = frozenset[str]()
    if bounds.reads:
        parts["consumer"] = Consumer(bounds.reads)
    if bounds.faults:
        parts["faults"] = bounds.faults
    return parts
