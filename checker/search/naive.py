"""The search written the obvious way, to compare the real ones with.

Nothing is interned, nothing is remembered but the states: every rule runs for every state.
"""

from collections.abc import Hashable
from dataclasses import dataclass

from checker.search.model import Model, Step
from checker.search.tables import run_rule

State = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """What a naive search counts."""

    states: int
    transitions: int
    depth: int
    broken: frozenset[str]
    """The names of the laws that the last layer breaks; steps out of the layer before count."""


def count(model: Model) -> Counted:
    """Search until a layer breaks a law or nothing is left."""
    names = tuple(model.initial)
    layer: list[State] = [tuple(model.initial.values())]
    seen, transitions, depth = set(layer), 0, 0
    broken = _broken_laws(model, names, layer)
    while layer and not broken:
        following: list[State] = []
        for state in layer:
            for step in model.steps:
                afters, broken_by_step = _fire(model, names, step, state)
                broken |= broken_by_step
                transitions += len(afters)
                fresh = [after for after in dict.fromkeys(afters) if after not in seen]
                seen.update(fresh)
                following += fresh
        layer = following
        depth += bool(layer)
        broken |= _broken_laws(model, names, layer)
    return Counted(len(seen), transitions, depth, broken)


def _broken_laws(model: Model, names: tuple[str, ...], layer: list[State]) -> frozenset[str]:
    return frozenset(
        law.name
        for law in model.laws
        for state in layer
        if not law.holds(*(dict(zip(names, state, strict=True))[name] for name in law.reads))
    )


def _fire(
    model: Model, names: tuple[str, ...], step: Step, state: State
) -> tuple[list[State], frozenset[str]]:
    before = dict(zip(names, state, strict=True))
    read = {name: before[name] for name in step.reads}
    afters: list[State] = []
    broken: set[str] = set()
    for outcome in run_rule(step, tuple(read.values())):
        written = dict(zip(step.writes, outcome.values, strict=True))
        afters.append(tuple((before | written).values()))
        broken |= {
            law.name
            for law in model.step_laws
            if (not law.rule_names or step.rule_name in law.rule_names)
            and not law.holds(step, read, read | written)
        }
    return afters, frozenset(broken)
