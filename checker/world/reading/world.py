"""The closed world of a consumer that reads while its topic is written, reshaped and expires.

Parts: the frontend that reads and the one that writes, the control plane, the primary's logs, what
was ever acknowledged, what may still happen and go wrong, and the consumer.
"""

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from immutables import Map

from checker.search.model import Model
from checker.world.reading.bounds import Bounds
from checker.world.reading.consuming import consuming_steps
from checker.world.reading.goals import goals, limits
from checker.world.reading.judging import laws, step_laws
from checker.world.reading.parts import Consumer
from checker.world.reading.rules import REFERENCE, Rules
from checker.world.reading.writing import PARTS, acts_of, writing_steps
from checker.world.reshaping.parts import Logs, position_of, range_of
from checker.world.reshaping.refreshing import recover
from checker.world.sharing.parts import BROKERS, TOPIC
from checker.world.sharing.rules import NOW
from reference import vnodes
from reference.frontend import open as open_frontend
from spec.commands import CreateTopic

if TYPE_CHECKING:
    from reference.vnodes import View


def world(name: str, bounds: Bounds, rules: Rules = REFERENCE) -> Model:
    """Answer the model of a world with these bounds, run by these rules."""
    steps = (*writing_steps(bounds, rules), *consuming_steps(bounds, rules))
    fired = {step.rule_name for step in steps}
    return Model(
        name=name,
        initial=initial_parts(bounds, rules),
        steps=steps,
        laws=laws(rules),
        step_laws=tuple(law for law in step_laws() if law.rule_names <= fired),
        goals=goals(bounds),
        bounds=bounds.in_words(),
        limits=tuple(limits(bounds)),
    )


def initial_parts(bounds: Bounds, rules: Rules) -> dict[str, Hashable]:
    """Answer every part as it is before anything happened."""
    view = vnodes.command(vnodes.single(), CreateTopic(TOPIC, bounds.bits), NOW)[0]
    front = open_frontend(brokers=BROKERS, replication_factor=len(BROKERS), view=view)
    placed = replace(front, options=replace(front.options, position_fun=position_of))
    written = already(bounds, rules, (placed, view, Map(), Map(), bounds.before))
    reader = recover(
        rules, replace(placed, view=cast("View", written[1])), cast("Logs", written[2])
    )
    return {
        "f1": reader,
        **dict(zip(PARTS, written, strict=True)),
        "left": bounds.future,
        "troubles": bounds.troubles,
        "c1": Consumer(range_of(0)),
    }


def already(bounds: Bounds, rules: Rules, written: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    """Answer what the writer's parts are after all that has happened before."""
    for act in acts_of(bounds.before, bounds, rules):
        while found := act(*written):
            written = found[0].values
    return written
