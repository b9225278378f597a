"""Where the documented protocol itself goes wrong, or is less than it seems.

Each is a law, searched in a world of the unchanged machine, with a pinned shortest trace. A
finding that no longer shows is news: the machine or the world has changed.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from checker.search.model import Model
from checker.world.judging import tempting_laws
from checker.world.moving import tempting_step_laws
from checker.world.roll import world
from checker.world.scopes import bounds_named


@dataclass(frozen=True, slots=True)
class Finding:
    """One law that does not hold, and what that means."""

    name: str
    """`F1`."""
    title: str
    """`REFUSED-REGISTRATION-REPLAYED`."""
    meaning: str
    """What goes wrong, in words."""
    law: str
    """The name of the law that is broken."""
    scope: str
    """The scope whose world it is searched in."""
    steps: int
    """The length of the shortest trace."""
    build: Callable[[], Model]
    """The world, with the laws that it is judged by."""


def broken(name: str, title: str, meaning: str, *, law: str, scope: str, steps: int) -> Finding:
    """A finding that breaks a law which is to hold always."""
    return Finding(name, title, meaning, law, scope, steps, lambda: model_of(scope))


def tempting(name: str, title: str, meaning: str, *, law: str, scope: str, steps: int) -> Finding:
    """A law that looks true and is false."""
    return Finding(name, title, meaning, law, scope, steps, lambda: tempted(scope, law))


def model_of(scope: str) -> Model:
    """The world of a scope, with all its laws."""
    bounds = bounds_named(scope)
    assert bounds is not None, f"{scope} names a world"
    return world(scope, bounds)


def tempted(scope: str, law: str) -> Model:
    """The world of a scope, judged by one tempting law alone."""
    bounds = bounds_named(scope)
    assert bounds is not None, f"{scope} names a world"
    return replace(
        world(scope, bounds),
        laws=tuple(each for each in tempting_laws(bounds) if each.name == law),
        step_laws=tuple(each for each in tempting_step_laws() if each.name == law),
    )


FINDINGS: tuple[Finding, ...] = (
    broken(
        "F1",
        "REFUSED-REGISTRATION-REPLAYED",
        "a refused registration that ended in an adoption is journaled; replayed on a later read,"
        " it opens a segment in the frontend's view that the control plane never listed, and"
        " records are acknowledged there",
        law="acknowledged_records_lie_below_the_edge",
        scope="age:batches=1+1,refreshes=0+1,faults=0",
        steps=13,
    ),
    tempting(
        "F2",
        "REFUSAL-ABOVE-THE-EDGE",
        "a primary that a failover passed over refuses at an end above the sealed edge; the"
        " frontend sits there, no refresh or recovery takes it down, and each of its registrations"
        " overlaps until another frontend opens the successor",
        law="a_recovered_frontend_stands_at_the_edge",
        scope="roll",
        steps=11,
    ),
    tempting(
        "F3",
        "SECOND-SEAL-REPLAYED",
        "a seal that came second is journaled with its own length; replayed on a read that began"
        " before the first, it leaves a length in the view that the control plane never recorded",
        law="a_view_holds_only_what_the_control_plane_said",
        scope="roll",
        steps=8,
    ),
    tempting(
        "F4",
        "VIEW-TAKEN-BACK",
        "the reply to an own command shows what others did since a read began; installing that"
        " read forgets it, since the journal holds own commands only",
        law="a_refresh_never_takes_the_view_back",
        scope="roll",
        steps=10,
    ),
)


def finding_named(name: str) -> Finding | None:
    """The finding of that name or title."""
    return next((each for each in FINDINGS if name.upper() in {each.name, each.title}), None)
