"""The worlds that cases name: scopes, and what defects, findings and remedies make of them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from checker.cases.kinds import World
from checker.nearest import unknown
from checker.replay.terms import MalformedError
from checker.search.model import Model, Parts
from checker.world.closing import closing
from checker.world.defects import DEFECTS, defect_named
from checker.world.findings import FINDINGS, finding_named
from checker.world.kinds import Finding
from checker.world.scopes import no_such_scope, scope_named


@dataclass(frozen=True, slots=True)
class Stage:
    """A world in which a case can be run."""

    model: Model
    show: Callable[[Parts], Parts]
    """How a state is shown to people: expected values stand under these names."""


def stage_of(world: World) -> Stage:
    """The world that a case names. Raises MalformedError for a name that nobody knows."""
    scope = scope_named(world.scope)
    if scope is None:
        raise MalformedError(no_such_scope(world.scope))
    return Stage(builder(world)(), scope.show)


def builder(world: World) -> Callable[[], Model]:
    """What builds the world."""
    if world.defect is not None:
        defect = defect_named(world.defect)
        if defect is None:
            names = [each.name for each in DEFECTS]
            raise MalformedError(unknown("defect", world.defect, names, "malachi-model defects"))
        return belonging(world, defect.scope, defect.build)
    if world.finding is not None:
        finding = found(world.finding)
        return belonging(world, finding.scope, finding.build)
    if world.remedy is not None:
        healed = found(world.remedy)
        if healed.remedy is None:
            raise MalformedError(f"no rule is known that closes {healed.name}")
        return belonging(world, healed.scope, partial(closing, healed))
    scope = scope_named(world.scope)
    assert scope is not None, "the scope was found before"
    return scope.build


def found(name: str) -> Finding:
    """The finding of a name."""
    finding = finding_named(name)
    if finding is None:
        names = [each.name for each in FINDINGS]
        raise MalformedError(unknown("finding", name, names, "malachi-model findings"))
    return finding


def belonging(world: World, scope: str, build: Callable[[], Model]) -> Callable[[], Model]:
    """What builds a pinned world, if the case means the scope that it is pinned to."""
    if world.scope != scope:
        name = world.defect or world.finding or world.remedy
        raise MalformedError(f"{name} is searched in the scope {scope!r}, not in {world.scope!r}")
    return build
