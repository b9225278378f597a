"""Worlds of frontends that share a range and lose their memory or their segments.

Parts: those of frontends that share a range, then how often each may restart, what has expired
and how much may expire.
"""

from collections.abc import Hashable
from dataclasses import replace

from checker.search.model import Model
from checker.world.recovering.bounds import Bounds
from checker.world.recovering.expiring import expiring_steps
from checker.world.recovering.goals import goals
from checker.world.recovering.judging import laws, step_laws
from checker.world.recovering.limits import limits
from checker.world.recovering.restarting import restarting_steps
from checker.world.recovering.rules import REFERENCE, Rules
from checker.world.sharing import roll


def world(name: str, bounds: Bounds, rules: Rules = REFERENCE, *, is_raft: bool = False) -> Model:
    """Answer the model of a world with these bounds, run by these rules."""
    shared = roll.world(name, bounds.shared, rules.shared)
    steps = (
        *shared.steps,
        *restarting_steps(bounds, rules),
        *expiring_steps(bounds, rules),
    )
    judged = {step.rule_name for step in steps}
    idle = bounds.idle | (bounds.idle_in_raft if is_raft else frozenset())
    own_names = {law.name for law in laws(bounds, rules)}
    own = tuple(law for law in step_laws() if law.rule_names & judged)
    return replace(
        shared,
        initial={**shared.initial, **initial_parts(bounds)},
        steps=steps,
        laws=(*(law for law in shared.laws if law.name not in own_names), *laws(bounds, rules)),
        step_laws=(
            *(law for law in shared.step_laws if not is_raft or law.name not in AUTHORITATIVE),
            *own,
        ),
        goals=(
            *(goal for goal in shared.goals if goal.name not in bounds.unreached),
            *goals(bounds),
        ),
        bounds=bounds.in_words(),
        limits=(*shared.limits, *limits(bounds)),
        expected_dead=(shared.expected_dead | idle) - bounds.woken,
    )


AUTHORITATIVE = {"a_command_brings_the_control_planes_own_view"}
"""Laws of the mode in which the control plane's own view comes back."""


def initial_parts(bounds: Bounds) -> dict[str, Hashable]:
    """Answer the parts beside those of a shared range, as they are in the beginning."""
    parts: dict[str, Hashable] = {
        f"{name}.restarts": times for name, times in sorted(bounds.restarts.items())
    }
    if bounds.retainer is not None:
        parts |= {"gone": frozenset(), "expiries": bounds.expiries}
    return parts
