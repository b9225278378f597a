"""Which scopes can be searched with unknown integers, and why the others cannot."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from checker.search.model import Parts
from checker.symbolic.batches import named
from checker.world.copies import scopes as copies
from checker.world.copies.bounds import Bounds
from checker.world.kinds import Scope
from checker.world.reading import scopes as reading
from checker.world.recovering import scopes as recovering
from checker.world.reshaping import scopes as reshaping
from checker.world.sharing import scopes as sharing
from checker.world.views import scopes as views

IN_THE_END = "what it comes to in the end is judged on the graph of its plain states"
BY_HAND: Mapping[str, str] = {"settling": IN_THE_END}
ELSEWHERE: tuple[tuple[tuple[Scope, ...], Callable[[str], object], str], ...] = (
    (
        reshaping.SCOPES,
        reshaping.bounds_named,
        "its records are told apart by their keys, one by one",
    ),
    (
        reading.SCOPES,
        reading.bounds_named,
        "its pages are made of single records; `malachi-model prove` judges them for all integers",
    ),
    (
        views.SCOPES,
        views.bounds_named,
        "nothing is produced in it, so that no integer of it can be any other",
    ),
)
"""The scopes of each kind of world, and what stands in the way."""


def refusal(scope: Scope) -> str | None:
    """Why a scope cannot be searched with unknown integers; none where it can."""
    if scope.name in BY_HAND:
        return BY_HAND[scope.name]
    bounds = copies.bounds_named(scope.name)
    if bounds is not None:
        return _refusal_of_copies(bounds)
    if sharing.bounds_named(scope.name) or recovering.bounds_named(scope.name):
        return None
    for scopes, bounds_of, reason in ELSEWHERE:
        if scope in scopes or bounds_of(scope.name) is not None:
            return reason
    return "it is a model of its own, whose numbers are no data"


def _refusal_of_copies(bounds: Bounds) -> str | None:
    if bounds.settles:
        return IN_THE_END
    return "its consumer takes single records" if bounds.reads else None


def shown(scope: Scope) -> Scope:
    """The scope, whose size is another now, and whose logs are shown batch by batch."""

    def show(parts: Parts) -> Parts:
        return scope.show({name: named(value) for name, value in parts.items()})

    return replace(scope, size=None, show=show)
