"""The world `roll`: frontends that share one range, its segments, and the messages between.

Parts, in this order: each frontend, the control plane, the copies of each segment, each batch,
each frontend's fence of each segment, each frontend's read.
"""

from collections.abc import Hashable
from dataclasses import replace

from checker.search.model import Model
from checker.world.sharing.bounds import Bounds
from checker.world.sharing.goals import goals
from checker.world.sharing.judging import laws
from checker.world.sharing.limits import limits
from checker.world.sharing.moving import step_laws
from checker.world.sharing.parts import BROKERS, TOPIC, Reading
from checker.world.sharing.producing import producing_steps
from checker.world.sharing.refreshing import refreshing_steps
from checker.world.sharing.rolling import rolling_steps
from checker.world.sharing.rules import NOW, REFERENCE, Rules
from reference import refreshing, vnodes
from reference.frontend import Frontend
from reference.frontend import open as open_frontend
from reference.vnodes import View
from spec.commands import CreateTopic


def world(name: str, bounds: Bounds, rules: Rules = REFERENCE) -> Model:
    """Answer the model of a world with these bounds, run by these rules."""
    steps = (
        *producing_steps(bounds, rules),
        *rolling_steps(bounds, rules),
        *refreshing_steps(bounds, rules),
    )
    judged = {step.rule_name for step in steps}
    return Model(
        name=name,
        initial=initial_parts(bounds),
        steps=steps,
        laws=laws(bounds, rules),
        step_laws=tuple(
            replace(law, rule_names=law.rule_names & judged)
            for law in step_laws()
            if law.rule_names & judged
        ),
        goals=goals(bounds),
        bounds=bounds.in_words(),
        limits=tuple(limits(bounds, rules)),
        expected_dead=frozenset(bounds.dead_rules()),
    )


def initial_parts(bounds: Bounds) -> dict[str, Hashable]:
    """Answer every part as it is before anything happened."""
    view = first_view()
    places = range(bounds.segments)
    parts: dict[str, Hashable] = {
        name: first_frontend(bounds, view, name in bounds.readers) for name in bounds.frontends
    }
    parts["control"] = view
    parts |= dict.fromkeys(f"s{seq}" for seq in places)
    parts |= dict.fromkeys(f"{name}.{number}" for name, number, _ in bounds.slots())
    parts |= dict.fromkeys(f"{name}/s{seq}" for name in bounds.frontends for seq in places)
    reads = zip(bounds.frontends, bounds.refreshes, strict=True)
    parts |= {f"{name}.read": Reading(left) for name, left in reads if left}
    if bounds.faults:
        parts["faults"] = bounds.faults
    return parts


def first_view() -> View:
    """Answer a control plane that lists the topic with its root range, and no segment."""
    return vnodes.command(vnodes.single(), CreateTopic(TOPIC, 1), NOW)[0]


def first_frontend(bounds: Bounds, view: View, is_reader: bool) -> Frontend:
    """Answer a frontend that has done nothing yet. Who refreshes keeps a journal."""
    front = open_frontend(
        brokers=BROKERS,
        replication_factor=len(BROKERS),
        segment_max_bytes=bounds.segment_max_bytes,
        view=view,
    )
    return refreshing.journal(front) if is_reader else front
