"""The closed world of frontends that split and merge ranges while others go on writing.

Parts: each frontend with its view and its own bookkeeping, the control plane, the primary's logs,
each batch on its way, each split or merge on its way, each frontend's read of the control plane.
"""

from collections.abc import Hashable
from dataclasses import replace

from immutables import Map

from checker.search.model import Model
from checker.world.reshaping.bounds import Bounds
from checker.world.reshaping.goals import goals
from checker.world.reshaping.judging import laws
from checker.world.reshaping.limits import limits
from checker.world.reshaping.moving import step_laws
from checker.world.reshaping.parts import PRIMARY, Reshaping, position_of, range_of
from checker.world.reshaping.producing import producing_steps
from checker.world.reshaping.refreshing import refreshing_steps
from checker.world.reshaping.retiring import retiring_steps
from checker.world.reshaping.rules import REFERENCE, Rules
from checker.world.sharing.parts import TOPIC, Reading
from checker.world.sharing.rules import NOW
from reference import refreshing, vnodes
from reference.frontend import Frontend
from reference.frontend import open as open_frontend
from reference.vnodes import View
from spec.commands import CreateTopic, SplitRange


def world(name: str, bounds: Bounds, rules: Rules = REFERENCE) -> Model:
    """Answer the model of a world with these bounds, run by these rules."""
    steps = (
        *producing_steps(bounds, rules),
        *retiring_steps(bounds, rules),
        *refreshing_steps(bounds, rules),
    )
    fired = {step.rule_name for step in steps}
    return Model(
        name=name,
        initial=initial_parts(bounds),
        steps=steps,
        laws=laws(bounds),
        step_laws=tuple(
            replace(law, rule_names=law.rule_names & fired)
            for law in step_laws(bounds)
            if law.rule_names & fired
        ),
        goals=goals(bounds),
        bounds=bounds.in_words(),
        limits=tuple(limits(bounds, rules)),
    )


def initial_parts(bounds: Bounds) -> dict[str, Hashable]:
    """Answer every part as it is before anything happened."""
    view = first_view(bounds)
    parts: dict[str, Hashable] = {
        name: first_frontend(view, name in bounds.readers) for name in bounds.frontends
    }
    parts |= {"control": view, "logs": Map()}
    parts |= dict.fromkeys(f"{name}.{number}" for name, number, _ in bounds.slots())
    parts |= {f"{name}.work": Reshaping(bounds.tries) for name, _ in bounds.reshapers}
    reads = zip(bounds.frontends, bounds.refreshes, strict=True)
    parts |= {f"{name}.read": Reading(left) for name, left in reads if left}
    if bounds.faults:
        parts["faults"] = bounds.faults
    return parts


def first_view(bounds: Bounds) -> View:
    """Answer a control plane that lists the topic's ranges, and no segment."""
    view = vnodes.command(vnodes.single(), CreateTopic(TOPIC, bounds.bits), NOW)[0]
    for seq in bounds.splits:
        view = vnodes.command(view, SplitRange(range_of(seq)), NOW)[0]
    return view


def first_frontend(view: View, is_reader: bool) -> Frontend:
    """Answer a frontend that has done nothing yet. Who refreshes keeps a journal."""
    front = open_frontend(brokers=PRIMARY, view=view)
    placed = replace(front, options=replace(front.options, position_fun=position_of))
    return refreshing.journal(placed) if is_reader else placed
