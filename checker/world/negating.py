"""Laws turned round: where the premise is met, the conclusion is denied.

A law that nobody could break would hold so as well. Each of these is to fall in the first state,
or with the first step, that fulfils the premise.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from checker.search.explore import search
from checker.search.model import Law, Model, Parts, ProgressGoal, Step, StepLaw
from checker.search.report import Report
from checker.world.idling import why_idle
from checker.world.kinds import Level, Scope
from checker.world.scopes import SCOPES

Any = Law | StepLaw | ProgressGoal


@dataclass(frozen=True, slots=True)
class Turned:
    """A law that is to be turned round in a world."""

    law: str
    scope: Scope


def to_turn() -> Iterator[Turned]:
    """Each law of the default worlds, in the smallest of those in which it speaks."""
    found: dict[str, Scope] = {}
    for scope in SCOPES:
        if scope.level is not Level.QUICK:
            continue
        for law in judging(scope.build()):
            known = found.get(law.name)
            if not why_idle(scope.name, law.name) and (
                known is None or _states(scope) < _states(known)
            ):
                found[law.name] = scope
    return (Turned(law, scope) for law, scope in sorted(found.items()))


def judging(model: Model) -> tuple[Any, ...]:
    """All that a world is judged by and that has a name."""
    return (*model.laws, *model.step_laws, *model.progress)


def turned_round(turned: Turned) -> Report:
    """What a search says of a world that is judged by nothing but one law turned round."""
    model = turned.scope.build()
    law = next(each for each in judging(model) if each.name == turned.law)
    bare = replace(model, laws=(), step_laws=(), goals=(), progress=(), accepting=None)
    match law:
        case Law():
            return search(replace(bare, laws=(_law(law),)))
        case StepLaw():
            return search(replace(bare, step_laws=(_step_law(law),)))
        case ProgressGoal():
            never = replace(law, reached=lambda *_: False)
            return search(replace(bare, progress=(never,)))


def _law(law: Law) -> Law:
    speaks = law.speaks
    assert speaks is not None, f"the law {law.name} does not say when it speaks"
    return replace(law, holds=lambda *parts: not (speaks(*parts) and law.holds(*parts)))


def _step_law(law: StepLaw) -> StepLaw:
    speaks = law.speaks
    assert speaks is not None, f"the law {law.name} does not say when it speaks"

    def holds(step: Step, before: Parts, after: Parts) -> bool:
        return not (speaks(step, before, after) and law.holds(step, before, after))

    return replace(law, holds=holds)


def _states(scope: Scope) -> int:
    return 0 if scope.size is None else scope.size.states
